/* SPDX-License-Identifier: MIT */
/* The PBDMA: entries, headers, Host methods, interrupts, and a channel's coming and going. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "tests/check_machine.h"
#include "tests/fuzz/fuzz_pbdma.h"
#include "tests/suites.h"

enum {
    INTR_GPPTR = 14,
    INTR_GPENTRY = 15,
    INTR_PBENTRY = 18,
    INTR_METHOD = 21,
    INTR_DEVICE = 23,
    INTR_SEMAPHORE = 25,
    INTR_SIGNATURE = 31,
    PBDMA0 = 0x40000,
    RELEASE_4_BYTES = 0x1100002, /* SEMAPHORED: RELEASE, no wait for idle, 4 bytes */
};

#define RELEASE(address, value)                                                                    \
    PB_INC(0, 0x10, 4), (uint32_t)((address) >> 32), (uint32_t)(address), (value), RELEASE_4_BYTES

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void setup_with_nouveau(void)
{
    check_machine_begin_channel(&check, true);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* The one interrupt that a run raised. */
static void expect_interrupt(uint32_t bit)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event->argument[2], bit);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x108), 1u << bit);
}

static void expect_stopped(void)
{
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_CHANNEL_STOP, RULE_NV_INTR), 1);
}

/* Class state of the front end, which every header form ends up in. */
static uint32_t shadow(uint32_t subchannel, uint32_t method)
{
    return nv_fe_shadow(&check.gpu->fe, subchannel, method);
}

/* ---- headers -------------------------------------------------------------------------------- */

START_TEST(an_incrementing_header_fills_consecutive_methods)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x188, 3), 11, 22, 33);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x190), 33);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)->argument[3], 3);
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

START_TEST(data_may_follow_its_header_in_other_entries)
{
    const uint64_t at = check_machine_dwords(
        &check, 0, (const uint32_t[]){PB_INC(1, 0x188, 3), 11, 22, 33, PB_IMMD(1, 0x198, 44)}, 5);

    check_machine_segment(&check, 0, at, 1, false);
    check_machine_segment(&check, 0, at + 4, 2, false);
    check_machine_segment(&check, 0, at + 12, 2, true);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x190), 33);
    ck_assert_uint_eq(shadow(1, 0x198), 44);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 3);
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

START_TEST(a_header_without_a_meaning_raises_pbentry)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 1), 6u << 29 | 1u << 16, PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
    expect_stopped();
    ck_assert_uint_eq(shadow(1, 0x188), 1);
}
END_TEST

START_TEST(a_header_that_runs_past_the_last_method_raises_pbentry)
{
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x3ff8, 3), 1, 2, 3);
    check_machine_run(&check);
    expect_interrupt(INTR_PBENTRY);
}
END_TEST

START_TEST(long_segments_are_read_piece_by_piece)
{
    enum { COUNT = 2500 };
    uint32_t *dwords = calloc(COUNT, sizeof *dwords);

    ck_assert_ptr_nonnull(dwords);
    for (uint32_t i = 0; i < COUNT; i++)
        dwords[i] = PB_IMMD(1, 0x188, i & 0x1fff);
    check_machine_submit(&check, 0, dwords, COUNT);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), COUNT - 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PB_FETCH), 3);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)->argument[3], COUNT);
    free(dwords);
}
END_TEST

/* ---- entries -------------------------------------------------------------------------------- */

START_TEST(control_entries_of_opcode_nop_do_nothing)
{
    check_machine_entry(&check, 0, 0, 0, false);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
}
END_TEST

START_TEST(an_illegal_entry_raises_gpentry_and_is_committed)
{
    check_machine_entry(&check, 0, 0, 1, true);
    check_machine_run(&check);
    expect_interrupt(INTR_GPENTRY);
    expect_stopped();
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x14), 1);
}
END_TEST

START_TEST(a_segment_past_the_end_of_the_address_space_raises_gpentry)
{
    check_machine_entry(&check, 0, 0xfffffff8, 0xff | 2u << 10, true);
    check_machine_run(&check);
    expect_interrupt(INTR_GPENTRY);
}
END_TEST

