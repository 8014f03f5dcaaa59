/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation objects of a real driver.  Its handles are an open file's; each stands for an
 * object of record_syncobj.h, of which only the number and the count of handles mean something
 * here: when a fence is signalled the real driver knows.
 */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/nouveau/record_sync.h"
#include "traces/record/record_user.h"

enum { NAME_GONE = -1 };

/* ---- names ----------------------------------------------------------------------------------- */

/* Where the search for a name begins. */
static uint32_t name_start(uint32_t file, uint32_t handle)
{
    return (uint32_t)((file * UINT64_C(0x9e3779b97f4a7c15) +
                       handle * UINT64_C(0xc2b2ae3d27d4eb4f)) >>
                      40) %
           RECORD_NOUVEAU_NAMES_MAX;
}

static struct record_nouveau_name *name_find(const struct record_nouveau *nouveau, uint32_t handle)
{
    const uint32_t start = name_start(nouveau->file->serial, handle);

    for (uint32_t i = 0; i < RECORD_NOUVEAU_NAMES_MAX && handle != 0; i++) {
        struct record_nouveau_name *name =
            &nouveau->table->names[(start + i) % RECORD_NOUVEAU_NAMES_MAX];

        if (name->file == 0)
            return NULL;
        if (name->file == nouveau->file->serial && name->handle == handle)
            return name;
    }
    return NULL;
}

static bool name_add(struct record_nouveau *nouveau, uint32_t handle, uint32_t object)
{
    const uint32_t start = name_start(nouveau->file->serial, handle);

    for (uint32_t i = 0; i < RECORD_NOUVEAU_NAMES_MAX; i++) {
        struct record_nouveau_name *name =
            &nouveau->table->names[(start + i) % RECORD_NOUVEAU_NAMES_MAX];

        if (name->file != 0 && name->file != (uint32_t)NAME_GONE)
            continue;
        name->handle = handle;
        name->object = object;
        name->file = nouveau->file->serial; /* from here on it counts */
        nouveau->file->sync_count++;
        return true;
    }
    return false;
}

uint32_t record_pass_sync_object(const struct record_nouveau *nouveau, uint32_t handle)
{
    const struct record_nouveau_name *name = name_find(nouveau, handle);

    return name ? name->object : 0;
}

/* ---- coming and going ------------------------------------------------------------------------ */

static void name_remove(struct record_nouveau *nouveau, const struct record_caller *caller,
                        struct record_nouveau_name *name)
{
    uint32_t destroyed = 0;

    name->file = (uint32_t)NAME_GONE;
    nouveau->file->sync_count--;
    if (record_syncobj_destroy(&nouveau->syncobjs, name->object, &destroyed) && destroyed != 0)
        record_nouveau_sync_record(
            nouveau, caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_DESTROY, .syncobj_id = destroyed});
}

void record_pass_sync_end(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_NAMES_MAX && nouveau->file->sync_count > 0; i++)
        if (nouveau->table->names[i].file == nouveau->file->serial)
            name_remove(nouveau, caller, &nouveau->table->names[i]);
    nouveau->file->sync_count = 0;
}

/* A handle that is in the way was ended in a way that was not seen. */
static void name_put(struct record_nouveau *nouveau, const struct record_caller *caller,
                     uint32_t handle, uint32_t object)
{
    struct record_nouveau_name *before = name_find(nouveau, handle);

    if (before)
        name_remove(nouveau, caller, before);
    if (object == 0 || !name_add(nouveau, handle, object))
        record_out_mark(nouveau->out, caller, "synchronisation object %u: no room to record it",
                        (unsigned)handle);
}

/* A new object in the trace; NULL when there is no room. */
static struct record_syncobj *object_make(struct record_nouveau *nouveau,
                                          const struct record_caller *caller, uint32_t handle)
{
    const uint32_t own = record_syncobj_create(&nouveau->syncobjs);
    struct record_syncobj *object = record_syncobj_find(&nouveau->syncobjs, own);

    if (object)
        record_nouveau_sync_record(
            nouveau, caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_CREATE, .syncobj_id = object->id});
    name_put(nouveau, caller, handle, own);
    return record_nouveau_syncobj_find(nouveau, handle) ? object : NULL;
}

static void signal_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                          const struct record_syncobj *object)
{
    if (object)
        record_nouveau_sync_record(
            nouveau, caller,
            &(struct trace_syncobj){.what = TRACE_SYNCOBJ_SIGNAL, .syncobj_id = object->id});
}

