/* SPDX-License-Identifier: MIT */
/* Functions that the parts of the search share.  Private to discriminate*.c. */
#ifndef GFE_EMU_EXPLORE_DISCRIMINATE_PRIVATE_H
#define GFE_EMU_EXPLORE_DISCRIMINATE_PRIVATE_H

#include "emu/explore/discriminate.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"

/* The differences between a run of the search and the plain run. */
struct discriminate_variant {
    uint64_t seed;
    uint32_t noise; /* below discriminate_noise_count(); 0: none */
    bool backwards; /* benchmarks are listed in reverse, which decides the order of those that are
                       ready at the same time */
};

/* ---- discriminate.c -------------------------------------------------------------------------- */

/* Tries discriminate->scenario.  *apart is true if it distinguishes the two alternatives.  If
 * `keep`, outcomes and evidence are kept then.  Returns false with a message on error. */
bool discriminate_try(struct discriminate *discriminate, bool keep, bool *apart,
                      struct gfe_error *error);

/* ---- discriminate_run.c ---------------------------------------------------------------------- */

/* Returns the scenario for the models, from the configuration's text.  Returns NULL with a message
 * on error. */
struct scenario *discriminate_parse(const struct discriminate *discriminate, bool backwards,
                                    struct gfe_error *error);
/* Runs one alternative.  *complete is true if all kernels ended, and no two joined the GPU's queue
 * together; the caller then frees outcome->values.  *drew is true if the run depended on the seed.
 */
bool discriminate_run(struct discriminate *discriminate, const struct scenario *scenario,
                      uint32_t side, struct discriminate_variant variant,
                      struct discriminate_outcome *outcome, bool *complete, bool *drew,
                      struct gfe_error *error);
/* Opens the log of a plain run of one alternative.  Returns NULL with a message on error. */
struct event_log_reader *discriminate_log(const struct discriminate *discriminate,
                                          const struct scenario *scenario, uint32_t side,
                                          struct gfe_error *error);
/* Returns the number of variants of noise, counting the variant without any.  Noise is other times
 * on the way to a block, or other alternatives of the other choice points of dispatcher and
 * runtime. */
uint32_t discriminate_noise_count(const struct discriminate *discriminate);
/* Returns false for a choice point that machines which run scenarios do not have. */
bool discriminate_is_met(const struct choice_point *point);

/* ---- discriminate_compare.c ------------------------------------------------------------------ */

/* Returns the values from results, by stream.  Returns NULL with a message if memory is short. */
uint64_t *discriminate_take(const struct discriminate_scenario *scenario,
                            struct examiner_result *const *results, struct gfe_error *error);
enum { DISCRIMINATE_LABEL_BYTES = 16 };
/* Writes the label of a stream's benchmark: K2 if that is its only kernel, else S2. */
void discriminate_label(const struct discriminate_scenario *scenario, uint32_t stream,
                        char label[DISCRIMINATE_LABEL_BYTES]);
/* Returns true if a result has the kernels of that stream.  Otherwise `says` gets a text that says
 * what is wrong. */
bool discriminate_fits(const struct discriminate_scenario *scenario, uint32_t stream,
                       const struct examiner_result *result, char *says, size_t bytes);
/* Returns true if two outcomes differ by more than the margin in a value for which `counts` is
 * true. NULL for `counts` stands for all values. */
bool discriminate_differ(const struct discriminate_scenario *scenario, const bool *counts,
                         const struct discriminate_outcome *a,
                         const struct discriminate_outcome *b);
bool discriminate_outcomes_add(struct discriminate_outcomes *outcomes,
                               struct discriminate_outcome outcome);
void discriminate_outcomes_fini(struct discriminate_outcomes *outcomes);
/* Removes from `counts` the values that do not differ in all pairs of outcomes, one of each side.
 * Returns false if none is left. */
bool discriminate_in_all_pairs(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts);
/* Removes the values that differ in no pair. */
void discriminate_in_any_pair(const struct discriminate_scenario *scenario,
                              const struct discriminate_outcomes sides[2], bool *counts);
/* Removes all SMs if every pair differs without them. */
void discriminate_prefer_times(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts);
/* Removes SMs that differ among these outcomes, because they depend on another cause. */
void discriminate_steady(const struct discriminate_scenario *scenario,
                         const struct discriminate_outcomes *outcomes, bool *counts);

/* ---- discriminate_config.c ------------------------------------------------------------------- */

/* Like discriminate_config(), with benchmarks listed in reverse if `backwards`. */
char *discriminate_config_text(const struct discriminate *discriminate, bool backwards);

/* ---- discriminate_shapes.c ------------------------------------------------------------------- */

/* Lists all scenarios with that number of kernels, smallest first.  The caller frees *list. Returns
 * false if memory is short. */
bool discriminate_enumerate(const struct nv_chip *model, uint32_t kernels,
                            struct discriminate_scenario **list, uint32_t *count);
/* Applies the step-th way to make a scenario smaller.  Returns false if there are fewer ways.
 * *is_smaller is true if the result is smaller. */
bool discriminate_reduce(const struct discriminate_scenario *from, const struct nv_chip *model,
                         uint32_t step, struct discriminate_scenario *to, bool *is_smaller);

/* ---- discriminate_why.c ---------------------------------------------------------------------- */

/* Finds the first decision that differs. */
bool discriminate_why(struct discriminate *discriminate, const struct scenario *scenario,
                      struct gfe_error *error);

#endif
