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
 * When all ready TSGs have had a turn and none has got anywhere, the one that is on stays until
 * something happens: their slices would follow each other for ever, and change nothing.
 * Before Volta a channel may stand outside TSGs, and takes its turn as if it were one.
 * Described in open-gpu-doc tu104/dev_ram.ref.txt (RAMRL), tu104/dev_pbdma.ref.txt (semaphore
 * switch option, YIELD), tu104/dev_fifo.ref.txt.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_H

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_runlist_entry.h"
#include "emu/engine/machine.h"

/* In place of a TSG's id: this, plus the number of a channel that stands outside TSGs. */
enum { NV_RUNLIST_NO_TSG = 1 << 30 };

struct nv_engine;
struct nv_host;
struct nv_pbdma;

enum { NV_RUNLIST_ENGINES_MAX = 8 };

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
/* A channel entry of the list. */
struct nv_runlist_member {
    uint32_t channel_id;
    uint16_t group; /* index of its TSG */
    uint8_t runqueue;
    uint8_t reserved;
};

/* A TSG of the list, or a channel that stands outside TSGs. */
struct nv_runlist_group {
    uint32_t tsg_id;      /* or NV_RUNLIST_NO_TSG + channel */
    uint32_t slice_units; /* of 1,024 ns; 0: that of the channel's RAMFC */
    uint16_t first;       /* of its members */
    uint8_t length;
    /* How many of its members can run, wait for a failed acquire, are faulted. */
    uint8_t ready, polls, faulted;
    uint8_t turn; /* 1 + which of its members was loaded last; 0 = none yet */
    uint8_t reserved;
};

struct nv_runlist_state {
    uint64_t base;
    uint32_t aperture;                         /* enum memory_aperture */
    uint32_t entry_count;                      /* as submitted; 0: nothing */
    uint32_t group_count, member_count;        /* of the copy */
    uint32_t next_group;                       /* whose turn is next */
    uint32_t ready_groups, serviceable_groups; /* with a channel that can run; or that polls */
    uint32_t blocked_members; /* channels that wait for an acquire without ACQUIRE_SWITCH_TSG */
    uint32_t scan_pending;
    uint32_t disabled; /* SCHED_DISABLE */
    uint32_t idle;     /* IDLE has been told */
    /* The TSG that is on: */
    uint32_t tsg_id;     /* UINT32_MAX = none */
    uint32_t group;      /* its index; UINT32_MAX: it is not on the list any more */
    uint32_t member;     /* the channel that was loaded last */
    uint32_t channel_id; /* on the PBDMA; UINT32_MAX = none at the moment */
    uint32_t pbdma_id;
    uint32_t polled;    /* channels whose acquires have failed in this traversal */
    uint32_t stuck;     /* enum nv_runlist_stuck */
    uint32_t leaving;   /* rule by which it has to leave; RULE_NONE: it has not */
    uint32_t switching; /* 1: the channel leaves for another of the TSG */
    gfe_ps tsg_since_ps;
    gfe_ps channel_since_ps; /* the channel's, on the PBDMA */
    gfe_ps left_ps;          /* when the last TSG left, and who that was */
    uint32_t left_tsg_id, left_channel_id;
    gfe_ps slice_ps, channel_slice_ps; /* how long they may last; 0 = no end */
    gfe_ps slice_used_ps;              /* counted until slice_from_ps */
    gfe_ps slice_from_ps;              /* counts since then, if `counts` */
    uint32_t counts;
    uint32_t slice_armed, channel_armed; /* an event for their end is on its way */
    uint32_t waits_for_pbdma;            /* another runlist has it at the moment */
    /* Preemptions that are not complete: bit per enum nv_runlist_preempt_kind; of whom. */
    uint32_t preempts;
    uint32_t preempt_tsg_id, preempt_channel_id;
    uint32_t preempted_tsg_id; /* by the last submit; UINT32_MAX = nobody */
    uint32_t progress;         /* the TSG that is on has got somewhere */
    uint32_t futile;           /* TSGs that had their turns, one after another, and got nowhere */
    uint32_t preempted_entry;  /* its place in that list */
    uint32_t reserved;
};
GFE_STATE_END

