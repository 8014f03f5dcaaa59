/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_run.h"

#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_condition.h"
#include "emu/faults/campaign_prune.h"
#include "emu/faults/inject_run.h"

static bool run_no_memory(struct gfe_error *error)
{
    return error_set(error, ERROR_SYSTEM, "no memory for the experiments of a campaign");
}

/* Offsets of what no comparison looks at, in order. */
static void run_except(struct campaign_run *run)
{
    const struct machine *machine = run->simulation.machine;
    const uint8_t *base = machine->arena.base;
    struct arena_range *except = run->except;

    event_queue_extent(&machine->queue, &machine->arena, &except[0].from, &except[0].to);
    except[1].from = (size_t)((const uint8_t *)machine->log.cursor - base);
    except[1].to = except[1].from + sizeof *machine->log.cursor;
    except[2].from = (size_t)((const uint8_t *)machine->inject->state - base);
    except[2].to = except[2].from + sizeof *machine->inject->state;
}

bool campaign_run_init(struct campaign_run *run, const struct any_program *program,
                       const struct simulation_options *options, gfe_ps late_ps, uint64_t owner,
                       struct gfe_error *error)
{
    struct machine *machine;
    uint64_t max_events;

    *run = (struct campaign_run){
        .program = *program, .options = *options, .late_ps = late_ps, .owner = owner};
    run->options.log = NULL;
    run->options.injects = true;
    run->prunes = true;
    run->points = calloc(CAMPAIGN_POINTS_MAX + 1, sizeof *run->points);
    if (!run->points)
        return run_no_memory(error);
    if (!any_simulation_new(program, &run->options, &run->simulation, error) ||
        !campaign_golden(run, error))
        return false;
    machine = run->simulation.machine;
    run_except(run);
    inject_run_watchdog(run->event_count, run->end_ps, &max_events, &machine->config.max_time_ps);
    machine->config.max_events = max_events;
    outcome_observe(&run->faulty, machine);
    run->faulty.golden = &run->golden;
    return true;
}

void campaign_run_fini(struct campaign_run *run)
{
    for (uint32_t i = 0; i < run->point_count; i++) {
        machine_snapshot_free(run->points[i].snapshot);
        free(run->points[i].pending);
    }
    for (uint32_t i = 0; i < INJECT_SITES_MAX; i++)
        free(run->passages[i].rows);
    free(run->points);
    free(run->contents.data);
    campaign_access_fini(&run->accesses);
    outcome_fini(&run->golden);
    outcome_fini(&run->faulty);
    any_simulation_free(&run->simulation);
    *run = (struct campaign_run){0};
}

/* ---- where an experiment starts -------------------------------------------------------------- */

uint64_t campaign_run_passages(const struct campaign_run *run, uint32_t site, uint64_t subject)
{
    const struct campaign_passages *passages = &run->passages[site];
    uint64_t count = 0;

    if (subject == INJECT_ANY)
        return passages->count;
    for (uint32_t i = 0; i < passages->count; i++)
        count += passages->rows[i].subject == subject;
    return count;
}

