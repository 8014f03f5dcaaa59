/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_board.h"
#include "traces/record/record_tree.h"

static char root[40];

static void setup(void)
{
    struct gfe_error error = {0};

    strcpy(root, "/tmp/gfe-test-tree-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_msg(record_tree_make(root, record_board_find("gtx1060-3gb"), &error), "%s",
                  error.text);
}

static void teardown(void)
{
    ck_assert(record_tree_remove(root));
    ck_assert_int_ne(access(root, F_OK), 0);
}

static const char *content(const char *path)
{
    static char text[600];
    char whole[PATH_MAX];
    FILE *file;

    snprintf(whole, sizeof whole, "%s%s", root, path);
    file = fopen(whole, "r");
    ck_assert_msg(file != NULL, "%s", whole);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

START_TEST(the_device_can_be_found_from_its_number)
{
    ck_assert_str_eq(content("/sys/dev/char/226:128/dev"), "226:128\n");
    ck_assert_str_eq(content("/sys/dev/char/226:128/device/vendor"), "0x10de\n");
    ck_assert_str_eq(content("/sys/dev/char/226:128/device/device"), "0x1c02\n");
    ck_assert_ptr_nonnull(
        strstr(content("/sys/dev/char/226:128/device/uevent"), "PCI_ID=10DE:1C02\n"));
    ck_assert_str_eq(content("/sys/dev/char/226:128/device/drm/renderD128/device/revision"),
                     "0xa1\n");
    ck_assert_str_eq(content(RECORD_TREE_NODE), "");
}
END_TEST

START_TEST(the_subsystem_is_pci)
{
    char whole[PATH_MAX], *resolved;

    snprintf(whole, sizeof whole, "%s/sys/dev/char/226:128/device/subsystem", root);
    resolved = realpath(whole, NULL);
    ck_assert_ptr_nonnull(resolved);
    ck_assert_str_eq(resolved + strlen(root), "/sys/bus/pci");
    free(resolved);
}
END_TEST

START_TEST(only_the_devices_paths_belong_to_the_tree)
{
    ck_assert(record_tree_has("/dev/dri"));
    ck_assert(record_tree_has("/dev/dri/"));
    ck_assert(record_tree_has("/dev/dri/card0"));
    ck_assert(record_tree_has("/sys/dev/char/226:0/device"));
    ck_assert(record_tree_has("/sys/devices/pci0000:00/0000:01:00.0/uevent"));
    ck_assert(!record_tree_has("/dev/drip"));
    ck_assert(!record_tree_has("/dev"));
    ck_assert(!record_tree_has("/sys/dev/char/22"));
    ck_assert(!record_tree_has("/sys/devices/pci0000:00/0000:01:00.01"));
    ck_assert(!record_tree_has(""));
    ck_assert(!record_tree_has("dev/dri"));
}
END_TEST

START_TEST(removing_follows_no_links)
{
    char outside[] = "/tmp/gfe-test-outside-XXXXXX";
    char link[PATH_MAX];

    ck_assert_ptr_nonnull(mkdtemp(outside));
    snprintf(link, sizeof link, "%s/link", root);
    ck_assert_int_eq(symlink(outside, link), 0);
    ck_assert(record_tree_remove(root));
    ck_assert_int_eq(rmdir(outside), 0);
    ck_assert_int_eq(mkdir(root, 0700), 0); /* for the teardown */
}
END_TEST

START_TEST(a_tree_is_not_made_twice)
{
    struct gfe_error error = {0};

    ck_assert(!record_tree_make(root, record_board_find("gtx1060"), &error));
    ck_assert_ptr_nonnull(strstr(error.text, root));
    ck_assert(!record_tree_make("/no/such/directory", record_board_find("gtx1060"), &error));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

static const struct {
    int call, error;
    unsigned place;
    uint64_t value;
} steps[] = {{SCMP_SYS(mkdirat), EROFS, 0, 0},
             {SCMP_SYS(openat), ENOSPC, 2, O_EXCL},
             {SCMP_SYS(symlinkat), EIO, 0, 0}};
static unsigned step;

static void tree_refused(void)
{
    struct gfe_error error = {0};
    char other[] = "/tmp/gfe-test-tree-XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(other));
    check_refuse_where(steps[step].call, steps[step].error, steps[step].place, steps[step].value,
                       steps[step].value);
    ck_assert(!record_tree_make(other, record_board_find("gtx1060"), &error));
    ck_assert_ptr_nonnull(strstr(error.text, other)); /* and the first path that failed */
    ck_assert_ptr_nonnull(strstr(error.text, strerror(steps[step].error)));
    ck_assert(record_tree_remove(other));
}

START_TEST(a_tree_that_cannot_be_made_is_told)
{
    step = (unsigned)_i;
    check_refuse_child(tree_refused);
}
END_TEST

/* A limit on files ends the write half way, then with EFBIG (setrlimit(2)). */
START_TEST(a_file_that_cannot_be_written_is_told)
{
    const struct rlimit limit = {4, 4};
    struct gfe_error error = {0};

    ck_assert(record_tree_remove(root));
    ck_assert_int_eq(mkdir(root, 0700), 0);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!record_tree_make(root, record_board_find("gtx1060"), &error));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(EFBIG)));
    ck_assert_ptr_nonnull(strstr(error.text, "/uevent"));
}
END_TEST

