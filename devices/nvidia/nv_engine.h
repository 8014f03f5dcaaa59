/* SPDX-License-Identifier: MIT */
/*
 * The context on an engine of a runlist, and context switches.
 *
 * A TSG is one context on each engine that it uses (open-gpu-doc tu104/dev_ram.ref.txt: its
 * channels share it).  A context stays on its engine, and its work continues there, until a channel
 * of another TSG needs that engine (B.S1).  Then the engine has to stop, its state is saved, and
 * the other context is loaded.  At most one TSG is on an engine (B.R4); while that TSG is on in
 * one runqueue, a TSG of another runqueue that needs the engine waits (nv_runlist.h).  While a load
 * is outstanding the slice of the runlist's TSG is paused (B.T2).  States have the names of
 * NV_PFIFO_ENGINE_STATUS_CTX_STATUS (tu104/dev_fifo.ref.txt); the registers' codes differ by
 * generation.
 *
 * A switch that takes longer than the generation's timeout register allows is reported once
 * (nv_host_ctxsw_timeout()) and continues.  A new timeout value takes effect when the switch is
 * next examined.
 *
 * Software resets an engine by its bit of NV_PMC_ENABLE or NV_PMC_DEVICE_ENABLE (nv_pmc.h; step 5
 * of the "Channel Teardown Sequence", tu104/dev_fifo.ref.txt).  The engine's contents are lost at
 * once, with the context on it or being saved; no context is on it then.  What other contexts keep
 * in memory stays, also that of one being loaded.  Until the bit is set again no context gets the
 * engine.  From Volta on PBDMAs that have a channel of the runlist raise ENG_RESET
 * (nv_pbdma_intr.h).  Before Volta the channel continues, and waits if it needs the engine
 * (ASSUMED).  ASSUMED: a timeout of the switch that the reset ends shows ENG_WAS_RESET.  Not
 * modelled: halting the engine's memory interface first, and setting the engine up again; it is in
 * its state after the wiring at once.
 *
 * A TSG's number is that of events: NV_RUNLIST_NO_TSG + channel for a channel outside TSGs.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_ENGINE_H
#define GFE_DEVICES_NVIDIA_NV_ENGINE_H

#include "emu/engine/machine.h"

struct nv_chip_engine;
struct nv_host;

enum { NV_ENGINE_NO_PBDMA = 255 };
#define NV_ENGINE_NOBODY UINT32_MAX /* stands for no TSG or channel */

/* Operations of an engine's unit.  Any may be NULL if the unit has nothing to suspend, is never
 * busy, or has no state. */
struct nv_engine_ops {
    /* Stops the work of that TSG at the next possible place, and keeps the rest.  Calls
     * nv_engine_suspended() when none of it runs any more, from within or later. */
    void (*suspend)(void *unit, uint32_t tsg_id);
    /* Puts that TSG's context on and continues what was suspended.  The next methods are those of
     * channel_id, in address space space_id.  `NV_ENGINE_NOBODY` means that only suspended work
     * continues. */
    void (*resume)(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id);
    /* Returns true if work runs or waits. */
    bool (*busy)(void *unit);
    /* Returns true if the work will end by itself, given time.  NULL means the same as `busy`. */
    bool (*runs)(void *unit);
    /* Returns true if work of that TSG is queued, runs, or is suspended. */
    bool (*has_work)(void *unit, uint32_t tsg_id);
    /* Returns the bytes that saving, and later loading, this TSG's state moves. */
    uint64_t (*state_bytes)(void *unit, uint32_t tsg_id);
    /* Returns the time (ps) that the TSG's blocks spend to save or load their own state, which
     * counts as part of its slice.  An engine without this operation spends none. */
    gfe_ps (*own_move_ps)(void *unit, uint32_t tsg_id);
    /* Drops all work on the engine, and the work kept for that TSG (`NV_ENGINE_NOBODY` for none).
     * Must not report it. */
    void (*reset)(void *unit, uint32_t tsg_id);
};

enum nv_engine_status {
    NV_ENGINE_INVALID, /* no context */
    NV_ENGINE_VALID,
    NV_ENGINE_SWITCH, /* has to stop; the save has not begun */
    NV_ENGINE_SAVE,
    NV_ENGINE_LOAD,
};

