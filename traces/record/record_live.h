/* SPDX-License-Identifier: MIT */
/*
 * One run of a program above an emulated GPU, for `gfe live`: what record_run() (record_run.h) does
 * then that it does not for a recording.  The program has a time limit, its output can be kept, and
 * nothing that it started is left behind.
 */
#ifndef GFE_TRACES_RECORD_LIVE_H
#define GFE_TRACES_RECORD_LIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "emu/base/error.h"

struct record_live {
    const char *orders;  /* lines for the emulation (emu/live/live_preload.c) */
    uint64_t timeout_ns; /* the program is killed then; 0: never */
    int out_fd, err_fd;  /* become its standard output and error; -1: it has its own */
    /* Called when it has ended, before the recording's directory is deleted; NULL: not. */
    bool (*collect)(void *context, const char *directory, struct gfe_error *error);
    void *context;
    /* What came of it. */
    bool has_run;    /* the program was started, and has ended */
    int wait_status; /* as waitpid(2) tells */
    bool timed_out;
    int interrupted; /* the signal that we were asked to end with; 0: none */
    uint64_t took_ns;
    unsigned left_count; /* processes that were still there, and were killed */
    char problem[500];   /* why a process could not take part; "" when nothing was wrong */
};

/* Writes the lines into the recording's directory. */
bool record_live_orders(const struct record_live *live, const char *directory,
                        struct gfe_error *error);
/* In the child, before exec: false with errno. */
bool record_live_child(const struct record_live *live);
/* Until the program has ended, or its time has; then until nothing of it is left.  `blocked` are
 * the signals that are blocked here: SIGCHLD, and those that are passed on.  Its wait status. */
int record_live_wait(struct record_live *live, pid_t program, const sigset_t *blocked);
bool record_live_collect(struct record_live *live, const char *directory, struct gfe_error *error);

#endif
