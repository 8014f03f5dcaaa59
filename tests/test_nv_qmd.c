/* SPDX-License-Identifier: MIT */
/* QMD layouts, against the descriptors that Mesa's drivers left in recorded memory. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_qmd.h"
#include "tests/suites.h"

/* Mesa 22.3.6 nouveau on GP106, an OpenGL compute program: glDispatchCompute(5, 3, 2), local size
 * 32 x 4 x 2, one shared array of 1024 bytes, one barrier.  Dwords not listed are 0. */
static const uint32_t nouveau_qmd[NV_QMD_DWORDS] = {
    [0x04] = 0x00000040, [0x08] = 0x0007f580, [0x0b] = 0x04014000, [0x0c] = 0x00000005,
    [0x0d] = 0x00000003, [0x0e] = 0x00000002, [0x11] = 0x00000400, [0x12] = 0x00200000,
    [0x13] = 0x00020004, [0x14] = 0x00000081, [0x1d] = 0x08000000, [0x1e] = 0x08000000,
    [0x1f] = 0x00000800, [0x20] = 0x002f0000, [0x21] = 0x80000001, [0x2e] = 0x00350000,
    [0x2f] = 0x04000001,
};

/* Mesa 25.0.7 NVK, the same kernel in Vulkan; it writes the version, 2.1. */
static const uint32_t nvk_qmd[NV_QMD_DWORDS] = {
    [0x04] = 0x00000040, [0x08] = 0x0000f600, [0x0b] = 0x04000000, [0x0c] = 0x00000005,
    [0x0d] = 0x00000003, [0x0e] = 0x00000002, [0x11] = 0x00000400, [0x12] = 0x00200021,
    [0x13] = 0x00020004, [0x14] = 0x00000003, [0x1d] = 0x08000000, [0x1e] = 0x11000000,
    [0x20] = 0xfff70000, [0x21] = 0x0400003e, [0x22] = 0xfffc5f00, [0x23] = 0x0080003e,
};

START_TEST(nouveaus_grid_is_decoded_though_its_version_is_0_0)
{
    struct nv_qmd qmd;

    ck_assert(nv_qmd_decode(0xc1c0, nouveau_qmd, &qmd));
    ck_assert_str_eq(qmd.layout->name, "V02_01");
    ck_assert_uint_eq(qmd.grid[0], 5);
    ck_assert_uint_eq(qmd.grid[1], 3);
    ck_assert_uint_eq(qmd.grid[2], 2);
    ck_assert_uint_eq(qmd.block[0], 32);
    ck_assert_uint_eq(qmd.block[1], 4);
    ck_assert_uint_eq(qmd.block[2], 2);
    ck_assert_uint_eq(qmd.shared_bytes, 1024);
    ck_assert_uint_eq(qmd.registers, 8);
    ck_assert_uint_eq(qmd.barriers, 1);
    ck_assert_uint_eq(qmd.local_low_bytes, 0);
    ck_assert_uint_eq(qmd.local_high_bytes, 0);
    ck_assert_uint_eq(qmd.crs_bytes, 0x800);
    ck_assert_uint_eq(qmd.program_offset, 0x7f580);
    ck_assert(!qmd.release[0].enable && !qmd.release[1].enable);
    ck_assert(qmd.constant_buffers[0].valid && qmd.constant_buffers[7].valid);
    ck_assert(!qmd.constant_buffers[1].valid);
    ck_assert_uint_eq(qmd.constant_buffers[0].address, 0x1002f0000);
    ck_assert_uint_eq(qmd.constant_buffers[0].bytes, 65536);
    ck_assert_uint_eq(qmd.constant_buffers[7].address, 0x100350000);
    ck_assert_uint_eq(qmd.constant_buffers[7].bytes, 2048);
}
END_TEST

/* The second launch of the same recording differs in the grid alone: 7 x 1 x 1. */
START_TEST(nouveaus_second_grid_is_decoded)
{
    uint32_t words[NV_QMD_DWORDS];
    struct nv_qmd qmd;

    memcpy(words, nouveau_qmd, sizeof words);
    words[0x0c] = 7;
    words[0x0d] = 1;
    words[0x0e] = 1;
    ck_assert(nv_qmd_decode(0xc1c0, words, &qmd));
    ck_assert_uint_eq(qmd.grid[0], 7);
    ck_assert_uint_eq(qmd.grid[1], 1);
    ck_assert_uint_eq(qmd.grid[2], 1);
    ck_assert_uint_eq(qmd.block[0] * qmd.block[1] * qmd.block[2], 256);
}
END_TEST