GFE_STATE_BEGIN
struct nv_engine_state {
    gfe_ps since_ps;         /* time at which the current switch began */
    gfe_ps load_ps;          /* time at which its save ends and its load begins */
    uint64_t waiting_pbdmas; /* a bit for each PBDMA that needs the engine */
    uint32_t status;         /* enum nv_engine_status; SAVE also stands for LOAD, from load_ps on */
    uint32_t tsg_id, channel_id; /* on the engine, or being saved; or NV_ENGINE_NOBODY */
    uint32_t next_tsg_id, next_channel_id, next_space_id; /* to be loaded; or NV_ENGINE_NOBODY */
    uint32_t timeout;   /* 1 if an event for the context-switch timeout is scheduled */
    uint32_t timed_out; /* 1 if this switch has raised it */
    uint32_t in_reset;
    uint32_t reserved;
    gfe_ps own_move_ps; /* of the switch: the end of the load, which the next slice counts */
};
GFE_STATE_END

struct nv_engine {
    struct machine *machine;
    struct nv_host *host;
    const struct nv_chip_engine *row; /* of the model */
    uint32_t index;                   /* index in the model's engines */
    uint32_t unit;                    /* the unit of all engines */
    const struct nv_engine_ops *ops;  /* NULL if the engine is not modelled */
    void *context;                    /* of `ops` */
    struct nv_engine_state *state;
};

/* Wires host->engines, one for each row of the model.  Together they are one unit of the machine.
 */
void nv_engine_wire(struct nv_host *host);
/* Connects the unit behind an engine, at the wiring. */
void nv_engine_connect(struct nv_engine *engine, const struct nv_engine_ops *ops, void *unit);
/* Returns the engine with that number of Host's, or NULL if there is none. */
struct nv_engine *nv_engine_by_id(const struct nv_host *host, uint32_t engine_id);

/* Requests the context of that TSG on the engine.  Returns true if it is on; the next methods are
 * then those of channel_id.  If false, the switch has begun or waits for another. nv_pbdma_resume()
 * resumes the PBDMA when this engine, and every other engine of the runlist for which it waits, is
 * ready.  It does not if pbdma_id is `NV_ENGINE_NO_PBDMA`. */
bool nv_engine_need(struct nv_engine *engine, uint32_t tsg_id, uint32_t channel_id,
                    uint32_t space_id, uint32_t pbdma_id);
/* Lets the PBDMAs that wait for the engine ask again, because its TSG has left a runqueue. */
void nv_engine_retry(struct nv_engine *engine);
/* Ends that PBDMA's waits for engines of the runlist. */
void nv_engine_stop_waiting(struct nv_host *host, uint32_t runlist_id, uint32_t pbdma_id);
/* Returns true if the context of that TSG is on, for that channel. */
static inline bool nv_engine_is_on(const struct nv_engine *engine, uint32_t tsg_id,
                                   uint32_t channel_id)
{
    const struct nv_engine_state *state = engine->state;

    return state->status == NV_ENGINE_VALID && state->tsg_id == tsg_id &&
           state->channel_id == channel_id;
}
/* Takes the context off the engine.  No other context is loaded after it. */
void nv_engine_evict(struct nv_engine *engine);
/* Puts the engine into reset, or takes it out, for software. */
void nv_engine_reset(struct nv_engine *engine, bool in_reset);
/* Return the answers of the engine's unit (struct nv_engine_ops). */
static inline bool nv_engine_has_work(const struct nv_engine *engine, uint32_t tsg_id)
{
    return engine->ops && engine->ops->has_work && engine->ops->has_work(engine->context, tsg_id);
}
bool nv_engine_busy(const struct nv_engine *engine);
bool nv_engine_runs(const struct nv_engine *engine);
/* Returns true if the channel whose context is on the engine has an engine fault that software has
 * not cleared. */
bool nv_engine_faulted(const struct nv_engine *engine);
/* Returns the status that the registers show now, in which SAVE and LOAD differ. */
enum nv_engine_status nv_engine_status(const struct nv_engine *engine);

/* ---- for the units behind the engines -------------------------------------------------------- */

/* Reports that the work of suspend() is done. */
void nv_engine_suspended(struct nv_engine *engine);
/* Reports that the TSG has no work left on the engine, or has work again after that. */
void nv_engine_work_changed(struct nv_engine *engine, uint32_t tsg_id);

#endif
