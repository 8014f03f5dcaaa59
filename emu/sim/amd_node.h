/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU with its driver and firmware.  The node joins the models of the kernel driver
 * (firmware-models/kfd/kfd.h), of the scheduling firmware (hws.h, hws_packet.h) and of the devices
 * (devices/amd/amd_gpu.h).  KFD calls such a GPU a node of its topology.
 *
 *     program: rings, doorbells ------------------------------------------v
 *     kfd -> HIQ (a queue of MEC2) -> amd_mec -> hws_packet -> hws -> slots of amd_mec -> dispatch
 *                                                               '---> queues of amd_sdma
 *      ^-- fences, the HIQ's MQD <---------------'              '--- preempts; learns what left
 *     amd_mec, amd_sdma -> amd_ih -> ring of interrupts -> amdgpu -> events of processes
 *
 * Driver and firmware reach the devices through memory, doorbells, registers and the services of
 * the firmware's own engine.  ASSUMED: the firmware finds the page tables of a VMID's process where
 * the driver's MAP_PROCESS put them; the node reads them from the driver's table of processes.
 *
 * The driver's own memory lies at the end of system memory.  Programs' address spaces are lists of
 * ranges, known by their roots, that the caller makes (emu/engine/address_space.h).
 */
#ifndef GFE_EMU_SIM_AMD_NODE_H
#define GFE_EMU_SIM_AMD_NODE_H

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
    uint32_t gpu_id; /* KFD's number of the GPU, for views */
    /* Reports that a call of the driver that was KFD_PENDING has ended.  May be NULL. */
    void (*done)(void *client, enum kfd_result result);
    /* Reports that a call of the driver that was KFD_BUSY may be tried again.  May be NULL. */
    void (*lock_free)(void *client);
    /* Reports an interrupt from a queue of a program, with the event's number that the queue gave.
     * May be NULL. */
    void (*interrupt)(void *client, uint32_t space_id, uint32_t context_id);
    /* Sets, after an error of a process, its events of that type of the kernel interface
     * (amdgpu.h). Returns their number.  NULL means that there are no such events. */
    uint32_t (*exception)(void *client, uint32_t space_id, uint32_t type);
    /* Sets the work of a block of a kernel (amd_mec.h).  NULL stands for amd.block_ps. */
    void (*cost)(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost);
    void *client;
};

/* Wires the GPU into a machine with at least twice AMD_NODE_DRIVER_BYTES of system memory.  Returns
 * false if memory is short.  The caller must not move the node while the machine lives. */
bool amd_node_wire(struct amd_node *node, struct machine *machine, const struct amd_chip *chip);
void amd_node_unwire(struct amd_node *node);
/* Starts the driver.  The machine must be sealed. */
void amd_node_start(struct amd_node *node);
/* Stores 8 bytes to a doorbell as a program does, by the doorbell's number (offset / 8). */
void amd_node_doorbell(struct amd_node *node, uint32_t doorbell_index, uint64_t value);

/* ---- between its parts -------------------------------------------------------------------------
 */

/* Returns the address space of a process, or ADDRESS_SPACE_NONE. */
uint32_t amd_node_space(const struct amd_node *node, uint32_t pasid);
/* Gives a VMID the page tables of a process from now on, and the IH block the process's PASID. */
void amd_node_give_vmid(struct amd_node *node, uint32_t vmid, uint32_t pasid);

/* amd_node_sdma.c: the functions of struct hws_ops and struct kfd_ops with those names, for queues
 * of SDMA. */
void amd_node_sdma_wire(struct amd_node *node);
void amd_node_sdma_start(struct amd_node *node);
void amd_node_sdma_map(struct amd_node *node, const struct hws_queue *queue,
                       const struct hws_place *place);
bool amd_node_sdma_busy(struct amd_node *node, const struct hws_queue *queue,
                        const struct hws_place *place);
void amd_node_sdma_load(void *engine, const struct kfd_sdma *queue);
void amd_node_sdma_unload(void *engine, const struct kfd_sdma *queue);

#endif
