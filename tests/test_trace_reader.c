/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "tests/fuzz/fuzz_trace.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/trace_codec.h"

enum { PAGE = TRACE_PIECE_BYTES };

/* ---- crafted records ------------------------------------------------------------------------- */

/* A trace put together by hand: META, what the test adds, END. */
struct craft {
    uint8_t bytes[3 * PAGE];
    size_t used;
    uint64_t record_count;
};

static void craft_add(struct craft *craft, struct trace_record record)
{
    uint8_t *fields = craft->bytes + craft->used + TRACE_HEAD_BYTES;

    record.head.sequence = craft->record_count++;
    record.head.length_bytes = (uint32_t)trace_encode_fields(fields, &record, TRACE_ALL_FIELDS);
    trace_encode_head(craft->bytes + craft->used, &record.head);
    craft->used += TRACE_HEAD_BYTES + record.head.length_bytes;
}

static void craft_add_reference(struct craft *craft, uint64_t chunk_number, uint32_t offset,
                                uint32_t length)
{
    const struct trace_reference reference = {true, chunk_number, offset};
    struct trace_record record = sample_mem(0, NULL, length);
    uint8_t *fields = craft->bytes + craft->used + TRACE_HEAD_BYTES;

    record.head.sequence = craft->record_count++;
    record.head.length_bytes = (uint32_t)trace_encode_mem_reference(fields, &record, &reference);
    trace_encode_head(craft->bytes + craft->used, &record.head);
    craft->used += TRACE_HEAD_BYTES + record.head.length_bytes;
}

static void craft_add_end(struct craft *craft)
{
    struct trace_record end = {.head.kind = TRACE_END};

    end.end.record_count = craft->record_count;
    craft_add(craft, end);
}

static struct memory_file craft_file(const struct craft *craft)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);

    ck_assert(chunk_write(writer, CHUNK_TRACE, craft->bytes, craft->used, &error));
    ck_assert(chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    return file;
}

static void expect(const struct craft *craft, const char *message)
{
    struct memory_file file = craft_file(craft);
    struct gfe_error error = {0};
    uint64_t count;

    if (!message) {
        ck_assert_msg(sample_read(file.path, false, &count, &error) == TRACE_AT_END, "%s",
                      error.text);
    } else {
        ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
        ck_assert_msg(strstr(error.text, message) != NULL, "%s; expected: %s", error.text, message);
    }
    memory_file_free(&file);
}

static struct craft craft_begin(void)
{
    struct craft craft = {.used = 0};

    craft_add(&craft, sample_meta());
    return craft;
}

struct reference_row {
    const char *message;
    uint64_t chunk_number;
    int32_t offset; /* against the start of the record with the reference */
    uint32_t length;
};
static const struct reference_row reference_rows[] = {
    {NULL, 0, -64, 64},
    {NULL, 0, -1, 1},
    {NULL, 0, 0, 0},
    {"a reference to what comes later", 0, -64, 65},
    {"a reference to what comes later", 0, 0, 1},
    {"a reference past the end of its chunk", 0, 0, 4096},
    {"a reference past the end of its chunk", 0, 0x7fffffff, 1},
    {"a reference to more than a page", 0, -64, 4097},
    {"a reference to a chunk outside the window", 1, -64, 64},
    {"a reference to a chunk outside the window", UINT64_MAX, -64, 64},
};

START_TEST(references_are_held_to_their_bounds)
{
    const struct reference_row *row = &reference_rows[_i];
    struct craft craft = craft_begin();

    craft_add_reference(&craft, row->chunk_number, (uint32_t)((int64_t)craft.used + row->offset),
                        row->length);
    craft_add_end(&craft);
    if (row->length > TRACE_PIECE_BYTES) /* already wrong for crossing a page */
        expect(&craft, "MEM crosses a multiple of 4096");
    else
        expect(&craft, row->message);
}
END_TEST

