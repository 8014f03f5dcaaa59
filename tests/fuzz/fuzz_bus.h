/* SPDX-License-Identifier: MIT */
/* Fuzz target: a text for gfe import bus, to a whole trace that runs to an end or a message, or to
 * one line of words.  Takes any text. */
#ifndef TESTS_FUZZ_BUS_H
#define TESTS_FUZZ_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_bus(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or one that was used before; both come to the same
 * hashes, which are written unless NULL; an input that does not come to a run leaves them. */
void fuzz_bus_hash(const uint8_t *data, size_t bytes, bool fresh,
                   struct check_machine_hashes *hashes);

#endif
