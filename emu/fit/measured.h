/* SPDX-License-Identifier: MIT */
/*
 * What was measured on a real GPU: experiments, each with what was asked of the GPU and what
 * happened.  `gfe compare` makes the same experiments on an emulated one.
 *
 * The form is that of tests/hardware/block_times.cu: JSON objects, one in a line, in a file that
 * may be packed by gzip.  docs/compare.md describes it.  Nothing here knows the name of an
 * experiment: what is asked of the GPU is read from the members of its lines.  A line
 * {"supplement": NAME, ...} adds what the lines of an experiment do not say.
 *
 * Lines of the programs launch_times.cu, copy_times.cu, slice_times.cu and sm_order.cu beside it
 * are read as well, as far as scenarios can say what they ask for; and so are result files of
 * cuda_scheduling_examiner (traces/config/examiner_result.h).
 *
 * Times are in ns, from any beginning that an experiment's parts share.  A time that was not seen
 * is FIT_NEVER.
 */
#ifndef GFE_EMU_FIT_MEASURED_H
#define GFE_EMU_FIT_MEASURED_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

#define FIT_NEVER (-1e300)

enum {
    FIT_FILES_MAX = 64,
    FIT_FILE_BYTES_MAX = 64 << 20, /* unpacked */
    FIT_EXPERIMENTS_MAX = 4096,
    FIT_PARTS_MAX = 16,
    FIT_OPERATIONS_MAX = 8192, /* of a part */
    FIT_BLOCKS_MAX = 1 << 20,  /* of a kernel */
    FIT_STREAMS_MAX = 1024,
    FIT_TIMES_MAX = 65536, /* how often a call is made */
};

/* What a part of an experiment, which is a process of its own, does. */
enum fit_form {
    FIT_KERNELS, /* calls for kernels, in streams */
    FIT_COPIES,  /* calls for copies, in streams */
    FIT_SHARE,   /* one kernel whose blocks look at the clock all the time, and note when they stood
                  */
    FIT_STREAM,  /* one kernel again and again, in one stream */
    FIT_PIECES,  /* like copies in one stream, one behind the other */
    FIT_LATENCY, /* a call, and a wait for it, again and again; how long both took together */
    FIT_REPEAT,  /* the same with an event in front of the call and one behind it */
    FIT_FORMS
};

enum fit_way { FIT_TO_DEVICE, FIT_TO_HOST, FIT_ON_DEVICE, FIT_WAYS };

struct fit_block {
    double begin_ns, end_ns;
    uint32_t sm;
};

struct fit_span {
    double begin_ns, end_ns;
};

struct fit_series {
    double *values; /* owned */
    uint32_t count, capacity;
};

/* What happened with an operation. */
struct fit_seen {
    struct fit_span *spans;         /* owned; of each time that it was called for */
    struct fit_block *blocks;       /* owned; of a kernel that is called for once */
    struct fit_series runs, stands; /* of FIT_SHARE: a watched block ran, or stood, so long */
    struct fit_series took; /* of FIT_LATENCY and FIT_REPEAT: from the call to the end of the
                               wait */
};

struct fit_operation {
    char *name; /* owned */
    uint32_t stream;
    bool is_copy;
    uint32_t times;  /* it is called for so often; 1 or more */
    double call_ns;  /* when the program called; FIT_NEVER: the file does not say */
    double given_ns; /* when the call returned; 0: the file does not say */
    /* of a kernel */
    uint32_t block_count, thread_count, registers, cluster_blocks;
    uint64_t shared_bytes;
    double spin_ns;  /* each block runs so long, by the clock */
    bool works;      /* not by the clock: a block that is stopped works the rest of it later */
    double pause_ns; /* the program lets so much time pass before the call; 0: none */
    /* of a copy */
    uint64_t byte_count;
    enum fit_way way;
    bool is_set, is_pageable; /* a memset; host memory that is not pinned */
    uint32_t rows;            /* of a copy in two dimensions; 0: of a copy in one */
    uint32_t *watched; /* owned; of FIT_SHARE: numbers of the blocks whose stands were noted */
    uint32_t watched_count;
    bool has_events;  /* its times are those of events in front of it and behind it */
    bool blocks_seen; /* the file has each block with its SM */
    /* When it began, or ended, the file does not say; then the times in `real` are what it was
     * asked to last. */
    bool begin_unseen, end_unseen;
    struct fit_seen real, emulated;
};

