/* SPDX-License-Identifier: MIT */
/*
 * Registers of the MMU: invalidation of translations and, from Volta on, the fault buffers.
 *
 * Sources: open-gpu-kernel-modules @df1c9a3d published/pascal/gp100/dev_fb.h, volta/gv100/dev_fb.h,
 * turing/tu102/dev_vm.h (fields); open-gpu-doc tu104/pri_mmu_hub.ref.txt (addresses and fields);
 * nvgpu hw_fb_gp106.h, hw_fb_gv11b.h @6ecfb593 (addresses, NISO_INTR).
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_FAULT_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_FAULT_REGS_H

#include "emu/engine/reg.h"

#define NV_PFB_BASE                   0x100000u
#define NV_PFB_BYTES                  0x1000u
/* NV_VIRTUAL_FUNCTION_PRIV + 0x3000, at the address for the physical function. */
#define NV_VIRTUAL_FUNCTION_MMU_BASE  0xb83000u
#define NV_VIRTUAL_FUNCTION_MMU_BYTES 0x100u

/* clang-format off */
#define NV_PFB_MMU_INVALIDATE_REGS(REG, FIELD, VALUE, PREFIX, PDB_AT, AT)                            \
    REG(PREFIX##_MMU_INVALIDATE_PDB, PDB_AT, 1, 4, RW, 0, "root of the space to invalidate")           \
      FIELD(PREFIX##_MMU_INVALIDATE_PDB_APERTURE, 1, 1, "1: system memory")                            \
      FIELD(PREFIX##_MMU_INVALIDATE_PDB_ADDR, 31, 4, "address >> 12")                                  \
    REG(PREFIX##_MMU_INVALIDATE, AT, 1, 4, HOOK, 0, "")                                                \
      FIELD(PREFIX##_MMU_INVALIDATE_ALL_VA, 0, 0, "")                                                  \
      FIELD(PREFIX##_MMU_INVALIDATE_ALL_PDB, 1, 1, "")                                                 \
      FIELD(PREFIX##_MMU_INVALIDATE_HUBTLB_ONLY, 2, 2, "")                                             \
      FIELD(PREFIX##_MMU_INVALIDATE_REPLAY, 5, 3, "not modelled: nothing is replayable")               \
      FIELD(PREFIX##_MMU_INVALIDATE_SYS_MEMBAR, 6, 6, "")                                              \
      FIELD(PREFIX##_MMU_INVALIDATE_ACK, 8, 7, "")                                                     \
      FIELD(PREFIX##_MMU_INVALIDATE_CANCEL_CLIENT_ID, 14, 9, "")                                       \
      FIELD(PREFIX##_MMU_INVALIDATE_CANCEL_GPC_ID, 19, 15, "")                                         \
      FIELD(PREFIX##_MMU_INVALIDATE_CANCEL_CLIENT_TYPE, 20, 20, "")                                    \
      FIELD(PREFIX##_MMU_INVALIDATE_CACHE_LEVEL, 26, 24, "")                                           \
      FIELD(PREFIX##_MMU_INVALIDATE_TRIGGER, 31, 31, "a write of 1 invalidates; reads as 0 when done")

#define NV_MMU_FAULT_BUFFER_REGS(REG, FIELD, VALUE, PREFIX, AT, STRIDE, INFO_AT)                     \
    REG(PREFIX##_MMU_FAULT_BUFFER_LO, AT, 2, STRIDE, RW, 0, "0: not replayable, 1: replayable faults") \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_LO_ADDR_MODE, 0, 0, "")                                          \
        VALUE(PREFIX##_MMU_FAULT_BUFFER_LO_ADDR_MODE_VIRTUAL, 0, "in BAR2")                            \
        VALUE(PREFIX##_MMU_FAULT_BUFFER_LO_ADDR_MODE_PHYSICAL, 1, "")                                  \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_LO_PHYS_APERTURE, 2, 1, "0 video memory, 2/3 system memory")     \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_LO_PHYS_VOL, 3, 3, "")                                           \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_LO_ADDR, 31, 12, "")                                             \
    REG(PREFIX##_MMU_FAULT_BUFFER_HI, AT + 0x04, 2, STRIDE, RW, 0, "")                                 \
    REG(PREFIX##_MMU_FAULT_BUFFER_GET, AT + 0x08, 2, STRIDE, HOOK, 0, "software's place")              \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_GET_PTR, 19, 0, "packet of 32 bytes")                            \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_GET_GETPTR_CORRUPTED, 30, 30, "write 1 to clear")                \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_GET_OVERFLOW, 31, 31, "write 1 to clear")                        \
    REG(PREFIX##_MMU_FAULT_BUFFER_PUT, AT + 0x0c, 2, STRIDE, RO, 0, "the MMU's place")                 \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_PUT_PTR, 19, 0, "")                                              \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_PUT_GETPTR_CORRUPTED, 30, 30, "")                                \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_PUT_OVERFLOW, 31, 31, "")                                        \
    REG(PREFIX##_MMU_FAULT_BUFFER_SIZE, AT + 0x10, 2, STRIDE, HOOK, 0, "")                             \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_SIZE_VAL, 19, 0, "packets")                                      \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_SIZE_OVERFLOW_INTR, 29, 29, "")                                  \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_SIZE_SET_DEFAULT, 30, 30, "the chip's recommendation into VAL")  \
      FIELD(PREFIX##_MMU_FAULT_BUFFER_SIZE_ENABLE, 31, 31, "")                                         \
    REG(PREFIX##_MMU_FAULT_ADDR_LO, INFO_AT, 1, 4, RO, 0, "the fault that found no buffer")            \
    REG(PREFIX##_MMU_FAULT_ADDR_HI, INFO_AT + 0x04, 1, 4, RO, 0, "")                                   \
    REG(PREFIX##_MMU_FAULT_INST_LO, INFO_AT + 0x08, 1, 4, RO, 0, "")                                   \
      FIELD(PREFIX##_MMU_FAULT_INST_LO_ENGINE_ID, 8, 0, "")                                            \
      FIELD(PREFIX##_MMU_FAULT_INST_LO_APERTURE, 11, 10, "")                                           \
      FIELD(PREFIX##_MMU_FAULT_INST_LO_ADDR, 31, 12, "")                                               \
    REG(PREFIX##_MMU_FAULT_INST_HI, INFO_AT + 0x0c, 1, 4, RO, 0, "")                                   \
    REG(PREFIX##_MMU_FAULT_INFO, INFO_AT + 0x10, 1, 4, RO, 0, "")                                      \
      FIELD(PREFIX##_MMU_FAULT_INFO_FAULT_TYPE, 4, 0, "")                                              \
      FIELD(PREFIX##_MMU_FAULT_INFO_REPLAYABLE_FAULT, 7, 7, "")                                        \
      FIELD(PREFIX##_MMU_FAULT_INFO_CLIENT, 14, 8, "")                                                 \
      FIELD(PREFIX##_MMU_FAULT_INFO_ACCESS_TYPE, 19, 16, "")                                           \
      FIELD(PREFIX##_MMU_FAULT_INFO_CLIENT_TYPE, 20, 20, "1: HUB")                                     \
      FIELD(PREFIX##_MMU_FAULT_INFO_GPC_ID, 28, 24, "")                                                \
      FIELD(PREFIX##_MMU_FAULT_INFO_VALID, 31, 31, "")                                                 \
    REG(PREFIX##_MMU_FAULT_STATUS, INFO_AT + 0x14, 1, 4, HOOK, 0, "")                                  \
      FIELD(PREFIX##_MMU_FAULT_STATUS_DROPPED_OTHER_VIRT, 7, 7, "write 1 to clear")                    \
      FIELD(PREFIX##_MMU_FAULT_STATUS_REPLAYABLE, 8, 8, "")                                            \
      FIELD(PREFIX##_MMU_FAULT_STATUS_NON_REPLAYABLE, 9, 9, "packets are in the buffer")               \
      FIELD(PREFIX##_MMU_FAULT_STATUS_NON_REPLAYABLE_OVERFLOW, 13, 13, "")                             \
      FIELD(PREFIX##_MMU_FAULT_STATUS_NON_REPLAYABLE_GETPTR_CORRUPTED, 15, 15, "")                     \
      FIELD(PREFIX##_MMU_FAULT_STATUS_VALID, 31, 31, "ADDR, INST and INFO hold a fault; write 1 to clear")

/* Kepler to Pascal. */
#define NV_PFB_REGS(REG, FIELD, VALUE)                                                               \
    NV_PFB_MMU_INVALIDATE_REGS(REG, FIELD, VALUE, NV_PFB_PRI, 0xcb8, 0xcbc)

/* Additional registers of Volta. */
#define NV_PFB_GV100_REGS(REG, FIELD, VALUE)                                                         \
    REG(NV_PFB_NISO_INTR, 0xa20, 1, 4, RO, 0, "interrupts of the MMU, cleared at their cause")         \
      FIELD(NV_PFB_NISO_INTR_MMU_NONREPLAYABLE_FAULT_NOTIFY, 29, 29, "")                               \
      FIELD(NV_PFB_NISO_INTR_MMU_NONREPLAYABLE_FAULT_OVERFLOW, 30, 30, "")                             \
      FIELD(NV_PFB_NISO_INTR_MMU_OTHER_FAULT_NOTIFY, 31, 31, "")                                       \
    REG(NV_PFB_NISO_INTR_EN, 0xa24, 2, 4, RO, 0, "")                                                   \
    REG(NV_PFB_NISO_INTR_EN_SET, 0xa2c, 2, 4, HOOK, 0, "write 1 to set bits of EN")                    \
    REG(NV_PFB_NISO_INTR_EN_CLR, 0xa34, 2, 4, HOOK, 0, "write 1 to clear them")                        \
    NV_MMU_FAULT_BUFFER_REGS(REG, FIELD, VALUE, NV_PFB_PRI, 0xe24, 20, 0xe4c)

/* Turing and later: the same in the virtual function's space. */
#define NV_VIRTUAL_FUNCTION_MMU_REGS(REG, FIELD, VALUE)                                              \
    NV_MMU_FAULT_BUFFER_REGS(REG, FIELD, VALUE, NV_VIRTUAL_FUNCTION_PRIV, 0x00, 32, 0x80)              \
    NV_PFB_MMU_INVALIDATE_REGS(REG, FIELD, VALUE, NV_VIRTUAL_FUNCTION_PRIV, 0xa0, 0xb0)                \
    REG(NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE_UPPER_PDB, 0xa4, 1, 4, RW, 0, "")                      \
      FIELD(NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE_UPPER_PDB_ADDR, 19, 0, "address >> 40")

/* A packet of the fault buffer, 32 bytes (tu104/dev_mmu_fault.ref.txt). */
#define NV_MMU_FAULT_BUF_REGS(REG, FIELD, VALUE)                                                     \
    REG(NV_MMU_FAULT_BUF_ENTRY_INST, 0x00, 1, 4, RW, 0, "")                                            \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_INST_APERTURE, 9, 8, "")                                            \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_INST_LO, 31, 12, "")                                                \
    REG(NV_MMU_FAULT_BUF_ENTRY_INST_HI, 0x04, 1, 4, RW, 0, "")                                         \
    REG(NV_MMU_FAULT_BUF_ENTRY_ADDR, 0x08, 1, 4, RW, 0, "")                                            \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_ADDR_PHYS_APERTURE, 1, 0, "")                                       \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_ADDR_LO, 31, 12, "")                                                \
    REG(NV_MMU_FAULT_BUF_ENTRY_ADDR_HI, 0x0c, 1, 4, RW, 0, "")                                         \
    REG(NV_MMU_FAULT_BUF_ENTRY_TIMESTAMP_LO, 0x10, 1, 4, RW, 0, "PTIMER, ns")                          \
    REG(NV_MMU_FAULT_BUF_ENTRY_TIMESTAMP_HI, 0x14, 1, 4, RW, 0, "")                                    \
    REG(NV_MMU_FAULT_BUF_ENTRY_ENGINE, 0x18, 1, 4, RW, 0, "")                                          \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_ENGINE_ID, 8, 0, "")                                                \
    REG(NV_MMU_FAULT_BUF_ENTRY_INFO, 0x1c, 1, 4, RW, 0, "as MMU_FAULT_INFO")                           \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_FAULT_TYPE, 4, 0, "")                                               \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_REPLAYABLE_FAULT, 7, 7, "")                                         \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_CLIENT, 14, 8, "")                                                  \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_ACCESS_TYPE, 19, 16, "")                                            \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_MMU_CLIENT_TYPE, 20, 20, "1: HUB")                                  \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_GPC_ID, 28, 24, "")                                                 \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_REPLAYABLE_FAULT_EN, 30, 30, "")                                    \
      FIELD(NV_MMU_FAULT_BUF_ENTRY_VALID, 31, 31, "")
/* clang-format on */

enum { NV_PFB_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PFB_GV100_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_VIRTUAL_FUNCTION_MMU_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_MMU_FAULT_BUF_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_MMU_FAULT_BUF_SIZE = 32 };

extern const struct reg_list nv_pfb_list, nv_pfb_gv100_list, nv_virtual_function_mmu_list;
extern const struct reg_list nv_mmu_fault_buf_list;

#endif
