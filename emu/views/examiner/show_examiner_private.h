/* SPDX-License-Identifier: MIT */
/* What result files are made of.  Private to show_examiner*.c. */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_PRIVATE_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_PRIVATE_H

#include <stdio.h>

#include "emu/analysis/model/model.h"
#include "emu/base/id_map.h"
#include "emu/views/examiner/show_examiner.h"
#include "emu/analysis/streams.h"

#define EXAMINER_NONE UINT32_MAX

struct examiner_block {
    gfe_ps start_ps, end_ps; /* GFE_PS_NEVER: did not happen */
    uint64_t sm;
};

struct examiner_kernel {
    uint32_t call;                                  /* of the program's */
    uint32_t next;                                  /* of its task; EXAMINER_NONE: none */
    gfe_ps launch_ps, launched_ps, synchronized_ps; /* GFE_PS_NEVER: did not happen */
    struct examiner_block *blocks;                  /* by index */
    uint32_t block_capacity;
    uint32_t block_count, ended_count; /* that started: those of all indices below; that ended */
};

struct examiner_phase {
    gfe_ps begin_ps, end_ps; /* begin_ps GFE_PS_NEVER: it has no calls */
};

struct examiner_iteration {
    struct examiner_phase phases[PROGRAM_PHASES];
    gfe_ps begin_ps, end_ps;
    uint32_t next; /* of its task */
    uint32_t first_kernel, kernel_count;
};

struct examiner_task {
    struct examiner_iteration now; /* the one that has not ended */
    uint32_t first, last;          /* of those that have */
    uint32_t last_kernel;          /* of the task */
    bool released;
};

struct examiner {
    const struct event_log_reader *log;
    struct streams streams;
    struct model model;
    struct examiner_task *tasks; /* of the program's */
    struct examiner_kernel *kernels;
    struct examiner_iteration *iterations;
    uint32_t kernel_count, kernel_capacity, iteration_count, iteration_capacity;
    struct id_map by_operation, by_grid; /* to kernels */
    uint64_t sm_end;                     /* behind the last SM that had a block */
    uint64_t left_out;
    gfe_ps queued_ps, closest_ps; /* when the last kernel joined the GPU's queue; the least time
                                     between two that did; GFE_PS_NEVER: there is none */
};

/* Takes an event.  `examiner` stays where examiner_init() found it.  False: no memory. */
bool examiner_take(struct examiner *examiner, const struct log_event *event);
bool examiner_init(struct examiner *examiner, const struct event_log_reader *log,
                   struct gfe_error *error);
void examiner_fini(struct examiner *examiner);
/* Prints the task's file; false: no memory. */
bool examiner_print(FILE *file, struct examiner *examiner, uint32_t task, uint32_t sm_count);

#endif
