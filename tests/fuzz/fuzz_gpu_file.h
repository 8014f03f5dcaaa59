/* SPDX-License-Identifier: MIT */
/* Fuzz target: a GPU file.  A GPU that is read can be described and read again as the same, its
 * machine can be wired, and a small program runs on it or ends with a message.  Takes any text. */
#ifndef TESTS_FUZZ_GPU_FILE_H
#define TESTS_FUZZ_GPU_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_gpu_file(const uint8_t *data, size_t bytes);

#endif
