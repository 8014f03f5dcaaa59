/* SPDX-License-Identifier: MIT */
/*
 * One AMD GPU: its units and how they are joined.
 *
 *     doorbell -> amd_mec (slots of amd_gc: AQL, PM4) -> amd_dispatch (ACEs -> shader engines -> CUs)
 */
#ifndef GFE_DEVICES_AMD_AMD_GPU_H
#define GFE_DEVICES_AMD_AMD_GPU_H

#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_gc.h"
#include "devices/amd/amd_mec.h"

struct amd_gpu {
    struct amd_gc gc;
    struct amd_dispatch dispatch;
    struct amd_mec mec;
};

/* Adds the chip's tables, registers and units to the machine.  The GPU lies where it is as long as
 * the machine lives. */
void amd_gpu_wire(struct amd_gpu *gpu, struct machine *machine, const struct amd_chip *chip);

#endif
