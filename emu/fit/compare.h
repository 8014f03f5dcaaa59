/* SPDX-License-Identifier: MIT */
/*
 * A real GPU's measurements beside an emulated GPU: each experiment is made again, and the figures
 * of both are set beside each other (figures.h).  Nothing is fitted here.
 */
#ifndef GFE_EMU_FIT_COMPARE_H
#define GFE_EMU_FIT_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "emu/fit/experiment.h"
#include "emu/fit/figures.h"

#define FIT_NEAR 0.1 /* a figure whose error is no larger is "within 10 %" */

/* The figures of the experiments of one file. */
struct fit_family {
    const char *name; /* borrowed */
    uint32_t experiment_count, value_count, near_count;
    double median_error;              /* of the values; FIT_NEVER: there is none */
    double block_count, blocks_on_sm; /* of the first blocks */
    double later_count, later_on_sm;
    double pair_count, pairs_in_order;
};

struct fit_comparison {
    struct fit_measured measured;
    struct fit_figures *figures; /* owned; by experiment */
    struct fit_family *families; /* owned; in the order of the files */
    uint32_t family_count;
    struct fit_family all;
};

/* Makes all experiments of the files, whose paths must outlive the comparison.  Returns false with
 * a message; call fit_comparison_free() in any case. */
bool fit_compare(struct fit_comparison *comparison, const char *const *paths, uint32_t count,
                 const struct fit_machine *machine, struct gfe_error *error);
void fit_comparison_free(struct fit_comparison *comparison);

/* Prints the families as a table, and each figure if `each`. */
void fit_comparison_print(const struct fit_comparison *comparison, const char *gpu, bool each,
                          FILE *file);
/* Returns the same as JSON with each figure.  Returns NULL when memory is short. */
json_t *fit_comparison_json(const struct fit_comparison *comparison, const char *gpu);
/* Writes a page: the families, and each experiment's figures with both timelines above each other.
 */
void fit_comparison_html(const struct fit_comparison *comparison, const char *gpu, FILE *file);

#endif
