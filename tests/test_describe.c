/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/describe.h"
#include "tests/suites.h"

/* clang-format off */
#define TRY_REGS(REG, FIELD, VALUE)                                         \
    REG(TRY_GET, 0x014, 1, 4, RW, 0x12, "next entry")                       \
    REG(TRY_TARGET, 0x0ac, 1, 4, RO, 0, "")                                 \
      FIELD(TRY_TARGET_ENGINE, 4, 0, "engine id")                           \
        VALUE(TRY_TARGET_ENGINE_SW, 31, "left to software")                 \
      FIELD(TRY_TARGET_VALID, 16, 16, "")                                   \
    REG(TRY_TOP_GET, 0x200, 3, 16, W1C, 7, "array")
/* clang-format on */
static const struct reg_row try_rows[] = {TRY_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};
static const struct reg_list try_list = {
    .name = "try",
    .source = "a manual",
    .rows = try_rows,
    .row_count = sizeof try_rows / sizeof try_rows[0],
};

static const struct rule first_rules[] = {
    RULE_ROW(0, "-", DOCUMENTED, HARDWARE, "gfe", "No rule was needed.")
        RULE_ROW(0, "T.G3", PUBLISHED_ON("GP10B (Jetson TX2), GV100"), HARDWARE, "a paper",
                 "A kernel leaves its queue.")};
static const struct rule second_rules[] = {
    RULE_ROW(0, "TX.G3", INFERRED, RUNTIME, "another", "Something else.")};
static const struct parameter second_parameters[] = {
    PARAMETER_ROW(0, "t.fetch_cycles", "host cycles", 500, ASSUMED, "gfe", "Reading.")};
static const struct choice_point second_choices[] = {
    CHOICE_ROW(0, "core.block_to_sm", 1, ASSUMED, "gfe", "Where a block goes.", "first", "least")
        CHOICE_ROW(0, "t.turn", 0, INFERRED_OPEN, "a timeline", "Whose turn it is.", "one", "other")
            CHOICE_ROW(0, "t.way", 0, INFERRED, "a timeline", "Which way.", "here", "there")};
static const struct table_set first = {.name = "first", .rules = first_rules, .rule_count = 2};
static const struct table_set second = {.name = "second",
                                        .rules = second_rules,
                                        .parameters = second_parameters,
                                        .choices = second_choices,
                                        .rule_count = 1,
                                        .parameter_count = 1,
                                        .choice_count = 3};
static const struct table_set *const sets[] = {&first, &second};

static char *text;
static size_t text_bytes;

static FILE *text_open(void)
{
    FILE *file = open_memstream(&text, &text_bytes);

    ck_assert_ptr_nonnull(file);
    return file;
}

static void text_expect(FILE *file, const char *expected)
{
    fclose(file);
    ck_assert_str_eq(text, expected);
    free(text);
}

static uint32_t registers(const char *word, const char *expected)
{
    FILE *file = text_open();
    const uint32_t count = describe_registers(file, &try_list, REG_ALL_VARIANTS, word);

    text_expect(file, expected);
    return count;
}

#define HEAD "try\nSource: a manual\n"
#define GET  "\n0x0014  TRY_GET\n        read/write; after reset 0x00000012\n        next entry\n"
#define TARGET                                                                                     \
    "\n0x00ac  TRY_TARGET\n        read only; after reset 0x00000000\n"                            \
    "        bits  4:0   TRY_TARGET_ENGINE\n                    engine id\n"                       \
    "              = 31      TRY_TARGET_ENGINE_SW\n"                                               \
    "                        left to software\n"                                                   \
    "        bit 16      TRY_TARGET_VALID\n"
#define TOP_GET                                                                                    \
    "\n0x0200 + i * 16, i = 0 ... 2  TRY_TOP_GET\n"                                                \
    "        write 1 to clear; after reset 0x00000007\n        array\n"

START_TEST(a_list_is_printed_as_a_manual_page)
{
    ck_assert_uint_eq(registers(NULL, HEAD GET TARGET TOP_GET), 3);
}
END_TEST

