/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_dispatch.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/amd_ace.h"
#include "devices/amd/amd_cwsr.h"
#include "devices/amd/amd_dispatch_open.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_tables.h"
#include "devices/amd/amd_workload_manager.h"
#include "devices/core/core_events.h"

__extension__ typedef unsigned __int128 wide;

/* CU time of a wave that an injected fault lets hang: eleven days. */
#define AMD_WAVE_STUCK_PS UINT64_C(1000000000000000000)

static void amd_dispatch_event(void *unit, const struct event *event);
static void amd_dispatch_prepare(void *unit);

static const struct unit_ops amd_dispatch_ops = {
    .event = amd_dispatch_event, .prepare = amd_dispatch_prepare, .finish = amd_dispatch_finish};

/* One timer for each of a number of parts; returns the first one's number, the others follow. */
static uint32_t amd_dispatch_add_timers(struct machine *machine, uint32_t count)
{
    const uint32_t first = machine_add_timer(machine);

    for (uint32_t i = 1; i < count; i++)
        (void)machine_add_timer(machine);
    return first;
}

void amd_dispatch_wire(struct amd_dispatch *dispatch, struct machine *machine,
                       const struct amd_chip *chip)
{
    uint32_t cus = 0;

    assert(chip->pipes_per_mec <= AMD_PIPES_MAX && chip->simds_per_cu <= AMD_SIMDS_MAX &&
           chip->simds_per_cu * chip->waves_per_simd <= AMD_CU_WAVES_MAX);
    assert((chip->vgpr_unit & (chip->vgpr_unit - 1)) == 0 &&
           (chip->sgpr_unit & (chip->sgpr_unit - 1)) == 0);
    dispatch->machine = machine;
    dispatch->chip = chip;
    dispatch->clock = clock_make(chip->shader_hz, 0);
    dispatch->cycle_ps = GFE_PS_PER_S / chip->shader_hz + 1;
    memset(dispatch->engine_cus, 0, sizeof dispatch->engine_cus);
    for (uint32_t i = 0; i < chip->shader_engine_count; i++) {
        dispatch->first_cu[i] = cus;
        dispatch->engine_cus[i] = (1u << chip->engine_cus[i]) - 1;
        cus += chip->engine_cus[i];
    }
    dispatch->unit = machine_add_unit(machine, "dispatch", &amd_dispatch_ops, dispatch);
    /* At equal times ends come first: what they free can be given. */
    dispatch->cu_timers = amd_dispatch_add_timers(machine, AMD_CUS_MAX);
    dispatch->se_timers = amd_dispatch_add_timers(machine, AMD_SHADER_ENGINES_MAX);
    dispatch->ace_timers = amd_dispatch_add_timers(machine, AMD_PIPES_MAX);
    dispatch->state = machine_alloc(machine, sizeof *dispatch->state);
}

/* Parameters are set after the wiring: so they are read when they are needed first. */
static __attribute__((noinline)) void amd_dispatch_set_limits(struct amd_dispatch *dispatch)
{
    const uint64_t waves = machine_parameter(dispatch->machine, PARAM_AMD_CU_WAVES);
    const uint64_t full = machine_parameter(dispatch->machine, PARAM_AMD_FULL_RATE_WAVES);
    const uint32_t most = dispatch->chip->simds_per_cu * dispatch->chip->waves_per_simd;

    dispatch->limits.waves = waves < most ? (uint32_t)waves : most;
    dispatch->is_bound = waves < most;
    dispatch->limits.full_rate_waves = full == 0 ? 1 : full < most ? (uint32_t)full : most;
}

/* A state that is restored may have dispatches in it. */
static void amd_dispatch_prepare(void *unit)
{
    struct amd_dispatch *dispatch = unit;

    amd_dispatch_set_limits(dispatch);
    dispatch->fit = (struct amd_fit){0};
}

/* ---- dispatches ------------------------------------------------------------------------------ */

bool amd_dispatch_has_room(const struct amd_dispatch *dispatch)
{
    return dispatch->state->grid_count < AMD_GRIDS_MAX;
}

