/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/dispatch.h"

#include <assert.h>

#include "devices/core/core_events.h"
#include "firmware-models/policy.h"

enum dispatch_event { DISPATCH_PLACE, DISPATCH_BLOCK_END, DISPATCH_EMPTY_GRID };

static void dispatch_event(void *unit, const struct event *event);
static const struct unit_ops dispatch_ops = {.event = dispatch_event};

void dispatch_wire(struct dispatch *dispatch, struct machine *machine,
                   const struct exec_limits *limits, uint32_t sm_count, uint64_t sm_hz)
{
    assert(sm_count <= EXEC_SMS_MAX && limits->blocks_per_sm <= EXEC_SLOTS_MAX);
    dispatch->machine = machine;
    dispatch->limits = limits;
    dispatch->sm_count = sm_count;
    dispatch->clock = clock_make(sm_hz, 0);
    dispatch->unit = machine_add_unit(machine, "dispatch", &dispatch_ops, dispatch);
    dispatch->state = machine_alloc(machine, sizeof *dispatch->state);
}

bool dispatch_full(const struct dispatch *dispatch)
{
    return dispatch->state->grid_count == DISPATCH_GRIDS_MAX;
}

uint64_t dispatch_block_cycles(const struct machine *machine, uint32_t warps)
{
    return machine_parameter(machine, PARAM_BLOCK_BASE_CYCLES) +
           machine_parameter(machine, PARAM_BLOCK_WARP_CYCLES) * warps;
}

static void dispatch_schedule_place(struct dispatch *dispatch, gfe_ps at_ps)
{
    if (dispatch->state->place_pending)
        return;
    dispatch->state->place_pending = 1;
    machine_schedule(dispatch->machine, dispatch->unit, at_ps, DISPATCH_PLACE, 0);
}

uint64_t dispatch_launch(struct dispatch *dispatch, const struct dispatch_launch *launch)
{
    struct machine *machine = dispatch->machine;
    struct dispatch_state *state = dispatch->state;
    const gfe_ps now = machine_now(machine);
    uint32_t index = 0;

    assert(!dispatch_full(dispatch));
    while (state->grids[index].grid_id != 0)
        index++;
    state->grids[index] = (struct dispatch_grid){
        .grid_id = machine_operation_id(machine),
        .block_count = launch->block_count,
        .queued_ps = now,
        .wait_from_ps = now,
        .block_cycles = dispatch_block_cycles(machine, launch->need.warps),
        .need = launch->need,
        .channel_id = launch->channel_id,
        .wait_rule = state->queue_count ? RULE_T_X1 : RULE_NONE,
    };
    state->grid_count++;
    MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_QUEUE, RULE_NONE, state->grids[index].grid_id,
                launch->channel_id, launch->block_count, launch->block_threads,
                launch->shared_bytes, launch->registers, launch->gp_sequence,
                launch->descriptor_address);
    if (launch->block_count == 0) {
        machine_schedule(machine, dispatch->unit, now, DISPATCH_EMPTY_GRID, index);
        return state->grids[index].grid_id;
    }
    state->queue[state->queue_count++] = index;
    dispatch_schedule_place(dispatch, now);
    return state->grids[index].grid_id;
}

/* ---- placing -------------------------------------------------------------------------------- */

/* Decides where the head's next block goes: an SM, or POLICY_NONE and the rule in the way. */
static uint32_t dispatch_decide(struct dispatch *dispatch, const struct dispatch_grid *grid,
                                uint32_t *rule)
{
    struct dispatch_state *state = dispatch->state;
    struct machine *machine = dispatch->machine;
    struct policy_sm sms[EXEC_SMS_MAX];

    for (uint32_t i = 0; i < dispatch->sm_count; i++)
        sms[i] = (struct policy_sm){
            .fits = exec_fits(dispatch->limits, &state->sms[i], &grid->need, rule),
            .free_threads = dispatch->limits->threads_per_sm - state->sms[i].threads,
            .resident_blocks = state->sms[i].blocks,
        };
    return policy_pick_sm_builtin[machine->choices[CHOICE_BLOCK_TO_SM]](
        sms, dispatch->sm_count, &state->policy_memory, machine->random);
}

/* The head's wait, if there was one, ends now. */
static void dispatch_log_wait(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    const gfe_ps now = machine_now(dispatch->machine);

    if (grid->wait_rule != RULE_NONE && grid->wait_from_ps < now)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_WAIT, grid->wait_rule,
                    grid->wait_from_ps, SUBJECT_GRID, grid->grid_id, SUBJECT_NONE, 0);
    grid->wait_rule = RULE_NONE;
}

