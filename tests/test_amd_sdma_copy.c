/* SPDX-License-Identifier: MIT */
/* How long copies of the SDMA engines take, alone and beside each other. */
#include <config.h>

#include <check.h>

#include "tests/check_sdma.h"
#include "tests/suites.h"

enum { MIB = 1 << 20 };
#define LOCAL(n) (MEC_VA + 0x100000 * (uint64_t)(n))

static struct check_sdma sdma;

static void setup(void)
{
    check_sdma_begin(&sdma);
    check_sdma_load(&sdma, 0, 0, 0);
    check_sdma_load(&sdma, 1, 0, 0);
}

static void teardown(void)
{
    check_sdma_end(&sdma);
}

static gfe_ps copy_ps(uint32_t n)
{
    return check_sdma_event(&sdma, EVENT_COPY_END, n)->time_ps -
           check_sdma_event(&sdma, EVENT_COPY_START, n)->time_ps;
}

/* 32 bytes in each cycle of 1,801 MHz; the link 12 GB/s; the memory 1,024 GB/s. */
/* PROMISE (amd): An SDMA copy takes as long as the slowest of engine, link and memory needs. */
START_TEST(what_is_slowest_says_how_long_a_copy_takes)
{
    SDMA(&sdma, 0, 0, S_COPY(LOCAL(1), LOCAL(2), MIB));
    check_mec_run(&sdma.mec);
    SDMA(&sdma, 0, 0, S_COPY(SDMA_SYSTEM, LOCAL(1), SDMA_SYSTEM_BYTES));
    check_mec_run(&sdma.mec);
    SDMA(&sdma, 0, 0, S_COPY(LOCAL(1), SDMA_SYSTEM, SDMA_SYSTEM_BYTES));
    check_mec_run(&sdma.mec);
    ck_assert_uint_eq(copy_ps(0), MIB / 32 * UINT64_C(1000000000000) / 1801000000);
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 0)).limited_by,
                      COPY_LIMIT_ENGINE);
    ck_assert_uint_ge(copy_ps(1), SDMA_SYSTEM_BYTES * UINT64_C(1000) / 12);
    ck_assert_uint_le(copy_ps(1), SDMA_SYSTEM_BYTES * UINT64_C(1000) / 12 + 1);
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 1)).limited_by,
                      COPY_LIMIT_SYSTEM_READ);
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 2)).limited_by,
                      COPY_LIMIT_SYSTEM_WRITE);
}
END_TEST

/* Both want the same direction of the link: each gets half of it, then the longer one all. */
/* PROMISE (amd): SDMA engines on one link share its rate. */
START_TEST(engines_share_the_link)
{
    SDMA(&sdma, 0, 0, S_COPY(SDMA_SYSTEM, LOCAL(1), 384 << 10));
    SDMA(&sdma, 1, 0, S_COPY(SDMA_SYSTEM, LOCAL(2), 128 << 10));
    check_mec_run(&sdma.mec);
    ck_assert_uint_ge(copy_ps(0), (256 << 10) * UINT64_C(1000) / 12 - 1); /* of engine 1 */
    ck_assert_uint_le(copy_ps(0), (256 << 10) * UINT64_C(1000) / 12 + 2);
    ck_assert_uint_ge(copy_ps(1), (512 << 10) * UINT64_C(1000) / 12);
    ck_assert_uint_le(copy_ps(1), (512 << 10) * UINT64_C(1000) / 12 + 4);
    ck_assert_uint_eq(event_copy_speed_of(check_sdma_event(&sdma, EVENT_COPY_SPEED, 0)).speed_ppm,
                      500000);
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 0)).engine_id, 1);
}
END_TEST

