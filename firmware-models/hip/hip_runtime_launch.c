/* SPDX-License-Identifier: MIT */
/* Launches and waits of host threads: packets, doorbells, signals. */
#include <config.h>

#include <assert.h>

#include "devices/amd/formats/amd_aql.h"
#include "firmware-models/hip/hip_runtime.h"
#include "firmware-models/hip/hip_tables.h"

enum { AQL_FENCE_SYSTEM = 2, SIGNAL_VALUE = 8 };
/* At most a dispatch and a barrier of each stream are not complete, so no ring is ever full. */
_Static_assert(2 * HIP_STREAMS_MAX < HIP_RING_PACKETS, "a ring could be full");

static struct hip_stream *hip_stream(const struct hip_runtime *runtime, uint32_t stream)
{
    assert(stream < runtime->state->stream_count);
    return &runtime->state->streams[stream];
}

static void hip_after(struct hip_runtime *runtime, uint32_t parameter, uint32_t kind,
                      uint32_t stream)
{
    machine_schedule(
        runtime->machine, runtime->unit,
        clock_add(machine_now(runtime->machine), machine_parameter(runtime->machine, parameter)),
        kind, stream);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Takes an index, fills the packet in, its header last, and rings.  Returns the index. */
static uint64_t hip_put(struct hip_runtime *runtime, uint32_t stream,
                        const uint32_t packet[AMD_AQL_DWORDS], uint64_t address)
{
    const uint32_t process = hip_stream(runtime, stream)->process;
    struct hip_queue *queue = &runtime->state->queues[hip_stream(runtime, stream)->queue];
    const uint64_t index = queue->write_index++;
    const uint64_t at =
        queue->address + HIP_QUEUE_RING + index % queue->ring_packets * AMD_AQL_BYTES;

    hip_runtime_write(runtime, process, queue->address + HIP_QUEUE_WRITE_INDEX, &queue->write_index,
                      sizeof queue->write_index);
    hip_runtime_write(runtime, process, at + 4, packet + 1, AMD_AQL_BYTES - 4);
    hip_runtime_write(runtime, process, at, packet, 4);
    MACHINE_LOG(runtime->machine, runtime->unit, EVENT_HIP_SUBMIT, RULE_NONE, stream,
                queue->doorbell_index, index, amd_get(packet, AMD_AQL_TYPE), address);
    runtime->ops->ring(runtime->client, queue->doorbell_index, index);
    return index;
}

static uint64_t hip_put_dispatch(struct hip_runtime *runtime, uint32_t index)
{
    const struct hip_stream *stream = hip_stream(runtime, index);
    uint32_t packet[AMD_AQL_DWORDS] = {0};

    amd_put(packet, AMD_AQL_TYPE, AMD_AQL_TYPE_KERNEL_DISPATCH);
    amd_put(packet, AMD_AQL_BARRIER, 1);
    amd_put(packet, AMD_AQL_ACQUIRE, AQL_FENCE_SYSTEM);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_DIMENSIONS, 1);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_X, stream->dispatch_threads);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Y, 1);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Z, 1);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_X,
            (uint64_t)stream->dispatch_threads * stream->dispatch_blocks);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_Y, 1);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_Z, 1);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_GROUP_SEGMENT_SIZE, stream->dispatch_lds);
    amd_put(packet, AMD_AQL_KERNEL_DISPATCH_KERNEL_OBJECT, stream->dispatch_kernel);
    return hip_put(runtime, index, packet, stream->dispatch_kernel);
}

/* A.Q3: complete when all in front of it in the queue is. */
static void hip_put_barrier(struct hip_runtime *runtime, uint32_t index)
{
    const uint64_t signal = hip_runtime_signal(index);
    uint32_t packet[AMD_AQL_DWORDS] = {0};

    amd_put(packet, AMD_AQL_TYPE, AMD_AQL_TYPE_BARRIER_AND);
    amd_put(packet, AMD_AQL_BARRIER, 1);
    amd_put(packet, AMD_AQL_ACQUIRE, AQL_FENCE_SYSTEM);
    amd_put(packet, AMD_AQL_RELEASE, AQL_FENCE_SYSTEM);
    amd_put(packet, AMD_AQL_BARRIER_AND_COMPLETION_SIGNAL, signal);
    (void)hip_put(runtime, index, packet, signal);
}

