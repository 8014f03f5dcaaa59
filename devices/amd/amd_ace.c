/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_ace.h"

#include <assert.h>

#include "devices/amd/amd_cwsr.h"
#include "devices/amd/amd_tables.h"
#include "devices/amd/amd_workload_manager.h"
#include "devices/core/core_events.h"

/* A.D2: the next shader engine, from `se` (at most their count) on, that the dispatch may have CUs
 * of. */
static uint32_t amd_ace_next_se(const struct amd_dispatch *dispatch, const struct amd_grid *grid,
                                uint32_t se)
{
    const uint32_t count = dispatch->chip->shader_engine_count;

    for (uint32_t n = 0; n < count; n++, se++) {
        if (se == count)
            se = 0;
        if (grid->cu_masks[se] != 0)
            return se;
    }
    assert(false && "a dispatch that no CU may have");
    return 0;
}

OFTEN void amd_ace_requeue(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    struct amd_ace *ace = &dispatch->state->aces[grid->ace];
    struct amd_queue *queue = &ace->queues[grid->queue];
    const uint32_t link = (uint32_t)(grid - dispatch->state->grids) + 1;

    grid->next_se = (uint8_t)amd_ace_next_se(dispatch, grid, grid->next_se);
    if (queue->last != 0)
        amd_dispatch_grid(dispatch, queue->last)->next = link;
    else
        queue->first = link;
    queue->last = link;
    if (!(ace->held_queues >> grid->queue & 1))
        ace->busy_queues |= 1u << grid->queue;
    dispatch->state->due_aces |= 1u << grid->ace;
}

/* What happens to a dispatch's blocks depends on. */
static void amd_ace_meet_choices(struct machine *machine)
{
    machine_meet_choice(machine, CHOICE_AMD_ACE_TURN);
    machine_meet_choice(machine, CHOICE_AMD_BATON);
    machine_meet_choice(machine, CHOICE_AMD_WLM);
    machine_meet_choice(machine, CHOICE_AMD_RELEASE);
    machine_meet_choice(machine, CHOICE_AMD_BLOCK_TO_CU);
}

void amd_ace_enqueue(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    amd_ace_meet_choices(dispatch->machine);
    grid->next_se = 0;
    amd_ace_requeue(dispatch, grid);
}

/* ---- whose turn it is ------------------------------------------------------------------------ */

static void amd_ace_set_slice(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    struct machine *machine = dispatch->machine;
    struct amd_ace *ace = &dispatch->state->aces[ace_index];
    const bool several = (ace->busy_queues & (ace->busy_queues - 1)) != 0;

    if (machine->choices[CHOICE_AMD_ACE_TURN] != AMD_TURN_TIMESLICE || several == ace->slice_runs)
        return;
    ace->slice_runs = several;
    if (several)
        machine_set_timer(
            machine, dispatch->ace_timers + ace_index, dispatch->unit,
            clock_add(machine_now(machine), machine_parameter(machine, PARAM_AMD_ACE_SLICE_PS)),
            AMD_EVENT_ACE, ace_index);
    else
        machine_stop_timer(machine, dispatch->ace_timers + ace_index);
}

/* A.D1: the next queue in turn that has a dispatch. */
static void amd_ace_turn(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    struct amd_ace *ace = &dispatch->state->aces[ace_index];
    const uint32_t count = dispatch->chip->queues_per_pipe, old = ace->current;

    for (uint32_t n = 1; n <= count; n++) {
        const uint32_t queue = (old + n) % count;

        if (!(ace->busy_queues >> queue & 1))
            continue;
        ace->current = queue;
        if (queue != old)
            MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_ACE_TURN, RULE_A_D1, ace_index,
                        queue, amd_dispatch_grid(dispatch, ace->queues[queue].first)->grid_id);
        return;
    }
}

void amd_ace_slice_end(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    struct amd_ace *ace = &dispatch->state->aces[ace_index];

    ace->slice_runs = 0;
    amd_ace_turn(dispatch, ace_index);
    dispatch->state->due_aces |= 1u << ace_index;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The dispatch has all its blocks staged: the next one of its queue is at the head. */
static OFTEN void amd_ace_pop(struct amd_dispatch *dispatch, struct amd_ace *ace,
                              struct amd_grid *grid)
{
    struct amd_queue *queue = &ace->queues[grid->queue];

    if (!grid->dispatched)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_DISPATCHED, RULE_A_D1,
                    grid->grid_id, grid->ace * dispatch->chip->queues_per_pipe + grid->queue);
    grid->dispatched = 1;
    queue->first = grid->next;
    grid->next = 0;
    if (queue->first == 0) {
        queue->last = 0;
        ace->busy_queues &= ~(1u << grid->queue);
    }
}

