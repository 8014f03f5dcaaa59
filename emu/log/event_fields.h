/* SPDX-License-Identifier: MIT */
/*
 * Access to the events of a log by the names of their kinds and arguments.
 *
 * A log carries its own numbers.  So its readers (show, summary) state by name what they need: rows
 * of a kind and some of its arguments.  Binding looks the numbers up once; afterwards each event
 * costs one table access.  A kind or argument that the log lacks is not an error.  Events of that
 * kind never come, and that argument is 0.
 */
#ifndef GFE_EMU_LOG_EVENT_FIELDS_H
#define GFE_EMU_LOG_EVENT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "emu/log/event_log.h"

enum { EVENT_FIELDS_ROWS_MAX = 96, EVENT_FIELDS_NONE = 0xff };

struct event_fields_row {
    const char *kind;
    const char *arguments[EVENT_ARGUMENTS_MAX]; /* in the order wanted; NULL ends the list */
};

/* Row with all arguments of a kind of this build, made from a list of events
 * (emu/log/event_struct.h):
 *
 *     static const struct event_fields_row rows[] = {NV_EVENTS(EVENT_FIELDS_ROW)};
 *
 * TABLE_NVIDIA + row is then the number of the kind in this build, whatever its number in the log.
 * event_nv_channel_load_from(values) gives the values their names. */
#define EVENT_FIELDS_ROW(id, name, doc, ...) {#id, {EVENT_EACH(EVENT_STRING, __VA_ARGS__)}},

struct event_fields {
    uint8_t *row_of_kind; /* EVENT_FIELDS_NONE: no row names this kind */
    uint32_t kind_count;
    uint8_t position[EVENT_FIELDS_ROWS_MAX][EVENT_ARGUMENTS_MAX];
    uint8_t wanted[EVENT_FIELDS_ROWS_MAX]; /* number of arguments that the row names */
    /* true if they come first in the event, in the row's order */
    bool as_logged[EVENT_FIELDS_ROWS_MAX];
};

/* Looks `rows` up in the log's tables.  Returns false when memory is short. */
bool event_fields_bind(struct event_fields *fields, const struct event_log_reader *reader,
                       const struct event_fields_row *rows, uint32_t row_count,
                       struct gfe_error *error);
void event_fields_fini(struct event_fields *fields);
/* Returns the row for events of this kind, or `EVENT_FIELDS_NONE`. */
static inline uint32_t event_fields_row(const struct event_fields *fields, uint32_t kind)
{
    return kind < fields->kind_count ? fields->row_of_kind[kind] : EVENT_FIELDS_NONE;
}

/* Returns the arguments that the row names, in its order: the event's own array if that order fits,
 * and `values`, filled, if not. */
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

/* Fills `values` with the arguments that the row of the event names, in the row's order.  Returns
 * the row, or `EVENT_FIELDS_NONE`. */
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
