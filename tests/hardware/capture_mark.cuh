// SPDX-License-Identifier: MIT
//
// What a program that is recorded by capture_cuda.c says to it; without it these do nothing.
#ifndef TESTS_HARDWARE_CAPTURE_MARK_CUH
#define TESTS_HARDWARE_CAPTURE_MARK_CUH

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include "check_call.h"

static inline void mark(const char *form, ...)
{
    static void (*note)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, "gfe_capture_mark");
    char text[256];
    va_list list;

    va_start(list, form);
    vsnprintf(text, sizeof text, form, list);
    va_end(list);
    if (note) {
        note(text);
    }
}

__global__ void read_words(uint32_t *to, const volatile uint32_t *from, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        to[i] = from[i];
    }
}

// Writes down `bytes` of memory behind each descriptor that was sent since the last call: the
// driver keeps them where only the GPU reads, but in the address space of this context.
static inline void read_descriptors(int bytes)
{
    static unsigned (*sent)(uint64_t *, unsigned) = (unsigned (*)(uint64_t *, unsigned))dlsym(RTLD_DEFAULT, "gfe_capture_qmds");
    static void (*note)(uint64_t, const void *, size_t) =
        (void (*)(uint64_t, const void *, size_t))dlsym(RTLD_DEFAULT, "gfe_capture_memory");
    static uint32_t *words;
    uint64_t at[64], unused[64];
    unsigned count;

    if (!sent || !note) {
        return;
    }
    if (!words) {
        DO(cudaMallocHost(&words, 1 << 16));
    }
    DO(cudaDeviceSynchronize());
    count = sent(at, 64);
    mark("reading the %u descriptors above", count);
    for (unsigned i = 0; i < count; i++) {
        read_words<<<1, 32>>>(words, (const uint32_t *)at[i], bytes / 4);
        DO(cudaDeviceSynchronize());
        note(at[i], words, bytes);
    }
    sent(unused, 64);
}

static inline void forget_descriptors()
{
    static unsigned (*sent)(uint64_t *, unsigned) = (unsigned (*)(uint64_t *, unsigned))dlsym(RTLD_DEFAULT, "gfe_capture_qmds");
    uint64_t unused[64];

    if (sent) {
        sent(unused, 64);
    }
}

#endif
