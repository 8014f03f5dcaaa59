/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_text.h"
#include "emu/base/input.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

struct kind_row {
    const char *name;
    enum examiner_kind kind;
    bool flat;    /* its kernels are one-dimensional: thread_count and block_count have to be */
    bool no_dims; /* does not use them: 0 will do */
};

static const struct kind_row kinds[] = {
    {"timer_spin", EXAMINER_TIMER_SPIN, true, false},
    {"timer_spin_default_stream", EXAMINER_TIMER_SPIN_DEFAULT_STREAM, true, false},
    {"counter_spin", EXAMINER_COUNTER_SPIN, true, false},
    {"sharedmem_timer_spin", EXAMINER_SHAREDMEM_TIMER_SPIN, true, false},
    {"multikernel", EXAMINER_MULTIKERNEL, false, true},
    {"stream_action", EXAMINER_STREAM_ACTION, true, false},
    {"task_host", EXAMINER_TASK_HOST, false, true},
    {"mandelbrot", EXAMINER_COSTED, false, false},
    {"matrix_multiply", EXAMINER_COSTED, false, false},
    {"random_walk", EXAMINER_COSTED, false, false},
    {"inorder_walk", EXAMINER_COSTED, false, false},
    {"cpu_random_walk", EXAMINER_COSTED, false, true},
    {"cpu_inorder_walk", EXAMINER_COSTED, false, true},
};

/* The filename without its folder and .so. */
static char *name_of(const char *filename)
{
    const char *slash = strrchr(filename, '/');
    const char *base = slash ? slash + 1 : filename;
    size_t length = strlen(base);

    if (length > 3 && strcmp(base + length - 3, ".so") == 0)
        length -= 3;
    return strndup(base, length);
}

/* A benchmark of somebody's own whose kernels launch kernels, by its name; NVIDIA's samples of that
 * begin with cdp. */
static bool launches_from_device(const char *name)
{
    return strstr(name, "dynamic_parallelism") || strstr(name, "device_launch") ||
           strncmp(name, "cdp", 3) == 0;
}

/* Filename, name and kind. */
static bool kind_read(const struct spot *spot, struct examiner_benchmark *benchmark,
                      const struct kind_row **row)
{
    const struct spot filename = spot_member(spot, "filename");

    if (!spot_string(&filename, &benchmark->filename))
        return false;
    benchmark->name = name_of(benchmark->filename);
    if (!benchmark->name)
        return error_set(spot->reader->error, ERROR_SYSTEM, "out of memory");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(benchmark->name, kinds[i].name) == 0) {
            *row = &kinds[i];
            benchmark->kind = kinds[i].kind;
            return true;
        }
    }
    if (launches_from_device(benchmark->name))
        return spot_device_launch(&filename);
    return spot_wrong(&filename, "there is no model of the benchmark '%.60s'", benchmark->name);
}

/* ---- a benchmark ----------------------------------------------------------------------------- */