START_TEST(nvks_grid_is_decoded_by_its_version)
{
    struct nv_qmd qmd;

    ck_assert(nv_qmd_decode(0xc1c0, nvk_qmd, &qmd));
    ck_assert_str_eq(qmd.layout->name, "V02_01");
    ck_assert_uint_eq(qmd.grid[2], 2);
    ck_assert_uint_eq(qmd.registers, 17);
    ck_assert_uint_eq(qmd.crs_bytes, 0);
    ck_assert_uint_eq(qmd.constant_buffers[1].address, 0x3efffc5f00);
    ck_assert_uint_eq(qmd.constant_buffers[1].bytes, 256);
}
END_TEST

/* The same program on other chips, Mesa 22.3.6 nouveau: the first launch.  GM204 differs from GK104
 * in the program's address and size alone, TU106 from GV100 in nothing. */
static const uint32_t kepler_qmd[NV_QMD_DWORDS] = {
    [0x07] = 0xbc000000, [0x08] = 0x0007e780, [0x0b] = 0x04014000, [0x0c] = 0x00000005,
    [0x0d] = 0x00020003, [0x11] = 0x00000400, [0x12] = 0x00200000, [0x13] = 0x00020004,
    [0x14] = 0x20000081, [0x1d] = 0x002f0000, [0x1e] = 0x80000001, [0x2b] = 0x00350000,
    [0x2c] = 0x04000001, [0x2d] = 0x08000000, [0x2e] = 0x07000000, [0x2f] = 0x30000800,
};
static const uint32_t volta_qmd[NV_QMD_DWORDS] = {
    [0x04] = 0x00000040, [0x0b] = 0x04000000, [0x0c] = 0x00000005, [0x0d] = 0x00000003,
    [0x0e] = 0x00000002, [0x11] = 0x320c0400, [0x12] = 0x00200022, [0x13] = 0x00020004,
    [0x14] = 0x00060b81, [0x1d] = 0x08000000, [0x20] = 0x002f0000, [0x21] = 0x80000001,
    [0x2e] = 0x00350000, [0x2f] = 0x04000001, [0x30] = 0x0029fa00, [0x31] = 0x00000001,
};

static void check_same_launch(uint32_t class_id, const uint32_t words[NV_QMD_DWORDS],
                              const char *layout, uint32_t registers, uint64_t program)
{
    struct nv_qmd qmd;

    ck_assert(nv_qmd_decode(class_id, words, &qmd));
    ck_assert_str_eq(qmd.layout->name, layout);
    ck_assert_uint_eq(qmd.grid[0], 5);
    ck_assert_uint_eq(qmd.grid[1], 3);
    ck_assert_uint_eq(qmd.grid[2], 2);
    ck_assert_uint_eq(qmd.block[0], 32);
    ck_assert_uint_eq(qmd.block[1], 4);
    ck_assert_uint_eq(qmd.block[2], 2);
    ck_assert_uint_eq(qmd.shared_bytes, 1024);
    ck_assert_uint_eq(qmd.registers, registers);
    ck_assert_uint_eq(qmd.barriers, 1);
    ck_assert_uint_eq(qmd.program_offset, program);
    ck_assert_uint_eq(qmd.constant_buffers[0].address, 0x1002f0000);
    ck_assert_uint_eq(qmd.constant_buffers[0].bytes, 65536);
    ck_assert_uint_eq(qmd.constant_buffers[7].address, 0x100350000);
    ck_assert_uint_eq(qmd.constant_buffers[7].bytes, 2048);
}

/* PROMISE (nvidia): Descriptors of a launch are read in the layout of each generation. */
START_TEST(the_same_launch_on_other_generations_says_the_same)
{
    check_same_launch(0xa0c0, kepler_qmd, "V00_06", 7, 0x7e780);
    check_same_launch(0xb1c0, kepler_qmd, "V00_06", 7, 0x7e780);
    check_same_launch(0xc3c0, volta_qmd, "V02_02", 11, 0x10029fa00);
    check_same_launch(0xc5c0, volta_qmd, "V02_02", 11, 0x10029fa00);
}
END_TEST

/* NVK on a real TU116: 60 bytes of pushbuffer and this descriptor, as published with it (facts of
 * dwords 12 to 20; the others play no part).  24 registers stand in REGISTER_COUNT_V. */
