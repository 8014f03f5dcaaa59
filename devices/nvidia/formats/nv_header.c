/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_header.h"

#include <assert.h>
#include <stddef.h>

#include "devices/nvidia/formats/nv_methods.h"

_Static_assert((int)NV_GP_OPCODE_NOP == (int)NVA06F_GP_ENTRY1_OPCODE_NOP &&
                   (int)NV_GP_OPCODE_ILLEGAL == (int)NVA06F_GP_ENTRY1_OPCODE_ILLEGAL &&
                   (int)NV_GP_OPCODE_GP_CRC == (int)NVA06F_GP_ENTRY1_OPCODE_GP_CRC &&
                   (int)NV_GP_OPCODE_PB_CRC == (int)NVA06F_GP_ENTRY1_OPCODE_PB_CRC,
               "GP entry opcodes are clc06f.h's");

static const struct nv_header header_nop = {.kind = NV_HEADER_NOP};
static const struct nv_header header_invalid = {.kind = NV_HEADER_INVALID};

/* A count of 0 makes any method header a no-op; its other fields are ignored. */
static struct nv_header header_method(enum nv_header_kind kind, uint32_t dword)
{
    const struct nv_header header = {
        .kind = kind,
        .subchannel = (uint8_t)nv_field(dword, NVA06F_DMA_METHOD_SUBCHANNEL),
        .method = (uint16_t)(nv_field(dword, NVA06F_DMA_METHOD_ADDRESS) << 2),
        .count = (uint16_t)nv_field(dword, NVA06F_DMA_METHOD_COUNT),
    };

    return header.count == 0 ? header_nop : header;
}

static struct nv_header header_method_old(enum nv_header_kind kind, uint32_t dword)
{
    const struct nv_header header = {
        .kind = kind,
        .old = true,
        .subchannel = (uint8_t)nv_field(dword, NVA06F_DMA_METHOD_SUBCHANNEL),
        .method = (uint16_t)(nv_field(dword, NVA06F_DMA_METHOD_ADDRESS_OLD) << 2),
        .count = (uint16_t)nv_field(dword, NVA06F_DMA_METHOD_COUNT_OLD),
    };

    return header.count == 0 ? header_nop : header;
}

static struct nv_header header_immediate(uint32_t dword)
{
    return (struct nv_header){
        .kind = NV_HEADER_IMMD,
        .subchannel = (uint8_t)nv_field(dword, NVA06F_DMA_METHOD_SUBCHANNEL),
        .method = (uint16_t)(nv_field(dword, NVA06F_DMA_METHOD_ADDRESS) << 2),
        .immediate = (uint16_t)nv_field(dword, NVA06F_DMA_IMMD_DATA),
    };
}

static struct nv_header header_group_0(uint32_t dword)
{
    const uint16_t mask = (uint16_t)nv_field(dword, NVA06F_DMA_SUBDEVICE_MASK);

    switch (nv_field(dword, NVA06F_DMA_TERT_OP)) {
    case NVA06F_DMA_TERT_OP_GRP0_SET_SUB_DEV_MASK:
        return (struct nv_header){.kind = NV_HEADER_SET_SUBDEVICE, .subdevice_mask = mask};
    case NVA06F_DMA_TERT_OP_GRP0_STORE_SUB_DEV_MASK:
        return (struct nv_header){.kind = NV_HEADER_STORE_SUBDEVICE, .subdevice_mask = mask};
    case NVA06F_DMA_TERT_OP_GRP0_USE_SUB_DEV_MASK:
        return (struct nv_header){.kind = NV_HEADER_USE_SUBDEVICE};
    default:
        return header_method_old(NV_HEADER_INC, dword);
    }
}

