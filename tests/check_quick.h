/* SPDX-License-Identifier: MIT */
/*
 * Included before each file of tests/check_all.  Check writes its position to a file at each
 * assertion that holds.  This took a third of the time of all tests, mostly in loops of assertions.
 * With this header only failing assertions write.  If a signal kills a test, Check therefore names
 * the test's first line; CK_FORK=no and a debugger, or a sanitizer, name the exact line.
 */
#ifndef TESTS_CHECK_QUICK_H
#define TESTS_CHECK_QUICK_H

#include <config.h>

#include <check.h>

#define _mark_point(file, line) ((void)0)

/* Counts the tests that are added, for check_all --list.  Check has no call that says how many. */
void check_all_count(int test_count);

#define _tcase_add_test(tcase, test, signal, exit_status, start, end)                              \
    (check_all_count((end) - (start)),                                                             \
     _tcase_add_test(tcase, test, signal, exit_status, start, end))

#endif
