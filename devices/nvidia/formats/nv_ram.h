/* SPDX-License-Identifier: MIT */
/*
 * Host's structures in memory: USERD, the instance block (whose first 256 bytes are RAMFC, with the
 * layout of the PBDMA's registers: nv_pbdma_regs.h), and runlist entries.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/turing/tu104/dev_ram.ref.txt (USERD, instance
 * block), nvgpu hw_ram_gp10b.h @6ecfb593 and nouveau gk110.c/gp100.c (8-byte runlist entries).
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_RAM_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_RAM_H

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

/* clang-format off */
#define NV_RAMUSERD_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_RAMUSERD_PUT, 0x40, 1, 4, RW, 0, "")                                                        \
    REG(NV_RAMUSERD_GET, 0x44, 1, 4, RW, 0, "pushbuffer address being processed")                      \
    REG(NV_RAMUSERD_REF, 0x48, 1, 4, RW, 0, "")                                                        \
    REG(NV_RAMUSERD_PUT_HI, 0x4c, 1, 4, RW, 0, "")                                                     \
    REG(NV_RAMUSERD_TOP_LEVEL_GET, 0x58, 1, 4, RW, 0, "")                                              \
    REG(NV_RAMUSERD_TOP_LEVEL_GET_HI, 0x5c, 1, 4, RW, 0, "")                                           \
    REG(NV_RAMUSERD_GET_HI, 0x60, 1, 4, RW, 0, "")                                                     \
    REG(NV_RAMUSERD_GP_GET, 0x88, 1, 4, RW, 0, "next GP entry, written by Host")                       \
    REG(NV_RAMUSERD_GP_PUT, 0x8c, 1, 4, RW, 0, "one after the last GP entry, written by software")

/* The instance block after RAMFC. */
#define NV_RAMIN_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_RAMIN_PAGE_DIR_BASE, 0x200, 1, 4, RW, 0, "root of the page tables")                         \
      FIELD(NV_RAMIN_PAGE_DIR_BASE_TARGET, 1, 0, "0 video memory, 2/3 system memory")                  \
        VALUE(NV_RAMIN_PAGE_DIR_BASE_TARGET_INVALID, 1, "")                                            \
      FIELD(NV_RAMIN_PAGE_DIR_BASE_VOL, 2, 2, "")                                                      \
      FIELD(NV_RAMIN_PAGE_DIR_BASE_USE_VER2_PT, 10, 10, "Pascal's five-level format")                  \
      FIELD(NV_RAMIN_PAGE_DIR_BASE_BIG_PAGE_SIZE, 11, 11, "1: 64 KiB")                                 \
      FIELD(NV_RAMIN_PAGE_DIR_BASE_LO, 31, 12, "")                                                     \
    REG(NV_RAMIN_PAGE_DIR_BASE_HI, 0x204, 1, 4, RW, 0, "")                                             \
    REG(NV_RAMIN_ADR_LIMIT, 0x208, 1, 4, RW, 0, "last byte of the address space")                      \
    REG(NV_RAMIN_ADR_LIMIT_HI, 0x20c, 1, 4, RW, 0, "")                                                 \
    REG(NV_RAMIN_GR_WFI, 0x210, 1, 4, RW, 0, "the graphics engine's context image")                    \
      FIELD(NV_RAMIN_GR_WFI_TARGET, 1, 0, "")                                                          \
      FIELD(NV_RAMIN_GR_WFI_MODE, 2, 2, "1: the pointer is virtual")                                   \
      FIELD(NV_RAMIN_GR_WFI_PTR_LO, 31, 12, "")                                                        \
    REG(NV_RAMIN_GR_WFI_PTR_HI, 0x214, 1, 4, RW, 0, "")

