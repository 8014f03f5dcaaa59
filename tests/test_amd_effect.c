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
    tcase_add_test(tcase, each_row_names_its_packet);
    suite_add_tcase(suite, tcase);
    return suite;
}
