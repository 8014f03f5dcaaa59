/* SPDX-License-Identifier: MIT */
/* Records from any place of a trace file: the same as from front to end, in bounded memory. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/digest.h"
#include "emu/engine/random.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/trace_store.h"

enum { RECORDS_MAX = 20000, TEXT_BYTES = 60000 };

/* What the first pass found. */
static struct trace_place places[RECORDS_MAX];
static uint8_t digests[RECORDS_MAX][DIGEST_BYTES];
static uint32_t record_count;
static struct random_state random_state;
static uint8_t *encoded;

static void record_digest(const struct trace_record *record, uint8_t digest[DIGEST_BYTES])
{
    struct digest sum;

    ck_assert_uint_lt(trace_fields_bytes(record), 1 << 20);
    digest_start(&sum);
    digest_add(&sum, &record->head.kind, sizeof record->head.kind);
    digest_add(&sum, &record->head.sequence, sizeof record->head.sequence);
    digest_add(&sum, encoded, trace_encode_fields(encoded, record, TRACE_ALL_FIELDS));
    digest_end(&sum, digest);
}

static void setup(void)
{
    random_seed(&random_state, 11, 0);
    encoded = malloc(1 << 20);
    ck_assert_ptr_nonnull(encoded);
}

static void teardown(void)
{
    free(encoded);
}

static void write_record(struct trace_writer *writer, const struct trace_record *record)
{
    struct gfe_error error = {0};

    ck_assert_msg(trace_write(writer, record, &error), "%s", error.text);
}

/* Pages, of which most repeat earlier ones, long and short texts, submissions; chunks of all sizes
 * when `flush_one_in` is not 0. */
static void write_some(struct trace_writer *writer, uint32_t count, uint32_t flush_one_in)
{
    static uint8_t pages[64][4096];
    static char text[TEXT_BYTES + 1];
    struct gfe_error error = {0};

    for (uint32_t i = 0; i < 64; i++)
        for (uint32_t at = 0; at < 4096; at++)
            pages[i][at] = (uint8_t)random_next(&random_state);
    memset(text, 'x', TEXT_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_record mem =
            sample_mem(4096 * (uint64_t)i, pages[random_below(&random_state, 64)], 4096);
        const struct trace_record mark = {
            .head.kind = TRACE_MARK,
            .mark.text = {text + random_below(&random_state, 2) * (TEXT_BYTES - 10), 0}};
        struct trace_record submit = sample_record(TRACE_SUBMIT, i), filled = mark;

        filled.mark.text.length = (uint32_t)strlen(filled.mark.text.text);
        write_record(writer, i % 3 == 0 ? &mem : i % 3 == 1 ? &filled : &submit);
        if (flush_one_in && random_below(&random_state, flush_one_in) == 0)
            ck_assert(trace_writer_flush(writer, &error));
    }
}

static struct memory_file trace_make(uint32_t count, uint32_t flush_one_in)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "test", &error);
    const struct trace_record meta = sample_meta(), end = {.head.kind = TRACE_END};

    ck_assert_ptr_nonnull(writer);
    write_record(writer, &meta);
    write_some(writer, count, flush_one_in);
    write_record(writer, &end);
    ck_assert(trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    return file;
}

static struct trace_store *first_pass(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct trace_store *store = trace_store_new(dup(file->fd), "test.gft", &error);
    struct trace_reader *reader;
    struct trace_record record;
    uint32_t segment = 0;

    ck_assert_int_eq(lseek(file->fd, 0, SEEK_SET), 0);
    reader = store ? trace_store_reader(store, &error) : NULL;
    ck_assert_msg(reader != NULL, "%s", error.text);
    for (record_count = 0; trace_read(reader, &record, &error) == TRACE_GOT; record_count++) {
        const struct trace_position position = trace_reader_position(reader);

        ck_assert_uint_lt(record_count, RECORDS_MAX);
        ck_assert_uint_eq(position.record_number, record_count);
        places[record_count] = (struct trace_place){record_count, position.record};
        record_digest(&record, digests[record_count]);
        segment = trace_store_note(store, &position);
        ck_assert_uint_eq(segment + 1, trace_store_segment_count(store));
        ck_assert_uint_eq(trace_store_segment_of(store, record_count), segment);
    }
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    trace_reader_free(reader);
    return store;
}

static void expect_record(struct trace_store *store, uint32_t number, struct trace_scratch *scratch)
{
    struct gfe_error error = {0};
    struct trace_record record;
    struct trace_head head;
    uint8_t digest[DIGEST_BYTES];

    ck_assert_msg(trace_store_record(store, &places[number], &record, scratch, &error), "%s",
                  error.text);
    record_digest(&record, digest);
    ck_assert_mem_eq(digest, digests[number], sizeof digest);
    ck_assert(trace_store_head(store, &places[number], &head, &error));
    if (number + 1 < record_count) {
        const struct trace_place next = trace_store_behind(&places[number], &head);

        ck_assert_uint_eq(next.position, places[number + 1].position);
        ck_assert_uint_eq(next.number, number + 1);
    }
}

