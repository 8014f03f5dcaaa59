/* SPDX-License-Identifier: MIT */
/*
 * The ioctls of DRM's synchronisation objects, and the lists of them that jobs have.  Errors are
 * those of drm_syncobj.c and nouveau_sched.c, and come in their order.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "traces/record_nouveau_private.h"
#include "traces/record_user.h"

/* How long TRANSFER waits for a submission. */
#define TRANSFER_WAIT_NS 5000000000ull

static void sync_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct trace_syncobj *what)
{
    struct trace_record record = {.syncobj = *what};

    record_out_put(nouveau->out, caller, TRACE_SYNCOBJ, &record);
    record_out_flush(nouveau->out);
}

/* ---- lists of jobs -------------------------------------------------------------------------- */

static int list_copy(uint64_t from, uint32_t count, struct uapi_sync **list)
{
    if (count > NOUVEAU_SYNCS_MAX)
        return -ENOMEM;
    *list = calloc(count + 1u, sizeof **list);
    if (!*list)
        return -ENOMEM;
    return record_user_read(*list, from, count * sizeof **list) ? 0 : -EFAULT;
}

static bool type_known(const struct uapi_sync *sync)
{
    const uint32_t type = sync->flags & UAPI_SYNC_TYPE_MASK;

    return type == UAPI_SYNC_SYNCOBJ || type == UAPI_SYNC_TIMELINE_SYNCOBJ;
}

static struct trace_sync trace_sync_of(const struct record_syncobj *object,
                                       const struct uapi_sync *sync)
{
    const bool timeline = (sync->flags & UAPI_SYNC_TYPE_MASK) == UAPI_SYNC_TIMELINE_SYNCOBJ;

    return (struct trace_sync){.syncobj_id = object->id,
                               .flags = timeline ? TRACE_SYNC_TIMELINE : 0,
                               .point = timeline ? sync->timeline_value : 0};
}

/* What a job waits for must have been submitted. */
static int waits_take(struct record_nouveau *nouveau, const struct uapi_sync *list,
                      struct nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->wait_count; i++) {
        const struct record_syncobj *object =
            record_syncobj_find(&nouveau->syncobjs, list[i].handle);

        if (!type_known(&list[i]))
            return -EOPNOTSUPP;
        if (!object)
            return -ENOENT;
        syncs->waits[i] = trace_sync_of(object, &list[i]);
        if (!record_syncobj_has(object, syncs->waits[i].point))
            return -EINVAL;
    }
    return 0;
}

static int signals_take(struct record_nouveau *nouveau, const struct uapi_sync *list,
                        struct nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        const struct record_syncobj *object =
            record_syncobj_find(&nouveau->syncobjs, list[i].handle);

        if (!type_known(&list[i]))
            return -EINVAL;
        if (!object)
            return -ENOENT;
        syncs->signals[i] = trace_sync_of(object, &list[i]);
        syncs->signal_handles[i] = list[i].handle;
    }
    return 0;
}

int record_sync_take(struct record_nouveau *nouveau, const struct nouveau_sync_lists *lists,
                     struct nouveau_syncs *syncs)
{
    struct uapi_sync *waits = NULL, *signals = NULL;
    int result = list_copy(lists->waits, lists->wait_count, &waits);

    if (result == 0)
        result = list_copy(lists->signals, lists->signal_count, &signals);
    *syncs = (struct nouveau_syncs){.wait_count = lists->wait_count,
                                    .signal_count = lists->signal_count};
    if (result == 0) {
        syncs->waits = calloc(lists->wait_count + 1u, sizeof *syncs->waits);
        syncs->signals = calloc(lists->signal_count + 1u, sizeof *syncs->signals);
        syncs->signal_handles = calloc(lists->signal_count + 1u, sizeof *syncs->signal_handles);
        if (!syncs->waits || !syncs->signals || !syncs->signal_handles)
            result = -ENOMEM;
    }
    if (result == 0)
        result = waits_take(nouveau, waits, syncs);
    if (result == 0)
        result = signals_take(nouveau, signals, syncs);
    free(waits);
    free(signals);
    return result;
}

void record_sync_done(struct record_nouveau *nouveau, const struct nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        struct record_syncobj *object =
            record_syncobj_find(&nouveau->syncobjs, syncs->signal_handles[i]);

        if (syncs->signals[i].flags & TRACE_SYNC_TIMELINE)
            record_syncobj_add_point(object, syncs->signals[i].point);
        else
            record_syncobj_signal(object);
    }
}

void record_sync_free(struct nouveau_syncs *syncs)
{
    free(syncs->waits);
    free(syncs->signals);
    free(syncs->signal_handles);
    *syncs = (struct nouveau_syncs){0};
}

