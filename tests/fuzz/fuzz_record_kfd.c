/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_record_kfd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/record/kfd/record_kfd.h"
#include "traces/record/kfd/record_kfd_uapi.h"
#include "traces/format/trace.h"

#define VA UINT64_C(0x7f0000000000)
enum {
    PAGE = 4096,
    MEMORY_BYTES = 16 * PAGE, /* of the first object, at VA */
    RING = 0,
    SDMA_RING = PAGE,
    INDICES = 2 * PAGE,
    DOORBELLS_BYTES = 2 * PAGE,
    BUFFER_BYTES = 16 * PAGE,
    OBJECT_BYTES_MAX = 1 << 20,
    OPERATIONS_MAX = 200,
    STEPS_MAX = 64,
    ARGUMENT_WORDS = 32,
    HANDLES = 8,
};

struct fuzz_kfd {
    const uint8_t *data;
    size_t bytes, at;
    struct record_kfd *kfd;
    struct record_kfd_numbers numbers;
    struct record_out out;
    int trace_fd;
    uint64_t now_ns;
    uint8_t *memory, *doorbells; /* the program's views of the first object and the doorbells */
    uint8_t *buffer;             /* of the program itself, page by page */
    uint64_t handles[HANDLES];
    uint32_t handle_count;
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* ---- the input ------------------------------------------------------------------------------- */

static uint64_t fuzz_take(struct fuzz_kfd *fuzz, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count && fuzz->at < fuzz->bytes; i++)
        value |= (uint64_t)fuzz->data[fuzz->at++] << 8 * i;
    return value;
}

static uint64_t fuzz_value(struct fuzz_kfd *fuzz)
{
    const uint8_t from = (uint8_t)fuzz_take(fuzz, 1);

    switch (from % 10) {
    case 0:
        return 0;
    case 1:
        return fuzz_take(fuzz, 1);
    case 2:
        return fuzz_take(fuzz, 4);
    case 3:
        return fuzz_take(fuzz, 8);
    case 4:
        return VA + fuzz_take(fuzz, 2);
    case 5:
        return fuzz->handle_count ? fuzz->handles[fuzz_take(fuzz, 1) % fuzz->handle_count] : 1;
    case 6:
        return record_kfd_gpu_id(0);
    case 7:
        return (uintptr_t)fuzz->buffer + fuzz_take(fuzz, 2) % (BUFFER_BYTES / 2);
    case 8:
        return UINT64_C(1) << fuzz_take(fuzz, 1) % 64;
    default:
        return UINT64_MAX - fuzz_take(fuzz, 1);
    }
}

