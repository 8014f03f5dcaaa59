/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma_private.h"

#include <assert.h>
#include <stdio.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_runlist_status.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_event(void *unit, const struct event *event);
static uint32_t nv_pbdma_read(void *unit, const struct mmio_window *window, uint32_t offset,
                              uint32_t stored);
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written);
static void nv_pbdma_finish(void *unit);

static const struct unit_ops nv_pbdma_ops = {
    .event = nv_pbdma_event,
    .read = nv_pbdma_read,
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
                                     NV_PPBDMA_BASE_0 + pbdma_id * host->generation->pbdma_stride,
                                     NV_PPBDMA_BYTES, pbdma_id);
    pbdma->state = machine_alloc(host->machine, sizeof *pbdma->state);
    nv_pbdma_intr_reset(pbdma);
    nv_crc_init(&pbdma->crc);
    nv_pbdma_wire_sinks(pbdma);
}

bool nv_pbdma_is_free(const struct nv_pbdma *pbdma)
{
    return pbdma->state->phase == NV_PBDMA_EMPTY;
}

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter)
{
    return machine_parameter(pbdma->machine, parameter);
}

/* The next step is an event, `cycles` after where the private steps have come. */
void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles)
{
    struct nv_pbdma_state *state = pbdma->state;

    state->phase = phase;
    state->generation++;
    state->step_ps =
        clock_after_cycles(&pbdma->host->clock, state->local_ps, state->local_cycles + cycles);
    machine_schedule(pbdma->machine, pbdma->unit, state->step_ps, NV_PBDMA_EVENT_STEP,
                     state->generation);
}

gfe_ps nv_pbdma_local(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    return state->local_cycles
               ? clock_after_cycles(&pbdma->host->clock, state->local_ps, state->local_cycles)
               : state->local_ps;
}

/* Private steps count from now on. */
void nv_pbdma_start_batch(struct nv_pbdma *pbdma)
{
    pbdma->state->local_ps = machine_now(pbdma->machine);
    pbdma->state->local_cycles = 0;
    pbdma->state->batch_count = 0;
}

/* ---- loading and saving ---------------------------------------------------------------------- */

void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id)
{
    struct nv_pbdma_state *state = pbdma->state;

    assert(nv_pbdma_is_free(pbdma));
    state->runlist_id = runlist_id;
    state->tsg_id = tsg_id;
    state->channel_id = channel_id;
    state->space_id = ADDRESS_SPACE_NONE; /* until its instance block names one */
    state->primary = pbdma->primary_of_runlist[runlist_id];
    state->in_segment = 0;
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, NV_PBDMA_LOADING, nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_LOAD_CYCLES));
}

/* Where USERD is: as RAMFC says, from Ampere on as the channel's runlist entry does. */
static uint64_t nv_pbdma_userd(const struct nv_pbdma *pbdma, enum memory_aperture *aperture)
{
    const struct nv_channel *channel = nv_channel_get(pbdma->host, pbdma->state->channel_id);
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);

    if (pbdma->host->generation->runlists_have_blocks) {
        *aperture = (enum memory_aperture)channel->userd_aperture;
        return channel->userd;
    }
    *aperture = nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET));
    return (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI), NV_PPBDMA_USERD_HI_ADDR)
               << 32 |
           (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;
}

/* Reads GP_PUT from USERD. */
static void nv_pbdma_read_gp_put(struct nv_pbdma *pbdma)
{
    enum memory_aperture aperture;
    const uint64_t userd = nv_pbdma_userd(pbdma, &aperture);
    uint32_t gp_put = 0;

    if (machine_read(pbdma->machine, aperture, userd + NV_RAMUSERD_GP_PUT, &gp_put,
                     sizeof gp_put) &&
        nv_pbdma_passes(pbdma, NV_INJECT_GP_PUT, &gp_put, sizeof gp_put))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_PUT, gp_put);
}

