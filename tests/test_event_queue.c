/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/event_queue.h"
#include "emu/engine/random.h"
#include "tests/event_queue_calls.h"
#include "tests/suites.h"

enum { UNITS = 9, CAPACITY = 300, STEPS = 20000, TIMERS = 5 };

static struct arena arena;
static struct event_queue queue;

static void set_up(void)
{
    struct gfe_error error = {0};

    ck_assert(arena_init(&arena, &error));
    event_queue_init(&queue, &arena, CAPACITY, UNITS);
}

static void tear_down(void)
{
    arena_fini(&arena);
}

/* The reference: an array in order of arrival, searched from end to end. */
struct reference {
    struct event events[CAPACITY];
    uint32_t count;
    uint64_t sequence[UNITS];
};

static bool earlier(const struct event *a, const struct event *b)
{
    return a->time_ps < b->time_ps ||
           (a->time_ps == b->time_ps &&
            (a->unit < b->unit || (a->unit == b->unit && a->sequence < b->sequence)));
}

static struct event reference_pop(struct reference *reference)
{
    uint32_t best = 0;
    struct event event;

    for (uint32_t i = 1; i < reference->count; i++)
        if (earlier(&reference->events[i], &reference->events[best]))
            best = i;
    event = reference->events[best];
    reference->events[best] = reference->events[--reference->count];
    return event;
}

static void cancel_both(struct reference *reference, uint32_t unit, uint32_t kind)
{
    uint32_t i = 0;

    while (i < reference->count &&
           (reference->events[i].unit != unit || reference->events[i].kind != kind))
        i++;
    ck_assert_int_eq(event_queue_cancel(&queue, unit, kind), i < reference->count);
    if (i < reference->count)
        reference->events[i] = reference->events[--reference->count];
}

static gfe_ps reference_next_ps(const struct reference *reference)
{
    gfe_ps next_ps = GFE_PS_NEVER;

    for (uint32_t i = 0; i < reference->count; i++)
        if (reference->events[i].time_ps < next_ps)
            next_ps = reference->events[i].time_ps;
    return next_ps;
}

static void push_both(struct reference *reference, struct event event)
{
    const bool full = reference->count == CAPACITY;

    ck_assert_int_eq(event_queue_push(&queue, &event), !full);
    if (full)
        return;
    event.sequence = reference->sequence[event.unit]++;
    reference->events[reference->count++] = event;
}

static void pop_both(struct reference *reference)
{
    struct event event, expected;

    if (reference->count == 0) {
        ck_assert(!event_queue_pop(&queue, &event));
        ck_assert_uint_eq(event_queue_next_ps(&queue), GFE_PS_NEVER);
        return;
    }
    expected = reference_pop(reference);
    if (expected.argument % 2) /* There is no need to ask. */
        ck_assert_uint_eq(event_queue_next_ps(&queue), expected.time_ps);
    ck_assert(event_queue_pop(&queue, &event));
    ck_assert_int_eq(memcmp(&event, &expected, sizeof event), 0);
    ck_assert_uint_eq(event_queue_now_ps(&queue), expected.time_ps);
    ck_assert_uint_eq(event_queue_next_ps(&queue), reference_next_ps(reference));
    if (expected.argument % 3 == 0)
        event_queue_settle(&queue);
}

/* Against a list that is searched from end to end: pushes with many equal times, pops, events taken
 * back, and now and then everything put back to where it was a while ago. */
/* PROMISE (engine): Events come by time, then by the unit's rank, then by the unit's own
 * sequence. */
