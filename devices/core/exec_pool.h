/* SPDX-License-Identifier: MIT */
/*
 * The resources of an SM (or CU) and the needs of a block: threads, warps, registers, shared memory
 * and block slots, in the vendor's allocation units.
 *
 * The limits by compute capability are those of the vendor's programming guide and occupancy tables
 * (as tabulated in tmcdonell/cuda Device.chs @0786f269).  Pure accounting: these functions do not
 * know time.
 *
 * Not modelled: limits of barriers and of local memory.
 */
#ifndef GFE_DEVICES_CORE_EXEC_POOL_H
#define GFE_DEVICES_CORE_EXEC_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"

enum { EXEC_SLOTS_MAX = 64, EXEC_SMS_MAX = 256 };

struct exec_limits {
    uint32_t threads_per_sm, warps_per_sm, blocks_per_sm;
    uint32_t registers_per_sm, registers_per_block, registers_per_thread;
    uint32_t shared_bytes_per_sm, shared_bytes_per_block;
    uint32_t threads_per_block, threads_per_warp;
    uint32_t register_unit; /* registers are allocated to a warp in multiples of this */
    /* for registers, warps of a block are rounded up to a multiple of this */
    uint32_t warp_unit;
    uint32_t shared_unit_bytes;
    uint32_t one_pool; /* 1 if the SM stands for a whole GPU (Y.R1) */
};

GFE_STATE_BEGIN
/* Resources that a block takes, after rounding. */
struct exec_need {
    uint32_t threads, warps, registers, shared_bytes;
};

struct exec_sm {
    uint32_t threads, warps, registers, shared_bytes; /* in use */
    uint32_t blocks;
    uint32_t reserved;
    uint64_t slots; /* a bit for each block slot in use */
};
GFE_STATE_END

/* Rounds a kernel's figures to what its blocks take.  Returns false if no SM of this kind can ever
 * hold such a block (the guest's error); *rule is then the rule that forbids it. */
bool exec_need_make(const struct exec_limits *limits, uint32_t threads, uint32_t registers,
                    uint32_t shared_bytes, struct exec_need *need, uint32_t *rule);
/* Returns true if the block fits now.  If not, *rule is the first limit in the way. */
bool exec_fits(const struct exec_limits *limits, const struct exec_sm *sm,
               const struct exec_need *need, uint32_t *rule);
/* Takes a block's resources and returns its slot.  The block must fit (asserted). */
uint32_t exec_take(const struct exec_limits *limits, struct exec_sm *sm,
                   const struct exec_need *need);
/* Takes a block's resources in the slot that it had before.  Both must be free (the slot is
 * asserted). */
void exec_take_back(struct exec_sm *sm, const struct exec_need *need, uint32_t slot);
/* Gives back the resources and the slot of a block. */
void exec_give(struct exec_sm *sm, const struct exec_need *need, uint32_t slot);

#endif
