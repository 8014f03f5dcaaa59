/* SPDX-License-Identifier: MIT */
/* Fuzz target: a result file of cuda_scheduling_examiner, to structs within their bounds or one
 * line of words, and the check of what it tells. */
#ifndef TESTS_FUZZ_RESULT_H
#define TESTS_FUZZ_RESULT_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_result(const uint8_t *data, size_t bytes);

#endif
