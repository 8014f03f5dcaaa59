/* SPDX-License-Identifier: MIT */
/* Where a block may go; and shares of clients of MPS: on how many SMs each has blocks, and who goes
 * on when one may not. */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/core/dispatch.h"
#include "devices/core/policy.h"

uint32_t dispatch_share_held(const struct dispatch *dispatch, const struct dispatch_grid *grid,
                             bool held[EXEC_SMS_MAX])
{
    const struct dispatch_context *context = &dispatch->state->contexts[grid->context];
    uint32_t count = 0;

    memset(held, 0, EXEC_SMS_MAX * sizeof *held);
    for (uint32_t link = context->first_grid; link != 0;
         link = dispatch_grid(dispatch, link)->next) {
        const struct dispatch_grid *other = dispatch_grid(dispatch, link);

        if (other->client_id != grid->client_id)
            continue;
        for (uint32_t at = other->first_block; at != 0; at = dispatch->blocks[at - 1].next) {
            bool *sm = &held[dispatch->blocks[at - 1].place.sm_index];

            count += !*sm;
            *sm = true;
        }
    }
    return count;
}

/* Returns the grid behind this one in its queue, or the first of a queue of lower priority.
 * Returns NULL for the last grid of all. */
static struct dispatch_grid *dispatch_behind(const struct dispatch *dispatch,
                                             const struct dispatch_context *context,
                                             const struct dispatch_grid *grid)
{
    if (grid->next_queued != 0)
        return dispatch_grid(dispatch, grid->next_queued);
    for (uint32_t level = grid->priority; level-- > 0;)
        if (context->queues[level].first != 0)
            return dispatch_grid(dispatch, context->queues[level].first);
    return NULL;
}

bool dispatch_is_passed(const struct dispatch_grid *grid, uint32_t rule)
{
    return rule == RULE_CORE_CLIENT_SHARE || (grid->sm_limit == 0 && grid->is_passed);
}

/* Returns true if the grid may not pass the other, which has no place now: both are the same
 * client's or, where the client has no share, have the same mask. */
static bool dispatch_is_kept_by(const struct dispatch_grid *grid, const struct dispatch_grid *other)
{
    if (other->sm_limit != 0 || !other->is_passed)
        return other->client_id == grid->client_id;
    return mask128_equal(&other->disabled_mask, &grid->disabled_mask);
}

/* Returns true if one in front of it keeps it from being served. */
static bool dispatch_kept_before(const struct dispatch *dispatch,
                                 const struct dispatch_context *context,
                                 const struct dispatch_grid *grid)
{
    const struct dispatch_grid *other = dispatch_head(dispatch, context);

    while (other != grid && !dispatch_is_kept_by(grid, other))
        other = dispatch_behind(dispatch, context, other);
    return other != grid;
}

struct dispatch_grid *dispatch_share_next(const struct dispatch *dispatch,
                                          const struct dispatch_context *context,
                                          const struct dispatch_grid *passed)
{
    struct dispatch_grid *grid = dispatch_behind(dispatch, context, passed);

    while (grid && dispatch_kept_before(dispatch, context, grid))
        grid = dispatch_behind(dispatch, context, grid);
    return grid;
}

void dispatch_share_hold(const struct dispatch *dispatch, const struct dispatch_context *context,
                         const struct dispatch_grid *blocked)
{
    struct dispatch_grid *grid = dispatch_behind(dispatch, context, blocked);

    for (; grid; grid = dispatch_behind(dispatch, context, grid)) {
        if (grid->wait_rule != RULE_NONE)
            continue;
        grid->wait_rule = grid->priority < blocked->priority ? RULE_T_A2 : RULE_T_X1;
        grid->wait_from_ps = machine_now(dispatch->machine);
    }
}

static bool dispatch_disabled(const struct dispatch_grid *grid, uint32_t sm_index)
{
    return mask128_any(&grid->disabled_mask) &&
           mask128_bit(&grid->disabled_mask, sm_index / grid->sms_per_bit);
}

/* The blocks of a cluster start on SMs of their own. */
static uint32_t dispatch_sms_at_once(const struct dispatch_grid *grid)
{
    return grid->cluster > 0 ? grid->cluster : 1;
}

bool dispatch_can_start(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    const uint32_t size = dispatch_sms_at_once(grid);
    struct policy_sm sms[EXEC_SMS_MAX];
    bool has_place = false;

    if (grid->sm_limit != 0 && size > grid->sm_limit)
        return false;
    sms[0] = (struct policy_sm){0};
    for (uint32_t i = 0; i < dispatch->sm_count; i++) {
        sms[i] = (struct policy_sm){.fits = !dispatch_disabled(grid, i)};
        has_place |= sms[i].fits;
    }
    return has_place && (grid->cluster == 0 ||
                         dispatch_cluster_fits(&dispatch->groups, sms, dispatch->sm_count, size));
}

bool dispatch_goes_on(const struct dispatch *dispatch, uint32_t context_index)
{
    const struct dispatch_context *context = &dispatch->state->contexts[context_index];

    if (context->block_count > 0)
        return true;
    for (uint32_t link = context->first_grid; link != 0;
         link = dispatch_grid(dispatch, link)->next) {
        const struct dispatch_grid *grid = dispatch_grid(dispatch, link);

        if (grid->next_block == grid->block_count) /* it is not in a queue any more, or never was */
            return true;
        if (dispatch_can_start(dispatch, grid) && !dispatch_kept_before(dispatch, context, grid))
            return true;
    }
    return false;
}

