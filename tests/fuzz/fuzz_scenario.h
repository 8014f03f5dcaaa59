/* SPDX-License-Identifier: MIT */
/* Fuzz target: a configuration or a scenario of gfe's own, run for a while on a GPU that its first
 * byte chooses: it ends, or stops at a limit, and every response time is one. */
#ifndef TESTS_FUZZ_SCENARIO_H
#define TESTS_FUZZ_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_scenario(const uint8_t *data, size_t bytes);

#endif
