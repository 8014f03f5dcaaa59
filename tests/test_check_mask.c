/* SPDX-License-Identifier: MIT */
/* Masks of SMs in a log that obeys the rules, made by hand, and changes that break one each. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "tests/check_steps.h"
#include "tests/suites.h"

#define GRID(grid, blocks)           STEP(EVENT_GRID_QUEUE, grid, 5, blocks, 1024, 0, 16, grid, 0x1000)
#define MASK(grid, bits, passed)     STEP(EVENT_GRID_MASK, grid, bits, 0, 1, passed)
#define START(grid, block, sm, slot) STEP(EVENT_BLOCK_START, grid, block, sm, slot)
#define LEAVE(grid)                  STEP(EVENT_GRID_DISPATCHED, grid, 0)
#define STOP(grid, block, sm)        STEP(EVENT_BLOCK_END, grid, block, sm, 0)

/* A TX2 has two SMs with 2,048 threads.  Kernel 1 may have SM 0 only and has more blocks than fit;
 * kernel 2 may have SM 1, kernel 3 has kernel 1's mask. */
static const struct check_step good[] = {
    /*  0 */ GRID(1, 3),
    /*  1 */ MASK(1, 2, 1),
    /*  2 */ START(1, 0, 0, 0),
    /*  3 */ GRID(2, 1),
    /*  4 */ MASK(2, 1, 1),
    /*  5 */ GRID(3, 1),
    /*  6 */ MASK(3, 2, 1),
    /*  7 */ START(1, 1, 0, 1),
    /*  8 */ START(2, 0, 1, 0),
    /*  9 */ LEAVE(2),
    /* 10 */ STOP(1, 0, 0),
    /* 11 */ START(1, 2, 0, 0),
    /* 12 */ LEAVE(1),
    /* 13 */ STOP(1, 1, 0),
    /* 14 */ START(3, 0, 0, 1),
    /* 15 */ LEAVE(3),
};

/* Kernel 1 has clusters of two blocks and SM 0 only, where no cluster has a place. */
static const struct check_step clusters[] = {
    GRID(1, 4),        MASK(1, 2, 1), STEP(EVENT_GRID_CLUSTER, 1, 2), GRID(2, 1), MASK(2, 1, 1),
    START(2, 0, 1, 0), LEAVE(2),
};

static const struct check_change changes[] = {
    {NULL, 0, SET, 0, 1},
    /* nothing is changed */ {"CORE.SM_MASK", 8, SET, 2, 0}, /* on an SM that is disabled */
    {"T.X1", 1, SET, 4, 0},                                  /* kernel 1 holds up the others */
    {"T.X1", 8, SWAP, 7, 0},                                 /* it had a place */
    {"T.X1", 4, SET, 1, 2},                                  /* kernel 2 has the same mask */
    {"LOG", 1, SET, 3, 0},
    {"LOG", 1, SWAP, 2, 0},
    {"LOG", 1, SET, 0, 9},
};

/* PROMISE (analysis): Masks of SMs are checked: that no block is on an SM that its kernel may not
 * have, and that a kernel passes another only where its mask leaves it no place. */
START_TEST(masks_are_checked)
{
    const struct check_change *change = &changes[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool named = !change->rule;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), change), false, &report);
    ck_assert_msg((report.finding_count > 0) == (change->rule != NULL), "%s: %s",
                  report.finding_count ? report.findings[0].rule : "none",
                  report.finding_count ? report.findings[0].second.text : "");
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= change->rule && strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(named, "%s: %s", report.findings[0].rule, report.findings[0].says);
    check_report_fini(&report);
}
END_TEST

/* A cluster may find no place though each SM has room: its kernel is passed all the same. */
START_TEST(clusters_without_a_place_are_passed)
{
    static const struct check_change nothing = {NULL, 0, SET, 0, 1};
    static const struct check_change holds_up = {NULL, 1, SET, 4, 0};
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps(steps, check_steps_make(steps, clusters, COUNT(clusters), &nothing), false,
                &report);
    for (uint32_t i = 0; i < report.finding_count; i++)
        ck_assert_str_ne(report.findings[i].rule, "T.X1");
    check_report_fini(&report);
    check_steps(steps, check_steps_make(steps, clusters, COUNT(clusters), &holds_up), false,
                &report);
    ck_assert_uint_gt(report.finding_count, 0);
    ck_assert_str_eq(report.findings[0].rule, "T.X1");
    check_report_fini(&report);
}
END_TEST

Suite *check_mask_suite(void)
{
    Suite *suite = suite_create("check_mask");
    TCase *tcase = tcase_create("masks");

    tcase_add_loop_test(tcase, masks_are_checked, 0, COUNT(changes));
    tcase_add_test(tcase, clusters_without_a_place_are_passed);
    suite_add_tcase(suite, tcase);
    return suite;
}
