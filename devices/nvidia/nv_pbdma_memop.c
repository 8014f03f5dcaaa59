/* SPDX-License-Identifier: MIT */
/*
 * Host methods that ask the memory system for something and wait for its answer: MEM_OP_A to D,
 * FB_FLUSH, and the system memory barrier of a wait-for-idle.  Each is one event NV_MEM_OP, a named
 * latency after its start.  Described in open-gpu-doc classes/host/clc06f.h, prose in
 * tu104/dev_pbdma.ref.txt.
 *
 * Kepler has A and B (B acts), Maxwell C and D in the same form; Pascal has operands of another
 * form in A to C, and barriers of a kind (nv_generation.h).
 *
 * There are no caches here, so that barriers and flushes have nothing to do but take their time
 * (ASSUMED).  An invalidation of translations forgets them at its end (nv_mmu.h).  Reported as
 * unmodelled: replays of faults, and values of fields that the class does not have.
 */
#include <config.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_mmu.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_tables.h"

enum { STEP_NOT_STARTED, STEP_RUNNING };

/* Kepler's, beside MEMBAR; ASSUMED: it takes as long as a barrier that is not the system's. */
enum { NVA06F_MEM_OP_B_OPERATION_SOFT_FLUSH_ = 6 };

/* Starts the operation, or ends it if its time has come.  True when it is done. */
static bool nv_pbdma_operate(struct nv_pbdma *pbdma, uint32_t operation, uint32_t latency)
{
    struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps now = machine_now(pbdma->machine);

    if (state->host_step == STEP_NOT_STARTED) {
        nv_pbdma_unblock(pbdma);
        state->host_step = STEP_RUNNING;
        state->host_from_ps = now;
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, nv_pbdma_cycles(pbdma, latency));
        return false;
    }
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_MEM_OP, RULE_NV_MEM_OP, state->channel_id,
                operation, now - state->host_from_ps,
                nv_channel_get(pbdma->host, state->channel_id)->gp_sequence - 1);
    state->host_step = STEP_NOT_STARTED;
    state->host_from_ps = 0;
    return true;
}

bool nv_pbdma_idle_and_flushed(struct nv_pbdma *pbdma)
{
    if (pbdma->state->host_step == STEP_NOT_STARTED && !nv_pbdma_target_idle(pbdma)) {
        nv_pbdma_block(pbdma, RULE_NV_WFI);
        return false;
    }
    return nv_pbdma_operate(pbdma, NV_MEM_OP_SYSMEMBAR, PARAM_NV_SYSMEMBAR_CYCLES);
}

bool nv_pbdma_fb_flush(struct nv_pbdma *pbdma)
{
    if (pbdma->state->host_step == STEP_NOT_STARTED &&
        nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_FB_FLUSH))
        return false;
    return nv_pbdma_operate(pbdma, NV_MEM_OP_FB_FLUSH, PARAM_NV_SYSMEMBAR_CYCLES);
}

static bool nv_pbdma_privileged(const struct nv_pbdma *pbdma)
{
    return REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_CONFIG), NV_PPBDMA_CONFIG_AUTH_LEVEL) != 0;
}

/* True when a field of a TLB invalidation means something that is not modelled, or nothing. */
static bool nv_pbdma_odd_invalidate(const struct nv_pbdma *pbdma, uint32_t operation)
{
    const bool has_fields = pbdma->host->generation->mem_op == NV_MEM_OP_D_ACTS;
    const uint32_t c = nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_C);
    const bool one =
        nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB) == NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB_ONE;
    const bool gpc = nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_GPC) ==
                     NVC06F_MEM_OP_C_TLB_INVALIDATE_GPC_ENABLE;

    return has_fields &&
           ((operation == NVC06F_MEM_OP_D_OPERATION_MMU_TLB_INVALIDATE_TARGETED && !one) ||
            (one && nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB_APERTURE) == 1) ||
            (gpc && nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_REPLAY) !=
                        NVC06F_MEM_OP_C_TLB_INVALIDATE_REPLAY_NONE) ||
            (gpc && nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_ACK_TYPE) >
                        NVC06F_MEM_OP_C_TLB_INVALIDATE_ACK_TYPE_INTRANODE));
}

/* The translations that operands of Pascal's form name; the older form's fields are not modelled,
 * and all are forgotten. */
