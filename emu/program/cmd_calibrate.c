/* SPDX-License-Identifier: MIT */
/*
 * gfe calibrate: parameters of gfe, fitted to measurements of a real GPU.
 */
#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/fit/calibrate.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_fit_progress.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd_settings.h"
#include "emu/program/sandbox.h"
#include "emu/sim/gpus.h"

enum { OPTION_POLICY = ARGS_LONG_ONLY, OPTION_NAME, OPTION_PROGRESS };

static const struct args_option options[] = {
    {'g', "gpu", "GPU", "where the fit begins, by name or from a GPU file (needed)"},
    {'f', "fit", "ID", "fit this parameter (gfe rules lists them); needed, may be repeated"},
    {'o', "output", "FILE", "write what was found as a GPU file"},
    {OPTION_NAME, "name", "NAME", "what that GPU is called (default: GPU-calibrated)"},
    {'p', "param", "ID=N", "set a parameter that is not fitted; may be repeated"},
    {OPTION_POLICY, "policy", "ID=NAME", "take this alternative; may be repeated"},
    {OPTION_PROGRESS, "progress", NULL, "show how far the fit is also where stderr is no terminal"},
    {'j', "json", NULL, "print JSON"},
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "calibrate", "[OPTION...] --gpu GPU --fit ID... FILE...",
    "Fits parameters of gfe to what was measured on a real GPU (docs/compare.md), so that the\n"
    "errors of gfe compare are least.  Says of each parameter what fits, how far that can be\n"
    "off, on how many figures it rests, or that the measurements do not determine it.  -o writes\n"
    "a GPU file with the values that are determined.\n"
    "\n"
    "What is predicted with such a file must be measured in files that were not fitted to.\n",
    options, false};

struct request {
    struct cmd_gpu *chosen; /* owned by the command */
    const char *output, *name, *ids[FIT_PARAMETERS_MAX];
    uint32_t id_count;
    bool json, progress;
    struct simulation_setting parameters[CMD_SETTINGS_MAX], choices[CMD_SETTINGS_MAX];
    uint32_t parameter_count, choice_count;
};

static bool take_option(struct args *args, int id, struct request *request)
{
    switch (id) {
    case 'g':
        return cmd_gpu_take(args, request->chosen);
    case 'f':
        if (request->id_count == FIT_PARAMETERS_MAX) {
            args_wrong(args, "--fit: more than %d parameters", FIT_PARAMETERS_MAX);
            return false;
        }
        request->ids[request->id_count++] = args->value;
        return true;
    case 'o':
        request->output = args->value;
        return true;
    case OPTION_NAME:
        request->name = args->value;
        return true;
    case 'p':
        return cmd_settings_take(args, request->parameters, &request->parameter_count);
    case OPTION_POLICY:
        return cmd_settings_take(args, request->choices, &request->choice_count);
    case OPTION_PROGRESS:
        request->progress = true;
        return true;
    default:
        request->json = true;
        return true;
    }
}

static bool print_json(const struct fit_calibration *calibration, struct gfe_error *error)
{
    json_t *json = fit_calibration_json(calibration);
    const bool done =
        json_text_print(stdout, json) || error_set(error, ERROR_SYSTEM, "no memory for the answer");

    json_decref(json);
    return done;
}

/* Writes the GPU file.  The output is closed, whatever the result. */
static bool write_file(const struct request *request, const struct fit_calibration *calibration,
                       struct output *output, struct gfe_error *error)
{
    json_t *json = fit_calibration_gpu(calibration, request->chosen->name, request->name);
    const bool done = json_text_print(output->file, json) ||
                      error_set(error, ERROR_SYSTEM, "no memory for the GPU file");

    json_decref(json);
    if (done)
        return output_commit(output, error);
    output_abort(output);
    return false;
}

/* Fits, and writes the file.  A file that cannot be written is an error before the fit begins. */
static bool fit_and_write(const struct request *request, const struct args *args,
                          struct fit_calibration *calibration, struct fit_machine *machine,
                          struct gfe_error *error)
{
    struct cmd_fit_progress progress = {.command = "calibrate", .always = request->progress};
    struct output output = {0};
    bool done;

    if (request->output && !output_open_text(&output, request->output, error))
        return false;
    cmd_fit_progress_begin(&progress, machine);
    done = fit_calibrate(calibration, (const char *const *)args->operands,
                         (uint32_t)args->operand_count, request->ids, request->id_count, machine,
                         error);
    cmd_fit_progress_end(&progress);
    if (done && request->output)
        return write_file(request, calibration, &output, error);
    output_abort(&output);
    return done;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool usage_is_right(struct args *args, const struct request *request)
{
    if (!request->chosen->name)
        args_wrong(args, "--gpu is needed: where the fit begins");
    else if (request->id_count == 0)
        args_wrong(args, "--fit is needed: which parameters");
    else if (request->output && request->chosen->described)
        args_wrong(args, "-o writes a file that inherits a built-in GPU; %s is none",
                   request->chosen->name);
    else
        return true;
    return false;
}

int cmd_calibrate(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct request request = {.chosen = &chosen};
    struct fit_calibration calibration = {0};
    struct gfe_error error = {0};
    struct fit_machine machine;
    struct args args;
    bool done;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!take_option(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, FIT_FILES_MAX) ||
        !usage_is_right(&args, &request))
        return args.status;
    machine = (struct fit_machine){.model = gpu_find_nvidia(chosen.name, chosen.described),
                                   .described = chosen.described,
                                   .parameters = request.parameters,
                                   .choices = request.choices,
                                   .parameter_count = request.parameter_count,
                                   .choice_count = request.choice_count};
    if (!machine.model) {
        gpu_missing(chosen.name, chosen.described, &error);
        return args_failed(&args, &error);
    }
    done = fit_and_write(&request, &args, &calibration, &machine, &error);
    if (done && request.json)
        done = print_json(&calibration, &error);
    else if (done)
        fit_calibration_print(&calibration, stdout);
    fit_calibration_free(&calibration);
    if (!done || !output_flush_stdout(&error))
        return args_failed(&args, &error);
    return EXIT_SUCCESS;
}
