/* SPDX-License-Identifier: MIT */
/*
 * A log made by hand obeys the rules; each of many changes to it breaks the one that is named.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_steps.h"
#include "tests/suites.h"

#define QUEUE(grid, channel, blocks, threads, shared, registers)                                   \
    STEP(EVENT_GRID_QUEUE, grid, channel, blocks, threads, shared, registers, 0, 0)
#define START(grid, block, sm, slot) STEP(EVENT_BLOCK_START, grid, block, sm, slot)
#define STOP(grid, block, sm, slot)  STEP(EVENT_BLOCK_END, grid, block, sm, slot)
#define COPY(copy, channel)          STEP(EVENT_COPY_QUEUE, copy, channel, 2, 4096, 0, 0, 0)

/* Two groups: channels 0 and 1 of TSG 5, channel 2 of TSG 6.  Numbers of the steps at the left. */
static const struct check_step good[] = {
    /*  0 */ STEP(EVENT_NV_TSG_START, 0, 5, 0),
    /*  1 */ STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0),
    /*  2 */ QUEUE(1, 0, 3, 1024, 0, 16),
    /*  3 */ START(1, 0, 0, 0),
    /*  4 */ START(1, 1, 1, 0),
    /*  5 */ START(1, 2, 0, 1),
    /*  6 */ STEP(EVENT_GRID_DISPATCHED, 1, 0),
    /*  7 */ STEP(EVENT_NV_CHANNEL_LOAD, 1, 0, 0, 0, 0),
    /*  8 */ QUEUE(2, 1, 2, 256, 32768, 32),
    /*  9 */ QUEUE(3, 0, 1, 512, 0, 64),
    /* 10 */ START(2, 0, 1, 1),
    /* 11 */ STOP(1, 0, 0, 0),
    /* 12 */ START(2, 1, 1, 2),
    /* 13 */ STEP(EVENT_GRID_DISPATCHED, 2, 1),
    /* 14 */ START(3, 0, 0, 0),
    /* 15 */ STEP(EVENT_GRID_DISPATCHED, 3, 0),
    /* 16 */ STOP(1, 1, 1, 0),
    /* 17 */ STOP(1, 2, 0, 1),
    /* 18 */ STEP(EVENT_GRID_END, 1, 0, 0, 0),
    /* 19 */ STEP(EVENT_GRID_SUSPEND, 2, 1, 2),
    /* 20 */ STEP(EVENT_GRID_SUSPEND, 3, 0, 1),
    /* 21 */ STEP(EVENT_NV_TSG_END, 0, 5, 0, 0),
    /* 22 */ STEP(EVENT_NV_TSG_START, 0, 6, 0),
    /* 23 */ STEP(EVENT_NV_CHANNEL_LOAD, 2, 0, 0, 0, 0),
    /* 24 */ QUEUE(4, 2, 1, 1024, 0, 32),
    /* 25 */ START(4, 0, 1, 0),
    /* 26 */ STEP(EVENT_GRID_DISPATCHED, 4, 2),
    /* 27 */ STOP(4, 0, 1, 0),
    /* 28 */ STEP(EVENT_GRID_END, 4, 2, 0, 0),
    /* 29 */ STEP(EVENT_NV_TSG_END, 0, 6, 0, 0),
    /* 30 */ STEP(EVENT_GRID_RESUME, 2, 1, 0, 2),
    /* 31 */ STEP(EVENT_GRID_RESUME, 3, 0, 0, 2),
    /* 32 */ STOP(2, 0, 1, 1),
    /* 33 */ STOP(2, 1, 1, 2),
    /* 34 */ STEP(EVENT_GRID_END, 2, 1, 0, 0),
    /* 35 */ STOP(3, 0, 0, 0),
    /* 36 */ STEP(EVENT_GRID_END, 3, 0, 0, 0),
    /* 37 */ COPY(7, 0),
    /* 38 */ COPY(8, 0),
    /* 39 */ STEP(EVENT_COPY_START, 7, 0, 2, 4096, 0, 0, 0),
    /* 40 */ STEP(EVENT_COPY_SUSPEND, 7, 0, 2, 0),
    /* 41 */ STEP(EVENT_COPY_RESUME, 7, 0, 2, 0, 0, 0),
    /* 42 */ STEP(EVENT_COPY_END, 7, 0, 2, 4096, 0),
    /* 43 */ STEP(EVENT_COPY_START, 8, 0, 2, 4096, 0, 0, 0),
    /* 44 */ STEP(EVENT_COPY_END, 8, 0, 2, 4096, 0),
    /* 45 */ STEP(EVENT_WAIT, 3, SUBJECT_GRID, 2, SUBJECT_NONE, 0),
    /* 46 */ QUEUE(5, 0, 2, 512, 0, 16),
    /* 47 */ STEP(EVENT_GRID_COST, 5, 0, 0, 100),
    /* 48 */ QUEUE(6, 1, 1, 512, 0, 16),
    /* 49 */ STEP(EVENT_GRID_COST, 6, 1, 0, 100),
    /* 50 */ START(6, 0, 0, 0),
    /* 51 */ STEP(EVENT_GRID_DISPATCHED, 6, 1),
    /* 52 */ START(5, 0, 1, 0),
    /* 53 */ START(5, 1, 0, 1),
};