static struct record_caller fuzz_caller(struct fuzz_kfd *fuzz)
{
    fuzz->now_ns += 1000;
    return (struct record_caller){.thread_id = 1, .now_ns = fuzz->now_ns, .begin_ns = fuzz->now_ns};
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int fuzz_call(struct fuzz_kfd *fuzz, unsigned nr, void *argument, size_t bytes)
{
    const struct record_caller who = fuzz_caller(fuzz);
    struct record_kfd_wait wait = {0};

    return record_kfd_ioctl(fuzz->kfd, &who, _IOC(_IOC_READ | _IOC_WRITE, KFD_TYPE, nr, bytes),
                            (uintptr_t)argument, &wait);
}
#define CALL(fuzz, nr, argument) fuzz_call((fuzz), (nr), (argument), sizeof *(argument))

/* Memory of the program's own: of the buffer.  Not so much that filling it takes long. */
static void fuzz_tame(const struct fuzz_kfd *fuzz, struct kfd_alloc_memory *alloc)
{
    if (alloc->bytes > OBJECT_BYTES_MAX && alloc->bytes < UINT64_MAX / 2)
        alloc->bytes = OBJECT_BYTES_MAX;
    if (!(alloc->flags & KFD_MEMORY_USERPTR))
        return;
    alloc->bytes = 1 + alloc->bytes % (BUFFER_BYTES / 2);
    alloc->mmap_offset =
        (uintptr_t)fuzz->buffer + alloc->mmap_offset % (BUFFER_BYTES / 2 / PAGE) * PAGE;
}

static void fuzz_ioctl(struct fuzz_kfd *fuzz)
{
    static const uint8_t sizes[] = {8, 16, 24, 32, 40, 48, 88, 96};
    uint64_t words[ARGUMENT_WORDS] = {0};
    const unsigned nr = (unsigned)fuzz_take(fuzz, 1) % (KFD_NR_END + 2);
    const uint64_t how = fuzz_take(fuzz, 1);
    const size_t size = how < 8 ? sizes[how] : how % (sizeof words + 1);
    const struct record_caller who = fuzz_caller(fuzz);
    struct record_kfd_wait wait = {0};
    int result;

    for (uint32_t i = 0; 8 * i < size && i < ARGUMENT_WORDS; i++)
        words[i] = how & 8 ? fuzz_value(fuzz) << 32 | (uint32_t)fuzz_value(fuzz) : fuzz_value(fuzz);
    if (nr == KFD_ALLOC_MEMORY) {
        struct kfd_alloc_memory alloc;

        memcpy(&alloc, words, sizeof alloc);
        alloc.gpu_id = how & 16 ? alloc.gpu_id : record_kfd_gpu_id(0);
        fuzz_tame(fuzz, &alloc);
        memcpy(words, &alloc, sizeof alloc);
    }
    result = record_kfd_ioctl(fuzz->kfd, &who,
                              _IOC(how & 32 ? 3u : (unsigned)how & 3, KFD_TYPE, nr, size),
                              how & 64 ? fuzz_value(fuzz) | 1 : (uintptr_t)words, &wait);
    must(result <= 0 || result == RECORD_KFD_AGAIN);
    if (nr == KFD_ALLOC_MEMORY && result == 0)
        fuzz->handles[fuzz->handle_count++ % HANDLES] = words[2];
    if (fuzz->handle_count > HANDLES)
        fuzz->handle_count = HANDLES;
}

static void fuzz_drm(struct fuzz_kfd *fuzz)
{
    uint64_t words[8] = {0};
    const unsigned nr = (unsigned)fuzz_take(fuzz, 1);
    const size_t size = fuzz_take(fuzz, 1) % sizeof words;
    const struct record_caller who = fuzz_caller(fuzz);

    for (uint32_t i = 0; i < 4; i++)
        words[i] = fuzz_value(fuzz);
    must(record_kfd_drm(fuzz->kfd, &who, 0, _IOC(3u, 'd', 0x40 + nr % 0x50, size),
                        (uintptr_t)words) <= 0);
    must(record_kfd_drm(fuzz->kfd, &who, 0, _IOC(3u, 'd', nr, size), (uintptr_t)words) <= 0);
}

/* A queue that does what its ring says. */
static void fuzz_queue(struct fuzz_kfd *fuzz)
{
    const bool sdma = fuzz_take(fuzz, 1) & 1;
    struct kfd_create_queue create = {.ring_address = VA + (sdma ? SDMA_RING : RING),
                                      .ring_bytes = PAGE,
                                      .write_address = VA + INDICES + (sdma ? 0x400 : 56),
                                      .read_address = VA + INDICES + (sdma ? 0x408 : 128),
                                      .gpu_id = record_kfd_gpu_id(0),
                                      .type = sdma ? KFD_QUEUE_SDMA : KFD_QUEUE_AQL,
                                      .percentage = 100,
                                      .priority = 7};

    (void)CALL(fuzz, KFD_CREATE_QUEUE, &create);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void fuzz_store(struct fuzz_kfd *fuzz)
{
    const size_t at = fuzz_take(fuzz, 2) % MEMORY_BYTES;
    const size_t count = fuzz_take(fuzz, 1);

    for (size_t i = 0; i < count && at + i < MEMORY_BYTES; i++)
        fuzz->memory[at + i] = (uint8_t)fuzz_take(fuzz, 1);
}

/* A packet, some words of which are values. */
static void fuzz_packet(struct fuzz_kfd *fuzz)
{
    uint8_t *at = fuzz->memory + fuzz_take(fuzz, 1) % (2 * PAGE / 64) * 64;
    uint64_t words[8];

    words[0] = fuzz_take(fuzz, 4) | fuzz_take(fuzz, 4) << 32;
    for (uint32_t i = 1; i < 8; i++)
        words[i] = fuzz_value(fuzz);
    memcpy(at, words, sizeof words);
}

static void fuzz_ring(struct fuzz_kfd *fuzz)
{
    const struct record_caller who = fuzz_caller(fuzz);
    const uint64_t how = fuzz_take(fuzz, 1);
    const size_t at = how & 1 ? fuzz_take(fuzz, 2) % DOORBELLS_BYTES : (size_t)(how >> 1) % 16 * 8;

    record_kfd_ring(fuzz->kfd, &who, fuzz->doorbells + at, fuzz_value(fuzz), how & 64 ? 4 : 8);
}

static void fuzz_steps(struct fuzz_kfd *fuzz)
{
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        const struct record_caller who = fuzz_caller(fuzz);

        if (record_kfd_step(fuzz->kfd, &who) != RECORD_KFD_BUSY)
            return;
    }
}

static void fuzz_mapping(struct fuzz_kfd *fuzz)
{
    struct record_kfd_mapping mapping;
    const uint64_t offset = fuzz_value(fuzz), bytes = fuzz_value(fuzz);

    (void)record_kfd_map(fuzz->kfd, offset, bytes, &mapping);
}

static void fuzz_poll(struct fuzz_kfd *fuzz)
{
    const struct record_caller who = fuzz_caller(fuzz);
    size_t bytes;

    must(record_kfd_poll(fuzz->kfd, &who, fuzz->doorbells, &bytes) == fuzz->doorbells);
}

static void fuzz_operation(struct fuzz_kfd *fuzz)
{
    static void (*const operations[])(struct fuzz_kfd * fuzz) = {
        fuzz_ioctl, fuzz_store, fuzz_packet,  fuzz_ring,   fuzz_steps, fuzz_queue,
        fuzz_drm,   fuzz_ioctl, fuzz_mapping, fuzz_packet, fuzz_ring,  fuzz_poll};

    operations[fuzz_take(fuzz, 1) % (sizeof operations / sizeof operations[0])](fuzz);
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void fuzz_trace(struct fuzz_kfd *fuzz)
{
    struct trace_record meta = {0};
    struct gfe_error error = {0};
    const struct record_caller who = fuzz_caller(fuzz);

    fuzz->trace_fd = memfd_create("trace", 0);
    fuzz->out = (struct record_out){.process_id = 1,
                                    .writer = trace_writer_new(fuzz->trace_fd, "t", &error)};
    must(fuzz->out.writer != NULL);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&fuzz->out, &who, TRACE_META, &meta);
}

/* The first object: both rings, indices and more, seen by program and GPU. */
static void fuzz_memory(struct fuzz_kfd *fuzz)
{
    uint32_t gpu = record_kfd_gpu_id(0);
    struct kfd_alloc_memory alloc = {
        .va = VA, .bytes = MEMORY_BYTES, .gpu_id = gpu, .flags = KFD_MEMORY_GTT};
    struct kfd_map_memory map = {.gpus_pointer = (uintptr_t)&gpu, .gpu_count = 1};
    struct record_kfd_mapping mapping;

    must(CALL(fuzz, KFD_ALLOC_MEMORY, &alloc) == 0);
    map.handle = fuzz->handles[fuzz->handle_count++] = alloc.handle;
    must(CALL(fuzz, KFD_MAP_MEMORY, &map) == 0);
    must(record_kfd_map(fuzz->kfd, alloc.mmap_offset, MEMORY_BYTES, &mapping));
    fuzz->memory =
        mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, mapping.fd, mapping.offset);
    must(fuzz->memory != MAP_FAILED);
    for (uint32_t i = 0; i < PAGE; i += 64)
        fuzz->memory[RING + i] = 1; /* INVALID */
    must(record_kfd_map(fuzz->kfd, KFD_MMAP_TYPE_DOORBELL | (uint64_t)gpu << KFD_MMAP_GPU_SHIFT,
                        DOORBELLS_BYTES, &mapping));
    fuzz->doorbells =
        mmap(NULL, DOORBELLS_BYTES, PROT_READ, MAP_SHARED, mapping.fd, mapping.offset);
    must(fuzz->doorbells != MAP_FAILED);
    record_kfd_doorbells_at(fuzz->kfd, mapping.gpu, fuzz->doorbells, DOORBELLS_BYTES, true);
}

