/* SPDX-License-Identifier: MIT */
/*
 * Physical copy engines (PCEs): the logical copy engine (LCE) that each serves, and the copy that
 * uses it.
 *
 * Only PCEs copy.  PCE2LCE_CONFIG gives each PCE to at most one LCE.  An LCE may have several PCEs,
 * whose rates then add up.  Only GRCEs, the LCEs of the graphics runlist, may have no PCE of their
 * own and share those of another LCE (GRCE_CONFIG).  An LCE without any PCE refuses its launches,
 * INVALID_CONFIG.  PCE_MAP lists the existing PCEs.  Addresses and layouts differ by generation
 * (nv_ce_regs.h).
 *
 * A shared PCE works for one copy at a time (B.R8).  While two copies want it they take turns, each
 * for a slice, so that both need twice their time; a copy alone has all of it.  A slice is
 * nv.pce.timeslice_short_ps or nv.pce.timeslice_long_ps, by TIMESLICE of the GRCE; the lengths are
 * ASSUMED, because the manual only names them.  The log has the wait of a copy for its turn, with
 * the copy in the way.  A slice begins when another copy waits to take over at its end (ASSUMED).
 *
 * Copies that have their PCEs share the link to system memory and the local memory (copy_share.h).
 *
 * Software may write the mapping at any time, as drivers do while the engines are idle.  A copy
 * keeps the PCEs with which it started; the next one has those of the new mapping (ASSUMED).
 *
 * Described in open-gpu-doc tu104/dev_ce.ref.txt and ga102/dev_ce.ref.txt; Bakita and Anderson
 * 2024, s.V-D and Fig. 11; Pascal's registers are those of nvdebug.  Not modelled: that some PCEs
 * reach only system memory or NVLink (HSH_PCE_MASK can be read).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PCE_H
#define GFE_DEVICES_NVIDIA_NV_PCE_H

#include "devices/core/copy_share.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/engine/machine.h"

struct nv_ce;
struct nv_ce_layout;
struct nv_host;

enum nv_pce_phase {
    NV_PCE_NOTHING,
    NV_PCE_SETUP, /* the copy is being set up: it needs its PCEs at ready_ps */
    NV_PCE_WAITS, /* another copy has one of them */
    NV_PCE_MOVES,
};

GFE_STATE_BEGIN
/* A copy engine that wants PCEs, or has them. */
struct nv_pce_user {
    uint64_t copy_id;
    uint64_t blocker_id; /* copy that has the PCE it waits for */
    uint64_t turn;       /* the lowest has waited longest */
    gfe_ps waiting_ps;   /* time since when its wait has not been logged */
    gfe_ps slice_ps;     /* time to give way; GFE_PS_NEVER if no copy wants its PCEs */
    gfe_ps ready_ps;
    gfe_ps due_ps;       /* time of its event; GFE_PS_NEVER if there is none */
    uint64_t told_speed; /* speed logged last */
    uint32_t channel_id;
    uint32_t pces; /* one bit each */
    uint32_t phase;
    uint32_t reserved;
};

struct nv_pce_state {
    uint64_t turns;
    uint64_t reported; /* nonexistent PCEs whose registers were reported */
    struct nv_pce_user users[NV_CHIP_ENGINES_MAX]; /* by copy engine, like nv_pce.ces */
    struct copy_flow flows[NV_CHIP_ENGINES_MAX];
};
GFE_STATE_END

struct nv_pce {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host *host;
    struct nv_ce *ces; /* ce_count of them */
    uint32_t ce_count;
    uint32_t unit;
    const struct nv_ce_layout *layout;
    /* regs of all copy engines; PIPESTATUS, NULL if there is none */
    struct mmio_window *regs, *pipes;
    struct nv_pce_state *state;
};

/* The request of a copy for its PCEs. */
struct nv_pce_request {
    uint64_t copy_id;
    uint32_t channel_id;
    uint32_t pces;           /* at least one */
    gfe_ps ready_ps;         /* end of its set-up */
    struct copy_work left;   /* of its time alone with these PCEs */
    struct copy_rates rates; /* engine: rate of these PCEs together */
    struct copy_traffic traffic;
};

/* Adds the unit and its registers.  `ces` are wired later, in the same order. */
void nv_pce_wire(struct nv_pce *pce, struct nv_host *host, struct nv_ce *ces, uint32_t ce_count);
/* Returns the PCEs that serve an LCE by the current registers, one bit each. 0 means none. */
uint32_t nv_pce_serving(const struct nv_pce *pce, uint32_t instance);
/* Reads the configuration of a PCE (index < NV_CE_PCES_MAX) from the registers.  Bits 3:0 are the
 * LCE that it serves; bit 4 is set if the PCE exists.  Returns false if the chip has no such
 * registers, or if they have no field for it. */
bool nv_pce_config(const struct nv_pce *pce, uint32_t index, uint32_t *config);
/* Changes the configuration of a PCE in both registers, regardless of what software may write. */
void nv_pce_set_config(struct nv_pce *pce, uint32_t index, uint32_t config);
/* Starts a copy for a copy engine that has none here (asserted). nv_ce_moved() reports when it has
 * reached its goal, which is at first its end. */
void nv_pce_move(struct nv_pce *pce, uint32_t ce, const struct nv_pce_request *request);
/* Sets the goal of the copy engine's copy: the work left when it stops.  Returns true if it is at
 * its goal already, or had not begun.  The copy is removed then, and nv_ce_moved() will not be
 * called. */
bool nv_pce_stop_at(struct nv_pce *pce, uint32_t ce, struct copy_work goal);
/* Drops the copy engine's copy; nv_ce_moved() will not be called. */
void nv_pce_drop(struct nv_pce *pce, uint32_t ce);
/* Returns the work left of the copy engine's copy, now or when it stopped. */
struct copy_work nv_pce_left(struct nv_pce *pce, uint32_t ce);

#endif
