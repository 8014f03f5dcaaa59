/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_runlist.h"

#include <assert.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_tables.h"

static void nv_runlist_next_in_tsg(struct nv_runlist *runlist);

static struct nv_pbdma *nv_runlist_current_pbdma(const struct nv_runlist *runlist)
{
    return &runlist->host->pbdmas[runlist->state->pbdma_id];
}

/* ---- telling --------------------------------------------------------------------------------- */

static void nv_runlist_tell(struct nv_runlist *runlist, enum nv_runlist_notice notice,
                            uint32_t code)
{
    nv_host_runlist_event(runlist->host, runlist->runlist_id, notice, code);
}

static bool nv_runlist_engines_busy(const struct nv_runlist *runlist)
{
    for (uint32_t i = 0; i < runlist->engine_count; i++)
        if (nv_engine_busy(runlist->engine_at[i]))
            return true;
    return false;
}

/* Do all other runqueues of the runlist have nothing on that goes on, and nothing that could run?
 */
static bool nv_runlist_others_rest(const struct nv_runlist *queue)
{
    for (const struct nv_runlist *other = queue->head; other; other = other->next)
        if (other != queue &&
            (other->state->tsg_id != UINT32_MAX ? other->state->stuck == NV_RUNLIST_GOES_ON
                                                : other->state->ready_groups > 0))
            return false;
    return true;
}

/* Sum over the runqueues of a member of their states. */
static uint32_t nv_runlist_blocked(const struct nv_runlist *queue)
{
    uint32_t sum = 0;

    for (const struct nv_runlist *other = queue->head; other; other = other->next)
        sum += other->state->blocked_members;
    return sum;
}

static bool nv_runlist_serviceable(const struct nv_runlist *queue)
{
    uint32_t sum = 0;

    for (const struct nv_runlist *other = queue->head; other; other = other->next)
        sum += other->state->serviceable_groups;
    return sum > 0;
}

/* Nothing is on, and nothing can run: idle, or all that is left waits for semaphores. */
static void nv_runlist_tell_idle(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->head->state;
    const bool busy = nv_runlist_engines_busy(runlist);

    if (!nv_runlist_others_rest(runlist))
        return;
    if (nv_runlist_serviceable(runlist)) {
        if (state->idle == 0 && nv_runlist_blocked(runlist) == 0)
            nv_runlist_tell(runlist, busy ? NV_RUNLIST_ACQUIRE : NV_RUNLIST_ACQUIRE_AND_ENG_IDLE,
                            0);
        state->idle = NV_RUNLIST_ACQUIRE;
        return;
    }
    if (state->idle != NV_RUNLIST_IDLE && state->idle != NV_RUNLIST_ENG_IDLE) {
        state->idle = NV_RUNLIST_IDLE;
        nv_runlist_tell(runlist, NV_RUNLIST_IDLE, 0);
    }
    if (state->idle == NV_RUNLIST_IDLE && !busy) {
        state->idle = NV_RUNLIST_ENG_IDLE;
        nv_runlist_tell(runlist, NV_RUNLIST_ENG_IDLE, 0);
    }
}

/* ---- submits --------------------------------------------------------------------------------- */

/* The channel that is on is being loaded, or a context for it (B.T2). */
static bool nv_runlist_is_loading(const struct nv_runlist *runlist)
{
    const struct nv_pbdma_state *pbdma = nv_runlist_current_pbdma(runlist)->state;
    const uint32_t phase = pbdma->phase == NV_PBDMA_BLOCKED ? pbdma->after_block : pbdma->phase;

    return runlist->state->channel_id != UINT32_MAX &&
           (phase == NV_PBDMA_LOADING || phase == NV_PBDMA_LOADED || phase == NV_PBDMA_ENGINES);
}

