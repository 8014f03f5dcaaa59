/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/config/examiner_result.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_text.h"
#include "emu/base/input.h"

static bool out_of_memory(const struct spot *spot)
{
    return error_set(spot->reader->error, ERROR_SYSTEM, "out of memory");
}

static bool is_object(const struct spot *spot)
{
    return json_is_object(spot->json) || spot_is_not(spot, "an object");
}

/* A whole number, of the 32 bits of a C int where it can be negative. */
static bool int_read(const struct spot *object, const char *key, int32_t lowest, const char *what,
                     int32_t *value)
{
    const struct spot spot = spot_member(object, key);
    int64_t wide = 0;
    const bool good = spot_number(&spot, lowest, INT32_MAX, what, &wide);

    *value = (int32_t)wide;
    return good;
}

/* ---- a kernel -------------------------------------------------------------------------------- */

/* An array of exactly that many elements. */
static bool count_is(const struct spot *spot, size_t count, const char *what)
{
    size_t there;

    if (!json_is_array(spot->json))
        return spot_is_not(spot, what);
    there = json_array_size(spot->json);
    return there == count || spot_wrong(spot, "%zu elements, not %zu", there, count);
}

static bool launch_read(const struct spot *object, struct examiner_result_kernel *kernel)
{
    const struct spot spot = spot_member(object, EXAMINER_RESULT_LAUNCH);
    gfe_ps *const times[3] = {&kernel->launch_ps, &kernel->launched_ps, &kernel->synchronized_ps};

    if (!count_is(&spot, 3, "a list of three times"))
        return false;
    for (size_t i = 0; i < 3; i++) {
        const struct spot element = spot_element(&spot, i);
        if (!spot_seconds(&element, NULL, times[i]))
            return false;
    }
    return true;
}

/* Start and end of a block; numbers of cycles are only looked at. */
static bool block_times_read(const struct spot *list, uint32_t index, bool timed,
                             struct examiner_result_block *block)
{
    gfe_ps *const times[2] = {&block->start_ps, &block->end_ps};

    for (size_t i = 0; i < 2; i++) {
        const struct spot element = spot_element(list, 2 * (size_t)index + i);

        if (!timed && !json_is_number(element.json))
            return spot_is_not(&element, "a number of cycles");
        if (timed && !spot_seconds(&element, NULL, times[i]))
            return false;
    }
    return true;
}

static bool blocks_read(const struct spot *object, bool timed,
                        struct examiner_result_kernel *kernel)
{
    const struct spot times = spot_member(object, EXAMINER_RESULT_BLOCK_TIMES);
    const struct spot sms = spot_member(object, EXAMINER_RESULT_BLOCK_SMIDS);

    if (!count_is(&times, 2 * (size_t)kernel->block_count, "a list of times") ||
        !count_is(&sms, kernel->block_count, "a list of SMs"))
        return false;
    /* As many as the text has: the counts have been compared. */
    kernel->blocks = calloc(kernel->block_count, sizeof kernel->blocks[0]);
    if (!kernel->blocks)
        return out_of_memory(object);
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        const struct spot sm = spot_element(&sms, i);

        if (!block_times_read(&times, i, timed, &kernel->blocks[i]) ||
            !spot_number32(&sm, 0, UINT32_MAX, "the number of an SM", &kernel->blocks[i].sm))
            return false;
    }
    return true;
}

static bool kernel_read(const struct spot *spot, bool timed, struct examiner_result_kernel *kernel)
{
    int32_t blocks;

    kernel->index = (uint32_t)spot->index;
    if (!spot_may_string(spot, EXAMINER_RESULT_KERNEL_NAME, &kernel->name) ||
        !int_read(spot, EXAMINER_RESULT_BLOCK_COUNT, 1, "a number of blocks", &blocks) ||
        !int_read(spot, EXAMINER_RESULT_THREAD_COUNT, 1, "a number of threads", &kernel->threads) ||
        !int_read(spot, EXAMINER_RESULT_SHARED_MEMORY, 0, "a number of bytes",
                  &kernel->shared_bytes) ||
        !int_read(spot, EXAMINER_RESULT_CPU_CORE, -1, "the number of a core", &kernel->cpu_core) ||
        !launch_read(spot, kernel))
        return false;
    kernel->block_count = (uint32_t)blocks;
    return blocks_read(spot, timed, kernel);
}

