/* SPDX-License-Identifier: MIT */
/* A campaign's run without faults: its points, and what passed when (emu/faults/campaign_run.h). */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_run.h"

static bool golden_no_memory(struct gfe_error *error)
{
    return error_set(error, ERROR_SYSTEM, "no memory for the experiments of a campaign");
}

/* Keeps a copy of some contents, and returns where it begins.  Returns SIZE_MAX without room. */
static size_t golden_keep(struct campaign_run *run, const void *data, size_t bytes)
{
    struct campaign_contents *contents = &run->contents;
    const size_t at = contents->count;

    if (bytes > CAMPAIGN_CONTENTS_MAX - at)
        return SIZE_MAX;
    if (at + bytes > contents->capacity) {
        const size_t capacity = 2 * (at + bytes);
        void *more = realloc(contents->data, capacity);

        if (!more) {
            run->no_memory = true;
            return SIZE_MAX;
        }
        contents->data = more;
        contents->capacity = capacity;
    }
    if (bytes > 0)
        memcpy(contents->data + at, data, bytes);
    contents->count += bytes;
    return at;
}

static void golden_passed(void *context, uint32_t site, uint64_t subject, const void *data,
                          size_t bytes)
{
    struct campaign_run *run = context;
    struct campaign_passages *passages = &run->passages[site];

    if (passages->count == passages->capacity) {
        const uint32_t capacity = passages->capacity ? 2 * passages->capacity : 64;
        void *rows = realloc(passages->rows, capacity * sizeof *passages->rows);

        if (!rows) {
            run->no_memory = true;
            return;
        }
        passages->rows = rows;
        passages->capacity = capacity;
    }
    passages->rows[passages->count++] = (struct campaign_passage){
        .subject = subject,
        .time_ps = machine_now(run->simulation.machine),
        .point = run->at,
        .bytes = (uint32_t)bytes,
        .contents_at = golden_keep(run, data, bytes),
    };
}

static void golden_logged(void *context, uint32_t kind)
{
    struct campaign_run *run = context;

    run->points[run->at].kinds[kind]++; /* since the point; added up later */
}

/* Returns the times of events in a run to the end.  Returns NULL without memory or after an error,
 * which is in *error. */
static gfe_ps *golden_times(struct campaign_run *run, uint32_t *count, struct gfe_error *error)
{
    struct machine *machine = run->simulation.machine;
    uint32_t capacity = 1024;
    gfe_ps *times = malloc(capacity * sizeof *times);

    *count = 0;
    while (times && !any_simulation_ended(&run->simulation)) {
        const gfe_ps next_ps = machine_next_ps(machine);

        if (*count == capacity) {
            gfe_ps *more = realloc(times, 2 * (size_t)capacity * sizeof *times);
            if (!more)
                break;
            times = more;
            capacity *= 2;
        }
        times[(*count)++] = next_ps;
        if (!any_simulation_run(&run->simulation, next_ps == GFE_PS_NEVER ? next_ps : next_ps + 1,
                                error)) {
            free(times);
            return NULL;
        }
    }
    if (times && any_simulation_ended(&run->simulation))
        return times;
    free(times);
    (void)golden_no_memory(error);
    return NULL;
}

static bool golden_point(struct campaign_run *run, gfe_ps time_ps)
{
    struct machine *machine = run->simulation.machine;
    struct campaign_point *point = &run->points[run->point_count];

    point->time_ps = time_ps;
    point->event_count = machine_event_count(machine);
    point->snapshot = machine_take(machine);
    point->pending = calloc(CAMPAIGN_PENDING_MAX, sizeof *point->pending);
    if (!point->snapshot || !point->pending)
        return false;
    point->pending_count = event_queue_list(&machine->queue, point->pending, CAMPAIGN_PENDING_MAX);
    for (uint32_t role = 0; role < OUTCOME_ROLES; role++)
        point->counts[role] = run->golden.lists[role].count;
    run->at = run->point_count++;
    return true;
}

/* Counts of kinds are those before each point from now on. */
static void golden_add_kinds(struct campaign_run *run)
{
    uint64_t *before = run->kinds;

    for (uint32_t i = 0; i < run->point_count; i++)
        for (uint32_t kind = 0; kind < TABLE_END; kind++) {
            const uint64_t since = run->points[i].kinds[kind];

            run->points[i].kinds[kind] = before[kind];
            before[kind] += since;
        }
}

/* The golden run once more, with the points: the start, and times spread evenly over those at which
 * something happens. */
static bool golden_points(struct campaign_run *run, const gfe_ps *times, uint32_t count,
                          struct gfe_error *error)
{
    struct any_simulation *simulation = &run->simulation;
    struct inject *inject = simulation->machine->inject;
    const uint32_t step = 1 + count / CAMPAIGN_POINTS_MAX;

    if (!golden_point(run, 0))
        return golden_no_memory(error);
    inject->ear = (struct inject_ear){run, golden_passed, golden_logged};
    for (uint32_t i = step; i < count; i += step)
        if (!any_simulation_run(simulation, times[i], error))
            return false;
        else if (!golden_point(run, times[i]))
            return golden_no_memory(error);
    if (!any_simulation_run(simulation, GFE_PS_NEVER, error))
        return false;
    inject->ear = (struct inject_ear){0};
    golden_add_kinds(run);
    return !run->no_memory || golden_no_memory(error);
}

bool campaign_golden(struct campaign_run *run, struct gfe_error *error)
{
    struct machine *machine = run->simulation.machine;
    struct machine_snapshot *start;
    uint32_t count;
    gfe_ps *times;
    bool done;

    if (!arena_watch(&machine->arena, error))
        return false;
    machine->log.is_unheard = true; /* these logs are not read */
    outcome_observe(&run->golden, machine);
    start = machine_take(machine);
    if (!start)
        (void)golden_no_memory(error);
    times = start ? golden_times(run, &count, error) : NULL;
    outcome_fini(&run->golden);
    outcome_observe(&run->golden, machine);
    campaign_access_begin(&run->accesses, machine);
    done = times && (machine_restore(machine, start) || golden_no_memory(error)) &&
           golden_points(run, times, count, error);
    campaign_access_end(&run->accesses, machine);
    machine_snapshot_free(start);
    free(times);
    run->golden.ended = true;
    run->golden.end_ps = run->end_ps = machine_now(machine);
    run->event_count = machine_event_count(machine);
    return done && (outcome_keep_memory(&run->golden) || golden_no_memory(error));
}