/* The list is new: does the TSG that is on stand on it? */
static void nv_runlist_take_up_queue(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->tsg_id == UINT32_MAX)
        return;
    state->group = nv_runlist_find_tsg(runlist, state->tsg_id);
    if (state->group == UINT32_MAX) {
        nv_runlist_expire(runlist, RULE_NV_SUBMIT);
        return;
    }
    if (nv_runlist_contended(runlist)) {
        nv_runlist_expire(runlist, RULE_NV_SUBMIT);
        return;
    }
    if (state->leaving != RULE_NONE) /* it has had its slice */
        return;
    /* Alone: it goes on with a new slice. */
    nv_runlist_slice_pause(runlist);
    nv_runlist_slice_begin(runlist);
    if (state->channel_id == UINT32_MAX)
        nv_runlist_next_in_tsg(runlist);
    if (!nv_runlist_is_loading(runlist)) /* perhaps only its engines work */
        nv_runlist_slice_resume(runlist);
}

/* What SUBMIT_INFO tells of the list that is going. */
static void nv_runlist_note_preempted(struct nv_runlist *queue)
{
    struct nv_runlist_state *state = queue->state;

    state->futile = 0;
    state->preempted_tsg_id = state->tsg_id;
    state->preempted_entry =
        state->group == UINT32_MAX ? 0 : nv_runlist_entry_of(queue, state->group);
    state->group = UINT32_MAX;
}

void nv_runlist_submit(struct nv_runlist *runlist, enum memory_aperture aperture, uint64_t base,
                       uint32_t entry_count, uint32_t offset)
{
    struct nv_runlist_submission submission = {base, entry_count, offset, (uint32_t)aperture, 0};
    struct nv_runlist_state *state = runlist->state;
    enum nv_runlist_bad_tsg bad;

    if (!machine_inject(runlist->machine, runlist->unit, NV_INJECT_RUNLIST_SUBMIT,
                        runlist->runlist_id, &submission, sizeof submission))
        return;
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_note_preempted(queue);
    state->aperture = submission.aperture;
    state->base = submission.base;
    state->entry_count = submission.entry_count;
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_RUNLIST_SUBMIT, RULE_NONE,
                runlist->runlist_id, submission.base, submission.entry_count);
    if (!nv_runlist_read(runlist, submission.offset, &bad)) {
        MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_SCHED_ERROR, RULE_NV_BAD_TSG,
                    runlist->runlist_id, bad);
        nv_runlist_tell(runlist, NV_RUNLIST_BAD_TSG, bad);
    }
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_take_up_queue(queue);
    nv_runlist_tell(runlist, NV_RUNLIST_SUBMITTED, 0);
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_wake(queue);
}

/* ---- taking turns ---------------------------------------------------------------------------- */

void nv_runlist_wake(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->tsg_id != UINT32_MAX || state->scan_pending)
        return;
    if (state->ready_groups == 0) {
        state->waits_for_pbdma = 0;
        nv_runlist_tell_idle(runlist);
        return;
    }
    if (runlist->head->state->disabled || runlist->head->state->preempts)
        return;
    state->scan_pending = 1;
    machine_schedule(
        runlist->machine, runlist->unit,
        nv_host_after(runlist->host, machine_parameter(runlist->machine, PARAM_NV_SCHEDULE_CYCLES)),
        nv_runlist_event_kind(runlist, NV_RUNLIST_SCAN), 0);
}

static void nv_runlist_log_waited(struct nv_runlist *runlist, uint32_t channel_id, uint32_t rule,
                                  uint32_t blocker)
{
    const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);

    if (channel->acquire_blocked)
        nv_channel_log_acquire_wait(runlist->host, channel_id);
    else
        MACHINE_LOG(runlist->machine, runlist->unit, EVENT_WAIT, rule, channel->pending_ps,
                    SUBJECT_CHANNEL, channel_id,
                    blocker == UINT32_MAX ? SUBJECT_NONE : SUBJECT_CHANNEL,
                    blocker == UINT32_MAX ? 0 : blocker);
    nv_channel_wait_anew(runlist->host, channel_id);
}

