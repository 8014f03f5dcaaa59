/* SPDX-License-Identifier: MIT */
/*
 * The interrupt handler block (IH) of an AMD GPU.  All of the GPU's interrupts go through it, as
 * entries of eight dwords (amd_ih_entry.h) in a ring in memory.  The kernel driver keeps the read
 * pointer of that ring.
 *
 *     amd_mec, amd_sdma -> amd_ih_put() -> ring, IH_RB_WPTR (also in memory) -> one interrupt (MSI)
 *                          driver: reads up to the write pointer, writes IH_RB_RPTR: armed again
 *
 * One interrupt announces all entries up to the next write of IH_RB_RPTR (RPTR_REARM).  A full ring
 * is overwritten: RB_OVERFLOW is set in the write pointer until the driver clears it, and the
 * unread ones of the oldest entries are lost.
 *
 * Page faults come from the hubs through which engines see memory (amd_ih_fault()): source 0 of
 * UTCL2, or of VMC for SDMA on Vega 20.  Bits 3 to 5 of RING_ID mean: not present, read, write
 * (amdkfd kfd_int_process_v9.c).  CONTEXT_ID_0 and 1 are the page's number.
 *
 * Sources: amdgpu driver vega10_ih.c, amdgpu_ih.c, gmc_v9_0.c, gfxhub_v1_0.c; fault lines of kernel
 * logs for PERMISSION_FAULTS of a missing page (0x3).  The hub's VM_L2_PROTECTION_FAULT_STATUS
 * keeps the first fault until the driver clears it (amd_vm_l2_regs.h).  ASSUMED: without
 * WPTR_OVERFLOW_ENABLE a full ring loses the new entry.  Not modelled: rings 1 and 2, write
 * pointers by doorbell, storm and flood control, retried faults (XNACK).
 */
#ifndef GFE_DEVICES_AMD_AMD_IH_H
#define GFE_DEVICES_AMD_AMD_IH_H

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_gc.h"
#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/amd_vm.h"
#include "emu/engine/machine.h"

/* The contents of an interrupt. */
struct amd_ih_entry {
    uint32_t client_id, source_id, ring_id, vmid;
    uint32_t is_mmhub; /* VMID_TYPE */
    uint32_t context_id[4];
};

/* Fields of VM_L2_PROTECTION_FAULT_STATUS (gc_9_0_sh_mask.h), and the clients of the hubs, by
 * gmc_v9_0.c's names. */
enum {
    AMD_FAULT_PERMISSION_LO = 4,
    AMD_FAULT_CID_LO = 9,
    AMD_FAULT_RW_LO = 18,
    AMD_FAULT_VMID_LO = 20,
    /* PERMISSION_FAULTS of a page that is not there, for a read and a write of data: the bit of a
     * page that is not valid and that of the access (kernel logs of gfx9: 0x00301031 and
     * 0x00841051). */
    AMD_FAULT_READ_NOT_PRESENT = 3,
    AMD_FAULT_WRITE_NOT_PRESENT = 5,
    AMD_FAULT_CID_CPC = 5,    /* of the GFXHUB */
    AMD_FAULT_CID_SDMA0 = 15, /* of Vega 20's MMHUB */
    AMD_FAULT_CID_SDMA1 = 46,
};

GFE_STATE_BEGIN
struct amd_ih_state {
    uint32_t disarmed; /* 1 if an interrupt was sent and IH_RB_RPTR not written since */
    uint32_t lost;     /* entries for which there was no ring */
};
GFE_STATE_END

struct amd_ih {
    struct machine *machine;
    const struct amd_chip *chip;
    const struct amd_vm *vm;
    struct amd_gc *gc; /* whose hubs keep page faults */
    struct amd_ih_state *state;
    struct mmio_window *window;
    uint32_t unit;
};

/* Adds the block as a unit, with its registers. */
void amd_ih_wire(struct amd_ih *ih, struct machine *machine, const struct amd_chip *chip,
                 const struct amd_vm *vm, struct amd_gc *gc);
/* Puts an entry into the ring, with time stamp and PASID, and interrupts the driver. */
void amd_ih_put(struct amd_ih *ih, const struct amd_ih_entry *entry);
/* Puts a complete entry into the ring, and interrupts the driver. */
void amd_ih_put_dwords(struct amd_ih *ih, const uint32_t dwords[AMD_IH_ENTRY_DWORDS]);
/* Reports a page fault at that address.  `cid` is the client that accessed memory. */
void amd_ih_fault(struct amd_ih *ih, bool is_mmhub, uint32_t vmid, uint64_t address, uint32_t cid,
                  bool is_write);

#endif
