// SPDX-License-Identifier: MIT
//
// A program that uses every common way of submitting work once, with a note before each, to be
// recorded by capture_cuda.c.  It checks its results.
#include <cstdlib>
#include <cstring>

#include "capture_mark.cuh"

__global__ void nothing() {}

__global__ void add(int *data, int value, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        data[i] += value;
    }
}

__global__ void __launch_bounds__(256) sum_shared(const int *data, int *out, int count)
{
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    part[threadIdx.x] = i < count ? data[i] : 0;
    __syncthreads();
    for (int n = blockDim.x / 2; n; n /= 2) {
        if (threadIdx.x < n) {
            part[threadIdx.x] += part[threadIdx.x + n];
        }
        __syncthreads();
    }
    if (!threadIdx.x) {
        atomicAdd(out, part[0]);
    }
}

__global__ void __cluster_dims__(4, 1, 1) clustered(int *data)
{
    data[blockIdx.x] = blockIdx.x;
}

static void host_function(void *flag) { *(int *)flag = 1; }

// Two green contexts: parts of the SMs, each with a stream of its own.
static void green_contexts(int *data)
{
    CUdevResource all, part[2], rest;
    unsigned parts = 2;

    if (cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        cuDevSmResourceSplitByCount(part, &parts, &all, &rest, 0, 16) != CUDA_SUCCESS) {
        mark("no green contexts here");
        return;
    }
    for (unsigned i = 0; i < parts; i++) {
        CUdevResourceDesc description;
        CUgreenCtx context;
        CUstream stream;

        mark(i ? "the second green context, 16 SMs" : "a green context, 16 SMs");
        if (cuDevResourceGenerateDesc(&description, &part[i], 1) != CUDA_SUCCESS ||
            cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
            cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) {
            mark("it is refused");
            return;
        }
        mark("a kernel in it");
        add<<<4, 256, 0, (cudaStream_t)stream>>>(data, 1, 1024);
        DO(cudaStreamSynchronize((cudaStream_t)stream));
    }
}

enum { N = 1 << 20 };

