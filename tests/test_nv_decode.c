/* SPDX-License-Identifier: MIT */
/* The walker: a recorded stream, and small ones that are hard to read. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "emu/engine/memory.h"
#include "tests/fuzz/fuzz_nv_decode.h"
#include "tests/golden/compute_136.h"
#include "tests/suites.h"

enum { ITEMS_MAX = 64, GRIDS_MAX = 4 };

/* A channel whose address space is one memory, and what was found on it. */
struct walk {
    struct memory memory;
    struct nv_decode decode;
    struct nv_decode_item items[ITEMS_MAX]; /* the first ones */
    uint32_t item_count;
    uint32_t methods[NV_DECODE_SUBCHANNELS];
    uint32_t unnamed, unreadable;
    struct nv_qmd grids[GRIDS_MAX];
    uint64_t grid_va[GRIDS_MAX];
    uint32_t grid_count;
};

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    return memory_read(&((struct walk *)context)->memory, MEMORY_VRAM, va, data, bytes);
}

static bool walk_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    return memory_write(&((struct walk *)context)->memory, MEMORY_VRAM, va, data, bytes) ==
           MEMORY_OK;
}

static void walk_found(void *context, const struct nv_decode_item *item)
{
    struct walk *walk = context;

    if (walk->item_count < ITEMS_MAX)
        walk->items[walk->item_count++] = *item;
    if (item->kind == NV_DECODE_METHOD) {
        struct nv_class_method method;
        const struct nv_class *nv_class = nv_class_find(item->table_id);

        walk->methods[item->subchannel]++;
        walk->unnamed += !nv_class_lookup(nv_class, item->method, &method);
    }
    walk->unreadable += item->kind == NV_DECODE_UNREADABLE;
    if (item->kind == NV_DECODE_GRID && walk->grid_count < GRIDS_MAX) {
        ck_assert(nv_qmd_decode(item->class_id, item->qmd_words, &walk->grids[walk->grid_count]));
        walk->grid_va[walk->grid_count++] = item->qmd_va;
    }
}

static struct walk *walk_new(void)
{
    static const struct nv_decode_ops ops = {walk_read, walk_write, walk_found};
    struct walk *walk = calloc(1, sizeof *walk);

    ck_assert_ptr_nonnull(walk);
    ck_assert(memory_init(&walk->memory, 1ull << 40, 0, 4096, NULL));
    nv_decode_init(&walk->decode, &ops, walk, nv_decode_chip(0x136));
    return walk;
}

static void walk_free(struct walk *walk)
{
    memory_fini(&walk->memory);
    free(walk);
}

static void walk_put(struct walk *walk, uint64_t va, const uint32_t *dwords, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t bytes[4] = {(uint8_t)dwords[i], (uint8_t)(dwords[i] >> 8),
                                  (uint8_t)(dwords[i] >> 16), (uint8_t)(dwords[i] >> 24)};

        ck_assert(walk_write(walk, va + 4ull * i, bytes, sizeof bytes));
    }
}

static void walk_segment(struct walk *walk, uint64_t va, const uint32_t *dwords, uint32_t count)
{
    walk_put(walk, va, dwords, count);
    nv_decode_segment(&walk->decode, NV_DECODE_RECORDED, va, count);
}

#define WALK(walk, va, ...)                                                                        \
    do {                                                                                           \
        const uint32_t dwords[] = {__VA_ARGS__};                                                   \
        walk_segment(walk, va, dwords, sizeof dwords / sizeof dwords[0]);                          \
    } while (0)

static uint32_t header(enum nv_header_kind kind, uint8_t subchannel, uint16_t method, uint16_t n)
{
    const struct nv_header h = {
        .kind = kind,
        .subchannel = subchannel,
        .method = method,
        .count = kind == NV_HEADER_IMMD ? 0 : n,
        .immediate = kind == NV_HEADER_IMMD ? n : 0,
    };

    return nv_header_encode(&h);
}

static void walk_recorded(struct walk *walk)
{
    for (size_t i = 0; i < 2; i++)
        walk_put(walk, compute_136_qmd_va[i], compute_136_qmds[i], NV_QMD_DWORDS);
    for (size_t i = 0; i < sizeof compute_136_segments / sizeof compute_136_segments[0]; i++)
        walk_segment(walk, compute_136_segments[i].va, compute_136_segments[i].dwords,
                     compute_136_segments[i].dword_count);
}