static const struct check_change changes[] = {
    /* queues */
    {"T.X1", 9, SWAP, 8, 0},             /* kernel 3 is queued before kernel 2, and starts later */
    {"T.X1", 14, SWAP, 12, 0},           /* it starts while kernel 2 has a block left */
    {"CORE.BLOCK_ORDER", 3, SWAP, 4, 0}, /* block 1 before block 0 */
    {"CORE.BLOCK_ORDER", 4, SET, 1, 2},
    {"CORE.BLOCK_ORDER", 4, TWICE, 0, 0},
    {"T.G3", 6, SWAP, 5, 0},
    {"T.G3", 2, SET, 2, 4}, /* it has four blocks */
    {"T.G3", 2, SET, 2, 2}, /* it has two */
    {"T.G3", 6, DROP, 0, 0},
    {"T.G3", 6, TWICE, 0, 0},
    {"T.G4", 17, SWAP, 18, 0},
    {"T.G4", 17, DROP, 0, 0},
    /* SMs */
    {"T.R2", 8, SET, 3, 1024}, /* three blocks of 1,024 threads on SM 1 */
    {"T.R2", 2, SET, 3, 1056}, /* threads of a block */
    {"T.R2", 2, SET, 3, 0},
    {"T.SLOT", 11, DROP, 0, 0}, /* its slot is not given back */
    {"T.R3", 8, SET, 4, 40000}, /* two blocks on SM 1 have more than 64 KiB */
    {"T.R3", 8, SET, 4, 49153},
    {"T.REG", 2, SET, 5, 256},  /* registers of a thread */
    {"T.REG", 2, SET, 5, 40},   /* 40,960 of a block */
    {"T.REG", 8, SET, 5, 160},  /* with the 16,384 of kernel 1: 98,304 on SM 1 */
    {"T.REG", 8, SET, 5, 97},   /* given as 104 a thread: 69,632 on SM 1 */
    {"T.R3", 8, SET, 4, 32769}, /* given as 33,024 */
    {"T.SLOT", 5, SET, 3, 0},   /* a slot that is taken */
    {"T.SLOT", 3, SET, 3, 32},  /* the 33rd */
    {"LOG", 3, SET, 2, 2},      /* an SM that is not there */
    {"LOG", 3, SET, 2, 1000},
    {"LOG", 3, SET, 3, 64},
    {"LOG", 11, SET, 1, 9}, /* the end of a block that does not run */
    {"LOG", 11, SET, 2, 1}, /* elsewhere */
    {"LOG", 11, TWICE, 0, 0},
    {"LOG", 2, DROP, 0, 0}, /* never queued */
    {"LOG", 2, TWICE, 0, 0},
    {"LOG", 18, TWICE, 0, 0},
    {"LOG", 2, SET, 3, 1 << 20}, /* absurd */
    /* address spaces */
    {"T.P1", 20, DROP, 0, 0},  /* kernel 3 stays while kernel 4 runs */
    {"T.P1", 30, SWAP, 26, 0}, /* kernel 2 comes back too early */
    {"T.P1", 30, DROP, 0, 0},  /* blocks of a kernel that is suspended end */
    {"LOG", 19, SET, 2, 1},    /* one of its two blocks stops */
    {"LOG", 19, TWICE, 0, 0},
    {"LOG", 30, TWICE, 0, 0},
    {"B.R4", 21, DROP, 0, 0},
    {"LOG", 21, SET, 1, 7},
    {"LOG", 0, SET, 0, 64},
    /* copies */
    {"T.C2", 39, SWAP, 43, 0}, /* the second first */
    {"T.C2", 42, SWAP, 43, 0}, /* both at a time */
    {"T.C3", 39, TWICE, 0, 0}, /* it has left its queue */
    {"LOG", 39, DROP, 0, 0},
    {"LOG", 38, DROP, 0, 0},
    {"LOG", 38, SET, 1, EVENT_CHANNEL_IDS},
    {"LOG", 38, SET, 2, 256},
    {"LOG", 38, TWICE, 0, 0},
    {"LOG", 41, DROP, 0, 0},
    {"LOG", 40, DROP, 0, 0},
    {"LOG", 44, TWICE, 0, 0},
    {"LOG", 45, SET, 0, 1000}, /* a wait that begins later */
    /* priorities */
    {"T.A2", 50, SWAP, 53, 0}, /* the lower one while the higher one waits */
    {"T.X1", 49, SET, 1, 0},   /* of the same priority: in the order of their launches */
    {"T.A1", 49, SET, 1, 8},
    {"T.A1", 47, SWAP, 52, 0}, /* its priority is told when it has a block on an SM */
    {"LOG", 48, DROP, 0, 0},
};

