/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/suites.h"
#include "traces/record/record_finish.h"

enum { SUBMISSIONS = 5, PATH_BYTES = 64, PUSH_BYTES = 8 };

static int part_fd, out_fd;
static char part_path[PATH_BYTES], out_path[PATH_BYTES];
static struct record_totals totals;

static void put(struct trace_writer *writer, enum trace_kind kind, struct trace_record *record)
{
    struct gfe_error error = {0};

    record->head.kind = (uint16_t)kind;
    record->head.time_ns = 1000 + trace_writer_record_count(writer);
    record->head.thread_id = 7;
    ck_assert_msg(trace_write(writer, record, &error), "%s", error.text);
}

/* What a recorded process leaves: META, then a chunk for each submission, neither END nor index. */
static void setup(void)
{
    static const struct trace_str none = {"", 0};
    const struct trace_push push = {.handle = 1, .length_bytes = PUSH_BYTES};
    struct trace_record record = {.meta = {.format = TRACE_FORMAT,
                                           .driver = none,
                                           .gpu = none,
                                           .recorder = none,
                                           .host = none,
                                           .program = none}};
    struct gfe_error error = {0};
    struct trace_writer *writer;

    part_fd = memfd_create("part", 0);
    out_fd = memfd_create("out", 0);
    snprintf(part_path, sizeof part_path, "/proc/self/fd/%d", part_fd);
    snprintf(out_path, sizeof out_path, "/proc/self/fd/%d", out_fd);
    writer = trace_writer_new(part_fd, "part", &error);
    ck_assert_ptr_nonnull(writer);
    put(writer, TRACE_META, &record);
    for (uint32_t i = 1; i <= SUBMISSIONS; i++) {
        record = (struct trace_record){
            .submit = {.submission_id = i, .pushes = {.push = &push, .count = 1}}};
        put(writer, TRACE_SUBMIT, &record);
        ck_assert(trace_writer_flush(writer, &error));
    }
    trace_writer_free(writer);
}

static void teardown(void)
{
    close(part_fd);
    close(out_fd);
}

static bool finish(struct gfe_error *error)
{
    const struct trace_end end = {.exit_status = 9, .how = TRACE_END_KILLED};

    ck_assert_int_eq(ftruncate(out_fd, 0), 0);
    ck_assert_int_eq(lseek(out_fd, 0, SEEK_SET), 0);
    return record_finish(&(struct record_parts){.names = &(char *){part_path}, .count = 1}, out_fd,
                         "out", &end, &totals, error);
}

/* Reads the result to its end: the number of submissions. */
static unsigned result_submissions(void)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(out_path, &error);
    struct trace_record record;
    enum trace_result result;
    uint64_t last_time = 0;
    unsigned count = 0;
    bool ended = false;

    ck_assert_msg(reader != NULL, "%s", error.text);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT) {
        count += record.head.kind == TRACE_SUBMIT;
        ended = record.head.kind == TRACE_END;
        ck_assert(record.head.time_ns >= last_time);
        last_time = record.head.time_ns;
        if (ended) {
            ck_assert_uint_eq(record.end.exit_status, 9);
            ck_assert_uint_eq(record.end.how, TRACE_END_KILLED);
            ck_assert_uint_eq(record.end.record_count, count + 1);
        }
    }
    ck_assert_msg(result == TRACE_AT_END, "%s", error.text);
    ck_assert(ended);
    trace_reader_free(reader);
    return count;
}

START_TEST(a_part_becomes_a_trace_with_all_submissions)
{
    struct gfe_error error = {0};

    ck_assert_msg(finish(&error), "%s", error.text);
    ck_assert_uint_eq(result_submissions(), SUBMISSIONS);
    ck_assert_uint_eq(totals.submissions, SUBMISSIONS);
    ck_assert_uint_eq(totals.pushed_bytes, SUBMISSIONS * PUSH_BYTES);
}
END_TEST

/* PROMISE (traces): A part file cut anywhere gives all that was complete. */
START_TEST(a_part_cut_anywhere_gives_all_that_was_complete)
{
    unsigned most = SUBMISSIONS;

    for (off_t bytes = lseek(part_fd, 0, SEEK_END) - 1; bytes >= 0; bytes--) {
        struct gfe_error error = {0};

        ck_assert_int_eq(ftruncate(part_fd, bytes), 0);
        if (!finish(&error)) {
            ck_assert_str_ne(error.text, "");
            most = 0; /* the first chunk is not whole, nor will it be again */
            continue;
        }
        ck_assert_uint_gt(most, 0);
        ck_assert_uint_le(result_submissions(), most);
        ck_assert_uint_ge(result_submissions(), most - 1); /* one chunk at a time goes */
        most = result_submissions();
    }
    ck_assert_uint_eq(most, 0);
}
END_TEST

