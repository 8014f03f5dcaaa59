/* SPDX-License-Identifier: MIT */
/*
 * Objects and channels of a real driver: what it made and what it ended.  What ends a number is
 * recorded before the call, because another thread may be given the number before this one is back;
 * what makes one, afterwards.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/record/nouveau/record_pass_state.h"

#define DRM_IOWR(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

/* ---- objects --------------------------------------------------------------------------------- */

/* A live object that `matches` says is the one, or NULL. */
static struct record_nouveau_bo *bo_search(struct record_nouveau *nouveau,
                                           bool (*matches)(const struct record_nouveau_bo *bo,
                                                           const struct record_buffer *buffer,
                                                           const uint64_t key[2]),
                                           const uint64_t key[2])
{
    for (uint32_t i = 0; i < record_memory_count(nouveau->memory); i++) {
        const struct record_buffer *buffer = record_memory_ordered(nouveau->memory, i);
        struct record_nouveau_bo *bo =
            &nouveau->table->bos[record_memory_number(nouveau->memory, buffer)];

        if (bo->number != 0 && matches(bo, buffer, key))
            return bo;
    }
    return NULL;
}

static bool is_at(const struct record_nouveau_bo *bo, const struct record_buffer *buffer,
                  const uint64_t key[2])
{
    return bo->map_handle != 0 && bo->handle_count > 0 && key[0] >= bo->map_handle &&
           key[0] - bo->map_handle < buffer->size_bytes;
}

static bool is_named(const struct record_nouveau_bo *bo, const struct record_buffer *buffer,
                     const uint64_t key[2])
{
    (void)buffer;
    return bo->flink_name == key[0] && bo->handle_count > 0;
}

static bool is_dmabuf(const struct record_nouveau_bo *bo, const struct record_buffer *buffer,
                      const uint64_t key[2])
{
    (void)buffer;
    return bo->is_exported && bo->prime_device == key[0] && bo->prime_inode == key[1];
}

struct record_nouveau_bo *record_pass_object_at(struct record_nouveau *nouveau, uint64_t offset)
{
    return bo_search(nouveau, is_at, (const uint64_t[2]){offset, 0});
}

struct record_nouveau_bo *record_pass_object_of_dmabuf(struct record_nouveau *nouveau, int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return NULL;
    return bo_search(nouveau, is_dmabuf, (const uint64_t[2]){status.st_dev, status.st_ino});
}

/* The calling file has an object by a handle.  One that it had by the same handle was closed in a
 * way that was not seen. */
static void handle_put(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_nouveau_bo *bo, const struct uapi_gem_info *info)
{
    const struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);
    const uint64_t va = nouveau->file->has_vm ? record_memory_va(buffer) : info->offset;

    bo->map_handle = info->map_handle;
    if (!record_nouveau_handle_put(nouveau, caller, bo, info->handle, va))
        record_out_mark(nouveau->out, caller, "handle %u: no room to record it",
                        (unsigned)info->handle);
    if (bo->handle_count == 0 && !bo->is_exported)
        record_nouveau_bo_free(nouveau, bo);
}

static void object_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                       const struct uapi_gem_info *info, uint32_t align)
{
    const struct uapi_gem_new wanted = {.info = *info, .align = align};
    const bool vram = info->domain & UAPI_DOMAIN_VRAM;
    struct record_nouveau_bo *bo;

    if (info->handle == 0)
        return;
    if (record_nouveau_bo_find(nouveau, info->handle))
        (void)record_nouveau_bo_close(nouveau, caller, info->handle);
    bo = record_nouveau_bo_new(nouveau, &wanted, vram ? UAPI_DOMAIN_VRAM : UAPI_DOMAIN_GART);
    if (bo)
        handle_put(nouveau, caller, bo, info);
    else
        record_out_mark(nouveau->out, caller, "object of %llu bytes: no room to record it",
                        (unsigned long long)info->size);
}

/* What the real driver says of a handle of the calling file; false when it knows none. */
static bool info_ask(struct record_nouveau *nouveau, uint32_t handle, struct uapi_gem_info *info)
{
    const struct record_pass *pass = nouveau->pass;

    *info = (struct uapi_gem_info){.handle = handle};
    return handle != 0 &&
           pass->next.ioctl(pass->next.context, pass->fd,
                            DRM_IOWR(UAPI_GEM_INFO, struct uapi_gem_info), info) >= 0;
}

