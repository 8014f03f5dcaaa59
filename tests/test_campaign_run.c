/* SPDX-License-Identifier: MIT */
/*
 * Experiments from snapshots, cut short: each outcome is that of a run from the start to the end.
 * Faults are drawn from all sites of a recording, on NVIDIA's and on AMD's front end, by the space of
 * a plan.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>

#include "tests/campaign_pair.h"
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

static struct campaign_pair pair;

static void nvidia(void)
{
    campaign_pair_init(&pair, programs[0].file, programs[0].plan);
}

static void amd(void)
{
    campaign_pair_init(&pair, programs[1].file, programs[1].plan);
}

static void teardown(void)
{
    campaign_pair_fini(&pair);
}

START_TEST(each_outcome_is_that_of_a_run_from_the_start)
{
    uint32_t acted = 0, cut = 0;

    for (uint64_t i = (uint64_t)_i * EXPERIMENTS; i < (uint64_t)(_i + 1) * EXPERIMENTS; i++) {
        struct campaign_result result;
        char text[INJECT_TEXT_MAX];

        (void)campaign_space_fault(&pair.space, i, text);
        campaign_pair_make(&pair, text, &result);
        acted += result.acted > 0;
        cut += result.stop < pair.run.point_count && result.from != UINT32_MAX;
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
                       &pair.run, inject_site_by_name(&pair.run.simulation.machine->inject->sites, "data"),
                       INJECT_ANY));
    ck_assert_msg(inject_run_parse(&pair.whole, text, &fault, &error), "%s", error.text);
    ck_assert(campaign_run_make(&pair.run, &fault, &result, &error));
    ck_assert_uint_gt(result.acted, 0);
    ck_assert_uint_lt(result.events, pair.run.event_count / 4);
    ck_assert_uint_gt(result.from, pair.run.point_count / 2);
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
