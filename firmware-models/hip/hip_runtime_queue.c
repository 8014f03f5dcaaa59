/* SPDX-License-Identifier: MIT */
/* Streams and HSA queues: which stream gets which (A.Q2), and the kernel driver's calls that make
 * one. */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "firmware-models/hip/hip_runtime.h"
#include "firmware-models/hip/hip_tables.h"

#define HIP_QUEUES_VA UINT64_C(0x7f1000000000)
/* A queue's memory: amd_queue_t, the ring, the end-of-pipe buffer, what is saved of waves. */
enum {
    HIP_EOP_BYTES = 4096,
    HIP_QUEUE_EOP = HIP_QUEUE_RING + HIP_RING_PACKETS * AMD_AQL_BYTES,
    HIP_QUEUE_SAVE = HIP_QUEUE_EOP + HIP_EOP_BYTES,
};
/* amd_queue_t (ROCR-Runtime amd_hsa_queue.h); ROCclr has times measured. */
enum {
    QUEUE_BASE = 0x8,
    QUEUE_SIZE = 0x18,
    QUEUE_PROPERTIES = 0xb4,
    QUEUE_BYTES = 0x100,
    QUEUE_IS_PTR64 = 1 << 1,
    QUEUE_PROFILING = 1 << 3,
};
/* What is saved of waves (ROCT-Thunk-Interface src/queues.c): of each CU its registers, LDS and
 * hardware registers; on the control stack 8 bytes of each wave, and a head. */
enum {
    SAVE_CU_BYTES = 0x40000 + 0x4000 + 0x10000 + 0x1000,
    SAVE_WAVE_BYTES = 8,
    SAVE_HEAD_BYTES = 40,
    SAVE_CU_WAVES = 40,
    SAVE_ENGINE_WAVES = 512,
};

/* ---- memory ---------------------------------------------------------------------------------- */

static uint32_t hip_control_stack_bytes(const struct amd_chip *chip)
{
    const uint32_t waves = chip->cu_count * SAVE_CU_WAVES,
                   most = chip->shader_engine_count * SAVE_ENGINE_WAVES;
    const uint32_t bytes = (waves < most ? waves : most) * SAVE_WAVE_BYTES + SAVE_HEAD_BYTES;

    return (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;
}

static uint32_t hip_save_bytes(const struct amd_chip *chip)
{
    return hip_control_stack_bytes(chip) + chip->cu_count * SAVE_CU_BYTES;
}

static uint64_t hip_queue_bytes(const struct hip_runtime *runtime)
{
    return HIP_QUEUE_SAVE + hip_save_bytes(runtime->kfd->chip);
}

/* A ring holds invalid packets where nothing was written. */
static void hip_ring_clear(struct hip_runtime *runtime, const struct hip_queue *queue)
{
    uint32_t page[MEMORY_PAGE_BYTES / 4] = {0};
    const uint64_t bytes = (uint64_t)queue->ring_packets * AMD_AQL_BYTES;

    for (uint32_t at = 0; at < sizeof page / 4; at += AMD_AQL_DWORDS)
        amd_put(page + at, AMD_AQL_TYPE, AMD_AQL_TYPE_INVALID);
    for (uint64_t at = 0; at < bytes; at += sizeof page)
        hip_runtime_write(runtime, queue->process, queue->address + HIP_QUEUE_RING + at, page,
                          sizeof page);
}

static void hip_queue_init(struct hip_runtime *runtime, const struct hip_queue *queue)
{
    const uint64_t ring = queue->address + HIP_QUEUE_RING;
    const uint32_t properties = QUEUE_IS_PTR64 | QUEUE_PROFILING;
    uint8_t bytes[QUEUE_BYTES] = {0};

    memcpy(bytes + QUEUE_BASE, &ring, sizeof ring);
    memcpy(bytes + QUEUE_SIZE, &queue->ring_packets, sizeof queue->ring_packets);
    memcpy(bytes + QUEUE_PROPERTIES, &properties, sizeof properties);
    hip_runtime_write(runtime, queue->process, queue->address, bytes, sizeof bytes);
    hip_ring_clear(runtime, queue);
}

/* ---- which queue ----------------------------------------------------------------------------- */

/* Number of a queue among its process's. */
static uint32_t hip_queue_number(const struct hip_runtime *runtime, uint32_t index)
{
    uint32_t number = 0;

    for (uint32_t i = 0; i < index; i++)
        number += runtime->state->queues[i].process == runtime->state->queues[index].process;
    return number;
}

static uint32_t hip_pool_count(const struct hip_runtime *runtime, uint32_t process, uint32_t pool)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < runtime->state->queue_count; i++)
        count +=
            runtime->state->queues[i].process == process && runtime->state->queues[i].pool == pool;
    return count;
}

