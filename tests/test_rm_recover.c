/* SPDX-License-Identifier: MIT */
/*
 * Recovery by the resource-manager model: a recording of registers with a channel in error, run
 * with choice rm.recovery: the documented sequence step by step, the line of each Xid, and the
 * others' work, which goes on.
 */
/* PROMISE (drivers): The lines of Xid 31, 32, 45, 80 and 109 are NVIDIA's. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inspection.h"
#include "devices/nvidia/nv_events.h"
#include "emu/log/event_line.h"
#include "emu/analysis/summary/summary.h"
#include "firmware-models/rm/rm_tables.h"
#include "tests/bus_build.h"
#include "tests/check_long.h"
#include "tests/check_machine.h"
#include "tests/simulation_calls.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"

static const char *const gpus[] = {"gtx1060", "a100", "rtx2080ti", "titanv", "h100"};
enum { TWO_GPUS = 2, GPUS = sizeof gpus / sizeof gpus[0] };

/* TSG 8 with channels 1 (guilty) and 2, TSG 9 with channel 3, all on runlist 0. */
struct scene {
    struct bus_build build;
    uint64_t data; /* physical; seen at BUS_VA + data */
    struct bus_channel channels[4];
    struct simulation *simulation;
    struct replay_input *input;
    struct log_event *events;
    uint32_t event_count;
};

static void scene_begin(struct scene *scene, const char *gpu)
{
    uint64_t root;

    *scene = (struct scene){0};
    bus_build_begin(&scene->build, gpu);
    root = bus_build_space(&scene->build);
    scene->data = bus_build_alloc(&scene->build, 4096);
    for (uint32_t i = 1; i <= 3; i++)
        scene->channels[i] = bus_build_channel(&scene->build, 0, i, root);
    const struct bus_tsg tsgs[] = {
        {.id = 8,
         .timeout = 128,
         .scale = 3,
         .channels = {&scene->channels[1], &scene->channels[2]},
         .count = 2},
        {.id = 9, .timeout = 128, .scale = 3, .channels = {&scene->channels[3]}, .count = 1},
    };
    bus_build_runlist(&scene->build, 0, tsgs, 2);
}

/* Host's semaphore release; the value is the channel's number. */
static void release(struct scene *scene, uint32_t channel, uint64_t va)
{
    struct bus_channel *to = &scene->channels[channel];

    if (!scene->build.has_doorbell)
        BUS_PUSH(&scene->build, to, PB_INC(0, 0x10, 4), (uint32_t)(va >> 32), (uint32_t)va, channel,
                 2 | 1u << 20 | 1u << 24);
    else
        BUS_PUSH(&scene->build, to, PB_INC(0, 0x5c, 5), (uint32_t)va, (uint32_t)(va >> 32), channel,
                 0, 1);
}

/* A GP entry as it is, and the store of GP_PUT. */
static void raw_entry(struct scene *scene, uint32_t channel, uint32_t entry0, uint32_t entry1)
{
    struct bus_channel *to = &scene->channels[channel];
    const uint32_t entry[] = {entry0, entry1};

    bus_build_words(&scene->build, to->ring + 8 * (uint64_t)to->put, entry, 2);
    to->put++;
    bus_build_line(&scene->build, "bar1 0x%x = %u", 0x100000 + 512 * to->chid + 0x8c, to->put);
}

/* With a choice more, unless its name is NULL. */
static void scene_run_with(struct scene *scene, const char *recovery,
                           struct simulation_setting choice)
{
    /* Every GPU switches as fast as a GTX 1060, so that the times below fit all of them. */
    static const struct simulation_setting costs[] = {{"nv.gr.context_save_cycles", "0"},
                                                      {"nv.gr.context_load_cycles", "20000"}};
    const struct simulation_setting choices[] = {{"rm.recovery", recovery}, choice};
    const struct simulation_options options = {.choices = choices,
                                               .choice_count = choice.id ? 2 : 1,
                                               .parameters = costs,
                                               .parameter_count = 2};
    struct gfe_error error = {0};