/* What the channel has waited for until now; what it waits for from now on is another matter. */
static inline void nv_runlist_log_wait(struct nv_runlist *runlist, uint32_t channel_id,
                                       uint32_t rule, uint32_t blocker)
{
    const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);

    if (channel->pending && channel->pending_ps != machine_now(runlist->machine))
        nv_runlist_log_waited(runlist, channel_id, rule, blocker);
}

/* Its TSG's turn has come, for all of its channels. */
static void nv_runlist_log_turn(struct nv_runlist *runlist, uint32_t group)
{
    const struct nv_runlist_state *state = runlist->state;
    const struct nv_runlist_group *tsg = &runlist->groups[group];

    for (uint32_t i = tsg->first; i < (uint32_t)tsg->first + tsg->length; i++) {
        const uint32_t channel_id = runlist->members[i].channel_id;
        const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);
        const bool other = channel && state->left_tsg_id != UINT32_MAX &&
                           state->left_tsg_id != tsg->tsg_id &&
                           state->left_ps > channel->pending_ps;

        if (channel && channel->entry == i + 1 && channel->count == NV_RUNLIST_READY)
            nv_runlist_log_wait(runlist, channel_id,
                                state->waits_for_pbdma ? RULE_NV_PBDMA_SHARED
                                : other                ? RULE_B_T1
                                                       : RULE_NV_RUNLIST,
                                other ? state->left_channel_id : UINT32_MAX);
    }
}

void nv_runlist_log_preempted(struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;

    if (state->left_tsg_id == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < state->member_count; i++) {
        const uint32_t channel_id = runlist->members[i].channel_id;
        const struct nv_channel *channel = nv_channel_get(runlist->host, channel_id);

        if (channel && channel->entry == i + 1 && channel->count == NV_RUNLIST_READY &&
            state->left_ps <= channel->pending_ps)
            nv_runlist_log_wait(runlist, channel_id, RULE_NV_PREEMPT, state->left_channel_id);
    }
}

/* The channel goes on its PBDMA, which is free. */
static inline void nv_runlist_load(struct nv_runlist *runlist, uint32_t member,
                                   struct nv_pbdma *pbdma)
{
    struct nv_runlist_state *state = runlist->state;
    const uint32_t channel_id = runlist->members[member].channel_id;

    nv_runlist_log_wait(runlist, channel_id, RULE_NV_TSG, state->left_channel_id);
    state->channel_id = channel_id;
    state->pbdma_id = pbdma->pbdma_id;
    state->stuck = NV_RUNLIST_GOES_ON;
    state->switching = 0;
    runlist->groups[state->group].turn =
        (uint8_t)(member - runlist->groups[state->group].first + 1);
    nv_channel_load(runlist->host, channel_id, pbdma->pbdma_id);
    nv_pbdma_load(pbdma, runlist->runlist_id, state->tsg_id, channel_id);
}

/* Can a channel of the TSG run, or poll? */
static bool nv_runlist_has_member(const struct nv_runlist *runlist, uint32_t group)
{
    return runlist->groups[group].ready > 0 ||
           runlist->state->polled < runlist->groups[group].polls;
}

/* Returns the member whose turn is next, or UINT32_MAX if there is none.  *pbdma is NULL if the
 * member has to wait for its PBDMA. */
static inline uint32_t nv_runlist_choose(struct nv_runlist *runlist, uint32_t group,
                                         struct nv_pbdma **pbdma)
{
    struct nv_runlist_state *state = runlist->state;
    const struct nv_runlist_group *tsg = &runlist->groups[group];
    const uint32_t after = tsg->turn ? (uint32_t)tsg->first + tsg->turn - 1 : UINT32_MAX;
    uint32_t member = UINT32_MAX;

