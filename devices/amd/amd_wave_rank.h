/* SPDX-License-Identifier: MIT */
/*
 * Which of a block's waves ends first.  All waves of a CU get the same share of it (amd_cu.h), so
 * the waves of a block, which start together, end in the order of their work.  Pure arithmetic.
 */
#ifndef GFE_DEVICES_AMD_AMD_WAVE_RANK_H
#define GFE_DEVICES_AMD_AMD_WAVE_RANK_H

#include <stdint.h>

#include "devices/amd/amd_cu.h"

/* Computes each wave's place, from 0, among the `count` (1 to AMD_BLOCK_WAVES_MAX) waves of a
 * block, in the order of their work.  Of equal waves the one with the lower number is first. */
void amd_wave_rank(uint32_t count, const uint64_t *work_ps, uint32_t places[AMD_BLOCK_WAVES_MAX]);

#endif
