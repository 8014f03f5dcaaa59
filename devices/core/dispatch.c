/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/dispatch.h"

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/core/core_inject.h"
#include "devices/core/policy.h"

static void dispatch_event(void *unit, const struct event *event);
static void dispatch_finish(void *unit);
static const struct unit_ops dispatch_ops = {.event = dispatch_event, .finish = dispatch_finish};

void dispatch_wire(struct dispatch *dispatch, struct machine *machine,
                   const struct exec_limits *limits, uint32_t sm_count, uint64_t sm_hz)
{
    assert(sm_count <= EXEC_SMS_MAX && limits->blocks_per_sm <= EXEC_SLOTS_MAX);
    dispatch->machine = machine;
    dispatch->limits = limits;
    dispatch->sm_count = sm_count;
    dispatch_groups_make_one(&dispatch->groups, sm_count);
    dispatch->clock = clock_make(sm_hz, 0);
    dispatch->unit = machine_add_unit(machine, "dispatch", &dispatch_ops, dispatch);
    /* At equal times the ends come first: what they free can be given. */
    dispatch->end_timer = machine_add_timer(machine);
    dispatch->place_timer = machine_add_timer(machine);
    cost_wire(&dispatch->costs, machine);
    dispatch->state = machine_alloc(machine, sizeof *dispatch->state);
    dispatch->blocks =
        machine_alloc(machine, (sm_count * limits->blocks_per_sm + DISPATCH_SAVED_BLOCKS_MAX) *
                                   sizeof *dispatch->blocks);
    dispatch->state->armed_ps = GFE_PS_NEVER;
    dispatch->state->contexts[0].phase = DISPATCH_ON;
}

uint64_t dispatch_block_cycles(const struct machine *machine, uint32_t warps)
{
    return machine_parameter(machine, PARAM_BLOCK_BASE_CYCLES) +
           machine_parameter(machine, PARAM_BLOCK_WARP_CYCLES) * warps;
}

void dispatch_schedule_place(struct dispatch *dispatch, gfe_ps at_ps)
{
    if (dispatch->state->place_pending)
        return;
    dispatch->state->place_pending = 1;
    machine_set_timer(dispatch->machine, dispatch->place_timer, dispatch->unit, at_ps,
                      DISPATCH_PLACE, 0);
}

void dispatch_stop_place(struct dispatch *dispatch)
{
    if (dispatch->state->place_pending)
        machine_stop_timer(dispatch->machine, dispatch->place_timer);
    dispatch->state->place_pending = 0;
}

/* ---- grids ----------------------------------------------------------------------------------- */

bool dispatch_has_room(const struct dispatch *dispatch, uint32_t context, uint32_t more)
{
    const struct dispatch_state *state = dispatch->state;
    return state->grid_count + more <= DISPATCH_ALL_GRIDS_MAX &&
           state->contexts[context].grid_count + more <= DISPATCH_GRIDS_MAX;
}

/* A free record, the last of its context's grids. */
static struct dispatch_grid *dispatch_new_grid(struct dispatch *dispatch, uint32_t context_index)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[context_index];
    uint32_t link = state->free_grid;

    if (link != 0)
        state->free_grid = dispatch_grid(dispatch, link)->next_queued;
    else
        link = ++state->used_grids;
    *dispatch_grid(dispatch, link) =
        (struct dispatch_grid){.context = context_index, .previous = context->last_grid};
    if (context->last_grid != 0)
        dispatch_grid(dispatch, context->last_grid)->next = link;
    else
        context->first_grid = link;
    context->last_grid = link;
    context->grid_count++;
    state->grid_count++;
    return dispatch_grid(dispatch, link);
}

void dispatch_free_grid(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[grid->context];

    if (grid->previous != 0)
        dispatch_grid(dispatch, grid->previous)->next = grid->next;
    else
        context->first_grid = grid->next;
    if (grid->next != 0)
        dispatch_grid(dispatch, grid->next)->previous = grid->previous;
    else
        context->last_grid = grid->previous;
    context->grid_count--;
    context->resident_count -= grid->next_block > 0;
    context->limited_count -= grid->sm_limit != 0 || grid->is_passed;
    state->grid_count--;
    *grid = (struct dispatch_grid){.next_queued = state->free_grid};
    state->free_grid = (uint32_t)(grid - state->grids) + 1;
}