/* 33 chunks of 1 MiB; the last record refers to the first chunk, or to the one after it. */
static void far_reference(uint64_t chunk_number, const char *message)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct craft craft = craft_begin();
    struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);
    uint64_t count;
    uint8_t *mib = calloc(1, 1 << 20);
    struct trace_record mark = {.head.kind = TRACE_MODULE};

    ck_assert(chunk_write(writer, CHUNK_TRACE, craft.bytes, craft.used, &error));
    for (int i = 0; i < 33; i++) {
        mark.module.image = (struct trace_bytes){mib, (1 << 20) - TRACE_HEAD_BYTES - 16};
        struct trace_head head = {.kind = TRACE_MODULE,
                                  .length_bytes = (1 << 20) - TRACE_HEAD_BYTES,
                                  .sequence = craft.record_count++};
        uint8_t *bytes = malloc(1 << 20);
        ck_assert_uint_eq(trace_encode_fields(bytes + TRACE_HEAD_BYTES, &mark, TRACE_ALL_FIELDS),
                          head.length_bytes);
        trace_encode_head(bytes, &head);
        ck_assert(chunk_write(writer, CHUNK_TRACE, bytes, 1 << 20, &error));
        free(bytes);
    }
    craft.used = 0;
    craft_add_reference(&craft, chunk_number, 0, 50);
    craft_add_end(&craft);
    ck_assert(chunk_write(writer, CHUNK_TRACE, craft.bytes, craft.used, &error));
    ck_assert(chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    if (message) {
        ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
        ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
    } else {
        ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_AT_END);
    }
    free(mib);
    memory_file_free(&file);
}

START_TEST(a_reference_reaches_exactly_32_mib_back)
{
    far_reference(2, NULL); /* begins 32 MiB in front */
    far_reference(1, "outside the window");
    far_reference(0, "outside the window");
}
END_TEST

START_TEST(an_unknown_kind_is_named_with_its_place)
{
    struct craft craft = craft_begin();
    const size_t place = craft.used;
    char message[80];

    craft_add(&craft, (struct trace_record){.head.kind = TRACE_MARK});
    craft.bytes[place] = 99;
    craft_add_end(&craft);
    snprintf(message, sizeof message,
             "record 1 (chunk at offset 0, byte %zu of its data): record of unknown kind 99",
             place);
    expect(&craft, message);
}
END_TEST

START_TEST(the_order_of_records_is_checked)
{
    struct craft craft = {.used = 0};

    craft_add(&craft, (struct trace_record){.head.kind = TRACE_MARK});
    craft_add_end(&craft);
    expect(&craft, "META was expected");

    craft = craft_begin();
    craft_add(&craft, sample_meta());
    craft_add_end(&craft);
    expect(&craft, "a second META");

    craft = craft_begin();
    craft_add_end(&craft);
    craft_add(&craft, (struct trace_record){.head.kind = TRACE_MARK});
    expect(&craft, "a record after END");

    craft = craft_begin();
    craft.record_count = 0;
    craft_add(&craft, (struct trace_record){.head.kind = TRACE_MARK});
    expect(&craft, "its sequence number does not grow");

    craft = craft_begin();
    craft.record_count = 7;
    craft_add_end(&craft);
    expect(&craft, "END counts 7 records in front of it; there are 1");
}
END_TEST

