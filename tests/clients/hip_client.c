/* SPDX-License-Identifier: MIT */
/*
 * hip_client streams N [CODE]: N streams on all GPUs in turn, each with copies there and back; on
 *                              the first alone, with launches, if there is a code object with a
 *                              kernel "touch".
 * hip_client threads T R:      T threads, each with a stream of its own and R rounds of copies.
 * hip_client features 1:       memory of its own, as it is and registered, rectangles, streams with
 *                              priorities and with a CU mask, times of events.
 * hip_client late 1 CODE:      launches "touch" and, without waiting for it, makes a stream with a
 * CU mask, which needs a queue of its own, and uses it.
 *
 * What comes back is compared with what went there, in a buffer that held something else before.
 * Exit status: 0 all is there, 1 words differ, 2 a call failed.
 */
#include <config.h>

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS_MAX = 64, WORDS = 1 << 14, LAUNCHES = 4 };

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const hipError_t status_ = (call);                                                         \
        if (status_ != hipSuccess) {                                                               \
            printf("hip_client: %s: %s\n", #call, hipGetErrorString(status_));                     \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

struct stream {
    hipStream_t stream;
    uint32_t *sent, *device, *got; /* pinned, the GPU's, pinned */
    unsigned number, rounds, wrong;
    int gpu;
};

static void stream_make(struct stream *stream)
{
    const size_t bytes = WORDS * sizeof *stream->sent;

    MUST(hipSetDevice(stream->gpu));
    MUST(hipStreamCreateWithFlags(&stream->stream, hipStreamNonBlocking));
    MUST(hipMalloc((void **)&stream->device, bytes));
    MUST(hipHostMalloc((void **)&stream->sent, bytes, 0));
    MUST(hipHostMalloc((void **)&stream->got, bytes, 0));
}

static void stream_fill(struct stream *stream, unsigned round)
{
    for (unsigned i = 0; i < WORDS; i++) {
        stream->sent[i] = stream->number << 24 ^ round << 16 ^ i * 2654435761u;
        stream->got[i] = ~stream->sent[i];
    }
}

static void stream_send(struct stream *stream)
{
    MUST(hipMemcpyAsync(stream->device, stream->sent, WORDS * sizeof *stream->sent,
                        hipMemcpyHostToDevice, stream->stream));
}

static void stream_receive(struct stream *stream)
{
    MUST(hipMemcpyAsync(stream->got, stream->device, WORDS * sizeof *stream->got,
                        hipMemcpyDeviceToHost, stream->stream));
}

static void stream_compare(struct stream *stream)
{
    MUST(hipStreamSynchronize(stream->stream));
    for (unsigned i = 0; i < WORDS; i++)
        stream->wrong += stream->got[i] != stream->sent[i];
}

/* ---- streams --------------------------------------------------------------------------------- */

static void launch(hipFunction_t kernel, struct stream *stream)
{
    void *arguments[] = {&stream->device};

    for (int i = 0; kernel && i < LAUNCHES; i++)
        MUST(hipModuleLaunchKernel(kernel, WORDS / 64, 1, 1, 64, 1, 1, 0, stream->stream, arguments,
                                   NULL));
}

/* On each GPU in turn; a code object is for the first alone. */
static int streams(unsigned count, int gpus, const char *code)
{
    static struct stream all[STREAMS_MAX];
    hipFunction_t kernel = NULL;
    hipModule_t module;
    unsigned wrong = 0;

    if (code) {
        MUST(hipModuleLoad(&module, code));
        MUST(hipModuleGetFunction(&kernel, module, "touch"));
    }
    for (unsigned i = 0; i < count; i++) {
        all[i].number = i;
        all[i].gpu = code ? 0 : (int)i % gpus;
        stream_make(&all[i]);
        stream_fill(&all[i], 1);
    }
    for (unsigned i = 0; i < count; i++) {
        MUST(hipSetDevice(all[i].gpu));
        stream_send(&all[i]);
        launch(kernel, &all[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        MUST(hipSetDevice(all[i].gpu));
        stream_receive(&all[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        stream_compare(&all[i]);
        wrong += all[i].wrong;
    }
    MUST(hipDeviceSynchronize());
    for (unsigned i = 0; i < count; i++)
        MUST(hipStreamDestroy(all[i].stream));
    printf("hip_client: %u streams, %u wrong words\n", count, wrong);
    return wrong != 0;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *thread_run(void *context)
{
    struct stream *stream = context;

    stream_make(stream);
    for (unsigned round = 0; round < stream->rounds; round++) {
        stream_fill(stream, round);
        stream_send(stream);
        stream_receive(stream);
        stream_compare(stream);
    }
    MUST(hipStreamDestroy(stream->stream));
    return NULL;
}

static int threads(unsigned count, unsigned rounds)
{
    static struct stream all[STREAMS_MAX];
    pthread_t ids[STREAMS_MAX];
    unsigned wrong = 0;

    for (unsigned i = 0; i < count; i++) {
        all[i].number = i;
        all[i].rounds = rounds;
        if (pthread_create(&ids[i], NULL, thread_run, &all[i]) != 0)
            return 2;
    }
    for (unsigned i = 0; i < count; i++) {
        pthread_join(ids[i], NULL);
        wrong += all[i].wrong;
    }
    printf("hip_client: %u threads, %u rounds, %u wrong words\n", count, rounds, wrong);
    return wrong != 0;
}

/* ---- features -------------------------------------------------------------------------------- */

enum { LINES = 100, LINE = 300, PITCH = 512 };

/* Small copies of memory that is nobody's but the program's: where the CPU reached all video memory
 * the runtime would write there itself. */
static unsigned pageable(struct stream *stream)
{
    static uint32_t sent[LINE], got[LINE];
    unsigned wrong = 0;

    for (unsigned i = 0; i < LINE; i++)
        sent[i] = ~(got[i] = i * 2654435761u);
    MUST(hipMemcpy(stream->device, sent, sizeof sent, hipMemcpyHostToDevice));
    MUST(hipMemcpy(got, stream->device, sizeof got, hipMemcpyDeviceToHost));
    for (unsigned i = 0; i < LINE; i++)
        wrong += got[i] != sent[i];
    return wrong;
}

/* The GPU sees registered memory elsewhere than the program. */
static unsigned registered(struct stream *stream)
{
    const size_t bytes = WORDS * sizeof *stream->sent;
    uint32_t *own = aligned_alloc(4096, bytes);
    unsigned wrong = 0;

    MUST(hipHostRegister(own, bytes, 0));
    memset(own, 0xa5, bytes);
    stream_fill(stream, 3);
    stream_send(stream);
    MUST(hipMemcpyAsync(own, stream->device, bytes, hipMemcpyDeviceToHost, stream->stream));
    MUST(hipStreamSynchronize(stream->stream));
    for (unsigned i = 0; i < WORDS; i++)
        wrong += own[i] != stream->sent[i];
    MUST(hipHostUnregister(own));
    free(own);
    return wrong;
}

/* Lines of LINE bytes: close together here, PITCH apart on the GPU. */
static unsigned rectangles(struct stream *stream)
{
    const uint8_t *sent = (const uint8_t *)stream->sent, *got = (const uint8_t *)stream->got;
    unsigned wrong = 0;

    stream_fill(stream, 4);
    MUST(hipMemcpy2DAsync(stream->device, PITCH, stream->sent, LINE, LINE, LINES,
                          hipMemcpyHostToDevice, stream->stream));
    MUST(hipMemcpy2DAsync(stream->got, PITCH, stream->device, PITCH, LINE, LINES,
                          hipMemcpyDeviceToHost, stream->stream));
    MUST(hipStreamSynchronize(stream->stream));
    for (unsigned y = 0; y < LINES; y++)
        for (unsigned x = 0; x < PITCH; x++)
            /* Between the lines is what was there: the reverse. */
            wrong +=
                got[y * PITCH + x] != (x < LINE ? sent[y * LINE + x] : 255 - sent[y * PITCH + x]);
    return wrong;
}

static unsigned special(struct stream *stream)
{
    stream_fill(stream, 5);
    stream_send(stream);
    stream_receive(stream);
    stream_compare(stream);
    MUST(hipStreamDestroy(stream->stream));
    return stream->wrong;
}

static int features(void)
{
    static struct stream stream;
    const uint32_t mask[] = {0x00ff00ff, 0xff};
    hipEvent_t begin, end;
    int least, greatest;
    float ms = -1;
    unsigned wrong;

    stream_make(&stream);
    MUST(hipEventCreate(&begin));
    MUST(hipEventCreate(&end));
    MUST(hipEventRecord(begin, stream.stream));
    wrong = pageable(&stream);
    wrong += registered(&stream);
    printf("hip_client: registered memory: %u wrong words\n", wrong);
    MUST(hipEventRecord(end, stream.stream));
    MUST(hipEventSynchronize(end));
    MUST(hipEventElapsedTime(&ms, begin, end));
    wrong += ms < 0;
    wrong += rectangles(&stream);
    printf("hip_client: with rectangles: %u wrong\n", wrong);
    MUST(hipDeviceGetStreamPriorityRange(&least, &greatest));
    MUST(hipStreamCreateWithPriority(&stream.stream, hipStreamNonBlocking, greatest));
    wrong += special(&stream);
    MUST(hipExtStreamCreateWithCUMask(&stream.stream, 2, mask));
    wrong += special(&stream);
    printf("hip_client: %u wrong in all\n", wrong);
    return wrong != 0;
}

/* ---- late ------------------------------------------------------------------------------------ */

static int late(const char *code)
{
    static struct stream first = {.number = 1}, second = {.number = 2};
    const uint32_t mask[] = {0x00ff00ff, 0xff};
    hipFunction_t kernel;
    hipModule_t module;

    MUST(hipModuleLoad(&module, code));
    MUST(hipModuleGetFunction(&kernel, module, "touch"));
    stream_make(&first);
    stream_fill(&first, 1);
    stream_send(&first);
    MUST(hipStreamSynchronize(first.stream));
    launch(kernel, &first);
    printf("hip_client: launched\n");
    fflush(stdout);
    stream_make(&second);
    MUST(hipStreamDestroy(second.stream));
    MUST(hipExtStreamCreateWithCUMask(&second.stream, 2, mask));
    stream_fill(&second, 2);
    stream_send(&second);
    stream_receive(&second);
    stream_compare(&second);
    printf("hip_client: another stream, %u wrong words\n", second.wrong);
    fflush(stdout);
    stream_receive(&first);
    stream_compare(&first);
    printf("hip_client: the first, %u wrong words\n", first.wrong);
    return first.wrong + second.wrong != 0;
}

int main(int argc, char **argv)
{
    const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    hipDeviceProp_t properties;
    int devices = 0;

    if (count == 0 || count > STREAMS_MAX)
        return 2;
    MUST(hipGetDeviceCount(&devices));
    MUST(hipGetDeviceProperties(&properties, 0));
    printf("hip_client: %d devices, the first %s with %d compute units\n", devices,
           properties.gcnArchName, properties.multiProcessorCount);
    if (strcmp(argv[1], "threads") == 0)
        return threads((unsigned)count, argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 10);
    if (strcmp(argv[1], "features") == 0)
        return features();
    if (strcmp(argv[1], "late") == 0)
        return argc > 3 ? late(argv[3]) : 2;
    return streams((unsigned)count, devices, argc > 3 ? argv[3] : NULL);
}
