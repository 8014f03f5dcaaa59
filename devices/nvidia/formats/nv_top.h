/* SPDX-License-Identifier: MIT */
/*
 * PTOP: the table from which a driver learns the engines of a chip and their runlists.
 *
 * It has two forms.  Up to Turing (DEVICE_INFO, open-gpu-doc gv100 and tu104 dev_top) a device is a
 * chain of words of three kinds: ENUM, DATA and ENGINE_TYPE.  ENUM has Host's engine and runlist
 * numbers and the interrupt and reset ids.  DATA, from Pascal on, has the instance, the address and
 * the MMU fault id.  Kepler and Maxwell have no DATA, and copy engines have the types COPY0 to
 * COPY2. From Ampere on (DEVICE_INFO2 and DEVICE_INFO_CFG; nvgpu hw_top_ga10b.h @6ecfb593, open RM
 * ampere/ga100/dev_top.h @df1c9a3d) a device has three words, with the address of its runlist's
 * registers instead of the runlist's number.  Host's number of the engine is in those registers.
 * Words that are zero are skipped in both forms.
 *
 * Not modelled: rows of devices that Host does not drive (NVLink, GSP), and the SCAL registers.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_TOP_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/reg.h"

struct machine;

#define NV_PTOP_BASE        0x022400u
#define NV_PTOP_BYTES       0x400u /* up to Turing */
#define NV_PTOP_GA100_BYTES 0xa00u /* from Ampere on */

/* clang-format off */
#define NV_PTOP_REGS(REG, FIELD, VALUE)                                                              \
    REG(NV_PTOP_DEVICE_INFO, 0x300, 64, 4, RO, 0, "the chip's engines; fields by the kind of ENTRY")   \
      FIELD(NV_PTOP_DEVICE_INFO_ENTRY, 1, 0, "")                                                       \
        VALUE(NV_PTOP_DEVICE_INFO_ENTRY_NOT_VALID, 0, "")                                              \
        VALUE(NV_PTOP_DEVICE_INFO_ENTRY_DATA, 1, "")                                                   \
        VALUE(NV_PTOP_DEVICE_INFO_ENTRY_ENUM, 2, "")                                                   \
        VALUE(NV_PTOP_DEVICE_INFO_ENTRY_ENGINE_TYPE, 3, "")                                            \
      FIELD(NV_PTOP_DEVICE_INFO_RESET, 2, 2, "ENUM: RESET_ENUM is valid")                              \
      FIELD(NV_PTOP_DEVICE_INFO_INTR, 3, 3, "ENUM: INTR_ENUM is valid")                                \
      FIELD(NV_PTOP_DEVICE_INFO_RUNLIST, 4, 4, "ENUM: RUNLIST_ENUM is valid")                          \
      FIELD(NV_PTOP_DEVICE_INFO_ENGINE, 5, 5, "ENUM: ENGINE_ENUM is valid")                            \
      FIELD(NV_PTOP_DEVICE_INFO_RESET_ENUM, 13, 9, "ENUM: bit in NV_PMC_ENABLE")                       \
      FIELD(NV_PTOP_DEVICE_INFO_INTR_ENUM, 19, 15, "ENUM: bit in NV_PMC_INTR")                         \
      FIELD(NV_PTOP_DEVICE_INFO_RUNLIST_ENUM, 24, 21, "ENUM")                                          \
      FIELD(NV_PTOP_DEVICE_INFO_ENGINE_ENUM, 29, 26, "ENUM: Host's number of the engine")              \
      FIELD(NV_PTOP_DEVICE_INFO_DATA_FAULT_ID, 2, 2, "DATA: FAULT_ID_ENUM is valid")                   \
      FIELD(NV_PTOP_DEVICE_INFO_DATA_FAULT_ID_ENUM, 9, 3, "DATA: the engine's id at the MMU")          \
      FIELD(NV_PTOP_DEVICE_INFO_DATA_PRI_BASE, 23, 12, "DATA: address of its registers >> 12")         \
      FIELD(NV_PTOP_DEVICE_INFO_DATA_INST_ID, 29, 26, "DATA: which of its type")                       \
      FIELD(NV_PTOP_DEVICE_INFO_DATA_TYPE, 30, 30, "DATA: 0 = ENUM2, the only one")                    \
      FIELD(NV_PTOP_DEVICE_INFO_TYPE_ENUM, 30, 2, "ENGINE_TYPE")                                       \
      FIELD(NV_PTOP_DEVICE_INFO_CHAIN, 31, 31, "the next row belongs to the same device")

