/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "tests/suites.h"

static struct amd_packet first(const uint32_t *dwords, uint32_t count)
{
    struct amd_reader reader = {dwords, count, 0};
    struct amd_packet packet;

    ck_assert(amd_pm4_next(&reader, &packet));
    return packet;
}

/* The indirect buffer that ROCr runs after it has loaded code, as it was recorded. */
START_TEST(rocrs_invalidation_of_the_code_cache)
{
    static const uint32_t dwords[] = {0xc0055800, 0x28840000, 0xffffffff, 0xff, 0, 0, 0};
    const struct amd_packet packet = first(dwords, 7);

    ck_assert_str_eq(packet.name, "ACQUIRE_MEM");
    ck_assert_int_eq(packet.problem, AMD_SOUND);
    ck_assert_uint_eq(amd_get(dwords, AMD_PM4_ACQUIRE_MEM_TC_WB_ACTION), 1);
    ck_assert_uint_eq(amd_get(dwords, AMD_PM4_ACQUIRE_MEM_TC_ACTION), 1);
    ck_assert_uint_eq(amd_get(dwords, AMD_PM4_ACQUIRE_MEM_SH_KCACHE_ACTION), 1);
    ck_assert_uint_eq(amd_get(dwords, AMD_PM4_ACQUIRE_MEM_SH_ICACHE_ACTION), 1);
    ck_assert_uint_eq(amd_get(dwords, AMD_PM4_ACQUIRE_MEM_COHER_SIZE), UINT64_C(0xffffffffff));
}
END_TEST

/* Built by the constants, a packet has the bits that the driver's macros give it. */
START_TEST(packets_are_built_as_drivers_build_them)
{
    uint32_t map[7] = {AMD_PM4_HEADER(AMD_PM4_MAP_QUEUES, 7)};
    uint32_t run[4] = {AMD_PM4_HEADER(AMD_PM4_RUN_LIST, 4)};
    uint32_t release[8] = {AMD_PM4_HEADER(AMD_PM4_RELEASE_MEM, 8)};

    amd_put(map, AMD_PM4_MAP_QUEUES_QUEUE_SEL, 1);
    amd_put(map, AMD_PM4_MAP_QUEUES_ENGINE_SEL, 2);
    amd_put(map, AMD_PM4_MAP_QUEUES_NUM_QUEUES, 1);
    amd_put(map, AMD_PM4_MAP_QUEUES_DOORBELL_OFFSET, 0x1008);
    amd_put(map, AMD_PM4_MAP_QUEUES_WPTR_ADDR, UINT64_C(0x7fc786db8038));
    ck_assert_uint_eq(map[0], 0xc005a200);
    ck_assert_uint_eq(map[1], 1u << 4 | 2u << 26 | 1u << 29);
    ck_assert_uint_eq(map[2], 0x1008u << 2);
    ck_assert_uint_eq(map[5], 0x86db8038);
    ck_assert_uint_eq(map[6], 0x7fc7);
    amd_put(run, AMD_PM4_RUN_LIST_IB_BASE, UINT64_C(0x7f00a0001000));
    amd_put(run, AMD_PM4_RUN_LIST_IB_SIZE, 100);
    amd_put(run, AMD_PM4_RUN_LIST_CHAIN, 1);
    amd_put(run, AMD_PM4_RUN_LIST_VALID, 1);
    amd_put(run, AMD_PM4_RUN_LIST_PROCESS_CNT, 1);
    ck_assert_uint_eq(run[1], 0xa0001000);
    ck_assert_uint_eq(run[2], 0x7f00);
    ck_assert_uint_eq(run[3], 100 | 1u << 20 | 1u << 23 | 1u << 24);
    amd_put(release, AMD_PM4_RELEASE_MEM_EVENT_TYPE, 0x14);
    amd_put(release, AMD_PM4_RELEASE_MEM_EVENT_INDEX, 5);
    amd_put(release, AMD_PM4_RELEASE_MEM_DATA_SEL, 2);
    amd_put(release, AMD_PM4_RELEASE_MEM_INT_SEL, 2);
    ck_assert_uint_eq(release[1], 0x514);
    ck_assert_uint_eq(release[2], 2u << 29 | 2u << 24);
}
END_TEST