/* PROMISE (nvidia): A descriptor that was sent to real Turing hardware is decoded. */
START_TEST(a_descriptor_of_real_turing_hardware_is_decoded)
{
    const uint32_t words[NV_QMD_DWORDS] = {
        [4] = 0x40,        [11] = 0x04000000, [12] = 1,          [13] = 1,          [14] = 1,
        [17] = 0x22240000, [18] = 0x00010022, [19] = 0x00010001, [20] = 0x00121803,
    };
    struct nv_qmd qmd;

    ck_assert(nv_qmd_decode(0xc5c0, words, &qmd));
    ck_assert_str_eq(qmd.layout->name, "V02_02");
    ck_assert_uint_eq(qmd.grid[0] + qmd.grid[1] + qmd.grid[2], 3);
    ck_assert_uint_eq(qmd.block[0] + qmd.block[1] + qmd.block[2], 3);
    ck_assert_uint_eq(qmd.registers, 24);
    ck_assert(qmd.constant_buffers[0].valid && qmd.constant_buffers[1].valid);
}
END_TEST

/* Version in bits 579:576, major in 583:580; what 0.0 is depends on the class. */
START_TEST(the_version_chooses_the_layout)
{
    static const struct {
        uint32_t class_id, major, minor;
        const char *name;
    } rows[] = {
        {0xc1c0, 1, 7, "V01_07"}, {0xc0c0, 2, 0, "V02_00"}, {0xc1c0, 2, 1, "V02_01"},
        {0xc0c0, 0, 0, "V02_01"}, {0xc1c0, 0, 0, "V02_01"}, {0xc3c0, 0, 0, NULL},
        {0xc1c0, 2, 2, NULL},     {0xc1c0, 0, 6, NULL},     {0xc1c0, 15, 15, NULL},
        {0xa0c0, 0, 0, "V00_06"}, {0xa0c0, 0, 6, "V00_06"}, {0xa0c0, 1, 6, "V01_06"},
        {0xa0c0, 1, 7, "V01_07"}, {0xa0c0, 2, 1, NULL},     {0xb1c0, 0, 0, "V00_06"},
        {0xb1c0, 1, 7, "V01_07"}, {0xb1c0, 1, 6, NULL},     {0xc3c0, 2, 2, "V02_02"},
        {0xc3c0, 2, 3, NULL},     {0xc5c0, 2, 2, "V02_02"}, {0xc5c0, 2, 3, "V02_03"},
        {0xc5c0, 0, 0, NULL},     {0xc6c0, 3, 0, "V03_00"}, {0xc6c0, 2, 4, "V02_04"},
        {0xc6c0, 2, 3, "V02_03"}, {0xc6c0, 2, 2, NULL},     {0xc6c0, 4, 0, NULL},
        {0xc7c0, 3, 0, "V03_00"}, {0xc9c0, 2, 4, "V02_04"}, {0xc9c0, 2, 3, NULL},
        {0xc9c0, 3, 0, "V03_00"}, {0xcbc0, 3, 0, "V03_00"}, {0xcbc0, 4, 0, "V04_00"},
        {0xcbc0, 2, 4, NULL},     {0xcbc0, 0, 0, NULL},     {0xcdc0, 4, 0, NULL},
        {0xa1c0, 1, 7, "V01_07"}, {0xa1c0, 1, 6, NULL},     {0xb0c0, 0, 0, "V00_06"},
        {0xc4c0, 2, 2, "V02_02"}, {0xcdc0, 4, 1, "V04_01"}, {0xcec0, 4, 1, "V04_01"},
        {0xcdc0, 5, 0, NULL},     {0x90c0, 2, 2, NULL},     {0xd0c0, 4, 1, "V04_01"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t words[NV_QMD_DWORDS] = {[18] = rows[i].major << 4 | rows[i].minor};
        const struct nv_qmd_layout *layout = nv_qmd_layout_of(rows[i].class_id, words);
        struct nv_qmd qmd;

        ck_assert_int_eq(nv_qmd_decode(rows[i].class_id, words, &qmd), rows[i].name != NULL);
        ck_assert_ptr_eq(qmd.layout, layout);
        if (rows[i].name == NULL)
            ck_assert_ptr_null(layout);
        else
            ck_assert_str_eq(layout->name, rows[i].name);
    }
}
END_TEST

/* V01_07 has the depth, the registers and the constant buffers elsewhere. */
START_TEST(the_old_layout_is_read_in_its_own_places)
{
    uint32_t words[NV_QMD_DWORDS] = {0};
    struct nv_qmd qmd;

    nv_qmd_bits_put(words, 583, 576, 0x17);
    nv_qmd_bits_put(words, 447, 432, 9);       /* grid z */
    nv_qmd_bits_put(words, 463, 448, 77);      /* grid z of the later layouts */
    nv_qmd_bits_put(words, 1503, 1496, 40);    /* registers */
    nv_qmd_bits_put(words, 1471, 1467, 3);     /* barriers */
    nv_qmd_bits_put(words, 1463, 1440, 0x120); /* local memory */
    nv_qmd_bits_put(words, 202, 202, 1);       /* release 0 */
    nv_qmd_bits_put(words, 767, 736, 0x89abcdef);
    nv_qmd_bits_put(words, 775, 768, 0x12);
    nv_qmd_bits_put(words, 799, 799, 1);
    nv_qmd_bits_put(words, 831, 800, 0x55aa55aa);
    nv_qmd_bits_put(words, 642, 642, 1); /* constant buffer 2 */
    nv_qmd_bits_put(words, 991 + 128, 975 + 128, 65536);
    ck_assert(nv_qmd_decode(0xc0c0, words, &qmd));
    ck_assert_uint_eq(qmd.grid[2], 9);
    ck_assert_uint_eq(qmd.registers, 40);
    ck_assert_uint_eq(qmd.barriers, 3);
    ck_assert_uint_eq(qmd.local_low_bytes, 0x120);
    ck_assert(qmd.release[0].enable && qmd.release[0].one_word);
    ck_assert_uint_eq(qmd.release[0].address, 0x1289abcdef);
    ck_assert_uint_eq(qmd.release[0].payload, 0x55aa55aa);
    ck_assert(!qmd.release[1].enable);
    ck_assert(qmd.constant_buffers[2].valid);
    ck_assert_uint_eq(qmd.constant_buffers[2].bytes, 65536);
}
END_TEST

/* From Ampere on, releases have other names and Hopper's whole descriptor other places. */
static void expect_launch(const struct nv_qmd *qmd)
{
    ck_assert_uint_eq(qmd->grid[0], 0x12345678);
    ck_assert_uint_eq(qmd->grid[1], 0x4321);
    ck_assert_uint_eq(qmd->grid[2], 0x2222);
    ck_assert_uint_eq(qmd->block[0], 1024);
    ck_assert_uint_eq(qmd->block[1], 2);
    ck_assert_uint_eq(qmd->block[2], 3);
    ck_assert_uint_eq(qmd->shared_bytes, 0x2c000);
    ck_assert_uint_eq(qmd->registers, 256);
    ck_assert_uint_eq(qmd->barriers, 5);
    ck_assert_uint_eq(qmd->local_low_bytes, 0x120);
    ck_assert_uint_eq(qmd->local_high_bytes, 0x340);
    ck_assert_uint_eq(qmd->crs_bytes, 0);
    ck_assert_uint_eq(qmd->program_offset, 0x1f00abcd00);
    ck_assert(qmd->release_sysmembar);
    ck_assert(!qmd->release[0].enable);
    ck_assert(qmd->release[1].enable && qmd->release[1].one_word);
    ck_assert(qmd->release[1].reduction_enable);
    ck_assert_uint_eq(qmd->release[1].reduction_op, 5);
    ck_assert_uint_eq(qmd->release[1].reduction_format, 1);
    ck_assert_uint_eq(qmd->release[1].address, 0x1289abcde0);
    ck_assert_uint_eq(qmd->release[1].payload, 0x55aa55aa);
    ck_assert(!qmd->constant_buffers[6].valid && qmd->constant_buffers[7].valid);
    ck_assert_uint_eq(qmd->constant_buffers[7].address, 0x1234567fc0);
    ck_assert_uint_eq(qmd->constant_buffers[7].bytes, 65536);
}

/* Places typed from clc6c0qmd.h and clcbc0qmd.h. */
START_TEST(amperes_and_hoppers_descriptors_are_read_in_their_own_places)
{
    static const struct {
        uint16_t v03_hi, v03_lo, v04_hi, v04_lo;
        uint32_t value;
    } fields[] = {
        {583, 576, 583, 576, 0}, /* the version, below */
        {415, 384, 1055, 1024, 0x12345678},
        {431, 416, 1071, 1056, 0x4321},
        {463, 448, 1103, 1088, 0x2222},
        {607, 592, 1167, 1152, 1024},
        {623, 608, 1183, 1168, 2},
        {639, 624, 1199, 1184, 3},
        {561, 544, 601, 584, 0x2c000},
        {656, 648, 1208, 1200, 256},
        {767, 763, 1215, 1211, 5},
        {759, 736, 535, 512, 0x120},
        {1623, 1600, 567, 544, 0x340},
        {1567, 1536, 1247, 1216, 0x00abcd00},
        {1584, 1568, 1272, 1248, 0x1f},
        {819, 819, 323, 323, 1}, /* membar of release 0 */
        {951, 951, 336, 336, 1}, /* release 1 */
        {959, 958, 338, 337, 1},
        {954, 954, 340, 340, 1},
        {950, 948, 343, 341, 5},
        {953, 952, 345, 344, 1},
        {927, 896, 799, 768, 0x89abcde0},
        {935, 928, 824, 800, 0x12},
        {991, 960, 863, 832, 0x55aa55aa},
        {647, 647, 444, 444, 1}, /* constant buffer 7 */
        {1535, 1523, 2047, 2035, 4096},
    };
    uint32_t v03[NV_QMD_DWORDS] = {0}, v04[NV_QMD_DWORDS] = {0};
    struct nv_qmd qmd;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        nv_qmd_bits_put(v03, fields[i].v03_hi, fields[i].v03_lo, fields[i].value);
        nv_qmd_bits_put(v04, fields[i].v04_hi, fields[i].v04_lo, fields[i].value);
    }
    nv_qmd_bits_put(v03, 583, 576, 0x30);
    nv_qmd_bits_put(v03, 1055 + 448, 1024 + 448, 0x34567fc0);
    nv_qmd_bits_put(v03, 1072 + 448, 1056 + 448, 0x12);
    nv_qmd_bits_put(v04, 583, 576, 0x40);
    nv_qmd_bits_put(v04, 1567 + 448, 1536 + 448, 0x1234567fc0 >> 6);
    ck_assert(nv_qmd_decode(0xc6c0, v03, &qmd));
    expect_launch(&qmd);
    ck_assert(nv_qmd_decode(0xcbc0, v03, &qmd));
    expect_launch(&qmd);
    ck_assert(nv_qmd_decode(0xcbc0, v04, &qmd));
    expect_launch(&qmd);
}
END_TEST

