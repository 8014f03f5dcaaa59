/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_host.h"

#include <assert.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/nv_tile.h"

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

static void nv_host_wire_usermode(struct nv_host *host)
{
    if (host->generation->usermode_base == 0)
        return;
    host->usermode = machine_add_window(host->machine, host->unit, &nv_usermode_list,
                                        host->generation->usermode_base, NV_USERMODE_BYTES, 0);
    if (host->usermode)
        host->usermode->storage[NV_USERMODE_CFG0 / 4] = host->generation->usermode_class;
}

void nv_host_wire(struct nv_host *host, struct machine *machine, const struct gpu_model *model)
{
    const struct mmio_window *ptop;

    host->machine = machine;
    host->model = model;
    host->generation = nv_generation_of(model->class_host);
    nv_host_learn_class(host);
    host->clock = clock_make(model->host_hz, 0);
    host->unit = machine_add_unit(machine, "nv_host", &nv_host_ops, host);
    host->state = machine_alloc(machine, sizeof *host->state);
    host->pmc = machine_add_window(machine, host->unit, &nv_pmc_list, NV_PMC_BASE, NV_PMC_BYTES, 0);
    host->pfifo =
        machine_add_window(machine, host->unit, &nv_pfifo_list, NV_PFIFO_BASE, NV_PFIFO_BYTES, 0);
    ptop = machine_add_window(machine, host->unit, &nv_ptop_list, NV_PTOP_BASE, NV_PTOP_BYTES, 0);
    host->pccsr =
        machine_add_window(machine, host->unit, &nv_pccsr_list, NV_PCCSR_BASE, NV_PCCSR_BYTES, 0);
    nv_host_wire_usermode(host);
    if (!host->pmc || !host->pfifo || !ptop || !host->pccsr)
        return;
    host->pmc->storage[NV_PMC_BOOT_0 / 4] =
        REG_PUT(REG_PUT(0, NV_PMC_BOOT_0_CHIP, model->chip_id), NV_PMC_BOOT_0_REVISION, 0xa1);
    *nv_host_reg(host, NV_PFIFO_CFG0) = model->pbdma_count;
    *nv_host_reg(host, NV_PFIFO_CFG1) = model->channel_count;
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        *nv_host_reg(host, NV_PFIFO_PBDMA_MAP + 4 * i) = model->pbdma_runlists[i];
    nv_host_fill_ptop(host, ptop);
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
    const uint32_t inst = host->pccsr->storage[(NV_PCCSR_CHANNEL_INST + 8 * channel_id) / 4];

    *address = (uint64_t)REG_GET(inst, NV_PCCSR_CHANNEL_INST_PTR) << 12;
    *aperture = nv_host_aperture(REG_GET(inst, NV_PCCSR_CHANNEL_INST_TARGET));
    return REG_GET(inst, NV_PCCSR_CHANNEL_INST_BIND) != 0;
}

/* ---- interrupts ----------------------------------------------------------------------------- */

static void nv_host_line(struct nv_host *host)
{
    if (*nv_host_reg(host, NV_PFIFO_INTR_0) & *nv_host_reg(host, NV_PFIFO_INTR_EN_0))
        machine_raise_interrupt(host->machine);
}

void nv_host_interrupt(struct nv_host *host, uint32_t intr_0_bits)
{
    *nv_host_reg(host, NV_PFIFO_INTR_0) |= intr_0_bits;
    nv_host_line(host);
}

void nv_host_ce_interrupt(struct nv_host *host, uint32_t instance, bool pending)
{
    uint32_t *intr = &host->pmc->storage[NV_PMC_INTR_0 / 4];
    const uint32_t bit = 1u << (NV_PMC_INTR_0_LCE_LO + instance);

    *intr = pending ? *intr | bit : *intr & ~bit;
    if (pending)
        machine_raise_interrupt(host->machine);
}

void nv_host_gr_interrupt(struct nv_host *host, bool pending)
{
    uint32_t *intr = &host->pmc->storage[NV_PMC_INTR_0 / 4];

    *intr = REG_PUT(*intr, NV_PMC_INTR_0_PGRAPH, pending);
    if (pending)
        machine_raise_interrupt(host->machine);
}

