/* SPDX-License-Identifier: MIT */
/* Report semaphores of the 3D and compute classes, notifiers, the releases of a QMD. */
/* PROMISE (nvidia): Semaphores, reports and notifiers of compute and graphics, and the releases
 * of a QMD, write their words after the work before them. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum {
    TARGET = 0x40,
    QMD = 0x10000,
    THREE_D = 0,
    COMPUTE = 1,
    PGRAPH_INTR = 0x400100,
    PGRAPH_INTR_NONSTALL = 0x400120,
    PGRAPH_INTR_EN = 0x40013c,
    PMC_INTR_0 = 0x100,
    PMC_PGRAPH = 1 << 12,
    /* SET_REPORT_SEMAPHORE_D */
    RELEASE = 0,
    ACQUIRE = 1,
    REPORT_ONLY = 2,
    TRAP = 3,
    FLUSH_DISABLE = 1 << 2,
    REDUCTION_ENABLE = 1 << 3,
    AFTER_WRITES = 1 << 4,
    LOCATION_ALL = 0xf << 12,
    COMPARISON_GE = 1 << 16,
    SIGNED_32 = 1 << 17,
    AWAKEN = 1 << 20,
    ONE_WORD = 1 << 28,
};
#define REPORT(subchannel, payload, data)                                                          \
    PB_INC(subchannel, 0x1b00, 4), 0, DATA(TARGET), (uint32_t)(payload), (uint32_t)(data)
#define DRAW          PB_IMMD(0, 0x19d0, 1)
#define WAIT_FOR_IDLE PB_IMMD(0, 0x110, 0)

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
    for (uint32_t i = 0; i < 4; i++)
        check_machine_poke(&check, CHECK_DATA + TARGET + 4 * i, 0x55);
}

static void setup_with_nouveau(void)
{
    check_machine_begin_channel(&check, true);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    const struct log_event *found = check_machine_event(&check, kind, n);

    ck_assert_ptr_nonnull(found);
    return found;
}

static uint32_t word(uint32_t n)
{
    return check_machine_peek(&check, CHECK_DATA + TARGET + 4 * n);
}

static void expect_words(uint32_t first, uint32_t second, bool with_time)
{
    ck_assert_uint_eq(word(0), first);
    ck_assert_uint_eq(word(1), second);
    ck_assert_uint_eq(word(2), with_time ? event(EVENT_NV_RELEASE, 0)->time_ps / 1000 : 0x55);
    ck_assert_uint_eq(word(3), with_time ? 0 : 0x55);
}

/* ---- releases -------------------------------------------------------------------------------- */

/* Fields that change nothing that can be seen, alone and together, for both classes. */
static const uint32_t silent[] = {0, FLUSH_DISABLE, AFTER_WRITES, LOCATION_ALL,
                                  FLUSH_DISABLE | AFTER_WRITES | LOCATION_ALL};
enum { SILENT = sizeof silent / sizeof silent[0] };

START_TEST(a_release_writes_one_word_or_four)
{
    const uint32_t subchannel = (uint32_t)_i % 2, fields = silent[_i / 4];
    const bool four_words = _i / 2 % 2;

    CHECK_SUBMIT(&check, 0, REPORT(subchannel, 7, RELEASE | fields | (four_words ? 0 : ONE_WORD)));
    check_machine_run(&check);
    expect_words(7, four_words ? 0 : 0x55, four_words);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).byte_count,
                      four_words ? 16 : 4);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).source_class,
                      subchannel ? 0xc1c0 : 0xc197);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).gp_sequence, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 0);
}
END_TEST

/* NV.REPORT: behind the work in front of it, and not behind what comes later. */
START_TEST(a_report_waits_for_the_work_in_front_of_it_only)
{
    CHECK_SUBMIT(&check, 0, DRAW, REPORT(THREE_D, 7, ONE_WORD), DRAW);
    check_machine_run(&check);
    ck_assert_uint_gt(event(EVENT_NV_RELEASE, 0)->time_ps, event(EVENT_WORK_END, 0)->time_ps);
    ck_assert_uint_lt(event(EVENT_NV_RELEASE, 0)->time_ps, event(EVENT_WORK_END, 1)->time_ps);
}
END_TEST

