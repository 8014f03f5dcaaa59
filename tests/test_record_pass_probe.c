/* SPDX-License-Identifier: MIT */
/*
 * What `gfe record --passthrough` says where there is nothing that it can record above.  That it
 * finds a driver: tests/test_passthrough.sh.
 */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

Suite *record_pass_probe_suite(void)
{
    Suite *suite = suite_create("record_pass_probe");
    TCase *cases = tcase_create("nodes");

    tcase_add_checked_fixture(cases, setup, NULL);
    tcase_add_test(cases, without_a_node_the_message_says_so);
    tcase_add_test(cases, what_is_no_gpu_is_named);
    tcase_add_test(cases, a_chip_that_no_board_has_gets_no_name);
    suite_add_tcase(suite, cases);
    return suite;
}
