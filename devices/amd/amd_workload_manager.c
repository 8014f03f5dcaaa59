/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_workload_manager.h"

#include <assert.h>

#include "devices/amd/amd_ace.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/policy.h"

static struct amd_grid *amd_slot_grid(const struct amd_dispatch *dispatch,
                                      const struct amd_slot *slot)
{
    return amd_dispatch_grid(dispatch, slot->grid);
}

void amd_workload_manager_log_stage(const struct amd_dispatch *dispatch, uint32_t se,
                                    const struct amd_grid *grid, uint64_t block_index)
{
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_BLOCK_STAGE, RULE_A_D2, grid->grid_id,
                block_index, se, grid->ace);
}

void amd_workload_manager_stage(struct amd_dispatch *dispatch, uint32_t se, struct amd_grid *grid,
                                uint64_t block_index, uint32_t saved)
{
    struct amd_slot *slot = &dispatch->state->managers[se].slots[grid->ace];

    assert(slot->grid == 0);
    *slot = (struct amd_slot){.block_index = block_index,
                              .staged_ps = machine_now(dispatch->machine),
                              .grid = (uint32_t)(grid - dispatch->state->grids) + 1,
                              .saved = saved};
    dispatch->state->managers[se].staged |= 1u << grid->ace;
    amd_workload_manager_log_stage(dispatch, se, grid, block_index);
    dispatch->state->due_ses |= 1u << se;
}

/* ---- when a CU may have room ----------------------------------------------------------------- */

/* Returns how many waves must end on the CU before it has places for a block; 0 if it has them. */
static uint32_t amd_manager_lacks(const struct amd_dispatch *dispatch, const struct amd_cu *cu,
                                  uint32_t waves)
{
    const uint32_t used = cu->wave_count + cu->stopped_waves + waves;

    return used > dispatch->limits.waves ? used - dispatch->limits.waves : 0;
}

/* The CU has no room now.  Where it has places, and lacks registers or LDS, each end of a wave may
 * be the one that matters. */
static void amd_manager_set_full(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu_index,
                                 struct amd_want *want)
{
    struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);
    const uint32_t lacks = amd_manager_lacks(dispatch, cu, want->waves);

    want->full_ps[cu_index] = amd_cu_waves_ps(&dispatch->limits, cu, lacks != 0 ? lacks : 1);
}

/* The times that are known for a CU are so no more; those that somebody waits for are found anew.
 */
static void amd_manager_forget(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];

    for (uint32_t left = manager->wanting; left != 0; left &= left - 1) {
        struct amd_want *want = &manager->wants[__builtin_ctz(left)];

        want->full_ps[cu] = 0;
        if (want->full_cus >> cu & 1)
            amd_manager_set_full(dispatch, se, cu, want);
    }
}

/* Does a slot hold a block that all CUs have no room for, and this one not yet?  Where the run has
 * a bound of its own it is looked at all the same, for the rule that it waits by. */
static bool amd_manager_waits_on(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu,
                                 uint32_t slot)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];
    const struct amd_want *want = &manager->wants[slot];

    return manager->staged >> slot & 1 && want->full_cus >> cu & 1 &&
           want->full_ps[cu] > machine_now(dispatch->machine) && !dispatch->is_bound &&
           (amd_slot_grid(dispatch, &manager->slots[slot])->cu_masks[se] & ~want->full_cus) == 0;
}

void amd_workload_manager_ended(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    uint32_t waiting = 0;

    for (uint32_t left = manager->wanting; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(left);

        if (amd_manager_waits_on(dispatch, se, cu, slot))
            waiting |= 1u << slot;
        else
            manager->wants[slot].full_cus &= ~(1u << cu);
    }
    if (manager->staged != 0 && (waiting != manager->staged || manager->timer_runs))
        dispatch->state->due_ses |= 1u << se;
}

void amd_workload_manager_freed(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];

    for (uint32_t left = manager->wanting; left != 0; left &= left - 1)
        manager->wants[__builtin_ctz(left)].full_cus &= ~(1u << cu);
    amd_manager_forget(dispatch, se, cu);
    if (manager->staged != 0)
        dispatch->state->due_ses |= 1u << se;
}

void amd_workload_manager_taken(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];

    for (uint32_t left = manager->wanting; left != 0; left &= left - 1)
        manager->wants[__builtin_ctz(left)].room_cus &= ~(1u << cu);
    amd_manager_forget(dispatch, se, cu);
}

void amd_workload_manager_stopped(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    amd_manager_forget(dispatch, se, cu);
}

