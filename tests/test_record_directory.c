/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_directory.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_tree.h"

static char root[] = "/tmp/gfe-test-directory-XXXXXX";
static struct record_directory directory;
static unsigned told_count;
static char told_last[200];

static void setup(void)
{
    struct gfe_error error = {0};

    ck_assert_ptr_nonnull(mkdtemp(root));
    setenv("TMPDIR", root, 1);
    told_count = 0;
    ck_assert_msg(record_directory_make(&directory, &error), "%s", error.text);
}

static void teardown(void)
{
    record_directory_remove(&directory);
    record_tree_remove(root);
}

static void tell(void *context, const char *path, bool removed)
{
    (void)context;
    ck_assert(removed);
    told_count++;
    snprintf(told_last, sizeof told_last, "%s", path);
}

static void file_make(const char *name)
{
    char *path = record_directory_file(&directory, name);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);

    ck_assert_int_ge(fd, 0);
    close(fd);
    free(path);
}

START_TEST(a_new_directory_is_private_and_in_tmpdir)
{
    struct stat status;

    ck_assert_int_eq(strncmp(directory.path, root, strlen(root)), 0);
    ck_assert_int_eq(stat(directory.path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0700);
}
END_TEST

START_TEST(a_held_directory_is_neither_cleaned_away_nor_taken)
{
    struct record_directory taken;
    struct gfe_error error = {0};

    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 0);
    ck_assert(!record_directory_take(&taken, directory.path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "still in use"));
    ck_assert_int_eq(access(directory.path, F_OK), 0);
}
END_TEST

static void clean_for_ever(void)
{
    for (;;) {
        record_directory_clean(tell, NULL);
        if (told_count > 0)
            _exit(1);
    }
}

/* Several gfe record start at the same time: none takes what another is just making. */
START_TEST(a_directory_that_is_being_made_is_not_cleaned_away)
{
    const pid_t cleaner = fork();
    struct record_directory made;
    struct gfe_error error = {0};
    int status;

    ck_assert_int_ge(cleaner, 0);
    if (cleaner == 0)
        clean_for_ever();
    for (int i = 0; i < 3000; i++) {
        ck_assert_msg(record_directory_make(&made, &error), "%s", error.text);
        record_directory_remove(&made);
    }
    ck_assert_int_eq(waitpid(cleaner, &status, WNOHANG), 0);
    ck_assert_int_eq(kill(cleaner, SIGKILL), 0);
    ck_assert_int_eq(waitpid(cleaner, &status, 0), cleaner);
}
END_TEST

START_TEST(a_directory_that_nobody_holds_is_cleaned_away_with_its_files)
{
    char *path = strdup(directory.path);

    file_make("part.gft");
    record_directory_leave(&directory);
    ck_assert_int_eq(access(path, F_OK), 0);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 1);
    ck_assert_str_eq(told_last, path);
    ck_assert_int_ne(access(path, F_OK), 0);
    free(path);
}
END_TEST

START_TEST(a_directory_that_was_renamed_is_found_again)
{
    char other[200];

    ck_assert(record_directory_follow(&directory));
    snprintf(other, sizeof other, "%s/elsewhere", root);
    ck_assert_int_eq(rename(directory.path, other), 0);
    ck_assert(record_directory_follow(&directory));
    ck_assert_str_eq(directory.path, other);
    ck_assert(record_tree_remove(other));
    ck_assert(!record_directory_follow(&directory));
}
END_TEST

START_TEST(what_is_left_is_counted_and_stays)
{
    char *path = strdup(directory.path), *first = NULL;

    ck_assert_uint_eq(record_directory_left(&first), 0); /* it is held */
    ck_assert_ptr_null(first);
    record_directory_leave(&directory);
    ck_assert_uint_eq(record_directory_left(&first), 1);
    ck_assert_str_eq(first, path);
    ck_assert_int_eq(access(path, F_OK), 0);
    free(first);
    free(path);
}
END_TEST

START_TEST(a_directory_that_nobody_holds_can_be_taken)
{
    char *path = strdup(directory.path);
    struct gfe_error error = {0};

    record_directory_leave(&directory);
    ck_assert_msg(record_directory_take(&directory, path, &error), "%s", error.text);
    ck_assert_str_eq(directory.path, path);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 0);
    free(path);
}
END_TEST

START_TEST(other_directories_are_left_alone)
{
    struct record_directory taken;
    struct gfe_error error = {0};
    char path[200];

    snprintf(path, sizeof path, "%s/gfe-record-other-name", root);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/gfe-record-nolock", root); /* just being made */
    ck_assert_int_eq(mkdir(path, 0700), 0);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 0);
    ck_assert(!record_directory_take(&taken, path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "not a directory that gfe record left"));
}
END_TEST

START_TEST(an_old_directory_without_a_lock_is_cleaned_away)
{
    const struct timespec old[2] = {{.tv_sec = time(NULL) - 3600}, {.tv_sec = time(NULL) - 3600}};
    char path[200];

    snprintf(path, sizeof path, "%s/gfe-record-nolock", root);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 1);
}
END_TEST

