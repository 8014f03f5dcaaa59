/* SPDX-License-Identifier: MIT */
/*
 * gfe regs: the register lists as manual pages.
 */
#include <config.h>

#include <stdio.h>
#include <strings.h>

#include "devices/gpu_model.h"
#include "emu/args.h"
#include "emu/cmd.h"
#include "emu/describe.h"
#include "emu/output.h"

static const struct args_option options[] = {{0}};

static const struct args_command command = {
    "regs", "[UNIT [REGISTER]]",
    "Without operands: lists the units that have registers.  With UNIT: prints its registers,\n"
    "their fields and values, and where these are described.  With REGISTER: only the one of\n"
    "that name, or those whose names contain the word.\n",
    options, false};

static const struct reg_list *regs_unit(const char *name)
{
    for (uint32_t i = 0; i < gfe_reg_list_count; i++)
        if (strcasecmp(gfe_reg_lists[i]->name, name) == 0)
            return gfe_reg_lists[i];
    return NULL;
}

static int regs_print_unit(struct args *args, const char *unit, const char *word)
{
    const struct reg_list *list = regs_unit(unit);

    if (!list)
        return args_wrong(args, "no unit is called '%s'; gfe regs lists them", unit);
    if (describe_registers(stdout, list, word) == 0)
        return args_wrong(args, "%s has no register whose name contains '%s'", list->name, word);
    return 0;
}

int cmd_regs(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct args args;
    int id, status = 0;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        continue;
    if (id == ARGS_STOP || !args_operands(&args, 0, 2))
        return args.status;
    if (args.operand_count == 0)
        describe_reg_lists(stdout, gfe_reg_lists, gfe_reg_list_count);
    else
        status = regs_print_unit(&args, args.operands[0],
                                 args.operand_count == 2 ? args.operands[1] : NULL);
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return status;
}
