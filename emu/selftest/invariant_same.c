/* SPDX-License-Identifier: MIT */
/* The same run again: with the smallest batches, and from a snapshot in another machine. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/selftest/invariant.h"

/* Finds the first event that differs, in `says`. */
static bool logs_are_same(const struct any_simulation *first, const struct any_simulation *second,
                          const char *what, char says[INVARIANT_SAYS_BYTES])
{
    uint64_t bytes, other;
    const uint8_t *log = event_log_bytes(&first->machine->log, &bytes);
    const uint8_t *again = event_log_bytes(&second->machine->log, &other);
    uint64_t at = 0;

    if (bytes == other && memcmp(log, again, bytes) == 0)
        return true;
    while (at < bytes && at < other && log[at] == again[at])
        at++;
    return invariant_wrong(says,
                           "%s: the log of %" PRIu64 " bytes, %" PRIu64
                           " events, differs from that of %" PRIu64 " bytes, %" PRIu64
                           " events, at byte %" PRIu64,
                           what, other, second->machine->log.cursor->event_count, bytes,
                           first->machine->log.cursor->event_count, at);
}

/* An event that is lost by its number is another one if batches are cut.  A fault in a dword of a
 * pushbuffer stands in the log at the begin of its batch (docs/quality/selftest.md, "Open"). */
static bool depends_on_batches(const struct world_run *run)
{
    const json_t *fault;
    size_t i;

    json_array_foreach(json_object_get(run->loaded->world, "faults"), i,
                       fault) if (strncmp(json_string_value(fault), "data", 4) == 0 ||
                                  strncmp(json_string_value(fault), "header", 6) == 0) return true;
    return run->loaded->options.lost_event > 0;
}

bool invariant_batch(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct any_simulation again = {0};
    bool holds;

    if (depends_on_batches(run))
        return true;
    if (!world_wire(run->loaded, 1, &again, &error))
        return invariant_wrong(says, "the machine is not wired again: %.180s", error.text);
    holds = any_simulation_run(&again, GFE_PS_NEVER, &error);
    if (holds)
        holds = logs_are_same(&run->simulation, &again, "--batch-limit 1", says);
    else if (error.kind == ERROR_LIMIT) /* it has more events, and a bound for them */
        holds = true;
    else
        invariant_wrong(says, "with --batch-limit 1 the run stops: %.180s", error.text);
    any_simulation_free(&again);
    return holds;
}

/* Restores the snapshot in a third machine, and runs it to its end. */
static bool rest_is_same(const struct world_run *run, const struct machine_snapshot *snapshot,
                         char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct any_simulation rest = {0};
    bool holds = world_wire(run->loaded, 0, &rest, &error) &&
                 machine_restore(rest.machine, snapshot) &&
                 any_simulation_run(&rest, GFE_PS_NEVER, &error);

    if (!holds)
        invariant_wrong(says, "after a snapshot at event %" PRIu64 " the run stops: %.160s",
                        run->snapshot_at, error.text);
    else
        holds = logs_are_same(&run->simulation, &rest, "after a snapshot", says);
    any_simulation_free(&rest);
    return holds;
}

bool invariant_snapshot(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct any_simulation begin = {0};
    struct machine_snapshot *snapshot = NULL;
    bool holds;

    if (!world_wire(run->loaded, 0, &begin, &error))
        return invariant_wrong(says, "the machine is not wired again: %.180s", error.text);
    while (machine_event_count(begin.machine) < run->snapshot_at && machine_step(begin.machine))
        ;
    snapshot = machine_take(begin.machine);
    any_simulation_free(&begin);
    holds = snapshot ? rest_is_same(run, snapshot, says)
                     : invariant_wrong(says, "no memory for a snapshot");
    machine_snapshot_free(snapshot);
    return holds;
}
