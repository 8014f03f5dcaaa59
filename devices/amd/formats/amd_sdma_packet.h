/* SPDX-License-Identifier: MIT */
/*
 * SDMA packets of gfx9 (SDMA 4) to gfx12 (SDMA 7), as their rings hold them.  gfe emulates SDMA 4.
 *
 * The opcode (7:0) and sub-opcode (15:8) of the first dword determine the length.  Some packets
 * have a count; counts of bytes and dwords are one less than the actual number.  Zero dwords are
 * NOPs without data, with which drivers fill a ring's end.  An unknown opcode has no length.  The
 * decoder takes it as one dword, and the following dword as the next packet.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) vega10_sdma_pkt_open.h; ROCR-Runtime
 * sdma_registers.h and amd_blit_sdma.cpp (HDP_FLUSH, which is a POLL_REGMEM of an address that does
 * not exist; GCR, which gfx10 has; and ADD_64).  The other names of atomics are INFERRED.  SDMA 5
 * to 7: amd_sdma5_fields.h, amd_sdma6_fields.h.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA_PACKET_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA_PACKET_H

#include "devices/amd/formats/amd_layout.h"

enum amd_sdma_op {
    AMD_SDMA_OP_NOP,
    AMD_SDMA_OP_COPY,
    AMD_SDMA_OP_WRITE,
    AMD_SDMA_OP_INDIRECT = 4,
    AMD_SDMA_OP_FENCE,
    AMD_SDMA_OP_TRAP,
    AMD_SDMA_OP_SEMAPHORE,
    AMD_SDMA_OP_POLL_REGMEM,
    AMD_SDMA_OP_COND_EXE,
    AMD_SDMA_OP_ATOMIC,
    AMD_SDMA_OP_CONSTANT_FILL,
    AMD_SDMA_OP_PTEPDE,
    AMD_SDMA_OP_TIMESTAMP,
    AMD_SDMA_OP_SRBM_WRITE,
    AMD_SDMA_OP_PRE_EXE,
    AMD_SDMA_OP_DUMMY_TRAP,
};

/* Codes with a sub-opcode that a unit carries out: opcode, and sub-opcode << 8. */
enum amd_sdma_code {
    AMD_SDMA_CODE_COPY_LINEAR = AMD_SDMA_OP_COPY,
    AMD_SDMA_CODE_COPY_LINEAR_SUBWIN = AMD_SDMA_OP_COPY | 4 << 8,
    AMD_SDMA_CODE_TIMESTAMP_SET = AMD_SDMA_OP_TIMESTAMP,
    AMD_SDMA_CODE_TIMESTAMP_GET = AMD_SDMA_OP_TIMESTAMP | 1 << 8,
    AMD_SDMA_CODE_TIMESTAMP_GET_GLOBAL = AMD_SDMA_OP_TIMESTAMP | 2 << 8,
};

/* Returns the layouts of a generation. */
const struct amd_layouts *amd_sdma_layouts_of(enum amd_generation generation);

/* Decodes the packet at reader->at and advances past it.  Returns false at the end. */
bool amd_sdma_next(struct amd_reader *reader, struct amd_packet *packet);

#endif
