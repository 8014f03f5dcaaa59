/* SPDX-License-Identifier: MIT */
/*
 * SAVE_WAVES and RESET_WAVES: what becomes of a queue that has to leave its slot before its
 * dispatches are complete, and how it goes on in another.
 *
 * A queue is known again by its descriptor (CP_MQD_BASE_ADDR), page tables, doorbell and ring, and,
 * if waves of it were saved, by where its control stack and its waves' state end.
 */
#include <config.h>

#include <assert.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/amd_cwsr.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"

enum { STACK_ENTRY_BYTES = 8 /* of each wave; gfx9 */ };

static struct amd_parked *amd_mec_context(const struct amd_mec *mec, uint32_t context)
{
    return &mec->state->parked[context - 1];
}

static uint64_t amd_mec_mqd_of(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_mec_reg64(mec, slot_id, CP_MQD_BASE_ADDR, CP_MQD_BASE_ADDR_HI);
}

static uint64_t amd_mec_ring_address(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_mec_reg64(mec, slot_id, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8;
}

static uint32_t amd_mec_space(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id));
}

static uint32_t amd_mec_ace(uint32_t slot_id, uint32_t *queue)
{
    assert(amd_mec_me(slot_id) == 1);
    *queue = slot_id % AMD_QUEUES_PER_PIPE_MAX;
    return amd_mec_pipe_of(slot_id);
}

/* ---- the context save area ------------------------------------------------------------------- */

static uint32_t amd_mec_stack_bytes(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_mec_reg(mec, slot_id, CP_HQD_CNTL_STACK_SIZE) & CNTL_STACK_BYTES_MASK;
}

static uint32_t amd_mec_area_bytes(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_mec_reg(mec, slot_id, CP_HQD_CTX_SAVE_SIZE) & CTX_SAVE_BYTES_MASK;
}

/* Is there room in the area, and memory behind it? */
static bool amd_mec_area_holds(struct amd_mec *mec, uint32_t slot_id,
                               const struct amd_cwsr_size *size)
{
    const uint64_t base =
        amd_mec_reg64(mec, slot_id, CP_HQD_CTX_SAVE_BASE_ADDR_LO, CP_HQD_CTX_SAVE_BASE_ADDR_HI);
    const uint32_t stack = amd_mec_stack_bytes(mec, slot_id);
    const uint64_t area = amd_mec_area_bytes(mec, slot_id);
    uint32_t word;

    if (size->waves == 0)
        return true;
    return (uint64_t)size->waves * STACK_ENTRY_BYTES <= stack && stack + size->bytes <= area &&
           amd_mec_peek(mec, slot_id, base + stack, &word, sizeof word) &&
           amd_mec_peek(mec, slot_id, base + stack + size->bytes - sizeof word, &word, sizeof word);
}

/* The stack grows down from its end, what is saved of waves up from there. */
static void amd_mec_set_area(struct amd_mec *mec, uint32_t slot_id, uint32_t waves, uint64_t bytes)
{
    const uint32_t stack = amd_mec_stack_bytes(mec, slot_id);

    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_CNTL_STACK_OFFSET) = stack - waves * STACK_ENTRY_BYTES;
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_WG_STATE_OFFSET) = stack + (uint32_t)bytes;
}

