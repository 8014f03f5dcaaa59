/* SPDX-License-Identifier: MIT */
/*
 * gfe inspect: what somebody would have seen who looked into the GPU at some time of a run.
 *
 * The run is made again up to that time: the log says of which trace (by its hash), on which GPU,
 * with which parameters, choices and pokes, by which version.  What was made again is compared with
 * the log, event for event.  Without the trace only what stands in the log is shown, and that is
 * said.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpus.h"
#include "emu/debug/inspection.h"
#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/base/json_text.h"
#include "emu/base/limits.h"
#include "emu/base/opened.h"
#include "emu/base/output.h"

enum {
    INSPECT_AT = ARGS_LONG_ONLY,
    INSPECT_TRACE,
    INSPECT_SNAPSHOT,
    INSPECT_GPU,
};

static const struct args_option inspect_options[] = {
    {INSPECT_AT, "at", "WHEN",
     "after the events of that time, such as 2ms; or event:N,\nafter the N-th of the log "
     "(default: the end)"},
    {INSPECT_TRACE, "trace", "FILE",
     "the trace or scenario that the log is of (default: the path\nthat gfe run was given, or that "
     "name beside the log)"},
    {INSPECT_SNAPSHOT, "snapshot", "FILE",
     "go on from a snapshot that gfe run --snapshot took of the\nsame run, if it lies before WHEN"},
    {INSPECT_GPU, "gpu", "GPU",
     "without a LOG: that GPU, by name or from a GPU file, after\nits reset"},
    {'j', "json", NULL, "print JSON"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0, NULL, NULL, NULL},
};

static const struct args_command inspect_command = {
    .name = "inspect",
    .usage = "[OPTION...] LOG VIEW | --gpu GPU VIEW",
    .summary =
        "Shows the GPU at a time of a run: its registers, runlists and queues, as the files of "
        "the\n"
        "nvdebug module show them of a real one, or those of the amdkfd driver.  LOG is what gfe\n"
        "run -o wrote; the run is made again from its trace or scenario up to that time, and\n"
        "compared with the log on the way.\n"
        "\n"
        "Views:\n"
        "  device_info            engines with runlist, reset, interrupt and fault ids (PTOP)\n"
        "  runlistN               entries of runlist N and the state of its channels\n"
        "  pce_map                mask of the physical copy engines\n"
        "  lce_for_pceN           the logical copy engine that PCE N serves\n"
        "  shared_lce_for_grceN   the logical copy engine whose PCE GRCE N shares\n"
        "  channels               channels that are bound, enabled or on a runlist\n"
        "  tsgs                   time-slice groups of all runlists\n"
        "  pbdmaN                 registers of PBDMA N\n"
        "  engines[N]             status of the engines of runlist N, or of all\n"
        "  regs UNIT              registers of a unit, as gfe regs names it; nv_pbdma[1] is one\n"
        "                         of several\n"
        "  hqds                   AMD: registers of all queue slots, as /sys/kernel/debug/kfd/hqds\n"
        "  mqds                   AMD: descriptors of each process's queues, as the file mqds there\n"
        "  rls                    AMD: the list of queues that the firmware has, as rls there\n"
        "  queues                 streams, kernels and copies that wait or run, blocks on SMs\n"
        "                         (AMD: queues with their slots and dispatches, blocks on CUs):\n"
        "                         from the log's events alone, for which no trace is needed\n",
    .options = inspect_options,
};

struct inspect {
    struct cmd_gpu *chosen; /* owned by the command */
    const char *gpu, *log, *trace, *snapshot;
    const char *view, *argument;
    struct inspection_when when;
    struct limits limits;
    bool json;
};

/* ---- options ----------------------------------------------------------------------------------
 */

static bool inspect_when(struct args *args, struct inspect *inspect)
{
    if (strncmp(args->value, "event:", 6) != 0) {
        inspect->when.event = UINT64_MAX;
        return args_time(args, &inspect->when.at_ps);
    }
    inspect->when.at_ps = GFE_PS_NEVER;
    if (args_parse_number(args->value + 6, &inspect->when.event) && inspect->when.event > 0)
        return true;
    args_wrong(args, "--%s: '%s' is no event: they count from event:1", args->option, args->value);
    return false;
}

static bool inspect_option(struct args *args, struct inspect *inspect, int option)
{
    if (limits_is(option))
        return limits_take(args, option, &inspect->limits);
    switch (option) {
    case INSPECT_AT:
        return inspect_when(args, inspect);
    case INSPECT_TRACE:
        inspect->trace = args->value;
        return true;
    case INSPECT_SNAPSHOT:
        inspect->snapshot = args->value;
        return true;
    case INSPECT_GPU:
        if (!cmd_gpu_take(args, inspect->chosen))
            return false;
        inspect->gpu = inspect->chosen->name;
        return true;
    default:
        inspect->json = true;
        return true;
    }
}

