/* SPDX-License-Identifier: MIT */
/* The data that result files are made of.  Private to show_examiner*.c. */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_PRIVATE_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_PRIVATE_H

#include <stdio.h>

#include "emu/analysis/model/model.h"
#include "emu/base/id_map.h"
#include "emu/views/examiner/show_examiner.h"
#include "emu/analysis/streams.h"

#define EXAMINER_NONE UINT32_MAX

struct examiner_block {
    gfe_ps start_ps, end_ps; /* GFE_PS_NEVER if it did not happen */
    uint64_t sm;
};

struct examiner_kernel {
    uint32_t call;                                  /* index of the program's calls */
    uint32_t next;                                  /* of its task; EXAMINER_NONE at the end */
    gfe_ps launch_ps, launched_ps, synchronized_ps; /* GFE_PS_NEVER if it did not happen */
    struct examiner_block *blocks;                  /* by index */
    uint32_t block_capacity;
    uint32_t block_count, ended_count; /* blocks that started (all indices below), that ended */
};

struct examiner_phase {
    gfe_ps begin_ps, end_ps; /* begin_ps is GFE_PS_NEVER if the phase has no calls */
};

struct examiner_iteration {
    struct examiner_phase phases[PROGRAM_PHASES];
    gfe_ps begin_ps, end_ps;
    uint32_t next; /* of its task */
    uint32_t first_kernel, kernel_count;
};

struct examiner_task {
    struct examiner_iteration now; /* the iteration that has not ended */
    uint32_t first, last;          /* of the iterations that have ended */
    uint32_t last_kernel;          /* the task's last kernel */
    bool released;
};

struct examiner {
    const struct event_log_reader *log;
    struct streams streams;
    struct model model;
    struct examiner_task *tasks; /* by index of the program's tasks */
    struct examiner_kernel *kernels;
    struct examiner_iteration *iterations;
    uint32_t kernel_count, kernel_capacity, iteration_count, iteration_capacity;
    struct id_map by_operation, by_grid; /* to indices of kernels */
    uint64_t sm_end;                     /* 1 + the highest SM that had a block */
    uint64_t left_out;
    /* queued_ps: the last kernel joined the GPU's queue.  closest_ps: shortest time between two
     * kernels that did.  Both are GFE_PS_NEVER if there is none. */
    gfe_ps queued_ps, closest_ps;
};

/* Takes an event.  Returns false if memory is short. */
bool examiner_take(struct examiner *examiner, const struct log_event *event);
/* Prepares for the events of `log`, which is borrowed.  `examiner` must not move afterwards.
 * Returns false with `error` set on failure. */
bool examiner_init(struct examiner *examiner, const struct event_log_reader *log,
                   struct gfe_error *error);
void examiner_fini(struct examiner *examiner);
/* Prints the task's result file.  Returns false if memory is short. */
bool examiner_print(FILE *file, struct examiner *examiner, uint32_t task, uint32_t sm_count);

#endif
