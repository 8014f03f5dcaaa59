/* SPDX-License-Identifier: MIT */
/*
 * Configurations of cuda_scheduling_examiner, the tool that runs spinning kernels side by side to
 * see how a GPU shares its SMs.  The reader checks the JSON text and puts it into plain structs.
 *
 * The form is described in the tool's README.md, and by src/parse_config.c and the head of each
 * benchmark in src/ (yalue/cuda_scheduling_examiner_mirror @1c0bd05).
 *
 * Different from the tool:
 *   - an unknown setting is an error everywhere, also where the tool ignores it (in
 *     additional_info, and where its name only begins as a known one does); names that begin
 *     with "comment" are free.  If a setting is there twice, the last one counts;
 *   - numbers have to be whole and in bounds where the tool rounds or wraps them;
 *   - thread_count and block_count may be 0 in benchmarks that do not use them, as in the
 *     tool's own examples; its parser at that commit refuses that;
 *   - sm_mask is always understood; the tool needs to be built for it.
 *
 * Not modelled: the work of the kernels of the other benchmarks (EXAMINER_COSTED: the machine says
 * how long they take), so their additional_info is ignored; result files, pinning and MPS
 * are only handed on; launches from the device, which are refused by name wherever a member
 * device_launch, device_launches or dynamic_parallelism, or the name of a benchmark, asks for them.
 * A stream_action that frees more than it has is found when it runs.
 */
#ifndef GFE_TRACES_CONFIG_EXAMINER_CONFIG_H
#define GFE_TRACES_CONFIG_EXAMINER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/base/mask128.h"

enum {
    EXAMINER_TEXT_BYTES_MAX = 16 << 20,
    EXAMINER_BENCHMARKS_MAX = 4096, /* in all, with those of nested configurations */
    EXAMINER_ACTIONS_MAX = 65536,   /* in all */
    EXAMINER_DEPTH_MAX = 8,         /* configurations inside each other */
    EXAMINER_THREADS_MAX = 1024,    /* of a block */
    EXAMINER_NO_CORE = -1,
    EXAMINER_NO_PRIORITY = -100,
};
#define EXAMINER_BYTES_MAX (UINT64_C(1) << 40) /* of a data_size, allocation, copy */

enum examiner_kind {
    EXAMINER_TIMER_SPIN,
    EXAMINER_TIMER_SPIN_DEFAULT_STREAM,
    EXAMINER_COUNTER_SPIN,
    EXAMINER_SHAREDMEM_TIMER_SPIN,
    EXAMINER_MULTIKERNEL,
    EXAMINER_STREAM_ACTION,
    EXAMINER_TASK_HOST,
    EXAMINER_COSTED, /* a known benchmark whose time depends on the machine */
};

enum examiner_action_kind {
    EXAMINER_KERNEL,
    EXAMINER_MALLOC,
    EXAMINER_FREE,
    EXAMINER_MEMSET,
    EXAMINER_MEMCPY,
    EXAMINER_SYNCHRONIZE,
};

enum examiner_direction {
    EXAMINER_HOST_TO_DEVICE,
    EXAMINER_DEVICE_TO_HOST,
    EXAMINER_DEVICE_TO_DEVICE,
};

/* A mask of TPCs: bit n is set if TPC n is disabled. */
struct examiner_mask {
    struct mask128 bits;
    uint32_t named; /* one more than the highest TPC that the text's digits name; 0: none */
};

/* A spinning kernel, one-dimensional. */
struct examiner_kernel {
    bool counts;        /* spins `loops` times; else until duration_ps have passed */
    gfe_ps duration_ps; /* of each block, from its own start */
    uint64_t loops;
    uint32_t blocks, threads;
    uint32_t shared_bytes;        /* static, of a block */
    uint64_t copy_in_bytes;       /* copied in its stream before it (multikernel) */
    uint64_t copy_out_bytes;      /* and after */
    struct examiner_mask sm_mask; /* as the benchmark's, for this launch; 0: none */
};

/* A call, or a kernel with its copies, in the order of the list. */
struct examiner_action {
    enum examiner_action_kind kind;
    char *label; /* NULL in the benchmarks that have none */
    /* The sleep before it.  If it is not 0, a multikernel waits for its stream first. */
    gfe_ps delay_ps;
    struct examiner_kernel kernel;     /* KERNEL */
    uint64_t size_bytes;               /* MALLOC, MEMSET, MEMCPY */
    bool host;                         /* MALLOC, FREE: host memory */
    bool synchronous;                  /* MEMSET, MEMCPY: the call without a stream */
    bool device;                       /* SYNCHRONIZE: the device, not the stream */
    enum examiner_direction direction; /* MEMCPY */
};

struct examiner_config;

struct examiner_benchmark {
    enum examiner_kind kind;
    char *filename;
    char *name;             /* the filename without folder and .so */
    char *log_name, *label; /* NULL: none said */
    uint32_t threads[3];    /* of a block; each 1 or more, or 0 if the kind does not use them */
    uint32_t blocks[3];
    uint64_t data_bytes;
    struct examiner_mask sm_mask; /* disabled TPCs of its stream; not for STREAM_ACTION */
    uint64_t max_iterations;      /* its own or the configuration's; 0: no limit */
    gfe_ps max_time_ps;           /* its own or the configuration's; 0: no limit */
    gfe_ps release_ps;            /* the sleep before the first iteration */
    int32_t cpu_core;             /* EXAMINER_NO_CORE: none said */
    int32_t stream_priority; /* EXAMINER_NO_PRIORITY: none said, or beyond the GPU's range; a stream
                                with a priority does not wait for the null stream */
    uint32_t mps_ppm;        /* millionths of the threads that MPS gives it */
    bool null_stream;        /* calls with a stream go to the null stream */
    uint32_t action_count;   /* of an iteration; 0 in TASK_HOST and COSTED */
    struct examiner_action *actions;
    struct examiner_config *hosted; /* TASK_HOST: the configuration that it runs */
};

struct examiner_config {
    char *name;
    char *base_result_directory; /* "./results" where none is said */
    uint64_t max_iterations;     /* 0: no limit */
    gfe_ps max_time_ps;          /* 0: no limit */
    uint32_t cuda_device;
    bool use_processes, pin_cpus, do_warmup, sync_every_iteration;
    uint32_t benchmark_count; /* 1 or more */
    struct examiner_benchmark *benchmarks;
};

/*
 * Reads the file, or standard input if `path` is "-".  Returns a configuration that the caller
 * frees with examiner_config_free().  Returns NULL on error.  `error` then says in a line what is
 * wrong, with file and JSON path: "config.json: benchmarks[2].thread_count: -5 is not a number of
 * threads" (ERROR_INPUT), or that the file cannot be read (ERROR_SYSTEM).
 */
struct examiner_config *examiner_config_load(const char *path, struct gfe_error *error);

/* Reads a text in memory, which need not end in a zero; `name` is for messages. */
struct examiner_config *examiner_config_parse(const char *text, size_t bytes, const char *name,
                                              struct gfe_error *error);

/* Frees the configuration and all its parts.  NULL is allowed. */
void examiner_config_free(struct examiner_config *config);

#endif
