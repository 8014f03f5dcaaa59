/* SPDX-License-Identifier: MIT */
/*
 * Resets of engines while a TSG in error is torn down (rm_recover.c): of the one that it is still
 * on; or, with choice rm.reset_scope=gpu, of all.  Then no context is on any engine any more, and
 * every TSG is torn down as well, one runlist beside the other, for an error that is not its own
 * (Xid 45). ASSUMED: what a driver would do beyond that (memory, its own channels) is not modelled.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* Off and on: its bit of NV_PMC_ENABLE, from Ampere on of NV_PMC_DEVICE_ENABLE. */
void rm_reset_engine(struct rm *rm, const struct rm_engine *engine, uint32_t tsg_id)
{
    const uint32_t at = NV_PMC_BASE + (rm->chip->blocks ? NV_PMC_DEVICE_ENABLE : NV_PMC_ENABLE);
    uint32_t word;

    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_RESET, RULE_RM_RC, engine->runlist_id, tsg_id,
                engine->engine_id);
    if (engine->reset_id >= 32)
        return; /* nothing resets it */
    word = machine_read32(rm->machine, at);
    machine_write32(rm->machine, at, word & ~(1u << engine->reset_id));
    machine_write32(rm->machine, at, word | 1u << engine->reset_id);
}

/* The next TSG, or channel outside TSGs, of the list; when there is none the runlist is clear. */
void rm_reset_clear(struct rm *rm, uint32_t runlist_id)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];
    struct rm_entry first, second;
    struct rm_list list;

    rm_runlist_find(rm, runlist_id, &list);
    recovery->clears = list.length > 0 && rm_runlist_entry(rm, &list, 0, &first) &&
                       (!first.is_tsg || (first.length > 0 && list.length > 1 &&
                                          rm_runlist_entry(rm, &list, 1, &second)));
    if (recovery->clears)
        rm_recover_innocent(rm, runlist_id, first.is_tsg ? first.id : RM_NONE,
                            first.is_tsg ? second.id : first.id, recovery->because);
}

void rm_reset_gpu(struct rm *rm, uint32_t runlist_id)
{
    const struct rm_recovery guilty = rm->state->recoveries[runlist_id];

    for (uint32_t i = 0; i < rm->state->engine_count; i++)
        rm_reset_engine(rm, &rm->state->engines[i], guilty.tsg_id);
    for (uint32_t i = 0; i < rm->state->runlist_count; i++) {
        struct rm_recovery *recovery = &rm->state->recoveries[i];

        recovery->clears = 1;
        recovery->because = guilty.xid;
        if (!recovery->active)
            rm_reset_clear(rm, i);
    }
}
