/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/fit/calibrate_solve.h"

#include <math.h>

#define PIVOT_LEAST 1e-12 /* of the largest element: less is 0 */

/* A system that is being eliminated, with one right side. */
struct system {
    double rows[FIT_PARAMETERS_MAX][FIT_PARAMETERS_MAX + 1];
    uint32_t count;
};

static double largest(const struct fit_normal *normal)
{
    double most = 0;

    for (uint32_t i = 0; i < normal->count; i++)
        if (normal->matrix[i][i] > most)
            most = normal->matrix[i][i];
    return most;
}

/* Brings the row with the largest element of the column to its place.  Returns false if all are
 * 0. */
static bool pivot(struct system *system, uint32_t column, double least)
{
    uint32_t best = column;

    for (uint32_t i = column + 1; i < system->count; i++)
        if (fabs(system->rows[i][column]) > fabs(system->rows[best][column]))
            best = i;
    if (fabs(system->rows[best][column]) <= least)
        return false;
    for (uint32_t k = 0; k <= system->count; k++) {
        const double kept = system->rows[column][k];

        system->rows[column][k] = system->rows[best][k];
        system->rows[best][k] = kept;
    }
    return true;
}

/* Gauss and Jordan.  A column without a pivot gets the solution 0. */
static bool eliminate(struct system *system, double least, double *solution)
{
    bool whole = true;

    for (uint32_t column = 0; column < system->count; column++) {
        if (!pivot(system, column, least)) {
            whole = false;
            continue;
        }
        for (uint32_t i = 0; i < system->count; i++) {
            const double factor = system->rows[i][column] / system->rows[column][column];

            for (uint32_t k = column; i != column && k <= system->count; k++)
                system->rows[i][k] -= factor * system->rows[column][k];
        }
    }
    for (uint32_t i = 0; i < system->count; i++)
        solution[i] = fabs(system->rows[i][i]) > least
                          ? system->rows[i][system->count] / system->rows[i][i]
                          : 0;
    return whole;
}

void fit_normal_solve(const struct fit_normal *normal, double damping, double *move)
{
    struct system system = {.count = normal->count};

    for (uint32_t i = 0; i < normal->count; i++) {
        for (uint32_t k = 0; k < normal->count; k++)
            system.rows[i][k] = normal->matrix[i][k] * (i == k ? 1 + damping : 1);
        system.rows[i][normal->count] = normal->side[i];
    }
    (void)eliminate(&system, PIVOT_LEAST * largest(normal), move);
}

double fit_normal_spread(const struct fit_normal *normal, uint32_t parameter, double noise)
{
    struct system system = {0};
    uint32_t of[FIT_PARAMETERS_MAX], at = 0;
    double solution[FIT_PARAMETERS_MAX];

    /* Parameters on which nothing depends are left out: they exchange for nothing. */
    for (uint32_t i = 0; i < normal->count; i++)
        if (normal->matrix[i][i] > PIVOT_LEAST * largest(normal)) {
            at = i == parameter ? system.count : at;
            of[system.count++] = i;
        }
    if (normal->matrix[parameter][parameter] <= PIVOT_LEAST * largest(normal))
        return FIT_ENDLESS;
    for (uint32_t i = 0; i < system.count; i++) {
        for (uint32_t k = 0; k < system.count; k++)
            system.rows[i][k] = normal->matrix[of[i]][of[k]];
        system.rows[i][system.count] = i == at;
    }
    if (!eliminate(&system, PIVOT_LEAST * largest(normal), solution) || solution[at] <= 0)
        return FIT_ENDLESS;
    return noise * sqrt(solution[at]);
}
