/* SPDX-License-Identifier: MIT */
/*
 * Streams in a log that obeys the rules, made by hand: each of many changes to it breaks the one
 * that is named.
 */
#include <config.h>

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "firmware-models/cuda/cuda_tables.h"
#include "tests/check_limits.h"
#include "tests/check_steps.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define STREAM(stream, kind)           STEP(EVENT_CUDA_STREAM, stream, 0, kind, 0)
#define CALL(operation, stream)        STEP(EVENT_CUDA_OPERATION, operation, stream, 0, 0, 0)
#define HOLD(stream, channel)          STEP(EVENT_CUDA_CHANNEL, stream, channel)
#define FREE(stream, channel)          STEP(EVENT_CUDA_CHANNEL_FREE, stream, channel)
#define KEEP(stream, channel)          STEP(EVENT_CUDA_STREAM_CHANNEL, stream, channel)
#define KERNEL(operation, channel, gp) STEP(EVENT_CUDA_SUBMIT, operation, channel, gp, 0x1000)
#define COPY(operation, channel, gp)   STEP(EVENT_CUDA_SUBMIT, operation, channel, gp, 0)
#define DONE(operation, stream)        STEP(EVENT_CUDA_COMPLETE, operation, stream)
#define GRID(grid, channel, gp)        STEP(EVENT_GRID_QUEUE, grid, channel, 1, 32, 0, 16, gp, 0x1000)
#define START(grid)                    STEP(EVENT_BLOCK_START, grid, 0, 0, 0)
#define LEAVE(grid)                    STEP(EVENT_GRID_DISPATCHED, grid, 0)
#define STOP(grid)                     STEP(EVENT_BLOCK_END, grid, 0, 0, 0)
#define OVER(grid)                     STEP(EVENT_GRID_END, grid, 0, 0, 0)

/* Streams 0 and 1 block, 2 is the NULL stream.  Numbers of the steps at the left. */
static const struct check_step good[] = {
    /*  0 */ STREAM(0, 0),
    /*  1 */ STREAM(1, 0),
    /*  2 */ STREAM(2, 2),
    /*  3 */ CALL(1, 0), /* a kernel, and a copy behind it */
    /*  4 */ HOLD(0, 5),
    /*  5 */ CALL(2, 0),
    /*  6 */ KERNEL(1, 5, 0),
    /*  7 */ CALL(3, 2), /* of the NULL stream: waits for both */
    /*  8 */ CALL(4, 1), /* waits for that one */
    /*  9 */ HOLD(1, 6),
    /* 10 */ GRID(100, 5, 0),
    /* 11 */ START(100),
    /* 12 */ LEAVE(100),
    /* 13 */ FREE(0, 5),
    /* 14 */ STOP(100),
    /* 15 */ OVER(100),
    /* 16 */ DONE(1, 0),
    /* 17 */ COPY(2, 9, 0),
    /* 18 */ STEP(EVENT_COPY_QUEUE, 200, 9, 2, 4096, 0, 0, 0),
    /* 19 */ STEP(EVENT_COPY_START, 200, 9, 2, 4096, 0, 0, 0),
    /* 20 */ STEP(EVENT_COPY_END, 200, 9, 2, 4096, 0),
    /* 21 */ DONE(2, 0),
    /* 22 */ HOLD(2, 5),
    /* 23 */ KERNEL(3, 5, 1),
    /* 24 */ GRID(101, 5, 1),
    /* 25 */ START(101),
    /* 26 */ LEAVE(101),
    /* 27 */ STOP(101),
    /* 28 */ OVER(101),
    /* 29 */ DONE(3, 2),
    /* 30 */ KERNEL(4, 6, 0),
    /* 31 */ GRID(102, 6, 0),
    /* 32 */ START(102),
    /* 33 */ LEAVE(102),
    /* 34 */ STOP(102),
    /* 35 */ OVER(102),
    /* 36 */ DONE(4, 1),
    /* 37 */ CALL(5, 1), /* an event's record: complete without the GPU */
    /* 38 */ DONE(5, 1),
    /* 39 */ CALL(6, 0), /* another, with a kernel behind it */
    /* 40 */ CALL(7, 0),
    /* 41 */ HOLD(0, 7),
    /* 42 */ DONE(6, 0),
    /* 43 */ KERNEL(7, 7, 0),
    /* 44 */ GRID(103, 7, 0),
    /* 45 */ START(103),
    /* 46 */ LEAVE(103),
    /* 47 */ STOP(103),
    /* 48 */ OVER(103),
    /* 49 */ DONE(7, 0),
};

