/* SPDX-License-Identifier: MIT */
/* Contexts of processes, and what is told of their kernels and data (cost.h). */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_push.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/rm/rm_tables.h"

enum {
    CLIENT_COPY = 2
}; /* channels for each direction of copies, of a client of MPS from Volta on */

static void cuda_map(struct cuda *cuda, uint32_t space_id, uint64_t va,
                     enum memory_aperture aperture)
{
    const struct address_space_range range = {
        .space_id = space_id, .va = va, .size_bytes = cuda->data_bytes, .aperture = aperture};

    if (cuda->data_bytes > 0 &&
        address_space_map(&cuda->machine->spaces, &range) != ADDRESS_SPACE_OK)
        machine_fail(cuda->machine, ERROR_LIMIT, "no room to map the data of a process");
}

/* Its blocks count themselves as they start: B.C1. */
static struct cost cuda_cost(const struct cuda *cuda, const struct cuda_kernel *kernel)
{
    const struct clock_domain clock = clock_make(cuda->model->sm_hz, 0);
    struct cost cost = {.amount = kernel->amount, .kind = COST_CYCLES, .counts_starts = 1};

    if (kernel->time == CUDA_TIME_DEFAULT)
        cost.kind = COST_DEFAULT;
    else if (kernel->time == CUDA_TIME_CLOCK)
        cost.kind = COST_CLOCK;
    else if (kernel->time == CUDA_TIME_WORK)
        cost.amount = clock_cycle_at(&clock, kernel->amount);
    else
        cost.amount *= cuda_parameter(cuda, PARAM_CUDA_LOOP_CYCLES);
    return cost;
}

static void cuda_set_costs(struct cuda *cuda, const struct rm_cuda_context *context)
{
    for (uint32_t i = 0; i < cuda->kernel_count; i++) {
        const struct cost cost = cuda_cost(cuda, &cuda->kernels[i]);

        if (!cost_set(cuda->costs, context->space_id,
                      context->heap_va + (uint64_t)CUDA_PROGRAM_BYTES * i, &cost))
            machine_fail(cuda->machine, ERROR_LIMIT,
                         "the processes together have more than %d kernels", COST_ROWS_MAX);
    }
}

/* Sets the share of the SMs that a client of MPS may have. */
static void cuda_set_share(struct cuda *cuda, uint32_t process)
{
    const uint32_t sm_count = cuda_mps_sms(cuda, process);

    if (sm_count < cuda->model->sm_count &&
        !cost_set_share(cuda->costs, cuda->processes[process].context.space_id, sm_count))
        machine_fail(cuda->machine, ERROR_LIMIT, "more than %d clients have shares",
                     COST_SHARES_MAX);
}

/* Returns true if no process of that context launches a kernel, sets memory or makes copies by its
 * compute channels. */
static bool cuda_copies_only(const struct cuda *cuda, uint32_t context)
{
    const struct cuda_program *program = cuda->program;

    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct cuda_call *call = &program->calls[i];

        const bool in_compute = cuda->routes[i].way != CUDA_BY_ENGINE && !call->graphics;

        if ((in_compute || call->kind == CUDA_MEMSET) &&
            cuda_context_of(cuda, program->streams[call->stream].process) == context)
            return false;
    }
    return true;
}

/* Makes the context of a process that has one of its own.  Returns false, and fails the machine, if
 * there is no room. */
static bool cuda_make(struct cuda *cuda, uint32_t process)
{
    const bool mps = cuda_mps(cuda);
    struct rm_cuda_context *context = &cuda->processes[process].context;
    const struct rm_context_options options = {
        .compute_count = cuda_channel_made(cuda),
        .copy_count = mps && !cuda_mps_shared(cuda) ? CLIENT_COPY : RM_CONTEXT_COPY,
        .heap_bytes = cuda_heap_bytes(cuda, process),
        .copies_only = cuda_copies_only(cuda, process),
        .server = mps && process > 0 ? &cuda->processes[0].context : NULL,
    };

    if (!rm_cuda_context_build_with(cuda->rm, context, &options))
        return false;
    cuda_map(cuda, context->space_id, CUDA_DEVICE_VA, MEMORY_VRAM);
    cuda_map(cuda, context->space_id, CUDA_HOST_VA, MEMORY_SYSMEM);
    cuda_set_costs(cuda, context);
    cuda_set_share(cuda, process);
    return !machine_failed(cuda->machine);
}

void cuda_submit_start(struct cuda *cuda)
{
    for (uint32_t i = 0; i < cuda->program->process_count; i++) {
        if (cuda_context_of(cuda, i) != i)
            continue;
        if (cuda->program->starts_ps[i] > 0)
            machine_schedule(cuda->machine, cuda->unit, cuda->program->starts_ps[i],
                             i * CUDA_EVENT_KINDS + CUDA_MAKES, 0);
        else if (!cuda_make(cuda, i))
            return;
    }
}

/* The driver's part of the work is in the last of the context's compute channels: as many GP
 * entries as it has pieces are taken. */
static void cuda_took_entries(struct cuda *cuda, uint32_t process, uint32_t count)
{
    struct cuda_process_state *state = &cuda->processes[process];
    const uint32_t channel = state->context.compute_count - 1;

    state->put[channel] = (state->put[channel] + count) % RM_CONTEXT_RING_ENTRIES;
    state->entries[channel] += count;
}

void cuda_submit_make(struct cuda *cuda, uint32_t process)
{
    if (cuda_make(cuda, process) &&
        rm_cuda_context_init(cuda->rm, &cuda->processes[process].context)) {
        cuda_took_entries(cuda, process,
                          (uint32_t)cuda_parameter(cuda, PARAM_RM_CONTEXT_INIT_PIECES));
        cuda_channel_tell(cuda, process);
    }
}

void cuda_submit_allocate(struct cuda *cuda, uint32_t process, uint64_t bytes)
{
    const uint32_t owner = cuda_context_of(cuda, process);
    const struct rm_cuda_context *context = &cuda->processes[owner].context;
    const uint32_t put = cuda->processes[owner].put[context->compute_count - 1];

    if (rm_cuda_context_allocate(cuda->rm, context, put, bytes))
        cuda_took_entries(cuda, owner, 1);
}

uint32_t cuda_submit_channel_id(const struct cuda *cuda, uint32_t process, uint32_t channel)
{
    const struct rm_context_channel *of =
        &cuda->processes[cuda_context_of(cuda, process)].context.channels[channel];

    return rm_channel_full_id(cuda->rm, of->channel);
}
