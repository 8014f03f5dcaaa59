/* SPDX-License-Identifier: MIT */
/* Files that are read up to a bound: whole ones, lines, and files without an end. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/input.h"
#include "tests/suites.h"

enum { BYTES = 200000 };
static char path[] = "/tmp/gfe-test-input-XXXXXX";

static void setup(void)
{
    (void)snprintf(path, sizeof path, "/tmp/gfe-test-input-XXXXXX");
    ck_assert_int_eq(close(mkstemp(path)), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(unlink(path), 0);
}

static void fill(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, bytes, file), bytes);
    ck_assert_int_eq(fclose(file), 0);
}

/* PROMISE (program): Each reader of a file has a bound: a device or a pipe without an end is
 * refused, with the option that raises the bound. */
START_TEST(a_file_is_read_up_to_its_bound)
{
    static char text[BYTES];
    struct gfe_error error = {0};
    struct input_bound bound = {BYTES, "--max-input"};
    size_t bytes;
    char *got;

    memset(text, 'x', sizeof text);
    fill(text, sizeof text);
    got = input_load(path, bound, &bytes, &error);
    ck_assert_msg(got && bytes == BYTES && memcmp(got, text, BYTES) == 0 && got[BYTES] == '\0',
                  "%s", error.text);
    free(got);
    bound.bytes--;
    ck_assert_ptr_null(input_load(path, bound, &bytes, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "more than 199999 bytes; --max-input raises that"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(input_load("/dev/zero", input_fixed(3 << 20), &bytes, &error));
    ck_assert_str_eq(error.text, "/dev/zero: more than 3 MiB");
    error = (struct gfe_error){0};
    ck_assert_ptr_null(input_load("/nowhere", bound, &bytes, &error));
    ck_assert_str_eq(error.text, "/nowhere: No such file or directory");
    error = (struct gfe_error){0};
    ck_assert_ptr_null(input_load("/", bound, &bytes, &error));
    ck_assert_str_eq(error.text, "/: Is a directory");
}
END_TEST

START_TEST(an_empty_file_is_read)
{
    struct gfe_error error = {0};
    size_t bytes = 1;
    char *got = input_load(path, input_fixed(0), &bytes, &error);

    ck_assert_msg(got && bytes == 0 && *got == '\0', "%s", error.text);
    free(got);
}
END_TEST

START_TEST(lines_have_bounds)
{
    struct gfe_error error = {0};
    char line[8];
    FILE *file;

    fill("123456\n12\n\n1234567\nab\0\n", 23);
    file = input_open(path, 100, &error);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LONG);
    ck_assert_str_eq(line, "123456");
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_str_eq(line, "\n");
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_str_eq(line, "12\n");
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LONG);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_str_eq(line, "7\n");
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_ZERO);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_END);
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(the_last_line_needs_no_end)
{
    struct gfe_error error = {0};
    char line[8];
    FILE *file;

    fill("12\n34", 5);
    file = input_open(path, 5, &error);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_LINE);
    ck_assert_str_eq(line, "34");
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_END);
    ck_assert_int_eq(fclose(file), 0);
    file = input_open(path, 4, &error);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(input_line(file, line, sizeof line), INPUT_FAILED);
    ck_assert_int_eq(errno, EFBIG);
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

/* That short reads are gone on with is shown by tests/test_failures.sh. */
START_TEST(a_part_is_read_up_to_the_end)
{
    char part[8] = "";
    FILE *file;

    fill("0123456789", 10);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(input_at(fileno(file), part, 4, 3), 4);
    ck_assert_int_eq(memcmp(part, "3456", 4), 0);
    ck_assert_int_eq(input_at(fileno(file), part, sizeof part, 8), 2);
    ck_assert_int_eq(memcmp(part, "89", 2), 0);
    ck_assert_int_eq(input_at(fileno(file), part, sizeof part, 10), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(input_at(-1, part, sizeof part, 0), -1);
    ck_assert_int_eq(errno, EBADF);
}
END_TEST

Suite *input_suite(void)
{
    Suite *suite = suite_create("input");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_file_is_read_up_to_its_bound);
    tcase_add_test(tcase, an_empty_file_is_read);
    tcase_add_test(tcase, a_part_is_read_up_to_the_end);
    tcase_add_test(tcase, lines_have_bounds);
    tcase_add_test(tcase, the_last_line_needs_no_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
