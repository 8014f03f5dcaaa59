/* SPDX-License-Identifier: MIT */
/* What a class has that the class before lacks: "what is new in Ada?". */
#include <config.h>

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class_diff.h"
#include "tests/suites.h"

/*
 * Counted with a program of its own on the whole table of each class, as docs/tools/class_table.awk
 * writes it for a first class: methods and formats by offset, against those of the class before.
 */
static const struct {
    uint16_t id, before_id;
    struct nv_class_diff_counts counts;
} expected[] = {
    {0x902d, 0, {0, 0, 0}},         {0x9039, 0, {0, 0, 0}},         {0x906e, 0, {0, 0, 0}},
    {0x906f, 0, {0, 0, 0}},         {0x9097, 0, {0, 0, 0}},         {0x90b5, 0, {0, 0, 0}},
    {0x90c0, 0, {0, 0, 0}},         {0x9197, 0x9097, {2, 1, 0}},    {0x91c0, 0x90c0, {1, 6, 0}},
    {0x9297, 0x9197, {10, 4, 0}},   {0xa040, 0, {0, 0, 0}},         {0xa06f, 0x906f, {0, 1, 0}},
    {0xa097, 0x9297, {29, 25, 24}}, {0xa0b5, 0x90b5, {2, 1, 4}},    {0xa0c0, 0x91c0, {44, 9, 62}},
    {0xa140, 0xa040, {0, 5, 0}},    {0xa16f, 0xa06f, {1, 1, 0}},    {0xa197, 0xa097, {2, 1, 0}},
    {0xa1c0, 0xa0c0, {6, 0, 0}},    {0xa26f, 0xa16f, {2, 2, 0}},    {0xa297, 0xa197, {16, 2, 1}},
    {0xb06f, 0xa26f, {2, 3, 4}},    {0xb097, 0xa297, {24, 10, 32}}, {0xb0b5, 0xa0b5, {0, 1, 0}},
    {0xb0c0, 0xa1c0, {20, 0, 2}},   {0xb197, 0xb097, {28, 5, 0}},   {0xb1c0, 0xb0c0, {8, 0, 0}},
    {0xc06f, 0xb06f, {4, 2, 0}},    {0xc097, 0xb197, {8, 6, 0}},    {0xc0b5, 0xb0b5, {0, 6, 0}},
    {0xc0c0, 0xb1c0, {9, 8, 0}},    {0xc197, 0xc097, {12, 12, 0}},  {0xc1b5, 0xc0b5, {4, 1, 0}},
    {0xc1c0, 0xc0c0, {3, 1, 0}},    {0xc36f, 0xc06f, {6, 5, 2}},    {0xc397, 0xc197, {8, 5, 13}},
    {0xc3b5, 0xc1b5, {0, 3, 0}},    {0xc3c0, 0xc1c0, {7, 0, 34}},   {0xc46f, 0xc36f, {0, 2, 0}},
    {0xc56f, 0xc46f, {0, 2, 1}},    {0xc597, 0xc397, {49, 15, 8}},  {0xc5b0, 0, {0, 0, 0}},
    {0xc5b5, 0xc3b5, {0, 1, 0}},    {0xc5b7, 0, {0, 0, 0}},         {0xc5c0, 0xc3c0, {5, 1, 2}},
    {0xc697, 0xc597, {1, 0, 1}},    {0xc6b0, 0xc5b0, {7, 4, 2}},    {0xc6b5, 0xc5b5, {0, 3, 0}},
    {0xc6c0, 0xc5c0, {1, 0, 16}},   {0xc76f, 0xc56f, {0, 1, 0}},    {0xc797, 0xc697, {11, 7, 0}},
    {0xc7b0, 0xc6b0, {58, 3, 0}},   {0xc7b5, 0xc6b5, {4, 1, 0}},    {0xc7b7, 0xc5b7, {12, 5, 2}},
    {0xc7c0, 0xc6c0, {25, 3, 0}},   {0xc86f, 0xc76f, {0, 4, 0}},    {0xc8b5, 0xc7b5, {8, 6, 0}},
    {0xc96f, 0xc86f, {0, 1, 0}},    {0xc997, 0xc797, {0, 0, 0}},    {0xc9b0, 0xc7b0, {2, 1, 0}},
    {0xc9b5, 0xc8b5, {0, 1, 0}},    {0xc9b7, 0xc7b7, {27, 3, 20}},  {0xc9c0, 0xc7c0, {0, 0, 0}},
    {0xc9d1, 0xe7d0, {6, 6, 0}},    {0xca6f, 0xc96f, {0, 0, 0}},    {0xcab5, 0xc9b5, {0, 3, 0}},
    {0xcb97, 0xc997, {1, 8, 0}},    {0xcbc0, 0xc9c0, {3, 12, 3}},   {0xcd97, 0xcb97, {6, 11, 8}},
    {0xcdc0, 0xcbc0, {3, 3, 11}},   {0xce97, 0xcd97, {6, 1, 0}},    {0xcec0, 0xcdc0, {9, 0, 0}},
    {0xe7d0, 0, {0, 0, 0}},
};
#define EXPECTED_COUNT (sizeof expected / sizeof expected[0])