static void create(struct record_nouveau *nouveau, const struct record_caller *caller,
                   const struct uapi_syncobj_create *created)
{
    const struct record_syncobj *object = object_make(nouveau, caller, created->handle);

    if (created->flags & UAPI_SYNCOBJ_CREATE_SIGNALED)
        signal_record(nouveau, caller, object);
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static void to_fd(struct record_nouveau *nouveau, const struct record_caller *caller,
                  const struct uapi_syncobj_handle *handle)
{
    struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, handle->handle);
    struct record_syncobj *file;
    bool marked;

    if (!object)
        return;
    if (handle->flags & UAPI_SYNCOBJ_SYNC_FILE) {
        file = record_syncobj_file(&nouveau->syncobjs);
        if (!file)
            return;
        record_nouveau_sync_record(nouveau, caller,
                                   &(struct trace_syncobj){.what = TRACE_SYNCOBJ_FILE,
                                                           .syncobj_id = file->id,
                                                           .from_id = object->id});
        object = file;
    }
    object->exported = true;
    marked = record_pass_mark_write(nouveau->pass, handle->fd, RECORD_PASS_SYNC, object->id);
    if (!marked)
        record_out_mark(nouveau->out, caller, "synchronisation object %u: its descriptor is lost",
                        (unsigned)object->id);
}

/* Records the object of a descriptor that no recorded process made: replay takes it for done. */
static void foreign(struct record_nouveau *nouveau, const struct record_caller *caller,
                    const struct record_syncobj *object)
{
    record_out_mark(nouveau->out, caller,
                    "a fence from outside the recording: replay takes it for done");
    signal_record(nouveau, caller, object);
}

static void from_fd(struct record_nouveau *nouveau, const struct record_caller *caller,
                    const struct uapi_syncobj_handle *handle)
{
    const uint32_t id = record_pass_mark_read(nouveau->pass, handle->fd, RECORD_PASS_SYNC);
    const struct record_syncobj *from = record_syncobj_by_id(&nouveau->syncobjs, id);
    const struct record_syncobj *object = record_nouveau_syncobj_find(nouveau, handle->handle);

    if (!(handle->flags & UAPI_SYNCOBJ_SYNC_FILE)) {
        if (from)
            name_put(nouveau, caller, handle->handle,
                     record_syncobj_handle(&nouveau->syncobjs,
                                           record_syncobj_index(&nouveau->syncobjs, from)));
        else
            foreign(nouveau, caller, object_make(nouveau, caller, handle->handle));
    } else if (!from) {
        foreign(nouveau, caller, object);
    } else if (object) {
        record_nouveau_sync_record(nouveau, caller,
                                   &(struct trace_syncobj){.what = TRACE_SYNCOBJ_TRANSFER,
                                                           .syncobj_id = object->id,
                                                           .from_id = from->id});
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void set(struct record_nouveau *nouveau, const struct record_caller *caller,
                const struct uapi_syncobj_timeline_array *which, enum trace_syncobj_what what)
{
    const uint64_t points = what == TRACE_SYNCOBJ_SIGNAL_POINT ? which->points : 0;
    struct record_nouveau_sync_array array = {0};

    if (record_nouveau_sync_array_take(nouveau, which->handles, which->count, &array) == 0 &&
        record_nouveau_sync_points_take(&array, points) == 0)
        for (uint32_t i = 0; i < array.count; i++)
            record_nouveau_sync_record(
                nouveau, caller,
                &(struct trace_syncobj){.what = (uint8_t)what,
                                        .syncobj_id =
                                            record_nouveau_sync_array_at(nouveau, &array, i)->id,
                                        .point = array.points[i]});
    record_nouveau_sync_array_free(&array);
}

/* struct uapi_syncobj_array is the timeline's without the points. */
static void set_whole(struct record_nouveau *nouveau, const struct record_caller *caller,
                      const struct uapi_syncobj_array *which, enum trace_syncobj_what what)
{
    set(nouveau, caller,
        &(struct uapi_syncobj_timeline_array){.handles = which->handles, .count = which->count},
        what);
}

static void wait_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct record_pass_call *call,
                        const struct record_nouveau_sync_wait *wait, bool timed_out)
{
    struct record_caller waited = *caller;
    struct record_nouveau_sync_array array = {0};

    waited.begin_ns = call->begin_ns;
    if (record_nouveau_sync_array_take(nouveau, wait->handles, wait->count, &array) == 0 &&
        record_nouveau_sync_points_take(&array, wait->points) == 0)
        record_nouveau_sync_wait_record(nouveau, &waited, wait, &array, timed_out);
    record_nouveau_sync_array_free(&array);
}

static void wait_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       const struct record_pass_call *call, bool timed_out)
{
    const struct uapi_syncobj_wait *wait = (const void *)call->words;
    const struct uapi_syncobj_timeline_wait *timeline = (const void *)call->words;
    const bool has_points = _IOC_NR(call->request) == UAPI_SYNCOBJ_TIMELINE_WAIT;
    const uint32_t flags = has_points ? timeline->flags : wait->flags;

    record_pass_look(nouveau, caller);
    wait_record(nouveau, caller, call,
                &(struct record_nouveau_sync_wait){
                    .call = has_points ? "SYNCOBJ_TIMELINE_WAIT" : "SYNCOBJ_WAIT",
                    .handles = has_points ? timeline->handles : wait->handles,
                    .points = has_points ? timeline->points : 0,
                    .count = has_points ? timeline->count : wait->count,
                    .flags = flags & ~(uint32_t)UAPI_SYNCOBJ_WAIT_DEADLINE,
                },
                timed_out);
}

