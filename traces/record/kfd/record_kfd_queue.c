/* SPDX-License-Identifier: MIT */
/*
 * User-mode queues of the KFD stand-in, their doorbells, and the round over all of them.
 */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_user.h"

enum { CU_MASK_BITS_MAX = 1024, AQL_RING_BYTES_MAX = 1 << 30 };

bool record_kfd_queue_is_aql(const struct record_kfd_queue *queue)
{
    return queue->type == KFD_QUEUE_AQL;
}

static struct record_kfd_queue *queue_find(struct record_kfd *kfd, uint32_t number)
{
    for (uint32_t i = 0; i < kfd->queue_count; i++)
        if (kfd->queues[i].used && kfd->queues[i].kernel_id == number)
            return &kfd->queues[i];
    return NULL;
}

/* A free place; NULL when there is none. */
static struct record_kfd_queue *queue_place(struct record_kfd *kfd)
{
    uint32_t place = 0;

    while (place < kfd->queue_count && kfd->queues[place].used)
        place++;
    if (place == RECORD_KFD_QUEUES_MAX)
        return NULL;
    if (place == kfd->queue_count)
        kfd->queue_count++;
    kfd->queues[place] = (struct record_kfd_queue){0};
    return &kfd->queues[place];
}

static void tell_queue(struct record_kfd *kfd, const struct record_caller *caller,
                       const struct record_kfd_queue *queue, const struct kfd_create_queue *create)
{
    struct trace_record record = {0};

    record.queue.queue_id = queue->number;
    record.queue.client_id = record.queue.as_id = kfd->client_id;
    record.queue.gpu_id = create->gpu_id;
    record.queue.what = record_kfd_queue_is_aql(queue) ? TRACE_QUEUE_AQL
                        : queue->type == KFD_QUEUE_PM4 ? TRACE_QUEUE_PM4
                                                       : TRACE_QUEUE_SDMA;
    record.queue.ring_address = create->ring_address;
    record.queue.ring_bytes = create->ring_bytes;
    record.queue.write_address = create->write_address;
    record.queue.read_address = create->read_address;
    record.queue.doorbell_offset = queue->doorbell * RECORD_KFD_DOORBELL_BYTES;
    record.queue.priority = create->priority;
    record.queue.percentage = create->percentage;
    record.queue.eop_address = create->eop_address;
    record.queue.eop_bytes = create->eop_bytes;
    record.queue.save_address = create->save_address;
    record.queue.save_bytes = create->save_bytes;
    record.queue.control_stack_bytes = create->control_stack_bytes;
    record_out_put(kfd->out, caller, TRACE_QUEUE, &record);
    record_out_flush(kfd->out);
}

static bool ring_is_good(const struct kfd_create_queue *create)
{
    return create->ring_bytes >= RECORD_KFD_AQL_BYTES && create->ring_bytes <= AQL_RING_BYTES_MAX &&
           (create->ring_bytes & (create->ring_bytes - 1)) == 0 && create->percentage <= 100 &&
           create->priority <= 15;
}

struct record_kfd_queue *record_kfd_queue_enter(struct record_kfd *kfd,
                                                const struct record_caller *caller,
                                                const struct kfd_create_queue *create, unsigned gpu,
                                                unsigned doorbell)
{
    struct record_kfd_queue *queue = queue_place(kfd);

    if (!queue)
        return NULL;
    *queue = (struct record_kfd_queue){
        .used = true,
        .number = kfd->numbers->queues++,
        .kernel_id = create->queue_id,
        .gpu = gpu,
        .doorbell = doorbell,
        .type = create->type,
        .percentage = create->percentage,
        .ring_va = create->ring_address,
        .ring_bytes = create->ring_bytes,
        .read_va = create->read_address,
        .write_va = create->write_address,
        .polled = create->type == KFD_QUEUE_AQL ? UINT64_MAX : 0,
    };
    kfd->gpus[gpu].rings[doorbell] = (uint32_t)(queue - kfd->queues) + 1;
    tell_queue(kfd, caller, queue, create);
    return queue;
}