static void kernel_free(struct examiner_result_kernel *kernel)
{
    free(kernel->name);
    free(kernel->blocks);
}

/* ---- an iteration ---------------------------------------------------------------------------- */

static bool phase_read(const struct spot *object, const char *key,
                       struct examiner_result_phase *phase)
{
    const struct spot spot = spot_member(object, key);
    const struct spot begin = spot_element(&spot, 0), end = spot_element(&spot, 1);

    return count_is(&spot, 2, "a begin and an end") &&
           spot_seconds(&begin, NULL, &phase->begin_ps) && spot_seconds(&end, NULL, &phase->end_ps);
}

static bool has(const struct spot *object, const char *key)
{
    return json_object_get(object->json, key) != NULL;
}

/* How many kernels stand behind the element, up to the next iteration. */
static uint32_t kernels_behind(const struct spot *times, size_t index)
{
    uint32_t count = 0;

    for (size_t i = index + 1; i < json_array_size(times->json); i++) {
        const struct spot element = spot_element(times, i);

        if (has(&element, EXAMINER_RESULT_CPU))
            break;
        count++;
    }
    return count;
}

static bool iteration_read(const struct spot *times, size_t index, bool timed,
                           struct examiner_result_iteration *iteration)
{
    const struct spot spot = spot_element(times, index);
    struct examiner_result_phase both; /* told by the others */
    const uint32_t count = kernels_behind(times, index);

    iteration->index = (uint32_t)index;
    if (!phase_read(&spot, EXAMINER_RESULT_COPY_IN, &iteration->copy_in) ||
        !phase_read(&spot, EXAMINER_RESULT_EXECUTE, &iteration->execute) ||
        !phase_read(&spot, EXAMINER_RESULT_COPY_OUT, &iteration->copy_out) ||
        !phase_read(&spot, EXAMINER_RESULT_CPU, &both))
        return false;
    iteration->kernels = count > 0 ? calloc(count, sizeof iteration->kernels[0]) : NULL;
    if (count > 0 && !iteration->kernels)
        return out_of_memory(&spot);
    iteration->kernel_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct spot element = spot_element(times, index + 1 + i);

        if (!is_object(&element) || !kernel_read(&element, timed, &iteration->kernels[i]))
            return false;
    }
    return true;
}

