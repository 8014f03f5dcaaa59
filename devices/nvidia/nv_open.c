/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_open.h"

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static void nv_open_behind(struct machine_wait *wait, uint32_t kind, uint64_t id)
{
    wait->blocker_kind = kind;
    wait->blocker_id = id;
}

/* Another TSG has the runlist, or an engine of it. */
static uint32_t nv_open_others(const struct nv_runlist *runlist, uint32_t tsg_id,
                               struct machine_wait *wait)
{
    const struct nv_runlist_state *state = runlist->state;

    if (state->tsg_id != UINT32_MAX && state->tsg_id != tsg_id) {
        const uint32_t channel_id =
            state->channel_id != UINT32_MAX ? state->channel_id : state->left_channel_id;

        nv_open_behind(wait, SUBJECT_CHANNEL, channel_id);
        return RULE_B_T1;
    }
    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        const struct nv_engine *engine = runlist->engine_at[i];
        const struct nv_engine_state *on = engine->state;

        if (on->in_reset || (on->status != NV_ENGINE_VALID && on->status != NV_ENGINE_INVALID)) {
            nv_open_behind(wait, SUBJECT_ENGINE, engine->row->engine_id);
            return RULE_B_R4;
        }
        if (on->tsg_id != NV_ENGINE_NOBODY && on->tsg_id != tsg_id && nv_engine_busy(engine)) {
            nv_open_behind(wait, SUBJECT_CHANNEL, on->channel_id);
            return RULE_B_R4;
        }
    }
    return RULE_GFE_LOST;
}

/* A channel of another runlist has the PBDMA. */
static uint32_t nv_open_pbdma(const struct nv_runlist *runlist, struct machine_wait *wait)
{
    const struct nv_host *host = runlist->host;

    if (!runlist->state->waits_for_pbdma)
        return RULE_GFE_LOST;
    for (uint32_t i = 0; i < host->model->pbdma_count; i++) {
        const struct nv_pbdma *pbdma = &host->pbdmas[i];

        if (nv_pbdma_is_free(pbdma) || pbdma->state->runlist_id == runlist->runlist_id)
            continue;
        nv_open_behind(wait, SUBJECT_CHANNEL, pbdma->state->channel_id);
        return RULE_NV_PBDMA_SHARED;
    }
    return RULE_GFE_LOST;
}

static uint32_t nv_open_on_list(const struct nv_runlist *runlist, uint32_t tsg_id,
                                struct machine_wait *wait)
{
    uint32_t rule = nv_open_others(runlist, tsg_id, wait);

    if (rule == RULE_GFE_LOST)
        rule = nv_open_pbdma(runlist, wait);
    if (rule == RULE_GFE_LOST && runlist->head->state->disabled)
        rule = RULE_NV_RUNLIST; /* software has to enable its scheduling again */
    if (rule == RULE_GFE_LOST && runlist->head->state->preempts != 0)
        rule = RULE_NV_PREEMPT;
    return rule;
}

/* What the channels of a TSG, in all runqueues, have to say about its work. */
struct nv_open_channels {
    bool any_enabled, any_faulted;
    bool any_brings;            /* one that can run brings the context back */
    uint32_t disabled, stopped; /* a channel that would, and may not; UINT32_MAX: there is none */
};

static void nv_open_look_at(const struct nv_channel *channel, uint32_t channel_id,
                            struct nv_open_channels *channels)
{
    const bool brings = channel->ctx_reload || channel->eng_work;
    const bool comes =
        brings || channel->on_pbdma || (channel->pending && !channel->acquire_blocked);

    channels->any_enabled |= channel->enabled;
    channels->any_brings |= comes && channel->enabled && !channel->stopped;
    if (brings && channel->stopped)
        channels->stopped = channel_id;
    else if (brings && !channel->enabled)
        channels->disabled = channel_id;
}

static struct nv_open_channels nv_open_channels_of(const struct nv_runlist *head, uint32_t tsg_id)
{
    struct nv_open_channels channels = {.disabled = UINT32_MAX, .stopped = UINT32_MAX};

