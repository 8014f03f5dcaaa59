/* SPDX-License-Identifier: MIT */
/* From benchmarks of cuda_scheduling_examiner to the calls that they make. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/sim/scenario_private.h"
#include "firmware-models/cuda/cuda_shared.h"

enum { MPS_ALL = 1000000 }; /* millionths of the threads */

/* Where a benchmark stands among the configurations, for messages. */
struct place {
    const struct examiner_config *config;
    uint32_t index;
    uint32_t depth;
    gfe_ps start_ps;
};

static bool wrong(struct scenario_build *build, const struct place *place, const char *key,
                  const char *what)
{
    return error_set(build->error, ERROR_INPUT, "%s: %sbenchmarks[%u].%s: %s", build->path,
                     place->depth ? "hosted " : "", place->index, key, what);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Stream 0: as the tool is built, with nvcc --default-stream. */
static bool null_stream(struct scenario_build *build, uint32_t *index)
{
    return scenario_default_stream(build, build->options->default_stream, index);
}

/* The benchmark's stream. */
static bool own_stream(struct scenario_build *build, const struct examiner_benchmark *benchmark,
                       uint32_t *index)
{
    const int32_t priority = benchmark->stream_priority;
    const bool has_priority = priority <= 0 && priority > -(int32_t)build->options->priority_levels;
    struct cuda_stream *stream;

    if (benchmark->null_stream)
        return null_stream(build, index);
    stream = scenario_add_stream(build);
    if (!stream)
        return false;
    stream->kind = has_priority ? CUDA_NON_BLOCKING_STREAM : CUDA_BLOCKING_STREAM;
    stream->priority = has_priority ? (uint32_t)-priority : 0;
    *index = build->scenario->program.stream_count - 1;
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool add_copy(struct scenario_build *build, uint32_t stream, enum cuda_phase phase,
                     uint64_t bytes, enum cuda_direction direction)
{
    struct cuda_call *call;

    if (bytes == 0)
        return true;
    call = scenario_add_call(build, CUDA_MEMCPY, phase, stream);
    if (!call)
        return false;
    call->bytes = bytes;
    call->direction = direction;
    return true;
}

static bool add_plain(struct scenario_build *build, enum cuda_call_kind kind, enum cuda_phase phase,
                      uint32_t stream)
{
    return scenario_add_call(build, kind, phase, stream) != NULL;
}

/* Memory of the device's; what the host has of its own is nothing to the GPU. */
static bool add_malloc(struct scenario_build *build, uint64_t bytes, uint32_t stream)
{
    struct cuda_call *call = scenario_add_call(build, CUDA_MALLOC, CUDA_EXECUTE, stream);

    if (call)
        call->bytes = bytes;
    return call != NULL;
}

static bool add_sleep(struct scenario_build *build, uint32_t stream, gfe_ps sleep_ps)
{
    struct cuda_call *call;

    if (sleep_ps == 0)
        return true;
    call = scenario_add_call(build, CUDA_SLEEP, CUDA_EXECUTE, stream);
    if (call)
        call->sleep_ps = sleep_ps;
    return call != NULL;
}

/* Returns the TPCs that the tool's library disables for a mask: its call takes 64 bits, and
 * disables all TPCs from the 65th on (libsmctrl_set_stream_mask() of libsmctrl). */
static struct mask128 mask_of(const struct examiner_mask *mask)
{
    const struct mask128 beyond = {{0, UINT64_MAX}}, none = {{0, 0}};

    return mask128_any(&mask->bits) ? mask128_or(mask->bits, beyond) : none;
}

static bool add_launch(struct scenario_build *build, const struct examiner_benchmark *benchmark,
                       const struct examiner_kernel *from, const char *label, uint32_t stream)
{
    struct cuda_program *program = &build->scenario->program;
    struct cuda_kernel *kernel = scenario_add_kernel(build, label);
    struct cuda_call *call;

    if (!kernel)
        return false;
    kernel->block_count = from->blocks;
    kernel->block_threads = from->threads;
    kernel->shared_bytes = from->shared_bytes;
    kernel->sm_mask = mask128_or(mask_of(&benchmark->sm_mask), mask_of(&from->sm_mask));
    kernel->time = from->counts ? CUDA_TIME_LOOPS : CUDA_TIME_CLOCK;
    kernel->amount = from->counts ? from->loops : from->duration_ps;
    call = scenario_add_call(build, CUDA_LAUNCH, CUDA_EXECUTE, stream);
    if (call)
        call->kernel = program->kernel_count - 1;
    return call != NULL;
}

/* A kernel with its copies. */
static bool add_kernel(struct scenario_build *build, const struct examiner_benchmark *benchmark,
                       const struct examiner_action *action, const char *label, uint32_t stream)
{
    const struct examiner_kernel *kernel = &action->kernel;

    return add_copy(build, stream, CUDA_EXECUTE, kernel->copy_in_bytes, CUDA_HOST_TO_DEVICE) &&
           add_launch(build, benchmark, kernel, action->label ? action->label : label, stream) &&
           add_copy(build, stream, CUDA_EXECUTE, kernel->copy_out_bytes, CUDA_DEVICE_TO_HOST);
}

static const enum cuda_direction directions[] = {
    [EXAMINER_HOST_TO_DEVICE] = CUDA_HOST_TO_DEVICE,
    [EXAMINER_DEVICE_TO_HOST] = CUDA_DEVICE_TO_HOST,
    [EXAMINER_DEVICE_TO_DEVICE] = CUDA_DEVICE_TO_DEVICE,
};

/* A copy or memset of stream_action: the call without a stream is one of the NULL stream, and does
 * not return before its end. */
static bool add_transfer(struct scenario_build *build, const struct examiner_action *action,
                         uint32_t stream)
{
    struct cuda_call *call;
    uint32_t in = stream;

    if (action->size_bytes == 0 || (action->synchronous && !null_stream(build, &in)))
        return action->size_bytes == 0;
    call = scenario_add_call(build, action->kind == EXAMINER_MEMSET ? CUDA_MEMSET : CUDA_MEMCPY,
                             CUDA_EXECUTE, in);
    if (!call)
        return false;
    call->bytes = action->size_bytes;
    call->direction = directions[action->direction];
    /* cudaMemset() returns before its end (programming guide, asynchronous operations). */
    call->synchronous = action->synchronous && action->kind == EXAMINER_MEMCPY;
    return true;
}

static bool add_action(struct scenario_build *build, const struct examiner_benchmark *benchmark,
                       const struct examiner_action *action, const char *label, uint32_t stream)
{
    switch (action->kind) {
    case EXAMINER_KERNEL:
        return add_kernel(build, benchmark, action, label, stream);
    case EXAMINER_MALLOC:
        return add_malloc(build, action->host ? 0 : action->size_bytes, stream);
    case EXAMINER_FREE:
        return add_plain(build, action->host ? CUDA_MALLOC : CUDA_FREE, CUDA_EXECUTE, stream);
    case EXAMINER_SYNCHRONIZE:
        return add_plain(build, action->device ? CUDA_DEVICE_SYNCHRONIZE : CUDA_STREAM_SYNCHRONIZE,
                         CUDA_EXECUTE, stream);
    default:
        return add_transfer(build, action, stream);
    }
}

/* What an iteration of a benchmark with actions does. */
static bool add_actions(struct scenario_build *build, const struct examiner_benchmark *benchmark,
                        const char *label, uint32_t stream)
{
    const bool waits_first = benchmark->kind == EXAMINER_MULTIKERNEL;

    for (uint32_t i = 0; i < benchmark->action_count; i++) {
        const struct examiner_action *action = &benchmark->actions[i];

        if (waits_first && action->delay_ps > 0 &&
            !add_plain(build, CUDA_STREAM_SYNCHRONIZE, CUDA_EXECUTE, stream))
            return false;
        if (!add_sleep(build, stream, action->delay_ps) ||
            !add_action(build, benchmark, action, label, stream))
            return false;
    }
    return add_plain(build, CUDA_STREAM_SYNCHRONIZE, CUDA_EXECUTE, stream);
}

/* ---- benchmarks with a cost ------------------------------------------------------------------ */

static bool cost_of(const struct scenario_build *build, const char *name, gfe_ps *block_ps)
{
    for (uint32_t i = 0; i < build->options->cost_count; i++)
        if (strcmp(build->options->costs[i].benchmark, name) == 0) {
            *block_ps = build->options->costs[i].block_ps;
            return true;
        }
    return false;
}

/* data_size bytes in, a kernel, data_size bytes out, each followed by a wait for the stream. */
static bool add_costed(struct scenario_build *build, const struct place *place,
                       const struct examiner_benchmark *benchmark, const char *label,
                       uint32_t stream)
{
    const uint64_t threads =
        (uint64_t)benchmark->threads[0] * benchmark->threads[1] * benchmark->threads[2];
    struct examiner_kernel kernel = {.threads = (uint32_t)threads};
    const uint64_t blocks =
        (uint64_t)benchmark->blocks[0] * benchmark->blocks[1] * benchmark->blocks[2];

    const bool known = cost_of(build, benchmark->name, &kernel.duration_ps);

    if (!known)
        scenario_assume(build, benchmark->name);
    if (threads == 0 || blocks == 0 || blocks > UINT32_MAX)
        return wrong(build, place, "thread_count", "it and block_count have to be 1 or more");
    kernel.blocks = (uint32_t)blocks;
    if (!add_copy(build, stream, CUDA_COPY_IN, benchmark->data_bytes, CUDA_HOST_TO_DEVICE) ||
        !add_plain(build, CUDA_STREAM_SYNCHRONIZE, CUDA_COPY_IN, stream) ||
        !add_launch(build, benchmark, &kernel, label, stream))
        return false;
    build->scenario->program.kernels[build->scenario->program.kernel_count - 1].time =
        known ? CUDA_TIME_WORK : CUDA_TIME_DEFAULT;
    return add_plain(build, CUDA_STREAM_SYNCHRONIZE, CUDA_EXECUTE, stream) &&
           add_copy(build, stream, CUDA_COPY_OUT, benchmark->data_bytes, CUDA_DEVICE_TO_HOST) &&
           add_plain(build, CUDA_STREAM_SYNCHRONIZE, CUDA_COPY_OUT, stream);
}

/* A kernel that no SM can hold would be refused by the launch. */
static bool kernels_fit(struct scenario_build *build, const struct place *place,
                        const struct examiner_benchmark *benchmark)
{
    const struct exec_limits *sm = &build->options->model->sm;
    const struct cuda_shared may = cuda_shared_of(build->options->model);
    char text[128];

    for (uint32_t i = 0; i < benchmark->action_count; i++) {
        const struct examiner_kernel *kernel = &benchmark->actions[i].kernel;

        if (benchmark->actions[i].kind != EXAMINER_KERNEL)
            continue;
        if (kernel->threads > sm->threads_per_block) {
            (void)snprintf(text, sizeof text, "a block of the GPU has at most %u threads, not %u",
                           sm->threads_per_block, kernel->threads);
            return wrong(build, place, "thread_count", text);
        }
        if (kernel->shared_bytes > may.by_default) {
            (void)snprintf(text, sizeof text,
                           "a block of a kernel that asks for no more has at most %u bytes of "
                           "shared memory, not %u",
                           may.by_default, kernel->shared_bytes);
            return wrong(build, place, "additional_info", text);
        }
    }
    return true;
}

/* Refuses a mask that names a TPC which the GPU does not have. */
static bool mask_fits(struct scenario_build *build, const struct place *place, const char *key,
                      const struct examiner_mask *mask)
{
    const struct nv_chip *model = build->options->model;
    char text[96];

    if (model->tpc_count == 0 || mask->named <= model->tpc_count)
        return true;
    (void)snprintf(text, sizeof text, "names TPC %u, but a %s has %u TPCs, 0 to %u",
                   mask->named - 1, model->name, model->tpc_count, model->tpc_count - 1);
    return wrong(build, place, key, text);
}

static bool masks_fit(struct scenario_build *build, const struct place *place,
                      const struct examiner_benchmark *benchmark)
{
    bool fit = mask_fits(build, place, "sm_mask", &benchmark->sm_mask);
    char key[48];

    for (uint32_t i = 0; i < benchmark->action_count && fit; i++) {
        (void)snprintf(key, sizeof key, "additional_info[%u].sm_mask", i);
        fit = mask_fits(build, place, key, &benchmark->actions[i].kernel.sm_mask);
    }
    return fit;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static bool add_config(struct scenario_build *build, const struct examiner_config *config,
                       uint32_t depth, gfe_ps start_ps);

static bool add_hosted(struct scenario_build *build, const struct place *place,
                       const struct examiner_benchmark *benchmark)
{
    if (benchmark->hosted->use_processes && !place->config->use_processes)
        return wrong(build, place, "additional_info",
                     "use_processes inside a configuration without it is not modelled");
    if (benchmark->max_iterations != 1)
        return wrong(build, place, "max_iterations",
                     "a task_host that runs its benchmarks more than once is not modelled");
    return add_config(build, benchmark->hosted, place->depth + 1,
                      clock_add(place->start_ps, benchmark->release_ps));
}

static bool add_calls(struct scenario_build *build, const struct place *place,
                      const struct examiner_benchmark *benchmark, const char *label)
{
    uint32_t stream;

    if (!own_stream(build, benchmark, &stream))
        return false;
    return benchmark->kind == EXAMINER_COSTED ? add_costed(build, place, benchmark, label, stream)
                                              : add_actions(build, benchmark, label, stream);
}

/* The tool sets a variable of the environment, which is passed over where it has no effect. */
static void add_share(struct scenario_build *build, const struct place *place,
                      const struct examiner_benchmark *benchmark)
{
    const char *what = place->config->use_processes ? scenario_no_share(build)
                                                    : "it has an effect with use_processes only";

    if (what)
        scenario_warn(build, "%s: %sbenchmarks[%u].mps_thread_percentage is left out: %s\n",
                      build->path, place->depth ? "hosted " : "", place->index, what);
    else
        build->scenario->program.shares_ppm[build->process] = benchmark->mps_ppm;
}

/* Returns true if the benchmark uses no GPU; it is left out. */
static bool is_left_out(struct scenario_build *build, const struct place *place,
                        const struct examiner_benchmark *benchmark)
{
    const bool is = strncmp(benchmark->name, "cpu_", 4) == 0;

    if (is)
        scenario_warn(build, "%s: %sbenchmarks[%u] (%s) is left out: it uses no GPU\n", build->path,
                      place->depth ? "hosted " : "", place->index, benchmark->name);
    return is;
}

static bool add_benchmark(struct scenario_build *build, const struct place *place,
                          const struct examiner_benchmark *benchmark, uint32_t group)
{
    char label[24];
    struct cuda_task *task;

    if (benchmark->kind == EXAMINER_TASK_HOST)
        return add_hosted(build, place, benchmark);
    if (is_left_out(build, place, benchmark))
        return true;
    if (benchmark->mps_ppm < MPS_ALL)
        add_share(build, place, benchmark);
    if (!kernels_fit(build, place, benchmark) || !masks_fit(build, place, benchmark))
        return false;
    (void)snprintf(label, sizeof label, "K%u", build->scenario->program.task_count + 1);
    task = scenario_add_task(build, benchmark->label ? benchmark->label : label);
    if (!task)
        return false;
    task->group = group;
    task->start_ps = place->start_ps;
    task->release_ps = benchmark->release_ps;
    task->max_iterations = benchmark->max_iterations;
    task->max_time_ps = benchmark->max_time_ps;
    task->warms_up = place->config->do_warmup;
    task->meets = place->config->sync_every_iteration;
    return add_calls(build, place, benchmark, benchmark->label ? benchmark->label : label) &&
           scenario_json_task(build, place->config, benchmark);
}

static bool add_config(struct scenario_build *build, const struct examiner_config *config,
                       uint32_t depth, gfe_ps start_ps)
{
    const uint32_t group = build->scenario->program.group_count++;

    for (uint32_t i = 0; i < config->benchmark_count; i++) {
        const struct place place = {config, i, depth, start_ps};

        if ((config->use_processes && (i > 0 || depth > 0) && !scenario_next_process(build)) ||
            !add_benchmark(build, &place, &config->benchmarks[i], group))
            return false;
    }
    return true;
}

bool scenario_add_examiner(struct scenario_build *build, const struct examiner_config *config)
{
    return scenario_next_process(build) && add_config(build, config, 0, 0);
}
