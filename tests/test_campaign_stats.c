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

START_TEST(looks_are_a_quarter_a_half_and_all)
{
    ck_assert_uint_eq(campaign_look(16641, 0), 4161);
    ck_assert_uint_eq(campaign_look(16641, 1), 8321);
    ck_assert_uint_eq(campaign_look(16641, 2), 16641);
    ck_assert_uint_eq(campaign_look(1, 0), 1);
}
END_TEST

Suite *campaign_stats_suite(void)
{
    Suite *suite = suite_create("campaign_stats");
    TCase *tcase = tcase_create("numbers");

    tcase_add_test(tcase, sample_sizes_are_those_of_leveugle);
    tcase_add_test(tcase, looks_are_a_quarter_a_half_and_all);
    suite_add_tcase(suite, tcase);
    return suite;
}
