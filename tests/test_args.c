/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/args.h"
#include "tests/suites.h"

enum { OPTION_SEED = ARGS_LONG_ONLY, OPTION_SIZE, WORDS_MAX = 10, TEXT_BYTES = 2000 };

static const struct args_option options[] = {
    {'o', "output", "FILE", "write to FILE"},
    {'j', "json", NULL, "print JSON"},
    {OPTION_SEED, "seed", "N", "seed\nof all choices"},
    {OPTION_SIZE, "size-of-something-long", "BYTES", "size"},
    {0},
};
static const struct args_command command = {"try", "[OPTION...] FILE", "Tries.\n", options, false};
static const struct args_command runner = {"exec", "PROGRAM ...", "Runs.\n", options, true};

/* A command line, split at spaces, walked to its end; what it said went to `text`. */
struct walk {
    struct args args;
    char line[200];
    char *words[WORDS_MAX];
    int count;
    int last; /* ARGS_END or ARGS_STOP */
    int ids[WORDS_MAX];
    const char *values[WORDS_MAX];
    int id_count;
    char text[TEXT_BYTES];
};

static void walk_line(struct walk *walk, const struct args_command *of, const char *line, int fd)
{
    FILE *said = tmpfile();
    const int saved = dup(fd);
    size_t bytes;
    int id;

    *walk = (struct walk){0};
    snprintf(walk->line, sizeof walk->line, "%s", line);
    for (char *word = strtok(walk->line, " "); word; word = strtok(NULL, " "))
        walk->words[walk->count++] = word;

    fflush(NULL);
    ck_assert(said && saved >= 0 && dup2(fileno(said), fd) == fd);
    args_start(&walk->args, of, walk->count, walk->words);
    while ((id = args_next(&walk->args)) > 0) {
        walk->ids[walk->id_count] = id;
        walk->values[walk->id_count++] = walk->args.value;
    }
    walk->last = id;
    fflush(NULL);
    dup2(saved, fd);
    close(saved);
    rewind(said);
    bytes = fread(walk->text, 1, sizeof walk->text - 1, said);
    walk->text[bytes] = '\0';
    fclose(said);
}

START_TEST(options_and_operands_may_stand_in_any_order)
{
    struct walk walk;

    walk_line(&walk, &command, "try a.gft --json -o x --seed=7 b -oy", STDERR_FILENO);
    ck_assert_int_eq(walk.last, ARGS_END);
    ck_assert_int_eq(walk.id_count, 4);
    ck_assert_int_eq(walk.ids[0], 'j');
    ck_assert_str_eq(walk.values[1], "x");
    ck_assert_int_eq(walk.ids[2], OPTION_SEED);
    ck_assert_str_eq(walk.values[2], "7");
    ck_assert_str_eq(walk.values[3], "y");
    ck_assert_int_eq(walk.args.operand_count, 2);
    ck_assert_str_eq(walk.args.operands[0], "a.gft");
    ck_assert_str_eq(walk.args.operands[1], "b");
    ck_assert_str_eq(walk.text, "");
}
END_TEST

START_TEST(a_command_that_runs_programs_stops_at_the_first_operand)
{
    struct walk walk;

    walk_line(&walk, &runner, "exec -j prog --json -o x", STDERR_FILENO);
    ck_assert_int_eq(walk.last, ARGS_END);
    ck_assert_int_eq(walk.id_count, 1);
    ck_assert_int_eq(walk.args.operand_count, 4);
    ck_assert_str_eq(walk.args.operands[1], "--json");

    walk_line(&walk, &runner, "exec -j -- -prog --json", STDERR_FILENO);
    ck_assert_int_eq(walk.last, ARGS_END);
    ck_assert_str_eq(walk.args.operands[0], "-prog");
}
END_TEST

START_TEST(help_goes_to_stdout_and_names_every_option)
{
    struct walk walk;

    walk_line(&walk, &command, "try --help", STDOUT_FILENO);
    ck_assert_int_eq(walk.last, ARGS_STOP);
    ck_assert_int_eq(walk.args.status, 0);
    ck_assert_str_eq(walk.text, "usage: gfe try [OPTION...] FILE\n\nTries.\n\n"
                                "  -o, --output FILE       write to FILE\n"
                                "  -j, --json              print JSON\n"
                                "      --seed N            seed\n"
                                "                          of all choices\n"
                                "      --size-of-something-long BYTES\n"
                                "                          size\n"
                                "  -h, --help              print this and stop\n");
}
END_TEST

static const struct wrong_row {
    const char *line, *said;
} wrong_rows[] = {
    {"try --foo", "unknown option '--foo'"},
    {"try --foo=3 x", "unknown option '--foo'"},
    {"try -x", "unknown option '-x'"},
    {"try --json -xj", "unknown option '-x'"},
    {"try --json=3", "--json takes no argument"},
    {"try -o", "--output needs an argument"},
    {"try a --seed", "--seed needs an argument"},
};

START_TEST(a_wrong_command_line_gets_one_line_and_status_2)
{
    const struct wrong_row *row = &wrong_rows[_i];
    char expected[200];
    struct walk walk;

    walk_line(&walk, &command, row->line, STDERR_FILENO);
    snprintf(expected, sizeof expected, "gfe try: %s (see gfe try --help)\n", row->said);
    ck_assert_int_eq(walk.last, ARGS_STOP);
    ck_assert_int_eq(walk.args.status, 2);
    ck_assert_str_eq(walk.text, expected);
}
END_TEST

