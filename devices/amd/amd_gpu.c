/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_gpu.h"

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"

void amd_gpu_wire(struct amd_gpu *gpu, struct machine *machine, const struct amd_chip *chip)
{
    *gpu = (struct amd_gpu){0};
    machine_add_tables(machine, &core_tables);
    machine_add_tables(machine, &amd_tables);
    machine_add_tables(machine, &amd_mec_tables);
    amd_gc_wire(&gpu->gc, machine, chip);
    amd_dispatch_wire(&gpu->dispatch, machine, chip);
    amd_mec_wire(&gpu->mec, machine, chip, &gpu->gc, &gpu->dispatch);
}
