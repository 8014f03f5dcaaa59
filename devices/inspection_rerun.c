/* SPDX-License-Identifier: MIT */
/* The run that a log is of, made again and compared with the log on the way. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/hip_simulation.h"
#include "devices/inspection.h"
#include "devices/kfd_simulation.h"
#include "devices/simulation_snapshot.h"
#include "emu/chunk.h"

enum { SETTINGS_MAX = 1024, VALUE_BYTES = 24 };

/* ---- options ----------------------------------------------------------------------------------
 */

/* What shapes the run, as the head says it.  Strings are the head's or lie in `values`. */
struct settings {
    struct simulation_setting parameters[SETTINGS_MAX], choices[SETTINGS_MAX];
    char values[SETTINGS_MAX][VALUE_BYTES];
    const char *pokes[SETTINGS_MAX];
    uint32_t parameter_count, choice_count, poke_count;
};

static bool settings_bad(const struct inspection *inspection, struct gfe_error *error)
{
    return error_set(error, ERROR_INPUT, "%s: its head does not say how it was run",
                     inspection->log_path);
}

static bool parameters_take(const json_t *head, struct settings *settings)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(head, "parameters"), i, row)
    {
        const json_t *value = json_object_get(row, "value");
        struct simulation_setting *setting = &settings->parameters[settings->parameter_count];
        char *text = settings->values[settings->parameter_count];

        if (settings->parameter_count == SETTINGS_MAX)
            return false;
        setting->id = json_string_value(json_object_get(row, "name"));
        setting->value = text;
        if (json_is_string(value))
            (void)snprintf(text, VALUE_BYTES, "%s", json_string_value(value));
        else if (json_is_integer(value))
            (void)snprintf(text, VALUE_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        if (!setting->id || text[0] == '\0')
            return false;
        settings->parameter_count++;
    }
    return true;
}

static bool choices_take(const json_t *head, struct settings *settings)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(head, "choices"), i, row)
    {
        struct simulation_setting *setting = &settings->choices[settings->choice_count];

        if (settings->choice_count == SETTINGS_MAX)
            return false;
        setting->id = json_string_value(json_object_get(row, "name"));
        setting->value = json_string_value(json_object_get(row, "alternative"));
        if (!setting->id || !setting->value)
            return false;
        settings->choice_count++;
    }
    return true;
}

static bool pokes_take(const json_t *head, struct settings *settings)
{
    const json_t *text;
    size_t i;

    json_array_foreach(json_object_get(head, "pokes"), i, text)
    {
        if (settings->poke_count == SETTINGS_MAX || !json_is_string(text))
            return false;
        settings->pokes[settings->poke_count++] = json_string_value(text);
    }
    return true;
}

