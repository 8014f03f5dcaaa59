/* SPDX-License-Identifier: MIT */
/* What a recorded store, unmapping or end of a queue stands behind. */
#include <config.h>

#include <check.h>

#include "emu/replay/replay_needs.h"
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

static void gpu_writes(uint32_t as_id, uint64_t address, uint32_t queue_id)
{
    ck_assert(replay_needs_written(needs, as_id, address, queue_id));
}

/* PROMISE (replay): A store of a replayed program waits for as many writes of the GPU as came
 * before it in the recording. */
START_TEST(a_store_waits_for_as_many_writes_as_were_in_front_of_it)
{
    const uint32_t bytes = _i ? 1 << 30 : 8; /* of many pages, too */

    ck_assert(replay_needs_range(needs, 0, SIGNAL, bytes, 1)); /* the first: nothing was there */
    gpu_writes(0, SIGNAL, QUEUE);
    gpu_writes(0, SIGNAL, OTHER);
    ck_assert(replay_needs_range(needs, 0, SIGNAL, bytes, 4));
    gpu_writes(0, SIGNAL, QUEUE);
    ck_assert_uint_eq(replay_needs_place_count(needs), 1);
    ck_assert(replay_needs_met(needs, 1, written));
    ck_assert(!replay_needs_met(needs, 4, written));
    written[0] = 1;
    ck_assert(!replay_needs_met(needs, 4, written));
    written[0] = 2;
    ck_assert(replay_needs_met(needs, 4, written));
}
END_TEST

/* A barrier's signal is set anew by one thread; that it has been cleared is the record of another.
 */
START_TEST(a_small_store_stands_behind_those_of_other_threads)
{
    uint32_t place;

    ck_assert(replay_needs_stored(needs, 0, SIGNAL, 8, 1, 1));
    ck_assert(replay_needs_stored(needs, 0, SIGNAL, 8, 1, 2)); /* in its own order anyway */
    ck_assert(replay_needs_stored(needs, 0, SIGNAL, 8, 2, 3));
    ck_assert(replay_needs_stored(needs, 0, SIGNAL, 8, 1, 4));
    ck_assert(replay_needs_stored(needs, 0, SIGNAL, REPLAY_STORE_BYTES_MAX + 1, 2, 5));
    ck_assert(replay_needs_stored(needs, 1, SIGNAL, 8, 2, 6)); /* another space */
    place = replay_needs_store_place(needs, 0, SIGNAL);
    ck_assert_uint_ne(place, UINT32_MAX);
    ck_assert_uint_eq(replay_needs_place(needs, 0, SIGNAL), UINT32_MAX); /* no completion's */
    for (uint64_t number = 1; number <= 6; number++)
        ck_assert(replay_needs_met(needs, number, written) == (number != 3 && number != 4));
    written[place] = 2;
    ck_assert(replay_needs_met(needs, 3, written) && !replay_needs_met(needs, 4, written));
    written[place] = 3;
    ck_assert(replay_needs_met(needs, 4, written));
}
END_TEST

START_TEST(other_addresses_and_spaces_are_others)
{
    gpu_writes(1, SIGNAL, QUEUE);
    gpu_writes(0, SIGNAL + 8, QUEUE);
    ck_assert(replay_needs_range(needs, 0, SIGNAL, 8, 3));
    ck_assert(replay_needs_met(needs, 3, written));
    ck_assert_uint_eq(replay_needs_place(needs, 1, SIGNAL), 0);
    ck_assert_uint_eq(replay_needs_place(needs, 0, SIGNAL + 8), 1);
    ck_assert_uint_eq(replay_needs_place(needs, 0, SIGNAL), UINT32_MAX);
}
END_TEST

START_TEST(the_end_of_a_queue_waits_for_what_it_wrote_last)
{
    gpu_writes(0, SIGNAL, QUEUE);
    gpu_writes(0, SIGNAL + 64, OTHER);
    ck_assert(replay_needs_queue(needs, QUEUE, 3));
    ck_assert(!replay_needs_met(needs, 3, written));
    written[0] = 1;
    ck_assert(replay_needs_met(needs, 3, written));
}
END_TEST

/* Who writes where a copy went stands behind the completion that follows the copy on its queue: not
 * behind that of the copy before, nor of another queue. */
START_TEST(what_was_copied_there_comes_first)
{
    replay_needs_copy(needs, 0, 0x10000, 0x1000, QUEUE);
    replay_needs_asked(needs, QUEUE);
    replay_needs_copy(needs, 0, 0x20000, 0x1000, QUEUE);
    replay_needs_asked(needs, QUEUE);
    ck_assert(replay_needs_range(needs, 0, 0x20000, 64, 1)); /* nobody has seen its end */
    gpu_writes(0, SIGNAL, QUEUE);
    ck_assert(replay_needs_range(needs, 0, 0x20000, 64, 2));
    ck_assert(replay_needs_range(needs, 0, 0x10fff, 64, 3)); /* the last byte */
    ck_assert(replay_needs_range(needs, 0, 0xfff0, 17, 4));  /* the first */
    ck_assert(replay_needs_range(needs, 0, 0xfff0, 16, 5));  /* in front of it */
    ck_assert(replay_needs_range(needs, 1, 0x10000, 64, 6)); /* another space */
    gpu_writes(0, SIGNAL, OTHER);
    gpu_writes(0, SIGNAL, QUEUE);
    ck_assert(replay_needs_range(needs, 0, 0x20000, 64, 7));
    for (uint64_t number = 1; number <= 7; number++)
        ck_assert(replay_needs_met(needs, number, written) ==
                  (number != 3 && number != 4 && number != 7));
    written[0] = 1;
    ck_assert(replay_needs_met(needs, 3, written) && replay_needs_met(needs, 4, written));
    ck_assert(!replay_needs_met(needs, 7, written));
    written[0] = 3;
    ck_assert(replay_needs_met(needs, 7, written));
}
END_TEST

Suite *replay_needs_suite(void)
{
    Suite *suite = suite_create("replay_needs");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_store_waits_for_as_many_writes_as_were_in_front_of_it, 0, 2);
    tcase_add_test(tcase, a_small_store_stands_behind_those_of_other_threads);
    tcase_add_test(tcase, other_addresses_and_spaces_are_others);
    tcase_add_test(tcase, the_end_of_a_queue_waits_for_what_it_wrote_last);
    tcase_add_test(tcase, what_was_copied_there_comes_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
