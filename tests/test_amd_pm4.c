/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "tests/suites.h"

static struct amd_packet first(const uint32_t *dwords, uint32_t count)
{
    struct amd_reader reader = {dwords, count, 0, AMD_GENERATION_GFX9};
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

/* The items of a packet as "NAME=value", those that are 0 left out. */
struct shown {
    char text[512];
    size_t used;
};

static void take_shown(void *context, const struct amd_item *item)
{
    struct shown *shown = context;

    if (item->value == 0)
        return;
    shown->used +=
        (size_t)snprintf(shown->text + shown->used, sizeof shown->text - shown->used, "%s=%llx ",
                         item->kind == AMD_ITEM_RESERVED ? "RESERVED"
                         : item->name                    ? item->name
                                                         : "REG",
                         (unsigned long long)item->value);
}

static void expect_shown(enum amd_generation generation, const uint32_t *dwords, uint32_t count,
                         const char *name, const char *text)
{
    struct amd_reader reader = {dwords, count, 0, generation};
    struct shown shown = {.used = 0};
    struct amd_packet packet;

    ck_assert(amd_pm4_next(&reader, &packet));
    ck_assert_str_eq(packet.name, name);
    amd_packet_items(&packet, take_shown, &shown);
    ck_assert_msg(strcmp(shown.text, text) == 0, "%s: %s", amd_generation_name(generation),
                  shown.text);
}

/*
 * The fence that amdgpu writes on gfx10 (gfx_v10_0_ring_emit_fence() of torvalds/linux), by the
 * macros of nvd.h: RELEASE_MEM_GCR_SEQ 1 << 22, GL2_WB 1 << 21, GLM_INV 1 << 13, GLM_WB 1 << 12,
 * CACHE_POLICY(3) 3 << 25, EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) 0x14, EVENT_INDEX(5) 5 << 8. On
 * gfx9 the same bits are other caches' (soc15d.h: EOP_TCL1_VOL_ACTION_EN 1 << 12 and so on).
 */
START_TEST(a_release_means_other_caches_on_other_generations)
{
    static const uint32_t fence[8] = {
        0xc0064900, 1u << 22 | 1u << 21 | 1u << 13 | 1u << 12 | 3u << 25 | 0x14 | 5u << 8,
        2u << 29,   0x1000,
        0,          1,
        0,          0};
    static const uint32_t glk[8] = {0xc0064900, 1u << 24};

    expect_shown(AMD_GENERATION_GFX9, fence, 8, "RELEASE_MEM",
                 "EVENT_TYPE=14 EVENT_INDEX=5 TCL1_VOL_ACTION=1 TC_VOL_ACTION=1 TC_MD_ACTION=1 "
                 "CACHE_POLICY=3 DATA_SEL=2 ADDR=1000 DATA=1 RESERVED=400000 ");
    for (enum amd_generation g = AMD_GENERATION_GFX10; g < AMD_GENERATIONS; g++)
        expect_shown(g, fence, 8, "RELEASE_MEM",
                     "EVENT_TYPE=14 EVENT_INDEX=5 GLM_WB=1 GLM_INV=1 GL2_WB=1 SEQ=1 "
                     "CACHE_POLICY=3 DATA_SEL=2 ADDR=1000 DATA=1 ");
    /* mesa's pkt3.json: RELEASE_MEM_OP_gfx11 has GLK_WB, RELEASE_MEM_OP not. */
    expect_shown(AMD_GENERATION_GFX10, glk, 8, "RELEASE_MEM", "RESERVED=1000000 ");
    expect_shown(AMD_GENERATION_GFX11, glk, 8, "RELEASE_MEM", "GLK_WB=1 ");
    expect_shown(AMD_GENERATION_GFX12, glk, 8, "RELEASE_MEM", "GLK_WB=1 ");
}
END_TEST

/* nvd.h: GCR_CNTL is an eighth dword of ACQUIRE_MEM, GL2_WB 1 << 15, GLI_INV(1) 1; gfx_v9_0.c
 * writes seven.  VGT_EVENT_TYPE 0x36: vega10_enum.h THREAD_TRACE_FLUSH, navi10_enum.h
 * THREAD_TRACE_DRAW. */
START_TEST(each_generation_has_its_own_packets)
{
    static const uint32_t acquire[8] = {0xc0065800, 0, 0, 0, 0, 0, 10, 1u << 15 | 1};
    static const uint32_t event[2] = {0xc0004600, 0x36}, end[2] = {0xc0001700, 0};
    static const uint32_t sh[3] = {0xc0017600, 0x212, 1};
    struct amd_reader reader = {acquire, 8, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    ck_assert(amd_pm4_next(&reader, &packet));
    ck_assert_int_eq(packet.problem, AMD_LONG);
    reader = (struct amd_reader){acquire, 8, 0, AMD_GENERATION_GFX12};
    ck_assert(amd_pm4_next(&reader, &packet));
    ck_assert_int_eq(packet.problem, AMD_SOUND);
    expect_shown(AMD_GENERATION_GFX10, acquire, 8, "ACQUIRE_MEM",
                 "POLL_INTERVAL=a GLI_INV=1 GL2_WB=1 ");
    reader = (struct amd_reader){end, 2, 0, AMD_GENERATION_GFX9};
    ck_assert(amd_pm4_next(&reader, &packet));
    ck_assert_str_eq(packet.name, "UNKNOWN");
    reader = (struct amd_reader){end, 2, 0, AMD_GENERATION_GFX11};
    ck_assert(amd_pm4_next(&reader, &packet));
    ck_assert_str_eq(packet.name, "INDIRECT_BUFFER_END");
    for (enum amd_generation g = AMD_GENERATION_GFX9; g < AMD_GENERATIONS; g++) {
        reader = (struct amd_reader){event, 2, 0, g};
        ck_assert(amd_pm4_next(&reader, &packet));
        ck_assert_str_eq(amd_value_name(packet.layout->fields[0].values, 0x36),
                         g == AMD_GENERATION_GFX9 ? "THREAD_TRACE_FLUSH" : "THREAD_TRACE_DRAW");
    }
    /* Registers have gfx9's names on gfx9 alone. */
    expect_shown(AMD_GENERATION_GFX9, sh, 3, "SET_SH_REG", "OFFSET=212 COMPUTE_PGM_RSRC1=1 ");
    expect_shown(AMD_GENERATION_GFX10, sh, 3, "SET_SH_REG", "OFFSET=212 REG=1 ");
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
    tcase_add_test(packets, a_release_means_other_caches_on_other_generations);
    tcase_add_test(packets, each_generation_has_its_own_packets);
    suite_add_tcase(suite, packets);
    return suite;
}
