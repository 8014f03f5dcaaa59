/* SPDX-License-Identifier: MIT */
/*
 * gfe compare: measurements of a real GPU beside an emulated one, figure by figure.
 */
#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/fit/compare.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_fit_progress.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd_settings.h"
#include "emu/program/sandbox.h"
#include "emu/sim/gpus.h"

enum { OPTION_AS = ARGS_LONG_ONLY, OPTION_SEED, OPTION_POLICY };

static const struct args_option options[] = {
    {'g', "gpu", "GPU", "the GPU that is emulated, by name or from a GPU file (needed)"},
    {OPTION_AS, "as", "FORMAT", "text (default), json or html"},
    {'f', "figures", NULL, "text: print each figure, too"},
    {'o', "output", "FILE", "write to FILE"},
    {'p', "param", "ID=N", "set a parameter (gfe rules lists them); may be repeated"},
    {OPTION_POLICY, "policy", "ID=NAME", "set a choice point; may be repeated"},
    {OPTION_SEED, "seed", "N", "seed of all choice points (default 0)"},
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "compare", "[OPTION...] --gpu NAME FILE...",
    "Makes experiments that were measured on a real GPU again on an emulated one, and prints\n"
    "what was measured, what the emulation does, and the error: for each file the median, how\n"
    "many figures are within 10 %, how many blocks are on the measured SM, and how many pairs\n"
    "of kernels start in the measured order.  FILE has JSON lines as the programs in\n"
    "tests/hardware print them, plain or packed by gzip (docs/compare.md).  Nothing is fitted.\n",
    options, false};

enum format { AS_TEXT, AS_JSON, AS_HTML };

struct request {
    struct cmd_gpu *chosen; /* owned by the command */
    const char *output;
    enum format format;
    bool each;
    uint64_t seed;
    struct simulation_setting parameters[CMD_SETTINGS_MAX], choices[CMD_SETTINGS_MAX];
    uint32_t parameter_count, choice_count;
};

static bool take_format(struct args *args, struct request *request)
{
    static const char *const names[] = {"text", "json", "html"};

    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(args->value, names[i]) == 0) {
            request->format = (enum format)i;
            return true;
        }
    args_wrong(args, "--%s is text, json or html, not '%s'", args->option, args->value);
    return false;
}

static bool take_option(struct args *args, int id, struct request *request)
{
    switch (id) {
    case 'g':
        return cmd_gpu_take(args, request->chosen);
    case 'f':
        request->each = true;
        return true;
    case 'o':
        request->output = args->value;
        return true;
    case 'p':
        return cmd_settings_take(args, request->parameters, &request->parameter_count);
    case OPTION_POLICY:
        return cmd_settings_take(args, request->choices, &request->choice_count);
    case OPTION_SEED:
        return args_number(args, &request->seed);
    default:
        return take_format(args, request);
    }
}

static bool print(const struct request *request, const struct fit_comparison *comparison,
                  FILE *file, struct gfe_error *error)
{
    json_t *json;
    bool done = true;

    switch (request->format) {
    case AS_TEXT:
        fit_comparison_print(comparison, request->chosen->name, request->each, file);
        break;
    case AS_HTML:
        fit_comparison_html(comparison, request->chosen->name, file);
        break;
    case AS_JSON:
        json = fit_comparison_json(comparison, request->chosen->name);
        done = json_text_print(file, json) ||
               error_set(error, ERROR_SYSTEM, "no memory for the answer");
        json_decref(json);
    }
    return done;
}

static bool write_to(const struct request *request, const struct fit_comparison *comparison,
                     struct gfe_error *error)
{
    struct output output;
    const char *path = request->output ? request->output : "-";

    if (!output_open_text(&output, path, error))
        return false;
    if (print(request, comparison, output.file, error))
        return output_commit(&output, error);
    output_abort(&output);
    return false;
}

int cmd_compare(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct request request = {.chosen = &chosen};
    struct cmd_fit_progress progress = {.command = "compare"};
    struct fit_machine machine;
    struct fit_comparison comparison;
    struct gfe_error error = {0};
    struct args args;
    bool done;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!take_option(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, FIT_FILES_MAX))
        return args.status;
    if (!chosen.name)
        return args_wrong(&args, "--gpu is needed: which GPU is emulated");
    machine = (struct fit_machine){.model = gpu_find_nvidia(chosen.name, chosen.described),
                                   .described = chosen.described,
                                   .seed = request.seed,
                                   .parameters = request.parameters,
                                   .choices = request.choices,
                                   .parameter_count = request.parameter_count,
                                   .choice_count = request.choice_count};
    if (!machine.model) {
        gpu_missing(chosen.name, chosen.described, &error);
        return args_failed(&args, &error);
    }
    cmd_fit_progress_begin(&progress, &machine);
    done = fit_compare(&comparison, (const char *const *)args.operands,
                       (uint32_t)args.operand_count, &machine, &error);
    cmd_fit_progress_end(&progress);
    done = done && write_to(&request, &comparison, &error);
    fit_comparison_free(&comparison);
    return done ? EXIT_SUCCESS : args_failed(&args, &error);
}
