/* SPDX-License-Identifier: MIT */
/*
 * Registers of the copy engines: the shared ones, one block for each logical copy engine (LCE), one
 * for each physical one (PCE). nv_ce_layout.h has the lists of each chip and their places.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/turing/tu104/dev_ce.ref.txt and
 * manuals/ampere/ga102/dev_ce.ref.txt (names, fields, error codes); open RM @df1c9a3d
 * swref/published/{ampere,hopper}/.../dev_ce_base.h (sizes); nvgpu hw_ce_gp106.h, hw_ce_ga10b.h
 * @6ecfb593; nouveau ce/gk104.c, ce/gp100.c (what a driver touches before and on Pascal).  Pascal's
 * addresses and layouts of PCE2LCE_CONFIG and GRCE_CONFIG are those of nvdebug.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_CE_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_CE_REGS_H

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

#define NV_CE_BASE          0x104000u
#define NV_CE_BYTES         0x400u
#define NV_CE_LCE_BASE(i)   (0x104400u + 0x80u * (i))
#define NV_CE_LCE_BYTES     0x80u
#define NV_CE_PCE_BASE      0x105000u
#define NV_CE_PCE_BYTES     0x2000u
#define NV_CE_GK104_BASE(i) (0x104000u + 0x1000u * (i))
#define NV_CE_GK104_BYTES   0x1000u

enum { NV_CE_PCES_MAX = 24, NV_CE_PCE_STRIDE = 0xc0 };

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

/* Volta and Turing.  TU104 has four PCE2LCE_CONFIG; a PCE that PCE_MAP does not have has none. */
#define NV_CE_GV100_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_CE_GV100_PCE_MAP, 0x028, 1, 4, RO, 0, "physical copy engines (PCEs) that exist, one bit each")\
      FIELD(NV_CE_GV100_PCE_MAP_VALUE, 15, 0, "")                                                      \
    REG(NV_CE_GV100_GRCE_CONFIG, 0x034, 2, 4, RW, 0, "whose PCEs a GRCE shares")                       \
      FIELD(NV_CE_GV100_GRCE_CONFIG_SHARED_LCE, 3, 0, "")                                              \
        VALUE(NV_CE_GV100_GRCE_CONFIG_SHARED_LCE_NONE, 15, "")                                         \
      FIELD(NV_CE_GV100_GRCE_CONFIG_SHARED, 30, 30, "")                                                \
      FIELD(NV_CE_GV100_GRCE_CONFIG_TIMESLICE, 31, 31, "length of a turn on a shared PCE")             \
        VALUE(NV_CE_GV100_GRCE_CONFIG_TIMESLICE_SHORT, 0, "nv.pce.timeslice_short_ps")                 \
        VALUE(NV_CE_GV100_GRCE_CONFIG_TIMESLICE_LONG, 1, "nv.pce.timeslice_long_ps")                   \
    REG(NV_CE_GV100_PCE2LCE_CONFIG, 0x040, 16, 4, RW, 0xf, "LCE that a PCE serves")                    \
      FIELD(NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE, 3, 0, "")                                     \
        VALUE(NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_NONE, 15, "")

/* Ampere and later: published for GA102, the addresses INFERRED for the others. */
#define NV_CE_GA100_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_CE_GA100_PCE_MAP, 0x028, 1, 4, RO, 0, "physical copy engines (PCEs) that exist, one bit each")\
      FIELD(NV_CE_GA100_PCE_MAP_VALUE, 23, 0, "")                                                      \
    REG(NV_CE_GA100_HSH_PCE_MASK, 0x04c, 1, 4, RO, 0, "PCEs at the high-speed hub")                    \
      FIELD(NV_CE_GA100_HSH_PCE_MASK_VALUE, 23, 0, "GA102: 0xf, a constant")                           \
    REG(NV_CE_GA100_PCE2LCE_CONFIG, 0x100, 24, 4, RW, 0xf, "LCE that a PCE serves")                    \
      FIELD(NV_CE_GA100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE, 3, 0, "")                                     \
        VALUE(NV_CE_GA100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_NONE, 15, "")                                \
    REG(NV_CE_GA100_GRCE_CONFIG, 0x1c0, 2, 4, RW, 0, "whose PCEs a GRCE shares")                       \
      FIELD(NV_CE_GA100_GRCE_CONFIG_SHARED_LCE, 3, 0, "")                                              \
        VALUE(NV_CE_GA100_GRCE_CONFIG_SHARED_LCE_NONE, 15, "")                                         \
      FIELD(NV_CE_GA100_GRCE_CONFIG_SHARED, 30, 30, "")                                                \
      FIELD(NV_CE_GA100_GRCE_CONFIG_TIMESLICE, 31, 31, "length of a turn on a shared PCE")             \
        VALUE(NV_CE_GA100_GRCE_CONFIG_TIMESLICE_SHORT, 0, "nv.pce.timeslice_short_ps")                 \
        VALUE(NV_CE_GA100_GRCE_CONFIG_TIMESLICE_LONG, 1, "nv.pce.timeslice_long_ps")

