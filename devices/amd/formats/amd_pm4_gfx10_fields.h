/* SPDX-License-Identifier: MIT */
/*
 * The fields of PM4 packets that differ from gfx9's (amd_pm4_fields.h) on gfx10, gfx11 and gfx12:
 * the caches have other levels, and their control has a dword of its own in ACQUIRE_MEM.  GLK_WB of
 * RELEASE_MEM and the parts of the control: mesa src/amd/registers/pkt3.json, which has gfx12's as
 * gfx11's; widths of COHER_SIZE: mesa src/amd/common/ac_cmdbuf_cp.c.  The others: amdgpu driver
 * (freebsd/drm-kmod @129bf0f2) nvd.h.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_PM4_GFX10_FIELDS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_PM4_GFX10_FIELDS_H

#include "devices/amd/formats/amd_layout.h"

/* clang-format off */
#define AMD_PM4_RELEASE_MEM_GFX10_FIELDS(F, R)                                                     \
    F(PM4_RELEASE_MEM_GFX10, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx10)                       \
    F(PM4_RELEASE_MEM_GFX10, EVENT_INDEX, 1, 8, 4, 0, DEC, release_indexes)                        \
    F(PM4_RELEASE_MEM_GFX10, GLM_WB, 1, 12, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX10, GLM_INV, 1, 13, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX10, GLV_INV, 1, 14, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX10, GL1_INV, 1, 15, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX10, GL2_US, 1, 16, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX10, GL2_RANGE, 1, 17, 2, 0, DEC, gl2_ranges)                              \
    F(PM4_RELEASE_MEM_GFX10, GL2_DISCARD, 1, 19, 1, 0, DEC, NULL)                                  \
    F(PM4_RELEASE_MEM_GFX10, GL2_INV, 1, 20, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX10, GL2_WB, 1, 21, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX10, SEQ, 1, 22, 2, 0, DEC, gcr_seqs)                                      \
    F(PM4_RELEASE_MEM_GFX10, CACHE_POLICY, 1, 25, 2, 0, DEC, release_policies)                     \
    F(PM4_RELEASE_MEM_GFX10, EXECUTE, 1, 28, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX10, DST_SEL, 2, 16, 2, 0, DEC, release_dst)                               \
    F(PM4_RELEASE_MEM_GFX10, INT_SEL, 2, 24, 3, 0, DEC, int_sels)                                  \
    F(PM4_RELEASE_MEM_GFX10, DATA_SEL, 2, 29, 3, 0, DEC, data_sels)                                \
    F(PM4_RELEASE_MEM_GFX10, ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX10, DATA, 5, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX10, INT_CTXID, 7, 0, 32, 0, HEX, NULL)

#define AMD_PM4_RELEASE_MEM_GFX11_FIELDS(F, R)                                                     \
    F(PM4_RELEASE_MEM_GFX11, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx11)                       \
    F(PM4_RELEASE_MEM_GFX11, EVENT_INDEX, 1, 8, 4, 0, DEC, release_indexes)                        \
    F(PM4_RELEASE_MEM_GFX11, GLM_WB, 1, 12, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX11, GLM_INV, 1, 13, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX11, GLV_INV, 1, 14, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX11, GL1_INV, 1, 15, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX11, GL2_US, 1, 16, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX11, GL2_RANGE, 1, 17, 2, 0, DEC, gl2_ranges)                              \
    F(PM4_RELEASE_MEM_GFX11, GL2_DISCARD, 1, 19, 1, 0, DEC, NULL)                                  \
    F(PM4_RELEASE_MEM_GFX11, GL2_INV, 1, 20, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX11, GL2_WB, 1, 21, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX11, SEQ, 1, 22, 2, 0, DEC, gcr_seqs)                                      \
    F(PM4_RELEASE_MEM_GFX11, GLK_WB, 1, 24, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX11, CACHE_POLICY, 1, 25, 2, 0, DEC, release_policies)                     \
    F(PM4_RELEASE_MEM_GFX11, EXECUTE, 1, 28, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX11, DST_SEL, 2, 16, 2, 0, DEC, release_dst)                               \
    F(PM4_RELEASE_MEM_GFX11, INT_SEL, 2, 24, 3, 0, DEC, int_sels)                                  \
    F(PM4_RELEASE_MEM_GFX11, DATA_SEL, 2, 29, 3, 0, DEC, data_sels)                                \
    F(PM4_RELEASE_MEM_GFX11, ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX11, DATA, 5, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX11, INT_CTXID, 7, 0, 32, 0, HEX, NULL)

