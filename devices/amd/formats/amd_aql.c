/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_aql.h"

#include <stddef.h>

/* clang-format off */
AMD_NAMES(fences, {0, "NONE"}, {1, "AGENT"}, {2, "SYSTEM"});
AMD_NAMES(amd_formats, {AMD_AQL_FORMAT_PM4_IB, "PM4_IB"}, {AMD_AQL_FORMAT_BARRIER_VALUE, "BARRIER_VALUE"});
AMD_NAMES(conditions, {0, "EQUAL"}, {1, "NOT_EQUAL"}, {2, "LESS"}, {3, "GREATER_EQUAL"});

#define FIELDS(packet)                                                                             \
    static const struct amd_field packet##_fields[] = {                                            \
        AMD_AQL_##packet##_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
AMD_AQL_PACKETS(FIELDS)

#define LAYOUT(packet, ...)                                                                        \
    {__VA_ARGS__, packet##_fields, sizeof packet##_fields / sizeof packet##_fields[0]}
/* By type; a vendor packet of a known format by format << 8. */
const struct amd_layout amd_aql_layouts[] = {
    LAYOUT(VENDOR, 0x0, "VENDOR", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(INVALID, 0x1, "INVALID", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(KERNEL_DISPATCH, 0x2, "KERNEL_DISPATCH", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(BARRIER_AND, 0x3, "BARRIER_AND", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(AGENT_DISPATCH, 0x4, "AGENT_DISPATCH", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(BARRIER_OR, 0x5, "BARRIER_OR", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PM4_IB, 0x100, "AMD_PM4_IB", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(BARRIER_VALUE, 0x200, "AMD_BARRIER_VALUE", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
};
/* clang-format on */
const uint32_t amd_aql_layout_count = sizeof amd_aql_layouts / sizeof amd_aql_layouts[0];

bool amd_aql_next(struct amd_reader *reader, struct amd_packet *packet)
{
    const uint32_t left = reader->count - reader->at;

    if (reader->at >= reader->count)
        return false;
    *packet = (struct amd_packet){.at = reader->at,
                                  .dwords = reader->dwords + reader->at,
                                  .dword_count = left < AMD_AQL_DWORDS ? left : AMD_AQL_DWORDS,
                                  .said_dwords = AMD_AQL_DWORDS,
                                  .header_bits = 0xff};
    packet->code = (uint32_t)amd_get(packet->dwords, AMD_AQL_TYPE);
    if (packet->code == AMD_AQL_TYPE_VENDOR) {
        const uint32_t format = (uint32_t)amd_get(packet->dwords, AMD_AQL_FORMAT);

        if (format == AMD_AQL_FORMAT_PM4_IB || format == AMD_AQL_FORMAT_BARRIER_VALUE)
            packet->code = format << 8;
    }
    amd_packet_judge(packet,
                     amd_layout_select(amd_aql_layouts, amd_aql_layout_count, packet->code,
                                       packet->dwords, packet->dword_count, packet->said_dwords));
    reader->at += packet->dword_count;
    return true;
}
