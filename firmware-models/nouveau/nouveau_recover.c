/* SPDX-License-Identifier: MIT */
/*
 * Recovery of the nouveau model: what follows a context switch that took too long, and a fault of
 * the MMU, with choice nouveau.recovery.
 *
 * The channel group (here one channel each) whose context an engine is stuck with is found by
 * ENGINE_STATUS (gk104_engn_cxid), on Turing by CTXSW_TIMEOUT_INFO.  Its runlist is blocked by
 * SCHED_DISABLE; from Volta on it is preempted as well.  Then a worker disables the group's
 * channels, takes them off the runlist, from Volta on waits for the runlist's PBDMAs to be idle,
 * resets the engines that the group is still on, submits the runlist without it, and lets it go on
 * (nvkm_runl_rc).  The program learns of it by the channel that is killed: its fences are done with
 * an error, its submissions fail.
 *
 * Up to Pascal the driver does not do this at once: it triggers a fault of the engines that the
 * group is on, with SCHED_ERROR disabled meanwhile, and goes on when that fault's interrupt comes,
 * of which it prints nothing (gf100_fifo_intr_ctxsw_timeout, gf100_engn_mmu_fault_trigger,
 * gf100_engn_mmu_fault_triggered).  The hardware keeps the runlist blocked until
 * ERROR_SCHED_DISABLE is cleared, as the worker's last step but one does.
 *
 * Sources (nouveau's MIT-licensed code, read as facts), Linux 6.2 and later: nvkm/engine/fifo
 * runl.c, torvalds/linux @1a931707; gf100.c, intel-lab-lkp/linux @c8d4849a; tu102.c, torvalds/linux
 * @0ea5c948; gk104.c, gv100.c, chan.c; gr/gf100.c (gf100_gr_reset); core/engine.c.
 *
 * ASSUMED: while CTX_STATUS is SWITCH the engine is stuck with the context that leaves (the driver
 * asks the firmware of the graphics engine); the worker's time; the PBDMAs share their time limit;
 * the reset takes no time.  Not modelled: halting FECS and its own reset, setting the engine up
 * again (there is nothing to set up).
 */
#include <config.h>

#include "devices/nvidia/formats/nv_regs.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

static bool nouveau_recovers(const struct nouveau *nouveau)
{
    return nouveau->machine->choices[CHOICE_NOUVEAU_RECOVERY] == NOUVEAU_RECOVERY_ON;
}

/* ---- whose context is on an engine ----------------------------------------------------------- */

static uint32_t nouveau_engine_status(struct nouveau *nouveau, const struct nouveau_engine *engine)
{
    return machine_read32(nouveau->machine,
                          NV_PFIFO_BASE + NV_PFIFO_ENGINE_STATUS + 8 * engine->engine_id);
}

/* CTX_STATUS has a bit each for a load, a save, and a switch that is under way. */
enum { NOUVEAU_ON_LOAD = 1, NOUVEAU_ON_SAVE = 2, NOUVEAU_ON_SWITCH = 4 };

/* It is busy, and moves a context. */
static bool nouveau_engine_switches(uint32_t status)
{
    return REG_GET(status, NV_PFIFO_ENGINE_STATUS_ENGINE) &&
           (REG_GET(status, NV_PFIFO_ENGINE_STATUS_CTX_STATUS) & NOUVEAU_ON_SWITCH);
}

static struct nouveau_channel *nouveau_channel_of_group(struct nouveau *nouveau, uint32_t id,
                                                        bool is_tsg)
{
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++) {
        struct nouveau_channel *channel = &nouveau->state->channels[i];

        if ((channel->used || channel->going) && (is_tsg ? channel->tsg_id : i) == id)
            return channel;
    }
    return NULL;
}

