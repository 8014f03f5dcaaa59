/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/discriminate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/explore/discriminate_private.h"

/* ---- are the two told apart? ----------------------------------------------------------------- */

/* Outcomes of both alternatives so far, of the scenario at hand. */
struct trial {
    struct discriminate *discriminate;
    const struct scenario *scenario;
    struct scenario *backwards; /* owned; NULL: not made yet */
    struct discriminate_outcomes sides[2];
    bool *counts; /* the values by which they are told apart */
    bool apart;   /* so far */
    struct gfe_error *error;
};

static bool no_memory(struct gfe_error *error)
{
    return error_set(error, ERROR_SYSTEM, "no memory for the outcome of a run");
}

/* Adds a run of a side; false: an error. */
static bool trial_add(struct trial *trial, uint32_t side, struct discriminate_variant variant)
{
    struct discriminate_outcome outcome;
    bool complete = false, drew = false;

    if (!discriminate_run(trial->discriminate,
                          variant.backwards ? trial->backwards : trial->scenario, side, variant,
                          &outcome, &complete, &drew, trial->error))
        return false;
    if (variant.noise == 0 && !variant.backwards)
        trial->sides[side].seeded = trial->sides[side].seeded || drew;
    if (!complete)
        trial->apart = false;
    return !complete || discriminate_outcomes_add(&trial->sides[side], outcome) ||
           no_memory(trial->error);
}

/* The plain runs. */
static bool trial_begin(struct trial *trial)
{
    const struct discriminate_scenario *scenario = &trial->discriminate->scenario;
    const struct discriminate_variant plain = {trial->discriminate->question.seed, 0, false};

    for (uint32_t side = 0; side < 2 && trial->apart; side++)
        if (!trial_add(trial, side, plain))
            return false;
    trial->apart = trial->apart && discriminate_differ(scenario, NULL, &trial->sides[0].list[0],
                                                       &trial->sides[1].list[0]);
    if (!trial->apart)
        return true;
    trial->counts = malloc(discriminate_value_count(scenario) * sizeof *trial->counts);
    for (uint32_t i = 0; trial->counts && i < discriminate_value_count(scenario); i++)
        trial->counts[i] = true;
    return trial->counts || no_memory(trial->error);
}

/* A run more of each side on which the seed has no say, with noise: by what changes with it nothing
 * is told apart. */
static bool trial_add_noise(struct trial *trial, struct discriminate_variant variant)
{
    const struct discriminate_scenario *scenario = &trial->discriminate->scenario;

    for (uint32_t side = 0; side < 2 && trial->apart; side++) {
        if (trial->sides[side].seeded)
            continue;
        if (!trial_add(trial, side, variant))
            return false;
        discriminate_steady(scenario, &trial->sides[side], trial->counts);
    }
    if (trial->apart && !trial->sides[0].seeded && !trial->sides[1].seeded)
        trial->apart = discriminate_in_all_pairs(scenario, trial->sides, trial->counts);
    return true;
}

static bool trial_noises(struct trial *trial)
{
    const uint32_t count = discriminate_noise_count(trial->discriminate);
    const uint64_t seed = trial->discriminate->question.seed;

    trial->backwards = discriminate_parse(trial->discriminate, true, trial->error);
    if (!trial->backwards || !trial_add_noise(trial, (struct discriminate_variant){seed, 0, true}))
        return false;
    for (uint32_t i = 1; i < count && trial->apart; i++)
        if (!trial_add_noise(trial, (struct discriminate_variant){seed, i, false}))
            return false;
    return true;
}

/* Is the side's last outcome another than all of the other's? */
static bool last_differs(const struct trial *trial, uint32_t side)
{
    const struct discriminate_outcomes *own = &trial->sides[side];
    const struct discriminate_outcomes *others = &trial->sides[1 - side];
    bool differs = true;

    for (uint32_t i = 0; i < others->count && differs; i++)
        differs = discriminate_differ(&trial->discriminate->scenario, trial->counts,
                                      &own->list[own->count - 1], &others->list[i]);
    return differs;
}

/* Where it has: no seed may do as the other side, whatever the noise of that. */
static bool trial_seeds(struct trial *trial)
{
    const struct discriminate_scenario *scenario = &trial->discriminate->scenario;
    const uint64_t seed = trial->discriminate->question.seed;

    trial->apart = trial->sides[0].seeded ? last_differs(trial, 0) : last_differs(trial, 1);
    for (uint32_t i = 1; i < DISCRIMINATE_SEEDS && trial->apart; i++)
        for (uint32_t side = 0; side < 2 && trial->apart; side++) {
            if (!trial->sides[side].seeded)
                continue;
            if (!trial_add(trial, side, (struct discriminate_variant){seed + i, 0, false}))
                return false;
            trial->apart = trial->apart && last_differs(trial, side);
        }
    if (trial->apart)
        discriminate_in_any_pair(scenario, trial->sides, trial->counts);
    return true;
}

