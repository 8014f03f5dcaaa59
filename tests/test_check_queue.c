/* SPDX-License-Identifier: MIT */
/*
 * gfe check of AMD's queues: barrier bits and barrier packets.  A log made by hand obeys the rules,
 * and each of many changes to it breaks the one that is named.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "tests/check_steps.h"
#include "tests/suites.h"

enum { DISPATCH = 2, BARRIER_AND = 3, BARRIER_OR = 5 };

#define LOAD(slot, doorbell, r)  STEP(EVENT_AMD_QUEUE_LOAD, slot, doorbell, 8, 1, 0, 0, r)
#define LEAVE(slot, doorbell, request, r) STEP(EVENT_AMD_QUEUE_LEAVE, slot, doorbell, request, r)
#define PACKET(n, code, barrier) STEP(EVENT_AMD_PACKET, 2, 1024, n, 1, code, 0, barrier)
#define DEPENDS(n, code, value)  STEP(EVENT_AMD_DEPENDS, 1024, n, code, 0x1000, value)
#define END(n, code)             STEP(EVENT_AMD_PACKET_END, 2, 1024, n, code)
#define QUEUE(grid)              STEP(EVENT_GRID_QUEUE, grid, 0, 0, 64, 0, 24, 0, 0)
#define LAUNCH(n, grid)          STEP(EVENT_AMD_LAUNCH, 2, 1024, n, grid, 0)

static const struct check_step barriers[] = {
    /*  0 */ LOAD(2, 1024, 0),
    /*  1 */ PACKET(0, DISPATCH, 1),
    /*  2 */ QUEUE(1),
    /*  3 */ LAUNCH(0, 1),
    /*  4 */ PACKET(1, DISPATCH, 0), /* beside the one in front */
    /*  5 */ QUEUE(2),
    /*  6 */ LAUNCH(1, 2),
    /*  7 */ END(1, DISPATCH),
    /*  8 */ END(0, DISPATCH),
    /*  9 */ PACKET(2, BARRIER_AND, 1),
    /* 10 */ DEPENDS(2, BARRIER_AND, 0),
    /* 11 */ DEPENDS(2, BARRIER_AND, 0),
    /* 12 */ END(2, BARRIER_AND),
    /* 13 */ PACKET(3, BARRIER_OR, 1),
    /* 14 */ DEPENDS(3, BARRIER_OR, 3),
    /* 15 */ DEPENDS(3, BARRIER_OR, 0),
    /* 16 */ END(3, BARRIER_OR),
    /* 17 */ PACKET(4, BARRIER_OR, 0), /* without signals */
    /* 18 */ END(4, BARRIER_OR),
    /* 19 */ PACKET(5, DISPATCH, 1),
    /* 20 */ QUEUE(3),
    /* 21 */ LAUNCH(5, 3),
    /* 22 */ LEAVE(2, 1024, 2, 6), /* and its dispatch is thrown away */
    /* 23 */ LOAD(2, 1024, 6),
    /* 24 */ PACKET(6, DISPATCH, 1),
};

static const struct check_change barrier_changes[] = {
    {"A.Q3", 4, SET, 6, 1},  /* the barrier bit, before the one in front is complete */
    {"A.Q3", 7, DROP, 0, 0}, /* the barrier packet, likewise */
    {"A.Q3", 8, SWAP, 9, 0},
    {"A.Q3", 12, DROP, 0, 0}, /* behind a barrier that is not complete */
    {"A.Q3", 22, SET, 2, 3},  /* it is saved, and not complete */
    {"LOG", 8, TWICE, 0, 0},
    {"LOG", 10, SET, 1, 1},
    {"LOG", 10, SWAP, 8, 0},
    {"LOG", 9, SET, 4, 4},
    {"AMD.DEPENDS", 10, SET, 4, 1},
    {"AMD.DEPENDS", 11, SET, 4, UINT64_MAX},
    {"AMD.DEPENDS", 15, SET, 4, 1},
    {"AMD.DEPENDS", 15, DROP, 0, 0},
};

static void good(const struct check_step *steps, uint32_t count)
{
    struct check_step made[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps_amd(made, check_steps_make(made, steps, count, NULL), &report);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_eq(report.event_count, count);
    check_report_fini(&report);
}

static void broken(const struct check_step *steps, uint32_t count,
                   const struct check_change *change)
{
    struct check_step made[CHECK_STEPS_MAX];
    struct check_report report;
    bool found = false;

    check_steps_amd(made, check_steps_make(made, steps, count, change), &report);
    ck_assert_uint_gt(report.finding_count, 0);
    for (uint32_t i = 0; i < report.finding_count; i++)
        found |= strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(found, "%s, not %s: %s (%s)", report.findings[0].rule, change->rule,
                  report.findings[0].says, report.findings[0].second.text);
    check_report_fini(&report);
}

START_TEST(barriers_obey_the_rules)
{
    good(barriers, COUNT(barriers));
}
END_TEST

START_TEST(a_broken_barrier_is_rejected)
{
    broken(barriers, COUNT(barriers), &barrier_changes[_i]);
}
END_TEST

Suite *check_queue_suite(void);

Suite *check_queue_suite(void)
{
    Suite *suite = suite_create("check_queue");
    TCase *hand = tcase_create("by hand");

    tcase_add_test(hand, barriers_obey_the_rules);
    tcase_add_loop_test(hand, a_broken_barrier_is_rejected, 0, (int)COUNT(barrier_changes));
    suite_add_tcase(suite, hand);
    return suite;
}
