/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/hip_explore.h"

#include <stdio.h>
#include <string.h>

#include "emu/sim/hip_simulation.h"

enum { DECISIONS_MAX = 32, LABEL_BYTES = 512, SETTINGS_MAX = 128 };

/* How a choice point was decided: its default alternative first, then those behind it. */
struct decision {
    const struct choice_point *point;
    uint32_t taken, alternatives;
};

/* From the first one that was met to the last: the way to a leaf. */
struct decisions {
    struct decision made[DECISIONS_MAX];
    uint32_t count;
};

/* ---- the tree -------------------------------------------------------------------------------- */

static const struct choice_point *point_of(const struct machine *machine, uint32_t choice)
{
    for (uint32_t i = 0; i < machine->table_count; i++) {
        const struct table_set *tables = machine->tables[i];

        if (choice >= tables->base && choice - tables->base < tables->choice_count)
            return &tables->choices[choice - tables->base];
    }
    return NULL;
}

static bool is_set(const struct simulation_options *options, const char *id)
{
    for (uint32_t i = 0; i < options->choice_count; i++)
        if (strcmp(options->choices[i].id, id) == 0)
            return true;
    return false;
}

static const char *alternative_of(const struct decision *decision)
{
    const struct choice_point *point = decision->point;

    return point->alternatives[(point->default_index + decision->taken) % decision->alternatives];
}

/* Adds the decisions that the run met after those that it was given.  Returns false if they do not
 * fit. */
static bool decisions_follow(struct decisions *decisions, const struct machine *machine,
                             const struct simulation_options *options)
{
    uint32_t known = decisions->count;

    for (uint32_t i = 0; i < machine->met_count; i++) {
        const struct choice_point *point = point_of(machine, machine->met[i]);
        struct decision *decision = &decisions->made[decisions->count];

        if (!point || is_set(options, point->id))
            continue;
        if (known > 0) { /* they come first, in the same order */
            known--;
            continue;
        }
        if (decisions->count == DECISIONS_MAX)
            return false;
        *decision = (struct decision){.point = point};
        while (decision->alternatives < CHOICE_ALTERNATIVES_MAX &&
               point->alternatives[decision->alternatives])
            decision->alternatives++;
        decisions->count++;
    }
    return true;
}

/* On to the next leaf; false: that was the last. */
static bool decisions_next(struct decisions *decisions)
{
    while (decisions->count > 0) {
        struct decision *last = &decisions->made[decisions->count - 1];

        if (++last->taken < last->alternatives)
            return true;
        decisions->count--;
    }
    return false;
}

static void decisions_label(const struct decisions *decisions, char label[LABEL_BYTES])
{
    size_t at = 0;

    label[0] = '\0';
    for (uint32_t i = 0; i < decisions->count && at < LABEL_BYTES; i++)
        at += (size_t)snprintf(label + at, LABEL_BYTES - at, "%s%s=%s", i ? " " : "",
                               decisions->made[i].point->id, alternative_of(&decisions->made[i]));
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct cuda_response response_of(const struct hip_threads *threads, uint32_t plugin)
{
    const uint32_t completed = threads->state->threads[plugin].completed;
    const uint32_t count = completed < HIP_SAMPLES_MAX ? completed : HIP_SAMPLES_MAX;
    struct cuda_response response = {.count = count};

    for (uint32_t i = 0; i < count; i++) {
        const gfe_ps ps = threads->samples[plugin][i];

        if (i == 0)
            response.first_ps = response.best_ps = ps;
        if (ps < response.best_ps)
            response.best_ps = ps;
        if (ps > response.worst_ps) {
            response.worst_ps = ps;
            response.worst_iteration = i;
        }
        response.sum_ps = clock_add(response.sum_ps, ps);
        response.last_ps = ps;
    }
    return response;
}

/* By the first run: whose response times there will be. */
static bool responses_of(struct responses *responses, const struct hip_config *config,
                         struct gfe_error *error)
{
    char task[32];
    bool good = responses_init_named(responses, config->name, config->plugin_count, error);

    for (uint32_t i = 0; i < config->plugin_count && good; i++) {
        (void)snprintf(task, sizeof task, "plugin %u", i);
        good = responses_name(responses, i, config->plugins[i].label, task, error);
    }
    return good;
}

static bool explore_take(const struct hip_simulation *simulation, struct responses *responses,
                         const char *label, struct gfe_error *error)
{
    if (!responses->name && !responses_of(responses, simulation->config, error))
        return false;
    if (!responses_begin(responses, simulation->machine->config.seed, label, error))
        return false;
    for (uint32_t i = 0; i < simulation->config->plugin_count; i++) {
        const struct cuda_response response = response_of(&simulation->threads, i);

        responses_put(responses, i, &response);
    }
    return true;
}

/* One run; of `decisions`, unless that is NULL, it makes those and goes on to what it met then. */
static bool explore_one(const struct hip_explore *explore, const struct simulation_options *options,
                        struct decisions *decisions, struct responses *responses,
                        struct gfe_error *error)
{
    struct hip_simulation *simulation =
        hip_simulation_new(explore->path, options, explore->costs, explore->cost_count, error);
    char label[LABEL_BYTES] = "";
    bool good = simulation && hip_simulation_run_until(simulation, GFE_PS_NEVER, error);

    if (good && decisions) {
        good =
            decisions_follow(decisions, simulation->machine, &explore->options) ||
            error_set(error, ERROR_LIMIT, "a run meets more than %d choice points", DECISIONS_MAX);
        decisions_label(decisions, label);
    }
    good = good && explore_take(simulation, responses, label, error);
    hip_simulation_free(simulation);
    return good;
}

static bool explore_seeds(const struct hip_explore *explore, struct responses *responses,
                          struct gfe_error *error)
{
    struct simulation_options options = explore->options;
    bool good = true;

    for (uint32_t i = 0; i < explore->seeds && good; i++) {
        options.seed = explore->options.seed + i;
        good = explore_one(explore, &options, NULL, responses, error);
    }
    return good;
}

static bool explore_all(const struct hip_explore *explore, struct responses *responses,
                        struct gfe_error *error)
{
    struct simulation_options options = explore->options;
    struct simulation_setting settings[SETTINGS_MAX];
    const uint32_t own = options.choice_count;
    struct decisions decisions = {.count = 0};

    if (own + DECISIONS_MAX > SETTINGS_MAX)
        return error_set(error, ERROR_LIMIT, "too many choice points are set");
    if (own > 0)
        memcpy(settings, options.choices, own * sizeof *settings);
    options.choices = settings;
    do {
        for (uint32_t i = 0; i < decisions.count; i++)
            settings[own + i] = (struct simulation_setting){decisions.made[i].point->id,
                                                            alternative_of(&decisions.made[i])};
        options.choice_count = own + decisions.count;
        if (responses->run_count == EXPLORE_RUNS_MAX)
            return error_set(error, ERROR_LIMIT,
                             "there are more than %d ways: set some choice points with --policy",
                             EXPLORE_RUNS_MAX);
        if (!explore_one(explore, &options, &decisions, responses, error))
            return false;
    } while (decisions_next(&decisions));
    return true;
}

bool hip_explore_make(const struct hip_explore *explore, struct responses *responses,
                      struct gfe_error *error)
{
    *responses = (struct responses){0};
    return explore->seeds ? explore_seeds(explore, responses, error)
                          : explore_all(explore, responses, error);
}
