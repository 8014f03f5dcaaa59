/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/wake.h"

#include <stdlib.h>
#include <string.h>

/* An event of the golden run, in the list of its unit's events. */
struct wake_event {
    struct log_event event;
    uint32_t next; /* index, or UINT32_MAX */
};

/* What a unit has done so far in both runs. */
struct wake_unit {
    uint32_t first, last, at; /* of the golden run's events */
    bool differs;             /* in more than times: its further events are not compared */
    bool has_time;            /* a step says that times differ */
};

struct wake_build {
    struct wake *wake;
    struct event_log_reader *golden, *faulty;
    struct wake_event *events;
    struct wake_unit *units;
    uint32_t event_count, event_capacity, unit_count, step_capacity;
    uint32_t fault_kind;
    uint32_t compared[EVENT_LOG_KINDS_MAX]; /* by kind: bit i is argument i */
};

enum { WAKE_NONE = UINT32_MAX };

/* ---- what is compared -------------------------------------------------------------------------
 */

static bool is_running(const char *name)
{
    static const char *const names[] = {"grid_id", "copy_id", "work_id", "operation_id",
                                        "wait_id", "call_id", "bind_id", "operation"};
    const size_t length = strlen(name);

    if (length > 3 && strcmp(&name[length - 3], "_ps") == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static uint32_t compared_arguments(const struct event_log_reader *log, uint32_t number)
{
    const struct event_log_kind *kind = event_log_kind(log, number);
    uint32_t bits = 0;

    for (uint32_t i = 0; kind && i < kind->argument_count; i++)
        if (!is_running(kind->arguments[i]))
            bits |= 1u << i;
    return bits;
}

/* But for times. */
static bool is_same(const struct wake_build *build, const struct log_event *a,
                    const struct log_event *b)
{
    const uint32_t bits = build->compared[a->kind];

    if (a->kind != b->kind || a->rule != b->rule)
        return false;
    for (uint32_t i = 0; i < a->argument_count; i++)
        if (bits >> i & 1 && a->argument[i] != b->argument[i])
            return false;
    return true;
}

/* ---- the golden run ----------------------------------------------------------------------------
 */

static bool keep(struct wake_build *build, const struct log_event *event, struct gfe_error *error)
{
    struct wake_unit *unit = &build->units[event->unit];
    const uint32_t index = build->event_count;

    if (index == build->event_capacity) {
        const uint32_t capacity = index == 0 ? 4096 : 2 * index;
        struct wake_event *events =
            capacity <= UINT32_MAX / 4 ? realloc(build->events, capacity * sizeof *events) : NULL;

        if (!events)
            return error_set(error, ERROR_SYSTEM, "no memory to compare two logs");
        build->events = events;
        build->event_capacity = capacity;
    }
    build->events[build->event_count++] = (struct wake_event){*event, WAKE_NONE};
    if (unit->first == WAKE_NONE)
        unit->first = unit->at = index;
    else
        build->events[unit->last].next = index;
    unit->last = index;
    return true;
}

static bool load_golden(struct wake_build *build, struct gfe_error *error)
{
    struct log_event event;
    enum event_log_result result;

    while ((result = event_log_read(build->golden, &event, error)) == EVENT_LOG_GOT)
        if (event.kind != build->fault_kind && !keep(build, &event, error))
            return false;
    build->wake->golden_events = build->event_count;
    return result == EVENT_LOG_AT_END;
}

/* ---- the faulty run ----------------------------------------------------------------------------
 */

static bool add_step(struct wake_build *build, const struct wake_step *step,
                     struct gfe_error *error)
{
    struct wake *wake = build->wake;

    if (wake->step_count == build->step_capacity) {
        const uint32_t capacity = wake->step_count == 0 ? 16 : 2 * wake->step_count;
        struct wake_step *steps = realloc(wake->steps, capacity * sizeof *steps);

        if (!steps)
            return error_set(error, ERROR_SYSTEM, "no memory to compare two logs");
        wake->steps = steps;
        build->step_capacity = capacity;
    }
    wake->steps[wake->step_count++] = *step;
    return true;
}

static bool compare_event(struct wake_build *build, const struct log_event *event, uint64_t order,
                          struct gfe_error *error)
{
    struct wake_unit *unit = &build->units[event->unit];
    const struct wake_event *golden = unit->at == WAKE_NONE ? NULL : &build->events[unit->at];
    struct wake_step step = {.what = WAKE_EXTRA,
                             .event = *event,
                             .golden_ps = golden ? golden->event.time_ps : GFE_PS_NEVER,
                             .order = order};

    if (unit->differs)
        return true;
    if (golden && is_same(build, &golden->event, event)) {
        unit->at = golden->next;
        if (golden->event.time_ps == event->time_ps) {
            build->wake->same_events++;
            return true;
        }
        if (unit->has_time)
            return true;
        unit->has_time = true;
        step.what = WAKE_TIME;
        return add_step(build, &step, error);
    }
    unit->differs = true;
    if (golden) {
        step.what = WAKE_OTHER;
        step.golden_kind = golden->event.kind;
    }
    return add_step(build, &step, error);
}

static bool compare(struct wake_build *build, struct gfe_error *error)
{
    struct log_event event;
    enum event_log_result result;
    uint64_t order = 0;

    while ((result = event_log_read(build->faulty, &event, error)) == EVENT_LOG_GOT)
        if (event.kind != build->fault_kind && !compare_event(build, &event, order++, error))
            return false;
    if (result != EVENT_LOG_AT_END)
        return false;
    for (uint32_t i = 0; i < build->unit_count; i++) {
        const struct wake_unit *unit = &build->units[i];

        if (unit->differs || unit->at == WAKE_NONE)
            continue;
        if (!add_step(build,
                      &(struct wake_step){.what = WAKE_MISSING,
                                          .event = build->events[unit->at].event,
                                          .golden_ps = build->events[unit->at].event.time_ps,
                                          .order = order + unit->at},
                      error))
            return false;
    }
    return true;
}

gfe_ps wake_step_ps(const struct wake_step *step)
{
    return step->golden_ps < step->event.time_ps ? step->golden_ps : step->event.time_ps;
}

static int earlier(const void *a, const void *b)
{
    const struct wake_step *const x = a, *const y = b;
    const gfe_ps x_ps = wake_step_ps(x), y_ps = wake_step_ps(y);

    if (x_ps != y_ps)
        return x_ps < y_ps ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

bool wake_make(struct wake *wake, struct event_log_reader *golden, struct event_log_reader *faulty,
               struct gfe_error *error)
{
    struct wake_build build = {.wake = wake,
                               .golden = golden,
                               .faulty = faulty,
                               .unit_count = event_log_unit_count(golden),
                               .fault_kind = event_log_kind_by_name(golden, "FAULT")};
    bool good;

    *wake = (struct wake){0};
    if (event_log_unit_count(faulty) != build.unit_count ||
        event_log_kind_by_name(faulty, "FAULT") != build.fault_kind)
        return error_set(error, ERROR_INPUT, "%s and %s are not of one machine",
                         event_log_name(golden), event_log_name(faulty));
    build.units = calloc(build.unit_count + 1, sizeof *build.units);
    for (uint32_t i = 0; build.units && i < build.unit_count; i++)
        build.units[i].first = build.units[i].last = build.units[i].at = WAKE_NONE;
    for (uint32_t i = 0; i < EVENT_LOG_KINDS_MAX; i++)
        build.compared[i] = compared_arguments(golden, i);
    good = build.units ? load_golden(&build, error) && compare(&build, error)
                       : error_set(error, ERROR_SYSTEM, "no memory to compare two logs");
    if (good && wake->step_count > 1)
        qsort(wake->steps, wake->step_count, sizeof *wake->steps, earlier);
    free(build.units);
    free(build.events);
    return good;
}

void wake_fini(struct wake *wake)
{
    free(wake->steps);
    *wake = (struct wake){0};
}

const char *wake_what_text(enum wake_what what)
{
    static const char *const texts[WAKE_WHATS] = {"another time", "another event", "one more event",
                                                  "never comes"};

    return texts[what];
}
