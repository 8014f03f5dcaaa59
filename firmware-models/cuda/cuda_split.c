/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/cuda/cuda_split.h"

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda_shared.h"
#include "firmware-models/cuda/cuda_tables.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the smallest split with room for so many bytes, or the largest. */
static uint32_t split_for(const struct exec_limits *sm, uint64_t bytes)
{
    uint32_t i = 0;

    while (i + 1 < sm->split_count && (uint64_t)sm->splits_kib[i] << 10 < bytes)
        i++;
    return sm->splits_kib[i];
}

/* Bytes that a kernel has to have room for that asks for a part of the shared memory. */
static uint64_t asked_bytes(const struct exec_limits *sm, uint32_t percent, uint64_t block_bytes,
                            uint64_t driver_bytes)
{
    const uint64_t asked = (uint64_t)sm->shared_bytes_per_sm * percent / 100;
    const uint64_t own_bytes = block_bytes - driver_bytes;
    const uint64_t blocks = own_bytes > 0 ? asked / own_bytes : 0;
    const uint64_t all = (blocks > 0 ? blocks : 1) * block_bytes;

    return all > asked ? all : asked;
}

/* The same for one that asks for none; it needs `least_bytes` for all of its blocks on an SM. */
static uint64_t unasked_bytes(const struct cuda *cuda, const struct cuda_kernel *kernel,
                              uint64_t block_bytes, uint64_t least_bytes)
{
    const uint64_t most = cuda_parameter(cuda, PARAM_CUDA_CARVEOUT_MOST_KIB) << 10;
    uint64_t bytes = least_bytes * cuda_parameter(cuda, PARAM_CUDA_CARVEOUT_PERCENT) / 100;

    if (kernel->block_threads > cuda_parameter(cuda, PARAM_CUDA_CARVEOUT_THREADS))
        return least_bytes;
    bytes = smaller(smaller(bytes, cuda->model->sm.blocks_per_sm * block_bytes), most);
    return bytes > least_bytes ? bytes : least_bytes;
}

struct cuda_split cuda_split_of(const struct cuda *cuda, const struct cuda_kernel *kernel,
                                uint32_t registers)
{
    const struct exec_limits *sm = &cuda->model->sm;
    const uint32_t driver_bytes = cuda_shared_of(cuda->model).driver_bytes;
    struct exec_need need;
    struct cuda_split split = {0};
    uint64_t bytes;
    uint32_t rule;

    if (!exec_need_make(sm, kernel->block_threads, registers, kernel->shared_bytes + driver_bytes,
                        false, &need, &rule))
        return split; /* the launch is an error */
    split.least_kib = exec_least_split_kib(sm, &need);
    if (kernel->carveout > 0)
        bytes = asked_bytes(sm, kernel->carveout - 1, need.shared_bytes, driver_bytes);
    else
        bytes = unasked_bytes(cuda, kernel, need.shared_bytes,
                              exec_blocks_fit(sm, &need) * (uint64_t)need.shared_bytes);
    split.chosen_kib = split_for(sm, bytes);
    if (split.least_kib > split.chosen_kib) /* it asks for less */
        split.least_kib = split.chosen_kib;
    return split;
}
