/* SPDX-License-Identifier: MIT */
/* gfe run: replays a trace, or runs a scenario, on an emulated GPU; event log in a file, summary on
 * stdout. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/explore.h"
#include "devices/responses.h"
#include "devices/scenario.h"
#include "devices/simulation_snapshot.h"
#include "emu/args.h"
#include "emu/cmd.h"
#include "emu/limits.h"
#include "emu/output.h"
#include "emu/summary.h"
#include "firmware-models/cuda.h"

enum {
    RUN_OPEN_LOOP = ARGS_LONG_ONLY,
    RUN_BATCH_LIMIT,
    RUN_PARAM,
    RUN_POLICY,
    RUN_SEED,
    RUN_GPU,
    RUN_SNAPSHOT,
    RUN_SNAPSHOT_AT,
    RUN_RESTORE,
    RUN_POKE,
    RUN_COST,
    RUN_EXPLORE,
    RUN_SETTINGS_MAX = 64,
    RUN_POKES_MAX = 1024,
};

static const struct args_option run_options[] = {
    {'o', "output", "FILE", "write the event log there (.gfl)"},
    {RUN_GPU, "gpu", "GPU",
     "emulate this GPU (default: the one that the trace names;\nfor configurations gtx1060)"},
    {RUN_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {RUN_OPEN_LOOP, "open-loop", NULL,
     "keep the program's recorded times; default: it waits for\nthe emulated GPU"},
    {RUN_PARAM, "param", "ID=N", "set a parameter (gfe rules lists them); may be repeated"},
    {RUN_POLICY, "policy", "ID=NAME", "take this alternative at a choice point; may be repeated"},
    {RUN_COST, "cost", "NAME=TIME",
     "how long a block of a benchmark takes whose time depends on\n"
     "the machine, such as mandelbrot=5ms; may be repeated"},
    {RUN_EXPLORE, "explore", "N|all",
     "configurations: run with N seeds, from --seed on, or with all\n"
     "alternatives of the dispatcher's and the runtime's choice\n"
     "points (all), and print best, mean and worst response time\n"
     "of each operation, and which run makes the worst"},
    {RUN_POKE, "poke", "TEXT",
     "write a register on the way: \"2ms NV_PFIFO_SCHED_DISABLE=1\",\n"
     "\"2ms NV_PCCSR_CHANNEL[5].ENABLE_CLR=1\", \"2ms 0x2630=1\"; or do\n"
     "what the names say: \"2ms disable_channel 5\", enable_channel,\n"
     "preempt_tsg, preempt_runlist, resubmit_runlist,\n"
     "switch_to_tsg (RUNLIST:ID from Ampere on); may be repeated"},
    {RUN_BATCH_LIMIT, "batch-limit", "N",
     "private steps of a unit per event (default 0: any number);\n"
     "changes nothing but the speed"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    {'j', "json", NULL, "print the summary as JSON"},
    {RUN_SNAPSHOT, "snapshot", "FILE", "write a snapshot there (.gfs) on the way"},
    {RUN_SNAPSHOT_AT, "snapshot-at", "WHEN",
     "before the first event at or after a time such as 120ms,\n"
     "or after that many events, such as 300 (as --max-events\n"
     "counts them: most, not all, stand in the log)"},
    {RUN_RESTORE, "restore", "FILE",
     "go on from a snapshot of the same trace and options;\n"
     "believed as the program's own memory is: only your own"},
    {0, NULL, NULL, NULL},
};

static const struct args_command run_command = {
    .name = "run",
    .usage = "[OPTION...] TRACE | CONFIG.json...",
    .summary =
        "Replays a recorded command stream through a register-level model of the GPU's front\n"
        "end and prints what happened.  TRACE is a .gft file (gfe record makes one), or - for\n"
        "standard input.  With -o the event log goes into a file for gfe show and gfe explain.\n"
        "\n"
        "CONFIG.json is a configuration of cuda_scheduling_examiner, or a scenario of gfe's own\n"
        "(docs/scenarios.md): its programs run on the emulated GPU, through a model of the CUDA\n"
        "runtime.  Several are run together, as processes of their own.\n",
    .options = run_options,
};

struct run {
    struct simulation_options options;
    struct simulation_setting parameters[RUN_SETTINGS_MAX], choices[RUN_SETTINGS_MAX];
    const char *pokes[RUN_POKES_MAX];
    const char *trace, *log;  /* trace: or the first configuration */
    const char *const *paths; /* of all configurations */
    uint32_t path_count;
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    uint32_t cost_count;
    uint32_t explore;               /* seeds; 0 = one run, with its log */
    bool explore_all;               /* not seeds, but choice points */
    char *responses;                /* what is printed of them; owned */
    const char *snapshot, *restore; /* files; NULL = none */
    gfe_ps snapshot_ps;             /* when, or UINT64_MAX: */
    uint64_t snapshot_events;       /* after so many events, or UINT64_MAX */
    struct limits limits;
    bool json;
};