START_TEST(an_output_that_fails_is_told)
{
    const struct trace_end end = {.how = TRACE_END_EXIT};
    struct gfe_error error = {0};
    const int full = open("/dev/full", O_WRONLY);

    ck_assert_int_ge(full, 0);
    ck_assert(!record_finish(&(struct record_parts){.names = &(char *){part_path}, .count = 1},
                             full, "the name", &end, &totals, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "the name"));
    close(full);
}
END_TEST

/* ---- damaged parts --------------------------------------------------------------------------- */

enum { BIG_CHUNKS = 6, BIG_BYTES = 4000, BIG_SAME = 2, BIG_REFERS = 5 };

/* Numbers that do not compress, of a generator whose constants are Knuth's (MMIX). */
static void noise_fill(uint8_t *to, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        to[i] = (uint8_t)(seed >> 56);
    }
}

/* A part of META and BIG_CHUNKS chunks, each of a MEM of its own data and a submission.  The data
 * of chunk BIG_REFERS are those of chunk BIG_SAME, so that they are a reference.  offsets[i] is
 * where chunk i begins; chunk 0 is META, and the last entry is the file's end. */
static void big_part_make(off_t offsets[BIG_CHUNKS + 2])
{
    static const struct trace_str none = {"", 0};
    const struct trace_push push = {.handle = 1, .length_bytes = PUSH_BYTES};
    struct trace_record record = {.meta = {.format = TRACE_FORMAT,
                                           .driver = none,
                                           .gpu = none,
                                           .recorder = none,
                                           .host = none,
                                           .program = none}};
    struct gfe_error error = {0};
    uint8_t data[BIG_BYTES];
    struct trace_writer *writer;

    ck_assert_int_eq(ftruncate(part_fd, 0), 0);
    ck_assert_int_eq(lseek(part_fd, 0, SEEK_SET), 0);
    writer = trace_writer_new(part_fd, "part", &error);
    ck_assert_ptr_nonnull(writer);
    offsets[0] = 0;
    put(writer, TRACE_META, &record);
    ck_assert(trace_writer_flush(writer, &error));
    for (uint32_t i = 1; i <= BIG_CHUNKS; i++) {
        offsets[i] = lseek(part_fd, 0, SEEK_CUR);
        noise_fill(data, sizeof data, i == BIG_REFERS ? BIG_SAME : i);
        record = (struct trace_record){
            .mem = {.address = (uint64_t)i << 16, .data = {data, sizeof data}}};
        put(writer, TRACE_MEM, &record);
        record = (struct trace_record){
            .submit = {.submission_id = i, .pushes = {.push = &push, .count = 1}}};
        put(writer, TRACE_SUBMIT, &record);
        ck_assert(trace_writer_flush(writer, &error));
    }
    offsets[BIG_CHUNKS + 1] = lseek(part_fd, 0, SEEK_CUR);
    trace_writer_free(writer);
}

static void byte_flip(off_t offset)
{
    uint8_t byte;

    ck_assert_int_eq(pread(part_fd, &byte, 1, offset), 1);
    byte ^= 0x40;
    ck_assert_int_eq(pwrite(part_fd, &byte, 1, offset), 1);
}

static bool salvage(char **names, uint32_t count, struct gfe_error *error)
{
    const struct trace_end end = {.exit_status = 9, .how = TRACE_END_KILLED};
    const struct record_parts parts = {.names = names, .count = count, .salvage = true};

    ck_assert_int_eq(ftruncate(out_fd, 0), 0);
    ck_assert_int_eq(lseek(out_fd, 0, SEEK_SET), 0);
    return record_finish(&parts, out_fd, "out", &end, &totals, error);
}

struct found {
    unsigned submissions, memories, marks;
};

/* Reads the result to its end, as any trace. */
static struct found found_read(void)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(out_path, &error);
    struct trace_record record;
    enum trace_result result;
    struct found found = {0};

    ck_assert_msg(reader != NULL, "%s", error.text);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT) {
        const uint32_t i = (uint32_t)(record.mem.address >> 16);
        uint8_t data[BIG_BYTES];

        found.submissions += record.head.kind == TRACE_SUBMIT;
        found.marks += record.head.kind == TRACE_MARK;
        if (record.head.kind != TRACE_MEM)
            continue;
        noise_fill(data, sizeof data, i == BIG_REFERS ? BIG_SAME : i);
        ck_assert_uint_eq(record.mem.data.length, BIG_BYTES);
        ck_assert_mem_eq(record.mem.data.data, data, BIG_BYTES); /* never another chunk's */
        found.memories++;
    }
    ck_assert_msg(result == TRACE_AT_END, "%s", error.text);
    trace_reader_free(reader);
    return found;
}

