/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/live_outcome.h"

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_fields.h"

/* What a busy computer may make a program last longer, at the least. */
#define LATE_NS UINT64_C(1000000000)

void live_observation_fini(struct live_observation *observation)
{
    free(observation->output);
    *observation = (struct live_observation){0};
}

/* ---- a log ------------------------------------------------------------------------------------
 */

/* Who is given up, or found at fault: who they are, and the argument that says so. */
static const struct live_victim_row {
    const char *kind, *argument, *subject;
} live_victim_rows[] = {
    {"DRIVER_KILL", "channel_id", "channel"},
    {"NV_MMU_FAULT", "channel_id", "channel"},
    {"AMD_VM_FAULT", "doorbell_index", "queue"},
    {"KFD_QUEUE_RESET", "queue_id", "queue"},
};
enum { LIVE_VICTIM_ROWS = sizeof live_victim_rows / sizeof live_victim_rows[0] };

/* Numbers of the kinds that are looked at, in one log. */
struct live_kinds {
    uint32_t fault, call, exception, launch[2], signal[3], victim[LIVE_VICTIM_ROWS];
    bool has_line[EVENT_LOG_KINDS_MAX]; /* the driver prints one */
};

static void kinds_find(const struct event_log_reader *log, struct live_kinds *kinds)
{
    *kinds = (struct live_kinds){
        .fault = event_log_kind_by_name(log, "LIVE_FAULT"),
        .call = event_log_kind_by_name(log, "LIVE_CALL"),
        .exception = event_log_kind_by_name(log, "LIVE_EXCEPTION"),
        .launch = {event_log_kind_by_name(log, "AMD_LAUNCH"),
                   event_log_kind_by_name(log, "NV_LAUNCH")},
        .signal = {event_log_kind_by_name(log, "AMD_SIGNAL"),
                   event_log_kind_by_name(log, "NV_RELEASE"),
                   event_log_kind_by_name(log, "NV_REPORT")},
    };
    for (uint32_t i = 0; i < LIVE_VICTIM_ROWS; i++)
        kinds->victim[i] = event_log_kind_by_name(log, live_victim_rows[i].kind);
    for (const struct event_line_row *row = gfe_event_lines; row->kind; row++) {
        const uint32_t kind = event_log_kind_by_name(log, row->kind);

        if (kind < EVENT_LOG_KINDS_MAX)
            kinds->has_line[kind] = true;
    }
}

static uint64_t argument(const struct event_log_reader *log, const struct log_event *event,
                         const char *name)
{
    const struct event_log_kind *kind = event_log_kind(log, event->kind);

    for (uint32_t i = 0; i < kind->argument_count && i < event->argument_count; i++)
        if (strcmp(kind->arguments[i], name) == 0)
            return event->argument[i];
    return 0;
}

/* `before`: what the fault has done in other processes. */
static void fault_take(struct live_observation *observation, const struct event_log_reader *log,
                       const struct log_event *event,
                       const struct live_fault before[INJECT_FAULTS_MAX])
{
    const uint64_t index = argument(log, event, "fault_index");
    struct live_fault *fault = &observation->faults[index < INJECT_FAULTS_MAX ? index : 0];

    if (index >= INJECT_FAULTS_MAX)
        return;
    if (argument(log, event, "acted_count") == 0) {
        fault->was_futile = true;
        return;
    }
    if (fault->acted == 0 || event->time_ps < fault->first_ps) {
        fault->first_ps = event->time_ps;
        fault->subject = argument(log, event, "subject");
        fault->old_value = argument(log, event, "old_value");
        fault->new_value = argument(log, event, "new_value");
    }
    fault->acted = before[index].acted + argument(log, event, "acted_count");
}

static void lines_take(struct live_observation *observation, const struct event_log_reader *log,
                       const struct log_event *event)
{
    const struct event_line_row *row = gfe_event_lines;
    char text[EVENT_LINE_BYTES];

    while ((row = event_line(row, log, event, text, sizeof text))) {
        if (observation->line_count < LIVE_LINES_KEPT) {
            struct live_line *line = &observation->lines[observation->line_count];

            line->time_ps = event->time_ps;
            memcpy(line->text, text, sizeof text);
        }
        observation->line_count++;
        row++;
    }
}