/* T.A1: the grid is the last in the queue of its priority. */
static void dispatch_enqueue(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    struct dispatch_context *context = &dispatch->state->contexts[grid->context];
    struct dispatch_queue *queue = &context->queues[grid->priority];
    const uint32_t link = (uint32_t)(grid - dispatch->state->grids) + 1;

    if (queue->last != 0)
        dispatch_grid(dispatch, queue->last)->next_queued = link;
    else
        queue->first = link;
    queue->last = link;
}

/* Returns the rule by which a new grid does not get a block at once, or RULE_NONE if it may. */
static uint32_t dispatch_first_wait(const struct dispatch_context *context, uint32_t priority,
                                    const struct dispatch_grid *head)
{
    if (context->queues[priority].first != 0)
        return RULE_T_X1;
    if (head && head->priority > priority)
        return RULE_T_A2;
    return context->phase == DISPATCH_ON ? RULE_NONE : RULE_T_P1;
}

/* The grid, whose queue is the highest from now on, takes the place of the one that was served. */
static void dispatch_overtake(struct dispatch *dispatch, const struct dispatch_grid *grid,
                              struct dispatch_grid *head)
{
    if (!head || head->priority >= grid->priority)
        return;
    dispatch_log_wait(dispatch, head);
    head->wait_rule = RULE_T_A2;
    head->wait_from_ps = machine_now(dispatch->machine);
}

/* Logs the cost and the priority of the grid if they are not the defaults. */
static void dispatch_log_cost(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    if (grid->cost.kind != COST_DEFAULT || grid->priority != 0)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_COST,
                    grid->priority ? RULE_T_A1 : RULE_NONE, grid->grid_id, grid->priority,
                    grid->cost.kind == COST_CLOCK ? grid->cost.amount : 0,
                    grid->cost.kind == COST_CYCLES ? grid->cost.amount : 0);
}

/* Logs the splits of the grid if it has any. */
static void dispatch_log_split(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    const uint32_t all = dispatch->limits->shared_bytes_per_sm;

    if (grid->need.most_l1_bytes != UINT32_MAX)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_SPLIT, RULE_NONE, grid->grid_id,
                    all - grid->need.most_l1_bytes, all - grid->need.l1_bytes);
}

/* Logs the mask of the grid if it has one. */
static void dispatch_log_mask(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    const struct mask128 *mask = &grid->disabled_mask;

    if (mask128_any(mask))
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_MASK,
                    grid->is_passed ? RULE_CORE_MASK_PASSED : RULE_CORE_SM_MASK, grid->grid_id,
                    mask->word[0], mask->word[1], grid->sms_per_bit, grid->is_passed);
}