START_TEST(gp_put_beyond_the_ring_raises_gpptr)
{
    check.put[0] = CHECK_RING_ENTRIES;
    check_machine_ring(&check, 0);
    check_machine_run(&check);
    expect_interrupt(INTR_GPPTR);
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
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[2], 2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 1)->argument[2], 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
}
END_TEST

/* ---- what is wrong with a channel ----------------------------------------------------------- */

START_TEST(a_ramfc_without_signature_is_refused)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x10, 0xfacf);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_interrupt(INTR_SIGNATURE);
    expect_stopped();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
}
END_TEST

static void expect_fault(uint64_t address, uint32_t type, uint32_t is_write, uint32_t unit)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_MMU_FAULT, 0);

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event->argument[1], address);
    ck_assert_uint_eq(event->argument[2], type);
    ck_assert_uint_eq(event->argument[3], is_write);
    ck_assert_uint_eq(event->argument[4], unit);
    ck_assert_uint_ne(machine_read32(check.machine, 0x2100) & 1u << 28, 0); /* INTR_0 MMU_FAULT */
    expect_stopped();
}

START_TEST(a_segment_that_is_not_mapped_faults)
{
    check_machine_segment(&check, 0, 0x5000000, 4, true);
    check_machine_run(&check);
    expect_fault(0x5000000, 2, 0, NV_FAULT_HOST);
}
END_TEST

START_TEST(a_ring_that_is_not_mapped_faults)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x48, 0x6000000);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_fault(0x6000000, 2, 0, NV_FAULT_HOST);
}
END_TEST

START_TEST(a_page_directory_of_nobody_faults_as_unbound)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x200, CHECK_ROOT + 0x1000);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_fault(CHECK_RING(0), 4, 0, NV_FAULT_HOST);
}
END_TEST

/* Facts: fault code 4 is UNBOUND_INST. */
START_TEST(a_channel_without_an_instance_block_faults_as_unbound)
{
    machine_write32(check.machine, 0x800000, 0);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[2], 4);
    expect_stopped();
}
END_TEST

START_TEST(a_fault_stops_its_channel_and_no_other)
{
    /* Channel 1 is on the runlist's other runqueue, so that it needs no recovery of the first. */
    const uint32_t lists[] = {0x0600e020, 0, 0, 0, 0x0600e021, 0, 0x4001, 0};

    check_machine_channel(&check, 1);
    check_machine_channel(&check, 2);
    check_machine_runlist_raw(&check, 5, 2, (const uint32_t[]){0x0600e022, 0, 2, 0});
    check_machine_runlist_raw(&check, 0, 4, lists);
    check_machine_segment(&check, 0, 0x5000000, 4, true);
    CHECK_SUBMIT(&check, 2, RELEASE(CHECK_DATA, 5));
    check_machine_run(&check);
    expect_stopped();
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
}
END_TEST

/* ---- Host methods --------------------------------------------------------------------------- */

START_TEST(a_release_of_four_words_has_the_time_behind_the_payload)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 7, 0x00100002);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8),
                      check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps / 1000);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[3], 16);
}
END_TEST

START_TEST(a_release_of_one_word_writes_one_word)
{
    check_machine_poke(&check, CHECK_DATA + 4, 0x55);
    CHECK_SUBMIT(&check, 0, RELEASE(CHECK_DATA, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0x55);
}
END_TEST

START_TEST(a_crooked_release_of_sixteen_bytes_raises_semaphore)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + 8, 7, 0x00100002);
    check_machine_run(&check);
    expect_interrupt(INTR_SEMAPHORE);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), 0);
}
END_TEST

START_TEST(an_operation_that_is_none_raises_semaphore)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 7, 0x3);
    check_machine_run(&check);
    expect_interrupt(INTR_SEMAPHORE);
}
END_TEST

START_TEST(a_release_where_nothing_is_mapped_faults)
{
    CHECK_SUBMIT(&check, 0, RELEASE(UINT64_C(0x7000000), 1));
    check_machine_run(&check);
    expect_fault(0x7000000, 2, 1, NV_FAULT_HOST);
}
END_TEST

START_TEST(the_reference_is_kept_and_saved)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x50, 1), 0x1234567);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x28), 0x1234567);
}
END_TEST