void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    enum memory_aperture aperture;
    const uint64_t userd = nv_pbdma_userd(pbdma, &aperture);

    (void)machine_write(pbdma->machine, aperture, userd + offset, &value, sizeof value);
}

/* True when the channel stands within a segment, or at a method. */
static bool nv_pbdma_is_midway(const struct nv_pbdma *pbdma)
{
    return REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID) ||
           nv_pbdma_get_address(pbdma, NV_PPBDMA_GET, NV_PPBDMA_GET_HI) <
               nv_pbdma_get_address(pbdma, NV_PPBDMA_PUT, NV_PPBDMA_PUT_HI);
}

/* Keeps, beside RAMFC, what the model knows of the segment that the channel leaves midway. */
static void nv_pbdma_keep_segment(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    bool midway;

    if (!state->in_segment)
        return; /* it is as it was */
    if (entry->flags & NV_PBDMA_ENTRY_COMMITTED)
        nv_pbdma_store_get(pbdma);
    midway = nv_pbdma_is_midway(pbdma);
    nv_channel_keep_segment(pbdma->host, state->channel_id, midway ? state->segment_methods : 0,
                            midway && state->first);
}

/* Starts to save the channel; what is left in its segment or ring makes it pending again. */
void nv_pbdma_leave(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    nv_pbdma_keep_segment(pbdma);
    nv_pbdma_fold_crc(pbdma);
    nv_pbdma_forget(pbdma);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_FETCH, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI,
                     REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI),
                             NV_PPBDMA_TOP_LEVEL_GET_HI_VALID, 0));
    nv_pbdma_acquire_stop(pbdma);
    if (nv_pbdma_is_midway(pbdma) ||
        nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) != nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT))
        nv_channel_make_pending(pbdma->host, state->channel_id);
    if (state->phase == NV_PBDMA_BLOCKED && state->block_rule == RULE_NV_ACQ)
        nv_pbdma_acquire_park(pbdma);
    nv_pbdma_unblock(pbdma);
    state->acquire_tries = 0;
    state->after_block = 0;
    state->preempt = state->saves = 0;
    nv_pbdma_schedule(pbdma, NV_PBDMA_SAVING, nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_SAVE_CYCLES));
}

/* The engines' contexts are on: the channel goes on. */
static void nv_pbdma_start(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (nv_pbdma_ce(pbdma))
        nv_ce_context_load(nv_pbdma_hce(pbdma), state->channel_id);
    nv_channel_context_loaded(pbdma->host, state->channel_id);
    nv_pbdma_start_batch(pbdma);
    state->phase = NV_PBDMA_NEXT;
    state->in_segment = 1;
    nv_runlist_channel_loaded(nv_pbdma_queue(pbdma));
    nv_pbdma_continue(pbdma);
}

/* Does the channel need that engine at once?  Its TSG has work there; or, as
 * CHOICE_NV_ENGINES_NEEDED says, it has a context there, or might use it. */
static bool nv_pbdma_needs(const struct nv_pbdma *pbdma, const struct nv_engine *engine)
{
    const struct nv_pbdma_state *state = pbdma->state;

    if (!engine->ops)
        return false;
    if (pbdma->machine->choices[CHOICE_NV_ENGINES_NEEDED] == 0 &&
        (engine->row->kind == NV_CHIP_GRAPHICS
             ? nv_fe_context_image(pbdma->fe, state->channel_id) != 0
             : nv_pbdma_serves(pbdma, engine->row->engine_id)))
        return true;
    return nv_engine_has_work(engine, state->tsg_id);
}

