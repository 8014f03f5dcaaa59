/* SPDX-License-Identifier: MIT */
/*
 * The interrupt handling of AMD's kernel driver (amdgpu and its part KFD).  The model sets up the
 * IH ring, reads its entries, and passes them on.
 *
 *     amd_ih: ring in memory --interrupt--> handler: entry by entry
 *         page fault (UTCL2, VMC)       -> lines in the kernel's log; all queues of the process
 *                                          are evicted (KFD.EVICT); its memory events are set,
 *                                          with the cause
 *         CP_BAD_OPCODE                 -> a line; the process's events of hardware exceptions
 *                                          are set
 *         CP_PRIV_REG, _INSTR           -> a line
 *         CP_END_OF_PIPE, SDMA_TRAP, SQ -> the event with the entry's number of 32, 28, 24 bits
 *
 * KFD takes entries of its own VMIDs only, and finds the process by the PASID.  When a ring was
 * written over, the driver logs that and goes on at the oldest entry that is left (AMDGPU.IH).
 *
 * Sources: amdgpu vega10_ih.c, amdgpu_ih.c (amdgpu_ih_process), amdgpu_irq.c, gmc_v9_0.c,
 * gfx_v9_0.c; amdkfd kfd_int_process_v9.c, kfd_events.c.  ASSUMED: the ring lies in system memory,
 * found by its bus address; the handler takes no time.  Not modelled: KFD's own copy of the ring
 * and its work queue, rate limits of the lines, retried faults, the GPU reset after an error of the
 * graphics queue.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_AMDGPU_H
#define GFE_FIRMWARE_MODELS_KFD_AMDGPU_H

#include "emu/engine/machine.h"
#include "firmware-models/kfd/kfd.h"

/* Memory for the ring and the copy of its write pointer, enough for every size of the ring. */
enum { AMDGPU_IH_BYTES = 0x41000 };

/* The kernel interface's types of events (kfd_ioctl.h). */
enum { AMDGPU_EVENT_HW_EXCEPTION = 3, AMDGPU_EVENT_MEMORY = 8 };

struct amdgpu_ops {
    /* Sets the event of that number of a process; the entry has only its low `bits` bits.  NULL
     * means that the client does not want events. */
    void (*event)(void *client, uint32_t pasid, uint32_t event_id, uint32_t bits);
    /* Sets all events of a type of a process, and returns their number.  NULL means that the client
     * has no such events. */
    uint32_t (*exception)(void *client, uint32_t pasid, uint32_t type);
};

GFE_STATE_BEGIN
struct amdgpu_state {
    uint32_t read; /* bytes: the ring's read pointer */
    uint32_t scheduled;
    uint32_t no_pasid;       /* 1: KFD_NO_PASID has been logged */
    uint32_t exception_ring; /* ring_id of the entry that caused the last exception; its address: */
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

/* Adds the model to a machine that is being wired, with amdgpu_tables already in it, and takes its
 * interrupt line.  AMDGPU_IH_BYTES of system memory from `physical` on, whole pages, become its
 * own.
 */
void amdgpu_add(struct amdgpu *amdgpu, struct machine *machine, struct kfd *kfd, uint64_t physical,
                const struct amdgpu_ops *ops, void *client);
/* Reports a reset of the GPU to a process: sets its events of hardware exceptions and of memory
 * (kfd_signal_reset_event). */
void amdgpu_signal_reset(struct amdgpu *amdgpu, uint32_t pasid);
/* Makes the ring and enables interrupts.  The machine must be sealed. */
void amdgpu_start(struct amdgpu *amdgpu);

#endif
