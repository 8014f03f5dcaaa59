/* SPDX-License-Identifier: MIT */
/* What SDMA packets do to memory, packet by packet. */
/* PROMISE (amd): Each SDMA packet has the effect on memory that AMD's header describes. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_sdma.h"
#include "tests/suites.h"

#define SUBMIT(...) SDMA(&sdma, 0, 0, __VA_ARGS__)

static struct check_sdma sdma;

static void setup(void)
{
    check_sdma_begin(&sdma);
    check_sdma_load(&sdma, 0, 0, 0);
}

static void teardown(void)
{
    check_sdma_end(&sdma);
}

static void run(void)
{
    check_mec_run(&sdma.mec);
}

static uint32_t data(uint64_t offset)
{
    return check_sdma_data(&sdma, offset);
}

/* Distinct bytes from MEC_DATA on. */
static void pattern(uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        check_sdma_set_data(&sdma, i, 0x01000193u * (i + 1));
}

static void expect_same(uint64_t from, uint64_t to, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ck_assert_uint_eq(data(from + i) & 0xff, data(to + i) & 0xff);
}

START_TEST(nops_of_any_length_are_passed_over)
{
    SUBMIT(0, 0 | 3u << 16, 0xffffffff, 0xffffffff, 0xffffffff, S_FENCE(MEC_DATA, 7));
    run();
    ck_assert_uint_eq(data(0), 7);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_PACKET), 3);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 9 * 4);
    ck_assert_uint_eq(check_mec_peek(&sdma.mec, SDMA_RING(0, 0) + 0x8000), 9 * 4);
}
END_TEST

START_TEST(a_linear_copy_moves_its_bytes_and_no_more)
{
    pattern(4096);
    SUBMIT(S_COPY(MEC_DATA + 3, MEC_DATA + 0x10001, 1021));
    run();
    expect_same(3, 0x10001, 1021);
    ck_assert_uint_eq(data(0x10000) & 0xff, 0);
    ck_assert_uint_eq(data(0x10001 + 1021) & 0xff, 0);
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 0)).byte_count,
                      1021);
}
END_TEST

/* Almost 1 MiB: several steps. */
START_TEST(a_long_copy_moves_all_of_its_bytes)
{
    const uint32_t bytes = (1 << 20) - 12;

    pattern(bytes);
    SUBMIT(S_COPY(MEC_DATA, MEC_KERNEL - 0x800000, bytes));
    run();
    for (uint32_t i = 0; i < bytes; i += 4)
        ck_assert_uint_eq(data(i), (uint32_t)check_mec_peek(&sdma.mec, MEC_KERNEL - 0x800000 + i));
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_KERNEL - 0x800000 + bytes), 0);
}
END_TEST

/* A box of 5 x 4 x 3 elements of 4 bytes, between surfaces of different pitches. */
START_TEST(a_sub_window_copies_a_box)
{
    const uint64_t to = MEC_DATA + 0x40000;

    pattern(0x8000);
    SUBMIT(0x401 | 2u << 29, LO(MEC_DATA), HI(MEC_DATA), 2 | 1u << 16, 1 | (16u - 1) << 13, 256 - 1,
           LO(to), HI(to), 1 | 3u << 16, 0 | (32u - 1) << 13, 1024 - 1, 4 | 3u << 16, 2);
    run();
    for (uint32_t z = 0; z < 3; z++)
        for (uint32_t y = 0; y < 4; y++) {
            for (uint32_t x = 0; x < 5; x++)
                ck_assert_uint_eq(data(0x40000 + 4 * (z * 1024 + (y + 3) * 32 + x + 1)),
                                  data(4 * ((z + 1) * 256 + (y + 1) * 16 + x + 2)));
            ck_assert_uint_eq(data(0x40000 + 4 * (z * 1024 + (y + 3) * 32)), 0);
            ck_assert_uint_eq(data(0x40000 + 4 * (z * 1024 + (y + 3) * 32 + 6)), 0);
        }
    ck_assert_uint_eq(event_copy_end_of(check_sdma_event(&sdma, EVENT_COPY_END, 0)).byte_count,
                      4 * 5 * 4 * 3);
}
END_TEST

START_TEST(write_puts_the_dwords_that_follow_it)
{
    SUBMIT(0x2, LO(MEC_DATA + 8), HI(MEC_DATA), 2, 0x11, 0x22, 0x33, S_FENCE(MEC_DATA + 32, 4));
    run();
    ck_assert_uint_eq(data(8), 0x11);
    ck_assert_uint_eq(data(12), 0x22);
    ck_assert_uint_eq(data(16), 0x33);
    ck_assert_uint_eq(data(20), 0);
    ck_assert_uint_eq(data(32), 4);
}
END_TEST