/* LOG VIEW [UNIT], or with --gpu VIEW [UNIT]. */
static bool inspect_operands(struct args *args, struct inspect *inspect)
{
    const int views_at = inspect->gpu ? 0 : 1;

    if (!args_operands(args, views_at + 1, views_at + 2))
        return false;
    if (!inspect->gpu)
        inspect->log = args->operands[0];
    inspect->view = args->operands[views_at];
    if (args->operand_count > views_at + 1)
        inspect->argument = args->operands[views_at + 1];
    return true;
}

/* ---- printing ---------------------------------------------------------------------------------
 */

static bool inspect_print_view(const struct inspect *inspect, const struct inspect_view *view,
                               const json_t *json, struct gfe_error *error)
{
    if (inspect->json && !json_text_print(stdout, json))
        return error_set(error, ERROR_SYSTEM, "no memory for the view");
    if (!inspect->json)
        inspect_print(stdout, view, json);
    return output_flush_stdout(error);
}

/* Builds the view of a machine and prints it, with when that was. */
static bool inspect_show(const struct inspect *inspect, const struct inspect_view *view,
                         struct inspect_subject subject, const char *gpu, struct gfe_error *error)
{
    const gfe_ps now = subject.machine ? machine_now(subject.machine) : 0;
    json_t *json;
    bool done = false;

    subject.argument = inspect->argument;
    subject.error = error;
    json = view->build(&subject);
    if (json && (json_object_set_new(json, "gpu", json_string(gpu)) != 0 ||
                 json_object_set_new(json, "time_ps", json_integer((json_int_t)now)) != 0))
        error_set(error, ERROR_SYSTEM, "no memory for the view");
    else if (json)
        done = inspect_print_view(inspect, view, json, error);
    json_decref(json);
    return done;
}

/* ---- the sandbox ------------------------------------------------------------------------------
 */

/* Keeps the file of that name, and the one of its last part in the log's folder.  Returns false if
 * there are too many files. */
static bool inspect_keep(const char *log, const char *name, struct gfe_error *error)
{
    const char *slash = strrchr(log, '/'), *base = strrchr(name, '/');
    char *beside = NULL;
    bool kept;

    if (asprintf(&beside, "%.*s%s", slash ? (int)(slash + 1 - log) : 0, log,
                 base ? base + 1 : name) < 0)
        return error_set_errno(error, ENOMEM, "%s", log);
    kept = opened_keep(name) && opened_keep(beside);
    free(beside);
    return kept;
}

/* Keeps the files that the log names as its own, a line each: the trace, or files of a scenario. */
static bool inspect_keep_named(const char *path, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    struct log_event event;
    char *names = NULL, *rest, *line;
    bool kept = true;

    if (!log)
        return false;
    if (event_log_read(log, &event, error) != EVENT_LOG_FAILED) {
        names = strdup(event_log_host(log, "trace"));
        if (!names)
            error_set_errno(error, ENOMEM, "%s", path);
    }
    event_log_close(log);
    rest = names;
    while (kept && rest && (line = strsep(&rest, "\n")) != NULL)
        kept = inspect_keep(path, line, error);
    free(names);
    return kept && error->kind == ERROR_NONE;
}

/* Opens what will be read, and gives up the right to open anything else, before more than the head
 * of the log is read.  Files stay open to read if there are more than can be kept. */
static bool inspect_close_files(const struct inspect *inspect, bool names_trace,
                                struct gfe_error *error)
{
    const char *const given[] = {inspect->log, inspect->trace, inspect->snapshot};
    bool kept = true;

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        kept = kept && (!given[i] || opened_keep(given[i]));
    if (kept && names_trace)
        kept = inspect_keep_named(inspect->log, error);
    if (error->kind != ERROR_NONE)
        return false;
    return !kept || sandbox_narrow(false) ||
           error_set(error, ERROR_SYSTEM,
                     "the right to open files could not be given up (--no-sandbox keeps it)");
}

/* ---- where it comes from ----------------------------------------------------------------------
 */

static bool inspect_bare(const struct inspect *inspect, const struct gpu *gpu,
                         const struct inspect_view *view, uint32_t number, struct gfe_error *error)
{
    struct gfe_error unmodelled = {0};
    struct gpu_bare bare;
    const bool wired = gpu->vendor->bare_open(gpu, &bare, &unmodelled);
    bool done;

    bare.subject.number = number;
    if (wired || (unmodelled.kind == ERROR_LIMIT && view->needs_no_machine))
        done = inspect_show(inspect, view, bare.subject, bare.gpu, error);
    else
        done = error_set(error, unmodelled.kind, "%s", unmodelled.text);

    gpu->vendor->bare_close(&bare);
    return done;
}

/* Nothing of the GPU's inside stands in the log, but what happened does. */
static bool inspect_from_log(const struct inspect *inspect, const struct inspection *inspection,
                             const struct inspect_view *view, uint32_t number,
                             struct gfe_error *error)
{
    json_t *json = inspection_from_log(inspection, view, number, &inspect->when, error);
    bool done;

