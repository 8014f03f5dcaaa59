/* SPDX-License-Identifier: MIT */
/*
 * Operations that are handed over before those in front of them in their stream are complete:
 * CUDA.AHEAD and CUDA.STREAM_ACQUIRE.  The figures are those of an H100 (tests/hardware/data/h100).
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_tables.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
#define MS (1000 * US)

static struct cuda_run run;

/* Calls of one thread, on streams "a" and "b" that do not block. */
static void begin(const char *gpu, const char *calls, const char *const *settings)
{
    char text[16384];
    const char *const files[] = {text, NULL};
    const int length =
        snprintf(text, sizeof text,
                 "{\"gfe_scenario\":1,\"processes\":[{\"streams\":["
                 "{\"name\":\"a\",\"kind\":\"non-blocking\"},{\"name\":\"b\",\"kind\":"
                 "\"non-blocking\"}],\"tasks\":[{\"name\":\"t\",\"calls\":[%s]}]}]}",
                 calls);

    ck_assert_int_lt(length, (int)sizeof text);
    cuda_run_begin(&run, gpu, 0, files, settings);
}

#define KERNEL(name, us)                                                                           \
    "{\"launch\":{\"name\":\"" name "\",\"blocks\":1,\"threads\":32,\"spin\":" us                  \
    "e-6},\"stream\":\"a\"}"
#define COPY(bytes, stream)                                                                        \
    "{\"copy\":{\"bytes\":" bytes ",\"direction\":\"to device\"},\"stream\":\"" stream "\"}"

/* Returns the rule with which the n-th operation was handed over. */
static uint32_t submit_rule(uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_CUDA_SUBMIT && n-- == 0)
            return run.events[i].rule;
    return RULE_NONE;
}

static uint32_t events_of(uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == kind;
    return count;
}

/* PROMISE (program): On an H100 the kernels of a stream are with the GPU before they may start, and
 * each starts 1.8 us after the end of the one in front of it. */
START_TEST(kernels_of_a_stream_are_sent_ahead)
{
    struct cuda_run_operation kernels[3];

    begin("h100", KERNEL("K1", "1000") "," KERNEL("K2", "1000") "," KERNEL("K3", "1000"), NULL);
    for (uint32_t i = 0; i < 3; i++) {
        const char name[] = {'K', (char)('1' + i), '\0'};

        cuda_run_kernel(&run, name, 0, &kernels[i]);
        ck_assert_uint_lt(kernels[i].submitted_ps, 20 * US);
        ck_assert_uint_eq(submit_rule(i), i == 0 ? RULE_T_G2 : RULE_CUDA_STREAM_ACQUIRE);
    }
    /* launch_times, period_ready: 1.66 to 2.18 us */
    for (uint32_t i = 1; i < 3; i++) {
        ck_assert_uint_ge(kernels[i].blocks[0].start_ps - kernels[i - 1].blocks[0].end_ps,
                          1660 * US / 1000);
        ck_assert_uint_le(kernels[i].blocks[0].start_ps - kernels[i - 1].blocks[0].end_ps,
                          2180 * US / 1000);
    }
    ck_assert_uint_eq(events_of(EVENT_NV_ACQUIRE), 2);
    cuda_run_end(&run);
}
END_TEST

/* Elsewhere, and with one at a time, an operation is handed over when it is at the head. */
START_TEST(one_at_a_time)
{
    static const struct {
        const char *gpu, *settings[5];
    } cases[] = {
        {"h100", {"cuda.send_ahead", "1", NULL}},
        {"h100", {"cuda.channel_next", "fifo", NULL}},
        {"rtx6000ada", {"cuda.channel_next", "static", "cuda.send_ahead", "8", NULL}},
        {"gtx1060", {NULL}},
    };
    struct cuda_run_operation first, second;

    begin(cases[_i].gpu, KERNEL("K1", "1000") "," KERNEL("K2", "1000"), cases[_i].settings);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K2", 0, &second);
    ck_assert_uint_ge(second.submitted_ps, first.completed_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, second.operation_id, RULE_T_G2),
                      900 * US);
    ck_assert_uint_eq(submit_rule(1), RULE_T_G2);
    ck_assert_uint_eq(events_of(EVENT_NV_ACQUIRE), 0);
    cuda_run_end(&run);
}
END_TEST

/* PROMISE (program): No more of a stream's operations are with the GPU than cuda.send_ahead says.
 */
START_TEST(so_many_and_no_more)
{
    const char *const settings[] = {"cuda.send_ahead", "2", NULL};
    struct cuda_run_operation first, third;

    begin("h100", KERNEL("K1", "1000") "," KERNEL("K2", "1000") "," KERNEL("K3", "1000"), settings);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K3", 0, &third);
    ck_assert_uint_ge(third.submitted_ps, first.completed_ps);
    ck_assert_uint_lt(third.submitted_ps, first.completed_ps + 2 * US);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, third.operation_id, RULE_CUDA_AHEAD),
                      900 * US);
    cuda_run_end(&run);
}
END_TEST

