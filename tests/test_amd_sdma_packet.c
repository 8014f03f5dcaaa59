/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_sdma_fields.h"
#include "devices/amd/formats/amd_sdma_packet.h"
#include "tests/suites.h"

/* What ROCr wrote for a copy of 1 MiB to the GPU, as it was recorded. */
START_TEST(a_recorded_copy_is_seven_packets)
{
    static const uint32_t dwords[] = {
        0x20d,      0xfb476540, 0x7f13,                                /* time stamp */
        8,          0,          0x80000000, 0,          0,          0, /* HDP flush */
        1,          1048575,    0,          0xf8500000, 0x7f12,     0xe6f00000, 0x7f12, /* copy */
        0x20d,      0xfb476560, 0x7f13, /* time stamp */
        0x5e00000a, 0xfb476508, 0x7f13,     0xffffffff, 0xffffffff, 0,          0,
        0,                                        /* signal - 1 */
        5,          0xfcc98638, 0x7f13,     0xc7, /* mailbox */
        6,          199,                          /* interrupt */
    };
    static const char *const names[] = {"TIMESTAMP_GET_GLOBAL",
                                        "HDP_FLUSH",
                                        "COPY_LINEAR",
                                        "TIMESTAMP_GET_GLOBAL",
                                        "ATOMIC",
                                        "FENCE",
                                        "TRAP"};
    struct amd_reader reader = {dwords, sizeof dwords / sizeof dwords[0], 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    for (uint32_t i = 0; i < 7; i++) {
        ck_assert(amd_sdma_next(&reader, &packet));
        ck_assert_str_eq(packet.name, names[i]);
        ck_assert_int_eq(packet.problem, AMD_SOUND);
    }
    ck_assert(!amd_sdma_next(&reader, &packet));
    ck_assert_uint_eq(amd_get(dwords + 9, AMD_SDMA_COPY_LINEAR_COUNT), 1048575);
    ck_assert_uint_eq(amd_get(dwords + 9, AMD_SDMA_COPY_LINEAR_SRC_ADDR), UINT64_C(0x7f12f8500000));
    ck_assert_uint_eq(amd_get(dwords + 9, AMD_SDMA_COPY_LINEAR_DST_ADDR), UINT64_C(0x7f12e6f00000));
    ck_assert_uint_eq(amd_get(dwords + 19, AMD_SDMA_ATOMIC_ATOMIC_OP), 47);
    ck_assert_uint_eq(amd_get(dwords, AMD_SDMA_TIMESTAMP_GET_GLOBAL_WRITE_ADDR),
                      UINT64_C(0x7f13fb476540));
    ck_assert_uint_eq(amd_get(dwords + 31, AMD_SDMA_TRAP_INT_CONTEXT), 199);
}
END_TEST

/* Op, sub-op, and how many dwords the packet has; by bit 27 a copy has two destinations. */
START_TEST(lengths_are_those_of_the_drivers_header)
{
    static const struct {
        uint32_t header, third, dwords;
        const char *name;
    } rows[] = {
        {0x00000000, 0, 1, "NOP"},
        {0x00050000, 0, 6, "NOP"},
        {0x00000001, 0, 7, "COPY_LINEAR"},
        {0x08000001, 0, 9, "COPY_BROADCAST_LINEAR"},
        {0x00000101, 0, 13, "COPY_TILED"},
        {0x08000101, 0, 16, "COPY_L2T_BROADCAST"},
        {0x00000401, 0, 13, "COPY_LINEAR_SUBWIN"},
        {0x00000002, 9, 14, "WRITE_UNTILED"},
        {0x00000004, 0, 6, "INDIRECT"},
        {0x80000008, 0, 6, "POLL_REGMEM"},
        {0x00000009, 0, 5, "COND_EXE"},
        {0x0000000b, 0, 5, "CONSTANT_FILL"},
        {0x0000000c, 0, 10, "WRITE_INCR"},
        {0x0000000e, 0, 3, "SRBM_WRITE"},
        {0x00000111, 0, 1, "UNKNOWN"},
        {0x00000010, 0, 2, "DUMMY_TRAP"},
        {0x00000012, 0, 1, "UNKNOWN"},
        {0x00000901, 0, 1, "UNKNOWN"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dwords[20] = {rows[i].header, 0, 0, rows[i].third};
        struct amd_reader reader = {dwords, 20, 0, AMD_GENERATION_GFX9};
        struct amd_packet packet;

        ck_assert(amd_sdma_next(&reader, &packet));
        ck_assert_str_eq(packet.name, rows[i].name);
        ck_assert_msg(packet.dword_count == rows[i].dwords, "%s has %u dwords", packet.name,
                      packet.dword_count);
        ck_assert_int_eq(packet.problem,
                         strcmp(packet.name, "UNKNOWN") == 0 ? AMD_UNKNOWN : AMD_SOUND);
    }
}
END_TEST

/* The same of navi10_sdma_pkt_open.h (SDMA 5), sdma_v6_0_0_pkt_open.h (6), and sdma_v7_0.c (7),
 * which writes eight dwords for a copy with CPV.  Bit 19 of a tiled copy is DCC, and it has
 * metadata then (mesa's radv_sdma.c). */
START_TEST(other_generations_have_other_lengths)
{
    static const struct {
        uint32_t header, dwords[3]; /* SDMA 5, 6, 7 */
        const char *name;
    } rows[] = {
        {0x00000001, {7, 7, 7}, "COPY_LINEAR"},
        {0x00080001, {7, 7, 8}, "COPY_LINEAR"},
        {0x08000001, {9, 9, 9}, "COPY_BROADCAST_LINEAR"},
        {0x00000601, {15, 15, 15}, "COPY_T2T"},
        {0x00080601, {18, 18, 18}, "COPY_T2T"},
        {0x00080501, {17, 17, 17}, "COPY_TILED_SUBWIN"},
        {0x00001101, {12, 13, 13}, "COPY_TILED_BC"},
        {0x00000010, {4, 4, 4}, "GPUVM_INV"},
        {0x00000011, {5, 5, 5}, "GCR_REQ"},
        {0x00000020, {2, 2, 2}, "DUMMY_TRAP"},
        {0x0000020c, {7, 8, 8}, "PTEPDE_RMW"},
        {0x00000002, {5, 5, 5}, "WRITE_UNTILED"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned v = 0; v < 3; v++) {
            const uint32_t dwords[20] = {rows[i].header};
            struct amd_reader reader = {dwords, 20, 0,
                                        (enum amd_generation)(AMD_GENERATION_GFX10 + v)};
            struct amd_packet packet;

            ck_assert(amd_sdma_next(&reader, &packet));
            ck_assert_str_eq(packet.name, rows[i].name);
            ck_assert_msg(packet.dword_count == rows[i].dwords[v], "%s of SDMA %u has %u dwords",
                          packet.name, 5 + v, packet.dword_count);
        }
}
END_TEST

static uint64_t value_of(enum amd_generation generation, const uint32_t *dwords, const char *name)
{
    struct amd_reader reader = {dwords, 20, 0, generation};
    struct amd_packet packet;

    ck_assert(amd_sdma_next(&reader, &packet));
    for (uint32_t i = 0; i < packet.layout->field_count; i++)
        if (strcmp(packet.layout->fields[i].name, name) == 0)
            return amd_get(dwords, packet.layout->fields[i].bits);
    return UINT64_MAX;
}

/* Masks and shifts typed from the headers: the count of a copy has 22 bits up to SDMA 5 and 30 from
 * 6 on; a fence's MTYPE (16, 3 bits) exists from 5 on, LLC_POLICY (26) from 6 on. */
START_TEST(other_generations_have_other_fields)
{
    static const uint32_t copy[20] = {1, 0x3fffffff}, fence[20] = {5u | 7u << 16 | 1u << 26};

    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX9, copy, "COUNT"), 0x3fffff);
    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX10, copy, "COUNT"), 0x3fffff);
    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX11, copy, "COUNT"), 0x3fffffff);
    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX12, copy, "COUNT"), 0x3fffffff);
    ck_assert(value_of(AMD_GENERATION_GFX9, fence, "MTYPE") == UINT64_MAX);
    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX10, fence, "MTYPE"), 7);
    ck_assert(value_of(AMD_GENERATION_GFX10, fence, "LLC_POLICY") == UINT64_MAX);
    ck_assert_uint_eq(value_of(AMD_GENERATION_GFX11, fence, "LLC_POLICY"), 1);
}
END_TEST

START_TEST(generations_have_names)
{
    ck_assert_int_eq(amd_generation_find("gfx9"), AMD_GENERATION_GFX9);
    ck_assert_int_eq(amd_generation_find("sdma4"), AMD_GENERATION_GFX9);
    ck_assert_int_eq(amd_generation_find("gfx12"), AMD_GENERATION_GFX12);
    ck_assert_int_eq(amd_generation_find("sdma6"), AMD_GENERATION_GFX11);
    ck_assert_int_eq(amd_generation_find("gfx8"), AMD_GENERATIONS);
    ck_assert_str_eq(amd_generation_name(AMD_GENERATION_GFX10), "gfx10");
}
END_TEST

Suite *amd_sdma_packet_suite(void)
{
    Suite *suite = suite_create("amd_sdma_packet");
    TCase *packets = tcase_create("packets");

    tcase_add_test(packets, a_recorded_copy_is_seven_packets);
    tcase_add_test(packets, lengths_are_those_of_the_drivers_header);
    tcase_add_test(packets, other_generations_have_other_lengths);
    tcase_add_test(packets, other_generations_have_other_fields);
    tcase_add_test(packets, generations_have_names);
    suite_add_tcase(suite, packets);
    return suite;
}
