// SPDX-License-Identifier: MIT
//
// When and where each block ran: small experiments on a real GPU, one JSON object per line.
//
//     nvcc -O1 -arch=native -o block_times block_times.cu -lcuda
//     ./block_times NAME...        (without a name it lists them)
//
// Times are those of the GPU's globaltimer in ns, from the earliest block of the experiment on;
// of a kernel: "host_ns" when the program called for it (CLOCK_MONOTONIC, from the first call
// on), "blocks" the [start, end, SM] of each block in the order of blockIdx.  Copies have
// "event_ns", the times of events recorded before and after them in their streams, from an
// event at the experiment's begin.
#include <string>

#include "spin.cuh"

__global__ void __cluster_dims__(4, 1, 1) spin_clusters(span *spans, uint64_t ns)
{
    uint64_t begin = now();

    while (now() - begin < ns) {
    }
    if (!threadIdx.x) {
        spans[blockIdx.x] = {begin, now(), sm_id(), 0};
    }
}

// Notes when this block did not run: gaps of more than `least` ns between two looks at the timer.
__global__ void watch(uint64_t *gaps, uint32_t *counts, int room, uint64_t ns, uint64_t least)
{
    uint64_t begin = now(), last = begin;
    uint32_t n = 0;

    if (threadIdx.x) {
        return;
    }
    gaps += (size_t)blockIdx.x * (2 * room + 2);
    while (last - begin < ns) {
        uint64_t t = now();

        if (t - last > least && n < room) {
            gaps[2 + 2 * n] = last;
            gaps[3 + 2 * n] = t;
            n++;
        }
        last = t;
    }
    gaps[0] = begin;
    gaps[1] = last;
    counts[blockIdx.x * 2] = n;
    counts[blockIdx.x * 2 + 1] = sm_id();
}

struct launch {
    std::string name, stream;
    int blocks, threads, shared;
    uint64_t spin_ns, host_ns;
    span *spans;
};

enum { ROOM = 4096 };

static std::vector<launch> launches;

