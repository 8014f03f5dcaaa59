/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/cuda/cuda.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "firmware-models/cuda/cuda_tables.h"

enum { CHIP_GH100 = 0x180 };

bool cuda_is_gh100(const struct nv_chip *model)
{
    return model->chip_id == CHIP_GH100;
}

static void cuda_start(void *unit)
{
    struct cuda *cuda = unit;

    cuda_channel_start(cuda);
    cuda_submit_start(cuda);
    if (machine_failed(cuda->machine))
        return;
    cuda_mps_tell(cuda);
    for (uint32_t i = 0; i < cuda->program->stream_count; i++) {
        const struct cuda_stream *stream = &cuda->program->streams[i];

        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_STREAM,
                    stream->kind == CUDA_PER_THREAD_STREAM ? RULE_CUDA_PER_THREAD : RULE_NONE, i,
                    stream->process, stream->kind, stream->priority);
    }
    for (uint32_t i = 0; i < cuda->program->process_count; i++)
        if (cuda->program->starts_ps[i] == 0)
            cuda_channel_tell(cuda, i);
    cuda_task_start(cuda);
}

static void cuda_event(void *unit, const struct event *event)
{
    struct cuda *cuda = unit;
    const uint32_t whose = event->kind / CUDA_EVENT_KINDS;

    switch (event->kind % CUDA_EVENT_KINDS) {
    case CUDA_WAKE:
        cuda_task_wake(cuda, whose);
        break;
    case CUDA_SUBMITS:
        cuda_submit(cuda, whose);
        break;
    case CUDA_DONE:
        cuda_stream_done(cuda, whose);
        break;
    case CUDA_MAKES:
        cuda_submit_make(cuda, whose);
        break;
    default:
        cuda_channel_started(cuda, whose);
        break;
    }
}

/* What has not been done when nothing is left to happen waits for ever. */
static void cuda_finish(void *unit)
{
    cuda_stream_log_open(unit);
    cuda_task_log_open(unit);
}

static const struct unit_ops cuda_ops = {
    .event = cuda_event,
    .start = cuda_start,
    .finish = cuda_finish,
};

/* Returns the layout of the descriptors that the driver writes for a chip.  It is INFERRED for
 * chips without a published descriptor: the highest version of V02 that the class takes.  Hopper's
 * is recorded (tests/hardware/data, h100). */
static const struct nv_qmd_layout *cuda_layout(uint32_t class_id)
{
    const uint32_t major = class_id == HOPPER_COMPUTE_A ? 4 : 2;
    const uint32_t minor = class_id >= HOPPER_COMPUTE_A   ? 0
                           : class_id >= AMPERE_COMPUTE_A ? 4
                           : class_id >= TURING_COMPUTE_A ? 3
                           : class_id >= VOLTA_COMPUTE_A  ? 2
                           : class_id >= PASCAL_COMPUTE_A ? 1
                                                          : 6;

    for (size_t i = 0; i < nv_qmd_layout_count(); i++)
        if (nv_qmd_layout_at(i)->major == major && nv_qmd_layout_at(i)->minor == minor)
            return nv_qmd_layout_at(i);
    return NULL;
}

/* Streams of a process stand together. */
static void cuda_index(struct cuda *cuda)
{
    const struct cuda_program *program = cuda->program;
    uint32_t process = 0;

    for (uint32_t i = 0; i < program->stream_count; i++) {
        assert(program->streams[i].process >= process || i == 0);
        while (process < program->streams[i].process)
            cuda->first_streams[++process] = i;
    }
    while (process < program->process_count)
        cuda->first_streams[++process] = program->stream_count;
    for (uint32_t i = 0; i < program->task_count; i++)
        cuda->group_sizes[program->tasks[i].group]++;
    for (uint32_t i = 0; i < program->call_count; i++)
        if (program->calls[i].kind != CUDA_MALLOC && program->calls[i].bytes > cuda->data_bytes)
            cuda->data_bytes = program->calls[i].bytes;
    cuda->data_bytes =
        (cuda->data_bytes + MEMORY_PAGE_BYTES - 1) & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);
}

/* What the kernel driver knows of the chip.  ASSUMED: it leaves the map of physical copy engines as
 * it is after a reset, but for the PCEs that rm_chip.c names. */
static void cuda_tell_chip(const struct cuda *cuda)
{
    const struct nv_chip *model = cuda->model;

    cuda->rm->chid_end = model->channel_count;
    for (uint32_t i = 0; i < model->pce_count; i++)
        if (model->pce_to_lce[i] != NV_CHIP_PCE_UNUSED)
            cuda->rm->lce_mask |= UINT64_C(1) << model->pce_to_lce[i];
    for (uint32_t i = 0; i < cuda->rm->chip->pce_count; i++)
        cuda->rm->lce_mask |= UINT64_C(1) << cuda->rm->chip->pces[i].lce;
}

