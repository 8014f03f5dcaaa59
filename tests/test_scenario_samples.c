/* SPDX-License-Identifier: MIT */
/*
 * The sample scenarios by the names of Bakita and Anderson's tools (RTAS 2024, s. V and VI): what
 * each has to show.  And waits without a block: grids that are empty, and operations of the NULL
 * stream that put nothing on an SM.
 */
/* PROMISE (sim): The samples of exec_logger and copy_monitor, N streams of M kernels, and
 * graphics uploads behave as their papers say. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda_run.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
#define MS (1000 * GFE_PS_PER_US)

static struct cuda_run run;

static void begin(const char *gpu, const char *file, const char *const *settings)
{
    const char *const files[] = {file, NULL};

    cuda_run_begin(&run, gpu, 0, files, settings);
}

static struct cuda_run_operation *operation(const char *name, uint32_t n, bool is_copy)
{
    struct cuda_run_operation *found = calloc(1, sizeof *found);

    ck_assert_ptr_nonnull(found);
    (is_copy ? cuda_run_copy : cuda_run_kernel)(&run, name, n, found);
    return found;
}

static uint32_t events(uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == kind && (rule == RULE_NONE || run.events[i].rule == rule);
    return count;
}

/* ---- intervals ------------------------------------------------------------------------------- */

enum { SPANS_MAX = 256 };
struct spans {
    gfe_ps from[SPANS_MAX], to[SPANS_MAX];
    uint32_t count;
};

static const uint32_t grid_kinds[] = {EVENT_GRID_START, EVENT_GRID_RESUME, EVENT_GRID_SUSPEND,
                                      EVENT_GRID_END};
static const uint32_t copy_kinds[] = {EVENT_COPY_START, EVENT_COPY_RESUME, EVENT_COPY_SUSPEND,
                                      EVENT_COPY_END};

/* When a grid or copy made progress: from its start or return to its suspension or end. */
static struct spans progress(uint64_t id, const uint32_t kinds[4])
{
    struct spans spans = {.count = 0};

    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event_first(event) != id)
            continue;
        if (event->kind == kinds[0] || event->kind == kinds[1]) {
            ck_assert_uint_lt(spans.count, SPANS_MAX);
            spans.from[spans.count] = event->time_ps;
        } else if (event->kind == kinds[2] || event->kind == kinds[3]) {
            spans.to[spans.count++] = event->time_ps;
        }
    }
    return spans;
}

/* The two make no progress at the same time. */
static void apart(const struct spans *a, const struct spans *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            ck_assert(a->to[i] <= b->from[j] || b->to[j] <= a->from[i]);
}

/* All but the first and the last last about so long; how many they are. */
static uint32_t slices(const struct spans *spans, gfe_ps about_ps, gfe_ps more_ps)
{
    for (uint32_t i = 1; i + 1 < spans->count; i++) {
        ck_assert_uint_ge(spans->to[i] - spans->from[i], about_ps);
        ck_assert_uint_le(spans->to[i] - spans->from[i], about_ps + more_ps);
    }
    return spans->count;
}

/* ---- exec_logger, copy_monitor --------------------------------------------------------------- */

/* Fig. 6: alone the first runs unbroken; then both in turns of 2.048 ms, never together.  As
 * clients of MPS side by side. */
