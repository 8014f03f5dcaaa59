/* SPDX-License-Identifier: MIT */
/* Clusters of blocks in a log that obeys the rules, made by hand, and changes that break one each.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "emu/log/event_list.h"
#include "tests/check_limits.h"
#include "tests/check_steps.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

/* A kernel of two clusters of two blocks on a TX2, which has two SMs; `at` is the time. */
struct start {
    uint64_t block, sm, at;
};
static const struct {
    const char *says; /* NULL: nothing is wrong */
    uint64_t cluster;
    struct start starts[4];
} cases[] = {
    {NULL, 2, {{0, 0, 20}, {1, 1, 20}, {2, 1, 30}, {3, 0, 30}}},
    {NULL, 1, {{0, 0, 20}, {1, 0, 21}, {2, 1, 30}, {3, 1, 31}}},
    {"the first block of its cluster started at another time",
     2,
     {{0, 0, 20}, {1, 1, 21}, {2, 1, 30}, {3, 0, 30}}},
    {"SM 1 has another block of its cluster", 2, {{0, 0, 20}, {1, 1, 20}, {2, 1, 30}, {3, 1, 30}}},
    {"it has no whole number of them", 3, {{0, 0, 20}, {1, 1, 20}, {2, 1, 30}, {3, 0, 30}}},
    {"it has no whole number of them", 0, {{0, 0, 20}, {1, 1, 20}, {2, 1, 30}, {3, 0, 30}}},
};

/* PROMISE (analysis): Clusters are checked: their blocks start at the same time, each on another
 * SM. */
START_TEST(clusters_are_checked)
{
    struct gfe_error error = {0};
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct check_report report;
    uint64_t slots[2] = {0, 0};
    char *head = log_fixture_head();

    log_fixture_begin_with(&fixture, head);
    free(head);
    LOG_ADD(&fixture, 10, EVENT_GRID_QUEUE, RULE_NONE, 1, 5, 4, 512, 0, 16, 0, 0x1000);
    LOG_ADD(&fixture, 10, EVENT_GRID_CLUSTER, RULE_NONE, 1, cases[_i].cluster);
    for (uint32_t i = 0; i < 4; i++) {
        const struct start *start = &cases[_i].starts[i];

        LOG_ADD(&fixture, start->at, EVENT_BLOCK_START, RULE_NONE, 1, start->block, start->sm,
                slots[start->sm]++);
    }
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log && check_log(log, &check_limits_tx2, &report, &error), "%s", error.text);
    ck_assert_int_eq(report.finding_count > 0, cases[_i].says != NULL);
    if (cases[_i].says) {
        ck_assert_str_eq(report.findings[0].rule, "CORE.CLUSTER");
        ck_assert_str_eq(report.findings[0].says, cases[_i].says);
    }
    check_report_fini(&report);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *check_cluster_suite(void)
{
    Suite *suite = suite_create("check_cluster");
    TCase *tcase = tcase_create("clusters");

    tcase_add_loop_test(tcase, clusters_are_checked, 0, COUNT(cases));
    suite_add_tcase(suite, tcase);
    return suite;
}