/* Returns the queue of the pool that has the fewest users (A.Q2), or HIP_NONE if there is none. */
static uint32_t hip_least_used(const struct hip_runtime *runtime, uint32_t process, uint32_t pool)
{
    const struct hip_runtime_state *state = runtime->state;
    uint32_t least = HIP_NONE;

    for (uint32_t i = 0; i < state->queue_count; i++)
        if (state->queues[i].process == process && state->queues[i].pool == pool &&
            (least == HIP_NONE || state->queues[i].users < state->queues[least].users))
            least = i;
    return least;
}

/* The stream that is being made has its queue: on to the next. */
static void hip_give(struct hip_runtime *runtime, uint32_t index)
{
    struct hip_runtime_state *state = runtime->state;
    struct hip_stream *stream = &state->streams[state->stream];
    struct hip_queue *queue = &state->queues[index];

    stream->queue = index;
    queue->users++;
    MACHINE_LOG(runtime->machine, runtime->unit, EVENT_HIP_QUEUE, RULE_A_Q2, state->stream,
                hip_queue_number(runtime, index), queue->doorbell_index, stream->process,
                runtime->kfd->state->queues[queue->kfd_queue].mqd.priority, stream->mask_bits > 0,
                queue->users);
    if (stream->mask_bits > 0)
        MACHINE_LOG(runtime->machine, runtime->unit, EVENT_HIP_CU_MASK, RULE_A_M2, state->stream,
                    queue->doorbell_index, (uint64_t)stream->mask[1] << 32 | stream->mask[0],
                    (uint64_t)stream->mask[3] << 32 | stream->mask[2]);
    state->stream++;
    state->step = HIP_STEP_NEXT;
    state->queue = HIP_NONE;
}

/* A new queue of a process for a pool, for no stream if it is the runtime's own; the driver is not
 * told yet. */
static void hip_new(struct hip_runtime *runtime, uint32_t process, uint32_t pool, bool is_own)
{
    struct hip_runtime_state *state = runtime->state;
    const uint64_t bytes = hip_queue_bytes(runtime);
    const uint32_t number = state->processes[process].queue_count++;
    struct hip_queue *queue = &state->queues[state->queue_count];

    if (state->queue_count == HIP_QUEUES_MAX) {
        machine_fail(runtime->machine, ERROR_LIMIT, "more than %d HSA queues", HIP_QUEUES_MAX);
        return;
    }
    *queue = (struct hip_queue){.address = HIP_QUEUES_VA + number * bytes,
                                .process = process,
                                .kfd_queue = KFD_NONE,
                                .pool = pool,
                                .ring_packets = pool == HIP_POOL_UTILITY ? HIP_UTILITY_RING_PACKETS
                                                                         : HIP_RING_PACKETS};
    if (!hip_runtime_map(runtime, process, queue->address, bytes)) {
        machine_fail(runtime->machine, ERROR_LIMIT, "no system memory for HSA queue %u",
                     state->queue_count);
        return;
    }
    state->queue = state->queue_count++;
    state->is_own = is_own;
    state->step = HIP_STEP_CREATE;
}