START_TEST(a_register_is_found_by_its_name_or_a_part_of_it)
{
    ck_assert_uint_eq(registers("try_get", HEAD GET), 1);
    ck_assert_uint_eq(registers("get", HEAD GET TARGET TOP_GET), 3);
    ck_assert_uint_eq(registers("_GET", HEAD GET TOP_GET), 2);
    ck_assert_uint_eq(registers("put", ""), 0);
    ck_assert_uint_eq(registers("a_name_longer_than_any_register_has", ""), 0);
}
END_TEST

START_TEST(lists_are_counted)
{
    const struct reg_list *const lists[] = {&try_list};
    FILE *file = text_open();

    describe_reg_lists(file, lists, 1, REG_ALL_VARIANTS);
    text_expect(file, "try                        3 registers   a manual\n");
}
END_TEST

#define G3                                                                                         \
    "\nT.G3                 PUBLISHED; enforced by hardware\n"                                     \
    "        A kernel leaves its queue.\n        Source: a paper\n"                                \
    "        Seen on: GP10B (Jetson TX2), GV100\n"
#define X_G3                                                                                       \
    "\nTX.G3                INFERRED; enforced by runtime\n"                                       \
    "        Something else.\n        Source: another\n"
#define FETCH                                                                                      \
    "\nt.fetch_cycles = 500 host cycles   ASSUMED\n        Reading.\n        Source: gfe\n"
#define BLOCK                                                                                      \
    "\ncore.block_to_sm   ASSUMED\n        Where a block goes.\n"                                  \
    "        - first\n        - least (default)\n        Source: gfe\n"
#define TURN                                                                                       \
    "\nt.turn   INFERRED, left open\n        Whose turn it is.\n"                                  \
    "        - one (default)\n        - other\n        Source: a timeline\n"
#define WAY                                                                                        \
    "\nt.way   INFERRED\n        Which way.\n"                                                     \
    "        - here (default)\n        - there\n        Source: a timeline\n"

static uint32_t rules(const char *label, const char *expected)
{
    const struct describe_question question = {.label = label};
    FILE *file = text_open();
    const uint32_t count = describe_rules(file, sets, 2, &question);

    text_expect(file, expected);
    return count;
}

START_TEST(rules_parameters_and_choices_are_printed_with_basis_and_source)
{
    ck_assert_uint_eq(
        rules(NULL, "RULES\n" G3 X_G3 "\nPARAMETERS\n" FETCH "\nCHOICE POINTS\n" BLOCK TURN WAY),
        6);
}
END_TEST

START_TEST(a_label_selects_one_row_or_a_family_but_no_part_of_a_word)
{
    ck_assert_uint_eq(rules("t.g3", "RULES\n" G3), 1);
    ck_assert_uint_eq(rules("T", "RULES\n" G3 "\nPARAMETERS\n" FETCH "\nCHOICE POINTS\n" TURN WAY),
                      4);
    ck_assert_uint_eq(rules("core", "CHOICE POINTS\n" BLOCK), 1);
    ck_assert_uint_eq(rules("cor", ""), 0);
    ck_assert_uint_eq(rules("-", ""), 0);
}
END_TEST

