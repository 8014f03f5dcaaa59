/* SPDX-License-Identifier: MIT */
/* Block-linear addresses against a slow reference that walks the surface in the order of memory. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_tile.h"
#include "tests/suites.h"

enum { GOB_BYTES = 512, GOB_WIDTH = 64, GOB_ROWS = 8 };

struct place {
    uint32_t x, y, z;
};

/* Byte `at` of a GOB: address bits 8 to 4 are x5 y2 y1 x4 y0. */
static struct place place_in_gob(uint32_t at)
{
    return (struct place){
        .x = (at >> 8 & 1) * 32 + (at >> 5 & 1) * 16 + (at & 15),
        .y = (at >> 6 & 3) * 2 + (at >> 4 & 1),
        .z = 0,
    };
}

static const struct nv_surface surfaces[] = {
    {64, 8, 0, 0},   {128, 16, 1, 0}, {256, 64, 2, 0}, {192, 40, 3, 0},
    {100, 24, 1, 1}, {64, 8, 0, 2},   {320, 33, 4, 1}, {1, 1, 5, 0},
};

/* Counts through memory: GOBs of a block by y, then z; blocks by x, then y, then z. */
START_TEST(every_byte_of_memory_belongs_to_the_place_that_the_layout_says)
{
    const struct nv_surface *surface = &surfaces[_i];
    const uint32_t gobs_y = 1u << surface->block_height_log2;
    const uint32_t gobs_z = 1u << surface->block_depth_log2;
    const uint32_t blocks_x = (surface->width_bytes + GOB_WIDTH - 1) / GOB_WIDTH;
    const uint32_t blocks_y = (surface->height + GOB_ROWS * gobs_y - 1) / (GOB_ROWS * gobs_y);
    uint64_t address = 0;

    for (uint32_t bz = 0; bz < 2; bz++)
        for (uint32_t by = 0; by < blocks_y; by++)
            for (uint32_t bx = 0; bx < blocks_x; bx++)
                for (uint32_t gob = 0; gob < gobs_y * gobs_z; gob++)
                    for (uint32_t at = 0; at < GOB_BYTES; at++, address++) {
                        const struct place in = place_in_gob(at);

                        ck_assert_uint_eq(
                            nv_tile_offset(surface, bx * GOB_WIDTH + in.x,
                                           (by * gobs_y + gob % gobs_y) * GOB_ROWS + in.y,
                                           bz * gobs_z + gob / gobs_y),
                            address);
                    }
}
END_TEST

START_TEST(a_run_of_bytes_lies_together)
{
    const struct nv_surface *surface = &surfaces[_i];

    for (uint32_t x = 0; x < 130; x++) {
        const uint32_t run = nv_tile_run(x);

        ck_assert_uint_ge(run, 1);
        for (uint32_t i = 1; i < run; i++)
            ck_assert_uint_eq(nv_tile_offset(surface, x + i, 3, 0),
                              nv_tile_offset(surface, x, 3, 0) + i);
    }
}
END_TEST

Suite *nv_tile_suite(void)
{
    Suite *suite = suite_create("nv_tile");
    TCase *tcase = tcase_create("layout");
    const int count = sizeof surfaces / sizeof surfaces[0];

    tcase_add_loop_test(tcase, every_byte_of_memory_belongs_to_the_place_that_the_layout_says, 0,
                        count);
    tcase_add_loop_test(tcase, a_run_of_bytes_lies_together, 0, count);
    suite_add_tcase(suite, tcase);
    return suite;
}