static void refusal_take(struct live_observation *observation, uint64_t call, uint64_t number)
{
    struct live_refusal *at = observation->refusals;
    const struct live_refusal *end = at + observation->refusal_count;

    if (observation->refused_count++ == 0)
        observation->refused_errno = (int)number;
    while (at < end && (at->call != call || at->error_number != number))
        at++;
    if (at == observation->refusals + LIVE_REFUSALS_KEPT)
        return; /* the sum of all is compared still */
    if (at == end) {
        *at = (struct live_refusal){.call = call, .error_number = number};
        observation->refusal_count++;
    }
    at->count++;
}

static bool has_victim(const struct live_observation *observation, uint64_t who)
{
    for (uint32_t i = 0; i < observation->victim_count; i++)
        if (observation->victims[i] == who)
            return true;
    return false;
}

static void victim_take(struct live_observation *observation, const struct event_log_reader *log,
                        const struct live_kinds *kinds, const struct log_event *event)
{
    for (uint32_t i = 0; i < LIVE_VICTIM_ROWS; i++) {
        const struct live_victim_row *row = &live_victim_rows[i];

        if (event->kind != kinds->victim[i])
            continue;
        const uint64_t who = outcome_owner(row->subject, argument(log, event, row->argument));
        if (observation->victim_count < LIVE_VICTIMS_KEPT && !has_victim(observation, who))
            observation->victims[observation->victim_count++] = who;
    }
}

static void event_take(struct live_observation *observation, const struct event_log_reader *log,
                       const struct live_kinds *kinds, const struct log_event *event,
                       const struct live_fault before[INJECT_FAULTS_MAX])
{
    observation->end_ps =
        event->time_ps > observation->end_ps ? event->time_ps : observation->end_ps;
    observation->launch_count += event->kind == kinds->launch[0] || event->kind == kinds->launch[1];
    for (size_t i = 0; i < sizeof kinds->signal / sizeof kinds->signal[0]; i++)
        observation->signal_count += event->kind == kinds->signal[i];
    observation->exception_count += event->kind == kinds->exception;
    if (event->kind == kinds->fault)
        fault_take(observation, log, event, before);
    if (event->kind == kinds->call && argument(log, event, "errno") != 0)
        refusal_take(observation, argument(log, event, "call"), argument(log, event, "errno"));
    if (event->kind < EVENT_LOG_KINDS_MAX && kinds->has_line[event->kind])
        lines_take(observation, log, event);
    victim_take(observation, log, kinds, event);
}

bool live_observe_log(struct live_observation *observation, const char *path,
                      struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    struct live_fault before[INJECT_FAULTS_MAX];
    struct gfe_error cut = {0};
    struct log_event event;
    struct live_kinds kinds;

    if (!log)
        return false;
    memcpy(before, observation->faults, sizeof before);
    kinds_find(log, &kinds);
    observation->process_count++;
    /* A process that was killed has not ended its log. */
    while (event_log_read(log, &event, &cut) == EVENT_LOG_GOT)
        event_take(observation, log, &kinds, &event, before);
    event_log_close(log);
    return true;
}

/* ---- the comparison ---------------------------------------------------------------------------
 */

/* Has a call failed that did not without the fault?  A program that ends early makes fewer calls,
 * so it is not the sum that counts. */
static bool call_failed(const struct live_observation *golden,
                        const struct live_observation *faulty)
{
    for (uint32_t i = 0; i < faulty->refusal_count; i++) {
        const struct live_refusal *ours = &faulty->refusals[i];
        uint64_t before = 0;

        for (uint32_t k = 0; k < golden->refusal_count; k++)
            if (golden->refusals[k].call == ours->call &&
                golden->refusals[k].error_number == ours->error_number)
                before = golden->refusals[k].count;
        if (ours->count > before)
            return true;
    }
    return faulty->refused_count > golden->refused_count;
}

