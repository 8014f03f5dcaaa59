/* SPDX-License-Identifier: MIT */
/*
 * Memory of the KFD stand-in: one sparse file without a name for each process, in which objects lie
 * one behind another; the program maps it through a node's descriptor.  Our own view of each object
 * is separate, as the program may not be able to see video memory.  Nothing is taken twice.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_user.h"

/* The library's own mmap() must not be asked. */
static void *map_own(int fd, uint64_t offset, uint64_t bytes)
{
    void *at = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE, fd, offset);

    if (at == MAP_FAILED)
        return NULL;
    (void)madvise(at, bytes, MADV_DONTDUMP);
    (void)madvise(at, bytes, MADV_DONTFORK);
    return at;
}

#define FILE_BYTES (1ull << 45)

static uint64_t page_up(uint64_t bytes)
{
    return (bytes + RECORD_KFD_PAGE_BYTES - 1) & ~(uint64_t)(RECORD_KFD_PAGE_BYTES - 1);
}

/* Out of the way of the program's descriptors, which it may close by their numbers. */
static bool file_make(struct record_kfd *kfd)
{
    const int fd = memfd_create("gfe-kfd", MFD_CLOEXEC);
    const int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 900);
    struct stat status;

    if (high >= 0)
        close(fd);
    kfd->fd = high >= 0 ? high : fd;
    if (kfd->fd >= 0 && ftruncate64(kfd->fd, (off64_t)FILE_BYTES) == 0 &&
        syscall(SYS_fstat, kfd->fd, &status) == 0) {
        kfd->file_device = status.st_dev;
        kfd->file_inode = status.st_ino;
        return true;
    }
    if (kfd->fd >= 0)
        close(kfd->fd);
    kfd->fd = -1;
    return false;
}

static bool file_good(const struct record_kfd *kfd)
{
    struct stat status;

    return kfd->fd >= 0 && syscall(SYS_fstat, kfd->fd, &status) == 0 &&
           status.st_dev == kfd->file_device && status.st_ino == kfd->file_inode;
}

/* A range of the file, which is made when it is needed first. */
static int range_new(struct record_kfd *kfd, uint64_t bytes, uint64_t *offset, uint8_t **host)
{
    if (kfd->fd < 0 && !file_make(kfd))
        return -ENOMEM;
    if (bytes > FILE_BYTES - kfd->cursor || !file_good(kfd))
        return -ENOMEM;
    *host = map_own(kfd->fd, kfd->cursor, bytes);
    if (!*host)
        return -ENOMEM;
    *offset = kfd->cursor;
    kfd->cursor += bytes + RECORD_KFD_PAGE_BYTES; /* what runs over is in no object */
    return 0;
}

