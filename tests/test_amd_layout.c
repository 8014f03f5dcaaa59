/* SPDX-License-Identifier: MIT */
/* What holds for every packet and descriptor, whichever decoder has it. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/formats/amd_layout.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_packet.h"
#include "tests/suites.h"

enum { FAMILIES = 3 + 2 * AMD_GENERATIONS, DWORDS = 600 };

typedef bool next_packet(struct amd_reader *reader, struct amd_packet *packet);
struct family {
    const char *name;
    const struct amd_layout *layouts;
    uint32_t count;
    next_packet *next;
    enum amd_generation generation;
};

static struct family family(int i)
{
    const struct family all[3] = {
        {"aql", amd_aql_layouts, amd_aql_layout_count, amd_aql_next, AMD_GENERATION_GFX9},
        {"mqd", &amd_mqd_layout, 1, amd_mqd_next, AMD_GENERATION_GFX9},
        {"kernel", &amd_kernel_layout, 1, amd_kernel_next, AMD_GENERATION_GFX9},
    };
    const enum amd_generation generation = (enum amd_generation)((i - 3) / 2);

    if (i < 3)
        return all[i];
    return i % 2
               ? (struct family){"pm4", amd_pm4_layouts_of(generation)->rows,
                                 amd_pm4_layouts_of(generation)->count, amd_pm4_next, generation}
               : (struct family){"sdma", amd_sdma_layouts_of(generation)->rows,
                                 amd_sdma_layouts_of(generation)->count, amd_sdma_next, generation};
}

static uint64_t highest(uint32_t bits)
{
    return (UINT64_MAX >> (64 - AMD_BITS_WIDTH(bits))) << AMD_BITS_SHIFT(bits);
}

/* All ones come back, no other bit is touched, and no two fields have the same bit. */
/* PROMISE (amd): Every field of every AMD packet and descriptor holds its value and no other
 * bit. */
START_TEST(every_field_holds_its_value_and_nothing_else)
{
    const struct family one = family(_i);

    for (uint32_t l = 0; l < one.count; l++) {
        const struct amd_layout *layout = &one.layouts[l];
        uint32_t taken[DWORDS] = {0};

        for (uint32_t f = 0; f < layout->field_count; f++) {
            const struct amd_field *field = &layout->fields[f];
            uint32_t zeroes[DWORDS] = {0}, ones[DWORDS];

            ck_assert_msg(AMD_BITS_WIDTH(field->bits) >= 1 && AMD_BITS_WIDTH(field->bits) <= 64 &&
                              AMD_BITS_WIDTH(field->bits) + AMD_BITS_SHIFT(field->bits) <= 64,
                          "%s %s", layout->name, field->name);
            ck_assert_msg(AMD_BITS_DWORDS(field->bits) <= layout->max_dwords, "%s %s", layout->name,
                          field->name);
            memset(ones, 0xff, sizeof ones);
            amd_put(zeroes, field->bits, highest(field->bits));
            amd_put(ones, field->bits, 0);
            ck_assert_msg(amd_get(zeroes, field->bits) == highest(field->bits), "%s %s",
                          layout->name, field->name);
            ck_assert_uint_eq(amd_get(ones, field->bits), 0);
            for (uint32_t i = 0; i < DWORDS; i++) {
                ck_assert_uint_eq(zeroes[i], ~ones[i]);
                ck_assert_msg((taken[i] & zeroes[i]) == 0, "%s %s lies on another field",
                              layout->name, field->name);
                taken[i] |= zeroes[i];
            }
            for (uint32_t other = 0; other < f; other++)
                ck_assert_str_ne(layout->fields[other].name, field->name);
            if (field->reg) {
                const struct reg_list *list;
                const struct reg_row *row;
                uint32_t index;

                ck_assert_msg(amd_register_find(field->reg, &list, &row, &index), "%s %s",
                              layout->name, field->name);
            }
        }
    }
}
END_TEST

/* The dwords of a packet of that layout, as short as it may be; how many. */
static uint32_t build(const struct family *one, const struct amd_layout *layout, uint32_t *dwords)
{
    uint32_t count = layout->min_dwords;

    memset(dwords, 0, DWORDS * sizeof *dwords);
    if (strcmp(one->name, "pm4") == 0) {
        count = count < 2 ? 2 : count;
        dwords[0] = AMD_PM4_HEADER(layout->code, count);
    } else if (strcmp(one->name, "aql") == 0) {
        dwords[0] = layout->code > 0xff ? layout->code << 8 : layout->code;
    } else if (strcmp(one->name, "sdma") == 0) {
        dwords[0] = layout->code;
        if (layout->tail != AMD_TAIL_NONE && layout->code != AMD_SDMA_OP_NOP)
            count++; /* a count of 0 is one dword of data */
    } else if (strcmp(one->name, "mqd") == 0) {
        dwords[0] = AMD_MQD_HEADER_V9;
    }
    if (layout->select_bits)
        amd_put(dwords, layout->select_bits, layout->select_value);
    return count;
}

static void ignore(void *context, const struct amd_item *item)
{
    uint32_t *items = context;

    ck_assert(item->kind == AMD_ITEM_DATA || item->kind == AMD_ITEM_RESERVED ||
              item->kind == AMD_ITEM_REGISTER || item->name != NULL);
    (*items)++;
}

