/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/policy.h"

#include <stdbool.h>

/* The SM with most free threads; among equals the lowest number. */
static uint32_t policy_most_free(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                                 struct random_state *random)
{
    uint32_t best = POLICY_NONE;

    (void)memory;
    (void)random;
    for (uint32_t i = 0; i < sm_count; i++)
        if (sms[i].fits && (best == POLICY_NONE || sms[i].free_threads > sms[best].free_threads))
            best = i;
    return best;
}

/* The next SM after the one that got the last block, passing over those that are full. */
static uint32_t policy_round_robin(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                                   struct random_state *random)
{
    (void)random;
    for (uint32_t n = 0, i = *memory; n < sm_count; n++, i++) {
        if (i >= sm_count)
            i %= sm_count;
        if (sms[i].fits) {
            *memory = i + 1;
            return i;
        }
    }
    return POLICY_NONE;
}

/* The SM with the lowest number. */
static uint32_t policy_lowest(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                              struct random_state *random)
{
    (void)memory;
    (void)random;
    for (uint32_t i = 0; i < sm_count; i++)
        if (sms[i].fits)
            return i;
    return POLICY_NONE;
}

/* Any SM, by the run's seed. */
static uint32_t policy_random(const struct policy_sm *sms, uint32_t sm_count, uint32_t *memory,
                              struct random_state *random)
{
    uint32_t fitting = 0, wanted;

    (void)memory;
    for (uint32_t i = 0; i < sm_count; i++)
        fitting += sms[i].fits;
    if (fitting == 0)
        return POLICY_NONE;
    wanted = random_below(random, fitting);
    for (uint32_t i = 0;; i++)
        if (sms[i].fits && wanted-- == 0)
            return i;
}

policy_pick_sm *const policy_pick_sm_builtin[] = {policy_most_free, policy_round_robin,
                                                  policy_lowest, policy_random};

uint32_t policy_pick_sm_begins(uint32_t policy, uint32_t sm_count, uint32_t memory)
{
    policy_pick_sm *const pick = policy_pick_sm_builtin[policy];

    if (pick == policy_round_robin)
        return memory < sm_count ? memory : memory % sm_count;
    return pick == policy_lowest ? 0 : POLICY_NONE;
}

void policy_pick_sm_took(uint32_t policy, uint32_t sm, uint32_t *memory)
{
    if (policy_pick_sm_builtin[policy] == policy_round_robin)
        *memory = sm + 1;
}

/* The next slot after the one that was served last, passing over those that cannot be. */
static uint32_t policy_slot_round_robin(const struct policy_slot *slots, uint32_t fits,
                                        uint32_t *memory)
{
    const uint32_t after = fits & ~((1u << *memory) - 1);

    (void)slots;
    if (fits == 0)
        return POLICY_NONE;
    *memory = (uint32_t)__builtin_ctz(after != 0 ? after : fits) + 1;
    return *memory - 1;
}

/* Returns the slot that fits and comes before all others that fit; among equals the lowest. */
static uint32_t policy_slot_first(const struct policy_slot *slots, uint32_t fits,
                                  bool (*before)(const struct policy_slot *,
                                                 const struct policy_slot *))
{
    uint32_t best = POLICY_NONE;

    for (; fits != 0; fits &= fits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(fits);

        if (best == POLICY_NONE || before(&slots[i], &slots[best]))
            best = i;
    }
    return best;
}

static bool policy_slot_older(const struct policy_slot *a, const struct policy_slot *b)
{
    return a->since_ps < b->since_ps;
}

static bool policy_slot_larger(const struct policy_slot *a, const struct policy_slot *b)
{
    return a->waves > b->waves;
}

static bool policy_slot_smaller(const struct policy_slot *a, const struct policy_slot *b)
{
    return a->waves < b->waves;
}

static bool policy_slot_never(const struct policy_slot *a, const struct policy_slot *b)
{
    (void)a;
    (void)b;
    return false;
}

static uint32_t policy_slot_oldest(const struct policy_slot *slots, uint32_t fits, uint32_t *memory)
{
    (void)memory;
    return policy_slot_first(slots, fits, policy_slot_older);
}

static uint32_t policy_slot_lowest(const struct policy_slot *slots, uint32_t fits, uint32_t *memory)
{
    (void)memory;
    return policy_slot_first(slots, fits, policy_slot_never);
}

static uint32_t policy_slot_largest(const struct policy_slot *slots, uint32_t fits,
                                    uint32_t *memory)
{
    (void)memory;
    return policy_slot_first(slots, fits, policy_slot_larger);
}

static uint32_t policy_slot_smallest(const struct policy_slot *slots, uint32_t fits,
                                     uint32_t *memory)
{
    (void)memory;
    return policy_slot_first(slots, fits, policy_slot_smaller);
}

policy_pick_slot *const policy_pick_slot_builtin[] = {policy_slot_round_robin, policy_slot_oldest,
                                                      policy_slot_lowest, policy_slot_largest,
                                                      policy_slot_smallest};

void policy_pick_slot_took(uint32_t policy, uint32_t slot, uint32_t *memory)
{
    if (policy_pick_slot_builtin[policy] == policy_slot_round_robin)
        *memory = slot + 1;
}
