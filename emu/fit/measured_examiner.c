/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner as measurements.  The files of one scenario are one
 * experiment: benchmarks with one PID are one process, and each benchmark has a stream.  What a
 * block takes is not asked for in a result.  It is what a supplement says (work_ns); else the
 * median of the kernel's blocks, or, where several processes share the GPU and stop each other's
 * blocks, the shortest one's time, which is too long if all were stopped.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"
#include "traces/config/examiner_result.h"

enum { HEAD_BYTES = 256, THREADS_MAX = 1024, NAME_BYTES = 200 };

/* One file that is being read. */
struct result {
    const struct examiner_result *read;
    struct fit_part *part;
    const struct spot *file; /* for messages */
    uint32_t stream;
};

bool fit_result_is(const char *text, size_t bytes)
{
    static const char key[] = "\"" EXAMINER_RESULT_SCENARIO "\"";

    return memmem(text, bytes < HEAD_BYTES ? bytes : HEAD_BYTES, key, sizeof key - 1) != NULL;
}

static double ns_of(gfe_ps time_ps)
{
    return (double)time_ps / 1e3;
}

static const char *label_of(const struct examiner_result *read)
{
    return read->label ? read->label : read->benchmark_name;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The process of the file: one that is there, or a new one.  The first has no name while it is
 * alone. */
static struct fit_part *part_of(const struct spot *file, struct fit_experiment *experiment,
                                int32_t pid)
{
    struct fit_part *part = experiment->parts;
    char name[NAME_BYTES];

    for (uint32_t i = 0; i < experiment->part_count; i++, part++)
        if (part->process_id == pid)
            return part;
    if (experiment->part_count == FIT_PARTS_MAX) {
        (void)spot_wrong(file, "more than %d processes", FIT_PARTS_MAX);
        return NULL;
    }
    for (uint32_t i = 0; i <= experiment->part_count && experiment->part_count > 0; i++) {
        (void)snprintf(name, sizeof name, "process %u", i + 1);
        free(experiment->parts[i].name);
        experiment->parts[i].name = strdup(name);
    }
    if (experiment->part_count == 0)
        part->name = strdup("");
    experiment->part_count++;
    part->form = FIT_KERNELS;
    part->process_id = pid;
    return part->name || !fit_no_memory(file) ? part : NULL;
}

/* Adds the benchmark's stream, which is called like the benchmark. */
static bool stream_add(struct result *result)
{
    struct fit_part *part = result->part;
    struct fit_stream *grown;

    if (part->stream_count == FIT_STREAMS_MAX)
        return spot_wrong(result->file, "more than %d benchmarks", FIT_STREAMS_MAX);
    grown = realloc(part->streams, (part->stream_count + 1) * sizeof *grown);
    if (!grown)
        return fit_no_memory(result->file);
    part->streams = grown;
    result->stream = part->stream_count;
    grown[part->stream_count] = (struct fit_stream){.name = strdup(label_of(result->read))};
    if (!grown[part->stream_count].name)
        return fit_no_memory(result->file);
    part->stream_count++;
    return true;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool blocks_take(const struct result *result, const struct examiner_result_kernel *kernel,
                        struct fit_operation *operation)
{
    struct fit_seen *seen = &operation->real;

    seen->spans = fit_room(result->file, 1, sizeof seen->spans[0]);
    seen->blocks = fit_room(result->file, kernel->block_count, sizeof seen->blocks[0]);
    if (!seen->spans || !seen->blocks)
        return false;
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        const struct examiner_result_block *block = &kernel->blocks[i];

        if (block->end_ps < block->start_ps)
            return spot_wrong(result->file, "times[%u]: block %u ends before it starts",
                              kernel->index, i);
        seen->blocks[i] =
            (struct fit_block){ns_of(block->start_ps), ns_of(block->end_ps), block->sm};
        if (i == 0 || seen->blocks[i].begin_ns < seen->spans->begin_ns)
            seen->spans->begin_ns = seen->blocks[i].begin_ns;
        if (i == 0 || seen->blocks[i].end_ns > seen->spans->end_ns)
            seen->spans->end_ns = seen->blocks[i].end_ns;
    }
    return true;
}

/* Adds a kernel to the process: the `nth` of its benchmark. */
static bool kernel_add(const struct result *result, const struct examiner_result_kernel *kernel,
                       uint32_t nth)
{
    struct fit_part *part = result->part;
    struct fit_operation *operation;
    char name[NAME_BYTES];

    if (part->operation_count == FIT_OPERATIONS_MAX)
        return spot_wrong(result->file, "more than %d kernels", FIT_OPERATIONS_MAX);
    if (kernel->threads > THREADS_MAX)
        return spot_wrong(result->file, "times[%u].%s: %d is more than %d", kernel->index,
                          EXAMINER_RESULT_THREAD_COUNT, kernel->threads, THREADS_MAX);
    operation = realloc(part->operations, (part->operation_count + 1) * sizeof *operation);
    if (!operation)
        return fit_no_memory(result->file);
    part->operations = operation;
    operation += part->operation_count++;
    (void)snprintf(name, sizeof name, nth > 1 ? "%.180s#%u" : "%.180s", label_of(result->read),
                   nth);
    *operation = (struct fit_operation){
        .name = strdup(name),
        .stream = result->stream,
        .times = 1,
        .call_ns = ns_of(kernel->launch_ps),
        .given_ns = ns_of(kernel->launched_ps),
        .block_count = kernel->block_count,
        .thread_count = (uint32_t)kernel->threads,
        .shared_bytes = (uint64_t)kernel->shared_bytes,
        .works = strstr(result->read->benchmark_name, "Timer Spin") == NULL,
        .blocks_seen = true,
    };
    return (operation->name || fit_no_memory(result->file)) &&
           blocks_take(result, kernel, operation);
}

static bool kernels_add(struct result *result)
{
    uint32_t nth = 0;

    if (!stream_add(result))
        return false;
    for (uint32_t i = 0; i < result->read->iteration_count; i++)
        for (uint32_t k = 0; k < result->read->iterations[i].kernel_count; k++)
            if (!kernel_add(result, &result->read->iterations[i].kernels[k], ++nth))
                return false;
    return nth > 0 || spot_wrong(result->file, "the benchmark has no kernel");
}

bool fit_result_add(const struct spot *file, const struct examiner_result *read,
                    struct fit_experiment *experiment)
{
    struct result result = {.read = read, .file = file};

    result.part = part_of(file, experiment, read->pid);
    return result.part && kernels_add(&result);
}

/* ---- the whole experiment -------------------------------------------------------------------- */

static int by_call(const void *a, const void *b)
{
    const struct fit_operation *x = a, *y = b;

    return (x->call_ns > y->call_ns) - (x->call_ns < y->call_ns);
}

/* Sets how long a block of the kernel takes. */
static bool cost_set(struct fit_operation *operation, const struct fit_stream *stream, bool shares)
{
    struct fit_series took = {0};
    bool good = true;

    operation->spin_ns = stream->work_ns;
    for (uint32_t i = 0; good && stream->work_ns == 0 && i < operation->block_count; i++)
        good = fit_series_add(&took, operation->real.blocks[i].end_ns -
                                         operation->real.blocks[i].begin_ns);
    if (took.count > 0)
        operation->spin_ns = shares ? fit_series_quantile(&took, 0) : fit_series_median(&took);
    free(took.values);
    return good;
}

bool fit_result_finish(struct fit_experiment *experiment)
{
    const bool shares = experiment->part_count > 1;

    for (uint32_t i = 0; i < experiment->part_count; i++) {
        struct fit_part *part = &experiment->parts[i];

        qsort(part->operations, part->operation_count, sizeof part->operations[0], by_call);
        for (uint32_t k = 0; k < part->operation_count; k++)
            if (!cost_set(&part->operations[k], &part->streams[part->operations[k].stream], shares))
                return false;
    }
    return true;
}