// A launch of `blocks` blocks; name and stream_name are for the report.  The places of the spans
// come from one allocation, since an allocation would make the program wait.
static void run(const char *name, const char *stream_name, cudaStream_t stream, int blocks, int threads,
                int shared, double us)
{
    launch l = {name, stream_name, blocks, threads, shared, (uint64_t)(us * 1000), 0, NULL};
    static span *room;
    static int left;

    if (launches.empty()) {
        left = 0;
        if (!room) {
            DO(cudaMallocHost(&room, sizeof(span) * ROOM));
            DO(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
        }
        memset(room, 0, sizeof(span) * ROOM);
    }
    l.spans = room + left;
    left += blocks;
    l.host_ns = host_now();
    spin<<<blocks, threads, shared, stream>>>(l.spans, l.spin_ns);
    DO(cudaGetLastError());
    launches.push_back(l);
}

static void report(const char *experiment, const char *note)
{
    uint64_t first = UINT64_MAX, first_call = launches[0].host_ns;

    DO(cudaDeviceSynchronize());
    for (auto &l : launches) {
        for (int i = 0; i < l.blocks; i++) {
            if (l.spans[i].start < first) {
                first = l.spans[i].start;
            }
        }
    }
    printf("{\"experiment\":\"%s\",\"note\":\"%s\",\"kernels\":[", experiment, note);
    for (size_t k = 0; k < launches.size(); k++) {
        launch &l = launches[k];

        printf("%s{\"name\":\"%s\",\"stream\":\"%s\",\"threads\":%d,\"shared\":%d,\"spin_ns\":%llu,\"host_ns\":%llu,\"blocks\":[",
               k ? "," : "", l.name.c_str(), l.stream.c_str(), l.threads, l.shared, (unsigned long long)l.spin_ns,
               (unsigned long long)(l.host_ns - first_call));
        for (int i = 0; i < l.blocks; i++) {
            printf("%s[%llu,%llu,%u]", i ? "," : "", (unsigned long long)(l.spans[i].start - first),
                   (unsigned long long)(l.spans[i].end - first), l.spans[i].sm);
        }
        printf("]}");
    }
    printf("]}\n");
    fflush(stdout);
    launches.clear();
}

static void fill()
{
    run("k1", "s1", stream(), 600, 1024, 0, 200);
    report("fill", "one kernel of 600 blocks of 1,024 threads: the order of SMs, then who gets a free place");
    run("k1", "s1", stream(), 300, 256, 0, 200);
    report("fill_small", "300 blocks of 256 threads: how blocks spread over SMs that have room for eight each");
    run("k1", "s1", stream(), 500, 128, 100 * 1024, 200);
    report("fill_shared", "500 blocks with 100 KiB of shared memory, two to an SM");
}

static void leftover()
{
    cudaStream_t s1 = stream(), s2 = stream(), s3 = stream();

    run("k1", "s1", s1, 396, 1024, 0, 1000);
    run("k2", "s2", s2, 100, 1024, 0, 500);
    run("k3", "s3", s3, 100, 1024, 0, 500);
    report("leftover", "k1 has half as many blocks again as fit; k2 and k3 come behind it from other streams");
    run("k1", "s1", s1, 200, 1024, 0, 1000);
    run("k2", "s2", s2, 100, 1024, 0, 500);
    run("k3", "s3", s3, 100, 1024, 0, 500);
    report("leftover_fits", "k1 leaves 64 of 264 places; k2 begins there, k3 waits until k2 has all its blocks placed");
    run("k1", "s1", s1, 200, 1024, 0, 1000);
    run("k2", "s2", s2, 130, 128, 200 * 1024, 500);
    run("k3", "s3", s3, 64, 1024, 0, 500);
    report("leftover_shared", "k2 needs 200 KiB of shared memory per block: does k3 pass it by?");
}

static void priority()
{
    cudaStream_t low = stream(0), high = stream(-5), middle = stream(-2);

    run("low", "low", low, 1056, 1024, 0, 500);
    wait_us(700);
    run("high", "high", high, 132, 1024, 0, 200);
    run("middle", "middle", middle, 132, 1024, 0, 200);
    report("priority", "1,056 blocks of low priority, then kernels of priority -5 and -2: at the next free places?");
    run("low", "low", low, 264, 1024, 0, 3000);
    wait_us(700);
    run("high", "high", high, 132, 1024, 0, 200);
    report("priority_no_room", "264 long blocks of low priority fill the GPU: is a block taken off its SM for a high one?");
}

static void streams()
{
    std::vector<cudaStream_t> s;
    char name[16], stream_name[16];

    for (int i = 0; i < 40; i++) {
        s.push_back(stream());
    }
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "k%d", i);
        snprintf(stream_name, sizeof stream_name, "s%d", i);
        run(name, stream_name, s[i], 1, 32, 0, 2000);
    }
    report("streams_wide", "40 streams, one long kernel of one block each: which run at the same time?");
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 2; j++) {
            snprintf(name, sizeof name, "k%d_%d", i, j);
            snprintf(stream_name, sizeof stream_name, "s%d", i);
            run(name, stream_name, s[i], 1, 32, 0, 2000);
        }
    }
    report("streams_deep", "40 streams, two kernels each, called for stream by stream: false dependencies");
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 40; i++) {
            snprintf(name, sizeof name, "k%d_%d", i, j);
            snprintf(stream_name, sizeof stream_name, "s%d", i);
            run(name, stream_name, s[i], 1, 32, 0, 2000);
        }
    }
    report("streams_breadth", "the same, called for round by round");
}

static void null_stream()
{
    cudaStream_t s1 = stream(0, true), s2 = stream(0, true), free_of_it = stream();

    run("k1", "s1", s1, 4, 128, 0, 1000);
    run("k2", "NULL", 0, 4, 128, 0, 1000);
    run("k3", "s2", s2, 4, 128, 0, 1000);
    run("k4", "non-blocking", free_of_it, 4, 128, 0, 1000);
    report("null_stream", "k2 of the NULL stream stands between k1 and k3; k4's stream is non-blocking");
}

static void many()
{
    cudaStream_t s = stream();
    char name[16];

    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "k%d", i);
        run(name, "s1", s, 1, 32, 0, 3);
    }
    report("many", "200 kernels of one block in one stream: the gap between two kernels");
}

static void clusters()
{
    launch l = {"k1", "s1", 400, 1024, 0, 200000, 0, NULL};

    DO(cudaMallocHost(&l.spans, sizeof(span) * l.blocks));
    l.host_ns = host_now();
    spin_clusters<<<l.blocks, l.threads>>>(l.spans, l.spin_ns);
    DO(cudaGetLastError());
    launches.push_back(l);
    report("clusters", "400 blocks of 1,024 threads in clusters of four: which SMs stand together in a GPC");
}

