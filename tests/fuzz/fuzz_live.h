/* SPDX-License-Identifier: MIT */
/*
 * A log that is read while it is still written, chunk by chunk, with the tables of a GPU that is
 * emulated below a running program.  An input is a list of chunks: a byte of the kind (0 head, 1
 * events, 2 end, 3 note of the host, 4 the head with the live tables), two of a length, the bytes.
 */
#ifndef TESTS_FUZZ_FUZZ_LIVE_H
#define TESTS_FUZZ_FUZZ_LIVE_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or an event is out of the tables. */
int fuzz_live(const uint8_t *data, size_t bytes);

#endif
