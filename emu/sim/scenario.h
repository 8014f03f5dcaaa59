/* SPDX-License-Identifier: MIT */
/*
 * What is run instead of a recording: configurations of cuda_scheduling_examiner, and gfe's own
 * scenarios (docs/scenario.schema.json), become programs for the model of the CUDA runtime.
 *
 * Several configurations are run together, each in processes of its own.  A benchmark becomes a
 * host thread that makes the calls which its source makes (yalue/cuda_scheduling_examiner_mirror
 * @1c0bd05): kernels with their copies in its stream, and waits for the stream.  Not made: the
 * small copies of its results, allocations before it begins, the kernel that looks at the clock,
 * pinning. A stream_priority that the GPU has makes the stream non-blocking, as in the tool.
 * Benchmarks whose time depends on the machine need a cost, and shares of MPS
 * (mps_thread_percentage) clients of it that may have one.
 */
#ifndef GFE_DEVICES_SCENARIO_H
#define GFE_DEVICES_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/error.h"
#include "firmware-models/cuda/cuda_program.h"

enum { SCENARIO_FILES_MAX = 64, SCENARIO_COSTS_MAX = 64 };

/* A benchmark by the name of its library ("mandelbrot"), and how long each of its blocks works. */
struct scenario_cost {
    const char *benchmark;
    gfe_ps block_ps;
};

/* What the default stream is (nvcc --default-stream), where the file does not say it: one of each
 * process, or one of each host thread. */
enum scenario_default_stream { SCENARIO_LEGACY, SCENARIO_PER_THREAD };

struct scenario_options {
    const struct scenario_cost *costs;
    uint32_t cost_count;
    uint32_t priority_levels; /* of the GPU: streams have priorities 0 to 1 - priority_levels */
    uint32_t threads_per_block, shared_bytes_per_block;
    enum scenario_default_stream default_stream;
    bool mps;    /* the run is one of clients of MPS, also where the files do not say it */
    bool shares; /* of which the GPU's may have shares: from Volta on */
};

struct scenario {
    struct cuda_program program;
    char *json; /* what the log's head tells of it: an object */
    /* Of a task set: the sum of C / T of its tasks, in millionths of a thread, and the largest b;
     * both 0 where there is none. */
    uint64_t utilisation_ppm;
    uint32_t largest_block;
    char hash[65]; /* SHA-256 of the files, and of what the options make of them */
};

/* Does the file begin as a JSON object does, as configurations are, and no trace?  One that is not
 * there does not, and pipes are not looked into.  False with a message: it cannot be read. */
bool scenario_is_one(const char *path, bool *is_one, struct gfe_error *error);
/* Reads the files.  NULL, with a message that names file and JSON path: one of them is not there or
 * not right, or is of what is not modelled.  The caller frees it. */
struct scenario *scenario_load(const char *const *paths, uint32_t count,
                               const struct scenario_options *options, struct gfe_error *error);
/* The same of one text in memory, which need not end in a zero; `name` is for messages. */
struct scenario *scenario_parse(const char *text, size_t bytes, const char *name,
                                const struct scenario_options *options, struct gfe_error *error);
void scenario_free(struct scenario *scenario);

#endif
