/* SPDX-License-Identifier: MIT */
/*
 * The outcome of a program that ran above an emulated GPU with injected faults (`gfe live`),
 * against the same program without faults (its control runs: live_control.h).  The comparison uses
 * the program's output and exit, and the messages of the emulated kernel driver in the logs of the
 * two runs.
 *
 * Classes are those of emu/faults/outcome.h, as far as they can be seen from outside:
 *   - Masked: the program ended and printed as without the fault;
 *   - SDC-timing: the same, but it took longer by more than a limit.  Times of a running program
 *     vary, so the limit is far above the effect of a computer's other work;
 *   - Detected: the driver printed a line, reported an exception to the program or let a call fail,
 *     which it did not without the fault (for each kind of call and each errno, more often); or a
 *     signal ended the program, or its exit status reported an error;
 *   - SDC-data: it printed other output, and no error was reported;
 *   - Hang: it had not ended when its time was over;
 *   - Collateral: the driver gave up, or found at fault, another channel or queue of the process
 *     than the fault's own.  The waits and results of other channels cannot be separated from the
 *     program's own, and each process has a GPU of its own; gfe inject examines those.
 */
#ifndef GFE_EMU_FAULTS_LIVE_OUTCOME_H
#define GFE_EMU_FAULTS_LIVE_OUTCOME_H

#include "emu/log/event_line.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

enum { LIVE_LINES_KEPT = 64, LIVE_REFUSALS_KEPT = 64, LIVE_VICTIMS_KEPT = 64 };

/* The first act of a fault, the earliest of all processes. */
struct live_fault {
    uint64_t acted;  /* how often it acted in all processes */
    bool was_futile; /* in one process its turn came, and it changed nothing */
    gfe_ps first_ps;
    uint64_t subject, old_value, new_value;
};

struct live_line {
    gfe_ps time_ps;
    char text[EVENT_LINE_BYTES];
};

/* Calls that failed in one way. */
struct live_refusal {
    uint64_t call, error_number, count;
};

/* The observations of one run. */
struct live_observation {
    /* From the logs: */
    struct live_fault faults[INJECT_FAULTS_MAX];
    struct live_line lines[LIVE_LINES_KEPT]; /* the first lines of the kernel's log */
    uint64_t line_count, exception_count, refused_count, launch_count, signal_count;
    uint32_t process_count;
    int refused_errno; /* of the first call that failed */
    uint32_t refusal_count;
    struct live_refusal refusals[LIVE_REFUSALS_KEPT]; /* the ways in which calls failed */
    uint32_t victim_count;
    uint64_t victims[LIVE_VICTIMS_KEPT]; /* given up or at fault, as outcome_owner() numbers them */
    gfe_ps end_ps;                       /* of the last event */
    /* From the program: */
    bool timed_out, was_killed;
    int status; /* exit status, or the signal that killed it */
    uint64_t took_ns;
    char *output; /* standard output, allocated; NULL: not kept */
    size_t output_bytes;
    /* What further runs without faults showed (live_control.h): */
    size_t output_lines;
    bool
        *line_varies; /* owned, one for each line: two runs differ there; NULL after a single run */
    bool length_varies; /* the number of lines does */
};

void live_observation_fini(struct live_observation *observation);
/* Adds the observations of a process's log, even if the log was cut off.  Returns false with a
 * message if it cannot be read. */
bool live_observe_log(struct live_observation *observation, const char *path,
                      struct gfe_error *error);

/* The settings of a comparison of two runs. */
struct live_question {
    uint32_t fault_count;
    const char *subjects[INJECT_FAULTS_MAX]; /* kind of each fault's subject; NULL: none */
    uint64_t
        late_ns; /* SDC-timing from this delay on; 0: the time without the fault plus a second */
};

/* The comparison of two outputs. */
struct live_compared {
    bool differs;
    bool length_varies;            /* it does without faults: nothing was compared */
    uint64_t lines, varying_lines; /* of the run without faults; those that were not compared */
};

struct live_outcome {
    enum outcome_class outcome;
    bool was_activated; /* a fault has acted */
    bool classes[OUTCOME_CLASSES];
    bool other_output, other_status;
    struct live_compared compared;
    const char *detected_by; /* the first detection that holds; NULL: none */
    uint64_t victim;         /* the first victim of Collateral */
};

struct live_outcome live_judge(const struct live_observation *golden,
                               const struct live_observation *faulty,
                               const struct live_question *question);

#endif
