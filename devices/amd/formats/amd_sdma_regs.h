/* SPDX-License-Identifier: MIT */
/*
 * Registers of an SDMA engine (SDMA 4.2, Vega 20; 4.2.2, Arcturus; 4.4.0, Aldebaran): a block for
 * each engine, from AMD_SDMA_BASE() of the register BAR, which contains the queues of programs
 * (RLC0 to RLC7).  The queues of the kernel driver (GFX, PAGE) have the same registers before them;
 * they are not modelled.
 *
 * The beginning of the block is the same on all chips.  From 4.2.2 on the queues lie closer
 * together, so all registers of a queue have other offsets.  The offsets here are those of 4.2;
 * amd_sdma_place() has the others.  Aldebaran's MIDCMD_CNTL comes two registers later, after DATA9
 * and DATA10.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) include/asic_reg/sdma0/sdma0_4_2_offset.h,
 * sdma0_4_2_sh_mask.h, sdma0_4_2_2_*.h to sdma7_4_2_2_*.h, sdma/sdma_4_4_0_*.h, sdma0_4_0_default.h
 * (resets: of SDMA 4.0, for all), vega20_ip_offset.h, arct_ip_offset.h, aldebaran_ip_offset.h.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
/* One engine; byte offsets from AMD_SDMA_BASE(). */
#define AMD_SDMA_REGS(REG, FIELD, VALUE)                                                           \
    REG(SDMA0_CNTL, 0x00070, 1, 4, RW, 0x2, "")                                                    \
      FIELD(SDMA0_CNTL__TRAP_ENABLE, 0, 0, "")                                                     \
      FIELD(SDMA0_CNTL__UTC_L1_ENABLE, 1, 1, "")                                                   \
      FIELD(SDMA0_CNTL__SEM_WAIT_INT_ENABLE, 2, 2, "")                                             \
      FIELD(SDMA0_CNTL__DATA_SWAP_ENABLE, 3, 3, "")                                                \
      FIELD(SDMA0_CNTL__FENCE_SWAP_ENABLE, 4, 4, "")                                               \
      FIELD(SDMA0_CNTL__MIDCMD_PREEMPT_ENABLE, 5, 5, "")                                           \
      FIELD(SDMA0_CNTL__MIDCMD_EXPIRE_ENABLE, 6, 6, RW, AMD_GFX90A, "")                            \
      FIELD(SDMA0_CNTL__MIDCMD_WORLDSWITCH_ENABLE, 17, 17, "")                                     \
      FIELD(SDMA0_CNTL__AUTO_CTXSW_ENABLE, 18, 18, "")                                             \
      FIELD(SDMA0_CNTL__CTXEMPTY_INT_ENABLE, 28, 28, "")                                           \
      FIELD(SDMA0_CNTL__FROZEN_INT_ENABLE, 29, 29, "")                                             \
      FIELD(SDMA0_CNTL__IB_PREEMPT_INT_ENABLE, 30, 30, "")                                         \
    REG(SDMA0_STATUS_REG, 0x00094, 1, 4, RO, 0x46dee557, "")                                       \
      FIELD(SDMA0_STATUS_REG__IDLE, 0, 0, "")                                                      \
      FIELD(SDMA0_STATUS_REG__REG_IDLE, 1, 1, "")                                                  \
      FIELD(SDMA0_STATUS_REG__RB_EMPTY, 2, 2, "")                                                  \
      FIELD(SDMA0_STATUS_REG__RB_FULL, 3, 3, "")                                                   \
      FIELD(SDMA0_STATUS_REG__RB_CMD_IDLE, 4, 4, "")                                               \
      FIELD(SDMA0_STATUS_REG__RB_CMD_FULL, 5, 5, "")                                               \
      FIELD(SDMA0_STATUS_REG__IB_CMD_IDLE, 6, 6, "")                                               \
      FIELD(SDMA0_STATUS_REG__IB_CMD_FULL, 7, 7, "")                                               \
      FIELD(SDMA0_STATUS_REG__BLOCK_IDLE, 8, 8, "")                                                \
      FIELD(SDMA0_STATUS_REG__INSIDE_IB, 9, 9, "")                                                 \
      FIELD(SDMA0_STATUS_REG__EX_IDLE, 10, 10, "")                                                 \
      FIELD(SDMA0_STATUS_REG__EX_IDLE_POLL_TIMER_EXPIRE, 11, 11, "")                               \
      FIELD(SDMA0_STATUS_REG__PACKET_READY, 12, 12, "")                                            \
      FIELD(SDMA0_STATUS_REG__MC_WR_IDLE, 13, 13, "")                                              \
      FIELD(SDMA0_STATUS_REG__SRBM_IDLE, 14, 14, "")                                               \
      FIELD(SDMA0_STATUS_REG__CONTEXT_EMPTY, 15, 15, "")                                           \
      FIELD(SDMA0_STATUS_REG__DELTA_RPTR_FULL, 16, 16, "")                                         \
      FIELD(SDMA0_STATUS_REG__RB_MC_RREQ_IDLE, 17, 17, "")                                         \
      FIELD(SDMA0_STATUS_REG__IB_MC_RREQ_IDLE, 18, 18, "")                                         \
      FIELD(SDMA0_STATUS_REG__MC_RD_IDLE, 19, 19, "")                                              \
      FIELD(SDMA0_STATUS_REG__DELTA_RPTR_EMPTY, 20, 20, "")                                        \
      FIELD(SDMA0_STATUS_REG__MC_RD_RET_STALL, 21, 21, "")                                         \
      FIELD(SDMA0_STATUS_REG__MC_RD_NO_POLL_IDLE, 22, 22, "")                                      \
      FIELD(SDMA0_STATUS_REG__PREV_CMD_IDLE, 25, 25, "")                                           \
      FIELD(SDMA0_STATUS_REG__SEM_IDLE, 26, 26, "")                                                \
      FIELD(SDMA0_STATUS_REG__SEM_REQ_STALL, 27, 27, "")                                           \
      FIELD(SDMA0_STATUS_REG__SEM_RESP_STATE, 29, 28, "")                                          \
      FIELD(SDMA0_STATUS_REG__INT_IDLE, 30, 30, "")                                                \
      FIELD(SDMA0_STATUS_REG__INT_REQ_STALL, 31, 31, "")                                           \
    REG(SDMA0_F32_CNTL, 0x000a8, 1, 4, HOOK, 0x1, "")                                              \
      FIELD(SDMA0_F32_CNTL__HALT, 0, 0, "1: the engine's processor stands still")                  \
      FIELD(SDMA0_F32_CNTL__STEP, 1, 1, "")                                                        \
      FIELD(SDMA0_F32_CNTL__RESET, 8, 8, RW, AMD_GFX90A, "")                                       \
    REG(SDMA0_FREEZE, 0x000ac, 1, 4, HOOK, 0x0, "")                                                \
      FIELD(SDMA0_FREEZE__PREEMPT, 0, 0, "")                                                       \
      FIELD(SDMA0_FREEZE__FREEZE, 4, 4, "")                                                        \
      FIELD(SDMA0_FREEZE__FROZEN, 5, 5, "")                                                        \
      FIELD(SDMA0_FREEZE__F32_FREEZE, 6, 6, "")                                                    \
    REG(SDMA0_PHASE0_QUANTUM, 0x000b0, 1, 4, RW, 0x10002, "time slice of queues")                  \
      FIELD(SDMA0_PHASE0_QUANTUM__UNIT, 3, 0, "")                                                  \
      FIELD(SDMA0_PHASE0_QUANTUM__VALUE, 23, 8, "")                                                \
      FIELD(SDMA0_PHASE0_QUANTUM__PREFER, 30, 30, "")                                              \
    REG(SDMA0_PHASE1_QUANTUM, 0x000b4, 1, 4, RW, 0x10002, "")                                      \
      FIELD(SDMA0_PHASE1_QUANTUM__UNIT, 3, 0, "")                                                  \
      FIELD(SDMA0_PHASE1_QUANTUM__VALUE, 23, 8, "")                                                \
      FIELD(SDMA0_PHASE1_QUANTUM__PREFER, 30, 30, "")                                              \
    REG(SDMA0_VERSION, 0x000d4, 1, 4, RO, 0x400, "")                                               \
      FIELD(SDMA0_VERSION__MINVER, 6, 0, "")                                                       \
      FIELD(SDMA0_VERSION__MAJVER, 14, 8, "")                                                      \
      FIELD(SDMA0_VERSION__REV, 21, 16, "")                                                        \
    REG(SDMA0_STATUS2_REG, 0x000e0, 1, 4, RO, 0x0, "")                                             \
      FIELD(SDMA0_STATUS2_REG__ID, 1, 0, RO, AMD_GFX906, "3 bits on the later ones")               \
      FIELD(SDMA0_STATUS2_REG__F32_INSTR_PTR, 11, 2, RO, AMD_GFX906, "bits 15 to 3 on those")      \
      FIELD(SDMA0_STATUS2_REG__CMD_OP, 31, 16, "")                                                 \
    REG(SDMA0_PHASE2_QUANTUM, 0x0013c, 1, 4, RW, 0x10002, "")                                      \
      FIELD(SDMA0_PHASE2_QUANTUM__UNIT, 3, 0, "")                                                  \
      FIELD(SDMA0_PHASE2_QUANTUM__VALUE, 23, 8, "")                                                \
      FIELD(SDMA0_PHASE2_QUANTUM__PREFER, 30, 30, "")

