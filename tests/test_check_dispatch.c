/* SPDX-License-Identifier: MIT */
/*
 * gfe check of AMD's logs: a log made by hand obeys the rules, and each of many changes to it
 * breaks the one that is named; so do logs of whole runs, under every policy, and breaking one
 * event of them is noticed.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/event_list.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_steps.h"
#include "tests/hip_run.h"
#include "tests/suites.h"

#define QUEUE(grid, blocks, threads, lds)                                                          \
    STEP(EVENT_GRID_QUEUE, grid, 0, blocks, threads, lds, 24, 0, 0)
#define NEEDS(grid, ace, queue, waves, mask)                                                       \
    STEP(EVENT_AMD_DISPATCH, grid, ace, queue, waves, 32, mask, 0, 0)
#define TURN(ace, queue)              STEP(EVENT_AMD_ACE_TURN, ace, queue, 0)
#define STAGE(grid, block, se, ace)   STEP(EVENT_AMD_BLOCK_STAGE, grid, block, se, ace)
#define START(grid, block, cu, slot)  STEP(EVENT_BLOCK_START, grid, block, cu, slot)
#define STOP(grid, block, cu, slot)   STEP(EVENT_BLOCK_END, grid, block, cu, slot)
#define LOAD(slot, doorbell, vmid, r) STEP(EVENT_AMD_QUEUE_LOAD, slot, doorbell, vmid, 1, 0, 0, r)
#define LEAVE(slot, doorbell, r)      STEP(EVENT_AMD_QUEUE_LEAVE, slot, doorbell, 3, r)
#define RING(doorbell, slot, to)      STEP(EVENT_AMD_DOORBELL, doorbell, slot, to)
#define PACKET(slot, doorbell, n)     STEP(EVENT_AMD_PACKET, slot, doorbell, n, 1, 2, 0)
#define MAP(queue, pasid, slot, vmid) STEP(EVENT_HWS_MAP, queue, pasid, 0, slot, vmid, 0)

/* CU 0 of shader engines 0 and 2; CUs 0 and 1 of shader engine 0. */
#define TWO_ENGINES (UINT64_C(1) | UINT64_C(1) << 32)

