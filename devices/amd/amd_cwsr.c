/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_cwsr.h"

#include <assert.h>

#include "devices/amd/amd_ace.h"
#include "devices/amd/amd_tables.h"
#include "devices/amd/amd_workload_manager.h"
#include "devices/core/core_events.h"

enum { AMD_LANE_BYTES = 4, AMD_SORT_LISTS = 16 /* 2^16 saved blocks at least */ };

static struct amd_saved *amd_saved(const struct amd_dispatch *dispatch, uint32_t link)
{
    return &dispatch->state->saved[link - 1];
}

static uint32_t amd_cwsr_room(const struct amd_dispatch *dispatch)
{
    return AMD_SAVED_BLOCKS_MAX - dispatch->state->saved_count;
}

static uint32_t amd_cwsr_new(struct amd_dispatch *dispatch)
{
    struct amd_dispatch_state *state = dispatch->state;
    uint32_t link = state->free_saved;

    if (link != 0)
        state->free_saved = amd_saved(dispatch, link)->next;
    else
        link = ++state->used_saved;
    assert(link <= AMD_SAVED_BLOCKS_MAX);
    state->saved_count++;
    *amd_saved(dispatch, link) = (struct amd_saved){0};
    return link;
}

static void amd_cwsr_free(struct amd_dispatch *dispatch, uint32_t link)
{
    *amd_saved(dispatch, link) = (struct amd_saved){.next = dispatch->state->free_saved};
    dispatch->state->free_saved = link;
    dispatch->state->saved_count--;
}

static void amd_cwsr_push(struct amd_dispatch *dispatch, struct amd_grid *grid, uint32_t link)
{
    amd_saved(dispatch, link)->next = grid->first_saved;
    grid->first_saved = link;
}

/* The dispatcher does what it can now do. */
static void amd_cwsr_wake(struct amd_dispatch *dispatch)
{
    if (dispatch->state->wakes)
        return;
    dispatch->state->wakes = 1;
    machine_schedule(dispatch->machine, dispatch->unit, machine_now(dispatch->machine),
                     AMD_EVENT_WAKE, 0);
}

/* ---- whose blocks are where ------------------------------------------------------------------ */

/* Whose: a queue's, or a context's. */
struct amd_cwsr_owner {
    uint32_t ace, queue, context;
};

/* Dispatches without blocks are over anyway. */
static bool amd_cwsr_is_of(const struct amd_grid *grid, const struct amd_cwsr_owner *owner)
{
    if (grid->grid_id == 0 || grid->block_count == 0 || grid->context != owner->context)
        return false;
    return owner->context != 0 || (grid->ace == owner->ace && grid->queue == owner->queue);
}

/* Slots of a CU with the owner's blocks. */
static uint64_t amd_cwsr_slots(const struct amd_dispatch *dispatch, const struct amd_cu *cu,
                               const struct amd_cwsr_owner *owner)
{
    uint64_t slots = 0;

    for (uint64_t left = cu->slots; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);

        if (amd_cwsr_is_of(amd_dispatch_grid(dispatch, cu->blocks[slot].grid), owner))
            slots |= UINT64_C(1) << slot;
    }
    return slots;
}

/* Calls take() for each of the owner's blocks on CUs, which have come to now. */
typedef void amd_cwsr_take(struct amd_dispatch *dispatch, void *context, uint32_t se, uint32_t cu,
                           uint32_t slot);

static void amd_cwsr_walk(struct amd_dispatch *dispatch, const struct amd_cwsr_owner *owner,
                          amd_cwsr_take *take, void *context)
{
    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++)
        for (uint32_t i = 0; i < dispatch->chip->engine_cus[se]; i++) {
            const struct amd_cu *cu = amd_dispatch_cu(dispatch, se, i);

            if (amd_cwsr_slots(dispatch, cu, owner) == 0)
                continue;
            amd_dispatch_advance(dispatch, se, i);
            for (uint64_t left = amd_cwsr_slots(dispatch, cu, owner); left != 0; left &= left - 1)
                take(dispatch, context, se, i, (uint32_t)__builtin_ctzll(left));
        }
}

