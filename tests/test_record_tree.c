/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    suite_add_tcase(suite, cases);
    return suite;
}
