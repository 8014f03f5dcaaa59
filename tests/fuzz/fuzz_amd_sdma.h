/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: anything in the rings and indirect buffers of a process's two SDMA queues, one of
 * each engine, executed by a whole GPU beside another process (fuzz_amd_node.h).
 *
 * The first eight bytes: flags (bit 0: write pointers are moved far beyond the rings, 1: the second
 * process comes later, 2: memory is unmapped halfway, 3: the queues are unloaded halfway and loaded
 * again); how many dwords are written, of each engine's queue (16 bits); three bytes that are free.
 * Then memory, as fuzz_amd_patch() takes it.
 */
#ifndef TESTS_FUZZ_FUZZ_AMD_SDMA_H
#define TESTS_FUZZ_FUZZ_AMD_SDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

enum { FUZZ_AMD_SDMA_HEAD = 8 };

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_amd_sdma(const uint8_t *data, size_t bytes);
/* The same once, on a machine wired for it (`fresh`) or on the one that is kept. */
void fuzz_amd_sdma_hash(const uint8_t *data, size_t bytes, bool fresh,
                        struct check_machine_hashes *hashes);

#endif
