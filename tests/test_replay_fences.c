/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "emu/replay/replay_fences.h"
#include "tests/suites.h"

enum { CHANNEL = 5, SPACE = 2, OTHER_SPACE = 3 };

static struct replay_fences *fences;
static struct replay_fence *taken;
static uint32_t taken_count;

static void setup(void)
{
    fences = replay_fences_new();
    ck_assert_ptr_nonnull(fences);
    taken = NULL;
}

static void teardown(void)
{
    replay_fences_free(fences);
    free(taken);
}

static enum replay_fences_result written(uint64_t address, uint32_t value)
{
    const struct replay_fence fence = {
        .channel_id = CHANNEL, .value = value, .address = address, .as_id = SPACE};

    return replay_fences_written(fences, &fence);
}

static void take(void)
{
    free(taken);
    ck_assert(replay_fences_take(fences, &taken, &taken_count));
}

START_TEST(without_values_nothing_is_left)
{
    replay_fences_overwritten(fences, SPACE, 0x1000, 0x1000);
    take();
    ck_assert_uint_eq(taken_count, 0);
    ck_assert_ptr_null(taken);
}
END_TEST

START_TEST(the_last_value_of_each_place_is_left_in_order)
{
    const struct replay_fence other = {
        .channel_id = CHANNEL - 1, .value = 9, .address = 0x2000, .as_id = SPACE};

    ck_assert_int_eq(written(0x2000, 1), REPLAY_FENCES_DONE);
    ck_assert_int_eq(written(0x1000, 2), REPLAY_FENCES_DONE);
    ck_assert_int_eq(replay_fences_written(fences, &other), REPLAY_FENCES_DONE);
    ck_assert_int_eq(written(0x2000, 3), REPLAY_FENCES_DONE);
    take();
    ck_assert_uint_eq(taken_count, 3);
    ck_assert_uint_eq(taken[0].address, 0x1000);
    ck_assert_uint_eq(taken[1].channel_id, CHANNEL - 1);
    ck_assert_uint_eq(taken[1].value, 9);
    ck_assert_uint_eq(taken[2].channel_id, CHANNEL);
    ck_assert_uint_eq(taken[2].value, 3);
    ck_assert_uint_eq(taken[2].write_count, 2);
}
END_TEST

/* In whatever order they are written. */
START_TEST(values_of_one_place_are_in_the_order_of_their_channels)
{
    for (uint32_t i = 0; i < 16; i++) {
        const struct replay_fence fence = {
            .channel_id = i * 5 % 16, .value = i, .address = 0x2000, .as_id = SPACE};

        ck_assert_int_eq(replay_fences_written(fences, &fence), REPLAY_FENCES_DONE);
    }
    take();
    ck_assert_uint_eq(taken_count, 16);
    for (uint32_t i = 0; i < taken_count; i++)
        ck_assert_uint_eq(taken[i].channel_id, i);
}
END_TEST

/* A query's memory goes to the next buffer that the program makes. */
START_TEST(a_later_channel_of_the_same_number_has_values_of_its_own)
{
    ck_assert_int_eq(written(0x2000, 1), REPLAY_FENCES_DONE);
    replay_fences_channel_end(fences, CHANNEL, 70);
    ck_assert_int_eq(written(0x2000, 2), REPLAY_FENCES_DONE);
    take();
    ck_assert_uint_eq(taken_count, 2);
    for (uint32_t i = 0; i < taken_count; i++)
        ck_assert_uint_eq(taken[i].end_number, taken[i].value == 1 ? 70 : REPLAY_NO_RECORD);
}
END_TEST

START_TEST(a_value_that_the_program_overwrote_is_not_left)
{
    written(0x1ffc, 1);
    written(0x2010, 2);
    written(0x2014, 3);
    written(0x2018, 4);
    replay_fences_overwritten(fences, SPACE, 0x2014, 4);
    replay_fences_overwritten(fences, SPACE, 0x2000, 0x10);
    replay_fences_overwritten(fences, OTHER_SPACE, 0x2018, 4);
    take();
    ck_assert_uint_eq(taken_count, 3);
    ck_assert_uint_eq(taken[0].address, 0x1ffc);
    ck_assert_uint_eq(taken[1].address, 0x2010);
    ck_assert_uint_eq(taken[2].address, 0x2018);
    written(0x2014, 5);
    take();
    ck_assert_uint_eq(taken_count, 4);
    ck_assert_uint_eq(taken[2].value, 5);
}
END_TEST

START_TEST(there_are_only_so_many_places)
{
    for (uint32_t i = 0; i < REPLAY_FENCES_MAX; i++)
        ck_assert_int_eq(written(16 * (uint64_t)i, i), REPLAY_FENCES_DONE);
    ck_assert_int_eq(written(8, 1), REPLAY_FENCES_FULL);
    ck_assert_int_eq(written(16, 77), REPLAY_FENCES_DONE);
    for (uint64_t page = 0; page < 16 * (uint64_t)REPLAY_FENCES_MAX; page += 0x1000)
        replay_fences_overwritten(fences, SPACE, page, page == 0 ? 0 : 0x1000);
    take();
    ck_assert_uint_eq(taken_count, 0x1000 / 16);
    ck_assert_uint_eq(taken[1].value, 77);
}
END_TEST

Suite *replay_fences_suite(void)
{
    Suite *suite = suite_create("replay_fences");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, without_values_nothing_is_left);
    tcase_add_test(tcase, the_last_value_of_each_place_is_left_in_order);
    tcase_add_test(tcase, values_of_one_place_are_in_the_order_of_their_channels);
    tcase_add_test(tcase, a_later_channel_of_the_same_number_has_values_of_its_own);
    tcase_add_test(tcase, a_value_that_the_program_overwrote_is_not_left);
    tcase_add_test(tcase, there_are_only_so_many_places);
    suite_add_tcase(suite, tcase);
    return suite;
}