static gfe_ps amd_mec_move_ps(const struct amd_mec *mec, uint32_t fixed, uint64_t bytes)
{
    const uint64_t per_us = machine_parameter(mec->machine, PARAM_AMD_SAVE_BYTES_PER_US);

    return machine_parameter(mec->machine, fixed) + bytes * GFE_PS_PER_US / (per_us ? per_us : 1);
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* Returns a free context, or 0 if there is none. */
static uint32_t amd_mec_new_context(struct amd_mec *mec)
{
    for (uint32_t i = 0; i < mec->state->used_parked; i++)
        if (mec->state->parked[i].phase == AMD_PARKED_FREE)
            return i + 1;
    return mec->state->used_parked < AMD_PARKED_MAX ? ++mec->state->used_parked : 0;
}

/* The queue's list is the context's. */
void amd_mec_park(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    struct amd_parked *parked;

    if (queue->context == 0)
        queue->context = amd_mec_new_context(mec);
    if (queue->context == 0)
        return;
    parked = amd_mec_context(mec, queue->context);
    if (parked->phase == AMD_PARKED_SAVING)
        amd_mec_release_park(mec);
    parked->mqd_address = amd_mec_mqd_of(mec, slot_id);
    parked->ring_address = amd_mec_ring_address(mec, slot_id);
    parked->space_id = amd_mec_space(mec, slot_id);
    parked->doorbell = amd_mec_doorbell_of(mec, slot_id);
    parked->stack_offset = amd_mec_reg(mec, slot_id, CP_HQD_CNTL_STACK_OFFSET);
    parked->state_offset = amd_mec_reg(mec, slot_id, CP_HQD_WG_STATE_OFFSET);
    amd_mec_park_list(mec, slot_id, parked);
    parked->ib_depth = queue->ib_depth;
    parked->ib_signal = queue->ib_signal;
    for (uint32_t i = 0; i < AMD_IB_DEPTH; i++)
        parked->ibs[i] = queue->ibs[i];
    parked->phase = AMD_PARKED_AWAY;
    queue->ib_depth = 0;
}

/* It will not be back. */
static void amd_mec_forget_context(struct amd_mec *mec, uint32_t context)
{
    struct amd_parked *parked = amd_mec_context(mec, context);

    amd_cwsr_forget(mec->dispatch, context);
    amd_mec_drop_list(mec, parked);
    *parked = (struct amd_parked){0};
}

void amd_mec_forget(struct amd_mec *mec, uint64_t mqd_address)
{
    for (uint32_t i = 0; i < mec->state->used_parked; i++)
        if (mec->state->parked[i].phase == AMD_PARKED_AWAY &&
            mec->state->parked[i].mqd_address == mqd_address)
            amd_mec_forget_context(mec, i + 1);
}

bool amd_mec_is_parked(const struct amd_mec *mec, uint64_t mqd_address)
{
    for (uint32_t i = 0; i < mec->state->used_parked; i++)
        if (mec->state->parked[i].phase == AMD_PARKED_AWAY &&
            mec->state->parked[i].mqd_address == mqd_address)
            return true;
    return false;
}

/* Returns the context of the queue that a slot was loaded with, or 0 if there is none.  Drops a
 * context that another queue has left with a descriptor at the same address. */
static uint32_t amd_mec_find_context(struct amd_mec *mec, uint32_t slot_id)
{
    const uint64_t mqd = amd_mec_mqd_of(mec, slot_id);

    for (uint32_t i = 0; i < mec->state->used_parked && mqd != 0; i++) {
        const struct amd_parked *parked = &mec->state->parked[i];

        if (parked->phase != AMD_PARKED_AWAY || parked->mqd_address != mqd)
            continue;
        if (parked->ring_address == amd_mec_ring_address(mec, slot_id) &&
            parked->space_id == amd_mec_space(mec, slot_id) &&
            parked->doorbell == amd_mec_doorbell_of(mec, slot_id) &&
            parked->stack_offset == amd_mec_reg(mec, slot_id, CP_HQD_CNTL_STACK_OFFSET) &&
            parked->state_offset == amd_mec_reg(mec, slot_id, CP_HQD_WG_STATE_OFFSET) &&
            amd_mec_me(slot_id) == 1)
            return i + 1;
        amd_mec_forget_context(mec, i + 1);
        return 0;
    }
    return 0;
}

/* ---- saving ---------------------------------------------------------------------------------- */

static void amd_mec_schedule_save(struct amd_mec *mec, uint32_t slot_id, gfe_ps after_ps,
                                  uint32_t kind)
{
    machine_schedule(mec->machine, mec->unit, machine_now(mec->machine) + after_ps, kind,
                     (uint64_t)amd_mec_queue(mec, slot_id)->visit << 32 | slot_id);
}

void amd_mec_save_begin(struct amd_mec *mec, uint32_t slot_id)
{
    const struct clock_domain clock = {.frequency_hz = mec->chip->shader_hz};
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint64_t units =
        REG_GET(machine_read32(mec->machine, CP_IQ_WAIT_TIME2), CP_IQ_WAIT_TIME2__SCH_WAVE);
    uint32_t ace_queue, ace;

    if (amd_mec_me(slot_id) != 1 || amd_mec_mqd_of(mec, slot_id) == 0 ||
        amd_mec_area_bytes(mec, slot_id) == 0)
        return; /* it drains */
    ace = amd_mec_ace(slot_id, &ace_queue);
    amd_cwsr_hold(mec->dispatch, ace, ace_queue);
    queue->save = AMD_SAVE_GRACE;
    queue->asked_ps = machine_now(mec->machine);
    if (!queue->by_firmware)
        amd_mec_schedule_save(mec, slot_id, 0, AMD_MEC_STOP);
    else if (units != 0) /* else for ever */
        amd_mec_schedule_save(
            mec, slot_id,
            clock_after_cycles(&clock, 0,
                               units * machine_parameter(mec->machine, PARAM_AMD_GRACE_CYCLES)),
            AMD_MEC_STOP);
}

/* Its waves cannot be saved: they end. */
static void amd_mec_drain(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t ace_queue;
    const uint32_t ace = amd_mec_ace(slot_id, &ace_queue);

    amd_cwsr_let(mec->dispatch, ace, ace_queue);
    queue->save = AMD_SAVE_NONE;
}

/* The grace period is over and its pipe does not work on a packet of it: its waves stop. */
static void amd_mec_stop_waves(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint32_t context = amd_mec_new_context(mec);
    struct amd_cwsr_size size;
    uint32_t ace_queue;
    const uint32_t ace = amd_mec_ace(slot_id, &ace_queue);
    const bool room = amd_cwsr_measure(mec->dispatch, ace, ace_queue, &size);
    gfe_ps takes_ps;

    if (queue->dispatches == queue->releasing) { /* all have just ended */
        amd_mec_drain(mec, slot_id);
        return;
    }
    amd_mec_log_wait(mec, slot_id, RULE_AMD_GRACE, queue->asked_ps);
    if (!room || context == 0 || !amd_mec_area_holds(mec, slot_id, &size) ||
        !amd_mec_reserve_park(mec)) {
        MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_SAVE_REFUSED, RULE_AMD_SAVE_ROOM, slot_id,
                    amd_mec_doorbell_of(mec, slot_id), size.blocks, size.waves, size.bytes);
        amd_mec_drain(mec, slot_id);
        return;
    }
    amd_cwsr_stop(mec->dispatch, ace, ace_queue, context);
    takes_ps = amd_mec_move_ps(mec, PARAM_AMD_SAVE_PS, size.bytes);
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_QUEUE_SAVE, RULE_AMD_CWSR, slot_id,
                amd_mec_doorbell_of(mec, slot_id), size.blocks, size.waves, size.bytes, takes_ps);
    *amd_mec_context(mec, context) = (struct amd_parked){.phase = AMD_PARKED_SAVING,
                                                         .bytes = size.bytes,
                                                         .waves = size.waves,
                                                         .blocks = size.blocks};
    queue->context = context;
    queue->save = AMD_SAVE_MOVING;
    amd_mec_schedule_save(mec, slot_id, takes_ps, AMD_MEC_SAVED);
}

