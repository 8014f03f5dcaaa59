/* SPDX-License-Identifier: MIT */
/* What a screen shows of the present beside what is asked for: the events around it, what ran
 * lately, the rule that decided last, and which unit that was. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/sim/describe.h"
#include "emu/views/text/show_text.h"

enum {
    LATELY_EVENTS = 200, /* in which a rule is looked for */
    AHEAD_STEPS = 2000,
    CHART_EVENTS = 100,
};

static uint32_t window_of(const struct debug *debug, uint16_t unit)
{
    const struct mmio *mmio = &debug->machine->mmio;

    for (uint32_t i = 0; i < mmio->window_count; i++)
        if (mmio->windows[i].unit == unit)
            return i;
    return UINT32_MAX;
}

static void row_fill(const struct debug *debug, const struct log_event *event, uint64_t number,
                     struct debug_row *row)
{
    row->number = number;
    row->unit = window_of(debug, event->unit);
    debug_log_words(debug, event, row->text, sizeof row->text);
}

/* Those of the log's end, oldest first. */
static bool rows_before(struct debug *debug, uint32_t count, struct debug_row *rows,
                        uint32_t *row_count)
{
    struct log_event *events = calloc((size_t)count + 1, sizeof *events);
    const uint32_t got = events && count > 0 ? debug_log_last(debug, events, count) : 0;
    const bool good = events && got != UINT32_MAX;

    for (uint32_t i = 0; good && i < got; i++)
        row_fill(debug, &events[i], debug_event_count(debug) - got + 1 + i, &rows[(*row_count)++]);
    free(events);
    return good;
}

/* The next ones, if they come soon. */
static bool rows_ahead(struct debug *debug, struct event_log_cursor *at, uint32_t count,
                       struct debug_row *rows, uint32_t *row_count, struct gfe_error *error)
{
    const uint32_t most = *row_count + count;
    uint64_t number = debug_event_count(debug);
    struct log_event event;

    *at = *debug->machine->log.cursor;
    for (uint32_t steps = 0; *row_count < most && steps < AHEAD_STEPS; steps++) {
        if (!machine_step(debug->machine))
            break;
        while (*row_count < most && debug_log_next(debug, at, &event))
            row_fill(debug, &event, ++number, &rows[(*row_count)++]);
    }
    return debug_machine_is_well(debug, error);
}

bool debug_around(struct debug *debug, uint32_t before, uint32_t behind, struct debug_row *rows,
                  uint32_t *row_count, struct gfe_error *error)
{
    struct event_log_cursor *at = malloc(sizeof *at);
    struct machine_snapshot *snapshot;
    bool good;

    *row_count = 0;
    good = at && rows_before(debug, before, rows, row_count);
    if (good && behind > 0) {
        snapshot = debug_hold(debug, error);
        good = snapshot && rows_ahead(debug, at, behind, rows, row_count, error);
        if (snapshot && !debug_put_back(debug, snapshot, error))
            good = false;
    }
    free(at);
    return good || error->kind != ERROR_NONE
               ? good
               : error_set(error, ERROR_SYSTEM, "no memory for the events");
}

/* ---- a picture ------------------------------------------------------------------------------- */

/* When the event that lies so many events back was logged. */
static bool span_of_events(const struct debug *debug, uint32_t count, gfe_ps *from_ps)
{
    struct log_event *events = calloc(count, sizeof *events);
    const uint32_t got = events ? debug_log_last(debug, events, count) : UINT32_MAX;

    if (got != UINT32_MAX && got > 0)
        *from_ps = events[0].time_ps;
    free(events);
    return got != UINT32_MAX;
}

bool debug_chart(struct debug *debug, const struct debug_chart *chart, FILE *file,
                 struct gfe_error *error)
{
    const gfe_ps now = debug_now_ps(debug);
    const struct show_text_options options = {
        .width = chart->columns < SHOW_TEXT_WIDTH_MIN   ? SHOW_TEXT_WIDTH_MIN
                 : chart->columns < SHOW_TEXT_WIDTH_MAX ? chart->columns
                                                        : SHOW_TEXT_WIDTH_MAX,
        .ascii = chart->ascii,
        .tracks_only = true};
    gfe_ps from = chart->span_ps < now ? now - chart->span_ps : 0;
    struct event_log_reader *log;
    struct show show;
    bool good;

    if (debug_event_count(debug) == 0)
        return true;
    if (chart->span_ps == 0 && !span_of_events(debug, CHART_EVENTS, &from))
        return error_set(error, ERROR_SYSTEM, "no memory for the events");
    log = debug_log_open(debug, error);
    good = log && show_load(&show, log, from, now, error);
    if (good) {
        good = show_text(file, &show, &options, error);
        show_fini(&show);
    }
    event_log_close(log);
    return good;
}

/* ---- a rule ---------------------------------------------------------------------------------- */

bool debug_last_rule(struct debug *debug, FILE *file, struct gfe_error *error)
{
    struct log_event *events = calloc(LATELY_EVENTS, sizeof *events);
    uint32_t got = events ? debug_log_last(debug, events, LATELY_EVENTS) : UINT32_MAX;

    if (got == UINT32_MAX) {
        free(events);
        return error_set(error, ERROR_SYSTEM, "no memory for the events");
    }
    while (got > 0 && events[got - 1].rule == RULE_NONE)
        got--;
    if (got > 0) {
        const struct log_event *event = &events[got - 1];
        const struct event_log_rule *rule = event_log_rule(debug->words, event->rule);

        fprintf(file, "%s (%s, %s)\n", rule->label, rule->basis_words, rule->enforcer);
        describe_wrapped(file, 2, rule->text);
        describe_wrapped(file, 2, rule->source);
        debug_log_print(debug, file, event);
    }
    free(events);
    return true;
}

/* ---- units ----------------------------------------------------------------------------------- */

uint32_t debug_register_units(const struct debug *debug)
{
    return debug->machine->mmio.window_count;
}

void debug_register_unit(const struct debug *debug, uint32_t index, char *name, size_t bytes)
{
    const struct mmio *mmio = &debug->machine->mmio;
    const struct mmio_window *window = &mmio->windows[index];
    uint32_t alike = 0;

    for (uint32_t i = 0; i < mmio->window_count; i++)
        alike += mmio->windows[i].list == window->list;
    if (alike > 1)
        (void)snprintf(name, bytes, "%s[%" PRIu32 "]", window->list->name, window->instance);
    else
        (void)snprintf(name, bytes, "%s", window->list->name);
}

uint32_t debug_unit_of_last(const struct debug *debug)
{
    struct log_event event;

    if (debug_event_count(debug) == 0 || debug_log_last(debug, &event, 1) != 1)
        return UINT32_MAX;
    return window_of(debug, event.unit);
}

/* ---- memory ---------------------------------------------------------------------------------- */

bool debug_stream_place(const struct debug *debug, char *text, size_t bytes)
{
    struct debug_stream streams[DEBUG_PBDMAS_MAX];
    const uint32_t count = debug_streams(debug, streams);

    for (uint32_t i = 0; i < count; i++)
        if (streams[i].is_loaded && streams[i].in_segment) {
            (void)snprintf(text, bytes, "%" PRIu32 ":0x%" PRIx64, streams[i].space_id,
                           streams[i].segment + 4 * (uint64_t)streams[i].done);
            return true;
        }
    return false;
}
