/* SPDX-License-Identifier: MIT */
/* Measurements: what the configuration that they were made from tells of their streams. */
#include <config.h>

#include <string.h>

#include "emu/analysis/check/check_result_private.h"

/* Levels that every GPU with priorities has; beyond them the range is the chip's, and a priority
 * that is not in it counts as none. */
enum { PRIORITY_HIGH = -1, PRIORITY_LOW = 0 };

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool label_is(const struct examiner_benchmark *benchmark, const char *label)
{
    return label ? benchmark->label && strcmp(benchmark->label, label) == 0 : !benchmark->label;
}

static bool log_is(const struct examiner_benchmark *benchmark, const char *path)
{
    return benchmark->log_name && strcmp(base_of(benchmark->log_name), base_of(path)) == 0;
}

/* The one with its label; where several have it, or it has none, by the name of its file, too. */
static const struct examiner_benchmark *benchmark_of(const struct examiner_config *config,
                                                     const struct check_result_file *file)
{
    const char *label = file->result->label;
    const struct examiner_benchmark *found = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < config->benchmark_count; i++) {
        const struct examiner_benchmark *benchmark = &config->benchmarks[i];

        if (!label_is(benchmark, label))
            continue;
        if (log_is(benchmark, file->path))
            return benchmark;
        found = benchmark;
        count++;
    }
    return count == 1 && (label || config->benchmark_count == 1) ? found : NULL;
}

static void priority_set(struct result_stream *stream, const struct examiner_benchmark *benchmark)
{
    const int32_t priority = benchmark->stream_priority;
    const bool none = priority == EXAMINER_NO_PRIORITY || priority > PRIORITY_LOW;

    stream->has_priority = none || priority >= PRIORITY_HIGH;
    stream->priority = none ? PRIORITY_LOW : priority;
}

/* Whether some of its kernels may use some SMs only. */
static bool masked(const struct examiner_benchmark *benchmark)
{
    bool any = mask128_any(&benchmark->sm_mask.bits);

    for (uint32_t i = 0; i < benchmark->action_count; i++)
        any = any || mask128_any(&benchmark->actions[i].kernel.sm_mask.bits);
    return any;
}

/* Its stream holds kernels alone, of which its file tells, and which can be on any SM. */
static bool kernels_only(const struct examiner_benchmark *benchmark)
{
    if (benchmark->null_stream || benchmark->kind == EXAMINER_TIMER_SPIN_DEFAULT_STREAM ||
        benchmark->kind == EXAMINER_TASK_HOST || benchmark->kind == EXAMINER_COSTED ||
        masked(benchmark))
        return false;
    for (uint32_t i = 0; i < benchmark->action_count; i++) {
        const struct examiner_action *action = &benchmark->actions[i];

        if (action->kind != EXAMINER_SYNCHRONIZE &&
            (action->kind != EXAMINER_KERNEL || action->kernel.copy_in_bytes > 0 ||
             action->kernel.copy_out_bytes > 0))
            return false;
    }
    return true;
}

/* Nothing of any benchmark can stand in a kernel's way unseen.  A stream_action has a second stream
 * for what it copies out. */
static bool all_in_view(const struct result_check *check)
{
    const struct examiner_config *config = check->rules->config;
    uint64_t streams = 0;

    if (check->stream_count != config->benchmark_count)
        return false; /* files are missing */
    for (uint32_t i = 0; i < config->benchmark_count; i++) {
        if (!kernels_only(&config->benchmarks[i]))
            return false;
        streams += config->benchmarks[i].kind == EXAMINER_STREAM_ACTION ? 2 : 1;
    }
    return config->use_processes || streams <= check->rules->channel_count;
}

bool result_config_match(struct result_check *check, const struct check_result_file *files,
                         struct gfe_error *error)
{
    const struct examiner_config *config = check->rules->config;
    const bool in_view = all_in_view(check);

    for (uint32_t i = 0; i < check->stream_count; i++) {
        const struct examiner_benchmark *benchmark = benchmark_of(config, &files[i]);

        if (strcmp(config->name, files[i].result->scenario_name) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s: is of scenario '%.60s', and the configuration of '%.60s'",
                             files[i].path, files[i].result->scenario_name, config->name);
        if (!benchmark)
            return error_set(error, ERROR_INPUT,
                             "%s: the configuration has no benchmark with its label, or several, "
                             "and none of them its name as log_name",
                             files[i].path);
        priority_set(&check->streams[i], benchmark);
        check->streams[i].in_plain_view = in_view;
        check->streams[i].masked = masked(benchmark);
    }
    return true;
}
