/* SPDX-License-Identifier: MIT */
/* The PBDMA decodes: headers become class state, masks stop methods, bad headers can be mended,
 * methods go to the engines of their runlist. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/nv_tables.h"
#include "tests/check_pbdma.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

/* ---- headers --------------------------------------------------------------------------------- */

START_TEST(an_incrementing_header_fills_consecutive_methods)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x188, 3), 11, 22, 33);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x190), 33);
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)).method_count,
        3);
}
END_TEST

START_TEST(a_non_incrementing_header_keeps_to_its_method)
{
    CHECK_SUBMIT(&check, 0, PB_NON_INC(1, 0x188, 3), 11, 22, 33);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 33);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
}
END_TEST

START_TEST(an_increment_once_header_moves_on_once)
{
    CHECK_SUBMIT(&check, 0, PB_ONE_INC(1, 0x188, 3), 11, 22, 33);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 33);
    ck_assert_uint_eq(shadow(1, 0x190), 0);
}
END_TEST

START_TEST(immediate_data_is_extended_with_zeroes)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x188, 1), UINT32_MAX, PB_IMMD(1, 0x188, 0x1fff));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 0x1fff);
}
END_TEST

START_TEST(the_old_headers_of_fermi_work_too)
{
    /* SEC_OP 0 and 2: 11 bits of count, byte address of the method in place. */
    CHECK_SUBMIT(&check, 0, 2u << 18 | 1u << 13 | 0x188, 11, 22,
                 2u << 29 | 2u << 18 | 1u << 13 | 0x198, 33, 44);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x198), 44);
    ck_assert_uint_eq(shadow(1, 0x19c), 0);
}
END_TEST

START_TEST(nothing_behind_the_end_of_a_segment_is_executed)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 1), PB_END_SEGMENT, PB_IMMD(1, 0x188, 2));
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x18c, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(shadow(1, 0x18c), 3);
}
END_TEST

/* PB_HEADER and PB_COUNT travel through RAMFC. */
START_TEST(a_channel_may_leave_between_a_header_and_its_data)
{
    const uint32_t both[] = {0, 1};

    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, both);
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x188, 3), 11);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x88) & 0x1fff, 2);
    CHECK_SUBMIT(&check, 1, PB_IMMD(1, 0x188, 99), PB_IMMD(1, 0x1a8, 98));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 0, 22, 33);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x190), 33);
    ck_assert_uint_eq(shadow(1, 0x1a8), 0);
}
END_TEST

/* Found by fuzzing: METHOD of PB_HEADER, which then names the next method, has no room for 0x4000.
 */
START_TEST(a_header_may_end_with_the_last_method)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x3ffc, 1), 5);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
}
END_TEST

START_TEST(a_header_that_runs_past_the_last_method_raises_pbentry)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x3ff8, 3), 1, 2, 3);
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
}
END_TEST

/* ---- what means nothing ---------------------------------------------------------------------- */

START_TEST(a_header_without_a_meaning_raises_pbentry)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 1), 6u << 29 | 1u << 16, PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(pbdma_reg(0x118), 6u << 29 | 1u << 16); /* HDR_SHADOW */
    ck_assert_uint_eq(pbdma_reg(0x88) & 0x1fff, 0);           /* PB_COUNT */
    ck_assert_uint_eq(shadow(1, 0x188), 1);
}
END_TEST

START_TEST(pbentry_comes_again_until_software_mends_the_header)
{
    CHECK_SUBMIT(&check, 0, 6u << 29, 22, PB_IMMD(1, 0x198, 3));
    check_machine_run(&check);
    clear_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert_uint_eq(pbdma_reg(0x108), 1u << INTR_PBENTRY);
    pbdma_write(0x84, 1u << 29 | 1u << 16 | 0x188); /* PB_HEADER: INC, subchannel 1 */
    pbdma_write(0x88, 1);                           /* PB_COUNT: one dword of data */
    clear_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(shadow(1, 0x188), 22);
    ck_assert_uint_eq(shadow(1, 0x198), 3);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_INTR), 0); /* no time */
}
END_TEST

