/* SPDX-License-Identifier: MIT */
/* The sparse file of saved copies, in folders of several kinds, with limits and calls that fail. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_saved.h"

enum { BYTES = 100000 };

static char folder[40];
static struct gfe_error error;

static void setup(void)
{
    strcpy(folder, "/tmp/gfe-test-saved-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    error = (struct gfe_error){0};
}

/* Nothing has a name there. */
static void teardown(void)
{
    ck_assert_int_eq(rmdir(folder), 0);
}

static void size_is(int fd, off_t bytes)
{
    struct stat status;

    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_int_eq(status.st_size, bytes);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    ck_assert_uint_eq(status.st_nlink, 0);
}

START_TEST(the_file_has_no_name_and_its_bytes)
{
    const int fd = record_saved_make(folder, BYTES, &error);

    ck_assert_msg(fd >= 0, "%s", error.text);
    size_is(fd, BYTES);
}
END_TEST

/* open(2): O_TMPFILE needs support by the underlying filesystem (EOPNOTSUPP). */
START_TEST(where_files_without_a_name_cannot_be_made_one_loses_its_name)
{
    int fd;

    check_refuse_where(SCMP_SYS(openat), EOPNOTSUPP, 2, O_TMPFILE, O_TMPFILE);
    fd = record_saved_make(folder, BYTES, &error);
    ck_assert_msg(fd >= 0, "%s", error.text);
    size_is(fd, BYTES);
}
END_TEST

START_TEST(a_folder_that_is_gone_is_named)
{
    ck_assert_int_eq(record_saved_make("/no/such/folder", BYTES, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "/no/such/folder: a sparse file of 100000 bytes"));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(ENOENT)));
}
END_TEST

START_TEST(a_size_that_the_folder_refuses_is_told)
{
    const int next = dup(0);

    close(next);
    check_refuse(SCMP_SYS(ftruncate), EFBIG);
    ck_assert_int_eq(record_saved_make(folder, BYTES, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, strerror(EFBIG)));
    ck_assert_int_eq(dup(0), next); /* nothing is left open */
}
END_TEST

/* ---- signals --------------------------------------------------------------------------------- */

static const struct {
    int call;
} interrupted[] = {
    {SCMP_SYS(openat)}, {SCMP_SYS(ftruncate)}, {SCMP_SYS(pread64)}, {SCMP_SYS(pwrite64)}};

START_TEST(a_call_that_a_signal_interrupts_is_repeated)
{
    uint8_t from[4] = {1, 2, 3, 4}, to[4] = {0};
    int fd;

    check_refuse_once(interrupted[_i].call, EINTR, 1);
    fd = record_saved_make(folder, BYTES, &error);
    ck_assert_msg(fd >= 0, "%s", error.text);
    ck_assert(record_saved_write(fd, 70000, from, sizeof from));
    ck_assert(record_saved_read(fd, 70000, to, sizeof to));
    ck_assert_int_eq(memcmp(from, to, sizeof to), 0);
    ck_assert_uint_eq(check_refuse_count(), 2);
}
END_TEST

/* ---- reading and writing --------------------------------------------------------------------- */

START_TEST(reading_past_the_end_or_with_an_error_fails)
{
    uint8_t bytes[8] = {0};
    const int fd = record_saved_make(folder, BYTES, &error);

    ck_assert(record_saved_read(fd, BYTES - 8, bytes, 8));
    ck_assert(!record_saved_read(fd, BYTES - 4, bytes, 8));
    ck_assert(record_saved_read(fd, BYTES, bytes, 0));
    check_refuse(SCMP_SYS(pread64), EIO);
    ck_assert(!record_saved_read(fd, 0, bytes, 8));
}
END_TEST

START_TEST(a_full_disk_is_no_success)
{
    const uint8_t bytes[8] = {1};
    const int fd = record_saved_make(folder, BYTES, &error);

    check_refuse(SCMP_SYS(pwrite64), ENOSPC);
    ck_assert(!record_saved_write(fd, 0, bytes, 8));
    ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

/* setrlimit(2): growing a file beyond RLIMIT_FSIZE is SIGXFSZ, which ends a program.  This test is
 * ended by it if the limit is not looked at. */
START_TEST(a_limit_on_files_is_respected_without_a_signal)
{
    const struct rlimit limit = {BYTES, BYTES};
    const uint8_t bytes[8] = {7};
    uint8_t there[8];
    const int fd = record_saved_make(folder, BYTES, &error);

    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(record_saved_write(fd, BYTES - 8, bytes, 8));
    ck_assert(!record_saved_write(fd, BYTES - 7, bytes, 8));
    ck_assert(!record_saved_read(fd, BYTES, there, 1)); /* it has not grown */
    check_refuse(SCMP_SYS(prlimit64), EPERM);
    check_refuse(SCMP_SYS(getrlimit), EPERM);
    ck_assert(!record_saved_write(fd, 0, bytes, 8)); /* a limit that is not known is none to try */
}
END_TEST

Suite *record_saved_suite(void)
{
    Suite *suite = suite_create("record_saved");
    TCase *cases = tcase_create("file");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, the_file_has_no_name_and_its_bytes);
    tcase_add_test(cases, where_files_without_a_name_cannot_be_made_one_loses_its_name);
    tcase_add_test(cases, a_folder_that_is_gone_is_named);
    tcase_add_test(cases, a_size_that_the_folder_refuses_is_told);
    tcase_add_loop_test(cases, a_call_that_a_signal_interrupts_is_repeated, 0,
                        sizeof interrupted / sizeof interrupted[0]);
    tcase_add_test(cases, reading_past_the_end_or_with_an_error_fails);
    tcase_add_test(cases, a_full_disk_is_no_success);
    tcase_add_test(cases, a_limit_on_files_is_respected_without_a_signal);
    suite_add_tcase(suite, cases);
    return suite;
}
