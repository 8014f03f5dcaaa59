/* SPDX-License-Identifier: MIT */
/*
 * Recovery of the resource-manager model: the TSG of a channel in error is torn down, one TSG of a
 * runlist at a time.
 *
 * The order is that of open-gpu-doc tu104 dev_fifo and ga100 dev_runlist, "Channel Teardown
 * Sequence": SCHED_DISABLE, channels disabled, preempt (whose PENDING is not looked at), PBDMAs and
 * then engines are polled until the TSG is off them, faulted bits, the runlist without the TSG, and
 * SCHED_DISABLE off; notifiers as in nvgpu hal/rc/rc_gv11b.c @6ecfb593.  Each step is an event.  On
 * Pascal to Turing the TSG is preempted, and from Ampere on the runlist.
 *
 * An engine that has not let go in time (rm.rc_timeout_ps) is reset by its bit of PMC, off and on;
 * that a PBDMA then says ENG_RESET is no error of its own.  The polls go on until the PBDMAs have
 * let go, too, or as much time again is over.  Not modelled: halting the engine's memory interface,
 * clock gating around the reset, setting the engine up again (there is nothing to set up).
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* ---- registers of a runlist ------------------------------------------------------------------ */

static uint32_t rm_block(const struct rm *rm, uint32_t runlist_id)
{
    return rm->state->runlists[runlist_id].base;
}

static void rm_sched_disable(struct rm *rm, uint32_t runlist_id, bool disabled)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_SCHED_DISABLE, bit = 1u << runlist_id;
    uint32_t word;

    if (rm->chip->blocks) {
        machine_write32(rm->machine, rm_block(rm, runlist_id) + NV_RUNLIST_SCHED_DISABLE, disabled);
        return;
    }
    word = machine_read32(rm->machine, at);
    machine_write32(rm->machine, at, disabled ? word | bit : word & ~bit);
}

static void rm_preempt(struct rm *rm, uint32_t runlist_id, const struct rm_recovery *recovery)
{
    const bool bare = recovery->tsg_id == RM_NONE;

    if (rm->chip->blocks)
        machine_write32(rm->machine, rm_block(rm, runlist_id) + NV_RUNLIST_PREEMPT,
                        REG_PUT(0, NV_RUNLIST_PREEMPT_TYPE, NV_RUNLIST_PREEMPT_TYPE_RUNLIST));
    else
        machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_PREEMPT,
                        REG_PUT(bare ? recovery->channel_id : recovery->tsg_id,
                                NV_PFIFO_PREEMPT_TYPE,
                                bare ? NV_PFIFO_PREEMPT_TYPE_CHANNEL : NV_PFIFO_PREEMPT_TYPE_TSG));
}

/* ---- the channels of the TSG ----------------------------------------------------------------- */

typedef void rm_recover_do(struct rm *rm, uint32_t runlist_id, const struct rm_recovery *recovery,
                           uint32_t chid);

/* In the order of the list that is submitted. */
static void rm_recover_each(struct rm *rm, uint32_t runlist_id, rm_recover_do *what)
{
    const struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];
    struct rm_list list;
    struct rm_entry entry;
    uint32_t at = 0, length = 0;

    if (recovery->tsg_id == RM_NONE) {
        what(rm, runlist_id, recovery, recovery->channel_id);
        return;
    }
    rm_runlist_find(rm, runlist_id, &list);
    for (; at < list.length && length == 0 && rm_runlist_entry(rm, &list, at, &entry); at++)
        if (entry.is_tsg && entry.id == recovery->tsg_id)
            length = entry.length;
    for (; length > 0 && at < list.length && rm_runlist_entry(rm, &list, at, &entry); at++) {
        if (entry.is_tsg)
            return;
        what(rm, runlist_id, recovery, entry.id);
        length--;
    }
}

static void rm_recover_disable(struct rm *rm, uint32_t runlist_id,
                               const struct rm_recovery *recovery, uint32_t chid)
{
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_DISABLE, RULE_RM_RC, runlist_id,
                recovery->tsg_id, chid);
    rm_channel_enable(rm, runlist_id, chid, false);
}

