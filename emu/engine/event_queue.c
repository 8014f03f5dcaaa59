/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/event_queue.h"

#include <assert.h>
#include <string.h>

#include "emu/engine/event_queue_step.h"

void event_queue_init(struct event_queue *queue, struct arena *arena, uint32_t capacity,
                      uint32_t unit_count)
{
    size_t leaf_count = 1;

    assert(capacity <= EVENT_QUEUE_CAPACITY_MAX && unit_count <= EVENT_QUEUE_UNITS_MAX);
    while (leaf_count < capacity)
        leaf_count *= 4;
    queue->state = arena_alloc(arena, sizeof *queue->state);
    queue->time_urgency = arena_alloc(arena, 2 * leaf_count * sizeof *queue->time_urgency);
    queue->order_urgency = arena_alloc(arena, 2 * leaf_count * sizeof *queue->order_urgency);
    queue->places = arena_alloc(arena, leaf_count * sizeof *queue->places);
    queue->next_sequence = arena_alloc(arena, unit_count * sizeof *queue->next_sequence);
    *queue->state = (struct event_queue_state){.capacity = capacity,
                                               .unit_count = unit_count,
                                               .leaf_count = (uint32_t)leaf_count,
                                               .root = (uint32_t)leaf_count};
}

static inline struct urgency urgency_max(struct urgency a, struct urgency b)
{
    const bool takes_b = urgency_more(b, a);

    return (struct urgency){takes_b ? b.time : a.time, takes_b ? b.order : a.order};
}

/* The winner among `urgency` at a node and what its three siblings have.  Times and orders lie in
 * arrays of their own so that compilers keep them in general registers, which compare 128 bits
 * faster. */
static inline struct urgency event_queue_game(const struct event_queue *queue, uint32_t node,
                                              struct urgency urgency)
{
    const uint64_t *times = queue->time_urgency, *orders = queue->order_urgency;
    const struct urgency a = {times[node ^ 1], orders[node ^ 1]};
    const struct urgency b = {times[node ^ 2], orders[node ^ 2]};
    const struct urgency c = {times[node ^ 3], orders[node ^ 3]};
    const struct urgency most = urgency_max(a, urgency_max(b, c));
    const uint64_t keeps = -(uint64_t)urgency_more(urgency, most);

    /* Without a branch, of which compilers are fond here: who wins cannot be foretold. */
    return (struct urgency){most.time ^ ((most.time ^ urgency.time) & keeps),
                            most.order ^ ((most.order ^ urgency.order) & keeps)};
}

/* Puts an urgency at a place and plays its games up to the root. */
static OFTEN void event_queue_play(struct event_queue *queue, uint32_t place, uint64_t time,
                                   uint64_t order)
{
    const uint32_t root = queue->state->root;
    struct urgency urgency = {time, order};
    uint32_t node = queue->state->leaf_count + place;

    queue->time_urgency[node] = time;
    queue->order_urgency[node] = order;
    while (node != root) {
        urgency = event_queue_game(queue, node, urgency);
        node /= 4;
        queue->time_urgency[node] = urgency.time;
        queue->order_urgency[node] = urgency.order;
    }
}

/* A freed place keeps nothing but the next free one. */
static void event_queue_free(struct event_queue *queue, uint32_t place)
{
    event_queue_play(queue, place, 0, 0);
    queue->places[place] = (struct event_queue_place){.next_free = queue->state->free_place};
    queue->state->free_place = place + 1;
}

/* A timer's place stays its own and holds nothing. */
static void event_queue_clear_timer(struct event_queue *queue, uint32_t timer)
{
    event_queue_play(queue, timer, 0, 0);
    queue->places[timer] = (struct event_queue_place){0};
}

void event_queue_free_taken(struct event_queue *queue)
{
    const uint32_t place = queue->state->taken_place - 1;

    queue->state->taken_place = 0;
    if (place < queue->state->timer_count)
        event_queue_clear_timer(queue, place);
    else
        event_queue_free(queue, place);
}

/* A place that was never used; there is one. */
static uint32_t event_queue_new_place(struct event_queue *queue)
{
    struct event_queue_state *state = queue->state;
    const uint32_t place = state->used_places++;

    while (state->leaf_count / state->root <= place) {
        /* The root moves up: what it had is all there is below its parent. */
        const uint32_t below = state->root;

        state->root /= 4;
        queue->time_urgency[state->root] = queue->time_urgency[below];
        queue->order_urgency[state->root] = queue->order_urgency[below];
    }
    return place;
}