/* thread_count or block_count: a number, or an array of up to three. */
static bool dimensions_read(const struct spot *spot, const struct kind_row *row, uint32_t highest,
                            const char *what, uint32_t dimensions[3])
{
    const uint32_t lowest = row->no_dims ? 0 : 1;
    size_t count;

    dimensions[0] = dimensions[1] = dimensions[2] = 1;
    if (!json_is_array(spot->json))
        return spot_number32(spot, lowest, highest, what, &dimensions[0]);
    if (!spot_array(spot, 3, what, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(spot, i);

        if (!spot_number32(&element, lowest, highest, what, &dimensions[i]))
            return false;
        if (row->flat && i > 0 && dimensions[i] != 1)
            return spot_wrong(&element, "%s has one dimension only", row->name);
    }
    return true;
}

static bool shape_read(const struct spot *spot, const struct kind_row *row,
                       struct examiner_benchmark *benchmark)
{
    const struct spot threads = spot_member(spot, "thread_count");
    const struct spot blocks = spot_member(spot, "block_count");
    const struct spot data = spot_member(spot, "data_size");
    const uint32_t *xyz = benchmark->threads;

    if (!dimensions_read(&threads, row, row->no_dims ? INT32_MAX : EXAMINER_THREADS_MAX,
                         "a number of threads", benchmark->threads) ||
        !dimensions_read(&blocks, row, INT32_MAX, "a number of blocks", benchmark->blocks) ||
        !spot_bytes(&data, &benchmark->data_bytes))
        return false;
    if (!row->no_dims && (uint64_t)xyz[0] * xyz[1] * xyz[2] > EXAMINER_THREADS_MAX)
        return spot_wrong(&threads, "more than %d threads in a block", EXAMINER_THREADS_MAX);
    return true;
}

/* Its own limits, where it has them and they are not negative. */
static bool limits_read(const struct spot *spot, const struct examiner_config *config,
                        struct examiner_benchmark *benchmark)
{
    const struct spot iterations = spot_member(spot, "max_iterations");
    const struct spot time = spot_member(spot, "max_time");
    int64_t number = -1;
    bool unset = true;
    gfe_ps time_ps = 0;

    if (iterations.json &&
        !spot_number(&iterations, INT32_MIN, INT32_MAX, "a number of iterations", &number))
        return false;
    if (iterations.json && config->sync_every_iteration)
        return spot_wrong(&iterations, "not together with sync_every_iteration");
    if (time.json && !spot_seconds(&time, &unset, &time_ps))
        return false;
    benchmark->max_iterations = number < 0 ? config->max_iterations : (uint64_t)number;
    benchmark->max_time_ps = unset ? config->max_time_ps : time_ps;
    return true;
}

static bool places_read(const struct spot *spot, struct examiner_benchmark *benchmark)
{
    const struct spot core = spot_member(spot, "cpu_core");
    const struct spot priority = spot_member(spot, "stream_priority");
    int64_t core_number = EXAMINER_NO_CORE, priority_number = EXAMINER_NO_PRIORITY;

    if (core.json &&
        !spot_number(&core, INT32_MIN, INT32_MAX, "the number of a core", &core_number))
        return false;
    if (priority.json &&
        !spot_number(&priority, INT32_MIN, INT32_MAX, "a priority", &priority_number))
        return false;
    benchmark->cpu_core = core_number < 0 ? EXAMINER_NO_CORE : (int32_t)core_number;
    benchmark->stream_priority = (int32_t)priority_number;
    benchmark->mps_ppm = 1000000;
    return spot_may_percentage(spot, "mps_thread_percentage", &benchmark->mps_ppm);
}

static struct examiner_config *config_read(const struct spot *spot);

static bool benchmark_read(const struct spot *spot, const struct examiner_config *config,
                           struct examiner_benchmark *benchmark)
{
    static const char *const keys[] = {
        "filename",  "log_name",        "label",           "thread_count",          "block_count",
        "data_size", "sm_mask",         "additional_info", "max_iterations",        "max_time",
        "cpu_core",  "stream_priority", "release_time",    "mps_thread_percentage", NULL};
    const struct kind_row *row = NULL;
    struct spot info;

    if (!spot_object(spot, keys) || !kind_read(spot, benchmark, &row) ||
        !shape_read(spot, row, benchmark) || !limits_read(spot, config, benchmark) ||
        !places_read(spot, benchmark) || !spot_may_string(spot, "log_name", &benchmark->log_name) ||
        !spot_may_string(spot, "label", &benchmark->label) ||
        !spot_may_mask(spot, "sm_mask", &benchmark->sm_mask) ||
        !spot_may_seconds(spot, "release_time", &benchmark->release_ps))
        return false;
    info = spot_member(spot, "additional_info");
    if (benchmark->kind != EXAMINER_TASK_HOST)
        return examiner_actions_read(&info, benchmark);
    benchmark->hosted = config_read(&info);
    return benchmark->hosted != NULL;
}

static void benchmark_free(struct examiner_benchmark *benchmark)
{
    free(benchmark->filename);
    free(benchmark->name);
    free(benchmark->log_name);
    free(benchmark->label);
    examiner_actions_free(benchmark);
    examiner_config_free(benchmark->hosted);
}

/* ---- a configuration ------------------------------------------------------------------------- */

static bool benchmarks_read(const struct spot *spot, struct examiner_config *config)
{
    struct examiner_reader *reader = spot->reader;
    const struct spot list = spot_member(spot, "benchmarks");
    size_t count;

    if (!spot_array(&list, EXAMINER_BENCHMARKS_MAX, "a list of benchmarks", &count))
        return false;
    if (count > EXAMINER_BENCHMARKS_MAX - reader->benchmark_count)
        return spot_wrong(&list, "more than %d benchmarks in all", EXAMINER_BENCHMARKS_MAX);
    reader->benchmark_count += (uint32_t)count;
    config->benchmarks = calloc(count, sizeof config->benchmarks[0]);
    if (!config->benchmarks)
        return error_set(reader->error, ERROR_SYSTEM, "out of memory");
    config->benchmark_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);
        if (!benchmark_read(&element, config, &config->benchmarks[i]))
            return false;
    }
    return true;
}