/* Streams 0 to 3 take turns with channels 6 and 5 and have them for ever; the NULL stream has the
 * first. */
static const struct check_step good_static[] = {
    /*  0 */ STREAM(0, 1),
    /*  1 */ STREAM(1, 1),
    /*  2 */ STREAM(2, 1),
    /*  3 */ STREAM(3, 1),
    /*  4 */ KEEP(0, 6),
    /*  5 */ KEEP(1, 5),
    /*  6 */ KEEP(2, 6),
    /*  7 */ KEEP(3, 5),
    /*  8 */ CALL(1, 0),
    /*  9 */ CALL(2, 0), /* waits for the first, and holds up stream 2's */
    /* 10 */ CALL(3, 2),
    /* 11 */ KERNEL(1, 6, 0),
    /* 12 */ GRID(100, 6, 0),
    /* 13 */ START(100),
    /* 14 */ LEAVE(100),
    /* 15 */ STOP(100),
    /* 16 */ OVER(100),
    /* 17 */ DONE(1, 0),
    /* 18 */ KERNEL(2, 6, 1),
    /* 19 */ KERNEL(3, 6, 2),
    /* 20 */ GRID(101, 6, 1),
    /* 21 */ GRID(102, 6, 2),
    /* 22 */ START(101),
    /* 23 */ LEAVE(101),
    /* 24 */ STOP(101),
    /* 25 */ OVER(101),
    /* 26 */ DONE(2, 0),
    /* 27 */ START(102),
    /* 28 */ LEAVE(102),
    /* 29 */ STOP(102),
    /* 30 */ OVER(102),
    /* 31 */ DONE(3, 2),
    /* 32 */ STREAM(4, 2),
    /* 33 */ KEEP(4, 5),
};

static const struct check_change static_changes[] = {
    {"CUDA.CHANNEL_ORDER", 19, SWAP, 18, 0}, /* the later call first */
    {"CUDA.CHANNEL_ORDER", 19, SWAP, 11, 0},
    {"CUDA.CHANNEL_TURN", 11, SET, 1, 5}, /* the kernel goes to another channel */
    {"CUDA.CHANNEL_TURN", 7, SET, 1, 6},  /* 5 followed 6 before */
    {"LOG", 4, TWICE, 0, 0},
    {"LOG", 4, SET, 0, 9},
};

/* Up to two operations of a stream are with the GPU (cuda.send_ahead): streams 0 and 1 share
 * channel 6; copies have channel 9. */
