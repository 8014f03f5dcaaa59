/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/explain/explain_against.h"

#include <stdlib.h>
#include <string.h>

/* ---- which is which ----------------------------------------------------------------------------
 */

static uint64_t channel_key(const struct explain_channel *channel)
{
    return (uint64_t)channel->id << 32 | channel->binding;
}

/* Returns, for each channel of this log, its index in the other log or EXPLAIN_NONE.  Returns NULL
 * without memory. */
static uint32_t *channels_there(const struct explain_against *against)
{
    const struct explain *const a = against->explain, *const b = &against->other;
    uint32_t *there = malloc((a->channel_count + 1) * sizeof *there);
    struct id_map map = {0};
    bool good = there != NULL;

    for (uint32_t i = 0; good && i < b->channel_count; i++)
        good = id_map_add(&map, channel_key(&b->channels[i]), i);
    for (uint32_t i = 0; good && i < a->channel_count; i++)
        there[i] = id_map_find(&map, channel_key(&a->channels[i]));
    id_map_fini(&map);
    if (good)
        return there;
    free(there);
    return NULL;
}

/* Submissions and entries have numbers.  Every entry has a channel. */
static uint32_t numbered(const struct explain_against *against, const uint32_t *channels,
                         const struct explain_operation *operation)
{
    if (operation->kind == EXPLAIN_SUBMISSION)
        return id_map_find(&against->other.by_id[EXPLAIN_SUBMISSION], operation->id);
    if (operation->kind != EXPLAIN_ENTRY || channels[operation->channel] == EXPLAIN_NONE)
        return EXPLAIN_NONE;
    return explain_channel_entry(&against->other, channels[operation->channel], operation->id);
}

static uint32_t next_of_kind(const struct explain *explain, uint32_t from, uint32_t kind)
{
    while (from != EXPLAIN_NONE && explain->operations[from].kind != kind)
        from = explain->operations[from].next_child;
    return from;
}

/* What two entries start, kind by kind. */
static void pair_started(struct explain_against *against, uint32_t here, uint32_t there)
{
    const struct explain *const a = against->explain, *const b = &against->other;

    for (uint32_t kind = EXPLAIN_LAUNCH; kind < EXPLAIN_BLOCK; kind++) {
        uint32_t x = next_of_kind(a, a->operations[here].first_child, kind);
        uint32_t y = next_of_kind(b, b->operations[there].first_child, kind);

        while (x != EXPLAIN_NONE && y != EXPLAIN_NONE) {
            against->others[x] = y;
            x = next_of_kind(a, a->operations[x].next_child, kind);
            y = next_of_kind(b, b->operations[y].next_child, kind);
        }
    }
}

/* Those that no entry has started: the n-th of a kind. */
static void pair_free(struct explain_against *against, uint32_t kind)
{
    const struct explain *const a = against->explain, *const b = &against->other;
    uint32_t y = 0;

    for (uint32_t x = 0; x < a->operation_count; x++) {
        if (a->operations[x].kind != kind || a->operations[x].parent != EXPLAIN_NONE)
            continue;
        while (y < b->operation_count &&
               (b->operations[y].kind != kind || b->operations[y].parent != EXPLAIN_NONE))
            y++;
        if (y == b->operation_count)
            return;
        against->others[x] = y++;
    }
}

static bool pair_all(struct explain_against *against)
{
    const struct explain *const a = against->explain;
    uint32_t *channels = channels_there(against);
    bool good;

    against->others = malloc((a->operation_count + 1) * sizeof *against->others);
    for (uint32_t i = 0; channels && against->others && i < a->operation_count; i++)
        against->others[i] = EXPLAIN_NONE;
    for (uint32_t i = 0; channels && against->others && i < a->operation_count; i++) {
        const uint32_t there = numbered(against, channels, &a->operations[i]);

        if (there == EXPLAIN_NONE)
            continue;
        against->others[i] = there;
        if (a->operations[i].kind == EXPLAIN_ENTRY)
            pair_started(against, i, there);
    }
    for (uint32_t kind = EXPLAIN_LAUNCH; channels && against->others && kind < EXPLAIN_BLOCK;
         kind++)
        pair_free(against, kind);
    good = channels && against->others;
    free(channels);
    return good;
}

static bool list_missing(struct explain_against *against)
{
    const uint32_t count = against->other.operation_count;
    bool *seen = calloc(count + 1, sizeof *seen), good;

    against->missing = malloc((count + 1) * sizeof *against->missing);
    for (uint32_t i = 0; seen && i < against->explain->operation_count; i++)
        if (against->others[i] != EXPLAIN_NONE)
            seen[against->others[i]] = true;
    for (uint32_t i = 0; seen && against->missing && i < count; i++)
        if (!seen[i])
            against->missing[against->missing_count++] = i;
    good = seen && against->missing;
    free(seen);
    return good;
}

bool explain_against_make(struct explain_against *against, const struct explain *explain,
                          struct event_log_reader *other, struct gfe_error *error)
{
    const char *gpu = event_log_run(explain->log, "gpu"), *gpu_other = event_log_run(other, "gpu");
    const char *trace = event_log_run(explain->log, "trace_hash");
    const char *trace_other = event_log_run(other, "trace_hash");

    *against = (struct explain_against){.explain = explain};
    if (!gpu || !gpu_other || strcmp(gpu, gpu_other) != 0 || !trace || !trace_other ||
        strcmp(trace, trace_other) != 0)
        return error_set(error, ERROR_INPUT, "%s and %s are not of one program on one kind of GPU",
                         event_log_name(explain->log), event_log_name(other));
    if (!explain_load(&against->other, other, error)) {
        against->other = (struct explain){0};
        return false;
    }
    return (pair_all(against) && list_missing(against)) ||
           error_set(error, ERROR_SYSTEM, "no memory to compare operations");
}

void explain_against_fini(struct explain_against *against)
{
    if (against->other.log)
        explain_fini(&against->other);
    explain_life_fini(&against->life);
    free(against->others);
    free(against->missing);
    *against = (struct explain_against){0};
}

/* ---- one against the other ---------------------------------------------------------------------
 */

/* The larger difference is told. */
static void by(struct explain_against_row *row, enum explain_against_what what, gfe_ps here_ps,
               gfe_ps there_ps)
{
    const bool is_less = here_ps < there_ps;
    const gfe_ps by_ps = is_less ? there_ps - here_ps : here_ps - there_ps;

    if (by_ps > row->by_ps)
        *row = (struct explain_against_row){.what = what, .by_ps = by_ps, .is_less = is_less};
}

bool explain_against_row(struct explain_against *against, struct explain_ref ref,
                         const struct explain_life *life, struct explain_against_row *row)
{
    const struct explain_life *const other = &against->life;
    bool ends, other_ends;
    uint32_t index;

    *row = (struct explain_against_row){.what = AGAINST_SAME};
    if (ref.kind == EXPLAIN_BLOCK)
        return true;
    index = against->others[ref.index];
    if (index == EXPLAIN_NONE) {
        row->what = AGAINST_NEW;
        return true;
    }
    if (!explain_life(&against->other, (struct explain_ref){ref.kind, index}, &against->life))
        return false;
    ends = !against->explain->operations[ref.index].unfinished;
    other_ends = !against->other.operations[index].unfinished;
    if (ends != other_ends) {
        row->what = ends ? AGAINST_HAS_END : AGAINST_NO_END;
        return true;
    }
    by(row, AGAINST_LENGTH, life->end_ps - life->birth_ps, other->end_ps - other->birth_ps);
    by(row, AGAINST_MOVED, life->birth_ps, other->birth_ps);
    return true;
}
