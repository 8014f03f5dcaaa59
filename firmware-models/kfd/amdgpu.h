/* SPDX-License-Identifier: MIT */
/*
 * AMD's kernel driver and interrupts: the IH ring is set up, and its entries are read and dealt
 * out, as amdgpu and its part KFD do.
 *
 *     amd_ih: ring in memory --interrupt--> handler: entry by entry
 *         page fault (UTCL2, VMC)  -> lines in the kernel's log; all queues of the process are
 * evicted (KFD.EVICT); its memory events are set, with what was wrong CP_BAD_OPCODE            -> a
 * line; the process's events of hardware exceptions are set CP_PRIV_REG, _INSTR      -> a line
 *         CP_END_OF_PIPE, SDMA_TRAP, SQ -> the event whose number the entry has, of 32, 28, 24 bits
 *
 * KFD takes entries of its own VMIDs only, and finds the process by the PASID.  When a ring was
 * written over, the driver says so and goes on at the oldest entry that is left (AMDGPU.IH).
 *
 * Sources: amdgpu vega10_ih.c, amdgpu_ih.c (amdgpu_ih_process), amdgpu_irq.c, gmc_v9_0.c,
 * gfx_v9_0.c; amdkfd kfd_int_process_v9.c, kfd_events.c.  ASSUMED: the ring lies in system memory,
 * found by its bus address; the handler takes no time.  Not modelled: KFD's own copy of the ring
 * and its work queue, rate limits of the lines, retried faults, the GPU reset after an error of the
 * graphics queue.
 */
#ifndef GFE_FIRMWARE_MODELS_AMDGPU_H
#define GFE_FIRMWARE_MODELS_AMDGPU_H

#include "emu/engine/machine.h"
#include "firmware-models/kfd/kfd.h"

/* What the ring and the copy of its write pointer take, whatever its size. */
enum { AMDGPU_IH_BYTES = 0x41000 };

/* The kernel interface's types of events (kfd_ioctl.h). */
enum { AMDGPU_EVENT_HW_EXCEPTION = 3, AMDGPU_EVENT_MEMORY = 8 };

struct amdgpu_ops {
    /* The event of that number, of which the low `bits` bits are told, of a process; NULL: nobody
     * is interested. */
    void (*event)(void *client, uint32_t pasid, uint32_t event_id, uint32_t bits);
    /* All events of a type are set; their number.  NULL: there are none. */
    uint32_t (*exception)(void *client, uint32_t pasid, uint32_t type);
};

GFE_STATE_BEGIN
struct amdgpu_state {
    uint32_t read; /* bytes: the ring's read pointer */
    uint32_t scheduled;
    uint32_t no_pasid;       /* it was said */
    uint32_t exception_ring; /* ring_id of the entry behind the last exception, and its address: */
    uint64_t exception_address;
};
GFE_STATE_END

struct amdgpu {
    struct machine *machine;
    struct kfd *kfd;
    const struct amdgpu_ops *ops;
    void *client;
    uint64_t physical; /* system memory: ring, then the copy of the write pointer */
    uint32_t unit;
    struct amdgpu_state *state;
};

/* Joins a machine that is being wired, with amdgpu_tables already in it, and takes its interrupt
 * line. AMDGPU_IH_BYTES of system memory from `physical` on, whole pages, are its own. */
void amdgpu_add(struct amdgpu *amdgpu, struct machine *machine, struct kfd *kfd, uint64_t physical,
                const struct amdgpu_ops *ops, void *client);
/* The GPU is reset: a process is told by its events of hardware exceptions and of memory
 * (kfd_signal_reset_event). */
void amdgpu_signal_reset(struct amdgpu *amdgpu, uint32_t pasid);
/* The machine is sealed: the ring is made, and interrupts enabled. */
void amdgpu_start(struct amdgpu *amdgpu);

#endif
