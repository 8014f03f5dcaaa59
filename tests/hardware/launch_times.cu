// SPDX-License-Identifier: MIT
//
// How long work takes to begin: one JSON object per line.
//
//     nvcc -O1 -arch=native -o launch_times launch_times.cu -lcuda
//     ./launch_times [period|arguments|graph|dependent|events|fork_join|acquire|acquire_random|round_trip|overhead]...
//
// "start_ns" and "end_ns" of a kernel are of its first and last block, from the first kernel's
// start on.  period, graph and dependent are one chain, submitted in three ways.
#include <algorithm>

#include "gpu_time.cuh"

enum { CHAIN = 60, ROOM = 4096 };

struct ends {
    unsigned long long start, end;
};

static ends *spans; // pinned, filled from `on_device`
static ends *on_device;

static __device__ void note(ends *to, uint64_t begin)
{
    if (!threadIdx.x) {
        atomicMin(&to->start, (unsigned long long)begin);
        atomicMax(&to->end, (unsigned long long)now());
    }
}

__global__ void spin(ends *to, uint64_t ns)
{
    uint64_t begin = now();

    while (now() - begin < ns) {
    }
    note(to, begin);
}

struct large {
    uint32_t words[900];
};

__global__ void spin_large(ends *to, uint64_t ns, large unused)
{
    uint64_t begin = now();

    while (now() - begin < ns + (unused.words[threadIdx.x] & 1)) {
    }
    note(to, begin);
}

// Of a chain by programmatic dependent launch: lets the next begin early, waits for the one before.
__global__ void spin_dependent(ends *to, uint64_t ns)
{
    uint64_t begin = now();

    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    uint64_t freed = now();
    while (now() - freed < ns) {
    }
    note(to, begin);
    if (!threadIdx.x && !blockIdx.x) {
        to[CHAIN].start = freed;
    }
}

static void prepare()
{
    if (!spans) {
        DO(cudaMallocHost(&spans, sizeof(ends) * ROOM));
        DO(cudaMalloc(&on_device, sizeof(ends) * ROOM));
        spin<<<1, 32>>>(on_device, 0);
        spin_large<<<1, 32>>>(on_device, 0, large());
        spin_dependent<<<1, 32>>>(on_device, 0);
        DO(cudaDeviceSynchronize());
    }
    for (int i = 0; i < ROOM; i++) {
        spans[i] = {UINT64_MAX, 0};
    }
    DO(cudaMemcpy(on_device, spans, sizeof(ends) * ROOM, cudaMemcpyHostToDevice));
    DO(cudaDeviceSynchronize());
}

static void fetch()
{
    DO(cudaDeviceSynchronize());
    DO(cudaMemcpy(spans, on_device, sizeof(ends) * ROOM, cudaMemcpyDeviceToHost));
}

static void print_chain(int count)
{
    std::vector<uint64_t> starts, finishes;

    for (int i = 0; i < count; i++) {
        starts.push_back(spans[i].start);
        finishes.push_back(spans[i].end);
    }
    print_list("start_ns", starts, spans[0].start);
    print_list("end_ns", finishes, spans[0].start);
}

static const double lengths_us[] = {0, 1, 2, 3, 4, 5, 7, 10, 20, 50};
static const int grids[] = {1, 132, 1056};

static void period()
{
    for (int blocks : grids) {
        for (double us : lengths_us) {
            cudaStream_t s = stream();
            std::vector<uint64_t> called;

            prepare();
            for (int i = 0; i < CHAIN; i++) {
                called.push_back(host_now());
                spin<<<blocks, 32, 0, s>>>(on_device + i, (uint64_t)(us * 1000));
            }
            fetch();
            printf("{\"experiment\":\"period\",\"blocks\":%d,\"spin_ns\":%.0f", blocks, us * 1000);
            print_list("host_ns", called, called[0]);
            print_chain(CHAIN);
            printf("}\n");
            DO(cudaStreamDestroy(s));
        }
    }
}

