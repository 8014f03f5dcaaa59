/* SPDX-License-Identifier: MIT */
/* A runlist's block of registers, from Ampere on: what writes do, and what reads show. */
#include <config.h>

#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_chram.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist_status.h"
#include "devices/nvidia/nv_tables.h"

enum {
    NV_RUNLIST_TREES = 2,
    NV_RUNLIST_RUNQUEUES = 2,
    NV_RUNLIST_ENGINES = 3,
    NV_RUNLIST_IDLE_FILTER_RESET = 0x50,
    /* ASSUMED, as no address is published: where CCSR was. */
    NV_CHRAM_BASE = 0x800000,
    /* ASSUMED: tree 0 has the stalling interrupts' vectors, tree 1 the others', by runlist. */
    NV_RUNLIST_VECTOR_0 = 256,
    NV_RUNLIST_VECTOR_1 = 0,
};

static uint32_t nv_runlist_regs_read(void *unit, const struct mmio_window *window, uint32_t offset,
                                     uint32_t stored);
static void nv_runlist_regs_write(void *unit, const struct mmio_window *window, uint32_t offset,
                                  uint32_t old, uint32_t written);

static const struct unit_ops nv_runlist_regs_ops = {
    .read = nv_runlist_regs_read,
    .write = nv_runlist_regs_write,
};

static uint32_t *nv_runlist_reg(const struct nv_runlist *runlist, uint32_t offset)
{
    return &runlist->block->storage[offset / 4];
}

/* Returns the n-th PBDMA that serves the runlist, or NULL if it has fewer. */
static struct nv_pbdma *nv_runlist_regs_pbdma(const struct nv_runlist *runlist, uint32_t runqueue)
{
    const struct nv_chip *model = runlist->host->model;

    for (uint32_t i = 0; i < model->pbdma_count; i++)
        if (model->pbdma_runlists[i] >> runlist->runlist_id & 1 && runqueue-- == 0)
            return &runlist->host->pbdmas[i];
    return NULL;
}

/* ---- what the generations have in common ----------------------------------------------------- */

uint32_t nv_runlist_block_submit_at(const struct nv_runlist *runlist)
{
    if (runlist->block)
        return runlist->block->base + NV_RUNLIST_SUBMIT;
    return NV_PFIFO_BASE + (runlist->host->generation->runlists_submit_apart
                                ? NV_PFIFO_RUNLIST_SUBMIT + 16 * runlist->runlist_id
                                : NV_PFIFO_RUNLIST);
}

bool nv_runlist_block_has_runqueue(const struct nv_runlist *runlist, uint32_t runqueue)
{
    return runlist->host->generation->runlist_form != NV_RUNLIST_FORM_GA100 ||
           nv_runlist_regs_pbdma(runlist, runqueue) != NULL;
}

void nv_runlist_block_enlist(struct nv_runlist *runlist, uint32_t channel_id,
                             const struct nv_runlist_entry *entry)
{
    const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);

    if (!channel)
        return;
    if (!channel->bound || channel->instance != entry->inst_address ||
        channel->instance_aperture != entry->inst_aperture)
        nv_channel_bind(runlist->host, channel_id, entry->inst_aperture, entry->inst_address);
    nv_channel_set_userd(runlist->host, channel_id, entry->userd_aperture, entry->userd_address);
}

/* ---- wiring ---------------------------------------------------------------------------------- */

