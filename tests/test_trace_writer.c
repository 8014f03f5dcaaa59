/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "emu/log/chunk.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/trace_codec.h"

enum { PAGE = TRACE_PIECE_BYTES };

/* ---- helpers --------------------------------------------------------------------------------- */

static void must_write(struct trace_writer *writer, struct trace_record record)
{
    struct gfe_error error = {0};

    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
}

static void must_finish(struct trace_writer *writer)
{
    struct gfe_error error = {0};

    must_write(writer, sample_record(TRACE_END, 0));
    ck_assert_msg(trace_writer_finish(writer, &error), "%s", error.text);
    trace_writer_free(writer);
}

static struct trace_writer *begin(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file->fd, "test", &error);

    ck_assert_ptr_nonnull(writer);
    must_write(writer, sample_meta());
    return writer;
}

static struct trace_reader *must_open(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(file->path, &error);

    ck_assert_msg(reader != NULL, "%s", error.text);
    return reader;
}

static struct trace_record must_read(struct trace_reader *reader)
{
    struct gfe_error error = {0};
    struct trace_record record;

    ck_assert_msg(trace_read(reader, &record, &error) == TRACE_GOT, "%s", error.text);
    return record;
}

/* Raw bytes of all chunks of records: shows what was stored inline and what as a reference. */
static uint64_t raw_bytes_of(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct chunk_reader *reader = chunk_reader_open(file->path, &error);
    struct chunk chunk;
    uint64_t bytes = 0;

    while (chunk_read(reader, &chunk, &error) == CHUNK_GOT)
        bytes += chunk.raw_bytes;
    chunk_reader_free(reader);
    return bytes;
}

/* A page that differs from that of any other seed. */
static const uint8_t *page_of(uint32_t seed)
{
    static uint8_t page[PAGE];

    for (uint32_t i = 0; i < PAGE; i += 4)
        memcpy(page + i, &(uint32_t){seed + (i & 0xff) * 0x01000000u}, 4);
    return page;
}

/* ---- what is written comes back -------------------------------------------------------------- */

