/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/suites.h"
#include "traces/record/record_shared.h"
#include "traces/record/record_tree.h"

static char directory[32], path[64];
static struct record_shared *shared;
static struct record_memory_files files;

static void setup(void)
{
    struct gfe_error error = {0};

    snprintf(directory, sizeof directory, "/tmp/gfe-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/state", directory);
    shared = record_shared_make(path, &files, &error);
    ck_assert_msg(shared != NULL, "%s", error.text);
}

static void teardown(void)
{
    record_shared_close(shared);
    close(files.memory_fd);
    close(files.saved_fd);
    ck_assert(record_tree_remove(directory));
}

START_TEST(a_process_keeps_its_number_and_another_of_its_pid_gets_a_new_one)
{
    const uint32_t first = record_shared_entry(shared, 77, 1000)->number;
    const uint32_t second = record_shared_entry(shared, 77, 2000)->number;
    const uint32_t third = record_shared_entry(shared, 77, 3000)->number;

    ck_assert_uint_eq(first, 77);
    ck_assert_uint_ne(second, first);
    ck_assert_uint_ne(third, first);
    ck_assert_uint_ne(third, second);
    ck_assert_uint_gt(second, 1 << 22); /* no pid */
    ck_assert_uint_eq(record_shared_entry(shared, 77, 1000)->number, first);
    ck_assert_uint_eq(record_shared_entry(shared, 77, 2000)->number, second);
    ck_assert_uint_eq(record_shared_entry(shared, 78, 2000)->number, 78);
}
END_TEST

START_TEST(a_full_list_takes_the_place_of_a_process_that_is_gone)
{
    const pid_t gone = fork();

    if (gone == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
    (void)record_shared_entry(shared, gone, 1);
    while (shared->process_count < RECORD_SHARED_PROCESSES_MAX)
        (void)record_shared_entry(shared, getpid(), shared->process_count + 10);
    ck_assert_ptr_eq(record_shared_entry(shared, 1, 5), &shared->processes[1]);
    ck_assert_int_eq(shared->processes[1].pid, 1);
    ck_assert_uint_eq(shared->process_count, RECORD_SHARED_PROCESSES_MAX);
}
END_TEST

START_TEST(who_takes_the_lock_of_a_dead_process_is_told)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        (void)record_shared_lock(shared);
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert(record_shared_lock(shared));
    record_shared_unlock(shared);
    ck_assert(!record_shared_lock(shared));
    record_shared_unlock(shared);
}
END_TEST

START_TEST(the_memory_is_reached_through_whoever_has_it)
{
    struct record_memory_files again = {-1, -1};
    struct gfe_error error = {0};
    struct stat first, second;

    ck_assert_msg(record_shared_files_open(shared, &again, &error), "%s", error.text);
    ck_assert_int_eq(fstat(files.memory_fd, &first), 0);
    ck_assert_int_eq(fstat(again.memory_fd, &second), 0);
    ck_assert_uint_eq(first.st_ino, second.st_ino);
    close(again.memory_fd);
    close(again.saved_fd);
    /* A descriptor that has become another file's is not taken. */
    ck_assert_int_ge(dup2(open("/dev/null", O_RDWR), shared->processes[0].files.memory_fd), 0);
    ck_assert(!record_shared_files_open(shared, &again, &error));
    ck_assert_str_ne(error.text, "");
}
END_TEST

START_TEST(a_file_of_another_version_is_refused_with_a_message)
{
    struct gfe_error error = {0};
    struct record_shared *same = record_shared_open(path, &error);

    ck_assert_ptr_nonnull(same);
    ck_assert_uint_eq(same->memory_inode, shared->memory_inode);
    record_shared_close(same);
    shared->bytes++;
    ck_assert_ptr_null(record_shared_open(path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "version"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(record_shared_open("/no/such/file", &error));
    ck_assert_str_eq(error.text, ""); /* no recording: no message */
}
END_TEST

Suite *record_shared_suite(void)
{
    Suite *suite = suite_create("record_shared");
    TCase *cases = tcase_create("all");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_process_keeps_its_number_and_another_of_its_pid_gets_a_new_one);
    tcase_add_test(cases, a_full_list_takes_the_place_of_a_process_that_is_gone);
    tcase_add_test(cases, who_takes_the_lock_of_a_dead_process_is_told);
    tcase_add_test(cases, the_memory_is_reached_through_whoever_has_it);
    tcase_add_test(cases, a_file_of_another_version_is_refused_with_a_message);
    suite_add_tcase(suite, cases);
    return suite;
}
