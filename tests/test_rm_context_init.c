/* SPDX-License-Identifier: MIT */
/*
 * Fig. 6 of Bakita and Anderson (RTAS 2024) with CUDA contexts made by the resource-manager model,
 * which writes registers and memory: one computes, another is made, then both compute.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/show_events.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"
#include "tests/check_machine.h"
#include "tests/figure_build.h"
#include "tests/golden_text.h"
#include "tests/simulation_calls.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "emu/sim/bare_gpu.h"
#include "traces/import/import_bus.h"

#define US GFE_PS_PER_US
#define MS (1000 * GFE_PS_PER_US)

/* Where things are in a context's heap. */
enum { PUSH = 0x1000, QMD = 0x2000 };

static const struct rm_context_options whole = {.compute_count = RM_CONTEXT_COMPUTE,
                                                .copy_count = RM_CONTEXT_COPY};

static struct replay_input *input;
static struct simulation *simulation;
static struct log_event *events;
static uint32_t event_count;
static struct rm_cuda_context contexts[2];

static struct machine *machine(void)
{
    return simulation->machine;
}

/* A GPU and the model; kernels take FIGURE_WARP_CYCLES for each warp of a block. */
static void begin(const char *gpu, const char *init_ps, const char *pieces)
{
    const struct simulation_setting parameters[] = {
        {"core.block_base_cycles", "0"},
        {"core.block_warp_cycles", FIGURE_WARP_CYCLES},
        {"rm.context_init_ps", init_ps},
        {"rm.context_init_pieces", pieces},
    };
    const struct simulation_setting choice = {"rm.recovery", "on"};
    const struct simulation_options options = {
        .parameters = parameters, .parameter_count = 4, .choices = &choice, .choice_count = 1};
    struct memory_file trace = memory_file_new("", 0);
    struct gfe_error error = {0};
    char text[100];
    FILE *file;

    snprintf(text, sizeof text, "gfe-bus 1\ngpu %s\n", gpu);
    file = fmemopen(text, strlen(text), "r");
    ck_assert_msg(import_bus(file, "text", trace.fd, "trace", &bare_gpu_chips, &error), "%s",
                  error.text);
    fclose(file);
    input = replay_load(trace.path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    memory_file_free(&trace);
    simulation = simulation_new(input, &options, &error);
    ck_assert_msg(simulation != NULL, "%s", error.text);
    events = NULL;
}

static void end(void)
{
    simulation_free(simulation);
    replay_input_free(input);
    free(events);
}

/* Time goes on to then, also where nothing happens. */
static void run_until(gfe_ps until_ps)
{
    struct gfe_error error = {0};

    ck_assert_msg(simulation_run(simulation, until_ps, &error), "%s", error.text);
    if (until_ps != GFE_PS_NEVER)
        machine()->queue.state->now_ps = until_ps;
    free(events);
    events = check_machine_decode(machine(), &event_count);
}

static void make(uint32_t which, bool initialise)
{
    ck_assert_msg(rm_cuda_context_build_with(simulation->rm, &contexts[which], &whole), "%s",
                  machine()->error.text);
    if (initialise)
        ck_assert_msg(rm_cuda_context_init(simulation->rm, &contexts[which]), "%s",
                      machine()->error.text);
}

static void poke(uint64_t address, uint32_t value)
{
    ck_assert(machine_write(machine(), MEMORY_VRAM, address, &value, sizeof value));
}

/* A kernel of a block for each SM, in the context's first channel: descriptor V02_01. */
static void launch(uint32_t which, uint32_t warps)
{
    const struct rm_cuda_context *context = &contexts[which];
    const uint64_t qmd = context->heap_physical + QMD, push = context->heap_va + PUSH;
    const struct nv_chip *model = simulation->model;
    const uint32_t dwords[] = {PB_INC(1, 0, 1), model->class_compute, PB_INC(1, 0x2b4, 1),
                               (uint32_t)((context->heap_va + QMD) >> 8), PB_IMMD(1, 0x2bc, 3)};

    poke(qmd + 4 * 12, model->sm_count);
    poke(qmd + 4 * 13, 1);
    poke(qmd + 4 * 14, 1);
    poke(qmd + 4 * 18, 32 * warps << 16);
    poke(qmd + 4 * 19, 1 | 1u << 16);
    poke(qmd + 4 * 30, 8u << 24);
    for (uint32_t i = 0; i < 5; i++)
        poke(context->heap_physical + PUSH + 4 * i, dwords[i]);
    poke(context->channels[0].ring_physical, (uint32_t)push);
    poke(context->channels[0].ring_physical + 4, (uint32_t)(push >> 32) | 5u << 10);
    rm_channel_kick(simulation->rm, context->channels[0].channel, 1);
}

static uint32_t count(uint32_t kind, gfe_ps from_ps, gfe_ps to_ps)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < event_count; i++)
        n += events[i].kind == kind && events[i].time_ps >= from_ps && events[i].time_ps < to_ps;
    return n;
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == kind && n-- == 0)
            return &events[i];
    ck_abort_msg("there is no such event");
}

