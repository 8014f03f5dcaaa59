/* SPDX-License-Identifier: MIT */
/* The PBDMA processes GP entries: control entries and CRCs, conditions, subroutines, and what is
 * wrong. */
/* PROMISE (nvidia): GP entries: control entries, conditional segments, subroutines, GP_CRC,
 * PB_CRC, and each error with its recovery. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "devices/nvidia/nv_tables.h"
#include "tests/check_pbdma.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

START_TEST(control_entries_of_opcode_nop_do_nothing)
{
    check_machine_entry(&check, 0, 0, 0, false);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
}
END_TEST

START_TEST(a_segment_past_the_end_of_the_address_space_raises_gpentry)
{
    check_machine_entry(&check, 0, 0xfffffff8, 0xff | 2u << 10, true);
    check_machine_run(&check);
    expect_interrupt(INTR_GPENTRY);
}
END_TEST

START_TEST(the_ring_wraps_round)
{
    for (uint32_t i = 0; i < 3 * CHECK_RING_ENTRIES; i++) {
        CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, i));
        check_machine_run(&check);
        ck_assert_uint_eq(shadow(1, 0x188), i);
    }
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_USERD + 0x88), check.put[0]);
}
END_TEST

/* B.T1 does not matter here, NV.ORDER does. */
START_TEST(entries_are_taken_in_the_order_of_the_ring)
{
    const uint32_t a[] = {RELEASE(CHECK_DATA, 1)}, b[] = {RELEASE(CHECK_DATA, 2)};
    const uint64_t at_a = check_machine_dwords(&check, 0, a, 5);
    const uint64_t at_b = check_machine_dwords(&check, 0, b, 5);

    check_machine_segment(&check, 0, at_b, 5, false);
    check_machine_segment(&check, 0, at_a, 5, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_GP_FETCH, RULE_NV_ORDER), 2);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).value,
                      2);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 1)).value,
                      1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
}
END_TEST

/* ---- what is wrong --------------------------------------------------------------------------- */

START_TEST(an_illegal_entry_raises_gpentry_and_is_discarded)
{
    check_machine_entry(&check, 0, 0, 1, false);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 7));
    ring_and_run();
    expect_interrupt(INTR_GPENTRY);
    ck_assert_uint_eq(pbdma_reg(0x114), 1); /* GP_SHADOW_1 */
    ck_assert_uint_eq(pbdma_reg(0x14), 1);  /* GP_GET: committed */
    ck_assert_uint_eq(pbdma_reg(0x74), 0);  /* GP_CRC: not updated */
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    clear_interrupt(INTR_GPENTRY);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

START_TEST(gp_put_beyond_the_ring_raises_gpptr_until_it_is_mended)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    check.put[0] = CHECK_RING_ENTRIES;
    ring_and_run();
    expect_interrupt(INTR_GPPTR);
    clear_interrupt(INTR_GPPTR);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    check.put[0] = 1;
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 8));
    check_machine_run(&check);
    clear_interrupt(INTR_GPPTR);
    ck_assert_uint_eq(shadow(1, 0x188), 8);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
}
END_TEST

START_TEST(a_ring_across_the_end_of_the_address_space_raises_gpfifo)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x48, 0xffffff80);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x4c, 0xff | 5u << 16);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_interrupt(INTR_GPFIFO);
    pbdma_write(0x48, (uint32_t)CHECK_RING(0));
    pbdma_write(0x4c, 5u << 16);
    clear_interrupt(INTR_GPFIFO);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
}
END_TEST

START_TEST(a_ramfc_without_signature_waits_for_one)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x10, 0xfacf);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_interrupt(INTR_SIGNATURE);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    pbdma_write(0x10, 0xc06f); /* the class of Pascal's Host is as good as 0xface */
    clear_interrupt(INTR_SIGNATURE);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
}
END_TEST

START_TEST(get_beyond_put_raises_pbptr)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x18, 8); /* GET; PUT is 0 */
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_interrupt(INTR_PBPTR);
    pbdma_write(0x18, 0);
    clear_interrupt(INTR_PBPTR);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
}
END_TEST

