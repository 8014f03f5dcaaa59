/* SPDX-License-Identifier: MIT */
/* gfe's own scenarios while they are read: scenario_own.c has processes, streams and tasks,
 * scenario_own_call.c the calls of tasks.  Private to the two. */
#ifndef GFE_DEVICES_SCENARIO_OWN_H
#define GFE_DEVICES_SCENARIO_OWN_H

#include "devices/core/cost.h"
#include "emu/sim/scenario_private.h"
#include "traces/config/examiner_config_spot.h"

enum { OWN_NAMES_MAX = 1024, /* streams or events of a process */ OWN_ITEMS_MAX = 65536 };
#define OWN_PER_THREAD UINT32_MAX

/* Streams and events of the process that is being read, by their names. */
struct own {
    struct scenario_build *build;
    char *streams[OWN_NAMES_MAX], *events[OWN_NAMES_MAX];
    uint32_t numbers[OWN_NAMES_MAX]; /* of streams in the program; OWN_PER_THREAD: the thread's */
    uint32_t stream_count, event_count;
    uint32_t first_event;                        /* its number in the program */
    enum scenario_default_stream default_stream; /* what streams of the kind null are */
    uint32_t kinds;                              /* bit per kind of default stream with a name */
};

/* Is there such a member? */
bool own_has(const struct spot *object, const char *key);
/* A number of at most `highest` that may be missing. */
bool own_may_number(const struct spot *object, const char *key, uint32_t highest, const char *what,
                    uint32_t *value);
/* Which of `words` (ends in NULL) the text is; `what` names them all. */
bool own_word(const struct spot *spot, const char *const *words, const char *what, uint32_t *index);
/* Which of the process's names of streams the text is. */
bool own_find_stream(const struct own *own, const struct spot *spot, uint32_t *name);
/* The stream of that name, for the task that was added last. */
bool own_stream_of(struct own *own, uint32_t name, uint32_t *stream);
/* Adds a call to the task that was added last; in the stream of that name unless it says another.
 */
bool own_call(struct own *own, const struct spot *spot, uint32_t name);

#endif
