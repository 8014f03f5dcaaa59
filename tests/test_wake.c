/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "emu/faults/wake.h"
#include "tests/event_log_append.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

enum { GOLDEN, FAULTY };

static struct log_fixture logs[2];
static struct event_log_reader *readers[2];
static struct wake wake;

static void begin(void)
{
    log_fixture_begin(&logs[GOLDEN]);
    log_fixture_begin(&logs[FAULTY]);
}

static void put(uint32_t log, gfe_ps time_ps, uint32_t unit, uint32_t kind, uint64_t first,
                uint64_t second)
{
    struct log_event event = {.time_ps = time_ps,
                              .kind = (uint16_t)kind,
                              .unit = (uint16_t)unit,
                              .argument = {first, second}};

    switch (kind) {
    case EVENT_GRID_END:
    case EVENT_BLOCK_START:
    case EVENT_BLOCK_END:
        event.argument_count = 4;
        break;
    case EVENT_FAULT:
        event.argument_count = 6;
        break;
    default:
        ck_assert_uint_eq(kind, EVENT_GRID_START);
        event.argument_count = 2;
        break;
    }
    event_log_append(&logs[log].log, &event);
}

/* The same in both. */
static void both(gfe_ps time_ps, uint32_t unit, uint32_t kind, uint64_t first, uint64_t second)
{
    put(GOLDEN, time_ps, unit, kind, first, second);
    put(FAULTY, time_ps, unit, kind, first, second);
}

static void compare(void)
{
    struct gfe_error error = {0};

    for (uint32_t i = 0; i < 2; i++) {
        log_fixture_end(&logs[i]);
        readers[i] = event_log_open(logs[i].path, &error);
        ck_assert_ptr_nonnull(readers[i]);
    }
    ck_assert_msg(wake_make(&wake, readers[GOLDEN], readers[FAULTY], &error), "%s", error.text);
}

static void end(void)
{
    wake_fini(&wake);
    for (uint32_t i = 0; i < 2; i++) {
        event_log_close(readers[i]);
        log_fixture_remove(&logs[i]);
    }
}

static void step_is(uint32_t index, enum wake_what what, uint32_t unit, uint32_t kind,
                    gfe_ps from_ps)
{
    ck_assert_uint_lt(index, wake.step_count);
    ck_assert_msg(wake.steps[index].what == what, "step %u: %s", index,
                  wake_what_text(wake.steps[index].what));
    ck_assert_uint_eq(wake.steps[index].event.unit, unit);
    ck_assert_uint_eq(wake.steps[index].event.kind, kind);
    ck_assert_uint_eq(wake_step_ps(&wake.steps[index]), from_ps);
}

/* But for what the injector logs itself, running numbers, and times that events quote. */
START_TEST(the_same_run_has_no_wake)
{
    begin();
    both(10, UNIT_GR, EVENT_BLOCK_START, 1, 0);
    put(FAULTY, 15, UNIT_HOST, EVENT_FAULT, 0, 3);
    both(20, UNIT_GR, EVENT_BLOCK_END, 1, 0);
    put(GOLDEN, 30, UNIT_GR, EVENT_GRID_START, 7, 2); /* grid_id, channel_id */
    put(FAULTY, 30, UNIT_GR, EVENT_GRID_START, 8, 2);
    compare();
    ck_assert_uint_eq(wake.step_count, 0);
    ck_assert_uint_eq(wake.golden_events, 3);
    ck_assert_uint_eq(wake.same_events, 3);
    end();
}
END_TEST

