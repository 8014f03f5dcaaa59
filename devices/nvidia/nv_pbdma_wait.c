/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA does not go on: METHOD0 waits for an engine or a semaphore, or an interrupt has frozen
 * everything.  Each stretch of waiting has one rule and one that is in the way, and is one WAIT in
 * the log; METHOD0 that waits for several things one after another makes several, end to end.
 */
#include <config.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_regs.h"
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
    }
    state->phase = NV_PBDMA_BLOCKED;
    state->generation++;
}

void nv_pbdma_unblock(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->block_rule != RULE_NONE && state->block_from_ps < machine_now(pbdma->machine))
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, state->block_kind,
                    state->block_id);
    state->block_rule = RULE_NONE;
    state->block_from_ps = 0;
    state->block_kind = 0;
    state->block_id = 0;
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
    /* A frozen channel that has to leave could not be saved until now. */
    if (state->preempt &&
        (state->block_rule == RULE_NV_INTR || state->block_rule == RULE_NV_DEVICE))
        nv_pbdma_leave(pbdma);
    else
        nv_pbdma_schedule(pbdma, NV_PBDMA_BLOCKED, 0);
}

/* ---- interrupts ----------------------------------------------------------------------------- */

/* Those that leave METHOD0 as it is, for software to mend: it is tried again when the bit is
 * cleared.  Described in open-gpu-doc tu104/dev_pbdma.ref.txt, INTR_0. */
static bool nv_pbdma_tries_again(uint32_t intr_bit)
{
    switch (intr_bit) {
    case NV_PPBDMA_INTR_0_METHOD_LO:
    case NV_PPBDMA_INTR_0_METHODCRC_LO:
    case NV_PPBDMA_INTR_0_DEVICE_LO:
    case NV_PPBDMA_INTR_0_SEMAPHORE_LO:
    case NV_PPBDMA_INTR_0_ACQUIRE_LO:
        return true;
    default:
        return false;
    }
}

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
    const uint32_t mask = 1u << intr_bit % 32;
    const uint32_t rule = intr_bit == NV_PPBDMA_INTR_0_DEVICE_LO ? RULE_NV_DEVICE : RULE_NV_INTR;

    nv_pbdma_acquire_stop(pbdma);
    state->host_step = 0;
    nv_pbdma_set_reg(pbdma, at, nv_pbdma_reg(pbdma, at) | mask);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR, rule, state->channel_id,
                pbdma->pbdma_id, intr_bit, method.method, method.data);
    if (copy_engine)
        nv_pbdma_discard(pbdma, &method);
    if (copy_engine || nv_pbdma_tries_again(intr_bit)) {
        nv_pbdma_block(pbdma, rule);
    } else {
        nv_pbdma_stop(pbdma);
        nv_host_stop_channel(pbdma->host, state->channel_id, mask);
    }
    nv_host_pbdma_interrupt_changed(pbdma->host);
}

void nv_pbdma_stop(struct nv_pbdma *pbdma)
{
    nv_pbdma_acquire_stop(pbdma);
    nv_pbdma_unblock(pbdma);
    pbdma->state->host_step = 0;
    pbdma->state->phase = NV_PBDMA_STOPPED;
    pbdma->state->generation++;
}

void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind)
{
    struct nv_pbdma_state *state = pbdma->state;

    /* Fault type 2: PTE; 4: UNBOUND_INST (open-gpu-doc tu104/dev_fault.ref.txt). */
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_MMU_FAULT, RULE_NONE, state->channel_id,
                address, state->space_id == ADDRESS_SPACE_NONE ? 4 : 2, is_write, unit_kind);
    nv_pbdma_stop(pbdma);
    nv_host_stop_channel(pbdma->host, state->channel_id, 0);
    nv_host_interrupt(pbdma->host, 1u << NV_PFIFO_INTR_0_MMU_FAULT_LO);
}

void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    if (state->phase == NV_PBDMA_BLOCKED)
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT_OPEN, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, state->block_kind,
                    state->block_id);
}