int record_kfd_create_queue(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_create_queue *create)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, create->gpu_id);
    struct record_kfd_queue *queue;
    unsigned doorbell = 0;

    if (gpu == kfd->gpu_count || create->type > KFD_QUEUE_SDMA_XGMI || !ring_is_good(create))
        return -EINVAL;
    if (create->type == KFD_QUEUE_PM4) {
        record_out_mark(kfd->out, caller, "a compute queue without AQL is not modelled: refused");
        return -EINVAL;
    }
    if (record_kfd_doorbells_make(kfd, gpu) != 0)
        return -ENOMEM;
    while (doorbell < RECORD_KFD_DOORBELLS && kfd->gpus[gpu].rings[doorbell] != 0)
        doorbell++;
    create->queue_id = kfd->numbers->queues; /* of the whole recording */
    queue = doorbell < RECORD_KFD_DOORBELLS
                ? record_kfd_queue_enter(kfd, caller, create, gpu, doorbell)
                : NULL;
    if (!queue)
        return -ENOMEM;
    if (kfd->live_result != 0) {
        kfd->gpus[gpu].rings[doorbell] = 0;
        queue->used = false;
        return kfd->live_result;
    }
    kfd->gpus[gpu].doorbells[doorbell] = queue->polled;
    create->doorbell_offset = KFD_MMAP_TYPE_DOORBELL |
                              (uint64_t)create->gpu_id << KFD_MMAP_GPU_SHIFT |
                              doorbell * RECORD_KFD_DOORBELL_BYTES;
    return 0;
}

int record_kfd_destroy_queue(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct kfd_destroy_queue *which)
{
    struct record_kfd_queue *queue = queue_find(kfd, which->queue_id);
    struct trace_record record = {0};
    int result;

    if (!queue)
        return -EINVAL;
    record.queue_end.queue_id = queue->number;
    record_out_put(kfd->out, caller, TRACE_QUEUE_END, &record);
    result = kfd->live_result;
    record_out_flush(kfd->out);
    kfd->gpus[queue->gpu].rings[queue->doorbell] = 0;
    record_kfd_pass_queue_end(kfd, queue);
    queue->used = false;
    return result;
}

int record_kfd_update_queue(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct kfd_update_queue *update)
{
    struct record_kfd_queue *queue = queue_find(kfd, update->queue_id);
    struct trace_record record = {0};

    if (!queue || update->percentage > 100 || update->priority > 15)
        return -EINVAL;
    record.queue_update.queue_id = queue->number;
    record.queue_update.ring_address = update->ring_address;
    record.queue_update.ring_bytes = update->ring_bytes;
    record.queue_update.priority = update->priority;
    record.queue_update.percentage = update->percentage;
    record_out_put(kfd->out, caller, TRACE_QUEUE_UPDATE, &record);
    if (kfd->live_result != 0)
        return kfd->live_result;
    queue->percentage = update->percentage;
    if (update->ring_bytes >= RECORD_KFD_AQL_BYTES &&
        (update->ring_bytes & (update->ring_bytes - 1)) == 0) {
        queue->ring_va = update->ring_address;
        queue->ring_bytes = update->ring_bytes;
    }
    return 0;
}

int record_kfd_set_cu_mask(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct kfd_set_cu_mask *set)
{
    const struct record_kfd_queue *queue = queue_find(kfd, set->queue_id);
    struct trace_record record = {0};
    uint8_t mask[CU_MASK_BITS_MAX / 8];

    if (!queue || set->bit_count == 0 || set->bit_count % 32 != 0)
        return -EINVAL;
    if (set->bit_count > CU_MASK_BITS_MAX)
        return -EINVAL;
    if (!record_user_read(mask, set->mask_pointer, set->bit_count / 8))
        return -EFAULT;
    record.cu_mask.queue_id = queue->number;
    record.cu_mask.bit_count = set->bit_count;
    record.cu_mask.mask = (struct trace_bytes){mask, set->bit_count / 8};
    record_out_put(kfd->out, caller, TRACE_CU_MASK, &record);
    return kfd->live_result;
}

