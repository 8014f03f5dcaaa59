/* SPDX-License-Identifier: MIT */
/* gfe run: a configuration of hip_plugin_framework on an AMD GPU. */
#include <config.h>

#include "emu/program/cmd_run.h"

#include <string.h>

#include "emu/explore/hip_explore.h"
#include "emu/sim/gpus.h"
#include "emu/sim/hip_simulation.h"
#include "emu/base/output.h"
#include "emu/program/cmd_open_waits.h"

bool run_hip_is(const struct run *run)
{
    return any_simulation_file_vendor(run->options.gpu, run->options.described, run->trace)
        ->runs_configurations;
}

/* What is not modelled on AMD GPUs yet. */
static bool run_hip_refuses(const struct run *run, struct gfe_error *error)
{
    const char *option = run->options.poke_count > 0              ? "--poke"
                         : run->default_stream != SCENARIO_LEGACY ? "--default-stream"
                         : run->path_count > 1                    ? "several configurations"
                                                                  : NULL;

    return option &&
           !error_set(error, ERROR_USAGE, "%s: AMD GPUs have no %s yet", run->trace, option);
}

/* Files that the run writes; not open where none is wanted. */
struct run_hip_outputs {
    struct output log, times;
};

static bool run_hip_open(const struct run *run, struct run_hip_outputs *outputs,
                         struct gfe_error *error)
{
    return (!run->log || output_open(&outputs->log, run->log, error)) &&
           (!run->times || output_open_text(&outputs->times, run->times, error));
}

static bool run_hip_commit(const struct run *run, struct run_hip_outputs *outputs,
                           struct gfe_error *error)
{
    return (!run->log || output_commit(&outputs->log, error)) &&
           (!run->times || output_commit(&outputs->times, error));
}

/* The summary goes to where no file does. */
static FILE *run_hip_summary(const struct run *run)
{
    const bool taken =
        (run->log && strcmp(run->log, "-") == 0) || (run->times && strcmp(run->times, "-") == 0);

    return taken ? stderr : stdout;
}

/* What waits for ever comes first. */
static bool run_hip_print(const struct run *run, struct any_simulation *simulation,
                          struct gfe_error *error)
{
    struct hip_simulation *hip = simulation->simulation;
    struct cmd_open_waits *waits = cmd_open_waits_new(simulation, error);
    FILE *file = run_hip_summary(run);
    bool done;

    if (!waits)
        return false;
    if (!run->json)
        open_waits_print(file, &waits->open, waits->log);
    hip->open_count = waits->open.count;
    hip->work_left = run->json ? open_waits_json(&waits->open, waits->log) : NULL;
    done = hip_simulation_print(hip, file, run->json, error);
    json_decref(hip->work_left);
    hip->work_left = NULL;
    cmd_open_waits_free(waits);
    return done;
}

static bool run_hip_simulate(struct run *run, const char *gpu, struct chunk_writer *writer,
                             FILE *times, struct gfe_error *error)
{
    const struct any_program program = {
        .hip_path = run->trace, .costs = run->costs, .cost_count = run->cost_count};
    struct simulation_options options = run->options;
    struct any_simulation simulation;
    bool done;

    run_options_complete(run, &options);
    options.gpu = gpu;
    options.log = run_has_snapshots(run) ? NULL : writer;
    if (!any_simulation_new(&program, &options, &simulation, error))
        return false;
    done = run_to_end(run, &simulation, writer, error) && run_lost_event(run, &simulation, error) &&
           run_hip_print(run, &simulation, error);
    run->work_left = any_simulation_work_left(&simulation);
    if (done && times)
        hip_simulation_print_times(simulation.simulation, times);
    any_simulation_free(&simulation);
    return done;
}

/* Many runs, without a log. */
static bool run_hip_explore(const struct run *run, const char *gpu, struct gfe_error *error)
{
    struct hip_explore explore = {.path = run->trace,
                                  .costs = run->costs,
                                  .cost_count = run->cost_count,
                                  .options = run->options,
                                  .seeds = run->explore_all ? 0 : run->explore};
    struct responses responses;
    bool good;

    run_options_complete(run, &explore.options);
    explore.options.gpu = gpu;
    good = hip_explore_make(&explore, &responses, error) &&
           run_print_responses(run, &responses, error);
    responses_fini(&responses);
    return good;
}

bool run_hip(struct run *run, struct gfe_error *error)
{
    const char *gpu = run->options.gpu ? run->options.gpu : gpu_amd.default_gpu;
    struct run_hip_outputs outputs = {0};
    struct chunk_writer *writer = NULL;
    bool done;

    if (run->explore > 0)
        return !run_hip_refuses(run, error) && run_hip_explore(run, gpu, error);
    done = !run_hip_refuses(run, error) && run_outputs_differ(run, error) &&
           run_hip_open(run, &outputs, error);

    if (done)
        writer = chunk_writer_new(run->log ? outputs.log.fd : -1,
                                  run->log ? outputs.log.path : "the event log", error);
    if (writer && run->log)
        chunk_writer_use_thread(writer);
    done = writer && run_hip_simulate(run, gpu, writer, outputs.times.file, error);
    chunk_writer_free(writer);
    done = done && run_hip_commit(run, &outputs, error) && output_flush_stdout(error);
    output_abort(&outputs.log);
    output_abort(&outputs.times);
    return done;
}