/* What follows from a kind, under the limits that hold now. */
static __attribute__((noinline)) void amd_dispatch_find_fit(struct amd_dispatch *dispatch,
                                                            const struct amd_kind *kind)
{
    struct amd_fit *fit = &dispatch->fit;
    uint32_t cus = 0;

    *fit = (struct amd_fit){.kind = *kind};
    for (uint32_t se = 0; se < dispatch->chip->shader_engine_count; se++) {
        const uint32_t mask = kind->cu_masks[se] & dispatch->engine_cus[se];

        fit->cu_masks[se] = (uint16_t)mask;
        fit->masks_logged[se / 4] |= (uint64_t)mask << se % 4 * 16;
        fit->is_masked = fit->is_masked || mask != dispatch->engine_cus[se];
        cus |= mask;
    }
    if (!amd_need_make(dispatch->chip, &dispatch->limits, kind->block_threads, kind->vgprs,
                       kind->sgprs, kind->lds_bytes, &fit->need))
        fit->fault = AMD_LAUNCH_TOO_LARGE;
    else
        fit->fault = cus != 0 ? AMD_LAUNCH_FITS : AMD_LAUNCH_NO_CU;
}

/* By no longer words than they may just have been written in: a load across several stores waits
 * until these are in the cache. */
static bool amd_kind_is(const struct amd_kind *kind, const struct amd_kind *other)
{
    for (uint32_t se = 0; se < AMD_SHADER_ENGINES_MAX; se += 2)
        if (memcmp(&kind->cu_masks[se], &other->cu_masks[se], 2 * sizeof *kind->cu_masks) != 0)
            return false;
    return kind->block_threads == other->block_threads && kind->lds_bytes == other->lds_bytes &&
           kind->vgprs == other->vgprs && kind->sgprs == other->sgprs;
}

/* Launches come in series of the same kind.  Before the first event parameters may still be set. */
enum amd_launch_fault amd_dispatch_fault(struct amd_dispatch *dispatch,
                                         const struct amd_launch *launch)
{
    const bool is_known = dispatch->machine->prepared && launch->kind.block_threads != 0 &&
                          amd_kind_is(&launch->kind, &dispatch->fit.kind);

    if (RARELY(!dispatch->machine->prepared))
        amd_dispatch_set_limits(dispatch);
    if (!is_known)
        amd_dispatch_find_fit(dispatch, &launch->kind);
    return dispatch->fit.fault;
}

static struct amd_grid *amd_dispatch_new(struct amd_dispatch *dispatch)
{
    struct amd_dispatch_state *state = dispatch->state;
    uint32_t link = state->free_grid;

    if (link != 0)
        state->free_grid = amd_dispatch_grid(dispatch, link)->next;
    else
        link = ++state->used_grids;
    state->grid_count++;
    /* Free ones hold nothing else. */
    amd_dispatch_grid(dispatch, link)->next = 0;
    return amd_dispatch_grid(dispatch, link);
}

static void amd_dispatch_log_launch(const struct amd_dispatch *dispatch,
                                    const struct amd_grid *grid, const struct amd_launch *launch)
{
    const uint32_t channel = grid->ace * dispatch->chip->queues_per_pipe + grid->queue;
    const struct amd_fit *fit = &dispatch->fit;

    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_QUEUE, RULE_NONE, grid->grid_id,
                channel, grid->block_count, launch->kind.block_threads, launch->kind.lds_bytes,
                launch->kind.vgprs, launch->packet_sequence, launch->packet_address);
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_AMD_DISPATCH,
                fit->is_masked ? RULE_A_M1 : RULE_NONE, grid->grid_id, grid->ace, grid->queue,
                fit->need.waves, launch->kind.sgprs, fit->masks_logged[0], fit->masks_logged[1],
                grid->block_ps);
}

/* Values that a jitter can have. */
static uint64_t amd_jitter_values(uint32_t ppm)
{
    return 2 * (uint64_t)ppm + 1;
}

static uint64_t amd_jitter_reciprocal(uint32_t ppm)
{
    return ppm == 0 ? UINT64_MAX : UINT64_MAX / amd_jitter_values(ppm);
}

