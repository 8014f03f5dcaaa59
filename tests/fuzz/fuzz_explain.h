/* SPDX-License-Identifier: MIT */
/*
 * gfe explain and the tables of gfe show, on any sequence of events.  Bytes that begin with "gfeC"
 * are a log file.  All others are events, one after another: a byte for the kind, one for the rule,
 * one for the time that has passed, then one for each argument, so that most inputs are a log that
 * could be; a value of 255 stands for the eight bytes that follow.  Checked: a log is refused in
 * one line or taken; the pieces of every life touch and add up; every name leads back to its
 * operation.
 */
#ifndef TESTS_FUZZ_FUZZ_EXPLAIN_H
#define TESTS_FUZZ_FUZZ_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where gfe explain breaks its word. */
int fuzz_explain(const uint8_t *data, size_t bytes);

#endif
