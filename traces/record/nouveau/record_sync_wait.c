/* SPDX-License-Identifier: MIT */
/*
 * Waits for DRM's synchronisation objects, looks at their points, and transfers between them.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "traces/record/nouveau/record_sync.h"
#include "traces/record/record_user.h"

/* How long TRANSFER waits for a submission. */
#define TRANSFER_WAIT_NS 5000000000ull

/* ---- waiting --------------------------------------------------------------------------------- */

void record_nouveau_sync_wait_record(struct record_nouveau *nouveau,
                                     const struct record_caller *caller,
                                     const struct record_nouveau_sync_wait *wait,
                                     const struct record_nouveau_sync_array *array, bool timed_out)
{
    struct trace_sync *syncs = calloc(array->count, sizeof *syncs);
    struct trace_record record = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < array->count && syncs; i++) {
        const struct record_syncobj *object = record_nouveau_sync_array_at(nouveau, array, i);

        if (!object || (wait->flags & TRACE_SYNCOBJ_SEEN && array->points[i] == 0))
            continue; /* nothing was seen of it */
        syncs[count++] = (struct trace_sync){.syncobj_id = object->id,
                                             .flags = array->points[i] ? TRACE_SYNC_TIMELINE : 0,
                                             .point = array->points[i]};
    }
    record.syncobj_wait.flags = wait->flags;
    record.syncobj_wait.syncs = (struct trace_syncs){syncs, count};
    record.syncobj_wait.begin_ns = caller->begin_ns ? caller->begin_ns : caller->now_ns;
    record.syncobj_wait.end_ns = caller->now_ns;
    record.syncobj_wait.timed_out = timed_out;
    record.syncobj_wait.call = record_out_str(wait->call);
    if (count > 0)
        record_out_put(nouveau->out, caller, TRACE_SYNCOBJ_WAIT, &record);
    free(syncs);
}

