/* SPDX-License-Identifier: MIT */
/*
 * Registers of Host up to Turing: PMC's part, PFIFO, CCSR, and the user-mode window, with marks
 * where generations differ.  From Ampere on: nv_runlist_regs.h, nv_intr_regs.h.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/volta/gv100/dev_fifo.ref.txt and turing/tu104
 * (names, fields, reset values: all that these have), dev_master, nvgpu hw_fifo_gp106.h,
 * hw_ccsr_gp106.h, hw_fifo_gp10b.h @6ecfb593 and nouveau gk104.c, gm200.c, gp100.c (Kepler to
 * Pascal, for which no manual is published).  Arrays by PBDMA, engine or runlist have 16 elements
 * on every chip; those beyond the chip's number read as after reset.  Several fields for like
 * things (_RUNLIST_0, _RUNLIST_1 ...) are one field here.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_REGS_H

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

#define NV_PMC_BASE                  0x000000u
#define NV_PMC_BYTES                 0x1000u
#define NV_PFIFO_BASE                0x002000u
#define NV_PFIFO_BYTES               0x2000u
#define NV_USERMODE_BYTES            0x10000u /* address: nv_generation.h */
#define NV_VIRTUAL_FUNCTION_USERMODE 0x30000u /* in NV_VIRTUAL_FUNCTION */
#define NV_PCCSR_BASE                0x800000u
#define NV_PCCSR_BYTES               0x8000u

/* clang-format off */
#define NV_PMC_REGS(REG, FIELD, VALUE)                                                               \
    REG(NV_PMC_BOOT_0, 0x000, 1, 4, RO, 0, "chip and revision")                                      \
      FIELD(NV_PMC_BOOT_0_CHIP, 28, 20, "such as 0x136 for GP106")                                   \
      FIELD(NV_PMC_BOOT_0_REVISION, 7, 0, "")                                                        \
    REG(NV_PMC_BOOT_1, 0x004, 1, 4, RO, 0, "virtual GPUs: none")                                     \
    REG(NV_PMC_INTR_0, 0x100, 1, 4, RO, 0, "units with an interrupt; cleared at the unit")           \
      FIELD(NV_PMC_INTR_0_LCE, 7, 5, "copy engines 0 to 2 (nouveau gk104_mc_intr; GP106: ASSUMED)")  \
      FIELD(NV_PMC_INTR_0_PFIFO, 8, 8, "PFIFO: INTR_0 with INTR_EN_0; from Ampere on any runlist")   \
      FIELD(NV_PMC_INTR_0_PGRAPH, 12, 12, "graphics engine (nouveau gk104_mc_intr)")                 \
    REG(NV_PMC_INTR_EN, 0x140, 2, 4, RO, 0, NV_FROM_PASCAL, "0 the stalling tree, 1 the other; without effect here: the CPU takes any") \
    REG(NV_PMC_INTR_EN_SET, 0x160, 2, 4, SET, 0x140, NV_FROM_PASCAL, "")                             \
    REG(NV_PMC_INTR_EN_CLEAR, 0x180, 2, 4, CLEAR, 0x140, NV_FROM_PASCAL, "")                         \
    REG(NV_PMC_ENABLE, 0x200, 1, 4, RW, 0, NV_UP_TO_TURING, "one bit per device; an engine's is its RESET_ENUM of PTOP, 0 holds it in reset") \
      FIELD(NV_PMC_ENABLE_PFIFO, 8, 8, "NV_PMC_ENABLE_HOST_SCHEDULER; resetting Host is not modelled")  \
    REG(NV_PMC_DEVICE_ENABLE, 0x600, 1, 4, RW, 0, NV_FROM_AMPERE, "one bit per device; an engine's is its RESET_ID of PTOP, 0 holds it in reset") \
    REG(NV_PMC_PBDMA_ENABLE, 0x204, 1, 4, RW, 0, NV_UP_TO_TURING, "one bit per PBDMA; NV_PMC_ENABLE_PB from Volta on") \
    REG(NV_PMC_BOOT_42, 0xa00, 1, 4, RO, 0, NV_FROM_PASCAL, "chip and revision once more")           \
      FIELD(NV_PMC_BOOT_42_MINOR_EXTENDED_REVISION, 11, 8, "")                                       \
      FIELD(NV_PMC_BOOT_42_MINOR_REVISION, 15, 12, "")                                               \
      FIELD(NV_PMC_BOOT_42_MAJOR_REVISION, 19, 16, "")                                               \
      FIELD(NV_PMC_BOOT_42_CHIP_ID, 28, 20, "")

