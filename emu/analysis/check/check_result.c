/* SPDX-License-Identifier: MIT */
/* Measurements: the files together, and what each tells by itself. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/check/check_result_private.h"

/* The tool takes every GPU for one with that many threads on an SM. */
enum { EXAMINER_SM_THREADS = 2048 };

/* ---- events ---------------------------------------------------------------------------------- */

struct check_event result_block_event(const struct result_check *check,
                                      const struct result_kernel *kernel, uint32_t block,
                                      bool starts)
{
    const struct examiner_result_block *at = &kernel->kernel->blocks[block];

    return check_event_at(starts ? at->start_ps : at->end_ps, "%s times[%u]: block %u %s on SM %u",
                          check->streams[kernel->stream].who, kernel->kernel->index, block,
                          starts ? "starts" : "ends", at->sm);
}

/* Something that the CPU did. */
static struct check_event call_event(const struct result_stream *stream, uint32_t index,
                                     gfe_ps time_ps, const char *what)
{
    return check_event_at(time_ps, "%s times[%u]: %s", stream->who, index, what);
}

/* ---- a kernel's blocks ----------------------------------------------------------------------- */

/* Each block by itself. */
static void blocks_check(struct result_check *check, const struct result_kernel *kernel)
{
    const struct check_limits *limits = check->rules->limits;

    for (uint32_t i = 0; i < kernel->kernel->block_count; i++) {
        const struct examiner_result_block *block = &kernel->kernel->blocks[i];
        const bool has_sm = block->sm < limits->sm_count && block->sm < CHECK_SMS_MAX;
        const bool backwards =
            result_after(block->start_ps, block->end_ps, check->rules->tolerance_ps);
        struct check_event start, end;

        if (has_sm && !backwards)
            continue;
        start = result_block_event(check, kernel, i, true);
        end = result_block_event(check, kernel, i, false);
        if (!has_sm)
            check_report_add(check->report, "LOG", NULL, &start, "the GPU has %u SMs",
                             limits->sm_count);
        if (backwards)
            check_report_add(check->report, "LOG", &end, &start, "it ends before it starts");
    }
}

uint32_t result_block_at(const struct result_kernel *kernel, gfe_ps start_ps)
{
    uint32_t i = 0;

    while (kernel->kernel->blocks[i].start_ps != start_ps)
        i++;
    return i;
}

/* The first block against what the CPU did before. */
static void begin_check(struct result_check *check, const struct result_kernel *kernel,
                        const struct examiner_result_iteration *iteration)
{
    const struct result_stream *stream = &check->streams[kernel->stream];
    const gfe_ps noise_ps = check->rules->clock_error_ps;
    const struct check_event event =
        result_block_event(check, kernel, result_block_at(kernel, kernel->first_ps), true);
    const struct check_event copied =
        call_event(stream, iteration->index, iteration->copy_in.end_ps, "the copy in ends");
    const struct check_event launch =
        call_event(stream, kernel->kernel->index, kernel->kernel->launch_ps, "its launch call");

    if (result_after(iteration->copy_in.end_ps, kernel->first_ps, noise_ps))
        check_report_add(check->report, "T.C4", &event, &copied,
                         "a block of a kernel starts before the copy in has ended");
    else if (result_after(kernel->kernel->launch_ps, kernel->first_ps, noise_ps))
        check_report_add(check->report, "LOG", &event, &launch,
                         "a block starts before the launch call of its kernel");
}

/* The last block against what the CPU saw after it. */
static void end_check(struct result_check *check, const struct result_kernel *kernel,
                      const struct examiner_result_iteration *iteration)
{
    const struct result_stream *stream = &check->streams[kernel->stream];
    const struct examiner_result_kernel *what = kernel->kernel;
    const gfe_ps noise_ps = check->rules->clock_error_ps;
    const gfe_ps end_ps = what->blocks[kernel->last_end_block].end_ps;
    const struct check_event event =
        result_block_event(check, kernel, kernel->last_end_block, false);
    const struct check_event waited =
        call_event(stream, what->index, what->synchronized_ps, "the wait for its stream ends");
    const struct check_event copied =
        call_event(stream, iteration->index, iteration->copy_out.end_ps, "the copy out ends");

    if (what->synchronized_ps > 0 && result_after(end_ps, what->synchronized_ps, noise_ps))
        check_report_add(check->report, "T.G4", &waited, &event,
                         "a kernel has left its stream before its last block ends");
    else if (result_after(end_ps, iteration->copy_out.end_ps, noise_ps))
        check_report_add(check->report, "T.C1", &copied, &event,
                         "a copy out has ended before the kernel in front of it");
}