static struct nouveau_channel *nouveau_channel_on(struct nouveau *nouveau,
                                                  const struct nouveau_engine *engine)
{
    const uint32_t status = nouveau_engine_status(nouveau, engine);
    const uint32_t code = REG_GET(status, NV_PFIFO_ENGINE_STATUS_CTX_STATUS);

    if (nouveau_engine_switches(status) &&
        (code & (NOUVEAU_ON_LOAD | NOUVEAU_ON_SAVE)) == NOUVEAU_ON_LOAD)
        return nouveau_channel_of_group(nouveau, REG_GET(status, NV_PFIFO_ENGINE_STATUS_NEXT_ID),
                                        REG_GET(status, NV_PFIFO_ENGINE_STATUS_NEXT_ID_TYPE));
    if (nouveau_engine_switches(status) || (code & NOUVEAU_ON_LOAD))
        return nouveau_channel_of_group(nouveau, REG_GET(status, NV_PFIFO_ENGINE_STATUS_ID),
                                        REG_GET(status, NV_PFIFO_ENGINE_STATUS_ID_TYPE));
    return NULL;
}

/* ---- runlists -------------------------------------------------------------------------------- */

static void nouveau_runlist_hold(struct nouveau *nouveau, uint32_t runlist_id, bool held)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_SCHED_DISABLE, bit = 1u << runlist_id;
    const uint32_t word = machine_read32(nouveau->machine, at);

    machine_write32(nouveau->machine, at, held ? word | bit : word & ~bit);
}

/* Blocks the runlist.  The first block stops it; the last nouveau_runlist_allow() lets it go on. */
static void nouveau_runlist_block(struct nouveau *nouveau, uint32_t runlist_id)
{
    if (nouveau->state->runlists[runlist_id].blocked++ == 0)
        nouveau_runlist_hold(nouveau, runlist_id, true);
}

static void nouveau_runlist_allow(struct nouveau *nouveau, uint32_t runlist_id)
{
    if (--nouveau->state->runlists[runlist_id].blocked == 0)
        nouveau_runlist_hold(nouveau, runlist_id, false);
}

/* Does any PBDMA that serves the runlist have a channel (gk104_runq_idle)? */
static bool nouveau_runlist_idle(struct nouveau *nouveau, uint32_t runlist_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t count =
        REG_GET(machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_CFG0), NV_PFIFO_CFG0_NUM_PBDMA);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t map = machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_PBDMA_MAP + 4 * i);
        const uint32_t status =
            machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_PBDMA_STATUS + 4 * i);

        if ((map >> runlist_id & 1) && REG_GET(status, NV_PFIFO_PBDMA_STATUS_CHAN_STATUS) !=
                                           NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_INVALID)
            return false;
    }
    return true;
}

/* ---- scheduling a recovery ------------------------------------------------------------------- */

static void nouveau_recover_later(struct nouveau *nouveau, uint32_t runlist_id, uint32_t parameter)
{
    machine_schedule(
        nouveau->machine, nouveau->unit,
        clock_add(machine_now(nouveau->machine), machine_parameter(nouveau->machine, parameter)),
        NOUVEAU_RECOVER, runlist_id);
}

void nouveau_recover_channel(struct nouveau *nouveau, struct nouveau_channel *channel)
{
    struct nouveau_runlist *runlist = &nouveau->state->runlists[channel->runlist_id];

    if (!nouveau_recovers(nouveau) || channel->recovery != NOUVEAU_RC_NONE)
        return;
    channel->recovery = NOUVEAU_RC_PENDING;
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_RC, RULE_NOUVEAU_RC,
                channel->runlist_id, nouveau_group_id(nouveau, channel),
                nouveau_channel_id(nouveau, channel));
    nouveau_runlist_block(nouveau, channel->runlist_id);
    if (nouveau->chip->preempts_runlists)
        machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_RUNLIST_PREEMPT,
                        1u << channel->runlist_id);
    if (runlist->pending++ > 0 || runlist->running > 0)
        return;
    runlist->stopped_ps = machine_now(nouveau->machine);
    nouveau_recover_later(nouveau, channel->runlist_id, PARAM_NOUVEAU_WORK_PS);
}

/* nvkm_runl_rc_engn. */
static void nouveau_recover_engine(struct nouveau *nouveau, const struct nouveau_engine *engine)
{
    struct nouveau_channel *channel = nouveau_channel_on(nouveau, engine);

    if (channel)
        nouveau_recover_channel(nouveau, channel);
}

