/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the resource-manager model: what an error is, in the words of an Xid, and whose TSG
 * is torn down for it.
 *
 * Xid 32: bits of a PBDMA's INTR_0 or INTR_1, except CRCs, which are Xid 80, and software methods,
 * which the driver answers (rm_software.c).  Xid 13: rm_gr.c.  Xid 109: rm_timeout.c.  Xid 31: an
 * MMU fault, of which the registers tell; buffers for faults are the recording's, and what is
 * written there this model does not see.  Xid 45: the other channels of the TSG.  Which bit makes
 * which Xid is INFERRED from nverror.h and logs.
 *
 * Not modelled: exceptions of SMs (13) and class errors of the driver's own (69), faults during a
 * context switch (44): the devices raise no interrupt for them; 43, errors of copy engines.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_fault_regs.h"
#include "devices/nvidia/formats/nv_intr_regs.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/formats/nv_top.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* NV_VIRTUAL_FUNCTION_PRIV of the physical function in BAR0 (nouveau tu102.c). */
#define RM_VIRTUAL_FUNCTION 0xb80000u

enum { RM_LEAVES = 16, RM_PBDMAS_OF_RUNLIST = 2, RM_GA100_PBDMA_BYTES = 0x800, RM_TREES = 2 };

/* ---- start ----------------------------------------------------------------------------------- */

static void rm_interrupt_start_pfifo(struct rm *rm)
{
    machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0, UINT32_MAX);
    machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0, 0x7fffffff);
    if (rm->chip->fault_enable)
        machine_write32(rm->machine, rm->chip->fault_enable, UINT32_MAX);
}

/* Everything of every runlist and leaf. */
static void rm_interrupt_start_tree(struct rm *rm)
{
    struct machine *machine = rm->machine;

    for (uint32_t i = 0; i < rm->state->runlist_count; i++)
        machine_write32(machine, rm->state->runlists[i].base + NV_RUNLIST_INTR_0_EN_SET_TREE,
                        UINT32_MAX);
    for (uint32_t i = 0; i < RM_LEAVES; i++)
        machine_write32(machine,
                        RM_VIRTUAL_FUNCTION + NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_SET + 4 * i,
                        UINT32_MAX);
    machine_write32(machine, RM_VIRTUAL_FUNCTION + NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_SET,
                    UINT32_MAX);
}

void rm_interrupt_start(struct rm *rm)
{
    struct rm_pbdma pbdma;

    for (uint32_t n = 0; rm_pbdma_find(rm, n, &pbdma); n++) {
        machine_write32(rm->machine,
                        pbdma.base +
                            (rm->chip->blocks ? NV_PPBDMA_INTR_0_EN_SET_TREE : NV_PPBDMA_INTR_EN_0),
                        UINT32_MAX);
        machine_write32(rm->machine,
                        pbdma.base +
                            (rm->chip->blocks ? NV_PPBDMA_INTR_1_EN_SET_TREE : NV_PPBDMA_INTR_EN_1),
                        UINT32_MAX);
    }
    rm_gr_start(rm);
    if (rm->chip->blocks)
        rm_interrupt_start_tree(rm);
    else
        rm_interrupt_start_pfifo(rm);
}

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

bool rm_pbdma_find(struct rm *rm, uint32_t n, struct rm_pbdma *pbdma)
{
    uint32_t word;

    *pbdma = (struct rm_pbdma){.runlist_id = RM_NONE};
    if (!rm->chip->blocks) {
        word = machine_read32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_CFG0);
        pbdma->base = NV_PPBDMA_BASE(n);
        pbdma->number = n;
        return n < REG_GET(word, NV_PFIFO_CFG0_NUM_PBDMA);
    }
    for (uint32_t i = 0; i < RM_PBDMAS_OF_RUNLIST * rm->state->runlist_count; i++) {
        const uint32_t runlist_id = i / RM_PBDMAS_OF_RUNLIST, k = i % RM_PBDMAS_OF_RUNLIST;

        word = machine_read32(rm->machine, rm->state->runlists[runlist_id].base +
                                               NV_RUNLIST_PBDMA_CONFIG + 4 * k);
        if (!REG_GET(word, NV_RUNLIST_PBDMA_CONFIG_VALID) || n-- > 0)
            continue;
        pbdma->base = REG_GET(word, NV_RUNLIST_PBDMA_CONFIG_PBDMA_BAR0_OFFSET) << 10;
        pbdma->number = (pbdma->base - NV_PPBDMA_BASE_0) / RM_GA100_PBDMA_BYTES;
        pbdma->runlist_id = runlist_id;
        return true;
    }
    return false;
}