/* One PCE in each 0xc0 bytes, from Pascal on (published for TU104 and GA102). */
#define NV_CE_PCE_REGS(REG, FIELD, VALUE)                                                            \
    REG(NV_CE_PCE_PIPESTATUS, 0x058, 24, 0xc0, HOOK, 0, "what of a PCE's pipe is not idle")            \
      FIELD(NV_CE_PCE_PIPESTATUS_CTL, 0, 0, "")                                                        \
      FIELD(NV_CE_PCE_PIPESTATUS_GSTRIP, 1, 1, "")                                                     \
      FIELD(NV_CE_PCE_PIPESTATUS_RALIGN, 2, 2, "")                                                     \
      FIELD(NV_CE_PCE_PIPESTATUS_SWIZ, 3, 3, "")                                                       \
      FIELD(NV_CE_PCE_PIPESTATUS_WALIGN, 4, 4, "")                                                     \
      FIELD(NV_CE_PCE_PIPESTATUS_GPAD, 5, 5, "")                                                       \
      FIELD(NV_CE_PCE_PIPESTATUS_RDAT, 6, 6, "")                                                       \
      FIELD(NV_CE_PCE_PIPESTATUS_RDACK, 7, 7, "")                                                      \
      FIELD(NV_CE_PCE_PIPESTATUS_WRACK, 8, 8, "")                                                      \
      FIELD(NV_CE_PCE_PIPESTATUS_RCMD_STALL, 10, 10, "not modelled")                                   \
      FIELD(NV_CE_PCE_PIPESTATUS_WCMD_STALL, 11, 11, "not modelled")
/* While a copy moves, all stages report that they are not idle. */
enum { NV_CE_PCE_PIPESTATUS_BUSY = 0x1ff };