/* PROMISE (nvidia): What `gfe regs --new` says of a class is what differs between the whole
 * tables of both classes. */
START_TEST(what_differs_is_what_differs_between_whole_tables)
{
    ck_assert_uint_eq(nv_class_count(), EXPECTED_COUNT);
    for (size_t i = 0; i < EXPECTED_COUNT; i++) {
        const struct nv_class *nv_class = nv_class_find(expected[i].id);
        const struct nv_class_diff_counts counts = nv_class_diff_count(nv_class);

        ck_assert_uint_eq(nv_class->before_id, expected[i].before_id);
        ck_assert_msg(memcmp(&counts, &expected[i].counts, sizeof counts) == 0,
                      "%04x: %u added, %u changed, %u removed", nv_class->id, counts.added,
                      counts.changed, counts.removed);
    }
}
END_TEST

static bool has_all(const struct nv_class_row *method, const struct nv_class_row *rows)
{
    const struct nv_class_row *row = rows;

    do
        if (!nv_class_diff_has(method, row))
            return false;
    while ((++row)->kind == NV_ROW_FIELD || row->kind == NV_ROW_VALUE);
    return true;
}

/* Else a file would repeat the class before, and a page would call a method changed and not say
 * how. */
START_TEST(a_method_that_changed_has_a_row_that_the_one_before_lacks_or_lacks_one)
{
    for (size_t i = 0; i < nv_class_count(); i++) {
        struct nv_class_diff diff = {0};

        while (nv_class_diff_next(nv_class_at(i), &diff))
            if (diff.before && diff.now)
                ck_assert_msg(!has_all(diff.before, diff.now) || !has_all(diff.now, diff.before),
                              "%s of %04x", nv_class_row_name(diff.now), nv_class_at(i)->id);
    }
}
END_TEST

static const struct nv_class_row *row_of(uint32_t id, uint32_t offset, const char *field,
                                         const char *value)
{
    const struct nv_class_row *row;
    struct nv_class_method method;

    ck_assert(nv_class_lookup(nv_class_find(id), offset, &method));
    for (row = method.row; field && strcmp(nv_class_row_name(row), field) != 0; row++)
        ck_assert(row == method.row || row->kind != NV_ROW_METHOD);
    for (; value && strcmp(nv_class_row_name(row), value) != 0; row++)
        ck_assert(row->kind != NV_ROW_METHOD);
    return row;
}

/* Hopper's copies (c8b5) have one bit of VPRMODE where Ampere's (c7b5) have two, and a COPY_TYPE.
 */
START_TEST(rows_are_the_same_when_names_bits_and_numbers_are)
{
    const struct nv_class_row *before = row_of(0xc7b5, 0x300, NULL, NULL);
    const struct nv_class_row *now = row_of(0xc8b5, 0x300, NULL, NULL);

    ck_assert_ptr_ne(before, now);
    ck_assert(nv_class_diff_has(before, now));
    ck_assert(nv_class_diff_has(before, row_of(0xc8b5, 0x300, "FLUSH_ENABLE", NULL)));
    ck_assert(nv_class_diff_has(before, row_of(0xc8b5, 0x300, "FLUSH_ENABLE", "TRUE")));
    ck_assert(!nv_class_diff_has(before, row_of(0xc8b5, 0x300, "VPRMODE", NULL)));
    ck_assert(!nv_class_diff_has(now, row_of(0xc7b5, 0x300, "VPRMODE", NULL)));
    ck_assert(!nv_class_diff_has(before, row_of(0xc8b5, 0x300, "MEMORY_SCRUB_ENABLE", "TRUE")));
    ck_assert(!nv_class_diff_has(before, row_of(0xc8b5, 0x400, NULL, NULL)));
}
END_TEST

/* The page of what is new in a class; the caller's to free. */
static char *new_page(uint32_t id)
{
    size_t size;
    char *text;
    FILE *file = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(file);
    nv_class_print_new(file, nv_class_find(id));
    fclose(file);
    return text;
}

