/* SPDX-License-Identifier: MIT */
/*
 * Registers of Host: PMC's part, PFIFO, CCSR, as GP106 has them, and what later chips add.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/volta/gv100/dev_fifo.ref.txt and turing/tu104 (names
 * and fields), nvgpu hw_fifo_gp106.h, hw_ccsr_gp106.h, hw_top_gp106.h @6ecfb593 (Pascal's
 * addresses), nouveau gk104.c/gm200.c/gp100.c (what a driver touches).  Not listed: everything that
 * no driver model here uses; an access to it is reported.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_REGS_H
#define GFE_DEVICES_NVIDIA_NV_REGS_H

#include "emu/reg.h"

#define NV_PMC_BASE 0x000000u
#define NV_PMC_BYTES 0x1000u
#define NV_PFIFO_BASE 0x002000u
#define NV_PFIFO_BYTES 0x2000u
#define NV_USERMODE_BYTES 0x10000u /* where: nv_generation.h */
#define NV_VIRTUAL_FUNCTION_USERMODE 0x30000u /* in NV_VIRTUAL_FUNCTION */
#define NV_PCCSR_BASE 0x800000u
#define NV_PCCSR_BYTES 0x8000u

/* clang-format off */
#define NV_PMC_REGS(REG, FIELD, VALUE)                                                               \
    REG(NV_PMC_BOOT_0, 0x000, 1, 4, RO, 0, "chip and revision")                                        \
      FIELD(NV_PMC_BOOT_0_CHIP, 28, 20, "such as 0x136 for GP106")                                     \
      FIELD(NV_PMC_BOOT_0_REVISION, 7, 0, "")                                                          \
    REG(NV_PMC_INTR_0, 0x100, 1, 4, RO, 0, "units with an interrupt; cleared at the unit")             \
      FIELD(NV_PMC_INTR_0_PGRAPH, 12, 12, "graphics engine (nouveau gk104_mc_intr)")                   \
      FIELD(NV_PMC_INTR_0_LCE, 7, 5, "copy engines 0 to 2 (nouveau gk104_mc_intr; GP106: ASSUMED)")    \
    REG(NV_PMC_PBDMA_ENABLE, 0x204, 1, 4, RW, 0, "one bit per PBDMA")