gfe_ps amd_workload_manager_wants_ps(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];
    gfe_ps first_ps = GFE_PS_NEVER;

    for (uint32_t left = manager->wanting; left != 0; left &= left - 1) {
        const struct amd_want *want = &manager->wants[__builtin_ctz(left)];

        if (want->full_cus >> cu & 1 && want->full_ps[cu] < first_ps)
            first_ps = want->full_ps[cu];
    }
    return first_ps;
}

/* ---- which block, and where ------------------------------------------------------------------ */

/* Has the CU, which has been advanced, room for the block? */
static inline bool amd_manager_fits(const struct amd_dispatch *dispatch, uint32_t se,
                                    uint32_t cu_index, const struct amd_need *need)
{
    const struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);

    return amd_cu_fits(dispatch->chip, &dispatch->limits, cu, need) &&
           (dispatch->machine->choices[CHOICE_AMD_RELEASE] == AMD_RELEASE_WAVE ||
            amd_cu_fits_whole(dispatch->chip, &dispatch->limits, cu, need));
}

/* Ends that are due now on these CUs are logged before a block's start.  What keeps a block waiting
 * (A.R1) is read off the CUs, so where a run has a bound of its own none of them may lag behind. */
static void amd_manager_catch_up(struct amd_dispatch *dispatch, uint32_t se, uint32_t cus)
{
    const gfe_ps *due_ps = &dispatch->state->due_ps[se * AMD_CUS_PER_ENGINE_MAX];
    const gfe_ps now_ps = machine_now(dispatch->machine);
    const gfe_ps until_ps = dispatch->is_bound ? GFE_PS_NEVER : now_ps;

    /* A CU on which one is due has its timer set: mostly there is no event of this time. */
    if (!dispatch->is_bound && event_queue_none_now(&dispatch->machine->queue))
        return;
    for (; cus != 0; cus &= cus - 1) {
        const uint32_t cu = (uint32_t)__builtin_ctz(cus);

        if (due_ps[cu] <= until_ps)
            amd_dispatch_advance(dispatch, se, cu);
    }
}

/* Returns where a search for a CU that ends at the first CU with room may begin.  Returns
 * POLICY_NONE if the search may not end there. */
static uint32_t amd_manager_begins(const struct amd_dispatch *dispatch, uint32_t se)
{
    if (dispatch->is_bound)
        return POLICY_NONE;
    return policy_pick_sm_begins(dispatch->machine->choices[CHOICE_AMD_BLOCK_TO_CU],
                                 dispatch->chip->engine_cus[se],
                                 dispatch->state->managers[se].cu_memory);
}

/* Does a slot's block wait until waves of the CU have ended? */
static bool amd_manager_is_awaited(const struct amd_workload_manager *manager, uint32_t cu)
{
    for (uint32_t left = manager->wanting; left != 0; left &= left - 1)
        if (manager->wants[__builtin_ctz(left)].full_cus >> cu & 1)
            return true;
    return false;
}

/* Returns true if the CU has room.  A CU without room for the block before is examined again only
 * after waves have ended there, a CU with room only after a block has started there.  If a CU lacks
 * places, the time at which it has them is known.  Until then it need not be brought up to date,
 * unless other units wait for the ends of its waves. */
static bool amd_manager_ask(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu,
                            struct amd_want *want, const struct amd_need *need)
{
    if (want->room_cus >> cu & 1)
        return true;
    if (want->full_ps[cu] == 0 &&
        amd_manager_lacks(dispatch, amd_dispatch_cu(dispatch, se, cu), want->waves) != 0)
        amd_manager_set_full(dispatch, se, cu, want);
    if (want->full_ps[cu] <= machine_now(dispatch->machine) ||
        amd_manager_is_awaited(&dispatch->state->managers[se], cu)) {
        amd_dispatch_advance(dispatch, se, cu);
        if (amd_manager_fits(dispatch, se, cu, need)) {
            want->room_cus |= 1u << cu;
            return true;
        }
        amd_manager_set_full(dispatch, se, cu, want);
    }
    want->full_cus |= 1u << cu;
    amd_dispatch_touch(dispatch, se, cu);
    return false;
}

/* amd_manager_room() when there are CUs to ask. */
static uint32_t amd_manager_ask_all(struct amd_dispatch *dispatch, uint32_t se,
                                    struct amd_want *want, const struct amd_grid *grid)
{
    const uint32_t begins = amd_manager_begins(dispatch, se);
    const uint32_t low = begins != POLICY_NONE ? (1u << begins) - 1 : 0;
    const uint32_t mask = grid->cu_masks[se];
    uint32_t asked;

