/* SPDX-License-Identifier: MIT */
/* Members of events for helpers of tests that serve several kinds (emu/log/event_struct.h). */
#ifndef GFE_TESTS_EVENT_MEMBER_H
#define GFE_TESTS_EVENT_MEMBER_H

#include <stddef.h>

#include "emu/log/event_struct.h"

/* The place of a member among the arguments of its event: EVENT_PLACE(grid_end, queued_ps) is 2. */
#define EVENT_PLACE(name, member) (offsetof(struct event_##name, member) / sizeof(uint64_t))

/* Returns the argument at that place, for a kind that the caller knows as a number only. */
static inline uint64_t event_argument(const struct log_event *event, size_t place)
{
    return event->argument[place];
}

/* Returns the first argument.  In events of grids, blocks, copies and works it is the id of the
 * grid, copy or work; in events of CUDA tasks it is the id of the task. */
static inline uint64_t event_first(const struct log_event *event)
{
    return event_argument(event, 0);
}

#endif