/* ---- stopping -------------------------------------------------------------------------------- */

static uint64_t amd_cwsr_bytes(const struct amd_dispatch *dispatch, const struct amd_block *block)
{
    const uint64_t registers =
        (uint64_t)block->need.vgprs * dispatch->chip->threads_per_wave + block->need.sgprs;

    return block->need.lds_bytes +
           block->waves * (AMD_LANE_BYTES * registers +
                           machine_parameter(dispatch->machine, PARAM_AMD_SAVE_WAVE_BYTES));
}

void amd_cwsr_hold(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue)
{
    struct amd_ace *unit = &dispatch->state->aces[ace];

    unit->held_queues |= 1u << queue;
    unit->busy_queues &= ~(1u << queue);
    dispatch->state->due_aces |= 1u << ace;
    amd_cwsr_wake(dispatch);
}

void amd_cwsr_let(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue)
{
    struct amd_ace *unit = &dispatch->state->aces[ace];

    unit->held_queues &= ~(1u << queue);
    if (unit->queues[queue].first != 0)
        unit->busy_queues |= 1u << queue;
    dispatch->state->due_aces |= 1u << ace;
    amd_cwsr_wake(dispatch);
}

static void amd_cwsr_count(struct amd_dispatch *dispatch, void *context, uint32_t se, uint32_t cu,
                           uint32_t slot)
{
    const struct amd_block *block = &amd_dispatch_cu(dispatch, se, cu)->blocks[slot];
    struct amd_cwsr_size *size = context;

    size->bytes += amd_cwsr_bytes(dispatch, block);
    size->blocks++;
    size->waves += block->waves;
}

/* Does the ACE's slot of a shader engine hold a block of the owner's? */
static bool amd_cwsr_is_staged(const struct amd_dispatch *dispatch,
                               const struct amd_cwsr_owner *owner, uint32_t se)
{
    const uint32_t link = dispatch->state->managers[se].slots[owner->ace].grid;

    return link != 0 && amd_cwsr_is_of(amd_dispatch_grid(dispatch, link), owner);
}

bool amd_cwsr_measure(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue,
                      struct amd_cwsr_size *size)
{
    const struct amd_cwsr_owner owner = {.ace = ace, .queue = queue};
    uint32_t staged = 0;

    *size = (struct amd_cwsr_size){0};
    amd_cwsr_walk(dispatch, &owner, amd_cwsr_count, size);
    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++)
        staged += amd_cwsr_is_staged(dispatch, &owner, se);
    amd_cwsr_wake(dispatch); /* what has ended on the way */
    return size->blocks + staged <= amd_cwsr_room(dispatch);
}

static void amd_cwsr_log_stop(const struct amd_dispatch *dispatch, const struct amd_grid *grid,
                              const struct amd_block *block, uint32_t number, uint32_t slot,
                              uint64_t bytes)
{
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_BLOCK_STOP, RULE_AMD_CWSR,
                grid->grid_id, block->block_index, number, slot, block->waves, bytes);
}

static void amd_cwsr_save_block(struct amd_dispatch *dispatch, void *context, uint32_t se,
                                uint32_t cu_index, uint32_t slot)
{
    struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);
    const struct amd_block *block = &cu->blocks[slot];
    struct amd_grid *grid = amd_dispatch_grid(dispatch, block->grid);
    const uint32_t link = amd_cwsr_new(dispatch);
    struct amd_saved *saved = amd_saved(dispatch, link);

    (void)context;
    amd_cwsr_log_stop(dispatch, grid, block, dispatch->first_cu[se] + cu_index, slot,
                      amd_cwsr_bytes(dispatch, block));
    saved->block_index = block->block_index;
    saved->stopped_ps = machine_now(dispatch->machine);
    saved->se = se;
    saved->waves = amd_cu_stop(cu, slot, saved->work_ps);
    amd_workload_manager_stopped(dispatch, se, cu_index);
    amd_cwsr_push(dispatch, grid, link);
    amd_dispatch_touch(dispatch, se, cu_index);
}

