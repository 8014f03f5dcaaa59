/* SPDX-License-Identifier: MIT */
/* Host and its runlists: doorbells, binding, scanning, taking turns. */
#include <config.h>

#include <check.h>

#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002
enum { INTR_0 = 0x2100, BIND_ERROR = 0x252c, SCHED_ERROR = 0x254c, CCSR = 0x800000 };
enum { PREEMPT = 0x2634, PREEMPT_PENDING = 1 << 20, PREEMPT_TSG = 1 << 24 };

static struct check_machine check;

static void setup(void)
{
    check_machine_begin(&check, false);
    for (uint32_t i = 0; i < 3; i++)
        check_machine_channel(&check, i);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static uint32_t status(uint32_t channel_id)
{
    return machine_read32(check.machine, CCSR + 4 + 8 * channel_id) >> 24 & 0xf;
}

/* NV.DOORBELL: only GP_PUT of a channel inside the window is one. */
START_TEST(a_store_to_gp_put_is_a_doorbell_and_no_other_store)
{
    static const uint32_t offsets[] = {0x88, 0x40, 0x90, 0x8c};

    for (uint32_t i = 0; i < 4; i++)
        machine_bar1_write32(check.machine, CHECK_BAR1_USERD + 512 * 2 + offsets[i], i);
    machine_bar1_write32(check.machine, CHECK_BAR1_USERD - 512 + 0x8c, 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_DOORBELL, RULE_NV_DOORBELL), 1);
    ck_assert_uint_eq(
        event_nv_doorbell_of(check_machine_event(&check, EVENT_NV_DOORBELL, 0)).channel_id, 2);
}
END_TEST

/* B.R3 */
START_TEST(a_channel_on_no_runlist_stays_pending)
{
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    ck_assert_uint_eq(status(0), 1);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_B_R3), 1);
    golden_log_check(&check, "rule_b_r3.events");
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(status(0), 0);
}
END_TEST

/* B.R1 */
START_TEST(a_disabled_channel_does_not_run_until_it_is_enabled)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    machine_write32(check.machine, CCSR + 4, 0x800);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    ck_assert_uint_eq(machine_read32(check.machine, CCSR + 4) & 0xc01, 0);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_B_R1), 1);
    golden_log_check(&check, "rule_b_r1.events");
    machine_write32(check.machine, CCSR + 4, 0x400);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, CCSR + 4) & 0xc01, 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
}
END_TEST

/* NV.RUNLIST, B.T1: three channels with work each have their turn, in the order of the list. */
/* PROMISE (nvidia): Channels of a runlist take turns in its order. */
START_TEST(channels_of_a_runlist_take_turns_in_its_order)
{
    check_machine_runlist(&check, 0, 3, (const uint32_t[]){1, 2, 0});
    for (uint32_t i = 0; i < 3; i++)
        CHECK_SUBMIT(&check, i, RELEASE(4 * i, i + 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_START, RULE_NV_RUNLIST), 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(
            event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, i)).tsg_id,
            32 + (i + 1) % 3);
        ck_assert_uint_eq(
            event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, i)).timeslice_ps,
            UINT64_C(128) * 8 * 1024 * 1000);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * i), i + 1);
    }
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_RUNLIST), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_T1), 2);
}
END_TEST

static const struct {
    uint32_t header;
    uint64_t timeslice_ps;
} slices[] = {
    {1u << 26 | 250u << 18 | 2u << 14 | 0x2020, UINT64_C(1024000000)},
    {1u << 26 | 250u << 18 | 3u << 14 | 0x2020, UINT64_C(2048000000)},
    {1u << 26 | 0x2020, UINT64_C(1024000)}, /* 0 counts as 1 */
    {1u << 26 | 255u << 18 | 15u << 14 | 0x2020, UINT64_C(255) * 32768 * 1024000},
};

START_TEST(a_timeslice_is_timeout_shifted_by_scale_in_units_of_1024_ns)
{
    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){slices[_i].header, 0, 0, 0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).timeslice_ps,
        slices[_i].timeslice_ps);
}
END_TEST

/* NV.BAD_TSG */
START_TEST(a_tsg_of_no_length_or_too_much_is_a_scheduling_error)
{
    const uint32_t header = (_i ? 3u << 26 : 0) | 0x2020;

    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){header, 0, 0, 0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    check_machine_run(&check);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_NV_SCHED_ERROR, RULE_NV_BAD_TSG), 1);
    if (_i == 0)
        golden_log_check(&check, "rule_nv_bad_tsg.events");
    ck_assert_uint_eq(machine_read32(check.machine, SCHED_ERROR), 0x20);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) >> 8 & 1, 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    /* A good list repairs it. */
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
}
END_TEST