static const struct check_step good[] = {
    /*  0 */ MAP(1, 100, 2, 8),
    /*  1 */ LOAD(2, 1024, 8, 0),
    /*  2 */ MAP(2, 200, 10, 9),
    /*  3 */ LOAD(10, 1025, 9, 5),
    /*  4 */ RING(1024, 2, 2),
    /*  5 */ PACKET(2, 1024, 0),
    /*  6 */ QUEUE(1, 4, 1024, 0),
    /*  7 */ NEEDS(1, 0, 2, 16, TWO_ENGINES),
    /*  8 */ TURN(0, 2),
    /*  9 */ STAGE(1, 0, 0, 0),
    /* 10 */ STAGE(1, 1, 2, 0),
    /* 11 */ START(1, 0, 0, 0),
    /* 12 */ STAGE(1, 2, 0, 0),
    /* 13 */ START(1, 1, 30, 0),
    /* 14 */ START(1, 2, 0, 1),
    /* 15 */ STAGE(1, 3, 2, 0),
    /* 16 */ START(1, 3, 30, 1),
    /* 17 */ QUEUE(2, 3, 256, 40000),
    /* 18 */ NEEDS(2, 1, 2, 4, 3),
    /* 19 */ TURN(1, 2),
    /* 20 */ STAGE(2, 0, 0, 1),
    /* 21 */ START(2, 0, 1, 0),
    /* 22 */ STAGE(2, 1, 0, 1),
    /* 23 */ START(2, 1, 0, 2),
    /* 24 */ STAGE(2, 2, 0, 1),
    /* 25 */ STOP(2, 0, 1, 0),
    /* 26 */ START(2, 2, 1, 0),
    /* 27 */ PACKET(2, 1024, 1),
    /* 28 */ QUEUE(3, 1, 64, 0),
    /* 29 */ NEEDS(3, 0, 3, 1, 1),
    /* 30 */ QUEUE(4, 1, 64, 0),
    /* 31 */ NEEDS(4, 0, 5, 1, 1),
    /* 32 */ QUEUE(5, 1, 64, 0),
    /* 33 */ NEEDS(5, 0, 3, 1, 1),
    /* 34 */ TURN(0, 3),
    /* 35 */ STAGE(3, 0, 0, 0),
    /* 36 */ START(3, 0, 0, 3),
    /* 37 */ TURN(0, 5),
    /* 38 */ STAGE(4, 0, 0, 0),
    /* 39 */ START(4, 0, 0, 4),
    /* 40 */ TURN(0, 3),
    /* 41 */ STAGE(5, 0, 0, 0),
    /* 42 */ START(5, 0, 0, 5),
    /* 43 */ STOP(1, 0, 0, 0),
    /* 44 */ STOP(1, 1, 30, 0),
    /* 45 */ STOP(1, 2, 0, 1),
    /* 46 */ STOP(1, 3, 30, 1),
    /* 47 */ STEP(EVENT_GRID_END, 1, 0, 0, 0),
    /* 48 */ STEP(EVENT_AMD_PACKET_END, 2, 1024, 0, 0),
    /* 49 */ LEAVE(2, 1024, 2),
    /* 50 */ STEP(EVENT_HWS_UNMAP, 1, 100, 0, 2),
    /* 51 */ MAP(1, 100, 3, 10),
    /* 52 */ LOAD(3, 1024, 10, 2),
    /* 53 */ STEP(EVENT_AMD_BLOCK_STOP, 3, 0, 0, 3, 1, 4096),
    /* 54 */ STAGE(3, 0, 0, 0), /* anew */
    /* 55 */ STEP(EVENT_AMD_BLOCK_GO_ON, 3, 0, 0, 6, 1, 0),
    /* 56 */ STEP(EVENT_WAIT, 3, SUBJECT_GRID, 2, SUBJECT_NONE, 0),
    /* 57 */ PACKET(3, 1024, 2), /* rung for while it was in no slot, which no event tells */
    /* 58 */ STEP(EVENT_AMD_PACKET, 3, 1024, 2, 0, 0x10, 0), /* PM4, of its indirect buffer */
};