/* Context 1 computes from 1 ms on, context 2 is made at 10 ms and computes from 120 ms on. */
static void scene_run(const char *init_ps, const char *pieces, bool initialise)
{
    begin("gtx1060-3gb", init_ps, pieces);
    run_until(MS / 2);
    make(0, false);
    run_until(MS);
    launch(0, 32);
    run_until(10 * MS);
    make(1, initialise);
    run_until(120 * MS);
    launch(1, 8);
    run_until(GFE_PS_NEVER);
}

/* The log of that time as text. */
static char *lines(gfe_ps from_ps, gfe_ps to_ps, size_t *bytes)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", &error);
    struct event_log_reader *log;
    char *text = NULL;
    FILE *to = open_memstream(&text, bytes);

    ck_assert(simulation_log_write(simulation, "-", writer, &error));
    chunk_writer_free(writer);
    log = event_log_open(file.path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    ck_assert(show_events(to, log, from_ps, to_ps, &error));
    fclose(to);
    event_log_close(log);
    memory_file_free(&file);
    return text;
}

/* ---- B.D1 ------------------------------------------------------------------------------------ */

/* B.D1: a context that is made interrupts who computes, several times in about 100 ms; then both
 * have slices of 2 ms (B.T3). */
/* PROMISE (drivers): Rule B.D1: making a context interrupts compute of other tasks for 100 ms. */
START_TEST(b_d1_making_a_context_interrupts_compute_for_100_ms)
{
    size_t bytes;
    char *text;
    uint32_t own = 0;

    scene_run("100000000000", "8", true);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 0, 10 * MS), 0);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 10 * MS, 110 * MS), 8);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 110 * MS, 120 * MS), 0);
    ck_assert_uint_eq(count(EVENT_RM_CONTEXT_INIT, 0, GFE_PS_NEVER), 8);
    for (uint32_t i = 0; i < 8; i++) {
        const struct log_event *init = event(EVENT_RM_CONTEXT_INIT, i);
        const gfe_ps off_ps = event(EVENT_GRID_SUSPEND, i)->time_ps;

        ck_assert_uint_eq(init->rule, RULE_B_D1);
        ck_assert_uint_eq(init->time_ps, 10 * MS + i * 12500 * US);
        ck_assert_uint_eq(event_rm_context_init_of(init).piece, i);
        /* At the end of a slice, and back soon. */
        ck_assert(off_ps >= init->time_ps && off_ps <= init->time_ps + 2049 * US);
        ck_assert_uint_le(event(EVENT_GRID_RESUME, i)->time_ps, off_ps + 500 * US);
    }
    ck_assert_uint_eq(event(EVENT_RM_CONTEXT_READY, 0)->time_ps, 110 * MS);
    ck_assert_uint_eq(event_rm_context_ready_of(event(EVENT_RM_CONTEXT_READY, 0)).took_ps,
                      100 * MS);
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_NV_TSG_END && events[i].rule == RULE_B_T1 &&
            events[i].time_ps > 123 * MS && events[i].time_ps < 190 * MS) {
            ck_assert_uint_eq(event_nv_tsg_end_of(&events[i]).counted_ps, 2048 * US);
            own++;
        }
    ck_assert_uint_ge(own, 30);
    text = lines(9 * MS, 126 * MS, &bytes);
    golden_text_check("fig6_contexts.events", text, bytes);
    free(text);
    end();
}
END_TEST

