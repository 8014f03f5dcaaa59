/* SPDX-License-Identifier: MIT */
/* A scenario as a configuration of cuda_scheduling_examiner. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/explore/discriminate_private.h"
#include "emu/base/text_stream.h"

#define SPIN_NS (DISCRIMINATE_SPIN_PS / GFE_PS_PER_NS)

/* ---- a benchmark ----------------------------------------------------------------------------- */

static uint32_t first_kernel(const struct discriminate_scenario *scenario, uint32_t stream)
{
    uint32_t kernel = 0;

    while (scenario->kernels[kernel].stream != stream)
        kernel++;
    return kernel;
}

static bool is_last(const struct discriminate_scenario *scenario, uint32_t kernel)
{
    return kernel + 1 == scenario->kernel_count ||
           scenario->kernels[kernel + 1].stream != scenario->kernels[kernel].stream;
}

/* The benchmark that makes its kernels: the plainest one that can. */
enum bench { BENCH_SPIN, BENCH_SPIN_NULL, BENCH_SHARED, BENCH_MULTI };

static enum bench bench_of(const struct discriminate_scenario *scenario, uint32_t stream)
{
    const uint32_t first = first_kernel(scenario, stream);
    const struct discriminate_kernel *kernel = &scenario->kernels[first];

    if (scenario->streams[stream].null_stream)
        return BENCH_SPIN_NULL;
    if (!is_last(scenario, first) || kernel->copy_in_words > 0)
        return BENCH_MULTI;
    return kernel->shared_words > 0 ? BENCH_SHARED : BENCH_SPIN;
}

static void print_multikernel(FILE *file, const struct discriminate_scenario *scenario,
                              uint32_t first)
{
    fputs("      \"additional_info\": [\n", file);
    for (uint32_t i = first;; i++) {
        const struct discriminate_kernel *kernel = &scenario->kernels[i];

        fprintf(file,
                "        { \"kernel_label\": \"K%" PRIu32 "\", \"duration\": %" PRIu64
                ", \"block_count\": %" PRIu32 ", \"thread_count\": %" PRIu32,
                i + 1, (uint64_t)SPIN_NS, kernel->blocks, kernel->threads);
        if (kernel->shared_words > 0)
            fprintf(file, ", \"shared_memory_size\": %" PRIu32, kernel->shared_words);
        if (kernel->copy_in_words > 0)
            fprintf(file, ", \"copy_in_count\": %" PRIu64, kernel->copy_in_words);
        fprintf(file, " }%s\n", is_last(scenario, i) ? "" : ",");
        if (is_last(scenario, i))
            break;
    }
    fputs("      ]", file);
}

static void print_benchmark(FILE *file, const struct discriminate_scenario *scenario,
                            uint32_t stream, const char *end)
{
    static const char *const names[] = {
        [BENCH_SPIN] = "timer_spin",
        [BENCH_SPIN_NULL] = "timer_spin_default_stream",
        [BENCH_SHARED] = "sharedmem_timer_spin",
        [BENCH_MULTI] = "multikernel",
    };
    const uint32_t first = first_kernel(scenario, stream);
    const struct discriminate_kernel *kernel = &scenario->kernels[first];
    const enum bench bench = bench_of(scenario, stream);
    const uint32_t release_ms = discriminate_release_ms(scenario, stream);
    char label[DISCRIMINATE_LABEL_BYTES];

    discriminate_label(scenario, stream, label);
    fprintf(file,
            "    {\n      \"filename\": \"./bin/%s.so\",\n      \"log_name\": \"%s.json\",\n"
            "      \"label\": \"%s\",\n      \"thread_count\": %" PRIu32
            ",\n      \"block_count\": %" PRIu32 ",\n      \"data_size\": 0,\n",
            names[bench], label, label, kernel->threads, kernel->blocks);
    if (scenario->streams[stream].high)
        fputs("      \"stream_priority\": -1,\n", file);
    if (release_ms > 0)
        fprintf(file, "      \"release_time\": %" PRIu32 ".%03" PRIu32 ",\n", release_ms / 1000,
                release_ms % 1000);
    if (bench == BENCH_MULTI)
        print_multikernel(file, scenario, first);
    else if (bench == BENCH_SHARED)
        fprintf(file,
                "      \"additional_info\": { \"duration\": %" PRIu64
                ", \"shared_memory_size\": %" PRIu32 " }",
                (uint64_t)SPIN_NS, kernel->shared_words);
    else
        fprintf(file, "      \"additional_info\": %" PRIu64, (uint64_t)SPIN_NS);
    fprintf(file, "\n    }%s\n", end);
}

/* ---- all ------------------------------------------------------------------------------------- */

char *discriminate_config_text(const struct discriminate *discriminate, bool backwards)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    if (!file)
        return NULL;
    fprintf(file,
            "{\n  \"name\": \"%s\",\n  \"max_iterations\": 1,\n  \"max_time\": 0,\n"
            "  \"cuda_device\": 0,\n",
            discriminate->name);
    if (scenario->processes)
        fputs("  \"use_processes\": true,\n", file);
    fputs("  \"benchmarks\": [\n", file);
    for (uint32_t i = 0; i < scenario->stream_count; i++)
        print_benchmark(file, scenario, backwards ? scenario->stream_count - 1 - i : i,
                        i + 1 < scenario->stream_count ? "," : "");
    fputs("  ]\n}\n", file);
    return text_stream_close(&stream, file);
}

char *discriminate_config(const struct discriminate *discriminate)
{
    return discriminate_config_text(discriminate, false);
}