#define AMD_PM4_RELEASE_MEM_GFX12_FIELDS(F, R)                                                     \
    F(PM4_RELEASE_MEM_GFX12, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx12)                       \
    F(PM4_RELEASE_MEM_GFX12, EVENT_INDEX, 1, 8, 4, 0, DEC, release_indexes)                        \
    F(PM4_RELEASE_MEM_GFX12, GLM_WB, 1, 12, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX12, GLM_INV, 1, 13, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX12, GLV_INV, 1, 14, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX12, GL1_INV, 1, 15, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX12, GL2_US, 1, 16, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX12, GL2_RANGE, 1, 17, 2, 0, DEC, gl2_ranges)                              \
    F(PM4_RELEASE_MEM_GFX12, GL2_DISCARD, 1, 19, 1, 0, DEC, NULL)                                  \
    F(PM4_RELEASE_MEM_GFX12, GL2_INV, 1, 20, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX12, GL2_WB, 1, 21, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX12, SEQ, 1, 22, 2, 0, DEC, gcr_seqs)                                      \
    F(PM4_RELEASE_MEM_GFX12, GLK_WB, 1, 24, 1, 0, DEC, NULL)                                       \
    F(PM4_RELEASE_MEM_GFX12, CACHE_POLICY, 1, 25, 2, 0, DEC, release_policies)                     \
    F(PM4_RELEASE_MEM_GFX12, EXECUTE, 1, 28, 1, 0, DEC, NULL)                                      \
    F(PM4_RELEASE_MEM_GFX12, DST_SEL, 2, 16, 2, 0, DEC, release_dst)                               \
    F(PM4_RELEASE_MEM_GFX12, INT_SEL, 2, 24, 3, 0, DEC, int_sels)                                  \
    F(PM4_RELEASE_MEM_GFX12, DATA_SEL, 2, 29, 3, 0, DEC, data_sels)                                \
    F(PM4_RELEASE_MEM_GFX12, ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX12, DATA, 5, 0, 64, 0, HEX, NULL)                                         \
    F(PM4_RELEASE_MEM_GFX12, INT_CTXID, 7, 0, 32, 0, HEX, NULL)

#define AMD_PM4_ACQUIRE_MEM_GFX10_FIELDS(F, R)                                                     \
    F(PM4_ACQUIRE_MEM_GFX10, ENGINE_SEL, 1, 31, 1, 0, DEC, acquire_engines)                        \
    F(PM4_ACQUIRE_MEM_GFX10, COHER_SIZE, 2, 0, 56, 0, HEX, NULL)                                   \
    F(PM4_ACQUIRE_MEM_GFX10, COHER_BASE, 4, 0, 57, 0, HEX, NULL)                                   \
    F(PM4_ACQUIRE_MEM_GFX10, POLL_INTERVAL, 6, 0, 16, 0, DEC, NULL)                                \
    F(PM4_ACQUIRE_MEM_GFX10, GLI_INV, 7, 0, 2, 0, DEC, gli_invs)                                   \
    F(PM4_ACQUIRE_MEM_GFX10, GL1_RANGE, 7, 2, 2, 0, DEC, gl1_ranges)                               \
    F(PM4_ACQUIRE_MEM_GFX10, GLM_WB, 7, 4, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM_GFX10, GLM_INV, 7, 5, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, GLK_WB, 7, 6, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM_GFX10, GLK_INV, 7, 7, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, GLV_INV, 7, 8, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, GL1_INV, 7, 9, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, GL2_US, 7, 10, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, GL2_RANGE, 7, 11, 2, 0, DEC, gl2_ranges)                              \
    F(PM4_ACQUIRE_MEM_GFX10, GL2_DISCARD, 7, 13, 1, 0, DEC, NULL)                                  \
    F(PM4_ACQUIRE_MEM_GFX10, GL2_INV, 7, 14, 1, 0, DEC, NULL)                                      \
    F(PM4_ACQUIRE_MEM_GFX10, GL2_WB, 7, 15, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX10, SEQ, 7, 16, 2, 0, DEC, gcr_seqs)                                      \
    F(PM4_ACQUIRE_MEM_GFX10, RANGE_IS_PA, 7, 18, 1, 0, DEC, NULL)

