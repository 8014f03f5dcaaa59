/* SPDX-License-Identifier: MIT */
/*
 * The output of the stand-in's records: a trace writer, and the data that all records of a process
 * share.
 *
 * A failed write (a full disk) does not stop the recorded program.  Recording stops, the first
 * cause is kept, and the stand-in goes on answering.
 */
#ifndef GFE_TRACES_RECORD_RECORD_OUT_H
#define GFE_TRACES_RECORD_RECORD_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/format/trace.h"

/* The thread that calls, and the time of the call. */
struct record_caller {
    uint32_t thread_id;
    uint64_t now_ns;     /* since the start of the recording */
    uint64_t begin_ns;   /* when the call began; before now_ns if it had to wait */
    uint32_t process_id; /* 0: the recorder's own */
};

struct record_out {
    struct trace_writer *writer; /* borrowed */
    uint32_t process_id;
    uint64_t *sequence; /* number of the next record of all processes; NULL: there is one process */
    bool failed;
    struct gfe_error error; /* the first cause, if failed */
    /* Optional callback that gets each record first, even after writing has stopped. */
    void (*tap)(void *context, const struct record_caller *caller,
                const struct trace_record *record);
    void *tap_context;
};

/* Completes record->head from `kind` and the caller and writes it. */
void record_out_put(struct record_out *out, const struct record_caller *caller,
                    enum trace_kind kind, struct trace_record *record);
/* Writes all records so far into the file as a complete chunk. */
void record_out_flush(struct record_out *out);
/* Writes a MARK. */
void record_out_mark(struct record_out *out, const struct record_caller *caller, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* Returns a trace_str of a C string, which is borrowed. */
struct trace_str record_out_str(const char *text);

#endif
