/* SPDX-License-Identifier: MIT */
/*
 * Parameters of gfe, fitted to measurements.
 *
 * The experiments of the files are made again and again (experiment.h), each time with other
 * values, until the errors of their figures (figures.h) are least: least squares by Levenberg's and
 * Marquardt's method (Marquardt, "An Algorithm for Least-Squares Estimation of Nonlinear
 * Parameters", 1963), in the logarithms of the parameters, with errors beyond FIT_ERROR_MOST
 * counted as that.  Nothing here knows what a parameter or an experiment is called.
 *
 * A parameter is not determined if no figure depends on it (a change by 10 % changes none by
 * FIT_TELLS), or if it can be exchanged for the others: its spread, from the errors that are left
 * and the figures' slopes, is more than FIT_SPREAD_MOST.
 */
#ifndef GFE_EMU_FIT_CALIBRATE_H
#define GFE_EMU_FIT_CALIBRATE_H

#include <jansson.h>
#include <stdio.h>

#include "emu/fit/experiment.h"
#include "emu/fit/figures.h"

#define FIT_ERROR_MOST  0.5
#define FIT_TELLS       0.0005
#define FIT_SPREAD_MOST 0.1

enum { FIT_PARAMETERS_MAX = 12, FIT_ROUNDS_MAX = 15 };

enum fit_verdict { FIT_DETERMINED, FIT_NO_FIGURE, FIT_EXCHANGEABLE };

struct fit_parameter {
    const char *id;        /* borrowed */
    uint64_t before;       /* the value that the GPU has */
    uint64_t value;        /* what fits; `before` if it is not determined */
    double spread;         /* of the value's logarithm: 0.01 is 1 % */
    uint32_t figure_count; /* that depend on it */
    enum fit_verdict verdict;
};

struct fit_calibration {
    struct fit_measured measured;
    struct fit_parameter parameters[FIT_PARAMETERS_MAX];
    uint32_t parameter_count, figure_count, run_count;
    double error_before, error_after; /* root of the mean square of the figures' errors */
};

/* Fits the parameters of those ids, whose strings stay the caller's, from the machine's values on.
 * Returns false with a message; call fit_calibration_free() in any case. */
bool fit_calibrate(struct fit_calibration *calibration, const char *const *paths, uint32_t count,
                   const char *const *ids, uint32_t id_count, const struct fit_machine *machine,
                   struct gfe_error *error);
/* Fits to what has been read into calibration->measured; the rest of it is zeroed. */
bool fit_calibrate_measured(struct fit_calibration *calibration, const char *const *ids,
                            uint32_t count, const struct fit_machine *machine,
                            struct gfe_error *error);
void fit_calibration_free(struct fit_calibration *calibration);

/* Prints the parameters as a table. */
void fit_calibration_print(const struct fit_calibration *calibration, FILE *file);
/* Returns the same as JSON.  Returns NULL when memory is short. */
json_t *fit_calibration_json(const struct fit_calibration *calibration);
/* Returns a GPU file (emu/sim/gpu_file.h) that inherits the built-in GPU of that name, with the
 * parameters that are determined.  `called` is its name; NULL stands for GPU-calibrated.  Returns
 * NULL when memory is short. */
json_t *fit_calibration_gpu(const struct fit_calibration *calibration, const char *gpu,
                            const char *called);

#endif
