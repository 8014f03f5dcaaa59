/* SPDX-License-Identifier: MIT */
/*
 * The bounded queue of future events, in the arena.
 *
 * Events of equal times are ordered by the unit's rank (its number), then by the unit's own
 * sequence.  There is no global counter, so the order does not depend on how the program happened
 * to run.
 *
 * The queue is a tournament.  Each event has a place, a leaf of a tree in which four nodes share a
 * parent.  Each node repeats the most urgent of the events below it, so the root has the earliest
 * event.  A change of one place replays the games on the way to the root, without a branch that
 * depends on the outcome.  The cost of a push grows with the logarithm of the places in use, and
 * does not depend on what is queued.
 *
 * The place of the event taken last is left unchanged until the next call.  Nearly every event
 * schedules another event, which takes over the place, so the way to the root is walked once
 * instead of twice.  Some events are held outside the tree: the earliest of them, and each new one.
 * Most steps of a unit come next of all, or soon after that; such a step never enters the tree.
 *
 * A timer has a place of its own.  Its unit may set, reset and stop it as often as needed, each
 * time at the cost of one way to the root; an earlier setting leaves nothing.  At equal times a
 * unit's timers come before its other events, in the order in which they were added, no matter when
 * they were set.  So a unit whose work was stopped for a while continues in the same order.
 */
#ifndef GFE_EMU_ENGINE_EVENT_QUEUE_H
#define GFE_EMU_ENGINE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/clock.h"

enum {
    EVENT_QUEUE_CAPACITY_MAX = 1 << 16,
    EVENT_QUEUE_UNITS_MAX = 128,
    EVENT_QUEUE_HELD = 3, /* events outside the tree */
};
/* Limit for one unit in the life of a machine. */
#define EVENT_QUEUE_SEQUENCES_MAX ((UINT64_C(1) << 41) - 1)

struct event {
    gfe_ps time_ps;
    uint32_t unit; /* number and rank of the unit that receives it */
    uint32_t kind; /* the unit's own */
    /* of that unit, in the order of pushes; undefined for a timer, and in events that a unit
     * receives */
    uint64_t sequence;
    uint64_t argument; /* the unit's own */
};

GFE_STATE_BEGIN
/* Complements of time and order; order 0 means that there is no event. */
struct event_queue_held {
    uint64_t time, order, argument;
    uint32_t kind, reserved;
};

struct event_queue_state {
    uint32_t count;
    uint32_t capacity; /* excluding the timers that are not set */
    uint32_t unit_count;
    uint32_t peak_count;
    gfe_ps now_ps;
    uint64_t popped_count;
    uint32_t leaf_count;  /* node of the first place; a power of four */
    uint32_t root;        /* the node above all places that were ever used */
    uint32_t used_places; /* number of places that were ever used: the first ones */
    /* 1 + a free place of these, which links to the next; 0 if there is none */
    uint32_t free_place;
    uint32_t taken_place; /* 1 + place of the event taken last while it is in the tree; else 0 */
    uint32_t timer_count; /* timers have the first places */
    uint32_t reserved[2];
    struct event_queue_held held[EVENT_QUEUE_HELD]; /* not in the tree; in their order */
};

/* The part of an event that does not take part in the games. */
struct event_queue_place {
    uint64_t argument;
    uint32_t kind;
    uint32_t next_free; /* 1 + place; 0 for the last, and while the place is in use */
};
GFE_STATE_END

struct event_queue {
    struct event_queue_state *state; /* in the arena, like all that follows */
    /* By node: the complements of time and order (see event_queue.c).  So the more urgent is the
     * greater, and 0 means that there is no event.  The children of node n are 4n to 4n + 3. */
    uint64_t *time_urgency, *order_urgency;
    struct event_queue_place *places;
    uint64_t *next_sequence; /* one for each unit */
};

/* Allocates places in the arena for `capacity` events in flight, of units 0 to unit_count - 1. */
void event_queue_init(struct event_queue *queue, struct arena *arena, uint32_t capacity,
                      uint32_t unit_count);
/* Removes an event of that unit and kind before its time; there must be at most one.  Returns false
 * if there is none.  Examines every event, so it is for events that are rarely cancelled, such as
 * timeouts. */
bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind);
/* Adds a timer, which takes one of the queue's places.  Call it before the first event.  Returns
 * the timer's number, counted from 0. */
uint32_t event_queue_add_timer(struct event_queue *queue);
/* Sets or resets a timer: event->unit receives the event at event->time_ps, with that kind and
 * argument.  The time must not lie before the event being handled (asserted).  A timer stops when
 * its event comes. */
void event_queue_set_timer(struct event_queue *queue, uint32_t timer, const struct event *event);
/* Stops a timer, if it is set. */
void event_queue_stop_timer(struct event_queue *queue, uint32_t timer);
/* Does the work of event_queue_settle() when there is any. */
void event_queue_free_taken(struct event_queue *queue);
/* Marks the event taken last as handled, so that its place is free if no event took it over.  The
 * next push, pop or cancel would do the same.  Done at once, it lets event_queue_next_ps() read
 * only the root. */
static inline void event_queue_settle(struct event_queue *queue)
{
    if (queue->state->taken_place != 0)
        event_queue_free_taken(queue);
}
/* Does the work of event_queue_next_ps() while the event taken last still has its place. */
gfe_ps event_queue_next_unsettled_ps(const struct event_queue *queue);
/* Returns the time of the earliest event, or `GFE_PS_NEVER` (the complement of 0) if there is none.
 */
static inline gfe_ps event_queue_next_ps(const struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;
    const uint64_t root = queue->time_urgency[state->root];

    if (state->taken_place != 0)
        return event_queue_next_unsettled_ps(queue);
    return ~(root > state->held[0].time ? root : state->held[0].time);
}
/* Returns true only if no other event is due now.  This is a cheap hint: false means unknown,
 * because an event taken last that still has its place would require a way to the root. */
static inline bool event_queue_none_now(const struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;

    return state->taken_place == 0 && ~queue->time_urgency[state->root] > state->now_ps &&
           ~state->held[0].time > state->now_ps;
}
/* Returns the time of the event being handled. */
static inline gfe_ps event_queue_now_ps(const struct event_queue *queue)
{
    return queue->state->now_ps;
}

#endif
