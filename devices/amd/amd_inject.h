/* SPDX-License-Identifier: MIT */
/*
 * Sites of injected faults (emu/faults/inject.h) in an AMD GPU's front end and on the scheduling
 * firmware's way to it.  Each name stands where the unit calls machine_inject().  The rows, with
 * fields and documentation, are in amd_inject.c.  Subjects are queues, by the number of their
 * doorbell, unless a row says otherwise.
 *
 * A packet passes once, when it is fetched for the first time.  A queue that waits at the packet
 * continues with the data fetched then.
 *
 * Registers: those of a hardware queue slot and its dispatch registers (CP_HQD_*, COMPUTE_*) are
 * reached through the slot, ME.PIPE.QUEUE as GRBM_GFX_CNTL has them:
 *
 *     register:1.0.2/CP_HQD_PQ_BASE flip=3 @2ms
 *
 * or through a queue, in whichever slot it then is:
 *
 *     register:1025/CP_HQD_PQ_BASE flip=3 @2ms
 *
 * Conditions use the same names: @1025/CP_HQD_PQ_RPTR==64.
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
    AMD_INJECT_USERPTR,
    AMD_INJECT_END,
};

extern const struct inject_sites amd_inject_sites;

/* Data that passes and is not a packet.  Members after the row's bytes are not contents, but have
 * to be held. */
struct amd_inject_doorbell {
    uint64_t value;
    uint32_t index; /* of the doorbell */
    uint32_t reserved;
};

struct amd_inject_signal {
    uint64_t address; /* address of the signal's value */
    uint64_t value;   /* new value */
    uint64_t signal, packet;
    uint64_t begin_ps; /* time at which the packet began */
    uint32_t space_id, reserved;
};

/* Writers of completion values: RELEASE_MEM; SDMA packets at their end; QUERY_STATUS. */
enum amd_inject_writer { AMD_INJECT_BY_MEC, AMD_INJECT_BY_SDMA, AMD_INJECT_BY_FIRMWARE };
struct amd_inject_write {
    uint64_t address, value;
    uint32_t space_id, bytes;
    uint32_t writer;       /* enum amd_inject_writer */
    uint32_t engine, slot; /* engine of SDMA; slot, or queue of the engine */
    uint32_t reserved;
};

/* A copy, in the form of SDMA's packets: counts are less by one. */
struct amd_inject_copy {
    uint64_t source, target; /* first bytes */
    uint32_t bytes, rows;    /* bytes of a row; rows of each slice */
    uint32_t source_pitch, target_pitch;
};

/* An event of the firmware: MAP_QUEUES was read twice.  Its argument is DOORBELL_OFFSET. */
enum { AMD_INJECT_LISTED_AGAIN = 64 };
/* An event of the kernel driver ("kfd"): pages of a process's user pointers have moved.  Its
 * argument is the PASID. */
enum { AMD_INJECT_USERPTR_MOVED = 64 };

#endif
