/* SPDX-License-Identifier: MIT */
/*
 * A runlist: the list of the TSGs and channels that may run on its engines, and the scheduler that
 * walks it.
 *
 * A submitted list is read and decoded at once.  Drivers must not change it while it is in use, so
 * the copy stands for the list.  A TSG is ready if one of its channels can run (nv_channel.h) or it
 * has work on an engine of the runlist, and none of its channels is faulted.  Ready TSGs take turns
 * in the order of the list (NV.RUNLIST), each for its slice (B.T1).  A slice is counted from the
 * time when the TSG's context is on a PBDMA, and not while an engine loads a context (B.T2).  At
 * the end of the slice the channel leaves the PBDMA after its current method; a TSG alone
 * continues.  A new list ends all slices.  Within a TSG channels follow each other in the order of
 * their entries.
 *
 * Each PBDMA of the runlist serves a runqueue: the channels whose entries select it.  Each runqueue
 * walks the list for itself, with a TSG, a slice and a turn of its own (tu104/dev_pbdma.ref.txt
 * speaks of the next TSG on the runqueue, and of the runqueue's timeslice; Bakita and Anderson
 * 2024, note 16).  So two channels of a TSG may be on PBDMAs at once, and two TSGs that need
 * different engines.  An engine has one context (B.R4): a runqueue whose TSG needs an engine of the
 * TSG that another runqueue has on, and feeds, waits for the end of that TSG's slice there.
 * INFERRED: that it waits, and does not take the engine at once.  On an H100 the channels of CUDA
 * are on both runqueues, and of two processes each computes for whole slices (tests/hardware/data).
 *
 * If all ready TSGs have had a turn and none has made progress, the one that is on stays until
 * something happens.  Otherwise their slices would follow each other for ever and change nothing.
 * Before Volta a channel may stand outside TSGs, and takes its turn as if it were a TSG.  Described
 * in open-gpu-doc tu104/dev_ram.ref.txt (RAMRL), tu104/dev_pbdma.ref.txt (semaphore switch option,
 * YIELD), tu104/dev_fifo.ref.txt.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_H

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_runlist_entry.h"
#include "emu/engine/machine.h"

/* Stands for a TSG's id: this, plus the number of a channel outside TSGs. */
enum { NV_RUNLIST_NO_TSG = 1 << 30 };

struct nv_engine;
struct nv_host;
struct nv_pbdma;

enum { NV_RUNLIST_ENGINES_MAX = 8 };

/* Events that a runlist reports to the interrupt registers of its generation
 * (nv_host_runlist_event()). */
enum nv_runlist_notice {
    NV_RUNLIST_SUBMITTED,
    NV_RUNLIST_IDLE,
    NV_RUNLIST_ENG_IDLE, /* also its engines are idle */
    NV_RUNLIST_ACQUIRE,  /* all remaining channels wait for semaphores, with ACQUIRE_SWITCH_TSG */
    NV_RUNLIST_ACQUIRE_AND_ENG_IDLE,
    NV_RUNLIST_TSG_PREEMPT_COMPLETE,
    NV_RUNLIST_RUNLIST_PREEMPT_COMPLETE,
    NV_RUNLIST_BAD_TSG,       /* code: enum nv_runlist_bad_tsg */
    NV_RUNLIST_CTXSW_TIMEOUT, /* code: index among the runlist's engines, from 0 */
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
    uint16_t place; /* of its TSG's header in the list, as submitted; of itself outside TSGs */
};

/* A TSG of the list, or a channel outside TSGs. */
struct nv_runlist_group {
    uint32_t tsg_id;      /* or NV_RUNLIST_NO_TSG + channel */
    uint32_t slice_units; /* of 1,024 ns; 0 means the slice in the channel's RAMFC */
    uint16_t first;       /* of its members */
    uint8_t length;
    /* Number of its members that can run, that wait for a failed acquire, that are faulted. */
    uint8_t ready, polls, faulted;
    uint8_t turn; /* 1 + index of the member loaded last; 0 if none yet */
    uint8_t reserved;
};

