/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: GEM_NEW, GEM_INFO, GEM_CLOSE and PRIME.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/record_nouveau_private.h"

/* VRAM objects of this size and more begin at a multiple of it: the large page's. */
enum { LARGE_PAGE_BYTES = 128 << 10 };

struct nouveau_bo *nouveau_bo_find(struct record_nouveau *nouveau, uint32_t handle)
{
    if (handle == 0 || handle > nouveau->bo_capacity || !nouveau->bos[handle - 1].buffer)
        return NULL;
    return &nouveau->bos[handle - 1];
}

/* The lowest free handle, as the kernel's; 0 when there is none. */
static uint32_t handle_new(struct record_nouveau *nouveau)
{
    uint32_t handle = 1;
    struct nouveau_bo *grown;
    uint32_t capacity;

    while (handle <= nouveau->bo_capacity && nouveau->bos[handle - 1].buffer)
        handle++;
    if (handle <= nouveau->bo_capacity)
        return handle;
    if (nouveau->bo_capacity >= NOUVEAU_HANDLES_MAX)
        return 0;
    capacity = nouveau->bo_capacity ? 2 * nouveau->bo_capacity : 64;
    grown = realloc(nouveau->bos, capacity * sizeof *grown);
    if (!grown)
        return 0;
    memset(grown + nouveau->bo_capacity, 0, (capacity - nouveau->bo_capacity) * sizeof *grown);
    nouveau->bos = grown;
    nouveau->bo_capacity = capacity;
    return handle;
}

static void bo_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                      uint32_t handle)
{
    const struct nouveau_bo *bo = nouveau_bo_find(nouveau, handle);
    struct trace_record record = {0};

    record.as_map.as_id = bo->buffer->as_id;
    record.as_map.va = record_memory_va(bo->buffer);
    record.as_map.size_bytes = bo->buffer->size_bytes;
    record.as_map.handle = handle;
    record.as_map.aperture =
        bo->domain == UAPI_DOMAIN_VRAM ? TRACE_APERTURE_VRAM : TRACE_APERTURE_SYSMEM;
    record.as_map.tile_mode = bo->tile_mode;
    record.as_map.tile_flags = bo->tile_flags;
    record_out_put(nouveau->out, caller, TRACE_AS_MAP, &record);
}

uint32_t nouveau_bo_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct uapi_gem_new *wanted, uint32_t domain)
{
    const uint64_t vram_bytes = (uint64_t)nouveau->board->vram_mib << 20;
    const bool vram = domain == UAPI_DOMAIN_VRAM;
    const uint32_t handle = handle_new(nouveau);
    uint64_t align = wanted->align;
    struct record_buffer *buffer;

    if (handle == 0 || (vram && wanted->info.size > vram_bytes - nouveau->vram_used_bytes))
        return 0;
    if (vram && wanted->info.size >= LARGE_PAGE_BYTES && align < LARGE_PAGE_BYTES)
        align = LARGE_PAGE_BYTES;
    buffer = record_memory_add(nouveau->memory, wanted->info.size, align);
    if (!buffer)
        return 0;
    /* A client that manages its addresses itself binds the object later. */
    buffer->as_id = nouveau_client_vm(nouveau, caller) ? TRACE_AS_OBJECTS : NOUVEAU_AS_ID;
    if (vram)
        nouveau->vram_used_bytes += buffer->size_bytes;
    nouveau->bos[handle - 1] = (struct nouveau_bo){
        .buffer = buffer,
        .domain = domain,
        .tile_mode = wanted->info.tile_mode,
        .tile_flags = wanted->info.tile_flags,
    };
    bo_record(nouveau, caller, handle);
    return handle;
}

/* The last handle is gone: the buffer goes when nothing shows it any more. */
static void buffer_drop(struct record_nouveau *nouveau, struct record_buffer *buffer)
{
    if (nouveau->orphan_count == nouveau->orphan_capacity) {
        const uint32_t capacity = nouveau->orphan_capacity ? 2 * nouveau->orphan_capacity : 16;
        struct record_buffer **grown = realloc(nouveau->orphans, capacity * sizeof *grown);

        if (!grown)
            return; /* it stays until the end */
        nouveau->orphans = grown;
        nouveau->orphan_capacity = capacity;
    }
    nouveau->orphans[nouveau->orphan_count++] = buffer;
    record_bind_sweep(nouveau);
}

