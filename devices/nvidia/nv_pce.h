/* SPDX-License-Identifier: MIT */
/*
 * Physical copy engines (PCEs): which logical copy engine (LCE) they serve, and which copy has
 * them.
 *
 * Only PCEs copy.  PCE2LCE_CONFIG gives each PCE to at most one LCE; an LCE may have several, and
 * then their rates add up.  GRCEs alone, the LCEs of the graphics runlist, may have none of their
 * own and share those of another LCE (GRCE_CONFIG).  An LCE without any refuses its launches,
 * INVALID_CONFIG. PCE_MAP says which PCEs there are.  Addresses and layouts differ by generation
 * (nv_ce_regs.h).
 *
 * A shared PCE works for one copy at a time (B.R8).  While two want it they take turns, each for a
 * slice (nv.pce.timeslice_short_ps or nv.pce.timeslice_long_ps, as TIMESLICE of the GRCE says; how
 * long the slices are is ASSUMED, the manual names them only), so that both need twice their time;
 * whoever is alone has it all.  A copy that waits for its turn says so in the log, with the copy
 * that is in the way.  A slice begins when there is somebody else to take over at its end
 * (ASSUMED).
 *
 * Copies that have their PCEs share the link to system memory and the local memory (copy_share.h).
 *
 * Software may write the mapping at any time, as drivers do while the engines are idle.  A copy
 * keeps the PCEs with which it started; the next one has those of the new mapping (ASSUMED).
 *
 * Described in open-gpu-doc tu104/dev_ce.ref.txt and ga102/dev_ce.ref.txt; Bakita and Anderson
 * 2024, s.V-D and Fig. 11; Pascal's registers are those of nvdebug.  Not modelled: that some PCEs
 * reach system memory or NVLink only (HSH_PCE_MASK is there to be read).
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
    NV_PCE_SETUP, /* the copy is being set up: it wants its PCEs at ready_ps */
    NV_PCE_WAITS, /* another copy has one of them */
    NV_PCE_MOVES,
};

GFE_STATE_BEGIN
/* A copy engine that wants PCEs, or has them. */
struct nv_pce_user {
    uint64_t copy_id;
    uint64_t blocker_id; /* copy that has what it waits for */
    uint64_t turn;       /* who has waited longest has the lowest */
    gfe_ps waiting_ps;   /* since when nothing has been told about its waiting */
    gfe_ps slice_ps;     /* when it has to give way; GFE_PS_NEVER: nobody wants its PCEs */
    gfe_ps ready_ps;
    gfe_ps due_ps;       /* of its event; GFE_PS_NEVER: there is none */
    uint64_t told_speed; /* as the log has it */
    uint32_t channel_id;
    uint32_t pces; /* one bit each */
    uint32_t phase;
    uint32_t reserved;
};

struct nv_pce_state {
    uint64_t turns;
    uint64_t reported; /* registers of PCEs that there are not, said to be so */
    struct nv_pce_user users[NV_CHIP_ENGINES_MAX]; /* by copy engine, as nv_pce.ces */
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
    struct mmio_window *regs, *pipes; /* of all copy engines; PIPESTATUS, NULL = none */
    struct nv_pce_state *state;
};

/* What a copy wants of its PCEs. */
struct nv_pce_request {
    uint64_t copy_id;
    uint32_t channel_id;
    uint32_t pces;           /* at least one */
    gfe_ps ready_ps;         /* end of its set-up */
    struct copy_work left;   /* of its time alone with these PCEs */
    struct copy_rates rates; /* engine: of these PCEs together */
    struct copy_traffic traffic;
};

/* Adds the unit and its registers.  `ces` are wired later, in the same order. */
void nv_pce_wire(struct nv_pce *pce, struct nv_host *host, struct nv_ce *ces, uint32_t ce_count);
/* The PCEs that serve an LCE by the registers as they are, one bit each; 0: none. */
uint32_t nv_pce_serving(const struct nv_pce *pce, uint32_t instance);
/* What the registers say of a PCE (index < NV_CE_PCES_MAX): the LCE that it serves in bits 3:0,
 * whether it is there in bit 4.  False: the chip has no such registers, or they have no place for
 * it. */
bool nv_pce_config(const struct nv_pce *pce, uint32_t index, uint32_t *config);
/* Says otherwise in both, past whatever software may write. */
void nv_pce_set_config(struct nv_pce *pce, uint32_t index, uint32_t config);
/* A copy engine, which has no copy here (asserted), has one to move; nv_ce_moved() tells it when
 * that has come to its goal, at first its end. */
void nv_pce_move(struct nv_pce *pce, uint32_t ce, const struct nv_pce_request *request);
/* Sets the goal of the copy engine's copy: what is to be left when it stops.  True: there it is
 * already, or it had not begun; it is out, and nv_ce_moved() will not come. */
bool nv_pce_stop_at(struct nv_pce *pce, uint32_t ce, struct copy_work goal);
/* The copy engine's copy is lost; nv_ce_moved() will not come. */
void nv_pce_drop(struct nv_pce *pce, uint32_t ce);
/* What is left of the copy engine's copy, now or when it stopped. */
struct copy_work nv_pce_left(struct nv_pce *pce, uint32_t ce);

#endif
