/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "devices/core/policy.h"
#include "tests/check_amd.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define BLOCK_PS UINT64_C(160000000)

static struct check_amd check;

static void begin(const char *setting)
{
    const char *const settings[] = {setting, NULL};

    check_amd_begin(&check, "radeon-vii", settings);
}

/* With the same jitter as the paper's tasks: so blocks do not end all at once. */
static uint64_t launch(uint32_t ace, uint64_t blocks, uint32_t threads)
{
    struct amd_launch made =
        check_amd_launch(&check, ace, 0, blocks, threads, BLOCK_PS * threads / 1024);

    made.cost.block_jitter_ppm = 110000;
    made.cost.wave_jitter_ppm = 55000;
    made.cost.seed = ace;
    return check_amd_submit(&check, &made);
}

static uint32_t starts(uint32_t rule)
{
    return check_amd_count_rule(&check, EVENT_BLOCK_START, rule);
}

START_TEST(the_first_blocks_go_to_the_cus_in_their_order)
{
    uint64_t id;

    begin(NULL);
    id = launch(0, 120, 1024);
    check_amd_run(&check);
    /* As in the isolated timeline: 15 CUs of each shader engine, and then the same once more. */
    for (uint32_t i = 0; i < 120; i++) {
        const struct log_event *event = check_amd_event(&check, EVENT_BLOCK_START, id, i);

        ck_assert_uint_eq(event_block_start_of(event).block_index, i);
        ck_assert_uint_eq(event_block_start_of(event).sm_index, i % 4 * 15 + i / 4 % 15);
        ck_assert_uint_eq(event->rule, RULE_A_D3);
    }
    /* 16 waves take 16 cycles of 1.801 GHz: block 4 comes behind block 0. */
    ck_assert_uint_eq(check_amd_event(&check, EVENT_BLOCK_START, id, 4)->time_ps, 8883);
    check_amd_end(&check);
}
END_TEST

START_TEST(slots_are_served_in_turn)
{
    uint64_t first, second;
    uint32_t ahead = 0;

    begin(NULL);
    first = launch(0, 600, 1024);
    second = launch(3, 600, 1024);
    check_amd_run(&check);
    for (uint32_t n = 0; n < 600; n++) {
        const gfe_ps a = check_amd_event(&check, EVENT_BLOCK_START, first, n)->time_ps;
        const struct log_event *b = check_amd_event(&check, EVENT_BLOCK_START, second, n + 8);

        ahead += b && b->time_ps < a;
    }
    ck_assert_uint_eq(ahead, 0); /* neither gets more than the other */
    ck_assert_uint_lt(check_amd_end_ps(&check, first), check_amd_end_ps(&check, second) + BLOCK_PS);
    ck_assert_uint_eq(starts(RULE_A_D4), 0); /* blocks of one size never cut ahead */
    check_amd_end(&check);
}
END_TEST

/* PROMISE (amd): Rule A.D3: small blocks start before a large block that waits for room. */
START_TEST(small_blocks_cut_ahead_of_large_ones)
{
    uint64_t large, small;
    uint32_t late = 0;

    begin("amd.baton=staged");
    large = launch(0, 1024, 1024);
    small = launch(1, 4096, 256);
    check_amd_run(&check);
    ck_assert_uint_gt(starts(RULE_A_D4), 1000);
    /* A small one leaves room for a small one only: the large ones have to wait for nearly all. */
    ck_assert_uint_lt(check_amd_end_ps(&check, small), check_amd_end_ps(&check, large));
    for (uint32_t n = 0; n < 1024; n++)
        late += check_amd_event(&check, EVENT_BLOCK_START, large, n)->time_ps >
                check_amd_event(&check, EVENT_BLOCK_START, small, 4095)->time_ps;
    ck_assert_uint_gt(late, 512);
    check_amd_end(&check);
}
END_TEST

/* PROMISE (amd): Rule A.D5: a block starts in the room that the first waves of an older block
 * left. */
START_TEST(a_block_starts_while_an_older_one_goes_on)
{
    uint64_t id;

    begin("amd.baton=staged");
    id = launch(0, 1024, 1024);
    check_amd_run(&check);
    ck_assert_uint_gt(starts(RULE_A_D5), 500);
    /* Who waited for waves says so. */
    ck_assert_uint_gt(check_amd_count_rule(&check, EVENT_WAIT, RULE_A_D5), 300);
    ck_assert_uint_eq(check_amd_event(&check, EVENT_BLOCK_START, id, 119)->rule, RULE_A_D3);
    check_amd_end(&check);
}
END_TEST