START_TEST(lengths_inside_records_are_checked)
{
    struct craft craft = craft_begin();
    size_t place = craft.used;

    craft_add(&craft, (struct trace_record){.head.kind = TRACE_MARK, .mark.text = {"ab", 2}});
    craft_add_end(&craft);
    expect(&craft, NULL);
    craft.bytes[place + TRACE_HEAD_BYTES] = 3;
    expect(&craft, "a string is longer than the record");
    craft.bytes[place + TRACE_HEAD_BYTES] = 1;
    expect(&craft, "it is longer than its fields");
    craft.bytes[place + TRACE_HEAD_BYTES] = 2;
    craft.bytes[place + TRACE_HEAD_BYTES + 5] = 0;
    expect(&craft, "a string holds a zero byte");
    craft.bytes[place + 4] = 3;
    expect(&craft, "its fields are longer than it");
    craft.bytes[place + 7] = 0xff;
    expect(&craft, "the record is longer than its chunk");
    craft.bytes[place + 2] = 1;
    craft.bytes[place + 7] = 0;
    expect(&craft, "reserved");

    craft = craft_begin();
    place = craft.used;
    craft_add(&craft, sample_record(TRACE_SUBMIT, 0));
    craft.bytes[place + TRACE_HEAD_BYTES + 8 + 3] = 0x7f; /* the count of push entries */
    craft_add_end(&craft);
    expect(&craft, "a list is longer than the record");

    craft = craft_begin();
    craft_add(&craft, sample_mem(4090, "1234567", 7));
    craft_add_end(&craft);
    expect(&craft, "MEM crosses a multiple of 4096");

    craft = craft_begin();
    craft_add_end(&craft);
    memset(craft.bytes + craft.used, 0, 5);
    craft.used += 5;
    expect(&craft, "the chunk ends inside a record's head");
}
END_TEST

START_TEST(a_newer_format_is_named)
{
    struct craft craft = {.used = 0};
    struct trace_record meta = sample_meta();

    meta.meta.format = TRACE_FORMAT + 1;
    craft_add(&craft, meta);
    craft_add_end(&craft);
    expect(&craft, "trace format 2, but this gfe reads format 1");
}
END_TEST

/* ---- files that are no whole trace ----------------------------------------------------------- */

struct foreign_row {
    const char *bytes, *message;
};
static const struct foreign_row foreign_rows[] = {
    {"", "the file is empty: a trace was expected"},
    {"x", "this is no gfe file"},
    {"\177ELF\002\001\001", "this is no gfe file"},
    {"gf", "cut off inside its first chunk"},
    {"gfeC and then something else", "damaged: checksum of the chunk's header"},
};

START_TEST(foreign_and_empty_files_are_refused_in_words)
{
    const struct foreign_row *row = &foreign_rows[_i];
    struct memory_file file = memory_file_new(row->bytes, strlen(row->bytes));
    struct gfe_error error = {0};
    uint64_t count;

    ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
    ck_assert_msg(strstr(error.text, row->message) != NULL, "%s", error.text);
    memory_file_free(&file);
}
END_TEST

START_TEST(an_event_log_and_a_trace_without_records_are_told_apart_from_a_trace)
{
    struct gfe_error error = {0};
    uint64_t count;

    for (int chunks = 0; chunks < 2; chunks++) {
        struct memory_file file = memory_file_new("", 0);
        struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);
        if (chunks > 0)
            ck_assert(chunk_write(writer, CHUNK_LOG_HEAD, "{}", 2, &error));
        ck_assert(chunk_writer_finish(writer, &error));
        chunk_writer_free(writer);
        ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
        ck_assert_ptr_nonnull(strstr(error.text, chunks > 0 ? "this is an event log, not a trace"
                                                            : "a trace without records"));
        error = (struct gfe_error){0};
        memory_file_free(&file);
    }
}
END_TEST

START_TEST(a_missing_file_and_a_directory_are_refused_in_words)
{
    struct gfe_error error = {0};
    uint64_t count;

    ck_assert_int_eq(sample_read("/nonexistent/F.gft", false, &count, &error), TRACE_FAILED);
    ck_assert_str_eq(error.text, "/nonexistent/F.gft: No such file or directory");
    error = (struct gfe_error){0};
    ck_assert_int_eq(sample_read("/tmp", false, &count, &error), TRACE_FAILED);
    ck_assert_str_eq(error.text, "/tmp: cannot read: Is a directory");
}
END_TEST

