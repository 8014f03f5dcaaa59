/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/suites.h"

/* Seeds as PCG's own pcg32_srandom() does, without splitmix64: state 42, stream 54. */
static struct random_state published_start(void)
{
    struct random_state random = {.increment = 54 << 1 | 1};

    (void)random_next(&random);
    random.state += 42;
    (void)random_next(&random);
    return random;
}

/* Source: github.com/imneme/pcg-c, test-high/expected/check-pcg32.out, round 1. */
START_TEST(the_generator_gives_the_published_numbers)
{
    static const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                        0x83d2f293, 0xbfa4784b, 0xcbed606e};
    struct random_state random = published_start();

    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(random_next(&random), expected[i]);
}
END_TEST

/* The same file; its coins and dice come from pcg32_boundedrand(), after the six numbers above. */
START_TEST(bounded_numbers_are_the_published_coins_and_dice)
{
    static const char coins[] = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT";
    static const uint8_t rolls[] = {3, 4, 1, 1, 2, 2, 3, 2, 4, 3, 2, 4, 3, 3, 5, 2, 3,
                                    1, 3, 1, 5, 1, 4, 1, 5, 6, 4, 6, 6, 2, 6, 3, 3};
    struct random_state random = published_start();

    for (unsigned i = 0; i < 6; i++)
        (void)random_next(&random);
    for (unsigned i = 0; i < sizeof coins - 1; i++)
        ck_assert_int_eq(random_below(&random, 2) ? 'H' : 'T', coins[i]);
    for (unsigned i = 0; i < sizeof rolls; i++)
        ck_assert_uint_eq(random_below(&random, 6) + 1, rolls[i]);
}
END_TEST

/* Sources: prng.di.unimi.it/splitmix64.c run with seed 0; Rosetta Code, "Pseudo-random
 * numbers/Splitmix64", for seed 1234567. */
START_TEST(splitmix64_gives_the_published_numbers)
{
    ck_assert_uint_eq(random_splitmix64(0), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(random_splitmix64(1234567), UINT64_C(6457827717110365317));
}
END_TEST

START_TEST(a_seed_and_a_stream_give_their_numbers_again)
{
    struct random_state a, b, c, d;
    unsigned alike_stream = 0, alike_seed = 0;

    random_seed(&a, 7, 1);
    random_seed(&b, 7, 1);
    random_seed(&c, 7, 2);
    random_seed(&d, 8, 1);
    for (unsigned i = 0; i < 1000; i++) {
        const uint32_t number = random_next(&a);

        ck_assert_uint_eq(random_next(&b), number);
        alike_stream += random_next(&c) == number;
        alike_seed += random_next(&d) == number;
    }
    ck_assert_uint_le(alike_stream, 1);
    ck_assert_uint_le(alike_seed, 1);
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
}
END_TEST

/* Two thirds of all numbers are below 3 * 2^30: a plain remainder would give the lower third twice
 * as often. */
START_TEST(a_large_bound_favours_no_result)
{
    const uint32_t bound = UINT32_C(3) << 30;
    unsigned thirds[3] = {0};
    struct random_state random;

    random_seed(&random, 1, 0);
    for (unsigned i = 0; i < 30000; i++) {
        const uint32_t number = random_below(&random, bound);

        ck_assert_uint_lt(number, bound);
        thirds[number >> 30]++;
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert(thirds[i] > 9600 && thirds[i] < 10400);
}
END_TEST

START_TEST(bounds_of_one_and_of_the_largest_number_work)
{
    struct random_state random;

    random_seed(&random, 3, 3);
    for (unsigned i = 0; i < 100; i++) {
        ck_assert_uint_eq(random_below(&random, 1), 0);
        ck_assert_uint_lt(random_below(&random, UINT32_MAX), UINT32_MAX);
    }
}
END_TEST

Suite *random_suite(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("generator");

    tcase_add_test(tcase, the_generator_gives_the_published_numbers);
    tcase_add_test(tcase, bounded_numbers_are_the_published_coins_and_dice);
    tcase_add_test(tcase, splitmix64_gives_the_published_numbers);
    tcase_add_test(tcase, a_seed_and_a_stream_give_their_numbers_again);
    tcase_add_test(tcase, a_large_bound_favours_no_result);
    tcase_add_test(tcase, bounds_of_one_and_of_the_largest_number_work);
    suite_add_tcase(suite, tcase);
    return suite;
}