uint32_t campaign_run_passage_at(const struct campaign_passages *passages, gfe_ps time_ps)
{
    uint32_t low = 0, high = passages->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (passages->rows[middle].time_ps < time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the point before the first passage that the fault can act on, or UINT32_MAX if there is
 * none. */
static uint32_t run_start_passage(const struct campaign_run *run, const struct inject_fault *fault)
{
    const struct campaign_passages *passages = &run->passages[fault->site];
    const struct inject_trigger *trigger = &fault->trigger;
    uint64_t left = trigger->when == INJECT_AT_PASSAGE ? trigger->count : 1;
    uint32_t i = 0;

    if (trigger->when == INJECT_AT_PASSAGE && fault->subject == INJECT_ANY)
        return left <= passages->count ? passages->rows[left - 1].point : UINT32_MAX;
    if (trigger->when == INJECT_AT_TIME)
        i = campaign_run_passage_at(passages, trigger->time_ps);
    for (; i < passages->count; i++)
        if ((fault->subject == INJECT_ANY || passages->rows[i].subject == fault->subject) &&
            --left == 0)
            return passages->rows[i].point;
    return UINT32_MAX;
}

uint32_t campaign_run_point_at(const struct campaign_run *run, gfe_ps time_ps)
{
    uint32_t low = 0, high = run->point_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (run->points[middle].time_ps <= time_ps)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The last point before the count-th event of a kind. */
static uint32_t run_point_before(const struct campaign_run *run, uint32_t kind, uint64_t count)
{
    uint32_t low = 0, high = run->point_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (run->points[middle].kinds[kind] < count)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t campaign_run_start(const struct campaign_run *run, const struct inject_fault *fault)
{
    const struct inject *inject = run->simulation.machine->inject;
    const bool passes = inject_site(&inject->sites, fault->site)->place == INJECT_PASSAGE &&
                        fault->model != INJECT_SPURIOUS;

    switch (fault->trigger.when) {
    case INJECT_AT_PASSAGE:
        return run_start_passage(run, fault);
    case INJECT_AT_TIME:
        return passes ? run_start_passage(run, fault)
                      : campaign_run_point_at(run, fault->trigger.time_ps);
    case INJECT_AT_EVENT:
        return run_point_before(run, fault->trigger.event_kind, fault->trigger.count);
    case INJECT_AT_VALUE:
        return campaign_condition_start(run, &fault->trigger);
    default:
        return 0;
    }
}

static uint32_t run_passage_before(const struct campaign_passages *passages, uint32_t point)
{
    uint32_t low = 0, high = passages->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (passages->rows[middle].point < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the fault's subject have passed before a point. */
static uint64_t run_passed_before(const struct campaign_run *run, const struct inject_fault *fault,
                                  uint32_t point)
{
    const struct campaign_passages *passages = &run->passages[fault->site];
    uint64_t count = 0;

    if (fault->trigger.when != INJECT_AT_PASSAGE)
        return 0;
    if (fault->subject == INJECT_ANY)
        return run_passage_before(passages, point);
    for (uint32_t i = 0; i < passages->count && passages->rows[i].point < point; i++)
        count += fault->subject == INJECT_ANY || passages->rows[i].subject == fault->subject;
    return count;
}

/* ---- an experiment --------------------------------------------------------------------------- */

static void run_observe(struct campaign_run *run)
{
    struct outcome_observer *faulty = &run->faulty;

    for (uint32_t role = 0; role < OUTCOME_ROLES; role++)
        faulty->lists[role].count = 0;
    faulty->own_range_count = 0;
    if (faulty->own_words.count > 0)
        id_map_fini(&faulty->own_words);
    faulty->same_memory = faulty->no_memory = false;
    faulty->ended = faulty->watchdog = faulty->stopped = false;
    run->simulation.machine->inject->observer = faulty;
}

static void run_arm(struct campaign_run *run, const struct inject_fault *faults, uint32_t count,
                    uint32_t point)
{
    struct inject *inject = run->simulation.machine->inject;

    inject_arm(inject, faults, count);
    for (uint32_t i = 0; i < count; i++) {
        struct inject_fault_state *state = &inject->state->faults[i];

        state->passed = run_passed_before(run, &faults[i], point);
        if (faults[i].trigger.when == INJECT_AT_EVENT)
            state->events = run->points[point].kinds[faults[i].trigger.event_kind];
    }
}

static bool run_differs(void *context, enum memory_aperture aperture, uint64_t address,
                        const uint8_t *here, const uint8_t *there)
{
    (void)aperture;
    (void)address;
    (void)here;
    (void)there;
    *(bool *)context = true;
    return false;
}

static bool run_same_memory(struct campaign_run *run, const struct campaign_point *point)
{
    bool differs = false;

    run->memory_differs = !memory_differ(&run->simulation.machine->memory, point->snapshot->memory,
                                         run_differs, &differs) ||
                          differs;
    return !run->memory_differs;
}

/* Will the same events come, as far as they are known? */
static bool run_same_events(const struct campaign_run *run, const struct campaign_point *point)
{
    const struct machine *machine = run->simulation.machine;
    struct event_queue_pending pending[CAMPAIGN_PENDING_MAX];

    return point->pending_count <= CAMPAIGN_PENDING_MAX && point->pending_count > 0 &&
           machine->queue.state->count == point->pending_count &&
           machine_next_ps(machine) == point->pending[0].time_ps &&
           event_queue_list(&machine->queue, pending, CAMPAIGN_PENDING_MAX) ==
               point->pending_count &&
           event_queue_list_same(pending, point->pending, point->pending_count);
}

/* What differed last is looked at first. */
bool campaign_run_is_back(struct campaign_run *run, uint32_t index)
{
    const struct campaign_point *point = &run->points[index];
    const struct machine *machine = run->simulation.machine;
    const bool memory_first = run->memory_differs;

    if (machine_event_count(machine) + (run->event_count - point->event_count) >
            machine->config.max_events ||
        (memory_first && !run_same_memory(run, point)) || !run_same_events(run, point))
        return false;
    return arena_equals(&machine->arena, point->snapshot->arena, run->except, 3, &run->hint) &&
           (memory_first || run_same_memory(run, point));
}

/* Goes on until the end, or a point where all is as it was; that point.  What has long been
 * otherwise is looked at less often. */
static uint32_t run_go(struct campaign_run *run, uint32_t from, struct gfe_error *stopped)
{
    struct any_simulation *simulation = &run->simulation;
    const struct inject *inject = simulation->machine->inject;
    uint32_t looks = 0, next = 0;

    for (uint32_t i = from + 1; i <= run->point_count; i++) {
        const gfe_ps until_ps = i < run->point_count ? run->points[i].time_ps : GFE_PS_NEVER;

        if (!any_simulation_run(simulation, until_ps, stopped) || any_simulation_ended(simulation))
            break;
        if (i == run->point_count || i < next || !inject_spent(inject))
            continue;
        if (campaign_run_is_back(run, i))
            return i;
        next = i + 1 + (++looks < 64 ? looks / 4 : 16);
    }
    return run->point_count;
}

/* ---- the judgement --------------------------------------------------------------------------- */

/* The golden run's observation between two points. */
static struct outcome_observer run_window(const struct campaign_run *run, uint32_t from,
                                          uint32_t stop)
{
    const struct campaign_point *first = &run->points[from], *last = &run->points[stop];
    struct outcome_observer window = run->golden;

    for (uint32_t role = 0; role < OUTCOME_ROLES; role++) {
        if (stop < run->point_count)
            window.lists[role].count = last->counts[role];
        window.lists[role].rows += first->counts[role];
        window.lists[role].count -= first->counts[role];
    }
    return window;
}

/* The rest of the run is the golden one's. */
static bool run_append(struct campaign_run *run, uint32_t stop)
{
    for (uint32_t role = 0; role < OUTCOME_ROLES; role++) {
        const struct outcome_list *golden = &run->golden.lists[role];
        const uint32_t from = run->points[stop].counts[role];

        if (!outcome_list_add(&run->faulty.lists[role], golden->rows + from, golden->count - from))
            return false;
    }
    return true;
}

/* Between the points alone, where all pairs up; else with the rest, of which another result or
 * error can then be the one that is too many. */
static bool run_judge(struct campaign_run *run, struct campaign_result *result)
{
    const gfe_ps acted_ps = inject_run_acted_ps(run->simulation.machine->inject);
    const bool is_back = result->stop < run->point_count;
    struct outcome_observer golden = run_window(run, result->from, result->stop);
    struct outcome *outcome = &result->outcome;

    run->faulty.same_memory = is_back;
    if (!outcome_judge(&golden, &run->faulty, &result->owners, acted_ps, run->late_ps, outcome))
        return false;
    if (!is_back ||
        (outcome->missing + outcome->extra + outcome->different == 0 &&
         run->faulty.lists[OUTCOME_DETECTION].count == golden.lists[OUTCOME_DETECTION].count))
        return true;
    golden = run_window(run, result->from, run->point_count);
    return run_append(run, result->stop) &&
           outcome_judge(&golden, &run->faulty, &result->owners, acted_ps, run->late_ps, outcome);
}

/* Nothing is run: both runs are one. */
static bool run_pruned(const struct campaign_start *start, struct campaign_result *result)
{
    result->pruned = true;
    result->acted = result->activated = start->acted;
    result->outcome.most = start->acted > 0 ? OUTCOME_MASKED : OUTCOME_NOT_ACTIVATED;
    result->first_ps = start->acted > 0 ? start->first_ps : 0;
    result->from = UINT32_MAX;
    return true;
}

/* What the faults did. */
static void run_acted(const struct campaign_run *run, struct campaign_result *result)
{
    const struct inject *inject = run->simulation.machine->inject;
    const gfe_ps first_ps = inject_run_acted_ps(inject);

    for (uint32_t i = 0; i < inject->fault_count; i++) {
        result->acted += inject->state->faults[i].acted;
        result->activated += inject->state->faults[i].acted > 0;
    }
    result->first_ps = first_ps == GFE_PS_NEVER ? 0 : first_ps;
    result->owners = inject_run_owners(inject, run->owner);
}

bool campaign_run_make(struct campaign_run *run, const struct inject_fault *given, uint32_t count,
                       struct campaign_result *result, struct gfe_error *error)
{
    const struct campaign_start start = campaign_start(run, given, count);
    struct inject_fault moved;
    struct machine *machine = run->simulation.machine;
    struct inject_fault_state *state = &machine->inject->state->faults[0];
    struct gfe_error stopped = {0};

    *result = (struct campaign_result){
        .owners = {.who = {run->owner}, .count = run->owner != UINT64_MAX}, .from = start.point};
    result->outcome.latency_ps = GFE_PS_NEVER;
    if (start.pruned)
        return run_pruned(&start, result);
    if (result->from == UINT32_MAX) /* the golden run */
        return true;
    if (!machine_restore(machine, run->points[result->from].snapshot))
        return run_no_memory(error);
    run_observe(run);
    if (start.moved) { /* it is alone */
        moved = *given;
        moved.trigger.time_ps = 0;
    }
    run_arm(run, start.moved ? &moved : given, count, result->from);
    result->stop = run_go(run, result->from, &stopped);
    run->faulty.ended = stopped.kind == ERROR_NONE;
    run->faulty.watchdog = stopped.kind == ERROR_LIMIT;
    run->faulty.stopped = !run->faulty.ended && !run->faulty.watchdog;
    if (stopped.kind == ERROR_SYSTEM)
        return error_set(error, stopped.kind, "%s", stopped.text);
    result->events = machine_event_count(machine) - run->points[result->from].event_count;
    if (start.moved && state->acted > 0)
        state->first_ps = given->trigger.time_ps;
    run_acted(run, result);
    return run_judge(run, result) || run_no_memory(error);
}
