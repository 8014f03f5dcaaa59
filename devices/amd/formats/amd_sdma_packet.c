/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_sdma_packet.h"

#include <stddef.h>

#include "devices/amd/formats/amd_sdma5_fields.h"
#include "devices/amd/formats/amd_sdma6_fields.h"
#include "devices/amd/formats/amd_sdma_fields.h"

/* clang-format off */
AMD_NAMES(poll_kinds, {0, "REGISTER"}, {1, "MEMORY"});
AMD_NAMES(fill_sizes, {0, "BYTE"}, {2, "DWORD"});

#define FIELDS(packet)                                                                             \
    static const struct amd_field packet##_fields[] = {                                            \
        AMD_SDMA_##packet##_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
AMD_SDMA_PACKETS(FIELDS)
#define FIELDS_OF(version, packet)                                                                 \
    static const struct amd_field sdma##version##_##packet##_fields[] = {                          \
        AMD_SDMA##version##_##packet##_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
#define FIELDS5(packet) FIELDS_OF(5, packet)
#define FIELDS6(packet) FIELDS_OF(6, packet)
#define FIELDS7(packet) FIELDS_OF(7, packet)
AMD_SDMA5_PACKETS(FIELDS5)
AMD_SDMA6_PACKETS(FIELDS6)
AMD_SDMA7_PACKETS(FIELDS7)

