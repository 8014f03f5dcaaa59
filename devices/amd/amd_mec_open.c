/* SPDX-License-Identifier: MIT */
/*
 * What the micro engines hold when nothing is left to do (unit_ops.finish): queues in slots by
 * their phase, what their packets asked for and is not complete, and dispatches whose queue is in
 * no slot.  A dispatch that is in the dispatcher is reported there (amd_dispatch_open.c), except
 * one whose waves are saved.
 */
#include <config.h>

#include "devices/amd/amd_dispatch_open.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"

enum { OPEN_PACKETS_MAX = 64, SIGNAL_VALUE = 8 };

/* What a queue waits for. */
struct amd_mec_hold {
    bool is_held;
    uint32_t rule; /* RULE_GFE_LOST: it is under way */
    struct machine_wait wait;
};

/* ---- signals --------------------------------------------------------------------------------- */

/* A barrier waits for the signal, a thread for the word in it. */
static void amd_mec_holds_signal(struct machine *machine, uint32_t unit, uint32_t kind, uint64_t id,
                                 uint64_t signal)
{
    if (signal == 0)
        return;
    machine_log_holds(machine, unit, kind, id, SUBJECT_SEMAPHORE, signal);
    machine_log_holds(machine, unit, kind, id, SUBJECT_SEMAPHORE, signal + SIGNAL_VALUE);
}

void amd_mec_holds_packets(struct machine *machine, uint32_t unit, const struct amd_mec_packets *at)
{
    uint32_t packet[AMD_AQL_DWORDS];
    uint64_t fault;

    for (uint64_t n = at->read; n < at->write && n - at->read < OPEN_PACKETS_MAX && at->count > 0;
         n++)
        if (machine_vm_read(machine, at->space_id, at->ring_address + n % at->count * AMD_AQL_BYTES,
                            packet, sizeof packet, &fault) &&
            amd_get(packet, AMD_AQL_TYPE) != AMD_AQL_TYPE_INVALID)
            amd_mec_holds_signal(machine, unit, SUBJECT_QUEUE, at->doorbell_index,
                                 amd_get(packet, AMD_AQL_KERNEL_DISPATCH_COMPLETION_SIGNAL));
}

/* What it has been written up to, in memory: the doorbell may not have come. */
static uint64_t amd_mec_written(struct amd_mec *mec, uint32_t slot_id)
{
    const uint64_t address =
        amd_mec_reg64(mec, slot_id, CP_HQD_PQ_WPTR_POLL_ADDR, CP_HQD_PQ_WPTR_POLL_ADDR_HI);
    const uint64_t known = amd_mec_queue(mec, slot_id)->write;
    uint64_t write;

    return address != 0 && amd_mec_peek(mec, slot_id, address, &write, sizeof write) &&
                   write > known
               ? write
               : known;
}

static void amd_mec_holds_ring(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_packets at = {
        .space_id = amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id)),
        .doorbell_index = amd_mec_doorbell_of(mec, slot_id),
        .ring_address = amd_mec_reg64(mec, slot_id, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8,
        .count = amd_mec_ring(mec, slot_id),
        .read = amd_mec_queue(mec, slot_id)->read,
        .write = amd_mec_written(mec, slot_id),
    };

    if (amd_mec_is_aql(mec, slot_id))
        amd_mec_holds_packets(mec->machine, mec->unit, &at);
}

/* ---- what packets asked for ------------------------------------------------------------------ */

static const struct amd_pending *amd_mec_record(const struct amd_mec *mec, uint32_t link)
{
    return &mec->state->pending[link - 1];
}

/* The first dispatch of a list that is not complete, or 0. */
static uint64_t amd_mec_first_grid(const struct amd_mec *mec, uint32_t link)
{
    while (link != 0 && amd_mec_record(mec, link)->grid_id == 0)
        link = amd_mec_record(mec, link)->next;
    return link != 0 ? amd_mec_record(mec, link)->grid_id : 0;
}

