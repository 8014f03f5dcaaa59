/* SPDX-License-Identifier: MIT */
/* AMD's CUs: whose blocks may be there, what they hold, and which blocks are passed over. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/check/check_dispatch.h"

static uint32_t engine_of_cu(const struct check *check, uint64_t cu)
{
    uint32_t engine = 0;

    while (engine + 1 < check->limits->engine_count && cu >= check->dispatch->first_cus[engine + 1])
        engine++;
    return engine;
}

static bool may_have(const struct check *check, const struct dispatch_grid *grid, uint64_t cu)
{
    const uint32_t engine = engine_of_cu(check, cu);
    const uint64_t bit = cu - check->dispatch->first_cus[engine];

    return bit < DISPATCH_CU_BITS && (check_dispatch_mask(grid, engine) >> bit & 1);
}

/* ---- CUs --------------------------------------------------------------------------------------
 */

static void cu_take(struct dispatch_cu *cu, const struct dispatch_grid *grid, bool takes)
{
    const uint64_t sign = takes ? 1 : UINT64_MAX;

    cu->block_count += (uint32_t)sign;
    cu->waves += sign * grid->waves;
    cu->vgprs += sign * grid->waves * grid->vgprs;
    cu->sgprs += sign * grid->waves * grid->sgprs;
    cu->lds_bytes += sign * grid->lds_bytes;
    cu->least_vgprs += sign * grid->vgprs;
}

/* Has it room even if no wave of its blocks has ended?  Registers are a SIMD's, so a block of as
 * many waves as SIMDs or fewer may find some of them full: then it is not certain. */
static bool cu_surely_fits(const struct check *check, const struct dispatch_cu *cu,
                           const struct dispatch_grid *grid)
{
    const struct check_limits *limits = check->limits;
    const uint32_t simds = limits->simds_per_cu;
    const uint64_t waves =
        check_dispatch_round(cu->waves, simds) + check_dispatch_round(grid->waves, simds);

    /* Each SIMD may hold one wave more than its share for each block that is not spread evenly. */
    return waves + (uint64_t)simds * cu->block_count <= check->dispatch->wave_limit &&
           cu->vgprs + (uint64_t)(grid->waves + simds * (cu->block_count + 1)) * grid->vgprs <=
               (uint64_t)simds * limits->vgprs_per_simd &&
           cu->sgprs + (uint64_t)(grid->waves + simds * (cu->block_count + 1)) * grid->sgprs <=
               (uint64_t)simds * limits->sgprs_per_simd &&
           cu->lds_bytes + grid->lds_bytes <= limits->shared_bytes_per_sm;
}

/* What it surely holds, now that the block is there. */
static void cu_limits(struct check *check, const struct dispatch_cu *cu,
                      const struct dispatch_grid *grid, const struct check_event *event)
{
    const struct check_limits *limits = check->limits;
    const uint64_t waves = cu->block_count - 1 + (uint64_t)grid->waves;
    const uint64_t vgprs = cu->least_vgprs + (uint64_t)(grid->waves - 1) * grid->vgprs;

    if (waves > check->dispatch->wave_limit)
        check_violation(check, "A.D5", NULL, event,
                        "the CU holds %" PRIu64 " waves at least, of %" PRIu64, waves,
                        check->dispatch->wave_limit);
    if (vgprs > (uint64_t)limits->simds_per_cu * limits->vgprs_per_simd)
        check_violation(check, "A.D5", NULL, event,
                        "the CU holds %" PRIu64 " vector registers at least, of %" PRIu32, vgprs,
                        limits->simds_per_cu * limits->vgprs_per_simd);
    if (cu->lds_bytes > limits->shared_bytes_per_sm)
        check_violation(check, "A.D5", NULL, event,
                        "the CU holds %" PRIu64 " bytes of LDS, of %" PRIu32, cu->lds_bytes,
                        limits->shared_bytes_per_sm);
}

/* Reports blocks that have been in a slot of that shader engine longer, fit, and are passed over by
 * the ACE for the second time. */
static void passed_over(struct check *check, uint32_t ace, uint32_t engine, gfe_ps staged_ps,
                        const struct check_event *event)
{
    struct check_dispatch *dispatch = check->dispatch;

    for (uint32_t other = 0; other < check->limits->ace_count && other < DISPATCH_ACES; other++) {
        struct dispatch_slot *slot = &dispatch->slots[other][engine];
        bool fits = false;

        if (other == ace || slot->grid == CHECK_NONE || slot->staged.time_ps >= staged_ps)
            continue;
        for (uint32_t cu = dispatch->first_cus[engine];
             cu < dispatch->first_cus[engine + 1] && !fits; cu++)
            fits = may_have(check, &dispatch->grids[slot->grid], cu) &&
                   cu_surely_fits(check, &dispatch->cus[cu], &dispatch->grids[slot->grid]);
        if (!fits)
            continue;
        if (slot->passed >> ace & 1)
            check_violation(check, "A.D4", &slot->staged, event,
                            "a block that fits is overtaken by the same ACE twice");
        slot->passed |= 1u << ace;
    }
}