static void dispatch_pop_head(struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;

    state->queue_count--;
    for (uint32_t i = 0; i < state->queue_count; i++)
        state->queue[i] = state->queue[i + 1];
    state->queue[state->queue_count] = 0;
    if (state->queue_count > 0)
        dispatch_log_wait(dispatch, &state->grids[state->queue[0]]);
}

static void dispatch_start_block(struct dispatch *dispatch, uint32_t grid_index, uint32_t sm_index)
{
    struct dispatch_state *state = dispatch->state;
    struct machine *machine = dispatch->machine;
    struct dispatch_grid *grid = &state->grids[grid_index];
    const uint32_t slot = exec_take(dispatch->limits, &state->sms[sm_index], &grid->need);
    const gfe_ps now = machine_now(machine);

    state->running[sm_index][slot] =
        (struct dispatch_running){.block_index = grid->next_block, .grid_index = grid_index};
    if (grid->next_block == 0) {
        grid->started_ps = now;
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_START, RULE_CORE_BLOCK_ORDER, grid->grid_id,
                    grid->channel_id);
    }
    MACHINE_LOG(machine, dispatch->unit, EVENT_BLOCK_START, RULE_T_R1, grid->grid_id,
                grid->next_block, sm_index, slot);
    machine_schedule(machine, dispatch->unit,
                     clock_after_cycles(&dispatch->clock, now, grid->block_cycles),
                     DISPATCH_BLOCK_END, (uint64_t)sm_index << 8 | slot);
    grid->next_block++;
    if (grid->next_block == grid->block_count) {
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_DISPATCHED, RULE_T_G3, grid->grid_id,
                    grid->channel_id);
        dispatch_pop_head(dispatch);
    }
}

static void dispatch_place(struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;
    struct machine *machine = dispatch->machine;
    struct dispatch_grid *grid;
    uint32_t sm_index, rule = RULE_NONE;

    state->place_pending = 0;
    if (state->queue_count == 0)
        return;
    grid = &state->grids[state->queue[0]];
    sm_index = dispatch_decide(dispatch, grid, &rule);
    if (sm_index == POLICY_NONE) {
        if (grid->wait_rule == RULE_NONE)
            grid->wait_from_ps = machine_now(machine);
        grid->wait_rule = rule;
        return; /* the end of a block tries again */
    }
    dispatch_log_wait(dispatch, grid);
    dispatch_start_block(dispatch, state->queue[0], sm_index);
    if (state->queue_count > 0)
        dispatch_schedule_place(
            dispatch, clock_after_cycles(&dispatch->clock, machine_now(machine),
                                         machine_parameter(machine, PARAM_DISPATCH_CYCLES)));
}

/* ---- ends ----------------------------------------------------------------------------------- */

static void dispatch_grid_end(struct dispatch *dispatch, uint32_t grid_index)
{
    struct dispatch_state *state = dispatch->state;
    const struct dispatch_grid grid = state->grids[grid_index];

    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_END, RULE_NONE, grid.grid_id,
                grid.channel_id, grid.queued_ps, grid.started_ps);
    state->grids[grid_index] = (struct dispatch_grid){0};
    state->grid_count--;
    dispatch->client.grid_done(dispatch->client.client, grid.grid_id);
}

static void dispatch_block_end(struct dispatch *dispatch, uint32_t sm_index, uint32_t slot)
{
    struct dispatch_state *state = dispatch->state;
    const struct dispatch_running running = state->running[sm_index][slot];
    struct dispatch_grid *grid = &state->grids[running.grid_index];

    exec_give(&state->sms[sm_index], &grid->need, slot);
    state->running[sm_index][slot] = (struct dispatch_running){0};
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_BLOCK_END, RULE_NONE, grid->grid_id,
                running.block_index, sm_index, slot);
    if (state->queue_count > 0)
        dispatch_schedule_place(dispatch, machine_now(dispatch->machine));
    if (++grid->done_count == grid->block_count)
        dispatch_grid_end(dispatch, running.grid_index);
}

static void dispatch_event(void *unit, const struct event *event)
{
    struct dispatch *dispatch = unit;

    switch (event->kind) {
    case DISPATCH_PLACE:
        dispatch_place(dispatch);
        break;
    case DISPATCH_BLOCK_END:
        dispatch_block_end(dispatch, (uint32_t)(event->argument >> 8),
                           (uint32_t)(event->argument & 0xff));
        break;
    case DISPATCH_EMPTY_GRID:
        dispatch_grid_end(dispatch, (uint32_t)event->argument);
        break;
    default:
        assert(false && "an event that the dispatcher did not schedule");
    }
}
