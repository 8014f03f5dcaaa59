/* SPDX-License-Identifier: MIT */
/*
 * CU masks: the compute units that a queue may use, in the program's form and in the hardware's.
 *
 * A program gives one flat mask for its queue (KFD's SET_CU_MASK).  The hardware has a register for
 * each shader engine (COMPUTE_STATIC_THREAD_MGMT_SE0 and so on), with 16 bits for each of its
 * shader arrays.  The lowest bits are the array's CUs; CUs that a product lacks are not counted.
 * The driver deals the flat mask's bits out in turn, one to each shader engine that still has a CU,
 * so that any number of low bits is spread evenly (A.M1).  On Radeon VII bit i is shader engine
 * i mod 4, CU i div 4.
 *
 * Source: amdkfd kfd_mqd_manager.c, mqd_symmetrically_map_cu_mask() (what is dealt where);
 * Otterness and Anderson 2022, Fig. 8.  Not modelled: pairs of CUs (WGPs) from gfx10 on.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_CU_MASK_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_CU_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/amd/amd_chip.h"

enum {
    KFD_CU_MASK_BITS_MAX = AMD_SHADER_ENGINES_MAX * 32,
    KFD_CU_MASK_WORDS = KFD_CU_MASK_BITS_MAX / 32,
};

/* Splits a flat mask of bit_count bits (bit i is bit i % 32 of word i / 32; bits past the chip's
 * CUs are ignored) into engines[], one word for each shader engine and all others 0.  Returns how
 * many CUs it enables; a queue with none never gets a block placed. */
uint32_t kfd_cu_mask_split(const struct amd_chip *chip, const uint32_t *mask, uint32_t bit_count,
                           uint32_t engines[AMD_SHADER_ENGINES_MAX]);

/* Sets every bit of every shader engine, as for a queue whose program set no mask. */
void kfd_cu_mask_all(uint32_t engines[AMD_SHADER_ENGINES_MAX]);

#endif
