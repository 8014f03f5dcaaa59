/* SPDX-License-Identifier: MIT */
/* The bare-channel model: what its rules decide in the run of tests/rules/bare.gft, two releases of
 * a channel whose driver has no model. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/nvidia/nv_events.h"
#include "firmware-models/bare/bare_tables.h"
#include "tests/check_trace.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

static struct replay_input *input;
static struct check_simulation run;

static void setup(void)
{
    struct gfe_error error = {0};
    char path[512];

    (void)snprintf(path, sizeof path, "%s/tests/rules/bare.gft",
                   getenv("top_srcdir") ? getenv("top_srcdir") : ".");
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
}

static void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static void run_with_ring(const char *entries)
{
    const struct simulation_setting ring = {"bare.ring_entries", entries};
    const struct simulation_options options = {.parameters = &ring, .parameter_count = 1};

    check_simulation_run(&run, input, &options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BARE_RUNLIST, RULE_BARE_RUNLIST), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BARE_CHANNEL_MADE, RULE_BARE_TSG), 1);
    ck_assert_uint_ge(check_simulation_count(&run, EVENT_BARE_FETCHED, RULE_BARE_WAIT), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BARE_GP_ENTRY, CHECK_ANY_RULE), 2);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_RELEASE, CHECK_ANY_RULE), 2);
    ck_assert_uint_eq(run.simulation->replay->state->fences_reached,
                      run.simulation->replay->state->fences_checked);
}

START_TEST(entries_go_into_the_ring_at_once)
{
    run_with_ring("8");
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_BARE_RING), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BARE_KICK, CHECK_ANY_RULE), 1);
}
END_TEST

START_TEST(a_ring_of_two_takes_one_entry_at_a_time)
{
    run_with_ring("2");
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_BARE_RING), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BARE_KICK, CHECK_ANY_RULE), 2);
}
END_TEST

Suite *bare_suite(void)
{
    Suite *suite = suite_create("bare");
    TCase *channels = tcase_create("channels");

    tcase_add_checked_fixture(channels, setup, teardown);
    tcase_add_test(channels, entries_go_into_the_ring_at_once);
    tcase_add_test(channels, a_ring_of_two_takes_one_entry_at_a_time);
    suite_add_tcase(suite, channels);
    return suite;
}
