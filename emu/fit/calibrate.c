/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/fit/calibrate.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/calibrate_solve.h"

#define STEP          0.05 /* of a parameter's logarithm, for a slope */
#define MOVE_MOST     1.0  /* of a logarithm, in one round */
#define DAMPING_FIRST 1e-3
#define DAMPING_MOST  1e6
#define GAIN_LEAST    1e-6 /* of the sum of squares: a round that gains less is the last */
#define NOISE_LEAST   1e-4 /* of a figure, even if the fit is perfect */

enum { NUMBER_BYTES = 24, SETTINGS_MAX = 64 };

/* What is fitted, and to what. */
struct fitting {
    struct fit_calibration *calibration;
    const struct fit_machine *machine;
    struct gfe_error *error;
    double at[FIT_PARAMETERS_MAX]; /* logarithms of the values */
    double *errors;                /* owned; by figure, at `at` */
    double *slopes;                /* owned; by figure, then by parameter */
    double *other;                 /* owned; room for another run's errors */
    bool has_errors;               /* `errors` are those of a run */
};

void fit_calibration_free(struct fit_calibration *calibration)
{
    fit_measured_free(&calibration->measured);
    *calibration = (struct fit_calibration){0};
}

/* ---- runs ------------------------------------------------------------------------------------ */

static double clipped(double error)
{
    return error > FIT_ERROR_MOST    ? FIT_ERROR_MOST
           : error < -FIT_ERROR_MOST ? -FIT_ERROR_MOST
                                     : error;
}

/* The error with its sign. */
static double signed_error(const struct fit_figure *figure)
{
    if (figure->emulated == FIT_NEVER || figure->real == 0)
        return fit_figure_error(figure) == 0 ? 0 : FIT_ERROR_MOST;
    return clipped((figure->emulated - figure->real) / figure->real);
}

static uint64_t value_of(double at)
{
    const double value = exp(at) + 0.5;

    return value >= 9e18 ? UINT64_C(9000000000000000000) : (uint64_t)value;
}

/* The errors of one experiment's figures; returns how many there are. */
static bool errors_take(struct fit_experiment *experiment, double *errors, uint32_t *count)
{
    struct fit_figures figures = {0};
    const bool good = fit_figures_add(&figures, experiment);

    for (uint32_t i = 0; good && i < figures.count; i++) {
        if (figures.list[i].kind != FIT_TIME)
            continue;
        if (errors)
            errors[*count] = signed_error(&figures.list[i]);
        ++*count;
    }
    fit_figures_free(&figures);
    return good;
}

static double squares(const double *errors, uint32_t count)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += errors[i] * errors[i];
    return sum;
}

static double mean_error(const struct fitting *fitting)
{
    const uint32_t count = fitting->calibration->figure_count;

    return sqrt(squares(fitting->errors, count) / count);
}

static void made_tell(const struct fitting *fitting, uint32_t number)
{
    const struct fit_calibration *calibration = fitting->calibration;
    const struct fit_made made = {.experiment = number,
                                  .experiment_count = calibration->measured.experiment_count,
                                  .run = calibration->run_count,
                                  .error = fitting->has_errors ? mean_error(fitting) : -1};

    fit_machine_made(fitting->machine, &made);
}