/* RED_ADD 0, MIN, MAX, INC, DEC, AND, OR, XOR 7 in bits 11:9; SIGNED_32 in 18:17. */
static const struct {
    uint32_t operation, format, value, payload, result;
} reductions[] = {
    {0, 0, 0xffffffff, 3, 2},
    {0, SIGNED_32, 0xffffffff, 3, 2},
    {1, 0, 0xfffffff0, 7, 7},
    {1, SIGNED_32, 0xfffffff0, 7, 0xfffffff0},
    {2, 0, 0xfffffff0, 7, 0xfffffff0},
    {2, SIGNED_32, 0xfffffff0, 7, 7},
    {3, 0, 4, 5, 5},
    {3, 0, 5, 5, 0},
    {4, 0, 5, 5, 4},
    {4, 0, 0, 5, 5},
    {5, 0, 0xff00, 0x0ff0, 0x0f00},
    {6, 0, 0xff00, 0x0ff0, 0xfff0},
    {7, 0, 0xff00, 0x0ff0, 0xf0f0},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

START_TEST(a_release_may_reduce)
{
    const uint32_t subchannel = (uint32_t)_i % 2, size = _i / 2 % 2 ? 0 : ONE_WORD;
    const uint32_t i = (uint32_t)_i / 4;

    check_machine_poke(&check, CHECK_DATA + TARGET, reductions[i].value);
    CHECK_SUBMIT(&check, 0,
                 REPORT(subchannel, reductions[i].payload,
                        RELEASE | REDUCTION_ENABLE | reductions[i].operation << 9 |
                            reductions[i].format | size));
    check_machine_run(&check);
    expect_words(reductions[i].result, 0x55, size == 0);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).value, reductions[i].result);
    ck_assert_uint_eq(event_nv_reduction_of(event(EVENT_NV_REDUCTION, 0)).old_value,
                      reductions[i].value);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

/* ---- counters -------------------------------------------------------------------------------- */

/* REPORT 27:23 with REPORT_ONLY: NONE, ZPASS_PIXEL_CNT (2) and STREAMING_BYTE_COUNT (0x1a) have the
 * payload in front and a counter of 32 bits behind it; others, such as VTG_PRIMITIVES_OUT (0x12),
 * one of 64 bits. */
static const struct {
    uint32_t report, first;
    bool counts;
} counters[] = {{0, 7, false}, {2, 7, true}, {0x1a, 7, true}, {0x12, 0, true}, {0x15, 0, true}};

START_TEST(a_counter_is_zero_behind_its_payload_or_in_its_place)
{
    for (uint32_t n = 0; n < 2; n++)
        CHECK_SUBMIT(
            &check, 0,
            REPORT(THREE_D, 7, REPORT_ONLY | LOCATION_ALL | counters[_i].report << 23 | 1 << 5));
    check_machine_run(&check);
    ck_assert_uint_eq(word(0), counters[_i].first);
    ck_assert_uint_eq(word(1), 0);
    ck_assert_uint_eq(word(2), event(EVENT_NV_RELEASE, 1)->time_ps / 1000);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2 * counters[_i].counts);
}
END_TEST

/* What the model does not cover is reported each time. */
static const struct {
    uint32_t subchannel, data;
} odd[] = {
    {THREE_D, RELEASE | 2 << 12 | ONE_WORD},         /* PIPELINE_LOCATION VERTEX_SHADER */
    {THREE_D, TRAP | 0xc << 12},                     /* DEPTH_TEST */
    {COMPUTE, RELEASE | REDUCTION_ENABLE | 2 << 17}, /* no such format */
    {COMPUTE, ACQUIRE},                              /* not in the compute class */
    {COMPUTE, REPORT_ONLY},
};

START_TEST(fields_without_a_model_are_reported_each_time)
{
    CHECK_SUBMIT(&check, 0, REPORT(odd[_i].subchannel, 7, odd[_i].data),
                 REPORT(odd[_i].subchannel, 7, odd[_i].data));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2);
    ck_assert_uint_eq(event_unmodelled_of(event(EVENT_UNMODELLED, 1)).what, UNMODELLED_FIELD);
    ck_assert_uint_eq(event_unmodelled_of(event(EVENT_UNMODELLED, 0)).address,
                      odd[_i].subchannel ? 0xc1c01b0c : 0xc1971b0c);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_ERROR), 0);
}
END_TEST

/* ---- interrupts ------------------------------------------------------------------------------ */

