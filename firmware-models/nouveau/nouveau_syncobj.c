/* SPDX-License-Identifier: MIT */
/* Synchronisation objects of the nouveau model: which jobs each waits for (nouveau_job.h). */
#include <config.h>

#include <string.h>

#include "firmware-models/nouveau/nouveau.h"

/* ---- objects --------------------------------------------------------------------------------- */

/* Index of the first object whose number is not below. */
static uint32_t syncobj_place(const struct nouveau_jobs *jobs, uint32_t id)
{
    uint32_t low = 0, high = jobs->syncobj_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (jobs->syncobj[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the object, or NULL if it was ended; its fences count as signalled then. */
static struct nouveau_syncobj *syncobj_find(const struct nouveau *nouveau, uint32_t id)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const uint32_t at = syncobj_place(jobs, id);

    return at < jobs->syncobj_count && jobs->syncobj[at].id == id ? &jobs->syncobj[at] : NULL;
}

static void syncobj_remove(struct nouveau_jobs *jobs, uint32_t at)
{
    jobs->syncobj_count--;
    memmove(&jobs->syncobj[at], &jobs->syncobj[at + 1],
            (jobs->syncobj_count - at) * sizeof jobs->syncobj[0]);
    jobs->syncobj[jobs->syncobj_count] = (struct nouveau_syncobj){0};
}

static void point_remove(struct nouveau_jobs *jobs, uint32_t at)
{
    jobs->point_count--;
    memmove(&jobs->point[at], &jobs->point[at + 1],
            (jobs->point_count - at) * sizeof jobs->point[0]);
    jobs->point[jobs->point_count] = (struct nouveau_point){0};
}

static void points_drop(struct nouveau_jobs *jobs, uint32_t id)
{
    for (uint32_t i = jobs->point_count; i-- > 0;)
        if (jobs->point[i].syncobj_id == id)
            point_remove(jobs, i);
}

/* The newest point of an object that is not signalled; those before it are in it. */
static const struct nouveau_point *point_newest(const struct nouveau_jobs *jobs, uint32_t id)
{
    for (uint32_t i = jobs->point_count; i-- > 0;)
        if (jobs->point[i].syncobj_id == id)
            return &jobs->point[i];
    return NULL;
}

/* Removes signalled sync files to make room: a signalled one and an ended one look the same. */
static void syncobj_evict(struct nouveau_jobs *jobs)
{
    for (uint32_t i = jobs->syncobj_count; i-- > 0;)
        if (jobs->syncobj[i].flags & NOUVEAU_SYNCOBJ_FILE &&
            !point_newest(jobs, jobs->syncobj[i].id))
            syncobj_remove(jobs, i);
}

static struct nouveau_syncobj *syncobj_new(struct nouveau *nouveau, uint32_t id)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    uint32_t at;

    if (id == 0 || id == UINT32_MAX || syncobj_find(nouveau, id)) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "the trace makes synchronisation object %u twice, or of no number", id);
        return NULL;
    }
    if (jobs->syncobj_count == NOUVEAU_SYNCOBJS_MAX)
        syncobj_evict(jobs);
    if (jobs->syncobj_count == NOUVEAU_SYNCOBJS_MAX) {
        machine_fail(nouveau->machine, ERROR_LIMIT, "more than %d synchronisation objects at once",
                     NOUVEAU_SYNCOBJS_MAX);
        return NULL;
    }
    at = syncobj_place(jobs, id);
    memmove(&jobs->syncobj[at + 1], &jobs->syncobj[at],
            (jobs->syncobj_count - at) * sizeof jobs->syncobj[0]);
    jobs->syncobj_count++;
    jobs->syncobj[at] = (struct nouveau_syncobj){.id = id};
    return &jobs->syncobj[at];
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool point_put(struct nouveau *nouveau, const struct nouveau_point *point)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    if (nouveau_set_is_empty(&point->jobs))
        return true; /* signalled: that is no longer kept */
    if (jobs->point_count == NOUVEAU_POINTS_MAX) {
        machine_fail(nouveau->machine, ERROR_LIMIT,
                     "more than %d points of synchronisation objects are waited for",
                     NOUVEAU_POINTS_MAX);
        return false;
    }
    jobs->point[jobs->point_count++] = *point;
    return true;
}

/* drm_syncobj_replace_fence. */
static bool syncobj_replace(struct nouveau *nouveau, struct nouveau_syncobj *syncobj,
                            const struct nouveau_job_set *set)
{
    points_drop(&nouveau->state->jobs, syncobj->id);
    syncobj->flags = (syncobj->flags & NOUVEAU_SYNCOBJ_FILE) | NOUVEAU_SYNCOBJ_FENCE;
    syncobj->last_point = 0;
    syncobj->context = 0;
    return point_put(nouveau, &(struct nouveau_point){.syncobj_id = syncobj->id, .jobs = *set});
}

/* drm_syncobj_add_point, dma_fence_chain_init: a point that is not later than the last begins a new
 * row. */
