/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner: the measurements of one of its benchmarks on a real
 * GPU. The reader checks the tool's JSON text and puts it into plain structs.
 *
 * The form is described in the tool's README.md ("Output File Format"); src/task_host.c prints it
 * (yalue/cuda_scheduling_examiner_mirror @1c0bd05).  Each benchmark of a run has one file.  The
 * files of a run have one scenario_name and one zero of time, so their times compare.  A file is an
 * object whose members come in the order of the names below.  `times` begins with an empty object,
 * which has no meaning.  Then for each iteration comes an object with the times of its three
 * phases, followed by one object for each kernel.
 *
 * Times are seconds since the tool started, with nine digits after the point (release_time has
 * six).  There are two clocks: phases and launch calls are timed by the CPU (CLOCK_MONOTONIC_RAW),
 * blocks by the GPU's %globaltimer, each from inside the block.  The tool matches the two once at
 * the start, and stretches the GPU's time by a factor that it measured over two seconds; no file
 * says how far the two clocks are apart.  The matrix_multiply benchmark writes SM cycles instead of
 * times (blocks_timed).
 *
 * Different from the tool: members that are not named here are ignored, and numbers have to be
 * whole and in bounds.  Files of its versions before August 2017 have no launch times and are
 * refused.  A file that a benchmark did not finish is not JSON, which the message says.
 */
#ifndef GFE_TRACES_CONFIG_EXAMINER_RESULT_H
#define GFE_TRACES_CONFIG_EXAMINER_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/input.h"
#include "emu/base/clock.h"
#include "emu/base/error.h"

/* The names in the file, for its reader and its writer.  The members of the whole file, in order:
 */
#define EXAMINER_RESULT_SCENARIO         "scenario_name"
#define EXAMINER_RESULT_BENCHMARK        "benchmark_name"
#define EXAMINER_RESULT_LABEL            "label"                /* only where one was given */
#define EXAMINER_RESULT_RESIDENT_THREADS "max_resident_threads" /* 2,048 for each SM */
#define EXAMINER_RESULT_DATA_SIZE        "data_size"            /* bytes */
#define EXAMINER_RESULT_RELEASE          "release_time"         /* seconds; negative: at once */
#define EXAMINER_RESULT_PID              "PID"
#define EXAMINER_RESULT_TID              "TID" /* not where benchmarks are processes */
#define EXAMINER_RESULT_TIMES            "times"
/* The members of an iteration, in order; each an array of begin and end on the CPU's clock: */
#define EXAMINER_RESULT_COPY_IN          "copy_in_times"
#define EXAMINER_RESULT_EXECUTE          "execute_times"
#define EXAMINER_RESULT_COPY_OUT         "copy_out_times"
#define EXAMINER_RESULT_CPU              "cpu_times" /* begin of copy_in, end of copy_out */
/* The members of a kernel, in order: */
#define EXAMINER_RESULT_KERNEL_NAME      "kernel_name"       /* only where it has one */
#define EXAMINER_RESULT_BLOCK_COUNT      "block_count"       /* of the grid */
#define EXAMINER_RESULT_THREAD_COUNT     "thread_count"      /* of a block */
#define EXAMINER_RESULT_SHARED_MEMORY    "shared_memory"     /* bytes of a block; 0 where unknown */
#define EXAMINER_RESULT_LAUNCH           "cuda_launch_times" /* CPU: call, return, synchronised or 0 */
#define EXAMINER_RESULT_BLOCK_TIMES      "block_times" /* GPU: start, end of block 0, of 1, ... */
#define EXAMINER_RESULT_BLOCK_SMIDS      "block_smids" /* of block 0, of 1, ... */
#define EXAMINER_RESULT_CPU_CORE         "cpu_core"    /* that wrote the file */
/* The benchmark whose block_times are no times. */
#define EXAMINER_RESULT_CYCLES_BENCHMARK "Matrix Multiply"

enum {
    EXAMINER_RESULT_TEXT_BYTES_MAX = 64 << 20,
    EXAMINER_RESULT_NO_TID = -1,
};

/* The times that a block wrote at its start and before its end. */
struct examiner_result_block {
    gfe_ps start_ps, end_ps; /* GPU; both 0 where !blocks_timed */
    uint32_t sm;             /* %smid */
};

struct examiner_result_kernel {
    char *name;      /* NULL: none said */
    uint32_t index;  /* its element of `times` */
    int32_t threads; /* of a block, 1 or more; not bounded by what a GPU can do */
    int32_t shared_bytes;
    gfe_ps launch_ps, launched_ps; /* CPU: just before the call, just after */
    gfe_ps synchronized_ps;        /* CPU: after a wait for the stream; 0: not said */
    int32_t cpu_core;
    uint32_t block_count;                 /* 1 or more */
    struct examiner_result_block *blocks; /* by index */
};

/* A phase begins and ends, on the CPU's clock. */
struct examiner_result_phase {
    gfe_ps begin_ps, end_ps;
};

struct examiner_result_iteration {
    uint32_t index;                                 /* its element of `times` */
    struct examiner_result_phase copy_in;           /* the kernels' input is copied at its end */
    struct examiner_result_phase execute, copy_out; /* launches are in the first of them */
    uint32_t kernel_count;                          /* 0 in benchmarks without a GPU */
    struct examiner_result_kernel *kernels;         /* as they were launched, in one stream */
};

struct examiner_result {
    char *scenario_name, *benchmark_name;
    char *label; /* NULL: none said */
    uint32_t resident_threads;
    uint64_t data_bytes;
    gfe_ps release_ps; /* the first iteration begins no earlier; 0: none said */
    int32_t pid;       /* results with one PID share an address space */
    int32_t tid;       /* EXAMINER_RESULT_NO_TID */
    bool blocks_timed; /* false: its blocks have no times (matrix_multiply) */
    uint32_t iteration_count;
    struct examiner_result_iteration *iterations;
};

/*
 * Returns true if a text that begins with these bytes is JSON, which no log of gfe is.  Looks at
 * the first byte that is no white space.
 */
bool examiner_result_is_text(const char *text, size_t bytes);

/*
 * Reads the file, or standard input if `path` is "-".  Returns a result that the caller frees with
 * examiner_result_free().  Returns NULL on error.  `error` then says in a line what is wrong, with
 * file and JSON path: "a.json: times[2].block_smids: 3 elements, and 4 blocks" (ERROR_INPUT), or
 * that the file cannot be read (ERROR_SYSTEM).  Only the form is checked here; check_result.h
 * checks whether the times are possible.
 */
struct examiner_result *examiner_result_load(const char *path, struct input_bound bound,
                                             struct gfe_error *error);

/* Reads a text in memory, which need not end in a zero; `name` is for messages. */
struct examiner_result *examiner_result_parse(const char *text, size_t bytes, const char *name,
                                              struct gfe_error *error);

/* Frees the result and all its parts.  NULL is allowed. */
void examiner_result_free(struct examiner_result *result);

#endif