/* ID=VALUE; the argument is split in place. */
static bool run_setting(struct args *args, struct simulation_setting *settings, uint32_t *count)
{
    char *equals = strchr(args->value, '=');

    if (!equals || *count == RUN_SETTINGS_MAX) {
        args_wrong(args, equals ? "too many --%s" : "--%s needs ID=VALUE", args->option);
        return false;
    }
    *equals = '\0';
    settings[(*count)++] = (struct simulation_setting){args->value, equals + 1};
    return true;
}

/* NAME=TIME; the argument is split in place. */
static bool run_cost(struct args *args, struct run *run)
{
    char *equals = strchr(args->value, '=');
    struct scenario_cost *cost = &run->costs[run->cost_count];

    if (!equals || run->cost_count == SCENARIO_COSTS_MAX) {
        args_wrong(args, equals ? "too many --%s" : "--%s needs NAME=TIME", args->option);
        return false;
    }
    *equals = '\0';
    cost->benchmark = args->value;
    args->value = equals + 1;
    if (!args_time(args, &cost->block_ps))
        return false;
    run->cost_count++;
    return true;
}

/* A count of events, or a time with its unit. */
static bool run_when(struct args *args, struct run *run)
{
    uint64_t events;

    run->snapshot_ps = run->snapshot_events = UINT64_MAX;
    if (!args_parse_number(args->value, &events)) /* which may have left something there */
        return args_time(args, &run->snapshot_ps);
    run->snapshot_events = events;
    return true;
}

static bool run_option(struct args *args, struct run *run, int option)
{
    uint64_t number;

    if (limits_is(option))
        return limits_take(args, option, &run->limits);
    switch (option) {
    case 'o':
        run->log = args->value;
        return true;
    case RUN_GPU:
        run->options.gpu = args->value;
        return true;
    case RUN_SEED:
        return args_number(args, &run->options.seed);
    case RUN_OPEN_LOOP:
        run->options.open_loop = true;
        return true;
    case RUN_PARAM:
        return run_setting(args, run->parameters, &run->options.parameter_count);
    case RUN_POLICY:
        return run_setting(args, run->choices, &run->options.choice_count);
    case RUN_BATCH_LIMIT:
        if (!args_number_within(args, 0, UINT32_MAX, &number))
            return false;
        run->options.batch_limit = (uint32_t)number;
        return true;
    case RUN_SNAPSHOT:
        run->snapshot = args->value;
        return true;
    case RUN_SNAPSHOT_AT:
        return run_when(args, run);
    case RUN_RESTORE:
        run->restore = args->value;
        return true;
    case RUN_EXPLORE:
        run->explore_all = strcmp(args->value, "all") == 0;
        if (!run->explore_all && !args_number_within(args, 1, EXPLORE_RUNS_MAX, &number))
            return false;
        run->explore = run->explore_all ? 1 : (uint32_t)number;
        return true;
    case RUN_COST:
        return run_cost(args, run);
    case RUN_POKE:
        if (run->options.poke_count == RUN_POKES_MAX) {
            args_wrong(args, "too many --%s", args->option);
            return false;
        }
        run->pokes[run->options.poke_count++] = args->value;
        return true;
    default:
        run->json = true;
        return true;
    }
}

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

/* What was given with them. */
static void run_options_complete(const struct run *run, struct simulation_options *options)
{
    options->parameters = run->parameters;
    options->choices = run->choices;
    options->pokes = run->pokes;
    options->max_events = run->limits.events;
    options->max_time_ps = run->limits.time_ps;
    options->max_memory_bytes = run->limits.memory_bytes ? run->limits.memory_bytes : 1;
}

