/* SPDX-License-Identifier: MIT */
/* The reader of gfe's own scenarios: scenario_own.c reads processes, streams and tasks,
 * scenario_own_call.c the calls of tasks.  Private to the two. */
#ifndef GFE_EMU_SIM_SCENARIO_OWN_H
#define GFE_EMU_SIM_SCENARIO_OWN_H

#include "devices/core/cost.h"
#include "emu/sim/scenario_private.h"
#include "traces/config/examiner_config_spot.h"

enum { OWN_NAMES_MAX = 1024, /* streams or events of a process */ OWN_ITEMS_MAX = 65536 };
#define OWN_PER_THREAD UINT32_MAX

/* Streams and events of the process that is being read, by their names. */
struct own {
    struct scenario_build *build;
    char *streams[OWN_NAMES_MAX], *events[OWN_NAMES_MAX];
    uint32_t numbers[OWN_NAMES_MAX]; /* of streams in the program; OWN_PER_THREAD: per thread */
    uint32_t stream_count, event_count;
    uint32_t first_event;                        /* its number in the program */
    uint32_t first_group, group;                 /* of tasks: of the file, of the process */
    enum scenario_default_stream default_stream; /* the kind of streams of kind null */
    uint32_t kinds;                              /* a bit for each kind of named default stream */
};

/* Returns true if there is such a member. */
bool own_has(const struct spot *object, const char *key);
/* Reads a number of at most `highest` that may be missing. */
bool own_may_number(const struct spot *object, const char *key, uint32_t highest, const char *what,
                    uint32_t *value);
/* Finds the text among `words`, which NULL ends; `what` names them all in the message. */
bool own_word(const struct spot *spot, const char *const *words, const char *what, uint32_t *index);
/* Finds the text among the process's names of streams. */
bool own_find_stream(const struct own *own, const struct spot *spot, uint32_t *name);
/* Finds the stream of that name for the task that was added last. */
bool own_stream_of(struct own *own, uint32_t name, uint32_t *stream);
/* Adds a call to the task that was added last.  It goes to the stream of that name unless the call
 * names another. */
bool own_call(struct own *own, const struct spot *spot, uint32_t name);

#endif