START_TEST(events_come_out_by_time_then_unit_then_sequence)
{
    static struct reference reference, saved;
    uint8_t *copy = calloc(1, arena.used_bytes);
    struct random_state random;

    ck_assert_ptr_nonnull(copy);
    random_seed(&random, (uint64_t)_i, 0);
    memset(&reference, 0, sizeof reference);
    for (unsigned step = 0; step < STEPS; step++) {
        const struct event event = {.time_ps =
                                        event_queue_now_ps(&queue) + random_below(&random, 5),
                                    .unit = random_below(&random, UNITS),
                                    .kind = step,
                                    .argument = random_next(&random)};

        if (step % 1000 == 0) {
            saved = reference;
            memcpy(copy, arena.base, arena.used_bytes);
        } else if (random_below(&random, 1500) == 0) {
            reference = saved;
            memcpy(arena.base, copy, arena.used_bytes);
        }
        /* More pushes than pops at first, then fewer: the queue fills up and runs dry. */
        if (random_below(&random, STEPS) > step)
            push_both(&reference, event);
        else if (random_below(&random, 10) > 0)
            pop_both(&reference);
        else
            cancel_both(&reference, event.unit, step - (uint32_t)(event.argument % 500));
        ck_assert_uint_eq(queue.state->count, reference.count);
    }
    free(copy);
}
END_TEST

/* An event that has come cannot be taken back, although its place is still there. */
START_TEST(an_event_that_has_come_is_gone)
{
    struct event event;

    ck_assert(event_queue_push(&queue, &(struct event){.unit = 3, .kind = 7}));
    ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 9, .unit = 4}));
    ck_assert(event_queue_pop(&queue, &event));
    ck_assert(!event_queue_cancel(&queue, 3, 7));
    ck_assert_uint_eq(event_queue_next_ps(&queue), 9);
    ck_assert_uint_eq(queue.state->count, 1);
}
END_TEST

START_TEST(a_unit_that_has_had_all_its_events_is_refused)
{
    queue.next_sequence[3] = EVENT_QUEUE_SEQUENCES_MAX - 1;
    ck_assert(event_queue_push(&queue, &(struct event){.unit = 3}));
    ck_assert(!event_queue_push(&queue, &(struct event){.unit = 3}));
    ck_assert(event_queue_push(&queue, &(struct event){.unit = 4}));
}
END_TEST

START_TEST(a_full_queue_refuses_and_loses_nothing)
{
    struct event event = {.time_ps = 7};

    for (uint64_t i = 0; i < CAPACITY; i++)
        ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 5, .argument = i}));
    ck_assert(!event_queue_push(&queue, &event));
    ck_assert_uint_eq(queue.state->peak_count, CAPACITY);
    for (uint64_t i = 0; i < CAPACITY; i++) {
        ck_assert(event_queue_pop(&queue, &event));
        ck_assert_uint_eq(event.argument, i);
        ck_assert_uint_eq(event.sequence, i);
    }
    ck_assert(!event_queue_pop(&queue, &event));
    ck_assert_uint_eq(queue.state->popped_count, CAPACITY);
}
END_TEST

/* The unit's number decides, not who pushed first. */
START_TEST(the_order_of_pushes_does_not_show_between_units)
{
    struct event event;

    for (uint32_t unit = UNITS; unit-- > 0;)
        ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 3, .unit = unit}));
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        ck_assert(event_queue_pop(&queue, &event));
        ck_assert_uint_eq(event.unit, unit);
    }
}
END_TEST

/* Pushing what is due now, while it is handled, is how units go on: it comes in this same moment.
 */
START_TEST(an_event_for_the_present_still_comes)
{
    struct event event;

    ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 10, .unit = 5}));
    ck_assert(event_queue_pop(&queue, &event));
    ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 10, .unit = 2}));
    ck_assert(event_queue_pop(&queue, &event));
    ck_assert_uint_eq(event.unit, 2);
    ck_assert_uint_eq(event_queue_now_ps(&queue), 10);
}
END_TEST

/* A drained queue holds nothing of what went through it but its counters and the list of free
 * places. */
