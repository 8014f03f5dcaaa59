/* SPDX-License-Identifier: MIT */
/* gfe run: a simulation of any kind runs to its end, with its log, from and to snapshots. */
#include <config.h>

#include "emu/program/cmd_run.h"

#include <inttypes.h>
#include <string.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/base/output.h"

static bool run_restore(const struct run *run, struct any_simulation *simulation,
                        struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_snapshot_load(run->restore, error);
    const bool done = snapshot && any_simulation_restore(simulation, snapshot, run->restore, error);

    simulation_snapshot_free(snapshot);
    return done;
}

/* Runs up to where the snapshot is to be taken. */
static bool run_until_snapshot(const struct run *run, struct any_simulation *simulation,
                               struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    while (machine_event_count(machine) < run->snapshot_events &&
           machine_next_ps(machine) < run->snapshot_ps && machine_step(machine))
        ;
    if (machine_failed(machine)) /* for its message */
        return any_simulation_run(simulation, 0, error);
    if (run->snapshot_ps != UINT64_MAX && machine_next_ps(machine) == GFE_PS_NEVER)
        return error_set(error, ERROR_INPUT,
                         "%s: no snapshot: the run ends before that time, with event %" PRIu64,
                         run->trace, machine_event_count(machine));
    if (run->snapshot_events != UINT64_MAX && machine_event_count(machine) != run->snapshot_events)
        return error_set(error, ERROR_INPUT,
                         "%s: no snapshot after event %" PRIu64 ": the run %s event %" PRIu64,
                         run->trace, run->snapshot_events,
                         run->restore && machine_event_count(machine) > run->snapshot_events
                             ? "goes on from"
                             : "ends with",
                         machine_event_count(machine));
    return true;
}

static bool run_take(const struct run *run, struct any_simulation *simulation,
                     struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = any_simulation_take(simulation, error);
    const bool done = snapshot && simulation_snapshot_save(snapshot, run->snapshot, error);

    simulation_snapshot_free(snapshot);
    return done;
}

bool run_has_snapshots(const struct run *run)
{
    return run->snapshot || run->restore;
}

bool run_to_end(const struct run *run, struct any_simulation *simulation,
                struct chunk_writer *writer, struct gfe_error *error)
{
    if (!run_has_snapshots(run))
        return run_watched(simulation, run->interrupted, error) &&
               chunk_writer_finish(writer, error);
    if (run->restore && !run_restore(run, simulation, error))
        return false;
    if (run->snapshot &&
        (!run_until_snapshot(run, simulation, error) || !run_take(run, simulation, error)))
        return false;
    return any_simulation_run(simulation, GFE_PS_NEVER, error) &&
           any_simulation_log_write(simulation, writer, error);
}

bool run_lost_event(const struct run *run, const struct any_simulation *simulation,
                    struct gfe_error *error)
{
    const uint64_t count = machine_event_count(simulation->machine);

    return run->options.lost_event <= count ||
           error_set(error, ERROR_INPUT,
                     "%s: --lose-event %" PRIu64 ": the run ends with event %" PRIu64, run->trace,
                     run->options.lost_event, count);
}

/* Returns true, with an error, if two outputs have the same path.  `path` and `other_path` are NULL
 * for outputs that are not asked for. */
static bool run_is_both(const char *path, const char *what, const char *other_path,
                        const char *other_what, struct gfe_error *error)
{
    return path && other_path && strcmp(path, other_path) == 0 &&
           !error_set(error, ERROR_USAGE, "%s is to be both the %s and the %s", path, what,
                      other_what);
}

static bool run_spares_inputs(const struct run *run, const char *path, struct gfe_error *error)
{
    return !path || (output_differs(path, run->trace, error) &&
                     (!run->restore || output_differs(path, run->restore, error)));
}

bool run_outputs_differ(const struct run *run, struct gfe_error *error)
{
    return !run_is_both(run->log, "log", run->snapshot, "snapshot", error) &&
           !run_is_both(run->log, "log", run->times, "times", error) &&
           !run_is_both(run->times, "times", run->snapshot, "snapshot", error) &&
           run_spares_inputs(run, run->log, error) && run_spares_inputs(run, run->times, error) &&
           (!run->snapshot || output_differs(run->snapshot, run->trace, error));
}
