/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/csv.h"
#include "emu/views/show_events.h"
#include "emu/views/show_stack.h"

/* ---- the timeline ---------------------------------------------------------------------------- */

static const char *item_kind(enum show_item_kind kind)
{
    static const char *const names[] = {[SHOW_CPU_WAIT] = "cpu_wait",
                                        [SHOW_SUBMIT] = "driver_call",
                                        [SHOW_IN_RING] = "in_ring",
                                        [SHOW_QUEUED] = "queued",
                                        [SHOW_OPERATION] = "running",
                                        [SHOW_PACKET] = "packet",
                                        [SHOW_DISPATCHING] = "dispatching",
                                        [SHOW_WAIT] = "waiting",
                                        [SHOW_LOADED] = "loaded",
                                        [SHOW_LOADING] = "loading",
                                        [SHOW_LEAVING] = "leaving",
                                        [SHOW_SAVING] = "saving",
                                        [SHOW_RESTORING] = "restoring",
                                        [SHOW_SEGMENT] = "segment",
                                        [SHOW_BLOCK] = "block",
                                        [SHOW_SLICE] = "slice",
                                        [SHOW_DOORBELL] = "doorbell",
                                        [SHOW_INLINE_WRITE] = "inline_write",
                                        [SHOW_ACQUIRE] = "acquire",
                                        [SHOW_RELEASE] = "release",
                                        [SHOW_INTERRUPT] = "interrupt",
                                        [SHOW_ERROR] = "error"};

    return names[kind];
}

static bool is_instant(const struct show_item *item)
{
    return item->kind >= SHOW_DOORBELL;
}

/* gfe explain's name of it, and gfe show's label. */
static void names_print(FILE *file, const struct show *show, const struct show_item *item)
{
    static const char *const kinds[SHOW_OPERATION_KINDS] = {
        [SHOW_GRID] = "launch", [SHOW_COPY] = "copy", [SHOW_WORK] = "draw"};
    const struct show_operation *operation =
        item->operation == SHOW_NONE ? NULL : &show->operations[item->operation];
    char label[SHOW_NAME_BYTES] = "";

    if (item->kind == SHOW_SUBMIT || item->kind == SHOW_CPU_WAIT)
        fprintf(file, "submission:%" PRIu32, item->number);
    else if (item->kind == SHOW_BLOCK && operation)
        fprintf(file, "block:%" PRIu64 ".%" PRIu32, operation->id, item->number);
    else if (operation)
        fprintf(file, "%s:%" PRIu64, kinds[operation->kind], operation->id);
    fputc(',', file);
    if (item->kind == SHOW_WAIT)
        show_subject_name(show, show->waits[item->number].subject_kind,
                          show->waits[item->number].subject_id, label, sizeof label);
    else if (operation)
        show_operation_name(show, operation, label, sizeof label);
    csv_text(file, label);
    fputc(',', file);
}

static void wait_print(FILE *file, const struct show *show, const struct show_item *item)
{
    const struct show_wait *wait = item->kind == SHOW_WAIT ? &show->waits[item->number] : NULL;
    char because_of[SHOW_NAME_BYTES] = "";

    if (wait) {
        csv_text(file, show_rule_label(show, wait->rule));
        if (wait->blocker_kind != SUBJECT_NONE)
            show_subject_name(show, wait->blocker_kind, wait->blocker_id, because_of,
                              sizeof because_of);
    }
    fputc(',', file);
    csv_text(file, because_of);
    fputc(',', file);
}

/* Prints where a block lies on its SM, and its threads. */
static void block_print(FILE *file, const struct show_item *item)
{
    if (item->kind == SHOW_BLOCK)
        fprintf(file, "%" PRIu32 ",%" PRIu32 ",", item->bottom, item->height);
    else
        fputs(",,", file);
}

/* Ends the row with threads and bottom of each piece of a block that no gap holds whole: "512@0
 * 256@1024". */