    bus_build_at(&scene->build, "5ms"); /* others come later */
    release(scene, 3, BUS_VA + scene->data + 48);
    bus_build_kick(&scene->build, &scene->channels[3]);
    scene->input = bus_build_end(&scene->build);
    scene->simulation = simulation_new(scene->input, &options, &error);
    ck_assert_msg(scene->simulation != NULL, "%s", error.text);
    ck_assert_msg(simulation_run(scene->simulation, GFE_PS_NEVER, &error), "%s", error.text);
    scene->events = check_machine_decode(scene->simulation->machine, &scene->event_count);
}

static void scene_run(struct scene *scene, const char *recovery)
{
    scene_run_with(scene, recovery, (struct simulation_setting){0});
}

static void scene_end(struct scene *scene)
{
    simulation_free(scene->simulation);
    replay_input_free(scene->input);
    free(scene->events);
}

static uint32_t data_word(struct scene *scene, uint32_t offset)
{
    uint32_t value = 0;

    ck_assert(machine_read(scene->simulation->machine, MEMORY_VRAM, scene->data + offset, &value,
                           sizeof value));
    return value;
}

static uint32_t count_of(const struct scene *scene, uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scene->event_count; i++)
        count += scene->events[i].kind == kind;
    return count;
}

/* The events of the model follow each other so; UINT64_MAX: any value. */
struct step {
    uint32_t kind;
    uint64_t argument[4];
};
#define ANY UINT64_MAX

static void expect_steps(const struct scene *scene, const struct step *steps, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < scene->event_count; i++) {
        const struct log_event *event = &scene->events[i];

        if (event->kind < EVENT_RM_CHANNEL || event->kind > EVENT_RM_RC_END)
            continue;
        ck_assert_msg(n < count, "a step more: event %u", event->kind);
        ck_assert_msg(event->kind == steps[n].kind, "step %u is event %u, not %u", n, event->kind,
                      steps[n].kind);
        if (event->kind != EVENT_RM_RUNLIST)
            ck_assert_uint_eq(event->rule, RULE_RM_RC);
        for (uint32_t k = 0; k < 4; k++)
            ck_assert_msg(steps[n].argument[k] == ANY || event->argument[k] == steps[n].argument[k],
                          "step %u, argument %u is %llu", n, k,
                          (unsigned long long)event->argument[k]);
        n++;
    }
    ck_assert_uint_eq(n, count);
}

/* The lines of the log, each behind a line feed, and the summary; both freed by the caller. */
static char *lines_of(struct scene *scene, char **summary)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", &error);
    const struct summary_notes notes = {0};
    struct event_log_reader *log;
    struct log_event event;
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);

    ck_assert(simulation_log_write(scene->simulation, "-", writer, &error));
    chunk_writer_free(writer);
    log = event_log_open(file.path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT) {
        char line[EVENT_LINE_BYTES];

        if (event_line(gfe_event_lines, log, &event, line, sizeof line))
            fprintf(to, "\n%s", line);
    }
    fclose(to);
    event_log_close(log);
    log = event_log_open(file.path, &error);
    to = open_memstream(summary, &bytes);
    ck_assert(summary_print(to, log, &notes, false, &error));
    fclose(to);
    event_log_close(log);
    memory_file_free(&file);
    return text;
}

static void expect_line(struct scene *scene, const char *line)
{
    char *summary = NULL, *lines = lines_of(scene, &summary);

    ck_assert_msg(strstr(lines, line) != NULL, "no line '%s' in:%s", line, lines);
    ck_assert_msg(strstr(summary, line) != NULL, "no line '%s' in:\n%s", line, summary);
    ck_assert_msg(strstr(summary, "kernel log\n") != NULL, "no heading in:\n%s", summary);
    free(lines);
    free(summary);
}

#define XID(number) "NVRM: Xid (PCI:0000:01:00): " number ", pid='<unknown>', name=<unknown>, "

/* ---- the sequence ---------------------------------------------------------------------------- */

/* Channel 1 sends a method that Host does not have (0x20 of subchannel 0 is free on all of these:
 * it is the second dword that names it, METHOD bit 21). */
static void guilty_method_at(struct scene *scene, const char *time)
{
    bus_build_at(&scene->build, time);
    BUS_PUSH(&scene->build, &scene->channels[1], PB_INC(0, 0xe0, 1), 0x1234);
    release(scene, 1, BUS_VA + scene->data + 16);
    bus_build_kick(&scene->build, &scene->channels[1]);
}

