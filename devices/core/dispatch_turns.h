/* SPDX-License-Identifier: MIT */
/*
 * Turns: alternative "turns" of choice point core.block_to_sm, the order in which an H100 and an
 * H200 start the blocks of a kernel (MEASURED, tests/hardware/data/README.md, "Order of SMs";
 * tests/hardware/block_order.py states the rule and holds it against the data).
 *
 * The SMs are those of groups, the virtual GPCs, and of TPCs that are in none, the singletons.  A
 * turn gives one block to each SM of a group that is among the emptiest ones; then the next group
 * has its turn, round and round, also from kernel to kernel.  The singletons together have the
 * first turn of a kernel, and they come again before all others have had theirs: after 5, 11, 17
 * and so on turns of the others, while enough blocks are left to fill all SMs once more.  Fewer
 * blocks than emptiest SMs are shared out evenly: the singletons first, then each to the group with
 * the fewest TPCs in use; when all TPCs are in use, to the group with the fewest second SMs in use.
 * Behind such a round the next kernel begins with the group that the round began with, or, while
 * blocks are still running, with the one behind it.
 *
 * In the first kernel that gets beyond the singletons they come after 2, 5, 8, 13, 19, 25 and 31
 * turns.  It is the first one of its process in the data; that it is the first of the run here is
 * ASSUMED.  Not modelled: that they come once more two turns before that kernel has had 64.
 *
 * Kernels with the same mask of SMs have turns of their own, which begin with the first group: each
 * kernel of a green context in `green_contexts` of blocks and `green` of sm_order does.  The first
 * mask of a run, which may be none, begins as told (core.turns_group).
 *
 * Not known, and ASSUMED here: why the singletons come so early; what happens when SMs are not
 * alike, but that the emptiest come first; that a free place in the middle of a kernel counts as a
 * turn.  On a chip whose groups are not known all SMs are one group: the emptiest first, among
 * equals the lowest number.
 */
#ifndef GFE_DEVICES_CORE_DISPATCH_TURNS_H
#define GFE_DEVICES_CORE_DISPATCH_TURNS_H

#include "devices/core/exec_pool.h"
#include "devices/core/policy.h"
#include "emu/base/mask128.h"

enum {
    DISPATCH_GROUPS_MAX = 16,
    DISPATCH_SM_WORDS = EXEC_SMS_MAX / 64,
    DISPATCH_MASKS_MAX = 16,   /* with turns of their own; of more the oldest begin anew */
    DISPATCH_CLUSTER_MAX = 16, /* blocks of a cluster */
};

GFE_STATE_BEGIN
/* A bit for each SM. */
struct dispatch_sm_set {
    uint64_t bits[DISPATCH_SM_WORDS];
};
GFE_STATE_END

/* Which group each SM is of. */
struct dispatch_groups {
    uint32_t group_count; /* without the singletons, which have this number */
    uint32_t sm_counts[DISPATCH_GROUPS_MAX + 1];
    uint8_t of_sm[EXEC_SMS_MAX];
    struct dispatch_sm_set sms[DISPATCH_GROUPS_MAX + 1];
    struct dispatch_sm_set seconds;      /* SMs that are not the first ones of their TPCs */
    struct dispatch_sm_set late_singles; /* the second half of the singletons */
};

/* No kernel has got beyond the singletons; the one that does now is the first; there was one. */
enum dispatch_warmth { DISPATCH_COLD, DISPATCH_FIRST, DISPATCH_WARM };

GFE_STATE_BEGIN
/* Whose turn it is with a mask. */
struct dispatch_masked_turns {
    struct mask128 mask;
    uint32_t next_group, shared_plus_1;
};

struct dispatch_turns {
    uint64_t grid_id;        /* the kernel that the turns are counted of */
    uint64_t others_blocks;  /* that groups other than the singletons have got of it */
    uint32_t others_turns;   /* since the counting began */
    uint32_t singles_turns;  /* the same for the singletons */
    uint32_t next_group;     /* has the next turn */
    uint32_t group;          /* whose turn it is, or the first of those that share */
    uint32_t singles_second; /* 1: the second half of the singletons comes first */
    uint32_t warmth;         /* enum dispatch_warmth */
    uint32_t shared_plus_1; /* 1 + the group that the last round began with; 0: a turn came since */
    uint32_t mask_count;    /* masks seen so far */
    uint32_t mask_at;       /* index of `masks`: of the kernel that the turns are counted of */
    uint32_t
        cluster_turn; /* clusters so far in this round: of the singletons, then of the groups */
    struct dispatch_masked_turns masks[DISPATCH_MASKS_MAX];
    struct dispatch_sm_set pending; /* SMs that still get a block in this turn */
};
GFE_STATE_END

/* Makes the groups of a chip: virtual GPC i has tpcs[i] TPCs, and `singletons` TPCs are in none.
 * There are `count` virtual GPCs, from 1 to DISPATCH_GROUPS_MAX - 1 (asserted).  SMs are numbered
 * TPC by TPC, round the groups; the singletons come last. */
void dispatch_groups_make(struct dispatch_groups *groups, const uint8_t *tpcs, uint32_t count,
                          uint32_t singletons, uint32_t sms_per_tpc);
/* Makes one group of all SMs. */
void dispatch_groups_make_one(struct dispatch_groups *groups, uint32_t sm_count);
/* Sets whose turn it is before the first kernel: that group, modulo their number, and, with 1, the
 * second half of the singletons. */
void dispatch_turns_begin(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                          uint64_t group, uint64_t singletons);
/* A kernel whose next block wants an SM. */
struct dispatch_turns_kernel {
    uint64_t grid_id;
    uint64_t left; /* its blocks that have no SM yet */
    struct mask128 mask;
};
/* Returns the SM for the next block of the kernel, or POLICY_NONE if it fits nowhere. */
uint32_t dispatch_turns_pick(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                             const struct policy_sm *sms, uint32_t sm_count,
                             const struct dispatch_turns_kernel *kernel);

/* Returns true if the SM is not the first one of its TPC. */
bool dispatch_groups_is_second(const struct dispatch_groups *groups, uint32_t sm);
/* Counts the turns of this kernel from now on. */
void dispatch_turns_kernel_begin(struct dispatch_turns *turns,
                                 const struct dispatch_turns_kernel *kernel);
/* dispatch_cluster.c: writes the SMs for the next cluster of `size` blocks of the kernel, on each
 * of which a block fits.  Returns false if no group has that many SMs with room. */
bool dispatch_cluster_pick(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                           const struct policy_sm *sms, uint32_t sm_count,
                           const struct dispatch_turns_kernel *kernel, uint32_t size,
                           uint32_t to[DISPATCH_CLUSTER_MAX]);
/* Returns true if one group, or one TPC that is in none, has that many SMs on which a block fits.
 */
bool dispatch_cluster_fits(const struct dispatch_groups *groups, const struct policy_sm *sms,
                           uint32_t sm_count, uint32_t size);

#endif
