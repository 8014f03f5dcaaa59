/* SPDX-License-Identifier: MIT */
/* Files of measurements: their lines, put together to experiments. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/fit/measured_private.h"

enum { NAME_BYTES = 300 };

/* A supplement, kept until all files have been read. */
struct supplement {
    json_t *json;
    char name[NAME_BYTES]; /* of file and line, for messages */
};

struct reading {
    struct fit_measured *measured;
    struct gfe_error *error;
    const char *path;
    char *family;
    uint32_t line, connections;
    bool is_first;  /* no experiment has come since the file began, or since a head */
    int64_t base;   /* of the experiment that is being read */
    bool may_go_on; /* the next line may be of the last experiment */
    struct supplement *supplements;
    uint32_t supplement_count;
};

/* ---- figures --------------------------------------------------------------------------------- */

bool fit_series_add(struct fit_series *series, double value)
{
    const uint32_t wanted = series->capacity ? 2 * series->capacity : 16;
    double *grown;

    if (series->count == series->capacity) {
        grown = realloc(series->values, wanted * sizeof *grown);
        if (!grown)
            return false;
        series->values = grown;
        series->capacity = wanted;
    }
    series->values[series->count++] = value;
    return true;
}

static int compare_values(const void *a, const void *b)
{
    double x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

double fit_series_median(struct fit_series *series)
{
    const uint32_t middle = series->count / 2;

    if (series->count == 0)
        return FIT_NEVER;
    qsort(series->values, series->count, sizeof series->values[0], compare_values);
    return series->count % 2 ? series->values[middle]
                             : (series->values[middle - 1] + series->values[middle]) / 2;
}

double fit_series_quantile(struct fit_series *series, double part)
{
    if (fit_series_median(series) == FIT_NEVER)
        return FIT_NEVER;
    return series->values[(uint32_t)(part * (double)(series->count - 1))];
}

/* ---- freeing --------------------------------------------------------------------------------- */

void fit_seen_free(struct fit_seen *seen)
{
    free(seen->spans);
    free(seen->blocks);
    free(seen->runs.values);
    free(seen->stands.values);
    free(seen->took.values);
    *seen = (struct fit_seen){0};
}

void fit_part_free(struct fit_part *part)
{
    for (uint32_t i = 0; i < part->operation_count; i++) {
        free(part->operations[i].name);
        free(part->operations[i].watched);
        fit_seen_free(&part->operations[i].real);
        fit_seen_free(&part->operations[i].emulated);
    }
    for (uint32_t i = 0; i < part->stream_count; i++) {
        free(part->streams[i].name);
        free(part->streams[i].sm_mask);
    }
    free(part->operations);
    free(part->streams);
    free(part->name);
    *part = (struct fit_part){0};
}

void fit_measured_free(struct fit_measured *measured)
{
    for (uint32_t i = 0; i < measured->experiment_count; i++) {
        struct fit_experiment *experiment = &measured->experiments[i];

        for (uint32_t k = 0; k < experiment->part_count; k++)
            fit_part_free(&experiment->parts[k]);
        free(experiment->name);
        free(experiment->family);
    }
    free(measured->experiments);
    free(measured->gpu);
    *measured = (struct fit_measured){0};
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool reading_no_memory(const struct reading *reading)
{
    return error_set_errno(reading->error, ENOMEM, "%s", reading->path);
}

/* The file's name without folders, up to the first point. */
static char *family_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    return strndup(name, strcspn(name, "."));
}

/* The head of a file: which GPU it is, and what the program's environment said. */
static bool take_head(struct reading *reading, const struct spot *line)
{
    const struct spot connections = spot_member(line, "CUDA_DEVICE_MAX_CONNECTIONS");
    const char *text = json_string_value(connections.json);
    char *end;

    reading->is_first = true;
    reading->may_go_on = false;
    if (!reading->measured->gpu) {
        const struct spot gpu = spot_member(line, "gpu");

        if (!spot_string(&gpu, &reading->measured->gpu))
            return false;
    }
    if (!text || !*text)
        return true;
    reading->connections = (uint32_t)strtoul(text, &end, 10);
    return (!*end && reading->connections >= 1 && reading->connections <= 32) ||
           spot_wrong(&connections, "'%s' is not a number from 1 to 32", text);
}

static bool keep_supplement(struct reading *reading, json_t *json)
{
    struct supplement *grown = realloc(reading->supplements, (reading->supplement_count + 1) *
                                                                 sizeof reading->supplements[0]);

    if (!grown)
        return reading_no_memory(reading);
    reading->supplements = grown;
    grown[reading->supplement_count].json = json_incref(json);
    (void)snprintf(grown[reading->supplement_count].name, NAME_BYTES, "%s:%u", reading->path,
                   reading->line);
    reading->supplement_count++;
    return true;
}

/* Notes a line of another form. */
static void note_stranger(struct fit_measured *measured, const char *name)
{
    const size_t used = strlen(measured->strangers_of);

    measured->strangers++;
    if (name && !strstr(measured->strangers_of, name) &&
        used + strlen(name) + 3 < sizeof measured->strangers_of)
        (void)snprintf(measured->strangers_of + used, sizeof measured->strangers_of - used, "%s%s",
                       used ? ", " : "", name);
}

static struct fit_experiment *last_of(const struct fit_measured *measured)
{
    return measured->experiment_count ? &measured->experiments[measured->experiment_count - 1]
                                      : NULL;
}

/* The experiment of the line: the last one if this line is of another of its processes. */
static struct fit_experiment *experiment_of(struct reading *reading, const json_t *line,
                                            const char *name)
{
    struct fit_measured *measured = reading->measured;
    struct fit_experiment *last = last_of(measured), *grown;

    if (reading->may_go_on && last && json_object_get(line, "process") &&
        strcmp(last->name, name) == 0)
        return last;
    if (measured->experiment_count == FIT_EXPERIMENTS_MAX) {
        error_set(reading->error, ERROR_LIMIT, "%s:%u: more than %d experiments", reading->path,
                  reading->line, FIT_EXPERIMENTS_MAX);
        return NULL;
    }
    grown = realloc(measured->experiments, (measured->experiment_count + 1) * sizeof *grown);
    if (!grown) {
        (void)reading_no_memory(reading);
        return NULL;
    }
    measured->experiments = grown;
    last = &grown[measured->experiment_count++];
    *last = (struct fit_experiment){.path = reading->path,
                                    .line = reading->line,
                                    .is_first = reading->is_first,
                                    .connections = reading->connections,
                                    .name = strdup(name),
                                    .family = strdup(reading->family)};
    reading->is_first = false;
    reading->base = INT64_MAX;
    if (!last->name || !last->family) {
        (void)reading_no_memory(reading);
        return NULL;
    }
    return last;
}

static bool is_wait(const json_t *line)
{
    const json_t *kind = json_object_get(line, "kind");
    const char *text = json_string_value(kind ? kind : json_object_get(line, "experiment"));

    return text && strcmp(text, "wait") == 0;
}

static bool take_experiment(struct reading *reading, const struct spot *line)
{
    const struct spot name = spot_member(line, "experiment");
    struct fit_experiment *experiment;
    int64_t first;

    if (!json_is_string(name.json))
        return spot_is_not(&name, "the name of an experiment");
    if (!is_wait(line->json) && !fit_line_is_known(line->json)) {
        note_stranger(reading->measured, json_string_value(name.json));
        return true;
    }
    experiment = experiment_of(reading, line->json, json_string_value(name.json));
    if (!experiment)
        return false;
    reading->may_go_on = true;
    if (is_wait(line->json)) {
        experiment->waits_left_out++;
        return true;
    }
    if (experiment->part_count == FIT_PARTS_MAX)
        return spot_wrong(&name, "more than %d processes", FIT_PARTS_MAX);
    first = fit_line_first(line->json);
    if (reading->base == INT64_MAX)
        reading->base = first;
    return fit_line_read(line, reading->base == INT64_MAX ? 0 : reading->base,
                         &experiment->parts[experiment->part_count++]);
}

static bool take_line(struct reading *reading, const char *text, size_t bytes)
{
    char name[NAME_BYTES];
    struct examiner_reader reader = {.name = name, .error = reading->error};
    json_error_t cause;
    json_t *json = json_text_load(text, bytes, JSON_REJECT_DUPLICATES, &cause);
    struct spot line = {.reader = &reader, .json = json};
    bool good;

    (void)snprintf(name, sizeof name, "%s:%u", reading->path, reading->line);
    if (!json && json_error_code(&cause) == json_error_out_of_memory)
        return reading_no_memory(reading);
    if (!json_is_object(json))
        good = error_set(reading->error, ERROR_INPUT, "%s: not a JSON object", name);
    else if (json_object_get(json, "supplement"))
        good = keep_supplement(reading, json);
    else if (json_object_get(json, "gpu") && !json_object_get(json, "experiment"))
        good = take_head(reading, &line);
    else
        good = take_experiment(reading, &line);
    json_decref(json);
    return good;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool take_text(struct reading *reading, const char *text, size_t bytes, const char *path)
{
    size_t at = 0;
    bool good = true;

    reading->path = path;
    reading->family = family_of(path);
    reading->line = reading->connections = 0;
    reading->may_go_on = false;
    reading->is_first = true;
    if (!reading->family)
        return reading_no_memory(reading);
    while (good && at < bytes) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t length = end ? (size_t)(end - (text + at)) : bytes - at;

        reading->line++;
        if (length > 0)
            good = take_line(reading, text + at, length);
        at += length + 1;
    }
    free(reading->family);
    return good;
}

static bool take_file(struct reading *reading, const char *path)
{
    size_t bytes;
    char *text = fit_file_text(path, &bytes, reading->error);
    const bool good = text && take_text(reading, text, bytes, path);

    free(text);
    return good;
}

static bool text_is(const struct spot *spot, const char *text)
{
    const char *value = json_string_value(spot->json);

    return value && strcmp(value, text) == 0;
}

/* Gives a supplement to the experiments that it names: all of a family, or one of a name. */
static bool supply(struct reading *reading, const struct supplement *supplement)
{
    struct examiner_reader reader = {.name = supplement->name, .error = reading->error};
    const struct spot line = {.reader = &reader, .json = supplement->json};
    const struct spot name = spot_member(&line, "supplement"), of = spot_member(&line, "of");

    for (uint32_t i = 0; i < reading->measured->experiment_count; i++) {
        struct fit_experiment *experiment = &reading->measured->experiments[i];

        if ((of.json && !text_is(&of, experiment->family)) ||
            (!text_is(&name, "*") && !text_is(&name, experiment->name)))
            continue;
        if (!fit_supplement_apply(&line, experiment))
            return false;
    }
    return true;
}

/* Ends a reading that was good so far. */
static bool supply_all(struct reading *reading, bool good)
{
    for (uint32_t i = 0; i < reading->supplement_count; i++) {
        good = good && supply(reading, &reading->supplements[i]);
        json_decref(reading->supplements[i].json);
    }
    free(reading->supplements);
    return good;
}

bool fit_measured_read(struct fit_measured *measured, const char *const *paths, uint32_t count,
                       struct gfe_error *error)
{
    struct reading reading = {.measured = measured, .error = error};
    bool good = true;

    *measured = (struct fit_measured){0};
    for (uint32_t i = 0; good && i < count; i++)
        good = take_file(&reading, paths[i]);
    return supply_all(&reading, good);
}

bool fit_measured_parse(struct fit_measured *measured, const char *text, size_t bytes,
                        const char *name, struct gfe_error *error)
{
    struct reading reading = {.measured = measured, .error = error};

    *measured = (struct fit_measured){0};
    return supply_all(&reading, take_text(&reading, text, bytes, name));
}