START_TEST(a_write_to_a_register_in_use_raises_pri)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    while (check.gpu->pbdmas[0].state->phase != NV_PBDMA_FETCH)
        ck_assert(machine_step(check.machine));
    pbdma_write(0x28, 5); /* REF */
    check_machine_run(&check);
    expect_interrupt(INTR_PRI);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    pbdma_write(0x28, 6); /* frozen: no harm */
    clear_interrupt(INTR_PRI);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

/* The channel is not in its segment yet: it waits again for the engine, and begins then. */
START_TEST(pri_while_a_loading_channel_waits_for_its_engine_is_no_step_ahead)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    while (check.gpu->pbdmas[0].state->phase != NV_PBDMA_BLOCKED)
        ck_assert(machine_step(check.machine));
    ck_assert_uint_eq(check.gpu->pbdmas[0].state->in_segment, 0);
    pbdma_write(0x28, 5); /* REF */
    ck_assert(machine_run(check.machine, machine_now(check.machine) + 1));
    ck_assert_uint_eq(pbdma_reg(0x108), 1u << INTR_PRI);
    clear_interrupt(INTR_PRI);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SEGMENT_END), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

/* ---- CRCs ------------------------------------------------------------------------------------ */

static uint32_t crc_words(uint32_t value, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < 4 * count; i++) {
        value ^= (words[i / 4] >> 8 * (i % 4) & 0xff) << 24;
        for (int bit = 0; bit < 8; bit++)
            value = value & UINT32_C(0x80000000) ? value << 1 ^ UINT32_C(0x04c11db7) : value << 1;
    }
    return value;
}

/* Of an entry as it stands in the ring. */
static uint32_t crc_entry(uint32_t value, uint32_t index)
{
    uint32_t words[2];

    check_machine_fetch(&check, CHECK_RING(0) + 8 * (uint64_t)index, words, sizeof words);
    return crc_words(value, words, 2);
}

enum { CONTROL_GP_CRC = 2, CONTROL_PB_CRC = 3 };

START_TEST(gp_crc_is_compared_with_the_entries_before_and_cleared)
{
    uint32_t crc;

    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 1));
    check_machine_entry(&check, 0, 0x1234, 0, false); /* NOP */
    crc = crc_entry(crc_entry(0, 0), 1);
    check_machine_entry(&check, 0, crc, CONTROL_GP_CRC, false);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 2));
    check_machine_entry(&check, 0, crc_entry(0, 3), CONTROL_GP_CRC, false);
    ring_and_run();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x74), 0);
}
END_TEST

START_TEST(a_wrong_gp_crc_raises_gpcrc_and_goes_on_when_cleared)
{
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 1));
    check_machine_entry(&check, 0, 1, CONTROL_GP_CRC, false);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 2));
    ring_and_run();
    expect_interrupt(INTR_GPCRC);
    ck_assert_uint_eq(pbdma_reg(0x74), 0);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    clear_interrupt(INTR_GPCRC);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

START_TEST(pb_crc_is_that_of_the_segment_before)
{
    const uint32_t first[] = {PB_INC(1, 0x188, 2), 0x12345678, 0x9abcdef0, PB_IMMD(1, 0x198, 3)};
    const uint32_t second[] = {PB_IMMD(1, 0x188, 7)};

    put_segment(first, 4, 0, 0);
    check_machine_entry(&check, 0, crc_words(0, first, 4), CONTROL_PB_CRC, false);
    put_segment(second, 1, 0, 0);
    check_machine_entry(&check, 0, crc_words(0, second, 1), CONTROL_PB_CRC, false);
    check_machine_entry(&check, 0, crc_words(0, first, 4), CONTROL_PB_CRC, false);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 8));
    ring_and_run();
    expect_interrupt(INTR_PBCRC); /* the last of them */
    ck_assert_uint_eq(pbdma_reg(0x14), 5);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    clear_interrupt(INTR_PBCRC);
    ck_assert_uint_eq(shadow(1, 0x188), 8);
}
END_TEST

