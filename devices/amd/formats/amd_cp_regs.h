/* SPDX-License-Identifier: MIT */
/*
 * Registers of the graphics core (GC 9.4.0, Vega 20) around the queues: GRBM, which routes
 * accesses, and the command processor (CP).  Byte offsets are those of the register BAR: GC's
 * segments lie at dword 0x2000 and 0xa000.  Names are AMD's; a field's name begins with its
 * register's and two underscores.
 *
 * GRBM_GFX_CNTL and GRBM_GFX_INDEX select banks.  A register "by GRBM_GFX_CNTL" exists once for
 * each micro engine, pipe and queue, like the hardware queue slots of amd_hqd_regs.h.  A register
 * "by GRBM_GFX_INDEX" exists once for each shader engine, array or CU.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) include/asic_reg/gc/gc_9_0_offset.h,
 * gc_9_0_sh_mask.h, gc_9_0_default.h, vega20_ip_offset.h (names, addresses, fields, resets).  The
 * access kinds are gfe's: INFERRED from what the drivers do.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_CP_REGS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_CP_REGS_H

#include "devices/amd/formats/amd_variants.h"
#include "emu/engine/reg.h"

/* clang-format off */
#define AMD_GRBM_REGS(REG, FIELD, VALUE)                                                           \
    REG(GRBM_STATUS2, 0x08008, 1, 4, RO, 0x0, "what is busy, CP and memory")                       \
      FIELD(GRBM_STATUS2__ME0PIPE1_CMDFIFO_AVAIL, 3, 0, "")                                        \
      FIELD(GRBM_STATUS2__ME0PIPE1_CF_RQ_PENDING, 4, 4, "")                                        \
      FIELD(GRBM_STATUS2__ME0PIPE1_PF_RQ_PENDING, 5, 5, "")                                        \
      FIELD(GRBM_STATUS2__ME1PIPE0_RQ_PENDING, 6, 6, "")                                           \
      FIELD(GRBM_STATUS2__ME1PIPE1_RQ_PENDING, 7, 7, "")                                           \
      FIELD(GRBM_STATUS2__ME1PIPE2_RQ_PENDING, 8, 8, "")                                           \
      FIELD(GRBM_STATUS2__ME1PIPE3_RQ_PENDING, 9, 9, "")                                           \
      FIELD(GRBM_STATUS2__ME2PIPE0_RQ_PENDING, 10, 10, "")                                         \
      FIELD(GRBM_STATUS2__ME2PIPE1_RQ_PENDING, 11, 11, "")                                         \
      FIELD(GRBM_STATUS2__ME2PIPE2_RQ_PENDING, 12, 12, "")                                         \
      FIELD(GRBM_STATUS2__ME2PIPE3_RQ_PENDING, 13, 13, "")                                         \
      FIELD(GRBM_STATUS2__RLC_RQ_PENDING, 14, 14, "")                                              \
      FIELD(GRBM_STATUS2__UTCL2_BUSY, 15, 15, "")                                                  \
      FIELD(GRBM_STATUS2__EA_BUSY, 16, 16, "")                                                     \
      FIELD(GRBM_STATUS2__RMI_BUSY, 17, 17, "")                                                    \
      FIELD(GRBM_STATUS2__UTCL2_RQ_PENDING, 18, 18, "")                                            \
      FIELD(GRBM_STATUS2__CPF_RQ_PENDING, 19, 19, "")                                              \
      FIELD(GRBM_STATUS2__EA_LINK_BUSY, 20, 20, "")                                                \
      FIELD(GRBM_STATUS2__RLC_BUSY, 24, 24, "")                                                    \
      FIELD(GRBM_STATUS2__TC_BUSY, 25, 25, "")                                                     \
      FIELD(GRBM_STATUS2__TCC_CC_RESIDENT, 26, 26, "")                                             \
      FIELD(GRBM_STATUS2__CPF_BUSY, 28, 28, "")                                                    \
      FIELD(GRBM_STATUS2__CPC_BUSY, 29, 29, "")                                                    \
      FIELD(GRBM_STATUS2__CPG_BUSY, 30, 30, "")                                                    \
      FIELD(GRBM_STATUS2__CPAXI_BUSY, 31, 31, "")                                                  \
    REG(GRBM_STATUS, 0x08010, 1, 4, RO, 0x0, "what is busy, graphics")                             \
      FIELD(GRBM_STATUS__ME0PIPE0_CMDFIFO_AVAIL, 3, 0, "")                                         \
      FIELD(GRBM_STATUS__RSMU_RQ_PENDING, 5, 5, "")                                                \
      FIELD(GRBM_STATUS__ME0PIPE0_CF_RQ_PENDING, 7, 7, "")                                         \
      FIELD(GRBM_STATUS__ME0PIPE0_PF_RQ_PENDING, 8, 8, "")                                         \
      FIELD(GRBM_STATUS__GDS_DMA_RQ_PENDING, 9, 9, "")                                             \
      FIELD(GRBM_STATUS__DB_CLEAN, 12, 12, "")                                                     \
      FIELD(GRBM_STATUS__CB_CLEAN, 13, 13, "")                                                     \
      FIELD(GRBM_STATUS__TA_BUSY, 14, 14, "")                                                      \
      FIELD(GRBM_STATUS__GDS_BUSY, 15, 15, "")                                                     \
      FIELD(GRBM_STATUS__WD_BUSY_NO_DMA, 16, 16, "")                                               \
      FIELD(GRBM_STATUS__VGT_BUSY, 17, 17, "")                                                     \
      FIELD(GRBM_STATUS__IA_BUSY_NO_DMA, 18, 18, "")                                               \
      FIELD(GRBM_STATUS__IA_BUSY, 19, 19, "")                                                      \
      FIELD(GRBM_STATUS__SX_BUSY, 20, 20, "")                                                      \
      FIELD(GRBM_STATUS__WD_BUSY, 21, 21, "")                                                      \
      FIELD(GRBM_STATUS__SPI_BUSY, 22, 22, "")                                                     \
      FIELD(GRBM_STATUS__BCI_BUSY, 23, 23, "")                                                     \
      FIELD(GRBM_STATUS__SC_BUSY, 24, 24, "")                                                      \
      FIELD(GRBM_STATUS__PA_BUSY, 25, 25, "")                                                      \
      FIELD(GRBM_STATUS__DB_BUSY, 26, 26, "")                                                      \
      FIELD(GRBM_STATUS__CP_COHERENCY_BUSY, 28, 28, "")                                            \
      FIELD(GRBM_STATUS__CP_BUSY, 29, 29, "")                                                      \
      FIELD(GRBM_STATUS__CB_BUSY, 30, 30, "")                                                      \
      FIELD(GRBM_STATUS__GUI_ACTIVE, 31, 31, "")                                                   \
    REG(GRBM_SOFT_RESET, 0x08020, 1, 4, HOOK, 0x0, "1: hold in reset")                             \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CP, 0, 0, "")                                              \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_RLC, 2, 2, "")                                             \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_GFX, 16, 16, "")                                           \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CPF, 17, 17, "")                                           \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CPC, 18, 18, "")                                           \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CPG, 19, 19, "")                                           \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CAC, 20, 20, "")                                           \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_CPAXI, 21, 21, "")                                         \
      FIELD(GRBM_SOFT_RESET__SOFT_RESET_EA, 22, 22, "")                                            \
    REG(GRBM_GFX_CNTL, 0x08088, 1, 4, HOOK, 0x0, "whose registers the banked windows show: micro engine, pipe, queue, VMID") \
      FIELD(GRBM_GFX_CNTL__PIPEID, 1, 0, "")                                                       \
      FIELD(GRBM_GFX_CNTL__MEID, 3, 2, "micro engine: 0 graphics, 1 and 2 the MECs")               \
        VALUE(GRBM_GFX_CNTL__MEID__MEC1, 1, "")                                                    \
        VALUE(GRBM_GFX_CNTL__MEID__MEC2, 2, "")                                                    \
      FIELD(GRBM_GFX_CNTL__VMID, 7, 4, "")                                                         \
      FIELD(GRBM_GFX_CNTL__QUEUEID, 10, 8, "")                                                     \
    REG(CC_GC_SHADER_ARRAY_CONFIG, 0x089bc, 1, 4, RO, 0x0, "by GRBM_GFX_INDEX: of one shader array") \
      FIELD(CC_GC_SHADER_ARRAY_CONFIG__INACTIVE_CUS, 31, 16, "CUs that the chip was made with and the product lacks") \
    REG(GC_USER_SHADER_ARRAY_CONFIG, 0x089c0, 1, 4, RW, 0x0, "as CC_GC_SHADER_ARRAY_CONFIG, added by software") \
      FIELD(GC_USER_SHADER_ARRAY_CONFIG__INACTIVE_CUS, 31, 16, "")                                 \
    REG(SQ_CMD, 0x08dec, 1, 4, HOOK, 0x0, "a command to the waves that it names")                  \
      FIELD(SQ_CMD__CMD, 2, 0, "")                                                                 \
      FIELD(SQ_CMD__MODE, 6, 4, "")                                                                \
      FIELD(SQ_CMD__CHECK_VMID, 7, 7, "")                                                          \
      FIELD(SQ_CMD__DATA, 11, 8, "")                                                               \
      FIELD(SQ_CMD__WAVE_ID, 19, 16, "")                                                           \
      FIELD(SQ_CMD__SIMD_ID, 21, 20, "")                                                           \
      FIELD(SQ_CMD__QUEUE_ID, 26, 24, "")                                                          \
      FIELD(SQ_CMD__VM_ID, 31, 28, "")                                                             \
    REG(GRBM_GFX_INDEX, 0x30800, 1, 4, HOOK, 0xe0000000, "to whose registers accesses go that there is one of in each shader engine, array and CU") \
      FIELD(GRBM_GFX_INDEX__INSTANCE_INDEX, 7, 0, "")                                              \
      FIELD(GRBM_GFX_INDEX__SH_INDEX, 15, 8, "")                                                   \
      FIELD(GRBM_GFX_INDEX__SE_INDEX, 23, 16, "")                                                  \
      FIELD(GRBM_GFX_INDEX__SH_BROADCAST_WRITES, 29, 29, "")                                       \
      FIELD(GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES, 30, 30, "")                                 \
      FIELD(GRBM_GFX_INDEX__SE_BROADCAST_WRITES, 31, 31, "")