START_TEST(exec_loggers_take_turns)
{
    const char *const mps[] = {"cuda.mps", "1", NULL};
    struct cuda_run_operation *first, *second;
    struct spans one, two;

    begin("gtx1060", "exec_logger", _i == 0 ? NULL : mps);
    first = operation("log 1", 0, false);
    second = operation("log 2", 0, false);
    one = progress(first->hardware_id, grid_kinds);
    two = progress(second->hardware_id, grid_kinds);
    if (_i == 0) {
        apart(&one, &two);
        ck_assert_uint_gt(one.to[0] - one.from[0], 39 * MS);
        ck_assert_uint_ge(slices(&one, 2048 * US, 2 * US), 20);
        ck_assert_uint_ge(slices(&two, 2048 * US, 2 * US), 19);
        ck_assert_uint_gt(second->completed_ps - second->called_ps, 78 * MS);
    } else {
        ck_assert_uint_eq(one.count, 1);
        ck_assert_uint_eq(two.count, 1);
        ck_assert_uint_lt(second->completed_ps - second->called_ps, 41 * MS);
    }
    free(first);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* Fig. 7: copies alone, in turns of 1.049 ms. */
START_TEST(copy_monitors_take_turns)
{
    struct cuda_run_operation *first, *second;
    struct spans one, two;

    begin("gtx1060", "copy_monitor", NULL);
    first = operation("monitor 1", 0, true);
    second = operation("monitor 2", 0, true);
    one = progress(first->hardware_id, copy_kinds);
    two = progress(second->hardware_id, copy_kinds);
    apart(&one, &two);
    ck_assert_uint_ge(slices(&one, 1048 * US, 3 * US), 10);
    ck_assert_uint_ge(slices(&two, 1048 * US, 3 * US), 10);
    free(first);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* Switches that take no time, so that what is left are the slices. */
static const char *const free_switches[] = {"nv.host.schedule_cycles",
                                            "0",
                                            "nv.host.ramfc_load_cycles",
                                            "0",
                                            "nv.gr.context_load_cycles",
                                            "0",
                                            "nv.gr.context_save_cycles",
                                            "0",
                                            "nv.gr.load_ps_per_kib",
                                            "0",
                                            "nv.gr.save_ps_per_kib",
                                            "0",
                                            "nv.ce.context_load_cycles",
                                            "0",
                                            "nv.ce.context_save_cycles",
                                            "0",
                                            "nv.ce.load_ps_per_kib",
                                            "0",
                                            "nv.ce.save_ps_per_kib",
                                            "0",
                                            NULL};

/* Bakita and Anderson 2024, s. V-C: with runlists of their own neither is broken; on a TX2 the copy
 * is, compute is not, although no other task copies (Fig. 9).  The paper's "1049 us for
 * copy-exclusive channels" and "1024 us for compute-associated channels" are (128 << 3) and
 * (250 << 2) units of 1,024 ns.  A copy stops at the next 64 KiB: 2.2 us here. */
START_TEST(a_copy_monitor_beside_an_exec_logger)
{
    struct cuda_run_operation *logger, *monitor;
    struct spans compute, copies;

    begin(_i == 0 ? "gtx1060" : "tx2", "exec_logger-copy_monitor", free_switches);
    logger = operation("log", 0, false);
    monitor = operation("monitor", 0, true);
    compute = progress(logger->hardware_id, grid_kinds);
    copies = progress(monitor->hardware_id, copy_kinds);
    ck_assert_uint_eq(compute.count, 1);
    ck_assert_uint_lt(compute.to[0] - compute.from[0], 60 * MS + MS / 10);
    if (_i == 0) {
        ck_assert_uint_eq(copies.count, 1);
    } else {
        ck_assert_uint_ge(slices(&copies, 1048576000 - 3 * US, 6 * US), 4);
        for (uint32_t i = 1; i < copies.count; i++) {
            ck_assert_uint_ge(copies.from[i] - copies.to[i - 1], 1024 * US - 3 * US);
            ck_assert_uint_le(copies.from[i] - copies.to[i - 1], 1024 * US + 3 * US);
        }
    }
    free(logger);
    free(monitor);
    cuda_run_end(&run);
}
END_TEST

/* ---- N streams x M kernels ------------------------------------------------------------------- */

enum { N = 12, M = 6 };

/* All are run, each stream's one after another; with 8 channels four streams wait until one has
 * been dispatched to its last kernel, with 12 none does, and all run at once. */
START_TEST(n_streams_of_m_kernels)
{
    const char *const enough[] = {"cuda.channels", "12", NULL};
    struct cuda_run_operation *kernel;
    gfe_ps latest_first = 0, earliest_last = GFE_PS_NEVER;
    uint32_t waited = 0;

    begin("gtx1060", "streams-12x6", _i == 0 ? NULL : enough);
    for (uint32_t stream = 1; stream <= N; stream++) {
        gfe_ps before = 0;
        char name[8];

        (void)snprintf(name, sizeof name, "S%u", stream);
        for (uint32_t n = 0; n < M; n++) {
            kernel = operation(name, n, false);
            ck_assert_uint_eq(kernel->block_count, 2);
            ck_assert_uint_ge(kernel->submitted_ps, before); /* T.G2 */
            before = kernel->completed_ps;
            waited += n == 0 &&
                      cuda_run_waited(&run, SUBJECT_OPERATION, kernel->operation_id, RULE_B_R2) > 0;
            if (n == 0 && kernel->blocks[0].start_ps > latest_first)
                latest_first = kernel->blocks[0].start_ps;
            if (n == M - 1 && kernel->blocks[0].start_ps < earliest_last)
                earliest_last = kernel->blocks[0].start_ps;
            free(kernel);
        }
    }
    ck_assert_uint_eq(events(EVENT_GRID_END, RULE_NONE), N * M);
    ck_assert_uint_eq(waited, _i == 0 ? N - 8 : 0);
    ck_assert_uint_eq(events(EVENT_CUDA_CHANNEL, RULE_B_C2), _i == 0 ? N - 8 : 0);
    if (_i == 0) /* B.C1: a channel is free when the last kernel has been dispatched */
        ck_assert_uint_ge(latest_first, earliest_last);
    else
        ck_assert_uint_lt(latest_first, 2 * MS);
    cuda_run_end(&run);
}
END_TEST

/* ---- graphics uploads ------------------------------------------------------------------------ */

/* Copies to the host during an upload of textures and between two: on Ada, where they share a PCE,
 * the former take about twice as long (B.R8); on a GTX 1080 Ti the same. */
START_TEST(graphics_uploads_slow_copies_that_share_their_pce)
{
    struct cuda_run_operation *copy, *frame;
    gfe_ps within = 0, between = 0;
    struct spans uploads[6];

    begin(_i == 0 ? "rtx6000ada" : "gtx1080ti", "graphics_uploads", NULL);
    for (uint32_t i = 0; i < 6; i++) {
        frame = operation("frame", i, true);
        uploads[i] = progress(frame->hardware_id, copy_kinds);
        ck_assert_uint_eq(uploads[i].count, 1);
        free(frame);
    }
    for (uint32_t i = 0; i < 80; i++) {
        bool inside = false, outside = true;
        gfe_ps took;

        copy = operation("reader", i, true);
        took = copy->ended_ps - copy->started_ps;
        for (uint32_t f = 0; f < 6; f++) {
            inside |= uploads[f].from[0] <= copy->started_ps && uploads[f].to[0] >= copy->ended_ps;
            outside &= uploads[f].to[0] <= copy->started_ps || uploads[f].from[0] >= copy->ended_ps;
        }
        if (inside && took > within)
            within = took;
        if (outside && took > between)
            between = took;
        free(copy);
    }
    ck_assert_uint_gt(within, 0);
    ck_assert_uint_gt(between, 0);
    ck_assert_uint_ge(10 * within, (_i == 0 ? 19 : 10) * between);
    ck_assert_uint_le(10 * within, (_i == 0 ? 21 : 11) * between);
    cuda_run_end(&run);
}
END_TEST

/* ---- waits without a block ------------------------------------------------------------------- */

#define OWN(streams, calls)                                                                        \
    "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[" streams                                    \
    "],\"tasks\":[{\"name\":\"t\",\"calls\":[" calls "]}]}]}"
#define THREE                                                                                      \
    "{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"n\",\"kind\":\"non-blocking\"},"                \
    "{\"name\":\"0\",\"kind\":\"null\"}"
#define LAUNCH(name, in, ms)                                                                       \
    "{\"stream\":\"" in "\",\"launch\":{\"name\":\"" name                                          \
    "\",\"blocks\":1,\"threads\":32,\"work\":0.00" ms "}}"

/* A wait for an event in the NULL stream has no block, and is an action of it all the same (CUDA
 * driver API, stream synchronization behavior): it waits for the blocking streams (T.N1) and they
 * for it (T.N2).  Here it waits for A, and then for N, of a stream that does not block; B, which
 * has nothing to do with either, waits for both. */
START_TEST(a_wait_in_the_null_stream_holds_up_blocking_streams)
{
    struct cuda_run_operation *a, *b, *n, *c;

    begin("gtx1060",
          OWN(THREE,
              LAUNCH("N", "n", "6") ",{\"stream\":\"n\",\"record\":\"e\"}," LAUNCH(
                  "A", "a",
                  "3") ",{\"stream\":\"0\",\"wait\":\"e\"}," LAUNCH("B", "b",
                                                                    "1") "," LAUNCH("C", "n", "1")),
          NULL);
    a = operation("A", 0, false);
    b = operation("B", 0, false);
    n = operation("N", 0, false);
    c = operation("C", 0, false);
    ck_assert_uint_gt(n->completed_ps, a->completed_ps);
    ck_assert_uint_ge(b->submitted_ps, n->completed_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, b->operation_id, RULE_T_N2), 5 * MS);
    ck_assert_uint_eq(events(EVENT_WAIT, RULE_T_N1), 1);       /* of the wait, for A */
    ck_assert_uint_eq(events(EVENT_WAIT, RULE_CUDA_EVENT), 1); /* of the wait, for N */
    ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_OPERATION, c->operation_id, RULE_T_N2), 0);
    free(a);
    free(b);
    free(n);
    free(c);
    cuda_run_end(&run);
}
END_TEST

