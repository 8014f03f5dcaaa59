/* SPDX-License-Identifier: MIT */
/*
 * Whose context is on an engine of a runlist, and how it is switched.
 *
 * A TSG is one context on each engine that it uses (open-gpu-doc tu104/dev_ram.ref.txt: its
 * channels share it).  A context stays on its engine, and its work goes on there, until a channel
 * of another TSG needs that engine (B.S1); then the engine is told to stop, its state is saved, the
 * other's is loaded.  At most one TSG is on an engine (B.R4).  While a load is outstanding the
 * slice of the runlist's TSG is paused (B.T2).  States have the names of
 * NV_PFIFO_ENGINE_STATUS_CTX_STATUS (tu104/dev_fifo.ref.txt); the codes differ by generation and
 * are the registers' matter.
 *
 * A switch that takes longer than the generation's timeout register says is reported once
 * (nv_host_ctxsw_timeout()) and goes on.  A new period holds from the next look at the switch on.
 *
 * Software resets an engine by its bit of NV_PMC_ENABLE or NV_PMC_DEVICE_ENABLE (nv_pmc.h; step 5
 * of the "Channel Teardown Sequence", tu104/dev_fifo.ref.txt).  What is on it is lost at once, with
 * the context that was on it or being saved, and no context is on it; what other contexts keep in
 * memory stays, also that of one being loaded.  Until the bit is set again nobody gets the engine.
 * From Volta on PBDMAs that have a channel of the runlist raise ENG_RESET (nv_pbdma_intr.h);
 * before, the channel goes on, and waits if it needs the engine (ASSUMED).  ASSUMED: a timeout of
 * the switch that the reset ends shows ENG_WAS_RESET.  Not modelled: halting the engine's memory
 * interface first, and setting the engine up again: it is as after the wiring at once.
 *
 * A TSG's number is that of events: NV_RUNLIST_NO_TSG + channel for a channel outside TSGs.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_ENGINE_H
#define GFE_DEVICES_NVIDIA_NV_ENGINE_H

#include "emu/engine/machine.h"

struct nv_chip_engine;
struct nv_host;

enum { NV_ENGINE_NO_PBDMA = 255 };
#define NV_ENGINE_NOBODY UINT32_MAX /* in place of a TSG or channel */

/* What an engine's unit does for it.  Any may be NULL: nothing to suspend, never busy, no state. */
struct nv_engine_ops {
    /* Stop the work of that TSG at the next place where it can, and keep what is left; calls
     * nv_engine_suspended() when nothing of it runs any more, from within or later. */
    void (*suspend)(void *unit, uint32_t tsg_id);
    /* That TSG's context is on: go on with what was suspended.  channel_id: whose methods come
     * next, in address space space_id; NV_ENGINE_NOBODY: none, only suspended work goes on. */
    void (*resume)(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id);
    /* Something runs, or waits to. */
    bool (*busy)(void *unit);
    /* What is there will end by itself, given time; NULL: as `busy`. */
    bool (*runs)(void *unit);
    /* Work of that TSG is queued, runs, or is suspended. */
    bool (*has_work)(void *unit, uint32_t tsg_id);
    /* Bytes that saving, and later loading, this TSG's state moves. */
    uint64_t (*state_bytes)(void *unit, uint32_t tsg_id);
    /* All that is on the engine is lost, and what is kept of that TSG (NV_ENGINE_NOBODY: of none).
     * Nobody is to be told. */
    void (*reset)(void *unit, uint32_t tsg_id);
};

enum nv_engine_status {
    NV_ENGINE_INVALID, /* no context */
    NV_ENGINE_VALID,
    NV_ENGINE_SWITCH, /* has to stop: the save has not begun */
    NV_ENGINE_SAVE,
    NV_ENGINE_LOAD,
};

GFE_STATE_BEGIN
struct nv_engine_state {
    gfe_ps since_ps;         /* when the switch under way began */
    gfe_ps load_ps;          /* when its save ends and its load begins */
    uint64_t waiting_pbdmas; /* bit per PBDMA that needs the engine */
    uint32_t status;         /* enum nv_engine_status; SAVE stands for LOAD too, from load_ps on */
    uint32_t tsg_id, channel_id; /* on it, or being saved; NV_ENGINE_NOBODY */
    uint32_t next_tsg_id, next_channel_id, next_space_id; /* to be loaded; NV_ENGINE_NOBODY */
    uint32_t timeout;   /* an event of the context-switch timeout is on its way */
    uint32_t timed_out; /* this switch has raised it */
    uint32_t in_reset;
    uint32_t reserved;
};
GFE_STATE_END

struct nv_engine {
    struct machine *machine;
    struct nv_host *host;
    const struct nv_chip_engine *row; /* of the model */
    uint32_t index;                   /* in the model's engines */
    uint32_t unit;                    /* the one of all engines */
    const struct nv_engine_ops *ops;  /* NULL: the engine is not modelled */
    void *context;                    /* of `ops` */
    struct nv_engine_state *state;
};

/* host->engines, one per row of the model; they are one unit of the machine. */
void nv_engine_wire(struct nv_host *host);
/* What stands behind an engine; at the wiring. */
void nv_engine_connect(struct nv_engine *engine, const struct nv_engine_ops *ops, void *unit);
/* By Host's number; NULL: there is none. */
struct nv_engine *nv_engine_by_id(const struct nv_host *host, uint32_t engine_id);

/* True: the context of that TSG is on, and channel_id is whose methods come.  False: the switch has
 * begun or waits for another; the PBDMA is resumed (nv_pbdma_resume()) when it and
 * every other engine of the runlist for which it waits are done, unless pbdma_id is
 * NV_ENGINE_NO_PBDMA. */
bool nv_engine_need(struct nv_engine *engine, uint32_t tsg_id, uint32_t channel_id,
                    uint32_t space_id, uint32_t pbdma_id);
/* That PBDMA waits for no engine of the runlist any more. */
void nv_engine_stop_waiting(struct nv_host *host, uint32_t runlist_id, uint32_t pbdma_id);
static inline bool nv_engine_is_on(const struct nv_engine *engine, uint32_t tsg_id,
                                   uint32_t channel_id)
{
    const struct nv_engine_state *state = engine->state;

    return state->status == NV_ENGINE_VALID && state->tsg_id == tsg_id &&
           state->channel_id == channel_id;
}
/* Takes the context off, whoever's it is: nothing is loaded behind it. */
void nv_engine_evict(struct nv_engine *engine);
/* Software puts it into reset, or takes it out. */
void nv_engine_reset(struct nv_engine *engine, bool in_reset);
static inline bool nv_engine_has_work(const struct nv_engine *engine, uint32_t tsg_id)
{
    return engine->ops && engine->ops->has_work && engine->ops->has_work(engine->context, tsg_id);
}
bool nv_engine_busy(const struct nv_engine *engine);
bool nv_engine_runs(const struct nv_engine *engine);
/* The channel whose context is on it has an engine fault that software has not cleared. */
bool nv_engine_faulted(const struct nv_engine *engine);
/* As the registers show it now: SAVE and LOAD told apart. */
enum nv_engine_status nv_engine_status(const struct nv_engine *engine);

/* ---- for the units behind the engines -------------------------------------------------------- */

/* What suspend() asked for is done. */
void nv_engine_suspended(struct nv_engine *engine);
/* Nothing is left of what that TSG had on the engine; or, after that, something is there again. */
void nv_engine_work_changed(struct nv_engine *engine, uint32_t tsg_id);

#endif