// The same chain when all of it was submitted before it could begin: the launches wait in the channel.
static void period_ready()
{
    for (int blocks : grids) {
        for (double us : lengths_us) {
            cudaStream_t s = stream();

            prepare();
            spin<<<1, 32, 0, s>>>(on_device + CHAIN, 1500000);
            for (int i = 0; i < CHAIN; i++) {
                spin<<<blocks, 32, 0, s>>>(on_device + i, (uint64_t)(us * 1000));
            }
            fetch();
            printf("{\"experiment\":\"period_ready\",\"blocks\":%d,\"spin_ns\":%.0f,\"freed_ns\":%lld", blocks, us * 1000,
                   (long long)(spans[CHAIN].end - spans[0].start));
            print_chain(CHAIN);
            printf("}\n");
            DO(cudaStreamDestroy(s));
        }
    }
}

static void arguments()
{
    cudaStream_t s = stream();

    prepare();
    spin<<<1, 32, 0, s>>>(on_device + CHAIN, 1500000);
    for (int i = 0; i < CHAIN; i++) {
        spin_large<<<1, 32, 0, s>>>(on_device + i, 1000, large());
    }
    fetch();
    printf("{\"experiment\":\"arguments\",\"bytes\":%zu,\"blocks\":1,\"spin_ns\":1000", sizeof(large) + 16);
    print_chain(CHAIN);
    printf("}\n");
}

static void graph()
{
    for (int blocks : grids) {
        for (double us : {0.0, 2.0, 5.0, 20.0}) {
            cudaStream_t s = stream();
            cudaGraph_t graph;
            cudaGraphExec_t exec;

            DO(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
            for (int i = 0; i < CHAIN; i++) {
                spin<<<blocks, 32, 0, s>>>(on_device + i, (uint64_t)(us * 1000));
            }
            DO(cudaStreamEndCapture(s, &graph));
            DO(cudaGraphInstantiate(&exec, graph, 0));
            for (int run = 0; run < 2; run++) {
                uint64_t called;

                prepare();
                called = host_now();
                DO(cudaGraphLaunch(exec, s));
                called = host_now() - called;
                fetch();
                printf("{\"experiment\":\"graph\",\"run\":%d,\"blocks\":%d,\"spin_ns\":%.0f,\"launch_host_ns\":%llu", run, blocks, us * 1000,
                       (unsigned long long)called);
                print_chain(CHAIN);
                printf("}\n");
            }
            DO(cudaStreamDestroy(s));
        }
    }
}

static void dependent()
{
    for (int blocks : grids) {
        for (double us : {0.0, 2.0, 5.0, 20.0}) {
            cudaStream_t s = stream();
            cudaLaunchConfig_t config = {};
            cudaLaunchAttribute attribute = {};
            std::vector<uint64_t> freed;

            prepare();
            attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attribute.val.programmaticStreamSerializationAllowed = 1;
            config.gridDim = dim3(blocks);
            config.blockDim = dim3(32);
            config.stream = s;
            config.attrs = &attribute;
            config.numAttrs = 1;
            for (int i = 0; i < CHAIN; i++) {
                DO(cudaLaunchKernelEx(&config, spin_dependent, on_device + i, (uint64_t)(us * 1000)));
            }
            fetch();
            for (int i = 0; i < CHAIN; i++) {
                freed.push_back(spans[CHAIN + i].start);
            }
            printf("{\"experiment\":\"dependent\",\"blocks\":%d,\"spin_ns\":%.0f", blocks, us * 1000);
            print_list("freed_ns", freed, spans[0].start);
            print_chain(CHAIN);
            printf("}\n");
            DO(cudaStreamDestroy(s));
        }
    }
}

// From stream to stream and back by events.
static void events()
{
    cudaStream_t s[2] = {stream(), stream()};
    cudaEvent_t event[CHAIN];

    prepare();
    spin<<<1, 32, 0, s[0]>>>(on_device + CHAIN, 1500000);
    for (int i = 0; i < CHAIN; i++) {
        DO(cudaEventCreateWithFlags(&event[i], cudaEventDisableTiming));
        if (i) {
            DO(cudaStreamWaitEvent(s[i % 2], event[i - 1], 0));
        }
        spin<<<1, 32, 0, s[i % 2]>>>(on_device + i, 5000);
        DO(cudaEventRecord(event[i], s[i % 2]));
    }
    fetch();
    printf("{\"experiment\":\"events\",\"blocks\":1,\"spin_ns\":5000");
    print_chain(CHAIN);
    printf("}\n");
}

// A graph of one kernel, eight beside each other, one; twice.
static void fork_join()
{
    cudaStream_t s[8];
    cudaEvent_t forked, joined[8];
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    prepare();
    for (auto &one : s) {
        one = stream();
    }
    DO(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    DO(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeRelaxed));
    spin<<<1, 32, 0, s[0]>>>(on_device, 5000);
    DO(cudaEventRecord(forked, s[0]));
    for (int i = 1; i < 8; i++) {
        DO(cudaStreamWaitEvent(s[i], forked, 0));
        spin<<<1, 32, 0, s[i]>>>(on_device + 1 + i, 5000);
        DO(cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming));
        DO(cudaEventRecord(joined[i], s[i]));
    }
    spin<<<1, 32, 0, s[0]>>>(on_device + 1, 5000);
    for (int i = 1; i < 8; i++) {
        DO(cudaStreamWaitEvent(s[0], joined[i], 0));
    }
    spin<<<1, 32, 0, s[0]>>>(on_device + 9, 5000);
    DO(cudaStreamEndCapture(s[0], &graph));
    DO(cudaGraphInstantiate(&exec, graph, 0));
    for (int run = 0; run < 3; run++) {
        prepare();
        DO(cudaGraphLaunch(exec, s[0]));
        fetch();
        printf("{\"experiment\":\"fork_join\",\"run\":%d,\"spin_ns\":5000", run);
        print_chain(10);
        printf("}\n");
    }
}