void amd_mec_save_go_on(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->save == AMD_SAVE_DUE && !queue->in_pipe)
        amd_mec_stop_waves(mec, slot_id);
}

void amd_mec_save_event(struct amd_mec *mec, uint32_t kind, uint64_t argument)
{
    const uint32_t slot_id = (uint32_t)argument;
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const struct amd_parked *parked;

    if (queue->visit != argument >> 32)
        return;
    if (kind != AMD_MEC_STOP &&
        !machine_inject(mec->machine, mec->unit,
                        kind == AMD_MEC_SAVED ? AMD_INJECT_SAVE_END : AMD_INJECT_RESTORE_END,
                        amd_mec_doorbell_of(mec, slot_id), NULL, 0))
        return; /* it never ends */
    if (kind == AMD_MEC_RESTORED) {
        amd_mec_restored(mec, slot_id);
        return;
    }
    if (kind == AMD_MEC_STOP && queue->save == AMD_SAVE_GRACE) {
        queue->save = AMD_SAVE_DUE;
        amd_mec_save_go_on(mec, slot_id);
    } else if (kind == AMD_MEC_SAVED && queue->save == AMD_SAVE_MOVING) {
        parked = amd_mec_context(mec, queue->context);
        amd_cwsr_release(mec->dispatch, queue->context);
        amd_mec_set_area(mec, slot_id, parked->waves, parked->bytes);
        queue->save = AMD_SAVE_DONE;
    }
    amd_mec_leave_if_done(mec, slot_id);
}

/* ---- going on -------------------------------------------------------------------------------- */