START_TEST(freed_places_are_cleared)
{
    struct random_state random;
    struct event event;

    random_seed(&random, 4, 4);
    for (unsigned i = 0; i < CAPACITY; i++)
        ck_assert(event_queue_push(&queue, &(struct event){.time_ps = random_next(&random),
                                                           .kind = random_next(&random),
                                                           .argument = random_next(&random)}));
    while (event_queue_pop(&queue, &event))
        continue;
    ck_assert_uint_eq(queue.state->used_places, CAPACITY - EVENT_QUEUE_HELD);
    ck_assert_mem_eq(queue.state->held, (struct event_queue_held[EVENT_QUEUE_HELD]){{0}},
                     sizeof queue.state->held);
    for (unsigned i = 0; i < CAPACITY; i++)
        ck_assert(queue.places[i].argument == 0 && queue.places[i].kind == 0);
    for (unsigned i = 0; i < 2 * queue.state->leaf_count; i++)
        ck_assert(queue.time_urgency[i] == 0 && queue.order_urgency[i] == 0);
}
END_TEST

static void go_on(struct random_state random)
{
    for (unsigned step = 0; step < 2000; step++) {
        struct event event = {.time_ps = event_queue_now_ps(&queue) + random_below(&random, 50),
                              .unit = random_below(&random, UNITS),
                              .kind = random_below(&random, 4)};

        if (random_below(&random, 5) < 3)
            (void)event_queue_push(&queue, &event);
        else if (random_below(&random, 4) > 0)
            (void)event_queue_pop(&queue, &event);
        else
            (void)event_queue_cancel(&queue, event.unit, event.kind);
    }
}

/* Going on twice from the same bytes: equal states, equal hashes. */
/* PROMISE (engine): The same history of pushes leaves the same bytes in the event queue. */
START_TEST(the_same_history_leaves_the_same_bytes)
{
    uint8_t *copy = malloc(arena.used_bytes), *later = malloc(arena.used_bytes);
    struct random_state random;

    ck_assert(copy && later);
    random_seed(&random, (uint64_t)_i, 7);
    go_on(random);
    memcpy(copy, arena.base, arena.used_bytes);
    (void)random_next(&random);
    go_on(random);
    memcpy(later, arena.base, arena.used_bytes);
    memcpy(arena.base, copy, arena.used_bytes);
    go_on(random);
    ck_assert_mem_eq(arena.base, later, arena.used_bytes);
    free(copy);
    free(later);
}
END_TEST

/* All of the queue lies in the arena: copying the arena back repeats what followed. */
START_TEST(a_copy_of_the_arena_brings_the_queue_back)
{
    uint8_t *copy;
    struct event first[50], event;

    for (uint32_t i = 0; i < 50; i++)
        ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 50 - i / 2, .unit = i % 3}));
    copy = malloc(arena.used_bytes);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, arena.base, arena.used_bytes);
    for (uint32_t i = 0; i < 50; i++)
        ck_assert(event_queue_pop(&queue, &first[i]));
    memcpy(arena.base, copy, arena.used_bytes);
    free(copy);
    for (uint32_t i = 0; i < 50; i++) {
        ck_assert(event_queue_pop(&queue, &event));
        ck_assert_int_eq(memcmp(&event, &first[i], sizeof event), 0);
    }
}
END_TEST

/* From every place of heaps of many shapes; the others still come in their order. */
START_TEST(an_event_that_is_taken_back_does_not_come)
{
    struct random_state random;
    struct event event;

    random_seed(&random, 3, 0);
    for (uint32_t round = 0; round < 400; round++) {
        const uint32_t gone = round % 40;
        uint32_t left = 0;

        for (uint32_t i = 0; i < 40; i++)
            ck_assert(event_queue_push(
                &queue, &(struct event){.time_ps = queue.state->now_ps + random_below(&random, 100),
                                        .unit = i % 2,
                                        .kind = i}));
        ck_assert(!event_queue_cancel(&queue, 1 - gone % 2, gone));
        ck_assert(event_queue_cancel(&queue, gone % 2, gone));
        ck_assert(!event_queue_cancel(&queue, gone % 2, gone));
        for (gfe_ps last = 0; event_queue_pop(&queue, &event); last = event.time_ps, left++) {
            ck_assert_uint_ge(event.time_ps, last);
            ck_assert_uint_ne(event.kind, gone);
        }
        ck_assert_uint_eq(left, 39);
        ck_assert_uint_eq(event_queue_next_ps(&queue), GFE_PS_NEVER);
    }
}
END_TEST