/* Of the chip that a row was seen on, of another card with it, and of another chip. */
START_TEST(what_was_seen_on_another_chip_is_carried_over)
{
    static const struct {
        const char *gpu, *chip, *says;
    } rows[] = {
        {"tx2", "GP10B", "\n        Seen on: GP10B (Jetson TX2), GV100\n"},
        {"v100", "GV100", "\n        Seen on: GP10B (Jetson TX2), GV100\n"},
        {"h100", "GH100", "\n        Carried over from: GP10B (Jetson TX2), GV100\n"},
        {"xavier", "GV10", "\n        Carried over from: GP10B (Jetson TX2), GV100\n"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct describe_question question = {
            .label = "T.G3", .gpu = rows[i].gpu, .chip = rows[i].chip};
        json_t *json = describe_rules_json(sets, 2, &question);
        const json_t *row = json_array_get(json_object_get(json, "rules"), 0);
        FILE *file = text_open();

        ck_assert_uint_eq(describe_rules(file, sets, 2, &question), 1);
        fclose(file);
        ck_assert_msg(strstr(text, rows[i].says) != NULL, "%s: %s", rows[i].gpu, text);
        free(text);
        ck_assert_str_eq(json_string_value(json_object_get(row, "seen_on")),
                         "GP10B (Jetson TX2), GV100");
        ck_assert_int_eq(json_is_true(json_object_get(row, "carried_over")), i >= 2);
        json_decref(json);
    }
}
END_TEST

START_TEST(the_json_says_the_same)
{
    const struct describe_question all = {0}, none = {.label = "nothing"};
    json_t *json = describe_rules_json(sets, 2, &all);
    char *dumped;

    ck_assert_ptr_nonnull(json);
    dumped = json_dumps(json, JSON_COMPACT);
    ck_assert_str_eq(
        dumped,
        "{\"rules\":[{\"label\":\"T.G3\",\"family\":\"first\",\"basis\":\"PUBLISHED\","
        "\"enforced_by\":\"hardware\",\"source\":\"a paper\",\"text\":\"A kernel leaves its "
        "queue.\",\"seen_on\":\"GP10B (Jetson TX2), GV100\"},{\"label\":\"TX.G3\",\"family\":\"second\",\"basis\":\"INFERRED\","
        "\"enforced_by\":\"runtime\",\"source\":\"another\",\"text\":\"Something else.\"}],"
        "\"parameters\":[{\"id\":\"t.fetch_cycles\",\"family\":\"second\",\"value\":500,"
        "\"unit\":\"host cycles\",\"basis\":\"ASSUMED\",\"source\":\"gfe\",\"text\":\"Reading.\"}],"
        "\"choice_points\":[{\"id\":\"core.block_to_sm\",\"family\":\"second\",\"alternatives\":"
        "[\"first\",\"least\"],\"default\":\"least\",\"basis\":\"ASSUMED\",\"open\":true,\"source\":"
        "\"gfe\",\"text\":\"Where a block goes.\"},{\"id\":\"t.turn\",\"family\":\"second\","
        "\"alternatives\":[\"one\",\"other\"],\"default\":\"one\",\"basis\":\"INFERRED\",\"open\":"
        "true,\"source\":\"a timeline\",\"text\":\"Whose turn it is.\"},{\"id\":\"t.way\",\"family\":"
        "\"second\",\"alternatives\":[\"here\",\"there\"],\"default\":\"here\",\"basis\":"
        "\"INFERRED\",\"open\":false,\"source\":\"a timeline\",\"text\":\"Which way.\"}]}");
    free(dumped);
    json_decref(json);

    json = describe_rules_json(sets, 2, &none);
    ck_assert_ptr_nonnull(json);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "rules")), 0);
    json_decref(json);
}
END_TEST

START_TEST(text_is_wrapped_between_words_at_100_columns)
{
    char words[400] = "", expected[400] = "";
    FILE *file = text_open();

    for (unsigned i = 0; i < 24; i++)
        strcat(words, i == 11 ? "  word56789" : " word56789");
    for (unsigned i = 0; i < 24; i++) {
        strcat(expected, i % 9 == 0 ? "          word56789" : " word56789");
        strcat(expected, i % 9 == 8 || i == 23 ? "\n" : "");
    }
    describe_wrapped(file, 10, words);
    describe_wrapped(file, 10, "");
    text_expect(file, expected);
}
END_TEST

Suite *describe_suite(void)
{
    Suite *suite = suite_create("describe");
    TCase *regs = tcase_create("registers");
    TCase *tables = tcase_create("tables");

    tcase_add_test(regs, a_list_is_printed_as_a_manual_page);
    tcase_add_test(regs, a_register_is_found_by_its_name_or_a_part_of_it);
    tcase_add_test(regs, lists_are_counted);
    suite_add_tcase(suite, regs);
    tcase_add_test(tables, rules_parameters_and_choices_are_printed_with_basis_and_source);
    tcase_add_test(tables, a_label_selects_one_row_or_a_family_but_no_part_of_a_word);
    tcase_add_test(tables, what_was_seen_on_another_chip_is_carried_over);
    tcase_add_test(tables, the_json_says_the_same);
    tcase_add_test(tables, text_is_wrapped_between_words_at_100_columns);
    suite_add_tcase(suite, tables);
    return suite;
}