/* Counts of a second decoder for the same recording: 1707 methods in all, none without a name. */
/* First and last chips of each generation, and those that stand alone, with their channel and copy
 * classes: chipsets of nouveau's nvkm/engine/device/base.c, architectures and implementations of
 * open-gpu-kernel-modules' nv_arch.h (Ampere to Blackwell), classes of open-gpu-doc classes/host
 * and classes/dma-copy. */
static const struct {
    uint32_t chipset;
    uint16_t host_class, copy_class;
} chip_classes[] = {
    {0x0bf, 0, 0},           {0x0c0, 0x906f, 0},      {0x0d9, 0x906f, 0},
    {0x0da, 0, 0},           {0x0e3, 0, 0},           {0x0e4, 0xa06f, 0xa0b5},
    {0x0e7, 0xa06f, 0xa0b5}, {0x0e8, 0, 0},           {0x0ef, 0, 0},
    {0x0f0, 0xa16f, 0xa0b5}, {0x108, 0xa16f, 0xa0b5}, {0x109, 0, 0},
    {0x116, 0, 0},           {0x117, 0xb06f, 0xb0b5}, {0x12b, 0xb06f, 0xb0b5},
    {0x12c, 0, 0},           {0x12f, 0, 0},           {0x130, 0xc06f, 0xc0b5},
    {0x131, 0, 0},           {0x132, 0xc06f, 0xc1b5}, {0x138, 0xc06f, 0xc1b5},
    {0x139, 0, 0},           {0x13a, 0, 0},           {0x13b, 0xc06f, 0xc0b5},
    {0x13c, 0, 0},           {0x13f, 0, 0},           {0x140, 0xc36f, 0xc3b5},
    {0x14b, 0xc36f, 0xc3b5}, {0x14c, 0, 0},           {0x161, 0, 0},
    {0x162, 0xc46f, 0xc5b5}, {0x168, 0xc46f, 0xc5b5}, {0x169, 0, 0},
    {0x16f, 0, 0},           {0x170, 0xc56f, 0xc6b5}, {0x171, 0, 0},
    {0x172, 0xc56f, 0xc7b5}, {0x177, 0xc56f, 0xc7b5}, {0x178, 0, 0},
    {0x17a, 0, 0},           {0x17b, 0xc76f, 0xc7b5}, {0x17c, 0, 0},
    {0x17f, 0, 0},           {0x180, 0xc86f, 0xc8b5}, {0x181, 0, 0},
    {0x191, 0, 0},           {0x192, 0xc56f, 0xc7b5}, {0x197, 0xc56f, 0xc7b5},
    {0x198, 0, 0},           {0x19f, 0, 0},           {0x1a0, 0xc96f, 0xc9b5},
    {0x1a4, 0xc96f, 0xc9b5}, {0x1a5, 0, 0},           {0x1aa, 0, 0},
    {0x1ab, 0xc96f, 0xc9b5}, {0x1ac, 0, 0},           {0x1b1, 0, 0},
    {0x1b2, 0xca6f, 0xcab5}, {0x1b7, 0xca6f, 0xcab5}, {0x1b8, 0, 0},
    {0x1ba, 0, 0},           {0x1bb, 0xca6f, 0xcab5}, {0x1bc, 0xca6f, 0xcab5},
    {0x1bd, 0, 0},
};

START_TEST(each_chip_has_the_classes_of_its_generation)
{
    for (size_t i = 0; i < sizeof chip_classes / sizeof chip_classes[0]; i++) {
        const struct nv_decode_chip chip = nv_decode_chip(chip_classes[i].chipset);

        ck_assert_msg(chip.host_class == chip_classes[i].host_class &&
                          chip.copy_class == chip_classes[i].copy_class,
                      "%03x: %04x %04x", chip_classes[i].chipset, chip.host_class, chip.copy_class);
    }
}
END_TEST

