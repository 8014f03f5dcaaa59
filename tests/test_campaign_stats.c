/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/faults/campaign_stats.h"
#include "tests/suites.h"

/* Table 1 of Leveugle et al. 2009 and its formula, for the worst case p = 1/2. */
/* PROMISE (faults): Sample sizes are those of Leveugle et al. (2009). */
START_TEST(sample_sizes_are_those_of_leveugle)
{
    static const struct {
        uint64_t space;
        uint32_t margin_ppm, confidence_ppm;
        uint64_t size;
    } rows[] = {
        {0, 10000, 990000, 16641},    {0, 10000, 950000, 9604},   {0, 50000, 950000, 385},
        {0, 1000, 998000, 2387025},   {1000, 50000, 950000, 278}, {1, 10000, 990000, 1},
        {10000, 10000, 950000, 4900},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_uint_eq(
            campaign_sample_size(rows[i].space, rows[i].margin_ppm,
                                 campaign_level(rows[i].confidence_ppm)->t_hundredths),
            rows[i].size);
    ck_assert_ptr_null(campaign_level(970000));
}
END_TEST

/* Values of R's prop.test(correct = FALSE), 95 %. */
/* PROMISE (faults): Intervals are Wilson's. */
START_TEST(intervals_are_wilsons)
{
    static const struct {
        uint64_t count, total;
        uint32_t low_ppm, high_ppm;
    } rows[] = {
        {0, 0, 0, 1000000},      {0, 10, 0, 277533},    {10, 10, 722467, 1000000},
        {5, 10, 236593, 763407}, {1, 100, 1767, 54486}, {50, 100, 403831, 596169},
        {1, 1000000, 0, 6},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t low, high;

        campaign_interval(rows[i].count, rows[i].total, campaign_level(950000)->z_ppm, &low, &high);
        ck_assert_uint_le(low, rows[i].low_ppm + 20);
        ck_assert_uint_ge(low + 100, rows[i].low_ppm); /* z has three digits here */
        ck_assert_uint_ge(high + 20, rows[i].high_ppm);
        ck_assert_uint_le(high, rows[i].high_ppm + 100);
    }
}
END_TEST

START_TEST(an_interval_of_great_numbers_holds_the_share)
{
    for (uint64_t total = 1; total < UINT64_C(1) << 40; total = total * 7 + 1)
        for (uint64_t part = 0; part <= 4; part++) {
            const uint64_t count = total / 4 * part;
            uint32_t low, high;

            campaign_interval(count, total, campaign_level(990000)->z_ppm, &low, &high);
            ck_assert_uint_le(low, (uint64_t)((unsigned __int128)count * CAMPAIGN_PPM / total));
            ck_assert_uint_ge(high, (uint64_t)((unsigned __int128)count * CAMPAIGN_PPM / total));
            ck_assert_uint_le(high, CAMPAIGN_PPM);
        }
}
END_TEST

START_TEST(looks_are_a_quarter_a_half_and_all)
{
    static const uint64_t half[] = {500, 0, 500}, rare[] = {999, 1};

    ck_assert_uint_eq(campaign_look(16641, 0), 4161);
    ck_assert_uint_eq(campaign_look(16641, 1), 8321);
    ck_assert_uint_eq(campaign_look(16641, 2), 16641);
    ck_assert_uint_eq(campaign_look(1, 0), 1);
    ck_assert(!campaign_is_precise(half, 3, 1000, campaign_level(950000)->corrected_ppm, 10000));
    ck_assert(campaign_is_precise(half, 3, 1000, campaign_level(950000)->corrected_ppm, 40000));
    ck_assert(campaign_is_precise(rare, 2, 1000, campaign_level(950000)->corrected_ppm, 10000));
    ck_assert(!campaign_is_precise(rare, 0, 0, 1, 1));
}
END_TEST

Suite *campaign_stats_suite(void)
{
    Suite *suite = suite_create("campaign_stats");
    TCase *tcase = tcase_create("numbers");

    tcase_add_test(tcase, sample_sizes_are_those_of_leveugle);
    tcase_add_test(tcase, intervals_are_wilsons);
    tcase_add_test(tcase, an_interval_of_great_numbers_holds_the_share);
    tcase_add_test(tcase, looks_are_a_quarter_a_half_and_all);
    suite_add_tcase(suite, tcase);
    return suite;
}