/* The owner's block in the ACE's slot has not begun, or not gone on. */
static void amd_cwsr_save_staged(struct amd_dispatch *dispatch, uint32_t ace, uint32_t se)
{
    const struct amd_slot slot = amd_workload_manager_unstage(dispatch, se, ace);
    uint32_t link = slot.saved;

    if (link == 0) {
        link = amd_cwsr_new(dispatch);
        amd_saved(dispatch, link)->block_index = slot.block_index;
        amd_saved(dispatch, link)->stopped_ps = machine_now(dispatch->machine);
        amd_saved(dispatch, link)->se = se;
    }
    amd_cwsr_push(dispatch, amd_dispatch_grid(dispatch, slot.grid), link);
}

/* Two lists that are sorted, as one. */
static uint32_t amd_cwsr_merge(const struct amd_dispatch *dispatch, uint32_t a, uint32_t b)
{
    uint32_t first = 0, *link = &first;

    while (a != 0 && b != 0) {
        uint32_t *least =
            amd_saved(dispatch, a)->block_index < amd_saved(dispatch, b)->block_index ? &a : &b;

        *link = *least;
        link = &amd_saved(dispatch, *least)->next;
        *least = *link;
    }
    *link = a != 0 ? a : b;
    return first;
}

/* By the numbers of the blocks.  lists[n] has none or 2^n. */
static void amd_cwsr_sort(const struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    uint32_t lists[AMD_SORT_LISTS] = {0}, left = grid->first_saved, sorted = 0;

    while (left != 0) {
        uint32_t one = left, n = 0;

        left = amd_saved(dispatch, one)->next;
        amd_saved(dispatch, one)->next = 0;
        for (; lists[n] != 0; n++) {
            one = amd_cwsr_merge(dispatch, lists[n], one);
            lists[n] = 0;
        }
        lists[n] = one;
    }
    for (uint32_t n = 0; n < AMD_SORT_LISTS; n++)
        sorted = amd_cwsr_merge(dispatch, lists[n], sorted);
    grid->first_saved = sorted;
}

/* The queue has no dispatches. */
static void amd_cwsr_empty(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue)
{
    struct amd_ace *unit = &dispatch->state->aces[ace];

    for (uint32_t link = unit->queues[queue].first; link != 0;) {
        struct amd_grid *grid = amd_dispatch_grid(dispatch, link);

        amd_ace_log_wait(dispatch, grid);
        link = grid->next;
        grid->next = 0;
    }
    unit->queues[queue] = (struct amd_queue){0};
    unit->busy_queues &= ~(1u << queue);
    unit->held_queues &= ~(1u << queue);
    /* They may come back with other masks. A block of another queue that waits is looked at anew.
     */
    for (uint32_t se = 0; se < AMD_SHADER_ENGINES_MAX; se++) {
        dispatch->state->managers[se].wants[ace] = (struct amd_want){0};
        if (dispatch->state->managers[se].staged >> ace & 1)
            dispatch->state->due_ses |= 1u << se;
    }
    dispatch->state->due_aces |= 1u << ace;
    amd_cwsr_wake(dispatch);
}

void amd_cwsr_stop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue, uint32_t context)
{
    const struct amd_cwsr_owner owner = {.ace = ace, .queue = queue};
    struct amd_dispatch_state *state = dispatch->state;

    assert(context != 0);
    amd_cwsr_walk(dispatch, &owner, amd_cwsr_save_block, NULL);
    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++)
        if (amd_cwsr_is_staged(dispatch, &owner, se))
            amd_cwsr_save_staged(dispatch, ace, se);
    amd_cwsr_empty(dispatch, ace, queue);
    for (uint32_t i = 0; i < state->used_grids; i++)
        if (amd_cwsr_is_of(&state->grids[i], &owner)) {
            amd_cwsr_sort(dispatch, &state->grids[i]);
            state->grids[i].context = context;
            state->grids[i].wait_from_ps = machine_now(dispatch->machine);
        }
}

