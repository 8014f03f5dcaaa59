/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_layout.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/formats/amd_variants.h"

/* clang-format off */
const struct amd_value amd_functions[] = {
    {0, "ALWAYS"}, {1, "LESS"}, {2, "LESS_EQUAL"}, {3, "EQUAL"}, {4, "NOT_EQUAL"},
    {5, "GREATER_EQUAL"}, {6, "GREATER"}, {0, NULL}};
const struct amd_value amd_atomics[] = {
    {0x0f, "ADD_32"}, {0x2f, "ADD_64"}, {0x07, "SWAP_32"}, {0x27, "SWAP_64"},
    {0x08, "CMPSWAP_32"}, {0x28, "CMPSWAP_64"}, {0, NULL}};
/* clang-format on */

void amd_put(uint32_t *dwords, uint32_t bits, uint64_t value)
{
    const uint32_t first = AMD_BITS_FIRST(bits), width = AMD_BITS_WIDTH(bits);

    value >>= AMD_BITS_SHIFT(bits);
    for (uint32_t i = 0; i < width;) {
        const uint32_t lo = (first + i) % 32;
        const uint32_t part = width - i < 32 - lo ? width - i : 32 - lo;
        uint32_t *dword = &dwords[(first + i) / 32];

        *dword =
            reg_put(*dword, lo + part - 1, lo, (uint32_t)(value >> i) & UINT32_MAX >> (32 - part));
        i += part;
    }
}

const char *amd_value_name(const struct amd_value *values, uint64_t number)
{
    for (; values && values->name; values++)
        if (values->number == number)
            return values->name;
    return NULL;
}

static bool layout_is_right(const struct amd_layout *layout, const uint32_t *dwords,
                            uint32_t dword_count)
{
    return layout->select_bits == 0 ||
           (AMD_BITS_DWORDS(layout->select_bits) <= dword_count &&
            amd_get(dwords, layout->select_bits) == layout->select_value);
}

const struct amd_layout *amd_layout_select(const struct amd_layout *layouts, uint32_t count,
                                           uint32_t code, const uint32_t *dwords,
                                           uint32_t dword_count, uint32_t said_dwords)
{
    const struct amd_layout *right = NULL, *any = NULL;

    for (uint32_t i = 0; i < count; i++) {
        const struct amd_layout *layout = &layouts[i];

        if (layout->code != code)
            continue;
        any = any ? any : layout;
        if (!layout_is_right(layout, dwords, dword_count))
            continue;
        if (said_dwords >= layout->min_dwords &&
            (layout->tail != AMD_TAIL_NONE || said_dwords <= layout->max_dwords))
            return layout;
        right = right ? right : layout;
    }
    return right ? right : any;
}

const struct amd_layout *amd_layouts_select(const struct amd_layouts *layouts, uint32_t code,
                                            const uint32_t *dwords, uint32_t dword_count,
                                            uint32_t said_dwords)
{
    const struct amd_layout *found = NULL;

    for (; layouts && !found; layouts = layouts->before)
        found = amd_layout_select(layouts->rows, layouts->count, code, dwords, dword_count,
                                  said_dwords);
    return found;
}

static const char *const generation_names[AMD_GENERATIONS][2] = {
    {"gfx9", "sdma4"}, {"gfx10", "sdma5"}, {"gfx11", "sdma6"}, {"gfx12", "sdma7"}};

enum amd_generation amd_generation_find(const char *name)
{
    enum amd_generation i = AMD_GENERATION_GFX9;

    while (i < AMD_GENERATIONS && strcmp(generation_names[i][0], name) != 0 &&
           strcmp(generation_names[i][1], name) != 0)
        i++;
    return i;
}

const char *amd_generation_name(enum amd_generation generation)
{
    return generation_names[generation][0];
}

void amd_packet_judge(struct amd_packet *packet, const struct amd_layout *layout)
{
    packet->layout = layout;
    packet->name = layout ? layout->name : "UNKNOWN";
    if (!layout)
        packet->problem = AMD_UNKNOWN;
    else if (packet->said_dwords < layout->min_dwords)
        packet->problem = AMD_SHORT;
    else if (layout->tail == AMD_TAIL_NONE && packet->said_dwords > layout->max_dwords)
        packet->problem = AMD_LONG;
    else
        packet->problem = AMD_SOUND;
    if (packet->dword_count < packet->said_dwords)
        packet->problem = AMD_TRUNCATED;
}

const char *amd_problem_name(enum amd_problem problem)
{
    static const char *const names[] = {
        [AMD_SOUND] = NULL,        [AMD_UNKNOWN] = "unknown", [AMD_TRUNCATED] = "truncated",
        [AMD_SHORT] = "too short", [AMD_LONG] = "too long",
    };

    return names[problem];
}

bool amd_register_find(uint32_t offset, const struct reg_list **list, const struct reg_row **row,
                       uint32_t *index)
{
    static const struct reg_list *const lists[] = {&amd_compute_list, &amd_hqd_list, &amd_cp_list,
                                                   &amd_grbm_list, &amd_spi_list};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        *list = lists[i];
        *row = reg_find(lists[i], AMD_GFX9, offset, index);
        if (*row)
            return true;
    }
    *list = NULL;
    *index = 0;
    return false;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* How many of the dwords that the packet says it has are there. */
static uint32_t dwords_there(const struct amd_packet *packet)
{
    return packet->dword_count < packet->said_dwords ? packet->dword_count : packet->said_dwords;
}

