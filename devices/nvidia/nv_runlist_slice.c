/* SPDX-License-Identifier: MIT */
/*
 * Slices: of a TSG on its runlist, of a channel within its TSG.
 *
 * If no other TSG could run at the end of a slice, another slice of the same TSG follows.  So the
 * end of a slice is an event only while another TSG could run (B.T1).
 */
#include <config.h>

#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static gfe_ps nv_runlist_units_ps(uint32_t units)
{
    return (gfe_ps)units * NV_TIMESLICE_UNIT_NS * GFE_PS_PER_NS;
}

/* A word of the channel's RAMFC in memory; 0 if it cannot be read. */
static uint32_t nv_runlist_ramfc(const struct nv_runlist *runlist, uint32_t channel_id,
                                 uint32_t offset)
{
    enum memory_aperture aperture;
    uint64_t instance;
    uint32_t word = 0;

    if (nv_host_instance(runlist->host, channel_id, &instance, &aperture))
        (void)machine_read(runlist->machine, aperture, instance + offset, &word, sizeof word);
    return word;
}

/* RUNLIST_TIMESLICE; without ENABLE it has no end. */
static gfe_ps nv_runlist_own_slice(const struct nv_runlist *runlist, uint32_t channel_id)
{
    const uint32_t word = nv_runlist_ramfc(runlist, channel_id, NV_PPBDMA_RUNLIST_TIMESLICE);

    if (!REG_GET(word, NV_PPBDMA_RUNLIST_TIMESLICE_ENABLE))
        return 0;
    return nv_runlist_units_ps(
        nv_runlist_slice_units(REG_GET(word, NV_PPBDMA_RUNLIST_TIMESLICE_TIMEOUT),
                               REG_GET(word, NV_PPBDMA_RUNLIST_TIMESLICE_TIMESCALE)));
}

/* ---- whether it matters ---------------------------------------------------------------------- */

uint32_t nv_runlist_waiting(const struct nv_host *host, uint32_t pbdma_id)
{
    uint32_t waiting = 0;

    for (uint32_t left = host->model->pbdma_runlists[pbdma_id]; left != 0; left &= left - 1)
        if (nv_runlist_served_by(&host->runlists[__builtin_ctz(left)], pbdma_id)
                ->state->waits_for_pbdma)
            waiting |= left & -left;
    return waiting;
}

/* Does another runqueue wait for an engine that has the context of the TSG that is on?  Turns of a
 * runqueue none of whose TSGs makes progress do not count (nv_runlist.h). */
static bool nv_runlist_engine_wanted(const struct nv_runlist *queue)
{
    const struct nv_runlist_state *state = queue->state;

    for (const struct nv_runlist *other = queue->head; other; other = other->next) {
        if (other == queue || other->pbdma_id == UINT32_MAX ||
            other->state->futile > other->state->serviceable_groups)
            continue;
        for (uint32_t i = 0; i < queue->engine_count; i++)
            if (queue->engine_at[i]->state->tsg_id == state->tsg_id &&
                queue->engine_at[i]->state->waiting_pbdmas >> other->pbdma_id & 1)
                return true;
    }
    return false;
}

bool nv_runlist_contended(const struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;
    uint32_t ready = state->ready_groups, serviceable = state->serviceable_groups;

    if (state->channel_id != UINT32_MAX && nv_runlist_waiting(runlist->host, state->pbdma_id) != 0)
        return true;
    if (runlist->head->state->disabled)
        return false;
    if (runlist->head->next && nv_runlist_engine_wanted(runlist))
        return true;
    if (state->futile > state->serviceable_groups)
        return false;
    if (state->group != UINT32_MAX) { /* the TSG itself */
        const struct nv_runlist_group *group = &runlist->groups[state->group];

        ready -= group->ready > 0 && group->faulted == 0;
        serviceable -= (group->ready > 0 || group->polls > 0) && group->faulted == 0;
    }
    /* Polling another's semaphores as well leads nowhere. */
    return ready > 0 || (serviceable > 0 && state->stuck == NV_RUNLIST_GOES_ON);
}

bool nv_runlist_channel_contended(const struct nv_runlist *runlist)
{
    const uint32_t group = runlist->state->group;

    return group != UINT32_MAX && runlist->groups[group].ready > 0;
}

/* ---- the TSG's ------------------------------------------------------------------------------- */

void nv_runlist_slice_begin(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    const struct nv_runlist_group *group = &runlist->groups[state->group];

    state->slice_ps = group->slice_units ? nv_runlist_units_ps(group->slice_units)
                                         : nv_runlist_own_slice(runlist, state->channel_id);
    state->slice_used_ps = 0;
    state->slice_from_ps = machine_now(runlist->machine);
}

