/* SPDX-License-Identifier: MIT */
/* What the copy engine, and Host in its stead, refuse; and what switches copies off. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "tests/copy_methods.h"
#include "tests/suites.h"

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static uint32_t lce(uint32_t offset)
{
    return machine_read32(check.machine, LCE0 + offset);
}

/* ---- what is refused ------------------------------------------------------------------------- */

#define TILE_IN(block, width, height, depth, layer, x, y)                                          \
    {                                                                                              \
        SURFACE(0x70c, block, width, height, depth, layer, x, y)                                   \
    }

/* A copy of two lines of 100 bytes, pitch 128, into a surface of 256 x 64, except for ... */
static const struct {
    uint32_t code, launch, dwords[8];
} bad_launches[] = {
    {NV_CE_LCE_LAUNCHERR_REPORT_2D_LAYER_EXCEEDS_DEPTH, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 2, 2, 0, 0)},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     PITCH_TO_TILED,
     {PB_INC(4, 0x40c, 1), DATA(TARGET + 256)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     PITCH_TO_TILED | ONE_WORD,
     {PB_INC(4, 0x244, 1), DATA(SEMAPHORE + 2)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     FOUR_WORDS,
     {PB_INC(4, 0x244, 1), DATA(SEMAPHORE + 8)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_MEM2MEM_RECT_OUT_OF_BOUNDS, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 1, 0, 157, 0)},
    {NV_CE_LCE_LAUNCHERR_REPORT_MEM2MEM_RECT_OUT_OF_BOUNDS, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 1, 0, 0, 63)},
    {NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 99, 128}},
    {NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_NEG_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), (uint32_t)-99, 128}},
    {NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 128, 0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_NEG_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 128, (uint32_t)-1}},
    {NV_CE_LCE_LAUNCHERR_REPORT_BAD_SRC_PIXEL_COMP_REF,
     PITCH_TO_PITCH | REMAP,
     {PB_INC(4, 0x708, 1), 0x20 | 1 << 20 | 1 << 24}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE,
     PITCH_TO_PITCH | REMAP,
     {PB_INC(4, 0x708, 1), 0x70 | 1 << 20 | 1 << 24}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 1, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 3 << 3, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 3 << 5, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE,
     PITCH_TO_PITCH | ONE_WORD | REDUCTION | 8 << 14,
     {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1060}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1600}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1001}},
};

static void submit_bad_launch(int index)
{
    uint32_t dwords[32] = {COPY(0, TARGET, 128, 128, 100, 2)};
    const uint32_t surface[] = {SURFACE(0x70c, 0, 256, 64, 1, 0, 0, 0)};
    const uint32_t semaphore[] = {SEMAPHORE_AT(SEMAPHORE, 9)};

    memcpy(dwords + 9, surface, sizeof surface);
    memcpy(dwords + 16, semaphore, sizeof semaphore);
    memcpy(dwords + 20, bad_launches[index].dwords, sizeof bad_launches[index].dwords);
    dwords[28] = PB_INC(4, 0x300, 1);
    dwords[29] = bad_launches[index].launch;
    check_machine_submit(&check, 0, dwords, 30);
}

/* PROMISE (nvidia): A copy that cannot be carried out raises LAUNCHERR. */
START_TEST(a_launch_that_cannot_be_raises_launcherr)
{
    submit_bad_launch(_i);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 0);
    ck_assert_uint_eq(
        event_nv_ce_launcherr_of(check_machine_event(&check, EVENT_NV_CE_LAUNCHERR, 0)).code,
        bad_launches[_i].code);
    ck_assert_uint_eq(lce(NV_CE_LCE_LAUNCHERR), bad_launches[_i].code);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 1 << NV_CE_LCE_INTR_STATUS_LAUNCHERR_LO);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
}
END_TEST

/* nv.ce.launch_checks: whatever it is, it does not stop the machine. */
START_TEST(or_the_engine_does_what_it_can)
{
    ck_assert(machine_set_choice(check.machine, "nv.ce.launch_checks", "ignore"));
    submit_bad_launch(_i);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CE_LAUNCHERR), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 1);
}
END_TEST

/* NV.CE_INTR: the good copy behind the bad one waits until the error is cleared. */
START_TEST(a_launch_error_holds_the_engine_until_it_is_cleared)
{
    submit_bad_launch(0);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 0);
    ck_assert_uint_eq(lce(NV_CE_LCE_STATUS), 1);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_NV_CE_INTR), 1);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_STATUS, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
    ck_assert_uint_eq(lce(NV_CE_LCE_STATUS), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
}
END_TEST

START_TEST(an_engine_without_a_pce_can_do_nothing)
{
    machine_write32(check.machine, NV_CE_BASE + NV_CE_PCE2LCE_CONFIG, 0x7777);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_LAUNCHERR), NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 1 << 2 | 1 << 3);
}
END_TEST

