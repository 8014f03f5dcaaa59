/* SPDX-License-Identifier: MIT */
/*
 * The PBDMA's own decoder (devices/nvidia/nv_pbdma_decode.h), as the timed replay calls it: each
 * method goes through the dispatch table as (subchannel, method, data), and all three go into a
 * checksum.  The sinks here take every method; METHOD_CRC is kept, as in a replay.  Controls in the
 * same run: memcpy of the same bytes.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "devices/nvidia/formats/nv_crc.h"
#include "devices/nvidia/nv_pbdma_decode.h"
#include "tests/push_stream.h"

/* Runs are short, so that most fit into a time slice of a busy machine. */
enum { SEGMENTS = 2048, DWORDS_PER_RUN = 1 << 20 };

struct subject {
    const struct push_stream *stream;
    struct nv_pbdma_sinks sinks;
    uint64_t checksum;
    uint32_t *copy;
};

static struct nv_crc crc;

static bool take(void *engine, uint32_t subchannel, uint32_t method, uint32_t data)
{
    uint64_t *checksum = engine;
    const uint64_t all = (uint64_t)data << 17 | method << 1 | subchannel;

    *checksum = (*checksum << 1 | *checksum >> 63) + all * 0x9e3779b97f4a7c15;
    return true;
}

static uint32_t rounds_of(const struct push_stream *stream)
{
    return DWORDS_PER_RUN / stream->dword_count + 1;
}

/* One call for each segment, as for each GP entry that fits into the latch. */
static uint64_t run_decode(void *context)
{
    struct subject *subject = context;
    const struct push_stream *stream = subject->stream;
    uint64_t done = 0;

    subject->checksum = 0;
    for (uint32_t round = 0; round < rounds_of(stream); round++) {
        struct nv_pbdma_decoder decoder = {0};
        const uint32_t *dwords = stream->dwords;

        for (uint32_t i = 0; i < stream->segment_count; i++) {
            if (nv_pbdma_decode(&decoder, &subject->sinks, dwords, stream->lengths[i]) !=
                NV_PBDMA_STOP_DRY)
                return 0;
            dwords += stream->lengths[i];
            done += decoder.taken;
        }
    }
    return done;
}

static uint64_t run_copy(void *context)
{
    struct subject *subject = context;
    const struct push_stream *stream = subject->stream;

    for (uint32_t round = 0; round < rounds_of(stream); round++) {
        memcpy(subject->copy, stream->dwords, 4 * (size_t)stream->dword_count);
        __asm__ volatile("" : : "r"(subject->copy) : "memory");
    }
    return (uint64_t)rounds_of(stream) * stream->dword_count;
}

static void time_stream(struct bench *bench, const char *name, const struct push_stream *stream,
                        bool with_crc, double target)
{
    struct subject subject = {.stream = stream, .copy = malloc(4 * (size_t)stream->dword_count)};
    const struct bench_case one = {
        .name = name,
        .unit = "dwords/s",
        .target = target,
        .subject = {.name = "decode", .run = run_decode, .context = &subject},
        .controls = {{.name = "memcpy", .run = run_copy, .context = &subject}},
    };

    if (!subject.copy)
        exit(1);
    for (uint32_t i = 0; i < NV_PBDMA_SUBCHANNELS; i++)
        subject.sinks.engine[i] = (struct nv_pbdma_sink){take, &subject.checksum};
    subject.sinks.host = subject.sinks.engine[0];
    subject.sinks.crc = with_crc ? &crc : NULL;
    bench_run(bench, &one);
    bench_note(bench, "%s: checksum over all (subchannel, method, data) %016llx", name,
               (unsigned long long)subject.checksum);
    free(subject.copy);
}

int main(void)
{
    struct bench *bench = bench_begin("decode");
    const char *top = getenv("top_srcdir");
    struct push_stream synthetic, recorded;
    struct gfe_error error = {0};
    char path[4096];

    nv_crc_init(&crc);
    (void)snprintf(path, sizeof path, "%s/tests/golden/triangle.gft", top ? top : ".");
    if (!push_stream_synthetic(&synthetic, SEGMENTS) ||
        !push_stream_recorded(&recorded, path, &error)) {
        fprintf(stderr, "bench_decode: %s\n", error.kind ? error.text : "no memory");
        return 1;
    }
    time_stream(bench, "61-dword GP entries", &synthetic, true, 250e6);
    time_stream(bench, "61-dword GP entries, no METHOD_CRC", &synthetic, false, 250e6);
    time_stream(bench, "recorded GL program", &recorded, true, 250e6);
    time_stream(bench, "recorded GL program, no METHOD_CRC", &recorded, false, 250e6);
    push_stream_fini(&synthetic);
    push_stream_fini(&recorded);
    return bench_end(bench);
}
