/* SPDX-License-Identifier: MIT */
/*
 * The narrow door between policies and units.
 *
 * Where the model has a choice that some software, firmware or undocumented logic takes, the unit
 * describes the situation in a plain struct and asks a policy; the policy answers with an index and
 * touches nothing.  Built-in policies go through the same door as a user's.  A policy's memory, if
 * it needs any, is the integer that it is handed, which lies in the arena.
 */
#ifndef GFE_FIRMWARE_MODELS_POLICY_H
#define GFE_FIRMWARE_MODELS_POLICY_H

#include <stdint.h>

#include "emu/engine/random.h"

#define POLICY_NONE UINT32_MAX

/* One SM or CU, as the block dispatcher sees it. */
struct policy_sm {
    uint32_t fits; /* 1: the block at the head of the queue can be placed here now */
    uint32_t free_threads;
    uint32_t resident_blocks;
};

/* Which SM gets the next block: an index with fits == 1, or POLICY_NONE when there is none. */
typedef uint32_t policy_pick_sm(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                                struct random_state *random);

/* The alternatives of choice points core.block_to_sm and amd.block_to_cu, in their order. */
extern policy_pick_sm *const policy_pick_sm_builtin[];
/* Where one of them begins that takes the first SM that fits: then who asks may stop there, and say
 * of the others that they do not fit.  POLICY_NONE: it compares all that do. */
uint32_t policy_pick_sm_begins(uint32_t policy, uint32_t sm_count, uint32_t memory);
/* That one has taken the first that fits, as it would have done itself. */
void policy_pick_sm_took(uint32_t policy, uint32_t sm, uint32_t *memory);

/* A slot of an AMD workload manager: the block that an ACE has staged there. */
struct policy_slot {
    uint32_t waves;
    uint32_t reserved;
    uint64_t since_ps; /* when it was staged */
};

/* Which slot's block is placed next, of those for which some CU has room now: a bit for each in
 * `fits`, and only they are looked at.  POLICY_NONE when there is none. */
typedef uint32_t policy_pick_slot(const struct policy_slot *slots, uint32_t fits, uint32_t *memory);

/* The alternatives of choice point amd.wlm_arbitration, in its order. */
extern policy_pick_slot *const policy_pick_slot_builtin[];
/* One of them has picked that slot: it was the only one whose block fits. */
void policy_pick_slot_took(uint32_t policy, uint32_t slot, uint32_t *memory);

#endif