START_TEST(a_temporary_directory_that_is_not_there_is_named)
{
    struct record_directory none;
    struct gfe_error error = {0};

    setenv("TMPDIR", "/no/such/directory", 1);
    ck_assert(!record_directory_make(&none, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/no/such/directory"));
    record_directory_remove(&none);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 0);
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

static unsigned entries_of(const char *path)
{
    DIR *stream = opendir(path);
    unsigned count = 0;

    ck_assert_ptr_nonnull(stream);
    while (readdir(stream))
        count++;
    closedir(stream);
    return count - 2; /* . and .. */
}

static const struct {
    int call, error;
    unsigned place; /* of the argument that is `value` in `value` */
    uint64_t value;
    const char *words;
} make_steps[] = {
    {SCMP_SYS(mkdir), EROFS, 0, 0, "/gfe-record-"},
    {SCMP_SYS(openat), ENOSPC, 2, O_EXCL, "/lock"},
    {SCMP_SYS(flock), ENOLCK, 0, 0, "/lock"},
    {SCMP_SYS(rename), EIO, 0, 0, "/lock"},
};
static unsigned make_step;

static void make_refused(void)
{
    const unsigned before = entries_of(root);
    struct record_directory none;
    struct gfe_error error = {0};

    check_refuse_where(make_steps[make_step].call, make_steps[make_step].error,
                       make_steps[make_step].place, make_steps[make_step].value,
                       make_steps[make_step].value);
    ck_assert(!record_directory_make(&none, &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error.text, make_steps[make_step].words));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(make_steps[make_step].error)));
    ck_assert_ptr_null(none.path);
    ck_assert_int_eq(none.lock_fd, -1);
    ck_assert_uint_eq(entries_of(root), before);
}

START_TEST(a_directory_that_cannot_be_made_leaves_nothing)
{
    make_step = (unsigned)_i;
    check_refuse_child(make_refused);
}
END_TEST

START_TEST(an_interrupted_call_is_repeated)
{
    char *path = strdup(directory.path);
    struct record_directory made;
    struct gfe_error error = {0};

    record_directory_leave(&directory);
    check_refuse_once(SCMP_SYS(openat), EINTR, 1);
    if (_i == 0) {
        ck_assert_msg(record_directory_make(&made, &error), "%s", error.text);
        ck_assert_int_ge(made.lock_fd, 0);
        record_directory_remove(&made);
    } else {
        ck_assert_msg(record_directory_take(&made, path, &error), "%s", error.text);
        record_directory_leave(&made);
    }
    ck_assert_uint_ge(check_refuse_count(), 2);
    free(path);
}
END_TEST

START_TEST(without_a_name_the_directory_is_in_tmp)
{
    struct record_directory made;
    struct gfe_error error = {0};

    if (_i == 0)
        unsetenv("TMPDIR");
    else
        setenv("TMPDIR", "", 1);
    ck_assert_msg(record_directory_make(&made, &error), "%s", error.text);
    ck_assert_int_eq(strncmp(made.path, "/tmp/gfe-record-", 16), 0);
    record_directory_remove(&made);
}
END_TEST

/* Names that gfe record gives, but nothing that it left. */
START_TEST(what_only_looks_like_one_is_left_alone)
{
    static const char *const names[] = {"gfe-record-afile1", "gfe-record-alink1",
                                        "gfe-RECORD-other1", "gfe-record-locked"};
    char *first = NULL;
    char path[200];

    record_directory_leave(&directory);
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 1);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        if (i == 0)
            close(open(path, O_WRONLY | O_CREAT, 0600));
        else if (i == 1)
            ck_assert_int_eq(symlink("/", path), 0);
        else
            ck_assert_int_eq(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%s/%s/lock", root, names[3]);
    ck_assert_int_eq(symlink("/no/such/file", path), 0); /* not followed: ELOOP */
    record_directory_clean(tell, NULL);
    ck_assert_uint_eq(told_count, 1);
    ck_assert_uint_eq(record_directory_left(&first), 0);
    ck_assert_uint_eq(entries_of(root), 4);
}
END_TEST

static void all_kept(void)
{
    char *path = strdup(directory.path);
    struct record_directory left = directory;

    check_refuse(SCMP_SYS(unlinkat), EROFS);
    record_directory_remove(&left);
    ck_assert_int_eq(access(path, F_OK), 0); /* tried, and not for ever */
    ck_assert_int_eq(left.lock_fd, -1);
    free(path);
}

START_TEST(a_directory_that_cannot_be_deleted_stays_for_clean)
{
    char *first = NULL;

    check_refuse_child(all_kept);
    record_directory_leave(&directory);
    ck_assert_uint_eq(record_directory_left(&first), 1);
    free(first);
}
END_TEST

Suite *record_directory_suite(void)
{
    Suite *suite = suite_create("record_directory");
    TCase *cases = tcase_create("record_directory");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_new_directory_is_private_and_in_tmpdir);
    tcase_add_test(cases, a_held_directory_is_neither_cleaned_away_nor_taken);
    tcase_add_test(cases, a_directory_that_is_being_made_is_not_cleaned_away);
    tcase_add_test(cases, a_directory_that_nobody_holds_is_cleaned_away_with_its_files);
    tcase_add_test(cases, a_directory_that_was_renamed_is_found_again);
    tcase_add_test(cases, what_is_left_is_counted_and_stays);
    tcase_add_test(cases, a_directory_that_nobody_holds_can_be_taken);
    tcase_add_test(cases, other_directories_are_left_alone);
    tcase_add_test(cases, an_old_directory_without_a_lock_is_cleaned_away);
    tcase_add_test(cases, a_temporary_directory_that_is_not_there_is_named);
    tcase_add_loop_test(cases, a_directory_that_cannot_be_made_leaves_nothing, 0,
                        sizeof make_steps / sizeof make_steps[0]);
    tcase_add_loop_test(cases, an_interrupted_call_is_repeated, 0, 2);
    tcase_add_loop_test(cases, without_a_name_the_directory_is_in_tmp, 0, 2);
    tcase_add_test(cases, what_only_looks_like_one_is_left_alone);
    tcase_add_test(cases, a_directory_that_cannot_be_deleted_stays_for_clean);
    suite_add_tcase(suite, cases);
    return suite;
}
