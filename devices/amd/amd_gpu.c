/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_gpu.h"

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"

void amd_gpu_wire(struct amd_gpu *gpu, struct machine *machine, const struct amd_chip *chip)
{
    *gpu = (struct amd_gpu){0};
    machine_add_tables(machine, &core_tables);
    machine_add_tables(machine, &amd_tables);
    machine_add_tables(machine, &amd_mec_tables);
    machine_add_tables(machine, &amd_sdma_tables);
    amd_vm_wire(&gpu->vm, machine);
    amd_gc_wire(&gpu->gc, machine, chip);
    amd_dispatch_wire(&gpu->dispatch, machine, chip);
    amd_mec_wire(&gpu->mec, machine, chip, &gpu->vm, &gpu->gc, &gpu->dispatch);
    amd_sdma_wire(gpu->sdma, &gpu->sdma_links, machine, chip, &gpu->vm);
    amd_ih_wire(&gpu->ih, machine, chip, &gpu->vm, &gpu->gc);
    gpu->mec.ih = &gpu->ih;
    for (uint32_t engine = 0; engine < gpu->sdma_links.engine_count; engine++)
        gpu->sdma[engine].ih = &gpu->ih;
}

static void amd_gpu_ring(struct amd_gpu *gpu, uint32_t doorbell_index, uint64_t value)
{
    if (amd_mec_slot_of(&gpu->mec, doorbell_index) == AMD_NO_SLOT)
        for (uint32_t engine = 0; engine < gpu->sdma_links.engine_count; engine++)
            if (amd_sdma_doorbell(&gpu->sdma[engine], doorbell_index, value))
                return;
    amd_mec_doorbell(&gpu->mec, doorbell_index, value);
}

void amd_gpu_doorbell(struct amd_gpu *gpu, uint32_t doorbell_index, uint64_t value)
{
    struct amd_inject_doorbell doorbell = {.value = value, .index = doorbell_index};

    if (machine_inject(gpu->mec.machine, gpu->mec.unit, AMD_INJECT_DOORBELL, doorbell_index,
                       &doorbell, sizeof doorbell))
        amd_gpu_ring(gpu, doorbell.index, doorbell.value);
}