/* ---- calls ----------------------------------------------------------------------------------- */

void hip_runtime_launch(struct hip_runtime *runtime, uint32_t index,
                        const struct hip_dispatch *dispatch)
{
    struct hip_stream *stream = hip_stream(runtime, index);

    assert(stream->dispatch_kernel == 0 && !stream->waiting);
    stream->dispatch_kernel = dispatch->kernel_address;
    stream->dispatch_threads = dispatch->block_threads;
    stream->dispatch_blocks = dispatch->block_count;
    stream->dispatch_lds = dispatch->lds_bytes;
    hip_after(runtime, PARAM_HIP_LAUNCH_PS, HIP_EVENT_SUBMIT, index);
}

static void hip_submit(struct hip_runtime *runtime, uint32_t index)
{
    const uint64_t packet = hip_put_dispatch(runtime, index);

    hip_stream(runtime, index)->dispatch_kernel = 0;
    runtime->ops->launched(runtime->client, index, packet);
}

void hip_runtime_synchronize(struct hip_runtime *runtime, uint32_t index)
{
    struct hip_stream *stream = hip_stream(runtime, index);
    const uint64_t one = 1, signal = hip_runtime_signal(index) + SIGNAL_VALUE;
    struct machine *machine = runtime->machine;
    struct address_space_range where;
    uint64_t contiguous;

    assert(!stream->waiting);
    hip_runtime_write(runtime, stream->process, signal, &one, sizeof one);
    stream->waiting = HIP_WAITS;
    stream->since_ps = machine_now(machine);
    if (address_space_translate(&machine->spaces, hip_runtime_space(runtime, stream->process),
                                signal, &where, &contiguous))
        machine_watch(machine, runtime->unit, HIP_EVENT_WATCH + index, index,
                      (enum memory_aperture)where.aperture, where.physical);
    hip_put_barrier(runtime, index);
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool hip_sleeps(const struct hip_runtime *runtime, const struct hip_stream *stream)
{
    return machine_now(runtime->machine) - stream->since_ps >
           machine_parameter(runtime->machine, PARAM_HIP_ACTIVE_WAIT_PS);
}

static void hip_return(struct hip_runtime *runtime, uint32_t index, uint32_t parameter,
                       uint32_t kind)
{
    hip_stream(runtime, index)->waiting = HIP_TOLD;
    hip_after(runtime, parameter, kind, index);
}

/* The signal was written: a thread that polls it sees that. */
static void hip_seen(struct hip_runtime *runtime, uint32_t index)
{
    const struct hip_stream *stream = hip_stream(runtime, index);

    if (stream->waiting == HIP_WAITS && !hip_sleeps(runtime, stream))
        hip_return(runtime, index, PARAM_HIP_POLL_PS, HIP_EVENT_POLLED);
}

void hip_runtime_interrupt(struct hip_runtime *runtime, uint32_t space_id, uint32_t event_id)
{
    const uint32_t index = event_id - 1;
    const struct hip_stream *stream;

    if (event_id == 0 || index >= runtime->state->stream_count)
        return;
    stream = hip_stream(runtime, index);
    if (hip_runtime_space(runtime, stream->process) == space_id && stream->waiting == HIP_WAITS &&
        hip_sleeps(runtime, stream))
        hip_return(runtime, index, PARAM_HIP_INTERRUPT_PS, HIP_EVENT_WOKEN);
}

void hip_runtime_event(struct hip_runtime *runtime, uint32_t kind, uint32_t index)
{
    switch (kind) {
    case HIP_EVENT_SUBMIT:
        hip_submit(runtime, index);
        break;
    case HIP_EVENT_POLLED:
    case HIP_EVENT_WOKEN:
        hip_stream(runtime, index)->waiting = HIP_WAITS_NOT;
        runtime->ops->synchronized(runtime->client, index, kind == HIP_EVENT_WOKEN);
        break;
    default: /* a watch */
        hip_seen(runtime, index);
    }
}