uint64_t dispatch_launch(struct dispatch *dispatch, const struct dispatch_launch *launch)
{
    struct machine *machine = dispatch->machine;
    struct dispatch_context *context = &dispatch->state->contexts[launch->context];
    struct dispatch_grid *const head = dispatch_head(dispatch, context);
    const gfe_ps now = machine_now(machine);
    struct dispatch_grid *grid;

    assert(dispatch_has_room(dispatch, launch->context, 1) && launch->priority < COST_PRIORITIES);
    grid = dispatch_new_grid(dispatch, launch->context);
    grid->grid_id = machine_operation_id(machine);
    grid->block_count = launch->block_count;
    grid->queued_ps = grid->wait_from_ps = now;
    grid->cost = launch->cost;
    if (launch->cost.kind == COST_DEFAULT)
        grid->cost.amount = dispatch_block_cycles(machine, launch->need.warps);
    grid->disabled_mask = launch->disabled_mask;
    grid->sms_per_bit = launch->sms_per_bit;
    grid->need = launch->need;
    grid->priority = launch->priority;
    grid->channel_id = launch->channel_id;
    grid->client_id = launch->client_id;
    grid->sm_limit = launch->sm_limit;
    grid->cluster = launch->cluster;
    assert(grid->cluster == 0 ||
           (grid->cluster <= DISPATCH_CLUSTER_MAX && grid->block_count % grid->cluster == 0));
    grid->is_passed = mask128_any(&grid->disabled_mask) &&
                      machine->choices[CHOICE_MASKED_GRIDS] == CORE_MASKED_PASSED;
    context->limited_count += grid->sm_limit != 0 || grid->is_passed;
    grid->wait_rule = dispatch_first_wait(context, launch->priority, head);
    MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_QUEUE, RULE_T_Q, grid->grid_id,
                launch->channel_id, launch->block_count, launch->block_threads,
                launch->shared_bytes, launch->registers, launch->gp_sequence,
                launch->descriptor_address);
    dispatch_log_cost(dispatch, grid);
    dispatch_log_split(dispatch, grid);
    dispatch_log_mask(dispatch, grid);
    if (grid->cluster > 0)
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_CLUSTER, RULE_CORE_CLUSTER, grid->grid_id,
                    grid->cluster);
    if (launch->block_count == 0) {
        machine_schedule(machine, dispatch->unit, now, DISPATCH_EMPTY_GRID,
                         grid->grid_id << DISPATCH_GRID_BITS |
                             (uint64_t)(grid - dispatch->state->grids));
        return grid->grid_id;
    }
    dispatch_enqueue(dispatch, grid);
    dispatch_overtake(dispatch, grid, head);
    /* Behind a client that has its share, or a mask that leaves no place, it may be served all the
     * same. */
    if (context->phase == DISPATCH_ON &&
        (grid->wait_rule == RULE_NONE || context->limited_count > 0))
        dispatch_schedule_place(dispatch, now);
    return grid->grid_id;
}

/* ---- placing --------------------------------------------------------------------------------- */

void dispatch_log_wait(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    const struct dispatch_state *state = dispatch->state;
    const struct dispatch_context *context = &state->contexts[grid->context];
    const gfe_ps now = machine_now(dispatch->machine);
    /* The context that had the SMs, if it was a single one. */
    const bool by = grid->wait_rule == RULE_T_P1 && state->turn == context->turn + 1;
    uint32_t by_kind = by ? SUBJECT_CHANNEL : SUBJECT_NONE;
    uint64_t by_id = by ? state->last_channel : 0;

    if (grid->split_grid_id != 0) {
        by_kind = SUBJECT_GRID;
        by_id = grid->split_grid_id;
    }
    if (grid->wait_rule != RULE_NONE && grid->wait_from_ps < now)
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_WAIT, grid->wait_rule,
                    grid->wait_from_ps, SUBJECT_GRID, grid->grid_id, by_kind, by_id);
    grid->wait_rule = RULE_NONE;
    grid->split_grid_id = 0;
}

/* The grid that was served has all its blocks.  If it was the head, another one is now, of its own
 * queue or of a lower one. */
static void dispatch_leave_queue(struct dispatch *dispatch, struct dispatch_context *context,
                                 struct dispatch_grid *grid)
{
    struct dispatch_queue *queue = &context->queues[grid->priority];
    const bool was_head = dispatch_head(dispatch, context) == grid;
    struct dispatch_grid *next;
    uint32_t before = 0, at = queue->first;

    for (; dispatch_grid(dispatch, at) != grid; at = dispatch_grid(dispatch, at)->next_queued)
        before = at;
    if (before != 0)
        dispatch_grid(dispatch, before)->next_queued = grid->next_queued;
    else
        queue->first = grid->next_queued;
    if (queue->last == at)
        queue->last = before;
    grid->next_queued = 0;
    next = was_head ? dispatch_head(dispatch, context) : NULL;
    if (next)
        dispatch_log_wait(dispatch, next);
}

/* A free record. */
static uint32_t dispatch_new_block(struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;
    const uint32_t link = state->free_block;

    if (link == 0)
        return ++state->used_blocks;
    state->free_block = dispatch->blocks[link - 1].next;
    return link;
}

