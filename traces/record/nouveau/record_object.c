/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: GEM_NEW, GEM_INFO, GEM_CLOSE, GEM_FLINK, GEM_OPEN and PRIME.
 *
 * An object is the device's, its handles are a file's; in a file's address space it is mapped as
 * long as the file has a handle for it.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/record_step.h"

/* VRAM objects of this size and more begin at a multiple of it: the large page's. */
enum { LARGE_PAGE_BYTES = 128 << 10 };

/* ---- objects and their handles --------------------------------------------------------------- */

struct record_nouveau_bo *record_nouveau_bo_find(const struct record_nouveau *nouveau,
                                                 uint32_t handle)
{
    const uint32_t *place =
        record_nouveau_handle_place((struct record_nouveau *)nouveau, handle, false);

    return place && *place != 0 ? &nouveau->table->bos[*place - 1] : NULL;
}

static uint32_t bo_index(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    return (uint32_t)(bo - nouveau->table->bos);
}

struct record_buffer *record_nouveau_bo_buffer(const struct record_nouveau *nouveau,
                                               const struct record_nouveau_bo *bo)
{
    return record_memory_at(nouveau->memory, bo_index(nouveau, bo));
}

/* The calling file's lowest free handle, as the kernel's, with room for it; 0 when there is none.
 */
static uint32_t handle_new(struct record_nouveau *nouveau)
{
    uint32_t handle = nouveau->file->free_hint;

    while (handle <= RECORD_NOUVEAU_HANDLES_MAX && record_nouveau_bo_find(nouveau, handle))
        handle++;
    nouveau->file->free_hint = handle;
    return record_nouveau_handle_place(nouveau, handle, true) ? handle : 0;
}

/* A handle of the calling file for an object, or 0. */
static uint32_t handle_of(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    const uint32_t wanted = bo_index(nouveau, bo) + 1;

    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILE_PAGES && bo->handle_count > 0; i++) {
        const uint32_t page = nouveau->file->pages[i];

        for (uint32_t n = 0; page != 0 && n < RECORD_NOUVEAU_PAGE_HANDLES; n++)
            if (nouveau->table->pages[page - 1].bos[n] == wanted)
                return i * RECORD_NOUVEAU_PAGE_HANDLES + n + 1;
    }
    return 0;
}

/* Where the calling file's objects are.  A client that manages its addresses itself binds them
 * later. */
static uint32_t map_space(const struct record_nouveau *nouveau)
{
    return nouveau->file->has_vm ? TRACE_AS_OBJECTS : nouveau->file->as_id;
}

/* The object appears in the calling file's address space. */
static void map_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_nouveau_bo *bo, uint64_t va)
{
    struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);
    struct trace_record record = {0};

    record_nouveau_file_tell(nouveau, caller);
    if (bo->handle_count == 0) {
        buffer->as_id = map_space(nouveau);
        bo->home_va = va;
    }
    record.as_map.as_id = map_space(nouveau);
    record.as_map.va = va;
    record.as_map.size_bytes = buffer->size_bytes;
    record.as_map.handle = bo->number;
    record.as_map.aperture =
        bo->domain == UAPI_DOMAIN_VRAM ? TRACE_APERTURE_VRAM : TRACE_APERTURE_SYSMEM;
    record.as_map.tile_mode = bo->tile_mode;
    record.as_map.tile_flags = bo->tile_flags;
    record_out_put(nouveau->out, caller, TRACE_AS_MAP, &record);
    record_out_flush(nouveau->out);
}

static void unmap_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const struct record_nouveau_bo *bo, uint64_t va)
{
    const struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);
    struct trace_record record = {0};

    record_nouveau_live_finish(nouveau, caller, bo->last_submission);
    record.as_unmap.as_id = map_space(nouveau);
    record.as_unmap.va = va;
    record.as_unmap.size_bytes = buffer->size_bytes;
    record.as_unmap.handle = bo->number;
    record_out_put(nouveau->out, caller, TRACE_AS_UNMAP, &record);
    record_out_flush(nouveau->out);
}

bool record_nouveau_handle_put(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_nouveau_bo *bo, uint32_t handle, uint64_t va)
{
    uint32_t *place = record_nouveau_handle_place(nouveau, handle, true);

    if (!place)
        return false;
    /* In TRACE_AS_OBJECTS it is once, however many clients have it. */
    if (handle_of(nouveau, bo) == 0 && !(nouveau->file->has_vm && bo->vm_files++ > 0))
        map_record(nouveau, caller, bo, va);
    bo->handle_count++;
    record_nouveau_handle_va_set(nouveau, handle, va);
    record_step();
    *place = bo_index(nouveau, bo) + 1;
    return true;
}

