/* SPDX-License-Identifier: MIT */
/*
 * The way of each copy and memset: by a copy engine with a runlist of its own, in the stream's
 * compute channel, or as a kernel.  With choice point cuda.copy_way at by-size the ways, and the
 * kernels' grids, are those of an H100's recorded pushbuffers and descriptors (tests/hardware/data,
 * h100: capture_copies); its kernels take as long as the memory needs (copy_times: within a tenth
 * from 64 MiB on, above what the level-two cache holds).
 *
 * ASSUMED: what lies between the recorded sizes; that the driver writes what a small memset sets
 * into the pushbuffer word by word (the real one has a macro repeat one word).
 */
#include <config.h>

#include <stdlib.h>

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"

enum {
    COPY_THREADS = 256,
    COPY_SMALL_BYTES = 1 << 10, /* that a block copies, up to COPY_SMALL_MOST in all */
    COPY_SMALL_MOST = 128 << 10,
    COPY_BLOCK_BYTES = 4 << 10,
    SET_THREADS = 512,
    SET_BLOCK_BYTES = 8 << 10,
    COPY_REGISTERS = 16,
};

static bool cuda_route_by_size(const struct cuda *cuda)
{
    return cuda->machine->choices[CHOICE_CUDA_COPY_WAY] == CUDA_COPY_BY_SIZE;
}

/* Returns the way of a copy to the device or to the host. */
static enum cuda_way cuda_route_of_link(const struct cuda *cuda, const struct cuda_call *call)
{
    const uint32_t parameter =
        call->pageable ? PARAM_CUDA_INLINE_PAGEABLE_BYTES : PARAM_CUDA_INLINE_BYTES;

    if (call->direction == CUDA_DEVICE_TO_HOST || call->rows > 1)
        return CUDA_BY_ENGINE;
    return call->bytes < cuda_parameter(cuda, parameter) ? CUDA_INLINE : CUDA_BY_ENGINE;
}

static enum cuda_way cuda_route_decide(const struct cuda *cuda, const struct cuda_call *call)
{
    if (call->kind == CUDA_LAUNCH)
        return CUDA_BY_KERNEL;
    if (call->kind == CUDA_EVENT_RECORD && cuda_ahead(cuda) > 1)
        return CUDA_RELEASE;
    if (call->graphics)
        return CUDA_BY_GRAPHICS;
    if (!cuda_route_by_size(cuda) || (call->kind != CUDA_MEMCPY && call->kind != CUDA_MEMSET))
        return CUDA_BY_ENGINE;
    if (call->kind == CUDA_MEMSET)
        return call->bytes < cuda_parameter(cuda, PARAM_CUDA_INLINE_SET_BYTES) ? CUDA_INLINE
                                                                               : CUDA_BY_KERNEL;
    return call->direction == CUDA_DEVICE_TO_DEVICE ? CUDA_BY_KERNEL
                                                    : cuda_route_of_link(cuda, call);
}

/* Returns the time for which each block of the kernel works, so that all of them together take as
 * long as the memory needs. */
static gfe_ps cuda_route_block_ps(const struct cuda *cuda, const struct cuda_kernel *kernel,
                                  uint64_t moved_bytes)
{
    const uint64_t rate = cuda->model->local_bytes_per_second / UINT64_C(1000000000);
    const uint64_t places =
        (uint64_t)cuda->model->sm_count * (cuda->model->sm.threads_per_sm / kernel->block_threads);
    const uint64_t turns = (kernel->block_count + places - 1) / places;
    const gfe_ps least_ps = cuda_parameter(cuda, PARAM_CUDA_COPY_KERNEL_PS);
    const gfe_ps all_ps = moved_bytes * UINT64_C(1000) / (rate > 0 ? rate : 1);

    return (all_ps > least_ps ? all_ps : least_ps) / turns;
}

