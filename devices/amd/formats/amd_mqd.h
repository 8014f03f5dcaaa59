/* SPDX-License-Identifier: MIT */
/*
 * The memory queue descriptor (MQD) of gfx9's compute queues: 512 dwords, written by the kernel
 * driver.  A hardware queue slot is loaded from it and saved into it.  Dwords 1 to 42 and 65 to 80
 * are COMPUTE_* registers; 128 to 183 are the window of a slot (amd_hqd_regs.h), copied one by one.
 * In the MQD of the HIQ the last dwords are the doorbells of queues that could not be preempted.
 *
 * An MQD that does not begin with 0xc0310800 is decoded, too, under the name UNKNOWN: it may be of
 * SDMA, or of another generation. gfx942 uses dwords 39 to 42 differently.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) include/v9_structs.h; amdkfd
 * kfd_mqd_manager_v9.c (header, what KFD writes).
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_MQD_H
#define GFE_DEVICES_AMD_FORMATS_AMD_MQD_H

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/formats/amd_layout.h"

enum { AMD_MQD_DWORDS = 512, AMD_MQD_HQD = 128 /* dword at which the window of a slot begins */ };
#define AMD_MQD_HEADER_V9 0xc0310800u

/* clang-format off */
#define AMD_MQD_V9_FIELDS(F, R)                                                                    \
    F(MQD_V9, HEADER, 0, 0, 32, 0, HEX, NULL)                                                      \
    R(MQD_V9, COMPUTE_DISPATCH_INITIATOR, 1, COMPUTE_DISPATCH_INITIATOR)                           \
    R(MQD_V9, COMPUTE_DIM_X, 2, COMPUTE_DIM_X)                                                     \
    R(MQD_V9, COMPUTE_DIM_Y, 3, COMPUTE_DIM_Y)                                                     \
    R(MQD_V9, COMPUTE_DIM_Z, 4, COMPUTE_DIM_Z)                                                     \
    R(MQD_V9, COMPUTE_START_X, 5, COMPUTE_START_X)                                                 \
    R(MQD_V9, COMPUTE_START_Y, 6, COMPUTE_START_Y)                                                 \
    R(MQD_V9, COMPUTE_START_Z, 7, COMPUTE_START_Z)                                                 \
    R(MQD_V9, COMPUTE_NUM_THREAD_X, 8, COMPUTE_NUM_THREAD_X)                                       \
    R(MQD_V9, COMPUTE_NUM_THREAD_Y, 9, COMPUTE_NUM_THREAD_Y)                                       \
    R(MQD_V9, COMPUTE_NUM_THREAD_Z, 10, COMPUTE_NUM_THREAD_Z)                                      \
    R(MQD_V9, COMPUTE_PIPELINESTAT_ENABLE, 11, COMPUTE_PIPELINESTAT_ENABLE)                        \
    R(MQD_V9, COMPUTE_PERFCOUNT_ENABLE, 12, COMPUTE_PERFCOUNT_ENABLE)                              \
    R(MQD_V9, COMPUTE_PGM_LO, 13, COMPUTE_PGM_LO)                                                  \
    R(MQD_V9, COMPUTE_PGM_HI, 14, COMPUTE_PGM_HI)                                                  \
    F(MQD_V9, COMPUTE_TBA, 15, 0, 64, 0, HEX, NULL)                                                \
    F(MQD_V9, COMPUTE_TMA, 17, 0, 64, 0, HEX, NULL)                                                \
    R(MQD_V9, COMPUTE_PGM_RSRC1, 19, COMPUTE_PGM_RSRC1)                                            \
    R(MQD_V9, COMPUTE_PGM_RSRC2, 20, COMPUTE_PGM_RSRC2)                                            \
    R(MQD_V9, COMPUTE_VMID, 21, COMPUTE_VMID)                                                      \
    R(MQD_V9, COMPUTE_RESOURCE_LIMITS, 22, COMPUTE_RESOURCE_LIMITS)                                \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE0, 23, COMPUTE_STATIC_THREAD_MGMT_SE0)                  \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE1, 24, COMPUTE_STATIC_THREAD_MGMT_SE1)                  \
    R(MQD_V9, COMPUTE_TMPRING_SIZE, 25, COMPUTE_TMPRING_SIZE)                                      \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE2, 26, COMPUTE_STATIC_THREAD_MGMT_SE2)                  \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE3, 27, COMPUTE_STATIC_THREAD_MGMT_SE3)                  \
    R(MQD_V9, COMPUTE_RESTART_X, 28, COMPUTE_RESTART_X)                                            \
    R(MQD_V9, COMPUTE_RESTART_Y, 29, COMPUTE_RESTART_Y)                                            \
    R(MQD_V9, COMPUTE_RESTART_Z, 30, COMPUTE_RESTART_Z)                                            \
    R(MQD_V9, COMPUTE_THREAD_TRACE_ENABLE, 31, COMPUTE_THREAD_TRACE_ENABLE)                        \
    R(MQD_V9, COMPUTE_MISC_RESERVED, 32, COMPUTE_MISC_RESERVED)                                    \
    R(MQD_V9, COMPUTE_DISPATCH_ID, 33, COMPUTE_DISPATCH_ID)                                        \
    R(MQD_V9, COMPUTE_THREADGROUP_ID, 34, COMPUTE_THREADGROUP_ID)                                  \
    R(MQD_V9, COMPUTE_RELAUNCH, 35, COMPUTE_RELAUNCH)                                              \
    R(MQD_V9, COMPUTE_WAVE_RESTORE_ADDR_LO, 36, COMPUTE_WAVE_RESTORE_ADDR_LO)                      \
    R(MQD_V9, COMPUTE_WAVE_RESTORE_ADDR_HI, 37, COMPUTE_WAVE_RESTORE_ADDR_HI)                      \
    F(MQD_V9, COMPUTE_WAVE_RESTORE_CONTROL, 38, 0, 32, 0, HEX, NULL)                               \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE4, 39, COMPUTE_STATIC_THREAD_MGMT_SE4)                  \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE5, 40, COMPUTE_STATIC_THREAD_MGMT_SE4 + 4)              \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE6, 41, COMPUTE_STATIC_THREAD_MGMT_SE4 + 8)              \
    R(MQD_V9, COMPUTE_STATIC_THREAD_MGMT_SE7, 42, COMPUTE_STATIC_THREAD_MGMT_SE4 + 12)             \
    R(MQD_V9, COMPUTE_USER_DATA_0, 65, COMPUTE_USER_DATA_0)                                        \
    R(MQD_V9, COMPUTE_USER_DATA_1, 66, COMPUTE_USER_DATA_0 + 4)                                    \
    R(MQD_V9, COMPUTE_USER_DATA_2, 67, COMPUTE_USER_DATA_0 + 8)                                    \
    R(MQD_V9, COMPUTE_USER_DATA_3, 68, COMPUTE_USER_DATA_0 + 12)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_4, 69, COMPUTE_USER_DATA_0 + 16)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_5, 70, COMPUTE_USER_DATA_0 + 20)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_6, 71, COMPUTE_USER_DATA_0 + 24)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_7, 72, COMPUTE_USER_DATA_0 + 28)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_8, 73, COMPUTE_USER_DATA_0 + 32)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_9, 74, COMPUTE_USER_DATA_0 + 36)                                   \
    R(MQD_V9, COMPUTE_USER_DATA_10, 75, COMPUTE_USER_DATA_0 + 40)                                  \
    R(MQD_V9, COMPUTE_USER_DATA_11, 76, COMPUTE_USER_DATA_0 + 44)                                  \
    R(MQD_V9, COMPUTE_USER_DATA_12, 77, COMPUTE_USER_DATA_0 + 48)                                  \
    R(MQD_V9, COMPUTE_USER_DATA_13, 78, COMPUTE_USER_DATA_0 + 52)                                  \
    R(MQD_V9, COMPUTE_USER_DATA_14, 79, COMPUTE_USER_DATA_0 + 56)                                  \
    R(MQD_V9, COMPUTE_USER_DATA_15, 80, COMPUTE_USER_DATA_0 + 60)                                  \
    F(MQD_V9, CP_COMPUTE_CSINVOC_COUNT, 81, 0, 64, 0, HEX, NULL)                                   \
    F(MQD_V9, CP_MQD_QUERY_TIME, 86, 0, 64, 0, HEX, NULL)                                          \
    F(MQD_V9, CP_MQD_CONNECT_START_TIME, 88, 0, 64, 0, HEX, NULL)                                  \
    F(MQD_V9, CP_MQD_CONNECT_END_TIME, 90, 0, 64, 0, HEX, NULL)                                    \
    F(MQD_V9, CP_MQD_CONNECT_END_WF_COUNT, 92, 0, 32, 0, HEX, NULL)                                \
    F(MQD_V9, CP_MQD_CONNECT_END_PQ_RPTR, 93, 0, 32, 0, HEX, NULL)                                 \
    F(MQD_V9, CP_MQD_CONNECT_END_PQ_WPTR, 94, 0, 32, 0, HEX, NULL)                                 \
    F(MQD_V9, CP_MQD_CONNECT_END_IB_RPTR, 95, 0, 32, 0, HEX, NULL)                                 \
    F(MQD_V9, CP_MQD_READINDEX, 96, 0, 64, 0, HEX, NULL)                                           \
    F(MQD_V9, CP_MQD_SAVE_START_TIME, 98, 0, 64, 0, HEX, NULL)                                     \
    F(MQD_V9, CP_MQD_SAVE_END_TIME, 100, 0, 64, 0, HEX, NULL)                                      \
    F(MQD_V9, CP_MQD_RESTORE_START_TIME, 102, 0, 64, 0, HEX, NULL)                                 \
    F(MQD_V9, CP_MQD_RESTORE_END_TIME, 104, 0, 64, 0, HEX, NULL)                                   \
    F(MQD_V9, DISABLE_QUEUE, 106, 0, 32, 0, HEX, NULL)                                             \
    F(MQD_V9, GDS_CS_CTXSW_CNT0, 108, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, GDS_CS_CTXSW_CNT1, 109, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, GDS_CS_CTXSW_CNT2, 110, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, GDS_CS_CTXSW_CNT3, 111, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, CP_PQ_EXE_STATUS, 114, 0, 64, 0, HEX, NULL)                                          \
    F(MQD_V9, CP_PACKET_ID, 116, 0, 64, 0, HEX, NULL)                                              \
    F(MQD_V9, CP_PACKET_EXE_STATUS, 118, 0, 64, 0, HEX, NULL)                                      \
    F(MQD_V9, GDS_SAVE_BASE_ADDR, 120, 0, 64, 0, HEX, NULL)                                        \
    F(MQD_V9, GDS_SAVE_MASK, 122, 0, 64, 0, HEX, NULL)                                             \
    F(MQD_V9, CTX_SAVE_BASE_ADDR, 124, 0, 64, 0, HEX, NULL)                                        \
    F(MQD_V9, DYNAMIC_CU_MASK_ADDR, 126, 0, 64, 0, HEX, NULL)                                      \
    R(MQD_V9, CP_MQD_BASE_ADDR_LO, 128, CP_MQD_BASE_ADDR)                                          \
    R(MQD_V9, CP_MQD_BASE_ADDR_HI, 129, CP_MQD_BASE_ADDR_HI)                                       \
    R(MQD_V9, CP_HQD_ACTIVE, 130, CP_HQD_ACTIVE)                                                   \
    R(MQD_V9, CP_HQD_VMID, 131, CP_HQD_VMID)                                                       \
    R(MQD_V9, CP_HQD_PERSISTENT_STATE, 132, CP_HQD_PERSISTENT_STATE)                               \
    R(MQD_V9, CP_HQD_PIPE_PRIORITY, 133, CP_HQD_PIPE_PRIORITY)                                     \
    R(MQD_V9, CP_HQD_QUEUE_PRIORITY, 134, CP_HQD_QUEUE_PRIORITY)                                   \
    R(MQD_V9, CP_HQD_QUANTUM, 135, CP_HQD_QUANTUM)                                                 \
    R(MQD_V9, CP_HQD_PQ_BASE_LO, 136, CP_HQD_PQ_BASE)                                              \
    R(MQD_V9, CP_HQD_PQ_BASE_HI, 137, CP_HQD_PQ_BASE_HI)                                           \
    R(MQD_V9, CP_HQD_PQ_RPTR, 138, CP_HQD_PQ_RPTR)                                                 \
    R(MQD_V9, CP_HQD_PQ_RPTR_REPORT_ADDR_LO, 139, CP_HQD_PQ_RPTR_REPORT_ADDR)                      \
    R(MQD_V9, CP_HQD_PQ_RPTR_REPORT_ADDR_HI, 140, CP_HQD_PQ_RPTR_REPORT_ADDR_HI)                   \
    R(MQD_V9, CP_HQD_PQ_WPTR_POLL_ADDR_LO, 141, CP_HQD_PQ_WPTR_POLL_ADDR)                          \
    R(MQD_V9, CP_HQD_PQ_WPTR_POLL_ADDR_HI, 142, CP_HQD_PQ_WPTR_POLL_ADDR_HI)                       \
    R(MQD_V9, CP_HQD_PQ_DOORBELL_CONTROL, 143, CP_HQD_PQ_DOORBELL_CONTROL)                         \
    R(MQD_V9, CP_HQD_PQ_CONTROL, 145, CP_HQD_PQ_CONTROL)                                           \
    R(MQD_V9, CP_HQD_IB_BASE_ADDR_LO, 146, CP_HQD_IB_BASE_ADDR)                                    \
    R(MQD_V9, CP_HQD_IB_BASE_ADDR_HI, 147, CP_HQD_IB_BASE_ADDR_HI)                                 \
    R(MQD_V9, CP_HQD_IB_RPTR, 148, CP_HQD_IB_RPTR)                                                 \
    R(MQD_V9, CP_HQD_IB_CONTROL, 149, CP_HQD_IB_CONTROL)                                           \
    R(MQD_V9, CP_HQD_IQ_TIMER, 150, CP_HQD_IQ_TIMER)                                               \
    R(MQD_V9, CP_HQD_IQ_RPTR, 151, CP_HQD_IQ_RPTR)                                                 \
    R(MQD_V9, CP_HQD_DEQUEUE_REQUEST, 152, CP_HQD_DEQUEUE_REQUEST)                                 \
    R(MQD_V9, CP_HQD_DMA_OFFLOAD, 153, CP_HQD_OFFLOAD)                                             \
    R(MQD_V9, CP_HQD_SEMA_CMD, 154, CP_HQD_SEMA_CMD)                                               \
    R(MQD_V9, CP_HQD_MSG_TYPE, 155, CP_HQD_MSG_TYPE)                                               \
    R(MQD_V9, CP_HQD_ATOMIC0_PREOP_LO, 156, CP_HQD_ATOMIC0_PREOP_LO)                               \
    R(MQD_V9, CP_HQD_ATOMIC0_PREOP_HI, 157, CP_HQD_ATOMIC0_PREOP_HI)                               \
    R(MQD_V9, CP_HQD_ATOMIC1_PREOP_LO, 158, CP_HQD_ATOMIC1_PREOP_LO)                               \
    R(MQD_V9, CP_HQD_ATOMIC1_PREOP_HI, 159, CP_HQD_ATOMIC1_PREOP_HI)                               \
    R(MQD_V9, CP_HQD_HQ_STATUS0, 160, CP_HQD_HQ_STATUS0)                                           \
    R(MQD_V9, CP_HQD_HQ_CONTROL0, 161, CP_HQD_HQ_CONTROL0)                                         \
    R(MQD_V9, CP_MQD_CONTROL, 162, CP_MQD_CONTROL)                                                 \
    R(MQD_V9, CP_HQD_HQ_STATUS1, 163, CP_HQD_HQ_STATUS1)                                           \
    R(MQD_V9, CP_HQD_HQ_CONTROL1, 164, CP_HQD_HQ_CONTROL1)                                         \
    R(MQD_V9, CP_HQD_EOP_BASE_ADDR_LO, 165, CP_HQD_EOP_BASE_ADDR)                                  \
    R(MQD_V9, CP_HQD_EOP_BASE_ADDR_HI, 166, CP_HQD_EOP_BASE_ADDR_HI)                               \
    R(MQD_V9, CP_HQD_EOP_CONTROL, 167, CP_HQD_EOP_CONTROL)                                         \
    R(MQD_V9, CP_HQD_EOP_RPTR, 168, CP_HQD_EOP_RPTR)                                               \
    R(MQD_V9, CP_HQD_EOP_WPTR, 169, CP_HQD_EOP_WPTR)                                               \
    R(MQD_V9, CP_HQD_EOP_DONE_EVENTS, 170, CP_HQD_EOP_EVENTS)                                      \
    R(MQD_V9, CP_HQD_CTX_SAVE_BASE_ADDR_LO, 171, CP_HQD_CTX_SAVE_BASE_ADDR_LO)                     \
    R(MQD_V9, CP_HQD_CTX_SAVE_BASE_ADDR_HI, 172, CP_HQD_CTX_SAVE_BASE_ADDR_HI)                     \
    R(MQD_V9, CP_HQD_CTX_SAVE_CONTROL, 173, CP_HQD_CTX_SAVE_CONTROL)                               \
    R(MQD_V9, CP_HQD_CNTL_STACK_OFFSET, 174, CP_HQD_CNTL_STACK_OFFSET)                             \
    R(MQD_V9, CP_HQD_CNTL_STACK_SIZE, 175, CP_HQD_CNTL_STACK_SIZE)                                 \
    R(MQD_V9, CP_HQD_WG_STATE_OFFSET, 176, CP_HQD_WG_STATE_OFFSET)                                 \
    R(MQD_V9, CP_HQD_CTX_SAVE_SIZE, 177, CP_HQD_CTX_SAVE_SIZE)                                     \
    R(MQD_V9, CP_HQD_GDS_RESOURCE_STATE, 178, CP_HQD_GDS_RESOURCE_STATE)                           \
    R(MQD_V9, CP_HQD_ERROR, 179, CP_HQD_ERROR)                                                     \
    R(MQD_V9, CP_HQD_EOP_WPTR_MEM, 180, CP_HQD_EOP_WPTR_MEM)                                       \
    R(MQD_V9, CP_HQD_AQL_CONTROL, 181, CP_HQD_AQL_CONTROL)                                         \
    R(MQD_V9, CP_HQD_PQ_WPTR_LO, 182, CP_HQD_PQ_WPTR_LO)                                           \
    R(MQD_V9, CP_HQD_PQ_WPTR_HI, 183, CP_HQD_PQ_WPTR_HI)                                           \
    F(MQD_V9, IQTIMER_PKT_HEADER, 192, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, IQTIMER_PKT_DW0, 193, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW1, 194, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW2, 195, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW3, 196, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW4, 197, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW5, 198, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW6, 199, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW7, 200, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW8, 201, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW9, 202, 0, 32, 0, HEX, NULL)                                           \
    F(MQD_V9, IQTIMER_PKT_DW10, 203, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW11, 204, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW12, 205, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW13, 206, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW14, 207, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW15, 208, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW16, 209, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW17, 210, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW18, 211, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW19, 212, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW20, 213, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW21, 214, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW22, 215, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW23, 216, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW24, 217, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW25, 218, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW26, 219, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW27, 220, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW28, 221, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW29, 222, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW30, 223, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, IQTIMER_PKT_DW31, 224, 0, 32, 0, HEX, NULL)                                          \
    F(MQD_V9, SET_RESOURCES_HEADER, 228, 0, 32, 0, HEX, NULL)                                      \
    F(MQD_V9, SET_RESOURCES_DW1, 229, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW2, 230, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW3, 231, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW4, 232, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW5, 233, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW6, 234, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, SET_RESOURCES_DW7, 235, 0, 32, 0, HEX, NULL)                                         \
    F(MQD_V9, QUEUE_DOORBELL_ID0, 240, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID1, 241, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID2, 242, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID3, 243, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID4, 244, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID5, 245, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID6, 246, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID7, 247, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID8, 248, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID9, 249, 0, 32, 0, HEX, NULL)                                        \
    F(MQD_V9, QUEUE_DOORBELL_ID10, 250, 0, 32, 0, HEX, NULL)                                       \
    F(MQD_V9, QUEUE_DOORBELL_ID11, 251, 0, 32, 0, HEX, NULL)                                       \
    F(MQD_V9, QUEUE_DOORBELL_ID12, 252, 0, 32, 0, HEX, NULL)                                       \
    F(MQD_V9, QUEUE_DOORBELL_ID13, 253, 0, 32, 0, HEX, NULL)                                       \
    F(MQD_V9, QUEUE_DOORBELL_ID14, 254, 0, 32, 0, HEX, NULL)                                       \
    F(MQD_V9, QUEUE_DOORBELL_ID15, 255, 0, 32, 0, HEX, NULL)
/* clang-format on */

enum { AMD_MQD_V9_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };

extern const struct amd_layout amd_mqd_layout;

/* Decodes the MQD at reader->at and advances past it.  Returns false at the end. */
bool amd_mqd_next(struct amd_reader *reader, struct amd_packet *packet);
/* Decodes the 56 dwords of a slot's window, as KFD's debugfs shows them (hqds), and advances past
 * them.  Returns false at the end. */
bool amd_hqd_next(struct amd_reader *reader, struct amd_packet *packet);

#endif
