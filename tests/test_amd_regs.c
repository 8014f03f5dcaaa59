/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/formats/amd_variants.h"
#include "tests/suites.h"

/* Dwords of the register BAR as a driver computes them: segment and offset of a header. */
/* PROMISE (amd): AMD's registers lie where the driver's headers say. */
START_TEST(registers_lie_where_the_drivers_headers_say)
{
    static const struct {
        uint32_t at, segment, offset, reset;
        const struct reg_list *list;
    } rows[] = {
        {GRBM_GFX_CNTL, 0x2000, 0x22, 0, &amd_grbm_list},
        {GRBM_GFX_INDEX, 0xa000, 0x2200, 0xe0000000, &amd_grbm_list},
        {SQ_CMD, 0x2000, 0x37b, 0, &amd_grbm_list},
        {CP_MEC_CNTL, 0x2000, 0x8d, 0x50000000, &amd_cp_list},
        {CP_IQ_WAIT_TIME2, 0x2000, 0x10b0, 0x40404040, &amd_cp_list},
        {RLC_CP_SCHEDULERS, 0xa000, 0x4caa, 0x58504840, &amd_cp_list},
        {CP_MQD_BASE_ADDR, 0x2000, 0x1245, 0, &amd_hqd_list},
        {CP_HQD_PQ_CONTROL, 0x2000, 0x1256, 0x308509, &amd_hqd_list},
        {CP_HQD_PERSISTENT_STATE, 0x2000, 0x1249, 0xbe05301, &amd_hqd_list},
        {CP_HQD_PQ_WPTR_HI, 0x2000, 0x127c, 0, &amd_hqd_list},
        {COMPUTE_DISPATCH_INITIATOR, 0x2000, 0xe00, 0, &amd_compute_list},
        {COMPUTE_STATIC_THREAD_MGMT_SE0, 0x2000, 0xe16, 0xffffffff, &amd_compute_list},
        {COMPUTE_STATIC_THREAD_MGMT_SE3, 0x2000, 0xe1a, 0xffffffff, &amd_compute_list},
        {COMPUTE_STATIC_THREAD_MGMT_SE4, 0x2000, 0xe25, 0xffffffff, &amd_compute_list},
        {COMPUTE_USER_DATA_0, 0x2000, 0xe40, 0, &amd_compute_list},
        {SPI_CSQ_WF_ACTIVE_COUNT_0, 0x2000, 0x4dc, 0, &amd_spi_list},
        {SPI_WCL_PIPE_PERCENT_CS0, 0x2000, 0x11c9, 0x7f, &amd_spi_list},
    };
    uint32_t index;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct reg_row *row = reg_find(rows[i].list, AMD_GFX9, rows[i].at, &index);

        ck_assert_uint_eq(rows[i].at, 4 * (rows[i].segment + rows[i].offset));
        ck_assert_ptr_nonnull(row);
        ck_assert_msg(row->reset == rows[i].reset, "%s", row->name);
    }
}
END_TEST

/* The base addresses, and numbers of registers, of vega20, arct and aldebaran in the driver's
 * headers. */
START_TEST(queues_of_sdma_lie_where_the_drivers_headers_say)
{
    static const struct {
        const char *chip;
        uint32_t engine, queue, at;
        uint32_t segment, offset;
    } rows[] = {
        {"radeon-vii", 0, 0, SDMA0_RLC0_RB_CNTL, 0x1260, 0x140},
        {"radeon-vii", 1, 0, SDMA0_RLC0_RB_CNTL, 0x1860, 0x140},
        {"radeon-vii", 1, 7, SDMA0_RLC0_MIDCMD_CNTL, 0x1860, 0x429},
        {"mi100", 0, 0, SDMA0_RLC0_RB_CNTL, 0x1260, 0x130},
        {"mi100", 1, 1, SDMA0_RLC0_RB_CNTL, 0x1860, 0x188},
        {"mi100", 2, 0, SDMA0_RLC0_RB_CNTL, 0x1e000, 0x130},
        {"mi100", 7, 0, SDMA0_RLC0_DOORBELL_OFFSET, 0x1f400, 0x15b},
        {"mi100", 0, 7, SDMA0_RLC0_MIDCMD_CNTL, 0x1260, 0x3e1},
        {"mi210", 0, 7, SDMA0_RLC0_RB_CNTL, 0x1260, 0x398},
        {"mi210", 1, 0, SDMA0_RLC0_RB_CNTL, 0x1260, 0x730},
        {"mi210", 4, 0, SDMA0_RLC0_RB_CNTL, 0x1260, 0x1d6d0},
        {"mi210", 0, 0, SDMA0_RLC0_MIDCMD_CNTL, 0x1260, 0x17b},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct amd_chip *chip = amd_chip_by_name(rows[i].chip);
        const struct amd_sdma_place *place = amd_sdma_place(amd_variant_of(chip->isa));
        uint32_t at = amd_sdma_place_offset(place, rows[i].queue, rows[i].at), index = 0;
        const struct reg_row *row = reg_find(place->list, amd_variant_of(chip->isa), at, &index);

        ck_assert_uint_eq(AMD_SDMA_BASE(rows[i].engine) + at,
                          4 * (rows[i].segment + rows[i].offset));
        ck_assert_ptr_nonnull(row);
        ck_assert_uint_eq(index, rows[i].queue);
        if (rows[i].at == SDMA0_RLC0_MIDCMD_CNTL)
            ck_assert_str_eq(row->name, "SDMA0_RLC0_MIDCMD_CNTL");
        else {
            ck_assert_uint_eq(amd_sdma_place_queue(place, &at), rows[i].queue);
            ck_assert_uint_eq(at, rows[i].at);
        }
    }
    ck_assert_ptr_null(
        reg_by_name(amd_sdma_place(amd_variant_of(amd_chip_by_name("mi100")->isa))->list,
                    AMD_GFX908, "SDMA0_RLC0_MIDCMD_DATA10"));
}
END_TEST

