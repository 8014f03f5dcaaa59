/* SPDX-License-Identifier: MIT */
/*
 * Queues of streams, with programs made by hand: events, kinds of streams, copies on one copy
 * engine and on two, and every chip that the model drives.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/cuda_run.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
enum { CALLS_MAX = 64 };

static struct cuda_run run;
static struct cuda_stream streams[8];
static struct cuda_kernel kernels[8];
static struct cuda_call calls[CALLS_MAX];
static struct cuda_task tasks[2];
static char names[8][4];
static char name[] = "by hand";
static struct scenario scenario;

/* One task in one process with so many blocking streams; kernel n, "Kn", has one block that works
 * for n ms. */
static void begin(uint32_t stream_count)
{
    memset(streams, 0, sizeof streams);
    memset(calls, 0, sizeof calls);
    memset(tasks, 0, sizeof tasks);
    scenario = (struct scenario){.program = {.name = name,
                                             .process_count = 1,
                                             .stream_count = stream_count,
                                             .kernel_count = 8,
                                             .task_count = 1,
                                             .group_count = 1,
                                             .event_count = 4,
                                             .streams = streams,
                                             .kernels = kernels,
                                             .calls = calls,
                                             .tasks = tasks}};
    for (uint32_t i = 0; i < 8; i++) {
        names[i][0] = 'K';
        names[i][1] = (char)('0' + i);
        kernels[i] = (struct cuda_kernel){.name = names[i],
                                          .block_count = 1,
                                          .block_threads = 64,
                                          .time = CUDA_TIME_WORK,
                                          .amount = i * MS};
    }
    tasks[0] = (struct cuda_task){.name = name, .max_iterations = 1};
}

static struct cuda_call *call(enum cuda_call_kind kind, uint32_t stream)
{
    struct cuda_call *added = &calls[scenario.program.call_count++];

    ck_assert_uint_le(scenario.program.call_count, CALLS_MAX);
    added->kind = kind;
    added->stream = stream;
    tasks[0].call_count++;
    return added;
}

static void launch(uint32_t stream, uint32_t kernel)
{
    call(CUDA_LAUNCH, stream)->kernel = kernel;
}

static void copy(uint32_t stream, enum cuda_direction direction, uint64_t bytes)
{
    struct cuda_call *added = call(CUDA_MEMCPY, stream);

    added->direction = direction;
    added->bytes = bytes;
}

static void go(const char *gpu)
{
    cuda_run_begin_program(&run, gpu, &scenario, NULL);
}

static struct cuda_run_operation kernel(const char *of)
{
    static struct cuda_run_operation found;

    cuda_run_kernel(&run, of, 0, &found);
    return found;
}

/* K2 in another stream waits for what was in front of the record, K3, and not for K4 behind it. */
START_TEST(a_wait_for_an_event_is_one_for_its_record)
{
    struct cuda_run_operation k2, k3, k4;
    gfe_ps waited_ps = 0;

    begin(2);
    launch(0, 3);
    call(CUDA_EVENT_RECORD, 0)->event = 1;
    launch(0, 4);
    call(CUDA_STREAM_WAIT_EVENT, 1)->event = 1;
    launch(1, 2);
    go("gtx1060");
    k2 = kernel("K2");
    k3 = kernel("K3");
    k4 = kernel("K4");
    ck_assert_uint_ge(k2.submitted_ps, k3.completed_ps);
    ck_assert_uint_lt(k2.submitted_ps, k4.completed_ps - MS);
    ck_assert_uint_lt(k2.submitted_ps, k3.completed_ps + MS);
    /* The wait itself has the rule; the kernel is behind it in its stream (T.G2). */
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_WAIT && run.events[i].rule == RULE_CUDA_EVENT)
            waited_ps += run.events[i].time_ps - event_wait_of(&run.events[i]).begin_ps;
    ck_assert_uint_gt(waited_ps, 2 * MS);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, k2.operation_id, RULE_T_G2), 2 * MS);
    cuda_run_end(&run);
}
END_TEST

/* Nothing recorded yet, or recorded again later: a wait is for what was there when it was called.
 */
START_TEST(a_wait_for_an_event_that_was_not_recorded_is_none)
{
    begin(2);
    call(CUDA_STREAM_WAIT_EVENT, 1)->event = 2;
    launch(1, 2);
    launch(0, 5);
    call(CUDA_EVENT_RECORD, 0)->event = 2;
    go("gtx1060");
    ck_assert_uint_lt(kernel("K2").submitted_ps, MS);
    cuda_run_end(&run);
}
END_TEST

