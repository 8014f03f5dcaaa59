/* SPDX-License-Identifier: MIT */
/* The copy engine: semaphores, interrupts, class state, and when things happen. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "tests/copy_methods.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void setup_with_nouveau(void)
{
    check_machine_begin_channel(&check, true);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* The first wait by a rule. */
static const struct log_event *wait_by(uint32_t rule)
{
    for (uint32_t i = 0; check_machine_event(&check, EVENT_WAIT, i); i++)
        if (check_machine_event(&check, EVENT_WAIT, i)->rule == rule)
            return check_machine_event(&check, EVENT_WAIT, i);
    ck_abort_msg("no wait by rule %u", rule);
}

static uint32_t lce(uint32_t offset)
{
    return machine_read32(check.machine, LCE0 + offset);
}

/* ---- semaphores, interrupts ------------------------------------------------------------------ */

static const struct {
    uint32_t reduction, old, payload, is_unsigned, expected;
} reductions[] = {
    {0, 5, 0xfffffffe, 0, 0xfffffffe},
    {0, 5, 0xfffffffe, 1, 5},
    {1, 5, 0xfffffffe, 0, 5},
    {1, 5, 0xfffffffe, 1, 0xfffffffe},
    {2, 0xff, 0x0f, 1, 0xf0},
    {3, 0xff, 0x0f, 1, 0x0f},
    {4, 0xf0, 0x0f, 1, 0xff},
    {5, 0xffffffff, 3, 1, 2},
    {6, 4, 9, 1, 5},
    {6, 9, 9, 1, 0},
    {7, 4, 9, 1, 3},
    {7, 0, 9, 1, 9},
    {10, 0x3fc00000, 0x40200000, 0, 0x40800000}, /* 1.5 + 2.5 */
};

START_TEST(a_semaphore_can_be_reduced)
{
    const uint32_t kind = _i % 2 ? FOUR_WORDS : ONE_WORD;
    const uint32_t launch = kind | REDUCTION | reductions[_i / 2].reduction << 14 |
                            reductions[_i / 2].is_unsigned << 18;

    check_machine_poke(&check, CHECK_DATA + SEMAPHORE, reductions[_i / 2].old);
    CHECK_SUBMIT(&check, 0, SEMAPHORE_AT(SEMAPHORE, reductions[_i / 2].payload), LAUNCH(launch));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE),
                      reductions[_i / 2].expected);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_REDUCTION), 1);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).value,
                      reductions[_i / 2].expected);
    ck_assert_int_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 8) != 0, _i % 2);
}
END_TEST

START_TEST(a_semaphore_without_a_page_faults_behind_its_copy)
{
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), PB_INC(4, 0x240, 3), 0, 0x7000000, 9,
                 LAUNCH(PITCH_TO_PITCH | ONE_WORD | (_i ? REDUCTION | 10 << 14 : 0)));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        0x7000000);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).is_write, 1);
}
END_TEST

/* Blocking ones hold what comes behind, the others do not. */
START_TEST(a_copy_can_raise_an_interrupt)
{
    const bool blocking = _i == 0;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1),
                 LAUNCH(PITCH_TO_PITCH | (blocking ? 1 : 2) << 5), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), blocking ? 1 : 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), blocking ? 1 : 2);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_STATUS, blocking ? 1 : 2);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
}
END_TEST

START_TEST(an_interrupt_that_is_not_enabled_does_not_reach_pmc)
{
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_EN, 0);
    CHECK_SUBMIT(&check, 0, LAUNCH(2 << 5));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 2);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_EN, 0xf);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
}
END_TEST

