/* SPDX-License-Identifier: MIT */
/* Runs end, and waits end or are named. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/analysis/open_waits.h"
#include "emu/selftest/account.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/hip/hip_tables.h"

/* A.H3: where the driver gives no more queues than fit, or gives slots itself, a program whose
 * queue is refused cannot go on. */
static bool may_be_refused(const struct world_run *run)
{
    const json_t *policies = json_object_get(run->loaded->world, "policies"), *policy;
    size_t i;

    json_array_foreach(policies, i, policy) if (strncmp(json_string_value(policy),
                                                        "kfd.sched_policy=", 17) == 0) return true;
    return false;
}

bool invariant_ends(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    const bool may_stop = run->stopped.kind == ERROR_LIMIT || run->stopped.kind == ERROR_INPUT;

    if (may_stop && (run->disturbance == WORLD_FAULTY || may_be_refused(run)))
        return true; /* a bound, or a call of the program that fails */
    if (run->stopped.kind != ERROR_NONE)
        return invariant_wrong(says, "the run stopped: %.200s", run->stopped.text);
    if (!any_simulation_ended(&run->simulation))
        return invariant_wrong(says, "the run says that it goes on, and has nothing left to do");
    return true;
}

/* What begins with one kind of event and ends with another: how many are under way. */
static int64_t under_way(const struct world_run *run, uint32_t begins, uint32_t ends)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < run->event_count; i++) {
        count += run->events[i].kind == begins;
        count -= run->events[i].kind == ends;
    }
    return count;
}

/* How many GP entries were fetched whose segments have no end; entries without dwords have no
 * segment. */
static int64_t open_segments(const struct world_run *run)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];

        count += event->kind == EVENT_NV_GP_FETCH && event_nv_gp_fetch_of(event).dword_count > 0;
        count -= event->kind == EVENT_NV_SEGMENT_END;
    }
    return count;
}

/* The first thing that is not done; "" if there is none. */
static void left_undone(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    static const char *const names[] = {"nothing", "a grid", "a copy", "a draw"};
    struct account account;

    says[0] = '\0';
    account_make(&account, run);
    for (uint64_t id = 0; id < account.count && says[0] == '\0'; id++)
        if (account.works[id].kind != ACCOUNT_NOTHING && !account.works[id].ended &&
            !account.works[id].dropped)
            invariant_wrong(says, "%s, %" PRIu64 ", has no end", names[account.works[id].kind], id);
    if (says[0] == '\0' && under_way(run, EVENT_CUDA_OPERATION, EVENT_CUDA_COMPLETE) > 0)
        invariant_wrong(says, "a call of CUDA is not complete");
    if (says[0] == '\0' && under_way(run, EVENT_HIP_LAUNCH, EVENT_HIP_RETURN) > 0)
        invariant_wrong(says, "a launch of HIP has not returned");
    if (says[0] == '\0' && !account_has_refusal(run) && open_segments(run) > 0)
        invariant_wrong(says, "a GP entry was fetched, and its segment has no end");
    account_fini(&account);
}

static bool wait_is_lost(const struct log_event *event, char says[INVARIANT_SAYS_BYTES])
{
    const struct event_wait wait = event_wait_from(event->argument);
    char name[OPEN_WAITS_NAME_BYTES] = "an engine"; /* whose name only the log's reader knows */

    if (wait.subject_kind != SUBJECT_ENGINE)
        (void)open_waits_name(NULL, wait.subject_kind, wait.subject_id, name);
    return invariant_wrong(says, "%s is lost (GFE.LOST), and nothing was taken away", name);
}

static bool wait_is_sound(const struct log_event *event, bool calm, char says[INVARIANT_SAYS_BYTES])
{
    if (event->kind != EVENT_WAIT && event->kind != EVENT_WAIT_OPEN)
        return true;
    if (event->rule == RULE_NONE)
        return invariant_wrong(says, "a wait at %" PRIu64 " ps has no rule", event->time_ps);
    if (event_wait_from(event->argument).begin_ps > event->time_ps)
        return invariant_wrong(says, "a wait at %" PRIu64 " ps begins after its end",
                               event->time_ps);
    if (calm && event->kind == EVENT_WAIT_OPEN && event->rule == RULE_GFE_LOST)
        return wait_is_lost(event, says);
    if (calm && event->kind == EVENT_WAIT_OPEN && event->rule == RULE_NV_NOTIFY)
        return invariant_wrong(says, "channel %" PRIu64 " has work, and its doorbell was not heard",
                               event_wait_from(event->argument).subject_id);
    return true;
}

/* What a fault takes away silently, such as the end of a copy, is missed by nothing but the log. */
static bool fault_acted(const struct world_run *run)
{
    for (uint32_t i = 0; i < run->event_count; i++)
        if (run->events[i].kind == EVENT_FAULT)
            return true;
    return false;
}

bool invariant_waits(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    uint64_t open = 0;
    char undone[INVARIANT_SAYS_BYTES];

    for (uint32_t i = 0; i < run->event_count; i++) {
        if (!wait_is_sound(&run->events[i], run->disturbance < WORLD_FAULTY, says))
            return false;
        open += run->events[i].kind == EVENT_WAIT_OPEN;
    }
    if (open != run->open_count)
        return invariant_wrong(says, "%" PRIu64 " waits are open, and %" PRIu64 " were counted",
                               open, run->open_count);
    if (open > 0 || fault_acted(run))
        return true;
    left_undone(run, undone);
    return undone[0] == '\0' || invariant_wrong(says, "%.200s, and no wait is open", undone);
}
