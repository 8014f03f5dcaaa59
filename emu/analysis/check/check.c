/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/open_waits.h"
#include "emu/analysis/check/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/analysis/check/check_private.h"
#include "emu/analysis/check/check_dispatch.h"

struct check_event check_event_at(gfe_ps time_ps, const char *format, ...)
{
    struct check_event event = {.time_ps = time_ps};
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(event.text, sizeof event.text, format, arguments);
    va_end(arguments);
    return event;
}

static void report_add(struct check_report *report, const char *rule,
                       const struct check_event *first, const struct check_event *second,
                       const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

static void report_add(struct check_report *report, const char *rule,
                       const struct check_event *first, const struct check_event *second,
                       const char *format, va_list arguments)
{
    struct check_finding *finding;

    report->violation_count++;
    if (report->finding_count == CHECK_FINDINGS_MAX)
        return;
    finding = &report->findings[report->finding_count++];
    *finding = (struct check_finding){.rule = rule, .second = *second};
    if (first)
        finding->first = *first;
    (void)vsnprintf(finding->says, sizeof finding->says, format, arguments);
}

void check_violation(struct check *check, const char *rule, const struct check_event *first,
                     const struct check_event *second, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_add(check->report, rule, first, second, format, arguments);
    va_end(arguments);
}

void check_report_add(struct check_report *report, const char *rule,
                      const struct check_event *first, const struct check_event *second,
                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_add(report, rule, first, second, format, arguments);
    va_end(arguments);
}

void *check_room(struct check *check, void *array, uint32_t count, uint32_t *capacity, size_t bytes)
{
    const uint32_t wanted = *capacity ? 2 * *capacity : 16;
    void *grown;

    if (count < *capacity)
        return array;
    grown = wanted > *capacity ? realloc(array, wanted * bytes) : NULL;
    if (grown)
        *capacity = wanted;
    else
        check->no_memory = true;
    return grown;
}

static void check_wait(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(check->now, "a wait ends");

    if (values[0] > check->now)
        check_violation(check, "LOG", NULL, &event, "it begins at %" PRIu64 " ps, after its end",
                        values[0]);
}

/* LIVE: something waits although nothing is left to happen. */
enum { LEFT_CUT, LEFT_WAIT };
static const struct event_fields_row left_rows[] = {
    {"RUN_CUT", {"next_ps"}},
    {"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}},
};

static void check_left(struct check *check, uint32_t number, const uint64_t *values)
{
    const struct event_log_rule *rule = event_log_rule(check->log, number);
    const struct check_event begun =
        check_event_at(values[0], "it begins to wait, or to be under way");
    const struct check_event end = check_event_at(check->now, "nothing is left to happen");
    char name[OPEN_WAITS_NAME_BYTES], blocker[OPEN_WAITS_NAME_BYTES];

    if (check->report->ended_early)
        return;
    (void)open_waits_name(check->log, values[1], values[2], name);
    (void)open_waits_name(check->log, values[3], values[4], blocker);
    check_violation(check, "LIVE", &begun, &end, "%s waits for %s for ever (%s)", name, blocker,
                    rule && rule->label ? rule->label : "-");
}

/* ---- events ---------------------------------------------------------------------------------- */

static const struct event_fields_row rows[] = {
    {"GRID_QUEUE",
     {"grid_id", "channel_id", "block_count", "block_threads", "shared_bytes", "registers",
      "gp_sequence"}},
    {"GRID_DISPATCHED", {"grid_id"}},
    {"GRID_END", {"grid_id"}},
    {"GRID_DROP", {"grid_id"}},
    {"GRID_SUSPEND", {"grid_id", "block_count"}},
    {"GRID_RESUME", {"grid_id"}},
    {"BLOCK_START", {"grid_id", "block_index", "sm_index", "slot_index"}},
    {"BLOCK_END", {"grid_id", "block_index", "sm_index", "slot_index"}},
    {"COPY_QUEUE", {"copy_id", "channel_id", "engine_id", "gp_sequence"}},
    {"COPY_START", {"copy_id", "channel_id", "engine_id"}},
    {"COPY_SUSPEND", {"copy_id", "channel_id", "engine_id"}},
    {"COPY_RESUME", {"copy_id", "channel_id", "engine_id"}},
    {"COPY_END", {"copy_id", "channel_id", "engine_id"}},
    {"COPY_DROP", {"copy_id", "channel_id", "engine_id"}},
    {"NV_TSG_START", {"runlist_id", "tsg_id"}},
    {"NV_TSG_END", {"runlist_id", "tsg_id"}},
    {"NV_CHANNEL_LOAD", {"channel_id", "runlist_id"}},
    {"WAIT", {"begin_ps"}},
    {"GRID_COST", {"grid_id", "priority"}},
    {"CUDA_STREAM", {"stream_id", "process_id", "kind"}},
    {"CUDA_OPERATION", {"operation_id", "stream_id"}},
    {"CUDA_SUBMIT", {"operation_id", "channel_id", "gp_sequence", "descriptor_address"}},
    {"CUDA_COMPLETE", {"operation_id"}},
    {"CUDA_CHANNEL", {"stream_id", "channel_id"}},
    {"CUDA_CHANNEL_FREE", {"stream_id", "channel_id"}},
    {"CUDA_CLIENT", {"process_id", "sm_count"}},
    {"GRID_SPLIT", {"grid_id", "least_bytes", "chosen_bytes"}},
    {"CUDA_STREAM_CHANNEL", {"stream_id", "channel_id"}},
    {"NV_INLINE_WRITE", {"channel_id", "gp_sequence"}},
    {"CUDA_RECORD", {"operation_id", "channel_id", "gp_sequence"}},
    {"GRID_MASK", {"grid_id", "mask_lo", "mask_hi", "sms_per_bit", "passed"}},
    {"GRID_CLUSTER", {"grid_id", "block_count"}},
};
/* In the same order. */
static void (*const takers[])(struct check *check, const uint64_t *values) = {
    check_grid_queue,        check_grid_dispatched,    check_grid_end,
    check_grid_drop,         check_grid_suspend,       check_grid_resume,
    check_block_start,       check_block_end,          check_copy_queue,
    check_copy_start,        check_copy_stop,          check_copy_resume,
    check_copy_end,          check_copy_drop,          check_tsg_start,
    check_tsg_end,           check_channel_load,       check_wait,
    check_grid_cost,         check_stream_new,         check_operation_call,
    check_operation_submit,  check_operation_complete, check_channel_hold,
    check_channel_free,      check_client_new,         check_grid_split,
    check_channel_of_stream, check_inline_write,       check_operation_record,
    check_grid_mask,         check_grid_cluster,
};
enum { CHECK_ROWS = sizeof rows / sizeof rows[0] };
_Static_assert(CHECK_ROWS == sizeof takers / sizeof takers[0], "each row has a taker");

static bool check_events(struct check *check, const struct event_fields *fields,
                         const struct event_fields *left, struct gfe_error *error)
{
    void (*const *take)(struct check * check, const uint64_t *values) =
        check->dispatch ? check_dispatch_takers : takers;
    uint64_t values[EVENT_ARGUMENTS_MAX];
    enum event_log_result result;
    struct log_event event;

    while ((result = event_log_read(check->log, &event, error)) == EVENT_LOG_GOT) {
        const uint32_t row = event_fields_take(fields, &event, values);
        uint32_t left_row = EVENT_FIELDS_NONE;

        check->report->event_count++;
        check->now = event.time_ps;
        if (row != EVENT_FIELDS_NONE)
            take[row](check, values);
        else
            left_row = event_fields_take(left, &event, values);
        if (left_row == LEFT_CUT)
            check->report->ended_early = true;
        else if (left_row == LEFT_WAIT)
            check_left(check, event.rule, values);
        if (check->no_memory)
            return error_set(error, ERROR_SYSTEM, "%s: no memory to check it",
                             event_log_name(check->log));
    }
    return result == EVENT_LOG_AT_END;
}

static void check_free(struct check *check)
{
    for (uint32_t i = 0; i < check->grid_count; i++)
        free(check->grids[i].blocks);
    for (uint32_t i = 0; i < check->fifo_count; i++)
        free(check->fifos[i].copies);
    free(check->grids);
    free(check->queues);
    free(check->copies);
    free(check->engines);
    free(check->fifos);
    free(check->channel_queues);
    id_map_fini(&check->grid_ids);
    id_map_fini(&check->copy_ids);
    id_map_fini(&check->channel_ids);
    id_map_fini(&check->group_queues);
    id_map_fini(&check->fifo_ids);
    id_map_fini(&check->stream_ids);
    id_map_fini(&check->operation_ids);
    id_map_fini(&check->submit_ids);
    id_map_fini(&check->static_ids);
    free(check->statics);
    free(check->streams);
    free(check->clients);
    free(check->operations);
    check_dispatch_fini(check);
    free(check);
}

bool check_log(struct event_log_reader *log, const struct check_limits *limits,
               struct check_report *report, struct gfe_error *error)
{
    struct check *check = calloc(1, sizeof *check);
    struct event_fields fields = {0}, left = {0};
    bool done = false;

    if (!check_report_init(report) || !check) {
        free(check);
        return error_set(error, ERROR_SYSTEM, "%s: no memory to check it", event_log_name(log));
    }
    check->log = log;
    check->limits = limits;
    check->report = report;
    check->last_queue = CHECK_NONE;
    if (limits->engine_count > 0 && !check_dispatch_init(check))
        error_set(error, ERROR_SYSTEM, "%s: no memory to check it", event_log_name(log));
    else if (event_fields_bind(&left, log, left_rows, sizeof left_rows / sizeof left_rows[0],
                               error) &&
             (check->dispatch ? event_fields_bind(&fields, log, check_dispatch_rows,
                                                  check_dispatch_row_count, error)
                              : event_fields_bind(&fields, log, rows, CHECK_ROWS, error)))
        done = check_events(check, &fields, &left, error);
    event_fields_fini(&fields);
    event_fields_fini(&left);
    check_free(check);
    return done;
}

bool check_report_init(struct check_report *report)
{
    *report = (struct check_report){0};
    report->findings = calloc(CHECK_FINDINGS_MAX, sizeof *report->findings);
    return report->findings != NULL;
}

void check_report_fini(struct check_report *report)
{
    free(report->findings);
    *report = (struct check_report){0};
}