static bool pieces_print(FILE *file, struct show_stack *stack, const struct show_item *item)
{
    if (item->kind == SHOW_BLOCK &&
        !show_stack_put_at(stack, item->begin_ps, item->end_ps, item->height, item->bottom))
        return false;
    fputc(',', file);
    for (uint32_t i = 0; item->in_pieces && i < stack->piece_count; i++)
        fprintf(file, "%s%" PRIu32 "@%" PRIu32, i ? " " : "", stack->pieces[i].height,
                stack->pieces[i].bottom);
    fputc('\n', file);
    return true;
}

static void item_print(FILE *file, const struct show *show, const struct show_track *track,
                       const struct show_item *item)
{
    const bool has_channel =
        track->kind != SHOW_THREAD && item->kind != SHOW_BLOCK && item->kind != SHOW_WAIT;

    csv_text(file, track->name);
    fputc(',', file);
    csv_text(file, item_kind((enum show_item_kind)item->kind));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", item->begin_ps, item->end_ps,
            item->end_ps - item->begin_ps);
    names_print(file, show, item);
    if (has_channel)
        fprintf(file, "%" PRIu32, item->channel_id);
    else if (track->kind == SHOW_CHANNEL)
        fprintf(file, "%" PRIu32, track->id);
    fputc(',', file);
    if (item->kind == SHOW_SEGMENT)
        fprintf(file, "%" PRIu32, item->number);
    fputc(',', file);
    wait_print(file, show, item);
    if (is_instant(item) && item->kind != SHOW_DOORBELL)
        fprintf(file, "%" PRIu64, item->address);
    fputc(',', file);
    if (is_instant(item))
        fprintf(file, "%" PRIu32, item->number);
    fputc(',', file);
    block_print(file, item);
    fprintf(file, "%d", item->unfinished);
}

static bool track_print(FILE *file, const struct show *show, const struct show_track *track)
{
    struct show_stack stack;
    bool good = true;

    show_stack_init(&stack, show->ceiling, show->wave_threads);
    for (uint32_t i = 0; good && i < track->item_count; i++) {
        item_print(file, show, track, &track->items[i]);
        good = pieces_print(file, &stack, &track->items[i]);
    }
    show_stack_fini(&stack);
    return good;
}

bool show_csv(FILE *file, const struct show *show, struct gfe_error *error)
{
    bool good = true;

    fputs("track,kind,begin_ps,end_ps,duration_ps,operation,label,channel_id,gp_index,rule,"
          "because_of,address,value,bottom_threads,threads,unfinished,pieces\n",
          file);
    for (uint32_t t = 0; good && t < show->track_count; t++)
        good = track_print(file, show, &show->tracks[t]);
    return good || error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
}

/* ---- event by event -------------------------------------------------------------------------- */

enum { COLUMNS_MAX = 1024, KINDS_MAX = 4096 };

struct columns {
    FILE *file;
    const struct event_log_reader *log;
    const char **names;
    uint32_t count;
    uint32_t *of_kind; /* EVENT_ARGUMENTS_MAX of each kind: the column of each argument */
    uint32_t kind_count;
    const uint64_t **values; /* of the row being made, by column; NULL: empty */
};

/* Number of the column of that name, a new one at the end if there is none yet. */
static uint32_t column_of(struct columns *columns, const char *name)
{
    uint32_t at = 0;

    while (at < columns->count && strcmp(columns->names[at], name) != 0)
        at++;
    if (at == columns->count)
        columns->names[columns->count++] = name;
    return at;
}

/* Numbers of kinds are below this in every log that the reader takes. */
static uint32_t kinds_bound(const struct event_log_reader *log)
{
    uint32_t bound = 0;

    for (uint32_t i = 0; i < KINDS_MAX; i++)
        if (event_log_kind(log, i))
            bound = i + 1;
    return bound;
}

