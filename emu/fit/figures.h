/* SPDX-License-Identifier: MIT */
/*
 * The figures of an experiment, by one definition for what was measured and for what was emulated.
 *
 * A value is a time in ns or a number; it has an error, |emulated - real| / real.  An agreement is
 * a number of things of which the emulation has so many like the measurement: blocks on the SM that
 * was measured, and pairs of kernels whose starts, more than FIT_APART_NS apart, come in the order
 * that was measured.
 */
#ifndef GFE_EMU_FIT_FIGURES_H
#define GFE_EMU_FIT_FIGURES_H

#include "emu/fit/measured.h"

#define FIT_APART_NS 10e3

enum fit_figure_kind {
    FIT_TIME,
    FIT_NUMBER,
    FIT_BLOCKS_ON_SM,
    FIT_LATER_ON_SM,
    FIT_STARTS_IN_ORDER,
    FIT_KINDS
};

struct fit_figure {
    char *name; /* owned */
    enum fit_figure_kind kind;
    double real, emulated; /* emulated may be FIT_NEVER: it did not happen.  Of an agreement: how
                              many there are, and how many agree */
};

struct fit_figures {
    struct fit_figure *list; /* owned */
    uint32_t count, capacity;
};

/* Counts the first blocks of an experiment that has been made, and those of them that are on the
 * measured SM. */
void fit_first_blocks(const struct fit_experiment *experiment, uint64_t *first, uint64_t *alike);
/* Adds the figures of an experiment that has been made.  Returns false when memory is short. */
bool fit_figures_add(struct fit_figures *figures, struct fit_experiment *experiment);
void fit_figures_free(struct fit_figures *figures);
static inline bool fit_figure_is_value(const struct fit_figure *figure)
{
    return figure->kind == FIT_TIME || figure->kind == FIT_NUMBER;
}
/* Returns the error of a value, 0.1 being 10 %.  It is FIT_ENDLESS if the emulation has no such
 * value, or has one where 0 was measured. */
double fit_figure_error(const struct fit_figure *figure);
#define FIT_ENDLESS 1e300

#endif