static void rm_recover_clear_faulted(struct rm *rm, uint32_t runlist_id,
                                     const struct rm_recovery *recovery, uint32_t chid)
{
    const uint32_t at = rm_channel_register(rm, runlist_id, chid);
    const uint32_t state = machine_read32(rm->machine, at);

    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_CLEAR_FAULTED, RULE_RM_RC, runlist_id,
                recovery->tsg_id, chid, state);
    if (!rm->chip->blocks) {
        machine_write32(rm->machine, at,
                        1u << NV_PCCSR_CHANNEL_PBDMA_FAULTED_LO |
                            1u << NV_PCCSR_CHANNEL_ENG_FAULTED_LO);
        return;
    }
    machine_write32(rm->machine, at, NV_CHRAM_CHANNEL_UPDATE_RESET_PBDMA_FAULTED);
    machine_write32(rm->machine, at, NV_CHRAM_CHANNEL_UPDATE_RESET_ENG_FAULTED);
}

/* Writes the error notifier of a channel that this model made: an NvNotification of 16 bytes with
 * the time, the Xid as info32, and status 0xffff (open RM nvos.h, krcErrorSetNotifier). */
static void rm_recover_notify(struct rm *rm, uint32_t runlist_id,
                              const struct rm_recovery *recovery, uint32_t chid)
{
    const uint64_t now_ns = machine_now(rm->machine) / GFE_PS_PER_NS;
    const bool guilty = chid == recovery->channel_id && !recovery->innocent;
    const struct rm_channel *channel = NULL;

    for (uint32_t i = 0; i < rm->state->channel_end; i++) {
        const struct rm_channel *row = &rm->state->channels[i];

        if (row->used && row->chid == chid && rm->state->tsgs[row->tsg].runlist_id == runlist_id)
            channel = row;
    }
    if (!guilty)
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_REMOVAL, RULE_RM_RC, chid, recovery->xid);
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_NOTIFIER, RULE_RM_RC, chid,
                guilty ? recovery->xid : RM_XID_PREEMPTIVE_REMOVAL,
                channel ? channel->notifier : 0);
    if (!channel)
        return;
    rm_poke(rm, channel->notifier, (uint32_t)now_ns);
    rm_poke(rm, channel->notifier + 4, (uint32_t)(now_ns >> 32));
    rm_poke(rm, channel->notifier + 8, guilty ? recovery->xid : RM_XID_PREEMPTIVE_REMOVAL);
    rm_poke(rm, channel->notifier + 12, UINT32_C(0xffff0000));
}

