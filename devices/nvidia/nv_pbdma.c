/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma.h"

#include <assert.h>
#include <stdio.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_event(void *unit, const struct event *event);
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written);
static void nv_pbdma_finish(void *unit);

static const struct unit_ops nv_pbdma_ops = {
    .event = nv_pbdma_event,
    .write = nv_pbdma_write,
    .finish = nv_pbdma_finish,
};

void nv_pbdma_wire(struct nv_pbdma *pbdma, struct nv_host *host, struct nv_fe *fe,
                   uint32_t pbdma_id)
{
    pbdma->machine = host->machine;
    pbdma->model = host->model;
    pbdma->host = host;
    pbdma->runlists = host->runlists;
    pbdma->fe = fe;
    pbdma->pbdma_id = pbdma_id;
    (void)snprintf(pbdma->name, sizeof pbdma->name, "nv_pbdma%u", pbdma_id);
    pbdma->unit = machine_add_unit(host->machine, pbdma->name, &nv_pbdma_ops, pbdma);
    pbdma->regs = machine_add_window(host->machine, pbdma->unit, &nv_pbdma_list,
                                     NV_PPBDMA_BASE(pbdma_id), NV_PPBDMA_BYTES, pbdma_id);
    pbdma->state = machine_alloc(host->machine, sizeof *pbdma->state);
}

bool nv_pbdma_is_free(const struct nv_pbdma *pbdma)
{
    return pbdma->state->phase == NV_PBDMA_EMPTY;
}

/* ---- time ----------------------------------------------------------------------------------- */

uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter)
{
    return machine_parameter(pbdma->machine, parameter);
}

/* The next step is an event, `cycles` after where the private steps have come. */
void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles)
{
    struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps at =
        clock_after_cycles(&pbdma->host->clock, state->local_ps, state->local_cycles + cycles);

    state->phase = phase;
    state->generation++;
    if (phase == NV_PBDMA_ENTRY || phase == NV_PBDMA_FETCH)
        state->fetch_from_ps =
            clock_after_cycles(&pbdma->host->clock, state->local_ps, state->local_cycles);
    machine_schedule(pbdma->machine, pbdma->unit, at, NV_PBDMA_EVENT_STEP, state->generation);
}

/* Private steps count from now on. */
void nv_pbdma_start_batch(struct nv_pbdma *pbdma)
{
    pbdma->state->local_ps = machine_now(pbdma->machine);
    pbdma->state->local_cycles = 0;
    pbdma->state->batch_count = 0;
}

/* ---- loading and saving --------------------------------------------------------------------- */

void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[channel_id];

    assert(nv_pbdma_is_free(pbdma));
    state->runlist_id = runlist_id;
    state->tsg_id = tsg_id;
    state->channel_id = channel_id;
    state->space_id = ADDRESS_SPACE_NONE; /* until its instance block names one */
    channel->on_pbdma = 1;
    channel->pbdma_id = (uint8_t)pbdma->pbdma_id;
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, NV_PBDMA_LOADING, nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_LOAD_CYCLES));
}

/* Reads GP_PUT from USERD, wherever RAMFC says that is. */
static void nv_pbdma_read_gp_put(struct nv_pbdma *pbdma)
{
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);
    const uint64_t userd =
        (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI), NV_PPBDMA_USERD_HI_ADDR) << 32 |
        (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;
    uint32_t gp_put = 0;

    if (machine_read(pbdma->machine, nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET)),
                     userd + NV_RAMUSERD_GP_PUT, &gp_put, sizeof gp_put))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_PUT, gp_put);
}

void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);
    const uint64_t userd =
        (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI), NV_PPBDMA_USERD_HI_ADDR) << 32 |
        (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;

    (void)machine_write(pbdma->machine, nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET)),
                        userd + offset, &value, sizeof value);
}

/* The address space by PAGE_DIR_BASE of the instance block. */
static uint32_t nv_pbdma_find_space(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    uint32_t base[2];

    if (!machine_read(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                      state->instance + NV_RAMIN_PAGE_DIR_BASE, base, sizeof base))
        return ADDRESS_SPACE_NONE;
    return address_space_by_root(
        &pbdma->machine->spaces, nv_host_aperture(REG_GET(base[0], NV_RAMIN_PAGE_DIR_BASE_TARGET)),
        (uint64_t)base[1] << 32 | (uint64_t)REG_GET(base[0], NV_RAMIN_PAGE_DIR_BASE_LO) << 12);
}