static struct amd_variation *amd_dispatch_variation(const struct amd_dispatch *dispatch,
                                                    const struct amd_grid *grid)
{
    return &dispatch->state->variations[grid - dispatch->state->grids];
}

/* Divisions that a dispatch's blocks and waves have in common are made once.  All is 0 so far. */
static __attribute__((noinline)) void amd_dispatch_vary(const struct amd_dispatch *dispatch,
                                                        struct amd_grid *grid,
                                                        const struct amd_cost *cost)
{
    struct amd_variation *variation = amd_dispatch_variation(dispatch, grid);

    grid->varies = 1;
    variation->block_jitter_ppm = cost->block_jitter_ppm;
    variation->wave_jitter_ppm = cost->wave_jitter_ppm;
    variation->cold_ppm = cost->cold_ppm;
    if ((cost->block_jitter_ppm | cost->wave_jitter_ppm) == 0)
        return;
    variation->jitter_seed = random_splitmix64(cost->seed);
    variation->block_reciprocal = amd_jitter_reciprocal(cost->block_jitter_ppm);
    variation->wave_reciprocal = amd_jitter_reciprocal(cost->wave_jitter_ppm);
}

/* Schedules the look of the ACEs at dispatches that have joined their queues, after all other
 * events that are due now. */
static void amd_dispatch_schedule_launched(struct amd_dispatch *dispatch)
{
    dispatch->launched = false;
    machine_schedule(dispatch->machine, dispatch->unit, machine_now(dispatch->machine),
                     AMD_EVENT_LAUNCH, 0);
}

uint64_t amd_dispatch_launch(struct amd_dispatch *dispatch, const struct amd_launch *launch)
{
    struct machine *machine = dispatch->machine;
    struct amd_grid *grid;
    const struct amd_fit *fit = &dispatch->fit;

    assert(fit->kind.block_threads == launch->kind.block_threads);
    assert(fit->fault == AMD_LAUNCH_FITS && amd_dispatch_has_room(dispatch) &&
           launch->cost.block_ps <= AMD_WORK_MAX_PS);
    assert(launch->ace < dispatch->chip->pipes_per_mec &&
           launch->queue < dispatch->chip->queues_per_pipe);
    grid = amd_dispatch_new(dispatch);
    grid->grid_id = machine_operation_id(machine);
    grid->block_count = launch->block_count;
    grid->queued_ps = machine_now(machine);
    grid->block_ps = launch->cost.block_ps;
    if ((launch->cost.block_jitter_ppm | launch->cost.wave_jitter_ppm | launch->cost.cold_ppm) != 0)
        amd_dispatch_vary(dispatch, grid, &launch->cost);
    grid->need = fit->need;
    memcpy(grid->cu_masks, fit->cu_masks, sizeof grid->cu_masks);
    grid->ace = (uint8_t)launch->ace;
    grid->queue = (uint8_t)launch->queue;
    amd_dispatch_log_launch(dispatch, grid, launch);
    if (RARELY(grid->block_count > machine_parameter(machine, PARAM_AMD_LARGEST_GRID_BLOCKS))) {
        machine_fail(machine, ERROR_LIMIT,
                     "a dispatch has %llu blocks; at most %llu are run (--param "
                     "amd.largest_grid_blocks=N)",
                     (unsigned long long)grid->block_count,
                     (unsigned long long)machine_parameter(machine, PARAM_AMD_LARGEST_GRID_BLOCKS));
        return grid->grid_id;
    }
    if (grid->block_count != 0) {
        amd_ace_enqueue(dispatch, grid);
        dispatch->launched = true;
        if (!dispatch->says_launched)
            amd_dispatch_schedule_launched(dispatch);
    } else {
        machine_schedule(machine, dispatch->unit, machine_now(machine), AMD_EVENT_EMPTY,
                         (uint64_t)(grid - dispatch->state->grids));
    }
    return grid->grid_id;
}

void amd_dispatch_free(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    struct amd_dispatch_state *state = dispatch->state;

    if (grid->varies)
        *amd_dispatch_variation(dispatch, grid) = (struct amd_variation){0};
    *grid = (struct amd_grid){.next = state->free_grid};
    state->free_grid = (uint32_t)(grid - state->grids) + 1;
    state->grid_count--;
}