START_TEST(a_runlist_that_the_chip_does_not_have_is_a_scheduling_error)
{
    machine_write32(check.machine, 0x2274, 15u << 20 | 2);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) >> 8 & 1, 1);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) & 1, 0);
    machine_write32(check.machine, INTR_0, 1u << 8);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) >> 8 & 1, 0);
}
END_TEST

/* NV.PBDMA_SHARED: PBDMA 3 serves runlists 5 and 6. */
START_TEST(runlists_that_share_a_pbdma_take_turns_on_it)
{
    check_machine_runlist(&check, 5, 1, (const uint32_t[]){0});
    check_machine_runlist(&check, 6, 1, (const uint32_t[]){1});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0)).pbdma_id,
        3);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 1)).pbdma_id,
        3);
    ck_assert_uint_ge(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 1)->time_ps,
                      check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0)->time_ps);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_PBDMA_SHARED), 1);
    golden_log_check(&check, "rule_nv_pbdma_shared.events");
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 2);
}
END_TEST

/* NV.PBDMA_SHARED: one that waits for ever does not keep the PBDMA from the other runlist. */
START_TEST(a_runlist_gets_the_shared_pbdma_at_the_end_of_the_others_slice)
{
    check_machine_runlist(&check, 5, 1, (const uint32_t[]){0});
    check_machine_runlist(&check, 6, 1, (const uint32_t[]){1});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 9, 1, RELEASE(8, 1));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, RELEASE(4, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 2);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 0);
    check_machine_poke(&check, CHECK_DATA, 9);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
}
END_TEST

START_TEST(a_doorbell_while_the_channel_runs_or_leaves_is_not_lost)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    /* Ring again at each of the moments that the channel goes through. */
    for (uint32_t n = 0; n < (uint32_t)_i && machine_step(check.machine); n++)
        continue;
    CHECK_SUBMIT(&check, 0, RELEASE(4, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 2);
    ck_assert_uint_eq(status(0), 0);
}
END_TEST

START_TEST(the_status_of_a_channel_says_where_it_is)
{
    uint32_t seen = 0;

    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    ck_assert_uint_eq(status(0), 0);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    while (machine_step(check.machine))
        seen |= 1u << status(0);
    /* IDLE, PENDING, ON_PBDMA until the engine has its context, ON_PBDMA_AND_ENG */
    ck_assert_uint_eq(seen, 1u << 0 | 1u << 1 | 1u << 5 | 1u << 6);
    ck_assert_uint_eq(status(0), 0);
}
END_TEST

START_TEST(binding_a_bound_channel_elsewhere_is_an_error)
{
    machine_write32(check.machine, CCSR, 1u << 31 | (CHECK_INSTANCES >> 12) | 0x10);
    ck_assert_uint_eq(machine_read32(check.machine, BIND_ERROR), 1);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) & 1, 1);
}
END_TEST

START_TEST(binding_without_a_snooping_window_is_an_error)
{
    machine_write32(check.machine, CCSR, 0);
    machine_write32(check.machine, 0x2254, 0);
    machine_write32(check.machine, CCSR, 1u << 31 | CHECK_INSTANCES >> 12);
    ck_assert_uint_eq(machine_read32(check.machine, BIND_ERROR), 2);
}
END_TEST

START_TEST(unbinding_a_running_channel_is_an_error)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    while (status(0) != 6)
        ck_assert(machine_step(check.machine));
    machine_write32(check.machine, CCSR, 0);
    ck_assert_uint_eq(machine_read32(check.machine, BIND_ERROR), 3);
}
END_TEST

/* ---- PREEMPT --------------------------------------------------------------------------------- */

static enum nv_pbdma_phase phase(void)
{
    return (enum nv_pbdma_phase)check.gpu->pbdmas[0].state->phase;
}

static bool preempt_pending(void)
{
    return machine_read32(check.machine, PREEMPT) & PREEMPT_PENDING;
}

static void step_until(enum nv_pbdma_phase wanted)
{
    while (phase() != wanted)
        ck_assert(machine_step(check.machine));
}

/* By the TSG's number or the channel's. */
START_TEST(an_idle_channel_that_is_preempted_leaves_at_once)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    step_until(NV_PBDMA_IDLE);
    machine_write32(check.machine, PREEMPT, _i ? 0 : PREEMPT_TSG | 32);
    ck_assert_int_eq(phase(), NV_PBDMA_SAVING);
    while (phase() != NV_PBDMA_EMPTY) {
        ck_assert(preempt_pending());
        ck_assert(machine_step(check.machine));
    }
    while (preempt_pending()) /* its contexts leave the engines */
        ck_assert(machine_step(check.machine));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PREEMPT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x14), 1); /* GP_GET */
    ck_assert_uint_eq(status(0), 0);
}
END_TEST

START_TEST(a_preemption_of_another_channel_or_group_does_nothing)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1));
    step_until(NV_PBDMA_IDLE);
    machine_write32(check.machine, PREEMPT, PREEMPT_TSG | 33);
    ck_assert(!preempt_pending());
    machine_write32(check.machine, PREEMPT, 32);
    ck_assert(!preempt_pending());
    ck_assert_int_eq(phase(), NV_PBDMA_IDLE);
}
END_TEST

