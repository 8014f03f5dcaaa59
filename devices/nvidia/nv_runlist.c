/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_runlist.h"

#include <assert.h>
#include <stdio.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

enum nv_runlist_event { NV_RUNLIST_SCAN };

static void nv_runlist_event(void *unit, const struct event *event);
static bool nv_runlist_entry(struct nv_runlist *runlist, uint32_t index,
                             struct nv_runlist_entry *entry);
static const struct unit_ops nv_runlist_ops = {.event = nv_runlist_event};

void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id)
{
    runlist->machine = host->machine;
    runlist->host = host;
    runlist->runlist_id = runlist_id;
    (void)snprintf(runlist->name, sizeof runlist->name, "nv_runlist%u", runlist_id);
    runlist->unit = machine_add_unit(host->machine, runlist->name, &nv_runlist_ops, runlist);
    runlist->state = machine_alloc(host->machine, sizeof *runlist->state);
    runlist->state->tsg_id = UINT32_MAX;
}

void nv_runlist_submit(struct nv_runlist *runlist, enum memory_aperture aperture, uint64_t base,
                       uint32_t entry_count, uint32_t offset)
{
    struct nv_runlist_state *state = runlist->state;
    struct nv_runlist_entry entry;

    state->aperture = aperture;
    state->base = base;
    state->entry_count = entry_count;
    state->next_entry = offset;
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_RUNLIST_SUBMIT, RULE_NONE,
                runlist->runlist_id, base, entry_count);
    for (uint32_t i = 0; i < entry_count; i++) {
        if (!nv_runlist_entry(runlist, i, &entry))
            break;
        if (entry.is_tsg || !nv_channel_get(runlist->host, entry.id))
            continue;
        if (runlist->host->generation->channels_per_runlist) {
            nv_channel_bind(runlist->host, entry.id, entry.inst_aperture, entry.inst_address);
            nv_channel_get(runlist->host, entry.id)->userd = entry.userd_address;
            nv_channel_get(runlist->host, entry.id)->userd_aperture = entry.userd_aperture;
        }
        nv_channel_get(runlist->host, entry.id)->runlist_id = (uint8_t)runlist->runlist_id;
        nv_channel_get(runlist->host, entry.id)->entry = i + 1;
    }
    nv_host_runlist_event(runlist->host, runlist->runlist_id, NV_RUNLIST_SUBMITTED, 0);
    nv_runlist_wake(runlist);
}

void nv_runlist_wake(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->disabled || state->entry_count == 0 || state->tsg_id != UINT32_MAX ||
        state->scan_pending)
        return;
    state->scan_pending = 1;
    machine_schedule(
        runlist->machine, runlist->unit,
        nv_host_after(runlist->host, machine_parameter(runlist->machine, PARAM_NV_SCHEDULE_CYCLES)),
        NV_RUNLIST_SCAN, 0);
}

/* ---- scanning ------------------------------------------------------------------------------- */

/* What a scan found. */
struct nv_runlist_choice {
    enum nv_runlist_verdict { NV_RUNLIST_NOTHING, NV_RUNLIST_RUN, NV_RUNLIST_VERDICT_BAD } verdict;
    uint32_t tsg_id, channel_id, runqueue;
    uint32_t next_entry; /* behind the TSG */
    gfe_ps timeslice_ps;
};

static gfe_ps nv_runlist_timeslice(uint32_t timeout, uint32_t scale)
{
    return (gfe_ps)nv_runlist_slice_units(timeout, scale) * NV_TIMESLICE_UNIT_NS * GFE_PS_PER_NS;
}

static bool nv_runlist_entry(struct nv_runlist *runlist, uint32_t index,
                             struct nv_runlist_entry *entry)
{
    const struct nv_runlist_state *state = runlist->state;
    const uint32_t bytes = runlist->host->generation->runlist_entry_bytes;
    uint32_t words[NV_RAMRL_GV100_ENTRY_BYTES / 4];

    if (!machine_read(runlist->machine, (enum memory_aperture)state->aperture,
                      state->base + (uint64_t)index * bytes, words, bytes))
        return false;
    nv_runlist_entry_decode(runlist->host->generation, words, entry);
    if (runlist->host->generation->channels_per_runlist)
        entry->id |= runlist->runlist_id << NV_CHANNEL_RUNLIST_SHIFT;
    return true;
}

static bool nv_runlist_can_run(const struct nv_runlist *runlist, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);

    return channel && channel->pending && channel->enabled && !channel->stopped &&
           !channel->on_pbdma;
}

/* Looks at the channels of the TSG whose header is entry `at`. */
static void nv_runlist_look(struct nv_runlist *runlist, uint32_t at,
                            const struct nv_runlist_entry *header, struct nv_runlist_choice *choice)
{
    struct nv_runlist_entry entry;

    choice->tsg_id = header->id;
    if (header->length == 0 || at + 1 + header->length > runlist->state->entry_count) {
        choice->verdict = NV_RUNLIST_VERDICT_BAD;
        return;
    }
    choice->next_entry = at + 1 + header->length;
    choice->timeslice_ps = header->timeslice_ps;
    for (uint32_t i = at + 1; i < choice->next_entry; i++) {
        if (!nv_runlist_entry(runlist, i, &entry))
            return;
        choice->channel_id = entry.id;
        choice->runqueue = entry.runqueue;
        if (!entry.is_tsg && nv_runlist_can_run(runlist, entry.id)) {
            choice->verdict = NV_RUNLIST_RUN;
            return;
        }
    }
}