#define AMD_PM4_ACQUIRE_MEM_GFX11_FIELDS(F, R)                                                     \
    F(PM4_ACQUIRE_MEM_GFX11, ENGINE_SEL, 1, 31, 1, 0, DEC, acquire_engines)                        \
    F(PM4_ACQUIRE_MEM_GFX11, COHER_SIZE, 2, 0, 57, 0, HEX, NULL)                                   \
    F(PM4_ACQUIRE_MEM_GFX11, COHER_BASE, 4, 0, 57, 0, HEX, NULL)                                   \
    F(PM4_ACQUIRE_MEM_GFX11, POLL_INTERVAL, 6, 0, 16, 0, DEC, NULL)                                \
    F(PM4_ACQUIRE_MEM_GFX11, GLI_INV, 7, 0, 2, 0, DEC, gli_invs)                                   \
    F(PM4_ACQUIRE_MEM_GFX11, GL1_RANGE, 7, 2, 2, 0, DEC, gl1_ranges)                               \
    F(PM4_ACQUIRE_MEM_GFX11, GLM_WB, 7, 4, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM_GFX11, GLM_INV, 7, 5, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, GLK_WB, 7, 6, 1, 0, DEC, NULL)                                        \
    F(PM4_ACQUIRE_MEM_GFX11, GLK_INV, 7, 7, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, GLV_INV, 7, 8, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, GL1_INV, 7, 9, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, GL2_US, 7, 10, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, GL2_RANGE, 7, 11, 2, 0, DEC, gl2_ranges)                              \
    F(PM4_ACQUIRE_MEM_GFX11, GL2_DISCARD, 7, 13, 1, 0, DEC, NULL)                                  \
    F(PM4_ACQUIRE_MEM_GFX11, GL2_INV, 7, 14, 1, 0, DEC, NULL)                                      \
    F(PM4_ACQUIRE_MEM_GFX11, GL2_WB, 7, 15, 1, 0, DEC, NULL)                                       \
    F(PM4_ACQUIRE_MEM_GFX11, SEQ, 7, 16, 2, 0, DEC, gcr_seqs)                                      \
    F(PM4_ACQUIRE_MEM_GFX11, RANGE_IS_PA, 7, 18, 1, 0, DEC, NULL)

#define AMD_PM4_EVENT_WRITE_GFX10_FIELDS(F, R)                                                     \
    F(PM4_EVENT_WRITE_GFX10, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx10)                       \
    F(PM4_EVENT_WRITE_GFX10, EVENT_INDEX, 1, 8, 4, 0, DEC, write_indexes)                          \
    F(PM4_EVENT_WRITE_GFX10, ADDR, 2, 3, 45, 3, HEX, NULL)

#define AMD_PM4_EVENT_WRITE_GFX11_FIELDS(F, R)                                                     \
    F(PM4_EVENT_WRITE_GFX11, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx11)                       \
    F(PM4_EVENT_WRITE_GFX11, EVENT_INDEX, 1, 8, 4, 0, DEC, write_indexes)                          \
    F(PM4_EVENT_WRITE_GFX11, ADDR, 2, 3, 45, 3, HEX, NULL)

#define AMD_PM4_EVENT_WRITE_GFX12_FIELDS(F, R)                                                     \
    F(PM4_EVENT_WRITE_GFX12, EVENT_TYPE, 1, 0, 6, 0, DEC, event_types_gfx12)                       \
    F(PM4_EVENT_WRITE_GFX12, EVENT_INDEX, 1, 8, 4, 0, DEC, write_indexes)                          \
    F(PM4_EVENT_WRITE_GFX12, ADDR, 2, 3, 45, 3, HEX, NULL)

#define AMD_PM4_INDIRECT_BUFFER_GFX10_FIELDS(F, R)                                                 \
    F(PM4_INDIRECT_BUFFER_GFX10, IB_BASE, 1, 2, 46, 2, HEX, NULL)                                  \
    F(PM4_INDIRECT_BUFFER_GFX10, IB_SIZE, 3, 0, 20, 0, DEC, NULL)                                  \
    F(PM4_INDIRECT_BUFFER_GFX10, CHAIN, 3, 20, 1, 0, DEC, NULL)                                    \
    F(PM4_INDIRECT_BUFFER_GFX10, PRE_ENA, 3, 21, 1, 0, DEC, NULL)                                  \
    F(PM4_INDIRECT_BUFFER_GFX10, VALID, 3, 23, 1, 0, DEC, NULL)                                    \
    F(PM4_INDIRECT_BUFFER_GFX10, VMID, 3, 24, 4, 0, DEC, NULL)                                     \
    F(PM4_INDIRECT_BUFFER_GFX10, CACHE_POLICY, 3, 28, 2, 0, DEC, cache_policies)                   \
    F(PM4_INDIRECT_BUFFER_GFX10, PRE_RESUME, 3, 30, 1, 0, DEC, NULL)

#define AMD_PM4_GFX10_PACKETS(P)                                                                   \
    P(RELEASE_MEM_GFX10)                                                                           \
    P(RELEASE_MEM_GFX11)                                                                           \
    P(RELEASE_MEM_GFX12)                                                                           \
    P(ACQUIRE_MEM_GFX10)                                                                           \
    P(ACQUIRE_MEM_GFX11)                                                                           \
    P(EVENT_WRITE_GFX10)                                                                           \
    P(EVENT_WRITE_GFX11)                                                                           \
    P(EVENT_WRITE_GFX12)                                                                           \
    P(INDIRECT_BUFFER_GFX10)
/* clang-format on */

#endif
