/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_HEADER_H
#define DEVICES_NVIDIA_NV_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_methods.h"

/*
 * GP entries (8 bytes in the GPFIFO ring) and pushbuffer headers (one dword in a segment), decoded
 * and encoded.  Pure functions, no state.
 *
 * Described in open-gpu-doc classes/host/clc06f.h (Pascal's formats) and, in prose, in
 * manuals/turing/tu104/dev_pbdma.ref.txt "GP_ENTRY0 and GP_ENTRY1" and dev_ram.ref.txt "FIFO_DMA".
 * Pascal keeps the old forms (SEC_OP 0 with TERT_OP 0, SEC_OP 2) that Turing's table no longer has.
 *
 * Not modelled: Fermi's NO_CONTEXT_SWITCH, Hopper's SET_PB_SEGMENT_EXTENDED_BASE.
 */

#define NV_METHOD_MAX_BYTES 0x3ffcu         /* the largest byte offset of a method */
#define NV_VA_LAST_DWORD    0xfffffffffcull /* 40 bits; a segment must end at or before it */

enum nv_header_kind {
    NV_HEADER_NOP,             /* the dword 0, or a method header with count 0: does nothing */
    NV_HEADER_INC,             /* count data dwords follow: method, method + 4, ... */
    NV_HEADER_NON_INC,         /* all data to the same method */
    NV_HEADER_ONE_INC,         /* the first to method, all others to method + 4 */
    NV_HEADER_IMMD,            /* one method; its 13 bits of data are in the header */
    NV_HEADER_SET_SUBDEVICE,   /* set the subdevice mask */
    NV_HEADER_STORE_SUBDEVICE, /* store a mask for USE_SUBDEVICE */
    NV_HEADER_USE_SUBDEVICE,   /* set the stored mask */
    NV_HEADER_END_SEGMENT,     /* the rest of this segment is ignored */
    NV_HEADER_INVALID,         /* PBENTRY in NV_PPBDMA_INTR_0 */
    NV_HEADER_KIND_COUNT
};

/* Members that the kind does not use are 0. */
struct nv_header {
    enum nv_header_kind kind;
    bool old;                /* the Fermi form: 11-bit count, method offset in place */
    uint8_t subchannel;      /* 0..7 */
    uint16_t method;         /* byte offset of the first method */
    uint16_t count;          /* data dwords that follow the header */
    uint16_t immediate;      /* IMMD: 13 bits, to be zero-extended */
    uint16_t subdevice_mask; /* SET_SUBDEVICE, STORE_SUBDEVICE: 12 bits */
};

/* Decodes a header.  Never fails: a header that the hardware rejects has kind NV_HEADER_INVALID. */
struct nv_header nv_header_decode(uint32_t dword);

/* Encodes a header, the inverse of nv_header_decode().  Members must fit their fields (asserted);
 * NV_HEADER_INVALID gives SEC_OP RESERVED6. */
uint32_t nv_header_encode(const struct nv_header *header);

/*
 * Returns the byte offset of the method that gets the index-th data dword, index < count.  INC and
 * ONE_INC may pass NV_METHOD_MAX_BYTES.  The hardware raises PBENTRY there; the caller compares.
 */
uint32_t nv_header_method(const struct nv_header *header, uint32_t index);

/* Returns "INC", "IMMD", ...; a constant string. */
const char *nv_header_kind_name(enum nv_header_kind kind);

enum nv_gp_opcode {
    NV_GP_OPCODE_NOP = 0,     /* still obeys sync_wait */
    NV_GP_OPCODE_ILLEGAL = 1, /* GPENTRY */
    NV_GP_OPCODE_GP_CRC = 2,
    NV_GP_OPCODE_PB_CRC = 3,
    NV_GP_OPCODE_COUNT
};

/* A GP entry.  With length_dwords == 0 it is a control entry: opcode and operand are valid, and
 * address is 0.  Otherwise only the address is valid. */
struct nv_gp_entry {
    uint64_t address;       /* byte address of the segment, 40 bits, dword aligned */
    uint32_t length_dwords; /* 21 bits */
    bool conditional;       /* FETCH: read only if the subdevice is active */
    bool privileged;        /* PRIV: KERNEL */
    bool subroutine;        /* LEVEL: TOP_LEVEL_GET stays unchanged */
    bool sync_wait;         /* SYNC: only after the previous segment is processed */
    uint8_t opcode;         /* control entries: enum nv_gp_opcode, or a number without a name */
    uint32_t operand;       /* control entries */
};

/* Decodes a GP entry; any two words are accepted. */
static inline struct nv_gp_entry nv_gp_entry_decode(uint32_t entry0, uint32_t entry1)
{
    struct nv_gp_entry entry = {
        .length_dwords = nv_field(entry1, NVA06F_GP_ENTRY1_LENGTH),
        .conditional =
            nv_field(entry0, NVA06F_GP_ENTRY0_FETCH) == NVA06F_GP_ENTRY0_FETCH_CONDITIONAL,
        .privileged = nv_field(entry1, NVA06F_GP_ENTRY1_PRIV) == NVA06F_GP_ENTRY1_PRIV_KERNEL,
        .subroutine = nv_field(entry1, NVA06F_GP_ENTRY1_LEVEL) == NVA06F_GP_ENTRY1_LEVEL_SUBROUTINE,
        .sync_wait = nv_field(entry1, NVA06F_GP_ENTRY1_SYNC) == NVA06F_GP_ENTRY1_SYNC_WAIT,
    };

    if (entry.length_dwords == 0) {
        entry.opcode = (uint8_t)nv_field(entry1, NVA06F_GP_ENTRY1_OPCODE);
        entry.operand = nv_field(entry0, NVA06F_GP_ENTRY0_OPERAND);
        entry.conditional = false; /* the operand covers FETCH */
    } else {
        entry.address = (uint64_t)nv_field(entry1, NVA06F_GP_ENTRY1_GET_HI) << 32 |
                        nv_field(entry0, NVA06F_GP_ENTRY0_GET) << 2;
    }
    return entry;
}

/* Encodes a GP entry.  Members must fit their fields (asserted). */
void nv_gp_entry_encode(const struct nv_gp_entry *entry, uint32_t words[2]);

/*
 * Returns false for an entry that raises GPENTRY: opcode ILLEGAL, an opcode without a name, or a
 * segment that ends past NV_VA_LAST_DWORD.
 */
static inline bool nv_gp_entry_valid(const struct nv_gp_entry *entry)
{
    if (entry->length_dwords == 0)
        return entry->opcode != NV_GP_OPCODE_ILLEGAL && entry->opcode < NV_GP_OPCODE_COUNT;
    return entry->address + 4ull * entry->length_dwords <= NV_VA_LAST_DWORD;
}

/* Returns "NOP", "ILLEGAL", "GP_CRC", "PB_CRC", or NULL for any other opcode. */
const char *nv_gp_opcode_name(uint8_t opcode);

#endif