/* A.R1: with 32 waves a CU no wave may end before a third block starts: it waits for 16 of 32. */
/* PROMISE (amd): Rule A.R1: a lower bound on waves holds fewer blocks. */
START_TEST(fewer_waves_hold_fewer_blocks)
{
    gfe_ps ends[2];

    for (uint32_t i = 0; i < 2; i++) {
        uint64_t id;

        begin(i == 0 ? "amd.cu_waves=40" : "amd.cu_waves=32");
        id = launch(0, 600, 256);
        check_amd_run(&check);
        ends[i] = check_amd_event(&check, EVENT_BLOCK_START, id, 599)->time_ps;
        ck_assert((check_amd_count_rule(&check, EVENT_WAIT, RULE_A_R1) > 0) == (i == 1));
        check_amd_end(&check);
    }
    ck_assert_uint_lt(ends[0], BLOCK_PS / 16); /* all 600 fit at once */
    ck_assert_uint_gt(ends[1], BLOCK_PS / 16);
}
END_TEST

/* A 1,024-thread block waits for CU 0, where waves end one after the other; a wave on CU 1 ends in
 * the meantime.  Returns the block's start, and the rule that it is said to have waited by. */
static gfe_ps start_of_the_waiting(const char *bound, gfe_ps other_ps, uint32_t *rule)
{
    const char *const settings[] = {bound, "amd.full_rate_waves=1", NULL};
    const struct log_event *start, *wait = NULL;
    struct amd_launch made;
    gfe_ps start_ps;
    uint64_t id = 0;

    check_amd_begin(&check, "radeon-vii", settings);
    for (uint32_t ace = 0; ace < 4; ace++) {
        made = check_amd_launch(&check, ace, 0, 1, ace == 2 ? 64 : 1024, (1 + ace) * BLOCK_PS);
        made.kind.cu_masks[0] = ace == 2 ? 2 : 1;
        made.kind.cu_masks[1] = made.kind.cu_masks[2] = made.kind.cu_masks[3] = 0;
        if (ace == 0)
            made.cost.wave_jitter_ppm = 900000;
        if (ace == 2)
            made.cost.block_ps = other_ps;
        id = check_amd_submit(&check, &made);
    }
    check_amd_run(&check);
    start = check_amd_event(&check, EVENT_BLOCK_START, id, 0);
    for (const struct log_event *event = check.events; event < start; event++)
        if (event->kind == EVENT_WAIT && event_wait_of(event).subject_id == id)
            wait = event;
    ck_assert_ptr_nonnull(wait);
    *rule = wait->rule;
    start_ps = start->time_ps;
    check_amd_end(&check);
    return start_ps;
}

/* A.R1: with eight waves ended on CU 0 the SIMDs have room and the bound keeps the block waiting,
 * even though nobody had a reason to look at that CU since. */
/* PROMISE (amd): When a wait under A.R1 is noted, no other limit keeps the block waiting. */
/* LIMIT (amd): The rule of a wait is noted when the model looks at the shader engine; a change
 * of cause after the last look is not seen. */
START_TEST(what_keeps_a_block_waiting_is_what_does_now)
{
    uint32_t rule;
    const gfe_ps us = GFE_PS_PER_US;
    const gfe_ps room_ps = start_of_the_waiting("amd.cu_waves=40", 1, &rule);

    ck_assert_uint_eq(rule, RULE_A_D5);
    ck_assert_uint_gt(start_of_the_waiting("amd.cu_waves=32", room_ps - us, &rule), room_ps + us);
    ck_assert_uint_eq(rule, RULE_A_D5);
    ck_assert_uint_gt(start_of_the_waiting("amd.cu_waves=32", room_ps + us, &rule), room_ps + us);
    ck_assert_uint_eq(rule, RULE_A_R1);
}
END_TEST

/* PROMISE (amd): Rule A.M1: a masked CU gets no block. */
START_TEST(masked_cus_get_no_blocks)
{
    struct amd_launch made;
    uint64_t id;

    begin(NULL);
    made = check_amd_launch(&check, 0, 0, 500, 1024, BLOCK_PS);
    for (uint32_t se = 0; se < 4; se++)
        made.kind.cu_masks[se] = 0x2a55;
    id = check_amd_submit(&check, &made);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_event(&check, EVENT_AMD_DISPATCH, id, 0)->rule, RULE_A_M1);
    ck_assert_uint_eq(
        event_amd_dispatch_of(check_amd_event(&check, EVENT_AMD_DISPATCH, id, 0)).cu_mask_lo,
        UINT64_C(0x2a552a552a552a55));
    for (uint32_t i = 0; i < 500; i++)
        ck_assert(
            0x2a55 >>
                event_block_start_of(check_amd_event(&check, EVENT_BLOCK_START, id, i)).sm_index %
                    15 &
            1);
    check_amd_end(&check);
}
END_TEST

/* Which slots each alternative serves first. */
/* PROMISE (amd): Each alternative of choice point amd.wlm_arbitration chooses the next block as
 * its text says. */
