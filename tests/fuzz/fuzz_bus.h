/* SPDX-License-Identifier: MIT */
/* Fuzz target: a text for gfe import bus, to a whole trace that runs to an end or a message, or to
 * one line of words.  Takes any text. */
#ifndef TESTS_FUZZ_BUS_H
#define TESTS_FUZZ_BUS_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_bus(const uint8_t *data, size_t bytes);

#endif
