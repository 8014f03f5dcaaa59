/* SPDX-License-Identifier: MIT */
/*
 * AMD's compute GPUs of the gfx9 family as data.  One const struct holds what the front end and the
 * scheduling of blocks need of a chip, and `figures` gives each figure's basis.
 *
 * A chip consists of shader engines (SE).  A shader engine consists of shader arrays (SH), each of
 * compute units (CU), each of four SIMDs.  Commands come through the micro engines of the compute
 * front end (MEC).  Each MEC has pipes, which the papers call ACEs, and each pipe has hardware
 * queue slots (HQD).  KFD gives MEC1's slots to programs.  The graphics driver keeps some slots of
 * each pipe, and MEC2's first pipe has the queue of the kernel driver (HIQ).
 *
 * Sources: the gfx9 part of the amdgpu and amdkfd drivers; LLVM's AMDGPU back end for the units in
 * which registers are allocated; Otterness and Anderson 2022 for what was measured on Radeon VII.
 * Not modelled: graphics, the caches, which of an array's CUs a harvested product lacks (the
 * hardware numbers the existing ones from 0).
 */
#ifndef GFE_DEVICES_AMD_AMD_CHIP_H
#define GFE_DEVICES_AMD_AMD_CHIP_H

#include <stdint.h>

#include "devices/core/chip_figure.h"

enum {
    AMD_SHADER_ENGINES_MAX = 8,
    AMD_CUS_PER_ENGINE_MAX = 16, /* bits for one shader array: half of a mask register */
    AMD_PIPES_MAX = 4,           /* of one MEC */
    AMD_QUEUES_PER_PIPE_MAX = 8,
    AMD_VMIDS = 16,
};

struct amd_chip {
    const char *name;            /* radeon-vii */
    const char *title;           /* Radeon VII */
    const char *chip;            /* Vega 20 */
    const char *isa;             /* gfx906: the target that programs are compiled for */
    uint32_t gfx_target_version; /* major * 10000 + minor * 100 + stepping, as KFD reports it */
    uint32_t pci_id;             /* vendor << 16 | device */
    uint64_t vram_bytes, sysmem_bytes;
    uint64_t shader_hz;               /* of CUs and of the front end */
    uint64_t reference_hz;            /* of the time stamps that packets write */
    uint64_t system_bytes_per_second; /* the link to system memory, each direction */
    uint64_t local_bytes_per_second;  /* the GPU's own memory, reading and writing together */

    uint32_t shader_engine_count;
    uint32_t arrays_per_engine;
    uint32_t cu_slots_per_engine;               /* including those that the product lacks */
    uint8_t engine_cus[AMD_SHADER_ENGINES_MAX]; /* that each shader engine of the product has */
    uint32_t cu_count;                          /* their sum */
    uint32_t simds_per_cu;
    uint32_t waves_per_simd;
    uint32_t threads_per_wave;
    uint32_t threads_per_workgroup; /* highest */
    /* Registers of a SIMD, which all its waves share.  Vector registers are counted in one lane. */
    uint32_t vgprs_per_simd, vgpr_unit, vgprs_per_wave;
    uint32_t sgprs_per_simd, sgpr_unit, sgprs_per_wave;
    uint32_t lds_bytes_per_cu, lds_unit_bytes;

    uint32_t mec_count;     /* known to the driver; KFD's queues are on the first */
    uint32_t pipes_per_mec; /* ACEs */
    uint32_t queues_per_pipe;
    uint32_t kernel_queues_per_pipe; /* slots of MEC1's pipes that amdgpu itself keeps, from 0 up */
    /* VMIDs of compute processes, from this one to the last of AMD_VMIDS */
    uint32_t first_kfd_vmid;
    uint32_t sdma_engine_count;      /* available to any queue */
    uint32_t sdma_xgmi_engine_count; /* for the links between GPUs */
    uint32_t sdma_queues_per_engine;
    uint32_t doorbell_bytes;
    uint32_t gws_count;                           /* global wave sync resources */
    uint32_t gds_bytes;                           /* global data share */
    struct chip_figure figures[CHIP_FIGURES_MAX]; /* ends with name NULL */
};

extern const struct amd_chip *const amd_chips[];
extern const uint32_t amd_chip_count;
/* Returns the chip of that name, or NULL if there is none. */
const struct amd_chip *amd_chip_by_name(const char *name);

/* Writes the number of CUs of each shader engine, as the heads of logs have it: "15 15 15 15".
 * Returns `to`. */
enum { AMD_CHIP_ENGINES_BYTES = 4 * AMD_SHADER_ENGINES_MAX };
const char *amd_chip_engines(const struct amd_chip *chip, char to[AMD_CHIP_ENGINES_BYTES]);

#endif