START_TEST(arbitration_is_a_choice)
{
    static const struct policy_slot slots[4] = {
        {.waves = 16, .since_ps = 1}, /* it does not fit */
        {.waves = 8, .since_ps = 9},
        {.waves = 16, .since_ps = 7},
        {.waves = 4, .since_ps = 5},
    };
    static const uint32_t picked[5] = {2, 3, 1, 2, 3}; /* in the order of amd.wlm_arbitration */

    for (uint32_t i = 0; i < 5; i++) {
        uint32_t memory = 2, alone = 2;

        ck_assert_uint_eq(policy_pick_slot_builtin[i](slots, 0xe, &memory), picked[i]);
        ck_assert_uint_eq(policy_pick_slot_builtin[i](slots, 0, &memory), POLICY_NONE);
        /* What is left of a pick that had no choice. */
        policy_pick_slot_took(i, picked[i], &alone);
        ck_assert_uint_eq(alone, memory);
        if (i == 0)
            ck_assert_uint_eq(policy_pick_slot_builtin[i](slots, 0xe, &memory), 3);
    }
}
END_TEST

/* Blocks of ACE 1 that start before the last of as many of ACE 0. */
static uint32_t overtaken(const char *setting)
{
    uint64_t first, second;
    uint32_t count = 0;
    gfe_ps last_ps;

    begin(setting);
    second = launch(1, 600, 1024);
    first = launch(0, 600, 1024);
    check_amd_run(&check);
    last_ps = check_amd_event(&check, EVENT_BLOCK_START, first, 599)->time_ps;
    for (uint32_t n = 0; n < 600; n++)
        count += check_amd_event(&check, EVENT_BLOCK_START, second, n)->time_ps < last_ps;
    check_amd_end(&check);
    return count;
}

/* Blocks of one size: what is left to ACE 1 are the places for which ACE 0, whose baton is
 * elsewhere, has no block. */
START_TEST(the_lowest_ace_first)
{
    ck_assert_uint_gt(overtaken("amd.wlm_arbitration=round-robin"), 590);
    ck_assert_uint_lt(overtaken("amd.wlm_arbitration=lowest-ace"), 400);
}
END_TEST

/* ---- CUs that lag behind --------------------------------------------------------------------- */

/* Blocks of the CUs of shader engine 1 end at the very time at which block 7 comes there: they end
 * first, on the CUs that do not get it, too. */
/* PROMISE (amd): Ends of blocks at one time come before starts at that time. */
START_TEST(ends_come_before_a_start_of_that_time)
{
    static const uint32_t cus[4] = {1, 3, 0, 0};
    const char *const settings[] = {"amd.full_rate_waves=40", "amd.wave_dispatch_cycles=0",
                                    "amd.baton=staged", NULL};
    struct amd_launch made;
    const struct log_event *start;
    uint32_t ends = 0;
    uint64_t id;

    check_amd_begin(&check, "radeon-vii", settings);
    made = check_amd_launch(&check, 0, 0, 8, 1024, BLOCK_PS);
    check_amd_mask(&made, cus);
    id = check_amd_submit(&check, &made);
    check_amd_run(&check);
    start = check_amd_event(&check, EVENT_BLOCK_START, id, 7);
    ck_assert_uint_eq(event_block_start_of(start).block_index, 7);
    for (const struct log_event *event = check.events; event < start; event++)
        ends += event->kind == EVENT_BLOCK_END && event_block_end_of(event).sm_index >= 15 &&
                event->time_ps == start->time_ps;
    ck_assert_uint_eq(ends, 3); /* 1, 3 and 5 */
    check_amd_end(&check);
}
END_TEST

static uint64_t launch_masked(uint32_t ace, uint64_t blocks, uint32_t threads, uint64_t block_ps,
                              uint32_t first_mask, uint32_t second_mask)
{
    struct amd_launch made = check_amd_launch(&check, ace, 0, blocks, threads, block_ps);

    made.kind.cu_masks[0] = first_mask;
    made.kind.cu_masks[1] = second_mask;
    made.kind.cu_masks[2] = made.kind.cu_masks[3] = 0;
    made.cost.wave_jitter_ppm = ace == 0 ? 900000 : 0;
    return check_amd_submit(&check, &made);
}

/* Waves of ACE 0 have ended on CU 1 since anybody looked at it.  ACE 2's blocks stand still while
 * shader engine 1 is full. */
/* PROMISE (amd): A placement policy sees the room that is free now, although CUs are looked at
 * only when something happens there. */