#define NV_PFIFO_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_PFIFO_CFG0, 0x004, 1, 4, RO, 0, "")                                                       \
      FIELD(NV_PFIFO_CFG0_NUM_PBDMA, 7, 0, "PBDMAs of the chip")                                     \
      FIELD(NV_PFIFO_CFG0_PBDMA_FAULT_ID, 23, 16, RO, NV_VOLTA_AND_TURING, "fault id of PBDMA 0")    \
    REG(NV_PFIFO_CFG1, 0x008, 1, 4, RO, 0, "")                                                       \
      FIELD(NV_PFIFO_CFG1_NUM_CHANNELS, 31, 0, "channels of the chip")                               \
    REG(NV_PFIFO_CFG2, 0x00c, 1, 4, RO, 0, NV_VOLTA_AND_TURING, "Host class")                        \
      FIELD(NV_PFIFO_CFG2_HOST_CLASS_ID, 15, 0, "")                                                  \
    REG(NV_PFIFO_INTR_0, 0x100, 1, 4, W1C, 0, "pending interrupts; write 1 to clear")                \
      FIELD(NV_PFIFO_INTR_0_BIND_ERROR, 0, 0, "code in INTR_BIND_ERROR")                             \
      FIELD(NV_PFIFO_INTR_0_CTXSW_TIMEOUT, 1, 1, RO, NV_TURING, "")                                  \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_IDLE, 4, 4, RO, NV_TURING, "")                                   \
      FIELD(NV_PFIFO_INTR_0_PIO_ERROR, 4, 4, W1C, NV_UP_TO_MAXWELL, "")                              \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_AND_ENG_IDLE, 5, 5, RO, NV_TURING, "")                           \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_ACQUIRE, 6, 6, RO, NV_TURING, "")                                \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_ACQUIRE_AND_ENG_IDLE, 7, 7, RO, NV_TURING, "")                   \
      FIELD(NV_PFIFO_INTR_0_SCHED_ERROR, 8, 8, "code in INTR_SCHED_ERROR")                           \
      FIELD(NV_PFIFO_INTR_0_CHSW_ERROR, 16, 16, "")                                                  \
      FIELD(NV_PFIFO_INTR_0_MEMOP_TIMEOUT, 23, 23, W1C, NV_VOLTA_AND_TURING, "")                     \
      FIELD(NV_PFIFO_INTR_0_FB_FLUSH_TIMEOUT, 23, 23, W1C, NV_UP_TO_PASCAL, "")                      \
      FIELD(NV_PFIFO_INTR_0_LB_ERROR, 24, 24, "")                                                    \
      FIELD(NV_PFIFO_INTR_0_REPLAYABLE_FAULT_ERROR, 25, 25, W1C, NV_PASCAL, "")                      \
      FIELD(NV_PFIFO_INTR_0_DROPPED_MMU_FAULT, 27, 27, W1C, NV_UP_TO_PASCAL, "")                     \
      FIELD(NV_PFIFO_INTR_0_TSG_PREEMPT_COMPLETE, 28, 28, W1C, NV_TURING, "")                        \
      FIELD(NV_PFIFO_INTR_0_MMU_FAULT, 28, 28, RO, NV_UP_TO_PASCAL, "engines: INTR_MMU_FAULT_ID; cleared there") \
      FIELD(NV_PFIFO_INTR_0_PBDMA_INTR, 29, 29, RO, "some PBDMA: INTR_PBDMA_ID; cleared at the PBDMA") \
      FIELD(NV_PFIFO_INTR_0_RUNLIST_EVENT, 30, 30, RO, "a submitted runlist is taken: INTR_RUNLIST") \
      FIELD(NV_PFIFO_INTR_0_CHANNEL_INTR, 31, 31, "a NON_STALL_INTERRUPT method")                    \
    REG(NV_PFIFO_INTR_EN_0, 0x140, 1, 4, RW, 0, "which of INTR_0 raise the line; bits as there")     \
    REG(NV_PFIFO_INTR_0_MASK_SET, 0x180, 1, 4, SET, 0x180, NV_TURING, "which of INTR_0 are not raised at all") \
      FIELD(NV_PFIFO_INTR_0_MASK_SET_TSG_PREEMPT_COMPLETE, 28, 28, "")                               \
    REG(NV_PFIFO_INTR_0_MASK_CLEAR, 0x1c0, 1, 4, CLEAR, 0x180, NV_TURING, "")                        \
      FIELD(NV_PFIFO_INTR_0_MASK_CLEAR_TSG_PREEMPT_COMPLETE, 28, 28, "")                             \
    REG(NV_PFIFO_CONFIG, 0x200, 1, 4, INERT, 0x10, NV_VOLTA_AND_TURING, "")                          \
      FIELD(NV_PFIFO_CONFIG_L2_EVICT, 9, 8, "")                                                      \
        VALUE(NV_PFIFO_CONFIG_L2_EVICT_FIRST, 0, "")                                                 \
        VALUE(NV_PFIFO_CONFIG_L2_EVICT_NORMAL, 1, "")                                                \
      FIELD(NV_PFIFO_CONFIG_SEM_ACQ_STRENGTH, 0, 0, INERT, NV_TURING, "")                            \
        VALUE(NV_PFIFO_CONFIG_SEM_ACQ_STRENGTH_WEAK, 0, "")                                          \
        VALUE(NV_PFIFO_CONFIG_SEM_ACQ_STRENGTH_STRONG, 1, "")                                        \
      FIELD(NV_PFIFO_CONFIG_SEM_REL_STRENGTH, 4, 4, INERT, NV_TURING, "")                            \
        VALUE(NV_PFIFO_CONFIG_SEM_REL_STRENGTH_WEAK, 0, "")                                          \
        VALUE(NV_PFIFO_CONFIG_SEM_REL_STRENGTH_STRONG, 1, "")                                        \
    REG(NV_PFIFO_ACQ_PRETEST, 0x250, 1, 4, RW, 0x8, NV_VOLTA_AND_TURING, "how long a failed acquire is left alone by the runlist search; units not published") \
      FIELD(NV_PFIFO_ACQ_PRETEST_TIMEOUT, 7, 0, "")                                                  \
        VALUE(NV_PFIFO_ACQ_PRETEST_TIMEOUT_8, 8, "")                                                 \
      FIELD(NV_PFIFO_ACQ_PRETEST_TIMESCALE, 15, 12, "")                                              \
        VALUE(NV_PFIFO_ACQ_PRETEST_TIMESCALE_0, 0, "")                                               \
        VALUE(NV_PFIFO_ACQ_PRETEST_TIMESCALE_10, 0xa, "")                                            \
    REG(NV_PFIFO_BAR1_BASE, 0x254, 1, 4, RW, 0, NV_UP_TO_PASCAL, "where the USERD window lies in BAR1") \
      FIELD(NV_PFIFO_BAR1_BASE_PTR, 27, 0, "address >> 12")                                          \
      FIELD(NV_PFIFO_BAR1_BASE_VALID, 28, 28, "")                                                    \
    REG(NV_PFIFO_USERD_WRITEBACK, 0x25c, 1, 4, INERT, 0x64, NV_VOLTA_AND_TURING, "how often a running channel writes GP_GET to USERD") \
      FIELD(NV_PFIFO_USERD_WRITEBACK_TIMER, 7, 0, "<< TIMESCALE microseconds; 0: not by time")       \
        VALUE(NV_PFIFO_USERD_WRITEBACK_TIMER_SHORT, 3, "")                                           \
        VALUE(NV_PFIFO_USERD_WRITEBACK_TIMER_100US, 0x64, "")                                        \
      FIELD(NV_PFIFO_USERD_WRITEBACK_TIMESCALE, 15, 12, "")                                          \
        VALUE(NV_PFIFO_USERD_WRITEBACK_TIMESCALE_0, 0, "")                                           \
    REG(NV_PFIFO_RUNLIST_BASE, 0x270, 1, 4, RW, 0, NV_UP_TO_VOLTA, "base of the next runlist submit") \
      FIELD(NV_PFIFO_RUNLIST_BASE_PTR, 27, 0, "address >> 12")                                       \
      FIELD(NV_PFIFO_RUNLIST_BASE_TARGET, 29, 28, "")                                                \
        VALUE(NV_PFIFO_RUNLIST_BASE_TARGET_VID_MEM, 0, "")                                           \
        VALUE(NV_PFIFO_RUNLIST_BASE_TARGET_SYS_MEM_COHERENT, 2, "")                                  \
        VALUE(NV_PFIFO_RUNLIST_BASE_TARGET_SYS_MEM_NONCOHERENT, 3, "")                               \
    REG(NV_PFIFO_RUNLIST, 0x274, 1, 4, RW, 0, NV_UP_TO_VOLTA, "a write submits RUNLIST_BASE")        \
      FIELD(NV_PFIFO_RUNLIST_LENGTH, 15, 0, "entries of 8 bytes")                                    \
      FIELD(NV_PFIFO_RUNLIST_ID, 23, 20, "")                                                         \
    REG(NV_PFIFO_ENG_RUNLIST_BASE, 0x280, 16, 8, RO, 0, NV_UP_TO_VOLTA, "base in use, per runlist")  \
      FIELD(NV_PFIFO_ENG_RUNLIST_BASE_PTR, 27, 0, "")                                                \
      FIELD(NV_PFIFO_ENG_RUNLIST_BASE_TARGET, 29, 28, "")                                            \
        VALUE(NV_PFIFO_ENG_RUNLIST_BASE_TARGET_VID_MEM, 0, "")                                       \
        VALUE(NV_PFIFO_ENG_RUNLIST_BASE_TARGET_SYS_MEM_COHERENT, 2, "")                              \
        VALUE(NV_PFIFO_ENG_RUNLIST_BASE_TARGET_SYS_MEM_NONCOHERENT, 3, "")                           \
    REG(NV_PFIFO_ENG_RUNLIST, 0x284, 16, 8, RO, 0, NV_UP_TO_VOLTA, "in use, per runlist")            \
      FIELD(NV_PFIFO_ENG_RUNLIST_LENGTH, 15, 0, "entries")                                           \
      FIELD(NV_PFIFO_ENG_RUNLIST_PENDING, 20, 20, "a submit has not been taken yet")                 \
    REG(NV_PFIFO_PB_TIMESLICE, 0x350, 16, 4, INERT, 0x10000010, NV_UP_TO_PASCAL, "slice of a PBDMA; reset value INFERRED from what nouveau writes") \
      FIELD(NV_PFIFO_PB_TIMESLICE_TIMEOUT, 7, 0, "")                                                 \
      FIELD(NV_PFIFO_PB_TIMESLICE_TIMESCALE, 15, 12, "")                                             \
      FIELD(NV_PFIFO_PB_TIMESLICE_ENABLE, 28, 28, "")                                                \
    REG(NV_PFIFO_PBDMA_MAP, 0x390, 16, 4, RO, 0, "runlists that a PBDMA serves")                     \
      FIELD(NV_PFIFO_PBDMA_MAP_RUNLISTS, 15, 0, "one bit per runlist")                               \
    REG(NV_PFIFO_LB_GPBUF_CONTROL, 0x3e0, 16, 8, RO, 0, NV_VOLTA_AND_TURING, "latency buffer for GP entries, lines of 128 bytes") \
      FIELD(NV_PFIFO_LB_GPBUF_CONTROL_SIZE_GV100, 30, 24, RO, NV_VOLTA, "")                          \
      FIELD(NV_PFIFO_LB_GPBUF_CONTROL_SIZE, 31, 24, RO, NV_TURING, "")                               \
        VALUE(NV_PFIFO_LB_GPBUF_CONTROL_SIZE_128B, 1, "")                                            \
    REG(NV_PFIFO_LB_PBBUF_CONTROL, 0x3e4, 16, 8, RO, 0, NV_VOLTA_AND_TURING, "... for pushbuffer")   \
      FIELD(NV_PFIFO_LB_PBBUF_CONTROL_SIZE_GV100, 31, 24, RO, NV_VOLTA, "")                          \
      FIELD(NV_PFIFO_LB_PBBUF_CONTROL_SIZE, 31, 23, RO, NV_TURING, "")                               \
        VALUE(NV_PFIFO_LB_PBBUF_CONTROL_SIZE_128B, 1, "")                                            \
    REG(NV_PFIFO_INTR_EN_1, 0x528, 1, 4, INERT, 0, "which of INTR_0 raise the non-stalling line; bits as there") \
    REG(NV_PFIFO_INTR_BIND_ERROR, 0x52c, 1, 4, RO, 0, "why INTR_0_BIND_ERROR")                       \
      FIELD(NV_PFIFO_INTR_BIND_ERROR_CODE, 7, 0, "")                                                 \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_NO_ERROR, 0, "")                                         \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_BIND_NOT_UNBOUND, 1, "")                                 \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_SNOOP_WITHOUT_BAR1, 2, "")                               \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_RUNNING, 3, "")                             \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_INVALID_CTX_TGT, 6, "")                                  \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_PARKED, 0xb, "")                            \
        VALUE(NV_PFIFO_INTR_BIND_ERROR_CODE_INVALID_RUNLIST, 5, "")                                  \
    REG(NV_PFIFO_INTR_STALL, 0x530, 1, 4, INERT, 0, "which of INTR_0 stall Host; bits as there")     \
    REG(NV_PFIFO_INTR_SCHED_ERROR, 0x54c, 1, 4, RO, 0, "why INTR_0_SCHED_ERROR")                     \
      FIELD(NV_PFIFO_INTR_SCHED_ERROR_CODE, 7, 0, "")                                                \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_NO_ERROR, 0, "")                                        \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_ENGINE_RESET, 5, "")                                    \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_RL_REQ_TIMEOUT, 0xc, "")                                \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_RL_ACK_TIMEOUT, 6, "")                                  \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_RL_ACK_EXTRA, 7, "")                                    \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_RL_RDAT_TIMEOUT, 8, "")                                 \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_RL_RDAT_EXTRA, 9, "")                                   \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_CTXSW_TIMEOUT, 0xa, "")                                 \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_NEW_RUNLIST, 0xd, "")                                   \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_CONFIG_WHILE_BUSY, 0xe, "")                             \
        VALUE(NV_PFIFO_INTR_SCHED_ERROR_CODE_BAD_TSG, 0x20, "")                                      \
    REG(NV_PFIFO_INTR_CHSW_ERROR, 0x56c, 1, 4, RO, 0, "why INTR_0_CHSW_ERROR")                       \
      FIELD(NV_PFIFO_INTR_CHSW_ERROR_CODE, 7, 0, "")                                                 \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_NO_ERROR, 0, "")                                         \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_REQ_TIMEOUT, 1, "")                                      \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_ACK_TIMEOUT, 2, "")                                      \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_ACK_EXTRA, 3, "")                                        \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_RDAT_TIMEOUT, 4, "")                                     \
        VALUE(NV_PFIFO_INTR_CHSW_ERROR_CODE_RDAT_EXTRA, 5, "")                                       \
    REG(NV_PFIFO_INTR_LB_ERROR, 0x58c, 1, 4, RO, 0, "why INTR_0_LB_ERROR")                           \
      FIELD(NV_PFIFO_INTR_LB_ERROR_CODE, 7, 0, "")                                                   \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_NO_ERROR, 0, "")                                           \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_REQ_TIMEOUT, 2, "")                                        \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_ACK_TIMEOUT, 3, "")                                        \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_ACK_EXTRA, 4, "")                                          \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_RDAT_TIMEOUT, 5, "")                                       \
        VALUE(NV_PFIFO_INTR_LB_ERROR_CODE_RDAT_EXTRA, 6, "")                                         \
    REG(NV_PFIFO_INTR_MMU_FAULT_ID, 0x59c, 1, 4, W1C, 0, NV_UP_TO_PASCAL, "MMU engines with a fault, one bit each; write 1 to clear") \
    REG(NV_PFIFO_INTR_PBDMA_ID, 0x5a0, 1, 4, RO, 0, "PBDMAs with an interrupt, one bit each")        \
      FIELD(NV_PFIFO_INTR_PBDMA_ID_STATUS, 15, 0, "")                                                \
    REG(NV_PFIFO_ERROR_SCHED_DISABLE, 0x62c, 1, 4, W1C, 0, NV_UP_TO_PASCAL, "runlists that a fault has stopped; write 1 to let them go on") \
    REG(NV_PFIFO_SCHED_DISABLE, 0x630, 1, 4, HOOK, 0, "one bit per runlist: nothing else of it is scheduled") \
      FIELD(NV_PFIFO_SCHED_DISABLE_RUNLIST_MASK, 15, 0, "")                                          \
    REG(NV_PFIFO_PREEMPT, 0x634, 1, 4, HOOK, 0, "a write takes a channel or TSG off its PBDMA")      \
      FIELD(NV_PFIFO_PREEMPT_ID, 11, 0, "")                                                          \
      FIELD(NV_PFIFO_PREEMPT_PENDING, 20, 20, RO, "it is not off yet")                               \
      FIELD(NV_PFIFO_PREEMPT_TYPE, 25, 24, "")                                                       \
        VALUE(NV_PFIFO_PREEMPT_TYPE_CHANNEL, 0, "")                                                  \
        VALUE(NV_PFIFO_PREEMPT_TYPE_TSG, 1, "")                                                      \
    REG(NV_PFIFO_RUNLIST_PREEMPT, 0x638, 1, 4, HOOK, 0, "one bit per runlist: takes all of it off; cleared when done") \
    REG(NV_PFIFO_SCHED_STATUS, 0x63c, 1, 4, RO, 0, NV_VOLTA_AND_TURING, "")                          \
      FIELD(NV_PFIFO_SCHED_STATUS_CHSW, 1, 1, "")                                                    \
        VALUE(NV_PFIFO_SCHED_STATUS_CHSW_NOT_IN_PROGRESS, 0, "")                                     \
        VALUE(NV_PFIFO_SCHED_STATUS_CHSW_IN_PROGRESS, 1, "")                                         \
      FIELD(NV_PFIFO_SCHED_STATUS_RUNLIST_FETCH, 2, 2, "")                                           \
        VALUE(NV_PFIFO_SCHED_STATUS_RUNLIST_FETCH_IDLE, 0, "")                                       \
        VALUE(NV_PFIFO_SCHED_STATUS_RUNLIST_FETCH_BUSY, 1, "")                                       \
    REG(NV_PFIFO_ENGINE_STATUS, 0x640, 16, 8, RO, 0, "whose context is on an engine")                \
      FIELD(NV_PFIFO_ENGINE_STATUS_ID, 11, 0, "")                                                    \
      FIELD(NV_PFIFO_ENGINE_STATUS_ID_TYPE, 12, 12, "")                                              \
        VALUE(NV_PFIFO_ENGINE_STATUS_ID_TYPE_CHID, 0, "")                                            \
        VALUE(NV_PFIFO_ENGINE_STATUS_ID_TYPE_TSGID, 1, "")                                           \
      FIELD(NV_PFIFO_ENGINE_STATUS_CTX_STATUS, 15, 13, "")                                           \
        VALUE(NV_PFIFO_ENGINE_STATUS_CTX_STATUS_INVALID, 0, "")                                      \
        VALUE(NV_PFIFO_ENGINE_STATUS_CTX_STATUS_VALID, 1, "")                                        \
        VALUE(NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_LOAD, 5, "")                                   \
        VALUE(NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SAVE, 6, "")                                   \
        VALUE(NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SWITCH, 7, "")                                 \
      FIELD(NV_PFIFO_ENGINE_STATUS_NEXT_ID, 27, 16, "")                                              \
      FIELD(NV_PFIFO_ENGINE_STATUS_NEXT_ID_TYPE, 28, 28, "")                                         \
        VALUE(NV_PFIFO_ENGINE_STATUS_NEXT_ID_TYPE_CHID, 0, "")                                       \
        VALUE(NV_PFIFO_ENGINE_STATUS_NEXT_ID_TYPE_TSGID, 1, "")                                      \
      FIELD(NV_PFIFO_ENGINE_STATUS_ENG_RELOAD, 29, 29, "")                                           \
      FIELD(NV_PFIFO_ENGINE_STATUS_FAULTED, 30, 30, "")                                              \
      FIELD(NV_PFIFO_ENGINE_STATUS_ENGINE, 31, 31, "")                                               \
        VALUE(NV_PFIFO_ENGINE_STATUS_ENGINE_IDLE, 0, "")                                             \
        VALUE(NV_PFIFO_ENGINE_STATUS_ENGINE_BUSY, 1, "")                                             \
    REG(NV_PFIFO_ENGINE_STATUS_DEBUG, 0x644, 16, 8, RO, 0x1, NV_VOLTA_AND_TURING, "")                \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_IF_EN, 0, 0, "")                                            \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_INTR, 4, 4, "")                                             \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_PIPE0_NO_CREDITS, 8, 8, "")                                 \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_PIPE0_WFI, 12, 12, "")                                      \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_PIPE1_NO_CREDITS, 16, 16, "")                               \
      FIELD(NV_PFIFO_ENGINE_STATUS_DEBUG_PIPE1_WFI, 20, 20, "")                                      \
    REG(NV_PFIFO_BLKCG, 0x6e0, 1, 4, INERT, 0, NV_VOLTA_AND_TURING, "clock gating")                  \
      FIELD(NV_PFIFO_BLKCG_IDLE_CG_DLY_CNT, 5, 0, "")                                                \
      FIELD(NV_PFIFO_BLKCG_IDLE_CG_EN, 6, 6, "")                                                     \
      FIELD(NV_PFIFO_BLKCG_STALL_CG_EN, 14, 14, "")                                                  \
      FIELD(NV_PFIFO_BLKCG_WAKEUP_DLY_CNT, 19, 16, "")                                               \
    REG(NV_PFIFO_BLKCG1, 0x6ec, 1, 4, INERT, 0xffbe, NV_VOLTA_AND_TURING, "clock gating")            \
      FIELD(NV_PFIFO_BLKCG1_MONITOR_CG_EN, 0, 0, "")                                                 \
      FIELD(NV_PFIFO_BLKCG1_SLCG_RLP, 1, 1, "")                                                      \
      FIELD(NV_PFIFO_BLKCG1_SLCG_CPUQ_RSP, 2, 2, "")                                                 \
      FIELD(NV_PFIFO_BLKCG1_SLCG_EVH, 3, 3, "")                                                      \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PMC, 4, 4, "")                                                      \
      FIELD(NV_PFIFO_BLKCG1_SLCG_FECS_PRIV, 5, 5, INERT, NV_VOLTA, "")                               \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PRIV_RING, 6, 6, "")                                                \
      FIELD(NV_PFIFO_BLKCG1_SLCG_EISM, 7, 7, "")                                                     \
      FIELD(NV_PFIFO_BLKCG1_SLCG_LB, 8, 8, "")                                                       \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PBDMA_CTL, 9, 9, "")                                                \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PBDMA_GP, 10, 10, "")                                               \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PBDMA_PB, 11, 11, "")                                               \
      FIELD(NV_PFIFO_BLKCG1_SLCG_TMR, 12, 12, "")                                                    \
      FIELD(NV_PFIFO_BLKCG1_SLCG_PRI, 13, 13, "")                                                    \
      FIELD(NV_PFIFO_BLKCG1_SLCG_CHSW, 14, 14, "")                                                   \
      FIELD(NV_PFIFO_BLKCG1_SLCG_XBAR, 15, 15, "")                                                   \
    REG(NV_PFIFO_PBDMA_STATUS_INST, 0x790, 16, 4, RO, 0, NV_VOLTA_AND_TURING, "")                    \
      FIELD(NV_PFIFO_PBDMA_STATUS_INST_PTR, 27, 0, "")                                               \
      FIELD(NV_PFIFO_PBDMA_STATUS_INST_TARGET, 29, 28, "")                                           \
        VALUE(NV_PFIFO_PBDMA_STATUS_INST_TARGET_VID_MEM, 0, "")                                      \
        VALUE(NV_PFIFO_PBDMA_STATUS_INST_TARGET_SYS_MEM_COHERENT, 2, "")                             \
        VALUE(NV_PFIFO_PBDMA_STATUS_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                          \
      FIELD(NV_PFIFO_PBDMA_STATUS_INST_VALID, 31, 31, "")                                            \
    REG(NV_PFIFO_PBDMA_STATUS_USERD, 0x800, 16, 4, RO, 0, NV_TURING, "")                             \
      FIELD(NV_PFIFO_PBDMA_STATUS_USERD_TARGET, 1, 0, "")                                            \
        VALUE(NV_PFIFO_PBDMA_STATUS_USERD_TARGET_VID_MEM, 0, "")                                     \
        VALUE(NV_PFIFO_PBDMA_STATUS_USERD_TARGET_VID_MEM_NVLINK_COHERENT, 1, "")                     \
        VALUE(NV_PFIFO_PBDMA_STATUS_USERD_TARGET_SYS_MEM_COHERENT, 2, "")                            \
        VALUE(NV_PFIFO_PBDMA_STATUS_USERD_TARGET_SYS_MEM_NONCOHERENT, 3, "")                         \
      FIELD(NV_PFIFO_PBDMA_STATUS_USERD_ADDR, 31, 8, "")                                             \
    REG(NV_PFIFO_INTR_MMU_FAULT_INST, 0x800, 32, 16, RO, 0, NV_UP_TO_PASCAL, "whose address space")  \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INST_PTR, 27, 0, "instance block >> 12")                         \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INST_APERTURE, 29, 28, "")                                       \
    REG(NV_PFIFO_INTR_MMU_FAULT_LO, 0x804, 32, 16, RO, 0, NV_UP_TO_PASCAL, "virtual address")        \
    REG(NV_PFIFO_INTR_MMU_FAULT_HI, 0x808, 32, 16, RO, 0, NV_UP_TO_PASCAL, "")                       \
    REG(NV_PFIFO_INTR_MMU_FAULT_INFO, 0x80c, 32, 16, RO, 0, NV_UP_TO_PASCAL, "fields as GP10B has them") \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_TYPE, 4, 0, "enum of dev_fault")                            \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT, 14, 8, "")                                          \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_ACCESS_TYPE, 18, 16, "")                                          \
      FIELD(NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT_TYPE, 20, 20, "0 GPC, 1 HUB")                        \
    REG(NV_PFIFO_PBDMA_STATUS_USERD_HI, 0x880, 16, 4, RO, 0, NV_TURING, "")                          \
      FIELD(NV_PFIFO_PBDMA_STATUS_USERD_HI_ADDR, 7, 0, "")                                           \
    REG(NV_PFIFO_INTR_RUNLIST, 0xa00, 1, 4, W1C, 0, "runlists taken, one bit each")                  \
      FIELD(NV_PFIFO_INTR_RUNLIST_EVENT, 15, 0, "")                                                  \
    REG(NV_PFIFO_FB_TIMEOUT, 0xa04, 1, 4, RW, 0, NV_UP_TO_TURING, "reset value ASSUMED")             \
    REG(NV_PFIFO_ENG_TIMEOUT, 0xa0c, 1, 4, RW, 0x803fffff, NV_UP_TO_VOLTA, "of a context switch")    \
      FIELD(NV_PFIFO_ENG_TIMEOUT_PERIOD, 30, 0, "microseconds (INFERRED)")                           \
      FIELD(NV_PFIFO_ENG_TIMEOUT_DETECTION, 31, 31, "")                                              \
    REG(NV_PFIFO_ENG_CTXSW_TIMEOUT, 0xa0c, 1, 4, RW, 0x803fffff, NV_TURING, "of a context switch")   \
      FIELD(NV_PFIFO_ENG_CTXSW_TIMEOUT_PERIOD, 30, 0, "microseconds (INFERRED)")                     \
      FIELD(NV_PFIFO_ENG_CTXSW_TIMEOUT_DETECTION, 31, 31, "")                                        \
    REG(NV_PFIFO_CLEAR_FAULTED_TIMEOUT, 0xa14, 1, 4, RW, 0x800003ff, NV_VOLTA_AND_TURING, "how long CLEAR_FAULTED waits for the bit") \
      FIELD(NV_PFIFO_CLEAR_FAULTED_TIMEOUT_PERIOD, 29, 0, "")                                        \
      FIELD(NV_PFIFO_CLEAR_FAULTED_TIMEOUT_DETECTION, 31, 31, "")                                    \
    REG(NV_PFIFO_INTR_CTXSW_TIMEOUT, 0xa30, 1, 4, W1C, 0, NV_TURING, "engines whose context switch took too long: INTR_CTXSW_TIMEOUT_INFO") \
      FIELD(NV_PFIFO_INTR_CTXSW_TIMEOUT_ENGINE, 31, 0, "")                                           \
    REG(NV_PFIFO_TRIGGER_MMU_FAULT, 0xa30, 16, 4, HOOK, 0, NV_UP_TO_PASCAL, "raises a fault of an engine") \
      FIELD(NV_PFIFO_TRIGGER_MMU_FAULT_ID, 4, 0, "MMU engine")                                       \
      FIELD(NV_PFIFO_TRIGGER_MMU_FAULT_ENABLE, 8, 8, "")                                             \
    REG(NV_PFIFO_INTR_RUNLIST_IDLE, 0xa40, 1, 4, W1C, 0, NV_TURING, "per runlist")                   \
      FIELD(NV_PFIFO_INTR_RUNLIST_IDLE_RUNLIST, 15, 0, "")                                           \
    REG(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE, 0xa50, 1, 4, W1C, 0, NV_TURING, "per runlist")           \
      FIELD(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_RUNLIST, 15, 0, "")                                   \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE, 0xa60, 1, 4, W1C, 0, NV_TURING, "per runlist: nothing but failed acquires is left") \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_RUNLIST, 15, 0, "")                                        \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE, 0xa70, 1, 4, W1C, 0, NV_TURING, "per runlist")   \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_RUNLIST, 15, 0, "")                           \
    REG(NV_PFIFO_INTR_RUNLIST_IDLE_EN_SET, 0xa80, 1, 4, SET, 0xa80, NV_TURING, "")                   \
      FIELD(NV_PFIFO_INTR_RUNLIST_IDLE_EN_SET_RUNLIST, 15, 0, "")                                    \
    REG(NV_PFIFO_INTR_RUNLIST_IDLE_EN_CLEAR, 0xa90, 1, 4, CLEAR, 0xa80, NV_TURING, "")               \
      FIELD(NV_PFIFO_INTR_RUNLIST_IDLE_EN_CLEAR_RUNLIST, 15, 0, "")                                  \
    REG(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_EN_SET, 0xaa0, 1, 4, SET, 0xaa0, NV_TURING, "")           \
      FIELD(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_EN_SET_RUNLIST, 15, 0, "")                            \
    REG(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_EN_CLEAR, 0xab0, 1, 4, CLEAR, 0xaa0, NV_TURING, "")       \
      FIELD(NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_EN_CLEAR_RUNLIST, 15, 0, "")                          \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE_EN_SET, 0xac0, 1, 4, SET, 0xac0, NV_TURING, "")                \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_EN_SET_RUNLIST, 15, 0, "")                                 \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE_EN_CLEAR, 0xad0, 1, 4, CLEAR, 0xac0, NV_TURING, "")            \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_EN_CLEAR_RUNLIST, 15, 0, "")                               \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_SET, 0xae0, 1, 4, SET, 0xae0, NV_TURING, "")   \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_SET_RUNLIST, 15, 0, "")                    \
    REG(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_CLEAR, 0xaf0, 1, 4, CLEAR, 0xae0, NV_TURING, "") \
      FIELD(NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_CLEAR_RUNLIST, 15, 0, "")                  \
    REG(NV_PFIFO_RUNLIST_BASE_LO, 0xb00, 16, 16, RW, 0, NV_TURING, "base of a runlist's next submit") \
      FIELD(NV_PFIFO_RUNLIST_BASE_LO_PTR_LO, 31, 12, "")                                             \
      FIELD(NV_PFIFO_RUNLIST_BASE_LO_TARGET, 1, 0, "0 video memory, 2/3 system memory")              \
        VALUE(NV_PFIFO_RUNLIST_BASE_LO_TARGET_VID_MEM, 0, "")                                        \
        VALUE(NV_PFIFO_RUNLIST_BASE_LO_TARGET_SYS_MEM_COHERENT, 2, "")                               \
        VALUE(NV_PFIFO_RUNLIST_BASE_LO_TARGET_SYS_MEM_NONCOHERENT, 3, "")                            \
    REG(NV_PFIFO_RUNLIST_BASE_HI, 0xb04, 16, 16, RW, 0, NV_TURING, "")                               \
      FIELD(NV_PFIFO_RUNLIST_BASE_HI_PTR_HI, 7, 0, "")                                               \
    REG(NV_PFIFO_RUNLIST_SUBMIT, 0xb08, 16, 16, RW, 0, NV_TURING, "a write submits RUNLIST_BASE_LO, HI") \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_LENGTH, 15, 0, "entries of 16 bytes")                            \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_OFFSET, 31, 16, "entry to start with")                           \
    REG(NV_PFIFO_RUNLIST_SUBMIT_INFO, 0xb0c, 16, 16, RO, 0, NV_TURING, "of the last submit")         \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_INFO_PREEMPTED_TSGID, 11, 0, "")                                 \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_INFO_PREEMPTED_TSGID_VALID, 14, 14, "")                          \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_INFO_PENDING, 15, 15, "")                                        \
      FIELD(NV_PFIFO_RUNLIST_SUBMIT_INFO_PREEMPTED_OFFSET, 31, 16, "")                               \
    REG(NV_PFIFO_ENGINE_STATUS_NEXT_INST, 0x1000, 16, 4, RO, 0, NV_VOLTA_AND_TURING, "")             \
      FIELD(NV_PFIFO_ENGINE_STATUS_NEXT_INST_PTR, 27, 0, "")                                         \
      FIELD(NV_PFIFO_ENGINE_STATUS_NEXT_INST_TARGET, 29, 28, "")                                     \
        VALUE(NV_PFIFO_ENGINE_STATUS_NEXT_INST_TARGET_VID_MEM, 0, "")                                \
        VALUE(NV_PFIFO_ENGINE_STATUS_NEXT_INST_TARGET_SYS_MEM_COHERENT, 2, "")                       \
        VALUE(NV_PFIFO_ENGINE_STATUS_NEXT_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                    \
      FIELD(NV_PFIFO_ENGINE_STATUS_NEXT_INST_VALID, 31, 31, "")                                      \
    REG(NV_PFIFO_PBDMA_STATUS, 0x1080, 16, 4, RO, 0, "what is on a PBDMA")                           \
      FIELD(NV_PFIFO_PBDMA_STATUS_ID, 11, 0, "")                                                     \
      FIELD(NV_PFIFO_PBDMA_STATUS_ID_TYPE, 12, 12, "1: a TSG")                                       \
        VALUE(NV_PFIFO_PBDMA_STATUS_ID_TYPE_CHID, 0, "")                                             \
        VALUE(NV_PFIFO_PBDMA_STATUS_ID_TYPE_TSGID, 1, "")                                            \
      FIELD(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS, 15, 13, "")                                           \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_INVALID, 0, "")                                      \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_VALID, 1, "")                                        \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_LOAD, 5, "")                                    \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_SAVE, 6, "")                                    \
        VALUE(NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_SWITCH, 7, "")                                  \
      FIELD(NV_PFIFO_PBDMA_STATUS_NEXT_ID, 27, 16, "")                                               \
      FIELD(NV_PFIFO_PBDMA_STATUS_NEXT_ID_TYPE, 28, 28, "")                                          \
        VALUE(NV_PFIFO_PBDMA_STATUS_NEXT_ID_TYPE_CHID, 0, "")                                        \
        VALUE(NV_PFIFO_PBDMA_STATUS_NEXT_ID_TYPE_TSGID, 1, "")                                       \
    REG(NV_PFIFO_ENGINE_STATUS_INST, 0x1100, 16, 4, RO, 0, NV_VOLTA_AND_TURING, "")                  \
      FIELD(NV_PFIFO_ENGINE_STATUS_INST_PTR, 27, 0, "")                                              \
      FIELD(NV_PFIFO_ENGINE_STATUS_INST_TARGET, 29, 28, "")                                          \
        VALUE(NV_PFIFO_ENGINE_STATUS_INST_TARGET_VID_MEM, 0, "")                                     \
        VALUE(NV_PFIFO_ENGINE_STATUS_INST_TARGET_SYS_MEM_COHERENT, 2, "")                            \
        VALUE(NV_PFIFO_ENGINE_STATUS_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                         \
      FIELD(NV_PFIFO_ENGINE_STATUS_INST_VALID, 31, 31, "")                                           \
    REG(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO, 0x1200, 16, 4, RO, 0x4000, NV_TURING, "")                  \
      FIELD(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_PREV_TSGID, 13, 0, "")                                  \
      FIELD(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE, 15, 14, "")                                \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD, 1, "")                              \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SAVE, 2, "")                              \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SWITCH, 3, "")                            \
      FIELD(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_NEXT_TSGID, 29, 16, "")                                 \
      FIELD(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS, 31, 30, "")                                     \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_AWAITING_ACK, 0, "")                           \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_ENG_WAS_RESET, 1, "")                          \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_ACK_RECEIVED, 2, "")                           \
        VALUE(NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_DROPPED_TIMEOUT, 3, "")                        \
    REG(NV_PFIFO_RUNLIST_INFO, 0x1400, 16, 4, RO, 0x300, NV_TURING, "per runlist")                   \
      FIELD(NV_PFIFO_RUNLIST_INFO_RUNLIST_IDLE_INTR_ARM, 0, 0, "")                                   \
      FIELD(NV_PFIFO_RUNLIST_INFO_RUNLIST_ACQUIRE_INTR_ARM, 1, 1, "")                                \
      FIELD(NV_PFIFO_RUNLIST_INFO_RUNLIST_AND_ENG_IDLE_INTR_ARM, 4, 4, "")                           \
      FIELD(NV_PFIFO_RUNLIST_INFO_RUNLIST_ACQUIRE_AND_ENG_IDLE_INTR_ARM, 5, 5, "")                   \
      FIELD(NV_PFIFO_RUNLIST_INFO_ENG_IDLE, 8, 8, "")                                                \
      FIELD(NV_PFIFO_RUNLIST_INFO_RUNLIST_IDLE, 9, 9, "")                                            \
      FIELD(NV_PFIFO_RUNLIST_INFO_ACQUIRE_STILL_PENDING, 12, 12, "")