/* Ampere: the last step of its sequence. */
static void rm_recover_clear_channel(struct rm *rm, uint32_t runlist_id,
                                     const struct rm_recovery *recovery, uint32_t chid)
{
    (void)recovery;
    if (rm->chip->blocks)
        machine_write32(rm->machine, rm_channel_register(rm, runlist_id, chid),
                        NV_CHRAM_CHANNEL_UPDATE_CLEAR_CHANNEL);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Is the TSG, or the channel outside TSGs, that one?  TYPE is 1 for a TSG. */
static bool rm_recover_is(const struct rm_recovery *recovery, uint32_t id, uint32_t type)
{
    return recovery->tsg_id == RM_NONE ? type == 0 && id == recovery->channel_id
                                       : type == 1 && id == recovery->tsg_id;
}

/* Does ENGINE_STATUS, or PBDMA_STATUS, which is laid out the same, say that it is there, or is
 * being brought there?  `load` is the generation's code of LOAD; from Ampere on there are TSGs
 * only. */
static bool rm_recover_on(const struct rm_recovery *recovery, uint32_t word, uint32_t load,
                          bool typed)
{
    const uint32_t status = REG_GET(word, NV_PFIFO_ENGINE_STATUS_CTX_STATUS);
    const bool next = status == load || status == NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SWITCH;

    if (status == NV_PFIFO_ENGINE_STATUS_CTX_STATUS_INVALID)
        return false;
    return (status != load &&
            rm_recover_is(recovery, REG_GET(word, NV_PFIFO_ENGINE_STATUS_ID),
                          typed ? REG_GET(word, NV_PFIFO_ENGINE_STATUS_ID_TYPE) : 1)) ||
           (next && rm_recover_is(recovery, REG_GET(word, NV_PFIFO_ENGINE_STATUS_NEXT_ID),
                                  typed ? REG_GET(word, NV_PFIFO_ENGINE_STATUS_NEXT_ID_TYPE) : 1));
}

static bool rm_recover_on_pbdma(struct rm *rm, uint32_t runlist_id,
                                const struct rm_recovery *recovery)
{
    struct rm_pbdma pbdma;

    for (uint32_t n = 0; rm_pbdma_find(rm, n, &pbdma); n++) {
        uint32_t word;

        if (rm->chip->blocks) {
            word = machine_read32(rm->machine, pbdma.base + NV_PPBDMA_STATUS_SCHED);
            if (pbdma.runlist_id == runlist_id &&
                REG_GET(word, NV_PPBDMA_STATUS_SCHED_CHAN_STATUS) !=
                    NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_INVALID &&
                rm_recover_is(recovery, REG_GET(word, NV_PPBDMA_STATUS_SCHED_TSGID), 1))
                return true;
            continue;
        }
        word = machine_read32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_PBDMA_STATUS + 4 * n);
        if (rm_recover_on(recovery, word, NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_LOAD, true))
            return true;
    }
    return false;
}

static bool rm_recover_on_engine(struct rm *rm, const struct rm_engine *engine,
                                 const struct rm_recovery *recovery)
{
    const bool blocks = rm->chip->blocks;
    const uint32_t at = blocks ? rm_block(rm, engine->runlist_id) + NV_RUNLIST_ENGINE_STATUS0 +
                                     64 * engine->engine_id
                               : NV_PFIFO_BASE + NV_PFIFO_ENGINE_STATUS + 8 * engine->engine_id;

    return rm_recover_on(recovery, machine_read32(rm->machine, at),
                         blocks ? NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_LOAD
                                : NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_LOAD,
                         !blocks);
}

static bool rm_recover_on_engines(struct rm *rm, uint32_t runlist_id, bool reset)
{
    const struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];
    bool any = false;

    for (uint32_t i = 0; i < rm->state->engine_count; i++) {
        const struct rm_engine *engine = &rm->state->engines[i];

        if (engine->runlist_id != runlist_id || !rm_recover_on_engine(rm, engine, recovery))
            continue;
        any = true;
        if (!reset)
            continue;
        rm_reset_engine(rm, engine, recovery->tsg_id);
    }
    return any;
}

/* ---- the sequence ---------------------------------------------------------------------------- */

static void rm_recover_poll(struct rm *rm, uint32_t runlist_id)
{
    machine_schedule(
        rm->machine, rm->unit,
        clock_add(machine_now(rm->machine), machine_parameter(rm->machine, PARAM_RM_POLL_PS)),
        RM_RECOVER, runlist_id);
}

static void rm_recover_start(struct rm *rm, uint32_t runlist_id)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];

    recovery->active = 1;
    recovery->polls = recovery->reset = 0;
    recovery->since_ps = machine_now(rm->machine);
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_BEGIN, RULE_RM_RC, runlist_id, recovery->tsg_id,
                recovery->channel_id, recovery->xid);
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_SCHED_DISABLE, RULE_RM_RC, runlist_id,
                recovery->tsg_id);
    rm_sched_disable(rm, runlist_id, true);
    rm_recover_each(rm, runlist_id, rm_recover_disable);
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_PREEMPT, RULE_RM_RC, runlist_id,
                recovery->tsg_id);
    rm_preempt(rm, runlist_id, recovery);
    rm_recover_poll(rm, runlist_id);
}

