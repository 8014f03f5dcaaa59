/* SPDX-License-Identifier: MIT */
/*
 * The state of a channel, whatever register shows it: CCSR up to Turing, CHRAM from Ampere on.
 *
 * A channel has one number everywhere in the model, in states, events and views: up to Turing its
 * CHID; from Ampere on, where CHIDs are counted per runlist, runlist_id << 16 | CHID.  Its instance
 * block is bound to it by CCSR, from Ampere on by its runlist entry.  Described in open-gpu-doc
 * gv100 and tu104 dev_fifo.ref.txt (NV_PCCSR_CHANNEL), ga100 dev_runlist.ref.txt
 * (NV_CHRAM_CHANNEL); a bound, enabled, pending channel that stands on a runlist is what its
 * scheduler looks for (nv_runlist.h).
 *
 * A channel whose acquire failed is not tried again before the semaphore's word is written, or its
 * deadline is missed: every poll between would fail as well.  The hardware polls at each traversal
 * of the runlist, and from Volta on ACQ_PRETEST holds these polls apart: here the channel is found
 * at the next multiple of that time after the failure (ASSUMED, and the register's unit, which is
 * not published, is parameter nv.acq_pretest_ps).
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
    NV_CHANNEL_STOPPED, /* an error stopped it; software has to tear it down */
    NV_CHANNEL_FAULTED, /* from Volta on a fault did, until software clears its faulted bits */
};

GFE_STATE_BEGIN
struct nv_channel {
    uint64_t instance;          /* address of its instance block, while bound */
    uint64_t userd;             /* from Ampere on: of its USERD, as its runlist entry has it */
    gfe_ps pending_ps;          /* since when it is pending */
    uint64_t semaphore;         /* virtual address, while acquire_blocked */
    gfe_ps failed_ps;           /* when that acquire failed */
    uint64_t gp_sequence;       /* GP entries committed so far, the model's own count */
    uint32_t instance_aperture; /* enum memory_aperture */
    uint32_t userd_aperture;    /* likewise */
    uint32_t pretest;           /* an event for the end of its ACQ_PRETEST is on its way */
    uint32_t segment_methods;   /* of the segment that it left midway */
    uint32_t entry;             /* 1 + place in its runlist's copy; 0 = on no runlist */
    uint16_t bindings;          /* times that an instance block was bound, modulo 4096 */
    uint8_t runlist_id;         /* whose `entry` is */
    uint8_t pbdma_id;           /* while on_pbdma */
    uint8_t bound, enabled;
    uint8_t pending;    /* GP_PUT may have moved since the channel was last looked at */
    uint8_t next;       /* NEXT: to be scheduled before the others of its TSG */
    uint8_t ctx_reload; /* its engine's context was saved with work left, or software forced it */
    uint8_t eng_work;   /* its TSG left with work on an engine that it had fed last */
    uint8_t on_pbdma;   /* its RAMFC is in a PBDMA */
    uint8_t acquire_failed;  /* its acquire had failed when it was on the PBDMA last */
    uint8_t acquire_blocked; /* ... and nothing has happened since that could change it */
    uint8_t acquire_switch;  /* ACQUIRE_SWITCH_TSG of that acquire */
    uint8_t pbdma_faulted, eng_faulted;
    uint8_t stopped;       /* enum nv_channel_stop */
    uint8_t count;         /* how its TSG counts it: enum nv_runlist_count */
    uint8_t segment_first; /* no instruction of the segment that it left had been seen */
    uint8_t deadline;      /* an event for the deadline of its acquire is on its way */
};
GFE_STATE_END

/* Index into host->channels, UINT32_MAX: no such channel. */
uint32_t nv_channel_slot(const struct nv_host *host, uint32_t channel_id);
/* The channel of a slot. */
uint32_t nv_channel_id_of_slot(const struct nv_host *host, uint32_t slot);

/* The instance block: CCSR, or the runlist entry.  Binding an unbound channel makes a new channel
 * of that number.  Channels that do not exist are ignored, here and below. */
void nv_channel_bind(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                     uint64_t instance_address);
void nv_channel_unbind(struct nv_host *host, uint32_t channel_id);
/* A disabled channel is not scheduled again; one that is on a PBDMA goes on until it is preempted
 * or its slice ends. */
void nv_channel_enable(struct nv_host *host, uint32_t channel_id, bool enabled);
/* Software says that there is work: the channel is pending, its runlist looks. */
void nv_channel_doorbell(struct nv_host *host, uint32_t channel_id);
/* It goes before the other channels of its TSG, once; or not any more. */
void nv_channel_set_next(struct nv_host *host, uint32_t channel_id, bool next);
/* The engine's context is to be loaded again, whatever work there is. */
void nv_channel_force_ctx_reload(struct nv_host *host, uint32_t channel_id);
/* Bits of a channel, as CHRAM has them. */
struct nv_channel_bits {
    bool enabled, next, pending, ctx_reload;
    bool acquire_failed;
    bool pbdma_faulted, eng_faulted;
};
/* Clears NEXT, PENDING, CTX_RELOAD and ACQUIRE_FAIL where `bits` has them; passes over the others,
 * which have functions of their own. */
