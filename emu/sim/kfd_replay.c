/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/kfd_replay.h"

#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"

/* amd_queue_t (ROCR-Runtime amd_hsa_queue.h), whose write index the driver is told of. */
enum {
    PROGRAM_WRITE_INDEX = 0x38,
    PROGRAM_TMPRING = 0x8c,
    PROGRAM_SCRATCH = 0xa0,
    PROGRAM_SCRATCH_BYTES = 0xa8,
    PROGRAM_LANE_BYTES = 0xb0,
};

bool kfd_replay_refuse(struct kfd_replay *replay, const char *what, uint64_t number)
{
    machine_fail(replay->machine, ERROR_INPUT, "%s (0x%llx)", what, (unsigned long long)number);
    return false;
}

static enum driver_step refuse(struct kfd_replay *replay, const char *what, uint64_t number)
{
    (void)kfd_replay_refuse(replay, what, number);
    return DRIVER_REFUSED;
}

static uint64_t slots_of(const struct kfd_replay_queue *queue)
{
    return queue->ring_bytes / AMD_AQL_BYTES;
}

/* ---- packets and doorbells --------------------------------------------------------------------
 */

static enum driver_step step_of(bool good)
{
    return good ? DRIVER_DONE : DRIVER_REFUSED;
}

static enum driver_step put_packet(struct kfd_replay *replay, const struct trace_packet *record)
{
    struct kfd_replay_queue *queue = kfd_replay_queue_used(replay, record->queue_id);

    if (!queue)
        return DRIVER_REFUSED;
    if (record->what == TRACE_PACKET_AQL && record->index >= queue->placed)
        queue->placed = record->index + 1;
    return step_of(kfd_replay_write(replay, queue->as_id, record->address, record->data.data,
                                    record->data.length));
}

static enum driver_step put_kernel(struct kfd_replay *replay, const struct trace_kernel *record)
{
    return step_of(
        kfd_replay_write(replay, record->as_id, record->kernel_address, record->descriptor.data,
                         record->descriptor.length) &&
        (record->code.length == 0 || kfd_replay_write(replay, record->as_id, record->entry_address,
                                                      record->code.data, record->code.length)));
}

/* Places of the ring's first round that no packet has come to. */
static bool make_invalid(struct kfd_replay *replay, const struct kfd_replay_queue *queue,
                         uint64_t write)
{
    static const uint16_t invalid = AMD_AQL_TYPE_INVALID;
    const uint64_t slots = slots_of(queue);
    uint64_t at = queue->placed > queue->rung ? queue->placed : queue->rung;

    for (; at < write && at < slots; at++)
        if (!kfd_replay_write(replay, queue->as_id, queue->ring_address + at * AMD_AQL_BYTES,
                              &invalid, sizeof invalid))
            return false;
    return true;
}

static enum driver_step ring(struct kfd_replay *replay, const struct trace_doorbell *record)
{
    struct kfd_replay_queue *queue = kfd_replay_queue_used(replay, record->channel_id);
    uint64_t write;

    if (!queue)
        return DRIVER_REFUSED;
    write = record->value + (queue->what == TRACE_QUEUE_AQL);
    if (write > queue->rung) {
        if ((queue->what == TRACE_QUEUE_AQL && !make_invalid(replay, queue, write)) ||
            !kfd_replay_write(replay, queue->as_id, queue->write_address, &write, sizeof write))
            return DRIVER_REFUSED;
        queue->rung = write;
    }
    amd_node_doorbell(replay->node,
                      kfd_queue_id(&replay->node->kfd->state->queues[queue->kfd_queue]),
                      record->value);
    return DRIVER_DONE;
}

/* The runtime has given scratch memory. */
static enum driver_step put_scratch(struct kfd_replay *replay,
                                    const struct trace_queue_scratch *record)
{
    const struct kfd_replay_queue *queue = kfd_replay_queue_used(replay, record->queue_id);
    uint64_t at;

    if (!queue)
        return DRIVER_REFUSED;
    if (record->what != TRACE_SCRATCH_GIVEN)
        return DRIVER_DONE;
    at = queue->write_address - PROGRAM_WRITE_INDEX;
    return step_of(kfd_replay_write(replay, queue->as_id, at + PROGRAM_TMPRING,
                                    &record->tmpring_size, sizeof record->tmpring_size) &&
                   kfd_replay_write(replay, queue->as_id, at + PROGRAM_SCRATCH, &record->address,
                                    sizeof record->address) &&
                   kfd_replay_write(replay, queue->as_id, at + PROGRAM_SCRATCH_BYTES,
                                    &record->size_bytes, sizeof record->size_bytes) &&
                   kfd_replay_write(replay, queue->as_id, at + PROGRAM_LANE_BYTES,
                                    &record->lane_bytes, sizeof record->lane_bytes));
}