#define NV_PFIFO_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_PFIFO_CFG0, 0x004, 1, 4, RO, 0, "")                                                         \
      FIELD(NV_PFIFO_CFG0_NUM_PBDMA, 7, 0, "PBDMAs of the chip")                                       \
    REG(NV_PFIFO_CFG1, 0x008, 1, 4, RO, 0, "")                                                         \
      FIELD(NV_PFIFO_CFG1_NUM_CHANNELS, 15, 0, "channels of the chip")                                 \
    REG(NV_PFIFO_INTR_0, 0x100, 1, 4, HOOK, 0, "pending interrupts; write 1 to clear")                 \
      FIELD(NV_PFIFO_INTR_0_BIND_ERROR, 0, 0, "code in INTR_BIND_ERROR")                               \
      FIELD(NV_PFIFO_INTR_0_SCHED_ERROR, 8, 8, "code in INTR_SCHED_ERROR")                             \
      FIELD(NV_PFIFO_INTR_0_CHSW_ERROR, 16, 16, "")                                                    \
      FIELD(NV_PFIFO_INTR_0_DROPPED_MMU_FAULT, 27, 27, "up to Pascal: a fault while its unit's registers hold another") \
      FIELD(NV_PFIFO_INTR_0_MMU_FAULT, 28, 28, "up to Pascal: INTR_MMU_FAULT_ID")                      \
      FIELD(NV_PFIFO_INTR_0_PBDMA_INTR, 29, 29, "some PBDMA: INTR_PBDMA_ID; cleared at the PBDMA")     \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_EVENT, 30, 30, "a submitted runlist is taken: INTR_RUNLIST")       \
      FIELD(NV_PFIFO_INTR_0_CHANNEL_INTR, 31, 31, "a NON_STALL_INTERRUPT method")                      \
    REG(NV_PFIFO_INTR_EN_0, 0x140, 1, 4, RW, 0, "which of INTR_0 raise the line")                      \
    REG(NV_PFIFO_BAR1_BASE, 0x254, 1, 4, RW, 0, "where the USERD window lies in BAR1")                 \
      FIELD(NV_PFIFO_BAR1_BASE_PTR, 27, 0, "address >> 12")                                            \
      FIELD(NV_PFIFO_BAR1_BASE_VALID, 28, 28, "")                                                      \
    REG(NV_PFIFO_RUNLIST_BASE, 0x270, 1, 4, RW, 0, "base of the next runlist submit")                  \
      FIELD(NV_PFIFO_RUNLIST_BASE_PTR, 27, 0, "address >> 12")                                         \
      FIELD(NV_PFIFO_RUNLIST_BASE_TARGET, 29, 28, "")                                                  \
        VALUE(NV_PFIFO_RUNLIST_BASE_TARGET_VID_MEM, 0, "")                                             \
        VALUE(NV_PFIFO_RUNLIST_BASE_TARGET_SYS_MEM_NCOH, 3, "")                                        \
    REG(NV_PFIFO_RUNLIST, 0x274, 1, 4, RW, 0, "a write submits RUNLIST_BASE")                          \
      FIELD(NV_PFIFO_RUNLIST_LENGTH, 15, 0, "entries of 8 bytes")                                      \
      FIELD(NV_PFIFO_RUNLIST_ID, 23, 20, "")                                                           \
    REG(NV_PFIFO_ENG_RUNLIST_BASE, 0x280, 16, 8, RO, 0, "base in use, per runlist")                    \
    REG(NV_PFIFO_ENG_RUNLIST, 0x284, 16, 8, RO, 0, "in use, per runlist")                              \
      FIELD(NV_PFIFO_ENG_RUNLIST_LENGTH, 15, 0, "entries")                                             \
      FIELD(NV_PFIFO_ENG_RUNLIST_PENDING, 20, 20, "a submit has not been taken yet")                   \
    REG(NV_PFIFO_PBDMA_MAP, 0x390, 16, 4, RO, 0, "runlists that a PBDMA serves")                        \
      FIELD(NV_PFIFO_PBDMA_MAP_RUNLISTS, 15, 0, "one bit per runlist")                                 \
    REG(NV_PFIFO_INTR_BIND_ERROR, 0x52c, 1, 4, RW, 0, "")                                              \
      FIELD(NV_PFIFO_INTR_BIND_ERROR_CODE, 7, 0, "")                                                   \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_BIND_NOT_UNBOUND, 1, "")                                   \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_SNOOP_WITHOUT_BAR1, 2, "")                                 \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_RUNNING, 3, "")                               \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_INVALID_CTX_TGT, 6, "")                                    \
    REG(NV_PFIFO_INTR_SCHED_ERROR, 0x54c, 1, 4, RW, 0, "")                                             \
      FIELD(NV_PFIFO_INTR_SCHED_ERROR_CODE, 7, 0, "")                                                  \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_BAD_TSG, 0x20, "")                                        \
    REG(NV_PFIFO_INTR_MMU_FAULT_ID, 0x59c, 1, 4, W1C, 0, "up to Pascal: units whose fault registers hold a fault") \
    REG(NV_PFIFO_INTR_PBDMA_ID, 0x5a0, 1, 4, RO, 0, "PBDMAs with an interrupt, one bit each")          \
    REG(NV_PFIFO_SCHED_DISABLE, 0x630, 1, 4, HOOK, 0, "one bit per runlist")                           \
    REG(NV_PFIFO_PREEMPT, 0x634, 1, 4, HOOK, 0, "a write takes a channel or TSG off its PBDMA")        \
      FIELD(NV_PFIFO_PREEMPT_ID, 11, 0, "")                                                            \
      FIELD(NV_PFIFO_PREEMPT_PENDING, 20, 20, "it is not off yet")                                     \
      FIELD(NV_PFIFO_PREEMPT_TYPE, 25, 24, "")                                                         \
        VALUE(NV_PFIFO_PREEMPT_TYPE_CHANNEL, 0, "")                                                    \
        VALUE(NV_PFIFO_PREEMPT_TYPE_TSG, 1, "")                                                        \
    REG(NV_PFIFO_INTR_MMU_FAULT_INST, 0x800, 32, 16, RO, 0, "up to Pascal: instance block of a unit's fault") \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INST_PTR, 27, 0, "address >> 12")                                  \
    REG(NV_PFIFO_INTR_MMU_FAULT_LO, 0x804, 32, 16, RO, 0, "address")                                   \
    REG(NV_PFIFO_INTR_MMU_FAULT_HI, 0x808, 32, 16, RO, 0, "")                                          \
    REG(NV_PFIFO_INTR_MMU_FAULT_INFO, 0x80c, 32, 16, RO, 0, "")                                        \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_TYPE, 4, 0, "NV_PFAULT_FAULT_TYPE")                           \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT, 14, 8, "")                                            \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_ACCESS_TYPE, 18, 16, "")                                      \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT_TYPE, 20, 20, "1: HUB")                                \
    REG(NV_PFIFO_INTR_RUNLIST, 0xa00, 1, 4, W1C, 0, "runlists taken, one bit each")                    \
    REG(NV_PFIFO_FB_TIMEOUT, 0xa04, 1, 4, RW, 0, "reset value ASSUMED")                                \
    REG(NV_PFIFO_RUNLIST_BASE_LO, 0xb00, 11, 16, RW, 0, "Turing: base of a runlist's next submit")     \
      FIELD(NV_PFIFO_RUNLIST_BASE_LO_TARGET, 1, 0, "0 video memory, 2/3 system memory")                \
      FIELD(NV_PFIFO_RUNLIST_BASE_LO_PTR_LO, 31, 12, "")                                               \
    REG(NV_PFIFO_RUNLIST_BASE_HI, 0xb04, 11, 16, RW, 0, "Turing")                                      \
      FIELD(NV_PFIFO_RUNLIST_BASE_HI_PTR_HI, 7, 0, "")                                                 \
    REG(NV_PFIFO_RUNLIST_SUBMIT, 0xb08, 11, 16, RW, 0, "Turing: a write submits RUNLIST_BASE_LO, HI")  \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_LENGTH, 15, 0, "entries of 16 bytes")                              \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_OFFSET, 31, 16, "entry to start with")                             \
    REG(NV_PFIFO_RUNLIST_SUBMIT_INFO, 0xb0c, 11, 16, RO, 0, "Turing: a submit is taken at once here")  \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_INFO_PENDING, 15, 15, "")                                          \
    REG(NV_PFIFO_PBDMA_STATUS, 0x1080, 16, 4, RO, 0, "what is on a PBDMA")                              \
      FIELD(NV_PFIFO_PBDMA_STATUS_ID, 11, 0, "")                                                       \
      FIELD(NV_PFIFO_PBDMA_STATUS_ID_TYPE, 12, 12, "1: a TSG")                                         \
      FIELD(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS, 15, 13, "")                                             \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_INVALID, 0, "")                                        \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_VALID, 1, "")                                          \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_LOAD, 5, "")                                           \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_SAVE, 6, "")                                           \
      FIELD(NV_PFIFO_PBDMA_STATUS_NEXT_ID, 27, 16, "")

