/* SPDX-License-Identifier: MIT */
/*
 * One AMD GPU: its units and how they are joined.
 *
 *     doorbell -> amd_mec (slots of amd_gc: AQL, PM4)
 *        |          -> amd_dispatch (ACEs -> shader engines -> CUs)
 *        '------> amd_sdma (engines, each with its queues) -> memory, by the VMIDs of amd_vm
 */
#ifndef GFE_DEVICES_AMD_AMD_GPU_H
#define GFE_DEVICES_AMD_AMD_GPU_H

#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_gc.h"
#include "devices/amd/amd_ih.h"
#include "devices/amd/amd_mec.h"
#include "devices/amd/amd_sdma.h"

struct amd_gpu {
    struct amd_vm vm;
    struct amd_gc gc;
    struct amd_ih ih;
    struct amd_dispatch dispatch;
    struct amd_mec mec;
    struct amd_sdma sdma[AMD_SDMA_ENGINES_MAX]; /* the first sdma_links.engine_count */
    struct amd_sdma_links sdma_links;
};

/* Adds the chip's tables, registers and units to the machine.  The GPU must stay in its place as
 * long as the machine lives. */
void amd_gpu_wire(struct amd_gpu *gpu, struct machine *machine, const struct amd_chip *chip);

/* Stores 64 bits to a doorbell, by its number (offset / 8): of a queue slot, or of an SDMA queue.
 * A doorbell of neither goes to the loader of slots (amd_mec_client.rung). */
void amd_gpu_doorbell(struct amd_gpu *gpu, uint32_t doorbell_index, uint64_t value);

#endif
