/* SPDX-License-Identifier: MIT */
/* Text for terminals, for SVG and HTML, and for cells of CSV: what a name cannot do in each. */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/csv.h"
#include "emu/base/markup.h"
#include "emu/base/visible.h"
#include "tests/suites.h"

enum { TEXT_BYTES = 512 };

/* What is shown for characters: those that ISO 6429 and UAX 9 list, and their neighbours. */
static const struct {
    const char *text, *stream, *name;
} shown[] = {
    {"plain ~ text", "plain ~ text", "plain ~ text"},
    {"a\tb\nc", "a\tb\nc", "a\\u0009b\\u000ac"},
    {"\x1b[2J", "\\u001b[2J", "\\u001b[2J"},
    {"one\rtwo", "one\\u000dtwo", "one\\u000dtwo"},
    {"\x07\x08\x7f", "\\u0007\\u0008\\u007f", "\\u0007\\u0008\\u007f"},
    {"\xc2\x9b\x32J", "\\u009b2J", "\\u009b2J"},
    {"\xc2\xa0\xc3\xa9", "\xc2\xa0\xc3\xa9", "\xc2\xa0\xc3\xa9"},
    {"\x9b\x32J \xff", "\\x9b2J \\xff", "\\x9b2J \\xff"},
    {"a\xe2\x80\xae"
     "b",
     "a\\u202eb", "a\\u202eb"},
    {"\xe2\x80\xa8\xe2\x81\xa7\xd8\x9c", "\\u2028\\u2067\\u061c", "\\u2028\\u2067\\u061c"},
    {"\xe2\x80\xa7\xe2\x81\xa5", "\xe2\x80\xa7\xe2\x81\xa5", "\xe2\x80\xa7\xe2\x81\xa5"},
    {"\xe2\x9c\x93\xf0\x9f\x98\x80", "\xe2\x9c\x93\xf0\x9f\x98\x80",
     "\xe2\x9c\x93\xf0\x9f\x98\x80"},
    {"\xe2\x80", "\\xe2\\x80", "\\xe2\\x80"},
    {"\xe2(\xc2", "\\xe2(\\xc2", "\\xe2(\\xc2"},
    {"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80", "\\xc0\\xaf\\xed\\xa0\\x80"},
};
enum { SHOWN = sizeof shown / sizeof shown[0] };

/* Writes a text in pieces of so many bytes to a stream, and returns what comes out. */
static void through(const char *text, size_t piece, char out[TEXT_BYTES])
{
    const size_t length = strlen(text);
    int ends[2];
    ssize_t got;
    FILE *file;

    ck_assert_int_eq(pipe(ends), 0);
    file = visible_open(ends[1]);
    ck_assert_ptr_nonnull(file);
    for (size_t at = 0; at < length; at += piece) {
        const size_t bytes = length - at < piece ? length - at : piece;

        ck_assert_uint_eq(fwrite(text + at, 1, bytes, file), bytes);
        ck_assert_int_eq(fflush(file), 0);
    }
    ck_assert_int_eq(fclose(file), 0);
    got = read(ends[0], out, TEXT_BYTES - 1);
    ck_assert_int_ge(got, 0);
    out[got] = '\0';
    ck_assert_int_eq(close(ends[0]), 0);
}

/* PROMISE (program): No text that gfe prints has a character that commands a terminal, wherever a
 * name comes from. */
START_TEST(what_commands_a_terminal_is_shown)
{
    char out[TEXT_BYTES];

    for (size_t piece = 1; piece < 6; piece++) {
        through(shown[_i].text, piece, out);
        ck_assert_str_eq(out, shown[_i].stream);
    }
    ck_assert_str_eq(visible_name(out, sizeof out, shown[_i].text), shown[_i].name);
    ck_assert_int_eq(visible_is(shown[_i].text), strcmp(shown[_i].text, shown[_i].name) == 0);
    (void)snprintf(out, sizeof out, "%s", shown[_i].text);
    visible_mark(out);
    ck_assert_uint_eq(strlen(out), strlen(shown[_i].text));
    ck_assert(visible_is(out));
}
END_TEST