gfe_ps nv_runlist_slice_counted(const struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;

    return state->slice_used_ps +
           (state->counts ? machine_now(runlist->machine) - state->slice_from_ps : 0);
}

static void nv_runlist_slice_disarm(struct nv_runlist *runlist)
{
    if (runlist->state->slice_armed)
        (void)machine_cancel(runlist->machine, runlist->unit,
                             nv_runlist_event_kind(runlist, NV_RUNLIST_SLICE));
    runlist->state->slice_armed = 0;
}

void nv_runlist_slice_arm(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    const gfe_ps now = machine_now(runlist->machine);

    if (!state->counts || state->slice_armed || state->leaving != RULE_NONE ||
        state->slice_ps == 0 || !nv_runlist_contended(runlist))
        return;
    state->slice_armed = 1;
    machine_schedule(runlist->machine, runlist->unit,
                     now + state->slice_ps - nv_runlist_slice_counted(runlist) % state->slice_ps,
                     nv_runlist_event_kind(runlist, NV_RUNLIST_SLICE), 0);
}

void nv_runlist_slice_pause(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    state->slice_used_ps = nv_runlist_slice_counted(runlist);
    state->counts = 0;
    nv_runlist_slice_disarm(runlist);
}

void nv_runlist_slice_load(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (!state->counts)
        return;
    nv_runlist_slice_pause(runlist);
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_SLICE_PAUSE, RULE_B_T2,
                nv_runlist_number(runlist), state->tsg_id, state->channel_id, state->slice_used_ps);
}

void nv_runlist_slice_resume(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->tsg_id == UINT32_MAX || state->counts)
        return;
    state->counts = 1;
    state->slice_from_ps = machine_now(runlist->machine);
    nv_runlist_slice_arm(runlist);
}

void nv_runlist_slice_use(struct nv_runlist *runlist, uint32_t tsg_id, gfe_ps used_ps)
{
    const gfe_ps now = machine_now(runlist->machine);

    for (struct nv_runlist *queue = runlist; used_ps > 0 && queue; queue = queue->next) {
        struct nv_runlist_state *state = queue->state;
        const gfe_ps most_ps = now - state->slice_from_ps; /* the rest is an earlier turn's */

        if (state->tsg_id == tsg_id && !state->counts)
            state->slice_used_ps += used_ps < most_ps ? used_ps : most_ps;
    }
}

void nv_runlist_slice_end(struct nv_runlist *runlist)
{
    nv_runlist_slice_pause(runlist);
    nv_runlist_channel_slice_end(runlist);
}

/* ---- the channel's --------------------------------------------------------------------------- */

/* PB_TIMESLICE, up to Pascal; from Volta on that word is another. */
static gfe_ps nv_runlist_channel_slice(const struct nv_runlist *runlist)
{
    const uint32_t word =
        nv_pbdma_reg(&runlist->host->pbdmas[runlist->state->pbdma_id], NV_PPBDMA_PB_TIMESLICE);

    if (runlist->host->generation->channels_in_tsgs_only ||
        !REG_GET(word, NV_PPBDMA_PB_TIMESLICE_ENABLE))
        return 0;
    return nv_runlist_units_ps(
        nv_runlist_slice_units(REG_GET(word, NV_PPBDMA_PB_TIMESLICE_TIMEOUT),
                               REG_GET(word, NV_PPBDMA_PB_TIMESLICE_TIMESCALE)));
}

/* Its end matters only while another channel of the TSG could run. */
void nv_runlist_channel_slice_arm(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    const gfe_ps now = machine_now(runlist->machine);

    if (state->channel_armed || state->channel_slice_ps == 0 || state->switching ||
        state->leaving != RULE_NONE || !nv_runlist_channel_contended(runlist))
        return;
    state->channel_armed = 1;
    machine_schedule(runlist->machine, runlist->unit,
                     now + state->channel_slice_ps -
                         (now - state->channel_since_ps) % state->channel_slice_ps,
                     nv_runlist_event_kind(runlist, NV_RUNLIST_CHANNEL_SLICE), 0);
}

void nv_runlist_channel_slice_begin(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->channel_slice_ps == 0) {
        state->channel_slice_ps = nv_runlist_channel_slice(runlist);
        state->channel_since_ps = machine_now(runlist->machine);
    }
    nv_runlist_channel_slice_arm(runlist);
}

void nv_runlist_channel_slice_end(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->channel_armed)
        (void)machine_cancel(runlist->machine, runlist->unit,
                             nv_runlist_event_kind(runlist, NV_RUNLIST_CHANNEL_SLICE));
    state->channel_armed = 0;
    state->channel_slice_ps = 0;
}