static OFTEN void amd_dispatch_end(struct amd_dispatch *dispatch, struct amd_grid *grid)
{
    const uint64_t grid_id = grid->grid_id;
    const uint32_t ace = grid->ace, queue = grid->queue;

    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_GRID_END, RULE_NONE, grid_id,
                ace * dispatch->chip->queues_per_pipe + queue, grid->queued_ps, grid->started_ps);
    amd_dispatch_free(dispatch, grid);
    if (machine_inject(dispatch->machine, dispatch->unit, CORE_INJECT_GRID_END, grid_id, NULL, 0))
        dispatch->client.done(dispatch->client.client, ace, queue, grid_id);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* `work` times `ppm` millionths. */
static uint64_t amd_scale(uint64_t work, uint64_t ppm)
{
    if (ppm == AMD_PPM)
        return work;
    if (work >> 40 == 0)
        return work * ppm / AMD_PPM;
    return (uint64_t)((wide)work * ppm / AMD_PPM);
}

/* `work` less or more up to `ppm` millionths, each value as likely, by a number that has nothing to
 * do with any other's.  What the reciprocal gives falls short of the quotient by at most 1. */
static uint64_t amd_jitter(uint64_t work, uint32_t ppm, uint64_t reciprocal, uint64_t seed)
{
    uint64_t number, values, rest;

    if (ppm == 0)
        return work;
    number = random_splitmix64(seed);
    values = amd_jitter_values(ppm);
    rest = number - (uint64_t)((wide)number * reciprocal >> 64) * values;
    rest -= rest >= values ? values : 0;
    return amd_scale(work, AMD_PPM - ppm + rest);
}

/* Has no wave of the dispatch ended on that CU so far? */
static bool amd_dispatch_is_cold(struct amd_variation *variation, uint32_t link,
                                 const struct amd_cu *cu, uint32_t at)
{
    if (variation->cold_ppm == 0 || variation->warm[at / 64] >> at % 64 & 1)
        return false;
    for (uint64_t left = cu->slots; left != 0; left &= left - 1) {
        const struct amd_block *block = &cu->blocks[__builtin_ctzll(left)];

        if (block->grid == link && block->waves != block->need.waves) {
            variation->warm[at / 64] |= UINT64_C(1) << at % 64;
            return false;
        }
    }
    return true;
}

/* Computes the work of a block's waves with the jitter and the cold start of its dispatch. */
static __attribute__((noinline)) void amd_dispatch_vary_work(const struct amd_dispatch *dispatch,
                                                             const struct amd_slot *slot,
                                                             uint32_t at,
                                                             uint64_t work[AMD_BLOCK_WAVES_MAX])
{
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, slot->grid);
    struct amd_variation *variation = amd_dispatch_variation(dispatch, grid);
    const bool is_cold = amd_dispatch_is_cold(variation, slot->grid, &dispatch->state->cus[at], at);
    const uint64_t seed = variation->jitter_seed ^ slot->block_index << 8;
    const uint64_t block =
        amd_jitter(grid->block_ps, variation->block_jitter_ppm, variation->block_reciprocal, seed);
    const uint32_t waves = grid->need.waves, ppm = variation->wave_jitter_ppm;
    const uint64_t share = waves > 1 ? block / waves : block;
    const uint64_t wave = amd_scale(share, AMD_PPM + (is_cold ? variation->cold_ppm : 0));
    const uint64_t reciprocal = variation->wave_reciprocal;

    for (uint32_t i = 0; i < waves; i++)
        work[i] = amd_jitter(wave, ppm, reciprocal, seed + 1 + i);
}

/* The work of each of a block's waves. */
static void amd_dispatch_work(const struct amd_dispatch *dispatch, const struct amd_slot *slot,
                              uint32_t at, uint64_t work[AMD_BLOCK_WAVES_MAX])
{
    const struct amd_grid *grid = amd_dispatch_grid(dispatch, slot->grid);
    const uint32_t waves = grid->need.waves;

    if (grid->varies) {
        amd_dispatch_vary_work(dispatch, slot, at, work);
        return;
    }
    work[0] = waves > 1 ? grid->block_ps / waves : grid->block_ps;
    for (uint32_t i = 1; i < waves; i++)
        work[i] = work[0];
}

