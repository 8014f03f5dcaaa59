/* SPDX-License-Identifier: MIT */
/* Names, tracks and lanes: what is made when it is first needed. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { NOTES_MAX = 1024, PID_FIRST = 1, TID_FIRST = 100001 };

bool show_perfetto_absurd(struct show_perfetto *show, const char *what, uint64_t number)
{
    const struct event_log_kind *kind =
        show->event ? event_log_kind(show->log, show->event->kind) : NULL;
    const uint64_t event_number = show->model.event_count - (show->event ? 1 : 0);

    return error_set(&show->error, ERROR_INPUT, "%s: event %" PRIu64 " (%s): %s %" PRIu64,
                     event_log_name(show->log), event_number, kind ? kind->name : "", what, number);
}

bool show_perfetto_no_memory(struct show_perfetto *show)
{
    return error_set_errno(&show->error, ENOMEM, "%s", event_log_name(show->log));
}

void *show_perfetto_at(struct show_perfetto *show, void ***table, uint64_t id, size_t bytes)
{
    if (id >= PF_IDS) {
        (void)show_perfetto_absurd(show, "no machine has so many: number", id);
        return NULL;
    }
    if (!*table)
        *table = calloc(PF_IDS, sizeof **table);
    if (*table && !(*table)[id])
        (*table)[id] = calloc(1, bytes);
    if (id >= show->id_end)
        show->id_end = (uint32_t)id + 1;
    if (!*table || !(*table)[id]) {
        (void)show_perfetto_no_memory(show);
        return NULL;
    }
    return (*table)[id];
}

/* ---- names ----------------------------------------------------------------------------------- */

uint64_t show_perfetto_kind_name(struct show_perfetto *show, uint32_t kind)
{
    if (show->kinds[kind].epoch != show->out.epoch) {
        show->kinds[kind].epoch = show->out.epoch;
        perfetto_define(&show->out, PERFETTO_NAMES, PF_NAMES_OF_KINDS + kind,
                        event_log_kind(show->log, kind)->name);
    }
    return PF_NAMES_OF_KINDS + kind;
}

/* A rule's label is a name of slices, its text a text with the number behind it. */
uint64_t show_perfetto_rule_name(struct show_perfetto *show, uint32_t rule)
{
    if (rule == RULE_NONE)
        return NAME_WAIT;
    if (show->rule_epochs[rule] != show->out.epoch) {
        const struct event_log_rule *row = event_log_rule(show->log, rule);
        show->rule_epochs[rule] = show->out.epoch;
        perfetto_define(&show->out, PERFETTO_NAMES, PF_NAMES_OF_RULES + rule, row->label);
        perfetto_define(&show->out, PERFETTO_TEXTS, rule, row->text);
        perfetto_define(&show->out, PERFETTO_TEXTS, PF_NAMES_OF_RULES + rule, row->label);
    }
    return PF_NAMES_OF_RULES + rule;
}

uint64_t show_perfetto_name(struct show_perfetto *show, struct pf_name *name, const char *format,
                            uint64_t number)
{
    char text[64];

    if (name->epoch == show->out.epoch)
        return name->number;
    (void)snprintf(text, sizeof text, format, number);
    return show_perfetto_name_text(show, name, text);
}

uint64_t show_perfetto_name_text(struct show_perfetto *show, struct pf_name *name, const char *text)
{
    if (name->epoch == show->out.epoch)
        return name->number;
    if (name->number == 0)
        name->number = PF_NAMES_MADE + show->made_count++;
    name->epoch = show->out.epoch;
    show->made_epoch_count++;
    perfetto_define(&show->out, PERFETTO_NAMES, name->number, text);
    return name->number;
}

#define PF_TEXT(number, text) [number] = text,
static const char *const categories[] = {PF_CATEGORIES(PF_TEXT)};
static const char *const names[] = {PF_NAMES(PF_TEXT)};
static const char *const notes[] = {PF_NOTES(PF_TEXT)};

void show_perfetto_names_define(struct show_perfetto *show)
{
    show->made_epoch_count = 0;
    for (uint32_t i = 1; i < PF_CATEGORY_END; i++)
        perfetto_define(&show->out, PERFETTO_CATEGORIES, i, categories[i]);
    for (uint32_t i = 1; i < PF_NAME_END; i++)
        perfetto_define(&show->out, PERFETTO_NAMES, i, names[i]);
    for (uint32_t i = 1; i < show->note_count; i++)
        perfetto_define(&show->out, PERFETTO_NOTES, i, show->notes[i]);
    perfetto_define(&show->out, PERFETTO_TEXTS, PF_TEXT_RECORDED, "recorded");
    perfetto_define(&show->out, PERFETTO_TEXTS, PF_TEXT_MODELLED, "modelled");
}

