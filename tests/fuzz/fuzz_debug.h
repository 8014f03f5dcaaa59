/* SPDX-License-Identifier: MIT */
/*
 * Commands of gfe debug, a line each, on a small scenario of an NVIDIA GPU.  A command that fails
 * says so in one line, and looking changes nothing.
 */
#ifndef TESTS_FUZZ_FUZZ_DEBUG_H
#define TESTS_FUZZ_FUZZ_DEBUG_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a command fails without words, or when the start is another one
 * afterwards. */
int fuzz_debug(const uint8_t *data, size_t bytes);

#endif
