/* SPDX-License-Identifier: MIT */
/*
 * The resources of an SM (or CU) and the needs of a block: threads, warps, registers, shared memory
 * and block slots, in the vendor's allocation units.
 *
 * An SM of NVIDIA's consists of sub-partitions. Each has an equal part of the registers and of the
 * warp slots, and runs the warps that it is given. Registers are allocated to a warp, rounded to
 * the allocation unit. So an SM holds as many warps of one kernel as each sub-partition has
 * registers and slots for, times the sub-partitions (NVIDIA's occupancy calculator,
 * cuda_occupancy.h of the CUDA toolkit; seen on an H100 for 679 kinds of blocks,
 * tests/hardware/data). Here each warp of a block goes to the sub-partition with the most free
 * registers, then with the most free warp slots, then to the lowest (ASSUMED: which one it is in
 * hardware is not published).
 *
 * With half_sm a block stays in one half of the sub-partitions if it fits one: the mode of
 * compute capabilities 5.2, 5.3, 6.1 and 6.2 in which loads are cached in L1 by half an SM
 * (partitioned global caching, same source).
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

enum { EXEC_SLOTS_MAX = 64, EXEC_SMS_MAX = 256, EXEC_PARTITIONS_MAX = 4 };

struct exec_limits {
    uint32_t threads_per_sm, warps_per_sm, blocks_per_sm;
    uint32_t registers_per_sm, registers_per_block, registers_per_thread;
    uint32_t shared_bytes_per_sm;
    uint32_t shared_bytes_per_block; /* what a descriptor may ask for */
    uint32_t threads_per_block, threads_per_warp;
    uint32_t register_unit; /* registers are allocated to a warp in multiples of this */
    /* Sub-partitions; divides registers_per_sm and warps_per_sm, at most EXEC_PARTITIONS_MAX. */
    uint32_t partitions;
    uint32_t shared_unit_bytes;
    uint32_t one_pool;      /* 1 if the SM stands for a whole GPU (Y.R1) */
    uint32_t has_half_mode; /* 1 if half_sm has an effect */
    uint32_t grids;         /* of the GPU: grids of one context that may have blocks (CORE.GRIDS) */
    /* Of the CUDA driver: what it adds to each block's shared memory, what a kernel may have
     * without and with asking for more (cudaFuncAttributeMaxDynamicSharedMemorySize). */
    uint32_t driver_shared_bytes, driver_shared_default, driver_shared_most;
};

GFE_STATE_BEGIN
/* Resources that a block takes, after rounding. */
struct exec_need {
    uint32_t threads, warps;
    uint32_t registers; /* of all its warps */
    uint32_t warp_registers;
    uint32_t shared_bytes;
    uint32_t half_sm; /* 1 if it has to stay in one half of the sub-partitions */
};

/* Where a block is on its SM: its slot and the number of its warps on each sub-partition. */
struct exec_place {
    uint8_t slot;
    uint8_t warps[EXEC_PARTITIONS_MAX];
    uint8_t reserved[3];
};

struct exec_partition {
    uint32_t warps, registers; /* in use */
};

struct exec_sm {
    uint32_t threads, warps, registers, shared_bytes; /* in use */
    uint32_t blocks;
    uint32_t reserved;
    uint64_t slots; /* a bit for each block slot in use */
    struct exec_partition partitions[EXEC_PARTITIONS_MAX];
};
GFE_STATE_END

/* Rounds a kernel's figures to what its blocks take.  Returns false if no SM of this kind can ever
 * hold such a block (the guest's error); *rule is then the rule that forbids it.  The hardware
 * makes that check with the block's warps rounded up to the sub-partitions.  half_sm is ignored
 * where the SM has no such mode or half an SM cannot hold the block. */
bool exec_need_make(const struct exec_limits *limits, uint32_t threads, uint32_t registers,
                    uint32_t shared_bytes, bool half_sm, struct exec_need *need, uint32_t *rule);
/* Returns true if the block fits now.  If not, *rule is the first limit in the way. */
bool exec_fits(const struct exec_limits *limits, const struct exec_sm *sm,
               const struct exec_need *need, uint32_t *rule);
/* Takes a block's resources and returns its place.  The block must fit (asserted). */
struct exec_place exec_take(const struct exec_limits *limits, struct exec_sm *sm,
                            const struct exec_need *need);
/* Takes a block's resources in the place that it had before.  It must be free (the slot is
 * asserted). */
void exec_take_back(struct exec_sm *sm, const struct exec_need *need,
                    const struct exec_place *place);
/* Gives back the resources and the place of a block. */
void exec_give(struct exec_sm *sm, const struct exec_need *need, const struct exec_place *place);
/* How many such blocks an empty SM would hold if it had only that limit; UINT32_MAX if they take
 * none of it. */
struct exec_blocks {
    uint32_t threads, slots, warps, shared_bytes, registers;
};
struct exec_blocks exec_blocks_by_limit(const struct exec_limits *limits,
                                        const struct exec_need *need);

#endif