START_TEST(a_zero_byte_is_shown_too)
{
    char out[TEXT_BYTES];
    int ends[2];
    FILE *file;

    ck_assert_int_eq(pipe(ends), 0);
    file = visible_open(ends[1]);
    ck_assert(file && fwrite("a\0b", 1, 3, file) == 3);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(read(ends[0], out, sizeof out), 8);
    ck_assert(memcmp(out, "a\\u0000b", 8) == 0);
    ck_assert_int_eq(close(ends[0]), 0);
}
END_TEST

/* A name is cut after a whole character, also after one that is shown. */
START_TEST(a_name_is_cut_after_a_character)
{
    char to[8];

    ck_assert_str_eq(visible_name(to, sizeof to, "abcdef\xc3\xa9"), "abcdef");
    ck_assert_str_eq(visible_name(to, sizeof to, "abcde\xc3\xa9"), "abcde\xc3\xa9");
    ck_assert_str_eq(visible_name(to, sizeof to, "ab\x1b"), "ab");
    ck_assert_str_eq(visible_name(to, sizeof to, "a\x1b"), "a\\u001b");
    ck_assert_str_eq(visible_name(to, 1, "a"), "");
}
END_TEST

/* A stream says that a disk is full. */
START_TEST(a_write_that_fails_is_told)
{
    const int fd = dup(STDOUT_FILENO);
    FILE *full = fopen("/dev/full", "w");
    FILE *file;

    ck_assert(fd >= 0 && full != NULL);
    ck_assert_int_eq(dup2(fileno(full), fd), fd);
    file = visible_open(fd);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("text", file), 0);
    ck_assert_int_eq(fflush(file), EOF);
    ck_assert_int_ne(ferror(file), 0);
    (void)fclose(file);
    ck_assert_int_eq(fclose(full), 0);
}
END_TEST

/* ---- markup and cells ------------------------------------------------------------------------ */

/* Reads what was written to a temporary file. */
static void read_back(FILE *file, char out[TEXT_BYTES])
{
    size_t got;

    rewind(file);
    got = fread(out, 1, TEXT_BYTES - 1, file);
    out[got] = '\0';
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(markup_is_escaped)
{
    char out[TEXT_BYTES];
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    markup_print(file, "<i a=\"%s\">%.*s|%.3s</i>%c%d %05" PRIu64 " %" PRIx32 " %zu %*d%%",
                 "\"><script>&", 4, "<b>>>", "a\xc3\xa9z", '<', -3, UINT64_C(12), UINT32_C(0xab),
                 (size_t)7, 4, 5);
    markup_text(file, "\x1b\xc2\x9b\xff\xef\xbf\xbf\xf0\x9f\x98\x80");
    read_back(file, out);
    ck_assert_str_eq(out,
                     "<i a=\"&quot;&gt;&lt;script&gt;&amp;\">&lt;b&gt;&gt;|a\xc3\xa9</i>&lt;-3 "
                     "00012 ab 7    5%????\xf0\x9f\x98\x80");
}
END_TEST

/* What spreadsheets take for formulas (OWASP, CSV Injection), and what RFC 4180 quotes. */
START_TEST(a_cell_is_no_formula)
{
    static const struct {
        const char *text, *cell;
    } cells[] = {
        {"gp_entry", "gp_entry"},    {"", ""},
        {"a,b", "\"a,b\""},          {"a\"b", "\"a\"\"b\""},
        {"=1+1", "\"'=1+1\""},       {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},           {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"\t=1", "\"'\\u0009=1\""},  {"\r=1", "\"'\\u000d=1\""},
        {"a\n=1", "\"a\\u000a=1\""}, {"a=1", "a=1"},
    };

    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char out[TEXT_BYTES];
        FILE *file = tmpfile();

        ck_assert_ptr_nonnull(file);
        csv_text(file, cells[i].text);
        read_back(file, out);
        ck_assert_str_eq(out, cells[i].cell);
    }
}
END_TEST

Suite *visible_suite(void)
{
    Suite *suite = suite_create("visible");
    TCase *tcase = tcase_create("all");

    tcase_add_loop_test(tcase, what_commands_a_terminal_is_shown, 0, SHOWN);
    tcase_add_test(tcase, a_zero_byte_is_shown_too);
    tcase_add_test(tcase, a_name_is_cut_after_a_character);
    tcase_add_test(tcase, a_write_that_fails_is_told);
    tcase_add_test(tcase, markup_is_escaped);
    tcase_add_test(tcase, a_cell_is_no_formula);
    suite_add_tcase(suite, tcase);
    return suite;
}