/* A dispatch whose waves are saved waits for its queue.  One that has ended, or is not in the
 * dispatcher any more, is not complete. */
static void amd_mec_open_grid(struct amd_mec *mec, const struct amd_pending *record,
                              uint32_t doorbell_index)
{
    const struct amd_grid *grid = amd_dispatch_find(mec->dispatch, record->grid_id);
    struct machine_wait wait = {record->begin_ps, SUBJECT_GRID, record->grid_id, SUBJECT_NONE, 0};

    if (record->releasing || !grid) {
        machine_log_lost(mec->machine, mec->unit, &wait);
    } else if (grid->context != 0) {
        wait.blocker_kind = SUBJECT_QUEUE;
        wait.blocker_id = doorbell_index;
        machine_log_open(mec->machine, mec->unit, RULE_AMD_CWSR, &wait);
    }
    amd_mec_holds_signal(mec->machine, mec->unit, SUBJECT_GRID, record->grid_id, record->signal);
}

/* Dispatches, and the releases behind them, which are the queue's to do. */
static void amd_mec_open_list(struct amd_mec *mec, uint32_t link, uint32_t doorbell_index)
{
    for (; link != 0; link = amd_mec_record(mec, link)->next) {
        const struct amd_pending *record = amd_mec_record(mec, link);

        if (record->grid_id != 0)
            amd_mec_open_grid(mec, record, doorbell_index);
        else
            amd_mec_holds_signal(mec->machine, mec->unit, SUBJECT_QUEUE, doorbell_index,
                                 record->signal);
    }
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void amd_mec_blame_queue(struct amd_mec_hold *hold, uint32_t doorbell_index)
{
    hold->wait.blocker_kind = SUBJECT_QUEUE;
    hold->wait.blocker_id = doorbell_index;
}

/* It waits for what it has begun. */
static void amd_mec_blame_grid(const struct amd_mec *mec, struct amd_mec_hold *hold, uint32_t link)
{
    const uint64_t grid_id = amd_mec_first_grid(mec, link);

    if (grid_id == 0)
        return;
    hold->wait.blocker_kind = SUBJECT_GRID;
    hold->wait.blocker_id = grid_id;
}

/* The firmware waits for a queue that has to leave its slot. */
static void amd_mec_blame_leaving(const struct amd_mec *mec, struct amd_mec_hold *hold)
{
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        if (amd_mec_queue(mec, slot_id)->dequeue != AMD_DEQUEUE_NONE) {
            amd_mec_blame_queue(hold, amd_mec_doorbell_of(mec, slot_id));
            return;
        }
}

static void amd_mec_hold_blocked(const struct amd_mec *mec, uint32_t slot_id,
                                 struct amd_mec_hold *hold)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    hold->rule = queue->block_rule;
    hold->wait.begin_ps = queue->blocked_ps;
    if (queue->block_address != 0) {
        hold->wait.blocker_kind = SUBJECT_SEMAPHORE;
        hold->wait.blocker_id = queue->block_address;
    } else if (queue->block_rule == RULE_AMD_SCHEDULER) {
        amd_mec_blame_leaving(mec, hold);
    } else {
        amd_mec_blame_grid(mec, hold, queue->pending_first);
    }
}

/* It waits for its pipe, which works on another's packet. */
static void amd_mec_hold_ready(const struct amd_mec *mec, uint32_t slot_id,
                               struct amd_mec_hold *hold)
{
    const struct amd_mec_pipe *pipe = amd_mec_pipe(mec, slot_id);
    const uint32_t first = slot_id - slot_id % AMD_QUEUES_PER_PIPE_MAX;

    hold->rule = RULE_GFE_LOST;
    if (!pipe->busy)
        return;
    hold->rule = RULE_AMD_PIPE;
    hold->wait.begin_ps = amd_mec_queue(mec, slot_id)->blocked_ps;
    amd_mec_blame_queue(hold, amd_mec_doorbell_of(mec, first + pipe->turn));
}

