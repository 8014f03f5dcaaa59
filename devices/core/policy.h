/* SPDX-License-Identifier: MIT */
/*
 * The narrow interface between policies and units.
 *
 * Where the model has a choice that software, firmware or undocumented logic makes, the unit
 * describes the situation in a plain struct and asks a policy.  The policy answers with an index
 * and changes nothing else.  Built-in policies use the same interface as a user's.  A policy's
 * memory, if it needs any, is the integer that it is given, which lies in the arena.
 */
#ifndef GFE_DEVICES_CORE_POLICY_H
#define GFE_DEVICES_CORE_POLICY_H

#include <stdint.h>

#include "emu/engine/random.h"

#define POLICY_NONE UINT32_MAX

/* One SM or CU, as the block dispatcher sees it. */
struct policy_sm {
    uint32_t fits; /* 1 if the block at the head of the queue can be placed here now */
    uint32_t free_threads;
    uint32_t resident_blocks;
};

/* Returns the SM for the next block: an index with fits == 1, or `POLICY_NONE` if there is none. */
typedef uint32_t policy_pick_sm(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                                struct random_state *random);

/* The alternatives of choice points core.block_to_sm and amd.block_to_cu, in their order. */
extern policy_pick_sm *const policy_pick_sm_builtin[];
/* Returns the first index of the search, for a policy that takes the first SM that fits.  The
 * caller may then stop at that SM and report the others as not fitting.  `POLICY_NONE` means that
 * the policy compares all SMs that fit. */
uint32_t policy_pick_sm_begins(uint32_t policy, uint32_t sm_count, uint32_t memory);
/* Updates the memory of a policy as if it had itself taken that SM, the first that fits. */
void policy_pick_sm_took(uint32_t policy, uint32_t sm, uint32_t *memory);

/* A slot of an AMD workload manager: the block that an ACE has staged there. */
struct policy_slot {
    uint32_t waves;
    uint32_t reserved;
    uint64_t since_ps; /* when the block was staged */
};

/* Returns the slot whose block is placed next.  `fits` has a bit for each slot whose block fits on
 * some CU now; other slots are ignored.  Returns `POLICY_NONE` if there is none. */
typedef uint32_t policy_pick_slot(const struct policy_slot *slots, uint32_t fits, uint32_t *memory);

/* The alternatives of choice point amd.wlm_arbitration, in its order. */
extern policy_pick_slot *const policy_pick_slot_builtin[];
/* Updates the memory of a policy as if it had picked that slot, the only one whose block fits. */
void policy_pick_slot_took(uint32_t policy, uint32_t slot, uint32_t *memory);

#endif
