/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_host_private.h"

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ccsr.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pfifo.h"
#include "devices/nvidia/nv_pmc.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/formats/nv_tile.h"
#include "devices/nvidia/nv_top_table.h"

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

void nv_host_wire(struct nv_host *host, struct machine *machine, const struct nv_chip *model)
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
    host->channels_are_global = !host->generation->channels_per_runlist;
    host->channel_slots =
        model->channel_count * (host->generation->channels_per_runlist ? model->runlist_count : 1);
    host->channels = machine_alloc(machine, host->channel_slots * sizeof *host->channels);
    host->pmc = machine_add_window(machine, host->unit, &nv_pmc_list, NV_PMC_BASE, NV_PMC_BYTES, 0);
    has_ptop = nv_top_wire(machine, host->unit, model);
    nv_host_wire_usermode(host);
    if (!host->pmc || !has_ptop)
        return;
    nv_pmc_wire(host);
    if (!host->generation->runlists_have_blocks)
        nv_pfifo_wire(host);
    machine->bar1_unit = host->unit;
    /* Space 0 is BAR1's (machine_bar1_read32()); its page tables have no root of their own here. */
    (void)address_space_new(&machine->spaces, MEMORY_VRAM, UINT64_MAX);
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

/* ---- interrupts ------------------------------------------------------------------------------ */

void nv_host_interrupt(struct nv_host *host, uint32_t intr_0_bits)
{
    if (host->pfifo) /* of what PFIFO had, a runlist's block has its own: nv_runlist_regs.h */
        nv_pfifo_interrupt(host, intr_0_bits);
}

/* Returns the bit of PMC_INTR_0 of a copy engine, as its row of PTOP says.  Without such a row it
 * is as nouveau's gk104_mc_intr has the first three.  Returns 0 if there is none. */
static uint32_t nv_host_ce_bit(const struct nv_host *host, uint32_t instance)
{
    const struct nv_chip *model = host->model;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];

        if ((engine->kind == NV_CHIP_GRCE || engine->kind == NV_CHIP_LCE) &&
            engine->instance == instance && engine->intr_id < 32)
            return 1u << engine->intr_id;
    }
    return instance < 3 ? 1u << (NV_PMC_INTR_0_LCE_LO + instance) : 0;
}