OFTEN void amd_dispatch_start(struct amd_dispatch *dispatch, const struct amd_slot *slot,
                              uint32_t se, uint32_t cu_index, uint32_t rule)
{
    struct machine *machine = dispatch->machine;
    struct amd_dispatch_state *state = dispatch->state;
    struct amd_grid *grid = amd_dispatch_grid(dispatch, slot->grid);
    const uint32_t number = dispatch->first_cu[se] + cu_index;
    const uint32_t at = se * AMD_CUS_PER_ENGINE_MAX + cu_index;
    uint64_t work[AMD_BLOCK_WAVES_MAX];
    uint32_t block_slot;

    if (slot->saved != 0 && amd_cwsr_go_on(dispatch, slot, se, cu_index, rule))
        return;
    if (slot->block_index == 0) {
        grid->started_ps = machine_now(machine);
        MACHINE_LOG(machine, dispatch->unit, EVENT_GRID_START, RULE_A_O1, grid->grid_id,
                    grid->ace * dispatch->chip->queues_per_pipe + grid->queue);
    }
    amd_dispatch_work(dispatch, slot, at, work);
    if (RARELY(!machine_inject(machine, dispatch->unit, AMD_INJECT_WAVE, number, NULL, 0)))
        work[0] = AMD_WAVE_STUCK_PS;
    block_slot = amd_cu_start(dispatch->chip, &dispatch->limits, &state->cus[at], &grid->need,
                              slot->block_index, slot->grid, work);
    if (amd_dispatch_is_waited(dispatch, se))
        amd_workload_manager_taken(dispatch, se, cu_index);
    MACHINE_LOG(machine, dispatch->unit, EVENT_BLOCK_START, rule, grid->grid_id, slot->block_index,
                number, block_slot);
    amd_dispatch_touch(dispatch, se, cu_index);
}

static void amd_dispatch_block_end(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu_index,
                                   uint32_t slot)
{
    struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);
    struct amd_grid *grid = amd_dispatch_grid(dispatch, cu->blocks[slot].grid);
    const uint32_t at = se * AMD_CUS_PER_ENGINE_MAX + cu_index;

    if (RARELY(!machine_inject(dispatch->machine, dispatch->unit, AMD_INJECT_CU,
                               dispatch->first_cu[se] + cu_index, NULL, 0) ||
               !machine_inject(dispatch->machine, dispatch->unit, CORE_INJECT_BLOCK_END,
                               grid->grid_id, NULL, 0)))
        return; /* a fault lost the end of the block */
    MACHINE_LOG(dispatch->machine, dispatch->unit, EVENT_BLOCK_END, RULE_NONE, grid->grid_id,
                cu->blocks[slot].block_index, dispatch->first_cu[se] + cu_index, slot);
    amd_cu_remove(cu, slot);
    if (grid->varies)
        amd_dispatch_variation(dispatch, grid)->warm[at / 64] |= UINT64_C(1) << at % 64;
    if (++grid->done_count == grid->block_count)
        amd_dispatch_end(dispatch, grid);
}