/* Makes all experiments with these values.  With NULL for `errors` only counts the figures. */
static bool errors_at(struct fitting *fitting, const double *at, double *errors, uint32_t *count)
{
    struct fit_calibration *calibration = fitting->calibration;
    struct simulation_setting settings[SETTINGS_MAX];
    char numbers[FIT_PARAMETERS_MAX][NUMBER_BYTES];
    struct fit_machine machine = *fitting->machine;
    uint32_t used = 0;

    for (; used < machine.parameter_count && used < SETTINGS_MAX - FIT_PARAMETERS_MAX; used++)
        settings[used] = machine.parameters[used];
    for (uint32_t i = 0; i < calibration->parameter_count; i++) {
        (void)snprintf(numbers[i], NUMBER_BYTES, "%" PRIu64, value_of(at[i]));
        settings[used++] = (struct simulation_setting){calibration->parameters[i].id, numbers[i]};
    }
    machine.parameters = settings;
    machine.parameter_count = used;
    *count = 0;
    calibration->run_count++;
    for (uint32_t i = 0; i < calibration->measured.experiment_count; i++) {
        struct fit_experiment *experiment = &calibration->measured.experiments[i];

        if (experiment->part_count == 0)
            continue;
        if (!fit_experiment_run(experiment, &machine, fit_begin_of(0), fitting->error))
            return false;
        if (!errors_take(experiment, errors, count))
            return error_set_errno(fitting->error, ENOMEM, "%s", experiment->path);
        made_tell(fitting, i + 1);
    }
    return true;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

/* How each error changes with the logarithm of each parameter. */
static bool slopes_take(struct fitting *fitting)
{
    struct fit_calibration *calibration = fitting->calibration;
    const uint32_t count = calibration->parameter_count;
    uint32_t figures;

    for (uint32_t p = 0; p < count; p++) {
        double at[FIT_PARAMETERS_MAX];

        memcpy(at, fitting->at, sizeof at);
        at[p] = fitting->at[p] + STEP;
        if (!errors_at(fitting, at, fitting->other, &figures))
            return false;
        for (uint32_t f = 0; f < figures; f++)
            fitting->slopes[f * count + p] = fitting->other[f];
        at[p] = fitting->at[p] - STEP;
        if (!errors_at(fitting, at, fitting->other, &figures))
            return false;
        for (uint32_t f = 0; f < figures; f++)
            fitting->slopes[f * count + p] =
                (fitting->slopes[f * count + p] - fitting->other[f]) / (2 * STEP);
    }
    return true;
}

/* The matrix of the normal equations, and their right side. */
static void normal_make(const struct fitting *fitting, struct fit_normal *normal)
{
    const uint32_t count = fitting->calibration->parameter_count;

    *normal = (struct fit_normal){.count = count};
    for (uint32_t f = 0; f < fitting->calibration->figure_count; f++) {
        const double *slope = &fitting->slopes[f * count];

        for (uint32_t i = 0; i < count; i++) {
            normal->side[i] -= slope[i] * fitting->errors[f];
            for (uint32_t k = 0; k < count; k++)
                normal->matrix[i][k] += slope[i] * slope[k];
        }
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Tries steps of that round, ever smaller ones, until one is better.  *gained is by how much. */
static bool round_try(struct fitting *fitting, const struct fit_normal *normal, double *damping,
                      double *gained)
{
    struct fit_calibration *calibration = fitting->calibration;
    const double before = squares(fitting->errors, calibration->figure_count);
    uint32_t figures;

    *gained = 0;
    for (; *damping < DAMPING_MOST; *damping *= 10) {
        double move[FIT_PARAMETERS_MAX], at[FIT_PARAMETERS_MAX];

        fit_normal_solve(normal, *damping, move);
        for (uint32_t i = 0; i < calibration->parameter_count; i++) {
            at[i] = fitting->at[i] + (move[i] > MOVE_MOST    ? MOVE_MOST
                                      : move[i] < -MOVE_MOST ? -MOVE_MOST
                                                             : move[i]);
            at[i] = at[i] < 0 ? 0 : at[i]; /* 1 is the least value */
        }
        if (!errors_at(fitting, at, fitting->other, &figures))
            return false;
        if (squares(fitting->other, figures) >= before)
            continue;
        *gained = before - squares(fitting->other, figures);
        memcpy(fitting->at, at, sizeof at);
        memcpy(fitting->errors, fitting->other, figures * sizeof fitting->errors[0]);
        *damping /= 10;
        return true;
    }
    return true;
}

static bool rounds_make(struct fitting *fitting)
{
    double damping = DAMPING_FIRST, gained = 1;
    struct fit_normal normal;

    for (uint32_t i = 0; i < FIT_ROUNDS_MAX && gained > GAIN_LEAST; i++) {
        if (!slopes_take(fitting))
            return false;
        normal_make(fitting, &normal);
        if (!round_try(fitting, &normal, &damping, &gained))
            return false;
        damping = damping < DAMPING_FIRST ? DAMPING_FIRST : damping;
    }
    return true;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Says which parameters the figures determine: first those on which any depends, then of those the
 * ones that cannot be exchanged. */
static void judge(struct fitting *fitting)
{
    struct fit_calibration *calibration = fitting->calibration;
    const uint32_t count = calibration->parameter_count;
    const double noise = mean_error(fitting);
    struct fit_normal normal;

    for (uint32_t p = 0; p < count; p++) {
        struct fit_parameter *parameter = &calibration->parameters[p];

        parameter->figure_count = 0;
        for (uint32_t f = 0; f < calibration->figure_count; f++)
            parameter->figure_count += fabs(fitting->slopes[f * count + p]) * 0.1 > FIT_TELLS;
    }
    normal_make(fitting, &normal);
    for (uint32_t p = 0; p < count; p++) {
        struct fit_parameter *parameter = &calibration->parameters[p];

        parameter->spread =
            fit_normal_spread(&normal, p, noise > NOISE_LEAST ? noise : NOISE_LEAST);
        parameter->verdict = parameter->figure_count == 0          ? FIT_NO_FIGURE
                             : parameter->spread > FIT_SPREAD_MOST ? FIT_EXCHANGEABLE
                                                                   : FIT_DETERMINED;
        parameter->value =
            parameter->verdict == FIT_DETERMINED ? value_of(fitting->at[p]) : parameter->before;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool fit(struct fitting *fitting)
{
    struct fit_calibration *calibration = fitting->calibration;
    uint32_t count;

    for (uint32_t i = 0; i < calibration->parameter_count; i++)
        fitting->at[i] = log(
            calibration->parameters[i].before > 0 ? (double)calibration->parameters[i].before : 1);
    if (!errors_at(fitting, fitting->at, NULL, &count))
        return false;
    calibration->figure_count = count;
    if (count == 0)
        return error_set(fitting->error, ERROR_INPUT, "the measurements have no times to fit to");
    fitting->errors = calloc(count, sizeof fitting->errors[0]);
    fitting->other = calloc(count, sizeof fitting->other[0]);
    fitting->slopes =
        calloc((size_t)count * calibration->parameter_count, sizeof fitting->slopes[0]);
    if (!fitting->errors || !fitting->other || !fitting->slopes)
        return error_set_errno(fitting->error, ENOMEM, "the figures");
    if (!errors_at(fitting, fitting->at, fitting->errors, &count))
        return false;
    fitting->has_errors = true;
    calibration->error_before = mean_error(fitting);
    if (!rounds_make(fitting) || !slopes_take(fitting))
        return false;
    calibration->error_after = mean_error(fitting);
    judge(fitting);
    return true;
}

/* Fits what has been read. */
bool fit_calibrate_measured(struct fit_calibration *calibration, const char *const *ids,
                            uint32_t count, const struct fit_machine *machine,
                            struct gfe_error *error)
{
    struct fitting fitting = {.calibration = calibration, .machine = machine, .error = error};
    bool good = true;

    assert(count <= FIT_PARAMETERS_MAX);
    for (uint32_t i = 0; good && i < count; i++) {
        struct fit_parameter *parameter = &calibration->parameters[calibration->parameter_count++];

        parameter->id = ids[i];
        good = fit_parameter_value(machine, ids[i], &parameter->before, error);
        parameter->value = parameter->before;
    }
    good = good && fit(&fitting);
    free(fitting.errors);
    free(fitting.other);
    free(fitting.slopes);
    return good;
}

bool fit_calibrate(struct fit_calibration *calibration, const char *const *paths, uint32_t count,
                   const char *const *ids, uint32_t id_count, const struct fit_machine *machine,
                   struct gfe_error *error)
{
    *calibration = (struct fit_calibration){0};
    if (!fit_measured_read(&calibration->measured, paths, count, error))
        return false;
    if (calibration->measured.experiment_count == 0)
        return error_set(error, ERROR_INPUT, "%s: no experiment of a form that is known", paths[0]);
    return fit_calibrate_measured(calibration, ids, id_count, machine, error);
}
