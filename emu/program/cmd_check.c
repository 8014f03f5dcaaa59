/* SPDX-License-Identifier: MIT */
/*
 * gfe check: do the events of a log, or what was measured on a real GPU, obey the rules?
 */
#include <config.h>

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/args.h"
#include "emu/analysis/check/check_result.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/base/input.h"
#include "emu/base/json_text.h"
#include "emu/base/limits.h"
#include "emu/base/opened.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"

enum {
    OPTION_GPU = ARGS_LONG_ONLY,
    OPTION_TOP,
    OPTION_CONFIG,
    OPTION_TOLERANCE,
    OPTION_CLOCK_ERROR,
    CHECK_TOP = 20
};

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "GPU",
     "what it has is the limit (default: the one that the log names); result\n"
     "files name none, and need it"},
    {OPTION_CONFIG, "config", "FILE",
     "the configuration that the result files were made from: it tells the\n"
     "priorities of their streams"},
    {OPTION_TOLERANCE, "tolerance", "TIME",
     "a violation in result files that lasts no longer is none (default 2us)"},
    {OPTION_CLOCK_ERROR, "clock-error", "TIME",
     "the same between a time of the CPU and one of the GPU (default 1ms)"},
    {OPTION_TOP, "top", "N", "print the first N violations of a log (default 20, at most 1000)"},
    {'j', "json", NULL, "print JSON"},
    LIMITS_OPTION_EXPANSION,
    LIMITS_OPTION_INPUT("64M, of each result file"),
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "check", "[OPTION...] FILE...",
    "Checks whether the events of each log (.gfl, made by gfe run) obey the scheduling rules:\n"
    "queues of kernels (T.X1, T.A2, T.G3, CORE.BLOCK_ORDER), what an SM can hold (T.R2, T.R3,\n"
    "T.REG, T.SLOT), one address space at a time on the SMs (T.P1), one copy at a time on an\n"
    "engine, in order (T.C2, T.C3), one time-slice group at a time on a runlist (B.R4); of a\n"
    "scenario its streams (T.G2, T.G4, T.C1, T.C4, T.N1, T.N2) and their channels (B.R2, B.C1,\n"
    "CUDA.CHANNEL_TURN, CUDA.CHANNEL_ORDER).\n"
    "Rules of AMD's GPUs are turns of an ACE's queues (A.D1), of blocks (A.O1) and of shader\n"
    "engines (A.D2), their slots (A.D3), that no block that fits is overtaken twice (A.D4), what\n"
    "CUs hold (A.D5), CU masks (A.M1), queue slots and VMIDs (A.H1), packets of a ring in order\n"
    "(A.Q1).  LOG stands for what no GPU could do, such as the end of a block that never began,\n"
    "LIVE for work that is left: something waits although nothing is left to happen (not judged\n"
    "in the log of a run that Ctrl-C ended).\n\n"
    "The check shares no code with the emulation.  It does not judge which SM got a block, nor\n"
    "whether one could have started earlier.  Each violation comes with the two events that\n"
    "clash, where there are two; gfe rules LABEL explains the rule.  FILE may be - for a log on\n"
    "standard input.\n\n"
    "Files that are JSON text are results of cuda_scheduling_examiner, measured on the real GPU\n"
    "that --gpu names; all that are given are one run of it.  They tell when blocks ran and on\n"
    "which SM, and when the CPU made its calls, so what they prove is checked: what an SM can\n"
    "hold, for each process (T.R2, T.R3, T.SLOT), kernels of a stream in order, after its copy\n"
    "in and before its copy out (T.G4, T.C4, T.C1), impossible times (LOG), and kernels that\n"
    "got blocks before their turn (T.X1, T.A2).  Whose turn it is depends on priorities: without\n"
    "--config, only what is wrong with any is found.  Events are named by the benchmark's label,\n"
    "or else the file, and the element of its list of times.\n\n"
    "Exit status: 0 all files obey the rules; 1 one does not, or is bad (the others are\n"
    "checked all the same); 2 wrong usage.\n",
    options, false};

struct request {
    struct cmd_gpu *gpu; /* its name is NULL if none is given */
    const char *config;
    gfe_ps tolerance_ps, clock_error_ps;
    uint64_t top;
    bool json;
    struct limits limits;
};

/* ---- text ------------------------------------------------------------------------------------ */

/* Seconds, to the picosecond. */
static void print_event(const struct check_event *event)
{
    if (event->text[0])
        printf("  %6" PRIu64 ".%012" PRIu64 " s  %s\n", event->time_ps / GFE_PS_PER_S,
               event->time_ps % GFE_PS_PER_S, event->text);
}

