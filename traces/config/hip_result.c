/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/config/hip_result.h"

#include <stdlib.h>

#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_result.h"
#include "traces/config/examiner_text.h"

/* A double holds this many millions of cycles to the cycle. */
#define MEGACYCLES_END 9e9

static bool cycles_read(const struct spot *spot, int64_t *cycles)
{
    const double mega = json_number_value(spot->json);

    if (!json_is_number(spot->json) || mega < 0 || mega >= MEGACYCLES_END)
        return spot_is_not(spot, "a number of millions of cycles");
    *cycles = (int64_t)(mega * 1e6 + 0.5);
    return true;
}

static bool block_read(const struct spot *list, uint32_t index, struct hip_result_block *block)
{
    const struct spot start = spot_element(list, 2 * (size_t)index);
    const struct spot end = spot_element(list, 2 * (size_t)index + 1);

    if (!cycles_read(&start, &block->start_cycles) || !cycles_read(&end, &block->end_cycles))
        return false;
    return block->end_cycles >= block->start_cycles ||
           spot_wrong(&end, "the block ends before it starts");
}

static bool kernel_read(const struct spot *kernel, struct hip_result *result)
{
    const struct spot times = spot_member(kernel, EXAMINER_RESULT_BLOCK_TIMES);
    const struct spot count = spot_member(kernel, EXAMINER_RESULT_BLOCK_COUNT);
    const struct spot threads = spot_member(kernel, EXAMINER_RESULT_THREAD_COUNT);

    if (!spot_number32(&count, 1, INT32_MAX, "a number of blocks", &result->block_count) ||
        !spot_number32(&threads, 1, INT32_MAX, "a number of threads", &result->threads))
        return false;
    if (!json_is_array(times.json) ||
        json_array_size(times.json) != 2 * (size_t)result->block_count)
        return spot_wrong(&times, "not start and end of %u blocks", (unsigned)result->block_count);
    /* As many as the text has: the counts have been compared. */
    result->blocks = calloc(result->block_count, sizeof result->blocks[0]);
    if (!result->blocks)
        return error_set(kernel->reader->error, ERROR_SYSTEM, "out of memory");
    for (uint32_t i = 0; i < result->block_count; i++)
        if (!block_read(&times, i, &result->blocks[i]))
            return false;
    return true;
}

/* The first element of `times` that is a kernel with times of its blocks. */
static bool file_read(const struct spot *whole, struct hip_result *result)
{
    const struct spot times = spot_member(whole, EXAMINER_RESULT_TIMES);

    if (!json_is_array(times.json))
        return spot_is_not(&times, "a list of times");
    for (size_t i = 0; i < json_array_size(times.json); i++) {
        const struct spot element = spot_element(&times, i);

        if (json_object_get(element.json, EXAMINER_RESULT_BLOCK_TIMES))
            return kernel_read(&element, result);
    }
    return spot_wrong(&times, "no kernel with " EXAMINER_RESULT_BLOCK_TIMES);
}

bool hip_result_parse(struct hip_result *result, const char *text, size_t bytes, const char *name,
                      struct gfe_error *error)
{
    struct examiner_reader reader = {.name = name, .error = error};
    json_t *root = examiner_text_json(text, bytes, HIP_RESULT_TEXT_BYTES_MAX, name, error);
    const struct spot whole = {.reader = &reader, .json = root};
    bool good;

    *result = (struct hip_result){0};
    good = root && file_read(&whole, result);
    json_decref(root);
    return good;
}

bool hip_result_load(struct hip_result *result, const char *path, struct gfe_error *error)
{
    size_t bytes;
    char *text = input_load(path, input_fixed(HIP_RESULT_TEXT_BYTES_MAX), &bytes, error);
    bool good;

    *result = (struct hip_result){0};
    good = text && hip_result_parse(result, text, bytes, input_name(path), error);
    free(text);
    return good;
}

void hip_result_free(struct hip_result *result)
{
    free(result->blocks);
    *result = (struct hip_result){0};
}
