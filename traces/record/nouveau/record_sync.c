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
#include <unistd.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/nouveau/record_sync.h"
#include "traces/record/record_user.h"

void record_nouveau_sync_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                                const struct trace_syncobj *what)
{
    struct trace_record record = {.syncobj = *what};

    record_out_put(nouveau->out, caller, TRACE_SYNCOBJ, &record);
    record_out_flush(nouveau->out);
}

struct record_syncobj *record_nouveau_syncobj_find(const struct record_nouveau *nouveau,
                                                   uint32_t handle)
{
    return record_syncobj_find(&nouveau->syncobjs,
                               nouveau->pass ? record_pass_sync_object(nouveau, handle) : handle);
}

/* ---- lists of jobs --------------------------------------------------------------------------- */

static int list_copy(uint64_t from, uint32_t count, struct uapi_sync **list)
{
    if (count > RECORD_NOUVEAU_SYNCS_MAX)
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
                      struct record_nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->wait_count; i++) {
        const struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, list[i].handle);

        if (!type_known(&list[i]))
            return -EOPNOTSUPP;
        if (!object)
            return -ENOENT;
        syncs->waits[i] = trace_sync_of(object, &list[i]);
        /* A real driver has looked at that itself. */
        if (!nouveau->pass && !record_syncobj_has(object, syncs->waits[i].point))
            return -EINVAL;
    }
    return 0;
}

static int signals_take(struct record_nouveau *nouveau, const struct uapi_sync *list,
                        struct record_nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        const struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, list[i].handle);

        if (!type_known(&list[i]))
            return -EINVAL;
        if (!object)
            return -ENOENT;
        syncs->signals[i] = trace_sync_of(object, &list[i]);
        syncs->signal_handles[i] = list[i].handle;
    }
    return 0;
}

int record_sync_take(struct record_nouveau *nouveau, const struct record_nouveau_sync_lists *lists,
                     struct record_nouveau_syncs *syncs)
{
    struct uapi_sync *waits = NULL, *signals = NULL;
    int result = list_copy(lists->waits, lists->wait_count, &waits);

    if (result == 0)
        result = list_copy(lists->signals, lists->signal_count, &signals);
    *syncs = (struct record_nouveau_syncs){.wait_count = lists->wait_count,
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

void record_sync_done(struct record_nouveau *nouveau, const struct record_nouveau_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        struct record_syncobj *object =
            record_nouveau_syncobj_find(nouveau, syncs->signal_handles[i]);

        if (syncs->signals[i].flags & TRACE_SYNC_TIMELINE)
            record_syncobj_add_point(object, syncs->signals[i].point);
        else
            record_syncobj_signal(object);
    }
}

void record_sync_free(struct record_nouveau_syncs *syncs)
{
    free(syncs->waits);
    free(syncs->signals);
    free(syncs->signal_handles);
    *syncs = (struct record_nouveau_syncs){0};
}

/* ---- create, destroy ------------------------------------------------------------------------- */

int record_sync_create(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_syncobj_create *create = call->argument;
    struct record_syncobj *object;
    uint32_t handle;

    if (create->flags & ~(uint32_t)UAPI_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    handle = record_syncobj_create(&nouveau->syncobjs);
    if (handle == 0)
        return -ENOMEM;
    object = record_nouveau_syncobj_find(nouveau, handle);
    record_nouveau_sync_record(
        nouveau, call->caller,
        &(struct trace_syncobj){.what = TRACE_SYNCOBJ_CREATE, .syncobj_id = object->id});
    if (create->flags & UAPI_SYNCOBJ_CREATE_SIGNALED) {
        record_syncobj_signal(object);
        record_nouveau_sync_record(
            nouveau, call->caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_SIGNAL, .syncobj_id = object->id});
    }
    create->handle = handle;
    return 0;
}

int record_sync_destroy(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_syncobj_destroy *destroy = call->argument;
    uint32_t destroyed;

    if (destroy->pad != 0)
        return -EINVAL;
    if (!record_syncobj_destroy(&nouveau->syncobjs, destroy->handle, &destroyed))
        return -EINVAL;
    if (destroyed != 0)
        record_nouveau_sync_record(
            nouveau, call->caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_DESTROY, .syncobj_id = destroyed});
    return 0;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

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

/* Returns the object that a descriptor names, or NULL if the stand-in did not make it. */
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
static int export_file(struct record_nouveau *nouveau, const struct record_nouveau_call *call,
                       uint32_t handle)
{
    const struct record_syncobj *found = record_nouveau_syncobj_find(nouveau, handle);
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
    record_nouveau_sync_record(nouveau, call->caller,
                               &(struct trace_syncobj){.what = TRACE_SYNCOBJ_FILE,
                                                       .syncobj_id = file->id,
                                                       .from_id = from.id});
    return fd;
}

static int export_object(struct record_nouveau *nouveau, uint32_t handle)
{
    struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, handle);

