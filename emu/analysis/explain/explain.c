/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/explain/explain_private.h"

static struct explain_by nobody(void)
{
    return (struct explain_by){EXPLAIN_BY_NOBODY, 0};
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool take_submit(struct explain_build *build, const struct model_record *record)
{
    uint32_t index;

    if (!explain_build_id(build, record->submission.thread))
        return false;
    index = explain_build_operation(build, EXPLAIN_SUBMISSION, record->submission.id);
    if (index == EXPLAIN_NONE)
        return false;
    struct explain_operation *submission = &build->explain->operations[index];
    submission->submission.thread = (uint32_t)record->submission.thread;
    submission->submission.push_count = (uint32_t)record->submission.push_count;
    submission->submission.byte_count = record->submission.push_bytes;
    submission->submission.return_ps = GFE_PS_NEVER;
    submission->submission.last = EXPLAIN_NONE;
    build->threads[record->submission.thread] = index;
    return true;
}

static bool take_submit_return(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index =
        id_map_find(&build->explain->by_id[EXPLAIN_SUBMISSION], record->submission.id);

    if (index == ID_MAP_NONE)
        return true; /* a log that begins in the middle */
    struct explain_operation *submission = &build->explain->operations[index];
    submission->submission.return_ps = build->now_ps;
    if (build->threads[submission->submission.thread] == index)
        build->threads[submission->submission.thread] = EXPLAIN_NONE;
    return true;
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Returns the operation of that number, or none. */
static struct explain_by by_number(const struct explain_build *build, enum explain_kind kind,
                                   uint64_t id)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind], id);

    return index == ID_MAP_NONE ? nobody() : (struct explain_by){EXPLAIN_BY_OPERATION, index};
}

/* Returns what was in the way of a wait, by its blocker: for a semaphore its last release, for an
 * engine the operation that ended last there. */
static struct explain_by blocker(const struct explain_build *build,
                                 const struct model_record *record)
{
    const uint64_t id = record->wait.blocker_id;
    const uint32_t channel = explain_build_channel(build, id);
    uint32_t release;

    switch (record->wait.blocker_kind) {
    case SUBJECT_ENGINE:
        return explain_build_engine(build, id, record->wait.begin_ps);
    case SUBJECT_SUBMISSION:
        return by_number(build, EXPLAIN_SUBMISSION, id);
    case SUBJECT_GRID:
        return by_number(build, EXPLAIN_LAUNCH, id);
    case SUBJECT_WORK:
        return by_number(build, EXPLAIN_DRAW, id);
    case SUBJECT_COPY:
        return by_number(build, EXPLAIN_COPY, id);
    case SUBJECT_THREAD:
        return (struct explain_by){EXPLAIN_BY_THREAD, id};
    case SUBJECT_CHANNEL:
        return channel == EXPLAIN_NONE ? nobody()
                                       : (struct explain_by){EXPLAIN_BY_CHANNEL, channel};
    case SUBJECT_RING:
        return channel == EXPLAIN_NONE ? nobody() : (struct explain_by){EXPLAIN_BY_RING, channel};
    case SUBJECT_SEMAPHORE:
        release = id_map_find(&build->release_by_address, id);
        if (release == ID_MAP_NONE || record->type != MODEL_WAITED)
            return (struct explain_by){EXPLAIN_BY_ADDRESS, id};
        return (struct explain_by){EXPLAIN_BY_OPERATION, build->releases[release]};
    default:
        return nobody();
    }
}

static bool wait_of_channel(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index = explain_channel_at(build, record->wait.subject_id);
    const char *label = explain_rule(build->explain, record->rule);
    struct explain_by by = blocker(build, record);

    if (index == EXPLAIN_NONE)
        return false;
    if (by.kind == EXPLAIN_BY_NOBODY &&
        (strcmp(label, "NV.DEVICE") == 0 || strcmp(label, "NV.INTR") == 0))
        by.kind = EXPLAIN_BY_DRIVER;
    return explain_channel_wait(build, index, record->wait.begin_ps, by);
}

/* Work whose context left and never came back is open already: now it is known by which rule it
 * stayed away.  Returns false if nothing is open. */
static bool stays_away(struct explain_build *build, const struct explain_operation *operation,
                       uint32_t rule, struct explain_by by)
{
    const uint32_t last =
        operation->kind == EXPLAIN_LAUNCH ? operation->launch.last_stop : operation->last_wait;
    struct explain_wait *wait = last == EXPLAIN_NONE ? NULL : &build->explain->waits[last];

    if (!wait || wait->end_ps != GFE_PS_NEVER)
        return false;
    wait->rule = rule;
    wait->by = by;
    return true;
}