struct fit_stream {
    char *name; /* owned */
    bool is_null, is_blocking;
    int32_t priority; /* as CUDA has it: 0 is the lowest, -1 the next */
    double work_ns;   /* what a block of its kernels works; 0: as measured */
    char *sm_mask; /* owned; TPCs that its kernels may not use, as scenarios have it; NULL: none */
    /* It has made a copy to the device, or to the host, last before the experiment, by a copy
     * engine. */
    bool has_copied, has_copied_to_host;
};

struct fit_part {
    char *name; /* owned; "" if the experiment has one process */
    enum fit_form form;
    struct fit_stream *streams; /* owned */
    uint32_t stream_count;
    struct fit_operation *operations; /* owned; in the order of the calls */
    uint32_t operation_count;
    int64_t process_id;   /* of a result of cuda_scheduling_examiner; else 0 */
    double share_percent; /* of a client of MPS; 0: none is set */
    double gate_ns;  /* a kernel of one block that lasts so long holds back all streams until its
                        end;  0: there is none.  Times of FIT_COPIES count from its end then */
    bool waits;      /* the program waits for each call of FIT_STREAM, FIT_LATENCY or FIT_REPEAT */
    double sleep_ns; /* so long it sleeps, or is busy, after each wait */
};

struct fit_experiment {
    char *name, *family;  /* owned; family: the name of its file, up to the first point */
    char *detail;         /* owned; distinguishes experiments of one name; NULL: it has none */
    bool is_result;       /* of cuda_scheduling_examiner; its family is the scenario */
    int64_t base, round;  /* base: of its parts' times, INT64_MAX: not known yet; round: -1: none */
    const char *path;     /* borrowed */
    uint32_t line;        /* in that file, from 1 */
    bool is_first;        /* of its program: the line in front of it is the file's head */
    uint32_t connections; /* CUDA_DEVICE_MAX_CONNECTIONS; 0: not set */
    bool mps;
    struct fit_part parts[FIT_PARTS_MAX];
    uint32_t part_count;
    uint32_t waits_left_out; /* processes that only wait for a value, which scenarios cannot say */
};

struct fit_measured {
    struct fit_experiment *experiments; /* owned */
    uint32_t experiment_count;
    char *gpu;              /* owned; as the first file names it; NULL: none does */
    uint32_t strangers;     /* lines of forms that are not read */
    char strangers_of[120]; /* names of some of them, for a message */
};

/* Reads files, in their order.  The paths stay the caller's and must outlive `measured`.  Returns
 * false with a message that names file, line and member; call fit_measured_free() in any case. */
bool fit_measured_read(struct fit_measured *measured, const char *const *paths, uint32_t count,
                       struct gfe_error *error);
/* Reads a text in memory, like one file; `name` must outlive `measured`. */
bool fit_measured_parse(struct fit_measured *measured, const char *text, size_t bytes,
                        const char *name, struct gfe_error *error);
void fit_measured_free(struct fit_measured *measured);

/* ---- parts of the reader --------------------------------------------------------------------- */

/* Adds a value to a series.  Returns false when memory is short. */
bool fit_series_add(struct fit_series *series, double value);
/* Returns the median, or FIT_NEVER of an empty series.  Sorts the series. */
double fit_series_median(struct fit_series *series);
/* Returns the value below which such a part of the series lies, 0.25 being a quarter, or FIT_NEVER.
 * Sorts the series. */
double fit_series_quantile(struct fit_series *series, double part);
void fit_seen_free(struct fit_seen *seen);

#endif
