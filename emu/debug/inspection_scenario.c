/* SPDX-License-Identifier: MIT */
/* The scenario that a log is of, loaded as the run that made the log has loaded it: its files by
 * the note beside the log's head, costs and default stream by the head. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpus.h"
#include "emu/debug/inspection_private.h"
#include "firmware-models/cuda/cuda.h"

uint32_t inspection_costs(char *text, struct scenario_cost costs[SCENARIO_COSTS_MAX])
{
    uint32_t count = 0;
    char *line;

    while (count < SCENARIO_COSTS_MAX && (line = strsep(&text, "\n")) != NULL) {
        char *equals = strrchr(line, '=');

        if (!equals)
            continue;
        *equals = '\0';
        costs[count++] = (struct scenario_cost){line, strtoull(equals + 1, NULL, 10)};
    }
    return count;
}

/* The files' paths, which lie in `text`. */
struct paths {
    char *text[SCENARIO_FILES_MAX];
    uint32_t count;
};

static void paths_free(struct paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        free(paths->text[i]);
    paths->count = 0;
}

/* Appends a path: a line of the note, or that name in the log's folder. */
static bool paths_add(struct paths *paths, const struct inspection *inspection, const char *line,
                      bool beside)
{
    const char *log = inspection->log_path;
    const char *slash = strrchr(log, '/'), *base = strrchr(line, '/');
    char *path = NULL;

    base = base ? base + 1 : line;
    if (beside && asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - log) : 0, log, base) < 0)
        path = NULL;
    if (!beside)
        path = strdup(line);
    if (path)
        paths->text[paths->count++] = path;
    return path != NULL;
}

static bool paths_take(struct paths *paths, const struct inspection *inspection, const char *lines,
                       bool beside)
{
    char *text = strdup(lines), *rest = text, *line;
    bool good = text != NULL;

    while (good && paths->count < SCENARIO_FILES_MAX && (line = strsep(&rest, "\n")) != NULL)
        good = paths_add(paths, inspection, line, beside);
    free(text);
    return good;
}

/* Were the processes of the run clients of MPS by a parameter, as gfe run --mps sets it? */
static bool mps_of(const struct inspection *inspection)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(inspection->head, "parameters"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        const json_t *value = json_object_get(row, "value");

        if (name && strcmp(name, "cuda.mps") == 0)
            return json_integer_value(value) != 0 ||
                   (json_is_string(value) && strcmp(json_string_value(value), "0") != 0);
    }
    return false;
}

static struct scenario *load(const struct inspection *inspection, const struct paths *paths,
                             char *cost_text, struct gfe_error *error)
{
    const char *gpu = inspection_run_string(inspection, "gpu");
    const char *stream = inspection_run_string(inspection, "default_stream");
    const struct nv_chip *model = gpu_find_nvidia(gpu, inspection->described);
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    struct scenario_options options = {
        .costs = costs,
        .cost_count = inspection_costs(cost_text, costs),
        .default_stream = strcmp(stream, "per-thread") == 0 ? SCENARIO_PER_THREAD : SCENARIO_LEGACY,
        .mps = mps_of(inspection),
        .model = model,
    };

    if (!model) {
        error_set(error, ERROR_INPUT, "%s: no GPU is called '%s'", inspection->log_path, gpu);
        return NULL;
    }
    options.priority_levels = cuda_priority_levels(model);
    options.shares = cuda_mps_has_shares(model);
    return scenario_load((const char *const *)paths->text, paths->count, &options, error);
}

static bool scenario_check(struct inspection *inspection, const struct paths *paths,
                           struct scenario *scenario)
{
    const char *wanted = inspection_run_string(inspection, "trace_hash");

    if (strcmp(scenario->hash, wanted) == 0) {
        inspection->scenario = scenario;
        return true;
    }
    error_set(&inspection->trace_error, ERROR_INPUT,
              "%s: is not the scenario of %s: its hash is %.16s..., %.16s... was run%s",
              paths->text[0], inspection->log_path, scenario->hash, wanted,
              paths->count > 1 ? " (of several files together)" : "");
    scenario_free(scenario);
    return false;
}

bool inspection_scenario(struct inspection *inspection, const char *lines, bool beside)
{
    char *costs = strdup(inspection_run_string(inspection, "costs"));
    struct gfe_error *error = &inspection->trace_error;
    struct scenario *scenario = NULL;
    struct paths paths = {.count = 0};
    bool good;

    *error = (struct gfe_error){0};
    if (!costs || !paths_take(&paths, inspection, lines, beside))
        error_set_errno(error, ENOMEM, "%s", inspection->log_path);
    else
        scenario = load(inspection, &paths, costs, error);
    good = scenario && scenario_check(inspection, &paths, scenario);
    paths_free(&paths);
    free(costs);
    return good;
}