/* NV.INTR: what waits while a bit is set is logged with the time. */
START_TEST(a_frozen_channel_waits_until_the_bit_is_cleared)
{
    const struct log_event *wait;
    gfe_ps frozen_ps;

    CHECK_SUBMIT(&check, 0, 6u << 29, PB_IMMD(1, 0x198, 3));
    check_machine_run(&check);
    frozen_ps = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->time_ps;
    check_machine_channel(&check, 2); /* time passes on another PBDMA */
    check_machine_runlist(&check, 5, 1, (const uint32_t[]){2});
    CHECK_SUBMIT(&check, 2, RELEASE(CHECK_DATA, 1));
    check_machine_run(&check);
    pbdma_write(0x88, 0);
    clear_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(shadow(1, 0x198), 3);
    wait = check_machine_event(&check, EVENT_WAIT, 0);
    for (uint32_t n = 0; wait && wait->rule != RULE_NV_INTR; n++)
        wait = check_machine_event(&check, EVENT_WAIT, n);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).begin_ps, frozen_ps);
    ck_assert_uint_gt(wait->time_ps, frozen_ps);
    check_machine_read_log(&check);
    golden_log_check(&check, "rule_nv_intr.events");
}
END_TEST

START_TEST(a_sequence_that_would_wrap_can_be_shortened)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x3ff8, 3), 1, 2, PB_IMMD(1, 0x188, 4));
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(pbdma_reg(0x84) & 0x3ffc, 0x3ff8); /* decoded */
    ck_assert_uint_eq(pbdma_reg(0x88) & 0x1fff, 3);
    pbdma_write(0x88, 2);
    clear_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(shadow(1, 0x3ff8), 1);
    ck_assert_uint_eq(shadow(1, 0x3ffc), 2);
    ck_assert_uint_eq(shadow(1, 0x188), 4);
}
END_TEST

/* ---- subdevice masks ------------------------------------------------------------------------- */

static void with_masks(void)
{
    check_machine_poke_vram(&check, RAMFC_SUBDEVICE, SUBDEVICE_1);
}

/* NV.SUBDEVICE */
START_TEST(a_mask_without_this_gpu_stops_methods_of_host_and_engines)
{
    with_masks();
    CHECK_SUBMIT(&check, 0, PB_SET_MASK(2u), PB_INC(1, 0x188, 2), 11, 22, RELEASE(CHECK_DATA, 1),
                 PB_IMMD(7, 0x600, 1), PB_SET_MASK(3u), PB_IMMD(1, 0x198, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
    ck_assert_uint_eq(shadow(1, 0x198), 3);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_SUBDEVICE, RULE_NV_SUBDEVICE), 2);
    golden_log_check(&check, "rule_nv_subdevice.events");
    ck_assert_uint_eq(
        event_nv_subdevice_of(check_machine_event(&check, EVENT_NV_SUBDEVICE, 0)).is_active, 0);
    ck_assert_uint_eq(
        event_nv_subdevice_of(check_machine_event(&check, EVENT_NV_SUBDEVICE, 1)).is_active, 1);
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)).method_count,
        1);
}
END_TEST

START_TEST(a_mask_goes_on_in_the_next_segment_and_through_ramfc)
{
    with_masks();
    CHECK_SUBMIT(&check, 0, PB_STORE_MASK(5u), PB_SET_MASK(2u));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_SUBDEVICE), 0x20050001);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 1), PB_USE_MASK, PB_IMMD(1, 0x18c, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert_uint_eq(shadow(1, 0x18c), 2);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_SUBDEVICE), 0x30050001);
}
END_TEST

START_TEST(a_mask_where_masks_are_disabled_raises_pbentry)
{
    CHECK_SUBMIT(&check, 0, PB_SET_MASK(1u), PB_IMMD(1, 0x188, 1));
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
    pbdma_write(0x88, 0);
    clear_interrupt(INTR_PBENTRY);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
}
END_TEST

/* ---- METHOD_CRC ------------------------------------------------------------------------------ */

static uint32_t crc_bytes(uint32_t value, uint64_t bytes, int count)
{
    for (int i = 0; i < count; i++) {
        value ^= (uint32_t)(bytes >> 8 * i & 0xff) << 24;
        for (int bit = 0; bit < 8; bit++)
            value = value & UINT32_C(0x80000000) ? value << 1 ^ UINT32_C(0x04c11db7) : value << 1;
    }
    return value;
}

static uint32_t crc_method(uint32_t value, uint64_t subchannel, uint64_t method, uint32_t data)
{
    return crc_bytes(value, data | method >> 2 << 32 | subchannel << 44, 6);
}

