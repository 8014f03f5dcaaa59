/* SPDX-License-Identifier: MIT */
/*
 * Where faults are injected (emu/faults/inject.h) into an AMD GPU's front end and the scheduling
 * firmware's way to it.  Each name stands where the unit calls machine_inject(); the rows, with
 * fields and documentation, are in amd_inject.c.  Subjects are queues, by the number of their
 * doorbell, if nothing else is said.
 *
 * A packet passes once, when it is fetched for the first time; a queue that waits at it goes on
 * with what it has fetched then.
 *
 * Registers: those of a hardware queue slot and its dispatch registers (CP_HQD_*, COMPUTE_*) are
 * reached through the slot, ME.PIPE.QUEUE as GRBM_GFX_CNTL has them:
 *     register:1.0.2/CP_HQD_PQ_BASE flip=3 @2ms
 * or through a queue, wherever it is then:
 *     register:1025/CP_HQD_PQ_BASE flip=3 @2ms
 * Conditions name them likewise: @1025/CP_HQD_PQ_RPTR==64.
 */
#ifndef GFE_DEVICES_AMD_AMD_INJECT_H
#define GFE_DEVICES_AMD_AMD_INJECT_H

#include "devices/core/core_inject.h"

enum amd_inject_site {
    AMD_INJECT_DOORBELL = CORE_INJECT_END,
    AMD_INJECT_WPTR,
    AMD_INJECT_RPTR,
    AMD_INJECT_AQL,
    AMD_INJECT_KERNEL,
    AMD_INJECT_ACQUIRE,
    AMD_INJECT_SIGNAL,
    AMD_INJECT_RELEASE,
    AMD_INJECT_PM4_HEADER,
    AMD_INJECT_PM4_BODY,
    AMD_INJECT_MQD_LOAD,
    AMD_INJECT_MQD_SAVE,
    AMD_INJECT_VMID,
    AMD_INJECT_CU_MASK,
    AMD_INJECT_CU,
    AMD_INJECT_WAVE,
    AMD_INJECT_SAVE_END,
    AMD_INJECT_RESTORE_END,
    AMD_INJECT_PREEMPT,
    AMD_INJECT_PREEMPT_DONE,
    AMD_INJECT_MAP_PROCESS,
    AMD_INJECT_MAP_QUEUES,
    AMD_INJECT_HIQ,
    AMD_INJECT_FENCE,
    AMD_INJECT_IH_ENTRY,
    AMD_INJECT_IH_WPTR,
    AMD_INJECT_SDMA_PACKET,
    AMD_INJECT_SDMA_MQD_LOAD,
    AMD_INJECT_SDMA_MQD_SAVE,
    AMD_INJECT_COPY,
    AMD_INJECT_COPY_END,
    AMD_INJECT_END,
};

extern const struct inject_sites amd_inject_sites;

/* What passes, where it is no packet.  Behind the row's bytes stands what is no contents, but has
 * to be held. */
struct amd_inject_doorbell {
    uint64_t value;
    uint32_t index; /* of the doorbell */
    uint32_t reserved;
};

struct amd_inject_signal {
    uint64_t address; /* of the signal's value */
    uint64_t value;   /* that it gets */
    uint64_t signal, packet;
    uint64_t begin_ps; /* of the packet */
    uint32_t space_id, reserved;
};

/* RELEASE_MEM, and what SDMA packets write when they are done; QUERY_STATUS. */
enum amd_inject_writer { AMD_INJECT_BY_MEC, AMD_INJECT_BY_SDMA, AMD_INJECT_BY_FIRMWARE };
struct amd_inject_write {
    uint64_t address, value;
    uint32_t space_id, bytes;
    uint32_t writer;       /* enum amd_inject_writer */
    uint32_t engine, slot; /* of SDMA; slot, or queue of the engine */
    uint32_t reserved;
};

/* As SDMA's packets have them: counts less one. */
struct amd_inject_copy {
    uint64_t source, target; /* first bytes */
    uint32_t bytes, rows;    /* of a row; of each slice */
    uint32_t source_pitch, target_pitch;
};

/* An event of the firmware's: MAP_QUEUES was read twice; argument: DOORBELL_OFFSET. */
enum { AMD_INJECT_LISTED_AGAIN = 64 };

#endif
