/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_trace.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void check_trace_put(struct check_trace *trace, struct trace_record record)
{
    struct gfe_error error = {0};

    record.head.time_ns = trace->time_ns;
    record.head.process_id = 1;
    record.head.thread_id = trace->thread_id;
    ck_assert_msg(trace_write(trace->writer, &record, &error), "%s", error.text);
}

static struct trace_str text(const char *words)
{
    return (struct trace_str){words, (uint32_t)strlen(words)};
}

void check_trace_begin(struct check_trace *trace)
{
    check_trace_begin_on(trace, "gtx1060");
}

void check_trace_begin_on(struct check_trace *trace, const char *gpu)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    struct gfe_error error = {0};

    *trace = (struct check_trace){.file = memory_file_new("", 0), .thread_id = 1};
    trace->writer = trace_writer_new(trace->file.fd, "test", &error);
    ck_assert_msg(trace->writer != NULL, "%s", error.text);
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_META,
                                                 .meta = {.format = TRACE_FORMAT,
                                                          .driver = text("nouveau 1.3.1"),
                                                          .gpu = text(gpu),
                                                          .chipset = model->chip_id,
                                                          .pci_id = model->pci_id,
                                                          .completions = TRACE_COMPLETIONS_STAND_IN,
                                                          .recorder = text("test"),
                                                          .host = text("test"),
                                                          .program = text("test")}});
    check_trace_put(
        trace, (struct trace_record){.head.kind = TRACE_CLIENT,
                                     .client = {.layer = TRACE_LAYER_UAPI, .name = text("test")}});
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_AS_CREATE});
}

void check_trace_map(struct check_trace *trace, uint32_t handle)
{
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                                 .as_map = {.va = CHECK_TRACE_BUFFER(handle),
                                                            .size_bytes = CHECK_TRACE_BUFFER_BYTES,
                                                            .handle = handle,
                                                            .aperture = TRACE_APERTURE_VRAM}});
}

void check_trace_unmap(struct check_trace *trace, uint32_t handle)
{
    check_trace_put(trace,
                    (struct trace_record){.head.kind = TRACE_AS_UNMAP,
                                          .as_unmap = {.va = CHECK_TRACE_BUFFER(handle),
                                                       .size_bytes = CHECK_TRACE_BUFFER_BYTES,
                                                       .handle = handle}});
}

void check_trace_channel(struct check_trace *trace, uint32_t channel_id)
{
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_CHANNEL,
                                                 .channel = {.channel_id = channel_id}});
}

void check_trace_channel_end(struct check_trace *trace, uint32_t channel_id)
{
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_CHANNEL_END,
                                                 .channel_end = {.channel_id = channel_id}});
}

void check_trace_submit(struct check_trace *trace, uint32_t channel_id, uint32_t handle,
                        const uint32_t *dwords, uint32_t count, uint32_t push_count)
{
    struct trace_push *pushes = calloc(push_count, sizeof *pushes);

    ck_assert(pushes || push_count == 0);
    for (uint32_t i = 0; i < push_count; i++)
        pushes[i] = (struct trace_push){.handle = handle, .length_bytes = 4 * (uint64_t)count};
    check_trace_put(trace,
                    (struct trace_record){.head.kind = TRACE_MEM,
                                          .mem = {.address = CHECK_TRACE_BUFFER(handle),
                                                  .data = {(const uint8_t *)dwords, 4 * count}}});
    check_trace_put(trace,
                    (struct trace_record){.head.kind = TRACE_SUBMIT,
                                          .submit = {.channel_id = channel_id,
                                                     .submission_id = ++trace->submission_count,
                                                     .pushes = {pushes, push_count}}});
    free(pushes);
}

void check_trace_wait(struct check_trace *trace, uint32_t channel_id, uint32_t submission_id,
                      enum trace_wait_how how)
{
    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_CPU_WAIT,
                                                 .cpu_wait = {.how = (uint8_t)how,
                                                              .channel_id = channel_id,
                                                              .handle = TRACE_ANY,
                                                              .submission_id = submission_id,
                                                              .begin_ns = trace->time_ns,
                                                              .end_ns = trace->time_ns,
                                                              .call = text("glFinish")}});
}

struct replay_input *check_trace_end_keep(struct check_trace *trace)
{
    struct gfe_error error = {0};
    struct replay_input *input;

    check_trace_put(trace, (struct trace_record){.head.kind = TRACE_END});
    ck_assert_msg(trace_writer_finish(trace->writer, &error), "%s", error.text);
    trace_writer_free(trace->writer);
    input = replay_load(trace->file.path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    return input;
}

struct replay_input *check_trace_end(struct check_trace *trace)
{
    struct replay_input *input = check_trace_end_keep(trace);

    memory_file_free(&trace->file);
    return input;
}

/* ---- simulations ----------------------------------------------------------------------------- */

struct simulation *check_simulation_new(const struct replay_input *input,
                                        const struct simulation_options *options)
{
    const struct simulation_options defaults = {0};
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(input, options ? options : &defaults, &error);

    ck_assert_msg(simulation != NULL, "%s", error.text);
    /* Programs of tests need not bind their objects. */
    if (simulation->machine->choices[CHOICE_NV_GR_UNBOUND] == NV_GR_UNBOUND_NOTHING)
        simulation->machine->choices[CHOICE_NV_GR_UNBOUND] = NV_GR_UNBOUND_CHIP;
    return simulation;
}

bool check_simulation_finish(struct check_simulation *check, struct simulation *simulation,
                             struct gfe_error *error)
{
    const bool ended = simulation_run(simulation, GFE_PS_NEVER, error);

    *check = (struct check_simulation){.simulation = simulation};
    check->events = check_machine_decode(simulation->machine, &check->event_count);
    check_machine_log_hash(simulation->machine, check->log_hash);
    return ended;
}

void check_simulation_run(struct check_simulation *check, const struct replay_input *input,
                          const struct simulation_options *options)
{
    struct gfe_error error = {0};

    ck_assert_msg(check_simulation_finish(check, check_simulation_new(input, options), &error),
                  "%s", error.text);
}

void check_simulation_end(struct check_simulation *check)
{
    simulation_free(check->simulation);
    free(check->events);
    *check = (struct check_simulation){0};
}

uint32_t check_simulation_count(const struct check_simulation *check, uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < check->event_count; i++)
        count += check->events[i].kind == kind &&
                 (rule == CHECK_ANY_RULE || check->events[i].rule == rule);
    return count;
}

const struct log_event *check_simulation_event(const struct check_simulation *check, uint32_t kind,
                                               uint32_t n)
{
    for (uint32_t i = 0; i < check->event_count; i++)
        if (check->events[i].kind == kind && n-- == 0)
            return &check->events[i];
    return NULL;
}