static void guilty_method(struct scene *scene)
{
    guilty_method_at(scene, "1ms");
}

/* PROMISE (drivers): The resource manager tears a broken channel down step by step as
 * documented. */
START_TEST(the_documented_sequence_step_by_step)
{
    const uint64_t bits = 1u << 21;
    const struct step steps[] = {
        {EVENT_RM_XID_PBDMA, {1, bits, ANY, ANY}},     {EVENT_RM_RC_BEGIN, {0, 8, 1, 32}},
        {EVENT_RM_RC_SCHED_DISABLE, {0, 8, ANY, ANY}}, {EVENT_RM_RC_DISABLE, {0, 8, 1, ANY}},
        {EVENT_RM_RC_DISABLE, {0, 8, 2, ANY}},         {EVENT_RM_RC_PREEMPT, {0, 8, ANY, ANY}},
        {EVENT_RM_RC_CLEAR, {ANY, bits, 0, ANY}},      {EVENT_RM_RC_OFF, {0, 8, ANY, ANY}},
        {EVENT_RM_RC_CLEAR_FAULTED, {0, 8, 1, ANY}},   {EVENT_RM_RC_CLEAR_FAULTED, {0, 8, 2, ANY}},
        {EVENT_RM_RC_NOTIFIER, {1, 32, 0, ANY}},       {EVENT_RM_XID_REMOVAL, {2, 32, ANY, ANY}},
        {EVENT_RM_RC_NOTIFIER, {2, 45, 0, ANY}},       {EVENT_RM_RC_REMOVE, {0, 8, ANY, ANY}},
        {EVENT_RM_RUNLIST, {0, ANY, 2, ANY}},          {EVENT_RM_RC_END, {0, 8, ANY, ANY}},
    };
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    guilty_method(&scene);
    scene_run(&scene, "on");
    expect_steps(&scene, steps, sizeof steps / sizeof steps[0]);
    ck_assert_uint_eq(data_word(&scene, 16), 0); /* its work is over */
    ck_assert_uint_eq(data_word(&scene, 48), 3); /* that of others is not */
    expect_line(&scene, XID("32") "Channel ID 00000001 intr 00200000");
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 32");
    scene_end(&scene);
}
END_TEST

START_TEST(afterwards_the_runlist_has_the_other_tsg_alone)
{
    struct scene scene;
    struct gfe_error error = {0};
    struct inspect_subject subject = {.error = &error};
    json_t *view;

    scene_begin(&scene, gpus[_i]);
    guilty_method(&scene);
    scene_run(&scene, "on");
    subject.machine = scene.simulation->machine;
    subject.model = scene.simulation->model;
    view = inspection_view_find("tsgs", &subject.number)->build(&subject);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "rows")), 1);
    ck_assert_int_eq(json_integer_value(
                         json_object_get(json_array_get(json_object_get(view, "rows"), 0), "tsg")),
                     9);
    json_decref(view);
    scene_end(&scene);
}
END_TEST

START_TEST(without_the_choice_nobody_recovers)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    guilty_method(&scene);
    scene_run(&scene, "off");
    expect_steps(&scene, NULL, 0);
    ck_assert_ptr_null(scene.simulation->rm);
    scene_end(&scene);
}
END_TEST

