/* SPDX-License-Identifier: MIT */
/* Fuzz target: measurements as JSON lines, to experiments within their bounds or one line of words,
 * and the scenario that each experiment becomes. */
#ifndef TESTS_FUZZ_MEASURED_H
#define TESTS_FUZZ_MEASURED_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_measured(const uint8_t *data, size_t bytes);

#endif
