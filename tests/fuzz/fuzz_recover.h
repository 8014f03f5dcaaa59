/* SPDX-License-Identifier: MIT */
/*
 * The parts that processes of gfe record left behind, and the trace that gfe record --recover makes
 * of them.  An input is a list of parts: a byte of flags, two of a length, records.  Flag 1: the
 * part was cut off; flag 2: a byte of it is another one; flag 4: the records are a file, as they
 * are.
 */
#ifndef TESTS_FUZZ_FUZZ_RECOVER_H
#define TESTS_FUZZ_FUZZ_RECOVER_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or when the trace is not whole. */
int fuzz_recover(const uint8_t *data, size_t bytes);

#endif
