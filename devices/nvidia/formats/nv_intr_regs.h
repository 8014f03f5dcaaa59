/* SPDX-License-Identifier: MIT */
/*
 * The registers through which interrupts reach the CPU from Turing on: NV_VIRTUAL_FUNCTION, in the
 * physical function's alias (its address is in nv_generation.h), and NV_CTRL, which has the same
 * registers for every function.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/ampere/ga100/dev_vm.ref.txt and dev_ctrl.ref.txt,
 * and the files of the same names in turing/tu104.  Only the registers of interrupts are listed.
 * The manual has 8 leaves for a function, in an array with room for 16: all 16 are here.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_INTR_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_INTR_REGS_H

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

#define NV_VIRTUAL_FUNCTION_PRIV_BYTES 0x3000u
#define NV_CTRL_BASE                   0xb60000u
#define NV_CTRL_BYTES                  0x20000u

/* clang-format off */
#define NV_VIRTUAL_FUNCTION_REGS(REG, FIELD, VALUE)                                                  \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF, 0x1000, 16, 4, W1C, 0, "vector v is bit v % 32 of leaf v / 32; write 1 to clear") \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_SET, 0x1200, 16, 4, SET, 0x1200, "vectors that reach the top") \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_CLEAR, 0x1400, 16, 4, CLEAR, 0x1200, "")           \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP, 0x1600, 1, 4, RO, 0, "subtree n: leaves 2n and 2n + 1 have an enabled bit") \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_SET, 0x1608, 1, 4, SET, 0x1608, "subtrees that reach the CPU") \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_CLEAR, 0x1610, 1, 4, CLEAR, 0x1608, "")             \
    REG(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_TRIGGER, 0x1640, 1, 4, WO, 0, "raises a vector")      \
      FIELD(NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_TRIGGER_VECTOR, 11, 0, "")                        \
    REG(NV_VIRTUAL_FUNCTION_PRIV_MAILBOX_SCRATCH, 0x2100, 16, 4, RW, 0, "")                          \
    REG(NV_VIRTUAL_FUNCTION_PRIV_DOORBELL, 0x2200, 1, 4, WO, 0, "of a virtual function to the physical one; there are none here")

#define NV_CTRL_REGS(REG, FIELD, VALUE)                                                              \
    REG(NV_CTRL_CPU_DOORBELL_VECTORID, 0x687c, 1, 4, RO, 0x81, "")                                   \
      FIELD(NV_CTRL_CPU_DOORBELL_VECTORID_VALUE, 11, 0, "")                                          \
        VALUE(NV_CTRL_CPU_DOORBELL_VECTORID_VALUE_CONSTANT, 0x81, "")                                \
    REG(NV_CTRL_LEGACY_ENGINE_STALL_INTR_BASE_VECTORID, 0x6880, 1, 4, RO, 0xc0, "vectors of stalling interrupts of engines begin here") \
      FIELD(NV_CTRL_LEGACY_ENGINE_STALL_INTR_BASE_VECTORID_VECTOR, 11, 0, "")                        \
    REG(NV_CTRL_LEGACY_ENGINE_NONSTALL_INTR_BASE_VECTORID, 0x6884, 1, 4, RO, 0, "... of the others") \
      FIELD(NV_CTRL_LEGACY_ENGINE_NONSTALL_INTR_BASE_VECTORID_VECTOR, 11, 0, "")                     \
    REG(NV_CTRL_SW_INTR_NOSTALL_VECTORID, 0x688c, 1, 4, RO, 0x1f, NV_FROM_AMPERE, "")                \
      FIELD(NV_CTRL_SW_INTR_NOSTALL_VECTORID_VALUE, 11, 0, "")                                       \
        VALUE(NV_CTRL_SW_INTR_NOSTALL_VECTORID_VALUE_CONSTANT, 0x1f, "")                             \
    REG(NV_CTRL_USERMODE_CFG0, 0x68a8, 1, 4, RO, 0xc561, NV_FROM_AMPERE, "")                         \
      FIELD(NV_CTRL_USERMODE_CFG0_USERMODE_CLASS_ID, 15, 0, "")                                      \
    REG(NV_CTRL_CPU_INTR_LEAF_TRIGGER, 0x6c00, 64, 4, WO, 0, "raises a vector of function i")        \
      FIELD(NV_CTRL_CPU_INTR_LEAF_TRIGGER_VECTOR, 11, 0, "")                                         \
    REG(NV_CTRL_CPU_INTR_TOP, 0x13400, 64, 4, RO, 0, "of function i; 0 is the physical one, and the only one here") \
    REG(NV_CTRL_CPU_INTR_TOP_EN_SET, 0x13800, 64, 4, HOOK, 0, "")                                    \
    REG(NV_CTRL_CPU_INTR_TOP_EN_CLEAR, 0x13c00, 64, 4, HOOK, 0, "")                                  \
    REG(NV_CTRL_CPU_INTR_LEAF, 0x14000, 1024, 4, HOOK, 0, "leaf i % 16 of function i / 16")          \
    REG(NV_CTRL_CPU_INTR_LEAF_EN_SET, 0x18000, 1024, 4, HOOK, 0, "")                                 \
    REG(NV_CTRL_CPU_INTR_LEAF_EN_CLEAR, 0x1c000, 1024, 4, HOOK, 0, "")
/* clang-format on */

enum { NV_VIRTUAL_FUNCTION_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CTRL_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };

extern const struct reg_list nv_virtual_function_list, nv_ctrl_list;

#endif
