/* SPDX-License-Identifier: MIT */
/*
 * Comparisons and atomic operations, as packets of AMD's engines (PM4, SDMA) name them by number.
 *
 * Sources: amdgpu driver soc15d.h (WAIT_REG_MEM), vega10_sdma_pkt_open.h (POLL_REGMEM);
 * ROCR-Runtime amd_blit_sdma.cpp (ADD_64); the other operations' numbers are general knowledge.
 */
#ifndef GFE_DEVICES_AMD_AMD_ATOMIC_H
#define GFE_DEVICES_AMD_AMD_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* FUNCTION of WAIT_REG_MEM, FUNC of POLL_REGMEM. */
bool amd_compares(uint32_t function, uint64_t value, uint64_t reference);
/* What an atomic operation of the L2 cache makes of a value, of 64 bits if bit 5 is set, else of
 * 32, whose upper half is then not meant.  False: none that is known here. */
bool amd_atomic(uint32_t operation, uint64_t source, uint64_t compared, uint64_t *value);

#endif
