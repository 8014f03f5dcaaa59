/* SPDX-License-Identifier: MIT */
/* JSON values that are made while memory is short, or of bytes that are not UTF-8. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "tests/check_json.h"
#include "tests/suites.h"

static bool print(FILE *file, json_t *value)
{
    const bool done = value && json_text_print(file, value);

    json_decref(value);
    return done;
}

static bool print_packed(FILE *file, void *context)
{
    check_json_start();
    return print(file, json_text_pack("{ss s{ss* s[s?]} ss* ss? ss* si}", "name", "K1", "inner",
                                      "rule", "T.G1", "list", context, "label", context, "subject",
                                      context, "slot", (const char *)NULL, "count", 7));
}

/* json_pack() says nothing when it leaves one out. */
START_TEST(optional_members_are_there_or_nothing_is)
{
    char text[] = "SMs";

    check_json_whole(print_packed, text);
    check_json_whole(print_packed, NULL);
}
END_TEST

START_TEST(optional_members_are_as_json_pack_has_them)
{
    json_t *ours = json_text_pack("{ss* ss? ss* ss?}", "a", "x", "b", "y", "c", NULL, "d", NULL);
    json_t *theirs = json_pack("{ss* ss? ss* ss?}", "a", "x", "b", "y", "c", NULL, "d", NULL);
    char *text = json_text(ours, JSON_COMPACT);

    ck_assert(json_equal(ours, theirs));
    ck_assert_str_eq(text, "{\"a\":\"x\",\"b\":\"y\",\"d\":null}");
    free(text);
    json_decref(ours);
    json_decref(theirs);
    ck_assert_ptr_null(json_text_pack("{ss*}", "a", "\xff"));
    ck_assert_ptr_null(json_text_pack("{ss}", "a", NULL));
}
END_TEST

static bool print_string(FILE *file, void *context)
{
    check_json_start();
    return print(file, json_pack("[o]", json_text_string(context)));
}

START_TEST(a_string_is_null_only_where_it_is_not_utf8)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"", true},          {"run.gfl", true}, {"\xc3\xa4.gfl", true}, {"\xf0\x9f\x8e\xb2", true},
        {"\xff.gfl", false}, {"\xc3", false},   {"\xed\xa0\x80", false}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[16];
        json_t *value = json_text_string(rows[i].text);
        json_t *plain = json_string(rows[i].text);

        if (rows[i].good)
            ck_assert_str_eq(json_string_value(value), rows[i].text);
        else
            ck_assert(json_is_null(value));
        ck_assert(rows[i].good == (plain != NULL));
        json_decref(value);
        json_decref(plain);
        (void)snprintf(text, sizeof text, "%s", rows[i].text);
        check_json_whole(print_string, text);
    }
}
END_TEST

static bool print_loop(FILE *file, void *context)
{
    json_t *list = json_array(), *object = json_object();

    (void)context;
    check_json_start();
    for (int i = 0; i < 20; i++) {
        char key[16];

        (void)snprintf(key, sizeof key, "k%d", i);
        list = json_text_append(list, json_integer(i));
        object = json_text_set(object, key, json_string(key));
    }
    return print(file, json_pack("{so so}", "list", list, "object", object));
}

START_TEST(what_a_loop_makes_is_whole_or_null)
{
    check_json_whole(print_loop, NULL);
    ck_assert_ptr_null(json_text_append(NULL, json_integer(1)));
    ck_assert_ptr_null(json_text_append(json_array(), NULL));
    ck_assert_ptr_null(json_text_set(NULL, "key", json_integer(1)));
    ck_assert_ptr_null(json_text_set(json_object(), "key", NULL));
}
END_TEST

static bool print_read(FILE *file, void *context)
{
    check_json_start();
    return print(file, json_text_loads(context));
}

START_TEST(what_is_read_is_whole_or_nothing)
{
    char text[] = "{\"name\": \"a longer name, with \\u00e4 and \\n\", \"list\": [1, 2.5, null]}";

    check_json_whole(print_read, text);
}
END_TEST

Suite *json_text_suite(void)
{
    Suite *suite = suite_create("json_text");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, optional_members_are_there_or_nothing_is);
    tcase_add_test(tcase, optional_members_are_as_json_pack_has_them);
    tcase_add_test(tcase, a_string_is_null_only_where_it_is_not_utf8);
    tcase_add_test(tcase, what_a_loop_makes_is_whole_or_null);
    tcase_add_test(tcase, what_is_read_is_whole_or_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