START_TEST(awakening_raises_the_semaphore_interrupt_with_the_write)
{
    machine_write32(check.machine, PGRAPH_INTR_EN, UINT32_MAX);
    CHECK_SUBMIT(&check, 0, DRAW, REPORT((uint32_t)_i, 7, RELEASE | AWAKEN | ONE_WORD));
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 1u << 1);
    ck_assert_uint_ne(machine_read32(check.machine, PMC_INTR_0) & PMC_PGRAPH, 0);
    ck_assert_uint_eq(event(EVENT_NV_GR_INTR, 0)->time_ps, event(EVENT_NV_RELEASE, 0)->time_ps);
    ck_assert_uint_eq(event_nv_gr_intr_of(event(EVENT_NV_GR_INTR, 0)).intr_bits, 1u << 1);
    machine_write32(check.machine, PGRAPH_INTR, 1u << 1);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR_0) & PMC_PGRAPH, 0);
}
END_TEST

START_TEST(an_interrupt_that_is_not_enabled_stays_in_its_register)
{
    CHECK_SUBMIT(&check, 0, REPORT(THREE_D, 7, RELEASE | AWAKEN | ONE_WORD));
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 1u << 1);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR_0) & PMC_PGRAPH, 0);
    machine_write32(check.machine, PGRAPH_INTR_EN, 1u << 1);
    ck_assert_uint_ne(machine_read32(check.machine, PMC_INTR_0) & PMC_PGRAPH, 0);
}
END_TEST

START_TEST(a_trap_writes_nothing_and_raises_the_non_stalling_interrupt)
{
    machine_write32(check.machine, PGRAPH_INTR_EN, UINT32_MAX);
    CHECK_SUBMIT(&check, 0, DRAW, REPORT((uint32_t)_i, 7, TRAP));
    check_machine_run(&check);
    ck_assert_uint_eq(word(0), 0x55);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR_NONSTALL), 1u << 1);
    ck_assert_uint_gt(event(EVENT_NV_GR_INTR, 0)->time_ps, event(EVENT_WORK_END, 0)->time_ps);
    ck_assert_uint_eq(event_nv_gr_intr_of(event(EVENT_NV_GR_INTR, 0)).nonstall, 1);
}
END_TEST

START_TEST(nouveau_clears_the_interrupts_of_reports)
{
    CHECK_SUBMIT(&check, 0, REPORT(THREE_D, 7, RELEASE | AWAKEN | ONE_WORD));
    check_machine_run(&check);
    ck_assert_uint_eq(event_driver_gr_interrupt_of(event(EVENT_DRIVER_GR_INTERRUPT, 0)).intr_bits,
                      1u << 1);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), 0);
}
END_TEST

/* 2D, compute, inline-to-memory and 3D: time in ns, then zeroes (ASSUMED). */
START_TEST(a_notifier_is_written_and_may_awaken)
{
    const uint32_t subchannel = (uint32_t)_i % 4, awaken = (uint32_t)_i / 4;
    const struct log_event *notify;

    CHECK_SUBMIT(&check, 0, DRAW, PB_INC(subchannel, 0x104, 3), 0, DATA(TARGET), awaken);
    check_machine_run(&check);
    notify = event(EVENT_NV_NOTIFY, 0);
    ck_assert_uint_gt(notify->time_ps, event(EVENT_WORK_END, 0)->time_ps);
    ck_assert_uint_eq(word(0), notify->time_ps / 1000);
    for (uint32_t i = 1; i < 4; i++)
        ck_assert_uint_eq(word(i), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR), awaken);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GR_INTR), awaken);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(a_notifier_of_another_type_is_reported)
{
    CHECK_SUBMIT(&check, 0, PB_INC(THREE_D, 0x104, 3), 0, DATA(TARGET), 2);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
}
END_TEST

/* ---- acquires of the 3D class -----------------------------------------------------------------
 */

static const struct {
    uint32_t comparison, payload, passes, fails;
} comparisons[] = {
    {0, 10, 10, 11},
    {COMPARISON_GE, 10, 11, 9},
    {COMPARISON_GE, 0xffffffff, 1, 0xfffffffe}, /* circular (ASSUMED): two further is later */
};

START_TEST(an_acquire_whose_value_is_there_holds_nothing)
{
    check_machine_poke(&check, CHECK_DATA + TARGET, comparisons[_i].passes);
    CHECK_SUBMIT(&check, 0,
                 REPORT(THREE_D, comparisons[_i].payload, ACQUIRE | comparisons[_i].comparison),
                 DRAW);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_ACQUIRE, RULE_NV_FE_ACQ), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_START), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_FE_ACQ), 0);
}
END_TEST