/* NV.ACQ: the three tests of an acquire, each once passed at once and once waited for. */
static const struct {
    uint32_t operation, payload, passes, fails;
} acquires[] = {
    {1, 10, 10, 11},
    {4, 10, 11, 9},
    {4, 0x7fffffff, 0x80000001, 0x7ffffffe}, /* circular: two further is later */
    {8, 0x6, 0x2, 0x9},
};

START_TEST(an_acquire_passes_when_its_value_is_there)
{
    check_machine_poke(&check, CHECK_DATA, acquires[_i].passes);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, acquires[_i].payload,
                 0x1000 | acquires[_i].operation, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_ACQUIRE, 0)->argument[3], 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WAIT_OPEN), 0);
}
END_TEST

START_TEST(an_acquire_waits_until_its_value_is_written)
{
    const struct log_event *wait;

    check_machine_poke(&check, CHECK_DATA, acquires[_i].fails);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, acquires[_i].payload,
                 0x1000 | acquires[_i].operation, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_NV_ACQ), 1);
    /* Time passes: the other runlist's channel is busy for a while. */
    check_machine_channel(&check, 2);
    check_machine_runlist(&check, 5, 1, (const uint32_t[]){2});
    CHECK_SUBMIT(&check, 2, RELEASE(CHECK_DATA, acquires[_i].passes));
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 7);
    wait = check_machine_event(&check, EVENT_NV_ACQUIRE, 0);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_ge(wait->argument[3], 2);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 1);
}
END_TEST

/* ---- interrupts ----------------------------------------------------------------------------- */

/* NV.DEVICE, NV.INTR: frozen until software clears the bit; the method has been replaced. */
START_TEST(a_software_method_freezes_the_pbdma_until_software_has_dealt_with_it)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 1), PB_INC(7, 0x600, 1), 0x1234,
                 PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    expect_interrupt(INTR_DEVICE);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PBDMA_INTR, RULE_NV_DEVICE), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0xc4), 0x1234);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0xc0) & 0x3ffc, 0x600);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0xc0) >> 16 & 7, 7);
    machine_write32(check.machine, PBDMA0 + 0xc0, 0x80600008);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    machine_write32(check.machine, PBDMA0 + 0x108, 1u << INTR_DEVICE);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

START_TEST(a_software_method_that_nobody_replaced_comes_again)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(5, 0x600, 1));
    check_machine_run(&check);
    machine_write32(check.machine, PBDMA0 + 0x108, 1u << INTR_DEVICE);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
}
END_TEST

/* NOUVEAU.SW */
START_TEST(nouveau_answers_software_methods_and_the_channel_goes_on)
{
    const struct log_event *answer;

    check.nouveau->state->channels[0].has_software_object = 1;
    CHECK_SUBMIT(&check, 0, PB_INC(7, 0x644, 1), 0x1ffffe, PB_INC(7, 0x644, 1), 1,
                 PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_DRIVER_SW_METHOD, RULE_NOUVEAU_SW), 2);
    answer = check_machine_event(&check, EVENT_DRIVER_SW_METHOD, 0);
    ck_assert_uint_eq(answer->argument[1], 7);
    ck_assert_uint_eq(answer->argument[2], 0x644);
    ck_assert_uint_eq(answer->argument[3], 0x1ffffe);
    ck_assert_uint_eq(answer->argument[4], 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_SW_METHOD, 1)->argument[4], 0);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_DEVICE), 2);
}
END_TEST

START_TEST(nouveau_handles_no_software_method_of_a_channel_without_a_software_object)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(7, 0x600, 1), PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_SW_METHOD, 0)->argument[4], 0);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
}
END_TEST

/* NOUVEAU.KILL: off its PBDMA before the method behind the error. */
START_TEST(nouveau_reports_errors_and_gives_the_channel_up)
{
    check.nouveau->state->channels[0].tsg_id = 32;
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0), PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_ERROR, 0)->argument[1],
                      1u << INTR_METHOD);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x108), 0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_DRIVER_KILL, RULE_NOUVEAU_KILL), 1);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
}
END_TEST

/* ---- any bytes ------------------------------------------------------------------------------ */

START_TEST(any_bytes_end_in_good_order)
{
    uint8_t data[1500];

    for (uint32_t seed = 0; seed < 20; seed++) {
        fuzz_pbdma_make(1000 * (uint64_t)_i + seed, data, sizeof data);
        ck_assert_int_eq(fuzz_pbdma(data, sizeof data), 0);
    }
}
END_TEST

