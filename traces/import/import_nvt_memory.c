/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/import/import_nvt_memory.h"

#include <stdlib.h>
#include <string.h>

struct nvt_page {
    uint8_t data[NVT_PAGE_BYTES];
    uint8_t by_gpu[NVT_PAGE_BYTES]; /* 1 where the GPU wrote last */
};

/* ---- buffers --------------------------------------------------------------------------------- */

static uint64_t page_count(const struct nvt_bo *bo)
{
    return (bo->size_bytes + NVT_PAGE_BYTES - 1) / NVT_PAGE_BYTES;
}

struct nvt_bo *nvt_memory_bo(const struct nvt_memory *memory, uint32_t handle)
{
    for (uint32_t i = 0; i < memory->bo_count; i++)
        if (memory->bos[i].handle == handle)
            return &memory->bos[i];
    return NULL;
}

struct nvt_bo *nvt_memory_bo_at(const struct nvt_memory *memory, uint64_t va, uint64_t length)
{
    for (uint32_t i = 0; i < memory->bo_count; i++) {
        struct nvt_bo *bo = &memory->bos[i];
        if (va >= bo->va && va - bo->va <= bo->size_bytes &&
            length <= bo->size_bytes - (va - bo->va))
            return bo;
    }
    return NULL;
}

const char *nvt_memory_add(struct nvt_memory *memory, uint32_t handle, uint64_t va,
                           uint64_t size_bytes)
{
    if (nvt_memory_bo(memory, handle))
        return "a buffer whose handle is in use";
    if (size_bytes == 0 || size_bytes > NVT_BO_MAX_BYTES || va > UINT64_MAX - size_bytes)
        return "a buffer of no size, of more than 64 GiB, or past the last address";
    if (memory->bo_count == NVT_BOS_MAX)
        return "more than 65536 buffers at a time";
    if (memory->bo_count == memory->bo_capacity) {
        const uint32_t capacity = memory->bo_capacity ? 2 * memory->bo_capacity : 64;
        struct nvt_bo *bos = realloc(memory->bos, capacity * sizeof *bos);
        if (!bos)
            return "memory is short";
        memory->bos = bos;
        memory->bo_capacity = capacity;
    }
    memory->bos[memory->bo_count++] =
        (struct nvt_bo){.handle = handle, .va = va, .size_bytes = size_bytes};
    return NULL;
}

static void pages_free(struct nvt_bo *bo)
{
    for (uint64_t i = 0; bo->pages && i < page_count(bo); i++)
        free(bo->pages[i]);
    free(bo->pages);
}

void nvt_memory_remove(struct nvt_memory *memory, uint32_t handle)
{
    struct nvt_bo *bo = nvt_memory_bo(memory, handle);

    if (!bo)
        return;
    pages_free(bo);
    *bo = memory->bos[--memory->bo_count];
}

void nvt_memory_free(struct nvt_memory *memory)
{
    for (uint32_t i = 0; i < memory->bo_count; i++)
        pages_free(&memory->bos[i]);
    free(memory->bos);
}

/* ---- contents -------------------------------------------------------------------------------- */

static const struct nvt_page *page_at(const struct nvt_bo *bo, uint64_t offset)
{
    return bo->pages ? bo->pages[offset / NVT_PAGE_BYTES] : NULL;
}

static struct nvt_page *page_make(struct nvt_bo *bo, uint64_t offset)
{
    struct nvt_page **page;

    if (!bo->pages)
        bo->pages = calloc((size_t)page_count(bo), sizeof(struct nvt_page *));
    if (!bo->pages)
        return NULL;
    page = &bo->pages[offset / NVT_PAGE_BYTES];
    if (!*page)
        *page = calloc(1, sizeof **page);
    return *page;
}

/* Bytes of the range that lie in the page at `offset`. */
static uint32_t part_of(uint64_t offset, uint32_t left)
{
    const uint32_t room = NVT_PAGE_BYTES - (uint32_t)(offset % NVT_PAGE_BYTES);

    return left < room ? left : room;
}

bool nvt_memory_write(struct nvt_bo *bo, uint64_t offset, const uint8_t *data, uint32_t length,
                      enum nvt_writer who)
{
    while (length > 0) {
        const uint32_t part = part_of(offset, length);
        const size_t at = (size_t)(offset % NVT_PAGE_BYTES);
        struct nvt_page *page = page_make(bo, offset);
        if (!page)
            return false;
        for (uint32_t i = 0; i < part; i++)
            page->by_gpu[at + i] =
                who == NVT_GPU || (page->by_gpu[at + i] && page->data[at + i] == data[i]);
        memcpy(page->data + at, data, part);
        offset += part;
        data += part;
        length -= part;
    }
    return true;
}

bool nvt_memory_equals(const struct nvt_bo *bo, uint64_t offset, const uint8_t *data,
                       uint32_t length)
{
    static const struct nvt_page zero_page;

    if (offset > bo->size_bytes || length > bo->size_bytes - offset)
        return false;
    while (length > 0) {
        const uint32_t part = part_of(offset, length);
        const struct nvt_page *page = page_at(bo, offset);
        if (memcmp((page ? page : &zero_page)->data + offset % NVT_PAGE_BYTES, data, part) != 0)
            return false;
        offset += part;
        data += part;
        length -= part;
    }
    return true;
}

static bool cpu_wrote(const struct nvt_bo *bo, uint64_t offset, uint8_t value)
{
    const struct nvt_page *page = page_at(bo, offset);
    const size_t at = (size_t)(offset % NVT_PAGE_BYTES);

    return !page || !page->by_gpu[at] || page->data[at] != value;
}

bool nvt_memory_cpu_run(const struct nvt_bo *bo, uint64_t offset, const uint8_t *data,
                        uint32_t length, struct nvt_run *run)
{
    uint32_t first = run->first + run->length;

    while (first < length && !cpu_wrote(bo, offset + first, data[first]))
        first++;
    run->first = first;
    for (run->length = 0; first < length && cpu_wrote(bo, offset + first, data[first]); first++)
        run->length++;
    return run->length > 0;
}
