/* SPDX-License-Identifier: MIT */
/*
 * The state of a channel, for whatever register shows it: CCSR up to Turing, CHRAM from Ampere on.
 *
 * A channel has one number everywhere in the model, in states, events and views.  Up to Turing it
 * is the CHID.  From Ampere on, where CHIDs are counted in each runlist, it is runlist_id << 16 |
 * CHID.  CCSR binds the instance block, from Ampere on the channel's runlist entry.  Described in
 * open-gpu-doc gv100 and tu104 dev_fifo.ref.txt (NV_PCCSR_CHANNEL), ga100 dev_runlist.ref.txt
 * (NV_CHRAM_CHANNEL).  The scheduler looks for bound, enabled, pending channels that stand on a
 * runlist (nv_runlist.h).
 *
 * A channel whose acquire failed is not tried again before the semaphore's word is written, or its
 * deadline is missed: every poll between would fail as well.  The hardware polls at each traversal
 * of the runlist, and from Volta on ACQ_PRETEST sets the time between these polls.  Here the
 * channel is found at the next multiple of that time after the failure (ASSUMED; the register's
 * unit, which is not published, is parameter nv.acq_pretest_ps).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHANNEL_H
#define GFE_DEVICES_NVIDIA_NV_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/machine.h"

struct nv_host;
struct nv_runlist;

enum { NV_CHANNEL_RUNLIST_SHIFT = 16, NV_RUNLIST_UNKNOWN = 255 };

enum nv_channel_stop {
    NV_CHANNEL_GOES,
    NV_CHANNEL_STOPPED, /* stopped by an error; software has to tear it down */
    /* from Volta on: stopped by a fault until software clears its faulted bits */
    NV_CHANNEL_FAULTED,
};

GFE_STATE_BEGIN
struct nv_channel {
    uint64_t instance;          /* address of its instance block, while bound */
    uint64_t userd;             /* from Ampere on: address of its USERD, from its runlist entry */
    gfe_ps pending_ps;          /* time since when it is pending */
    uint64_t semaphore;         /* virtual address, while acquire_blocked */
    gfe_ps failed_ps;           /* time at which that acquire failed */
    uint64_t gp_sequence;       /* GP entries committed so far, the model's own count */
    uint32_t instance_aperture; /* enum memory_aperture */
    uint32_t userd_aperture;    /* enum memory_aperture */
    uint16_t pretest;           /* 1 if an event for the end of its ACQ_PRETEST is scheduled */
    uint16_t runqueue;          /* runqueue of `entry` */
    uint32_t segment_methods;   /* methods of the segment that it left midway */
    uint32_t entry;             /* 1 + place in its runlist's copy; 0 means on no runlist */
    uint16_t bindings;          /* number of times that an instance block was bound, modulo 4096 */
    uint8_t runlist_id;         /* runlist of `entry` */
    uint8_t pbdma_id;           /* while on_pbdma */
    uint8_t bound, enabled;
    uint8_t pending;    /* GP_PUT may have moved since the channel was last examined */
    uint8_t next;       /* NEXT: it is scheduled before the others of its TSG */
    uint8_t ctx_reload; /* its engine's context was saved with work left, or software forced it */
    uint8_t eng_work;   /* its TSG left with work on the engine that it had fed last */
    uint8_t on_pbdma;   /* its RAMFC is loaded in a PBDMA */
    uint8_t acquire_failed;  /* its acquire had failed when it was last on the PBDMA */
    uint8_t acquire_blocked; /* nothing has happened since that could change the result */
    uint8_t acquire_switch;  /* ACQUIRE_SWITCH_TSG of that acquire */
    uint8_t pbdma_faulted, eng_faulted;
    uint8_t stopped;       /* enum nv_channel_stop */
    uint8_t count;         /* how its TSG counts it: enum nv_runlist_count */
    uint8_t segment_first; /* no instruction of the segment that it left had been seen */
    uint8_t deadline;      /* 1 if an event for the deadline of its acquire is scheduled */
};
GFE_STATE_END

/* Returns the index into host->channels, or UINT32_MAX if there is no such channel. */
uint32_t nv_channel_slot(const struct nv_host *host, uint32_t channel_id);
/* Returns the channel of a slot. */
uint32_t nv_channel_id_of_slot(const struct nv_host *host, uint32_t slot);

/* Bind and unbind the instance block, for CCSR or the runlist entry.  Binding an unbound channel
 * makes a new channel of that number.  Channels that do not exist are ignored, here and below. */
void nv_channel_bind(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                     uint64_t instance_address);
void nv_channel_unbind(struct nv_host *host, uint32_t channel_id);
/* Enables or disables a channel.  A disabled channel is not scheduled again.  If it is on a PBDMA
 * it continues until it is preempted or its slice ends. */
void nv_channel_enable(struct nv_host *host, uint32_t channel_id, bool enabled);
/* Makes the channel pending because software announced work; its runlist examines it. */
void nv_channel_doorbell(struct nv_host *host, uint32_t channel_id);
/* Schedules the channel before the others of its TSG, once; or no longer, if `next` is false. */
void nv_channel_set_next(struct nv_host *host, uint32_t channel_id, bool next);
/* Requests that the engine's context be loaded again, whatever work there is. */
void nv_channel_force_ctx_reload(struct nv_host *host, uint32_t channel_id);
/* Bits of a channel, as CHRAM has them. */
struct nv_channel_bits {
    bool enabled, next, pending, ctx_reload;
    bool acquire_failed;
    bool pbdma_faulted, eng_faulted;
};
/* Clears NEXT, PENDING, CTX_RELOAD and ACQUIRE_FAIL where `bits` has them.  Ignores the other bits,
 * which have functions of their own. */
