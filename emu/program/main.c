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
    enum main_sandbox { OPEN, CLOSED, CLOSED_READS_ALL, CLOSED_REPORT, CLOSED_NOT_FROM } sandbox;
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
    {"compare", cmd_compare, "hold measurements of a real GPU against an emulated one", CLOSED},
    {"calibrate", cmd_calibrate, "fit parameters to measurements of a real GPU", CLOSED},
    {"discriminate", cmd_discriminate,
     "find the smallest program that tells two policies of a GPU apart", CLOSED},
    {"live", cmd_live, "run an OpenGL or ROCm program above an emulated GPU, with faults in it",
     OPEN},
    {"inject", cmd_inject, "break the emulated hardware on purpose, and judge what comes of it",
     CLOSED_NOT_FROM},
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
    {"selftest", cmd_selftest, "make random worlds, and try what has to hold in each", OPEN},
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

/* Says that the sandbox does not stand, or hardly.  Without Landlock alone seccomp still keeps all
 * files closed that are read; gfe --version says that it is missing. */
static void main_tell(const struct main_command *command, int stands)
{
    if (!sandbox_is_built() || stands & SANDBOX_SECCOMP)
        return;
    fprintf(stderr,
            "gfe %s: the sandbox %s: this system refuses seccomp; --no-sandbox reads the files "
            "without it, and without this line\n",
            command->name, stands ? "has one wall of two, Landlock" : "is off");
}

/* Says what the sandbox of this build is on this system. */
static void main_print_sandbox(void)
{
    static const char *const walls[] = {
        [0] = "off, because this system refuses seccomp, and has no Landlock",
        [SANDBOX_LANDLOCK] = "Landlock; this system refuses seccomp",
        [SANDBOX_SECCOMP] = "seccomp; this system has no Landlock",
        [SANDBOX_LANDLOCK | SANDBOX_SECCOMP] = "seccomp and Landlock",
    };

    printf("sandbox: %s\n", sandbox_is_built() ? walls[sandbox_possible()]
                                               : "off, because this build has a sanitizer");
}

/* Returns true if gfe inject opens the program that a database names: --from, or its beginning. */
static bool main_is_from(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--fr", 4) == 0)
            return true;
    return false;
}

/* Returns true if a command raises the sandbox, with this command line. */
static bool main_closes(const struct main_command *command, int argc, char **argv)
{
    switch (command->sandbox) {
    case OPEN:
        return false;
    case CLOSED_REPORT:
        return main_reports(argc, argv);
    case CLOSED_NOT_FROM:
        return !main_is_from(argc, argv);
    default:
        return true;
    }
}

static int main_run(const struct main_command *command, int argc, char **argv)
{
    const bool closes = command->sandbox != OPEN && !main_no_sandbox(&argc, argv) &&
                        main_closes(command, argc, argv);

    if (closes)
        main_tell(command, sandbox_enter(argc, argv, command->sandbox == CLOSED_READS_ALL));
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
        main_print_sandbox();
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