START_TEST(fills_by_dwords_and_by_bytes)
{
    SUBMIT(S_FILL(MEC_DATA + 4, 0xabcd1234, 0x5000), 0xb, LO(MEC_DATA + 0x8001), HI(MEC_DATA), 0x5a,
           6);
    run();
    for (uint32_t i = 0; i < 0x5000; i += 4)
        ck_assert_uint_eq(data(4 + i), 0xabcd1234);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(data(0x5004), 0);
    ck_assert_uint_eq(data(0x8000), 0x5a5a5a00);
    ck_assert_uint_eq(data(0x8004), 0x5a5a5a5a);
    ck_assert_uint_eq(data(0x8008), 0);
}
END_TEST

START_TEST(atomics)
{
    static const struct {
        uint32_t operation;
        uint64_t before, source, compared, after;
    } cases[] = {
        {0x0f, UINT64_C(0x5ffffffff), 2, 0, UINT64_C(0x500000001)},
        {0x2f, UINT64_C(0x5ffffffff), 2, 0, UINT64_C(0x600000001)},
        {0x10, 5, 7, 0, UINT64_C(0xfffffffe)},
        {0x07, 5, 7, 0, 7},
        {0x28, 5, 7, 5, 7},
        {0x28, 5, 7, 6, 5},
        {0x08, 5, 7, UINT64_C(0x900000005), 7}, /* of 32 bits: the lower word is compared */
        {0x28, 5, 7, UINT64_C(0x900000005), 5},
        {0x3f, 5, 7, 6, 5}, /* none that is known */
    };

    check_mec_poke(&sdma.mec, MEC_DATA, &cases[_i].before, 8);
    SUBMIT(S_ATOMIC(cases[_i].operation, MEC_DATA, cases[_i].source, cases[_i].compared, 0));
    run();
    ck_assert_uint_eq(check_mec_peek(&sdma.mec, MEC_DATA), cases[_i].after);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_UNMODELLED), cases[_i].operation == 0x3f);
}
END_TEST

/* 25 MHz. */
START_TEST(time_stamps)
{
    uint64_t set, global;

    check_mec_run_to(&sdma.mec, 100 * GFE_PS_PER_US);
    SUBMIT(S_FENCE(MEC_DATA + 64, 1), 0x00d, 1000000, 5, 0x10d, LO(MEC_DATA), HI(MEC_DATA), 0x20d,
           LO(MEC_DATA + 8), HI(MEC_DATA), S_FILL(MEC_VA + 0x100000, 1, 0x100000), 0x20d,
           LO(MEC_DATA + 16), HI(MEC_DATA));
    run();
    set = check_mec_peek(&sdma.mec, MEC_DATA) - (UINT64_C(5) << 32);
    global = check_mec_peek(&sdma.mec, MEC_DATA + 8);
    ck_assert_uint_ge(set, 1000000);
    ck_assert_uint_le(set, 1000025);
    ck_assert_uint_le(global, machine_now(sdma.mec.machine) / 40000);
    ck_assert_uint_gt(check_mec_peek(&sdma.mec, MEC_DATA + 16), global + 20);
}
END_TEST

START_TEST(a_trap_is_an_interrupt_if_enabled)
{
    SUBMIT(0x6, 0x123);
    run();
    ck_assert_uint_eq(sdma.interrupt_count, 1);
    ck_assert_uint_eq(sdma.sources[0], 224);
    ck_assert_uint_eq(sdma.contexts[0], 0x123);
    ck_assert_uint_eq(
        event_amd_interrupt_of(check_sdma_event(&sdma, EVENT_AMD_INTERRUPT, 0)).client_id, 8);
    check_sdma_set_reg(&sdma, 0, 0x70, 2);
    SUBMIT(0x6, 0x124, S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(sdma.interrupt_count, 1);
    ck_assert_uint_eq(data(0), 1);
}
END_TEST

START_TEST(conditions_pass_packets_over)
{
    check_sdma_set_data(&sdma, 64, 3);
    SUBMIT(0x9, LO(MEC_DATA + 64), HI(MEC_DATA), 3, 4, S_FENCE(MEC_DATA, 1), 0x9, LO(MEC_DATA + 64),
           HI(MEC_DATA), 4, 4, S_FENCE(MEC_DATA + 4, 2), 0xf | 2u << 16, 4,
           S_FENCE(MEC_DATA + 8, 3), 0xf | 1u << 16, 4, S_FENCE(MEC_DATA + 12, 4));
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 0);
    ck_assert_uint_eq(data(8), 0);
    ck_assert_uint_eq(data(12), 4);
}
END_TEST

/* Not behind what has been written. */
START_TEST(conditions_pass_over_what_is_there)
{
    SUBMIT(0xf | 2u << 16, 40, S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 24);
    SUBMIT(S_FENCE(MEC_DATA, 2));
    run();
    ck_assert_uint_eq(data(0), 2);
}
END_TEST