/* ---- context switches that took too long ----------------------------------------------------- */

static uint32_t nouveau_trigger_at(const struct nouveau_engine *engine)
{
    return NV_PFIFO_BASE + NV_PFIFO_TRIGGER_MMU_FAULT + 4 * engine->engine_id;
}

static void nouveau_sched_error_enable(struct nouveau *nouveau, bool enabled)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0;

    machine_write32(
        nouveau->machine, at,
        REG_PUT(machine_read32(nouveau->machine, at), NV_PFIFO_INTR_0_SCHED_ERROR, enabled));
}

static void nouveau_recover_trigger(struct nouveau *nouveau, const struct nouveau_engine *engine)
{
    if (engine->fault_id == NOUVEAU_NO_ID)
        return;
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_RC_TRIGGER, RULE_NOUVEAU_RC,
                engine->runlist_id, engine->engine_id, engine->fault_id);
    if (nouveau->state->runlists[engine->runlist_id].triggered++ == 0)
        nouveau_sched_error_enable(nouveau, false);
    machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0,
                    1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO);
    machine_write32(nouveau->machine, nouveau_trigger_at(engine),
                    REG_PUT(engine->fault_id, NV_PFIFO_TRIGGER_MMU_FAULT_ENABLE, 1));
}

/* Triggers a fault of all engines of the runlist that have the same context as `stuck`. */
static void nouveau_recover_trigger_all(struct nouveau *nouveau, const struct nouveau_engine *stuck)
{
    const struct nouveau_channel *channel = nouveau_channel_on(nouveau, stuck);

    nouveau_runlist_block(nouveau, stuck->runlist_id);
    for (uint32_t i = 0; channel && i < nouveau->state->engine_count; i++) {
        const struct nouveau_engine *engine = &nouveau->state->engines[i];

        if (engine->runlist_id == stuck->runlist_id &&
            nouveau_channel_on(nouveau, engine) == channel)
            nouveau_recover_trigger(nouveau, engine);
    }
    nouveau_runlist_allow(nouveau, stuck->runlist_id);
}

void nouveau_recover_timeouts(struct nouveau *nouveau)
{
    const bool triggers = !nouveau->chip->preempts_runlists;

    for (uint32_t i = 0; i < nouveau->state->engine_count && nouveau_recovers(nouveau); i++) {
        const struct nouveau_engine *engine = &nouveau->state->engines[i];

        if (!nouveau_engine_switches(nouveau_engine_status(nouveau, engine)))
            continue;
        if (triggers)
            nouveau_recover_trigger_all(nouveau, engine);
        else
            nouveau_recover_engine(nouveau, engine);
    }
}

bool nouveau_recover_triggered(struct nouveau *nouveau, uint32_t fault_id)
{
    const struct nouveau_engine *engine = nouveau_engine_by_fault(nouveau, fault_id);
    uint32_t word;

    if (!engine)
        return false;
    word = machine_read32(nouveau->machine, nouveau_trigger_at(engine));
    if (!REG_GET(word, NV_PFIFO_TRIGGER_MMU_FAULT_ENABLE))
        return false;
    machine_write32(nouveau->machine, nouveau_trigger_at(engine),
                    REG_PUT(word, NV_PFIFO_TRIGGER_MMU_FAULT_ENABLE, 0));
    if (nouveau->state->runlists[engine->runlist_id].triggered > 0 &&
        --nouveau->state->runlists[engine->runlist_id].triggered == 0)
        nouveau_sched_error_enable(nouveau, true);
    nouveau_recover_engine(nouveau, engine);
    return true;
}

/* tu102_fifo_intr_ctxsw_timeout_info; with a state in STATUS the switch has ended after all. */
static void nouveau_recover_timeout_info(struct nouveau *nouveau, uint32_t info)
{
    const uint32_t state = REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE);
    struct nouveau_channel *channel;

    if (REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS))
        return;
    channel =
        nouveau_channel_of_group(nouveau,
                                 state == NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD
                                     ? REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_NEXT_TSGID)
                                     : REG_GET(info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_PREV_TSGID),
                                 true);
    if (channel)
        nouveau_recover_channel(nouveau, channel);
}

