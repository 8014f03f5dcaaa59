/* SPDX-License-Identifier: MIT */
/*
 * AQL packets: the 64 bytes in a slot of a user's queue.
 *
 * The first 16 bits are the header: type 7:0, barrier 8 (wait for all packets before it in the
 * queue), acquire fence 10:9, release fence 12:11.  Vendor packets (type 0) have AMD's format in
 * the next byte: PM4_IB runs an indirect buffer, BARRIER_VALUE waits for a value of a signal.
 *
 * Any bytes are a packet; types that HSA does not have are UNKNOWN.  A queue stops at an INVALID
 * packet; the decoder continues.
 *
 * Sources: ROCR-Runtime src/inc/hsa.h, hsa_ext_amd.h (@c7785a6 for the conditions),
 * amd_aql_queue.cpp; HSA Runtime 1.2, as these have it.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_AQL_H
#define GFE_DEVICES_AMD_FORMATS_AMD_AQL_H

#include "devices/amd/formats/amd_layout.h"

enum { AMD_AQL_DWORDS = 16, AMD_AQL_BYTES = 64 };

enum amd_aql_type {
    AMD_AQL_TYPE_VENDOR,
    AMD_AQL_TYPE_INVALID,
    AMD_AQL_TYPE_KERNEL_DISPATCH,
    AMD_AQL_TYPE_BARRIER_AND,
    AMD_AQL_TYPE_AGENT_DISPATCH,
    AMD_AQL_TYPE_BARRIER_OR,
};
enum amd_aql_format { AMD_AQL_FORMAT_PM4_IB = 1, AMD_AQL_FORMAT_BARRIER_VALUE = 2 };

/* Fields of the header, which all packets have. */
enum {
    AMD_AQL_TYPE = AMD_BITS(0, 0, 8, 0),
    AMD_AQL_BARRIER = AMD_BITS(0, 8, 1, 0),
    AMD_AQL_ACQUIRE = AMD_BITS(0, 9, 2, 0),
    AMD_AQL_RELEASE = AMD_BITS(0, 11, 2, 0),
    AMD_AQL_FORMAT = AMD_BITS(0, 16, 8, 0),
};

