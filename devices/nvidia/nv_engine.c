/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_engine.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_open.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

/* Kinds of events: of engine i, 2i and 2i + 1. */
enum { NV_ENGINE_SWITCHED, NV_ENGINE_TIMEOUT, NV_ENGINE_EVENTS };

static void nv_engine_event(void *unit, const struct event *event);
static void nv_engine_finish(void *unit);
static const struct unit_ops nv_engine_unit_ops = {.event = nv_engine_event,
                                                   .finish = nv_engine_finish};

void nv_engine_wire(struct nv_host *host)
{
    const uint32_t unit = machine_add_unit(host->machine, "nv_engine", &nv_engine_unit_ops, host);
    struct nv_engine_state *states =
        machine_alloc(host->machine, host->model->engine_count * sizeof *states);

    for (uint32_t i = 0; i < host->model->engine_count; i++) {
        host->engines[i] = (struct nv_engine){.machine = host->machine,
                                              .host = host,
                                              .row = &host->model->engines[i],
                                              .index = i,
                                              .unit = unit,
                                              .state = &states[i]};
        states[i].tsg_id = states[i].channel_id = NV_ENGINE_NOBODY;
        states[i].next_tsg_id = states[i].next_channel_id = NV_ENGINE_NOBODY;
    }
}

void nv_engine_connect(struct nv_engine *engine, const struct nv_engine_ops *ops, void *unit)
{
    engine->ops = ops;
    engine->context = unit;
}

struct nv_engine *nv_engine_by_id(const struct nv_host *host, uint32_t engine_id)
{
    for (uint32_t i = 0; i < host->model->engine_count; i++)
        if (host->model->engines[i].engine_id == engine_id)
            return &host->engines[i];
    return NULL;
}

/* ---- questions ------------------------------------------------------------------------------- */

bool nv_engine_busy(const struct nv_engine *engine)
{
    return engine->ops && engine->ops->busy && engine->ops->busy(engine->context);
}

bool nv_engine_runs(const struct nv_engine *engine)
{
    return engine->ops && engine->ops->runs ? engine->ops->runs(engine->context)
                                            : nv_engine_busy(engine);
}

bool nv_engine_faulted(const struct nv_engine *engine)
{
    const struct nv_channel *channel = nv_channel_get(engine->host, engine->state->channel_id);

    return channel && channel->eng_faulted;
}

/* Is the context that leaves in memory, whole? */
static bool nv_engine_is_saved(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;

    return state->status == NV_ENGINE_SAVE && machine_now(engine->machine) >= state->load_ps;
}

/* Returns the status of the engine.  After a context has been saved, the status is LOAD only if
 * another context is to come. */
enum nv_engine_status nv_engine_status(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;

    return nv_engine_is_saved(engine) && state->next_tsg_id != NV_ENGINE_NOBODY
               ? NV_ENGINE_LOAD
               : (enum nv_engine_status)state->status;
}

void nv_engine_stop_waiting(struct nv_host *host, uint32_t runlist_id, uint32_t pbdma_id)
{
    const struct nv_runlist *runlist = &host->runlists[runlist_id];

    for (uint32_t i = 0; i < runlist->engine_count; i++)
        runlist->engine_at[i]->state->waiting_pbdmas &= ~(UINT64_C(1) << pbdma_id);
}

/* ---- switching ------------------------------------------------------------------------------- */

static bool nv_engine_copies(const struct nv_engine *engine)
{
    return engine->row->kind == NV_CHIP_GRCE || engine->row->kind == NV_CHIP_LCE;
}

/* Moving a context's state one way; that of an engine that is not modelled takes no time. */
static gfe_ps nv_engine_move_ps(const struct nv_engine *engine, uint32_t tsg_id, uint32_t cycles,
                                uint32_t ps_per_kib)
{
    const gfe_ps now = machine_now(engine->machine);
    const uint64_t bytes = engine->ops && engine->ops->state_bytes
                               ? engine->ops->state_bytes(engine->context, tsg_id)
                               : 0;

    if (!engine->ops || tsg_id == NV_ENGINE_NOBODY)
        return 0;
    return nv_host_after(engine->host, machine_parameter(engine->machine, cycles)) - now +
           bytes * machine_parameter(engine->machine, ps_per_kib) / 1024;
}