int record_kfd_queue_gws(struct record_kfd *kfd, const struct record_caller *caller,
                         struct kfd_queue_gws *gws)
{
    const struct record_kfd_queue *queue = queue_find(kfd, gws->queue_id);

    if (!queue)
        return -EINVAL;
    record_out_mark(kfd->out, caller, "queue %u: %u GWS", (unsigned)queue->number,
                    (unsigned)gws->count);
    gws->first = 0;
    return 0;
}

bool record_kfd_has_queues(const struct record_kfd *kfd)
{
    for (uint32_t i = 0; i < kfd->queue_count; i++)
        if (kfd->queues[i].used)
            return true;
    return false;
}

/* ---- doorbells ------------------------------------------------------------------------------- */

void record_kfd_doorbells_at(struct record_kfd *kfd, unsigned gpu, void *at, size_t bytes,
                             bool is_caught)
{
    kfd->gpus[gpu].program_at = at;
    kfd->gpus[gpu].program_bytes = at ? bytes : 0;
    kfd->gpus[gpu].is_polled = !is_caught;
#ifdef RECORD_UNDER
    kfd->gpus[gpu].is_polled = true; /* what is above may have another mapping of the page */
#endif
}

static unsigned gpu_of_doorbell(const struct record_kfd *kfd, const void *address)
{
    const uintptr_t wanted = (uintptr_t)address;
    unsigned gpu = 0;

    while (gpu < kfd->gpu_count &&
           wanted - (uintptr_t)kfd->gpus[gpu].program_at >= kfd->gpus[gpu].program_bytes)
        gpu++;
    return gpu;
}

bool record_kfd_is_doorbell(const struct record_kfd *kfd, const void *address)
{
    return gpu_of_doorbell(kfd, address) < kfd->gpu_count;
}

void record_kfd_queue_tell(struct record_kfd *kfd, const struct record_caller *caller,
                           struct record_kfd_queue *queue)
{
    if (kfd->live_ops)
        return; /* it reads them itself */
    record_kfd_pass_refresh(kfd, caller, queue);
    if (record_kfd_queue_is_aql(queue))
        record_kfd_aql_tell(kfd, caller, queue);
    else if (queue->type != KFD_QUEUE_PM4)
        record_kfd_sdma_tell(kfd, caller, queue);
}

/* Values count as HSA's: an AQL doorbell is the index of the last packet, SDMA's the first byte
 * behind. */
void record_kfd_queue_ring(struct record_kfd *kfd, const struct record_caller *caller,
                           struct record_kfd_queue *queue, uint64_t value)
{
    /* SDMA engines see whole dwords. */
    const uint64_t end = record_kfd_queue_is_aql(queue) ? value : value & ~3ull;
    struct trace_record record = {0};

    if (!queue->rung || end > queue->highest ||
        record_kfd_is_broken(kfd, RECORD_KFD_FAULT_DOORBELL))
        queue->highest = end;
    queue->rung = true;
    queue->polled = value;
    record_kfd_queue_tell(kfd, caller, queue);
    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_UNTOLD) && ++kfd->rung_count % 7 == 0)
        return;
    record.doorbell.channel_id = queue->number;
    record.doorbell.value = value;
    record_out_put(kfd->out, caller, TRACE_DOORBELL, &record);
}