/* Copies of one channel need no acquire: the engine makes them one behind the other.  Small ones go
 * through the compute channel, where the front end does not wait for what it launched. */
START_TEST(copies_wait_only_where_they_must)
{
    struct cuda_run_operation copy, kernel;

    begin("h100",
          KERNEL("K1", "1000") "," COPY("1048576", "a") "," COPY("1048576", "a") "," KERNEL(
              "K2", "10") "," COPY("1048576", "b") "," COPY("4096", "a"),
          NULL);
    ck_assert_uint_eq(submit_rule(1), RULE_CUDA_STREAM_ACQUIRE);
    ck_assert_uint_eq(submit_rule(2), RULE_CUDA_AHEAD);
    ck_assert_uint_eq(submit_rule(3), RULE_CUDA_STREAM_ACQUIRE);
    ck_assert_uint_eq(submit_rule(4), RULE_T_C1); /* of the other stream */
    ck_assert_uint_eq(submit_rule(5), RULE_CUDA_STREAM_ACQUIRE);
    cuda_run_kernel(&run, "K1", 0, &kernel);
    cuda_run_copy(&run, "t", 0, &copy);
    ck_assert_uint_ge(copy.started_ps, kernel.ended_ps);
    cuda_run_copy(&run, "t", 1, &copy);
    cuda_run_kernel(&run, "K2", 0, &kernel);
    ck_assert_uint_ge(kernel.blocks[0].start_ps, copy.ended_ps);
    cuda_run_end(&run);
}
END_TEST

/* A record is sent ahead, too; what stands behind a wait for an event of another stream is not. */
START_TEST(events_among_operations_that_are_sent_ahead)
{
    struct cuda_run_operation first, second, behind, after;

    begin("h100",
          KERNEL("K1", "1000") ",{\"record\":\"e\",\"stream\":\"a\"}," KERNEL(
              "K2", "1000") ",{\"wait\":\"e\",\"stream\":\"b\"},"
                            "{\"launch\":{\"name\":\"K3\",\"blocks\":1,\"threads\":32,\"spin\":1e-"
                            "5},\"stream\":\"b\"},{\"wait\":\"e\",\"stream\":\"a\"}," KERNEL("K4",
                                                                                             "10"),
          NULL);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K2", 0, &second);
    cuda_run_kernel(&run, "K3", 0, &behind);
    cuda_run_kernel(&run, "K4", 0, &after);
    ck_assert_uint_lt(second.submitted_ps, first.ended_ps);
    ck_assert_uint_ge(behind.submitted_ps, first.completed_ps);
    ck_assert_uint_lt(behind.blocks[0].start_ps, second.ended_ps);
    ck_assert_uint_lt(after.submitted_ps, first.ended_ps); /* its own stream's event */
    ck_assert_uint_ge(after.blocks[0].start_ps, second.ended_ps);
    cuda_run_end(&run);
}
END_TEST

/* Returns when the n-th record of an event was over. */
static gfe_ps recorded_ps(uint32_t n, uint32_t *rule)
{
    uint64_t operation_id = UINT64_MAX;

    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_CUDA_RECORD && n-- == 0) {
            operation_id = event_cuda_record_of(event).operation_id;
            *rule = event->rule;
        } else if (event->kind == EVENT_CUDA_COMPLETE &&
                   event_cuda_complete_of(event).operation_id == operation_id) {
            return event->time_ps;
        }
    }
    ck_abort_msg("it is not recorded");
    return 0;
}

/* PROMISE (program): On an H100 an event is recorded in the channel of its stream's last work:
 * behind a copy to the device it waits for other streams' copies to the device. */
START_TEST(an_event_is_recorded_behind_its_streams_last_work)
{
    struct cuda_run_operation large;
    gfe_ps at_ps;
    uint32_t rule;

    begin("h100",
          COPY("65536", "b") ",{\"synchronize\":\"device\"}," COPY(
              "16777216", "a") ",{\"record\":\"e\",\"stream\":\"b\"}",
          NULL);
    cuda_run_copy(&run, "t", 1, &large);
    at_ps = recorded_ps(0, &rule);
    ck_assert_uint_eq(rule, RULE_CUDA_EVENT_CHANNEL);
    ck_assert_uint_ge(at_ps, large.ended_ps);
    ck_assert_uint_lt(at_ps, large.ended_ps + 10 * US);
    cuda_run_end(&run);
    begin("h100", COPY("16777216", "a") ",{\"record\":\"e\",\"stream\":\"b\"}", NULL);
    cuda_run_copy(&run, "t", 0, &large);
    ck_assert_uint_lt(recorded_ps(0, &rule), large.ended_ps / 2); /* in a compute channel */
    cuda_run_end(&run);
}
END_TEST