/* Each direction of the link is for itself. */
START_TEST(engines_in_both_directions_do_not_disturb_each_other)
{
    SDMA(&sdma, 0, 0, S_COPY(SDMA_SYSTEM, LOCAL(1), 256 << 10));
    SDMA(&sdma, 1, 0, S_COPY(LOCAL(2), SDMA_SYSTEM + (256 << 10), 256 << 10));
    check_mec_run(&sdma.mec);
    for (uint32_t n = 0; n < 2; n++) {
        ck_assert_uint_ge(copy_ps(n), (256 << 10) * UINT64_C(1000) / 12);
        ck_assert_uint_le(copy_ps(n), (256 << 10) * UINT64_C(1000) / 12 + 1);
    }
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_COPY_SPEED), 0);
}
END_TEST

/* No byte is there before the copy's time has passed; a fence behind it comes later. */
START_TEST(bytes_are_there_when_the_copy_ends)
{
    const uint32_t value = 0x12345678;

    check_mec_poke(&sdma.mec, LOCAL(1), &value, 4);
    SDMA(&sdma, 0, 0, S_COPY(LOCAL(1), LOCAL(2), 4096), S_FENCE(MEC_DATA, 1));
    while (check_sdma_data(&sdma, 0) == 0) {
        const bool copied = (uint32_t)check_mec_peek(&sdma.mec, LOCAL(2)) == value;

        ck_assert(machine_step(sdma.mec.machine));
        if (!copied)
            ck_assert_uint_eq(check_sdma_data(&sdma, 0), 0);
    }
    check_mec_run(&sdma.mec);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, LOCAL(2)), value);
    ck_assert_uint_gt(check_sdma_event(&sdma, EVENT_AMD_SDMA_WRITE, 0)->time_ps,
                      check_sdma_event(&sdma, EVENT_COPY_END, 0)->time_ps);
}
END_TEST

/* A fault in the middle: what was done stays, the other engine goes on alone. */
START_TEST(a_fault_ends_a_copy)
{
    const uint32_t value = 0xaaaa5555;
    const uint64_t last = MEC_VA + MEC_BYTES - 0x80000; /* 512 KiB are left */

    check_mec_poke(&sdma.mec, LOCAL(1), &value, 4);
    SDMA(&sdma, 0, 0, S_COPY(LOCAL(1), last, 0xc0000), S_FENCE(MEC_DATA, 1));
    SDMA(&sdma, 1, 0, S_COPY(LOCAL(1), LOCAL(4), 3 * MIB), S_FENCE(MEC_DATA + 4, 1));
    check_mec_run(&sdma.mec);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, last), value);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_COPY_DROP), 1);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_FAULT), 1);
    ck_assert_uint_eq(
        event_amd_sdma_fault_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_FAULT, 0)).address,
        MEC_VA + MEC_BYTES);
    ck_assert_uint_eq(
        event_amd_sdma_fault_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_FAULT, 0)).is_write, 1);
    ck_assert_uint_eq(check_sdma_data(&sdma, 0), 0);
    ck_assert_uint_eq(check_sdma_data(&sdma, 4), 1);
}
END_TEST

/* The engine's rate is a parameter. */
START_TEST(a_slower_engine)
{
    ck_assert(machine_set_parameter(sdma.mec.machine, "amd.sdma_clock_bytes", 1));
    SDMA(&sdma, 0, 0, S_FILL(LOCAL(1), 0, MIB));
    check_mec_run(&sdma.mec);
    ck_assert_uint_eq(copy_ps(0), MIB * UINT64_C(1000000000000) / 1801000000);
}
END_TEST

Suite *amd_sdma_copy_suite(void)
{
    Suite *suite = suite_create("amd_sdma_copy");
    TCase *tcase = tcase_create("time");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_is_slowest_says_how_long_a_copy_takes);
    tcase_add_test(tcase, engines_share_the_link);
    tcase_add_test(tcase, engines_in_both_directions_do_not_disturb_each_other);
    tcase_add_test(tcase, bytes_are_there_when_the_copy_ends);
    tcase_add_test(tcase, a_fault_ends_a_copy);
    tcase_add_test(tcase, a_slower_engine);
    suite_add_tcase(suite, tcase);
    return suite;
}