/* Returns the rule by which the grid's next block has a place on no SM, if it may have any. */
static uint32_t dispatch_no_place(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    uint32_t rule = RULE_CORE_SM_MASK; /* unless an SM that it may have says otherwise */

    for (uint32_t i = 0; i < dispatch->sm_count; i++) {
        if (dispatch_disabled(grid, i))
            continue;
        (void)exec_fits(dispatch->limits, &dispatch->state->sms[i], &grid->need, &rule);
        if (rule == RULE_CORE_SM_SPLIT) /* nothing else is in the way there */
            return rule;
    }
    return rule;
}

/* Returns true if a block of the grid is on an SM whose split alone is in the way of `waits`. */
static bool dispatch_keeps_split(const struct dispatch *dispatch, const struct dispatch_grid *grid,
                                 const struct dispatch_grid *waits)
{
    for (uint32_t link = grid->first_block; link != 0; link = dispatch->blocks[link - 1].next) {
        const uint32_t sm_index = dispatch->blocks[link - 1].place.sm_index;
        uint32_t rule = RULE_NONE;

        if (!dispatch_disabled(waits, sm_index) &&
            !exec_fits(dispatch->limits, &dispatch->state->sms[sm_index], &waits->need, &rule) &&
            rule == RULE_CORE_SM_SPLIT)
            return true;
    }
    return false;
}

uint64_t dispatch_split_holder(const struct dispatch *dispatch, const struct dispatch_grid *waits)
{
    uint32_t link = dispatch->state->contexts[waits->context].first_grid;

    while (link != 0 && !dispatch_keeps_split(dispatch, dispatch_grid(dispatch, link), waits))
        link = dispatch_grid(dispatch, link)->next;
    return link != 0 ? dispatch_grid(dispatch, link)->grid_id : 0;
}

/* Returns the SM that the choice point's alternative picks. */
static uint32_t dispatch_pick(struct dispatch *dispatch, const struct dispatch_grid *grid,
                              const struct policy_sm *sms)
{
    struct machine *machine = dispatch->machine;
    const uint32_t policy = machine->choices[CHOICE_BLOCK_TO_SM];

    if (policy == CORE_BLOCK_TO_SM_TURNS && dispatch->state->turns.grid_id == 0)
        dispatch_turns_begin(&dispatch->state->turns, &dispatch->groups,
                             machine_parameter(machine, PARAM_TURNS_GROUP),
                             machine_parameter(machine, PARAM_TURNS_SINGLETONS));
    if (policy == CORE_BLOCK_TO_SM_TURNS)
        return dispatch_turns_pick(
            &dispatch->state->turns, &dispatch->groups, sms, dispatch->sm_count,
            &(struct dispatch_turns_kernel){.grid_id = grid->grid_id,
                                            .left = grid->block_count - grid->next_block,
                                            .mask = grid->disabled_mask});
    return policy_pick_sm_builtin[policy](sms, dispatch->sm_count, &dispatch->state->policy_memory,
                                          machine->random);
}

/* Finds the SMs of the next cluster, or the SM of the next block. */
static bool dispatch_pick_all(struct dispatch *dispatch, const struct dispatch_grid *grid,
                              const struct policy_sm *sms, uint32_t to[DISPATCH_CLUSTER_MAX])
{
    struct dispatch_state *state = dispatch->state;

    if (grid->cluster > 0 && state->turns.grid_id == 0)
        dispatch_turns_begin(&state->turns, &dispatch->groups,
                             machine_parameter(dispatch->machine, PARAM_TURNS_GROUP),
                             machine_parameter(dispatch->machine, PARAM_TURNS_SINGLETONS));
    if (grid->cluster > 0)
        return dispatch_cluster_pick(
            &state->turns, &dispatch->groups, sms, dispatch->sm_count,
            &(struct dispatch_turns_kernel){.grid_id = grid->grid_id, .mask = grid->disabled_mask},
            grid->cluster, to);
    to[0] = dispatch_pick(dispatch, grid, sms);
    return to[0] != POLICY_NONE;
}

bool dispatch_decide(struct dispatch *dispatch, const struct dispatch_grid *grid,
                     uint32_t to[DISPATCH_CLUSTER_MAX], uint32_t *rule)
{
    const struct dispatch_state *state = dispatch->state;
    const struct exec_limits *limits = dispatch->limits;
    const struct exec_need *need = &grid->need;
    const uint32_t sm_count = dispatch->sm_count;
    struct policy_sm sms[EXEC_SMS_MAX];
    bool held[EXEC_SMS_MAX];
    const bool at_share =
        grid->sm_limit != 0 &&
        dispatch_share_held(dispatch, grid, held) + dispatch_sms_at_once(grid) > grid->sm_limit;
    bool has_place = false;

    if (grid->next_block == 0 && state->contexts[grid->context].resident_count >= limits->grids) {
        *rule = RULE_CORE_GRIDS;
        return false;
    }
    sms[0] = (struct policy_sm){0}; /* there is one SM at least, which compilers cannot see */
    for (uint32_t i = 0; i < sm_count; i++) {
        sms[i] = (struct policy_sm){
            .fits = exec_has_room(limits, &state->sms[i], need) && !dispatch_disabled(grid, i) &&
                    (!at_share || held[i]),
            .free_threads = limits->threads_per_sm - state->sms[i].threads,
            .resident_blocks = state->sms[i].blocks,
        };
        has_place |= sms[i].fits;
    }
    /* Where it has none, the turns go on with the grid that is served instead. */
    if ((has_place || !grid->is_passed) && dispatch_pick_all(dispatch, grid, sms, to))
        return true;
    /* A client at its share gets a place on no other SM. */
    *rule = at_share                         ? RULE_CORE_CLIENT_SHARE
            : has_place && grid->cluster > 0 ? RULE_CORE_CLUSTER
                                             : dispatch_no_place(dispatch, grid);
    return false;
}
