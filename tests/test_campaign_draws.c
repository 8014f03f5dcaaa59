/* SPDX-License-Identifier: MIT */
/* Faults drawn without replacement. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "emu/faults/campaign_draws.h"
#include "tests/suites.h"

START_TEST(an_order_has_each_number_once)
{
    static const uint32_t sizes[] = {1, 2, 3, 7, 64, 1000, 4099};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct campaign_shuffle shuffle;
            uint8_t seen[4099] = {0};

            ck_assert(campaign_shuffle_init(&shuffle, sizes[i], seed));
            for (uint32_t k = 0; k < sizes[i]; k++) {
                const campaign_wide at = campaign_shuffle_at(&shuffle, k);

                ck_assert(at < sizes[i] && !seen[at]);
                seen[at] = 1;
            }
            campaign_shuffle_fini(&shuffle);
        }
}
END_TEST

/* Chi-squared with 23 degrees of freedom stays below 58 but once in ten thousand times: all 24
 * orders of four numbers, over seeds. */
START_TEST(each_order_is_as_likely)
{
    uint64_t counts[256] = {0}, chi = 0, orders = 0;

    for (uint64_t seed = 0; seed < 24000; seed++) {
        struct campaign_shuffle shuffle;
        uint32_t order = 0;

        ck_assert(campaign_shuffle_init(&shuffle, 4, seed));
        for (uint32_t k = 0; k < 4; k++)
            order = order << 2 | (uint32_t)campaign_shuffle_at(&shuffle, k);
        counts[order]++;
        campaign_shuffle_fini(&shuffle);
    }
    for (uint32_t i = 0; i < 256; i++)
        if (counts[i] > 0) {
            orders++;
            chi += (counts[i] - 1000) * (counts[i] - 1000);
        }
    ck_assert_uint_eq(orders, 24);
    ck_assert_uint_lt(chi / 1000, 58);
}
END_TEST

/* In a space of many faults, any two of the first three draws fall into the same half as often as
 * into different ones, and each bit of a draw is 0 as often as 1. */
START_TEST(draws_of_a_wide_space_are_spread)
{
    const campaign_wide size = ((campaign_wide)1 << 100) + 12345;
    uint32_t same[3] = {0}, ones[100] = {0};

    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct campaign_shuffle shuffle;
        bool low[3];

        ck_assert(campaign_shuffle_init(&shuffle, size, seed));
        for (uint32_t k = 0; k < 3; k++) {
            const campaign_wide at = campaign_shuffle_at(&shuffle, k);

            ck_assert(at < size);
            low[k] = at < size / 2;
            for (uint32_t b = 0; k == 0 && b < 100; b++)
                ones[b] += (uint32_t)(at >> b & 1);
        }
        for (uint32_t k = 0; k < 3; k++)
            same[k] += low[k] == low[(k + 1) % 3];
        campaign_shuffle_fini(&shuffle);
    }
    for (uint32_t k = 0; k < 3; k++)
        ck_assert_msg(same[k] > 900 && same[k] < 1100, "%u: %u", k, same[k]); /* 4.5 sigma */
    for (uint32_t b = 0; b < 100; b++)
        ck_assert_msg(ones[b] > 890 && ones[b] < 1110, "bit %u: %u", b, ones[b]);
}
END_TEST

static void check_shares(const campaign_wide *sizes, const uint64_t *expected, uint32_t count,
                         uint64_t draws)
{
    struct campaign_draws made;
    uint64_t got[6] = {0};
    uint8_t seen[6][128] = {{0}};

    ck_assert(campaign_draws_init(&made, sizes, count, 7));
    for (uint64_t i = 0; i < draws; i++) {
        campaign_wide index;
        const uint32_t stratum = campaign_draws_at(&made, i, &index);

        ck_assert(stratum < count && index < sizes[stratum]);
        got[stratum]++;
        if (sizes[stratum] <= 128)
            ck_assert_msg(!seen[stratum][index]++, "%u twice", stratum);
    }
    for (uint32_t s = 0; s < count; s++)
        ck_assert_msg(got[s] == expected[s], "stratum %u: %llu of %llu", s,
                      (unsigned long long)got[s], (unsigned long long)expected[s]);
    campaign_draws_fini(&made);
}

/* PROMISE (faults): Faults are drawn without replacement; strata smaller than their share are made
 * whole, and the others share the rest. */
START_TEST(small_strata_are_drawn_whole_and_the_rest_is_shared)
{
    /* The strata of the report that gave 89 draws to each. */
    check_shares((const campaign_wide[]){1, 1, 2, 2, 2, 14}, (const uint64_t[]){1, 1, 2, 2, 2, 14},
                 6, 22);
    check_shares((const campaign_wide[]){1, 1, 2, 2, 2, 14}, (const uint64_t[]){1, 1, 2, 2, 2, 6},
                 6, 14);
    check_shares((const campaign_wide[]){100, 3, CAMPAIGN_WIDE_MAX / 4, 100},
                 (const uint64_t[]){33, 3, 33, 33}, 4, 102);
    check_shares((const campaign_wide[]){5, 5, 5}, (const uint64_t[]){2, 2, 1}, 3, 5);
    check_shares((const campaign_wide[]){1}, (const uint64_t[]){1}, 1, 1);
}
END_TEST

/* What was drawn once stays so, on every machine and in every version. */
START_TEST(a_draw_depends_on_seed_sizes_and_number_alone)
{
    static const campaign_wide sizes[] = {1000, UINT64_C(1) << 40};
    struct campaign_draws draws;
    campaign_wide index;

    ck_assert(campaign_draws_init(&draws, sizes, 2, 1));
    ck_assert_uint_eq(campaign_draws_at(&draws, 0, &index), 1);
    ck_assert_uint_eq((uint64_t)index, UINT64_C(179616625791));
    ck_assert_uint_eq(campaign_draws_at(&draws, 1999, &index), 0);
    ck_assert_uint_eq((uint64_t)index, 696);
    ck_assert_uint_eq(campaign_draws_at(&draws, UINT64_C(1) << 39, &index), 1);
    ck_assert_uint_eq((uint64_t)index, UINT64_C(276527409700));
    campaign_draws_fini(&draws);
}
END_TEST

Suite *campaign_draws_suite(void)
{
    Suite *suite = suite_create("campaign_draws");
    TCase *tcase = tcase_create("draws");

    tcase_add_test(tcase, an_order_has_each_number_once);
    tcase_add_test(tcase, each_order_is_as_likely);
    tcase_add_test(tcase, draws_of_a_wide_space_are_spread);
    tcase_add_test(tcase, small_strata_are_drawn_whole_and_the_rest_is_shared);
    tcase_add_test(tcase, a_draw_depends_on_seed_sizes_and_number_alone);
    suite_add_tcase(suite, tcase);
    return suite;
}
