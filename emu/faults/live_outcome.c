/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/live_outcome.h"

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/model/model.h"
#include "emu/faults/live_control.h"

/* What a busy computer may make a program last longer, at the least. */
#define LATE_NS UINT64_C(1000000000)

void live_observation_fini(struct live_observation *observation)
{
    free(observation->output);
    free(observation->line_varies);
    *observation = (struct live_observation){0};
}

/* ---- a log ------------------------------------------------------------------------------------
 */

/* Numbers of the kinds of a live run, which the model does not fold, in one log. */
struct live_kinds {
    uint32_t fault, call, exception, end;
};

static struct live_kinds kinds_find(const struct event_log_reader *log)
{
    return (struct live_kinds){.fault = event_log_kind_by_name(log, "LIVE_FAULT"),
                               .call = event_log_kind_by_name(log, "LIVE_CALL"),
                               .exception = event_log_kind_by_name(log, "LIVE_EXCEPTION"),
                               .end = event_log_kind_by_name(log, "LIVE_END")};
}

/* A log that is read. */
struct live_reading {
    struct live_observation *observation;
    const struct event_log_reader *log;
    struct live_kinds kinds;
    bool is_over; /* the program has ended: what the GPU does by itself then is not observed */
    struct live_fault before[INJECT_FAULTS_MAX]; /* what the faults did in other processes */
};

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

/* Notes a subject that is given up, or found at fault. */
static void victim_take(struct live_observation *observation, const char *subject, uint64_t id)
{
    const uint64_t who = outcome_owner(subject, id);

    if (observation->victim_count < LIVE_VICTIMS_KEPT && !has_victim(observation, who))
        observation->victims[observation->victim_count++] = who;
}

/* An event of the live run itself. */
static void other_take(const struct live_reading *reading, const struct log_event *event)
{
    struct live_observation *observation = reading->observation;
    const struct event_log_reader *log = reading->log;

    observation->exception_count += event->kind == reading->kinds.exception;
    if (event->kind == reading->kinds.fault)
        fault_take(observation, log, event, reading->before);
    if (event->kind == reading->kinds.call && argument(log, event, "errno") != 0)
        refusal_take(observation, argument(log, event, "call"), argument(log, event, "errno"));
}

