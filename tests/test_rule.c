/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/log/rule.h"
#include "tests/suites.h"

/* clang-format off */
#define TRY_RULES(RULE)                                                                     \
    RULE(RULE_TRY_A, "TRY.A", DOCUMENTED, HARDWARE, "a manual", "The first.")               \
    RULE(RULE_TRY_B, "TRY.B", ASSUMED, KERNEL_DRIVER, "gfe", "The second.")
#define TRY_PARAMETERS(PARAMETER)                                                           \
    PARAMETER(PARAM_TRY_CYCLES, "try.cycles", "cycles", 40, MEASURED, "a paper", "A time.")
#define TRY_EVENTS(EVENT)                                                                   \
    EVENT(EVENT_TRY_NONE, "TRY_NONE", "none", NULL)                                         \
    EVENT(EVENT_TRY_ONE, "TRY_ONE", "one", "a_id")                                          \
    EVENT(EVENT_TRY_ALL, "TRY_ALL", "all", "a", "b", "c", "d", "e", "f", "g", "h")
/* clang-format on */
enum { RULE_TRY_FIRST_ = TABLE_AMD - 1, TRY_RULES(RULE_ID) RULE_TRY_END };
enum { PARAM_TRY_FIRST_ = TABLE_AMD - 1, TRY_PARAMETERS(PARAMETER_ID) PARAM_TRY_END };
enum { EVENT_TRY_FIRST_ = TABLE_AMD - 1, TRY_EVENTS(EVENT_ID) EVENT_TRY_END };
static const struct rule try_rules[] = {TRY_RULES(RULE_ROW)};
static const struct parameter try_parameters[] = {TRY_PARAMETERS(PARAMETER_ROW)};
static const struct event_kind_row try_events[] = {TRY_EVENTS(EVENT_ROW)};

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
    ck_assert_uint_eq(event_kind_argument_count(&try_events[EVENT_TRY_NONE - TABLE_AMD]), 0);
    ck_assert_uint_eq(event_kind_argument_count(&try_events[EVENT_TRY_ONE - TABLE_AMD]), 1);
    ck_assert_uint_eq(event_kind_argument_count(&try_events[EVENT_TRY_ALL - TABLE_AMD]),
                      EVENT_ARGUMENTS_MAX);
}
END_TEST

/* The names stand in logs and in JSON: changing one is a change of format. */
START_TEST(bases_and_enforcers_have_the_words_of_the_design)
{
    ck_assert_str_eq(rule_basis_name(DOCUMENTED), "DOCUMENTED");
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
    tcase_add_test(tcase, bases_and_enforcers_have_the_words_of_the_design);
    suite_add_tcase(suite, tcase);
    return suite;
}
