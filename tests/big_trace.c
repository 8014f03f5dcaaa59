/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/big_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "traces/format/trace.h"

enum {
    PAGE_BYTES = 4096,
    DATA_PAGES = 1024,      /* 4 MiB that the pages go into, in turn */
    REPEAT_PAGES = 28 << 8, /* 28 MiB */
    PAGES_PER_SUBMISSION = 64,
    BUFFER_PAGES = 16, /* of commands */
    CHANNEL = 7,
};
#define DATA_VA     UINT64_C(0x100000000)
#define COMMANDS_VA UINT64_C(0x200000000)

const char *const big_trace_names[BIG_TRACE_KINDS] = {"pages", "small", "repeats", "lag"};

struct big_trace {
    struct trace_writer *writer;
    enum big_trace_kind kind;
    uint64_t bytes; /* of the records so far, about */
    uint64_t time_ns;
    uint32_t thread_id;
    uint32_t submission_count, page_count, new_count;
    struct random_state random;
    uint8_t (*pages)[PAGE_BYTES]; /* the last REPEAT_PAGES */
};

static void put(struct big_trace *trace, struct trace_record record)
{
    struct gfe_error error = {0};

    record.head.time_ns = trace->time_ns;
    record.head.process_id = 1;
    record.head.thread_id = trace->thread_id;
    if (!trace_write(trace->writer, &record, &error)) {
        fprintf(stderr, "big_trace: %s\n", error.text);
        exit(1);
    }
    trace->bytes += 56; /* a head and some fields */
}

static struct trace_str text(const char *words)
{
    return (struct trace_str){words, (uint32_t)strlen(words)};
}

static void put_mem(struct big_trace *trace, uint64_t address, const void *data, uint32_t bytes)
{
    put(trace, (struct trace_record){.head.kind = TRACE_MEM,
                                     .mem = {.address = address, .data = {data, bytes}}});
    trace->bytes += bytes;
}

static void put_map(struct big_trace *trace, uint32_t handle, uint64_t va, uint64_t bytes)
{
    put(trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                     .as_map = {.va = va,
                                                .size_bytes = bytes,
                                                .handle = handle,
                                                .aperture = TRACE_APERTURE_VRAM}});
}

static void put_start(struct big_trace *trace)
{
    put(trace, (struct trace_record){.head.kind = TRACE_META,
                                     .meta = {.format = TRACE_FORMAT,
                                              .driver = text("nouveau 1.3.1"),
                                              .gpu = text("gtx1060"),
                                              .chipset = 0x136,
                                              .pci_id = 0x10de1c03,
                                              .completions = TRACE_COMPLETIONS_STAND_IN,
                                              .recorder = text("test"),
                                              .host = text("test"),
                                              .program = text("test")}});
    put(trace, (struct trace_record){.head.kind = TRACE_CLIENT,
                                     .client = {.layer = TRACE_LAYER_UAPI, .name = text("test")}});
    put(trace, (struct trace_record){.head.kind = TRACE_AS_CREATE});
    put_map(trace, 1, DATA_VA, (uint64_t)DATA_PAGES * PAGE_BYTES);
    put_map(trace, 2, COMMANDS_VA, (uint64_t)BUFFER_PAGES * PAGE_BYTES);
    put(trace,
        (struct trace_record){.head.kind = TRACE_CHANNEL, .channel = {.channel_id = CHANNEL}});
}

/* Sixteen dwords: WFI-free methods of the channel, NOPs of Host, at a place that moves on. */
static void put_submission(struct big_trace *trace)
{
    const uint32_t id = ++trace->submission_count;
    const uint64_t offset = id % 1024 * 64;
    const struct trace_push push = {.handle = 2, .offset = offset, .length_bytes = 64};
    uint32_t dwords[16];

    for (uint32_t i = 0; i < 16; i += 2) {
        dwords[i] = 1u << 29 | 1u << 16 | 0x008 >> 2; /* Host's NOP, one dword of data */
        dwords[i + 1] = id + i;
    }
    put_mem(trace, COMMANDS_VA + offset, dwords, sizeof dwords);
    put(trace, (struct trace_record){
                   .head.kind = TRACE_SUBMIT,
                   .submit = {.channel_id = CHANNEL, .submission_id = id, .pushes = {&push, 1}}});
    if (id % 16 == 0)
        put(trace, (struct trace_record){.head.kind = TRACE_CPU_WAIT,
                                         .cpu_wait = {.how = TRACE_WAIT_CALL,
                                                      .channel_id = CHANNEL,
                                                      .handle = TRACE_ANY,
                                                      .submission_id = id,
                                                      .begin_ns = trace->time_ns,
                                                      .end_ns = trace->time_ns,
                                                      .call = text("glFinish")}});
}

static void put_page(struct big_trace *trace, const uint8_t *page, uint32_t inline_bytes)
{
    put_mem(trace, DATA_VA + (uint64_t)(trace->page_count++ % DATA_PAGES) * PAGE_BYTES, page,
            PAGE_BYTES);
    trace->bytes -= PAGE_BYTES - inline_bytes;
}

/* New pages, and of REPEATS as many that were new 28 MiB of new pages before. */
static void put_pages(struct big_trace *trace)
{
    for (uint32_t i = 0; i < PAGES_PER_SUBMISSION; i++) {
        uint8_t *page = trace->pages[trace->new_count % REPEAT_PAGES];

        if (trace->kind == BIG_TRACE_REPEATS && trace->new_count >= REPEAT_PAGES)
            put_page(trace, page, 12);
        for (uint32_t at = 0; at < PAGE_BYTES; at += 4) {
            const uint32_t word = random_next(&trace->random);

            memcpy(page + at, &word, sizeof word);
        }
        put_page(trace, page, PAGE_BYTES);
        trace->new_count++;
    }
}

static void put_turn(struct big_trace *trace)
{
    if (trace->kind == BIG_TRACE_PAGES || trace->kind == BIG_TRACE_REPEATS)
        put_pages(trace);
    put_submission(trace);
    trace->time_ns += 1000;
    if (trace->kind != BIG_TRACE_LAG)
        return;
    /* The second thread's first record comes an hour later than the first thread's last. */
    trace->thread_id = 2;
    trace->time_ns += UINT64_C(3600000000000);
    put_submission(trace);
    trace->time_ns -= UINT64_C(3600000000000);
    trace->thread_id = 1;
}

void big_trace_write(int fd, enum big_trace_kind kind, uint64_t raw_bytes)
{
    struct gfe_error error = {0};
    struct big_trace trace = {.kind = kind, .thread_id = 1};

    trace.writer = trace_writer_new(fd, "the big trace", &error);
    trace.pages = malloc((size_t)REPEAT_PAGES * PAGE_BYTES);
    if (!trace.writer || !trace.pages) {
        fprintf(stderr, "big_trace: no memory\n");
        exit(1);
    }
    random_seed(&trace.random, 1, 0);
    put_start(&trace);
    while (trace.bytes < raw_bytes)
        put_turn(&trace);
    put(&trace, (struct trace_record){.head.kind = TRACE_END});
    if (!trace_writer_finish(trace.writer, &error)) {
        fprintf(stderr, "big_trace: %s\n", error.text);
        exit(1);
    }
    trace_writer_free(trace.writer);
    free(trace.pages);
}

uint32_t big_trace_pages(enum big_trace_kind kind)
{
    return BUFFER_PAGES +
           (kind == BIG_TRACE_PAGES || kind == BIG_TRACE_REPEATS ? (uint32_t)DATA_PAGES : 0);
}
