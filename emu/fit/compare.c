/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/compare.h"

void fit_comparison_free(struct fit_comparison *comparison)
{
    for (uint32_t i = 0; comparison->figures && i < comparison->measured.experiment_count; i++)
        fit_figures_free(&comparison->figures[i]);
    free(comparison->figures);
    free(comparison->families);
    fit_measured_free(&comparison->measured);
    *comparison = (struct fit_comparison){0};
}

/* ---- families -------------------------------------------------------------------------------- */

static bool family_take(struct fit_family *family, const struct fit_figures *figures,
                        struct fit_series *errors)
{
    family->experiment_count++;
    for (uint32_t i = 0; i < figures->count; i++) {
        const struct fit_figure *figure = &figures->list[i];

        if (figure->kind == FIT_BLOCKS_ON_SM) {
            family->block_count += figure->real;
            family->blocks_on_sm += figure->emulated;
        } else if (figure->kind == FIT_LATER_ON_SM) {
            family->later_count += figure->real;
            family->later_on_sm += figure->emulated;
        } else if (figure->kind == FIT_STARTS_IN_ORDER) {
            family->pair_count += figure->real;
            family->pairs_in_order += figure->emulated;
        } else {
            const double error = fit_figure_error(figure);

            family->value_count++;
            family->near_count += error <= FIT_NEAR;
            if (!fit_series_add(errors, error))
                return false;
        }
    }
    return true;
}

/* Counts the experiments of a family; all of them if it has no name. */
static bool family_make(struct fit_family *family, const struct fit_comparison *comparison)
{
    struct fit_series errors = {0};
    bool good = true;

    for (uint32_t i = 0; good && i < comparison->measured.experiment_count; i++)
        if (comparison->measured.experiments[i].part_count > 0 &&
            (!family->name ||
             strcmp(family->name, comparison->measured.experiments[i].family) == 0))
            good = family_take(family, &comparison->figures[i], &errors);
    family->median_error = fit_series_median(&errors);
    free(errors.values);
    return good;
}

static bool families_make(struct fit_comparison *comparison)
{
    const struct fit_measured *measured = &comparison->measured;

    comparison->families = calloc(measured->experiment_count + 1, sizeof *comparison->families);
    if (!comparison->families)
        return false;
    for (uint32_t i = 0; i < measured->experiment_count; i++) {
        bool known = false;

        for (uint32_t k = 0; k < comparison->family_count; k++)
            known =
                known || strcmp(comparison->families[k].name, measured->experiments[i].family) == 0;
        if (!known)
            comparison->families[comparison->family_count++].name = measured->experiments[i].family;
    }
    for (uint32_t i = 0; i < comparison->family_count; i++)
        if (!family_make(&comparison->families[i], comparison))
            return false;
    return family_make(&comparison->all, comparison);
}

/* ---- making ---------------------------------------------------------------------------------- */

bool fit_compare(struct fit_comparison *comparison, const char *const *paths, uint32_t count,
                 const struct fit_machine *machine, struct gfe_error *error)
{
    struct fit_measured *measured = &comparison->measured;

    *comparison = (struct fit_comparison){0};
    if (!fit_measured_read(measured, paths, count, error))
        return false;
    if (measured->experiment_count == 0)
        return error_set(error, ERROR_INPUT, "%s: no experiment of a form that is known", paths[0]);
    comparison->figures = calloc(measured->experiment_count, sizeof comparison->figures[0]);
    if (!comparison->figures)
        return error_set_errno(error, ENOMEM, "%s", paths[0]);
    for (uint32_t i = 0; i < measured->experiment_count; i++) {
        struct fit_experiment *experiment = &measured->experiments[i];

        if (experiment->part_count == 0)
            continue;
        if (!fit_experiment_make(experiment, machine, error))
            return false;
        if (!fit_figures_add(&comparison->figures[i], experiment))
            return error_set_errno(error, ENOMEM, "%s", experiment->path);
        fit_machine_made(machine, &(struct fit_made){.experiment = i + 1,
                                                     .experiment_count = measured->experiment_count,
                                                     .error = -1});
    }
    return families_make(comparison) || error_set_errno(error, ENOMEM, "%s", paths[0]);
}
