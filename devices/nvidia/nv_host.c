/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_host.h"

#include <assert.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/nv_tile.h"
#include "devices/nvidia/nv_top.h"

static void nv_host_event(void *unit, const struct event *event);
static uint32_t nv_host_read(void *unit, const struct mmio_window *window, uint32_t offset,
                             uint32_t stored);
static void nv_host_write(void *unit, const struct mmio_window *window, uint32_t offset,
                          uint32_t old, uint32_t written);
static void nv_host_finish(void *unit);

static const struct unit_ops nv_host_ops = {
    .event = nv_host_event,
    .read = nv_host_read,
    .write = nv_host_write,
    .snoop = nv_host_snoop,
    .doorbell = nv_host_ring,
    .finish = nv_host_finish,
};

static uint32_t *nv_host_reg(const struct nv_host *host, uint32_t offset)
{
    return &host->pfifo->storage[offset / 4];
}

static void nv_host_wire_usermode_at(struct nv_host *host, uint32_t base)
{
    host->usermode = machine_add_window(host->machine, host->unit, &nv_usermode_list, base,
                                        NV_USERMODE_BYTES, 0);
    if (host->usermode)
        host->usermode->storage[NV_USERMODE_CFG0 / 4] = host->generation->usermode_class;
}

/* The user-mode window, and the one in the physical function's part of VF space. */
static void nv_host_wire_usermode(struct nv_host *host)
{
    if (host->generation->usermode_base != 0)
        nv_host_wire_usermode_at(host, host->generation->usermode_base);
    if (host->generation->virtual_function_base != 0)
        nv_host_wire_usermode_at(host, host->generation->virtual_function_base +
                                           NV_VIRTUAL_FUNCTION_USERMODE);
}

/* PFIFO and CCSR, up to Turing. */
static void nv_host_wire_pfifo(struct nv_host *host)
{
    const struct gpu_model *model = host->model;

    host->pfifo = machine_add_window(host->machine, host->unit, &nv_pfifo_list, NV_PFIFO_BASE,
                                     NV_PFIFO_BYTES, 0);
    host->pccsr = machine_add_window(host->machine, host->unit, &nv_pccsr_list, NV_PCCSR_BASE,
                                     NV_PCCSR_BYTES, 0);
    if (!host->pfifo || !host->pccsr)
        return;
    *nv_host_reg(host, NV_PFIFO_CFG0) =
        REG_PUT(model->pbdma_count, NV_PFIFO_CFG0_PBDMA_FAULT_ID, 32);
    *nv_host_reg(host, NV_PFIFO_CFG1) = model->channel_count;
    *nv_host_reg(host, NV_PFIFO_CFG2) = model->class_host;
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        *nv_host_reg(host, NV_PFIFO_PBDMA_MAP + 4 * i) = model->pbdma_runlists[i];
}

void nv_host_wire(struct nv_host *host, struct machine *machine, const struct gpu_model *model)
{
    bool has_ptop;

    host->machine = machine;
    host->model = model;
    host->generation = nv_generation_of(model->class_host, model->chip_id);
    machine->reg_variants = host->generation->bit;
    nv_host_learn_class(host);
    host->clock = clock_make(model->host_hz, 0);
    host->unit = machine_add_unit(machine, "nv_host", &nv_host_ops, host);
    host->state = machine_alloc(machine, sizeof *host->state);
    host->channel_slots =
        model->channel_count * (host->generation->channels_per_runlist ? model->runlist_count : 1);
    host->channels = machine_alloc(machine, host->channel_slots * sizeof *host->channels);
    host->pmc = machine_add_window(machine, host->unit, &nv_pmc_list, NV_PMC_BASE, NV_PMC_BYTES, 0);
    has_ptop = nv_top_wire(machine, host->unit, model);
    nv_host_wire_usermode(host);
    if (!host->pmc || !has_ptop)
        return;
    host->pmc->storage[NV_PMC_BOOT_0 / 4] =
        REG_PUT(REG_PUT(0, NV_PMC_BOOT_0_CHIP, model->chip_id), NV_PMC_BOOT_0_REVISION, 0xa1);
    host->pmc->storage[NV_PMC_BOOT_42 / 4] = REG_PUT(
        REG_PUT(0, NV_PMC_BOOT_42_CHIP_ID, model->chip_id), NV_PMC_BOOT_42_MAJOR_REVISION, 0xa);
    if (!host->generation->runlists_have_blocks)
        nv_host_wire_pfifo(host);
    machine->bar1_unit = host->unit;
    /* Space 0 is BAR1's (machine_bar1_read32()); its page tables have no root of their own here. */
    (void)address_space_new(&machine->spaces, MEMORY_VRAM, UINT64_MAX);
}