/* How often and how long are parameters; without it making the channels interrupts nobody. */
START_TEST(b_d1_how_often_and_how_long_are_parameters)
{
    static const struct {
        const char *init_ps, *pieces;
        bool initialise;
        uint32_t interruptions;
        gfe_ps last_ps; /* of its pieces, from its begin */
    } rows[] = {{"100000000000", "8", false, 0, 0},
                {"50000000000", "5", true, 5, 40 * MS},
                {"50000000000", "0", true, 0, 0}};

    scene_run(rows[_i].init_ps, rows[_i].pieces, rows[_i].initialise);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 0, 120 * MS), rows[_i].interruptions);
    ck_assert_uint_eq(count(EVENT_RM_CONTEXT_INIT, 0, GFE_PS_NEVER), rows[_i].interruptions);
    if (rows[_i].interruptions > 0)
        ck_assert_uint_eq(event(EVENT_RM_CONTEXT_INIT, rows[_i].interruptions - 1)->time_ps,
                          10 * MS + rows[_i].last_ps);
    ck_assert_uint_eq(count(EVENT_RM_CONTEXT_READY, 60 * MS, 60 * MS + 1), rows[_i].initialise);
    end();
}
END_TEST

static const char *const gpus[] = {"gtx1060", "titanv", "rtx2080ti", "a100", "h100"};

/* The pieces run in each generation's own methods: the last leaves its number. */
START_TEST(every_generation_initialises_a_context)
{
    uint32_t value = 0;

    begin(gpus[_i], "1000000000", "3");
    run_until(MS);
    make(0, true);
    run_until(GFE_PS_NEVER);
    ck_assert(
        machine_read(machine(), MEMORY_VRAM, contexts[0].init_physical, &value, sizeof value));
    ck_assert_uint_eq(value, 3);
    ck_assert_uint_eq(count(EVENT_NV_RELEASE, 0, GFE_PS_NEVER), 3);
    end();
}
END_TEST

START_TEST(more_pieces_than_fit_are_refused)
{
    begin("gtx1060", "1000000000", "65");
    run_until(MS);
    ck_assert(rm_cuda_context_build_with(simulation->rm, &contexts[0], &whole));
    ck_assert(!rm_cuda_context_init(simulation->rm, &contexts[0]));
    ck_assert(machine_failed(machine()));
    ck_assert_ptr_nonnull(strstr(machine()->error.text, "rm.context_init_pieces"));
    end();
}
END_TEST

/* Those that are ready make room. */
START_TEST(more_contexts_at_a_time_are_refused)
{
    begin("gtx1060", "1000000000", "0");
    run_until(MS);
    make(0, true);
    run_until(3 * MS);
    for (uint32_t i = 0; i < RM_CONTEXT_INITS_MAX; i++)
        ck_assert(rm_cuda_context_init(simulation->rm, &contexts[0]));
    ck_assert(!rm_cuda_context_init(simulation->rm, &contexts[0]));
    ck_assert_ptr_nonnull(strstr(machine()->error.text, "too many"));
    end();
}
END_TEST

Suite *rm_context_init_suite(void)
{
    Suite *suite = suite_create("rm_context_init");
    TCase *tcase = tcase_create("contexts");

    tcase_add_test(tcase, b_d1_making_a_context_interrupts_compute_for_100_ms);
    tcase_add_loop_test(tcase, b_d1_how_often_and_how_long_are_parameters, 0, 3);
    tcase_add_loop_test(tcase, every_generation_initialises_a_context, 0,
                        sizeof gpus / sizeof gpus[0]);
    tcase_add_test(tcase, more_pieces_than_fit_are_refused);
    tcase_add_test(tcase, more_contexts_at_a_time_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