START_TEST(a_record_of_each_kind_comes_back_as_written)
{
    struct memory_file file = sample_trace();
    struct gfe_error error = {0};
    struct trace_reader *reader = must_open(&file);
    struct trace_record read;

    ck_assert_str_eq(trace_reader_meta(reader)->gpu.text,
                     sample_record(TRACE_META, 0).meta.gpu.text);
    for (uint16_t n = 1; n <= TRACE_KINDS; n++) {
        const uint16_t kind = sample_kind(n);
        struct trace_record written = sample_record(kind, 0);
        if (kind == TRACE_END) /* the writer's business */
            written.end.record_count = TRACE_KINDS - 1;
        ck_assert_int_eq(trace_read(reader, &read, &error), TRACE_GOT);
        ck_assert_msg(sample_equal(&written, &read), "%s", trace_record_row(kind)->name);
        ck_assert_uint_eq(read.head.sequence, n - 1u);
    }
    ck_assert_int_eq(trace_read(reader, &read, &error), TRACE_AT_END);
    ck_assert_int_eq(trace_read(reader, &read, &error), TRACE_AT_END);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(empty_strings_data_and_pushes_come_back_empty)
{
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);

    for (uint16_t n = TRACE_CLIENT; n < TRACE_KINDS; n++)
        must_write(writer, (struct trace_record){.head.kind = sample_kind(n)});
    must_finish(writer);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    for (uint16_t n = TRACE_CLIENT; n < TRACE_KINDS; n++) {
        const struct trace_record read = must_read(reader);
        const uint16_t kind = sample_kind(n);
        ck_assert_uint_eq(read.head.kind, kind);
        if (kind == TRACE_MARK)
            ck_assert_str_eq(read.mark.text.text, "");
        if (kind == TRACE_SUBMIT)
            ck_assert_uint_eq(read.submit.pushes.count, 0);
        if (kind == TRACE_VM_BIND)
            ck_assert_uint_eq(read.vm_bind.binds.count + read.vm_bind.waits.count, 0);
        if (kind == TRACE_MEM)
            ck_assert_uint_eq(read.mem.data.length, 0);
    }
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(what_meta_points_at_outlives_the_first_chunk)
{
    struct memory_file file = sample_trace();
    struct trace_reader *reader = must_open(&file);

    for (uint16_t n = 1; n <= TRACE_KINDS; n++)
        (void)must_read(reader);
    ck_assert_str_eq(trace_reader_meta(reader)->driver.text,
                     sample_record(TRACE_META, 0).meta.driver.text);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(memory_comes_in_pieces_that_keep_to_page_boundaries)
{
    static uint8_t data[3 * PAGE];
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    uint64_t address = 0xff0;
    uint32_t done = 0;

    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    must_write(writer, sample_mem(address, data, sizeof data));
    must_finish(writer);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    for (int piece = 0; piece < 4; piece++) {
        const struct trace_mem mem = must_read(reader).mem;
        ck_assert_uint_eq(mem.address, address + done);
        ck_assert_uint_eq(mem.data.length, piece == 0 ? 0x10 : piece < 3 ? PAGE : PAGE - 0x10);
        ck_assert(memcmp(mem.data.data, data + done, mem.data.length) == 0);
        done += mem.data.length;
    }
    ck_assert_uint_eq(done, sizeof data);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(memory_past_the_last_address_is_refused_by_the_writer)
{
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    struct gfe_error error = {0};
    const struct trace_record last = sample_mem(UINT64_MAX, "x", 1);
    const struct trace_record past = sample_mem(UINT64_MAX, "xy", 2);

    ck_assert(trace_write(writer, &last, &error));
    ck_assert(!trace_write(writer, &past, &error));
    ck_assert_str_eq(error.text, "test: memory written past the last address");
    trace_writer_free(writer);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_record_larger_than_a_chunk_and_a_string_with_a_zero_are_refused_by_the_writer)
{
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    struct gfe_error error = {0};
    uint8_t *image = calloc(1, CHUNK_RAW_MAX_BYTES);
    struct trace_record module = {.head.kind = TRACE_MODULE,
                                  .module.image = {image, CHUNK_RAW_MAX_BYTES}};
    const struct trace_record mark = {.head.kind = TRACE_MARK, .mark.text = {"a\0b", 3}};

    ck_assert(!trace_write(writer, &module, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "MODULE record of 4194352 bytes"));
    module.module.image.length -= TRACE_HEAD_BYTES + 8 + 4 + 4;
    must_write(writer, module);
    error = (struct gfe_error){0};
    ck_assert(!trace_write(writer, &mark, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "zero byte"));
    must_finish(writer);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    ck_assert_uint_eq(must_read(reader).module.image.length, module.module.image.length);
    trace_reader_free(reader);
    memory_file_free(&file);
    free(image);
}
END_TEST

/* ---- shared memory --------------------------------------------------------------------------- */

enum {
    HEAD_AND_ADDRESS = TRACE_HEAD_BYTES + 12,
    INLINE_PAGE_BYTES = HEAD_AND_ADDRESS + 4 + PAGE,
    REFERENCE_BYTES = HEAD_AND_ADDRESS + 4 + TRACE_REFERENCE_BYTES,
};

START_TEST(a_repeated_page_is_stored_once_and_read_as_often_as_written)
{
    enum { TIMES = 1000 };
    struct memory_file empty = memory_file_new("", 0), file = memory_file_new("", 0);

    must_finish(begin(&empty));
    struct trace_writer *writer = begin(&file);
    for (uint32_t i = 0; i < TIMES; i++)
        must_write(writer, sample_mem((uint64_t)i * PAGE, page_of(i % 2), PAGE));
    must_finish(writer);
    ck_assert_uint_eq(raw_bytes_of(&file) - raw_bytes_of(&empty),
                      2 * INLINE_PAGE_BYTES + (TIMES - 2) * REFERENCE_BYTES);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    for (uint32_t i = 0; i < TIMES; i++) {
        const struct trace_mem mem = must_read(reader).mem;
        ck_assert_uint_eq(mem.address, (uint64_t)i * PAGE);
        ck_assert_uint_eq(mem.data.length, PAGE);
        ck_assert(memcmp(mem.data.data, page_of(i % 2), PAGE) == 0);
    }
    trace_reader_free(reader);
    memory_file_free(&empty);
    memory_file_free(&file);
}
END_TEST

/* XORing the CRC's polynomial into a page leaves its CRC-32 as it was. */
START_TEST(pages_of_the_same_checksum_are_not_confused)
{
    static const uint64_t polynomial = 1 | (uint64_t)0xedb88320 << 1;
    struct memory_file file = memory_file_new("", 0);
    uint8_t pages[2][PAGE];

    for (int i = 0; i < 2; i++)
        memcpy(pages[i], page_of(5), PAGE);
    for (int i = 0; i < 8; i++)
        pages[1][i] ^= (uint8_t)(polynomial >> (8 * i));
    ck_assert_uint_eq(crc32_z(0, pages[0], PAGE), crc32_z(0, pages[1], PAGE));

    struct trace_writer *writer = begin(&file);
    for (int i = 0; i < 2; i++)
        must_write(writer, sample_mem(0, pages[i], PAGE));
    must_finish(writer);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    for (int i = 0; i < 2; i++)
        ck_assert(memcmp(must_read(reader).mem.data.data, pages[i], PAGE) == 0);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

/* A recorder puts out a chunk with each submission, so many small ones lie in the window. */
START_TEST(a_page_is_shared_over_hundreds_of_small_chunks)
{
    enum { CHUNKS = 500 };
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    struct gfe_error error = {0};

    for (uint32_t i = 0; i < CHUNKS; i++) {
        must_write(writer, sample_mem((uint64_t)i * PAGE, page_of(i % 5), PAGE));
        ck_assert(trace_writer_flush(writer, &error));
    }
    must_finish(writer);
    ck_assert_uint_lt(raw_bytes_of(&file), 5 * PAGE + CHUNKS * 100);
    struct trace_reader *reader = must_open(&file);
    (void)must_read(reader);
    for (uint32_t i = 0; i < CHUNKS; i++)
        ck_assert(memcmp(must_read(reader).mem.data.data, page_of(i % 5), PAGE) == 0);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

/* Fills the window with other pages; then the first page is too far away by `extra` pages. */
static uint64_t raw_bytes_of_last_page(uint32_t other_pages, uint32_t window)
{
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    uint64_t before, bytes;
    struct gfe_error error = {0};

    trace_writer_window(writer, window);
    must_write(writer, sample_mem(0, page_of(1000000), PAGE));
    for (uint32_t i = 0; i < other_pages; i++)
        must_write(writer, sample_mem((uint64_t)(i + 1) * PAGE, page_of(i), PAGE));
    ck_assert(trace_writer_flush(writer, &error));
    before = raw_bytes_of(&file);
    must_write(writer, sample_mem(0, page_of(1000000), PAGE));
    ck_assert(trace_writer_flush(writer, &error));
    bytes = raw_bytes_of(&file) - before;
    must_finish(writer);

    struct trace_reader *reader = must_open(&file);
    trace_reader_window(reader, window);
    (void)must_read(reader);
    ck_assert(memcmp(must_read(reader).mem.data.data, page_of(1000000), PAGE) == 0);
    for (uint32_t i = 0; i < other_pages; i++)
        ck_assert(memcmp(must_read(reader).mem.data.data, page_of(i), PAGE) == 0);
    ck_assert(memcmp(must_read(reader).mem.data.data, page_of(1000000), PAGE) == 0);
    ck_assert_uint_eq(must_read(reader).head.kind, TRACE_END);
    trace_reader_free(reader);
    memory_file_free(&file);
    return bytes;
}

START_TEST(a_page_is_shared_up_to_32_mib_back_and_stored_anew_beyond)
{
    const uint32_t window = _i ? TRACE_PART_WINDOW_BYTES : TRACE_WINDOW_BYTES;
    const uint32_t fit = (window - PAGE) / INLINE_PAGE_BYTES;

    ck_assert_uint_eq(raw_bytes_of_last_page(fit, window), REFERENCE_BYTES);
    ck_assert_uint_eq(raw_bytes_of_last_page(fit + 1, window), INLINE_PAGE_BYTES);
}
END_TEST

START_TEST(a_reader_of_a_small_window_refuses_what_lies_in_front_of_it)
{
    const uint32_t pages = TRACE_PART_WINDOW_BYTES / PAGE;
    struct memory_file file = memory_file_new("", 0);
    struct trace_writer *writer = begin(&file);
    struct trace_record record;
    struct gfe_error error = {0};

    for (uint32_t i = 0; i <= pages; i++)
        must_write(writer, sample_mem((uint64_t)i * PAGE, page_of(i % pages), PAGE));
    must_finish(writer);
    struct trace_reader *reader = must_open(&file);
    trace_reader_window(reader, TRACE_PART_WINDOW_BYTES);
    for (uint32_t i = 0; i <= pages; i++)
        (void)must_read(reader);
    ck_assert_int_eq(trace_read(reader, &record, &error), TRACE_FAILED);
    ck_assert_ptr_nonnull(strstr(error.text, "outside the window"));
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_full_disk_is_reported_by_the_writer)
{
    const int fd = open("/dev/full", O_WRONLY);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(fd, "F.gft", &error);

    must_write(writer, sample_meta());
    ck_assert(!trace_writer_flush(writer, &error));
    ck_assert_str_eq(error.text, "F.gft: cannot write: No space left on device");
    trace_writer_free(writer);
    close(fd);
}
END_TEST

Suite *trace_writer_suite(void)
{
    Suite *suite = suite_create("trace_writer");
    TCase *tcase = tcase_create("trace_writer");

    tcase_add_test(tcase, a_record_of_each_kind_comes_back_as_written);
    tcase_add_test(tcase, empty_strings_data_and_pushes_come_back_empty);
    tcase_add_test(tcase, what_meta_points_at_outlives_the_first_chunk);
    tcase_add_test(tcase, memory_comes_in_pieces_that_keep_to_page_boundaries);
    tcase_add_test(tcase, memory_past_the_last_address_is_refused_by_the_writer);
    tcase_add_test(tcase,
                   a_record_larger_than_a_chunk_and_a_string_with_a_zero_are_refused_by_the_writer);
    tcase_add_test(tcase, a_repeated_page_is_stored_once_and_read_as_often_as_written);
    tcase_add_test(tcase, pages_of_the_same_checksum_are_not_confused);
    tcase_add_test(tcase, a_page_is_shared_over_hundreds_of_small_chunks);
    tcase_add_loop_test(tcase, a_page_is_shared_up_to_32_mib_back_and_stored_anew_beyond, 0, 2);
    tcase_add_test(tcase, a_reader_of_a_small_window_refuses_what_lies_in_front_of_it);
    tcase_add_test(tcase, a_full_disk_is_reported_by_the_writer);
    suite_add_tcase(suite, tcase);
    return suite;
}