/* Number of an annotation, a new one if no other has that name. */
static uint16_t note_of(struct show_perfetto *show, const char *name)
{
    uint32_t at = 1;

    while (at < show->note_count && strcmp(show->notes[at], name) != 0)
        at++;
    if (at == NOTES_MAX) {
        (void)error_set(&show->error, ERROR_LIMIT,
                        "%s: its events have more than %d arguments' names",
                        event_log_name(show->log), NOTES_MAX);
        return 1;
    }
    if (at == show->note_count)
        show->notes[show->note_count++] = name;
    return (uint16_t)at;
}

/* Viewers print these in hexadecimal. */
static bool is_address(const char *name)
{
    static const char *const words[] = {"address", "source",   "destination", "_class",
                                        "method",  "class_id", "data",        "_bits"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(name), end = strlen(words[i]);
        if (length >= end && strcmp(name + length - end, words[i]) == 0)
            return true;
    }
    return false;
}

static void kind_init(struct show_perfetto *show, struct pf_event_kind *to,
                      const struct event_log_kind *kind)
{
    static const struct {
        const char *name;
        uint8_t where;
    } rows[] = {{"doorbell_index", PF_WITH_CHANNEL},
                {"channel_id", PF_WITH_CHANNEL},
                {"runlist_id", PF_WITH_RUNLIST},
                {"engine_id", PF_WITH_ENGINE}};

    to->argument_count = (uint8_t)kind->argument_count;
    for (uint32_t i = 0; i < kind->argument_count; i++) {
        to->notes[i] = perfetto_note_head(note_of(show, kind->arguments[i]),
                                          is_address(kind->arguments[i]) ? 7 : 3);
    }
    if (strncmp(kind->name, "DRIVER_", 7) == 0)
        to->where = PF_WITH_DRIVER;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (uint32_t i = 0; i < kind->argument_count; i++)
            if (to->where == PF_WITH_OTHERS && strcmp(kind->arguments[i], rows[row].name) == 0) {
                to->where = rows[row].where;
                to->argument = (uint8_t)i;
            }
}

/* Kinds and rules have numbers below this in every log that the reader takes. */
enum { LOG_NUMBERS_MAX = 4096 };