/* RUNLIST_TIMESLICE of the channel's RAMFC. */
static gfe_ps nv_runlist_own_timeslice(struct nv_runlist *runlist, uint32_t channel_id)
{
    enum memory_aperture aperture;
    uint64_t instance;
    uint32_t word = 0;

    if (nv_host_instance(runlist->host, channel_id, &instance, &aperture))
        (void)machine_read(runlist->machine, aperture, instance + NV_PPBDMA_RUNLIST_TIMESLICE,
                           &word, sizeof word);
    return nv_runlist_timeslice(REG_GET(word, NV_PPBDMA_RUNLIST_TIMESLICE_TIMEOUT),
                                REG_GET(word, NV_PPBDMA_RUNLIST_TIMESLICE_TIMESCALE));
}

/* Looks at a channel that stands outside TSGs, at entry `at`. */
static void nv_runlist_look_bare(struct nv_runlist *runlist, uint32_t at,
                                 const struct nv_runlist_entry *entry,
                                 struct nv_runlist_choice *choice)
{
    if (runlist->host->generation->channels_in_tsgs_only) {
        choice->verdict = NV_RUNLIST_VERDICT_BAD;
        return;
    }
    if (!nv_runlist_can_run(runlist, entry->id))
        return;
    *choice = (struct nv_runlist_choice){
        .verdict = NV_RUNLIST_RUN,
        .tsg_id = NV_RUNLIST_NO_TSG + entry->id,
        .channel_id = entry->id,
        .runqueue = entry->runqueue,
        .next_entry = at + 1,
        .timeslice_ps = nv_runlist_own_timeslice(runlist, entry->id),
    };
}

/* One traversal, from next_entry to the end and from the start to next_entry. */
static struct nv_runlist_choice nv_runlist_decide(struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;
    struct nv_runlist_choice choice = {NV_RUNLIST_NOTHING, 0, 0, 0, 0, 0};
    uint32_t at = state->next_entry < state->entry_count ? state->next_entry : 0;
    struct nv_runlist_entry entry;
    uint32_t seen = 0;

    while (seen < state->entry_count && choice.verdict == NV_RUNLIST_NOTHING) {
        uint32_t passed = 1;

        if (!nv_runlist_entry(runlist, at, &entry))
            break;
        if (entry.is_tsg) {
            nv_runlist_look(runlist, at, &entry, &choice);
            passed = 1 + entry.length;
        } else {
            nv_runlist_look_bare(runlist, at, &entry, &choice);
        }
        seen += passed;
        at = (at + passed) % state->entry_count;
    }
    return choice;
}

/* The traversal starts behind the TSG that runs, which is looked at last. */
bool nv_runlist_has_other_tsg(struct nv_runlist *runlist, uint32_t tsg_id)
{
    const struct nv_runlist_choice choice = nv_runlist_decide(runlist);

    return choice.verdict == NV_RUNLIST_RUN && choice.tsg_id != tsg_id;
}

bool nv_runlist_has_other_channel(struct nv_runlist *runlist, uint32_t tsg_id)
{
    struct nv_runlist_choice choice = {NV_RUNLIST_NOTHING, 0, 0, 0, 0, 0};
    struct nv_runlist_entry entry;

    for (uint32_t at = 0; at < runlist->state->entry_count; at++)
        if (nv_runlist_entry(runlist, at, &entry) && entry.is_tsg && entry.id == tsg_id)
            nv_runlist_look(runlist, at, &entry, &choice);
    return choice.verdict == NV_RUNLIST_RUN;
}

/* The n-th PBDMA of the runlist, as PBDMA_MAP has them; a runqueue that is not there is the first.
 */
static struct nv_pbdma *nv_runlist_pbdma(const struct nv_runlist *runlist, uint32_t runqueue)
{
    const struct gpu_model *model = runlist->host->model;
    struct nv_pbdma *first = NULL;

    for (uint32_t i = 0; i < model->pbdma_count; i++)
        if (model->pbdma_runlists[i] >> runlist->runlist_id & 1) {
            if (!first)
                first = &runlist->host->pbdmas[i];
            if (runqueue-- == 0)
                return &runlist->host->pbdmas[i];
        }
    return first;
}

static void nv_runlist_bad_tsg(struct nv_runlist *runlist)
{
    struct nv_host *host = runlist->host;

    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_SCHED_ERROR, RULE_NV_BAD_TSG,
                runlist->runlist_id, NV_PFIFO_INTR_SCHED_ERROR_CODE_BAD_TSG);
    /* The runlist is not walked again until another is submitted. */
    runlist->state->entry_count = 0;
    nv_host_runlist_event(host, runlist->runlist_id, NV_RUNLIST_BAD_TSG, NV_RUNLIST_BAD_OVERFLOW);
}

