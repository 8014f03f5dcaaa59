/* SPDX-License-Identifier: MIT */
/* The parts of a recording in its folder, what is made of them, and --recover, with calls that
 * fail. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/format/trace.h"
#include "traces/record/record_out.h"
#include "traces/record/record_parts.h"
#include "traces/record/record_recover.h"
#include "traces/record/record_tree.h"

static char root[40];
static struct record_directory directory;
static struct gfe_error error;
static char said[4096];
static bool nothing_goes; /* files and folders cannot be deleted */

static void setup(void)
{
    strcpy(root, "/tmp/gfe-test-parts-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(chdir(root), 0);
    setenv("TMPDIR", root, 1);
    error = (struct gfe_error){0};
    ck_assert(record_directory_make(&directory, &error));
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert(record_tree_remove(root));
}

static int file_make(const char *name)
{
    char *path = record_directory_file(&directory, name);
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    ck_assert_int_ge(fd, 0);
    free(path);
    return fd;
}

/* A part as a process leaves it that made a mark. */
static void part_make(const char *name)
{
    struct trace_record record = {.meta = {.format = TRACE_FORMAT}};
    const int fd = file_make(name);
    struct trace_writer *writer = trace_writer_new(fd, "part", &error);

    ck_assert_ptr_nonnull(writer);
    record.head.kind = TRACE_META;
    record.meta.driver = record.meta.gpu = record.meta.recorder = record_out_str("x");
    record.meta.host = record.meta.program = record_out_str("x");
    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    ck_assert_msg(trace_writer_flush(writer, &error), "%s", error.text);
    record = (struct trace_record){.head.kind = TRACE_MARK, .mark.text = record_out_str("here")};
    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    ck_assert_msg(trace_writer_flush(writer, &error), "%s", error.text);
    trace_writer_free(writer);
    close(fd);
}

/* ---- what stands there ----------------------------------------------------------------------- */

START_TEST(the_reason_of_a_process_is_read_as_far_as_there_is_room)
{
    char text[8];
    const int fd = file_make("problem");

    ck_assert_int_eq(write(fd, "no room", 7), 7);
    ck_assert(record_parts_problem(&directory, text, sizeof text));
    ck_assert_str_eq(text, "no room");
    ck_assert(record_parts_problem(&directory, text, 4));
    ck_assert_str_eq(text, "no ");
    check_refuse_once(_i == 0 ? SCMP_SYS(openat) : SCMP_SYS(read), EINTR, 1);
    text[0] = '\0';
    ck_assert(record_parts_problem(&directory, text, sizeof text));
    ck_assert_str_eq(text, "no room");
}
END_TEST

START_TEST(no_file_is_no_reason)
{
    char text[8];

    ck_assert(!record_parts_problem(&directory, text, sizeof text));
}
END_TEST

START_TEST(a_folder_without_parts_has_none)
{
    close(file_make("part-x"));
    ck_assert(!record_parts_exist(&directory));
    part_make("part-000001.gft");
    ck_assert(record_parts_exist(&directory));
}
END_TEST

/* It counts as one with parts, so that what is there is not deleted. */
static void folder_closed(void)
{
    check_refuse_where(SCMP_SYS(openat), EACCES, 2, O_DIRECTORY, O_DIRECTORY);
    ck_assert(record_parts_exist(&directory));
}

START_TEST(a_folder_that_cannot_be_read_may_have_parts)
{
    check_refuse_child(folder_closed);
}
END_TEST

START_TEST(standard_output_is_the_programs)
{
    struct output output = {0};

    ck_assert(!record_parts_output(&output, "-", &error));
    ck_assert_int_eq(error.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "standard output"));
}
END_TEST

static const struct {
    int call, error;
} late[] = {{SCMP_SYS(write), ENOSPC}, {SCMP_SYS(linkat), EIO}};

/* Without space, and at the last step: nothing has the final name. */
static unsigned late_step;

static void finish_late(void)
{
    const struct trace_end end = {.how = TRACE_END_EXIT};
    struct record_totals totals;
    struct output output = {0};

    part_make("part-000000.gft");
    ck_assert(record_parts_output(&output, "out.gft", &error));
    if (late[late_step].call == SCMP_SYS(linkat))
        check_refuse(SCMP_SYS(linkat), EIO);
    else
        check_refuse_where(late[late_step].call, late[late_step].error, 0, UINT32_MAX,
                           (uint32_t)output.fd);
    ck_assert(!record_parts_join(&directory, false, &output, "out.gft", &end, &totals, &error));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(late[late_step].error)));
    output_abort(&output);
    ck_assert_int_ne(access("out.gft", F_OK), 0);
    ck_assert(record_parts_exist(&directory));
}

START_TEST(a_trace_that_cannot_be_finished_gets_no_name)
{
    late_step = (unsigned)_i;
    check_refuse_child(finish_late);
}
END_TEST

/* ---- --recover ------------------------------------------------------------------------------- */

/* In a child, whose messages are kept; path: of a folder that no process holds any more. */
static int recover(const char *path, const char *output, bool quiet)
{
    const int out = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
    pid_t child;
    ssize_t bytes;
    int status;

    if (directory.lock_fd >= 0)
        close(directory.lock_fd);
    directory.lock_fd = -1;
    child = fork();
    if (child == 0) {
        dup2(out, STDERR_FILENO);
        dup2(out, STDOUT_FILENO);
        if (nothing_goes)
            check_refuse(SCMP_SYS(unlinkat), EROFS);
        exit(path ? record_recover(path, output, quiet) : record_clean(quiet));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    bytes = pread(out, said, sizeof said - 1, 0);
    said[bytes > 0 ? bytes : 0] = '\0';
    close(out);
    return WEXITSTATUS(status);
}

static unsigned marks_in(const char *path)
{
    struct trace_record record;
    struct trace_reader *reader = trace_reader_open(path, &error);
    unsigned count = 0;

    ck_assert_msg(reader != NULL, "%s", error.text);
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        count += record.head.kind == TRACE_MARK;
        if (record.head.kind == TRACE_END)
            ck_assert_uint_eq(record.end.how, TRACE_END_RECOVERED);
    }
    trace_reader_free(reader);
    return count;
}

