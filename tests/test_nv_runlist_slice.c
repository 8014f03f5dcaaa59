/* SPDX-License-Identifier: MIT */
/* Slices of TSGs and of channels: how long, what counts, who is next. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002
#define DRAW PB_IMMD(0, 0x19d0, 1)
#define WFI  PB_IMMD(0, 0x78, 0)
#define US   GFE_PS_PER_US

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

/* A TSG of one channel with that slice, and its channel. */
#define TSG(channel, timeout, scale)                                                               \
    1u << 26 | (uint32_t)(timeout) << 18 | (uint32_t)(scale) << 14 | 0x2000 | (32 + (channel)), 0, \
        (channel), 0

static void list_of_two(uint32_t timeout0, uint32_t timeout1)
{
    check_machine_runlist_raw(&check, 0, 4,
                              (const uint32_t[]){TSG(0, timeout0, 0), TSG(1, timeout1, 0)});
}

/* Work for the graphics engine that lasts, and a word behind it. */
static void submit_long(uint32_t channel_id, uint32_t offset)
{
    CHECK_SUBMIT(&check, channel_id, DRAW, WFI, RELEASE(offset, 1));
}

static const struct log_event *end(uint32_t n)
{
    return check_machine_event(&check, EVENT_NV_TSG_END, n);
}

/* B.T1: TIMEOUT units of 1,024 ns each, in turn, to the picosecond. */
/* PROMISE (nvidia): Groups with work take turns for their timeslices. */
START_TEST(two_groups_with_work_take_turns_for_their_slices)
{
    static const uint64_t units[2] = {100, 60};
    uint32_t cut[2] = {0, 0};

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    list_of_two(100, 60);
    submit_long(0, 0);
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    for (uint32_t n = 0; end(n); n++) {
        const uint64_t which = event_nv_tsg_end_of(end(n)).tsg_id - 32;

        ck_assert_uint_eq(
            event_nv_tsg_end_of(end(n)).tsg_id,
            event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, n)).tsg_id);
        if (end(n)->rule != RULE_B_T1)
            continue;
        cut[which]++;
        ck_assert_uint_eq(event_nv_tsg_end_of(end(n)).counted_ps, units[which] * 1024000);
        ck_assert_uint_ge(event_nv_tsg_end_of(end(n)).ran_ps,
                          event_nv_tsg_end_of(end(n)).counted_ps);
        /* The other one is next. */
        ck_assert_uint_eq(
            event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, n + 1)).tsg_id,
            33 - which);
    }
    /* 1,000 us of work each, in slices of 102.4 and 61.44 us while there are two. */
    ck_assert_uint_ge(cut[0], 8);
    ck_assert_uint_ge(cut[1], 8);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_T1), 8);
}
END_TEST

/* B.T1b: the TX2's compute slice is 250 << 2 units, 1,024.000 us; beside it the default, 128 << 3.
 */
START_TEST(b_t1b_a_compute_slice_of_the_tx2_is_1024_us)
{
    static const uint64_t slices[2] = {1024 * US, 1048576000};
    uint32_t cut[2] = {0, 0};

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 10000 * US));
    check_machine_runlist_raw(&check, 0, 4, (const uint32_t[]){TSG(0, 250, 2), TSG(1, 128, 3)});
    submit_long(0, 0);
    submit_long(1, 4);
    check_machine_run(&check);
    for (uint32_t n = 0; end(n); n++) {
        if (end(n)->rule != RULE_B_T1)
            continue;
        ck_assert_uint_eq(event_nv_tsg_end_of(end(n)).counted_ps,
                          slices[event_nv_tsg_end_of(end(n)).tsg_id - 32]);
        cut[event_nv_tsg_end_of(end(n)).tsg_id - 32]++;
    }
    ck_assert_uint_ge(cut[0], 8);
    ck_assert_uint_ge(cut[1], 8);
}
END_TEST

START_TEST(a_group_alone_goes_on_without_a_break)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    list_of_two(1, 1);
    submit_long(0, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 0);
    ck_assert_uint_gt(event_nv_tsg_end_of(end(0)).counted_ps, 1000 * US);
}
END_TEST

