/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_channel_private.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject_state.h"
#include "devices/nvidia/nv_open.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"

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

static void nv_channel_log_open_wait(struct nv_host *host, const struct nv_channel *channel)
{
    struct machine_wait wait = {.begin_ps = channel->pending_ps,
                                .subject_kind = SUBJECT_CHANNEL,
                                .subject_id = nv_channel_id(host, channel)};
    uint32_t rule = RULE_NV_ACQ;

    if (channel->acquire_blocked) {
        wait.blocker_kind = SUBJECT_SEMAPHORE;
        wait.blocker_id = channel->semaphore;
    } else {
        rule = nv_open_channel(host, (uint32_t)wait.subject_id, &wait);
    }
    if (rule == RULE_GFE_LOST)
        machine_log_lost(host->machine, host->unit, &wait);
    else
        machine_log_open(host->machine, host->unit, rule, &wait);
    nv_open_ahead(host, (uint32_t)wait.subject_id);
}

/* Reports a channel whose GP_PUT lies behind its GP_GET although Host has nothing pending for it:
 * software did not ring the doorbell, or the doorbell was lost. */
static void nv_channel_log_unrung(struct nv_host *host, const struct nv_channel *channel)
{
    const uint32_t id = nv_channel_id(host, channel);
    uint32_t get, put;

    if (nv_inject_state_ramfc(host->machine, id, NV_PPBDMA_GP_GET / 4, &get) &&
        nv_inject_state_userd(host->machine, id, NV_RAMUSERD_GP_PUT / 4, &put) && get != put &&
        machine_next_ps(host->machine) == GFE_PS_NEVER)
        machine_log_open(host->machine, host->unit,
                         host->usermode ? RULE_NV_NOTIFY : RULE_NV_DOORBELL,
                         &(struct machine_wait){machine_now(host->machine), SUBJECT_CHANNEL, id,
                                                SUBJECT_NONE, 0});
}

static void nv_channel_log_queue(struct nv_host *host, const struct nv_runlist *queue)
{
    for (uint32_t k = 0; k < queue->state->member_count; k++) {
        const struct nv_channel *channel = nv_channel_get(host, queue->members[k].channel_id);

        if (channel && channel->bound && channel->enabled && !channel->pending &&
            !channel->stopped && !channel->on_pbdma)
            nv_channel_log_unrung(host, channel);
    }
}

void nv_channel_log_open_waits(struct nv_host *host)
{
    for (uint32_t slot = 0; slot < host->state->pended_slots; slot++) {
        const struct nv_channel *channel = &host->channels[slot];

        /* One that is disabled and on no runlist is given up: its driver has said so. */
        if (channel->pending && channel->bound && !channel->stopped && !channel->on_pbdma &&
            (channel->enabled || channel->entry != 0))
            nv_channel_log_open_wait(host, channel);
    }
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        for (const struct nv_runlist *queue = &host->runlists[i]; queue; queue = queue->next)
            nv_channel_log_queue(host, queue);
}
