// SPDX-License-Identifier: MIT
//
// Processes that share the GPU by slices: who ran when, round by round, one JSON object per line.
//
//     nvcc -O1 -arch=native -o slice_times slice_times.cu -lcuda
//     ./slice_times WHO START ROUND...
//
// Every process of an experiment gets the same START (CLOCK_MONOTONIC, ns) and as many rounds; round
// n begins at START + n * 60 ms and its work ends within 40 ms.  A ROUND is
//
//     idle
//     watch:BLOCKS:THREADS:SHARED:REGISTERS  a kernel of 40 ms whose blocks look at the timer; REGISTERS a
//                                      thread is 32, 64, 128 or 200, about: "registers" says how many
//     prio:PRIORITY:BLOCKS:THREADS     the same, in a stream of that priority (0 is the lowest)
//     busy:WHAT:BLOCKS:THREADS         the same, but all other threads work: WHAT is fma, load, store, atomic, shared,
//                                      barrier or sleep
//     tiny:NS:COUNT                    COUNT kernels of one block, one behind the other in a stream
//     sparse:NS:US                     a kernel of one block, wait for its end, wait US, and again
//     copy:BYTES                       copies to the device, one behind the other, each waited for
//     pieces:d:BYTES                   copies to the device (d) or to the host (h), 24 ms of them at 52 GB/s, all
//                                      submitted at once; "done_ns" on the GPU's clock
//     acquire                          a stream that waits for a value, which comes after 30 ms
//
// "gaps" are the spans of more than 10 us in which a block of `watch` did not run, of the first,
// second, middle and last block.  Times are of the GPU's globaltimer in ns, which all processes
// share; "host_ns" of CLOCK_MONOTONIC from the round's begin on.
#include <string>

#include "gpu_time.cuh"

enum { GAPS = 400, WATCHED = 4, TINY = 8192 };

static const uint64_t ROUND_NS = 60000000, WORK_NS = 40000000, LEAST_NS = 10000;

struct watched {
    uint64_t start, end, gaps[2 * GAPS];
    uint32_t count, sm, block, pad;
};

static watched *watches;
static span *tinies;

static __device__ void look(watched *to, uint64_t ns)
{
    uint64_t begin = now(), last = begin;
    uint32_t n = 0;

    while (last - begin < ns) {
        uint64_t t = now();

        if (t - last > LEAST_NS && n < GAPS) {
            to->gaps[2 * n] = last;
            to->gaps[2 * n + 1] = t;
            n++;
        }
        last = t;
    }
    to->start = begin;
    to->end = last;
    to->count = n;
    to->sm = sm_id();
    to->block = blockIdx.x;
}

// All threads stay until the end, so that what they hold is held all the time; `held` registers of
// each are live across it.
template <int HELD>
__global__ void watch(watched *to, const volatile uint32_t *in, uint32_t *out, uint64_t ns)
{
    uint32_t held[HELD], all = 0;
    int which = blockIdx.x == 0 ? 0 : blockIdx.x == 1 ? 1 : blockIdx.x == gridDim.x / 2 ? 2 : blockIdx.x == gridDim.x - 1 ? 3 : -1;

#pragma unroll
    for (int i = 0; i < HELD; i++) {
        held[i] = in[i];
    }
    if (!threadIdx.x) {
        if (which >= 0) {
            look(to + which, ns);
        } else {
            uint64_t begin = now();

            while (now() - begin < ns) {
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        all = all * 31 + held[i];
    }
    if (all == 12345) {
        *out = all;
    }
}

// Thread 0 of a block watches the timer; the others do WHAT until it is over.  With "barrier" all threads but
// those of the first warp meet again and again, so that warps wait for one another when they are stopped.
enum { FMA, LOAD, STORE, ATOMIC, SHARED, BARRIER, SLEEP, WORKS };

template <int WHAT>
__global__ void busy(watched *to, uint32_t *memory, uint32_t words, uint64_t ns)
{
    __shared__ volatile uint32_t over, cells[1024];
    int which = blockIdx.x == 0 ? 0 : blockIdx.x == 1 ? 1 : blockIdx.x == gridDim.x / 2 ? 2 : blockIdx.x == gridDim.x - 1 ? 3 : -1;
    uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * 97 % words;
    float x = threadIdx.x;

    if (!threadIdx.x) {
        over = 0;
    }
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 32) {
        if (!threadIdx.x) {
            uint64_t begin = now();

            if (which >= 0) {
                look(to + which, ns);
            }
            while (now() - begin < ns) {
            }
            __threadfence_block();
            over = 1;
        }
        return;
    }
    while (WHAT == BARRIER || !over) {
        for (int i = 0; i < 64; i++) {
            switch (WHAT) {
            case FMA: x = x * 1.0001f + 0.5f; break;
            case LOAD: at = (at + *(volatile uint32_t *)(memory + at) + 4099) % words; break;
            case STORE: memory[at] = i, at = (at + 4099) % words; break;
            case ATOMIC: atomicAdd(memory + at % 64, 1); break;
            case SHARED: cells[threadIdx.x] = cells[(threadIdx.x + i) % 1024] + 1; break;
            case SLEEP: __nanosleep(500); break;
            }
        }
        if (WHAT == BARRIER) {
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x - 32));
            if (threadIdx.x == 32) {
                cells[0] = over;
            }
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x - 32));
            if (cells[0]) {
                break;
            }
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x - 32));
        }
    }
    if (x == 12345.678f || at == 0xffffffff) {
        memory[0] = at;
    }
}

