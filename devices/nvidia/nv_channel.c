/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_channel.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

/* ---- numbers --------------------------------------------------------------------------------- */

uint32_t nv_channel_slot(const struct nv_host *host, uint32_t channel_id)
{
    const uint32_t count = host->model->channel_count;
    const uint32_t runlist_id = channel_id >> NV_CHANNEL_RUNLIST_SHIFT;
    const uint32_t chid = channel_id & ((1u << NV_CHANNEL_RUNLIST_SHIFT) - 1);

    if (!host->generation->channels_per_runlist)
        return channel_id < count ? channel_id : UINT32_MAX;
    return chid < count && runlist_id < host->model->runlist_count ? runlist_id * count + chid
                                                                   : UINT32_MAX;
}

uint32_t nv_channel_id_of_slot(const struct nv_host *host, uint32_t slot)
{
    const uint32_t count = host->model->channel_count;

    return host->generation->channels_per_runlist
               ? slot / count << NV_CHANNEL_RUNLIST_SHIFT | slot % count
               : slot;
}

static uint32_t nv_channel_id(const struct nv_host *host, const struct nv_channel *channel)
{
    return nv_channel_id_of_slot(host, (uint32_t)(channel - host->channels));
}

/* ---- being able to run ----------------------------------------------------------------------- */

static enum nv_runlist_count nv_channel_counts(const struct nv_channel *channel)
{
    if (channel->entry == 0 || !channel->enabled || channel->stopped || channel->on_pbdma)
        return NV_RUNLIST_COUNTS_NOT;
    if ((channel->pending && !channel->acquire_blocked) || channel->ctx_reload || channel->eng_work)
        return NV_RUNLIST_READY;
    return channel->pending ? NV_RUNLIST_POLLS : NV_RUNLIST_COUNTS_NOT;
}

/* Apart, because most that happens to a channel does not change how it counts. */
static __attribute__((noinline)) void
nv_channel_recount(struct nv_host *host, struct nv_channel *channel, enum nv_runlist_count is)
{
    const enum nv_runlist_count was = (enum nv_runlist_count)channel->count;
    struct nv_runlist *runlist = &host->runlists[channel->runlist_id];

    channel->count = (uint8_t)is;
    if (!channel->acquire_switch)
        runlist->state->blocked_members +=
            (uint32_t)(is == NV_RUNLIST_POLLS) - (uint32_t)(was == NV_RUNLIST_POLLS);
    nv_runlist_recount(runlist, channel->entry - 1, was, is);
}

void nv_channel_changed(struct nv_host *host, struct nv_channel *channel)
{
    const enum nv_runlist_count is = nv_channel_counts(channel);

    if (is != (enum nv_runlist_count)channel->count)
        nv_channel_recount(host, channel, is);
}

/* Something has happened to it: its runlist may get somewhere. */
static void nv_channel_stir(struct nv_host *host, const struct nv_channel *channel)
{
    if (channel->entry != 0)
        nv_runlist_stir(&host->runlists[channel->runlist_id]);
}

void nv_channel_leave_list(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (channel->entry == 0)
        return;
    if (channel->count != NV_RUNLIST_COUNTS_NOT)
        nv_channel_recount(host, channel, NV_RUNLIST_COUNTS_NOT);
    if (channel->pbdma_faulted || channel->eng_faulted)
        nv_runlist_count_faulted(&host->runlists[channel->runlist_id], channel->entry - 1, false);
    channel->entry = 0;
}

void nv_channel_make_pending(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel->pending)
        channel->pending_ps = machine_now(host->machine);
    channel->pending = 1;
    if (host->state->pended_slots <= channel - host->channels)
        host->state->pended_slots = (uint32_t)(channel - host->channels) + 1;
    nv_channel_changed(host, channel);
}

/* ---- what registers do ----------------------------------------------------------------------- */

void nv_channel_bind(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                     uint64_t instance_address)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel)
        return;
    if (!channel->bound) { /* a new channel of that number */
        channel->bindings = (channel->bindings + 1) & 0xfff;
        channel->gp_sequence = 0;
        channel->stopped = 0;
    }
    channel->bound = 1;
    channel->instance = instance_address;
    channel->instance_aperture = aperture;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_BIND, RULE_NONE, channel_id,
                instance_address);
    nv_channel_changed(host, channel);
}

void nv_channel_unbind(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel || !channel->bound)
        return;
    channel->bound = 0;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_UNBIND, RULE_NONE, channel_id);
}

/* What a pending channel has waited for until it is enabled or disabled. */
static void nv_channel_log_held(struct nv_host *host, struct nv_channel *channel)
{
    const struct nv_runlist *runlist = &host->runlists[channel->runlist_id];
    const gfe_ps now = machine_now(host->machine);

    if (!channel->pending || channel->on_pbdma || channel->acquire_blocked || channel->entry == 0 ||
        channel->pending_ps == now)
        return;
    MACHINE_LOG(host->machine, host->unit, EVENT_WAIT,
                !channel->enabled                      ? RULE_B_R1
                : runlist->state->tsg_id != UINT32_MAX ? RULE_B_T1
                                                       : RULE_NV_RUNLIST,
                channel->pending_ps, SUBJECT_CHANNEL, nv_channel_id(host, channel), SUBJECT_NONE,
                0);
    channel->pending_ps = now;
}

