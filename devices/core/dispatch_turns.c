/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/dispatch_turns.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* Turns of the others at which the singletons come again; counted anew when each group has had
 * WINDOW turns (MEASURED). */
enum { WINDOW = 8 };
static const uint32_t singles_at[WINDOW] = {0, 5, 11, 17, 23, 29, 35, 41};
static const uint32_t singles_at_first[WINDOW] = {0, 2, 5, 8, 13, 19, 25, 31}; /* DISPATCH_FIRST */

/* ---- sets of SMs ----------------------------------------------------------------------------- */

static bool set_has(const struct dispatch_sm_set *set, uint32_t sm)
{
    return set->bits[sm / 64] >> sm % 64 & 1;
}

static void set_add(struct dispatch_sm_set *set, uint32_t sm)
{
    set->bits[sm / 64] |= UINT64_C(1) << sm % 64;
}

static bool set_is_empty(const struct dispatch_sm_set *set)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < DISPATCH_SM_WORDS; i++)
        any |= set->bits[i];
    return any == 0;
}

/* The lowest SM that is in the set and in the other one, or is not, by `is_in`. */
static uint32_t set_lowest(const struct dispatch_sm_set *set, const struct dispatch_sm_set *group,
                           const struct dispatch_sm_set *other, bool is_in)
{
    for (uint32_t i = 0; i < DISPATCH_SM_WORDS; i++) {
        const uint64_t bits =
            set->bits[i] & group->bits[i] & (is_in ? other->bits[i] : ~other->bits[i]);

        if (bits != 0)
            return 64 * i + (uint32_t)__builtin_ctzll(bits);
    }
    return POLICY_NONE;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void group_add(struct dispatch_groups *groups, uint32_t *sm, uint32_t group,
                      uint32_t sms_per_tpc)
{
    for (uint32_t i = 0; i < sms_per_tpc; i++) {
        assert(*sm < EXEC_SMS_MAX);
        groups->of_sm[*sm] = (uint8_t)group;
        set_add(&groups->sms[group], *sm);
        if (i > 0)
            set_add(&groups->seconds, *sm);
        groups->sm_counts[group]++;
        ++*sm;
    }
}

void dispatch_groups_make(struct dispatch_groups *groups, const uint8_t *tpcs, uint32_t count,
                          uint32_t singletons, uint32_t sms_per_tpc)
{
    uint32_t sm = 0;
    bool more = true;

    assert(count > 0 && count < DISPATCH_GROUPS_MAX);
    *groups = (struct dispatch_groups){.group_count = count};
    for (uint32_t turn = 0; more; turn++) {
        more = false;
        for (uint32_t group = 0; group < count; group++)
            if (turn < tpcs[group]) {
                group_add(groups, &sm, group, sms_per_tpc);
                more = true;
            }
    }
    for (uint32_t i = 0; i < singletons; i++) {
        const uint32_t first = sm;

        group_add(groups, &sm, count, sms_per_tpc);
        for (uint32_t late = first; i >= singletons / 2 && late < sm; late++)
            set_add(&groups->late_singles, late);
    }
}

void dispatch_groups_make_one(struct dispatch_groups *groups, uint32_t sm_count)
{
    const uint8_t tpcs[] = {(uint8_t)sm_count};

    _Static_assert(EXEC_SMS_MAX - 1 <= UINT8_MAX, "one TPC for each SM");
    assert(sm_count < EXEC_SMS_MAX);
    dispatch_groups_make(groups, tpcs, 1, 0, 1);
}

bool dispatch_groups_is_second(const struct dispatch_groups *groups, uint32_t sm)
{
    return set_has(&groups->seconds, sm);
}

/* ---- the emptiest SMs ------------------------------------------------------------------------ */

/* What a pick looks at. */
struct situation {
    const struct dispatch_groups *groups;
    const struct policy_sm *sms;
    uint32_t sm_count;
    uint64_t left;
    struct dispatch_sm_set emptiest;                 /* of the SMs on which a block fits */
    uint32_t counts[DISPATCH_GROUPS_MAX + 1], count; /* of them, by group, and in all */
};

static bool is_asked_for(const struct situation *situation, uint32_t sm, uint32_t group)
{
    return situation->sms[sm].fits &&
           (group == DISPATCH_GROUPS_MAX || situation->groups->of_sm[sm] == group);
}

/* Finds the emptiest of the SMs that fit, of one group or, with DISPATCH_GROUPS_MAX, of all. */
static void emptiest_find(struct situation *situation, uint32_t group)
{
    const struct policy_sm *sms = situation->sms;
    const uint32_t sm_count = situation->sm_count;
    uint32_t most = 0;

    situation->emptiest = (struct dispatch_sm_set){{0}};
    memset(situation->counts, 0, sizeof situation->counts);
    situation->count = 0;
    for (uint32_t i = 0; i < sm_count; i++)
        if (sms[i].free_threads > most && is_asked_for(situation, i, group))
            most = sms[i].free_threads;
    for (uint32_t i = 0; i < sm_count; i++)
        if (sms[i].free_threads == most && is_asked_for(situation, i, group)) {
            set_add(&situation->emptiest, i);
            situation->counts[situation->groups->of_sm[i]]++;
            situation->count++;
        }
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* Gives the SMs of a group that are among the emptiest a block each. */
static void turn_of(struct dispatch_turns *turns, const struct situation *situation, uint32_t group)
{
    for (uint32_t i = 0; i < DISPATCH_SM_WORDS; i++)
        turns->pending.bits[i] =
            situation->emptiest.bits[i] & situation->groups->sms[group].bits[i];
    turns->group = group;
}

/* Blocks that all SMs get until the singletons are no longer ahead, if they have a turn now. */
static uint64_t blocks_until_even(const struct dispatch_turns *turns,
                                  const struct dispatch_groups *groups)
{
    const uint64_t singles = groups->sm_counts[groups->group_count];
    uint64_t others = 0, wanted;

    for (uint32_t i = 0; i < groups->group_count; i++)
        others += groups->sm_counts[i];
    wanted = (turns->singles_turns + 1) * others;
    return singles + (wanted > turns->others_blocks ? wanted - turns->others_blocks : 0);
}

/* Whether the singletons have the next turn. */
static bool singles_are_next(const struct dispatch_turns *turns, const struct situation *situation)
{
    const struct dispatch_groups *groups = situation->groups;
    const uint32_t *at = turns->warmth == DISPATCH_WARM ? singles_at : singles_at_first;

    if (groups->sm_counts[groups->group_count] == 0 || turns->singles_turns >= WINDOW)
        return false;
    if (situation->counts[groups->group_count] > 0 &&
        turns->others_turns >= turns->singles_turns * groups->group_count)
        return true;
    return turns->singles_turns > 0 && turns->others_turns >= at[turns->singles_turns] &&
           situation->left >= blocks_until_even(turns, groups);
}

/* Starts counting anew when every group has had all its turns. */
static void window_end(struct dispatch_turns *turns, const struct dispatch_groups *groups)
{
    if (turns->others_turns < WINDOW * groups->group_count)
        return;
    turns->others_turns = turns->singles_turns = 0;
    turns->others_blocks = 0;
}

/* The next group with SMs that are among the emptiest; the singletons if there is no other. */
static uint32_t group_next(const struct dispatch_turns *turns, const struct situation *situation)
{
    const uint32_t count = situation->groups->group_count;

    for (uint32_t n = 0; n < count; n++) {
        const uint32_t group = (turns->next_group + n) % count;

        if (situation->counts[group] > 0)
            return group;
    }
    return count;
}

/* The kernel gets beyond the singletons. */
static void begin_others(struct dispatch_turns *turns)
{
    if (turns->warmth == DISPATCH_COLD)
        turns->warmth = DISPATCH_FIRST;
}

static void turn_whole(struct dispatch_turns *turns, struct situation *situation)
{
    const uint32_t singles = situation->groups->group_count;
    uint32_t group;

    window_end(turns, situation->groups);
    if (singles_are_next(turns, situation)) {
        struct situation own = *situation;

        emptiest_find(&own, singles);
        if (own.count > 0) {
            turn_of(turns, &own, singles);
            turns->singles_turns++;
            return;
        }
    }
    group = group_next(turns, situation);
    turn_of(turns, situation, group);
    if (group == singles)
        return;
    begin_others(turns);
    turns->shared_plus_1 = 0;
    turns->next_group = (group + 1) % singles;
    turns->others_turns++;
    turns->others_blocks += situation->counts[group];
}

/* ---- fewer blocks than SMs ------------------------------------------------------------------- */

/* Whether it is the first SM of a TPC whose SMs are all among the emptiest. */
static bool leads_tpc(const struct situation *situation, uint32_t sm)
{
    const struct dispatch_sm_set *seconds = &situation->groups->seconds;

    if (set_has(seconds, sm))
        return false;
    for (uint32_t i = sm + 1; i < situation->sm_count && set_has(seconds, i); i++)
        if (!set_has(&situation->emptiest, i))
            return false;
    return true;
}

/* Gives a block to the group's next SM that has none, if there is one: of those that lead a TPC, or
 * of all. */
static bool share_one(struct dispatch_turns *turns, const struct situation *situation,
                      uint32_t group, bool all)
{
    for (uint32_t i = 0; i < situation->sm_count; i++) {
        if (situation->groups->of_sm[i] != group || !set_has(&situation->emptiest, i) ||
            set_has(&turns->pending, i) || (!all && !leads_tpc(situation, i)))
            continue;
        set_add(&turns->pending, i);
        return true;
    }
    return false;
}

/* Whether the SM is in use, or gets a block in this round. */
static bool is_used(const struct dispatch_turns *turns, const struct situation *situation,
                    uint32_t sm)
{
    return !set_has(&situation->emptiest, sm) || set_has(&turns->pending, sm);
}

/* Counts for each group the TPCs of which an SM is in use or, for `all`, the further SMs of those
 * TPCs. */
static void used_count(const struct dispatch_turns *turns, const struct situation *situation,
                       bool all, uint32_t used[DISPATCH_GROUPS_MAX])
{
    const struct dispatch_groups *groups = situation->groups;
    uint32_t sm = 0;

    memset(used, 0, DISPATCH_GROUPS_MAX * sizeof used[0]);
    while (sm < situation->sm_count) {
        const uint32_t group = groups->of_sm[sm];
        uint32_t count = is_used(turns, situation, sm++);

        while (sm < situation->sm_count && set_has(&groups->seconds, sm))
            count += is_used(turns, situation, sm++);
        if (group < groups->group_count && count > 0)
            used[group] += all ? count - 1 : 1;
    }
}

/* Gives a block to a group of those that have the fewest in use and such an SM. */
static bool share_fewest(struct dispatch_turns *turns, const struct situation *situation,
                         uint32_t used[DISPATCH_GROUPS_MAX], bool all)
{
    const uint32_t count = situation->groups->group_count;
    bool tried[DISPATCH_GROUPS_MAX] = {false};

    for (uint32_t n = 0; n < count; n++) {
        uint32_t fewest = count;

        for (uint32_t group = 0; group < count; group++)
            if (!tried[group] && (fewest == count || used[group] < used[fewest]))
                fewest = group;
        if (share_one(turns, situation, fewest, all)) {
            used[fewest]++;
            return true;
        }
        tried[fewest] = true;
    }
    return false;
}

static void turn_shared(struct dispatch_turns *turns, const struct situation *situation)
{
    const uint32_t singles = situation->groups->group_count;
    uint32_t used[DISPATCH_GROUPS_MAX];
    uint64_t left = situation->left;

    turns->pending = (struct dispatch_sm_set){{0}};
    while (left > 0 && share_one(turns, situation, singles, false))
        left--;
    while (left > 0 && share_one(turns, situation, singles, true))
        left--;
    turns->group = turns->next_group;
    if (left == 0)
        return;
    begin_others(turns);
    used_count(turns, situation, false, used);
    while (left > 0 && share_fewest(turns, situation, used, false))
        left--;
    used_count(turns, situation, true, used);
    while (left > 0 && share_fewest(turns, situation, used, true))
        left--;
    assert(left == 0);
    turns->shared_plus_1 = turns->next_group + 1;
    turns->next_group = (turns->next_group + 1) % singles;
}

/* ---- picking --------------------------------------------------------------------------------- */

/* The group's next SM of this turn on which a block fits; it is not pending any more, nor are those
 * in front of it.  POLICY_NONE if there is none. */
static uint32_t pending_take(struct dispatch_turns *turns, const struct situation *situation,
                             uint32_t group)
{
    const struct dispatch_sm_set *late = &situation->groups->late_singles;
    const struct dispatch_sm_set *sms = &situation->groups->sms[group];
    const bool late_first = turns->singles_second;

    for (;;) {
        uint32_t sm = set_lowest(&turns->pending, sms, late, late_first);

        if (sm == POLICY_NONE)
            sm = set_lowest(&turns->pending, sms, late, !late_first);
        if (sm == POLICY_NONE)
            return sm;
        turns->pending.bits[sm / 64] &= ~(UINT64_C(1) << sm % 64);
        if (situation->sms[sm].fits)
            return sm;
    }
}

static uint32_t pending_next(struct dispatch_turns *turns, const struct situation *situation)
{
    const uint32_t count = situation->groups->group_count;
    uint32_t sm;

    if (set_is_empty(&turns->pending))
        return POLICY_NONE;
    sm = pending_take(turns, situation, count);

    for (uint32_t n = 0; n < count && sm == POLICY_NONE; n++)
        sm = pending_take(turns, situation, (turns->group + n) % count);
    return sm;
}

void dispatch_turns_begin(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                          uint64_t group, uint64_t singletons)
{
    turns->next_group = (uint32_t)(group % groups->group_count);
    turns->singles_second = !(singletons & 1); /* dispatch_turns_kernel_begin() changes it */
}

/* Goes on with the turns of a mask. */
static void mask_begin(struct dispatch_turns *turns, const struct mask128 *mask)
{
    const uint32_t count =
        turns->mask_count < DISPATCH_MASKS_MAX ? turns->mask_count : DISPATCH_MASKS_MAX;
    struct dispatch_masked_turns *now = &turns->masks[turns->mask_at];
    uint32_t at = 0;

    now->next_group = turns->next_group;
    now->shared_plus_1 = turns->shared_plus_1;
    while (at < count && !mask128_equal(&turns->masks[at].mask, mask))
        at++;
    if (at == count) {
        at = turns->mask_count % DISPATCH_MASKS_MAX;
        turns->masks[at] = (struct dispatch_masked_turns){
            .mask = *mask, .next_group = turns->mask_count == 0 ? turns->next_group : 0};
        turns->mask_count++;
    }
    turns->mask_at = at;
    turns->next_group = turns->masks[at].next_group;
    turns->shared_plus_1 = turns->masks[at].shared_plus_1;
}

void dispatch_turns_kernel_begin(struct dispatch_turns *turns,
                                 const struct dispatch_turns_kernel *kernel)
{
    if (turns->grid_id == kernel->grid_id)
        return;
    turns->grid_id = kernel->grid_id;
    mask_begin(turns, &kernel->mask);
    turns->others_turns = turns->singles_turns = 0;
    turns->others_blocks = 0;
    turns->cluster_turn = 0;
    turns->singles_second = !turns->singles_second;
    if (turns->warmth == DISPATCH_FIRST)
        turns->warmth = DISPATCH_WARM;
    turns->pending = (struct dispatch_sm_set){{0}};
}

uint32_t dispatch_turns_pick(struct dispatch_turns *turns, const struct dispatch_groups *groups,
                             const struct policy_sm *sms, uint32_t sm_count,
                             const struct dispatch_turns_kernel *kernel)
{
    struct situation situation = {
        .groups = groups, .sms = sms, .sm_count = sm_count, .left = kernel->left};
    const bool begins = turns->grid_id != kernel->grid_id;
    uint32_t sm;

    dispatch_turns_kernel_begin(turns, kernel);
    sm = pending_next(turns, &situation);
    if (sm != POLICY_NONE)
        return sm;
    emptiest_find(&situation, DISPATCH_GROUPS_MAX);
    if (situation.count == 0)
        return POLICY_NONE;
    if (begins && situation.count == sm_count && turns->shared_plus_1 > 0)
        turns->next_group = turns->shared_plus_1 - 1;
    if (kernel->left < situation.count)
        turn_shared(turns, &situation);
    else
        turn_whole(turns, &situation);
    return pending_next(turns, &situation);
}