/* NV.FE_ACQ: reports behind two draws write first a wrong value, then the right one. */
START_TEST(an_acquire_holds_the_front_end_until_its_value_is_written)
{
    const struct log_event *wait;

    check_machine_poke(&check, CHECK_DATA + TARGET, comparisons[_i].fails);
    CHECK_SUBMIT(&check, 0, DRAW, REPORT(THREE_D, comparisons[_i].fails, ONE_WORD), DRAW,
                 REPORT(THREE_D, comparisons[_i].passes, ONE_WORD),
                 REPORT(THREE_D, comparisons[_i].payload, ACQUIRE | comparisons[_i].comparison),
                 DRAW);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_START), 3);
    ck_assert_uint_eq(event_nv_acquire_of(event(EVENT_NV_ACQUIRE, 0)).value,
                      comparisons[_i].passes);
    ck_assert_uint_eq(event(EVENT_NV_ACQUIRE, 0)->time_ps, event(EVENT_NV_RELEASE, 1)->time_ps);
    ck_assert_uint_ge(event(EVENT_WORK_START, 2)->time_ps, event(EVENT_NV_ACQUIRE, 0)->time_ps);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_FE_ACQ), 1);
    if (_i == 0)
        golden_log_check(&check, "rule_nv_fe_acq.events");
    wait = event(EVENT_WAIT, check_machine_count(&check, EVENT_WAIT) - 1);
    ck_assert_uint_eq(wait->rule, RULE_NV_FE_ACQ);
    ck_assert_uint_eq(wait->time_ps, event(EVENT_NV_ACQUIRE, 0)->time_ps);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_SEMAPHORE);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, CHECK_DATA + TARGET);
}
END_TEST

/* ---- releases of a QMD ------------------------------------------------------------------------
 */

/* V02_01: SEMAPHORE_RELEASE_ENABLE0/1 138/139, RELEASE_MEMBAR_TYPE 366, RELEASE0 from bit 736 and
 * RELEASE1 from 832: address, upper address and flags, payload.  One block of 32 threads. */
static void poke_qmd(const uint32_t flags[2], uint32_t enables, bool membar)
{
    const uint64_t at = CHECK_DATA + QMD;

    check_machine_poke(&check, at + 4 * 4, enables << 10);
    check_machine_poke(&check, at + 4 * 11, (uint32_t)membar << 14);
    check_machine_poke(&check, at + 4 * 12, 1);
    check_machine_poke(&check, at + 4 * 13, 1);
    check_machine_poke(&check, at + 4 * 14, 1);
    check_machine_poke(&check, at + 4 * 18, 32u << 16 | 0x21);
    check_machine_poke(&check, at + 4 * 19, 1 | 1u << 16);
    check_machine_poke(&check, at + 4 * 30, 8u << 24);
    for (uint32_t i = 0; i < 2; i++) {
        check_machine_poke(&check, at + 4 * (23 + 3 * i), DATA(TARGET) + 16 * i);
        check_machine_poke(&check, at + 4 * (24 + 3 * i), flags[i]);
        check_machine_poke(&check, at + 4 * (25 + 3 * i), 7 + i);
    }
}

#define LAUNCH PB_INC(COMPUTE, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(COMPUTE, 0x2bc, 3)
/* In the word with the upper address: STRUCTURE_SIZE 31, REDUCTION_ENABLE 26, OP 22:20, FORMAT
 * 25:24. */
enum { QMD_ONE_WORD = (int)0x80000000, QMD_REDUCES = 1 << 26 };

START_TEST(a_grid_releases_what_its_descriptor_enables)
{
    const uint32_t enables = (uint32_t)_i;
    const uint32_t flags[2] = {(uint32_t)QMD_ONE_WORD, 0};

    for (uint32_t i = 4; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + TARGET + 4 * i, 0x55);
    poke_qmd(flags, enables, false);
    CHECK_SUBMIT(&check, 0, LAUNCH);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE),
                      (enables & 1) + (enables >> 1));
    ck_assert_uint_eq(word(0), enables & 1 ? 7 : 0x55);
    ck_assert_uint_eq(word(1), 0x55);
    ck_assert_uint_eq(word(4), enables & 2 ? 8 : 0x55);
    ck_assert_uint_eq(word(5), enables & 2 ? 0 : 0x55);
    if (enables == 0)
        return;
    ck_assert_uint_gt(event(EVENT_NV_RELEASE, 0)->time_ps, event(EVENT_GRID_END, 0)->time_ps);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).source_class, 0xc1c0);
    if (enables & 2)
        ck_assert_uint_eq(word(6), event(EVENT_NV_RELEASE, enables == 3)->time_ps / 1000);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(a_grids_release_may_reduce)
{
    const uint32_t signed_minimum = QMD_REDUCES | 1u << 20 | 1u << 24;
    const uint32_t flags[2] = {(uint32_t)QMD_ONE_WORD | signed_minimum,
                               (uint32_t)QMD_ONE_WORD | QMD_REDUCES};

    check_machine_poke(&check, CHECK_DATA + TARGET, 0xfffffff0);
    check_machine_poke(&check, CHECK_DATA + TARGET + 16, 40);
    poke_qmd(flags, 3, false);
    CHECK_SUBMIT(&check, 0, LAUNCH);
    check_machine_run(&check);
    ck_assert_uint_eq(word(0), 0xfffffff0);
    ck_assert_uint_eq(word(4), 48);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_REDUCTION), 2);
}
END_TEST

