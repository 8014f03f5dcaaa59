/* SPDX-License-Identifier: MIT */
/* Fuzz target: faults, one a line.  The first line names the vendor: "nvidia" for a task set on a
 * GP106, else a configuration of two streams on a Radeon VII.  What is said of lines that mean
 * nothing is one line; those that parse are injected, and the run ends, or with a message.  Takes
 * any text. */
#ifndef TESTS_FUZZ_INJECT_H
#define TESTS_FUZZ_INJECT_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_inject(const uint8_t *data, size_t bytes);

#endif
