/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/faults/campaign_sample.h"
#include "tests/suites.h"

START_TEST(a_sample_depends_on_the_plan_and_its_number_alone)
{
    const uint64_t seed = campaign_seed("0123456789abcdeffedc");

    ck_assert_uint_eq(seed, UINT64_C(0x0123456789abcdef));
    for (uint64_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(campaign_draw(seed, i, 1000), campaign_draw(seed, i, 1000));
        ck_assert_uint_eq(campaign_draw(seed, i, 1), 0);
    }
    /* What was drawn once stays so, on every machine and in every version. */
    ck_assert_uint_eq(campaign_draw(1, 0, UINT64_C(1) << 40), UINT64_C(0x2a43dc3d68));
    ck_assert_uint_eq(campaign_draw(1, UINT64_C(5) << 32, 1000), 872);
}
END_TEST

/* Chi-squared with 15 degrees of freedom stays below 45 but once in ten thousand times. */
/* PROMISE (faults): Samples are uniform, and depend on the plan and their number alone. */
START_TEST(each_number_is_drawn_as_often)
{
    uint64_t counts[16] = {0}, chi = 0;

    for (uint64_t i = 0; i < 16000; i++)
        counts[campaign_draw(42, i, 16)]++;
    for (unsigned k = 0; k < 16; k++)
        chi += (counts[k] - 1000) * (counts[k] - 1000);
    ck_assert_uint_lt(chi / 1000, 45);
    /* Bounds that divide 2^64 worst. */
    for (uint64_t i = 0; i < 1000; i++)
        ck_assert_uint_lt(campaign_draw(42, i, (UINT64_C(1) << 63) + 1), (UINT64_C(1) << 63) + 1);
}
END_TEST

/* Bits of what is drawn of a wide space are 0 as often as 1, and it is within. */
START_TEST(wide_numbers_are_drawn)
{
    const campaign_wide bound = ((campaign_wide)1 << 100) + 12345;
    uint32_t ones[100] = {0};

    for (uint64_t i = 0; i < 4000; i++) {
        const campaign_wide number = campaign_draw_wide(7, i, bound);

        ck_assert(number < bound);
        ck_assert(campaign_draw_wide(7, i, 1000) == campaign_draw(7, i, 1000));
        for (unsigned k = 0; k < 100; k++)
            ones[k] += (uint32_t)(number >> k & 1);
    }
    for (unsigned k = 0; k < 100; k++)
        ck_assert_msg(ones[k] > 1800 && ones[k] < 2200, "bit %u: %u", k, ones[k]);
}
END_TEST

START_TEST(each_set_comes_once)
{
    static const struct {
        uint64_t of;
        uint32_t count;
        uint64_t sets;
    } rows[] = {{1, 1, 1}, {5, 1, 5}, {5, 2, 10}, {7, 3, 35}, {8, 8, 1}, {12, 5, 792}, {3, 4, 0}};
    char text[CAMPAIGN_WIDE_BYTES];
    campaign_wide number;
    uint64_t things[8];

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint8_t seen[1 << 12] = {0};

        ck_assert(campaign_sets(rows[r].of, rows[r].count) == rows[r].sets);
        for (uint64_t i = 0; i < rows[r].sets; i++) {
            uint32_t bits = 0;

            campaign_set(rows[r].of, rows[r].count, i, things);
            for (uint32_t k = 0; k < rows[r].count; k++) {
                ck_assert_uint_lt(things[k], k > 0 ? things[k - 1] : rows[r].of);
                bits |= 1u << things[k];
            }
            ck_assert_uint_eq(seen[bits]++, 0);
        }
    }
    /* Large ones are exact, and what is too many is said. */
    ck_assert(campaign_sets(UINT64_C(1) << 32, 2) == UINT64_C(0x7fffffff80000000));
    campaign_wide_text(campaign_sets(1000, 8), text);
    ck_assert_str_eq(text, "24115080524699431125");
    ck_assert(campaign_wide_parse(text, &number) && number == campaign_sets(1000, 8));
    ck_assert(campaign_sets(UINT64_C(1) << 62, 2) <= CAMPAIGN_WIDE_MAX);
    ck_assert(campaign_sets(UINT64_C(1) << 62, 3) > CAMPAIGN_WIDE_MAX);
    ck_assert(!campaign_wide_parse("", &number) && !campaign_wide_parse("12x", &number));
    ck_assert(!campaign_wide_parse("99999999999999999999999999999999999999999", &number));
    campaign_set(1000, 8, campaign_sets(1000, 8) - 1, things);
    ck_assert(things[0] == 999 && things[7] == 992);
    campaign_set(UINT64_C(1) << 32, 2, UINT64_C(0x7fffffff80000000) - 1, things);
    ck_assert(things[0] == UINT32_MAX && things[1] == UINT32_MAX - 1);
}
END_TEST

START_TEST(shards_are_all_of_it_once)
{
    static const uint64_t counts[] = {0, 1, 7, 100, 16641, UINT64_MAX};

    for (unsigned c = 0; c < 6; c++)
        for (uint32_t shards = 1; shards < 20; shards++) {
            uint64_t at = 0;

            for (uint32_t shard = 1; shard <= shards; shard++) {
                uint64_t first, last;

                campaign_shard(counts[c], shard, shards, &first, &last);
                ck_assert_uint_eq(first, at);
                ck_assert(last == first || last - first - 1 <= counts[c] / shards);
                at = last;
            }
            ck_assert_uint_eq(at, counts[c]);
        }
}
END_TEST

Suite *campaign_sample_suite(void)
{
    Suite *suite = suite_create("campaign_sample");
    TCase *tcase = tcase_create("samples");

    tcase_add_test(tcase, a_sample_depends_on_the_plan_and_its_number_alone);
    tcase_add_test(tcase, each_number_is_drawn_as_often);
    tcase_add_test(tcase, wide_numbers_are_drawn);
    tcase_add_test(tcase, each_set_comes_once);
    tcase_add_test(tcase, shards_are_all_of_it_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