/* The place just freed, one freed before, or one never used; there is one. */
static uint32_t event_queue_place(struct event_queue *queue)
{
    struct event_queue_state *state = queue->state;
    uint32_t place;

    if (state->taken_place > state->timer_count) {
        place = state->taken_place - 1;
        state->taken_place = 0;
    } else if (state->free_place != 0) {
        place = state->free_place - 1;
        state->free_place = queue->places[place].next_free;
    } else {
        place = event_queue_new_place(queue);
    }
    return place;
}

/* Gives an event that is not held a place in the tree. */
static void event_queue_settle_in(struct event_queue *queue, uint64_t time, uint64_t order,
                                  uint32_t kind, uint64_t argument)
{
    const uint32_t place = event_queue_place(queue);

    queue->places[place].argument = argument;
    queue->places[place].kind = kind;
    queue->places[place].next_free = 0;
    event_queue_play(queue, place, time, order ^ place);
}

void event_queue_hold_full(struct event_queue *queue, uint64_t time, uint64_t order, uint32_t kind,
                           uint64_t argument)
{
    struct event_queue_held *held = queue->state->held;
    const struct urgency urgency = {time, order};
    const struct event_queue_held last = held[EVENT_QUEUE_HELD - 1];
    uint32_t at = EVENT_QUEUE_HELD - 1;

    if (!urgency_more(urgency, (struct urgency){last.time, last.order})) {
        event_queue_settle_in(queue, time, order, kind, argument);
        return;
    }
    for (; at > 0 && urgency_more(urgency, (struct urgency){held[at - 1].time, held[at - 1].order});
         at--)
        held[at] = held[at - 1];
    held[at] = (struct event_queue_held){time, order, argument, kind, 0};
    event_queue_settle_in(queue, last.time, last.order, last.kind, last.argument);
}

bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind)
{
    struct event_queue_state *state = queue->state;
    const uint64_t *orders = &queue->order_urgency[state->leaf_count];

    event_queue_settle(queue);
    for (uint32_t i = 0; i < EVENT_QUEUE_HELD; i++)
        if (state->held[i].order != 0 && ORDER_UNIT(~state->held[i].order) == unit &&
            state->held[i].kind == kind) {
            event_queue_held_gone(state, i);
            state->count--;
            return true;
        }
    for (uint32_t place = state->timer_count; place < state->used_places; place++)
        if (orders[place] != 0 && ORDER_UNIT(~orders[place]) == unit &&
            queue->places[place].kind == kind) {
            event_queue_free(queue, place);
            state->count--;
            return true;
        }
    return false;
}

/* ---- timers ---------------------------------------------------------------------------------- */

uint32_t event_queue_add_timer(struct event_queue *queue)
{
    struct event_queue_state *state = queue->state;

    assert(state->used_places == state->timer_count && state->capacity > 1);
    state->capacity--;
    state->timer_count++;
    return event_queue_new_place(queue);
}

/* True while it is set; an event that has been taken leaves its place later. */
static bool event_queue_timer_set(const struct event_queue *queue, uint32_t timer)
{
    return queue->order_urgency[queue->state->leaf_count + timer] != 0 &&
           queue->state->taken_place != timer + 1;
}

void event_queue_set_timer(struct event_queue *queue, uint32_t timer, const struct event *event)
{
    struct event_queue_state *state = queue->state;
    const uint64_t order = (uint64_t)event->unit << ORDER_UNIT_SHIFT | timer;

    assert(timer < state->timer_count && event->unit < state->unit_count);
    assert(event->time_ps >= state->now_ps);
    if (!event_queue_timer_set(queue, timer)) {
        state->capacity++;
        state->count++;
        if (state->count > state->peak_count)
            state->peak_count = state->count;
    }
    if (state->taken_place == timer + 1)
        state->taken_place = 0;
    queue->places[timer].kind = event->kind;
    queue->places[timer].argument = event->argument;
    event_queue_play(queue, timer, ~event->time_ps, ~order);
}

void event_queue_stop_timer(struct event_queue *queue, uint32_t timer)
{
    assert(timer < queue->state->timer_count);
    if (!event_queue_timer_set(queue, timer))
        return;
    queue->state->capacity--;
    queue->state->count--;
    event_queue_clear_timer(queue, timer);
}

gfe_ps event_queue_next_unsettled_ps(const struct event_queue *queue)
{
    const struct event_queue_state *state = queue->state;
    struct urgency urgency = {0, 0};
    uint32_t node;

    assert(state->taken_place != 0);
    for (node = state->leaf_count + state->taken_place - 1; node != state->root; node /= 4)
        urgency = event_queue_game(queue, node, urgency);
    return ~(urgency.time > state->held[0].time ? urgency.time : state->held[0].time);
}