/* Places typed from clcdc0qmd.h: V05_00's, and those of V05_01's first sub-task. */
START_TEST(blackwells_descriptors_are_read_in_their_own_places_and_units)
{
    static const struct {
        uint16_t v00_hi, v00_lo, v01_hi, v01_lo;
        uint32_t value;
    } fields[] = {
        {1279, 1248, 1151, 1120, 0x12345678},
        {1295, 1280, 1167, 1152, 0x4321},
        {1327, 1312, 1183, 1168, 0x2222},
        {1103, 1088, 847, 832, 1024},
        {1119, 1104, 863, 848, 2},
        {1127, 1120, 871, 864, 3},
        {1162, 1152, 906, 896, 0x2c000 >> 7},
        {1136, 1128, 880, 872, 256},
        {1141, 1137, 885, 881, 5},
        {1199, 1184, 943, 928, 0x12},
        {1215, 1200, 959, 944, 0x34},
        {1055, 1024, 799, 768, 0xf00abcd0},
        {1076, 1056, 820, 800, 0x1},
        {291, 291, 291, 291, 1}, /* membar of release 0 */
    };
    uint32_t v00[NV_QMD_MAX_DWORDS] = {0}, v01[NV_QMD_MAX_DWORDS] = {0};
    struct nv_qmd qmd, first;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        nv_qmd_bits_put(v00, fields[i].v00_hi, fields[i].v00_lo, fields[i].value);
        nv_qmd_bits_put(v01, fields[i].v01_hi, fields[i].v01_lo, fields[i].value);
    }
    nv_qmd_bits_put(v00, 471, 464, 0x50);
    nv_qmd_bits_put(v01, 471, 464, 0x51);
    nv_qmd_bits_put(v00, 304, 304, 1); /* release 1 */
    nv_qmd_bits_put(v00, 306, 305, 1);
    nv_qmd_bits_put(v00, 308, 308, 1);
    nv_qmd_bits_put(v00, 311, 309, 5);
    nv_qmd_bits_put(v00, 313, 312, 1);
    nv_qmd_bits_put(v00, 799, 768, 0x89abcde0);
    nv_qmd_bits_put(v00, 824, 800, 0x12);
    nv_qmd_bits_put(v00, 863, 832, 0x55aa55aa);
    nv_qmd_bits_put(v00, 1884, 1884, 1); /* constant buffer 7 */
    nv_qmd_bits_put(v00, 1375 + 448, 1344 + 448, 0x1234567fc0 >> 6);
    nv_qmd_bits_put(v00, 1407 + 448, 1395 + 448, 4096);
    ck_assert(nv_qmd_decode(0xcdc0, v00, &qmd));
    ck_assert_str_eq(qmd.layout->name, "V05_00");
    expect_launch(&qmd);
    ck_assert(nv_qmd_decode(0xcec0, v01, &first));
    ck_assert_str_eq(first.layout->name, "V05_01");
    ck_assert_mem_eq(first.grid, qmd.grid, sizeof qmd.grid);
    ck_assert_mem_eq(first.block, qmd.block, sizeof qmd.block);
    ck_assert_uint_eq(first.shared_bytes, qmd.shared_bytes);
    ck_assert_uint_eq(first.registers, qmd.registers);
    ck_assert_uint_eq(first.barriers, qmd.barriers);
    ck_assert_uint_eq(first.local_low_bytes, qmd.local_low_bytes);
    ck_assert_uint_eq(first.local_high_bytes, qmd.local_high_bytes);
    ck_assert_uint_eq(first.program_offset, qmd.program_offset);
    ck_assert(first.release_sysmembar && !first.release[1].enable);
}
END_TEST