/* All that was recorded can be read. */
static void fuzz_read(struct fuzz_kfd *fuzz)
{
    struct trace_record record = {.end = {.how = TRACE_END_EXIT}};
    struct gfe_error error = {0};
    const struct record_caller who = fuzz_caller(fuzz);
    struct trace_reader *reader;
    enum trace_result result;
    char path[40];

    record_out_put(&fuzz->out, &who, TRACE_END, &record);
    must(!fuzz->out.failed && trace_writer_finish(fuzz->out.writer, &error));
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz->trace_fd);
    reader = trace_reader_open(path, &error);
    must(reader != NULL);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        ;
    must(result == TRACE_AT_END);
    trace_reader_free(reader);
}

int fuzz_record_kfd(const uint8_t *data, size_t bytes)
{
    const struct record_kfd_board *boards[] = {record_kfd_board_find("radeon-vii")};
    struct fuzz_kfd fuzz = {.data = data, .bytes = bytes};

    fuzz_trace(&fuzz);
    fuzz.buffer =
        mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(fuzz.buffer != MAP_FAILED);
    fuzz.kfd = record_kfd_new(boards, 1, &fuzz.out, &fuzz.numbers);
    must(fuzz.kfd != NULL);
    fuzz_memory(&fuzz);
    for (uint32_t i = 0; i < OPERATIONS_MAX && fuzz.at < bytes; i++)
        fuzz_operation(&fuzz);
    fuzz_steps(&fuzz);
    fuzz_read(&fuzz);
    record_kfd_free(fuzz.kfd);
    trace_writer_free(fuzz.out.writer);
    close(fuzz.trace_fd);
    munmap(fuzz.memory, MEMORY_BYTES);
    munmap(fuzz.doorbells, DOORBELLS_BYTES);
    munmap(fuzz.buffer, BUFFER_BYTES);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_record_kfd(data, bytes);
}
#endif