static bool syncobj_add_point(struct nouveau *nouveau, struct nouveau_syncobj *syncobj,
                              uint64_t number, const struct nouveau_job_set *set)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const struct nouveau_point *newest = point_newest(jobs, syncobj->id);
    const bool chain = syncobj->flags & NOUVEAU_SYNCOBJ_TIMELINE;
    struct nouveau_point point = {.syncobj_id = syncobj->id, .point = number, .jobs = *set};

    if (newest)
        nouveau_set_join(&point.jobs, &newest->jobs);
    if (chain && number > syncobj->last_point) {
        point.point_before = syncobj->last_point;
    } else {
        syncobj->context = ++jobs->context;
        if (chain)
            point.point = number > syncobj->last_point ? number : syncobj->last_point;
    }
    point.context = syncobj->context;
    syncobj->flags |= NOUVEAU_SYNCOBJ_FENCE | NOUVEAU_SYNCOBJ_TIMELINE;
    syncobj->last_point = point.point;
    return point_put(nouveau, &point);
}

/* dma_fence_chain_find_seqno: the point that stands for `number`, NULL = it is signalled.  Points
 * that are not signalled are the newest ones, since each holds those before it. */
static const struct nouveau_point *point_for(const struct nouveau_jobs *jobs, uint32_t id,
                                             uint64_t number)
{
    const struct nouveau_point *head = NULL;

    for (uint32_t i = jobs->point_count; i-- > 0;) {
        const struct nouveau_point *point = &jobs->point[i];

        if (point->syncobj_id != id)
            continue;
        if (!head)
            head = point;
        if (point->context != head->context || number == 0 || point->point_before < number)
            return point;
    }
    return NULL;
}

/* Adds the jobs of an object, or of its point, to the set.  Returns false if no job has been
 * submitted for it. */
static bool syncobj_look(const struct nouveau *nouveau, uint32_t id, uint64_t number,
                         struct nouveau_job_set *set)
{
    const struct nouveau_syncobj *syncobj = syncobj_find(nouveau, id);
    const struct nouveau_point *point;

    if (!syncobj)
        return true;
    if (!(syncobj->flags & NOUVEAU_SYNCOBJ_FENCE))
        return false;
    if (number != 0 &&
        (!(syncobj->flags & NOUVEAU_SYNCOBJ_TIMELINE) || syncobj->last_point < number))
        return false;
    point = point_for(&nouveau->state->jobs, id, number);
    if (point)
        nouveau_set_join(set, &point->jobs);
    return true;
}

void nouveau_syncobjs_job_done(struct nouveau *nouveau, uint32_t job)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = jobs->point_count; i-- > 0;) {
        nouveau_set_remove(&jobs->point[i].jobs, job);
        if (nouveau_set_is_empty(&jobs->point[i].jobs))
            point_remove(jobs, i);
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

static uint64_t sync_point(const struct trace_sync *sync)
{
    return sync->flags & TRACE_SYNC_TIMELINE ? sync->point : 0;
}

bool nouveau_syncs_find(const struct nouveau *nouveau, const struct trace_syncs *syncs,
                        struct nouveau_job_set *set)
{
    *set = (struct nouveau_job_set){0};
    for (uint32_t i = 0; i < syncs->count; i++)
        if (!syncobj_look(nouveau, syncs->sync[i].syncobj_id, sync_point(&syncs->sync[i]), set))
            return false;
    return true;
}

bool nouveau_syncs_signal(struct nouveau *nouveau, const struct trace_syncs *syncs, uint32_t job)
{
    struct nouveau_job_set set = {0};
    bool good = true;

    nouveau_set_add(&set, job);
    for (uint32_t i = 0; i < syncs->count && good; i++) {
        const struct trace_sync *sync = &syncs->sync[i];
        struct nouveau_syncobj *syncobj = syncobj_find(nouveau, sync->syncobj_id);

        if (!syncobj)
            continue; /* it was ended: no later wait can name it */
        good = sync->flags & TRACE_SYNC_TIMELINE
                   ? syncobj_add_point(nouveau, syncobj, sync->point, &set)
                   : syncobj_replace(nouveau, syncobj, &set);
    }
    nouveau_wake_later(nouveau);
    return good;
}

/* ---- what the program does with them --------------------------------------------------------- */

/* All that `from` has up to a point comes to be of `to`. */
static bool syncobj_copy(struct nouveau *nouveau, struct nouveau_syncobj *to,
                         const struct nouveau_syncobj *from, uint64_t number)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const struct nouveau_point *last = from ? point_for(jobs, from->id, number) : NULL;
    const uint32_t from_id = from ? from->id : 0, end = last ? (uint32_t)(last - jobs->point) : 0;
    const bool chain = from && from->flags & NOUVEAU_SYNCOBJ_TIMELINE && (last || number == 0);
    const uint64_t last_point = !chain ? 0 : last ? last->point : from->last_point;
    const uint32_t context = chain ? from->context : 0, count = jobs->point_count;
    bool good = true;

    if (from == to)
        return true;
    for (uint32_t i = 0; i <= end && i < count && last && good; i++)
        if (jobs->point[i].syncobj_id == from_id) {
            struct nouveau_point point = jobs->point[i];

            point.syncobj_id = UINT32_MAX; /* until the old ones are gone */
            good = point_put(nouveau, &point);
        }
    points_drop(jobs, to->id);
    for (uint32_t i = 0; i < jobs->point_count; i++)
        if (jobs->point[i].syncobj_id == UINT32_MAX)
            jobs->point[i].syncobj_id = to->id;
    to->flags = (to->flags & NOUVEAU_SYNCOBJ_FILE) | NOUVEAU_SYNCOBJ_FENCE |
                (chain ? (uint32_t)NOUVEAU_SYNCOBJ_TIMELINE : 0);
    to->last_point = last_point;
    to->context = context;
    return good;
}

