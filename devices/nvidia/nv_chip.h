/* SPDX-License-Identifier: MIT */
/*
 * The NVIDIA chips: one const struct nv_chip each, every figure with its basis, and the wiring of a
 * machine from a chip. emu/sim/gpus.h lists the GPUs of all vendors.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHIP_H
#define GFE_DEVICES_NVIDIA_NV_CHIP_H

#include "devices/core/chip_figure.h"
#include "devices/core/exec_pool.h"
#include "emu/engine/machine.h"

struct cost_table;

enum {
    NV_CHIP_ENGINES_MAX = 64,
    NV_CHIP_PBDMAS_MAX = 48,
    NV_CHIP_RUNLISTS_MAX = 32,
    NV_CHIP_PCES_MAX = 32,
    NV_CHIP_GRCES_MAX = 4,
    NV_CHIP_VGPCS_MAX = 12
};

enum nv_chip_engine_kind {
    NV_CHIP_GRAPHICS,
    NV_CHIP_GRCE,
    NV_CHIP_LCE,
    NV_CHIP_NVDEC,
    NV_CHIP_NVENC,
    NV_CHIP_SEC,
    NV_CHIP_MSVLD,
    NV_CHIP_MSPDEC,
    NV_CHIP_MSPPP,
    NV_CHIP_MSENC,
    NV_CHIP_NVJPG,
    NV_CHIP_OFA,
    NV_CHIP_ENGINE_KINDS
};

enum {
    /* a reset, interrupt or fault id that the chip's table does not have */
    NV_CHIP_ID_NONE = 0xffff,
    NV_CHIP_PCE_UNUSED = 0xff /* a PCE that serves no LCE */
};

struct nv_chip_engine {
    const char *name; /* such as GRCE0/LCE0 */
    enum nv_chip_engine_kind kind;
    uint8_t instance;
    uint8_t runlist_id;
    uint8_t engine_id; /* Host's number */
    /* Further ids of its row in PTOP.  NV_CHIP_ID_NONE means that the row has none. */
    uint16_t reset_id, intr_id, fault_id;
    uint32_t pri_base; /* of the engine's registers in BAR0; 0 means none */
    uint8_t rleng_id;  /* index among its runlist's engines, from 0 */
};

struct nv_chip_runlist {
    uint32_t pri_base; /* Ampere and later: of the runlist's block in BAR0; 0 on earlier chips */
    /* RUNLIST_ID of the doorbell's word; before Ampere the runlist's own number */
    uint32_t doorbell_id;
};

/* A copy engine of the graphics runlist, which may work with the PCEs of another copy engine. */
struct nv_chip_grce {
    uint8_t shared_lce;
    bool is_shared;
};

/* Values of the parameters nv.gr.context_save_cycles, nv.gr.save_ps_per_kib and so on.  A
 * load_cycles of 0 means that they are not known: nv_chip_costs() carries them over from another
 * chip. */
struct nv_chip_switch {
    uint32_t save_cycles, save_ps_per_kib, load_ps_per_kib, warps_ps_per_kib, warp_alone_ps_per_kib;
    uint32_t stop_ps;
    uint32_t load_cycles;
};

struct nv_chip {
    const char *name;  /* gtx1060 */
    const char *alias; /* another accepted name; NULL if there is none */
    const char *title; /* GeForce GTX 1060 6GB */
    const char *chip;  /* GP106 */
    uint32_t chip_id;  /* 0x136 */
    uint32_t pci_id;   /* vendor << 16 | device; 0 if not on PCI */
    uint64_t vram_bytes, sysmem_bytes;
    uint64_t sm_hz, host_hz;
    uint64_t pce_bytes_per_second;    /* a physical copy engine: rate of reading, and of writing */
    uint64_t system_bytes_per_second; /* the link to system memory, each direction */
    uint64_t local_bytes_per_second;  /* the GPU's own memory, reading and writing together */
    /* Reset values of the registers of the copy engines' map. */
    uint32_t pce_count;
    uint8_t pce_to_lce[NV_CHIP_PCES_MAX]; /* the LCE that a PCE serves, or NV_CHIP_PCE_UNUSED */
    struct nv_chip_grce grce[NV_CHIP_GRCES_MAX];
    uint32_t gpc_count, tpc_count; /* of the product */
    /* TPCs of each virtual GPC, and TPCs in none (devices/core/dispatch_turns.h).  All 0 if they
     * are not known. */
    uint8_t vgpc_tpcs[NV_CHIP_VGPCS_MAX];
    uint32_t vgpc_count, singleton_tpcs;
    uint32_t sm_count;
    struct exec_limits sm;
    struct nv_chip_switch context_switch;
    uint32_t launch_cycles, copy_setup_cycles; /* parameters as measured; 0: those of the tables */
    bool holds_split;                          /* nv.sm_split is held unless told otherwise */
    bool passes_masked;     /* core.masked_grids is passed unless told otherwise */
    uint32_t channel_count; /* of the chip; from Ampere on of each runlist */
    uint32_t pbdma_count, runlist_count, engine_count;
    uint32_t pbdma_runlists[NV_CHIP_PBDMAS_MAX]; /* PBDMA_MAP: bit r = runlist r */
    struct nv_chip_runlist runlists[NV_CHIP_RUNLISTS_MAX];
    struct nv_chip_engine engines[NV_CHIP_ENGINES_MAX]; /* in the order of PTOP's rows */
    uint16_t class_3d, class_compute, class_inline, class_2d, class_copy, class_host;
    uint16_t class_copy_older;                    /* also accepted by the copy engines; 0 if none */
    struct chip_figure figures[CHIP_FIGURES_MAX]; /* ends with name NULL */
    /* Adds the chip's units to the machine.  Returns the GPU, which `unwire` frees. */
    void *(*wire)(struct machine *machine, const struct nv_chip *model, struct gfe_error *error);
    void (*unwire)(void *gpu);
    /* Returns the table in which the front end looks up the costs of programs. */
    struct cost_table *(*costs)(void *gpu);
};

/* The chips, oldest first. */
extern const struct nv_chip *const nv_chips[];
extern const uint32_t nv_chip_count;
/* Finds a chip by name or alias.  Returns NULL if no NVIDIA chip has that name. */
const struct nv_chip *nv_chip_by_name(const char *name);
/* Returns the mask of the variants of register lists (emu/engine/reg.h) that the chip has. */
uint32_t nv_chip_reg_variants(const struct nv_chip *model);

#endif