static void nv_runlist_start(struct nv_runlist *runlist, const struct nv_runlist_choice *choice)
{
    struct nv_runlist_state *state = runlist->state;
    struct nv_channel *channel = nv_channel_get(runlist->host, choice->channel_id);
    struct nv_pbdma *pbdma = nv_runlist_pbdma(runlist, choice->runqueue);
    const gfe_ps now = machine_now(runlist->machine);

    if (!pbdma)
        return;
    if (!nv_pbdma_is_free(pbdma)) {
        state->waits_for_pbdma = 1; /* nv_runlist_channel_left() of the other one wakes all */
        return;
    }
    if (channel->pending_ps < now)
        MACHINE_LOG(runlist->machine, runlist->unit, EVENT_WAIT,
                    state->waits_for_pbdma ? RULE_NV_PBDMA_SHARED : RULE_NV_RUNLIST,
                    channel->pending_ps, SUBJECT_CHANNEL, choice->channel_id, SUBJECT_NONE, 0);
    state->waits_for_pbdma = 0;
    state->tsg_id = choice->tsg_id;
    state->channel_id = choice->channel_id;
    state->pbdma_id = pbdma->pbdma_id;
    state->next_entry = choice->next_entry % state->entry_count;
    state->tsg_since_ps = now;
    channel->pending = 0;
    nv_channel_changed(runlist->host, channel);
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_TSG_START,
                choice->tsg_id < NV_RUNLIST_NO_TSG ? RULE_NV_RUNLIST : RULE_NV_BARE,
                runlist->runlist_id, choice->tsg_id, choice->timeslice_ps);
    nv_pbdma_load(pbdma, runlist->runlist_id, choice->tsg_id, choice->channel_id);
}

static void nv_runlist_event(void *unit, const struct event *event)
{
    struct nv_runlist *runlist = unit;
    struct nv_runlist_choice choice;

    assert(event->kind == NV_RUNLIST_SCAN);
    (void)event;
    runlist->state->scan_pending = 0;
    if (runlist->state->disabled || runlist->state->tsg_id != UINT32_MAX ||
        runlist->state->entry_count == 0)
        return;
    choice = nv_runlist_decide(runlist);
    if (choice.verdict == NV_RUNLIST_VERDICT_BAD)
        nv_runlist_bad_tsg(runlist);
    else if (choice.verdict == NV_RUNLIST_RUN)
        nv_runlist_start(runlist, &choice);
}

void nv_runlist_channel_left(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_TSG_END, RULE_NONE, runlist->runlist_id,
                state->tsg_id, machine_now(runlist->machine) - state->tsg_since_ps);
    state->tsg_id = UINT32_MAX;
    for (uint32_t i = 0; i < runlist->host->model->runlist_count; i++)
        nv_runlist_wake(&runlist->host->runlists[i]);
}

void nv_runlist_count_ready(struct nv_runlist *runlist, uint32_t entry, bool more)
{
    (void)entry;
    if (more)
        nv_runlist_wake(runlist);
}

void nv_runlist_count_faulted(struct nv_runlist *runlist, uint32_t entry, bool more)
{
    (void)entry;
    if (!more)
        nv_runlist_wake(runlist);
}

void nv_runlist_engine_idle(struct nv_runlist *runlist)
{
    (void)runlist;
}

void nv_runlist_disable(struct nv_runlist *runlist, bool disabled)
{
    runlist->state->disabled = disabled;
    nv_runlist_wake(runlist);
}

static bool nv_runlist_names(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                             uint32_t id)
{
    const struct nv_runlist_state *state = runlist->state;

    return state->tsg_id != UINT32_MAX &&
           (kind == NV_RUNLIST_PREEMPT_ALL ||
            (kind == NV_RUNLIST_PREEMPT_TSG ? state->tsg_id : state->channel_id) == id);
}

static void nv_runlist_preempt_what(struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                                    uint32_t id)
{
    if (nv_runlist_names(runlist, kind, id))
        nv_pbdma_preempt(&runlist->host->pbdmas[runlist->state->pbdma_id]);
}

void nv_runlist_preempt(struct nv_runlist *runlist)
{
    nv_runlist_preempt_what(runlist, NV_RUNLIST_PREEMPT_ALL, 0);
}

void nv_runlist_preempt_tsg(struct nv_runlist *runlist, uint32_t tsg_id)
{
    nv_runlist_preempt_what(runlist, NV_RUNLIST_PREEMPT_TSG, tsg_id);
}

void nv_runlist_preempt_channel(struct nv_runlist *runlist, uint32_t channel_id)
{
    nv_runlist_preempt_what(runlist, NV_RUNLIST_PREEMPT_CHANNEL, channel_id);
}

bool nv_runlist_preempt_pending(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                                uint32_t id)
{
    return nv_runlist_names(runlist, kind, id);
}
