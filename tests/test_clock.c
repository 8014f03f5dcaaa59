/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/base/clock.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

/* Frequencies whose periods are no whole number of picoseconds, and the ends of the range. */
static const uint64_t frequencies[] = {
    1,
    3,
    7,
    27000000,
    31250000,
    540000000,
    1404000000,
    1506000000,
    1708500000,
    2147483647,
    999999999989,
    1000000000000,
    UINT64_C(18446744073709551557),
    UINT64_MAX,
};
enum { FREQUENCY_COUNT = sizeof frequencies / sizeof frequencies[0] };

static uint64_t random_64(struct random_state *random)
{
    const uint64_t high = random_next(random);

    return high << 32 | random_next(random);
}

/* floor(cycle * 10^12 / f) by long division, one decimal digit at a time, in 64 bits where the
 * remainder allows it: none of the code under test. */
static gfe_ps long_division(uint64_t cycle, uint64_t frequency)
{
    gfe_ps result = cycle / frequency;
    uint64_t rest = cycle % frequency;

    for (unsigned digit = 0; digit < 12; digit++) {
        unsigned quotient = 0;

        rest *= 10;
        for (; rest >= frequency; rest -= frequency)
            quotient++;
        result = result * 10 + quotient;
    }
    return result;
}

/* PROMISE (base): A cycle lies at the floor of its exact time, after any number of cycles. */
START_TEST(a_cycle_lies_at_the_floor_of_its_exact_time)
{
    struct random_state random;

    random_seed(&random, 1, 0);
    for (unsigned i = 0; i < 2000; i++) {
        const struct clock_domain clock = {.frequency_hz = 1 + random_next(&random),
                                           .origin_ps = random_next(&random)};
        const uint64_t cycle = random_next(&random) >> random_below(&random, 32);

        if (cycle / clock.frequency_hz > 10000000)
            continue;
        ck_assert_uint_eq(clock_at_cycle(&clock, cycle),
                          clock.origin_ps + long_division(cycle, clock.frequency_hz));
    }
}
END_TEST

START_TEST(a_billion_cycles_of_a_second_make_a_second)
{
    static const uint64_t awkward[] = {999999937, 1404000000, 1506000000, 1708500000};

    for (unsigned i = 0; i < 4; i++) {
        const struct clock_domain clock = {.frequency_hz = awkward[i], .origin_ps = 5};

        for (uint64_t s = 0; s < 3600; s++)
            ck_assert_uint_eq(clock_at_cycle(&clock, s * awkward[i]), 5 + s * GFE_PS_PER_S);
    }
}
END_TEST

/* Walking cycle by cycle is what units do; rounded periods must not add up on the way. */
START_TEST(a_walk_of_single_cycles_does_not_drift)
{
    const struct clock_domain clock = {.frequency_hz = 1506000000};
    gfe_ps now = clock_at_cycle(&clock, 999000000);

    for (unsigned i = 0; i < 1000000; i++)
        now = clock_after_cycles(&clock, now, 1);
    ck_assert_uint_eq(now, clock_at_cycle(&clock, 1000000000));
    ck_assert_uint_eq(now, UINT64_C(664010624169)); /* floor(10^21 / 1506000000) */
}
END_TEST

/* The number of the running cycle: it has begun, and the next one has not. */
START_TEST(the_running_cycle_has_begun_and_the_next_has_not)
{
    const struct clock_domain clock = {.frequency_hz = frequencies[_i], .origin_ps = 1000};
    struct random_state random;

    random_seed(&random, 2, (uint32_t)_i);
    for (unsigned i = 0; i < 5000; i++) {
        const gfe_ps now = 1000 + (random_64(&random) >> (1 + random_below(&random, 62)));
        const uint64_t cycle = clock_cycle_at(&clock, now);

        if (cycle == UINT64_MAX)
            continue;
        ck_assert_uint_le(clock_at_cycle(&clock, cycle), now);
        ck_assert_uint_gt(clock_at_cycle(&clock, cycle + 1), now);
    }
}
END_TEST

/* Conversions in 64 bits say what those in 128 say, on either side of where they end. */
START_TEST(a_domain_that_was_made_is_no_other_than_a_plain_one)
{
    const struct clock_domain plain = {.frequency_hz = frequencies[_i], .origin_ps = 77};
    const struct clock_domain made = clock_make(frequencies[_i], 77);
    struct random_state random;

    ck_assert_uint_gt(made.cycle_end, 0);
    random_seed(&random, 4, (uint32_t)_i);
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t near = random_below(&random, 20);
        const uint64_t any = random_64(&random) >> random_below(&random, 64);
        const uint64_t cycle = i % 2 ? any : made.cycle_end + near - 10;
        const gfe_ps ps = i % 2 ? any : made.ps_end + 77 + near - 10;

        ck_assert_uint_eq(clock_at_cycle(&made, cycle), clock_at_cycle(&plain, cycle));
        ck_assert_uint_eq(clock_cycle_at(&made, ps), clock_cycle_at(&plain, ps));
        ck_assert_uint_eq(clock_after_cycles(&made, ps, near),
                          clock_after_cycles(&plain, ps, near));
    }
}
END_TEST

