/* SPDX-License-Identifier: MIT */
/* Processes of HIP programs: address spaces, memory, kernels, and callbacks to their threads. */
#include <config.h>

#include "firmware-models/hip/hip_runtime.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_kernel.h"
#include "firmware-models/hip/hip_tables.h"

/* Addresses in each process.  System memory begins with a page of events, then signals, then
 * queues.  Kernels lie in the GPU's local memory. */
#define HIP_SYSTEM_VA UINT64_C(0x7f0000000000)
#define HIP_LOCAL_VA  UINT64_C(0x7e0000000000)
enum {
    HIP_EVENT_PAGE_BYTES = 8 * 4096, /* KFD_SIGNAL_EVENT_LIMIT */
    HIP_SIGNALS_AT = HIP_EVENT_PAGE_BYTES,
    HIP_SIGNAL_BYTES = 64,
    HIP_COMMON_BYTES = HIP_SIGNALS_AT + HIP_STREAMS_MAX * HIP_SIGNAL_BYTES,
    HIP_KERNEL_STRIDE = 256,
    HIP_LOCAL_BYTES = HIP_KERNELS_MAX * HIP_KERNEL_STRIDE,
};
/* amd_signal_t (ROCR-Runtime amd_hsa_signal.h). */
enum { SIGNAL_KIND_USER = 1, SIGNAL_MAILBOX = 16 };
_Static_assert(HIP_COMMON_BYTES % MEMORY_PAGE_BYTES == 0 &&
                   HIP_LOCAL_BYTES % MEMORY_PAGE_BYTES == 0,
               "whole pages are mapped");

/* ---- the unit -------------------------------------------------------------------------------- */

static void hip_handle(void *unit, const struct event *event)
{
    hip_runtime_event(unit, event->kind, (uint32_t)event->argument);
}

/* The streams are being made: the thread of the next one waits for the driver's call. */
static void hip_open_making(const struct hip_runtime *runtime)
{
    const struct hip_runtime_state *state = runtime->state;
    const bool calls = state->queue != HIP_NONE && state->step != HIP_STEP_NEXT;
    const uint32_t queue = calls ? state->queues[state->queue].kfd_queue : KFD_NONE;
    struct machine_wait wait = {machine_now(runtime->machine), SUBJECT_THREAD, state->stream,
                                SUBJECT_NONE, 0};

    if (queue < KFD_QUEUES_MAX && runtime->kfd->state->queues[queue].used) {
        wait.blocker_kind = SUBJECT_QUEUE;
        wait.blocker_id = kfd_queue_id(&runtime->kfd->state->queues[queue]);
    }
    machine_log_open(runtime->machine, runtime->unit, RULE_A_Q2, &wait);
}

/* Threads that wait for ever. */
static void hip_finish(void *unit)
{
    const struct hip_runtime *runtime = unit;
    const struct hip_runtime_state *state = runtime->state;

    for (uint32_t i = 0; i < state->stream_count; i++) {
        const struct hip_stream *stream = &state->streams[i];
        struct machine_wait wait = {stream->since_ps, SUBJECT_THREAD, i, SUBJECT_SEMAPHORE,
                                    hip_runtime_signal(i)};

        if (stream->waiting == HIP_WAITS) {
            machine_log_open(runtime->machine, runtime->unit, RULE_GFE_PROGRAM, &wait);
        } else if (stream->waiting == HIP_TOLD || stream->dispatch_kernel != 0) {
            wait.blocker_kind = SUBJECT_NONE; /* it is about to return, or launches */
            machine_log_lost(runtime->machine, runtime->unit, &wait);
        }
    }
    if (state->started && state->stream < state->stream_count)
        hip_open_making(runtime);
}

bool hip_runtime_has(const struct hip_runtime *runtime, uint32_t stream)
{
    const struct hip_runtime_state *state = runtime->state;

    return state->streams[stream].waiting != HIP_WAITS_NOT ||
           state->streams[stream].dispatch_kernel != 0 ||
           (state->started && state->stream == stream);
}