/* From Volta on; accessible to programs. */
#define NV_USERMODE_REGS(REG, FIELD, VALUE)                                                          \
    REG(NV_USERMODE_CFG0, 0x00, 1, 4, RO, 0, "")                                                     \
      FIELD(NV_USERMODE_CFG0_USERMODE_CLASS_ID, 15, 0, "0xc361 Volta, 0xc461 Turing, 0xc561 Ampere, 0xc661 Hopper") \
    REG(NV_USERMODE_TIME_0, 0x80, 1, 4, RO, 0, "PTIMER, lower half")                                 \
      FIELD(NV_USERMODE_TIME_0_NSEC, 31, 5, "")                                                      \
    REG(NV_USERMODE_TIME_1, 0x84, 1, 4, RO, 0, "PTIMER, upper half")                                 \
      FIELD(NV_USERMODE_TIME_1_NSEC, 28, 0, "")                                                      \
    REG(NV_USERMODE_NOTIFY_CHANNEL_PENDING, 0x90, 1, 4, WO, 0, "makes a channel pending; NV_VIRTUAL_FUNCTION_DOORBELL from Turing on") \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_ID, 31, 0, WO, NV_VOLTA, "the channel")               \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_CHID, 11, 0, WO, NV_FROM_TURING, "Ampere: VECTOR")    \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID, 21, 16, WO, NV_FROM_TURING, "Ampere: DOORBELL_CONFIG_ID of the runlist") \
        VALUE(NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID_ALL, 15, NV_TURING, "")                  \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_DOORBELL, 22, 22, WO, NV_FROM_TURING, "Ampere: 1 disables it; Turing: the upper bit of RUNLIST_ID") \
      FIELD(NV_USERMODE_NOTIFY_CHANNEL_PENDING_GSP_DOORBELL, 31, 31, WO, NV_FROM_AMPERE, "1: not to GSP either")