    for (const struct nv_runlist *queue = head; queue; queue = queue->next) {
        const uint32_t at = nv_runlist_find_tsg(queue, tsg_id);
        const struct nv_runlist_group *group = at == UINT32_MAX ? NULL : &queue->groups[at];

        channels.any_faulted |= group && group->faulted > 0;
        for (uint32_t i = 0; group && i < group->length; i++) {
            const uint32_t channel_id = queue->members[group->first + i].channel_id;
            const struct nv_channel *channel = nv_channel_get(queue->host, channel_id);

            if (channel)
                nv_open_look_at(channel, channel_id, &channels);
        }
    }
    return channels;
}

/* A context whose work is not done comes back with the channel that had the engine last
 * (CTX_RELOAD), and with no other of its TSG: nvgpu moves that bit to another channel before it
 * takes the channel away (gm20b_fifo_tsg_verify_status_ctx_reload). */
static uint32_t nv_open_bringer(const struct nv_open_channels *channels, struct machine_wait *wait)
{
    const bool is_stopped = channels->stopped != UINT32_MAX;

    if (channels->any_brings || (!is_stopped && channels->disabled == UINT32_MAX))
        return RULE_GFE_LOST;
    nv_open_behind(wait, SUBJECT_CHANNEL, is_stopped ? channels->stopped : channels->disabled);
    return is_stopped ? RULE_NV_INTR : RULE_B_R1;
}

/* Finds a runqueue on whose list the TSG stands; *at is its group there.  Returns NULL if there is
 * none. */
static const struct nv_runlist *nv_open_find(const struct nv_host *host, uint32_t tsg_id,
                                             uint32_t *at)
{
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        for (const struct nv_runlist *queue = &host->runlists[i]; queue; queue = queue->next) {
            *at = queue->state->group_count > 0 ? nv_runlist_find_tsg(queue, tsg_id) : UINT32_MAX;
            if (*at != UINT32_MAX)
                return queue;
        }
    return NULL;
}

uint32_t nv_open_tsg(const struct nv_host *host, uint32_t tsg_id, struct machine_wait *wait)
{
    uint32_t at, rule;
    const struct nv_runlist *queue = nv_open_find(host, tsg_id, &at);
    struct nv_open_channels channels;

    nv_open_behind(wait, SUBJECT_NONE, 0);
    if (!queue)
        return RULE_B_R3;
    channels = nv_open_channels_of(queue->head, tsg_id);
    if (!channels.any_enabled)
        return RULE_B_R1;
    if (channels.any_faulted)
        return RULE_NV_FAULTED;
    rule = nv_open_bringer(&channels, wait);
    return rule == RULE_GFE_LOST ? nv_open_on_list(queue, tsg_id, wait) : rule;
}

uint32_t nv_open_channel(const struct nv_host *host, uint32_t channel_id, struct machine_wait *wait)
{
    const struct nv_channel *channel = nv_channel_get(host, channel_id);
    const struct nv_runlist *runlist =
        nv_runlist_queue(&host->runlists[channel->runlist_id], channel->runqueue);
    const struct nv_runlist_member *member;

    nv_open_behind(wait, SUBJECT_NONE, 0);
    if (channel->entry == 0)
        return RULE_B_R3;
    if (!channel->enabled)
        return RULE_B_R1;
    if (nv_runlist_holds_fault(runlist, channel->entry - 1))
        return RULE_NV_FAULTED;
    member = &runlist->members[channel->entry - 1];
    if (runlist->state->tsg_id == runlist->groups[member->group].tsg_id &&
        runlist->state->channel_id != UINT32_MAX && runlist->state->channel_id != channel_id) {
        nv_open_behind(wait, SUBJECT_CHANNEL, runlist->state->channel_id);
        return RULE_NV_TSG; /* another channel of its TSG has the turn */
    }
    return nv_open_on_list(runlist, runlist->groups[member->group].tsg_id, wait);
}

void nv_open_engine(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;
    const bool other = state->channel_id != NV_ENGINE_NOBODY;
    const struct machine_wait wait = {.begin_ps = state->since_ps,
                                      .subject_kind = SUBJECT_ENGINE,
                                      .subject_id = engine->row->engine_id,
                                      .blocker_kind = other ? SUBJECT_CHANNEL : SUBJECT_NONE,
                                      .blocker_id = other ? state->channel_id : 0};

    if (state->status == NV_ENGINE_SWITCH) /* the work on it does not stop */
        machine_log_open(engine->machine, engine->unit, RULE_B_S1, &wait);
    else if (state->status == NV_ENGINE_SAVE)
        machine_log_lost(engine->machine, engine->unit, &wait);
}