START_TEST(a_trace_without_an_end_says_after_which_record_and_reads_on_request)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "test", &error);
    struct trace_record record = sample_meta();
    char message[160];
    uint64_t count;

    ck_assert(trace_write(writer, &record, &error));
    record = sample_record(TRACE_MARK, 1);
    ck_assert(trace_write(writer, &record, &error));
    ck_assert(trace_writer_flush(writer, &error));
    trace_writer_free(writer);
    ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
    snprintf(message, sizeof message,
             "%s: cut off after record 2 (offset %ld): no END; "
             "gfe record --recover keeps what is complete",
             file.path, (long)lseek(file.fd, 0, SEEK_END));
    ck_assert_str_eq(error.text, message);
    ck_assert_uint_eq(count, 2);
    error = (struct gfe_error){0};
    ck_assert_int_eq(sample_read(file.path, true, &count, &error), TRACE_AT_END);
    ck_assert_uint_eq(count, 2);
    memory_file_free(&file);
}
END_TEST

/* A kill can come at any byte of a write. */
START_TEST(a_trace_cut_at_any_byte_is_refused_or_read_up_to_its_last_chunk)
{
    struct memory_file whole = sample_trace();
    size_t bytes;
    uint8_t *data = memory_file_read(&whole, &bytes);
    uint64_t count, most = 0;

    for (size_t cut = 0; cut < bytes; cut++) {
        struct memory_file file = memory_file_new(data, cut);
        struct gfe_error error = {0};
        ck_assert_int_eq(sample_read(file.path, false, &count, &error), TRACE_FAILED);
        error = (struct gfe_error){0};
        const enum trace_result result = sample_read(file.path, true, &count, &error);
        ck_assert(result == TRACE_AT_END || count == 0);
        ck_assert_uint_ge(count, most);
        most = count;
        memory_file_free(&file);
    }
    ck_assert_uint_eq(most, TRACE_KINDS);
    free(data);
    memory_file_free(&whole);
}
END_TEST

/* Damage is no cut: accepting cuts does not hide it. */
START_TEST(a_damaged_chunk_is_refused_also_when_cuts_are_accepted)
{
    struct memory_file file = sample_trace();
    struct gfe_error error = {0};
    uint64_t count;
    uint8_t byte;

    ck_assert_int_eq(pread(file.fd, &byte, 1, CHUNK_HEAD_BYTES + 30), 1);
    byte ^= 0x10;
    ck_assert_int_eq(pwrite(file.fd, &byte, 1, CHUNK_HEAD_BYTES + 30), 1);
    ck_assert_int_eq(sample_read(file.path, true, &count, &error), TRACE_FAILED);
    ck_assert_msg(strstr(error.text, "damaged") != NULL, "%s", error.text);
    memory_file_free(&file);
}
END_TEST

