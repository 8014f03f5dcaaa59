/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/inspection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_inspect_log.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "devices/simulation_snapshot.h"
#include "emu/chunk.h"
#include "emu/gfe.h"
#include "emu/inspect_queues.h"
#include "emu/json_text.h"

enum { SETTINGS_MAX = 1024, VALUE_BYTES = 24 };

const struct inspect_view *inspection_view_find(const char *name, uint32_t *number)
{
    const struct inspect_view *view =
        inspect_view_find(nv_inspect_views, nv_inspect_view_count, name, number);

    return view ? view : inspect_view_find(&inspect_queues_view, 1, name, number);
}

void inspection_view_names(char *text, size_t bytes)
{
    size_t used;

    inspect_view_names(nv_inspect_views, nv_inspect_view_count, text, bytes);
    used = strlen(text);
    (void)snprintf(text + used, bytes - used, ", %s", inspect_queues_view.name);
}

/* ---- the log and its trace --------------------------------------------------------------------
 */

/* A string of the head's "run" object; "" when there is none. */
static const char *run_string(const struct inspection *inspection, const char *key)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(inspection->head, "run"), key));

    return text ? text : "";
}

/* Loads a trace if it is the log's; else says why not in trace_error. */
static bool trace_take(struct inspection *inspection, const char *path, uint64_t unpacked_bytes)
{
    const char *wanted = run_string(inspection, "trace_hash");
    struct replay_input *input;

    inspection->trace_error = (struct gfe_error){0};
    input = replay_load_within(path, unpacked_bytes, &inspection->trace_error);
    if (input && strcmp(input->hash, wanted) == 0) {
        inspection->input = input;
        return true;
    }
    if (input)
        error_set(&inspection->trace_error, ERROR_INPUT,
                  "%s: is not the trace of %s: its hash is %.16s..., %.16s... was run", path,
                  inspection->log_path, input->hash, wanted);
    replay_input_free(input);
    return false;
}

/* The file of that name in the log's folder. */
static bool trace_beside(struct inspection *inspection, const char *name, uint64_t unpacked_bytes)
{
    const char *base = strrchr(name, '/');
    const char *slash = strrchr(inspection->log_path, '/');
    struct gfe_error first = inspection->trace_error;
    char *path = NULL;
    bool found;

    base = base ? base + 1 : name;
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - inspection->log_path) : 0,
                 inspection->log_path, base) < 0)
        return false;
    found = strcmp(path, name) != 0 && trace_take(inspection, path, unpacked_bytes);
    if (!found)
        inspection->trace_error = first;
    free(path);
    return found;
}

static bool trace_find(struct inspection *inspection, const char *given, const char *noted,
                       uint64_t unpacked_bytes, struct gfe_error *error)
{
    if (given)
        return trace_take(inspection, given, unpacked_bytes) ||
               error_set(error, inspection->trace_error.kind, "%s", inspection->trace_error.text);
    if (noted[0] == '\0')
        error_set(&inspection->trace_error, ERROR_INPUT,
                  "%s: does not say where its trace was (--trace names it)", inspection->log_path);
    else if (!trace_take(inspection, noted, unpacked_bytes))
        (void)trace_beside(inspection, noted, unpacked_bytes);
    return true;
}

static bool version_check(const struct inspection *inspection, struct gfe_error *error)
{
    const char *version = run_string(inspection, "version");

    return strcmp(version, gfe_version()) == 0 ||
           error_set(error, ERROR_INPUT,
                     "%s: was made by gfe %s, this is gfe %s: its run cannot be made again",
                     inspection->log_path, version[0] ? version : "(unknown)", gfe_version());
}

/* Reads the head, and the note of where the trace was, which stands before the first events. */
static char *log_read(struct inspection *inspection, struct gfe_error *error)
{
    struct event_log_reader *reader = event_log_open(inspection->log_path, error);
    struct log_event event;
    char *noted = NULL;

    if (!reader)
        return NULL;
    inspection->head = json_text_loads(event_log_head_json(reader));
    if (event_log_read(reader, &event, error) != EVENT_LOG_FAILED) {
        noted = strdup(event_log_host(reader, "trace"));
        if (!inspection->head || !noted)
            error_set(error, ERROR_SYSTEM, "%s: no memory", inspection->log_path);
    }
    event_log_close(reader);
    if (inspection->head)
        return noted;
    free(noted);
    return NULL;
}

