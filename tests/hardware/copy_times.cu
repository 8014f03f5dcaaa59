// SPDX-License-Identifier: MIT
//
// What copies take, alone and beside others: one JSON object per line.
//
//     nvcc -O1 -arch=native -o copy_times copy_times.cu -lcuda
//     ./copy_times [sizes|two_dimensions|together|beside_kernel]...
//
// Times are those between two events of the copy's stream, in ns.  Host memory is pinned where
// nothing else is said.
#include <string>

#include "gpu_time.cuh"

enum way { TO_DEVICE, TO_HOST, ON_DEVICE, SET, PAGEABLE, WAYS };

static const char *const way_names[WAYS] = {"to_device", "to_host", "on_device", "set", "to_device_pageable"};
static const size_t BIG = 256 << 20;
static char *device, *host, *pageable;

__global__ void spin(uint64_t ns)
{
    uint64_t begin = now();

    while (now() - begin < ns) {
    }
}

static void prepare()
{
    if (!device) {
        DO(cudaMalloc(&device, 2 * BIG));
        DO(cudaMallocHost(&host, 2 * BIG));
        pageable = (char *)malloc(BIG);
        memset(pageable, 1, BIG);
        memset(host, 1, 2 * BIG);
        spin<<<1, 32>>>(1000);
        DO(cudaMemset(device, 0, 2 * BIG));
        DO(cudaDeviceSynchronize());
    }
}

static void submit(enum way way, size_t at, size_t bytes, cudaStream_t s)
{
    switch (way) {
    case TO_DEVICE:
        DO(cudaMemcpyAsync(device + at, host + at, bytes, cudaMemcpyHostToDevice, s));
        break;
    case TO_HOST:
        DO(cudaMemcpyAsync(host + at, device + at, bytes, cudaMemcpyDeviceToHost, s));
        break;
    case ON_DEVICE:
        DO(cudaMemcpyAsync(device + at, device + (at + BIG) % (2 * BIG), bytes, cudaMemcpyDeviceToDevice, s));
        break;
    case SET:
        DO(cudaMemsetAsync(device + at, 0, bytes, s));
        break;
    default:
        DO(cudaMemcpyAsync(device + at, pageable, bytes, cudaMemcpyHostToDevice, s));
        break;
    }
}

static void sizes()
{
    cudaStream_t s = stream();
    cudaEvent_t before, after;

    prepare();
    DO(cudaEventCreate(&before));
    DO(cudaEventCreate(&after));
    for (int way = 0; way < WAYS; way++) {
        for (size_t bytes = 4; bytes <= BIG; bytes *= 2) {
            std::vector<uint64_t> took, called;

            for (int i = 0; i < (bytes > 16 << 20 ? 4 : 10); i++) {
                uint64_t begin = host_now();
                float ms;

                DO(cudaEventRecord(before, s));
                submit((enum way)way, 0, bytes, s);
                DO(cudaEventRecord(after, s));
                DO(cudaStreamSynchronize(s));
                called.push_back(host_now() - begin);
                DO(cudaEventElapsedTime(&ms, before, after));
                took.push_back((uint64_t)(ms * 1e6));
            }
            printf("{\"experiment\":\"sizes\",\"way\":\"%s\",\"bytes\":%zu", way_names[way], bytes);
            print_list("event_ns", took);
            print_list("host_ns", called);
            printf("}\n");
        }
    }
}

static void two_dimensions()
{
    cudaStream_t s = stream();
    cudaEvent_t before, after;
    const int shapes[][2] = {{100, 50}, {256, 256}, {1000, 1000}, {4096, 64}, {64, 4096}, {8192, 4096}};

    prepare();
    DO(cudaEventCreate(&before));
    DO(cudaEventCreate(&after));
    for (auto kind : {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice}) {
        for (auto &shape : shapes) {
            std::vector<uint64_t> took;

            for (int i = 0; i < 8; i++) {
                size_t pitch = shape[0] * 2;
                float ms;

                DO(cudaEventRecord(before, s));
                DO(cudaMemcpy2DAsync(kind == cudaMemcpyDeviceToHost ? host : device, pitch,
                                     kind == cudaMemcpyHostToDevice ? host : device + BIG, pitch, shape[0], shape[1], kind, s));
                DO(cudaEventRecord(after, s));
                DO(cudaStreamSynchronize(s));
                DO(cudaEventElapsedTime(&ms, before, after));
                took.push_back((uint64_t)(ms * 1e6));
            }
            printf("{\"experiment\":\"two_dimensions\",\"way\":\"%s\",\"width\":%d,\"height\":%d,\"pitch\":%d",
                   kind == cudaMemcpyHostToDevice ? "to_device" : kind == cudaMemcpyDeviceToHost ? "to_host" : "on_device", shape[0],
                   shape[1], shape[0] * 2);
            print_list("event_ns", took);
            printf("}\n");
        }
    }
}