/* It had several slices alone; the other comes in at the end of the one that it is in. */
/* The runlist's timeslice says when Host goes to another TSG (tu104/dev_ram.ref.txt, "Runlist TSG
 * Entry Type"): channels of one TSG that wait for each other are no reason to leave it. */
START_TEST(channels_of_the_only_group_do_not_end_its_slice)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    check_machine_runlist_raw(
        &check, 0, 3, (const uint32_t[]){2u << 26 | 100u << 18 | 0x2000 | 32, 0, 0, 0, 1, 0});
    submit_long(0, 0);
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 0);
}
END_TEST

START_TEST(somebody_who_comes_late_gets_in_at_the_end_of_a_slice)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    /* The second doorbell takes effect when the first channel has run for 330 us. */
    ck_assert(machine_set_parameter(check.machine, "nv.host.doorbell_cycles", 330 * 1506));
    list_of_two(100, 60);
    submit_long(0, 0);
    ck_assert(machine_run(check.machine, 360 * US));
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(end(0)->rule, RULE_B_T1);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps % (100 * 1024000), 0);
    ck_assert_uint_gt(event_nv_tsg_end_of(end(0)).counted_ps, 100 * 1024000);
}
END_TEST

/* B.T2: a load that takes longer than the slice is no part of it. */
/* PROMISE (nvidia): Rule B.T2: loading a context is no part of the slice. */
START_TEST(loading_a_context_is_not_part_of_the_slice)
{
    const struct log_event *start, *load;

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 200 * US));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 1000000));
    list_of_two(50, 50);
    submit_long(0, 0);
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    start = check_machine_event(&check, EVENT_NV_TSG_START, 1);
    load = check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, 2);
    ck_assert_uint_eq(event_nv_context_load_of(load).engine_id, 0);
    ck_assert_uint_gt(event_nv_context_load_of(load).load_ps, 600 * US);
    ck_assert_uint_eq(end(1)->rule, RULE_B_T1);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(1)).counted_ps, 50 * 1024000);
    ck_assert_uint_ge(end(1)->time_ps - start->time_ps,
                      event_nv_context_load_of(load).load_ps + 50 * 1024000);
}
END_TEST

/* B.T2, in the middle of a slice: the channel comes to a method of an engine that has no context
 * for it yet.  The other waits for the slice's time and for the load's. */
START_TEST(a_slice_is_paused_while_an_engine_loads)
{
    const struct log_event *pause, *load;

    ck_assert(machine_set_choice(check.machine, "nv.runlist.engines_needed", "used"));
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 200 * US));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 1000000));
    list_of_two(50, 50);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7), DRAW, WFI, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 1));
    check_machine_run(&check);
    golden_log_check(&check, "rule_b_t2.events");
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_SLICE_PAUSE, RULE_B_T2), 1);
    pause = check_machine_event(&check, EVENT_NV_SLICE_PAUSE, 0);
    load = check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, 0);
    ck_assert_uint_eq(event_nv_slice_pause_of(pause).tsg_id, 32);
    ck_assert_uint_eq(event_nv_slice_pause_of(pause).channel_id, 0);
    ck_assert_uint_gt(event_nv_slice_pause_of(pause).counted_ps, 0);
    ck_assert_uint_lt(event_nv_slice_pause_of(pause).counted_ps, 50 * 1024000);
    ck_assert_uint_eq(pause->time_ps, load->time_ps);
    ck_assert_uint_gt(event_nv_context_load_of(load).load_ps, 600 * US);
    ck_assert_uint_eq(end(0)->rule, RULE_B_T1);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps, 50 * 1024000);
    ck_assert_uint_ge(event_nv_tsg_end_of(end(0)).ran_ps,
                      event_nv_context_load_of(load).load_ps + 50 * 1024000);
}
END_TEST

/* B.T2: the pause is exactly the load (open-gpu-doc tu104/dev_ram.ref.txt: a timeslice does not
 * count while a context load is outstanding).  From when the slice counts, the other TSG waits for
 * the slice, for the load, and for the save of the channel, however long the load takes. */
