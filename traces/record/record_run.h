/* SPDX-License-Identifier: MIT */
/*
 * `gfe record`: runs a program with libgfe-record preloaded and makes a trace of what it recorded.
 *
 * The program has its own standard streams, signals from the terminal and exit status; nothing is
 * written to them while it runs.  SIGTERM and SIGHUP, and SIGINT and SIGQUIT that were not typed
 * at the terminal, are passed on to it.
 */
#ifndef GFE_TRACES_RECORD_RUN_H
#define GFE_TRACES_RECORD_RUN_H

#include <stdbool.h>

#include "emu/base/error.h"
#include "traces/record/nouveau/record_board.h"
#include "traces/record/kfd/record_kfd_board.h"

struct record_live;

struct record_run_options {
    const struct record_board *board; /* to stand in for; NULL: the KFD boards */
    const struct record_kfd_board *kfd_boards[RECORD_KFD_GPUS_MAX];
    unsigned kfd_board_count;
    const char *output;
    char **program;   /* and its arguments, with NULL at the end */
    bool quiet;       /* no summary; messages about failures still appear */
    bool passthrough; /* above a real driver instead */
    const char *gpu;  /* as given.  passthrough: the GPU's name in the trace; NULL: its chip's */
    bool keep_command_line;   /* `program` goes into the trace, with its arguments */
    struct record_live *live; /* an emulated GPU is behind (record_live.h), and there is no trace */
};

/* The exit status: the program's (128 + n when signal n killed it), or 1 with a message when it
 * could not be recorded. */
int record_run(const struct record_run_options *options);

/* Makes a trace of what a killed `gfe record` left in `directory`, and deletes that.  The exit
 * status. */
int record_recover(const char *directory, const char *output, bool quiet);

/* Path of the library to preload: $GFE_RECORD_LIBRARY, near this program (beside it, as in the
 * build tree, or ../lib/gfe) or where it is installed.  Allocated; NULL with a message. */
char *record_run_library(struct gfe_error *error);

#endif
