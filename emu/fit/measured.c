/* SPDX-License-Identifier: MIT */
/* Files of measurements: their lines, put together to experiments. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/fit/measured_private.h"
#include "traces/config/examiner_result.h"

enum { NAME_BYTES = 300, NO_ROUND = -1 };

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
    uint32_t line, connections, first_of_file; /* the number of its first experiment */
    bool is_first;  /* no experiment has come since the file began, or since a head */
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
        free(experiment->detail);
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

/* True if a process of the experiment is called so, whatever it does. */
static bool has_process(const struct fit_experiment *experiment, const char *process)
{
    const size_t length = strlen(process);

    for (uint32_t i = 0; i < experiment->part_count; i++) {
        const char *name = experiment->parts[i].name;

        if (name && strncmp(name, process, length) == 0 &&
            (name[length] == ' ' || name[length] == '\0'))
            return true;
    }
    return false;
}

/* Returns the experiment, of other processes, that has the same round as the line, or NULL. */
static struct fit_experiment *experiment_of_round(struct reading *reading, const json_t *line,
                                                  const char *name)
{
    const int64_t round = json_integer_value(json_object_get(line, "round"));
    const char *process = json_string_value(json_object_get(line, "process"));

    for (uint32_t i = reading->measured->experiment_count; i > reading->first_of_file; i--) {
        struct fit_experiment *experiment = &reading->measured->experiments[i - 1];

        if (experiment->round == round && strcmp(experiment->name, name) == 0 && process &&
            !has_process(experiment, process))
            return experiment;
    }
    return NULL;
}

static struct fit_experiment *experiment_add(struct reading *reading, const json_t *line,
                                             const char *name)
{
    struct fit_measured *measured = reading->measured;
    struct fit_experiment *added, *grown;

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
    added = &grown[measured->experiment_count++];
    *added = (struct fit_experiment){
        .path = reading->path,
        .line = reading->line,
        .is_first = reading->is_first,
        .connections = reading->connections,
        .name = strdup(name),
        .family = strdup(reading->family),
        .detail = fit_line_detail(line),
        .base = INT64_MAX,
        .round =
            fit_round_is(line) ? json_integer_value(json_object_get(line, "round")) : NO_ROUND};
    reading->is_first = false;
    if (!added->name || !added->family) {
        (void)reading_no_memory(reading);
        return NULL;
    }
    return added;
}

/* The experiment of the line: the one that has its round, the last one if this line is of another
 * of its processes, or a new one. */
static struct fit_experiment *experiment_of(struct reading *reading, const json_t *line,
                                            const char *name)
{
    struct fit_experiment *last = last_of(reading->measured), *of_round;

    if (fit_round_is(line)) {
        of_round = experiment_of_round(reading, line, name);
        return of_round ? of_round : experiment_add(reading, line, name);
    }
    if (reading->may_go_on && last && json_object_get(line, "process") && last->round == NO_ROUND &&
        strcmp(last->name, name) == 0)
        return last;
    return experiment_add(reading, line, name);
}

static bool is_wait(const json_t *line)
{
    const json_t *kind = json_object_get(line, "kind");
    const char *text = json_string_value(kind ? kind : json_object_get(line, "experiment"));

    return fit_round_is(line) ? fit_round_is_wait(line) : text && strcmp(text, "wait") == 0;
}

/* Returns the experiment of which the line is a later run, or NULL. */
static struct fit_experiment *run_before(const struct reading *reading, const json_t *line,
                                         const char *name)
{
    struct fit_experiment *last = last_of(reading->measured);
    const json_int_t run = json_integer_value(json_object_get(line, "run"));
    const char *of = json_string_value(json_object_get(line, "name"));

    return reading->may_go_on && last && run > 0 && fit_race_is(line) && last->part_count == 1 &&
                   last->parts[0].gate_ns > 0 && last->parts[0].form == FIT_COPIES &&
                   last->parts[0].operations[0].times == (uint64_t)run &&
                   strcmp(last->name, name) == 0 && last->detail && of &&
                   strcmp(last->detail, of) == 0
               ? last
               : NULL;
}