struct nv_runlist_state {
    uint64_t base;
    uint32_t aperture;                  /* enum memory_aperture */
    uint32_t entry_count;               /* as submitted; 0 if there is no list */
    uint32_t group_count, member_count; /* of the copy */
    uint32_t next_group;                /* group that has the next turn */
    /* groups with a channel that can run; or with one that can run or polls */
    uint32_t ready_groups, serviceable_groups;
    uint32_t blocked_members; /* channels that wait for an acquire without ACQUIRE_SWITCH_TSG */
    uint32_t scan_pending;
    uint32_t disabled; /* SCHED_DISABLE */
    uint32_t idle;     /* 1 if IDLE has been reported */
    /* The TSG that is on: */
    uint32_t tsg_id;     /* UINT32_MAX if there is none */
    uint32_t group;      /* its index; UINT32_MAX if it is no longer on the list */
    uint32_t channel_id; /* on the PBDMA; UINT32_MAX if there is none at the moment */
    uint32_t pbdma_id;
    uint32_t polled;          /* channels whose acquires have failed in this traversal */
    uint32_t stuck;           /* enum nv_runlist_stuck */
    uint32_t leaving;         /* rule by which it has to leave; RULE_NONE if it does not have to */
    uint32_t switching;       /* 1 if the channel leaves for another one of the TSG */
    uint32_t waits_for_pbdma; /* 1 if another runlist has the PBDMA at the moment */
    gfe_ps tsg_since_ps;
    gfe_ps channel_since_ps; /* time since when the channel is on the PBDMA */
    gfe_ps left_ps;          /* time at which the last TSG left, and its ids */
    uint32_t left_tsg_id, left_channel_id;
    gfe_ps slice_ps, channel_slice_ps; /* lengths of the slices; 0 means no end */
    gfe_ps slice_used_ps;              /* time counted until slice_from_ps */
    gfe_ps slice_from_ps;              /* counting since then, if `counts` */
    uint32_t counts;
    uint32_t slice_armed, channel_armed; /* 1 if an event for the end is scheduled */
    /* Incomplete preemptions: a bit for each enum nv_runlist_preempt_kind, and their targets. */
    uint32_t preempts;
    uint32_t preempt_tsg_id, preempt_channel_id;
    uint32_t preempted_tsg_id; /* by the last submit; UINT32_MAX if there was none */
    uint32_t progress;         /* 1 if the TSG that is on has made progress */
    uint32_t futile;           /* number of successive turns of TSGs without progress */
    uint32_t preempted_entry;  /* place of that TSG in its list */
};
GFE_STATE_END

/* What the channel on the PBDMA waits for, as the scheduler sees it. */
enum nv_runlist_stuck {
    NV_RUNLIST_GOES_ON,
    /* waits for acquires, like all of its TSG; it stays until its slice ends */
    NV_RUNLIST_STUCK,
    NV_RUNLIST_STUCK_SWITCHES /* like STUCK, but it leaves as soon as another TSG is serviceable */
};

/* A runqueue of a runlist.  The first is `head`, which stands for the runlist: software's
 * registers, submits and preemptions are its. */
struct nv_runlist {
    struct machine *machine;
    struct nv_host *host;
    struct nv_runlist *head, *next; /* next: the runqueue after it, or NULL */
    uint32_t runlist_id;
    uint32_t runqueue; /* from 0 */
    uint32_t pbdma_id; /* its PBDMA; UINT32_MAX if the runlist has none */
    uint32_t fed;      /* a bit for each of `engines` that its channels may feed */
    uint32_t unit;
    char name[16];
    struct nv_runlist_state *state;
    /* The copy of the list, and a bit for each TSG that is serviceable: words of 64 bits, then a
     * summary. */
    struct nv_runlist_member *members;
    struct nv_runlist_group *groups;
    uint64_t *serviceable, *summary;
    uint32_t capacity;                                   /* of members, and of groups */
    uint32_t engines[NV_RUNLIST_ENGINES_MAX];            /* indices in host->engines ... */
    struct nv_engine *engine_at[NV_RUNLIST_ENGINES_MAX]; /* and the engines themselves */
    uint32_t engine_count;
    /* From Ampere on (nv_runlist_regs.h); NULL before. */
    struct mmio_window *block, *channel_ram;
    uint32_t *levels; /* of its interrupt trees, in the arena */
};

/* Adds the runlist, with its first runqueue, as a unit of Host's machine. */
void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id);
/* Returns the number of runqueues of a chip's runlist, at least 1. */
uint32_t nv_runlist_queue_count(const struct nv_chip *model, uint32_t runlist_id);
/* Adds the next runqueue of a runlist. */
void nv_runlist_wire_queue(struct nv_runlist *queue, struct nv_runlist *head);
/* Returns the runqueue of a runlist with that number, or the first if there is none. */
static inline struct nv_runlist *nv_runlist_queue(struct nv_runlist *head, uint32_t runqueue)
{
    struct nv_runlist *queue = head;

    while (queue && queue->runqueue != runqueue)
        queue = queue->next;
    return queue ? queue : head;
}
/* Returns the runqueue of a runlist that the PBDMA serves. */
static inline struct nv_runlist *nv_runlist_served_by(struct nv_runlist *head, uint32_t pbdma_id)
{
    while (head->pbdma_id != pbdma_id && head->next)
        head = head->next;
    return head;
}
/* Returns the number of a runqueue in events of TSGs and loads: the runlist's, plus 64 for each
 * runqueue before it. */
