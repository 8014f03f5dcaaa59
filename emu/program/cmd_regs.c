/* SPDX-License-Identifier: MIT */
/*
 * gfe regs: the register lists as manual pages.
 */
#include <config.h>

#include <stdio.h>
#include <strings.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_variants.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/base/args.h"
#include "emu/program/cmd.h"
#include "emu/sim/describe.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"

enum { OPTION_GPU = ARGS_LONG_ONLY, OPTION_GENERATION };

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "GPU", "only what that GPU's generation has (gfe gpus lists GPUs)"},
    {OPTION_GENERATION, "generation", "NAME",
     "only what a generation has: Kepler, Maxwell, Pascal, Volta, Turing, Ampere\n"
     "(or GA100, GA10x), Ada, Hopper, gfx906, gfx908, gfx90a"},
    {0},
};

static const struct args_command command = {
    "regs", "[OPTION...] [UNIT [REGISTER]]",
    "Without operands: lists the units that have registers.  With UNIT: prints its registers,\n"
    "their fields and values, and where these are described.  With REGISTER: only the one of\n"
    "that name, or those whose names contain the word.  What only some generations have says\n"
    "so.\n",
    options, false};

static const struct reg_list *regs_unit(const char *name, uint32_t variants)
{
    for (uint32_t i = 0; i < gfe_reg_list_count; i++)
        if (strcasecmp(gfe_reg_lists[i]->name, name) == 0 &&
            (gfe_reg_lists[i]->variants == 0 || (gfe_reg_lists[i]->variants & variants)))
            return gfe_reg_lists[i];
    return NULL;
}

static int regs_print_unit(struct args *args, uint32_t variants, const char *unit, const char *word)
{
    const char *there = variants == REG_ALL_VARIANTS ? "" : " there";
    const struct reg_list *list = regs_unit(unit, variants);

    if (!list)
        return args_wrong(args, "no unit is called '%s'%s; gfe regs lists them", unit, there);
    if (describe_registers(stdout, list, variants, word) > 0)
        return 0;
    if (!word)
        return args_wrong(args, "%s has no registers%s", list->name, there);
    return args_wrong(args, "%s has no register whose name contains '%s'%s", list->name, word,
                      there);
}

static bool regs_option(struct args *args, int id, uint32_t *variants)
{
    const struct nv_chip *model;

    if (id == OPTION_GPU) {
        const struct amd_chip *chip = amd_chip_by_name(args->value);

        model = nv_chip_by_name(args->value);
        if (!model && !chip)
            return args_wrong(args, "no GPU is called '%s'; gfe gpus lists them", args->value) == 0;
        *variants = chip ? amd_variant_of(chip->isa) : nv_chip_reg_variants(model);
        return true;
    }
    *variants = describe_variants(gfe_reg_lists, gfe_reg_list_count, args->value);
    if (*variants == 0)
        return args_wrong(args, "no generation is called '%s'", args->value) == 0;
    return true;
}

int cmd_regs(int argc, char **argv)
{
    struct gfe_error error = {0};
    uint32_t variants = REG_ALL_VARIANTS;
    struct args args;
    int id, status = 0;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!regs_option(&args, id, &variants))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 0, 2))
        return args.status;
    if (args.operand_count == 0)
        describe_reg_lists(stdout, gfe_reg_lists, gfe_reg_list_count, variants);
    else
        status = regs_print_unit(&args, variants, args.operands[0],
                                 args.operand_count == 2 ? args.operands[1] : NULL);
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return status;
}