START_TEST(a_whole_recording_is_recovered_and_its_folder_deleted)
{
    part_make("part-000000.gft");
    part_make("part-000001.gft");
    ck_assert_int_eq(recover(directory.path, "out.gft", _i), 0);
    ck_assert_int_eq(said[0] == '\0', _i);
    ck_assert_uint_eq(marks_in("out.gft"), 2);
    ck_assert_int_ne(access(directory.path, F_OK), 0);
}
END_TEST

START_TEST(why_a_recording_stopped_is_told)
{
    const int fd = file_make("problem");

    ck_assert_int_eq(write(fd, "disk full", 9), 9);
    part_make("part-000000.gft");
    ck_assert_int_eq(recover(directory.path, "out.gft", true), 0);
    ck_assert_ptr_nonnull(strstr(said, "out.gft: incomplete: disk full"));
}
END_TEST

START_TEST(a_folder_of_which_something_was_left_out_stays)
{
    char junk[5000];
    int fd;

    memset(junk, 'x', sizeof junk);

    part_make("part-000000.gft");
    fd = file_make("part-000001.gft");
    ck_assert_int_eq(write(fd, junk, sizeof junk), sizeof junk);
    ck_assert_int_eq(recover(directory.path, "out.gft", true), 0);
    ck_assert_msg(strstr(said, "whole parts: 1 of 2") != NULL, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "(gfe record --clean deletes it)"));
    ck_assert_int_eq(access(directory.path, F_OK), 0);
    ck_assert_uint_ge(marks_in("out.gft"), 1);
}
END_TEST

START_TEST(a_damaged_chunk_is_left_out_and_counted)
{
    char *path = record_directory_file(&directory, "part-000000.gft");
    struct stat status;
    int fd;

    part_make("part-000000.gft");
    fd = open(path, O_RDWR);
    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_int_eq(pwrite(fd, "a damaged chunk", 15, status.st_size - 30), 15);
    ck_assert_int_eq(recover(directory.path, "out.gft", true), 0);
    ck_assert_msg(strstr(said, "left out: chunks: 1, ") != NULL, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "whole parts: 0 of 1; "));
    ck_assert_int_eq(access(directory.path, F_OK), 0);
    free(path);
}
END_TEST

START_TEST(what_cannot_be_recovered_is_refused_and_stays)
{
    ck_assert_int_eq(recover(directory.path, "out.gft", true), 1);
    ck_assert_ptr_nonnull(strstr(said, "nothing was recorded there"));
    part_make("part-000000.gft");
    ck_assert_int_eq(recover(directory.path, "no/such/out.gft", true), 1);
    ck_assert_ptr_nonnull(strstr(said, "no/such/out.gft: cannot be written"));
    ck_assert_int_eq(recover("no-such-folder", "out.gft", true), 1);
    ck_assert_ptr_nonnull(strstr(said, "not a directory that gfe record left behind"));
    ck_assert_int_eq(access(directory.path, F_OK), 0);
    ck_assert_int_ne(access("out.gft", F_OK), 0);
}
END_TEST

START_TEST(cleaning_says_what_it_deletes_unless_it_is_to_be_quiet)
{
    ck_assert_int_eq(recover(NULL, NULL, _i), 0);
    ck_assert_int_eq(strstr(said, ": deleted") == NULL, _i);
    ck_assert_int_ne(access(directory.path, F_OK), 0);
}
END_TEST

/* What cannot be deleted is told however quiet it is to be. */
START_TEST(a_folder_that_cannot_be_deleted_is_told)
{
    nothing_goes = true;
    ck_assert_int_eq(recover(NULL, NULL, _i), 1);
    ck_assert_ptr_nonnull(strstr(said, ": cannot be deleted"));
    ck_assert_int_eq(access(directory.path, F_OK), 0);
}
END_TEST

Suite *record_parts_suite(void)
{
    Suite *suite = suite_create("record_parts");
    TCase *cases = tcase_create("parts");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, the_reason_of_a_process_is_read_as_far_as_there_is_room, 0, 2);
    tcase_add_test(cases, no_file_is_no_reason);
    tcase_add_test(cases, a_folder_without_parts_has_none);
    tcase_add_test(cases, a_folder_that_cannot_be_read_may_have_parts);
    tcase_add_test(cases, standard_output_is_the_programs);
    tcase_add_loop_test(cases, a_trace_that_cannot_be_finished_gets_no_name, 0,
                        sizeof late / sizeof late[0]);
    tcase_add_loop_test(cases, a_whole_recording_is_recovered_and_its_folder_deleted, 0, 2);
    tcase_add_test(cases, why_a_recording_stopped_is_told);
    tcase_add_test(cases, a_folder_of_which_something_was_left_out_stays);
    tcase_add_test(cases, a_damaged_chunk_is_left_out_and_counted);
    tcase_add_test(cases, what_cannot_be_recovered_is_refused_and_stays);
    tcase_add_loop_test(cases, cleaning_says_what_it_deletes_unless_it_is_to_be_quiet, 0, 2);
    tcase_add_loop_test(cases, a_folder_that_cannot_be_deleted_is_told, 0, 2);
    suite_add_tcase(suite, cases);
    return suite;
}
