/* SPDX-License-Identifier: MIT */
/* What a screen shows of the present beside what is asked for: the events around it, the rule that
 * decided last, and which unit that was. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/debug_build.h"
#include "emu/describe.h"

enum { AROUND_MAX = 200, AHEAD_STEPS = 2000 };

/* The next `count` events, if they come soon, by a machine that is put back. */
static bool print_ahead(struct debug *debug, uint32_t count, FILE *file, struct gfe_error *error)
{
    struct machine_snapshot *snapshot = debug_hold(debug, error);
    struct event_log_cursor *at = malloc(sizeof *at);
    uint32_t printed = 0, steps = 0;
    struct log_event event;

    if (!snapshot || !at) {
        machine_snapshot_free(snapshot);
        free(at);
        return error_set(error, ERROR_SYSTEM, "no memory to look ahead");
    }
    *at = *debug->machine->log.cursor;
    while (printed < count && steps++ < AHEAD_STEPS && machine_step(debug->machine))
        while (printed < count && debug_log_next(debug, at, &event)) {
            fputs("  ", file);
            debug_log_print(debug, file, &event);
            printed++;
        }
    free(at);
    return debug_put_back(debug, snapshot, error);
}

bool debug_timeline(struct debug *debug, uint32_t before, uint32_t behind, FILE *file,
                    struct gfe_error *error)
{
    struct log_event *events;
    uint32_t got = 0;

    before = before < AROUND_MAX ? before : AROUND_MAX;
    events = calloc((size_t)before + 1, sizeof *events);
    if (!events)
        return error_set(error, ERROR_SYSTEM, "no memory for the events");
    if (before > 0)
        got = debug_log_last(debug, events, before);
    for (uint32_t i = 0; i < got && got != UINT32_MAX; i++) {
        fputs("  ", file);
        debug_log_print(debug, file, &events[i]);
    }
    free(events);
    fprintf(file, "> step %" PRIu64 ", %" PRIu64 ".%06" PRIu64 " us\n", debug->position,
            debug_now_ps(debug) / GFE_PS_PER_US, debug_now_ps(debug) % GFE_PS_PER_US);
    return got != UINT32_MAX && print_ahead(debug, behind, file, error);
}

bool debug_last_rule(struct debug *debug, FILE *file, struct gfe_error *error)
{
    struct log_event *events = calloc(AROUND_MAX, sizeof *events);
    uint32_t got = events ? debug_log_last(debug, events, AROUND_MAX) : UINT32_MAX;

    if (got == UINT32_MAX) {
        free(events);
        return error_set(error, ERROR_SYSTEM, "no memory for the events");
    }
    while (got > 0 && events[got - 1].rule == RULE_NONE)
        got--;
    if (got > 0) {
        const struct log_event *event = &events[got - 1];
        const struct event_log_rule *rule = event_log_rule(debug->words, event->rule);

        fprintf(file, "%s (%s, %s)\n", rule->label, rule->basis, rule->enforcer);
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
    const struct mmio *mmio = &debug->machine->mmio;
    struct log_event event;

    if (debug_event_count(debug) == 0 || debug_log_last(debug, &event, 1) != 1)
        return UINT32_MAX;
    for (uint32_t i = 0; i < mmio->window_count; i++)
        if (mmio->windows[i].unit == event.unit)
            return i;
    return UINT32_MAX;
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
