/* SPDX-License-Identifier: MIT */
/* Operations that have not ended, and the names of those that have. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TABLE_FIRST = 256 };

static const char *const formats[PF_KINDS] = {
    [PF_GRID] = "K%" PRIu64, [PF_COPY] = "C%" PRIu64, [PF_WORK] = "D%" PRIu64};
/* As gfe explain names them. */
static const char *const words[PF_KINDS] = {
    [PF_GRID] = "launch", [PF_COPY] = "copy", [PF_WORK] = "draw"};

/* ---- the table of those that have not ended ---------------------------------------------------
 */

/* Open addressing; what is removed leaves no gap behind, so a place says by itself where it would
 * like to be. */
static uint32_t place_of(const struct show_perfetto *show, enum pf_kind kind, uint64_t id)
{
    return (uint32_t)((id * 4 + kind) * UINT64_C(0x9e3779b97f4a7c15) >> 40) &
           (show->operation_capacity - 1);
}

struct pf_operation *show_perfetto_operation_find(const struct show_perfetto *show,
                                                  enum pf_kind kind, uint64_t id)
{
    if (show->operation_capacity == 0)
        return NULL;
    for (uint32_t at = place_of(show, kind, id);; at = (at + 1) & (show->operation_capacity - 1)) {
        struct pf_operation *operation = &show->operations[at];
        if (!operation->used)
            return NULL;
        if (operation->id == id && operation->kind == kind)
            return operation;
    }
}

static struct pf_operation *operation_put(struct show_perfetto *show,
                                          const struct pf_operation *operation)
{
    uint32_t at = place_of(show, (enum pf_kind)operation->kind, operation->id);

    while (show->operations[at].used)
        at = (at + 1) & (show->operation_capacity - 1);
    show->operations[at] = *operation;
    return &show->operations[at];
}

static bool table_grow(struct show_perfetto *show)
{
    struct pf_operation *old = show->operations;
    const uint32_t capacity = show->operation_capacity;

    if (2 * show->operation_count < capacity)
        return true;
    if (show->operation_count >= SHOW_PERFETTO_OPEN_MAX)
        return error_set(&show->error, ERROR_LIMIT, "%s: more than %d operations at a time",
                         event_log_name(show->log), SHOW_PERFETTO_OPEN_MAX);
    show->operations = calloc(capacity ? 2 * capacity : TABLE_FIRST, sizeof *old);
    if (!show->operations) {
        show->operations = old;
        return show_perfetto_no_memory(show);
    }
    show->operation_capacity = capacity ? 2 * capacity : TABLE_FIRST;
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i].used)
            (void)operation_put(show, &old[i]);
    free(old);
    return true;
}

struct pf_operation *show_perfetto_operation_new(struct show_perfetto *show, enum pf_kind kind,
                                                 uint64_t id)
{
    if (show_perfetto_operation_find(show, kind, id)) {
        (void)show_perfetto_absurd(show, "this number was given before:", id);
        return NULL;
    }
    if (!table_grow(show))
        return NULL;
    show->operation_count++;
    return operation_put(show, &(struct pf_operation){.id = id,
                                                      .kind = (uint8_t)kind,
                                                      .used = true,
                                                      .queued_ps = show->now_ps,
                                                      .start_ps = GFE_PS_NEVER,
                                                      .number = ++show->operation_counts[kind]});
}

/* Those behind it move up where they are nearer to where they would like to be. */
void show_perfetto_operation_remove(struct show_perfetto *show, struct pf_operation *operation)
{
    const uint32_t mask = show->operation_capacity - 1;
    uint32_t hole = (uint32_t)(operation - show->operations);

    for (uint32_t at = (hole + 1) & mask; show->operations[at].used; at = (at + 1) & mask) {
        const uint32_t wanted =
            place_of(show, (enum pf_kind)show->operations[at].kind, show->operations[at].id);
        if (((at - wanted) & mask) < ((at - hole) & mask))
            continue;
        show->operations[hole] = show->operations[at];
        hole = at;
    }
    show->operations[hole].used = false;
    show->operation_count--;
}

struct pf_operation *show_perfetto_operation(struct show_perfetto *show, enum pf_kind kind,
                                             uint64_t id)
{
    struct pf_operation *operation = show_perfetto_operation_find(show, kind, id);

    if (!operation)
        (void)show_perfetto_absurd(show, "nothing was queued with number", id);
    return operation;
}

char *show_perfetto_operation_words(const struct show_perfetto *show, enum pf_kind kind,
                                    uint64_t id, uint64_t number, char to[PF_WORDS_BYTES])
{
    const struct streams_operation *made =
        kind == PF_GRID   ? streams_of_hardware(&show->streams, STREAMS_GRID, id)
        : kind == PF_COPY ? streams_of_hardware(&show->streams, STREAMS_COPY, id)
                          : NULL;

    if (made)
        return streams_name(&show->streams, made, to);
    (void)snprintf(to, PF_WORDS_BYTES, formats[kind], number);
    return to;
}

uint64_t show_perfetto_operation_named(struct show_perfetto *show, struct pf_name *name,
                                       enum pf_kind kind, uint64_t id, uint64_t number)
{
    char label[PF_WORDS_BYTES];

    if (name->epoch == show->out.epoch)
        return name->number;
    return show_perfetto_name_text(show, name,
                                   show_perfetto_operation_words(show, kind, id, number, label));
}

uint64_t show_perfetto_operation_name(struct show_perfetto *show, struct pf_operation *operation)
{
    return show_perfetto_operation_named(show, &operation->name, (enum pf_kind)operation->kind,
                                         operation->id, operation->number);
}

uint32_t show_perfetto_recent(enum pf_kind kind, uint64_t id)
{
    return (uint32_t)((id * 4 + kind) % PF_RECENT);
}

uint64_t show_perfetto_operation_channel(const struct show_perfetto *show, enum pf_kind kind,
                                         uint64_t id)
{
    const struct pf_operation *operation = show_perfetto_operation_find(show, kind, id);
    const uint32_t at = show_perfetto_recent(kind, id);

    if (operation)
        return operation->channel_id;
    return show->ended[at].known && show->ended[at].kind == kind && show->ended[at].id == id
               ? show->ended[at].channel_id
               : UINT64_MAX;
}

void show_perfetto_label(const struct show_perfetto *show, enum pf_kind kind, uint64_t id, char *to,
                         size_t bytes)
{
    const struct pf_operation *operation = show_perfetto_operation_find(show, kind, id);
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

void show_perfetto_operation_id(enum pf_kind kind, uint64_t id, char to[PF_ID_BYTES])
{
    (void)snprintf(to, PF_ID_BYTES, "%s:%" PRIu64, words[kind], id);
}