int record_kfd_doorbells_make(struct record_kfd *kfd, unsigned gpu)
{
    uint8_t *host = NULL;
    int result;

    if (kfd->gpus[gpu].doorbells)
        return 0;
    result = range_new(kfd, RECORD_KFD_DOORBELLS_BYTES, &kfd->gpus[gpu].doorbells_offset, &host);
    if (result == 0)
        kfd->gpus[gpu].doorbells = (uint64_t *)(void *)host;
    return result;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Place of the first object that begins behind an address. */
static uint32_t place_behind(const struct record_kfd *kfd, uint64_t va)
{
    uint32_t low = 0, high = kfd->object_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (kfd->objects[middle].va <= va)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool table_grow(struct record_kfd *kfd)
{
    const uint32_t capacity = kfd->object_capacity ? 2 * kfd->object_capacity : 64;
    struct record_kfd_object *grown = realloc(kfd->objects, capacity * sizeof *grown);

    if (!grown)
        return false;
    kfd->objects = grown;
    kfd->object_capacity = capacity;
    return true;
}

static bool object_insert(struct record_kfd *kfd, const struct record_kfd_object *object)
{
    const uint32_t place = place_behind(kfd, object->va);

    if (kfd->object_count == kfd->object_capacity && !table_grow(kfd))
        return false;
    memmove(&kfd->objects[place + 1], &kfd->objects[place],
            (kfd->object_count - place) * sizeof *object);
    kfd->objects[place] = *object;
    kfd->object_count++;
    return true;
}

bool record_kfd_object_enter(struct record_kfd *kfd, const struct record_kfd_object *object)
{
    struct record_kfd_object whole = *object;

    whole.number = kfd->numbers->objects;
    if (!object_insert(kfd, &whole))
        return false;
    kfd->numbers->objects++;
    return true;
}

struct record_kfd_object *record_kfd_object_of_handle(struct record_kfd *kfd, uint64_t handle)
{
    for (uint32_t i = 0; i < kfd->object_count; i++)
        if (kfd->objects[i].handle == handle)
            return &kfd->objects[i];
    return NULL;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static void object_release(struct record_kfd *kfd, struct record_kfd_object *object)
{
    if (object->is_user || !object->host || (object->flags & KFD_MEMORY_DOORBELL))
        return;
    munmap(object->host, object->bytes);
    if (file_good(kfd))
        (void)fallocate64(kfd->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                          (off64_t)object->offset, (off64_t)object->bytes);
}

/* Where the bytes are. */
static int object_back(struct record_kfd *kfd, unsigned gpu, const struct kfd_alloc_memory *alloc,
                       struct record_kfd_object *object)
{
    int result;

    if (alloc->flags & KFD_MEMORY_USERPTR) {
        object->is_user = true;
        object->host = (uint8_t *)(uintptr_t)alloc->mmap_offset;
        return 0;
    }
    if (alloc->flags & KFD_MEMORY_DOORBELL) {
        result = record_kfd_doorbells_make(kfd, gpu);
        object->host = (uint8_t *)(void *)kfd->gpus[gpu].doorbells;
        object->bytes = RECORD_KFD_DOORBELLS_BYTES;
        object->offset = kfd->gpus[gpu].doorbells_offset;
        return result;
    }
    return range_new(kfd, object->bytes, &object->offset, &object->host);
}

int record_kfd_alloc_memory(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_alloc_memory *alloc)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, alloc->gpu_id);
    struct record_kfd_object object = {.va = alloc->va, .flags = alloc->flags, .gpu = gpu};
    int result;

    (void)caller;
    if (gpu == kfd->gpu_count || alloc->bytes == 0 || alloc->bytes > FILE_BYTES)
        return -EINVAL;
    object.bytes = page_up(alloc->bytes);
    if ((alloc->flags & KFD_MEMORY_VRAM) &&
        kfd->gpus[gpu].vram_used + object.bytes > (uint64_t)kfd->gpus[gpu].board->vram_mib << 20)
        return -ENOMEM;
    result = object_back(kfd, gpu, alloc, &object);
    if (result != 0)
        return result;
    object.handle = (uint64_t)record_kfd_gpu_id(gpu) << 32 | ++kfd->next_handle;
    if (!record_kfd_object_enter(kfd, &object)) {
        object_release(kfd, &object);
        return -ENOMEM;
    }
    if (alloc->flags & KFD_MEMORY_VRAM)
        kfd->gpus[gpu].vram_used += object.bytes;
    alloc->handle = object.handle;
    if (alloc->flags & KFD_MEMORY_DOORBELL)
        alloc->mmap_offset = KFD_MMAP_TYPE_DOORBELL | (uint64_t)record_kfd_gpu_id(gpu)
                                                          << KFD_MMAP_GPU_SHIFT;
    else if (!object.is_user)
        alloc->mmap_offset = object.offset;
    return 0;
}

static void tell_unmap(struct record_kfd *kfd, const struct record_caller *caller,
                       struct record_kfd_object *object)
{
    struct trace_record record = {0};

    record.as_unmap.as_id = kfd->client_id;
    record.as_unmap.va = object->va;
    record.as_unmap.size_bytes = object->bytes;
    record.as_unmap.handle = object->number;
    record_out_put(kfd->out, caller, TRACE_AS_UNMAP, &record);
    record_kfd_tell_forget(kfd, object->va, object->bytes);
    object->mapped = 0;
}

int record_kfd_free_memory(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct kfd_free_memory *which)
{
    struct record_kfd_object *object = record_kfd_object_of_handle(kfd, which->handle);

    if (!object)
        return -EINVAL;
    if (object->mapped)
        tell_unmap(kfd, caller, object);
    if (object->flags & KFD_MEMORY_VRAM)
        kfd->gpus[object->gpu].vram_used -= object->bytes;
    object_release(kfd, object);
    kfd->object_count--;
    memmove(object, object + 1,
            (size_t)(&kfd->objects[kfd->object_count] - object) * sizeof *object);
    return 0;
}

/* The GPUs of a call, as bits; false with a negative errno. */
static int gpus_read(const struct record_kfd *kfd, const struct kfd_map_memory *map, uint32_t *bits)
{
    *bits = 0;
    if (map->gpu_count == 0 || map->gpu_count > RECORD_KFD_GPUS_MAX)
        return -EINVAL;
    for (uint32_t i = 0; i < map->gpu_count; i++) {
        uint32_t gpu_id;
        unsigned gpu;

        if (!record_user_read(&gpu_id, map->gpus_pointer + i * sizeof gpu_id, sizeof gpu_id))
            return -EFAULT;
        gpu = record_kfd_gpu_find(kfd, gpu_id);
        if (gpu == kfd->gpu_count)
            return -EINVAL;
        *bits |= 1u << gpu;
    }
    return 0;
}

int record_kfd_map_memory(struct record_kfd *kfd, const struct record_caller *caller,
                          struct kfd_map_memory *map)
{
    struct record_kfd_object *object = record_kfd_object_of_handle(kfd, map->handle);
    struct trace_record record = {0};
    uint32_t gpus;
    const int result = object ? gpus_read(kfd, map, &gpus) : -EINVAL;

    if (result != 0)
        return result;
    map->success_count = map->gpu_count;
    if (!object->mapped) { /* one address space for all GPUs of a process */
        record.as_map.as_id = kfd->client_id;
        record.as_map.va = object->va;
        record.as_map.size_bytes = object->bytes;
        record.as_map.handle = object->number;
        record.as_map.aperture =
            object->flags & KFD_MEMORY_VRAM ? TRACE_APERTURE_VRAM : TRACE_APERTURE_SYSMEM;
        record_out_put(kfd->out, caller, TRACE_AS_MAP, &record);
        if (kfd->live_result != 0)
            return kfd->live_result;
    }
    object->mapped |= gpus;
    return 0;
}

int record_kfd_unmap_memory(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_map_memory *map)
{
    struct record_kfd_object *object = record_kfd_object_of_handle(kfd, map->handle);
    uint32_t gpus;
    const int result = object ? gpus_read(kfd, map, &gpus) : -EINVAL;

    if (result != 0)
        return result;
    map->success_count = map->gpu_count;
    if (object->mapped && (object->mapped & ~gpus) == 0)
        tell_unmap(kfd, caller, object);
    object->mapped &= ~gpus;
    return 0;
}

bool record_kfd_map(struct record_kfd *kfd, uint64_t offset, uint64_t bytes,
                    struct record_kfd_mapping *mapping)
{
    *mapping = (struct record_kfd_mapping){.fd = kfd->fd, .offset = (off_t)offset};
    if ((offset & KFD_MMAP_TYPE_MASK) == KFD_MMAP_TYPE_DOORBELL) {
        mapping->is_doorbells = true;
        mapping->gpu =
            record_kfd_gpu_find(kfd, (uint32_t)(offset >> KFD_MMAP_GPU_SHIFT) & KFD_MMAP_GPU_MASK);
        if (mapping->gpu == kfd->gpu_count || bytes > RECORD_KFD_DOORBELLS_BYTES ||
            record_kfd_doorbells_make(kfd, mapping->gpu) != 0)
            return false;
        mapping->fd = kfd->fd;
        mapping->offset = (off_t)kfd->gpus[mapping->gpu].doorbells_offset;
        return true;
    }
    return file_good(kfd) && offset <= kfd->cursor && bytes <= kfd->cursor - offset;
}

/* ---- what the GPU sees ----------------------------------------------------------------------- */

const struct record_kfd_object *record_kfd_object_at(const struct record_kfd *kfd, uint64_t va,
                                                     uint64_t *bytes)
{
    /* Objects may begin at the same address, of which at most one is on a GPU. */
    for (uint32_t place = place_behind(kfd, va); place > 0; place--) {
        const struct record_kfd_object *object = &kfd->objects[place - 1];

        if (object->mapped && object->host && va - object->va < object->bytes) {
            *bytes = object->bytes - (va - object->va);
            return object;
        }
        if (object->mapped && object->bytes > 0)
            break;
    }
    return NULL;
}

static void lost(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va)
{
    if (va / RECORD_KFD_PAGE_BYTES == kfd->lost_page)
        return;
    kfd->lost_page = va / RECORD_KFD_PAGE_BYTES;
    record_out_mark(kfd->out, caller, "the GPU's address %#llx is not mapped%s",
                    (unsigned long long)va, kfd->pass ? ", or not for the CPU" : "");
}

void *record_kfd_at(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                    uint64_t bytes)
{
    uint64_t there = 0;
    const struct record_kfd_object *object = record_kfd_object_at(kfd, va, &there);

    if (object && there >= bytes)
        return object->host + (va - object->va);
    lost(kfd, caller, va);
    return NULL;
}

/* A program may take its own memory away from under us: that is no crash. */
bool record_kfd_copy(struct record_kfd *kfd, const struct record_caller *caller, uint64_t to,
                     uint64_t from, uint64_t bytes)
{
    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_COPY))
        bytes = bytes > 64 ? bytes - 64 : 0;
    while (bytes > 0) {
        uint64_t to_bytes = 0, from_bytes = 0, part = bytes;
        const struct record_kfd_object *target = record_kfd_object_at(kfd, to, &to_bytes);
        const struct record_kfd_object *source = record_kfd_object_at(kfd, from, &from_bytes);
        uint8_t *at;
        const uint8_t *data;

        if (!target || !source) {
            lost(kfd, caller, target ? from : to);
            return false;
        }
        part = part < to_bytes ? part : to_bytes;
        part = part < from_bytes ? part : from_bytes;
        at = target->host + (to - target->va);
        data = source->host + (from - source->va);
        if (!target->is_user && !source->is_user)
            memmove(at, data, part);
        else if (!record_user_read(at, (uintptr_t)data, part))
            return false;
        to += part;
        from += part;
        bytes -= part;
    }
    return true;
}

bool record_kfd_fill(struct record_kfd *kfd, const struct record_caller *caller, uint64_t to,
                     uint32_t value, uint64_t bytes)
{
    uint32_t words[256];

    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_FILL))
        bytes = bytes > 4 ? bytes - 4 : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        words[i] = value;
    while (bytes > 0) {
        uint64_t there = 0, part = bytes < sizeof words ? bytes : sizeof words;
        const struct record_kfd_object *target = record_kfd_object_at(kfd, to, &there);

        if (!target) {
            lost(kfd, caller, to);
            return false;
        }
        part = part < there ? part : there;
        if (!record_user_write((uintptr_t)(target->host + (to - target->va)), words, part))
            return false;
        to += part;
        bytes -= part;
    }
    return true;
}

void record_kfd_memory_free(struct record_kfd *kfd)
{
    for (uint32_t i = 0; i < kfd->object_count; i++)
        object_release(kfd, &kfd->objects[i]);
    free(kfd->objects);
    for (unsigned i = 0; i < kfd->gpu_count; i++)
        if (kfd->gpus[i].doorbells)
            munmap(kfd->gpus[i].doorbells, RECORD_KFD_DOORBELLS_BYTES);
    if (file_good(kfd))
        close(kfd->fd);
}
