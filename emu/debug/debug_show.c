/* SPDX-License-Identifier: MIT */
/* What a session shows of the present: where it is, registers, memory, views, tables. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/sim/gpus.h"
#include "emu/debug/inspection.h"
#include "emu/base/args.h"
#include "emu/sim/describe.h"
#include "emu/analysis/inspect_queues.h"

enum { DUMP_DWORDS_MAX = 1024, EVENTS_MAX = 10000 };

static void print_us(FILE *file, gfe_ps ps)
{
    fprintf(file, "%" PRIu64 ".%06" PRIu64 " us", ps / GFE_PS_PER_US, ps % GFE_PS_PER_US);
}

/* ---- where ----------------------------------------------------------------------------------- */

static void where_next(const struct debug *debug, FILE *file)
{
    const gfe_ps next = machine_next_ps(debug->machine);

    if (debug_at_end(debug)) {
        fputs("the run has ended", file);
    } else if (debug->failure[0] != '\0') {
        fprintf(file, "the run cannot go on: %s", debug->failure);
    } else if (next == GFE_PS_NEVER) {
        fputs("nothing is left but the end", file);
    } else {
        fputs("next at ", file);
        print_us(file, next);
    }
}

static void stream_head(const struct debug_stream *stream, FILE *file)
{
    fprintf(file, "PBDMA %" PRIu32 ": channel %" PRIu32 " (address space %" PRIu32 ")",
            stream->pbdma_id, stream->channel_id, stream->space_id);
    if (stream->in_segment)
        fprintf(file, ", dword %" PRIu32 " of %" PRIu32 " at 0x%" PRIx64, stream->done,
                stream->length, stream->segment);
    else
        fputs(", in no segment", file);
    fputc('\n', file);
}

bool debug_where(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error)
{
    struct debug_stream streams[DEBUG_PBDMAS_MAX];
    const uint32_t count = debug_streams(debug, streams);

    fprintf(file, "step %" PRIu64 ", ", debug->position);
    print_us(file, debug_now_ps(debug));
    fprintf(file, ", %" PRIu64 " events logged; ", debug_event_count(debug));
    where_next(debug, file);
    fputc('\n', file);
    for (uint32_t i = 0; i < count; i++) {
        if (!streams[i].is_loaded)
            continue;
        stream_head(&streams[i], file);
        if (!debug_stream_print(debug, &streams[i], context, file, error))
            return false;
    }
    return !debug->is_amd || debug_slots_print(debug, context, file, error);
}

bool debug_events(struct debug *debug, uint32_t count, FILE *file, struct gfe_error *error)
{
    struct log_event *events;
    uint32_t got;

    if (count == 0 || count > EVENTS_MAX)
        return error_set(error, ERROR_INPUT, "1 to %d events", EVENTS_MAX);
    events = calloc(count, sizeof *events);
    got = events ? debug_log_last(debug, events, count) : UINT32_MAX;
    if (got == UINT32_MAX)
        error_set(error, ERROR_SYSTEM, "no memory for the events");
    else
        for (uint32_t i = 0; i < got; i++)
            debug_log_print(debug, file, &events[i]);
    free(events);
    return got != UINT32_MAX;
}

/* ---- print ----------------------------------------------------------------------------------- */

static bool print_register(struct debug *debug, const char *text, FILE *file,
                           struct gfe_error *error)
{
    struct machine_snapshot *snapshot;
    struct debug_place place;
    char value[500];
    uint8_t word[4];

    if (!debug_place_register(debug, text, &place, error))
        return false;
    snapshot = debug_hold(debug, error);
    if (!snapshot)
        return false;
    debug_place_read(debug, &place, word);
    if (!debug_put_back(debug, snapshot, error))
        return false;
    debug_place_text(&place, word, value, sizeof value);
    fprintf(file, "%s = %s\n", text, value);
    return true;
}

/* A parameter's or choice point's value in this run. */
static bool print_setting(const struct debug *debug, const char *text, FILE *file)
{
    const struct machine *machine = debug->machine;

    for (uint32_t t = 0; t < machine->table_count; t++) {
        const struct table_set *set = machine->tables[t];

        for (uint32_t i = 0; i < set->parameter_count; i++)
            if (strcmp(set->parameters[i].id, text) == 0) {
                fprintf(file, "%s = %" PRIu64 " %s\n", text, machine->parameters[set->base + i],
                        set->parameters[i].unit);
                return true;
            }
        for (uint32_t i = 0; i < set->choice_count; i++)
            if (strcmp(set->choices[i].id, text) == 0) {
                fprintf(file, "%s = %s\n", text,
                        set->choices[i].alternatives[machine->choices[set->base + i]]);
                return true;
            }
    }
    return false;
}