bool amd_mec_restore(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint32_t context = amd_mec_find_context(mec, slot_id);
    struct amd_parked *parked;
    gfe_ps takes_ps = 0;

    if (context == 0)
        return false;
    parked = amd_mec_context(mec, context);
    queue->context = context;
    queue->ib_depth = parked->ib_depth;
    queue->ib_signal = parked->ib_signal;
    for (uint32_t i = 0; i < AMD_IB_DEPTH; i++)
        queue->ibs[i] = parked->ibs[i];
    amd_mec_unpark_list(mec, slot_id, parked);
    parked->phase = AMD_PARKED_RESTORING;
    queue->phase = AMD_QUEUE_RESTORING;
    if (parked->waves != 0) {
        takes_ps = amd_mec_move_ps(mec, PARAM_AMD_RESTORE_PS, parked->bytes);
        MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_QUEUE_RESTORE, RULE_AMD_CWSR, slot_id,
                    amd_mec_doorbell_of(mec, slot_id), parked->blocks, parked->waves, parked->bytes,
                    takes_ps);
    }
    amd_mec_schedule_save(mec, slot_id, takes_ps, AMD_MEC_RESTORED);
    return true;
}

void amd_mec_restored(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t masks[AMD_SHADER_ENGINES_MAX], ace_queue;
    const uint32_t ace = amd_mec_ace(slot_id, &ace_queue);

    amd_mec_cu_masks(mec, slot_id, masks);
    amd_cwsr_resume(mec->dispatch, queue->context, ace, ace_queue, masks);
    if (amd_mec_context(mec, queue->context)->waves != 0)
        amd_mec_set_area(mec, slot_id, 0, 0);
    *amd_mec_context(mec, queue->context) = (struct amd_parked){0};
    queue->context = 0;
    queue->phase = AMD_QUEUE_IDLE;
    if (queue->dequeue == AMD_DEQUEUE_SAVE)
        amd_mec_save_begin(mec, slot_id);
    amd_mec_next(mec, slot_id);
    amd_mec_turn_of(mec, slot_id);
}

/* ---- throwing away --------------------------------------------------------------------------- */

void amd_mec_throw(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (amd_mec_me(slot_id) == 1) {
        uint32_t ace_queue;
        const uint32_t ace = amd_mec_ace(slot_id, &ace_queue);

        amd_cwsr_drop(mec->dispatch, ace, ace_queue);
    }
    amd_mec_remove_unfinished(mec, slot_id);
    queue->ib_depth = 0;
}

/* ---- reset ----------------------------------------------------------------------------------- */

/* Its waves are moved, to memory or back: they are no more. */
static void amd_mec_lose_context(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->save == AMD_SAVE_GRACE || queue->save == AMD_SAVE_DUE)
        amd_mec_drain(mec, slot_id);
    if (queue->context != 0 && queue->save != AMD_SAVE_DONE) {
        struct amd_parked *parked = amd_mec_context(mec, queue->context);

        amd_cwsr_forget(mec->dispatch, queue->context);
        if (parked->phase == AMD_PARKED_SAVING)
            amd_mec_release_park(mec);
        *parked = (struct amd_parked){0};
        queue->context = 0;
    }
    if (queue->save != AMD_SAVE_DONE)
        queue->save = AMD_SAVE_NONE;
    if (queue->phase == AMD_QUEUE_RESTORING)
        queue->phase = AMD_QUEUE_IDLE;
    queue->visit++; /* what is under way of it means nothing */
}

static void amd_mec_reset_slot(struct amd_mec *mec, uint32_t slot_id)
{
    if (amd_mec_active(mec, slot_id))
        amd_mec_lose_context(mec, slot_id);
    amd_mec_queue(mec, slot_id)->dequeue = AMD_DEQUEUE_NONE;
    amd_mec_dequeue(mec, slot_id, AMD_DEQUEUE_RESET);
}

void amd_mec_reset_queue(struct amd_mec *mec, uint32_t doorbell_index)
{
    const uint32_t slot_id = amd_mec_slot_of(mec, doorbell_index);

    if (slot_id != AMD_NO_SLOT)
        amd_mec_reset_slot(mec, slot_id);
}

void amd_mec_reset(struct amd_mec *mec)
{
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        amd_mec_reset_slot(mec, slot_id);
    for (uint32_t i = 0; i < mec->state->used_parked; i++)
        if (mec->state->parked[i].phase == AMD_PARKED_AWAY)
            amd_mec_forget_context(mec, i + 1);
}
