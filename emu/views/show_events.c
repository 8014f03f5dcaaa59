/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/model/model.h"
#include "emu/log/event_list.h"

enum { SHOW_EVENTS_CHANNELS = 4096 };

/* Who put the n-th GP entry of a channel into the ring, as the driver model's events say.  Devices
 * cannot know it; what they log of an entry's methods names the entry. */
struct origins {
    uint8_t *of_entry; /* enum event_origin by gp_sequence */
    uint64_t count, capacity;
};

struct show_events {
    struct event_log_reader *log;
    struct model model;
    show_events_take *take;
    void *context;
    struct origins channels[SHOW_EVENTS_CHANNELS];
};

/* Arguments that are addresses or words of hardware are hexadecimal. */
static bool show_events_is_hex(const char *name)
{
    static const char *const names[] = {"address", "data",        "method", "class_id",
                                        "value",   "source",      "_bits",  "entry1_flags",
                                        "_class",  "destination", "code",   "payload"};
    const size_t length = strlen(name);

    if (length > 6 && strcmp(name + length - 6, "_count") == 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(name, names[i]))
            return true;
    return false;
}

/* The value of an argument by name; false when the kind has no such argument. */
static bool show_events_argument(const struct event_log_kind *kind, const struct log_event *event,
                                 const char *name, uint64_t *value)
{
    for (uint32_t i = 0; i < kind->argument_count; i++)
        if (strcmp(kind->arguments[i], name) == 0) {
            *value = event->argument[i];
            return true;
        }
    return false;
}

/* Numbers begin anew when a channel number is used again. */
static bool origins_put(struct origins *origins, uint64_t sequence, uint8_t origin)
{
    if (sequence > origins->count)
        return true; /* a log that begins in the middle */
    if (sequence == origins->capacity) {
        const uint64_t larger = origins->capacity ? 2 * origins->capacity : 256;
        uint8_t *moved = realloc(origins->of_entry, larger);

        if (!moved)
            return false;
        origins->of_entry = moved;
        origins->capacity = larger;
    }
    origins->of_entry[sequence] = origin;
    origins->count = sequence + 1;
    return true;
}

/* Origin of an event: its own, or that of the GP entry it belongs to. */
static enum event_origin show_events_origin(const struct show_events *show,
                                            const struct event_log_kind *kind,
                                            const struct log_event *event)
{
    uint64_t channel_id, sequence;

    if (event->origin == ORIGIN_NONE &&
        show_events_argument(kind, event, "channel_id", &channel_id) &&
        show_events_argument(kind, event, "gp_sequence", &sequence) &&
        channel_id < SHOW_EVENTS_CHANNELS && sequence < show->channels[channel_id].count)
        return (enum event_origin)show->channels[channel_id].of_entry[sequence];
    return (enum event_origin)event->origin;
}

void show_events_text(FILE *file, const struct event_log_reader *log, const struct log_event *event)
{
    const struct event_log_kind *kind = event_log_kind(log, event->kind);
    const struct event_log_rule *rule = event_log_rule(log, event->rule);

    fputs(kind->name, file);
    for (uint32_t i = 0; i < event->argument_count; i++)
        fprintf(file, show_events_is_hex(kind->arguments[i]) ? " %s=0x%" PRIx64 : " %s=%" PRIu64,
                kind->arguments[i], event->argument[i]);
    if (event->rule != RULE_NONE && rule)
        fprintf(file, " [%s]", rule->label);
}

/* Returns where a text ends to which snprintf() has added `wrote` bytes at `at`, or would have. */
static size_t words_end(size_t at, size_t bytes, int wrote)
{
    return (size_t)wrote < bytes - at ? at + (size_t)wrote : bytes - 1;
}

void show_events_words(char *text, size_t bytes, const struct event_log_reader *log,
                       const struct log_event *event)
{
    const struct event_log_kind *kind = event_log_kind(log, event->kind);
    const struct event_log_rule *rule = event_log_rule(log, event->rule);
    size_t at = words_end(0, bytes, snprintf(text, bytes, "%s", kind->name));

    for (uint32_t i = 0; i < event->argument_count; i++)
        at = words_end(
            at, bytes,
            snprintf(text + at, bytes - at,
                     show_events_is_hex(kind->arguments[i]) ? " %s=0x%" PRIx64 : " %s=%" PRIu64,
                     kind->arguments[i], event->argument[i]));
    if (event->rule != RULE_NONE && rule)
        (void)snprintf(text + at, bytes - at, " [%s]", rule->label);
}

/* What prints lines needs. */
struct lines {
    FILE *file;
    const struct event_log_reader *log;
};

static void show_events_line(void *context, const struct log_event *event, enum event_origin origin)
{
    static const char *const origins[] = {"", " RECORDED", " MODELLED", " POKE"};
    const struct lines *lines = context;

    fprintf(lines->file, "%" PRIu64 ".%06" PRIu64 " %s ", event->time_ps / GFE_PS_PER_US,
            event->time_ps % GFE_PS_PER_US, event_log_unit(lines->log, event->unit));
    show_events_text(lines->file, lines->log, event);
    fprintf(lines->file, "%s\n", origin <= ORIGIN_POKE ? origins[origin] : "");
}

/* The listener of the model: notes who wrote a GP entry.  Returns false when memory is short. */
static bool show_events_note(void *context, const struct model_record *record)
{
    struct show_events *show = context;

    return record->type != MODEL_ENTRY_WRITTEN ||
           record->entry.channel_id >= SHOW_EVENTS_CHANNELS ||
           origins_put(&show->channels[record->entry.channel_id], record->entry.gp_sequence,
                       record->event->origin);
}

static bool show_events_all(struct show_events *show, gfe_ps from_ps, gfe_ps to_ps,
                            struct gfe_error *error)
{
    struct log_event event;

    for (;;) {
        switch (event_log_read(show->log, &event, error)) {
        case EVENT_LOG_GOT:
            if (!model_take(&show->model, &event))
                return error_set(error, ERROR_SYSTEM, "%s: no memory to list the events",
                                 event_log_name(show->log));
            if (event.time_ps >= from_ps && event.time_ps <= to_ps)
                show->take(show->context, &event,
                           show_events_origin(show, event_log_kind(show->log, event.kind), &event));
            break;
        case EVENT_LOG_AT_END:
            return true;
        case EVENT_LOG_FAILED:
            return false;
        }
    }
}

bool show_events_each(struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                      show_events_take *take, void *context, struct gfe_error *error)
{
    struct show_events *show = calloc(1, sizeof *show);
    bool good;

    if (!show)
        return error_set(error, ERROR_SYSTEM, "%s: no memory to list the events",
                         event_log_name(log));
    show->log = log;
    show->take = take;
    show->context = context;
    good = model_init(&show->model, log, show_events_note, show, error);
    if (good) {
        model_skip_blocks(&show->model);
        good = show_events_all(show, from_ps, to_ps, error);
    }
    model_fini(&show->model);
    for (uint32_t i = 0; i < SHOW_EVENTS_CHANNELS; i++)
        free(show->channels[i].of_entry);
    free(show);
    return good;
}

bool show_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                 struct gfe_error *error)
{
    struct lines lines = {file, log};

    return show_events_each(log, from_ps, to_ps, show_events_line, &lines, error);
}