/* A channel of Pascal's outside TSGs is torn down alone. */
START_TEST(a_channel_outside_tsgs_is_torn_down_alone)
{
    const struct step steps[] = {
        {EVENT_RM_XID_PBDMA, {1, 1u << 21, ANY, ANY}},
        {EVENT_RM_RC_BEGIN, {0, UINT32_MAX, 1, 32}},
        {EVENT_RM_RC_SCHED_DISABLE, {0, UINT32_MAX, ANY, ANY}},
        {EVENT_RM_RC_DISABLE, {0, UINT32_MAX, 1, ANY}},
        {EVENT_RM_RC_PREEMPT, {0, UINT32_MAX, ANY, ANY}},
        {EVENT_RM_RC_CLEAR, {ANY, 1u << 21, 0, ANY}},
        {EVENT_RM_RC_OFF, {0, UINT32_MAX, ANY, ANY}},
        {EVENT_RM_RC_CLEAR_FAULTED, {0, UINT32_MAX, 1, ANY}},
        {EVENT_RM_RC_NOTIFIER, {1, 32, 0, ANY}},
        {EVENT_RM_RC_REMOVE, {0, UINT32_MAX, ANY, ANY}},
        {EVENT_RM_RUNLIST, {0, ANY, 2, ANY}},
        {EVENT_RM_RC_END, {0, UINT32_MAX, ANY, ANY}},
    };
    struct scene scene;

    scene_begin(&scene, "gtx1060");
    const uint32_t words[] = {1, (uint32_t)(scene.channels[1].instance >> 12),
                              2, (uint32_t)(scene.channels[2].instance >> 12),
                              3, (uint32_t)(scene.channels[3].instance >> 12)};
    bus_build_runlist_raw(&scene.build, 0, words, 3);
    guilty_method(&scene);
    scene_run(&scene, "on");
    expect_steps(&scene, steps, sizeof steps / sizeof steps[0]);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* ---- an engine that does not let go ---------------------------------------------------------- */

/* A copy of 4 KiB within the data; `launch` has the interrupt of LAUNCH_DMA. */
static void copy(struct scene *scene, uint32_t channel, uint32_t launch)
{
    const uint64_t va = BUS_VA + scene->data;

    BUS_PUSH(&scene->build, &scene->channels[channel], PB_INC(4, 0x400, 8), (uint32_t)(va >> 32),
             (uint32_t)va + 48, (uint32_t)(va >> 32), (uint32_t)va + 64 + 4 * channel, 0, 0, 4, 1,
             PB_INC(4, 0x300, 1), 0x182 | launch);
}

/* Channel 1's copy raises a blocking interrupt, which nobody answers: its engine keeps the context,
 * and another copy waits.  Then the channel errs.  Channel 3 needs the same engine. */
START_TEST(an_engine_that_does_not_let_go_is_reset)
{
    const uint64_t bits = 1u << 21;
    const struct step steps[] = {
        {EVENT_RM_XID_PBDMA, {1, bits, ANY, ANY}},     {EVENT_RM_RC_BEGIN, {0, 8, 1, 32}},
        {EVENT_RM_RC_SCHED_DISABLE, {0, 8, ANY, ANY}}, {EVENT_RM_RC_DISABLE, {0, 8, 1, ANY}},
        {EVENT_RM_RC_DISABLE, {0, 8, 2, ANY}},         {EVENT_RM_RC_PREEMPT, {0, 8, ANY, ANY}},
        {EVENT_RM_RC_CLEAR, {ANY, bits, 0, ANY}},      {EVENT_RM_RC_RESET, {0, 8, 1, ANY}},
        {EVENT_RM_RC_OFF, {0, 8, ANY, ANY}},           {EVENT_RM_RC_CLEAR_FAULTED, {0, 8, 1, ANY}},
        {EVENT_RM_RC_CLEAR_FAULTED, {0, 8, 2, ANY}},   {EVENT_RM_RC_NOTIFIER, {1, 32, 0, ANY}},
        {EVENT_RM_XID_REMOVAL, {2, 32, ANY, ANY}},     {EVENT_RM_RC_NOTIFIER, {2, 45, 0, ANY}},
        {EVENT_RM_RC_REMOVE, {0, 8, ANY, ANY}},        {EVENT_RM_RUNLIST, {0, ANY, 2, ANY}},
        {EVENT_RM_RC_END, {0, 8, ANY, ANY}},
    };
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    copy(&scene, 1, 1 << 5);
    copy(&scene, 1, 0);
    bus_build_kick(&scene.build, &scene.channels[1]);
    guilty_method_at(&scene, "2ms"); /* the first copy is over */
    bus_build_at(&scene.build, "4ms");
    copy(&scene, 3, 0);
    scene_run(&scene, "on");
    expect_steps(&scene, steps, sizeof steps / sizeof steps[0]);
    ck_assert_uint_eq(count_of(&scene, EVENT_NV_ENGINE_RESET), 2); /* off and on */
    ck_assert_uint_eq(count_of(&scene, EVENT_COPY_DROP), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_COPY_END), 2);
    ck_assert_uint_eq(data_word(&scene, 48), 3); /* others go on */
    scene_end(&scene);
}
END_TEST

