/* SPDX-License-Identifier: MIT */
/*
 * Dispatches that are not complete when nothing is left to do (unit_ops.finish): by what holds the
 * first of their blocks that could go on.  Those whose waves are saved are their queue's to report
 * (amd_mec_open.c).
 */
#include <config.h>

#include "devices/amd/amd_dispatch_open.h"

#include <string.h>

#include "devices/amd/amd_tables.h"

/* Where dispatches have blocks.  By grid: 1 + its record. */
struct amd_dispatch_look {
    uint32_t running[AMD_SHADER_ENGINES_MAX]; /* a grid with a block on a CU; 0: none */
    uint8_t runs[AMD_GRIDS_MAX + 1];
    const struct amd_slot *slots[AMD_GRIDS_MAX + 1]; /* a staged block of it */
    uint8_t staged_se[AMD_GRIDS_MAX + 1];
};

const struct amd_grid *amd_dispatch_find(const struct amd_dispatch *dispatch, uint64_t grid_id)
{
    for (uint32_t i = 0; i < dispatch->state->used_grids; i++)
        if (dispatch->state->grids[i].grid_id == grid_id)
            return &dispatch->state->grids[i];
    return NULL;
}

static void amd_dispatch_look_engine(const struct amd_dispatch *dispatch, uint32_t se,
                                     struct amd_dispatch_look *look)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];

    for (uint32_t i = 0; i < AMD_CUS_PER_ENGINE_MAX; i++) {
        const struct amd_cu *cu = amd_dispatch_cu(dispatch, se, i);

        for (uint64_t left = cu->slots; left != 0; left &= left - 1) {
            const uint32_t link = cu->blocks[__builtin_ctzll(left)].grid;

            look->running[se] = link;
            look->runs[link] = 1;
        }
    }
    for (uint32_t ace = 0; ace < AMD_PIPES_MAX; ace++) {
        const struct amd_slot *slot = &manager->slots[ace];

        if (slot->grid == 0)
            continue;
        look->slots[slot->grid] = slot;
        look->staged_se[slot->grid] = (uint8_t)se;
    }
}

static void amd_dispatch_blame(const struct amd_dispatch *dispatch, struct machine_wait *wait,
                               uint32_t link)
{
    if (link == 0 || amd_dispatch_grid(dispatch, link)->grid_id == wait->subject_id)
        return;
    wait->blocker_kind = SUBJECT_GRID;
    wait->blocker_id = amd_dispatch_grid(dispatch, link)->grid_id;
}

/* Returns the rule by which the dispatch waits, and whom for; RULE_GFE_LOST if it is under way. */
static uint32_t amd_dispatch_held_by(const struct amd_dispatch *dispatch,
                                     const struct amd_dispatch_look *look, uint32_t link,
                                     struct machine_wait *wait)
{
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, link);
    const struct amd_ace *ace = &dispatch->state->aces[grid->ace];
    const uint32_t first = ace->queues[grid->queue].first;

    if (grid->block_count == 0 || look->runs[link])
        return RULE_GFE_LOST;
    if (look->slots[link]) {
        wait->begin_ps = look->slots[link]->staged_ps;
        amd_dispatch_blame(dispatch, wait, look->running[look->staged_se[link]]);
        return look->slots[link]->wait_rule != RULE_NONE ? look->slots[link]->wait_rule
                                                         : RULE_GFE_LOST;
    }
    if (grid->dispatched || first == 0)
        return RULE_GFE_LOST;
    if (first != link) {
        amd_dispatch_blame(dispatch, wait, first);
        return RULE_A_D1;
    }
    if (ace->held_queues >> grid->queue & 1)
        return RULE_GFE_LOST;
    if (ace->current != grid->queue && ace->queues[ace->current].first != 0) {
        amd_dispatch_blame(dispatch, wait, ace->queues[ace->current].first);
        return RULE_A_D1;
    }
    if (grid->wait_rule == RULE_NONE)
        return RULE_GFE_LOST;
    wait->begin_ps = grid->wait_from_ps;
    amd_dispatch_blame(dispatch, wait,
                       dispatch->state->managers[grid->next_se].slots[grid->ace].grid);
    return grid->wait_rule;
}

void amd_dispatch_finish(void *unit)
{
    const struct amd_dispatch *dispatch = unit;
    struct amd_dispatch_look look;

    if (dispatch->state->grid_count == 0)
        return;
    memset(&look, 0, sizeof look);
    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++)
        amd_dispatch_look_engine(dispatch, se, &look);
    for (uint32_t link = 1; link <= dispatch->state->used_grids; link++) {
        const struct amd_grid *grid = amd_dispatch_grid(dispatch, link);
        struct machine_wait wait = {grid->queued_ps, SUBJECT_GRID, grid->grid_id, SUBJECT_NONE, 0};
        uint32_t rule;

        if (grid->grid_id == 0 || grid->context != 0)
            continue;
        rule = amd_dispatch_held_by(dispatch, &look, link, &wait);
        if (rule == RULE_GFE_LOST)
            machine_log_lost(dispatch->machine, dispatch->unit, &wait);
        else
            machine_log_open(dispatch->machine, dispatch->unit, rule, &wait);
    }
}
