/* SPDX-License-Identifier: MIT */
/*
 * A first-fit allocator of guest memory for driver models.  It keeps the free ranges of an aperture
 * in the arena.  Freed ranges join their neighbours.
 */
#ifndef GFE_FIRMWARE_MODELS_EXTENT_H
#define GFE_FIRMWARE_MODELS_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"

enum { EXTENT_MAX = 4096 };

#define EXTENT_NONE UINT64_MAX

GFE_STATE_BEGIN
struct extent {
    uint64_t address, size_bytes;
};

struct extents {
    uint32_t count; /* free ranges, sorted by address */
    uint32_t reserved;
    struct extent free[EXTENT_MAX];
};
GFE_STATE_END

/* Sets up the allocator with one free range. */
void extents_init(struct extents *extents, uint64_t address, uint64_t size_bytes);
/* Takes a range aligned to align_bytes (a power of two).  Returns its address, or EXTENT_NONE if
 * none is free. */
uint64_t extent_take(struct extents *extents, uint64_t size_bytes, uint64_t align_bytes);
/* Gives a range back.  Returns false, and loses the range, if the table of free ranges is full. */
bool extent_give(struct extents *extents, uint64_t address, uint64_t size_bytes);

#endif
