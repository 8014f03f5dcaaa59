/* SPDX-License-Identifier: MIT */
/*
 * Host's own methods, which the PBDMA executes itself: semaphores, wait-for-idle, reference,
 * interrupts.  Pascal has the SEMAPHOREA-D form (open-gpu-doc classes/host/clc06f.h), where a
 * RELEASE_WFI field of 0 means "wait" (the opposite of Volta's SEM_EXECUTE).
 */
#include <config.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

/* Registers behind the methods that only set one; 0 = none. */
static uint32_t nv_pbdma_host_register(uint32_t method)
{
    switch (method) {
    case NVC06F_SEMAPHOREA:
        return NV_PPBDMA_SEMAPHOREA;
    case NVC06F_SEMAPHOREB:
        return NV_PPBDMA_SEMAPHOREB;
    case NVC06F_SEMAPHOREC:
        return NV_PPBDMA_SEMAPHOREC;
    case NVC06F_MEM_OP_A:
        return NV_PPBDMA_MEM_OP_A;
    case NVC06F_MEM_OP_B:
        return NV_PPBDMA_MEM_OP_B;
    case NVC06F_MEM_OP_C:
        return NV_PPBDMA_MEM_OP_C;
    default:
        return 0;
    }
}

bool nv_pbdma_host_private(uint32_t method)
{
    return method == NVC06F_NOP || nv_pbdma_host_register(method) != 0;
}

static bool nv_pbdma_wait_idle(struct nv_pbdma *pbdma)
{
    if (nv_pbdma_target_idle(pbdma))
        return true;
    nv_pbdma_block(pbdma, RULE_NV_WFI);
    return false;
}

/* ---- semaphores ----------------------------------------------------------------------------- */

static uint64_t nv_pbdma_semaphore_address(const struct nv_pbdma *pbdma)
{
    return (uint64_t)(nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREA) & UINT8_MAX) << 32 |
           nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREB);
}

static bool nv_pbdma_release(struct nv_pbdma *pbdma, uint32_t execute)
{
    const bool four_words =
        REG_GET(execute, NVC06F_SEMAPHORED_RELEASE_SIZE) == NVC06F_SEMAPHORED_RELEASE_SIZE_16BYTE;
    const uint64_t address = nv_pbdma_semaphore_address(pbdma);
    const uint64_t now_ns = machine_now(pbdma->machine) / GFE_PS_PER_NS;
    const uint32_t words[4] = {nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREC), 0, (uint32_t)now_ns,
                               (uint32_t)(now_ns >> 32)};
    const size_t bytes = four_words ? sizeof words : sizeof words[0];
    uint64_t fault;

    if (REG_GET(execute, NVC06F_SEMAPHORED_RELEASE_WFI) == NVC06F_SEMAPHORED_RELEASE_WFI_EN &&
        !nv_pbdma_wait_idle(pbdma))
        return false;
    if (address % bytes != 0) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SEMAPHORE_LO);
        return false;
    }
    if (!machine_vm_write(pbdma->machine, pbdma->state->space_id, address, words, bytes, &fault)) {
        nv_pbdma_fault(pbdma, fault, true, NV_FAULT_HOST);
        return false;
    }
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_RELEASE, RULE_NV_ORDER,
                pbdma->state->channel_id, address, words[0], bytes, 0xc06f,
                pbdma->host->state->channels[pbdma->state->channel_id].gp_sequence - 1);
    return true;
}

/* The test of an acquire: pure. */
static bool nv_pbdma_acquired(uint32_t operation, uint32_t value, uint32_t payload)
{
    switch (operation) {
    case NVC06F_SEMAPHORED_OPERATION_ACQUIRE:
        return value == payload;
    case NVC06F_SEMAPHORED_OPERATION_ACQ_GEQ:
        return (int32_t)(value - payload) >= 0;
    default: /* ACQ_AND */
        return (value & payload) != 0;
    }
}

static bool nv_pbdma_acquire(struct nv_pbdma *pbdma, uint32_t operation)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint64_t address = nv_pbdma_semaphore_address(pbdma);
    struct address_space_range where;
    uint64_t contiguous, fault;
    uint32_t value;

    if (address % 4 != 0) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SEMAPHORE_LO);
        return false;
    }
    state->acquire_tries++;
    if (!machine_vm_read(pbdma->machine, state->space_id, address, &value, sizeof value, &fault)) {
        nv_pbdma_fault(pbdma, fault, false, NV_FAULT_HOST);
        return false;
    }
    if (nv_pbdma_acquired(operation, value, nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREC))) {
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_ACQUIRE, RULE_NV_ACQ, state->channel_id,
                    address, value, state->acquire_tries);
        state->acquire_tries = 0;
        return true;
    }
    /* The hardware polls every few cycles; the model looks again when the word is written. */
    if (address_space_translate(&pbdma->machine->spaces, state->space_id, address, &where,
                                &contiguous))
        machine_watch(pbdma->machine, pbdma->unit, NV_PBDMA_EVENT_WATCH, 0,
                      (enum memory_aperture)where.aperture, where.physical);
    nv_pbdma_block(pbdma, RULE_NV_ACQ);
    return false;
}

static bool nv_pbdma_semaphore(struct nv_pbdma *pbdma, uint32_t execute)
{
    const uint32_t operation = REG_GET(execute, NVC06F_SEMAPHORED_OPERATION);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_SEMAPHORED, execute);
    switch (operation) {
    case NVC06F_SEMAPHORED_OPERATION_RELEASE:
        return nv_pbdma_release(pbdma, execute);
    case NVC06F_SEMAPHORED_OPERATION_ACQUIRE:
    case NVC06F_SEMAPHORED_OPERATION_ACQ_GEQ:
    case NVC06F_SEMAPHORED_OPERATION_ACQ_AND:
        return nv_pbdma_acquire(pbdma, operation);
    case NVC06F_SEMAPHORED_OPERATION_REDUCTION:
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_FIELD,
                    NVC06F_SEMAPHORED, execute);
        return true;
    default:
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SEMAPHORE_LO);
        return false;
    }
}

/* ---- the others ----------------------------------------------------------------------------- */

bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data)
{
    const uint32_t reg = nv_pbdma_host_register(method);

    if (reg != 0) {
        nv_pbdma_set_reg(pbdma, reg, data);
        return true;
    }
    switch (method) {
    case NVC06F_NOP:
        return true;
    case NVC06F_SEMAPHORED:
        return nv_pbdma_semaphore(pbdma, data);
    case NVC06F_NON_STALL_INTERRUPT:
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_INTR, RULE_NONE,
                    pbdma->state->channel_id);
        nv_host_interrupt(pbdma->host, REG_PUT(0, NV_PFIFO_INTR_0_CHANNEL_INTR, 1));
        return true;
    case NVC06F_WFI:
        return nv_pbdma_wait_idle(pbdma);
    case NVC06F_SET_REFERENCE:
        if (!nv_pbdma_wait_idle(pbdma))
            return false;
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_REF, data);
        return true;
    case NVC06F_FB_FLUSH:
    case NVC06F_MEM_OP_D:
    case NVC06F_CRC_CHECK:
    case NVC06F_YIELD:
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_METHOD,
                    0xc06f0000u | method, data);
        return true;
    default: /* ILLEGAL, syncpoints (Tegra's), reserved */
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
}
