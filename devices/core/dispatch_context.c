/* SPDX-License-Identifier: MIT */
/* Which context has the SMs. */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/core/dispatch.h"

uint64_t dispatch_state_bytes(const struct dispatch *dispatch, uint32_t context)
{
    const struct dispatch_context *of = &dispatch->state->contexts[context];

    return 4 * of->register_count + of->shared_bytes;
}

gfe_ps dispatch_warps_move_ps(const struct dispatch *dispatch, uint32_t context,
                              uint64_t together_ps, uint64_t alone_ps)
{
    gfe_ps slowest = 0;

    if (together_ps + alone_ps == 0)
        return 0;
    for (uint32_t link = dispatch->state->contexts[context].first_grid; link != 0;
         link = dispatch_grid(dispatch, link)->next) {
        const struct dispatch_grid *grid = dispatch_grid(dispatch, link);
        const gfe_ps grid_ps =
            grid->need.shared_bytes * (together_ps + alone_ps / grid->need.warps) / 1024;

        if (grid->running_count > 0 && grid_ps > slowest)
            slowest = grid_ps;
    }
    return slowest;
}

void dispatch_set_channel(struct dispatch *dispatch, uint32_t context, uint32_t channel_id)
{
    dispatch->state->contexts[context].channel_id = channel_id;
}

/* ---- leaving --------------------------------------------------------------------------------- */

static uint64_t dispatch_saved_limit(const struct dispatch *dispatch)
{
    const uint64_t limit = machine_parameter(dispatch->machine, PARAM_SAVED_BLOCKS);

    return limit < DISPATCH_SAVED_BLOCKS_MAX ? limit : DISPATCH_SAVED_BLOCKS_MAX;
}

static bool dispatch_can_leave(const struct dispatch *dispatch,
                               const struct dispatch_context *context)
{
    if (context->how == DISPATCH_AT_BLOCK_ENDS)
        return context->block_count == 0;
    return context->block_count == 0 ||
           (uint64_t)dispatch->state->saved_blocks + context->block_count <=
               dispatch_saved_limit(dispatch);
}

/* All blocks leave their SMs, on which there are no others. */
static void dispatch_vacate(struct dispatch *dispatch, const struct dispatch_context *context)
{
    struct dispatch_state *state = dispatch->state;

    if (context->block_count >= dispatch->sm_count) {
        memset(state->sms, 0, dispatch->sm_count * sizeof *state->sms);
        return;
    }
    for (uint32_t at = context->first_grid; at != 0; at = dispatch_grid(dispatch, at)->next) {
        const struct dispatch_grid *grid = dispatch_grid(dispatch, at);

        for (uint32_t link = grid->first_block; link != 0; link = dispatch->blocks[link - 1].next)
            state->sms[dispatch->blocks[link - 1].place.sm_index] = (struct exec_sm){0};
    }
}

static void dispatch_suspend_grid(struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    if (grid->running_count > 0)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_SUSPEND,
                    grid->priority > 0 ? RULE_T_P2 : RULE_T_P1, grid->grid_id, grid->channel_id,
                    grid->running_count);
}

/* What held up the suspension. */
static void dispatch_log_leaving(struct dispatch *dispatch, const struct dispatch_context *context)
{
    if (context->asked_ps < machine_now(dispatch->machine))
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_WAIT,
                    context->how == DISPATCH_AT_ONCE ? RULE_CORE_SAVED : RULE_T_P1,
                    context->asked_ps, SUBJECT_ENGINE, 0, SUBJECT_CHANNEL, context->channel_id);
}

static inline void dispatch_leave(struct dispatch *dispatch, struct dispatch_context *context)
{
    struct dispatch_state *state = dispatch->state;
    const gfe_ps now = machine_now(dispatch->machine);

    dispatch_log_leaving(dispatch, context);
    dispatch_vacate(dispatch, context);
    for (uint32_t link = context->first_grid; link != 0; link = dispatch_grid(dispatch, link)->next)
        dispatch_suspend_grid(dispatch, dispatch_grid(dispatch, link));
    state->saved_blocks += context->block_count;
    context->ran_ps += now - context->since_ps;
    context->left_ps = now;
    context->phase = DISPATCH_OFF;
    context->turn = ++state->turn;
    state->last_channel = context->channel_id;
    state->current = DISPATCH_CONTEXTS_MAX;
    dispatch_arm(dispatch);
}

