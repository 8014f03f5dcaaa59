/* SPDX-License-Identifier: MIT */
/*
 * What a summary says of a scenario's tasks: how many kernels, copies and iterations each has, and
 * the names of the first launches.  Private to summary*.c.  Of a recording there are none.
 */
#ifndef GFE_EMU_SUMMARY_TASKS_H
#define GFE_EMU_SUMMARY_TASKS_H

#include <jansson.h>
#include <stdio.h>

#include "emu/streams.h"

struct summary_task {
    uint64_t kernel_count, copy_count, iteration_count;
    gfe_ps release_ps, end_ps; /* of its first and last iteration; GFE_PS_NEVER: none so far */
};

struct summary_tasks {
    struct streams streams; /* operations only as long as launches have to be named */
    struct event_fields fields;
    struct summary_task *tasks; /* owned; of the program's */
    uint32_t count;             /* 0: of a recording, or not initialised */
    bool has_names;             /* all launches that are listed have been seen */
};

/* The log's head has been read.  False with a message: memory is short. */
bool summary_tasks_init(struct summary_tasks *tasks, const struct event_log_reader *log,
                        struct gfe_error *error);
/* Also of one that is all zeroes. */
void summary_tasks_fini(struct summary_tasks *tasks);
/* Takes an event; false: memory is short. */
bool summary_tasks_take(struct summary_tasks *tasks, const struct log_event *event);
/* The name of a launch, by its grid; "K3" by its number, from 1, where it has none. */
char *summary_tasks_launch(const struct summary_tasks *tasks, uint64_t grid_id, uint32_t number,
                           char to[STREAMS_NAME_BYTES]);
void summary_tasks_print(FILE *file, const struct summary_tasks *tasks);
/* A list of objects: name, process, kernel_count, copy_count, iteration_count, release_ps and
 * end_ps (null: did not happen).  NULL: memory is short. */
json_t *summary_tasks_json(const struct summary_tasks *tasks);

#endif
