/* SPDX-License-Identifier: MIT */
/*
 * Registers of the copy engines: what all share, and one block for each logical copy engine (LCE).
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/turing/tu104/dev_ce.ref.txt (names, fields, error
 * codes); nvgpu hw_ce_gp106.h @6ecfb593 (LCE_INTR_STATUS at Pascal's address); nouveau ce/gp100.c (what
 * a driver touches).  Of PCE2LCE_CONFIG and GRCE_CONFIG Pascal's addresses and layouts are those of
 * nvdebug, their values on GP106 are ASSUMED: no dump is published.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CE_REGS_H
#define GFE_DEVICES_NVIDIA_NV_CE_REGS_H

#include "emu/reg.h"

#define NV_CE_BASE 0x104000u
#define NV_CE_BYTES 0x400u
#define NV_CE_LCE_BASE(i) (0x104400u + 0x80u * (i))
#define NV_CE_LCE_BYTES 0x80u

/* clang-format off */
#define NV_CE_REGS(REG, FIELD, VALUE)                                                                \
    REG(NV_CE_PCE_MAP, 0x028, 1, 4, RO, 0, "physical copy engines (PCEs) that exist, one bit each")    \
      FIELD(NV_CE_PCE_MAP_VALUE, 15, 0, "")                                                            \
    REG(NV_CE_PCE2LCE_CONFIG, 0x02c, 1, 4, RW, 0, "LCE that a PCE serves, 4 bits for each PCE")        \
      FIELD(NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE, 3, 0, "")                                          \
        VALUE(NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE_NONE, 7, "on Pascal")                             \
    REG(NV_CE_GRCE_CONFIG, 0x034, 1, 4, RW, 0, "a byte for each GRCE: whose PCE it shares")            \
      FIELD(NV_CE_GRCE_CONFIG_0_SHARED_LCE, 2, 0, "")                                                  \
      FIELD(NV_CE_GRCE_CONFIG_0_SHARED, 3, 3, "")                                                      \
      FIELD(NV_CE_GRCE_CONFIG_1_SHARED_LCE, 10, 8, "")                                                 \
      FIELD(NV_CE_GRCE_CONFIG_1_SHARED, 11, 11, "")

#define NV_CE_LCE_REGS(REG, FIELD, VALUE)                                                            \
    REG(NV_CE_LCE_STATUS, 0x00, 1, 4, HOOK, 0, "")                                                     \
      FIELD(NV_CE_LCE_STATUS_TOP, 0, 0, "1: the engine is not idle")                                   \
    REG(NV_CE_LCE_INTR_EN, 0x0c, 1, 4, RW, 0xf, "which of INTR_STATUS raise the interrupt line")       \
      FIELD(NV_CE_LCE_INTR_EN_BLOCKPIPE, 0, 0, "")                                                     \
      FIELD(NV_CE_LCE_INTR_EN_NONBLOCKPIPE, 1, 1, "")                                                  \
      FIELD(NV_CE_LCE_INTR_EN_LAUNCHERR, 2, 2, "")                                                     \
      FIELD(NV_CE_LCE_INTR_EN_INVALID_CONFIG, 3, 3, "")                                                \
    REG(NV_CE_LCE_INTR_STATUS, 0x10, 1, 4, W1C, 0, "pending interrupts")                               \
      FIELD(NV_CE_LCE_INTR_STATUS_BLOCKPIPE, 0, 0, "LAUNCH_DMA INTERRUPT_TYPE BLOCKING")               \
      FIELD(NV_CE_LCE_INTR_STATUS_NONBLOCKPIPE, 1, 1, "INTERRUPT_TYPE NON_BLOCKING")                   \
      FIELD(NV_CE_LCE_INTR_STATUS_LAUNCHERR, 2, 2, "a launch that cannot be; code in LAUNCHERR")       \
      FIELD(NV_CE_LCE_INTR_STATUS_INVALID_CONFIG, 3, 3, "no PCE serves this LCE")                      \
    REG(NV_CE_LCE_LAUNCHERR, 0x18, 1, 4, RW, 0, "")                                                    \
      FIELD(NV_CE_LCE_LAUNCHERR_REPORT, 3, 0, "")                                                      \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_NO_ERR, 0, "")                                                \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_2D_LAYER_EXCEEDS_DEPTH, 1, "")                                \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT, 2, "")                                     \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_MEM2MEM_RECT_OUT_OF_BOUNDS, 3, "")                            \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_PITCH, 4, "ECXEEDS in the manual")           \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_NEG_PITCH, 5, "")                            \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_PITCH, 6, "ECXEEDS in the manual")           \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_NEG_PITCH, 7, "")                            \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_BAD_SRC_PIXEL_COMP_REF, 8, "")                                \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, 9, "")                                         \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_INVALID_UNUSED_FIELD, 10, "")                                 \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_INVALID_OPERATION, 11, "")                                    \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_NO_RESOURCES, 12, "")                                         \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG, 13, "")                                       \
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_METHOD_BUFFER_ACCESS_FAULT, 14, "not on Pascal")
/* clang-format on */

enum { NV_CE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_LCE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_ce_list, nv_lce_list;

#endif