static const struct check_step good_ahead[] = {
    /*  0 */ STREAM(0, 1),
    /*  1 */ STREAM(1, 1),
    /*  2 */ KEEP(0, 6),
    /*  3 */ KEEP(1, 6),
    /*  4 */ CALL(1, 0),
    /*  5 */ CALL(2, 0),
    /*  6 */ KERNEL(1, 6, 0),
    /*  7 */ KERNEL(2, 6, 1), /* behind an acquire */
    /*  8 */ CALL(3, 0),
    /*  9 */ CALL(4, 1),
    /* 10 */ GRID(100, 6, 0),
    /* 11 */ START(100),
    /* 12 */ LEAVE(100),
    /* 13 */ STOP(100),
    /* 14 */ OVER(100),
    /* 15 */ DONE(1, 0),
    /* 16 */ KERNEL(3, 6, 2), /* there is room again */
    /* 17 */ GRID(101, 6, 1),
    /* 18 */ START(101),
    /* 19 */ LEAVE(101),
    /* 20 */ KERNEL(4, 6, 3),
    /* 21 */ STOP(101),
    /* 22 */ OVER(101),
    /* 23 */ DONE(2, 0),
    /* 24 */ GRID(102, 6, 2),
    /* 25 */ START(102),
    /* 26 */ LEAVE(102),
    /* 27 */ STOP(102),
    /* 28 */ OVER(102),
    /* 29 */ DONE(3, 0),
    /* 30 */ CALL(5, 0), /* two copies, which need no acquire */
    /* 31 */ COPY(5, 9, 0),
    /* 32 */ CALL(6, 0),
    /* 33 */ COPY(6, 9, 1),
    /* 34 */ STEP(EVENT_COPY_QUEUE, 200, 9, 2, 4096, 0, 0, 0),
    /* 35 */ STEP(EVENT_COPY_START, 200, 9, 2, 4096, 0, 0, 0),
    /* 36 */ STEP(EVENT_COPY_QUEUE, 201, 9, 2, 4096, 0, 0, 1),
    /* 37 */ STEP(EVENT_COPY_END, 200, 9, 2, 4096, 0),
    /* 38 */ DONE(5, 0),
    /* 39 */ STEP(EVENT_COPY_START, 201, 9, 2, 4096, 0, 0, 0),
    /* 40 */ CALL(7, 0),
    /* 41 */ KERNEL(7, 6, 4),
    /* 42 */ STEP(EVENT_COPY_END, 201, 9, 2, 4096, 0),
    /* 43 */ DONE(6, 0),
    /* 44 */ GRID(103, 6, 4),
};

static const struct check_change ahead_changes[] = {
    {NULL, 0, SET, 0, 0},
    {"CUDA.AHEAD", 16, SWAP, 13, 0},          /* three of the stream */
    {"CUDA.AHEAD", 7, SWAP, 6, 0},            /* the later call first */
    {"CUDA.STREAM_ACQUIRE", 17, SWAP, 13, 0}, /* a kernel behind one that runs */
    {"CUDA.STREAM_ACQUIRE", 24, SWAP, 21, 0},
    {"CUDA.STREAM_ACQUIRE", 44, SWAP, 42, 0}, /* a kernel behind a copy */
};

static const struct check_change changes[] = {
    {"T.C1", 17, SWAP, 8, 0},  /* the copy before the kernel in front of it is complete */
    {"T.G2", 42, SWAP, 43, 0}, /* the kernel before the record in front of it */
    {"T.G4", 16, SWAP, 14, 0}, /* complete while its block runs */
    {"T.G4", 15, SWAP, 16, 0}, {"T.G4", 10, SET, 6, 7}, /* the grid is of another entry */
    {"T.C4", 20, SWAP, 21, 0}, {"T.C4", 18, SET, 6, 3},
    {"T.N1", 23, SWAP, 17, 0}, /* the NULL stream before the copy that was called before */
    {"T.N2", 30, SWAP, 23, 0}, /* stream 1 before the NULL stream's */
    {"T.N1", 21, DROP, 0, 0},  {"B.R2", 6, SET, 1, 6},
    {"B.R2", 13, DROP, 0, 0}, /* two hold it */
    {"B.R2", 13, SET, 1, 6},   {"B.R2", 9, SET, 1, 5},
    {"B.R2", 22, SET, 0, 1}, /* a second channel */
    {"B.C1", 13, SWAP, 10, 0}, {"B.C1", 13, SWAP, 11, 0},
    {"LOG", 0, DROP, 0, 0},    {"LOG", 1, TWICE, 0, 0},
    {"LOG", 3, DROP, 0, 0},    {"LOG", 3, TWICE, 0, 0},
    {"LOG", 6, TWICE, 0, 0},   {"LOG", 16, TWICE, 0, 0},
    {"LOG", 13, SET, 0, 9},
};

/* The two streams that block, as threads' default streams (CUDA.PER_THREAD). */
static void make_per_thread(struct check_step *steps, uint32_t count)
{
    const size_t at = EVENT_PLACE(cuda_stream, kind);

    for (uint32_t i = 0; i < count; i++)
        if (steps[i].kind == EVENT_CUDA_STREAM && steps[i].arguments[at] == 0)
            steps[i].arguments[at] = 3;
}

