/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_kfd.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/format/trace_dump.h"

struct check_kfd check_kfd;

static struct record_kfd_numbers numbers;
static uint64_t now_ns;
static int trace_fd;

struct record_caller check_kfd_caller(void)
{
    now_ns += 1000;
    return (struct record_caller){.thread_id = 1, .now_ns = now_ns, .begin_ns = now_ns};
}

int check_kfd_call(unsigned nr, void *argument, size_t bytes)
{
    const struct record_caller who = check_kfd_caller();

    return record_kfd_ioctl(check_kfd.kfd, &who, _IOC(_IOC_READ | _IOC_WRITE, KFD_TYPE, nr, bytes),
                            (uintptr_t)argument, &check_kfd.wait);
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void trace_begin(void)
{
    struct trace_record meta = {0};
    struct gfe_error error = {0};
    const struct record_caller who = check_kfd_caller();

    trace_fd = memfd_create("trace", 0);
    check_kfd.out =
        (struct record_out){.process_id = 1, .writer = trace_writer_new(trace_fd, "t", &error)};
    ck_assert_ptr_nonnull(check_kfd.out.writer);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&check_kfd.out, &who, TRACE_META, &meta);
}

static void object_map(uint64_t handle)
{
    uint32_t gpu = record_kfd_gpu_id(0);
    struct kfd_map_memory map = {.handle = handle, .gpus_pointer = (uintptr_t)&gpu, .gpu_count = 1};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_MAP_MEMORY, &map), 0);
    ck_assert_uint_eq(map.success_count, 1);
}

static void memory_begin(void)
{
    struct kfd_alloc_memory alloc = {.va = CHECK_KFD_VA,
                                     .bytes = CHECK_KFD_BYTES,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .flags = KFD_MEMORY_USERPTR};

    check_kfd.memory =
        mmap(NULL, CHECK_KFD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alloc.mmap_offset = (uintptr_t)check_kfd.memory;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &alloc), 0);
    object_map(alloc.handle);
    for (unsigned i = 0; i < CHECK_KFD_SLOTS; i++)
        check_kfd.memory[CHECK_KFD_RING + i * 64] = 1; /* INVALID */
}

static void doorbells_begin(void)
{
    struct record_kfd_mapping mapping;

    ck_assert(record_kfd_map(check_kfd.kfd,
                             KFD_MMAP_TYPE_DOORBELL | (uint64_t)record_kfd_gpu_id(0)
                                                          << KFD_MMAP_GPU_SHIFT,
                             2 * CHECK_KFD_PAGE, &mapping));
    ck_assert(mapping.is_doorbells);
    check_kfd.doorbells =
        mmap(NULL, 2 * CHECK_KFD_PAGE, PROT_READ, MAP_SHARED, mapping.fd, mapping.offset);
    ck_assert_ptr_ne(check_kfd.doorbells, MAP_FAILED);
    record_kfd_doorbells_at(check_kfd.kfd, mapping.gpu, check_kfd.doorbells, 2 * CHECK_KFD_PAGE,
                            true);
}

void check_kfd_begin(const char *gpus)
{
    const struct record_kfd_board *boards[RECORD_KFD_GPUS_MAX];
    const unsigned count = record_kfd_board_list(gpus, boards);

    ck_assert_uint_gt(count, 0);
    memset(&check_kfd, 0, sizeof check_kfd);
    numbers = (struct record_kfd_numbers){0};
    now_ns = 0;
    trace_begin();
    check_kfd.kfd = record_kfd_new(boards, count, &check_kfd.out, &numbers);
    ck_assert_ptr_nonnull(check_kfd.kfd);
    memory_begin();
    doorbells_begin();
}

void check_kfd_free(void)
{
    record_kfd_free(check_kfd.kfd);
    trace_writer_free(check_kfd.out.writer);
    close(trace_fd);
    munmap(check_kfd.memory, CHECK_KFD_BYTES);
    munmap(check_kfd.doorbells, 2 * CHECK_KFD_PAGE);
    free(check_kfd.text);
    memset(&check_kfd, 0, sizeof check_kfd);
}

/* ---- what a program does --------------------------------------------------------------------- */

struct kfd_alloc_memory check_kfd_object(uint64_t va, uint64_t bytes, uint32_t flags)
{
    struct kfd_alloc_memory alloc = {
        .va = va, .bytes = bytes, .gpu_id = record_kfd_gpu_id(0), .flags = flags};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &alloc), 0);
    object_map(alloc.handle);
    return alloc;
}

struct kfd_create_queue check_kfd_queue(uint32_t type)
{
    struct kfd_create_queue create = {.ring_address = CHECK_KFD_VA + CHECK_KFD_RING,
                                      .ring_bytes = CHECK_KFD_PAGE,
                                      .write_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 56,
                                      .read_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 128,
                                      .gpu_id = record_kfd_gpu_id(0),
                                      .type = type,
                                      .percentage = 100,
                                      .priority = 7};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    ck_assert_uint_eq(create.doorbell_offset >> 62, 3);
    return create;
}

uint64_t check_kfd_word(uint32_t at)
{
    uint64_t value;

    memcpy(&value, check_kfd.memory + at, sizeof value);
    return value;
}

void check_kfd_set(uint32_t at, uint64_t value)
{
    memcpy(check_kfd.memory + at, &value, sizeof value);
}

void check_kfd_ring(const struct kfd_create_queue *queue, uint64_t value)
{
    const struct record_caller who = check_kfd_caller();

    record_kfd_ring(check_kfd.kfd, &who,
                    (uint8_t *)check_kfd.doorbells + (queue->doorbell_offset & 0x1fff), value, 8);
}

enum record_kfd_left check_kfd_settle(void)
{
    enum record_kfd_left left;
    struct record_caller who;

    do {
        who = check_kfd_caller();
        left = record_kfd_step(check_kfd.kfd, &who);
    } while (left == RECORD_KFD_BUSY);
    return left;
}

/* ---- what came of it ------------------------------------------------------------------------- */

const char *check_kfd_end(void)
{
    struct trace_record record = {.end = {.how = TRACE_END_EXIT}};
    struct gfe_error error = {0};
    const struct record_caller who = check_kfd_caller();
    struct trace_reader *reader;
    size_t bytes;
    char path[40];
    FILE *file = open_memstream(&check_kfd.text, &bytes);

    record_out_put(&check_kfd.out, &who, TRACE_END, &record);
    ck_assert(!check_kfd.out.failed && trace_writer_finish(check_kfd.out.writer, &error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", trace_fd);
    reader = trace_reader_open(path, &error);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        trace_dump(file, &record);
    ck_assert_msg(!error.text[0], "%s", error.text);
    fclose(file);
    trace_reader_free(reader);
    return check_kfd.text;
}
