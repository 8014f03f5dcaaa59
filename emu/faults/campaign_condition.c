/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_condition.h"

static bool is_same(const struct inject_trigger *a, const struct inject_trigger *b)
{
    return a->site == b->site && a->reg_bank == b->reg_bank && a->subject == b->subject &&
           a->reg_offset == b->reg_offset && a->reg_mask == b->reg_mask &&
           a->reg_value == b->reg_value;
}

static const struct campaign_condition *find(const struct campaign_run *run,
                                             const struct inject_trigger *trigger)
{
    for (uint32_t i = 0; i < run->condition_count; i++)
        if (is_same(&run->conditions[i].trigger, trigger))
            return &run->conditions[i];
    return NULL;
}

/* The last point at which the fault, armed at the start, still waits in a machine as it was
 * without; UINT32_MAX: it waits for ever. */
static bool condition_walk(struct campaign_run *run, uint32_t *start, struct gfe_error *error)
{
    struct any_simulation *simulation = &run->simulation;
    const struct inject_fault_state *state = &simulation->machine->inject->state->faults[0];

    *start = 0;
    for (uint32_t i = 1; i < run->point_count; i++) {
        if (!any_simulation_run(simulation, run->points[i].time_ps, error))
            return false;
        if (state->is_on)
            return true;
        if (campaign_run_is_back(run, i))
            *start = i;
    }
    if (!any_simulation_run(simulation, GFE_PS_NEVER, error))
        return false;
    if (!state->is_on)
        *start = UINT32_MAX;
    return true;
}

bool campaign_condition_learn(struct campaign_run *run, const struct inject_fault *fault,
                              struct gfe_error *error)
{
    struct inject *inject = run->simulation.machine->inject;
    const struct inject_fault waits = {.site = INJECT_SITE_INTERRUPT,
                                       .model = INJECT_DROP,
                                       .value = 1,
                                       .subject = 0,
                                       .trigger = fault->trigger};
    uint32_t start;

    if (fault->trigger.when != INJECT_AT_VALUE || find(run, &fault->trigger) ||
        run->condition_count == CAMPAIGN_CONDITIONS_MAX)
        return true;
    if (!machine_restore(run->simulation.machine, run->points[0].snapshot))
        return error_set(error, ERROR_SYSTEM, "no memory for the experiments of a campaign");
    inject->observer = NULL;
    inject_arm(inject, &waits, 1);
    if (!condition_walk(run, &start, error))
        return false;
    run->conditions[run->condition_count++] = (struct campaign_condition){fault->trigger, start};
    return true;
}

uint32_t campaign_condition_start(const struct campaign_run *run,
                                  const struct inject_trigger *trigger)
{
    const struct campaign_condition *found = find(run, trigger);

    return found ? found->start : 0;
}
