/* SPDX-License-Identifier: MIT */
/*
 * Registers of a runlist from Ampere on: its block, NV_RUNLIST, at the address that PTOP gives, and
 * its channel RAM, NV_CHRAM.
 *
 * Source: NVIDIA/open-gpu-doc @c8607fe5 manuals/ampere/ga100/dev_runlist.ref.txt, all of it: names,
 * fields (as wide as the hardware has them), reset values.  INTR_VECTORID's vectors and the address
 * of the channel RAM depend on the chip.  INFERRED for Ada and Hopper, for which nothing is
 * published.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_RUNLIST_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_RUNLIST_REGS_H

#include <stdint.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

#define NV_RUNLIST_BYTES 0x400u
#define NV_CHRAM_BYTES   0x2000u

/* clang-format off */
#define NV_RUNLIST_REGS(REG, FIELD, VALUE)                                                           \
    REG(NV_RUNLIST_CONFIG, 0x000, 1, 4, INERT, 0x410, "")                                            \
      FIELD(NV_RUNLIST_CONFIG_SEM_ACQ_STRENGTH, 0, 0, "")                                            \
        VALUE(NV_RUNLIST_CONFIG_SEM_ACQ_STRENGTH_WEAK, 0, "")                                        \
        VALUE(NV_RUNLIST_CONFIG_SEM_ACQ_STRENGTH_STRONG, 1, "")                                      \
      FIELD(NV_RUNLIST_CONFIG_SEM_REL_STRENGTH, 4, 4, "")                                            \
        VALUE(NV_RUNLIST_CONFIG_SEM_REL_STRENGTH_WEAK, 0, "")                                        \
        VALUE(NV_RUNLIST_CONFIG_SEM_REL_STRENGTH_STRONG, 1, "")                                      \
      FIELD(NV_RUNLIST_CONFIG_L2_EVICT, 9, 8, "")                                                    \
        VALUE(NV_RUNLIST_CONFIG_L2_EVICT_FIRST, 0, "")                                               \
        VALUE(NV_RUNLIST_CONFIG_L2_EVICT_NORMAL, 1, "")                                              \
        VALUE(NV_RUNLIST_CONFIG_L2_EVICT_LAST, 2, "")                                                \
      FIELD(NV_RUNLIST_CONFIG_SUBCH4, 10, 10, RW, "methods of subchannel 4 go to an engine; as it is after a reset: ASSUMED") \
        VALUE(NV_RUNLIST_CONFIG_SUBCH4_INACTIVE, 0, "")                                              \
        VALUE(NV_RUNLIST_CONFIG_SUBCH4_ACTIVE, 1, "")                                                \
    REG(NV_RUNLIST_CHANNEL_CONFIG, 0x004, 1, 4, RO, 0xb, "where the channel RAM is")                 \
      FIELD(NV_RUNLIST_CHANNEL_CONFIG_NUM_CHANNELS_LOG2, 3, 0, "2 to the power of this")             \
        VALUE(NV_RUNLIST_CHANNEL_CONFIG_NUM_CHANNELS_LOG2_2K, 0xb, "")                               \
      FIELD(NV_RUNLIST_CHANNEL_CONFIG_CHRAM_BAR0_OFFSET, 31, 4, "<< 4")                              \
    REG(NV_RUNLIST_DOORBELL_CONFIG, 0x008, 1, 4, RO, 0, "")                                          \
      FIELD(NV_RUNLIST_DOORBELL_CONFIG_ID, 31, 16, "RUNLIST_ID of the doorbell word; not the number of the runlist") \
    REG(NV_RUNLIST_FB_CONFIG, 0x00c, 1, 4, RO, 0, "")                                                \
      FIELD(NV_RUNLIST_FB_CONFIG_FB_THREAD_ID, 7, 0, "")                                             \
      FIELD(NV_RUNLIST_FB_CONFIG_ESC_ID, 15, 8, "")                                                  \
    REG(NV_RUNLIST_PBDMA_CONFIG, 0x010, 2, 4, RO, 0, "n-th PBDMA of the runlist")                    \
      FIELD(NV_RUNLIST_PBDMA_CONFIG_PBDMA_BAR0_OFFSET, 25, 10, "<< 10")                              \
      FIELD(NV_RUNLIST_PBDMA_CONFIG_VALID, 31, 31, "")                                               \
    REG(NV_RUNLIST_ACQ_PRETEST, 0x020, 1, 4, RW, 0x8, "how long a failed acquire is left alone by the runlist search; units not published") \
      FIELD(NV_RUNLIST_ACQ_PRETEST_TIMEOUT, 7, 0, "")                                                \
        VALUE(NV_RUNLIST_ACQ_PRETEST_TIMEOUT_8, 8, "")                                               \
      FIELD(NV_RUNLIST_ACQ_PRETEST_TIMESCALE, 15, 12, "")                                            \
        VALUE(NV_RUNLIST_ACQ_PRETEST_TIMESCALE_0, 0, "")                                             \
        VALUE(NV_RUNLIST_ACQ_PRETEST_TIMESCALE_10, 0xa, "")                                          \
    REG(NV_RUNLIST_IDLE_FILTER, 0x024, 1, 4, RW, 0x50, "units not published")                     \
      FIELD(NV_RUNLIST_IDLE_FILTER_PERIOD, 7, 0, "")                                                 \
        VALUE(NV_RUNLIST_IDLE_FILTER_PERIOD_8, 8, "")                                                \
        VALUE(NV_RUNLIST_IDLE_FILTER_PERIOD_32, 0x20, "")                                            \
    REG(NV_RUNLIST_BLKCG, 0x050, 1, 4, INERT, 0, "clock gating")                                     \
      FIELD(NV_RUNLIST_BLKCG_IDLE_CG_DLY_CNT, 5, 0, "")                                              \
      FIELD(NV_RUNLIST_BLKCG_IDLE_CG_EN, 6, 6, "")                                                   \
      FIELD(NV_RUNLIST_BLKCG_STALL_CG_EN, 14, 14, "")                                                \
      FIELD(NV_RUNLIST_BLKCG_WAKEUP_DLY_CNT, 19, 16, "")                                             \
    REG(NV_RUNLIST_BLKCG1, 0x054, 1, 4, INERT, 0xef8a, "clock gating")                               \
      FIELD(NV_RUNLIST_BLKCG1_MONITOR_CG_EN, 0, 0, "")                                               \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_RLP, 1, 1, "")                                                    \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_EVH, 3, 3, "")                                                    \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_EISM, 7, 7, "")                                                   \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_LB, 8, 8, "")                                                     \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_PBDMA_CTL, 9, 9, "")                                              \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_PBDMA_GP, 10, 10, "")                                             \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_PBDMA_PB, 11, 11, "")                                             \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_PRI, 13, 13, "")                                                  \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_CHSW, 14, 14, "")                                                 \
      FIELD(NV_RUNLIST_BLKCG1_SLCG_XBAR, 15, 15, "")                                                 \
    REG(NV_RUNLIST_SUBMIT_BASE_LO, 0x080, 1, 4, RW, 0, "base of the next submit")                    \
      FIELD(NV_RUNLIST_SUBMIT_BASE_LO_PTR_LO, 31, 12, "")                                            \
      FIELD(NV_RUNLIST_SUBMIT_BASE_LO_TARGET, 1, 0, "")                                              \
        VALUE(NV_RUNLIST_SUBMIT_BASE_LO_TARGET_VID_MEM, 0, "")                                       \
        VALUE(NV_RUNLIST_SUBMIT_BASE_LO_TARGET_SYS_MEM_COHERENT, 2, "")                              \
        VALUE(NV_RUNLIST_SUBMIT_BASE_LO_TARGET_SYS_MEM_NONCOHERENT, 3, "")                           \
    REG(NV_RUNLIST_SUBMIT_BASE_HI, 0x084, 1, 4, RW, 0, "")                                           \
      FIELD(NV_RUNLIST_SUBMIT_BASE_HI_PTR_HI, 7, 0, "")                                              \
    REG(NV_RUNLIST_SUBMIT, 0x088, 1, 4, RW, 0, "a write submits SUBMIT_BASE_LO, HI")                 \
      FIELD(NV_RUNLIST_SUBMIT_LENGTH, 15, 0, "entries of 16 bytes")                                  \
      FIELD(NV_RUNLIST_SUBMIT_OFFSET, 31, 16, "entry to start with")                                 \
    REG(NV_RUNLIST_SUBMIT_INFO, 0x08c, 1, 4, RO, 0, "of the last submit")                            \
      FIELD(NV_RUNLIST_SUBMIT_INFO_PREEMPTED_TSGID, 10, 0, "what ran when it was taken")             \
      FIELD(NV_RUNLIST_SUBMIT_INFO_PREEMPTED_TSGID_VALID, 14, 14, "")                                \
      FIELD(NV_RUNLIST_SUBMIT_INFO_PENDING, 15, 15, "")                                              \
      FIELD(NV_RUNLIST_SUBMIT_INFO_PREEMPTED_OFFSET, 31, 16, "where its header stands in the list before") \
    REG(NV_RUNLIST_INTERNAL_DOORBELL, 0x090, 1, 4, WO, 0, "makes a channel of this runlist pending") \
      FIELD(NV_RUNLIST_INTERNAL_DOORBELL_CHID, 10, 0, "")                                            \
      FIELD(NV_RUNLIST_INTERNAL_DOORBELL_GFID, 21, 16, "virtual function; 0 is the only one here")   \
    REG(NV_RUNLIST_SCHED_DISABLE, 0x094, 1, 4, HOOK, 0, "")                                          \
      FIELD(NV_RUNLIST_SCHED_DISABLE_RUNLIST, 0, 0, "1: nothing else of the runlist is scheduled")   \
    REG(NV_RUNLIST_PREEMPT, 0x098, 1, 4, HOOK, 0, "a write takes a TSG or all of the runlist off its PBDMAs") \
      FIELD(NV_RUNLIST_PREEMPT_ID, 10, 0, "of the TSG")                                              \
      FIELD(NV_RUNLIST_PREEMPT_TSG_PREEMPT_PENDING, 20, 20, RO, "")                                  \
      FIELD(NV_RUNLIST_PREEMPT_RUNLIST_PREEMPT_PENDING, 21, 21, RO, "")                              \
      FIELD(NV_RUNLIST_PREEMPT_TYPE, 25, 24, "")                                                     \
        VALUE(NV_RUNLIST_PREEMPT_TYPE_RUNLIST, 0, "")                                                \
        VALUE(NV_RUNLIST_PREEMPT_TYPE_TSG, 1, "")                                                    \
    REG(NV_RUNLIST_INTR_0, 0x100, 1, 4, W1C, 0, "pending interrupts; write 1 to clear")              \
      FIELD(NV_RUNLIST_INTR_0_CTXSW_TIMEOUT_ENG0, 0, 0, "")                                          \
      FIELD(NV_RUNLIST_INTR_0_CTXSW_TIMEOUT_ENG1, 1, 1, "")                                          \
      FIELD(NV_RUNLIST_INTR_0_CTXSW_TIMEOUT_ENG2, 2, 2, "")                                          \
      FIELD(NV_RUNLIST_INTR_0_RUNLIST_IDLE, 4, 4, "nothing is scheduled any more")                   \
      FIELD(NV_RUNLIST_INTR_0_RUNLIST_AND_ENG_IDLE, 5, 5, "")                                        \
      FIELD(NV_RUNLIST_INTR_0_RUNLIST_ACQUIRE, 6, 6, "nothing but failed acquires is left")          \
      FIELD(NV_RUNLIST_INTR_0_RUNLIST_ACQUIRE_AND_ENG_IDLE, 7, 7, "")                                \
      FIELD(NV_RUNLIST_INTR_0_TSG_PREEMPT_COMPLETE, 8, 8, "")                                        \
      FIELD(NV_RUNLIST_INTR_0_RUNLIST_PREEMPT_COMPLETE, 9, 9, "")                                    \
      FIELD(NV_RUNLIST_INTR_0_BAD_TSG, 12, 12, "code in INTR_BAD_TSG")                               \
      FIELD(NV_RUNLIST_INTR_0_PBDMA0_INTR_TREE_0, 16, 16, RO, "")                                    \
      FIELD(NV_RUNLIST_INTR_0_PBDMA1_INTR_TREE_0, 17, 17, RO, "")                                    \
      FIELD(NV_RUNLIST_INTR_0_PBDMA0_INTR_TREE_1, 18, 18, RO, "")                                    \
      FIELD(NV_RUNLIST_INTR_0_PBDMA1_INTR_TREE_1, 19, 19, RO, "")                                    \
    REG(NV_RUNLIST_INFO, 0x108, 1, 4, RO, 0x300, "")                                                 \
      FIELD(NV_RUNLIST_INFO_RUNLIST_IDLE_INTR_ARM, 0, 0, "")                                         \
      FIELD(NV_RUNLIST_INFO_RUNLIST_ACQUIRE_INTR_ARM, 1, 1, "")                                      \
      FIELD(NV_RUNLIST_INFO_RUNLIST_AND_ENG_IDLE_INTR_ARM, 4, 4, "")                                 \
      FIELD(NV_RUNLIST_INFO_RUNLIST_ACQUIRE_AND_ENG_IDLE_INTR_ARM, 5, 5, "")                         \
      FIELD(NV_RUNLIST_INFO_ENG_IDLE, 8, 8, "")                                                      \
      FIELD(NV_RUNLIST_INFO_RUNLIST_IDLE, 9, 9, "")                                                  \
      FIELD(NV_RUNLIST_INFO_RUNLIST_FETCH_STATUS, 10, 10, "")                                        \
        VALUE(NV_RUNLIST_INFO_RUNLIST_FETCH_STATUS_IDLE, 0, "")                                      \
        VALUE(NV_RUNLIST_INFO_RUNLIST_FETCH_STATUS_BUSY, 1, "")                                      \
      FIELD(NV_RUNLIST_INFO_ACQUIRE_STILL_PENDING, 12, 12, "")                                       \
      FIELD(NV_RUNLIST_INFO_RUNLIST_FETCH_NACKED, 13, 13, "")                                        \
    REG(NV_RUNLIST_INTR_0_MASK_SET, 0x110, 1, 4, SET, 0x110, "which of INTR_0 are not raised at all") \
      FIELD(NV_RUNLIST_INTR_0_MASK_SET_TSG_PREEMPT_COMPLETE, 8, 8, "")                               \
    REG(NV_RUNLIST_INTR_0_MASK_CLEAR, 0x118, 1, 4, CLEAR, 0x110, "")                                 \
      FIELD(NV_RUNLIST_INTR_0_MASK_CLEAR_TSG_PREEMPT_COMPLETE, 8, 8, "")                             \
    REG(NV_RUNLIST_INTR_0_EN_SET_TREE, 0x120, 2, 8, SET, 0x120, "which of INTR_0 reach tree i")      \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_CTXSW_TIMEOUT_ENG0, 0, 0, "")                              \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_CTXSW_TIMEOUT_ENG1, 1, 1, "")                              \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_CTXSW_TIMEOUT_ENG2, 2, 2, "")                              \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_RUNLIST_IDLE, 4, 4, "")                                    \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_RUNLIST_AND_ENG_IDLE, 5, 5, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_RUNLIST_ACQUIRE, 6, 6, "")                                 \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_RUNLIST_ACQUIRE_AND_ENG_IDLE, 7, 7, "")                    \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_TSG_PREEMPT_COMPLETE, 8, 8, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_RUNLIST_PREEMPT_COMPLETE, 9, 9, "")                        \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_BAD_TSG, 12, 12, "")                                       \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_PBDMA0_INTR_TREE_0, 16, 16, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_PBDMA1_INTR_TREE_0, 17, 17, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_PBDMA0_INTR_TREE_1, 18, 18, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_SET_TREE_PBDMA1_INTR_TREE_1, 19, 19, "")                            \
    REG(NV_RUNLIST_INTR_0_EN_CLEAR_TREE, 0x140, 2, 8, CLEAR, 0x120, "")                              \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_CTXSW_TIMEOUT_ENG0, 0, 0, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_CTXSW_TIMEOUT_ENG1, 1, 1, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_CTXSW_TIMEOUT_ENG2, 2, 2, "")                            \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_RUNLIST_IDLE, 4, 4, "")                                  \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_RUNLIST_AND_ENG_IDLE, 5, 5, "")                          \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_RUNLIST_ACQUIRE, 6, 6, "")                               \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_RUNLIST_ACQUIRE_AND_ENG_IDLE, 7, 7, "")                  \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_TSG_PREEMPT_COMPLETE, 8, 8, "")                          \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_RUNLIST_PREEMPT_COMPLETE, 9, 9, "")                      \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_BAD_TSG, 12, 12, "")                                     \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_PBDMA0_INTR_TREE_0, 16, 16, "")                          \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_PBDMA1_INTR_TREE_0, 17, 17, "")                          \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_PBDMA0_INTR_TREE_1, 18, 18, "")                          \
      FIELD(NV_RUNLIST_INTR_0_EN_CLEAR_TREE_PBDMA1_INTR_TREE_1, 19, 19, "")                          \
    REG(NV_RUNLIST_INTR_VECTORID, 0x160, 2, 4, RW, 0xc0000000, "vector of tree i in the CPU's leaves") \
      FIELD(NV_RUNLIST_INTR_VECTORID_VECTOR, 11, 0, "")                                              \
      FIELD(NV_RUNLIST_INTR_VECTORID_GSP, 30, 30, "")                                                \
      FIELD(NV_RUNLIST_INTR_VECTORID_CPU, 31, 31, "")                                                \
    REG(NV_RUNLIST_INTR_BAD_TSG, 0x174, 1, 4, RO, 0, "why INTR_0_BAD_TSG")                           \
      FIELD(NV_RUNLIST_INTR_BAD_TSG_CODE, 3, 0, "")                                                  \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_NO_ERROR, 0, "")                                          \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_ZERO_LENGTH_TSG, 1, "")                                   \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_MAX_LENGTH_EXCEEDED, 2, "")                               \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_RUNLIST_OVERFLOW, 3, "")                                  \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_EXPECTED_A_CHID_ENTRY, 4, "")                             \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_EXPECTED_A_TSG_HEADER, 5, "")                             \
        VALUE(NV_RUNLIST_INTR_BAD_TSG_CODE_INVALID_RUNQUEUE, 6, "")                                  \
    REG(NV_RUNLIST_INTR_RETRIGGER, 0x180, 2, 4, WO, 0, "raises the vector of tree i again if its bits are pending") \
      FIELD(NV_RUNLIST_INTR_RETRIGGER_TRIGGER, 0, 0, "")                                             \
    REG(NV_RUNLIST_ENGINE_STATUS0, 0x200, 3, 64, RO, 0, "whose context is on the n-th engine")       \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_TSGID, 10, 0, "")                                              \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS, 15, 13, "")                                        \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_INVALID, 0, "")                                   \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_VALID, 1, "")                                     \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_SAVE, 5, "")                                \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_LOAD, 6, "")                                \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_SWITCH, 7, "")                              \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_NEXT_TSGID, 26, 16, "")                                        \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_ENG_RELOAD, 29, 29, "")                                        \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_FAULTED, 30, 30, "")                                           \
      FIELD(NV_RUNLIST_ENGINE_STATUS0_ENGINE, 31, 31, "")                                            \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_ENGINE_IDLE, 0, "")                                          \
        VALUE(NV_RUNLIST_ENGINE_STATUS0_ENGINE_BUSY, 1, "")                                          \
    REG(NV_RUNLIST_ENGINE_STATUS1, 0x204, 3, 64, RO, 0, "")                                          \
      FIELD(NV_RUNLIST_ENGINE_STATUS1_GFID, 5, 0, "")                                                \
      FIELD(NV_RUNLIST_ENGINE_STATUS1_NEXT_GFID, 13, 8, "")                                          \
      FIELD(NV_RUNLIST_ENGINE_STATUS1_INTR_ID, 20, 16, "")                                           \
      FIELD(NV_RUNLIST_ENGINE_STATUS1_GFID_VALID, 30, 30, "")                                        \
      FIELD(NV_RUNLIST_ENGINE_STATUS1_NEXT_GFID_VALID, 31, 31, "")                                   \
    REG(NV_RUNLIST_ENGINE_STATUS_CHANNEL, 0x208, 3, 64, RO, 0, "channel of the context; of runqueue 0") \
      FIELD(NV_RUNLIST_ENGINE_STATUS_CHANNEL_CHID, 10, 0, "")                                        \
      FIELD(NV_RUNLIST_ENGINE_STATUS_CHANNEL_VALID, 15, 15, "")                                      \
      FIELD(NV_RUNLIST_ENGINE_STATUS_CHANNEL_NEXT_CHID, 26, 16, "")                                  \
      FIELD(NV_RUNLIST_ENGINE_STATUS_CHANNEL_NEXT_VALID, 31, 31, "")                                 \
    REG(NV_RUNLIST_ENGINE_STATUS_CHANNEL_1, 0x20c, 3, 64, RO, 0, "the same for runqueue 1: ENGINE_STATUS_CHANNEL(i, 1)") \
    REG(NV_RUNLIST_ENGINE_STATUS_INST, 0x210, 3, 64, RO, 0, "its instance block")                    \
      FIELD(NV_RUNLIST_ENGINE_STATUS_INST_TARGET, 1, 0, "")                                          \
        VALUE(NV_RUNLIST_ENGINE_STATUS_INST_TARGET_VID_MEM, 0, "")                                   \
        VALUE(NV_RUNLIST_ENGINE_STATUS_INST_TARGET_SYS_MEM_COHERENT, 2, "")                          \
        VALUE(NV_RUNLIST_ENGINE_STATUS_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                       \
      FIELD(NV_RUNLIST_ENGINE_STATUS_INST_VALID, 11, 11, "")                                         \
      FIELD(NV_RUNLIST_ENGINE_STATUS_INST_PTR_LO, 31, 12, "")                                        \
    REG(NV_RUNLIST_ENGINE_STATUS_INST_HI, 0x214, 3, 64, RO, 0, "")                                   \
      FIELD(NV_RUNLIST_ENGINE_STATUS_INST_HI_PTR_HI, 31, 0, "")                                      \
    REG(NV_RUNLIST_ENGINE_STATUS_NEXT_INST, 0x218, 3, 64, RO, 0, "")                                 \
      FIELD(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_TARGET, 1, 0, "")                                     \
        VALUE(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_TARGET_VID_MEM, 0, "")                              \
        VALUE(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_TARGET_SYS_MEM_COHERENT, 2, "")                     \
        VALUE(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                  \
      FIELD(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_VALID, 11, 11, "")                                    \
      FIELD(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_PTR_LO, 31, 12, "")                                   \
    REG(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_HI, 0x21c, 3, 64, RO, 0, "")                              \
      FIELD(NV_RUNLIST_ENGINE_STATUS_NEXT_INST_HI_PTR_HI, 31, 0, "")                                 \
    REG(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG, 0x220, 3, 64, RW, 0x803fffff, "")                    \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG_PERIOD, 30, 0, "microseconds (INFERRED)")         \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG_DETECTION, 31, 31, "")                            \
    REG(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO, 0x224, 3, 64, RO, 0x4000, "the last one")              \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_PREV_TSGID, 13, 0, "")                              \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE, 15, 14, "")                            \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD, 1, "")                          \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SAVE, 2, "")                          \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SWITCH, 3, "")                        \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_NEXT_TSGID, 29, 16, "")                             \
      FIELD(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS, 31, 30, "")                                 \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS_AWAITING_ACK, 0, "")                       \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS_ENG_WAS_RESET, 1, "")                      \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS_ACK_RECEIVED, 2, "")                       \
        VALUE(NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS_DROPPED_TIMEOUT, 3, "")                    \
    REG(NV_RUNLIST_ENGINE_STATUS_DEBUG, 0x228, 3, 64, RO, 0x1, "")                                   \
      FIELD(NV_RUNLIST_ENGINE_STATUS_DEBUG_IF_EN, 0, 0, "")                                          \
      FIELD(NV_RUNLIST_ENGINE_STATUS_DEBUG_PIPE0_NO_CREDITS, 8, 8, "")                               \
      FIELD(NV_RUNLIST_ENGINE_STATUS_DEBUG_PIPE0_WFI, 12, 12, "")                                    \
      FIELD(NV_RUNLIST_ENGINE_STATUS_DEBUG_PIPE1_NO_CREDITS, 16, 16, "")                             \
      FIELD(NV_RUNLIST_ENGINE_STATUS_DEBUG_PIPE1_WFI, 20, 20, "")                                    \
    REG(NV_RUNLIST_VIRTUAL_CHANNEL_CFG, 0x300, 64, 4, RW, 0x7ff, "which channels the doorbell of function i reaches") \
      FIELD(NV_RUNLIST_VIRTUAL_CHANNEL_CFG_MASK, 10, 0, "")                                          \
      FIELD(NV_RUNLIST_VIRTUAL_CHANNEL_CFG_SET, 26, 16, "")                                          \
      FIELD(NV_RUNLIST_VIRTUAL_CHANNEL_CFG_PENDING_ENABLE, 31, 31, "0: none")