/* Queue i of programs (RLC): AMD counts RLC0 to RLC7. */
#define AMD_SDMA_QUEUE_COMMON(REG, FIELD, VALUE)                                                     \
    REG(SDMA0_RLC0_RB_CNTL, 0x00500, 8, 384, HOOK, 0x40000, "")                                    \
      FIELD(SDMA0_RLC0_RB_CNTL__RB_ENABLE, 0, 0, "")                                               \
      FIELD(SDMA0_RLC0_RB_CNTL__RB_SIZE, 5, 1, "the ring has 1 << RB_SIZE dwords")                 \
      FIELD(SDMA0_RLC0_RB_CNTL__RB_SWAP_ENABLE, 9, 9, "")                                          \
      FIELD(SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_ENABLE, 12, 12, "")                                 \
      FIELD(SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_SWAP_ENABLE, 13, 13, "")                            \
      FIELD(SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_TIMER, 20, 16, "in 2 to this power cycles (ASSUMED)") \
      FIELD(SDMA0_RLC0_RB_CNTL__RB_PRIV, 23, 23, "")                                               \
      FIELD(SDMA0_RLC0_RB_CNTL__RB_VMID, 27, 24, "")                                               \
    REG(SDMA0_RLC0_RB_BASE, 0x00504, 8, 384, RW, 0x0, "of the ring, address >> 8")                 \
    REG(SDMA0_RLC0_RB_BASE_HI, 0x00508, 8, 384, RW, 0x0, "")                                       \
      FIELD(SDMA0_RLC0_RB_BASE_HI__ADDR, 23, 0, "")                                                \
    REG(SDMA0_RLC0_RB_RPTR, 0x0050c, 8, 384, RW, 0x0, "in bytes")                                  \
    REG(SDMA0_RLC0_RB_RPTR_HI, 0x00510, 8, 384, RW, 0x0, "")                                       \
    REG(SDMA0_RLC0_RB_WPTR, 0x00514, 8, 384, HOOK, 0x0, "in bytes")                                \
    REG(SDMA0_RLC0_RB_WPTR_HI, 0x00518, 8, 384, HOOK, 0x0, "")                                     \
    REG(SDMA0_RLC0_RB_WPTR_POLL_CNTL, 0x0051c, 8, 384, RW, 0x401000, "")                           \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_CNTL__ENABLE, 0, 0, "")                                        \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_CNTL__SWAP_ENABLE, 1, 1, "")                                   \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE, 2, 2, "")                               \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_CNTL__FREQUENCY, 15, 4, "")                                    \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_CNTL__IDLE_POLL_COUNT, 31, 16, "")                             \
    REG(SDMA0_RLC0_RB_RPTR_ADDR_HI, 0x00520, 8, 384, RW, 0x0, "")                                  \
    REG(SDMA0_RLC0_RB_RPTR_ADDR_LO, 0x00524, 8, 384, RW, 0x0, "where the engine writes the read pointer") \
      FIELD(SDMA0_RLC0_RB_RPTR_ADDR_LO__RPTR_WB_IDLE, 0, 0, "")                                    \
      FIELD(SDMA0_RLC0_RB_RPTR_ADDR_LO__ADDR, 31, 2, "")                                           \
    REG(SDMA0_RLC0_IB_CNTL, 0x00528, 8, 384, RW, 0x100, "")                                        \
      FIELD(SDMA0_RLC0_IB_CNTL__IB_ENABLE, 0, 0, "")                                               \
      FIELD(SDMA0_RLC0_IB_CNTL__IB_SWAP_ENABLE, 4, 4, "")                                          \
      FIELD(SDMA0_RLC0_IB_CNTL__SWITCH_INSIDE_IB, 8, 8, "")                                        \
      FIELD(SDMA0_RLC0_IB_CNTL__CMD_VMID, 19, 16, "")                                              \
    REG(SDMA0_RLC0_IB_RPTR, 0x0052c, 8, 384, RW, 0x0, "")                                          \
      FIELD(SDMA0_RLC0_IB_RPTR__OFFSET, 21, 2, "")                                                 \
    REG(SDMA0_RLC0_IB_OFFSET, 0x00530, 8, 384, RW, 0x0, "")                                        \
      FIELD(SDMA0_RLC0_IB_OFFSET__OFFSET, 21, 2, "")                                               \
    REG(SDMA0_RLC0_IB_BASE_LO, 0x00534, 8, 384, RW, 0x0, "")                                       \
      FIELD(SDMA0_RLC0_IB_BASE_LO__ADDR, 31, 5, "")                                                \
    REG(SDMA0_RLC0_IB_BASE_HI, 0x00538, 8, 384, RW, 0x0, "")                                       \
    REG(SDMA0_RLC0_IB_SIZE, 0x0053c, 8, 384, RW, 0x0, "")                                          \
      FIELD(SDMA0_RLC0_IB_SIZE__SIZE, 19, 0, "")                                                   \
    REG(SDMA0_RLC0_SKIP_CNTL, 0x00540, 8, 384, RW, 0x0, "")                                        \
      FIELD(SDMA0_RLC0_SKIP_CNTL__SKIP_COUNT, 19, 0, "")                                           \
    REG(SDMA0_RLC0_CONTEXT_STATUS, 0x00544, 8, 384, RO, 0x4, "")                                   \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__SELECTED, 0, 0, "")                                         \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__IDLE, 2, 2, "")                                             \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__EXPIRED, 3, 3, "")                                          \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__EXCEPTION, 6, 4, "")                                        \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__CTXSW_ABLE, 7, 7, "")                                       \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__CTXSW_READY, 8, 8, "")                                      \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__PREEMPTED, 9, 9, "")                                        \
      FIELD(SDMA0_RLC0_CONTEXT_STATUS__PREEMPT_DISABLE, 10, 10, "")                                \
    REG(SDMA0_RLC0_DOORBELL, 0x00548, 8, 384, HOOK, 0x0, "")                                       \
      FIELD(SDMA0_RLC0_DOORBELL__ENABLE, 28, 28, "")                                               \
      FIELD(SDMA0_RLC0_DOORBELL__CAPTURED, 30, 30, "a store came")                                 \
    REG(SDMA0_RLC0_STATUS, 0x005a0, 8, 384, RO, 0x0, "")                                           \
      FIELD(SDMA0_RLC0_STATUS__WPTR_UPDATE_FAIL_COUNT, 7, 0, "")                                   \
      FIELD(SDMA0_RLC0_STATUS__WPTR_UPDATE_PENDING, 8, 8, "")                                      \
    REG(SDMA0_RLC0_DOORBELL_LOG, 0x005a4, 8, 384, RO, 0x0, "")                                     \
      FIELD(SDMA0_RLC0_DOORBELL_LOG__BE_ERROR, 0, 0, "")                                           \
      FIELD(SDMA0_RLC0_DOORBELL_LOG__DATA, 31, 2, "")                                              \
    REG(SDMA0_RLC0_WATERMARK, 0x005a8, 8, 384, RW, 0x0, "")                                        \
      FIELD(SDMA0_RLC0_WATERMARK__RD_OUTSTANDING, 11, 0, "")                                       \
      FIELD(SDMA0_RLC0_WATERMARK__WR_OUTSTANDING, 25, 16, "")                                      \
    REG(SDMA0_RLC0_DOORBELL_OFFSET, 0x005ac, 8, 384, RW, 0x0, "")                                  \
      FIELD(SDMA0_RLC0_DOORBELL_OFFSET__OFFSET, 27, 2, "in dwords of the doorbell BAR")            \
    REG(SDMA0_RLC0_CSA_ADDR_LO, 0x005b0, 8, 384, RW, 0x0, "where a preempted buffer is saved")     \
      FIELD(SDMA0_RLC0_CSA_ADDR_LO__ADDR, 31, 2, "")                                               \
    REG(SDMA0_RLC0_CSA_ADDR_HI, 0x005b4, 8, 384, RW, 0x0, "")                                      \
    REG(SDMA0_RLC0_IB_SUB_REMAIN, 0x005bc, 8, 384, RO, 0x0, "")                                    \
      FIELD(SDMA0_RLC0_IB_SUB_REMAIN__SIZE, 19, 0, "")                                             \
    REG(SDMA0_RLC0_PREEMPT, 0x005c0, 8, 384, HOOK, 0x0, "")                                        \
      FIELD(SDMA0_RLC0_PREEMPT__IB_PREEMPT, 0, 0, "")                                              \
    REG(SDMA0_RLC0_DUMMY_REG, 0x005c4, 8, 384, RW, 0xf, "")                                        \
    REG(SDMA0_RLC0_RB_WPTR_POLL_ADDR_HI, 0x005c8, 8, 384, RW, 0x0, "")                             \
    REG(SDMA0_RLC0_RB_WPTR_POLL_ADDR_LO, 0x005cc, 8, 384, RW, 0x0, "where it reads the write pointer") \
      FIELD(SDMA0_RLC0_RB_WPTR_POLL_ADDR_LO__ADDR, 31, 2, "")                                      \
    REG(SDMA0_RLC0_RB_AQL_CNTL, 0x005d0, 8, 384, RW, 0x4000, "")                                   \
      FIELD(SDMA0_RLC0_RB_AQL_CNTL__AQL_ENABLE, 0, 0, "")                                          \
      FIELD(SDMA0_RLC0_RB_AQL_CNTL__AQL_PACKET_SIZE, 7, 1, "")                                     \
      FIELD(SDMA0_RLC0_RB_AQL_CNTL__PACKET_STEP, 15, 8, "")                                        \
    REG(SDMA0_RLC0_MINOR_PTR_UPDATE, 0x005d4, 8, 384, RW, 0x0, "1 while the pointers are set")     \
      FIELD(SDMA0_RLC0_MINOR_PTR_UPDATE__ENABLE, 0, 0, "")                                         \
    REG(SDMA0_RLC0_MIDCMD_DATA0, 0x00600, 8, 384, RW, 0x0, "a command that was stopped half way")  \
    REG(SDMA0_RLC0_MIDCMD_DATA1, 0x00604, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA2, 0x00608, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA3, 0x0060c, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA4, 0x00610, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA5, 0x00614, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA6, 0x00618, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA7, 0x0061c, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA8, 0x00620, 8, 384, RW, 0x0, "")