bool show_perfetto_names_init(struct show_perfetto *show)
{
    show->kinds = calloc(LOG_NUMBERS_MAX, sizeof *show->kinds);
    show->rule_epochs = calloc(LOG_NUMBERS_MAX, sizeof *show->rule_epochs);
    show->notes = calloc(NOTES_MAX, sizeof *show->notes);
    if (!show->kinds || !show->rule_epochs || !show->notes)
        return show_perfetto_no_memory(show);
    for (uint32_t i = 1; i < PF_NOTE_END; i++)
        show->notes[i] = notes[i];
    show->note_count = PF_NOTE_END;
    for (uint32_t i = 0; i < LOG_NUMBERS_MAX; i++)
        if (event_log_kind(show->log, i))
            kind_init(show, &show->kinds[i], event_log_kind(show->log, i));
    if (show->error.kind == ERROR_NONE)
        show_perfetto_names_define(show);
    return show->error.kind == ERROR_NONE;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static uint64_t track_make(struct show_perfetto *show, struct perfetto_track track)
{
    track.number = perfetto_track_number(++show->track_count);
    perfetto_track(&show->out, show->now_ps, &track);
    return track.number;
}

uint64_t show_perfetto_track(struct show_perfetto *show, uint64_t *track,
                             const struct pf_place *place)
{
    if (*track == 0)
        *track = track_make(show, (struct perfetto_track){.parent = place->parent,
                                                          .name = place->name,
                                                          .rank = place->rank,
                                                          .orders = true});
    return *track;
}

uint64_t show_perfetto_counter(struct show_perfetto *show, uint64_t *track,
                               const struct pf_place *place)
{
    if (*track == 0)
        *track = track_make(show, (struct perfetto_track){.kind = PERFETTO_TRACK_COUNTER,
                                                          .parent = place->parent,
                                                          .name = place->name,
                                                          .rank = place->rank});
    return *track;
}

uint64_t show_perfetto_process(struct show_perfetto *show, uint32_t process)
{
    char name[32] = "program";

    if (show->process_count > 1)
        (void)snprintf(name, sizeof name, "process %" PRIu32, process);
    if (show->processes[process] == 0)
        show->processes[process] = track_make(
            show, (struct perfetto_track){
                      .kind = PERFETTO_TRACK_PROCESS, .name = name, .pid = PID_FIRST + process});
    return show->processes[process];
}

uint64_t show_perfetto_thread_track(struct show_perfetto *show, uint64_t id)
{
    const uint32_t process = show->process_of[id];
    const uint64_t parent = show_perfetto_process(show, process);
    char name[40];

    (void)snprintf(name, sizeof name, "CPU thread %" PRIu64, id);
    return track_make(show, (struct perfetto_track){.kind = PERFETTO_TRACK_THREAD,
                                                    .parent = parent,
                                                    .name = name,
                                                    .pid = PID_FIRST + process,
                                                    .tid = TID_FIRST + (uint32_t)id});
}

uint64_t show_perfetto_gpu(struct show_perfetto *show)
{
    const char *gpu = event_log_run(show->log, "gpu");
    char name[80];

    (void)snprintf(name, sizeof name, "GPU %.70s", gpu ? gpu : "");
    return show_perfetto_track(show, &show->gpu, &(struct pf_place){.name = name});
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool lane_add(struct show_perfetto *show, struct pf_lanes *lanes,
                     const struct pf_place *place)
{
    if (lanes->count == SHOW_PERFETTO_LANES_MAX)
        return error_set(&show->error, ERROR_LIMIT, "%s: more than %d at a time on track '%s'",
                         event_log_name(show->log), SHOW_PERFETTO_LANES_MAX, place->name);
    if (lanes->count == lanes->capacity) {
        const uint32_t capacity = lanes->capacity ? 2 * lanes->capacity : 2;
        uint64_t *tracks = realloc(lanes->tracks, capacity * sizeof *tracks);
        if (tracks)
            lanes->tracks = tracks;
        gfe_ps *free_ps = tracks ? realloc(lanes->free_ps, capacity * sizeof *free_ps) : NULL;
        if (!free_ps)
            return show_perfetto_no_memory(show);
        lanes->free_ps = free_ps;
        lanes->capacity = capacity;
    }
    lanes->tracks[lanes->count] = 0;
    lanes->free_ps[lanes->count] = 0;
    (void)show_perfetto_track(show, &lanes->tracks[lanes->count], place);
    lanes->count++;
    return true;
}

/* Slices come in the order of their ends.  Of the lanes that are free the one that was taken last
 * is best: the others are left to slices that begin earlier. */
uint64_t show_perfetto_lane(struct show_perfetto *show, struct pf_lanes *lanes,
                            const struct pf_place *place, gfe_ps begin_ps, gfe_ps end_ps)
{
    uint32_t best = PF_NONE;

    for (uint32_t i = 0; i < lanes->count; i++)
        if (lanes->free_ps[i] <= begin_ps &&
            (best == PF_NONE || lanes->free_ps[i] > lanes->free_ps[best]))
            best = i;
    if (best == PF_NONE) {
        best = lanes->count;
        if (!lane_add(show, lanes, place))
            return 0;
    }
    lanes->free_ps[best] = end_ps;
    return lanes->tracks[best];
}

void show_perfetto_lanes_free(struct pf_lanes *lanes)
{
    free(lanes->tracks);
    free(lanes->free_ps);
}

/* ---- instants and counters ------------------------------------------------------------------- */

struct perfetto_event show_perfetto_instant(struct show_perfetto *show, uint64_t track,
                                            uint64_t name, uint32_t category)
{
    struct perfetto_event event = perfetto_event(&show->out, show->now_ps, PERFETTO_INSTANT, track);

    perfetto_name(&event, name, category);
    perfetto_note_time(&show->out, &event, NOTE_TIME, show->now_ps);
    return event;
}

void show_perfetto_arguments(struct show_perfetto *show, struct perfetto_event *event)
{
    const struct pf_event_kind *kind = &show->kinds[show->event->kind];

    struct perfetto_event put = *event;

    for (uint32_t i = 0; i < kind->argument_count; i++)
        perfetto_note_put(&put, &kind->notes[i], show->event->argument[i]);
    *event = put;
    if (show->event->origin == ORIGIN_RECORDED || show->event->origin == ORIGIN_MODELLED)
        perfetto_note_text(event, NOTE_ORIGIN,
                           show->event->origin == ORIGIN_RECORDED ? PF_TEXT_RECORDED
                                                                  : PF_TEXT_MODELLED);
    if (show->event->rule != RULE_NONE && show->rule_epochs[show->event->rule] == show->out.epoch)
        perfetto_note_text(event, NOTE_RULE, PF_NAMES_OF_RULES + show->event->rule);
}

void show_perfetto_count(struct show_perfetto *show, uint64_t track, uint64_t value)
{
    struct perfetto_event event = perfetto_event(&show->out, show->now_ps, PERFETTO_COUNTER, track);

    perfetto_count(&event, value);
    perfetto_done(&show->out, &event);
}
