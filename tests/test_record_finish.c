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
    return record_finish(&(char *){part_path}, 1, out_fd, "out", &end, &totals, error);
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
    ck_assert(!record_finish(&(char *){part_path}, 1, full, "the name", &end, &totals, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "the name"));
    close(full);
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
    suite_add_tcase(suite, cases);
    return suite;
}