/* It takes up nothing: it has to leave, has been stopped, or has come to the end of its packets. */
static void amd_mec_hold_rest(struct amd_mec *mec, uint32_t slot_id, struct amd_mec_hold *hold)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const bool has_packet = queue->ib_depth > 0 || queue->read < queue->write;

    if (queue->dequeue != AMD_DEQUEUE_NONE) {
        hold->rule = queue->pending_first != 0 ? RULE_AMD_DEQUEUE : RULE_GFE_LOST;
        amd_mec_blame_grid(mec, hold, queue->pending_first);
    } else if (queue->phase == AMD_QUEUE_STOPPED) {
        hold->is_held = has_packet;
        hold->rule = RULE_AMD_STOPPED;
    } else if (has_packet) { /* PM4: the rest of a packet has not been written yet */
        hold->rule =
            queue->ib_depth == 0 && !amd_mec_is_aql(mec, slot_id) ? RULE_A_Q1 : RULE_GFE_LOST;
    } else if (queue->write < amd_mec_written(mec, slot_id)) {
        hold->rule = RULE_A_Q1;
    } else if (queue->pending_first != 0 &&
               amd_mec_record(mec, queue->pending_last)->grid_id == 0) {
        hold->rule = RULE_NONE; /* what is behind its dispatches is its own to do */
        amd_mec_blame_grid(mec, hold, queue->pending_first);
    } else {
        hold->is_held = false;
    }
}

static void amd_mec_hold(struct amd_mec *mec, uint32_t slot_id, struct amd_mec_hold *hold)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->phase == AMD_QUEUE_MOVING || queue->phase == AMD_QUEUE_RESTORING || queue->in_pipe ||
        queue->save == AMD_SAVE_DUE || queue->save == AMD_SAVE_MOVING)
        hold->rule = RULE_GFE_LOST;
    else if (queue->save == AMD_SAVE_GRACE) {
        hold->rule = RULE_AMD_GRACE;
        hold->wait.begin_ps = queue->asked_ps;
        amd_mec_blame_grid(mec, hold, queue->pending_first);
    } else if (queue->phase == AMD_QUEUE_BLOCKED)
        amd_mec_hold_blocked(mec, slot_id, hold);
    else if (queue->phase == AMD_QUEUE_READY)
        amd_mec_hold_ready(mec, slot_id, hold);
    else
        amd_mec_hold_rest(mec, slot_id, hold);
}

static void amd_mec_open_slot(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint32_t doorbell_index = amd_mec_doorbell_of(mec, slot_id);
    struct amd_mec_hold hold = {.is_held = true,
                                .wait = {.begin_ps = machine_now(mec->machine),
                                         .subject_kind = SUBJECT_QUEUE,
                                         .subject_id = doorbell_index}};

    if (queue->phase == AMD_QUEUE_EMPTY)
        return;
    amd_mec_hold(mec, slot_id, &hold);
    if (hold.is_held && hold.rule == RULE_GFE_LOST)
        machine_log_lost(mec->machine, mec->unit, &hold.wait);
    else if (hold.is_held)
        machine_log_open(mec->machine, mec->unit, hold.rule, &hold.wait);
    amd_mec_open_list(mec, queue->pending_first, doorbell_index);
    if (hold.is_held && queue->phase != AMD_QUEUE_MOVING)
        amd_mec_holds_ring(mec, slot_id);
}

bool amd_mec_has_queue(const struct amd_mec *mec, uint32_t doorbell_index)
{
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        if (amd_mec_queue(mec, slot_id)->phase != AMD_QUEUE_EMPTY &&
            amd_mec_doorbell_of(mec, slot_id) == doorbell_index)
            return true;
    return false;
}

void amd_mec_finish(void *unit)
{
    struct amd_mec *mec = unit;

    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        amd_mec_open_slot(mec, slot_id);
    for (uint32_t i = 0; i < mec->state->used_parked; i++)
        if (mec->state->parked[i].phase == AMD_PARKED_AWAY)
            amd_mec_open_list(mec, mec->state->parked[i].pending_first,
                              mec->state->parked[i].doorbell);
}