/* The value that its acquire waits for comes while it is being saved: it comes again. */
START_TEST(a_semaphore_written_while_its_channel_is_saved_is_not_missed)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 9, 1, RELEASE(8, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 0);
    machine_write32(check.machine, PREEMPT, PREEMPT_TSG | 32);
    ck_assert_int_eq(phase(), NV_PBDMA_SAVING);
    check_machine_poke(&check, CHECK_DATA, 9);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2);
}
END_TEST

/* It leaves at its next method; what is left brings it back, and nothing is done twice. */
START_TEST(a_working_channel_that_is_preempted_leaves_at_a_method_and_comes_again)
{
    const uint32_t words[] = {RELEASE(0, 1), RELEASE(4, 2)};
    uint64_t at;

    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    at = check_machine_dwords(&check, 0, words, 10);
    check_machine_segment(&check, 0, at, 5, false);
    check_machine_segment(&check, 0, at + 20, 5, true);
    step_until(NV_PBDMA_METHOD);
    machine_write32(check.machine, PREEMPT, PREEMPT_TSG | 32);
    while (phase() != NV_PBDMA_EMPTY) {
        ck_assert(preempt_pending());
        ck_assert(machine_step(check.machine));
    }
    while (preempt_pending()) /* its contexts leave the engines */
        ck_assert(machine_step(check.machine));
    ck_assert_uint_eq(status(0), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)).method_count,
        4);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 2);
    ck_assert_uint_eq(
        event_nv_channel_save_of(check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0))
            .gp_get_index,
        1);
    ck_assert_uint_eq(
        event_nv_channel_save_of(check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0))
            .gp_put_index,
        2);
}
END_TEST

/* An interrupt blocks the save of its channel; the driver disables it first, as nouveau does. */
START_TEST(a_frozen_channel_that_is_preempted_leaves_when_the_interrupt_is_cleared)
{
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    machine_write32(check.machine, 0x800004, 0x800); /* CCSR: ENABLE_CLR */
    machine_write32(check.machine, PREEMPT, PREEMPT_TSG | 32);
    check_machine_run(&check);
    ck_assert(preempt_pending());
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    machine_write32(check.machine, 0x40108, 1u << 21); /* PBDMA 0: INTR_0 METHOD */
    check_machine_run(&check);
    ck_assert(!preempt_pending());
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

static void add_preemption(Suite *suite)
{
    TCase *tcase = tcase_create("preemption");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, an_idle_channel_that_is_preempted_leaves_at_once, 0, 2);
    tcase_add_test(tcase, a_preemption_of_another_channel_or_group_does_nothing);
    tcase_add_test(tcase, a_semaphore_written_while_its_channel_is_saved_is_not_missed);
    tcase_add_test(tcase, a_working_channel_that_is_preempted_leaves_at_a_method_and_comes_again);
    tcase_add_test(tcase, a_frozen_channel_that_is_preempted_leaves_when_the_interrupt_is_cleared);
    suite_add_tcase(suite, tcase);
}

Suite *nv_runlist_suite(void)
{
    Suite *suite = suite_create("nv_runlist");
    TCase *tcase = tcase_create("scheduling");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_store_to_gp_put_is_a_doorbell_and_no_other_store);
    tcase_add_test(tcase, a_channel_on_no_runlist_stays_pending);
    tcase_add_test(tcase, a_disabled_channel_does_not_run_until_it_is_enabled);
    tcase_add_test(tcase, channels_of_a_runlist_take_turns_in_its_order);
    tcase_add_loop_test(tcase, a_timeslice_is_timeout_shifted_by_scale_in_units_of_1024_ns, 0, 4);
    tcase_add_loop_test(tcase, a_tsg_of_no_length_or_too_much_is_a_scheduling_error, 0, 2);
    tcase_add_test(tcase, a_runlist_that_the_chip_does_not_have_is_a_scheduling_error);
    tcase_add_test(tcase, runlists_that_share_a_pbdma_take_turns_on_it);
    tcase_add_test(tcase, a_runlist_gets_the_shared_pbdma_at_the_end_of_the_others_slice);
    tcase_add_loop_test(tcase, a_doorbell_while_the_channel_runs_or_leaves_is_not_lost, 0, 24);
    tcase_add_test(tcase, the_status_of_a_channel_says_where_it_is);
    tcase_add_test(tcase, binding_a_bound_channel_elsewhere_is_an_error);
    tcase_add_test(tcase, binding_without_a_snooping_window_is_an_error);
    tcase_add_test(tcase, unbinding_a_running_channel_is_an_error);
    suite_add_tcase(suite, tcase);
    add_preemption(suite);
    return suite;
}
