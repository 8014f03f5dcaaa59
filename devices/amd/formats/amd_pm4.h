/* SPDX-License-Identifier: MIT */
/*
 * PM4 packets of gfx9 to gfx12, as compute queues, the HIQ and indirect buffers hold them.  gfe
 * emulates gfx9; the constants below are its.
 *
 * A packet of type 3 is a header (type 31:30, number of following dwords less one 29:16, opcode
 * 15:8, compute 1, predicate 0) and its body.  Type 2 is one dword of filling.  Type 0 writes
 * registers from an offset on.  Type 1 is not a packet.
 *
 * Decoding has no state and takes any dwords.  Unknown packets have the name UNKNOWN; a packet that
 * is cut off is shown as far as it is there.  Type 0 was for older chips; that gfx9's compute
 * queues take it is ASSUMED.  For graphics packets only the names are here.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) soc15d.h, gfx_v9_0.c, vega10_enum.h;
 * ROCT-Thunk-Interface tests/kfdtest/include/pm4_pkt_struct_{ai,common}.h; ROCR-Runtime
 * amd_gpu_pm4.h; amdkfd kfd_pm4_headers_ai.h and kfd_pm4_headers_aldebaran.h (packets of the
 * hardware scheduler).  What differs on gfx10 to gfx12: amd_pm4_gfx10_fields.h.  ASSUMED:
 * DISPATCH_INDIRECT of MECs, ATOMIC_MEM's and COPY_DATA's selectors, PRED_EXEC.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_PM4_H
#define GFE_DEVICES_AMD_FORMATS_AMD_PM4_H

#include "devices/amd/formats/amd_layout.h"

#define AMD_PM4_TYPE(header)   ((header) >> 30)
#define AMD_PM4_COUNT(header)  ((header) >> 16 & 0x3fff)
#define AMD_PM4_OPCODE(header) ((header) >> 8 & 0xff)
/* The header of a packet of type 3 that has `dwords` dwords in all, at least two. */
#define AMD_PM4_HEADER(opcode, dwords)                                                             \
    (UINT32_C(3) << 30 | (uint32_t)((dwords)-2) << 16 | (uint32_t)(opcode) << 8)

/* Opcodes; the fields are in amd_pm4_fields.h. */
enum amd_pm4_opcode {
    AMD_PM4_NOP = 0x10,
    AMD_PM4_DISPATCH_DIRECT = 0x15,
    AMD_PM4_DISPATCH_INDIRECT = 0x16,
    AMD_PM4_ATOMIC_MEM = 0x1e,
    AMD_PM4_COND_EXEC = 0x22,
    AMD_PM4_PRED_EXEC = 0x23,
    AMD_PM4_WRITE_DATA = 0x37,
    AMD_PM4_WAIT_REG_MEM = 0x3c,
    AMD_PM4_INDIRECT_BUFFER = 0x3f,
    AMD_PM4_COPY_DATA = 0x40,
    AMD_PM4_EVENT_WRITE = 0x46,
    AMD_PM4_RELEASE_MEM = 0x49,
    AMD_PM4_ACQUIRE_MEM = 0x58,
    AMD_PM4_SET_CONFIG_REG = 0x68,
    AMD_PM4_SET_SH_REG = 0x76,
    AMD_PM4_SET_QUEUE_REG = 0x78,
    AMD_PM4_SET_UCONFIG_REG = 0x79,
    AMD_PM4_INVALIDATE_TLBS = 0x98,
    AMD_PM4_SET_RESOURCES = 0xa0,
    AMD_PM4_MAP_PROCESS = 0xa1,
    AMD_PM4_MAP_QUEUES = 0xa2,
    AMD_PM4_UNMAP_QUEUES = 0xa3,
    AMD_PM4_QUERY_STATUS = 0xa4,
    AMD_PM4_RUN_LIST = 0xa5,
};

/* Returns the layouts of a generation. */
const struct amd_layouts *amd_pm4_layouts_of(enum amd_generation generation);

/* Decodes the packet at reader->at and advances past it.  Returns false at the end. */
bool amd_pm4_next(struct amd_reader *reader, struct amd_packet *packet);

#endif