START_TEST(an_interrupted_call_of_a_tree_is_repeated)
{
    struct gfe_error error = {0};

    ck_assert(record_tree_remove(root));
    ck_assert_int_eq(mkdir(root, 0700), 0);
    check_refuse_once(_i < 2 ? SCMP_SYS(openat) : SCMP_SYS(write), EINTR,
                      _i < 2 ? (unsigned)_i + 1 : 1);
    ck_assert_msg(record_tree_make(root, record_board_find("gtx1060"), &error), "%s", error.text);
    ck_assert_uint_gt(check_refuse_count(), 2);
    ck_assert_str_ne(content("/sys/dev/char/226:128/uevent"), "");
}
END_TEST

START_TEST(a_tree_needs_its_folder)
{
    struct gfe_error error = {0};

    ck_assert(!record_tree_make("/no/such/folder", record_board_find("gtx1060"), &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/no/such/folder"));
}
END_TEST

static const int removing[] = {SCMP_SYS(lseek), SCMP_SYS(getdents64), SCMP_SYS(unlinkat)};

static void removing_refused(void)
{
    check_refuse(removing[step], EIO);
    ck_assert(!record_tree_remove(root));
    ck_assert_int_eq(access(root, F_OK), 0);
}

START_TEST(what_cannot_be_deleted_is_told)
{
    step = (unsigned)_i;
    check_refuse_child(removing_refused);
}
END_TEST

START_TEST(an_interrupted_deletion_goes_on)
{
    check_refuse_once(SCMP_SYS(openat), EINTR, (unsigned)_i);
    ck_assert(record_tree_remove(root));
    ck_assert_int_ne(access(root, F_OK), 0);
    ck_assert_int_eq(mkdir(root, 0700), 0);
}
END_TEST

Suite *record_tree_suite(void)
{
    Suite *suite = suite_create("record_tree");
    TCase *cases = tcase_create("record_tree");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, the_device_can_be_found_from_its_number);
    tcase_add_test(cases, the_subsystem_is_pci);
    tcase_add_test(cases, only_the_devices_paths_belong_to_the_tree);
    tcase_add_test(cases, removing_follows_no_links);
    tcase_add_test(cases, a_tree_is_not_made_twice);
    tcase_add_loop_test(cases, a_tree_that_cannot_be_made_is_told, 0, 3);
    tcase_add_test(cases, a_file_that_cannot_be_written_is_told);
    tcase_add_loop_test(cases, an_interrupted_call_of_a_tree_is_repeated, 0, 3);
    tcase_add_test(cases, a_tree_needs_its_folder);
    tcase_add_loop_test(cases, what_cannot_be_deleted_is_told, 0, 3);
    tcase_add_loop_test(cases, an_interrupted_deletion_goes_on, 1, 3);
    suite_add_tcase(suite, cases);
    return suite;
}