static void amd_cwsr_release_block(struct amd_dispatch *dispatch, void *context, uint32_t se,
                                   uint32_t cu, uint32_t slot)
{
    (void)context;
    amd_cu_release(amd_dispatch_cu(dispatch, se, cu), slot);
    amd_workload_manager_freed(dispatch, se, cu);
    amd_dispatch_touch(dispatch, se, cu);
}

void amd_cwsr_release(struct amd_dispatch *dispatch, uint32_t context)
{
    const struct amd_cwsr_owner owner = {.context = context};

    amd_cwsr_walk(dispatch, &owner, amd_cwsr_release_block, NULL);
    amd_cwsr_wake(dispatch);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* The context's dispatches in the order in which they were launched. */
static uint32_t amd_cwsr_in_order(const struct amd_dispatch *dispatch, uint32_t context,
                                  uint32_t grids[AMD_GRIDS_MAX])
{
    const struct amd_cwsr_owner owner = {.context = context};
    const struct amd_dispatch_state *state = dispatch->state;
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->used_grids; i++) {
        uint32_t at = count;

        if (!amd_cwsr_is_of(&state->grids[i], &owner))
            continue;
        for (; at > 0 && state->grids[grids[at - 1]].grid_id > state->grids[i].grid_id; at--)
            grids[at] = grids[at - 1];
        grids[at] = i;
        count++;
    }
    return count;
}

static void amd_cwsr_set_masks(const struct amd_dispatch *dispatch, struct amd_grid *grid,
                               const uint32_t *cu_masks)
{
    uint32_t any = 0, masks[AMD_SHADER_ENGINES_MAX] = {0};

    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++) {
        masks[se] = cu_masks[se] & ((1u << dispatch->chip->engine_cus[se]) - 1);
        any |= masks[se];
    }
    for (uint32_t se = 0; se < AMD_SHADER_ENGINES_MAX && any != 0; se++)
        grid->cu_masks[se] = (uint16_t)masks[se];
}

void amd_cwsr_resume(struct amd_dispatch *dispatch, uint32_t context, uint32_t ace, uint32_t queue,
                     const uint32_t cu_masks[AMD_SHADER_ENGINES_MAX])
{
    uint32_t grids[AMD_GRIDS_MAX];
    const uint32_t count = amd_cwsr_in_order(dispatch, context, grids);

    for (uint32_t i = 0; i < count; i++) {
        struct amd_grid *grid = &dispatch->state->grids[grids[i]];

        grid->context = 0;
        grid->ace = (uint8_t)ace;
        grid->queue = (uint8_t)queue;
        amd_cwsr_set_masks(dispatch, grid, cu_masks);
        if (grid->wait_from_ps < machine_now(dispatch->machine))
            MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_WAIT, RULE_AMD_CWSR,
                        grid->wait_from_ps, SUBJECT_GRID, grid->grid_id, SUBJECT_NONE, 0);
        amd_ace_requeue(dispatch, grid);
    }
    amd_cwsr_wake(dispatch);
}

/* Does the next saved block take the turn of a new one? */
static bool amd_cwsr_takes_turn(const struct amd_dispatch *dispatch, const struct amd_grid *grid)
{
    const struct amd_saved *saved = amd_saved(dispatch, grid->first_saved);

    machine_meet_choice(dispatch->machine, CHOICE_AMD_RESTORE);
    return grid->cu_masks[saved->se] == 0 ||
           (saved->waves != 0 &&
            dispatch->machine->choices[CHOICE_AMD_RESTORE] == AMD_RESTORE_CYCLIC);
}

uint32_t amd_cwsr_engine(const struct amd_dispatch *dispatch, const struct amd_grid *grid)
{
    return amd_cwsr_takes_turn(dispatch, grid) ? grid->next_se
                                               : amd_saved(dispatch, grid->first_saved)->se;
}

