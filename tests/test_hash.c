/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "traces/format/hash.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/trace_codec.h"

struct hex {
    char text[HASH_HEX_BYTES];
};

static struct hex must_hash(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct hex hex;

    ck_assert_msg(hash_file_within(file->path, CHUNK_UNPACKED_MAX_BYTES, hex.text, &error), "%s",
                  error.text);
    ck_assert_uint_eq(strlen(hex.text), HASH_HEX_BYTES - 1);
    ck_assert_uint_eq(strspn(hex.text, "0123456789abcdef"), HASH_HEX_BYTES - 1);
    return hex;
}

static void must_fail(const struct memory_file *file, const char *message)
{
    struct gfe_error error = {0};
    char hex[HASH_HEX_BYTES];

    ck_assert(!hash_file_within(file->path, CHUNK_UNPACKED_MAX_BYTES, hex, &error));
    ck_assert_msg(strstr(error.text, message) != NULL, "%s; expected: %s", error.text, message);
    ck_assert_ptr_eq(strstr(error.text, file->path), error.text);
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* A trace of one record of each kind; `change` may alter each before it is written. */
typedef void change_function(struct trace_record *record, const void *context);

static struct memory_file changed_trace_of(uint16_t last_kind, change_function *change,
                                           const void *context, bool many_chunks)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "test", &error);

    for (uint16_t n = 1; n <= TRACE_KINDS; n++) {
        const uint16_t kind = sample_kind(n);
        if (kind > last_kind)
            continue;
        struct trace_record record = sample_record(kind, 0);
        record.head.time_ns = 1000u * kind;
        record.head.process_id = 10 + kind / 8;
        record.head.thread_id = 100 + kind / 4;
        if (change)
            change(&record, context);
        ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
        if (many_chunks)
            ck_assert(trace_writer_flush(writer, &error));
    }
    ck_assert(trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    return file;
}

static struct memory_file changed_trace(change_function *change, const void *context,
                                        bool many_chunks)
{
    return changed_trace_of(TRACE_KINDS, change, context, many_chunks);
}

static bool same_as_unchanged(change_function *change, const void *context)
{
    struct memory_file a = changed_trace(NULL, NULL, false);
    struct memory_file b = changed_trace(change, context, false);
    const struct hex hash_a = must_hash(&a), hash_b = must_hash(&b);

    memory_file_free(&a);
    memory_file_free(&b);
    return strcmp(hash_a.text, hash_b.text) == 0;
}

/* PROMISE (traces): The identity of a trace does not depend on how it is stored. */
START_TEST(the_hash_of_a_trace_does_not_depend_on_its_chunks)
{
    struct memory_file a = changed_trace(NULL, NULL, false);
    struct memory_file b = changed_trace(NULL, NULL, true);

    ck_assert_int_ne(lseek(a.fd, 0, SEEK_END), lseek(b.fd, 0, SEEK_END));
    ck_assert_str_eq(must_hash(&a).text, must_hash(&b).text);
    memory_file_free(&a);
    memory_file_free(&b);
}
END_TEST

struct field_place {
    uint16_t kind;
    const struct trace_field *field;
};

/* Another value for one field. */
static void change_field(struct trace_record *record, const void *context)
{
    static const char text[] = "another text";
    static const uint8_t data[4000] = {1, 2, 3};
    static const struct trace_push push = {1, 2, 3, 4};
    static const struct trace_sync sync = {1, 2, 3};
    static const struct trace_bind bind = {1, 2, 3, 4, 5, 6, 7};
    const struct field_place *place = context;
    uint8_t *member = (uint8_t *)&record->meta + place->field->offset;

    if (record->head.kind != place->kind)
        return;
    switch (place->field->type) {
    case TRACE_STR:
        *(struct trace_str *)(void *)member = (struct trace_str){text, sizeof text - 1};
        break;
    case TRACE_BYTES:
        *(struct trace_bytes *)(void *)member = (struct trace_bytes){data, sizeof data};
        break;
    case TRACE_PUSHES:
        *(struct trace_pushes *)(void *)member = (struct trace_pushes){&push, 1};
        break;
    case TRACE_SYNCS:
        *(struct trace_syncs *)(void *)member = (struct trace_syncs){&sync, 1};
        break;
    case TRACE_BINDS:
        *(struct trace_binds *)(void *)member = (struct trace_binds){&bind, 1};
        break;
    default:
        member[0] ^= 1;
        break;
    }
}

