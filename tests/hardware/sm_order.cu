// SPDX-License-Identifier: MIT
//
// Which SM a block gets, and when it gets none: one JSON object per line.
//
//     nvcc -O1 -arch=native -o sm_order sm_order.cu -lcuda
//     ./sm_order [order|partial|alternate|gpcs|carve_out|carve_gap|cooperative|green]...
//
// "sms" are the SMs of the blocks in the order of blockIdx, "start_ns" their starts from the
// earliest one on (of the experiment's first kernel), "end_ns" likewise where it is needed.
#include <cooperative_groups.h>

#include "spin.cuh"

enum { ROOM = 8192 };

static span *spans; // pinned; two kernels, ROOM places each

static void prepare(int carve_out = cudaSharedmemCarveoutDefault)
{
    if (!spans) {
        DO(cudaMallocHost(&spans, sizeof(span) * 2 * ROOM));
        DO(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 * 1024));
        spin<<<1, 32>>>(spans, 1000);
        DO(cudaDeviceSynchronize());
    }
    DO(cudaFuncSetAttribute(spin, cudaFuncAttributePreferredSharedMemoryCarveout, carve_out));
    memset(spans, 0, sizeof(span) * 2 * ROOM);
}

static uint64_t first_start(const span *of, int blocks)
{
    uint64_t first = UINT64_MAX;

    for (int i = 0; i < blocks; i++) {
        first = of[i].start < first ? of[i].start : first;
    }
    return first;
}

static uint64_t last_end(const span *of, int blocks)
{
    uint64_t last = 0;

    for (int i = 0; i < blocks; i++) {
        last = of[i].end > last ? of[i].end : last;
    }
    return last;
}

static void print_sms(const char *name, const span *of, int blocks)
{
    std::vector<uint32_t> sms;

    for (int i = 0; i < blocks; i++) {
        sms.push_back(of[i].sm);
    }
    print_list(name, sms);
}

static void print_starts(const char *name, const span *of, int blocks, uint64_t from)
{
    std::vector<uint64_t> starts;

    for (int i = 0; i < blocks; i++) {
        starts.push_back(of[i].start);
    }
    print_list(name, starts, from);
}

static int sms_of_device()
{
    int n;

    DO(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
    return n;
}

// Every block of a grid that fits at once, by the block's size and shared memory.
static void order()
{
    const int threads[] = {32, 64, 96, 128, 256, 512, 768, 1024}, shared[] = {0, 40 << 10, 100 << 10, 220 << 10};

    for (int t : threads) {
        for (int s : shared) {
            for (int again = 0; again < (t == 256 && !s ? 3 : 1); again++) {
                int fit, blocks;

                prepare();
                DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, spin, t, s));
                blocks = fit * sms_of_device();
                blocks = blocks > 1100 ? 1100 : blocks;
                spin<<<blocks, t, s>>>(spans, 300000);
                DO(cudaDeviceSynchronize());
                printf("{\"experiment\":\"order\",\"threads\":%d,\"shared\":%d,\"fit\":%d", t, s, fit);
                print_sms("sms", spans, blocks);
                print_starts("start_ns", spans, blocks, first_start(spans, blocks));
                printf("}\n");
            }
        }
    }
}

// Where blocks go when some SMs are taken in part by another kernel.
static void partial()
{
    const int taken[] = {1, 2, 3, 7, 16, 33, 66, 100, 131, 132, 133, 150, 200, 250};

    for (int t : {1024, 256}) {
        for (int k : taken) {
            cudaStream_t a = stream(), b = stream();
            const int blocks = 264;

            prepare();
            spin<<<k, t, 0, a>>>(spans, 1500000);
            wait_us(200);
            spin<<<blocks, 256, 0, b>>>(spans + ROOM, 200000);
            DO(cudaDeviceSynchronize());
            printf("{\"experiment\":\"partial\",\"first_threads\":%d,\"threads\":256", t);
            print_sms("first_sms", spans, k);
            print_sms("sms", spans + ROOM, blocks);
            print_starts("start_ns", spans + ROOM, blocks, first_start(spans, k));
            printf("}\n");
            DO(cudaStreamDestroy(a));
            DO(cudaStreamDestroy(b));
        }
    }
}

