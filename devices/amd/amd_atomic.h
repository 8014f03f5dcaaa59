/* SPDX-License-Identifier: MIT */
/*
 * Comparisons and atomic operations, by their numbers in packets of AMD's engines (PM4, SDMA).
 *
 * Sources: amdgpu driver soc15d.h (WAIT_REG_MEM), vega10_sdma_pkt_open.h (POLL_REGMEM);
 * ROCR-Runtime amd_blit_sdma.cpp (ADD_64).  The numbers of the other operations are general
 * knowledge.  Modelled: add, subtract, swap, compare and swap; other operations are not.
 */
#ifndef GFE_DEVICES_AMD_AMD_ATOMIC_H
#define GFE_DEVICES_AMD_AMD_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the result of a comparison.  `function` is FUNCTION of WAIT_REG_MEM, FUNC of POLL_REGMEM.
 */
bool amd_compares(uint32_t function, uint64_t value, uint64_t reference);
/* Applies an atomic operation of the L2 cache to *value.  If bit 5 of the operation is set the
 * operands have 64 bits; if not, the upper half of the result is meaningless.  Returns false if the
 * operation is not modelled. */
bool amd_atomic(uint32_t operation, uint64_t source, uint64_t compared, uint64_t *value);

#endif
