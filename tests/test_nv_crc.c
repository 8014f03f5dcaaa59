/* SPDX-License-Identifier: MIT */
/* Host's CRCs, against the loop over bits that the manual gives in words. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_crc.h"
#include "emu/random.h"
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
    uint32_t dwords[20], expected = 0;

    random_seed(&random, 1, 0);
    for (uint32_t i = 0; i < 20; i++) {
        ck_assert_uint_eq(nv_crc_dwords(&crc, 0, dwords, i), expected);
        dwords[i] = (uint32_t)random_next(&random);
        expected = slow_word(expected, dwords[i], 4);
    }
}
END_TEST

/* Data, then subchannel and dword address. */
START_TEST(a_method_is_six_bytes)
{
    const uint32_t data[] = {0x12345678};
    const uint32_t expected = slow_word(slow_word(0, data[0], 4), 3u << 12 | 0x188 / 4, 2);

    ck_assert_uint_eq(nv_crc_methods(&crc, 0, 3, 0x188, 4, 4, data, 1), expected);
    ck_assert_uint_ne(nv_crc_methods(&crc, 0, 4, 0x188, 4, 4, data, 1), expected);
    ck_assert_uint_ne(nv_crc_methods(&crc, 0, 3, 0x18c, 4, 4, data, 1), expected);
}
END_TEST

START_TEST(methods_of_one_header_give_what_they_give_one_by_one)
{
    static const uint32_t steps[][2] = {{4, 4}, {0, 0}, {4, 0}};
    struct random_state random;
    uint32_t data[9];

    random_seed(&random, 2, 0);
    for (uint32_t i = 0; i < 9; i++)
        data[i] = (uint32_t)random_next(&random);
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t count = 0; count <= 9; count++) {
            uint32_t expected = 0xdeadbeef, method = 0x180;

            for (uint32_t i = 0; i < count; i++) {
                expected = nv_crc_methods(&crc, expected, 2, method, 0, 0, &data[i], 1);
                method += steps[kind][i > 0];
            }
            ck_assert_uint_eq(nv_crc_methods(&crc, 0xdeadbeef, 2, 0x180, steps[kind][0],
                                             steps[kind][1], data, count),
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
    tcase_add_test(tcase, methods_of_one_header_give_what_they_give_one_by_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