/* The same of a record, and of waits inside each other: each of them is over as soon as what is in
 * front of it is, at the same time, without a block and without the GPU. */
START_TEST(waits_without_blocks_inside_each_other_end_together)
{
    struct cuda_run_operation *a, *b;
    gfe_ps first = 0, last = 0;

    begin("gtx1060",
          OWN(THREE,
              LAUNCH("A", "a", "3") ",{\"stream\":\"a\",\"record\":\"e\"},"
                                    "{\"stream\":\"n\",\"wait\":\"e\"},"
                                    "{\"stream\":\"n\",\"record\":\"f\"},"
                                    "{\"stream\":\"b\",\"wait\":\"f\"},"
                                    "{\"stream\":\"0\",\"record\":\"g\"},"
                                    "{\"stream\":\"0\",\"wait\":\"g\"}," LAUNCH("B", "b", "1")),
          NULL);
    a = operation("A", 0, false);
    b = operation("B", 0, false);
    ck_assert_uint_ge(b->submitted_ps, a->completed_ps);
    ck_assert_uint_lt(b->submitted_ps, a->completed_ps + 2 * US);
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind != EVENT_CUDA_COMPLETE ||
            event_cuda_complete_of(event).operation_id == a->operation_id ||
            event_cuda_complete_of(event).operation_id == b->operation_id)
            continue;
        first = first ? first : event->time_ps;
        last = event->time_ps;
    }
    ck_assert_uint_eq(first, a->completed_ps);
    ck_assert_uint_eq(last, first);
    ck_assert_uint_eq(events(EVENT_CUDA_COMPLETE, RULE_NONE), 8);
    ck_assert_uint_eq(events(EVENT_CUDA_SUBMIT, RULE_NONE), 2);
    ck_assert_uint_eq(events(EVENT_GRID_QUEUE, RULE_NONE), 2);
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* CUDA refuses an empty grid (cudaErrorInvalidConfiguration): so do both forms, with the place. */
/* PROMISE (sim): Empty grids are refused. */
START_TEST(empty_grids_are_refused)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {OWN("{\"name\":\"a\"}", "{\"launch\":{\"blocks\":0,\"threads\":32}}"),
         "s.json: processes[0].tasks[0].calls[0].launch.blocks: 0 is not a number of blocks"},
        {"{\"name\":\"n\",\"max_iterations\":1,\"max_time\":0,\"cuda_device\":0,\"benchmarks\":[{"
         "\"filename\":\"timer_spin.so\",\"thread_count\":32,\"block_count\":0,\"data_size\":0,"
         "\"additional_info\":1}]}",
         "s.json: benchmarks[0].block_count: 0 is not a number of blocks"},
        {"{\"name\":\"n\",\"max_iterations\":1,\"max_time\":0,\"cuda_device\":0,\"benchmarks\":[{"
         "\"filename\":\"multikernel.so\",\"thread_count\":0,\"block_count\":0,\"data_size\":0,"
         "\"additional_info\":[{\"kernel_label\":\"k\",\"duration\":1,\"thread_count\":1,\"block_count\":0}]}]}",
         "s.json: benchmarks[0].additional_info[0].block_count: 0 is not a number of blocks"}};
    const struct nv_chip model = {
        .sm = {.threads_per_block = 1024, .shared_bytes_per_block = 32768}};
    const struct scenario_options options = {.priority_levels = 2, .model = &model};
    struct gfe_error error = {0};

    ck_assert_ptr_null(
        scenario_parse(cases[_i].text, strlen(cases[_i].text), "s.json", &options, &error));
    ck_assert_str_eq(error.text, cases[_i].says);
}
END_TEST

