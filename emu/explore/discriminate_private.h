/* SPDX-License-Identifier: MIT */
/* Between the parts of the search.  Private to discriminate*.c. */
#ifndef GFE_DEVICES_DISCRIMINATE_PRIVATE_H
#define GFE_DEVICES_DISCRIMINATE_PRIVATE_H

#include "emu/explore/discriminate.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"

/* How a run of the search differs from the plain one. */
struct discriminate_variant {
    uint64_t seed;
    uint32_t noise; /* below discriminate_noise_count(); 0: none */
    bool backwards; /* benchmarks are listed the other way round, which decides who is first of
                       those that are ready at the same time */
};

/* ---- discriminate.c -------------------------------------------------------------------------- */

/* Tries discriminate->scenario: *apart: it tells the two apart, and if `keep`, outcomes and
 * evidence are kept.  False with a message. */
bool discriminate_try(struct discriminate *discriminate, bool keep, bool *apart,
                      struct gfe_error *error);

/* ---- discriminate_run.c ---------------------------------------------------------------------- */

/* The scenario as the models take it, of the configuration's text.  NULL with a message. */
struct scenario *discriminate_parse(const struct discriminate *discriminate, bool backwards,
                                    struct gfe_error *error);
/* Runs one alternative.  *complete: all kernels ended, none joined the GPU's queue together with
 * another, and outcome->values, which the caller frees, is there; *drew: the seed had a say. */
bool discriminate_run(struct discriminate *discriminate, const struct scenario *scenario,
                      uint32_t side, struct discriminate_variant variant,
                      struct discriminate_outcome *outcome, bool *complete, bool *drew,
                      struct gfe_error *error);
/* Opens the log of a plain run of one alternative; NULL with a message. */
struct event_log_reader *discriminate_log(const struct discriminate *discriminate,
                                          const struct scenario *scenario, uint32_t side,
                                          struct gfe_error *error);
/* How many ways to be otherwise there are, with none: other times on the way to a block, and other
 * alternatives of the dispatcher's and the runtime's other choice points. */
uint32_t discriminate_noise_count(const struct discriminate *discriminate);
/* False: a choice point that machines which run scenarios do not have. */
bool discriminate_is_met(const struct choice_point *point);

/* ---- discriminate_compare.c ------------------------------------------------------------------ */

/* Fills the values from results, by stream; NULL with a message: memory is short. */
uint64_t *discriminate_take(const struct discriminate_scenario *scenario,
                            struct examiner_result *const *results, struct gfe_error *error);
enum { DISCRIMINATE_LABEL_BYTES = 16 };
/* The label of a stream's benchmark: K2, its only kernel, or S2. */
void discriminate_label(const struct discriminate_scenario *scenario, uint32_t stream,
                        char label[DISCRIMINATE_LABEL_BYTES]);
/* Whether a result has the kernels of that stream; *says: what is wrong, where one is. */
bool discriminate_fits(const struct discriminate_scenario *scenario, uint32_t stream,
                       const struct examiner_result *result, char *says, size_t bytes);
/* Do two outcomes differ by more than the margin, in those values for which `counts` is true (NULL:
 * in any)? */
bool discriminate_differ(const struct discriminate_scenario *scenario, const bool *counts,
                         const struct discriminate_outcome *a,
                         const struct discriminate_outcome *b);
bool discriminate_outcomes_add(struct discriminate_outcomes *outcomes,
                               struct discriminate_outcome outcome);
void discriminate_outcomes_fini(struct discriminate_outcomes *outcomes);
/* Takes out of `counts` the values that differ in not all pairs of outcomes, one of each side.
 * False: none is left. */
bool discriminate_in_all_pairs(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts);
/* Takes out those that differ in no pair. */
void discriminate_in_any_pair(const struct discriminate_scenario *scenario,
                              const struct discriminate_outcomes sides[2], bool *counts);
/* Takes out all SMs if every pair is told apart without them. */
void discriminate_prefer_times(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts);
/* Takes out SMs that are others in others of these outcomes: they hang on something else. */
void discriminate_steady(const struct discriminate_scenario *scenario,
                         const struct discriminate_outcomes *outcomes, bool *counts);

/* ---- discriminate_config.c ------------------------------------------------------------------- */

/* discriminate_config(), benchmarks listed backwards. */
char *discriminate_config_text(const struct discriminate *discriminate, bool backwards);

/* ---- discriminate_shapes.c ------------------------------------------------------------------- */

/* All scenarios with so many kernels, smallest first; the caller frees *list.  False: no memory. */
bool discriminate_enumerate(const struct nv_chip *model, uint32_t kernels,
                            struct discriminate_scenario **list, uint32_t *count);
/* The step-th way to make a scenario smaller; false: there is none.  *is_smaller: it is one. */
bool discriminate_reduce(const struct discriminate_scenario *from, const struct nv_chip *model,
                         uint32_t step, struct discriminate_scenario *to, bool *is_smaller);

/* ---- discriminate_why.c ---------------------------------------------------------------------- */

/* Finds the first decision that differs. */
bool discriminate_why(struct discriminate *discriminate, const struct scenario *scenario,
                      struct gfe_error *error);

#endif
