/* SPDX-License-Identifier: MIT */
/*
 * The trace reader on any bytes.  Bytes that begin with "gfeC" are a file; others are the records
 * of one chunk, which is made around them so that the checksums do not end the search at once.
 */
#ifndef TESTS_FUZZ_FUZZ_TRACE_H
#define TESTS_FUZZ_FUZZ_TRACE_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where the reader breaks its word. */
int fuzz_trace(const uint8_t *data, size_t bytes);

#endif
