/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/base/output.h"
#include "tests/suites.h"

static char directory[] = "/tmp/gfe-test-output-XXXXXX";

static void enter_directory(void)
{
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chdir(directory), 0);
}

/* Names in the directory, "." and ".." left out. */
static int count_names(void)
{
    DIR *opened = opendir(".");
    int count = -2;

    ck_assert_ptr_nonnull(opened);
    while (readdir(opened))
        count++;
    closedir(opened);
    return count;
}

static void leave_directory(void)
{
    char line[100];

    snprintf(line, sizeof line, "chmod -R u+w %s && rm -rf %s", directory, directory);
    ck_assert_int_eq(system(line), 0);
}

static void expect_content(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    fclose(file);
    ck_assert_str_eq(text, expected);
}

static void write_whole(const char *path, const char *text)
{
    struct gfe_error error = {0};
    struct output output;

    ck_assert_msg(output_open(&output, path, &error), "%s", error.text);
    ck_assert_int_ge(fputs(text, output.file), 0);
    ck_assert_msg(output_commit(&output, &error), "%s", error.text);
}

START_TEST(nothing_appears_before_the_commit)
{
    struct gfe_error error = {0};
    struct output output;

    ck_assert(output_open(&output, "log", &error));
    fputs("half", output.file);
    fflush(output.file);
    ck_assert_int_ne(access("log", F_OK), 0);
    ck_assert(output_commit(&output, &error));
    expect_content("log", "half");
    ck_assert_int_eq(count_names(), 1);
    output_abort(&output);
    ck_assert_int_eq(count_names(), 1);
}
END_TEST

/* PROMISE (base): An output appears whole or not at all. */
START_TEST(an_abort_leaves_the_old_file_and_nothing_else)
{
    struct gfe_error error = {0};
    struct output output;

    write_whole("log", "old");
    ck_assert(output_open(&output, "log", &error));
    fputs("new", output.file);
    output_abort(&output);
    expect_content("log", "old");
    ck_assert_int_eq(count_names(), 1);
}
END_TEST