/* The calling file has got a handle for an object that may be known: `bo`, or NULL. */
static struct record_nouveau_bo *adopt(struct record_nouveau *nouveau,
                                       const struct record_caller *caller, uint32_t handle,
                                       struct record_nouveau_bo *bo)
{
    struct uapi_gem_info info;

    if (record_nouveau_bo_find(nouveau, handle) == bo && bo)
        return bo; /* the same handle again */
    if (!info_ask(nouveau, handle, &info))
        return NULL;
    if (!bo) {
        object_add(nouveau, caller, &info, 0);
        return record_nouveau_bo_find(nouveau, handle);
    }
    if (record_nouveau_bo_find(nouveau, handle))
        (void)record_nouveau_bo_close(nouveau, caller, handle);
    /* What it held was in the trace, but its memory went with its last handle. */
    if (bo->handle_count == 0)
        record_nouveau_bo_buffer(nouveau, bo)->tell_all = 1;
    handle_put(nouveau, caller, bo, &info);
    return bo;
}

/* Objects that only a descriptor may hold: of too many the oldest is given up. */
static void exported_limit(struct record_nouveau *nouveau)
{
    struct record_nouveau_bo *oldest = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < record_memory_count(nouveau->memory); i++) {
        const struct record_buffer *buffer = record_memory_ordered(nouveau->memory, i);
        struct record_nouveau_bo *bo =
            &nouveau->table->bos[record_memory_number(nouveau->memory, buffer)];

        if (bo->number == 0 || bo->handle_count > 0 || !bo->is_exported)
            continue;
        count++;
        oldest = oldest && oldest->number < bo->number ? oldest : bo;
    }
    if (count > PASS_EXPORTED_MAX)
        record_nouveau_bo_free(nouveau, oldest);
}

static uint32_t dmabuf_hash(uint64_t device, uint64_t inode)
{
    return (uint32_t)((device ^ inode * UINT64_C(0x9e3779b97f4a7c15)) >> 40) %
           RECORD_NOUVEAU_DMABUF_BITS;
}

bool record_pass_may_be_dmabuf(const void *table, uint64_t device, uint64_t inode)
{
    const struct record_nouveau_table *driver = table;

    return driver->dmabufs[dmabuf_hash(device, inode)] != 0;
}

/* The inode is this object's now; an older object that had it is gone. */
static void dmabuf_note(struct record_nouveau *nouveau, struct record_nouveau_bo *bo, int fd)
{
    struct record_nouveau_bo *before = record_pass_object_of_dmabuf(nouveau, fd);
    struct stat status;

    if (before == bo || fstat(fd, &status) != 0)
        return;
    if (before) {
        before->is_exported = 0;
        if (before->handle_count == 0)
            record_nouveau_bo_free(nouveau, before);
    }
    nouveau->table->dmabufs[dmabuf_hash(status.st_dev, status.st_ino)] = 1;
    bo->prime_device = status.st_dev;
    bo->prime_inode = status.st_ino;
    bo->is_exported = 1;
}

static void flink_note(struct record_nouveau *nouveau, const struct uapi_gem_flink *flink)
{
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, flink->handle);
    struct record_nouveau_bo *before =
        bo_search(nouveau, is_named, (const uint64_t[2]){flink->name, 0});

    if (before && before != bo)
        before->flink_name = 0;
    if (bo)
        bo->flink_name = flink->name;
}

static void prime_import(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const struct uapi_prime *prime)
{
    struct record_nouveau_bo *bo =
        adopt(nouveau, caller, prime->handle, record_pass_object_of_dmabuf(nouveau, prime->fd));

    if (bo)
        dmabuf_note(nouveau, bo, prime->fd);
}

/* ---- channels -------------------------------------------------------------------------------- */

static void channel_alloc(struct record_nouveau *nouveau, const struct record_caller *caller,
                          const struct uapi_channel_alloc *alloc, uint32_t engine)
{
    struct record_nouveau_channel *channel = record_nouveau_channel_place(nouveau, caller);

    nouveau->file->is_legacy = 1;
    if (!channel || alloc->channel < 0 ||
        record_nouveau_channel_find(nouveau, (uint32_t)alloc->channel)) {
        record_out_mark(nouveau->out, caller, "channel %d: no room to record it", alloc->channel);
        return;
    }
    (void)adopt(nouveau, caller, alloc->notifier, NULL);
    record_nouveau_file_tell(nouveau, caller);
    record_nouveau_channel_begin(nouveau, caller, channel, (uint32_t)alloc->channel, engine);
    channel->notifier = alloc->notifier;
    channel->used = RECORD_NOUVEAU_CHANNEL_USED;
}