bool amd_cwsr_stage(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    const uint32_t link = grid->first_saved, se = amd_cwsr_engine(dispatch, grid);
    struct amd_saved *saved = amd_saved(dispatch, link);

    if (amd_cwsr_takes_turn(dispatch, grid))
        amd_ace_pass(dispatch, grid);
    grid->first_saved = saved->next;
    saved->next = 0;
    amd_workload_manager_stage(dispatch, se, grid, saved->block_index, link);
    return grid->first_saved != 0 || grid->next_block != grid->block_count;
}

bool amd_cwsr_go_on(struct amd_dispatch *dispatch, const struct amd_slot *slot, uint32_t se,
                    uint32_t cu_index, uint32_t rule)
{
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, slot->grid);
    const struct amd_saved saved = *amd_saved(dispatch, slot->saved);
    struct amd_need need = grid->need;
    uint32_t at;

    amd_cwsr_free(dispatch, slot->saved);
    if (saved.waves == 0)
        return false;
    need.waves = saved.waves; /* the others have ended */
    at = amd_cu_start(dispatch->chip, &dispatch->limits, amd_dispatch_cu(dispatch, se, cu_index),
                      &need, slot->block_index, slot->grid, saved.work_ps);
    amd_workload_manager_taken(dispatch, se, cu_index);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_BLOCK_GO_ON, rule, grid->grid_id,
                slot->block_index, dispatch->first_cu[se] + cu_index, at, saved.waves,
                saved.stopped_ps);
    amd_dispatch_touch(dispatch, se, cu_index);
    return true;
}

/* ---- throwing away --------------------------------------------------------------------------- */

static void amd_cwsr_drop_block(struct amd_dispatch *dispatch, void *context, uint32_t se,
                                uint32_t cu_index, uint32_t slot)
{
    struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);
    const struct amd_block *block = &cu->blocks[slot];
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, block->grid);
    uint64_t work_ps[AMD_BLOCK_WAVES_MAX];

    if (grid->context == 0) {
        amd_cwsr_log_stop(dispatch, grid, block, dispatch->first_cu[se] + cu_index, slot, 0);
        (void)amd_cu_stop(cu, slot, work_ps);
    }
    amd_cwsr_release_block(dispatch, context, se, cu_index, slot);
}

static void amd_cwsr_drop_all(struct amd_dispatch *dispatch, const struct amd_cwsr_owner *owner)
{
    struct amd_dispatch_state *state = dispatch->state;

    amd_cwsr_walk(dispatch, owner, amd_cwsr_drop_block, NULL);
    for (uint32_t i = 0; i < state->used_grids; i++) {
        struct amd_grid *grid = &state->grids[i];

        if (!amd_cwsr_is_of(grid, owner))
            continue;
        while (grid->first_saved != 0) {
            const uint32_t link = grid->first_saved;

            grid->first_saved = amd_saved(dispatch, link)->next;
            amd_cwsr_free(dispatch, link);
        }
        MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_DROP, RULE_NONE, grid->grid_id,
                    grid->ace * dispatch->chip->queues_per_pipe + grid->queue);
        amd_dispatch_free(dispatch, grid);
    }
    amd_cwsr_wake(dispatch);
}

void amd_cwsr_drop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue)
{
    const struct amd_cwsr_owner owner = {.ace = ace, .queue = queue};

    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++)
        if (amd_cwsr_is_staged(dispatch, &owner, se)) {
            const struct amd_slot slot = amd_workload_manager_unstage(dispatch, se, ace);

            if (slot.saved != 0)
                amd_cwsr_free(dispatch, slot.saved);
        }
    amd_cwsr_empty(dispatch, ace, queue);
    amd_cwsr_drop_all(dispatch, &owner);
}

void amd_cwsr_forget(struct amd_dispatch *dispatch, uint32_t context)
{
    const struct amd_cwsr_owner owner = {.context = context};

    amd_cwsr_drop_all(dispatch, &owner);
}