__global__ void release(uint32_t *value, uint64_t ns, ends *to)
{
    uint64_t begin = now();

    while (now() - begin < ns) {
    }
    to->end = now();
    *(volatile uint32_t *)value = 1;
    __threadfence_system();
}

// How long after a value is there a stream that waits for it goes on: by how long it has waited
// and how many other streams wait as well.  The value lies in the GPU's memory or in the host's.
// The first streams of a process have channels of their own: run this one alone.
struct acquire_places {
    cudaStream_t s[7];
    uint32_t *values[2]; // in the GPU's memory and in the host's
};

static const acquire_places &acquire_place()
{
    static acquire_places places;

    if (!places.values[0]) {
        for (auto &one : places.s) {
            one = stream();
        }
        DO(cudaMalloc(&places.values[0], 4096));
        DO(cudaMallocHost(&places.values[1], 4096));
        prepare();
        release<<<1, 1>>>(places.values[0], 0, on_device);
        DO(cudaDeviceSynchronize());
    }
    return places;
}

// A stream waits for a value while `others` more wait for another one; the value comes after `us`.  Returns when
// the stream goes on, in ns after the value.
static uint64_t acquire_once(int in_host, int others, double us)
{
    const acquire_places &at = acquire_place();
    uint32_t *value = at.values[in_host];

    prepare();
    DO(cudaMemset(value, 0, 4096));
    DO(cudaDeviceSynchronize());
    for (int i = 1; i < 2 + others; i++) {
        if (cuStreamWaitValue32((CUstream)at.s[i], (CUdeviceptr)(value + (i == 1 ? 0 : 64)), 1, CU_STREAM_WAIT_VALUE_EQ) != CUDA_SUCCESS) {
            fprintf(stderr, "cuStreamWaitValue32 is refused\n");
            exit(1);
        }
    }
    spin<<<1, 32, 0, at.s[1]>>>(on_device + 1, 0);
    release<<<1, 1, 0, at.s[0]>>>(value, (uint64_t)(us * 1000), on_device);
    DO(cudaStreamSynchronize(at.s[1]));
    if (others) {
        release<<<1, 1, 0, at.s[0]>>>(value + 64, 0, on_device + 2);
    }
    fetch();
    return spans[1].start - spans[0].end;
}