#define NV_PTOP_GA100_REGS(REG, FIELD, VALUE)                                                        \
    REG(NV_PTOP_DEVICE_INFO_CFG, 0x0fc, 1, 4, RO, 0, "")                                               \
      FIELD(NV_PTOP_DEVICE_INFO_CFG_VERSION, 3, 0, "")                                                 \
        VALUE(NV_PTOP_DEVICE_INFO_CFG_VERSION_INIT, 2, "")                                             \
      FIELD(NV_PTOP_DEVICE_INFO_CFG_MAX_DEVICES, 15, 4, "")                                            \
      FIELD(NV_PTOP_DEVICE_INFO_CFG_MAX_ROWS_PER_DEVICE, 19, 16, "")                                   \
      FIELD(NV_PTOP_DEVICE_INFO_CFG_NUM_ROWS, 31, 20, "")                                              \
    REG(NV_PTOP_DEVICE_INFO2, 0x400, 353, 4, RO, 0, "the chip's engines; fields by the row of a device")\
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_FAULT_ID, 10, 0, "row 0: the engine's id at the MMU")             \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_INSTANCE_ID, 23, 16, "row 0: which of its type")                  \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_TYPE_ENUM, 30, 24, "row 0")                                       \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_RESET_ID, 7, 0, "row 1")                                          \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_DEVICE_PRI_BASE, 25, 8, "row 1: address of its registers >> 8")   \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_IS_ENGINE, 30, 30, "row 1: Host drives it")                       \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_RLENG_ID, 1, 0, "row 2: which of its runlist's engines")          \
      FIELD(NV_PTOP_DEVICE_INFO2_DEV_RUNLIST_PRI_BASE, 25, 10, "row 2: address of the runlist >> 10")  \
      FIELD(NV_PTOP_DEVICE_INFO2_ROW_CHAIN, 31, 31, "the next row belongs to the same device")
/* clang-format on */

enum { NV_PTOP_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PTOP_GA100_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_ptop_list, nv_ptop_ga100_list;

/* TYPE_ENUM in both forms (tu104/dev_top.ref.txt; OFA: nouveau top/ga100.c). */
enum nv_top_type {
    NV_TOP_GRAPHICS = 0x00,
    NV_TOP_COPY0 = 0x01, /* up to Maxwell, and up to COPY2 */
    NV_TOP_MSPDEC = 0x08,
    NV_TOP_MSPPP = 0x09,
    NV_TOP_MSVLD = 0x0a,
    NV_TOP_MSENC = 0x0b,
    NV_TOP_SEC = 0x0d,
    NV_TOP_NVENC = 0x0e,
    NV_TOP_NVDEC = 0x10,
    NV_TOP_LCE = 0x13,
    NV_TOP_NVJPG = 0x15,
    NV_TOP_OFA = 0x16,
};

enum nv_top_form {
    NV_TOP_DEVICE_INFO_KEPLER, /* DEVICE_INFO without DATA */
    NV_TOP_DEVICE_INFO,
    NV_TOP_DEVICE_INFO2,
};

enum { NV_TOP_ID_NONE = 0xffff };

enum { NV_TOP_ROWS = 64, NV_TOP_ROWS_MAX = 353, NV_TOP_DEVICE_ROWS = 3 };

/* The data of a device in the table.  Missing data is NV_TOP_ID_NONE, or 0 for the addresses. */
struct nv_top_device {
    uint32_t type, instance;
    uint32_t engine_id, runlist_id; /* DEVICE_INFO */
    uint32_t reset_id, intr_id, fault_id;
    uint32_t pri_base;
    uint32_t runlist_pri_base, rleng_id; /* DEVICE_INFO2 */
    bool is_engine;                      /* true if Host drives it */
};

/*
 * Reads the next device at or after row *at of a table, as drivers do, and moves *at past it.
 * Returns false at the end.  Any words are accepted.  Rows without a device are skipped, and so is
 * a device that does not fit the form: a DATA of another type, the word of a kind twice, a chain
 * that does not end, or one row alone in DEVICE_INFO2.
 */
bool nv_top_next(enum nv_top_form form, const uint32_t *rows, uint32_t row_count, uint32_t *at,
                 struct nv_top_device *device);
#endif
