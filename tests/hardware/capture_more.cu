// SPDX-License-Identifier: MIT
//
// What capture_work.cu leaves open, to be recorded by capture_cuda.c: which channel a stream, a
// priority or a copy of some size gets, and which one the next stream gets after it; the descriptors of
// graphs and dependent launches, and the splits of L1 and shared memory that they name.
//
//     nvcc -O1 -arch=native -o capture_more capture_more.cu -lcuda -ldl
//     GFE_CAPTURE=out LD_PRELOAD=./capture_cuda.so ./capture_more [streams|priorities|copies|descriptors|splits|channels]...
#include <cooperative_groups.h>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "capture_mark.cuh"

__global__ void nothing() {}

__global__ void add(int *data, int value, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        data[i] += value;
    }
}

__global__ void with_stack(int *data, int at)
{
    volatile int room[300];

    for (int i = 0; i < 300; i++) {
        room[i] = i;
    }
    data[threadIdx.x] = room[(at + threadIdx.x) % 300];
}

__global__ void dependent(int *data)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    data[threadIdx.x] += 1;
}

__global__ void __cluster_dims__(8, 1, 1) clustered(int *data) { data[blockIdx.x] = blockIdx.x; }

static const size_t BIG = 16 << 20;
static char *device, *host, *pageable;

static cudaStream_t stream(int priority = 0)
{
    cudaStream_t s;

    DO(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, priority));
    return s;
}

static void streams()
{
    std::vector<cudaStream_t> s;
    int least, greatest;

    DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    mark("twenty streams are created");
    for (int i = 0; i < 20; i++) {
        s.push_back(stream());
    }
    for (int i = 0; i < 20; i++) {
        mark("kernel on stream %d", i);
        nothing<<<1, 32, 0, s[i]>>>();
        DO(cudaStreamSynchronize(s[i]));
    }
    mark("streams 3, 4, 5 and 12 are destroyed, six created: 20 to 25");
    for (int i : {3, 4, 5, 12}) {
        DO(cudaStreamDestroy(s[i]));
    }
    for (int i = 20; i < 26; i++) {
        s.push_back(stream());
    }
    for (int i = 20; i < 26; i++) {
        mark("kernel on stream %d", i);
        nothing<<<1, 32, 0, s[i]>>>();
        DO(cudaStreamSynchronize(s[i]));
    }
    forget_descriptors();
    for (int priority = least; priority >= greatest; priority--) {
        cudaStream_t one = stream(priority);

        mark("kernel on a stream of priority %d", priority);
        nothing<<<1, 32, 0, one>>>();
        DO(cudaStreamSynchronize(one));
        read_descriptors(0x200);
        mark("copy of 1 MiB to the device on the stream of priority %d", priority);
        DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, one));
        DO(cudaStreamSynchronize(one));
    }
}

// Nothing but kernels, so that nothing else can take a channel's turn.
static void priorities()
{
    int least, greatest;

    DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int again = 0; again < 2; again++) {
        for (int priority = least; priority >= greatest; priority--) {
            cudaStream_t one = stream(priority);

            mark("round %d: kernel on a stream of priority %d", again, priority);
            nothing<<<1, 32, 0, one>>>();
            DO(cudaStreamSynchronize(one));
        }
    }
}

