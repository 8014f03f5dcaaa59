/* SPDX-License-Identifier: MIT */
/* Normal equations of least squares.  Private to calibrate*.c. */
#ifndef GFE_EMU_FIT_CALIBRATE_SOLVE_H
#define GFE_EMU_FIT_CALIBRATE_SOLVE_H

#include "emu/fit/calibrate.h"

struct fit_normal {
    double matrix[FIT_PARAMETERS_MAX][FIT_PARAMETERS_MAX];
    double side[FIT_PARAMETERS_MAX];
    uint32_t count;
};

/* Solves the equations, with the diagonal multiplied by 1 + damping.  A parameter on which nothing
 * depends does not move. */
void fit_normal_solve(const struct fit_normal *normal, double damping, double *move);
/* Returns the standard deviation of a parameter if each error has that of `noise`.  It is endless
 * (FIT_ENDLESS) if the parameter can be exchanged for others. */
double fit_normal_spread(const struct fit_normal *normal, uint32_t parameter, double noise);

#endif
