/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/explore.h"

#include <stdio.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "firmware-models/cuda/cuda_tables.h"

enum { POINTS_MAX = 16, LABEL_BYTES = 256, SETTINGS_MAX = 128 };

static const struct table_set *const sets[] = {&core_tables, &cuda_tables};

/* Choice points that are walked, and how many alternatives each has. */
struct points {
    const struct choice_point *point[POINTS_MAX];
    uint32_t alternatives[POINTS_MAX];
    uint32_t count;
};

static bool is_set(const struct simulation_options *options, const char *id)
{
    for (uint32_t i = 0; i < options->choice_count; i++)
        if (strcmp(options->choices[i].id, id) == 0)
            return true;
    return false;
}

static void points_find(const struct simulation_options *options, struct points *points)
{
    memset(points, 0, sizeof *points);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (uint32_t i = 0; i < sets[s]->choice_count && points->count < POINTS_MAX; i++) {
            const struct choice_point *point = &sets[s]->choices[i];
            uint32_t n = 0;

            if (is_set(options, point->id))
                continue;
            while (n < CHOICE_ALTERNATIVES_MAX && point->alternatives[n])
                n++;
            points->point[points->count] = point;
            points->alternatives[points->count++] = n;
        }
}

uint32_t explore_runs(const struct explore *explore)
{
    struct points points;
    uint32_t runs = 1;

    points_find(&explore->options, &points);
    for (uint32_t i = 0; i < points.count && explore->seeds == 0; i++)
        runs *= points.alternatives[i];
    return explore->seeds ? explore->seeds : runs;
}

/* One run; `label` says what was chosen, "" where only the seed differs. */
static bool explore_one(const struct explore *explore, const struct simulation_options *options,
                        const char *label, struct responses *responses, struct gfe_error *error)
{
    struct simulation *simulation = simulation_new_scenario(explore->scenario, options, error);
    const bool done = simulation && simulation_run(simulation, GFE_PS_NEVER, error) &&
                      responses_add(responses, simulation, options->seed, label, error);

    simulation_free(simulation);
    return done;
}

static bool explore_seeds(const struct explore *explore, struct responses *responses,
                          struct gfe_error *error)
{
    struct simulation_options options = explore->options;
    bool good = true;

    for (uint32_t i = 0; i < explore->seeds && good; i++) {
        options.seed = explore->options.seed + i;
        good = explore_one(explore, &options, "", responses, error);
    }
    return good;
}

/* The n-th combination of alternatives, the first point's changing most often. */
static void combine(const struct points *points, uint32_t n, struct simulation_setting *settings,
                    char label[LABEL_BYTES])
{
    size_t at = 0;

    label[0] = '\0';
    for (uint32_t i = 0; i < points->count && i < POINTS_MAX; i++) {
        const char *alternative = points->point[i]->alternatives[n % points->alternatives[i]];

        n /= points->alternatives[i];
        settings[i] = (struct simulation_setting){points->point[i]->id, alternative};
        if (at < LABEL_BYTES)
            at += (size_t)snprintf(label + at, LABEL_BYTES - at, "%s%s=%s", i ? " " : "",
                                   points->point[i]->id, alternative);
    }
}

static bool explore_alternatives(const struct explore *explore, struct responses *responses,
                                 struct gfe_error *error)
{
    struct points points;
    struct simulation_options options = explore->options;
    struct simulation_setting settings[SETTINGS_MAX];
    const uint32_t own = options.choice_count, runs = explore_runs(explore);
    char label[LABEL_BYTES];
    bool good;

    points_find(&explore->options, &points);
    good = own + points.count <= SETTINGS_MAX;
    if (!good)
        return error_set(error, ERROR_LIMIT, "too many choice points are set");
    if (own > 0)
        memcpy(settings, options.choices, own * sizeof *settings);
    options.choices = settings;
    options.choice_count = own + points.count;
    for (uint32_t n = 0; n < runs && good; n++) {
        combine(&points, n, settings + own, label);
        good = explore_one(explore, &options, label, responses, error);
    }
    return good;
}

bool explore_make(const struct explore *explore, struct responses *responses,
                  struct gfe_error *error)
{
    return explore->seeds ? explore_seeds(explore, responses, error)
                          : explore_alternatives(explore, responses, error);
}