/* What the chip has fixed. */
static void nv_runlist_regs_fill(const struct nv_runlist *runlist)
{
    const struct nv_chip_runlist *row = &runlist->host->model->runlists[runlist->runlist_id];
    uint32_t *word = nv_runlist_reg(runlist, NV_RUNLIST_CHANNEL_CONFIG);

    *word = REG_PUT(*word, NV_RUNLIST_CHANNEL_CONFIG_CHRAM_BAR0_OFFSET,
                    runlist->channel_ram->base >> 4);
    word = nv_runlist_reg(runlist, NV_RUNLIST_DOORBELL_CONFIG);
    *word = REG_PUT(0, NV_RUNLIST_DOORBELL_CONFIG_ID, row->doorbell_id & 0xffff);
    for (uint32_t i = 0; i < NV_RUNLIST_RUNQUEUES; i++) {
        const struct nv_pbdma *pbdma = nv_runlist_regs_pbdma(runlist, i);

        word = nv_runlist_reg(runlist, NV_RUNLIST_PBDMA_CONFIG + 4 * i);
        if (pbdma)
            *word = REG_PUT(REG_PUT(0, NV_RUNLIST_PBDMA_CONFIG_VALID, 1),
                            NV_RUNLIST_PBDMA_CONFIG_PBDMA_BAR0_OFFSET, pbdma->regs->base >> 10);
    }
    word = nv_runlist_reg(runlist, NV_RUNLIST_INTR_VECTORID);
    word[0] = REG_PUT(word[0], NV_RUNLIST_INTR_VECTORID_VECTOR,
                      NV_RUNLIST_VECTOR_0 + runlist->runlist_id);
    word[1] = REG_PUT(word[1], NV_RUNLIST_INTR_VECTORID_VECTOR,
                      NV_RUNLIST_VECTOR_1 + runlist->runlist_id);
}

void nv_runlist_block_wire(struct nv_host *host)
{
    uint32_t unit;

    if (!host->generation->runlists_have_blocks)
        return;
    unit = machine_add_unit(host->machine, "nv_runlist_regs", &nv_runlist_regs_ops, host);
    for (uint32_t i = 0; i < host->model->runlist_count; i++) {
        struct nv_runlist *runlist = &host->runlists[i];

        runlist->levels = machine_alloc(host->machine, NV_RUNLIST_TREES * sizeof *runlist->levels);
        runlist->block = machine_add_window(host->machine, unit, &nv_runlist_list,
                                            host->model->runlists[i].pri_base, NV_RUNLIST_BYTES, i);
        runlist->channel_ram =
            machine_add_window(host->machine, unit, &nv_chram_list,
                               NV_CHRAM_BASE + i * NV_CHRAM_BYTES, NV_CHRAM_BYTES, i);
        if (!runlist->block || !runlist->channel_ram)
            return;
        nv_runlist_regs_fill(runlist);
    }
}

/* ---- interrupts ------------------------------------------------------------------------------ */

/* INTR_0 with the bits of the PBDMAs' trees. */
static uint32_t nv_runlist_regs_intr_0(const struct nv_runlist *runlist)
{
    uint32_t intr_0 = *nv_runlist_reg(runlist, NV_RUNLIST_INTR_0);

    for (uint32_t n = 0; n < NV_RUNLIST_RUNQUEUES; n++) {
        const struct nv_pbdma *pbdma = nv_runlist_regs_pbdma(runlist, n);

        for (uint32_t tree = 0; pbdma && tree < NV_RUNLIST_TREES; tree++)
            if ((nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) &
                 nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0_EN_SET_TREE + 4 * tree)) |
                (nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) &
                 nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1_EN_SET_TREE + 4 * tree)))
                intr_0 |= 1u << (NV_RUNLIST_INTR_0_PBDMA0_INTR_TREE_0_LO + n +
                                 NV_RUNLIST_RUNQUEUES * tree);
    }
    return intr_0;
}

static void nv_runlist_regs_raise(struct nv_runlist *runlist, uint32_t tree)
{
    const uint32_t id = *nv_runlist_reg(runlist, NV_RUNLIST_INTR_VECTORID + 4 * tree);

    if (REG_GET(id, NV_RUNLIST_INTR_VECTORID_CPU))
        nv_intr_raise(runlist->host, REG_GET(id, NV_RUNLIST_INTR_VECTORID_VECTOR));
}

void nv_runlist_block_update(struct nv_runlist *runlist)
{
    const uint32_t intr_0 = nv_runlist_regs_intr_0(runlist);

    for (uint32_t tree = 0; tree < NV_RUNLIST_TREES; tree++) {
        const uint32_t enabled = *nv_runlist_reg(runlist, NV_RUNLIST_INTR_0_EN_SET_TREE + 8 * tree);
        const uint32_t level = (intr_0 & enabled) != 0;

        if (level && !runlist->levels[tree])
            nv_runlist_regs_raise(runlist, tree);
        runlist->levels[tree] = level;
    }
}