/* The register is right at any time, also of a segment that is read in several pieces. */
START_TEST(pb_crc_covers_long_segments_and_can_be_read_on_the_way)
{
    enum { COUNT = 5000, STOP = 4000 };
    uint32_t *dwords = calloc(COUNT, sizeof *dwords);

    ck_assert_ptr_nonnull(dwords);
    for (uint32_t i = 0; i < COUNT; i++)
        dwords[i] = PB_IMMD(1, 0x188, i & 0x1fff);
    dwords[STOP] = PB_IMMD(0, 0x04, 0);
    put_segment(dwords, COUNT, 0, 0);
    check_machine_entry(&check, 0, crc_words(0, dwords, COUNT), CONTROL_PB_CRC, false);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x18c, 9));
    ring_and_run();
    expect_interrupt(INTR_METHOD);
    ck_assert_uint_eq(pbdma_reg(0x98), crc_words(0, dwords, STOP + 1));
    ck_assert_uint_eq(pbdma_reg(0x98), crc_words(0, dwords, STOP + 1));
    pbdma_write(0xc0, 0x80000008); /* NOP */
    clear_interrupt(INTR_METHOD);
    free(dwords);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(shadow(1, 0x18c), 9);
}
END_TEST

/* ---- conditions ------------------------------------------------------------------------------ */

static void with_masks(void)
{
    check_machine_poke_vram(&check, RAMFC_SUBDEVICE, SUBDEVICE_1);
}

/* NV.CONDITIONAL */
START_TEST(a_conditional_segment_is_passed_over_while_the_subdevice_is_inactive)
{
    with_masks();
    PUT_SEGMENT(0, 0, PB_SET_MASK(2u));
    PUT_SEGMENT(ENTRY_CONDITIONAL, ENTRY_SYNC_WAIT, PB_SET_MASK(1u), PB_IMMD(1, 0x188, 1));
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x18c, 2), PB_SET_MASK(1u), PB_IMMD(1, 0x190, 3));
    PUT_SEGMENT(ENTRY_CONDITIONAL, ENTRY_SYNC_WAIT, PB_IMMD(1, 0x194, 4));
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
    ck_assert_uint_eq(shadow(1, 0x190), 3);
    ck_assert_uint_eq(shadow(1, 0x194), 4);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 4);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_GP_FETCH, RULE_NV_CONDITIONAL), 1);
    golden_log_check(&check, "rule_nv_conditional.events");
    ck_assert_uint_eq(
        event_nv_gp_fetch_of(check_machine_event(&check, EVENT_NV_GP_FETCH, 1)).dword_count, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SEGMENT_END), 3);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_USERD + 0x88), 4);
}
END_TEST

/* The manual's warning: without SYNC_WAIT reading has run ahead of the mask. */
START_TEST(a_condition_is_looked_at_when_the_segment_is_read)
{
    with_masks();
    PUT_SEGMENT(0, 0, PB_SET_MASK(2u));
    PUT_SEGMENT(ENTRY_CONDITIONAL, 0, PB_SET_MASK(1u), PB_IMMD(1, 0x188, 1));
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_GP_FETCH, RULE_NV_CONDITIONAL), 0);
}
END_TEST

START_TEST(a_mask_within_a_conditional_segment_discards_the_rest_of_it)
{
    with_masks();
    PUT_SEGMENT(ENTRY_CONDITIONAL, 0, PB_IMMD(1, 0x188, 1), PB_SET_MASK(2u), PB_SET_MASK(1u),
                PB_IMMD(1, 0x18c, 2));
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x190, 3), PB_SET_MASK(1u), PB_IMMD(1, 0x194, 4));
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
    ck_assert_uint_eq(shadow(1, 0x190), 0);
    ck_assert_uint_eq(shadow(1, 0x194), 4);
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)).method_count,
        1);
}
END_TEST