static void take_register(const struct amd_packet *packet, amd_item_take *take, void *context,
                          const char *name, uint32_t dword, uint32_t value, uint32_t offset)
{
    struct amd_item item = {.kind = AMD_ITEM_REGISTER,
                            .value = value,
                            .width = 32,
                            .form = AMD_HEX,
                            .dword = dword,
                            .reg = offset};

    if (packet->generation == AMD_GENERATION_GFX9)
        (void)amd_register_find(offset, &item.list, &item.row, &item.index);
    item.name = name ? name : item.row ? item.row->name : NULL;
    take(context, &item);
}

static void take_fields(const struct amd_packet *packet, const struct amd_field *fields,
                        uint32_t field_count, amd_item_take *take, void *context)
{
    for (uint32_t i = 0; i < field_count; i++) {
        const struct amd_field *field = &fields[i];
        struct amd_item item = {.kind = AMD_ITEM_FIELD,
                                .name = field->name,
                                .width = AMD_BITS_WIDTH(field->bits),
                                .form = field->form,
                                .dword = AMD_BITS_FIRST(field->bits) / 32};

        if (AMD_BITS_DWORDS(field->bits) > dwords_there(packet))
            continue;
        item.value = amd_get(packet->dwords, field->bits);
        item.value_name = amd_value_name(field->values, item.value);
        if (field->reg && packet->generation == AMD_GENERATION_GFX9)
            take_register(packet, take, context, field->name, item.dword, (uint32_t)item.value,
                          field->reg);
        else
            take(context, &item);
    }
}

/* The field that says where a tail of registers begins is called OFFSET: dwords from the base. */
static uint32_t tail_register(const struct amd_packet *packet)
{
    const struct amd_layout *layout = packet->layout;

    for (uint32_t i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, "OFFSET") == 0 &&
            AMD_BITS_DWORDS(layout->fields[i].bits) <= packet->dword_count)
            return layout->reg_base + 4 * (uint32_t)amd_get(packet->dwords, layout->fields[i].bits);
    return layout->reg_base;
}

static uint32_t fixed_dwords(const struct amd_packet *packet)
{
    return packet->layout ? packet->layout->max_dwords : 1;
}

static void take_tail(const struct amd_packet *packet, amd_item_take *take, void *context)
{
    const bool registers = packet->layout && packet->layout->tail == AMD_TAIL_REGISTERS;
    const uint32_t from = fixed_dwords(packet);
    const uint32_t count =
        packet->dword_count < packet->said_dwords ? packet->dword_count : packet->said_dwords;
    uint32_t reg = registers ? tail_register(packet) : 0;

    for (uint32_t i = from; i < count; i++, reg += 4) {
        const struct amd_item item = {.kind = AMD_ITEM_DATA,
                                      .value = packet->dwords[i],
                                      .width = 32,
                                      .form = AMD_HEX,
                                      .dword = i};

        if (registers)
            take_register(packet, take, context, NULL, i, packet->dwords[i], reg);
        else
            take(context, &item);
    }
}

/* Dwords whose reserved bits are found in one pass of the fields. */
enum { PASS_DWORDS = 64 };

/* Adds the bits that fields have of the dwords from `begin` on, which are PASS_DWORDS.  A field
 * counts if it is whole within `there` dwords. */
static void fields_know(const struct amd_field *fields, uint32_t count, uint32_t there,
                        uint32_t begin, uint32_t known[PASS_DWORDS])
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = AMD_BITS_FIRST(fields[i].bits);
        const uint32_t end = first + AMD_BITS_WIDTH(fields[i].bits);
        uint32_t at = first > begin * 32 ? first : begin * 32;

        if (AMD_BITS_DWORDS(fields[i].bits) > there)
            continue;
        while (at < end && at / 32 < begin + PASS_DWORDS) {
            const uint32_t to = end < (at / 32 + 1) * 32 ? end : (at / 32 + 1) * 32;

            known[at / 32 - begin] |= UINT32_MAX >> (32 - (to - at)) << at % 32;
            at = to;
        }
    }
}

static void take_reserved(const struct amd_packet *packet, amd_item_take *take, void *context)
{
    const uint32_t there = dwords_there(packet), fixed = fixed_dwords(packet);
    uint32_t known[PASS_DWORDS];

    for (uint32_t i = 0; i < there && i < fixed; i++) {
        if (i % PASS_DWORDS == 0) {
            memset(known, 0, sizeof known);
            fields_know(packet->head, packet->head_count, there, i, known);
            if (packet->layout)
                fields_know(packet->layout->fields, packet->layout->field_count, there, i, known);
        }
        const uint32_t named = known[i % PASS_DWORDS] | (i == 0 ? packet->header_bits : 0);
        const struct amd_item item = {.kind = AMD_ITEM_RESERVED,
                                      .value = packet->dwords[i] & ~named,
                                      .width = 32,
                                      .form = AMD_HEX,
                                      .dword = i};
        if (item.value != 0)
            take(context, &item);
    }
}

void amd_packet_items(const struct amd_packet *packet, amd_item_take *take, void *context)
{
    assert(packet->dword_count > 0 && packet->said_dwords > 0);
    take_fields(packet, packet->head, packet->head_count, take, context);
    if (packet->layout)
        take_fields(packet, packet->layout->fields, packet->layout->field_count, take, context);
    take_tail(packet, take, context);
    take_reserved(packet, take, context);
}
