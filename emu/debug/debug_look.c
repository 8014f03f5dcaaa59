/* SPDX-License-Identifier: MIT */
/* What the last step did, held against breakpoints and watches. */
#include <config.h>

#include "emu/debug/debug_private.h"

#include <string.h>
#include <strings.h>

bool debug_has_method_stops(const struct debug *debug)
{
    for (uint32_t i = 0; i < debug->stop_count; i++)
        if (debug->stops[i].kind == DEBUG_STOP_METHOD)
            return true;
    return false;
}

static bool has_place(const struct debug_stop *stop)
{
    return stop->kind == DEBUG_STOP_PLACE || stop->kind == DEBUG_STOP_ADDRESS;
}

void debug_look_begin(struct debug *debug)
{
    debug->seen = *debug->machine->log.cursor;
    (void)debug_streams(debug, debug->streams);
    for (uint32_t i = 0; i < debug->stop_count; i++)
        if (has_place(&debug->stops[i]))
            debug_place_read(debug, &debug->stops[i].place, debug->stops[i].before);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Arguments that say whose an event is.  WAIT and the like: their subject or blocker. */
static bool is_of(const struct debug *debug, const struct log_event *event, uint64_t number)
{
    static const char *const names[] = {"channel_id", "doorbell_index", "doorbell", "queue_id"};
    const struct event_log_kind *kind = event_log_kind(debug->words, event->kind);

    for (uint32_t i = 0; i < kind->argument_count; i++) {
        const bool is_subject =
            strcmp(kind->arguments[i], "subject_id") == 0 && i > 0 &&
            (event->argument[i - 1] == SUBJECT_CHANNEL || event->argument[i - 1] == SUBJECT_QUEUE);

        if (event->argument[i] != number)
            continue;
        if (is_subject)
            return true;
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            if (strcmp(kind->arguments[i], names[n]) == 0)
                return true;
    }
    return false;
}

/* Does an argument that is an address lie in the place? */
static bool names_address(const struct debug *debug, const struct log_event *event,
                          const struct debug_stop *stop)
{
    const struct event_log_kind *kind = event_log_kind(debug->words, event->kind);

    for (uint32_t i = 0; i < kind->argument_count; i++)
        if (strstr(kind->arguments[i], "address") &&
            event->argument[i] - stop->value < stop->place.bytes)
            return true;
    return false;
}

static bool meets_event(const struct debug *debug, const struct debug_stop *stop,
                        const struct log_event *event)
{
    switch (stop->kind) {
    case DEBUG_STOP_EVENT:
        if (event->kind != stop->event_kind)
            return false;
        for (uint32_t i = 0; i < stop->argument_count; i++)
            if (event->argument[stop->arguments[i].at] != stop->arguments[i].value)
                return false;
        return true;
    case DEBUG_STOP_RULE:
        return event->rule == stop->rule;
    case DEBUG_STOP_CHANNEL:
        return is_of(debug, event, stop->value);
    case DEBUG_STOP_ADDRESS:
        return names_address(debug, event, stop);
    case DEBUG_STOP_FAULT:
        return debug->is_fault[event->kind];
    default:
        return false;
    }
}

static void note_units(struct debug *debug, const struct log_event *event)
{
    const uint32_t units = 1u << DEBUG_EVENT | debug->units_of[event->kind];

    for (uint32_t unit = 0; unit < DEBUG_UNITS; unit++)
        if ((units & ~debug->units) >> unit & 1)
            debug->first_of[unit] = *event;
    debug->units |= units;
    debug->logged++;
}

/* The first breakpoint that one of the step's events meets. */
static struct debug_stop *look_at_events(struct debug *debug, struct debug_halt *halt)
{
    struct debug_stop *met = NULL;
    struct log_event event;

    while (debug_log_next(debug, &debug->seen, &event)) {
        note_units(debug, &event);
        for (uint32_t i = 0; i < debug->stop_count && !met; i++)
            if (meets_event(debug, &debug->stops[i], &event)) {
                met = &debug->stops[i];
                debug_log_words(debug, &event, halt->text, sizeof halt->text);
            }
    }
    return met;
}

/* ---- places and methods ---------------------------------------------------------------------- */

/* Returns the first place that has changed.  All places are brought up to date, the later ones,
 * too. */
static struct debug_stop *look_at_places(struct debug *debug, struct debug_halt *halt)
{
    struct debug_stop *met = NULL;

    for (uint32_t i = 0; i < debug->stop_count; i++) {
        struct debug_stop *stop = &debug->stops[i];
        uint8_t now[DEBUG_WATCH_BYTES];
        char before[280], behind[280];

        if (!has_place(stop))
            continue;
        debug_place_read(debug, &stop->place, now);
        if (memcmp(now, stop->before, stop->place.bytes) == 0)
            continue;
        debug_place_text(&stop->place, stop->before, before, sizeof before);
        debug_place_text(&stop->place, now, behind, sizeof behind);
        memcpy(stop->before, now, stop->place.bytes);
        if (!met)
            (void)snprintf(halt->text, sizeof halt->text, "%s -> %s", before, behind);
        if (!met)
            met = stop;
    }
    return met;
}

static struct debug_stop *method_meets(struct debug *debug, const struct debug_stream *stream,
                                       uint32_t offset, const char *name, struct debug_halt *halt)
{
    for (uint32_t i = 0; i < debug->stop_count; i++) {
        struct debug_stop *stop = &debug->stops[i];

        if (stop->kind == DEBUG_STOP_METHOD &&
            (stop->name[0] ? strcasecmp(stop->name, name) == 0 : stop->value == offset)) {
            (void)snprintf(halt->text, sizeof halt->text, "channel %u: %04x %s", stream->channel_id,
                           offset, name);
            return stop;
        }
    }
    return NULL;
}

/* Dwords that are headers alone do not count. */
static struct debug_stop *look_at_streams(struct debug *debug, struct debug_halt *halt)
{
    struct debug_stream now[DEBUG_PBDMAS_MAX];
    const uint32_t count = debug_streams(debug, now);
    struct debug_stop *met = NULL;
    uint32_t offset;
    char name[96];

    for (uint32_t i = 0; i < count; i++) {
        if (!debug_stream_moved(&debug->streams[i], &now[i]) ||
            !debug_stream_method(debug, &debug->streams[i], &now[i], &offset, name, sizeof name))
            continue;
        debug->units |= 1u << DEBUG_METHOD;
        if (!met)
            met = method_meets(debug, &now[i], offset, name, halt);
    }
    memcpy(debug->streams, now, count * sizeof now[0]);
    return met;
}

struct debug_stop *debug_look(struct debug *debug, bool with_methods, struct debug_halt *halt)
{
    struct debug_stop *by_event, *by_place, *by_method = NULL;
    struct debug_halt other;

    debug->units = 1u << DEBUG_TICK;
    debug->logged = 0;
    by_event = look_at_events(debug, halt);
    by_place = look_at_places(debug, by_event ? &other : halt);
    if (with_methods)
        by_method = look_at_streams(debug, by_event || by_place ? &other : halt);
    return by_event ? by_event : by_place ? by_place : by_method;
}