static bool syncobj_transfer(struct nouveau *nouveau, const struct trace_syncobj *record)
{
    struct nouveau_syncobj *to = syncobj_find(nouveau, record->syncobj_id);
    struct nouveau_job_set set = {0};

    if (!to)
        return true;
    if (record->point == 0)
        return syncobj_copy(nouveau, to, syncobj_find(nouveau, record->from_id),
                            record->from_point);
    (void)syncobj_look(nouveau, record->from_id, record->from_point, &set);
    return syncobj_add_point(nouveau, to, record->point, &set);
}

bool nouveau_syncobj(void *driver, const struct trace_syncobj *record)
{
    static const struct nouveau_job_set nothing;
    struct nouveau *nouveau = driver;
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    struct nouveau_syncobj *syncobj = syncobj_find(nouveau, record->syncobj_id);
    bool good = true;

    nouveau_wake_later(nouveau);
    if (record->what == TRACE_SYNCOBJ_CREATE || record->what == TRACE_SYNCOBJ_FILE) {
        syncobj = syncobj_new(nouveau, record->syncobj_id);
        if (!syncobj || record->what == TRACE_SYNCOBJ_CREATE)
            return syncobj != NULL;
        syncobj->flags = NOUVEAU_SYNCOBJ_FILE;
        return syncobj_transfer(nouveau, record);
    }
    if (!syncobj)
        return true;
    if (record->what == TRACE_SYNCOBJ_SIGNAL) {
        good = syncobj_replace(nouveau, syncobj, &nothing);
    } else if (record->what == TRACE_SYNCOBJ_SIGNAL_POINT) {
        good = syncobj_add_point(nouveau, syncobj, record->point, &nothing);
    } else if (record->what == TRACE_SYNCOBJ_TRANSFER) {
        good = syncobj_transfer(nouveau, record);
    } else {
        points_drop(jobs, syncobj->id);
        syncobj->flags &= NOUVEAU_SYNCOBJ_FILE;
        syncobj->last_point = 0;
        if (record->what == TRACE_SYNCOBJ_DESTROY)
            syncobj_remove(jobs, (uint32_t)(syncobj - jobs->syncobj));
    }
    return good;
}

/* ---- for the replay -------------------------------------------------------------------------- */

bool nouveau_syncs_submitted(void *driver, const struct trace_record *record)
{
    const struct nouveau *nouveau = driver;
    const struct trace_syncobj *syncobj = &record->syncobj;
    struct nouveau_job_set set;

    if (record->head.kind == TRACE_EXEC)
        return nouveau_syncs_find(nouveau, &record->exec.waits, &set);
    if (record->head.kind == TRACE_VM_BIND)
        return nouveau_syncs_find(nouveau, &record->vm_bind.waits, &set);
    if (record->head.kind == TRACE_SYNCOBJ &&
        (syncobj->what == TRACE_SYNCOBJ_TRANSFER || syncobj->what == TRACE_SYNCOBJ_FILE))
        return syncobj_look(nouveau, syncobj->from_id, syncobj->from_point, &set);
    return true;
}

bool nouveau_syncobj_wait_over(void *driver, const struct trace_syncobj_wait *record,
                               uint32_t *submission_id)
{
    const struct nouveau *nouveau = driver;
    uint32_t over = 0;

    *submission_id = 0;
    for (uint32_t i = 0; i < record->syncs.count; i++) {
        const struct trace_sync *sync = &record->syncs.sync[i];
        struct nouveau_job_set set = {0};
        uint32_t job;

        if (!syncobj_look(nouveau, sync->syncobj_id, sync_point(sync), &set))
            continue;
        job = nouveau_set_first(&set);
        over += job == NOUVEAU_JOBS_MAX || record->flags & TRACE_SYNCOBJ_AVAILABLE;
        if (job != NOUVEAU_JOBS_MAX && nouveau->state->jobs.job[job].queue < NOUVEAU_CHANNELS_MAX)
            *submission_id = nouveau->state->jobs.job[job].number;
    }
    return over == record->syncs.count || (over > 0 && !(record->flags & TRACE_SYNCOBJ_ALL));
}