/* K3 of the NULL stream waits for K5 of a blocking stream, not for K6 of one that does not block;
 * nor does K4 in the latter wait for K3. */
START_TEST(non_blocking_streams_do_not_meet_the_null_stream)
{
    begin(3);
    streams[1].kind = CUDA_NON_BLOCKING_STREAM;
    streams[2].kind = CUDA_NULL_STREAM;
    launch(0, 5);
    launch(1, 6);
    launch(2, 3);
    launch(0, 2);
    go("gtx1060");
    ck_assert_uint_ge(kernel("K3").submitted_ps, kernel("K5").completed_ps);
    ck_assert_uint_lt(kernel("K3").submitted_ps, kernel("K6").completed_ps);
    ck_assert_uint_lt(kernel("K6").submitted_ps, MS);
    ck_assert_uint_ge(kernel("K2").submitted_ps, kernel("K3").completed_ps);
    cuda_run_end(&run);
}
END_TEST

/* Both directions at once: on the TX2's only copy engine one after the other (T.C2), on two
 * together.
 */
START_TEST(copies_in_both_directions)
{
    static const struct {
        const char *gpu;
        bool together;
    } gpus[] = {{"tx2", false}, {"rtx2080ti", true}};
    struct cuda_run_operation there, back;

    begin(2);
    copy(0, CUDA_HOST_TO_DEVICE, 64 << 20);
    copy(1, CUDA_DEVICE_TO_HOST, 64 << 20);
    go(gpus[_i].gpu);
    cuda_run_copy(&run, name, 0, &there);
    cuda_run_copy(&run, name, 1, &back);
    ck_assert_uint_gt(there.ended_ps, there.started_ps + MS);
    if (gpus[_i].together)
        ck_assert_uint_lt(back.started_ps, there.ended_ps);
    else
        ck_assert_uint_ge(back.started_ps, there.ended_ps);
    cuda_run_end(&run);
}
END_TEST

/* A kernel, copies each way, a memset and a synchronous copy, on every chip with a driver model. */
START_TEST(every_chip_runs_them)
{
    static const char *const gpus[] = {"gtx1060", "gtx1080ti",  "gtx1050ti", "tx2",     "v100",
                                       "titan-v", "xavier",     "rtx2080ti", "rtx2060", "a100",
                                       "orin",    "rtx6000ada", "h100",      "h200"};
    struct cuda_run_operation of;

    begin(2);
    copy(0, CUDA_HOST_TO_DEVICE, 1 << 20);
    launch(0, 1);
    copy(0, CUDA_DEVICE_TO_HOST, 1 << 20);
    call(CUDA_MEMSET, 1)->bytes = 8192; /* smaller ones are in an H100's pushbuffer */
    launch(1, 2);
    copy(1, CUDA_DEVICE_TO_DEVICE, 8192);
    calls[scenario.program.call_count - 1].synchronous = true;
    call(CUDA_DEVICE_SYNCHRONIZE, 0);
    launch(1, 3);
    call(CUDA_STREAM_SYNCHRONIZE, 1);
    go(gpus[_i]);
    ck_assert_uint_ge(kernel("K1").blocks[0].end_ps - kernel("K1").blocks[0].start_ps, MS - 1000);
    ck_assert_uint_lt(kernel("K1").blocks[0].end_ps - kernel("K1").blocks[0].start_ps, MS + 1000);
    ck_assert_uint_ge(kernel("K3").called_ps, kernel("K1").completed_ps);
    for (uint32_t i = 0; i < 4; i++) {
        cuda_run_copy(&run, name, i, &of);
        ck_assert_uint_ge(of.completed_ps, of.ended_ps);
    }
    for (uint32_t i = 0; i < run.event_count; i++)
        ck_assert_uint_ne(run.events[i].kind, EVENT_UNMODELLED);
    cuda_run_end(&run);
}
END_TEST

Suite *cuda_stream_suite(void)
{
    Suite *suite = suite_create("cuda_stream");
    TCase *tcase = tcase_create("streams");

    tcase_add_test(tcase, a_wait_for_an_event_is_one_for_its_record);
    tcase_add_test(tcase, a_wait_for_an_event_that_was_not_recorded_is_none);
    tcase_add_test(tcase, non_blocking_streams_do_not_meet_the_null_stream);
    tcase_add_loop_test(tcase, copies_in_both_directions, 0, 2);
    tcase_add_loop_test(tcase, every_chip_runs_them, 0, 14);
    suite_add_tcase(suite, tcase);
    return suite;
}