/* The listener of the model. */
/* clang-format off */
static bool record_take(void *context, const struct model_record *record)
{
    struct live_reading *reading = context;
    struct live_observation *observation = reading->observation;

    reading->is_over |= record->event && record->event->kind == reading->kinds.end;
    if (reading->is_over)
        return true;
    if (record->now_ps > observation->end_ps)
        observation->end_ps = record->now_ps;
    switch (record->type) {
    case MODEL_LAUNCHED: case MODEL_PACKET_LAUNCHED: observation->launch_count++; break;
    case MODEL_RELEASED: case MODEL_REPORTED: case MODEL_QUEUE_SIGNALLED:
        observation->signal_count++;
        break;
    case MODEL_DRIVER_LINE: case MODEL_ERROR_PRINTED:
        lines_take(observation, reading->log, record->event);
        break;
    case MODEL_CHANNEL_KILLED:
        lines_take(observation, reading->log, record->event);
        victim_take(observation, "channel", record->stopped.channel_id);
        break;
    case MODEL_MMU_FAULT: victim_take(observation, "channel", record->fault.channel_id); break;
    case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED:
        victim_take(observation, "queue", record->written.queue_id); break;
    case MODEL_QUEUE_LOST: victim_take(observation, "queue", record->queue.queue_id); break;
    MODEL_OTHER_RECORDS(MODEL_CASE) other_take(reading, record->event); break;
    /* passed over */
    case MODEL_SUBMITTED: case MODEL_SUBMIT_RETURNED: case MODEL_CPU_WAIT_BEGUN:
    case MODEL_CPU_WAIT_OVER: case MODEL_STORE_SEEN: case MODEL_ENTRY_WRITTEN:
    case MODEL_FENCE_PLACED: case MODEL_FENCE_CHECKED: case MODEL_UNCOVERED: case MODEL_RUN_OVER:
    case MODEL_CHANNEL_BOUND: case MODEL_CHANNEL_UNBOUND: case MODEL_CHANNEL_ENABLED:
    case MODEL_CHANNEL_LOADED: case MODEL_CHANNEL_SAVED: case MODEL_CHANNEL_STOPPED:
    case MODEL_CHANNEL_WENT_ON: case MODEL_CHANNEL_INTERRUPTED: case MODEL_RUNLIST_SUBMITTED:
    case MODEL_RUNLIST_DISABLED: case MODEL_RUNLIST_ERROR: case MODEL_SLICE_BEGUN:
    case MODEL_SLICE_ENDED: case MODEL_SLICE_PAUSED: case MODEL_CONTEXT_LOADED:
    case MODEL_ENGINE_RESET: case MODEL_BIND_ERROR: case MODEL_ENGINE_ERROR:
    case MODEL_PBDMA_STOPPED: case MODEL_PBDMA_CLEARED: case MODEL_DOORBELL:
    case MODEL_NOTIFY_PENDING: case MODEL_ENTRY_FETCHED: case MODEL_PUSH_FETCHED:
    case MODEL_SEGMENT_ENDED: case MODEL_MEM_OP: case MODEL_OBJECT_SET: case MODEL_ACQUIRED:
    case MODEL_INLINE_WRITTEN: case MODEL_NOTIFIED: case MODEL_REDUCED: case MODEL_SLOT_MAPPED:
    case MODEL_SLOT_PREEMPTED: case MODEL_QUEUE_LOADED: case MODEL_QUEUE_LEFT:
    case MODEL_QUEUE_SAVED: case MODEL_QUEUE_SAVE_REFUSED: case MODEL_QUEUE_RESTORED:
    case MODEL_QUEUE_RANG: case MODEL_PACKET_BEGUN: case MODEL_PACKET_ENDED: case MODEL_QUEUE_WROTE:
    case MODEL_DISPATCH_BEGUN: case MODEL_ACE_TURN: case MODEL_QUEUE_MADE:
    MODEL_WAIT_RECORDS(MODEL_CASE) MODEL_OPERATION_RECORDS(MODEL_CASE)
    MODEL_BLOCK_RECORDS(MODEL_CASE) MODEL_SDMA_RECORDS(MODEL_CASE) MODEL_STREAM_RECORDS(MODEL_CASE)
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

bool live_observe_log(struct live_observation *observation, const char *path,
                      struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    struct live_reading reading = {.observation = observation, .log = log};
    struct gfe_error cut = {0};
    struct model model;
    bool good;

    if (!log)
        return false;
    if (!model_init(&model, log, record_take, &reading, error)) {
        event_log_close(log);
        return false;
    }
    model_skip_blocks(&model);
    memcpy(reading.before, observation->faults, sizeof reading.before);
    reading.kinds = kinds_find(log);
    observation->process_count++;
    /* A process that was killed has not ended its log. */
    good = model_read(&model, log, &cut) || cut.kind != ERROR_SYSTEM;
    model_fini(&model);
    event_log_close(log);
    return good || error_set(error, cut.kind, "%s", cut.text);
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

/* Returns what reported an error that it did not report without the fault, or NULL if nothing did.
 */
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

/* Returns the owners of the faults that have acted.  Returns none if a fault has no owner. */
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
    const struct live_compared compared = live_control_compare(golden, faulty);
    struct live_outcome outcome = {
        .compared = compared,
        .other_output = compared.differs,
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
    if (!outcome.was_activated)
        memset(classes, 0, sizeof outcome.classes);
    classes[OUTCOME_NOT_ACTIVATED] = !outcome.was_activated;
    classes[OUTCOME_MASKED] = outcome.was_activated;
    for (uint32_t i = OUTCOME_MASKED + 1; i < OUTCOME_CLASSES; i++)
        classes[OUTCOME_MASKED] = classes[OUTCOME_MASKED] && !classes[i];
    for (uint32_t i = 0; i < OUTCOME_CLASSES; i++)
        if (classes[i])
            outcome.outcome = (enum outcome_class)i;
    return outcome;
}