START_TEST(time_to_cycle_undoes_cycle_to_time)
{
    const struct clock_domain clock = {.frequency_hz = frequencies[_i], .origin_ps = 77};
    struct random_state random;

    if (clock.frequency_hz > GFE_PS_PER_S)
        return; /* Several cycles share a picosecond. */
    random_seed(&random, 3, (uint32_t)_i);
    for (unsigned i = 0; i < 5000; i++) {
        const uint64_t cycle = random_64(&random) >> random_below(&random, 64);
        const gfe_ps at = clock_at_cycle(&clock, cycle);

        if (at != GFE_PS_NEVER)
            ck_assert_uint_eq(clock_cycle_at(&clock, at), cycle);
    }
}
END_TEST

START_TEST(the_next_edge_is_the_first_at_or_after)
{
    const struct clock_domain clock = {.frequency_hz = 3, .origin_ps = 10};

    ck_assert_uint_eq(clock_next_edge(&clock, 0), 10);
    ck_assert_uint_eq(clock_next_edge(&clock, 10), 10);
    ck_assert_uint_eq(clock_next_edge(&clock, 11), UINT64_C(333333333343));
    ck_assert_uint_eq(clock_next_edge(&clock, UINT64_C(333333333343)), UINT64_C(333333333343));
    ck_assert_uint_eq(clock_next_edge(&clock, UINT64_C(333333333344)), UINT64_C(666666666676));
    ck_assert_uint_eq(clock_after_cycles(&clock, 0, 2), UINT64_C(666666666676));
    ck_assert_uint_eq(clock_after_cycles(&clock, 11, 2), UINT64_C(1000000000010));
    ck_assert_uint_eq(clock_cycle_at(&clock, 9), 0);
}
END_TEST

START_TEST(times_beyond_the_range_are_never)
{
    const struct clock_domain slow = {.frequency_hz = 1};
    const struct clock_domain late = {.frequency_hz = GFE_PS_PER_S, .origin_ps = 10};
    const struct clock_domain fast = {.frequency_hz = UINT64_MAX};

    ck_assert_uint_eq(clock_at_cycle(&slow, 18446744), UINT64_C(18446744000000000000));
    ck_assert_uint_eq(clock_at_cycle(&slow, 18446745), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_at_cycle(&slow, UINT64_MAX), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_at_cycle(&late, UINT64_MAX - 11), UINT64_MAX - 1);
    ck_assert_uint_eq(clock_at_cycle(&late, UINT64_MAX - 10), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_at_cycle(&late, UINT64_MAX), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_after_cycles(&late, 100, UINT64_MAX), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_after_cycles(&slow, GFE_PS_NEVER, 0), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_next_edge(&slow, GFE_PS_NEVER), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_cycle_at(&fast, UINT64_C(1) << 60), UINT64_MAX);
    ck_assert_uint_eq(clock_next_edge(&fast, UINT64_C(1) << 60), GFE_PS_NEVER);
}
END_TEST

START_TEST(sums_and_transfers_saturate_and_round_up)
{
    ck_assert_uint_eq(clock_add(2, 3), 5);
    ck_assert_uint_eq(clock_add(GFE_PS_NEVER - 3, 3), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_add(GFE_PS_NEVER, 1), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_add(GFE_PS_NEVER, GFE_PS_NEVER), GFE_PS_NEVER);

    ck_assert_uint_eq(clock_times(0x3fffff, 1024000), UINT64_C(0x3fffff) * 1024000);
    ck_assert_uint_eq(clock_times(1, GFE_PS_NEVER - 1), GFE_PS_NEVER - 1);
    ck_assert_uint_eq(clock_times(0, GFE_PS_NEVER), 0);
    ck_assert_uint_eq(clock_times(UINT64_C(1) << 32, UINT64_C(1) << 32), GFE_PS_NEVER);
    ck_assert_uint_eq(clock_times(UINT64_MAX, UINT64_MAX), GFE_PS_NEVER);
}
END_TEST

Suite *clock_suite(void)
{
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("domains");

    tcase_add_test(tcase, a_cycle_lies_at_the_floor_of_its_exact_time);
    tcase_add_test(tcase, a_billion_cycles_of_a_second_make_a_second);
    tcase_add_test(tcase, a_walk_of_single_cycles_does_not_drift);
    tcase_add_loop_test(tcase, the_running_cycle_has_begun_and_the_next_has_not, 0,
                        FREQUENCY_COUNT);
    tcase_add_loop_test(tcase, time_to_cycle_undoes_cycle_to_time, 0, FREQUENCY_COUNT);
    tcase_add_loop_test(tcase, a_domain_that_was_made_is_no_other_than_a_plain_one, 0,
                        FREQUENCY_COUNT);
    tcase_add_test(tcase, the_next_edge_is_the_first_at_or_after);
    tcase_add_test(tcase, times_beyond_the_range_are_never);
    tcase_add_test(tcase, sums_and_transfers_saturate_and_round_up);
    suite_add_tcase(suite, tcase);
    return suite;
}
