/* SPDX-License-Identifier: MIT */
/* Host's own methods: every address below 0x100, on every subchannel, and what they do. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_methods.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum {
    INTR_METHOD = 21,
    INTR_METHODCRC = 22,
    INTR_DEVICE = 23,
    PBDMA0 = 0x40000,
    PBDMA0_METHOD0 = PBDMA0 + 0xc0,
    PBDMA0_DATA0 = PBDMA0 + 0xc4,
    PBDMA0_INTR_0 = PBDMA0 + 0x108,
    RAMFC_CONFIG = CHECK_INSTANCES + 0xf4,
    RELEASE_4_BYTES = 0x1100002, /* SEMAPHORED: RELEASE, no wait for idle, 4 bytes */
    RELEASE_WAITING = 0x1000002, /* the same behind a wait for idle */
};
#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), RELEASE_4_BYTES
/* What stands behind the method being tested: it tells whether the PBDMA went on. */
#define BEHIND PB_IMMD(1, 0x188, 7)

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static bool went_on(void)
{
    return nv_fe_shadow(&check.gpu->fe, 1, 0x188) == 7;
}

/* ---- all addresses -------------------------------------------------------------------------- */

/* The 64 dword addresses by class c06f (open-gpu-doc classes/host/clc06f.h): what happens to a
 * write of 0.  Those that are not here are reserved. */
enum outcome { RESERVED, DONE, ENGINE };
static const enum outcome outcomes[64] = {
    [0x00 / 4] = ENGINE, /* SET_OBJECT */
    [0x08 / 4] = DONE,   /* NOP */
    [0x10 / 4] = DONE,   /* SEMAPHOREA */
    [0x14 / 4] = DONE,   /* SEMAPHOREB */
    [0x18 / 4] = DONE,   /* SEMAPHOREC */
    [0x1c / 4] = DONE,   /* SEMAPHORED: written below as a release */
    [0x20 / 4] = DONE,   /* NON_STALL_INTERRUPT */
    [0x24 / 4] = DONE,   /* FB_FLUSH */
    [0x28 / 4] = DONE,   /* MEM_OP_A */
    [0x2c / 4] = DONE,   /* MEM_OP_B */
    [0x30 / 4] = DONE,   /* MEM_OP_C */
    [0x34 / 4] = DONE,   /* MEM_OP_D: written below as a barrier */
    [0x50 / 4] = DONE,   /* SET_REFERENCE */
    [0x78 / 4] = DONE,   /* WFI */
    [0x7c / 4] = DONE,   /* CRC_CHECK of nothing */
    [0x80 / 4] = DONE,   /* YIELD NOP */
};

static uint32_t harmless(uint32_t method)
{
    if (method == 0x1c)
        return RELEASE_4_BYTES;
    return method == 0x34 ? 5u << 27 : 0;
}

static void expect_outcome(uint32_t subchannel, uint32_t method)
{
    const enum outcome outcome = outcomes[method / 4];
    const bool software = outcome == ENGINE && subchannel >= 5;
    const struct log_event *intr = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);

    if (outcome == DONE || (outcome == ENGINE && !software && subchannel != 4)) {
        ck_assert_msg(intr == NULL, "method 0x%x raises an interrupt", method);
        ck_assert(went_on());
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SET_OBJECT), outcome == ENGINE);
        return;
    }
    ck_assert_ptr_nonnull(intr);
    ck_assert(!went_on());
    /* A copy engine's SET_OBJECT of class 0 is INTR_1 HCE_ILLEGAL_CLASS. */
    ck_assert_uint_eq(intr->argument[2], outcome == RESERVED ? INTR_METHOD
                                         : software          ? INTR_DEVICE
                                                             : 32 + 4);
    ck_assert_uint_eq(intr->argument[3], method);
    if (subchannel == 4 && outcome == ENGINE)
        return;
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_METHOD0) & 0x3ffc, method);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_METHOD0) >> 16 & 7, subchannel);
}

/* Host's methods are Host's whatever their subchannel; SET_OBJECT is its engine's. */
START_TEST(every_address_below_0x100_does_what_the_class_says)
{
    const uint32_t method = 4 * ((uint32_t)_i % 64), subchannel = (uint32_t)_i / 64;

    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 3), 0, (uint32_t)CHECK_DATA, 0,
                 PB_INC(subchannel, method, 1), harmless(method), BEHIND);
    check_machine_run(&check);
    expect_outcome(subchannel, method);
}
END_TEST

/* ---- yielding ------------------------------------------------------------------------------- */

#define YIELD(operation) PB_IMMD(0, 0x80, (operation))

static void two_channels_with_work(uint32_t operation)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1), YIELD(operation), RELEASE(0, 2));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 2);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 3);
}

/* NV.YIELD: in the middle of a segment, which then goes on. */
START_TEST(yielding_the_runlist_timeslice_lets_another_group_run_first)
{
    two_channels_with_work(2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[2], 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 1)->argument[2], 3);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 2)->argument[2], 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_YIELD, RULE_NV_YIELD), 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_YIELD, 0)->argument[3], 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
    /* All methods of the segment that was left midway count once: 4 + 1 + 4. */
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_SEGMENT_END, 1)->argument[3], 9);
}
END_TEST

START_TEST(yielding_with_nobody_else_on_the_runlist_does_nothing)
{
    CHECK_SUBMIT(&check, 0, YIELD(1), YIELD(2), YIELD(3), BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_YIELD), 3);
    for (uint32_t n = 0; n < 3; n++)
        ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_YIELD, n)->argument[3], 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(a_yield_of_nothing_is_a_nop)
{
    two_channels_with_work(0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_YIELD), 0);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 1)->argument[2], 2);
}
END_TEST

START_TEST(yielding_to_the_own_group_stays_with_the_groups_only_channel)
{
    two_channels_with_work(3);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 1)->argument[2], 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(yielding_to_a_channel_of_the_own_group_is_reported_once)
{
    const uint32_t list[] = {0x0a00e020, 0, 0, 0, 1, 0}; /* a TSG of two channels */

    check_machine_channel(&check, 1);
    check_machine_runlist_raw(&check, 0, 3, list);
    CHECK_SUBMIT(&check, 0, YIELD(3), YIELD(3), RELEASE(0, 2));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[2], 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_UNMODELLED, 0)->argument[1], 0xc06f0080);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 3);
}
END_TEST

Suite *nv_pbdma_host_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_host");
    TCase *tcase = tcase_create("addresses");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, every_address_below_0x100_does_what_the_class_says, 0, 8 * 64);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("yield");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, yielding_the_runlist_timeslice_lets_another_group_run_first);
    tcase_add_test(tcase, yielding_with_nobody_else_on_the_runlist_does_nothing);
    tcase_add_test(tcase, a_yield_of_nothing_is_a_nop);
    tcase_add_test(tcase, yielding_to_the_own_group_stays_with_the_groups_only_channel);
    tcase_add_test(tcase, yielding_to_a_channel_of_the_own_group_is_reported_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
