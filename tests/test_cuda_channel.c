/* SPDX-License-Identifier: MIT */
/*
 * Streams and channels (RULE_B_R2, RULE_B_C1, RULE_B_C2): Bakita and Anderson 2024, Fig. 5 and
 * s. VI-A, on the model of the GTX 1060.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/formats/nv_qmd.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)

static struct cuda_run run;

static void begin(const char *gpu, const char *file, uint64_t seed, const char *const *settings)
{
    const char *const files[] = {file, NULL};

    cuda_run_begin(&run, gpu, seed, files, settings);
}

/* Kernel n of the stream, both from 1. */
static void kernel(uint32_t stream, uint32_t n, struct cuda_run_operation *of)
{
    char name[16];

    (void)snprintf(name, sizeof name, "S%u K%u", stream, n);
    cuda_run_kernel(&run, name, 0, of);
}

static gfe_ps first_start(uint32_t stream)
{
    struct cuda_run_operation first;

    kernel(stream, 1, &first);
    return first.blocks[0].start_ps;
}

static uint32_t events_with(uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == kind && run.events[i].rule == rule;
    return count;
}

/* Fig. 5, top: the ninth stream waits until all of the first one's work has been dispatched. */
START_TEST(nine_streams_on_eight_channels)
{
    struct cuda_run_operation last, waiting;

    begin("gtx1060", "bakita2024-fig5", 0, NULL);
    for (uint32_t stream = 1; stream <= 8; stream++)
        ck_assert_uint_lt(first_start(stream), 10 * MS);
    kernel(1, 4, &last);
    kernel(9, 1, &waiting);
    ck_assert_uint_ge(waiting.submitted_ps, last.dispatched_ps);
    ck_assert_uint_lt(waiting.submitted_ps, last.blocks[0].end_ps);
    ck_assert_uint_lt(waiting.submitted_ps, last.dispatched_ps + MS);
    ck_assert_uint_gt(last.dispatched_ps, 300 * MS);
    ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_OPERATION, waiting.operation_id, RULE_B_R2),
                      cuda_run_waited(&run, SUBJECT_OPERATION, waiting.operation_id, RULE_NONE));
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, waiting.operation_id, RULE_B_R2),
                      290 * MS);
    ck_assert_uint_eq(events_with(EVENT_CUDA_CHANNEL, RULE_B_C2), 1);
    ck_assert_uint_ge(events_with(EVENT_CUDA_CHANNEL_FREE, RULE_B_C1), 9);
    cuda_run_golden(&run, "bakita2024_fig5.events");
    cuda_run_end(&run);
}
END_TEST

/* Fig. 5, bottom. */
START_TEST(nine_streams_on_nine_channels)
{
    const char *const settings[] = {"cuda.channels", "9", NULL};

    begin("gtx1060", "bakita2024-fig5", 0, settings);
    for (uint32_t stream = 1; stream <= 9; stream++)
        ck_assert_uint_lt(first_start(stream), 10 * MS);
    ck_assert_uint_eq(events_with(EVENT_WAIT, RULE_B_R2), 0);
    cuda_run_end(&run);
}
END_TEST

/* Ten on ten is enough, ten on nine is not. */
START_TEST(as_many_streams_as_channels_do_not_wait)
{
    const char *const settings[] = {"cuda.channels", _i == 0 ? "10" : "9", NULL};

    begin("gtx1060", "bakita2024-ten-streams", 0, settings);
    ck_assert_uint_eq(events_with(EVENT_WAIT, RULE_B_R2), (uint32_t)_i);
    cuda_run_end(&run);
}
END_TEST

/* Two streams wait: by chance either goes first, by choice the older or the newer one. */
START_TEST(waiting_streams_get_channels_in_no_order)
{
    const char *const fifo[] = {"cuda.channel_next", "fifo", NULL};
    const char *const newest[] = {"cuda.channel_next", "newest", NULL};
    uint32_t ninth_first = 0, tenth_first = 0;

    for (uint64_t seed = 0; seed < 16; seed++) {
        begin("gtx1060", "bakita2024-ten-streams", seed, NULL);
        ninth_first += first_start(9) < first_start(10);
        tenth_first += first_start(10) < first_start(9);
        ck_assert_uint_eq(events_with(EVENT_CUDA_CHANNEL, RULE_B_C2), 2);
        cuda_run_end(&run);
    }
    ck_assert_uint_gt(ninth_first, 2);
    ck_assert_uint_gt(tenth_first, 2);
    for (uint64_t seed = 0; seed < 4; seed++) {
        begin("gtx1060", "bakita2024-ten-streams", seed, fifo);
        ck_assert_uint_lt(first_start(9), first_start(10));
        cuda_run_end(&run);
        begin("gtx1060", "bakita2024-ten-streams", seed, newest);
        ck_assert_uint_lt(first_start(10), first_start(9));
        cuda_run_end(&run);
    }
}
END_TEST