bool dispatch_suspend(struct dispatch *dispatch, uint32_t index, enum dispatch_how how)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[index];
    struct dispatch_grid *head = dispatch_head(dispatch, context);

    assert(state->current == index && context->phase == DISPATCH_ON);
    context->phase = DISPATCH_LEAVING;
    context->how = how;
    context->asked_ps = machine_now(dispatch->machine);
    dispatch_stop_place(dispatch);
    if (head) {
        dispatch_log_wait(dispatch, head);
        head->wait_rule = RULE_T_P1;
        head->wait_from_ps = context->asked_ps;
    }
    if (!dispatch_can_leave(dispatch, context))
        return false;
    dispatch_leave(dispatch, context);
    return true;
}

void dispatch_leave_further(struct dispatch *dispatch)
{
    const uint32_t index = dispatch->state->current;
    struct dispatch_context *context = dispatch_current(dispatch);

    if (!dispatch_can_leave(dispatch, context))
        return;
    dispatch_leave(dispatch, context);
    if (dispatch->client.suspended)
        dispatch->client.suspended(dispatch->client.client, index);
}

/* ---- dropping -------------------------------------------------------------------------------- */

static void dispatch_drop_grid(struct dispatch *dispatch, struct dispatch_grid *grid, bool on)
{
    if (on && grid->running_count > 0)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_SUSPEND, RULE_NONE, grid->grid_id,
                    grid->channel_id, grid->running_count);
    if (!on)
        dispatch->state->saved_blocks -= grid->running_count;
    while (grid->running_count > 0)
        dispatch_free_block(dispatch, grid, on);
    dispatch_log_wait(dispatch, grid);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_DROP, RULE_NONE, grid->grid_id,
                grid->channel_id);
    dispatch_free_grid(dispatch, grid);
}

void dispatch_drop(struct dispatch *dispatch, uint32_t index)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[index];
    const bool on = context->phase != DISPATCH_OFF;

    while (context->first_grid != 0)
        dispatch_drop_grid(dispatch, dispatch_grid(dispatch, context->first_grid), on);
    memset(context->queues, 0, sizeof context->queues);
    context->phase = DISPATCH_OFF;
    if (!on)
        return;
    state->last_channel = context->channel_id;
    state->turn++;
    state->current = DISPATCH_CONTEXTS_MAX;
    dispatch_stop_place(dispatch);
    dispatch_arm(dispatch);
}

/* ---- coming back ----------------------------------------------------------------------------- */

static void dispatch_resume_grid(struct dispatch *dispatch, const struct dispatch_context *context,
                                 const struct dispatch_grid *grid)
{
    const struct dispatch_state *state = dispatch->state;
    const struct dispatch_block *blocks = dispatch->blocks;

    if (grid->running_count == 0)
        return;
    for (uint32_t link = grid->first_block; link != 0; link = blocks[link - 1].next)
        exec_take_back(&dispatch->state->sms[blocks[link - 1].place.sm_index], &grid->need,
                       &blocks[link - 1].place);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_RESUME, RULE_T_P1, grid->grid_id,
                grid->channel_id, context->left_ps,
                state->turn == context->turn + 1 ? state->last_channel : UINT32_MAX);
}

void dispatch_resume(struct dispatch *dispatch, uint32_t index, uint32_t channel_id)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[index];
    struct dispatch_grid *head = dispatch_head(dispatch, context);

    assert(state->current == DISPATCH_CONTEXTS_MAX && context->phase == DISPATCH_OFF);
    for (uint32_t link = context->first_grid; link != 0; link = dispatch_grid(dispatch, link)->next)
        dispatch_resume_grid(dispatch, context, dispatch_grid(dispatch, link));
    state->saved_blocks -= context->block_count;
    state->current = index;
    context->phase = DISPATCH_ON;
    context->since_ps = machine_now(dispatch->machine);
    context->channel_id = channel_id;
    dispatch_arm(dispatch);
    if (head) {
        dispatch_log_wait(dispatch, head);
        dispatch_schedule_place(dispatch, context->since_ps);
    }
}
