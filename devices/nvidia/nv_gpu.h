/* SPDX-License-Identifier: MIT */
/*
 * One NVIDIA GPU: its units and how they are joined.  Private to devices/nvidia.
 *
 *     USERD store -> nv_host -> nv_runlist -> nv_pbdma -> nv_fe (3D, compute, inline) -> dispatch
 *                                                      \-> nv_ce (every GRCE and LCE) -> nv_pce
 */
#ifndef GFE_DEVICES_NVIDIA_NV_GPU_H
#define GFE_DEVICES_NVIDIA_NV_GPU_H

#include "devices/core/dispatch.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_mmu.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "emu/engine/machine.h"

struct nv_gpu {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host host;
    struct nv_runlist runlists[NV_CHIP_RUNLISTS_MAX];
    struct nv_runlist runqueues[NV_CHIP_PBDMAS_MAX]; /* of runlists, behind their first ones */
    uint32_t runqueue_count;
    struct nv_pbdma pbdmas[NV_CHIP_PBDMAS_MAX];
    struct nv_engine engines[NV_CHIP_ENGINES_MAX];
    struct nv_mmu mmu;
    struct nv_fault_registers faults;
    struct nv_fe fe;
    struct nv_ce ces[NV_CHIP_ENGINES_MAX];
    struct nv_hce hce;
    struct nv_pce pce;
    uint32_t ce_count;
    struct dispatch dispatch;
};

/* Implement nv_chip.wire, .unwire and .costs for every NVIDIA chip. */
void *nv_gpu_wire(struct machine *machine, const struct nv_chip *model, struct gfe_error *error);
void nv_gpu_unwire(void *gpu);
struct cost_table *nv_gpu_costs(void *gpu);

#endif