static gfe_ps nv_engine_save_ps(const struct nv_engine *engine, uint32_t tsg_id)
{
    return nv_engine_copies(engine)
               ? nv_engine_move_ps(engine, tsg_id, PARAM_NV_CE_SAVE_CYCLES, PARAM_NV_CE_SAVE_KIB_PS)
               : nv_engine_move_ps(engine, tsg_id, PARAM_NV_GR_SAVE_CYCLES,
                                   PARAM_NV_GR_SAVE_KIB_PS);
}

static gfe_ps nv_engine_load_ps(const struct nv_engine *engine, uint32_t tsg_id)
{
    return nv_engine_copies(engine)
               ? nv_engine_move_ps(engine, tsg_id, PARAM_NV_CE_LOAD_CYCLES, PARAM_NV_CE_LOAD_KIB_PS)
               : nv_engine_move_ps(engine, tsg_id, PARAM_NV_CONTEXT_LOAD_CYCLES,
                                   PARAM_NV_GR_LOAD_KIB_PS);
}

/* The load ends with what the work itself restores, and its slice has begun with that. */
static gfe_ps nv_engine_own_move_ps(const struct nv_engine *engine, uint32_t tsg_id)
{
    return engine->ops && engine->ops->own_move_ps && tsg_id != NV_ENGINE_NOBODY
               ? engine->ops->own_move_ps(engine->context, tsg_id)
               : 0;
}

/* Everybody who needs the engine tries again, unless it has to wait for another of the runlist as
 * well. */
static void nv_engine_wake(struct nv_engine *engine)
{
    const struct nv_runlist *runlist = &engine->host->runlists[engine->row->runlist_id];
    uint64_t waiting = engine->state->waiting_pbdmas;

    engine->state->waiting_pbdmas = 0;
    for (uint32_t i = 0; waiting != 0 && i < runlist->engine_count; i++)
        waiting &= ~runlist->engine_at[i]->state->waiting_pbdmas;
    for (; waiting != 0; waiting &= waiting - 1)
        nv_pbdma_resume(&engine->host->pbdmas[__builtin_ctzll(waiting)]);
}

static void nv_engine_stop_timeout(struct nv_engine *engine)
{
    if (engine->state->timeout)
        (void)machine_cancel(engine->machine, engine->unit,
                             NV_ENGINE_EVENTS * engine->index + NV_ENGINE_TIMEOUT);
    engine->state->timeout = 0;
}

/* When the switch that has begun will have taken too long; GFE_PS_NEVER: it may take for ever. */
static gfe_ps nv_engine_deadline(const struct nv_engine *engine)
{
    const gfe_ps period_ps = nv_host_ctxsw_timeout_ps(engine->host, engine);

    return period_ps == GFE_PS_NEVER ? GFE_PS_NEVER : clock_add(engine->state->since_ps, period_ps);
}

/* Schedules an event for the timeout of a switch that ends at end_ps, but only if the timeout comes
 * first.  `GFE_PS_NEVER` means that the end of the switch is not known. */
static inline void nv_engine_watch_timeout(struct nv_engine *engine, gfe_ps end_ps)
{
    struct nv_engine_state *state = engine->state;
    const gfe_ps deadline_ps = nv_engine_deadline(engine);

    nv_engine_stop_timeout(engine);
    if (state->timed_out || deadline_ps == GFE_PS_NEVER || end_ps <= deadline_ps ||
        deadline_ps < machine_now(engine->machine))
        return;
    state->timeout = 1;
    machine_schedule(engine->machine, engine->unit, deadline_ps,
                     NV_ENGINE_EVENTS * engine->index + NV_ENGINE_TIMEOUT, 0);
}

