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
 * From Volta on an SM splits one memory into L1 and shared memory, in one of a few ways
 * (`splits_kib`). With the rule of splits (CORE.SM_SPLIT) it does so for the block that finds it
 * empty, and stays so until it is empty again.  A kernel has a least split, below which its blocks
 * do not start, and a split that it chooses (exec_need_split()).  Without that rule all of the
 * shared memory is there.
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

enum { EXEC_SLOTS_MAX = 64, EXEC_SMS_MAX = 256, EXEC_PARTITIONS_MAX = 4, EXEC_SPLITS_MAX = 12 };

struct exec_limits {
    uint32_t threads_per_sm, warps_per_sm, blocks_per_sm;
    uint32_t registers_per_sm, registers_per_block, registers_per_thread;
    uint32_t shared_bytes_per_sm;
    uint32_t shared_bytes_per_block; /* what a descriptor may ask for */
    uint32_t threads_per_block, threads_per_warp;
    uint32_t register_unit; /* registers are allocated to a warp in multiples of this */
    /* Sub-partitions: 1, 2 or 4; divides registers_per_sm and warps_per_sm.  Each has at most
     * 16,384 registers. */
    uint32_t partitions;
    uint32_t shared_unit_bytes;
    uint32_t one_pool;      /* 1 if the SM stands for a whole GPU (Y.R1) */
    uint32_t has_half_mode; /* 1 if half_sm has an effect */
    uint32_t grids;         /* of the GPU: grids of one context that may have blocks (CORE.GRIDS) */
    /* Shared memory that an SM may have, ascending.  split_count is 0 if L1 has a memory of its
     * own. */
    uint16_t splits_kib[EXEC_SPLITS_MAX];
    uint32_t split_count;
};

GFE_STATE_BEGIN
/* A number for each sub-partition, 16 bits each, from the lowest: so those of all are added, and
 * multiplied by one factor, at once.  None exceeds 32,767. */
typedef uint64_t exec_lanes;

/* Resources that a block takes, after rounding. */
struct exec_need {
    uint32_t threads, warps;
    uint32_t registers; /* of all its warps */
    uint32_t shared_bytes;
    uint32_t warp_registers;
    uint32_t half_sm; /* 1 if it has to stay in one half of the sub-partitions */
    /* The block's warps are divided by the number of sub-partitions, rounded up.  A sub-partition
     * has room for that many warps if no more than this is in use; bit 15 of each lane is set in
     * addition.  Both are 0 if no sub-partition ever has room for them, or with half_sm. */
    exec_lanes beside_warps, beside_registers;
    /* What L1 has of the SM's shared memory if such a block finds the SM empty, and the most that
     * it may have where such a block starts; 0 and UINT32_MAX without the rule of splits. */
    uint32_t l1_bytes, most_l1_bytes;
};

/* Where a block is on its SM. */
struct exec_place {
    uint32_t warps; /* of the block on each sub-partition: 8 bits each, from the lowest */
    uint16_t slot;
    uint16_t sm_index; /* the dispatcher's */
    uint32_t l1_bytes; /* the SM's, for a block that comes back */
};

struct exec_sm {
    uint32_t threads, warps, registers, shared_bytes; /* in use */
    uint32_t blocks;
    uint32_t l1_bytes; /* what L1 has of the shared memory; 0 while the SM is empty */
    uint64_t slots;    /* a bit for each block slot in use */
    exec_lanes partition_warps, partition_registers;
};
GFE_STATE_END

/* Returns the number of a sub-partition. */
static inline uint32_t exec_lane(exec_lanes lanes, uint32_t partition)
{
    return (uint32_t)(lanes >> 16 * partition) & 0xffff;
}

/* The SM has too little in all, whatever its sub-partitions have. */
static inline bool exec_exceeds(const struct exec_limits *limits, const struct exec_sm *sm,
                                const struct exec_need *need)
{
    return sm->threads + need->threads > limits->threads_per_sm ||
           sm->blocks == limits->blocks_per_sm || sm->warps + need->warps > limits->warps_per_sm ||
           sm->registers + need->registers > limits->registers_per_sm ||
           sm->shared_bytes + sm->l1_bytes + need->shared_bytes > limits->shared_bytes_per_sm ||
           sm->l1_bytes > need->most_l1_bytes;
}

/* Each sub-partition has room for an equal part of the warps, rounded up, wherever they may be:
 * what is in use is taken from the most that may be, and leaves bit 15 where it is not more. */
static inline bool exec_equal_parts_fit(const struct exec_sm *sm, const struct exec_need *need)
{
    const exec_lanes high = UINT64_C(0x8000800080008000);
    const exec_lanes warps = need->beside_warps - sm->partition_warps;
    const exec_lanes registers = need->beside_registers - sm->partition_registers;

    return need->beside_warps != 0 && (need->beside_warps & ~(warps & registers) & high) == 0;
}

/* Rounds a kernel's figures to what its blocks take.  Returns false if no SM of this kind can ever
 * hold such a block (the guest's error); *rule is then the rule that forbids it.  The hardware
 * makes that check with the block's warps rounded up to the sub-partitions.  half_sm is ignored
 * where the SM has no such mode or half an SM cannot hold the block. */
bool exec_need_make(const struct exec_limits *limits, uint32_t threads, uint32_t registers,
                    uint32_t shared_bytes, bool half_sm, struct exec_need *need, uint32_t *rule);
/* Returns how many such blocks an empty SM holds. */
uint32_t exec_blocks_fit(const struct exec_limits *limits, const struct exec_need *need);
/* Returns the smallest split with room for as many such blocks as an SM holds, in KiB; 0 if the SM
 * has no splits. */
uint32_t exec_least_split_kib(const struct exec_limits *limits, const struct exec_need *need);
/* Puts the block under the rule of splits, with the least split that it starts in and the one that
 * it chooses.  Both are raised to what one block needs, and limited to what the SM has. */
void exec_need_split(const struct exec_limits *limits, struct exec_need *need, uint32_t least_kib,
                     uint32_t chosen_kib);
/* Returns true if the block fits now.  If not, *rule is the first limit in the way;
 * RULE_CORE_SM_SPLIT means that nothing else is. */
bool exec_fits(const struct exec_limits *limits, const struct exec_sm *sm,
               const struct exec_need *need, uint32_t *rule);
/* As exec_fits(), without the reason, for loops over many SMs. */
static inline bool exec_has_room(const struct exec_limits *limits, const struct exec_sm *sm,
                                 const struct exec_need *need)
{
    uint32_t rule;

    if (exec_exceeds(limits, sm, need))
        return false;
    return exec_equal_parts_fit(sm, need) || exec_fits(limits, sm, need, &rule);
}
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