/* Returns the kernel that does the work of the copy or memset. */
static struct cuda_kernel cuda_route_kernel(const struct cuda *cuda, const struct cuda_call *call)
{
    const bool sets = call->kind == CUDA_MEMSET;
    const uint64_t block_bytes = sets                             ? SET_BLOCK_BYTES
                                 : call->bytes <= COPY_SMALL_MOST ? COPY_SMALL_BYTES
                                                                  : COPY_BLOCK_BYTES;
    struct cuda_kernel kernel = {
        .block_count = (call->bytes + block_bytes - 1) / block_bytes,
        .block_threads = sets ? SET_THREADS : COPY_THREADS,
        .registers = COPY_REGISTERS,
        .time = CUDA_TIME_WORK,
    };

    kernel.amount = cuda_route_block_ps(cuda, &kernel, sets ? call->bytes : 2 * call->bytes);
    return kernel;
}

/* Returns the index of a kernel with that grid and that time: one from `first` on that is there, or
 * a new one.  Returns CUDA_NONE if there is no room for it. */
static uint32_t cuda_route_add(struct cuda *cuda, uint32_t first, const struct cuda_kernel *kernel)
{
    for (uint32_t i = first; i < cuda->kernel_count; i++)
        if (cuda->kernels[i].block_count == kernel->block_count &&
            cuda->kernels[i].block_threads == kernel->block_threads &&
            cuda->kernels[i].amount == kernel->amount)
            return i;
    if (cuda->kernel_count == CUDA_KERNELS_MAX)
        return CUDA_NONE;
    cuda->kernels[cuda->kernel_count] = *kernel;
    return cuda->kernel_count++;
}

bool cuda_route_alloc(struct cuda *cuda)
{
    const struct cuda_program *program = cuda->program;

    cuda->kernels = calloc(CUDA_KERNELS_MAX, sizeof *cuda->kernels);
    cuda->routes = calloc(program->call_count ? program->call_count : 1, sizeof *cuda->routes);
    return cuda->kernels && cuda->routes;
}

void cuda_route_free(struct cuda *cuda)
{
    free(cuda->kernels);
    free(cuda->routes);
}

bool cuda_route_settle(struct cuda *cuda, struct gfe_error *error)
{
    static const struct {
        uint32_t parameter;
        const char *name;
    } limits[] = {{PARAM_CUDA_INLINE_BYTES, "cuda.inline_bytes"},
                  {PARAM_CUDA_INLINE_PAGEABLE_BYTES, "cuda.inline_pageable_bytes"},
                  {PARAM_CUDA_INLINE_SET_BYTES, "cuda.inline_set_bytes"}};
    const struct cuda_program *program = cuda->program;

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (cuda_parameter(cuda, limits[i].parameter) > CUDA_INLINE_MAX)
            return error_set(error, ERROR_USAGE, "parameter %s is at most %d", limits[i].name,
                             CUDA_INLINE_MAX);
    cuda->kernel_count = program->kernel_count;
    for (uint32_t i = 0; i < program->kernel_count; i++)
        cuda->kernels[i] = program->kernels[i];
    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct cuda_call *call = &program->calls[i];
        struct cuda_call_route *route = &cuda->routes[i];

        route->way = cuda_route_decide(cuda, call);
        route->kernel = call->kernel;
        if (route->way == CUDA_BY_KERNEL && call->kind != CUDA_LAUNCH) {
            const struct cuda_kernel kernel = cuda_route_kernel(cuda, call);

            route->kernel = cuda_route_add(cuda, program->kernel_count, &kernel);
        }
        if (route->way == CUDA_INLINE && call->bytes > cuda->inline_bytes)
            cuda->inline_bytes = ((uint32_t)call->bytes + MEMORY_PAGE_BYTES - 1) &
                                 ~(uint32_t)(MEMORY_PAGE_BYTES - 1);
        if (route->kernel == CUDA_NONE)
            return error_set(error, ERROR_LIMIT,
                             "%s: more than %d kernels and sizes of copies on the device",
                             program->name, CUDA_KERNELS_MAX);
    }
    return true;
}
