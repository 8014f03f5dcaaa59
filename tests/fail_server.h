/* SPDX-License-Identifier: MIT */
/*
 * How tests/fail_commands.c asks a gfe that has its failing calls built in for another run.  With
 * sanitizers gfe takes longer to start than most commands take to run.  It therefore starts once,
 * and forks in front of main() for each run (tests/fail_calls.c).
 *
 * FAIL_SERVER_VARIABLE in the environment says that the descriptors below are open.
 */
#ifndef TESTS_FAIL_SERVER_H
#define TESTS_FAIL_SERVER_H

#define FAIL_SERVER_VARIABLE "GFE_FAIL_SERVER"

enum {
    FAIL_SERVER_ASK = 100, /* FAIL_SERVER_BYTES for each run: the value of GFE_FAIL */
    FAIL_SERVER_ANSWER,    /* an int for each run: its status, as wait() gives it */
    FAIL_SERVER_PRINTED,   /* standard output of the runs */
    FAIL_SERVER_SAID,      /* their standard error */
    FAIL_SERVER_BYTES = 64,
    FAIL_RUN_SECONDS = 100, /* against endless loops */
};

#endif
