/* SPDX-License-Identifier: MIT */
/* Fuzz target: the files of the nvdebug module, to a GPU file that is taken or refused in one line.
 * A line "@NAME" begins the file of that name. */
#ifndef TESTS_FUZZ_NVDEBUG_H
#define TESTS_FUZZ_NVDEBUG_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_nvdebug(const uint8_t *data, size_t bytes);

#endif
