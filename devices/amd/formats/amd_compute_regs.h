/* SPDX-License-Identifier: MIT */
/*
 * The registers from which a compute pipe dispatches (COMPUTE_*), and the shader processor input
 * (SPI) of the shader engines, which gives workgroups to CUs.
 *
 * Sources: the same as amd_cp_regs.h; SE4 to SE7 are MI100's and MI200's (gc_9_4_2_offset.h).  Only
 * the names of SPI's arbitration registers indicate their effect; no driver writes them on gfx9.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_COMPUTE_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_COMPUTE_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
/* The state of a dispatch, for each pipe; SET_SH_REG counts from 0xb000. */
#define AMD_COMPUTE_REGS(REG, FIELD, VALUE)                                                        \
    REG(COMPUTE_DISPATCH_INITIATOR, 0x0b800, 1, 4, HOOK, 0x0, "")                                  \
      FIELD(COMPUTE_DISPATCH_INITIATOR__COMPUTE_SHADER_EN, 0, 0, "1: dispatch")                    \
      FIELD(COMPUTE_DISPATCH_INITIATOR__PARTIAL_TG_EN, 1, 1, "")                                   \
      FIELD(COMPUTE_DISPATCH_INITIATOR__FORCE_START_AT_000, 2, 2, "START is taken as 0")           \
      FIELD(COMPUTE_DISPATCH_INITIATOR__ORDERED_APPEND_ENBL, 3, 3, "")                             \
      FIELD(COMPUTE_DISPATCH_INITIATOR__ORDERED_APPEND_MODE, 4, 4, "")                             \
      FIELD(COMPUTE_DISPATCH_INITIATOR__USE_THREAD_DIMENSIONS, 5, 5, "DIM counts threads, else workgroups") \
      FIELD(COMPUTE_DISPATCH_INITIATOR__ORDER_MODE, 6, 6, "")                                      \
      FIELD(COMPUTE_DISPATCH_INITIATOR__SCALAR_L1_INV_VOL, 10, 10, "")                             \
      FIELD(COMPUTE_DISPATCH_INITIATOR__VECTOR_L1_INV_VOL, 11, 11, "")                             \
      FIELD(COMPUTE_DISPATCH_INITIATOR__RESTORE, 14, 14, "relaunch of saved waves")                \
    REG(COMPUTE_DIM_X, 0x0b804, 1, 4, RW, 0x0, "workgroups, or threads with USE_THREAD_DIMENSIONS") \
    REG(COMPUTE_DIM_Y, 0x0b808, 1, 4, RW, 0x0, "")                                                 \
    REG(COMPUTE_DIM_Z, 0x0b80c, 1, 4, RW, 0x0, "")                                                 \
    REG(COMPUTE_START_X, 0x0b810, 1, 4, RW, 0x0, "first workgroup")                                \
    REG(COMPUTE_START_Y, 0x0b814, 1, 4, RW, 0x0, "")                                               \
    REG(COMPUTE_START_Z, 0x0b818, 1, 4, RW, 0x0, "")                                               \
    REG(COMPUTE_NUM_THREAD_X, 0x0b81c, 1, 4, RW, 0x0, "")                                          \
      FIELD(COMPUTE_NUM_THREAD_X__NUM_THREAD_FULL, 15, 0, "of a workgroup")                        \
      FIELD(COMPUTE_NUM_THREAD_X__NUM_THREAD_PARTIAL, 31, 16, "of the last one")                   \
    REG(COMPUTE_NUM_THREAD_Y, 0x0b820, 1, 4, RW, 0x0, "")                                          \
      FIELD(COMPUTE_NUM_THREAD_Y__NUM_THREAD_FULL, 15, 0, "")                                      \
      FIELD(COMPUTE_NUM_THREAD_Y__NUM_THREAD_PARTIAL, 31, 16, "")                                  \
    REG(COMPUTE_NUM_THREAD_Z, 0x0b824, 1, 4, RW, 0x0, "")                                          \
      FIELD(COMPUTE_NUM_THREAD_Z__NUM_THREAD_FULL, 15, 0, "")                                      \
      FIELD(COMPUTE_NUM_THREAD_Z__NUM_THREAD_PARTIAL, 31, 16, "")                                  \
    REG(COMPUTE_PIPELINESTAT_ENABLE, 0x0b828, 1, 4, RW, 0x1, "")                                   \
      FIELD(COMPUTE_PIPELINESTAT_ENABLE__PIPELINESTAT_ENABLE, 0, 0, "")                            \
    REG(COMPUTE_PERFCOUNT_ENABLE, 0x0b82c, 1, 4, RW, 0x0, "")                                      \
      FIELD(COMPUTE_PERFCOUNT_ENABLE__PERFCOUNT_ENABLE, 0, 0, "")                                  \
    REG(COMPUTE_PGM_LO, 0x0b830, 1, 4, RW, 0x0, "address of the program >> 8")                     \
    REG(COMPUTE_PGM_HI, 0x0b834, 1, 4, RW, 0x0, "")                                                \
      FIELD(COMPUTE_PGM_HI__DATA, 7, 0, "")                                                        \
    REG(COMPUTE_DISPATCH_PKT_ADDR_LO, 0x0b838, 1, 4, RW, 0x0, "of the AQL packet")                 \
    REG(COMPUTE_DISPATCH_PKT_ADDR_HI, 0x0b83c, 1, 4, RW, 0x0, "")                                  \
      FIELD(COMPUTE_DISPATCH_PKT_ADDR_HI__DATA, 7, 0, "")                                          \
    REG(COMPUTE_DISPATCH_SCRATCH_BASE_LO, 0x0b840, 1, 4, RW, 0x0, "")                              \
    REG(COMPUTE_DISPATCH_SCRATCH_BASE_HI, 0x0b844, 1, 4, RW, 0x0, "")                              \
      FIELD(COMPUTE_DISPATCH_SCRATCH_BASE_HI__DATA, 7, 0, "")                                      \
    REG(COMPUTE_PGM_RSRC1, 0x0b848, 1, 4, RW, 0x0, "")                                             \
      FIELD(COMPUTE_PGM_RSRC1__VGPRS, 5, 0, "(count / 4) - 1")                                     \
      FIELD(COMPUTE_PGM_RSRC1__SGPRS, 9, 6, "(count / 8) - 1; given out by 16")                    \
      FIELD(COMPUTE_PGM_RSRC1__PRIORITY, 11, 10, "")                                               \
      FIELD(COMPUTE_PGM_RSRC1__FLOAT_MODE, 19, 12, "")                                             \
      FIELD(COMPUTE_PGM_RSRC1__PRIV, 20, 20, "")                                                   \
      FIELD(COMPUTE_PGM_RSRC1__DX10_CLAMP, 21, 21, "")                                             \
      FIELD(COMPUTE_PGM_RSRC1__DEBUG_MODE, 22, 22, "")                                             \
      FIELD(COMPUTE_PGM_RSRC1__IEEE_MODE, 23, 23, "")                                              \
      FIELD(COMPUTE_PGM_RSRC1__BULKY, 24, 24, "")                                                  \
      FIELD(COMPUTE_PGM_RSRC1__CDBG_USER, 25, 25, "")                                              \
      FIELD(COMPUTE_PGM_RSRC1__FP16_OVFL, 26, 26, "")                                              \
    REG(COMPUTE_PGM_RSRC2, 0x0b84c, 1, 4, RW, 0x0, "")                                             \
      FIELD(COMPUTE_PGM_RSRC2__SCRATCH_EN, 0, 0, "")                                               \
      FIELD(COMPUTE_PGM_RSRC2__USER_SGPR, 5, 1, "how many of USER_DATA a wave begins with")        \
      FIELD(COMPUTE_PGM_RSRC2__TRAP_PRESENT, 6, 6, "")                                             \
      FIELD(COMPUTE_PGM_RSRC2__TGID_X_EN, 7, 7, "")                                                \
      FIELD(COMPUTE_PGM_RSRC2__TGID_Y_EN, 8, 8, "")                                                \
      FIELD(COMPUTE_PGM_RSRC2__TGID_Z_EN, 9, 9, "")                                                \
      FIELD(COMPUTE_PGM_RSRC2__TG_SIZE_EN, 10, 10, "")                                             \
      FIELD(COMPUTE_PGM_RSRC2__TIDIG_COMP_CNT, 12, 11, "thread ids in VGPRs: 0 X, 1 XY, 2 XYZ")    \
      FIELD(COMPUTE_PGM_RSRC2__EXCP_EN_MSB, 14, 13, "")                                            \
      FIELD(COMPUTE_PGM_RSRC2__LDS_SIZE, 23, 15, "in units of 128 dwords")                         \
      FIELD(COMPUTE_PGM_RSRC2__EXCP_EN, 30, 24, "")                                                \
      FIELD(COMPUTE_PGM_RSRC2__SKIP_USGPR0, 31, 31, "")                                            \
    REG(COMPUTE_VMID, 0x0b850, 1, 4, RW, 0x0, "")                                                  \
      FIELD(COMPUTE_VMID__DATA, 3, 0, "")                                                          \
    REG(COMPUTE_RESOURCE_LIMITS, 0x0b854, 1, 4, RW, 0x0, "")                                       \
      FIELD(COMPUTE_RESOURCE_LIMITS__WAVES_PER_SH, 9, 0, "0: no limit")                            \
      FIELD(COMPUTE_RESOURCE_LIMITS__TG_PER_CU, 15, 12, "workgroups; 0: no limit")                 \
      FIELD(COMPUTE_RESOURCE_LIMITS__LOCK_THRESHOLD, 21, 16, "when a workgroup that does not fit holds up others (ASSUMED); KFD writes 0") \
      FIELD(COMPUTE_RESOURCE_LIMITS__SIMD_DEST_CNTL, 22, 22, "")                                   \
      FIELD(COMPUTE_RESOURCE_LIMITS__FORCE_SIMD_DIST, 23, 23, "")                                  \
      FIELD(COMPUTE_RESOURCE_LIMITS__CU_GROUP_COUNT, 26, 24, "")                                   \
      FIELD(COMPUTE_RESOURCE_LIMITS__SIMD_DISABLE, 30, 27, "")                                     \
    REG(COMPUTE_STATIC_THREAD_MGMT_SE0, 0x0b858, 1, 4, RW, 0xffffffff, "CU mask of shader engine 0") \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE0__SH0_CU_EN, 15, 0, "CUs of shader array 0 that may be used") \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE0__SH1_CU_EN, 31, 16, "of array 1, which gfx9 does not have") \
    REG(COMPUTE_STATIC_THREAD_MGMT_SE1, 0x0b85c, 1, 4, RW, 0xffffffff, "")                         \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE1__SH0_CU_EN, 15, 0, "")                                  \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE1__SH1_CU_EN, 31, 16, "")                                 \
    REG(COMPUTE_TMPRING_SIZE, 0x0b860, 1, 4, RW, 0x0, "scratch memory")                            \
      FIELD(COMPUTE_TMPRING_SIZE__WAVES, 11, 0, "that have scratch memory at a time")              \
      FIELD(COMPUTE_TMPRING_SIZE__WAVESIZE, 24, 12, "scratch memory of a wave in KiB")             \
    REG(COMPUTE_STATIC_THREAD_MGMT_SE2, 0x0b864, 1, 4, RW, 0xffffffff, "the registers of SE2 and SE3 stand behind TMPRING_SIZE") \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE2__SH0_CU_EN, 15, 0, "")                                  \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE2__SH1_CU_EN, 31, 16, "")                                 \
    REG(COMPUTE_STATIC_THREAD_MGMT_SE3, 0x0b868, 1, 4, RW, 0xffffffff, "")                         \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE3__SH0_CU_EN, 15, 0, "")                                  \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE3__SH1_CU_EN, 31, 16, "")                                 \
    REG(COMPUTE_RESTART_X, 0x0b86c, 1, 4, RW, 0x0, "where a preempted dispatch goes on")           \
    REG(COMPUTE_RESTART_Y, 0x0b870, 1, 4, RW, 0x0, "")                                             \
    REG(COMPUTE_RESTART_Z, 0x0b874, 1, 4, RW, 0x0, "")                                             \
    REG(COMPUTE_THREAD_TRACE_ENABLE, 0x0b878, 1, 4, RW, 0x0, "")                                   \
      FIELD(COMPUTE_THREAD_TRACE_ENABLE__THREAD_TRACE_ENABLE, 0, 0, "")                            \
    REG(COMPUTE_MISC_RESERVED, 0x0b87c, 1, 4, RW, 0x2, "")                                         \
      FIELD(COMPUTE_MISC_RESERVED__SEND_SEID, 1, 0, "")                                            \
      FIELD(COMPUTE_MISC_RESERVED__WAVE_ID_BASE, 16, 5, "")                                        \
    REG(COMPUTE_DISPATCH_ID, 0x0b880, 1, 4, RW, 0x0, "")                                           \
    REG(COMPUTE_THREADGROUP_ID, 0x0b884, 1, 4, RW, 0x0, "")                                        \
    REG(COMPUTE_RELAUNCH, 0x0b888, 1, 4, RW, 0x0, "")                                              \
      FIELD(COMPUTE_RELAUNCH__PAYLOAD, 29, 0, "")                                                  \
      FIELD(COMPUTE_RELAUNCH__IS_EVENT, 30, 30, "")                                                \
      FIELD(COMPUTE_RELAUNCH__IS_STATE, 31, 31, "")                                                \
    REG(COMPUTE_WAVE_RESTORE_ADDR_LO, 0x0b88c, 1, 4, RW, 0x0, "")                                  \
    REG(COMPUTE_WAVE_RESTORE_ADDR_HI, 0x0b890, 1, 4, RW, 0x0, "")                                  \
      FIELD(COMPUTE_WAVE_RESTORE_ADDR_HI__ADDR, 15, 0, "")                                         \
    REG(COMPUTE_STATIC_THREAD_MGMT_SE4, 0x0b894, 4, 4, RW, 0xffffffff, AMD_GFX908 | AMD_GFX90A, "of shader engine 4 + i") \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE4__SH0_CU_EN, 15, 0, "")                                  \
      FIELD(COMPUTE_STATIC_THREAD_MGMT_SE4__SH1_CU_EN, 31, 16, "")                                 \
    REG(COMPUTE_USER_DATA_0, 0x0b900, 16, 4, RW, 0x0, "SGPR i that a wave begins with: AMD counts USER_DATA_0 to _15")

