/* SPDX-License-Identifier: MIT */
/*
 * Clusters of blocks (CUDA's thread block clusters, from compute capability 9.0 on): the blocks of
 * a cluster start together, each on another SM of one group of SMs, a virtual GPC
 * (dispatch_turns.h).  MEASURED on an H100 (tests/hardware/data, clusters of blocks, gpcs of
 * sm_order): each turn gives a group one cluster, TPC by TPC, on the SMs with the most free
 * threads; then the next group has its turn.  In front of each round of the groups the TPCs that
 * are in no group get a cluster each, if it fits on one TPC and they are no fuller than the groups.
 *
 * Not known, and ASSUMED: which SMs a cluster gets where those of a group are not alike.
 */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/core/dispatch.h"

/* What a choice looks at. */
struct cluster_choice {
    const struct dispatch_groups *groups;
    const struct policy_sm *sms;
    uint32_t sm_count, size;
};

/* Writes the SMs of the group from `first` up to `end`, exclusive, on which a cluster may start:
 * those with the most free threads, in the order of their numbers.  Returns false if there are too
 * few. */
static bool cluster_of(const struct cluster_choice *choice, uint32_t group, uint32_t first,
                       uint32_t end, uint32_t to[DISPATCH_CLUSTER_MAX])
{
    bool taken[EXEC_SMS_MAX] = {false};
    uint32_t count = 0, at = 0;

    while (count < choice->size) {
        uint32_t found = end;

        for (uint32_t i = first; i < end; i++)
            if (choice->sms[i].fits && !taken[i] && choice->groups->of_sm[i] == group &&
                (found == end || choice->sms[i].free_threads > choice->sms[found].free_threads))
                found = i;
        if (found == end)
            return false;
        taken[found] = true;
        count++;
    }
    for (uint32_t i = first; i < end; i++)
        if (taken[i])
            to[at++] = i;
    return true;
}

/* Returns the end of the TPC that begins with that SM. */
static uint32_t tpc_end(const struct cluster_choice *choice, uint32_t sm)
{
    uint32_t end = sm + 1;

    while (end < choice->sm_count && dispatch_groups_is_second(choice->groups, end))
        end++;
    return end;
}

/* Tries the TPCs that are in no group, each by itself, the emptiest first.  Returns the most free
 * threads of an SM of the cluster, or 0 if there is no place. */
static uint32_t cluster_of_singles(const struct cluster_choice *choice,
                                   uint32_t to[DISPATCH_CLUSTER_MAX])
{
    const uint32_t singles = choice->groups->group_count;
    uint32_t most = 0, best = choice->sm_count, end;

    for (uint32_t i = 0; i < choice->sm_count; i = end) {
        uint32_t free_threads = 0;

        end = tpc_end(choice, i);
        if (choice->groups->of_sm[i] != singles || !cluster_of(choice, singles, i, end, to))
            continue;
        for (uint32_t sm = i; sm < end; sm++)
            free_threads += choice->sms[sm].free_threads;
        if (free_threads > most) {
            most = free_threads;
            best = i;
        }
    }
    if (best == choice->sm_count)
        return 0;
    (void)cluster_of(choice, singles, best, tpc_end(choice, best), to);
    return choice->sms[to[0]].free_threads;
}

/* Returns the number of TPCs that are in no group. */
static uint32_t singles_count(const struct cluster_choice *choice)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < choice->sm_count; i = tpc_end(choice, i))
        count += choice->groups->of_sm[i] == choice->groups->group_count;
    return count;
}

/* Returns the most free threads of the SMs on which a cluster may start in the group; 0: on none.
 */
static uint32_t emptiest_of(const struct cluster_choice *choice, uint32_t group,
                            uint32_t to[DISPATCH_CLUSTER_MAX])
{
    uint32_t least = UINT32_MAX;

    if (!cluster_of(choice, group, 0, choice->sm_count, to))
        return 0;
    for (uint32_t i = 0; i < choice->size; i++)
        if (choice->sms[to[i]].free_threads < least)
            least = choice->sms[to[i]].free_threads;
    return least;
}

/* Returns the group whose turn it is, of those with the emptiest places; their number if none has
 * any. */
static uint32_t next_group(const struct cluster_choice *choice, const struct dispatch_turns *turns,
                           uint32_t *most, uint32_t to[DISPATCH_CLUSTER_MAX])
{
    const uint32_t count = choice->groups->group_count;
    uint32_t best = count;

    *most = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t group = (turns->next_group + n) % count;
        const uint32_t free_threads = emptiest_of(choice, group, to);

        if (free_threads > *most) {
            *most = free_threads;
            best = group;
        }
    }
    return best;
}

bool dispatch_cluster_pick(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                           const struct policy_sm *sms, uint32_t sm_count,
                           const struct dispatch_turns_kernel *kernel, uint32_t size,
                           uint32_t to[DISPATCH_CLUSTER_MAX])
{
    const struct cluster_choice choice = {groups, sms, sm_count, size};
    const uint32_t singles = singles_count(&choice);
    uint32_t most, group, of_singles;

    assert(size > 0 && size <= DISPATCH_CLUSTER_MAX);
    dispatch_turns_kernel_begin(turns, kernel);
    group = next_group(&choice, turns, &most, to);
    of_singles = cluster_of_singles(&choice, to);
    if (of_singles > 0 && of_singles >= most &&
        (turns->cluster_turn < singles || group == groups->group_count)) {
        turns->cluster_turn++;
        return true;
    }
    if (group == groups->group_count)
        return false;
    if (turns->cluster_turn < singles)
        turns->cluster_turn = singles;
    turns->cluster_turn =
        turns->cluster_turn + 1 < singles + groups->group_count ? turns->cluster_turn + 1 : 0;
    turns->next_group = (group + 1) % groups->group_count;
    return cluster_of(&choice, group, 0, sm_count, to);
}

bool dispatch_cluster_fits(const struct dispatch_groups *groups, const struct policy_sm *sms,
                           uint32_t sm_count, uint32_t size)
{
    const struct cluster_choice choice = {groups, sms, sm_count, size};
    uint32_t to[DISPATCH_CLUSTER_MAX];

    for (uint32_t group = 0; group < groups->group_count; group++)
        if (cluster_of(&choice, group, 0, sm_count, to))
            return true;
    for (uint32_t i = 0; i < sm_count; i = tpc_end(&choice, i))
        if (groups->of_sm[i] == groups->group_count &&
            cluster_of(&choice, groups->group_count, i, tpc_end(&choice, i), to))
            return true;
    return false;
}