int nouveau_bo_close(struct record_nouveau *nouveau, const struct record_caller *caller,
                     uint32_t handle)
{
    struct nouveau_bo *bo = nouveau_bo_find(nouveau, handle);
    struct trace_record record = {0};

    if (!bo)
        return -EINVAL;
    record.as_unmap.as_id = bo->buffer->as_id;
    record.as_unmap.va = record_memory_va(bo->buffer);
    record.as_unmap.size_bytes = bo->buffer->size_bytes;
    record.as_unmap.handle = handle;
    record_out_put(nouveau->out, caller, TRACE_AS_UNMAP, &record);
    if (bo->domain == UAPI_DOMAIN_VRAM)
        nouveau->vram_used_bytes -= bo->buffer->size_bytes;
    buffer_drop(nouveau, bo->buffer);
    *bo = (struct nouveau_bo){0};
    return 0;
}

static void bo_info(struct record_nouveau *nouveau, uint32_t handle, struct uapi_gem_info *info)
{
    const struct nouveau_bo *bo = nouveau_bo_find(nouveau, handle);

    *info = (struct uapi_gem_info){
        .handle = handle,
        .domain = bo->domain,
        .size = bo->buffer->size_bytes,
        .offset =
            bo->buffer->as_id == NOUVEAU_AS_ID ? record_memory_va(bo->buffer) : bo->buffer->offset,
        .map_handle = bo->buffer->offset,
        .tile_mode = bo->tile_mode,
        .tile_flags = bo->tile_flags,
    };
    if (nouveau->fault == RECORD_FAULT_OFFSET)
        info->map_handle += RECORD_MEMORY_PAGE_BYTES;
}

int record_object_new(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_gem_new *wanted = call->argument;
    const uint32_t domains = wanted->info.domain;
    uint32_t handle;

    if (wanted->info.size == 0 || (domains & ~(uint32_t)UAPI_DOMAINS_KNOWN) != 0)
        return -EINVAL;
    nouveau_client_is_legacy(nouveau, call->caller);
    if ((domains & UAPI_DOMAIN_NO_SHARE) && !nouveau_client_vm(nouveau, call->caller))
        return -EINVAL;
    /* As nouveau: video memory if the caller lets it choose, system memory if it says nothing. */
    handle = nouveau_bo_add(nouveau, call->caller, wanted,
                            domains & UAPI_DOMAIN_VRAM ? UAPI_DOMAIN_VRAM : UAPI_DOMAIN_GART);
    if (handle == 0)
        return -ENOMEM;
    nouveau_bo_find(nouveau, handle)->no_share = domains & UAPI_DOMAIN_NO_SHARE;
    bo_info(nouveau, handle, &wanted->info);
    return 0;
}

int record_object_info(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_gem_info *info = call->argument;

    if (!nouveau_bo_find(nouveau, info->handle))
        return -ENOENT;
    bo_info(nouveau, info->handle, info);
    return 0;
}

int record_object_close(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    const struct uapi_gem_close *which = call->argument;

    return nouveau_bo_close(nouveau, call->caller, which->handle);
}

/* ---- PRIME ---------------------------------------------------------------------------------- */

/* An exported descriptor is an empty file whose inode names the object. */
int record_object_export(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_prime *prime = call->argument;
    struct nouveau_bo *bo = nouveau_bo_find(nouveau, prime->handle);
    struct stat status;
    int fd;

    if (!bo)
        return -ENOENT;
    if (bo->no_share)
        return -EPERM;
    if (bo->prime_inode)
        record_out_mark(nouveau->out, call->caller,
                        "object %u is exported again; only the newest descriptor is known",
                        (unsigned)prime->handle);
    fd = memfd_create("prime", MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, (off_t)bo->buffer->size_bytes) != 0 || fstat(fd, &status) != 0) {
        const int error = errno;
        close(fd);
        return -error;
    }
    bo->prime_inode = status.st_ino;
    prime->fd = fd;
    return 0;
}

int record_object_import(struct record_nouveau *nouveau, struct nouveau_call *call)
{
    struct uapi_prime *prime = call->argument;
    struct stat status;

    if (fstat(prime->fd, &status) != 0)
        return -EBADF;
    for (uint32_t i = 0; i < nouveau->bo_capacity; i++)
        if (nouveau->bos[i].buffer && nouveau->bos[i].prime_inode == status.st_ino) {
            prime->handle = i + 1;
            return 0;
        }
    return -EINVAL;
}
