/* SPDX-License-Identifier: MIT */
/* PROMISE (amd): Each alternative of choice point amd.ace_turn shares an ACE among queues as its
 * text says. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/check_amd.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define BLOCK_PS UINT64_C(16000000) /* of a CU: alone with 16 waves 25/16 of it */

static struct check_amd check;

static void begin(const char *setting, const char *another)
{
    const char *const settings[] = {setting, setting ? another : NULL, NULL};

    check_amd_begin(&check, "radeon-vii", settings);
}

static uint64_t launch(uint32_t ace, uint32_t queue, uint64_t blocks, uint32_t threads)
{
    const struct amd_launch made = check_amd_launch(&check, ace, queue, blocks, threads, BLOCK_PS);

    return check_amd_submit(&check, &made);
}

/* The block of a grid that was staged last. */
static uint64_t last_staged(uint64_t grid_id)
{
    uint64_t last = UINT64_MAX;
    const struct log_event *event;

    for (uint32_t n = 0; (event = check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, grid_id, n)); n++)
        last = event_amd_block_stage_of(event).block_index;
    return last;
}

static uint32_t turns(void)
{
    return check_amd_count_rule(&check, EVENT_AMD_ACE_TURN, RULE_A_D1);
}

/* PROMISE (amd): Rule A.D1: blocks go to the shader engines in turn. */
START_TEST(blocks_go_to_the_shader_engines_in_turn)
{
    uint64_t id;

    begin(NULL, NULL);
    id = launch(0, 0, 1000, 1024);
    check_amd_run(&check);
    for (uint32_t i = 0; i < 1000; i++) {
        const struct log_event *staged = check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, i);
        const struct event_block_start started =
            event_block_start_of(check_amd_event(&check, EVENT_BLOCK_START, id, i));

        ck_assert_uint_eq(staged->rule, RULE_A_D2);
        ck_assert_uint_eq(event_amd_block_stage_of(staged).block_index, i);
        ck_assert_uint_eq(event_amd_block_stage_of(staged).se_index, i % 4);
        ck_assert_uint_lt(started.sm_index, 60);
    }
    ck_assert_ptr_null(check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, 1000));
    ck_assert_uint_eq(check_amd_event(&check, EVENT_GRID_START, id, 0)->rule, RULE_A_O1);
    check_amd_end(&check);
}
END_TEST

/* PROMISE (amd): Rule A.D2: only a shader engine without an enabled CU is passed over. */
START_TEST(only_a_shader_engine_without_cus_is_passed_over)
{
    static const uint32_t cus[4] = {15, 0, 1, 15}, order[3] = {0, 2, 3};
    struct amd_launch made;
    uint64_t id;

    begin(NULL, NULL);
    made = check_amd_launch(&check, 0, 0, 300, 1024, BLOCK_PS);
    check_amd_mask(&made, cus);
    id = check_amd_submit(&check, &made);
    check_amd_run(&check);
    for (uint32_t i = 0; i < 300; i++)
        ck_assert_uint_eq(
            event_amd_block_stage_of(check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, i))
                .se_index,
            order[i % 3]);
    /* The one CU of shader engine 2 works for all of its 100 blocks, and all wait for it. */
    ck_assert_uint_ge(check_amd_end_ps(&check, id), 100 * BLOCK_PS);
    ck_assert_uint_le(check_amd_end_ps(&check, id), 103 * BLOCK_PS);
    ck_assert_uint_gt(check_amd_count_rule(&check, EVENT_WAIT, RULE_A_D2), 80);
    check_amd_end(&check);
}
END_TEST

/* Three shader engines are idle; how far ahead of the slow one an ACE gets is the baton's matter.
 */
/* PROMISE (amd): Each alternative of choice point amd.baton passes the turn to the next shader
 * engine at its own moment. */
START_TEST(the_baton_passes_when_a_block_is_staged_or_placed)
{
    static const uint32_t cus[4] = {1, 15, 15, 15};
    const uint32_t ahead = _i == 0 ? 3 : 0;
    struct amd_launch made;
    const struct log_event *third, *later;
    uint64_t id;

    begin(_i == 0 ? "amd.baton=staged" : "amd.baton=placed", NULL);
    made = check_amd_launch(&check, 0, 0, 16, 1024, BLOCK_PS);
    check_amd_mask(&made, cus);
    id = check_amd_submit(&check, &made);
    check_amd_run(&check);
    /* Blocks 0 and 4 fill the CU; block 8 waits in the slot from the beginning. */
    third = check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, 8);
    ck_assert_uint_lt(third->time_ps, BLOCK_PS);
    later = check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, 8 + ahead);
    ck_assert_uint_lt(later->time_ps, BLOCK_PS);
    later = check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, id, 9 + ahead);
    ck_assert_uint_ge(later->time_ps, BLOCK_PS);
    check_amd_end(&check);
}
END_TEST

