/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_ih_entry.h"

#include <stddef.h>

static const struct amd_value ih_clients[] = {
    {0x00, "IH"},    {0x08, "SDMA0"}, {0x09, "SDMA1"}, {0x0a, "SE0SH"},    {0x0b, "SE1SH"},
    {0x0c, "SE2SH"}, {0x0d, "SE3SH"}, {0x12, "VMC"},   {0x14, "GRBM_CP"},  {0x16, "ROM_SMUIO"},
    {0x17, "DF"},    {0x19, "PWR"},   {0x1b, "UTCL2"}, {0x1c, "UTCL2LOG"}, {0, NULL}};
static const struct amd_value ih_hubs[] = {{0, "GFXHUB"}, {1, "MMHUB"}, {0, NULL}};

static const struct {
    uint32_t client_id, source_id;
    const char *name;
} ih_sources[] = {
    {0x14, 180, "CP_RESERVED_BITS"},
    {0x14, 181, "CP_END_OF_PIPE"},
    {0x14, 183, "CP_BAD_OPCODE"},
    {0x14, 184, "CP_PRIV_REG_FAULT"},
    {0x14, 185, "CP_PRIV_INSTR_FAULT"},
    {0x14, 192, "CP_WRM_POLL_TIMEOUT"},
    {0x14, 239, "SQ_INTERRUPT"},
    {0x08, 224, "SDMA_TRAP"},
    {0x09, 224, "SDMA_TRAP"},
    {0x08, 247, "SDMA_SRBM_WRITE"},
    {0x09, 247, "SDMA_SRBM_WRITE"},
    {0x12, 0, "VM_FAULT"},
    {0x1b, 0, "VM_FAULT"},
};

static const struct amd_field ih_entry_fields[] = {
    AMD_IH_ENTRY_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
static const struct amd_layout ih_layout = {
    .name = "IH_ENTRY",
    .min_dwords = AMD_IH_ENTRY_DWORDS,
    .max_dwords = AMD_IH_ENTRY_DWORDS,
    .fields = ih_entry_fields,
    .field_count = sizeof ih_entry_fields / sizeof ih_entry_fields[0],
};

const char *amd_ih_source_name(uint32_t client_id, uint32_t source_id)
{
    for (size_t i = 0; i < sizeof ih_sources / sizeof ih_sources[0]; i++)
        if (ih_sources[i].client_id == client_id && ih_sources[i].source_id == source_id)
            return ih_sources[i].name;
    return NULL;
}

bool amd_ih_next(struct amd_reader *reader, struct amd_packet *packet)
{
    const uint32_t left = reader->count - reader->at;
    const char *name;

    if (reader->at >= reader->count)
        return false;
    *packet =
        (struct amd_packet){.at = reader->at,
                            .dwords = reader->dwords + reader->at,
                            .dword_count = left < AMD_IH_ENTRY_DWORDS ? left : AMD_IH_ENTRY_DWORDS,
                            .said_dwords = AMD_IH_ENTRY_DWORDS,
                            .shape = AMD_SHAPE_PACKET};
    packet->code = packet->dwords[0] >> 8 & 0xff;
    amd_packet_judge(packet, &ih_layout);
    name = amd_ih_source_name(packet->dwords[0] & 0xff, packet->code);
    if (name)
        packet->name = name;
    reader->at += packet->dword_count;
    return true;
}