/* The 32-bit origins came with c1b5. */
START_TEST(gp100s_class_has_fewer_methods)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), 0xc0b5, PB_INC(4, 0x720, 1), 0, PB_INC(4, 0x74c, 1),
                 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(
        event_nv_pbdma_intr_of(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)).intr_bit,
        32 + 3);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40150), 0x74c);
}
END_TEST

START_TEST(fields_without_a_model_are_reported)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1),
                 LAUNCH(PITCH_TO_PITCH | 1 << (22 + _i)));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
}
END_TEST

/* ---- conditions ------------------------------------------------------------------------------ */

static const struct {
    uint32_t mode, first[2], second[2], copies;
} conditions[] = {
    {0, {1, 1}, {1, 1}, 0}, {1, {0, 0}, {1, 1}, 1}, {2, {0, 0}, {1, 1}, 0}, {2, {0, 8}, {0, 0}, 1},
    {3, {7, 8}, {7, 8}, 1}, {3, {7, 8}, {7, 9}, 0}, {4, {7, 8}, {7, 8}, 0}, {4, {7, 8}, {7, 9}, 1},
};

static void submit_conditional(uint32_t mode)
{
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), SEMAPHORE_AT(SEMAPHORE, 9),
                 PB_INC(4, 0x254, 3), 0, DATA(0x40), mode, LAUNCH(PITCH_TO_PITCH | ONE_WORD));
}

START_TEST(memory_can_switch_copies_off)
{
    for (uint32_t i = 0; i < 2; i++) {
        check_machine_poke(&check, CHECK_DATA + 0x40 + 4 * i, conditions[_i].first[i]);
        check_machine_poke(&check, CHECK_DATA + 0x50 + 4 * i, conditions[_i].second[i]);
    }
    submit_conditional(conditions[_i].mode);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET),
                      conditions[_i].copies ? 77 : 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 9);
    ck_assert_uint_eq(
        event_nv_ce_condition_of(check_machine_event(&check, EVENT_NV_CE_CONDITION, 0)).enabled,
        conditions[_i].copies);
}
END_TEST

START_TEST(a_launch_that_is_switched_off_may_leave_its_semaphore_out_too)
{
    ck_assert(machine_set_choice(check.machine, "nv.ce.render_disabled", "launch"));
    submit_conditional(0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 0);
}
END_TEST

/* The answer belongs to the channel: it goes into RAMFC with it. */
START_TEST(a_condition_follows_its_channel)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x25c, 1), 0);
    check_machine_run(&check);
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 1, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    CHECK_SUBMIT(&check, 0, COPY(0, BACK, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + BACK), 0);
}
END_TEST

/* And so does what it has written to the copy class. */
START_TEST(class_state_follows_its_channel)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), 0xc0b5, COPY(0, TARGET, 32, 32, 16, 1));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, COPY(0, BACK, 32, 32, 16, 1), PB_INC(4, 0x74c, 1), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    CHECK_SUBMIT(&check, 0, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + BACK), 0);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x74c, 1), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

static const struct {
    uint32_t mode, address, intr_1_bit;
} bad_conditions[] = {{5, DATA(0x40), 0}, {7, DATA(0x40), 0}, {2, DATA(0x44), 1}, {3, DATA(1), 1}};

START_TEST(host_refuses_a_condition_that_cannot_be)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x254, 3), 0, bad_conditions[_i].address,
                 bad_conditions[_i].mode);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_pbdma_intr_of(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)).intr_bit,
        32 + bad_conditions[_i].intr_1_bit);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40150), 0x25c);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40154), bad_conditions[_i].mode);
}
END_TEST

START_TEST(a_condition_without_a_page_faults)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x254, 3), 0, (uint32_t)END_OF_MEMORY - (_i ? 16 : 0),
                 _i ? 3 : 2);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        END_OF_MEMORY);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_ce_launch_suite(void)
{
    Suite *suite = suite_create("nv_ce_launch");
    TCase *tcase = tcase_create("refusals");
    const int bad = sizeof bad_launches / sizeof bad_launches[0];

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_launch_that_cannot_be_raises_launcherr, 0, bad);
    tcase_add_loop_test(tcase, or_the_engine_does_what_it_can, 0, bad);
    tcase_add_test(tcase, a_launch_error_holds_the_engine_until_it_is_cleared);
    tcase_add_test(tcase, an_engine_without_a_pce_can_do_nothing);
    tcase_add_test(tcase, gp100s_class_has_fewer_methods);
    tcase_add_loop_test(tcase, fields_without_a_model_are_reported, 0, 3);
    tcase_add_loop_test(tcase, memory_can_switch_copies_off, 0,
                        sizeof conditions / sizeof conditions[0]);
    tcase_add_test(tcase, a_launch_that_is_switched_off_may_leave_its_semaphore_out_too);
    tcase_add_test(tcase, a_condition_follows_its_channel);
    tcase_add_test(tcase, class_state_follows_its_channel);
    tcase_add_loop_test(tcase, host_refuses_a_condition_that_cannot_be, 0,
                        sizeof bad_conditions / sizeof bad_conditions[0]);
    tcase_add_loop_test(tcase, a_condition_without_a_page_faults, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
