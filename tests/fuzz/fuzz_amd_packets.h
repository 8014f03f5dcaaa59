/* SPDX-License-Identifier: MIT */
/*
 * The decoders of AMD's packets and descriptors on any bytes, as text and as JSON.  The first byte
 * says which decoder it is, the dwords behind the next three are what it reads.
 */
#ifndef TESTS_FUZZ_FUZZ_AMD_PACKETS_H
#define TESTS_FUZZ_FUZZ_AMD_PACKETS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where a dword is lost, or a packet is not the sum of what was shown of it. */
int fuzz_amd_packets(const uint8_t *data, size_t bytes);

#endif