uint32_t rm_runqueue_count(struct rm *rm, uint32_t runlist_id)
{
    struct rm_pbdma pbdma;
    uint32_t count = 0;

    for (uint32_t n = 0; rm_pbdma_find(rm, n, &pbdma); n++) {
        const uint32_t map =
            rm->chip->blocks
                ? 0
                : machine_read32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_PBDMA_MAP + 4 * n);

        count += rm->chip->blocks ? pbdma.runlist_id == runlist_id : map >> runlist_id & 1;
    }
    return count;
}

/* The runlist that a channel is on: its PBDMA's, or, where channels are numbered over all runlists,
 * the one that has it. */
static uint32_t rm_interrupt_runlist(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t chid,
                                     uint32_t *tsg_id)
{
    for (uint32_t i = 0; i < rm->state->runlist_count; i++)
        if ((pbdma->runlist_id == RM_NONE || pbdma->runlist_id == i) &&
            rm_runlist_search(rm, i, chid, 0, tsg_id, &chid))
            return i;
    return RM_NONE;
}

/* Makes the next method harmless, so that what is cleared is not raised again (nvgpu
 * pbdma_gm20b_fusa.c: a NOP in its place), and clears. */
static void rm_interrupt_clear(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t intr_0,
                               uint32_t intr_1)
{
    struct machine *machine = rm->machine;

    if (REG_GET(intr_0, NV_PPBDMA_INTR_0_PBENTRY))
        machine_write32(machine, pbdma->base + NV_PPBDMA_PB_HEADER, 0x60400000);
    if (intr_1 != 0 || REG_GET(intr_0, NV_PPBDMA_INTR_0_METHOD) ||
        REG_GET(intr_0, NV_PPBDMA_INTR_0_DEVICE) || REG_GET(intr_0, NV_PPBDMA_INTR_0_SEMAPHORE))
        machine_write32(machine, pbdma->base + NV_PPBDMA_METHOD0, 0x80600008); /* VALID, NOP */
    MACHINE_LOG(machine, rm->unit, EVENT_RM_RC_CLEAR, RULE_RM_RC, pbdma->number, intr_0, intr_1);
    machine_write32(machine, pbdma->base + NV_PPBDMA_INTR_0, intr_0);
    machine_write32(machine, pbdma->base + NV_PPBDMA_INTR_1, intr_1);
}

/* A recovery of the channel's runlist has reset an engine: the PBDMA says so, and that is all. */
static bool rm_interrupt_is_own_reset(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t chid)
{
    uint32_t tsg_id;
    const uint32_t runlist_id = rm_interrupt_runlist(rm, pbdma, chid, &tsg_id);

    return runlist_id != RM_NONE && rm->state->recoveries[runlist_id].active &&
           rm->state->recoveries[runlist_id].reset;
}

/* Returns the Xid of the bits, and logs its line.  Returns 0 if the bits are no error. */
static uint32_t rm_interrupt_xid(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t chid,
                                 uint32_t intr_0, uint32_t intr_1)
{
    const uint32_t crcs = 1u << NV_PPBDMA_INTR_0_GPCRC_LO | 1u << NV_PPBDMA_INTR_0_PBCRC_LO;
    uint32_t errors = intr_0, xid = 0;

    if (REG_GET(intr_0, NV_PPBDMA_INTR_0_DEVICE) && rm_software_answers(rm, pbdma, chid))
        errors = REG_PUT(errors, NV_PPBDMA_INTR_0_DEVICE, 0);

    if (REG_GET(intr_0, NV_PPBDMA_INTR_0_ENG_RESET) && rm_interrupt_is_own_reset(rm, pbdma, chid))
        errors = REG_PUT(errors, NV_PPBDMA_INTR_0_ENG_RESET, 0);

    if (errors & crcs) {
        xid = RM_XID_PBDMA_CRC_MISMATCH;
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_CRC, RULE_RM_RC, chid, errors & crcs,
                    pbdma->number);
    }
    if (errors & ~crcs) {
        xid = RM_XID_PBDMA_ERROR;
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_PBDMA, RULE_RM_RC, chid, errors & ~crcs,
                    pbdma->number);
    }
    if (intr_1 != 0) {
        xid = RM_XID_PBDMA_ERROR;
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_PBDMA_1, RULE_RM_RC, chid, intr_1,
                    pbdma->number, machine_read32(rm->machine, pbdma->base + NV_PPBDMA_HCE_DBG0),
                    machine_read32(rm->machine, pbdma->base + NV_PPBDMA_HCE_DBG1));
    }
    return xid;
}

