/* SPDX-License-Identifier: MIT */
/*
 * Which of two alternatives of a choice point does a real GPU follow?
 *
 * The smallest configuration of cuda_scheduling_examiner is searched for whose result files differ
 * between the two: both are simulated, and what is compared is what the tool's files show of a run
 * (traces/config/examiner_result.h), by text that show_examiner.h makes of both.  Three kinds of
 * figures:
 *
 *   - times of blocks, on the GPU's clock, from the first start of a block of the run on;
 *   - times of launch calls and of waits for them, on the CPU's clock, from the first call on;
 *   - on which SM a block was: only that it is the SM of an earlier block, and of which first, or
 *     of none, because the numbers of SMs are the chip's own and tell nothing of the policy.
 *
 * Two times differ when they are farther apart than DISCRIMINATE_MARGIN_PS, and a measured one is
 * as expected when it is no farther than DISCRIMINATE_TOLERANCE_PS from it: a third, so that it
 * can't be as both expect.  The clocks' own noise is far below (emu/analysis/check/check_result.h:
 * steps of about 1 us, and 1 ms in 20 s between CPU and GPU), and so is what starts a thread late;
 * what remains is the first launch of a kernel, which loads its module (some ms, ASSUMED to be less
 * than 5 ms). Kernels spin for 400 ms, and benchmarks are released 20 ms apart.
 *
 * What hangs on some microseconds is no evidence:
 *   - scenarios in which two kernels join the GPU's queue within DISCRIMINATE_CLOSE_PS are not
 * used;
 *   - each alternative is also simulated with other times of calls, hand-over and dispatch, with
 * the benchmarks listed backwards, and with the other alternatives, one at a time, of the other
 *     choice points of dispatcher and runtime; only figures count that differ in all pairs of such
 *     runs, one of each side, and SMs that are the same in all of a side.
 * Where an outcome depends on the seed, as a random alternative's does, those of DISCRIMINATE_SEEDS
 * seeds have to differ from all of the other side instead: what a random GPU does by chance as the
 * other alternative has not been seen in so many runs.
 *
 * Order of the search: number of kernels, of streams, of blocks in all, then what else there is:
 * nothing, priority, NULL stream, copies, benchmarks released one after the other, processes.  Up
 * to 3 kernels all combinations of a few shapes are tried, with more all between the first and the
 * last are alike.  What is found is shrunk, until without any of its kernels the two are the same.
 *
 * Not searched: sm_mask, several iterations, copies to the host, configurations inside others.
 */
#ifndef GFE_DEVICES_DISCRIMINATE_H
#define GFE_DEVICES_DISCRIMINATE_H

#include <stdio.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/analysis/diff.h"
#include "traces/config/examiner_result.h"

enum {
    DISCRIMINATE_KERNELS_MAX = 16,
    DISCRIMINATE_SEEDS = 32,
    DISCRIMINATE_SIMULATIONS_MAX = 20000, /* after so many the search gives up */
    DISCRIMINATE_NAME_BYTES = 160,
    DISCRIMINATE_RULE_BYTES = 48,
};
#define DISCRIMINATE_TOLERANCE_PS (UINT64_C(5) * 1000 * GFE_PS_PER_US)
#define DISCRIMINATE_MARGIN_PS    (3 * DISCRIMINATE_TOLERANCE_PS)
#define DISCRIMINATE_CLOSE_PS     (UINT64_C(1000) * GFE_PS_PER_US)
#define DISCRIMINATE_SPIN_PS      (UINT64_C(400) * 1000 * GFE_PS_PER_US) /* of each block */

struct discriminate_question {
    const struct nv_chip *model;
    const struct choice_point *point;
    uint32_t alternatives[2]; /* of the point, A and B */
    uint64_t seed;
    uint32_t max_kernels; /* 1 to DISCRIMINATE_KERNELS_MAX */
    uint32_t min_kernels; /* fewer are not tried: whoever asks knows that they don't do; 0: all */
};

/* The choice point of that name in the tables of this build; NULL: there is none. */
const struct choice_point *discriminate_point(const char *id);
/* Which of its alternatives that is; UINT32_MAX: none. */
uint32_t discriminate_alternative(const struct choice_point *point, const char *name);

/* ---- a scenario ------------------------------------------------------------------------------ */

/* Of a stream in which it stands behind the kernel before it, if that one has the same stream. */
struct discriminate_kernel {
    uint32_t stream; /* those of a stream follow each other */
    uint32_t blocks, threads;
    uint32_t shared_words;  /* of 32 bits; 0, 4096, 8192 or 10240 */
    uint64_t copy_in_words; /* copied to the device, in its stream before it */
};

struct discriminate_stream {
    bool high;        /* has priority -1; else none */
    bool null_stream; /* is the NULL stream; has one kernel */
};

