/* SPDX-License-Identifier: MIT */
/*
 * The interrupt handler block (IH) of an AMD GPU: all of the GPU's interrupts go through it, as
 * entries of eight dwords (amd_ih_entry.h) in a ring in memory, of which the kernel driver keeps
 * the read pointer.
 *
 *     amd_mec, amd_sdma -> amd_ih_put() -> ring, IH_RB_WPTR (also in memory) -> one interrupt (MSI)
 *                            driver: reads up to the write pointer, writes IH_RB_RPTR: armed again
 *
 * One interrupt tells of all entries up to the next write of IH_RB_RPTR (RPTR_REARM).  A ring that
 * is full is written over: RB_OVERFLOW stands in the write pointer until the driver clears it, and
 * what was not read of the oldest entries is lost.
 *
 * Page faults come from the hubs through which engines see memory (amd_ih_fault()): source 0 of
 * UTCL2, or of VMC for SDMA on Vega 20.  RING_ID's bits 3 to 5 say: not present, read, write
 * (amdkfd kfd_int_process_v9.c); CONTEXT_ID_0 and 1 are the page's number.
 *
 * Sources: amdgpu driver vega10_ih.c, amdgpu_ih.c, gmc_v9_0.c, gfxhub_v1_0.c; fault lines of kernel
 * logs for PERMISSION_FAULTS of a page that is not there (0x3).  ASSUMED: that without
 * WPTR_OVERFLOW_ENABLE a full ring loses the new entry; VM_L2_PROTECTION_FAULT_STATUS, whose place
 * among the registers no list here has, comes to the driver in CONTEXT_ID_2.  Not modelled: rings 1
 * and 2, write pointers by doorbell, storm and flood control, retried faults (XNACK).
 */
#ifndef GFE_DEVICES_AMD_AMD_IH_H
#define GFE_DEVICES_AMD_AMD_IH_H

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/amd_vm.h"
#include "emu/engine/machine.h"

/* What an interrupt says. */
struct amd_ih_entry {
    uint32_t client_id, source_id, ring_id, vmid;
    uint32_t is_mmhub; /* VMID_TYPE */
    uint32_t context_id[4];
};

/* VM_L2_PROTECTION_FAULT_STATUS (gc_9_0_sh_mask.h); and who asked the hub, as gmc_v9_0.c names
 * them. */
enum {
    AMD_FAULT_PERMISSION_LO = 4,
    AMD_FAULT_CID_LO = 9,
    AMD_FAULT_RW_LO = 18,
    AMD_FAULT_VMID_LO = 20,
    AMD_FAULT_NOT_PRESENT = 3, /* PERMISSION_FAULTS */
    AMD_FAULT_CID_CPC = 5,     /* of the GFXHUB */
    AMD_FAULT_CID_SDMA0 = 15,  /* of Vega 20's MMHUB */
    AMD_FAULT_CID_SDMA1 = 46,
};

GFE_STATE_BEGIN
struct amd_ih_state {
    uint32_t disarmed; /* an interrupt was sent, and IH_RB_RPTR not written since */
    uint32_t lost;     /* entries for which there was no ring */
};
GFE_STATE_END

struct amd_ih {
    struct machine *machine;
    const struct amd_chip *chip;
    const struct amd_vm *vm;
    struct amd_ih_state *state;
    struct mmio_window *window;
    uint32_t unit;
};

/* Adds it as a unit, with its registers. */
void amd_ih_wire(struct amd_ih *ih, struct machine *machine, const struct amd_chip *chip,
                 const struct amd_vm *vm);
/* An entry, with time stamp and PASID, goes into the ring; the driver is told. */
void amd_ih_put(struct amd_ih *ih, const struct amd_ih_entry *entry);
/* Likewise one that is complete. */
void amd_ih_put_dwords(struct amd_ih *ih, const uint32_t dwords[AMD_IH_ENTRY_DWORDS]);
/* A page fault at that address; cid: who asked. */
void amd_ih_fault(struct amd_ih *ih, bool is_mmhub, uint32_t vmid, uint64_t address, uint32_t cid,
                  bool is_write);

#endif