#define NV_CHRAM_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_CHRAM_CHANNEL, 0x000, 2048, 4, HOOK, 0, "a write sets, or with WRITE_CONTROL clears, the bits that are ones") \
      FIELD(NV_CHRAM_CHANNEL_WRITE_CONTROL, 0, 0, WO, "")                                            \
        VALUE(NV_CHRAM_CHANNEL_WRITE_CONTROL_ONES_SET_BITS, 0, "")                                   \
        VALUE(NV_CHRAM_CHANNEL_WRITE_CONTROL_ONES_CLEAR_BITS, 1, "")                                 \
      FIELD(NV_CHRAM_CHANNEL_ENABLE, 1, 1, "it may be scheduled")                                    \
      FIELD(NV_CHRAM_CHANNEL_NEXT, 2, 2, "to be scheduled next of its TSG")                          \
      FIELD(NV_CHRAM_CHANNEL_BUSY, 3, 3, RO, "pending, or on a PBDMA or engine")                     \
      FIELD(NV_CHRAM_CHANNEL_PBDMA_FAULTED, 4, 4, "")                                                \
      FIELD(NV_CHRAM_CHANNEL_ENG_FAULTED, 5, 5, "")                                                  \
      FIELD(NV_CHRAM_CHANNEL_ON_PBDMA, 6, 6, RO, "")                                                 \
      FIELD(NV_CHRAM_CHANNEL_ON_ENG, 7, 7, RO, "")                                                   \
      FIELD(NV_CHRAM_CHANNEL_PENDING, 8, 8, "it has work")                                           \
      FIELD(NV_CHRAM_CHANNEL_CTX_RELOAD, 9, 9, "its engine's context is to be loaded again")         \
      FIELD(NV_CHRAM_CHANNEL_PBDMA_BUSY, 10, 10, RO, "")                                             \
      FIELD(NV_CHRAM_CHANNEL_ENG_BUSY, 11, 11, RO, "")                                               \
      FIELD(NV_CHRAM_CHANNEL_ACQUIRE_FAIL, 12, 12, "its acquire failed")
/* clang-format on */

enum { NV_RUNLIST_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { NV_CHRAM_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };

/* Whole words that software writes to NV_CHRAM_CHANNEL. */
enum {
    NV_CHRAM_CHANNEL_UPDATE_ENABLE_CHANNEL = 0x2,
    NV_CHRAM_CHANNEL_UPDATE_DISABLE_CHANNEL = 0x3,
    NV_CHRAM_CHANNEL_UPDATE_FORCE_CTX_RELOAD = 0x200,
    NV_CHRAM_CHANNEL_UPDATE_RESET_PBDMA_FAULTED = 0x11,
    NV_CHRAM_CHANNEL_UPDATE_RESET_ENG_FAULTED = 0x21,
};
#define NV_CHRAM_CHANNEL_UPDATE_CLEAR_CHANNEL UINT32_MAX

extern const struct reg_list nv_runlist_list, nv_chram_list;

#endif
