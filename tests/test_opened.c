/* SPDX-License-Identifier: MIT */
/* Files that are kept open for who may not open them any more.  tests/test_sandbox.c reads them
 * where the kernel refuses open(). */
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

#include "emu/base/opened.h"
#include "tests/suites.h"

static char folder[] = "/tmp/gfe-test-opened-XXXXXX";
static char kept[PATH_MAX], other[PATH_MAX], link_path[PATH_MAX];

static void make(char *path, const char *name)
{
    int fd;

    (void)snprintf(path, PATH_MAX, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, name, strlen(name)), (ssize_t)strlen(name));
    ck_assert_int_eq(close(fd), 0);
}

static void setup(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/gfe-test-opened-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    make(kept, "kept");
    make(other, "other");
    (void)snprintf(link_path, sizeof link_path, "%s/link", folder);
    ck_assert_int_eq(symlink("kept", link_path), 0);
}

static void teardown(void)
{
    for (int fd = OPENED_FIRST; close(fd) == 0; fd++)
        ;
    (void)unlink(kept);
    (void)unlink(other);
    ck_assert_int_eq(unlink(link_path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void expect_text(int fd, const char *text)
{
    char got[8] = "";

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(pread(fd, got, sizeof got - 1, 0), (ssize_t)strlen(text));
    ck_assert_str_eq(got, text);
    ck_assert_int_eq(close(fd), 0);
}

START_TEST(a_kept_file_is_found_by_each_of_its_names)
{
    char own[32];

    ck_assert(opened_keep(kept));
    expect_text(opened_find(kept), "kept");
    expect_text(opened_find(link_path), "kept");
    expect_text(opened_find(kept), "kept"); /* a copy was closed, not what is kept */
    (void)snprintf(own, sizeof own, "/proc/self/fd/%d", OPENED_FIRST);
    expect_text(opened_find(own), "kept");
    ck_assert_int_eq(opened_find("/proc/self/fd/63"), -1);
    ck_assert_int_eq(errno, EBADF);
    expect_text(opened_read(other), "other");
    expect_text(opened_read_now(other), "other");
}
END_TEST

/* As open(2) says it. */
START_TEST(what_is_not_kept_is_told)
{
    ck_assert(opened_keep(kept));
    ck_assert_int_eq(opened_find(other), -1);
    ck_assert_int_eq(errno, EPERM);
    (void)unlink(other);
    ck_assert_int_eq(opened_find(other), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(opened_read(other), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(opened_keep(other)); /* is nothing to keep: who reads it is told */
    ck_assert(opened_keep(""));
    ck_assert_int_eq(close(OPENED_FIRST), 0);
    ck_assert_int_eq(fcntl(OPENED_FIRST + 1, F_GETFD), -1);
}
END_TEST

/* Files that were opened later may lie behind those that are kept. */
START_TEST(a_descriptor_that_writes_is_none)
{
    const int fd = open(other, O_WRONLY);

    ck_assert(opened_keep(kept));
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_DUPFD, OPENED_FIRST), OPENED_FIRST + 1);
    ck_assert_int_eq(opened_find(other), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(there_is_room_for_256)
{
    int count = 0;

    while (count <= OPENED_MOST && opened_keep(kept))
        count++;
    /* The test's own descriptors may lie among them. */
    ck_assert(count <= OPENED_MOST && count > OPENED_MOST - 16);
    ck_assert_int_eq(fcntl(OPENED_FIRST + OPENED_MOST, F_GETFD), -1);
}
END_TEST

Suite *opened_suite(void)
{
    Suite *suite = suite_create("opened");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_kept_file_is_found_by_each_of_its_names);
    tcase_add_test(tcase, what_is_not_kept_is_told);
    tcase_add_test(tcase, a_descriptor_that_writes_is_none);
    tcase_add_test(tcase, there_is_room_for_256);
    suite_add_tcase(suite, tcase);
    return suite;
}
