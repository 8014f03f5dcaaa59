/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suites.h"
#include "traces/record/record_memory.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES, TOLD_MAX = 32 };

static struct record_memory *memory;

/* What record_memory_changes() told. */
static struct told {
    unsigned count;
    uint64_t va[TOLD_MAX];
    uint32_t bytes[TOLD_MAX];
    uint8_t first[TOLD_MAX];
} told;

static void setup(void)
{
    struct gfe_error error = {0};

    memory = record_memory_new(&error);
    ck_assert_msg(memory != NULL, "%s", error.text);
}

static void teardown(void)
{
    record_memory_free(memory);
}

/* The buffer in this process. */
static uint8_t *at(const struct record_buffer *buffer)
{
    uint8_t *bytes = record_memory_bytes(memory, buffer);

    ck_assert_ptr_nonnull(bytes);
    return bytes;
}

static void tell(void *context, const struct record_buffer *buffer, uint64_t va,
                 const uint8_t *data, uint32_t bytes)
{
    (void)buffer;
    ck_assert_ptr_eq(context, &told);
    ck_assert_uint_lt(told.count, TOLD_MAX);
    told.va[told.count] = va;
    told.bytes[told.count] = bytes;
    told.first[told.count++] = data[0];
}

static unsigned changes(struct record_buffer *buffer)
{
    told = (struct told){0};
    record_memory_changes(memory, buffer, tell, &told);
    return told.count;
}

START_TEST(a_new_buffer_has_no_changes)
{
    ck_assert_uint_eq(changes(record_memory_add(memory, 10 * PAGE, 0)), 0);
}
END_TEST

START_TEST(a_change_is_told_once_with_its_address)
{
    struct record_buffer *buffer = record_memory_add(memory, 10 * PAGE, 0);

    at(buffer)[3 * PAGE + 5] = 7;
    ck_assert_uint_eq(changes(buffer), 1);
    ck_assert_uint_eq(told.va[0], record_memory_va(buffer) + 3 * PAGE + 4);
    ck_assert_uint_eq(told.bytes[0], 4);
    ck_assert_uint_eq(changes(buffer), 0);
    at(buffer)[3 * PAGE + 5] = 0;
    ck_assert_uint_eq(changes(buffer), 1);
}
END_TEST

START_TEST(a_change_ends_with_its_page)
{
    struct record_buffer *buffer = record_memory_add(memory, 4 * PAGE, 0);

    memset(at(buffer) + PAGE - 8, 1, 16);
    memset(at(buffer) + 4 * PAGE - 4, 1, 4);
    ck_assert_uint_eq(changes(buffer), 3);
    ck_assert_uint_eq(told.bytes[0], 8);
    ck_assert_uint_eq(told.bytes[1], 8);
    ck_assert_uint_eq(told.va[1], record_memory_va(buffer) + PAGE);
    ck_assert_uint_eq(told.va[2], record_memory_va(buffer) + 4 * PAGE - 4);
}
END_TEST

START_TEST(near_changes_are_told_as_one_and_far_ones_apart)
{
    struct record_buffer *buffer = record_memory_add(memory, PAGE, 0);

    at(buffer)[0] = 1;
    at(buffer)[RECORD_MEMORY_JOIN_BYTES] = 2;
    at(buffer)[1000] = 3;
    ck_assert_uint_eq(changes(buffer), 2);
    ck_assert_uint_eq(told.bytes[0], RECORD_MEMORY_JOIN_BYTES + 4);
    ck_assert_uint_eq(told.first[1], 3);
}
END_TEST

START_TEST(what_was_written_for_the_gpu_is_not_told)
{
    struct record_buffer *buffer = record_memory_add(memory, 2 * PAGE, 0);
    const uint32_t value = 0x12345678;

    ck_assert(record_memory_gpu_write(memory, record_memory_va(buffer) + 8, &value, 4));
    ck_assert_int_eq(memcmp(at(buffer) + 8, &value, 4), 0);
    ck_assert_uint_eq(changes(buffer), 0);
    /* Changes around it are told without it, however near. */
    at(buffer)[4] = 1;
    at(buffer)[12] = 2;
    ck_assert_uint_eq(changes(buffer), 2);
    ck_assert_uint_eq(told.bytes[0], 4);
    ck_assert_uint_eq(told.bytes[1], 4);
    ck_assert_uint_eq(told.va[1], record_memory_va(buffer) + 12);
}
END_TEST

