/* SPDX-License-Identifier: MIT */
/*
 * The importer of .nvt recordings on any bytes; what it accepts must be a whole trace.
 */
#ifndef TESTS_FUZZ_FUZZ_NVT_H
#define TESTS_FUZZ_FUZZ_NVT_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where the importer breaks its word. */
int fuzz_nvt(const uint8_t *data, size_t bytes);

#endif