static const struct check_change changes[] = {
    /* turns of queues */
    {"A.D1", 8, SET, 1, 3},    /* to a queue without dispatches */
    {"A.D1", 8, DROP, 0, 0},   /* its dispatch is staged without a turn */
    {"A.D1", 34, SET, 1, 5},   /* queue 3 comes before */
    {"A.D1", 35, SWAP, 41, 0}, /* the later dispatch of the queue first */
    {"A.D1", 37, DROP, 0, 0},
    {"LOG", 8, SET, 0, 4},
    /* of blocks and shader engines */
    {"A.O1", 9, SET, 1, 1},
    {"A.D2", 10, SET, 2, 0}, /* engine 2 has its turn; the slot is taken, too */
    {"A.D2", 13, SET, 2, 0}, /* it was staged in engine 2 */
    {"A.D2", 15, SET, 2, 0},
    {"A.M1", 9, SET, 2, 1}, /* no CU there */
    {"A.M1", 11, SET, 2, 1},
    {"A.M1", 7, SET, 5, 1}, /* its blocks are in engine 2, too */
    {"A.M1", 55, SET, 2, 3},
    /* slots */
    {"A.D3", 11, DROP, 0, 0}, /* the next one comes in while it is there */
    {"A.D3", 9, DROP, 0, 0},
    {"A.D3", 11, TWICE, 0, 0},
    {"A.D3", 54, DROP, 0, 0}, /* it goes on without having been in a slot */
    {"A.D2", 55, SET, 2, 30}, /* and in the shader engine where it was */
    {"LOG", 9, SET, 3, 1},
    {"LOG", 9, SET, 2, 4},
    /* CUs */
    {"A.D5", 6, SET, 3, 2048},
    {"A.D5", 17, SET, 4, 70000},
    {"A.D5", 6, SET, 5, 257},
    {"A.D5", 7, SET, 3, 8},  /* waves of 1,024 threads */
    {"A.D5", 6, SET, 5, 96}, /* 1,536 vector registers of a CU's 1,024 */
    {"A.D5", 23, SET, 2, 1}, /* 80,000 bytes of LDS */
    {"LOG", 25, DROP, 0, 0}, /* its place in the CU is not given back */
    {"LOG", 25, SET, 1, 1},
    {"LOG", 25, SET, 2, 60},
    {"LOG", 25, TWICE, 0, 0},
    {"LOG", 26, SET, 2, 60},
    {"LOG", 36, SET, 3, 64},
    {"LOG", 55, SET, 3, 5},
    {"LOG", 46, DROP, 0, 0}, /* the dispatch ends before */
    {"LOG", 47, TWICE, 0, 0},
    {"LOG", 6, TWICE, 0, 0},
    {"LOG", 7, TWICE, 0, 0},
    {"LOG", 56, SET, 0, 1000},
    /* hardware slots and VMIDs */
    {"A.H1", 3, SET, 0, 2},    /* a slot that has a queue */
    {"A.H1", 3, SET, 1, 1024}, /* a queue that has a slot */
    {"A.H1", 1, SET, 2, 5},    /* a VMID of the graphics driver */
    {"A.H1", 2, SET, 4, 8},    /* another process's */
    {"A.H1", 2, SET, 1, 100},  /* it has one */
    {"A.H1", 0, SET, 4, 16},
    {"A.H1", 5, SET, 0, 10}, /* its queue is not there */
    {"A.H1", 49, SET, 0, 10},
    {"A.H1", 49, DROP, 0, 0},
    {"A.H1", 50, DROP, 0, 0}, /* the process still has VMID 8 */
    {"LOG", 1, SET, 0, 64},
    /* rings */
    {"A.Q1", 5, SET, 2, 1},
    {"A.Q1", 27, SET, 2, 0},
    {"A.Q1", 4, SET, 2, 1}, /* not rung for the second one */
    {"A.Q1", 52, SET, 6, 1},
    {"A.Q1", 57, SET, 2, 3},
    {"A.Q1", 58, SET, 2, 1},
    {"A.Q1", 58, SET, 2, 3},
    {"LOG", 48, SET, 2, 7},
};

START_TEST(the_good_log_obeys_the_rules)
{
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps_amd(steps, check_steps_make(steps, good, COUNT(good), NULL), &report);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_eq(report.event_count, COUNT(good));
    ck_assert_uint_eq(report.kernel_count, 5);
    ck_assert_uint_eq(report.block_count, 10);
    check_report_fini(&report);
}
END_TEST

/* PROMISE (analysis): Each change to a log of AMD's dispatcher is rejected for the rule that it
 * breaks. */