static bool trial_make(struct trial *trial)
{
    if (!trial_begin(trial) || (trial->apart && !trial_noises(trial)))
        return false;
    return !trial->apart || !(trial->sides[0].seeded || trial->sides[1].seeded) ||
           trial_seeds(trial);
}

bool discriminate_try(struct discriminate *discriminate, bool keep, bool *apart,
                      struct gfe_error *error)
{
    struct scenario *scenario = discriminate_parse(discriminate, false, error);
    struct trial trial = {
        .discriminate = discriminate, .scenario = scenario, .apart = true, .error = error};
    const bool good = scenario && trial_make(&trial);

    *apart = good && trial.apart;
    if (*apart && keep) {
        discriminate_prefer_times(&discriminate->scenario, trial.sides, trial.counts);
        discriminate->sides[0] = trial.sides[0];
        discriminate->sides[1] = trial.sides[1];
        discriminate->evidence = trial.counts;
    } else {
        discriminate_outcomes_fini(&trial.sides[0]);
        discriminate_outcomes_fini(&trial.sides[1]);
        free(trial.counts);
    }
    scenario_free(scenario);
    scenario_free(trial.backwards);
    return good;
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool too_many(struct discriminate *discriminate)
{
    discriminate->gave_up = discriminate->simulation_count >= DISCRIMINATE_SIMULATIONS_MAX;
    return discriminate->gave_up;
}

/* All with so many kernels, until one is found. */
static bool search_size(struct discriminate *discriminate, uint32_t kernels,
                        struct gfe_error *error)
{
    struct discriminate_scenario *list;
    uint32_t count;
    bool good = true;

    if (!discriminate_enumerate(discriminate->question.model, kernels, &list, &count)) {
        free(list);
        return error_set(error, ERROR_SYSTEM, "no memory for the scenarios to try");
    }
    discriminate->largest_kernels = kernels;
    for (uint32_t i = 0; i < count && good && !discriminate->found && !too_many(discriminate);
         i++) {
        discriminate->scenario = list[i];
        discriminate->tried_count++;
        good = discriminate_try(discriminate, false, &discriminate->found, error);
    }
    free(list);
    return good;
}

/* As long as one smaller in some way tells the two apart, it takes the place. */
static bool shrink(struct discriminate *discriminate, struct gfe_error *error)
{
    struct discriminate_scenario best = discriminate->scenario;
    bool good = true, better = true, is_smaller;
    uint32_t step = 0;

    while (better && good) {
        better = false;
        for (step = 0; good && discriminate_reduce(&best, discriminate->question.model, step,
                                                   &discriminate->scenario, &is_smaller);) {
            bool apart = false;

            if (is_smaller && !too_many(discriminate)) {
                discriminate->tried_count++;
                good = discriminate_try(discriminate, false, &apart, error);
            }
            if (apart)
                best = discriminate->scenario;
            else
                step++;
            better = better || apart;
        }
    }
    discriminate->scenario = best;
    return good;
}

/* Keeps what the smallest shows. */
static bool conclude(struct discriminate *discriminate, struct gfe_error *error)
{
    struct scenario *scenario;
    bool apart, good;

    if (!discriminate_try(discriminate, true, &apart, error))
        return false;
    scenario = discriminate_parse(discriminate, false, error);
    good = scenario && discriminate_why(discriminate, scenario, error);
    scenario_free(scenario);
    return good;
}

bool discriminate_find(struct discriminate *discriminate,
                       const struct discriminate_question *question, struct gfe_error *error)
{
    const struct choice_point *point = question->point;
    bool good = true;

    *discriminate = (struct discriminate){.question = *question};
    (void)snprintf(discriminate->name, sizeof discriminate->name,
                   "gfe discriminate %s %s %s, %s, seed %" PRIu64, point->id,
                   point->alternatives[question->alternatives[0]],
                   point->alternatives[question->alternatives[1]], question->model->name,
                   question->seed);
    discriminate->absent = !discriminate_is_met(point);
    if (discriminate->absent)
        return true;
    for (uint32_t n = question->min_kernels ? question->min_kernels : 1;
         n <= question->max_kernels && good && !discriminate->found && !too_many(discriminate); n++)
        good = search_size(discriminate, n, error);
    if (!good || !discriminate->found)
        return good;
    return shrink(discriminate, error) && conclude(discriminate, error);
}

void discriminate_fini(struct discriminate *discriminate)
{
    discriminate_outcomes_fini(&discriminate->sides[0]);
    discriminate_outcomes_fini(&discriminate->sides[1]);
    free(discriminate->evidence);
    discriminate->evidence = NULL;
}