/* PROMISE (analysis): `gfe check` accepts a log that obeys the rules. */
START_TEST(the_good_log_obeys_the_rules)
{
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), NULL), false, &report);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s", report.findings[0].rule, report.findings[0].says);
    ck_assert_uint_eq(report.violation_count, 0);
    ck_assert_uint_eq(report.event_count, COUNT(good));
    ck_assert_uint_eq(report.kernel_count, 6);
    ck_assert_uint_eq(report.block_count, 10);
    ck_assert_uint_eq(report.copy_count, 2);
    check_report_fini(&report);
}
END_TEST

static void check_steps_tx2(const struct check_step *steps, uint32_t count,
                            struct check_report *report)
{
    check_steps(steps, count, false, report);
}

START_TEST(what_is_said_of_a_log_names_the_events_that_clash)
{
    check_steps_findings("check_log.txt", good, COUNT(good), changes, COUNT(changes),
                         check_steps_tx2);
}
END_TEST

/* PROMISE (analysis): Each of many changes to a log is rejected for the rule that it breaks. */
START_TEST(a_broken_log_is_rejected_for_its_rule)
{
    const struct check_change *change = &changes[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), change), false, &report);
    ck_assert_uint_gt(report.finding_count, 0);
    ck_assert_msg(strcmp(report.findings[0].rule, change->rule) == 0, "%s, not %s: %s (%s)",
                  report.findings[0].rule, change->rule, report.findings[0].says,
                  report.findings[0].second.text);
    ck_assert_uint_eq(report.findings[0].second.text[0] != 0, 1);
    check_report_fini(&report);
}
END_TEST

/* 96 registers a thread: with kernel 1, all 65,536 of SM 1. */
START_TEST(an_sm_may_be_full)
{
    const struct check_change full = {"", 8, SET, 5, 96};
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), &full), false, &report);
    ck_assert_uint_eq(report.violation_count, 0);
    check_report_fini(&report);
}
END_TEST

/* Three blocks of 17 warps with 1,280 registers each have 65,280 of 65,536; but a sub-partition has
 * room for 12 such warps, so the SM for 48. */