gfe_ps nv_host_after(const struct nv_host *host, uint64_t cycles)
{
    return clock_after_cycles(&host->clock, machine_now(host->machine), cycles);
}

uint32_t nv_host_gob(const struct nv_host *host)
{
    return host->generation->turing_gobs && host->machine->choices[CHOICE_NV_TURING_GOB] == 0
               ? NV_GOB_TURING
               : NV_GOB_FERMI;
}

enum memory_aperture nv_host_aperture(uint32_t target)
{
    return target >= 2 ? MEMORY_SYSMEM : MEMORY_VRAM;
}

bool nv_host_instance(const struct nv_host *host, uint32_t channel_id, uint64_t *address,
                      enum memory_aperture *aperture)
{
    const struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel)
        return false;
    *address = channel->instance;
    *aperture = (enum memory_aperture)channel->instance_aperture;
    return channel->bound;
}

/* ---- interrupts ----------------------------------------------------------------------------- */

static bool nv_host_pfifo_pending(const struct nv_host *host)
{
    return (*nv_host_reg(host, NV_PFIFO_INTR_0) & *nv_host_reg(host, NV_PFIFO_INTR_EN_0)) != 0;
}

static void nv_host_line(struct nv_host *host)
{
    if (!nv_host_pfifo_pending(host))
        return;
    nv_intr_raise(host, NV_INTR_PMC_VECTOR + NV_PMC_INTR_0_PFIFO_LO);
    machine_raise_interrupt(host->machine);
}

void nv_host_interrupt(struct nv_host *host, uint32_t intr_0_bits)
{
    if (!host->pfifo)
        return; /* of what PFIFO had, a runlist's block has its own: nv_runlist_regs.h */
    *nv_host_reg(host, NV_PFIFO_INTR_0) |= intr_0_bits;
    nv_host_line(host);
}

/* Bit of PMC_INTR_0 of a copy engine: as its row of PTOP says, else as nouveau's gk104_mc_intr has
 * the first three; 0: there is none. */
static uint32_t nv_host_ce_bit(const struct nv_host *host, uint32_t instance)
{
    const struct gpu_model *model = host->model;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct gpu_engine *engine = &model->engines[i];

        if ((engine->kind == GPU_ENGINE_GRCE || engine->kind == GPU_ENGINE_LCE) &&
            engine->instance == instance && engine->intr_id < 32)
            return 1u << engine->intr_id;
    }
    return instance < 3 ? 1u << (NV_PMC_INTR_0_LCE_LO + instance) : 0;
}

/* An engine's stalling interrupt, by the id that PTOP has for it. */
static void nv_host_engine_line(struct nv_host *host, enum gpu_engine_kind kind, uint32_t instance)
{
    for (uint32_t i = 0; i < host->model->engine_count; i++) {
        const struct gpu_engine *engine = &host->model->engines[i];
        const bool is_kind =
            engine->kind == kind || (kind == GPU_ENGINE_LCE && engine->kind == GPU_ENGINE_GRCE);

        if (is_kind && engine->instance == instance && engine->intr_id != GPU_ID_NONE)
            nv_intr_raise(host, NV_INTR_ENGINE_VECTOR + engine->intr_id);
    }
    if (host->pfifo)
        machine_raise_interrupt(host->machine);
}

void nv_host_ce_interrupt(struct nv_host *host, uint32_t instance, bool pending)
{
    uint32_t *intr = &host->pmc->storage[NV_PMC_INTR_0 / 4];
    const uint32_t bit = nv_host_ce_bit(host, instance);

    *intr = pending ? *intr | bit : *intr & ~bit;
    if (pending)
        nv_host_engine_line(host, GPU_ENGINE_LCE, instance);
}

void nv_host_gr_interrupt(struct nv_host *host, bool pending)
{
    uint32_t *intr = &host->pmc->storage[NV_PMC_INTR_0 / 4];

    *intr = REG_PUT(*intr, NV_PMC_INTR_0_PGRAPH, pending);
    if (pending)
        nv_host_engine_line(host, GPU_ENGINE_GRAPHICS, 0);
}