/* Adds a part to the experiment, which is read from the line. */
static bool take_part(const struct spot *line, struct fit_experiment *experiment)
{
    const struct spot name = spot_member(line, "experiment");

    if (experiment->part_count == FIT_PARTS_MAX)
        return spot_wrong(&name, "more than %d processes", FIT_PARTS_MAX);
    if (experiment->base == INT64_MAX)
        experiment->base = fit_line_first(line->json);
    return fit_line_read(line, experiment->base == INT64_MAX ? 0 : experiment->base,
                         &experiment->parts[experiment->part_count++]);
}

static bool take_experiment(struct reading *reading, const struct spot *line)
{
    const struct spot name = spot_member(line, "experiment");
    const char *text = json_string_value(name.json);
    struct fit_experiment *experiment;

    if (!text)
        return spot_is_not(&name, "the name of an experiment");
    if (fit_round_is_idle(line->json))
        return true;
    if (!is_wait(line->json) && !fit_line_is_known(line->json)) {
        note_stranger(reading->measured, text);
        return true;
    }
    experiment = run_before(reading, line->json, text);
    if (experiment)
        return fit_race_again(line, &experiment->parts[0]);
    experiment = experiment_of(reading, line->json, text);
    if (!experiment)
        return false;
    reading->may_go_on = true;
    if (is_wait(line->json)) {
        experiment->waits_left_out++;
        return true;
    }
    return take_part(line, experiment);
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

/* The experiment of a scenario of cuda_scheduling_examiner, which is added if it is new. */
static struct fit_experiment *experiment_of_result(struct reading *reading,
                                                   const struct examiner_result *read)
{
    struct fit_experiment *experiment;

    for (uint32_t i = 0; i < reading->measured->experiment_count; i++) {
        experiment = &reading->measured->experiments[i];
        if (experiment->is_result && strcmp(experiment->name, read->scenario_name) == 0)
            return experiment;
    }
    free(reading->family);
    reading->family = strdup(read->scenario_name);
    if (!reading->family) {
        (void)reading_no_memory(reading);
        return NULL;
    }
    reading->line = 1;
    experiment = experiment_add(reading, json_null(), read->scenario_name);
    if (experiment)
        experiment->is_result = true;
    return experiment;
}

/* Takes a result file of cuda_scheduling_examiner. */
static bool take_result(struct reading *reading, const char *text, size_t bytes)
{
    struct examiner_reader reader = {.name = reading->path, .error = reading->error};
    const struct spot file = {.reader = &reader};
    struct examiner_result *read =
        examiner_result_parse(text, bytes, reading->path, reading->error);
    struct fit_experiment *experiment = NULL;
    bool good = read != NULL;

    reading->connections = 0;
    if (good && !read->blocks_timed)
        note_stranger(reading->measured, read->benchmark_name);
    else if (good) {
        experiment = experiment_of_result(reading, read);
        good = experiment && fit_result_add(&file, read, experiment);
    }
    examiner_result_free(read);
    return good;
}

static bool take_text(struct reading *reading, const char *text, size_t bytes, const char *path)
{
    size_t at = 0;
    bool good = true;

    reading->path = path;
    reading->family = family_of(path);
    reading->line = reading->connections = 0;
    reading->may_go_on = false;
    reading->is_first = true;
    reading->first_of_file = reading->measured->experiment_count;
    if (!reading->family)
        return reading_no_memory(reading);
    if (fit_result_is(text, bytes)) {
        good = take_result(reading, text, bytes);
        at = bytes;
    }
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

/* A round in which a process waits for a value is left out: what it does after the wait would be
 * missing beside the others. */
static void leave_out_waits(struct fit_measured *measured)
{
    for (uint32_t i = 0; i < measured->experiment_count; i++) {
        struct fit_experiment *experiment = &measured->experiments[i];

        if (experiment->round == NO_ROUND || experiment->waits_left_out == 0)
            continue;
        while (experiment->part_count > 0)
            fit_part_free(&experiment->parts[--experiment->part_count]);
        note_stranger(measured, "acquire");
    }
}

/* Ends a reading that was good so far. */
static bool supply_all(struct reading *reading, bool good)
{
    for (uint32_t i = 0; i < reading->supplement_count; i++) {
        good = good && supply(reading, &reading->supplements[i]);
        json_decref(reading->supplements[i].json);
    }
    free(reading->supplements);
    if (good)
        leave_out_waits(reading->measured);
    for (uint32_t i = 0; i < reading->measured->experiment_count; i++)
        if (good && reading->measured->experiments[i].is_result)
            good =
                fit_result_finish(&reading->measured->experiments[i]) || reading_no_memory(reading);
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
