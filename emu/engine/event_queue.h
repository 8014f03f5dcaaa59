/* SPDX-License-Identifier: MIT */
/*
 * The queue of future events, bounded, in the arena.  Equal times are ordered by the unit's rank
 * (its number), then by the unit's own sequence, never by a global counter, so that the order does
 * not depend on how the program happened to run.
 *
 * It is a tournament: each event has a place (a leaf of a tree in which four nodes have one
 * parent), and each node repeats the most urgent of the events below it, so the root has the
 * earliest.  A change of one place plays the games on the way to the root again, without a branch
 * that depends on the outcome: a push costs the same whatever is in the queue, and grows with the
 * logarithm of the places in use.  The place of the event that was taken last is left as it is
 * until the next call: nearly every event schedules another, which takes over its place, and the
 * way is gone once and not twice.  And some events are held outside the tree, the earliest of them
 * and each new one: a unit's step that comes next of all, as most do, never goes into the tree, nor
 * do those that come soon behind it.
 *
 * A timer is a place of its own that its unit may set, set again and stop as often as it likes, for
 * one way to the root each: nothing of an earlier setting is left behind.  At equal times a unit's
 * timers come before its other events, in the order in which they were added, whenever they were
 * set: so a unit whose work was stopped for a while goes on in the same order.
 */
#ifndef GFE_EMU_EVENT_QUEUE_H
#define GFE_EMU_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/clock.h"

enum {
    EVENT_QUEUE_CAPACITY_MAX = 1 << 16,
    EVENT_QUEUE_UNITS_MAX = 128,
    EVENT_QUEUE_HELD = 3, /* events outside the tree */
};
/* Of one unit, in the life of a machine. */
#define EVENT_QUEUE_SEQUENCES_MAX ((UINT64_C(1) << 41) - 1)

struct event {
    gfe_ps time_ps;
    uint32_t unit;     /* number and rank of the unit that receives it */
    uint32_t kind;     /* the unit's own */
    uint64_t sequence; /* of that unit, in the order of pushes; event_queue_pop() tells it; of no
                        * meaning for a timer, and in a unit's hands */
    uint64_t argument; /* the unit's own */
};

GFE_STATE_BEGIN
/* Complements of time and order; order 0 = none. */
struct event_queue_held {
    uint64_t time, order, argument;
    uint32_t kind, reserved;
};

struct event_queue_state {
    uint32_t count;
    uint32_t capacity; /* without the timers that are not set */
    uint32_t unit_count;
    uint32_t peak_count;
    gfe_ps now_ps;
    uint64_t popped_count;
    uint32_t leaf_count;  /* the first place's node; a power of four */
    uint32_t root;        /* the node above all places that were ever used */
    uint32_t used_places; /* places that were ever used: the first ones */
    uint32_t free_place;  /* 1 + a free one of these, 0 = none; each knows the next */
    uint32_t taken_place; /* 1 + that of the event taken last, if it still takes part; else 0 */
    uint32_t timer_count; /* the first places are theirs */
    uint32_t reserved[2];
    struct event_queue_held held[EVENT_QUEUE_HELD]; /* not in the tree; in their order */
};

/* What takes no part in the games. */
struct event_queue_place {
    uint64_t argument;
    uint32_t kind;
    uint32_t next_free; /* 1 + place, 0 = the last; 0 while the place is in use */
};
GFE_STATE_END

struct event_queue {
    struct event_queue_state *state; /* in the arena, as all that follows */
    /* By node: the complements of time and order (see event_queue.c), so that the more urgent is
     * the greater, and 0 is nothing.  The children of node n are 4n to 4n + 3. */
    uint64_t *time_urgency, *order_urgency;
    struct event_queue_place *places;
    uint64_t *next_sequence; /* one per unit */
};

/* Places for `capacity` events in flight, of units 0 to unit_count - 1, in the arena. */
void event_queue_init(struct event_queue *queue, struct arena *arena, uint32_t capacity,
                      uint32_t unit_count);
/* Takes an event of that unit and kind out before its time, of which there must not be two; false
 * when there is none.  Looks at every event: for the few that mostly do not come true, such as
 * timeouts. */
bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind);
/* Adds a timer, which takes one of the queue's places; before the first event.  Returns its number,
 * from 0. */
uint32_t event_queue_add_timer(struct event_queue *queue);
/* Sets a timer, or sets it anew: event->unit receives the event at event->time_ps, with that kind
 * and argument.  The time must not lie before the event being handled (asserted).  A timer that has
 * come is stopped. */
void event_queue_set_timer(struct event_queue *queue, uint32_t timer, const struct event *event);
void event_queue_stop_timer(struct event_queue *queue, uint32_t timer);
/* event_queue_settle() when there is something to do. */
void event_queue_free_taken(struct event_queue *queue);
/* Says that the event taken last has been handled, so that its place is free if nothing took it
 * over.  The next push, pop or cancel would find that out too; done at once, it makes
 * event_queue_next_ps() a look at the root. */
static inline void event_queue_settle(struct event_queue *queue)
{
    if (queue->state->taken_place != 0)
        event_queue_free_taken(queue);
}
/* event_queue_next_ps() while the place of the event taken last is still there. */
gfe_ps event_queue_next_unsettled_ps(const struct event_queue *queue);
/* Time of the earliest event, GFE_PS_NEVER (the complement of nothing) when there is none. */
static inline gfe_ps event_queue_next_ps(const struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;
    const uint64_t root = queue->time_urgency[state->root];

    if (state->taken_place != 0)
        return event_queue_next_unsettled_ps(queue);
    return ~(root > state->held[0].time ? root : state->held[0].time);
}
/* True when it is known, by no more than a look, that no other event is due now.  False says
 * nothing: while the event taken last has its place still, finding out would take a way to the
 * root. */
static inline bool event_queue_none_now(const struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;

    return state->taken_place == 0 && ~queue->time_urgency[state->root] > state->now_ps &&
           ~state->held[0].time > state->now_ps;
}
static inline gfe_ps event_queue_now_ps(const struct event_queue *queue)
{
    return queue->state->now_ps;
}

#endif
