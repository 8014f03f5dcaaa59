/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_variants.h"
#include "tests/suites.h"

START_TEST(fields_lie_where_v9_structs_h_has_them)
{
    static const struct {
        uint32_t bits, dword;
    } rows[] = {
        {AMD_MQD_V9_COMPUTE_DISPATCH_INITIATOR, 1},
        {AMD_MQD_V9_COMPUTE_PGM_LO, 13},
        {AMD_MQD_V9_COMPUTE_PGM_RSRC1, 19},
        {AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE1, 24},
        {AMD_MQD_V9_COMPUTE_TMPRING_SIZE, 25},
        {AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE2, 26},
        {AMD_MQD_V9_COMPUTE_RELAUNCH, 35},
        {AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE7, 42},
        {AMD_MQD_V9_COMPUTE_USER_DATA_15, 80},
        {AMD_MQD_V9_CP_MQD_QUERY_TIME, 86},
        {AMD_MQD_V9_CP_MQD_READINDEX, 96},
        {AMD_MQD_V9_DISABLE_QUEUE, 106},
        {AMD_MQD_V9_CTX_SAVE_BASE_ADDR, 124},
        {AMD_MQD_V9_CP_HQD_ACTIVE, 130},
        {AMD_MQD_V9_CP_HQD_PQ_DOORBELL_CONTROL, 143},
        {AMD_MQD_V9_CP_HQD_PQ_CONTROL, 145},
        {AMD_MQD_V9_CP_MQD_CONTROL, 162},
        {AMD_MQD_V9_CP_HQD_EOP_CONTROL, 167},
        {AMD_MQD_V9_CP_HQD_AQL_CONTROL, 181},
        {AMD_MQD_V9_CP_HQD_PQ_WPTR_HI, 183},
        {AMD_MQD_V9_IQTIMER_PKT_HEADER, 192},
        {AMD_MQD_V9_SET_RESOURCES_HEADER, 228},
        {AMD_MQD_V9_QUEUE_DOORBELL_ID0, 240},
        {AMD_MQD_V9_QUEUE_DOORBELL_ID15, 255},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(AMD_BITS_FIRST(rows[i].bits) == rows[i].dword * 32, "row %zu", i);
}
END_TEST

/* KFD copies dwords 128 to 183 to the registers one by one: so do their names. */
START_TEST(the_window_of_a_slot_is_register_by_register)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < amd_mqd_layout.field_count; i++) {
        const struct amd_field *field = &amd_mqd_layout.fields[i];
        const uint32_t dword = AMD_BITS_FIRST(field->bits) / 32;

        if (dword < AMD_MQD_HQD || dword >= AMD_MQD_HQD + AMD_HQD_DWORDS)
            continue;
        ck_assert_msg(field->reg == AMD_HQD_BASE + 4 * (dword - AMD_MQD_HQD), "%s", field->name);
        count++;
    }
    ck_assert_uint_eq(count, AMD_HQD_DWORDS - 1);
}
END_TEST

/* The registers of a dispatch follow each other from COMPUTE_DISPATCH_INITIATOR on. */
START_TEST(compute_registers_follow_each_other)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < amd_mqd_layout.field_count; i++) {
        const struct amd_field *field = &amd_mqd_layout.fields[i];
        const uint32_t dword = AMD_BITS_FIRST(field->bits) / 32;

        if (!field->reg || dword > 37)
            continue;
        ck_assert_msg(field->reg == COMPUTE_DISPATCH_INITIATOR + 4 * (dword - 1), "%s",
                      field->name);
        count++;
    }
    ck_assert_uint_eq(count, 33);
}
END_TEST

START_TEST(an_mqd_without_its_header_is_said_to_be_none)
{
    uint32_t dwords[AMD_MQD_DWORDS] = {AMD_MQD_HEADER_V9};
    struct amd_reader reader = {dwords, AMD_MQD_DWORDS, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    ck_assert(amd_mqd_next(&reader, &packet));
    ck_assert_int_eq(packet.problem, AMD_SOUND);
    dwords[0] = 0;
    reader.at = 0;
    ck_assert(amd_mqd_next(&reader, &packet));
    ck_assert_int_eq(packet.problem, AMD_UNKNOWN);
    ck_assert_ptr_eq(packet.layout, &amd_mqd_layout);
    reader.at = 0;
    ck_assert(amd_hqd_next(&reader, &packet));
    ck_assert_uint_eq(packet.dword_count, AMD_HQD_DWORDS);
}
END_TEST

Suite *amd_mqd_suite(void)
{
    Suite *suite = suite_create("amd_mqd");
    TCase *mqds = tcase_create("MQDs");

    tcase_add_test(mqds, fields_lie_where_v9_structs_h_has_them);
    tcase_add_test(mqds, the_window_of_a_slot_is_register_by_register);
    tcase_add_test(mqds, compute_registers_follow_each_other);
    tcase_add_test(mqds, an_mqd_without_its_header_is_said_to_be_none);
    suite_add_tcase(suite, mqds);
    return suite;
}