/* ---- timers ---------------------------------------------------------------------------------- */

/* Held, in the tree, a timer: what is due now is seen; what is due later is not taken for it. */
START_TEST(what_else_is_due_now_is_known_at_a_look)
{
    enum { COUNT = EVENT_QUEUE_HELD + 2 };
    struct event event;

    (void)event_queue_add_timer(&queue);
    for (uint32_t i = 0; i < COUNT; i++) /* two of them are in the tree, the others held */
        ck_assert(event_queue_push(&queue,
                                   &(struct event){.time_ps = i == COUNT - 1 ? 6 : 5, .kind = i}));
    event_queue_set_timer(&queue, 0, &(struct event){.time_ps = 6, .unit = 1});
    ck_assert(event_queue_none_now(&queue));
    for (uint32_t left = COUNT; left > 0; left--) {
        ck_assert(event_queue_pop(&queue, &event));
        ck_assert_uint_eq(event.time_ps, left > 1 ? 5 : 6);
        event_queue_settle(&queue);
        ck_assert_int_eq(event_queue_none_now(&queue), left == 2);
    }
    ck_assert(event_queue_pop(&queue, &event)); /* the timer */
    ck_assert(!event_queue_none_now(&queue));   /* it has its place still: nobody says so */
    event_queue_settle(&queue);
    ck_assert(event_queue_none_now(&queue));
}
END_TEST

/* Of two timers of one unit the first added comes first; both come before its other events. */
START_TEST(timers_come_before_the_other_events_of_their_unit)
{
    struct event event;

    ck_assert_uint_eq(event_queue_add_timer(&queue), 0);
    ck_assert_uint_eq(event_queue_add_timer(&queue), 1);
    ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 5, .unit = 2, .kind = 10}));
    ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 5, .unit = 1, .kind = 11}));
    event_queue_set_timer(&queue, 1, &(struct event){.time_ps = 5, .unit = 2, .kind = 12});
    event_queue_set_timer(&queue, 0, &(struct event){.time_ps = 5, .unit = 2, .kind = 13});
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t kinds[4] = {11, 13, 12, 10};

        ck_assert(event_queue_pop(&queue, &event));
        ck_assert_uint_eq(event.kind, kinds[i]);
    }
    ck_assert(!event_queue_pop(&queue, &event));
}
END_TEST

/* Timers against the list: each is one event with a unit that nobody else has, numbers 4 to 8. */
static void timer_step(struct reference *reference, uint32_t timer, uint32_t step,
                       uint64_t argument)
{
    const struct event event = {.time_ps = event_queue_now_ps(&queue) + argument % 7,
                                .unit = 4 + timer,
                                .kind = step,
                                .sequence = (UINT64_C(1) << 48) - 1,
                                .argument = argument};
    uint32_t at = 0;

    while (at < reference->count && reference->events[at].unit != event.unit)
        at++;
    if (argument % 3 == 0) {
        event_queue_stop_timer(&queue, timer);
        if (at < reference->count)
            reference->events[at] = reference->events[--reference->count];
        return;
    }
    event_queue_set_timer(&queue, timer, &event);
    reference->events[at] = event;
    if (at == reference->count)
        reference->count++;
}

static void timed_pop(struct reference *reference)
{
    const struct event expected = reference_pop(reference);
    struct event event;

    ck_assert(event_queue_pop(&queue, &event));
    if (event.unit >= 4)
        event.sequence = expected.sequence;
    ck_assert_int_eq(memcmp(&event, &expected, sizeof event), 0);
    ck_assert_uint_eq(event_queue_next_ps(&queue), reference_next_ps(reference));
    if (expected.argument % 3 == 0)
        event_queue_settle(&queue);
}

