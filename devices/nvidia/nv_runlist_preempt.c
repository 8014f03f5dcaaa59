/* SPDX-License-Identifier: MIT */
/*
 * Preemption by software: off the PBDMAs first, then off the engines (tu104/dev_fifo.ref.txt,
 * "Channel Teardown Sequence").  Nothing of the runlist is scheduled before it is complete.  What
 * is enabled and has work comes again in its turn, unless SCHED_DISABLE holds the runlist.
 *
 * ASSUMED: preempting a channel takes its TSG off the PBDMA, and only that channel's context off
 * the engines.
 */
#include <config.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static bool nv_runlist_preempts(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind)
{
    return runlist->state->preempts >> kind & 1;
}

/* Is that TSG, or channel, one of those to be preempted? */
static bool nv_runlist_is_named(const struct nv_runlist *runlist, uint32_t tsg_id,
                                uint32_t channel_id)
{
    const struct nv_runlist_state *state = runlist->state;

    return tsg_id != UINT32_MAX && (nv_runlist_preempts(runlist, NV_RUNLIST_PREEMPT_ALL) ||
                                    (nv_runlist_preempts(runlist, NV_RUNLIST_PREEMPT_TSG) &&
                                     tsg_id == state->preempt_tsg_id) ||
                                    (nv_runlist_preempts(runlist, NV_RUNLIST_PREEMPT_CHANNEL) &&
                                     channel_id == state->preempt_channel_id));
}

/* Takes the contexts that are named off the runlist's engines; true when none is left. */
static bool nv_runlist_evict(struct nv_runlist *runlist)
{
    bool gone = true;

    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        struct nv_engine *engine = runlist->engine_at[i];
        const struct nv_engine_state *state = engine->state;

        if (nv_runlist_is_named(runlist, state->tsg_id, state->channel_id))
            nv_engine_evict(engine);
        gone = gone && !nv_runlist_is_named(runlist, state->tsg_id, state->channel_id) &&
               !nv_runlist_is_named(runlist, state->next_tsg_id, state->next_channel_id);
    }
    return gone;
}

/* Is one of those on, in any runqueue? */
static bool nv_runlist_named_is_on(const struct nv_runlist *runlist)
{
    for (const struct nv_runlist *queue = runlist; queue; queue = queue->next)
        if (nv_runlist_is_named(runlist, queue->state->tsg_id, queue->state->channel_id))
            return true;
    return false;
}

void nv_runlist_preempt_further(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    const uint32_t preempts = state->preempts;

    if (nv_runlist_named_is_on(runlist) || !nv_runlist_evict(runlist) || state->preempts == 0 ||
        !machine_inject(runlist->machine, runlist->unit, NV_INJECT_PREEMPT_DONE,
                        runlist->runlist_id, NULL, 0))
        return;
    state->preempts = 0;
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        if (queue->state->tsg_id == UINT32_MAX)
            nv_runlist_log_preempted(queue);
    if (preempts >> NV_RUNLIST_PREEMPT_TSG & 1)
        nv_host_runlist_event(runlist->host, runlist->runlist_id, NV_RUNLIST_TSG_PREEMPT_COMPLETE,
                              state->preempt_tsg_id);
    if (preempts >> NV_RUNLIST_PREEMPT_ALL & 1)
        nv_host_runlist_event(runlist->host, runlist->runlist_id,
                              NV_RUNLIST_RUNLIST_PREEMPT_COMPLETE, 0);
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_wake(queue);
}

static void nv_runlist_preempt_begin(struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind)
{
    struct nv_runlist_state *state = runlist->state;

    state->preempts |= 1u << kind;
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next) {
        const struct nv_runlist_state *on = queue->state;

        if (!nv_runlist_is_named(runlist, on->tsg_id, on->channel_id))
            continue;
        if (on->channel_id != UINT32_MAX)
            MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_PREEMPT, RULE_NONE,
                        on->channel_id, on->tsg_id, on->pbdma_id);
        nv_runlist_expire(queue, RULE_NV_PREEMPT);
    }
    nv_runlist_preempt_advance(runlist);
}

void nv_runlist_preempt(struct nv_runlist *runlist)
{
    nv_runlist_preempt_begin(runlist, NV_RUNLIST_PREEMPT_ALL);
}

void nv_runlist_preempt_tsg(struct nv_runlist *runlist, uint32_t tsg_id)
{
    runlist->state->preempt_tsg_id = tsg_id;
    nv_runlist_preempt_begin(runlist, NV_RUNLIST_PREEMPT_TSG);
}

void nv_runlist_preempt_channel(struct nv_runlist *runlist, uint32_t channel_id)
{
    runlist->state->preempt_channel_id = channel_id;
    nv_runlist_preempt_begin(runlist, NV_RUNLIST_PREEMPT_CHANNEL);
}

bool nv_runlist_preempt_pending(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                                uint32_t id)
{
    const struct nv_runlist_state *state = runlist->state;

    return nv_runlist_preempts(runlist, kind) &&
           (kind == NV_RUNLIST_PREEMPT_ALL ||
            id == (kind == NV_RUNLIST_PREEMPT_TSG ? state->preempt_tsg_id
                                                  : state->preempt_channel_id));
}