#define AMD_SDMA_QUEUE_REGS(REG, FIELD, VALUE)                                                     \
    AMD_SDMA_QUEUE_COMMON(REG, FIELD, VALUE)                                                       \
    REG(SDMA0_RLC0_MIDCMD_CNTL, 0x00624, 8, 384, RW, 0x0, "")                                      \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__DATA_VALID, 0, 0, "")                                          \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__COPY_MODE, 1, 1, "")                                           \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__SPLIT_STATE, 7, 4, "")                                         \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__ALLOW_PREEMPT, 8, 8, "")

/* Rows only: the names are those above. */
#define AMD_SDMA_QUEUE_4_4_REGS(REG, FIELD, VALUE)                                                 \
    AMD_SDMA_QUEUE_COMMON(REG, FIELD, VALUE)                                                       \
    REG(SDMA0_RLC0_MIDCMD_DATA9, 0x00624, 8, 384, RW, 0x0, "")                                     \
    REG(SDMA0_RLC0_MIDCMD_DATA10, 0x00628, 8, 384, RW, 0x0, "")                                    \
    REG(SDMA0_RLC0_MIDCMD_CNTL, 0x0062c, 8, 384, RW, 0x0, "")                                      \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__DATA_VALID, 0, 0, "")                                          \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__COPY_MODE, 1, 1, "")                                           \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__SPLIT_STATE, 7, 4, "")                                         \
      FIELD(SDMA0_RLC0_MIDCMD_CNTL__ALLOW_PREEMPT, 8, 8, "")