static void copies()
{
    cudaStream_t s = stream();

    for (size_t bytes : {(size_t)4, (size_t)64, (size_t)1024, (size_t)4096, (size_t)8192, (size_t)16384, (size_t)24576,
                         (size_t)32768, (size_t)49152, (size_t)65536, (size_t)131072, (size_t)1 << 20, BIG}) {
        mark("to the device, %zu bytes, pinned", bytes);
        DO(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s));
        DO(cudaStreamSynchronize(s));
        mark("to the host, %zu bytes, pinned", bytes);
        DO(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, s));
        DO(cudaStreamSynchronize(s));
        mark("to the device, %zu bytes, pageable", bytes);
        DO(cudaMemcpyAsync(device, pageable, bytes, cudaMemcpyHostToDevice, s));
        DO(cudaStreamSynchronize(s));
        mark("to the host, %zu bytes, pageable", bytes);
        DO(cudaMemcpyAsync(pageable, device, bytes, cudaMemcpyDeviceToHost, s));
        DO(cudaStreamSynchronize(s));
        mark("on the device, %zu bytes", bytes);
        DO(cudaMemcpyAsync(device + BIG, device, bytes, cudaMemcpyDeviceToDevice, s));
        DO(cudaStreamSynchronize(s));
        mark("memset, %zu bytes", bytes);
        DO(cudaMemsetAsync(device, 1, bytes, s));
        DO(cudaStreamSynchronize(s));
    }
    mark("two-dimensional to the device, 1000 x 100, pinned");
    DO(cudaMemcpy2DAsync(device, 2048, host, 1000, 1000, 100, cudaMemcpyHostToDevice, s));
    DO(cudaStreamSynchronize(s));
    mark("two-dimensional to the host, 1000 x 100, pinned");
    DO(cudaMemcpy2DAsync(host, 1000, device, 2048, 1000, 100, cudaMemcpyDeviceToHost, s));
    DO(cudaStreamSynchronize(s));
    mark("to the device and to the host, 1 MiB each, in two streams, then kernels behind both");
    cudaStream_t other = stream();
    DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, s));
    DO(cudaMemcpyAsync(host + BIG / 2, device + BIG / 2, 1 << 20, cudaMemcpyDeviceToHost, other));
    add<<<4, 256, 0, s>>>((int *)device, 1, 1024);
    add<<<4, 256, 0, other>>>((int *)device, 1, 1024);
    DO(cudaDeviceSynchronize());
    mark("cudaMallocAsync, kernel, cudaFreeAsync");
    int *some;
    DO(cudaMallocAsync((void **)&some, 1 << 20, s));
    add<<<4, 256, 0, s>>>(some, 1, 1024);
    DO(cudaFreeAsync(some, s));
    DO(cudaStreamSynchronize(s));
    mark("cuStreamBatchMemOp: write, wait, write");
    CUstreamBatchMemOpParams op[3] = {};
    op[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, (CUdeviceptr)(device + 4096), {7}, 0, 0};
    op[1].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, (CUdeviceptr)(device + 4096), {7}, CU_STREAM_WAIT_VALUE_GEQ, 0};
    op[2].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, (CUdeviceptr)(device + 8192), {8}, 0, 0};
    if (cuStreamBatchMemOp((CUstream)s, 3, op, 0) != CUDA_SUCCESS) {
        mark("it is refused");
    }
    DO(cudaStreamSynchronize(s));
    mark("event with a time, twice, in one stream");
    cudaEvent_t event[2];
    for (auto &e : event) {
        DO(cudaEventCreate(&e));
        DO(cudaEventRecord(e, s));
    }
    DO(cudaStreamSynchronize(s));
}

static void launch_graph(const char *name, cudaGraph_t graph, cudaStream_t s)
{
    cudaGraphExec_t exec;

    mark("graph: %s, instantiated", name);
    DO(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        forget_descriptors();
        mark("graph: %s, launch %d", name, i + 1);
        DO(cudaGraphLaunch(exec, s));
        DO(cudaStreamSynchronize(s));
        read_descriptors(0x800);
    }
}