/* The command processor; HPD registers belong to a pipe. */
#define AMD_CP_REGS(REG, FIELD, VALUE)                                                             \
    REG(CP_CPC_STATUS, 0x08210, 1, 4, RO, 0x0, "compute part of the command processor (CPC)")      \
      FIELD(CP_CPC_STATUS__MEC1_BUSY, 0, 0, "")                                                    \
      FIELD(CP_CPC_STATUS__MEC2_BUSY, 1, 1, "")                                                    \
      FIELD(CP_CPC_STATUS__DC0_BUSY, 2, 2, "")                                                     \
      FIELD(CP_CPC_STATUS__DC1_BUSY, 3, 3, "")                                                     \
      FIELD(CP_CPC_STATUS__RCIU1_BUSY, 4, 4, "")                                                   \
      FIELD(CP_CPC_STATUS__RCIU2_BUSY, 5, 5, "")                                                   \
      FIELD(CP_CPC_STATUS__ROQ1_BUSY, 6, 6, "")                                                    \
      FIELD(CP_CPC_STATUS__ROQ2_BUSY, 7, 7, "")                                                    \
      FIELD(CP_CPC_STATUS__TCIU_BUSY, 10, 10, "")                                                  \
      FIELD(CP_CPC_STATUS__SCRATCH_RAM_BUSY, 11, 11, "")                                           \
      FIELD(CP_CPC_STATUS__QU_BUSY, 12, 12, "")                                                    \
      FIELD(CP_CPC_STATUS__UTCL2IU_BUSY, 13, 13, "")                                               \
      FIELD(CP_CPC_STATUS__SAVE_RESTORE_BUSY, 14, 14, "")                                          \
      FIELD(CP_CPC_STATUS__CPG_CPC_BUSY, 29, 29, "")                                               \
      FIELD(CP_CPC_STATUS__CPF_CPC_BUSY, 30, 30, "")                                               \
      FIELD(CP_CPC_STATUS__CPC_BUSY, 31, 31, "")                                                   \
    REG(CP_CPC_BUSY_STAT, 0x08214, 1, 4, RO, 0x0, "what the MECs are at")                          \
      FIELD(CP_CPC_BUSY_STAT__MEC1_LOAD_BUSY, 0, 0, "")                                            \
      FIELD(CP_CPC_BUSY_STAT__MEC1_SEMAPOHRE_BUSY, 1, 1, "")                                       \
      FIELD(CP_CPC_BUSY_STAT__MEC1_MUTEX_BUSY, 2, 2, "")                                           \
      FIELD(CP_CPC_BUSY_STAT__MEC1_MESSAGE_BUSY, 3, 3, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC1_EOP_QUEUE_BUSY, 4, 4, "")                                       \
      FIELD(CP_CPC_BUSY_STAT__MEC1_IQ_QUEUE_BUSY, 5, 5, "")                                        \
      FIELD(CP_CPC_BUSY_STAT__MEC1_IB_QUEUE_BUSY, 6, 6, "")                                        \
      FIELD(CP_CPC_BUSY_STAT__MEC1_TC_BUSY, 7, 7, "")                                              \
      FIELD(CP_CPC_BUSY_STAT__MEC1_DMA_BUSY, 8, 8, "")                                             \
      FIELD(CP_CPC_BUSY_STAT__MEC1_PARTIAL_FLUSH_BUSY, 9, 9, "")                                   \
      FIELD(CP_CPC_BUSY_STAT__MEC1_PIPE0_BUSY, 10, 10, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC1_PIPE1_BUSY, 11, 11, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC1_PIPE2_BUSY, 12, 12, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC1_PIPE3_BUSY, 13, 13, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC2_LOAD_BUSY, 16, 16, "")                                          \
      FIELD(CP_CPC_BUSY_STAT__MEC2_SEMAPOHRE_BUSY, 17, 17, "")                                     \
      FIELD(CP_CPC_BUSY_STAT__MEC2_MUTEX_BUSY, 18, 18, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC2_MESSAGE_BUSY, 19, 19, "")                                       \
      FIELD(CP_CPC_BUSY_STAT__MEC2_EOP_QUEUE_BUSY, 20, 20, "")                                     \
      FIELD(CP_CPC_BUSY_STAT__MEC2_IQ_QUEUE_BUSY, 21, 21, "")                                      \
      FIELD(CP_CPC_BUSY_STAT__MEC2_IB_QUEUE_BUSY, 22, 22, "")                                      \
      FIELD(CP_CPC_BUSY_STAT__MEC2_TC_BUSY, 23, 23, "")                                            \
      FIELD(CP_CPC_BUSY_STAT__MEC2_DMA_BUSY, 24, 24, "")                                           \
      FIELD(CP_CPC_BUSY_STAT__MEC2_PARTIAL_FLUSH_BUSY, 25, 25, "")                                 \
      FIELD(CP_CPC_BUSY_STAT__MEC2_PIPE0_BUSY, 26, 26, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC2_PIPE1_BUSY, 27, 27, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC2_PIPE2_BUSY, 28, 28, "")                                         \
      FIELD(CP_CPC_BUSY_STAT__MEC2_PIPE3_BUSY, 29, 29, "")                                         \
    REG(CP_CPC_STALLED_STAT1, 0x08218, 1, 4, RO, 0x0, "on what they wait")                         \
      FIELD(CP_CPC_STALLED_STAT1__RCIU_TX_FREE_STALL, 3, 3, "")                                    \
      FIELD(CP_CPC_STALLED_STAT1__RCIU_PRIV_VIOLATION, 4, 4, "")                                   \
      FIELD(CP_CPC_STALLED_STAT1__TCIU_TX_FREE_STALL, 6, 6, "")                                    \
      FIELD(CP_CPC_STALLED_STAT1__MEC1_DECODING_PACKET, 8, 8, "")                                  \
      FIELD(CP_CPC_STALLED_STAT1__MEC1_WAIT_ON_RCIU, 9, 9, "")                                     \
      FIELD(CP_CPC_STALLED_STAT1__MEC1_WAIT_ON_RCIU_READ, 10, 10, "")                              \
      FIELD(CP_CPC_STALLED_STAT1__MEC1_WAIT_ON_ROQ_DATA, 13, 13, "")                               \
      FIELD(CP_CPC_STALLED_STAT1__MEC2_DECODING_PACKET, 16, 16, "")                                \
      FIELD(CP_CPC_STALLED_STAT1__MEC2_WAIT_ON_RCIU, 17, 17, "")                                   \
      FIELD(CP_CPC_STALLED_STAT1__MEC2_WAIT_ON_RCIU_READ, 18, 18, "")                              \
      FIELD(CP_CPC_STALLED_STAT1__MEC2_WAIT_ON_ROQ_DATA, 21, 21, "")                               \
      FIELD(CP_CPC_STALLED_STAT1__UTCL2IU_WAITING_ON_FREE, 22, 22, "")                             \
      FIELD(CP_CPC_STALLED_STAT1__UTCL2IU_WAITING_ON_TAGS, 23, 23, "")                             \
      FIELD(CP_CPC_STALLED_STAT1__UTCL1_WAITING_ON_TRANS, 24, 24, "")                              \
    REG(CP_CPF_STATUS, 0x0821c, 1, 4, RO, 0x0, "fetching part (CPF)")                              \
      FIELD(CP_CPF_STATUS__POST_WPTR_GFX_BUSY, 0, 0, "")                                           \
      FIELD(CP_CPF_STATUS__CSF_BUSY, 1, 1, "")                                                     \
      FIELD(CP_CPF_STATUS__ROQ_ALIGN_BUSY, 4, 4, "")                                               \
      FIELD(CP_CPF_STATUS__ROQ_RING_BUSY, 5, 5, "")                                                \
      FIELD(CP_CPF_STATUS__ROQ_INDIRECT1_BUSY, 6, 6, "")                                           \
      FIELD(CP_CPF_STATUS__ROQ_INDIRECT2_BUSY, 7, 7, "")                                           \
      FIELD(CP_CPF_STATUS__ROQ_STATE_BUSY, 8, 8, "")                                               \
      FIELD(CP_CPF_STATUS__ROQ_CE_RING_BUSY, 9, 9, "")                                             \
      FIELD(CP_CPF_STATUS__ROQ_CE_INDIRECT1_BUSY, 10, 10, "")                                      \
      FIELD(CP_CPF_STATUS__ROQ_CE_INDIRECT2_BUSY, 11, 11, "")                                      \
      FIELD(CP_CPF_STATUS__SEMAPHORE_BUSY, 12, 12, "")                                             \
      FIELD(CP_CPF_STATUS__INTERRUPT_BUSY, 13, 13, "")                                             \
      FIELD(CP_CPF_STATUS__TCIU_BUSY, 14, 14, "")                                                  \
      FIELD(CP_CPF_STATUS__HQD_BUSY, 15, 15, "")                                                   \
      FIELD(CP_CPF_STATUS__PRT_BUSY, 16, 16, "")                                                   \
      FIELD(CP_CPF_STATUS__UTCL2IU_BUSY, 17, 17, "")                                               \
      FIELD(CP_CPF_STATUS__CPF_GFX_BUSY, 26, 26, "")                                               \
      FIELD(CP_CPF_STATUS__CPF_CMP_BUSY, 27, 27, "")                                               \
      FIELD(CP_CPF_STATUS__GRBM_CPF_STAT_BUSY, 29, 28, "")                                         \
      FIELD(CP_CPF_STATUS__CPC_CPF_BUSY, 30, 30, "")                                               \
      FIELD(CP_CPF_STATUS__CPF_BUSY, 31, 31, "")                                                   \
    REG(CP_MEC_CNTL, 0x08234, 1, 4, HOOK, 0x50000000, "halt, step and reset of the MECs")          \
      FIELD(CP_MEC_CNTL__MEC_INVALIDATE_ICACHE, 4, 4, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME1_PIPE0_RESET, 16, 16, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME1_PIPE1_RESET, 17, 17, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME1_PIPE2_RESET, 18, 18, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME1_PIPE3_RESET, 19, 19, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME2_PIPE0_RESET, 20, 20, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME2_PIPE1_RESET, 21, 21, "")                                          \
      FIELD(CP_MEC_CNTL__MEC_ME2_HALT, 28, 28, "")                                                 \
      FIELD(CP_MEC_CNTL__MEC_ME2_STEP, 29, 29, "")                                                 \
      FIELD(CP_MEC_CNTL__MEC_ME1_HALT, 30, 30, "")                                                 \
      FIELD(CP_MEC_CNTL__MEC_ME1_STEP, 31, 31, "")                                                 \
    REG(CP_MEC_ME1_HEADER_DUMP, 0x08238, 1, 4, RO, 0x0, "last packet headers of MEC1")             \
    REG(CP_STAT, 0x08680, 1, 4, RO, 0x0, "")                                                       \
      FIELD(CP_STAT__ROQ_RING_BUSY, 9, 9, "")                                                      \
      FIELD(CP_STAT__ROQ_INDIRECT1_BUSY, 10, 10, "")                                               \
      FIELD(CP_STAT__ROQ_INDIRECT2_BUSY, 11, 11, "")                                               \
      FIELD(CP_STAT__ROQ_STATE_BUSY, 12, 12, "")                                                   \
      FIELD(CP_STAT__DC_BUSY, 13, 13, "")                                                          \
      FIELD(CP_STAT__UTCL2IU_BUSY, 14, 14, "")                                                     \
      FIELD(CP_STAT__PFP_BUSY, 15, 15, "")                                                         \
      FIELD(CP_STAT__MEQ_BUSY, 16, 16, "")                                                         \
      FIELD(CP_STAT__ME_BUSY, 17, 17, "")                                                          \
      FIELD(CP_STAT__QUERY_BUSY, 18, 18, "")                                                       \
      FIELD(CP_STAT__SEMAPHORE_BUSY, 19, 19, "")                                                   \
      FIELD(CP_STAT__INTERRUPT_BUSY, 20, 20, "")                                                   \
      FIELD(CP_STAT__SURFACE_SYNC_BUSY, 21, 21, "")                                                \
      FIELD(CP_STAT__DMA_BUSY, 22, 22, "")                                                         \
      FIELD(CP_STAT__RCIU_BUSY, 23, 23, "")                                                        \
      FIELD(CP_STAT__SCRATCH_RAM_BUSY, 24, 24, "")                                                 \
      FIELD(CP_STAT__CE_BUSY, 26, 26, "")                                                          \
      FIELD(CP_STAT__TCIU_BUSY, 27, 27, "")                                                        \
      FIELD(CP_STAT__ROQ_CE_RING_BUSY, 28, 28, "")                                                 \
      FIELD(CP_STAT__ROQ_CE_INDIRECT1_BUSY, 29, 29, "")                                            \
      FIELD(CP_STAT__ROQ_CE_INDIRECT2_BUSY, 30, 30, "")                                            \
      FIELD(CP_STAT__CP_BUSY, 31, 31, "")                                                          \
    REG(CP_MEC_DOORBELL_RANGE_LOWER, 0x0c170, 1, 4, RW, 0x48, "doorbells from here on are the MECs', in bytes") \
      FIELD(CP_MEC_DOORBELL_RANGE_LOWER__DOORBELL_RANGE_LOWER, 27, 2, "")                          \
    REG(CP_MEC_DOORBELL_RANGE_UPPER, 0x0c174, 1, 4, RW, 0xffffffc, "up to here")                   \
      FIELD(CP_MEC_DOORBELL_RANGE_UPPER__DOORBELL_RANGE_UPPER, 27, 2, "")                          \
    REG(CP_PQ_WPTR_POLL_CNTL, 0x0c20c, 1, 4, RW, 0x1, "reading write pointers from memory")        \
      FIELD(CP_PQ_WPTR_POLL_CNTL__PERIOD, 7, 0, "")                                                \
      FIELD(CP_PQ_WPTR_POLL_CNTL__DISABLE_PEND_REQ_ONE_SHOT, 29, 29, "")                           \
      FIELD(CP_PQ_WPTR_POLL_CNTL__POLL_ACTIVE, 30, 30, "")                                         \
      FIELD(CP_PQ_WPTR_POLL_CNTL__EN, 31, 31, "")                                                  \
    REG(CP_PQ_WPTR_POLL_CNTL1, 0x0c210, 1, 4, HOOK, 0x0, "bit pipe * 8 + queue of MEC1: read its write pointer once") \
    REG(CP_ME1_PIPE0_INT_CNTL, 0x0c214, 4, 4, RW, 0x0, "interrupts of MEC1's pipe i: AMD counts PIPE0 to PIPE3") \
      FIELD(CP_ME1_PIPE0_INT_CNTL__CMP_QUERY_STATUS_INT_ENABLE, 12, 12, "")                        \
      FIELD(CP_ME1_PIPE0_INT_CNTL__DEQUEUE_REQUEST_INT_ENABLE, 13, 13, "")                         \
      FIELD(CP_ME1_PIPE0_INT_CNTL__CP_ECC_ERROR_INT_ENABLE, 14, 14, "")                            \
      FIELD(CP_ME1_PIPE0_INT_CNTL__SUA_VIOLATION_INT_ENABLE, 15, 15, "")                           \
      FIELD(CP_ME1_PIPE0_INT_CNTL__GPF_INT_ENABLE, 16, 16, "")                                     \
      FIELD(CP_ME1_PIPE0_INT_CNTL__WRM_POLL_TIMEOUT_INT_ENABLE, 17, 17, "")                        \
      FIELD(CP_ME1_PIPE0_INT_CNTL__PRIV_REG_INT_ENABLE, 23, 23, "")                                \
      FIELD(CP_ME1_PIPE0_INT_CNTL__OPCODE_ERROR_INT_ENABLE, 24, 24, "")                            \
      FIELD(CP_ME1_PIPE0_INT_CNTL__TIME_STAMP_INT_ENABLE, 26, 26, "")                              \
      FIELD(CP_ME1_PIPE0_INT_CNTL__GENERIC2_INT_ENABLE, 29, 29, "")                                \
      FIELD(CP_ME1_PIPE0_INT_CNTL__GENERIC1_INT_ENABLE, 30, 30, "")                                \
      FIELD(CP_ME1_PIPE0_INT_CNTL__GENERIC0_INT_ENABLE, 31, 31, "")                                \
    REG(CP_ME2_PIPE0_INT_CNTL, 0x0c224, 4, 4, RW, 0x0, "of MEC2's pipe i")                         \
      FIELD(CP_ME2_PIPE0_INT_CNTL__CMP_QUERY_STATUS_INT_ENABLE, 12, 12, "")                        \
      FIELD(CP_ME2_PIPE0_INT_CNTL__DEQUEUE_REQUEST_INT_ENABLE, 13, 13, "")                         \
      FIELD(CP_ME2_PIPE0_INT_CNTL__CP_ECC_ERROR_INT_ENABLE, 14, 14, "")                            \
      FIELD(CP_ME2_PIPE0_INT_CNTL__SUA_VIOLATION_INT_ENABLE, 15, 15, "")                           \
      FIELD(CP_ME2_PIPE0_INT_CNTL__GPF_INT_ENABLE, 16, 16, "")                                     \
      FIELD(CP_ME2_PIPE0_INT_CNTL__WRM_POLL_TIMEOUT_INT_ENABLE, 17, 17, "")                        \
      FIELD(CP_ME2_PIPE0_INT_CNTL__PRIV_REG_INT_ENABLE, 23, 23, "")                                \
      FIELD(CP_ME2_PIPE0_INT_CNTL__OPCODE_ERROR_INT_ENABLE, 24, 24, "")                            \
      FIELD(CP_ME2_PIPE0_INT_CNTL__TIME_STAMP_INT_ENABLE, 26, 26, "")                              \
      FIELD(CP_ME2_PIPE0_INT_CNTL__GENERIC2_INT_ENABLE, 29, 29, "")                                \
      FIELD(CP_ME2_PIPE0_INT_CNTL__GENERIC1_INT_ENABLE, 30, 30, "")                                \
      FIELD(CP_ME2_PIPE0_INT_CNTL__GENERIC0_INT_ENABLE, 31, 31, "")                                \
    REG(CP_ME1_PIPE0_INT_STATUS, 0x0c234, 4, 4, RO, 0x0, "interrupts of MEC1's pipe i")            \
      FIELD(CP_ME1_PIPE0_INT_STATUS__CMP_QUERY_STATUS_INT_STATUS, 12, 12, "")                      \
      FIELD(CP_ME1_PIPE0_INT_STATUS__DEQUEUE_REQUEST_INT_STATUS, 13, 13, "")                       \
      FIELD(CP_ME1_PIPE0_INT_STATUS__CP_ECC_ERROR_INT_STATUS, 14, 14, "")                          \
      FIELD(CP_ME1_PIPE0_INT_STATUS__SUA_VIOLATION_INT_STATUS, 15, 15, "")                         \
      FIELD(CP_ME1_PIPE0_INT_STATUS__GPF_INT_STATUS, 16, 16, "")                                   \
      FIELD(CP_ME1_PIPE0_INT_STATUS__WRM_POLL_TIMEOUT_INT_STATUS, 17, 17, "")                      \
      FIELD(CP_ME1_PIPE0_INT_STATUS__PRIV_REG_INT_STATUS, 23, 23, "")                              \
      FIELD(CP_ME1_PIPE0_INT_STATUS__OPCODE_ERROR_INT_STATUS, 24, 24, "")                          \
      FIELD(CP_ME1_PIPE0_INT_STATUS__TIME_STAMP_INT_STATUS, 26, 26, "")                            \
      FIELD(CP_ME1_PIPE0_INT_STATUS__GENERIC2_INT_STATUS, 29, 29, "")                              \
      FIELD(CP_ME1_PIPE0_INT_STATUS__GENERIC1_INT_STATUS, 30, 30, "")                              \
      FIELD(CP_ME1_PIPE0_INT_STATUS__GENERIC0_INT_STATUS, 31, 31, "")                              \
    REG(CP_ME2_PIPE0_INT_STATUS, 0x0c244, 4, 4, RO, 0x0, "of MEC2's pipe i")                       \
      FIELD(CP_ME2_PIPE0_INT_STATUS__CMP_QUERY_STATUS_INT_STATUS, 12, 12, "")                      \
      FIELD(CP_ME2_PIPE0_INT_STATUS__DEQUEUE_REQUEST_INT_STATUS, 13, 13, "")                       \
      FIELD(CP_ME2_PIPE0_INT_STATUS__CP_ECC_ERROR_INT_STATUS, 14, 14, "")                          \
      FIELD(CP_ME2_PIPE0_INT_STATUS__SUA_VIOLATION_INT_STATUS, 15, 15, "")                         \
      FIELD(CP_ME2_PIPE0_INT_STATUS__GPF_INT_STATUS, 16, 16, "")                                   \
      FIELD(CP_ME2_PIPE0_INT_STATUS__WRM_POLL_TIMEOUT_INT_STATUS, 17, 17, "")                      \
      FIELD(CP_ME2_PIPE0_INT_STATUS__PRIV_REG_INT_STATUS, 23, 23, "")                              \
      FIELD(CP_ME2_PIPE0_INT_STATUS__OPCODE_ERROR_INT_STATUS, 24, 24, "")                          \
      FIELD(CP_ME2_PIPE0_INT_STATUS__TIME_STAMP_INT_STATUS, 26, 26, "")                            \
      FIELD(CP_ME2_PIPE0_INT_STATUS__GENERIC2_INT_STATUS, 29, 29, "")                              \
      FIELD(CP_ME2_PIPE0_INT_STATUS__GENERIC1_INT_STATUS, 30, 30, "")                              \
      FIELD(CP_ME2_PIPE0_INT_STATUS__GENERIC0_INT_STATUS, 31, 31, "")                              \
    REG(CP_IQ_WAIT_TIME1, 0x0c2bc, 1, 4, RW, 0x40404040, "how long a queue that waits keeps its pipe") \
      FIELD(CP_IQ_WAIT_TIME1__IB_OFFLOAD, 7, 0, "")                                                \
      FIELD(CP_IQ_WAIT_TIME1__ATOMIC_OFFLOAD, 15, 8, "")                                           \
      FIELD(CP_IQ_WAIT_TIME1__WRM_OFFLOAD, 23, 16, "")                                             \
      FIELD(CP_IQ_WAIT_TIME1__GWS, 31, 24, "")                                                     \
    REG(CP_IQ_WAIT_TIME2, 0x0c2c0, 1, 4, RW, 0x40404040, "")                                       \
      FIELD(CP_IQ_WAIT_TIME2__QUE_SLEEP, 7, 0, "")                                                 \
      FIELD(CP_IQ_WAIT_TIME2__SCH_WAVE, 15, 8, "grace period before waves are saved; 0 would be for ever") \
      FIELD(CP_IQ_WAIT_TIME2__SEM_REARM, 23, 16, "")                                               \
      FIELD(CP_IQ_WAIT_TIME2__DEQ_RETRY, 31, 24, "")                                               \
    REG(CP_VMID_RESET, 0x0c2cc, 1, 4, HOOK, 0x0, "bit per VMID: end its waves")                    \
      FIELD(CP_VMID_RESET__RESET_REQUEST, 15, 0, "")                                               \
    REG(CPC_INT_CNTL, 0x0c2d0, 1, 4, RW, 0x0, "interrupts that KFD enables, of the pipe that GRBM_GFX_CNTL selects") \
      FIELD(CPC_INT_CNTL__CMP_QUERY_STATUS_INT_ENABLE, 12, 12, "")                                 \
      FIELD(CPC_INT_CNTL__DEQUEUE_REQUEST_INT_ENABLE, 13, 13, "")                                  \
      FIELD(CPC_INT_CNTL__CP_ECC_ERROR_INT_ENABLE, 14, 14, "")                                     \
      FIELD(CPC_INT_CNTL__SUA_VIOLATION_INT_ENABLE, 15, 15, "")                                    \
      FIELD(CPC_INT_CNTL__GPF_INT_ENABLE, 16, 16, "")                                              \
      FIELD(CPC_INT_CNTL__WRM_POLL_TIMEOUT_INT_ENABLE, 17, 17, "")                                 \
      FIELD(CPC_INT_CNTL__PRIV_REG_INT_ENABLE, 23, 23, "")                                         \
      FIELD(CPC_INT_CNTL__OPCODE_ERROR_INT_ENABLE, 24, 24, "")                                     \
      FIELD(CPC_INT_CNTL__TIME_STAMP_INT_ENABLE, 26, 26, "")                                       \
      FIELD(CPC_INT_CNTL__GENERIC2_INT_ENABLE, 29, 29, "")                                         \
      FIELD(CPC_INT_CNTL__GENERIC1_INT_ENABLE, 30, 30, "")                                         \
      FIELD(CPC_INT_CNTL__GENERIC0_INT_ENABLE, 31, 31, "")                                         \
    REG(CPC_INT_STATUS, 0x0c2d4, 1, 4, RO, 0x0, "")                                                \
      FIELD(CPC_INT_STATUS__CMP_QUERY_STATUS_INT_STATUS, 12, 12, "")                               \
      FIELD(CPC_INT_STATUS__DEQUEUE_REQUEST_INT_STATUS, 13, 13, "")                                \
      FIELD(CPC_INT_STATUS__CP_ECC_ERROR_INT_STATUS, 14, 14, "")                                   \
      FIELD(CPC_INT_STATUS__SUA_VIOLATION_INT_STATUS, 15, 15, "")                                  \
      FIELD(CPC_INT_STATUS__GPF_INT_STATUS, 16, 16, "")                                            \
      FIELD(CPC_INT_STATUS__WRM_POLL_TIMEOUT_INT_STATUS, 17, 17, "")                               \
      FIELD(CPC_INT_STATUS__PRIV_REG_INT_STATUS, 23, 23, "")                                       \
      FIELD(CPC_INT_STATUS__OPCODE_ERROR_INT_STATUS, 24, 24, "")                                   \
      FIELD(CPC_INT_STATUS__TIME_STAMP_INT_STATUS, 26, 26, "")                                     \
      FIELD(CPC_INT_STATUS__GENERIC2_INT_STATUS, 29, 29, "")                                       \
      FIELD(CPC_INT_STATUS__GENERIC1_INT_STATUS, 30, 30, "")                                       \
      FIELD(CPC_INT_STATUS__GENERIC0_INT_STATUS, 31, 31, "")                                       \
    REG(CP_VMID_PREEMPT, 0x0c2d8, 1, 4, HOOK, 0x0, "")                                             \
      FIELD(CP_VMID_PREEMPT__PREEMPT_REQUEST, 15, 0, "")                                           \
      FIELD(CP_VMID_PREEMPT__VIRT_COMMAND, 19, 16, "")                                             \
    REG(CP_PQ_STATUS, 0x0c2e0, 1, 4, RW, 0x0, "")                                                  \
      FIELD(CP_PQ_STATUS__DOORBELL_UPDATED, 0, 0, "")                                              \
      FIELD(CP_PQ_STATUS__DOORBELL_ENABLE, 1, 1, "")                                               \
    REG(CP_HPD_ROQ_OFFSETS, 0x0c900, 1, 4, RW, 0x200604, "by GRBM_GFX_CNTL: of a pipe")            \
      FIELD(CP_HPD_ROQ_OFFSETS__IQ_OFFSET, 2, 0, "")                                               \
      FIELD(CP_HPD_ROQ_OFFSETS__PQ_OFFSET, 13, 8, "")                                              \
      FIELD(CP_HPD_ROQ_OFFSETS__IB_OFFSET, 21, 16, "")                                             \
    REG(CP_HPD_STATUS0, 0x0c904, 1, 4, RO, 0x1000000, "by GRBM_GFX_CNTL: of a pipe")               \
      FIELD(CP_HPD_STATUS0__QUEUE_STATE, 4, 0, "")                                                 \
      FIELD(CP_HPD_STATUS0__MAPPED_QUEUE, 7, 5, "")                                                \
      FIELD(CP_HPD_STATUS0__QUEUE_AVAILABLE, 15, 8, "")                                            \
      FIELD(CP_HPD_STATUS0__FETCHING_MQD, 16, 16, "")                                              \
      FIELD(CP_HPD_STATUS0__PEND_TXFER_SIZE_PQIB, 17, 17, "")                                      \
      FIELD(CP_HPD_STATUS0__PEND_TXFER_SIZE_IQ, 18, 18, "")                                        \
      FIELD(CP_HPD_STATUS0__FORCE_QUEUE_STATE, 24, 20, "")                                         \
      FIELD(CP_HPD_STATUS0__FORCE_QUEUE, 31, 31, "")                                               \
    REG(RLC_CP_SCHEDULERS, 0x3b2a8, 1, 4, RW, 0x58504840, "which queues are schedulers (HIQ), a byte each: 0x80 valid, me 6:5, pipe 4:3, queue 2:0") \
      FIELD(RLC_CP_SCHEDULERS__scheduler0, 7, 0, "")                                               \
      FIELD(RLC_CP_SCHEDULERS__scheduler1, 15, 8, "")                                              \
      FIELD(RLC_CP_SCHEDULERS__scheduler2, 23, 16, "")                                             \
      FIELD(RLC_CP_SCHEDULERS__scheduler3, 31, 24, "")
/* clang-format on */

enum { AMD_GRBM_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
enum { AMD_CP_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list amd_grbm_list, amd_cp_list;

#endif