START_TEST(streams_that_obey_the_rules)
{
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), NULL), true, &report);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_eq(report.violation_count, 0);
    ck_assert_uint_eq(report.kernel_count, 4);
    check_report_fini(&report);
}
END_TEST

/* PROMISE (analysis): Each change to a log of streams is rejected for the rule that it breaks. */
START_TEST(a_broken_log_of_streams_is_rejected_for_its_rule)
{
    const struct check_change *change = &changes[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool named = false;

    check_steps(steps, check_steps_make(steps, good, COUNT(good), change), true, &report);
    ck_assert_uint_gt(report.finding_count, 0);
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(named, "%s, not %s: %s (%s)", report.findings[0].rule, change->rule,
                  report.findings[0].says, report.findings[0].second.text);
    check_report_fini(&report);
}
END_TEST

static void check_steps_cuda(const struct check_step *steps, uint32_t count,
                             struct check_report *report)
{
    check_steps(steps, count, true, report);
}

START_TEST(what_is_said_of_streams_names_the_events_that_clash)
{
    check_steps_findings("check_streams.txt", good, COUNT(good), changes, COUNT(changes),
                         check_steps_cuda);
}
END_TEST

/* PROMISE (analysis): Streams that have their channels for ever are checked for the order of the
 * calls in each channel, and for the turns in which they got them. */
START_TEST(streams_that_share_channels_are_checked)
{
    const struct check_change *change =
        _i < (int)COUNT(static_changes) ? &static_changes[_i] : NULL;
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool named = !change;

    check_steps(steps, check_steps_make(steps, good_static, COUNT(good_static), change), true,
                &report);
    ck_assert_int_eq(report.finding_count > 0, change != NULL);
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert(named);
    check_report_fini(&report);
}
END_TEST

/* Returns the head of a log whose streams have two operations with the GPU. */
static char *ahead_head(void)
{
    char *text = log_fixture_cuda_head(NULL);
    json_t *head = json_loads(text, 0, NULL);

    ck_assert_int_eq(
        json_object_set_new(head, "parameters",
                            json_pack("[{sssi}]", "name", "cuda.send_ahead", "value", 2)),
        0);
    free(text);
    text = json_dumps(head, 0);
    json_decref(head);
    return text;
}

/* PROMISE (analysis): Operations that are sent ahead are checked: how many, in which order, and
 * that none begins before those in front of it in its stream are over. */
START_TEST(operations_that_are_sent_ahead_are_checked)
{
    const struct check_change *change = &ahead_changes[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool named = !change->rule;

    check_steps_with(steps, check_steps_make(steps, good_ahead, COUNT(good_ahead), change),
                     ahead_head(), &check_limits_tx2, &report);
    ck_assert_msg((report.finding_count > 0) == (change->rule != NULL), "%s: %s",
                  report.finding_count ? report.findings[0].rule : "none",
                  report.finding_count ? report.findings[0].says : "");
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= change->rule && strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(named, "%s: %s", report.findings[0].rule, report.findings[0].says);
    check_report_fini(&report);
}
END_TEST

/* They wait for the NULL stream and it for them, as blocking ones; not for each other. */
START_TEST(default_streams_of_threads_are_checked_with_the_null_stream)
{
    static const struct check_change clashes[] = {{"T.N1", 23, SWAP, 17, 0},
                                                  {"T.N2", 30, SWAP, 23, 0}};
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    uint32_t count = check_steps_make(steps, good, COUNT(good), _i < 2 ? &clashes[_i] : NULL);
    bool named = _i == 2;

    make_per_thread(steps, count);
    check_steps(steps, count, true, &report);
    ck_assert_int_eq(report.finding_count > 0, _i < 2);
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= strcmp(report.findings[i].rule, clashes[_i].rule) == 0;
    ck_assert(named);
    check_report_fini(&report);
}
END_TEST

START_TEST(both_events_that_clash_are_named_of_streams)
{
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    const struct check_change early = {"T.N2", 30, SWAP, 23, 0};

    check_steps(steps, check_steps_make(steps, good, COUNT(good), &early), true, &report);
    ck_assert_str_eq(report.findings[0].rule, "T.N2");
    ck_assert_str_eq(report.findings[0].says, "operation 3 was called before, in the NULL stream");
    ck_assert_str_eq(report.findings[0].first.text, "operation 3 of stream 2 is called");
    ck_assert_str_eq(report.findings[0].second.text, "operation 4 is handed to channel 6");
    check_report_fini(&report);
}
END_TEST

/* ---- shares of clients of MPS ---------------------------------------------------------------- */

#define CLIENT(process, sms)       STEP(EVENT_CUDA_CLIENT, process, process, sms)
#define STREAM_OF(stream, process) STEP(EVENT_CUDA_STREAM, stream, process, 0, 0)
#define BLOCK(grid, block, sm)     STEP(EVENT_BLOCK_START, grid, block, sm, block)

/* Of a TX2's two SMs the first client may have one; it has a block there and one more to place, and
 * the second client's kernel behind it does not wait. */
static const struct check_step shared[] = {
    /*  0 */ CLIENT(0, 1),
    /*  1 */ CLIENT(1, 2),
    /*  2 */ STREAM_OF(0, 0),
    /*  3 */ STREAM_OF(1, 1),
    /*  4 */ CALL(1, 0),
    /*  5 */ HOLD(0, 5),
    /*  6 */ KERNEL(1, 5, 0),
    /*  7 */ STEP(EVENT_GRID_QUEUE, 100, 5, 2, 1024, 0, 16, 0, 0x1000),
    /*  8 */ CALL(2, 1),
    /*  9 */ HOLD(1, 6),
    /* 10 */ KERNEL(2, 6, 0),
    /* 11 */ GRID(101, 6, 0),
    /* 12 */ BLOCK(100, 0, 0),
    /* 13 */ BLOCK(101, 0, 1),
    /* 14 */ LEAVE(101),
    /* 15 */ BLOCK(100, 1, 0),
    /* 16 */ LEAVE(100),
};
static const struct check_change shares[] = {
    {NULL, 0, SET, 0, 0},                 /* nothing is changed */
    {"CORE.CLIENT_SHARE", 15, SET, 2, 1}, /* on a second SM */
    {"T.X1", 0, SET, 2, 2},               /* it has no share */
    {"T.X1", 13, SWAP, 12, 0},            /* it is not there yet */
    {"T.X1", 3, SET, 1, 0},               /* the other is the same client */
    {"LOG", 0, SET, 0, 64},
};

START_TEST(shares_of_clients_are_checked)
{
    const struct check_change *change = &shares[_i];
    struct check_step steps[CHECK_STEPS_MAX];
    struct check_report report;
    bool named = !change->rule;

    check_steps(steps, check_steps_make(steps, shared, COUNT(shared), change), true, &report);
    ck_assert_int_eq(report.finding_count > 0, change->rule != NULL);
    for (uint32_t i = 0; i < report.finding_count; i++)
        named |= change->rule && strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(named, "%s", report.findings[0].rule);
    check_report_fini(&report);
}
END_TEST

Suite *check_stream_suite(void)
{
    Suite *suite = suite_create("check_stream");
    TCase *tcase = tcase_create("streams");

    tcase_add_test(tcase, streams_that_obey_the_rules);
    tcase_add_loop_test(tcase, a_broken_log_of_streams_is_rejected_for_its_rule, 0, COUNT(changes));
    tcase_add_test(tcase, what_is_said_of_streams_names_the_events_that_clash);
    tcase_add_test(tcase, both_events_that_clash_are_named_of_streams);
    tcase_add_loop_test(tcase, default_streams_of_threads_are_checked_with_the_null_stream, 0, 3);
    tcase_add_loop_test(tcase, streams_that_share_channels_are_checked, 0,
                        COUNT(static_changes) + 1);
    tcase_add_loop_test(tcase, operations_that_are_sent_ahead_are_checked, 0, COUNT(ahead_changes));
    tcase_add_loop_test(tcase, shares_of_clients_are_checked, 0, COUNT(shares));
    suite_add_tcase(suite, tcase);
    return suite;
}