__global__ void spin(span *to, uint64_t ns)
{
    uint64_t begin = now();

    while (now() - begin < ns) {
    }
    if (!threadIdx.x) {
        *to = {begin, now(), sm_id(), 0};
    }
}

typedef void (*watch_kernel)(watched *, const volatile uint32_t *, uint32_t *, uint64_t);

static watch_kernel kernel_of(int registers)
{
    return registers <= 32 ? watch<1> : registers <= 64 ? watch<40> : registers <= 128 ? watch<100> : watch<170>;
}

typedef void (*busy_kernel)(watched *, uint32_t *, uint32_t, uint64_t);

static const struct {
    const char *name;
    busy_kernel kernel;
} works[WORKS] = {{"fma", busy<FMA>},       {"load", busy<LOAD>},       {"store", busy<STORE>}, {"atomic", busy<ATOMIC>},
                  {"shared", busy<SHARED>}, {"barrier", busy<BARRIER>}, {"sleep", busy<SLEEP>}};

static uint32_t *some_memory;
static char *device, *host;

static void prepare()
{
    for (int registers : {32, 64, 128, 200}) {
        DO(cudaFuncSetAttribute(kernel_of(registers), cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    }
    DO(cudaMallocHost(&watches, sizeof(watched) * WATCHED));
    DO(cudaMallocHost(&tinies, sizeof(span) * TINY));
    DO(cudaMalloc(&some_memory, 4096));
    DO(cudaMalloc(&device, 64 << 20));
    DO(cudaMallocHost(&host, 64 << 20));
    DO(cudaMemset(some_memory, 0, 4096));
    DO(cudaMemcpy(device, host, 64 << 20, cudaMemcpyHostToDevice));
    spin<<<1, 32>>>(tinies, 1000);
    for (auto &work : works) {
        work.kernel<<<1, 64>>>(watches, (uint32_t *)device, 1024, 1000);
    }
    for (int registers : {32, 64, 128, 200}) {
        kernel_of(registers)<<<1, 32>>>(watches, some_memory, some_memory + 512, 1000);
    }
    DO(cudaDeviceSynchronize());
}

static void print_watched(cudaError_t error)
{
    printf(",\"error\":\"%s\",\"watched\":[", error == cudaSuccess ? "" : cudaGetErrorName(error));
    for (int i = 0, shown = 0; i < WATCHED; i++) {
        watched *w = watches + i;

        if (w->start) {
            printf("%s{\"block\":%u,\"sm\":%u,\"start\":%llu,\"end\":%llu,\"gaps\":[", shown++ ? "," : "", w->block, w->sm,
                   (unsigned long long)w->start, (unsigned long long)w->end);
            for (uint32_t n = 0; n < w->count; n++) {
                printf("%s[%llu,%llu]", n ? "," : "", (unsigned long long)w->gaps[2 * n], (unsigned long long)w->gaps[2 * n + 1]);
            }
            printf("]}");
        }
    }
    printf("]");
}

static void do_watch(const char *how)
{
    int blocks, threads, shared, registers;
    cudaFuncAttributes attributes;

    if (sscanf(how, "%d:%d:%d:%d", &blocks, &threads, &shared, &registers) != 4) {
        fprintf(stderr, "watch:BLOCKS:THREADS:SHARED:REGISTERS\n");
        exit(2);
    }
    memset(watches, 0, sizeof(watched) * WATCHED);
    DO(cudaFuncGetAttributes(&attributes, kernel_of(registers)));
    kernel_of(registers)<<<blocks, threads, shared>>>(watches, some_memory, some_memory + 512, WORK_NS);
    cudaError_t error = cudaGetLastError();
    DO(cudaDeviceSynchronize());
    printf(",\"blocks\":%d,\"threads\":%d,\"shared\":%d,\"registers\":%d", blocks, threads, shared, attributes.numRegs);
    print_watched(error);
}

static void do_priority(const char *how)
{
    static cudaStream_t streams[8];
    int priority, blocks, threads;

    if (sscanf(how, "%d:%d:%d", &priority, &blocks, &threads) != 3 || priority > 0 || priority < -7) {
        fprintf(stderr, "prio:PRIORITY:BLOCKS:THREADS\n");
        exit(2);
    }
    if (!streams[-priority]) {
        streams[-priority] = stream(priority);
    }
    memset(watches, 0, sizeof(watched) * WATCHED);
    watch<1><<<blocks, threads, 0, streams[-priority]>>>(watches, some_memory, some_memory + 512, WORK_NS);
    cudaError_t error = cudaGetLastError();
    DO(cudaDeviceSynchronize());
    printf(",\"blocks\":%d,\"threads\":%d,\"priority\":%d", blocks, threads, priority);
    print_watched(error);
}

static void do_busy(const char *how)
{
    char what[16];
    int blocks, threads;

    if (sscanf(how, "%15[a-z]:%d:%d", what, &blocks, &threads) != 3 || threads < 64) {
        fprintf(stderr, "busy:WHAT:BLOCKS:THREADS, 64 threads or more\n");
        exit(2);
    }
    for (auto &work : works) {
        if (!strcmp(work.name, what)) {
            memset(watches, 0, sizeof(watched) * WATCHED);
            work.kernel<<<blocks, threads>>>(watches, (uint32_t *)device, (64 << 20) / 4, WORK_NS);
            cudaError_t error = cudaGetLastError();
            DO(cudaDeviceSynchronize());
            printf(",\"blocks\":%d,\"threads\":%d,\"work\":\"%s\"", blocks, threads, what);
            print_watched(error);
            return;
        }
    }
    fprintf(stderr, "busy: no work \"%s\"\n", what);
    exit(2);
}

static void print_tinies(int count)
{
    printf(",\"kernels\":[");
    for (int i = 0; i < count; i++) {
        printf("%s[%llu,%llu]", i ? "," : "", (unsigned long long)tinies[i].start, (unsigned long long)tinies[i].end);
    }
    printf("]");
}

static void do_tiny(const char *how)
{
    unsigned long long ns = 0;
    int count = 0;

    if (sscanf(how, "%llu:%d", &ns, &count) != 2 || count > TINY) {
        fprintf(stderr, "tiny:NS:COUNT\n");
        exit(2);
    }
    for (int i = 0; i < count; i++) {
        spin<<<1, 32>>>(tinies + i, ns);
    }
    DO(cudaDeviceSynchronize());
    print_tinies(count);
}

static void do_sparse(const char *how, uint64_t begin)
{
    unsigned long long ns = 0;
    double us = 0;
    int count = 0;

    if (sscanf(how, "%llu:%lf", &ns, &us) != 2) {
        fprintf(stderr, "sparse:NS:US\n");
        exit(2);
    }
    while (host_now() - begin < WORK_NS && count < 2000) {
        spin<<<1, 32>>>(tinies + count++, ns);
        DO(cudaDeviceSynchronize());
        wait_us(us);
    }
    print_tinies(count);
}

static void do_copy(const char *how, uint64_t begin)
{
    size_t bytes = strtoull(how, NULL, 10);
    std::vector<uint64_t> done;

    while (host_now() - begin < WORK_NS && done.size() < 4000) {
        DO(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
        DO(cudaDeviceSynchronize());
        done.push_back(host_now());
    }
    printf(",\"bytes\":%zu", bytes);
    print_list("done_host_ns", done, begin);
}

static void do_pieces(const char *how)
{
    static std::vector<cudaEvent_t> events;
    char way = 0;
    unsigned long long bytes = 0;
    std::vector<uint64_t> done;
    size_t count;

    if (sscanf(how, "%c:%llu", &way, &bytes) != 2 || !bytes || bytes > 64 << 20) {
        fprintf(stderr, "pieces:d|h:BYTES\n");
        exit(2);
    }
    count = (size_t)(24e6 / (bytes / 52.0 + 3000)) + 1;
    while (events.size() < count + 1) {
        events.push_back({});
        DO(cudaEventCreate(&events.back()));
    }
    spin<<<1, 32>>>(tinies, 0);
    DO(cudaEventRecord(events[0], 0));
    for (size_t i = 0; i < count; i++) {
        if (way == 'd') {
            DO(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
        } else {
            DO(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, 0));
        }
        DO(cudaEventRecord(events[i + 1], 0));
    }
    DO(cudaDeviceSynchronize());
    for (size_t i = 1; i <= count; i++) {
        float ms;

        DO(cudaEventElapsedTime(&ms, events[0], events[i]));
        done.push_back((uint64_t)(ms * 1e6));
    }
    printf(",\"bytes\":%llu,\"first_event_ns\":%llu", bytes, (unsigned long long)tinies[0].end);
    print_list("done_ns", done);
}

static void do_acquire(uint64_t begin)
{
    static uint32_t *value;

    if (!value) {
        DO(cudaMallocHost(&value, 4));
    }
    *(volatile uint32_t *)value = 0;
    if (cuStreamWaitValue32(0, (CUdeviceptr)value, 1, CU_STREAM_WAIT_VALUE_EQ) != CUDA_SUCCESS) {
        fprintf(stderr, "cuStreamWaitValue32 is refused\n");
        exit(1);
    }
    spin<<<1, 32>>>(tinies, 1000);
    wait_us(30000);
    printf(",\"written_host_ns\":%llu", (unsigned long long)(host_now() - begin));
    *(volatile uint32_t *)value = 1;
    DO(cudaDeviceSynchronize());
    printf(",\"done_host_ns\":%llu", (unsigned long long)(host_now() - begin));
    print_tinies(1);
}

int main(int argc, char **argv)
{
    uint64_t start = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;

    if (argc < 4) {
        fprintf(stderr, "usage: slice_times WHO START ROUND...\n");
        return 2;
    }
    DO(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    prepare();
    if (host_now() > start) {
        fprintf(stderr, "%s comes %.1f ms late\n", argv[1], (host_now() - start) / 1e6);
    }
    for (int i = 3; i < argc; i++) {
        uint64_t begin = start + (uint64_t)(i - 3) * ROUND_NS;
        const char *round = argv[i], *colon = strchr(round, ':');
        std::string kind(round, colon ? (size_t)(colon - round) : strlen(round));
        const char *how = colon ? colon + 1 : "";
        bool late = host_now() > begin;

        while (host_now() < begin) {
        }
        printf("{\"experiment\":\"slices\",\"process\":\"%s\",\"round\":%d,\"of\":\"%s\",\"late\":%s", argv[1], i - 3, round,
               late ? "true" : "false");
        if (kind == "watch") {
            do_watch(how);
        } else if (kind == "prio") {
            do_priority(how);
        } else if (kind == "busy") {
            do_busy(how);
        } else if (kind == "tiny") {
            do_tiny(how);
        } else if (kind == "sparse") {
            do_sparse(how, begin);
        } else if (kind == "copy") {
            do_copy(how, begin);
        } else if (kind == "pieces") {
            do_pieces(how);
        } else if (kind == "acquire") {
            do_acquire(begin);
        } else if (kind != "idle") {
            fprintf(stderr, "no kind of round \"%s\"\n", kind.c_str());
            return 2;
        }
        printf("}\n");
    }
    return 0;
}