void rm_interrupt_pbdmas(struct rm *rm)
{
    struct rm_pbdma pbdma;

    for (uint32_t n = 0; rm_pbdma_find(rm, n, &pbdma); n++) {
        const uint32_t intr_0 = machine_read32(rm->machine, pbdma.base + NV_PPBDMA_INTR_0);
        const uint32_t intr_1 = machine_read32(rm->machine, pbdma.base + NV_PPBDMA_INTR_1);
        const uint32_t chid = REG_GET(machine_read32(rm->machine, pbdma.base + NV_PPBDMA_CHANNEL),
                                      NV_PPBDMA_CHANNEL_CHID);
        uint32_t xid, runlist_id, tsg_id;

        if (intr_0 == 0 && intr_1 == 0)
            continue;
        xid = rm_interrupt_xid(rm, &pbdma, chid, intr_0, intr_1);
        runlist_id = xid == 0 ? RM_NONE : rm_interrupt_runlist(rm, &pbdma, chid, &tsg_id);
        if (runlist_id != RM_NONE)
            rm_recover(rm, runlist_id, tsg_id, chid, xid);
        rm_interrupt_clear(rm, &pbdma, intr_0, intr_1);
    }
}

/* ---- MMU faults ------------------------------------------------------------------------------ */

struct rm_fault {
    uint64_t instance, address;
    uint32_t engine_id, intr_bits, client, type, access;
};

/* The engine's place in the line's table: kind << 8 | which. */
static uint32_t rm_fault_engine(struct rm *rm, uint32_t engine_id)
{
    const struct rm_engine *engine = rm_top_by_fault_id(rm, engine_id);
    struct rm_pbdma pbdma;
    uint32_t count = 0;

    if (engine && engine->type == NV_TOP_GRAPHICS)
        return RM_FAULT_GRAPHICS;
    if (engine && engine->type == NV_TOP_LCE)
        return RM_FAULT_CE + engine->instance;
    while (rm_pbdma_find(rm, count, &pbdma))
        count++;
    return engine_id - rm->chip->host_fault_id < count
               ? RM_FAULT_HOST + engine_id - rm->chip->host_fault_id
               : RM_FAULT_OTHER + engine_id;
}

static void rm_fault_handle(struct rm *rm, const struct rm_fault *fault)
{
    uint32_t runlist_id = RM_NONE, tsg_id, chid = 0;
    const bool found = rm_runlist_channel_of(rm, fault->instance, &runlist_id, &tsg_id, &chid);

    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_MMU_FAULT, RULE_RM_RC, chid, fault->intr_bits,
                rm_fault_engine(rm, fault->engine_id), fault->client, fault->address, fault->type,
                fault->access);
    if (found)
        rm_recover(rm, runlist_id, tsg_id, chid, RM_XID_FIFO_ERROR_MMU_ERR_FLT);
}

