/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/campaign_sample.h"
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
    tcase_add_test(tcase, shards_are_all_of_it_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
