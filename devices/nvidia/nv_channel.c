/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_channel_private.h"

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

uint32_t nv_channel_id(const struct nv_host *host, const struct nv_channel *channel)
{
    return nv_channel_id_of_slot(host, (uint32_t)(channel - host->channels));
}

/* Returns the runqueue on whose copy of the list the channel stands. */
static struct nv_runlist *nv_channel_runlist(const struct nv_host *host,
                                             const struct nv_channel *channel)
{
    return nv_runlist_queue(&host->runlists[channel->runlist_id], channel->runqueue);
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
    struct nv_runlist *runlist = nv_channel_runlist(host, channel);

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

void nv_channel_stir(struct nv_host *host, const struct nv_channel *channel)
{
    if (channel->entry != 0)
        nv_runlist_stir(nv_channel_runlist(host, channel));
}

void nv_channel_make_pending(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

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
    struct nv_channel *channel = nv_channel_of(host, channel_id);

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
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel || !channel->bound)
        return;
    channel->bound = 0;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_UNBIND, RULE_NONE, channel_id);
}

/* What a pending channel has waited for until it is enabled or disabled. */
static void nv_channel_log_held(struct nv_host *host, struct nv_channel *channel)
{
    const struct nv_runlist *runlist = nv_channel_runlist(host, channel);
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
    struct nv_channel *channel = nv_channel_of(host, channel_id);

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
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    nv_channel_stir(host, channel);
    if (channel->on_pbdma)
        nv_pbdma_doorbell(&host->pbdmas[channel->pbdma_id]);
    else
        nv_channel_make_pending(host, channel_id);
}

void nv_channel_set_next(struct nv_host *host, uint32_t channel_id, bool next)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (channel)
        channel->next = next;
}

void nv_channel_force_ctx_reload(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel)
        return;
    channel->ctx_reload = 1;
    nv_channel_changed(host, channel);
}

void nv_channel_clear_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel)
        return;
    if (bits->next)
        channel->next = 0;
    if (bits->pending)
        channel->pending = 0;
    if (bits->ctx_reload)
        channel->ctx_reload = 0;
    if (bits->acquire_failed)
        channel->acquire_failed = channel->acquire_blocked = 0; /* it is tried again */
    nv_channel_changed(host, channel);
}

void nv_channel_clear(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel)
        return;
    channel->stopped = 0;
    if (channel->entry == 0) /* else its entry still says where its instance block is */
        nv_channel_unbind(host, channel_id);
    nv_channel_changed(host, channel);
}

/* ---- its runlist ----------------------------------------------------------------------------- */

void nv_channel_set_userd(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                          uint64_t address)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    channel->userd = address;
    channel->userd_aperture = aperture;
}

void nv_channel_join_list(struct nv_host *host, uint32_t channel_id, struct nv_runlist *runlist,
                          uint32_t member)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel || (channel->entry != 0 && channel->runlist_id == runlist->runlist_id))
        return;
    nv_channel_leave_list(host, channel_id);
    channel->runlist_id = (uint8_t)runlist->runlist_id;
    channel->runqueue = (uint16_t)runlist->runqueue;
    channel->entry = member + 1;
    if (channel->pbdma_faulted || channel->eng_faulted)
        nv_runlist_count_faulted(runlist, member, true);
    nv_channel_changed(host, channel);
}

void nv_channel_leave_list(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (channel->entry == 0)
        return;
    if (channel->count != NV_RUNLIST_COUNTS_NOT)
        nv_channel_recount(host, channel, NV_RUNLIST_COUNTS_NOT);
    if (channel->pbdma_faulted || channel->eng_faulted)
        nv_runlist_count_faulted(nv_channel_runlist(host, channel), channel->entry - 1, false);
    channel->entry = 0;
}

void nv_channel_wait_anew(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_of(host, channel_id)->pending_ps = machine_now(host->machine);
}

/* ---- its PBDMA and its engines --------------------------------------------------------------- */

void nv_channel_load(struct nv_host *host, uint32_t channel_id, uint32_t pbdma_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

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

void nv_channel_unload(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    channel->on_pbdma = 0;
    if (channel->pending)
        channel->pending_ps = machine_now(host->machine); /* its saving was no wait */
    nv_channel_changed(host, channel);
}

void nv_channel_context_loaded(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_of(host, channel_id)->ctx_reload = 0;
}

void nv_channel_keep_segment(struct nv_host *host, uint32_t channel_id, uint32_t methods,
                             bool first)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    channel->segment_methods = methods;
    channel->segment_first = first;
}

void nv_channel_count_entry(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_of(host, channel_id)->gp_sequence++;
}

void nv_channel_set_eng_work(struct nv_host *host, uint32_t channel_id, bool work)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel || channel->eng_work == work)
        return;
    channel->eng_work = work;
    nv_channel_changed(host, channel);
}

/* ---- errors and faults ----------------------------------------------------------------------- */

void nv_channel_stop(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits,
                     enum nv_channel_stop how)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel || channel->stopped == NV_CHANNEL_STOPPED || channel->stopped == (uint8_t)how)
        return;
    channel->stopped = (uint8_t)how;
    nv_channel_changed(host, channel);
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_CHANNEL_STOP, RULE_NV_INTR, channel_id,
                intr_bits);
}

static void nv_channel_set_fault(struct nv_host *host, uint32_t channel_id, uint8_t pbdma,
                                 uint8_t engine)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);
    const bool was = channel->pbdma_faulted || channel->eng_faulted;

    channel->pbdma_faulted = pbdma;
    channel->eng_faulted = engine;
    if (was != (pbdma || engine) && channel->entry != 0)
        nv_runlist_fault(nv_channel_runlist(host, channel), channel->entry - 1, !was);
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
    struct nv_channel *channel = nv_channel_of(host, channel_id);
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

/* ---- injection ------------------------------------------------------------------------------- */

static void nv_channel_force_fault(struct nv_host *host, uint32_t channel_id, bool set, bool pbdma,
                                   bool engine)
{
    if (set)
        nv_channel_fault(host, channel_id, pbdma, engine);
    else
        nv_channel_clear_fault(host, channel_id, pbdma, engine);
}

void nv_channel_force_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);
    const struct nv_channel was = *channel;

    channel->next = bits->next;
    channel->ctx_reload = bits->ctx_reload;
    if (bits->pbdma_faulted != was.pbdma_faulted)
        nv_channel_force_fault(host, channel_id, bits->pbdma_faulted, true, false);
    if (bits->eng_faulted != was.eng_faulted)
        nv_channel_force_fault(host, channel_id, bits->eng_faulted, false, true);
    nv_channel_enable(host, channel_id, bits->enabled);
    if (bits->pending && !was.pending)
        nv_channel_make_pending(host, channel_id);
    else
        channel->pending = bits->pending;
    nv_channel_changed(host, channel);
}