START_TEST(each_field_counts_unless_it_is_marked_host)
{
    int host_count = 0, field_count = 0;

    for (uint16_t n = 1; n <= TRACE_KINDS; n++) {
        const uint16_t kind = sample_kind(n);
        const struct trace_record_row *row = trace_record_row(kind);
        for (uint32_t i = 0; i < row->field_count; i++) {
            const struct field_place place = {kind, &row->fields[i]};
            if (kind == TRACE_META && strcmp(place.field->name, "format") == 0)
                continue; /* another format is refused */
            if (kind == TRACE_END && strcmp(place.field->name, "record_count") == 0)
                continue; /* the writer's */
            ck_assert_msg(same_as_unchanged(change_field, &place) == place.field->host, "%s.%s",
                          row->name, place.field->name);
            host_count += place.field->host;
            field_count++;
        }
    }
    ck_assert_int_gt(host_count, 4);
    ck_assert_int_gt(field_count, 80);
}
END_TEST

static void shift_ids(struct trace_record *record, const void *context)
{
    (void)context;
    record->head.process_id += 70000;
    record->head.thread_id = ~record->head.thread_id;
}

static void merge_threads(struct trace_record *record, const void *context)
{
    (void)context;
    if (record->head.kind > TRACE_MEM)
        record->head.thread_id = 100;
}

static void shift_time(struct trace_record *record, const void *context)
{
    (void)context;
    record->head.time_ns += record->head.kind == TRACE_SUBMIT;
}

START_TEST(process_and_thread_numbers_count_only_by_who_is_who)
{
    ck_assert(same_as_unchanged(shift_ids, NULL));
    ck_assert(!same_as_unchanged(merge_threads, NULL));
}
END_TEST

START_TEST(times_count)
{
    ck_assert(!same_as_unchanged(shift_time, NULL));
}
END_TEST

START_TEST(many_threads_are_numbered_in_order)
{
    struct hex hashes[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct memory_file file = memory_file_new("", 0);
        struct gfe_error error = {0};
        struct trace_writer *writer = trace_writer_new(file.fd, "test", &error);
        struct trace_record record = sample_meta();
        ck_assert(trace_write(writer, &record, &error));
        for (uint32_t i = 0; i < 3000; i++) {
            record = (struct trace_record){.head = {.kind = TRACE_MARK}};
            record.head.thread_id = (i % 1500 + 1) * (run ? 0x10001 : 64);
            ck_assert(trace_write(writer, &record, &error));
        }
        record = (struct trace_record){.head = {.kind = TRACE_END}};
        ck_assert(trace_write(writer, &record, &error) && trace_writer_finish(writer, &error));
        trace_writer_free(writer);
        hashes[run] = must_hash(&file);
        memory_file_free(&file);
    }
    ck_assert_str_eq(hashes[0].text, hashes[1].text);
}
END_TEST

/* One MEM twice: the writer shares it; a file with both inline is put together by hand. */
START_TEST(shared_and_inline_memory_hash_alike)
{
    static const uint8_t data[1000] = {1, 2, 3, 4};
    const struct trace_record records[] = {sample_meta(),
                                           sample_mem(0, data, sizeof data),
                                           sample_mem(4096, data, sizeof data),
                                           {.head.kind = TRACE_END, .end.record_count = 3}};
    struct memory_file shared = memory_file_new("", 0), inlined = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(shared.fd, "test", &error);
    struct chunk_writer *chunks = chunk_writer_new(inlined.fd, "test", &error);
    uint8_t bytes[4000];
    size_t used = 0;

    for (uint32_t i = 0; i < 4; i++) {
        ck_assert(trace_write(writer, &records[i], &error));
        struct trace_head head = records[i].head;
        head.sequence = i;
        head.length_bytes = (uint32_t)trace_encode_fields(bytes + used + TRACE_HEAD_BYTES,
                                                          &records[i], TRACE_ALL_FIELDS);
        trace_encode_head(bytes + used, &head);
        used += TRACE_HEAD_BYTES + head.length_bytes;
    }
    ck_assert(trace_writer_finish(writer, &error));
    ck_assert(chunk_write(chunks, CHUNK_TRACE, bytes, used, &error));
    ck_assert(chunk_writer_finish(chunks, &error));
    trace_writer_free(writer);
    chunk_writer_free(chunks);
    ck_assert_str_eq(must_hash(&shared).text, must_hash(&inlined).text);
    memory_file_free(&shared);
    memory_file_free(&inlined);
}
END_TEST

/* The values are part of the format: the golden logs name traces by them.  The first is as old as
 * the format; kinds that were added since are in the others. */
START_TEST(the_hash_of_a_known_trace_is_known)
{
    struct memory_file old = changed_trace_of(TRACE_END, NULL, NULL, false);
    struct memory_file file = changed_trace_of(TRACE_SYNCOBJ_WAIT, NULL, NULL, false);
    struct memory_file whole = changed_trace(NULL, NULL, false);

    ck_assert_str_eq(must_hash(&old).text,
                     "0bc7146b081afb8177880a105a80acdc91c834247a40d4a62a1d3bb1b19f2fcc");
    ck_assert_str_eq(must_hash(&file).text,
                     "1abaf6f6ca1130d3fb7006dd5ed32087f2bdc4292684bb329032a1f435601e1c");
    ck_assert_str_eq(must_hash(&whole).text,
                     "71ef034314f6a2177f4ede392d23b66fb78060d2385674ee2d8d31715f336218");
    memory_file_free(&old);
    memory_file_free(&file);
    memory_file_free(&whole);
}
END_TEST