/* Returns the handle of its notifier, which may or may not go with it. */
static uint32_t channel_free(struct record_nouveau *nouveau, const struct record_caller *caller,
                             uint32_t number)
{
    struct record_nouveau_channel *channel = record_nouveau_channel_find(nouveau, number);
    uint32_t notifier;

    if (!channel)
        return 0;
    record_pass_look(nouveau, caller);
    notifier = channel->notifier;
    channel->notifier = 0;
    record_nouveau_channel_end(nouveau, caller, channel);
    return notifier;
}

/* Objects of a channel have its number as token. */
static void nvif(struct record_nouveau *nouveau, const struct record_caller *caller,
                 const struct record_pass_call *call)
{
    struct {
        struct uapi_nvif head;
        struct uapi_nvif_new new;
    } what;

    memcpy(&what, call->words, sizeof what);
    if (_IOC_SIZE(call->request) >= sizeof what && what.head.type == UAPI_NVIF_NEW &&
        what.head.route == UAPI_NVIF_ROUTE_CHANNEL && what.head.token <= UINT32_MAX &&
        record_nouveau_channel_find(nouveau, (uint32_t)what.head.token))
        record_nouveau_object_record(nouveau, caller, (uint32_t)what.head.token, what.new.handle,
                                     what.new.class_id);
}

/* ---- calls ----------------------------------------------------------------------------------- */

void record_pass_object_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_pass_call *call)
{
    const void *words = call->words;
    const struct uapi_channel_alloc *alloc = words;
    const struct uapi_gem_new *new = words;
    uint32_t which;

    memcpy(&which, words, sizeof which); /* the first member of both */
    call->number = which;
    switch (_IOC_NR(call->request)) {
    case UAPI_GEM_CLOSE:
        record_pass_look(nouveau, caller); /* what is there can be seen for the last time */
        (void)record_nouveau_bo_close(nouveau, caller, which);
        record_pass_memory_sweep(nouveau);
        exported_limit(nouveau);
        break;
    case UAPI_CHANNEL_FREE:
        call->number = channel_free(nouveau, caller, which);
        break;
    case UAPI_CHANNEL_ALLOC: /* the engine, until the answer takes its place */
        call->number = alloc->tt_ctxdma;
        break;
    case UAPI_GEM_NEW:
        call->number = new->align;
        break;
    default:
        break;
    }
}

void record_pass_object_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                              struct record_pass_call *call)
{
    const void *words = call->words;
    const struct uapi_gem_info *info = words;
    const struct uapi_gem_open *opened = words;
    const struct uapi_prime *prime = words;
    const struct uapi_grobj_alloc *object = words;
    struct uapi_gem_info notifier;
    struct record_nouveau_bo *bo;

    switch (_IOC_NR(call->request)) {
    case UAPI_CHANNEL_FREE:
        if (record_nouveau_bo_find(nouveau, call->number) &&
            !info_ask(nouveau, call->number, &notifier))
            (void)record_nouveau_bo_close(nouveau, caller, call->number);
        break;
    case UAPI_GEM_NEW:
        nouveau->file->is_legacy = 1;
        object_add(nouveau, caller, info, call->number);
        break;
    case UAPI_GEM_INFO:
        if (!record_nouveau_bo_find(nouveau, info->handle))
            object_add(nouveau, caller, info, 0);
        break;
    case UAPI_GEM_FLINK:
        flink_note(nouveau, words);
        break;
    case UAPI_GEM_OPEN:
        (void)adopt(nouveau, caller, opened->handle,
                    bo_search(nouveau, is_named, (const uint64_t[2]){opened->name, 0}));
        break;
    case UAPI_PRIME_HANDLE_TO_FD:
        bo = record_nouveau_bo_find(nouveau, prime->handle);
        if (bo)
            dmabuf_note(nouveau, bo, prime->fd);
        break;
    case UAPI_PRIME_FD_TO_HANDLE:
        prime_import(nouveau, caller, prime);
        break;
    case UAPI_CHANNEL_ALLOC:
        channel_alloc(nouveau, caller, words, call->number);
        break;
    case UAPI_GROBJ_ALLOC:
        if (record_nouveau_channel_find(nouveau, (uint32_t)object->channel))
            record_nouveau_object_record(nouveau, caller, (uint32_t)object->channel, object->handle,
                                         object->class_id);
        break;
    case UAPI_NVIF:
        nvif(nouveau, caller, call);
        break;
    default:
        break;
    }
}
