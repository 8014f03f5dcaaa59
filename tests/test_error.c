/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <string.h>

#include "emu/base/error.h"
#include "tests/suites.h"

START_TEST(the_first_cause_stays)
{
    struct gfe_error error = {0};

    ck_assert(!error_set(&error, ERROR_INPUT, "%s: offset %d", "a.gft", 24));
    ck_assert(!error_set(&error, ERROR_USAGE, "second"));
    ck_assert(!error_set_errno(&error, ENOENT, "third"));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.text, "a.gft: offset 24");
}
END_TEST

START_TEST(nobody_needs_to_listen)
{
    ck_assert(!error_set(NULL, ERROR_INPUT, "unheard"));
    ck_assert(!error_set_errno(NULL, ENOENT, "unheard"));
}
END_TEST

START_TEST(the_systems_reason_follows)
{
    struct gfe_error error = {0};

    ck_assert(!error_set_errno(&error, ENOENT, "%s", "a.gft"));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_str_eq(error.text, "a.gft: No such file or directory");
}
END_TEST

/* File names may hold anything, and so may the strings of a damaged file: a terminal sees one line
 * of plain text. */
START_TEST(control_characters_do_not_reach_the_terminal)
{
    struct gfe_error error = {0};

    ck_assert(!error_set(&error, ERROR_INPUT, "a\nb\033[2J\177\t\303\244: bad"));
    ck_assert_str_eq(error.text, "a?b?[2J??\303\244: bad");
}
END_TEST

/* A path may have 4,096 bytes: where it begins and what is wrong with it are worth more than its
 * middle. */
START_TEST(a_long_message_keeps_its_beginning_and_its_end)
{
    for (size_t length = 400; length < 4096; length++) {
        char path[4097];
        struct gfe_error error = {0};

        memset(path, 'p', length);
        path[length] = '\0';
        ck_assert(!error_set_errno(&error, ENOENT, "/x/%s: cannot be read", path));
        ck_assert_uint_lt(strlen(error.text), sizeof error.text);
        ck_assert_int_eq(strncmp(error.text, "/x/pppp", 7), 0);
        ck_assert_ptr_nonnull(strstr(error.text, "p: cannot be read: No such file or directory"));
        if (length > 500)
            ck_assert_ptr_nonnull(strstr(error.text, "p...p"));
    }
}
END_TEST

START_TEST(each_kind_has_its_exit_status)
{
    static const int statuses[] = {[ERROR_NONE] = 0,
                                   [ERROR_INPUT] = 1,
                                   [ERROR_SYSTEM] = 1,
                                   [ERROR_LIMIT] = 1,
                                   [ERROR_USAGE] = 2};

    for (unsigned kind = 0; kind < 5; kind++) {
        const struct gfe_error error = {.kind = (enum error_kind)kind};

        ck_assert_int_eq(error_exit_status(&error), statuses[kind]);
    }
}
END_TEST

Suite *error_suite(void)
{
    Suite *suite = suite_create("error");
    TCase *tcase = tcase_create("messages");

    tcase_add_test(tcase, the_first_cause_stays);
    tcase_add_test(tcase, nobody_needs_to_listen);
    tcase_add_test(tcase, the_systems_reason_follows);
    tcase_add_test(tcase, control_characters_do_not_reach_the_terminal);
    tcase_add_test(tcase, a_long_message_keeps_its_beginning_and_its_end);
    tcase_add_test(tcase, each_kind_has_its_exit_status);
    suite_add_tcase(suite, tcase);
    return suite;
}
