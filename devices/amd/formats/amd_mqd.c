/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_mqd.h"

#include <stddef.h>

static const struct amd_field mqd_fields[] = {AMD_MQD_V9_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
const struct amd_layout amd_mqd_layout = {
    .name = "MQD",
    .min_dwords = AMD_MQD_DWORDS,
    .max_dwords = AMD_MQD_DWORDS,
    .fields = mqd_fields,
    .field_count = sizeof mqd_fields / sizeof mqd_fields[0],
};
static const struct amd_layout hqd_layout = {
    .name = "HQD",
    .min_dwords = AMD_HQD_DWORDS,
    .tail = AMD_TAIL_REGISTERS,
    .reg_base = AMD_HQD_BASE,
};

static bool mqd_next(struct amd_reader *reader, struct amd_packet *packet, uint32_t dwords,
                     const struct amd_layout *layout)
{
    const uint32_t left = reader->count - reader->at;

    if (reader->at >= reader->count)
        return false;
    *packet = (struct amd_packet){.at = reader->at,
                                  .dwords = reader->dwords + reader->at,
                                  .dword_count = left < dwords ? left : dwords,
                                  .said_dwords = dwords,
                                  .shape = AMD_SHAPE_SPARSE};
    packet->code = packet->dwords[0];
    amd_packet_judge(packet, layout);
    reader->at += packet->dword_count;
    return true;
}

bool amd_mqd_next(struct amd_reader *reader, struct amd_packet *packet)
{
    if (!mqd_next(reader, packet, AMD_MQD_DWORDS, &amd_mqd_layout))
        return false;
    if (packet->problem == AMD_SOUND && packet->code != AMD_MQD_HEADER_V9)
        packet->problem = AMD_UNKNOWN;
    return true;
}

bool amd_hqd_next(struct amd_reader *reader, struct amd_packet *packet)
{
    return mqd_next(reader, packet, AMD_HQD_DWORDS, &hqd_layout);
}