/* An engine's stalling interrupt, by the id that PTOP has for it. */
static void nv_host_engine_line(struct nv_host *host, enum nv_chip_engine_kind kind,
                                uint32_t instance)
{
    for (uint32_t i = 0; i < host->model->engine_count; i++) {
        const struct nv_chip_engine *engine = &host->model->engines[i];
        const bool is_kind =
            engine->kind == kind || (kind == NV_CHIP_LCE && engine->kind == NV_CHIP_GRCE);

        if (is_kind && engine->instance == instance && engine->intr_id != NV_CHIP_ID_NONE)
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
        nv_host_engine_line(host, NV_CHIP_LCE, instance);
}

void nv_host_gr_interrupt(struct nv_host *host, bool pending)
{
    uint32_t *intr = &host->pmc->storage[NV_PMC_INTR_0 / 4];

    *intr = REG_PUT(*intr, NV_PMC_INTR_0_PGRAPH, pending);
    if (pending)
        nv_host_engine_line(host, NV_CHIP_GRAPHICS, 0);
}

void nv_host_pbdma_interrupt_changed(struct nv_host *host)
{
    if (host->pfifo) {
        nv_pfifo_pbdmas_changed(host);
        return;
    }
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        nv_runlist_block_update(&host->runlists[i]);
}

void nv_host_runlist_event(struct nv_host *host, uint32_t runlist_id, enum nv_runlist_notice notice,
                           uint32_t code)
{
    if (host->pfifo)
        nv_pfifo_runlist_event(host, runlist_id, notice, code);
    else
        nv_runlist_block_event(host, runlist_id, notice, code);
}

gfe_ps nv_host_ctxsw_timeout_ps(const struct nv_host *host, const struct nv_engine *engine)
{
    return host->pfifo ? nv_pfifo_ctxsw_timeout_ps(host)
                       : nv_runlist_block_ctxsw_timeout_ps(engine);
}

gfe_ps nv_host_acq_pretest_ps(const struct nv_host *host, uint32_t runlist_id)
{
    uint32_t word;

    if (host->pfifo && !host->usermode)
        return 0; /* before Volta */
    word = host->pfifo ? host->pfifo->storage[NV_PFIFO_ACQ_PRETEST / 4]
                       : host->runlists[runlist_id].block->storage[NV_RUNLIST_ACQ_PRETEST / 4];
    return clock_times((uint64_t)REG_GET(word, NV_PFIFO_ACQ_PRETEST_TIMEOUT)
                           << REG_GET(word, NV_PFIFO_ACQ_PRETEST_TIMESCALE),
                       machine_parameter(host->machine, PARAM_NV_ACQ_PRETEST_PS));
}

void nv_host_ctxsw_timeout(struct nv_host *host, const struct nv_engine *engine)
{
    if (host->pfifo)
        nv_pfifo_ctxsw_timeout(host, engine);
    else
        nv_runlist_block_event(host, engine->row->runlist_id, NV_RUNLIST_CTXSW_TIMEOUT,
                               engine->row->rleng_id);
}

void nv_host_ctxsw_reset(struct nv_host *host, const struct nv_engine *engine)
{
    if (host->pfifo)
        nv_pfifo_ctxsw_reset(host, engine);
    else
        nv_runlist_block_ctxsw_reset(engine);
}

void nv_host_channel_faulted(struct nv_host *host, uint32_t channel_id, bool engine)
{
    machine_schedule(host->machine, host->unit, machine_now(host->machine),
                     engine ? NV_HOST_ENG_FAULTED : NV_HOST_PBDMA_FAULTED, channel_id);
}

void nv_host_stop_channel(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits)
{
    nv_channel_stop(host, channel_id, intr_bits, NV_CHANNEL_STOPPED);
}

void nv_host_fault_channel(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_stop(host, channel_id, 0,
                    host->generation->bit & NV_FROM_VOLTA ? NV_CHANNEL_FAULTED
                                                          : NV_CHANNEL_STOPPED);
}

/* ---- registers ------------------------------------------------------------------------------- */

static uint32_t nv_host_read(void *unit, const struct mmio_window *window, uint32_t offset,
                             uint32_t stored)
{
    const struct nv_host *host = unit;

    if (window->list == &nv_usermode_list)
        return nv_host_read_usermode(host, offset, stored);
    if (window == host->pmc)
        return offset == NV_PMC_INTR_0 && host->pfifo
                   ? REG_PUT(stored, NV_PMC_INTR_0_PFIFO, nv_pfifo_pending(host))
                   : stored;
    if (window == host->pccsr)
        return nv_ccsr_read(host, offset, stored);
    return window == host->pfifo ? nv_pfifo_read(host, offset, stored) : stored;
}

static void nv_host_write(void *unit, const struct mmio_window *window, uint32_t offset,
                          uint32_t old, uint32_t written)
{
    struct nv_host *host = unit;

    if (window->list == &nv_usermode_list) {
        if (offset == NV_USERMODE_NOTIFY_CHANNEL_PENDING)
            nv_host_notify(host, written);
    } else if (window == host->pccsr) {
        nv_ccsr_write(host, offset, old, written);
    } else if (window == host->pfifo) {
        nv_pfifo_write(host, offset, old, written);
    } else if (window == host->pmc) {
        nv_pmc_write(host, offset, old, written);
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
    if (event->kind == NV_HOST_PBDMA_FAULTED || event->kind == NV_HOST_ENG_FAULTED) {
        nv_channel_fault(host, channel_id, event->kind == NV_HOST_PBDMA_FAULTED,
                         event->kind == NV_HOST_ENG_FAULTED);
        return;
    }
    assert(event->kind >= NV_HOST_ACQUIRE);
    if (event->kind < NV_HOST_DEADLINE) {
        nv_channel_acquire_written(host, channel_id);
        return;
    }
    if (event->kind >= NV_HOST_PRETEST)
        nv_channel_pretest_over(host, channel_id);
    else
        nv_channel_deadline_missed(host, channel_id);
}

static void nv_host_finish(void *unit)
{
    nv_channel_log_open_waits(unit);
}