/* One that reaches the GPU all the same, past the runtime's check, has no block to wait for: it is
 * over at once, and what is behind it goes on. */
START_TEST(an_empty_grid_is_over_at_once)
{
    struct cuda_stream streams[1] = {{.kind = CUDA_BLOCKING_STREAM}};
    struct cuda_call calls[3] = {{.kind = CUDA_LAUNCH, .kernel = 1},
                                 {.kind = CUDA_LAUNCH, .kernel = 0},
                                 {.kind = CUDA_LAUNCH, .kernel = 1}};
    char name[] = "by hand", empty_name[] = "empty", full_name[] = "full";
    struct cuda_kernel kernels[2] = {
        {.name = empty_name, .block_threads = 32, .time = CUDA_TIME_WORK, .amount = MS},
        {.name = full_name,
         .block_count = 1,
         .block_threads = 32,
         .time = CUDA_TIME_WORK,
         .amount = MS}};
    struct cuda_task task = {.name = name, .call_count = 3, .max_iterations = 1};
    struct scenario scenario = {.program = {.name = name,
                                            .process_count = 1,
                                            .stream_count = 1,
                                            .kernel_count = 2,
                                            .call_count = 3,
                                            .task_count = 1,
                                            .group_count = 1,
                                            .streams = streams,
                                            .kernels = kernels,
                                            .calls = calls,
                                            .tasks = &task}};
    struct cuda_run_operation *empty, *behind;

    cuda_run_begin_program(&run, "gtx1060", &scenario, NULL);
    empty = operation("empty", 0, false);
    behind = operation("full", 1, false);
    ck_assert_uint_eq(empty->block_count, 0);
    ck_assert_uint_eq(empty->ended_ps, empty->queued_ps);
    ck_assert_uint_lt(empty->completed_ps - empty->submitted_ps, 10 * US);
    ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_GRID, empty->hardware_id, RULE_NONE), 0);
    ck_assert_uint_lt(behind->submitted_ps - empty->completed_ps, 2 * US);
    ck_assert_uint_eq(events(EVENT_BLOCK_END, RULE_NONE), 2);
    free(empty);
    free(behind);
    cuda_run_end(&run);
}
END_TEST

Suite *scenario_samples_suite(void)
{
    Suite *suite = suite_create("scenario_samples");
    TCase *samples = tcase_create("samples"), *blocks = tcase_create("without blocks");

    tcase_add_loop_test(samples, exec_loggers_take_turns, 0, 2);
    tcase_add_test(samples, copy_monitors_take_turns);
    tcase_add_loop_test(samples, a_copy_monitor_beside_an_exec_logger, 0, 2);
    tcase_add_loop_test(samples, n_streams_of_m_kernels, 0, 2);
    tcase_add_loop_test(samples, graphics_uploads_slow_copies_that_share_their_pce, 0, 2);
    suite_add_tcase(suite, samples);
    tcase_add_test(blocks, a_wait_in_the_null_stream_holds_up_blocking_streams);
    tcase_add_test(blocks, waits_without_blocks_inside_each_other_end_together);
    tcase_add_loop_test(blocks, empty_grids_are_refused, 0, 3);
    tcase_add_test(blocks, an_empty_grid_is_over_at_once);
    suite_add_tcase(suite, blocks);
    return suite;
}
