/* SPDX-License-Identifier: MIT */
/* gfe xid: what a line of NVIDIA's kernel driver says. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/args.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/base/input.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "firmware-models/rm/rm_xid.h"

enum { LINE_BYTES = 4096 };

static const struct args_option options[] = {
    {'g', "gpu", "NAME", "NVIDIA's GPU whose line it is (default h100; gfe gpus lists them)"},
    {'j', "json", NULL, "print JSON, an object for each Xid"},
    {0},
};

static const struct args_command command = {
    "xid", "[OPTION...] LINE... | -",
    "Takes lines of NVIDIA's kernel driver apart: Xid 13, 31, 32, 43, 45, 69, 80 and 109; and\n"
    "nouveau's about a PBDMA.  What each field means on that chip, which engine, TSG, SM, class\n"
    "and method it names, and who is blamed.  LINE is one argument, and may be cut: gfe xid 'Xid\n"
    "109 ... Info 0x1c016'.  With - lines are read from standard input, and others passed over.\n"
    "Exit status 1: a line whose form is not known.\n",
    options, false};

struct asked {
    const struct nv_chip *chip;
    bool json, failed;
};

/* ---- printing -------------------------------------------------------------------------------- */

static void print_text(const struct rm_xid *xid)
{
    if (xid->number)
        printf("Xid %" PRIu32 " (%s): %s\n", xid->number, xid->name, xid->title);
    else
        printf("%s: %s\n", xid->name, xid->title);
    for (uint32_t i = 0; i < xid->field_count; i++) {
        const struct rm_xid_field *field = &xid->fields[i];

        printf("  %-12s %-12s%s%s\n", field->name, field->value, field->meaning[0] ? "  " : "",
               field->meaning);
    }
}

static json_t *field_json(const struct rm_xid_field *field)
{
    return json_pack("{ss,ss,so,ss}", "name", field->name, "value", field->value, "number",
                     field->is_number ? json_integer((json_int_t)field->number) : json_null(),
                     "meaning", field->meaning);
}

static bool print_json(const struct rm_xid *xid, struct gfe_error *error)
{
    json_t *fields = json_array(), *json;
    bool done;

    for (uint32_t i = 0; i < xid->field_count; i++)
        fields = json_text_append(fields, field_json(&xid->fields[i]));
    json = json_text_pack("{so,ss,ss,ss,so}", "xid",
                          xid->number ? json_integer((json_int_t)xid->number) : json_null(), "name",
                          xid->name, "title", xid->title, "gpu", xid->chip->name, "fields", fields);
    done = json_text_print(stdout, json);
    json_decref(json);
    return done || error_set(error, ERROR_SYSTEM, "no memory for the answer");
}

/* Returns false with a message if the line is not known, or memory is short. */
static bool line_print(const struct asked *asked, const char *line, struct gfe_error *error)
{
    struct rm_xid xid;

    if (!rm_xid_parse(&xid, asked->chip, line, error))
        return false;
    if (asked->json)
        return print_json(&xid, error);
    print_text(&xid);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* A line that is not known does not keep the others from being printed. */
static void lines_read(struct asked *asked, struct args *args)
{
    char line[LINE_BYTES];

    enum input_line got;

    /* A log may go on for ever; a line of it may not.  What is left of a long one is a line, too.
     */
    while ((got = input_line(stdin, line, sizeof line)) == INPUT_LINE || got == INPUT_LONG) {
        struct gfe_error error = {0};

        line[strcspn(line, "\n")] = '\0';
        if ((!strstr(line, "Xid") && !rm_xid_is_nouveau(line)) || line_print(asked, line, &error))
            continue;
        (void)args_failed(args, &error);
        asked->failed = true;
    }
    if (got != INPUT_END) {
        struct gfe_error error = {0};

        if (got == INPUT_ZERO)
            error_set(&error, ERROR_INPUT, "standard input: a zero byte: this is no text");
        else
            error_set_errno(&error, errno, "standard input");
        (void)args_failed(args, &error);
        asked->failed = true;
    }
}

int cmd_xid(int argc, char **argv)
{
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct asked asked = {.chip = nv_chip_by_name("h100")};
    struct gfe_error error = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (id == 'j') {
            asked.json = true;
            continue;
        }
        if (!cmd_gpu_take(&args, &gpu))
            return args.status;
        asked.chip = gpu_find_nvidia(gpu.name, gpu.described);
        if (!asked.chip)
            return args_wrong(&args, "no GPU of NVIDIA's is called '%s'; gfe gpus lists them",
                              args.value);
    }
    if (id == ARGS_STOP || !args_operands(&args, 1, -1))
        return args.status;
    for (int i = 0; i < args.operand_count; i++) {
        if (strcmp(args.operands[i], "-") == 0)
            lines_read(&asked, &args);
        else if (!line_print(&asked, args.operands[i], &error))
            return args_failed(&args, &error);
    }
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return asked.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