    amd_manager_catch_up(dispatch, se, dispatch->is_bound ? mask : mask & ~want->full_cus);
    asked = mask & ~want->full_cus;
    while (asked != 0) {
        const uint32_t first = asked & ~low ? asked & ~low : asked;
        const uint32_t cu = (uint32_t)__builtin_ctz(first);

        asked &= ~(1u << cu);
        if (amd_manager_ask(dispatch, se, cu, want, &grid->need) && begins != POLICY_NONE)
            return 1u << cu;
    }
    return want->room_cus;
}

/* Returns the CUs that have room for the slot's block, or only the first: a bit for each.  A CU may
 * lag behind the present until it is examined, because time can only add to its room. */
static uint32_t amd_manager_room(struct amd_dispatch *dispatch, uint32_t se, uint32_t slot)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    struct amd_want *want = &manager->wants[slot];
    const struct amd_grid *grid = amd_slot_grid(dispatch, &manager->slots[slot]);

    if (want->grid_id != grid->grid_id)
        *want = (struct amd_want){.grid_id = grid->grid_id, .waves = grid->need.waves};
    manager->wanting |= 1u << slot;
    if ((grid->cu_masks[se] & ~want->full_cus) == 0 && !dispatch->is_bound)
        return want->room_cus;
    return amd_manager_ask_all(dispatch, se, want, grid);
}

/* room[] gets the CUs of each slot that holds a block.  Returns a bit for each whose block fits. */
static uint32_t amd_manager_look(struct amd_dispatch *dispatch, uint32_t se, uint32_t *room)
{
    uint32_t fits = 0;

    for (uint32_t left = dispatch->state->managers[se].staged; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);

        room[i] = amd_manager_room(dispatch, se, i);
        if (room[i] != 0)
            fits |= 1u << i;
    }
    return fits;
}

static uint32_t amd_manager_pick_slot(struct amd_dispatch *dispatch, uint32_t se, uint32_t fits)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    struct policy_slot slots[AMD_PIPES_MAX];

    for (uint32_t left = fits; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        const struct amd_slot *slot = &manager->slots[i];

        slots[i] = (struct policy_slot){.waves = amd_slot_grid(dispatch, slot)->need.waves,
                                        .since_ps = slot->staged_ps};
    }
    return policy_pick_slot_builtin[dispatch->machine->choices[CHOICE_AMD_WLM]](
        slots, fits, &manager->slot_memory);
}

/* Picks one of the CUs with room by a policy that compares them.  The CUs may lag behind. */
static uint32_t amd_manager_compare_cus(struct amd_dispatch *dispatch, uint32_t se, uint32_t room)
{
    struct machine *machine = dispatch->machine;
    const uint32_t policy = machine->choices[CHOICE_AMD_BLOCK_TO_CU];
    struct policy_sm cus[AMD_CUS_PER_ENGINE_MAX] = {{0}};

    for (uint32_t left = room; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        const struct amd_cu *cu = amd_dispatch_cu(dispatch, se, i);

        if (policy == AMD_BLOCK_TO_CU_MOST_FREE)
            amd_dispatch_advance(dispatch, se, i);
        cus[i] = (struct policy_sm){
            .fits = 1,
            .free_threads = (dispatch->limits.waves - cu->wave_count - cu->stopped_waves) *
                            dispatch->chip->threads_per_wave,
            .resident_blocks = cu->block_count,
        };
    }
    return policy_pick_sm_builtin[policy](cus, dispatch->chip->engine_cus[se],
                                          &dispatch->state->managers[se].cu_memory,
                                          machine->random);
}

/* Picks one of the CUs with room, and brings it up to date. */
static uint32_t amd_manager_pick_cu(struct amd_dispatch *dispatch, uint32_t se, uint32_t room)
{
    const uint32_t policy = dispatch->machine->choices[CHOICE_AMD_BLOCK_TO_CU];
    uint32_t picked;

    if (amd_manager_begins(dispatch, se) != POLICY_NONE) {
        picked = (uint32_t)__builtin_ctz(room); /* the first one that has room, and no other */
        policy_pick_sm_took(policy, picked, &dispatch->state->managers[se].cu_memory);
    } else {
        picked = amd_manager_compare_cus(dispatch, se, room);
    }
    amd_dispatch_advance(dispatch, se, picked);
    return picked;
}

