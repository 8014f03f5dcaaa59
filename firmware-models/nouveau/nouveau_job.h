/* SPDX-License-Identifier: MIT */
/*
 * Jobs of nouveau's VM_BIND interface, Linux 6.8 and later.  EXEC and VM_BIND hand the kernel a job
 * and return; a synchronous VM_BIND waits for its job.  Each channel has a scheduler with one
 * queue, and so have the binds of each client.  The head of a queue runs when all jobs that it
 * waits for are done.  An EXEC also waits until the unfinished jobs of its channel leave enough
 * entries in the channel's ring.
 *
 * A synchronisation object stands for a set of jobs that are not done.  A point of a timeline holds
 * all jobs of the points before it too, because a chain is signalled when all of it is
 * (dma-fence-chain.c).  An object that the trace has ended, or evicted, counts as signalled.
 *
 * Sources (facts only): nouveau_sched.c, nouveau_exec.c, nouveau_uvmm.c, drm_syncobj.c,
 * dma-fence-chain.c of Linux; the commits stand beside the rules (nouveau_tables.h).
 * ASSUMED: all times; that the run of one channel's job does not delay another's (the kernel's
 * workqueue has as many workers as it needs).  Not modelled: the job timeout of ten seconds, jobs
 * that fail, eviction of memory.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_JOB_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_JOB_H

#include "emu/base/clock.h"
#include "emu/engine/machine.h"
#include "firmware-models/nouveau/nouveau_fence.h"
#include "traces/format/trace.h"

enum {
    NOUVEAU_JOBS_MAX = 256, /* that are not done */
    NOUVEAU_JOB_WORDS = NOUVEAU_JOBS_MAX / 64,
    NOUVEAU_ITEMS_MAX = 16384, /* pushes and operations of jobs that have not run */
    NOUVEAU_SYNCOBJS_MAX = 4096,
    NOUVEAU_POINTS_MAX = 2048, /* that are not signalled */
    NOUVEAU_SPARSE_MAX = 64,
    NOUVEAU_ORPHANS_MAX = 256,
};

GFE_STATE_BEGIN
struct nouveau_job_set {
    uint64_t words[NOUVEAU_JOB_WORDS]; /* bit: index of a job */
};

enum nouveau_job_phase {
    NOUVEAU_JOB_FREE,
    NOUVEAU_JOB_QUEUED,
    NOUVEAU_JOB_RUNS, /* its entries are being written, its ranges bound */
    NOUVEAU_JOB_ON_GPU,
};

/* A push of an EXEC or an operation of a VM_BIND. */
struct nouveau_item {
    uint64_t va, size_bytes, physical;
    uint32_t op;       /* enum trace_bind_op; for a push, its flags */
    uint32_t aperture; /* of a MAP */
    uint32_t page_kind;
    uint32_t next; /* 1 + index; 0 = the last */
};

struct nouveau_job {
    uint32_t phase;
    uint32_t queue;  /* a channel's hardware number, or NOUVEAU_CHANNELS_MAX + as_id */
    uint32_t number; /* submission_id or bind_id */
    uint32_t fence_value;
    uint32_t first_item, item_count; /* first_item as in nouveau_item.next */
    uint32_t credits;
    uint32_t thread; /* 1 + the thread that waits in its call; 0 = none */
    uint64_t order;
    /* The reason why it does not run. */
    gfe_ps wait_from_ps;
    uint32_t wait_rule, blocker_kind;
    uint64_t blocker_id;
    struct nouveau_job_set waits;
};

struct nouveau_syncobj {
    uint32_t id;
    uint32_t flags; /* NOUVEAU_SYNCOBJ_* */
    uint64_t last_point;
    uint32_t context; /* of its row of points */
    uint32_t reserved;
};

/* A point of a synchronisation object that has unfinished jobs. */
struct nouveau_point {
    uint32_t syncobj_id, context;
    uint64_t point, point_before;
    struct nouveau_job_set jobs; /* not empty */
};

struct nouveau_sparse {
    uint64_t va, size_bytes, physical; /* system memory that the emulated GPU finds there */
    uint32_t as_id, used;
};

struct nouveau_jobs {
    uint32_t job_count, syncobj_count, point_count, sparse_count;
    uint64_t order;      /* of the last job */
    uint32_t free_item;  /* 1 + index of the first item that was given back; 0 = none */
    uint32_t item_count; /* ever used */
    uint32_t context, wake_pending;
    struct nouveau_job job[NOUVEAU_JOBS_MAX];
    struct nouveau_item item[NOUVEAU_ITEMS_MAX];
    struct nouveau_syncobj syncobj[NOUVEAU_SYNCOBJS_MAX]; /* sorted by id */
    struct nouveau_point point[NOUVEAU_POINTS_MAX];       /* as they were added */
    struct nouveau_sparse sparse[NOUVEAU_SPARSE_MAX];
};
GFE_STATE_END

enum { NOUVEAU_SYNCOBJ_FENCE = 1, NOUVEAU_SYNCOBJ_TIMELINE = 2, NOUVEAU_SYNCOBJ_FILE = 4 };

