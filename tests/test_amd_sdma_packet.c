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
    struct amd_reader reader = {dwords, sizeof dwords / sizeof dwords[0], 0};
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
        {0x00000111, 0, 5, "GCR"},
        {0x00000012, 0, 1, "UNKNOWN"},
        {0x00000901, 0, 1, "UNKNOWN"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dwords[20] = {rows[i].header, 0, 0, rows[i].third};
        struct amd_reader reader = {dwords, 20, 0};
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

Suite *amd_sdma_packet_suite(void)
{
    Suite *suite = suite_create("amd_sdma_packet");
    TCase *packets = tcase_create("packets");

    tcase_add_test(packets, a_recorded_copy_is_seven_packets);
    tcase_add_test(packets, lengths_are_those_of_the_drivers_header);
    suite_add_tcase(suite, packets);
    return suite;
}