static void green()
{
    CUdevResource all, part[2], rest;
    unsigned parts = 2;
    cudaStream_t streams[2];

    if (cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        cuDevSmResourceSplitByCount(part, &parts, &all, &rest, 0, 32) != CUDA_SUCCESS || parts != 2) {
        fprintf(stderr, "no green contexts here\n");
        return;
    }
    for (unsigned i = 0; i < parts; i++) {
        CUdevResourceDesc description;
        CUgreenCtx context;

        if (cuDevResourceGenerateDesc(&description, &part[i], 1) != CUDA_SUCCESS ||
            cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
            cuGreenCtxStreamCreate((CUstream *)&streams[i], context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) {
            fprintf(stderr, "green contexts are refused\n");
            return;
        }
    }
    run("k1", "green1", streams[0], 100, 1024, 0, 500);
    run("k2", "green2", streams[1], 100, 1024, 0, 500);
    run("k3", "s3", stream(), 132, 1024, 0, 500);
    report("green_contexts", "two green contexts of 32 SMs, 100 blocks each; then a kernel that may run on every SM");
}

struct copy {
    std::string name, stream_name;
    cudaStream_t stream;
    char *to, *from;
    size_t bytes;
    cudaMemcpyKind kind;
    cudaEvent_t before, after;
};

static void copies(const char *experiment, const char *note, std::vector<copy> list)
{
    cudaEvent_t begin;
    bool first = true;

    DO(cudaEventCreate(&begin));
    for (auto &c : list) {
        DO(cudaEventCreate(&c.before));
        DO(cudaEventCreate(&c.after));
    }
    DO(cudaDeviceSynchronize());
    DO(cudaEventRecord(begin, list[0].stream));
    for (auto &c : list) {
        DO(cudaEventRecord(c.before, c.stream));
        DO(cudaMemcpyAsync(c.to, c.from, c.bytes, c.kind, c.stream));
        DO(cudaEventRecord(c.after, c.stream));
    }
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"%s\",\"note\":\"%s\",\"copies\":[", experiment, note);
    for (auto &c : list) {
        float from, to;

        DO(cudaEventElapsedTime(&from, begin, c.before));
        DO(cudaEventElapsedTime(&to, begin, c.after));
        printf("%s{\"name\":\"%s\",\"stream\":\"%s\",\"bytes\":%zu,\"event_ns\":[%.0f,%.0f]}", first ? "" : ",",
               c.name.c_str(), c.stream_name.c_str(), c.bytes, from * 1e6, to * 1e6);
        first = false;
    }
    printf("]}\n");
    fflush(stdout);
}

static void copy_engines()
{
    const size_t big = 256 << 20, part = 16 << 20;
    char *device, *host;
    std::vector<cudaStream_t> s;
    std::vector<copy> list;
    char name[16], stream_name[16];

    DO(cudaMalloc(&device, 2 * big));
    DO(cudaMallocHost(&host, 2 * big));
    for (int i = 0; i < 9; i++) {
        s.push_back(stream());
    }
    auto add = [&](const char *n, int k, size_t at, size_t bytes, cudaMemcpyKind kind) {
        copy c;

        snprintf(stream_name, sizeof stream_name, "s%d", k);
        c.name = n;
        c.stream_name = stream_name;
        c.stream = s[k];
        c.to = kind == cudaMemcpyDeviceToHost ? host + at : device + at;
        c.from = kind == cudaMemcpyHostToDevice ? host + at : device + at;
        if (kind == cudaMemcpyDeviceToDevice) {
            c.from = device + big + at;
        }
        c.bytes = bytes;
        c.kind = kind;
        list.push_back(c);
    };
    for (int run = 0; run < 2; run++) { /* the first is a warm-up of every stream */
        list.clear();
        add("h2d_1", 0, 0, part, cudaMemcpyHostToDevice);
        add("h2d_2", 1, part, part, cudaMemcpyHostToDevice);
        add("h2d_3", 2, 2 * part, part, cudaMemcpyHostToDevice);
        add("h2d_4", 3, 3 * part, part, cudaMemcpyHostToDevice);
        copies(run ? "copy_same_way" : "copy_same_way_cold", "four copies host to device of 16 MiB in four streams", list);
        list.clear();
        add("h2d", 0, 0, 4 * part, cudaMemcpyHostToDevice);
        add("d2h", 1, big, 4 * part, cudaMemcpyDeviceToHost);
        add("d2d", 2, 0, 4 * part, cudaMemcpyDeviceToDevice);
        copies(run ? "copy_three_ways" : "copy_three_ways_cold", "64 MiB host to device, device to host, and on the device at the same time", list);
        list.clear();
        add("big", 0, 0, big, cudaMemcpyHostToDevice);
        for (int i = 0; i < 8; i++) {
            snprintf(name, sizeof name, "small_%d", i);
            add(name, 1 + i, big + i * part, (size_t)4096 << i, cudaMemcpyHostToDevice);
        }
        copies(run ? "copy_big_small" : "copy_big_small_cold", "256 MiB host to device, then small ones the same way in other streams: do they wait?", list);
        list.clear();
        for (int i = 0; i < 8; i++) {
            snprintf(name, sizeof name, "d2d_%d", i);
            add(name, i, i * part, part, cudaMemcpyDeviceToDevice);
        }
        copies(run ? "copy_on_device" : "copy_on_device_cold", "eight copies of 16 MiB on the device in eight streams", list);
    }
}