void rm_recover(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid, uint32_t xid)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];

    if (!recovery->active) {
        recovery->tsg_id = tsg_id;
        recovery->channel_id = chid;
        recovery->xid = xid;
        recovery->innocent = 0;
        rm_recover_start(rm, runlist_id);
    } else if (recovery->tsg_id != tsg_id && !recovery->has_next) {
        recovery->has_next = 1;
        recovery->next_tsg_id = tsg_id;
        recovery->next_channel_id = chid;
        recovery->next_xid = xid;
    }
}

void rm_recover_innocent(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid,
                         uint32_t xid)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];

    assert(!recovery->active);
    recovery->tsg_id = tsg_id;
    recovery->channel_id = chid;
    recovery->xid = xid;
    recovery->innocent = 1;
    rm_recover_start(rm, runlist_id);
}

static void rm_recover_next(struct rm *rm, uint32_t runlist_id)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];

    if (recovery->has_next) {
        recovery->has_next = 0;
        rm_recover(rm, runlist_id, recovery->next_tsg_id, recovery->next_channel_id,
                   recovery->next_xid);
    } else if (recovery->clears) {
        rm_reset_clear(rm, runlist_id);
    }
}

static void rm_recover_finish(struct rm *rm, uint32_t runlist_id)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];
    const gfe_ps took_ps = machine_now(rm->machine) - recovery->since_ps;

    rm_recover_each(rm, runlist_id, rm_recover_clear_faulted);
    rm_recover_each(rm, runlist_id, rm_recover_notify);
    rm_recover_each(rm, runlist_id, rm_recover_clear_channel);
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_REMOVE, RULE_RM_RC, runlist_id,
                recovery->tsg_id);
    if (!rm_runlist_remove(rm, runlist_id, recovery->tsg_id, recovery->channel_id))
        machine_fail(rm->machine, ERROR_LIMIT, "recovery: no room for another runlist");
    for (uint32_t i = 0; i < rm->state->tsg_end; i++)
        if (rm->state->tsgs[i].used && rm->state->tsgs[i].runlist_id == runlist_id &&
            rm->state->tsgs[i].tsg_id == recovery->tsg_id)
            rm->state->tsgs[i].scheduled = 0;
    recovery->active = 0;
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_END, RULE_RM_RC, runlist_id, recovery->tsg_id,
                took_ps);
    rm_sched_disable(rm, runlist_id, false);
    if (rm->chip->form == RM_RUNLIST_GP100) /* a fault has stopped it */
        machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_ERROR_SCHED_DISABLE,
                        1u << runlist_id);
    rm_recover_next(rm, runlist_id);
}

void rm_recover_step(struct rm *rm, uint32_t runlist_id)
{
    struct rm_recovery *recovery = &rm->state->recoveries[runlist_id];
    const gfe_ps waited_ps = machine_now(rm->machine) - recovery->since_ps;
    const gfe_ps timeout_ps = machine_parameter(rm->machine, PARAM_RM_RC_TIMEOUT_PS);
    bool on;

    recovery->polls++;
    rm_interrupt_pbdmas(rm); /* one that is pending holds the channel */
    on = rm_recover_on_pbdma(rm, runlist_id, recovery) ||
         rm_recover_on_engines(rm, runlist_id, false);
    if (on && !recovery->reset && waited_ps >= timeout_ps) {
        recovery->reset = 1;
        if (rm->machine->choices[CHOICE_RM_RESET_SCOPE] == RM_RESET_GPU)
            rm_reset_gpu(rm, runlist_id);
        else if (rm->machine->choices[CHOICE_RM_RESET_SCOPE] == RM_RESET_ENGINE)
            (void)rm_recover_on_engines(rm, runlist_id, true);
    }
    if (on && waited_ps / 2 < timeout_ps) {
        rm_recover_poll(rm, runlist_id);
        return;
    }
    if (!on)
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RC_OFF, RULE_RM_RC, runlist_id,
                    recovery->tsg_id, recovery->polls, waited_ps);
    rm_recover_finish(rm, runlist_id);
}