/* Two GPUs with sanitizers: where nothing is reset, the other TSG takes turns for long. */
static int choice_gpus(void)
{
    return (int)check_long_or(GPUS, GPUS, TWO_GPUS);
}

/* The same, with what rm.reset_scope says.  none: the engine keeps the context for ever, and
 * channel 3, which needs it, does not go on. */
/* PROMISE (drivers): What a recovery resets (the engine, nothing, all engines) is a choice. */
START_TEST(what_is_reset_is_a_choice)
{
    static const char *const scopes[] = {"engine", "none", "gpu"};
    const char *scope = scopes[_i / choice_gpus()];
    const bool none = strcmp(scope, "none") == 0, gpu = strcmp(scope, "gpu") == 0;
    struct scene scene;
    uint32_t resets;

    scene_begin(&scene, gpus[_i % choice_gpus()]);
    bus_build_at(&scene.build, "1ms");
    copy(&scene, 1, 1 << 5);
    copy(&scene, 1, 0);
    bus_build_kick(&scene.build, &scene.channels[1]);
    guilty_method_at(&scene, "2ms"); /* the first copy is over */
    bus_build_at(&scene.build, "4ms");
    copy(&scene, 3, 0);
    scene_run_with(&scene, "on", (struct simulation_setting){"rm.reset_scope", scope});
    resets = count_of(&scene, EVENT_RM_RC_RESET);
    ck_assert_msg(none ? resets == 0 : gpu ? resets > 4 : resets == 1, "%u", resets);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), gpu ? 2 : 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_REMOVE), gpu ? 2 : 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_COPY_END), none ? 1 : gpu ? 1 : 2);
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 32");
    if (gpu) /* channel 3 has done nothing */
        expect_line(&scene, XID("45") "Ch 00000003 caused by previous Xid 32");
    else
        ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_REMOVAL), 1);
    ck_assert_uint_eq(data_word(&scene, 48), strcmp(scope, "engine") == 0 ? 3 : 0);
    scene_end(&scene);
}
END_TEST

/* ---- Xids ------------------------------------------------------------------------------------ */

/* A release to an address that is not mapped. */
START_TEST(an_mmu_fault_is_xid_31)
{
    const bool pascal = strcmp(gpus[_i], "gtx1060") == 0;
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    release(&scene, 1, UINT64_C(0x712345000));
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene_run(&scene, "on");
    expect_line(&scene, pascal
                            ? XID("31") "Ch 00000001, intr 10000000. MMU Fault: ENGINE HOST0 "
                                        "HUBCLIENT_HOST faulted @ 0x7_12345000. Fault is of type "
                                        "FAULT_PDE ACCESS_TYPE_WRITE"
                            : XID("31") "Ch 00000001, intr 00000000. MMU Fault: ENGINE HOST0 "
                                        "HUBCLIENT_HOST faulted @ 0x7_12345000. Fault is of type "
                                        "FAULT_PDE ACCESS_TYPE_VIRT_WRITE");
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 31");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* GP_CRC (opcode 2 of an entry of length 0) with another value than that of no entry. */
START_TEST(a_crc_that_differs_is_xid_80)
{
    struct scene scene;

    scene_begin(&scene, "gtx1060");
    bus_build_at(&scene.build, "1ms");
    raw_entry(&scene, 1, 0x12345678, 2);
    scene_run(&scene, "on");
    expect_line(&scene, XID("80") "Channel ID 00000001 intr 00010000");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_PBDMA), 0);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* Copies: SET_OBJECT with a class that is none of the copy engine's: INTR_1 bit 4. */
START_TEST(bits_of_intr_1_are_xid_32)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    BUS_PUSH(&scene.build, &scene.channels[1], PB_INC(4, 0, 1), 0x1234);
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene_run(&scene, "on");
    expect_line(&scene, XID("32") "Channel ID 00000001 intr1 00000010 HCE_DBG0 00000000 HCE_DBG1 "
                                  "00001234");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* The timeout of the graphics engine's switches, in units of 1,024 ns. */