/* When a block of the grid that starts now ends, if it is not stopped. */
static gfe_ps dispatch_block_end_ps(const struct dispatch *dispatch,
                                    const struct dispatch_grid *grid)
{
    const gfe_ps now = machine_now(dispatch->machine);

    return grid->cost.kind == COST_CLOCK
               ? clock_add(now, grid->cost.amount)
               : clock_after_cycles(&dispatch->clock, now, grid->cost.amount);
}

/* The block's place among its grid's, which all take equally long: the last, or close to it. */
static void dispatch_insert_block(struct dispatch *dispatch, struct dispatch_grid *grid,
                                  uint32_t link)
{
    struct dispatch_block *blocks = dispatch->blocks, *block = &blocks[link - 1];

    block->previous = grid->last_block;
    while (block->previous != 0 && blocks[block->previous - 1].end_ps > block->end_ps)
        block->previous = blocks[block->previous - 1].previous;
    block->next = block->previous ? blocks[block->previous - 1].next : grid->first_block;
    if (block->previous != 0)
        blocks[block->previous - 1].next = link;
    else
        grid->first_block = link;
    if (block->next != 0)
        blocks[block->next - 1].previous = link;
    else
        grid->last_block = link;
    grid->running_count++;
}

/* Its record: from now on it runs. */
static void dispatch_run_block(struct dispatch *dispatch, struct dispatch_grid *grid,
                               struct exec_place place)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[grid->context];
    const gfe_ps end_ps = dispatch_block_end_ps(dispatch, grid);
    const gfe_ps off_ps =
        grid->cost.kind == COST_CLOCK ? 0 : context->since_ps - context->ran_ps; /* so far */
    const uint32_t link = dispatch_new_block(dispatch);

    dispatch->blocks[link - 1] =
        (struct dispatch_block){.block_index = grid->next_block,
                                .end_ps = end_ps - off_ps,
                                .grid_index = (uint32_t)(grid - state->grids),
                                .place = place};
    dispatch_insert_block(dispatch, grid, link);
    context->block_count++;
    context->register_count += grid->need.registers;
    context->shared_bytes += grid->need.shared_bytes;
    if (end_ps < state->armed_ps || end_ps == GFE_PS_NEVER) {
        state->armed_ps = end_ps;
        machine_set_timer(dispatch->machine, dispatch->end_timer, dispatch->unit, end_ps,
                          DISPATCH_BLOCK_END, 0);
    }
}

static void dispatch_tell_started(const struct dispatch *dispatch, const struct dispatch_grid *grid)
{
    if (grid->cost.counts_starts && dispatch->client.started &&
        (grid->next_block == 1 || grid->next_block == grid->block_count))
        dispatch->client.started(dispatch->client.client, grid->context, grid->grid_id,
                                 grid->next_block);
}

static void dispatch_start_block(struct dispatch *dispatch, struct dispatch_grid *grid,
                                 uint32_t sm_index)
{
    struct dispatch_state *state = dispatch->state;
    struct machine *machine = dispatch->machine;
    struct exec_place place = exec_take(dispatch->limits, &state->sms[sm_index], &grid->need);

    if (grid->next_block == 0) {
        state->contexts[grid->context].resident_count++;
        grid->started_ps = machine_now(machine);
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_START, RULE_CORE_BLOCK_ORDER, grid->grid_id,
                    grid->channel_id);
    }
    MACHINE_LOG(machine, dispatch->unit, EVENT_BLOCK_START, RULE_T_R1, grid->grid_id,
                grid->next_block, sm_index, place.slot);
    place.sm_index = (uint16_t)sm_index;
    dispatch_run_block(dispatch, grid, place);
    grid->next_block++;
    dispatch_tell_started(dispatch, grid);
    if (grid->next_block == grid->block_count) {
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_DISPATCHED, RULE_T_G3, grid->grid_id,
                    grid->channel_id);
        dispatch_leave_queue(dispatch, &state->contexts[grid->context], grid);
    }
}