// One of several processes that share the GPU: who ran when, seen by the gaps.
static void share(const char *who, int blocks, double ms, int shared, uint64_t start)
{
    const int room = 4000;
    uint64_t *gaps;
    uint32_t *counts;
    int shown[] = {0, 1, blocks / 2, blocks - 1};

    DO(cudaMallocHost(&gaps, sizeof(uint64_t) * blocks * (2 * room + 2)));
    DO(cudaMallocHost(&counts, sizeof(uint32_t) * blocks * 2));
    memset(gaps, 0, sizeof(uint64_t) * blocks * (2 * room + 2));
    DO(cudaFuncSetAttribute(watch, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024));
    watch<<<1, 32>>>(gaps, counts, room, 1000, 10000);
    DO(cudaDeviceSynchronize());
    while (host_now() < start) {
    }
    watch<<<blocks, 1024, shared>>>(gaps, counts, room, (uint64_t)(ms * 1e6), 10000);
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"share\",\"process\":\"%s\",\"blocks\":%d,\"ms\":%.0f,\"shared\":%d,\"watched\":[", who, blocks, ms, shared);
    for (int i = 0; i < 4; i++) {
        uint64_t *g = gaps + (size_t)shown[i] * (2 * room + 2);

        printf("%s{\"block\":%d,\"sm\":%u,\"start\":%llu,\"end\":%llu,\"gaps\":[", i ? "," : "", shown[i],
               counts[shown[i] * 2 + 1], (unsigned long long)g[0], (unsigned long long)g[1]);
        for (uint32_t n = 0; n < counts[shown[i] * 2]; n++) {
            printf("%s[%llu,%llu]", n ? "," : "", (unsigned long long)g[2 + 2 * n], (unsigned long long)g[3 + 2 * n]);
        }
        printf("]}");
    }
    printf("]}\n");
    fflush(stdout);
}

static void start_at(uint64_t start)
{
    DO(cudaFree(0));
    run("warm", "NULL", 0, 1, 32, 0, 1);
    DO(cudaDeviceSynchronize());
    launches.clear();
    while (host_now() < start) {
    }
}

// A process whose stream waits for a value that the host writes after `ms`: its channel polls.
static void wait_value(const char *who, double ms, uint64_t start)
{
    volatile uint32_t *value;
    uint64_t begin;

    DO(cudaMallocHost((void **)&value, 4));
    *value = 0;
    start_at(start);
    begin = host_now();
    if (cuStreamWaitValue32(0, (CUdeviceptr)value, 1, CU_STREAM_WAIT_VALUE_EQ) != CUDA_SUCCESS) {
        fprintf(stderr, "cuStreamWaitValue32 is refused\n");
        exit(1);
    }
    wait_us(ms * 1000);
    *value = 1;
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"wait\",\"process\":\"%s\",\"host_ns\":[%llu,%llu]}\n", who, (unsigned long long)begin,
           (unsigned long long)host_now());
}

// A process that keeps a stream busy with kernels of one block.
static void tiny(const char *who, double us, double ms, uint64_t start)
{
    int n = (int)(ms * 1000 / (us + 2));

    start_at(start);
    for (int i = 0; i < n && i < 3500; i++) {
        run("k", "s", 0, 1, 32, 0, us);
    }
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"tiny\",\"process\":\"%s\",\"spin_ns\":%.0f,\"kernels\":[", who, us * 1000);
    for (size_t i = 0; i < launches.size(); i++) {
        printf("%s[%llu,%llu]", i ? "," : "", (unsigned long long)launches[i].spans[0].start,
               (unsigned long long)launches[i].spans[0].end);
    }
    printf("]}\n");
}