/* Does a block whose turn it is take the room of waves whose block goes on? */
static uint32_t amd_manager_whole_rule(const struct amd_dispatch *dispatch, uint32_t se,
                                       uint32_t cu, const struct amd_grid *grid)
{
    return amd_cu_fits_whole(dispatch->chip, &dispatch->limits, amd_dispatch_cu(dispatch, se, cu),
                             &grid->need)
               ? RULE_A_D3
               : RULE_A_D5;
}

/* Why this block is placed now: it was its turn, or it cut ahead, or it takes the room of waves
 * whose block goes on. */
static uint32_t amd_manager_rule(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu,
                                 uint32_t picked, uint32_t fits)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];
    const struct amd_slot *mine = &manager->slots[picked];

    for (uint32_t left = manager->staged & ~fits; left != 0; left &= left - 1)
        if (manager->slots[__builtin_ctz(left)].staged_ps < mine->staged_ps)
            return RULE_A_D4;
    return amd_manager_whole_rule(dispatch, se, cu, amd_slot_grid(dispatch, mine));
}

/* ---- placing --------------------------------------------------------------------------------- */

/* Why a block waited that is placed now. */
static void amd_manager_log_wait(const struct amd_dispatch *dispatch, const struct amd_slot *slot)
{
    struct machine *machine = dispatch->machine;

    if (slot->staged_ps < machine_now(machine))
        MACHINE_LOG(machine, dispatch->unit, EVENT_WAIT,
                    slot->wait_rule ? slot->wait_rule : RULE_A_D3, slot->staged_ps, SUBJECT_GRID,
                    amd_slot_grid(dispatch, slot)->grid_id, SUBJECT_NONE, 0);
}

struct amd_slot amd_workload_manager_unstage(struct amd_dispatch *dispatch, uint32_t se,
                                             uint32_t ace)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    const struct amd_slot slot = manager->slots[ace];

    assert(slot.grid != 0);
    amd_manager_log_wait(dispatch, &slot);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_BLOCK_UNSTAGE, RULE_AMD_CWSR,
                amd_slot_grid(dispatch, &slot)->grid_id, slot.block_index, se, ace);
    manager->slots[ace] = (struct amd_slot){0};
    manager->staged &= ~(1u << ace);
    amd_ace_placed(dispatch, ace);
    return slot;
}

/* What keeps a stuck block waiting where there is a bound on a CU's waves: that, or what its SIMDs
 * have. */
static uint32_t amd_manager_stuck_rule(const struct amd_dispatch *dispatch, uint32_t se,
                                       const struct amd_slot *slot)
{
    const struct amd_chip *chip = dispatch->chip;
    const struct amd_grid *grid = amd_slot_grid(dispatch, slot);
    const struct amd_cu_limits chips = {.waves = chip->simds_per_cu * chip->waves_per_simd};

    for (uint32_t left = grid->cu_masks[se]; left != 0; left &= left - 1)
        if (amd_cu_fits(chip, &chips, amd_dispatch_cu(dispatch, se, (uint32_t)__builtin_ctz(left)),
                        &grid->need))
            return RULE_A_R1;
    return RULE_A_D5;
}

/* Notes why blocks wait, for when they are placed. */
static void amd_manager_note(struct amd_dispatch *dispatch, uint32_t se, uint32_t stuck)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];

    for (uint32_t left = stuck; left != 0; left &= left - 1) {
        struct amd_slot *slot = &manager->slots[__builtin_ctz(left)];

        slot->wait_rule =
            dispatch->is_bound ? amd_manager_stuck_rule(dispatch, se, slot) : RULE_A_D5;
    }
}

static uint64_t amd_manager_cycles(const struct amd_dispatch *dispatch,
                                   const struct amd_workload_manager *manager)
{
    return machine_parameter(dispatch->machine, PARAM_AMD_WAVE_DISPATCH_CYCLES) *
           manager->placed_waves;
}

/* When the next block can be placed. */
static gfe_ps amd_manager_ready_ps(const struct amd_dispatch *dispatch,
                                   const struct amd_workload_manager *manager)
{
    if (manager->placed_waves == 0)
        return 0;
    return clock_after_cycles(&dispatch->clock, manager->placed_ps,
                              amd_manager_cycles(dispatch, manager));
}

/* Mostly the last block was placed long ago: so many cycles and one more, for the one that it began
 * in, are not longer than this. */
static bool amd_manager_is_ready(const struct amd_dispatch *dispatch,
                                 const struct amd_workload_manager *manager)
{
    const gfe_ps now_ps = machine_now(dispatch->machine), since_ps = now_ps - manager->placed_ps;
    const uint64_t cycles = amd_manager_cycles(dispatch, manager);

    return (cycles < UINT32_MAX && since_ps > (cycles + 1) * dispatch->cycle_ps) ||
           now_ps >= amd_manager_ready_ps(dispatch, manager);
}

