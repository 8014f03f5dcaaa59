/* SPDX-License-Identifier: MIT */
/* Breakpoints and watches: what they are, and whether the last step meets one. */
#include <config.h>

#include "emu/debug/debug_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/analysis/model/model.h"
#include "emu/base/args.h"

/* ---- kinds of events ------------------------------------------------------------------------- */

/* What a step may be, by the records of the model that its events become. */
static const struct {
    enum debug_unit unit;
    enum model_type type;
} unit_types[] = {
    {DEBUG_PACKET, MODEL_ENTRY_FETCHED}, {DEBUG_PACKET, MODEL_PACKET_BEGUN},
    {DEBUG_PACKET, MODEL_SDMA_PACKET},   {DEBUG_SLICE, MODEL_SLICE_BEGUN},
    {DEBUG_SLICE, MODEL_SLICE_ENDED},    {DEBUG_SLICE, MODEL_CHANNEL_LOADED},
    {DEBUG_SLICE, MODEL_CHANNEL_SAVED},  {DEBUG_SLICE, MODEL_QUEUE_LOADED},
    {DEBUG_SLICE, MODEL_QUEUE_LEFT},     {DEBUG_SLICE, MODEL_SDMA_LOADED},
    {DEBUG_SLICE, MODEL_SDMA_LEFT},      {DEBUG_KERNEL, MODEL_STARTED},
    {DEBUG_KERNEL, MODEL_ENDED},
};

/* An error, or somebody's answer to one. */
static const enum model_type fault_types[] = {
    MODEL_MMU_FAULT,     MODEL_BIND_ERROR,      MODEL_RUNLIST_ERROR,  MODEL_ENGINE_ERROR,
    MODEL_COPY_REFUSED,  MODEL_CHANNEL_STOPPED, MODEL_CHANNEL_KILLED, MODEL_QUEUE_FAULTED,
    MODEL_QUEUE_REFUSED, MODEL_SDMA_FAULTED,    MODEL_ERROR_PRINTED,
};

/* The same of kinds that the model does not fold. */
static const char *const fault_kinds[] = {
    "FAULT",       "NV_CTXSW_TIMEOUT", "DRIVER_ERROR",  "HWS_STOP",
    "HWS_REFUSED", "HWS_SDMA_REFUSED", "KFD_EXCEPTION",
};

static uint8_t units_of(const char *name)
{
    enum model_operation operation;
    const enum model_type type = model_type_of(name, &operation);
    uint8_t units = 0;

    for (size_t i = 0; i < sizeof unit_types / sizeof unit_types[0]; i++)
        if (unit_types[i].type == type &&
            (unit_types[i].unit != DEBUG_KERNEL || operation == MODEL_GRID))
            units |= (uint8_t)(1 << unit_types[i].unit);
    return units;
}

static bool is_fault(const char *name)
{
    enum model_operation operation;
    const enum model_type type = model_type_of(name, &operation);
    bool found = false;

    for (size_t i = 0; i < sizeof fault_types / sizeof fault_types[0]; i++)
        found |= fault_types[i] == type;
    for (size_t i = 0; i < sizeof fault_kinds / sizeof fault_kinds[0]; i++)
        found |= strcmp(fault_kinds[i], name) == 0;
    return found;
}