/* gp100_ce_intr: it is reported and cleared, and the engine goes on. */
START_TEST(nouveau_answers_the_copy_engines_interrupts)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), SURFACE(0x70c, 0, 256, 64, 2, 2, 0, 0),
                 LAUNCH(PITCH_TO_TILED), LAUNCH(PITCH_TO_PITCH | 1 << 5), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_DRIVER_CE_INTERRUPT), 2);
    ck_assert_uint_eq(
        event_driver_ce_interrupt_of(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 0))
            .intr_bits,
        4);
    ck_assert_uint_eq(
        event_driver_ce_interrupt_of(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 0))
            .launch_error,
        NV_CE_LCE_LAUNCHERR_REPORT_2D_LAYER_EXCEEDS_DEPTH);
    ck_assert_uint_eq(
        event_driver_ce_interrupt_of(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 1))
            .intr_bits,
        1);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CE_INTR), 1);
    golden_log_check(&check, "rule_nv_ce_intr.events");
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
}
END_TEST

/* ---- time ------------------------------------------------------------------------------------ */

static gfe_ps length_of(uint32_t copy)
{
    return check_machine_event(&check, EVENT_COPY_END, copy)->time_ps -
           check_machine_event(&check, EVENT_COPY_START, copy)->time_ps;
}

static gfe_ps cycles(uint64_t count)
{
    return count * GFE_PS_PER_S / 1506000000;
}

/* 48,192 bytes on an engine of 48.192 GB/s, then set-up and flush. */
START_TEST(a_copy_takes_its_set_up_and_its_bytes_at_the_engines_rate)
{
    const uint32_t flush = (uint32_t)_i;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH | flush << 2));
    check_machine_run(&check);
    ck_assert_uint_le(length_of(0), GFE_PS_PER_US + cycles(753 + 200 * flush + 2));
    ck_assert_uint_ge(length_of(0), GFE_PS_PER_US + cycles(753 + 200 * flush) - 2);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).traffic_bytes,
        2 * 48192);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).limited_by,
        COPY_LIMIT_ENGINE);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).pce_bits, 1);
    ck_assert_uint_eq(event_copy_end_of(check_machine_event(&check, EVENT_COPY_END, 0)).limited_by,
                      COPY_LIMIT_ENGINE);
}
END_TEST

/* 12 GB/s over the link, each way. */
START_TEST(system_memory_is_slower)
{
    const struct address_space_range range = {.va = 0x20000000,
                                              .size_bytes = 0x10000,
                                              .physical = 0x10000,
                                              .space_id = check.space_id,
                                              .aperture = MEMORY_SYSMEM};
    const uint32_t system = 0x20000000, local = DATA(0);

    ck_assert_int_eq(address_space_map(&check.machine->spaces, &range), ADDRESS_SPACE_OK);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, _i ? local : system, 0, _i ? system : local, 0,
                 0, 48000, 1, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).limited_by,
        _i ? COPY_LIMIT_SYSTEM_WRITE : COPY_LIMIT_SYSTEM_READ);
    ck_assert_uint_ge(length_of(0), 4 * GFE_PS_PER_US + cycles(753) - 2);
    ck_assert_uint_le(length_of(0), 4 * GFE_PS_PER_US + cycles(755));
}
END_TEST

/* Two PCEs for one LCE: then the memory is what binds, at 192 GB/s for reading and writing. */
START_TEST(more_pces_make_an_engine_faster)
{
    machine_write32(check.machine, NV_CE_BASE + NV_CE_PCE2LCE_CONFIG, 0x3200);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_le(length_of(0), 2 * GFE_PS_PER_US * 48192 / 192000 + cycles(755));
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).limited_by,
        COPY_LIMIT_LOCAL);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).pce_bits, 3);
}
END_TEST

/* 1,000 lines of one byte move 1,000 sectors on each side. */
START_TEST(short_lines_cost_whole_sectors)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 64, 96, 1, 1000), LAUNCH(PITCH_TO_PITCH),
                 SURFACE(0x70c, 0, 64, 1000, 1, 0, 20, 0), LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).byte_count, 1000);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).traffic_bytes, 64000);
    /* A sector of a tiled surface has two rows. */
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 1)).traffic_bytes,
        32000 + 16000);
}
END_TEST