START_TEST(a_file_is_replaced_and_keeps_its_permissions)
{
    struct stat status;

    write_whole("log", "old");
    ck_assert_int_eq(chmod("log", 0640), 0);
    write_whole("log", "new");
    expect_content("log", "new");
    ck_assert_int_eq(stat("log", &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0640);
    ck_assert_int_eq(count_names(), 1);
}
END_TEST

START_TEST(a_new_file_gets_the_permissions_of_the_umask)
{
    struct stat status;

    umask(027);
    write_whole("log", "new");
    ck_assert_int_eq(stat("log", &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0640);
}
END_TEST

/* PROMISE (base): Traces and snapshots, which can hold private memory, are for their owner alone.
 */
START_TEST(a_private_file_is_for_its_owner_alone)
{
    struct gfe_error error = {0};
    struct output output;
    struct stat status;

    umask(0);
    write_whole("public", "old");
    ck_assert_int_eq(stat("public", &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0666);
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "new" : "public";

        ck_assert(output_open_private(&output, name, &error));
        fputs("private", output.file);
        ck_assert(output_commit(&output, &error));
        ck_assert_int_eq(stat(name, &status), 0);
        ck_assert_uint_eq(status.st_mode & 0777, 0600);
        expect_content(name, "private");
    }
    ck_assert_int_eq(count_names(), 2);
}
END_TEST

START_TEST(a_link_stays_a_link)
{
    struct stat status;

    ck_assert_int_eq(mkdir("sub", 0777), 0);
    write_whole("sub/real", "old");
    ck_assert_int_eq(symlink("sub/real", "link"), 0);
    write_whole("link", "new");
    expect_content("sub/real", "new");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
}
END_TEST

/* The commit's link to the target's name then fails, and it must go by another name. */
START_TEST(a_file_made_by_someone_else_meanwhile_is_replaced_whole)
{
    struct gfe_error error = {0};
    struct output output;
    FILE *other;

    ck_assert(output_open(&output, "log", &error));
    fputs("mine", output.file);
    other = fopen("log", "w");
    ck_assert_ptr_nonnull(other);
    fputs("something longer of others", other);
    fclose(other);
    ck_assert(output_commit(&output, &error));
    expect_content("log", "mine");
    ck_assert_int_eq(count_names(), 1);
}
END_TEST

START_TEST(a_killed_writer_leaves_nothing)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        struct gfe_error error = {0};
        struct output output;

        if (output_open(&output, "log", &error) && !output.temporary) {
            fputs("half", output.file);
            fflush(output.file);
            raise(SIGKILL);
        }
        _exit(output.temporary ? 77 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        return; /* This file system has no O_TMPFILE. */
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(count_names(), 0);
}
END_TEST

static const struct refused_row {
    const char *path, *said;
} refused_rows[] = {
    {".", ".: is a directory; the name of a file was expected"},
    {"missing/log", "missing/log: cannot be written: No such file or directory"},
    {"file/log", "file/log: cannot be written: Not a directory"},
    {"", ": cannot be written: No such file or directory"},
};

START_TEST(a_bad_target_is_refused_at_once_with_its_name)
{
    struct gfe_error error = {0};
    struct output output;

    write_whole("file", "x");
    ck_assert(!output_open(&output, refused_rows[_i].path, &error));
    ck_assert_str_eq(error.text, refused_rows[_i].said);
    ck_assert_int_eq(error_exit_status(&error), 1);
    ck_assert_int_eq(count_names(), 1);
    output_abort(&output);
}
END_TEST

START_TEST(what_the_user_may_not_write_is_refused_and_kept)
{
    struct gfe_error error = {0};
    struct output output;

    if (geteuid() == 0)
        ck_assert_int_eq(chown(".", 65534, 65534) | seteuid(65534), 0);
    write_whole("log", "old");
    ck_assert_int_eq(chmod("log", 0444), 0);
    ck_assert(!output_open(&output, "log", &error));
    ck_assert_str_eq(error.text, "log: cannot be written: Permission denied");
    ck_assert_int_eq(chmod(".", 0555), 0);
    error = (struct gfe_error){0};
    ck_assert(!output_open(&output, "new", &error));
    ck_assert_str_eq(error.text, "new: cannot be written: Permission denied");
    ck_assert_int_eq(count_names(), 1);
    /* LeakSanitizer looks at its own process, which the kernel allows only to a dumpable one. */
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(0) | prctl(PR_SET_DUMPABLE, 1), 0);
}
END_TEST

START_TEST(the_file_that_is_read_is_not_written)
{
    struct gfe_error error = {0};

    write_whole("log", "old");
    ck_assert_int_eq(symlink("log", "link"), 0);
    ck_assert(!output_differs("link", "log", &error));
    ck_assert_int_eq(error.kind, ERROR_USAGE);
    ck_assert_str_eq(error.text, "link is the file that is read; write to another");
    ck_assert(output_differs("new", "log", NULL));
    ck_assert(output_differs("log", "-", NULL));
    ck_assert(output_differs("/dev/null", "/dev/null", NULL));
}
END_TEST

START_TEST(a_full_device_is_noticed_at_the_commit_and_stays)
{
    struct gfe_error error = {0};
    struct output output;
    struct stat status;

    ck_assert(output_open(&output, "/dev/full", &error));
    fputs("too much", output.file);
    ck_assert(!output_commit(&output, &error));
    ck_assert_str_eq(error.text, "/dev/full: cannot be written: No space left on device");
    ck_assert_int_eq(stat("/dev/full", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
}
END_TEST

START_TEST(a_failed_write_before_the_commit_counts)
{
    struct gfe_error error = {0};
    struct output output;

    ck_assert(output_open(&output, "log", &error));
    ck_assert_ptr_nonnull(freopen("/dev/full", "w", output.file));
    fputs("lost", output.file);
    fflush(output.file);
    ck_assert(ferror(output.file));
    ck_assert(!output_commit(&output, &error));
    ck_assert_int_eq(count_names(), 0);
}
END_TEST

START_TEST(a_dash_is_standard_output)
{
    struct gfe_error error = {0};
    struct output output;

    ck_assert_ptr_nonnull(freopen("caught", "w", stdout));
    ck_assert(output_open(&output, "-", &error));
    fputs("words", output.file);
    ck_assert(output_commit(&output, &error));
    expect_content("caught", "words");
    ck_assert(output_flush_stdout(&error));

    ck_assert_ptr_nonnull(freopen("/dev/full", "w", stdout));
    ck_assert(output_open(&output, "-", &error));
    fputs("words", output.file);
    ck_assert(!output_commit(&output, &error));
    ck_assert_str_eq(error.text, "standard output: cannot be written: No space left on device");
    error = (struct gfe_error){0};
    ck_assert(output_open_text(&output, "-", &error));
    ck_assert_ptr_eq(output.file, stdout);
    fputs("words", output.file);
    ck_assert(!output_commit(&output, &error));
    ck_assert_str_eq(error.text, "standard output: cannot be written: No space left on device");
    error = (struct gfe_error){0};
    ck_assert(!output_flush_stdout(&error));
}
END_TEST

/* Bytes stay what they are; text shows what commands a terminal. */
START_TEST(text_is_shown_and_bytes_are_kept)
{
    struct gfe_error error = {0};
    struct output output;

    ck_assert(output_open(&output, "bytes", &error));
    fputs("a\033[2J\377", output.file);
    ck_assert(output_commit(&output, &error));
    expect_content("bytes", "a\033[2J\377");
    ck_assert(output_open_text(&output, "text", &error));
    fputs("a\033[2J\377", output.file);
    ck_assert(output_commit(&output, &error));
    expect_content("text", "a\\u001b[2J\\xff");
}
END_TEST

Suite *output_suite(void)
{
    Suite *suite = suite_create("output");
    TCase *tcase = tcase_create("files");

    tcase_add_checked_fixture(tcase, enter_directory, leave_directory);
    tcase_add_test(tcase, text_is_shown_and_bytes_are_kept);
    tcase_add_test(tcase, the_file_that_is_read_is_not_written);
    tcase_add_test(tcase, nothing_appears_before_the_commit);
    tcase_add_test(tcase, an_abort_leaves_the_old_file_and_nothing_else);
    tcase_add_test(tcase, a_file_is_replaced_and_keeps_its_permissions);
    tcase_add_test(tcase, a_new_file_gets_the_permissions_of_the_umask);
    tcase_add_test(tcase, a_private_file_is_for_its_owner_alone);
    tcase_add_test(tcase, a_link_stays_a_link);
    tcase_add_test(tcase, a_file_made_by_someone_else_meanwhile_is_replaced_whole);
    tcase_add_test(tcase, a_killed_writer_leaves_nothing);
    tcase_add_loop_test(tcase, a_bad_target_is_refused_at_once_with_its_name, 0,
                        sizeof refused_rows / sizeof refused_rows[0]);
    tcase_add_test(tcase, what_the_user_may_not_write_is_refused_and_kept);
    tcase_add_test(tcase, a_full_device_is_noticed_at_the_commit_and_stays);
    tcase_add_test(tcase, a_failed_write_before_the_commit_counts);
    tcase_add_test(tcase, a_dash_is_standard_output);
    suite_add_tcase(suite, tcase);
    return suite;
}