static bool columns_make(struct columns *columns, const struct event_log_reader *log,
                         struct gfe_error *error)
{
    size_t arguments = 0;

    columns->log = log;
    columns->kind_count = kinds_bound(log);
    for (uint32_t i = 0; i < columns->kind_count; i++)
        arguments += event_log_kind(log, i) ? event_log_kind(log, i)->argument_count : 0;
    columns->names = calloc(arguments + 1, sizeof *columns->names);
    columns->values = calloc(arguments + 1, sizeof *columns->values);
    columns->of_kind =
        calloc((size_t)columns->kind_count * EVENT_ARGUMENTS_MAX + 1, sizeof *columns->of_kind);
    if (!columns->names || !columns->values || !columns->of_kind)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    for (uint32_t i = 0; i < columns->kind_count; i++) {
        const struct event_log_kind *kind = event_log_kind(log, i);
        for (uint32_t a = 0; kind && a < kind->argument_count; a++)
            columns->of_kind[i * EVENT_ARGUMENTS_MAX + a] = column_of(columns, kind->arguments[a]);
        if (columns->count > COLUMNS_MAX)
            return error_set(error, ERROR_LIMIT,
                             "%s: its events have more than %d arguments' names",
                             event_log_name(log), COLUMNS_MAX);
    }
    return true;
}

static void columns_fini(struct columns *columns)
{
    free(columns->names);
    free(columns->values);
    free(columns->of_kind);
}

static void event_print(void *context, const struct log_event *event, enum event_origin origin)
{
    static const char *const origins[] = {"", "recorded", "modelled", "poke"};
    struct columns *columns = context;
    const struct event_log_kind *kind = event_log_kind(columns->log, event->kind);
    const struct event_log_rule *rule =
        event->rule == RULE_NONE ? NULL : event_log_rule(columns->log, event->rule);

    fprintf(columns->file, "%" PRIu64 ",", event->time_ps);
    csv_text(columns->file, event_log_unit(columns->log, event->unit));
    fputc(',', columns->file);
    csv_text(columns->file, kind->name);
    fputc(',', columns->file);
    csv_text(columns->file, rule ? rule->label : "");
    fputc(',', columns->file);
    csv_text(columns->file, origin <= ORIGIN_POKE ? origins[origin] : "");
    for (uint32_t a = 0; a < event->argument_count; a++)
        columns->values[columns->of_kind[event->kind * EVENT_ARGUMENTS_MAX + a]] =
            &event->argument[a];
    for (uint32_t i = 0; i < columns->count; i++) {
        fputc(',', columns->file);
        if (columns->values[i])
            fprintf(columns->file, "%" PRIu64, *columns->values[i]);
        columns->values[i] = NULL;
    }
    fputc('\n', columns->file);
}

/* The columns that each row has.  An argument of the same name has a column of another one. */
static const char *const row_columns[] = {"time_ps", "unit", "kind", "rule", "origin"};

static void header_print(const struct columns *columns)
{
    enum { ROW_COLUMNS = sizeof row_columns / sizeof row_columns[0] };

    for (uint32_t i = 0; i < ROW_COLUMNS; i++)
        fprintf(columns->file, "%s%s", i ? "," : "", row_columns[i]);
    for (uint32_t i = 0; i < columns->count; i++) {
        bool is_taken = false;

        for (uint32_t k = 0; k < ROW_COLUMNS; k++)
            is_taken = is_taken || strcmp(row_columns[k], columns->names[i]) == 0;
        fputs(is_taken ? ",argument_" : ",", columns->file);
        csv_text(columns->file, columns->names[i]);
    }
    fputc('\n', columns->file);
}

bool show_csv_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                     struct gfe_error *error)
{
    struct columns columns = {.file = file};
    bool good = columns_make(&columns, log, error);

    if (good) {
        header_print(&columns);
        good = show_events_each(log, from_ps, to_ps, event_print, &columns, error);
    }
    columns_fini(&columns);
    return good;
}