    if (tsg->ready > 0)
        member = nv_runlist_next_member(runlist, group, after, false);
    else if (state->polled < tsg->polls)
        member = nv_runlist_next_member(runlist, group, after, true);
    *pbdma = NULL;
    if (member == UINT32_MAX)
        return UINT32_MAX;
    if (runlist->pbdma_id != UINT32_MAX)
        *pbdma = &runlist->host->pbdmas[runlist->pbdma_id];
    if (*pbdma && !nv_pbdma_is_free(*pbdma)) {
        state->waits_for_pbdma = 1; /* nv_runlist_channel_left() of the other one wakes this */
        nv_runlist_slice_arm(nv_runlist_served_by(
            &runlist->host->runlists[(*pbdma)->state->runlist_id], runlist->pbdma_id));
        *pbdma = NULL;
    }
    return member;
}

/* Another runlist has waited for that PBDMA. */
static bool nv_runlist_is_wanted(const struct nv_runlist *runlist, uint32_t pbdma_id)
{
    return (nv_runlist_waiting(runlist->host, pbdma_id) & ~(1u << runlist->runlist_id)) != 0;
}

static void nv_runlist_start(struct nv_runlist *runlist, uint32_t group)
{
    struct nv_runlist_state *state = runlist->state;
    struct nv_pbdma *pbdma;
    uint32_t member;

    state->polled = 0;
    member = nv_runlist_choose(runlist, group, &pbdma);
    if (!pbdma)
        return;
    if (!state->waits_for_pbdma && nv_runlist_is_wanted(runlist, pbdma->pbdma_id)) {
        state->waits_for_pbdma = 1; /* behind those */
        return;
    }
    nv_runlist_log_turn(runlist, group);
    state->waits_for_pbdma = 0;
    runlist->head->state->idle = 0;
    state->group = group;
    state->tsg_id = runlist->groups[group].tsg_id;
    state->channel_id = runlist->members[member].channel_id;
    state->tsg_since_ps = machine_now(runlist->machine);
    state->leaving = RULE_NONE;
    nv_runlist_slice_begin(runlist);
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_TSG_START,
                state->tsg_id < NV_RUNLIST_NO_TSG ? RULE_NV_RUNLIST : RULE_NV_BARE,
                nv_runlist_number(runlist), state->tsg_id, state->slice_ps);
    nv_runlist_load(runlist, member, pbdma);
}

static void nv_runlist_scan(struct nv_runlist *runlist)
{
    const struct nv_runlist_state *head = runlist->head->state;
    struct nv_runlist_state *state = runlist->state;

    state->scan_pending = 0;
    if (state->tsg_id != UINT32_MAX || head->disabled || head->preempts || state->ready_groups == 0)
        return;
    nv_runlist_start(runlist, nv_runlist_find(runlist, state->next_group));
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* Has a channel of the runqueue fed the engine last?  Else the work there is another runqueue's. */
static bool nv_runlist_fed_last(const struct nv_runlist *queue, const struct nv_engine *engine)
{
    const struct nv_channel *channel = nv_channel_get(queue->host, engine->state->channel_id);

    return !queue->head->next || engine->state->tsg_id != queue->state->tsg_id || !channel ||
           channel->runqueue == queue->runqueue;
}

static bool nv_runlist_has_engine_work(const struct nv_runlist *runlist)
{
    for (uint32_t i = 0; i < runlist->engine_count; i++)
        if (runlist->fed >> i & 1 &&
            nv_engine_has_work(runlist->engine_at[i], runlist->state->tsg_id) &&
            nv_runlist_fed_last(runlist, runlist->engine_at[i]))
            return true;
    return false;
}

/* Work that a TSG has left on engines brings it back in its turn. */
static void nv_runlist_note_work(struct nv_runlist *runlist, uint32_t tsg_id)
{
    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        const struct nv_engine *engine = runlist->engine_at[i];
        const struct nv_channel *channel;

        if (engine->state->tsg_id != tsg_id)
            continue;
        channel = nv_channel_get(runlist->host, engine->state->channel_id);
        if (!channel || channel->eng_work || !nv_engine_has_work(engine, engine->state->tsg_id))
            continue;
        nv_channel_set_eng_work(runlist->host, engine->state->channel_id, true);
    }
}

