/* SPDX-License-Identifier: MIT */
/*
 * Experiments that are not made, or start later than their fault: each is made after all, from the
 * start to the end, and comes to the same.  Faults of memory are put right before, at and behind
 * the accesses that the run without faults has.
 */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "emu/faults/campaign_prune.h"
#include "tests/campaign_pair.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"

enum { ACCESSES = 60, STUCK = 300 };

#define STUCK_AT(site) "{\"site\": \"" site "\", \"models\": [\"stuck0\", \"stuck1\"]}"

#define VALUE_AT(site)                                                                             \
    "{\"site\": \"" site "\", \"models\": [\"value\"], \"values\": [0, 1, 2, 3, 4, 5]}"

// clang-format off
static const struct program {
    const char *file, *plan;
} programs[] = {
    {"compute.gft",
     "{\"programs\": [\"x\"], \"samples\": 300, \"faults\": [" STUCK_AT("gp_put") "," STUCK_AT(
         "gp_entry") "," STUCK_AT("header") "," STUCK_AT("data") "," STUCK_AT("release") ","
     STUCK_AT("ramfc_load") "," STUCK_AT("runlist_submit") "," VALUE_AT("gp_put") "," VALUE_AT("gp_get") "," VALUE_AT("data") ", {\"site\": \"header\", \"models\": "
     "[\"stuck0\", \"stuck1\"], \"times\": 50, \"subjects\": [0, 1]}]}"},
    {"kfd_kernels.gft",
     "{\"programs\": [\"x\"], \"samples\": 300, \"faults\": [" STUCK_AT("doorbell") "," STUCK_AT(
         "aql") "," STUCK_AT("kernel") "," STUCK_AT("mqd_load") "," STUCK_AT("map_queues") ","
     STUCK_AT("cu_mask") "," STUCK_AT("signal") "," VALUE_AT("wptr") "," VALUE_AT("vmid") "]}"},
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

static void teardown(void)
{
    campaign_pair_fini(&pair);
}

static uint32_t values_pruned;

/* How often an experiment was not made, started later than its fault, and did neither. */
struct tally {
    uint32_t pruned, moved, made;
};

static void count(const char *text, const struct campaign_result *result, struct tally *tally)
{
    struct inject_fault fault;
    struct gfe_error error = {0};

    ck_assert(inject_run_parse(&pair.whole, text, &fault, &error));
    values_pruned += result->pruned && fault.model == INJECT_VALUE;
    if (result->pruned)
        tally->pruned++;
    else if (result->from > campaign_run_start(&pair.run, &fault))
        tally->moved++;
    else
        tally->made++;
}

static void inverted(const struct campaign_access *access, gfe_ps time_ps, uint32_t bit,
                     struct tally *tally)
{
    const uint64_t page = access->page & ~(UINT64_C(1) << 63);
    struct campaign_result result;
    char text[INJECT_SET_MAX];

    if (time_ps > pair.run.end_ps)
        return;
    (void)snprintf(text, sizeof text, "memory:%s:0x%" PRIx64 " flip=%" PRIu32 " @%" PRIu64 "ps",
                   access->page >> 63 ? "sys" : "vid",
                   page * MEMORY_PAGE_BYTES + access->offset / 4 * 4, bit, time_ps);
    campaign_pair_make(&pair, text, &result);
    count(text, &result, tally);
}

/* PROMISE (faults): What a pruned campaign does not run, or starts later, comes to the same as a
 * run from the start. */
START_TEST(what_is_known_of_memory_is_so)
{
    const struct campaign_accesses *accesses = &pair.run.accesses;
    const uint32_t step = accesses->count / ACCESSES + 1;
    struct tally tally = {0};

    for (uint32_t i = 0; i < accesses->count; i += step) {
        const struct campaign_access *access = &accesses->rows[i];
        const uint32_t bit = 8 * (access->offset % 4) + i % 8;

        inverted(access, access->time_ps, bit, &tally);
        inverted(access, access->time_ps + 1, bit, &tally);
        inverted(access, access->time_ps - (access->time_ps > 0), bit, &tally);
        inverted(access, access->time_ps / 2, 31, &tally);
        inverted(access, 0, bit, &tally);
    }
    ck_assert_msg(tally.pruned > 10 && tally.moved > 10 && tally.made > 10,
                  "%u pruned, %u moved, %u made", tally.pruned, tally.moved, tally.made);
}
END_TEST

START_TEST(a_bit_that_is_stuck_at_what_it_is_does_nothing)
{
    struct tally tally = {0};

    values_pruned = 0;
    for (uint64_t i = 0; i < STUCK; i++) {
        struct campaign_result result;
        char text[INJECT_SET_MAX];

        (void)campaign_space_fault(&pair.space, i, text);
        campaign_pair_make(&pair, text, &result);
        count(text, &result, &tally);
    }
    ck_assert_msg(tally.pruned > 10 && tally.made > 10, "%u pruned, %u moved, %u made",
                  tally.pruned, tally.moved, tally.made);
    ck_assert_uint_gt(values_pruned, 2);
}
END_TEST

START_TEST(who_does_not_want_it_has_all_made)
{
    pair.run.prunes = false;
    for (uint64_t i = 0; i < STUCK / 4; i++) {
        struct campaign_result result;
        char text[INJECT_SET_MAX];

        (void)campaign_space_fault(&pair.space, i, text);
        campaign_pair_make(&pair, text, &result);
        ck_assert(!result.pruned);
    }
    pair.run.prunes = true;
}
END_TEST

Suite *campaign_prune_suite(void)
{
    Suite *suite = suite_create("campaign_prune");
    TCase *cases[] = {tcase_create("nvidia"), tcase_create("amd")};

    tcase_add_unchecked_fixture(cases[0], nvidia, teardown);
    tcase_add_unchecked_fixture(cases[1], amd, teardown);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        tcase_add_test(cases[i], what_is_known_of_memory_is_so);
        tcase_add_test(cases[i], a_bit_that_is_stuck_at_what_it_is_does_nothing);
        tcase_add_test(cases[i], who_does_not_want_it_has_all_made);
        suite_add_tcase(suite, cases[i]);
    }
    return suite;
}
