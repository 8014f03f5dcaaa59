/* SPDX-License-Identifier: MIT */
/* The sealed memory of a recording's state and the links that lead to it, with calls that fail. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_state_file.h"
#include "traces/record/record_memory.h"
#include "traces/record/record_tree.h"

enum { BYTES = 8192 };

static char folder[40], link_path[80];
static struct record_state_links links;

static void setup(void)
{
    strcpy(folder, "/tmp/gfe-test-state-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(link_path, sizeof link_path, "%s/state-%d", folder, (int)getpid());
}

static void teardown(void)
{
    ck_assert(record_tree_remove(folder));
}

static int lowest_free(void)
{
    const int fd = dup(0);

    close(fd);
    return fd;
}

/* fcntl(2), F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_SEAL. */
START_TEST(nobody_changes_the_size_of_the_state)
{
    const int fd = record_state_file_make(BYTES);
    struct stat status;

    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_int_eq(status.st_size, BYTES);
    ck_assert_int_eq(ftruncate(fd, 0), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(fd, 2 * BYTES), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(fcntl(fd, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}
END_TEST

static const struct {
    int call, error;
} steps[] = {
    {SCMP_SYS(memfd_create), EMFILE}, {SCMP_SYS(ftruncate), ENOMEM}, {SCMP_SYS(fcntl), EPERM}};

START_TEST(a_step_that_fails_leaves_nothing_open)
{
    const int next = lowest_free();

    check_refuse(steps[_i].call, steps[_i].error);
    ck_assert_int_eq(record_state_file_make(BYTES), -1);
    ck_assert_int_eq(lowest_free(), next);
}
END_TEST

static const struct {
    int call, error;
} memory_steps[] = {{SCMP_SYS(memfd_create), EMFILE},
                    {SCMP_SYS(ftruncate), ENOMEM},
                    {SCMP_SYS(fcntl), EPERM},
                    {SCMP_SYS(openat), EROFS}};

/* The memory's own file, and the one of saved copies beside it. */
static unsigned memory_step;

static void memory_try(void)
{
    struct record_memory_files files = {0, 0, 0};
    struct gfe_error error = {0};
    const int next = lowest_free();

    if (memory_steps[memory_step].call == SCMP_SYS(openat)) {
        check_refuse_where(SCMP_SYS(openat), EROFS, 2, O_TMPFILE, O_TMPFILE);
        check_refuse_where(SCMP_SYS(openat), EROFS, 2, O_EXCL, O_EXCL);
    } else {
        check_refuse(memory_steps[memory_step].call, memory_steps[memory_step].error);
    }
    ck_assert(!record_memory_files_make(&files, folder, &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error.text, strerror(memory_steps[memory_step].error)));
    ck_assert_ptr_nonnull(strstr(error.text, memory_steps[memory_step].call == SCMP_SYS(openat)
                                                 ? folder
                                                 : "memory of the stand-in"));
    ck_assert_int_eq(lowest_free(), next);
}

START_TEST(memory_that_cannot_be_had_is_told_and_leaves_nothing_open)
{
    memory_step = (unsigned)_i;
    check_refuse_child(memory_try);
}
END_TEST

static const int interrupted[] = {SCMP_SYS(memfd_create), SCMP_SYS(ftruncate)};

START_TEST(a_call_that_a_signal_interrupts_is_repeated)
{
    struct record_memory_files files;
    struct gfe_error error = {0};

    check_refuse_once(interrupted[_i / 2], EINTR, 1);
    if (_i % 2 == 0)
        ck_assert_int_ge(record_state_file_make(BYTES), 0);
    else
        ck_assert_msg(record_memory_files_make(&files, folder, &error), "%s", error.text);
    ck_assert_uint_ge(check_refuse_count(), 2);
}
END_TEST

/* ---- links ----------------------------------------------------------------------------------- */

START_TEST(a_link_that_was_there_leads_to_the_new_state)
{
    const int fd = record_state_file_make(BYTES);
    char target[PATH_MAX] = "", wanted[64];

    ck_assert_int_eq(symlink("/no/such/file", link_path), 0);
    ck_assert(record_state_file_link(folder, fd));
    ck_assert_int_gt(readlink(link_path, target, sizeof target - 1), 0);
    snprintf(wanted, sizeof wanted, "/proc/%d/fd/%d", (int)getpid(), fd);
    ck_assert_str_eq(target, wanted);
    ck_assert_int_eq(unlink(link_path), 0);
    ck_assert_int_eq(mkdir(link_path, 0700), 0); /* not ours to take away */
    ck_assert(!record_state_file_link(folder, fd));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert(!record_state_file_link("/no/such/folder", fd));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(a_path_that_is_too_long_is_an_error)
{
    char path[PATH_MAX];

    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    ck_assert(!record_state_file_link(path, 0));
    ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

static int state_found(void)
{
    int fd;

    ck_assert(record_state_links_begin(&links, folder));
    fd = record_state_links_open(&links, BYTES);
    record_state_links_end(&links);
    ck_assert_int_eq(links.folder_fd, -1);
    record_state_links_end(&links); /* and once more: nothing */
    return fd;
}

START_TEST(what_is_no_state_is_passed_over)
{
    const int fd = record_state_file_make(BYTES), other = record_state_file_make(BYTES * 2);
    struct stat wanted, found;
    char path[80];
    int at;

    snprintf(path, sizeof path, "%s/state-1", folder);
    ck_assert_int_eq(symlink("/no/such/file", path), 0);
    snprintf(path, sizeof path, "%s/state-2", folder);
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    snprintf(path, sizeof path, "%s/other", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(record_state_file_link(folder, other)); /* of another size */
    ck_assert_int_eq(state_found(), -1);
    ck_assert(record_state_file_link(folder, fd));
    at = state_found();
    ck_assert_int_ge(at, 0);
    ck_assert_int_eq(fstat(fd, &wanted) + fstat(at, &found), 0);
    ck_assert_uint_eq(wanted.st_ino, found.st_ino);
}
END_TEST

START_TEST(the_folder_is_opened_again_after_a_signal)
{
    ck_assert(record_state_file_link(folder, record_state_file_make(BYTES)));
    check_refuse_once(SCMP_SYS(openat), EINTR, 1);
    ck_assert_int_ge(state_found(), 0);
    ck_assert(!record_state_links_begin(&links, "/no/such/folder"));
}
END_TEST

Suite *record_state_file_suite(void)
{
    Suite *suite = suite_create("record_state_file");
    TCase *cases = tcase_create("state");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, nobody_changes_the_size_of_the_state);
    tcase_add_loop_test(cases, a_step_that_fails_leaves_nothing_open, 0,
                        sizeof steps / sizeof steps[0]);
    tcase_add_loop_test(cases, memory_that_cannot_be_had_is_told_and_leaves_nothing_open, 0,
                        sizeof memory_steps / sizeof memory_steps[0]);
    tcase_add_loop_test(cases, a_call_that_a_signal_interrupts_is_repeated, 0, 4);
    tcase_add_test(cases, a_link_that_was_there_leads_to_the_new_state);
    tcase_add_test(cases, a_path_that_is_too_long_is_an_error);
    tcase_add_test(cases, what_is_no_state_is_passed_over);
    tcase_add_test(cases, the_folder_is_opened_again_after_a_signal);
    suite_add_tcase(suite, cases);
    return suite;
}
