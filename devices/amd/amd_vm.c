/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_vm.h"

void amd_vm_wire(struct amd_vm *vm, struct machine *machine)
{
    *vm = (struct amd_vm){.machine = machine, .state = machine_alloc(machine, sizeof *vm->state)};
    for (uint32_t vmid = 0; vm->state && vmid < AMD_VMIDS; vmid++)
        vm->state->spaces[vmid] = ADDRESS_SPACE_NONE;
}

void amd_vm_set(struct amd_vm *vm, uint32_t vmid, uint32_t space_id)
{
    vm->state->spaces[vmid % AMD_VMIDS] = space_id;
}

bool amd_vm_find(const struct amd_vm *vm, uint32_t vmid, uint64_t address,
                 struct address_space_range *where)
{
    const uint32_t space_id = amd_vm_space(vm, vmid);
    uint64_t contiguous;

    return space_id != ADDRESS_SPACE_NONE &&
           address_space_translate(&vm->machine->spaces, space_id, address, where, &contiguous);
}

void amd_vm_released(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t value)
{
    machine_completed(vm->machine, amd_vm_space(vm, vmid), address, value);
}

bool amd_vm_watch(const struct amd_vm *vm, uint32_t vmid, uint64_t address, uint32_t unit,
                  uint32_t kind, uint64_t argument)
{
    struct address_space_range where;

    if (!amd_vm_find(vm, vmid, address, &where))
        return false;
    machine_watch(vm->machine, unit, kind, argument, (enum memory_aperture)where.aperture,
                  where.physical);
    return true;
}
