/* SPDX-License-Identifier: MIT */
/*
 * gfe hash: the identity of traces and event logs.
 */
#include <config.h>

#include <limits.h>
#include <stdio.h>

#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd.h"
#include "traces/format/hash.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"
#include "emu/base/visible.h"
#include "traces/format/trace_dump.h"

enum { OPTION_SCHEMA = ARGS_LONG_ONLY, OPTION_EVENTS };

static const struct args_option options[] = {
    {OPTION_EVENTS, "events", NULL,
     "of event logs, hash events and totals alone, without the head,\n"
     "which names the trace: what gfe scrub keeps the same"},
    {OPTION_SCHEMA, "schema", NULL, "print the description of the trace format (Markdown)"},
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "hash", "FILE... | --schema",
    "Prints the SHA-256 of what each trace or event log says, in the form of sha256sum.\n"
    "Two files of the same hash hold the same records or events, however they are\n"
    "compressed.  Of a trace, what describes only the machine that recorded (host, program,\n"
    "process and thread numbers, wall-clock time) is left out.  FILE may be - for standard\n"
    "input.\n"
    "\n"
    "Exit status: 0 done, 1 a file is damaged, cut off or neither of the two (the others\n"
    "are hashed all the same), 2 wrong usage.\n",
    options, false};

static int hash_print(struct args *args, const char *path, const struct limits *limits, bool events)
{
    struct gfe_error error = {0};
    char hex[HASH_HEX_BYTES], name[2 * PATH_MAX];

    if (!(events ? hash_file_events(path, limits->expansion_bytes, hex, &error)
                 : hash_file_within(path, limits->expansion_bytes, hex, &error)))
        return args_failed(args, &error);
    printf("%s  %s\n", hex, visible_name(name, sizeof name, path));
    return 0;
}

int cmd_hash(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct limits limits = LIMITS_DEFAULT;
    struct args args;
    bool schema = false, events = false;
    int id, status = 0;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (id == OPTION_EVENTS)
            events = true;
        else if (!limits_is(id))
            schema = true;
        else if (!limits_take(&args, id, &limits))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, schema ? 0 : 1, schema ? 0 : -1))
        return args.status;
    if (schema)
        trace_dump_schema(stdout);
    for (int i = 0; i < args.operand_count; i++)
        if (hash_print(&args, args.operands[i], &limits, events) != 0)
            status = 1;
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return status;
}