/* Later in one unit, then in another; what a third does in between is no part of it. */
START_TEST(times_part_unit_by_unit)
{
    begin();
    both(10, UNIT_PBDMA, EVENT_BLOCK_START, 1, 0);
    put(GOLDEN, 20, UNIT_PBDMA, EVENT_BLOCK_END, 1, 0);
    put(GOLDEN, 22, UNIT_GR, EVENT_GRID_START, 1, 1);
    both(24, UNIT_CE, EVENT_GRID_START, 5, 9);
    put(FAULTY, 30, UNIT_PBDMA, EVENT_BLOCK_END, 1, 0);
    put(FAULTY, 33, UNIT_GR, EVENT_GRID_START, 1, 1);
    both(40, UNIT_PBDMA, EVENT_BLOCK_START, 2, 0); /* caught up */
    compare();
    ck_assert_uint_eq(wake.step_count, 2);
    step_is(0, WAKE_TIME, UNIT_PBDMA, EVENT_BLOCK_END, 20);
    ck_assert_uint_eq(wake.steps[0].golden_ps, 20);
    ck_assert_uint_eq(wake.steps[0].event.time_ps, 30);
    step_is(1, WAKE_TIME, UNIT_GR, EVENT_GRID_START, 22);
    ck_assert_uint_eq(wake.same_events, 3);
    end();
}
END_TEST

/* First another time, then another event: both are told; what follows in that unit is not. */
START_TEST(another_event_ends_a_units_comparison)
{
    begin();
    put(GOLDEN, 10, UNIT_GR, EVENT_GRID_START, 1, 1);
    put(FAULTY, 12, UNIT_GR, EVENT_GRID_START, 1, 1);
    put(GOLDEN, 20, UNIT_GR, EVENT_BLOCK_START, 1, 4); /* block_index */
    put(FAULTY, 21, UNIT_GR, EVENT_BLOCK_START, 1, 5);
    put(GOLDEN, 30, UNIT_GR, EVENT_BLOCK_END, 1, 4);
    put(FAULTY, 31, UNIT_GR, EVENT_GRID_END, 1, 1);
    compare();
    ck_assert_uint_eq(wake.step_count, 2);
    step_is(0, WAKE_TIME, UNIT_GR, EVENT_GRID_START, 10);
    step_is(1, WAKE_OTHER, UNIT_GR, EVENT_BLOCK_START, 20);
    ck_assert_uint_eq(wake.steps[1].golden_kind, EVENT_BLOCK_START);
    ck_assert_uint_eq(wake.same_events, 0);
    end();
}
END_TEST

START_TEST(what_never_comes_and_what_is_too_much)
{
    begin();
    both(10, UNIT_HOST, EVENT_GRID_START, 1, 1);
    put(FAULTY, 15, UNIT_CE, EVENT_GRID_START, 1, 1);
    put(GOLDEN, 20, UNIT_HOST, EVENT_GRID_END, 1, 1);
    put(GOLDEN, 21, UNIT_GR, EVENT_GRID_END, 1, 1);
    compare();
    ck_assert_uint_eq(wake.step_count, 3);
    step_is(0, WAKE_EXTRA, UNIT_CE, EVENT_GRID_START, 15);
    ck_assert(wake.steps[0].golden_ps == GFE_PS_NEVER);
    step_is(1, WAKE_MISSING, UNIT_HOST, EVENT_GRID_END, 20);
    step_is(2, WAKE_MISSING, UNIT_GR, EVENT_GRID_END, 21);
    end();
}
END_TEST

/* A rule that decided otherwise is another decision, though the event is the same. */
START_TEST(another_rule_is_another_event)
{
    begin();
    log_fixture_add(&logs[GOLDEN], 10, EVENT_GRID_START, RULE_T_Q, 2, (uint64_t[]){1, 1});
    log_fixture_add(&logs[FAULTY], 10, EVENT_GRID_START, RULE_NONE, 2, (uint64_t[]){1, 1});
    compare();
    ck_assert_uint_eq(wake.step_count, 1);
    step_is(0, WAKE_OTHER, 0, EVENT_GRID_START, 10);
    end();
}
END_TEST

Suite *wake_suite(void)
{
    Suite *suite = suite_create("wake");
    TCase *tcase = tcase_create("steps");

    tcase_add_test(tcase, the_same_run_has_no_wake);
    tcase_add_test(tcase, times_part_unit_by_unit);
    tcase_add_test(tcase, another_event_ends_a_units_comparison);
    tcase_add_test(tcase, what_never_comes_and_what_is_too_much);
    tcase_add_test(tcase, another_rule_is_another_event);
    suite_add_tcase(suite, tcase);
    return suite;
}
