/* SPDX-License-Identifier: MIT */
/*
 * Registers of the interrupt handler block (IH, OSSSYS 4.0 to 4.2) of gfx9 chips: the ring in
 * memory, and the PASID of each VMID.  Byte offsets are those of the register BAR.
 *
 * Sources: amdgpu driver include/asic_reg/oss/osssys_4_0_offset.h and osssys_4_0_sh_mask.h
 * (torvalds/linux), vega20_ip_offset.h (OSSSYS at dword 0x10a0), vega10_ih.c.  Fields from bit 17
 * of IH_RB_CNTL up follow vega10_ih.c and later headers of the block.  Rings 1 and 2 (retried
 * faults, writes of PTEs) are not modelled.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_IH_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_IH_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
#define AMD_IH_REGS(REG, FIELD, VALUE)                                                             \
    REG(IH_VMID_0_LUT, 0x04280, 16, 4, RW, 0x0, "the process that a VMID belongs to")              \
      FIELD(IH_VMID_0_LUT__PASID, 15, 0, "")                                                       \
    REG(IH_RB_CNTL, 0x04480, 1, 4, HOOK, 0x0, "")                                                  \
      FIELD(IH_RB_CNTL__RB_ENABLE, 0, 0, "")                                                       \
      FIELD(IH_RB_CNTL__RB_SIZE, 5, 1, "the ring has 1 << RB_SIZE dwords")                         \
      FIELD(IH_RB_CNTL__RB_GPU_TS_ENABLE, 7, 7, "")                                                \
      FIELD(IH_RB_CNTL__WPTR_WRITEBACK_ENABLE, 8, 8, "the write pointer is written to memory, too")\
      FIELD(IH_RB_CNTL__RB_FULL_DRAIN_ENABLE, 9, 9, "")                                            \
      FIELD(IH_RB_CNTL__FULL_DRAIN_CLEAR, 10, 10, "")                                              \
      FIELD(IH_RB_CNTL__RB_USED_INT_THRESHOLD, 15, 12, "")                                         \
      FIELD(IH_RB_CNTL__WPTR_OVERFLOW_ENABLE, 16, 16, "a full ring is written over, and says so")  \
      FIELD(IH_RB_CNTL__ENABLE_INTR, 17, 17, "")                                                   \
      FIELD(IH_RB_CNTL__MC_SWAP, 19, 18, "")                                                       \
      FIELD(IH_RB_CNTL__MC_SNOOP, 20, 20, "")                                                      \
      FIELD(IH_RB_CNTL__RPTR_REARM, 21, 21, "another interrupt once the read pointer was written") \
      FIELD(IH_RB_CNTL__MC_RO, 22, 22, "")                                                         \
      FIELD(IH_RB_CNTL__MC_VMID, 27, 24, "")                                                       \
      FIELD(IH_RB_CNTL__MC_SPACE, 30, 28, "where the ring is")                                     \
        VALUE(IH_RB_CNTL__MC_SPACE__BUS, 2, "system memory, as the bus has it")                    \
        VALUE(IH_RB_CNTL__MC_SPACE__GPU, 4, "an address of MC_VMID")                               \
      FIELD(IH_RB_CNTL__WPTR_OVERFLOW_CLEAR, 31, 31, "1: RB_OVERFLOW becomes 0")                   \
    REG(IH_RB_BASE, 0x04484, 1, 4, RW, 0x0, "of the ring, address >> 8")                           \
    REG(IH_RB_BASE_HI, 0x04488, 1, 4, RW, 0x0, "")                                                 \
      FIELD(IH_RB_BASE_HI__ADDR, 7, 0, "")                                                         \
    REG(IH_RB_RPTR, 0x0448c, 1, 4, HOOK, 0x0, "in bytes")                                          \
      FIELD(IH_RB_RPTR__OFFSET, 17, 2, "")                                                         \
    REG(IH_RB_WPTR, 0x04490, 1, 4, RW, 0x0, "in bytes")                                            \
      FIELD(IH_RB_WPTR__RB_OVERFLOW, 0, 0, "entries were written over")                            \
      FIELD(IH_RB_WPTR__OFFSET, 17, 2, "")                                                         \
    REG(IH_RB_WPTR_ADDR_HI, 0x04494, 1, 4, RW, 0x0, "")                                            \
      FIELD(IH_RB_WPTR_ADDR_HI__ADDR, 7, 0, "")                                                    \
    REG(IH_RB_WPTR_ADDR_LO, 0x04498, 1, 4, RW, 0x0, "where the write pointer is written")          \
      FIELD(IH_RB_WPTR_ADDR_LO__ADDR, 31, 2, "")                                                   \
    REG(IH_DOORBELL_RPTR, 0x0449c, 1, 4, INERT, 0x0, "the read pointer by a doorbell: not used")   \
      FIELD(IH_DOORBELL_RPTR__OFFSET, 25, 0, "")                                                   \
      FIELD(IH_DOORBELL_RPTR__ENABLE, 28, 28, "")
/* clang-format on */

enum { AMD_IH_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_ih_list;

#endif
