/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/extent.h"

#include <string.h>

void extents_init(struct extents *extents, uint64_t address, uint64_t size_bytes)
{
    extents->count = 1;
    extents->free[0] = (struct extent){address, size_bytes};
}

static void extent_remove(struct extents *extents, uint32_t at)
{
    extents->count--;
    memmove(&extents->free[at], &extents->free[at + 1],
            (extents->count - at) * sizeof extents->free[0]);
    extents->free[extents->count] = (struct extent){0, 0};
}

static bool extent_insert(struct extents *extents, uint32_t at, struct extent extent)
{
    if (extents->count == EXTENT_MAX)
        return false;
    memmove(&extents->free[at + 1], &extents->free[at],
            (extents->count - at) * sizeof extents->free[0]);
    extents->free[at] = extent;
    extents->count++;
    return true;
}

uint64_t extent_take(struct extents *extents, uint64_t size_bytes, uint64_t align_bytes)
{
    for (uint32_t i = 0; i < extents->count; i++) {
        struct extent *extent = &extents->free[i];
        const uint64_t end = extent->address + extent->size_bytes;
        const uint64_t start = (extent->address + align_bytes - 1) & ~(align_bytes - 1);

        if (start < extent->address || start > end || end - start < size_bytes)
            continue;
        /* The front stays free, and the rest behind what is taken, if there is any. */
        if (start + size_bytes < end &&
            !extent_insert(extents, i + 1,
                           (struct extent){start + size_bytes, end - start - size_bytes}))
            return EXTENT_NONE;
        extents->free[i].size_bytes = start - extents->free[i].address;
        if (extents->free[i].size_bytes == 0)
            extent_remove(extents, i);
        return start;
    }
    return EXTENT_NONE;
}

bool extent_give(struct extents *extents, uint64_t address, uint64_t size_bytes)
{
    uint32_t at = 0;

    while (at < extents->count && extents->free[at].address < address)
        at++;
    if (!extent_insert(extents, at, (struct extent){address, size_bytes}))
        return false;
    if (at + 1 < extents->count && address + size_bytes == extents->free[at + 1].address) {
        extents->free[at].size_bytes += extents->free[at + 1].size_bytes;
        extent_remove(extents, at + 1);
    }
    if (at > 0 && extents->free[at - 1].address + extents->free[at - 1].size_bytes == address) {
        extents->free[at - 1].size_bytes += extents->free[at].size_bytes;
        extent_remove(extents, at);
    }
    return true;
}
