/* SPDX-License-Identifier: MIT */
/* Names of operations and blocks are taken apart, and what is none is refused. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/analysis/explain/operation_name.h"
#include "tests/suites.h"

/* What does not matter is 0. */
static const struct {
    const char *text;
    struct operation_name name;
} names[] = {
    {"submission:4", {OPERATION_BY_NUMBER, EXPLAIN_SUBMISSION, 4, 0, 0, 12, false, 0}},
    {"launch:2", {OPERATION_BY_NUMBER, EXPLAIN_LAUNCH, 2, 0, 0, 8, false, 0}},
    {"copy:1", {OPERATION_BY_NUMBER, EXPLAIN_COPY, 1, 0, 0, 6, false, 0}},
    {"draw:5", {OPERATION_BY_NUMBER, EXPLAIN_DRAW, 5, 0, 0, 6, false, 0}},
    {"semaphore:3", {OPERATION_BY_NUMBER, EXPLAIN_SEMAPHORE, 3, 0, 0, 11, false, 0}},
    {"gp:0:17", {OPERATION_BY_NUMBER, EXPLAIN_ENTRY, 17, 0, 0, 7, false, 0}},
    {"gp:3.2:17", {OPERATION_BY_NUMBER, EXPLAIN_ENTRY, 17, 3, 2, 9, false, 0}},
    {"block:2.12", {OPERATION_BY_NUMBER, EXPLAIN_LAUNCH, 2, 0, 0, 10, true, 12}},
    {"launch:2:12", {OPERATION_BY_NUMBER, EXPLAIN_LAUNCH, 2, 0, 0, 11, true, 12}},
    {"K1", {OPERATION_BY_TURN, EXPLAIN_LAUNCH, 1, 0, 0, 2, false, 0}},
    {"C20", {OPERATION_BY_TURN, EXPLAIN_COPY, 20, 0, 0, 3, false, 0}},
    {"D3", {OPERATION_BY_TURN, EXPLAIN_DRAW, 3, 0, 0, 2, false, 0}},
    {"K1:0", {OPERATION_BY_TURN, EXPLAIN_LAUNCH, 1, 0, 0, 2, true, 0}},
    {"K12:4294967295", {OPERATION_BY_TURN, EXPLAIN_LAUNCH, 12, 0, 0, 3, true, UINT32_MAX}},
    {"K4#3", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 4, false, 0}},
    {"K4#3:7", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 4, true, 7}},
    {"Q1024/kernel#2:7", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 14, true, 7}},
    {"a:b", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 3, false, 0}},
    {"K1:0:0", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 4, true, 0}},
    {"K1:4294967296", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 13, false, 0}},
    {"-1", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 2, false, 0}},
    {"launches:2", {OPERATION_BY_LABEL, EXPLAIN_KINDS, 0, 0, 0, 8, true, 2}},
};

/* PROMISE (analysis): Every name in a picture, a table or the page is one for `gfe explain` and
 * `gfe debug`. */
START_TEST(names_are_taken_apart)
{
    const struct operation_name *want = &names[_i].name;
    const char *text = names[_i].text;
    struct operation_name name;

    ck_assert_msg(operation_name_read(text, &name), "%s", text);
    ck_assert_msg(name.form == want->form, "%s: form %d", text, (int)name.form);
    ck_assert_msg(want->form == OPERATION_BY_LABEL || name.kind == want->kind, "%s", text);
    ck_assert_msg(want->form == OPERATION_BY_LABEL || name.number == want->number, "%s", text);
    ck_assert_msg(name.channel == want->channel && name.binding == want->binding, "%s", text);
    ck_assert_msg(name.bytes == want->bytes, "%s: %zu bytes", text, name.bytes);
    ck_assert_msg(name.has_block == want->has_block && name.block == want->block, "%s", text);
    ck_assert(operation_name_is_number(text) == (want->form == OPERATION_BY_NUMBER));
}
END_TEST

START_TEST(no_operation_is_called_so)
{
    // clang-format off
    static const char *const none[] = {
        "",         ":0",       "launch:",    "launch:x",   "launch:2.0",  "launch:2:",
        "copy:1:0", "block:2",  "block:2:0",  "block:2.x",  "gp:0",        "gp:0.:1",
        "gp:x:1",   "draw:5:0", "block:2.4294967296", "submission:99999999999999999999999999"};
    // clang-format on
    struct operation_name name;

    ck_assert_msg(!operation_name_read(none[_i], &name), "%s", none[_i]);
    ck_assert((name.form == OPERATION_BY_NUMBER) == (_i > 1));
}
END_TEST

Suite *operation_name_suite(void)
{
    Suite *suite = suite_create("operation_name");
    TCase *test = tcase_create("all");

    tcase_add_loop_test(test, names_are_taken_apart, 0, sizeof names / sizeof names[0]);
    tcase_add_loop_test(test, no_operation_is_called_so, 0, 16);
    suite_add_tcase(suite, test);
    return suite;
}