/* NVK's Volta descriptor, with V02_04's version: its launch stands in the same places. */
START_TEST(v02_04_says_the_same_as_v02_02)
{
    uint32_t words[NV_QMD_DWORDS];

    memcpy(words, volta_qmd, sizeof words);
    nv_qmd_bits_put(words, 583, 576, 0x24);
    check_same_launch(0xc6c0, words, "V02_04", 11, 0x10029fa00);
    check_same_launch(0xc9c0, words, "V02_04", 11, 0x10029fa00);
}
END_TEST

/* Counted with grep in cla0c0qmd.h, clc1c0qmd.h, clc3c0qmd.h, clc5c0qmd.h, clc6c0qmd.h, clcbc0qmd.h
 * and clcdc0qmd.h @c8607fe5: lines with MW( and lines with 0x of each version.  Less those that are
 * other names for the same bits: DEPENDENT_QMD_*(i) beside DEPENDENT_QMD0_* and 1 in V05_00 (154
 * and 131) and V05_01 (132 and 143), and SUB_TASK_CONSTANT_BANK_*(i,j) in V05_01. */
START_TEST(no_row_of_a_layout_is_missing)
{
    static const struct {
        const char *name;
        size_t fields, values;
    } rows[] = {{"V00_06", 113, 76},  {"V01_06", 120, 86},  {"V01_07", 120, 92},
                {"V02_00", 116, 81},  {"V02_01", 116, 81},  {"V02_02", 119, 79},
                {"V02_03", 121, 79},  {"V02_04", 129, 97},  {"V03_00", 139, 137},
                {"V04_00", 134, 103}, {"V04_01", 142, 103}, {"V05_00", 150, 123},
                {"V05_01", 122, 128}};

    ck_assert_uint_eq(nv_qmd_layout_count(), sizeof rows / sizeof rows[0]);
    ck_assert_ptr_null(nv_qmd_layout_at(nv_qmd_layout_count()));
    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_at(i);
        size_t fields = 0;

        for (size_t r = 0; r < layout->row_count; r++)
            fields += layout->rows[r].kind == NV_QMD_ROW_FIELD;
        ck_assert_str_eq(layout->name, rows[i].name);
        ck_assert_uint_eq(fields, rows[i].fields);
        ck_assert_uint_eq(layout->row_count - fields, rows[i].values);
    }
}
END_TEST