static void amd_manager_placed(const struct amd_dispatch *dispatch,
                               struct amd_workload_manager *manager, const struct amd_grid *grid)
{
    manager->placed_ps = machine_now(dispatch->machine);
    manager->placed_waves = grid->need.waves;
}

static void amd_manager_wake(struct amd_dispatch *dispatch, uint32_t se)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];

    if (manager->timer_runs)
        return;
    manager->timer_runs = 1;
    machine_set_timer(dispatch->machine, dispatch->se_timers + se, dispatch->unit,
                      amd_manager_ready_ps(dispatch, manager), AMD_EVENT_SE, se);
}

static void amd_manager_start(struct amd_dispatch *dispatch, uint32_t se, uint32_t picked,
                              uint32_t cu, uint32_t rule)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    const struct amd_slot slot = manager->slots[picked];

    manager->slots[picked] = (struct amd_slot){0};
    manager->staged &= ~(1u << picked);
    amd_manager_placed(dispatch, manager, amd_slot_grid(dispatch, &slot));
    amd_manager_log_wait(dispatch, &slot);
    amd_dispatch_start(dispatch, &slot, se, cu, rule);
    if (dispatch->state->aces[picked].busy_queues == 0 && manager->wanting >> picked & 1) {
        manager->wants[picked] = (struct amd_want){0};
        manager->wanting &= ~(1u << picked);
    }
    amd_ace_placed(dispatch, picked);
}

void amd_workload_manager_place(struct amd_dispatch *dispatch, uint32_t se)
{
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    uint32_t room[AMD_PIPES_MAX], picked, cu;
    const uint32_t fits = amd_manager_look(dispatch, se, room);

    amd_manager_note(dispatch, se, manager->staged & ~fits);
    if (fits == 0)
        return;
    if (!amd_manager_is_ready(dispatch, manager)) {
        amd_manager_wake(dispatch, se);
        return;
    }
    picked = amd_manager_pick_slot(dispatch, se, fits);
    cu = amd_manager_pick_cu(dispatch, se, room[picked]);
    amd_manager_start(dispatch, se, picked, cu, amd_manager_rule(dispatch, se, cu, picked, fits));
    if (manager->staged != 0)
        dispatch->state->due_ses |= 1u << se; /* the others */
}

/* ---- a block without a competitor ------------------------------------------------------------ */

uint32_t amd_workload_manager_glance(struct amd_dispatch *dispatch, const struct amd_grid *grid)
{
    const uint32_t se = grid->next_se, mask = grid->cu_masks[se];
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];
    uint32_t begins, cu;

    if (manager->staged != 0 || manager->wanting != 0 || !amd_manager_is_ready(dispatch, manager) ||
        !event_queue_none_now(&dispatch->machine->queue))
        return AMD_NO_GLANCE;
    begins = amd_manager_begins(dispatch, se);
    if (begins == POLICY_NONE)
        return AMD_NO_GLANCE;
    cu = (uint32_t)__builtin_ctz(mask >> begins != 0 ? mask >> begins << begins : mask);
    if (amd_manager_lacks(dispatch, amd_dispatch_cu(dispatch, se, cu), grid->need.waves) != 0)
        return AMD_NO_GLANCE;
    amd_dispatch_advance(dispatch, se, cu);
    return amd_manager_fits(dispatch, se, cu, &grid->need) ? cu : AMD_NO_GLANCE;
}

void amd_workload_manager_pass(struct amd_dispatch *dispatch, uint32_t se,
                               const struct amd_grid *grid, uint64_t block_index, uint32_t cu)
{
    struct machine *machine = dispatch->machine;
    struct amd_workload_manager *manager = &dispatch->state->managers[se];
    const struct amd_slot slot = {.block_index = block_index,
                                  .staged_ps = machine_now(machine),
                                  .grid = (uint32_t)(grid - dispatch->state->grids) + 1};

    policy_pick_slot_took(machine->choices[CHOICE_AMD_WLM], grid->ace, &manager->slot_memory);
    policy_pick_sm_took(machine->choices[CHOICE_AMD_BLOCK_TO_CU], cu, &manager->cu_memory);
    amd_manager_placed(dispatch, manager, grid);
    amd_dispatch_start(dispatch, &slot, se, cu, amd_manager_whole_rule(dispatch, se, cu, grid));
}
