/* SPDX-License-Identifier: MIT */
/*
 * Traces for fuzz targets, from any bytes: either a .gft file (it begins with the chunk magic), or
 * the raw records of one.  Of raw records the heads are put right (lengths, sequence numbers, the
 * count of END), so that most inputs get past the reader.
 */
#ifndef TESTS_FUZZ_RECORDS_H
#define TESTS_FUZZ_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* A file in memory; the caller closes it. */
int fuzz_records(const uint8_t *data, size_t bytes);

#endif