/* Checks what is found and told when chunk `chunk` is lost and no other. */
static void check_lost(int chunk)
{
    const struct found found = found_read();
    const bool refers = chunk == BIG_SAME;

    ck_assert_uint_eq(totals.loss.chunks, 1);
    ck_assert_uint_eq(totals.loss.references, refers);
    ck_assert_uint_eq(found.submissions, BIG_CHUNKS - 1);
    ck_assert_uint_eq(found.memories, BIG_CHUNKS - 1 - refers);
    ck_assert_uint_eq(found.marks, (chunk < BIG_CHUNKS ? 1u : 0u) + refers);
}

/* PROMISE (traces): Of a damaged part --recover takes all that is whole: any one wrong byte costs
 * one chunk at most, and none if it lies in the first chunk or in the head of a chunk. */
START_TEST(one_wrong_byte_costs_one_chunk_at_most)
{
    off_t offsets[BIG_CHUNKS + 2];
    struct gfe_error error = {0};
    char *names[] = {part_path};

    big_part_make(offsets);
    for (int chunk = 0; chunk <= BIG_CHUNKS; chunk++)
        for (off_t at = offsets[chunk]; at < offsets[chunk + 1];
             at += at < offsets[chunk] + 24 ? 1 : 97) {
            const bool is_mended =
                at < offsets[chunk] + 24 || offsets[chunk + 1] - offsets[chunk] < 512;

            byte_flip(at);
            ck_assert_msg(salvage(names, 1, &error), "%s", error.text);
            byte_flip(at);
            ck_assert_uint_eq(totals.loss.mended, is_mended);
            if (!is_mended) {
                check_lost(chunk);
                continue;
            }
            ck_assert_uint_eq(totals.loss.chunks + totals.loss.references, 0);
            ck_assert_uint_eq(found_read().memories, BIG_CHUNKS);
            ck_assert_uint_eq(found_read().submissions, BIG_CHUNKS);
        }
}
END_TEST

/* Two bytes of a head: what follows is found all the same, but no reference can be trusted. */
START_TEST(a_head_that_cannot_be_read_costs_its_chunk_and_references)
{
    off_t offsets[BIG_CHUNKS + 2];
    struct gfe_error error = {0};
    char *names[] = {part_path};
    struct found found;

    big_part_make(offsets);
    byte_flip(offsets[4] + 8);
    byte_flip(offsets[4] + 13);
    ck_assert_msg(salvage(names, 1, &error), "%s", error.text);
    found = found_read();
    ck_assert_uint_eq(totals.loss.chunks, 1);
    ck_assert_uint_eq(totals.loss.references, 1); /* of chunk BIG_REFERS, behind it */
    ck_assert_uint_eq(found.submissions, BIG_CHUNKS - 1);
    ck_assert_uint_eq(found.memories, BIG_CHUNKS - 2);
}
END_TEST

/* A hole where a chunk was, and rubbish behind the last chunk. */
START_TEST(bytes_that_are_missing_or_too_many_cost_no_other_chunk)
{
    off_t offsets[BIG_CHUNKS + 2];
    struct gfe_error error = {0};
    char *names[] = {part_path};
    uint8_t rest[6 * (BIG_BYTES + 400)];
    ssize_t bytes;

    big_part_make(offsets);
    bytes = pread(part_fd, rest, sizeof rest, offsets[3] + 500);
    ck_assert_int_gt(bytes, 0);
    ck_assert_int_eq(pwrite(part_fd, rest, (size_t)bytes, offsets[3] + 300), bytes);
    ck_assert_int_eq(ftruncate(part_fd, offsets[BIG_CHUNKS + 1] - 200), 0);
    ck_assert_msg(salvage(names, 1, &error), "%s", error.text);
    ck_assert_uint_eq(found_read().submissions, BIG_CHUNKS - 1);
    ck_assert_uint_eq(totals.loss.chunks, 1);

    big_part_make(offsets);
    noise_fill(rest, 1000, 77);
    ck_assert_int_eq(pwrite(part_fd, rest, 1000, offsets[BIG_CHUNKS + 1]), 1000);
    ck_assert_msg(salvage(names, 1, &error), "%s", error.text);
    ck_assert_uint_eq(found_read().submissions, BIG_CHUNKS);
}
END_TEST