void nv_host_pbdma_interrupt_changed(struct nv_host *host)
{
    uint32_t pbdmas = 0;
    uint32_t *intr_0;

    if (!host->pfifo) {
        for (uint32_t i = 0; i < host->model->runlist_count; i++)
            nv_runlist_regs_update(&host->runlists[i]);
        return;
    }
    intr_0 = nv_host_reg(host, NV_PFIFO_INTR_0);
    for (uint32_t i = 0; i < host->model->pbdma_count; i++) {
        const struct nv_pbdma *pbdma = &host->pbdmas[i];

        if ((nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) & nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_EN_0)) ||
            (nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) & nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_EN_1)))
            pbdmas |= 1u << i;
    }
    *nv_host_reg(host, NV_PFIFO_INTR_PBDMA_ID) = pbdmas;
    *intr_0 = REG_PUT(*intr_0, NV_PFIFO_INTR_0_PBDMA_INTR, pbdmas != 0);
    nv_host_line(host);
}

void nv_host_runlist_event(struct nv_host *host, uint32_t runlist_id, enum nv_runlist_notice notice,
                           uint32_t code)
{
    if (!host->pfifo) {
        nv_runlist_regs_event(host, runlist_id, notice, code);
        return;
    }
    switch (notice) {
    case NV_RUNLIST_SUBMITTED:
        *nv_host_reg(host, NV_PFIFO_INTR_RUNLIST) |= 1u << runlist_id;
        nv_host_interrupt(host, REG_PUT(0, NV_PFIFO_INTR_0_RUNLIST_EVENT, 1));
        break;
    case NV_RUNLIST_BAD_TSG:
        *nv_host_reg(host, NV_PFIFO_INTR_SCHED_ERROR) = NV_PFIFO_INTR_SCHED_ERROR_CODE_BAD_TSG;
        nv_host_interrupt(host, REG_PUT(0, NV_PFIFO_INTR_0_SCHED_ERROR, 1));
        break;
    default:
        break;
    }
}

void nv_host_stop_channel(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel || channel->stopped)
        return;
    channel->stopped = 1;
    nv_channel_changed(host, channel);
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_STOP, RULE_NV_INTR, channel_id,
                intr_bits);
}

/* ---- channels ------------------------------------------------------------------------------- */

static void nv_host_error(struct nv_host *host, uint32_t event, uint32_t id, uint32_t code)
{
    const bool bind = event == EVENT_NV_BIND_ERROR;

    *nv_host_reg(host, bind ? NV_PFIFO_INTR_BIND_ERROR : NV_PFIFO_INTR_SCHED_ERROR) = code;
    MACHINE_LOG(host->machine, host->unit, event, RULE_NONE, id, code);
    nv_host_interrupt(host, bind ? 1u << NV_PFIFO_INTR_0_BIND_ERROR_LO
                                 : 1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO);
}

static void nv_host_bind(struct nv_host *host, uint32_t channel_id, uint32_t old, uint32_t inst)
{
    const bool was = REG_GET(old, NV_PCCSR_CHANNEL_INST_BIND);
    const bool is = REG_GET(inst, NV_PCCSR_CHANNEL_INST_BIND);
    const uint32_t bar1 = *nv_host_reg(host, NV_PFIFO_BAR1_BASE);
    const struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (is && was && old != inst)
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_BIND_NOT_UNBOUND);
    if (is && !host->usermode && !REG_GET(bar1, NV_PFIFO_BAR1_BASE_VALID))
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_SNOOP_WITHOUT_BAR1);
    if (!is && channel && channel->on_pbdma)
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_RUNNING);
    if (is)
        nv_channel_bind(host, channel_id,
                        nv_host_aperture(REG_GET(inst, NV_PCCSR_CHANNEL_INST_TARGET)),
                        (uint64_t)REG_GET(inst, NV_PCCSR_CHANNEL_INST_PTR) << 12);
    else
        nv_channel_unbind(host, channel_id);
}

static void nv_host_write_channel(struct nv_host *host, uint32_t channel_id, uint32_t written)
{
    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_SET))
        nv_channel_enable(host, channel_id, true);
    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_CLR))
        nv_channel_enable(host, channel_id, false);
}