struct nv_header nv_header_decode(uint32_t dword)
{
    switch (nv_field(dword, NVA06F_DMA_SEC_OP)) {
    case NVA06F_DMA_SEC_OP_GRP0_USE_TERT:
        return header_group_0(dword);
    case NVA06F_DMA_SEC_OP_INC_METHOD:
        return header_method(NV_HEADER_INC, dword);
    case NVA06F_DMA_SEC_OP_GRP2_USE_TERT:
        /* Only NON_INC_METHOD has a number in this group. */
        if (nv_field(dword, NVA06F_DMA_TERT_OP) != NVA06F_DMA_TERT_OP_GRP2_NON_INC_METHOD)
            return header_invalid;
        return header_method_old(NV_HEADER_NON_INC, dword);
    case NVA06F_DMA_SEC_OP_NON_INC_METHOD:
        return header_method(NV_HEADER_NON_INC, dword);
    case NVA06F_DMA_SEC_OP_IMMD_DATA_METHOD:
        return header_immediate(dword);
    case NVA06F_DMA_SEC_OP_ONE_INC:
        return header_method(NV_HEADER_ONE_INC, dword);
    case NVA06F_DMA_SEC_OP_END_PB_SEGMENT:
        return (struct nv_header){.kind = NV_HEADER_END_SEGMENT};
    default:
        return header_invalid;
    }
}

static uint32_t header_encode_old(const struct nv_header *header)
{
    const uint32_t sec_op = header->kind == NV_HEADER_INC ? NVA06F_DMA_SEC_OP_GRP0_USE_TERT
                                                          : NVA06F_DMA_SEC_OP_GRP2_USE_TERT;

    assert(header->kind == NV_HEADER_INC || header->kind == NV_HEADER_NON_INC);
    assert(header->count > 0 && header->count < 0x800 && header->method <= 0x1ffc);
    return nv_field_put(NVA06F_DMA_SEC_OP, sec_op) |
           nv_field_put(NVA06F_DMA_METHOD_COUNT_OLD, header->count) |
           nv_field_put(NVA06F_DMA_METHOD_SUBCHANNEL, header->subchannel) |
           nv_field_put(NVA06F_DMA_METHOD_ADDRESS_OLD, (uint32_t)header->method >> 2);
}

static uint32_t header_encode_method(const struct nv_header *header, uint32_t sec_op)
{
    const uint32_t data =
        header->kind == NV_HEADER_IMMD ? header->immediate : (uint32_t)header->count;

    if (header->old)
        return header_encode_old(header);
    assert(header->kind == NV_HEADER_IMMD || data > 0);
    assert(data < 0x2000 && header->method <= NV_METHOD_MAX_BYTES);
    return nv_field_put(NVA06F_DMA_SEC_OP, sec_op) | nv_field_put(NVA06F_DMA_METHOD_COUNT, data) |
           nv_field_put(NVA06F_DMA_METHOD_SUBCHANNEL, header->subchannel) |
           nv_field_put(NVA06F_DMA_METHOD_ADDRESS, (uint32_t)header->method >> 2);
}

static uint32_t header_encode_subdevice(const struct nv_header *header, uint32_t tert_op)
{
    assert(header->subdevice_mask < 0x1000);
    return nv_field_put(NVA06F_DMA_TERT_OP, tert_op) |
           nv_field_put(NVA06F_DMA_SUBDEVICE_MASK, header->subdevice_mask);
}

