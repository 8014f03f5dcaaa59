/* SPDX-License-Identifier: MIT */
/*
 * Timing for the bench programs.  A program times its subjects and their controls in the same run
 * and prints one JSON object.  bench_all joins the objects of all programs (see bench/README.md).
 *
 * A subject and its controls run in turn, A B C A B C ..., so that a change of the machine's speed
 * affects all of them.  Figures are medians over the repeats; a ratio is the median of the ratios
 * of neighbouring runs.  Targets are data: a figure that misses its target is not a failure.
 */
#ifndef GFE_BENCH_BENCH_H
#define GFE_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_CONTROLS_MAX = 3 };

/* A function that can be timed. */
struct bench_subject {
    const char *name;
    void (*prepare)(void *context); /* before each run, not timed; may be NULL */
    uint64_t (*run)(void *context); /* timed; returns the number of things done, 0 on failure */
    void *context;
    double target_ratio; /* for a control: wanted speed of the subject over its own; 0 if none */
};

struct bench_case {
    const char *name;
    /* A unit with "/s", as "events/s", counts the things done in a second; more is better.  The
     * units "s", "ms", "us" and "ns" are the time for one thing; less is better. */
    const char *unit;
    double target;    /* smallest or largest good figure, in the unit; 0 if none */
    unsigned repeats; /* 0 means BENCH_REPEATS of the environment, or else 9 */
    struct bench_subject subject;
    struct bench_subject controls[BENCH_CONTROLS_MAX]; /* unused ones have no `run` */
};

struct bench;

/* Begins the object of one program, which has the program's name. */
struct bench *bench_begin(const char *program);
/* Warms up, times and adds a case. */
void bench_run(struct bench *bench, const struct bench_case *bench_case);
/* Adds a figure that was measured in another way (bytes of memory, ...).  `target` is 0 if there is
 * none.  `at_least` means that the target is a lower bound; otherwise it is an upper bound. */
void bench_value(struct bench *bench, const char *name, const char *unit, double figure,
                 double target, bool at_least);
/* Adds a sentence, formatted as by printf(): what was left out and why, or what a figure does not
 * mean. */
void bench_note(struct bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the object on stdout.  Returns the program's exit status, which is 1 if a subject failed.
 */
int bench_end(struct bench *bench);

/* Returns the time of the monotonic clock in seconds. */
double bench_now(void);

/* Runs a loop of only a count and a jump back, BENCH_JUMPS times.  It is the `run` of a control and
 * has no context.  A core that no other thread shares does one jump in a cycle.  Beside a busy
 * thread a jump takes two cycles or more.  So the figure shows how much of a core a run had. */
enum { BENCH_JUMPS = 1 << 26 };
uint64_t bench_jumps(void *context);

#endif
