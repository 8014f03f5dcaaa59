// SPDX-License-Identifier: MIT
//
// How many blocks and grids the GPU holds at once: what CUDA's runtime says, and what is seen.
//
//     nvcc -O1 -arch=native -o occupancy occupancy.cu -lcuda
//     ./occupancy [blocks|refused|grids]...
//
// "seen" is the largest number of blocks on one SM whose times overlap; "said" is that of
// cudaOccupancyMaxActiveBlocksPerMultiprocessor.
#include <algorithm>
#include <map>

#include "gpu_time.cuh"

enum { ROOM = 1 << 14 };

static span *spans;

template <int HELD>
__global__ void hold(span *to, const volatile uint32_t *in, uint32_t *out, uint64_t ns)
{
    uint32_t held[HELD], all = 0;
    uint64_t begin = now();

#pragma unroll
    for (int i = 0; i < HELD; i++) {
        held[i] = in[i];
    }
    while (now() - begin < ns) {
    }
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        all = all * 31 + held[i];
    }
    if (all == 12345) {
        *out = all;
    }
    __syncthreads();
    if (!threadIdx.x) {
        to[blockIdx.x] = {begin, now(), sm_id(), 0};
    }
}

typedef void (*hold_kernel)(span *, const volatile uint32_t *, uint32_t *, uint64_t);

static const hold_kernel kernels[] = {hold<1>,  hold<8>,  hold<14>, hold<22>,  hold<30>,  hold<38>,  hold<46>,  hold<54>, hold<70>,
                                      hold<86>, hold<94>, hold<102>, hold<118>, hold<134>, hold<150>, hold<182>, hold<214>};

static uint32_t *some_memory;

static void prepare()
{
    if (!spans) {
        DO(cudaMallocHost(&spans, sizeof(span) * ROOM));
        DO(cudaMalloc(&some_memory, 4096));
        DO(cudaMemset(some_memory, 0, 4096));
        for (auto k : kernels) {
            DO(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
            k<<<1, 32>>>(spans, some_memory, some_memory + 512, 0);
        }
        DO(cudaDeviceSynchronize());
    }
    memset(spans, 0, sizeof(span) * ROOM);
}

static int seen(int blocks)
{
    std::map<uint32_t, std::vector<std::pair<uint64_t, int>>> ends;
    int most = 0;

    for (int i = 0; i < blocks; i++) {
        ends[spans[i].sm].push_back({spans[i].start, 1});
        ends[spans[i].sm].push_back({spans[i].end, -1});
    }
    for (auto &sm : ends) {
        int n = 0;

        std::sort(sm.second.begin(), sm.second.end());
        for (auto &e : sm.second) {
            n += e.second;
            most = std::max(most, n);
        }
    }
    return most;
}

static void one(hold_kernel k, int threads, int shared)
{
    cudaFuncAttributes attributes;
    int said, blocks;

    prepare();
    DO(cudaFuncGetAttributes(&attributes, k));
    DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&said, k, threads, shared));
    if (!said) {
        printf("{\"experiment\":\"blocks\",\"threads\":%d,\"registers\":%d,\"shared\":%d,\"said\":0}\n", threads, attributes.numRegs, shared);
        return;
    }
    blocks = 132 * said + 132 + 7;
    k<<<blocks, threads, shared>>>(spans, some_memory, some_memory + 512, 150000);
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"blocks\",\"threads\":%d,\"registers\":%d,\"shared\":%d,\"said\":%d,\"seen\":%d}\n", threads, attributes.numRegs,
           shared, said, seen(blocks));
}

static void blocks()
{
    for (auto k : kernels) {
        for (int threads = 32; threads <= 1024; threads += 32) {
            one(k, threads, 0);
        }
    }
    for (int shared : {1, 1000, 1024, 2048, 4096, 6144, 7168, 8192, 10240, 16384, 24576, 32768, 49152, 51200, 57344, 65536, 74752, 76800,
                       83968, 100352, 102400, 115712, 116736, 131072, 166912, 200704, 232448}) {
        for (int threads : {32, 64, 128, 256, 1024}) {
            one(kernels[0], threads, shared);
        }
    }
}

// Launches that are refused, and with what.
static void refused()
{
    const int shapes[][3] = {{1, 1024, 232448}, {1, 1024, 232449}, {1, 1025, 0}, {16, 1024, 0}, {16, 512, 0}, {8, 1024, 0}, {8, 736, 0}};

    for (auto &s : shapes) {
        hold_kernel k = kernels[s[0]];
        cudaFuncAttributes attributes;
        cudaError_t error;

        prepare();
        DO(cudaFuncGetAttributes(&attributes, k));
        k<<<1, s[1], s[2]>>>(spans, some_memory, some_memory + 512, 0);
        error = cudaGetLastError();
        printf("{\"experiment\":\"refused\",\"threads\":%d,\"registers\":%d,\"shared\":%d,\"error\":\"%s\"}\n", s[1], attributes.numRegs, s[2],
               cudaGetErrorName(error));
        DO(cudaDeviceSynchronize());
    }
}

// Kernels of one block in a graph without edges: how many run at once, whatever the streams.
static void grids()
{
    for (int count : {64, 128, 200, 400}) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        std::vector<std::pair<uint64_t, int>> ends;
        int n = 0, most = 0;
        hold_kernel k = kernels[0];

        prepare();
        DO(cudaGraphCreate(&graph, 0));
        for (int i = 0; i < count; i++) {
            cudaGraphNode_t node;
            cudaKernelNodeParams parameters = {};
            span *to = spans + i;
            const volatile uint32_t *in = some_memory;
            uint32_t *out = some_memory + 512;
            uint64_t ns = 3000000;
            void *arguments[] = {&to, &in, &out, &ns};

            parameters.func = (void *)k;
            parameters.gridDim = dim3(1);
            parameters.blockDim = dim3(32);
            parameters.kernelParams = arguments;
            DO(cudaGraphAddKernelNode(&node, graph, NULL, 0, &parameters));
        }
        DO(cudaGraphInstantiate(&exec, graph, 0));
        DO(cudaGraphLaunch(exec, 0));
        DO(cudaDeviceSynchronize());
        for (int i = 0; i < count; i++) {
            ends.push_back({spans[i].start, 1});
            ends.push_back({spans[i].end, -1});
        }
        std::sort(ends.begin(), ends.end());
        for (auto &e : ends) {
            n += e.second;
            most = std::max(most, n);
        }
        printf("{\"experiment\":\"grids\",\"kernels\":%d,\"at_once\":%d", count, most);
        std::vector<uint64_t> starts;
        for (int i = 0; i < count; i++) {
            starts.push_back(spans[i].start);
        }
        print_list("start_ns", starts, ends[0].first);
        printf("}\n");
    }
}

int main(int argc, char **argv)
{
    const experiment list[] = {{"blocks", blocks}, {"refused", refused}, {"grids", grids}};

    return run_experiments(argc, argv, list, sizeof list / sizeof *list);
}
