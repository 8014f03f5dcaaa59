/* SPDX-License-Identifier: MIT */
/* Makes .nvt recordings in memory by hand, and imports them.  Uses Check. */
#ifndef TESTS_NVT_RECORDING_H
#define TESTS_NVT_RECORDING_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace_samples.h"
#include "traces/import/import_nvt.h"

/* ---- a recording in memory ------------------------------------------------------------------- */

enum nvt_type {
    DEVICE = 1,
    BO_NEW,
    BO_CLOSE,
    CHAN,
    OBJ,
    SUBMIT,
    PAGES,
    PUSHDATA,
    GPUWRITE,
    NVIF = 11,
    VMBIND,
    EXEC
};

struct recording {
    uint8_t bytes[1 << 16];
    size_t used;
    size_t payload; /* begin of the last record's payload */
    uint64_t time_ns;
};

static inline void add32(struct recording *recording, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        recording->bytes[recording->used++] = (uint8_t)(value >> (8 * i));
}

static inline void add64(struct recording *recording, uint64_t value)
{
    add32(recording, (uint32_t)value);
    add32(recording, (uint32_t)(value >> 32));
}

static inline void add_data(struct recording *recording, const void *data, size_t bytes)
{
    memcpy(recording->bytes + recording->used, data, bytes);
    recording->used += bytes;
}

static inline void begin(struct recording *recording, enum nvt_type type)
{
    memcpy(recording->bytes + recording->used, "NVTR", 4);
    recording->used += 4;
    add32(recording, type);
    add64(recording, recording->time_ns += 10);
    add64(recording, 0);
    recording->payload = recording->used;
}

static inline void end(struct recording *recording)
{
    const size_t used = recording->used;

    recording->used = recording->payload - 8;
    add64(recording, used - recording->payload);
    recording->used = used;
}

static inline void add_words(struct recording *recording, enum nvt_type type, const uint32_t *words,
                             uint32_t count)
{
    begin(recording, type);
    for (uint32_t i = 0; i < count; i++)
        add32(recording, words[i]);
    end(recording);
}
#define ADD(recording, type, ...)                                                                  \
    add_words(recording, type, (const uint32_t[]){__VA_ARGS__},                                    \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Adds BO_NEW: handle, domain, size (2 words), address (2 words), tile mode and flags, align, 0. */
static inline void add_bo(struct recording *recording, uint32_t handle, uint32_t domain,
                          uint32_t size, uint32_t va)
{
    ADD(recording, BO_NEW, handle, domain, size, 0, va, 1, 0, 8, 0, 0);
}

static inline void add_pages(struct recording *recording, uint32_t handle, uint64_t offset,
                             uint32_t bo_va, const void *data, uint32_t length)
{
    begin(recording, PAGES);
    add32(recording, handle);
    add32(recording, length);
    add64(recording, offset);
    add64(recording, (1ull << 32) + bo_va + offset);
    add_data(recording, data, length);
    end(recording);
}

/* Adds a submission with one buffer in its list, and one push entry in that buffer. */
static inline void add_submit(struct recording *recording, uint32_t handle, uint32_t bo_index,
                              uint64_t offset, uint64_t length)
{
    begin(recording, SUBMIT);
    add32(recording, 0); /* channel */
    add32(recording, 1); /* buffers */
    add64(recording, 0);
    add32(recording, 0); /* relocations */
    add32(recording, 1); /* pushes */
    for (int i = 0; i < 10; i++)
        add32(recording, 0);
    add64(recording, 0); /* the buffer: user_priv, handle, domains, presumed */
    add32(recording, handle);
    for (int i = 0; i < 7; i++)
        add32(recording, 0);
    add32(recording, bo_index);
    add32(recording, 0);
    add64(recording, offset);
    add64(recording, length);
    end(recording);
}

static inline void add_pushdata(struct recording *recording, uint32_t handle, uint64_t offset,
                                uint64_t length, const void *data, uint32_t bytes)
{
    begin(recording, PUSHDATA);
    add32(recording, 0);
    add32(recording, handle);
    add64(recording, offset);
    add64(recording, 0);
    add64(recording, length);
    add_data(recording, data, bytes);
    end(recording);
}

static const uint8_t push_bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static inline struct recording *recording_begin(void)
{
    struct recording *recording = calloc(1, sizeof *recording);

    recording->time_ns = 5000;
    ADD(recording, DEVICE, 0x136, 0x1c03, 0xa02, 6);
    ADD(recording, OBJ, 0, 0, 0x80, 1); /* the device itself */
    add_bo(recording, 1, 4, 0x1000, 0x1000);
    ADD(recording, CHAN, 0, 0, 1, 1);
    ADD(recording, OBJ, 0, 0xbeef00c0, 0xc1c0, 1);
    add_bo(recording, 2, 2, 0x4000, 0x10000);
    return recording;
}

static inline struct recording *small_recording(void)
{
    struct recording *recording = recording_begin();

    add_pages(recording, 2, 0x100, 0x10000, push_bytes, sizeof push_bytes);
    add_submit(recording, 2, 0, 0x100, sizeof push_bytes);
    add_pushdata(recording, 2, 0x100, sizeof push_bytes, push_bytes, sizeof push_bytes);
    ADD(recording, GPUWRITE, 0x1010, 1, 4, 2, 77); /* in buffer 1 */
    ADD(recording, NVIF, 1, 2, 3);
    add_submit(recording, 2, 0, 0x100, 16 | 1 << 23); /* no prefetch */
    add_pushdata(recording, 2, 0x100, 16 | 1 << 23, push_bytes, 16);
    ADD(recording, BO_CLOSE, 2, 0);
    return recording;
}

/* ---- importing ------------------------------------------------------------------------------- */

static inline bool import(const struct recording *recording, struct memory_file *trace,
                          struct gfe_error *error)
{
    FILE *file = fmemopen((void *)(uintptr_t)recording->bytes, recording->used, "rb");

    *trace = memory_file_new("", 0);
    const bool done = import_nvt(file, "F.nvt", trace->fd, "F.gft", error);
    fclose(file);
    return done;
}

static inline struct trace_reader *must_import(const struct recording *recording)
{
    struct memory_file trace;
    struct gfe_error error = {0};

    ck_assert_msg(import(recording, &trace, &error), "%s", error.text);
    struct trace_reader *reader = trace_reader_open(trace.path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    memory_file_free(&trace);
    return reader;
}

static inline struct trace_record next(struct trace_reader *reader, enum trace_kind kind)
{
    struct trace_record record;
    struct gfe_error error = {0};

    ck_assert_msg(trace_read(reader, &record, &error) == TRACE_GOT, "%s", error.text);
    ck_assert_msg(record.head.kind == kind, "%s", trace_record_row(record.head.kind)->name);
    return record;
}

#endif
