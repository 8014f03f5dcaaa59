/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/explain/explain_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool explain_build_absurd(struct explain_build *build, const char *what, uint64_t number)
{
    return error_set(build->error, ERROR_INPUT, "%s: event %" PRIu64 " (%s): %s %" PRIu64,
                     event_log_name(build->explain->log), build->event_number,
                     event_log_kind(build->explain->log, build->event_kind)->name, what, number);
}

bool explain_build_no_memory(struct explain_build *build)
{
    return error_set_errno(build->error, ENOMEM, "%s", event_log_name(build->explain->log));
}

bool explain_build_room(struct explain_build *build, void *array, uint32_t count,
                        uint32_t *capacity, size_t element_bytes, uint32_t limit)
{
    void *old, *grown;

    if (count < *capacity)
        return true;
    if (count >= limit)
        return error_set(build->error, ERROR_LIMIT,
                         "%s: event %" PRIu64 " (%s): more of these than the %" PRIu32
                         " that can be explained at a time",
                         event_log_name(build->explain->log), build->event_number,
                         event_log_kind(build->explain->log, build->event_kind)->name, limit);
    memcpy(&old, array, sizeof old);
    uint32_t wanted = *capacity ? 2 * *capacity : 16;
    if (wanted > limit)
        wanted = limit;
    grown = realloc(old, wanted * element_bytes);
    if (!grown)
        return explain_build_no_memory(build);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

uint32_t explain_build_channel(const struct explain_build *build, uint64_t id)
{
    const uint32_t at = id_map_find(&build->channel_of, id);

    return at == ID_MAP_NONE ? EXPLAIN_NONE : build->channels[at];
}

bool explain_build_id(struct explain_build *build, uint64_t id)
{
    return id < EXPLAIN_IDS || explain_build_absurd(build, "no machine has so many: number", id);
}

/* ---- operations ------------------------------------------------------------------------------ */

uint32_t explain_build_operation(struct explain_build *build, enum explain_kind kind, uint64_t key)
{
    struct explain *explain = build->explain;
    const uint32_t index = explain->operation_count;

    if (key != UINT64_MAX && id_map_find(&explain->by_id[kind], key) != ID_MAP_NONE) {
        (void)explain_build_absurd(build, "this number was given before:", key);
        return EXPLAIN_NONE;
    }
    if (!explain_build_room(build, &explain->operations, index, &explain->operation_capacity,
                            sizeof *explain->operations, EXPLAIN_OPERATIONS_MAX))
        return EXPLAIN_NONE;
    if (key != UINT64_MAX && !id_map_add(&explain->by_id[kind], key, index)) {
        (void)explain_build_no_memory(build);
        return EXPLAIN_NONE;
    }
    explain->operations[index] = (struct explain_operation){.id = key,
                                                            .birth_ps = build->now_ps,
                                                            .end_ps = GFE_PS_NEVER,
                                                            .parent = EXPLAIN_NONE,
                                                            .first_child = EXPLAIN_NONE,
                                                            .last_child = EXPLAIN_NONE,
                                                            .next_child = EXPLAIN_NONE,
                                                            .first_wait = EXPLAIN_NONE,
                                                            .last_wait = EXPLAIN_NONE,
                                                            .channel = EXPLAIN_NONE,
                                                            .number = ++explain->counts[kind],
                                                            .kind = (uint8_t)kind};
    explain->operation_count++;
    return index;
}

void explain_build_parent(struct explain_build *build, uint32_t operation, uint32_t parent)
{
    struct explain_operation *operations = build->explain->operations;

    if (parent == EXPLAIN_NONE)
        return;
    operations[operation].parent = parent;
    if (operations[parent].last_child == EXPLAIN_NONE)
        operations[parent].first_child = operation;
    else
        operations[operations[parent].last_child].next_child = operation;
    operations[parent].last_child = operation;
}

bool explain_build_wait(struct explain_build *build, uint32_t operation, gfe_ps begin_ps,
                        uint32_t rule, struct explain_by by)
{
    struct explain *explain = build->explain;
    struct explain_operation *of = &explain->operations[operation];

    /* If two waits end together, the one that began later is the last part of the other. */
    if (of->kind == EXPLAIN_DRAW && of->last_wait != EXPLAIN_NONE &&
        explain->waits[of->last_wait].end_ps == build->now_ps &&
        explain->waits[of->last_wait].begin_ps < begin_ps)
        explain->waits[of->last_wait].end_ps = begin_ps;
    if (!explain_build_room(build, &explain->waits, explain->wait_count, &explain->wait_capacity,
                            sizeof *explain->waits, EXPLAIN_SLICES_MAX))
        return false;
    explain->waits[explain->wait_count] = (struct explain_wait){.begin_ps = begin_ps,
                                                                .end_ps = build->now_ps,
                                                                .by = by,
                                                                .rule = rule,
                                                                .next = EXPLAIN_NONE};
    if (of->last_wait == EXPLAIN_NONE)
        of->first_wait = explain->wait_count;
    else
        explain->waits[of->last_wait].next = explain->wait_count;
    of->last_wait = explain->wait_count++;
    return true;
}

/* Another in a chain of waits, which does not end yet. */
static bool wait_open(struct explain_build *build, uint32_t *first, uint32_t *last)
{
    struct explain *explain = build->explain;

    explain->waits[explain->wait_count] = (struct explain_wait){.begin_ps = build->now_ps,
                                                                .end_ps = GFE_PS_NEVER,
                                                                .rule = build->event->rule,
                                                                .next = EXPLAIN_NONE};
    if (*last == EXPLAIN_NONE)
        *first = explain->wait_count;
    else
        explain->waits[*last].next = explain->wait_count;
    *last = explain->wait_count++;
    return true;
}

bool explain_build_stop(struct explain_build *build, struct explain_operation *operation)
{
    struct explain *explain = build->explain;

    if (!explain_build_room(build, &explain->waits, explain->wait_count, &explain->wait_capacity,
                            sizeof *explain->waits, EXPLAIN_SLICES_MAX))
        return false;
    return operation->kind == EXPLAIN_LAUNCH
               ? wait_open(build, &operation->launch.first_stop, &operation->launch.last_stop)
               : wait_open(build, &operation->first_wait, &operation->last_wait);
}

void explain_build_go_on(struct explain_build *build, const struct explain_operation *operation,
                         uint64_t by_channel_id)
{
    const uint32_t last =
        operation->kind == EXPLAIN_LAUNCH ? operation->launch.last_stop : operation->last_wait;
    struct explain_wait *wait;

    if (last == EXPLAIN_NONE)
        return; /* perhaps there are no waits at all */
    wait = &build->explain->waits[last];
    if (wait->end_ps != GFE_PS_NEVER)
        return;
    wait->end_ps = build->now_ps;
    if (explain_build_channel(build, by_channel_id) != EXPLAIN_NONE)
        wait->by =
            (struct explain_by){EXPLAIN_BY_CHANNEL, explain_build_channel(build, by_channel_id)};
}

struct explain_by explain_build_engine(const struct explain_build *build, uint64_t engine,
                                       gfe_ps begin_ps)
{
    const uint32_t last = engine < EXPLAIN_IDS ? build->engines[engine] : EXPLAIN_NONE;

    if (last != EXPLAIN_NONE && build->explain->operations[last].end_ps > begin_ps)
        return (struct explain_by){EXPLAIN_BY_OPERATION, last};
    return (struct explain_by){EXPLAIN_BY_ENGINE, engine};
}