static bool globals_read(const struct spot *spot, struct examiner_config *config)
{
    const struct spot name = spot_member(spot, "name");
    const struct spot iterations = spot_member(spot, "max_iterations");
    const struct spot time = spot_member(spot, "max_time");
    const struct spot device = spot_member(spot, "cuda_device");
    int64_t number = 0;
    bool no_limit;

    if (!spot_string(&name, &config->name) ||
        !spot_number(&iterations, 0, INT32_MAX, "a number of iterations", &number) ||
        !spot_seconds(&time, &no_limit, &config->max_time_ps) ||
        !spot_number32(&device, 0, INT32_MAX, "the number of a device", &config->cuda_device) ||
        !spot_may_string(spot, "base_result_directory", &config->base_result_directory))
        return false;
    config->max_iterations = (uint64_t)number;
    if (!config->base_result_directory)
        config->base_result_directory = strdup("./results");
    return config->base_result_directory ||
           error_set(spot->reader->error, ERROR_SYSTEM, "out of memory");
}

static bool all_read(const struct spot *spot, struct examiner_config *config)
{
    static const char *const keys[] = {
        "name",        "max_iterations",        "max_time", "use_processes",
        "cuda_device", "base_result_directory", "pin_cpus", "do_warmup",
        "benchmarks",  "sync_every_iteration",  NULL};

    return spot_object(spot, keys) && globals_read(spot, config) &&
           spot_may_bool(spot, "use_processes", &config->use_processes) &&
           spot_may_bool(spot, "pin_cpus", &config->pin_cpus) &&
           spot_may_bool(spot, "do_warmup", &config->do_warmup) &&
           spot_may_bool(spot, "sync_every_iteration", &config->sync_every_iteration) &&
           benchmarks_read(spot, config);
}

/* The whole text, or what a task_host runs. */
static struct examiner_config *config_read(const struct spot *spot)
{
    struct examiner_reader *reader = spot->reader;
    struct examiner_config *config;
    bool good;

    if (reader->depth == EXAMINER_DEPTH_MAX) {
        (void)spot_wrong(spot, "more than %d configurations inside each other", EXAMINER_DEPTH_MAX);
        return NULL;
    }
    config = calloc(1, sizeof *config);
    if (!config) {
        (void)error_set(reader->error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    reader->depth++;
    good = all_read(spot, config);
    reader->depth--;
    if (good)
        return config;
    examiner_config_free(config);
    return NULL;
}

void examiner_config_free(struct examiner_config *config)
{
    if (!config)
        return;
    for (uint32_t i = 0; i < config->benchmark_count; i++)
        benchmark_free(&config->benchmarks[i]);
    free(config->benchmarks);
    free(config->base_result_directory);
    free(config->name);
    free(config);
}

/* ---- texts and files ------------------------------------------------------------------------- */

struct examiner_config *examiner_config_parse(const char *text, size_t bytes, const char *name,
                                              struct gfe_error *error)
{
    struct examiner_reader reader = {.name = name, .error = error};
    json_t *root = examiner_text_json(text, bytes, EXAMINER_TEXT_BYTES_MAX, name, error);
    const struct spot whole = {.reader = &reader, .json = root};
    struct examiner_config *config =
        root && spot_no_device_launch(&whole) ? config_read(&whole) : NULL;

    json_decref(root);
    return config;
}

struct examiner_config *examiner_config_load(const char *path, struct gfe_error *error)
{
    struct examiner_config *config = NULL;
    size_t bytes;
    char *text = input_load(path, input_fixed(EXAMINER_TEXT_BYTES_MAX), &bytes, error);

    if (text)
        config = examiner_config_parse(text, bytes, input_name(path), error);
    free(text);
    return config;
}
