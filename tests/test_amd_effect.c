/* SPDX-License-Identifier: MIT */
/* Each packet of AMD's is carried out, or counted with what is lost. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_effect.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_packet.h"
#include "tests/suites.h"

static uint32_t unlisted(enum amd_packet_kind kind, const char *name)
{
    const struct amd_loss *loss = amd_loss_at(amd_loss_of(kind, name));
    char between_spaces[64];

    (void)snprintf(between_spaces, sizeof between_spaces, " %s ", name);
    if (strstr(amd_modelled[kind], between_spaces) || (loss && loss->bits == 0))
        return 0;
    printf("%s is in no list of amd_effect.c\n", name);
    return 1;
}

/* PROMISE (amd): Each packet that has a name is modelled, or counted with what is lost; one in no
 * list fails. */
START_TEST(each_packet_is_on_a_list)
{
    const struct amd_layouts *pm4 = amd_pm4_layouts_of(AMD_GENERATION_GFX9);
    const struct amd_layouts *sdma = amd_sdma_layouts_of(AMD_GENERATION_GFX9);
    uint32_t count = 0;

    for (uint32_t i = 0; i < pm4->count; i++)
        count += unlisted(AMD_PACKET_PM4, pm4->rows[i].name);
    for (uint32_t i = 0; i < sdma->count; i++)
        count += unlisted(AMD_PACKET_SDMA, sdma->rows[i].name);
    for (uint32_t i = 0; i < amd_aql_layout_count; i++)
        count += unlisted(AMD_PACKET_AQL, amd_aql_layouts[i].name);
    /* Opcodes without a layout have names, too. */
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        const uint32_t dwords[2] = {AMD_PM4_HEADER(opcode, 2)};
        struct amd_reader reader = {.dwords = dwords, .count = 2};
        struct amd_packet packet;

        if (amd_pm4_next(&reader, &packet) && packet.problem != AMD_UNKNOWN)
            count += unlisted(AMD_PACKET_PM4, packet.name);
    }
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* The name that a generation has for an opcode of PM4; NULL if it has none. */
static const char *pm4_name(enum amd_generation generation, uint32_t opcode)
{
    const uint32_t dwords[2] = {AMD_PM4_HEADER(opcode, 2)};
    struct amd_reader reader = {.dwords = dwords, .count = 2, .generation = generation};
    struct amd_packet packet;

    return amd_pm4_next(&reader, &packet) && packet.problem != AMD_UNKNOWN ? packet.name : NULL;
}

/* The same of SDMA, by opcode and sub-opcode << 8. */
static const char *sdma_name(enum amd_generation generation, uint32_t code)
{
    const uint32_t dwords[1] = {code};
    struct amd_reader reader = {.dwords = dwords, .count = 1, .generation = generation};
    struct amd_packet packet;

    return amd_sdma_next(&reader, &packet) && packet.layout ? packet.name : NULL;
}

/* Opcodes that a later generation gave to another packet: decoded as gfx9's, which GPUs here are
 * of, they would be mistaken in silence. */
static const struct {
    enum amd_packet_kind kind;
    uint32_t code;
    const char *gfx9, *later;
} others[] = {
    /* vega10_sdma_pkt_open.h and navi10_sdma_pkt_open.h of the amdgpu driver */
    {AMD_PACKET_SDMA, 0x010, "DUMMY_TRAP", "GPUVM_INV"},
};

static uint32_t judge(enum amd_packet_kind kind, uint32_t code, const char *gfx9, const char *later)
{
    if (!gfx9)
        return 0; /* its GPUs do not know it: suites amd_hostile and amd_sdma */
    if (strcmp(gfx9, later) == 0)
        return unlisted(kind, gfx9);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].kind == kind && others[i].code == code && strcmp(others[i].gfx9, gfx9) == 0 &&
            strcmp(others[i].later, later) == 0)
            return unlisted(kind, gfx9);
    printf("0x%x is %s, and later %s\n", (unsigned)code, gfx9, later);
    return 1;
}

/* PROMISE (amd): Packets of gfx10, gfx11 and gfx12 are those of gfx9 and on the same lists, or
 * gfx9's GPUs do not know them, or the list of opcodes with another meaning has them. */
