/* SPDX-License-Identifier: MIT */
/* What a recorded store, unmapping or end of a queue stands behind. */
#include <config.h>

#include <check.h>

#include "emu/replay_needs.h"
#include "tests/suites.h"

#define SIGNAL UINT64_C(0x7f0000001008)
enum { QUEUE = 3, OTHER = 4 };

static struct replay_needs *needs;
static uint32_t written[8];

static void setup(void)
{
    needs = replay_needs_new();
    ck_assert_ptr_nonnull(needs);
    for (uint32_t i = 0; i < 8; i++)
        written[i] = 0;
}

static void teardown(void)
{
    replay_needs_free(needs);
}

static void gpu_writes(uint32_t as_id, uint64_t address, uint32_t queue_id, uint64_t number)
{
    ck_assert(replay_needs_written(needs, as_id, address, queue_id, number, false));
}

START_TEST(a_store_waits_for_as_many_writes_as_were_in_front_of_it)
{
    const uint32_t bytes = _i ? 1 << 30 : 8; /* of many pages, too */

    ck_assert(replay_needs_range(needs, 0, SIGNAL, bytes, 1)); /* the first: nothing was there */
    gpu_writes(0, SIGNAL, QUEUE, 2);
    gpu_writes(0, SIGNAL, OTHER, 3);
    ck_assert(replay_needs_range(needs, 0, SIGNAL, bytes, 4));
    gpu_writes(0, SIGNAL, QUEUE, 5);
    ck_assert_uint_eq(replay_needs_place_count(needs), 1);
    ck_assert(replay_needs_met(needs, 1, written));
    ck_assert(!replay_needs_met(needs, 4, written));
    written[0] = 1;
    ck_assert(!replay_needs_met(needs, 4, written));
    written[0] = 2;
    ck_assert(replay_needs_met(needs, 4, written));
}
END_TEST

START_TEST(other_addresses_and_spaces_are_others)
{
    gpu_writes(1, SIGNAL, QUEUE, 1);
    gpu_writes(0, SIGNAL + 8, QUEUE, 2);
    ck_assert(replay_needs_range(needs, 0, SIGNAL, 8, 3));
    ck_assert(replay_needs_met(needs, 3, written));
    ck_assert_uint_eq(replay_needs_place(needs, 1, SIGNAL), 0);
    ck_assert_uint_eq(replay_needs_place(needs, 0, SIGNAL + 8), 1);
    ck_assert_uint_eq(replay_needs_place(needs, 0, SIGNAL), UINT32_MAX);
}
END_TEST

START_TEST(the_end_of_a_queue_waits_for_what_it_wrote_last)
{
    gpu_writes(0, SIGNAL, QUEUE, 1);
    gpu_writes(0, SIGNAL + 64, OTHER, 2);
    ck_assert(replay_needs_queue(needs, QUEUE, 3));
    ck_assert(!replay_needs_met(needs, 3, written));
    written[0] = 1;
    ck_assert(replay_needs_met(needs, 3, written));
}
END_TEST

/* A queue that the replay stands in for: behind its doorbell, and what others had done. */
START_TEST(what_the_replay_writes_itself_comes_behind_its_doorbell)
{
    gpu_writes(0, SIGNAL, QUEUE, 1);
    ck_assert(replay_needs_rung(needs, OTHER, 2));
    ck_assert(replay_needs_written(needs, 0, SIGNAL + 64, OTHER, 3, true));
    ck_assert(replay_needs_written(needs, 0, SIGNAL + 64, OTHER, 4, true));
    ck_assert_uint_eq(replay_needs_doorbell(needs, OTHER), 1);
    written[0] = 1;
    ck_assert(!replay_needs_met(needs, 3, written));
    written[1] = 1;
    ck_assert(replay_needs_met(needs, 3, written));
    ck_assert(replay_needs_met(needs, 4, written)); /* nothing since */
}
END_TEST

Suite *replay_needs_suite(void)
{
    Suite *suite = suite_create("replay_needs");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_store_waits_for_as_many_writes_as_were_in_front_of_it, 0, 2);
    tcase_add_test(tcase, other_addresses_and_spaces_are_others);
    tcase_add_test(tcase, the_end_of_a_queue_waits_for_what_it_wrote_last);
    tcase_add_test(tcase, what_the_replay_writes_itself_comes_behind_its_doorbell);
    suite_add_tcase(suite, tcase);
    return suite;
}
