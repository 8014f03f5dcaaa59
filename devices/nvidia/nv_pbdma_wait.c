/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA does not go on: METHOD0 waits for an engine or a semaphore, or an interrupt has frozen
 * everything.  Each stretch of waiting has one rule and one that is in the way, and is one WAIT in
 * the log; METHOD0 that waits for several things one after another makes several, end to end.
 */
#include <config.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_blocker(struct nv_pbdma *pbdma, uint32_t rule)
{
    struct nv_pbdma_state *state = pbdma->state;

    switch (rule) {
    case RULE_NV_ACQ:
        state->block_kind = SUBJECT_SEMAPHORE;
        state->block_id = nv_pbdma_semaphore_address(pbdma);
        break;
    case RULE_NV_FE_ACQ:
        state->block_kind = SUBJECT_SEMAPHORE;
        state->block_id = nv_fe_address(pbdma->fe, nv_pbdma_method(pbdma).subchannel,
                                        NVC197_SET_REPORT_SEMAPHORE_A, UINT8_MAX);
        break;
    case RULE_NV_DEVICE:
    case RULE_NV_INTR:
        state->block_kind = SUBJECT_NONE; /* software */
        state->block_id = 0;
        break;
    default:
        state->block_kind = SUBJECT_ENGINE;
        state->block_id = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);
    }
}

void nv_pbdma_block(struct nv_pbdma *pbdma, uint32_t rule)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->block_rule != rule) {
        nv_pbdma_unblock(pbdma);
        state->block_rule = rule;
        state->block_from_ps = machine_now(pbdma->machine);
        nv_pbdma_blocker(pbdma, rule);
        if (rule == RULE_B_R4)
            nv_runlist_slice_pause(&pbdma->runlists[state->runlist_id]);
    }
    state->phase = NV_PBDMA_BLOCKED;
    state->generation++;
}

void nv_pbdma_unblock(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->block_rule != RULE_NONE && state->block_rule != RULE_B_R4 /* the engine says it */ &&
        state->block_from_ps < machine_now(pbdma->machine))
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, state->block_kind,
                    state->block_id);
    if (state->block_rule == RULE_B_R4 && !state->preempt && state->in_segment)
        nv_runlist_slice_resume(&pbdma->runlists[state->runlist_id]);
    state->block_rule = RULE_NONE;
    state->block_from_ps = 0;
    state->block_kind = 0;
    state->block_id = 0;
}

/* A channel that was frozen and has to leave could not be saved until now.  It is between methods,
 * unless PRI came in the middle of a batch: then it leaves at the next place where it can. */
static bool nv_pbdma_leaves_now(const struct nv_pbdma_state *state)
{
    return state->preempt &&
           (state->block_rule == RULE_NV_INTR || state->block_rule == RULE_NV_DEVICE) &&
           (state->after_block == 0 || state->after_block == NV_PBDMA_LOADED ||
            state->after_block == NV_PBDMA_ENGINES || state->after_block == NV_PBDMA_NEXT ||
            state->after_block == NV_PBDMA_SEGMENT);
}

void nv_pbdma_resume(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->phase != NV_PBDMA_BLOCKED || nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) != 0 ||
        nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) != 0)
        return;
    if (state->block_rule == RULE_NV_ACQ) {
        nv_pbdma_poll_later(pbdma);
        return;
    }
    nv_pbdma_start_batch(pbdma);
    if (nv_pbdma_leaves_now(state)) {
        nv_pbdma_leave(pbdma);
    } else if (state->after_block) {
        nv_pbdma_unblock(pbdma);
        state->local_cycles = state->after_cycles;
        nv_pbdma_schedule(pbdma, (enum nv_pbdma_phase)state->after_block, 0);
    } else {
        nv_pbdma_schedule(pbdma, NV_PBDMA_BLOCKED, 0);
    }
    state->after_block = 0;
    state->after_cycles = 0;
}

/* ---- interrupts ----------------------------------------------------------------------------- */

