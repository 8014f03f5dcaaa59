/* SPDX-License-Identifier: MIT */
/*
 * One run of a program above an emulated GPU, for `gfe live`: the steps that record_run()
 * (record_run.h) takes only then.  The program has a time limit, its output can be kept, and all
 * processes that it started are ended.
 */
#ifndef GFE_TRACES_RECORD_RECORD_LIVE_H
#define GFE_TRACES_RECORD_RECORD_LIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "emu/base/error.h"

struct record_live {
    const char *orders;  /* lines for the emulation (emu/live/live_preload.c) */
    uint64_t timeout_ns; /* the program is killed after it; 0: never */
    int out_fd, err_fd;  /* become its standard output and error; -1: the caller's are used */
    /* Called when the program has ended, before the recording's directory is deleted.  May be NULL.
     */
    bool (*collect)(void *context, const char *directory, struct gfe_error *error);
    void *context;
    /* The outcome. */
    bool opened;     /* the program has opened a node of a GPU of AMD's */
    bool has_run;    /* the program was started, and has ended */
    int wait_status; /* as waitpid(2) returns it */
    bool timed_out;
    int interrupted; /* the signal that asked gfe to end; 0: none */
    uint64_t took_ns;
    unsigned left_count; /* processes that were still there, and were killed */
    char problem[500];   /* why a process could not take part; "" when nothing was wrong */
};

/* Writes the lines into the recording's directory. */
bool record_live_orders(const struct record_live *live, const char *directory,
                        struct gfe_error *error);
/* Prepares the child before exec.  Returns false with errno on error. */
bool record_live_child(const struct record_live *live);
/* Waits until the program has ended or its time is over, then until all its processes have ended.
 * `blocked` are the signals that are blocked here: SIGCHLD, and those that are passed on.  Returns
 * the program's wait status. */
int record_live_wait(struct record_live *live, pid_t program, const sigset_t *blocked);
bool record_live_collect(struct record_live *live, const char *directory, struct gfe_error *error);

#endif
