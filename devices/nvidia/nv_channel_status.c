/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_channel_private.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

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

/* Returns the rule that keeps a pending channel from a PBDMA.  `holder` is the channel in the way,
 * or UINT32_MAX if there is none. */
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
            machine_log_open(host->machine, host->unit, RULE_NV_ACQ,
                             &(struct machine_wait){channel->pending_ps, SUBJECT_CHANNEL, id,
                                                    SUBJECT_SEMAPHORE, channel->semaphore});
        else
            machine_log_open(
                host->machine, host->unit, rule,
                &(struct machine_wait){channel->pending_ps, SUBJECT_CHANNEL, id,
                                       rule == RULE_NV_RUNLIST ? SUBJECT_CHANNEL : SUBJECT_NONE,
                                       rule == RULE_NV_RUNLIST ? holder : 0});
    }
}
