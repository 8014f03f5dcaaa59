/* SPDX-License-Identifier: MIT */
/*
 * A scenario that is run in the test, and the history of each kernel.  A kernel is found by its
 * name, as a reader of the log finds it: from CUDA_OPERATION to CUDA_SUBMIT to GRID_QUEUE to its
 * blocks.
 */
#ifndef TESTS_CUDA_RUN_H
#define TESTS_CUDA_RUN_H

#include "devices/core/core_events.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/log/event_list.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/check_machine.h"

enum { CUDA_RUN_BLOCKS = 4096, CUDA_RUN_SETTINGS = 16, CUDA_RUN_POKES = 32 };

struct cuda_run_block {
    gfe_ps start_ps, end_ps;
    uint32_t sm;
};

struct cuda_run {
    struct scenario *scenario, *loaded; /* `loaded` is freed at the end */
    struct simulation *simulation;
    struct log_event *events;
    uint32_t event_count;
    const char *pokes[CUDA_RUN_POKES];
};

/* A launch of a kernel, or a copy. */
struct cuda_run_operation {
    uint64_t operation_id, hardware_id; /* of the grid or copy */
    gfe_ps called_ps, submitted_ps, queued_ps, started_ps, dispatched_ps, ended_ps, completed_ps;
    uint32_t block_count;
    struct cuda_run_block blocks[CUDA_RUN_BLOCKS];
};

/* Runs files of scenarios/ ("amert2017-table1"), or texts that begin with '{', on a GPU.
 * `settings` are "id=value" pairs of choice points and parameters, {"default-stream", "per-thread"}
 * or {"poke", "2ms disable_channel 5"}, and end with NULL.  Fails the test if the run does not
 * reach its end. */
void cuda_run_begin(struct cuda_run *run, const char *gpu, uint64_t seed, const char *const *files,
                    const char *const *settings);
/* Like cuda_run_begin(), but runs a program made by hand, which must outlive `run`. */
void cuda_run_begin_program(struct cuda_run *run, const char *gpu, struct scenario *scenario,
                            const char *const *settings);
void cuda_run_end(struct cuda_run *run);
/* Fills `operation` with the n-th launch of the kernel called `name`. */
void cuda_run_kernel(const struct cuda_run *run, const char *name, uint32_t n,
                     struct cuda_run_operation *operation);
/* Fills `operation` with the n-th copy of the task called `task`, in the order of its calls. */
void cuda_run_copy(const struct cuda_run *run, const char *task, uint32_t n,
                   struct cuda_run_operation *operation);
/* Returns the time that a stream's operation, a grid or a copy waited by a rule.  RULE_NONE means
 * any rule. */
gfe_ps cuda_run_waited(const struct cuda_run *run, uint32_t subject_kind, uint64_t id,
                       uint32_t rule);
/* Compares the log with tests/golden/<name>. */
void cuda_run_golden(const struct cuda_run *run, const char *name);

#endif