static bool print_rules(const struct debug *debug, const char *label, FILE *file)
{
    const struct machine *machine = debug->machine;
    const struct describe_question question = {
        .label = label,
        .gpu = machine->config.gpu,
        .chip = gpu_find_chip(machine->config.gpu, machine->config.described),
    };

    return describe_rules(file, machine->tables, machine->table_count, &question) > 0;
}

bool debug_print(struct debug *debug, const char *text, FILE *file, struct gfe_error *error)
{
    if (text[0] == '\0')
        return error_set(
            error, ERROR_INPUT,
            "print what? a register, a place in memory, a parameter, a choice point or "
            "a rule");
    if (strlen(text) >= DEBUG_TEXT_BYTES)
        return error_set(error, ERROR_INPUT, "that is too long");
    if (strchr(text, ':'))
        return debug_dump(debug, text, file, error);
    if (print_setting(debug, text, file))
        return true;
    if (debug_rule(debug, text) != UINT32_MAX)
        return print_rules(debug, text, file);
    return print_register(debug, text, file, error);
}

/* ---- memory ---------------------------------------------------------------------------------- */

bool debug_dump(struct debug *debug, const char *text, FILE *file, struct gfe_error *error)
{
    const size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    struct debug_place place;
    uint64_t dwords = 4;
    char word[96];

    (void)snprintf(word, sizeof word, "%.*s", (int)(length < 95 ? length : 95), text);
    if (rest[0] != '\0' &&
        (!args_parse_number(rest, &dwords) || dwords == 0 || dwords > DUMP_DWORDS_MAX))
        return error_set(error, ERROR_INPUT, "'%.60s': 1 to %d dwords", rest, DUMP_DWORDS_MAX);
    if (!debug_place_memory(debug, word, 4 * (uint32_t)dwords, &place, error))
        return false;
    for (uint32_t i = 0; i < dwords; i++) {
        uint32_t value = 0;

        (void)memory_read(&debug->machine->memory, place.aperture, place.address + 4 * (uint64_t)i,
                          &value, sizeof value);
        if (i % 4 == 0)
            fprintf(file, "%s%s:0x%" PRIx64 ":", i ? "\n" : "",
                    place.aperture == MEMORY_VRAM ? "vid" : "sys", place.address + 4 * (uint64_t)i);
        fprintf(file, " %08" PRIx32, value);
    }
    fputc('\n', file);
    return true;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* "runlist0", or "regs nv_pbdma". */
static const struct inspect_view *view_find(const struct debug *debug, const char *text,
                                            uint32_t *number, const char **argument,
                                            struct gfe_error *error)
{
    const size_t length = strcspn(text, " ");
    const uint32_t vendors = debug->simulation.ops->vendor->views;
    const struct inspect_view *view;
    char name[64], names[300];

    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    *argument = text[length] == '\0' ? NULL : text + length + strspn(text + length, " ");
    view = inspection_view_find(name, number);
    inspection_view_names_of(vendors, names, sizeof names);
    if (!view || view == &inspect_queues_view || !(view->vendors & vendors)) {
        error_set(error, ERROR_INPUT, "there is no view '%s' of this GPU: there are %s", name,
                  names);
        return NULL;
    }
    if (*argument && !(view->argument && view->argument[0] == ' ')) {
        error_set(error, ERROR_INPUT, "nothing follows %s", name);
        return NULL;
    }
    return view;
}

bool debug_view(struct debug *debug, const char *text, FILE *file, struct gfe_error *error)
{
    struct inspect_subject subject = any_simulation_subject(&debug->simulation);
    const struct inspect_view *view =
        view_find(debug, text, &subject.number, &subject.argument, error);
    struct machine_snapshot *snapshot = view ? debug_hold(debug, error) : NULL;
    json_t *json;

    if (!snapshot)
        return false;
    subject.error = error;
    json = view->build(&subject);
    if (json)
        inspect_print(file, view, json);
    json_decref(json);
    return debug_put_back(debug, snapshot, error) && json != NULL;
}