START_TEST(the_recorded_program_has_the_known_methods_of_each_class)
{
    static const uint32_t expected[NV_DECODE_SUBCHANNELS] = {794, 286, 604, 10, 12, 0, 0, 1};
    static const uint16_t classes[NV_DECODE_SUBCHANNELS] = {0xc197, 0xc1c0, 0xa140, 0x902d,
                                                            0xc1b5, 0,      0,      0x906e};
    struct walk *walk = walk_new();

    walk_recorded(walk);
    ck_assert_mem_eq(walk->methods, expected, sizeof expected);
    ck_assert_mem_eq(walk->decode.class_id, classes, sizeof classes);
    ck_assert_uint_eq(walk->unnamed, 0);
    ck_assert_uint_eq(walk->unreadable, 0);
    walk_free(walk);
}
END_TEST

START_TEST(the_recorded_program_launches_its_two_grids)
{
    static const uint32_t grids[2][3] = {{5, 3, 2}, {7, 1, 1}};
    static const uint32_t block[3] = {32, 4, 2};
    struct walk *walk = walk_new();

    walk_recorded(walk);
    ck_assert_uint_eq(walk->grid_count, 2);
    ck_assert_uint_eq(walk->grid_va[0], 0x102e40000);
    ck_assert_uint_eq(walk->grid_va[1], 0x102e40200);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_mem_eq(walk->grids[i].grid, grids[i], sizeof grids[i]);
        ck_assert_mem_eq(walk->grids[i].block, block, sizeof block);
        ck_assert_uint_eq(walk->grids[i].shared_bytes, 1024);
        ck_assert_uint_eq(walk->grids[i].registers, 8);
    }
    walk_free(walk);
}
END_TEST

/* One dword a segment: every header is parted from its data.  Nothing may change. */
START_TEST(cutting_the_stream_into_single_dwords_changes_nothing)
{
    struct walk *walk = walk_new(), *whole = walk_new();

    walk_recorded(whole);
    for (size_t i = 0; i < 2; i++)
        walk_put(walk, compute_136_qmd_va[i], compute_136_qmds[i], NV_QMD_DWORDS);
    for (size_t i = 0; i < sizeof compute_136_segments / sizeof compute_136_segments[0]; i++) {
        const struct compute_136_segment *segment = &compute_136_segments[i];

        for (uint32_t d = 0; d < segment->dword_count; d++)
            walk_segment(walk, segment->va + 4ull * d, &segment->dwords[d], 1);
    }
    ck_assert_mem_eq(walk->methods, whole->methods, sizeof walk->methods);
    ck_assert_mem_eq(walk->grids[0].grid, whole->grids[0].grid, sizeof walk->grids[0].grid);
    ck_assert_mem_eq(walk->grids[1].grid, whole->grids[1].grid, sizeof walk->grids[1].grid);
    ck_assert_uint_eq(walk->grid_count, 2);
    walk_free(walk);
    walk_free(whole);
}
END_TEST

START_TEST(each_header_type_gives_its_methods)
{
    struct walk *walk = walk_new();

    WALK(walk, 0x1000, 0, header(NV_HEADER_ONE_INC, 0, 0x114, 3), 7, 8, 9,
         header(NV_HEADER_IMMD, 4, 0x300, 0x186), header(NV_HEADER_NON_INC, 6, 0x500, 1), 5);
    static const struct {
        enum nv_decode_kind kind;
        uint16_t class_id, method;
        uint32_t data;
    } expected[] = {
        {NV_DECODE_HEADER, 0, 0, 0},
        {NV_DECODE_HEADER, 0, 0x114, 0},
        {NV_DECODE_METHOD, 0, 0x114, 7},
        {NV_DECODE_METHOD, 0, 0x118, 8},
        {NV_DECODE_METHOD, 0, 0x118, 9},
        {NV_DECODE_HEADER, 0xc1b5, 0x300, 0},
        {NV_DECODE_METHOD, 0xc1b5, 0x300, 0x186},
        {NV_DECODE_HEADER, 0, 0x500, 0},
        {NV_DECODE_METHOD, 0, 0x500, 5},
    };

    ck_assert_uint_eq(walk->item_count, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < walk->item_count; i++) {
        ck_assert_int_eq(walk->items[i].kind, expected[i].kind);
        ck_assert_uint_eq(walk->items[i].class_id, expected[i].class_id);
        ck_assert_uint_eq(walk->items[i].method, expected[i].method);
        if (expected[i].kind == NV_DECODE_METHOD)
            ck_assert_uint_eq(walk->items[i].data, expected[i].data);
    }
    walk_free(walk);
}
END_TEST

