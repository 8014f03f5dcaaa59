/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_fields.h"
#include "emu/log/event_list.h"
#include "emu/analysis/explain/explain_private.h"

struct take_row {
    struct event_fields_row fields;
    bool (*take)(struct explain_build *build, const uint64_t *values);
};

static struct explain_by nobody(void)
{
    return (struct explain_by){EXPLAIN_BY_NOBODY, 0};
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool take_submit(struct explain_build *build, const uint64_t *values)
{
    uint32_t index;

    if (!explain_build_id(build, values[1]))
        return false;
    index = explain_build_operation(build, EXPLAIN_SUBMISSION, values[0]);
    if (index == EXPLAIN_NONE)
        return false;
    struct explain_operation *submission = &build->explain->operations[index];
    submission->submission.thread = (uint32_t)values[1];
    submission->submission.push_count = (uint32_t)values[2];
    submission->submission.byte_count = values[3];
    submission->submission.return_ps = GFE_PS_NEVER;
    submission->submission.last = EXPLAIN_NONE;
    build->threads[values[1]] = index;
    return true;
}

static bool take_submit_return(struct explain_build *build, const uint64_t *values)
{
    const uint32_t index = id_map_find(&build->explain->by_id[EXPLAIN_SUBMISSION], values[0]);

    if (index == ID_MAP_NONE)
        return true; /* a log that begins in the middle */
    struct explain_operation *submission = &build->explain->operations[index];
    submission->submission.return_ps = build->now_ps;
    if (build->threads[submission->submission.thread] == index)
        build->threads[submission->submission.thread] = EXPLAIN_NONE;
    return true;
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* The operation of that number, else nobody. */
static struct explain_by by_number(const struct explain_build *build, enum explain_kind kind,
                                   uint64_t id)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind], id);

    return index == ID_MAP_NONE ? nobody() : (struct explain_by){EXPLAIN_BY_OPERATION, index};
}

/* Who was in the way, by the blocker of a WAIT (values 3 and 4): who released that semaphore last,
 * who ended last on that engine. */
static struct explain_by blocker(const struct explain_build *build, const uint64_t *values)
{
    const uint64_t id = values[4];
    const uint32_t channel = explain_build_channel(build, id);
    uint32_t release;

    switch (values[3]) {
    case SUBJECT_ENGINE:
        return explain_build_engine(build, id, values[0]);
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
        if (release == ID_MAP_NONE || build->event->kind != build->wait_kind)
            return (struct explain_by){EXPLAIN_BY_ADDRESS, id};
        return (struct explain_by){EXPLAIN_BY_OPERATION, build->releases[release]};
    default:
        return nobody();
    }
}

static bool wait_of_channel(struct explain_build *build, const uint64_t *values)
{
    const uint32_t index = explain_channel_at(build, values[2]);
    const char *label = explain_rule(build->explain, build->event->rule);
    struct explain_by by = blocker(build, values);

    if (index == EXPLAIN_NONE)
        return false;
    if (by.kind == EXPLAIN_BY_NOBODY &&
        (strcmp(label, "NV.DEVICE") == 0 || strcmp(label, "NV.INTR") == 0))
        by.kind = EXPLAIN_BY_DRIVER;
    return explain_channel_wait(build, index, values[0], by);
}

static bool wait_of_work(struct explain_build *build, enum explain_kind kind,
                         const uint64_t *values)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind], values[2]);
    const struct explain_by by = blocker(build, values);

    if (index == ID_MAP_NONE)
        return true;
    struct explain_operation *operation = &build->explain->operations[index];
    if (kind == EXPLAIN_DRAW && operation->birth_ps > values[0])
        operation->birth_ps = values[0];
    return explain_build_wait(build, index, values[0], build->event->rule, by);
}

static bool wait_of_submission(struct explain_build *build, const uint64_t *values)
{
    const uint32_t index = id_map_find(&build->explain->by_id[EXPLAIN_SUBMISSION], values[2]);

    return index == ID_MAP_NONE ||
           explain_build_wait(build, index, values[0], build->event->rule, blocker(build, values));
}