START_TEST(queues_take_turns_by_time)
{
    uint64_t first, second;

    begin("amd.ace_turn=timeslice", "amd.ace_slice_ps=40000000");
    first = launch(0, 1, 2000, 1024);
    second = launch(0, 5, 2000, 1024);
    check_amd_run(&check);
    ck_assert_uint_gt(turns(), 10);
    /* Both go on together, and end about the same time. */
    ck_assert_uint_gt(check_amd_end_ps(&check, first) + 200000000,
                      check_amd_end_ps(&check, second));
    ck_assert_uint_eq(
        event_amd_ace_turn_of(check_amd_event(&check, EVENT_AMD_ACE_TURN, 0, 0)).queue_index, 1);
    check_amd_end(&check);
}
END_TEST

START_TEST(queues_take_turns_by_blocks)
{
    uint64_t first, second;

    begin("amd.ace_turn=block", NULL);
    first = launch(0, 0, 50, 256);
    second = launch(0, 1, 50, 256);
    check_amd_run(&check);
    ck_assert_uint_ge(turns(), 98);
    ck_assert_uint_eq(last_staged(first), 49);
    ck_assert_uint_eq(last_staged(second), 49);
    check_amd_end(&check);
}
END_TEST

START_TEST(queues_take_turns_by_dispatches)
{
    uint64_t first, second, third;

    begin("amd.ace_turn=dispatch", NULL);
    first = launch(0, 0, 400, 1024);
    third = launch(0, 0, 400, 1024);
    second = launch(0, 1, 400, 1024);
    check_amd_run(&check);
    ck_assert_uint_eq(turns(), 2);
    ck_assert_uint_lt(check_amd_end_ps(&check, first), check_amd_end_ps(&check, second));
    ck_assert_uint_lt(check_amd_end_ps(&check, second), check_amd_end_ps(&check, third));
    check_amd_end(&check);
}
END_TEST

/* One that has only one queue with work never turns, and needs no slices. */
START_TEST(a_single_queue_keeps_its_ace)
{
    begin("amd.ace_slice_ps=1000", NULL);
    (void)launch(2, 3, 500, 512);
    (void)launch(2, 3, 500, 512);
    check_amd_run(&check);
    ck_assert_uint_eq(turns(), 1); /* from queue 0, which had none */
    check_amd_end(&check);
}
END_TEST

/* A.D1: an ACE serves the head of one queue at a time.  At the end of a run that is cut short, the
 * head of another queue waits for the dispatch whose queue has the turn. */
START_TEST(a_head_without_its_turn_says_for_whom_it_waits)
{
    const struct log_event *open;
    uint64_t first, second;

    begin("amd.ace_turn=dispatch", NULL);
    first = launch(0, 0, 2000, 1024);
    second = launch(0, 1, 1, 64);
    ck_assert(machine_run(check.machine, BLOCK_PS));
    machine_finish(check.machine);
    check.events = check_machine_decode(check.machine, &check.event_count);
    ck_assert_ptr_null(check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, second, 0));
    ck_assert_uint_eq(check_amd_count_rule(&check, EVENT_WAIT_OPEN, RULE_A_D1), 1);
    for (open = check.events; open->kind != EVENT_WAIT_OPEN || open->rule != RULE_A_D1;)
        open++;
    ck_assert_uint_eq(event_wait_open_of(open).subject_id, second);
    ck_assert_uint_eq(event_wait_open_of(open).blocker_kind, SUBJECT_GRID);
    ck_assert_uint_eq(event_wait_open_of(open).blocker_id, first);
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

/* A.D1: with blocks as turns; the second queue's dispatch comes in between the first one's blocks.
 * A.O1: the blocks of each dispatch start in the order of their ids. */
START_TEST(logs_of_turns_and_of_order)
{
    begin("amd.ace_turn=block", NULL);
    (void)launch(0, 0, 3, 1024);
    (void)launch(0, 1, 2, 1024);
    check_log("rule_a_d1.events");
    begin(NULL, NULL);
    (void)launch(0, 0, 2, 1024);
    (void)launch(0, 0, 1, 1024);
    (void)launch(1, 0, 1, 1024);
    check_log("rule_a_o1.events");
}
END_TEST

/* A.D2: shader engine 0 has one CU, so its third block waits in the slot, the fourth is not staged,
 * and neither are blocks for the idle ones behind it. */