void nv_pbdma_take_engines(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_runlist *runlist = nv_pbdma_queue(pbdma);
    bool on = true;

    for (uint32_t i = 0; i < runlist->engine_count && !state->preempt; i++) {
        struct nv_engine *engine = runlist->engine_at[i];

        if (!(runlist->fed >> i & 1) || nv_engine_is_on(engine, state->tsg_id, state->channel_id))
            continue;
        if (nv_pbdma_needs(pbdma, engine))
            on &= nv_engine_need(engine, state->tsg_id, state->channel_id, state->space_id,
                                 pbdma->pbdma_id);
    }
    if (state->preempt) {
        nv_engine_stop_waiting(pbdma->host, state->runlist_id, pbdma->pbdma_id);
        nv_pbdma_leave(pbdma);
    } else if (on) {
        nv_pbdma_unblock(pbdma);
        nv_pbdma_start(pbdma);
    } else {
        nv_pbdma_block(pbdma, RULE_B_R4);
        state->after_block = NV_PBDMA_ENGINES;
    }
}

static inline void nv_pbdma_check(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t wrong = nv_pbdma_wrong(pbdma);

    if (wrong != NV_PBDMA_INTRS) {
        nv_pbdma_interrupt_in(pbdma, wrong, NV_PBDMA_LOADED);
        return;
    }
    nv_pbdma_read_gp_put(pbdma);
    state->space_id = nv_mmu_space(pbdma->host->mmu, (enum memory_aperture)state->instance_aperture,
                                   state->instance);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_LOAD, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, nv_runlist_number(nv_pbdma_queue(pbdma)),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET), nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    nv_pbdma_check_target(pbdma);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_take_engines(pbdma);
}

static void nv_pbdma_loaded(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    enum memory_aperture aperture;

    nv_pbdma_forget(pbdma);
    state->bad_header = 0;
    if (!nv_host_instance(pbdma->host, state->channel_id, &state->instance, &aperture) ||
        !machine_read(pbdma->machine, aperture, state->instance, pbdma->regs->storage,
                      NV_RAMFC_BYTES)) {
        nv_pbdma_fault(pbdma, state->instance, false, NV_FAULT_HOST);
        return;
    }
    (void)nv_pbdma_passes(pbdma, NV_INJECT_RAMFC_LOAD, pbdma->regs->storage, NV_RAMFC_BYTES);
    state->instance_aperture = aperture;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL,
                     REG_PUT(state->channel_id & 0xfff, NV_PPBDMA_CHANNEL_VALID, 1));
    nv_pbdma_check(pbdma);
}

/* The PBDMA is free for another channel. */
static void nv_pbdma_release_channel(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL, 0);
    state->preempt = 0;
    state->in_segment = 0;
    state->phase = NV_PBDMA_EMPTY;
    state->generation++;
    nv_channel_unload(pbdma->host, state->channel_id);
    nv_runlist_channel_left(nv_pbdma_queue(pbdma));
}

/* METHOD0 waits: can it leave and be tried again later?  A method of several steps ends first; an
 * interrupt has to be cleared. */
static bool nv_pbdma_can_leave(const struct nv_pbdma_state *state)
{
    return state->block_rule != RULE_NV_INTR && state->block_rule != RULE_NV_DEVICE &&
           state->host_step == 0;
}

void nv_pbdma_expel(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    switch (state->phase) {
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_SAVING:
        break;
    case NV_PBDMA_ENTRY:
    case NV_PBDMA_FETCH:
    case NV_PBDMA_IDLE:
        if (nv_pbdma_frozen(pbdma)) {
            state->preempt = 1;
            break;
        }
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_leave(pbdma);
        break;
    case NV_PBDMA_STOPPED:
        if (state->saves) {
            nv_pbdma_start_batch(pbdma);
            nv_pbdma_leave(pbdma);
        } else {
            nv_pbdma_release_channel(pbdma);
        }
        break;
    case NV_PBDMA_BLOCKED:
        state->preempt = 1;
        if (nv_pbdma_can_leave(state)) {
            nv_pbdma_start_batch(pbdma);
            nv_pbdma_leave(pbdma);
        }
        break;
    default:
        state->preempt = 1;
    }
}

