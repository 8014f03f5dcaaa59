/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/event_queue.h"

#include <assert.h>
#include <string.h>

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

static inline bool urgency_more(struct urgency a, struct urgency b)
{
    const unsigned __int128 x = (unsigned __int128)a.time << 64 | a.order;
    const unsigned __int128 y = (unsigned __int128)b.time << 64 | b.order;

    return x > y;
}

/* Without a branch: which of the two it is cannot be foretold. */
static inline struct urgency urgency_max(struct urgency a, struct urgency b)
{
    const uint64_t take_b = -(uint64_t)urgency_more(b, a);

    a.time ^= (a.time ^ b.time) & take_b;
    a.order ^= (a.order ^ b.order) & take_b;
    return a;
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

    return urgency_max(urgency, urgency_max(a, urgency_max(b, c)));
}

/* Puts an urgency at a place and plays its games up to the root. */
static void event_queue_play(struct event_queue *queue, uint32_t place, uint64_t time,
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

/* Gives an event a place in the tree.  `order` is a complement, and its place is not known yet.
 * Apart, so that event_queue_push() needs no room on the stack when the event is only held. */
static __attribute__((noinline)) void event_queue_settle_in(struct event_queue *queue,
                                                            struct urgency urgency, uint32_t kind,
                                                            uint64_t argument)
{
    const uint32_t place = event_queue_place(queue);

    queue->places[place].argument = argument;
    queue->places[place].kind = kind;
    queue->places[place].next_free = 0;
    event_queue_play(queue, place, urgency.time, urgency.order ^ place);
}

/* The earlier of the event held and a new one is held, the other goes into the tree. */
static void event_queue_hold(struct event_queue *queue, struct urgency urgency, uint32_t kind,
                             uint64_t argument)
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

bool event_queue_push(struct event_queue *queue, const struct event *event)
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

static void event_queue_take_held(struct event_queue *queue, struct event *event)
{
    struct event_queue_state *state = queue->state;

    event->kind = state->held_kind;
    event->argument = state->held_argument;
    state->held_time = state->held_order = state->held_argument = 0;
    state->held_kind = 0;
}

static void event_queue_take_root(struct event_queue *queue, uint32_t place, struct event *event)
{
    event->kind = queue->places[place].kind;
    event->argument = queue->places[place].argument;
    queue->state->taken_place = place + 1;
    queue->state->capacity -= place < queue->state->timer_count;
}

bool event_queue_pop(struct event_queue *queue, struct event *event)
{
    struct event_queue_state *state = queue->state;
    struct urgency first, held;

    event_queue_settle(queue);
    if (state->count == 0)
        return false;
    first = (struct urgency){queue->time_urgency[state->root], queue->order_urgency[state->root]};
    held = (struct urgency){state->held_time, state->held_order};
    if (urgency_more(held, first)) {
        first = held;
        event_queue_take_held(queue, event);
    } else {
        event_queue_take_root(queue, ORDER_PLACE(~first.order), event);
    }
    event->time_ps = ~first.time;
    event->unit = ORDER_UNIT(~first.order);
    event->sequence = (~first.order >> ORDER_SEQUENCE_SHIFT & EVENT_QUEUE_SEQUENCES_MAX) - 1;
    state->count--;
    state->popped_count++;
    state->now_ps = event->time_ps;
    return true;
}

bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind)
{
    struct event_queue_state *state = queue->state;
    const uint64_t *orders = &queue->order_urgency[state->leaf_count];
    struct event held;

    event_queue_settle(queue);
    if (state->held_order != 0 && ORDER_UNIT(~state->held_order) == unit &&
        state->held_kind == kind) {
        event_queue_take_held(queue, &held);
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

/* ---- timers --------------------------------------------------------------------------------- */

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
    return ~(urgency.time > state->held_time ? urgency.time : state->held_time);
}
