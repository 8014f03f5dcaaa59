/* SPDX-License-Identifier: MIT */
/*
 * A second computation of the place of a byte in a block-linear surface, from the published
 * description and without the code under test:
 *
 *   - A GOB has 64 bytes by 8 rows.
 *   - A block has 2^n GOBs in y and 2^m slices, stacked in y, then in z.
 *   - Blocks are ordered in x, then y, then z.
 */
#ifndef TESTS_TILE_REFERENCE_H
#define TESTS_TILE_REFERENCE_H

#include <stdint.h>

struct tile_reference {
    uint32_t width_bytes, height, gobs_high, slices_deep; /* two of the surface, two of a block */
};

static inline uint64_t tile_reference_offset(const struct tile_reference *surface, uint32_t x,
                                             uint32_t y, uint32_t z)
{
    const uint64_t across = (surface->width_bytes + 63) / 64;
    const uint64_t down = (surface->height + 8 * surface->gobs_high - 1) / (8 * surface->gobs_high);
    const uint64_t block_bytes = 512ull * surface->gobs_high * surface->slices_deep;
    uint64_t offset = 0;

    offset += z / surface->slices_deep * (across * down * block_bytes);
    offset += y / (8 * surface->gobs_high) * (across * block_bytes);
    offset += x / 64 * block_bytes;
    offset += z % surface->slices_deep * (512ull * surface->gobs_high);
    offset += y % (8 * surface->gobs_high) / 8 * 512;
    offset += x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    return offset;
}

#endif