START_TEST(nothing_is_read_behind_an_end_or_an_invalid_header)
{
    static const uint32_t stops[] = {0xe0000000, 0xc0000000};

    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        struct walk *walk = walk_new();

        WALK(walk, 0x1000, header(NV_HEADER_IMMD, 0, 0x100, 0), stops[i], 0x80000040, 0x80000041);
        ck_assert_uint_eq(walk->item_count, 4);
        ck_assert_int_eq(walk->items[3].kind, NV_DECODE_SKIPPED);
        ck_assert_uint_eq(walk->items[3].count, 2);
        ck_assert_uint_eq(walk->items[3].va, 0x1008);
        WALK(walk, 0x2000, 0x80000040); /* the next segment is read */
        ck_assert_uint_eq(walk->methods[0], 2);
        walk_free(walk);
    }
}
END_TEST

/* Two lines of 6 bytes, 16 apart: the second dword holds the end of one and the start of the other.
 */
START_TEST(inline_data_lands_line_by_line)
{
    struct walk *walk = walk_new();
    uint8_t bytes[24];
    static const uint8_t expected[24] = {
        0x11, 0x12, 0x13, 0x14, 0x15, 0x16, [16] = 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c};

    WALK(walk, 0x1000, header(NV_HEADER_INC, 2, 0, 1), 0xa140, header(NV_HEADER_INC, 2, 0x180, 5),
         6, 2, 1, 0x80000, 16, header(NV_HEADER_IMMD, 2, 0x1b0, 1),
         header(NV_HEADER_NON_INC, 2, 0x1b4, 4), 0x14131211, 0x18171615, 0x1c1b1a19, 0xffffffff);
    ck_assert(walk_read(walk, 0x100080000, bytes, sizeof bytes));
    ck_assert_mem_eq(bytes, expected, sizeof bytes);
    walk_free(walk);
}
END_TEST

/* Where block-linear data would land is not modelled; it must not land as if it were pitch. */
START_TEST(block_linear_data_goes_nowhere)
{
    struct walk *walk = walk_new();
    uint32_t word = 1;

    WALK(walk, 0x1000, header(NV_HEADER_INC, 2, 0, 1), 0xa140, header(NV_HEADER_INC, 2, 0x180, 4),
         4, 1, 0, 0x80000, header(NV_HEADER_IMMD, 2, 0x1b0, 0),
         header(NV_HEADER_NON_INC, 2, 0x1b4, 1), 0x14131211);
    ck_assert(walk_read(walk, 0x80000, &word, sizeof word));
    ck_assert_uint_eq(word, 0);
    walk_free(walk);
}
END_TEST

/* CUDA's way: address, then the descriptor's dwords as methods 0x320 and on, then the launch. */
START_TEST(a_descriptor_may_come_as_methods)
{
    struct walk *walk = walk_new();

    WALK(walk, 0x1000, header(NV_HEADER_INC, 1, 0, 1), 0xc1c0, header(NV_HEADER_INC, 1, 0x318, 2),
         0, 0x1234, header(NV_HEADER_INC, 1, 0x320 + 4 * 12, 3), 11, 12, 13,
         header(NV_HEADER_INC, 1, 0x320 + 4 * 18, 1), 64u << 16 | 0x21,
         header(NV_HEADER_INC, 1, 0x2b4, 1), 0x1234, header(NV_HEADER_IMMD, 1, 0x2bc, 1));
    ck_assert_uint_eq(walk->grid_count, 0); /* INVALIDATE alone schedules nothing */
    WALK(walk, 0x2000, header(NV_HEADER_IMMD, 1, 0x2bc, 2));
    ck_assert_uint_eq(walk->grid_count, 1);
    ck_assert_uint_eq(walk->grid_va[0], 0x123400);
    ck_assert_str_eq(walk->grids[0].layout->name, "V02_01");
    ck_assert_uint_eq(walk->grids[0].grid[0], 11);
    ck_assert_uint_eq(walk->grids[0].grid[2], 13);
    ck_assert_uint_eq(walk->grids[0].block[0], 64);
    walk_free(walk);
}
END_TEST