/* ---- a stream -------------------------------------------------------------------------------- */

/* Calls of one thread, which follow each other. */
struct call_order {
    struct result_check *check;
    const struct result_stream *stream;
    struct check_event last;
};

static void call_next(struct call_order *order, uint32_t index, gfe_ps time_ps, const char *what)
{
    const struct check_event event = call_event(order->stream, index, time_ps, what);

    if (result_after(order->last.time_ps, time_ps, order->check->rules->tolerance_ps))
        check_report_add(order->check->report, "LOG", &order->last, &event,
                         "the calls are not in this order");
    order->last = event;
}

static void calls_check(struct result_check *check, const struct result_stream *stream)
{
    struct call_order order = {.check = check, .stream = stream};

    order.last = call_event(stream, 0, stream->result->release_ps, "its release");
    for (uint32_t i = 0; i < stream->result->iteration_count; i++) {
        const struct examiner_result_iteration *iteration = &stream->result->iterations[i];

        call_next(&order, iteration->index, iteration->copy_in.begin_ps, "the copy in begins");
        call_next(&order, iteration->index, iteration->copy_in.end_ps, "the copy in ends");
        call_next(&order, iteration->index, iteration->execute.begin_ps, "execute begins");
        for (uint32_t k = 0; k < iteration->kernel_count; k++) {
            const struct examiner_result_kernel *kernel = &iteration->kernels[k];

            call_next(&order, kernel->index, kernel->launch_ps, "its launch call");
            call_next(&order, kernel->index, kernel->launched_ps, "the launch call returns");
            if (kernel->synchronized_ps > 0)
                call_next(&order, kernel->index, kernel->synchronized_ps,
                          "the wait for its stream ends");
        }
        call_next(&order, iteration->index, iteration->execute.end_ps, "execute ends");
        call_next(&order, iteration->index, iteration->copy_out.begin_ps, "the copy out begins");
        call_next(&order, iteration->index, iteration->copy_out.end_ps, "the copy out ends");
    }
}

/* Kernels of a stream, one after the other. */
static void order_check(struct result_check *check, const struct result_stream *stream)
{
    const struct result_kernel *before = NULL; /* that ends last, so far */

    for (uint32_t i = 0; i < stream->count; i++) {
        const struct result_kernel *kernel = &check->kernels[stream->first + i];
        const gfe_ps end_ps = before ? before->kernel->blocks[before->last_end_block].end_ps : 0;

        if (result_after(end_ps, kernel->first_ps, check->rules->tolerance_ps)) {
            const struct check_event start =
                result_block_event(check, kernel, result_block_at(kernel, kernel->first_ps), true);
            const struct check_event end =
                result_block_event(check, before, before->last_end_block, false);

            check_report_add(check->report, "T.G4", &start, &end,
                             "a kernel begins before an earlier one of its stream has ended");
        }
        if (!before || kernel->kernel->blocks[kernel->last_end_block].end_ps > end_ps)
            before = kernel;
    }
}

static void stream_check(struct result_check *check, const struct result_stream *stream)
{
    const struct examiner_result *result = stream->result;
    uint32_t at = stream->first;

    calls_check(check, stream);
    if (!result->blocks_timed)
        return;
    for (uint32_t i = 0; i < result->iteration_count; i++) {
        for (uint32_t k = 0; k < result->iterations[i].kernel_count; k++) {
            const struct result_kernel *kernel = &check->kernels[at++];

            blocks_check(check, kernel);
            begin_check(check, kernel, &result->iterations[i]);
            end_check(check, kernel, &result->iterations[i]);
        }
    }
    order_check(check, stream);
}

/* ---- the files together ---------------------------------------------------------------------- */