START_TEST(the_pause_lasts_as_long_as_the_load)
{
    static const char *const cycles[] = {"1000", "100000", "1000000", "4000000"};
    const struct log_event *loaded, *load, *save;
    gfe_ps over_ps;

    ck_assert(machine_set_choice(check.machine, "nv.runlist.engines_needed", "used"));
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 200 * US));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles",
                                    strtoull(cycles[_i], NULL, 10)));
    list_of_two(50, 50);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7), DRAW, WFI, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 1));
    check_machine_run(&check);
    loaded = check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0);
    load = check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, 0);
    save = check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps, 50 * 1024000);
    over_ps =
        save->time_ps - loaded->time_ps - 50 * 1024000 - event_nv_context_load_of(load).load_ps;
    ck_assert_uint_lt(over_ps, US / 2); /* the RAMFC's save */
}
END_TEST

/* NV.SUBMIT: the list begins anew, with the first TSG that can run. */
START_TEST(a_new_list_ends_the_slice_of_whoever_is_on)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    list_of_two(255, 255);
    submit_long(0, 0);
    submit_long(1, 4);
    ck_assert(machine_run(check.machine, 60 * US));
    check_machine_runlist_raw(&check, 0, 4, (const uint32_t[]){TSG(1, 255, 0), TSG(0, 255, 0)});
    check_machine_run(&check);
    ck_assert_uint_eq(end(0)->rule, RULE_NV_SUBMIT);
    golden_log_check(&check, "rule_nv_submit.events");
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).tsg_id, 32);
    ck_assert_uint_lt(event_nv_tsg_end_of(end(0)).counted_ps, 60 * US);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 1)).tsg_id, 33);
}
END_TEST

START_TEST(a_group_that_is_not_on_the_new_list_has_to_leave)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    list_of_two(255, 255);
    submit_long(0, 0);
    ck_assert(machine_run(check.machine, 60 * US));
    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){TSG(1, 255, 0)});
    check_machine_run(&check);
    ck_assert_uint_eq(end(0)->rule, RULE_NV_SUBMIT);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
}
END_TEST

/* The same while the channel of the TSG that is on has left the PBDMA, and only an engine works for
 * it: it has a new slice, and whoever comes then gets in at its end. */
START_TEST(a_new_list_does_not_stop_the_slice_of_work_without_a_channel)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){TSG(0, 100, 0)});
    CHECK_SUBMIT(&check, 0, DRAW);
    ck_assert(machine_run(check.machine, 150 * US));
    list_of_two(100, 60);
    CHECK_SUBMIT(&check, 1, RELEASE(4, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(end(0)->rule, RULE_B_T1);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).tsg_id, 32);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps, 100 * 1024000);
    ck_assert_uint_lt(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps, 300 * US);
}
END_TEST

/* B.T2, when the list comes while an engine loads the context: the new slice begins behind it. */
START_TEST(a_new_list_while_a_context_is_loaded_waits_with_the_slice)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 1000000));
    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){TSG(0, 100, 0)});
    submit_long(0, 0);
    ck_assert(machine_run(check.machine, 100 * US));
    list_of_two(100, 60);
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(end(0)->rule, RULE_B_T1);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps, 100 * 1024000);
    ck_assert_uint_gt(end(0)->time_ps, 660 * US + 100 * 1024000);
}
END_TEST

/* A TSG of channels 0 and 1, both with work for the Host that lasts. */
static void two_busy_channels(uint32_t pb_timeslice)
{
    static const uint32_t list[] = {2u << 26 | 255u << 18 | 3u << 14 | 0x2020, 0, 0, 0, 1, 0};

    for (uint32_t id = 0; id < 2; id++) {
        check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 * id + 0xfc, pb_timeslice);
        for (uint32_t i = 0; i < 1000; i++)
            check_machine_dwords(&check, id, (const uint32_t[]){RELEASE(4 * id, i)}, 5);
    }
    check_machine_runlist_raw(&check, 0, 3, list);
    for (uint32_t id = 0; id < 2; id++)
        check_machine_segment(&check, id, CHECK_PUSH(id), 1000 * 5, true);
    check_machine_run(&check);
    for (uint32_t id = 0; id < 2; id++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * id), 999);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 2000);
}