/* Software is done with the vector and asks for another if something is pending still. */
static void nv_runlist_regs_retrigger(struct nv_runlist *runlist, uint32_t tree, uint32_t written)
{
    nv_runlist_block_update(runlist);
    if (REG_GET(written, NV_RUNLIST_INTR_RETRIGGER_TRIGGER) && runlist->levels[tree])
        nv_runlist_regs_raise(runlist, tree);
}

/* What stands in CTXSW_TIMEOUT_INFO of an engine. */
static void nv_runlist_regs_timeout_info(struct nv_runlist *runlist, uint32_t rleng_id)
{
    const struct nv_engine *engine = nv_runlist_status_engine(runlist, rleng_id);

    if (engine)
        *nv_runlist_reg(runlist, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO + 64 * rleng_id) =
            nv_runlist_timeout_info(engine);
}

void nv_runlist_block_ctxsw_reset(const struct nv_engine *engine)
{
    struct nv_runlist *runlist = &engine->host->runlists[engine->row->runlist_id];
    uint32_t *info;

    if (engine->row->rleng_id >= NV_RUNLIST_ENGINES)
        return;
    info =
        nv_runlist_reg(runlist, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO + 64u * engine->row->rleng_id);
    *info = REG_PUT(*info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS,
                    NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS_ENG_WAS_RESET);
}

void nv_runlist_block_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code)
{
    static const uint32_t bits[] = {
        [NV_RUNLIST_SUBMITTED] = 0, /* SUBMIT_INFO_PENDING is never seen */
        [NV_RUNLIST_IDLE] = 1u << NV_RUNLIST_INTR_0_RUNLIST_IDLE_LO,
        [NV_RUNLIST_ENG_IDLE] = 1u << NV_RUNLIST_INTR_0_RUNLIST_AND_ENG_IDLE_LO,
        [NV_RUNLIST_ACQUIRE] = 1u << NV_RUNLIST_INTR_0_RUNLIST_ACQUIRE_LO,
        [NV_RUNLIST_ACQUIRE_AND_ENG_IDLE] = 1u << NV_RUNLIST_INTR_0_RUNLIST_ACQUIRE_AND_ENG_IDLE_LO,
        [NV_RUNLIST_TSG_PREEMPT_COMPLETE] = 1u << NV_RUNLIST_INTR_0_TSG_PREEMPT_COMPLETE_LO,
        [NV_RUNLIST_RUNLIST_PREEMPT_COMPLETE] = 1u << NV_RUNLIST_INTR_0_RUNLIST_PREEMPT_COMPLETE_LO,
        [NV_RUNLIST_BAD_TSG] = 1u << NV_RUNLIST_INTR_0_BAD_TSG_LO,
        [NV_RUNLIST_CTXSW_TIMEOUT] = 1u << NV_RUNLIST_INTR_0_CTXSW_TIMEOUT_ENG0_LO,
    };
    struct nv_runlist *runlist = &host->runlists[runlist_id];
    uint32_t bit = bits[notice];

    if (notice == NV_RUNLIST_BAD_TSG)
        *nv_runlist_reg(runlist, NV_RUNLIST_INTR_BAD_TSG) =
            REG_PUT(0, NV_RUNLIST_INTR_BAD_TSG_CODE, code & 0xf);
    if (notice == NV_RUNLIST_CTXSW_TIMEOUT) {
        if (code >= NV_RUNLIST_ENGINES)
            return;
        nv_runlist_regs_timeout_info(runlist, code);
        bit <<= code;
    }
    *nv_runlist_reg(runlist, NV_RUNLIST_INTR_0) |=
        bit & ~*nv_runlist_reg(runlist, NV_RUNLIST_INTR_0_MASK_SET);
    nv_runlist_block_update(runlist);
}

/* ---- doorbells ------------------------------------------------------------------------------- */

struct nv_runlist *nv_runlist_block_by_doorbell(const struct nv_host *host, uint32_t doorbell_id)
{
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        if (host->model->runlists[i].doorbell_id == doorbell_id)
            return &host->runlists[i];
    return NULL;
}

bool nv_runlist_block_vector(const struct nv_runlist *runlist, uint32_t vector, uint32_t *chid)
{
    const uint32_t cfg = *nv_runlist_reg(runlist, NV_RUNLIST_VIRTUAL_CHANNEL_CFG);

    *chid = (vector & REG_GET(cfg, NV_RUNLIST_VIRTUAL_CHANNEL_CFG_MASK)) |
            REG_GET(cfg, NV_RUNLIST_VIRTUAL_CHANNEL_CFG_SET);
    return REG_GET(cfg, NV_RUNLIST_VIRTUAL_CHANNEL_CFG_PENDING_ENABLE);
}

