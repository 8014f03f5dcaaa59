/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/measured_cost.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_tables.h"
#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_result.h"
#include "traces/config/examiner_text.h"
#include "emu/base/input.h"

enum { MEASURED_ITEMS_MAX = 1 << 20, MEASURED_TIMES_MAX = 1 << 22 };

/* Durations of blocks. */
struct measured {
    gfe_ps *took_ps;
    size_t count, capacity;
    bool is_hip;
    uint32_t cu_count, cu_threads, wave_threads; /* of an AMD GPU */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Writes the name of the library whose get_name() that is. */
static void library_of(const char *name, char library[MEASURED_COST_NAME_BYTES])
{
    static const char *const others[][2] = {{"In-order Walk", "inorder_walk"},
                                            {"Mandelbrot Set", "mandelbrot"}};
    size_t length = strcspn(name, "(");

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i][0]) == 0) {
            name = others[i][1];
            length = strlen(name);
        }
    while (length > 0 && !isalnum((unsigned char)name[length - 1]))
        length--;
    if (length >= MEASURED_COST_NAME_BYTES)
        length = MEASURED_COST_NAME_BYTES - 1;
    for (size_t i = 0; i < length; i++)
        library[i] = isalnum((unsigned char)name[i]) ? (char)tolower((unsigned char)name[i]) : '_';
    library[length] = '\0';
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The work of a whole CU that a block of the kernel is, of so long a duration (measured_cost.h). */
static gfe_ps work_of(const struct measured *measured, gfe_ps took_ps, uint64_t blocks,
                      uint64_t threads)
{
    const uint64_t busy = amd_tables.parameters[PARAM_AMD_FULL_RATE_WAVES - amd_tables.base].value;
    const uint64_t waves = (threads + measured->wave_threads - 1) / measured->wave_threads;
    const uint64_t blocks_of_cu = (blocks + measured->cu_count - 1) / measured->cu_count;
    const uint64_t room = measured->cu_threads / measured->wave_threads;
    const uint64_t on_cu = least(blocks_of_cu * waves, room > waves ? room / waves * waves : waves);

    return (gfe_ps)((unsigned __int128)took_ps * waves / (on_cu > busy ? on_cu : busy));
}

static bool add(struct measured *measured, gfe_ps took_ps, struct gfe_error *error)
{
    if (measured->count == measured->capacity) {
        const size_t wanted = measured->capacity ? 2 * measured->capacity : 1024;
        gfe_ps *moved = realloc(measured->took_ps, wanted * sizeof *moved);

        if (!moved)
            return error_set_errno(error, ENOMEM, "result file");
        measured->took_ps = moved;
        measured->capacity = wanted;
    }
    measured->took_ps[measured->count++] = took_ps;
    return true;
}

static bool kernel_read(const struct spot *kernel, struct measured *measured)
{
    const struct spot times = spot_member(kernel, EXAMINER_RESULT_BLOCK_TIMES);
    const struct spot block_count = spot_member(kernel, EXAMINER_RESULT_BLOCK_COUNT);
    const struct spot thread_count = spot_member(kernel, EXAMINER_RESULT_THREAD_COUNT);
    int64_t blocks = 1, threads = 1;

    if (!times.json || json_array_size(times.json) == 0)
        return true; /* an iteration of the CPU, or times were omitted */
    if (!json_is_array(times.json) || json_array_size(times.json) > MEASURED_TIMES_MAX)
        return spot_is_not(&times, "a list of times");
    if (!spot_number(&block_count, 1, INT64_MAX / 2, "a number of blocks", &blocks) ||
        !spot_number(&thread_count, 1, 1 << 16, "a number of threads", &threads))
        return false;
    for (size_t i = 0; i + 1 < json_array_size(times.json); i += 2) {
        const struct spot begin = spot_element(&times, i), end = spot_element(&times, i + 1);
        gfe_ps begin_ps, end_ps;

        if (!spot_seconds(&begin, NULL, &begin_ps) || !spot_seconds(&end, NULL, &end_ps))
            return false;
        if (end_ps < begin_ps)
            return spot_wrong(&end, "the block ends before it begins");
        const gfe_ps took_ps = end_ps - begin_ps;
        if (!add(measured,
                 measured->is_hip ? work_of(measured, took_ps, (uint64_t)blocks, (uint64_t)threads)
                                  : took_ps,
                 kernel->reader->error))
            return false;
    }
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int by_length(const void *left, const void *right)
{
    const gfe_ps a = *(const gfe_ps *)left, b = *(const gfe_ps *)right;

    return a < b ? -1 : a > b;
}

/* What hip_plugin_framework says of the GPU. */
static bool gpu_read(const struct spot *whole, struct measured *measured)
{
    const struct spot cus = spot_member(whole, "compute_unit_count");
    const struct spot threads = spot_member(whole, "threads_per_compute_unit");
    const struct spot wave = spot_member(whole, "warp_size");

    return spot_number32(&cus, 1, 1 << 16, "a number of CUs", &measured->cu_count) &&
           spot_number32(&threads, 1, 1 << 20, "a number of threads", &measured->cu_threads) &&
           spot_number32(&wave, 1, 1024, "the threads of a wave", &measured->wave_threads);
}

static bool whole_read(const struct spot *whole, struct measured *measured,
                       struct measured_cost *cost)
{
    const struct spot plugin = spot_member(whole, "plugin_name");
    const struct spot benchmark = spot_member(whole, EXAMINER_RESULT_BENCHMARK);
    const struct spot times = spot_member(whole, EXAMINER_RESULT_TIMES);
    char *name = NULL;
    size_t count;

    measured->is_hip = plugin.json != NULL;
    if (!spot_string(measured->is_hip ? &plugin : &benchmark, &name))
        return false;
    const bool in_cycles = !measured->is_hip && strcmp(name, EXAMINER_RESULT_CYCLES_BENCHMARK) == 0;
    library_of(name, cost->name);
    free(name);
    if (measured->is_hip && !gpu_read(whole, measured))
        return false;
    if (in_cycles)
        return spot_wrong(&benchmark, "its block_times are SM cycles, not seconds: say "
                                      "--cost matrix_multiply=TIME");
    if (!spot_array(&times, MEASURED_ITEMS_MAX, "a list of times", &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot item = spot_element(&times, i);

        if (!kernel_read(&item, measured))
            return false;
    }
    if (measured->count == 0)
        return spot_wrong(&times, "no kernel has block_times");
    qsort(measured->took_ps, measured->count, sizeof measured->took_ps[0], by_length);
    cost->sample_count = measured->count;
    cost->block_ps = measured->took_ps[measured->count / 2];
    return cost->block_ps > 0 || spot_wrong(&times, "half of the blocks took no time");
}

bool measured_cost_read(const char *path, struct measured_cost *cost, struct gfe_error *error)
{
    const char *name = input_name(path);
    struct examiner_reader reader = {.name = name, .error = error};
    struct measured measured = {0};
    size_t bytes;
    char *text = input_load(path, input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), &bytes, error);
    json_t *root =
        text ? examiner_text_json(text, bytes, EXAMINER_RESULT_TEXT_BYTES_MAX, name, error) : NULL;
    const struct spot whole = {.reader = &reader, .json = root};

    free(text);
    *cost = (struct measured_cost){0};
    const bool good = root && whole_read(&whole, &measured, cost);
    free(measured.took_ps);
    json_decref(root);
    return good;
}
