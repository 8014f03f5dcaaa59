/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_tile.h"

#include <stdbool.h>

#define GOB_WIDTH  64u
#define GOB_HEIGHT 8u
#define GOB_BYTES  512u

struct nv_tile_row nv_tile_row(const struct nv_surface *surface, uint32_t y, uint32_t z)
{
    const uint32_t block_rows = GOB_HEIGHT << surface->block_height_log2;
    const uint32_t block_slices = 1u << surface->block_depth_log2;
    const uint64_t block_bytes = (uint64_t)GOB_BYTES
                                 << (surface->block_height_log2 + surface->block_depth_log2);
    const uint64_t blocks_x = ((uint64_t)surface->width_bytes + GOB_WIDTH - 1) / GOB_WIDTH;
    const uint64_t blocks_y = ((uint64_t)surface->height + block_rows - 1) / block_rows;
    const uint64_t block = ((uint64_t)(z / block_slices) * blocks_y + y / block_rows) * blocks_x;
    const uint64_t gob = (uint64_t)(z % block_slices) * (1u << surface->block_height_log2) +
                         y % block_rows / GOB_HEIGHT;

    const bool turing = surface->gob == NV_GOB_TURING;
    const uint32_t in_gob =
        turing ? (y & 3) << 4 | (y >> 2 & 1) << 7 : (y & 1) << 4 | (y >> 1 & 3) << 6;

    return (struct nv_tile_row){
        .offset = block * block_bytes + gob * GOB_BYTES + in_gob,
        .block_bytes = block_bytes,
        .x4_bit = turing ? 6 : 5,
    };
}

uint64_t nv_tile_offset(const struct nv_surface *surface, uint32_t x, uint32_t y, uint32_t z)
{
    const struct nv_tile_row row = nv_tile_row(surface, y, z);

    return nv_tile_in_row(&row, x);
}

uint32_t nv_tile_run(uint32_t x)
{
    return 16 - x % 16;
}

void nv_tile_shrink(struct nv_surface *surface, uint32_t depth)
{
    while (surface->block_height_log2 > 0 &&
           GOB_HEIGHT << (surface->block_height_log2 - 1) >= surface->height)
        surface->block_height_log2--;
    while (surface->block_depth_log2 > 0 && 1u << (surface->block_depth_log2 - 1) >= depth)
        surface->block_depth_log2--;
}

uint64_t nv_tile_sector_bytes(uint32_t x, uint32_t y, uint32_t width_bytes, uint32_t rows)
{
    const uint64_t columns = ((uint64_t)x + width_bytes + 15) / 16 - x / 16;
    const uint64_t pairs = ((uint64_t)y + rows + 1) / 2 - y / 2;

    return width_bytes && rows ? columns * pairs * 32 : 0;
}
