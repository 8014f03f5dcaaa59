/* SPDX-License-Identifier: MIT */
/* Operations that have not ended, and the names of those that have. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { OPERATIONS_FIRST = 64 };

static const char *const formats[] = {
    [MODEL_GRID] = "K%" PRIu64, [MODEL_COPY] = "C%" PRIu64, [MODEL_WORK] = "D%" PRIu64};
/* As gfe explain names them. */
static const char *const words[] = {
    [MODEL_GRID] = "launch", [MODEL_COPY] = "copy", [MODEL_WORK] = "draw"};

static bool operations_grow(struct show_perfetto *show, uint32_t slot)
{
    uint32_t capacity = show->operation_capacity ? show->operation_capacity : OPERATIONS_FIRST;
    struct pf_operation *operations;

    while (capacity <= slot)
        capacity *= 2;
    operations = realloc(show->operations, capacity * sizeof *operations);
    if (!operations)
        return show_perfetto_no_memory(show);
    show->operations = operations;
    show->operation_capacity = capacity;
    return true;
}

struct pf_operation *show_perfetto_operation_new(struct show_perfetto *show,
                                                 const struct model_record *record)
{
    const struct model_live *live = record->live;

    if (record->again)
        (void)show_perfetto_absurd(show, "this number was given before:", live ? live->id : 0);
    else if (!live && model_no_memory(&show->model))
        (void)show_perfetto_no_memory(show);
    else if (!live)
        (void)error_set(&show->error, ERROR_LIMIT, "%s: more than %d operations at a time",
                        event_log_name(show->log), MODEL_LIVE_MAX);
    else if (live->slot < show->operation_capacity || operations_grow(show, live->slot)) {
        show->operations[live->slot] = (struct pf_operation){0};
        return &show->operations[live->slot];
    }
    return NULL;
}

const struct model_live *show_perfetto_operation(struct show_perfetto *show,
                                                 const struct model_record *record)
{
    if (!record->live)
        (void)show_perfetto_absurd(show, "nothing was queued with number", record->done.id);
    return record->live;
}

char *show_perfetto_operation_words(const struct show_perfetto *show, enum model_operation kind,
                                    uint64_t id, uint64_t number, char to[PF_WORDS_BYTES])
{
    const struct streams_operation *made =
        kind == MODEL_GRID   ? streams_of_hardware(&show->streams, STREAMS_GRID, id)
        : kind == MODEL_COPY ? streams_of_hardware(&show->streams, STREAMS_COPY, id)
                             : NULL;

    if (made)
        return streams_name(&show->streams, made, to);
    (void)snprintf(to, PF_WORDS_BYTES, formats[kind], number);
    return to;
}

uint64_t show_perfetto_operation_name_define(struct show_perfetto *show,
                                             const struct model_live *live)
{
    struct pf_operation *own = show_perfetto_own(show, live);
    char label[PF_WORDS_BYTES];

    (void)show_perfetto_name_text(
        show, &own->name,
        show_perfetto_operation_words(show, (enum model_operation)live->operation, live->id,
                                      live->number, label));
    if (live->operation == MODEL_GRID) {
        own->block_name = perfetto_piece_name(own->name.number, CATEGORY_BLOCK);
        own->block_grid = perfetto_piece_note(NOTE_GRID, live->id);
    }
    return own->name.number;
}

uint32_t show_perfetto_recent(enum model_operation kind, uint64_t id)
{
    return (uint32_t)((id * 4 + kind) % PF_RECENT);
}

uint64_t show_perfetto_operation_channel(struct show_perfetto *show, enum model_operation kind,
                                         uint64_t id)
{
    const struct model_live *operation = model_live(&show->model, kind, id);
    const uint32_t at = show_perfetto_recent(kind, id);

    if (operation)
        return operation->channel_id;
    return show->ended[at].known && show->ended[at].kind == kind && show->ended[at].id == id
               ? show->ended[at].channel_id
               : UINT64_MAX;
}

void show_perfetto_label(struct show_perfetto *show, enum model_operation kind, uint64_t id,
                         char *to, size_t bytes)
{
    const struct model_live *operation = model_live(&show->model, kind, id);
    const uint32_t at = show_perfetto_recent(kind, id);
    const bool has_ended =
        show->ended[at].known && show->ended[at].kind == kind && show->ended[at].id == id;
    char name[PF_WORDS_BYTES];

    if (operation || has_ended)
        (void)snprintf(
            to, bytes, "%s",
            show_perfetto_operation_words(
                show, kind, id, operation ? operation->number : show->ended[at].number, name));
    else
        (void)snprintf(to, bytes, "%s:%" PRIu64, words[kind], id);
}

void show_perfetto_operation_id(enum model_operation kind, uint64_t id, char to[PF_ID_BYTES])
{
    (void)snprintf(to, PF_ID_BYTES, "%s:%" PRIu64, words[kind], id);
}