static void set_timeout(struct scene *scene, uint32_t units)
{
    if (scene->build.has_blocks)
        bus_build_line(&scene->build, "NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG[0][0] = 0x%x",
                       1u << 31 | units);
    else
        bus_build_line(&scene->build, "0x2a0c = 0x%x", 1u << 31 | units);
}

/* Loading TSG 8's context takes longer than a unit: Info is CTXSW_TIMEOUT_INFO, NEXT_TSGID 8 and
 * LOAD. */
START_TEST(a_context_switch_that_takes_too_long_is_xid_109)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    set_timeout(&scene, 1);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    bus_build_at(&scene.build, "2ms");
    set_timeout(&scene, 0x3fffff);
    scene_run(&scene, "on");
    expect_line(&scene, XID("109") "Ch 00000001, errorString CTX SWITCH TIMEOUT, Info 0x84000");
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 109");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_CTXSW), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* ... and if it does not matter, nobody is torn down: the switch ends after all. */
START_TEST(context_switches_may_take_as_long_as_they_like)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    set_timeout(&scene, 1);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    bus_build_at(&scene.build, "2ms");
    set_timeout(&scene, 0x3fffff);
    scene_run_with(&scene, "on", (struct simulation_setting){"rm.ctxsw_timeout", "off"});
    ck_assert_uint_ge(count_of(&scene, EVENT_NV_CTXSW_TIMEOUT), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_CTXSW), 0);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_BEGIN), 0);
    ck_assert_uint_eq(data_word(&scene, 16), 1);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* The recovery begins while the engine loads the context, and the channel leaves its PBDMA then:
 * the TSG is on its way onto the engine, as NEXT_ID says, and has not let go. */
START_TEST(who_is_being_loaded_has_not_let_go)
{
    const struct simulation_setting choice = {"rm.recovery", "on"};
    const struct simulation_setting load = {"nv.gr.context_load_cycles", "3000000"};
    const struct simulation_options options = {
        .choices = &choice, .choice_count = 1, .parameters = &load, .parameter_count = 1};
    const struct log_event *loads = NULL, *off = NULL;
    struct gfe_error error = {0};
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    set_timeout(&scene, 1);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene.input = bus_build_end(&scene.build);
    scene.simulation = simulation_new(scene.input, &options, &error);
    ck_assert_msg(scene.simulation != NULL, "%s", error.text);
    ck_assert_msg(simulation_run(scene.simulation, GFE_PS_NEVER, &error), "%s", error.text);
    scene.events = check_machine_decode(scene.simulation->machine, &scene.event_count);
    for (uint32_t i = 0; i < scene.event_count; i++) {
        if (scene.events[i].kind == EVENT_NV_CONTEXT_LOAD &&
            event_nv_context_load_of(&scene.events[i]).engine_id == 0 && !loads)
            loads = &scene.events[i];
        if (scene.events[i].kind == EVENT_RM_RC_OFF)
            off = &scene.events[i];
    }
    ck_assert_ptr_nonnull(loads);
    ck_assert_ptr_nonnull(off);
    ck_assert_uint_ge(event_nv_context_load_of(loads).load_ps, GFE_PS_PER_S / 1000);
    ck_assert_uint_ge(off->time_ps, loads->time_ps + event_nv_context_load_of(loads).load_ps);
    scene_end(&scene);
}
END_TEST

/* One of those that NVIDIA's driver has (GF100_TIMED_SEMAPHORE_SW). */
START_TEST(a_software_method_is_answered)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    BUS_PUSH(&scene.build, &scene.channels[1], PB_INC(5, 0, 1), 0x9074, PB_INC(5, 0x100, 1),
             0x1234);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene_run(&scene, "on");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_BEGIN), 0);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_CLEAR), 2);
    ck_assert_uint_eq(data_word(&scene, 16), 1);
    scene_end(&scene);
}
END_TEST

/* PROMISE (drivers): A software method without an object is Xid 32 with bit 23, as nouveau's
 * DEVICE. */
