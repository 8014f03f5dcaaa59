/* SPDX-License-Identifier: MIT */
/* What an SDMA engine holds when nothing is left to do (unit_ops.finish): its queues, and the copy
 * that is under way. */
#include <config.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/formats/amd_sdma_fields.h"

enum { OPEN_DWORDS = 256, SIGNAL_VALUE = 8 };

/* ---- what it would write --------------------------------------------------------------------- */

static void amd_sdma_holds(const struct amd_sdma *sdma, const struct amd_sdma_queue *queue,
                           const struct amd_packet *packet)
{
    uint64_t address = 0;

    if (packet->problem == AMD_UNKNOWN || packet->said_dwords > packet->dword_count)
        return;
    if (packet->code == AMD_SDMA_OP_FENCE)
        address = amd_get(packet->dwords, AMD_SDMA_FENCE_ADDR) & ~UINT64_C(3);
    else if (packet->code == AMD_SDMA_OP_ATOMIC)
        address = amd_get(packet->dwords, AMD_SDMA_ATOMIC_ADDR) & ~UINT64_C(3);
    if (address == 0)
        return;
    machine_log_holds(sdma->machine, sdma->unit, SUBJECT_QUEUE, queue->doorbell_index,
                      SUBJECT_SEMAPHORE, address);
    if (address >= SIGNAL_VALUE) /* of a signal, if it is one */
        machine_log_holds(sdma->machine, sdma->unit, SUBJECT_QUEUE, queue->doorbell_index,
                          SUBJECT_SEMAPHORE, address - SIGNAL_VALUE);
}

/* Packets of the ring, or of the buffer that it is in, as far as they were written. */
static void amd_sdma_holds_packets(const struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    const uint64_t left = amd_sdma_left(sdma, queue_id);
    uint32_t dwords[OPEN_DWORDS];
    struct amd_reader reader = {.dwords = dwords};
    struct amd_packet packet;
    uint64_t fault;

    while (reader.count < left && reader.count < OPEN_DWORDS &&
           amd_vm_read(sdma->vm, queue->vmid, amd_sdma_address(sdma, queue_id, reader.count),
                       &dwords[reader.count], sizeof dwords[0], &fault))
        reader.count++;
    while (amd_sdma_next(&reader, &packet))
        amd_sdma_holds(sdma, queue, &packet);
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* More is written, in memory, than the engine was told of. */
static bool amd_sdma_is_unrung(const struct amd_sdma *sdma, const struct amd_sdma_queue *queue)
{
    uint64_t write, fault;

    return queue->write_poll != 0 &&
           amd_vm_read(sdma->vm, queue->vmid, queue->write_poll, &write, sizeof write, &fault) &&
           (write & ~UINT64_C(3)) > queue->write;
}

/* It waits for the engine, which works on another's packet. */
static uint32_t amd_sdma_hold_ready(const struct amd_sdma *sdma, uint32_t queue_id,
                                    struct machine_wait *wait)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->block_rule == RULE_NONE)
        return RULE_GFE_LOST;
    wait->begin_ps = queue->blocked_ps;
    if (queue->block_rule == RULE_AMD_SDMA_ENGINE && sdma->state->turn != queue_id) {
        wait->blocker_kind = SUBJECT_QUEUE;
        wait->blocker_id = amd_sdma_queue(sdma, sdma->state->turn)->doorbell_index;
    }
    return queue->block_rule;
}

/* The engine works on its packet. */
static uint32_t amd_sdma_hold_taken(const struct amd_sdma *sdma, struct machine_wait *wait)
{
    if (sdma->state->job.kind == AMD_SDMA_NO_JOB)
        return RULE_GFE_LOST;
    wait->blocker_kind = SUBJECT_COPY;
    wait->blocker_id = sdma->state->job.copy_id;
    return RULE_AMD_SDMA_ENGINE;
}

/* Returns the rule by which the queue waits; UINT32_MAX if it holds nothing. */
static uint32_t amd_sdma_held_by(const struct amd_sdma *sdma, uint32_t queue_id,
                                 struct machine_wait *wait)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->phase == AMD_QUEUE_EMPTY)
        return UINT32_MAX;
    if (sdma->state->busy && sdma->state->turn == queue_id)
        return amd_sdma_hold_taken(sdma, wait);
    if (queue->phase == AMD_QUEUE_READY)
        return amd_sdma_hold_ready(sdma, queue_id, wait);
    if (queue->phase == AMD_QUEUE_BLOCKED) {
        wait->begin_ps = queue->blocked_ps;
        if (queue->block_address != 0) {
            wait->blocker_kind = SUBJECT_SEMAPHORE;
            wait->blocker_id = queue->block_address;
        }
        return queue->block_rule;
    }
    if (queue->phase == AMD_QUEUE_STOPPED)
        return amd_sdma_left(sdma, queue_id) > 0 ? RULE_AMD_STOPPED : UINT32_MAX;
    /* Idle: a packet that is not all there waits for the rest. */
    if (amd_sdma_left(sdma, queue_id) > 0 || amd_sdma_is_unrung(sdma, queue))
        return RULE_A_Q1;
    return queue->leaving ? RULE_GFE_LOST : UINT32_MAX;
}

static void amd_sdma_open(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct machine_wait wait = {machine_now(sdma->machine), SUBJECT_QUEUE,
                                amd_sdma_queue(sdma, queue_id)->doorbell_index, SUBJECT_NONE, 0};
    const uint32_t rule = amd_sdma_held_by(sdma, queue_id, &wait);

    if (rule == UINT32_MAX)
        return;
    if (rule == RULE_GFE_LOST)
        machine_log_lost(sdma->machine, sdma->unit, &wait);
    else
        machine_log_open(sdma->machine, sdma->unit, rule, &wait);
    amd_sdma_holds_packets(sdma, queue_id);
}

void amd_sdma_finish(void *unit)
{
    struct amd_sdma *sdma = unit;

    if (sdma->state->job.kind != AMD_SDMA_NO_JOB)
        machine_log_lost(sdma->machine, sdma->unit,
                         &(struct machine_wait){machine_now(sdma->machine), SUBJECT_COPY,
                                                sdma->state->job.copy_id, SUBJECT_NONE, 0});
    for (uint32_t queue_id = 0; queue_id < AMD_SDMA_QUEUES_MAX; queue_id++)
        amd_sdma_open(sdma, queue_id);
}
