/* SPDX-License-Identifier: MIT */
/*
 * Experiments from snapshots, cut short: each outcome is that of a run from the start to the end.
 * Faults are drawn from all sites of a recording, on NVIDIA's and on AMD's front end, by the space
 * of a plan.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/campaign_pair.h"
#include "tests/check_long.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"

enum { EXPERIMENTS = 220, SLICES = 4, SLICES_SANITIZED = 2 };

#define ANY(site, models) "{\"site\": \"" site "\", \"models\": [" models "]}"
#define NUMBERS           "\"flip\", \"stuck0\", \"stuck1\""

// clang-format off
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
// clang-format on
/* Several that act together: of one family, and of several. */
#define TWO(site, models) "{\"site\": \"" site "\", \"models\": [" models "], \"count\": 2}"
#define WORDS(from, count, times)                                                                  \
    "\"words\": {\"from\": \"" from "\", \"count\": " count "}, \"times\": " times

// clang-format off
static const struct program sets[] = {
    {"compute.gft",
     "{\"programs\": [\"x\"], \"samples\": 880, \"faults\": ["
     TWO("gp_entry", "\"flip\", \"drop\"") "," TWO("doorbell", "\"drop\", \"duplicate\"") ","
     "{\"site\": \"data\", \"models\": [\"flip\", \"stuck1\"], \"count\": 8},"
     "{\"site\": \"memory\", \"models\": [\"flip\"], " WORDS("vid:0x3c04000", "64", "40") ", \"count\": 3},"
     "{\"together\": [" ANY("release", "\"flip\", \"drop\"") "," ANY("interrupt", "\"drop\", \"spurious\"") "]},"
     "{\"together\": [" ANY("gp_put", "\"stuck0\"") ", {\"site\": \"memory\", \"models\": [\"flip\"], "
     WORDS("vid:0x3c04000", "64", "40") ", \"count\": 2}]},"
     "{\"together\": [{\"site\": \"mapping\", \"models\": [\"unmap\", \"read_only\"], \"subjects\": "
     "[\"1:0x1000000\", \"1:0x1100000\"], \"times\": 50}, {\"site\": \"header\", \"models\": [\"flip\"], "
     "\"triggers\": [\"@NV_GP_FETCH#3\", \"@NV_RELEASE#2\"]}]},"
     "{\"together\": [{\"site\": \"data\", \"models\": [\"flip\"], \"triggers\": "
     "[\"@channel_ram.on_pbdma:0==1\"]}," ANY("release", "\"drop\"") "]},"
     "{\"together\": [" ANY("header", "\"flip\"") ", {\"site\": \"channel_ram\", \"models\": [\"flip\"], "
     "\"fields\": [\"enable\"], \"subjects\": [0], \"triggers\": [\"@DRIVER_KILL#1\", \"@1s\"]}]},"
     "{\"together\": [" ANY("gp_entry", "\"flip\"") ", {\"site\": \"interrupt\", \"models\": [\"drop\"], "
     "\"triggers\": [\"@#30\", \"@DRIVER_KILL#1\", \"@channel_ram.enable:0==0\"]}]}]}"},
    {"kfd_kernels.gft",
     "{\"programs\": [\"x\"], \"samples\": 880, \"faults\": ["
     TWO("doorbell", "\"duplicate\"") "," TWO("cu_mask", "\"flip\"") ","
     TWO("block_end", "\"drop\"") "," TWO("aql", "\"flip\"") ","
     "{\"site\": \"doorbell\", \"models\": [\"drop\", \"flip\"], \"count\": 3},"
     "{\"together\": [" ANY("signal", "\"flip\", \"drop\"") "," ANY("interrupt", "\"drop\"") "]},"
     "{\"together\": [{\"site\": \"memory\", \"models\": [\"flip\"], " WORDS("sys:0x0", "262144", "90")
     "}," ANY("grid_end", "\"drop\"") "]}]}"},
};
// clang-format on

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

static void nvidia_sets(void)
{
    campaign_pair_init(&pair, sets[0].file, sets[0].plan);
}

static void amd_sets(void)
{
    campaign_pair_init(&pair, sets[1].file, sets[1].plan);
}

static void teardown(void)
{
    campaign_pair_fini(&pair);
}

/* PROMISE (faults): Each experiment of a campaign comes out as `gfe inject` from the start, in
 * every detail. */
START_TEST(each_outcome_is_that_of_a_run_from_the_start)
{
    uint32_t acted = 0, cut = 0;

    for (uint64_t i = (uint64_t)_i * EXPERIMENTS; i < (uint64_t)(_i + 1) * EXPERIMENTS; i++) {
        struct campaign_result result;
        char text[INJECT_SET_MAX];

        (void)campaign_space_fault(&pair.space, i, text);
        campaign_pair_make(&pair, text, &result);
        acted += result.acted > 0;
        cut += result.stop < pair.run.point_count && result.from != UINT32_MAX;
    }
    ck_assert_uint_gt(acted, EXPERIMENTS / 10);
    ck_assert_uint_gt(cut, 10); /* else nothing is tested */
}
END_TEST