/* Tells software in USERD how far it has come. */
static void nv_pbdma_report(struct nv_pbdma *pbdma)
{
    const uint32_t get[] = {nv_pbdma_reg(pbdma, NV_PPBDMA_GET), nv_pbdma_reg(pbdma, NV_PPBDMA_REF)};
    const uint32_t upper[] = {nv_pbdma_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET),
                              nv_pbdma_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI),
                              nv_pbdma_reg(pbdma, NV_PPBDMA_GET_HI)};
    enum memory_aperture aperture;
    const uint64_t userd = nv_pbdma_userd(pbdma, &aperture);

    _Static_assert(NV_RAMUSERD_REF == NV_RAMUSERD_GET + 4 &&
                       NV_RAMUSERD_TOP_LEVEL_GET_HI == NV_RAMUSERD_TOP_LEVEL_GET + 4 &&
                       NV_RAMUSERD_GET_HI == NV_RAMUSERD_TOP_LEVEL_GET + 8,
                   "words that lie side by side are written together");
    machine_wrote_own(pbdma->machine, aperture, userd + NV_RAMUSERD_GET, 4);
    machine_wrote_own(pbdma->machine, aperture, userd + NV_RAMUSERD_TOP_LEVEL_GET, sizeof upper);
    (void)machine_write(pbdma->machine, aperture, userd + NV_RAMUSERD_GET, get, sizeof get);
    (void)machine_write(pbdma->machine, aperture, userd + NV_RAMUSERD_TOP_LEVEL_GET, upper,
                        sizeof upper);
}

static void nv_pbdma_saved(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->in_segment && nv_pbdma_ce(pbdma)) /* else HCE has another channel's state still */
        nv_ce_context_save(nv_pbdma_hce(pbdma), state->channel_id);
    machine_wrote_own(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                      state->instance, NV_RAMFC_BYTES);
    if (nv_pbdma_passes(pbdma, NV_INJECT_RAMFC_SAVE, pbdma->regs->storage, NV_RAMFC_BYTES))
        (void)machine_write(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                            state->instance, pbdma->regs->storage, NV_RAMFC_BYTES);
    nv_pbdma_report(pbdma);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_SAVE, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, nv_runlist_number(nv_pbdma_queue(pbdma)),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET), nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    nv_pbdma_release_channel(pbdma);
}

void nv_pbdma_doorbell(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    switch (state->phase) {
    case NV_PBDMA_LOADING: /* reads GP_PUT later anyway */
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_STOPPED:
        break;
    case NV_PBDMA_SAVING:
        nv_channel_make_pending(pbdma->host, state->channel_id);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_read_gp_put(pbdma);
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_next_entry(pbdma);
        break;
    default:
        nv_pbdma_read_gp_put(pbdma);
        if (state->in_segment)
            nv_pbdma_fetch_more(pbdma, machine_now(pbdma->machine));
    }
}

/* ---- registers and events -------------------------------------------------------------------- */

static uint32_t nv_pbdma_read(void *unit, const struct mmio_window *window, uint32_t offset,
                              uint32_t stored)
{
    struct nv_pbdma *pbdma = unit;

    (void)window;
    if (offset != NV_PPBDMA_PB_CRC)
        return pbdma->host->generation->runlists_have_blocks
                   ? nv_runlist_status_of_pbdma(pbdma, offset, stored)
                   : stored;
    nv_pbdma_fold_crc(pbdma);
    return nv_pbdma_reg(pbdma, NV_PPBDMA_PB_CRC);
}

