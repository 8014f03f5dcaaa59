/* SPDX-License-Identifier: MIT */
/* Channels within their TSGs: acquires that fail, NEXT, faults; and preemption by software. */
#include <config.h>

#include <check.h>

#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002
#define ACQUIRE(offset, value, switches)                                                           \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 1u | (uint32_t)(switches) << 12
#define DRAW PB_IMMD(0, 0x19d0, 1)
#define WFI  PB_IMMD(0, 0x78, 0)
#define US   GFE_PS_PER_US

static struct check_machine check;

static void setup(void)
{
    check_machine_begin(&check, false);
    for (uint32_t i = 0; i < 4; i++)
        check_machine_channel(&check, i);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* TSG 32 of channels 0 and 1, TSG 33 of channel 2; slices of 100 units. */
static void two_groups(void)
{
    check_machine_runlist_raw(&check, 0, 5,
                              (const uint32_t[]){2u << 26 | 100u << 18 | 0x2020, 0, 0, 0, 1, 0,
                                                 1u << 26 | 100u << 18 | 0x2021, 0, 2, 0});
}

static const struct log_event *ended(uint32_t n)
{
    return check_machine_event(&check, EVENT_NV_TSG_END, n);
}

/* ---- acquires -------------------------------------------------------------------------------- */

/* NV.ACQ, NV.TSG: another channel of the TSG gets in at once, whatever ACQUIRE_SWITCH says. */
START_TEST(a_failed_acquire_lets_another_channel_of_the_group_run)
{
    two_groups();
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 9, _i), RELEASE(4, 1));
    CHECK_SUBMIT(&check, 1, RELEASE(0, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ACQUIRE), 1);
    ck_assert_uint_lt(machine_now(check.machine), 60 * US);
}
END_TEST

/* With ACQUIRE_SWITCH the TSG leaves at once, without it at the end of its slice. */
START_TEST(another_group_gets_in_at_once_only_with_acquire_switch)
{
    two_groups();
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 9, _i), RELEASE(4, 1));
    CHECK_SUBMIT(&check, 2, RELEASE(0, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(event_nv_tsg_end_of(ended(0)).tsg_id, 32);
    ck_assert_uint_eq(ended(0)->rule, _i ? RULE_NV_ACQ : RULE_B_T1);
    golden_log_check(&check, _i ? "rule_nv_acq.events" : "rule_b_t1.events");
    if (_i)
        ck_assert_uint_lt(event_nv_tsg_end_of(ended(0)).counted_ps, 10 * US);
    else
        ck_assert_uint_eq(event_nv_tsg_end_of(ended(0)).counted_ps, UINT64_C(100) * 1024000);
}
END_TEST

/* One channel without ACQUIRE_SWITCH is enough to keep the TSG on. */
START_TEST(one_that_does_not_switch_keeps_its_group_on)
{
    two_groups();
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 9, _i == 0), RELEASE(4, 1));
    CHECK_SUBMIT(&check, 1, ACQUIRE(0, 9, _i != 0), RELEASE(8, 1));
    CHECK_SUBMIT(&check, 2, RELEASE(0, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
    ck_assert_uint_eq(ended(0)->rule, RULE_B_T1);
}
END_TEST

/* Nobody else: it stays, and goes on when the word is written. */
START_TEST(a_failed_acquire_alone_stays_on_the_pbdma)
{
    two_groups();
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 9, 1), RELEASE(4, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 0);
    check_machine_poke(&check, CHECK_DATA, 9);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
}
END_TEST

/* Everybody waits for everybody: polling ends nowhere, and the run ends. */
START_TEST(groups_that_all_wait_do_not_poll_for_ever)
{
    two_groups();
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 9, _i), RELEASE(4, 1));
    CHECK_SUBMIT(&check, 1, ACQUIRE(0, 9, _i), RELEASE(8, 1));
    CHECK_SUBMIT(&check, 2, ACQUIRE(0, 9, _i), RELEASE(12, 1));
    check_machine_run(&check);
    ck_assert_uint_lt(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 12);
    CHECK_SUBMIT(&check, 3, RELEASE(16, 1));
    check_machine_poke(&check, CHECK_DATA, 9);
    check_machine_run(&check);
    for (uint32_t i = 4; i <= 12; i += 4)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + i), 1);
}
END_TEST

/* ---- turns ----------------------------------------------------------------------------------- */

START_TEST(next_is_taken_before_the_others_and_once)
{
    check_machine_runlist_raw(
        &check, 0, 4, (const uint32_t[]){3u << 26 | 100u << 18 | 0x2020, 0, 0, 0, 1, 0, 2, 0});
    for (uint32_t id = 0; id < 3; id++)
        CHECK_SUBMIT(&check, id, RELEASE(4 * id, 1));
    nv_channel_set_next(&check.gpu->host, 2, true);
    ck_assert(nv_channel_status(&check.gpu->host, 2).next);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0)).channel_id,
        2);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 1)).channel_id,
        0);
    ck_assert(!nv_channel_status(&check.gpu->host, 2).next);
}
END_TEST

