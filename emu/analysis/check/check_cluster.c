/* SPDX-License-Identifier: MIT */
/* Clusters of blocks (GRID_CLUSTER): that they start together, each block on another SM. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/analysis/check/check_private.h"

/* grid: how many of its blocks start together */
void check_grid_cluster(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the clusters");
    const struct check_event event = check_event_at(
        check->now, "kernel %" PRIu64 " has clusters of %" PRIu64 " blocks", values[0], values[1]);

    if (!grid)
        return;
    if (values[1] == 0 || values[1] > check->limits->sm_count ||
        grid->block_count % values[1] != 0 || grid->started > 0) {
        check_violation(check, "CORE.CLUSTER", &grid->queued, &event,
                        grid->started > 0 ? "a block of it has started before"
                                          : "it has no whole number of them");
        return;
    }
    grid->cluster = (uint32_t)values[1];
}

void check_cluster_block(struct check *check, struct check_grid *grid, uint64_t block, uint32_t sm,
                         const struct check_event *event)
{
    if (grid->cluster == 0)
        return;
    if (block % grid->cluster == 0) {
        grid->cluster_ps = check->now;
        memset(grid->cluster_sms, 0, sizeof grid->cluster_sms);
    } else if (grid->cluster_ps != check->now) {
        check_violation(check, "CORE.CLUSTER", &grid->queued, event,
                        "the first block of its cluster started at another time");
    }
    if (grid->cluster_sms[sm / 64] >> sm % 64 & 1)
        check_violation(check, "CORE.CLUSTER", &grid->queued, event,
                        "SM %" PRIu32 " has another block of its cluster", sm);
    grid->cluster_sms[sm / 64] |= UINT64_C(1) << sm % 64;
}