static bool wait_of_work(struct explain_build *build, enum explain_kind kind,
                         const struct model_record *record)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind], record->wait.subject_id);
    struct explain_by by = blocker(build, record);

    if (index == ID_MAP_NONE)
        return true;
    if (record->rule != RULE_NONE && record->rule == build->explain->grids_rule)
        by = (struct explain_by){EXPLAIN_BY_GRIDS, build->now_ps};
    struct explain_operation *operation = &build->explain->operations[index];
    if (kind == EXPLAIN_DRAW && operation->birth_ps > record->wait.begin_ps)
        operation->birth_ps = record->wait.begin_ps;
    if (record->type == MODEL_WAIT_UNENDED && stays_away(build, operation, record->rule, by))
        return true;
    return explain_build_wait(build, index, record->wait.begin_ps, record->rule, by);
}

static bool wait_of_submission(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index =
        id_map_find(&build->explain->by_id[EXPLAIN_SUBMISSION], record->wait.subject_id);

    return index == ID_MAP_NONE || explain_build_wait(build, index, record->wait.begin_ps,
                                                      record->rule, blocker(build, record));
}

/* In a call of the driver; what the program waits for outside is in no operation's life. */
static bool wait_of_thread(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index = record->wait.subject_id < EXPLAIN_IDS
                               ? build->threads[record->wait.subject_id]
                               : EXPLAIN_NONE;

    if (index == EXPLAIN_NONE || record->wait.blocker_kind != SUBJECT_THREAD ||
        record->wait.begin_ps < build->explain->operations[index].birth_ps)
        return true;
    return explain_build_wait(build, index, record->wait.begin_ps, record->rule,
                              blocker(build, record));
}

