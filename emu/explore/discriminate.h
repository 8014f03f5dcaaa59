/* SPDX-License-Identifier: MIT */
/*
 * Finds an experiment that shows which of two alternatives of a choice point a real GPU follows.
 *
 * The search looks for the smallest configuration of cuda_scheduling_examiner whose result files
 * differ between the two alternatives.  Both are simulated, and the contents of the tool's files
 * (traces/config/examiner_result.h) are compared, from text that show_examiner.h makes of both
 * runs. There are three kinds of figures:
 *
 *   - times of blocks, on the GPU's clock, from the first start of a block of the run on;
 *   - times of launch calls and of waits for them, on the CPU's clock, from the first call on;
 *   - the SM of a block, as the number of the first block on the same SM.  The numbers of SMs are
 *     the chip's own, and are no evidence of the policy.
 *
 * Two times differ if they are farther apart than DISCRIMINATE_MARGIN_PS.  A measured time matches
 * an expected one if it is no farther from it than DISCRIMINATE_TOLERANCE_PS, a third of the
 * margin, so that it cannot match both alternatives.  The clocks' own noise is far below that
 * (emu/analysis/check/check_result.h: steps of about 1 us, and 1 ms in 20 s between CPU and GPU),
 * and so are late starts of threads.  The largest remaining effect is the first launch of a kernel,
 * which loads its module (some ms, ASSUMED to be less than 5 ms).  Kernels spin for 400 ms, and
 * benchmarks are released 20 ms apart.
 *
 * A result that depends on some microseconds is no evidence:
 *   - scenarios in which two kernels join the GPU's queue within DISCRIMINATE_CLOSE_PS are not
 *     used;
 *   - each alternative is also simulated with other times of calls, hand-over and dispatch,
 *     and with the benchmarks listed backwards.  It is also simulated with the other
 *     alternatives, one at a time, of the other choice points of dispatcher and runtime.
 *     Only figures count that differ in all pairs of such runs, one of each side, and SMs
 *     that are the same in all runs of a side.
 *
 * If an outcome depends on the seed, as a random alternative's does, the outcomes of
 * DISCRIMINATE_SEEDS seeds have to differ from all outcomes of the other side instead.  So in that
 * many runs a random GPU has never behaved like the other alternative.
 *
 * Order of the search: number of kernels, of streams, of blocks in all, then other features:
 * nothing, priority, NULL stream, copies, benchmarks released one after the other, processes.  Up
 * to 3 kernels all combinations of a few shapes are tried; with more, all kernels between the first
 * and the last are alike.  A scenario that is found is shrunk, until the removal of any kernel
 * would make both alternatives equal.
 *
 * Not searched: sm_mask, several iterations, copies to the host, configurations inside others.
 */
#ifndef GFE_EMU_EXPLORE_DISCRIMINATE_H
#define GFE_EMU_EXPLORE_DISCRIMINATE_H

#include <stdio.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/analysis/diff.h"
#include "traces/config/examiner_result.h"

enum {
    DISCRIMINATE_KERNELS_MAX = 16,
    DISCRIMINATE_SEEDS = 32,
    DISCRIMINATE_SIMULATIONS_MAX = 20000, /* the search gives up after this many */
    DISCRIMINATE_NAME_BYTES = 160,
    DISCRIMINATE_RULE_BYTES = 48,
};
#define DISCRIMINATE_TOLERANCE_PS (UINT64_C(5) * 1000 * GFE_PS_PER_US)
#define DISCRIMINATE_MARGIN_PS    (3 * DISCRIMINATE_TOLERANCE_PS)
#define DISCRIMINATE_CLOSE_PS     (UINT64_C(1000) * GFE_PS_PER_US)
#define DISCRIMINATE_SPIN_PS      (UINT64_C(400) * 1000 * GFE_PS_PER_US) /* of each block */

struct discriminate_question {
    const struct nv_chip *model;
    const struct gpu *described; /* the GPU, if a file describes it; else NULL */
    const struct choice_point *point;
    uint32_t alternatives[2]; /* of the point, A and B */
    uint64_t seed;
    uint32_t max_kernels; /* 1 to DISCRIMINATE_KERNELS_MAX */
    uint32_t min_kernels; /* fewer are not tried, because the caller knows that they fail; 0: all */
};

/* Returns the choice point of that name in the tables of this build; NULL means that there is none.
 */
const struct choice_point *discriminate_point(const char *id);
/* Returns the number of the alternative with that name; UINT32_MAX means that there is none. */
uint32_t discriminate_alternative(const struct choice_point *point, const char *name);

