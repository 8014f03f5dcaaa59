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

#include "emu/random.h"

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

/* The alternatives of choice point core.block_to_sm, in its order. */
extern policy_pick_sm *const policy_pick_sm_builtin[];

#endif