OFTEN void amd_dispatch_run_cu(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu_index)
{
    struct amd_cu *cu = amd_dispatch_cu(dispatch, se, cu_index);
    const uint32_t waves = cu->wave_count;
    uint64_t ended;

    ended = amd_cu_advance(&dispatch->limits, cu, machine_now(dispatch->machine));
    if (cu->wave_count == waves)
        return;
    amd_dispatch_touch(dispatch, se, cu_index);
    if (amd_dispatch_is_waited(dispatch, se))
        amd_workload_manager_ended(dispatch, se, cu_index);
    for (; ended != 0; ended &= ended - 1)
        amd_dispatch_block_end(dispatch, se, cu_index, (uint32_t)__builtin_ctzll(ended));
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Looks up when something may happen next on a CU. */
static void amd_dispatch_arm_cu(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    struct amd_dispatch_state *state = dispatch->state;
    const uint32_t at = se * AMD_CUS_PER_ENGINE_MAX + cu;
    const gfe_ps wants_ps = amd_dispatch_is_waited(dispatch, se)
                                ? amd_workload_manager_wants_ps(dispatch, se, cu)
                                : GFE_PS_NEVER;
    const gfe_ps end_ps = amd_cu_end_ps(&dispatch->limits, &state->cus[at]);
    const gfe_ps next_ps = wants_ps < end_ps ? wants_ps : end_ps;

    if (next_ps == state->due_ps[at] && next_ps > machine_now(dispatch->machine))
        return;
    state->due_ps[at] = next_ps;
    if (next_ps != GFE_PS_NEVER)
        machine_set_timer(dispatch->machine, dispatch->cu_timers + at, dispatch->unit, next_ps,
                          AMD_EVENT_CU, at);
    else
        machine_stop_timer(dispatch->machine, dispatch->cu_timers + at);
}

/* On those on which something has changed. */
static void amd_dispatch_arm(struct amd_dispatch *dispatch)
{
    struct amd_dispatch_state *state = dispatch->state;
    uint32_t ses = state->touched_ses;

    for (state->touched_ses = 0; ses != 0; ses &= ses - 1) {
        const uint32_t se = (uint32_t)__builtin_ctz(ses);
        uint32_t cus = state->touched[se];

        for (state->touched[se] = 0; cus != 0; cus &= cus - 1)
            amd_dispatch_arm_cu(dispatch, se, (uint32_t)__builtin_ctz(cus));
    }
}

/* Lets ACEs and workload managers do what they can, until none can do more. */
static OFTEN void amd_dispatch_settle(struct amd_dispatch *dispatch)
{
    struct amd_dispatch_state *state = dispatch->state;

    while (state->due_ses != 0 || state->due_aces != 0) {
        for (uint32_t due = state->due_ses; due != 0; due &= due - 1) {
            const uint32_t se = (uint32_t)__builtin_ctz(due);

            state->due_ses &= ~(1u << se);
            amd_workload_manager_place(dispatch, se);
        }
        for (uint32_t due = state->due_aces; due != 0; due &= due - 1) {
            const uint32_t ace = (uint32_t)__builtin_ctz(due);

            state->due_aces &= ~(1u << ace);
            amd_ace_stage(dispatch, ace);
        }
    }
    amd_dispatch_arm(dispatch);
}

void amd_dispatch_launched(struct amd_dispatch *dispatch)
{
    if (!dispatch->launched)
        return;
    if (!event_queue_none_now(&dispatch->machine->queue)) {
        amd_dispatch_schedule_launched(dispatch);
        return;
    }
    dispatch->launched = false;
    amd_dispatch_settle(dispatch);
}

static OFTEN void amd_dispatch_event(void *unit, const struct event *event)
{
    struct amd_dispatch *dispatch = unit;
    struct amd_dispatch_state *state = dispatch->state;
    const uint32_t at = (uint32_t)event->argument;

    switch (event->kind) {
    case AMD_EVENT_CU:
        amd_dispatch_touch(dispatch, at / AMD_CUS_PER_ENGINE_MAX, at % AMD_CUS_PER_ENGINE_MAX);
        amd_dispatch_advance(dispatch, at / AMD_CUS_PER_ENGINE_MAX, at % AMD_CUS_PER_ENGINE_MAX);
        break;
    case AMD_EVENT_SE:
        state->managers[at].timer_runs = 0;
        state->due_ses |= 1u << at;
        break;
    case AMD_EVENT_ACE:
        amd_ace_slice_end(dispatch, at);
        break;
    case AMD_EVENT_LAUNCH:
        break; /* it has joined its queue */
    case AMD_EVENT_WAKE:
        state->wakes = 0;
        break;
    case AMD_EVENT_EMPTY:
        amd_dispatch_end(dispatch, &state->grids[at]);
        break;
    default:
        assert(false && "an event that the dispatcher did not schedule");
    }
    amd_dispatch_settle(dispatch);
}
