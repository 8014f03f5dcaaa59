/* SPDX-License-Identifier: MIT */
/*
 * Included ahead of each file of tests/check_all.  Check writes where it is to a file at each
 * assertion that holds, which took a third of the time of all tests, in loops of assertions above
 * all.  Here only those that fail write.  When a test is killed by a signal, Check then names its
 * first line; CK_FORK=no and a debugger, or a sanitizer, name the line.
 */
#ifndef TESTS_CHECK_QUICK_H
#define TESTS_CHECK_QUICK_H

#include <config.h>

#include <check.h>

#define _mark_point(file, line) ((void)0)

#endif