/* Private ones, those that are events, and the first one, behind which TARGET names the engine. */
START_TEST(method_crc_covers_what_is_sent_to_engines_and_nothing_else)
{
    uint32_t expected = crc_method(0, 1, 0, 0xc1c0);

    CHECK_SUBMIT(&check, 0, PB_INC(1, 0, 1), 0xc1c0, PB_NON_INC(1, 0x188, 2), 11, 22,
                 RELEASE(CHECK_DATA, 1), PB_IMMD(1, 0x110, 0), PB_ONE_INC(3, 0x200, 3), 5, 6, 7);
    check_machine_run(&check);
    expected = crc_method(crc_method(expected, 1, 0x188, 11), 1, 0x188, 22);
    expected = crc_method(expected, 1, 0x110, 0);
    expected = crc_method(crc_method(expected, 3, 0x200, 5), 3, 0x204, 6);
    expected = crc_method(expected, 3, 0x204, 7);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0xb0), expected);
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x7c, 1), expected, PB_IMMD(1, 0x188, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0xb0),
                      crc_method(0, 1, 0x188, 3));
}
END_TEST

/* ---- engines --------------------------------------------------------------------------------- */

enum { CHANNEL_2 = CHECK_INSTANCES + 0x2000, NVDEC0 = 3, LCE2 = 6 };

static void second_channel(uint32_t runlist_id)
{
    check_machine_channel(&check, 2);
    check_machine_runlist(&check, runlist_id, 1, (const uint32_t[]){2});
}

/* NV.SUBCHANNEL: runlist 1 is NVDEC0's, which is not modelled. */
START_TEST(without_graphics_every_subchannel_is_the_engine_of_the_runlist)
{
    const uint32_t s = (uint32_t)_i;
    uint32_t crc = crc_method(0, s, 0x188, 9);
    const struct log_event *event;

    second_channel(1);
    CHECK_SUBMIT(&check, 2, PB_IMMD(s, 0x188, 9), PB_INC(s, 0x18c, 2), 10, 11, PB_INC(s, 0, 1),
                 0xc1b5, RELEASE(CHECK_DATA, 1));
    check_machine_run(&check);
    event = check_machine_event(&check, EVENT_UNMODELLED, 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_unmodelled_of(event).what, UNMODELLED_ENGINE);
    ck_assert_uint_eq(event_unmodelled_of(event).address, NVDEC0 << 16 | 0x188);
    ck_assert_uint_eq(event_unmodelled_of(event).value, 9);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SET_OBJECT), 0);
    ck_assert_uint_eq(shadow(s % 4, 0x188), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHANNEL_2 + 0xac), NVDEC0); /* TARGET */
    crc = crc_method(crc_method(crc, s, 0x18c, 10), s, 0x190, 11);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHANNEL_2 + 0xb0),
                      crc_method(crc, s, 0, 0xc1b5));
}
END_TEST

START_TEST(without_graphics_the_context_of_the_graphics_engine_stays)
{
    uint32_t loads = 0;

    second_channel(5);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 2, PB_IMMD(1, 0x248, 9), RELEASE(CHECK_DATA, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    for (uint32_t i = 0; check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, i); i++)
        loads += event_nv_context_load_of(check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, i))
                     .engine_id == 0;
    ck_assert_uint_eq(loads, 1);
    ck_assert_uint_eq(shadow(1, 0x248), 0);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
}
END_TEST

/* On GP106 runlist 4 has none. */
START_TEST(a_method_for_an_engine_that_is_not_there_raises_device)
{
    second_channel(4);
    CHECK_SUBMIT(&check, 2, PB_IMMD(0, 0x188, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PBDMA_INTR, RULE_NV_DEVICE), 1);
    ck_assert_uint_eq(
        event_nv_pbdma_intr_of(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)).pbdma_id, 2);
    ck_assert_uint_eq(shadow(0, 0x188), 0);
}
END_TEST

/* gv100/dev_pbdma.ref.txt, TARGET: an engine that the runqueue does not serve.  31, software's,
 * stays until the first method. */