static void print_acquire(const char *experiment, int in_host, int others)
{
    printf("{\"experiment\":\"%s\",\"memory\":\"%s\",\"others_that_wait\":%d", experiment, in_host ? "host" : "device", others);
}

static void acquire()
{
    for (int in_host = 0; in_host < 2; in_host++) {
        for (int others : {0, 1, 5}) {
            for (double us : {5.0, 20.0, 100.0, 500.0, 2000.0, 10000.0}) {
                std::vector<uint64_t> took;

                for (int again = 0; again < (us > 1000 ? 12 : 30); again++) {
                    took.push_back(acquire_once(in_host, others, us));
                }
                print_acquire("acquire", in_host, others);
                printf(",\"waited_ns\":%.0f", us * 1000);
                print_list("start_after_release_ns", took);
                printf("}\n");
                fflush(stdout);
            }
        }
    }
}

// The same with 300 waits of different length, 5 to 105 us: how often the channel looks shows in the differences.
static void acquire_random()
{
    for (int in_host = 0; in_host < 2; in_host++) {
        for (int others : {0, 1, 2, 3, 5}) {
            std::vector<uint64_t> waited, took;
            uint64_t random = 1;

            for (int again = 0; again < 300; again++) {
                random = random * 6364136223846793005ULL + 1442695040888963407ULL;
                waited.push_back(5000 + (random >> 33) % 100000);
                took.push_back(acquire_once(in_host, others, waited.back() / 1e3));
            }
            print_acquire("acquire_random", in_host, others);
            print_list("waited_ns", waited);
            print_list("start_after_release_ns", took);
            printf("}\n");
            fflush(stdout);
        }
    }
}

static void round_trip()
{
    cudaStream_t s = stream();
    std::vector<uint64_t> took;

    prepare();
    for (int i = 0; i < 200; i++) {
        uint64_t begin = host_now();

        spin<<<1, 32, 0, s>>>(on_device, 0);
        DO(cudaStreamSynchronize(s));
        took.push_back(host_now() - begin);
    }
    printf("{\"experiment\":\"round_trip\",\"of\":\"a kernel that does nothing, and waiting for it\"");
    print_list("host_ns", took);
    printf("}\n");
}

// What a launch costs the host: 100 calls, twenty times over.
static void overhead()
{
    cudaStream_t s = stream();
    std::vector<uint64_t> took;

    prepare();
    for (int i = 0; i < 20; i++) {
        uint64_t begin = host_now();

        for (int k = 0; k < 100; k++) {
            spin<<<1, 32, 0, s>>>(on_device, 0);
        }
        took.push_back((host_now() - begin) / 100);
        DO(cudaStreamSynchronize(s));
    }
    printf("{\"experiment\":\"overhead\",\"of\":\"one launch of 100\"");
    print_list("host_ns", took);
    printf("}\n");
}

int main(int argc, char **argv)
{
    const experiment list[] = {{"period", period},       {"period_ready", period_ready}, {"arguments", arguments},
                               {"graph", graph},         {"dependent", dependent},       {"events", events},
                               {"fork_join", fork_join}, {"acquire", acquire},           {"acquire_random", acquire_random},
                               {"round_trip", round_trip}, {"overhead", overhead}};

    return run_experiments(argc, argv, list, sizeof list / sizeof *list);
}