/* An engine of the runlist works for the TSG that is on. */
static bool nv_runlist_is_busy(const struct nv_runlist *runlist)
{
    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        const struct nv_engine *engine = runlist->engine_at[i];

        if (engine->state->tsg_id == runlist->state->tsg_id && nv_engine_runs(engine))
            return true;
    }
    return false;
}

/* Other runqueues may have waited for engines of the TSG that has left. */
static void nv_runlist_free_engines(struct nv_runlist *queue, uint32_t tsg_id)
{
    for (uint32_t i = 0; i < queue->engine_count && queue->head->next; i++)
        if (queue->engine_at[i]->state->tsg_id == tsg_id)
            nv_engine_retry(queue->engine_at[i]);
}

static void nv_runlist_end_tsg(struct nv_runlist *runlist, uint32_t rule)
{
    struct nv_runlist_state *state = runlist->state;

    nv_runlist_slice_end(runlist);
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_TSG_END, rule, nv_runlist_number(runlist),
                state->tsg_id, machine_now(runlist->machine) - state->tsg_since_ps,
                state->slice_used_ps);
    if (state->group != UINT32_MAX && rule != RULE_NV_SUBMIT)
        state->next_group = (state->group + 1) % state->group_count;
    state->left_ps = machine_now(runlist->machine);
    state->left_tsg_id = state->tsg_id;
    state->futile = state->progress || nv_runlist_is_busy(runlist) ? 0 : state->futile + 1;
    state->progress = 0;
    state->tsg_id = state->group = UINT32_MAX;
    state->leaving = RULE_NONE;
    state->switching = state->stuck = 0;
    /* Only now: a channel that becomes ready must not be loaded in the turn that is over. */
    nv_runlist_note_work(runlist, state->left_tsg_id);
    nv_runlist_preempt_advance(runlist->head);
    nv_runlist_wake(runlist);
    nv_runlist_free_engines(runlist, state->left_tsg_id);
}

void nv_runlist_expire(struct nv_runlist *runlist, uint32_t rule)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->leaving != RULE_NONE)
        return;
    state->leaving = rule;
    nv_runlist_slice_pause(runlist);
    if (state->channel_id != UINT32_MAX)
        nv_pbdma_expel(nv_runlist_current_pbdma(runlist));
    else
        nv_runlist_end_tsg(runlist, rule);
}

void nv_runlist_switch_channel(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->leaving != RULE_NONE || state->switching)
        return;
    state->switching = 1;
    nv_pbdma_expel(nv_runlist_current_pbdma(runlist));
}

/* Loads the next channel of the TSG after the PBDMA has been freed of one.  If none can be loaded,
 * the turn of the TSG ends, unless its engines still work. */
static void nv_runlist_next_in_tsg(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    struct nv_pbdma *pbdma;
    uint32_t member = UINT32_MAX;

    if (state->group != UINT32_MAX && runlist->groups[state->group].faulted == 0 &&
        nv_runlist_has_member(runlist, state->group))
        member = nv_runlist_choose(runlist, state->group, &pbdma);
    if (member != UINT32_MAX && pbdma)
        nv_runlist_load(runlist, member, pbdma);
    else if (member != UINT32_MAX || !nv_runlist_has_engine_work(runlist))
        nv_runlist_end_tsg(runlist, RULE_NONE);
}

void nv_runlist_channel_left(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;
    uint32_t waiting = nv_runlist_waiting(runlist->host, state->pbdma_id);

    state->left_channel_id = state->channel_id;
    state->channel_id = UINT32_MAX;
    state->stuck = NV_RUNLIST_GOES_ON;
    nv_runlist_channel_slice_end(runlist);
    if (!state->switching)
        state->polled = 0;
    state->switching = 0;
    for (; waiting != 0; waiting &= waiting - 1)
        nv_runlist_wake(nv_runlist_served_by(&runlist->host->runlists[__builtin_ctz(waiting)],
                                             state->pbdma_id));
    if (state->leaving != RULE_NONE)
        nv_runlist_end_tsg(runlist, state->leaving);
    else
        nv_runlist_next_in_tsg(runlist);
}

