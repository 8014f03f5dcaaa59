/* SPDX-License-Identifier: MIT */
/*
 * A runlist: the list in memory of the TSGs and channels that may run on its engines, and the
 * scheduler that walks it.
 *
 * The entries stay in memory and are read at each scan, in their order, starting behind the TSG that
 * ran last.  A TSG with a pending, enabled channel goes onto the PBDMA of the channel's runqueue.
 * Before Volta a channel may stand outside TSGs, and takes its turn as if it were one.
 * Described in open-gpu-doc tu104/dev_ram.ref.txt (entries, timeslice) and gv100/dev_fifo.ref.txt.
 * Not modelled yet: timeslice expiry and preemption (a TSG leaves when it has no work),
 * SCHED_DISABLE.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_H

#include "emu/machine.h"

/* In place of a TSG's id: this, plus the number of a channel that stands outside TSGs. */
enum { NV_RUNLIST_NO_TSG = 0x10000 };

struct nv_host;
struct nv_pbdma;

GFE_STATE_BEGIN
struct nv_runlist_state {
    uint64_t base;
    uint32_t aperture;    /* enum memory_aperture */
    uint32_t entry_count; /* 0: nothing submitted */
    uint32_t next_entry;  /* where the next scan starts */
    uint32_t scan_pending;
    uint32_t tsg_id;      /* on the PBDMA; UINT32_MAX = none */
    uint32_t channel_id;
    uint32_t pbdma_id;
    uint32_t waits_for_pbdma; /* it is another runlist's at the moment */
    gfe_ps tsg_since_ps;
};
GFE_STATE_END

struct nv_runlist {
    struct machine *machine;
    struct nv_host *host;
    uint32_t runlist_id;
    uint32_t unit;
    char name[16];
    struct nv_runlist_state *state;
};

/* Adds the runlist as a unit of Host's machine. */
void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id);
/* Software submitted a list. */
void nv_runlist_submit(struct nv_runlist *runlist, enum memory_aperture aperture, uint64_t base,
                       uint32_t entry_count);
/* A channel became pending, or a PBDMA free: look for work. */
void nv_runlist_wake(struct nv_runlist *runlist);
/* Could a channel of another TSG run, or another channel of this TSG? */
bool nv_runlist_has_other_tsg(struct nv_runlist *runlist, uint32_t tsg_id);
bool nv_runlist_has_other_channel(struct nv_runlist *runlist, uint32_t tsg_id);
/* The PBDMA has no more work for the runlist's channel and has saved it. */
void nv_runlist_channel_left(struct nv_runlist *runlist);

#endif
