/* SPDX-License-Identifier: MIT */
/*
 * Context switches that took too long: Xid 109, and the recovery of the TSG that did not leave its
 * engine, or did not come onto it.
 *
 * Which it is stands in CTXSW_TIMEOUT_INFO, from Turing on: the TSG before while the state is
 * SWITCH or SAVE, the next one while it is LOAD.  ACK_RECEIVED and DROPPED_TIMEOUT mean that the
 * switch ended after all: nothing is to be done (nvgpu hal/fifo/ctxsw_timeout_gv11b_fusa.c, of the
 * same register).  Before Turing there is SCHED_ERROR alone, and ENGINE_STATUS tells.  ASSUMED: the
 * driver prints for these the word that Turing would have.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

enum { RM_RUNLIST_ENGINES = 3 };

/* Returns a channel of that TSG, or RM_NONE if the runlist's list has none. */
static uint32_t rm_timeout_channel(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id)
{
    struct rm_list list;
    struct rm_entry entry;
    bool within = false;

    rm_runlist_find(rm, runlist_id, &list);
    for (uint32_t i = 0; i < list.length && rm_runlist_entry(rm, &list, i, &entry); i++) {
        if (!entry.is_tsg && within)
            return entry.id;
        within = entry.is_tsg && entry.id == tsg_id;
    }
    return RM_NONE;
}

static void rm_timeout_recover(struct rm *rm, uint32_t runlist_id, uint32_t info)
{
    const uint32_t status = REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS);
    const uint32_t state = REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE);
    const uint32_t tsg_id = state == NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD
                                ? REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_NEXT_TSGID)
                                : REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_PREV_TSGID);
    const uint32_t chid = rm_timeout_channel(rm, runlist_id, tsg_id);

    if (status == NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_ACK_RECEIVED ||
        status == NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_DROPPED_TIMEOUT ||
        rm->machine->choices[CHOICE_RM_CTXSW_TIMEOUT] == RM_CTXSW_TIMEOUT_OFF)
        return;
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_CTXSW, RULE_RM_RC, chid, info);
    if (chid != RM_NONE)
        rm_recover(rm, runlist_id, tsg_id, chid, RM_XID_CTXSW_TIMEOUT_ERROR);
}

/* ENGINE_STATUS as the word of Turing's register; false: no switch is under way. */
static bool rm_timeout_of_status(uint32_t word, uint32_t *info)
{
    uint32_t state;

    switch (REG_GET(word, NV_PFIFO_ENGINE_STATUS_CTX_STATUS)) {
    case NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_LOAD:
        state = NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD;
        break;
    case NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SAVE:
        state = NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SAVE;
        break;
    case NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SWITCH:
        state = NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SWITCH;
        break;
    default:
        return false;
    }
    *info = REG_PUT(REG_GET(word, NV_PFIFO_ENGINE_STATUS_ID),
                    NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE, state);
    *info = REG_PUT(*info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_NEXT_TSGID,
                    REG_GET(word, NV_PFIFO_ENGINE_STATUS_NEXT_ID));
    return true;
}

/* Up to Volta: some engine's switch; all that are under way are looked at. */
static void rm_timeouts_by_status(struct rm *rm)
{
    for (uint32_t i = 0; i < rm->state->engine_count; i++) {
        const struct rm_engine *engine = &rm->state->engines[i];
        uint32_t info;

        if (rm_timeout_of_status(
                machine_read32(rm->machine,
                               NV_PFIFO_BASE + NV_PFIFO_ENGINE_STATUS + 8 * engine->engine_id),
                &info))
            rm_timeout_recover(rm, engine->runlist_id, info);
    }
}

void rm_timeouts_pfifo(struct rm *rm, uint32_t intr_0)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_INTR_CTXSW_TIMEOUT;
    uint32_t engines;

    if (!rm->chip->runlists_apart) {
        if (REG_GET(intr_0, NV_PFIFO_INTR_0_SCHED_ERROR) &&
            machine_read32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_INTR_SCHED_ERROR) ==
                NV_PFIFO_INTR_SCHED_ERROR_CODE_CTXSW_TIMEOUT)
            rm_timeouts_by_status(rm);
        return;
    }
    if (!REG_GET(intr_0, NV_PFIFO_INTR_0_CTXSW_TIMEOUT))
        return;
    engines = machine_read32(rm->machine, at);
    for (uint32_t i = 0; i < rm->state->engine_count; i++) {
        const struct rm_engine *engine = &rm->state->engines[i];

        if (engine->engine_id < 32 && engines >> engine->engine_id & 1)
            rm_timeout_recover(rm, engine->runlist_id,
                               machine_read32(rm->machine, NV_PFIFO_BASE +
                                                               NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO +
                                                               4 * engine->engine_id));
    }
    machine_write32(rm->machine, at, engines);
}

void rm_timeouts_runlist(struct rm *rm, uint32_t runlist_id, uint32_t intr_0)
{
    for (uint32_t i = 0; i < RM_RUNLIST_ENGINES; i++)
        if (intr_0 >> (NV_RUNLIST_INTR_0_CTXSW_TIMEOUT_ENG0_LO + i) & 1)
            rm_timeout_recover(
                rm, runlist_id,
                machine_read32(rm->machine, rm->state->runlists[runlist_id].base +
                                                NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO + 64 * i));
}