#define NV_CE_LCE_REGS(REG, FIELD, VALUE)                                                            \
    REG(NV_CE_LCE_STATUS, 0x00, 1, 4, HOOK, 0, "")                                                     \
      FIELD(NV_CE_LCE_STATUS_TOP, 0, 0, "1: the engine is not idle")                                   \
    REG(NV_CE_LCE_BIND_STATUS, 0x04, 1, 4, HOOK, 0, "the channel for which the engine works")          \
      FIELD(NV_CE_LCE_BIND_STATUS_BOUND, 0, 0, "")                                                     \
      FIELD(NV_CE_LCE_BIND_STATUS_CTX_PTR, 28, 1, "address of its instance block / 4096")              \
      FIELD(NV_CE_LCE_BIND_STATUS_CTX_TARGET, 30, 29, "where that lies")                               \
    REG(NV_CE_LCE_INTR_EN, 0x0c, 1, 4, RW, 0xf, "which of INTR_STATUS raise the interrupt line")       \
      FIELD(NV_CE_LCE_INTR_EN_BLOCKPIPE, 0, 0, "")                                                     \
      FIELD(NV_CE_LCE_INTR_EN_NONBLOCKPIPE, 1, 1, "")                                                  \
      FIELD(NV_CE_LCE_INTR_EN_LAUNCHERR, 2, 2, "")                                                     \
      FIELD(NV_CE_LCE_INTR_EN_INVALID_CONFIG, 3, 3, "")                                                \
      FIELD(NV_CE_LCE_INTR_EN_MTHD_BUFFER_FAULT, 4, 4, SAME, NV_FROM_VOLTA, "")                      \
      FIELD(NV_CE_LCE_INTR_EN_FBUF_CRC_FAIL, 5, 5, SAME, NV_FROM_TURING, "")                         \
      FIELD(NV_CE_LCE_INTR_EN_FBUF_MAGIC_CHK_FAIL, 6, 6, SAME, NV_FROM_TURING, "")                   \
      FIELD(NV_CE_LCE_INTR_EN_POISON_ERROR, 7, 7, SAME, NV_FROM_AMPERE, "set at reset")              \
    REG(NV_CE_LCE_INTR_STATUS, 0x10, 1, 4, W1C, 0, "pending interrupts")                               \
      FIELD(NV_CE_LCE_INTR_STATUS_BLOCKPIPE, 0, 0, "LAUNCH_DMA INTERRUPT_TYPE BLOCKING")               \
      FIELD(NV_CE_LCE_INTR_STATUS_NONBLOCKPIPE, 1, 1, "INTERRUPT_TYPE NON_BLOCKING")                   \
      FIELD(NV_CE_LCE_INTR_STATUS_LAUNCHERR, 2, 2, "a launch that cannot be; code in LAUNCHERR")       \
      FIELD(NV_CE_LCE_INTR_STATUS_INVALID_CONFIG, 3, 3, "no PCE serves this LCE")                      \
      FIELD(NV_CE_LCE_INTR_STATUS_MTHD_BUFFER_FAULT, 4, 4, SAME, NV_FROM_VOLTA, "never raised here") \
      FIELD(NV_CE_LCE_INTR_STATUS_FBUF_CRC_FAIL, 5, 5, SAME, NV_FROM_TURING, "never raised here")    \
      FIELD(NV_CE_LCE_INTR_STATUS_FBUF_MAGIC_CHK_FAIL, 6, 6, SAME, NV_FROM_TURING, "never raised here")\
      FIELD(NV_CE_LCE_INTR_STATUS_POISON_ERROR, 7, 7, SAME, NV_FROM_AMPERE, "never raised here")     \
    REG(NV_CE_LCE_OPT, 0x14, 1, 4, RW, 0x2, "without effect here")                                     \
      FIELD(NV_CE_LCE_OPT_IRQ_FORCE_REPORT_STALL, 0, 0, "")                                            \
      FIELD(NV_CE_LCE_OPT_RMW_OPT_ENABLE, 1, 1, "")                                                    \
      FIELD(NV_CE_LCE_OPT_FORCE_FLUSH_SYS, 2, 2, "")                                                   \
      FIELD(NV_CE_LCE_OPT_FORCE_BARRIERS_NPL, 3, 3, "set at reset on Ampere and later")                \
      FIELD(NV_CE_LCE_OPT_PIPELINED_FLUSH, 4, 4, SAME, NV_FROM_AMPERE, "")                           \
      FIELD(NV_CE_LCE_OPT_L2_CLASS, 6, 6, SAME, NV_FROM_AMPERE, "")                                  \
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
        VALUE(NV_CE_LCE_LAUNCHERR_REPORT_METHOD_BUFFER_ACCESS_FAULT, 14, NV_FROM_VOLTA, "")          \
    REG(NV_CE_LCE_ENGCTL, 0x1c, 1, 4, HOOK, 0, "")                                                     \
      FIELD(NV_CE_LCE_ENGCTL_STALLREQ, 8, 8, "1: the engine is to take up no further copy")            \
      FIELD(NV_CE_LCE_ENGCTL_STALLACK, 9, 9, "1: it stands still")

/* Kepler and Maxwell: one block for each copy engine, which is its own PCE.  The names are gfe's,
 * after those of later chips. */
#define NV_CE_GK104_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_CE_GK104_INTR_EN, 0x904, 1, 4, RW, 0x7, "which of INTR_STATUS raise the interrupt line")    \
      FIELD(NV_CE_GK104_INTR_EN_BLOCKPIPE, 0, 0, "")                                                   \
      FIELD(NV_CE_GK104_INTR_EN_NONBLOCKPIPE, 1, 1, "")                                                \
      FIELD(NV_CE_GK104_INTR_EN_LAUNCHERR, 2, 2, "")                                                   \
    REG(NV_CE_GK104_INTR_STATUS, 0x908, 1, 4, W1C, 0, "pending interrupts")                            \
      FIELD(NV_CE_GK104_INTR_STATUS_BLOCKPIPE, 0, 0, "LAUNCH_DMA INTERRUPT_TYPE BLOCKING")             \
      FIELD(NV_CE_GK104_INTR_STATUS_NONBLOCKPIPE, 1, 1, "INTERRUPT_TYPE NON_BLOCKING")                 \
      FIELD(NV_CE_GK104_INTR_STATUS_LAUNCHERR, 2, 2, "a launch that cannot be; code in LAUNCHERR")     \
    REG(NV_CE_GK104_LAUNCHERR, 0xf14, 1, 4, RW, 0, "")                                                 \
      FIELD(NV_CE_GK104_LAUNCHERR_REPORT, 3, 0, "as NV_CE_LCE_LAUNCHERR")
/* clang-format on */

enum { NV_CE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_GV100_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_GA100_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_PCE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_LCE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CE_GK104_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_ce_list, nv_ce_gv100_list, nv_ce_ga100_list, nv_pce_list,
    nv_lce_list, nv_ce_gk104_list;

#endif
