/* SPDX-License-Identifier: MIT */
/*
 * GPU virtual memory as the engines of an AMD GPU see it: each access is by a VMID, whose page
 * tables are one of the machine's address spaces (emu/engine/address_space.h).  VMID 0 is the
 * kernel driver's own; the others are given to processes, by the scheduling firmware or the driver.
 *
 * Nothing is written here of faults: who asked stops its queue and logs it.  Not modelled: the
 * registers of the hubs (GFX, MM), their caches, and retried faults (XNACK).
 *
 * Sources: amdgpu driver gfxhub_v1_0.c, gmc_v9_0.c.
 */
#ifndef GFE_DEVICES_AMD_AMD_VM_H
#define GFE_DEVICES_AMD_AMD_VM_H

#include "devices/amd/amd_chip.h"
#include "emu/engine/machine.h"

GFE_STATE_BEGIN
struct amd_vm_state {
    uint32_t spaces[AMD_VMIDS]; /* ADDRESS_SPACE_NONE: no page tables */
};
GFE_STATE_END

struct amd_vm {
    struct machine *machine;
    struct amd_vm_state *state;
};

/* Of a machine that is being wired: no VMID has page tables. */
void amd_vm_wire(struct amd_vm *vm, struct machine *machine);
/* The page tables of a VMID; ADDRESS_SPACE_NONE: none. */
void amd_vm_set(struct amd_vm *vm, uint32_t vmid, uint32_t space_id);
static inline uint32_t amd_vm_space(const struct amd_vm *vm, uint32_t vmid)
{
    return vm->state->spaces[vmid % AMD_VMIDS];
}

/* False: nothing is mapped at *fault; of a write what lies in front is done. */
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
/* Where the address lies.  False: nowhere. */
bool amd_vm_find(const struct amd_vm *vm, uint32_t vmid, uint64_t address,
                 struct address_space_range *where);
/* A completion value stands there now: who compares with a recording is told. */
void amd_vm_released(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t value);
/* That event for that unit when the word there is written.  False: nothing is mapped there. */
bool amd_vm_watch(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t unit,
                  uint32_t kind, uint64_t argument);

#endif