struct discriminate_scenario {
    uint32_t kernel_count, stream_count;
    struct discriminate_kernel kernels[DISCRIMINATE_KERNELS_MAX];
    struct discriminate_stream streams[DISCRIMINATE_KERNELS_MAX]; /* a benchmark each */
    bool processes;                                               /* each stream is of another */
    bool apart; /* released when the one before is over; else 20 ms after it */
};

uint32_t discriminate_block_count(const struct discriminate_scenario *scenario);
/* When the stream's benchmark makes its calls, from the start on, in milliseconds. */
uint32_t discriminate_release_ms(const struct discriminate_scenario *scenario, uint32_t stream);

/* ---- the search ------------------------------------------------------------------------------ */

/* What an outcome tells, kernel by kernel: first a kernel's three CPU times, then for each of its
 * blocks three more. */
enum discriminate_figure {
    DISCRIMINATE_LAUNCH,   /* ps since the first launch call of all */
    DISCRIMINATE_LAUNCHED, /* when the call returned, likewise */
    DISCRIMINATE_WAITED,   /* when a wait for it did */
    DISCRIMINATE_START,    /* ps since the first start of a block of all */
    DISCRIMINATE_END,
    DISCRIMINATE_SM, /* number of the first block on its SM, counted over all kernels */
    DISCRIMINATE_FIGURES,
};
#define DISCRIMINATE_NOT_SAID UINT64_MAX

struct discriminate_outcome {
    uint64_t *values; /* discriminate_value_count() */
};

/* Those of an alternative: the first is that of the question's seed. */
struct discriminate_outcomes {
    struct discriminate_outcome *list; /* owned, with the values */
    uint32_t count, capacity;
    bool seeded; /* they depend on the seed */
};

struct discriminate_value {
    enum discriminate_figure figure;
    uint32_t kernel, block; /* block: of the kernel's */
};

struct discriminate {
    struct discriminate_question question;
    bool found;
    bool gave_up;         /* after DISCRIMINATE_SIMULATIONS_MAX */
    bool absent;          /* no scenario meets the choice point: it is of other driver models */
    uint32_t tried_count; /* scenarios */
    uint32_t simulation_count; /* of both */
    uint32_t largest_kernels;  /* of those that were tried */
    struct discriminate_scenario scenario;
    char name[DISCRIMINATE_NAME_BYTES];    /* scenario_name of its result files */
    struct discriminate_outcomes sides[2]; /* of A and B */
    bool *evidence;                        /* of each value: it tells A from B */
    struct diff_decision decision;         /* the first that differs; its rule may be "-" */
    char rule[DISCRIMINATE_RULE_BYTES];    /* of the decision, copied */
};

/* Searches.  False with a message: memory is short, or the GPU runs no scenarios.  That nothing is
 * found is no failure.  discriminate_fini() in either case. */
bool discriminate_find(struct discriminate *discriminate,
                       const struct discriminate_question *question, struct gfe_error *error);
void discriminate_fini(struct discriminate *discriminate);
uint32_t discriminate_value_count(const struct discriminate_scenario *scenario);
/* What the n-th value is. */
struct discriminate_value discriminate_value_of(const struct discriminate_scenario *scenario,
                                                uint32_t n);

/* ---- what comes out -------------------------------------------------------------------------- */

/* The configuration of cuda_scheduling_examiner, a text that ends in a newline; the caller frees
 * it.  NULL: memory is short. */
char *discriminate_config(const struct discriminate *discriminate);
/* The same as a CUDA program of its own, which writes result files of the same form. */
char *discriminate_cuda(const struct discriminate *discriminate);
/* Writes the result files of alternative 0 or 1 into that folder.  False with a message. */
bool discriminate_write_results(const struct discriminate *discriminate, uint32_t side,
                                const char *directory, struct gfe_error *error);

/* ---- measured results ------------------------------------------------------------------------ */

enum discriminate_verdict {
    DISCRIMINATE_A,
    DISCRIMINATE_B,
    DISCRIMINATE_NEITHER,
    DISCRIMINATE_BOTH
};

struct discriminate_result_file {
    const char *path; /* for messages */
    const struct examiner_result *result;
};

/* Takes what was measured: the result files of all of the scenario's benchmarks, in whatever order,
 * told apart by their labels.  False with a message: they are not of this scenario, or not
 * complete.  On true the caller frees outcome->values. */
bool discriminate_measured(const struct discriminate *discriminate,
                           const struct discriminate_result_file *files, uint32_t count,
                           struct discriminate_outcome *outcome, struct gfe_error *error);
enum discriminate_verdict discriminate_judge(const struct discriminate *discriminate,
                                             const struct discriminate_outcome *outcome);
/* Is the n-th value as the side's first outcome, or, where that depends on the seed, any, has it?
 */
bool discriminate_is_as(const struct discriminate *discriminate, uint32_t side, uint32_t n,
                        uint64_t value);
/* How many values that tell nothing of A and B are as neither has them: there the GPU differs from
 * the model in something else. */
uint32_t discriminate_strange(const struct discriminate *discriminate,
                              const struct discriminate_outcome *outcome);

#endif