/* What KFD copies from an MQD, dword by dword; one of the 56 has no name. */
START_TEST(the_window_of_a_queue_slot_has_56_dwords)
{
    uint32_t index, unnamed = 0;

    ck_assert_uint_eq(CP_MQD_BASE_ADDR, AMD_HQD_BASE);
    ck_assert_uint_eq(CP_HQD_PQ_WPTR_HI, AMD_HQD_BASE + 4 * (AMD_HQD_DWORDS - 1));
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        unnamed += reg_find(&amd_hqd_list, AMD_GFX906, AMD_HQD_BASE + 4 * i, &index) == NULL;
    ck_assert_uint_eq(unnamed, 1);
    ck_assert_ptr_null(reg_find(&amd_hqd_list, AMD_GFX906, AMD_HQD_BASE + 4 * 16, &index));
    ck_assert_ptr_null(
        reg_find(&amd_hqd_list, AMD_GFX906, AMD_HQD_BASE + 4 * AMD_HQD_DWORDS, &index));
}
END_TEST

/* A queue of a HIP program on an MI308X, from the public dump of KFD's debugfs that facts name. */
START_TEST(fields_have_the_names_of_the_headers)
{
    char text[512];

    reg_format(&amd_hqd_list, AMD_GFX9, reg_by_name(&amd_hqd_list, AMD_GFX9, "CP_HQD_QUANTUM"), 0,
               0x111, text, sizeof text);
    ck_assert_str_eq(text, "CP_HQD_QUANTUM=00000111 QUANTUM_EN=1 QUANTUM_SCALE=1 "
                           "QUANTUM_DURATION=1 QUANTUM_ACTIVE=0");
    reg_format(&amd_hqd_list, AMD_GFX9,
               reg_by_name(&amd_hqd_list, AMD_GFX9, "CP_HQD_DEQUEUE_REQUEST"), 0, 0x3, text,
               sizeof text);
    ck_assert_ptr_nonnull(strstr(text, " DEQUEUE_REQ=3(SAVE_WAVES) "));
    ck_assert_uint_eq(REG_GET(0x1401c511, CP_HQD_PQ_CONTROL__QUEUE_SIZE), 0x11);
    ck_assert_uint_eq(REG_GET(0x60004022, CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET), 0x1008);
    ck_assert_uint_eq(REG_GET(0x00af0041, COMPUTE_PGM_RSRC1__VGPRS), 1);
}
END_TEST

START_TEST(vega_20_lacks_what_the_later_chips_have)
{
    const uint32_t vega20 = amd_variant_of(amd_chip_by_name("radeon-vii")->isa);
    const char *name = "COMPUTE_STATIC_THREAD_MGMT_SE4";

    ck_assert_uint_eq(vega20, AMD_GFX906);
    ck_assert_uint_eq(amd_variant_of(amd_chip_by_name("mi100")->isa), AMD_GFX908);
    ck_assert_uint_eq(amd_variant_of(amd_chip_by_name("mi210")->isa), AMD_GFX90A);
    ck_assert_ptr_null(reg_by_name(&amd_compute_list, vega20, name));
    ck_assert_ptr_nonnull(reg_by_name(&amd_compute_list, AMD_GFX908, name));
}
END_TEST

Suite *amd_regs_suite(void)
{
    Suite *suite = suite_create("amd_regs");
    TCase *lists = tcase_create("lists");

    tcase_add_test(lists, registers_lie_where_the_drivers_headers_say);
    tcase_add_test(lists, queues_of_sdma_lie_where_the_drivers_headers_say);
    tcase_add_test(lists, the_window_of_a_queue_slot_has_56_dwords);
    tcase_add_test(lists, fields_have_the_names_of_the_headers);
    tcase_add_test(lists, vega_20_lacks_what_the_later_chips_have);
    suite_add_tcase(suite, lists);
    return suite;
}