/* PROMISE (traces): A flipped bit in a trace gives a message or a trace. */
START_TEST(any_flipped_bit_gives_a_message_or_a_trace)
{
    struct memory_file whole = sample_trace();
    size_t bytes;
    uint8_t *data = memory_file_read(&whole, &bytes);
    const size_t bits = 8 * (bytes < 2048 ? bytes : 2048);

    for (size_t bit = 0; bit < bits; bit++) {
        struct gfe_error error = {0};
        uint64_t count;
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        struct memory_file file = memory_file_new(data, bytes);
        if (sample_read(file.path, false, &count, &error) == TRACE_AT_END)
            ck_assert_uint_eq(count, TRACE_KINDS); /* a bit that zlib does not use */
        memory_file_free(&file);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(data);
    memory_file_free(&whole);
}
END_TEST

/* The same below the checksums, where the records themselves are wrong. */
START_TEST(any_flipped_bit_of_the_records_gives_a_message_or_a_trace)
{
    struct craft craft = {.used = 0};

    for (uint16_t n = 1; n < TRACE_KINDS; n++)
        craft_add(&craft, sample_record(sample_kind(n), 0));
    craft_add_reference(&craft, 0, 100, 1000);
    craft_add_end(&craft);
    expect(&craft, NULL);
    for (size_t bit = 0; bit < 8 * craft.used; bit++) {
        struct gfe_error error = {0};
        uint64_t count;
        craft.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        struct memory_file file = craft_file(&craft);
        if (sample_read(file.path, false, &count, &error) == TRACE_AT_END)
            ck_assert_uint_eq(count, craft.record_count);
        memory_file_free(&file);
        craft.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
END_TEST

START_TEST(a_trace_comes_through_a_pipe)
{
    struct memory_file file = sample_trace();
    struct gfe_error error = {0};
    size_t bytes;
    uint8_t *data = memory_file_read(&file, &bytes);
    int ends[2];
    uint64_t count = 0;
    struct trace_record record;

    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < bytes; i++) /* byte by byte */
            if (write(ends[1], data + i, 1) != 1)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_ge(dup2(ends[0], STDIN_FILENO), 0);
    struct trace_reader *reader = trace_reader_open("-", &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    ck_assert_str_eq(trace_reader_name(reader), "standard input");
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        count++;
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    ck_assert_uint_eq(count, TRACE_KINDS);
    trace_reader_free(reader);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    free(data);
    memory_file_free(&file);
}
END_TEST

/* ---- the corpus of the fuzz target ----------------------------------------------------------- */

START_TEST(each_file_of_the_corpus_is_read_without_harm)
{
    const char *srcdir = getenv("top_srcdir");
    char path[4096];
    int files = 0;

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/trace", srcdir ? srcdir : ".");
    DIR *folder = opendir(path);
    ck_assert_msg(folder != NULL, "%s", path);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        static uint8_t data[1 << 16];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/trace/%s", srcdir ? srcdir : ".",
                 entry->d_name);
        FILE *file = fopen(path, "rb");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_eq(fuzz_trace(data, fread(data, 1, sizeof data, file)), 0);
        fclose(file);
        files++;
    }
    closedir(folder);
    ck_assert_int_gt(files, 3);
}
END_TEST

Suite *trace_reader_suite(void)
{
    Suite *suite = suite_create("trace_reader");
    TCase *tcase = tcase_create("trace_reader");

    tcase_add_test(tcase, a_trace_comes_through_a_pipe);
    tcase_add_loop_test(tcase, references_are_held_to_their_bounds, 0,
                        (int)(sizeof reference_rows / sizeof reference_rows[0]));
    tcase_add_test(tcase, a_reference_reaches_exactly_32_mib_back);
    tcase_add_test(tcase, an_unknown_kind_is_named_with_its_place);
    tcase_add_test(tcase, the_order_of_records_is_checked);
    tcase_add_test(tcase, lengths_inside_records_are_checked);
    tcase_add_test(tcase, a_newer_format_is_named);
    tcase_add_loop_test(tcase, foreign_and_empty_files_are_refused_in_words, 0,
                        (int)(sizeof foreign_rows / sizeof foreign_rows[0]));
    tcase_add_test(tcase, an_event_log_and_a_trace_without_records_are_told_apart_from_a_trace);
    tcase_add_test(tcase, a_missing_file_and_a_directory_are_refused_in_words);
    tcase_add_test(tcase, a_trace_without_an_end_says_after_which_record_and_reads_on_request);
    tcase_add_test(tcase, a_trace_cut_at_any_byte_is_refused_or_read_up_to_its_last_chunk);
    tcase_add_test(tcase, a_damaged_chunk_is_refused_also_when_cuts_are_accepted);
    tcase_add_test(tcase, any_flipped_bit_gives_a_message_or_a_trace);
    tcase_add_test(tcase, any_flipped_bit_of_the_records_gives_a_message_or_a_trace);
    tcase_add_test(tcase, each_file_of_the_corpus_is_read_without_harm);
    suite_add_tcase(suite, tcase);
    return suite;
}