#define LAYOUT(packet, ...)                                                                        \
    {__VA_ARGS__, packet##_fields, sizeof packet##_fields / sizeof packet##_fields[0]}
/* By opcode | sub-opcode << 8. */
static const struct amd_layout sdma4_layouts[] = {
    LAYOUT(NOP, 0x000, "NOP", 1, 1, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(COPY_LINEAR, AMD_SDMA_CODE_COPY_LINEAR, "COPY_LINEAR", 7, 7, AMD_TAIL_NONE, 0, AMD_SDMA_COPY_LINEAR_BROADCAST, 0),
    LAYOUT(COPY_BROADCAST_LINEAR, 0x001, "COPY_BROADCAST_LINEAR", 9, 9, AMD_TAIL_NONE, 0, AMD_SDMA_COPY_BROADCAST_LINEAR_BROADCAST, 1),
    LAYOUT(COPY_TILED, 0x101, "COPY_TILED", 13, 13, AMD_TAIL_NONE, 0, AMD_SDMA_COPY_TILED_BROADCAST, 0),
    LAYOUT(COPY_L2T_BROADCAST, 0x101, "COPY_L2T_BROADCAST", 16, 16, AMD_TAIL_NONE, 0, AMD_SDMA_COPY_L2T_BROADCAST_BROADCAST, 1),
    LAYOUT(COPY_STRUCT, 0x301, "COPY_STRUCT", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_LINEAR_SUBWIN, AMD_SDMA_CODE_COPY_LINEAR_SUBWIN, "COPY_LINEAR_SUBWIN", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_TILED_SUBWIN, 0x501, "COPY_TILED_SUBWIN", 14, 14, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_T2T, 0x601, "COPY_T2T", 15, 15, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_DIRTY_PAGE, 0x701, "COPY_DIRTY_PAGE", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_PHYSICAL_LINEAR, 0x801, "COPY_PHYSICAL_LINEAR", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(WRITE_UNTILED, 0x002, "WRITE_UNTILED", 4, 4, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(WRITE_TILED, 0x102, "WRITE_TILED", 9, 9, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(INDIRECT, 0x004, "INDIRECT", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(FENCE, 0x005, "FENCE", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(TRAP, 0x006, "TRAP", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(SEMAPHORE, 0x007, "SEMAPHORE", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(HDP_FLUSH, 0x008, "HDP_FLUSH", 6, 6, AMD_TAIL_NONE, 0, AMD_SDMA_HDP_FLUSH_KEY, 0x80000000),
    LAYOUT(POLL_REGMEM, 0x008, "POLL_REGMEM", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(POLL_REG_WRITE_MEM, 0x108, "POLL_REG_WRITE_MEM", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(POLL_DBIT_WRITE_MEM, 0x208, "POLL_DBIT_WRITE_MEM", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(POLL_MEM_VERIFY, 0x308, "POLL_MEM_VERIFY", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COND_EXE, 0x009, "COND_EXE", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(ATOMIC, 0x00a, "ATOMIC", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(CONSTANT_FILL, 0x00b, "CONSTANT_FILL", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DATA_FILL_MULTI, 0x10b, "DATA_FILL_MULTI", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(WRITE_INCR, 0x00c, "WRITE_INCR", 10, 10, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PTEPDE_COPY, 0x10c, "PTEPDE_COPY", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PTEPDE_RMW, 0x20c, "PTEPDE_RMW", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PTEPDE_COPY_BACKWARDS, 0x30c, "PTEPDE_COPY_BACKWARDS", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(TIMESTAMP_SET, AMD_SDMA_CODE_TIMESTAMP_SET, "TIMESTAMP_SET", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(TIMESTAMP_GET, AMD_SDMA_CODE_TIMESTAMP_GET, "TIMESTAMP_GET", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(TIMESTAMP_GET_GLOBAL, AMD_SDMA_CODE_TIMESTAMP_GET_GLOBAL, "TIMESTAMP_GET_GLOBAL", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(SRBM_WRITE, 0x00e, "SRBM_WRITE", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PRE_EXE, 0x00f, "PRE_EXE", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DUMMY_TRAP, 0x010, "DUMMY_TRAP", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
};

#define LAYOUT5(packet, ...) LAYOUT(sdma5_##packet, __VA_ARGS__)
#define LAYOUT6(packet, ...) LAYOUT(sdma6_##packet, __VA_ARGS__)
/* Fields that choose between rows of a code, and counts; in the same bits in all packets here. */
enum {
    AMD_SDMA5_COPY_T2T_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R)
    AMD_SDMA5_WRITE_TILED_BC_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R)
    AMD_SDMA6_COPY_LINEAR_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R)
    BROADCAST = AMD_SDMA_COPY_LINEAR_BROADCAST,
    DCC = AMD_SDMA5_COPY_T2T_DCC,
    CPV = AMD_SDMA6_COPY_LINEAR_CPV,
};
static const struct amd_layout sdma5_layouts[] = {
    LAYOUT5(COPY_LINEAR, AMD_SDMA_CODE_COPY_LINEAR, "COPY_LINEAR", 7, 7, AMD_TAIL_NONE, 0, BROADCAST, 0),
    LAYOUT(COPY_BROADCAST_LINEAR, 0x001, "COPY_BROADCAST_LINEAR", 9, 9, AMD_TAIL_NONE, 0, BROADCAST, 1),
    LAYOUT5(COPY_TILED, 0x101, "COPY_TILED", 13, 13, AMD_TAIL_NONE, 0, BROADCAST, 0),
    LAYOUT5(COPY_L2T_BROADCAST, 0x101, "COPY_L2T_BROADCAST", 16, 16, AMD_TAIL_NONE, 0, BROADCAST, 1),
    LAYOUT5(COPY_LINEAR_SUBWIN, AMD_SDMA_CODE_COPY_LINEAR_SUBWIN, "COPY_LINEAR_SUBWIN", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_TILED_SUBWIN, 0x501, "COPY_TILED_SUBWIN", 14, 14, AMD_TAIL_NONE, 0, DCC, 0),
    LAYOUT5(COPY_TILED_SUBWIN_DCC, 0x501, "COPY_TILED_SUBWIN", 17, 17, AMD_TAIL_NONE, 0, DCC, 1),
    LAYOUT5(COPY_T2T, 0x601, "COPY_T2T", 15, 15, AMD_TAIL_NONE, 0, DCC, 0),
    LAYOUT5(COPY_T2T_DCC, 0x601, "COPY_T2T", 18, 18, AMD_TAIL_NONE, 0, DCC, 1),
    LAYOUT5(COPY_DIRTY_PAGE, 0x701, "COPY_DIRTY_PAGE", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_PHYSICAL_LINEAR, 0x801, "COPY_PHYSICAL_LINEAR", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_LINEAR_BC, 0x1001, "COPY_LINEAR_BC", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_TILED_BC, 0x1101, "COPY_TILED_BC", 12, 12, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_LINEAR_SUBWIN_BC, 0x1401, "COPY_LINEAR_SUBWIN_BC", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_TILED_SUBWIN_BC, 0x1501, "COPY_TILED_SUBWIN_BC", 14, 14, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(COPY_T2T_BC, 0x1601, "COPY_T2T_BC", 15, 15, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(WRITE_TILED, 0x102, "WRITE_TILED", 9, 9, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT5(WRITE_TILED_BC, 0x1102, "WRITE_TILED_BC", 9, 9, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT5(INDIRECT, 0x004, "INDIRECT", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(FENCE, 0x005, "FENCE", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(PTEPDE_COPY, 0x10c, "PTEPDE_COPY", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(PTEPDE_RMW, 0x20c, "PTEPDE_RMW", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(SRBM_WRITE, 0x00e, "SRBM_WRITE", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT5(GPUVM_INV, 0x010, "GPUVM_INV", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(GCR, 0x011, "GCR_REQ", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(GCR, 0x111, "GCR", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DUMMY_TRAP, 0x020, "DUMMY_TRAP", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
};
static const struct amd_layout sdma6_layouts[] = {
    LAYOUT6(COPY_LINEAR, AMD_SDMA_CODE_COPY_LINEAR, "COPY_LINEAR", 7, 7, AMD_TAIL_NONE, 0, BROADCAST, 0),
    LAYOUT6(COPY_BROADCAST_LINEAR, 0x001, "COPY_BROADCAST_LINEAR", 9, 9, AMD_TAIL_NONE, 0, BROADCAST, 1),
    LAYOUT6(COPY_TILED, 0x101, "COPY_TILED", 13, 13, AMD_TAIL_NONE, 0, BROADCAST, 0),
    LAYOUT6(COPY_L2T_BROADCAST, 0x101, "COPY_L2T_BROADCAST", 16, 16, AMD_TAIL_NONE, 0, BROADCAST, 1),
    LAYOUT6(COPY_STRUCT, 0x301, "COPY_STRUCT", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_LINEAR_SUBWIN, AMD_SDMA_CODE_COPY_LINEAR_SUBWIN, "COPY_LINEAR_SUBWIN", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_TILED_SUBWIN, 0x501, "COPY_TILED_SUBWIN", 14, 14, AMD_TAIL_NONE, 0, DCC, 0),
    LAYOUT6(COPY_TILED_SUBWIN_DCC, 0x501, "COPY_TILED_SUBWIN", 17, 17, AMD_TAIL_NONE, 0, DCC, 1),
    LAYOUT6(COPY_T2T, 0x601, "COPY_T2T", 15, 15, AMD_TAIL_NONE, 0, DCC, 0),
    LAYOUT6(COPY_T2T_DCC, 0x601, "COPY_T2T", 18, 18, AMD_TAIL_NONE, 0, DCC, 1),
    LAYOUT6(COPY_DIRTY_PAGE, 0x701, "COPY_DIRTY_PAGE", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_PHYSICAL_LINEAR, 0x801, "COPY_PHYSICAL_LINEAR", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_LINEAR_BC, 0x1001, "COPY_LINEAR_BC", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_TILED_BC, 0x1101, "COPY_TILED_BC", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_LINEAR_SUBWIN_BC, 0x1401, "COPY_LINEAR_SUBWIN_BC", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COPY_LINEAR_SUBWIN_LARGE, 0x2401, "COPY_LINEAR_SUBWIN_LARGE", 20, 20, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(WRITE_UNTILED, 0x002, "WRITE_UNTILED", 4, 4, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT6(WRITE_TILED, 0x102, "WRITE_TILED", 9, 9, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT6(FENCE, 0x005, "FENCE", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(HDP_FLUSH, 0x008, "HDP_FLUSH", 6, 6, AMD_TAIL_NONE, 0, AMD_SDMA_HDP_FLUSH_KEY, 0x80000000),
    LAYOUT6(POLL_REGMEM, 0x008, "POLL_REGMEM", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(POLL_REG_WRITE_MEM, 0x108, "POLL_REG_WRITE_MEM", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(POLL_DBIT_WRITE_MEM, 0x208, "POLL_DBIT_WRITE_MEM", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(POLL_MEM_VERIFY, 0x308, "POLL_MEM_VERIFY", 13, 13, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(VM_INVALIDATION, 0x408, "VM_INVALIDATION", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(COND_EXE, 0x009, "COND_EXE", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(ATOMIC, 0x00a, "ATOMIC", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(CONSTANT_FILL, 0x00b, "CONSTANT_FILL", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(DATA_FILL_MULTI, 0x10b, "DATA_FILL_MULTI", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(WRITE_INCR, 0x00c, "WRITE_INCR", 10, 10, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(PTEPDE_COPY, 0x10c, "PTEPDE_COPY", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(PTEPDE_RMW, 0x20c, "PTEPDE_RMW", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(TIMESTAMP_GET, AMD_SDMA_CODE_TIMESTAMP_GET, "TIMESTAMP_GET", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT6(TIMESTAMP_GET_GLOBAL, AMD_SDMA_CODE_TIMESTAMP_GET_GLOBAL, "TIMESTAMP_GET_GLOBAL", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
};
static const struct amd_layout sdma7_layouts[] = {
    LAYOUT6(COPY_BROADCAST_LINEAR, 0x001, "COPY_BROADCAST_LINEAR", 9, 9, AMD_TAIL_NONE, 0, BROADCAST, 1),
    LAYOUT6(COPY_LINEAR, AMD_SDMA_CODE_COPY_LINEAR, "COPY_LINEAR", 7, 7, AMD_TAIL_NONE, 0, CPV, 0),
    LAYOUT(sdma7_COPY_LINEAR_CPV, 0x001, "COPY_LINEAR", 8, 8, AMD_TAIL_NONE, 0, CPV, 1),
};
/* clang-format on */

static const struct amd_layouts sdma_layouts[AMD_GENERATIONS] = {
    [AMD_GENERATION_GFX9] = AMD_LAYOUTS(sdma4_layouts, NULL),
    [AMD_GENERATION_GFX10] = AMD_LAYOUTS(sdma5_layouts, &sdma_layouts[AMD_GENERATION_GFX9]),
    [AMD_GENERATION_GFX11] = AMD_LAYOUTS(sdma6_layouts, &sdma_layouts[AMD_GENERATION_GFX10]),
    [AMD_GENERATION_GFX12] = AMD_LAYOUTS(sdma7_layouts, &sdma_layouts[AMD_GENERATION_GFX11]),
};

const struct amd_layouts *amd_sdma_layouts_of(enum amd_generation generation)
{
    return &sdma_layouts[generation];
}

/* Counts of WRITE_UNTILED and WRITE_TILED lie in the same bits in all versions. */

/* How many dwords of data follow the fields of a layout; 0 as long as the count is not there. */
static uint32_t sdma_data(const struct amd_layout *layout, const uint32_t *dwords, uint32_t count)
{
    switch (layout->code) {
    case 0x000:
        return (uint32_t)amd_get(dwords, AMD_SDMA_NOP_COUNT);
    case 0x002:
        return AMD_BITS_DWORDS(AMD_SDMA_WRITE_UNTILED_COUNT) > count
                   ? 0
                   : (uint32_t)amd_get(dwords, AMD_SDMA_WRITE_UNTILED_COUNT) + 1;
    case 0x102:
        return AMD_BITS_DWORDS(AMD_SDMA_WRITE_TILED_COUNT) > count
                   ? 0
                   : (uint32_t)amd_get(dwords, AMD_SDMA_WRITE_TILED_COUNT) + 1;
    case 0x1102:
        return AMD_BITS_DWORDS(AMD_SDMA5_WRITE_TILED_BC_COUNT) > count
                   ? 0
                   : (uint32_t)amd_get(dwords, AMD_SDMA5_WRITE_TILED_BC_COUNT) + 1;
    default:
        return 0;
    }
}

bool amd_sdma_next(struct amd_reader *reader, struct amd_packet *packet)
{
    const struct amd_layout *layout;

    if (reader->at >= reader->count)
        return false;
    *packet = (struct amd_packet){.at = reader->at,
                                  .dwords = reader->dwords + reader->at,
                                  .dword_count = reader->count - reader->at,
                                  .said_dwords = 1,
                                  .generation = reader->generation,
                                  .header_bits = 0xffff};
    packet->code = packet->dwords[0] & 0xffff;
    /* The layout gives the length, so none is too short or too long. */
    layout = amd_layouts_select(amd_sdma_layouts_of(reader->generation), packet->code,
                                packet->dwords, packet->dword_count, 0);
    if (layout)
        packet->said_dwords =
            layout->max_dwords + sdma_data(layout, packet->dwords, packet->dword_count);
    if (packet->dword_count > packet->said_dwords)
        packet->dword_count = packet->said_dwords;
    amd_packet_judge(packet, layout);
    reader->at += packet->dword_count;
    return true;
}