/* ---- create, destroy ------------------------------------------------------------------------ */

int record_sync_create(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_syncobj_create *create = call->argument;
    struct record_syncobj *object;
    uint32_t handle;

    if (create->flags & ~(uint32_t)UAPI_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    handle = record_syncobj_create(&nouveau->syncobjs);
    if (handle == 0)
        return -ENOMEM;
    object = record_syncobj_find(&nouveau->syncobjs, handle);
    sync_record(nouveau, call->caller,
                &(struct trace_syncobj){.what = TRACE_SYNCOBJ_CREATE, .syncobj_id = object->id});
    if (create->flags & UAPI_SYNCOBJ_CREATE_SIGNALED) {
        record_syncobj_signal(object);
        sync_record(
            nouveau, call->caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_SIGNAL, .syncobj_id = object->id});
    }
    create->handle = handle;
    return 0;
}

int record_sync_destroy(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    const struct uapi_syncobj_destroy *destroy = call->argument;
    uint32_t destroyed;

    if (destroy->pad != 0)
        return -EINVAL;
    if (!record_syncobj_destroy(&nouveau->syncobjs, destroy->handle, &destroyed))
        return -EINVAL;
    if (destroyed != 0)
        sync_record(
            nouveau, call->caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_DESTROY, .syncobj_id = destroyed});
    return 0;
}

/* ---- descriptors ---------------------------------------------------------------------------- */

/* What a descriptor's file holds. */
struct sync_name {
    char magic[8];
    uint64_t nonce; /* of the stand-in that made it: another's numbers mean nothing */
    uint32_t id, reserved;
};
#define SYNC_MAGIC "gfesync"

/* A descriptor of a new file that names the object.  Or a negative errno. */
static int object_fd(const struct record_nouveau *nouveau, struct record_syncobj *object)
{
    const struct sync_name name = {
        .magic = SYNC_MAGIC, .nonce = nouveau->table->nonce, .id = object->id};
    const int fd = memfd_create(object->is_file ? "sync_file" : "syncobj_file", MFD_CLOEXEC);

    if (fd < 0)
        return -errno;
    if (pwrite(fd, &name, sizeof name, 0) != (ssize_t)sizeof name) {
        close(fd);
        return -ENOMEM;
    }
    object->exported = true;
    return fd;
}

/* The object that a descriptor names; NULL: it is none of ours. */
static const struct record_syncobj *fd_object(const struct record_nouveau *nouveau, int fd)
{
    struct sync_name name;

    if (pread(fd, &name, sizeof name, 0) != (ssize_t)sizeof name ||
        memcmp(name.magic, SYNC_MAGIC, sizeof name.magic) != 0 ||
        name.nonce != nouveau->table->nonce)
        return NULL;
    return record_syncobj_by_id(&nouveau->syncobjs, name.id);
}

/* A sync file keeps what the object waits for now. */
static int export_file(struct record_nouveau *nouveau, const struct nouveau_call *call,
                       uint32_t handle)
{
    const struct record_syncobj *found = record_syncobj_find(&nouveau->syncobjs, handle);
    struct record_syncobj from, *file;
    int fd;

    if (!found)
        return -ENOENT;
    if (!record_syncobj_has(found, 0))
        return -EINVAL;
    from = *found; /* the table may grow */
    file = record_syncobj_file(&nouveau->syncobjs);
    if (!file)
        return -ENOMEM;
    fd = object_fd(nouveau, file);
    if (fd < 0) {
        *file = (struct record_syncobj){0};
        return fd;
    }
    record_syncobj_copy(file, &from, 0);
    sync_record(nouveau, call->caller,
                &(struct trace_syncobj){
                    .what = TRACE_SYNCOBJ_FILE, .syncobj_id = file->id, .from_id = from.id});
    return fd;
}

static int export_object(struct record_nouveau *nouveau, uint32_t handle)
{
    struct record_syncobj *object = record_syncobj_find(&nouveau->syncobjs, handle);

    return object ? object_fd(nouveau, object) : -EINVAL;
}

int record_sync_to_fd(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_syncobj_handle *handle = call->argument;
    int fd;

    if (handle->pad != 0 || (handle->flags & ~(uint32_t)UAPI_SYNCOBJ_SYNC_FILE))
        return -EINVAL;
    fd = handle->flags & UAPI_SYNCOBJ_SYNC_FILE ? export_file(nouveau, call, handle->handle)
                                                : export_object(nouveau, handle->handle);
    if (fd < 0)
        return fd;
    handle->fd = fd;
    return 0;
}