// Kernels of two streams by turns: does the place where the next one begins move on from kernel to kernel, from
// stream to stream, with the number of blocks?  Each is waited for ("together": 0) or all are submitted at once (1).
static void alternate()
{
    const int kernels = 16;

    for (int together : {0, 1}) {
        for (int first : {1, 2, 8, 20, 132}) {
            for (int second : {1, 3, 20}) {
                cudaStream_t s[2] = {stream(), stream()};

                prepare();
                for (int i = 0; i < kernels; i++) {
                    spin<<<i % 2 ? second : first, 256, 0, s[i % 2]>>>(spans + i * 132, 30000);
                    if (!together) {
                        DO(cudaDeviceSynchronize());
                    }
                }
                DO(cudaDeviceSynchronize());
                printf("{\"experiment\":\"alternate\",\"together\":%d,\"threads\":256,\"blocks\":[%d,%d]", together, first, second);
                for (int i = 0; i < kernels; i++) {
                    char name[16];

                    snprintf(name, sizeof name, "sms_%d", i);
                    print_sms(name, spans + i * 132, i % 2 ? second : first);
                }
                std::vector<uint64_t> starts;
                for (int i = 0; i < kernels; i++) {
                    starts.push_back(first_start(spans + i * 132, i % 2 ? second : first));
                }
                print_list("start_ns", starts, starts[0]);
                printf("}\n");
                DO(cudaStreamDestroy(s[0]));
                DO(cudaStreamDestroy(s[1]));
            }
        }
    }
}

