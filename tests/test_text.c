/* SPDX-License-Identifier: MIT */
/* How times and paragraphs are written. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "emu/base/text.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

START_TEST(times_read_well)
{
    static const struct {
        gfe_ps time_ps;
        const char *text;
    } rows[] = {{0, "0"},
                {7, "7 ps"},
                {1500, "1.5 ns"},
                {2345678, "2.346 us"},
                {999999999, "1 ms"},
                {US(12) + NS(30), "12.03 us"},
                {UINT64_C(1000000000000), "1 s"},
                {UINT64_C(3600000000000000), "3600 s"},
                {GFE_PS_NEVER, "18446744.073709551615 s"}};
    char text[48];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_str_eq(text_time(text, sizeof text, rows[i].time_ps), rows[i].text);
    ck_assert_str_eq(text_time_exact(text, sizeof text, MS(12) + NS(7213), 1000), "12.007213 ms");
    ck_assert_str_eq(text_time_exact(text, sizeof text, MS(12) + NS(7213), NS(500)), "12.0072 ms");
}
END_TEST

/* The ends of a range differ, whatever their distance; a long range reads as times do. */
START_TEST(ends_of_a_range_differ)
{
    static const struct {
        gfe_ps from_ps, to_ps;
        const char *from, *to;
    } rows[] = {{MS(1311), MS(1311) + US(400), "1.311 s", "1.3114 s"},
                {MS(1311) + NS(1), MS(1311) + NS(2), "1.311000001 s", "1.311000002 s"},
                {MS(1311) + 1, MS(1311) + 2, "1.311000000001 s", "1.311000000002 s"},
                {0, MS(1311) + US(123), "0", "1.311 s"},
                {US(999) + NS(999), MS(1) + NS(4), "999.999 us", "1.000004 ms"},
                {MS(5), MS(5), "5 ms", "5 ms"}};
    char text[48];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gfe_ps length_ps = rows[i].to_ps - rows[i].from_ps;

        ck_assert_str_eq(text_time_of_range(text, sizeof text, rows[i].from_ps, length_ps),
                         rows[i].from);
        ck_assert_str_eq(text_time_of_range(text, sizeof text, rows[i].to_ps, length_ps),
                         rows[i].to);
    }
}
END_TEST

static void paragraph_is(void print(FILE *, const char *, uint32_t, uint32_t), const char *expected)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    print(file, "a wave waits for a slot", 4, 14);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(paragraphs_are_indented)
{
    paragraph_is(text_paragraph, "    a wave\n    waits for\n    a slot\n");
    paragraph_is(text_paragraph_behind, "a wave\n    waits for\n    a slot\n");
}
END_TEST

START_TEST(utf8_is_told_from_other_bytes)
{
    static const struct {
        const char *text;
        size_t bytes; /* of the first character */
        bool all;
    } rows[] = {{"", 0, true},
                {"run.gfl", 1, true},
                {"\xc3\xa4", 2, true},
                {"\xe2\x82\xac.gfl", 3, true},
                {"\xf0\x9f\x8e\xb2", 4, true},
                {"a\xff", 1, false},
                {"\xc3", 0, false},
                {"\xc0\x80", 0, false},          /* longer than need be */
                {"\xed\xa0\x80", 0, false},      /* half of a pair */
                {"\xf4\x90\x80\x80", 0, false}}; /* past the last character */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_uint_eq(text_utf8_bytes(rows[i].text), rows[i].bytes);
        ck_assert(text_is_utf8(rows[i].text) == rows[i].all);
    }
}
END_TEST

Suite *text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, times_read_well);
    tcase_add_test(tcase, ends_of_a_range_differ);
    tcase_add_test(tcase, paragraphs_are_indented);
    tcase_add_test(tcase, utf8_is_told_from_other_bytes);
    suite_add_tcase(suite, tcase);
    return suite;
}