static const struct {
    uint32_t id;
    const char *page;
} pages[] = {
    {0xc997, "ADA_A (c997) has nothing new: its methods are those of AMPERE_B (c797)\n"},
    {0xc9c0,
     "ADA_COMPUTE_A (c9c0) has nothing new: its methods are those of AMPERE_COMPUTE_B (c7c0)\n"},
    {0x9097, "FERMI_A (9097) is the first class of its family here: all its methods are new\n"},
    {0xca6f, "BLACKWELL_CHANNEL_GPFIFO_B (ca6f) has nothing new: its methods are those of "
             "BLACKWELL_CHANNEL_GPFIFO_A (c96f)\n"},
    {0xc697, "AMPERE_A (c697) after TURING_A (c597): 1 added, 0 changed, 1 removed\n"
             "\n"
             "added    0x2004 + i * 64, i < 12  SET_PIPELINE_RESERVED_B\n"
             "         bit 0       V\n"
             "removed  0x2608  SET_BINDLESS_TEXTURE\n"},
    {0xc86f, "HOPPER_CHANNEL_GPFIFO_A (c86f) after AMPERE_CHANNEL_GPFIFO_B (c76f): 0 added, "
             "4 changed, 0 removed\n"
             "\n"
             "changed  0x0028  MEM_OP_A\n"
             "       + bits  8:0   TLB_INVALIDATE_CANCEL_MMU_ENGINE_ID\n"
             "       - bits  6:0   TLB_INVALIDATE_CANCEL_MMU_ENGINE_ID\n"
             "changed  0x0060  SEM_ADDR_HI\n"
             "       + bits 24:0   OFFSET\n"
             "       - bits  7:0   OFFSET\n"
             "changed  in memory  GP_ENTRY0\n"
             "       + bits 24:8   PB_EXTENDED_BASE_OPERAND\n"
             "changed  in memory  GP_ENTRY1\n"
             "         bits  7:0   OPCODE\n"
             "       +              = 0x4      SET_PB_SEGMENT_EXTENDED_BASE\n"},
};

START_TEST(a_page_says_what_is_new)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        char *text = new_page(pages[i].id);

        ck_assert_str_eq(text, pages[i].page);
        free(text);
    }
}
END_TEST

START_TEST(a_method_of_another_name_is_changed_and_both_names_are_shown)
{
    char *text = new_page(0xc797);

    ck_assert_ptr_nonnull(strstr(text, "\nchanged  0x0824 + i * 64, i < 8  "
                                       "SET_COLOR_TARGET_C_ROP_SLICE_MAP\n"
                                       "  before 0x0824 + i * 64, i < 8  "
                                       "SET_COLOR_TARGET_RESERVED_A\n"
                                       "       + bits 31:0   VIRTUAL_ADDRESS_MASK\n"
                                       "       - bit 0       V\n"));
    free(text);
}
END_TEST

/* SET_STREAM_OUT_LAYOUT_SELECT is an array of arrays; its 23 is where the next method begins. */
START_TEST(a_class_is_printed_with_the_methods_whose_names_have_the_word)
{
    static const char layout[] =
        "PASCAL_B (c197)\n\n"
        "0x2800 + i * 128, i < 23, + j * 4, j < 32  SET_STREAM_OUT_LAYOUT_SELECT\n"
        "         bits  7:0   ATTRIBUTE_NUMBER00\n";
    size_t size;
    char *text;
    FILE *file = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(nv_class_methods_named(nv_class_find(0xc197), "out_layout_sel"), 1);
    ck_assert_uint_eq(nv_class_methods_named(nv_class_find(0xc197), "no such word"), 0);
    ck_assert_uint_eq(nv_class_methods_named(nv_class_find(0x906e), NULL), 9);
    nv_class_print(file, nv_class_find(0xc197), "out_layout_sel");
    nv_class_print(file, nv_class_find(0x906e), NULL);
    nv_class_print_line(file, nv_class_find(0xc997));
    nv_class_print_line(file, nv_class_find(0x906e));
    fclose(file);
    ck_assert_ptr_eq(text, strstr(text, layout));
    ck_assert_ptr_nonnull(strstr(text, "NOUVEAU_SW_GF100 (906e)\n\n0x0000  SET_OBJECT\n"
                                       "         bits 15:0   CLASS_ID\n\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\nc997  ADA_A                      666 methods   after c797: 0 added, "
                     "0 changed, 0 removed\n"
                     "906e  NOUVEAU_SW_GF100             9 methods   first of its family\n"));
    free(text);
}
END_TEST

Suite *nv_class_diff_suite(void)
{
    Suite *suite = suite_create("nv_class_diff");
    TCase *tcase = tcase_create("differences");

    tcase_add_test(tcase, what_differs_is_what_differs_between_whole_tables);
    tcase_add_test(tcase, a_method_that_changed_has_a_row_that_the_one_before_lacks_or_lacks_one);
    tcase_add_test(tcase, rows_are_the_same_when_names_bits_and_numbers_are);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("pages");
    tcase_add_test(tcase, a_page_says_what_is_new);
    tcase_add_test(tcase, a_method_of_another_name_is_changed_and_both_names_are_shown);
    tcase_add_test(tcase, a_class_is_printed_with_the_methods_whose_names_have_the_word);
    suite_add_tcase(suite, tcase);
    return suite;
}