START_TEST(operands_are_counted)
{
    struct walk walk;

    walk_line(&walk, &command, "try a b", STDERR_FILENO);
    ck_assert(args_operands(&walk.args, 0, -1));
    ck_assert(args_operands(&walk.args, 2, 2));
    ck_assert(!freopen("/dev/null", "w", stderr) || !args_operands(&walk.args, 1, 1));
    ck_assert_int_eq(walk.args.status, 2);
    walk.args.status = 0;
    ck_assert(!args_operands(&walk.args, 3, -1));
    ck_assert_int_eq(walk.args.status, 2);
}
END_TEST

static const struct figure_row {
    bool (*parse)(const char *text, uint64_t *value);
    const char *text;
    bool good;
    uint64_t value;
} figure_rows[] = {
    {args_parse_number, "0", true, 0},
    {args_parse_number, "18446744073709551615", true, UINT64_MAX},
    {args_parse_number, "18446744073709551616", false, 0},
    {args_parse_number, "0xffffffffffffffff", true, UINT64_MAX},
    {args_parse_number, "0x10000000000000000", false, 0},
    {args_parse_number, "0x1F", true, 31},
    {args_parse_number, "0x", false, 0},
    {args_parse_number, "0xg", false, 0},
    {args_parse_number, "", false, 0},
    {args_parse_number, "-1", false, 0},
    {args_parse_number, "+1", false, 0},
    {args_parse_number, " 1", false, 0},
    {args_parse_number, "1 ", false, 0},
    {args_parse_number, "12a", false, 0},
    {args_parse_time, "0", true, 0},
    {args_parse_time, "1", false, 0},
    {args_parse_time, "700ps", true, 700},
    {args_parse_time, "3ns", true, 3000},
    {args_parse_time, "1.5us", true, 1500000},
    {args_parse_time, "0.000000000001s", true, 1},
    {args_parse_time, "0.0000000000001s", false, 0},
    {args_parse_time, "1.0005ns", false, 0},
    {args_parse_time, "2ms", true, 2000000000},
    {args_parse_time, "18446744s", true, UINT64_C(18446744000000000000)},
    {args_parse_time, "18446745s", false, 0},
    {args_parse_time, "18446744073709551615ps", false, 0}, /* GFE_PS_NEVER */
    {args_parse_time, "1.s", false, 0},
    {args_parse_time, ".5s", false, 0},
    {args_parse_time, "1.5.5s", false, 0},
    {args_parse_time, "1sec", false, 0},
    {args_parse_time, "-1s", false, 0},
    {args_parse_bytes, "0", true, 0},
    {args_parse_bytes, "4096", true, 4096},
    {args_parse_bytes, "64k", true, 65536},
    {args_parse_bytes, "64K", true, 65536},
    {args_parse_bytes, "1.5M", true, 1572864},
    {args_parse_bytes, "2G", true, UINT64_C(2) << 30},
    {args_parse_bytes, "17179869183G", true, UINT64_C(17179869183) << 30},
    {args_parse_bytes, "17179869184G", false, 0},
    {args_parse_bytes, "0x300000", true, 0x300000},
    {args_parse_bytes, "0X1000", true, 4096},
    {args_parse_bytes, "0x", false, 0},
    {args_parse_bytes, "0x1k", false, 0},
    {args_parse_bytes, "0.3", false, 0},
    {args_parse_bytes, "1T", false, 0},
};

START_TEST(figures_are_exact_or_refused)
{
    const struct figure_row *row = &figure_rows[_i];
    uint64_t value = 99;

    ck_assert_msg(row->parse(row->text, &value) == row->good, "'%s'", row->text);
    if (row->good)
        ck_assert_uint_eq(value, row->value);
}
END_TEST

START_TEST(an_options_figure_is_checked_against_its_range)
{
    struct args args = {.command = &command, .option = "seed", .value = "8"};
    uint64_t value;

    ck_assert(args_number_within(&args, 8, 8, &value));
    ck_assert_uint_eq(value, 8);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    ck_assert(!args_number_within(&args, 0, 7, &value));
    ck_assert(!args_number_within(&args, 9, 20, &value));
    ck_assert(!args_time(&args, &value));
    ck_assert_int_eq(args.status, 2);
}
END_TEST

Suite *args_suite(void)
{
    Suite *suite = suite_create("args");
    TCase *lines = tcase_create("command lines");
    TCase *figures = tcase_create("figures");

    tcase_add_test(lines, options_and_operands_may_stand_in_any_order);
    tcase_add_test(lines, a_command_that_runs_programs_stops_at_the_first_operand);
    tcase_add_test(lines, help_goes_to_stdout_and_names_every_option);
    tcase_add_loop_test(lines, a_wrong_command_line_gets_one_line_and_status_2, 0,
                        sizeof wrong_rows / sizeof wrong_rows[0]);
    tcase_add_test(lines, operands_are_counted);
    suite_add_tcase(suite, lines);
    tcase_add_loop_test(figures, figures_are_exact_or_refused, 0,
                        sizeof figure_rows / sizeof figure_rows[0]);
    tcase_add_test(figures, an_options_figure_is_checked_against_its_range);
    suite_add_tcase(suite, figures);
    return suite;
}