// A process that copies to the device, one piece after the other in one stream.
static void copy_pieces(const char *who, int count, size_t bytes, uint64_t start)
{
    std::vector<cudaEvent_t> events(count + 1);
    char *device, *host;
    uint64_t begin;

    DO(cudaMalloc(&device, bytes));
    DO(cudaMallocHost(&host, bytes));
    for (auto &e : events) {
        DO(cudaEventCreate(&e));
    }
    DO(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
    start_at(start);
    begin = host_now();
    DO(cudaEventRecord(events[0], 0));
    for (int i = 0; i < count; i++) {
        DO(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
        DO(cudaEventRecord(events[i + 1], 0));
    }
    DO(cudaDeviceSynchronize());
    printf("{\"experiment\":\"copy_pieces\",\"process\":\"%s\",\"bytes\":%zu,\"host_ns\":[%llu,%llu],\"done_ns\":[", who, bytes,
           (unsigned long long)begin, (unsigned long long)host_now());
    for (int i = 1; i <= count; i++) {
        float ms;

        DO(cudaEventElapsedTime(&ms, events[0], events[i]));
        printf("%s%.0f", i > 1 ? "," : "", ms * 1e6);
    }
    printf("]}\n");
}

// A process that asks for one small thing every millisecond and waits for it.
static void latency(const char *who, bool copy, int count, uint64_t start)
{
    std::vector<uint64_t> took;
    char *device, *host;

    DO(cudaMalloc(&device, 4096));
    DO(cudaMallocHost(&host, 4096));
    start_at(start);
    for (int i = 0; i < count; i++) {
        uint64_t begin = host_now();

        if (copy) {
            DO(cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, 0));
        } else {
            run("k", "s", 0, 1, 32, 0, 1);
        }
        DO(cudaStreamSynchronize(0));
        took.push_back(host_now() - begin);
        wait_us(1000);
    }
    printf("{\"experiment\":\"latency\",\"process\":\"%s\",\"of\":\"%s\",\"host_ns\":[", who, copy ? "copy" : "kernel");
    for (size_t i = 0; i < took.size(); i++) {
        printf("%s%llu", i ? "," : "", (unsigned long long)took[i]);
    }
    printf("]}\n");
}

// One process of several: true if the arguments asked for one.
static bool process(int argc, char **argv)
{
    uint64_t start = argc > 3 ? strtoull(argv[argc - 1], NULL, 10) : 0;

    if (!strcmp(argv[1], "share") && (argc == 6 || argc == 7)) {
        share(argv[2], atoi(argv[3]), atof(argv[4]), argc == 7 ? atoi(argv[5]) : 0, start);
    } else if (!strcmp(argv[1], "wait") && argc == 5) {
        wait_value(argv[2], atof(argv[3]), start);
    } else if (!strcmp(argv[1], "tiny") && argc == 6) {
        tiny(argv[2], atof(argv[3]), atof(argv[4]), start);
    } else if (!strcmp(argv[1], "copy_pieces") && argc == 6) {
        copy_pieces(argv[2], atoi(argv[3]), strtoull(argv[4], NULL, 10), start);
    } else if (!strcmp(argv[1], "latency") && argc == 6) {
        latency(argv[2], !strcmp(argv[3], "copy"), atoi(argv[4]), start);
    } else {
        return false;
    }
    return true;
}

static const experiment experiments[] = {
    {"fill", fill},       {"leftover", leftover}, {"priority", priority},         {"streams", streams},
    {"null", null_stream}, {"many", many},        {"clusters", clusters}, {"copies", copy_engines}, {"green", green},
};

int main(int argc, char **argv)
{
    cudaDeviceProp device;

    if (argc < 2) {
        for (auto &e : experiments) {
            printf("%s\n", e.name);
        }
        printf("of several processes, START is of CLOCK_MONOTONIC in ns:\n"
               "share WHO BLOCKS MS [SHARED_BYTES] START\nwait WHO MS START\ntiny WHO US MS START\n"
               "copy_pieces WHO COUNT BYTES START\nlatency WHO copy|kernel COUNT START\n");
        return 0;
    }
    DO(cudaGetDeviceProperties(&device, 0));
    if (process(argc, argv)) {
        return 0;
    }
    printf("{\"gpu\":\"%s\",\"sms\":%d,\"threads_per_sm\":%d,\"copy_engines\":%d,\"CUDA_DEVICE_MAX_CONNECTIONS\":\"%s\"}\n",
           device.name, device.multiProcessorCount, device.maxThreadsPerMultiProcessor, device.asyncEngineCount,
           getenv("CUDA_DEVICE_MAX_CONNECTIONS") ? getenv("CUDA_DEVICE_MAX_CONNECTIONS") : "");
    run("warm", "NULL", 0, 1, 32, 0, 1); /* the module is loaded at the first launch */
    DO(cudaDeviceSynchronize());
    launches.clear();
    for (int i = 1; i < argc; i++) {
        bool known = false;

        for (auto &e : experiments) {
            if (!strcmp(argv[i], e.name)) {
                e.run();
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