void record_kfd_ring(struct record_kfd *kfd, const struct record_caller *caller,
                     const void *address, uint64_t value, unsigned bytes)
{
    const unsigned gpu = gpu_of_doorbell(kfd, address);
    uint64_t offset;
    uint32_t place;

    if (gpu == kfd->gpu_count)
        return;
    offset = (uint64_t)((const uint8_t *)address - kfd->gpus[gpu].program_at);
    if (offset + bytes > RECORD_KFD_DOORBELLS_BYTES)
        return;
    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_DROP) && ++kfd->rung_count % 7 == 0)
        return;
    if (!kfd->pass)
        memcpy((uint8_t *)kfd->gpus[gpu].doorbells + offset, &value, bytes);
    record_kfd_pass_before_doorbell(kfd, caller);
    place = kfd->gpus[gpu].rings[offset / RECORD_KFD_DOORBELL_BYTES];
    if (place == 0 || offset % RECORD_KFD_DOORBELL_BYTES != 0) {
        record_out_mark(kfd->out, caller, "a doorbell of no queue was rung: %#llx",
                        (unsigned long long)offset);
    } else {
        record_kfd_queue_ring(
            kfd, caller, &kfd->queues[place - 1],
            kfd->pass ? value : kfd->gpus[gpu].doorbells[offset / RECORD_KFD_DOORBELL_BYTES]);
    }
    if (kfd->pass)
        record_kfd_pass_store(kfd, gpu, offset, value, bytes);
}

void *record_kfd_poll(struct record_kfd *kfd, const struct record_caller *caller,
                      const void *address, size_t *bytes)
{
    const unsigned gpu = gpu_of_doorbell(kfd, address);

    if (gpu == kfd->gpu_count)
        return NULL;
    kfd->gpus[gpu].is_polled = true;
    *bytes = kfd->gpus[gpu].program_bytes;
    record_out_mark(kfd->out, caller,
                    "a store to a doorbell was of no known form: values may be missing");
    return kfd->gpus[gpu].program_at;
}

/* A page that is not watched: has the doorbell another value?  Those in between are lost, so the
 * write index says what there is. */
static void poll(struct record_kfd *kfd, const struct record_caller *caller,
                 struct record_kfd_queue *queue)
{
    const uint64_t value =
        __atomic_load_n(&kfd->gpus[queue->gpu].doorbells[queue->doorbell], __ATOMIC_ACQUIRE);
    const uint64_t *index;

    if (value == queue->polled)
        return;
    queue->polled = value;
    record_kfd_queue_ring(kfd, caller, queue, value);
    index = record_kfd_at(kfd, caller, queue->write_va, sizeof *index);
    if (index && record_kfd_queue_is_aql(queue) && *index > 0 && *index - 1 > queue->highest)
        queue->highest = *index - 1;
}

/* ---- the round ------------------------------------------------------------------------------- */

enum record_kfd_left record_kfd_step(struct record_kfd *kfd, const struct record_caller *caller)
{
    enum record_kfd_left waits = RECORD_KFD_IDLE;
    bool left = false, moved = false;

    if (kfd->pass)
        return record_kfd_pass_step(kfd, caller);
    for (uint32_t i = 0; i < kfd->queue_count; i++) {
        struct record_kfd_queue *queue = &kfd->queues[i];
        const uint64_t before = queue->read;

        if (!queue->used)
            continue;
        if (kfd->gpus[queue->gpu].is_polled) {
            poll(kfd, caller, queue);
            left = true;
        }
        if (kfd->live_ops || !queue->rung || queue->percentage == 0)
            continue;
        left |= record_kfd_queue_is_aql(queue) ? record_kfd_aql_work(kfd, caller, queue)
                                               : record_kfd_sdma_work(kfd, caller, queue);
        moved |= queue->read != before;
    }
    if (kfd->live_ops)
        moved = (waits = record_kfd_live_step(kfd, caller)) == RECORD_KFD_BUSY;
    if (moved)
        return RECORD_KFD_BUSY;
    return left || waits == RECORD_KFD_WAITING ? RECORD_KFD_WAITING : RECORD_KFD_IDLE;
}