/* ---- event logs ------------------------------------------------------------------------------ */

struct log_part {
    enum chunk_kind kind;
    const char *text;
};

static struct memory_file log_of(const struct log_part *parts, bool finish)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);

    for (; parts->text; parts++)
        ck_assert(chunk_write(writer, parts->kind, parts->text, strlen(parts->text), &error));
    if (finish)
        ck_assert(chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    return file;
}

static const struct log_part whole_log[] = {
    {CHUNK_LOG_HEAD, "head"}, {CHUNK_LOG_EVENTS, "events"}, {CHUNK_LOG_END, "end"}, {0}};

START_TEST(the_hash_of_a_log_counts_bytes_and_kinds_but_not_where_chunks_were_cut)
{
    static const struct log_part split[] = {{CHUNK_LOG_HEAD, "head"},
                                            {CHUNK_LOG_EVENTS, "eve"},
                                            {CHUNK_LOG_EVENTS, "nts"},
                                            {CHUNK_LOG_END, "end"},
                                            {0}};
    static const struct log_part moved[] = {
        {CHUNK_LOG_HEAD, "heade"}, {CHUNK_LOG_EVENTS, "vents"}, {CHUNK_LOG_END, "end"}, {0}};
    static const struct log_part other[] = {
        {CHUNK_LOG_HEAD, "head"}, {CHUNK_LOG_EVENTS, "Events"}, {CHUNK_LOG_END, "end"}, {0}};
    struct memory_file a = log_of(whole_log, true), b = log_of(split, true);
    struct memory_file c = log_of(moved, true), d = log_of(other, true);

    ck_assert_str_eq(must_hash(&a).text, must_hash(&b).text);
    ck_assert_str_ne(must_hash(&a).text, must_hash(&c).text);
    ck_assert_str_ne(must_hash(&a).text, must_hash(&d).text);
    memory_file_free(&a);
    memory_file_free(&b);
    memory_file_free(&c);
    memory_file_free(&d);
}
END_TEST

START_TEST(what_is_cut_mixed_or_foreign_has_no_hash)
{
    static const struct log_part no_end[] = {
        {CHUNK_LOG_HEAD, "head"}, {CHUNK_LOG_EVENTS, "events"}, {0}};
    static const struct log_part mixed[] = {
        {CHUNK_LOG_HEAD, "head"}, {CHUNK_TRACE, "records"}, {CHUNK_LOG_END, "end"}, {0}};
    static const struct log_part nothing[] = {{0}};
    struct memory_file files[] = {log_of(no_end, true),   log_of(whole_log, false),
                                  log_of(mixed, true),    log_of(nothing, true),
                                  log_of(nothing, false), memory_file_new("hello", 5)};
    static const char *const messages[] = {"the event log has no end",
                                           "the event log has no index",
                                           "a chunk of a trace in an event log",
                                           "the file holds only an index",
                                           "the file is empty",
                                           "this is no gfe file"};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        must_fail(&files[i], messages[i]);
        memory_file_free(&files[i]);
    }
}
END_TEST

START_TEST(a_cut_trace_has_no_hash)
{
    struct memory_file whole = changed_trace(NULL, NULL, true);
    size_t bytes;
    uint8_t *data = memory_file_read(&whole, &bytes);
    struct memory_file cut = memory_file_new(data, bytes / 2);

    must_fail(&cut, "cut off after record");
    free(data);
    memory_file_free(&cut);
    memory_file_free(&whole);
}
END_TEST

Suite *hash_suite(void)
{
    Suite *suite = suite_create("hash");
    TCase *traces = tcase_create("traces"), *logs = tcase_create("logs");

    tcase_add_test(traces, the_hash_of_a_trace_does_not_depend_on_its_chunks);
    tcase_add_test(traces, each_field_counts_unless_it_is_marked_host);
    tcase_add_test(traces, process_and_thread_numbers_count_only_by_who_is_who);
    tcase_add_test(traces, times_count);
    tcase_add_test(traces, many_threads_are_numbered_in_order);
    tcase_add_test(traces, shared_and_inline_memory_hash_alike);
    tcase_add_test(traces, the_hash_of_a_known_trace_is_known);
    tcase_add_test(traces, a_cut_trace_has_no_hash);
    tcase_add_test(logs, the_hash_of_a_log_counts_bytes_and_kinds_but_not_where_chunks_were_cut);
    tcase_add_test(logs, what_is_cut_mixed_or_foreign_has_no_hash);
    suite_add_tcase(suite, traces);
    suite_add_tcase(suite, logs);
    return suite;
}
