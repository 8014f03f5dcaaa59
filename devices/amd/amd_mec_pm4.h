/* SPDX-License-Identifier: MIT */
/*
 * PM4 packets of compute queues and their effects; private to the micro engines (amd_mec.h).
 *
 * Effects are those of a MEC.  Packets for graphics, or for caches, which are not modelled, have no
 * effect, and each is logged (UNMODELLED; amd_effect.h).  An opcode that no header of the driver
 * has stops the queue with the interrupt of a bad opcode.  Registers that only the kernel driver
 * may write are written only by queues of PRIV_STATE (the HIQ's).  Other queues that try are
 * stopped with the interrupt "illegal register access".
 */
#ifndef GFE_DEVICES_AMD_AMD_MEC_PM4_H
#define GFE_DEVICES_AMD_AMD_MEC_PM4_H

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_atomic.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"

/* Returns the address of the dword that is `ahead` dwords after the queue's place. */
uint64_t amd_mec_pm4_address(const struct amd_mec *mec, uint32_t slot_id, uint32_t ahead);
/* Reads dwords from `ahead` on, which must have been written.  Returns false on a fault. */
bool amd_mec_pm4_read(struct amd_mec *mec, uint32_t slot_id, uint32_t ahead, uint32_t *dwords,
                      uint32_t count);
/* Reads the n-th dword of the current packet.  `dwords` has the first AMD_PM4_BODY_MAX of them.
 * Returns false on a fault. */
bool amd_mec_pm4_dword(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords, uint32_t n,
                       uint32_t *value);
/* Advances by `dwords` dwords, at most to the end.  Returns false on a fault. */
bool amd_mec_pm4_skip(struct amd_mec *mec, uint32_t slot_id, uint32_t dwords);
/* Executes INDIRECT_BUFFER: continues in that buffer after the packet itself has been skipped.
 * Returns false if buffers are nested too deeply. */
bool amd_mec_pm4_call(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords);

/* Executes the current packet and advances the queue past it.  The packet has `count` dwords with
 * its header.  AMD_PM4_BODY_MAX of them are in `dwords`; missing ones are 0. */
enum amd_mec_result amd_mec_pm4_effect(struct amd_mec *mec, uint32_t slot_id,
                                       const uint32_t *dwords, uint32_t count);

#endif