/* NV.TSG: PB_TIMESLICE, here one unit; without ENABLE a channel stays until it has no work. */
START_TEST(channels_of_a_group_take_turns_by_pb_timeslice)
{
    two_busy_channels(0x10000001);
    ck_assert_uint_gt(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2);
}
END_TEST

START_TEST(without_pb_timeslice_a_channel_stays_until_it_has_no_work)
{
    two_busy_channels(1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_TSG), 1);
}
END_TEST

/* NV.BARE, B.T1: RUNLIST_TIMESLICE of its RAMFC. */
START_TEST(channels_outside_groups_have_slices_of_their_own)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 500 * US));
    for (uint32_t id = 0; id < 2; id++)
        check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 * id + 0xf8, 0x10001032);
    check_machine_runlist_raw(&check, 0, 2, (const uint32_t[]){0, 0, 1, 0});
    submit_long(0, 0);
    submit_long(1, 4);
    check_machine_run(&check);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 4);
    ck_assert_uint_eq(event_nv_tsg_end_of(end(0)).counted_ps, UINT64_C(100) * 1024000);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
}
END_TEST

/* Slices that could change nothing do not follow each other for ever: METHOD0 of both channels
 * waits for what never comes, and the run ends. */
START_TEST(groups_that_get_nowhere_do_not_take_turns_for_ever)
{
    list_of_two(1, 1);
    for (uint32_t id = 0; id < 2; id++) /* a report semaphore's ACQUIRE */
        CHECK_SUBMIT(&check, id, PB_INC(0, 0x1b00, 4), 0, (uint32_t)CHECK_DATA, 7, 1);
    check_machine_run(&check);
    ck_assert_uint_lt(check_machine_count(&check, EVENT_NV_TSG_START), 12);
    check_machine_poke(&check, CHECK_DATA, 7);
    CHECK_SUBMIT(&check, 2, RELEASE(8, 1));
    check_machine_run(&check);
}
END_TEST

Suite *nv_runlist_slice_suite(void)
{
    Suite *suite = suite_create("nv_runlist_slice");
    TCase *tcase = tcase_create("slices");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, two_groups_with_work_take_turns_for_their_slices);
    tcase_add_test(tcase, b_t1b_a_compute_slice_of_the_tx2_is_1024_us);
    tcase_add_test(tcase, a_group_alone_goes_on_without_a_break);
    tcase_add_test(tcase, channels_of_the_only_group_do_not_end_its_slice);
    tcase_add_test(tcase, somebody_who_comes_late_gets_in_at_the_end_of_a_slice);
    tcase_add_test(tcase, loading_a_context_is_not_part_of_the_slice);
    tcase_add_test(tcase, a_slice_is_paused_while_an_engine_loads);
    tcase_add_loop_test(tcase, the_pause_lasts_as_long_as_the_load, 0, 4);
    tcase_add_test(tcase, a_new_list_ends_the_slice_of_whoever_is_on);
    tcase_add_test(tcase, a_group_that_is_not_on_the_new_list_has_to_leave);
    tcase_add_test(tcase, a_new_list_does_not_stop_the_slice_of_work_without_a_channel);
    tcase_add_test(tcase, a_new_list_while_a_context_is_loaded_waits_with_the_slice);
    tcase_add_test(tcase, channels_of_a_group_take_turns_by_pb_timeslice);
    tcase_add_test(tcase, without_pb_timeslice_a_channel_stays_until_it_has_no_work);
    tcase_add_test(tcase, channels_outside_groups_have_slices_of_their_own);
    tcase_add_test(tcase, groups_that_get_nowhere_do_not_take_turns_for_ever);
    suite_add_tcase(suite, tcase);
    return suite;
}
