/* SPDX-License-Identifier: MIT */
/*
 * `gfe record`: runs a program with libgfe-record preloaded and makes a trace of its records.
 *
 * The program keeps its standard streams, its signals from the terminal and its exit status; gfe
 * writes nothing to the streams while it runs.  SIGTERM and SIGHUP, and SIGINT and SIGQUIT that
 * were not typed at the terminal, are passed on to the program.  Processes that the program leaves
 * running are waited for (record_wait.h).
 */
#ifndef GFE_TRACES_RECORD_RECORD_RUN_H
#define GFE_TRACES_RECORD_RECORD_RUN_H

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
    bool end_rest;    /* what the program leaves running is ended, not waited for */
    bool keep_command_line; /* `program` goes into the trace, with its arguments */
    struct record_live
        *live; /* the GPU is emulated (record_live.h), and there is no trace; or NULL */
};

/* Runs and records the program.  Returns the program's exit status (128 + n if signal n killed it),
 * or 1 with a message if it could not be recorded. */
int record_run(const struct record_run_options *options);

/* Returns the path of the library to preload: $GFE_RECORD_LIBRARY, near this program (beside it, as
 * in the build tree, or ../lib/gfe) or where it is installed.  The caller frees it.  Returns NULL
 * with a message on error. */
char *record_run_library(struct gfe_error *error);

#endif