static uint32_t slot_of(const struct check *check, const struct dispatch_grid *grid, uint64_t block)
{
    const uint32_t index = (uint32_t)(grid - check->dispatch->grids);

    for (uint32_t i = 0; i < check->limits->engine_count; i++)
        if (check->dispatch->slots[grid->ace][i].grid == index &&
            check->dispatch->slots[grid->ace][i].block == block)
            return i;
    return CHECK_NONE;
}

/* On that CU, in that slot of it; false: it cannot be. */
static bool cu_put(struct check *check, const struct dispatch_grid *grid, const uint64_t *values,
                   const struct check_event *event)
{
    struct dispatch_cu *cu;

    if (values[2] >= check->limits->sm_count || values[2] >= CHECK_SMS_MAX ||
        values[3] >= DISPATCH_CU_BLOCKS) {
        check_violation(check, "LOG", NULL, event, "no such CU, or no such slot of it");
        return false;
    }
    cu = &check->dispatch->cus[values[2]];
    if (cu->blocks[values[3]].grid != CHECK_NONE) {
        check_violation(check, "LOG", NULL, event, "another block is in that slot of the CU");
        return false;
    }
    if (!may_have(check, grid, values[2]))
        check_violation(check, "A.M1", &grid->queued, event, "its mask does not enable that CU");
    cu->blocks[values[3]].grid = (uint32_t)(grid - check->dispatch->grids);
    cu->blocks[values[3]].block = values[1];
    cu_take(cu, grid, true);
    cu_limits(check, cu, grid, event);
    return true;
}

/* Out of its slot of a workload manager, onto that CU, in that slot of it. */
static void cu_place(struct check *check, const struct dispatch_grid *grid, const uint64_t *values,
                     const struct check_event *event)
{
    struct check_dispatch *dispatch = check->dispatch;
    const uint32_t engine = slot_of(check, grid, values[1]);

    if (engine == CHECK_NONE) {
        check_violation(check, "A.D3", &grid->queued, event, "it is in no slot of its ACE");
        return;
    }
    if (values[2] < check->limits->sm_count && engine_of_cu(check, values[2]) != engine)
        check_violation(check, "A.D2", &dispatch->slots[grid->ace][engine].staged, event,
                        "it was staged in another shader engine, %" PRIu32, engine);
    dispatch->slots[grid->ace][engine].grid = CHECK_NONE;
    if (dispatch->round_robin)
        passed_over(check, grid->ace, engine, dispatch->slots[grid->ace][engine].staged.time_ps,
                    event);
    (void)cu_put(check, grid, values, event);
}

/* grid, block, CU, slot of it */
void check_cu_start(struct check *check, const uint64_t *values)
{
    const struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "a block");
    const struct check_event event = check_event_at(
        check->now, "block %" PRIu64 " of dispatch %" PRIu64 " starts on CU %" PRIu64, values[1],
        values[0], values[2]);

    check->report->block_count++;
    if (grid && grid->known)
        cu_place(check, grid, values, &event);
}

/* Takes it off its CU; false, noted as a violation: it is not there. */
static bool cu_free(struct check *check, const uint64_t *values, const char *what)
{
    struct check_dispatch *dispatch = check->dispatch;
    const struct dispatch_grid *grid = check_dispatch_grid(check, values[0], what);
    const struct check_event event = check_event_at(
        check->now, "%s of block %" PRIu64 " of dispatch %" PRIu64, what, values[1], values[0]);
    struct dispatch_cu *cu = values[2] < check->limits->sm_count && values[2] < CHECK_SMS_MAX
                                 ? &dispatch->cus[values[2]]
                                 : NULL;

    if (!grid)
        return false;
    if (!cu || values[3] >= DISPATCH_CU_BLOCKS ||
        cu->blocks[values[3]].grid != (uint32_t)(grid - dispatch->grids) ||
        cu->blocks[values[3]].block != values[1]) {
        check_violation(check, "LOG", &grid->queued, &event, "it does not run there");
        return false;
    }
    cu->blocks[values[3]].grid = CHECK_NONE;
    cu_take(cu, grid, false);
    return true;
}

void check_cu_end(struct check *check, const uint64_t *values)
{
    if (cu_free(check, values, "the end"))
        check->dispatch->grids[id_map_find(&check->dispatch->grid_ids, values[0])].ended++;
}

void check_cu_stop(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "a stop");

    if (grid) {
        grid->stopped = true;
        grid->to_stage += values[4] > 0; /* what is not saved is thrown away */
    }
    (void)cu_free(check, values, "the stop");
}

void check_cu_go_on(struct check *check, const uint64_t *values)
{
    const struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "a block");
    const struct check_event event = check_event_at(
        check->now, "block %" PRIu64 " of dispatch %" PRIu64 " goes on", values[1], values[0]);

    if (grid && grid->known)
        cu_place(check, grid, values, &event);
}
