/* SPDX-License-Identifier: MIT */
/* gfe inject: one run with faults, and what became of it. */
#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpus.h"
#include "emu/faults/inject_run.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/sim/scenario.h"
#include "emu/base/args.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_campaign.h"
#include "emu/program/cmd_inject.h"
#include "emu/program/cmd_open_waits.h"
#include "emu/program/cmd_settings.h"
#include "emu/program/cmd_inject_from.h"
#include "emu/base/json_text.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"
#include "firmware-models/cuda/cuda.h"

enum {
    INJECT_OPTION_FAULT = ARGS_LONG_ONLY,
    INJECT_OPTION_GPU,
    INJECT_OPTION_SEED,
    INJECT_OPTION_OPEN_LOOP,
    INJECT_OPTION_PARAM,
    INJECT_OPTION_POLICY,
    INJECT_OPTION_LATE,
    INJECT_OPTION_OWNER,
    INJECT_OPTION_BOUNDARY,
    INJECT_OPTION_TENANT,
    INJECT_OPTION_COST,
    INJECT_OPTION_LIST,
    INJECT_OPTION_FROM,
    INJECT_OPTION_ID,
};
#define LATE_DEFAULT_PS (10000 * GFE_PS_PER_NS)

static const struct args_option inject_options[] = {
    {'f', "fault", "FAULT",
     "inject this fault, or several with a ; between them; may be\nrepeated (at most 8 faults in all)"},
    {'o', "output", "FILE", "write the event log of the run with faults there (.gfl)"},
    {INJECT_OPTION_GPU, "gpu", "GPU",
     "emulate this GPU, by name or from a GPU file (default: as\ngfe run)"},
    {INJECT_OPTION_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {INJECT_OPTION_OPEN_LOOP, "open-loop", NULL, "keep the program's recorded times"},
    {INJECT_OPTION_PARAM, "param", "ID=N", "set a parameter; may be repeated"},
    {INJECT_OPTION_POLICY, "policy", "ID=NAME",
     "take this alternative at a choice point; may be repeated.\nrm.recovery=on: the resource "
     "manager's recovery at layer BUS"},
    {INJECT_OPTION_LATE, "late", "TIME",
     "a result that comes so much later is late (default 10us)"},
    {INJECT_OPTION_OWNER, "owner", "NUMBER",
     "channel (AMD: queue) whose fault it is: what happens to others\nis collateral (default: whose "
     "it is at the site)"},
    {INJECT_OPTION_BOUNDARY, "boundary", "WHAT",
     "what is to be isolated: what reaches another context, process\n(default) or tenant is a breach"},
    {INJECT_OPTION_TENANT, "tenant", "N[,N...]",
     "these channels (AMD: queues) are one tenant's; may be repeated"},
    {INJECT_OPTION_COST, "cost", "NAME=TIME",
     "how long a block of a plugin works, as gfe run has it; may be repeated"},
    {INJECT_OPTION_FROM, "from", "DB",
     "make an experiment of gfe campaign again: that of this file"},
    {INJECT_OPTION_ID, "id", "N", "with this number"},
    {INJECT_OPTION_LIST, "list", NULL,
     "print all sites, with their fields and models, and stop; with\n--gpu: of that GPU"},
    {'j', "json", NULL, "print JSON"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0, NULL, NULL, NULL},
};

static const struct args_command inject_command = {
    .name = "inject",
    .usage = "[OPTION...] --fault FAULT TRACE | CONFIG.json... | --from DB --id N",
    .summary =
        "Runs a program twice, without and with faults in the emulated hardware, and says whether\n"
        "each fault acted, what it changed first, and what became of the run:\n"
        "  Not activated  no fault changed anything\n"
        "  Masked         same results, same memory, nothing late\n"
        "  SDC-timing     same results, some later than --late, and nothing said so\n"
        "  Detected       an interrupt, Xid or message of the driver came of it, or the runtime\n"
        "                 was told\n"
        "  SDC-data       another value or memory, or a result missing, and nothing said so\n"
        "  Hang           the program waits for ever\n"
        "  Collateral     another channel or queue than the fault's own was affected\n"
        "  Breach         ... beyond --boundary\n"
        "Several may hold; the last of these is the outcome.\n"
        "\n"
        "FAULT is SITE[.FIELD][:SUBJECT] MODEL[=ARGUMENT] [@TRIGGER]:\n"
        "  'doorbell:3 drop @#2'                 the second doorbell of channel 3 is lost\n"
        "  'gp_entry.length flip=0 @#7'          a bit of the seventh GP entry is inverted\n"
        "  'release.payload value=5 @2ms'        the first release from 2 ms on\n"
        "  'memory:vid:0x12340 flip=3,17 @NV_GP_FETCH#4'  after the fourth such event\n"
        "  'register:NV_PFIFO_INTR_EN_0 stuck0 @1ms'\n"
        "Triggers: @TIME; @#N, the N-th to pass (default the first); @KIND#N, after the N-th\n"
        "event of a kind in the log; @REGISTER==VALUE, or of a site of state such as\n"
        "@channel_ram.acquire:5==1; @random=SEED, which one is said.\n"
        "The program is a recording, a scenario, or for AMD's GPUs a hip_plugin_framework\n"
        "configuration; each vendor's hardware has its own sites.\n"
        "\n"
        "Exit status: 0 the runs were made, whatever came of them; 3 the run without faults ended\n"
        "with work left: what waits for ever in it is printed first, on standard error.\n",
    .options = inject_options,
};

struct inject_request {
    struct cmd_gpu *chosen; /* owned by the command */
    struct simulation_options options;
    struct simulation_setting parameters[CMD_SETTINGS_MAX], choices[CMD_SETTINGS_MAX];
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    const char *faults[INJECT_FAULTS_MAX];
    const char *const *paths;
    const char *log;
    const char *from; /* a campaign's database, and in it: */
    uint64_t id;
    bool has_id;
    uint32_t fault_count, path_count, cost_count;
    uint64_t owner;
    struct outcome_isolation isolation;
    uint32_t tenant_count;
    gfe_ps late_ps;
    struct limits limits;
    bool list, json;
    bool work_left; /* the run without faults ended, and something waits for ever */
};

/* ---- options --------------------------------------------------------------------------------- */

static bool inject_fault_option(struct args *args, struct inject_request *request)
{
    if (request->fault_count == INJECT_FAULTS_MAX) {
        args_wrong(args, "at most %d --%s", INJECT_FAULTS_MAX, args->option);
        return false;
    }
    request->faults[request->fault_count++] = args->value;
    return true;
}

static bool inject_boundary_option(struct args *args, struct inject_request *request)
{
    if (outcome_boundary_parse(args->value, &request->isolation.boundary))
        return true;
    args_wrong(args, "--%s is context, process or tenant, not '%s'", args->option, args->value);
    return false;
}

static bool inject_tenant_option(struct args *args, struct inject_request *request)
{
    const char *at = args->value;

    request->tenant_count++;
    for (;;) {
        const size_t length = strcspn(at, ",");
        char number[24];
        uint64_t holder;

        (void)snprintf(number, sizeof number, "%.*s", (int)(length < 23 ? length : 23), at);
        if (!args_parse_number(number, &holder)) {
            args_wrong(args, "--%s needs numbers of channels or queues, such as 1,2", args->option);
            return false;
        }
        if (!outcome_tenant_add(&request->isolation, holder, request->tenant_count)) {
            args_wrong(args, "--%s: at most %d channels or queues in all", args->option,
                       OUTCOME_TENANTS_MAX);
            return false;
        }
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
}

static bool inject_option(struct args *args, struct inject_request *request, int option)
{
    if (limits_is(option))
        return limits_take(args, option, &request->limits);
    switch (option) {
    case 'f':
        return inject_fault_option(args, request);
    case 'o':
        request->log = args->value;
        return true;
    case INJECT_OPTION_GPU:
        if (!cmd_gpu_take(args, request->chosen))
            return false;
        request->options.gpu = request->chosen->name;
        request->options.described = request->chosen->described;
        return true;
    case INJECT_OPTION_SEED:
        return args_number(args, &request->options.seed);
    case INJECT_OPTION_OPEN_LOOP:
        request->options.open_loop = true;
        return true;
    case INJECT_OPTION_PARAM:
        return cmd_settings_take(args, request->parameters, &request->options.parameter_count);
    case INJECT_OPTION_POLICY:
        return cmd_settings_take(args, request->choices, &request->options.choice_count);
    case INJECT_OPTION_LATE:
        return args_time(args, &request->late_ps);
    case INJECT_OPTION_OWNER:
        return args_number(args, &request->owner);
    case INJECT_OPTION_BOUNDARY:
        return inject_boundary_option(args, request);
    case INJECT_OPTION_TENANT:
        return inject_tenant_option(args, request);
    case INJECT_OPTION_COST:
        return cmd_settings_cost(args, request->costs, &request->cost_count);
    case INJECT_OPTION_FROM:
        request->from = args->value;
        return true;
    case INJECT_OPTION_ID:
        request->has_id = true;
        return args_number(args, &request->id);
    case INJECT_OPTION_LIST:
        request->list = true;
        return true;
    default:
        request->json = true;
        return true;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static bool inject_log_write(const struct inject_request *request,
                             struct inject_experiment *experiment, struct output *output,
                             struct gfe_error *error)
{
    struct chunk_writer *writer;
    bool done;

    if (!request->log)
        return true;
    writer = chunk_writer_new(output->fd, output->path, error);
    done = writer && any_simulation_log_write(&experiment->simulation, writer, error);
    chunk_writer_free(writer);
    return done && output_commit(output, error);
}

static bool inject_say(const struct inject_request *request,
                       const struct inject_experiment *experiment, const struct outcome *outcome,
                       const struct inject_wake *wake, struct gfe_error *error)
{
    const struct inject *inject = experiment->simulation.machine->inject;
    const char *stopped = experiment->stopped.kind != ERROR_NONE ? experiment->stopped.text : NULL;

    if (request->json)
        return inject_print_json(stdout, inject, outcome, wake, stopped) ||
               error_set(error, ERROR_SYSTEM, "no memory");
    inject_print(stdout, inject, outcome, wake, stopped);
    return true;
}

static uint64_t inject_owner(const struct inject_request *request, const struct machine *machine)
{
    return request->owner == UINT64_MAX
               ? UINT64_MAX
               : outcome_owner(machine->inject->sites.holder, request->owner);
}

/* A run that hangs without a fault is no measure of one with faults. */
static bool inject_golden_check(struct inject_request *request, struct any_simulation *golden,
                                struct gfe_error *error)
{
    struct cmd_open_waits *waits;

    request->work_left = any_simulation_work_left(golden);
    if (!request->work_left)
        return true;
    waits = cmd_open_waits_new(golden, error);
    if (!waits)
        return false;
    fprintf(stderr, "gfe inject: %s: without a fault\n", request->paths[0]);
    open_waits_print(stderr, &waits->open, waits->log);
    cmd_open_waits_free(waits);
    return true;
}

static bool inject_runs(struct inject_request *request, const struct any_program *program,
                        struct gfe_error *error)
{
    struct inject_fault faults[INJECT_FAULTS_MAX];
    struct inject_experiment experiment = {0};
    struct output output = {0};
    struct inject_run run;
    struct inject_wake wake = {0};
    struct outcome outcome;
    uint32_t count = 0;
    bool good = inject_run_init(&run, program, &request->options, request->late_ps, error) &&
                inject_golden_check(request, &run.golden.simulation, error) &&
                (!request->log || (output_differs(request->log, request->paths[0], error) &&
                                   output_open(&output, request->log, error)));

    run.golden.observer.isolation = &request->isolation;
    for (uint32_t i = 0; good && i < request->fault_count; i++)
        good = inject_run_parse_set(&run, request->faults[i], faults, &count, error);
    for (uint32_t i = 0; good && i < count; i++)
        good = inject_run_draw(&run, &faults[i], error);
    good =
        good &&
        inject_run_make(&run, faults, count, inject_owner(request, run.golden.simulation.machine),
                        &experiment, &outcome, error) &&
        inject_log_write(request, &experiment, &output, error) &&
        inject_wake_make(&wake, &run, &experiment, error) &&
        inject_say(request, &experiment, &outcome, &wake, error);
    output_abort(&output);
    inject_wake_fini(&wake);
    inject_experiment_fini(&experiment);
    inject_run_fini(&run);
    return good && output_flush_stdout(error);
}

static bool inject_trace(struct inject_request *request, struct gfe_error *error)
{
    struct replay_input *input =
        replay_load_within(request->paths[0], request->limits.expansion_bytes, error);
    const struct any_program program = {.input = input};
    const bool done = input && inject_runs(request, &program, error);

    replay_input_free(input);
    return done;
}

static bool inject_scenario(struct inject_request *request, struct gfe_error *error)
{
    const char *gpu = request->options.gpu ? request->options.gpu : gpu_nvidia.default_gpu;
    const struct gpu *described = request->options.described;
    const struct nv_chip *model = gpu_find_nvidia(gpu, described);
    struct scenario_options options;
    struct scenario *scenario;
    struct any_program program = {0};
    bool done;

    request->options.gpu = gpu;
    if (!model)
        return gpu_missing(gpu, described, error);
    options = (struct scenario_options){
        .priority_levels = cuda_priority_levels(model),
        .model = model,
        .shares = cuda_mps_has_shares(model),
        .costs = request->costs,
        .cost_count = request->cost_count,
    };
    scenario = scenario_load(request->paths, request->path_count, &options, error);
    program.scenario = scenario;
    done = scenario && inject_runs(request, &program, error);
    scenario_free(scenario);
    return done;
}

/* A configuration of hip_plugin_framework. */
static bool inject_hip(struct inject_request *request, struct gfe_error *error)
{
    const struct any_program program = {
        .hip_path = request->paths[0], .costs = request->costs, .cost_count = request->cost_count};

    if (!request->options.gpu)
        request->options.gpu = gpu_amd.default_gpu;
    if (request->path_count > 1)
        return error_set(error, ERROR_USAGE, "%s: of such configurations one is run",
                         request->paths[0]);
    return inject_runs(request, &program, error);
}

/* Lists the sites of the named GPU, or of both vendors. */
static bool inject_print_list(const struct inject_request *request, struct gfe_error *error)
{
    const char *gpu = request->options.gpu;
    const struct gpu *described = request->options.described;
    const struct gpu_vendor *only = described ? described->vendor : gpu_vendor_of(gpu);
    struct inject_vendor vendors[GPU_VENDORS];
    uint32_t count = 0;

    if (gpu && !only)
        return gpu_missing(gpu, NULL, error);
    for (uint32_t i = 0; !only && i < GPU_VENDORS; i++)
        vendors[count++] = (struct inject_vendor){gpu_vendors[i]->name, gpu_vendors[i]->sites};
    if (only)
        vendors[count++] = (struct inject_vendor){only->name, only->sites};
    if (!request->json)
        inject_list(stdout, vendors, count);
    else if (!inject_list_json(stdout, vendors, count))
        return error_set(error, ERROR_SYSTEM, "no memory");
    return output_flush_stdout(error);
}

static bool inject_do(struct inject_request *request, struct gfe_error *error)
{
    bool is_scenario;

    if (request->list)
        return inject_print_list(request, error);
    request->options.parameters = request->parameters;
    request->options.choices = request->choices;
    request->options.max_events = request->limits.events;
    request->options.max_time_ps = request->limits.time_ps;
    request->options.max_memory_bytes = request->limits.memory_bytes;
    if (!scenario_is_one(request->paths[0], &is_scenario, error))
        return false;
    if (is_scenario && any_simulation_file_vendor(request->options.gpu, request->options.described,
                                                  request->paths[0])
                           ->runs_configurations)
        return inject_hip(request, error);
    return is_scenario ? inject_scenario(request, error) : inject_trace(request, error);
}

static void inject_from_settings(struct simulation_setting *to, uint32_t *count,
                                 const struct campaign_setting *settings, uint32_t setting_count)
{
    for (*count = 0; *count < setting_count; ++*count)
        to[*count] = (struct simulation_setting){settings[*count].id, settings[*count].value};
}

/* As the campaign had it. */
static bool inject_again(struct inject_request *request, struct gfe_error *error)
{
    struct inject_from from;
    const char *path;
    bool done = false;

    if (inject_from_init(&from, request->from, request->id, error)) {
        const struct campaign_plan *plan = from.plan;

        path = from.path;
        request->paths = &path;
        request->path_count = 1;
        request->faults[0] = from.row.fault;
        request->fault_count = 1;
        request->options.gpu = plan->gpu;
        request->options.seed = plan->seed;
        request->options.open_loop = plan->open_loop;
        request->late_ps = plan->late_ps;
        request->owner = plan->owner;
        request->isolation = plan->isolation;
        inject_from_settings(request->parameters, &request->options.parameter_count,
                             plan->parameters, plan->parameter_count);
        inject_from_settings(request->choices, &request->options.choice_count, plan->policies,
                             plan->policy_count);
        campaign_costs(plan, request->costs);
        request->cost_count = plan->cost_count;
        done = inject_do(request, error);
    }
    inject_from_fini(&from);
    return done;
}

static int inject_status(const struct inject_request *request, bool done, struct args *args,
                         const struct gfe_error *error)
{
    if (!done)
        return args_failed(args, error);
    return request->work_left ? CMD_WORK_LEFT : 0;
}

int cmd_inject(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct inject_request request = {.limits = LIMITS_DEFAULT,
                                     .chosen = &chosen,
                                     .owner = UINT64_MAX,
                                     .late_ps = LATE_DEFAULT_PS,
                                     .isolation = outcome_isolation_default};
    struct gfe_error error = {0};
    struct args args;
    int option;

    args_start(&args, &inject_command, argc, argv);
    while ((option = args_next(&args)) >= 0)
        if (!inject_option(&args, &request, option))
            return args.status;
    if (option != ARGS_STOP && !request.from != !request.has_id)
        return args_wrong(&args, "%s",
                          request.from ? "--from needs --id N: which experiment of the campaign"
                                       : "--id needs --from DB: of which campaign");
    if (option == ARGS_STOP || !args_operands(&args, request.list || request.from ? 0 : 1,
                                              request.from ? 0 : SCENARIO_FILES_MAX))
        return args.status;
    if (request.from)
        return inject_status(&request, inject_again(&request, &error), &args, &error);
    if (!request.list && request.fault_count == 0)
        return args_wrong(&args, "no --fault is given; --list prints the sites");
    request.paths = (const char *const *)args.operands;
    request.path_count = (uint32_t)args.operand_count;
    return inject_status(&request, inject_do(&request, &error), &args, &error);
}
