/* SPDX-License-Identifier: MIT */
/* Masks of SMs (GRID_MASK): where a kernel's blocks may be, and which kernels may pass it. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/check/check_private.h"

/* grid: what its descriptor disables, and whether others pass it */
void check_grid_mask(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the mask");
    const struct check_event event =
        check_event_at(check->now, "kernel %" PRIu64 " has a mask of SMs", values[0]);

    if (!grid)
        return;
    if (values[3] == 0 || values[3] > check->limits->sm_count || grid->started > 0) {
        check_violation(check, "LOG", &grid->queued, &event,
                        grid->started > 0 ? "a block of it has started before"
                                          : "a bit stands for no SM, or for more than there are");
        return;
    }
    grid->mask = (struct mask128){{values[1], values[2]}};
    grid->sms_per_bit = (uint32_t)values[3];
    grid->is_passed = values[4] != 0;
}

static bool is_disabled(const struct check_grid *grid, uint32_t sm)
{
    return grid->sms_per_bit > 0 && mask128_bit(&grid->mask, sm / grid->sms_per_bit);
}

void check_mask_block(struct check *check, const struct check_grid *grid, uint32_t sm,
                      const struct check_event *event)
{
    if (is_disabled(grid, sm))
        check_violation(check, "CORE.SM_MASK", &grid->queued, event,
                        "its descriptor disables SM %" PRIu32, sm);
}

/* Returns true if the SM surely has room for a block.  How registers and splits are shared out may
 * take room that is counted here as free, so a block's worth of registers has to be left. */
static bool has_room(const struct check *check, const struct check_grid *grid, uint32_t index)
{
    const struct check_limits *limits = check->limits;
    const struct check_sm *sm = &check->sms[index];

    return sm->blocks < limits->blocks_per_sm &&
           sm->threads + grid->threads <= limits->threads_per_sm &&
           sm->registers + 2 * grid->registers <= limits->registers_per_sm &&
           sm->shared_bytes + grid->shared_bytes <= limits->shared_bytes_per_sm &&
           (sm->blocks == 0 || grid->least_split_bytes == 0);
}

bool check_mask_passed(const struct check *check, const struct check_grid *waits,
                       const struct check_grid *other)
{
    if (!waits->is_passed || mask128_equal(&waits->mask, &other->mask))
        return false;
    if (waits->cluster > 1) /* where clusters fit depends on groups of SMs, of which no log tells */
        return true;
    for (uint32_t i = 0; i < check->limits->sm_count; i++)
        if (!is_disabled(waits, i) && has_room(check, waits, i))
            return false;
    return true;
}
