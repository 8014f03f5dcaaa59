/* SPDX-License-Identifier: MIT */
/*
 * What a summary says of a scenario's tasks: how many kernels, copies and iterations each has, from
 * when to when, and the names of the first launches.  Private to summary*.c.  Of a recording there
 * are none.
 *
 * Calls return before the GPU has done what they ask for, so a task ends with its last iteration or
 * with its last operation, whichever is later.  Memory is 4 bytes for each operation of the log.
 */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_TASKS_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_TASKS_H

#include <jansson.h>
#include <stdio.h>

#include "emu/analysis/streams.h"

struct summary_task {
    uint64_t kernel_count, copy_count, iteration_count;
    uint64_t open_count; /* operations that have not completed */
    gfe_ps release_ps;   /* of its first iteration; GFE_PS_NEVER: none so far */
    gfe_ps end_ps;       /* of its last iteration or operation; GFE_PS_NEVER: no iteration ended */
};

struct summary_tasks {
    struct streams streams;     /* operations only as long as launches have to be named */
    struct summary_task *tasks; /* owned; of the program's */
    uint32_t count;             /* 0: of a recording, or not initialised */
    uint32_t *operation_tasks;  /* of the operations, whose numbers go up one by one */
    uint32_t operation_count, operation_capacity;
    uint64_t first_operation;
    bool has_names; /* all launches that are listed have been seen */
};

/* The log's head has been read.  False with a message: memory is short. */
bool summary_tasks_init(struct summary_tasks *tasks, const struct event_log_reader *log,
                        struct gfe_error *error);
/* Also of one that is all zeroes. */
void summary_tasks_fini(struct summary_tasks *tasks);
/* Takes a record of the model.  Returns false when memory is short. */
bool summary_tasks_take(struct summary_tasks *tasks, const struct model_record *record);
/* The name of a launch, by its grid; "K3" by its number, from 1, where it has none. */
char *summary_tasks_launch(const struct summary_tasks *tasks, uint64_t grid_id, uint32_t number,
                           char to[STREAMS_NAME_BYTES]);
void summary_tasks_print(FILE *file, const struct summary_tasks *tasks);
/* A list of objects: name, process, kernel_count, copy_count, iteration_count, release_ps, end_ps
 * (null: did not happen) and open_count (operations that have not completed; null end_ps while
 * there are any).  NULL: memory is short. */
json_t *summary_tasks_json(const struct summary_tasks *tasks);

#endif
