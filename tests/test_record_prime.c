/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of buffer objects that go from process to process: their files in the recording's
 * folder, and what a client is told when the folder or the kernel refuses.
 */
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

#include "tests/check_record.h"
#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/record_tree.h"

enum { PAGE = 4096 };

static char folder[40], file[80];
static struct record_nouveau *nouveau;
static struct record_nouveau_bo *bo;

static void setup(void)
{
    struct uapi_gem_info info;

    strcpy(folder, "/tmp/gfe-test-prime-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    check_record_begin();
    nouveau = check_record_nouveau();
    nouveau->directory = folder;
    info = check_record_bo(UAPI_DOMAIN_GART, 3 * PAGE, NULL);
    bo = record_nouveau_bo_find(nouveau, info.handle);
    ck_assert_ptr_nonnull(bo);
    snprintf(file, sizeof file, "%s/prime-%u", folder, (unsigned)bo->number);
}

static void teardown(void)
{
    check_record_free();
    ck_assert(record_tree_remove(folder));
}

START_TEST(a_descriptor_is_a_file_as_large_as_its_object)
{
    const int fd = record_nouveau_prime_open(nouveau, bo, O_CLOEXEC);
    uint64_t offset = UINT64_MAX;
    struct stat status;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_int_eq(status.st_size, 3 * PAGE);
    ck_assert_ptr_eq(record_nouveau_prime_find(nouveau, status.st_dev, status.st_ino), bo);
    ck_assert_ptr_null(record_nouveau_prime_find(nouveau, status.st_dev, status.st_ino + 1));
    ck_assert_ptr_null(record_nouveau_prime_find(nouveau, status.st_dev + 1, status.st_ino));
    ck_assert(record_nouveau_prime(nouveau, status.st_dev, status.st_ino, &offset));
    ck_assert_uint_eq(offset, record_nouveau_bo_buffer(nouveau, bo)->offset);
    ck_assert(!record_nouveau_prime(nouveau, status.st_dev, status.st_ino + 1, &offset));
    close(fd);
    ck_assert_int_eq(fcntl(record_nouveau_prime_open(nouveau, bo, 0), F_GETFD), 0);
}
END_TEST

/* fcntl(2), open file description locks: all copies of a descriptor hold it. */
START_TEST(it_is_open_as_long_as_one_copy_is)
{
    const int fd = record_nouveau_prime_open(nouveau, bo, O_CLOEXEC), copy = dup(fd);

    ck_assert(record_nouveau_prime_is_open(nouveau, bo));
    close(fd);
    ck_assert(record_nouveau_prime_is_open(nouveau, bo));
    close(copy);
    ck_assert(!record_nouveau_prime_is_open(nouveau, bo));
    ck_assert_int_eq(access(file, F_OK), 0);
    record_nouveau_prime_remove(nouveau, bo);
    ck_assert_int_ne(access(file, F_OK), 0);
    ck_assert(!record_nouveau_prime_is_open(nouveau, bo)); /* without a file it cannot be */
}
END_TEST

/* A check_record.h stand-in has none. */
START_TEST(without_a_folder_there_are_no_descriptors)
{
    char path[PATH_MAX];

    nouveau->directory = NULL;
    ck_assert_int_eq(record_nouveau_prime_open(nouveau, bo, 0), -ENOSYS);
    ck_assert(!record_nouveau_prime_is_open(nouveau, bo));
    record_nouveau_prime_remove(nouveau, bo);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    nouveau->directory = path; /* no room for the name */
    ck_assert_int_eq(record_nouveau_prime_open(nouveau, bo, 0), -ENOSYS);
    nouveau->directory = "/no/such/folder";
    ck_assert_int_eq(record_nouveau_prime_open(nouveau, bo, 0), -ENOENT);
    ck_assert_uint_eq(bo->is_exported, 0);
}
END_TEST

static const struct {
    int call, error;
} steps[] = {{SCMP_SYS(ftruncate), ENOSPC}, {SCMP_SYS(newfstatat), ENOMEM}};

static void lowest_free_is(int fd)
{
    const int next = dup(0);

    close(next);
    ck_assert_int_eq(next, fd);
}

START_TEST(a_step_that_fails_is_told_and_leaves_nothing_open)
{
    const int next = dup(0);

    close(next);
    check_refuse(steps[_i].call, steps[_i].error);
    ck_assert_int_eq(record_nouveau_prime_open(nouveau, bo, 0), -steps[_i].error);
    ck_assert_uint_eq(bo->is_exported, 0);
    lowest_free_is(next);
}
END_TEST

/* A file system without locks answers ENOLCK: an object that cannot be known to be closed. */
START_TEST(without_locks_there_are_no_descriptors)
{
    const int next = dup(0);

    close(next);
    check_refuse_where(SCMP_SYS(fcntl), ENOLCK, 1, UINT32_MAX, F_OFD_SETLK);
    ck_assert_int_eq(record_nouveau_prime_open(nouveau, bo, 0), -ENOLCK);
    ck_assert_uint_eq(bo->is_exported, 0);
    lowest_free_is(next);
}
END_TEST

/* What cannot be known to be closed stays. */
START_TEST(what_cannot_be_asked_is_taken_for_open)
{
    close(record_nouveau_prime_open(nouveau, bo, 0));
    ck_assert(!record_nouveau_prime_is_open(nouveau, bo));
    check_refuse_where(SCMP_SYS(fcntl), ENOLCK, 1, UINT32_MAX, F_OFD_GETLK);
    ck_assert(record_nouveau_prime_is_open(nouveau, bo));
}
END_TEST

START_TEST(a_file_that_cannot_be_opened_is_taken_for_open)
{
    close(record_nouveau_prime_open(nouveau, bo, 0));
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(mkdir(file, 0700), 0); /* EISDIR */
    ck_assert(record_nouveau_prime_is_open(nouveau, bo));
}
END_TEST

Suite *record_prime_suite(void)
{
    Suite *suite = suite_create("record_prime");
    TCase *cases = tcase_create("descriptors");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_descriptor_is_a_file_as_large_as_its_object);
    tcase_add_test(cases, it_is_open_as_long_as_one_copy_is);
    tcase_add_test(cases, without_a_folder_there_are_no_descriptors);
    tcase_add_loop_test(cases, a_step_that_fails_is_told_and_leaves_nothing_open, 0,
                        sizeof steps / sizeof steps[0]);
    tcase_add_test(cases, without_locks_there_are_no_descriptors);
    tcase_add_test(cases, what_cannot_be_asked_is_taken_for_open);
    tcase_add_test(cases, a_file_that_cannot_be_opened_is_taken_for_open);
    suite_add_tcase(suite, cases);
    return suite;
}