/* Each set is of different faults, in one order; a set is a text that gfe inject takes. */
START_TEST(faults_of_a_set_are_different_and_all_are_there)
{
    for (uint64_t i = 0; i < 400; i++) {
        char text[INJECT_SET_MAX], *at;
        struct inject_fault faults[INJECT_FAULTS_MAX];
        const struct campaign_stratum *stratum;
        struct gfe_error error = {0};
        uint32_t count = 0, expected = 0;

        stratum = &pair.space.strata[campaign_space_fault(&pair.space, i, text)];
        for (uint32_t p = 0; p < stratum->part_count; p++)
            expected += stratum->parts[p].count;
        ck_assert(inject_run_parse_set(&pair.whole, text, faults, &count, &error));
        ck_assert_uint_eq(count, expected);
        ck_assert_uint_gt(count, 1);
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < a; b++)
                ck_assert_msg(strcmp(faults[a].text, faults[b].text) != 0, "%s", text);
        at = strchr(text, ';');
        ck_assert_ptr_nonnull(at);
        *at = ' ';
        ck_assert(!inject_run_parse_set(&pair.whole, text, faults, (count = 0, &count), &error));
    }
}
END_TEST

/* What the run without faults does not have. */
START_TEST(a_second_fault_may_wait_for_what_the_first_brings)
{
    struct campaign_result result;

    campaign_pair_make(&pair, "header.type value=6 @#3; channel_ram.enable:0 flip=0 @DRIVER_KILL#1",
                       &result);
    ck_assert_uint_eq(result.activated, 2);
    campaign_pair_make(&pair, "release drop @#5; channel_ram.enable:0 flip=0 @DRIVER_KILL#1",
                       &result);
    ck_assert_uint_eq(result.activated, 1);
}
END_TEST

/* The size of a space is exact: all of a small one is there once. */
/* PROMISE (faults): A campaign of sets has each set once. */
START_TEST(a_space_of_sets_has_each_once)
{
    static const char plan[] =
        "{\"programs\": [\"x\"], \"exhaustive\": true, \"faults\": [{\"together\": ["
        "{\"site\": \"release\", \"models\": [\"drop\", \"duplicate\"], \"count\": 2},"
        "{\"site\": \"data\", \"models\": [\"flip\"], \"bits\": [0, 5], \"triggers\": [\"@#1\", \"@#9\"]}]}]}";
    static char texts[2000][INJECT_SET_MAX];
    uint64_t passages, pairs;

    campaign_pair_init(&pair, "compute.gft", plan);
    passages = campaign_run_passages(
        &pair.run, inject_site_by_name(&pair.run.simulation.machine->inject->sites, "release"),
        INJECT_ANY);
    pairs = passages * (passages - 1) / 2;
    ck_assert_uint_eq(pair.space.stratum_count, 2);
    ck_assert(pair.space.size == 2 * pairs * 4 && pair.space.size <= 2000);
    ck_assert_uint_eq(pair.space.experiment_count, 2 * pairs * 4);
    for (uint64_t i = 0; i < pair.space.size; i++) {
        ck_assert_uint_eq(campaign_space_fault(&pair.space, i, texts[i]), i / (pairs * 4));
        for (uint64_t k = 0; k < i; k++)
            ck_assert_str_ne(texts[i], texts[k]);
    }
    campaign_pair_fini(&pair);
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
                       &pair.run,
                       inject_site_by_name(&pair.run.simulation.machine->inject->sites, "data"),
                       INJECT_ANY));
    ck_assert_msg(inject_run_parse(&pair.whole, text, &fault, &error), "%s", error.text);
    ck_assert(campaign_run_make(&pair.run, &fault, 1, &result, &error));
    ck_assert_uint_gt(result.acted, 0);
    ck_assert_uint_lt(result.events, pair.run.event_count / 4);
    ck_assert_uint_gt(result.from, pair.run.point_count / 2);
}
END_TEST

Suite *campaign_run_suite(void)
{
    Suite *suite = suite_create("campaign_run");
    TCase *first = tcase_create("nvidia"), *second = tcase_create("amd");
    const int slices = (int)check_long_or(SLICES, SLICES, SLICES_SANITIZED);

    tcase_add_unchecked_fixture(first, nvidia, teardown);
    tcase_add_loop_test(first, each_outcome_is_that_of_a_run_from_the_start, 0, slices);
    tcase_add_test(first, an_experiment_starts_just_before_its_fault);
    suite_add_tcase(suite, first);
    tcase_add_unchecked_fixture(second, amd, teardown);
    tcase_add_loop_test(second, each_outcome_is_that_of_a_run_from_the_start, 0, slices);
    suite_add_tcase(suite, second);
    for (int vendor = 0; vendor < 2; vendor++) {
        TCase *cases = tcase_create(vendor ? "amd, sets" : "nvidia, sets");

        tcase_add_unchecked_fixture(cases, vendor ? amd_sets : nvidia_sets, teardown);
        tcase_add_loop_test(cases, each_outcome_is_that_of_a_run_from_the_start, 0, slices);
        tcase_add_test(cases, faults_of_a_set_are_different_and_all_are_there);
        if (!vendor)
            tcase_add_test(cases, a_second_fault_may_wait_for_what_the_first_brings);
        suite_add_tcase(suite, cases);
    }
    {
        TCase *cases = tcase_create("spaces");

        tcase_add_test(cases, a_space_of_sets_has_each_once);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
