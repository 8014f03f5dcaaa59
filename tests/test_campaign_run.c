/* SPDX-License-Identifier: MIT */
/*
 * Experiments from snapshots, cut short: each outcome is that of a run from the start to the end.
 * Faults are drawn from all sites of a recording, on NVIDIA's and on AMD's front end, by the space of
 * a plan.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/campaign_space.h"
#include "devices/inject_run.h"
#include "tests/suites.h"

enum { EXPERIMENTS = 220, SLICES = 4 };

#define ANY(site, models) "{\"site\": \"" site "\", \"models\": [" models "]}"
#define NUMBERS           "\"flip\", \"stuck0\", \"stuck1\""

static const struct program {
    const char *file, *plan;
} programs[] = {
    {"compute.gft",
     "{\"programs\": [\"x\"], \"samples\": 880, \"faults\": ["
     "{\"site\": \"doorbell\", \"models\": [\"flip\", \"drop\", \"duplicate\", \"delay\", "
     "\"reorder\"], \"delays\": [\"1us\", \"80us\"]},"
     "{\"site\": \"doorbell\", \"models\": [\"drop\", \"flip\"], \"times\": 1000},"
     "{\"site\": \"doorbell\", \"models\": [\"flip\"], \"triggers\": [\"@NV_GP_FETCH#3\", "
     "\"@NV_RELEASE#2\"]}," ANY("gp_put", NUMBERS) "," ANY("gp_get", NUMBERS) ","
     "{\"site\": \"gp_entry\", \"models\": [\"flip\", \"drop\"], \"fields\": [\"fetch\", \"get\", "
     "\"sync\"]}," ANY("header", NUMBERS) "," ANY("data", NUMBERS) ","
     "{\"site\": \"data\", \"models\": [\"flip\"], \"subjects\": [0]},"
     "{\"site\": \"release\", \"models\": [\"flip\", \"drop\", \"duplicate\", \"delay\"], "
     "\"delays\": [\"5us\", \"50us\"]},"
     "{\"site\": \"interrupt\", \"models\": [\"drop\", \"spurious\", \"delay\"], \"delays\": "
     "[\"20us\"]}," ANY("ramfc_load", "\"flip\"") "," ANY("ramfc_save", "\"flip\", \"drop\"") ","
     ANY("runlist_entry", NUMBERS) "," ANY("runlist_submit", "\"flip\", \"drop\", \"duplicate\"") ","
     ANY("qmd", "\"flip\"") "," ANY("copy_end", "\"drop\"") ","
     "{\"site\": \"memory\", \"models\": [\"flip\", \"stuck1\"], \"words\": {\"from\": "
     "\"vid:0x1000000\", \"count\": 65536}},"
     "{\"site\": \"mapping\", \"models\": [\"unmap\", \"wrong_page\", \"read_only\"], "
     "\"subjects\": [\"1:0x1000000\", \"1:0x1100000\"], \"pages\": [1]},"
     "{\"site\": \"channel_ram\", \"models\": [\"flip\"], \"fields\": [\"enable\", \"pending\", "
     "\"next\"], \"subjects\": [0], \"times\": 77},"
     "{\"site\": \"register\", \"models\": [\"flip\"], \"subjects\": "
     "[\"NV_PCCSR_CHANNEL[0]\"]}]}"},
    {"kfd_kernels.gft",
     "{\"programs\": [\"x\"], \"samples\": 880, \"faults\": ["
     ANY("interrupt", "\"drop\", \"spurious\"") ","
     "{\"site\": \"memory\", \"models\": [\"flip\", \"stuck0\"], \"words\": {\"from\": "
     "\"sys:0x0\", \"count\": 262144}},"
     ANY("block_end", "\"drop\"") "," ANY("grid_end", "\"drop\"") "]}"},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static struct replay_input *input;
static struct campaign_run run;
static struct campaign_run *const runs[] = {&run};
static struct inject_run whole;
static struct campaign_plan *plan;
static struct campaign_space space;

static void setup(const struct program *program)
{
    const char *folder = getenv("top_srcdir");
    const struct simulation_options options = {0};
    struct any_program subject = {0};
    struct gfe_error error = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : "..", program->file);
    subject.input = input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    plan = campaign_plan_parse(program->plan, strlen(program->plan), "plan", &error);
    ck_assert_msg(plan != NULL, "%s", error.text);
    ck_assert_msg(campaign_run_init(&run, &subject, &options, plan->late_ps, UINT64_MAX, &error) &&
                      inject_run_init(&whole, &subject, &options, plan->late_ps, &error) &&
                      campaign_space_init(&space, plan, runs, "00000000000000b7", &error),
                  "%s", error.text);
}

static void teardown(void)
{
    campaign_space_fini(&space);
    campaign_plan_free(plan);
    campaign_run_fini(&run);
    inject_run_fini(&whole);
    replay_input_free(input);
}

static void nvidia(void)
{
    setup(&programs[0]);
}

static void amd(void)
{
    setup(&programs[1]);
}

static void same(const char *fault, const struct campaign_result *result,
                 const struct outcome *from_start)
{
    const struct outcome *a = &result->outcome, *b = from_start;

    ck_assert_msg(a->most == b->most && a->classes == b->classes, "%s: %s, not %s", fault,
                  outcome_class_name(a->most), outcome_class_name(b->most));
    ck_assert_msg(a->latency_ps == b->latency_ps && a->detected_by == b->detected_by &&
                      a->recovered == b->recovered,
                  "%s: detected otherwise", fault);
    ck_assert_msg(a->different == b->different && a->missing == b->missing &&
                      a->extra == b->extra && a->late == b->late && a->latest_ps == b->latest_ps,
                  "%s: other results", fault);
    ck_assert_msg(a->memory_words == b->memory_words && a->first_word == b->first_word,
                  "%s: other memory", fault);
    ck_assert_msg(a->victim_count == b->victim_count &&
                      memcmp(a->victims, b->victims, sizeof a->victims) == 0,
                  "%s: others are affected", fault);
}

START_TEST(each_outcome_is_that_of_a_run_from_the_start)
{
    uint32_t acted = 0, cut = 0;

    for (uint64_t i = (uint64_t)_i * EXPERIMENTS; i < (uint64_t)(_i + 1) * EXPERIMENTS; i++) {
        struct inject_experiment experiment;
        struct campaign_result result;
        struct gfe_error error = {0};
        char text[INJECT_TEXT_MAX];
        struct inject_fault fault;
        struct outcome outcome;

        (void)campaign_space_fault(&space, i, text);
        ck_assert_msg(inject_run_parse(&whole, text, &fault, &error), "%s", error.text);
        ck_assert_msg(campaign_run_make(&run, &fault, &result, &error) &&
                          inject_run_make(&whole, &fault, 1, UINT64_MAX, &experiment, &outcome,
                                          &error),
                      "%s: %s", text, error.text);
        same(text, &result, &outcome);
        ck_assert_msg(result.acted ==
                          experiment.simulation.machine->inject->state->faults[0].acted,
                      "%s: it acted %llu times", text, (unsigned long long)result.acted);
        inject_experiment_fini(&experiment);
        acted += result.acted > 0;
        cut += result.stop < run.point_count && result.from != UINT32_MAX;
    }
    ck_assert_uint_gt(acted, EXPERIMENTS / 10);
    ck_assert_uint_gt(cut, 10); /* else nothing is tested */
}
END_TEST

