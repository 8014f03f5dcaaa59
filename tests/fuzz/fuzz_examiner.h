/* SPDX-License-Identifier: MIT */
/* Fuzz target: a configuration of cuda_scheduling_examiner, to structs within their bounds or one
 * line of words. */
#ifndef TESTS_FUZZ_EXAMINER_H
#define TESTS_FUZZ_EXAMINER_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_examiner(const uint8_t *data, size_t bytes);

#endif
