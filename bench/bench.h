/* SPDX-License-Identifier: MIT */
/*
 * Timing for the bench programs.  A program times its subjects beside controls in the same run and
 * prints one JSON object; bench_all joins the objects of all programs (see bench/README.md).
 *
 * A subject and its controls run in turn, A B C A B C ..., so that a change of the machine's speed
 * meets all of them.  Figures are medians over the repeats; a ratio is the median of the ratios of
 * neighbouring runs.  Targets are data: a figure that misses its target fails nothing.
 */
#ifndef GFE_BENCH_BENCH_H
#define GFE_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_CONTROLS_MAX = 3 };

/* Something that can be timed. */
struct bench_subject {
    const char *name;
    void (*prepare)(void *context); /* before each run, not timed; may be NULL */
    uint64_t (*run)(void *context); /* timed; how many things it did, 0 when it failed */
    void *context;
    double target_ratio; /* of a control: so many times as fast shall the subject be; 0 = none */
};

struct bench_case {
    const char *name;
    /* "events/s" and the like (anything with "/s"): things done in a second, more is better; or
     * "s", "ms", "us", "ns": time for one thing, less is better. */
    const char *unit;
    double target;    /* at least or at most that much of the unit; 0 = none */
    unsigned repeats; /* 0 = BENCH_REPEATS of the environment, else 9 */
    struct bench_subject subject;
    struct bench_subject controls[BENCH_CONTROLS_MAX]; /* those with a `run` */
};

struct bench;

/* The object of one program, named after it. */
struct bench *bench_begin(const char *program);
/* Warms up, times and adds a case. */
void bench_run(struct bench *bench, const struct bench_case *bench_case);
/* Adds a figure that was got in another way (bytes of memory, ...).  `target` as in bench_case; 0 =
 * none; `at_least` says which way it goes. */
void bench_value(struct bench *bench, const char *name, const char *unit, double figure,
                 double target, bool at_least);
/* Adds a sentence: what was left out, and why; what a figure must not be taken for. */
void bench_note(struct bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the object on stdout; the program's exit status: 1 when a subject failed. */
int bench_end(struct bench *bench);

/* Seconds on the monotonic clock. */
double bench_now(void);

/* A control's `run`, without a context: a loop of nothing but a count and a jump back, BENCH_JUMPS
 * times.  A core that no other thread shares does one in a cycle, with a busy one beside it one in
 * two or more: so it tells how much of a core a run had. */
enum { BENCH_JUMPS = 1 << 26 };
uint64_t bench_jumps(void *context);

#endif