/* NV.FAULTED: none of the TSG's channels is scheduled until the last bit is cleared. */
START_TEST(a_faulted_channel_holds_its_group_and_no_other)
{
    struct nv_host *host = &check.gpu->host;

    two_groups();
    nv_channel_fault(host, 1, true, true);
    for (uint32_t id = 0; id < 3; id++)
        CHECK_SUBMIT(&check, id, RELEASE(4 * id, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
    nv_channel_clear_fault(host, 1, true, false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    nv_channel_clear_fault(host, 1, false, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
}
END_TEST

START_TEST(a_fault_takes_the_group_that_is_on_off)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    two_groups();
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    nv_channel_fault(&check.gpu->host, 0, false, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_NV_FAULTED), 1);
    golden_log_check(&check, "rule_nv_faulted.events");
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
}
END_TEST

/* ---- preemption ------------------------------------------------------------------------------ */

/* NV.PREEMPT, step by step as "Channel Teardown Sequence" of tu104/dev_fifo.ref.txt: the TSG of
 * channels 0 and 1 goes, that of channel 2 goes on behind it. */
/* PROMISE (nvidia): A group is torn down as the manual says. */
START_TEST(a_group_is_torn_down_as_the_manual_says)
{
    struct nv_runlist *runlist = &check.gpu->runlists[0];
    const struct nv_engine *graphics = &check.gpu->engines[0];

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    two_groups();
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 2, RELEASE(8, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    ck_assert_int_eq(nv_engine_status(graphics), NV_ENGINE_VALID);
    machine_write32(check.machine, 0x2630, 1); /* 1. SCHED_DISABLE */
    for (uint32_t id = 0; id < 2; id++)        /* 2. its channels */
        machine_write32(check.machine, 0x800004 + 8 * id, 0x800);
    nv_runlist_preempt(runlist); /* 3. */
    ck_assert(nv_runlist_preempt_pending(runlist, NV_RUNLIST_PREEMPT_ALL, 0));
    check_machine_run(&check); /* 4. */
    ck_assert(!nv_runlist_preempt_pending(runlist, NV_RUNLIST_PREEMPT_ALL, 0));
    ck_assert_uint_eq(machine_read32(check.machine, 0x3080) >> 13 & 7, 0); /* PBDMA: INVALID */
    ck_assert_int_eq(nv_engine_status(graphics), NV_ENGINE_INVALID);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_NV_PREEMPT), 1);
    golden_log_check(&check, "rule_nv_preempt.events");
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 0); /* nothing is scheduled */
    machine_write32(check.machine, 0x2630, 0);                        /* 6. */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
}
END_TEST

/* Nothing of the runlist is scheduled before a preemption is complete (tu104/dev_fifo.ref.txt,
 * "Channel Teardown Sequence": poll until it is).  A channel that gets work meanwhile waits for the
 * preemption. */
START_TEST(work_that_comes_during_a_preemption_waits_for_it)
{
    struct nv_runlist *runlist = &check.gpu->runlists[0];

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    two_groups();
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    machine_write32(check.machine, 0x800004, 0x800);
    machine_write32(check.machine, 0x2634, 1u << 24 | 32); /* PREEMPT of TSG 32 */
    while ((machine_read32(check.machine, 0x3080) >> 13 & 7) != 0)
        ck_assert(machine_step(check.machine));
    ck_assert(nv_runlist_preempt_pending(runlist, NV_RUNLIST_PREEMPT_TSG, 32));
    CHECK_SUBMIT(&check, 2, RELEASE(8, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_PREEMPT), 1);
}
END_TEST

START_TEST(sched_disable_holds_the_others_but_not_who_is_on)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    two_groups();
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    machine_write32(check.machine, 0x2630, 1);
    CHECK_SUBMIT(&check, 2, RELEASE(8, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 0);
    machine_write32(check.machine, 0x2630, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 1);
}
END_TEST

/* Preempting the only TSG lets it go on, unless something holds it (nvdebug runlist.c). */
START_TEST(the_only_group_comes_again_after_a_preemption)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    two_groups();
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    machine_write32(check.machine, 0x2634, 1u << 24 | 32); /* PREEMPT of TSG 32 */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 2);
    /* Of the graphics engine and of the copy engine. */
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CONTEXT_LOAD), 2 * 2);
}
END_TEST

Suite *nv_channel_suite(void)
{
    Suite *suite = suite_create("nv_channel");
    TCase *tcase = tcase_create("groups");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_failed_acquire_lets_another_channel_of_the_group_run, 0, 2);
    tcase_add_loop_test(tcase, another_group_gets_in_at_once_only_with_acquire_switch, 0, 2);
    tcase_add_loop_test(tcase, one_that_does_not_switch_keeps_its_group_on, 0, 2);
    tcase_add_test(tcase, a_failed_acquire_alone_stays_on_the_pbdma);
    tcase_add_loop_test(tcase, groups_that_all_wait_do_not_poll_for_ever, 0, 2);
    tcase_add_test(tcase, next_is_taken_before_the_others_and_once);
    tcase_add_test(tcase, a_faulted_channel_holds_its_group_and_no_other);
    tcase_add_test(tcase, a_fault_takes_the_group_that_is_on_off);
    tcase_add_test(tcase, a_group_is_torn_down_as_the_manual_says);
    tcase_add_test(tcase, work_that_comes_during_a_preemption_waits_for_it);
    tcase_add_test(tcase, sched_disable_holds_the_others_but_not_who_is_on);
    tcase_add_test(tcase, the_only_group_comes_again_after_a_preemption);
    suite_add_tcase(suite, tcase);
    return suite;
}