/* What the channel on the PBDMA waits for, as the scheduler sees it. */
enum nv_runlist_stuck {
    NV_RUNLIST_GOES_ON,
    NV_RUNLIST_STUCK,         /* for acquires, as all of its TSG; it stays until its slice ends */
    NV_RUNLIST_STUCK_SWITCHES /* likewise, and leaves as soon as another TSG is serviceable */
};

struct nv_runlist {
    struct machine *machine;
    struct nv_host *host;
    uint32_t runlist_id;
    uint32_t unit;
    char name[16];
    struct nv_runlist_state *state;
    /* The copy of the list, and a bit per TSG that is serviceable; words of 64, then a summary. */
    struct nv_runlist_member *members;
    struct nv_runlist_group *groups;
    uint64_t *serviceable, *summary;
    uint32_t capacity;                                   /* of members, and of groups */
    uint32_t engines[NV_RUNLIST_ENGINES_MAX];            /* indices in host->engines ... */
    struct nv_engine *engine_at[NV_RUNLIST_ENGINES_MAX]; /* ... and these */
    uint32_t engine_count;
    /* From Ampere on (nv_runlist_regs.h); NULL before. */
    struct mmio_window *block, *channel_ram;
    uint32_t *levels; /* of its interrupt trees, in the arena */
};

/* Adds the runlist as a unit of Host's machine. */
void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id);
/* Software submitted a list of so many entries; the scheduler starts with entry `offset`.  The
 * slices of what runs end. */
struct nv_runlist_submission {
    uint64_t base;
    uint32_t entry_count, offset;
    uint32_t aperture, reserved;
};
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
/* The preemption is complete: who could have run since the TSG left has waited for it. */
void nv_runlist_log_preempted(struct nv_runlist *runlist);
/* A PBDMA is free: look for work. */
void nv_runlist_wake(struct nv_runlist *runlist);

/* ---- for the PBDMA that has the runlist's channel ---------------------------------------------
 */

/* Its registers are loaded and its engines are on: its slice counts. */
void nv_runlist_channel_loaded(struct nv_runlist *runlist);
/* It needs an engine that has to load its context: the slice, if it counts, is paused (B.T2). */
void nv_runlist_slice_load(struct nv_runlist *runlist);
/* The slice does not count; and then again. */
void nv_runlist_slice_pause(struct nv_runlist *runlist);
void nv_runlist_slice_resume(struct nv_runlist *runlist);
/* Its acquire has failed.  True: it has to leave the PBDMA. */
bool nv_runlist_acquire_failed(struct nv_runlist *runlist, bool switches);
/* Its acquire has succeeded, or is over. */
void nv_runlist_goes_on(struct nv_runlist *runlist);
/* YIELD: the rest of the TSG's slice; or only the turn among the channels of the TSG.  True: it has
 * to leave the PBDMA, because there is another who could run. */
bool nv_runlist_yield_tsg(struct nv_runlist *runlist);
bool nv_runlist_yield_channel(struct nv_runlist *runlist);
/* It has done something, and will again if it is given time. */
static inline void nv_runlist_progress(struct nv_runlist *runlist)
{
    runlist->state->progress = 1;
}
/* It is saved, and the PBDMA free. */
void nv_runlist_channel_left(struct nv_runlist *runlist);

/* ---- for engines and channels -----------------------------------------------------------------
 */

/* An engine of the runlist is done with its context's work, or has no context any more. */
void nv_runlist_engine_changed(struct nv_runlist *runlist);
/* Something has happened that may let one of its TSGs go on. */
void nv_runlist_stir(struct nv_runlist *runlist);
/* The channel of member `member` of the list counts differently: it was / is now one that can run,
 * one that polls (enum nv_runlist_count); or it is faulted, or not any more. */