struct nouveau;

/* ---- nouveau_job.c --------------------------------------------------------------------------- */

/* Makes the job of an EXEC call, and sets the objects that it signals; the call goes on. */
bool nouveau_job_exec(struct nouveau *nouveau, const struct trace_exec *record);
bool nouveau_vm_bind(void *nouveau, const struct trace_vm_bind *record, uint32_t thread_index);
/* Makes the job of the VM_BIND call that the thread is in. */
void nouveau_bind_call(struct nouveau *nouveau, uint32_t thread_index);
/* Makes the next step of a job that runs. */
void nouveau_job_step(struct nouveau *nouveau, uint32_t job);
/* Finds the EXECs that are done, after an interrupt. */
void nouveau_jobs_look(struct nouveau *nouveau);
/* Ends a job that is done, and lets the jobs and threads that wait for it go on. */
void nouveau_job_done(struct nouveau *nouveau, uint32_t job);
/* Runs the head of each queue that may run. */
void nouveau_jobs_pump(struct nouveau *nouveau);
/* Returns how many EXECs of a channel have not put their fence into its ring.  *ahead is how many
 * fences later the last of them up to last_id will be, and *submission_id its number; 0 means that
 * there is none. */
uint32_t nouveau_jobs_queued(const struct nouveau *nouveau, uint32_t channel_id, uint32_t last_id,
                             uint32_t *ahead, uint32_t *submission_id);
/* Schedules a wake-up of the threads that sleep in the kernel. */
void nouveau_wake_later(struct nouveau *nouveau);
/* Logs the jobs that still wait when no event is left. */
void nouveau_jobs_finish(struct nouveau *nouveau);
/* Returns true if a job that has not ended holds up that thread's call. */
bool nouveau_job_is_for(const struct nouveau *nouveau, uint32_t thread_index);

/* ---- nouveau_bind.c -------------------------------------------------------------------------- */

bool nouveau_vm_init(void *nouveau, const struct trace_vm_init *record);
/* Makes the items of a record's operations for a job. */
bool nouveau_bind_items(struct nouveau *nouveau, const struct trace_vm_bind *record,
                        struct nouveau_job *job);
/* Carries a job's operations out. */
void nouveau_bind_apply(struct nouveau *nouveau, const struct nouveau_job *job);
/* Frees memory that has no handle and is mapped nowhere. */
void nouveau_bind_sweep(struct nouveau *nouveau);

/* Takes a free item and returns 1 + its index.  0 means that none is free; the run stops. */
uint32_t nouveau_item_take(struct nouveau *nouveau);
/* Gives the items of a job back. */
void nouveau_items_give(struct nouveau *nouveau, struct nouveau_job *job);

/* ---- nouveau_syncobj.c ----------------------------------------------------------------------- */

bool nouveau_syncobj(void *nouveau, const struct trace_syncobj *record);
/* Returns true if all of the list has been submitted.  *jobs is the set of its jobs that are not
 * done. */
bool nouveau_syncs_find(const struct nouveau *nouveau, const struct trace_syncs *syncs,
                        struct nouveau_job_set *jobs);
/* Makes the objects that a job signals wait for it. */
bool nouveau_syncs_signal(struct nouveau *nouveau, const struct trace_syncs *syncs, uint32_t job);
void nouveau_syncobjs_job_done(struct nouveau *nouveau, uint32_t job);
/* Returns true if all that the record depends on has been submitted, for the replay. */
bool nouveau_syncs_submitted(void *nouveau, const struct trace_record *record);
/* Returns true if a wait is over.  Otherwise *submission_id is a submission that it waits for; 0
 * means none. */
bool nouveau_syncobj_wait_over(void *nouveau, const struct trace_syncobj_wait *record,
                               uint32_t *submission_id);

static inline bool nouveau_set_is_empty(const struct nouveau_job_set *set)
{
    for (uint32_t i = 0; i < NOUVEAU_JOB_WORDS; i++)
        if (set->words[i])
            return false;
    return true;
}
static inline void nouveau_set_add(struct nouveau_job_set *set, uint32_t job)
{
    set->words[job / 64] |= UINT64_C(1) << job % 64;
}
static inline void nouveau_set_remove(struct nouveau_job_set *set, uint32_t job)
{
    set->words[job / 64] &= ~(UINT64_C(1) << job % 64);
}
static inline void nouveau_set_join(struct nouveau_job_set *set, const struct nouveau_job_set *more)
{
    for (uint32_t i = 0; i < NOUVEAU_JOB_WORDS; i++)
        set->words[i] |= more->words[i];
}
/* Returns the lowest job of a set; NOUVEAU_JOBS_MAX means that the set is empty. */
static inline uint32_t nouveau_set_first(const struct nouveau_job_set *set)
{
    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++)
        if (set->words[i / 64] >> i % 64 & 1)
            return i;
    return NOUVEAU_JOBS_MAX;
}

#endif