/* Who has said that something is wrong, that did not say so without the fault; NULL: nobody. */
static const char *detected_by(const struct live_observation *golden,
                               const struct live_observation *faulty, bool other_status)
{
    if (faulty->line_count > golden->line_count)
        return "the kernel driver's log";
    if (faulty->exception_count > golden->exception_count)
        return "an exception";
    if (call_failed(golden, faulty))
        return "a call that failed";
    if (faulty->timed_out || !other_status)
        return NULL;
    return faulty->was_killed ? "a signal" : "the program's exit status";
}

/* Whose the faults are that have acted; none if one is nobody's. */
static struct outcome_owners owners_of(const struct live_observation *faulty,
                                       const struct live_question *question)
{
    struct outcome_owners owners = {0};

    for (uint32_t i = 0; i < question->fault_count; i++) {
        const struct live_fault *fault = &faulty->faults[i];
        const uint64_t who = outcome_owner(question->subjects[i], fault->subject);

        if (fault->acted == 0)
            continue;
        if (who == UINT64_MAX)
            return (struct outcome_owners){0};
        outcome_owners_add(&owners, who);
    }
    return owners;
}

/* Has somebody else been hurt?  The first. */
static bool has_hurt(const struct live_observation *golden, const struct live_observation *faulty,
                     const struct live_question *question, uint64_t *victim)
{
    const struct outcome_owners owners = owners_of(faulty, question);

    for (uint32_t i = 0; i < faulty->victim_count; i++) {
        *victim = faulty->victims[i];
        if (!has_victim(golden, *victim) && outcome_owners_other(&owners, *victim))
            return true;
    }
    return false;
}

static bool is_late(const struct live_observation *golden, const struct live_observation *faulty,
                    const struct live_question *question)
{
    const uint64_t late_ns = question->late_ns != 0 ? question->late_ns : golden->took_ns + LATE_NS;

    return faulty->took_ns > golden->took_ns && faulty->took_ns - golden->took_ns > late_ns;
}

struct live_outcome live_judge(const struct live_observation *golden,
                               const struct live_observation *faulty,
                               const struct live_question *question)
{
    struct live_outcome outcome = {
        .other_output = golden->output_bytes != faulty->output_bytes ||
                        (golden->output_bytes > 0 &&
                         memcmp(golden->output, faulty->output, golden->output_bytes) != 0),
        .other_status =
            golden->was_killed != faulty->was_killed || golden->status != faulty->status,
    };
    bool *const classes = outcome.classes;

    for (uint32_t i = 0; i < question->fault_count; i++)
        outcome.was_activated |= faulty->faults[i].acted > 0;
    outcome.detected_by = detected_by(golden, faulty, outcome.other_status);
    classes[OUTCOME_COLLATERAL] = has_hurt(golden, faulty, question, &outcome.victim);
    classes[OUTCOME_HANG] = faulty->timed_out && !golden->timed_out;
    classes[OUTCOME_DETECTED] = outcome.detected_by != NULL;
    classes[OUTCOME_SDC_DATA] =
        outcome.other_output && !classes[OUTCOME_DETECTED] && !classes[OUTCOME_HANG];
    classes[OUTCOME_SDC_TIMING] = !classes[OUTCOME_HANG] && !classes[OUTCOME_DETECTED] &&
                                  !classes[OUTCOME_SDC_DATA] && is_late(golden, faulty, question);
    classes[OUTCOME_MASKED] = true;
    for (uint32_t i = OUTCOME_MASKED + 1; i < OUTCOME_CLASSES; i++)
        classes[OUTCOME_MASKED] = classes[OUTCOME_MASKED] && !classes[i];
    for (uint32_t i = 0; i < OUTCOME_CLASSES; i++)
        if (classes[i])
            outcome.outcome = (enum outcome_class)i;
    return outcome;
}
