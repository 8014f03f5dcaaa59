/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_fields.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint8_t position_of(const struct event_log_kind *kind, const char *argument)
{
    for (uint32_t i = 0; argument && i < kind->argument_count; i++)
        if (strcmp(kind->arguments[i], argument) == 0)
            return (uint8_t)i;
    return EVENT_FIELDS_NONE;
}

bool event_fields_bind(struct event_fields *fields, const struct event_log_reader *reader,
                       const struct event_fields_row *rows, uint32_t row_count,
                       struct gfe_error *error)
{
    assert(row_count <= EVENT_FIELDS_ROWS_MAX);
    *fields = (struct event_fields){0};
    for (uint32_t row = 0; row < row_count; row++) {
        const uint32_t number = event_log_kind_by_name(reader, rows[row].kind);
        if (number != UINT32_MAX && number >= fields->kind_count)
            fields->kind_count = number + 1;
    }
    fields->row_of_kind = malloc((size_t)fields->kind_count + 1);
    if (!fields->row_of_kind)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(reader));
    memset(fields->row_of_kind, EVENT_FIELDS_NONE, (size_t)fields->kind_count + 1);
    for (uint32_t row = 0; row < row_count; row++) {
        const uint32_t number = event_log_kind_by_name(reader, rows[row].kind);
        if (number == UINT32_MAX)
            continue;
        const struct event_log_kind *kind = event_log_kind(reader, number);
        fields->row_of_kind[number] = (uint8_t)row;
        fields->as_logged[row] = true;
        for (uint32_t i = 0; i < EVENT_ARGUMENTS_MAX; i++) {
            fields->position[row][i] = position_of(kind, rows[row].arguments[i]);
            if (!rows[row].arguments[i])
                continue;
            fields->wanted[row] = (uint8_t)(i + 1);
            fields->as_logged[row] &= fields->position[row][i] == i;
        }
    }
    return true;
}

void event_fields_fini(struct event_fields *fields)
{
    free(fields->row_of_kind);
    *fields = (struct event_fields){0};
}