enum { NV_RUNLIST_QUEUE_SHIFT = 6 };
static inline uint32_t nv_runlist_number(const struct nv_runlist *queue)
{
    return queue->runqueue << NV_RUNLIST_QUEUE_SHIFT | queue->runlist_id;
}
/* A submission, as it passes the site of injected faults. */
struct nv_runlist_submission {
    uint64_t base;
    uint32_t entry_count, offset;
    uint32_t aperture, reserved;
};
/* Handles the submission of a list of `entry_count` entries by software.  The scheduler starts with
 * entry `offset`.  Current slices end. */
void nv_runlist_submit(struct nv_runlist *runlist, enum memory_aperture aperture, uint64_t base,
                       uint32_t entry_count, uint32_t offset);
/* Sets SCHED_DISABLE: the running TSG continues, nothing else is scheduled. */
void nv_runlist_disable(struct nv_runlist *runlist, bool disabled);
/* Take off the PBDMAs and engines, for software: all TSGs of the runlist, one TSG, one channel.
 * Each comes again in its turn if it can run. */
void nv_runlist_preempt(struct nv_runlist *runlist);
void nv_runlist_preempt_tsg(struct nv_runlist *runlist, uint32_t tsg_id);
void nv_runlist_preempt_channel(struct nv_runlist *runlist, uint32_t channel_id);
/* Returns true if a preemption of that kind is not complete.  `id` is the TSG or channel, ignored
 * for all. */
bool nv_runlist_preempt_pending(const struct nv_runlist *runlist, enum nv_runlist_preempt_kind kind,
                                uint32_t id);
/* Logs, at the end of a preemption, the wait of the runqueue's channels that could have run since
 * the TSG left. */
void nv_runlist_log_preempted(struct nv_runlist *queue);
/* Looks for work, because the PBDMA is free. */
void nv_runlist_wake(struct nv_runlist *queue);
/* Returns true if the TSG whose context the engine has is on in another runqueue than `wants` that
 * feeds the engine, too, while `wants` needs the engine for another TSG.  The slice of the first
 * counts as contended then; nv_engine_retry() follows its end. */
bool nv_runlist_has_engine(struct nv_runlist *wants, const struct nv_engine *engine);

/* ---- for the PBDMA that has the runqueue's channel --------------------------------------------
 */

/* Starts the count of the slice: registers are loaded and engines are on. */
void nv_runlist_channel_loaded(struct nv_runlist *runlist);
/* Pauses the slice, if it counts, because an engine has to load the context (B.T2). */
void nv_runlist_slice_load(struct nv_runlist *runlist);
/* Pause and resume the count of the slice. */
void nv_runlist_slice_pause(struct nv_runlist *runlist);
void nv_runlist_slice_resume(struct nv_runlist *runlist);
/* Counts time of a slice of that TSG that has passed while its engine was loaded, on all runqueues
 * where its slice does not count now: no more than has passed since the slice began or went on
 * last, for a load may have begun in an earlier turn. */
void nv_runlist_slice_use(struct nv_runlist *runlist, uint32_t tsg_id, gfe_ps used_ps);
/* Handles a failed acquire.  Returns true if the channel has to leave the PBDMA. */
bool nv_runlist_acquire_failed(struct nv_runlist *runlist, bool switches);
/* Handles an acquire that has succeeded, or is over. */
void nv_runlist_goes_on(struct nv_runlist *runlist);
/* Handle YIELD: gives up the rest of the TSG's slice; or only the turn among the channels of the
 * TSG.  Return true if the channel has to leave the PBDMA, because another one could run. */
bool nv_runlist_yield_tsg(struct nv_runlist *runlist);
bool nv_runlist_yield_channel(struct nv_runlist *runlist);
/* Notes that the channel has made progress, and will again if it is given time. */
static inline void nv_runlist_progress(struct nv_runlist *runlist)
{
    runlist->state->progress = 1;
}
/* Handles the end of a save: the PBDMA is free. */
void nv_runlist_channel_left(struct nv_runlist *runlist);

/* ---- for engines and channels -----------------------------------------------------------------
 */

/* Handles an engine of the runlist that has finished its context's work, or has no context any
 * more. */
void nv_runlist_engine_changed(struct nv_runlist *runlist);
/* Handles an event that may let one of its TSGs make progress. */
void nv_runlist_stir(struct nv_runlist *runlist);
/* Updates the counts for the channel of member `member`: its count (enum nv_runlist_count) changes
 * from `was` to `is`. */