enum nv_runlist_count { NV_RUNLIST_COUNTS_NOT, NV_RUNLIST_POLLS, NV_RUNLIST_READY };
void nv_runlist_recount(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                        enum nv_runlist_count is);
/* Some channel of that member's TSG is faulted. */
bool nv_runlist_holds_fault(const struct nv_runlist *runlist, uint32_t member);
void nv_runlist_fault(struct nv_runlist *runlist, uint32_t member, bool more);

/* ---- between the parts of the runlist ----------------------------------------------------------
 */

/* nv_runlist_list.c: reads the list in memory into the copy.  False: it is wrong (*bad says how),
 * and the copy is empty.  start_entry: where the scheduler starts. */
bool nv_runlist_read(struct nv_runlist *runlist, uint32_t start_entry,
                     enum nv_runlist_bad_tsg *bad);
/* The counting of nv_runlist_recount(), without what follows from it. */
void nv_runlist_count(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                      enum nv_runlist_count is);
void nv_runlist_count_faulted(struct nv_runlist *runlist, uint32_t member, bool more);
/* The first serviceable TSG from `from` on, round the list; UINT32_MAX when there is none. */
uint32_t nv_runlist_find(const struct nv_runlist *runlist, uint32_t from);
/* The TSG of that number; UINT32_MAX: not on the list.  Looks at all of them. */
uint32_t nv_runlist_find_tsg(const struct nv_runlist *runlist, uint32_t tsg_id);
/* Place in the list, as submitted, of a TSG's header. */
uint32_t nv_runlist_entry_of(const struct nv_runlist *runlist, uint32_t group);
/* The member of a TSG whose turn is next behind `after`: one that has NEXT, then one that can run,
 * or, if `polls`, one that waits for an acquire; UINT32_MAX when there is none. */
uint32_t nv_runlist_next_member(const struct nv_runlist *runlist, uint32_t group, uint32_t after,
                                bool polls);

/* nv_runlist_preempt.c: goes on with what software preempts, if it does. */
void nv_runlist_preempt_further(struct nv_runlist *runlist);
static inline void nv_runlist_preempt_advance(struct nv_runlist *runlist)
{
    if (runlist->state->preempts != 0)
        nv_runlist_preempt_further(runlist);
}

/* nv_runlist_slice.c: the TSG's slice begins, ends; the channel's within it. */
void nv_runlist_slice_begin(struct nv_runlist *runlist);
void nv_runlist_slice_end(struct nv_runlist *runlist);
void nv_runlist_channel_slice_begin(struct nv_runlist *runlist);
void nv_runlist_channel_slice_arm(struct nv_runlist *runlist);
void nv_runlist_channel_slice_end(struct nv_runlist *runlist);
/* Somebody else could run: the end of the slice matters now. */
void nv_runlist_slice_arm(struct nv_runlist *runlist);
/* Time that has counted for the TSG that is on. */
gfe_ps nv_runlist_slice_counted(const struct nv_runlist *runlist);
/* Bit per runlist that waits for that PBDMA. */
uint32_t nv_runlist_waiting(const struct nv_host *host, uint32_t pbdma_id);
/* Is there another TSG that could have the PBDMA; another channel of this TSG? */
bool nv_runlist_contended(const struct nv_runlist *runlist);
bool nv_runlist_channel_contended(const struct nv_runlist *runlist);
/* nv_runlist.c: the TSG has to leave, by that rule; the channel, for another of its TSG. */
void nv_runlist_expire(struct nv_runlist *runlist, uint32_t rule);
void nv_runlist_switch_channel(struct nv_runlist *runlist);

enum nv_runlist_event {
    NV_RUNLIST_SCAN,
    NV_RUNLIST_SLICE,
    NV_RUNLIST_CHANNEL_SLICE,
};

#endif
