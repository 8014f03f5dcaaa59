/* SPDX-License-Identifier: MIT */
/*
 * Registers of the graphics engine's front end (PGRAPH): its interrupts, and the method that made
 * an error.
 *
 * Sources: nvgpu hw_gr_gp106.h @6ecfb593 (gr_intr, gr_intr_nonstall, gr_intr_en, gr_trapped_addr,
 * gr_trapped_data_lo, gr_fe_object_table, gr_fecs_current_ctx), nouveau gr/gf100.c (gf100_gr_intr:
 * a driver's reaction to them, on Fermi and later).  Not listed: all registers that no driver model
 * here uses.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_FE_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_FE_REGS_H

#include "emu/engine/reg.h"

#define NV_PGRAPH_BASE  0x400000u
#define NV_PGRAPH_BYTES 0x800u /* of its first part; others begin at FE_OBJECT_TABLE, FECS */

/* clang-format off */
#define NV_PGRAPH_REGS(REG, FIELD, VALUE)                                                            \
    REG(NV_PGRAPH_INTR, 0x100, 1, 4, W1C, 0, "pending interrupts")                                     \
      FIELD(NV_PGRAPH_INTR_NOTIFY, 0, 0, "a NOTIFY of type WRITE_THEN_AWAKEN is written")              \
      FIELD(NV_PGRAPH_INTR_SEMAPHORE, 1, 1, "a report semaphore with AWAKEN_ENABLE is written")        \
      FIELD(NV_PGRAPH_INTR_ILLEGAL_METHOD, 4, 4, "the class on the subchannel has no such method")      \
      FIELD(NV_PGRAPH_INTR_ILLEGAL_CLASS, 5, 5, "the chip has no such class, or none is bound")        \
      FIELD(NV_PGRAPH_INTR_CLASS_ERROR, 20, 20, "not raised here")                                     \
      FIELD(NV_PGRAPH_INTR_EXCEPTION, 21, 21, "of a unit: here of a launch that cannot be")            \
    REG(NV_PGRAPH_INTR_NONSTALL, 0x120, 1, 4, W1C, 0, "pending, of the non-stalling line")             \
      FIELD(NV_PGRAPH_INTR_NONSTALL_TRAP, 1, 1, "SET_REPORT_SEMAPHORE_D of operation TRAP")            \
    REG(NV_PGRAPH_INTR_EN, 0x13c, 1, 4, RW, 0, "which of INTR raise the interrupt line")               \
    REG(NV_PGRAPH_TRAPPED_ADDR, 0x704, 1, 4, RO, 0, "the method that made the last error")             \
      FIELD(NV_PGRAPH_TRAPPED_ADDR_MTHD, 13, 2, "its offset / 4")                                      \
      FIELD(NV_PGRAPH_TRAPPED_ADDR_SUBCH, 18, 16, "its subchannel")                                    \
      FIELD(NV_PGRAPH_TRAPPED_ADDR_STATUS, 31, 31, "1: valid")                                         \
    REG(NV_PGRAPH_TRAPPED_DATA_LOW, 0x708, 1, 4, RO, 0, "and its data")                                \
    REG(NV_PGRAPH_FE_OBJECT_TABLE, 0x4200, 4, 4, RO, 0, "what is bound to a subchannel, 0 to 3")       \
      FIELD(NV_PGRAPH_FE_OBJECT_TABLE_NVCLASS, 15, 0, "0: nothing")                                    \
    REG(NV_PGRAPH_FECS_CURRENT_CTX, 0x9b00, 1, 4, RO, 0, "the channel whose class state is loaded")    \
      FIELD(NV_PGRAPH_FECS_CURRENT_CTX_PTR, 27, 0, "its instance block, >> 12")                        \
      FIELD(NV_PGRAPH_FECS_CURRENT_CTX_VALID, 31, 31, "")
/* clang-format on */

enum { NV_PGRAPH_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_pgraph_list;

#endif