/* Gives the calling file a new handle for an object: the handle, or 0. */
static uint32_t handle_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                           struct record_nouveau_bo *bo)
{
    const uint32_t handle = handle_new(nouveau);
    const uint64_t va = record_memory_va(record_nouveau_bo_buffer(nouveau, bo));

    return handle != 0 && record_nouveau_handle_put(nouveau, caller, bo, handle, va) ? handle : 0;
}

void record_nouveau_bo_free(struct record_nouveau *nouveau, struct record_nouveau_bo *bo)
{
    struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);

    if (bo->is_exported)
        record_nouveau_prime_remove(nouveau, bo);
    if (bo->domain == UAPI_DOMAIN_VRAM)
        nouveau->table->vram_used_bytes -= buffer->size_bytes;
    bo->number = 0;
    record_step();
    record_memory_remove(nouveau->memory, buffer);
}

/* True when something but a handle keeps it. */
static bool bo_is_held(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    /* What holds a real driver's descriptor open is not known. */
    return (bo->is_exported && (nouveau->pass || record_nouveau_prime_is_open(nouveau, bo))) ||
           record_nouveau_file_find(nouveau, bo->bound_by);
}

void record_nouveau_bo_sweep(struct record_nouveau *nouveau)
{
    for (uint32_t i = 0; i < RECORD_MEMORY_BUFFERS_MAX && i < nouveau->table->bo_count; i++) {
        struct record_nouveau_bo *bo = &nouveau->table->bos[i];

        if (bo->number != 0 && bo->handle_count == 0 && !bo_is_held(nouveau, bo))
            record_nouveau_bo_free(nouveau, bo);
    }
}

struct record_nouveau_bo *record_nouveau_bo_new(struct record_nouveau *nouveau,
                                                const struct uapi_gem_new *wanted, uint32_t domain)
{
    const uint64_t vram_bytes = (uint64_t)nouveau->board->vram_mib << 20;
    const bool vram = domain == UAPI_DOMAIN_VRAM;
    uint64_t align = wanted->align;
    struct record_buffer *buffer;
    struct record_nouveau_bo *bo;

    if (vram && !nouveau->pass && wanted->info.size > vram_bytes - nouveau->table->vram_used_bytes)
        return NULL;
    if (vram && wanted->info.size >= LARGE_PAGE_BYTES && align < LARGE_PAGE_BYTES)
        align = LARGE_PAGE_BYTES;
    buffer = record_memory_add(nouveau->memory, wanted->info.size, align);
    if (!buffer)
        return NULL;
    if (vram)
        nouveau->table->vram_used_bytes += buffer->size_bytes;
    record_step();
    bo = &nouveau->table->bos[record_memory_number(nouveau->memory, buffer)];
    *bo = (struct record_nouveau_bo){
        .number = ++nouveau->table->bo_count,
        .domain = domain,
        .tile_mode = wanted->info.tile_mode,
        .tile_flags = wanted->info.tile_flags,
    };
    return bo;
}

uint32_t record_nouveau_bo_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                               const struct uapi_gem_new *wanted, uint32_t domain)
{
    struct record_nouveau_bo *bo = record_nouveau_bo_new(nouveau, wanted, domain);
    uint32_t handle;

    if (!bo) { /* a process that died may have left enough */
        record_nouveau_reap(nouveau, caller);
        bo = record_nouveau_bo_new(nouveau, wanted, domain);
    }
    if (!bo)
        return 0;
    handle = handle_add(nouveau, caller, bo);
    if (handle == 0)
        record_nouveau_bo_free(nouveau, bo);
    return handle;
}

int record_nouveau_bo_close(struct record_nouveau *nouveau, const struct record_caller *caller,
                            uint32_t handle)
{
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, handle);

    if (!bo)
        return -EINVAL;
    *record_nouveau_handle_place(nouveau, handle, false) = 0;
    if (nouveau->file->free_hint > handle)
        nouveau->file->free_hint = handle;
    bo->handle_count--;
    if (handle_of(nouveau, bo) == 0) {
        if (!(nouveau->file->has_vm && --bo->vm_files > 0))
            unmap_record(nouveau, caller, bo, record_nouveau_handle_va(nouveau, handle));
        if (record_bind_shows(nouveau, bo))
            bo->bound_by = nouveau->file->serial;
    }
    if (bo->handle_count > 0)
        return 0;
    bo->flink_name = 0; /* a name does not keep an object */
    if (!bo_is_held(nouveau, bo))
        record_nouveau_bo_free(nouveau, bo);
    return 0;
}