/* T.C2: the second waits for the first; a pipelined one is set up meanwhile. */
START_TEST(pipelined_copies_are_set_up_while_others_run)
{
    const uint32_t launch = (PITCH_TO_PITCH & ~3u) | (_i ? 1 : 2);
    const struct log_event *wait;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH),
                 LAUNCH(launch));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 1)->time_ps,
                      check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    ck_assert_uint_le(length_of(1), GFE_PS_PER_US + (_i ? 1000 : cycles(755)));
    ck_assert_uint_ge(length_of(1), GFE_PS_PER_US + (_i ? 0 : cycles(752)));
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_C2), 1);
    wait = wait_by(RULE_T_C2);
    ck_assert_uint_eq(event_wait_of(wait).begin_ps,
                      check_machine_event(&check, EVENT_COPY_QUEUE, 1)->time_ps);
    ck_assert_uint_eq(wait->time_ps, check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    ck_assert_uint_eq(event_wait_of(wait).subject_kind, SUBJECT_COPY);
    ck_assert_uint_eq(event_wait_of(wait).subject_id, 2);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_COPY);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, 1);
}
END_TEST

/* nv.ce.credits: two by default, so the third launch waits at Host. */
START_TEST(host_keeps_a_launch_back_until_the_engine_has_room)
{
    if (_i)
        ck_assert(machine_set_parameter(check.machine, "nv.ce.credits", 3));
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH),
                 LAUNCH(PITCH_TO_PITCH), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
    if (_i)
        ck_assert_uint_lt(check_machine_event(&check, EVENT_COPY_QUEUE, 2)->time_ps,
                          check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    else
        ck_assert_uint_ge(check_machine_event(&check, EVENT_COPY_QUEUE, 2)->time_ps,
                          check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
}
END_TEST

/* The engine has room for eight, whatever the parameter says. */
START_TEST(an_engine_holds_no_more_than_it_has_room_for)
{
    uint32_t dwords[9 + 2 * 20] = {COPY(0, TARGET, 0, 0, 48192, 1)};

    ck_assert(machine_set_parameter(check.machine, "nv.ce.credits", _i ? 1000 : 0));
    for (uint32_t i = 0; i < 20; i++) {
        dwords[9 + 2 * i] = PB_INC(4, 0x300, 1);
        dwords[10 + 2 * i] = PITCH_TO_PITCH;
    }
    check_machine_submit(&check, 0, dwords, 49);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 20);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_ce_suite(void)
{
    Suite *suite = suite_create("nv_ce");
    TCase *tcase = tcase_create("signals"), *driver = tcase_create("driver");
    TCase *timing = tcase_create("time");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_checked_fixture(driver, setup_with_nouveau, teardown);
    tcase_add_loop_test(tcase, a_semaphore_can_be_reduced, 0,
                        2 * sizeof reductions / sizeof reductions[0]);
    tcase_add_loop_test(tcase, a_semaphore_without_a_page_faults_behind_its_copy, 0, 2);
    tcase_add_loop_test(tcase, a_copy_can_raise_an_interrupt, 0, 2);
    tcase_add_test(tcase, an_interrupt_that_is_not_enabled_does_not_reach_pmc);
    tcase_add_test(driver, nouveau_answers_the_copy_engines_interrupts);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, driver);
    tcase_add_checked_fixture(timing, setup, teardown);
    tcase_add_loop_test(timing, a_copy_takes_its_set_up_and_its_bytes_at_the_engines_rate, 0, 2);
    tcase_add_loop_test(timing, system_memory_is_slower, 0, 2);
    tcase_add_test(timing, more_pces_make_an_engine_faster);
    tcase_add_test(timing, short_lines_cost_whole_sectors);
    tcase_add_loop_test(timing, pipelined_copies_are_set_up_while_others_run, 0, 2);
    tcase_add_loop_test(timing, host_keeps_a_launch_back_until_the_engine_has_room, 0, 2);
    tcase_add_loop_test(timing, an_engine_holds_no_more_than_it_has_room_for, 0, 2);
    suite_add_tcase(suite, timing);
    return suite;
}
