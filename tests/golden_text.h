/* SPDX-License-Identifier: MIT */
/*
 * Expected texts, kept in tests/golden/ and compared byte for byte.  To accept a wanted change, run
 * the tests with GFE_UPDATE_GOLDEN=1, then review the output of `git diff`.
 */
#ifndef TESTS_GOLDEN_TEXT_H
#define TESTS_GOLDEN_TEXT_H

#include <stddef.h>

/* Compares a text with tests/golden/<name>.  If they differ, fails the running test and names the
 * first line that differs. */
void golden_text_check(const char *name, const char *text, size_t bytes);

#endif