/* ---- a scenario ------------------------------------------------------------------------------ */

/* A kernel.  Kernels of the same stream run in the order of the list. */
struct discriminate_kernel {
    uint32_t stream; /* kernels of a stream are neighbours in the list */
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
    bool processes;                                               /* each stream has its own */
    bool apart; /* each is released when the one before is over; else 20 ms after its release */
};

uint32_t discriminate_block_count(const struct discriminate_scenario *scenario);
/* Returns when the stream's benchmark makes its calls, in milliseconds from the start. */
uint32_t discriminate_release_ms(const struct discriminate_scenario *scenario, uint32_t stream);

/* ---- the search ------------------------------------------------------------------------------ */

/* The figures of an outcome, kernel by kernel: first a kernel's three CPU times, then three figures
 * for each of its blocks. */
enum discriminate_figure {
    DISCRIMINATE_LAUNCH,   /* ps since the first launch call of all */
    DISCRIMINATE_LAUNCHED, /* when the call returned, on the same scale */
    DISCRIMINATE_WAITED,   /* when a wait for it returned, on the same scale */
    DISCRIMINATE_START,    /* ps since the first start of a block of all */
    DISCRIMINATE_END,
    DISCRIMINATE_SM, /* number of the first block on its SM, counted over all kernels */
    DISCRIMINATE_FIGURES,
};
#define DISCRIMINATE_NOT_SAID UINT64_MAX

struct discriminate_outcome {
    uint64_t *values; /* discriminate_value_count() */
};

/* The outcomes of an alternative; the first is that of the question's seed. */
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
    bool absent;          /* no scenario meets the choice point, which is another driver model's */
    uint32_t tried_count; /* scenarios */
    uint32_t simulation_count; /* of both */
    uint32_t largest_kernels;  /* of those that were tried */
    struct discriminate_scenario scenario;
    char name[DISCRIMINATE_NAME_BYTES];    /* scenario_name of its result files */
    struct discriminate_outcomes sides[2]; /* of A and B */
    bool *evidence;                        /* for each value: it distinguishes A from B */
    struct diff_decision decision;         /* the first that differs; its rule may be "-" */
    char rule[DISCRIMINATE_RULE_BYTES];    /* of the decision, copied */
};

/* Searches.  Returns false with a message if memory is short, or if the GPU cannot run scenarios. A
 * search that finds nothing is no failure.  Call discriminate_fini() in any case. */
bool discriminate_find(struct discriminate *discriminate,
                       const struct discriminate_question *question, struct gfe_error *error);
void discriminate_fini(struct discriminate *discriminate);
uint32_t discriminate_value_count(const struct discriminate_scenario *scenario);
/* Returns the kind and the place of the n-th value. */
struct discriminate_value discriminate_value_of(const struct discriminate_scenario *scenario,
                                                uint32_t n);

/* ---- what comes out -------------------------------------------------------------------------- */

/* Returns the configuration of cuda_scheduling_examiner, a text that ends in a newline.  The caller
 * frees it.  Returns NULL if memory is short. */
char *discriminate_config(const struct discriminate *discriminate);
/* Returns the scenario as a CUDA program, which writes result files of the same form.  The caller
 * frees the text.  Returns NULL if memory is short. */
char *discriminate_cuda(const struct discriminate *discriminate);
/* Writes the result files of alternative 0 or 1 into that folder.  Returns false with a message on
 * error. */
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

/* Takes measured results: the result files of all of the scenario's benchmarks, in any order; their
 * labels identify them.  Returns false with a message if they are not of this scenario, or are
 * incomplete.  Otherwise the caller frees outcome->values. */
bool discriminate_measured(const struct discriminate *discriminate,
                           const struct discriminate_result_file *files, uint32_t count,
                           struct discriminate_outcome *outcome, struct gfe_error *error);
enum discriminate_verdict discriminate_judge(const struct discriminate *discriminate,
                                             const struct discriminate_outcome *outcome);
/* Returns true if the n-th value matches the side's first outcome or, if outcomes depend on the
 * seed, any outcome. */
bool discriminate_is_as(const struct discriminate *discriminate, uint32_t side, uint32_t n,
                        uint64_t value);
/* Returns how many values that do not distinguish A from B match neither of them.  In these the GPU
 * differs from the model in another respect. */
uint32_t discriminate_strange(const struct discriminate *discriminate,
                              const struct discriminate_outcome *outcome);

#endif