static bool take_wait(struct explain_build *build, const struct model_record *record)
{
    if (record->wait.begin_ps >= build->now_ps)
        return true;
    switch (record->wait.subject_kind) {
    case SUBJECT_CHANNEL:
        return wait_of_channel(build, record);
    case SUBJECT_SUBMISSION:
        return wait_of_submission(build, record);
    case SUBJECT_THREAD:
        return wait_of_thread(build, record);
    case SUBJECT_GRID:
        return wait_of_work(build, EXPLAIN_LAUNCH, record);
    case SUBJECT_WORK:
        return wait_of_work(build, EXPLAIN_DRAW, record);
    case SUBJECT_COPY:
        return wait_of_work(build, EXPLAIN_COPY, record);
    case SUBJECT_SEMAPHORE:
        return explain_take_report_wait(build, record);
    default:
        return true;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* clang-format off */
static bool record_take(struct explain_build *build, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_SUBMITTED: return take_submit(build, record);
    case MODEL_SUBMIT_RETURNED: return take_submit_return(build, record);
    case MODEL_ENTRY_WRITTEN: return explain_take_driver_entry(build, record);
    case MODEL_WAITED: return take_wait(build, record);
    case MODEL_WAIT_UNENDED: return take_wait(build, record);
    case MODEL_GRID_HANDED: return explain_take_grid_queue(build, record);
    case MODEL_COPY_HANDED: return explain_take_copy_queue(build, record);
    case MODEL_WORK_BEGUN: return explain_take_work_start(build, record);
    case MODEL_STARTED: return record->operation != MODEL_COPY || explain_take_copy_start(build, record);
    case MODEL_DISPATCHED: return explain_take_grid_dispatched(build, record);
    case MODEL_SUSPENDED: return record->operation == MODEL_COPY || explain_take_suspended(build, record);
    case MODEL_RESUMED: return record->operation == MODEL_COPY || explain_take_resumed(build, record);
    case MODEL_ENDED: return explain_take_ended(build, record);
    case MODEL_DROPPED: return explain_take_dropped(build, record);
    case MODEL_COPY_REFUSED: return explain_take_dropped(build, record);
    case MODEL_COPY_LOST: return explain_take_dropped(build, record);
    case MODEL_BLOCK_BEGUN: return explain_take_block_start(build, record);
    case MODEL_BLOCK_DONE: return explain_take_block_end(build, record);
    case MODEL_CHANNEL_BOUND: return explain_channel_bind(build, record);
    case MODEL_CHANNEL_LOADED: return explain_take_channel_load(build, record);
    case MODEL_CHANNEL_SAVED: return explain_take_channel_save(build, record);
    case MODEL_CHANNEL_STOPPED: return explain_take_channel_stop(build, record);
    case MODEL_CHANNEL_WENT_ON: return explain_take_channel_go_on(build, record);
    case MODEL_SLICE_BEGUN: return explain_take_tsg_start(build, record);
    case MODEL_CONTEXT_LOADED: return explain_take_context_load(build, record);
    case MODEL_DOORBELL: return explain_take_doorbell(build, record);
    case MODEL_NOTIFY_PENDING: return explain_take_doorbell(build, record);
    case MODEL_ENTRY_FETCHED: return explain_take_gp_fetch(build, record);
    case MODEL_PUSH_FETCHED: return explain_take_pb_fetch(build, record);
    case MODEL_SEGMENT_ENDED: return explain_take_segment_end(build, record);
    case MODEL_MEM_OP: return explain_take_mem_op(build, record);
    case MODEL_LAUNCHED: return explain_take_launch(build, record);
    case MODEL_REPORTED: return explain_take_report(build, record);
    case MODEL_RELEASED: return explain_take_release(build, record);
    case MODEL_ACQUIRED: return explain_take_acquire(build, record);
    case MODEL_NOTIFIED: return explain_take_notify(build, record);
    /* passed over */
    case MODEL_ERROR_PRINTED: case MODEL_CHANNEL_KILLED:
    case MODEL_CPU_WAIT_BEGUN: case MODEL_CPU_WAIT_OVER: case MODEL_STORE_SEEN:
    case MODEL_FENCE_PLACED: case MODEL_FENCE_CHECKED: case MODEL_UNCOVERED: case MODEL_RUN_OVER:
    case MODEL_DRIVER_LINE: case MODEL_RUN_CUT: case MODEL_WAIT_HOLDS: case MODEL_WAIT_SUSPENDED: case MODEL_COST:
    case MODEL_BLOCK_STOPPED: case MODEL_BLOCK_WENT_ON: case MODEL_BLOCK_OFF:
    case MODEL_BLOCK_BACK: case MODEL_BLOCK_STAGED: case MODEL_MMU_FAULT:
    case MODEL_BLOCK_UNSTAGED: case MODEL_CHANNEL_UNBOUND: case MODEL_CHANNEL_ENABLED:
    case MODEL_CHANNEL_INTERRUPTED: case MODEL_RUNLIST_SUBMITTED: case MODEL_RUNLIST_DISABLED:
    case MODEL_RUNLIST_ERROR: case MODEL_SLICE_ENDED: case MODEL_SLICE_PAUSED:
    case MODEL_ENGINE_RESET: case MODEL_BIND_ERROR: case MODEL_ENGINE_ERROR:
    case MODEL_PBDMA_STOPPED: case MODEL_PBDMA_CLEARED: case MODEL_OBJECT_SET:
    case MODEL_INLINE_WRITTEN: case MODEL_REDUCED: MODEL_QUEUE_RECORDS(MODEL_CASE)
    MODEL_SDMA_RECORDS(MODEL_CASE) MODEL_STREAM_RECORDS(MODEL_CASE) MODEL_OTHER_RECORDS(MODEL_CASE)
        return true;
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

/* The listener of the model. */
static bool listen(void *context, const struct model_record *record)
{
    struct explain_build *build = context;
    struct streams *streams = &build->explain->streams;

    build->event = record->event;
    build->event_kind = record->event->kind;
    build->event_number = record->event_number;
    build->now_ps = record->now_ps;
    if (streams->program.call_count > 0 && !streams_take(streams, record))
        return explain_build_no_memory(build);
    return record_take(build, record);
}

static bool events_read(struct explain_build *build, struct event_log_reader *log)
{
    struct model model;
    bool good = model_init(&model, log, listen, build, build->error);

    if (good) {
        model_skip_blocks(&model);
        good = model_read(&model, log, build->error);
    }

    build->event = NULL;
    build->event_number = model.event_count;
    build->explain->end_ps = build->now_ps;
    model_fini(&model);
    return good;
}

/* ---- finishing ------------------------------------------------------------------------------- */

/* Returns the submission that an operation is for, through its entry, or EXPLAIN_NONE. */
static uint32_t submission_of(const struct explain *explain, uint32_t index)
{
    while (index != EXPLAIN_NONE && explain->operations[index].kind != EXPLAIN_SUBMISSION)
        index = explain->operations[index].parent;
    return index;
}

/* Ends that the log does not hold, and who ends last below each submission. */
static void ends_finish(struct explain *explain)
{
    for (uint32_t i = 0; i < explain->operation_count; i++) {
        struct explain_operation *operation = &explain->operations[i];
        const uint32_t top = submission_of(explain, i);
        if (operation->kind == EXPLAIN_SUBMISSION)
            continue;
        if (operation->end_ps == GFE_PS_NEVER) {
            operation->unfinished = true;
            operation->end_ps = explain->end_ps;
        }
        if (operation->end_ps < operation->birth_ps)
            operation->end_ps = operation->birth_ps;
        if (top == EXPLAIN_NONE)
            continue;
        struct explain_operation *submission = &explain->operations[top];
        if (submission->submission.last == EXPLAIN_NONE ||
            operation->end_ps > explain->operations[submission->submission.last].end_ps)
            submission->submission.last = i;
        submission->unfinished |= operation->unfinished;
    }
    for (uint32_t i = 0; i < explain->operation_count; i++) {
        struct explain_operation *operation = &explain->operations[i];
        if (operation->kind != EXPLAIN_SUBMISSION)
            continue;
        const uint32_t last = operation->submission.last;
        const bool returned = operation->submission.return_ps != GFE_PS_NEVER;
        operation->unfinished |= !returned;
        operation->end_ps = returned ? operation->submission.return_ps : explain->end_ps;
        if (last != EXPLAIN_NONE && explain->operations[last].end_ps > operation->end_ps)
            operation->end_ps = explain->operations[last].end_ps;
    }
}

static bool build_init(struct explain_build *build)
{
    uint32_t **const arrays[] = {&build->channels, &build->threads, &build->engines, &build->sms};

    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = malloc(EXPLAIN_IDS * sizeof **arrays[i]);
        if (!*arrays[i])
            return explain_build_no_memory(build);
        memset(*arrays[i], 0xff, EXPLAIN_IDS * sizeof **arrays[i]);
    }
    build->runlists = malloc(EXPLAIN_IDS * sizeof *build->runlists);
    if (!build->runlists)
        return explain_build_no_memory(build);
    memset(build->runlists, 0xff, EXPLAIN_IDS * sizeof *build->runlists);
    return true;
}

static void build_fini(struct explain_build *build)
{
    id_map_fini(&build->channel_of);
    free(build->channels);
    free(build->threads);
    free(build->engines);
    free(build->sms);
    free(build->runlists);
    free(build->queue);
    free(build->turns);
    free(build->releases);
    id_map_fini(&build->release_by_address);
}

/* Number of the rule with that label, RULE_NONE when the log has none. */
static uint32_t rule_by_label(const struct event_log_reader *log, const char *label)
{
    for (uint32_t i = 0; i < TABLE_END; i++) {
        const struct event_log_rule *rule = event_log_rule(log, i);
        if (rule && strcmp(rule->label, label) == 0)
            return i;
    }
    return RULE_NONE;
}

bool explain_load(struct explain *explain, struct event_log_reader *log, struct gfe_error *error)
{
    struct gfe_error own = {0};
    struct explain_build build = {.explain = explain, .error = &own};

    *explain = (struct explain){.log = log};
    explain->head_rule = rule_by_label(log, "T.X1");
    explain->context_rule = rule_by_label(log, "T.P1");
    explain->grids_rule = rule_by_label(log, "CORE.GRIDS");
    explain->block_order_rule = rule_by_label(log, "CORE.BLOCK_ORDER");
    bool good = streams_init(&explain->streams, log, &own) && build_init(&build) &&
                events_read(&build, log);
    for (uint32_t i = 0; good && i < explain->channel_count; i++)
        good = explain_channel_finish(&build, i);
    build_fini(&build);
    if (!good) {
        explain_fini(explain);
        return error_set(error, own.kind, "%s", own.text);
    }
    ends_finish(explain);
    return true;
}

void explain_fini(struct explain *explain)
{
    for (uint32_t i = 0; i < explain->channel_count; i++) {
        free(explain->channels[i].slices);
        free(explain->channels[i].pauses);
    }
    for (uint32_t i = 0; i < EXPLAIN_KINDS; i++)
        id_map_fini(&explain->by_id[i]);
    id_map_fini(&explain->block_by_id);
    free(explain->operations);
    free(explain->blocks);
    free(explain->channels);
    free(explain->waits);
    free(explain->heads);
    streams_fini(&explain->streams);
    *explain = (struct explain){0};
}