/* In a call of the driver; what the program waits for outside is in no operation's life. */
static bool wait_of_thread(struct explain_build *build, const uint64_t *values)
{
    const uint32_t index = values[2] < EXPLAIN_IDS ? build->threads[values[2]] : EXPLAIN_NONE;

    if (index == EXPLAIN_NONE || values[3] != SUBJECT_THREAD ||
        values[0] < build->explain->operations[index].birth_ps)
        return true;
    return explain_build_wait(build, index, values[0], build->event->rule, blocker(build, values));
}

static bool take_wait(struct explain_build *build, const uint64_t *values)
{
    if (values[0] >= build->now_ps)
        return true;
    switch (values[1]) {
    case SUBJECT_CHANNEL:
        return wait_of_channel(build, values);
    case SUBJECT_SUBMISSION:
        return wait_of_submission(build, values);
    case SUBJECT_THREAD:
        return wait_of_thread(build, values);
    case SUBJECT_GRID:
        return wait_of_work(build, EXPLAIN_LAUNCH, values);
    case SUBJECT_WORK:
        return wait_of_work(build, EXPLAIN_DRAW, values);
    case SUBJECT_COPY:
        return wait_of_work(build, EXPLAIN_COPY, values);
    case SUBJECT_SEMAPHORE:
        return explain_take_report_wait(build, values);
    default:
        return true;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* clang-format off */
static const struct take_row take_rows[] = {
    {{"WAIT", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}}, take_wait},
    {{"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}},
     take_wait},
    {{"CPU_SUBMIT", {"submission_id", "thread_index", "push_count", "push_bytes"}}, take_submit},
    {{"CPU_SUBMIT_RETURN", {"submission_id"}}, take_submit_return},
    {{"DRIVER_GP_ENTRY", {"channel_id", "gp_sequence", "dword_count", "submission_id"}},
     explain_take_driver_entry},
    {{"NV_CHANNEL_BIND", {"channel_id"}}, explain_channel_bind},
    {{"NV_DOORBELL", {"channel_id"}}, explain_take_doorbell},
    {{"NV_NOTIFY_PENDING", {"channel_id"}}, explain_take_doorbell},
    {{"NV_TSG_START", {"runlist_id"}}, explain_take_tsg_start},
    {{"NV_CHANNEL_LOAD", {"channel_id", "pbdma_id", "runlist_id"}}, explain_take_channel_load},
    {{"NV_CHANNEL_SAVE", {"channel_id"}}, explain_take_channel_save},
    {{"NV_CHANNEL_STOP", {"channel_id"}}, explain_take_channel_stop},
    {{"NV_CHANNEL_GO_ON", {"channel_id"}}, explain_take_channel_go_on},
    {{"NV_CONTEXT_LOAD", {"channel_id", "load_ps"}}, explain_take_context_load},
    {{"NV_GP_FETCH", {"channel_id", "gp_sequence", "dword_count", "fetch_ps"}},
     explain_take_gp_fetch},
    {{"NV_PB_FETCH", {"channel_id", "fetch_ps"}}, explain_take_pb_fetch},
    {{"NV_SEGMENT_END", {"channel_id"}}, explain_take_segment_end},
    {{"NV_MEM_OP", {"channel_id", "took_ps", "operation"}}, explain_take_mem_op},
    {{"NV_MMU_FAULT", {"channel_id"}}, explain_take_mmu_fault},
    {{"COPY_DROP", {"copy_id"}}, explain_take_copy_drop},
    {{"NV_CE_LAUNCHERR", {"copy_id"}}, explain_take_copy_drop},
    {{"NV_LAUNCH", {"channel_id", "gp_sequence"}}, explain_take_launch},
    {{"NV_REPORT", {"channel_id", "address", "gp_sequence"}}, explain_take_report},
    {{"NV_RELEASE", {"channel_id", "address", "value", "gp_sequence"}}, explain_take_release},
    {{"NV_NOTIFY", {"channel_id", "address"}}, explain_take_notify},
    {{"NV_ACQUIRE", {"channel_id", "address", "value"}}, explain_take_acquire},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_count", "block_threads", "gp_sequence"}},
     explain_take_grid_queue},
    {{"GRID_DISPATCHED", {"grid_id"}}, explain_take_grid_dispatched},
    {{"GRID_END", {"grid_id"}}, explain_take_grid_end},
    {{"GRID_DROP", {"grid_id"}}, explain_take_grid_drop},
    {{"WORK_DROP", {"work_id"}}, explain_take_work_drop},
    {{"GRID_SUSPEND", {"grid_id"}}, explain_take_grid_suspend},
    {{"GRID_RESUME", {"grid_id", "by_channel_id"}}, explain_take_grid_resume},
    {{"WORK_SUSPEND", {"work_id"}}, explain_take_work_suspend},
    {{"WORK_RESUME", {"work_id", "by_channel_id"}}, explain_take_work_resume},
    {{"BLOCK_START", {"grid_id", "block_index", "sm_index"}}, explain_take_block_start},
    {{"BLOCK_END", {"grid_id", "block_index", "sm_index"}}, explain_take_block_end},
    {{"COPY_QUEUE", {"copy_id", "channel_id", "engine_id", "byte_count", "gp_sequence"}},
     explain_take_copy_queue},
    {{"COPY_START", {"copy_id"}}, explain_take_copy_start},
    {{"COPY_END", {"copy_id"}}, explain_take_copy_end},
    {{"WORK_START", {"work_id", "channel_id", "engine_id", "class_id", "method", "gp_sequence"}},
     explain_take_work_start},
    {{"WORK_END", {"work_id"}}, explain_take_work_end},
};
/* clang-format on */

enum { TAKE_ROWS = sizeof take_rows / sizeof take_rows[0] };

static bool events_read(struct explain_build *build, struct event_log_reader *log,
                        const struct event_fields *fields)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    struct log_event event;
    enum event_log_result result;

    build->event = &event;
    build->wait_kind = event_log_kind_by_name(log, "WAIT");
    while ((result = event_log_read(log, &event, build->error)) == EVENT_LOG_GOT) {
        const uint32_t row = event_fields_take(fields, &event, values);
        build->now_ps = event.time_ps;
        if (build->explain->streams.program.call_count > 0 &&
            !streams_take(&build->explain->streams, &event))
            return explain_build_no_memory(build);
        if (row != EVENT_FIELDS_NONE) {
            build->kind_name = take_rows[row].fields.kind;
            if (!take_rows[row].take(build, values))
                return false;
        }
        build->event_number++;
    }
    build->event = NULL;
    build->explain->end_ps = build->now_ps;
    return result == EVENT_LOG_AT_END;
}

/* ---- finishing ------------------------------------------------------------------------------- */

/* The submission that an operation is for, through its entry; EXPLAIN_NONE: none. */
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
    uint32_t **const arrays[] = {&build->channels, &build->threads, &build->engines, &build->sms,
                                 &build->units};

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
    free(build->units);
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
    struct explain_build build = {.explain = explain, .error = &own, .kind_name = ""};
    struct event_fields_row rows[TAKE_ROWS];
    struct event_fields fields = {0};

    *explain = (struct explain){.log = log};
    explain->head_rule = rule_by_label(log, "T.X1");
    explain->context_rule = rule_by_label(log, "T.P1");
    explain->block_order_rule = rule_by_label(log, "CORE.BLOCK_ORDER");
    for (uint32_t i = 0; i < TAKE_ROWS; i++)
        rows[i] = take_rows[i].fields;
    bool good = streams_init(&explain->streams, log, &own) && build_init(&build) &&
                event_fields_bind(&fields, log, rows, TAKE_ROWS, &own) &&
                events_read(&build, log, &fields);
    for (uint32_t i = 0; good && i < explain->channel_count; i++)
        good = explain_channel_finish(&build, i);
    event_fields_fini(&fields);
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