// One copy per stream, all submitted while every stream waits for one kernel: then they race.
static void race(const char *name, std::vector<std::pair<enum way, size_t>> list)
{
    std::vector<cudaStream_t> s;
    std::vector<cudaEvent_t> before, after;
    cudaStream_t gate = stream();
    cudaEvent_t open;

    prepare();
    DO(cudaEventCreate(&open));
    for (size_t i = 0; i < list.size(); i++) {
        s.push_back(stream());
        before.push_back({});
        after.push_back({});
        DO(cudaEventCreate(&before[i]));
        DO(cudaEventCreate(&after[i]));
    }
    for (int run = 0; run < 3; run++) {
        spin<<<1, 32, 0, gate>>>(600000);
        DO(cudaEventRecord(open, gate));
        for (size_t i = 0; i < list.size(); i++) {
            DO(cudaStreamWaitEvent(s[i], open, 0));
            DO(cudaEventRecord(before[i], s[i]));
            submit(list[i].first, i * (32 << 20) % BIG, list[i].second, s[i]);
            DO(cudaEventRecord(after[i], s[i]));
        }
        DO(cudaDeviceSynchronize());
        printf("{\"experiment\":\"together\",\"name\":\"%s\",\"run\":%d,\"copies\":[", name, run);
        for (size_t i = 0; i < list.size(); i++) {
            float from, to;

            DO(cudaEventElapsedTime(&from, open, before[i]));
            DO(cudaEventElapsedTime(&to, open, after[i]));
            printf("%s{\"way\":\"%s\",\"bytes\":%zu,\"event_ns\":[%.0f,%.0f]}", i ? "," : "", way_names[list[i].first],
                   list[i].second, from * 1e6, to * 1e6);
        }
        printf("]}\n");
    }
    for (auto one : s) {
        DO(cudaStreamDestroy(one));
    }
}

static void together()
{
    const size_t m = 1 << 20;

    race("one to the device", {{TO_DEVICE, 32 * m}});
    race("one to the host", {{TO_HOST, 32 * m}});
    race("two to the device", {{TO_DEVICE, 32 * m}, {TO_DEVICE, 32 * m}});
    race("two to the host", {{TO_HOST, 32 * m}, {TO_HOST, 32 * m}});
    race("both ways", {{TO_DEVICE, 32 * m}, {TO_HOST, 32 * m}});
    race("both ways, the host first", {{TO_HOST, 32 * m}, {TO_DEVICE, 32 * m}});
    race("both ways, two each", {{TO_DEVICE, 32 * m}, {TO_HOST, 32 * m}, {TO_DEVICE, 32 * m}, {TO_HOST, 32 * m}});
    race("both ways in small pieces", {{TO_DEVICE, m}, {TO_HOST, m}, {TO_DEVICE, m}, {TO_HOST, m}, {TO_DEVICE, m}, {TO_HOST, m}});
    race("to the device and on it", {{TO_DEVICE, 32 * m}, {ON_DEVICE, 32 * m}});
    race("two on the device", {{ON_DEVICE, 32 * m}, {ON_DEVICE, 32 * m}});
    race("a large one and small ones behind it", {{TO_DEVICE, 32 * m}, {TO_DEVICE, 65536}, {TO_DEVICE, 4096}, {TO_HOST, 65536}});
    race("eight to the device", std::vector<std::pair<enum way, size_t>>(8, {TO_DEVICE, 4 * m}));
    race("eight to the host", std::vector<std::pair<enum way, size_t>>(8, {TO_HOST, 4 * m}));
}

// Copies of each kind while a kernel of the same process holds every place on the GPU.
static void beside_kernel()
{
    cudaStream_t k = stream(), s = stream();
    cudaEvent_t begin, before, after, end;

    prepare();
    for (auto e : {&begin, &before, &after, &end}) {
        DO(cudaEventCreate(e));
    }
    for (int way = 0; way < PAGEABLE; way++) {
        for (size_t bytes : {(size_t)64, (size_t)4096, (size_t)16384, (size_t)65536, (size_t)1 << 20, (size_t)16 << 20}) {
            float from, to, all;

            DO(cudaEventRecord(begin, k));
            spin<<<264, 1024, 0, k>>>(2000000);
            DO(cudaEventRecord(end, k));
            wait_us(200);
            DO(cudaEventRecord(before, s));
            submit((enum way)way, 0, bytes, s);
            DO(cudaEventRecord(after, s));
            DO(cudaDeviceSynchronize());
            DO(cudaEventElapsedTime(&from, begin, before));
            DO(cudaEventElapsedTime(&to, begin, after));
            DO(cudaEventElapsedTime(&all, begin, end));
            printf("{\"experiment\":\"beside_kernel\",\"way\":\"%s\",\"bytes\":%zu,\"kernel_end_ns\":%.0f,\"event_ns\":[%.0f,%.0f]}\n",
                   way_names[way], bytes, all * 1e6, from * 1e6, to * 1e6);
        }
    }
}

int main(int argc, char **argv)
{
    const experiment list[] = {
        {"sizes", sizes}, {"two_dimensions", two_dimensions}, {"together", together}, {"beside_kernel", beside_kernel}};

    return run_experiments(argc, argv, list, sizeof list / sizeof *list);
}