/* Also proves the array sizes: one element more and two fields would share bits. */
START_TEST(fields_are_at_most_a_word_and_never_overlap)
{
    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_at(i);
        uint32_t taken[NV_QMD_MAX_DWORDS] = {0};

        for (size_t r = 0; r < layout->row_count; r++) {
            const struct nv_qmd_row *row = &layout->rows[r];

            if (row->kind != NV_QMD_ROW_FIELD)
                continue;
            ck_assert_uint_le(row->lo, row->hi);
            ck_assert_uint_lt(row->hi - row->lo, 32);
            for (unsigned n = 0; n < row->count; n++) {
                const unsigned hi = row->hi + n * row->stride, lo = row->lo + n * row->stride;

                ck_assert_uint_lt(hi, 32 * layout->dwords);
                ck_assert_uint_eq(nv_qmd_bits(taken, hi, lo), 0);
                nv_qmd_bits_put(taken, hi, lo, UINT32_MAX);
            }
        }
    }
}
END_TEST

START_TEST(the_version_is_in_two_places_in_all_layouts)
{
    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const unsigned number = nv_qmd_layout_at(i)->major, at = number == 5 ? 464 : 576;
        const struct nv_qmd_row *minor =
            nv_qmd_find(nv_qmd_layout_at(i), number >= 4 ? "QMD_MINOR_VERSION" : "QMD_VERSION");
        const struct nv_qmd_row *major = nv_qmd_find(nv_qmd_layout_at(i), "QMD_MAJOR_VERSION");

        ck_assert_uint_eq(minor->hi, at + 3);
        ck_assert_uint_eq(minor->lo, at);
        ck_assert_uint_eq(major->hi, at + 7);
        ck_assert_uint_eq(major->lo, at + 4);
    }
    ck_assert_ptr_null(nv_qmd_find(nv_qmd_layout_at(0), "NO_SUCH_FIELD"));
}
END_TEST