START_TEST(registers_of_sub_partitions_are_counted)
{
    const struct check_step steps[] = {
        STEP(EVENT_NV_TSG_START, 0, 5, 0),
        STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0),
        QUEUE(1, 0, 3, 512, 0, 40),
        START(1, 0, 0, 0),
        START(1, 1, 0, 1),
        START(1, 2, 0, 2),
    };
    struct check_step more[COUNT(steps)];
    struct check_report report;

    check_steps(steps, COUNT(steps), false, &report);
    ck_assert_uint_eq(report.violation_count, 0);
    check_report_fini(&report);
    memcpy(more, steps, sizeof more);
    more[2].arguments[3] = 544;
    check_steps(more, COUNT(more), false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "T.REG");
    ck_assert_str_eq(report.findings[0].says,
                     "SM 0 holds 51 warps of 1280 registers or more, of at most 48");
    check_report_fini(&report);
}
END_TEST

/* A TX2 keeps 16 grids resident (CUDA C++ Programming Guide, cc 6.2): the 17th starts too early,
 * and not when one has ended. */
START_TEST(resident_grids_are_counted)
{
    struct check_step steps[64];
    struct check_report report;
    uint32_t count = 0;

    steps[count++] = (struct check_step)STEP(EVENT_NV_TSG_START, 0, 5, 0);
    steps[count++] = (struct check_step)STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0);
    for (uint32_t grid = 1; grid <= 16; grid++) {
        steps[count++] = (struct check_step)QUEUE(grid, 0, 1, 32, 0, 16);
        steps[count++] = (struct check_step)START(grid, 0, grid % 2, grid / 2);
        steps[count++] = (struct check_step)STEP(EVENT_GRID_DISPATCHED, grid, 0);
    }
    steps[count++] = (struct check_step)STOP(3, 0, 1, 1);
    steps[count++] = (struct check_step)STEP(EVENT_GRID_END, 3, 0, 0, 0);
    steps[count++] = (struct check_step)QUEUE(17, 0, 1, 32, 0, 16);
    steps[count++] = (struct check_step)START(17, 0, 1, 1);
    check_steps(steps, count, false, &report);
    ck_assert_uint_eq(report.violation_count, 0);
    check_report_fini(&report);
    steps[count - 4] = steps[count - 2];
    steps[count - 3] = (struct check_step)START(17, 0, 1, 20);
    check_steps(steps, count - 2, false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "CORE.GRIDS");
    check_report_fini(&report);
}
END_TEST

/* An SM that was empty when a block came has the split which that block's kernel chose, also after
 * its context was off: kernel 2 needs 16 KiB, kernel 3 more than is left of the 8. */
START_TEST(an_sm_has_the_split_of_the_kernel_that_found_it_empty)
{
    const struct check_step steps[] = {
        STEP(EVENT_NV_TSG_START, 0, 5, 0),
        STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0),
        QUEUE(1, 0, 1, 256, 1024, 16),
        STEP(EVENT_GRID_SPLIT, 1, 2048, 8192),
        QUEUE(2, 0, 1, 256, 1024, 16),
        STEP(EVENT_GRID_SPLIT, 2, 16384, 32768),
        QUEUE(3, 0, 1, 256, 7424, 16),
        STEP(EVENT_GRID_SPLIT, 3, 8192, 8192),
        START(1, 0, 0, 0),
        STEP(EVENT_GRID_DISPATCHED, 1, 0),
        STEP(EVENT_GRID_SUSPEND, 1, 0, 1),
        STEP(EVENT_GRID_RESUME, 1, 0, 0, 0),
        START(2, 0, 1, 0), /* on another SM, which is empty */
        STEP(EVENT_GRID_DISPATCHED, 2, 0),
        START(3, 0, 1, 1), /* that one has 32 KiB */
        STEP(EVENT_GRID_DISPATCHED, 3, 0),
    };
    struct check_step bad[COUNT(steps)];
    struct check_report report;

    check_steps(steps, COUNT(steps), false, &report);
    ck_assert_uint_eq(report.violation_count, 0);
    check_report_fini(&report);
    memcpy(bad, steps, sizeof bad);
    bad[12] = (struct check_step)START(2, 0, 0, 1);
    check_steps(bad, COUNT(bad) - 2, false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "CORE.SM_SPLIT");
    ck_assert_str_eq(report.findings[0].says,
                     "SM 0 has 8192 bytes of shared memory, the kernel needs one with 16384");
    check_report_fini(&report);
    memcpy(bad, steps, sizeof bad);
    bad[14] = (struct check_step)START(3, 0, 0, 1);
    check_steps(bad, COUNT(bad), false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].says,
                     "SM 0 holds 8448 bytes of shared memory, and has 8192");
    check_report_fini(&report);
    memcpy(bad, steps, sizeof bad);
    bad[3] = (struct check_step)STEP(EVENT_GRID_SPLIT, 1, 8192, 2048);
    check_steps(bad, 4, false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "CORE.SM_SPLIT");
    check_report_fini(&report);
}
END_TEST

