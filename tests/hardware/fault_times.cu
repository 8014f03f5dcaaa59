// SPDX-License-Identifier: MIT
//
// A process that goes wrong beside others: what do they see?  One JSON object at its end, if it has one.
//
//     nvcc -O1 -arch=native -o fault_times fault_times.cu -lcuda
//     ./fault_times START_NS address|trap|assert|stack|endless|exit|context|none
//
// At START (CLOCK_MONOTONIC, ns) a kernel on every SM begins.  It reads an address that is not
// mapped, traps, fails an assertion, overflows the stack or never ends, after 5 ms; `exit` leaves by
// _exit() while it runs, `context` creates and destroys contexts meanwhile.  slice_times beside it
// shows the gaps.
#include <cassert>
#include <string>
#include <unistd.h>

#include "gpu_time.cuh"

__device__ int deep(int n, volatile int *room)
{
    volatile int mine[64];

    mine[n & 63] = n;
    return n > 1000000 ? room[0] : deep(n + 1, room) + mine[(n + 1) & 63];
}

__global__ void go_wrong(int how, span *to, uint64_t ns, int *out)
{
    uint64_t begin = now();

    if (!threadIdx.x && !blockIdx.x) {
        to->start = begin;
    }
    while (now() - begin < 5000000) {
    }
    if (!threadIdx.x && !blockIdx.x) {
        to->end = now();
        __threadfence_system();
    }
    switch (how) {
    case 'a':
        *(volatile int *)0x10 = 1;
        break;
    case 't':
        asm volatile("trap;");
        break;
    case 's':
        assert(out == NULL);
        break;
    case 'k':
        *out = deep(0, out);
        break;
    case 'e':
        for (;;) {
            if (*(volatile int *)out) {
                break;
            }
        }
        break;
    default:
        while (now() - begin < ns) {
        }
    }
}

int main(int argc, char **argv)
{
    std::string how = argc == 3 ? argv[2] : "";
    uint64_t start, failed;
    cudaError_t error;
    span *seen;
    int *out;
    char letter = how == "address"   ? 'a'
                  : how == "trap"    ? 't'
                  : how == "assert"  ? 's'
                  : how == "stack"   ? 'k'
                  : how == "endless" ? 'e'
                                     : '-';

    if (how.empty()) {
        fprintf(stderr, "usage: fault_times START_NS address|trap|assert|stack|endless|exit|context|none\n");
        return 2;
    }
    start = strtoull(argv[1], NULL, 10);
    DO(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    DO(cudaMallocHost(&seen, sizeof *seen));
    DO(cudaMalloc(&out, 4096));
    DO(cudaMemset(out, 0, 4096));
    memset(seen, 0, sizeof *seen);
    DO(cudaDeviceSynchronize());
    while (host_now() < start) {
    }
    if (how == "context") {
        std::vector<uint64_t> at;

        for (int i = 0; i < 4; i++) {
            CUcontext context;

            at.push_back(host_now());
            if (cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) {
                return 1;
            }
            at.push_back(host_now());
            if (cuCtxDestroy(context) != CUDA_SUCCESS) {
                return 1;
            }
        }
        at.push_back(host_now());
        printf("{\"experiment\":\"fault\",\"of\":\"context\"");
        print_list("created_destroyed_host_ns", at, start);
        printf("}\n");
        return 0;
    }
    go_wrong<<<132, 256>>>(letter, seen, 60000000, out);
    if (how == "exit") {
        wait_us(12000);
        _exit(0);
    }
    error = cudaDeviceSynchronize();
    failed = host_now();
    printf("{\"experiment\":\"fault\",\"of\":\"%s\",\"error\":\"%s\",\"error_host_ns\":%llu,\"start\":%llu,\"wrong_at\":%llu}\n", how.c_str(),
           cudaGetErrorName(error), (unsigned long long)(failed - start), (unsigned long long)seen->start, (unsigned long long)seen->end);
    return 0;
}