int main()
{
    int *data, *other, *out, *host, flag = 0, got = 0;
    cudaStream_t a, b, high, plain;
    cudaEvent_t event;
    int least, greatest;

    mark("cudaFree(0): the context");
    DO(cudaFree(0));
    mark("cudaMalloc");
    DO(cudaMalloc(&data, N * 4));
    DO(cudaMalloc(&other, N * 4));
    DO(cudaMalloc(&out, 4));
    DO(cudaMallocHost(&host, N * 4));
    memset(host, 0, N * 4);
    mark("cudaMemset 4 MiB, NULL stream");
    DO(cudaMemset(data, 0, N * 4));
    DO(cudaDeviceSynchronize());
    mark("first kernel: nothing<<<1,1>>>, NULL stream (its module is loaded now)");
    nothing<<<1, 1>>>();
    DO(cudaDeviceSynchronize());
    mark("nothing<<<1,1>>> again");
    nothing<<<1, 1>>>();
    DO(cudaDeviceSynchronize());
    mark("add<<<4096,256>>>");
    add<<<N / 256, 256>>>(data, 3, N);
    DO(cudaDeviceSynchronize());
    mark("add<<<4096,256>>> again");
    add<<<N / 256, 256>>>(data, 3, N);
    DO(cudaDeviceSynchronize());
    mark("sum_shared<<<4096,256,1024>>>");
    DO(cudaMemset(out, 0, 4));
    sum_shared<<<N / 256, 256, 1024>>>(data, out, N);
    DO(cudaDeviceSynchronize());
    mark("clustered<<<16,32>>>, clusters of 4");
    clustered<<<16, 32>>>(other);
    DO(cudaDeviceSynchronize());
    mark("cudaMemcpy device to host, 4 bytes");
    DO(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
    if (got != 6 * N) {
        fprintf(stderr, "sum %d, not %d\n", got, 6 * N);
        return 1;
    }
    DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    mark("cudaStreamCreate: a, b (non-blocking), high (priority), plain");
    DO(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    DO(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    DO(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    DO(cudaStreamCreate(&plain));
    DO(cudaEventCreate(&event));
    mark("host to device, 64 bytes, pinned, stream a");
    DO(cudaMemcpyAsync(data, host, 64, cudaMemcpyHostToDevice, a));
    DO(cudaStreamSynchronize(a));
    mark("host to device, 64 KiB, pinned, stream a");
    DO(cudaMemcpyAsync(data, host, 65536, cudaMemcpyHostToDevice, a));
    DO(cudaStreamSynchronize(a));
    mark("host to device, 4 MiB, pinned, stream a");
    DO(cudaMemcpyAsync(data, host, N * 4, cudaMemcpyHostToDevice, a));
    DO(cudaStreamSynchronize(a));
    mark("device to host, 4 MiB, pinned, stream b");
    DO(cudaMemcpyAsync(host, data, N * 4, cudaMemcpyDeviceToHost, b));
    DO(cudaStreamSynchronize(b));
    mark("device to device, 4 MiB, stream b");
    DO(cudaMemcpyAsync(other, data, N * 4, cudaMemcpyDeviceToDevice, b));
    DO(cudaStreamSynchronize(b));
    mark("two-dimensional copy, 100 x 50 of pitch 256 to pitch 512, stream b");
    DO(cudaMemcpy2DAsync(other, 512, data, 256, 100, 50, cudaMemcpyDeviceToDevice, b));
    DO(cudaStreamSynchronize(b));
    mark("memset 64 bytes, stream b");
    DO(cudaMemsetAsync(other, 0x5a, 64, b));
    DO(cudaStreamSynchronize(b));
    mark("kernel on a, event, b waits for it, kernel on b");
    add<<<N / 256, 256, 0, a>>>(data, 1, N);
    DO(cudaEventRecord(event, a));
    DO(cudaStreamWaitEvent(b, event, 0));
    add<<<N / 256, 256, 0, b>>>(data, 1, N);
    DO(cudaDeviceSynchronize());
    mark("kernel on the stream of high priority");
    add<<<4, 256, 0, high>>>(data, 1, 1024);
    DO(cudaStreamSynchronize(high));
    mark("kernels on plain, NULL stream, plain");
    nothing<<<1, 32, 0, plain>>>();
    nothing<<<1, 32>>>();
    nothing<<<1, 32, 0, plain>>>();
    DO(cudaDeviceSynchronize());
    mark("host function on stream a");
    DO(cudaLaunchHostFunc(a, host_function, &flag));
    DO(cudaStreamSynchronize(a));
    mark("cuStreamWriteValue32 and cuStreamWaitValue32 on stream b");
    cuStreamWriteValue32((CUstream)b, (CUdeviceptr)out, 7, 0);
    cuStreamWaitValue32((CUstream)b, (CUdeviceptr)out, 7, CU_STREAM_WAIT_VALUE_EQ);
    DO(cudaStreamSynchronize(b));
    mark("a graph of four kernels, two in parallel, launched twice");
    {
        cudaGraph_t graph;
        cudaGraphExec_t exec;

        DO(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
        add<<<4, 256, 0, a>>>(data, 1, 1024);
        DO(cudaEventRecord(event, a));
        DO(cudaStreamWaitEvent(b, event, 0));
        add<<<4, 256, 0, a>>>(data, 1, 1024);
        add<<<4, 256, 0, b>>>(other, 1, 1024);
        DO(cudaEventRecord(event, b));
        DO(cudaStreamWaitEvent(a, event, 0));
        add<<<4, 256, 0, a>>>(other, 1, 1024);
        DO(cudaStreamEndCapture(a, &graph));
        DO(cudaGraphInstantiate(&exec, graph, 0));
        DO(cudaGraphLaunch(exec, a));
        DO(cudaStreamSynchronize(a));
        mark("the graph again");
        DO(cudaGraphLaunch(exec, a));
        DO(cudaStreamSynchronize(a));
    }
    mark("eight streams, a kernel each");
    for (int i = 0; i < 8; i++) {
        cudaStream_t s;

        DO(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        add<<<4, 256, 0, s>>>(data, 1, 1024);
    }
    DO(cudaDeviceSynchronize());
    green_contexts(data);
    mark("end of the program");
    printf("sum %d, host function %d\n", got, flag);
    return flag != 1;
}
