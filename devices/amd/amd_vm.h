/* SPDX-License-Identifier: MIT */
/*
 * GPU virtual memory as the engines of an AMD GPU see it.  Each access is by a VMID, whose page
 * tables are one of the machine's address spaces (emu/engine/address_space.h).  VMID 0 belongs to
 * the kernel driver.  The scheduling firmware or the driver gives the others to processes.
 *
 * This unit does not log faults: the engine that made the access logs the fault and stops its
 * queue.  Not modelled: the registers of the hubs (GFX, MM), their caches, and retried faults
 * (XNACK).
 *
 * Sources: amdgpu driver gfxhub_v1_0.c, gmc_v9_0.c.
 */
#ifndef GFE_DEVICES_AMD_AMD_VM_H
#define GFE_DEVICES_AMD_AMD_VM_H

#include "devices/amd/amd_chip.h"
#include "emu/engine/machine.h"

GFE_STATE_BEGIN
struct amd_vm_state {
    uint32_t spaces[AMD_VMIDS]; /* ADDRESS_SPACE_NONE means no page tables */
};
GFE_STATE_END

struct amd_vm {
    struct machine *machine;
    struct amd_vm_state *state;
};

/* Adds the VMIDs to a machine that is being wired.  No VMID has page tables yet. */
void amd_vm_wire(struct amd_vm *vm, struct machine *machine);
/* Sets the page tables of a VMID; `ADDRESS_SPACE_NONE` removes them. */
void amd_vm_set(struct amd_vm *vm, uint32_t vmid, uint32_t space_id);
/* Returns the address space of a VMID, or `ADDRESS_SPACE_NONE`. */
static inline uint32_t amd_vm_space(const struct amd_vm *vm, uint32_t vmid)
{
    return vm->state->spaces[vmid % AMD_VMIDS];
}

/* Access memory.  Return false, with nothing done, if nothing is mapped at *fault. */
static inline bool amd_vm_read(const struct amd_vm *vm, uint32_t vmid, uint64_t address, void *data,
                               size_t bytes, uint64_t *fault)
{
    const uint32_t space_id = amd_vm_space(vm, vmid);

    *fault = address;
    return space_id != ADDRESS_SPACE_NONE &&
           machine_vm_read(vm->machine, space_id, address, data, bytes, fault);
}
static inline bool amd_vm_write(const struct amd_vm *vm, uint32_t vmid, uint64_t address,
                                const void *data, size_t bytes, uint64_t *fault)
{
    const uint32_t space_id = amd_vm_space(vm, vmid);

    *fault = address;
    return space_id != ADDRESS_SPACE_NONE &&
           machine_vm_write(vm->machine, space_id, address, data, bytes, fault);
}
/* Finds the place of an address.  Returns false if it is not mapped. */
bool amd_vm_find(const struct amd_vm *vm, uint32_t vmid, uint64_t address,
                 struct address_space_range *where);
/* Reports a completion value at that address to the replay, which compares it with the recording.
 */
void amd_vm_released(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t value);
/* Schedules that event for that unit at the next write to the word.  Returns false if nothing is
 * mapped there. */
bool amd_vm_watch(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t unit,
                  uint32_t kind, uint64_t argument);

#endif
