/* SPDX-License-Identifier: MIT */
/*
 * A copy engine as a channel sees it: methods describe a copy, LAUNCH_DMA runs it.
 *
 * Copies move real bytes, pitch or block-linear on either side, with component remapping of whole
 * components, and may release a semaphore at their end; they run one at a time and take a set-up
 * time plus their bytes at the engine's rate.  The bytes are read and written when the copy ends.
 * Described in open-gpu-doc classes/dma-copy/clc1b5.h.  Not modelled: physical addresses, semaphore
 * reductions, remapping that writes constants or reorders components (reported), PCE sharing.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CE_H
#define GFE_DEVICES_NVIDIA_NV_CE_H

#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_tile.h"
#include "emu/machine.h"

enum { NV_CE_METHODS = 0x1000, NV_CE_RUN_BYTES = 4096 };

GFE_STATE_BEGIN
/* One side of a copy. */
struct nv_ce_side {
    uint64_t base;
    struct nv_surface surface;
    uint32_t pitch, block_linear;
    uint32_t origin_x, origin_y; /* bytes, rows */
    uint32_t layer, reserved;
};

/* Everything is taken from the class state when LAUNCH_DMA comes: the next copy's methods follow
 * while this one still runs. */
struct nv_ce_copy {
    uint64_t copy_id, gp_sequence;
    uint64_t byte_count;
    uint64_t semaphore_address;
    struct nv_ce_side from, to;
    uint32_t channel_id, space_id;
    uint32_t line_bytes, line_count;
    uint32_t semaphore_payload, launch;
};

struct nv_ce_state {
    uint32_t busy;
    uint32_t waiting_pbdmas;
    uint32_t object;
    uint32_t reserved;
    struct nv_ce_copy copy;
    uint32_t reported[NV_CE_METHODS / 32];
    uint32_t shadow[NV_CE_METHODS];
};
GFE_STATE_END

struct nv_ce {
    struct machine *machine;
    const struct gpu_model *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct nv_fe *fe; /* for releases and faults, which look alike */
    uint32_t engine_id;
    uint32_t unit;
    char name[16];
    struct nv_ce_state *state;
};

void nv_ce_wire(struct nv_ce *ce, struct nv_host *host, struct nv_fe *fe, uint32_t engine_id,
                uint32_t instance);
bool nv_ce_visible(const struct nv_ce *ce, uint32_t method);
void nv_ce_private(struct nv_ce *ce, const struct nv_method *method);
/* True for what Host refuses in the copy engine's stead; *intr_1_bit is the bit of INTR_1. */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *intr_1_bit);
/* As nv_fe_method(). */
bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule);
/* As nv_fe_idle(). */
bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id);

#endif