START_TEST(the_cpu_taking_a_completion_back_is_told)
{
    struct record_buffer *buffer = record_memory_add(memory, PAGE, 0);
    const uint32_t value = 1;

    ck_assert(record_memory_gpu_write(memory, record_memory_va(buffer), &value, 4));
    memset(at(buffer), 0, 4);
    ck_assert_uint_eq(changes(buffer), 1);
    ck_assert_uint_eq(told.first[0], 0);
}
END_TEST

START_TEST(a_write_for_the_gpu_may_cross_pages_but_not_buffers)
{
    struct record_buffer *buffer = record_memory_add(memory, 2 * PAGE, 0);
    const uint8_t words[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const uint64_t va = record_memory_va(buffer);
    uint8_t read[16];

    ck_assert(record_memory_gpu_write(memory, va + PAGE - 8, words, 16));
    ck_assert(record_memory_read(memory, va + PAGE - 8, read, 16));
    ck_assert_mem_eq(read, words, 16);
    ck_assert_uint_eq(changes(buffer), 0);
    ck_assert(!record_memory_gpu_write(memory, va + 2 * PAGE - 8, words, 16));
    ck_assert(!record_memory_gpu_write(memory, va - 4, words, 4));
    ck_assert(!record_memory_gpu_write(memory, 0, words, 4));
    ck_assert(!record_memory_gpu_write(memory, UINT64_MAX, words, 4));
    ck_assert(!record_memory_read(memory, va + 2 * PAGE, read, 4));
}
END_TEST

START_TEST(sizes_and_addresses_are_rounded_up)
{
    const struct record_buffer *first = record_memory_add(memory, 1, 0);
    const struct record_buffer *second = record_memory_add(memory, PAGE + 1, 100000);

    ck_assert_uint_eq(first->size_bytes, PAGE);
    ck_assert_uint_eq(record_memory_va(first), RECORD_MEMORY_VA_BASE);
    ck_assert_uint_eq(second->size_bytes, 2 * PAGE);
    ck_assert_uint_eq(second->offset, 128 << 10);
}
END_TEST

START_TEST(sizes_without_room_are_refused)
{
    ck_assert_ptr_null(record_memory_add(memory, 0, 0));
    ck_assert_ptr_null(record_memory_add(memory, RECORD_MEMORY_WINDOW_BYTES + 1, 0));
    ck_assert_ptr_null(record_memory_add(memory, UINT64_MAX, UINT64_MAX));
    ck_assert_ptr_nonnull(record_memory_add(memory, PAGE, UINT64_MAX));
}
END_TEST

START_TEST(an_address_is_not_taken_again_soon)
{
    struct record_buffer *buffer = record_memory_add(memory, PAGE, 0);
    const uint64_t offset = buffer->offset;

    record_memory_remove(memory, buffer);
    ck_assert_uint_gt(record_memory_add(memory, PAGE, 0)->offset, offset);
}
END_TEST

START_TEST(after_the_end_room_is_found_again_and_is_zero)
{
    const uint64_t part = RECORD_MEMORY_BYTES / 64;
    struct record_buffer *kept, *buffer;
    uint64_t offset = 0;

    buffer = record_memory_add(memory, PAGE, 0);
    memset(at(buffer), 0xff, PAGE);
    (void)changes(buffer);
    record_memory_remove(memory, buffer);
    kept = record_memory_add(memory, PAGE, 0);
    for (int i = 0; i < 64; i++) {
        buffer = record_memory_add(memory, part, 0);
        if (!buffer) /* the process has too little address space (ulimit -v) */
            return;
        ck_assert(buffer->offset >= kept->offset + PAGE);
        ck_assert(i == 63 ? buffer->offset < offset : buffer->offset > offset);
        offset = buffer->offset;
        record_memory_remove(memory, buffer);
    }
    /* Beyond the middle, an alignment of half the space leaves only the place at 0, where the first
     * buffer of all was. */
    while (offset <= RECORD_MEMORY_BYTES / 2) {
        buffer = record_memory_add(memory, part, 0);
        ck_assert_ptr_nonnull(buffer);
        offset = buffer->offset;
        record_memory_remove(memory, buffer);
    }
    buffer = record_memory_add(memory, PAGE, 1ull << 39);
    ck_assert_ptr_nonnull(buffer);
    ck_assert_uint_eq(buffer->offset, 0);
    ck_assert_uint_eq(changes(buffer), 0);
    ck_assert_uint_eq(at(buffer)[0], 0);
}
END_TEST

/* ---- the saved copies ------------------------------------------------------------------------ */

/* Resident memory of this process, KiB. */
static long resident_kib(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    long kib = -1;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_ge(kib, 0);
    return kib;
}

static void count_bytes(void *context, const struct record_buffer *buffer, uint64_t va,
                        const uint8_t *data, uint32_t bytes)
{
    (void)buffer, (void)va, (void)data;
    *(uint64_t *)context += bytes;
}

START_TEST(the_recorder_s_memory_does_not_grow_with_the_program_s)
{
    const uint64_t bytes = 96 << 20;
    struct record_buffer *buffer = record_memory_add(memory, bytes, 0);
    uint64_t told_bytes = 0;
    const long before = resident_kib();

    memset(at(buffer), 0x55, bytes);
    record_memory_changes(memory, buffer, count_bytes, &told_bytes);
    ck_assert_uint_eq(told_bytes, bytes);
    /* The GPU's memory is in there, once. */
    ck_assert_int_lt(resident_kib() - before - (long)(bytes >> 10), 16 << 10);
    record_memory_changes(memory, buffer, count_bytes, &told_bytes);
    ck_assert_uint_eq(told_bytes, bytes);
}
END_TEST

/* As when the disk is full or the program closed the file: too much is told, never too little. */
START_TEST(pages_without_a_saved_copy_are_told_whole)
{
    struct record_memory_files files = {record_memory_fd(memory), open("/dev/full", O_RDWR), -1};
    struct record_buffer *buffer = record_memory_add(memory, 2 * PAGE, 0);
    struct record_memory *lame;
    struct record_memory_table *table = calloc(1, sizeof *table);
    struct gfe_error error = {0};

    ck_assert(table && files.saved_fd >= 0);
    lame = record_memory_attach(table, &files, &error);
    ck_assert_ptr_nonnull(lame);
    table->buffers[0] = *buffer;
    table->count = 1;
    buffer = &table->buffers[0];
    record_memory_bytes(lame, buffer)[PAGE + 8] = 1;
    for (int i = 0; i < 2; i++) {
        told = (struct told){0};
        record_memory_changes(lame, buffer, tell, &told);
        ck_assert_uint_eq(told.count, 1);
        ck_assert_uint_eq(told.va[0], record_memory_va(buffer) + PAGE + (i == 0 ? 8 : 0));
        ck_assert_uint_eq(told.bytes[0], i == 0 ? 4 : PAGE);
    }
    record_memory_free(lame);
    close(files.saved_fd);
    free(table);
}
END_TEST

Suite *record_memory_suite(void)
{
    Suite *suite = suite_create("record_memory");
    TCase *cases = tcase_create("record_memory");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_new_buffer_has_no_changes);
    tcase_add_test(cases, a_change_is_told_once_with_its_address);
    tcase_add_test(cases, a_change_ends_with_its_page);
    tcase_add_test(cases, near_changes_are_told_as_one_and_far_ones_apart);
    tcase_add_test(cases, what_was_written_for_the_gpu_is_not_told);
    tcase_add_test(cases, the_cpu_taking_a_completion_back_is_told);
    tcase_add_test(cases, a_write_for_the_gpu_may_cross_pages_but_not_buffers);
    tcase_add_test(cases, sizes_and_addresses_are_rounded_up);
    tcase_add_test(cases, sizes_without_room_are_refused);
    tcase_add_test(cases, an_address_is_not_taken_again_soon);
    tcase_add_test(cases, after_the_end_room_is_found_again_and_is_zero);
    tcase_add_test(cases, the_recorder_s_memory_does_not_grow_with_the_program_s);
    tcase_add_test(cases, pages_without_a_saved_copy_are_told_whole);
    suite_add_tcase(suite, cases);
    return suite;
}
