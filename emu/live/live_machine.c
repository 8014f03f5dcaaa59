/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/live/live_machine.h"

#include <inttypes.h>
#include <stdio.h>

#include "emu/live/live_rest.h"
#include "emu/sim/live_tables.h"
#include "emu/sim/run_head.h"

bool live_machine_head(struct live_machine *live, const char *driver_model, struct gfe_error *error)
{
    const struct run_head head = {.driver_model = driver_model, .trace_hash = "-", .loop = "live"};

    return run_head_write(live->machine, &head, error);
}

bool live_machine_arm(struct live_machine *live, const struct inject_sites *sites,
                      const char *const *texts, uint32_t count, struct gfe_error *error)
{
    struct inject_fault faults[INJECT_FAULTS_MAX];
    struct gfe_error wrong = {0};

    if (count > INJECT_FAULTS_MAX)
        return error_set(error, ERROR_INPUT, "at most %d --fault", INJECT_FAULTS_MAX);
    for (uint32_t i = 0; i < count; i++)
        if (!inject_parse(live->machine, sites, texts[i], &faults[i], &wrong))
            return error_set(error, wrong.kind, "--fault '%.200s': %s", texts[i], wrong.text);
    inject_arm(live->inject, faults, count);
    return true;
}

void live_machine_tell_faults(struct live_machine *live)
{
    const struct inject *inject = live->inject;
    bool is_first = false;

    for (uint32_t i = 0; i < inject->fault_count; i++) {
        const struct inject_fault_state *state = &inject->state->faults[i];

        if (state->acted == live->acted[i] && (live->was_futile[i] || !state->is_futile))
            continue;
        is_first |= live->acted[i] == 0;
        live->acted[i] = state->acted;
        live->was_futile[i] = true;
        MACHINE_LOG(live->machine, live->unit, EVENT_LIVE_FAULT, RULE_NONE, i, state->acted,
                    state->subject, state->old_value, state->new_value);
    }
    if (is_first && live->machine->log.writer)
        event_log_flush(&live->machine->log);
}

/* Is there a fault that has not acted yet? */
static bool live_machine_watches(const struct live_machine *live)
{
    for (uint32_t i = 0; i < live->inject->fault_count; i++)
        if (live->acted[i] == 0)
            return true;
    return false;
}

/* ---- time -------------------------------------------------------------------------------------
 */

gfe_ps live_machine_time(const struct live_machine *live, gfe_ps now_ps)
{
    const gfe_ps at_ps = clock_add(now_ps, live->ahead_ps), done_ps = machine_now(live->machine);

    return at_ps > done_ps ? at_ps : done_ps;
}

gfe_ps live_machine_advance(struct live_machine *live, gfe_ps now_ps, uint32_t kind)
{
    struct machine *machine = live->machine;
    const gfe_ps at_ps = live_machine_time(live, now_ps);

    machine_schedule(machine, live->unit, at_ps, kind, 0);
    while (live_machine_watches(live) && machine_next_ps(machine) <= at_ps && machine_step(machine))
        live_machine_tell_faults(live);
    (void)machine_run(machine, at_ps + 1);
    live_machine_tell_faults(live);
    return machine_now(machine);
}

void live_machine_take(struct live_machine *live, gfe_ps now_ps)
{
    const gfe_ps at_ps = clock_add(now_ps, live->ahead_ps), end_ps = machine_now(live->machine);
    const uint64_t takes_ps = end_ps > at_ps ? end_ps - at_ps : 0;

    live->takes_ps = takes_ps < LIVE_TAKES_MAX_PS ? takes_ps : LIVE_TAKES_MAX_PS;
    live->ahead_ps += takes_ps - live->takes_ps;
}

gfe_ps live_machine_next(const struct live_machine *live)
{
    const gfe_ps next_ps = event_queue_next_ps(&live->machine->queue);

    if (next_ps == GFE_PS_NEVER)
        return GFE_PS_NEVER;
    return next_ps < live->ahead_ps ? 0 : next_ps - live->ahead_ps;
}

bool live_machine_step(struct live_machine *live)
{
    return machine_next_ps(live->machine) != GFE_PS_NEVER && machine_step(live->machine);
}

bool live_machine_end(struct live_machine *live, gfe_ps now_ps, uint32_t kind,
                      struct gfe_error *error)
{
    struct machine *machine = live->machine;
    gfe_ps next_ps;
    char end[64];

    if (machine->state->ended)
        return true;
    (void)live_machine_advance(live, now_ps, kind);
    live->is_over = true;
    next_ps = event_queue_next_ps(&machine->queue);
    if (next_ps != GFE_PS_NEVER)
        MACHINE_LOG(machine, live->unit, EVENT_LIVE_END, RULE_NONE, next_ps);
    if (next_ps == GFE_PS_NEVER || live_rest(machine))
        machine_finish(machine); /* else the end of the program has cut it off */
    machine->state->ended = 1;
    (void)snprintf(end, sizeof end, "{\"simulated_ps\":%" PRIu64 "}", machine_now(machine));
    return event_log_finish(&machine->log, end, error);
}
