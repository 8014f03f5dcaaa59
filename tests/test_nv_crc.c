/* SPDX-License-Identifier: MIT */
/* Host's CRCs, against the loop over bits that the manual gives in words. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/formats/nv_crc.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

static struct nv_crc crc;

static void setup(void)
{
    nv_crc_init(&crc);
}

/* One byte, bit by bit, most significant first. */
static uint32_t slow_byte(uint32_t value, uint8_t byte)
{
    value ^= (uint32_t)byte << 24;
    for (int bit = 0; bit < 8; bit++)
        value = value & UINT32_C(0x80000000) ? value << 1 ^ UINT32_C(0x04c11db7) : value << 1;
    return value;
}

static uint32_t slow_word(uint32_t value, uint32_t word, int bytes)
{
    for (int i = 0; i < bytes; i++)
        value = slow_byte(value, (uint8_t)(word >> 8 * i));
    return value;
}

/* CRC-32/MPEG-2 with start value 0: "123456789" gives 0x89a1897f. */
START_TEST(it_is_the_polynomial_of_ieee_802_3_without_reflection)
{
    const char *digits = "123456789";
    uint32_t value = 0;

    for (int i = 0; i < 9; i++)
        value = crc.table[0][(value >> 24) ^ (uint8_t)digits[i]] ^ value << 8;
    ck_assert_uint_eq(value, 0x89a1897f);
    ck_assert_uint_eq(crc.table[0][1], 0x04c11db7);
}
END_TEST

START_TEST(dwords_are_taken_in_little_endian_order)
{
    struct random_state random;
    uint32_t dwords[200], expected = 0;

    random_seed(&random, 1, 0);
    for (uint32_t i = 0; i < 200; i++) {
        ck_assert_uint_eq(nv_crc_dwords(&crc, 0, dwords, i), expected);
        dwords[i] = (uint32_t)random_next(&random);
        expected = slow_word(expected, dwords[i], 4);
    }
}
END_TEST

/* Data, then subchannel and dword address. */
START_TEST(a_method_is_six_bytes)
{
    const uint32_t data = 0x12345678;
    const uint32_t expected = slow_word(slow_word(7, data, 4), 3u << 12 | 0x188 / 4, 2);

    ck_assert_uint_eq(nv_crc_method(&crc, 7, 3, 0x188, data), expected);
    ck_assert_uint_ne(nv_crc_method(&crc, 7, 4, 0x188, data), expected);
    ck_assert_uint_ne(nv_crc_method(&crc, 7, 3, 0x18c, data), expected);
}
END_TEST

/* x^n modulo the polynomial, n a multiple of 8: a zero byte into a CRC multiplies it by x^8. */
static uint32_t slow_power(unsigned n)
{
    uint32_t value = 1;

    for (unsigned bit = 0; bit < n; bit += 8)
        value = slow_byte(value, 0);
    return value;
}

START_TEST(what_a_block_is_multiplied_with_are_powers_of_x)
{
    for (unsigned half = 0; half < 2; half++) {
        ck_assert_uint_eq(crc.next_block[half], slow_power(128 + 64 * half));
        ck_assert_uint_eq(crc.next_row[half], slow_power(512 + 64 * half));
    }
    ck_assert_uint_eq(slow_power(32), 0x04c11db7);
}
END_TEST

enum { METHODS_MOST = 2000 };

/* Any number of methods, from any value, and from any alignment. */
START_TEST(folding_tables_and_the_loop_over_bits_agree)
{
    static uint8_t bytes[METHODS_MOST * NV_CRC_METHOD_BYTES + 3];
    struct nv_crc tables = crc;
    struct random_state random;

    tables.folds = false;
    random_seed(&random, 3, 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_next(&random);
    for (uint32_t round = 0; round < 600; round++) {
        const uint32_t methods =
            round < 80 ? round : (uint32_t)(random_next(&random) % (METHODS_MOST + 1));
        const size_t count = methods * NV_CRC_METHOD_BYTES;
        const uint8_t *from = bytes + random_next(&random) % 4;
        const uint32_t start = (uint32_t)random_next(&random);
        uint32_t expected = start;

        for (size_t i = 0; i < count; i++)
            expected = slow_byte(expected, from[i]);
        ck_assert_uint_eq(nv_crc_bytes(&tables, start, from, count), expected);
        ck_assert_uint_eq(nv_crc_bytes(&crc, start, from, count), expected);
    }
}
END_TEST

START_TEST(methods_gathered_give_what_they_give_one_by_one)
{
    uint8_t bytes[100 * NV_CRC_METHOD_BYTES + NV_CRC_MESSAGE_ROOM];
    uint32_t expected = 0xdeadbeef;
    struct random_state random;

    random_seed(&random, 2, 0);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t data = (uint32_t)random_next(&random), method = 0x180 + 4 * (i % 9);

        nv_crc_put_message(bytes + i * NV_CRC_METHOD_BYTES, nv_crc_message(i % 8, method, data));
        expected = nv_crc_method(&crc, expected, i % 8, method, data);
        ck_assert_uint_eq(nv_crc_bytes(&crc, 0xdeadbeef, bytes, (i + 1) * NV_CRC_METHOD_BYTES),
                          expected);
    }
}
END_TEST

Suite *nv_crc_suite(void)
{
    Suite *suite = suite_create("nv_crc");
    TCase *tcase = tcase_create("crc");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, it_is_the_polynomial_of_ieee_802_3_without_reflection);
    tcase_add_test(tcase, dwords_are_taken_in_little_endian_order);
    tcase_add_test(tcase, a_method_is_six_bytes);
    tcase_add_test(tcase, what_a_block_is_multiplied_with_are_powers_of_x);
    tcase_add_test(tcase, folding_tables_and_the_loop_over_bits_agree);
    tcase_add_test(tcase, methods_gathered_give_what_they_give_one_by_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
