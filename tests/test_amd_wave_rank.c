/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "devices/amd/amd_wave_rank.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

/* The waves in the order of their places must have ascending work, and of equal work ascending
 * numbers. */
static void check_ranks(uint32_t count, const uint64_t *work_ps)
{
    uint32_t places[AMD_BLOCK_WAVES_MAX], at[AMD_BLOCK_WAVES_MAX] = {0}, seen = 0;

    amd_wave_rank(count, work_ps, places);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_lt(places[i], count);
        at[places[i]] = i;
        seen |= 1u << places[i];
    }
    ck_assert_uint_eq(seen, (1u << count) - 1);
    for (uint32_t n = 1; n < count; n++) {
        ck_assert(work_ps[at[n - 1]] <= work_ps[at[n]]);
        ck_assert(work_ps[at[n - 1]] != work_ps[at[n]] || at[n - 1] < at[n]);
    }
}

/* Alike, near each other, and so far apart that they are ranked in another way. */
START_TEST(waves_are_in_the_order_of_their_work)
{
    static const uint64_t spreads[] = {1, 2, 5, 1000, 67108864, 134217729, 4294967295};
    uint64_t work_ps[AMD_BLOCK_WAVES_MAX];
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 6);
    for (uint32_t n = 0; n < 7 * 100; n++) {
        const uint64_t least = (uint64_t)random_next(&random) << random_below(&random, 28);

        for (uint32_t i = 0; i < AMD_BLOCK_WAVES_MAX; i++)
            work_ps[i] = least + random_next(&random) % spreads[n % 7];
        check_ranks((uint32_t)_i, work_ps);
    }
}
END_TEST

/* Just within what 32 bits hold, and just outside, on both sides of the first one. */
START_TEST(the_farthest_ones_are_in_order)
{
    const uint64_t half = UINT64_C(1) << 26, middle = UINT64_C(1) << 40;

    for (uint32_t i = 0; i < 16; i++) {
        const uint64_t work_ps[4] = {middle, middle - half - 1 + i % 3, middle + half - 1 + i / 4,
                                     middle + 1};

        check_ranks(4, work_ps);
    }
}
END_TEST

Suite *amd_wave_rank_suite(void)
{
    Suite *suite = suite_create("amd_wave_rank");
    TCase *tcase = tcase_create("ranks");

    tcase_add_loop_test(tcase, waves_are_in_the_order_of_their_work, 1, AMD_BLOCK_WAVES_MAX + 1);
    tcase_add_test(tcase, the_farthest_ones_are_in_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