/* Software writes a register: clearing INTR_0 lets the PBDMA go on. */
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written)
{
    struct nv_pbdma *pbdma = unit;

    if (offset < NV_RAMFC_BYTES) {
        if (offset == NV_PPBDMA_PB_HEADER || offset == NV_PPBDMA_PB_COUNT)
            pbdma->state->bad_header = 0; /* mended */
        nv_pbdma_unsafe(pbdma);
    } else if (offset == NV_PPBDMA_INTR_0 || offset == NV_PPBDMA_INTR_1) {
        if (old & written) {
            MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR_CLEAR, RULE_NONE,
                        pbdma->state->channel_id, pbdma->pbdma_id, old & written);
            nv_pbdma_goes_on(pbdma);
        }
        nv_host_pbdma_interrupt_changed(pbdma->host);
        if (pbdma->state->fetch_late)
            nv_pbdma_fetched(pbdma);
        else if (pbdma->state->in_segment)
            nv_pbdma_fetch_more(pbdma, machine_now(pbdma->machine));
        nv_pbdma_resume(pbdma);
    } else if (offset == NV_PPBDMA_INTR_EN_0 || offset == NV_PPBDMA_INTR_EN_1 ||
               offset == NV_PPBDMA_INTR_STALL || offset == NV_PPBDMA_INTR_STALL_1 ||
               offset >= NV_PPBDMA_INTR_0_EN_SET_TREE) {
        nv_pbdma_intr_mask(pbdma, offset);
        nv_host_pbdma_interrupt_changed(pbdma->host);
    }
    (void)window;
}

/* A channel that waits when nothing is left to happen waits for ever: the log says for what. */
static void nv_pbdma_finish(void *unit)
{
    nv_pbdma_log_open_wait(unit);
}

/* The step that was scheduled. */
static void nv_pbdma_step(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    switch (state->phase) {
    case NV_PBDMA_LOADING:
        nv_pbdma_loaded(pbdma);
        break;
    case NV_PBDMA_LOADED:
        nv_pbdma_check(pbdma);
        break;
    case NV_PBDMA_ENGINES:
        nv_pbdma_take_engines(pbdma);
        break;
    case NV_PBDMA_NEXT:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_next_entry(pbdma);
        break;
    case NV_PBDMA_SEGMENT:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_segment(pbdma);
        break;
    case NV_PBDMA_MASK:
        nv_pbdma_mask(pbdma);
        break;
    case NV_PBDMA_DWORDS:
        state->batch_count = 0;
        nv_pbdma_advance(pbdma);
        break;
    case NV_PBDMA_METHOD:
        nv_pbdma_method_here(pbdma);
        break;
    case NV_PBDMA_BLOCKED:
        if (state->preempt && nv_pbdma_can_leave(state)) {
            nv_pbdma_start_batch(pbdma);
            nv_pbdma_leave(pbdma);
        } else {
            nv_pbdma_execute(pbdma);
        }
        break;
    case NV_PBDMA_ERROR:
        nv_pbdma_interrupt_in(pbdma, state->due_intr, NV_PBDMA_SEGMENT);
        break;
    case NV_PBDMA_SEGMENT_END:
        nv_pbdma_segment_end(pbdma);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_leave(pbdma);
        break;
    case NV_PBDMA_SAVING:
        nv_pbdma_saved(pbdma);
        break;
    default:
        break; /* EMPTY, STOPPED: nothing to do */
    }
}

static void nv_pbdma_event(void *unit, const struct event *event)
{
    struct nv_pbdma *pbdma = unit;
    struct nv_pbdma_state *state = pbdma->state;

    switch (event->kind) {
    case NV_PBDMA_EVENT_STEP:
        if (event->argument == state->generation) /* else overtaken by a doorbell, an interrupt or
                                                   * an error */
            nv_pbdma_step(pbdma);
        break;
    case NV_PBDMA_EVENT_FETCH:
        if (event->argument == state->fetch_serial)
            nv_pbdma_fetched(pbdma);
        break;
    case NV_PBDMA_EVENT_TIMEOUT:
        nv_pbdma_semaphore_timeout(pbdma);
        break;
    case NV_PBDMA_EVENT_LOST:
        if (state->lost && event->argument == state->lost_serial)
            nv_pbdma_lost_timeout(pbdma);
        break;
    default:
        assert(event->kind == NV_PBDMA_EVENT_WATCH || event->kind == NV_PBDMA_EVENT_WATCH_HI);
        nv_pbdma_resume(pbdma);
    }
}
