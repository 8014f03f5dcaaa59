/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_sdma_mqd.h"

#include <stddef.h>

#include "devices/amd/formats/amd_sdma_regs.h"

static const struct amd_field sdma_mqd_fields[] = {
    AMD_SDMA_MQD_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
const struct amd_layout amd_sdma_mqd_layout = {
    .name = "SDMA_MQD",
    .min_dwords = AMD_SDMA_MQD_DWORDS,
    .max_dwords = AMD_SDMA_MQD_DWORDS,
    .fields = sdma_mqd_fields,
    .field_count = sizeof sdma_mqd_fields / sizeof sdma_mqd_fields[0],
};

/* Where registers follow each other, as the dwords do. */
static const struct {
    uint32_t dword, count, offset;
} runs[] = {
    {0, 19, SDMA0_RLC0_RB_CNTL},
    {19, 6, SDMA0_RLC0_STATUS},
    {25, 7, SDMA0_RLC0_IB_SUB_REMAIN},
};

uint32_t amd_sdma_mqd_register(uint32_t dword)
{
    for (uint32_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if (dword - runs[i].dword < runs[i].count)
            return runs[i].offset + 4 * (dword - runs[i].dword);
    return 0;
}

bool amd_sdma_mqd_next(struct amd_reader *reader, struct amd_packet *packet)
{
    const uint32_t left = reader->count - reader->at;

    if (reader->at >= reader->count)
        return false;
    *packet =
        (struct amd_packet){.at = reader->at,
                            .dwords = reader->dwords + reader->at,
                            .dword_count = left < AMD_SDMA_MQD_DWORDS ? left : AMD_SDMA_MQD_DWORDS,
                            .said_dwords = AMD_SDMA_MQD_DWORDS,
                            .shape = AMD_SHAPE_SPARSE};
    packet->code = packet->dwords[0];
    amd_packet_judge(packet, &amd_sdma_mqd_layout);
    reader->at += packet->dword_count;
    return true;
}