/* Pascal: registers for each unit. */
static void rm_faults_gp100(struct rm *rm, uint32_t intr_0)
{
    struct machine *machine = rm->machine;
    const uint32_t ids_at = NV_PFIFO_BASE + NV_PFIFO_INTR_MMU_FAULT_ID;
    const uint32_t ids = machine_read32(machine, ids_at);

    for (uint32_t id = 0; id < 32; id++) {
        const uint32_t at = NV_PFIFO_BASE + 16 * id;
        const uint32_t inst = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_INST);
        const uint32_t info = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_INFO);
        const uint64_t high = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_HI);
        const struct rm_fault fault = {
            .instance = (uint64_t)REG_GET(inst, NV_PFIFO_INTR_MMU_FAULT_INST_PTR) << 12,
            .address = high << 32 | machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_LO),
            .engine_id = id,
            .intr_bits = intr_0 & 1u << NV_PFIFO_INTR_0_MMU_FAULT_LO,
            .client = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT),
            .type = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_TYPE),
            .access = RM_FAULT_OLD_ACCESS + REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_ACCESS_TYPE),
        };

        if (ids >> id & 1)
            rm_fault_handle(rm, &fault);
    }
    machine_write32(machine, ids_at, ids);
}

/* Volta and later: the fault that found no buffer. */
static void rm_faults_gv100(struct rm *rm)
{
    struct machine *machine = rm->machine;
    const uint32_t at = rm->chip->fault_info;
    const uint32_t status = machine_read32(machine, at + 0x14);
    const uint32_t inst = machine_read32(machine, at + 0x08);
    const uint32_t info = machine_read32(machine, at + 0x10);
    const uint64_t inst_high = machine_read32(machine, at + 0x0c);
    const uint64_t high = machine_read32(machine, at + 0x04);
    const struct rm_fault fault = {
        .instance = inst_high << 32 | (inst & ~UINT32_C(0xfff)),
        .address = high << 32 | machine_read32(machine, at),
        .engine_id = REG_GET(inst, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INST_LO_ENGINE_ID),
        .client = REG_GET(info, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO_CLIENT),
        .type = REG_GET(info, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO_FAULT_TYPE),
        .access = REG_GET(info, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO_ACCESS_TYPE),
    };

    if (!REG_GET(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID))
        return;
    rm_fault_handle(rm, &fault);
    machine_write32(machine, at + 0x14,
                    REG_PUT(0, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID, 1));
}

/* ---- the handler ----------------------------------------------------------------------------- */

void rm_interrupt(void *unit)
{
    struct rm *rm = unit;

    machine_schedule(
        rm->machine, rm->unit,
        clock_add(machine_now(rm->machine), machine_parameter(rm->machine, PARAM_RM_INTERRUPT_PS)),
        RM_INTERRUPT, 0);
}

/* What the tree has is taken before its causes are looked at. */
static void rm_interrupt_take_tree(struct rm *rm)
{
    for (uint32_t i = 0; i < RM_LEAVES; i++) {
        const uint32_t at = RM_VIRTUAL_FUNCTION + NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF + 4 * i;
        const uint32_t leaf = machine_read32(rm->machine, at);

        if (leaf != 0)
            machine_write32(rm->machine, at, leaf);
    }
    for (uint32_t i = 0; i < rm->state->runlist_count; i++) {
        const uint32_t at = rm->state->runlists[i].base + NV_RUNLIST_INTR_0;
        const uint32_t intr_0 = machine_read32(rm->machine, at);

        machine_write32(rm->machine, at, intr_0);
        rm_timeouts_runlist(rm, i, intr_0);
    }
}

static uint32_t rm_interrupt_take_pfifo(struct rm *rm)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_INTR_0;
    const uint32_t runlists_at = NV_PFIFO_BASE + NV_PFIFO_INTR_RUNLIST;
    const uint32_t intr_0 = machine_read32(rm->machine, at);

    if (REG_GET(intr_0, NV_PFIFO_INTR_0_RUNLIST_EVENT))
        machine_write32(rm->machine, runlists_at, machine_read32(rm->machine, runlists_at));
    rm_timeouts_pfifo(rm, intr_0);
    machine_write32(rm->machine, at, intr_0);
    return intr_0;
}

void rm_interrupt_handler(struct rm *rm)
{
    uint32_t intr_0 = 0;

    rm->machine->state->interrupt_line = 0;
    if (rm->chip->blocks)
        rm_interrupt_take_tree(rm);
    else
        intr_0 = rm_interrupt_take_pfifo(rm);
    rm_interrupt_pbdmas(rm);
    rm_gr_interrupt(rm);
    if (rm->chip->fault_info)
        rm_faults_gv100(rm);
    else
        rm_faults_gp100(rm, intr_0);
}