START_TEST(any_record_can_be_read_in_any_order)
{
    static const uint32_t flushes[] = {0, 2, 100};
    struct memory_file file = trace_make(2000, flushes[_i]);
    struct trace_store *store = first_pass(&file);
    struct trace_scratch scratch = {0};

    ck_assert_uint_gt(trace_store_segment_count(store), 15);
    for (uint32_t i = 0; i < record_count; i++)
        expect_record(store, i, &scratch);
    ck_assert_uint_eq(trace_store_load_count(store), trace_store_segment_count(store));
    for (uint32_t i = 0; i < 2000; i++)
        expect_record(store, random_below(&random_state, record_count), &scratch);
    trace_scratch_free(&scratch);
    trace_store_free(store);
    memory_file_free(&file);
}
END_TEST

/* Segments begin where the one before ends, and hold what they are meant to. */
START_TEST(segments_cover_the_trace)
{
    struct memory_file file = trace_make(3000, _i ? 3 : 0);
    struct trace_store *store = first_pass(&file);
    const uint32_t count = trace_store_segment_count(store);

    for (uint32_t i = 0; i <= count; i++) {
        const struct trace_place place = trace_store_segment(store, i);

        ck_assert_uint_le(place.number, record_count);
        if (i == 0 || i == count)
            ck_assert_uint_eq(place.number, i == 0 ? 0 : record_count);
        if (i < count)
            ck_assert_uint_eq(place.position, places[place.number].position);
        if (i > 0 && i < count)
            ck_assert_uint_ge(place.position - trace_store_segment(store, i - 1).position,
                              TRACE_STORE_TARGET_BYTES);
    }
    trace_store_free(store);
    memory_file_free(&file);
}
END_TEST

/* Readers far apart take turns: segments are unpacked again and again, and no more is held. */
START_TEST(many_readers_far_apart_cost_time_and_not_memory)
{
    struct memory_file file = trace_make(9000, 0);
    struct trace_store *store = first_pass(&file);
    const uint32_t segments = trace_store_segment_count(store);
    struct trace_scratch scratch = {0};

    ck_assert_uint_gt(trace_store_segment(store, segments).position, 2 * TRACE_STORE_CACHE_BYTES);
    for (uint32_t turn = 0; turn < 3; turn++)
        for (uint32_t at = turn; at < record_count; at += 90)
            expect_record(store, at, &scratch);
    ck_assert_uint_gt(trace_store_load_count(store), 2 * segments);
    ck_assert_uint_le(trace_store_peak_bytes(store), TRACE_STORE_CACHE_BYTES);
    ck_assert_uint_gt(trace_store_peak_bytes(store), TRACE_STORE_CACHE_BYTES / 2);
    trace_scratch_free(&scratch);
    trace_store_free(store);
    memory_file_free(&file);
}
END_TEST

/* Reads all records; how many could not be, each with one line that names the file. */
static uint32_t count_unreadable(struct trace_store *store)
{
    struct trace_scratch scratch = {0};
    struct trace_record record;
    uint32_t count = 0;

    for (uint32_t i = 0; i < record_count; i++) {
        struct gfe_error error = {0};

        if (trace_store_record(store, &places[i], &record, &scratch, &error))
            continue;
        count++;
        ck_assert_ptr_nonnull(strstr(error.text, "test.gft: "));
        ck_assert_ptr_null(strchr(error.text, '\n'));
    }
    trace_scratch_free(&scratch);
    return count;
}

START_TEST(a_file_that_is_cut_meanwhile_is_noticed)
{
    struct memory_file file = trace_make(1000, 0);
    struct trace_store *store = first_pass(&file);

    ck_assert_int_eq(ftruncate(file.fd, lseek(file.fd, 0, SEEK_END) / 2), 0);
    ck_assert_uint_gt(count_unreadable(store), 300);
    trace_store_free(store);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_file_that_is_damaged_meanwhile_is_noticed)
{
    struct memory_file file = trace_make(1000, 0);
    struct trace_store *store = first_pass(&file);
    const uint8_t byte = 0x5a;

    for (off_t at = 100; at < lseek(file.fd, 0, SEEK_END); at += 10000)
        ck_assert_int_eq(pwrite(file.fd, &byte, 1, at), 1);
    ck_assert_uint_gt(count_unreadable(store), 900);
    trace_store_free(store);
    memory_file_free(&file);
}
END_TEST

/* Another good trace in its place: what is read is then either refused or some record. */
START_TEST(a_file_that_becomes_another_is_read_safely)
{
    struct memory_file file = trace_make(1000, (uint32_t)_i);
    struct memory_file other = trace_make(1200, (uint32_t)_i);
    struct trace_store *store = first_pass(&file);
    size_t bytes;
    uint8_t *data = memory_file_read(&other, &bytes);

    ck_assert_int_eq(pwrite(file.fd, data, bytes, 0), (ssize_t)bytes);
    ck_assert_uint_gt(count_unreadable(store), 0);
    free(data);
    trace_store_free(store);
    memory_file_free(&file);
    memory_file_free(&other);
}
END_TEST

Suite *trace_store_suite(void)
{
    Suite *suite = suite_create("trace_store");
    TCase *tcase = tcase_create("store");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, any_record_can_be_read_in_any_order, 0, 3);
    tcase_add_loop_test(tcase, segments_cover_the_trace, 0, 2);
    tcase_add_test(tcase, many_readers_far_apart_cost_time_and_not_memory);
    tcase_add_test(tcase, a_file_that_is_cut_meanwhile_is_noticed);
    tcase_add_test(tcase, a_file_that_is_damaged_meanwhile_is_noticed);
    tcase_add_loop_test(tcase, a_file_that_becomes_another_is_read_safely, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
