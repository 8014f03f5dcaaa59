/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: anything in the rings, indirect buffers, kernel descriptors and signals of a
 * process's two compute queues (AQL and PM4), executed by a whole GPU beside another process
 * (fuzz_amd_node.h).
 *
 * The first eight bytes: flags (bit 0: write pointers are moved far beyond the rings, 1: the second
 * process comes later, 2: the first process's memory from its data on is unmapped halfway, 3: its
 * CUs are none, 4: the driver takes its AQL queue away halfway, for which it takes all queues off
 * and puts the others on again); how many AQL packets are written, and how many PM4 dwords (16
 * bits); then the same for a second ring of the doorbells halfway, and one byte that is free.  Then
 * memory, as fuzz_amd_patch() takes it.
 */
#ifndef TESTS_FUZZ_FUZZ_AMD_MEC_H
#define TESTS_FUZZ_FUZZ_AMD_MEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

enum { FUZZ_AMD_MEC_HEAD = 8 };

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_amd_mec(const uint8_t *data, size_t bytes);
/* The same once, on a machine wired for it (`fresh`) or on the one that is kept. */
void fuzz_amd_mec_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes);

#endif