    return object ? object_fd(nouveau, object) : -EINVAL;
}

int record_sync_to_fd(struct record_nouveau *nouveau, struct record_nouveau_call *call)
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

static int import_file(struct record_nouveau *nouveau, const struct record_nouveau_call *call,
                       const struct record_syncobj *file, uint32_t handle)
{
    struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, handle);

    if (!file->is_file)
        return -EINVAL;
    if (!object)
        return -ENOENT;
    record_syncobj_copy(object, file, 0);
    record_nouveau_sync_record(nouveau, call->caller,
                               &(struct trace_syncobj){.what = TRACE_SYNCOBJ_TRANSFER,
                                                       .syncobj_id = object->id,
                                                       .from_id = file->id});
    return 0;
}

int record_sync_from_fd(struct record_nouveau *nouveau, struct record_nouveau_call *call)
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

/* ---- arrays of objects ----------------------------------------------------------------------- */

void record_nouveau_sync_array_free(struct record_nouveau_sync_array *array)
{
    free(array->handles);
    free(array->points);
}

int record_nouveau_sync_array_take(struct record_nouveau *nouveau, uint64_t handles, uint32_t count,
                                   struct record_nouveau_sync_array *array)
{
    *array = (struct record_nouveau_sync_array){.count = count};
    if (count == 0)
        return -EINVAL;
    if (count > RECORD_NOUVEAU_SYNCS_MAX)
        return -ENOMEM;
    array->handles = calloc(count, sizeof *array->handles);
    array->points = calloc(count, sizeof *array->points);
    if (!array->handles || !array->points)
        return -ENOMEM;
    if (!record_user_read(array->handles, handles, count * sizeof *array->handles))
        return -EFAULT;
    for (uint32_t i = 0; i < count; i++)
        if (!record_nouveau_syncobj_find(nouveau, array->handles[i]))
            return -ENOENT;
    return 0;
}

int record_nouveau_sync_points_take(struct record_nouveau_sync_array *array, uint64_t points)
{
    if (points != 0 &&
        !record_user_read(array->points, points, array->count * sizeof *array->points))
        return -EFAULT;
    return 0;
}

struct record_syncobj *record_nouveau_sync_array_at(const struct record_nouveau *nouveau,
                                                    const struct record_nouveau_sync_array *array,
                                                    uint32_t i)
{
    return record_nouveau_syncobj_find(nouveau, array->handles[i]);
}

static int array_set(struct record_nouveau *nouveau, struct record_nouveau_call *call,
                     enum trace_syncobj_what what)
{
    const struct uapi_syncobj_array *which = call->argument;
    struct record_nouveau_sync_array array = {0};
    int result;

    if (which->pad != 0)
        return -EINVAL;
    result = record_nouveau_sync_array_take(nouveau, which->handles, which->count, &array);
    for (uint32_t i = 0; i < array.count && result == 0; i++) {
        struct record_syncobj *object = record_nouveau_sync_array_at(nouveau, &array, i);

        if (what == TRACE_SYNCOBJ_RESET)
            record_syncobj_reset(object);
        else
            record_syncobj_signal(object);
        record_nouveau_sync_record(
            nouveau, call->caller,
            &(struct trace_syncobj){.what = (uint8_t)what, .syncobj_id = object->id});
    }
    record_nouveau_sync_array_free(&array);
    return result;
}

int record_sync_reset(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    return array_set(nouveau, call, TRACE_SYNCOBJ_RESET);
}

int record_sync_signal(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    return array_set(nouveau, call, TRACE_SYNCOBJ_SIGNAL);
}

int record_sync_timeline_signal(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_syncobj_timeline_array *which = call->argument;
    struct record_nouveau_sync_array array = {0};
    int result;

    if (which->flags != 0)
        return -EINVAL;
    result = record_nouveau_sync_array_take(nouveau, which->handles, which->count, &array);
    if (result == 0)
        result = record_nouveau_sync_points_take(&array, which->points);
    for (uint32_t i = 0; i < array.count && result == 0; i++) {
        struct record_syncobj *object = record_nouveau_sync_array_at(nouveau, &array, i);

        record_syncobj_add_point(object, array.points[i]);
        record_nouveau_sync_record(nouveau, call->caller,
                                   &(struct trace_syncobj){.what = TRACE_SYNCOBJ_SIGNAL_POINT,
                                                           .syncobj_id = object->id,
                                                           .point = array.points[i]});
    }
    record_nouveau_sync_array_free(&array);
    return result;
}