void nv_channel_clear_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits);
/* Lets a stopped channel go again and unbinds it, unless it stands on a runlist: what
 * UPDATE_CLEAR_CHANNEL does beside clearing bits. */
void nv_channel_clear(struct nv_host *host, uint32_t channel_id);
/* While either bit is set, no channel of its TSG is scheduled.  When both are clear, a channel that
 * a fault has stopped goes on. */
void nv_channel_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine);
void nv_channel_clear_fault(struct nv_host *host, uint32_t channel_id, bool pbdma, bool engine);

/* Of which the codes of CCSR's STATUS and the bits of CHRAM are made. */
struct nv_channel_status {
    bool enabled, next;
    bool pending;         /* work was announced, or is left */
    bool pending_acquire; /* it waits, off the PBDMA, for an acquire that failed */
    bool ctx_reload, on_pbdma;
    bool on_eng; /* its context is on an engine, and has work there or feeds it */
    bool pbdma_busy, eng_busy, pbdma_faulted, eng_faulted;
    bool busy; /* any of pending, on_pbdma, eng_busy */
};
struct nv_channel_status nv_channel_status(const struct nv_host *host, uint32_t channel_id);

/* Sets the bits of a channel to what an injected fault leaves there, acquire_failed excepted, with
 * what follows from each.  The channel must exist. */
void nv_channel_force_bits(struct nv_host *host, uint32_t channel_id,
                           const struct nv_channel_bits *bits);

/* ---- between the parts of Host: the channel must exist unless a comment says otherwise --------
 */

/* Sets the address of its USERD, as its runlist entry has it. */
void nv_channel_set_userd(struct nv_host *host, uint32_t channel_id, enum memory_aperture aperture,
                          uint64_t address);
/* Puts the channel on the runlist, at `member` of its copy.  Takes it off another list; does
 * nothing if it stands on this list, or if there is no such channel. */
void nv_channel_join_list(struct nv_host *host, uint32_t channel_id, struct nv_runlist *runlist,
                          uint32_t member);
/* It does not stand on its runlist any more. */
void nv_channel_leave_list(struct nv_host *host, uint32_t channel_id);
/* It has left the PBDMA at an acquire that failed: it waits until the semaphore is written, or
 * for the deadline. */
struct nv_channel_acquire {
    uint64_t semaphore; /* virtual address */
    uint64_t physical;
    enum memory_aperture aperture;
    bool wide;          /* eight bytes, else four */
    bool switches_tsg;  /* ACQUIRE_SWITCH_TSG */
    gfe_ps deadline_ps; /* GFE_PS_NEVER: it has none */
};
void nv_channel_wait_acquire(struct nv_host *host, uint32_t channel_id,
                             const struct nv_channel_acquire *acquire);
/* Logs how long it has waited for that. */
void nv_channel_log_acquire_wait(struct nv_host *host, uint32_t channel_id);
/* The word that it waits for is written: it is tried again when ACQ_PRETEST lets it. */
void nv_channel_acquire_written(struct nv_host *host, uint32_t channel_id);
/* The time of ACQ_PRETEST is over, or the acquire's deadline is missed: it is tried again now. */
void nv_channel_pretest_over(struct nv_host *host, uint32_t channel_id);
void nv_channel_deadline_missed(struct nv_host *host, uint32_t channel_id);
/* Its RAMFC goes into a PBDMA. */
void nv_channel_load(struct nv_host *host, uint32_t channel_id, uint32_t pbdma_id);
/* The contexts of its engines are loaded: CTX_RELOAD is clear. */
void nv_channel_context_loaded(struct nv_host *host, uint32_t channel_id);
/* Its RAMFC has been saved: the PBDMA is free of it. */
void nv_channel_unload(struct nv_host *host, uint32_t channel_id);
/* Keeps, beside RAMFC, what the model knows of the segment that the channel leaves: how many
 * methods were done, and whether its first instruction is still to come. */
void nv_channel_keep_segment(struct nv_host *host, uint32_t channel_id, uint32_t methods,
                             bool first);
/* Counts a GP entry that a PBDMA has committed. */
void nv_channel_count_entry(struct nv_host *host, uint32_t channel_id);
/* Notes whether its TSG left with work on an engine that the channel had fed last.  Does nothing if
 * there is no such channel. */
void nv_channel_set_eng_work(struct nv_host *host, uint32_t channel_id, bool work);
/* Stops the channel and logs the interrupt bits that did it.  Does nothing if an error has stopped
 * it before, or if there is no such channel. */
void nv_channel_stop(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits,
                     enum nv_channel_stop how);
/* Counts the wait of the pending channel from now on: what it waited for until now is logged. */
void nv_channel_wait_anew(struct nv_host *host, uint32_t channel_id);
/* It has work left: pending since now, if it was not. */
void nv_channel_make_pending(struct nv_host *host, uint32_t channel_id);
/* The doorbell's delay is over. */
void nv_channel_pending_due(struct nv_host *host, uint32_t channel_id);
/* Channels that are still pending when nothing is left to happen: logged with what holds them. */
void nv_channel_log_open_waits(struct nv_host *host);

#endif
