/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/faults/live_control.h"
#include "tests/suites.h"

static const struct live_question question = {.fault_count = 1};

static struct live_observation printed(const char *text)
{
    return (struct live_observation){.output = strdup(text), .output_bytes = strlen(text)};
}

/* The outcome of a run that prints `faulty`, after controls that printed the others. */
static struct live_outcome judged(const char *first, const char *second, const char *faulty)
{
    struct live_observation golden = printed(first), control = printed(second);
    struct live_observation seen = printed(faulty);
    struct live_outcome outcome;

    seen.faults[0].acted = 1;
    ck_assert(live_control_add(&golden, &control));
    outcome = live_judge(&golden, &seen, &question);
    live_observation_fini(&golden);
    live_observation_fini(&control);
    live_observation_fini(&seen);
    return outcome;
}

/* PROMISE (live): What differs between two runs without faults is not compared, and gfe says so. */
START_TEST(lines_that_differ_without_faults_are_not_compared)
{
    static const char *const same = "took 3 ms\nsum 12\n";
    struct live_outcome outcome = judged(same, "took 4 ms\nsum 12\n", "took 5 ms\nsum 12\n");

    ck_assert_int_eq(outcome.outcome, OUTCOME_MASKED);
    ck_assert_uint_eq(outcome.compared.lines, 2);
    ck_assert_uint_eq(outcome.compared.varying_lines, 1);
    outcome = judged(same, "took 4 ms\nsum 12\n", "took 3 ms\nsum 13\n");
    ck_assert_int_eq(outcome.outcome, OUTCOME_SDC_DATA);
    outcome = judged(same, same, "took 4 ms\nsum 12\n");
    ck_assert_int_eq(outcome.outcome, OUTCOME_SDC_DATA);
    ck_assert_uint_eq(outcome.compared.varying_lines, 0);
    outcome = judged(same, same, same);
    ck_assert_int_eq(outcome.outcome, OUTCOME_MASKED);
    /* A line more, one less, or none. */
    ck_assert_int_eq(judged(same, same, "took 3 ms\nsum 12\n\n").outcome, OUTCOME_SDC_DATA);
    ck_assert_int_eq(judged(same, same, "took 3 ms\n").outcome, OUTCOME_SDC_DATA);
    ck_assert_int_eq(judged(same, same, "").outcome, OUTCOME_SDC_DATA);
    ck_assert_int_eq(judged(same, same, "took 3 ms\nsum 12").outcome, OUTCOME_SDC_DATA);
}
END_TEST

START_TEST(an_output_whose_length_varies_is_not_compared)
{
    const struct live_outcome outcome = judged("a\nb\n", "a\nb\nc\n", "x\n");

    ck_assert_int_eq(outcome.outcome, OUTCOME_MASKED);
    ck_assert(outcome.compared.length_varies);
    ck_assert(!judged("", "", "").compared.length_varies);
}
END_TEST

/* The slower run, and the more of what the driver said, is the one that a fault is held against. */
START_TEST(what_happens_without_faults_is_no_detection)
{
    struct live_observation golden = printed(""), control = printed(""), faulty = printed("");

    control.line_count = 2;
    control.exception_count = 1;
    control.refused_count = 3;
    control.refusal_count = 1;
    control.refusals[0] = (struct live_refusal){.call = 7, .error_number = 62, .count = 3};
    control.took_ns = 5000000000;
    golden.took_ns = 1000000000;
    ck_assert(live_control_add(&golden, &control));
    faulty.faults[0].acted = 1;
    faulty.line_count = 2;
    faulty.exception_count = 1;
    faulty.refused_count = 3;
    faulty.refusal_count = 1;
    faulty.refusals[0] = control.refusals[0];
    faulty.took_ns = 6000000000; /* late for the first run, not for the second */
    ck_assert_int_eq(live_judge(&golden, &faulty, &question).outcome, OUTCOME_MASKED);
    faulty.refusals[0].count = 4;
    ck_assert_int_eq(live_judge(&golden, &faulty, &question).outcome, OUTCOME_DETECTED);
    faulty.refusals[0].count = 3;
    faulty.line_count = 3;
    ck_assert_int_eq(live_judge(&golden, &faulty, &question).outcome, OUTCOME_DETECTED);
    live_observation_fini(&golden);
    live_observation_fini(&control);
    live_observation_fini(&faulty);
}
END_TEST

Suite *live_control_suite(void)
{
    Suite *suite = suite_create("live_control");
    TCase *cases = tcase_create("live_control");

    tcase_add_test(cases, lines_that_differ_without_faults_are_not_compared);
    tcase_add_test(cases, an_output_whose_length_varies_is_not_compared);
    tcase_add_test(cases, what_happens_without_faults_is_no_detection);
    suite_add_tcase(suite, cases);
    return suite;
}
