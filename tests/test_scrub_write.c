/* SPDX-License-Identifier: MIT */
/* What scrub_write() leaves of a trace, given marks made by hand. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/scrub_write.h"

static struct memory_file from, to;
static struct trace_writer *writer;
static struct scrub_origin origin;
static struct scrub_totals totals;

static void put(struct trace_record record)
{
    struct gfe_error error = {0};

    if (record.head.kind != TRACE_MEM)
        ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    else
        ck_assert_msg(trace_write(writer, &record, &error) &&
                          scrub_origin_record(&origin, &record, 0),
                      "%s", error.text);
}

static void setup(void)
{
    struct gfe_error error = {0};

    from = memory_file_new("", 0);
    to = memory_file_new("", 0);
    scrub_origin_init(&origin, 0);
    writer = trace_writer_new(from.fd, "test", &error);
    ck_assert_ptr_nonnull(writer);
    struct trace_record meta = sample_meta();
    meta.head.process_id = 77;
    meta.head.thread_id = 78;
    meta.meta.epoch_ns = 12345;
    meta.meta.driver = (struct trace_str){"nouveau", 7};
    meta.meta.gpu = (struct trace_str){"gtx1060", 7};
    meta.meta.host = meta.meta.program = meta.meta.recorder = (struct trace_str){"me", 2};
    put(meta);
}

static void teardown(void)
{
    memory_file_free(&from);
    memory_file_free(&to);
    scrub_origin_fini(&origin);
}

static void put_mem(uint64_t address, const char *text)
{
    put(sample_mem(address, text, (uint32_t)strlen(text)));
}

static void scrub(struct scrub_write_options options)
{
    struct gfe_error error = {0};

    put((struct trace_record){.head.kind = TRACE_END});
    ck_assert(trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    options.origin = &origin;
    options.expansion_bytes = 1 << 20;
    ck_assert_msg(scrub_write(from.path, &options, to.fd, "new", &totals, &error), "%s",
                  error.text);
}

/* Record n of that kind in the new trace; what it points at is freed with the reader. */
static struct trace_reader *find(uint16_t kind, uint32_t n, struct trace_record *record)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(to.path, &error);

    ck_assert_msg(reader != NULL, "%s", error.text);
    while (trace_read(reader, record, &error) == TRACE_GOT)
        if (record->head.kind == kind && n-- == 0)
            return reader;
    ck_abort_msg("no such record");
    return NULL;
}

static void expect_mem(uint32_t n, const char *bytes, uint32_t length)
{
    struct trace_record record;
    struct trace_reader *reader = find(TRACE_MEM, n, &record);

    ck_assert_uint_eq(record.mem.data.length, length);
    ck_assert_mem_eq(record.mem.data.data, bytes, length);
    trace_reader_free(reader);
}

START_TEST(bytes_that_nobody_needs_become_0)
{
    put_mem(0x1000, "abcdefgh");
    scrub_origin_needs(&origin, 0, 0x1002, 3, 0, false);
    scrub((struct scrub_write_options){0});
    expect_mem(0, "\0\0cde\0\0\0", 8);
    ck_assert_uint_eq(totals.mem_bytes, 8);
    ck_assert_uint_eq(totals.removed_bytes, 5);
    ck_assert_uint_eq(totals.kept_bytes, 3);
    ck_assert_uint_eq(totals.words, 2);
    ck_assert_uint_eq(totals.removed_words, 0);
    ck_assert_uint_eq(totals.strings, 1);
    ck_assert_uint_eq(totals.strings_left, 0);
}
END_TEST

START_TEST(a_repeated_byte_becomes_what_the_first_has_become)
{
    put_mem(0x1000, "abcd");
    scrub_origin_needs(&origin, 0, 0x1000, 2, 0, false);
    put_mem(0x1000, "abcdwxyz");
    scrub_origin_needs(&origin, 0, 0x1004, 1, 0, false);
    scrub((struct scrub_write_options){0});
    expect_mem(0, "ab\0\0", 4);
    expect_mem(1, "ab\0\0w\0\0\0", 8);
    ck_assert_uint_eq(totals.removed_bytes, 2 + 2 + 3);
}
END_TEST