void nv_channel_clear_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits);
/* Lets a stopped channel continue, and unbinds it unless it stands on a runlist.
 * UPDATE_CLEAR_CHANNEL does this, and clears bits. */
void nv_channel_clear(struct nv_host *host, uint32_t channel_id);
/* Set and clear the faulted bits.  While either bit is set, no channel of its TSG is scheduled.
 * When both are clear, a channel that a fault has stopped continues. */
void nv_channel_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine);
void nv_channel_clear_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine);

/* The state from which the codes of CCSR's STATUS and the bits of CHRAM are derived. */
struct nv_channel_status {
    bool enabled, next;
    bool pending;         /* work was announced, or is left */
    bool pending_acquire; /* it waits, off the PBDMA, for an acquire that failed */
    bool ctx_reload, on_pbdma;
    bool on_eng; /* its context is on an engine, and has work there or feeds the engine */
    bool pbdma_busy, eng_busy, pbdma_faulted, eng_faulted;
    bool busy; /* any of pending, on_pbdma, eng_busy */
};
/* Returns that state of a channel. */
struct nv_channel_status nv_channel_status(const struct nv_host *host, uint32_t channel_id);

/* Sets the bits of a channel for an injected fault, except acquire_failed, with all effects of each
 * bit.  The channel must exist. */
void nv_channel_force_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits);

/* ---- between the parts of Host: the channel must exist unless a comment says otherwise --------
 */

/* Sets the address of the USERD, from the runlist entry. */
void nv_channel_set_userd(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                          uint64_t address);
/* Puts the channel on the runlist, at `member` of its copy.  Takes it off another list; does
 * nothing if it stands on this list, or if there is no such channel. */
void nv_channel_join_list(struct nv_host *host, uint32_t channel_id, struct nv_runlist *runlist,
                          uint32_t member);
/* Removes the channel from its runlist. */
void nv_channel_leave_list(struct nv_host *host, uint32_t channel_id);
/* A failed acquire, at which a channel has left the PBDMA. */
struct nv_channel_acquire {
    uint64_t semaphore; /* virtual address */
    uint64_t physical;
    enum memory_aperture aperture;
    bool wide;          /* true for eight bytes, false for four */
    bool switches_tsg;  /* ACQUIRE_SWITCH_TSG */
    gfe_ps deadline_ps; /* GFE_PS_NEVER means no deadline */
};
/* Makes a channel wait at a failed acquire until the semaphore is written, or for the deadline. */
void nv_channel_wait_acquire(struct nv_host *host, uint32_t channel_id,
                             const struct nv_channel_acquire *acquire);
/* Logs how long the channel has waited for its acquire. */
void nv_channel_log_acquire_wait(struct nv_host *host, uint32_t channel_id);
/* Handles a write to the word that the channel waits for.  The channel is tried again when
 * ACQ_PRETEST allows it. */
void nv_channel_acquire_written(struct nv_host *host, uint32_t channel_id);
/* Handle the end of the time of ACQ_PRETEST, and a missed deadline of the acquire: the channel is
 * tried again now. */
void nv_channel_pretest_over(struct nv_host *host, uint32_t channel_id);
void nv_channel_deadline_missed(struct nv_host *host, uint32_t channel_id);
/* Marks the channel as loaded: its RAMFC goes into a PBDMA. */
void nv_channel_load(struct nv_host *host, uint32_t channel_id, uint32_t pbdma_id);
/* Clears CTX_RELOAD, because the contexts of the engines are loaded. */
void nv_channel_context_loaded(struct nv_host *host, uint32_t channel_id);
/* Marks the channel as unloaded: its RAMFC has been saved, and the PBDMA is free of it. */
void nv_channel_unload(struct nv_host *host, uint32_t channel_id);
/* Keeps the model's data of the segment that the channel leaves, beside RAMFC: the methods done,
 * and whether its first instruction is still to come. */
void nv_channel_keep_segment(struct nv_host *host, uint32_t channel_id, uint32_t methods,
                             bool first);
/* Counts a GP entry that a PBDMA has committed. */
void nv_channel_count_entry(struct nv_host *host, uint32_t channel_id);
/* Notes whether the TSG left with work on the engine that the channel had fed last.  Does nothing
 * if there is no such channel. */
void nv_channel_set_eng_work(struct nv_host *host, uint32_t channel_id, bool work);
/* Stops the channel and logs the interrupt bits.  Does nothing if an error has stopped it before,
 * or if there is no such channel. */
void nv_channel_stop(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits,
                     enum nv_channel_stop how);
/* Starts a new wait of the pending channel, and logs the wait until now. */
void nv_channel_wait_anew(struct nv_host *host, uint32_t channel_id);
/* Makes the channel pending from now on because it has work left, unless it is pending already. */
void nv_channel_make_pending(struct nv_host *host, uint32_t channel_id);
/* Handles the end of the doorbell's delay. */
void nv_channel_pending_due(struct nv_host *host, uint32_t channel_id);
/* Logs the channels that are still pending when nothing is left to happen, with what holds them. */
void nv_channel_log_open_waits(struct nv_host *host);

#endif