static void print_text(const char *name, const struct check_report *report, uint64_t top)
{
    for (uint32_t i = 0; i < report->finding_count && i < top; i++) {
        const struct check_finding *finding = &report->findings[i];

        printf("%s: %s: %s\n", name, finding->rule, finding->says);
        print_event(&finding->first);
        print_event(&finding->second);
    }
    if (report->violation_count > top)
        printf("%s: %" PRIu64 " more (--top)\n", name, report->violation_count - top);
    if (report->violation_count == 0)
        printf("%s: obeys the rules", name);
    else
        printf("%s: violates them %" PRIu64 " time%s", name, report->violation_count,
               report->violation_count == 1 ? "" : "s");
    printf(": %" PRIu64 " events, %" PRIu64 " kernels, %" PRIu64 " blocks, %" PRIu64 " copies\n",
           report->event_count, report->kernel_count, report->block_count, report->copy_count);
    if (report->ended_early)
        printf("%s: the run was ended early: what still waited is not judged (LIVE)\n", name);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_event(const struct check_event *event)
{
    return event->text[0]
               ? json_pack("{sI ss}", "time_ps", (json_int_t)event->time_ps, "event", event->text)
               : json_null();
}

/* Prints the report as JSON.  Returns false without memory. */
static bool print_json(const char *name, const struct check_report *report, uint64_t top)
{
    json_t *violations = json_array();
    json_t *root;
    bool done;

    for (uint32_t i = 0; i < report->finding_count && i < top; i++) {
        const struct check_finding *finding = &report->findings[i];

        if (json_array_append_new(violations,
                                  json_pack("{ss ss so so}", "rule", finding->rule, "says",
                                            finding->says, "first", json_event(&finding->first),
                                            "second", json_event(&finding->second))) != 0) {
            json_decref(violations);
            return false;
        }
    }
    root = json_pack("{ss sI sI sI sI sI sb so}", "log", name, "violations",
                     (json_int_t)report->violation_count, "events", (json_int_t)report->event_count,
                     "kernels", (json_int_t)report->kernel_count, "blocks",
                     (json_int_t)report->block_count, "copies", (json_int_t)report->copy_count,
                     "ended_early", report->ended_early, "list", violations);
    done = root && json_text_print(stdout, root);
    json_decref(root);
    return done;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool print_report(const struct request *request, const char *name,
                         const struct check_report *report, struct gfe_error *error)
{
    if (request->json)
        return print_json(name, report, request->top) ||
               error_set(error, ERROR_SYSTEM, "no memory for the report");
    print_text(name, report, request->top);
    return true;
}

/* ---- a log ----------------------------------------------------------------------------------- */

static bool limits_of(const struct request *request, const struct event_log_reader *log,
                      struct check_limits *limits, struct gfe_error *error)
{
    struct cmd_gpu logged CMD_GPU_OWNED = {0};
    const struct cmd_gpu *gpu = request->gpu->name ? request->gpu : &logged;

    if (!request->gpu->name && !cmd_gpu_of_log(log, &logged, error))
        return false;
    if (gpu_find_limits(gpu->name, gpu->described, limits))
        return true;
    return request->gpu->name ? gpu_missing(gpu->name, gpu->described, error)
                              : error_set(error, ERROR_INPUT,
                                          "%s: of a GPU that is not known here, '%s': give --gpu",
                                          event_log_name(log), gpu->name ? gpu->name : "");
}

/* *obeys is what the check found. */
static bool check_one(const char *path, const struct request *request, bool *obeys,
                      struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    struct check_report report = {0};
    struct check_limits limits;
    bool done = false;

    if (log && limits_of(request, log, &limits, error)) {
        event_log_limit(log, request->limits.expansion_bytes);
        done = check_log(log, &limits, &report, error);
    }
    done = done && print_report(request, event_log_name(log), &report, error);
    *obeys = report.violation_count == 0;
    check_report_fini(&report);
    event_log_close(log);
    return done;
}

/* ---- result files ---------------------------------------------------------------------------- */

/* Those of the command line; they are one run of the tool. */
struct experiment {
    struct check_result_file *files; /* owned, and the results in it */
    uint32_t count;
};

/* Returns true if the content is that of a result.  A pipe counts as a log, because looking at its
 * content would take it away. */
static bool is_result(const char *path)
{
    char head[256];
    struct stat status;
    ssize_t bytes;
    int fd;

    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    fd = opened_read(path);
    if (fd < 0)
        return false; /* the reader of logs says why */
    bytes = input_at(fd, head, sizeof head, 0);
    (void)close(fd);
    return bytes > 0 && examiner_result_is_text(head, (size_t)bytes);
}

static void experiment_fini(struct experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->count; i++)
        /* The check only borrows it as const. */
        examiner_result_free((struct examiner_result *)(uintptr_t)experiment->files[i].result);
    free(experiment->files);
}

static bool experiment_add(struct experiment *experiment, const char *path,
                           const struct limits *limits, struct gfe_error *error)
{
    struct check_result_file *files =
        realloc(experiment->files, (experiment->count + (size_t)1) * sizeof *files);
    struct examiner_result *result;

    if (!files)
        return error_set(error, ERROR_SYSTEM, "no memory for the results");
    experiment->files = files;
    result =
        examiner_result_load(path, limits_input(limits, EXAMINER_RESULT_TEXT_BYTES_MAX), error);
    if (result)
        files[experiment->count++] = (struct check_result_file){path, result};
    return result != NULL;
}

/* Compute channels of a CUDA context: fewer on the two Jetsons (Bakita and Anderson 2024, s.V-B).
 */
static uint32_t channels_of(const struct nv_chip *model)
{
    if (strcmp(model->chip, "GV11B") == 0)
        return 2;
    return strcmp(model->chip, "GA10B") == 0 ? 4 : 8;
}

static const struct nv_chip *model_of_results(const struct request *request,
                                              struct gfe_error *error)
{
    const struct cmd_gpu *gpu = request->gpu;
    const struct nv_chip *model = gpu_find_nvidia(gpu->name, gpu->described);

    if (!gpu->name)
        error_set(error, ERROR_USAGE,
                  "result files do not tell which GPU they were measured on: give --gpu");
    else if (!model)
        (void)gpu_missing(gpu->name, gpu->described, error);
    return model;
}

static bool experiment_print(const struct experiment *experiment, const struct request *request,
                             const struct check_report *report, struct gfe_error *error)
{
    char name[300];

    if (experiment->count == 1)
        return print_report(request, experiment->files[0].path, report, error);
    (void)snprintf(name, sizeof name, "%.250s and %u more", experiment->files[0].path,
                   experiment->count - 1);
    return print_report(request, name, report, error);
}

static bool experiment_check(const struct experiment *experiment, const struct request *request,
                             bool *obeys, struct gfe_error *error)
{
    const struct nv_chip *model = model_of_results(request, error);
    struct examiner_config *config = NULL;
    struct check_report report = {0};
    struct check_limits limits;
    bool done = false;

    if (model && request->config)
        config = examiner_config_load(request->config, error);
    if (model && (config || !request->config)) {
        done = gpu_find_limits(request->gpu->name, request->gpu->described, &limits) &&
               check_results(experiment->files, experiment->count,
                             &(struct check_result_rules){
                                 .limits = &limits,
                                 .tolerance_ps = request->tolerance_ps,
                                 .clock_error_ps = request->clock_error_ps,
                                 .config = config,
                                 .channel_count = channels_of(model),
                             },
                             &report, error) &&
               experiment_print(experiment, request, &report, error);
    }
    *obeys = report.violation_count == 0;
    check_report_fini(&report);
    examiner_config_free(config);
    return done;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool option_take(struct args *args, int id, struct request *request)
{
    if (limits_is(id))
        return limits_take(args, id, &request->limits);
    switch (id) {
    case OPTION_GPU:
        return cmd_gpu_take(args, request->gpu);
    case OPTION_CONFIG:
        request->config = args->value;
        return true;
    case OPTION_TOLERANCE:
        return args_time(args, &request->tolerance_ps);
    case OPTION_CLOCK_ERROR:
        return args_time(args, &request->clock_error_ps);
    case OPTION_TOP:
        return args_number_within(args, 1, CHECK_FINDINGS_MAX, &request->top);
    default:
        request->json = true;
        return true;
    }
}

/* Checks the logs and collects the results.  Returns the exit status so far. */
static int files_check(struct args *args, const struct request *request,
                       struct experiment *experiment)
{
    int status = 0;

    for (int i = 0; i < args->operand_count; i++) {
        struct gfe_error error = {0};
        bool obeys = true;

        if (is_result(args->operands[i])
                ? !experiment_add(experiment, args->operands[i], &request->limits, &error)
                : !check_one(args->operands[i], request, &obeys, &error))
            status = args_failed(args, &error);
        else if (!obeys)
            status = status ? status : 1;
    }
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct request request = {
        .gpu = &gpu,
        .tolerance_ps = CHECK_RESULT_TOLERANCE_PS,
        .clock_error_ps = CHECK_RESULT_CLOCK_ERROR_PS,
        .top = CHECK_TOP,
        .limits = LIMITS_DEFAULT,
    };
    struct experiment experiment = {0};
    struct args args;
    int id, status;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, -1))
        return args.status;
    status = files_check(&args, &request, &experiment);
    if (experiment.count > 0) {
        struct gfe_error error = {0};
        bool obeys = false;

        if (!experiment_check(&experiment, &request, &obeys, &error))
            status = args_failed(&args, &error);
        else if (!obeys)
            status = status ? status : 1;
    }
    experiment_fini(&experiment);
    struct gfe_error error = {0};
    return output_flush_stdout(&error) ? status : args_failed(&args, &error);
}