static bool clock_is_past(uint64_t ns)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ns <= (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What has been submitted is signalled: 0, an error, or RECORD_NOUVEAU_AGAIN. */
static int wait_look(const struct record_nouveau *nouveau,
                     const struct record_nouveau_sync_wait *wait,
                     const struct record_nouveau_sync_array *array)
{
    uint32_t signaled = 0;

    for (uint32_t i = 0; i < array->count; i++) {
        if (!record_syncobj_has(record_nouveau_sync_array_at(nouveau, array, i),
                                array->points[i])) {
            if (!(wait->flags & (UAPI_SYNCOBJ_WAIT_FOR_SUBMIT | UAPI_SYNCOBJ_WAIT_AVAILABLE)))
                return -EINVAL;
            continue;
        }
        if (signaled++ == 0)
            *wait->first_signaled = i;
    }
    if (signaled == array->count || (signaled > 0 && !(wait->flags & UAPI_SYNCOBJ_WAIT_ALL)))
        return 0;
    if (wait->timeout_ns <= 0 || clock_is_past((uint64_t)wait->timeout_ns))
        return -ETIME;
    return RECORD_NOUVEAU_AGAIN;
}

static int wait_do(struct record_nouveau *nouveau, struct record_nouveau_call *call,
                   const struct record_nouveau_sync_wait *wait)
{
    struct record_nouveau_sync_array array = {0};
    struct record_nouveau_sync_wait seen = *wait;
    int result = record_nouveau_sync_array_take(nouveau, wait->handles, wait->count, &array);

    if (result == 0)
        result = record_nouveau_sync_points_take(&array, wait->points);
    *wait->first_signaled = UINT32_MAX;
    if (result == 0) {
        result = wait_look(nouveau, wait, &array);
        seen.flags &= (uint32_t)~UAPI_SYNCOBJ_WAIT_DEADLINE;
        if (result == 0 || result == -ETIME)
            record_nouveau_sync_wait_record(nouveau, call->caller, &seen, &array, result != 0);
    }
    record_nouveau_sync_array_free(&array);
    return result;
}

int record_sync_wait(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_syncobj_wait *wait = call->argument;

    if (wait->flags & ~(uint32_t)(UAPI_SYNCOBJ_WAIT_ALL | UAPI_SYNCOBJ_WAIT_FOR_SUBMIT |
                                  UAPI_SYNCOBJ_WAIT_DEADLINE))
        return -EINVAL;
    return wait_do(nouveau, call,
                   &(struct record_nouveau_sync_wait){.call = "SYNCOBJ_WAIT",
                                                      .handles = wait->handles,
                                                      .timeout_ns = wait->timeout_ns,
                                                      .count = wait->count,
                                                      .flags = wait->flags,
                                                      .first_signaled = &wait->first_signaled});
}

int record_sync_timeline_wait(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_syncobj_timeline_wait *wait = call->argument;

    if (wait->flags & ~(uint32_t)(UAPI_SYNCOBJ_WAIT_ALL | UAPI_SYNCOBJ_WAIT_FOR_SUBMIT |
                                  UAPI_SYNCOBJ_WAIT_AVAILABLE | UAPI_SYNCOBJ_WAIT_DEADLINE))
        return -EINVAL;
    return wait_do(nouveau, call,
                   &(struct record_nouveau_sync_wait){.call = "SYNCOBJ_TIMELINE_WAIT",
                                                      .handles = wait->handles,
                                                      .points = wait->points,
                                                      .timeout_ns = wait->timeout_ns,
                                                      .count = wait->count,
                                                      .flags = wait->flags,
                                                      .first_signaled = &wait->first_signaled});
}

/* A program that asks for a point sees that it was reached: as good as a wait for it.  The last
 * point that was submitted says nothing of that. */
int record_sync_query(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_syncobj_timeline_array *which = call->argument;
    const struct record_nouveau_sync_wait look = {.call = "SYNCOBJ_QUERY",
                                                  .flags = TRACE_SYNCOBJ_ALL | TRACE_SYNCOBJ_SEEN};
    struct record_nouveau_sync_array array = {0};
    int result;

    if (which->flags & ~(uint32_t)UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED)
        return -EINVAL;
    result = record_nouveau_sync_array_take(nouveau, which->handles, which->count, &array);
    for (uint32_t i = 0; i < array.count && result == 0; i++)
        array.points[i] = record_nouveau_sync_array_at(nouveau, &array, i)->point;
    if (result == 0 &&
        !record_user_write(which->points, array.points, array.count * sizeof *array.points))
        result = -EFAULT;
    if (result == 0 && !(which->flags & UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED))
        record_nouveau_sync_wait_record(nouveau, call->caller, &look, &array, false);
    record_nouveau_sync_array_free(&array);
    return result;
}

/* ---- transfer -------------------------------------------------------------------------------- */

static int transfer_source(const struct record_caller *caller,
                           const struct uapi_syncobj_transfer *transfer,
                           const struct record_syncobj *from)
{
    const uint64_t begin_ns = caller->begin_ns ? caller->begin_ns : caller->now_ns;

    if (!from)
        return -ENOENT;
    if (record_syncobj_has(from, transfer->src_point))
        return 0;
    if (!(transfer->flags & UAPI_SYNCOBJ_WAIT_FOR_SUBMIT))
        return -EINVAL;
    return caller->now_ns - begin_ns >= TRANSFER_WAIT_NS ? -ETIME : RECORD_NOUVEAU_AGAIN;
}

int record_sync_transfer(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_syncobj_transfer *transfer = call->argument;
    struct record_syncobj *to = record_nouveau_syncobj_find(nouveau, transfer->dst_handle);
    const struct record_syncobj *from = record_nouveau_syncobj_find(nouveau, transfer->src_handle);
    int result;

    if (transfer->pad != 0)
        return -EINVAL;
    if (!to)
        return -ENOENT;
    result = transfer_source(call->caller, transfer, from);
    if (result != 0)
        return result;
    if (transfer->dst_point)
        record_syncobj_add_point(to, transfer->dst_point);
    else
        record_syncobj_copy(to, from, transfer->src_point);
    record_nouveau_sync_record(nouveau, call->caller,
                               &(struct trace_syncobj){.what = TRACE_SYNCOBJ_TRANSFER,
                                                       .syncobj_id = to->id,
                                                       .point = transfer->dst_point,
                                                       .from_id = from->id,
                                                       .from_point = transfer->src_point});
    return 0;
}
