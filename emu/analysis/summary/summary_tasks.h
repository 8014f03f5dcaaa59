/* SPDX-License-Identifier: MIT */
/*
 * What a summary says of a scenario's tasks: the number of kernels, copies and iterations of each,
 * its first and last time, and the names of the first launches.  Private to summary*.c.
 *
 * A recording has no tasks.  Calls return before the GPU has done what they ask for.  So a task
 * ends with its last iteration or with its last operation, whichever is later.  Memory is 4 bytes
 * for each operation of the log.
 */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_TASKS_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_TASKS_H

#include <jansson.h>
#include <stdio.h>

#include "emu/analysis/streams.h"

struct summary_task {
    uint64_t kernel_count, copy_count, iteration_count;
    uint64_t open_count; /* operations that have not completed */
    gfe_ps release_ps;   /* release of its first iteration; GFE_PS_NEVER: none so far */
    gfe_ps end_ps; /* end of its last iteration or operation; GFE_PS_NEVER: no iteration ended */
};

struct summary_tasks {
    struct streams streams;     /* operations are taken only as long as launches have to be named */
    struct summary_task *tasks; /* owned; by task of the program */
    uint32_t count;             /* 0: the log is of a recording, or `tasks` is not initialised */
    uint32_t *operation_tasks;  /* task of each operation; their numbers go up one by one */
    uint32_t operation_count, operation_capacity;
    uint64_t first_operation;
    bool has_names; /* all launches that are listed have been seen */
};

/* Prepares `tasks` for a log whose head has been read.  Returns false with a message when memory is
 * short. */
bool summary_tasks_init(struct summary_tasks *tasks, const struct event_log_reader *log,
                        struct gfe_error *error);
/* Releases `tasks`, which may be all zeroes. */
void summary_tasks_fini(struct summary_tasks *tasks);
/* Takes a record of the model.  Returns false when memory is short. */
bool summary_tasks_take(struct summary_tasks *tasks, const struct model_record *record);
/* Writes the name of a launch, found by its grid, to `to`, and returns `to`.  A grid without a name
 * is called by its number, from 1: "K3". */
char *summary_tasks_launch(const struct summary_tasks *tasks, uint64_t grid_id, uint32_t number,
                           char to[STREAMS_NAME_BYTES]);
/* Prints the tasks as text. */
void summary_tasks_print(FILE *file, const struct summary_tasks *tasks);
/* Returns a list of objects, which the caller owns, or NULL when memory is short.  The members are
 * name, process, kernel_count, copy_count, iteration_count, release_ps, end_ps and open_count.  A
 * time is null if it did not happen.  open_count is the number of operations that have not
 * completed; while there are any, end_ps is null. */
json_t *summary_tasks_json(const struct summary_tasks *tasks);

#endif
