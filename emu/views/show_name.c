/* SPDX-License-Identifier: MIT */
/* What the pictures call operations, and who waits for whom. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "emu/views/show.h"

void show_operation_name(const struct show *show, const struct show_operation *operation, char *to,
                         size_t bytes)
{
    static const enum streams_hardware kinds[SHOW_OPERATION_KINDS] = {
        [SHOW_GRID] = STREAMS_GRID, [SHOW_COPY] = STREAMS_COPY, [SHOW_WORK] = STREAMS_NOTHING};
    const struct streams_operation *made =
        kinds[operation->kind] == STREAMS_NOTHING
            ? NULL
            : streams_of_hardware(&show->streams, kinds[operation->kind], operation->id);
    char name[STREAMS_NAME_BYTES];
    static const char letters[SHOW_OPERATION_KINDS] = {
        [SHOW_GRID] = 'K', [SHOW_COPY] = 'C', [SHOW_WORK] = 'D'};

    if (made)
        (void)snprintf(to, bytes, "%s", streams_name(&show->streams, made, name));
    else
        (void)snprintf(to, bytes, "%c%" PRIu32, letters[operation->kind], operation->number);
}

/* Not found by a map: few are ever asked for. */
static const struct show_operation *operation_of(const struct show *show,
                                                 enum show_operation_kind kind, uint64_t id)
{
    for (uint32_t i = 0; i < show->operation_count; i++)
        if (show->operations[i].kind == kind && show->operations[i].id == id)
            return &show->operations[i];
    return NULL;
}

/* Track of the engine with that number. */
static const struct show_track *engine_of(const struct show *show, uint64_t engine_id)
{
    for (uint32_t t = 0; t < show->track_count; t++)
        if ((show->tracks[t].kind == SHOW_GR || show->tracks[t].kind == SHOW_CE) &&
            show->tracks[t].id == engine_id)
            return &show->tracks[t];
    return NULL;
}

void show_subject_name(const struct show *show, uint32_t subject_kind, uint64_t subject_id,
                       char *to, size_t bytes)
{
    static const struct {
        const char *words;
        enum show_operation_kind kind; /* SHOW_OPERATION_KINDS: not one of the operations */
    } rows[SUBJECT_KINDS] = {
        [SUBJECT_NONE] = {"", SHOW_OPERATION_KINDS},
        [SUBJECT_CHANNEL] = {"channel", SHOW_OPERATION_KINDS},
        [SUBJECT_SUBMISSION] = {"submission", SHOW_OPERATION_KINDS},
        [SUBJECT_GRID] = {"grid", SHOW_GRID},
        [SUBJECT_WORK] = {"work", SHOW_WORK},
        [SUBJECT_COPY] = {"copy", SHOW_COPY},
        [SUBJECT_ENGINE] = {"engine", SHOW_OPERATION_KINDS},
        [SUBJECT_RING] = {"the ring of channel", SHOW_OPERATION_KINDS},
        [SUBJECT_SEMAPHORE] = {"semaphore", SHOW_OPERATION_KINDS},
        [SUBJECT_THREAD] = {"CPU thread", SHOW_OPERATION_KINDS},
        [SUBJECT_BIND] = {"bind", SHOW_OPERATION_KINDS},
        [SUBJECT_OPERATION] = {"operation", SHOW_OPERATION_KINDS},
        [SUBJECT_QUEUE] = {"queue", SHOW_OPERATION_KINDS},
        [SUBJECT_INTERRUPT] = {"interrupt", SHOW_OPERATION_KINDS},
    };
    const struct show_operation *operation = NULL;
    const struct streams_operation *made =
        subject_kind == SUBJECT_OPERATION ? streams_of_id(&show->streams, subject_id) : NULL;
    char name[STREAMS_NAME_BYTES];

    if (subject_kind == SUBJECT_NONE || subject_kind >= SUBJECT_KINDS) {
        (void)snprintf(to, bytes, "-");
        return;
    }
    if (rows[subject_kind].kind != SHOW_OPERATION_KINDS)
        operation = operation_of(show, rows[subject_kind].kind, subject_id);
    if (operation)
        show_operation_name(show, operation, to, bytes);
    else if (made)
        (void)snprintf(to, bytes, "%s", streams_name(&show->streams, made, name));
    else if (subject_kind == SUBJECT_ENGINE && engine_of(show, subject_id))
        (void)snprintf(to, bytes, "%s", engine_of(show, subject_id)->name);
    else
        (void)snprintf(to, bytes,
                       subject_kind == SUBJECT_SEMAPHORE ? "%s 0x%" PRIx64 : "%s %" PRIu64,
                       rows[subject_kind].words, subject_id);
}

const char *show_rule_label(const struct show *show, uint32_t rule)
{
    const struct event_log_rule *row = rule == RULE_NONE ? NULL : event_log_rule(show->log, rule);

    return row ? row->label : "-";
}
