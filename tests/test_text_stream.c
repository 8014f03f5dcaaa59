/* SPDX-License-Identifier: MIT */
/* Streams whose text stays in memory, with enough of it and without. */
#include <config.h>

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "emu/base/text_stream.h"
#include "tests/check_long.h"
#include "tests/suites.h"

enum { PIECES = 3000 };
#define MIB ((size_t)1 << 20)

START_TEST(what_was_printed_comes_out)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);
    char *text, *at;

    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < PIECES; i++)
        ck_assert_int_eq(fprintf(file, "%08d\n", i), 9);
    text = at = text_stream_close(&stream, file);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(strlen(text), 9 * PIECES);
    for (int i = 0; i < PIECES; i++)
        ck_assert_int_eq(strtol(at, &at, 10), i);
    free(text);
}
END_TEST

START_TEST(nothing_printed_is_an_empty_text)
{
    struct text_stream stream;
    char *text = text_stream_close(&stream, text_stream_open(&stream));

    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(no_stream_has_no_text)
{
    struct text_stream stream;

    ck_assert_ptr_null(text_stream_close(&stream, NULL));
}
END_TEST

static size_t bytes_in_use(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    size_t pages = 0;

    ck_assert(file && fscanf(file, "%zu", &pages) == 1);
    ck_assert_int_eq(fclose(file), 0);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* As open_memstream() has it, the text would come out without the pieces that found no room. */
START_TEST(without_room_for_all_there_is_no_text)
{
    static char piece[MIB];
    struct rlimit before, limit;
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);
    char *text;

    memset(piece, 'x', sizeof piece);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    limit = (struct rlimit){bytes_in_use() + 32 * MIB, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    for (int i = 0; i < 64; i++)
        (void)fwrite(piece, 1, sizeof piece, file);
    fputs("the end fits again", file);
    text = text_stream_close(&stream, file);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    ck_assert_ptr_null(text);
}
END_TEST

Suite *text_stream_suite(void)
{
    Suite *suite = suite_create("text_stream");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, what_was_printed_comes_out);
    tcase_add_test(tcase, nothing_printed_is_an_empty_text);
    tcase_add_test(tcase, no_stream_has_no_text);
    if (!CHECK_SANITIZED) /* a sanitizer ends a process that gets no memory */
        tcase_add_test(tcase, without_room_for_all_there_is_no_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
