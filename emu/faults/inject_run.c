/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/inject_run.h"

#include <string.h>

enum { WATCHDOG_TIMES = 4, WATCHDOG_EVENTS = 100000 };
/* Longer than drivers wait for their hardware. */
#define WATCHDOG_PS (60 * GFE_PS_PER_S)

void inject_run_watchdog(uint64_t golden_events, gfe_ps golden_end_ps, uint64_t *max_events,
                         gfe_ps *max_time_ps)
{
    *max_events = WATCHDOG_TIMES * golden_events + WATCHDOG_EVENTS;
    *max_time_ps = clock_add(clock_times(golden_end_ps, WATCHDOG_TIMES), WATCHDOG_PS);
}

bool inject_run_init(struct inject_run *run, const struct any_program *program,
                     const struct simulation_options *options, gfe_ps late_ps,
                     struct gfe_error *error)
{
    struct any_simulation *golden = &run->golden.simulation;

    *run = (struct inject_run){.program = *program, .options = *options, .late_ps = late_ps};
    run->options.log = NULL;
    run->options.injects = true;
    if (!any_simulation_new(program, &run->options, golden, error))
        return false;
    outcome_observe(&run->golden.observer, golden->machine);
    if (!any_simulation_run(golden, GFE_PS_NEVER, error))
        return false;
    run->golden.observer.ended = true;
    run->golden.observer.end_ps = machine_now(golden->machine);
    run->golden_events = machine_event_count(golden->machine);
    return outcome_keep_memory(&run->golden.observer) ||
           error_set(error, ERROR_SYSTEM, "no memory to compare runs");
}

void inject_experiment_fini(struct inject_experiment *experiment)
{
    outcome_fini(&experiment->observer);
    any_simulation_free(&experiment->simulation);
    *experiment = (struct inject_experiment){0};
}

void inject_run_fini(struct inject_run *run)
{
    inject_experiment_fini(&run->golden);
}

bool inject_run_parse_set(const struct inject_run *run, const char *text,
                          struct inject_fault faults[INJECT_FAULTS_MAX], uint32_t *count,
                          struct gfe_error *error)
{
    const struct machine *machine = run->golden.simulation.machine;
    struct gfe_error wrong = {0};

    return inject_parse_set(machine, &machine->inject->sites, text, faults, count,
                            INJECT_FAULTS_MAX - *count, &wrong) ||
           error_set(error, wrong.kind, "--fault %.300s", wrong.text);
}

/* How often the fault's subject passes in a run without: one is made with a fault that never acts.
 */
static bool run_count(struct inject_run *run, const struct inject_fault *fault, uint64_t *passed,
                      struct gfe_error *error)
{
    struct any_simulation simulation;
    const bool good = any_simulation_new(&run->program, &run->options, &simulation, error);

    if (!good)
        return false;
    inject_arm(simulation.machine->inject, fault, 1);
    if (!any_simulation_run(&simulation, GFE_PS_NEVER, error)) {
        any_simulation_free(&simulation);
        return false;
    }
    *passed = simulation.machine->inject->state->faults[0].passed;
    any_simulation_free(&simulation);
    return true;
}

bool inject_run_draw(struct inject_run *run, struct inject_fault *fault, struct gfe_error *error)
{
    const struct inject *inject = run->golden.simulation.machine->inject;
    uint64_t passed = 0;

    if (fault->trigger.when != INJECT_AT_RANDOM)
        return true;
    return run_count(run, fault, &passed, error) &&
           (inject_draw(&inject->sites, fault, passed, run->golden.observer.end_ps) ||
            error_set(error, ERROR_INPUT, "--fault '%.200s': nothing passes there", fault->text));
}

struct outcome_owners inject_run_owners(const struct inject *inject, uint64_t given)
{
    struct outcome_owners owners = {.who = {given}, .count = given != UINT64_MAX};

    for (uint32_t i = 0; given == UINT64_MAX && i < inject->fault_count; i++) {
        const struct inject_site *site = inject_site(&inject->sites, inject->faults[i].site);
        uint64_t who;

        if (inject->state->faults[i].acted == 0)
            continue;
        who = outcome_owner(site->subject, inject->state->faults[i].subject);
        if (who == UINT64_MAX)
            return (struct outcome_owners){.count = 0};
        outcome_owners_add(&owners, who);
    }
    return owners;
}

gfe_ps inject_run_acted_ps(const struct inject *inject)
{
    gfe_ps first_ps = GFE_PS_NEVER;

    for (uint32_t i = 0; i < inject->fault_count; i++)
        if (inject->state->faults[i].acted > 0 && inject->state->faults[i].first_ps < first_ps)
            first_ps = inject->state->faults[i].first_ps;
    return first_ps;
}

bool inject_run_make(struct inject_run *run, const struct inject_fault *faults, uint32_t count,
                     uint64_t owner, struct inject_experiment *experiment, struct outcome *outcome,
                     struct gfe_error *error)
{
    struct simulation_options options = run->options;
    struct outcome_observer *observer = &experiment->observer;
    struct gfe_error *stopped = &experiment->stopped;
    struct any_simulation *faulty = &experiment->simulation;
    struct outcome_owners owners;
    struct inject *inject;

    *experiment = (struct inject_experiment){0};
    inject_run_watchdog(run->golden_events, run->golden.observer.end_ps, &options.max_events,
                        &options.max_time_ps);
    if (!any_simulation_new(&run->program, &options, faulty, error))
        return false;
    inject = faulty->machine->inject;
    outcome_observe(observer, faulty->machine);
    inject_arm(inject, faults, count);
    observer->ended = any_simulation_run(faulty, GFE_PS_NEVER, stopped);
    observer->watchdog = !observer->ended && stopped->kind == ERROR_LIMIT;
    observer->stopped = !observer->ended && !observer->watchdog;
    observer->end_ps = machine_now(faulty->machine);
    if (observer->stopped && stopped->kind == ERROR_SYSTEM)
        return error_set(error, stopped->kind, "%s", stopped->text);
    owners = inject_run_owners(inject, owner);
    return outcome_judge(&run->golden.observer, observer, &owners, inject_run_acted_ps(inject),
                         run->late_ps, outcome) ||
           error_set(error, ERROR_SYSTEM, "no memory to compare two runs");
}