static const struct unit_ops hip_runtime_unit = {.event = hip_handle, .finish = hip_finish};

void hip_runtime_wire(struct hip_runtime *runtime, struct machine *machine, struct kfd *kfd,
                      uint64_t sysmem_bytes, const struct hip_runtime_ops *ops, void *client)
{
    *runtime = (struct hip_runtime){.machine = machine, .kfd = kfd, .ops = ops, .client = client};
    runtime->unit = machine_add_unit(machine, "hip", &hip_runtime_unit, runtime);
    runtime->state = machine_alloc(machine, sizeof *runtime->state);
    if (!runtime->state)
        return; /* machine_seal() fails */
    extents_init(&runtime->state->vram, 0, machine->config.vram_bytes);
    extents_init(&runtime->state->sysmem, 0, sysmem_bytes);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool hip_map(struct hip_runtime *runtime, uint32_t process, uint64_t va, uint64_t bytes,
                    enum memory_aperture aperture)
{
    struct hip_runtime_state *state = runtime->state;
    struct extents *extents = aperture == MEMORY_VRAM ? &state->vram : &state->sysmem;
    const struct address_space_range range = {
        .va = va,
        .size_bytes = bytes,
        .physical = extent_take(extents, bytes, MEMORY_PAGE_BYTES),
        .space_id = state->processes[process].space_id,
        .aperture = aperture,
    };

    return range.physical != EXTENT_NONE &&
           address_space_map(&runtime->machine->spaces, &range) == ADDRESS_SPACE_OK;
}

bool hip_runtime_map(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                     uint64_t bytes)
{
    return hip_map(runtime, process, address, bytes, MEMORY_SYSMEM);
}

void hip_runtime_unmap(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                       uint64_t bytes)
{
    struct address_spaces *spaces = &runtime->machine->spaces;
    const uint32_t space_id = runtime->state->processes[process].space_id;
    struct address_space_range where;
    uint64_t contiguous;
    bool done = address_space_translate(spaces, space_id, address, &where, &contiguous);

    done = done && address_space_unmap(spaces, space_id, address, bytes) &&
           extent_give(&runtime->state->sysmem, where.physical, bytes);
    assert(done); /* what was taken last */
    (void)done;
}

void hip_runtime_write(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                       const void *data, size_t bytes)
{
    uint64_t fault;
    const bool written =
        machine_vm_write(runtime->machine, runtime->state->processes[process].space_id, address,
                         data, bytes, &fault);

    assert(written || machine_failed(runtime->machine)); /* the host's memory is short */
    (void)written;
}

/* ---- processes and kernels ------------------------------------------------------------------- */

static bool hip_process_open(struct hip_runtime *runtime, uint32_t index)
{
    struct hip_process *process = &runtime->state->processes[index];
    const uint64_t root = extent_take(&runtime->state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);

    process->used = 1;
    process->space_id = root == EXTENT_NONE
                            ? ADDRESS_SPACE_NONE
                            : address_space_new(&runtime->machine->spaces, MEMORY_VRAM, root);
    if (process->space_id == ADDRESS_SPACE_NONE ||
        !hip_map(runtime, index, HIP_SYSTEM_VA, HIP_COMMON_BYTES, MEMORY_SYSMEM) ||
        !hip_map(runtime, index, HIP_LOCAL_VA, HIP_LOCAL_BYTES, MEMORY_VRAM))
        return false;
    process->kfd_process = kfd_process_open(runtime->kfd, root);
    return process->kfd_process != KFD_NONE;
}

uint32_t hip_runtime_process(struct hip_runtime *runtime)
{
    const uint32_t index = runtime->state->process_count;

    assert(index < HIP_PROCESSES_MAX);
    if (!hip_process_open(runtime, index)) {
        machine_fail(runtime->machine, ERROR_LIMIT, "no room for process %u of the program", index);
        return HIP_NONE;
    }
    runtime->state->process_count++;
    return index;
}

uint32_t hip_runtime_space(const struct hip_runtime *runtime, uint32_t process)
{
    assert(process < runtime->state->process_count);
    return runtime->state->processes[process].space_id;
}

uint64_t hip_runtime_kernel(struct hip_runtime *runtime, uint32_t process,
                            const struct hip_kernel *kernel)
{
    const uint32_t index = runtime->state->processes[process].kernel_count++;
    const uint64_t address = HIP_LOCAL_VA + (uint64_t)index * HIP_KERNEL_STRIDE;
    uint32_t descriptor[AMD_KERNEL_DWORDS] = {0};
    uint32_t rsrc1 = 0;

    assert(index < HIP_KERNELS_MAX);
    rsrc1 = REG_PUT(rsrc1, COMPUTE_PGM_RSRC1__VGPRS, (kernel->vgprs + 3) / 4 - 1);
    rsrc1 = REG_PUT(rsrc1, COMPUTE_PGM_RSRC1__SGPRS, (kernel->sgprs + 7) / 8 - 1);
    amd_put(descriptor, AMD_KERNEL_COMPUTE_PGM_RSRC1, rsrc1);
    amd_put(descriptor, AMD_KERNEL_GROUP_SEGMENT_FIXED_SIZE, kernel->lds_bytes);
    hip_runtime_write(runtime, process, address, descriptor, sizeof descriptor);
    return address;
}

/* ---- streams --------------------------------------------------------------------------------- */

uint64_t hip_runtime_signal(uint32_t stream)
{
    return HIP_SYSTEM_VA + HIP_SIGNALS_AT + (uint64_t)stream * HIP_SIGNAL_BYTES;
}

/* Its signal has an event, by which who sleeps is woken; its number is the stream's, from 1. */
static void hip_signal_new(struct hip_runtime *runtime, uint32_t process, uint32_t stream)
{
    const uint64_t event_id = stream + 1;
    const uint64_t words[4] = {[0] = SIGNAL_KIND_USER,
                               [SIGNAL_MAILBOX / 8] = HIP_SYSTEM_VA + 8 * event_id,
                               [SIGNAL_MAILBOX / 8 + 1] = event_id};

    hip_runtime_write(runtime, process, hip_runtime_signal(stream), words, sizeof words);
}

uint32_t hip_runtime_stream(struct hip_runtime *runtime, uint32_t process,
                            const struct hip_stream_options *options)
{
    const uint32_t index = runtime->state->stream_count++;
    struct hip_stream *stream = &runtime->state->streams[index];

    assert(index < HIP_STREAMS_MAX && !runtime->state->started);
    assert(process < runtime->state->process_count);
    assert(options->mask_bits <= 32 * HIP_MASK_WORDS);
    *stream = (struct hip_stream){
        .process = process,
        .queue = HIP_NONE,
        .pool = options->mask_bits > 0                   ? HIP_POOL_MASKED
                : options->priority == HIP_PRIORITY_HIGH ? HIP_POOL_HIGH
                : options->priority == HIP_PRIORITY_LOW  ? HIP_POOL_LOW
                                                         : HIP_POOL_NORMAL,
        .mask_bits = options->mask_bits,
    };
    for (uint32_t word = 0; word < (options->mask_bits + 31) / 32; word++)
        stream->mask[word] = options->mask[word];
    hip_signal_new(runtime, process, index);
    return index;
}

const struct hip_queue *hip_runtime_queue_of(const struct hip_runtime *runtime, uint32_t stream)
{
    const struct hip_runtime_state *state = runtime->state;

    assert(stream < state->stream_count && state->streams[stream].queue != HIP_NONE);
    return &state->queues[state->streams[stream].queue];
}
