/* SPDX-License-Identifier: MIT */
/*
 * The fields of PM4 packets, one list for each packet (amd_layout.h describes the lists).  An
 * opcode that has several forms has several lists.  Dword 0 is the header.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_PM4_FIELDS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_PM4_FIELDS_H

#include "devices/amd/formats/amd_layout.h"

/* clang-format off */
#define AMD_PM4_SET_BASE_FIELDS(F, R)                                                              \
    F(PM4_SET_BASE, BASE_INDEX, 1, 0, 4, 0, DEC, NULL)                                             \
    F(PM4_SET_BASE, ADDR, 2, 3, 61, 3, HEX, NULL)

#define AMD_PM4_CLEAR_STATE_FIELDS(F, R)                                                           \
    F(PM4_CLEAR_STATE, COMMAND, 1, 0, 4, 0, DEC, NULL)

#define AMD_PM4_DISPATCH_DIRECT_FIELDS(F, R)                                                       \
    F(PM4_DISPATCH_DIRECT, DIM_X, 1, 0, 32, 0, DEC, NULL)                                          \
    F(PM4_DISPATCH_DIRECT, DIM_Y, 2, 0, 32, 0, DEC, NULL)                                          \
    F(PM4_DISPATCH_DIRECT, DIM_Z, 3, 0, 32, 0, DEC, NULL)                                          \
    R(PM4_DISPATCH_DIRECT, INITIATOR, 4, COMPUTE_DISPATCH_INITIATOR)