void nv_host_pbdma_interrupt_changed(struct nv_host *host)
{
    uint32_t pbdmas = 0;
    uint32_t *intr_0 = nv_host_reg(host, NV_PFIFO_INTR_0);

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

void nv_host_stop_channel(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits)
{
    struct nv_channel *channel = &host->state->channels[channel_id];

    if (channel->stopped)
        return;
    channel->stopped = 1;
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

    if (is && was && old != inst)
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_BIND_NOT_UNBOUND);
    if (is && !host->usermode && !REG_GET(bar1, NV_PFIFO_BAR1_BASE_VALID))
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_SNOOP_WITHOUT_BAR1);
    if (!is && host->state->channels[channel_id].on_pbdma)
        nv_host_error(host, EVENT_NV_BIND_ERROR, channel_id,
                      NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_RUNNING);
    if (is && !was) { /* a new channel of that number */
        host->state->channels[channel_id].bindings =
            (host->state->channels[channel_id].bindings + 1) & 0xfff;
        host->state->channels[channel_id].gp_sequence = 0;
        host->state->channels[channel_id].stopped = 0;
    }
    if (is)
        MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_BIND, RULE_NONE, channel_id,
                    (uint64_t)REG_GET(inst, NV_PCCSR_CHANNEL_INST_PTR) << 12);
    else if (was)
        MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_UNBIND, RULE_NONE, channel_id);
}

/* All runlists look: which one has the channel stands in the lists in memory only. */
static void nv_host_wake(struct nv_host *host)
{
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        nv_runlist_wake(&host->runlists[i]);
}

static void nv_host_write_channel(struct nv_host *host, uint32_t channel_id, uint32_t old,
                                  uint32_t written)
{
    struct nv_channel *channel = &host->state->channels[channel_id];
    uint32_t *word = &host->pccsr->storage[(NV_PCCSR_CHANNEL + 8 * channel_id) / 4];
    const bool was = channel->enabled;

    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_SET))
        channel->enabled = 1;
    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_CLR))
        channel->enabled = 0;
    *word = REG_PUT(old, NV_PCCSR_CHANNEL_ENABLE, channel->enabled);
    if (channel->enabled == was)
        return;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_ENABLE, RULE_NONE, channel_id,
                channel->enabled);
    if (channel->enabled && channel->pending)
        nv_host_wake(host);
}

static uint32_t nv_host_channel_status(const struct nv_host *host, uint32_t channel_id)
{
    const struct nv_channel *channel = &host->state->channels[channel_id];

    if (channel->on_pbdma)
        return NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG;
    return channel->pending ? NV_PCCSR_CHANNEL_STATUS_PENDING : NV_PCCSR_CHANNEL_STATUS_IDLE;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* True when what a PREEMPT word names is on the PBDMA. */
static bool nv_host_names(const struct nv_pbdma *pbdma, uint32_t preempt)
{
    const uint32_t id = REG_GET(preempt, NV_PFIFO_PREEMPT_ID);

    return !nv_pbdma_is_free(pbdma) &&
           id == (REG_GET(preempt, NV_PFIFO_PREEMPT_TYPE) == NV_PFIFO_PREEMPT_TYPE_TSG
                      ? pbdma->state->tsg_id
                      : pbdma->state->channel_id);
}

static void nv_host_preempt(struct nv_host *host, uint32_t written)
{
    for (uint32_t i = 0; i < host->model->pbdma_count; i++)
        if (nv_host_names(&host->pbdmas[i], written))
            nv_pbdma_preempt(&host->pbdmas[i]);
}

static uint32_t nv_host_read_preempt(const struct nv_host *host, uint32_t stored)
{
    uint32_t pending = 0;

    for (uint32_t i = 0; i < host->model->pbdma_count; i++)
        pending |= nv_host_names(&host->pbdmas[i], stored);
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

    if (window == host->usermode)
        return nv_host_read_usermode(host, offset, stored);

    if (window == host->pccsr && offset % 8 == NV_PCCSR_CHANNEL)
        return REG_PUT(stored, NV_PCCSR_CHANNEL_STATUS, nv_host_channel_status(host, offset / 8));
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
            status = NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_LOAD;
        if (pbdma->phase == NV_PBDMA_SAVING)
            status = NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_SAVE;
        return REG_PUT(nv_host_pbdma_id(pbdma), NV_PFIFO_PBDMA_STATUS_CHAN_STATUS, status);
    }
    return stored;
}

