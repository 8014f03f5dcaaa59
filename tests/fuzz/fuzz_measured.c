/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_measured.h"

#include <stdlib.h>
#include <string.h>

#include "emu/fit/experiment.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static void operation_check(const struct fit_part *part, const struct fit_operation *operation)
{
    must(operation->name && operation->real.spans && operation->stream < part->stream_count);
    must(operation->times >= 1 && operation->times <= FIT_TIMES_MAX);
    must(operation->is_copy || (operation->block_count >= 1 && operation->thread_count >= 1));
    must(operation->blocks_seen == (operation->real.blocks != NULL));
    for (uint32_t i = 0; i < operation->times && part->form != FIT_LATENCY; i++)
        must(operation->real.spans[i].begin_ns <= operation->real.spans[i].end_ns ||
             part->form == FIT_PIECES);
    for (uint32_t i = 0; i < operation->real.stands.count; i++)
        must(operation->real.stands.values[i] >= 0);
    for (uint32_t i = 0; i < operation->watched_count; i++)
        must(operation->watched[i] < FIT_BLOCKS_MAX);
}

static void experiment_check(const struct fit_experiment *experiment)
{
    char *text = NULL;

    must(experiment->name && experiment->family && experiment->part_count <= FIT_PARTS_MAX);
    must(experiment->part_count > 0 || experiment->waits_left_out > 0);
    for (uint32_t i = 0; i < experiment->part_count; i++) {
        const struct fit_part *part = &experiment->parts[i];

        must(part->name && part->operation_count >= 1 && part->stream_count >= 1);
        for (uint32_t k = 0; k < part->operation_count; k++)
            operation_check(part, &part->operations[k]);
    }
    if (experiment->part_count > 0)
        text = fit_experiment_scenario(experiment, nv_chip_by_name("h100"));
    must(text || experiment->part_count == 0);
    free(text);
}

int fuzz_measured(const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct fit_measured measured;

    if (fit_measured_parse(&measured, (const char *)data, bytes, "text", &error)) {
        must(error.kind == ERROR_NONE);
        for (uint32_t i = 0; i < measured.experiment_count; i++)
            experiment_check(&measured.experiments[i]);
    } else {
        must(error.kind == ERROR_INPUT || error.kind == ERROR_LIMIT);
        must(strncmp(error.text, "text:", 5) == 0 && !strchr(error.text, '\n'));
    }
    fit_measured_free(&measured);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_measured(data, bytes);
}
#endif
