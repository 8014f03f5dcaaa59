/* SPDX-License-Identifier: MIT */
/* Turns of time-slice groups on runlists. */
#include <config.h>

#include <inttypes.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/selftest/invariant.h"

enum { RUNLISTS = 128 };

/* The turn that a runlist is in. */
struct turn {
    bool is_on;
    gfe_ps begin_ps;
    uint64_t tsg_id, timeslice_ps;
};

static bool turn_begin(struct turn *turn, const struct log_event *event,
                       char says[INVARIANT_SAYS_BYTES])
{
    const struct event_nv_tsg_start start = event_nv_tsg_start_of(event);

    if (turn->is_on)
        return invariant_wrong(says,
                               "TSG %" PRIu64 " begins on runlist %" PRIu64 " at %" PRIu64
                               " ps beside TSG %" PRIu64,
                               start.tsg_id, start.runlist_id, event->time_ps, turn->tsg_id);
    *turn = (struct turn){true, event->time_ps, start.tsg_id, start.timeslice_ps};
    return true;
}

static bool turn_end(struct turn *turn, const struct log_event *event,
                     char says[INVARIANT_SAYS_BYTES])
{
    const struct event_nv_tsg_end end = event_nv_tsg_end_of(event);
    const gfe_ps ran_ps = event->time_ps - turn->begin_ps;

    if (!turn->is_on || turn->tsg_id != end.tsg_id)
        return invariant_wrong(says, "TSG %" PRIu64 " ends at %" PRIu64 " ps and is not on",
                               end.tsg_id, event->time_ps);
    turn->is_on = false;
    if (end.ran_ps != ran_ps || end.counted_ps > end.ran_ps)
        return invariant_wrong(says,
                               "TSG %" PRIu64 "'s turn that ends at %" PRIu64 " ps took %" PRIu64
                               " ps, not %" PRIu64 ", of which %" PRIu64 " count",
                               end.tsg_id, event->time_ps, ran_ps, end.ran_ps, end.counted_ps);
    if (event->rule == RULE_B_T1 && end.counted_ps < turn->timeslice_ps)
        return invariant_wrong(says,
                               "TSG %" PRIu64 " leaves at %" PRIu64 " ps for its slice of %" PRIu64
                               " ps after %" PRIu64,
                               end.tsg_id, event->time_ps, turn->timeslice_ps, end.counted_ps);
    return true;
}

/* The slice of a register-level program's TSG: (TIMEOUT << SCALE) * 1024 ns, dev_ram. */
static bool slice_is_right(const struct world_run *run, const struct log_event *event,
                           char says[INVARIANT_SAYS_BYTES])
{
    enum { FIRST_TSG = 8 };
    const struct event_nv_tsg_start start = event_nv_tsg_start_of(event);
    const json_t *tsgs = json_object_get(world_program(run->loaded->world), "tsgs");
    const json_t *tsg = json_array_get(tsgs, (start.tsg_id & 0xffff) - FIRST_TSG);
    const uint64_t timeout = (uint64_t)json_integer_value(json_object_get(tsg, "timeout"));
    const uint64_t scale = (uint64_t)json_integer_value(json_object_get(tsg, "scale"));

    if (!tsg || start.timeslice_ps == (timeout << scale) * 1024 * GFE_PS_PER_NS)
        return true;
    return invariant_wrong(says, "TSG %" PRIu64 " has slices of %" PRIu64 " ps", start.tsg_id,
                           start.timeslice_ps);
}

bool invariant_turns(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct turn turns[RUNLISTS] = {{0}};
    bool holds = true;

    for (uint32_t i = 0; run->disturbance < WORLD_FAULTY && holds && i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];
        struct turn *turn = &turns[event_nv_tsg_end_from(event->argument).runlist_id % RUNLISTS];

        if (event->kind == EVENT_NV_TSG_START)
            holds = turn_begin(turn, event, says) &&
                    (run->kind != WORLD_BUS || slice_is_right(run, event, says));
        else if (event->kind == EVENT_NV_TSG_END)
            holds = turn_end(turn, event, says);
    }
    return holds;
}