static uint32_t nv_host_read_channel(const struct nv_host *host, uint32_t channel_id,
                                     uint32_t stored)
{
    const struct nv_channel_status status = nv_channel_status(host, channel_id);
    uint32_t code = status.pending ? NV_PCCSR_CHANNEL_STATUS_PENDING : NV_PCCSR_CHANNEL_STATUS_IDLE;

    if (status.on_pbdma)
        code = NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG;
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_ENABLE, status.enabled);
    return REG_PUT(stored, NV_PCCSR_CHANNEL_STATUS, code);
}

/* ---- registers ------------------------------------------------------------------------------ */

static void nv_host_preempt(struct nv_host *host, uint32_t written)
{
    const uint32_t id = REG_GET(written, NV_PFIFO_PREEMPT_ID);

    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        if (REG_GET(written, NV_PFIFO_PREEMPT_TYPE) == NV_PFIFO_PREEMPT_TYPE_TSG)
            nv_runlist_preempt_tsg(&host->runlists[i], id);
        else
            nv_runlist_preempt_channel(&host->runlists[i], id);
}

static uint32_t nv_host_read_preempt(const struct nv_host *host, uint32_t stored)
{
    const enum nv_runlist_preempt_kind kind =
        REG_GET(stored, NV_PFIFO_PREEMPT_TYPE) == NV_PFIFO_PREEMPT_TYPE_TSG
            ? NV_RUNLIST_PREEMPT_TSG
            : NV_RUNLIST_PREEMPT_CHANNEL;
    uint32_t pending = 0;

    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        pending |= nv_runlist_preempt_pending(&host->runlists[i], kind,
                                              REG_GET(stored, NV_PFIFO_PREEMPT_ID));
    return REG_PUT(stored, NV_PFIFO_PREEMPT_PENDING, pending);
}

/* ID and ID_TYPE of PBDMA_STATUS. */
static uint32_t nv_host_pbdma_id(const struct nv_pbdma_state *pbdma)
{
    return pbdma->tsg_id < NV_RUNLIST_NO_TSG
               ? REG_PUT(pbdma->tsg_id, NV_PFIFO_PBDMA_STATUS_ID_TYPE, 1)
               : pbdma->channel_id;
}

static uint32_t nv_host_read(void *unit, const struct mmio_window *window, uint32_t offset,
                             uint32_t stored)
{
    const struct nv_host *host = unit;

    if (window->list == &nv_usermode_list)
        return nv_host_read_usermode(host, offset, stored);
    if (window == host->pmc)
        return offset == NV_PMC_INTR_0 && host->pfifo
                   ? REG_PUT(stored, NV_PMC_INTR_0_PFIFO, nv_host_pfifo_pending(host))
                   : stored;
    if (window == host->pccsr && offset % 8 == NV_PCCSR_CHANNEL)
        return nv_host_read_channel(host, offset / 8, stored);
    if (window == host->pfifo && offset == NV_PFIFO_PREEMPT)
        return nv_host_read_preempt(host, stored);
    if (window == host->pfifo && offset >= NV_PFIFO_PBDMA_STATUS &&
        offset < NV_PFIFO_PBDMA_STATUS + 4 * host->model->pbdma_count) {
        const struct nv_pbdma_state *pbdma =
            host->pbdmas[(offset - NV_PFIFO_PBDMA_STATUS) / 4].state;
        uint32_t status = NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_VALID;

        if (pbdma->phase == NV_PBDMA_EMPTY)
            return 0;
        if (pbdma->phase == NV_PBDMA_LOADING)
            status = NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_LOAD;
        if (pbdma->phase == NV_PBDMA_SAVING)
            status = NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_SAVE;
        return REG_PUT(nv_host_pbdma_id(pbdma), NV_PFIFO_PBDMA_STATUS_CHAN_STATUS, status);
    }
    return stored;
}

static void nv_host_take_runlist(struct nv_host *host, uint32_t runlist_id,
                                 enum memory_aperture aperture, uint64_t base, uint32_t count,
                                 uint32_t offset)
{
    if (runlist_id >= host->model->runlist_count) {
        nv_host_error(host, EVENT_NV_SCHED_ERROR, runlist_id, 0);
        return;
    }
    nv_runlist_submit(&host->runlists[runlist_id], aperture, base, count, offset);
}