START_TEST(a_broken_log_is_rejected_for_its_rule)
{
    const struct check_change *change = &changes[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool found = false;

    check_steps_amd(steps, check_steps_make(steps, good, COUNT(good), change), &report);
    ck_assert_uint_gt(report.finding_count, 0);
    for (uint32_t i = 0; i < report.finding_count; i++)
        found |= strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(found, "%s, not %s: %s (%s)", report.findings[0].rule, change->rule,
                  report.findings[0].says, report.findings[0].second.text);
    check_report_fini(&report);
}
END_TEST

START_TEST(what_is_said_of_dispatch_names_the_events_that_clash)
{
    check_steps_findings("check_dispatch.txt", good, COUNT(good), changes, COUNT(changes),
                         check_steps_amd);
}
END_TEST

/* A block that fits may be overtaken once by each ACE, which has its turn; not twice.  One that
 * does not fit, as the CU has no LDS left for it, may be overtaken as often as others fit. */
START_TEST(only_what_does_not_fit_is_overtaken)
{
    for (uint32_t fits = 0; fits < 2; fits++) {
        const struct check_step steps[] = {
            QUEUE(1, 1, 64, 60000), NEEDS(1, 2, 2, 1, 1), TURN(2, 2),
            STAGE(1, 0, 0, 2),      START(1, 0, 0, 0),    QUEUE(2, 1, 64, fits ? 0 : 40000),
            NEEDS(2, 0, 2, 1, 1),   TURN(0, 2),           STAGE(2, 0, 0, 0),
            QUEUE(3, 3, 64, 0),     NEEDS(3, 1, 2, 1, 1), TURN(1, 2),
            STAGE(3, 0, 0, 1),      START(3, 0, 0, 1),    STAGE(3, 1, 0, 1),
            START(3, 1, 0, 2),
        };
        struct check_report report;

        check_steps_amd(steps, COUNT(steps), &report);
        ck_assert_uint_eq(report.violation_count, fits);
        if (fits)
            ck_assert_str_eq(report.findings[0].rule, "A.D4");
        check_report_fini(&report);
    }
}
END_TEST

static const struct {
    const char *config;
    struct simulation_setting choice;
} runs[] = {
    {hip_run_shared, {NULL, NULL}},
    {hip_run_even, {NULL, NULL}},
    {hip_run_uneven, {NULL, NULL}},
    {hip_run_shared, {"amd.baton", "staged"}},
    {hip_run_shared, {"amd.wlm_arbitration", "largest-first"}},
    {hip_run_shared, {"amd.wlm_arbitration", "oldest-first"}},
    {hip_run_shared, {"amd.release", "block"}},
    {hip_run_shared, {"amd.block_to_cu", "random"}},
    {hip_run_crowd, {NULL, NULL}},
    {hip_run_many, {"hws.swap", "idle"}},
    {hip_run_many, {NULL, NULL}}, /* queues that leave in the middle of dispatches */
    {hip_run_many, {"amd.restore", "cyclic"}},
    {hip_run_crowd, {"amd.ace_turn", "block"}},
    {hip_run_crowd, {"amd.ace_turn", "dispatch"}},
    {NULL, {NULL, NULL}},
};
enum { RUNS = sizeof runs / sizeof runs[0] };

/* PROMISE (analysis): Whole runs on AMD's GPUs under different policies obey the rules of
 * dispatch. */
START_TEST(whole_runs_obey_the_rules)
{
    struct gfe_error error = {0};
    struct check_report report;
    struct hip_run run;

    if (runs[_i].config)
        hip_run_begin(&run, runs[_i].config, runs[_i].choice.id ? &runs[_i].choice : NULL);
    else
        hip_run_replay(&run);
    ck_assert_msg(check_log(run.log, &run.limits, &report, &error), "%s", error.text);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_gt(report.block_count, 90);
    check_report_fini(&report);
    hip_run_end(&run);
}
END_TEST

Suite *check_dispatch_suite(void);

Suite *check_dispatch_suite(void)
{
    Suite *suite = suite_create("check_dispatch");
    TCase *hand = tcase_create("by hand"), *whole = tcase_create("whole runs");

    tcase_add_test(hand, the_good_log_obeys_the_rules);
    tcase_add_loop_test(hand, a_broken_log_is_rejected_for_its_rule, 0, (int)COUNT(changes));
    tcase_add_test(hand, what_is_said_of_dispatch_names_the_events_that_clash);
    tcase_add_test(hand, only_what_does_not_fit_is_overtaken);
    suite_add_tcase(suite, hand);
    tcase_set_timeout(whole, 120);
    tcase_add_loop_test(whole, whole_runs_obey_the_rules, 0, RUNS);
    suite_add_tcase(suite, whole);
    return suite;
}