static bool files_belong(const struct check_result_file *files, uint32_t count,
                         const struct check_limits *limits, struct gfe_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct examiner_result *result = files[i].result;

        if (strcmp(result->scenario_name, files[0].result->scenario_name) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s: is of scenario '%.60s', and %s of '%.60s': check one run at a "
                             "time",
                             files[i].path, result->scenario_name, files[0].path,
                             files[0].result->scenario_name);
        if (result->resident_threads / EXAMINER_SM_THREADS > limits->sm_count)
            return error_set(
                error, ERROR_INPUT, "%s: was measured on a GPU with %u SMs, and this one has %u",
                files[i].path, result->resident_threads / EXAMINER_SM_THREADS, limits->sm_count);
        for (uint32_t j = 0; j < i; j++)
            if (files[j].result->pid == result->pid && files[j].result->tid == result->tid)
                return error_set(error, ERROR_INPUT, "%s: is of the same process and thread as %s",
                                 files[i].path, files[j].path);
    }
    return true;
}

static void kernel_set(struct result_kernel *kernel)
{
    const struct examiner_result_kernel *what = kernel->kernel;

    kernel->first_ps = kernel->last_ps = what->blocks[0].start_ps;
    for (uint32_t i = 1; i < what->block_count; i++) {
        const struct examiner_result_block *block = &what->blocks[i];

        if (block->start_ps < kernel->first_ps)
            kernel->first_ps = block->start_ps;
        if (block->start_ps > kernel->last_ps)
            kernel->last_ps = block->start_ps;
        if (block->end_ps > what->blocks[kernel->last_end_block].end_ps)
            kernel->last_end_block = i;
    }
}

static void stream_set(struct result_check *check, uint32_t index,
                       const struct check_result_file *file)
{
    struct result_stream *stream = &check->streams[index];
    const struct examiner_result *result = file->result;
    const char *slash = strrchr(file->path, '/');
    const char *name = slash ? slash + 1 : file->path;

    stream->result = result;
    stream->first = check->kernel_count;
    (void)snprintf(stream->who, sizeof stream->who, "%s", result->label ? result->label : name);
    for (uint32_t i = 0; i < result->iteration_count; i++) {
        gfe_ps before_ps = 0;

        for (uint32_t k = 0; k < result->iterations[i].kernel_count; k++) {
            struct result_kernel *kernel = &check->kernels[check->kernel_count++];

            kernel->kernel = &result->iterations[i].kernels[k];
            kernel->stream = index;
            kernel_set(kernel);
            kernel->before_ps = before_ps;
            if (kernel->kernel->blocks[kernel->last_end_block].end_ps > before_ps)
                before_ps = kernel->kernel->blocks[kernel->last_end_block].end_ps;
            check->report->kernel_count++;
            check->report->block_count += kernel->kernel->block_count;
            check->report->event_count += 2 * (uint64_t)kernel->kernel->block_count + 1;
        }
    }
    stream->count = check->kernel_count - stream->first;
}

static bool streams_set(struct result_check *check, const struct check_result_file *files,
                        uint32_t count)
{
    size_t kernels = 1; /* calloc() of none may be NULL */

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < files[i].result->iteration_count; k++)
            kernels += files[i].result->iterations[k].kernel_count;
    check->streams = calloc(count, sizeof check->streams[0]);
    check->kernels = kernels < UINT32_MAX ? calloc(kernels, sizeof check->kernels[0]) : NULL;
    if (!check->streams || !check->kernels)
        return false;
    for (uint32_t i = 0; i < count; i++)
        stream_set(check, i, &files[i]);
    check->stream_count = count;
    return true;
}

/* Each process once. */
static bool processes_check(struct result_check *check)
{
    for (uint32_t i = 0; i < check->stream_count; i++) {
        const int32_t pid = check->streams[i].result->pid;
        uint32_t first = 0;

        while (check->streams[first].result->pid != pid)
            first++;
        if (first == i && (!result_sms_check(check, pid) || !result_queue_check(check, pid)))
            return false;
    }
    return true;
}

bool check_results(const struct check_result_file *files, uint32_t count,
                   const struct check_result_rules *rules, struct check_report *report,
                   struct gfe_error *error)
{
    struct result_check check = {.rules = rules, .report = report};
    bool done = check_report_init(report);
    bool good;

    if (!files_belong(files, count, rules->limits, error))
        return false;
    done = done && streams_set(&check, files, count);
    good = !done || !rules->config || result_config_match(&check, files, error);
    if (done && good) {
        for (uint32_t i = 0; i < count; i++)
            stream_check(&check, &check.streams[i]);
        done = processes_check(&check);
    }
    free(check.streams);
    free(check.kernels);
    return done ? good : error_set(error, ERROR_SYSTEM, "no memory to check the results");
}