/* ---- reads and writes ------------------------------------------------------------------------ */

static uint32_t nv_runlist_regs_handle(const struct nv_runlist *runlist, uint32_t id)
{
    return runlist->runlist_id << NV_CHANNEL_RUNLIST_SHIFT | id;
}

static uint32_t nv_runlist_regs_read_preempt(const struct nv_runlist *runlist, uint32_t stored)
{
    const uint32_t id = REG_GET(stored, NV_RUNLIST_PREEMPT_ID);
    const bool tsg = nv_runlist_preempt_pending(runlist, NV_RUNLIST_PREEMPT_TSG,
                                                nv_runlist_regs_handle(runlist, id));
    const bool all = nv_runlist_preempt_pending(runlist, NV_RUNLIST_PREEMPT_ALL, 0);
    const bool of_tsg = REG_GET(stored, NV_RUNLIST_PREEMPT_TYPE) == NV_RUNLIST_PREEMPT_TYPE_TSG;

    stored = REG_PUT(stored, NV_RUNLIST_PREEMPT_TSG_PREEMPT_PENDING, of_tsg && tsg);
    return REG_PUT(stored, NV_RUNLIST_PREEMPT_RUNLIST_PREEMPT_PENDING, !of_tsg && all);
}

uint64_t nv_runlist_block_idle_cycles(const struct nv_runlist *runlist)
{
    const uint64_t cycles = machine_parameter(runlist->machine, PARAM_NV_IDLE_CYCLES);

    return runlist->block ? clock_times(REG_GET(*nv_runlist_reg(runlist, NV_RUNLIST_IDLE_FILTER),
                                                NV_RUNLIST_IDLE_FILTER_PERIOD),
                                        cycles) /
                                NV_RUNLIST_IDLE_FILTER_RESET
                          : cycles;
}

gfe_ps nv_runlist_block_ctxsw_timeout_ps(const struct nv_engine *engine)
{
    const struct nv_runlist *runlist = &engine->host->runlists[engine->row->runlist_id];
    uint32_t config;

    if (engine->row->rleng_id >= NV_RUNLIST_ENGINES)
        return GFE_PS_NEVER;
    config = *nv_runlist_reg(runlist,
                             NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG + 64u * engine->row->rleng_id);
    return REG_GET(config, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG_DETECTION)
               ? clock_times(REG_GET(config, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG_PERIOD),
                             machine_parameter(engine->machine, PARAM_NV_CTXSW_TIMEOUT_PS))
               : GFE_PS_NEVER;
}

static uint32_t nv_runlist_regs_read(void *unit, const struct mmio_window *window, uint32_t offset,
                                     uint32_t stored)
{
    const struct nv_host *host = unit;
    const struct nv_runlist *runlist = &host->runlists[window->instance];

    if (window->list == &nv_chram_list)
        return nv_chram_read(host, nv_runlist_regs_handle(runlist, offset / 4));
    if (offset >= NV_RUNLIST_ENGINE_STATUS0 &&
        offset < NV_RUNLIST_ENGINE_STATUS0 + 64 * NV_RUNLIST_ENGINES)
        return nv_runlist_status_of_engine(runlist, (offset - NV_RUNLIST_ENGINE_STATUS0) / 64,
                                           NV_RUNLIST_ENGINE_STATUS0 + offset % 64, stored);
    switch (offset) {
    case NV_RUNLIST_PREEMPT:
        return nv_runlist_regs_read_preempt(runlist, stored);
    case NV_RUNLIST_INTR_0:
        return nv_runlist_regs_intr_0(runlist);
    case NV_RUNLIST_INFO:
        return nv_runlist_info(runlist);
    case NV_RUNLIST_SUBMIT_INFO:
        return nv_runlist_submit_info(runlist);
    default:
        return stored;
    }
}