/* The grid's next block has no place; the end of a block tries again. */
static void dispatch_blocked(struct dispatch *dispatch, const struct dispatch_context *context,
                             struct dispatch_grid *grid, uint32_t rule)
{
    if (context->limited_count > 0 && grid->wait_rule != rule)
        dispatch_log_wait(dispatch, grid); /* one that was no head waited for another reason */
    if (grid->wait_rule == RULE_NONE)
        grid->wait_from_ps = machine_now(dispatch->machine);
    if (rule != RULE_CORE_SM_SPLIT)
        grid->split_grid_id = 0;
    else if (grid->wait_rule != rule)
        grid->split_grid_id = dispatch_split_holder(dispatch, grid);
    grid->wait_rule = rule;
}

static void dispatch_place(struct dispatch *dispatch)
{
    struct dispatch_context *context = dispatch_current(dispatch);
    struct machine *machine = dispatch->machine;
    struct dispatch_grid *grid;
    uint32_t sms[DISPATCH_CLUSTER_MAX], rule = RULE_NONE, count = 1;

    assert(context && context->phase == DISPATCH_ON);
    dispatch->state->place_pending = 0;
    grid = dispatch_head(dispatch, context);
    while (grid && !dispatch_decide(dispatch, grid, sms, &rule)) {
        dispatch_blocked(dispatch, context, grid, rule);
        if (!dispatch_is_passed(grid, rule)) {
            if (context->limited_count > 0)
                dispatch_share_hold(dispatch, context, grid);
            return;
        }
        grid = dispatch_share_next(dispatch, context, grid);
    }
    if (!grid)
        return;
    dispatch_log_wait(dispatch, grid);
    count = grid->cluster > 0 ? grid->cluster : 1;
    for (uint32_t i = 0; i < count; i++)
        dispatch_start_block(dispatch, grid, sms[i]);
    if (dispatch_head(dispatch, context))
        dispatch_schedule_place(
            dispatch,
            clock_after_cycles(&dispatch->clock, machine_now(machine),
                               count * machine_parameter(machine, PARAM_DISPATCH_CYCLES)));
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* When the grid's next block ends, if the context stays on. */
static gfe_ps dispatch_grid_end_ps(const struct dispatch *dispatch,
                                   const struct dispatch_context *context,
                                   const struct dispatch_grid *grid)
{
    const gfe_ps end_ps = dispatch->blocks[grid->first_block - 1].end_ps;

    if (grid->cost.kind != COST_CLOCK)
        return clock_add(end_ps - context->ran_ps, context->since_ps);
    return end_ps > context->since_ps ? end_ps : context->since_ps; /* it was off at that time */
}

/* Returns the grid of the context that is on whose block ends next; at equal times the grid that
 * was launched first.  Returns NULL if no grid runs. */
static struct dispatch_grid *dispatch_next_end(const struct dispatch *dispatch,
                                               const struct dispatch_context *context,
                                               gfe_ps *end_ps)
{
    struct dispatch_grid *found = NULL;

    *end_ps = GFE_PS_NEVER;
    for (uint32_t link = context->first_grid; link != 0;
         link = dispatch_grid(dispatch, link)->next) {
        struct dispatch_grid *grid = dispatch_grid(dispatch, link);
        gfe_ps grid_ps;

        if (grid->first_block == 0)
            continue;
        grid_ps = dispatch_grid_end_ps(dispatch, context, grid);
        if (grid_ps < *end_ps) {
            *end_ps = grid_ps;
            found = grid;
        }
    }
    return found;
}

void dispatch_arm(struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;
    const struct dispatch_context *context = dispatch_current(dispatch);
    const bool was_armed = state->armed_ps != GFE_PS_NEVER;

    state->armed_ps = GFE_PS_NEVER;
    if (context && dispatch_next_end(dispatch, context, &state->armed_ps))
        machine_set_timer(dispatch->machine, dispatch->end_timer, dispatch->unit, state->armed_ps,
                          DISPATCH_BLOCK_END, 0);
    else if (was_armed)
        machine_stop_timer(dispatch->machine, dispatch->end_timer);
}

static void dispatch_grid_end(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    const uint64_t grid_id = grid->grid_id;
    const uint32_t context = grid->context;

    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_END, RULE_NONE, grid_id,
                grid->channel_id, grid->queued_ps, grid->started_ps);
    dispatch_free_grid(dispatch, grid);
    if (!machine_inject(dispatch->machine, dispatch->unit, CORE_INJECT_GRID_END, grid_id, NULL, 0))
        return;
    dispatch->client.grid_done(dispatch->client.client, context, grid_id);
}

