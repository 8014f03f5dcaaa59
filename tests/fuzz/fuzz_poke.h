/* SPDX-License-Identifier: MIT */
/* Fuzz target: pokes, one a line.  Those that parse are made in a run of two channels on a GP106;
 * the run ends, or with a message.  Takes any text. */
#ifndef TESTS_FUZZ_POKE_H
#define TESTS_FUZZ_POKE_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_poke(const uint8_t *data, size_t bytes);

#endif