/* clang-format off */
#define AMD_AQL_VENDOR_FIELDS(F, R)                                                                \
    F(AQL_VENDOR, BARRIER, 0, 8, 1, 0, DEC, NULL)                                                  \
    F(AQL_VENDOR, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                                \
    F(AQL_VENDOR, RELEASE, 0, 11, 2, 0, DEC, fences)                                               \
    F(AQL_VENDOR, AMD_FORMAT, 0, 16, 8, 0, DEC, amd_formats)

#define AMD_AQL_INVALID_FIELDS(F, R)                                                               \
    F(AQL_INVALID, BARRIER, 0, 8, 1, 0, DEC, NULL)                                                 \
    F(AQL_INVALID, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                               \
    F(AQL_INVALID, RELEASE, 0, 11, 2, 0, DEC, fences)

#define AMD_AQL_KERNEL_DISPATCH_FIELDS(F, R)                                                       \
    F(AQL_KERNEL_DISPATCH, BARRIER, 0, 8, 1, 0, DEC, NULL)                                         \
    F(AQL_KERNEL_DISPATCH, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                       \
    F(AQL_KERNEL_DISPATCH, RELEASE, 0, 11, 2, 0, DEC, fences)                                      \
    F(AQL_KERNEL_DISPATCH, DIMENSIONS, 0, 16, 2, 0, DEC, NULL)                                     \
    F(AQL_KERNEL_DISPATCH, WORKGROUP_SIZE_X, 1, 0, 16, 0, DEC, NULL)                               \
    F(AQL_KERNEL_DISPATCH, WORKGROUP_SIZE_Y, 1, 16, 16, 0, DEC, NULL)                              \
    F(AQL_KERNEL_DISPATCH, WORKGROUP_SIZE_Z, 2, 0, 16, 0, DEC, NULL)                               \
    F(AQL_KERNEL_DISPATCH, GRID_SIZE_X, 3, 0, 32, 0, DEC, NULL)                                    \
    F(AQL_KERNEL_DISPATCH, GRID_SIZE_Y, 4, 0, 32, 0, DEC, NULL)                                    \
    F(AQL_KERNEL_DISPATCH, GRID_SIZE_Z, 5, 0, 32, 0, DEC, NULL)                                    \
    F(AQL_KERNEL_DISPATCH, PRIVATE_SEGMENT_SIZE, 6, 0, 32, 0, DEC, NULL)                           \
    F(AQL_KERNEL_DISPATCH, GROUP_SEGMENT_SIZE, 7, 0, 32, 0, DEC, NULL)                             \
    F(AQL_KERNEL_DISPATCH, KERNEL_OBJECT, 8, 0, 64, 0, HEX, NULL)                                  \
    F(AQL_KERNEL_DISPATCH, KERNARG_ADDRESS, 10, 0, 64, 0, HEX, NULL)                               \
    F(AQL_KERNEL_DISPATCH, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_BARRIER_AND_FIELDS(F, R)                                                           \
    F(AQL_BARRIER_AND, BARRIER, 0, 8, 1, 0, DEC, NULL)                                             \
    F(AQL_BARRIER_AND, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                           \
    F(AQL_BARRIER_AND, RELEASE, 0, 11, 2, 0, DEC, fences)                                          \
    F(AQL_BARRIER_AND, DEP_SIGNAL0, 2, 0, 64, 0, HEX, NULL)                                        \
    F(AQL_BARRIER_AND, DEP_SIGNAL1, 4, 0, 64, 0, HEX, NULL)                                        \
    F(AQL_BARRIER_AND, DEP_SIGNAL2, 6, 0, 64, 0, HEX, NULL)                                        \
    F(AQL_BARRIER_AND, DEP_SIGNAL3, 8, 0, 64, 0, HEX, NULL)                                        \
    F(AQL_BARRIER_AND, DEP_SIGNAL4, 10, 0, 64, 0, HEX, NULL)                                       \
    F(AQL_BARRIER_AND, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_AGENT_DISPATCH_FIELDS(F, R)                                                        \
    F(AQL_AGENT_DISPATCH, BARRIER, 0, 8, 1, 0, DEC, NULL)                                          \
    F(AQL_AGENT_DISPATCH, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                        \
    F(AQL_AGENT_DISPATCH, RELEASE, 0, 11, 2, 0, DEC, fences)                                       \
    F(AQL_AGENT_DISPATCH, TYPE, 0, 16, 16, 0, DEC, NULL)                                           \
    F(AQL_AGENT_DISPATCH, RETURN_ADDRESS, 2, 0, 64, 0, HEX, NULL)                                  \
    F(AQL_AGENT_DISPATCH, ARG0, 4, 0, 64, 0, HEX, NULL)                                            \
    F(AQL_AGENT_DISPATCH, ARG1, 6, 0, 64, 0, HEX, NULL)                                            \
    F(AQL_AGENT_DISPATCH, ARG2, 8, 0, 64, 0, HEX, NULL)                                            \
    F(AQL_AGENT_DISPATCH, ARG3, 10, 0, 64, 0, HEX, NULL)                                           \
    F(AQL_AGENT_DISPATCH, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_BARRIER_OR_FIELDS(F, R)                                                            \
    F(AQL_BARRIER_OR, BARRIER, 0, 8, 1, 0, DEC, NULL)                                              \
    F(AQL_BARRIER_OR, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                            \
    F(AQL_BARRIER_OR, RELEASE, 0, 11, 2, 0, DEC, fences)                                           \
    F(AQL_BARRIER_OR, DEP_SIGNAL0, 2, 0, 64, 0, HEX, NULL)                                         \
    F(AQL_BARRIER_OR, DEP_SIGNAL1, 4, 0, 64, 0, HEX, NULL)                                         \
    F(AQL_BARRIER_OR, DEP_SIGNAL2, 6, 0, 64, 0, HEX, NULL)                                         \
    F(AQL_BARRIER_OR, DEP_SIGNAL3, 8, 0, 64, 0, HEX, NULL)                                         \
    F(AQL_BARRIER_OR, DEP_SIGNAL4, 10, 0, 64, 0, HEX, NULL)                                        \
    F(AQL_BARRIER_OR, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_PM4_IB_FIELDS(F, R)                                                                \
    F(AQL_PM4_IB, BARRIER, 0, 8, 1, 0, DEC, NULL)                                                  \
    F(AQL_PM4_IB, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                                \
    F(AQL_PM4_IB, RELEASE, 0, 11, 2, 0, DEC, fences)                                               \
    F(AQL_PM4_IB, AMD_FORMAT, 0, 16, 8, 0, DEC, amd_formats)                                       \
    F(AQL_PM4_IB, IB_JUMP_HEADER, 1, 0, 32, 0, HEX, NULL)                                          \
    F(AQL_PM4_IB, IB_BASE, 2, 2, 46, 2, HEX, NULL)                                                 \
    F(AQL_PM4_IB, IB_SIZE, 4, 0, 20, 0, DEC, NULL)                                                 \
    F(AQL_PM4_IB, IB_CHAIN, 4, 20, 1, 0, DEC, NULL)                                                \
    F(AQL_PM4_IB, IB_VALID, 4, 23, 1, 0, DEC, NULL)                                                \
    F(AQL_PM4_IB, IB_VMID, 4, 24, 4, 0, DEC, NULL)                                                 \
    F(AQL_PM4_IB, DW_CNT_REMAIN, 5, 0, 32, 0, DEC, NULL)                                           \
    F(AQL_PM4_IB, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_BARRIER_VALUE_FIELDS(F, R)                                                         \
    F(AQL_BARRIER_VALUE, BARRIER, 0, 8, 1, 0, DEC, NULL)                                           \
    F(AQL_BARRIER_VALUE, ACQUIRE, 0, 9, 2, 0, DEC, fences)                                         \
    F(AQL_BARRIER_VALUE, RELEASE, 0, 11, 2, 0, DEC, fences)                                        \
    F(AQL_BARRIER_VALUE, AMD_FORMAT, 0, 16, 8, 0, DEC, amd_formats)                                \
    F(AQL_BARRIER_VALUE, SIGNAL, 2, 0, 64, 0, HEX, NULL)                                           \
    F(AQL_BARRIER_VALUE, VALUE, 4, 0, 64, 0, HEX, NULL)                                            \
    F(AQL_BARRIER_VALUE, MASK, 6, 0, 64, 0, HEX, NULL)                                             \
    F(AQL_BARRIER_VALUE, CONDITION, 8, 0, 32, 0, DEC, conditions)                                  \
    F(AQL_BARRIER_VALUE, COMPLETION_SIGNAL, 14, 0, 64, 0, HEX, NULL)

#define AMD_AQL_PACKETS(P)                                                                         \
    P(VENDOR)                                                                                      \
    P(INVALID)                                                                                     \
    P(KERNEL_DISPATCH)                                                                             \
    P(BARRIER_AND)                                                                                 \
    P(AGENT_DISPATCH)                                                                              \
    P(BARRIER_OR)                                                                                  \
    P(PM4_IB)                                                                                      \
    P(BARRIER_VALUE)
/* clang-format on */

#define AMD_AQL_CONSTANTS(packet)                                                                  \
    enum { AMD_AQL_##packet##_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };
AMD_AQL_PACKETS(AMD_AQL_CONSTANTS)

extern const struct amd_layout amd_aql_layouts[];
extern const uint32_t amd_aql_layout_count;

/* Decodes the packet at reader->at and advances past it.  Returns false at the end. */
bool amd_aql_next(struct amd_reader *reader, struct amd_packet *packet);

#endif