/* Two streams on one channel; the first one's kernel has more blocks than fit. */
#define MULTI(name, threads, blocks, release)                                                      \
    "{\"filename\":\"multikernel.so\",\"label\":\"" name                                           \
    "\",\"thread_count\":0,\"block_count\":0,\"data_size\":0,\"release_time\":" release            \
    ",\"additional_info\":[{\"kernel_label\":\"" name                                              \
    "\",\"duration\":100000000,\"thread_count\":" threads ",\"block_count\":" blocks "}]}"
static const char large_first[] =
    "{\"name\":\"test\",\"max_iterations\":1,\"max_time\":0,\"cuda_device\":0,\"benchmarks\":"
    "[" MULTI("S1 K1", "1024", "30", "0") "," MULTI("S2 K1", "32", "1", "0.01") "]}";

/* 20 blocks fit on ten SMs at a time: the channel is free with the first block, or with the last,
 * never later. */
START_TEST(a_channel_is_free_when_the_last_kernel_is_dispatched)
{
    const char *const partly[] = {"cuda.channels", "1", "cuda.channel_free", "partly-dispatched",
                                  NULL};
    struct cuda_run_operation large, other;

    begin("gtx1060", large_first, 0, partly);
    kernel(1, 1, &large);
    kernel(2, 1, &other);
    ck_assert_uint_lt(other.submitted_ps, 11 * MS); /* as soon as it was launched */
    ck_assert_uint_ge(other.blocks[0].start_ps, large.dispatched_ps); /* T.X1 all the same */
    cuda_run_end(&run);
    begin("gtx1060", large_first, 0, (const char *const[]){"cuda.channels", "1", NULL});
    kernel(1, 1, &large);
    kernel(2, 1, &other);
    ck_assert_uint_ge(other.submitted_ps, large.dispatched_ps);
    ck_assert_uint_lt(other.submitted_ps, large.dispatched_ps + MS);
    ck_assert_uint_gt(large.dispatched_ps, 100 * MS);
    ck_assert_uint_lt(other.submitted_ps, large.completed_ps);
    cuda_run_end(&run);
}
END_TEST

/* Note 10: half of the channels of the Jetson boards are used. */
START_TEST(jetson_boards_use_fewer_channels)
{
    static const struct {
        const char *gpu;
        uint32_t used, made;
    } boards[] = {{"gtx1060", 8, 8}, {"xavier", 2, 4}, {"orin", 4, 8}};
    uint64_t seen = 0;
    uint32_t made = 0;

    begin(boards[_i].gpu, "bakita2024-ten-streams", 0, NULL);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_CUDA_CHANNEL)
            seen |= UINT64_C(1) << (event_cuda_channel_of(&run.events[i]).channel_id & 63);
    for (uint32_t i = 0; i < run.scenario->program.process_count; i++)
        made += run.simulation->cuda->processes[i].context.compute_count;
    ck_assert_int_eq(__builtin_popcountll(seen), (int)boards[_i].used);
    ck_assert_uint_eq(made, boards[_i].made);
    cuda_run_end(&run);
}
END_TEST

/* A process's channels are its own. */
START_TEST(processes_do_not_share_channels)
{
    const char *const files[] = {large_first, large_first, NULL};
    const char *const settings[] = {"cuda.channels", "2", NULL};

    cuda_run_begin(&run, "gtx1060", 0, files, settings);
    ck_assert_uint_eq(run.scenario->program.process_count, 2);
    ck_assert_uint_eq(events_with(EVENT_WAIT, RULE_B_R2), 0);
    ck_assert_uint_gt(events_with(EVENT_GRID_SUSPEND, RULE_T_P1), 10);
    cuda_run_end(&run);
}
END_TEST

/* Ten streams on four channels, deep: each has two kernels, called for stream by stream.  Measured
 * on an H100 with 8 and 32 channels (tests/hardware/data/h100, streams_deep): the first kernel of
 * the stream that shares a channel begins when the second one of the stream before it has. */
static void deep_text(char *text, size_t bytes, uint32_t streams)
{
    size_t at = (size_t)snprintf(
        text, bytes,
        "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[{\"name\":\"zero\",\"kind\":\"null\"}");

    for (uint32_t i = 1; i <= streams; i++)
        at += (size_t)snprintf(text + at, bytes - at,
                               ",{\"name\":\"s%u\",\"kind\":\"non-blocking\",\"priority\":%u}", i,
                               i % 3);
    at += (size_t)snprintf(text + at, bytes - at, "],\"tasks\":[{\"name\":\"t\",\"calls\":[");
    for (uint32_t i = 0; i < 2 * streams; i++)
        at += (size_t)snprintf(text + at, bytes - at,
                               "%s{\"launch\":{\"name\":\"S%u K%u\",\"blocks\":1,\"threads\":32,"
                               "\"spin\":0.002},\"stream\":\"s%u\"}",
                               i ? "," : "", i / 2 + 1, i % 2 + 1, i / 2 + 1);
    (void)snprintf(text + at, bytes - at, "]}]}]}");
}