/* What is run: one of the two. */
struct run_subject {
    const struct replay_input *input;
    const struct scenario *scenario;
    const char *hash;
};

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
        done = run_simulate(run, subject, writer, error);
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

static bool run_subject(struct run *run, const struct run_subject *subject, struct gfe_error *error)
{
    struct output output = {0};
    const bool done = run_outputs_differ(run, error) &&
                      (!run->log || output_open(&output, run->log, error)) &&
                      run_log(run, subject, &output, error);

    output_abort(&output);
    return done;
}

static bool run_trace(struct run *run, struct gfe_error *error)
{
    struct replay_input *input = replay_load_within(run->trace, run->limits.expansion_bytes, error);
    const struct run_subject subject = {.input = input, .hash = input ? input->hash : NULL};
    const bool done = input && run_subject(run, &subject, error);

    replay_input_free(input);
    return done;
}

/* Many runs, without a log. */
static bool run_explore(const struct run *run, const struct scenario *scenario,
                        const struct gpu_model *model, struct gfe_error *error)
{
    struct explore explore = {.scenario = scenario,
                              .options = run->options,
                              .seeds = run->explore_all ? 0 : run->explore};
    struct responses responses;
    char *json = NULL;
    bool good;

    run_options_complete(run, &explore.options);
    if (!responses_init(&responses, scenario, model, explore_runs(&explore), error))
        return false;
    good = explore_make(&explore, &responses, error);
    if (good && run->json) {
        json = responses_json(&responses);
        good = json || error_set(error, ERROR_SYSTEM, "no memory");
    }
    if (json)
        printf("%s\n", json);
    else if (good)
        responses_print(&responses, stdout);
    free(json);
    responses_fini(&responses);
    return good && output_flush_stdout(error);
}

static bool run_scenario(struct run *run, struct gfe_error *error)
{
    const char *gpu = run->options.gpu ? run->options.gpu : "gtx1060";
    const struct gpu_model *model = gpu_model_by_name(gpu);
    const struct scenario_options options = {
        .costs = run->costs,
        .cost_count = run->cost_count,
        .priority_levels = model ? cuda_priority_levels(model) : 1,
        .threads_per_block = model ? model->sm.threads_per_block : 1,
        .shared_bytes_per_block = model ? model->sm.shared_bytes_per_block : 1,
    };
    struct scenario *scenario;
    struct run_subject subject = {0};
    bool done;

    run->options.gpu = gpu;
    if (!model)
        return error_set(error, ERROR_USAGE, "no GPU is called '%s'; gfe gpus lists them", gpu);
    scenario = scenario_load(run->paths, run->path_count, &options, error);
    subject.scenario = scenario;
    subject.hash = scenario ? scenario->hash : NULL;
    done = scenario && (run->explore ? run_explore(run, scenario, model, error)
                                     : run_subject(run, &subject, error));
    free(run->responses);
    scenario_free(scenario);
    return done;
}

int cmd_run(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct run run = {.limits = LIMITS_DEFAULT};
    bool is_scenario;
    struct args args;
    int option;

    args_start(&args, &run_command, argc, argv);
    while ((option = args_next(&args)) >= 0)
        if (!run_option(&args, &run, option))
            return args.status;
    if (option == ARGS_STOP || !args_operands(&args, 1, SCENARIO_FILES_MAX))
        return args.status;
    if (!run.snapshot != !(run.snapshot_ps || run.snapshot_events))
        return args_wrong(&args, "--snapshot and --snapshot-at need each other");
    run.trace = args.operands[0];
    run.paths = (const char *const *)args.operands;
    run.path_count = (uint32_t)args.operand_count;
    if (run.explore > 0 && (run.log || run.snapshot || run.restore))
        return args_wrong(&args, "--explore writes no log and no snapshot");
    if (!scenario_is_one(run.trace, &is_scenario, &error))
        return args_failed(&args, &error);
    if (is_scenario)
        return run_scenario(&run, &error) ? 0 : args_failed(&args, &error);
    if (run.path_count > 1)
        return args_wrong(&args, "only configurations are run together; %s is none", run.trace);
    if (run.cost_count > 0 || run.explore > 0)
        return args_wrong(&args, "--%s is for configurations; %s is none",
                          run.cost_count > 0 ? "cost" : "explore", run.trace);
    return run_trace(&run, &error) ? 0 : args_failed(&args, &error);
}