static void nv_engine_timeout(struct nv_engine *engine)
{
    struct nv_engine_state *state = engine->state;

    state->timeout = 0;
    state->timed_out = 1;
    MACHINE_LOG(engine->machine, engine->unit, EVENT_NV_CTXSW_TIMEOUT, RULE_NONE,
                engine->row->engine_id, state->tsg_id, state->next_tsg_id, state->since_ps);
    nv_host_ctxsw_timeout(engine->host, engine);
}

/* The other's context is on. */
static void nv_engine_switched(struct nv_engine *engine)
{
    struct nv_engine_state *state = engine->state;

    nv_engine_stop_timeout(engine);
    state->tsg_id = state->next_tsg_id;
    state->channel_id = state->next_channel_id;
    state->next_tsg_id = state->next_channel_id = NV_ENGINE_NOBODY;
    state->status = state->tsg_id == NV_ENGINE_NOBODY ? NV_ENGINE_INVALID : NV_ENGINE_VALID;
    if (state->status == NV_ENGINE_VALID && engine->ops && engine->ops->resume)
        engine->ops->resume(engine->context, state->tsg_id, state->channel_id,
                            state->next_space_id);
    nv_runlist_slice_use(&engine->host->runlists[engine->row->runlist_id], state->tsg_id,
                         state->own_move_ps);
    state->own_move_ps = 0;
    nv_engine_wake(engine);
    if (state->status == NV_ENGINE_INVALID)
        nv_runlist_engine_changed(&engine->host->runlists[engine->row->runlist_id]);
    else /* it may be one that is to be preempted */
        nv_runlist_preempt_advance(&engine->host->runlists[engine->row->runlist_id]);
}

/* A context that was saved with work left has to be loaded again for it. */
static void nv_engine_leave_work(struct nv_engine *engine)
{
    const struct nv_channel *channel = nv_channel_get(engine->host, engine->state->channel_id);

    if (!channel || channel->ctx_reload || !nv_engine_has_work(engine, engine->state->tsg_id))
        return;
    nv_channel_force_ctx_reload(engine->host, engine->state->channel_id);
}

/* The next channel has waited for the other context's work to stop. */
static void nv_engine_log_wait(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;
    const bool other = state->channel_id != NV_ENGINE_NOBODY;

    if (state->since_ps < machine_now(engine->machine))
        MACHINE_LOG(engine->machine, engine->unit, EVENT_WAIT, RULE_B_R4, state->since_ps,
                    SUBJECT_CHANNEL, state->next_channel_id,
                    other ? SUBJECT_CHANNEL : SUBJECT_ENGINE,
                    other ? state->channel_id : engine->row->engine_id);
}

/* Returns true if an injected fault keeps the switch from going on here.  The next to be heard of
 * it is its timeout, if software has set one. */
static bool nv_engine_loses(struct nv_engine *engine, uint32_t site)
{
    if (machine_inject(engine->machine, engine->unit, site, engine->row->engine_id, NULL, 0))
        return false;
    nv_engine_watch_timeout(engine, GFE_PS_NEVER);
    return true;
}

void nv_engine_suspended(struct nv_engine *engine)
{
    struct nv_engine_state *state = engine->state;
    const gfe_ps now = machine_now(engine->machine);
    gfe_ps save_ps, load_ps;

    if (state->status != NV_ENGINE_SWITCH)
        return;
    save_ps = nv_engine_save_ps(engine, state->tsg_id);
    state->own_move_ps = nv_engine_own_move_ps(engine, state->next_tsg_id);
    load_ps = nv_engine_load_ps(engine, state->next_tsg_id) + state->own_move_ps;
    if (state->tsg_id != NV_ENGINE_NOBODY)
        nv_engine_leave_work(engine);
    if (engine->ops && state->next_tsg_id != NV_ENGINE_NOBODY)
        nv_engine_log_wait(engine);
    if (engine->ops && state->next_tsg_id != NV_ENGINE_NOBODY)
        MACHINE_LOG(engine->machine, engine->unit, EVENT_NV_CONTEXT_LOAD,
                    state->tsg_id == NV_ENGINE_NOBODY ? RULE_NONE : RULE_B_S1,
                    engine->row->engine_id, state->next_tsg_id, state->next_channel_id,
                    save_ps + load_ps);
    state->status = NV_ENGINE_SAVE;
    state->load_ps = now + save_ps;
    if (state->tsg_id != NV_ENGINE_NOBODY && nv_engine_loses(engine, NV_INJECT_CONTEXT_SAVE)) {
        state->load_ps = GFE_PS_NEVER;
        return;
    }
    if (save_ps + load_ps == 0) {
        nv_engine_switched(engine);
        return;
    }
    nv_engine_watch_timeout(engine, now + save_ps + load_ps);
    machine_schedule(engine->machine, engine->unit, now + save_ps + load_ps,
                     NV_ENGINE_EVENTS * engine->index + NV_ENGINE_SWITCHED, 0);
}

