/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <signal.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"
#include "emu/sim/live_tables.h"
#include "tests/event_member.h"
#include "tests/suites.h"

/* clang-format off */
#define TRY_RULES(RULE)                                                                     \
    RULE(RULE_TRY_A, "TRY.A", DOCUMENTED, HARDWARE, "a manual", "The first.")               \
    RULE(RULE_TRY_B, "TRY.B", ASSUMED, KERNEL_DRIVER, "gfe", "The second.")
#define TRY_PARAMETERS(PARAMETER)                                                           \
    PARAMETER(PARAM_TRY_CYCLES, "try.cycles", "cycles", 40, MEASURED, "a paper", "A time.")
#define TRY_EVENTS(EVENT)                                                                   \
    EVENT(TRY_ONE, try_one, "one", a_id)                                                    \
    EVENT(TRY_ALL, try_all, "all", a, b, c, d, e, f, g, h)
/* clang-format on */
enum { RULE_TRY_FIRST_ = TABLE_AMD - 1, TRY_RULES(RULE_ID) RULE_TRY_END };
enum { PARAM_TRY_FIRST_ = TABLE_AMD - 1, TRY_PARAMETERS(PARAMETER_ID) PARAM_TRY_END };
enum { EVENT_TRY_FIRST_ = TABLE_AMD - 1, TRY_EVENTS(EVENT_ID) EVENT_TRY_END };
TRY_EVENTS(EVENT_STRUCT)
static const struct rule try_rules[] = {TRY_RULES(RULE_ROW)};
static const struct parameter try_parameters[] = {TRY_PARAMETERS(PARAMETER_ROW)};
static const struct event_kind_row try_events[] = {TRY_EVENTS(EVENT_ROW)};
static const struct event_kind_row try_none = {.name = "TRY_NONE", .doc = "none"};

START_TEST(a_number_less_its_base_is_the_row)
{
    ck_assert_int_eq(RULE_TRY_A, TABLE_AMD);
    ck_assert_int_eq(RULE_TRY_END - TABLE_AMD, 2);
    ck_assert_str_eq(try_rules[RULE_TRY_B - TABLE_AMD].label, "TRY.B");
    ck_assert_int_eq(try_rules[RULE_TRY_B - TABLE_AMD].enforcer, KERNEL_DRIVER);
    ck_assert_str_eq(try_parameters[PARAM_TRY_CYCLES - TABLE_AMD].unit, "cycles");
    ck_assert_uint_eq(try_parameters[PARAM_TRY_CYCLES - TABLE_AMD].value, 40);
    ck_assert_str_eq(try_events[EVENT_TRY_ONE - TABLE_AMD].name, "TRY_ONE");
    ck_assert_int_eq(EVENT_CPU_SUBMIT, TABLE_EMU);
}
END_TEST

START_TEST(arguments_are_counted_up_to_the_last_place)
{
    ck_assert_uint_eq(event_kind_argument_count(&try_none), 0);
    ck_assert_uint_eq(event_kind_argument_count(&try_events[EVENT_TRY_ONE - TABLE_AMD]), 1);
    ck_assert_uint_eq(event_kind_argument_count(&try_events[EVENT_TRY_ALL - TABLE_AMD]),
                      EVENT_ARGUMENTS_MAX);
}
END_TEST

START_TEST(a_row_gives_an_event_named_members_in_the_order_of_the_log)
{
    const struct log_event event = {
        .kind = EVENT_TRY_ALL, .argument_count = 8, .argument = {10, 11, 12, 13, 14, 15, 16, 17}};
    const struct log_event one = {.kind = EVENT_TRY_ONE, .argument_count = 1, .argument = {20}};
    const struct event_try_all all = event_try_all_of(&event);

    ck_assert_int_eq(EVENT_TRY_ONE_ARGUMENTS, 1);
    ck_assert_int_eq(EVENT_TRY_ALL_ARGUMENTS, EVENT_ARGUMENTS_MAX);
    ck_assert_uint_eq(sizeof all, sizeof event.argument);
    ck_assert_uint_eq(all.a, 10);
    ck_assert_uint_eq(all.b, 11);
    ck_assert_uint_eq(all.c, 12);
    ck_assert_uint_eq(all.d, 13);
    ck_assert_uint_eq(all.e, 14);
    ck_assert_uint_eq(all.f, 15);
    ck_assert_uint_eq(all.g, 16);
    ck_assert_uint_eq(all.h, 17);
    ck_assert_uint_eq(event_try_one_from(event.argument + 3).a_id, 13);
    ck_assert_uint_eq(event_try_one_of(&one).a_id, 20);
    ck_assert_str_eq(try_events[EVENT_TRY_ALL - TABLE_AMD].name, "TRY_ALL");
    ck_assert_str_eq(try_events[EVENT_TRY_ALL - TABLE_AMD].doc, "all");
    ck_assert_str_eq(try_events[EVENT_TRY_ALL - TABLE_AMD].arguments[0], "a");
    ck_assert_str_eq(try_events[EVENT_TRY_ALL - TABLE_AMD].arguments[7], "h");
}
END_TEST

START_TEST(an_event_of_another_kind_has_other_members)
{
    const struct log_event event = {.kind = EVENT_TRY_ONE, .argument_count = 1};

    (void)event_try_all_of(&event);
}
END_TEST

/* C has errno as a macro, so the member has another name than the argument in a log. */
START_TEST(the_log_calls_an_errno_errno)
{
    ck_assert_int_eq(EVENT_PLACE(live_call, errno_code), 2);
    ck_assert_str_eq(live_tables.events[EVENT_LIVE_CALL - TABLE_LIVE].arguments[2], "errno");
}
END_TEST

/* The names stand in logs and in JSON: changing one is a change of format. */
START_TEST(bases_and_enforcers_have_the_words_of_the_design)
{
    ck_assert_str_eq(rule_basis_name(DOCUMENTED), "DOCUMENTED");
    ck_assert_str_eq(rule_basis_name(PUBLISHED), "PUBLISHED");
    ck_assert_str_eq(rule_basis_name(MEASURED), "MEASURED");
    ck_assert_str_eq(rule_basis_name(INFERRED), "INFERRED");
    ck_assert_str_eq(rule_basis_name(ASSUMED), "ASSUMED");
    ck_assert_str_eq(rule_enforcer_name(HARDWARE), "hardware");
    ck_assert_str_eq(rule_enforcer_name(FIRMWARE), "firmware");
    ck_assert_str_eq(rule_enforcer_name(KERNEL_DRIVER), "kernel driver");
    ck_assert_str_eq(rule_enforcer_name(RUNTIME), "runtime");
}
END_TEST

Suite *rule_suite(void)
{
    Suite *suite = suite_create("rule");
    TCase *tcase = tcase_create("tables");

    tcase_add_test(tcase, a_number_less_its_base_is_the_row);
    tcase_add_test(tcase, arguments_are_counted_up_to_the_last_place);
    tcase_add_test(tcase, a_row_gives_an_event_named_members_in_the_order_of_the_log);
    tcase_add_test_raise_signal(tcase, an_event_of_another_kind_has_other_members, SIGABRT);
    tcase_add_test(tcase, the_log_calls_an_errno_errno);
    tcase_add_test(tcase, bases_and_enforcers_have_the_words_of_the_design);
    suite_add_tcase(suite, tcase);
    return suite;
}
