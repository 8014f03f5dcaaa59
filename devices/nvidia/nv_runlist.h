/* SPDX-License-Identifier: MIT */
/*
 * A runlist: the list of the TSGs and channels that may run on its engines, and the scheduler that
 * walks it.
 *
 * A submitted list is read and decoded at once; drivers must leave it alone while it is in use, so
 * the copy is the list.  A TSG is ready when one of its channels can run (nv_channel.h) or it has
 * work on an engine of the runlist, and none of its channels is faulted.  Ready TSGs take turns in
 * the order of the list (NV.RUNLIST), each for its slice (B.T1): counted from when its context is
 * on a PBDMA, and not while an engine loads a context (B.T2).  At the end of the slice the channel
 * leaves the PBDMA behind the method it is at; a TSG alone goes on.  A new list ends all slices.
 * Within a TSG channels follow each other in the order of their entries.  One channel of the
 * runlist is on its PBDMAs at a time, on the one that its runqueue selects (ASSUMED: the manuals
 * let the runqueues walk the list each on its own).
 * Before Volta a channel may stand outside TSGs, and takes its turn as if it were one.
 * Described in open-gpu-doc tu104/dev_ram.ref.txt (RAMRL), tu104/dev_pbdma.ref.txt (semaphore
 * switch option, YIELD), tu104/dev_fifo.ref.txt.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_H

#include "devices/nvidia/nv_runlist_entry.h"
#include "emu/machine.h"

/* In place of a TSG's id: this, plus the number of a channel that stands outside TSGs. */
enum { NV_RUNLIST_NO_TSG = 1 << 30 };

struct nv_host;
struct nv_pbdma;

/* What a runlist tells the interrupt registers of its generation (nv_host_runlist_event()). */
enum nv_runlist_notice {
    NV_RUNLIST_SUBMITTED,
    NV_RUNLIST_IDLE,
    NV_RUNLIST_ENG_IDLE, /* and its engines are idle as well */
    NV_RUNLIST_ACQUIRE,  /* all that is left waits for semaphores, with ACQUIRE_SWITCH_TSG */
    NV_RUNLIST_ACQUIRE_AND_ENG_IDLE,
    NV_RUNLIST_TSG_PREEMPT_COMPLETE,
    NV_RUNLIST_RUNLIST_PREEMPT_COMPLETE,
    NV_RUNLIST_BAD_TSG,       /* code: enum nv_runlist_bad_tsg */
    NV_RUNLIST_CTXSW_TIMEOUT, /* code: which of the runlist's engines, from 0 */
};

enum nv_runlist_preempt_kind {
    NV_RUNLIST_PREEMPT_ALL,
    NV_RUNLIST_PREEMPT_TSG,
    NV_RUNLIST_PREEMPT_CHANNEL
};

GFE_STATE_BEGIN
struct nv_runlist_state {
    uint64_t base;
    uint32_t aperture;    /* enum memory_aperture */
    uint32_t entry_count; /* 0: nothing submitted */
    uint32_t next_entry;  /* where the next scan starts */
    uint32_t scan_pending;
    uint32_t tsg_id; /* on the PBDMA; UINT32_MAX = none */
    uint32_t channel_id;
    uint32_t pbdma_id;
    uint32_t waits_for_pbdma; /* it is another runlist's at the moment */
    uint32_t disabled;
    uint32_t reserved;
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
    /* From Ampere on (nv_runlist_regs.h); NULL before. */
    struct mmio_window *block, *channel_ram;
    uint32_t *levels; /* of its interrupt trees, in the arena */
};

/* Adds the runlist as a unit of Host's machine. */
void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id);
/* Software submitted a list of so many entries; the scheduler starts with entry `offset`.  The
 * slices of what runs end. */
void nv_runlist_submit(struct nv_runlist *runlist, enum memory_aperture aperture, uint64_t base,
                       uint32_t entry_count, uint32_t offset);
/* SCHED_DISABLE: what runs goes on, nothing else is scheduled. */
void nv_runlist_disable(struct nv_runlist *runlist, bool disabled);
/* Software takes off the PBDMAs and engines: everything of the runlist, a TSG, a channel.  It comes
 * again in its turn if it can run. */
void nv_runlist_preempt(struct nv_runlist *runlist);
void nv_runlist_preempt_tsg(struct nv_runlist *runlist, uint32_t tsg_id);
void nv_runlist_preempt_channel(struct nv_runlist *runlist, uint32_t channel_id);
/* A preemption of that kind is not complete; `id` of the TSG or channel, else ignored. */
bool nv_runlist_preempt_pending(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                                uint32_t id);
/* A channel became pending, or a PBDMA free: look for work. */
void nv_runlist_wake(struct nv_runlist *runlist);
/* Could a channel of another TSG run, or another channel of this TSG? */
bool nv_runlist_has_other_tsg(struct nv_runlist *runlist, uint32_t tsg_id);
bool nv_runlist_has_other_channel(struct nv_runlist *runlist, uint32_t tsg_id);
/* The PBDMA has no more work for the runlist's channel and has saved it. */
void nv_runlist_channel_left(struct nv_runlist *runlist);

/* An engine of the runlist has nothing more to do for the context that is on it. */
void nv_runlist_engine_idle(struct nv_runlist *runlist);

/* ---- for nv_channel.c: one more or one less of the TSG of entry `entry` ---------------------- */

void nv_runlist_count_ready(struct nv_runlist *runlist, uint32_t entry, bool more);
void nv_runlist_count_faulted(struct nv_runlist *runlist, uint32_t entry, bool more);

#endif
