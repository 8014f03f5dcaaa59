// SPDX-License-Identifier: MIT
//
// A kernel whose blocks each last for a time and note when and where they ran.
#ifndef TESTS_HARDWARE_SPIN_CUH
#define TESTS_HARDWARE_SPIN_CUH

#include "gpu_time.cuh"

__global__ void spin(span *to, uint64_t ns)
{
    __shared__ uint64_t begin;

    if (!threadIdx.x) {
        begin = now();
    }
    __syncthreads();
    while (now() - begin < ns) {
    }
    __syncthreads();
    if (!threadIdx.x) {
        to[blockIdx.x].start = begin;
        to[blockIdx.x].sm = sm_id();
        to[blockIdx.x].end = now();
    }
}

#endif
