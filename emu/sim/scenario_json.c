/* SPDX-License-Identifier: MIT */
/* What the head of a log tells of the programs that ran: names for its numbers. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/sim/scenario_private.h"
#include "emu/base/json_text.h"

static const char *const kinds[] = {
    [CUDA_LAUNCH] = "kernel",
    [CUDA_MEMCPY] = "copy",
    [CUDA_MEMSET] = "memset",
    [CUDA_STREAM_SYNCHRONIZE] = "stream synchronize",
    [CUDA_DEVICE_SYNCHRONIZE] = "device synchronize",
    [CUDA_EVENT_RECORD] = "event record",
    [CUDA_STREAM_WAIT_EVENT] = "stream wait event",
    [CUDA_MALLOC] = "malloc",
    [CUDA_FREE] = "free",
    [CUDA_SLEEP] = "sleep",
};
static const char *const phases[] = {"copy_in", "execute", "copy_out"};
static const char *const directions[] = {"to device", "to host", "on device"};

static int64_t count_of(const uint32_t dimensions[3])
{
    return (int64_t)dimensions[0] * dimensions[1] * dimensions[2];
}

bool scenario_json_task(struct scenario_build *build, const struct examiner_config *config,
                        const struct examiner_benchmark *benchmark)
{
    const struct cuda_program *program = &build->scenario->program;
    const struct cuda_task *task = &program->tasks[program->task_count - 1];
    json_t *json = json_text_pack(
        "{ss ss ss* ss* ss si sI si si sI sI sI}", "name", task->name, "benchmark", benchmark->name,
        "label", benchmark->label, "log_name", benchmark->log_name, "scenario", config->name,
        "process", (int)task->process, "release_ps", (json_int_t)task->release_ps, "first_call",
        (int)task->first_call, "call_count", (int)task->call_count, "data_size",
        (json_int_t)benchmark->data_bytes, "thread_count", (json_int_t)count_of(benchmark->threads),
        "block_count", (json_int_t)count_of(benchmark->blocks));

    return json_array_append_new(build->tasks, json) == 0 || scenario_no_memory(build);
}

bool scenario_json_own_task(struct scenario_build *build)
{
    const struct cuda_program *program = &build->scenario->program;
    const struct cuda_task *task = &program->tasks[program->task_count - 1];
    json_t *json = json_pack("{ss si sI sI si si}", "name", task->name, "process",
                             (int)task->process, "release_ps", (json_int_t)task->release_ps,
                             "period_ps", (json_int_t)task->period_ps, "first_call",
                             (int)task->first_call, "call_count", (int)task->call_count);

    return json_array_append_new(build->tasks, json) == 0 || scenario_no_memory(build);
}

static json_t *call_json(const struct cuda_program *program, const struct cuda_call *call)
{
    json_t *json = json_pack("{ss ss si}", "kind", kinds[call->kind], "phase", phases[call->phase],
                             "stream", (int)call->stream);
    bool good = json != NULL;

    if (good && call->kind == CUDA_LAUNCH) {
        const struct cuda_kernel *kernel = &program->kernels[call->kernel];

        good =
            json_object_set_new(json, "name", json_string(kernel->name)) == 0 &&
            json_object_set_new(json, "block_count",
                                json_integer((json_int_t)kernel->block_count)) == 0 &&
            json_object_set_new(json, "thread_count", json_integer(kernel->block_threads)) == 0 &&
            json_object_set_new(json, "shared_memory", json_integer(kernel->shared_bytes)) == 0;
    }
    if (good && (call->kind == CUDA_MEMCPY || call->kind == CUDA_MEMSET))
        good = json_object_set_new(json, "byte_count", json_integer((json_int_t)call->bytes)) == 0;
    if (good && call->kind == CUDA_MEMCPY)
        good =
            json_object_set_new(json, "direction", json_string(directions[call->direction])) == 0;
    if (good)
        return json;
    json_decref(json);
    return NULL;
}

bool scenario_json_stream(struct scenario_build *build, uint32_t stream, const char *name)
{
    char number[16];

    (void)snprintf(number, sizeof number, "%" PRIu32, stream);
    return json_object_set_new(build->stream_names, number, json_string(name)) == 0 ||
           scenario_no_memory(build);
}

bool scenario_json_end(struct scenario_build *build)
{
    const struct cuda_program *program = &build->scenario->program;
    bool good = true;

    for (uint32_t i = 0; i < program->call_count && good; i++)
        good = json_array_append_new(build->names, call_json(program, &program->calls[i])) == 0;
    good = good && json_object_set_new(build->json, "name", json_string(program->name)) == 0 &&
           json_object_set(build->json, "tasks", build->tasks) == 0 &&
           json_object_set(build->json, "calls", build->names) == 0 &&
           (json_object_size(build->stream_names) == 0 ||
            json_object_set(build->json, "stream_names", build->stream_names) == 0);
    if (good)
        build->scenario->json = json_text(build->json, JSON_COMPACT);
    return (good && build->scenario->json) || scenario_no_memory(build);
}