/* The class of a subchannel and a half-read header outlive the submission. */
START_TEST(state_is_kept_from_segment_to_segment)
{
    struct walk *walk = walk_new();

    WALK(walk, 0x1000, header(NV_HEADER_INC, 1, 0, 1));
    WALK(walk, 0x9000, 0xc1c0, header(NV_HEADER_INC, 1, 0x2b4, 1));
    WALK(walk, 0x5000, 0x80);
    ck_assert_uint_eq(walk->methods[1], 2);
    ck_assert_uint_eq(walk->decode.class_id[1], 0xc1c0);
    ck_assert_uint_eq(walk->decode.pcas_a[1], 0x80);
    walk_free(walk);
}
END_TEST

START_TEST(a_segment_outside_memory_is_reported_once)
{
    struct walk *walk = walk_new();

    nv_decode_segment(&walk->decode, NV_DECODE_MODELLED, (1ull << 40) - 4, 3);
    ck_assert_uint_eq(walk->item_count, 2);
    ck_assert_int_eq(walk->items[1].kind, NV_DECODE_UNREADABLE);
    ck_assert_int_eq(walk->items[1].origin, NV_DECODE_MODELLED);
    ck_assert_uint_eq(walk->items[1].count, 2);
    walk_free(walk);
}
END_TEST

/* The inputs that the fuzz target starts from. */
START_TEST(the_fuzz_corpus_is_walked)
{
    static const char *const names[] = {"kinds.bin", "launch.bin"};
    const char *srcdir = getenv("top_srcdir");

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t data[4096];
        char path[1024];

        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/nv_decode/%s", srcdir ? srcdir : ".",
                 names[i]);
        FILE *file = fopen(path, "rb");
        ck_assert_msg(file != NULL, "%s cannot be read", path);
        const size_t bytes = fread(data, 1, sizeof data, file);
        ck_assert_uint_gt(bytes, 0);
        ck_assert_int_eq(fuzz_nv_decode(data, bytes), 0);
        fclose(file);
    }
}
END_TEST

/* 200 streams of noise, half of them with headers that are likely; the same ones every time. */
START_TEST(noise_is_walked_without_losing_a_dword)
{
    static uint8_t data[2048];
    uint64_t state = 1;

    for (unsigned run = 0; run < 200; run++) {
        for (size_t i = 0; i < sizeof data; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            data[i] = (uint8_t)(state >> 56);
            if (run % 2 == 0 && i % 4 >= 2)
                data[i] = i % 4 == 2 ? data[i] & 7 : (uint8_t)(0x20 + 0x20 * (data[i] & 3));
        }
        ck_assert_int_eq(fuzz_nv_decode(data, sizeof data), 0);
    }
}
END_TEST

Suite *nv_decode_suite(void)
{
    Suite *suite = suite_create("nv_decode");
    TCase *tcase = tcase_create("recorded");

    tcase_add_test(tcase, each_chip_has_the_classes_of_its_generation);
    tcase_add_test(tcase, the_recorded_program_has_the_known_methods_of_each_class);
    tcase_add_test(tcase, the_recorded_program_launches_its_two_grids);
    tcase_add_test(tcase, cutting_the_stream_into_single_dwords_changes_nothing);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("small");
    tcase_add_test(tcase, each_header_type_gives_its_methods);
    tcase_add_test(tcase, nothing_is_read_behind_an_end_or_an_invalid_header);
    tcase_add_test(tcase, inline_data_lands_line_by_line);
    tcase_add_test(tcase, block_linear_data_goes_nowhere);
    tcase_add_test(tcase, a_descriptor_may_come_as_methods);
    tcase_add_test(tcase, state_is_kept_from_segment_to_segment);
    tcase_add_test(tcase, a_segment_outside_memory_is_reported_once);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("any bytes");
    tcase_add_test(tcase, the_fuzz_corpus_is_walked);
    tcase_add_test(tcase, noise_is_walked_without_losing_a_dword);
    suite_add_tcase(suite, tcase);
    return suite;
}
