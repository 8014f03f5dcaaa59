/* SPDX-License-Identifier: MIT */
/* What a running program asks of the emulated kernel driver, and its doorbells. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "emu/live/live_kfd.h"
#include "emu/sim/live_tables.h"

static int live_errno(enum kfd_result result)
{
    static const int numbers[] = {[KFD_OK] = 0,        [KFD_PENDING] = EIO,   [KFD_BUSY] = EBUSY,
                                  [KFD_EPERM] = EPERM, [KFD_EIO] = EIO,       [KFD_ENOMEM] = ENOMEM,
                                  [KFD_EBUSY] = EBUSY, [KFD_EINVAL] = EINVAL, [KFD_ETIME] = ETIME};

    return numbers[result];
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* What an update of the page tables says. */
struct live_update {
    uint64_t va, bytes;
    uint32_t aperture, reserved;
};

static int live_map(struct live_kfd *live, const struct trace_as_map *record)
{
    struct live_update update = {
        .va = record->va,
        .bytes = record->size_bytes,
        .aperture = record->aperture == TRACE_APERTURE_VRAM ? MEMORY_VRAM : MEMORY_SYSMEM};
    struct address_space_range range = {.space_id = live->space_id};
    const uint32_t number = live->map_count++;
    bool lost;

    if (live->map_used == LIVE_MAPS_MAX)
        return -ENOMEM;
    lost =
        !machine_inject(live->machine, live->unit, live->map_site, number, &update, sizeof update);
    range.va = update.va;
    range.size_bytes = update.bytes;
    range.aperture = update.aperture == MEMORY_VRAM ? MEMORY_VRAM : MEMORY_SYSMEM;
    range.physical = MACHINE_HOST_BASE + record->va;
    /* Page tables cannot hold everything that a fault may make of an update. */
    lost = lost || update.va >= UINT64_C(1) << 48 || update.bytes >= UINT64_C(1) << 48 ||
           address_space_map(&live->machine->spaces, &range) != ADDRESS_SPACE_OK;
    live->maps[live->map_used++] = (struct live_map){update.va, update.bytes, record->va, lost};
    MACHINE_LOG(live->machine, live->unit, EVENT_LIVE_MAP, RULE_NONE, number, record->va,
                record->size_bytes, range.aperture, lost);
    return 0;
}

static int live_unmap(struct live_kfd *live, const struct trace_as_unmap *record)
{
    uint32_t place = 0;

    while (place < live->map_used && live->maps[place].asked_va != record->va)
        place++;
    if (place == live->map_used)
        return -EINVAL;
    if (!live->maps[place].lost)
        (void)address_space_unmap(&live->machine->spaces, live->space_id, live->maps[place].va,
                                  live->maps[place].bytes);
    live->maps[place] = live->maps[--live->map_used];
    return 0;
}

/* ---- queues -----------------------------------------------------------------------------------
 */

static struct live_queue *live_queue_find(struct live_kfd *live, uint32_t queue_id)
{
    for (uint32_t i = 0; i < live->queue_count; i++)
        if (live->queues[i].used && live->queues[i].queue_id == queue_id)
            return &live->queues[i];
    return NULL;
}

static struct live_queue *live_queue_new(struct live_kfd *live, uint32_t queue_id)
{
    uint32_t place = 0;

    while (place < live->queue_count && live->queues[place].used)
        place++;
    if (place == LIVE_QUEUES_MAX)
        return NULL;
    if (place == live->queue_count)
        live->queue_count++;
    live->queues[place] = (struct live_queue){.queue_id = queue_id, .kfd_queue = KFD_NONE};
    return &live->queues[place];
}

static enum kfd_result live_create(struct live_kfd *live, const struct trace_queue *record,
                                   struct live_queue *queue)
{
    const struct kfd_queue_options options = {
        .ring_address = record->ring_address,
        .read_pointer = record->read_address,
        .write_pointer = record->write_address,
        .eop_address = record->eop_address,
        .save_address = record->save_address,
        .ring_bytes = (uint32_t)record->ring_bytes,
        .eop_bytes = (uint32_t)record->eop_bytes,
        .save_bytes = record->save_bytes,
        .control_stack_bytes = record->control_stack_bytes,
        .format = record->what == TRACE_QUEUE_SDMA ? KFD_MQD_SDMA : KFD_MQD_AQL,
        .priority = record->priority,
        .percent = record->percentage,
    };

    if (record->what == TRACE_QUEUE_PM4 || record->ring_bytes > UINT32_MAX ||
        record->eop_bytes > UINT32_MAX || record->ring_bytes < AMD_AQL_BYTES)
        return KFD_EINVAL;
    return kfd_queue_create(live->node.kfd, live->process, &options, &queue->kfd_queue);
}

static enum kfd_result live_call(struct live_kfd *live, const struct trace_record *record,
                                 struct live_queue *queue)
{
    struct kfd *kfd = live->node.kfd;
    const struct trace_queue_update *update = &record->queue_update;
    uint32_t mask[32];

