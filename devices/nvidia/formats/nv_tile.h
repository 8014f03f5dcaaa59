/* SPDX-License-Identifier: MIT */
/*
 * Block-linear surfaces: the place of each byte of a tiled surface.
 *
 * A GOB is 64 bytes by 8 rows (512 bytes).  Blocks stack 2^height GOBs in y and 2^depth in z.  They
 * are laid out in x, then y, then z.  Inside a GOB, Fermi to Volta: address bits 8..4 are x5 y2 y1
 * x4 y0; from Turing on x5 y2 x4 y1 y0.  Sources: open-gpu-doc classes/inline-to-memory/cla140.h
 * (block sizes), Tegra X1 TRM by way of yuzu decoders.h @15e6e48b and Mesa nil/copy.rs @c0c84ae7
 * (bits in a GOB).  Not modelled: GOBs of four rows (before Fermi), compression.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_TILE_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_TILE_H

#include <stdint.h>

#include "emu/engine/arena.h"

/* Order of bytes in a GOB. */
enum nv_gob { NV_GOB_FERMI, NV_GOB_TURING };

GFE_STATE_BEGIN
struct nv_surface {
    uint32_t width_bytes, height;                 /* of the whole surface; `height` in rows */
    uint32_t block_height_log2, block_depth_log2; /* in GOBs */
    uint32_t gob;                                 /* enum nv_gob */
    uint32_t reserved;
};
GFE_STATE_END

/* One row of one slice: the part that does not depend on x. */
struct nv_tile_row {
    uint64_t offset; /* of byte 0 */
    uint64_t block_bytes;
    uint32_t x4_bit; /* of the address: the place of bit 4 of x */
};

/* Returns the row y of slice z. */
struct nv_tile_row nv_tile_row(const struct nv_surface *surface, uint32_t y, uint32_t z);
/* Returns the offset of byte x of the row from the surface's base. */
static inline uint64_t nv_tile_in_row(const struct nv_tile_row *row, uint32_t x)
{
    return row->offset + x / 64 * row->block_bytes +
           ((x & 0xf) | (x >> 4 & 1) << row->x4_bit | (x >> 5 & 1) << 8);
}

/* Returns the offset of byte (x, y, z) from the surface's base. */
uint64_t nv_tile_offset(const struct nv_surface *surface, uint32_t x, uint32_t y, uint32_t z);
/* Returns the number of bytes from x up that lie together: up to the next multiple of 16. */
uint32_t nv_tile_run(uint32_t x);
/* Halves the surface's blocks as long as half a block still covers its height, or `depth` slices
 * (envytools docs/hw/memory/g80-surface.rst @f102b823: small mip levels). */
void nv_tile_shrink(struct nv_surface *surface, uint32_t depth);
/* Returns the bytes of the 32-byte sectors that hold a rectangle of one slice.  Such a sector is 16
 * bytes by two rows. */
uint64_t nv_tile_sector_bytes(uint32_t x, uint32_t y, uint32_t width_bytes, uint32_t rows);

#endif
