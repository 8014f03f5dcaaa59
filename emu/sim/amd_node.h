/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU with what drives it: the kernel driver's model (firmware-models/kfd/kfd.h), the
 * scheduling firmware's (hws.h, hws_packet.h) and the devices (devices/amd/amd_gpu.h), joined.  KFD
 * calls such a GPU a node of its topology.
 *
 *     program: rings, doorbells ------------------------------------------v
 *     kfd -> HIQ (a queue of MEC2) -> amd_mec -> hws_packet -> hws -> slots of amd_mec -> dispatch
 *                                                               '---> queues of amd_sdma
 *      ^-- fences, the HIQ's MQD <---------------'              '--- preempts, is told who has left
 *     amd_mec, amd_sdma -> amd_ih -> ring of interrupts -> amdgpu -> events of processes
 *
 * Driver and firmware reach the devices through memory, doorbells, registers and what the
 * firmware's own engine does for it.  ASSUMED: the firmware finds the page tables of a VMID's
 * process where the driver's MAP_PROCESS put them; here the driver's table of processes is asked.
 *
 * Its memory: the driver's own part at the end of system memory.  Programs' address spaces are
 * lists of ranges, known by their roots, that the caller makes (emu/engine/address_space.h).
 */
#ifndef GFE_DEVICES_AMD_NODE_H
#define GFE_DEVICES_AMD_NODE_H

#include "devices/amd/amd_gpu.h"
#include "firmware-models/kfd/amdgpu.h"
#include "firmware-models/hws/hws.h"
#include "firmware-models/hws/hws_packet.h"
#include "firmware-models/kfd/kfd.h"

enum {
    AMD_NODE_DRIVER_BYTES = 32 << 20,
    AMD_NODE_NUMBER = 1,     /* in KFD's topology: 0 is the CPU's */
    AMD_NODE_GPU_ID = 34567, /* KFD's number where no recording says it: any */
};

struct amd_node {
    struct machine *machine;
    struct amd_gpu gpu;
    struct hws hws;
    struct hws_packets packets;
    struct kfd *kfd;
    struct amdgpu amdgpu;
    uint32_t gpu_id; /* KFD's number of it, for who looks at it */
    /* A call of the driver that was KFD_PENDING has ended; NULL: nobody waits. */
    void (*done)(void *client, enum kfd_result result);
    /* An interrupt from a queue of a program, with the number that it gave: an event's.  NULL:
     * nobody listens. */
    void (*interrupt)(void *client, uint32_t space_id, uint32_t context_id);
    /* A process has done something wrong: events of that type of the kernel interface (amdgpu.h)
     * are set; their number.  NULL: there are none. */
    uint32_t (*exception)(void *client, uint32_t space_id, uint32_t type);
    /* What a block of a kernel works (amd_mec.h); NULL: amd.block_ps. */
    void (*cost)(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost);
    void *client;
};

/* Wires the GPU into a machine with at least twice AMD_NODE_DRIVER_BYTES of system memory.  False:
 * no memory.  The node stays where it is as long as the machine lives. */
bool amd_node_wire(struct amd_node *node, struct machine *machine, const struct amd_chip *chip);
void amd_node_unwire(struct amd_node *node);
/* The machine is sealed: the driver begins. */
void amd_node_start(struct amd_node *node);
/* A program's store of 8 bytes to a doorbell, by its number (offset / 8). */
void amd_node_doorbell(struct amd_node *node, uint32_t doorbell_index, uint64_t value);

/* ---- between its parts -------------------------------------------------------------------------
 */

/* The address space of a process; ADDRESS_SPACE_NONE. */
uint32_t amd_node_space(const struct amd_node *node, uint32_t pasid);
/* A VMID has a process's page tables from now on, and the IH block its PASID. */
void amd_node_give_vmid(struct amd_node *node, uint32_t vmid, uint32_t pasid);

/* amd_node_sdma.c: struct hws_ops, struct kfd_ops of the same names, for queues of SDMA. */
void amd_node_sdma_wire(struct amd_node *node);
void amd_node_sdma_start(struct amd_node *node);
void amd_node_sdma_map(struct amd_node *node, const struct hws_queue *queue,
                       const struct hws_place *place);
bool amd_node_sdma_busy(struct amd_node *node, const struct hws_queue *queue,
                        const struct hws_place *place);
void amd_node_sdma_load(void *engine, const struct kfd_sdma *queue);
void amd_node_sdma_unload(void *engine, const struct kfd_sdma *queue);

#endif