/* Where the next dword lies that has not been processed: GET, from which the channel goes on. */
static bool nv_pbdma_store_get(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const bool midway = state->taken < state->latched || state->segment_left > 0;
    const uint64_t next = state->segment_at - 4 * (uint64_t)(state->latched - state->taken);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET,
                     midway ? (uint32_t)next : nv_pbdma_reg(pbdma, NV_PPBDMA_PUT));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET_HI,
                     midway ? (uint32_t)(next >> 32) : nv_pbdma_reg(pbdma, NV_PPBDMA_PUT_HI));
    return midway || REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID);
}

/* Starts to save the channel; what is left in its segment or ring makes it pending again. */
void nv_pbdma_leave(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[state->channel_id];
    const bool midway = nv_pbdma_store_get(pbdma);

    nv_pbdma_acquire_stop(pbdma);
    nv_pbdma_unblock(pbdma);
    channel->segment_methods = midway ? state->segment_methods : 0;
    state->acquire_tries = 0;
    state->preempt = 0;
    state->yields = 0;
    if (midway || nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) != nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT)) {
        channel->pending = 1;
        channel->pending_ps = machine_now(pbdma->machine);
    }
    nv_pbdma_schedule(pbdma, NV_PBDMA_SAVING, nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_SAVE_CYCLES));
}

/* Goes on where RAMFC says that the channel left: at METHOD0, within a segment, or in its ring. */
static void nv_pbdma_continue(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint64_t get = (uint64_t)nv_pbdma_reg(pbdma, NV_PPBDMA_GET_HI) << 32 |
                         nv_pbdma_reg(pbdma, NV_PPBDMA_GET);
    const uint64_t put = (uint64_t)nv_pbdma_reg(pbdma, NV_PPBDMA_PUT_HI) << 32 |
                         nv_pbdma_reg(pbdma, NV_PPBDMA_PUT);
    const uint32_t limit2 = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE_HI), //
                                    NV_PPBDMA_GP_BASE_HI_LIMIT2);

    state->segment_at = get;
    state->segment_left = put > get ? (uint32_t)((put - get) / 4) : 0;
    state->segment_entry = (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) - 1) & ((1u << limit2) - 1);
    state->segment_methods = pbdma->host->state->channels[state->channel_id].segment_methods;
    if (REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID))
        nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
    else if (state->segment_left > 0)
        nv_pbdma_next_fetch(pbdma);
    else
        nv_pbdma_next_entry(pbdma);
}

/* The next GP entry, or nothing to do. */
void nv_pbdma_next_entry(struct nv_pbdma *pbdma)
{
    if (pbdma->state->preempt)
        nv_pbdma_leave(pbdma);
    else if (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) == nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT))
        nv_pbdma_schedule(pbdma, NV_PBDMA_IDLE, nv_pbdma_cycles(pbdma, PARAM_NV_IDLE_CYCLES));
    else
        nv_pbdma_schedule(pbdma, NV_PBDMA_ENTRY, nv_pbdma_cycles(pbdma, PARAM_NV_GP_FETCH_CYCLES));
}

static void nv_pbdma_loaded(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    enum memory_aperture aperture;
    gfe_ps context_ps;

    if (!nv_host_instance(pbdma->host, state->channel_id, &state->instance, &aperture) ||
        !machine_read(pbdma->machine, aperture, state->instance, pbdma->regs->storage,
                      NV_RAMFC_BYTES)) {
        nv_pbdma_fault(pbdma, state->instance, false, NV_FAULT_HOST);
        return;
    }
    state->instance_aperture = aperture;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL,
                     REG_PUT(state->channel_id, NV_PPBDMA_CHANNEL_VALID, 1));
    if (REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_SIGNATURE), NV_PPBDMA_SIGNATURE_HW) !=
        NV_PPBDMA_SIGNATURE_HW_VALID) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SIGNATURE_LO);
        return;
    }
    nv_pbdma_read_gp_put(pbdma);
    state->space_id = nv_pbdma_find_space(pbdma);
    state->latched = state->taken = state->segment_left = 0;
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_LOAD, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->runlist_id, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    context_ps = nv_fe_context_load(pbdma->fe, state->channel_id, state->tsg_id, state->space_id);
    if (pbdma->ce)
        nv_ce_context_load(pbdma->ce, state->channel_id, state->space_id);
    nv_pbdma_start_batch(pbdma);
    state->local_ps = clock_add(state->local_ps, context_ps);
    nv_pbdma_continue(pbdma);
}

/* The PBDMA is free for another channel. */
static void nv_pbdma_release_channel(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL, 0);
    pbdma->host->state->channels[state->channel_id].on_pbdma = 0;
    state->preempt = 0;
    state->phase = NV_PBDMA_EMPTY;
    state->generation++;
    nv_runlist_channel_left(&pbdma->runlists[state->runlist_id]);
}