static void graphs(cudaStream_t a, cudaStream_t b)
{
    int *data = (int *)device;
    cudaEvent_t event;
    cudaGraph_t graph;

    DO(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    DO(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < 3; i++) {
        add<<<4, 256, 0, a>>>(data, 1, 1024);
    }
    DO(cudaStreamEndCapture(a, &graph));
    launch_graph("three kernels in a row", graph, a);

    DO(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    add<<<4, 256, 0, a>>>(data, 1, 1024);
    DO(cudaEventRecord(event, a));
    DO(cudaStreamWaitEvent(b, event, 0));
    add<<<4, 256, 0, a>>>(data, 1, 1024);
    add<<<4, 256, 0, b>>>(data + 4096, 1, 1024);
    DO(cudaEventRecord(event, b));
    DO(cudaStreamWaitEvent(a, event, 0));
    add<<<4, 256, 0, a>>>(data, 1, 1024);
    DO(cudaStreamEndCapture(a, &graph));
    launch_graph("one, two, one", graph, a);

    DO(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, a));
    add<<<4, 256, 0, a>>>(data, 1, 1024);
    DO(cudaMemsetAsync(device + 65536, 0, 65536, a));
    DO(cudaMemcpyAsync(host, device, 1 << 20, cudaMemcpyDeviceToHost, a));
    DO(cudaStreamEndCapture(a, &graph));
    launch_graph("copy, kernel, memset, copy", graph, a);
}

static void descriptors()
{
    cudaStream_t a = stream(), b = stream();
    int *data = (int *)device;

    forget_descriptors();
    mark("kernel of one block");
    nothing<<<1, 1, 0, a>>>();
    read_descriptors(0x1000);
    mark("three kernels in one stream, not waited for");
    for (int i = 0; i < 3; i++) {
        add<<<4, 256, 0, a>>>(data, 1, 1024);
    }
    read_descriptors(0x1000);
    mark("kernel with 300 words of stack");
    with_stack<<<2, 64, 0, a>>>(data, 3);
    read_descriptors(0x800);
    mark("kernel with 100 KiB of shared memory");
    DO(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    add<<<4, 256, 100 << 10, a>>>(data, 1, 1024);
    read_descriptors(0x800);
    mark("clusters of eight");
    clustered<<<16, 32, 0, a>>>(data);
    read_descriptors(0x800);
    mark("cooperative launch");
    int value = 1, count = 1024;
    void *arguments[] = {&data, &value, &count};
    DO(cudaLaunchCooperativeKernel((void *)add, dim3(4), dim3(256), arguments, 0, a));
    read_descriptors(0x800);
    mark("three kernels by programmatic dependent launch");
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(2);
    config.blockDim = dim3(64);
    config.stream = a;
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (int i = 0; i < 3; i++) {
        DO(cudaLaunchKernelEx(&config, dependent, data));
    }
    read_descriptors(0x800);
    mark("memset of 1 MiB");
    DO(cudaMemsetAsync(device, 0, 1 << 20, a));
    read_descriptors(0x800);
    graphs(a, b);
}

// 64 registers a thread, so that registers limit the blocks on an SM before threads do.
__global__ void __launch_bounds__(256, 4) with_registers(int *data)
{
    int held[40], all = 0;

#pragma unroll
    for (int i = 0; i < 40; i++) {
        held[i] = data[i * 32 + threadIdx.x % 32];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 40; i++) {
        all = all * 31 + held[i];
    }
    data[threadIdx.x] = all;
}

// A descriptor says the smallest, the largest and the chosen split (MIN_, MAX_ and
// TARGET_SM_CONFIG_SHARED_MEM_SIZE): by the block's threads, registers and shared memory and by what is asked for.
static void splits()
{
    cudaStream_t s = stream();
    cudaFuncAttributes attributes[2];

    DO(cudaFuncGetAttributes(&attributes[0], add));
    DO(cudaFuncGetAttributes(&attributes[1], with_registers));
    DO(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    DO(cudaFuncSetAttribute(with_registers, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    for (int kernel = 0; kernel < 2; kernel++) {
        for (int percent : {-1, 0, 10, 25, 33, 50, 75, 100}) {
            DO(cudaFuncSetAttribute(kernel ? (const void *)with_registers : (const void *)add,
                                    cudaFuncAttributePreferredSharedMemoryCarveout, percent));
            for (int threads : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
                for (int bytes : {0, 128, 512, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 49152, 102400, 204800}) {
                    if ((kernel && threads > 256) || (percent != -1 && (threads % 256 != 0 || bytes % 1024 != 0))) {
                        continue;
                    }
                    mark("split: %d threads, %d registers, %d bytes, %d percent", threads, attributes[kernel].numRegs, bytes, percent);
                    if (kernel) {
                        with_registers<<<1, threads, bytes, s>>>((int *)device);
                    } else {
                        add<<<1, threads, bytes, s>>>((int *)device, 1, 32);
                    }
                    DO(cudaStreamSynchronize(s));
                }
            }
        }
    }
}

static void nothing_on_the_host(void *unused) { (void)unused; }

// What may move the turn of the channels on: each of these on a new stream, four times, a kernel before it.
static void act(int what, cudaStream_t s)
{
    static cudaEvent_t event;
    void *some;

    if (!event) {
        DO(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    switch (what) {
    case 1: DO(cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, s)); break;
    case 2: DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, s)); break;
    case 3: DO(cudaMemcpyAsync(host, device, 1 << 20, cudaMemcpyDeviceToHost, s)); break;
    case 4: DO(cudaMemcpyAsync(device + BIG, device, 1 << 20, cudaMemcpyDeviceToDevice, s)); break;
    case 5: DO(cudaMemsetAsync(device, 0, 1024, s)); break;
    case 6: DO(cudaMemsetAsync(device, 0, 1 << 20, s)); break;
    case 7: DO(cudaEventRecord(event, s)); break;
    case 8: DO(cudaLaunchHostFunc(s, nothing_on_the_host, NULL)); break;
    case 9:
        DO(cudaMallocAsync(&some, 1 << 16, s));
        DO(cudaFreeAsync(some, s));
        break;
    case 10: nothing<<<1, 32>>>(); break; // in the NULL stream
    case 11: nothing<<<1, 32, 0, s>>>(); break;
    case 12:
        DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, s));
        DO(cudaMemcpyAsync(host, device, 1 << 20, cudaMemcpyDeviceToHost, s));
        break;
    case 13: DO(cudaMemcpy(device, host, 1 << 20, cudaMemcpyHostToDevice)); break; // in the NULL stream
    default: break;
    }
}

static void channels()
{
    static const char *const names[] = {"nothing", "4 KiB to the device", "1 MiB to the device", "1 MiB to the host", "1 MiB on the device",
                                        "memset of 1 KiB", "memset of 1 MiB", "an event", "a host function", "malloc and free",
                                        "a kernel in the NULL stream", "a second kernel", "1 MiB both ways", "1 MiB to the device in the NULL stream"};

    for (int what = 0; what < 14; what++) {
        for (int i = 0; i < 5; i++) {
            cudaStream_t s = stream();

            mark("channels: %s, kernel on stream %d", names[what], i);
            nothing<<<1, 32, 0, s>>>();
            DO(cudaStreamSynchronize(s));
            mark("channels: %s, on stream %d", names[what], i);
            act(what, s);
            DO(cudaDeviceSynchronize());
        }
    }
}

static const struct {
    const char *name;
    void (*run)();
} parts[] = {{"streams", streams}, {"priorities", priorities}, {"copies", copies}, {"descriptors", descriptors},
             {"splits", splits}, {"channels", channels}};

int main(int argc, char **argv)
{
    DO(cudaMalloc(&device, 2 * BIG));
    DO(cudaMallocHost(&host, BIG));
    pageable = (char *)calloc(1, BIG);
    memset(host, 0, BIG);
    DO(cudaMemset(device, 0, 2 * BIG));
    nothing<<<1, 1>>>();
    add<<<1, 1>>>((int *)device, 0, 1);
    DO(cudaDeviceSynchronize());
    for (int i = 1; i < argc; i++) {
        for (auto &part : parts) {
            if (!strcmp(argv[i], part.name)) {
                part.run();
                DO(cudaDeviceSynchronize());
            }
        }
    }
    mark("end of the program");
    return 0;
}