    switch (record->head.kind) {
    case TRACE_QUEUE:
        return live_create(live, &record->queue, queue);
    case TRACE_QUEUE_UPDATE:
        if (update->ring_bytes > UINT32_MAX ||
            (update->ring_bytes != 0 && update->ring_bytes < AMD_AQL_BYTES))
            return KFD_EINVAL;
        return kfd_queue_update(kfd, queue->kfd_queue, update->ring_address,
                                (uint32_t)update->ring_bytes, update->percentage, update->priority);
    case TRACE_CU_MASK:
        if (record->cu_mask.bit_count > sizeof mask * 8)
            return KFD_EINVAL;
        memcpy(mask, record->cu_mask.mask.data, record->cu_mask.bit_count / 8);
        return kfd_queue_set_cu_mask(kfd, queue->kfd_queue, mask, record->cu_mask.bit_count);
    default:
        return kfd_queue_destroy(kfd, queue->kfd_queue);
    }
}

/* The whole call, whatever it takes. */
static enum kfd_result live_call_through(struct live_kfd *live, const struct trace_record *record,
                                         struct live_queue *queue)
{
    enum kfd_result result;

    live->is_called = true; /* it may end within */
    while ((result = live_call(live, record, queue)) == KFD_BUSY)
        if (!live_machine_step(&live->base))
            return KFD_EBUSY;
    while (result == KFD_PENDING && live->is_called)
        if (!live_machine_step(&live->base))
            return KFD_EIO;
    return result == KFD_PENDING ? live->called : result;
}

/* A call that fails at once. */
static int live_refused(struct live_kfd *live, const struct trace_record *record, int result)
{
    if (result != 0)
        MACHINE_LOG(live->machine, live->unit, EVENT_LIVE_CALL, RULE_NONE, record->head.kind, 0,
                    (uint64_t)-result, 0);
    return result;
}

static int live_queue_call(struct live_kfd *live, gfe_ps now_ps, const struct trace_record *record)
{
    const gfe_ps begin_ps = live_kfd_advance(live, now_ps);
    const bool is_new = record->head.kind == TRACE_QUEUE;
    const uint32_t queue_id = record->queue_end.queue_id; /* the first field of all of them */
    struct live_queue *queue =
        is_new ? live_queue_new(live, queue_id) : live_queue_find(live, queue_id);
    enum kfd_result result;

    if (!queue)
        return live_refused(live, record, is_new ? -ENOMEM : -EINVAL);
    result = live_call_through(live, record, queue);
    if (is_new)
        queue->used = result == KFD_OK;
    else if (record->head.kind == TRACE_QUEUE_END)
        queue->used = false; /* whatever came of it */
    live_machine_take(&live->base, now_ps);
    MACHINE_LOG(live->machine, live->unit, EVENT_LIVE_CALL, RULE_NONE, record->head.kind, queue_id,
                (uint64_t)live_errno(result), machine_now(live->machine) - begin_ps);
    return -live_errno(result);
}

/* ---- doorbells --------------------------------------------------------------------------------
 */

static void live_doorbell(struct live_kfd *live, uint32_t kfd_queue, uint64_t value)
{
    const struct kfd_queue *queue = &live->node.kfd->state->queues[kfd_queue];

    if (queue->used)
        amd_node_doorbell(&live->node, kfd_queue_id(queue), value);
}

/* The oldest store that is on its way arrives. */
void live_kfd_ring_now(struct live_kfd *live)
{
    struct live_ring ring = live->rings[live->ring_first];

    live->ring_first = (live->ring_first + 1) % LIVE_RINGS_MAX;
    live->ring_count--;
    for (uint32_t i = 0; i < live->queue_count; i++)
        if (live->queues[i].used && live->queues[i].kfd_queue == ring.kfd_queue)
            live_doorbell(live, ring.kfd_queue, ring.value);
}

/* A program's store takes no time: only the next run carries it out, in order. */
static int live_ring(struct live_kfd *live, gfe_ps now_ps, const struct trace_doorbell *record)
{
    struct machine *machine = live->machine;
    const struct live_queue *queue = live_queue_find(live, record->channel_id);

    if (!queue)
        return -EINVAL;
    if (live->ring_count == LIVE_RINGS_MAX)
        (void)live_kfd_advance(live, now_ps);
    live->rings[(live->ring_first + live->ring_count) % LIVE_RINGS_MAX] =
        (struct live_ring){queue->kfd_queue, record->value};
    live->ring_count++;
    machine_schedule(machine, live->unit, live_machine_time(&live->base, now_ps), LIVE_RING, 0);
    return 0;
}

static int live_do(struct live_kfd *live, gfe_ps now_ps, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_AS_MAP:
        (void)live_kfd_advance(live, now_ps);
        return live_refused(live, record, live_map(live, &record->as_map));
    case TRACE_AS_UNMAP:
        (void)live_kfd_advance(live, now_ps);
        return live_refused(live, record, live_unmap(live, &record->as_unmap));
    case TRACE_QUEUE:
    case TRACE_QUEUE_UPDATE:
    case TRACE_CU_MASK:
    case TRACE_QUEUE_END:
        return live_queue_call(live, now_ps, record);
    case TRACE_DOORBELL:
        return live_ring(live, now_ps, &record->doorbell);
    default:
        return 0;
    }
}

int live_kfd_do(struct live_kfd *live, gfe_ps now_ps, const struct trace_record *record)
{
    int result;

    live->base.takes_ps = 0;
    result = live_do(live, now_ps, record);
    live_kfd_flush_exception(live);
    return result;
}