/* clang-format on */

/* Byte offset of an engine's block in the register BAR.  Only Arcturus and Aldebaran have engines
 * from 2 up. */
#define AMD_SDMA_BASE(engine)                                                                      \
    ((engine) < 2 ? 0x4980u + 0x1800u * (engine) : 0x78000u + 0x1000u * ((engine)-2))

/* The place of a chip's queue registers. */
struct amd_sdma_place {
    const struct reg_list *list;
    uint32_t start, stride_bytes; /* offset of RLC0's first register in its engine's block */
    bool has_long_midcmd;         /* true if MIDCMD_CNTL comes after DATA10 */
};
/* Returns the place for a variant of the lists, which must be one of SDMA's. */
const struct amd_sdma_place *amd_sdma_place(uint32_t variant);
/* Convert offsets in an engine's block. amd_sdma_place_offset() returns the offset of a queue's
 * register, given SDMA 4.2's offset of the register in RLC0. amd_sdma_place_queue() does the
 * reverse: it replaces *offset and returns the queue's number. */
uint32_t amd_sdma_place_offset(const struct amd_sdma_place *place, uint32_t queue_id,
                               uint32_t offset);
uint32_t amd_sdma_place_queue(const struct amd_sdma_place *place, uint32_t *offset);

enum { AMD_SDMA_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { AMD_SDMA_QUEUE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_sdma_list, amd_sdma_queue_list, amd_sdma_queue_4_2_2_list,
    amd_sdma_queue_4_4_0_list;

#endif
