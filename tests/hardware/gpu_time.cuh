// SPDX-License-Identifier: MIT
//
// What the measuring programs share: the GPU's clock, the SM, the host's clock, printing.
//
// Times on the GPU are those of %globaltimer in ns (PTX ISA, "Special Registers"); on the host
// those of CLOCK_MONOTONIC in ns.  The two are not compared.
#ifndef TESTS_HARDWARE_GPU_TIME_CUH
#define TESTS_HARDWARE_GPU_TIME_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>

#include "check_call.h"

struct span {
    uint64_t start, end;
    uint32_t sm, pad;
};

static __device__ __forceinline__ uint64_t now()
{
    uint64_t t;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

static __device__ __forceinline__ uint32_t sm_id()
{
    uint32_t n;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(n));
    return n;
}

static inline uint64_t host_now()
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static inline void wait_us(double us)
{
    uint64_t begin = host_now();

    while (host_now() - begin < us * 1000) {
    }
}

static inline cudaStream_t stream(int priority = 0, bool blocking = false)
{
    cudaStream_t s;

    DO(cudaStreamCreateWithPriority(&s, blocking ? cudaStreamDefault : cudaStreamNonBlocking, priority));
    return s;
}

// Prints ,"name":[...] of numbers, from `from` on.
template <typename T>
static void print_list(const char *name, const T *values, size_t count, uint64_t from = 0)
{
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        printf("%s%lld", i ? "," : "", (long long)((uint64_t)values[i] - from));
    }
    printf("]");
}

template <typename T>
static void print_list(const char *name, const std::vector<T> &values, uint64_t from = 0)
{
    print_list(name, values.data(), values.size(), from);
}

// An experiment by name, and main() of a program that has several: all, or those named.
struct experiment {
    const char *name;
    void (*run)();
};

static inline int run_experiments(int argc, char **argv, const experiment *list, size_t count)
{
    cudaDeviceProp device;

    DO(cudaGetDeviceProperties(&device, 0));
    printf("{\"gpu\":\"%s\",\"sms\":%d}\n", device.name, device.multiProcessorCount);
    for (int i = 1; i < argc || (argc == 1 && i == 1); i++) {
        bool known = false;

        for (size_t k = 0; k < count; k++) {
            if (argc == 1 || !strcmp(argv[i], list[k].name)) {
                list[k].run();
                fflush(stdout);
                known = true;
            }
        }
        if (!known) {
            fprintf(stderr, "no experiment \"%s\"\n", argv[i]);
            return 1;
        }
    }
    return 0;
}

#endif