/* A ring has 1,024 entries, and a copy of 24 KiB in the pushbuffer takes two: 600 of them do not
 * fit at once. */
START_TEST(a_ring_that_is_full_keeps_the_rest_back)
{
    const char *const settings[] = {"cuda.channels", "1", "cuda.call_ps", "1000", NULL};
    char text[65536];
    const char *const files[] = {text, NULL};
    size_t at =
        (size_t)snprintf(text, sizeof text, "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[");
    uint32_t kept = 0;

    for (uint32_t i = 0; i < 80; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"name\":\"s%u\",\"kind\":\"non-blocking\"}", i ? "," : "", i);
    at += (size_t)snprintf(text + at, sizeof text - at, "],\"tasks\":[{\"name\":\"t\",\"calls\":[");
    for (uint32_t i = 0; i < 80; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"launch\":{\"name\":\"K\",\"blocks\":1,\"threads\":32,\"spin\":"
                               "0.001},\"stream\":\"s%u\"}",
                               i ? "," : "", i);
    for (uint32_t i = 0; i < 560; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               ",{\"copy\":{\"bytes\":24576,\"direction\":\"to device\"},"
                               "\"stream\":\"s%u\"}",
                               i % 80);
    (void)snprintf(text + at, sizeof text - at, "]}]}]}");
    ck_assert_uint_lt(at, sizeof text - 8);
    cuda_run_begin(&run, "h100", 0, files, settings);
    for (uint32_t i = 0; i < run.event_count; i++)
        kept += run.events[i].kind == EVENT_WAIT && run.events[i].rule == RULE_CUDA_AHEAD;
    ck_assert_uint_gt(kept, 20);
    ck_assert_uint_eq(events_of(EVENT_CUDA_COMPLETE), 640);
    cuda_run_end(&run);
}
END_TEST

/* PROMISE (program): Small kernels of a stream keep their process's whole slices from another one,
 * as on a real H100. */
START_TEST(a_stream_of_small_kernels_has_whole_slices)
{
    static const char text[] =
        "{\"gfe_scenario\":1,\"processes\":["
        "{\"streams\":[{\"name\":\"s\"}],\"tasks\":[{\"name\":\"f\",\"calls\":[{\"launch\":"
        "{\"name\":\"fill\",\"blocks\":264,\"threads\":1024,\"spin\":0.02}}]}]},"
        "{\"streams\":[{\"name\":\"s\"}],\"tasks\":[{\"name\":\"t\",\"iterations\":800,"
        "\"calls\":[{\"launch\":{\"name\":\"tiny\",\"blocks\":1,\"threads\":32,\"spin\":1e-5}}]}]}]}";
    const char *const files[] = {text, NULL};
    gfe_ps from_ps = 0, longest_ps = 0;
    struct cuda_run_operation fill;
    uint32_t stands = 0;

    cuda_run_begin(&run, "h100", 0, files, NULL);
    cuda_run_kernel(&run, "fill", 0, &fill);
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_GRID_SUSPEND &&
            event_grid_suspend_of(event).grid_id == fill.hardware_id) {
            from_ps = event->time_ps;
            stands++;
        } else if (event->kind == EVENT_GRID_RESUME &&
                   event_grid_resume_of(event).grid_id == fill.hardware_id &&
                   event->time_ps - from_ps > longest_ps) {
            longest_ps = event->time_ps - from_ps;
        }
    }
    /* processes, other_tiny: stands 2.405 ms at a time, and runs for 2.081 ms */
    ck_assert_uint_ge(stands, 2);
    ck_assert_uint_le(stands, 10);
    ck_assert_uint_ge(longest_ps, 2405 * US * 95 / 100);
    ck_assert_uint_le(longest_ps, 2405 * US * 105 / 100);
    cuda_run_end(&run);
}
END_TEST

Suite *cuda_ahead_suite(void)
{
    Suite *suite = suite_create("cuda_ahead");
    TCase *tcase = tcase_create("ahead");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, kernels_of_a_stream_are_sent_ahead);
    tcase_add_loop_test(tcase, one_at_a_time, 0, 4);
    tcase_add_test(tcase, so_many_and_no_more);
    tcase_add_test(tcase, copies_wait_only_where_they_must);
    tcase_add_test(tcase, events_among_operations_that_are_sent_ahead);
    tcase_add_test(tcase, an_event_is_recorded_behind_its_streams_last_work);
    tcase_add_test(tcase, a_ring_that_is_full_keeps_the_rest_back);
    tcase_add_test(tcase, a_stream_of_small_kernels_has_whole_slices);
    suite_add_tcase(suite, tcase);
    return suite;
}
