/* SPDX-License-Identifier: MIT */
/*
 * The memory queue descriptors (MQD) that AMD's kernel driver (KFD) writes for gfx9.  An MQD
 * describes a queue in the words of the hardware's queue slots (devices/amd/formats/amd_mqd.h).
 * Loading a slot copies the words; the micro engine writes pointers and state back.
 *
 * A queue of a program holds AQL or PM4 packets; the driver's own (HIQ) holds PM4 packets and is
 * privileged.  Queues of SDMA engines have a descriptor of their own
 * (devices/amd/formats/amd_sdma_mqd.h). Priorities go from 0 to 15 and are taken over as
 * QUEUE_PRIORITY; a pipe knows three: 0 to 6 are low, 7 to 10 medium, 11 to 15 high.
 *
 * Sources: amdkfd kfd_mqd_manager_v9.c, kfd_mqd_manager.c (priorities, CU masks); amdgpu
 * v9_structs.h.  ASSUMED: PIPELINESTAT_ENABLE, and bit 14 of HQ_STATUS0, which has
 * the packet's address noted for a debugger.  Not modelled: what gfx9.4.3 keeps in dwords 39 to 42.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_MQD_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_MQD_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_mqd.h"
#include "emu/engine/arena.h"

enum kfd_mqd_format {
    KFD_MQD_PM4,
    KFD_MQD_AQL,
    KFD_MQD_HIQ,       /* PM4, privileged */
    KFD_MQD_SDMA,      /* of an SDMA engine: another descriptor */
    KFD_MQD_SDMA_XGMI, /* of one of those for links to other GPUs */
};

enum {
    KFD_MQD_BYTES = AMD_MQD_DWORDS * 4,
    KFD_MQD_PRIORITY_MAX = 15,
    KFD_MQD_PRIORITY_NORMAL = 7,
    KFD_MQD_DOORBELL_IDS = 16, /* of queues that did not leave, in the HIQ's MQD */
};

GFE_STATE_BEGIN
/* The description of a queue.  Addresses are virtual: the MQD's in the driver's own space (VMID 0),
 * the others in the program's. */
struct kfd_mqd_queue {
    uint64_t mqd_address;
    uint64_t ring_address;  /* 256-byte aligned */
    uint64_t read_pointer;  /* the address to which the micro engine reports it */
    uint64_t write_pointer; /* the address at which the micro engine polls it */
    uint64_t eop_address;   /* 256-byte aligned; 0 bytes: none */
    uint64_t save_address;  /* of preempted waves (CWSR), page-aligned; 0: none */
    uint32_t ring_bytes;    /* a power of two, at least 8 */
    uint32_t eop_bytes;     /* a power of two, or 0 */
    uint32_t save_bytes;    /* with the control stack */
    uint32_t control_stack_bytes;
    uint32_t doorbell;                        /* dwords from the aperture's start */
    uint32_t format;                          /* enum kfd_mqd_format */
    uint32_t priority;                        /* 0 to KFD_MQD_PRIORITY_MAX */
    uint32_t vmid;                            /* 0 where the firmware gives one */
    uint32_t sdma_engine, sdma_slot;          /* SDMA */
    uint32_t engines[AMD_SHADER_ENGINES_MAX]; /* CUs: kfd_cu_mask_split() */
};
GFE_STATE_END

/* Returns PIPE_PRIORITY of a queue's priority: 0, 1 or 2. */
uint32_t kfd_mqd_pipe_priority(uint32_t priority);

static inline bool kfd_mqd_is_sdma(const struct kfd_mqd_queue *queue)
{
    return queue->format == KFD_MQD_SDMA || queue->format == KFD_MQD_SDMA_XGMI;
}

/* Writes a new MQD: all fields of the queue, and zeroes elsewhere. */
void kfd_mqd_init(uint32_t mqd[AMD_MQD_DWORDS], const struct kfd_mqd_queue *queue);
/* Updates the mutable fields of the MQD (ring, pointers' addresses, EOP ring, priority, CU mask).
 * Leaves the micro engine's saved state untouched. */
void kfd_mqd_update(uint32_t mqd[AMD_MQD_DWORDS], const struct kfd_mqd_queue *queue);

#endif