static void add_headers(Suite *suite)
{
    TCase *tcase = tcase_create("headers");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, an_incrementing_header_fills_consecutive_methods);
    tcase_add_test(tcase, a_non_incrementing_header_keeps_to_its_method);
    tcase_add_test(tcase, an_increment_once_header_moves_on_once);
    tcase_add_test(tcase, immediate_data_is_extended_with_zeroes);
    tcase_add_test(tcase, the_old_headers_of_fermi_work_too);
    tcase_add_test(tcase, nothing_behind_the_end_of_a_segment_is_executed);
    tcase_add_test(tcase, data_may_follow_its_header_in_other_entries);
    tcase_add_test(tcase, a_channel_may_leave_between_a_header_and_its_data);
    tcase_add_test(tcase, a_header_without_a_meaning_raises_pbentry);
    tcase_add_test(tcase, a_header_that_runs_past_the_last_method_raises_pbentry);
    tcase_add_test(tcase, long_segments_are_read_piece_by_piece);
    suite_add_tcase(suite, tcase);
}

static void add_entries(Suite *suite)
{
    TCase *tcase = tcase_create("entries");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, control_entries_of_opcode_nop_do_nothing);
    tcase_add_test(tcase, an_illegal_entry_raises_gpentry_and_is_committed);
    tcase_add_test(tcase, a_segment_past_the_end_of_the_address_space_raises_gpentry);
    tcase_add_test(tcase, gp_put_beyond_the_ring_raises_gpptr);
    tcase_add_test(tcase, the_ring_wraps_round);
    tcase_add_test(tcase, entries_are_taken_in_the_order_of_the_ring);
    tcase_add_test(tcase, a_ramfc_without_signature_is_refused);
    tcase_add_test(tcase, a_segment_that_is_not_mapped_faults);
    tcase_add_test(tcase, a_ring_that_is_not_mapped_faults);
    tcase_add_test(tcase, a_page_directory_of_nobody_faults_as_unbound);
    tcase_add_test(tcase, a_channel_without_an_instance_block_faults_as_unbound);
    tcase_add_test(tcase, a_fault_stops_its_channel_and_no_other);
    suite_add_tcase(suite, tcase);
}

static void add_methods(Suite *suite)
{
    TCase *tcase = tcase_create("Host methods");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_release_of_four_words_has_the_time_behind_the_payload);
    tcase_add_test(tcase, a_release_of_one_word_writes_one_word);
    tcase_add_test(tcase, a_crooked_release_of_sixteen_bytes_raises_semaphore);
    tcase_add_test(tcase, an_operation_that_is_none_raises_semaphore);
    tcase_add_test(tcase, a_release_where_nothing_is_mapped_faults);
    tcase_add_test(tcase, the_reference_is_kept_and_saved);
    tcase_add_loop_test(tcase, an_acquire_passes_when_its_value_is_there, 0, 4);
    tcase_add_loop_test(tcase, an_acquire_waits_until_its_value_is_written, 0, 4);
    tcase_add_test(tcase, a_software_method_freezes_the_pbdma_until_software_has_dealt_with_it);
    tcase_add_test(tcase, a_software_method_that_nobody_replaced_comes_again);
    suite_add_tcase(suite, tcase);
}

Suite *nv_pbdma_suite(void)
{
    Suite *suite = suite_create("nv_pbdma");
    TCase *driver = tcase_create("driver");
    TCase *fuzz = tcase_create("fuzz");

    add_headers(suite);
    add_entries(suite);
    add_methods(suite);
    tcase_add_checked_fixture(driver, setup_with_nouveau, teardown);
    tcase_add_test(driver, nouveau_answers_software_methods_and_the_channel_goes_on);
    tcase_add_test(driver,
                   nouveau_handles_no_software_method_of_a_channel_without_a_software_object);
    tcase_add_test(driver, nouveau_reports_errors_and_gives_the_channel_up);
    suite_add_tcase(suite, driver);
    tcase_add_loop_test(fuzz, any_bytes_end_in_good_order, 0, 20);
    suite_add_tcase(suite, fuzz);
    return suite;
}
