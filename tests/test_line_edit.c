/* SPDX-License-Identifier: MIT */
/* A line that is typed: editing, history, completion, keys in several bytes. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/program/line_edit.h"
#include "tests/suites.h"

static struct line_edit edit;

/* The words that there are. */
static void words(void *context, const char *line, void (*take)(void *taker, const char *word),
                  void *taker)
{
    static const char *const all[] = {"step", "start", "stop", "where"};
    const char *last = strrchr(line, ' ');
    const char *word = last ? last + 1 : line;

    (void)context;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strncmp(all[i], word, strlen(word)) == 0)
            take(taker, all[i]);
}

/* Types bytes; the last key's result. */
static enum line_edit_result type(const char *keys)
{
    enum line_edit_result result = LINE_EDIT_MORE;

    for (; *keys; keys++)
        result = line_edit_key(&edit, (unsigned char)*keys);
    return result;
}

static void has(const char *text, uint32_t cursor)
{
    ck_assert_str_eq(edit.text, text);
    ck_assert_uint_eq(edit.length, strlen(text));
    ck_assert_uint_eq(edit.cursor, cursor);
}

START_TEST(keys_edit_the_line)
{
    line_edit_init(&edit, NULL, NULL);
    type("print x");
    has("print x", 7);
    type("\x01");
    has("print x", 0);
    type("\x06\x06\x04");
    has("prnt x", 2);
    type("i");
    has("print x", 3);
    type("\x05\x7f\x08");
    has("print", 5);
    type(" one two\x17");
    has("print one ", 10);
    type("\x02\x02\x0b");
    has("print on", 8);
    type("\x02\x15");
    has("n", 0);
    type("\x02\x7f"); /* nothing is there */
    has("n", 0);
    ck_assert_int_eq(type("\x04"), LINE_EDIT_MORE);
    has("", 0);
    ck_assert_int_eq(type("\x04"), LINE_EDIT_CLOSED);
    ck_assert_int_eq(type("a\x03"), LINE_EDIT_DROPPED);
    ck_assert_int_eq(type("\r"), LINE_EDIT_DONE);
    ck_assert_int_eq(type("\x0c"), LINE_EDIT_REDRAW);
}
END_TEST

START_TEST(arrows_come_in_several_bytes)
{
    line_edit_init(&edit, NULL, NULL);
    type("abc\x1b[D\x1b[Dx");
    has("axbc", 2);
    type("\x1b[3~");
    has("axc", 2);
    type("\x1b[H1\x1b[F2");
    has("1axc2", 5);
    type("\x1bOH\x1b[4~");
    has("1axc2", 5);
    type("\x1b[1;5C\x1b[99999999Z"); /* of no meaning, or too long */
    type("\x1b[D");
    ck_assert_ptr_null(strchr(edit.text, '['));
}
END_TEST

START_TEST(older_lines_come_back)
{
    line_edit_init(&edit, NULL, NULL);
    type("one");
    line_edit_next(&edit);
    type("two");
    line_edit_next(&edit);
    type("two"); /* the same again is kept once */
    line_edit_next(&edit);
    type("  ");
    line_edit_next(&edit);
    has("", 0);
    type("new\x10");
    has("two", 3);
    type("\x1b[A");
    has("one", 3);
    type("\x10");
    has("one", 3);
    type("\x0e\x1b[B");
    has("new", 3);
    type("\x0e");
    has("new", 3);
}
END_TEST

START_TEST(the_history_keeps_the_newest)
{
    char text[32];

    line_edit_init(&edit, NULL, NULL);
    for (int i = 0; i < LINE_EDIT_HISTORY + 20; i++) {
        (void)snprintf(text, sizeof text, "line %d", i);
        type(text);
        line_edit_next(&edit);
    }
    for (int i = 0; i < LINE_EDIT_HISTORY + 20; i++)
        type("\x10");
    ck_assert_str_eq(edit.text, "line 20");
}
END_TEST

START_TEST(tab_completes)
{
    line_edit_init(&edit, words, NULL);
    ck_assert_int_eq(type("wh\t"), LINE_EDIT_MORE);
    has("where ", 6);
    ck_assert_int_eq(type("s\t"), LINE_EDIT_MORE);
    has("where st", 8);
    ck_assert_int_eq(type("\t"), LINE_EDIT_CHOICE);
    has("where st", 8);
    type("e\t");
    has("where step ", 11);
    type("x\t");
    has("where step x", 12);
}
END_TEST

START_TEST(a_line_has_an_end)
{
    line_edit_init(&edit, words, NULL);
    for (int i = 0; i < 2 * LINE_EDIT_BYTES; i++)
        type("y");
    ck_assert_uint_eq(edit.length, LINE_EDIT_BYTES - 1);
    ck_assert_uint_eq(strlen(edit.text), LINE_EDIT_BYTES - 1);
}
END_TEST

Suite *line_edit_suite(void)
{
    Suite *suite = suite_create("line_edit");
    TCase *cases = tcase_create("keys");

    tcase_add_test(cases, keys_edit_the_line);
    tcase_add_test(cases, arrows_come_in_several_bytes);
    tcase_add_test(cases, older_lines_come_back);
    tcase_add_test(cases, the_history_keeps_the_newest);
    tcase_add_test(cases, tab_completes);
    tcase_add_test(cases, a_line_has_an_end);
    suite_add_tcase(suite, cases);
    return suite;
}