// Which SMs stand in one GPC: the blocks of a cluster do.
static void gpcs()
{
    DO(cudaFuncSetAttribute(spin, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int shared : {200 << 10, 0}) {
        for (int size : {1, 2, 4, 8, 16}) {
            cudaLaunchConfig_t config = {};
            cudaLaunchAttribute attribute = {};
            int clusters, blocks;

            prepare();
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {(unsigned)size, 1, 1};
            config.gridDim = dim3(size * 64);
            config.blockDim = dim3(shared ? 128 : 1024);
            config.dynamicSmemBytes = shared;
            config.attrs = &attribute;
            config.numAttrs = 1;
            DO(cudaOccupancyMaxActiveClusters(&clusters, spin, &config));
            blocks = clusters * size;
            config.gridDim = dim3(blocks);
            DO(cudaLaunchKernelEx(&config, spin, spans, (uint64_t)300000));
            DO(cudaDeviceSynchronize());
            printf("{\"experiment\":\"gpcs\",\"cluster\":%d,\"threads\":%d,\"shared\":%d,\"clusters_fit\":%d", size,
                   shared ? 128 : 1024, shared, clusters);
            print_sms("sms", spans, blocks);
            print_starts("start_ns", spans, blocks, first_start(spans, blocks));
            printf("}\n");
        }
    }
}

// Does a kernel with shared memory start beside one that runs on every SM?  The first has one block on
// each SM; what the driver picks its split by may be how many would fit.
static void carve_out_of(int threads, int preferred, int f, const std::vector<int> &second)
{
    std::vector<int> at_once;
    std::vector<int64_t> after;

    for (int s : second) {
        cudaStream_t a = stream(), b = stream();
        const int blocks = sms_of_device();
        int n = 0;

        prepare(preferred);
        spin<<<blocks, threads, f << 10, a>>>(spans, 500000);
        wait_us(120);
        DO(cudaFuncSetAttribute(spin, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
        spin<<<blocks, 256, s << 10, b>>>(spans + ROOM, 50000);
        DO(cudaDeviceSynchronize());
        for (int i = 0; i < blocks; i++) {
            n += spans[ROOM + i].start < first_start(spans, blocks) + 400000;
        }
        at_once.push_back(n);
        after.push_back((int64_t)(first_start(spans + ROOM, blocks) - last_end(spans, blocks)));
        DO(cudaStreamDestroy(a));
        DO(cudaStreamDestroy(b));
    }
    printf("{\"experiment\":\"carve_out\",\"first_threads\":%d,\"first_preferred_percent\":%d,\"first_shared\":%d", threads,
           preferred, f << 10);
    print_list("second_shared_kib", second);
    print_list("blocks_that_start_beside_it", at_once);
    print_list("start_after_its_end_ns", after);
    printf("}\n");
}

static void carve_out()
{
    const std::vector<int> second = {0,  1,  2,  3,  4,  5,  6,   7,   8,   10,  12,  14,  15,  16,  20,  24,  28,
                                     30, 32, 40, 48, 60, 64, 80, 96, 100, 120, 130, 132, 150, 164, 180, 196, 210, 220};

    for (int threads : {256, 1024}) {
        for (int preferred : {-1, 0, 25, 50, 100}) {
            for (int f : {0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 100, 128, 160, 200}) {
                carve_out_of(threads, preferred, f, second);
            }
        }
    }
}

// What it takes to go from one split of L1 and shared memory to another, in one stream.
static void carve_gap()
{
    for (int first : {0, 64, 220}) {
        for (int second : {0, 64, 220}) {
            std::vector<int64_t> gaps;
            cudaStream_t s = stream();
            const int blocks = sms_of_device();

            for (int i = 0; i < 12; i++) {
                prepare();
                spin<<<blocks, 256, first << 10, s>>>(spans, 50000);
                spin<<<blocks, 256, second << 10, s>>>(spans + ROOM, 50000);
                DO(cudaDeviceSynchronize());
                gaps.push_back((int64_t)(first_start(spans + ROOM, blocks) - last_end(spans, blocks)));
            }
            printf("{\"experiment\":\"carve_gap\",\"first_shared\":%d,\"second_shared\":%d", first << 10, second << 10);
            print_list("gap_ns", gaps);
            printf("}\n");
            DO(cudaStreamDestroy(s));
        }
    }
}

// A cooperative grid that fits only when another kernel has gone: do some of its blocks start early?
static void cooperative()
{
    for (int blocks : {132, 200, 264, 265}) {
        cudaStream_t a = stream(), b = stream();
        span *to = spans + ROOM;
        uint64_t ns = 50000;
        cudaError_t error;

        prepare();
        to = spans + ROOM;
        void *arguments[] = {&to, &ns};
        spin<<<100, 1024, 0, a>>>(spans, 700000);
        wait_us(150);
        error = cudaLaunchCooperativeKernel((void *)spin, dim3(blocks), dim3(1024), arguments, 0, b);
        printf("{\"experiment\":\"cooperative\",\"blocks\":%d,\"error\":\"%s\"", blocks, cudaGetErrorName(error));
        (void)cudaGetLastError();
        DO(cudaDeviceSynchronize());
        if (error == cudaSuccess) {
            printf(",\"first_end_ns\":%llu", (unsigned long long)(last_end(spans, 100) - first_start(spans, 100)));
            print_sms("sms", to, blocks);
            print_starts("start_ns", to, blocks, first_start(spans, 100));
        }
        printf("}\n");
    }
}

// Which SMs a green context of some size has, and the rest.
static void green()
{
    for (unsigned size : {2u, 8u, 16u, 24u, 32u, 48u, 64u, 100u, 128u}) {
        CUdevResource all, part[8], rest;
        unsigned parts = 8;

        prepare();
        if (cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
            cuDevSmResourceSplitByCount(part, &parts, &all, &rest, 0, size) != CUDA_SUCCESS) {
            printf("{\"experiment\":\"green\",\"asked\":%u,\"refused\":true}\n", size);
            continue;
        }
        for (unsigned i = 0; i < parts && i < 3; i++) {
            CUdevResourceDesc description;
            CUgreenCtx context;
            CUstream s;
            int blocks = 2 * (int)part[i].sm.smCount;

            if (cuDevResourceGenerateDesc(&description, &part[i], 1) != CUDA_SUCCESS ||
                cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
                cuGreenCtxStreamCreate(&s, context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) {
                printf("{\"experiment\":\"green\",\"asked\":%u,\"part\":%u,\"refused\":true}\n", size, i);
                continue;
            }
            spin<<<blocks, 1024, 0, (cudaStream_t)s>>>(spans, 100000);
            DO(cudaDeviceSynchronize());
            printf("{\"experiment\":\"green\",\"asked\":%u,\"parts\":%u,\"part\":%u,\"given\":%u", size, parts, i, part[i].sm.smCount);
            print_sms("sms", spans, blocks);
            printf("}\n");
        }
    }
}

int main(int argc, char **argv)
{
    const experiment list[] = {{"order", order},         {"partial", partial},     {"alternate", alternate},
                               {"gpcs", gpcs},           {"carve_out", carve_out}, {"carve_gap", carve_gap},
                               {"cooperative", cooperative}, {"green", green}};

    return run_experiments(argc, argv, list, sizeof list / sizeof *list);
}
