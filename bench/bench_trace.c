/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bench/bench_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "emu/engine/reg.h"
#include "traces/format/trace.h"

enum {
    CHANNEL_ID = 7,
    GROUPS = 11,          /* headers with four data in each push */
    GROUPS_NEW = 3,       /* of these, with a value that was not there before */
    GROUP_METHOD = 0xa00, /* SET_VIEWPORT_SCALE_X and those behind it: private state */
    RELEASES = BENCH_TRACE_BUFFERS + 1, /* handle of the buffer that the pushes release into */
    PUSH_BYTES = 4 * BENCH_TRACE_DWORDS,
    BUFFER_BYTES = 1 << 18,
};
#define BUFFER_VA(handle) (UINT64_C(0x100000000) + UINT64_C(0x1000000) * (handle))

struct trace_maker {
    struct trace_writer *writer;
    struct gfe_error *error;
    bool good;
    uint64_t time_ns;
    uint64_t random;
};

static void put(struct trace_maker *maker, struct trace_record record)
{
    record.head.time_ns = maker->time_ns;
    record.head.process_id = record.head.thread_id = 1;
    maker->good = maker->good && trace_write(maker->writer, &record, maker->error);
}

static struct trace_str text(const char *words)
{
    return (struct trace_str){words, (uint32_t)strlen(words)};
}

/* Xorshift (Marsaglia 2003): the same trace on every machine. */
static uint32_t random_next(struct trace_maker *maker)
{
    maker->random ^= maker->random << 13;
    maker->random ^= maker->random >> 7;
    maker->random ^= maker->random << 17;
    return (uint32_t)(maker->random >> 32);
}

static void put_begin(struct trace_maker *maker)
{
    put(maker, (struct trace_record){.head.kind = TRACE_META,
                                     .meta = {.format = TRACE_FORMAT,
                                              .driver = text("nouveau 1.3.1"),
                                              .gpu = text("gtx1060"),
                                              .chipset = 0x136,
                                              .pci_id = 0x10de1c03,
                                              .completions = TRACE_COMPLETIONS_STAND_IN,
                                              .recorder = text("bench"),
                                              .host = text("bench"),
                                              .program = text("bench")}});
    put(maker, (struct trace_record){.head.kind = TRACE_CLIENT,
                                     .client = {.layer = TRACE_LAYER_UAPI, .name = text("bench")}});
    put(maker, (struct trace_record){.head.kind = TRACE_AS_CREATE});
    for (uint32_t handle = 1; handle <= RELEASES; handle++)
        put(maker, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                         .as_map = {.va = BUFFER_VA(handle),
                                                    .size_bytes = BUFFER_BYTES,
                                                    .handle = handle,
                                                    .aperture = TRACE_APERTURE_SYSMEM}});
    put(maker,
        (struct trace_record){.head.kind = TRACE_CHANNEL, .channel = {.channel_id = CHANNEL_ID}});
}

static uint32_t header_inc(uint32_t subchannel, uint32_t method, uint32_t count)
{
    const struct nv_header header = {.kind = NV_HEADER_INC,
                                     .method = (uint16_t)method,
                                     .count = (uint16_t)count,
                                     .subchannel = (uint8_t)subchannel};

    return nv_header_encode(&header);
}

static void push_fill(struct trace_maker *maker, uint32_t dwords[BENCH_TRACE_DWORDS],
                      uint32_t value)
{
    static const uint32_t states[] = {0, 1, 0x3f800000, 0x3f000000, 0xffffffff, 0x8000, 0x207, 16};
    const struct nv_header immediate = {
        .kind = NV_HEADER_IMMD, .method = GROUP_METHOD, .immediate = 1};
    const uint64_t release = BUFFER_VA(RELEASES);
    uint32_t *at = dwords;

    for (uint32_t group = 0; group < GROUPS; group++) {
        const uint32_t random = random_next(maker);

        *at++ = header_inc(0, GROUP_METHOD + 16 * group, 4);
        *at++ = group < GROUPS_NEW ? random : states[random >> 29];
        for (uint32_t i = 0; i < 3; i++)
            *at++ = states[random >> (3 * i) & 7];
    }
    *at++ = nv_header_encode(&immediate);
    *at++ = header_inc(0, NVA06F_SEMAPHOREA, 4);
    *at++ = (uint32_t)(release >> 32);
    *at++ = (uint32_t)release;
    *at++ = value;
    *at++ = REG_PUT(0, NVB06F_SEMAPHORED_OPERATION, NVB06F_SEMAPHORED_OPERATION_RELEASE);
}