START_TEST(the_most_free_cu_is_the_one_that_is_so_now)
{
    const struct log_event *start;
    uint32_t n = 0;
    uint64_t id;

    begin("amd.block_to_cu=most-free");
    (void)launch_masked(0, 1, 1024, 16000000, 2, 0);
    (void)launch_masked(1, 1, 384, BLOCK_PS, 1, 0);
    (void)launch_masked(3, 4, 512, 7000000, 0, 1);
    id = launch_masked(2, 60, 64, BLOCK_PS, 3, 1);
    check_amd_run(&check);
    do
        start = check_amd_event(&check, EVENT_BLOCK_START, id, n++);
    while (start && (start->time_ps < 30000000 || event_block_start_of(start).sm_index >= 15));
    ck_assert_ptr_nonnull(start);
    ck_assert_uint_lt(start->time_ps, 45000000);
    ck_assert_uint_eq(event_block_start_of(start).sm_index, 1);
    check_amd_end(&check);
}
END_TEST

/* ---- logs to read ---------------------------------------------------------------------------- */

static void check_log(const char *name)
{
    check_amd_run(&check);
    golden_log_check_events(check.events, check.event_count, name);
    check_amd_end(&check);
}

/* A few blocks on the first CU of shader engine 0; waves end one after the other. */
static void launch_on_one(uint32_t ace, uint64_t blocks, uint32_t threads)
{
    static const uint32_t cus[4] = {1, 0, 0, 0};
    struct amd_launch made =
        check_amd_launch(&check, ace, 0, blocks, threads, BLOCK_PS * threads / 1024);

    check_amd_mask(&made, cus);
    made.cost.wave_jitter_ppm = 55000;
    (void)check_amd_submit(&check, &made);
}

/* A.D3: two ACEs on one shader engine, and each has its slot. */
START_TEST(a_log_of_two_slots)
{
    begin(NULL);
    launch_on_one(0, 2, 256);
    launch_on_one(1, 2, 256);
    check_log("rule_a_d3.events");
}
END_TEST

/* A.D4: two large and two small blocks fill the CU.  The third small one starts as four waves have
 * ended, ahead of the large one, which has waited longer. */
START_TEST(a_log_of_small_ones_that_cut_ahead)
{
    begin(NULL);
    launch_on_one(0, 3, 1024);
    launch_on_one(1, 3, 256);
    check_log("rule_a_d4.events");
}
END_TEST

/* A.D5: the third block starts when eight waves of the first two have ended. */
START_TEST(a_log_of_room_that_waves_leave)
{
    begin(NULL);
    launch_on_one(0, 3, 1024);
    check_log("rule_a_d5.events");
}
END_TEST

/* A.M1: CU 1 of shader engine 0 and CU 14 of shader engine 2. */
START_TEST(a_log_of_masks)
{
    struct amd_launch made;

    begin(NULL);
    made = check_amd_launch(&check, 0, 0, 4, 256, BLOCK_PS / 4);
    made.kind.cu_masks[0] = 0x0002;
    made.kind.cu_masks[1] = made.kind.cu_masks[3] = 0;
    made.kind.cu_masks[2] = 0x4000;
    (void)check_amd_submit(&check, &made);
    check_log("rule_a_m1.events");
}
END_TEST

/* A.R1: with 40 waves the fifth block had room. */
START_TEST(a_log_of_a_bound_on_waves)
{
    begin("amd.cu_waves=32");
    launch_on_one(0, 5, 512);
    check_log("rule_a_r1.events");
}
END_TEST

Suite *amd_workload_manager_suite(void)
{
    Suite *suite = suite_create("amd_workload_manager");
    TCase *tcase = tcase_create("workload managers");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_first_blocks_go_to_the_cus_in_their_order);
    tcase_add_test(tcase, slots_are_served_in_turn);
    tcase_add_test(tcase, small_blocks_cut_ahead_of_large_ones);
    tcase_add_test(tcase, a_block_starts_while_an_older_one_goes_on);
    tcase_add_test(tcase, fewer_waves_hold_fewer_blocks);
    tcase_add_test(tcase, what_keeps_a_block_waiting_is_what_does_now);
    tcase_add_test(tcase, masked_cus_get_no_blocks);
    tcase_add_test(tcase, arbitration_is_a_choice);
    tcase_add_test(tcase, the_lowest_ace_first);
    tcase_add_test(tcase, ends_come_before_a_start_of_that_time);
    tcase_add_test(tcase, the_most_free_cu_is_the_one_that_is_so_now);
    tcase_add_test(tcase, a_log_of_two_slots);
    tcase_add_test(tcase, a_log_of_small_ones_that_cut_ahead);
    tcase_add_test(tcase, a_log_of_room_that_waves_leave);
    tcase_add_test(tcase, a_log_of_masks);
    tcase_add_test(tcase, a_log_of_a_bound_on_waves);
    suite_add_tcase(suite, tcase);
    return suite;
}