#define AMD_PM4_DISPATCH_INDIRECT_FIELDS(F, R)                                                     \
    F(PM4_DISPATCH_INDIRECT, ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    R(PM4_DISPATCH_INDIRECT, INITIATOR, 3, COMPUTE_DISPATCH_INITIATOR)

#define AMD_PM4_DISPATCH_INDIRECT_ME_FIELDS(F, R)                                                  \
    F(PM4_DISPATCH_INDIRECT_ME, DATA_OFFSET, 1, 0, 32, 0, HEX, NULL)                               \
    R(PM4_DISPATCH_INDIRECT_ME, INITIATOR, 2, COMPUTE_DISPATCH_INITIATOR)

#define AMD_PM4_ATOMIC_MEM_FIELDS(F, R)                                                            \
    F(PM4_ATOMIC_MEM, ATOMIC, 1, 0, 7, 0, HEX, amd_atomics)                                        \
    F(PM4_ATOMIC_MEM, COMMAND, 1, 8, 4, 0, DEC, atomic_commands)                                   \
    F(PM4_ATOMIC_MEM, CACHE_POLICY, 1, 25, 2, 0, DEC, cache_policies)                              \
    F(PM4_ATOMIC_MEM, ADDR, 2, 0, 64, 0, HEX, NULL)                                                \
    F(PM4_ATOMIC_MEM, SRC_DATA, 4, 0, 64, 0, HEX, NULL)                                            \
    F(PM4_ATOMIC_MEM, CMP_DATA, 6, 0, 64, 0, HEX, NULL)                                            \
    F(PM4_ATOMIC_MEM, LOOP_INTERVAL, 8, 0, 13, 0, DEC, NULL)

#define AMD_PM4_COND_EXEC_FIELDS(F, R)                                                             \
    F(PM4_COND_EXEC, ADDR, 1, 2, 62, 2, HEX, NULL)                                                 \
    F(PM4_COND_EXEC, EXEC_COUNT, 4, 0, 14, 0, DEC, NULL)

#define AMD_PM4_PRED_EXEC_FIELDS(F, R)                                                             \
    F(PM4_PRED_EXEC, EXEC_COUNT, 1, 0, 14, 0, DEC, NULL)                                           \
    F(PM4_PRED_EXEC, DEVICE_SELECT, 1, 24, 8, 0, HEX, NULL)

#define AMD_PM4_WRITE_DATA_FIELDS(F, R)                                                            \
    F(PM4_WRITE_DATA, DST_SEL, 1, 8, 4, 0, DEC, write_dst)                                         \
    F(PM4_WRITE_DATA, WR_ONE_ADDR, 1, 16, 1, 0, DEC, NULL)                                         \
    F(PM4_WRITE_DATA, WR_CONFIRM, 1, 20, 1, 0, DEC, NULL)                                          \
    F(PM4_WRITE_DATA, CACHE_POLICY, 1, 25, 2, 0, DEC, cache_policies)                              \
    F(PM4_WRITE_DATA, ENGINE_SEL, 1, 30, 2, 0, DEC, engines)                                       \
    F(PM4_WRITE_DATA, DST_ADDR, 2, 0, 64, 0, HEX, NULL)

#define AMD_PM4_MEM_SEMAPHORE_FIELDS(F, R)                                                         \
    F(PM4_MEM_SEMAPHORE, ADDR, 1, 3, 37, 3, HEX, NULL)                                             \
    F(PM4_MEM_SEMAPHORE, USE_MAILBOX, 2, 16, 1, 0, DEC, NULL)                                      \
    F(PM4_MEM_SEMAPHORE, SIGNAL_TYPE, 2, 20, 1, 0, DEC, signal_types)                              \
    F(PM4_MEM_SEMAPHORE, SEM_SEL, 2, 29, 3, 0, DEC, sem_sels)

#define AMD_PM4_WAIT_REG_MEM_FIELDS(F, R)                                                          \
    F(PM4_WAIT_REG_MEM, FUNCTION, 1, 0, 3, 0, DEC, amd_functions)                                  \
    F(PM4_WAIT_REG_MEM, MEM_SPACE, 1, 4, 2, 0, DEC, mem_spaces)                                    \
    F(PM4_WAIT_REG_MEM, OPERATION, 1, 6, 2, 0, DEC, wait_operations)                               \
    F(PM4_WAIT_REG_MEM, ENGINE_SEL, 1, 8, 2, 0, DEC, engines)                                      \
    F(PM4_WAIT_REG_MEM, POLL_ADDR, 2, 2, 62, 2, HEX, NULL)                                         \
    F(PM4_WAIT_REG_MEM, REFERENCE, 4, 0, 32, 0, HEX, NULL)                                         \
    F(PM4_WAIT_REG_MEM, MASK, 5, 0, 32, 0, HEX, NULL)                                              \
    F(PM4_WAIT_REG_MEM, POLL_INTERVAL, 6, 0, 16, 0, DEC, NULL)                                     \
    F(PM4_WAIT_REG_MEM, OPTIMIZE_ACE_OFFLOAD, 6, 31, 1, 0, DEC, NULL)

#define AMD_PM4_WAIT_REG_MEM_REG_FIELDS(F, R)                                                      \
    F(PM4_WAIT_REG_MEM_REG, FUNCTION, 1, 0, 3, 0, DEC, amd_functions)                              \
    F(PM4_WAIT_REG_MEM_REG, MEM_SPACE, 1, 4, 2, 0, DEC, mem_spaces)                                \
    F(PM4_WAIT_REG_MEM_REG, OPERATION, 1, 6, 2, 0, DEC, wait_operations)                           \
    F(PM4_WAIT_REG_MEM_REG, ENGINE_SEL, 1, 8, 2, 0, DEC, engines)                                  \
    F(PM4_WAIT_REG_MEM_REG, REG, 2, 0, 18, 0, HEX, NULL)                                           \
    F(PM4_WAIT_REG_MEM_REG, REG2, 3, 0, 18, 0, HEX, NULL)                                          \
    F(PM4_WAIT_REG_MEM_REG, REFERENCE, 4, 0, 32, 0, HEX, NULL)                                     \
    F(PM4_WAIT_REG_MEM_REG, MASK, 5, 0, 32, 0, HEX, NULL)                                          \
    F(PM4_WAIT_REG_MEM_REG, POLL_INTERVAL, 6, 0, 16, 0, DEC, NULL)                                 \
    F(PM4_WAIT_REG_MEM_REG, OPTIMIZE_ACE_OFFLOAD, 6, 31, 1, 0, DEC, NULL)

#define AMD_PM4_INDIRECT_BUFFER_FIELDS(F, R)                                                       \
    F(PM4_INDIRECT_BUFFER, SWAP, 1, 0, 2, 0, DEC, NULL)                                            \
    F(PM4_INDIRECT_BUFFER, IB_BASE, 1, 2, 46, 2, HEX, NULL)                                        \
    F(PM4_INDIRECT_BUFFER, IB_SIZE, 3, 0, 20, 0, DEC, NULL)                                        \
    F(PM4_INDIRECT_BUFFER, CHAIN, 3, 20, 1, 0, DEC, NULL)                                          \
    F(PM4_INDIRECT_BUFFER, OFFLOAD_POLLING, 3, 21, 1, 0, DEC, NULL)                                \
    F(PM4_INDIRECT_BUFFER, VOLATILE, 3, 22, 1, 0, DEC, NULL)                                       \
    F(PM4_INDIRECT_BUFFER, VALID, 3, 23, 1, 0, DEC, NULL)                                          \
    F(PM4_INDIRECT_BUFFER, VMID, 3, 24, 4, 0, DEC, NULL)                                           \
    F(PM4_INDIRECT_BUFFER, CACHE_POLICY, 3, 28, 2, 0, DEC, cache_policies)                         \
    F(PM4_INDIRECT_BUFFER, PRIV, 3, 31, 1, 0, DEC, NULL)

#define AMD_PM4_COPY_DATA_FIELDS(F, R)                                                             \
    F(PM4_COPY_DATA, SRC_SEL, 1, 0, 4, 0, DEC, copy_src)                                           \
    F(PM4_COPY_DATA, DST_SEL, 1, 8, 4, 0, DEC, copy_dst)                                           \
    F(PM4_COPY_DATA, SRC_CACHE_POLICY, 1, 13, 2, 0, DEC, cache_policies)                           \
    F(PM4_COPY_DATA, COUNT_SEL, 1, 16, 1, 0, DEC, count_sels)                                      \
    F(PM4_COPY_DATA, WR_CONFIRM, 1, 20, 1, 0, DEC, NULL)                                           \
    F(PM4_COPY_DATA, DST_CACHE_POLICY, 1, 25, 2, 0, DEC, cache_policies)                           \
    F(PM4_COPY_DATA, PQ_EXE_STATUS, 1, 29, 1, 0, DEC, NULL)                                        \
    F(PM4_COPY_DATA, SRC, 2, 0, 64, 0, HEX, NULL)                                                  \
    F(PM4_COPY_DATA, DST, 4, 0, 64, 0, HEX, NULL)

#define AMD_PM4_PFP_SYNC_ME_FIELDS(F, R)                                                           \
    F(PM4_PFP_SYNC_ME, DUMMY, 1, 0, 32, 0, HEX, NULL)

#define AMD_PM4_EVENT_WRITE_FIELDS(F, R)                                                           \
    F(PM4_EVENT_WRITE, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types)                                   \
    F(PM4_EVENT_WRITE, EVENT_INDEX, 1, 8, 4, 0, DEC, write_indexes)                                \
    F(PM4_EVENT_WRITE, ADDR, 2, 3, 45, 3, HEX, NULL)

#define AMD_PM4_RELEASE_MEM_FIELDS(F, R)                                                           \
    F(PM4_RELEASE_MEM, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types)                                   \
    F(PM4_RELEASE_MEM, EVENT_INDEX, 1, 8, 4, 0, DEC, release_indexes)                              \
    F(PM4_RELEASE_MEM, TCL1_VOL_ACTION, 1, 12, 1, 0, DEC, NULL)                                    \
    F(PM4_RELEASE_MEM, TC_VOL_ACTION, 1, 13, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM, TC_WB_ACTION, 1, 15, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM, TCL1_ACTION, 1, 16, 1, 0, DEC, NULL)                                        \
    F(PM4_RELEASE_MEM, TC_ACTION, 1, 17, 1, 0, DEC, NULL)                                          \
    F(PM4_RELEASE_MEM, TC_NC_ACTION, 1, 19, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM, TC_WC_ACTION, 1, 20, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM, TC_MD_ACTION, 1, 21, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM, CACHE_POLICY, 1, 25, 2, 0, DEC, cache_policies)                             \
    F(PM4_RELEASE_MEM, PQ_EXE_STATUS, 1, 28, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM, DST_SEL, 2, 16, 2, 0, DEC, release_dst)                                     \
    F(PM4_RELEASE_MEM, INT_SEL, 2, 24, 3, 0, DEC, int_sels)                                        \
    F(PM4_RELEASE_MEM, DATA_SEL, 2, 29, 3, 0, DEC, data_sels)                                      \
    F(PM4_RELEASE_MEM, ADDR, 3, 0, 64, 0, HEX, NULL)                                               \
    F(PM4_RELEASE_MEM, DATA, 5, 0, 64, 0, HEX, NULL)                                               \
    F(PM4_RELEASE_MEM, INT_CTXID, 7, 0, 32, 0, HEX, NULL)

#define AMD_PM4_DMA_DATA_FIELDS(F, R)                                                              \
    F(PM4_DMA_DATA, ENGINE_SEL, 1, 0, 1, 0, DEC, engines)                                          \
    F(PM4_DMA_DATA, SRC_CACHE_POLICY, 1, 13, 2, 0, DEC, cache_policies)                            \
    F(PM4_DMA_DATA, DST_SEL, 1, 20, 2, 0, DEC, dma_dst)                                            \
    F(PM4_DMA_DATA, DST_CACHE_POLICY, 1, 25, 2, 0, DEC, cache_policies)                            \
    F(PM4_DMA_DATA, SRC_SEL, 1, 29, 2, 0, DEC, dma_src)                                            \
    F(PM4_DMA_DATA, CP_SYNC, 1, 31, 1, 0, DEC, NULL)                                               \
    F(PM4_DMA_DATA, SRC, 2, 0, 64, 0, HEX, NULL)                                                   \
    F(PM4_DMA_DATA, DST_ADDR, 4, 0, 64, 0, HEX, NULL)                                              \
    F(PM4_DMA_DATA, BYTE_COUNT, 6, 0, 26, 0, DEC, NULL)                                            \
    F(PM4_DMA_DATA, SAS, 6, 26, 1, 0, DEC, NULL)                                                   \
    F(PM4_DMA_DATA, DAS, 6, 27, 1, 0, DEC, NULL)                                                   \
    F(PM4_DMA_DATA, SAIC, 6, 28, 1, 0, DEC, NULL)                                                  \
    F(PM4_DMA_DATA, DAIC, 6, 29, 1, 0, DEC, NULL)                                                  \
    F(PM4_DMA_DATA, RAW_WAIT, 6, 30, 1, 0, DEC, NULL)

#define AMD_PM4_ACQUIRE_MEM_FIELDS(F, R)                                                           \
    F(PM4_ACQUIRE_MEM, TC_NC_ACTION, 1, 3, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM, TC_WC_ACTION, 1, 4, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM, TC_INV_METADATA_ACTION, 1, 5, 1, 0, DEC, NULL)                              \
    F(PM4_ACQUIRE_MEM, TCL1_VOL_ACTION, 1, 15, 1, 0, DEC, NULL)                                    \
    F(PM4_ACQUIRE_MEM, TC_WB_ACTION, 1, 18, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM, TCL1_ACTION, 1, 22, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM, TC_ACTION, 1, 23, 1, 0, DEC, NULL)                                          \
    F(PM4_ACQUIRE_MEM, CB_ACTION, 1, 25, 1, 0, DEC, NULL)                                          \
    F(PM4_ACQUIRE_MEM, DB_ACTION, 1, 26, 1, 0, DEC, NULL)                                          \
    F(PM4_ACQUIRE_MEM, SH_KCACHE_ACTION, 1, 27, 1, 0, DEC, NULL)                                   \
    F(PM4_ACQUIRE_MEM, SH_KCACHE_VOL_ACTION, 1, 28, 1, 0, DEC, NULL)                               \
    F(PM4_ACQUIRE_MEM, SH_ICACHE_ACTION, 1, 29, 1, 0, DEC, NULL)                                   \
    F(PM4_ACQUIRE_MEM, SH_KCACHE_WB_ACTION, 1, 30, 1, 0, DEC, NULL)                                \
    F(PM4_ACQUIRE_MEM, ENGINE_SEL, 1, 31, 1, 0, DEC, acquire_engines)                              \
    F(PM4_ACQUIRE_MEM, COHER_SIZE, 2, 0, 40, 0, HEX, NULL)                                         \
    F(PM4_ACQUIRE_MEM, COHER_BASE, 4, 0, 57, 0, HEX, NULL)                                         \
    F(PM4_ACQUIRE_MEM, POLL_INTERVAL, 6, 0, 16, 0, DEC, NULL)

#define AMD_PM4_SET_CONFIG_REG_FIELDS(F, R)                                                        \
    F(PM4_SET_CONFIG_REG, OFFSET, 1, 0, 16, 0, HEX, NULL)

#define AMD_PM4_SET_CONTEXT_REG_FIELDS(F, R)                                                       \
    F(PM4_SET_CONTEXT_REG, OFFSET, 1, 0, 16, 0, HEX, NULL)

#define AMD_PM4_SET_SH_REG_FIELDS(F, R)                                                            \
    F(PM4_SET_SH_REG, OFFSET, 1, 0, 16, 0, HEX, NULL)                                              \
    F(PM4_SET_SH_REG, INDEX, 1, 28, 4, 0, DEC, NULL)

#define AMD_PM4_SET_SH_REG_OFFSET_FIELDS(F, R)                                                     \
    F(PM4_SET_SH_REG_OFFSET, OFFSET, 1, 0, 16, 0, HEX, NULL)

#define AMD_PM4_SET_QUEUE_REG_FIELDS(F, R)                                                         \
    F(PM4_SET_QUEUE_REG, OFFSET, 1, 0, 8, 0, HEX, NULL)                                            \
    F(PM4_SET_QUEUE_REG, QUEUE_SELECT, 1, 15, 5, 0, DEC, NULL)

#define AMD_PM4_SET_UCONFIG_REG_FIELDS(F, R)                                                       \
    F(PM4_SET_UCONFIG_REG, OFFSET, 1, 0, 16, 0, HEX, NULL)                                         \
    F(PM4_SET_UCONFIG_REG, INDEX, 1, 28, 4, 0, DEC, NULL)

#define AMD_PM4_SWITCH_BUFFER_FIELDS(F, R)                                                         \
    F(PM4_SWITCH_BUFFER, DUMMY, 1, 0, 32, 0, HEX, NULL)

#define AMD_PM4_FRAME_CONTROL_FIELDS(F, R)                                                         \
    F(PM4_FRAME_CONTROL, TMZ, 1, 0, 1, 0, DEC, NULL)                                               \
    F(PM4_FRAME_CONTROL, COMMAND, 1, 28, 4, 0, DEC, frame_commands)

#define AMD_PM4_INVALIDATE_TLBS_FIELDS(F, R)                                                       \
    F(PM4_INVALIDATE_TLBS, DST_SEL, 1, 0, 1, 0, DEC, NULL)                                         \
    F(PM4_INVALIDATE_TLBS, ALL_HUB, 1, 4, 1, 0, DEC, NULL)                                         \
    F(PM4_INVALIDATE_TLBS, PASID, 1, 5, 16, 0, DEC, NULL)                                          \
    F(PM4_INVALIDATE_TLBS, FLUSH_TYPE, 1, 29, 3, 0, DEC, NULL)

#define AMD_PM4_SET_RESOURCES_FIELDS(F, R)                                                         \
    F(PM4_SET_RESOURCES, VMID_MASK, 1, 0, 16, 0, HEX, NULL)                                        \
    F(PM4_SET_RESOURCES, UNMAP_LATENCY, 1, 16, 8, 0, DEC, NULL)                                    \
    F(PM4_SET_RESOURCES, QUEUE_TYPE, 1, 29, 3, 0, DEC, resource_queues)                            \
    F(PM4_SET_RESOURCES, QUEUE_MASK, 2, 0, 64, 0, HEX, NULL)                                       \
    F(PM4_SET_RESOURCES, GWS_MASK, 4, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_SET_RESOURCES, OAC_MASK, 6, 0, 16, 0, HEX, NULL)                                         \
    F(PM4_SET_RESOURCES, GDS_HEAP_BASE, 7, 0, 6, 0, DEC, NULL)                                     \
    F(PM4_SET_RESOURCES, GDS_HEAP_SIZE, 7, 11, 6, 0, DEC, NULL)

#define AMD_PM4_MAP_PROCESS_FIELDS(F, R)                                                           \
    F(PM4_MAP_PROCESS, PASID, 1, 0, 16, 0, DEC, NULL)                                              \
    F(PM4_MAP_PROCESS, DIQ_ENABLE, 1, 24, 1, 0, DEC, NULL)                                         \
    F(PM4_MAP_PROCESS, PROCESS_QUANTUM, 1, 25, 7, 0, DEC, NULL)                                    \
    F(PM4_MAP_PROCESS, PAGE_TABLE_BASE, 2, 0, 64, 0, HEX, NULL)                                    \
    F(PM4_MAP_PROCESS, SH_MEM_BASES, 4, 0, 32, 0, HEX, NULL)                                       \
    F(PM4_MAP_PROCESS, SH_MEM_CONFIG, 5, 0, 32, 0, HEX, NULL)                                      \
    F(PM4_MAP_PROCESS, SQ_SHADER_TBA, 6, 0, 64, 0, HEX, NULL)                                      \
    F(PM4_MAP_PROCESS, SQ_SHADER_TMA, 8, 0, 64, 0, HEX, NULL)                                      \
    F(PM4_MAP_PROCESS, GDS_ADDR, 11, 0, 64, 0, HEX, NULL)                                          \
    F(PM4_MAP_PROCESS, NUM_GWS, 13, 0, 6, 0, DEC, NULL)                                            \
    F(PM4_MAP_PROCESS, SDMA_ENABLE, 13, 7, 1, 0, DEC, NULL)                                        \
    F(PM4_MAP_PROCESS, NUM_OAC, 13, 8, 4, 0, DEC, NULL)                                            \
    F(PM4_MAP_PROCESS, GDS_SIZE, 13, 16, 6, 0, DEC, NULL)                                          \
    F(PM4_MAP_PROCESS, NUM_QUEUES, 13, 22, 10, 0, DEC, NULL)                                       \
    F(PM4_MAP_PROCESS, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_PM4_MAP_PROCESS_GFX90A_FIELDS(F, R)                                                    \
    F(PM4_MAP_PROCESS_GFX90A, PASID, 1, 0, 16, 0, DEC, NULL)                                       \
    F(PM4_MAP_PROCESS_GFX90A, SINGLE_MEMOPS, 1, 16, 1, 0, DEC, NULL)                               \
    F(PM4_MAP_PROCESS_GFX90A, DEBUG_VMID, 1, 18, 4, 0, DEC, NULL)                                  \
    F(PM4_MAP_PROCESS_GFX90A, NEW_DEBUG, 1, 22, 1, 0, DEC, NULL)                                   \
    F(PM4_MAP_PROCESS_GFX90A, TMZ, 1, 23, 1, 0, DEC, NULL)                                         \
    F(PM4_MAP_PROCESS_GFX90A, DIQ_ENABLE, 1, 24, 1, 0, DEC, NULL)                                  \
    F(PM4_MAP_PROCESS_GFX90A, PROCESS_QUANTUM, 1, 25, 7, 0, DEC, NULL)                             \
    F(PM4_MAP_PROCESS_GFX90A, PAGE_TABLE_BASE, 2, 0, 64, 0, HEX, NULL)                             \
    F(PM4_MAP_PROCESS_GFX90A, SH_MEM_BASES, 4, 0, 32, 0, HEX, NULL)                                \
    F(PM4_MAP_PROCESS_GFX90A, SH_MEM_CONFIG, 5, 0, 32, 0, HEX, NULL)                               \
    F(PM4_MAP_PROCESS_GFX90A, SQ_SHADER_TBA, 6, 0, 64, 0, HEX, NULL)                               \
    F(PM4_MAP_PROCESS_GFX90A, SQ_SHADER_TMA, 8, 0, 64, 0, HEX, NULL)                               \
    F(PM4_MAP_PROCESS_GFX90A, GDS_ADDR, 11, 0, 64, 0, HEX, NULL)                                   \
    F(PM4_MAP_PROCESS_GFX90A, NUM_GWS, 13, 0, 6, 0, DEC, NULL)                                     \
    F(PM4_MAP_PROCESS_GFX90A, SDMA_ENABLE, 13, 7, 1, 0, DEC, NULL)                                 \
    F(PM4_MAP_PROCESS_GFX90A, NUM_OAC, 13, 8, 4, 0, DEC, NULL)                                     \
    F(PM4_MAP_PROCESS_GFX90A, GDS_SIZE_HI, 13, 12, 4, 0, DEC, NULL)                                \
    F(PM4_MAP_PROCESS_GFX90A, GDS_SIZE, 13, 16, 6, 0, DEC, NULL)                                   \
    F(PM4_MAP_PROCESS_GFX90A, NUM_QUEUES, 13, 22, 10, 0, DEC, NULL)                                \
    F(PM4_MAP_PROCESS_GFX90A, SPI_GDBG_PER_VMID_CNTL, 14, 0, 32, 0, HEX, NULL)                     \
    F(PM4_MAP_PROCESS_GFX90A, TCP_WATCH_CNTL0, 15, 0, 32, 0, HEX, NULL)                            \
    F(PM4_MAP_PROCESS_GFX90A, TCP_WATCH_CNTL1, 16, 0, 32, 0, HEX, NULL)                            \
    F(PM4_MAP_PROCESS_GFX90A, TCP_WATCH_CNTL2, 17, 0, 32, 0, HEX, NULL)                            \
    F(PM4_MAP_PROCESS_GFX90A, TCP_WATCH_CNTL3, 18, 0, 32, 0, HEX, NULL)                            \
    F(PM4_MAP_PROCESS_GFX90A, COMPLETION_SIGNAL, 19, 0, 64, 0, HEX, NULL)

#define AMD_PM4_MAP_QUEUES_FIELDS(F, R)                                                            \
    F(PM4_MAP_QUEUES, EXTENDED_ENGINE_SEL, 1, 2, 2, 0, DEC, NULL)                                  \
    F(PM4_MAP_QUEUES, QUEUE_SEL, 1, 4, 2, 0, DEC, map_queue_sels)                                  \
    F(PM4_MAP_QUEUES, VMID, 1, 8, 4, 0, DEC, NULL)                                                 \
    F(PM4_MAP_QUEUES, GWS_CONTROL_QUEUE, 1, 12, 1, 0, DEC, NULL)                                   \
    F(PM4_MAP_QUEUES, QUEUE, 1, 13, 3, 0, DEC, NULL)                                               \
    F(PM4_MAP_QUEUES, PIPE, 1, 16, 2, 0, DEC, NULL)                                                \
    F(PM4_MAP_QUEUES, ME, 1, 18, 2, 0, DEC, NULL)                                                  \
    F(PM4_MAP_QUEUES, QUEUE_TYPE, 1, 21, 3, 0, DEC, map_queue_types)                               \
    F(PM4_MAP_QUEUES, ALLOC_FORMAT, 1, 24, 2, 0, DEC, NULL)                                        \
    F(PM4_MAP_QUEUES, ENGINE_SEL, 1, 26, 3, 0, DEC, engine_sels)                                   \
    F(PM4_MAP_QUEUES, NUM_QUEUES, 1, 29, 3, 0, DEC, NULL)                                          \
    F(PM4_MAP_QUEUES, CHECK_DISABLE, 2, 1, 1, 0, DEC, NULL)                                        \
    F(PM4_MAP_QUEUES, DOORBELL_OFFSET, 2, 2, 26, 0, HEX, NULL)                                     \
    F(PM4_MAP_QUEUES, MQD_ADDR, 3, 0, 64, 0, HEX, NULL)                                            \
    F(PM4_MAP_QUEUES, WPTR_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_PM4_UNMAP_QUEUES_FIELDS(F, R)                                                          \
    F(PM4_UNMAP_QUEUES, ACTION, 1, 0, 2, 0, DEC, unmap_actions)                                    \
    F(PM4_UNMAP_QUEUES, EXTENDED_ENGINE_SEL, 1, 2, 2, 0, DEC, NULL)                                \
    F(PM4_UNMAP_QUEUES, QUEUE_SEL, 1, 4, 2, 0, DEC, unmap_queue_sels)                              \
    F(PM4_UNMAP_QUEUES, ENGINE_SEL, 1, 26, 3, 0, DEC, engine_sels)                                 \
    F(PM4_UNMAP_QUEUES, NUM_QUEUES, 1, 29, 3, 0, DEC, NULL)                                        \
    F(PM4_UNMAP_QUEUES, PASID, 2, 0, 16, 0, DEC, NULL)

#define AMD_PM4_UNMAP_QUEUES_DOORBELLS_FIELDS(F, R)                                                \
    F(PM4_UNMAP_QUEUES_DOORBELLS, ACTION, 1, 0, 2, 0, DEC, unmap_actions)                          \
    F(PM4_UNMAP_QUEUES_DOORBELLS, EXTENDED_ENGINE_SEL, 1, 2, 2, 0, DEC, NULL)                      \
    F(PM4_UNMAP_QUEUES_DOORBELLS, QUEUE_SEL, 1, 4, 2, 0, DEC, unmap_queue_sels)                    \
    F(PM4_UNMAP_QUEUES_DOORBELLS, ENGINE_SEL, 1, 26, 3, 0, DEC, engine_sels)                       \
    F(PM4_UNMAP_QUEUES_DOORBELLS, NUM_QUEUES, 1, 29, 3, 0, DEC, NULL)                              \
    F(PM4_UNMAP_QUEUES_DOORBELLS, DOORBELL_OFFSET0, 2, 2, 26, 0, HEX, NULL)                        \
    F(PM4_UNMAP_QUEUES_DOORBELLS, DOORBELL_OFFSET1, 3, 2, 26, 0, HEX, NULL)                        \
    F(PM4_UNMAP_QUEUES_DOORBELLS, DOORBELL_OFFSET2, 4, 2, 26, 0, HEX, NULL)                        \
    F(PM4_UNMAP_QUEUES_DOORBELLS, DOORBELL_OFFSET3, 5, 2, 26, 0, HEX, NULL)

#define AMD_PM4_UNMAP_QUEUES_ALL_FIELDS(F, R)                                                      \
    F(PM4_UNMAP_QUEUES_ALL, ACTION, 1, 0, 2, 0, DEC, unmap_actions)                                \
    F(PM4_UNMAP_QUEUES_ALL, EXTENDED_ENGINE_SEL, 1, 2, 2, 0, DEC, NULL)                            \
    F(PM4_UNMAP_QUEUES_ALL, QUEUE_SEL, 1, 4, 2, 0, DEC, unmap_queue_sels)                          \
    F(PM4_UNMAP_QUEUES_ALL, ENGINE_SEL, 1, 26, 3, 0, DEC, engine_sels)                             \
    F(PM4_UNMAP_QUEUES_ALL, NUM_QUEUES, 1, 29, 3, 0, DEC, NULL)

#define AMD_PM4_UNMAP_QUEUES_NON_STATIC_FIELDS(F, R)                                               \
    F(PM4_UNMAP_QUEUES_NON_STATIC, ACTION, 1, 0, 2, 0, DEC, unmap_actions)                         \
    F(PM4_UNMAP_QUEUES_NON_STATIC, EXTENDED_ENGINE_SEL, 1, 2, 2, 0, DEC, NULL)                     \
    F(PM4_UNMAP_QUEUES_NON_STATIC, QUEUE_SEL, 1, 4, 2, 0, DEC, unmap_queue_sels)                   \
    F(PM4_UNMAP_QUEUES_NON_STATIC, ENGINE_SEL, 1, 26, 3, 0, DEC, engine_sels)                      \
    F(PM4_UNMAP_QUEUES_NON_STATIC, NUM_QUEUES, 1, 29, 3, 0, DEC, NULL)

#define AMD_PM4_QUERY_STATUS_PASID_FIELDS(F, R)                                                    \
    F(PM4_QUERY_STATUS_PASID, CONTEXT_ID, 1, 0, 28, 0, HEX, NULL)                                  \
    F(PM4_QUERY_STATUS_PASID, INTERRUPT_SEL, 1, 28, 2, 0, DEC, interrupt_sels)                     \
    F(PM4_QUERY_STATUS_PASID, COMMAND, 1, 30, 2, 0, DEC, query_commands)                           \
    F(PM4_QUERY_STATUS_PASID, PASID, 2, 0, 16, 0, DEC, NULL)                                       \
    F(PM4_QUERY_STATUS_PASID, ADDR, 3, 0, 64, 0, HEX, NULL)                                        \
    F(PM4_QUERY_STATUS_PASID, DATA, 5, 0, 64, 0, HEX, NULL)

#define AMD_PM4_QUERY_STATUS_FIELDS(F, R)                                                          \
    F(PM4_QUERY_STATUS, CONTEXT_ID, 1, 0, 28, 0, HEX, NULL)                                        \
    F(PM4_QUERY_STATUS, INTERRUPT_SEL, 1, 28, 2, 0, DEC, interrupt_sels)                           \
    F(PM4_QUERY_STATUS, COMMAND, 1, 30, 2, 0, DEC, query_commands)                                 \
    F(PM4_QUERY_STATUS, DOORBELL_OFFSET, 2, 2, 26, 0, HEX, NULL)                                   \
    F(PM4_QUERY_STATUS, ENGINE_SEL, 2, 28, 3, 0, DEC, engine_sels)                                 \
    F(PM4_QUERY_STATUS, ADDR, 3, 0, 64, 0, HEX, NULL)                                              \
    F(PM4_QUERY_STATUS, DATA, 5, 0, 64, 0, HEX, NULL)

#define AMD_PM4_RUN_LIST_FIELDS(F, R)                                                              \
    F(PM4_RUN_LIST, IB_BASE, 1, 2, 62, 2, HEX, NULL)                                               \
    F(PM4_RUN_LIST, IB_SIZE, 3, 0, 20, 0, DEC, NULL)                                               \
    F(PM4_RUN_LIST, CHAIN, 3, 20, 1, 0, DEC, NULL)                                                 \
    F(PM4_RUN_LIST, OFFLOAD_POLLING, 3, 21, 1, 0, DEC, NULL)                                       \
    F(PM4_RUN_LIST, CHAINED_RUNLIST_IDLE_DISABLE, 3, 22, 1, 0, DEC, NULL)                          \
    F(PM4_RUN_LIST, VALID, 3, 23, 1, 0, DEC, NULL)                                                 \
    F(PM4_RUN_LIST, PROCESS_CNT, 3, 24, 4, 0, DEC, NULL)                                           \
    F(PM4_RUN_LIST, CACHE_POLICY, 3, 28, 2, 0, DEC, cache_policies)

/* The packets that have fields. */
#define AMD_PM4_PACKETS(P)                                                                         \
    P(SET_BASE)                                                                                    \
    P(CLEAR_STATE)                                                                                 \
    P(DISPATCH_DIRECT)                                                                             \
    P(DISPATCH_INDIRECT)                                                                           \
    P(DISPATCH_INDIRECT_ME)                                                                        \
    P(ATOMIC_MEM)                                                                                  \
    P(COND_EXEC)                                                                                   \
    P(PRED_EXEC)                                                                                   \
    P(WRITE_DATA)                                                                                  \
    P(MEM_SEMAPHORE)                                                                               \
    P(WAIT_REG_MEM)                                                                                \
    P(WAIT_REG_MEM_REG)                                                                            \
    P(INDIRECT_BUFFER)                                                                             \
    P(COPY_DATA)                                                                                   \
    P(PFP_SYNC_ME)                                                                                 \
    P(EVENT_WRITE)                                                                                 \
    P(RELEASE_MEM)                                                                                 \
    P(DMA_DATA)                                                                                    \
    P(ACQUIRE_MEM)                                                                                 \
    P(SET_CONFIG_REG)                                                                              \
    P(SET_CONTEXT_REG)                                                                             \
    P(SET_SH_REG)                                                                                  \
    P(SET_SH_REG_OFFSET)                                                                           \
    P(SET_QUEUE_REG)                                                                               \
    P(SET_UCONFIG_REG)                                                                             \
    P(SWITCH_BUFFER)                                                                               \
    P(FRAME_CONTROL)                                                                               \
    P(INVALIDATE_TLBS)                                                                             \
    P(SET_RESOURCES)                                                                               \
    P(MAP_PROCESS)                                                                                 \
    P(MAP_PROCESS_GFX90A)                                                                          \
    P(MAP_QUEUES)                                                                                  \
    P(UNMAP_QUEUES)                                                                                \
    P(UNMAP_QUEUES_DOORBELLS)                                                                      \
    P(UNMAP_QUEUES_ALL)                                                                            \
    P(UNMAP_QUEUES_NON_STATIC)                                                                     \
    P(QUERY_STATUS_PASID)                                                                          \
    P(QUERY_STATUS)                                                                                \
    P(RUN_LIST)
/* clang-format on */

#define AMD_PM4_CONSTANTS(packet)                                                                  \
    enum { AMD_PM4_##packet##_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };
AMD_PM4_PACKETS(AMD_PM4_CONSTANTS)

#endif