void nv_channel_enable(struct nv_host *host, uint32_t channel_id, bool enabled)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel || channel->enabled == enabled)
        return;
    nv_channel_log_held(host, channel);
    channel->enabled = enabled;
    nv_channel_stir(host, channel);
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_ENABLE, RULE_NONE, channel_id, enabled);
    nv_channel_changed(host, channel);
}

void nv_channel_doorbell(struct nv_host *host, uint32_t channel_id)
{
    if (!machine_inject(host->machine, host->unit, NV_INJECT_DOORBELL, channel_id, &channel_id,
                        sizeof channel_id) ||
        !nv_channel_get(host, channel_id))
        return;
    machine_schedule(
        host->machine, host->unit,
        nv_host_after(host, machine_parameter(host->machine, PARAM_NV_DOORBELL_CYCLES)),
        NV_HOST_PENDING, channel_id);
}

void nv_channel_pending_due(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    nv_channel_stir(host, channel);
    if (channel->on_pbdma)
        nv_pbdma_doorbell(&host->pbdmas[channel->pbdma_id]);
    else
        nv_channel_make_pending(host, channel_id);
}

void nv_channel_set_next(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (channel)
        channel->next = 1;
}

void nv_channel_force_ctx_reload(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel)
        return;
    channel->ctx_reload = 1;
    nv_channel_changed(host, channel);
}

/* ---- acquires -------------------------------------------------------------------------------- */

/* The watches of a channel are events of Host, told apart by their kinds. */
void nv_channel_wait_acquire(struct nv_host *host, uint32_t channel_id,
                             const struct nv_channel_acquire *acquire)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);
    const uint32_t slot = nv_channel_slot(host, channel_id);

    channel->acquire_failed = channel->acquire_blocked = 1;
    channel->semaphore = acquire->semaphore;
    channel->failed_ps = machine_now(host->machine);
    for (uint32_t half = 0; half <= acquire->wide; half++)
        machine_watch(host->machine, host->unit, NV_HOST_ACQUIRE + 2 * slot + half, channel_id,
                      acquire->aperture, acquire->physical + UINT64_C(4) * half);
    if (acquire->deadline_ps != GFE_PS_NEVER) {
        channel->deadline = 1;
        machine_schedule(host->machine, host->unit, acquire->deadline_ps, NV_HOST_DEADLINE + slot,
                         channel_id);
    }
}

void nv_channel_log_acquire_wait(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (channel->pending_ps < machine_now(host->machine))
        MACHINE_LOG(host->machine, host->unit, EVENT_WAIT, RULE_NV_ACQ, channel->pending_ps,
                    SUBJECT_CHANNEL, channel_id, SUBJECT_SEMAPHORE, channel->semaphore);
    channel->pending_ps = machine_now(host->machine);
}

/* Its acquire is over, or tried again: nothing is to wake it. */
static void nv_channel_stop_acquire(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (channel->deadline)
        (void)machine_cancel(host->machine, host->unit,
                             NV_HOST_DEADLINE + nv_channel_slot(host, channel_id));
    if (channel->pretest)
        (void)machine_cancel(host->machine, host->unit,
                             NV_HOST_PRETEST + nv_channel_slot(host, channel_id));
    channel->deadline = 0;
    channel->pretest = 0;
}

void nv_channel_acquire_written(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);
    const gfe_ps now = machine_now(host->machine);
    const gfe_ps pretest_ps = nv_host_acq_pretest_ps(host, channel->runlist_id);
    const gfe_ps over = pretest_ps ? (now - channel->failed_ps) % pretest_ps : 0;
    gfe_ps due_ps;

    if (!channel->acquire_blocked || channel->pretest)
        return;
    if (over == 0) {
        nv_channel_acquire_due(host, channel_id);
        return;
    }
    due_ps = clock_add(now, pretest_ps - over);
    if (due_ps == GFE_PS_NEVER)
        return; /* it is not tried again, but for its deadline */
    channel->pretest = 1;
    machine_schedule(host->machine, host->unit, due_ps,
                     NV_HOST_PRETEST + nv_channel_slot(host, channel_id), channel_id);
}

void nv_channel_acquire_due(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel->acquire_blocked) /* it may still be on its way off the PBDMA */
        return;
    nv_channel_stop_acquire(host, channel_id);
    nv_channel_log_acquire_wait(host, channel_id);
    channel->acquire_blocked = 0;
    nv_channel_stir(host, channel);
    nv_channel_changed(host, channel);
}

void nv_channel_load(struct nv_host *host, uint32_t channel_id, uint32_t pbdma_id)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (channel->deadline || channel->pretest)
        nv_channel_stop_acquire(host, channel_id);
    channel->on_pbdma = 1;
    channel->pbdma_id = (uint8_t)pbdma_id;
    channel->pending = 0;
    channel->next = 0;
    channel->acquire_failed = channel->acquire_blocked = 0;
    channel->eng_work = 0;
    nv_channel_changed(host, channel);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void nv_channel_set_fault(struct nv_host *host, uint32_t channel_id, uint8_t pbdma,
                                 uint8_t engine)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);
    const bool was = channel->pbdma_faulted || channel->eng_faulted;

    channel->pbdma_faulted = pbdma;
    channel->eng_faulted = engine;
    if (was != (pbdma || engine) && channel->entry != 0)
        nv_runlist_fault(&host->runlists[channel->runlist_id], channel->entry - 1, !was);
}