START_TEST(both_events_that_clash_are_named)
{
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    const struct check_change early = {"T.X1", 14, SWAP, 12, 0};

    check_steps(steps, check_steps_make(steps, good, COUNT(good), &early), false, &report);
    ck_assert_str_eq(report.findings[0].says,
                     "kernel 2 is at the head of the queue, with 1 blocks to assign");
    ck_assert_str_eq(report.findings[0].first.text, "kernel 2 of channel 1 is queued");
    ck_assert_uint_eq(report.findings[0].first.time_ps, 18);
    ck_assert_str_eq(report.findings[0].second.text, "block 3:0 starts on SM 0");
    ck_assert_uint_eq(report.findings[0].second.time_ps, 22);
    check_report_fini(&report);
}
END_TEST

/* A channel belongs to the group under which it was loaded last: kernel 2 of channel 0, first in
 * group 5, is in the queue of group 6 behind kernel 1 of channel 2. */
START_TEST(a_channel_may_change_its_group)
{
    const struct check_step steps[] = {
        STEP(EVENT_NV_TSG_START, 0, 5, 0),
        STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0),
        STEP(EVENT_NV_TSG_END, 0, 5, 0, 0),
        STEP(EVENT_NV_TSG_START, 0, 6, 0),
        STEP(EVENT_NV_CHANNEL_LOAD, 2, 0, 0, 0, 0),
        QUEUE(1, 2, 1, 32, 0, 16),
        STEP(EVENT_NV_CHANNEL_LOAD, 0, 0, 0, 0, 0),
        QUEUE(2, 0, 1, 32, 0, 16),
        START(2, 0, 0, 0),
    };
    struct check_report report;

    check_steps(steps, COUNT(steps), false, &report);
    ck_assert_uint_eq(report.violation_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "T.X1");
    check_report_fini(&report);
}
END_TEST

/* More violations than are kept are counted all the same. */
START_TEST(all_violations_are_counted)
{
    struct check_step steps[2 * CHECK_FINDINGS_MAX];
    struct check_report report;

    for (uint32_t i = 0; i < COUNT(steps); i++)
        steps[i] = (struct check_step)STOP(1, i, 0, 0);
    check_steps(steps, COUNT(steps), false, &report);
    ck_assert_uint_eq(report.violation_count, COUNT(steps));
    ck_assert_uint_eq(report.finding_count, CHECK_FINDINGS_MAX);
    check_report_fini(&report);
}
END_TEST

Suite *check_suite(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("check");

    tcase_add_test(tcase, the_good_log_obeys_the_rules);
    tcase_add_loop_test(tcase, a_broken_log_is_rejected_for_its_rule, 0, COUNT(changes));
    tcase_add_test(tcase, what_is_said_of_a_log_names_the_events_that_clash);
    tcase_add_test(tcase, an_sm_may_be_full);
    tcase_add_test(tcase, registers_of_sub_partitions_are_counted);
    tcase_add_test(tcase, resident_grids_are_counted);
    tcase_add_test(tcase, an_sm_has_the_split_of_the_kernel_that_found_it_empty);
    tcase_add_test(tcase, both_events_that_clash_are_named);
    tcase_add_test(tcase, a_channel_may_change_its_group);
    tcase_add_test(tcase, all_violations_are_counted);
    suite_add_tcase(suite, tcase);
    return suite;
}
