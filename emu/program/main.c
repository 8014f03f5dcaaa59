/* SPDX-License-Identifier: MIT */
/* The gfe program: finds the command and runs it.  Exit status: 0 done, 1 the input is bad or a
 * check failed, 2 wrong usage. */
#include <config.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "emu/program/cmd.h"
#include "emu/program/sandbox.h"
#include "emu/sim/gfe.h"
#include "emu/base/output.h"
#include "emu/base/visible.h"

struct main_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    enum main_sandbox { OPEN, CLOSED, CLOSED_READS_ALL, CLOSED_REPORT } sandbox;
};

static const struct main_command main_commands[] = {
    {"record", cmd_record,
     "record what a real driver submits; stand in for the GPU if there is none", OPEN},
    {"run", cmd_run,
     "replay a trace, or run CUDA programs, on an emulated GPU; print what happened", CLOSED},
    {"show", cmd_show, "draw the event log of a run", CLOSED},
    {"explain", cmd_explain, "say where the time of each operation of a run went, rule by rule",
     CLOSED},
    {"check", cmd_check, "say whether the events of a run obey the scheduling rules", CLOSED},
    {"diff", cmd_diff, "compare two runs of the same programs: the first decision that differs",
     CLOSED},
    {"discriminate", cmd_discriminate,
     "find the smallest program that tells two policies of a GPU apart", OPEN},
    {"live", cmd_live, "run an OpenGL or ROCm program above an emulated GPU, with faults in it",
     OPEN},
    {"inject", cmd_inject, "break the emulated hardware on purpose, and judge what comes of it",
     OPEN},
    {"campaign", cmd_campaign, "break it thousands of times, and count what comes of it",
     CLOSED_REPORT},
    {"inspect", cmd_inspect, "show registers, runlists and queues at a time of a run",
     CLOSED_READS_ALL},
    {"debug", cmd_debug, "go through a run step by step, forward and back", OPEN},
    {"decode", cmd_decode, "print every GP entry and method of a trace, with names and fields",
     CLOSED},
    {"regs", cmd_regs, "print registers, and methods of NVIDIA's classes", OPEN},
    {"rules", cmd_rules, "print rules, parameters and choice points with their sources", OPEN},
    {"gpus", cmd_gpus, "print the GPU models, every figure with its basis", OPEN},
    {"occupancy", cmd_occupancy,
     "say how many blocks of a kernel an SM or CU holds, and what limits them", OPEN},
    {"xid", cmd_xid, "say what a line of NVIDIA's kernel driver means, field by field", OPEN},
    {"hash", cmd_hash, "print the identity of traces and event logs", CLOSED},
    {"import", cmd_import, "turn another recorder's file into a trace", OPEN},
    {"scrub", cmd_scrub, "remove the program's memory from a trace, and prove it the same", CLOSED},
};

static void main_usage(FILE *file)
{
    fputs("gfe, the GPU front-end emulator\n\n"
          "usage: gfe COMMAND [ARGUMENT...]\n\n",
          file);
    for (size_t i = 0; i < sizeof main_commands / sizeof main_commands[0]; i++)
        fprintf(file, "  %-13s %s\n", main_commands[i].name, main_commands[i].summary);
    fputs(
        "\nA first round:\n"
        "  gfe record --gpu gtx1060 -o app.gft -- ./app   record an OpenGL program\n"
        "  gfe run -o app.gfl app.gft                     replay it\n"
        "  gfe show app.gfl                               look at it\n"
        "  gfe explain app.gfl                            ask where the time went\n\n"
        "gfe COMMAND --help says more; gfe --version prints the version.\n"
        "Exit status: 0 done, 1 the input is bad or a check failed (one line on standard error\n"
        "says which file, where, and what was expected), 2 wrong usage, 3 a run ended with work left:\n"
        "something waits that can never go on.\n",
        file);
}

/* A command that failed has said why; two lines for one cause would be one too many. */
static int main_finish(int status)
{
    struct gfe_error error = {0};

    if (status != 0 || output_flush_stdout(&error))
        return status;
    fprintf(stderr, "gfe: %s\n", error.text);
    return 1;
}

/* Returns true for --no-sandbox and for its beginnings, as getopt_long() takes them. */
static bool main_is_no_sandbox(const char *word)
{
    const size_t bytes = strlen(word);

    return bytes >= strlen("--no-s") && strncmp(word, "--no-sandbox", bytes) == 0;
}

/* Takes --no-sandbox out of the command line.  Returns true if it was there. */
static bool main_no_sandbox(int *argc, char **argv)
{
    int kept = 0;

    for (int i = 0; i < *argc; i++)
        if (!main_is_no_sandbox(argv[i]))
            argv[kept++] = argv[i];
    argv[kept] = NULL;
    if (kept == *argc)
        return false;
    *argc = kept;
    return true;
}

/* Returns true if the first action of gfe campaign on the command line is to report. */
static bool main_reports(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "report") == 0 || strcmp(argv[i], "run") == 0 ||
            strcmp(argv[i], "merge") == 0)
            return strcmp(argv[i], "report") == 0;
    return false;
}

static int main_run(const struct main_command *command, int argc, char **argv)
{
    const bool closes = command->sandbox != OPEN && !main_no_sandbox(&argc, argv) &&
                        (command->sandbox != CLOSED_REPORT || main_reports(argc, argv));

    if (closes)
        (void)sandbox_enter(argc, argv, command->sandbox == CLOSED_READS_ALL);
    return main_finish(command->run(argc, argv));
}

int main(int argc, char **argv)
{
    char help[] = "--help";

    if (!visible_stdio()) {
        fputs("gfe: no memory\n", stderr);
        return 1;
    }
    if (argc < 2) {
        main_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("gfe %s\n", gfe_version());
        if (!sandbox_is_built())
            printf("sandbox: off, because this build has a sanitizer\n");
        return main_finish(0);
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2) { /* gfe help run: gfe run --help */
        argv[1] = argv[2];
        argv[2] = help;
        argc = 3;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        main_usage(stdout);
        return main_finish(0);
    }
    for (size_t i = 0; i < sizeof main_commands / sizeof main_commands[0]; i++)
        if (strcmp(argv[1], main_commands[i].name) == 0)
            return main_run(&main_commands[i], argc - 1, argv + 1);
    visible_mark(argv[1]);
    fprintf(stderr, "gfe: no command is called '%s' (see gfe --help)\n", argv[1]);
    return 2;
}
