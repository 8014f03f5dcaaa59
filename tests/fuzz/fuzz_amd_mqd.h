/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: any memory queue descriptor (MQD), loaded into a slot by the firmware or by the
 * driver's stores to registers, executed, and taken off again, beside another process
 * (fuzz_amd_node.h).
 *
 * The first eight bytes: flags (bit 0: by registers, 1: by the scheduling firmware, from the list
 * of the driver, instead of straight into a slot; 2: registers are changed halfway, 3: memory is
 * unmapped halfway; 4: it is reset, not drained); how many packets or dwords its doorbell tells of
 * (16 bits); four bytes for halfway: which register (16 bits) and what its bits are XORed with.  A
 * byte says how many patches of the MQD follow, each the number of a dword and its four bytes: what
 * is not patched is what the driver writes for an AQL queue.  Then memory, as fuzz_amd_patch()
 * takes it.
 */
#ifndef TESTS_FUZZ_FUZZ_AMD_MQD_H
#define TESTS_FUZZ_FUZZ_AMD_MQD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

enum { FUZZ_AMD_MQD_HEAD = 8, FUZZ_AMD_MQD_PATCH = 6 };

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_amd_mqd(const uint8_t *data, size_t bytes);
/* The same once, on a machine wired for it (`fresh`) or on the one that is kept. */
void fuzz_amd_mqd_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes);

#endif