static int import_file(struct record_nouveau *nouveau, const struct nouveau_call *call,
                       const struct record_syncobj *file, uint32_t handle)
{
    struct record_syncobj *object = record_syncobj_find(&nouveau->syncobjs, handle);

    if (!file->is_file)
        return -EINVAL;
    if (!object)
        return -ENOENT;
    record_syncobj_copy(object, file, 0);
    sync_record(nouveau, call->caller,
                &(struct trace_syncobj){
                    .what = TRACE_SYNCOBJ_TRANSFER, .syncobj_id = object->id, .from_id = file->id});
    return 0;
}

int record_sync_from_fd(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_syncobj_handle *handle = call->argument;
    const struct record_syncobj *object;

    if (handle->pad != 0 || (handle->flags & ~(uint32_t)UAPI_SYNCOBJ_SYNC_FILE))
        return -EINVAL;
    object = fd_object(nouveau, handle->fd);
    if (!object)
        return -EINVAL;
    if (handle->flags & UAPI_SYNCOBJ_SYNC_FILE)
        return import_file(nouveau, call, object, handle->handle);
    if (object->is_file)
        return -EINVAL;
    handle->handle =
        record_syncobj_handle(&nouveau->syncobjs, record_syncobj_index(&nouveau->syncobjs, object));
    return handle->handle ? 0 : -ENOMEM;
}

/* ---- arrays of objects ---------------------------------------------------------------------- */

/* What reset, signal, query and the waits share. */
struct sync_array {
    uint32_t count;
    uint32_t *handles;
    uint64_t *points; /* zeros when the call has none */
};

static void array_free(struct sync_array *array)
{
    free(array->handles);
    free(array->points);
}

static int array_take(struct record_nouveau *nouveau, uint64_t handles, uint32_t count,
                      struct sync_array *array)
{
    *array = (struct sync_array){.count = count};
    if (count == 0)
        return -EINVAL;
    if (count > NOUVEAU_SYNCS_MAX)
        return -ENOMEM;
    array->handles = calloc(count, sizeof *array->handles);
    array->points = calloc(count, sizeof *array->points);
    if (!array->handles || !array->points)
        return -ENOMEM;
    if (!record_user_read(array->handles, handles, count * sizeof *array->handles))
        return -EFAULT;
    for (uint32_t i = 0; i < count; i++)
        if (!record_syncobj_find(&nouveau->syncobjs, array->handles[i]))
            return -ENOENT;
    return 0;
}

static int points_take(struct sync_array *array, uint64_t points)
{
    if (points != 0 &&
        !record_user_read(array->points, points, array->count * sizeof *array->points))
        return -EFAULT;
    return 0;
}

static struct record_syncobj *array_at(const struct record_nouveau *nouveau,
                                       const struct sync_array *array, uint32_t i)
{
    return record_syncobj_find(&nouveau->syncobjs, array->handles[i]);
}

static int array_set(struct record_nouveau *nouveau, struct nouveau_call *call,
                     enum trace_syncobj_what what)
{
    const struct uapi_syncobj_array *which = call->argument;
    struct sync_array array = {0};
    int result;

    if (which->pad != 0)
        return -EINVAL;
    result = array_take(nouveau, which->handles, which->count, &array);
    for (uint32_t i = 0; i < array.count && result == 0; i++) {
        struct record_syncobj *object = array_at(nouveau, &array, i);

        if (what == TRACE_SYNCOBJ_RESET)
            record_syncobj_reset(object);
        else
            record_syncobj_signal(object);
        sync_record(nouveau, call->caller,
                    &(struct trace_syncobj){.what = (uint8_t)what, .syncobj_id = object->id});
    }
    array_free(&array);
    return result;
}

int record_sync_reset(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    return array_set(nouveau, call, TRACE_SYNCOBJ_RESET);
}

int record_sync_signal(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    return array_set(nouveau, call, TRACE_SYNCOBJ_SIGNAL);
}

