/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_result.h"

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/check/check_result.h"
#include "tests/check_limits.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static void kernel_check(const struct examiner_result_kernel *kernel, bool timed)
{
    must(kernel->threads >= 1 && kernel->shared_bytes >= 0 && kernel->cpu_core >= -1);
    must(kernel->block_count >= 1 && kernel->block_count <= INT32_MAX);
    must(kernel->launch_ps != GFE_PS_NEVER && kernel->launched_ps != GFE_PS_NEVER);
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        const struct examiner_result_block *block = &kernel->blocks[i];

        must(timed ? block->start_ps != GFE_PS_NEVER && block->end_ps != GFE_PS_NEVER
                   : block->start_ps == 0 && block->end_ps == 0);
    }
}

static void result_check(const struct examiner_result *result)
{
    uint32_t index = 0;

    must(result->scenario_name && result->benchmark_name && result->resident_threads >= 1);
    must(result->data_bytes <= EXAMINER_BYTES_MAX && result->pid >= 1);
    must(result->tid >= 1 || result->tid == EXAMINER_RESULT_NO_TID);
    for (uint32_t i = 0; i < result->iteration_count; i++) {
        const struct examiner_result_iteration *iteration = &result->iterations[i];

        must(iteration->index == ++index);
        for (uint32_t k = 0; k < iteration->kernel_count; k++) {
            must(iteration->kernels[k].index == ++index);
            kernel_check(&iteration->kernels[k], result->blocks_timed);
        }
    }
}

/* Any result can be checked; its last byte says with which noise. */
static void rules_check(const struct examiner_result *result, uint8_t salt)
{
    const struct check_result_file file = {"text", result};
    const struct check_result_rules rules = {
        .limits = &check_limits_tx2,
        .tolerance_ps = salt & 1 ? CHECK_RESULT_TOLERANCE_PS : 0,
        .clock_error_ps = salt & 2 ? GFE_PS_NEVER : 0,
        .channel_count = 8,
    };
    struct gfe_error error = {0};
    struct check_report report;

    if (!check_results(&file, 1, &rules, &report, &error))
        must(error.kind == ERROR_INPUT && strncmp(error.text, "text: ", 6) == 0);
    check_report_fini(&report);
}

int fuzz_result(const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct examiner_result *result =
        examiner_result_parse((const char *)data, bytes, "text", &error);

    must((result == NULL) == (error.kind != ERROR_NONE));
    if (!result) {
        must(error.kind == ERROR_INPUT && strncmp(error.text, "text: ", 6) == 0);
        must(!strchr(error.text, '\n'));
        return 0;
    }
    must(examiner_result_is_text((const char *)data, bytes));
    result_check(result);
    rules_check(result, data[bytes - 1]);
    examiner_result_free(result);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_result(data, bytes);
}
#endif