/* The settings lie in the options until the machine has been made; false with a message. */
static bool options_make(const struct inspection *inspection, struct settings *settings,
                         const struct inspection_run *run, struct simulation_options *options,
                         struct gfe_error *error)
{
    if (!parameters_take(inspection->head, settings) || !choices_take(inspection->head, settings) ||
        !pokes_take(inspection->head, settings))
        return settings_bad(inspection, error);
    *options = (struct simulation_options){
        .gpu = inspection_run_string(inspection, "gpu"),
        .seed = strtoull(inspection_run_string(inspection, "seed"), NULL, 10),
        .open_loop = strcmp(inspection_run_string(inspection, "loop"), "open") == 0,
        .max_memory_bytes = run->max_memory_bytes,
        .parameters = settings->parameters,
        .choices = settings->choices,
        .parameter_count = settings->parameter_count,
        .choice_count = settings->choice_count,
        .pokes = settings->pokes,
        .poke_count = settings->poke_count,
    };
    return true;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static bool run_restore(struct simulation *simulation, const struct inspection *inspection,
                        const struct inspection_run *run, struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_snapshot_load(run->snapshot, error);
    bool done = snapshot && simulation_restore(simulation, inspection->input->hash, snapshot,
                                               run->snapshot, error);

    if (done && (machine_now(simulation->machine) > run->when.at_ps ||
                 simulation->machine->log.cursor->event_count > run->when.event))
        done = error_set(error, ERROR_INPUT, "%s: was taken behind the time that is asked for",
                         run->snapshot);
    simulation_snapshot_free(snapshot);
    return done;
}

static uint64_t event_count(const struct machine *machine)
{
    return machine->log.cursor->event_count;
}

/* A simulation of either kind: runs on, to its end for GFE_PS_NEVER. */
struct runner {
    struct machine *machine;
    const char *name;
    bool (*run)(void *simulation, gfe_ps until_ps, struct gfe_error *error);
    void *simulation;
};

static bool run_simulation(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return simulation_run(simulation, until_ps, error);
}

static bool run_kfd_simulation(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return kfd_simulation_run_until(simulation, until_ps, error);
}

static bool run_hip_simulation(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return hip_simulation_run_until(simulation, until_ps, error);
}

/* Behind the step of the machine that logs the N-th event: it may log more of them. */
static bool run_to_event(const struct runner *runner, uint64_t event, struct gfe_error *error)
{
    struct machine *machine = runner->machine;

    while (event_count(machine) < event && machine_step(machine))
        continue;
    if ((event_count(machine) < event || machine_failed(machine)) &&
        !runner->run(runner->simulation, GFE_PS_NEVER, error)) /* what is logged at the end */
        return false;
    return event_count(machine) >= event ||
           error_set(error, ERROR_INPUT, "%s: its log has %" PRIu64 " events, not %" PRIu64,
                     runner->name, event_count(machine), event);
}

static bool run_to(const struct runner *runner, const struct inspection_run *run,
                   struct gfe_error *error)
{
    if (run->when.event != UINT64_MAX)
        return run_to_event(runner, run->when.event, error);
    return runner->run(runner->simulation,
                       run->when.at_ps == GFE_PS_NEVER ? GFE_PS_NEVER : run->when.at_ps + 1, error);
}

/* ---- comparing --------------------------------------------------------------------------------
 */

static bool differs(const struct inspection *inspection, struct gfe_error *error)
{
    return error_set(error, ERROR_INPUT,
                     "%s: made again, its run is another: it was made by another build of gfe, or "
                     "the log was changed",
                     inspection->log_path);
}

/* The events made again are the first of the log's, byte for byte. */
static bool compare(const struct inspection *inspection, const struct machine *machine,
                    struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(inspection->log_path, error);
    uint64_t bytes, at = 0;
    const uint8_t *made = event_log_bytes(&machine->log, &bytes);
    enum chunk_result result = CHUNK_FAILED;
    struct chunk chunk;
    bool same = true;

    while (chunks && at < bytes && same &&
           (result = chunk_read(chunks, &chunk, error)) == CHUNK_GOT) {
        const uint64_t part = bytes - at < chunk.raw_bytes ? bytes - at : chunk.raw_bytes;

        if (chunk.kind != CHUNK_LOG_EVENTS)
            continue;
        same = memcmp(chunk.raw, made + at, (size_t)part) == 0;
        at += part;
    }
    chunk_reader_free(chunks);
    if (!chunks || (at < bytes && same && result == CHUNK_FAILED))
        return false;
    return (same && at == bytes) || differs(inspection, error);
}

struct simulation *inspection_rerun(const struct inspection *inspection,
                                    const struct inspection_run *run, struct gfe_error *error)
{
    struct settings *settings = calloc(1, sizeof *settings);
    struct simulation_options options;
    struct simulation *simulation = NULL;
    bool done = false;

    if (!settings)
        error_set(error, ERROR_SYSTEM, "no memory for the run's options");
    else if (options_make(inspection, settings, run, &options, error))
        simulation = simulation_new(inspection->input, &options, error);
    if (simulation) {
        const struct runner runner = {simulation->machine, simulation->name, run_simulation,
                                      simulation};

        done = (!run->snapshot || run_restore(simulation, inspection, run, error)) &&
               run_to(&runner, run, error) && compare(inspection, simulation->machine, error);
    }
    free(settings);
    if (done) {
        simulation->poke_texts = NULL; /* they were the settings' */
        simulation->poke_count = 0;
        return simulation;
    }
    simulation_free(simulation);
    return NULL;
}

struct kfd_simulation *inspection_rerun_kfd(const struct inspection *inspection,
                                            const struct inspection_run *run,
                                            struct gfe_error *error)
{
    struct settings *settings = calloc(1, sizeof *settings);
    struct simulation_options options;
    struct kfd_simulation *simulation = NULL;
    bool done = false;

    if (!settings)
        error_set(error, ERROR_SYSTEM, "no memory for the run's options");
    else if (run->snapshot)
        error_set(error, ERROR_USAGE, "%s: AMD GPUs have no snapshots yet", run->snapshot);
    else if (options_make(inspection, settings, run, &options, error))
        simulation = kfd_simulation_new(inspection->input, &options, error);
    if (simulation) {
        const struct runner runner = {simulation->machine, inspection->input->path,
                                      run_kfd_simulation, simulation};

        done =
            run_to(&runner, run, error) && compare(inspection, simulation->machine, error);
    }
    free(settings);
    if (done)
        return simulation;
    kfd_simulation_free(simulation);
    return NULL;
}

/* "NAME=PS" of each line; the text is split in place.  How many. */
static uint32_t costs_take(char *text, struct scenario_cost costs[SCENARIO_COSTS_MAX])
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

struct hip_simulation *inspection_rerun_hip(const struct inspection *inspection,
                                            const struct inspection_run *run,
                                            struct gfe_error *error)
{
    struct settings *settings = calloc(1, sizeof *settings);
    char *text = strdup(inspection_run_string(inspection, "costs"));
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    const uint32_t cost_count = text ? costs_take(text, costs) : 0;
    struct simulation_options options;
    struct hip_simulation *simulation = NULL;
    bool done = false;

    if (!settings || !text)
        error_set(error, ERROR_SYSTEM, "no memory for the run's options");
    else if (run->snapshot)
        error_set(error, ERROR_USAGE, "%s: AMD GPUs have no snapshots yet", run->snapshot);
    else if (options_make(inspection, settings, run, &options, error))
        simulation = hip_simulation_new(inspection->config, &options, costs, cost_count, error);
    if (simulation) {
        const struct runner runner = {simulation->machine, simulation->name, run_hip_simulation,
                                      simulation};

        done = run_to(&runner, run, error) && compare(inspection, simulation->machine, error);
    }
    free(settings);
    free(text);
    if (done)
        return simulation;
    hip_simulation_free(simulation);
    return NULL;
}