enum nv_runlist_count { NV_RUNLIST_COUNTS_NOT, NV_RUNLIST_POLLS, NV_RUNLIST_READY };
void nv_runlist_recount(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                        enum nv_runlist_count is);
/* Return whether some channel of that member's TSG is faulted; and update the counts if it becomes
 * faulted (`more`) or no longer is. */
bool nv_runlist_holds_fault(const struct nv_runlist *runlist, uint32_t member);
void nv_runlist_fault(struct nv_runlist *runlist, uint32_t member, bool more);

/* ---- between the parts of the runlist ----------------------------------------------------------
 */

/* Reads the list in memory into the copy.  Returns false if the list is wrong (*bad is the reason);
 * the copy is then empty.  The scheduler starts at start_entry.  Defined in nv_runlist_list.c. */
bool nv_runlist_read(struct nv_runlist *runlist, uint32_t start_entry,
                     enum nv_runlist_bad_tsg *bad);
/* Update only the counts of nv_runlist_recount() and nv_runlist_fault(), without further effects.
 */
void nv_runlist_count(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                      enum nv_runlist_count is);
void nv_runlist_count_faulted(struct nv_runlist *runlist, uint32_t member, bool more);
/* Returns the first serviceable TSG from `from` on, round the list, or UINT32_MAX if there is none.
 */
uint32_t nv_runlist_find(const struct nv_runlist *runlist, uint32_t from);
/* Returns the TSG of that number, or UINT32_MAX if it is not on the list.  Examines all TSGs. */
uint32_t nv_runlist_find_tsg(const struct nv_runlist *runlist, uint32_t tsg_id);
/* Returns the place of a TSG's header in the list, as submitted. */
uint32_t nv_runlist_entry_of(const struct nv_runlist *runlist, uint32_t group);
/* Returns the member of a TSG whose turn is next after `after`.  It is one that has NEXT, then one
 * that can run, or, if `polls`, one that waits for an acquire.  Returns UINT32_MAX if there is
 * none. */
uint32_t nv_runlist_next_member(const struct nv_runlist *runlist, uint32_t group, uint32_t after,
                                bool polls);

/* Continues a preemption by software, if there is one.  Defined in nv_runlist_preempt.c. */
void nv_runlist_preempt_further(struct nv_runlist *runlist);
static inline void nv_runlist_preempt_advance(struct nv_runlist *runlist)
{
    if (runlist->state->preempts != 0)
        nv_runlist_preempt_further(runlist);
}

/* Begin and end the TSG's slice, and the channel's slice within it.  Defined in nv_runlist_slice.c.
 */
void nv_runlist_slice_begin(struct nv_runlist *runlist);
void nv_runlist_slice_end(struct nv_runlist *runlist);
void nv_runlist_channel_slice_begin(struct nv_runlist *runlist);
void nv_runlist_channel_slice_arm(struct nv_runlist *runlist);
void nv_runlist_channel_slice_end(struct nv_runlist *runlist);
/* Schedules the end of the slice, because another TSG could run. */
void nv_runlist_slice_arm(struct nv_runlist *runlist);
/* Returns the time that has counted for the TSG that is on. */
gfe_ps nv_runlist_slice_counted(const struct nv_runlist *runlist);
/* Returns a bit for each runlist that waits for that PBDMA. */
uint32_t nv_runlist_waiting(const struct nv_host *host, uint32_t pbdma_id);
/* Return true if another TSG could have the PBDMA; if another channel of this TSG could. */
bool nv_runlist_contended(const struct nv_runlist *runlist);
bool nv_runlist_channel_contended(const struct nv_runlist *runlist);
/* Make the TSG leave, by that rule; and the channel, for another one of its TSG.  Defined in
 * nv_runlist.c. */
void nv_runlist_expire(struct nv_runlist *runlist, uint32_t rule);
void nv_runlist_switch_channel(struct nv_runlist *runlist);

/* Kinds of events of a runqueue: runqueue n has NV_RUNLIST_EVENTS * n more. */
/* Handles an event of the runlist or of a further runqueue: their numbers are multiples of
 * NV_RUNLIST_EVENTS apart. */
void nv_runlist_event(void *runlist, const struct event *event);

enum nv_runlist_event {
    NV_RUNLIST_SCAN,
    NV_RUNLIST_SLICE,
    NV_RUNLIST_CHANNEL_SLICE,
    NV_RUNLIST_EVENTS,
};
static inline uint32_t nv_runlist_event_kind(const struct nv_runlist *queue,
                                             enum nv_runlist_event event)
{
    return NV_RUNLIST_EVENTS * queue->runqueue + (uint32_t)event;
}

#endif