void nv_channel_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine)
{
    const struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!channel)
        return;
    nv_channel_set_fault(host, channel_id, channel->pbdma_faulted || pbdma,
                         channel->eng_faulted || engine);
    nv_pbdma_fault_seen(host);
}

void nv_channel_clear_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine)
{
    struct nv_channel *channel = nv_channel_get(host, channel_id);
    const bool was = channel && (channel->pbdma_faulted || channel->eng_faulted);
    bool is;

    if (!was)
        return;
    pbdma = channel->pbdma_faulted && !pbdma;
    engine = channel->eng_faulted && !engine;
    is = pbdma || engine;
    if (!is && channel->stopped == NV_CHANNEL_FAULTED) {
        channel->stopped = NV_CHANNEL_GOES;
        MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_GO_ON, RULE_NV_FAULTED, channel_id);
        nv_channel_changed(host, channel);
    }
    nv_channel_set_fault(host, channel_id, pbdma, engine);
}

/* ---- status ---------------------------------------------------------------------------------- */

/* Is its context on an engine of its runlist; does that engine have work? */
static void nv_channel_look_at_engines(const struct nv_host *host, uint32_t channel_id,
                                       struct nv_channel_status *status)
{
    for (uint32_t i = 0; i < host->model->engine_count; i++) {
        const struct nv_engine *engine = &host->engines[i];
        const bool on =
            engine->state->status == NV_ENGINE_VALID && engine->state->channel_id == channel_id;
        const bool busy = on && nv_engine_busy(engine);

        status->on_eng |= on && (busy || status->on_pbdma);
        status->eng_busy |= busy;
    }
}

struct nv_channel_status nv_channel_status(const struct nv_host *host, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(host, channel_id);
    struct nv_channel_status status = {0};

    if (!channel)
        return status;
    status = (struct nv_channel_status){
        .enabled = channel->enabled,
        .next = channel->next,
        .pending = channel->pending,
        .pending_acquire = channel->pending && channel->acquire_failed && !channel->on_pbdma,
        .ctx_reload = channel->ctx_reload,
        .on_pbdma = channel->on_pbdma,
        .pbdma_faulted = channel->pbdma_faulted,
        .eng_faulted = channel->eng_faulted,
    };
    if (status.on_pbdma)
        status.pbdma_busy = host->pbdmas[channel->pbdma_id].state->phase != NV_PBDMA_IDLE;
    nv_channel_look_at_engines(host, channel_id, &status);
    status.busy = status.pending || status.on_pbdma || status.eng_busy;
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A channel that keeps its PBDMA although nothing is left to happen; UINT32_MAX when there is none.
 */
static uint32_t nv_channel_holder(const struct nv_host *host)
{
    for (uint32_t i = 0; i < host->model->pbdma_count; i++)
        if (!nv_pbdma_is_free(&host->pbdmas[i]))
            return host->pbdmas[i].state->channel_id;
    return UINT32_MAX;
}

/* Why a pending channel is not on a PBDMA; who is in the way, if there is somebody. */
static uint32_t nv_channel_held_by(const struct nv_host *host, const struct nv_channel *channel,
                                   uint32_t holder)
{
    if (channel->entry == 0)
        return RULE_B_R3;
    if (!channel->enabled)
        return RULE_B_R1;
    if (nv_runlist_holds_fault(&host->runlists[channel->runlist_id], channel->entry - 1))
        return RULE_NV_FAULTED;
    return holder == UINT32_MAX ? RULE_B_R3 : RULE_NV_RUNLIST;
}

void nv_channel_log_open_waits(struct nv_host *host)
{
    const uint32_t holder = nv_channel_holder(host);

    for (uint32_t slot = 0; slot < host->state->pended_slots; slot++) {
        const struct nv_channel *channel = &host->channels[slot];
        uint32_t id, rule;

        if (!channel->pending || channel->stopped || channel->on_pbdma)
            continue;
        id = nv_channel_id(host, channel);
        rule = nv_channel_held_by(host, channel, holder);
        if (channel->acquire_blocked)
            MACHINE_LOG(host->machine, host->unit, EVENT_WAIT_OPEN, RULE_NV_ACQ,
                        channel->pending_ps, SUBJECT_CHANNEL, id, SUBJECT_SEMAPHORE,
                        channel->semaphore);
        else
            MACHINE_LOG(host->machine, host->unit, EVENT_WAIT_OPEN, rule, channel->pending_ps,
                        SUBJECT_CHANNEL, id,
                        rule == RULE_NV_RUNLIST ? SUBJECT_CHANNEL : SUBJECT_NONE,
                        rule == RULE_NV_RUNLIST ? holder : 0);
    }
}
