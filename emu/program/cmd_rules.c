/* SPDX-License-Identifier: MIT */
/*
 * gfe rules: what the model obeys, with which figures, and where the hardware's choice is unknown.
 */
#include <config.h>

#include <stdio.h>

#include "emu/base/args.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/sim/describe.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"

static const struct args_option options[] = {
    {'g', "gpu", "GPU", "say what of them was seen on other GPUs only"},
    {'j', "json", NULL, "print JSON"},
    {0},
};

static const struct args_command command = {
    "rules", "[OPTION...] [LABEL]",
    "Prints the rules that the model obeys, its parameters and its choice points, each with\n"
    "its basis (DOCUMENTED, PUBLISHED, MEASURED, INFERRED or ASSUMED), its source, where it\n"
    "was seen, and for a rule who enforces it on the real thing.  A choice point that is \"left\n"
    "open\" has a default by some evidence, which does not exclude the other alternatives.\n"
    "LABEL: only the row of that label or id, or all whose\n"
    "label begins with it: T.G3, T, nv.pbdma.\n",
    options, false};

static int rules_print_json(const struct describe_question *question)
{
    json_t *json = describe_rules_json(gfe_table_sets, gfe_table_set_count, question);
    int count = 0;

    if (!json)
        return -1;
    count = (int)(json_array_size(json_object_get(json, "rules")) +
                  json_array_size(json_object_get(json, "parameters")) +
                  json_array_size(json_object_get(json, "choice_points")));
    if (count > 0 && !json_text_print(stdout, json))
        count = -1;
    json_decref(json);
    return count;
}

int cmd_rules(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct describe_question question = {0};
    struct args args;
    bool json = false;
    int id, count;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (id == 'g' && !cmd_gpu_take(&args, &gpu))
            return args.status;
        if (id != 'g')
            json = true;
    }
    if (id == ARGS_STOP || !args_operands(&args, 0, 1))
        return args.status;
    question.label = args.operand_count > 0 ? args.operands[0] : NULL;
    question.gpu = gpu.name;
    question.chip = gpu_find_chip(gpu.name, gpu.described);
    if (question.gpu && !question.chip)
        return args_wrong(&args, "no GPU is called '%s'; gfe gpus lists them", question.gpu);
    count = json ? rules_print_json(&question)
                 : (int)describe_rules(stdout, gfe_table_sets, gfe_table_set_count, &question);
    if (count < 0)
        error_set(&error, ERROR_SYSTEM, "no memory for the tables");
    else if (count == 0)
        return args_wrong(&args, "no rule, parameter or choice point is called '%s'",
                          question.label);
    if (error.kind != ERROR_NONE || !output_flush_stdout(&error))
        return args_failed(&args, &error);
    return 0;
}