START_TEST(a_software_method_without_an_object_is_xid_32)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    BUS_PUSH(&scene.build, &scene.channels[1], PB_INC(7, 0x1a58, 1), 0x80000708);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene_run(&scene, "on");
    expect_line(&scene, XID("32") "Channel ID 00000001 intr 00800000");
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 32");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 16), 0);
    scene_end(&scene);
}
END_TEST

/* The form of the line is that of public logs: "Graphics Exception: ChID 000c, Class 0000cbc0,
 * Offset 00000000, Data 00000000"; the class headers have no method 0x16c, and no chip has class
 * 0x1234. */
/* PROMISE (drivers): A method or class that a graphics engine does not have is Xid 13. */
START_TEST(what_the_graphics_engine_does_not_have_is_xid_13)
{
    const bool is_method = _i % 2;
    const char *gpu = gpus[_i / 2];
    const uint32_t class_id = nv_chip_by_name(gpu)->class_compute;
    char line[256];
    struct scene scene;

    scene_begin(&scene, gpu);
    bus_build_at(&scene.build, "1ms");
    BUS_PUSH(&scene.build, &scene.channels[1], PB_INC(1, 0, 1), is_method ? class_id : 0x1234,
             PB_INC(1, 0x16c, 1), 0xcafe);
    release(&scene, 1, BUS_VA + scene.data + 16);
    bus_build_kick(&scene.build, &scene.channels[1]);
    scene_run(&scene, "on");
    (void)snprintf(line, sizeof line,
                   XID("13") "Graphics Exception: ChID 0001, Class %08x, Offset %08x, Data %08x",
                   is_method ? class_id : 0x1234, is_method ? 0x16c : 0,
                   is_method ? 0xcafe : 0x1234);
    expect_line(&scene, line);
    expect_line(&scene, XID("45") "Ch 00000002 caused by previous Xid 13");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(data_word(&scene, 16), 0);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* Volta, Turing: channel 3 is on the PBDMA, waiting for the engine that TSG 8 holds, when that is
 * reset.  ENG_RESET is the recovery's own doing, and no error of channel 3's. */
START_TEST(whoever_waits_for_the_engine_outlives_its_reset)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    bus_build_at(&scene.build, "1ms");
    copy(&scene, 1, 1 << 5);
    copy(&scene, 1, 0);
    bus_build_kick(&scene.build, &scene.channels[1]);
    bus_build_at(&scene.build, "4ms");
    set_timeout(&scene, 100);
    copy(&scene, 3, 0);
    scene_run(&scene, "on");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_RESET), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_CTXSW), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_PBDMA), 0);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 1);
    ck_assert_uint_eq(count_of(&scene, EVENT_COPY_END), 2);
    ck_assert_uint_eq(data_word(&scene, 48), 3);
    scene_end(&scene);
}
END_TEST

/* Both TSGs in error, one after the other. */
START_TEST(one_tsg_after_the_other)
{
    struct scene scene;

    scene_begin(&scene, gpus[_i]);
    guilty_method(&scene);
    BUS_PUSH(&scene.build, &scene.channels[3], PB_INC(0, 0xe0, 1), 0x1234);
    bus_build_kick(&scene.build, &scene.channels[3]);
    scene_run(&scene, "on");
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_XID_PBDMA), 2);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_BEGIN), 2);
    ck_assert_uint_eq(count_of(&scene, EVENT_RM_RC_END), 2);
    ck_assert_uint_eq(data_word(&scene, 48), 0);
    scene_end(&scene);
}
END_TEST

/* The same log however many private steps an event takes. */
START_TEST(the_log_does_not_depend_on_the_batch_limit)
{
    const struct simulation_setting choice = {"rm.recovery", "on"};
    char hash[2][65];

    for (uint32_t limit = 0; limit < 2; limit++) {
        const struct simulation_options options = {
            .choices = &choice, .choice_count = 1, .batch_limit = limit};
        struct gfe_error error = {0};
        struct scene scene;

        scene_begin(&scene, gpus[_i]);
        guilty_method(&scene);
        scene.input = bus_build_end(&scene.build);
        scene.simulation = simulation_new(scene.input, &options, &error);
        ck_assert_ptr_nonnull(scene.simulation);
        ck_assert(simulation_run(scene.simulation, GFE_PS_NEVER, &error));
        check_machine_log_hash(scene.simulation->machine, hash[limit]);
        scene_end(&scene);
    }
    ck_assert_str_eq(hash[0], hash[1]);
}
END_TEST