START_TEST(records_can_be_kept)
{
    const uint8_t keep = 1 << 1;

    put_mem(0x1000, "abcdefgh");
    put_mem(0x2000, "abcdefgh");
    put_mem(0x3000, "abcdefgh");
    scrub((struct scrub_write_options){.keep_records = &keep});
    expect_mem(0, "\0\0\0\0\0\0\0", 8);
    expect_mem(1, "abcdefgh", 8);
    expect_mem(2, "\0\0\0\0\0\0\0", 8);
    ck_assert_uint_eq(totals.strings_left, 1);
}
END_TEST

START_TEST(strings_that_are_left_are_listed)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *strings = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(strings);
    put_mem(0x1000, "\001abcdef\002short\003");
    scrub_origin_needs(&origin, 0, 0x1000, 16, 0, false);
    scrub((struct scrub_write_options){.strings = strings});
    fclose(strings);
    ck_assert_str_eq(text, "0x0000001001  abcdef\n");
    free(text);
}
END_TEST

/* The trace without what tells of the machine, and with it. */
START_TEST(names_go_unless_they_are_to_stay)
{
    const bool keep = _i == 1;
    struct trace_record record, mark = sample_record(TRACE_MARK, 1);
    struct trace_reader *reader;

    mark.head.process_id = 77;
    mark.head.thread_id = 99;
    put(mark);
    put(sample_record(TRACE_MODULE, 1));
    scrub((struct scrub_write_options){.keep_host = keep});

    reader = find(TRACE_META, 0, &record);
    ck_assert_int_eq(record.meta.host.length > 0, keep);
    ck_assert_int_eq(record.meta.program.length > 0, keep);
    ck_assert_int_eq(record.meta.epoch_ns != 0, keep);
    ck_assert_str_eq(record.meta.driver.text, "nouveau");
    ck_assert_str_eq(record.meta.gpu.text, "gtx1060");
    ck_assert_str_eq(record.meta.recorder.text, "me");
    ck_assert_uint_eq(record.head.process_id, keep ? 77 : 1);
    ck_assert_uint_eq(record.head.thread_id, keep ? 78 : 1);
    trace_reader_free(reader);
    reader = find(TRACE_MARK, 0, &record);
    ck_assert_int_eq(record.mark.text.length > 0, keep);
    ck_assert_uint_eq(record.head.process_id, keep ? 77 : 1);
    ck_assert_uint_eq(record.head.thread_id, keep ? 99 : 2);
    trace_reader_free(reader);
    reader = find(TRACE_MODULE, 0, &record);
    ck_assert_int_eq(record.module.name.length > 0, keep);
    ck_assert_int_eq(record.module.image.data[0] != 0, keep);
    trace_reader_free(reader);
    ck_assert_int_eq(totals.host_fields > 0, !keep);
}
END_TEST

/* Everything else goes over as it is. */
START_TEST(other_records_stay_as_they_are)
{
    const uint16_t kinds[] = {TRACE_CHANNEL,   TRACE_OBJECT,      TRACE_SUBMIT,  TRACE_CPU_WAIT,
                              TRACE_GPU_WRITE, TRACE_CHANNEL_END, TRACE_DURATION};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        put(sample_record(kinds[i], 7));
    scrub((struct scrub_write_options){.keep_host = true});
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct trace_record expected = sample_record(kinds[i], 7);
        struct trace_record record;
        struct trace_reader *reader = find(kinds[i], 0, &record);

        ck_assert(sample_equal(&record, &expected));
        trace_reader_free(reader);
    }
}
END_TEST

START_TEST(a_trace_that_grew_meanwhile_is_refused)
{
    const struct scrub_write_options options = {.origin = &origin, .expansion_bytes = 1 << 20};
    struct gfe_error error = {0};

    put_mem(0x1000, "abcdefgh");
    put((struct trace_record){.head.kind = TRACE_END});
    ck_assert(trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    origin.byte_count = 4;
    ck_assert(!scrub_write(from.path, &options, to.fd, "new", &totals, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "meanwhile"));
}
END_TEST

Suite *scrub_write_suite(void)
{
    Suite *suite = suite_create("scrub_write");
    TCase *tests = tcase_create("scrub_write");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, bytes_that_nobody_needs_become_0);
    tcase_add_test(tests, a_repeated_byte_becomes_what_the_first_has_become);
    tcase_add_test(tests, records_can_be_kept);
    tcase_add_test(tests, strings_that_are_left_are_listed);
    tcase_add_loop_test(tests, names_go_unless_they_are_to_stay, 0, 2);
    tcase_add_test(tests, other_records_stay_as_they_are);
    tcase_add_test(tests, a_trace_that_grew_meanwhile_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
