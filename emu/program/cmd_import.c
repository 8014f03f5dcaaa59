/* SPDX-License-Identifier: MIT */
/*
 * gfe import: recordings of other programs become traces.
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/base/input.h"
#include "emu/base/limits.h"
#include "emu/program/cmd.h"
#include "emu/base/output.h"
#include "emu/sim/bare_gpu.h"
#include "traces/import/import_bus.h"
#include "traces/import/import_nvt.h"
#include "traces/import/import_raw.h"

#define IMPORT_BYTES (UINT64_C(16) << 30)

static const struct args_option options[] = {
    {'o', "output", "F.gft", "write the trace to F.gft (needed); - is standard output"},
    LIMITS_OPTION_INPUT("16G"),
    {0},
};

static const struct args_command command = {
    "import", "KIND FILE -o F.gft",
    "Turns a recording that another program made into a gfe trace.  FILE may be - for\n"
    "standard input.  F.gft appears when it is complete.\n"
    "\n"
    "Kinds:\n"
    "  bus    a register-level program: a text that names the GPU and says which registers\n"
    "         and words of its memory are written when, by their manuals' names; it runs\n"
    "         without any driver (see docs/inspect.md)\n"
    "  nvt    nouveau's kernel interface (pushbuf), as Mesa's OpenGL driver uses it.  Its\n"
    "         push data are checked against its memory pages.  For Vulkan (VM_BIND,\n"
    "         EXEC) it lacks the lists of what a job waits for and signals: notes in the\n"
    "         trace say where there were any.\n"
    "  raw    a text that names the GPU and says which words lie where in its memory and\n"
    "         what is submitted: for bare pushbuffers and GP entries from anywhere\n"
    "\n"
    "Exit status: 0 done, 1 the recording is bad or the trace cannot be written, 2 wrong\n"
    "usage.\n",
    options, false};

struct import_kind {
    const char *name;
    bool (*import)(FILE *file, const char *name, int fd, const char *output_name,
                   struct gfe_error *error);
};

static bool import_bus_text(FILE *file, const char *name, int fd, const char *output_name,
                            struct gfe_error *error)
{
    return import_bus(file, name, fd, output_name, &bare_gpu_chips, error);
}

static const struct import_kind kinds[] = {
    {"bus", import_bus_text}, {"nvt", import_nvt}, {"raw", import_raw}};

static const struct import_kind *kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* Says what the importer said, or that the file is too large if it said that. */
static bool import_failed(const char *path, FILE *file, const struct gfe_error *why,
                          const struct limits *limits, struct gfe_error *error)
{
    if (ferror(file) && strstr(why->text, strerror(EFBIG)))
        return input_failed(input_name(path), EFBIG, limits_input(limits, IMPORT_BYTES), error);
    *error = *why;
    return false;
}

static bool import_file(const struct import_kind *kind, const char *path, const char *output_path,
                        const struct limits *limits, struct gfe_error *error)
{
    FILE *file = input_open(path, limits_input(limits, IMPORT_BYTES).bytes, error);
    struct output output = {0};
    struct gfe_error why = {0};
    bool done = false;

    if (!file)
        return false;
    if (output_differs(output_path, path, error) &&
        output_open_private(&output, output_path, error)) {
        done = kind->import(file, input_name(path), output.fd, output_path, &why)
                   ? output_commit(&output, error)
                   : import_failed(path, file, &why, limits, error);
    }
    output_abort(&output);
    (void)fclose(file);
    return done;
}

int cmd_import(int argc, char **argv)
{
    const char *output_path = NULL;
    struct gfe_error error = {0};
    struct limits limits = LIMITS_DEFAULT;
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!limits_is(id))
            output_path = args.value;
        else if (!limits_take(&args, id, &limits))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 2, 2))
        return args.status;
    if (!output_path)
        return args_wrong(&args, "-o F.gft is needed");
    const struct import_kind *kind = kind_find(args.operands[0]);
    if (!kind)
        return args_wrong(&args, "there is no kind '%s'", args.operands[0]);
    if (!import_file(kind, args.operands[1], output_path, &limits, &error))
        return args_failed(&args, &error);
    return 0;
}
