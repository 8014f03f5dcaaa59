/* SPDX-License-Identifier: MIT */
/*
 * Host's own methods, which the PBDMA executes itself whatever their subchannel (open-gpu-doc
 * classes/host/cla06f.h to clc46f.h; prose in tu104/dev_pbdma.ref.txt).  A method that the chip's
 * class does not have raises METHOD, and so does CRC_CHECK from Ampere on, whose manual has it no
 * more although the class headers do.  Semaphores are in nv_pbdma_semaphore.c, memory operations in
 * nv_pbdma_memop.c, CLEAR_FAULTED is in nv_pbdma_faulted.c.
 *
 * ASSUMED: both scopes of WFI wait for the whole engine, because graphics and compute are one here;
 * a YIELD looks at OP alone.
 */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

/* A register behind a method that only sets one, and the bits that it keeps. */
struct nv_pbdma_operand {
    uint32_t method, reg, kept;
};

/* Host does not store the lowest two bits of a semaphore's address. */
static const struct nv_pbdma_operand operands[] = {
    {NVA06F_SEMAPHOREA, NV_PPBDMA_SEMAPHOREA, UINT8_MAX},
    {NVA06F_SEMAPHOREB, NV_PPBDMA_SEMAPHOREB, UINT32_MAX - 3},
    {NVA06F_SEMAPHOREC, NV_PPBDMA_SEMAPHOREC, UINT32_MAX},
    {NVC06F_MEM_OP_A, NV_PPBDMA_MEM_OP_A, UINT32_MAX},
    {NVC06F_MEM_OP_B, NV_PPBDMA_MEM_OP_B, UINT32_MAX},
    {NVC06F_MEM_OP_C, NV_PPBDMA_MEM_OP_C, UINT32_MAX},
    {NVC36F_SEM_ADDR_LO, NV_PPBDMA_SEMAPHOREB, UINT32_MAX - 3},
    {NVC36F_SEM_ADDR_HI, NV_PPBDMA_SEMAPHOREA, 0}, /* nv_pbdma_semaphore_upper() */
    {NVC36F_SEM_PAYLOAD_LO, NV_PPBDMA_SEMAPHOREC, UINT32_MAX},
    {NVC36F_SEM_PAYLOAD_HI, NV_PPBDMA_FORMATS, UINT32_MAX},
};

static const struct nv_pbdma_operand *nv_pbdma_operand(const struct nv_pbdma *pbdma,
                                                       uint32_t method)
{
    if (method == NVC06F_MEM_OP_B && pbdma->host->generation->mem_op == NV_MEM_OP_B_ACTS)
        return NULL;
    for (uint32_t i = 0; i < sizeof operands / sizeof operands[0]; i++)
        if (operands[i].method == method)
            return &operands[i];
    return NULL;
}

bool nv_pbdma_host_private(const struct nv_pbdma *pbdma, uint32_t method)
{
    return nv_host_knows(pbdma->host, method) &&
           (method == NVA06F_NOP || nv_pbdma_operand(pbdma, method) != NULL);
}

void nv_pbdma_unmodelled(struct nv_pbdma *pbdma, uint32_t method, uint32_t data, uint32_t what)
{
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_UNMODELLED, RULE_NONE, what,
                (uint32_t)pbdma->model->class_host << 16 | method, data);
}

static bool nv_pbdma_wait_idle(struct nv_pbdma *pbdma)
{
    if (nv_pbdma_target_idle(pbdma))
        return true;
    nv_pbdma_block(pbdma, RULE_NV_WFI);
    return false;
}

static bool nv_pbdma_set_reference(struct nv_pbdma *pbdma, uint32_t data)
{
    if (!nv_pbdma_idle_and_flushed(pbdma))
        return false;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_REF, data);
    return true;
}

/* Compares METHOD_CRC with the expected value, and clears it.  Software that wants to go on after a
 * mismatch has to write the expected value into it. */
static bool nv_pbdma_crc_check(struct nv_pbdma *pbdma, uint32_t expected)
{
    const uint32_t found = nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD_CRC);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD_CRC, 0);
    if (found == expected)
        return true;
    nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHODCRC_LO);
    return false;
}

/* PBDMA_TIMESLICE, which Volta has no more, is the turn among the channels of a TSG (INFERRED). */
static bool nv_pbdma_yield(struct nv_pbdma *pbdma, uint32_t data)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_runlist *runlist = nv_pbdma_queue(pbdma);
    const uint32_t operation = nv_field(data, NVB06F_YIELD_OP);
    bool leaves = false;

    if (!(pbdma->host->yield_operations >> operation & 1)) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
    if (operation == NVB06F_YIELD_OP_NOP)
        return true;
    leaves = operation == NVB06F_YIELD_OP_RUNLIST_TIMESLICE ? nv_runlist_yield_tsg(runlist)
                                                            : nv_runlist_yield_channel(runlist);
    if (leaves)
        state->preempt = 1;
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_YIELD, RULE_NV_YIELD, state->channel_id,
                state->tsg_id, operation, leaves);
    return true;
}

bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data)
{
    const struct nv_pbdma_operand *operand = nv_pbdma_operand(pbdma, method);

    if (!nv_host_knows(pbdma->host, method)) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
    if (operand) {
        nv_pbdma_set_reg(pbdma, operand->reg,
                         data & (method == NVC36F_SEM_ADDR_HI ? nv_pbdma_semaphore_upper(pbdma)
                                                              : operand->kept));
        return true;
    }
    switch (method) {
    case NVA06F_NOP:
        return true;
    case NVB06F_SEMAPHORED:
        return nv_pbdma_semaphore(pbdma, data);
    case NVC36F_SEM_EXECUTE:
        return nv_pbdma_sem_execute(pbdma, data);
    case NVA06F_NON_STALL_INTERRUPT:
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_INTR, RULE_NONE,
                    pbdma->state->channel_id);
        nv_intr_channel(pbdma);
        return true;
    case NVA06F_FB_FLUSH:
        return nv_pbdma_fb_flush(pbdma);
    case NVC06F_MEM_OP_B: /* of Kepler */
    case NVC06F_MEM_OP_D:
        return nv_pbdma_mem_op(pbdma, data);
    case NVA06F_SET_REFERENCE:
        return nv_pbdma_set_reference(pbdma, data);
    case NVB06F_WFI:
        return nv_pbdma_wait_idle(pbdma);
    case NVA06F_CRC_CHECK:
        if (pbdma->host->generation->bit & NV_UP_TO_TURING)
            return nv_pbdma_crc_check(pbdma, data);
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    case NVB06F_YIELD:
        return nv_pbdma_yield(pbdma, data);
    case NVC36F_CLEAR_FAULTED:
        return nv_pbdma_clear_faulted(pbdma, data);
    default: /* ILLEGAL, syncpoints (Tegra's) */
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
}