START_TEST(a_buffer_is_called_and_returns)
{
    const uint32_t buffer[] = {S_FENCE(MEC_DATA, 1), 0x2, LO(MEC_DATA + 4), HI(MEC_DATA), 1, 5, 6};
    const uint32_t nested[] = {S_INDIRECT(MEC_IB, 4u)};

    check_mec_poke(&sdma.mec, MEC_IB, buffer, sizeof buffer);
    check_mec_poke(&sdma.mec, MEC_IB + 0x1000, nested, sizeof nested);
    SUBMIT(S_INDIRECT(MEC_IB, sizeof buffer / 4), S_FENCE(MEC_DATA + 12, 7), S_INDIRECT(MEC_IB, 0u),
           S_FENCE(MEC_DATA + 16, 8));
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 5);
    ck_assert_uint_eq(data(8), 6);
    ck_assert_uint_eq(data(12), 7);
    ck_assert_uint_eq(data(16), 8);
    ck_assert_uint_eq(sdma.interrupt_count, 0);
    SUBMIT(S_INDIRECT(MEC_IB + 0x1000, 6u), S_FENCE(MEC_DATA + 20, 9));
    run();
    ck_assert_uint_eq(data(20), 0);
    ck_assert_uint_eq(sdma.sources[0], 241);
}
END_TEST

START_TEST(a_packet_past_the_end_of_its_buffer_stops_the_queue)
{
    const uint32_t buffer[] = {S_FENCE(MEC_DATA, 1)};

    check_mec_poke(&sdma.mec, MEC_IB, buffer, sizeof buffer);
    SUBMIT(S_INDIRECT(MEC_IB, 3u));
    run();
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(sdma.sources[0], 241);
}
END_TEST

START_TEST(each_function_compares)
{
    static const bool expected[7][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {1, 0, 1}, {0, 1, 1}, {0, 0, 1}};

    for (uint32_t i = 0; i < 3; i++) {
        check_sdma_set_data(&sdma, 64 + 4 * i, 4 + i);
        check_sdma_load(&sdma, 0, 1 + i, 0);
        SDMA(&sdma, 0, 1 + i, S_POLL(MEC_DATA + 64 + 4 * i, _i, 5, UINT32_MAX),
             S_FENCE(MEC_DATA + 4 * i, 1));
    }
    run();
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(data(4 * i), expected[_i][i]);
}
END_TEST

/* Of caches, and others: what is known and not modelled is reported each time. */
START_TEST(packets_without_effect)
{
    SUBMIT(0x8, 0, 0x80000000, 0, 0, 0, 0x8 | 1u << 26, 0, 0, 0, 0, 0, 0x10, 1);
    run();
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_PACKET), 3);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_UNMODELLED), 2); /* not the DUMMY_TRAP */
    SUBMIT(0x7, 0, 0, 0x7, 0, 0, 0x301, 0, 0, 0, 0, 0, 0, 0, S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_UNMODELLED), 2 + 3);
    ck_assert_uint_eq(data(0), 1);
}
END_TEST

START_TEST(registers_are_for_the_drivers_queues)
{
    check_sdma_load(&sdma, 0, 1, 1u << 23); /* RB_PRIV */
    SDMA(&sdma, 0, 1, 0xe | 0xfu << 28, (0x4980 + 0xb0) / 4, 0x10203, 0xe | 1u << 28,
         (0x4980 + 0xb4) / 4, 0xffffff09); /* the second one byte only */
    SUBMIT(0xe | 0xfu << 28, (0x4980 + 0xb0) / 4, 0x7, S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0xb0), 0x10203);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0xb4), 0x10009);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(sdma.interrupt_count, 1);
    ck_assert_uint_eq(sdma.sources[0], 247);
}
END_TEST

Suite *amd_sdma_effect_suite(void)
{
    Suite *suite = suite_create("amd_sdma_effect");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, nops_of_any_length_are_passed_over);
    tcase_add_test(tcase, a_linear_copy_moves_its_bytes_and_no_more);
    tcase_add_test(tcase, a_long_copy_moves_all_of_its_bytes);
    tcase_add_test(tcase, a_sub_window_copies_a_box);
    tcase_add_test(tcase, write_puts_the_dwords_that_follow_it);
    tcase_add_test(tcase, fills_by_dwords_and_by_bytes);
    tcase_add_loop_test(tcase, atomics, 0, 9);
    tcase_add_test(tcase, time_stamps);
    tcase_add_test(tcase, a_trap_is_an_interrupt_if_enabled);
    tcase_add_test(tcase, conditions_pass_packets_over);
    tcase_add_test(tcase, conditions_pass_over_what_is_there);
    tcase_add_test(tcase, a_buffer_is_called_and_returns);
    tcase_add_test(tcase, a_packet_past_the_end_of_its_buffer_stops_the_queue);
    tcase_add_loop_test(tcase, each_function_compares, 0, 7);
    tcase_add_test(tcase, packets_without_effect);
    tcase_add_test(tcase, registers_are_for_the_drivers_queues);
    suite_add_tcase(suite, tcase);
    return suite;
}