static void nv_host_runlist_submit(struct nv_host *host, uint32_t written)
{
    const uint32_t base = *nv_host_reg(host, NV_PFIFO_RUNLIST_BASE);
    const uint32_t runlist_id = REG_GET(written, NV_PFIFO_RUNLIST_ID);
    const uint32_t count = REG_GET(written, NV_PFIFO_RUNLIST_LENGTH);

    if (runlist_id < host->model->runlist_count) {
        *nv_host_reg(host, NV_PFIFO_ENG_RUNLIST_BASE + 8 * runlist_id) = base;
        *nv_host_reg(host, NV_PFIFO_ENG_RUNLIST + 8 * runlist_id) = count;
    }
    nv_host_take_runlist(host, runlist_id,
                         nv_host_aperture(REG_GET(base, NV_PFIFO_RUNLIST_BASE_TARGET)),
                         (uint64_t)REG_GET(base, NV_PFIFO_RUNLIST_BASE_PTR) << 12, count, 0);
}

/* Turing.  OFFSET is where in the list the scheduler starts. */
static void nv_host_runlist_submit_apart(struct nv_host *host, uint32_t runlist_id,
                                         uint32_t written)
{
    const uint32_t at = 16 * runlist_id;
    const uint32_t low = *nv_host_reg(host, NV_PFIFO_RUNLIST_BASE_LO + at);
    const uint32_t high = *nv_host_reg(host, NV_PFIFO_RUNLIST_BASE_HI + at);

    nv_host_take_runlist(host, runlist_id,
                         nv_host_aperture(REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_TARGET)),
                         (uint64_t)REG_GET(high, NV_PFIFO_RUNLIST_BASE_HI_PTR_HI) << 32 |
                             (uint64_t)REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_PTR_LO) << 12,
                         REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_LENGTH),
                         REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_OFFSET));
}

/* Which runlist's RUNLIST_SUBMIT; false when it is another register, or none of the chip's. */
static bool nv_host_submits(const struct nv_host *host, uint32_t offset, uint32_t *runlist_id)
{
    *runlist_id = (offset - NV_PFIFO_RUNLIST_SUBMIT) / 16;
    return host->generation->runlists_submit_apart && offset >= NV_PFIFO_RUNLIST_SUBMIT &&
           offset % 16 == NV_PFIFO_RUNLIST_SUBMIT % 16 && *runlist_id < 11;
}

static void nv_host_write(void *unit, const struct mmio_window *window, uint32_t offset,
                          uint32_t old, uint32_t written)
{
    struct nv_host *host = unit;
    uint32_t runlist_id;

    if (window->list == &nv_usermode_list) {
        if (offset == NV_USERMODE_NOTIFY_CHANNEL_PENDING)
            nv_host_notify(host, written);
        return;
    }
    if (window == host->pccsr) {
        if (offset % 8 == NV_PCCSR_CHANNEL)
            nv_host_write_channel(host, offset / 8, written);
        else
            nv_host_bind(host, offset / 8, old, written);
        return;
    }
    if (window != host->pfifo)
        return;
    if (offset == NV_PFIFO_RUNLIST && !host->generation->runlists_submit_apart)
        nv_host_runlist_submit(host, written);
    else if (nv_host_submits(host, offset, &runlist_id))
        nv_host_runlist_submit_apart(host, runlist_id, written);
    else if (offset == NV_PFIFO_INTR_0) {
        *nv_host_reg(host, NV_PFIFO_INTR_0) = old & ~written;
        nv_host_pbdma_interrupt_changed(host);
    } else if (offset == NV_PFIFO_INTR_EN_0)
        nv_host_line(host);
    else if (offset == NV_PFIFO_PREEMPT)
        nv_host_preempt(host, written);
    else if (offset == NV_PFIFO_SCHED_DISABLE) {
        for (uint32_t i = 0; i < host->model->runlist_count; i++)
            nv_runlist_disable(&host->runlists[i], written >> i & 1);
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

static void nv_host_event(void *unit, const struct event *event)
{
    struct nv_host *host = unit;
    const uint32_t channel_id = (uint32_t)event->argument;

    if (event->kind == NV_HOST_PENDING) {
        nv_channel_pending_due(host, channel_id);
        return;
    }
    assert(event->kind >= NV_HOST_ACQUIRE);
    if (event->kind >= NV_HOST_DEADLINE)
        nv_channel_get(host, channel_id)->deadline = 0; /* it has come */
    nv_channel_acquire_due(host, channel_id);
}

static void nv_host_finish(void *unit)
{
    nv_channel_log_open_waits(unit);
}
