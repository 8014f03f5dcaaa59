/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA does not go on: METHOD0 waits for an engine or a semaphore, or an interrupt has frozen
 * everything.  Each stretch of waiting has one rule and one that is in the way, and is one WAIT in
 * the log; METHOD0 that waits for several things one after another makes several, end to end.
 */
#include <config.h>

#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject_state.h"
#include "devices/nvidia/nv_open.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
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
                                        NVA097_SET_REPORT_SEMAPHORE_A, UINT8_MAX);
        break;
    case RULE_NV_CLEAR_FAULTED:
        state->block_kind = SUBJECT_CHANNEL;
        state->block_id = nv_pbdma_awaited_fault(pbdma);
        break;
    case RULE_NV_DEVICE:
    case RULE_NV_INTR:
    case RULE_NV_MEM_OP:                  /* a request that gets no answer */
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
            nv_runlist_slice_load(nv_pbdma_queue(pbdma));
    }
    state->phase = NV_PBDMA_BLOCKED;
    state->generation++;
}

void nv_pbdma_end_wait(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->block_rule != RULE_B_R4 /* the engine says it */ &&
        state->block_from_ps < machine_now(pbdma->machine))
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, state->block_kind,
                    state->block_id);
    if (state->block_rule == RULE_B_R4) {
        nv_engine_stop_waiting(pbdma->host, state->runlist_id, pbdma->pbdma_id);
        if (!state->preempt && state->in_segment)
            nv_runlist_slice_resume(nv_pbdma_queue(pbdma));
    }
    state->block_rule = RULE_NONE;
    state->block_from_ps = 0;
    state->block_kind = 0;
    state->block_id = 0;
}

/* A channel that was frozen and has to leave could not be saved until now.  It is between methods,
 * unless PRI came in the middle of a batch: then it leaves at the next place where it can.  A
 * segment of which nothing is left ends first. */
static bool nv_pbdma_leaves_now(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    return state->preempt &&
           (state->block_rule == RULE_NV_INTR || state->block_rule == RULE_NV_DEVICE) &&
           (state->after_block == 0 || state->after_block == NV_PBDMA_LOADED ||
            state->after_block == NV_PBDMA_ENGINES || state->after_block == NV_PBDMA_NEXT ||
            (state->after_block == NV_PBDMA_SEGMENT && !nv_pbdma_is_at_end(pbdma)));
}

void nv_pbdma_resume(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->phase != NV_PBDMA_BLOCKED || nv_pbdma_frozen(pbdma) ||
        state->host_step == NV_PBDMA_STEP_LOST)
        return;
    if (state->after_block == NV_PBDMA_STOPPED) {
        nv_pbdma_give_up(pbdma);
        return;
    }
    if (state->block_rule == RULE_NV_ACQ) {
        nv_pbdma_poll_later(pbdma);
        return;
    }
    if (state->block_rule == RULE_NV_CLEAR_FAULTED) {
        nv_pbdma_retry_at_tick(pbdma);
        return;
    }
    nv_pbdma_start_batch(pbdma);
    if (nv_pbdma_leaves_now(pbdma)) {
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

/* ---- stops ----------------------------------------------------------------------------------- */

static void nv_pbdma_halt(struct nv_pbdma *pbdma, bool saves)
{
    nv_pbdma_acquire_stop(pbdma);
    nv_pbdma_unblock(pbdma);
    pbdma->state->host_step = 0;
    pbdma->state->saves = saves;
    pbdma->state->phase = NV_PBDMA_STOPPED;
    pbdma->state->generation++;
}

void nv_pbdma_stop(struct nv_pbdma *pbdma)
{
    nv_pbdma_halt(pbdma, false);
    nv_pbdma_forget(pbdma);
}

/* It stands at what could not be read or written, and may try again.  A channel whose RAMFC could
 * not be read has nowhere to do so. */
static void nv_pbdma_stop_at_fault(struct nv_pbdma *pbdma)
{
    const uint32_t channel_id = pbdma->state->channel_id;

    if (pbdma->state->in_segment && (pbdma->host->generation->bit & NV_FROM_VOLTA)) {
        nv_pbdma_halt(pbdma, true);
        nv_host_fault_channel(pbdma->host, channel_id);
    } else {
        nv_pbdma_stop(pbdma);
        nv_host_stop_channel(pbdma->host, channel_id, 0);
    }
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
    nv_pbdma_stop_at_fault(pbdma);
}

/* A channel that is on the PBDMA and not blocked: it is under way, waits for the engines' contexts,
 * or has nothing to do, unless Host was not told. */
static void nv_pbdma_log_under_way(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    struct machine_wait wait = {.begin_ps = state->step_ps < machine_now(pbdma->machine)
                                                ? state->step_ps
                                                : machine_now(pbdma->machine),
                                .subject_kind = SUBJECT_CHANNEL,
                                .subject_id = state->channel_id};
    uint32_t rule = RULE_GFE_LOST, put;

    if (state->phase == NV_PBDMA_ENGINES)
        rule = nv_open_tsg(pbdma->host, state->tsg_id, &wait);
    if (state->phase == NV_PBDMA_IDLE &&
        (!nv_inject_state_userd(pbdma->machine, state->channel_id, NV_RAMUSERD_GP_PUT / 4, &put) ||
         put == nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET)))
        return;
    if (rule == RULE_GFE_LOST)
        machine_log_lost(pbdma->machine, pbdma->unit, &wait);
    else
        machine_log_open(pbdma->machine, pbdma->unit, rule, &wait);
}

void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    if (state->phase == NV_PBDMA_BLOCKED) {
        machine_log_open(pbdma->machine, pbdma->unit, state->block_rule,
                         &(struct machine_wait){state->block_from_ps, SUBJECT_CHANNEL,
                                                state->channel_id, state->block_kind,
                                                state->block_id});
        nv_open_ahead(pbdma->host, state->channel_id);
    } else if (!nv_pbdma_is_free(pbdma) && state->phase != NV_PBDMA_STOPPED) {
        nv_pbdma_log_under_way(pbdma);
    }
}
