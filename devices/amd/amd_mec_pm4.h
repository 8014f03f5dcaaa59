/* SPDX-License-Identifier: MIT */
/*
 * PM4 packets of compute queues, and what they do; private to the micro engines (amd_mec.h).
 *
 * Effects are those of a MEC: of packets that are for graphics, or for caches, which are not
 * modelled, nothing comes; they are reported once each (UNMODELLED).  An opcode that no header of
 * the driver has stops the queue with the interrupt of a bad opcode.  Registers that only the
 * kernel driver may write are written by queues of PRIV_STATE alone (the HIQ's); others are stopped
 * with the interrupt "illegal register access".
 */
#ifndef GFE_DEVICES_AMD_AMD_MEC_PM4_H
#define GFE_DEVICES_AMD_AMD_MEC_PM4_H

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_atomic.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"

/* Address of the dword `ahead` of where the queue is. */
uint64_t amd_mec_pm4_address(const struct amd_mec *mec, uint32_t slot_id, uint32_t ahead);
/* Reads dwords from there; they are there. */
bool amd_mec_pm4_read(struct amd_mec *mec, uint32_t slot_id, uint32_t ahead, uint32_t *dwords,
                      uint32_t count);
/* The n-th dword of the packet at hand, of which `dwords` has the first AMD_PM4_BODY_MAX. */
bool amd_mec_pm4_dword(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords, uint32_t n,
                       uint32_t *value);
/* Goes on by so many dwords, at most to the end.  False: a fault. */
bool amd_mec_pm4_skip(struct amd_mec *mec, uint32_t slot_id, uint32_t dwords);
/* INDIRECT_BUFFER: goes on there, when the packet itself has been skipped.  False: too deep. */
bool amd_mec_pm4_call(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords);

/* The packet at hand does what it does, and the queue goes on behind it.  `count` dwords with the
 * header, of which AMD_PM4_BODY_MAX are there; what it does not have is 0. */
enum amd_mec_result amd_mec_pm4_effect(struct amd_mec *mec, uint32_t slot_id,
                                       const uint32_t *dwords, uint32_t count);

#endif