static void nv_host_take_runlist(struct nv_host *host, uint32_t runlist_id,
                                 enum memory_aperture aperture, uint64_t base, uint32_t count)
{
    if (runlist_id >= host->model->runlist_count) {
        nv_host_error(host, EVENT_NV_SCHED_ERROR, runlist_id, 0);
        return;
    }
    nv_runlist_submit(&host->runlists[runlist_id], aperture, base, count);
    *nv_host_reg(host, NV_PFIFO_INTR_RUNLIST) |= 1u << runlist_id;
    nv_host_interrupt(host, REG_PUT(0, NV_PFIFO_INTR_0_RUNLIST_EVENT, 1));
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
                         (uint64_t)REG_GET(base, NV_PFIFO_RUNLIST_BASE_PTR) << 12, count);
}

/* Turing.  OFFSET is where in the list the scheduler starts: 0 is all that drivers here write. */
static void nv_host_runlist_submit_apart(struct nv_host *host, uint32_t runlist_id,
                                         uint32_t written)
{
    const uint32_t at = 16 * runlist_id;
    const uint32_t low = *nv_host_reg(host, NV_PFIFO_RUNLIST_BASE_LO + at);
    const uint32_t high = *nv_host_reg(host, NV_PFIFO_RUNLIST_BASE_HI + at);

    if (REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_OFFSET))
        MACHINE_LOG(host->machine, host->unit, EVENT_UNMODELLED, RULE_NONE,
                    UNMODELLED_REGISTER_WRITE, NV_PFIFO_BASE + NV_PFIFO_RUNLIST_SUBMIT + at,
                    written);
    nv_host_take_runlist(host, runlist_id,
                         nv_host_aperture(REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_TARGET)),
                         (uint64_t)REG_GET(high, NV_PFIFO_RUNLIST_BASE_HI_PTR_HI) << 32 |
                             (uint64_t)REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_PTR_LO) << 12,
                         REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_LENGTH));
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

    if (window == host->usermode) {
        if (offset == NV_USERMODE_NOTIFY_CHANNEL_PENDING)
            nv_host_notify(host, written);
        return;
    }
    if (window == host->pccsr) {
        if (offset % 8 == NV_PCCSR_CHANNEL)
            nv_host_write_channel(host, offset / 8, old, written);
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
    else if (offset == NV_PFIFO_SCHED_DISABLE && written)
        MACHINE_LOG(host->machine, host->unit, EVENT_UNMODELLED, RULE_NONE,
                    UNMODELLED_REGISTER_WRITE, NV_PFIFO_BASE + offset, written);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void nv_host_event(void *unit, const struct event *event)
{
    struct nv_host *host = unit;
    struct nv_channel *channel = &host->state->channels[event->argument];

    assert(event->kind == NV_HOST_PENDING);
    if (channel->on_pbdma) {
        nv_pbdma_doorbell(&host->pbdmas[channel->pbdma_id]);
        return;
    }
    if (!channel->pending)
        channel->pending_ps = machine_now(host->machine);
    channel->pending = 1;
    nv_host_wake(host);
}

/* A channel that keeps its PBDMA although nothing is left to happen; UINT32_MAX when there is none.
 */
static uint32_t nv_host_holder(const struct nv_host *host)
{
    for (uint32_t i = 0; i < host->model->pbdma_count; i++)
        if (!nv_pbdma_is_free(&host->pbdmas[i]))
            return host->pbdmas[i].state->channel_id;
    return UINT32_MAX;
}

/* A channel that is still pending when nothing is left to happen: another one keeps the PBDMA, or
 * it stands on no runlist, or it is not enabled. */
static void nv_host_finish(void *unit)
{
    struct nv_host *host = unit;
    const uint32_t holder = nv_host_holder(host);

    for (uint32_t id = 0; id < host->model->channel_count; id++) {
        const struct nv_channel *channel = &host->state->channels[id];

        if (!channel->pending || channel->stopped || channel->on_pbdma)
            continue;
        if (holder == UINT32_MAX)
            MACHINE_LOG(host->machine, host->unit, EVENT_WAIT_OPEN, RULE_B_R3, channel->pending_ps,
                        SUBJECT_CHANNEL, id, SUBJECT_NONE, 0);
        else
            MACHINE_LOG(host->machine, host->unit, EVENT_WAIT_OPEN, RULE_NV_RUNLIST,
                        channel->pending_ps, SUBJECT_CHANNEL, id, SUBJECT_CHANNEL, holder);
    }
}
