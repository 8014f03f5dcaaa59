/* SPDX-License-Identifier: MIT */
/* The run that a log is of, made again and compared with the log on the way. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inspection_private.h"
#include "emu/sim/simulation_snapshot.h"
#include "emu/log/chunk.h"

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
        .described = inspection->described,
        .seed = strtoull(inspection_run_string(inspection, "seed"), NULL, 10),
        .open_loop = strcmp(inspection_run_string(inspection, "loop"), "open") == 0,
        .max_events = run->max_events,
        .max_time_ps = run->max_time_ps,
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

static bool run_restore(struct any_simulation *simulation, const struct inspection_run *run,
                        struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_snapshot_load(run->snapshot, error);
    bool done = snapshot && any_simulation_restore(simulation, snapshot, run->snapshot, error);

    if (done && (machine_now(simulation->machine) > run->when.at_ps ||
                 simulation->machine->log.cursor->event_count > run->when.event))
        done = error_set(error, ERROR_INPUT, "%s: was taken after the time that is asked for",
                         run->snapshot);
    simulation_snapshot_free(snapshot);
    return done;
}

static uint64_t event_count(const struct machine *machine)
{
    return machine->log.cursor->event_count;
}

/* Behind the step of the machine that logs the N-th event: it may log more of them. */
static bool run_to_event(struct any_simulation *simulation, uint64_t event, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    while (event_count(machine) < event && machine_step(machine))
        continue;
    if ((event_count(machine) < event || machine_failed(machine)) &&
        !any_simulation_run(simulation, GFE_PS_NEVER, error)) /* what is logged at the end */
        return false;
    return event_count(machine) >= event ||
           error_set(error, ERROR_INPUT, "%s: its log has %" PRIu64 " events, not %" PRIu64,
                     simulation->name, event_count(machine), event);
}

static bool run_to(struct any_simulation *simulation, const struct inspection_run *run,
                   struct gfe_error *error)
{
    if (run->when.event != UINT64_MAX)
        return run_to_event(simulation, run->when.event, error);
    return any_simulation_run(
        simulation, run->when.at_ps == GFE_PS_NEVER ? GFE_PS_NEVER : run->when.at_ps + 1, error);
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

/* ---- all of it --------------------------------------------------------------------------------
 */

static bool rerun(const struct inspection *inspection, const struct inspection_run *run,
                  const struct any_program *program, struct settings *settings,
                  struct any_simulation *simulation, struct gfe_error *error)
{
    struct simulation_options options;
    bool done;

    if (!options_make(inspection, settings, run, &options, error) ||
        !any_simulation_new(program, &options, simulation, error))
        return false;
    done = (!run->snapshot || run_restore(simulation, run, error)) &&
           run_to(simulation, run, error) && compare(inspection, simulation->machine, error);
    any_simulation_forget_pokes(simulation); /* they are the settings' */
    return done;
}

bool inspection_rerun(const struct inspection *inspection, const struct inspection_run *run,
                      struct any_simulation *simulation, struct gfe_error *error)
{
    struct settings *settings = calloc(1, sizeof *settings);
    char *text = strdup(inspection_run_string(inspection, "costs"));
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    const struct any_program program = {.input = inspection->input,
                                        .hip_path = inspection->config,
                                        .scenario = inspection->scenario,
                                        .costs = costs,
                                        .cost_count = text ? inspection_costs(text, costs) : 0};
    bool done;

    *simulation = (struct any_simulation){0};
    done = settings && text ? rerun(inspection, run, &program, settings, simulation, error)
                            : error_set(error, ERROR_SYSTEM, "no memory for the run's options");
    free(settings);
    free(text);
    if (!done)
        any_simulation_free(simulation);
    return done;
}
