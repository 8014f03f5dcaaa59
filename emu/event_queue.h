/* SPDX-License-Identifier: MIT */
/*
 * The queue of future events: a bounded binary heap in the arena.  Equal times are ordered by the
 * unit's rank (its number), then by the unit's own sequence, never by a global counter, so that the
 * order does not depend on how the program happened to run.  A push and a pop cost O(log n) with n
 * the events in flight, which is a few per unit whatever the number of idle channels.
 */
#ifndef GFE_EMU_EVENT_QUEUE_H
#define GFE_EMU_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/arena.h"
#include "emu/clock.h"

GFE_STATE_BEGIN
struct event {
    gfe_ps time_ps;
    uint32_t unit;     /* number and rank of the unit that receives it */
    uint32_t kind;     /* the unit's own */
    uint64_t sequence; /* of that unit; set by event_queue_push() */
    uint64_t argument; /* the unit's own */
};

struct event_queue_state {
    uint32_t count;
    uint32_t capacity;
    uint32_t unit_count;
    uint32_t peak_count;
    gfe_ps now_ps;
    uint64_t popped_count;
};
GFE_STATE_END

struct event_queue {
    struct event_queue_state *state; /* in the arena */
    struct event *heap;              /* in the arena, capacity entries */
    uint64_t *next_sequence;         /* in the arena, one per unit */
};

/* Places for `capacity` events in flight, of units 0 to unit_count - 1, in the arena. */
void event_queue_init(struct event_queue *queue, struct arena *arena, uint32_t capacity,
                      uint32_t unit_count);
/* False when the queue is full: the run must stop, no event is ever dropped.  The time must not lie
 * before the event being handled (asserted: units never look back). */
bool event_queue_push(struct event_queue *queue, struct event event);
/* Takes the earliest event and moves `now` to its time; false when there is none. */
bool event_queue_pop(struct event_queue *queue, struct event *event);
/* Takes an event of that unit and kind out before its time, of which there must not be two; false
 * when there is none.  Looks at every event: for the few that mostly do not come true, such as
 * timeouts. */
bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind);
/* Time of the earliest event, GFE_PS_NEVER when there is none. */
gfe_ps event_queue_next_ps(const struct event_queue *queue);
gfe_ps event_queue_now_ps(const struct event_queue *queue);

#endif
