/* SPDX-License-Identifier: MIT */
/* Fuzz target: faults, one a line.  The first line names the vendor: "nvidia" for a task set on a
 * GP106, else a configuration of two streams on a Radeon VII.  What is said of lines that mean
 * nothing is one line; those that parse are injected, and the run ends, or with a message.  Takes
 * any text. */
#ifndef TESTS_FUZZ_INJECT_H
#define TESTS_FUZZ_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_inject(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or one that was used before; both come to the same
 * hashes, which are written unless NULL; an input that does not come to a run leaves them. */
void fuzz_inject_hash(const uint8_t *data, size_t bytes, bool fresh,
                      struct check_machine_hashes *hashes);

#endif