static enum driver_step kfd_replay_ring(void *driver, const struct trace_record *record,
                                        uint32_t thread_index)
{
    struct kfd_replay *replay = driver;

    switch (record->head.kind) {
    case TRACE_DEVICE:
        if (replay->state->gpu_id == 0)
            replay->state->gpu_id = record->device.gpu_id;
        return DRIVER_DONE;
    case TRACE_QUEUE:
    case TRACE_QUEUE_UPDATE:
    case TRACE_CU_MASK:
    case TRACE_QUEUE_END:
        return kfd_replay_call(replay, record, thread_index);
    case TRACE_PACKET:
        return put_packet(replay, &record->packet);
    case TRACE_KERNEL:
        return put_kernel(replay, &record->kernel);
    case TRACE_DOORBELL:
        return ring(replay, &record->doorbell);
    case TRACE_QUEUE_SCRATCH:
        return put_scratch(replay, &record->queue_scratch);
    case TRACE_EVENT:
        return kfd_replay_event(replay, &record->event);
    default:
        return refuse(replay, "a record that does not belong to layer RING, of kind",
                      record->head.kind);
    }
}

/* ---- what the replay asks ---------------------------------------------------------------------
 */

/* Where a queue's address lies. */
static bool kfd_replay_locate(void *driver, uint32_t channel_id, uint64_t address,
                              struct driver_fence *place)
{
    struct kfd_replay *replay = driver;
    const struct kfd_replay_queue *queue = kfd_replay_queue_find(replay, channel_id);
    struct address_space_range where;
    uint64_t contiguous;

    if (!queue || !address_space_translate(&replay->machine->spaces,
                                           kfd_replay_space_of(replay, queue->as_id), address,
                                           &where, &contiguous))
        return false;
    place->address = where.physical;
    place->aperture = where.aperture;
    place->va = address;
    return true;
}

static bool kfd_replay_ring_place(void *driver, const struct trace_packet *packet,
                                  struct driver_fence *fence)
{
    struct kfd_replay *replay = driver;
    const struct kfd_replay_queue *queue = kfd_replay_queue_find(replay, packet->queue_id);

    uint64_t behind, room; /* as the queue's indices count */

    if (!queue || !queue->used)
        return false;
    room = queue->what == TRACE_QUEUE_SDMA ? queue->ring_bytes : slots_of(queue);
    behind = packet->index + (queue->what == TRACE_QUEUE_SDMA ? packet->data.length : 1);
    if ((packet->what != TRACE_PACKET_AQL && packet->what != TRACE_PACKET_SDMA) || behind <= room ||
        !kfd_replay_locate(replay, packet->queue_id, queue->read_address, fence))
        return false;
    fence->value = (uint32_t)(behind - room);
    return true;
}

/* The driver has no fences of its own that a program would see. */
static bool kfd_replay_fence(void *driver, uint32_t channel_id, uint32_t submission_id,
                             struct driver_fence *fence)
{
    (void)driver;
    (void)channel_id;
    (void)submission_id;
    (void)fence;
    return false;
}

static const struct driver_ops kfd_replay_ops = {
    .name = "kfd",
    .as_create = kfd_replay_as_create,
    .as_map = kfd_replay_as_map,
    .as_unmap = kfd_replay_as_unmap,
    .store = kfd_replay_store,
    .fence = kfd_replay_fence,
    .locate = kfd_replay_locate,
    .ring = kfd_replay_ring,
    .ring_place = kfd_replay_ring_place,
    .reports = kfd_replay_reports,
    .space = kfd_replay_space_of,
};

struct driver kfd_replay_driver(struct kfd_replay *replay)
{
    return (struct driver){.ops = &kfd_replay_ops, .driver = replay};
}

/* ---- wiring -----------------------------------------------------------------------------------
 */

static void kfd_replay_start(void *unit)
{
    const struct kfd_replay *replay = unit;

    amd_node_start(replay->node);
}

static const struct unit_ops kfd_replay_unit = {.start = kfd_replay_start,
                                                .finish = kfd_replay_finish};

struct kfd_replay *kfd_replay_new(struct amd_node *node)
{
    struct kfd_replay *replay = calloc(1, sizeof *replay);
    struct machine *machine = node->machine;

    if (!replay)
        return NULL;
    replay->machine = machine;
    replay->node = node;
    replay->unit = machine_add_unit(machine, "runtime", &kfd_replay_unit, replay);
    replay->state = machine_alloc(machine, sizeof *replay->state);
    extents_init(&replay->state->vram, 0, machine->config.vram_bytes);
    extents_init(&replay->state->sysmem, 0, machine->config.sysmem_bytes - AMD_NODE_DRIVER_BYTES);
    node->done = kfd_replay_call_done;
    node->lock_free = kfd_replay_lock_free;
    node->interrupt = kfd_replay_fire;
    node->exception = kfd_replay_except;
    node->client = replay;
    return replay;
}

void kfd_replay_free(struct kfd_replay *replay)
{
    free(replay);
}