static inline void nv_engine_begin(struct nv_engine *engine, uint32_t tsg_id, uint32_t channel_id,
                                   uint32_t space_id)
{
    struct nv_engine_state *state = engine->state;

    state->status = NV_ENGINE_SWITCH;
    state->since_ps = machine_now(engine->machine);
    state->timed_out = 0;
    state->next_tsg_id = tsg_id;
    state->next_channel_id = channel_id;
    state->next_space_id = space_id;
    if (nv_engine_loses(engine, NV_INJECT_CONTEXT_SWITCH)) {
        if (state->tsg_id == NV_ENGINE_NOBODY) { /* nothing to save */
            state->status = NV_ENGINE_SAVE;
            state->load_ps = state->since_ps;
        }
        return;
    }
    if (state->tsg_id != NV_ENGINE_NOBODY && engine->ops && engine->ops->suspend)
        engine->ops->suspend(engine->context, state->tsg_id);
    else
        nv_engine_suspended(engine);
    if (state->status == NV_ENGINE_SWITCH)
        nv_engine_watch_timeout(engine, GFE_PS_NEVER);
}

/* Is the TSG that has the engine on in another runqueue than the one that asks? */
static bool nv_engine_is_held(struct nv_engine *engine, uint32_t tsg_id, uint32_t pbdma_id)
{
    struct nv_runlist *head = &engine->host->runlists[engine->row->runlist_id];
    const uint64_t bit = UINT64_C(1) << (pbdma_id & 63);

    if (!head->next || engine->state->tsg_id == NV_ENGINE_NOBODY ||
        engine->state->tsg_id == tsg_id || pbdma_id == NV_ENGINE_NO_PBDMA)
        return false;
    engine->state->waiting_pbdmas |= bit;
    if (nv_runlist_has_engine(nv_runlist_served_by(head, pbdma_id), engine))
        return true;
    engine->state->waiting_pbdmas &= ~bit;
    return false;
}

void nv_engine_retry(struct nv_engine *engine)
{
    if (engine->state->waiting_pbdmas != 0)
        nv_engine_wake(engine);
}

bool nv_engine_need(struct nv_engine *engine, uint32_t tsg_id, uint32_t channel_id,
                    uint32_t space_id, uint32_t pbdma_id)
{
    struct nv_engine_state *state = engine->state;

    if (state->in_reset) {
        /* it has no context, and gets none */
    } else if (state->status == NV_ENGINE_VALID || state->status == NV_ENGINE_INVALID) {
        if ((state->tsg_id != tsg_id || state->status == NV_ENGINE_INVALID) &&
            !nv_engine_is_held(engine, tsg_id, pbdma_id))
            nv_engine_begin(engine, tsg_id, channel_id, space_id);
    } else if (state->next_tsg_id == tsg_id) {
        state->next_channel_id = channel_id;
        state->next_space_id = space_id;
    }
    if (state->status == NV_ENGINE_VALID && state->tsg_id == tsg_id) {
        if (state->channel_id != channel_id && engine->ops && engine->ops->resume)
            engine->ops->resume(engine->context, tsg_id, channel_id, space_id);
        state->channel_id = channel_id;
        return true;
    }
    if (pbdma_id != NV_ENGINE_NO_PBDMA)
        state->waiting_pbdmas |= UINT64_C(1) << pbdma_id;
    return false;
}