static void put_wait(struct trace_maker *maker, uint32_t submission_id)
{
    put(maker, (struct trace_record){.head.kind = TRACE_CPU_WAIT,
                                     .cpu_wait = {.how = TRACE_WAIT_IOCTL,
                                                  .channel_id = CHANNEL_ID,
                                                  .handle = TRACE_ANY,
                                                  .submission_id = submission_id,
                                                  .begin_ns = maker->time_ns,
                                                  .end_ns = maker->time_ns,
                                                  .call = text("")}});
}

static void put_submit(struct trace_maker *maker, const struct bench_trace *trace, uint32_t id,
                       struct trace_push *pushes, uint32_t *dwords)
{
    const uint32_t handle = 1 + id % BENCH_TRACE_BUFFERS;

    if (id > BENCH_TRACE_BUFFERS)
        put_wait(maker, id - BENCH_TRACE_BUFFERS);
    for (uint32_t i = 0; i < trace->pushes; i++) {
        push_fill(maker, dwords + (uint64_t)BENCH_TRACE_DWORDS * i, id);
        pushes[i] = (struct trace_push){
            .handle = handle, .offset = (uint64_t)PUSH_BYTES * i, .length_bytes = PUSH_BYTES};
    }
    put(maker, (struct trace_record){
                   .head.kind = TRACE_MEM,
                   .mem = {.address = BUFFER_VA(handle),
                           .data = {(const uint8_t *)dwords, PUSH_BYTES * trace->pushes}}});
    put(maker, (struct trace_record){.head.kind = TRACE_SUBMIT,
                                     .submit = {.channel_id = CHANNEL_ID,
                                                .submission_id = id,
                                                .pushes = {pushes, trace->pushes}}});
    maker->time_ns += 1000;
}

static bool put_all(struct trace_maker *maker, const struct bench_trace *trace)
{
    struct trace_push *pushes = calloc(trace->pushes, sizeof *pushes);
    uint32_t *dwords = calloc(trace->pushes, PUSH_BYTES);

    if (pushes && dwords) {
        put_begin(maker);
        for (uint32_t id = 1; id <= trace->submissions && maker->good; id++)
            put_submit(maker, trace, id, pushes, dwords);
        put_wait(maker, trace->submissions);
        put(maker, (struct trace_record){.head.kind = TRACE_CHANNEL_END,
                                         .channel_end = {.channel_id = CHANNEL_ID}});
        put(maker, (struct trace_record){.head.kind = TRACE_END, .end.how = TRACE_END_EXIT});
        maker->good = maker->good && trace_writer_finish(maker->writer, maker->error);
    } else {
        maker->good = error_set_errno(maker->error, ENOMEM, "trace");
    }
    free(pushes);
    free(dwords);
    return maker->good;
}

bool bench_trace_write(const char *path, const struct bench_trace *trace, struct gfe_error *error)
{
    const int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    struct trace_maker maker = {
        .error = error, .good = true, .random = UINT64_C(0x9e3779b97f4a7c15)};

    if (fd < 0)
        return error_set_errno(error, errno, "%s", path);
    maker.writer = trace_writer_new(fd, path, error);
    maker.good = maker.writer && put_all(&maker, trace);
    trace_writer_free(maker.writer);
    if (close(fd) != 0 && maker.good)
        maker.good = error_set_errno(error, errno, "%s", path);
    return maker.good;
}
