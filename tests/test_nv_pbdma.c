/* SPDX-License-Identifier: MIT */
/* The PBDMA: what Host does in it, interrupts, the driver's answers, and any bytes. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_fault.h"
#include "tests/check_pbdma.h"
#include "tests/fuzz/fuzz_pbdma.h"
#include "tests/suites.h"

static void setup_with_nouveau(void)
{
    check_machine_begin_channel(&check, true);
}

/* ---- Host methods ---------------------------------------------------------------------------- */

START_TEST(a_release_of_four_words_has_the_time_behind_the_payload)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 7, 0x00100002);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8),
                      check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps / 1000);
    ck_assert_uint_eq(
        event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).byte_count, 16);
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
    expect_fault(0x7000000, NV_PFAULT_FAULT_TYPE_PDE, 1, NV_FAULT_HOST);
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
    ck_assert_uint_eq(event_nv_acquire_of(check_machine_event(&check, EVENT_NV_ACQUIRE, 0)).tries,
                      1);
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
    ck_assert_uint_ge(event_nv_acquire_of(wait).tries, 2);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 1);
}
END_TEST

/* ---- interrupts ------------------------------------------------------------------------------ */

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
    ck_assert_uint_eq(event_driver_sw_method_of(answer).subchannel, 7);
    ck_assert_uint_eq(event_driver_sw_method_of(answer).method, 0x644);
    ck_assert_uint_eq(event_driver_sw_method_of(answer).data, 0x1ffffe);
    ck_assert_uint_eq(event_driver_sw_method_of(answer).handled, 1);
    ck_assert_uint_eq(
        event_driver_sw_method_of(check_machine_event(&check, EVENT_DRIVER_SW_METHOD, 1)).handled,
        0);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_DEVICE), 2);
}
END_TEST

START_TEST(nouveau_handles_no_software_method_of_a_channel_without_a_software_object)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(7, 0x600, 1), PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_driver_sw_method_of(check_machine_event(&check, EVENT_DRIVER_SW_METHOD, 0)).handled,
        0);
    ck_assert_uint_eq(shadow(1, 0x188), 2);
}
END_TEST

/* NOUVEAU.KILL: off its PBDMA before the method behind the error. */
START_TEST(nouveau_reports_errors_and_gives_the_channel_up)
{
    check.nouveau->state->channels[0].tsg_id = 32;
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0), PB_IMMD(1, 0x188, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_driver_error_of(check_machine_event(&check, EVENT_DRIVER_ERROR, 0)).intr_bits,
        1u << INTR_METHOD);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x108), 0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_DRIVER_KILL, RULE_NOUVEAU_KILL), 1);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
}
END_TEST

/* ---- any bytes ------------------------------------------------------------------------------- */

START_TEST(any_bytes_end_in_good_order)
{
    uint8_t data[1500];

    for (uint32_t seed = 0; seed < 20; seed++) {
        fuzz_pbdma_make(1000 * (uint64_t)_i + seed, data, sizeof data);
        ck_assert_int_eq(fuzz_pbdma(data, sizeof data), 0);
    }
}
END_TEST

static void add_methods(Suite *suite)
{
    TCase *tcase = tcase_create("Host methods");

    tcase_add_checked_fixture(tcase, check_pbdma_setup, check_pbdma_teardown);
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

/* REPLAYABLE_FAULT_ERROR (bit 25) is none of the bits that the handler knows: reported, cleared,
 * and switched off. */
START_TEST(the_driver_switches_off_an_interrupt_that_it_does_not_know)
{
    const uint32_t enabled = machine_read32(check.machine, 0x2140), unknown = 1u << 25;

    ck_assert_uint_eq(enabled & 0x7ffffeff & unknown, unknown);
    nv_host_interrupt(&check.gpu->host, unknown);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x2100) & unknown, 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0x2140), enabled & ~unknown);
}
END_TEST

Suite *nv_pbdma_suite(void)
{
    Suite *suite = suite_create("nv_pbdma");
    TCase *driver = tcase_create("driver");
    TCase *fuzz = tcase_create("fuzz");

    add_methods(suite);
    tcase_add_checked_fixture(driver, setup_with_nouveau, check_pbdma_teardown);
    tcase_add_test(driver, the_driver_switches_off_an_interrupt_that_it_does_not_know);
    tcase_add_test(driver, nouveau_answers_software_methods_and_the_channel_goes_on);
    tcase_add_test(driver,
                   nouveau_handles_no_software_method_of_a_channel_without_a_software_object);
    tcase_add_test(driver, nouveau_reports_errors_and_gives_the_channel_up);
    suite_add_tcase(suite, driver);
    tcase_add_loop_test(fuzz, any_bytes_end_in_good_order, 0, 20);
    suite_add_tcase(suite, fuzz);
    return suite;
}
