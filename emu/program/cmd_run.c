/* SPDX-License-Identifier: MIT */
/* gfe run: replays a trace, or runs a scenario, on an emulated GPU; event log in a file, summary on
 * stdout. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/explore/explore.h"
#include "emu/explore/responses.h"
#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_run.h"
#include "emu/program/cmd_settings.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"
#include "firmware-models/cuda/cuda.h"

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
    RUN_COST_FROM,
    RUN_EXPLORE,
    RUN_DEFAULT_STREAM,
    RUN_MPS,
    RUN_TIMES,
    RUN_LOSE_EVENT,
};

static const struct args_option run_options[] = {
    {'o', "output", "FILE", "write the event log there (.gfl)"},
    {RUN_GPU, "gpu", "GPU",
     "emulate this GPU, by name (gfe gpus) or from a GPU file\n(.json; default: the one that the trace names; for\nconfigurations gtx1060)"},
    {RUN_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {RUN_OPEN_LOOP, "open-loop", NULL,
     "keep the program's recorded times; default: it waits for\nthe emulated GPU"},
    {RUN_PARAM, "param", "ID=N", "set a parameter (gfe rules lists them); may be repeated"},
    {RUN_POLICY, "policy", "ID=NAME", "take this alternative at a choice point; may be repeated"},
    {RUN_COST, "cost", "NAME=TIME",
     "how long a block of a benchmark takes whose time depends on\n"
     "the machine, such as mandelbrot=5ms; may be repeated"},
    {RUN_COST_FROM, "cost-from", "FILE",
     "the same from a result file that cuda_scheduling_examiner or\n"
     "hip_plugin_framework wrote: the median of its blocks; may be\n"
     "repeated (without either a cost is ASSUMED, and said to be)"},
    {RUN_EXPLORE, "explore", "N|all",
     "configurations: run with N seeds, from --seed on, or with all\n"
     "alternatives of the dispatcher's and the runtime's choice\n"
     "points, on AMD GPUs of dispatcher and firmware (all), and\n"
     "print best, mean and worst response time of each operation,\n"
     "and which run makes the worst"},
    {RUN_TIMES, "times", "FILE",
     "configurations of hip_plugin_framework: write the response\n"
     "time of each iteration there, a line each (CSV)"},
    {RUN_DEFAULT_STREAM, "default-stream", "WHICH",
     "configurations: what the default stream of their programs is,\n"
     "where they do not say it, as nvcc's option of that name: the\n"
     "process's NULL stream (legacy, the default), or one of each\n"
     "host thread (per-thread)"},
    {RUN_MPS, "mps", NULL,
     "configurations: all processes are clients of one MPS server\n"
     "(the same as --param cuda.mps=1)"},
    {RUN_POKE, "poke", "TEXT",
     "write a register on the way: \"2ms NV_PFIFO_SCHED_DISABLE=1\",\n"
     "\"2ms NV_PCCSR_CHANNEL[5].ENABLE_CLR=1\", \"2ms 0x2630=1\"; or do\n"
     "what the names say: \"2ms disable_channel 5\", enable_channel,\n"
     "preempt_tsg, preempt_runlist, resubmit_runlist,\n"
     "switch_to_tsg (RUNLIST:ID from Ampere on); may be repeated"},
    {RUN_BATCH_LIMIT, "batch-limit", "N",
     "private steps of a unit per event (default 0: any number);\n"
     "changes nothing but the speed"},
    {RUN_LOSE_EVENT, "lose-event", "N",
     "lose the Nth event inside the emulated GPU or its driver, as if\n"
     "its handler had not been called: what does not get done is then\n"
     "told, and the exit status is 3"},
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
    SANDBOX_OPTION,
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
        "A recording of ROCm's libraries (gfe record --gpu radeon-vii) runs below a model of AMD's\n"
        "kernel driver: its queues, packets and doorbells go to the emulated firmware, micro engines\n"
        "and dispatcher, and SDMA engines.  A block takes amd.block_ps, a copy what the chip's\n"
        "figures say.\n"
        "\n"
        "CONFIG.json is a configuration of cuda_scheduling_examiner, or a scenario of gfe's own\n"
        "(docs/scenarios.md): its programs run on the emulated GPU, through a model of the CUDA\n"
        "runtime.  Several are run together, as processes of their own.\n"
        "\n"
        "A configuration of hip_plugin_framework runs on an AMD GPU (by default radeon-vii): its\n"
        "plugins' launches go through a model of the HIP runtime, AQL packets, kernel driver and\n"
        "firmware to ACEs, workload managers and CUs; what is printed are their response times.\n"
        "There --cost says how long a whole CU works for a block.\n"
        "\n"
        "A long run says on a terminal how far it is.  Ctrl-C ends it with what there is: the\n"
        "summary and the log up to there.\n"
        "\n"
        "Exit status: 0 done; 1 the input is bad, or a bound was passed; 2 wrong usage; 3 the run\n"
        "ended with work left: what waits for ever, and for whom, stands in the first lines; 130 it\n"
        "was ended by Ctrl-C.\n",
    .options = run_options,
};

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

static bool run_explore_option(struct args *args, struct run *run)
{
    uint64_t number;

    run->explore_all = strcmp(args->value, "all") == 0;
    if (!run->explore_all && !args_number_within(args, 1, EXPLORE_RUNS_MAX, &number))
        return false;
    run->explore = run->explore_all ? 1 : (uint32_t)number;
    return true;
}

static bool run_default_stream(struct args *args, struct run *run)
{
    const bool per_thread = strcmp(args->value, "per-thread") == 0;

    run->default_stream = per_thread ? SCENARIO_PER_THREAD : SCENARIO_LEGACY;
    if (per_thread || strcmp(args->value, "legacy") == 0)
        return true;
    args_wrong(args, "--%s: '%s' is not legacy or per-thread", args->option, args->value);
    return false;
}

/* What only configurations have. */
static bool run_scenario_option(struct args *args, struct run *run, int option)
{
    run->scenario_option = args->option;
    switch (option) {
    case RUN_EXPLORE:
        return run_explore_option(args, run);
    case RUN_COST:
        return cmd_settings_cost(args, run->costs, &run->cost_count);
    case RUN_COST_FROM:
        return cmd_settings_cost_from(args, run->costs, run->cost_names, &run->cost_count);
    case RUN_MPS:
        run->mps = true;
        return cmd_settings_add(args, run->parameters, &run->options.parameter_count, "cuda.mps",
                                "1");
    case RUN_TIMES:
        run->times = args->value;
        return true;
    default:
        return run_default_stream(args, run);
    }
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
        if (!cmd_gpu_take(args, run->gpu))
            return false;
        run->options.gpu = run->gpu->name;
        run->options.described = run->gpu->described;
        return true;
    case RUN_SEED:
        return args_number(args, &run->options.seed);
    case RUN_OPEN_LOOP:
        run->options.open_loop = true;
        return true;
    case RUN_PARAM:
        return cmd_settings_take(args, run->parameters, &run->options.parameter_count);
    case RUN_POLICY:
        return cmd_settings_take(args, run->choices, &run->options.choice_count);
    case RUN_BATCH_LIMIT:
        if (!args_number_within(args, 0, UINT32_MAX, &number))
            return false;
        run->options.batch_limit = (uint32_t)number;
        return true;
    case RUN_LOSE_EVENT:
        return args_number_within(args, 1, UINT64_MAX, &run->options.lost_event);
    case RUN_SNAPSHOT:
        run->snapshot = args->value;
        return true;
    case RUN_SNAPSHOT_AT:
        return run_when(args, run);
    case RUN_RESTORE:
        run->restore = args->value;
        return true;
    case RUN_EXPLORE:
    case RUN_COST:
    case RUN_COST_FROM:
    case RUN_DEFAULT_STREAM:
    case RUN_MPS:
    case RUN_TIMES:
        return run_scenario_option(args, run, option);
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

/* ---- running --------------------------------------------------------------------------------- */

static bool run_trace(struct run *run, struct gfe_error *error)
{
    struct replay_input *input = replay_load_within(run->trace, run->limits.expansion_bytes, error);
    const struct run_subject subject = {.input = input};
    const bool done = input && run_subject(run, &subject, error);

    replay_input_free(input);
    return done;
}

bool run_print_responses(const struct run *run, const struct responses *responses,
                         struct gfe_error *error)
{
    char *json = run->json ? responses_json(responses) : NULL;

    if (json)
        printf("%s\n", json);
    else if (run->json)
        return error_set(error, ERROR_SYSTEM, "no memory");
    else
        responses_print(responses, stdout);
    free(json);
    return output_flush_stdout(error);
}

/* Many runs, without a log. */
static bool run_explore(const struct run *run, const struct scenario *scenario,
                        const struct nv_chip *model, struct gfe_error *error)
{
    struct explore explore = {.scenario = scenario,
                              .options = run->options,
                              .seeds = run->explore_all ? 0 : run->explore};
    struct responses responses;
    bool good;

    run_options_complete(run, &explore.options);
    if (!responses_init(&responses, scenario, model, explore_runs(&explore), error))
        return false;
    good = explore_make(&explore, &responses, error) && run_print_responses(run, &responses, error);
    responses_fini(&responses);
    return good;
}

/* What only hip_plugin_framework's configurations have, of which it is none. */
static bool run_scenario_refuses(const struct run *run, struct gfe_error *error)
{
    return run->times &&
           !error_set(error, ERROR_USAGE,
                      "--times is for configurations of hip_plugin_framework; %s is none",
                      run->trace);
}

/* Lines of what was left out. */
static void run_warn(const char *lines)
{
    while (*lines) {
        const int length = (int)strcspn(lines, "\n");

        fprintf(stderr, "gfe run: %.*s\n", length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static bool run_scenario(struct run *run, struct gfe_error *error)
{
    const char *gpu = run->options.gpu ? run->options.gpu : gpu_nvidia.default_gpu;
    const struct nv_chip *model = gpu_find_nvidia(gpu, run->options.described);
    const struct scenario_options options = {
        .costs = run->costs,
        .cost_count = run->cost_count,
        .priority_levels = model ? cuda_priority_levels(model) : 1,
        .model = model,
        .default_stream = run->default_stream,
        .mps = run->mps,
        .shares = model && cuda_mps_has_shares(model),
    };
    struct scenario *scenario;
    struct run_subject subject = {0};
    bool done;

    run->options.gpu = gpu;
    if (!model)
        return gpu_missing(gpu, run->options.described, error);
    scenario = scenario_load(run->paths, run->path_count, &options, error);
    subject.scenario = scenario;
    if (scenario)
        run_warn(scenario->warnings);
    done = scenario && !run_scenario_refuses(run, error) &&
           (run->explore ? run_explore(run, scenario, model, error)
                         : run_subject(run, &subject, error));
    free(run->responses);
    scenario_free(scenario);
    return done;
}

enum { RUN_INTERRUPTED = 130 }; /* 128 + SIGINT, as shells have it */

static int run_status(const struct run *run, bool done, struct args *args,
                      const struct gfe_error *error)
{
    if (!done)
        return args_failed(args, error);
    if (*run->interrupted)
        return RUN_INTERRUPTED;
    return run->work_left ? CMD_WORK_LEFT : 0;
}

int cmd_run(int argc, char **argv)
{
    struct gfe_error error = {0};
    bool is_scenario, interrupted = false;
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct run run = {.limits = LIMITS_DEFAULT, .interrupted = &interrupted, .gpu = &gpu};
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
    if (run.explore > 0 && (run.log || run.snapshot || run.restore || run.times))
        return args_wrong(&args, "--explore writes no log, no snapshot and no times");
    if (!scenario_is_one(run.trace, &is_scenario, &error))
        return args_failed(&args, &error);
    if (is_scenario && run_hip_is(&run))
        return run_status(&run, run_hip(&run, &error), &args, &error);
    if (is_scenario)
        return run_status(&run, run_scenario(&run, &error), &args, &error);
    if (run.path_count > 1)
        return args_wrong(&args, "only configurations are run together; %s is none", run.trace);
    /* A file that is missing is reported as missing, below. */
    if (run.scenario_option && (strcmp(run.trace, "-") == 0 || access(run.trace, F_OK) == 0))
        return args_wrong(&args, "--%s is for configurations; %s is none", run.scenario_option,
                          run.trace);
    return run_status(&run, run_trace(&run, &error), &args, &error);
}
