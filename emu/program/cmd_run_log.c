/* SPDX-License-Identifier: MIT */
/* gfe run: one run, with its log and its summary. */
#include <config.h>

#include "emu/program/cmd_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text_stream.h"
#include "emu/sim/any_simulation.h"
#include "emu/sim/gpus.h"
#include "emu/explore/responses.h"
#include "emu/base/output.h"
#include "emu/analysis/summary/summary.h"

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
    struct text_stream stream;
    FILE *file;

    if (!responses_init(&responses, subject->scenario, simulation->model, 1, error))
        return false;
    file = responses_add(&responses, simulation, run->options.seed, "", error)
               ? text_stream_open(&stream)
               : NULL;
    if (file)
        responses_print(&responses, file);
    responses_fini(&responses);
    run->responses = text_stream_close(&stream, file);
    return run->responses || error_set(error, ERROR_SYSTEM, "no memory");
}

static bool run_simulate(struct run *run, const struct run_subject *subject,
                         struct chunk_writer *writer, struct gfe_error *error)
{
    const struct any_program program = {.input = subject->input, .scenario = subject->scenario};
    const struct any_simulation_ops *kind = any_simulation_of_program(&program);
    struct simulation_options options = run->options;
    struct any_simulation simulation;
    bool done;

    if (!kind->has_pokes && run->options.poke_count > 0)
        return error_set(error, ERROR_USAGE, "%s: %s GPUs have no --poke yet", run->trace,
                         kind->vendor->name);
    options.log = run_has_snapshots(run) ? NULL : writer;
    run_options_complete(run, &options);
    if (!any_simulation_new(&program, &options, &simulation, error))
        return false;
    done = run_to_end(run, &simulation, writer, error) && run_lost_event(run, &simulation, error) &&
           (!subject->scenario || run_responses(run, subject, simulation.simulation, error));
    run->work_left = any_simulation_work_left(&simulation);
    any_simulation_free(&simulation);
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
        .assumed = event_log_run(summary_live_log(summary), "assumed"),
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

/* Runs, and makes the summary from the log while the log is written.  Without -o only the summary
 * reads the log. */
static bool run_log(struct run *run, const struct run_subject *subject, struct output *output,
                    struct gfe_error *error)
{
    const char *name = run->log ? output->path : "the event log";
    struct chunk_writer *writer = chunk_writer_new(run->log ? output->fd : -1, name, error);
    struct summary_live *summary = summary_live_new(name, error);
    bool done = false;

    if (writer && summary) {
        chunk_writer_observe(writer, summary_live_chunk, summary);
        chunk_writer_use_thread(writer);
        done = run_simulate(run, subject, writer, error);
    }
    chunk_writer_free(writer);
    done = done && (!run->log || output_commit(output, error)) &&
           run_summary(run, summary, subject, error);
    summary_live_free(summary);
    return done;
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