#define NV_PCCSR_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_PCCSR_CHANNEL_INST, 0x0, 4096, 8, RW, 0, "instance block of a channel")                   \
      FIELD(NV_PCCSR_CHANNEL_INST_PTR, 27, 0, "address >> 12")                                       \
      FIELD(NV_PCCSR_CHANNEL_INST_TARGET, 29, 28, "")                                                \
        VALUE(NV_PCCSR_CHANNEL_INST_TARGET_VID_MEM, 0, "")                                           \
        VALUE(NV_PCCSR_CHANNEL_INST_TARGET_SYS_MEM_COHERENT, 2, "")                                  \
        VALUE(NV_PCCSR_CHANNEL_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                               \
      FIELD(NV_PCCSR_CHANNEL_INST_BIND, 31, 31, "")                                                  \
    REG(NV_PCCSR_CHANNEL, 0x4, 4096, 8, HOOK, 0, "state of a channel")                               \
      FIELD(NV_PCCSR_CHANNEL_ENABLE, 0, 0, RO, "")                                                   \
      FIELD(NV_PCCSR_CHANNEL_NEXT, 1, 1, "to be scheduled next of its TSG")                          \
      FIELD(NV_PCCSR_CHANNEL_FORCE_CTX_RELOAD, 8, 8, WO, "write 1")                                  \
      FIELD(NV_PCCSR_CHANNEL_ENABLE_SET, 10, 10, WO, "write 1")                                      \
      FIELD(NV_PCCSR_CHANNEL_ENABLE_CLR, 11, 11, WO, "write 1")                                      \
      FIELD(NV_PCCSR_CHANNEL_RUNLIST, 19, 16, INERT, NV_KEPLER, "nouveau writes it")                 \
      FIELD(NV_PCCSR_CHANNEL_FORCE_PBDMA_FAULTED, 20, 20, WO, NV_TURING, "write 1")                  \
      FIELD(NV_PCCSR_CHANNEL_FORCE_ENG_FAULTED, 21, 21, WO, NV_TURING, "write 1")                    \
      FIELD(NV_PCCSR_CHANNEL_PBDMA_FAULTED, 22, 22, W1C, "")                                         \
      FIELD(NV_PCCSR_CHANNEL_ENG_FAULTED, 23, 23, W1C, "")                                           \
      FIELD(NV_PCCSR_CHANNEL_STATUS, 27, 24, RO, "")                                                 \
        VALUE(NV_PCCSR_CHANNEL_STATUS_IDLE, 0, "")                                                   \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING, 1, "")                                                \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING_CTX_RELOAD, 2, "")                                     \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING_ACQUIRE, 3, "")                                        \
        VALUE(NV_PCCSR_CHANNEL_STATUS_PENDING_ACQ_CTX_RELOAD, 4, "")                                 \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA, 5, "")                                               \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG, 6, "")                                       \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG, 7, "")                                                 \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_ACQUIRE, 8, "")                                 \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING, 9, "")                                         \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_CTX_RELOAD, 10, "")                                   \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG_CTX_RELOAD, 11, "")                           \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG_CTX_RELOAD, 12, "")                                     \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_CTX_RELOAD, 13, "")                             \
        VALUE(NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_ACQ_CTX_RELOAD, 14, "")                         \
      FIELD(NV_PCCSR_CHANNEL_BUSY, 28, 28, RO, "")
/* clang-format on */

enum { NV_PMC_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PFIFO_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_PCCSR_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_USERMODE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };

extern const struct reg_list nv_pmc_list, nv_pfifo_list, nv_pccsr_list;
extern const struct reg_list nv_usermode_list;

#endif
