/* SPDX-License-Identifier: MIT */
/*
 * gfe record: a program's use of a GPU becomes a trace.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/sim/gpu_file.h"
#include "emu/program/cmd.h"
#include "traces/record/record_recover.h"
#include "traces/record/record_run.h"

enum {
    OPTION_GPU = ARGS_LONG_ONLY,
    OPTION_RECOVER,
    OPTION_KEEP_COMMAND,
    OPTION_PASSTHROUGH,
    OPTION_END_REST,
    OPTION_CLEAN
};

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "G",
     "the GPU to stand in for: gtx1060 (default), gtx1060-3gb, gtx680, gtx980,\n"
     "gtx1050, gtx1050ti, v100, titan-v, rtx2060; of AMD radeon-vii, mi50,\n"
     "mi60, mi100, mi210, or several, as in radeon-vii,mi100"},
    {'o', "output", "F.gft", "write the trace to F.gft (default: PROGRAM.gft)"},
    {'q', "quiet", NULL, "no summary after the program has ended"},
    {OPTION_KEEP_COMMAND, "keep-command-line", NULL,
     "put PROGRAM and its arguments into the trace (default: only\nthe name)"},
    {OPTION_PASSTHROUGH, "passthrough", NULL,
     "record above the kernel driver of a GPU that is here (nouveau, or\n"
     "KFD with a GPU of AMD's in --gpu): calls go on to it, and chip\n"
     "and addresses are its own; --gpu then only names the GPU in the\n"
     "trace"},
    {OPTION_END_REST, "end-rest", NULL,
     "end the processes that PROGRAM leaves running (SIGTERM, after 5 s\n"
     "SIGKILL) instead of waiting for them"},
    {OPTION_RECOVER, "recover", "DIR",
     "make a trace of what a gfe record that was killed, or could not\n"
     "write its trace, left in DIR (gfe-record-... in $TMPDIR or /tmp);\n"
     "damaged parts are left out, and DIR then stays"},
    {OPTION_CLEAN, "clean", NULL,
     "delete such folders of yours, but not those of recordings that\ngo on, and stop"},
    {0},
};

static const struct args_command command = {
    "record", "[OPTION...] -- PROGRAM [ARGUMENT...]",
    "Runs PROGRAM and records what its graphics driver submits to the GPU.  No GPU is needed:\n"
    "a preloaded library stands in for the kernel driver (nouveau), below the unmodified\n"
    "user-mode driver (Mesa).  Nothing is executed but the completion values that the driver\n"
    "waits for, so what PROGRAM reads back means nothing.\n"
    "\n"
    "With an AMD GPU the library stands in for KFD and amdgpu, below ROCm's libraries (HSA, HIP\n"
    "of ROCm 5.2.3).  Queues, doorbells in the order of the stores, packets, signals and code\n"
    "are recorded.  Copies, fills, barriers and signals take effect; kernels of PROGRAM do not:\n"
    "they end when they begin.  As with the kernel, a child cannot use its parent's /dev/kfd.\n"
    "A process that is killed by SIGKILL loses what it rang in the last 2 ms.\n"
    "\n"
    "With --passthrough PROGRAM runs on the first GPU that nouveau drives (/dev/dri/renderD*),\n"
    "or on those of KFD (/dev/kfd), and the library answers nothing.  Completion values in the\n"
    "trace are then those that the GPU wrote, as far as they were seen; other results that lie\n"
    "in memory that PROGRAM maps are in the trace, too.  What was in that memory before PROGRAM\n"
    "mapped it is not.\n"
    "\n"
    "The trace holds what the driver uploads: textures, vertices, constants, and also words\n"
    "that were never initialised, with whatever PROGRAM had there before.  gfe scrub removes what\n"
    "a replay does not need.  Arguments and environment are not recorded, but PROGRAM may have\n"
    "copies of them in that memory.\n"
    "\n"
    "Every process that PROGRAM starts is recorded if it uses the GPU, as a client of its own.\n"
    "PROGRAM's output is its own; a summary follows on standard error when it has ended.\n"
    "Processes that it leaves running are waited for, and recorded (--end-rest); SIGINT (Ctrl-C)\n"
    "or SIGTERM then ends the waiting.  Only you can read the trace (mode 0600).\n"
    "\n"
    "Exit status: PROGRAM's, or 128 + n if signal n killed it; 1 if it cannot be recorded or\n"
    "never opened the GPU, 2 wrong usage.\n",
    options, true};

/* "PROGRAM.gft" in this directory. */
static const char *default_output(const char *program, char *room, size_t bytes)
{
    const char *slash = strrchr(program, '/');

    snprintf(room, bytes, "%s.gft", slash ? slash + 1 : program);
    return room;
}

/* One of NVIDIA's, or a list of AMD's. */
static bool gpu_set(struct record_run_options *run, const char *names)
{
    run->gpu = names;
    run->board = record_board_find(names);
    if (!run->board)
        run->kfd_board_count = record_kfd_board_list(names, run->kfd_boards);
    return run->board || run->kfd_board_count > 0;
}

int cmd_record(int argc, char **argv)
{
    struct record_run_options run = {.board = record_board_find("gtx1060")};
    const char *recover = NULL;
    bool clean = false;
    char room[300];
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (id == 'o')
            run.output = args.value;
        else if (id == 'q')
            run.quiet = true;
        else if (id == OPTION_KEEP_COMMAND)
            run.keep_command_line = true;
        else if (id == OPTION_PASSTHROUGH)
            run.passthrough = true;
        else if (id == OPTION_END_REST)
            run.end_rest = true;
        else if (id == OPTION_CLEAN)
            clean = true;
        else if (id == OPTION_RECOVER)
            recover = args.value;
        else if (id == OPTION_GPU && !gpu_set(&run, args.value))
            return args_wrong(&args,
                              gpu_file_is(args.value)
                                  ? "%s: a GPU in a file has no board that a program could find; "
                                    "gfe gpus lists those that have (RECORD)"
                                  : "there is no GPU '%s' to stand in for",
                              args.value);
    }
    if (id == ARGS_STOP ||
        !args_operands(&args, recover || clean ? 0 : 1, recover || clean ? 0 : -1))
        return args.status;
    if (recover && clean)
        return args_wrong(&args, "--recover and --clean are two things: one after the other");
    if (clean)
        return record_clean(run.quiet);
    if (recover && !run.output)
        return args_wrong(&args, "--recover needs -o F.gft");
    if (recover)
        return record_recover(recover, run.output, run.quiet);
    run.program = args.operands;
    if (!run.output)
        run.output = default_output(args.operands[0], room, sizeof room);
    return record_run(&run);
}