/* What is to be made next; false: nothing. */
static bool hip_next(struct hip_runtime *runtime)
{
    const struct machine *machine = runtime->machine;
    struct hip_runtime_state *state = runtime->state;
    const struct hip_stream *stream = &state->streams[state->stream];
    const uint64_t most = machine_parameter(machine, PARAM_HIP_QUEUES),
                   initial = machine_parameter(machine, PARAM_HIP_INITIAL_QUEUES),
                   utility = machine_parameter(machine, PARAM_HIP_UTILITY_QUEUES);
    uint32_t made;

    if (state->stream == state->stream_count)
        return false;
    made = state->processes[stream->process].queue_count;
    if (made < utility)
        hip_new(runtime, stream->process, HIP_POOL_UTILITY, true);
    else if (made - utility < (most != 0 && most < initial ? most : initial))
        hip_new(runtime, stream->process, HIP_POOL_NORMAL, true);
    else if (stream->pool == HIP_POOL_MASKED || most == 0 ||
             hip_pool_count(runtime, stream->process, stream->pool) < most)
        hip_new(runtime, stream->process, stream->pool, false);
    else
        hip_give(runtime, hip_least_used(runtime, stream->process, stream->pool));
    return true;
}

/* ---- the driver's calls ---------------------------------------------------------------------- */

/* The queue that is being made is not to be. */
static void hip_drop(struct hip_runtime *runtime)
{
    struct hip_runtime_state *state = runtime->state;
    struct hip_queue *queue = &state->queues[state->queue];

    assert(state->queue + 1 == state->queue_count);
    hip_runtime_unmap(runtime, queue->process, queue->address, hip_queue_bytes(runtime));
    state->processes[queue->process].queue_count--;
    *queue = (struct hip_queue){0};
    state->queue_count--;
    state->queue = HIP_NONE;
    state->step = HIP_STEP_NEXT;
}

/* The driver does not make the queue: half as large, or another's; if there is none the program
 * ends. */
static void hip_refused(struct hip_runtime *runtime, enum kfd_result result)
{
    static const char *const texts[] = {
        [KFD_EPERM] = "EPERM", [KFD_EIO] = "EIO",       [KFD_ENOMEM] = "ENOMEM",
        [KFD_EBUSY] = "EBUSY", [KFD_EINVAL] = "EINVAL", [KFD_ETIME] = "ETIME"};
    struct hip_runtime_state *state = runtime->state;
    struct hip_queue *queue = &state->queues[state->queue];
    const uint32_t pool = queue->pool, process = queue->process;

    if (state->step == HIP_STEP_CREATE && result != KFD_EIO && result != KFD_ETIME &&
        queue->ring_packets / 2 >= HIP_RING_PACKETS_MIN) {
        queue->ring_packets /= 2;
        return;
    }
    if (state->step == HIP_STEP_CREATE && !state->is_own && pool != HIP_POOL_MASKED &&
        hip_pool_count(runtime, process, pool) > 1) {
        hip_drop(runtime);
        hip_give(runtime, hip_least_used(runtime, process, pool));
        return;
    }
    runtime->ops->refused(runtime->client, state->stream, texts[result]);
    assert(machine_failed(runtime->machine));
}

static enum kfd_result hip_create(struct hip_runtime *runtime, struct hip_queue *queue)
{
    const struct amd_chip *chip = runtime->kfd->chip;
    const struct kfd_queue_options options = {
        .ring_address = queue->address + HIP_QUEUE_RING,
        .read_pointer = queue->address + HIP_QUEUE_READ_INDEX,
        .write_pointer = queue->address + HIP_QUEUE_WRITE_INDEX,
        .eop_address = queue->address + HIP_QUEUE_EOP,
        .save_address = queue->address + HIP_QUEUE_SAVE,
        .ring_bytes = queue->ring_packets * AMD_AQL_BYTES,
        .eop_bytes = HIP_EOP_BYTES,
        .save_bytes = hip_save_bytes(chip),
        .control_stack_bytes = hip_control_stack_bytes(chip),
        .format = KFD_MQD_AQL,
        .priority = KFD_MQD_PRIORITY_NORMAL,
        .percent = 100,
    };