void nv_engine_evict(struct nv_engine *engine)
{
    struct nv_engine_state *state = engine->state;

    if (state->status == NV_ENGINE_VALID)
        nv_engine_begin(engine, NV_ENGINE_NOBODY, NV_ENGINE_NOBODY, ADDRESS_SPACE_NONE);
}

void nv_engine_work_changed(struct nv_engine *engine, uint32_t tsg_id)
{
    if (engine->state->tsg_id != tsg_id || nv_engine_has_work(engine, tsg_id))
        return;
    nv_channel_set_eng_work(engine->host, engine->state->channel_id, false);
    nv_runlist_engine_changed(&engine->host->runlists[engine->row->runlist_id]);
}

/* ---- reset ----------------------------------------------------------------------------------- */

/* No context is on it, and none is moved. */
static void nv_engine_forget(struct nv_engine *engine)
{
    struct nv_engine_state *state = engine->state;

    nv_engine_stop_timeout(engine);
    if (state->status == NV_ENGINE_SAVE)
        (void)machine_cancel(engine->machine, engine->unit,
                             NV_ENGINE_EVENTS * engine->index + NV_ENGINE_SWITCHED);
    state->status = NV_ENGINE_INVALID;
    state->tsg_id = state->channel_id = NV_ENGINE_NOBODY;
    state->next_tsg_id = state->next_channel_id = NV_ENGINE_NOBODY;
    state->timed_out = 0;
}

static void nv_engine_drop(struct nv_engine *engine)
{
    const struct nv_engine_state was = *engine->state;
    const bool saved = nv_engine_is_saved(engine);
    const struct nv_channel *channel = nv_channel_get(engine->host, was.channel_id);
    struct nv_runlist *runlist = &engine->host->runlists[engine->row->runlist_id];

    if (was.timed_out)
        nv_host_ctxsw_reset(engine->host, engine);
    nv_engine_forget(engine);
    if (engine->ops && engine->ops->reset)
        engine->ops->reset(engine->context, saved ? NV_ENGINE_NOBODY : was.tsg_id);
    if (channel && channel->eng_work && !nv_engine_has_work(engine, was.tsg_id))
        nv_channel_set_eng_work(engine->host, was.channel_id, false);
    for (uint32_t i = 0; i < engine->host->model->pbdma_count; i++)
        nv_pbdma_engine_reset(&engine->host->pbdmas[i], engine);
    nv_runlist_engine_changed(runlist);
}

void nv_engine_reset(struct nv_engine *engine, bool in_reset)
{
    struct nv_engine_state *state = engine->state;

    if (state->in_reset == (uint32_t)in_reset)
        return;
    state->in_reset = in_reset;
    MACHINE_LOG(engine->machine, engine->unit, EVENT_NV_ENGINE_RESET, RULE_NONE,
                engine->row->engine_id, state->tsg_id, state->next_tsg_id, in_reset);
    if (in_reset)
        nv_engine_drop(engine);
    else
        nv_engine_wake(engine);
}

static void nv_engine_switch_ends(struct nv_engine *engine)
{
    if (engine->state->next_tsg_id == NV_ENGINE_NOBODY ||
        !nv_engine_loses(engine, NV_INJECT_CONTEXT_LOAD))
        nv_engine_switched(engine);
}

static void nv_engine_event(void *unit, const struct event *event)
{
    struct nv_host *host = unit;
    struct nv_engine *engine = &host->engines[event->kind / NV_ENGINE_EVENTS];

    if (event->kind % NV_ENGINE_EVENTS == NV_ENGINE_SWITCHED)
        nv_engine_switch_ends(engine);
    else
        nv_engine_timeout(engine);
}

static void nv_engine_finish(void *unit)
{
    const struct nv_host *host = unit;

    for (uint32_t i = 0; i < host->model->engine_count; i++)
        nv_open_engine(&host->engines[i]);
}