START_TEST(a_log_of_the_baton)
{
    static const uint32_t cus[4] = {1, 2, 0, 2};
    struct amd_launch made;

    begin(NULL, NULL);
    made = check_amd_launch(&check, 0, 0, 11, 1024, BLOCK_PS);
    check_amd_mask(&made, cus);
    (void)check_amd_submit(&check, &made);
    check_log("rule_a_d2.events");
}
END_TEST

/* ---- the short way --------------------------------------------------------------------------- */

static struct amd_launch random_launch(struct random_state *random)
{
    static const uint32_t threads[] = {64, 64, 64, 256, 1024};
    struct amd_launch made = check_amd_launch(
        &check, random_below(random, 4), random_below(random, 2), random_below(random, 4) ? 1 : 3,
        threads[random_below(random, 5)], BLOCK_PS / 4 + random_below(random, BLOCK_PS));

    made.kind.vgprs = random_below(random, 3) ? 24 : 60;
    made.kind.lds_bytes = random_below(random, 3) ? 0 : 30000;
    made.cost.seed = random_next(random);
    made.cost.wave_jitter_ppm = random_below(random, 300000);
    for (uint32_t se = 0; se < 4; se++)
        made.kind.cu_masks[se] =
            random_below(random, 2) ? UINT32_MAX : 3u << random_below(random, 13);
    return made;
}

/* Dispatches of few blocks at random times.  Where another unit has an event of that time each goes
 * through all of ACE and workload manager; else those that meet nobody go straight. */
static struct log_event *run_random(uint64_t seed, const char *setting, bool is_long_way,
                                    uint32_t *event_count)
{
    struct log_event *events;
    struct random_state random;
    gfe_ps at_ps = 0;

    random_seed(&random, seed, 7);
    begin("amd.wave_dispatch_cycles=3000", setting);
    for (uint32_t i = 0; i < 200; i++) {
        const struct amd_launch made = random_launch(&random);

        (void)check_amd_submit(&check, &made);
        if (is_long_way)
            machine_schedule(check.machine, check.nobody, machine_now(check.machine), 0, 0);
        if (random_below(&random, 4) == 0)
            continue; /* the next one at the same time */
        at_ps += random_below(&random, 3) ? random_below(&random, 4000000)
                                          : random_below(&random, 60000000);
        ck_assert(machine_run(check.machine, at_ps));
    }
    check_amd_run(&check);
    ck_assert_uint_eq(check.ended_count, 200);
    events = check.events;
    *event_count = check.event_count;
    check.events = NULL;
    check_amd_end(&check);
    return events;
}

START_TEST(a_block_that_goes_straight_goes_where_it_would_have_gone)
{
    // clang-format off
    static const char *const settings[] = {
        "amd.baton=staged",           "amd.baton=placed",         "amd.release=block",
        "amd.block_to_cu=lowest",     "amd.block_to_cu=most-free", "amd.ace_turn=block",
        "amd.wlm_arbitration=oldest-first", "amd.cu_waves=18"};
    // clang-format on
    uint32_t count, straight_count;
    struct log_event *events = run_random((uint64_t)_i, settings[_i % 8], true, &count);
    struct log_event *straight = run_random((uint64_t)_i, settings[_i % 8], false, &straight_count);

    ck_assert_uint_eq(straight_count, count);
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&straight[i], &events[i], sizeof *events) != 0)
            ck_abort_msg("event %u: kind %u at %llu, and %u at %llu", i, straight[i].kind,
                         (unsigned long long)straight[i].time_ps, events[i].kind,
                         (unsigned long long)events[i].time_ps);
    free(straight);
    free(events);
}
END_TEST

Suite *amd_ace_suite(void)
{
    Suite *suite = suite_create("amd_ace");
    TCase *tcase = tcase_create("ACEs");

    tcase_add_test(tcase, blocks_go_to_the_shader_engines_in_turn);
    tcase_add_test(tcase, only_a_shader_engine_without_cus_is_passed_over);
    tcase_add_loop_test(tcase, the_baton_passes_when_a_block_is_staged_or_placed, 0, 2);
    tcase_add_test(tcase, queues_take_turns_by_time);
    tcase_add_test(tcase, queues_take_turns_by_blocks);
    tcase_add_test(tcase, queues_take_turns_by_dispatches);
    tcase_add_test(tcase, a_single_queue_keeps_its_ace);
    tcase_add_test(tcase, a_head_without_its_turn_says_for_whom_it_waits);
    tcase_add_test(tcase, logs_of_turns_and_of_order);
    tcase_add_test(tcase, a_log_of_the_baton);
    tcase_add_loop_test(tcase, a_block_that_goes_straight_goes_where_it_would_have_gone, 0, 32);
    suite_add_tcase(suite, tcase);
    return suite;
}