/* Every place and width, across dword borders too, leaving the neighbours alone. */
START_TEST(bits_that_are_put_are_got_and_no_others_change)
{
    for (unsigned lo = 0; lo < 2048; lo += 7)
        for (unsigned width = 1; width <= 32 && lo + width <= 2048; width += 5) {
            const unsigned hi = lo + width - 1;
            const uint32_t all = UINT32_MAX >> (32 - width);
            uint32_t words[NV_QMD_DWORDS], expected[NV_QMD_DWORDS];

            memset(words, 0xff, sizeof words);
            memset(expected, 0xff, sizeof expected);
            for (unsigned bit = lo; bit <= hi; bit++)
                expected[bit / 32] &= ~(1u << bit % 32);
            nv_qmd_bits_put(words, hi, lo, 0);
            ck_assert_mem_eq(words, expected, sizeof words);
            ck_assert_uint_eq(nv_qmd_bits(words, hi, lo), 0);
            nv_qmd_bits_put(words, hi, lo, 0xa5a5a5a5);
            ck_assert_uint_eq(nv_qmd_bits(words, hi, lo), 0xa5a5a5a5 & all);
        }
}
END_TEST

/* What a listing shows of nouveau's descriptor, line by line. */
START_TEST(the_listing_has_every_field_that_is_not_zero)
{
    static const char *const lines[] = {
        "SM_GLOBAL_CACHING_ENABLE=1",
        "PROGRAM_OFFSET=0x7f580",
        "RELEASE_MEMBAR_TYPE=FE_SYSMEMBAR",
        "CWD_MEMBAR_TYPE=L1_SYSMEMBAR",
        "API_VISIBLE_CALL_LIMIT=NO_CHECK",
        "CTA_RASTER_WIDTH=5",
        "CTA_RASTER_HEIGHT=3",
        "CTA_RASTER_DEPTH=2",
        "SHARED_MEMORY_SIZE=1024",
        "CTA_THREAD_DIMENSION0=32",
        "CTA_THREAD_DIMENSION1=4",
        "CTA_THREAD_DIMENSION2=2",
        "CONSTANT_BUFFER_VALID(0)=TRUE",
        "CONSTANT_BUFFER_VALID(7)=TRUE",
        "BARRIER_COUNT=1",
        "REGISTER_COUNT=8",
        "SHADER_LOCAL_MEMORY_CRS_SIZE=2048",
        "CONSTANT_BUFFER_ADDR_LOWER(0)=0x2f0000",
        "CONSTANT_BUFFER_ADDR_LOWER(7)=0x350000",
        "CONSTANT_BUFFER_ADDR_UPPER(0)=0x1",
        "CONSTANT_BUFFER_ADDR_UPPER(7)=0x1",
        "CONSTANT_BUFFER_SIZE_SHIFTED4(0)=4096",
        "CONSTANT_BUFFER_SIZE_SHIFTED4(7)=128",
    };
    struct nv_qmd_item item = {0};
    size_t count = 0;

    while (nv_qmd_next(nv_qmd_layout_of(0xc1c0, nouveau_qmd), nouveau_qmd, &item)) {
        char text[128];

        ck_assert_uint_lt(count, sizeof lines / sizeof lines[0]);
        nv_qmd_item_format(&item, text, sizeof text);
        ck_assert_str_eq(text, lines[count]);
        count++;
    }
    ck_assert_uint_eq(count, sizeof lines / sizeof lines[0]);
}
END_TEST