int record_sync_timeline_signal(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    const struct uapi_syncobj_timeline_array *which = call->argument;
    struct sync_array array = {0};
    int result;

    if (which->flags != 0)
        return -EINVAL;
    result = array_take(nouveau, which->handles, which->count, &array);
    if (result == 0)
        result = points_take(&array, which->points);
    for (uint32_t i = 0; i < array.count && result == 0; i++) {
        struct record_syncobj *object = array_at(nouveau, &array, i);

        record_syncobj_add_point(object, array.points[i]);
        sync_record(nouveau, call->caller,
                    &(struct trace_syncobj){.what = TRACE_SYNCOBJ_SIGNAL_POINT,
                                            .syncobj_id = object->id,
                                            .point = array.points[i]});
    }
    array_free(&array);
    return result;
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* A wait, or a look, as the trace has it. */
struct sync_wait {
    const char *call;
    uint64_t handles, points;
    int64_t timeout_ns;
    uint32_t count, flags;
    uint32_t *first_signaled;
};

static void wait_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct sync_wait *wait, const struct sync_array *array,
                        bool timed_out)
{
    struct trace_sync *syncs = calloc(array->count, sizeof *syncs);
    struct trace_record record = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < array->count && syncs; i++) {
        const struct record_syncobj *object = array_at(nouveau, array, i);

        if (wait->flags & TRACE_SYNCOBJ_SEEN && array->points[i] == 0)
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
static int wait_look(const struct record_nouveau *nouveau, const struct sync_wait *wait,
                     const struct sync_array *array)
{
    uint32_t signaled = 0;

    for (uint32_t i = 0; i < array->count; i++) {
        if (!record_syncobj_has(array_at(nouveau, array, i), array->points[i])) {
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

static int wait_do(struct record_nouveau *nouveau, struct nouveau_call *call,
                   const struct sync_wait *wait)
{
    struct sync_array array = {0};
    struct sync_wait seen = *wait;
    int result = array_take(nouveau, wait->handles, wait->count, &array);

    if (result == 0)
        result = points_take(&array, wait->points);
    *wait->first_signaled = UINT32_MAX;
    if (result == 0) {
        result = wait_look(nouveau, wait, &array);
        seen.flags &= (uint32_t)~UAPI_SYNCOBJ_WAIT_DEADLINE;
        if (result == 0 || result == -ETIME)
            wait_record(nouveau, call->caller, &seen, &array, result != 0);
    }
    array_free(&array);
    return result;
}

int record_sync_wait(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_syncobj_wait *wait = call->argument;

    if (wait->flags & ~(uint32_t)(UAPI_SYNCOBJ_WAIT_ALL | UAPI_SYNCOBJ_WAIT_FOR_SUBMIT |
                                  UAPI_SYNCOBJ_WAIT_DEADLINE))
        return -EINVAL;
    return wait_do(nouveau, call,
                   &(struct sync_wait){.call = "SYNCOBJ_WAIT",
                                       .handles = wait->handles,
                                       .timeout_ns = wait->timeout_ns,
                                       .count = wait->count,
                                       .flags = wait->flags,
                                       .first_signaled = &wait->first_signaled});
}

int record_sync_timeline_wait(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_syncobj_timeline_wait *wait = call->argument;

    if (wait->flags & ~(uint32_t)(UAPI_SYNCOBJ_WAIT_ALL | UAPI_SYNCOBJ_WAIT_FOR_SUBMIT |
                                  UAPI_SYNCOBJ_WAIT_AVAILABLE | UAPI_SYNCOBJ_WAIT_DEADLINE))
        return -EINVAL;
    return wait_do(nouveau, call,
                   &(struct sync_wait){.call = "SYNCOBJ_TIMELINE_WAIT",
                                       .handles = wait->handles,
                                       .points = wait->points,
                                       .timeout_ns = wait->timeout_ns,
                                       .count = wait->count,
                                       .flags = wait->flags,
                                       .first_signaled = &wait->first_signaled});
}

/* A program that asks for a point sees that it was reached: as good as a wait for it.  The last
 * point that was submitted says nothing of that. */
int record_sync_query(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    const struct uapi_syncobj_timeline_array *which = call->argument;
    const struct sync_wait look = {.call = "SYNCOBJ_QUERY",
                                   .flags = TRACE_SYNCOBJ_ALL | TRACE_SYNCOBJ_SEEN};
    struct sync_array array = {0};
    int result;

    if (which->flags & ~(uint32_t)UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED)
        return -EINVAL;
    result = array_take(nouveau, which->handles, which->count, &array);
    for (uint32_t i = 0; i < array.count && result == 0; i++)
        array.points[i] = array_at(nouveau, &array, i)->point;
    if (result == 0 &&
        !record_user_write(which->points, array.points, array.count * sizeof *array.points))
        result = -EFAULT;
    if (result == 0 && !(which->flags & UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED))
        wait_record(nouveau, call->caller, &look, &array, false);
    array_free(&array);
    return result;
}

/* ---- transfer ------------------------------------------------------------------------------- */

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

int record_sync_transfer(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    const struct uapi_syncobj_transfer *transfer = call->argument;
    struct record_syncobj *to = record_syncobj_find(&nouveau->syncobjs, transfer->dst_handle);
    const struct record_syncobj *from =
        record_syncobj_find(&nouveau->syncobjs, transfer->src_handle);
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
    sync_record(nouveau, call->caller,
                &(struct trace_syncobj){.what = TRACE_SYNCOBJ_TRANSFER,
                                        .syncobj_id = to->id,
                                        .point = transfer->dst_point,
                                        .from_id = from->id,
                                        .from_point = transfer->src_point});
    return 0;
}