static void bo_info(struct record_nouveau *nouveau, uint32_t handle, struct uapi_gem_info *info)
{
    const struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, handle);
    const struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);

    *info = (struct uapi_gem_info){
        .handle = handle,
        .domain = bo->domain,
        .size = buffer->size_bytes,
        .offset = nouveau->file->has_vm ? buffer->offset : record_memory_va(buffer),
        .map_handle = buffer->offset,
        .tile_mode = bo->tile_mode,
        .tile_flags = bo->tile_flags,
    };
    if (nouveau->fault == RECORD_FAULT_OFFSET)
        info->map_handle += RECORD_MEMORY_PAGE_BYTES;
}

int record_object_new(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_gem_new *wanted = call->argument;
    const uint32_t domains = wanted->info.domain;
    uint32_t handle;

    if (wanted->info.size == 0 || (domains & ~(uint32_t)UAPI_DOMAINS_KNOWN) != 0)
        return -EINVAL;
    nouveau->file->is_legacy = 1;
    if ((domains & UAPI_DOMAIN_NO_SHARE) && !nouveau->file->has_vm)
        return -EINVAL;
    /* As nouveau: video memory if the caller lets it choose, system memory if it says nothing. */
    handle =
        record_nouveau_bo_add(nouveau, call->caller, wanted,
                              domains & UAPI_DOMAIN_VRAM ? UAPI_DOMAIN_VRAM : UAPI_DOMAIN_GART);
    if (handle == 0)
        return -ENOMEM;
    record_nouveau_bo_find(nouveau, handle)->no_share = (domains & UAPI_DOMAIN_NO_SHARE) != 0;
    bo_info(nouveau, handle, &wanted->info);
    return 0;
}

int record_object_info(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_gem_info *info = call->argument;

    if (!record_nouveau_bo_find(nouveau, info->handle))
        return -ENOENT;
    bo_info(nouveau, info->handle, info);
    return 0;
}

int record_object_close(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_gem_close *which = call->argument;

    return record_nouveau_bo_close(nouveau, call->caller, which->handle);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Render nodes refuse names, primary nodes give them to authenticated clients; the stand-in's node
 * is both. */
int record_object_flink(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_gem_flink *flink = call->argument;
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, flink->handle);

    if (!bo)
        return -ENOENT;
    if (bo->flink_name == 0)
        bo->flink_name = ++nouveau->table->flink_count;
    flink->name = bo->flink_name;
    return 0;
}

int record_object_open(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_gem_open *open = call->argument;
    struct record_nouveau_bo *found = NULL;

    for (uint32_t i = 0; i < nouveau->table->bo_count && i < RECORD_MEMORY_BUFFERS_MAX; i++) {
        struct record_nouveau_bo *bo = &nouveau->table->bos[i];

        if (bo->number != 0 && bo->flink_name == open->name && open->name != 0)
            found = bo;
    }
    if (!found)
        return -ENOENT;
    open->handle = handle_add(nouveau, call->caller, found);
    open->size = record_nouveau_bo_buffer(nouveau, found)->size_bytes;
    return open->handle ? 0 : -ENOMEM;
}

/* ---- PRIME ----------------------------------------------------------------------------------- */

int record_object_export(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_prime *prime = call->argument;
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, prime->handle);
    int fd;

    if (!bo)
        return -ENOENT;
    if (bo->no_share)
        return -EPERM;
    fd = record_nouveau_prime_open(nouveau, bo, prime->flags);
    if (fd < 0)
        return fd;
    prime->fd = fd;
    return 0;
}

int record_object_import(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_prime *prime = call->argument;
    struct stat status;
    struct record_nouveau_bo *bo;

    if (fstat(prime->fd, &status) != 0)
        return -EBADF;
    bo = record_nouveau_prime_find(nouveau, status.st_dev, status.st_ino);
    if (!bo)
        return -EINVAL;
    prime->handle = handle_of(nouveau, bo);
    if (prime->handle != 0)
        return 0;
    /* What it held was in the trace, but its memory went with its last handle. */
    if (bo->handle_count == 0)
        record_nouveau_bo_buffer(nouveau, bo)->tell_all = 1;
    prime->handle = handle_add(nouveau, call->caller, bo);
    return prime->handle ? 0 : -ENOMEM;
}