/* open-gpu-doc clc1c0.h, clc6c0.h: before Ampere there is no method at 0x2c0. */
START_TEST(what_schedules_a_descriptor)
{
    ck_assert(nv_qmd_is_scheduled(0xa0c0, 0x2bc, 3));
    ck_assert(nv_qmd_is_scheduled(0xc5c0, 0x2bc, 2));
    ck_assert(!nv_qmd_is_scheduled(0xc5c0, 0x2bc, 1));
    ck_assert(!nv_qmd_is_scheduled(0xc5c0, 0x2b8, 3));
    ck_assert(!nv_qmd_is_scheduled(0xc5c0, 0x2c0, 2));
    ck_assert(nv_qmd_is_scheduled(0xcbc0, 0x2bc, 3));
    for (uint32_t action = 0; action < 16; action++) {
        const bool schedules =
            action == 2 || action == 3 || action == 9 || action == 10 || action == 11;

        ck_assert(nv_qmd_is_scheduled(0xc6c0, 0x2c0, action) == schedules);
        ck_assert(nv_qmd_is_scheduled(0xcbc0, 0x2c0, action | 0x3ffff0) == schedules);
    }
}
END_TEST

/* Bits of published headers: open-gpu-doc classes/compute/clc9c0qmd.h, QMDV03_00
 * SM_DISABLE_MASK_LOWER 703:672, _UPPER 735:704, _EXT_LOWER 377:372, _EXT_UPPER 380:379 (72 TPCs of
 * an AD102); clcbc0qmd.h, QMDV04_00 TPC_DISABLE_MASK(i) at 2432 + 32 i, which counts only with
 * TPC_DISABLE_MASK_VALID, bit 31 (libsmctrl.c: "An enable bit is also required"). */
START_TEST(masks_reach_tpcs_beyond_the_64th)
{
    uint32_t words[NV_QMD_MAX_DWORDS] = {[18] = 0x30};
    struct nv_qmd qmd;

    words[672 / 32] = 1u << 5;
    words[704 / 32] = 1u << 31;
    words[372 / 32] = 1u << 372 % 32 | 1u << 377 % 32 | 1u << 380 % 32;
    ck_assert(nv_qmd_decode(0xc9c0, words, &qmd));
    ck_assert_uint_eq(qmd.tpc_disable_mask.word[0], UINT64_C(1) << 63 | 1u << 5);
    ck_assert_uint_eq(qmd.tpc_disable_mask.word[1], 1u << 0 | 1u << 5 | 1u << 7);
    ck_assert(nv_qmd_decode(0xc6c0, words, &qmd)); /* Ampere's has no such bits */
    ck_assert_uint_eq(qmd.tpc_disable_mask.word[1], 0);
    memset(words, 0, sizeof words);
    words[18] = 0x40;
    for (uint32_t i = 0; i < 4; i++)
        words[2432 / 32 + i] = 1u << i;
    ck_assert(nv_qmd_decode(0xcbc0, words, &qmd));
    ck_assert(!mask128_any(&qmd.tpc_disable_mask));
    words[0] |= 1u << 31;
    ck_assert(nv_qmd_decode(0xcbc0, words, &qmd));
    ck_assert_uint_eq(qmd.tpc_disable_mask.word[0], UINT64_C(2) << 32 | 1);
    ck_assert_uint_eq(qmd.tpc_disable_mask.word[1], UINT64_C(8) << 32 | 4);
}
END_TEST

Suite *nv_qmd_suite(void)
{
    Suite *suite = suite_create("nv_qmd");
    TCase *tcase = tcase_create("decode");

    tcase_add_test(tcase, nouveaus_grid_is_decoded_though_its_version_is_0_0);
    tcase_add_test(tcase, nouveaus_second_grid_is_decoded);
    tcase_add_test(tcase, nvks_grid_is_decoded_by_its_version);
    tcase_add_test(tcase, the_same_launch_on_other_generations_says_the_same);
    tcase_add_test(tcase, a_descriptor_of_real_turing_hardware_is_decoded);
    tcase_add_test(tcase, the_version_chooses_the_layout);
    tcase_add_test(tcase, the_old_layout_is_read_in_its_own_places);
    tcase_add_test(tcase, amperes_and_hoppers_descriptors_are_read_in_their_own_places);
    tcase_add_test(tcase, blackwells_descriptors_are_read_in_their_own_places_and_units);
    tcase_add_test(tcase, v02_04_says_the_same_as_v02_02);
    tcase_add_test(tcase, the_listing_has_every_field_that_is_not_zero);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("layouts");
    tcase_add_test(tcase, no_row_of_a_layout_is_missing);
    tcase_add_test(tcase, fields_are_at_most_a_word_and_never_overlap);
    tcase_add_test(tcase, the_version_is_in_two_places_in_all_layouts);
    tcase_add_test(tcase, bits_that_are_put_are_got_and_no_others_change);
    tcase_add_test(tcase, what_schedules_a_descriptor);
    tcase_add_test(tcase, masks_reach_tpcs_beyond_the_64th);
    suite_add_tcase(suite, tcase);
    return suite;
}
