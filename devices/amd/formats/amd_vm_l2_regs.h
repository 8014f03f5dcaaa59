/* SPDX-License-Identifier: MIT */
/*
 * What the second level of translation (VM L2) of a hub keeps of a page fault: the one of the
 * GFXHUB, and the one of the MMHUB, whose names have MMHUB_ in front here.  STATUS and ADDR are the
 * first fault's until software clears them by CNTL.
 *
 * Sources: amdgpu driver (torvalds/linux @055e23e3) gc_9_0_offset.h, mmhub_1_0_offset.h,
 * gc_9_0_sh_mask.h, vega20_ip_offset.h (GC at dword 0x2000, MMHUB at 0x1a000).  ASSUMED: GFX908 and
 * GFX90A have them at the same offsets, whose MMHUBs are of other versions.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_VM_L2_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_VM_L2_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
#define AMD_VM_L2_HUB(REG, FIELD, HUB, BASE)                                                       \
    REG(HUB##VM_L2_PROTECTION_FAULT_CNTL, BASE + 0x1c, 1, 4, HOOK, 0x0, "")                        \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR, 0, 0, "1: STATUS and ADDR become 0, and the next fault's") \
    REG(HUB##VM_L2_PROTECTION_FAULT_STATUS, BASE + 0x2c, 1, 4, RO, 0x0, "the first fault since it was cleared") \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS, 0, 0, "others have come since")       \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__WALKER_ERROR, 3, 1, "")                            \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__PERMISSION_FAULTS, 7, 4, "valid, read, write, execute") \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__MAPPING_ERROR, 8, 8, "")                           \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__CID, 17, 9, "who accessed memory")                 \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__RW, 18, 18, "1: a write")                          \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__ATOMIC, 19, 19, "")                                \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_STATUS__VMID, 23, 20, "")                                  \
    REG(HUB##VM_L2_PROTECTION_FAULT_ADDR_LO32, BASE + 0x30, 1, 4, RO, 0x0, "its page, address >> 12") \
    REG(HUB##VM_L2_PROTECTION_FAULT_ADDR_HI32, BASE + 0x34, 1, 4, RO, 0x0, "")                     \
      FIELD(HUB##VM_L2_PROTECTION_FAULT_ADDR_HI32__LOGICAL_PAGE_ADDR_HI4, 3, 0, "")
#define AMD_VM_L2_REGS(REG, FIELD, VALUE)                                                          \
    AMD_VM_L2_HUB(REG, FIELD, , 0x0a100)                                                           \
    AMD_VM_L2_HUB(REG, FIELD, MMHUB_, 0x69a00)
/* clang-format on */

enum { AMD_VM_L2_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_vm_l2_list;

#endif