/* A fault at the end costs no more than one at the beginning. */
START_TEST(an_experiment_starts_just_before_its_fault)
{
    struct campaign_result result;
    struct gfe_error error = {0};
    struct inject_fault fault;
    char text[64];

    (void)snprintf(text, sizeof text, "data flip=3 @#%llu",
                   (unsigned long long)campaign_run_passages(
                       &run, inject_site_by_name(&run.simulation.machine->inject->sites, "data"),
                       INJECT_ANY));
    ck_assert_msg(inject_run_parse(&whole, text, &fault, &error), "%s", error.text);
    ck_assert(campaign_run_make(&run, &fault, &result, &error));
    ck_assert_uint_gt(result.acted, 0);
    ck_assert_uint_lt(result.events, run.event_count / 4);
    ck_assert_uint_gt(result.from, run.point_count / 2);
}
END_TEST

Suite *campaign_run_suite(void)
{
    Suite *suite = suite_create("campaign_run");
    TCase *first = tcase_create("nvidia"), *second = tcase_create("amd");

    tcase_add_unchecked_fixture(first, nvidia, teardown);
    tcase_add_loop_test(first, each_outcome_is_that_of_a_run_from_the_start, 0, SLICES);
    tcase_add_test(first, an_experiment_starts_just_before_its_fault);
    suite_add_tcase(suite, first);
    tcase_add_unchecked_fixture(second, amd, teardown);
    tcase_add_loop_test(second, each_outcome_is_that_of_a_run_from_the_start, 0, SLICES);
    suite_add_tcase(suite, second);
    return suite;
}