/* A part that is no file any more costs that part: the others are joined. */
START_TEST(a_part_that_is_not_there_costs_no_other)
{
    static const char *const losses[] = {"/no/such/part", "/tmp", "/dev/null", "/proc/self/exe"};
    off_t offsets[BIG_CHUNKS + 2];

    big_part_make(offsets);
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        for (int place = 0; place < 2; place++) {
            char lost[PATH_BYTES];
            char *names[] = {place == 0 ? lost : part_path, place == 0 ? part_path : lost};
            struct gfe_error error = {0};

            snprintf(lost, sizeof lost, "%s", losses[i]);
            ck_assert_msg(salvage(names, 2, &error), "%s: %s", lost, error.text);
            ck_assert_uint_eq(totals.lost_parts, 1);
            ck_assert_uint_eq(found_read().memories, BIG_CHUNKS);
        }
}
END_TEST

/* Two wrong bytes in the first chunk: META is another part's, and without one the part is lost. */
START_TEST(a_lost_first_chunk_costs_only_itself_if_another_part_has_its_own)
{
    char good_path[PATH_BYTES];
    off_t offsets[BIG_CHUNKS + 2];
    struct gfe_error error = {0};
    const int good_fd = memfd_create("good", 0), first_fd = part_fd;
    char *names[] = {part_path, good_path};

    ck_assert_int_ge(good_fd, 0);
    snprintf(good_path, sizeof good_path, "/proc/self/fd/%d", good_fd);
    big_part_make(offsets);
    part_fd = good_fd;
    big_part_make(offsets);
    part_fd = first_fd;
    byte_flip(30);
    byte_flip(34);
    ck_assert_msg(salvage(names, 2, &error), "%s", error.text);
    ck_assert_uint_eq(totals.loss.chunks, 1);
    ck_assert_uint_eq(found_read().submissions, 2 * BIG_CHUNKS);
    ck_assert(!salvage(names, 1, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "for which GPU"));
    close(good_fd);
}
END_TEST

/* META of a format that this gfe cannot read, alone in its chunk. */
static void other_format_make(int fd)
{
    static const struct trace_str none = {"", 0};
    struct trace_record record = {.meta = {.format = TRACE_FORMAT + 1,
                                           .driver = none,
                                           .gpu = none,
                                           .recorder = none,
                                           .host = none,
                                           .program = none}};
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(fd, "other", &error);

    ck_assert_ptr_nonnull(writer);
    put(writer, TRACE_META, &record);
    ck_assert(trace_writer_flush(writer, &error));
    trace_writer_free(writer);
}

/* A trace of another format was written where one is joined with others, or alone: it could not be
 * read again. */
START_TEST(a_part_of_another_format_is_left_out)
{
    char other_path[PATH_BYTES];
    const int other_fd = memfd_create("other", 0);

    ck_assert_int_ge(other_fd, 0);
    snprintf(other_path, sizeof other_path, "/proc/self/fd/%d", other_fd);
    other_format_make(other_fd);
    for (int place = 0; place < 2; place++) {
        char *names[] = {place == 0 ? other_path : part_path, place == 0 ? part_path : other_path};
        struct gfe_error error = {0};

        ck_assert_msg(salvage(names, 2, &error), "%s", error.text);
        ck_assert_uint_eq(totals.lost_parts, 1);
        ck_assert_ptr_nonnull(strstr(totals.lost_part.text, "trace format 2, but this gfe reads"));
        ck_assert_uint_eq(found_read().submissions, SUBMISSIONS);
    }
    for (int salvages = 0; salvages < 2; salvages++) {
        struct gfe_error error = {0};
        char *names[] = {other_path};

        memcpy(part_path, other_path, sizeof part_path);
        ck_assert(!(salvages ? salvage(names, 1, &error) : finish(&error)));
        ck_assert_ptr_nonnull(strstr(error.text, "trace format 2, but this gfe reads format 1"));
    }
    close(other_fd);
}
END_TEST

Suite *record_finish_suite(void)
{
    Suite *suite = suite_create("record_finish");
    TCase *cases = tcase_create("record_finish");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_part_becomes_a_trace_with_all_submissions);
    tcase_add_test(cases, a_part_cut_anywhere_gives_all_that_was_complete);
    tcase_add_test(cases, an_output_that_fails_is_told);
    tcase_add_test(cases, one_wrong_byte_costs_one_chunk_at_most);
    tcase_add_test(cases, a_head_that_cannot_be_read_costs_its_chunk_and_references);
    tcase_add_test(cases, bytes_that_are_missing_or_too_many_cost_no_other_chunk);
    tcase_add_test(cases, a_part_that_is_not_there_costs_no_other);
    tcase_add_test(cases, a_lost_first_chunk_costs_only_itself_if_another_part_has_its_own);
    tcase_add_test(cases, a_part_of_another_format_is_left_out);
    suite_add_tcase(suite, cases);
    return suite;
}
