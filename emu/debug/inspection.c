/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/debug/inspection_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/debug/kfd_inspect.h"
#include "devices/nvidia/nv_inspect_log.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "emu/base/json_text.h"
#include "emu/sim/gfe.h"
#include "emu/sim/gpu_file.h"
#include "emu/analysis/inspect_queues.h"

const struct inspect_view *inspection_view_find(const char *name, uint32_t *number)
{
    const struct inspect_view *view =
        inspect_view_find(nv_inspect_views, nv_inspect_view_count, name, number);

    if (!view)
        view = inspect_view_find(kfd_inspect_views, kfd_inspect_view_count, name, number);
    return view ? view : inspect_view_find(&inspect_queues_view, 1, name, number);
}

void inspection_view_names(char *text, size_t bytes)
{
    size_t used;

    inspect_view_names(nv_inspect_views, nv_inspect_view_count, text, bytes);
    used = strlen(text);
    (void)snprintf(text + used, bytes - used, ", ");
    used = strlen(text);
    inspect_view_names(kfd_inspect_views, kfd_inspect_view_count, text + used, bytes - used);
    used = strlen(text);
    (void)snprintf(text + used, bytes - used, ", %s", inspect_queues_view.name);
}

static void names_add(const struct inspect_view *views, uint32_t count, uint32_t vendors,
                      char *text, size_t bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t used = strlen(text);

        if (views[i].vendors & vendors)
            (void)snprintf(text + used, bytes - used, "%s%s%s", used > 0 ? ", " : "", views[i].name,
                           views[i].argument ? views[i].argument : "");
    }
}

void inspection_view_names_of(uint32_t vendors, char *text, size_t bytes)
{
    text[0] = '\0';
    names_add(nv_inspect_views, nv_inspect_view_count, vendors, text, bytes);
    names_add(kfd_inspect_views, kfd_inspect_view_count, vendors, text, bytes);
}

/* ---- the log and its trace --------------------------------------------------------------------
 */

const char *inspection_run_string(const struct inspection *inspection, const char *key)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(inspection->head, "run"), key));

    return text ? text : "";
}

static const struct any_simulation_ops *kind_of(const struct inspection *inspection)
{
    return any_simulation_of_log(inspection_run_string(inspection, "driver_model"));
}

/* Notes the path of the configuration if its hash is the wanted one.  It is loaded when it is run.
 */
static bool config_take(struct inspection *inspection, const char *path, const char *wanted)
{
    char hash[65];

    if (!kind_of(inspection)->file_hash(path, hash, &inspection->trace_error))
        return false;
    if (strcmp(hash, wanted) != 0)
        return error_set(
            &inspection->trace_error, ERROR_INPUT,
            "%s: is not the configuration of %s: its hash is %.16s..., %.16s... was run", path,
            inspection->log_path, hash, wanted);
    inspection->config = strdup(path);
    return inspection->config ||
           error_set_errno(&inspection->trace_error, ENOMEM, "%s", inspection->log_path);
}

/* Loads a trace if it is the log's; else says why not in trace_error. */
static bool trace_take(struct inspection *inspection, const char *path, uint64_t unpacked_bytes)
{
    const char *wanted = inspection_run_string(inspection, "trace_hash");
    struct replay_input *input;

    inspection->trace_error = (struct gfe_error){0};
    if (kind_of(inspection)->has_scenario)
        return inspection_scenario(inspection, path, false);
    if (kind_of(inspection)->file_hash)
        return config_take(inspection, path, wanted);
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

/* Returns true if no trace of this log is there: no file, or another one.  Returns false with a
 * message if the file is there and could not be read, because memory was short or for another
 * reason.  What the log alone tells would be no answer then. */
static bool trace_is_missing(const struct inspection *inspection, const char *path,
                             struct gfe_error *error)
{
    const struct gfe_error *why = &inspection->trace_error;
    struct stat status;

    if (why->kind != ERROR_SYSTEM || stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        access(path, R_OK) != 0)
        return true;
    return error_set(error, ERROR_SYSTEM, "%s", why->text);
}

/* Looks for the file of that name in the log's folder.  Returns false as trace_is_missing() does;
 * trace_error stays if it is not there. */
static bool trace_beside(struct inspection *inspection, const char *name, uint64_t unpacked_bytes,
                         struct gfe_error *error)
{
    const char *base = strrchr(name, '/');
    const char *slash = strrchr(inspection->log_path, '/');
    struct gfe_error first = inspection->trace_error;
    char *path = NULL;
    bool good = true;

    base = base ? base + 1 : name;
    if (kind_of(inspection)->has_scenario) {
        if (!inspection_scenario(inspection, name, true))
            inspection->trace_error = first;
        return true;
    }
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - inspection->log_path) : 0,
                 inspection->log_path, base) < 0)
        return error_set_errno(error, ENOMEM, "%s", inspection->log_path);
    if (strcmp(path, name) != 0 && !trace_take(inspection, path, unpacked_bytes)) {
        good = trace_is_missing(inspection, path, error);
        inspection->trace_error = first;
    }
    free(path);
    return good;
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
        return trace_is_missing(inspection, noted, error) &&
               trace_beside(inspection, noted, unpacked_bytes, error);
    return true;
}

static bool version_check(const struct inspection *inspection, struct gfe_error *error)
{
    const char *version = inspection_run_string(inspection, "version");

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
    inspection->head = event_log_head_take(reader);
    if (event_log_read(reader, &event, error) != EVENT_LOG_FAILED) {
        noted = strdup(event_log_host(reader, "trace"));
        if (!noted)
            error_set(error, ERROR_SYSTEM, "%s: no memory", inspection->log_path);
    }
    event_log_close(reader);
    return noted;
}

static bool gpu_take(struct inspection *inspection, struct gfe_error *error)
{
    inspection->gpu_file = gpu_file_of_head(inspection->head, inspection->log_path, error);
    if (!inspection->gpu_file)
        return error->kind == ERROR_NONE;
    inspection->described = gpu_file_gpu(inspection->gpu_file);
    return true;
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
        done = version_check(inspection, error) && gpu_take(inspection, error) &&
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
    scenario_free(inspection->scenario);
    gpu_file_free(inspection->gpu_file);
    json_decref(inspection->head);
    free(inspection->config);
    free(inspection->log_path);
    free(inspection);
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
    if (!json)
        return NULL;
    json = json_text_set(json, "gpu", json_string(inspection_run_string(inspection, "gpu")));
    return json ? json : inspect_no_memory(NULL, error);
}