START_TEST(one_opcode_has_several_forms)
{
    static const uint32_t poll_register[7] = {0xc0053c00, 0x03, 0x22, 0, 1, 1, 4};
    static const uint32_t poll_memory[7] = {0xc0053c00, 0x13, 0x1000, 0, 1, 1, 4};
    static const uint32_t mi200[21] = {0xc013a100};
    static const uint32_t vega[16] = {0xc00ea100};

    ck_assert_ptr_ne(first(poll_register, 7).layout, first(poll_memory, 7).layout);
    ck_assert_uint_eq(amd_get(poll_register, AMD_PM4_WAIT_REG_MEM_REG_REG), 0x22);
    ck_assert_uint_eq(amd_get(poll_memory, AMD_PM4_WAIT_REG_MEM_POLL_ADDR), 0x1000);
    ck_assert_uint_eq(first(mi200, 21).layout->max_dwords, 21);
    ck_assert_uint_eq(first(vega, 16).layout->max_dwords, 16);
    ck_assert_int_eq(first(vega, 16).problem, AMD_SOUND);
}
END_TEST

START_TEST(what_is_no_packet_has_a_name_too)
{
    static const struct {
        uint32_t header;
        const char *name;
        enum amd_problem problem;
        uint32_t dwords;
    } rows[] = {
        {0x80000000, "TYPE2", AMD_SOUND, 1},
        {0x40000000, "TYPE1", AMD_UNKNOWN, 1},
        {0x00000c00, "TYPE0", AMD_SOUND, 2},
        {0xffff1000, "NOP", AMD_SOUND, 1},
        {0xc0001000, "NOP", AMD_SOUND, 2},
        {0xc0006e00, "UNKNOWN", AMD_UNKNOWN, 2},
        {0xc0002400, "DRAW_INDIRECT", AMD_SOUND, 2},
        {0xc0011500, "DISPATCH_DIRECT", AMD_SHORT, 3},
        {0xc0041500, "DISPATCH_DIRECT", AMD_LONG, 6},
        {0xc0101500, "DISPATCH_DIRECT", AMD_TRUNCATED, 8},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dwords[8] = {rows[i].header};
        const struct amd_packet packet = first(dwords, 8);

        ck_assert_str_eq(packet.name, rows[i].name);
        ck_assert_msg(packet.problem == rows[i].problem, "%s", packet.name);
        ck_assert_uint_eq(packet.dword_count, rows[i].dwords);
    }
}
END_TEST

struct registers {
    uint32_t count, offsets[4];
    const char *names[4];
};

static void take_register(void *context, const struct amd_item *item)
{
    struct registers *registers = context;

    if (item->kind == AMD_ITEM_REGISTER && registers->count < 4) {
        registers->offsets[registers->count] = item->reg;
        registers->names[registers->count++] = item->name;
    }
}

/* Each of the spaces begins elsewhere; what no list has is told by its address. */
START_TEST(registers_that_are_set_have_their_names)
{
    static const uint32_t sh[5] = {0xc0037600, 0x216, 1, 2, 3}, config[3] = {0xc0016800, 4, 1},
                          uconfig[3] = {0xc0017900, 0x200, 1}, unknown[3] = {0xc0016900, 1, 1};
    struct registers registers = {0};
    struct amd_packet packet = first(sh, 5);

    amd_packet_items(&packet, take_register, &registers);
    ck_assert_uint_eq(registers.count, 3);
    ck_assert_str_eq(registers.names[0], "COMPUTE_STATIC_THREAD_MGMT_SE0");
    ck_assert_str_eq(registers.names[1], "COMPUTE_STATIC_THREAD_MGMT_SE1");
    ck_assert_str_eq(registers.names[2], "COMPUTE_TMPRING_SIZE");
    registers.count = 0;
    packet = first(config, 3);
    amd_packet_items(&packet, take_register, &registers);
    ck_assert_str_eq(registers.names[0], "GRBM_STATUS");
    registers.count = 0;
    packet = first(uconfig, 3);
    amd_packet_items(&packet, take_register, &registers);
    ck_assert_str_eq(registers.names[0], "GRBM_GFX_INDEX");
    registers.count = 0;
    packet = first(unknown, 3);
    amd_packet_items(&packet, take_register, &registers);
    ck_assert_ptr_null(registers.names[0]);
    ck_assert_uint_eq(registers.offsets[0], 4 * (0xa000 + 1));
}
END_TEST

Suite *amd_pm4_suite(void)
{
    Suite *suite = suite_create("amd_pm4");
    TCase *packets = tcase_create("packets");

    tcase_add_test(packets, rocrs_invalidation_of_the_code_cache);
    tcase_add_test(packets, packets_are_built_as_drivers_build_them);
    tcase_add_test(packets, one_opcode_has_several_forms);
    tcase_add_test(packets, what_is_no_packet_has_a_name_too);
    tcase_add_test(packets, registers_that_are_set_have_their_names);
    suite_add_tcase(suite, packets);
    return suite;
}
