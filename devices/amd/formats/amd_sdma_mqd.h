/* SPDX-License-Identifier: MIT */
/*
 * The memory queue descriptor of a queue of an SDMA engine (gfx9): 128 dwords.  The first 42 are
 * the registers of an RLC queue in their order (amd_sdma_regs.h).  The last two name the engine and
 * the queue that the kernel driver means.  Addresses have the form of the registers.
 *
 * Sources: amdgpu driver (freebsd/drm-kmod @129bf0f2) include/v9_structs.h; amdkfd
 * kfd_mqd_manager_v9.c (what KFD writes).
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA_MQD_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA_MQD_H

#include "devices/amd/formats/amd_layout.h"

enum { AMD_SDMA_MQD_DWORDS = 128 };

/* clang-format off */
#define AMD_SDMA_MQD_FIELDS(F, R)                                                                  \
    F(SDMA_MQD, RB_CNTL, 0, 0, 32, 0, HEX, NULL)                                                   \
    F(SDMA_MQD, RB_BASE, 1, 0, 32, 0, HEX, NULL)                                                   \
    F(SDMA_MQD, RB_BASE_HI, 2, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, RB_RPTR, 3, 0, 32, 0, HEX, NULL)                                                   \
    F(SDMA_MQD, RB_RPTR_HI, 4, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, RB_WPTR, 5, 0, 32, 0, HEX, NULL)                                                   \
    F(SDMA_MQD, RB_WPTR_HI, 6, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, RB_WPTR_POLL_CNTL, 7, 0, 32, 0, HEX, NULL)                                         \
    F(SDMA_MQD, RB_RPTR_ADDR_HI, 8, 0, 32, 0, HEX, NULL)                                           \
    F(SDMA_MQD, RB_RPTR_ADDR_LO, 9, 0, 32, 0, HEX, NULL)                                           \
    F(SDMA_MQD, IB_CNTL, 10, 0, 32, 0, HEX, NULL)                                                  \
    F(SDMA_MQD, IB_RPTR, 11, 0, 32, 0, HEX, NULL)                                                  \
    F(SDMA_MQD, IB_OFFSET, 12, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, IB_BASE_LO, 13, 0, 32, 0, HEX, NULL)                                               \
    F(SDMA_MQD, IB_BASE_HI, 14, 0, 32, 0, HEX, NULL)                                               \
    F(SDMA_MQD, IB_SIZE, 15, 0, 32, 0, HEX, NULL)                                                  \
    F(SDMA_MQD, SKIP_CNTL, 16, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, CONTEXT_STATUS, 17, 0, 32, 0, HEX, NULL)                                           \
    F(SDMA_MQD, DOORBELL, 18, 0, 32, 0, HEX, NULL)                                                 \
    F(SDMA_MQD, STATUS, 19, 0, 32, 0, HEX, NULL)                                                   \
    F(SDMA_MQD, DOORBELL_LOG, 20, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, WATERMARK, 21, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, DOORBELL_OFFSET, 22, 0, 32, 0, HEX, NULL)                                          \
    F(SDMA_MQD, CSA_ADDR_LO, 23, 0, 32, 0, HEX, NULL)                                              \
    F(SDMA_MQD, CSA_ADDR_HI, 24, 0, 32, 0, HEX, NULL)                                              \
    F(SDMA_MQD, IB_SUB_REMAIN, 25, 0, 32, 0, HEX, NULL)                                            \
    F(SDMA_MQD, PREEMPT, 26, 0, 32, 0, HEX, NULL)                                                  \
    F(SDMA_MQD, DUMMY_REG, 27, 0, 32, 0, HEX, NULL)                                                \
    F(SDMA_MQD, RB_WPTR_POLL_ADDR_HI, 28, 0, 32, 0, HEX, NULL)                                     \
    F(SDMA_MQD, RB_WPTR_POLL_ADDR_LO, 29, 0, 32, 0, HEX, NULL)                                     \
    F(SDMA_MQD, RB_AQL_CNTL, 30, 0, 32, 0, HEX, NULL)                                              \
    F(SDMA_MQD, MINOR_PTR_UPDATE, 31, 0, 32, 0, HEX, NULL)                                         \
    F(SDMA_MQD, MIDCMD_DATA0, 32, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA1, 33, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA2, 34, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA3, 35, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA4, 36, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA5, 37, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA6, 38, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA7, 39, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_DATA8, 40, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_MQD, MIDCMD_CNTL, 41, 0, 32, 0, HEX, NULL)                                              \
    F(SDMA_MQD, SDMA_ENGINE_ID, 126, 0, 32, 0, DEC, NULL)                                          \
    F(SDMA_MQD, SDMA_QUEUE_ID, 127, 0, 32, 0, DEC, NULL)
/* clang-format on */

enum { AMD_SDMA_MQD_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };

extern const struct amd_layout amd_sdma_mqd_layout;

/* Returns the byte offset of the RLC0 register that a dword of the descriptor holds, or 0 if the
 * model has no such register. */
uint32_t amd_sdma_mqd_register(uint32_t dword);

/* Decodes the descriptor at reader->at and advances past it.  Returns false at the end. */
bool amd_sdma_mqd_next(struct amd_reader *reader, struct amd_packet *packet);

#endif