/* From Volta on; open to programs. */
#define NV_USERMODE_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_USERMODE_CFG0, 0x00, 1, 4, RO, 0, "")                                                       \
      FIELD(NV_USERMODE_CFG0_USERMODE_CLASS_ID, 15, 0, "0xc361 Volta, 0xc461 Turing")                  \
    REG(NV_USERMODE_TIME_0, 0x80, 1, 4, RO, 0, "PTIMER, lower half")                                   \
      FIELD(NV_USERMODE_TIME_0_NSEC, 31, 5, "")                                                        \
    REG(NV_USERMODE_TIME_1, 0x84, 1, 4, RO, 0, "PTIMER, upper half")                                   \
      FIELD(NV_USERMODE_TIME_1_NSEC, 28, 0, "")                                                        \
    REG(NV_USERMODE_NOTIFY_CHANNEL_PENDING, 0x90, 1, 4, WO, 0, "makes a channel pending")              \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_CHID, 11, 0, "")                                        \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID, 22, 16, "Turing")                           \
        VALUE(NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID_ALL, 15, "")

#define NV_PCCSR_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_PCCSR_CHANNEL_INST, 0x0, 4096, 8, RW, 0, "instance block of a channel")                     \
      FIELD(NV_PCCSR_CHANNEL_INST_PTR, 27, 0, "address >> 12")                                         \
      FIELD(NV_PCCSR_CHANNEL_INST_TARGET, 29, 28, "0 video memory, 2/3 system memory")                 \
      FIELD(NV_PCCSR_CHANNEL_INST_BIND, 31, 31, "")                                                    \
    REG(NV_PCCSR_CHANNEL, 0x4, 4096, 8, HOOK, 0, "state of a channel")                                 \
      FIELD(NV_PCCSR_CHANNEL_ENABLE, 0, 0, "read only")                                                \
      FIELD(NV_PCCSR_CHANNEL_NEXT, 1, 1, "to be scheduled next of its TSG")                            \
      FIELD(NV_PCCSR_CHANNEL_ENABLE_SET, 10, 10, "write 1")                                            \
      FIELD(NV_PCCSR_CHANNEL_ENABLE_CLR, 11, 11, "write 1")                                            \
      FIELD(NV_PCCSR_CHANNEL_RUNLIST, 19, 16, "Kepler; without effect here")                           \
      FIELD(NV_PCCSR_CHANNEL_PBDMA_FAULTED, 22, 22, "")                                                \
      FIELD(NV_PCCSR_CHANNEL_ENG_FAULTED, 23, 23, "")                                                  \
      FIELD(NV_PCCSR_CHANNEL_STATUS, 27, 24, "")                                                       \
        VALUE(NV_PCCSR_CHANNEL_STATUS_IDLE, 0, "")                                                     \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING, 1, "")                                                  \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING_ACQUIRE, 3, "")                                          \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA, 5, "")                                                 \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG, 6, "")                                         \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG, 7, "")                                                   \
      FIELD(NV_PCCSR_CHANNEL_BUSY, 28, 28, "")
/* clang-format on */

enum { NV_PMC_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PFIFO_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PCCSR_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_USERMODE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };

extern const struct reg_list nv_pmc_list, nv_pfifo_list, nv_pccsr_list;
extern const struct reg_list nv_usermode_list;

#endif
