/* SPDX-License-Identifier: MIT */
/* Fuzz target: pokes, one a line.  Those that parse are made in a run of two channels on a GP106;
 * the run ends, or with a message.  Takes any text. */
#ifndef TESTS_FUZZ_POKE_H
#define TESTS_FUZZ_POKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_poke(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or one that was used before; both come to the same
 * hashes, which are written unless NULL; an input that does not come to a run leaves them. */
void fuzz_poke_hash(const uint8_t *data, size_t bytes, bool fresh,
                    struct check_machine_hashes *hashes);

#endif
