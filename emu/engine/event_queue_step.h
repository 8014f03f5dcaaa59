/* SPDX-License-Identifier: MIT */
/*
 * Push and pop, inline for the machine's loop, which does both for each event.  Private to the
 * queue and the machine. The header event_queue.h describes the queue, and event_queue.c the tree.
 */
#ifndef GFE_EMU_ENGINE_EVENT_QUEUE_STEP_H
#define GFE_EMU_ENGINE_EVENT_QUEUE_STEP_H

#include <assert.h>

#include "emu/engine/event_queue.h"
#include "emu/base/often.h"

/* Order at equal times, with the event's place: unit << 57 | (sequence + 1) << 16 | place.  Timers
 * have 0 instead of sequence + 1.  No two events have the same unit and sequence, so the place
 * decides only between timers. */
enum { ORDER_UNIT_SHIFT = 57, ORDER_SEQUENCE_SHIFT = 16 };
#define ORDER_PLACE(order) ((uint32_t)((order) & (EVENT_QUEUE_CAPACITY_MAX - 1)))
#define ORDER_UNIT(order)  ((uint32_t)((order) >> ORDER_UNIT_SHIFT))

/* Complements of time and order: the greater comes first. */
struct urgency {
    uint64_t time, order;
};

/* Returns true if a comes before b. */
static inline bool urgency_more(struct urgency a, struct urgency b)
{
    const unsigned __int128 x = (unsigned __int128)a.time << 64 | a.order;
    const unsigned __int128 y = (unsigned __int128)b.time << 64 | b.order;

    return x > y;
}

/* Holds a new event when all held places are taken.  The last of the held events and the new one
 * gets a place in the tree.  The arguments are complements; the order has no place yet.  This is a
 * separate call at the end, so that a push needs no stack space. */
__attribute__((noinline)) void event_queue_hold_full(struct event_queue *queue, uint64_t time,
                                                     uint64_t order, uint32_t kind,
                                                     uint64_t argument);

/* Holds a new event (complements) at its place in the order.  An empty place counts as later than
 * any event.  If no place is empty, one of the events moves to the tree. */
static inline void event_queue_hold(struct event_queue *queue, uint64_t time, uint64_t order,
                                    uint32_t kind, uint64_t argument)
{
    struct event_queue_held *held = queue->state->held;
    const struct urgency urgency = {time, order};
    uint32_t at = 0;

    if (held[EVENT_QUEUE_HELD - 1].order != 0) {
        event_queue_hold_full(queue, time, order, kind, argument);
        return;
    }
    while (urgency_more((struct urgency){held[at].time, held[at].order}, urgency))
        at++;
    if (held[at].order != 0)
        for (uint32_t i = EVENT_QUEUE_HELD - 1; i > at; i--)
            held[i] = held[i - 1];
    held[at] = (struct event_queue_held){time, order, argument, kind, 0};
}

/* Adds an event; event->sequence is ignored.  Returns false if the queue is full, or if the unit
 * has had EVENT_QUEUE_SEQUENCES_MAX events.  The run must stop then; no event is ever dropped.  The
 * time must not lie before the event being handled (asserted). */
static inline bool event_queue_push_here(struct event_queue *queue, const struct event *event)
{
    struct event_queue_state *state = queue->state;
    uint64_t order;

    assert(event->unit < state->unit_count);
    assert(event->time_ps >= state->now_ps);
    if (RARELY(state->count == state->capacity ||
               queue->next_sequence[event->unit] == EVENT_QUEUE_SEQUENCES_MAX))
        return false;
    order = (uint64_t)event->unit << ORDER_UNIT_SHIFT | ++queue->next_sequence[event->unit]
                                                            << ORDER_SEQUENCE_SHIFT;
    state->count++;
    if (state->count > state->peak_count)
        state->peak_count = state->count;
    event_queue_hold(queue, ~event->time_ps, ~order, event->kind, event->argument);
    return true;
}

/* Closes the gap that an event leaves that is held no longer. */
static inline void event_queue_held_gone(struct event_queue_state *state, uint32_t at)
{
    for (; at < EVENT_QUEUE_HELD - 1; at++) {
        state->held[at] = state->held[at + 1];
        if (state->held[at + 1].order == 0) /* the rest is empty, too */
            return;
    }
    state->held[at] = (struct event_queue_held){0};
}

/* Take the event that is held first, or the event at the root, in that place of the tree. */
static inline void event_queue_take_held(struct event_queue *queue, struct event *event)
{
    event->kind = queue->state->held[0].kind;
    event->argument = queue->state->held[0].argument;
    event_queue_held_gone(queue->state, 0);
}

static inline void event_queue_take_root(struct event_queue *queue, uint32_t place,
                                         struct event *event)
{
    event->kind = queue->places[place].kind;
    event->argument = queue->places[place].argument;
    queue->state->taken_place = place + 1;
    queue->state->capacity -= place < queue->state->timer_count;
}

/* The earliest event: its complements, 0 if there is none, and whether it is held. */
struct event_queue_first {
    struct urgency urgency;
    bool is_held;
};

/* Finds the earliest event. */
static inline struct event_queue_first event_queue_first(struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;
    struct urgency root;

    event_queue_settle(queue);
    root = (struct urgency){queue->time_urgency[state->root], queue->order_urgency[state->root]};
    if (urgency_more((struct urgency){state->held[0].time, state->held[0].order}, root))
        return (struct event_queue_first){{state->held[0].time, state->held[0].order}, true};
    return (struct event_queue_first){root, false};
}

/* Takes the earliest event, which must exist.  Does not set its sequence, because no unit reads it.
 */
static inline void event_queue_take(struct event_queue *queue, struct event_queue_first first,
                                    struct event *event)
{
    struct event_queue_state *state = queue->state;
    const uint64_t order = ~first.urgency.order;

    if (first.is_held)
        event_queue_take_held(queue, event);
    else
        event_queue_take_root(queue, ORDER_PLACE(order), event);
    event->time_ps = ~first.urgency.time;
    event->unit = ORDER_UNIT(order);
    state->count--;
    state->popped_count++;
    state->now_ps = event->time_ps;
}

#endif