static void nv_pbdma_forget_translations(struct nv_pbdma *pbdma, uint32_t operation)
{
    const uint32_t a = nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_A);
    const uint32_t b = nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_B);
    const uint32_t c = nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_C);
    const uint32_t d = nv_pbdma_method(pbdma).data;
    const uint64_t va = (uint64_t)b << 32 |
                        (uint64_t)nv_field(a, NVC06F_MEM_OP_A_TLB_INVALIDATE_TARGET_ADDR_LO) << 12;
    const uint64_t root = (uint64_t)nv_field(d, NVC06F_MEM_OP_D_TLB_INVALIDATE_PDB_ADDR_HI) << 32 |
                          (uint64_t)nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB_ADDR_LO) << 12;
    const bool one =
        pbdma->host->generation->mem_op == NV_MEM_OP_D_ACTS &&
        nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB) == NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB_ONE;

    nv_mmu_invalidate(
        pbdma->host->mmu,
        nv_host_aperture(nv_field(c, NVC06F_MEM_OP_C_TLB_INVALIDATE_PDB_APERTURE)),
        one ? &root : NULL,
        one && operation == NVC06F_MEM_OP_D_OPERATION_MMU_TLB_INVALIDATE_TARGETED ? &va : NULL);
}

static bool nv_pbdma_invalidate(struct nv_pbdma *pbdma, uint32_t operation)
{
    if (!nv_pbdma_privileged(pbdma)) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
    if (pbdma->state->host_step == STEP_NOT_STARTED && nv_pbdma_odd_invalidate(pbdma, operation))
        nv_pbdma_unmodelled(pbdma, NVC06F_MEM_OP_C, nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_C),
                            UNMODELLED_FIELD);
    if (!nv_pbdma_operate(pbdma, operation, PARAM_NV_TLB_INVALIDATE_CYCLES))
        return false;
    nv_pbdma_forget_translations(pbdma, operation);
    return true;
}

static bool nv_pbdma_membar(struct nv_pbdma *pbdma, uint32_t operation)
{
    const uint32_t c = nv_pbdma_reg(pbdma, NV_PPBDMA_MEM_OP_C);
    const uint32_t type = pbdma->host->generation->mem_op == NV_MEM_OP_D_ACTS
                              ? nv_field(c, NVC06F_MEM_OP_C_MEMBAR_TYPE)
                              : NVC06F_MEM_OP_C_MEMBAR_TYPE_SYS_MEMBAR;

    if (pbdma->state->host_step == STEP_NOT_STARTED && type > NVC06F_MEM_OP_C_MEMBAR_TYPE_MEMBAR)
        nv_pbdma_unmodelled(pbdma, NVC06F_MEM_OP_C, c, UNMODELLED_FIELD);
    return nv_pbdma_operate(pbdma, operation,
                            type == NVC06F_MEM_OP_C_MEMBAR_TYPE_SYS_MEMBAR
                                ? PARAM_NV_SYSMEMBAR_CYCLES
                                : PARAM_NV_MEMBAR_CYCLES);
}

bool nv_pbdma_mem_op(struct nv_pbdma *pbdma, uint32_t data)
{
    const uint32_t operation = nv_field(data, NVC06F_MEM_OP_D_OPERATION);

    if (pbdma->state->host_step == STEP_NOT_STARTED && nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_MEM_OP))
        return false;
    switch (pbdma->host->mem_operations >> operation & 1 ? operation : UINT32_MAX) {
    case NVC06F_MEM_OP_D_OPERATION_MEMBAR:
        return nv_pbdma_membar(pbdma, operation);
    case NVC06F_MEM_OP_D_OPERATION_MMU_TLB_INVALIDATE:
    case NVC06F_MEM_OP_D_OPERATION_MMU_TLB_INVALIDATE_TARGETED:
        return nv_pbdma_invalidate(pbdma, operation);
    case NVA06F_MEM_OP_B_OPERATION_SOFT_FLUSH_:
        return nv_pbdma_operate(pbdma, operation, PARAM_NV_MEMBAR_CYCLES);
    case NVC06F_MEM_OP_D_OPERATION_L2_PEERMEM_INVALIDATE:
    case NVC06F_MEM_OP_D_OPERATION_L2_SYSMEM_INVALIDATE:
    case NVC06F_MEM_OP_D_OPERATION_L2_CLEAN_COMPTAGS:
    case NVC06F_MEM_OP_D_OPERATION_L2_FLUSH_DIRTY:
    case NVC06F_MEM_OP_D_OPERATION_L2_WAIT_FOR_SYS_PENDING_READS:
        return nv_pbdma_operate(pbdma, operation, PARAM_NV_L2_OPERATION_CYCLES);
    case NVC36F_MEM_OP_D_OPERATION_ACCESS_COUNTER_CLR: /* there are none to clear */
        nv_pbdma_unmodelled(pbdma, NVC06F_MEM_OP_D, data, UNMODELLED_FIELD);
        return true;
    default: /* ASSUMED: as for any method that Host does not have */
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
}
