/* SPDX-License-Identifier: MIT */
/*
 * What became of a program that ran above an emulated GPU with injected faults (`gfe live`),
 * against the same program without: by what it printed and how it ended, and by what the emulated
 * kernel driver said, as the logs of the two runs have it.
 *
 * Classes are those of emu/faults/outcome.h, with what can be seen from outside:
 *   - Masked: it ended and printed as without the fault;
 *   - SDC-timing: so it did, but took longer by more than a limit: times of a running program are
 * not the same twice, so the limit is far above what a computer's other work makes of them;
 *   - Detected: the driver printed a line, told the program of an exception or let a call fail,
 *     that it did not without the fault (of each kind of call and each errno more often); or a
 * signal ended the program, or it said itself, by its exit status, that something was wrong;
 *   - SDC-data: it printed something else, and nothing said so;
 *   - Hang: it had not ended when its time was over;
 *   - Collateral: the driver gave up, or found at fault, another channel or queue of the process
 * than the fault's own.  What others waited for, or computed, cannot be told apart from what the
 *     program made of it, and each process has a GPU of its own: that is for gfe inject.
 */
#ifndef GFE_EMU_LIVE_OUTCOME_H
#define GFE_EMU_LIVE_OUTCOME_H

#include "emu/log/event_line.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

enum { LIVE_LINES_KEPT = 64, LIVE_REFUSALS_KEPT = 64, LIVE_VICTIMS_KEPT = 64 };

/* What a fault did first, of the processes' the earliest. */
struct live_fault {
    uint64_t acted;  /* in all processes */
    bool was_futile; /* in one its turn came, and it changed nothing */
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

/* Of one run. */
struct live_observation {
    /* Of the logs: */
    struct live_fault faults[INJECT_FAULTS_MAX];
    struct live_line lines[LIVE_LINES_KEPT]; /* of the kernel's log: the first */
    uint64_t line_count, exception_count, refused_count, launch_count, signal_count;
    uint32_t process_count;
    int refused_errno; /* of the first call that failed */
    uint32_t refusal_count;
    struct live_refusal refusals[LIVE_REFUSALS_KEPT]; /* ways in which calls did */
    uint32_t victim_count;
    uint64_t victims[LIVE_VICTIMS_KEPT]; /* given up or at fault, as outcome_owner() names them */
    gfe_ps end_ps;                       /* of the last event */
    /* Of the program: */
    bool timed_out, was_killed;
    int status; /* exit status, or the signal that killed it */
    uint64_t took_ns;
    char *output; /* standard output, allocated; NULL: not kept */
    size_t output_bytes;
};

void live_observation_fini(struct live_observation *observation);
/* Adds what a process's log says, also of one that was cut off.  False with a message: it cannot be
 * read. */
bool live_observe_log(struct live_observation *observation, const char *path,
                      struct gfe_error *error);

/* What is asked of two runs. */
struct live_question {
    uint32_t fault_count;
    const char *subjects[INJECT_FAULTS_MAX]; /* what each fault's subject is; NULL: nothing */
    uint64_t
        late_ns; /* SDC-timing from there on; 0: what it took without the fault, and a second */
};

struct live_outcome {
    enum outcome_class outcome;
    bool was_activated; /* a fault has acted */
    bool classes[OUTCOME_CLASSES];
    bool other_output, other_status;
    const char *detected_by; /* the first of those that hold; NULL: nothing */
    uint64_t victim;         /* of Collateral, the first */
};

struct live_outcome live_judge(const struct live_observation *golden,
                               const struct live_observation *faulty,
                               const struct live_question *question);

#endif
