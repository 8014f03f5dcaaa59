/* SPDX-License-Identifier: MIT */
/* gfe run: one run, with its log, its summary and its snapshots. */
#include <config.h>

#include "emu/cmd_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/kfd_simulation.h"
#include "devices/responses.h"
#include "devices/simulation_snapshot.h"
#include "emu/output.h"
#include "emu/summary.h"

/* ---- with snapshots -------------------------------------------------------------------------- */

static bool run_restore(const struct run *run, struct simulation *simulation, const char *hash,
                        struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_snapshot_load(run->restore, error);
    const bool done =
        snapshot && simulation_restore(simulation, hash, snapshot, run->restore, error);

    simulation_snapshot_free(snapshot);
    return done;
}

/* Runs up to where the snapshot is to be taken. */
static bool run_until_snapshot(const struct run *run, struct simulation *simulation,
                               struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    while (machine_event_count(machine) < run->snapshot_events &&
           machine_next_ps(machine) < run->snapshot_ps && machine_step(machine))
        ;
    if (machine_failed(machine)) /* for its message */
        return simulation_run(simulation, 0, error);
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

static bool run_take(const struct run *run, struct simulation *simulation, const char *hash,
                     struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_take(simulation, hash, error);
    const bool done = snapshot && simulation_snapshot_save(snapshot, run->snapshot, error);

    simulation_snapshot_free(snapshot);
    return done;
}

/* The log is kept in memory, because a snapshot holds all of it so far; then it goes out. */
static bool run_with_snapshots(const struct run *run, struct simulation *simulation,
                               const char *hash, struct chunk_writer *writer,
                               struct gfe_error *error)
{
    if (run->restore && !run_restore(run, simulation, hash, error))
        return false;
    if (run->snapshot &&
        (!run_until_snapshot(run, simulation, error) || !run_take(run, simulation, hash, error)))
        return false;
    return simulation_run(simulation, GFE_PS_NEVER, error) &&
           simulation_log_write(simulation, hash, writer, error);
}

/* ---- running -------------------------------------------------------------------------------- */

static bool run_to_writer(struct simulation *simulation, const char *hash,
                          struct chunk_writer *writer, struct gfe_error *error)
{
    return simulation_log_head(simulation, hash, error) &&
           simulation_run(simulation, GFE_PS_NEVER, error) &&
           simulation_log_end(simulation, error) && chunk_writer_finish(writer, error);
}

void run_options_complete(const struct run *run, struct simulation_options *options)
{
    options->parameters = run->parameters;
    options->choices = run->choices;
    options->pokes = run->pokes;
    options->max_events = run->limits.events;
    options->max_time_ps = run->limits.time_ps;
    options->max_memory_bytes = run->limits.memory_bytes ? run->limits.memory_bytes : 1;
}

/* Response times of the run that has ended, kept as text until the summary is printed. */
static bool run_responses(struct run *run, const struct run_subject *subject,
                          const struct simulation *simulation, struct gfe_error *error)
{
    struct responses responses;
    size_t bytes;
    FILE *file;

    if (!subject->scenario)
        return true;
    if (!responses_init(&responses, subject->scenario, simulation->model, 1, error))
        return false;
    file = responses_add(&responses, simulation, run->options.seed, "", error)
               ? open_memstream(&run->responses, &bytes)
               : NULL;
    if (file)
        responses_print(&responses, file);
    responses_fini(&responses);
    return (file && fclose(file) == 0) || error_set(error, ERROR_SYSTEM, "no memory");
}

/* A recording of user-mode queues. */
static bool run_simulate_kfd(const struct run *run, const struct replay_input *input,
                             struct chunk_writer *writer, struct gfe_error *error)
{
    const char *refused = run->snapshot || run->restore ? "snapshots"
                          : run->options.poke_count > 0 ? "--poke"
                                                        : NULL;
    struct simulation_options options = run->options;
    struct kfd_simulation *simulation;
    bool done;

    if (refused)
        return error_set(error, ERROR_USAGE, "%s: AMD GPUs have no %s yet", run->trace, refused);
    options.log = writer;
    run_options_complete(run, &options);
    simulation = kfd_simulation_new(input, &options, error);
    done =
        simulation && kfd_simulation_run(simulation, error) && chunk_writer_finish(writer, error);
    kfd_simulation_free(simulation);
    return done;
}

static bool run_simulate(struct run *run, const struct run_subject *subject,
                         struct chunk_writer *writer, struct gfe_error *error)
{
    const bool snapshots = run->snapshot || run->restore;
    struct simulation_options options = run->options;
    struct simulation *simulation;
    bool done = false;

    options.log = snapshots ? NULL : writer;
    run_options_complete(run, &options);
    simulation = subject->scenario ? simulation_new_scenario(subject->scenario, &options, error)
                                   : simulation_new(subject->input, &options, error);
    if (simulation)
        done = snapshots ? run_with_snapshots(run, simulation, subject->hash, writer, error)
                         : run_to_writer(simulation, subject->hash, writer, error);
    done = done && run_responses(run, subject, simulation, error);
    simulation_free(simulation);
    return done;
}

/* The summary goes to stdout, or to stderr when the log itself goes there. */
static bool run_summary(const struct run *run, struct summary_live *summary,
                        const struct run_subject *subject, struct gfe_error *error)
{
    const bool log_on_stdout = run->log && strcmp(run->log, "-") == 0;
    const struct summary_notes notes = {
        .name = run->trace,
        .durations = event_log_run(summary_live_log(summary), "durations"),
        .recorded_without_gpu =
            subject->input && subject->input->meta.completions == TRACE_COMPLETIONS_STAND_IN,
    };

    FILE *file = log_on_stdout ? stderr : stdout;

    if (!summary_live_print(file, summary, &notes, run->json, error))
        return false;
    if (run->responses && !run->json)
        fputs(run->responses, file);
    return output_flush_stdout(error);
}

/* The summary is made of the log while that is written; without -o nobody else sees it. */
static bool run_log(struct run *run, const struct run_subject *subject, struct output *output,
                    struct gfe_error *error)
{
    const char *name = run->log ? output->path : "the event log";
    struct chunk_writer *writer =
        chunk_writer_new(run->log ? fileno(output->file) : -1, name, error);
    struct summary_live *summary = summary_live_new(name, error);
    bool done = false;

    if (writer && summary) {
        chunk_writer_observe(writer, summary_live_chunk, summary);
        chunk_writer_use_thread(writer);
        done = subject->input && kfd_simulation_is(subject->input)
                   ? run_simulate_kfd(run, subject->input, writer, error)
                   : run_simulate(run, subject, writer, error);
    }
    chunk_writer_free(writer);
    done = done && (!run->log || output_commit(output, error)) &&
           run_summary(run, summary, subject, error);
    summary_live_free(summary);
    return done;
}

/* Neither the log nor the snapshot may take the place of an input, or of the other.  A snapshot may
 * replace the one that the run goes on from: that is read first. */
static bool run_outputs_differ(const struct run *run, struct gfe_error *error)
{
    if (run->log && run->snapshot && strcmp(run->log, run->snapshot) == 0)
        return error_set(error, ERROR_USAGE, "%s is to be both the log and the snapshot", run->log);
    return (!run->log || (output_differs(run->log, run->trace, error) &&
                          (!run->restore || output_differs(run->log, run->restore, error)))) &&
           (!run->snapshot || output_differs(run->snapshot, run->trace, error));
}

bool run_subject(struct run *run, const struct run_subject *subject, struct gfe_error *error)
{
    struct output output = {0};
    const bool done = run_outputs_differ(run, error) &&
                      (!run->log || output_open(&output, run->log, error)) &&
                      run_log(run, subject, &output, error);

    output_abort(&output);
    return done;
}