void debug_kinds_init(struct debug *debug)
{
    for (uint32_t t = 0; t < debug->machine->table_count; t++) {
        const struct table_set *set = debug->machine->tables[t];

        for (uint32_t k = 0; k < set->event_count; k++) {
            const char *name = set->events[k].name;

            if (!name)
                continue;
            debug->units_of[set->base + k] |= units_of(name);
            debug->is_fault[set->base + k] |= is_fault(name);
        }
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The next word; returns what follows the blanks behind it. */
static const char *word_take(const char *text, char *word, size_t bytes)
{
    const size_t length = strcspn(text, " \t");

    (void)snprintf(word, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), text);
    return text + length + strspn(text + length, " \t");
}

/* ARGUMENT=VALUE... */
static bool conditions_take(const struct debug *debug, const char *text, struct debug_stop *stop,
                            struct gfe_error *error)
{
    char word[96];

    while (text[0] != '\0') {
        char *equals;
        uint32_t at;

        text = word_take(text, word, sizeof word);
        equals = strchr(word, '=');
        if (stop->argument_count == DEBUG_ARGUMENTS_MAX)
            return error_set(error, ERROR_INPUT, "at most %d conditions", DEBUG_ARGUMENTS_MAX);
        if (!equals || !args_parse_number(equals + 1, &stop->arguments[stop->argument_count].value))
            return error_set(error, ERROR_INPUT, "'%s' is no ARGUMENT=NUMBER", word);
        *equals = '\0';
        at = debug_argument(debug, stop->event_kind, word);
        if (at == EVENT_ARGUMENTS_MAX)
            return error_set(error, ERROR_INPUT,
                             "%s has no argument '%s'; help event %s lists them",
                             event_log_kind(debug->words, stop->event_kind)->name, word,
                             event_log_kind(debug->words, stop->event_kind)->name);
        stop->arguments[stop->argument_count++].at = (uint8_t)at;
    }
    return true;
}

static bool take_event(struct debug *debug, const char *text, struct debug_stop *stop,
                       struct gfe_error *error)
{
    char word[64];

    text = word_take(text, word, sizeof word);
    stop->kind = DEBUG_STOP_EVENT;
    stop->event_kind = debug_kind(debug, word);
    if (stop->event_kind == UINT32_MAX)
        return error_set(error, ERROR_INPUT,
                         "no event of this run is called '%s'; help events lists "
                         "them",
                         word);
    return conditions_take(debug, text, stop, error);
}

static bool take_rule(struct debug *debug, const char *text, struct debug_stop *stop,
                      struct gfe_error *error)
{
    stop->kind = DEBUG_STOP_RULE;
    stop->rule = debug_rule(debug, text);
    return stop->rule != UINT32_MAX ||
           error_set(error, ERROR_INPUT,
                     "no rule of this run is called '%.60s'; gfe rules lists them", text);
}

static bool take_channel(struct debug *debug, const char *text, struct debug_stop *stop,
                         struct gfe_error *error)
{
    (void)debug;
    stop->kind = DEBUG_STOP_CHANNEL;
    return args_parse_number(text, &stop->value) ||
           error_set(error, ERROR_INPUT, "'%.60s' is no number of a channel or queue", text);
}

static bool take_method(struct debug *debug, const char *text, struct debug_stop *stop,
                        struct gfe_error *error)
{
    stop->kind = DEBUG_STOP_METHOD;
    if (debug->is_amd)
        return error_set(error, ERROR_INPUT,
                         "methods are NVIDIA's: here are packets, break event "
                         "AMD_PACKET code=N");
    if (text[0] == '\0')
        return error_set(error, ERROR_INPUT, "which method? its name, or its offset such as 0x2bc");
    if (!args_parse_number(text, &stop->value))
        (void)snprintf(stop->name, sizeof stop->name, "%s", text);
    return true;
}

/* PLACE [BYTES] */
static bool take_address(struct debug *debug, const char *text, struct debug_stop *stop,
                         struct gfe_error *error)
{
    uint64_t bytes = 4;
    char word[96];

    text = word_take(text, word, sizeof word);
    if (text[0] != '\0' &&
        (!args_parse_number(text, &bytes) || bytes == 0 || bytes > DEBUG_WATCH_BYTES))
        return error_set(error, ERROR_INPUT, "'%.60s': 1 to %d bytes are watched", text,
                         DEBUG_WATCH_BYTES);
    stop->kind = DEBUG_STOP_ADDRESS;
    stop->value = UINT64_MAX;
    if (!debug_place_memory(debug, word, (uint32_t)bytes, &stop->place, error))
        return false;
    (void)args_parse_number(strchr(word, ':') + 1, &stop->value);
    return true;
}

static bool take_register(struct debug *debug, const char *text, struct debug_stop *stop,
                          struct gfe_error *error)
{
    stop->kind = DEBUG_STOP_PLACE;
    return debug_place_register(debug, text, &stop->place, error);
}

static bool take_fault(struct debug *debug, const char *text, struct debug_stop *stop,
                       struct gfe_error *error)
{
    (void)debug;
    stop->kind = DEBUG_STOP_FAULT;
    return text[0] == '\0' || error_set(error, ERROR_INPUT, "nothing follows fault");
}

static const struct {
    const char *word;
    bool (*take)(struct debug *debug, const char *text, struct debug_stop *stop,
                 struct gfe_error *error);
} stop_forms[] = {
    {"event", take_event},       {"rule", take_rule},     {"channel", take_channel},
    {"queue", take_channel},     {"method", take_method}, {"address", take_address},
    {"register", take_register}, {"fault", take_fault},
};

static bool break_parse(struct debug *debug, const char *text, struct debug_stop *stop,
                        struct gfe_error *error)
{
    char word[32];
    const char *rest = word_take(text, word, sizeof word);

    for (size_t i = 0; i < sizeof stop_forms / sizeof stop_forms[0]; i++)
        if (strcmp(stop_forms[i].word, word) == 0)
            return stop_forms[i].take(debug, rest, stop, error);
    return error_set(error, ERROR_INPUT,
                     "'%.60s': break is at event, rule, channel, queue, method, "
                     "address, register or fault",
                     word);
}

/* A register, or a place in memory: that has a colon. */
static bool watch_parse(struct debug *debug, const char *text, struct debug_stop *stop,
                        struct gfe_error *error)
{
    const char *colon = strchr(text, ':');

    if (!colon)
        return take_register(debug, text, stop, error);
    if (!take_address(debug, text, stop, error))
        return false;
    stop->kind = DEBUG_STOP_PLACE;
    return true;
}

uint32_t debug_break(struct debug *debug, const char *text, bool is_watch, struct gfe_error *error)
{
    struct debug_stop stop = {.is_watch = is_watch};

    if (strlen(text) >= DEBUG_TEXT_BYTES) {
        error_set(error, ERROR_INPUT, "that is too long");
        return 0;
    }
    if (debug->stop_count == DEBUG_STOPS_MAX) {
        error_set(error, ERROR_INPUT, "at most %d breakpoints and watches", DEBUG_STOPS_MAX);
        return 0;
    }
    if (!(is_watch ? watch_parse : break_parse)(debug, text, &stop, error))
        return 0;
    (void)snprintf(stop.text, sizeof stop.text, "%s", text);
    stop.number = ++debug->last_number;
    debug->stops[debug->stop_count++] = stop;
    return stop.number;
}

bool debug_delete(struct debug *debug, uint32_t number)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < debug->stop_count; i++)
        if (number != 0 && debug->stops[i].number != number)
            debug->stops[kept++] = debug->stops[i];
    if (kept == debug->stop_count && number != 0)
        return false;
    debug->stop_count = kept;
    return true;
}

void debug_list_stops(const struct debug *debug, FILE *file)
{
    for (uint32_t i = 0; i < debug->stop_count; i++)
        fprintf(file, "%" PRIu32 "  %s %s\n", debug->stops[i].number,
                debug->stops[i].is_watch ? "watch" : "break", debug->stops[i].text);
    if (debug->stop_count == 0)
        fputs("no breakpoints or watches\n", file);
}
