/* SPDX-License-Identifier: MIT */
/*
 * The chips: one const model each, every figure with its basis, and how a model becomes a machine.
 * Together with main.c the only place that knows every vendor.
 */
#ifndef GFE_DEVICES_GPU_MODEL_H
#define GFE_DEVICES_GPU_MODEL_H

#include "devices/core/exec_pool.h"
#include "devices/core/gpu_figure.h"
#include "emu/engine/machine.h"

struct cost_table;
struct check_limits;

enum {
    GPU_ENGINES_MAX = 64,
    GPU_PBDMAS_MAX = 48,
    GPU_RUNLISTS_MAX = 32,
    GPU_PCES_MAX = 32,
    GPU_GRCES_MAX = 4
};

enum gpu_engine_kind {
    GPU_ENGINE_GRAPHICS,
    GPU_ENGINE_GRCE,
    GPU_ENGINE_LCE,
    GPU_ENGINE_NVDEC,
    GPU_ENGINE_NVENC,
    GPU_ENGINE_SEC,
    GPU_ENGINE_MSVLD,
    GPU_ENGINE_MSPDEC,
    GPU_ENGINE_MSPPP,
    GPU_ENGINE_MSENC,
    GPU_ENGINE_NVJPG,
    GPU_ENGINE_OFA,
    GPU_ENGINE_KINDS
};

enum {
    GPU_ID_NONE = 0xffff, /* a reset, interrupt or fault id that the chip's table lacks */
    GPU_PCE_UNUSED = 0xff /* a PCE that serves no LCE */
};

struct gpu_engine {
    const char *name; /* such as GRCE0/LCE0 */
    enum gpu_engine_kind kind;
    uint8_t instance;
    uint8_t runlist_id;
    uint8_t engine_id; /* Host's number */
    /* What PTOP tells of it besides; the ids are GPU_ID_NONE where it tells none. */
    uint16_t reset_id, intr_id, fault_id;
    uint32_t pri_base; /* of the engine's registers in BAR0; 0 = none told */
    uint8_t rleng_id;  /* which of its runlist's engines it is, from 0 */
};

struct gpu_runlist {
    uint32_t pri_base;    /* Ampere and later: of the runlist's block in BAR0; before 0 */
    uint32_t doorbell_id; /* RUNLIST_ID of the doorbell's word; before Ampere its own number */
};

/* A copy engine of the graphics runlist that works with the PCEs of another one. */
struct gpu_grce {
    uint8_t shared_lce;
    bool is_shared;
};

struct gpu_model {
    const char *name;  /* gtx1060 */
    const char *alias; /* another name that is taken; NULL = none */
    const char *title; /* GeForce GTX 1060 6GB */
    const char *chip;  /* GP106 */
    uint32_t chip_id;  /* 0x136 */
    uint32_t pci_id;   /* vendor << 16 | device; 0: not on PCI */
    uint64_t vram_bytes, sysmem_bytes;
    uint64_t sm_hz, host_hz;
    uint64_t pce_bytes_per_second;    /* a physical copy engine, each of reading and writing */
    uint64_t system_bytes_per_second; /* the link to system memory, each direction */
    uint64_t local_bytes_per_second;  /* the GPU's own memory, reading and writing together */
    /* What the registers of the copy engines' map hold at reset. */
    uint32_t pce_count;
    uint8_t pce_to_lce[GPU_PCES_MAX]; /* the LCE that a PCE serves, or GPU_PCE_UNUSED */
    struct gpu_grce grce[GPU_GRCES_MAX];
    uint32_t gpc_count, tpc_count; /* of the product; nothing here depends on them */
    uint32_t sm_count;
    struct exec_limits sm;
    uint32_t channel_count; /* of the chip; from Ampere on of each runlist */
    uint32_t pbdma_count, runlist_count, engine_count;
    uint32_t pbdma_runlists[GPU_PBDMAS_MAX]; /* PBDMA_MAP: bit r = runlist r */
    struct gpu_runlist runlists[GPU_RUNLISTS_MAX];
    struct gpu_engine engines[GPU_ENGINES_MAX]; /* as the rows of PTOP follow each other */
    uint16_t class_3d, class_compute, class_inline, class_2d, class_copy, class_host;
    uint16_t class_copy_older;                  /* which the copy engines take as well; 0 = none */
    struct gpu_figure figures[GPU_FIGURES_MAX]; /* ends with name NULL */
    /* Adds the chip's units to the machine; returns the GPU, freed by `unwire`. */
    void *(*wire)(struct machine *machine, const struct gpu_model *model, struct gfe_error *error);
    void (*unwire)(void *gpu);
    /* Where the front end looks up what programs cost. */
    struct cost_table *(*costs)(void *gpu);
};

extern const struct gpu_model *const gpu_models[];
extern const uint32_t gpu_model_count;
/* By name or alias; NULL when there is no such chip. */
const struct gpu_model *gpu_model_by_name(const char *name);
/* The user's error (ERROR_USAGE) of a name that there is no model by; false. */
bool gpu_model_missing(const char *name, struct gfe_error *error);

/* Every table and every register list of this build, for `gfe rules` and `gfe regs`. */
extern const struct table_set *const gfe_table_sets[];
extern const uint32_t gfe_table_set_count;
extern const struct reg_list *const gfe_reg_lists[];
extern const uint32_t gfe_reg_list_count;
/* Which variants of those lists (emu/engine/reg.h) the GPU has: a mask. */
uint32_t gpu_model_reg_variants(const struct gpu_model *model);
/* What bounds its blocks, for who works it out a second time; emu/analysis/check/check.h has the
 * struct. */
struct check_limits gpu_model_limits(const struct gpu_model *model);
/* The same of any vendor's GPU, by name or alias (NULL: none); false: there is no such GPU. */
bool gpu_limits_by_name(const char *name, struct check_limits *limits);

#endif