START_TEST(target_is_forced_to_an_engine_of_the_runlist)
{
    static const struct {
        uint32_t runlist_id, before, after;
    } targets[] = {{5, 0, LCE2}, {5, LCE2, LCE2}, {5, 31, 31}, {0, LCE2, 0},
                   {0, 2, 0},    {0, 1, 1},       {0, 0, 0},   {4, 0, 31}};
    const uint32_t others = 0x30000;

    check_machine_channel(&check, 2);
    check_machine_poke_vram(&check, CHANNEL_2 + 0xac, others | targets[_i].before);
    check_machine_runlist(&check, targets[_i].runlist_id, 1, (const uint32_t[]){2});
    CHECK_SUBMIT(&check, 2, PB_IMMD(0, 0x78, 0), RELEASE(CHECK_DATA, 1)); /* WFI */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHANNEL_2 + 0xac),
                      others | targets[_i].after);
}
END_TEST

/* Found by fuzzing: what the second channel's methods were depended on how far the first had come.
 */
START_TEST(two_runlists_at_once_make_the_same_log_however_batches_are_cut)
{
    static const uint32_t limits[] = {0, 1, 2, 7};
    char whole[65], cut[65];

    for (uint32_t i = 0; i < 4; i++) {
        check_machine_end(&check);
        check_machine_begin_channel(&check, false);
        check.machine->config.batch_limit = limits[i];
        second_channel(1);
        CHECK_SUBMIT(&check, 0, PB_NON_INC(0, 0x188, 3), 1, 2, 3, PB_INC(0, 0, 1),
                     0x2500); /* no such class */
        CHECK_SUBMIT(&check, 2, PB_NON_INC(0, 0x188, 6), 1, 2, 3, 4, 5, 6, PB_IMMD(0, 0x12c, 1),
                     PB_IMMD(0, 0x130, 1));
        check_machine_run(&check);
        check_machine_log_hash(check.machine, i == 0 ? whole : cut);
        ck_assert_msg(i == 0 || strcmp(whole, cut) == 0, "batch limit %u", limits[i]);
    }
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
}
END_TEST

Suite *nv_pbdma_method_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_method");
    TCase *tcase = tcase_create("headers");
    TCase *masks = tcase_create("masks");
    TCase *engines = tcase_create("engines");

    tcase_add_checked_fixture(tcase, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_checked_fixture(masks, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(tcase, an_incrementing_header_fills_consecutive_methods);
    tcase_add_test(tcase, a_non_incrementing_header_keeps_to_its_method);
    tcase_add_test(tcase, an_increment_once_header_moves_on_once);
    tcase_add_test(tcase, immediate_data_is_extended_with_zeroes);
    tcase_add_test(tcase, the_old_headers_of_fermi_work_too);
    tcase_add_test(tcase, nothing_behind_the_end_of_a_segment_is_executed);
    tcase_add_test(tcase, a_channel_may_leave_between_a_header_and_its_data);
    tcase_add_test(tcase, a_header_may_end_with_the_last_method);
    tcase_add_test(tcase, a_header_that_runs_past_the_last_method_raises_pbentry);
    tcase_add_test(tcase, a_header_without_a_meaning_raises_pbentry);
    tcase_add_test(tcase, pbentry_comes_again_until_software_mends_the_header);
    tcase_add_test(tcase, a_frozen_channel_waits_until_the_bit_is_cleared);
    tcase_add_test(tcase, a_sequence_that_would_wrap_can_be_shortened);
    suite_add_tcase(suite, tcase);
    tcase_add_test(masks, a_mask_without_this_gpu_stops_methods_of_host_and_engines);
    tcase_add_test(masks, a_mask_goes_on_in_the_next_segment_and_through_ramfc);
    tcase_add_test(masks, a_mask_where_masks_are_disabled_raises_pbentry);
    tcase_add_test(masks, method_crc_covers_what_is_sent_to_engines_and_nothing_else);
    suite_add_tcase(suite, masks);
    tcase_add_checked_fixture(engines, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_loop_test(engines, without_graphics_every_subchannel_is_the_engine_of_the_runlist, 0,
                        5);
    tcase_add_test(engines, without_graphics_the_context_of_the_graphics_engine_stays);
    tcase_add_test(engines, a_method_for_an_engine_that_is_not_there_raises_device);
    tcase_add_loop_test(engines, target_is_forced_to_an_engine_of_the_runlist, 0, 8);
    tcase_add_test(engines, two_runlists_at_once_make_the_same_log_however_batches_are_cut);
    suite_add_tcase(suite, engines);
    return suite;
}