static void cuda_alloc(struct cuda *cuda)
{
    const struct cuda_program *program = cuda->program;
    struct machine *machine = cuda->machine;

    cuda->state = machine_alloc(machine, sizeof *cuda->state);
    cuda->streams = machine_alloc(machine, program->stream_count * sizeof *cuda->streams);
    cuda->processes = machine_alloc(machine, program->process_count * sizeof *cuda->processes);
    cuda->tasks = machine_alloc(machine, program->task_count * sizeof *cuda->tasks);
    cuda->responses = machine_alloc(machine, program->call_count * sizeof *cuda->responses);
    for (uint32_t i = 0; i < program->stream_count; i++) {
        cuda->streams[i].channel = CUDA_NONE;
        cuda->streams[i].since_ps = GFE_PS_NEVER;
    }
}

static bool cuda_fits(const struct cuda *cuda, struct gfe_error *error)
{
    const struct machine_config *config = &cuda->machine->config;

    if (!cuda->layout)
        return error_set(error, ERROR_USAGE, "%s: the model of the CUDA runtime does not drive it",
                         cuda->model->name);
    if (cuda->data_bytes > config->vram_bytes / 2 || cuda->data_bytes > config->sysmem_bytes / 2 ||
        cuda->data_bytes > UINT32_MAX)
        return error_set(error, ERROR_INPUT,
                         "%s: a copy of %" PRIu64
                         " bytes: it has to be less than 4 GiB, and half of "
                         "%s's memory",
                         cuda->program->name, cuda->data_bytes, cuda->model->name);
    return true;
}

struct cuda *cuda_new(struct machine *machine, const struct nv_chip *model, struct rm *rm,
                      struct cost_table *costs, const struct cuda_program *program,
                      struct gfe_error *error)
{
    struct cuda *cuda = calloc(1, sizeof *cuda);

    if (!cuda) {
        error_set(error, ERROR_SYSTEM, "no memory for the model of the CUDA runtime");
        return NULL;
    }
    cuda->machine = machine;
    cuda->model = model;
    cuda->rm = rm;
    cuda->costs = costs;
    cuda->program = program;
    cuda->layout = cuda_layout(model->class_compute);
    machine_add_tables(machine, &cuda_tables);
    if (cuda_is_gh100(model)) {
        machine->choices[CHOICE_CUDA_CHANNEL_NEXT] = CUDA_NEXT_STATIC;
        machine->choices[CHOICE_CUDA_COPY_WAY] = CUDA_COPY_BY_SIZE;
        machine->parameters[PARAM_CUDA_SEND_AHEAD] = 8;
    }
    cuda->unit = machine_add_unit(machine, "cuda", &cuda_ops, cuda);
    cuda_index(cuda);
    if (!cuda_route_alloc(cuda))
        (void)error_set(error, ERROR_SYSTEM, "no memory for the ways of a program's copies");
    if (!cuda->routes || !cuda->kernels || !cuda_fits(cuda, error)) {
        cuda_free(cuda);
        return NULL;
    }
    cuda_tell_chip(cuda);
    cuda_alloc(cuda);
    return cuda;
}

uint32_t cuda_priority_levels(const struct nv_chip *model)
{
    return model->class_compute >= VOLTA_COMPUTE_A ? 6 : 2;
}

void cuda_free(struct cuda *cuda)
{
    if (cuda)
        cuda_route_free(cuda);
    free(cuda);
}

bool cuda_check_parameters(struct cuda *cuda, struct gfe_error *error)
{
    if (cuda_parameter(cuda, PARAM_CUDA_CHANNELS) > RM_CONTEXT_COMPUTE_MAX)
        return error_set(error, ERROR_USAGE, "parameter cuda.channels is at most %d",
                         RM_CONTEXT_COMPUTE_MAX);
    if (cuda_parameter(cuda, PARAM_CUDA_QUEUE_DEPTH) - 1 >= CUDA_DEPTH_MAX)
        return error_set(error, ERROR_USAGE, "parameter cuda.queue_depth is 1 to %d",
                         CUDA_DEPTH_MAX);
    if (cuda_parameter(cuda, PARAM_CUDA_SEND_AHEAD) - 1 >= CUDA_AHEAD_MAX)
        return error_set(error, ERROR_USAGE, "parameter cuda.send_ahead is 1 to %d",
                         CUDA_AHEAD_MAX);
    return cuda_route_settle(cuda, error) && cuda_mps_check(cuda, error);
}
