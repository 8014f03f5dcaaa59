/* SPDX-License-Identifier: MIT */
/*
 * The stand-in's driver in this process, as a client of the old interface uses it, and a short form
 * of the resulting records.  Only one may exist at a time.  Uses Check.
 */
#ifndef TESTS_RECORD_CLIENT_H
#define TESTS_RECORD_CLIENT_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/record_tree.h"
#include "traces/record/nouveau/record_uapi.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES, RECORDS_MAX = 400, TEXT_BYTES = 100 };

#define DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

static struct record_memory *memory;
static struct record_out out;
static struct record_nouveau *nouveau;
static int trace_fd, node_fd;
static uint64_t now_ns;
static char directory[32]; /* for PRIME's files */

static inline void setup(void)
{
    const struct record_caller caller = {.thread_id = 1};
    struct trace_record meta = {0};
    struct gfe_error error = {0};

    now_ns = 0;
    snprintf(directory, sizeof directory, "/tmp/gfe-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    memory = record_memory_new(&error);
    ck_assert_msg(memory != NULL, "%s", error.text);
    trace_fd = memfd_create("trace", 0);
    ck_assert_int_ge(trace_fd, 0);
    out = (struct record_out){.process_id = 1, .writer = trace_writer_new(trace_fd, "t", &error)};
    ck_assert_ptr_nonnull(out.writer);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&out, &caller, TRACE_META, &meta);
    nouveau = record_nouveau_new(record_board_find("gtx1060"), memory, &out, NULL, directory);
    ck_assert_ptr_nonnull(nouveau);
    node_fd = record_nouveau_open(nouveau, &caller, O_CLOEXEC);
    ck_assert_int_ge(node_fd, 0);
}

static inline void teardown(void)
{
    record_nouveau_free(nouveau);
    record_memory_free(memory);
    trace_writer_free(out.writer);
    close(trace_fd);
    close(node_fd);
    ck_assert(record_tree_remove(directory));
}

static inline int call(unsigned long request, void *argument)
{
    const struct record_caller caller = {.thread_id = 1, .now_ns = ++now_ns};

    return record_nouveau_ioctl(nouveau, &caller, node_fd, request, (uintptr_t)argument);
}

/* ---- reading the trace back ------------------------------------------------------------------ */

/* The short form of a record: the fields that the tests check. */
struct seen {
    enum trace_kind kind;
    uint64_t a, b, c;
    char text[TEXT_BYTES];
};
static struct seen seen[RECORDS_MAX];
static unsigned seen_count;

static inline struct seen seen_of(const struct trace_record *record)
{
    struct seen is = {.kind = (enum trace_kind)record->head.kind};

    switch (is.kind) {
    case TRACE_AS_MAP:
        is.a = record->as_map.va;
        is.b = record->as_map.size_bytes;
        is.c = record->as_map.aperture;
        break;
    case TRACE_MEM:
        is.a = record->mem.address;
        is.b = record->mem.data.length;
        break;
    case TRACE_SUBMIT:
        is.a = record->submit.pushes.count;
        is.b = record->submit.seen_address;
        is.c = record->submit.seen_value;
        break;
    case TRACE_GPU_WRITE:
        is.a = record->gpu_write.address;
        is.b = record->gpu_write.data.length;
        memcpy(&is.c, record->gpu_write.data.data, 4);
        break;
    case TRACE_OBJECT:
        is.a = record->object.channel_id;
        is.b = record->object.class_id;
        break;
    case TRACE_CPU_WAIT:
        is.a = record->cpu_wait.handle;
        is.b = record->cpu_wait.submission_id;
        break;
    case TRACE_MARK:
        snprintf(is.text, sizeof is.text, "%s", record->mark.text.text);
        break;
    default:
        break;
    }
    return is;
}

/* Ends the trace and fills `seen`. */
static inline void trace_end(void)
{
    const struct record_caller caller = {.thread_id = 1, .now_ns = now_ns};
    struct trace_record record = {0};
    struct gfe_error error = {0};
    struct trace_reader *reader;
    char path[TEXT_BYTES];

    record.end.record_count = trace_writer_record_count(out.writer);
    record_out_put(&out, &caller, TRACE_END, &record);
    ck_assert(!out.failed && trace_writer_finish(out.writer, &error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", trace_fd);
    reader = trace_reader_open(path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    seen_count = 0;
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        ck_assert_uint_lt(seen_count, RECORDS_MAX);
        seen[seen_count++] = seen_of(&record);
    }
    ck_assert_msg(!error.text[0], "%s", error.text);
    trace_reader_free(reader);
}

/* Returns the n-th record of a kind, which must exist. */
static inline const struct seen *record_at(enum trace_kind kind, unsigned n)
{
    for (unsigned i = 0; i < seen_count; i++)
        if (seen[i].kind == kind && n-- == 0)
            return &seen[i];
    ck_abort_msg("too few records of kind %d", kind);
    return NULL;
}

static inline unsigned record_count(enum trace_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < seen_count; i++)
        count += seen[i].kind == kind;
    return count;
}

/* ---- actions of a driver in user space ------------------------------------------------------- */

static inline struct uapi_gem_info object_new(uint64_t size, uint32_t domain)
{
    struct uapi_gem_new wanted = {.info = {.size = size, .domain = domain}};

    ck_assert_int_eq(call(DRM(UAPI_GEM_NEW, struct uapi_gem_new), &wanted), 0);
    return wanted.info;
}

static inline int32_t channel_new(void)
{
    struct uapi_channel_alloc alloc = {.fb_ctxdma = UINT32_MAX, .tt_ctxdma = 1};

    ck_assert_int_eq(call(DRM(UAPI_CHANNEL_ALLOC, struct uapi_channel_alloc), &alloc), 0);
    return alloc.channel;
}

/* Returns the program's mapping of an object. */
static inline uint32_t *object_map(const struct uapi_gem_info *info)
{
    void *bytes = mmap(NULL, info->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                       record_memory_fd(memory), (off_t)info->map_handle);

    ck_assert_ptr_ne(bytes, MAP_FAILED);
    return bytes;
}

/* A submission with up to two pushes of one object. */
struct submission {
    struct uapi_gem_pushbuf pushbuf;
    struct uapi_pushbuf_buffer buffers[2];
    struct uapi_pushbuf_push pushes[2];
    struct uapi_pushbuf_reloc relocs[1];
};

static inline struct submission *submission_of(struct submission *submission, int32_t channel,
                                               const struct uapi_gem_info *info, uint64_t length)
{
    *submission = (struct submission){
        .pushbuf = {.channel = (uint32_t)channel,
                    .buffer_count = 1,
                    .push_count = 1,
                    .buffers = (uintptr_t)submission->buffers,
                    .pushes = (uintptr_t)submission->pushes,
                    .relocs = (uintptr_t)submission->relocs},
        .buffers = {{.handle = info->handle}},
        .pushes = {{.length = length}},
    };
    return submission;
}

static inline int submit(struct submission *submission)
{
    return call(DRM(UAPI_GEM_PUSHBUF, struct uapi_gem_pushbuf), &submission->pushbuf);
}

/* Writes a 3D object on subchannel 0 and a fence like Mesa's.  Returns the number of bytes. */
static inline uint64_t put_fence(uint32_t *at, uint64_t va, uint32_t value)
{
    const uint32_t dwords[] = {0x20010000,   0xc197, 0x200406c0, (uint32_t)(va >> 32),
                               (uint32_t)va, value,  0x1000f010};

    memcpy(at, dwords, sizeof dwords);
    return sizeof dwords;
}

#endif