void nouveau_recover_timeouts_info(struct nouveau *nouveau, uint32_t engines)
{
    for (uint32_t i = 0; i < nouveau->state->engine_count; i++) {
        const uint32_t id = nouveau->state->engines[i].engine_id;

        if (id < 32 && engines >> id & 1)
            nouveau_recover_timeout_info(
                nouveau, machine_read32(nouveau->machine,
                                        NV_PFIFO_BASE + NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO + 4 * id));
    }
}

/* ---- the worker ------------------------------------------------------------------------------ */

/* Channels that were flagged are disabled, and leave the driver's list. */
static void nouveau_recover_disable(struct nouveau *nouveau, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++) {
        struct nouveau_channel *channel = &nouveau->state->channels[i];

        if (channel->recovery != NOUVEAU_RC_PENDING || channel->runlist_id != runlist_id)
            continue;
        channel->recovery = NOUVEAU_RC_RUNNING;
        channel->removed = 1;
        nouveau_channel_kill(nouveau, channel, RULE_NOUVEAU_RC, 0);
    }
}

/* Off and on, by its bit of NV_PMC_ENABLE. */
static void nouveau_engine_reset(struct nouveau *nouveau, const struct nouveau_engine *engine,
                                 const struct nouveau_channel *channel)
{
    const uint32_t at = NV_PMC_BASE + NV_PMC_ENABLE;
    uint32_t word;

    if (engine->reset_id == NOUVEAU_NO_ID)
        return;
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_RC_RESET, RULE_NOUVEAU_RC,
                engine->runlist_id, nouveau_group_id(nouveau, channel), engine->engine_id);
    word = machine_read32(nouveau->machine, at);
    machine_write32(nouveau->machine, at, word & ~(1u << engine->reset_id));
    machine_write32(nouveau->machine, at, word | 1u << engine->reset_id);
}

static void nouveau_recover_reset(struct nouveau *nouveau, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < nouveau->state->engine_count; i++) {
        const struct nouveau_engine *engine = &nouveau->state->engines[i];
        const struct nouveau_channel *channel =
            engine->runlist_id == runlist_id ? nouveau_channel_on(nouveau, engine) : NULL;

        if (channel && channel->recovery == NOUVEAU_RC_RUNNING)
            nouveau_engine_reset(nouveau, engine, channel);
    }
}

static void nouveau_recover_finish(struct nouveau *nouveau, uint32_t runlist_id)
{
    struct nouveau_runlist *runlist = &nouveau->state->runlists[runlist_id];

    nouveau_recover_reset(nouveau, runlist_id);
    nouveau_runlist_update(nouveau, runlist_id);
    if (!nouveau->chip->preempts_runlists)
        machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_ERROR_SCHED_DISABLE,
                        1u << runlist_id);
    for (; runlist->running > 0; runlist->running--)
        nouveau_runlist_allow(nouveau, runlist_id);
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_RC_END, RULE_NOUVEAU_RC, runlist_id,
                machine_now(nouveau->machine) - runlist->stopped_ps);
    if (runlist->pending > 0)
        nouveau_recover_later(nouveau, runlist_id, PARAM_NOUVEAU_WORK_PS);
}

void nouveau_recover_step(struct nouveau *nouveau, uint32_t runlist_id)
{
    struct nouveau_runlist *runlist = &nouveau->state->runlists[runlist_id];
    const gfe_ps now = machine_now(nouveau->machine);

    if (runlist->running == 0) {
        runlist->running = runlist->pending;
        runlist->pending = 0;
        runlist->since_ps = now;
        nouveau_recover_disable(nouveau, runlist_id);
    }
    if (nouveau->chip->preempts_runlists && !nouveau_runlist_idle(nouveau, runlist_id) &&
        now - runlist->since_ps <
            machine_parameter(nouveau->machine, PARAM_NOUVEAU_IDLE_TIMEOUT_PS))
        nouveau_recover_later(nouveau, runlist_id, PARAM_NOUVEAU_PREEMPT_POLL_PS);
    else
        nouveau_recover_finish(nouveau, runlist_id);
}