/* Returns the priority with which the kernel was queued. */
static uint32_t queued_priority(const struct cuda_run_operation *of)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_GRID_COST &&
            event_grid_cost_of(&run.events[i]).grid_id == of->hardware_id)
            return (uint32_t)event_grid_cost_of(&run.events[i]).priority;
    return UINT32_MAX;
}

/* The descriptor has the priority: two streams of one channel have different ones.  The numbers are
 * those of an H100's recorded descriptors (tests/hardware/data/h100, capture_priorities,
 * capture_streams: QMD_GROUP_ID, bits 21:16, of the kernels on streams of priority 0 to -5). */
START_TEST(descriptors_carry_priorities_on_hopper)
{
    static const uint32_t recorded[] = {63, 37, 11, 10, 9, 8};
    const char *const settings[] = {"cuda.channels", "1", NULL};
    struct cuda_run_operation of;
    char text[4096];

    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(nv_qmd_group_of(i), recorded[i]);
        ck_assert_uint_eq(nv_qmd_level_of(recorded[i]), i);
    }
    ck_assert_uint_eq(nv_qmd_level_of(0), NV_QMD_NO_LEVEL);
    deep_text(text, sizeof text, 6);
    begin("h100", text, 0, settings);
    for (uint32_t i = 1; i <= 6; i++) {
        kernel(i, 2, &of);
        ck_assert_uint_eq(queued_priority(&of), i % 3);
    }
    for (uint32_t i = 0; i < run.event_count; i++)
        ck_assert_uint_ne(run.events[i].kind, EVENT_UNMODELLED);
    cuda_run_end(&run);
}
END_TEST

/* PROMISE (drivers): Where channels are static, streams take them in turns, whatever their
 * priority, and a stream waits for the calls that were made before in its channel. */
START_TEST(static_channels_are_taken_in_turns)
{
    static const uint32_t turns[] = {0, 1, 2, 3, 0, 1, 2}; /* the NULL stream's first */
    const char *const settings[] = {"cuda.channels", "4", NULL};
    const char *const elsewhere[] = {"cuda.channels", "4", "cuda.channel_next", "static", NULL};
    struct cuda_run_operation second, ninth;
    char text[4096];
    uint32_t first = UINT32_MAX, seen = 0;

    deep_text(text, sizeof text, 6);
    begin(_i == 0 ? "h100" : "gtx1060", text, 0, _i == 0 ? settings : elsewhere);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_CUDA_STREAM_CHANNEL) {
            const struct event_cuda_stream_channel got =
                event_cuda_stream_channel_of(&run.events[i]);

            first = seen == 0 ? (uint32_t)got.channel_id : first;
            ck_assert_uint_eq(run.events[i].rule, RULE_CUDA_CHANNEL_TURN);
            ck_assert_uint_eq(got.channel_id - first, turns[seen++]);
        }
    ck_assert_uint_eq(seen, 7);
    ck_assert_uint_eq(events_with(EVENT_WAIT, RULE_B_R2), 0);
    kernel(1, 2, &second);
    kernel(5, 1, &ninth);
    ck_assert_uint_ge(second.blocks[0].start_ps, 2 * MS);
    ck_assert_uint_ge(ninth.submitted_ps, second.submitted_ps);
    ck_assert_uint_ge(ninth.blocks[0].start_ps, second.blocks[0].start_ps);
    ck_assert_uint_lt(ninth.blocks[0].start_ps, second.blocks[0].start_ps + MS);
    if (_i == 0) /* the GPU's own queue holds it up */
        ck_assert_uint_lt(ninth.submitted_ps, MS);
    else
        ck_assert_uint_gt(
            cuda_run_waited(&run, SUBJECT_OPERATION, ninth.operation_id, RULE_CUDA_CHANNEL_ORDER),
            MS);
    kernel(4, 1, &second); /* alone in its channel */
    ck_assert_uint_lt(second.blocks[0].start_ps, MS);
    cuda_run_end(&run);
}
END_TEST

Suite *cuda_channel_suite(void)
{
    Suite *suite = suite_create("cuda_channel");
    TCase *tcase = tcase_create("channels");

    tcase_add_test(tcase, nine_streams_on_eight_channels);
    tcase_add_test(tcase, nine_streams_on_nine_channels);
    tcase_add_loop_test(tcase, as_many_streams_as_channels_do_not_wait, 0, 2);
    tcase_add_test(tcase, waiting_streams_get_channels_in_no_order);
    tcase_add_test(tcase, a_channel_is_free_when_the_last_kernel_is_dispatched);
    tcase_add_loop_test(tcase, jetson_boards_use_fewer_channels, 0, 3);
    tcase_add_test(tcase, processes_do_not_share_channels);
    tcase_add_test(tcase, descriptors_carry_priorities_on_hopper);
    tcase_add_loop_test(tcase, static_channels_are_taken_in_turns, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