void nv_pbdma_preempt(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PREEMPT, RULE_NONE, state->channel_id,
                state->tsg_id, pbdma->pbdma_id);
    switch (state->phase) {
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_SAVING:
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_leave(pbdma);
        break;
    case NV_PBDMA_STOPPED:
        nv_pbdma_release_channel(pbdma);
        break;
    case NV_PBDMA_BLOCKED:
        state->preempt = 1;
        if (state->block_rule == RULE_NV_ACQ) {
            nv_pbdma_start_batch(pbdma);
            nv_pbdma_leave(pbdma);
        }
        break;
    default:
        state->preempt = 1;
    }
}

static void nv_pbdma_saved(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (pbdma->ce)
        nv_ce_context_save(pbdma->ce, state->channel_id, state->space_id);
    (void)machine_write(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                        state->instance, pbdma->regs->storage, NV_RAMFC_BYTES);
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GET, nv_pbdma_reg(pbdma, NV_PPBDMA_GET));
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GET_HI, nv_pbdma_reg(pbdma, NV_PPBDMA_GET_HI));
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_REF, nv_pbdma_reg(pbdma, NV_PPBDMA_REF));
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_TOP_LEVEL_GET,
                         nv_pbdma_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET));
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_TOP_LEVEL_GET_HI,
                         nv_pbdma_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI));
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_SAVE, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->runlist_id, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    nv_pbdma_release_channel(pbdma);
}

void nv_pbdma_doorbell(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[state->channel_id];

    switch (state->phase) {
    case NV_PBDMA_LOADING: /* reads GP_PUT later anyway */
    case NV_PBDMA_EMPTY:
        break;
    case NV_PBDMA_SAVING:
        channel->pending = 1;
        channel->pending_ps = machine_now(pbdma->machine);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_read_gp_put(pbdma);
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_next_entry(pbdma);
        break;
    default:
        nv_pbdma_read_gp_put(pbdma);
    }
}

/* ---- registers and events ------------------------------------------------------------------- */

/* Software writes a register: clearing INTR_0 lets the PBDMA go on. */
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written)
{
    struct nv_pbdma *pbdma = unit;

    if (offset == NV_PPBDMA_INTR_0 || offset == NV_PPBDMA_INTR_1) {
        if (old & written)
            MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR_CLEAR, RULE_NONE,
                        pbdma->state->channel_id, pbdma->pbdma_id, old & written);
        nv_host_pbdma_interrupt_changed(pbdma->host);
        nv_pbdma_resume(pbdma);
    } else if (offset == NV_PPBDMA_INTR_EN_0 || offset == NV_PPBDMA_INTR_EN_1) {
        nv_host_pbdma_interrupt_changed(pbdma->host);
    }
    (void)window;
}

/* A channel that waits when nothing is left to happen waits for ever: the log says for what. */
static void nv_pbdma_finish(void *unit)
{
    nv_pbdma_log_open_wait(unit);
}

static void nv_pbdma_event(void *unit, const struct event *event)
{
    struct nv_pbdma *pbdma = unit;
    struct nv_pbdma_state *state = pbdma->state;

    if (event->kind == NV_PBDMA_EVENT_WATCH) {
        nv_pbdma_resume(pbdma);
        return;
    }
    if (event->kind == NV_PBDMA_EVENT_TIMEOUT) {
        nv_pbdma_semaphore_timeout(pbdma);
        return;
    }
    if (event->argument != state->generation)
        return; /* overtaken by a doorbell, an interrupt or an error */
    switch (state->phase) {
    case NV_PBDMA_LOADING:
        nv_pbdma_loaded(pbdma);
        break;
    case NV_PBDMA_ENTRY:
        nv_pbdma_entry(pbdma);
        break;
    case NV_PBDMA_FETCH:
        nv_pbdma_fetch(pbdma);
        break;
    case NV_PBDMA_DWORDS:
        state->batch_count = 0;
        nv_pbdma_advance(pbdma);
        break;
    case NV_PBDMA_METHOD:
    case NV_PBDMA_BLOCKED:
        nv_pbdma_execute(pbdma);
        break;
    case NV_PBDMA_ERROR:
        nv_pbdma_interrupt(pbdma, state->due_intr);
        break;
    case NV_PBDMA_SEGMENT_END:
        nv_pbdma_segment_end(pbdma);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_schedule(pbdma, NV_PBDMA_SAVING,
                          nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_SAVE_CYCLES));
        break;
    case NV_PBDMA_SAVING:
        nv_pbdma_saved(pbdma);
        break;
    default:
        break; /* EMPTY, STOPPED: nothing to do */
    }
}
