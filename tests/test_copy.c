/* SPDX-License-Identifier: MIT */
/* How long copies take: what bounds them, what is carried, which sectors they touch. */
#include <config.h>

#include <check.h>

#include "devices/core/copy.h"
#include "tests/suites.h"

static const struct copy_rates rates = {.engine = 40, .system = 10, .local = 100};

static const struct {
    struct copy_traffic traffic;
    enum copy_limit limit;
    uint64_t seconds_by_100;
} bounds[] = {
    {{0, 0, false, false}, COPY_LIMIT_NONE, 0},
    {{80, 80, false, false}, COPY_LIMIT_ENGINE, 200},
    {{80, 400, false, false}, COPY_LIMIT_ENGINE, 1000},
    {{80, 0, false, false}, COPY_LIMIT_ENGINE, 200},
    {{80, 80, true, false}, COPY_LIMIT_SYSTEM_READ, 800},
    {{80, 80, false, true}, COPY_LIMIT_SYSTEM_WRITE, 800},
    {{80, 100, true, true}, COPY_LIMIT_SYSTEM_WRITE, 1000},
    {{100, 80, true, true}, COPY_LIMIT_SYSTEM_READ, 1000},
};

/* PROMISE (core): A copy takes its set-up and then as long as the slowest of copy engine, link
 * and memory needs. */
START_TEST(the_slowest_share_bounds_a_copy)
{
    struct copy_carry carry = {0};
    enum copy_limit limit;

    ck_assert_uint_eq(copy_transfer_ps(&carry, &rates, &bounds[_i].traffic, &limit),
                      bounds[_i].seconds_by_100 * (GFE_PS_PER_S / 100));
    ck_assert_int_eq(limit, bounds[_i].limit);
}
END_TEST

START_TEST(local_memory_counts_reads_and_writes)
{
    const struct copy_rates fast_engine = {.engine = 1000, .system = 10, .local = 100};
    const struct copy_traffic traffic = {.read_bytes = 100, .written_bytes = 100};
    struct copy_carry carry = {0};
    enum copy_limit limit;

    ck_assert_uint_eq(copy_transfer_ps(&carry, &fast_engine, &traffic, &limit), 2 * GFE_PS_PER_S);
    ck_assert_int_eq(limit, COPY_LIMIT_LOCAL);
}
END_TEST

/* A thousand copies of a byte at 7 bytes a picosecond take as long as one of a thousand. */
START_TEST(what_a_division_leaves_is_carried)
{
    const struct copy_rates odd = {
        .engine = 7 * GFE_PS_PER_S, .system = 7 * GFE_PS_PER_S, .local = UINT64_MAX};
    const struct copy_traffic one = {.read_bytes = 1}, all = {.read_bytes = 1000};
    struct copy_carry carry = {0}, none = {0};
    enum copy_limit limit;
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < 1000; i++)
        sum += copy_transfer_ps(&carry, &odd, &one, &limit);
    ck_assert_uint_eq(sum, 1000 / 7);
    ck_assert_uint_eq(sum, copy_transfer_ps(&none, &odd, &all, &limit));
}
END_TEST

/* Half a picosecond at one rate is half a picosecond at the other. */
START_TEST(what_is_carried_survives_another_rate)
{
    const struct copy_rates fast = {
        .engine = 2 * GFE_PS_PER_S, .system = 1, .local = 9 * GFE_PS_PER_S};
    const struct copy_rates faster = {
        .engine = 4 * GFE_PS_PER_S, .system = 1, .local = 9 * GFE_PS_PER_S};
    const struct copy_traffic one = {.read_bytes = 1}, two = {.read_bytes = 2};
    struct copy_carry carry = {0};
    enum copy_limit limit;

    ck_assert_uint_eq(copy_transfer_ps(&carry, &fast, &one, &limit), 0);
    ck_assert_uint_eq(copy_transfer_ps(&carry, &faster, &two, &limit), 1);
}
END_TEST

START_TEST(a_copy_that_never_ends_never_ends)
{
    const struct copy_rates slow = {.engine = 1, .system = 1, .local = 1};
    const struct copy_traffic much = {.read_bytes = UINT64_MAX};
    struct copy_carry carry = {0};
    enum copy_limit limit;

    ck_assert_uint_eq(copy_transfer_ps(&carry, &slow, &much, &limit), GFE_PS_NEVER);
}
END_TEST

START_TEST(only_a_pipelined_copy_is_set_up_early)
{
    const struct clock_domain clock = {.frequency_hz = 1000000000}; /* 1000 ps a cycle */

    ck_assert_uint_eq(copy_ready_ps(&clock, 5000, 100000, 10, false), 110000);
    ck_assert_uint_eq(copy_ready_ps(&clock, 5000, 100000, 10, true), 100000);
    ck_assert_uint_eq(copy_ready_ps(&clock, 95000, 100000, 10, true), 105000);
}
END_TEST

START_TEST(bytes_lie_in_whole_sectors)
{
    ck_assert_uint_eq(copy_sector_bytes(0, 0, 32), 0);
    ck_assert_uint_eq(copy_sector_bytes(5, 0, 32), 0);
    ck_assert_uint_eq(copy_sector_bytes(0, 1, 32), 32);
    ck_assert_uint_eq(copy_sector_bytes(31, 1, 32), 32);
    ck_assert_uint_eq(copy_sector_bytes(31, 2, 32), 64);
    ck_assert_uint_eq(copy_sector_bytes(UINT64_C(0x1000000001f), 33, 32), 64);
    ck_assert_uint_eq(copy_sector_bytes(7, 64, 32), 96);
}
END_TEST

/* Against the sum line by line, for pitches of all kinds. */
START_TEST(lines_are_summed_as_if_one_by_one)
{
    static const uint64_t pitches[] = {0, 1, 5, 31, 32, 33, 48, 64, 100, UINT64_MAX - 30};

    for (uint32_t p = 0; p < sizeof pitches / sizeof pitches[0]; p++)
        for (uint64_t lines = 0; lines < 130; lines += 13)
            for (uint64_t bytes = 0; bytes < 70; bytes += 23) {
                uint64_t sum = 0;

                for (uint64_t i = 0; i < lines; i++)
                    sum += copy_sector_bytes(1003 + i * pitches[p], bytes, 32);
                ck_assert_uint_eq(copy_lines_sector_bytes(1003, pitches[p], bytes, lines, 32), sum);
            }
    /* Lines that join touch a sector once. */
    ck_assert_uint_eq(copy_lines_sector_bytes(0, 8, 8, 100, 32), 800);
}
END_TEST

Suite *copy_suite(void)
{
    Suite *suite = suite_create("copy");
    TCase *tcase = tcase_create("time");

    tcase_add_loop_test(tcase, the_slowest_share_bounds_a_copy, 0,
                        sizeof bounds / sizeof bounds[0]);
    tcase_add_test(tcase, local_memory_counts_reads_and_writes);
    tcase_add_test(tcase, what_a_division_leaves_is_carried);
    tcase_add_test(tcase, what_is_carried_survives_another_rate);
    tcase_add_test(tcase, a_copy_that_never_ends_never_ends);
    tcase_add_test(tcase, only_a_pipelined_copy_is_set_up_early);
    tcase_add_test(tcase, bytes_lie_in_whole_sectors);
    tcase_add_test(tcase, lines_are_summed_as_if_one_by_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