/* A program that asks for a point sees that it was reached: as good as a wait for it.  The last
 * point that was submitted says nothing of that. */
static void query_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                        struct record_pass_call *call)
{
    const struct uapi_syncobj_timeline_array *which = (const void *)call->words;

    record_pass_look(nouveau, caller);
    if (which->flags & UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED)
        return;
    call->begin_ns = caller->now_ns;
    wait_record(nouveau, caller, call,
                &(struct record_nouveau_sync_wait){.call = "SYNCOBJ_QUERY",
                                                   .handles = which->handles,
                                                   .points = which->points,
                                                   .count = which->count,
                                                   .flags = TRACE_SYNCOBJ_ALL | TRACE_SYNCOBJ_SEEN},
                false);
}

static void transfer_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                           const struct uapi_syncobj_transfer *transfer)
{
    const struct record_syncobj *to = record_nouveau_syncobj_find(nouveau, transfer->dst_handle);
    const struct record_syncobj *from = record_nouveau_syncobj_find(nouveau, transfer->src_handle);

    if (to && from)
        record_nouveau_sync_record(nouveau, caller,
                                   &(struct trace_syncobj){.what = TRACE_SYNCOBJ_TRANSFER,
                                                           .syncobj_id = to->id,
                                                           .point = transfer->dst_point,
                                                           .from_id = from->id,
                                                           .from_point = transfer->src_point});
}

/* ---- calls ----------------------------------------------------------------------------------- */

void record_pass_sync_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_pass_call *call)
{
    const struct uapi_syncobj_destroy *destroy = (const void *)call->words;
    struct record_nouveau_name *name;

    if (_IOC_NR(call->request) != UAPI_SYNCOBJ_DESTROY)
        return;
    name = name_find(nouveau, destroy->handle);
    if (name)
        name_remove(nouveau, caller, name);
}

/* What the call made stands in its argument. */
static void made_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_pass_call *call)
{
    const unsigned nr = _IOC_NR(call->request);
    const size_t bytes = _IOC_SIZE(call->request);

    if (!record_user_read(call->words, call->argument,
                          bytes < sizeof call->words ? bytes : sizeof call->words))
        return;
    if (nr == UAPI_SYNCOBJ_CREATE)
        create(nouveau, caller, (const void *)call->words);
    else if (nr == UAPI_SYNCOBJ_HANDLE_TO_FD)
        to_fd(nouveau, caller, (const void *)call->words);
    else
        from_fd(nouveau, caller, (const void *)call->words);
}

void record_pass_sync_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                            struct record_pass_call *call, int result)
{
    const void *words = call->words;
    const unsigned nr = _IOC_NR(call->request);
    const bool is_wait = nr == UAPI_SYNCOBJ_WAIT || nr == UAPI_SYNCOBJ_TIMELINE_WAIT;

    if (result < 0 && !(is_wait && result == -ETIME))
        return;
    switch (nr) {
    case UAPI_SYNCOBJ_CREATE:
    case UAPI_SYNCOBJ_HANDLE_TO_FD:
    case UAPI_SYNCOBJ_FD_TO_HANDLE:
        made_after(nouveau, caller, call);
        break;
    case UAPI_SYNCOBJ_WAIT:
    case UAPI_SYNCOBJ_TIMELINE_WAIT:
        wait_after(nouveau, caller, call, result < 0);
        break;
    case UAPI_SYNCOBJ_RESET:
        set_whole(nouveau, caller, words, TRACE_SYNCOBJ_RESET);
        break;
    case UAPI_SYNCOBJ_SIGNAL:
        set_whole(nouveau, caller, words, TRACE_SYNCOBJ_SIGNAL);
        break;
    case UAPI_SYNCOBJ_TIMELINE_SIGNAL:
        set(nouveau, caller, words, TRACE_SYNCOBJ_SIGNAL_POINT);
        break;
    case UAPI_SYNCOBJ_QUERY:
        query_after(nouveau, caller, call);
        break;
    case UAPI_SYNCOBJ_TRANSFER:
        transfer_after(nouveau, caller, words);
        break;
    default:
        break;
    }
}