START_TEST(timers_are_set_put_off_and_stopped_among_other_events)
{
    static struct reference reference;
    struct random_state random;

    for (uint32_t i = 0; i < TIMERS; i++)
        ck_assert_uint_eq(event_queue_add_timer(&queue), i);
    random_seed(&random, (uint64_t)_i, 1);
    memset(&reference, 0, sizeof reference);
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t what = random_below(&random, 8);
        struct event event = {.time_ps = event_queue_now_ps(&queue) + random_below(&random, 5),
                              .unit = random_below(&random, 4),
                              .kind = step,
                              .argument = random_next(&random)};

        if (what < 3)
            timer_step(&reference, random_below(&random, TIMERS), step, random_next(&random));
        else if (what == 3 && reference.count < CAPACITY - TIMERS) {
            ck_assert(event_queue_push(&queue, &event));
            event.sequence = reference.sequence[event.unit]++;
            reference.events[reference.count++] = event;
        } else if (what == 4)
            cancel_both(&reference, event.unit, step - (uint32_t)(event.argument % 50));
        else if (reference.count > 0)
            timed_pop(&reference);
        ck_assert_uint_eq(queue.state->count, reference.count);
    }
}
END_TEST

/* However often it is put off: no place is used up, and the others keep theirs. */
START_TEST(a_timer_set_a_million_times_leaves_nothing)
{
    struct event event;

    (void)event_queue_add_timer(&queue);
    for (uint32_t i = 0; i < CAPACITY - 1; i++)
        ck_assert(event_queue_push(&queue, &(struct event){.time_ps = 7}));
    ck_assert(!event_queue_push(&queue, &(struct event){.time_ps = 7}));
    for (uint32_t i = 0; i < 1000 * 1000; i++) {
        event_queue_set_timer(&queue, 0, &(struct event){.time_ps = 3 + i % 2, .kind = i});
        if (i % 5 == 0)
            event_queue_stop_timer(&queue, 0);
    }
    ck_assert_uint_eq(queue.state->count, CAPACITY);
    ck_assert(!event_queue_push(&queue, &(struct event){.time_ps = 7}));
    ck_assert(event_queue_pop(&queue, &event));
    ck_assert_uint_eq(event.kind, 1000 * 1000 - 1);
    event_queue_stop_timer(&queue, 0); /* it has come */
    ck_assert_uint_eq(queue.state->count, CAPACITY - 1);
    ck_assert(!event_queue_push(&queue, &(struct event){.time_ps = 7}));
    for (uint32_t i = 0; i < CAPACITY - 1; i++)
        ck_assert(event_queue_pop(&queue, &event));
    ck_assert(!event_queue_pop(&queue, &event));
    for (unsigned i = 0; i < 2 * queue.state->leaf_count; i++)
        ck_assert(queue.time_urgency[i] == 0 && queue.order_urgency[i] == 0);
}
END_TEST

Suite *event_queue_suite(void)
{
    Suite *suite = suite_create("event_queue");
    TCase *tcase = tcase_create("order");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, events_come_out_by_time_then_unit_then_sequence, 0, 5);
    tcase_add_test(tcase, an_event_that_has_come_is_gone);
    tcase_add_test(tcase, a_unit_that_has_had_all_its_events_is_refused);
    tcase_add_test(tcase, a_full_queue_refuses_and_loses_nothing);
    tcase_add_test(tcase, the_order_of_pushes_does_not_show_between_units);
    tcase_add_test(tcase, an_event_for_the_present_still_comes);
    tcase_add_test(tcase, freed_places_are_cleared);
    tcase_add_loop_test(tcase, the_same_history_leaves_the_same_bytes, 0, 5);
    tcase_add_test(tcase, an_event_that_is_taken_back_does_not_come);
    tcase_add_test(tcase, a_copy_of_the_arena_brings_the_queue_back);
    tcase_add_test(tcase, what_else_is_due_now_is_known_at_a_look);
    tcase_add_test(tcase, timers_come_before_the_other_events_of_their_unit);
    tcase_add_loop_test(tcase, timers_are_set_put_off_and_stopped_among_other_events, 0, 5);
    tcase_add_test(tcase, a_timer_set_a_million_times_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
