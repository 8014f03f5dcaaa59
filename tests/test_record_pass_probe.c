/* SPDX-License-Identifier: MIT */
/*
 * What `gfe record --passthrough` says where there is nothing that it can record above.  That it
 * finds a driver: tests/test_passthrough.sh.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_board.h"
#include "traces/record/nouveau/record_pass_probe.h"

static char directory[] = "/tmp/probe-XXXXXX";

static void setup(void)
{
    strcpy(directory, "/tmp/probe-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void node_make(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", directory, name);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

START_TEST(without_a_node_the_message_says_so)
{
    struct record_pass_device device;
    struct gfe_error error = {0};

    ck_assert(!record_pass_probe(directory, NULL, &device, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "there is no GPU here"));
    rmdir(directory);
}
END_TEST

START_TEST(what_is_no_gpu_is_named)
{
    struct record_pass_device device;
    struct gfe_error error = {0};
    char path[64];

    node_make("renderD130", path);
    ck_assert(!record_pass_probe(directory, NULL, &device, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "renderD130 is not a GPU's node"));
    ck_assert_uint_eq(device.is_used, 0);
    unlink(path);
    rmdir(directory);
}
END_TEST

START_TEST(a_chip_that_no_board_has_gets_no_name)
{
    ck_assert_ptr_null(record_board_of_device(0x177, 0x2684));
    ck_assert_str_eq(record_board_of_device(0x136, 0x1c02)->gpu, "gtx1060-3gb");
    ck_assert_str_eq(record_board_of_device(0x136, 0xffff)->gpu, "gtx1060");
}
END_TEST

/* ---- other nodes ----------------------------------------------------------------------------- */

static void probe_says(const char *words)
{
    struct record_pass_device device;
    struct gfe_error error = {0};

    ck_assert(!record_pass_probe(directory, "gtx1060", &device, &error));
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_uint_eq(device.is_used, 0);
}

/* A device, but not DRM's: /dev/null has the major number 1 (Linux's devices.txt). */
START_TEST(a_device_of_another_kind_is_named)
{
    char path[64];

    snprintf(path, sizeof path, "%s/renderD129", directory);
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    probe_says("renderD129 is not a GPU's node");
    ck_assert_int_eq(unlink(path) + rmdir(directory), 0);
}
END_TEST

/* The first node is the one that is told of. */
START_TEST(a_node_that_cannot_be_opened_is_told_with_its_reason)
{
    char first[64], second[64];

    snprintf(first, sizeof first, "%s/renderD128", directory);
    ck_assert_int_eq(mkdir(first, 0700), 0); /* EISDIR */
    node_make("renderD131", second);
    probe_says("renderD128: Is a directory");
    ck_assert_int_eq(unlink(second) + rmdir(first) + rmdir(directory), 0);
}
END_TEST

START_TEST(a_signal_and_a_node_that_cannot_be_asked)
{
    char path[64];

    node_make("renderD128", path);
    if (_i == 0)
        check_refuse_once(SCMP_SYS(openat), EINTR, 1);
    else
        check_refuse(SCMP_SYS(newfstatat), EIO);
    probe_says("renderD128 is not a GPU's node");
    ck_assert_int_eq(unlink(path) + rmdir(directory), 0);
}
END_TEST

START_TEST(a_folder_whose_name_is_too_long_has_no_node)
{
    struct record_pass_device device;
    struct gfe_error error = {0};

    ck_assert(!record_pass_probe("/a/folder/with/a/name/that/is/too/long", NULL, &device, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "there is no GPU here"));
    rmdir(directory);
}
END_TEST

Suite *record_pass_probe_suite(void)
{
    Suite *suite = suite_create("record_pass_probe");
    TCase *cases = tcase_create("nodes");

    tcase_add_checked_fixture(cases, setup, NULL);
    tcase_add_test(cases, without_a_node_the_message_says_so);
    tcase_add_test(cases, what_is_no_gpu_is_named);
    tcase_add_test(cases, a_chip_that_no_board_has_gets_no_name);
    tcase_add_test(cases, a_device_of_another_kind_is_named);
    tcase_add_test(cases, a_node_that_cannot_be_opened_is_told_with_its_reason);
    tcase_add_loop_test(cases, a_signal_and_a_node_that_cannot_be_asked, 0, 2);
    tcase_add_test(cases, a_folder_whose_name_is_too_long_has_no_node);
    suite_add_tcase(suite, cases);
    return suite;
}
