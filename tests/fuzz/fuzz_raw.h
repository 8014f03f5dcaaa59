/* SPDX-License-Identifier: MIT */
/* Fuzz target: a text for gfe import raw, to a whole trace or one line of words.  Takes any text.
 */
#ifndef TESTS_FUZZ_RAW_H
#define TESTS_FUZZ_RAW_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_raw(const uint8_t *data, size_t bytes);

#endif