    if (!json)
        return false;
    fprintf(stderr, "gfe inspect: %s; shown is only what the log says\n",
            inspection->trace_error.text);
    done = inspect_print_view(inspect, inspection_log_view(view), json, error);
    json_decref(json);
    return done;
}

/* What the log's events tell whole: no run is made again. */
static bool inspect_events(const struct inspect *inspect, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(inspect->log, error);
    json_t *json = NULL;
    bool done = false;

    if (log) {
        event_log_limit(log, inspect->limits.expansion_bytes);
        json = inspect_queues(log, inspect->when.at_ps, inspect->when.event, error);
    }
    if (json)
        done = inspect_print_view(inspect, &inspect_queues_view, json, error);
    json_decref(json);
    event_log_close(log);
    return done;
}

static bool inspect_run(const struct inspect *inspect, const struct inspection *inspection,
                        const struct inspection_run *run, const struct inspect_view *view,
                        uint32_t number, struct gfe_error *error)
{
    struct any_simulation simulation;
    struct inspect_subject subject;
    bool done;

    if (!inspection_rerun(inspection, run, &simulation, error))
        return false;
    subject = any_simulation_subject(&simulation);
    subject.number = number;
    done = inspect_show(inspect, view, subject, simulation.machine->config.gpu, error);
    any_simulation_free(&simulation);
    return done;
}

static bool inspect_no_view(const char *gpu, const struct inspect_view *view,
                            struct gfe_error *error)
{
    const char *vendor = "other";

    for (uint32_t i = 0; i < GPU_VENDORS; i++)
        if (view->vendors & gpu_vendors[i]->views)
            vendor = gpu_vendors[i]->name;
    return error_set(error, ERROR_USAGE, "%s is a view of %s GPUs, and %s is none", view->name,
                     vendor, gpu);
}

static bool inspect_log(const struct inspect *inspect, const struct inspect_view *view,
                        uint32_t number, struct gfe_error *error)
{
    const struct inspection_run run = {.when = inspect->when,
                                       .snapshot = inspect->snapshot,
                                       .max_events = inspect->limits.events,
                                       .max_time_ps = inspect->limits.time_ps,
                                       .max_memory_bytes = inspect->limits.memory_bytes};
    const struct gpu_vendor *vendor;
    struct inspection *inspection;
    const char *gpu;
    bool done = false;

    if (view == &inspect_queues_view)
        return inspect_events(inspect, error);
    inspection =
        inspection_open(inspect->log, inspect->trace, inspect->limits.expansion_bytes, error);
    if (!inspection)
        return false;
    gpu = inspection_run_string(inspection, "gpu");
    vendor = inspection->described ? inspection->described->vendor : gpu_vendor_of(gpu);
    if (!(view->vendors & (vendor ? vendor : &gpu_nvidia)->views))
        done = inspect_no_view(gpu, view, error);
    else if (!inspection_has_program(inspection))
        done = inspect_from_log(inspect, inspection, view, number, error);
    else
        done = inspect_run(inspect, inspection, &run, view, number, error);
    inspection_close(inspection);
    return done;
}

int cmd_inspect(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct inspect inspect = {.limits = LIMITS_DEFAULT,
                              .chosen = &chosen,
                              .when = {.at_ps = GFE_PS_NEVER, .event = UINT64_MAX}};
    const struct gpu_vendor *vendor = NULL;
    const struct inspect_view *view;
    struct gpu gpu;
    struct gfe_error error = {0};
    struct args args;
    uint32_t number;
    char names[400];
    int option;

    args_start(&args, &inspect_command, argc, argv);
    while ((option = args_next(&args)) >= 0)
        if (!inspect_option(&args, &inspect, option))
            return args.status;
    if (option == ARGS_STOP || !inspect_operands(&args, &inspect))
        return args.status;
    if (gpu_find(inspect.gpu, chosen.described, &gpu))
        vendor = gpu.vendor;
    if (inspect.gpu && !vendor)
        return args_wrong(&args, "no GPU is called '%s'; gfe gpus lists them", inspect.gpu);
    view = inspection_view_find(inspect.view, &number);
    inspection_view_names(names, sizeof names);
    if (!view)
        return args_wrong(&args, "there is no view '%s': there are %s", inspect.view, names);
    if (view == &inspect_queues_view && (inspect.gpu || inspect.trace || inspect.snapshot))
        return args_wrong(&args,
                          "%s is of a log's events: --gpu, --trace and --snapshot have no "
                          "meaning with it",
                          view->name);
    if (inspect.argument && !(view->argument && view->argument[0] == ' '))
        return args_wrong(&args, "nothing follows %s", inspect.view);
    if (vendor && !(view->vendors & vendor->views))
        return inspect_no_view(inspect.gpu, view, &error) ? 0 : args_failed(&args, &error);
    if (!inspect_close_files(&inspect, !vendor && view != &inspect_queues_view && !inspect.trace,
                             &error))
        return args_failed(&args, &error);
    return (vendor ? inspect_bare(&inspect, &gpu, view, number, &error)
                   : inspect_log(&inspect, view, number, &error))
               ? 0
               : args_failed(&args, &error);
}