/* The dispatch's next block cannot be staged now. */
static void amd_ace_wait(const struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    if (grid->wait_rule == RULE_NONE)
        grid->wait_from_ps = machine_now(dispatch->machine);
    grid->wait_rule = RULE_A_D2;
}

void amd_ace_log_wait(const struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    if (grid->wait_rule != RULE_NONE && grid->wait_from_ps < machine_now(dispatch->machine))
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_WAIT, grid->wait_rule,
                    grid->wait_from_ps, SUBJECT_GRID, grid->grid_id, SUBJECT_NONE, 0);
    grid->wait_rule = RULE_NONE;
}

void amd_ace_pass(const struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    grid->next_se = (uint8_t)amd_ace_next_se(dispatch, grid, grid->next_se + 1u);
}

/* Stages the dispatch's next block; false: that was its last one. */
static bool amd_ace_stage_one(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    if (grid->first_saved != 0)
        return amd_cwsr_stage(dispatch, grid);
    amd_workload_manager_stage(dispatch, grid->next_se, grid, grid->next_block, 0);
    amd_ace_pass(dispatch, grid);
    return ++grid->next_block != grid->block_count;
}

/* Is there nothing to do now but to stage one block, the last one of the only dispatch of the ACE?
 */
static bool amd_ace_has_one(const struct amd_dispatch *dispatch, const struct amd_ace *ace)
{
    const struct amd_dispatch_state *state = dispatch->state;
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, ace->queues[ace->current].first);

    return (state->due_ses | state->due_aces | ace->staged_count | ace->slice_runs) == 0 &&
           ace->busy_queues == 1u << ace->current && grid->next == 0 && grid->first_saved == 0 &&
           grid->next_block + 1 == grid->block_count;
}

/* Passes such a block straight through the workload manager if no other block competes there: much
 * work comes as dispatches of one block or few.  Returns false if nothing was done. */
static bool amd_ace_straight(struct amd_dispatch *dispatch, struct amd_ace *ace)
{
    struct amd_grid *grid = amd_dispatch_grid(dispatch, ace->queues[ace->current].first);
    const uint32_t se = grid->next_se, cu = amd_workload_manager_glance(dispatch, grid);
    const uint64_t block_index = grid->next_block;

    if (cu == AMD_NO_GLANCE)
        return false;
    if (grid->wait_rule != RULE_NONE)
        amd_ace_log_wait(dispatch, grid);
    amd_workload_manager_log_stage(dispatch, se, grid, block_index);
    amd_ace_pass(dispatch, grid);
    grid->next_block++;
    amd_ace_pop(dispatch, ace, grid);
    amd_workload_manager_pass(dispatch, se, grid, block_index, cu);
    return true;
}

static void amd_ace_stage_all(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    const uint32_t turn = dispatch->machine->choices[CHOICE_AMD_ACE_TURN];
    struct amd_ace *ace = &dispatch->state->aces[ace_index];

    while (ace->busy_queues != 0) {
        struct amd_grid *grid;
        uint32_t se;
        bool is_last;

        if (!(ace->busy_queues >> ace->current & 1))
            amd_ace_turn(dispatch, ace_index);
        amd_ace_set_slice(dispatch, ace_index);
        grid = amd_dispatch_grid(dispatch, ace->queues[ace->current].first);
        se = grid->first_saved == 0 ? grid->next_se : amd_cwsr_engine(dispatch, grid);
        if (dispatch->state->managers[se].slots[ace_index].grid != 0 ||
            (dispatch->machine->choices[CHOICE_AMD_BATON] == AMD_BATON_PLACED &&
             ace->staged_count != 0)) {
            amd_ace_wait(dispatch, grid);
            return;
        }
        amd_ace_log_wait(dispatch, grid);
        ace->staged_count++;
        is_last = !amd_ace_stage_one(dispatch, grid);
        if (is_last)
            amd_ace_pop(dispatch, ace, grid);
        if (turn == AMD_TURN_BLOCK || (turn == AMD_TURN_DISPATCH && is_last))
            amd_ace_turn(dispatch, ace_index);
    }
    amd_ace_set_slice(dispatch, ace_index);
}

void amd_ace_stage(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    struct amd_ace *ace = &dispatch->state->aces[ace_index];

    if (!(ace->busy_queues >> ace->current & 1 && amd_ace_has_one(dispatch, ace) &&
          amd_ace_straight(dispatch, ace)))
        amd_ace_stage_all(dispatch, ace_index);
}

void amd_ace_placed(struct amd_dispatch *dispatch, uint32_t ace_index)
{
    struct amd_ace *ace = &dispatch->state->aces[ace_index];

    ace->staged_count--;
    if (ace->busy_queues != 0)
        dispatch->state->due_aces |= 1u << ace_index;
}
