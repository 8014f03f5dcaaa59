/* SPDX-License-Identifier: MIT */
/*
 * gfe regs: the register lists as manual pages, and the methods of NVIDIA's classes.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "devices/nvidia/formats/nv_class_diff.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/base/args.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/sim/describe.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"

enum {
    OPTION_GPU = ARGS_LONG_ONLY,
    OPTION_GENERATION,
    OPTION_CLASSES,
    OPTION_CLASS,
    OPTION_NEW,
};

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "GPU", "only what that GPU's generation has (gfe gpus lists GPUs)"},
    {OPTION_GENERATION, "generation", "NAME",
     "only what a generation has: Kepler, Maxwell, Pascal, Volta, Turing, Ampere\n"
     "(or GA100, GA10x), Ada, Hopper, gfx906, gfx908, gfx90a"},
    {OPTION_CLASSES, "classes", NULL,
     "lists NVIDIA's classes: how many methods each has, adds and changes"},
    {OPTION_CLASS, "class", "CLASS",
     "prints the methods of a class: c997, ADA_A, or Ada for all classes whose\n"
     "names begin with that word"},
    {OPTION_NEW, "new", "CLASS",
     "prints what a class adds (+), changes and removes (-), compared with the\n"
     "class before it in its family"},
    {0},
};

static const struct args_command command = {
    "regs", "[OPTION...] [UNIT [REGISTER]] | --class CLASS [METHOD]",
    "Without operands: lists the units that have registers.  With UNIT: prints its registers,\n"
    "their fields and values, and where these are described.  With REGISTER: only the one of\n"
    "that name, or those whose names contain the word.  What only some generations have says\n"
    "so.\n"
    "\n"
    "With --class: prints the methods of NVIDIA's classes in the same way, from NVIDIA's\n"
    "headers; with METHOD only those whose names contain the word.  Sizes of arrays (i < 16)\n"
    "are not in the headers: an array is taken to end where the next method begins.\n",
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

/* What the command line asks for. */
struct regs_request {
    uint32_t variants;
    int classes;      /* OPTION_CLASSES, OPTION_CLASS or OPTION_NEW; 0: registers */
    const char *name; /* of a class */
};

/* Is this the class's id, its name, or the first word of its name? */
static bool regs_is_class(const struct nv_class *nv_class, const char *name)
{
    const size_t length = strlen(name);
    char id[8];

    (void)snprintf(id, sizeof id, "%04x", nv_class->id);
    return strcasecmp(id, strncasecmp(name, "0x", 2) == 0 ? name + 2 : name) == 0 ||
           strcasecmp(nv_class->name, name) == 0 ||
           (strncasecmp(nv_class->name, name, length) == 0 && nv_class->name[length] == '_' &&
            !strchr(name, '_'));
}

static int regs_list_classes(void)
{
    for (size_t i = 0; i < nv_class_count(); i++)
        nv_class_print_line(stdout, nv_class_at(i));
    return 0;
}

static int regs_print_classes(struct args *args, const struct regs_request *request)
{
    const char *word = args->operand_count > 0 ? args->operands[0] : NULL;
    uint32_t classes = 0, printed = 0;

    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);

        if (!regs_is_class(nv_class, request->name))
            continue;
        classes++;
        if (nv_class_methods_named(nv_class, word) == 0)
            continue;
        if (printed++ > 0)
            fputc('\n', stdout);
        if (request->classes == OPTION_NEW)
            nv_class_print_new(stdout, nv_class);
        else
            nv_class_print(stdout, nv_class, word);
    }
    if (classes == 0)
        return args_wrong(args, "no class is called '%s'; gfe regs --classes lists them",
                          request->name);
    if (printed == 0)
        return args_wrong(args, "%s has no method whose name contains '%s'", request->name, word);
    return 0;
}

static bool regs_option(struct args *args, int id, struct regs_request *request)
{
    if (id >= OPTION_CLASSES) {
        if (request->classes != 0)
            return args_wrong(args, "only one of --classes, --class and --new, and once") == 0;
        request->classes = id;
        request->name = args->value;
        return true;
    }
    if (id == OPTION_GPU) {
        struct cmd_gpu chosen CMD_GPU_OWNED = {0};
        struct gpu gpu;

        if (!cmd_gpu_take(args, &chosen))
            return false;
        if (!gpu_find(chosen.name, chosen.described, &gpu))
            return args_wrong(args, "no GPU is called '%s'; gfe gpus lists them", args->value) == 0;
        request->variants = gpu.vendor->reg_variants(&gpu);
        return true;
    }
    request->variants = describe_variants(gfe_reg_lists, gfe_reg_list_count, args->value);
    if (request->variants == 0)
        return args_wrong(args, "no generation is called '%s'", args->value) == 0;
    return true;
}

static int regs_answer(struct args *args, const struct regs_request *request)
{
    if (request->classes != 0 && request->variants != REG_ALL_VARIANTS)
        return args_wrong(args, "--gpu and --generation select registers, not classes");
    if (request->classes == OPTION_CLASSES)
        return regs_list_classes();
    if (request->classes != 0)
        return regs_print_classes(args, request);
    if (args->operand_count > 0)
        return regs_print_unit(args, request->variants, args->operands[0],
                               args->operand_count == 2 ? args->operands[1] : NULL);
    describe_reg_lists(stdout, gfe_reg_lists, gfe_reg_list_count, request->variants);
    return 0;
}

/* How many operands may follow. */
static int regs_operands_max(const struct regs_request *request)
{
    return request->classes == 0 ? 2 : request->classes == OPTION_CLASS;
}

int cmd_regs(int argc, char **argv)
{
    struct regs_request request = {.variants = REG_ALL_VARIANTS};
    struct gfe_error error = {0};
    struct args args;
    int id, status;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!regs_option(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 0, regs_operands_max(&request)))
        return args.status;
    status = regs_answer(&args, &request);
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return status;
}