/* The shader processor input of each shader engine, which gives workgroups to CUs. */
#define AMD_SPI_REGS(REG, FIELD, VALUE)                                                            \
    REG(SPI_CSQ_WF_ACTIVE_STATUS, 0x0936c, 1, 4, RO, 0x0, "bit pipe * 8 + queue: it has waves in the shader engine that GRBM_GFX_INDEX selects") \
    REG(SPI_CSQ_WF_ACTIVE_COUNT_0, 0x09370, 8, 4, RO, 0x0, "of queue i of a pipe in that shader engine: AMD counts _0 to _7") \
      FIELD(SPI_CSQ_WF_ACTIVE_COUNT_0__COUNT, 10, 0, "waves")                                      \
      FIELD(SPI_CSQ_WF_ACTIVE_COUNT_0__EVENTS, 26, 16, "")                                         \
    REG(SPI_ARB_PRIORITY, 0x0c700, 1, 4, RW, 0x0, "order of the pipes in each of four time slices") \
      FIELD(SPI_ARB_PRIORITY__PIPE_ORDER_TS0, 2, 0, "")                                            \
      FIELD(SPI_ARB_PRIORITY__PIPE_ORDER_TS1, 5, 3, "")                                            \
      FIELD(SPI_ARB_PRIORITY__PIPE_ORDER_TS2, 8, 6, "")                                            \
      FIELD(SPI_ARB_PRIORITY__PIPE_ORDER_TS3, 11, 9, "")                                           \
      FIELD(SPI_ARB_PRIORITY__TS0_DUR_MULT, 13, 12, "")                                            \
      FIELD(SPI_ARB_PRIORITY__TS1_DUR_MULT, 15, 14, "")                                            \
      FIELD(SPI_ARB_PRIORITY__TS2_DUR_MULT, 17, 16, "")                                            \
      FIELD(SPI_ARB_PRIORITY__TS3_DUR_MULT, 19, 18, "")                                            \
    REG(SPI_ARB_CYCLES_0, 0x0c704, 1, 4, RW, 0x0, "length of time slices 0 and 1")                 \
      FIELD(SPI_ARB_CYCLES_0__TS0_DURATION, 15, 0, "")                                             \
      FIELD(SPI_ARB_CYCLES_0__TS1_DURATION, 31, 16, "")                                            \
    REG(SPI_ARB_CYCLES_1, 0x0c708, 1, 4, RW, 0x0, "of 2 and 3")                                    \
      FIELD(SPI_ARB_CYCLES_1__TS2_DURATION, 15, 0, "")                                             \
      FIELD(SPI_ARB_CYCLES_1__TS3_DURATION, 31, 16, "")                                            \
    REG(SPI_WCL_PIPE_PERCENT_GFX, 0x0c71c, 1, 4, RW, 0x7ffffff, "limit of waves of graphics")      \
      FIELD(SPI_WCL_PIPE_PERCENT_GFX__VALUE, 6, 0, "")                                             \
      FIELD(SPI_WCL_PIPE_PERCENT_GFX__LS_GRP_VALUE, 11, 7, "")                                     \
      FIELD(SPI_WCL_PIPE_PERCENT_GFX__HS_GRP_VALUE, 16, 12, "")                                    \
      FIELD(SPI_WCL_PIPE_PERCENT_GFX__ES_GRP_VALUE, 21, 17, "")                                    \
      FIELD(SPI_WCL_PIPE_PERCENT_GFX__GS_GRP_VALUE, 26, 22, "")                                    \
    REG(SPI_WCL_PIPE_PERCENT_CS0, 0x0c724, 8, 4, RW, 0x7f, "limit of waves of compute pipe i: AMD counts CS0 to CS7") \
      FIELD(SPI_WCL_PIPE_PERCENT_CS0__VALUE, 6, 0, "0x7f: no limit")                               \
    REG(SPI_GDBG_TRAP_CONFIG, 0x0c748, 1, 4, RW, 0x0, "debugger")                                  \
      FIELD(SPI_GDBG_TRAP_CONFIG__ME_SEL, 1, 0, "")                                                \
      FIELD(SPI_GDBG_TRAP_CONFIG__PIPE_SEL, 3, 2, "")                                              \
      FIELD(SPI_GDBG_TRAP_CONFIG__QUEUE_SEL, 6, 4, "")                                             \
      FIELD(SPI_GDBG_TRAP_CONFIG__ME_MATCH, 7, 7, "")                                              \
      FIELD(SPI_GDBG_TRAP_CONFIG__PIPE_MATCH, 8, 8, "")                                            \
      FIELD(SPI_GDBG_TRAP_CONFIG__QUEUE_MATCH, 9, 9, "")                                           \
      FIELD(SPI_GDBG_TRAP_CONFIG__TRAP_EN, 15, 15, "")                                             \
      FIELD(SPI_GDBG_TRAP_CONFIG__VMID_SEL, 31, 16, "")                                            \
    REG(SPI_COMPUTE_QUEUE_RESET, 0x0c76c, 1, 4, HOOK, 0x0, "of the queue that GRBM_GFX_CNTL selects: ends its waves") \
      FIELD(SPI_COMPUTE_QUEUE_RESET__RESET, 0, 0, "")                                              \
    REG(SPI_RESOURCE_RESERVE_CU_0, 0x0c770, 10, 4, RW, 0x0, "resources of CU i that are kept free: AMD counts _0 to _9") \
      FIELD(SPI_RESOURCE_RESERVE_CU_0__VGPR, 3, 0, "")                                             \
      FIELD(SPI_RESOURCE_RESERVE_CU_0__SGPR, 7, 4, "")                                             \
      FIELD(SPI_RESOURCE_RESERVE_CU_0__LDS, 11, 8, "")                                             \
      FIELD(SPI_RESOURCE_RESERVE_CU_0__WAVES, 14, 12, "")                                          \
      FIELD(SPI_RESOURCE_RESERVE_CU_0__BARRIERS, 18, 15, "")                                       \
    REG(SPI_RESOURCE_RESERVE_EN_CU_0, 0x0c798, 10, 4, RW, 0x0, "for whom: AMD counts _0 to _9")    \
      FIELD(SPI_RESOURCE_RESERVE_EN_CU_0__EN, 0, 0, "")                                            \
      FIELD(SPI_RESOURCE_RESERVE_EN_CU_0__TYPE_MASK, 15, 1, "")                                    \
      FIELD(SPI_RESOURCE_RESERVE_EN_CU_0__QUEUE_MASK, 23, 16, "")                                  \
    REG(SPI_CONFIG_CNTL, 0x31100, 1, 4, RW, 0x62c688, "")                                          \
      FIELD(SPI_CONFIG_CNTL__GPR_WRITE_PRIORITY, 20, 0, "")                                        \
      FIELD(SPI_CONFIG_CNTL__EXP_PRIORITY_ORDER, 23, 21, "")                                       \
      FIELD(SPI_CONFIG_CNTL__ENABLE_SQG_TOP_EVENTS, 24, 24, "")                                    \
      FIELD(SPI_CONFIG_CNTL__ENABLE_SQG_BOP_EVENTS, 25, 25, "")                                    \
      FIELD(SPI_CONFIG_CNTL__RSRC_MGMT_RESET, 26, 26, "")                                          \
      FIELD(SPI_CONFIG_CNTL__TTRACE_STALL_ALL, 27, 27, "")                                         \
      FIELD(SPI_CONFIG_CNTL__ALLOC_ARB_LRU_ENA, 28, 28, "")                                        \
      FIELD(SPI_CONFIG_CNTL__EXP_ARB_LRU_ENA, 29, 29, "")                                          \
      FIELD(SPI_CONFIG_CNTL__PS_PKR_PRIORITY_CNTL, 31, 30, "")
/* clang-format on */

enum { AMD_COMPUTE_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { AMD_SPI_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_compute_list, amd_spi_list;

#endif
