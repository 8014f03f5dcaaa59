/* SPDX-License-Identifier: MIT */
/* gfe's own scenarios while they are read: scenario_own.c has processes, streams and tasks,
 * scenario_own_call.c the calls of tasks.  Private to the two. */
#ifndef GFE_DEVICES_SCENARIO_OWN_H
#define GFE_DEVICES_SCENARIO_OWN_H

#include "devices/core/cost.h"
#include "devices/scenario_build.h"
#include "traces/examiner_config_private.h"

enum { OWN_NAMES_MAX = 1024, /* streams or events of a process */ OWN_ITEMS_MAX = 65536 };

/* Streams and events of the process that is being read, by their names. */
struct own {
    struct scenario_build *build;
    char *streams[OWN_NAMES_MAX], *events[OWN_NAMES_MAX];
    uint32_t stream_count, event_count;
    uint32_t first_stream, first_event; /* their numbers in the program */
};

/* Is there such a member? */
bool own_has(const struct spot *object, const char *key);
/* A number of at most `highest` that may be missing. */
bool own_may_number(const struct spot *object, const char *key, uint32_t highest, const char *what,
                    uint32_t *value);
/* Which of `words` (ends in NULL) the text is; `what` names them all. */
bool own_word(const struct spot *spot, const char *const *words, const char *what, uint32_t *index);
/* The stream of the process that the text names. */
bool own_find_stream(const struct own *own, const struct spot *spot, uint32_t *stream);
/* Adds a call to the task that was added last; `stream` unless it names another. */
bool own_call(struct own *own, const struct spot *spot, uint32_t stream);

#endif