/* The grid is complete when its release is in memory; a barrier makes that later. */
START_TEST(waiting_for_idle_waits_for_a_grids_release)
{
    uint64_t took[2];

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t flags[2] = {(uint32_t)QMD_ONE_WORD, 0};

        if (i == 1) {
            teardown();
            setup();
        }
        poke_qmd(flags, 1, i == 1);
        CHECK_SUBMIT(&check, 0, LAUNCH, WAIT_FOR_IDLE, DRAW);
        check_machine_run(&check);
        ck_assert_uint_ge(event(EVENT_WORK_START, 0)->time_ps, event(EVENT_NV_RELEASE, 0)->time_ps);
        took[i] = event(EVENT_NV_RELEASE, 0)->time_ps - event(EVENT_GRID_END, 0)->time_ps;
    }
    ck_assert_uint_gt(took[1], took[0]);
}
END_TEST

START_TEST(a_release_of_a_grid_that_is_not_mapped_faults)
{
    const uint32_t flags[2] = {(uint32_t)QMD_ONE_WORD | 0xff, 0};

    poke_qmd(flags, 1, false);
    CHECK_SUBMIT(&check, 0, LAUNCH);
    check_machine_run(&check);
    ck_assert_uint_eq(event_nv_mmu_fault_of(event(EVENT_NV_MMU_FAULT, 0)).address,
                      UINT64_C(0xff00000000) | DATA(TARGET));
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 0);
    ck_assert_uint_eq(check.gpu->fe.state->outstanding_pool.count, 0);
}
END_TEST

static void add_releases(Suite *suite)
{
    TCase *tcase = tcase_create("reports");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_release_writes_one_word_or_four, 0, 4 * SILENT);
    tcase_add_test(tcase, a_report_waits_for_the_work_in_front_of_it_only);
    tcase_add_loop_test(tcase, a_release_may_reduce, 0, 4 * REDUCTIONS);
    tcase_add_loop_test(tcase, a_counter_is_zero_behind_its_payload_or_in_its_place, 0, 4);
    tcase_add_loop_test(tcase, fields_without_a_model_are_reported_each_time, 0,
                        sizeof odd / sizeof odd[0]);
    suite_add_tcase(suite, tcase);
}

static void add_interrupts(Suite *suite)
{
    TCase *tcase = tcase_create("interrupts"), *driver = tcase_create("driver");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, awakening_raises_the_semaphore_interrupt_with_the_write, 0, 2);
    tcase_add_test(tcase, an_interrupt_that_is_not_enabled_stays_in_its_register);
    tcase_add_loop_test(tcase, a_trap_writes_nothing_and_raises_the_non_stalling_interrupt, 0, 2);
    tcase_add_loop_test(tcase, a_notifier_is_written_and_may_awaken, 0, 8);
    tcase_add_test(tcase, a_notifier_of_another_type_is_reported);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(driver, setup_with_nouveau, teardown);
    tcase_add_test(driver, nouveau_clears_the_interrupts_of_reports);
    suite_add_tcase(suite, driver);
}

Suite *nv_fe_report_suite(void)
{
    Suite *suite = suite_create("nv_fe_report");
    TCase *tcase = tcase_create("acquires and grids");

    add_releases(suite);
    add_interrupts(suite);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, an_acquire_whose_value_is_there_holds_nothing, 0, 3);
    tcase_add_loop_test(tcase, an_acquire_holds_the_front_end_until_its_value_is_written, 0, 3);
    tcase_add_loop_test(tcase, a_grid_releases_what_its_descriptor_enables, 0, 4);
    tcase_add_test(tcase, a_grids_release_may_reduce);
    tcase_add_test(tcase, waiting_for_idle_waits_for_a_grids_release);
    tcase_add_test(tcase, a_release_of_a_grid_that_is_not_mapped_faults);
    suite_add_tcase(suite, tcase);
    return suite;
}