static void nv_runlist_regs_submit(struct nv_runlist *runlist, uint32_t written)
{
    const uint32_t low = *nv_runlist_reg(runlist, NV_RUNLIST_SUBMIT_BASE_LO);
    const uint32_t high = *nv_runlist_reg(runlist, NV_RUNLIST_SUBMIT_BASE_HI);

    nv_runlist_submit(runlist, nv_host_aperture(REG_GET(low, NV_RUNLIST_SUBMIT_BASE_LO_TARGET)),
                      (uint64_t)REG_GET(high, NV_RUNLIST_SUBMIT_BASE_HI_PTR_HI) << 32 |
                          (uint64_t)REG_GET(low, NV_RUNLIST_SUBMIT_BASE_LO_PTR_LO) << 12,
                      REG_GET(written, NV_RUNLIST_SUBMIT_LENGTH),
                      REG_GET(written, NV_RUNLIST_SUBMIT_OFFSET));
}

/* TYPE 2 and 3 mean nothing (UNDOCUMENTED): they are reported, and nothing happens. */
static void nv_runlist_regs_preempt(struct nv_runlist *runlist, uint32_t written)
{
    switch (REG_GET(written, NV_RUNLIST_PREEMPT_TYPE)) {
    case NV_RUNLIST_PREEMPT_TYPE_RUNLIST:
        nv_runlist_preempt(runlist);
        break;
    case NV_RUNLIST_PREEMPT_TYPE_TSG:
        nv_runlist_preempt_tsg(
            runlist, nv_runlist_regs_handle(runlist, REG_GET(written, NV_RUNLIST_PREEMPT_ID)));
        break;
    default:
        if (mmio_report_bits_once(&runlist->machine->mmio,
                                  runlist->block->base + NV_RUNLIST_PREEMPT,
                                  1u << NV_RUNLIST_PREEMPT_TYPE_HI))
            MACHINE_LOG(runlist->machine, runlist->unit, EVENT_UNMODELLED, RULE_NONE,
                        UNMODELLED_REGISTER_BITS, runlist->block->base + NV_RUNLIST_PREEMPT,
                        1u << NV_RUNLIST_PREEMPT_TYPE_HI);
    }
}

static void nv_runlist_regs_internal_doorbell(struct nv_runlist *runlist, uint32_t written)
{
    const uint32_t chid = REG_GET(written, NV_RUNLIST_INTERNAL_DOORBELL_CHID);
    const uint32_t channel_id = nv_runlist_regs_handle(runlist, chid);

    if (REG_GET(written, NV_RUNLIST_INTERNAL_DOORBELL_GFID) != 0 ||
        !nv_channel_get(runlist->host, channel_id))
        return; /* of a virtual function, or of none: nothing hears it */
    MACHINE_LOG(runlist->machine, runlist->host->unit, EVENT_NV_NOTIFY_PENDING, RULE_NV_NOTIFY,
                channel_id, written);
    nv_channel_doorbell(runlist->host, channel_id);
}

static void nv_runlist_regs_write(void *unit, const struct mmio_window *window, uint32_t offset,
                                  uint32_t old, uint32_t written)
{
    struct nv_host *host = unit;
    struct nv_runlist *runlist = &host->runlists[window->instance];

    (void)old;
    if (window->list == &nv_chram_list) {
        nv_chram_write(host, nv_runlist_regs_handle(runlist, offset / 4), written);
        return;
    }
    switch (offset) {
    case NV_RUNLIST_SUBMIT:
        nv_runlist_regs_submit(runlist, written);
        break;
    case NV_RUNLIST_INTERNAL_DOORBELL:
        nv_runlist_regs_internal_doorbell(runlist, written);
        break;
    case NV_RUNLIST_SCHED_DISABLE:
        nv_runlist_disable(runlist, REG_GET(written, NV_RUNLIST_SCHED_DISABLE_RUNLIST));
        break;
    case NV_RUNLIST_PREEMPT:
        nv_runlist_regs_preempt(runlist, written);
        break;
    case NV_RUNLIST_INTR_RETRIGGER:
    case NV_RUNLIST_INTR_RETRIGGER + 4:
        nv_runlist_regs_retrigger(runlist, (offset - NV_RUNLIST_INTR_RETRIGGER) / 4, written);
        break;
    default: /* what may have enabled or cleared an interrupt; the others change nothing */
        nv_runlist_block_update(runlist);
    }
}
