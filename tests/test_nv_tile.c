/* SPDX-License-Identifier: MIT */
/* Block-linear addresses against a slow reference that walks the surface in the order of memory. */
#include <config.h>

#include <check.h>
#include <stdbool.h>

#include "devices/nvidia/formats/nv_tile.h"
#include "emu/engine/random.h"
#include "tests/suites.h"
#include "tests/tile_reference.h"

enum { GOB_BYTES = 512, GOB_WIDTH = 64, GOB_ROWS = 8 };

struct place {
    uint32_t x, y, z;
};

/* Byte `at` of a GOB: address bits 8 to 4 are x5 y2 y1 x4 y0, on Turing x5 y2 x4 y1 y0. */
static struct place place_in_gob(uint32_t gob, uint32_t at)
{
    if (gob == NV_GOB_TURING)
        return (struct place){
            .x = (at >> 8 & 1) * 32 + (at >> 6 & 1) * 16 + (at & 15),
            .y = (at >> 7 & 1) * 4 + (at >> 4 & 3),
            .z = 0,
        };
    return (struct place){
        .x = (at >> 8 & 1) * 32 + (at >> 5 & 1) * 16 + (at & 15),
        .y = (at >> 6 & 3) * 2 + (at >> 4 & 1),
        .z = 0,
    };
}

static const struct nv_surface surfaces[] = {
    {64, 8, 0, 0, NV_GOB_FERMI, 0},   {128, 16, 1, 0, NV_GOB_FERMI, 0},
    {256, 64, 2, 0, NV_GOB_FERMI, 0}, {192, 40, 3, 0, NV_GOB_TURING, 0},
    {100, 24, 1, 1, NV_GOB_FERMI, 0}, {64, 8, 0, 2, NV_GOB_TURING, 0},
    {320, 33, 4, 1, NV_GOB_FERMI, 0}, {1, 1, 5, 0, NV_GOB_TURING, 0},
};

/* Counts through memory: GOBs of a block by y, then z; blocks by x, then y, then z. */
/* PROMISE (nvidia): Every byte of a block-linear surface lies where the layout says. */
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
                        const struct place in = place_in_gob(surface->gob, at);

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

/* Any surface, any byte of it: the formula of the description. */
START_TEST(offsets_are_those_of_the_description)
{
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 1);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct nv_surface surface = {1 + random_below(&random, 70000),
                                           1 + random_below(&random, 17000),
                                           random_below(&random, 6),
                                           random_below(&random, 6),
                                           NV_GOB_FERMI,
                                           0};
        const struct tile_reference reference = {surface.width_bytes, surface.height,
                                                 1u << surface.block_height_log2,
                                                 1u << surface.block_depth_log2};
        const uint32_t x = random_below(&random, surface.width_bytes);
        const uint32_t y = random_below(&random, surface.height);
        const uint32_t z = random_below(&random, 100);

        ck_assert_uint_eq(nv_tile_offset(&surface, x, y, z),
                          tile_reference_offset(&reference, x, y, z));
    }
}
END_TEST

static const struct {
    uint32_t height, depth, block[2], shrunk[2];
} small[] = {
    {8, 1, {5, 5}, {0, 0}},  {9, 2, {5, 5}, {1, 1}},   {16, 3, {4, 1}, {1, 1}},
    {17, 3, {4, 5}, {2, 2}}, {128, 4, {4, 2}, {4, 2}}, {129, 5, {4, 2}, {4, 2}},
    {65, 1, {4, 0}, {4, 0}}, {64, 1, {4, 0}, {3, 0}},  {0, 0, {5, 5}, {0, 0}},
};

/* Half a block that still covers the surface is taken for a block. */
START_TEST(blocks_shrink_to_what_the_surface_needs)
{
    struct nv_surface surface = {
        64, small[_i].height, small[_i].block[0], small[_i].block[1], NV_GOB_FERMI, 0};

    nv_tile_shrink(&surface, small[_i].depth);
    ck_assert_uint_eq(surface.block_height_log2, small[_i].shrunk[0]);
    ck_assert_uint_eq(surface.block_depth_log2, small[_i].shrunk[1]);
}
END_TEST

/* Counts the sectors of 32 bytes in which the bytes of a rectangle lie. */
static uint64_t sectors_of(uint32_t x, uint32_t y, uint32_t width, uint32_t rows)
{
    enum { SECTORS = 64 * 8 * 4 * 8 / 32 };
    static const struct tile_reference surface = {256, 64, 2, 1};
    bool touched[SECTORS] = {false};
    uint64_t count = 0;

    for (uint32_t b = 0; b < rows; b++)
        for (uint32_t a = 0; a < width; a++)
            touched[tile_reference_offset(&surface, x + a, y + b, 0) / 32] = true;
    for (uint32_t i = 0; i < SECTORS; i++)
        count += touched[i];
    return count;
}

START_TEST(a_rectangle_lies_in_so_many_sectors)
{
    struct random_state random;

    random_seed(&random, 1, 2);
    for (uint32_t i = 0; i < 500; i++) {
        const uint32_t x = random_below(&random, 256), y = random_below(&random, 64);
        const uint32_t width = random_below(&random, 257 - x), rows = random_below(&random, 65 - y);

        ck_assert_uint_eq(nv_tile_sector_bytes(x, y, width, rows),
                          32 * sectors_of(x, y, width, rows));
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
    tcase_add_loop_test(tcase, offsets_are_those_of_the_description, 0, 5);
    tcase_add_loop_test(tcase, blocks_shrink_to_what_the_surface_needs, 0,
                        sizeof small / sizeof small[0]);
    tcase_add_test(tcase, a_rectangle_lies_in_so_many_sectors);
    suite_add_tcase(suite, tcase);
    return suite;
}
