// SPDX-License-Identifier: MIT
//
// DO(call): a call of the CUDA runtime that has to work.
#ifndef TESTS_HARDWARE_CHECK_CALL_H
#define TESTS_HARDWARE_CHECK_CALL_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define DO(call)                                                                                   \
    do {                                                                                           \
        cudaError_t do_error = (call);                                                             \
        if (do_error != cudaSuccess) {                                                             \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(do_error));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