/* Up to Pascal a runlist entry is two dwords; offsets 0x0 and 0x4. */
#define NV_RAMRL_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_RAMRL_ENTRY, 0x0, 1, 4, RW, 0, "first dword")                                               \
      FIELD(NV_RAMRL_ENTRY_ID, 11, 0, "channel or TSG id")                                             \
      FIELD(NV_RAMRL_ENTRY_TYPE, 13, 13, "")                                                           \
        VALUE(NV_RAMRL_ENTRY_TYPE_CHAN, 0, "")                                                         \
        VALUE(NV_RAMRL_ENTRY_TYPE_TSG, 1, "")                                                          \
      FIELD(NV_RAMRL_ENTRY_CHAN_RUNQUEUE, 14, 14, "n-th PBDMA of the runlist")                         \
      FIELD(NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE, 17, 14, "")                                            \
      FIELD(NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT, 25, 18, "(TIMEOUT << SCALE) * 1024 ns")              \
      FIELD(NV_RAMRL_ENTRY_TSG_LENGTH, 31, 26, "channel entries that follow")                          \
    REG(NV_RAMRL_ENTRY_1, 0x4, 1, 4, RW, 0, "channels: instance block address >> 12; TSGs: 0")

/* From Volta on it is four dwords.  Volta and Turing take USERD and instance block from elsewhere.
 */
#define NV_RAMRL_GV100_REGS(REG, FIELD, VALUE)                                                       \
    REG(NV_RAMRL_GV100_ENTRY, 0x0, 1, 4, RW, 0, "first dword")                                         \
      FIELD(NV_RAMRL_GV100_ENTRY_TYPE, 0, 0, "")                                                       \
        VALUE(NV_RAMRL_GV100_ENTRY_TYPE_CHAN, 0, "")                                                   \
        VALUE(NV_RAMRL_GV100_ENTRY_TYPE_TSG, 1, "")                                                    \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE, 1, 1, "n-th PBDMA of the runlist")                     \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_INST_TARGET, 5, 4, "")                                           \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_USERD_TARGET, 7, 6, "")                                          \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_LO, 31, 8, "used from Ampere on")                      \
      FIELD(NV_RAMRL_GV100_ENTRY_TSG_GFID, 11, 4, RW, NV_FROM_TURING, "virtual function; not modelled") \
      FIELD(NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE, 19, 16, "")                                      \
      FIELD(NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT, 31, 24, "(TIMEOUT << SCALE) * 1024 ns")        \
    REG(NV_RAMRL_GV100_ENTRY_1, 0x4, 1, 4, RW, 0, "second dword")                                      \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_HI, 7, 0, "")                                          \
      FIELD(NV_RAMRL_GV100_ENTRY_TSG_LENGTH, 7, 0, "channel entries that follow, 1 to 128")            \
    REG(NV_RAMRL_GV100_ENTRY_2, 0x8, 1, 4, RW, 0, "third dword")                                       \
      FIELD(NV_RAMRL_GV100_ENTRY_ID, 11, 0, "channel or TSG id; from Ampere on 11 bits of it")         \
      FIELD(NV_RAMRL_GV100_ENTRY_CHAN_INST_PTR_LO, 31, 12, "")                                         \
    REG(NV_RAMRL_GV100_ENTRY_3, 0xc, 1, 4, RW, 0, "channels: INST_PTR_HI")
/* clang-format on */

enum { NV_RAMUSERD_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_RAMIN_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_RAMRL_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_RAMRL_GV100_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };

enum {
    NV_RAMUSERD_BYTES = 512,
    NV_RAMIN_BYTES = 4096,
    NV_RAMRL_ENTRY_BYTES = 8, /* up to Pascal */
    NV_RAMRL_GV100_ENTRY_BYTES = 16,
    NV_TIMESLICE_UNIT_NS = 1024, /* tu104 dev_ram: (TIMEOUT << SCALE) * 1024 nanoseconds */
};

extern const struct reg_list nv_ramuserd_list, nv_ramin_list, nv_ramrl_list;
extern const struct reg_list nv_ramrl_gv100_list;

#endif
