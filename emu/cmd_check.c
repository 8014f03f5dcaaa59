/* SPDX-License-Identifier: MIT */
/*
 * gfe check: do the events of a log obey the rules?
 */
#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "devices/gpu_model.h"
#include "emu/args.h"
#include "emu/check.h"
#include "emu/cmd.h"
#include "emu/json_text.h"
#include "emu/limits.h"
#include "emu/output.h"

enum { OPTION_GPU = ARGS_LONG_ONLY, OPTION_TOP, CHECK_TOP = 20 };

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "GPU", "what it has is the limit (default: the one that the log names)"},
    {OPTION_TOP, "top", "N", "print the first N violations of a log (default 20, at most 1000)"},
    {'j', "json", NULL, "print JSON"},
    LIMITS_OPTION_EXPANSION,
    {0},
};

static const struct args_command command = {
    "check", "[OPTION...] LOG...",
    "Checks whether the events of each log (.gfl, made by gfe run) obey the scheduling rules:\n"
    "queues of kernels (T.X1, T.G3, T.G4, CORE.BLOCK_ORDER), what an SM can hold (T.R2, T.R3,\n"
    "T.REG, T.SLOT), one address space at a time on the SMs (T.P1), one copy at a time on an\n"
    "engine, in order (T.C2, T.C3), one time-slice group at a time on a runlist (B.R4).  LOG\n"
    "stands for what no GPU could do, such as the end of a block that never began.\n\n"
    "The check shares no code with the emulation.  It does not judge which SM got a block, nor\n"
    "whether one could have started earlier.  Each violation comes with the two events that\n"
    "clash, where there are two; gfe rules LABEL explains the rule.  LOG may be - for standard\n"
    "input.\n\n"
    "Exit status: 0 all logs obey the rules; 1 one does not, or is bad (the others are\n"
    "checked all the same); 2 wrong usage.\n",
    options, false};

struct request {
    const char *gpu;
    uint64_t top;
    bool json;
    struct limits limits;
};

static struct check_limits limits_of(const struct gpu_model *model)
{
    const struct exec_limits *sm = &model->sm;

    return (struct check_limits){
        .sm_count = model->sm_count,
        .threads_per_sm = sm->threads_per_sm,
        .warps_per_sm = sm->warps_per_sm,
        .blocks_per_sm = sm->blocks_per_sm,
        .registers_per_sm = sm->registers_per_sm,
        .registers_per_block = sm->registers_per_block,
        .registers_per_thread = sm->registers_per_thread,
        .shared_bytes_per_sm = sm->shared_bytes_per_sm,
        .shared_bytes_per_block = sm->shared_bytes_per_block,
        .threads_per_block = sm->threads_per_block,
        .threads_per_warp = sm->threads_per_warp,
        .register_unit = sm->register_unit,
        .warp_unit = sm->warp_unit,
        .shared_unit_bytes = sm->shared_unit_bytes,
    };
}

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
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_event(const struct check_event *event)
{
    return event->text[0]
               ? json_pack("{sI ss}", "time_ps", (json_int_t)event->time_ps, "event", event->text)
               : json_null();
}

/* False: no memory. */
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
    root = json_pack("{ss sI sI sI sI sI so}", "log", name, "violations",
                     (json_int_t)report->violation_count, "events", (json_int_t)report->event_count,
                     "kernels", (json_int_t)report->kernel_count, "blocks",
                     (json_int_t)report->block_count, "copies", (json_int_t)report->copy_count,
                     "list", violations);
    done = root && json_text_print(stdout, root);
    json_decref(root);
    return done;
}

/* ---- a log ----------------------------------------------------------------------------------- */

static const struct gpu_model *model_of(const struct request *request,
                                        const struct event_log_reader *log, struct gfe_error *error)
{
    const char *name = request->gpu ? request->gpu : event_log_run(log, "gpu");
    const struct gpu_model *model = name ? gpu_model_by_name(name) : NULL;

    if (!model && request->gpu)
        error_set(error, ERROR_USAGE, "no GPU is called '%s'; gfe gpus lists them", name);
    else if (!model)
        error_set(error, ERROR_INPUT, "%s: of a GPU that is not known here, '%s': give --gpu",
                  event_log_name(log), name ? name : "");
    return model;
}

/* *obeys is what the check found. */
static bool check_one(const char *path, const struct request *request, bool *obeys,
                      struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    const struct gpu_model *model = log ? model_of(request, log, error) : NULL;
    struct check_report report = {0};
    struct check_limits limits;
    bool done = false;

    if (model) {
        limits = limits_of(model);
        event_log_limit(log, request->limits.expansion_bytes);
        done = check_log(log, &limits, &report, error);
    }
    if (done && request->json)
        done = print_json(event_log_name(log), &report, request->top) ||
               error_set(error, ERROR_SYSTEM, "no memory for the report");
    else if (done)
        print_text(event_log_name(log), &report, request->top);
    *obeys = report.violation_count == 0;
    check_report_fini(&report);
    event_log_close(log);
    return done;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    if (limits_is(id))
        return limits_take(args, id, &request->limits);
    switch (id) {
    case OPTION_GPU:
        request->gpu = args->value;
        return true;
    case OPTION_TOP:
        return args_number_within(args, 1, CHECK_FINDINGS_MAX, &request->top);
    default:
        request->json = true;
        return true;
    }
}

int cmd_check(int argc, char **argv)
{
    struct request request = {.top = CHECK_TOP, .limits = LIMITS_DEFAULT};
    struct args args;
    int id, status = 0;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, -1))
        return args.status;
    for (int i = 0; i < args.operand_count; i++) {
        struct gfe_error error = {0};
        bool obeys = false;

        if (!check_one(args.operands[i], &request, &obeys, &error))
            status = args_failed(&args, &error);
        else if (!obeys)
            status = status ? status : 1;
    }
    struct gfe_error error = {0};
    return output_flush_stdout(&error) ? status : args_failed(&args, &error);
}
