/* SPDX-License-Identifier: MIT */
/*
 * The window of a hardware queue slot (HQD), which GRBM_GFX_CNTL selects by micro engine, pipe and
 * queue.  It has 56 dwords from CP_MQD_BASE_ADDR to CP_HQD_PQ_WPTR_HI, the same as dwords 128 to
 * 183 of an MQD (amd_mqd.h).  A driver loads a slot by writing them, then sets INIT_FETCHER, then
 * ACTIVE.
 *
 * Sources: the same as amd_cp_regs.h; amdkfd kfd_mqd_manager_v9.c and amdgpu_amdkfd_gfx_v9.c for
 * their meaning.  GFX908 and GFX90A have them at the same offsets (gc_9_4_2_offset.h).  Some
 * offsets have one register for reads and another for writes (HQ_STATUS0 and HQ_SCHEDULER0); the
 * one that is read is here.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_HQD_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_HQD_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
#define AMD_HQD_REGS(REG, FIELD, VALUE)                                                            \
    REG(CP_MQD_BASE_ADDR, 0x0c914, 1, 4, RW, 0x0, "memory queue descriptor: what the slot was loaded from") \
      FIELD(CP_MQD_BASE_ADDR__BASE_ADDR, 31, 2, "")                                                \
    REG(CP_MQD_BASE_ADDR_HI, 0x0c918, 1, 4, RW, 0x0, "")                                           \
      FIELD(CP_MQD_BASE_ADDR_HI__BASE_ADDR_HI, 15, 0, "")                                          \
    REG(CP_HQD_ACTIVE, 0x0c91c, 1, 4, HOOK, 0x0, "")                                               \
      FIELD(CP_HQD_ACTIVE__ACTIVE, 0, 0, "1: the slot has a queue")                                \
      FIELD(CP_HQD_ACTIVE__BUSY_GATE, 1, 1, "")                                                    \
    REG(CP_HQD_VMID, 0x0c920, 1, 4, RW, 0x0, "")                                                   \
      FIELD(CP_HQD_VMID__VMID, 3, 0, "")                                                           \
      FIELD(CP_HQD_VMID__IB_VMID, 11, 8, "")                                                       \
      FIELD(CP_HQD_VMID__VQID, 25, 16, "")                                                         \
    REG(CP_HQD_PERSISTENT_STATE, 0x0c924, 1, 4, RW, 0xbe05301, "")                                 \
      FIELD(CP_HQD_PERSISTENT_STATE__PRELOAD_REQ, 0, 0, "")                                        \
      FIELD(CP_HQD_PERSISTENT_STATE__PRELOAD_SIZE, 17, 8, "KFD writes 0x53")                       \
      FIELD(CP_HQD_PERSISTENT_STATE__WPP_SWITCH_QOS_EN, 21, 21, "")                                \
      FIELD(CP_HQD_PERSISTENT_STATE__IQ_SWITCH_QOS_EN, 22, 22, "")                                 \
      FIELD(CP_HQD_PERSISTENT_STATE__IB_SWITCH_QOS_EN, 23, 23, "")                                 \
      FIELD(CP_HQD_PERSISTENT_STATE__EOP_SWITCH_QOS_EN, 24, 24, "")                                \
      FIELD(CP_HQD_PERSISTENT_STATE__PQ_SWITCH_QOS_EN, 25, 25, "")                                 \
      FIELD(CP_HQD_PERSISTENT_STATE__TC_OFFLOAD_QOS_EN, 26, 26, "")                                \
      FIELD(CP_HQD_PERSISTENT_STATE__CACHE_FULL_PACKET_EN, 27, 27, "")                             \
      FIELD(CP_HQD_PERSISTENT_STATE__RESTORE_ACTIVE, 28, 28, "")                                   \
      FIELD(CP_HQD_PERSISTENT_STATE__RELAUNCH_WAVES, 29, 29, "")                                   \
      FIELD(CP_HQD_PERSISTENT_STATE__QSWITCH_MODE, 30, 30, "set when waves can be saved (CWSR)")   \
      FIELD(CP_HQD_PERSISTENT_STATE__DISP_ACTIVE, 31, 31, "")                                      \
    REG(CP_HQD_PIPE_PRIORITY, 0x0c928, 1, 4, RW, 0x0, "")                                          \
      FIELD(CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY, 1, 0, "")                                         \
        VALUE(CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__LOW, 0, "")                                     \
        VALUE(CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__MEDIUM, 1, "")                                  \
        VALUE(CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__HIGH, 2, "")                                    \
    REG(CP_HQD_QUEUE_PRIORITY, 0x0c92c, 1, 4, RW, 0x0, "")                                         \
      FIELD(CP_HQD_QUEUE_PRIORITY__PRIORITY_LEVEL, 3, 0, "0 to 15; 7 is normal, 15 highest")       \
    REG(CP_HQD_QUANTUM, 0x0c930, 1, 4, RW, 0x0, "time slice of a queue among those of its pipe")   \
      FIELD(CP_HQD_QUANTUM__QUANTUM_EN, 0, 0, "")                                                  \
      FIELD(CP_HQD_QUANTUM__QUANTUM_SCALE, 4, 4, "unit of the duration; not published")            \
      FIELD(CP_HQD_QUANTUM__QUANTUM_DURATION, 13, 8, "KFD writes 1")                               \
      FIELD(CP_HQD_QUANTUM__QUANTUM_ACTIVE, 31, 31, "")                                            \
    REG(CP_HQD_PQ_BASE, 0x0c934, 1, 4, RW, 0x0, "of the ring, address >> 8")                       \
    REG(CP_HQD_PQ_BASE_HI, 0x0c938, 1, 4, RW, 0x0, "")                                             \
      FIELD(CP_HQD_PQ_BASE_HI__ADDR_HI, 7, 0, "of the ring's address >> 8")                        \
    REG(CP_HQD_PQ_RPTR, 0x0c93c, 1, 4, HOOK, 0x0, "in dwords; what the CP has consumed")           \
    REG(CP_HQD_PQ_RPTR_REPORT_ADDR, 0x0c940, 1, 4, RW, 0x0, "where the CP writes the read pointer: amd_queue_t + 0x80") \
      FIELD(CP_HQD_PQ_RPTR_REPORT_ADDR__RPTR_REPORT_ADDR, 31, 2, "")                               \
    REG(CP_HQD_PQ_RPTR_REPORT_ADDR_HI, 0x0c944, 1, 4, RW, 0x0, "")                                 \
      FIELD(CP_HQD_PQ_RPTR_REPORT_ADDR_HI__RPTR_REPORT_ADDR_HI, 15, 0, "")                         \
    REG(CP_HQD_PQ_WPTR_POLL_ADDR, 0x0c948, 1, 4, RW, 0x0, "where it reads the write pointer: amd_queue_t + 0x38") \
      FIELD(CP_HQD_PQ_WPTR_POLL_ADDR__WPTR_ADDR, 31, 3, "")                                        \
    REG(CP_HQD_PQ_WPTR_POLL_ADDR_HI, 0x0c94c, 1, 4, RW, 0x0, "")                                   \
      FIELD(CP_HQD_PQ_WPTR_POLL_ADDR_HI__WPTR_ADDR_HI, 15, 0, "")                                  \
    REG(CP_HQD_PQ_DOORBELL_CONTROL, 0x0c950, 1, 4, HOOK, 0x0, "")                                  \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_MODE, 0, 0, "")                                   \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_BIF_DROP, 1, 1, "")                               \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET, 27, 2, "in dwords of the doorbell BAR")   \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_SOURCE, 28, 28, "")                               \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_SCHD_HIT, 29, 29, "")                             \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN, 30, 30, "")                                   \
      FIELD(CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_HIT, 31, 31, "a store came while it was disabled") \
    REG(CP_HQD_PQ_CONTROL, 0x0c958, 1, 4, RW, 0x308509, "")                                        \
      FIELD(CP_HQD_PQ_CONTROL__QUEUE_SIZE, 5, 0, "the ring has 2 << QUEUE_SIZE dwords")            \
      FIELD(CP_HQD_PQ_CONTROL__WPTR_CARRY, 6, 6, "")                                               \
      FIELD(CP_HQD_PQ_CONTROL__RPTR_CARRY, 7, 7, "")                                               \
      FIELD(CP_HQD_PQ_CONTROL__RPTR_BLOCK_SIZE, 13, 8, "")                                         \
      FIELD(CP_HQD_PQ_CONTROL__QUEUE_FULL_EN, 14, 14, "")                                          \
      FIELD(CP_HQD_PQ_CONTROL__PQ_EMPTY, 15, 15, "")                                               \
      FIELD(CP_HQD_PQ_CONTROL__WPP_CLAMP_EN, 16, 16, "")                                           \
      FIELD(CP_HQD_PQ_CONTROL__ENDIAN_SWAP, 18, 17, "")                                            \
      FIELD(CP_HQD_PQ_CONTROL__MIN_AVAIL_SIZE, 21, 20, "")                                         \
      FIELD(CP_HQD_PQ_CONTROL__EXE_DISABLE, 23, 23, "")                                            \
      FIELD(CP_HQD_PQ_CONTROL__CACHE_POLICY, 24, 24, "")                                           \
      FIELD(CP_HQD_PQ_CONTROL__SLOT_BASED_WPTR, 26, 25, "2: the write pointer counts AQL packets") \
      FIELD(CP_HQD_PQ_CONTROL__NO_UPDATE_RPTR, 27, 27, "")                                         \
      FIELD(CP_HQD_PQ_CONTROL__UNORD_DISPATCH, 28, 28, "")                                         \
      FIELD(CP_HQD_PQ_CONTROL__ROQ_PQ_IB_FLIP, 29, 29, "")                                         \
      FIELD(CP_HQD_PQ_CONTROL__PRIV_STATE, 30, 30, "set for the HIQ")                              \
      FIELD(CP_HQD_PQ_CONTROL__KMD_QUEUE, 31, 31, "set for the HIQ")                               \
    REG(CP_HQD_IB_BASE_ADDR, 0x0c95c, 1, 4, RW, 0x0, "")                                           \
      FIELD(CP_HQD_IB_BASE_ADDR__IB_BASE_ADDR, 31, 2, "")                                          \
    REG(CP_HQD_IB_BASE_ADDR_HI, 0x0c960, 1, 4, RW, 0x0, "")                                        \
      FIELD(CP_HQD_IB_BASE_ADDR_HI__IB_BASE_ADDR_HI, 15, 0, "")                                    \
    REG(CP_HQD_IB_RPTR, 0x0c964, 1, 4, RW, 0x0, "")                                                \
      FIELD(CP_HQD_IB_RPTR__CONSUMED_OFFSET, 19, 0, "")                                            \
    REG(CP_HQD_IB_CONTROL, 0x0c968, 1, 4, RW, 0x300000, "")                                        \
      FIELD(CP_HQD_IB_CONTROL__IB_SIZE, 19, 0, "")                                                 \
      FIELD(CP_HQD_IB_CONTROL__MIN_IB_AVAIL_SIZE, 21, 20, "")                                      \
      FIELD(CP_HQD_IB_CONTROL__IB_EXE_DISABLE, 23, 23, "")                                         \
      FIELD(CP_HQD_IB_CONTROL__IB_CACHE_POLICY, 24, 24, "")                                        \
      FIELD(CP_HQD_IB_CONTROL__PROCESSING_IB, 31, 31, "")                                          \
    REG(CP_HQD_IQ_TIMER, 0x0c96c, 1, 4, RW, 0x0, "")                                               \
      FIELD(CP_HQD_IQ_TIMER__WAIT_TIME, 7, 0, "")                                                  \
      FIELD(CP_HQD_IQ_TIMER__RETRY_TYPE, 10, 8, "")                                                \
      FIELD(CP_HQD_IQ_TIMER__IMMEDIATE_EXPIRE, 11, 11, "")                                         \
      FIELD(CP_HQD_IQ_TIMER__INTERRUPT_TYPE, 13, 12, "")                                           \
      FIELD(CP_HQD_IQ_TIMER__CLOCK_COUNT, 15, 14, "")                                              \
      FIELD(CP_HQD_IQ_TIMER__INTERRUPT_SIZE, 21, 16, "")                                           \
      FIELD(CP_HQD_IQ_TIMER__QUANTUM_TIMER, 22, 22, "")                                            \
      FIELD(CP_HQD_IQ_TIMER__EXE_DISABLE, 23, 23, "")                                              \
      FIELD(CP_HQD_IQ_TIMER__CACHE_POLICY, 24, 24, "")                                             \
      FIELD(CP_HQD_IQ_TIMER__QUEUE_TYPE, 25, 25, "")                                               \
      FIELD(CP_HQD_IQ_TIMER__REARM_TIMER, 28, 28, "")                                              \
      FIELD(CP_HQD_IQ_TIMER__PROCESS_IQ_EN, 29, 29, "")                                            \
      FIELD(CP_HQD_IQ_TIMER__PROCESSING_IQ, 30, 30, "")                                            \
      FIELD(CP_HQD_IQ_TIMER__ACTIVE, 31, 31, "")                                                   \
    REG(CP_HQD_IQ_RPTR, 0x0c970, 1, 4, RW, 0x0, "")                                                \
      FIELD(CP_HQD_IQ_RPTR__OFFSET, 5, 0, "")                                                      \
    REG(CP_HQD_DEQUEUE_REQUEST, 0x0c974, 1, 4, HOOK, 0x0, "take the queue from the slot; ACTIVE is 0 when it is done") \
      FIELD(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ, 2, 0, "")                                         \
        VALUE(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__NONE, 0, "")                                    \
        VALUE(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__DRAIN_PIPE, 1, "dispatch no more, wait for its waves") \
        VALUE(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__RESET_WAVES, 2, "end its waves")                \
        VALUE(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__SAVE_WAVES, 3, "save its waves to memory (CWSR)") \
      FIELD(CP_HQD_DEQUEUE_REQUEST__IQ_REQ_PEND, 4, 4, "")                                         \
      FIELD(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_INT, 8, 8, "")                                         \
      FIELD(CP_HQD_DEQUEUE_REQUEST__IQ_REQ_PEND_EN, 9, 9, "")                                      \
      FIELD(CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ_EN, 10, 10, "")                                    \
    REG(CP_HQD_OFFLOAD, 0x0c978, 1, 4, RW, 0x0, "HQD_DMA_OFFLOAD in older headers")                \
      FIELD(CP_HQD_OFFLOAD__DMA_OFFLOAD, 0, 0, "")                                                 \
      FIELD(CP_HQD_OFFLOAD__DMA_OFFLOAD_EN, 1, 1, "")                                              \
      FIELD(CP_HQD_OFFLOAD__AQL_OFFLOAD, 2, 2, "")                                                 \
      FIELD(CP_HQD_OFFLOAD__AQL_OFFLOAD_EN, 3, 3, "")                                              \
      FIELD(CP_HQD_OFFLOAD__EOP_OFFLOAD, 4, 4, "")                                                 \
      FIELD(CP_HQD_OFFLOAD__EOP_OFFLOAD_EN, 5, 5, "")                                              \
    REG(CP_HQD_SEMA_CMD, 0x0c97c, 1, 4, RW, 0x0, "")                                               \
      FIELD(CP_HQD_SEMA_CMD__RETRY, 0, 0, "")                                                      \
      FIELD(CP_HQD_SEMA_CMD__RESULT, 2, 1, "")                                                     \
    REG(CP_HQD_MSG_TYPE, 0x0c980, 1, 4, RW, 0x0, "")                                               \
      FIELD(CP_HQD_MSG_TYPE__ACTION, 2, 0, "")                                                     \
      FIELD(CP_HQD_MSG_TYPE__SAVE_STATE, 6, 4, "")                                                 \
    REG(CP_HQD_ATOMIC0_PREOP_LO, 0x0c984, 1, 4, RW, 0x0, "")                                       \
    REG(CP_HQD_ATOMIC0_PREOP_HI, 0x0c988, 1, 4, RW, 0x0, "")                                       \
    REG(CP_HQD_ATOMIC1_PREOP_LO, 0x0c98c, 1, 4, RW, 0x0, "")                                       \
    REG(CP_HQD_ATOMIC1_PREOP_HI, 0x0c990, 1, 4, RW, 0x0, "")                                       \
    REG(CP_HQD_HQ_STATUS0, 0x0c994, 1, 4, RW, 0x40000000, "")                                      \
      FIELD(CP_HQD_HQ_STATUS0__DEQUEUE_STATUS, 1, 0, "")                                           \
      FIELD(CP_HQD_HQ_STATUS0__DEQUEUE_RETRY_CNT, 3, 2, "")                                        \
      FIELD(CP_HQD_HQ_STATUS0__SCRATCH_RAM_INIT, 7, 7, "")                                         \
      FIELD(CP_HQD_HQ_STATUS0__TCL2_DIRTY, 8, 8, "")                                               \
      FIELD(CP_HQD_HQ_STATUS0__PG_ACTIVATED, 9, 9, "")                                             \
      FIELD(CP_HQD_HQ_STATUS0__QUEUE_IDLE, 30, 30, "")                                             \
      FIELD(CP_HQD_HQ_STATUS0__DB_UPDATED_MSG_EN, 31, 31, "")                                      \
    REG(CP_HQD_HQ_CONTROL0, 0x0c998, 1, 4, RW, 0x0, "")                                            \
    REG(CP_MQD_CONTROL, 0x0c99c, 1, 4, RW, 0x100, "")                                              \
      FIELD(CP_MQD_CONTROL__VMID, 3, 0, "")                                                        \
      FIELD(CP_MQD_CONTROL__PRIV_STATE, 8, 8, "")                                                  \
      FIELD(CP_MQD_CONTROL__PROCESSING_MQD, 12, 12, "")                                            \
      FIELD(CP_MQD_CONTROL__PROCESSING_MQD_EN, 13, 13, "")                                         \
      FIELD(CP_MQD_CONTROL__EXE_DISABLE, 23, 23, "")                                               \
      FIELD(CP_MQD_CONTROL__CACHE_POLICY, 24, 24, "")                                              \
    REG(CP_HQD_HQ_STATUS1, 0x0c9a0, 1, 4, RW, 0x0, "")                                             \
    REG(CP_HQD_HQ_CONTROL1, 0x0c9a4, 1, 4, RW, 0x0, "")                                            \
    REG(CP_HQD_EOP_BASE_ADDR, 0x0c9a8, 1, 4, RW, 0x0, "of the ring of end-of-pipe events, address >> 8") \
    REG(CP_HQD_EOP_BASE_ADDR_HI, 0x0c9ac, 1, 4, RW, 0x0, "")                                       \
      FIELD(CP_HQD_EOP_BASE_ADDR_HI__BASE_ADDR_HI, 7, 0, "")                                       \
    REG(CP_HQD_EOP_CONTROL, 0x0c9b0, 1, 4, RW, 0x6, "")                                            \
      FIELD(CP_HQD_EOP_CONTROL__EOP_SIZE, 5, 0, "the EOP ring has 2 << EOP_SIZE dwords, at most 0xa") \
      FIELD(CP_HQD_EOP_CONTROL__PROCESSING_EOP, 8, 8, "")                                          \
      FIELD(CP_HQD_EOP_CONTROL__PROCESS_EOP_EN, 12, 12, "")                                        \
      FIELD(CP_HQD_EOP_CONTROL__PROCESSING_EOPIB, 13, 13, "")                                      \
      FIELD(CP_HQD_EOP_CONTROL__PROCESS_EOPIB_EN, 14, 14, "")                                      \
      FIELD(CP_HQD_EOP_CONTROL__HALT_FETCHER, 21, 21, "")                                          \
      FIELD(CP_HQD_EOP_CONTROL__HALT_FETCHER_EN, 22, 22, "")                                       \
      FIELD(CP_HQD_EOP_CONTROL__EXE_DISABLE, 23, 23, "")                                           \
      FIELD(CP_HQD_EOP_CONTROL__CACHE_POLICY, 24, 24, "")                                          \
      FIELD(CP_HQD_EOP_CONTROL__SIG_SEM_RESULT, 30, 29, "")                                        \
      FIELD(CP_HQD_EOP_CONTROL__PEND_SIG_SEM, 31, 31, "")                                          \
    REG(CP_HQD_EOP_RPTR, 0x0c9b4, 1, 4, HOOK, 0x40000000, "")                                      \
      FIELD(CP_HQD_EOP_RPTR__RPTR, 12, 0, "")                                                      \
      FIELD(CP_HQD_EOP_RPTR__RESET_FETCHER, 28, 28, "")                                            \
      FIELD(CP_HQD_EOP_RPTR__DEQUEUE_PEND, 29, 29, "")                                             \
      FIELD(CP_HQD_EOP_RPTR__RPTR_EQ_CSMD_WPTR, 30, 30, "")                                        \
      FIELD(CP_HQD_EOP_RPTR__INIT_FETCHER, 31, 31, "write 1 before ACTIVE")                        \
    REG(CP_HQD_EOP_WPTR, 0x0c9b8, 1, 4, RW, 0x7f8000, "")                                          \
      FIELD(CP_HQD_EOP_WPTR__WPTR, 12, 0, "")                                                      \
      FIELD(CP_HQD_EOP_WPTR__EOP_EMPTY, 15, 15, "")                                                \
      FIELD(CP_HQD_EOP_WPTR__EOP_AVAIL, 28, 16, "")                                                \
    REG(CP_HQD_EOP_EVENTS, 0x0c9bc, 1, 4, RW, 0x0, "")                                             \
      FIELD(CP_HQD_EOP_EVENTS__EVENT_COUNT, 11, 0, "")                                             \
      FIELD(CP_HQD_EOP_EVENTS__CS_PARTIAL_FLUSH_PEND, 16, 16, "")                                  \
    REG(CP_HQD_CTX_SAVE_BASE_ADDR_LO, 0x0c9c0, 1, 4, RW, 0x0, "where waves are saved")             \
      FIELD(CP_HQD_CTX_SAVE_BASE_ADDR_LO__ADDR, 31, 12, "")                                        \
    REG(CP_HQD_CTX_SAVE_BASE_ADDR_HI, 0x0c9c4, 1, 4, RW, 0x0, "")                                  \
      FIELD(CP_HQD_CTX_SAVE_BASE_ADDR_HI__ADDR_HI, 15, 0, "")                                      \
    REG(CP_HQD_CTX_SAVE_CONTROL, 0x0c9c8, 1, 4, RW, 0x0, "")                                       \
      FIELD(CP_HQD_CTX_SAVE_CONTROL__POLICY, 3, 3, "")                                             \
      FIELD(CP_HQD_CTX_SAVE_CONTROL__EXE_DISABLE, 23, 23, "")                                      \
    REG(CP_HQD_CNTL_STACK_OFFSET, 0x0c9cc, 1, 4, RW, 0x0, "of the context save area")              \
      FIELD(CP_HQD_CNTL_STACK_OFFSET__OFFSET, 14, 2, "")                                           \
    REG(CP_HQD_CNTL_STACK_SIZE, 0x0c9d0, 1, 4, RW, 0x0, "")                                        \
      FIELD(CP_HQD_CNTL_STACK_SIZE__SIZE, 14, 12, "")                                              \
    REG(CP_HQD_WG_STATE_OFFSET, 0x0c9d4, 1, 4, RW, 0x0, "")                                        \
      FIELD(CP_HQD_WG_STATE_OFFSET__OFFSET, 24, 2, "")                                             \
    REG(CP_HQD_CTX_SAVE_SIZE, 0x0c9d8, 1, 4, RW, 0x0, "")                                          \
      FIELD(CP_HQD_CTX_SAVE_SIZE__SIZE, 24, 12, "")                                                \
    REG(CP_HQD_GDS_RESOURCE_STATE, 0x0c9dc, 1, 4, RW, 0x0, "")                                     \
      FIELD(CP_HQD_GDS_RESOURCE_STATE__OA_REQUIRED, 0, 0, "")                                      \
      FIELD(CP_HQD_GDS_RESOURCE_STATE__OA_ACQUIRED, 1, 1, "")                                      \
      FIELD(CP_HQD_GDS_RESOURCE_STATE__GWS_SIZE, 9, 4, "")                                         \
      FIELD(CP_HQD_GDS_RESOURCE_STATE__GWS_PNTR, 17, 12, "")                                       \
    REG(CP_HQD_ERROR, 0x0c9e0, 1, 4, RW, 0x0, "")                                                  \
      FIELD(CP_HQD_ERROR__EDC_ERROR_ID, 3, 0, "")                                                  \
      FIELD(CP_HQD_ERROR__SUA_ERROR, 4, 4, "")                                                     \
      FIELD(CP_HQD_ERROR__AQL_ERROR, 5, 5, "")                                                     \
      FIELD(CP_HQD_ERROR__PQ_UTCL1_ERROR, 8, 8, "")                                                \
      FIELD(CP_HQD_ERROR__IB_UTCL1_ERROR, 9, 9, "")                                                \
      FIELD(CP_HQD_ERROR__EOP_UTCL1_ERROR, 10, 10, "")                                             \
      FIELD(CP_HQD_ERROR__IQ_UTCL1_ERROR, 11, 11, "")                                              \
      FIELD(CP_HQD_ERROR__RRPT_UTCL1_ERROR, 12, 12, "")                                            \
      FIELD(CP_HQD_ERROR__WPP_UTCL1_ERROR, 13, 13, "")                                             \
      FIELD(CP_HQD_ERROR__SEM_UTCL1_ERROR, 14, 14, "")                                             \
      FIELD(CP_HQD_ERROR__DMA_SRC_UTCL1_ERROR, 15, 15, "")                                         \
      FIELD(CP_HQD_ERROR__DMA_DST_UTCL1_ERROR, 16, 16, "")                                         \
      FIELD(CP_HQD_ERROR__SR_UTCL1_ERROR, 17, 17, "")                                              \
      FIELD(CP_HQD_ERROR__QU_UTCL1_ERROR, 18, 18, "")                                              \
      FIELD(CP_HQD_ERROR__TC_UTCL1_ERROR, 19, 19, "")                                              \
    REG(CP_HQD_EOP_WPTR_MEM, 0x0c9e4, 1, 4, RW, 0x0, "")                                           \
      FIELD(CP_HQD_EOP_WPTR_MEM__WPTR, 12, 0, "")                                                  \
    REG(CP_HQD_AQL_CONTROL, 0x0c9e8, 1, 4, RW, 0x0, "")                                            \
      FIELD(CP_HQD_AQL_CONTROL__CONTROL0, 14, 0, "1 for an AQL queue")                             \
      FIELD(CP_HQD_AQL_CONTROL__CONTROL0_EN, 15, 15, "")                                           \
      FIELD(CP_HQD_AQL_CONTROL__CONTROL1, 30, 16, "")                                              \
      FIELD(CP_HQD_AQL_CONTROL__CONTROL1_EN, 31, 31, "")                                           \
    REG(CP_HQD_PQ_WPTR_LO, 0x0c9ec, 1, 4, HOOK, 0x0, "in dwords, or AQL packets with SLOT_BASED_WPTR") \
    REG(CP_HQD_PQ_WPTR_HI, 0x0c9f0, 1, 4, HOOK, 0x0, "")
/* clang-format on */

enum { AMD_HQD_BASE = 0xc914, AMD_HQD_DWORDS = 56 };
enum { AMD_HQD_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_hqd_list;

#endif
