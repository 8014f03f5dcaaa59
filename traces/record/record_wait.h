/* SPDX-License-Identifier: MIT */
/*
 * Waiting for the recorded program, and for the processes that it started and did not wait for.
 * These become children of gfe (PR_SET_CHILD_SUBREAPER) when their parents end.
 */
#ifndef GFE_TRACES_RECORD_RECORD_WAIT_H
#define GFE_TRACES_RECORD_RECORD_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct record_wait {
    pid_t program;
    const char *name;        /* of the program, for messages */
    const sigset_t *blocked; /* SIGCHLD, and the signals that are passed on */
    bool end_rest;           /* what the program leaves is ended, not waited for */
    bool quiet;              /* no line that says for what gfe waits */
    int wait_status;         /* of the program, as waitpid(2) returns it */
};

/* Waits until the program has ended.  Signals to gfe are passed on to the program, but for those
 * that were typed at the terminal, which the program has got too. */
void record_wait_program(struct record_wait *wait);
/* Then waits until all that the program started have ended.  With end_rest they get SIGTERM, and
 * SIGKILL RECORD_WAIT_TERM_NS later.  A signal to gfe is passed on to them; gfe then waits
 * RECORD_WAIT_LAST_NS and no longer. */
void record_wait_rest(struct record_wait *wait);

#define RECORD_WAIT_TERM_NS UINT64_C(5000000000)
#define RECORD_WAIT_LAST_NS UINT64_C(2000000000)

/* Returns true if the terminal sent the signal, to all processes in front. */
bool record_wait_is_typed(const siginfo_t *info);
/* Sends a signal to all children of this process. */
void record_wait_signal_children(int signal);

#endif
