/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "emu/engine/random.h"
#include "emu/engine/reg.h"
#include "tests/suites.h"

/* clang-format off */
#define TRY_REGS(REG, FIELD, VALUE)                                     \
    REG(TRY_PLAIN, 0x000, 1, 4, RW, 0x12, "no fields")                  \
    REG(TRY_TARGET, 0x0ac, 1, 4, RW, 0, "where to")                     \
      FIELD(TRY_TARGET_ENGINE, 4, 0, "engine id")                       \
        VALUE(TRY_TARGET_ENGINE_SW, 31, "left to software")             \
        VALUE(TRY_TARGET_ENGINE_NONE, 30, "")                           \
      FIELD(TRY_TARGET_VALID, 16, 16, "")                               \
      FIELD(ODD_NAME, 31, 17, "")                                       \
    REG(TRY_ARRAY, 0x200, 3, 16, RO, 7, "every 16 bytes")               \
    REG(TRY_BETWEEN, 0x204, 3, 16, W1C, 0, "woven into the other")      \
    REG(TRY_SINGLE, 0x300, 1, 0, WO, 0, "one register needs no stride")
/* clang-format on */
enum { TRY_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
static const struct reg_row try_rows[] = {TRY_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};
static const struct reg_list try_list = {
    .name = "try",
    .source = "",
    .rows = try_rows,
    .row_count = sizeof try_rows / sizeof try_rows[0],
};

/* Every field there can be, with its mask made bit by bit. */
START_TEST(every_field_comes_back_and_touches_nothing_else)
{
    struct random_state random;

    random_seed(&random, 1, 0);
    for (unsigned lo = 0; lo < 32; lo++)
        for (unsigned hi = lo; hi < 32; hi++) {
            const uint32_t word = random_next(&random), part = random_next(&random);
            uint32_t field = 0, value = 0, put;

            for (unsigned bit = lo; bit <= hi; bit++) {
                field |= UINT32_C(1) << bit;
                value |= (part >> (bit - lo) & 1) << (bit - lo);
            }
            put = reg_put(word, hi, lo, value);
            ck_assert_uint_eq(reg_get(put, hi, lo), value);
            ck_assert_uint_eq(put & ~field, word & ~field);
            ck_assert_uint_eq(reg_put(word, hi, lo, reg_get(word, hi, lo)), word);
        }
}
END_TEST

START_TEST(constants_are_those_of_the_list)
{
    ck_assert_uint_eq(TRY_TARGET, 0xac);
    ck_assert_uint_eq(REG_GET(0x0001001f, TRY_TARGET_ENGINE), TRY_TARGET_ENGINE_SW);
    ck_assert_uint_eq(REG_PUT(0, TRY_TARGET_VALID, 1), 0x10000);
}
END_TEST

START_TEST(a_value_too_large_for_its_field_is_a_programmers_error)
{
    (void)reg_put(0, 4, 1, 16);
}
END_TEST

START_TEST(a_register_is_found_at_each_of_its_offsets_and_nowhere_else)
{
    const char *expected[0x310] = {0};
    uint32_t index;

    expected[0] = "TRY_PLAIN";
    expected[0xac] = "TRY_TARGET";
    for (unsigned i = 0; i < 3; i++) {
        expected[0x200 + 16 * i] = "TRY_ARRAY";
        expected[0x204 + 16 * i] = "TRY_BETWEEN";
    }
    expected[0x300] = "TRY_SINGLE";
    for (uint32_t offset = 0; offset < 0x310; offset++) {
        const struct reg_row *row = reg_find(&try_list, REG_ALL_VARIANTS, offset, &index);

        ck_assert_msg((row != NULL) == (expected[offset] != NULL), "at 0x%x", offset);
        if (row)
            ck_assert_str_eq(row->name, expected[offset]);
    }
    ck_assert_ptr_nonnull(reg_find(&try_list, REG_ALL_VARIANTS, 0x224, &index));
    ck_assert_uint_eq(index, 2);
}
END_TEST

static void expect_text(uint32_t offset, uint32_t value, const char *expected)
{
    char text[200];
    uint32_t index;
    const struct reg_row *row = reg_find(&try_list, REG_ALL_VARIANTS, offset, &index);

    ck_assert_ptr_nonnull(row);
    reg_format(&try_list, REG_ALL_VARIANTS, row, index, value, text, sizeof text);
    ck_assert_str_eq(text, expected);
}

START_TEST(a_register_is_spelled_out_with_its_fields_and_values)
{
    expect_text(0x0, 0xabc, "TRY_PLAIN=00000abc");
    expect_text(0xac, 0x0001001f, "TRY_TARGET=0001001f ENGINE=31(SW) VALID=1 ODD_NAME=0");
    expect_text(0xac, 0xfffe0003, "TRY_TARGET=fffe0003 ENGINE=3 VALID=0 ODD_NAME=32767");
    expect_text(0x220, 9, "TRY_ARRAY(2)=00000009");
}
END_TEST

START_TEST(a_text_that_is_too_long_is_cut_inside_its_buffer)
{
    char whole[200];

    reg_format(&try_list, REG_ALL_VARIANTS, &try_rows[1], 0, 0x0001001f, whole, sizeof whole);
    for (size_t bytes = 0; bytes < strlen(whole) + 2; bytes++) {
        char text[200];

        memset(text, '#', sizeof text);
        reg_format(&try_list, REG_ALL_VARIANTS, &try_rows[1], 0, 0x0001001f, text, bytes);
        ck_assert_int_eq(text[bytes], '#');
        if (bytes > 0) {
            ck_assert_uint_lt(strlen(text), bytes);
            ck_assert_int_eq(strncmp(text, whole, strlen(text)), 0);
        }
    }
}
END_TEST

Suite *reg_suite(void)
{
    Suite *suite = suite_create("reg");
    TCase *fields = tcase_create("fields");
    TCase *lists = tcase_create("lists");

    tcase_add_test(fields, every_field_comes_back_and_touches_nothing_else);
    tcase_add_test(fields, constants_are_those_of_the_list);
    tcase_add_test_raise_signal(fields, a_value_too_large_for_its_field_is_a_programmers_error,
                                SIGABRT);
    suite_add_tcase(suite, fields);
    tcase_add_test(lists, a_register_is_found_at_each_of_its_offsets_and_nowhere_else);
    tcase_add_test(lists, a_register_is_spelled_out_with_its_fields_and_values);
    tcase_add_test(lists, a_text_that_is_too_long_is_cut_inside_its_buffer);
    suite_add_tcase(suite, lists);
    return suite;
}