START_TEST(each_packet_of_later_generations_is_known_or_foreign)
{
    uint32_t count = 0, foreign = 0;

    for (int g = AMD_GENERATION_GFX10; g < AMD_GENERATIONS; g++) {
        const enum amd_generation generation = (enum amd_generation)g;

        for (uint32_t opcode = 0; opcode < 256; opcode++) {
            const char *later = pm4_name(generation, opcode);
            const char *gfx9 = pm4_name(AMD_GENERATION_GFX9, opcode);

            ck_assert(later || !gfx9); /* none is taken away */
            foreign += later && !gfx9;
            count += later ? judge(AMD_PACKET_PM4, opcode, gfx9, later) : 0;
        }
        for (uint32_t code = 0; code < 65536; code++) {
            const char *later = sdma_name(generation, code);
            const char *gfx9 = sdma_name(AMD_GENERATION_GFX9, code);

            ck_assert(later || !gfx9);
            foreign += later && !gfx9;
            count += later ? judge(AMD_PACKET_SDMA, code, gfx9, later) : 0;
        }
    }
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_gt(foreign, 100);
}
END_TEST

/* A field by which a packet loses an effect lies where it lies on gfx9, or is not there. */
START_TEST(fields_of_losses_lie_in_the_same_place_later)
{
    uint32_t compared = 0;

    for (size_t i = 0; amd_loss_at(i) != NULL; i++) {
        const struct amd_loss *loss = amd_loss_at(i);

        for (int g = AMD_GENERATION_GFX10; loss->bits != 0 && g < AMD_GENERATIONS; g++) {
            const struct amd_layouts *layouts = loss->kind == AMD_PACKET_PM4
                                                    ? amd_pm4_layouts_of((enum amd_generation)g)
                                                    : amd_sdma_layouts_of((enum amd_generation)g);

            for (uint32_t l = 0; l < layouts->count; l++)
                for (uint32_t f = 0; f < layouts->rows[l].field_count; f++)
                    if (strcmp(layouts->rows[l].name, loss->packet) == 0 &&
                        strcmp(layouts->rows[l].fields[f].name, loss->field) == 0 && ++compared)
                        ck_assert_msg(layouts->rows[l].fields[f].bits == loss->bits,
                                      "%s of %s, generation %d", loss->field, loss->packet, g);
        }
    }
    ck_assert_uint_gt(compared, 8);
}
END_TEST

/* The opcode of each row is the one of the packet that it names. */
START_TEST(each_row_names_its_packet)
{
    for (size_t i = 0; amd_loss_at(i) != NULL; i++) {
        const struct amd_loss *loss = amd_loss_at(i);
        const bool is_pm4 = loss->kind == AMD_PACKET_PM4;
        const struct amd_layouts *layouts = is_pm4 ? amd_pm4_layouts_of(AMD_GENERATION_GFX9)
                                                   : amd_sdma_layouts_of(AMD_GENERATION_GFX9);
        const uint32_t dwords[2] = {AMD_PM4_HEADER(loss->code, 2)};
        struct amd_reader reader = {.dwords = dwords, .count = 2};
        struct amd_packet packet;
        bool found =
            is_pm4 && amd_pm4_next(&reader, &packet) && strcmp(packet.name, loss->packet) == 0;

        for (uint32_t l = 0; l < layouts->count; l++)
            found |= layouts->rows[l].code == loss->code &&
                     strcmp(layouts->rows[l].name, loss->packet) == 0;
        ck_assert_msg(found, "%s", loss->packet);
        ck_assert_ptr_eq(amd_loss_named(loss->kind, amd_loss_name(loss), 63)->packet, loss->packet);
    }
}
END_TEST

Suite *amd_effect_suite(void)
{
    Suite *suite = suite_create("amd_effect");
    TCase *tcase = tcase_create("lists");

    tcase_add_test(tcase, each_packet_is_on_a_list);
    tcase_add_test(tcase, each_packet_of_later_generations_is_known_or_foreign);
    tcase_add_test(tcase, fields_of_losses_lie_in_the_same_place_later);
    tcase_add_test(tcase, each_row_names_its_packet);
    suite_add_tcase(suite, tcase);
    return suite;
}