/* ---- what the channel on the PBDMA does -------------------------------------------------------
 */

void nv_runlist_channel_loaded(struct nv_runlist *runlist)
{
    nv_runlist_slice_resume(runlist);
    nv_runlist_channel_slice_begin(runlist);
}

/* True when all channels of the TSG that wait for acquires, its own included, have
 * ACQUIRE_SWITCH_TSG. */
static bool nv_runlist_all_switch(const struct nv_runlist *runlist, bool switches)
{
    const struct nv_runlist_group *tsg = &runlist->groups[runlist->state->group];

    for (uint32_t i = tsg->first; switches && i < (uint32_t)tsg->first + tsg->length; i++) {
        const struct nv_channel *channel =
            nv_channel_get(runlist->host, runlist->members[i].channel_id);

        switches = !channel || channel->count != NV_RUNLIST_POLLS || channel->acquire_switch;
    }
    return switches;
}

bool nv_runlist_acquire_failed(struct nv_runlist *runlist, bool switches)
{
    struct nv_runlist_state *state = runlist->state;
    const struct nv_runlist_group *tsg;

    if (state->group == UINT32_MAX || state->leaving != RULE_NONE)
        return state->leaving != RULE_NONE;
    tsg = &runlist->groups[state->group];
    if (tsg->ready > 0 || state->polled < tsg->polls) {
        state->polled += tsg->ready == 0;
        state->switching = 1;
        return true;
    }
    state->stuck =
        nv_runlist_all_switch(runlist, switches) ? NV_RUNLIST_STUCK_SWITCHES : NV_RUNLIST_STUCK;
    if (state->stuck == NV_RUNLIST_STUCK)
        return false;
    if (nv_runlist_contended(runlist)) {
        state->leaving = RULE_NV_ACQ;
        return true;
    }
    if (nv_runlist_blocked(runlist) == 0 && nv_runlist_others_rest(runlist))
        nv_runlist_tell(runlist,
                        nv_runlist_engines_busy(runlist) ? NV_RUNLIST_ACQUIRE
                                                         : NV_RUNLIST_ACQUIRE_AND_ENG_IDLE,
                        0);
    return false;
}

void nv_runlist_goes_on(struct nv_runlist *runlist)
{
    runlist->state->stuck = NV_RUNLIST_GOES_ON;
    runlist->state->polled = 0;
}

bool nv_runlist_yield_tsg(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->leaving == RULE_NONE && nv_runlist_contended(runlist))
        state->leaving = RULE_NV_YIELD;
    return state->leaving != RULE_NONE;
}

bool nv_runlist_yield_channel(struct nv_runlist *runlist)
{
    if (nv_runlist_channel_contended(runlist))
        runlist->state->switching = 1;
    return runlist->state->switching;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* A channel of the TSG that is on can run. */
static void nv_runlist_member_ready(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->channel_id == UINT32_MAX) {
        if (state->leaving == RULE_NONE && !state->switching)
            nv_runlist_next_in_tsg(runlist);
    } else if (state->stuck != NV_RUNLIST_GOES_ON) {
        nv_runlist_switch_channel(runlist);
    } else {
        nv_runlist_channel_slice_arm(runlist);
    }
}

static void nv_runlist_react(struct nv_runlist *runlist, uint32_t group, enum nv_runlist_count is)
{
    struct nv_runlist_state *state = runlist->state;

    if (state->tsg_id == UINT32_MAX)
        nv_runlist_wake(runlist);
    else if (group == state->group && is == NV_RUNLIST_READY)
        nv_runlist_member_ready(runlist);
    else if (group != state->group && state->stuck == NV_RUNLIST_STUCK_SWITCHES &&
             nv_runlist_contended(runlist))
        nv_runlist_expire(runlist, RULE_NV_ACQ);
    else if (group != state->group)
        nv_runlist_slice_arm(runlist);
}