START_TEST(every_layout_is_found_by_a_packet_of_its_own)
{
    const struct family one = family(_i);

    for (uint32_t l = 0; l < one.count; l++) {
        const struct amd_layout *layout = &one.layouts[l];
        uint32_t dwords[DWORDS], items = 0;
        const uint32_t count = build(&one, layout, dwords);
        struct amd_reader reader = {dwords, count, 0, one.generation};
        struct amd_packet packet;

        ck_assert(one.next(&reader, &packet));
        ck_assert_msg(packet.layout == layout, "%s %s is taken for another", one.name,
                      layout->name);
        ck_assert_msg(packet.problem == AMD_SOUND, "%s %s: %s", one.name, layout->name,
                      amd_problem_name(packet.problem));
        ck_assert_uint_eq(packet.dword_count, count);
        ck_assert(!one.next(&reader, &packet));
        amd_packet_items(&packet, ignore, &items);
        ck_assert_uint_ge(items, layout->field_count);
    }
}
END_TEST

/* A dword less each time: named all the same, and said to be cut off. */
/* Of two layouts with one code the first that fits is taken, and data may follow the fields of one
 * with a tail: any greater length fits it (amd_layout.h). */
START_TEST(a_layout_with_a_tail_fits_any_greater_length)
{
    static const struct amd_layout layouts[] = {
        {.code = 7, .name = "SHORT", .min_dwords = 2, .max_dwords = 3},
        {.code = 7, .name = "LONG", .min_dwords = 3, .max_dwords = 4, .tail = AMD_TAIL_DATA},
    };
    const uint32_t dwords[8] = {0};
    static const uint32_t picked[] = {0, 0, 0, 1, 1, 1}; /* by length, from 1 on */

    for (uint32_t i = 0; i < sizeof picked / sizeof picked[0]; i++)
        ck_assert_ptr_eq(amd_layout_select(layouts, 2, 7, dwords, 8, i + 1), &layouts[picked[i]]);
    ck_assert_ptr_null(amd_layout_select(layouts, 2, 8, dwords, 8, 4));
}
END_TEST

START_TEST(what_is_cut_off_is_named_and_said_to_be)
{
    const struct family one = family(_i);

    for (uint32_t l = 0; l < one.count; l++) {
        uint32_t dwords[DWORDS], items = 0;

        for (uint32_t left = build(&one, &one.layouts[l], dwords) - 1; left > 0; left--) {
            struct amd_reader reader = {dwords, left, 0, one.generation};
            struct amd_packet packet;

            ck_assert(one.next(&reader, &packet));
            ck_assert_int_eq(packet.problem, AMD_TRUNCATED);
            ck_assert_uint_eq(packet.dword_count, left);
            ck_assert_ptr_nonnull(packet.name);
            amd_packet_items(&packet, ignore, &items);
        }
    }
}
END_TEST

static uint32_t stir(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8 ^ *state << 11;
}

/* Headers that mean something come more often than they would by chance. */
static void fill(uint32_t *dwords, uint32_t seed)
{
    for (uint32_t i = 0; i < DWORDS; i++) {
        const uint32_t word = stir(&seed);

        dwords[i] = word;
        if (word % 3 == 0)
            dwords[i] = AMD_PM4_HEADER(word >> 8 & 0xff, 2 + (word >> 4 & 0xf));
        else if (word % 3 == 1)
            dwords[i] = word & 0xff00070f;
    }
}

/* PROMISE (amd): The decoder of AMD's packets gives any dwords a name (600 dwords of 200 seeds). */
START_TEST(any_dwords_are_walked_from_end_to_end)
{
    const struct family one = family(_i);

    for (uint32_t seed = 1; seed <= 200; seed++) {
        uint32_t dwords[DWORDS], at = 0, items = 0;
        struct amd_reader reader = {dwords, DWORDS, 0, one.generation};
        struct amd_packet packet;

        fill(dwords, seed);
        while (one.next(&reader, &packet)) {
            ck_assert_uint_eq(packet.at, at);
            ck_assert_uint_ge(packet.dword_count, 1);
            ck_assert_ptr_nonnull(packet.name);
            ck_assert_int_eq(packet.problem == AMD_TRUNCATED,
                             packet.dword_count < packet.said_dwords);
            amd_packet_items(&packet, ignore, &items);
            at += packet.dword_count;
        }
        ck_assert_uint_eq(at, DWORDS);
    }
}
END_TEST

START_TEST(a_field_may_go_on_in_the_next_dwords)
{
    uint32_t dwords[3] = {0};

    amd_put(dwords, AMD_BITS(0, 28, 40, 4), UINT64_C(0xabcdef12340));
    ck_assert_uint_eq(dwords[0], 0x40000000);
    ck_assert_uint_eq(dwords[1], 0xbcdef123);
    ck_assert_uint_eq(dwords[2], 0xa);
    ck_assert_uint_eq(amd_get(dwords, AMD_BITS(0, 28, 40, 4)), UINT64_C(0xabcdef12340));
    ck_assert_uint_eq(AMD_BITS_DWORDS(AMD_BITS(0, 28, 40, 4)), 3);
    ck_assert_uint_eq(AMD_BITS_DWORDS(AMD_BITS(1, 0, 32, 0)), 2);
}
END_TEST

Suite *amd_layout_suite(void)
{
    Suite *suite = suite_create("amd_layout");
    TCase *all = tcase_create("every decoder"), *bits = tcase_create("bits");

    tcase_add_loop_test(all, every_field_holds_its_value_and_nothing_else, 0, FAMILIES);
    tcase_add_loop_test(all, every_layout_is_found_by_a_packet_of_its_own, 0, FAMILIES);
    tcase_add_loop_test(all, what_is_cut_off_is_named_and_said_to_be, 0, FAMILIES);
    tcase_add_loop_test(all, any_dwords_are_walked_from_end_to_end, 0, FAMILIES);
    tcase_add_test(bits, a_layout_with_a_tail_fits_any_greater_length);
    tcase_add_test(bits, a_field_may_go_on_in_the_next_dwords);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, bits);
    return suite;
}