/* ---- lines ----------------------------------------------------------------------------------- */

/* EVENT_RM_RC_BEGIN of runlist 0: TSG 8, channel 1, Xid 32. */
static const struct {
    const char *text, *line;
} forms[] = {
    {"no place", "no place"},
    {"{tsg_id}{xid}", "832"},
    {"<{xid:x}> <{xid:04x}> <{xid:08x}>", "<20> <0020> <00000020>"},
    {"{xid:va}", "0x0_00000020"},
    {"{channel_id=0:none|1:one|12:twelve}.", "one."},
    {"{xid=0:none|3:three}", "0x20"},
    {"{xid=32}", "0x20"}, /* a value without a word */
    {"{xid=|||32:x}", "x"},
    {"{nothing} {}", "0 0"},
    {"{xid:?}", "32"},
    {"open {xid", "open {xid"},
    {"", ""},
};

START_TEST(a_line_is_its_text_with_the_arguments)
{
    const struct event_line_row rows[] = {{"RM_RC_BEGIN", forms[_i].text}, {NULL, NULL}};
    struct memory_file file = memory_file_new("", 0);
    char line[EVENT_LINE_BYTES], cut[4];
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", &error);
    struct event_log_reader *log;
    struct log_event event;
    uint32_t count = 0;
    struct scene scene;

    scene_begin(&scene, "gtx1060");
    guilty_method(&scene);
    scene_run(&scene, "on");
    ck_assert(simulation_log_write(scene.simulation, "-", writer, &error));
    chunk_writer_free(writer);
    log = event_log_open(file.path, &error);
    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT) {
        if (!event_line(rows, log, &event, line, sizeof line))
            continue;
        count++;
        ck_assert_str_eq(line, forms[_i].line);
        ck_assert(event_line(rows, log, &event, cut, sizeof cut));
        ck_assert_int_eq(strncmp(cut, line, sizeof cut - 1), 0);
        ck_assert_uint_lt(strlen(cut), sizeof cut);
    }
    ck_assert_uint_eq(count, 1);
    event_log_close(log);
    memory_file_free(&file);
    scene_end(&scene);
}
END_TEST

Suite *rm_recover_suite(void)
{
    Suite *suite = suite_create("rm_recover");
    TCase *tcase = tcase_create("recovery");

    tcase_add_loop_test(tcase, the_documented_sequence_step_by_step, 0, GPUS);
    tcase_add_loop_test(tcase, afterwards_the_runlist_has_the_other_tsg_alone, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, without_the_choice_nobody_recovers, 0, TWO_GPUS);
    tcase_add_test(tcase, a_channel_outside_tsgs_is_torn_down_alone);
    tcase_add_loop_test(tcase, an_engine_that_does_not_let_go_is_reset, 0, GPUS);
    tcase_add_loop_test(tcase, an_mmu_fault_is_xid_31, 0, GPUS);
    tcase_add_test(tcase, a_crc_that_differs_is_xid_80);
    tcase_add_loop_test(tcase, bits_of_intr_1_are_xid_32, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, a_context_switch_that_takes_too_long_is_xid_109, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, who_is_being_loaded_has_not_let_go, 0, GPUS);
    tcase_add_loop_test(tcase, context_switches_may_take_as_long_as_they_like, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, what_is_reset_is_a_choice, 0, 3 * choice_gpus());
    tcase_add_loop_test(tcase, whoever_waits_for_the_engine_outlives_its_reset, 2, 4);
    tcase_add_loop_test(tcase, a_software_method_is_answered, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, a_software_method_without_an_object_is_xid_32, 0, GPUS);
    tcase_add_loop_test(tcase, what_the_graphics_engine_does_not_have_is_xid_13, 0, 2 * GPUS);
    tcase_add_loop_test(tcase, one_tsg_after_the_other, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, the_log_does_not_depend_on_the_batch_limit, 0, TWO_GPUS);
    tcase_add_loop_test(tcase, a_line_is_its_text_with_the_arguments, 0,
                        (int)(sizeof forms / sizeof forms[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