static void iteration_free(struct examiner_result_iteration *iteration)
{
    for (uint32_t i = 0; i < iteration->kernel_count; i++)
        kernel_free(&iteration->kernels[i]);
    free(iteration->kernels);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static bool times_read(const struct spot *spot, struct examiner_result *result)
{
    const struct spot times = spot_member(spot, EXAMINER_RESULT_TIMES);
    const struct spot blank = spot_element(&times, 0);
    size_t count, at = 1;
    uint32_t iterations = 0;

    if (!spot_array(&times, INT32_MAX, "a list of times", &count))
        return false;
    if (!json_is_object(blank.json) || json_object_size(blank.json) > 0)
        return spot_is_not(&blank, "the empty object that comes first");
    for (size_t i = 1; i < count; i++) {
        const struct spot element = spot_element(&times, i);
        if (has(&element, EXAMINER_RESULT_CPU))
            iterations++;
        else if (iterations == 0)
            return is_object(&element) &&
                   spot_wrong(&element, "there is no %s before it", EXAMINER_RESULT_CPU);
    }
    result->iterations = iterations > 0 ? calloc(iterations, sizeof result->iterations[0]) : NULL;
    if (iterations > 0 && !result->iterations)
        return out_of_memory(spot);
    result->iteration_count = iterations;
    for (uint32_t i = 0; i < iterations; i++) {
        if (!iteration_read(&times, at, result->blocks_timed, &result->iterations[i]))
            return false;
        at += 1 + result->iterations[i].kernel_count;
    }
    return true;
}

static bool head_read(const struct spot *spot, struct examiner_result *result)
{
    const struct spot scenario = spot_member(spot, EXAMINER_RESULT_SCENARIO);
    const struct spot benchmark = spot_member(spot, EXAMINER_RESULT_BENCHMARK);
    const struct spot resident = spot_member(spot, EXAMINER_RESULT_RESIDENT_THREADS);
    const struct spot data = spot_member(spot, EXAMINER_RESULT_DATA_SIZE);
    const struct spot release = spot_member(spot, EXAMINER_RESULT_RELEASE);
    const struct spot tid = spot_member(spot, EXAMINER_RESULT_TID);
    bool at_once;

    result->tid = EXAMINER_RESULT_NO_TID;
    return spot_string(&scenario, &result->scenario_name) &&
           spot_string(&benchmark, &result->benchmark_name) &&
           spot_may_string(spot, EXAMINER_RESULT_LABEL, &result->label) &&
           spot_number32(&resident, 1, INT32_MAX, "a number of threads",
                         &result->resident_threads) &&
           spot_bytes(&data, &result->data_bytes) &&
           spot_seconds(&release, &at_once, &result->release_ps) &&
           int_read(spot, EXAMINER_RESULT_PID, 1, "the number of a process", &result->pid) &&
           (!tid.json ||
            int_read(spot, EXAMINER_RESULT_TID, 1, "the number of a thread", &result->tid));
}

static bool all_read(const struct spot *spot, struct examiner_result *result)
{
    if (!is_object(spot) || !head_read(spot, result))
        return false;
    result->blocks_timed = strcmp(result->benchmark_name, EXAMINER_RESULT_CYCLES_BENCHMARK) != 0;
    return times_read(spot, result);
}

void examiner_result_free(struct examiner_result *result)
{
    if (!result)
        return;
    for (uint32_t i = 0; i < result->iteration_count; i++)
        iteration_free(&result->iterations[i]);
    free(result->iterations);
    free(result->scenario_name);
    free(result->benchmark_name);
    free(result->label);
    free(result);
}

/* ---- texts and files ------------------------------------------------------------------------- */

bool examiner_result_is_text(const char *text, size_t bytes)
{
    size_t i = 0;

    while (i < bytes && isspace((unsigned char)text[i]))
        i++;
    return i < bytes && (text[i] == '{' || text[i] == '[');
}

static struct examiner_result *result_read(const struct spot *whole)
{
    struct examiner_result *result = calloc(1, sizeof *result);

    if (!result) {
        (void)out_of_memory(whole);
        return NULL;
    }
    if (all_read(whole, result))
        return result;
    examiner_result_free(result);
    return NULL;
}

static struct examiner_result *result_parse(const char *text, size_t bytes, uint64_t highest,
                                            const char *name, struct gfe_error *error)
{
    struct examiner_reader reader = {.name = name, .error = error};
    json_t *root = examiner_text_json(text, bytes, highest, name, error);
    const struct spot whole = {.reader = &reader, .json = root};
    struct examiner_result *result = root ? result_read(&whole) : NULL;

    json_decref(root);
    return result;
}

struct examiner_result *examiner_result_parse(const char *text, size_t bytes, const char *name,
                                              struct gfe_error *error)
{
    return result_parse(text, bytes, EXAMINER_RESULT_TEXT_BYTES_MAX, name, error);
}

struct examiner_result *examiner_result_load(const char *path, struct input_bound bound,
                                             struct gfe_error *error)
{
    struct examiner_result *result = NULL;
    size_t bytes;
    char *text = input_load(path, bound, &bytes, error);

    if (text)
        result = result_parse(text, bytes, bound.bytes, input_name(path), error);
    free(text);
    return result;
}
