/* SPDX-License-Identifier: MIT */
/* Slots: how a queue comes into one and leaves. */
#include <config.h>

#include "devices/amd/amd_cwsr.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* Where in all that was ever written the queue goes on.  RPTR says where in the ring, which is
 * behind the write pointer by no more than the ring's length; of an AQL queue the program's own
 * memory has the whole number. */
static uint64_t amd_mec_read_pointer(struct amd_mec *mec, uint32_t slot_id, uint64_t write,
                                     uint64_t ring)
{
    const uint64_t report =
        amd_mec_reg64(mec, slot_id, CP_HQD_PQ_RPTR_REPORT_ADDR, CP_HQD_PQ_RPTR_REPORT_ADDR_HI);
    const bool aql = amd_mec_is_aql(mec, slot_id);
    uint64_t at = amd_mec_reg(mec, slot_id, CP_HQD_PQ_RPTR), reported;

    if (aql)
        at /= AMD_AQL_DWORDS;
    if (aql && report != 0 && amd_mec_peek(mec, slot_id, report, &reported, sizeof reported) &&
        reported <= write && write - reported <= ring)
        return reported;
    at = write / ring * ring + at % ring;
    return at <= write ? at : at >= ring ? at - ring : write;
}

/* The queue goes on where its registers say. */
void amd_mec_begin(struct amd_mec *mec, uint32_t slot_id, bool by_firmware, uint32_t dequeue)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint64_t base = amd_mec_reg64(mec, slot_id, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8;
    const uint64_t write = amd_mec_reg64(mec, slot_id, CP_HQD_PQ_WPTR_LO, CP_HQD_PQ_WPTR_HI);
    const uint64_t ring = amd_mec_ring(mec, slot_id);
    const bool aql = amd_mec_is_aql(mec, slot_id);

    *queue = (struct amd_mec_queue){.write = write,
                                    .phase = AMD_QUEUE_IDLE,
                                    .dequeue = dequeue,
                                    .by_firmware = by_firmware,
                                    .generation = queue->generation + 1,
                                    .visit = queue->visit + 1};
    if (ring != 0)
        queue->read = amd_mec_read_pointer(mec, slot_id, write, ring);
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_QUEUE_LOAD, RULE_NONE, slot_id,
                amd_mec_doorbell_of(mec, slot_id), amd_mec_vmid(mec, slot_id), aql, base,
                ring * (aql ? AMD_AQL_BYTES : 4), queue->read);
    if (ring == 0) { /* not even one packet */
        amd_mec_stop(mec, slot_id, CP_HQD_ERROR__AQL_ERROR_LO, 0);
        amd_mec_leave_if_done(mec, slot_id);
        return;
    }
    if (amd_mec_restore(mec, slot_id))
        return;
    amd_mec_next(mec, slot_id);
    amd_mec_turn_of(mec, slot_id);
}

/* The driver has set ACTIVE. */
void amd_mec_activate(void *unit, uint32_t slot_id)
{
    struct amd_mec *mec = unit;

    if (amd_mec_queue(mec, slot_id)->phase == AMD_QUEUE_EMPTY)
        amd_mec_begin(mec, slot_id, false, AMD_DEQUEUE_NONE);
}

void amd_mec_left(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    *queue = (struct amd_mec_queue){
        .phase = AMD_QUEUE_EMPTY, .generation = queue->generation, .visit = queue->visit};
    if (mec->client.left)
        mec->client.left(mec->client.client, slot_id);
}

/* May it leave now?  Saved, it takes what is not complete with it. */
static bool amd_mec_may_leave(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->dequeue == AMD_DEQUEUE_NONE || queue->in_pipe ||
        queue->phase == AMD_QUEUE_RESTORING || !amd_mec_active(mec, slot_id) ||
        queue->save == AMD_SAVE_MOVING)
        return false;
    return queue->save == AMD_SAVE_DONE ? queue->releasing == 0 : queue->pending_first == 0;
}

/* What a queue that leaves is in the middle of goes with it. */
static void amd_mec_take_along(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->save == AMD_SAVE_GRACE || queue->save == AMD_SAVE_DUE)
        amd_cwsr_let(mec->dispatch, amd_mec_pipe_of(slot_id), slot_id % AMD_QUEUES_PER_PIPE_MAX);
    if (queue->save == AMD_SAVE_DONE ||
        (queue->ib_depth > 0 && amd_mec_me(slot_id) == 1 &&
         amd_mec_reg64(mec, slot_id, CP_MQD_BASE_ADDR, CP_MQD_BASE_ADDR_HI) != 0))
        amd_mec_park(mec, slot_id);
}

void amd_mec_leave_if_done(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (!amd_mec_may_leave(mec, slot_id))
        return;
    if (queue->block_rule != RULE_NONE)
        amd_mec_log_block(mec, slot_id);
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_QUEUE_LEAVE, RULE_AMD_DEQUEUE, slot_id,
                amd_mec_doorbell_of(mec, slot_id), queue->dequeue, queue->read);
    amd_mec_take_along(mec, slot_id);
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_ACTIVE) = 0;
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_DEQUEUE_REQUEST) = 0;
    queue->generation++;
    queue->phase = AMD_QUEUE_MOVING;
    amd_mec_save(mec, slot_id);
    if (queue->by_firmware)
        machine_schedule(mec->machine, mec->unit,
                         machine_now(mec->machine) +
                             machine_parameter(mec->machine, PARAM_AMD_SLOT_LOAD_PS),
                         AMD_MEC_LEFT, slot_id);
    else
        amd_mec_left(mec, slot_id);
}

void amd_mec_dequeue(void *unit, uint32_t slot_id, uint32_t request)
{
    struct amd_mec *mec = unit;
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const bool works = queue->in_pipe || queue->phase == AMD_QUEUE_RESTORING;

    if (queue->phase == AMD_QUEUE_EMPTY || queue->dequeue != AMD_DEQUEUE_NONE)
        return;
    queue->dequeue = request;
    if (queue->phase == AMD_QUEUE_READY)
        queue->phase = AMD_QUEUE_IDLE;
    if (!amd_mec_active(mec, slot_id))
        return; /* it is being loaded */
    if (request == AMD_DEQUEUE_RESET && !works)
        amd_mec_throw(mec, slot_id);
    if (request == AMD_DEQUEUE_SAVE && queue->phase != AMD_QUEUE_RESTORING &&
        (works || queue->pending_first != 0))
        amd_mec_save_begin(mec, slot_id);
    amd_mec_leave_if_done(mec, slot_id);
}

void amd_mec_unmap(struct amd_mec *mec, uint32_t slot_id, enum amd_dequeue how)
{
    amd_mec_dequeue(mec, slot_id, how);
}

bool amd_mec_busy(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    return queue->pending_first != 0 || queue->phase == AMD_QUEUE_READY ||
           queue->phase == AMD_QUEUE_TAKEN || queue->phase == AMD_QUEUE_BLOCKED ||
           queue->phase == AMD_QUEUE_RESTORING;
}