    hip_queue_init(runtime, queue);
    return kfd_queue_create(runtime->kfd, runtime->state->processes[queue->process].kfd_process,
                            &options, &queue->kfd_queue);
}

/* ROCr's priorities are the thunk's -3 and 3, and these are the driver's lowest and highest. */
static enum kfd_result hip_set_priority(struct hip_runtime *runtime, const struct hip_queue *queue)
{
    return kfd_queue_update(runtime->kfd, queue->kfd_queue, queue->address + HIP_QUEUE_RING,
                            queue->ring_packets * AMD_AQL_BYTES, 100,
                            queue->pool == HIP_POOL_HIGH ? KFD_MQD_PRIORITY_MAX : 0);
}

/* The call of the step that the queue is at. */
static enum kfd_result hip_call(struct hip_runtime *runtime)
{
    struct hip_runtime_state *state = runtime->state;
    struct hip_queue *queue = &state->queues[state->queue];
    const struct hip_stream *stream = &state->streams[state->stream];

    switch (state->step) {
    case HIP_STEP_CREATE:
        return hip_create(runtime, queue);
    case HIP_STEP_PRIORITY:
        return queue->pool == HIP_POOL_HIGH || queue->pool == HIP_POOL_LOW
                   ? hip_set_priority(runtime, queue)
                   : KFD_OK;
    default: /* A.M2: before anybody has the queue */
        return queue->pool == HIP_POOL_MASKED
                   ? kfd_queue_set_cu_mask(runtime->kfd, queue->kfd_queue, stream->mask,
                                           (stream->mask_bits + 31) / 32 * 32)
                   : KFD_OK;
    }
}

/* All that the queue needs has been called. */
static void hip_made(struct hip_runtime *runtime)
{
    struct hip_runtime_state *state = runtime->state;
    struct hip_queue *queue = &state->queues[state->queue];

    queue->doorbell_index = kfd_queue_id(&runtime->kfd->state->queues[queue->kfd_queue]);
    if (!state->is_own) {
        hip_give(runtime, state->queue);
        return;
    }
    queue->users = 1;
    MACHINE_LOG(runtime->machine, runtime->unit, EVENT_HIP_OWN_QUEUE, RULE_NONE, queue->process,
                hip_queue_number(runtime, state->queue), queue->doorbell_index,
                queue->pool != HIP_POOL_UTILITY);
    state->step = HIP_STEP_NEXT;
    state->queue = HIP_NONE;
}

static void hip_called(struct hip_runtime *runtime, enum kfd_result result)
{
    if (result != KFD_OK)
        hip_refused(runtime, result);
    else if (++runtime->state->step == HIP_STEP_MADE)
        hip_made(runtime);
}

static void hip_go_on(struct hip_runtime *runtime)
{
    struct hip_runtime_state *state = runtime->state;

    while (!machine_failed(runtime->machine)) {
        enum kfd_result result;

        if (state->step == HIP_STEP_NEXT) {
            if (hip_next(runtime))
                continue;
            runtime->ops->ready(runtime->client);
            return;
        }
        result = hip_call(runtime);
        state->blocked = result == KFD_BUSY; /* the driver itself has the lock */
        if (result == KFD_PENDING || result == KFD_BUSY)
            return;
        hip_called(runtime, result);
    }
}

void hip_runtime_called(struct hip_runtime *runtime, enum kfd_result result)
{
    hip_called(runtime, result);
    hip_go_on(runtime);
}

void hip_runtime_lock_free(struct hip_runtime *runtime)
{
    if (runtime->state->blocked)
        hip_go_on(runtime);
}

void hip_runtime_start(struct hip_runtime *runtime)
{
    assert(!runtime->state->started);
    runtime->state->started = 1;
    runtime->state->queue = HIP_NONE;
    hip_go_on(runtime);
}