START_TEST(data_at_the_start_of_a_conditional_segment_raises_pbseg)
{
    with_masks();
    PUT_SEGMENT(0, 0, PB_INC(1, 0x188, 2), 1);
    PUT_SEGMENT(ENTRY_CONDITIONAL, 0, 2, PB_IMMD(1, 0x190, 3));
    ring_and_run();
    expect_interrupt(INTR_PBSEG);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
    clear_interrupt(INTR_PBSEG);
    ck_assert_uint_eq(shadow(1, 0x18c), 2);
    ck_assert_uint_eq(shadow(1, 0x190), 3);
}
END_TEST

/* ---- subroutines ----------------------------------------------------------------------------- */

START_TEST(a_subroutine_leaves_top_level_get_alone)
{
    const uint32_t dwords[] = {PB_IMMD(1, 0x188, 1), PB_IMMD(1, 0x18c, 2), PB_IMMD(0, 0x04, 0)};
    const uint64_t at = CHECK_PUSH(0);

    put_segment(dwords, 2, 0, 0);
    put_segment(dwords, 3, 0, ENTRY_SUBROUTINE);
    ring_and_run();
    expect_interrupt(INTR_METHOD);                         /* stands still within the subroutine */
    ck_assert_uint_eq(pbdma_reg(0x18), (uint32_t)at + 20); /* GET */
    ck_assert_uint_eq(pbdma_reg(0x20), (uint32_t)at + 8);  /* TOP_LEVEL_GET */
    ck_assert_uint_eq(pbdma_reg(0x24), 1u << 31 | (uint32_t)(at >> 32));
    ck_assert_uint_eq(pbdma_reg(0x84) >> 20 & 1, 1); /* PB_HEADER LEVEL */
    ck_assert_uint_eq(pbdma_reg(0x84) >> 24 & 1, 1); /* FINAL */
    pbdma_write(0xc0, 0x80000008);
    clear_interrupt(INTR_METHOD);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_USERD + 0x58), (uint32_t)at + 8);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_USERD + 0x44), (uint32_t)at + 20);
    ck_assert_uint_eq(pbdma_reg(0x24) >> 31, 0); /* switched out */
}
END_TEST

Suite *nv_pbdma_entry_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_entry");
    TCase *tcase = tcase_create("entries");

    tcase_add_checked_fixture(tcase, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(tcase, control_entries_of_opcode_nop_do_nothing);
    tcase_add_test(tcase, a_segment_past_the_end_of_the_address_space_raises_gpentry);
    tcase_add_test(tcase, the_ring_wraps_round);
    tcase_add_test(tcase, entries_are_taken_in_the_order_of_the_ring);
    tcase_add_test(tcase, an_illegal_entry_raises_gpentry_and_is_discarded);
    tcase_add_test(tcase, gp_put_beyond_the_ring_raises_gpptr_until_it_is_mended);
    tcase_add_test(tcase, a_ring_across_the_end_of_the_address_space_raises_gpfifo);
    tcase_add_test(tcase, a_ramfc_without_signature_waits_for_one);
    tcase_add_test(tcase, get_beyond_put_raises_pbptr);
    tcase_add_test(tcase, a_write_to_a_register_in_use_raises_pri);
    tcase_add_test(tcase, pri_while_a_loading_channel_waits_for_its_engine_is_no_step_ahead);
    tcase_add_test(tcase, gp_crc_is_compared_with_the_entries_before_and_cleared);
    tcase_add_test(tcase, a_wrong_gp_crc_raises_gpcrc_and_goes_on_when_cleared);
    tcase_add_test(tcase, pb_crc_is_that_of_the_segment_before);
    tcase_add_test(tcase, pb_crc_covers_long_segments_and_can_be_read_on_the_way);
    tcase_add_test(tcase, a_conditional_segment_is_passed_over_while_the_subdevice_is_inactive);
    tcase_add_test(tcase, a_condition_is_looked_at_when_the_segment_is_read);
    tcase_add_test(tcase, a_mask_within_a_conditional_segment_discards_the_rest_of_it);
    tcase_add_test(tcase, data_at_the_start_of_a_conditional_segment_raises_pbseg);
    tcase_add_test(tcase, a_subroutine_leaves_top_level_get_alone);
    suite_add_tcase(suite, tcase);
    return suite;
}