struct inspection *inspection_open(const char *log, const char *trace, uint64_t unpacked_bytes,
                                   struct gfe_error *error)
{
    struct inspection *inspection = calloc(1, sizeof *inspection);
    char *noted = NULL;
    bool done = false;

    if (inspection)
        inspection->log_path = strdup(log);
    if (!inspection || !inspection->log_path)
        error_set(error, ERROR_SYSTEM, "%s: no memory", log);
    else
        noted = log_read(inspection, error);
    if (noted)
        done = version_check(inspection, error) &&
               trace_find(inspection, trace, noted, unpacked_bytes, error);
    free(noted);
    if (done)
        return inspection;
    inspection_close(inspection);
    return NULL;
}

void inspection_close(struct inspection *inspection)
{
    if (!inspection)
        return;
    replay_input_free(inspection->input);
    json_decref(inspection->head);
    free(inspection->log_path);
    free(inspection);
}

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

static struct simulation *simulate(const struct inspection *inspection, struct settings *settings,
                                   const struct inspection_run *run, struct gfe_error *error)
{
    const struct simulation_options options = {
        .gpu = run_string(inspection, "gpu"),
        .seed = strtoull(run_string(inspection, "seed"), NULL, 10),
        .open_loop = strcmp(run_string(inspection, "loop"), "open") == 0,
        .max_memory_bytes = run->max_memory_bytes,
        .parameters = settings->parameters,
        .choices = settings->choices,
        .parameter_count = settings->parameter_count,
        .choice_count = settings->choice_count,
        .pokes = settings->pokes,
        .poke_count = settings->poke_count,
    };

    return simulation_new(inspection->input, &options, error);
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

static uint64_t event_count(const struct simulation *simulation)
{
    return simulation->machine->log.cursor->event_count;
}

/* Behind the step of the machine that logs the N-th event: it may log more of them. */
static bool run_to_event(struct simulation *simulation, uint64_t event, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    while (event_count(simulation) < event && machine_step(machine))
        continue;
    if ((event_count(simulation) < event || machine_failed(machine)) &&
        !simulation_run(simulation, GFE_PS_NEVER, error)) /* what is logged at the end */
        return false;
    return event_count(simulation) >= event ||
           error_set(error, ERROR_INPUT, "%s: its log has %" PRIu64 " events, not %" PRIu64,
                     simulation->name, event_count(simulation), event);
}

static bool run_to(struct simulation *simulation, const struct inspection_run *run,
                   struct gfe_error *error)
{
    if (run->when.event != UINT64_MAX)
        return run_to_event(simulation, run->when.event, error);
    return simulation_run(
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
static bool compare(const struct inspection *inspection, const struct simulation *simulation,
                    struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(inspection->log_path, error);
    uint64_t bytes, at = 0;
    const uint8_t *made = event_log_bytes(&simulation->machine->log, &bytes);
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
    struct simulation *simulation = NULL;
    bool done = false;

    if (!settings)
        error_set(error, ERROR_SYSTEM, "no memory for the run's options");
    else if (!parameters_take(inspection->head, settings) ||
             !choices_take(inspection->head, settings) || !pokes_take(inspection->head, settings))
        settings_bad(inspection, error);
    else
        simulation = simulate(inspection, settings, run, error);
    if (simulation)
        done = (!run->snapshot || run_restore(simulation, inspection, run, error)) &&
               run_to(simulation, run, error) && compare(inspection, simulation, error);
    free(settings);
    if (done) {
        simulation->poke_texts = NULL; /* they were the settings' */
        simulation->poke_count = 0;
        return simulation;
    }
    simulation_free(simulation);
    return NULL;
}

/* ---- from the log alone -----------------------------------------------------------------------
 */

const struct inspect_view *inspection_log_view(const struct inspect_view *view)
{
    return nv_inspect_log_view(view);
}

json_t *inspection_from_log(const struct inspection *inspection, const struct inspect_view *view,
                            uint32_t number, const struct inspection_when *when,
                            struct gfe_error *error)
{
    struct event_log_reader *log;
    json_t *json;

    if (!nv_inspect_log_view(view)) {
        error_set(error, ERROR_INPUT, "%s; a log alone does not tell %s",
                  inspection->trace_error.text, view->name);
        return NULL;
    }
    log = event_log_open(inspection->log_path, error);
    if (!log)
        return NULL;
    json = nv_inspect_log_build(log, view, number, when->at_ps, when->event, error);
    event_log_close(log);
    if (json)
        (void)json_object_set_new(json, "gpu", json_string(run_string(inspection, "gpu")));
    return json;
}
