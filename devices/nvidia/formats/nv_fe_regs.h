/* SPDX-License-Identifier: MIT */
/*
 * Registers of the graphics engine's front end (PGRAPH): its interrupts.
 *
 * Sources: nvgpu hw_gr_gp106.h @6ecfb593 (gr_intr, gr_intr_nonstall, gr_intr_en), nouveau
 * gr/gf100.c (a driver's reaction to them).  Not listed: all registers that no driver model here
 * uses.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_FE_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_FE_REGS_H

#include "emu/engine/reg.h"

#define NV_PGRAPH_BASE  0x400000u
#define NV_PGRAPH_BYTES 0x200u

/* clang-format off */
#define NV_PGRAPH_REGS(REG, FIELD, VALUE)                                                            \
    REG(NV_PGRAPH_INTR, 0x100, 1, 4, W1C, 0, "pending interrupts")                                     \
      FIELD(NV_PGRAPH_INTR_NOTIFY, 0, 0, "a NOTIFY of type WRITE_THEN_AWAKEN is written")              \
      FIELD(NV_PGRAPH_INTR_SEMAPHORE, 1, 1, "a report semaphore with AWAKEN_ENABLE is written")        \
      FIELD(NV_PGRAPH_INTR_ILLEGAL_METHOD, 4, 4, "not raised here: EVENT_NV_ENGINE_ERROR")             \
      FIELD(NV_PGRAPH_INTR_ILLEGAL_CLASS, 5, 5, "not raised here")                                     \
      FIELD(NV_PGRAPH_INTR_CLASS_ERROR, 20, 20, "not raised here")                                     \
      FIELD(NV_PGRAPH_INTR_EXCEPTION, 21, 21, "not raised here")                                       \
    REG(NV_PGRAPH_INTR_NONSTALL, 0x120, 1, 4, W1C, 0, "pending, of the non-stalling line")             \
      FIELD(NV_PGRAPH_INTR_NONSTALL_TRAP, 1, 1, "SET_REPORT_SEMAPHORE_D of operation TRAP")            \
    REG(NV_PGRAPH_INTR_EN, 0x13c, 1, 4, RW, 0, "which of INTR raise the interrupt line")
/* clang-format on */

enum { NV_PGRAPH_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_pgraph_list;

#endif
