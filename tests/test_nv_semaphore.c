/* SPDX-License-Identifier: MIT */
/* Semaphore arithmetic against the manual's table, row by row, and against slow references. */
#include <config.h>

#include <check.h>
#include <stdint.h>

#include "devices/nvidia/nv_semaphore.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

enum { PAIRS = 4000 };
#define HIGH64 (UINT64_C(1) << 63)

static uint64_t any(struct random_state *random)
{
    const uint64_t upper = random_next(random);

    return upper << 32 | random_next(random);
}

/* Rows worked out by hand from the table in tu104 dev_pbdma, "Semaphore reduction operations". */
static const struct {
    enum nv_reduction reduction;
    bool is_signed;
    unsigned bits;
    uint64_t value, payload, result;
} reductions[] = {
    {NV_REDUCTION_MIN, false, 32, 5, 7, 5},
    {NV_REDUCTION_MIN, false, 32, 0xffffffff, 7, 7},
    {NV_REDUCTION_MIN, true, 32, 0xffffffff, 7, 0xffffffff},
    {NV_REDUCTION_MIN, false, 64, HIGH64, 1, 1},
    {NV_REDUCTION_MIN, true, 64, HIGH64, 1, HIGH64},
    {NV_REDUCTION_MAX, false, 32, 5, 7, 7},
    {NV_REDUCTION_MAX, false, 32, 0x80000000, 7, 0x80000000},
    {NV_REDUCTION_MAX, true, 32, 0x80000000, 7, 7},
    {NV_REDUCTION_MAX, false, 64, HIGH64, 1, HIGH64},
    {NV_REDUCTION_MAX, true, 64, HIGH64, 1, 1},
    {NV_REDUCTION_XOR, false, 32, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
    {NV_REDUCTION_XOR, true, 64, UINT64_MAX, 1, UINT64_MAX - 1},
    {NV_REDUCTION_AND, false, 32, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {NV_REDUCTION_AND, true, 64, UINT64_MAX, HIGH64, HIGH64},
    {NV_REDUCTION_OR, false, 32, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {NV_REDUCTION_OR, true, 64, 1, HIGH64, HIGH64 | 1},
    {NV_REDUCTION_ADD, false, 32, 0xffffffff, 2, 1},
    {NV_REDUCTION_ADD, true, 32, 0x7fffffff, 1, 0x80000000},
    {NV_REDUCTION_ADD, false, 64, 0xffffffff, 2, UINT64_C(0x100000001)},
    {NV_REDUCTION_INC, false, 32, 2, 3, 3},
    {NV_REDUCTION_INC, false, 32, 3, 3, 0},
    {NV_REDUCTION_INC, false, 32, 4, 3, 0},
    {NV_REDUCTION_INC, false, 32, 9, 0, 0},
    {NV_REDUCTION_DEC, false, 32, 3, 3, 2},
    {NV_REDUCTION_DEC, false, 32, 0, 3, 3},
    {NV_REDUCTION_DEC, false, 32, 4, 3, 3},
    {NV_REDUCTION_DEC, false, 32, 9, 0, 0},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

START_TEST(each_reduction_computes_what_the_table_says)
{
    ck_assert_uint_eq(nv_semaphore_reduce(reductions[_i].reduction, reductions[_i].is_signed,
                                          reductions[_i].bits, reductions[_i].value,
                                          reductions[_i].payload),
                      reductions[_i].result);
}
END_TEST

/* Bits above the semaphore's width do not matter and do not appear. */
START_TEST(a_reduction_of_32_bits_does_not_see_the_upper_half)
{
    for (unsigned i = 0; i < REDUCTIONS; i++)
        if (reductions[i].bits == 32)
            ck_assert_uint_eq(nv_semaphore_reduce(reductions[i].reduction, reductions[i].is_signed,
                                                  32, reductions[i].value | UINT64_C(7) << 32,
                                                  reductions[i].payload | UINT64_C(9) << 32),
                              reductions[i].result);
}
END_TEST

/* Signed order by C's own signed types. */
START_TEST(minimum_and_maximum_agree_with_signed_and_unsigned_comparison)
{
    struct random_state random;

    random_seed(&random, 7, 0);
    for (unsigned i = 0; i < PAIRS; i++) {
        const uint64_t a = any(&random), b = any(&random);
        const int32_t a32 = (int32_t)(uint32_t)a, b32 = (int32_t)(uint32_t)b;
        const int64_t a64 = (int64_t)a, b64 = (int64_t)b;

        ck_assert_int_eq((int32_t)nv_semaphore_reduce(NV_REDUCTION_MIN, true, 32, a, b),
                         a32 < b32 ? a32 : b32);
        ck_assert_int_eq((int32_t)nv_semaphore_reduce(NV_REDUCTION_MAX, true, 32, a, b),
                         a32 > b32 ? a32 : b32);
        ck_assert_int_eq((int64_t)nv_semaphore_reduce(NV_REDUCTION_MIN, true, 64, a, b),
                         a64 < b64 ? a64 : b64);
        ck_assert_int_eq((int64_t)nv_semaphore_reduce(NV_REDUCTION_MAX, true, 64, a, b),
                         a64 > b64 ? a64 : b64);
        ck_assert_uint_eq(nv_semaphore_reduce(NV_REDUCTION_MIN, false, 64, a, b), a < b ? a : b);
        ck_assert_uint_eq(nv_semaphore_reduce(NV_REDUCTION_MAX, false, 64, a, b), a > b ? a : b);
    }
}
END_TEST

/* The manual: INC goes from 0 to the payload and starts again, DEC the other way round. */
START_TEST(incrementing_and_decrementing_go_round)
{
    uint64_t up = 0, down = 5;

    for (unsigned n = 0; n < 3; n++)
        for (uint64_t step = 0; step <= 5; step++) {
            ck_assert_uint_eq(up, step);
            ck_assert_uint_eq(down, 5 - step);
            up = nv_semaphore_reduce(NV_REDUCTION_INC, false, 32, up, 5);
            down = nv_semaphore_reduce(NV_REDUCTION_DEC, false, 32, down, 5);
        }
}
END_TEST

/* Columns: signed 32, unsigned 32, signed 64, unsigned 64. */
START_TEST(only_the_combinations_of_the_table_are_legal)
{
    static const bool legal[NV_REDUCTION_COUNT][4] = {
        [NV_REDUCTION_MIN] = {true, true, true, true},
        [NV_REDUCTION_MAX] = {true, true, true, true},
        [NV_REDUCTION_XOR] = {true, true, true, true},
        [NV_REDUCTION_AND] = {true, true, true, true},
        [NV_REDUCTION_OR] = {true, true, true, true},
        [NV_REDUCTION_ADD] = {true, true, false, true},
        [NV_REDUCTION_INC] = {false, true, false, false},
        [NV_REDUCTION_DEC] = {false, true, false, false},
    };

    for (unsigned r = 0; r < NV_REDUCTION_COUNT; r++)
        for (unsigned c = 0; c < 4; c++)
            ck_assert_int_eq(
                nv_semaphore_reduction_legal((enum nv_reduction)r, c % 2 == 0, c < 2 ? 32 : 64),
                legal[r][c]);
}
END_TEST

/* open-gpu-doc clc197.h, RED_ADD 0 to RED_XOR 7. */
START_TEST(the_graphics_engine_numbers_its_reductions_otherwise)
{
    static const enum nv_reduction order[8] = {NV_REDUCTION_ADD, NV_REDUCTION_MIN, NV_REDUCTION_MAX,
                                               NV_REDUCTION_INC, NV_REDUCTION_DEC, NV_REDUCTION_AND,
                                               NV_REDUCTION_OR,  NV_REDUCTION_XOR};

    for (uint32_t field = 0; field < 8; field++)
        ck_assert_int_eq(nv_semaphore_graphics_reduction(field), order[field]);
}
END_TEST

/* ---- acquires -------------------------------------------------------------------------------- */

static const struct {
    enum nv_acquire test;
    unsigned bits;
    uint64_t value, payload;
    bool passes;
} acquires[] = {
    {NV_ACQUIRE_EQUAL, 32, 7, 7, true},
    {NV_ACQUIRE_EQUAL, 32, 8, 7, false},
    {NV_ACQUIRE_EQUAL, 32, UINT64_C(0x100000007), 7, true},
    {NV_ACQUIRE_EQUAL, 64, UINT64_C(0x100000007), 7, false},
    {NV_ACQUIRE_STRICT_GEQ, 32, 7, 7, true},
    {NV_ACQUIRE_STRICT_GEQ, 32, 6, 7, false},
    {NV_ACQUIRE_STRICT_GEQ, 32, 0x80000000, 7, true},
    {NV_ACQUIRE_STRICT_GEQ, 32, 1, 0xffffffff, false},
    {NV_ACQUIRE_STRICT_GEQ, 64, HIGH64, 7, true},
    {NV_ACQUIRE_CIRC_GEQ, 32, 7, 7, true},
    {NV_ACQUIRE_CIRC_GEQ, 32, 6, 7, false},
    {NV_ACQUIRE_CIRC_GEQ, 32, 1, 0xffffffff, true},  /* two further is later */
    {NV_ACQUIRE_CIRC_GEQ, 32, 0x80000006, 7, true},  /* payload + 2^31 - 1 */
    {NV_ACQUIRE_CIRC_GEQ, 32, 0x80000007, 7, false}, /* payload + 2^31 */
    {NV_ACQUIRE_CIRC_GEQ, 64, 1, UINT64_MAX, true},
    {NV_ACQUIRE_CIRC_GEQ, 64, HIGH64 + 6, 7, true},
    {NV_ACQUIRE_CIRC_GEQ, 64, HIGH64 + 7, 7, false},
    {NV_ACQUIRE_AND, 32, 6, 2, true},
    {NV_ACQUIRE_AND, 32, 9, 6, false},
    {NV_ACQUIRE_AND, 32, UINT64_C(1) << 32, UINT64_C(1) << 32, false},
    {NV_ACQUIRE_AND, 64, UINT64_C(1) << 32, UINT64_C(1) << 32, true},
    {NV_ACQUIRE_NOR, 32, 0xffffff00, 0xff, false},
    {NV_ACQUIRE_NOR, 32, 0xffffff00, 0x7f, true},
    {NV_ACQUIRE_NOR, 64, UINT64_MAX - 1, 0, true},
    {NV_ACQUIRE_NOR, 64, UINT64_MAX - 1, 1, false},
};
enum { ACQUIRES = sizeof acquires / sizeof acquires[0] };

START_TEST(each_test_of_an_acquire_passes_what_it_is_for)
{
    ck_assert_int_eq(nv_semaphore_acquired(acquires[_i].test, acquires[_i].bits, acquires[_i].value,
                                           acquires[_i].payload),
                     acquires[_i].passes);
}
END_TEST

START_TEST(the_circular_test_is_the_sign_of_the_difference)
{
    struct random_state random;

    random_seed(&random, 11, 0);
    for (unsigned i = 0; i < PAIRS; i++) {
        const uint64_t a = any(&random), b = any(&random);

        ck_assert_int_eq(nv_semaphore_acquired(NV_ACQUIRE_CIRC_GEQ, 32, a, b),
                         (int32_t)((uint32_t)a - (uint32_t)b) >= 0);
        ck_assert_int_eq(nv_semaphore_acquired(NV_ACQUIRE_CIRC_GEQ, 64, a, b),
                         (int64_t)(a - b) >= 0);
    }
}
END_TEST

START_TEST(sixteen_bytes_hold_the_payload_and_then_the_time)
{
    uint32_t words[4];

    nv_semaphore_pack(UINT64_C(0x1122334455667788), UINT64_C(0x99aabbccddeeff00), words);
    ck_assert_uint_eq(words[0], 0x55667788);
    ck_assert_uint_eq(words[1], 0x11223344);
    ck_assert_uint_eq(words[2], 0xddeeff00);
    ck_assert_uint_eq(words[3], 0x99aabbcc);
}
END_TEST

/* ---- Host's methods -------------------------------------------------------------------------- */

/* Data of SEMAPHORED, all 32 values of OPERATION: five are one-hot and mean something. */
START_TEST(five_operations_of_semaphored_exist)
{
    for (uint32_t operation = 0; operation < 32; operation++) {
        const struct nv_semaphore_operation o = nv_semaphore_decode_d(1u << 31 | operation);
        const bool acquires_value = operation == 1 || operation == 4 || operation == 8;
        const bool releases = operation == 2 || operation == 16;

        ck_assert_int_eq(o.kind, acquires_value ? NV_SEMAPHORE_ACQUIRE
                                 : releases     ? NV_SEMAPHORE_RELEASE
                                                : NV_SEMAPHORE_INVALID);
        ck_assert_int_eq(o.reduces, operation == 16);
    }
    ck_assert_int_eq(nv_semaphore_decode_d(1).test, NV_ACQUIRE_EQUAL);
    ck_assert_int_eq(nv_semaphore_decode_d(4).test, NV_ACQUIRE_CIRC_GEQ);
    ck_assert_int_eq(nv_semaphore_decode_d(8).test, NV_ACQUIRE_AND);
}
END_TEST

START_TEST(semaphored_waits_for_idle_when_its_bit_is_clear)
{
    const struct nv_semaphore_operation waits = nv_semaphore_decode_d(2);
    const struct nv_semaphore_operation plain = nv_semaphore_decode_d(2 | 1u << 20 | 1u << 24);

    ck_assert(waits.waits_for_idle && waits.has_time);
    ck_assert_uint_eq(waits.alignment, 16);
    ck_assert(!plain.waits_for_idle && !plain.has_time);
    ck_assert_uint_eq(plain.alignment, 4);
    ck_assert_uint_eq(plain.bits, 32);
    ck_assert(!nv_semaphore_decode_d(1).switches && nv_semaphore_decode_d(0x1001).switches);
    ck_assert_uint_eq(nv_semaphore_decode_d(1).alignment, 4);
}
END_TEST

START_TEST(semaphored_reduces_in_the_formats_that_exist)
{
    for (uint32_t reduction = 0; reduction < 16; reduction++)
        for (uint32_t is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
            const struct nv_semaphore_operation o =
                nv_semaphore_decode_d(16 | reduction << 27 | is_unsigned << 31);
            const bool legal = reduction < 6 || (reduction < 8 && is_unsigned);

            ck_assert_int_eq(o.kind, legal ? NV_SEMAPHORE_RELEASE : NV_SEMAPHORE_INVALID);
            if (legal) {
                ck_assert_uint_eq(o.reduction, reduction);
                ck_assert_int_eq(o.is_signed, !is_unsigned);
            }
        }
}
END_TEST

/* SEM_EXECUTE: OPERATION 2:0, WFI 20, PAYLOAD_SIZE 24, RELEASE_TIMESTAMP 25. */
START_TEST(sem_execute_has_seven_operations)
{
    static const enum nv_semaphore_kind kinds[8] = {
        NV_SEMAPHORE_ACQUIRE, NV_SEMAPHORE_RELEASE, NV_SEMAPHORE_ACQUIRE, NV_SEMAPHORE_ACQUIRE,
        NV_SEMAPHORE_ACQUIRE, NV_SEMAPHORE_ACQUIRE, NV_SEMAPHORE_RELEASE, NV_SEMAPHORE_INVALID};
    static const enum nv_acquire tests[8] = {[0] = NV_ACQUIRE_EQUAL,
                                             [2] = NV_ACQUIRE_STRICT_GEQ,
                                             [3] = NV_ACQUIRE_CIRC_GEQ,
                                             [4] = NV_ACQUIRE_AND,
                                             [5] = NV_ACQUIRE_NOR};

    for (uint32_t operation = 0; operation < 8; operation++)
        for (uint32_t wide = 0; wide < 2; wide++) {
            const struct nv_semaphore_operation o =
                nv_semaphore_decode_execute(wide << 24 | operation | 1u << 12);

            ck_assert_int_eq(o.kind, kinds[operation]);
            if (o.kind == NV_SEMAPHORE_INVALID)
                continue;
            ck_assert_uint_eq(o.bits, wide ? 64 : 32);
            ck_assert_uint_eq(o.alignment, wide ? 8 : 4);
            ck_assert_int_eq(o.reduces, operation == 6);
            if (o.kind == NV_SEMAPHORE_ACQUIRE) {
                ck_assert_int_eq(o.test, tests[operation]);
                ck_assert(o.switches);
            }
        }
}
END_TEST

START_TEST(sem_execute_waits_for_idle_when_its_bit_is_set)
{
    ck_assert(!nv_semaphore_decode_execute(1).waits_for_idle);
    ck_assert(!nv_semaphore_decode_execute(1).has_time);
    ck_assert(nv_semaphore_decode_execute(1 | 1u << 20).waits_for_idle);
    ck_assert(nv_semaphore_decode_execute(1 | 1u << 25).has_time);
    ck_assert_uint_eq(nv_semaphore_decode_execute(1 | 1u << 25).alignment, 16);
    ck_assert_uint_eq(nv_semaphore_decode_execute(1 | 1u << 24).alignment, 8);
}
END_TEST

START_TEST(sem_execute_refuses_the_reductions_that_l2_does_not_have)
{
    for (uint32_t reduction = 0; reduction < 16; reduction++)
        for (uint32_t is_unsigned = 0; is_unsigned < 2; is_unsigned++)
            for (uint32_t wide = 0; wide < 2; wide++) {
                const struct nv_semaphore_operation o = nv_semaphore_decode_execute(
                    6 | wide << 24 | reduction << 27 | is_unsigned << 31);
                const bool legal = reduction < 5 || (reduction == 5 && (is_unsigned || !wide)) ||
                                   (reduction < 8 && is_unsigned && !wide);

                ck_assert_int_eq(o.kind, legal ? NV_SEMAPHORE_RELEASE : NV_SEMAPHORE_INVALID);
            }
}
END_TEST

Suite *nv_semaphore_suite(void)
{
    Suite *suite = suite_create("nv_semaphore");
    TCase *tcase = tcase_create("arithmetic");

    tcase_add_loop_test(tcase, each_reduction_computes_what_the_table_says, 0, REDUCTIONS);
    tcase_add_test(tcase, a_reduction_of_32_bits_does_not_see_the_upper_half);
    tcase_add_test(tcase, minimum_and_maximum_agree_with_signed_and_unsigned_comparison);
    tcase_add_test(tcase, incrementing_and_decrementing_go_round);
    tcase_add_test(tcase, only_the_combinations_of_the_table_are_legal);
    tcase_add_test(tcase, the_graphics_engine_numbers_its_reductions_otherwise);
    tcase_add_loop_test(tcase, each_test_of_an_acquire_passes_what_it_is_for, 0, ACQUIRES);
    tcase_add_test(tcase, the_circular_test_is_the_sign_of_the_difference);
    tcase_add_test(tcase, sixteen_bytes_hold_the_payload_and_then_the_time);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("methods");
    tcase_add_test(tcase, five_operations_of_semaphored_exist);
    tcase_add_test(tcase, semaphored_waits_for_idle_when_its_bit_is_clear);
    tcase_add_test(tcase, semaphored_reduces_in_the_formats_that_exist);
    tcase_add_test(tcase, sem_execute_has_seven_operations);
    tcase_add_test(tcase, sem_execute_waits_for_idle_when_its_bit_is_set);
    tcase_add_test(tcase, sem_execute_refuses_the_reductions_that_l2_does_not_have);
    suite_add_tcase(suite, tcase);
    return suite;
}