uint32_t nv_header_encode(const struct nv_header *header)
{
    assert(header->subchannel < 8 && header->method % 4 == 0);
    switch (header->kind) {
    case NV_HEADER_INC:
        return header_encode_method(header, NVA06F_DMA_SEC_OP_INC_METHOD);
    case NV_HEADER_NON_INC:
        return header_encode_method(header, NVA06F_DMA_SEC_OP_NON_INC_METHOD);
    case NV_HEADER_ONE_INC:
        return header_encode_method(header, NVA06F_DMA_SEC_OP_ONE_INC);
    case NV_HEADER_IMMD:
        return header_encode_method(header, NVA06F_DMA_SEC_OP_IMMD_DATA_METHOD);
    case NV_HEADER_SET_SUBDEVICE:
        return header_encode_subdevice(header, NVA06F_DMA_TERT_OP_GRP0_SET_SUB_DEV_MASK);
    case NV_HEADER_STORE_SUBDEVICE:
        return header_encode_subdevice(header, NVA06F_DMA_TERT_OP_GRP0_STORE_SUB_DEV_MASK);
    case NV_HEADER_USE_SUBDEVICE:
        return header_encode_subdevice(header, NVA06F_DMA_TERT_OP_GRP0_USE_SUB_DEV_MASK);
    case NV_HEADER_END_SEGMENT:
        return nv_field_put(NVA06F_DMA_SEC_OP, NVA06F_DMA_SEC_OP_END_PB_SEGMENT);
    case NV_HEADER_INVALID:
        return nv_field_put(NVA06F_DMA_SEC_OP, NVA06F_DMA_SEC_OP_RESERVED6);
    case NV_HEADER_NOP:
    case NV_HEADER_KIND_COUNT:
        break;
    }
    return NVA06F_DMA_NOP;
}

uint32_t nv_header_method(const struct nv_header *header, uint32_t index)
{
    switch (header->kind) {
    case NV_HEADER_INC:
        return header->method + 4 * index;
    case NV_HEADER_ONE_INC:
        return header->method + (index > 0 ? 4u : 0u);
    default:
        return header->method;
    }
}

const char *nv_header_kind_name(enum nv_header_kind kind)
{
    static const char *const names[NV_HEADER_KIND_COUNT] = {
        [NV_HEADER_NOP] = "NOP",
        [NV_HEADER_INC] = "INC",
        [NV_HEADER_NON_INC] = "NON_INC",
        [NV_HEADER_ONE_INC] = "ONE_INC",
        [NV_HEADER_IMMD] = "IMMD",
        [NV_HEADER_SET_SUBDEVICE] = "SET_SUBDEVICE_MASK",
        [NV_HEADER_STORE_SUBDEVICE] = "STORE_SUBDEVICE_MASK",
        [NV_HEADER_USE_SUBDEVICE] = "USE_SUBDEVICE_MASK",
        [NV_HEADER_END_SEGMENT] = "END_PB_SEGMENT",
        [NV_HEADER_INVALID] = "INVALID",
    };

    assert(kind < NV_HEADER_KIND_COUNT);
    return names[kind];
}

void nv_gp_entry_encode(const struct nv_gp_entry *entry, uint32_t words[2])
{
    assert(entry->length_dwords < 1u << 21);
    words[1] = nv_field_put(NVA06F_GP_ENTRY1_LENGTH, entry->length_dwords) |
               nv_field_put(NVA06F_GP_ENTRY1_PRIV, entry->privileged) |
               nv_field_put(NVA06F_GP_ENTRY1_LEVEL, entry->subroutine) |
               nv_field_put(NVA06F_GP_ENTRY1_SYNC, entry->sync_wait);
    if (entry->length_dwords == 0) {
        words[0] = entry->operand;
        words[1] |= nv_field_put(NVA06F_GP_ENTRY1_OPCODE, entry->opcode);
        return;
    }
    assert(entry->address <= NV_VA_LAST_DWORD && entry->address % 4 == 0);
    words[0] = (uint32_t)entry->address | nv_field_put(NVA06F_GP_ENTRY0_FETCH, entry->conditional);
    words[1] |= nv_field_put(NVA06F_GP_ENTRY1_GET_HI, (uint32_t)(entry->address >> 32));
}

const char *nv_gp_opcode_name(uint8_t opcode)
{
    static const char *const names[NV_GP_OPCODE_COUNT] = {"NOP", "ILLEGAL", "GP_CRC", "PB_CRC"};

    return opcode < NV_GP_OPCODE_COUNT ? names[opcode] : NULL;
}
