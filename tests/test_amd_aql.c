/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "tests/suites.h"

/* A dispatch that ROCr wrote into its third queue, as it was recorded. */
static const uint32_t dispatch[AMD_AQL_DWORDS] = {
    0x00011502, 0x00010040, 1,          0x00100000, 1, 1, 0,          0,
    0x4647c7c0, 0x7fde,     0x4645a000, 0x7fde,     0, 0, 0x46a87c80, 0x7fde};

static struct amd_packet first(const uint32_t *dwords)
{
    struct amd_reader reader = {dwords, AMD_AQL_DWORDS, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    ck_assert(amd_aql_next(&reader, &packet));
    return packet;
}

START_TEST(a_recorded_dispatch_has_all_its_fields)
{
    const struct amd_packet packet = first(dispatch);

    ck_assert_str_eq(packet.name, "KERNEL_DISPATCH");
    ck_assert_int_eq(packet.problem, AMD_SOUND);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_TYPE), AMD_AQL_TYPE_KERNEL_DISPATCH);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_BARRIER), 1);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_ACQUIRE), 2);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_RELEASE), 2);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_DIMENSIONS), 1);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_X), 64);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Y), 1);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Z), 1);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_X), 1048576);
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_KERNEL_OBJECT),
                      UINT64_C(0x7fde4647c7c0));
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_KERNARG_ADDRESS),
                      UINT64_C(0x7fde4645a000));
    ck_assert_uint_eq(amd_get(dispatch, AMD_AQL_KERNEL_DISPATCH_COMPLETION_SIGNAL),
                      UINT64_C(0x7fde46a87c80));
}
END_TEST

/* Field by field at the byte offsets of the struct in hsa.h. */
START_TEST(fields_lie_at_the_bytes_of_hsa_h)
{
    static const struct {
        uint32_t bits, byte;
    } rows[] = {
        {AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_X, 4},
        {AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Y, 6},
        {AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Z, 8},
        {AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_X, 12},
        {AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_Z, 20},
        {AMD_AQL_KERNEL_DISPATCH_PRIVATE_SEGMENT_SIZE, 24},
        {AMD_AQL_KERNEL_DISPATCH_GROUP_SEGMENT_SIZE, 28},
        {AMD_AQL_KERNEL_DISPATCH_KERNEL_OBJECT, 32},
        {AMD_AQL_KERNEL_DISPATCH_KERNARG_ADDRESS, 40},
        {AMD_AQL_KERNEL_DISPATCH_COMPLETION_SIGNAL, 56},
        {AMD_AQL_BARRIER_AND_DEP_SIGNAL0, 8},
        {AMD_AQL_BARRIER_AND_DEP_SIGNAL4, 40},
        {AMD_AQL_BARRIER_OR_COMPLETION_SIGNAL, 56},
        {AMD_AQL_AGENT_DISPATCH_TYPE, 2},
        {AMD_AQL_AGENT_DISPATCH_RETURN_ADDRESS, 8},
        {AMD_AQL_AGENT_DISPATCH_ARG3, 40},
        {AMD_AQL_PM4_IB_IB_JUMP_HEADER, 4},
        {AMD_AQL_PM4_IB_DW_CNT_REMAIN, 20},
        {AMD_AQL_BARRIER_VALUE_SIGNAL, 8},
        {AMD_AQL_BARRIER_VALUE_VALUE, 16},
        {AMD_AQL_BARRIER_VALUE_MASK, 24},
        {AMD_AQL_BARRIER_VALUE_CONDITION, 32},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(AMD_BITS_FIRST(rows[i].bits) == rows[i].byte * 8, "row %zu", i);
}
END_TEST

START_TEST(types_and_vendor_formats_have_names)
{
    static const struct {
        uint32_t header;
        const char *name;
        enum amd_problem problem;
    } rows[] = {
        {0x0000, "VENDOR", AMD_SOUND},
        {0x0001, "INVALID", AMD_SOUND},
        {0x0003, "BARRIER_AND", AMD_SOUND},
        {0x0004, "AGENT_DISPATCH", AMD_SOUND},
        {0x0105, "BARRIER_OR", AMD_SOUND},
        {0x10000, "AMD_PM4_IB", AMD_SOUND},
        {0x20000, "AMD_BARRIER_VALUE", AMD_SOUND},
        {0x30000, "VENDOR", AMD_SOUND},
        {0x0006, "UNKNOWN", AMD_UNKNOWN},
        {0x00ff, "UNKNOWN", AMD_UNKNOWN},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dwords[AMD_AQL_DWORDS] = {rows[i].header};
        const struct amd_packet packet = first(dwords);

        ck_assert_str_eq(packet.name, rows[i].name);
        ck_assert_int_eq(packet.problem, rows[i].problem);
        ck_assert_uint_eq(packet.dword_count, AMD_AQL_DWORDS);
    }
}
END_TEST

Suite *amd_aql_suite(void)
{
    Suite *suite = suite_create("amd_aql");
    TCase *packets = tcase_create("packets");

    tcase_add_test(packets, a_recorded_dispatch_has_all_its_fields);
    tcase_add_test(packets, fields_lie_at_the_bytes_of_hsa_h);
    tcase_add_test(packets, types_and_vendor_formats_have_names);
    suite_add_tcase(suite, packets);
    return suite;
}
