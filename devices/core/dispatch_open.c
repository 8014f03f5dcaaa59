/* SPDX-License-Identifier: MIT */
/* The grids that the dispatcher still has when nothing is left to happen, with what holds them. */
#include <config.h>

#include "devices/core/core_events.h"
#include "devices/core/dispatch.h"

/* The grid that has blocks on SMs which this one would need: another one of its context, or itself.
 */
static void dispatch_open_behind_blocks(const struct dispatch *dispatch,
                                        const struct dispatch_context *context,
                                        const struct dispatch_grid *grid, struct machine_wait *wait)
{
    for (uint32_t link = context->first_grid; link != 0;
         link = dispatch_grid(dispatch, link)->next) {
        const struct dispatch_grid *other = dispatch_grid(dispatch, link);

        if (other == grid || other->running_count == 0)
            continue;
        wait->blocker_kind = SUBJECT_GRID;
        wait->blocker_id = other->grid_id;
        return;
    }
}

/* A grid that waits for its next block, of a context that is on. */
static uint32_t dispatch_open_placing(const struct dispatch *dispatch,
                                      const struct dispatch_context *context,
                                      const struct dispatch_grid *grid, struct machine_wait *wait)
{
    const struct dispatch_grid *head = dispatch_head(dispatch, context);

    wait->begin_ps = grid->wait_from_ps;
    if (head != grid && head && (grid->wait_rule == RULE_T_X1 || grid->wait_rule == RULE_T_A2)) {
        wait->blocker_kind = SUBJECT_GRID;
        wait->blocker_id = head->grid_id;
    } else {
        dispatch_open_behind_blocks(dispatch, context, grid, wait);
    }
    if (wait->blocker_kind == SUBJECT_NONE && grid->running_count == 0 &&
        dispatch_can_start(dispatch, grid))
        return RULE_GFE_LOST;
    return grid->wait_rule;
}

/* Returns the rule that holds the grid. */
static uint32_t dispatch_open_rule(const struct dispatch *dispatch,
                                   const struct dispatch_context *context,
                                   const struct dispatch_grid *grid, struct machine_wait *wait)
{
    uint32_t rule = RULE_T_P1;

    if (context->phase == DISPATCH_OFF) {
        if (context->left_ps > wait->begin_ps)
            wait->begin_ps = context->left_ps;
        if (dispatch->client.why_off)
            rule = dispatch->client.why_off(dispatch->client.client, grid->context, wait);
        return rule;
    }
    if (grid->next_block < grid->block_count && grid->wait_rule != RULE_NONE)
        return dispatch_open_placing(dispatch, context, grid, wait);
    return RULE_GFE_LOST;
}

/* Its last blocks never end: somebody would have to reset the engine. */
static bool dispatch_open_hangs(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    return grid->last_block != 0 && dispatch->blocks[grid->last_block - 1].end_ps == GFE_PS_NEVER;
}

static void dispatch_open_grid(const struct dispatch *dispatch,
                               const struct dispatch_context *context,
                               const struct dispatch_grid *grid)
{
    struct machine_wait wait = {.begin_ps =
                                    grid->running_count > 0 ? grid->started_ps : grid->queued_ps,
                                .subject_kind = SUBJECT_GRID,
                                .subject_id = grid->grid_id};
    uint32_t rule;

    if (dispatch_open_hangs(dispatch, grid) && context->phase != DISPATCH_OFF) {
        machine_log_open(dispatch->machine, dispatch->unit, RULE_GFE_LOST, &wait);
        return;
    }
    rule = dispatch_open_rule(dispatch, context, grid, &wait);
    if (rule == RULE_GFE_LOST)
        machine_log_lost(dispatch->machine, dispatch->unit, &wait);
    else
        machine_log_open(dispatch->machine, dispatch->unit, rule, &wait);
}

void dispatch_log_open_waits(const struct dispatch *dispatch)
{
    for (uint32_t i = 0; i < DISPATCH_CONTEXTS_MAX; i++) {
        const struct dispatch_context *context = &dispatch->state->contexts[i];

        for (uint32_t link = context->first_grid; link != 0;
             link = dispatch_grid(dispatch, link)->next)
            dispatch_open_grid(dispatch, context, dispatch_grid(dispatch, link));
    }
}
