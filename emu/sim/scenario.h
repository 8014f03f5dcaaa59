/* SPDX-License-Identifier: MIT */
/*
 * Scenarios, which can be run instead of a recording.  Configurations of cuda_scheduling_examiner,
 * and gfe's own scenarios (docs/scenario.schema.json), become programs for the model of the CUDA
 * runtime.
 *
 * Several configurations run together, each in processes of its own.  A benchmark becomes a host
 * thread that makes the same calls as the benchmark's source (yalue/cuda_scheduling_examiner_mirror
 * @1c0bd05): kernels with their copies in its stream, and waits for the stream.  The thread does
 * not make the small copies of its results, allocations before it begins, the kernel that reads the
 * clock, or pinning.  A stream_priority that the GPU has makes the stream non-blocking, as in the
 * tool.  Benchmarks whose time depends on the machine have the cost that the options give them, or
 * an ASSUMED one, the default of a block (core.block_base_cycles and what goes with it). Benchmarks
 * that use no GPU are left out with a warning.  So are shares of MPS (mps_thread_percentage) where
 * they have no effect: without clients of MPS, or on a GPU that has no shares.
 */
#ifndef GFE_EMU_SIM_SCENARIO_H
#define GFE_EMU_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/error.h"
#include "firmware-models/cuda/cuda_program.h"

enum { SCENARIO_FILES_MAX = 64, SCENARIO_COSTS_MAX = 64 };

/* A benchmark by the name of its library ("mandelbrot"), and the work of each of its blocks. */
struct scenario_cost {
    const char *benchmark;
    gfe_ps block_ps;
};

/* The kind of default stream (nvcc --default-stream) if the file does not say it: one for each
 * process, or one for each host thread. */
enum scenario_default_stream { SCENARIO_LEGACY, SCENARIO_PER_THREAD };

struct scenario_options {
    const struct scenario_cost *costs;
    uint32_t cost_count;
    uint32_t priority_levels; /* of the GPU: streams have priorities 0 to 1 - priority_levels */
    const struct nv_chip *model;
    enum scenario_default_stream default_stream;
    bool mps;    /* all processes are clients of MPS, even if the files do not say it */
    bool shares; /* clients of MPS may have shares on this GPU, as from Volta on */
};

struct scenario {
    struct cuda_program program;
    char *json; /* its description for the log's head: a JSON object */
    /* For a task set, the sum of C / T of its tasks, in millionths of a thread, and the largest b.
     * Both are 0 if there is no task set. */
    uint64_t utilisation_ppm;
    uint32_t largest_block;
    char hash[65]; /* SHA-256 of the files and of the options that change the program */
    /* How it was made, for whoever makes it again: the paths of its files, a line each (NULL: it
     * was no file), the costs in the form "NAME=PS", a line each (NULL: none), and the default
     * stream.
     */
    char *paths, *costs;
    enum scenario_default_stream default_stream;
    /* Names of benchmarks whose blocks take an ASSUMED time ("mandelbrot, random_walk"), and what
     * was left out of the files, a line each; "" if nothing.  What has no room is cut off. */
    char assumed[256], warnings[2048];
};

/* Sets *is_one to true if the file begins as a JSON object does, as configurations do and traces do
 * not.  It is false for a missing file and for a pipe, which is not read.  Returns false with a
 * message if the file cannot be read. */
bool scenario_is_one(const char *path, bool *is_one, struct gfe_error *error);
/* Reads the files and returns a scenario, which the caller frees.  Returns NULL, with a message
 * that names file and JSON path, if a file is missing or invalid, or asks for a feature that is not
 * modelled. */
struct scenario *scenario_load(const char *const *paths, uint32_t count,
                               const struct scenario_options *options, struct gfe_error *error);
/* Like scenario_load(), for one text in memory, which need not end in a zero; `name` is for
 * messages.
 */
struct scenario *scenario_parse(const char *text, size_t bytes, const char *name,
                                const struct scenario_options *options, struct gfe_error *error);
void scenario_free(struct scenario *scenario);

#endif
