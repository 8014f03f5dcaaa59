/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_examiner.h"

#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static void action_check(const struct examiner_action *action)
{
    const struct examiner_kernel *kernel = &action->kernel;

    must(action->kind <= EXAMINER_SYNCHRONIZE && action->direction <= EXAMINER_DEVICE_TO_DEVICE);
    must(action->size_bytes <= EXAMINER_BYTES_MAX && action->delay_ps != GFE_PS_NEVER);
    if (action->kind != EXAMINER_KERNEL)
        return;
    must(kernel->threads >= 1 && kernel->threads <= EXAMINER_THREADS_MAX);
    must(kernel->blocks >= 1 && kernel->blocks <= INT32_MAX);
    must(kernel->shared_bytes <= 40960 && kernel->duration_ps != GFE_PS_NEVER);
    must(kernel->counts ? kernel->duration_ps == 0 : kernel->loops == 0);
}

/* Counts what it finds in *benchmarks and *actions. */
static void config_check(const struct examiner_config *config, uint32_t depth, uint32_t *benchmarks,
                         uint32_t *actions)
{
    must(depth <= EXAMINER_DEPTH_MAX);
    must(config->name && config->base_result_directory && config->benchmark_count > 0);
    *benchmarks += config->benchmark_count;
    for (uint32_t i = 0; i < config->benchmark_count; i++) {
        const struct examiner_benchmark *benchmark = &config->benchmarks[i];

        must(benchmark->filename && strstr(benchmark->filename, benchmark->name));
        must(benchmark->max_iterations <= INT32_MAX && benchmark->cpu_core >= EXAMINER_NO_CORE);
        must(benchmark->mps_ppm >= 1 && benchmark->mps_ppm <= 1000000);
        must((benchmark->kind == EXAMINER_TASK_HOST) == (benchmark->hosted != NULL));
        must((benchmark->kind >= EXAMINER_TASK_HOST) == (benchmark->action_count == 0));
        *actions += benchmark->action_count;
        for (uint32_t a = 0; a < benchmark->action_count; a++)
            action_check(&benchmark->actions[a]);
        if (benchmark->hosted)
            config_check(benchmark->hosted, depth + 1, benchmarks, actions);
    }
}

int fuzz_examiner(const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct examiner_config *config =
        examiner_config_parse((const char *)data, bytes, "text", &error);
    uint32_t benchmarks = 0, actions = 0;

    must((config == NULL) == (error.kind != ERROR_NONE));
    if (!config) {
        must(error.kind == ERROR_INPUT && strncmp(error.text, "text: ", 6) == 0);
        must(!strchr(error.text, '\n'));
        return 0;
    }
    config_check(config, 1, &benchmarks, &actions);
    must(benchmarks <= EXAMINER_BENCHMARKS_MAX && actions <= EXAMINER_ACTIONS_MAX);
    examiner_config_free(config);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_examiner(data, bytes);
}
#endif