/* A method that a copy engine does not take is out of METHOD0, in HCE_DBG: clearing the bit goes on
 * behind it (ASSUMED: the manual names the registers, not what happens next). */
static void nv_pbdma_discard(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HCE_DBG0, method->method);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HCE_DBG1, method->data);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
}

void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_method method = nv_pbdma_method(pbdma);
    const bool copy_engine = intr_bit >= NV_PBDMA_INTR_1;
    const uint32_t at = copy_engine ? NV_PPBDMA_INTR_1 : NV_PPBDMA_INTR_0;
    const uint32_t rule = intr_bit == NV_PPBDMA_INTR_0_DEVICE_LO ? RULE_NV_DEVICE : RULE_NV_INTR;

    nv_pbdma_acquire_stop(pbdma);
    state->host_step = 0;
    nv_pbdma_set_reg(pbdma, at, nv_pbdma_reg(pbdma, at) | 1u << intr_bit % 32);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR, rule, state->channel_id,
                pbdma->pbdma_id, intr_bit, method.method, method.data);
    if (copy_engine)
        nv_pbdma_discard(pbdma, &method);
    nv_pbdma_block(pbdma, rule);
    nv_host_pbdma_interrupt_changed(pbdma->host);
}

void nv_pbdma_interrupt_in(struct nv_pbdma *pbdma, uint32_t intr_bit, enum nv_pbdma_phase after)
{
    nv_pbdma_interrupt(pbdma, intr_bit);
    pbdma->state->after_block = after;
}

/* Where processing goes on that waits for something now, or for the step that is scheduled. */
static enum nv_pbdma_phase nv_pbdma_phase_after(const struct nv_pbdma_state *state)
{
    switch (state->phase) {
    case NV_PBDMA_ENTRY:
        return NV_PBDMA_NEXT;
    case NV_PBDMA_FETCH:
        return NV_PBDMA_SEGMENT;
    case NV_PBDMA_BLOCKED:
        return state->after_block ? (enum nv_pbdma_phase)state->after_block : NV_PBDMA_METHOD;
    default:
        return (enum nv_pbdma_phase)state->phase;
    }
}

void nv_pbdma_unsafe(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct clock_domain *clock = &pbdma->host->clock;
    const enum nv_pbdma_phase after = nv_pbdma_phase_after(state);
    const gfe_ps now = machine_now(pbdma->machine);

    switch (state->phase) {
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_LOADING:
    case NV_PBDMA_IDLE:
    case NV_PBDMA_SAVING:
    case NV_PBDMA_STOPPED:
        return;
    default:
        break;
    }
    if (nv_pbdma_frozen(pbdma))
        return;
    if (state->phase == (uint32_t)after && state->step_ps > now)
        state->after_cycles = clock_cycle_at(clock, state->step_ps) - clock_cycle_at(clock, now);
    nv_pbdma_interrupt_in(pbdma, NV_PPBDMA_INTR_0_PRI_LO, after);
}

void nv_pbdma_stop(struct nv_pbdma *pbdma)
{
    nv_pbdma_acquire_stop(pbdma);
    nv_pbdma_unblock(pbdma);
    nv_pbdma_forget(pbdma);
    pbdma->state->host_step = 0;
    pbdma->state->phase = NV_PBDMA_STOPPED;
    pbdma->state->generation++;
}

void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind)
{
    const struct nv_fault fault = {
        .unit_kind = (enum nv_fault_unit)unit_kind,
        .instance = pbdma->pbdma_id,
        .channel_id = pbdma->state->channel_id,
        .address = address,
        .access = is_write ? NV_PFAULT_ACCESS_TYPE_WRITE : NV_PFAULT_ACCESS_TYPE_READ,
    };

    nv_fault_raise(pbdma->host->faults, pbdma->unit, &fault);
    nv_pbdma_stop(pbdma);
    nv_host_stop_channel(pbdma->host, fault.channel_id, 0);
}

void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    if (state->phase == NV_PBDMA_BLOCKED)
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT_OPEN, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, state->block_kind,
                    state->block_id);
}