void dispatch_free_block(struct dispatch *dispatch, struct dispatch_grid *grid, bool runs)
{
    struct dispatch_state *state = dispatch->state;
    struct dispatch_context *context = &state->contexts[grid->context];
    const uint32_t link = grid->first_block;
    struct dispatch_block *block = &dispatch->blocks[link - 1];

    if (runs)
        exec_give(&state->sms[block->place.sm_index], &grid->need, &block->place);
    grid->first_block = block->next;
    if (block->next != 0)
        dispatch->blocks[block->next - 1].previous = 0;
    else
        grid->last_block = 0;
    grid->running_count--;
    context->block_count--;
    context->register_count -= grid->need.registers;
    context->shared_bytes -= grid->need.shared_bytes;
    *block = (struct dispatch_block){.next = state->free_block};
    state->free_block = link;
}

/* An injected fault: the grid's next block never ends.  It is saved and loaded with its context. */
static void dispatch_block_hangs(struct dispatch *dispatch, struct dispatch_grid *grid)
{
    const uint32_t link = grid->first_block;
    struct dispatch_block *block = &dispatch->blocks[link - 1];

    block->end_ps = GFE_PS_NEVER;
    if (grid->last_block == link)
        return;
    grid->first_block = block->next;
    dispatch->blocks[block->next - 1].previous = 0;
    dispatch->blocks[grid->last_block - 1].next = link;
    block->previous = grid->last_block;
    block->next = 0;
    grid->last_block = link;
}

static void dispatch_block_end(struct dispatch *dispatch)
{
    struct dispatch_context *context = dispatch_current(dispatch);
    struct dispatch_grid *grid;
    struct dispatch_block block;
    gfe_ps end_ps;

    assert(context);
    grid = dispatch_next_end(dispatch, context, &end_ps);
    block = dispatch->blocks[grid->first_block - 1];
    if (!machine_inject(dispatch->machine, dispatch->unit, dispatch->client.sm_site,
                        block.place.sm_index, NULL, 0) ||
        !machine_inject(dispatch->machine, dispatch->unit, CORE_INJECT_BLOCK_END, grid->grid_id,
                        NULL, 0)) {
        dispatch_block_hangs(dispatch, grid);
        dispatch_arm(dispatch);
        return;
    }
    dispatch_free_block(dispatch, grid, true);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_BLOCK_END, RULE_NONE, grid->grid_id,
                block.block_index, block.place.sm_index, block.place.slot);
    dispatch_arm(dispatch);
    if (context->phase == DISPATCH_ON && dispatch_head(dispatch, context))
        dispatch_schedule_place(dispatch, machine_now(dispatch->machine));
    if (++grid->done_count == grid->block_count)
        dispatch_grid_end(dispatch, grid);
    if (context->phase == DISPATCH_LEAVING)
        dispatch_leave_further(dispatch);
}

static void dispatch_empty_grid(struct dispatch *dispatch, uint64_t argument)
{
    struct dispatch_grid *grid =
        &dispatch->state->grids[argument & ((1u << DISPATCH_GRID_BITS) - 1)];

    if (grid->grid_id << DISPATCH_GRID_BITS >> DISPATCH_GRID_BITS == argument >> DISPATCH_GRID_BITS)
        dispatch_grid_end(dispatch, grid); /* else it has been dropped */
}

static void dispatch_event(void *unit, const struct event *event)
{
    struct dispatch *dispatch = unit;

    switch (event->kind) {
    case DISPATCH_PLACE:
        dispatch_place(dispatch);
        break;
    case DISPATCH_BLOCK_END:
        dispatch_block_end(dispatch);
        break;
    case DISPATCH_EMPTY_GRID:
        dispatch_empty_grid(dispatch, event->argument);
        break;
    default:
        assert(false && "an event that the dispatcher did not schedule");
    }
}

static void dispatch_finish(void *unit)
{
    dispatch_log_open_waits(unit);
}
