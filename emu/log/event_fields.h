/* SPDX-License-Identifier: MIT */
/*
 * Events of a log by the names of their kinds and arguments.
 *
 * A log carries its own numbers, so its readers (show, summary) state by name what they want to
 * know: rows of a kind and some of its arguments.  Binding looks the numbers up once; afterwards
 * each event costs one table access.  A kind or argument that the log does not know is not an
 * error: such events do not come, such arguments are 0.
 */
#ifndef GFE_EMU_EVENT_FIELDS_H
#define GFE_EMU_EVENT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "emu/log/event_log.h"

enum { EVENT_FIELDS_ROWS_MAX = 96, EVENT_FIELDS_NONE = 0xff };

struct event_fields_row {
    const char *kind;
    const char *arguments[EVENT_ARGUMENTS_MAX]; /* in the order wanted; NULL ends them */
};

/* A row with all arguments of a kind of this build, from a list of events (emu/log/event_struct.h):
 *
 *     static const struct event_fields_row rows[] = {NV_EVENTS(EVENT_FIELDS_ROW)};
 *
 * TABLE_NVIDIA + row is then the number that this build has for the kind, whatever number the log
 * has for it, and event_nv_channel_load_from(values) gives the values names. */
#define EVENT_FIELDS_ROW(id, name, doc, ...) {#id, {EVENT_EACH(EVENT_STRING, __VA_ARGS__)}},

struct event_fields {
    uint8_t *row_of_kind; /* EVENT_FIELDS_NONE: nobody asked for it */
    uint32_t kind_count;
    uint8_t position[EVENT_FIELDS_ROWS_MAX][EVENT_ARGUMENTS_MAX];
    uint8_t wanted[EVENT_FIELDS_ROWS_MAX]; /* how many arguments the row names */
    bool as_logged[EVENT_FIELDS_ROWS_MAX]; /* they come first in the event, in the row's order */
};

/* Looks `rows` up in the log's tables.  False: no memory. */
bool event_fields_bind(struct event_fields *fields, const struct event_log_reader *reader,
                       const struct event_fields_row *rows, uint32_t row_count,
                       struct gfe_error *error);
void event_fields_fini(struct event_fields *fields);
/* The row that events of this kind belong to, or EVENT_FIELDS_NONE. */
static inline uint32_t event_fields_row(const struct event_fields *fields, uint32_t kind)
{
    return kind < fields->kind_count ? fields->row_of_kind[kind] : EVENT_FIELDS_NONE;
}

/* What that row names of the event: the event's own arguments, or `values` filled. */
static inline const uint64_t *event_fields_values(const struct event_fields *fields, uint32_t row,
                                                  const struct log_event *event,
                                                  uint64_t values[EVENT_ARGUMENTS_MAX])
{
    if (fields->as_logged[row])
        return event->argument;
    for (uint32_t i = 0; i < fields->wanted[row]; i++) {
        const uint8_t at = fields->position[row][i];
        values[i] = at == EVENT_FIELDS_NONE ? 0 : event->argument[at];
    }
    return values;
}

/* Both: the row that the event belongs to, or EVENT_FIELDS_NONE; `values` in the row's order, as
 * many as it names. */
static inline uint32_t event_fields_take(const struct event_fields *fields,
                                         const struct log_event *event,
                                         uint64_t values[EVENT_ARGUMENTS_MAX])
{
    const uint32_t row = event_fields_row(fields, event->kind);

    if (row != EVENT_FIELDS_NONE && event_fields_values(fields, row, event, values) != values)
        memcpy(values, event->argument, fields->wanted[row] * sizeof *values);
    return row;
}

#endif
