/* SPDX-License-Identifier: MIT */
/*
 * Push and pop, for the machine's loop to have them inline: two of them go with each event.
 * Private to the queue and the machine; event_queue.h says what they do, event_queue.c how the
 * tree behind them works.
 */
#ifndef GFE_EMU_EVENT_QUEUE_STEP_H
#define GFE_EMU_EVENT_QUEUE_STEP_H

#include <assert.h>

#include "emu/event_queue.h"

/* The order at equal times, and where the event is: unit << 57 | (sequence + 1) << 16 | place.
 * Timers have 0 in place of sequence + 1.  No two events have the same unit and sequence, so the
 * place decides only between timers. */
enum { ORDER_UNIT_SHIFT = 57, ORDER_SEQUENCE_SHIFT = 16 };
#define ORDER_PLACE(order) ((uint32_t)((order) & (EVENT_QUEUE_CAPACITY_MAX - 1)))
#define ORDER_UNIT(order)  ((uint32_t)((order) >> ORDER_UNIT_SHIFT))

/* Complements: the greater comes first. */
struct urgency {
    uint64_t time, order;
};

static inline bool urgency_more(struct urgency a, struct urgency b)
{
    const unsigned __int128 x = (unsigned __int128)a.time << 64 | a.order;
    const unsigned __int128 y = (unsigned __int128)b.time << 64 | b.order;

    return x > y;
}

/* Gives an event a place in the tree.  The order is a complement, and its place is not known yet.
 * Apart, so that a push needs no room on the stack when the event is only held. */
void event_queue_settle_in(struct event_queue *queue, struct urgency urgency, uint32_t kind,
                           uint64_t argument);

/* The earlier of the event held and a new one is held, the other goes into the tree. */
static inline void event_queue_hold(struct event_queue *queue, struct urgency urgency,
                                    uint32_t kind, uint64_t argument)
{
    struct event_queue_state *state = queue->state;
    const struct urgency held = {state->held_time, state->held_order};

    if (held.order != 0 && !urgency_more(urgency, held)) {
        event_queue_settle_in(queue, urgency, kind, argument);
        return;
    }
    if (held.order != 0)
        event_queue_settle_in(queue, held, state->held_kind, state->held_argument);
    state->held_time = urgency.time;
    state->held_order = urgency.order;
    state->held_kind = kind;
    state->held_argument = argument;
}

static inline bool event_queue_push_here(struct event_queue *queue, const struct event *event)
{
    struct event_queue_state *state = queue->state;
    uint64_t order;

    assert(event->unit < state->unit_count);
    assert(event->time_ps >= state->now_ps);
    if (state->count == state->capacity ||
        queue->next_sequence[event->unit] == EVENT_QUEUE_SEQUENCES_MAX)
        return false;
    order = (uint64_t)event->unit << ORDER_UNIT_SHIFT | ++queue->next_sequence[event->unit]
                                                            << ORDER_SEQUENCE_SHIFT;
    event_queue_hold(queue, (struct urgency){~event->time_ps, ~order}, event->kind,
                     event->argument);
    state->count++;
    if (state->count > state->peak_count)
        state->peak_count = state->count;
    return true;
}

static inline void event_queue_take_held(struct event_queue *queue, struct event *event)
{
    struct event_queue_state *state = queue->state;

    event->kind = state->held_kind;
    event->argument = state->held_argument;
    state->held_time = state->held_order = state->held_argument = 0;
    state->held_kind = 0;
}

static inline void event_queue_take_root(struct event_queue *queue, uint32_t place,
                                         struct event *event)
{
    event->kind = queue->places[place].kind;
    event->argument = queue->places[place].argument;
    queue->state->taken_place = place + 1;
    queue->state->capacity -= place < queue->state->timer_count;
}

/* The earliest event: its complements, 0 when there is none; and is it the one held? */
struct event_queue_first {
    struct urgency urgency;
    bool is_held;
};

static inline struct event_queue_first event_queue_first(struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;
    struct event_queue_first first;

    event_queue_settle(queue);
    first.urgency =
        (struct urgency){queue->time_urgency[state->root], queue->order_urgency[state->root]};
    first.is_held =
        urgency_more((struct urgency){state->held_time, state->held_order}, first.urgency);
    if (first.is_held)
        first.urgency = (struct urgency){state->held_time, state->held_order};
    return first;
}

/* Takes it; there is one. */
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
    event->sequence = (order >> ORDER_SEQUENCE_SHIFT & EVENT_QUEUE_SEQUENCES_MAX) - 1;
    state->count--;
    state->popped_count++;
    state->now_ps = event->time_ps;
}

#endif