void nv_runlist_recount(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                        enum nv_runlist_count is)
{
    nv_runlist_count(runlist, member, was, is);
    if (is != NV_RUNLIST_COUNTS_NOT)
        nv_runlist_react(runlist, runlist->members[member].group, is);
}

bool nv_runlist_holds_fault(const struct nv_runlist *runlist, uint32_t member)
{
    return runlist->groups[runlist->members[member].group].faulted > 0;
}

void nv_runlist_fault(struct nv_runlist *runlist, uint32_t member, bool more)
{
    const uint32_t group = runlist->members[member].group;

    nv_runlist_count_faulted(runlist, member, more);
    if (!more)
        nv_runlist_react(runlist, group, NV_RUNLIST_READY);
    else if (group == runlist->state->group)
        nv_runlist_expire(runlist, RULE_NV_FAULTED);
}

void nv_runlist_stir(struct nv_runlist *runlist)
{
    if (runlist->state->futile == 0)
        return;
    runlist->state->futile = 0;
    nv_runlist_slice_arm(runlist);
    for (struct nv_runlist *other = runlist->head; other; other = other->next)
        if (other != runlist) /* whose engine this one may want */
            nv_runlist_slice_arm(other);
}

static void nv_runlist_engine_changed_for(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    nv_runlist_stir(runlist);
    nv_runlist_preempt_advance(runlist->head);
    if (state->tsg_id == UINT32_MAX)
        nv_runlist_wake(runlist);
    else if (state->channel_id == UINT32_MAX && state->leaving == RULE_NONE &&
             !nv_runlist_has_engine_work(runlist))
        nv_runlist_next_in_tsg(runlist);
}

void nv_runlist_engine_changed(struct nv_runlist *runlist)
{
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_engine_changed_for(queue);
}

/* Can the channels of the runqueue feed the engine? */
static bool nv_runlist_feeds(const struct nv_runlist *queue, const struct nv_engine *engine)
{
    for (uint32_t i = 0; i < queue->engine_count; i++)
        if (queue->engine_at[i] == engine)
            return queue->fed >> i & 1;
    return false;
}

bool nv_runlist_has_engine(struct nv_runlist *wants, const struct nv_engine *engine)
{
    bool has = false;

    for (struct nv_runlist *other = wants->head; other; other = other->next) {
        if (other == wants || other->state->tsg_id != engine->state->tsg_id ||
            !nv_runlist_feeds(other, engine))
            continue;
        has = true;
        if (other->state->stuck == NV_RUNLIST_STUCK_SWITCHES && nv_runlist_contended(other))
            nv_runlist_expire(other, RULE_NV_ACQ);
        else
            nv_runlist_slice_arm(other);
    }
    return has;
}

void nv_runlist_disable(struct nv_runlist *runlist, bool disabled)
{
    if (runlist->state->disabled == (uint32_t)disabled)
        return;
    runlist->state->disabled = disabled;
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_NV_SCHED_DISABLE, RULE_NONE,
                runlist->runlist_id, disabled);
    if (disabled)
        return;
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next) {
        nv_runlist_wake(queue);
        nv_runlist_slice_arm(queue);
    }
}

void nv_runlist_event(void *unit, const struct event *event)
{
    struct nv_runlist *runlist = nv_runlist_queue(unit, event->kind / NV_RUNLIST_EVENTS);

    switch (event->kind % NV_RUNLIST_EVENTS) {
    case NV_RUNLIST_SCAN:
        nv_runlist_scan(runlist);
        break;
    case NV_RUNLIST_SLICE:
        runlist->state->slice_armed = 0;
        if (nv_runlist_contended(runlist))
            nv_runlist_expire(runlist, RULE_B_T1);
        break;
    default:
        assert(event->kind % NV_RUNLIST_EVENTS == NV_RUNLIST_CHANNEL_SLICE);
        runlist->state->channel_armed = 0;
        if (nv_runlist_channel_contended(runlist))
            nv_runlist_switch_channel(runlist);
    }
}
