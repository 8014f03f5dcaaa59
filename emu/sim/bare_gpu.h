/* SPDX-License-Identifier: MIT */
/*
 * A GPU alone: wired, without a driver.  It serves callers that only need the chip's properties:
 * names and offsets of registers, engines, maps after a reset.
 */
#ifndef GFE_EMU_SIM_BARE_GPU_H
#define GFE_EMU_SIM_BARE_GPU_H

#include "devices/nvidia/nv_chip.h"
#include "traces/import/import_bus.h"

struct bare_gpu {
    const struct nv_chip *model;
    struct machine *machine; /* sealed; its log is kept in memory */
    void *gpu;
};

/* Wires the model into a machine of its own.  Returns false with a message on error.  Call
 * bare_gpu_fini() in either case. */
bool bare_gpu_init(struct bare_gpu *bare, const struct nv_chip *model, struct gfe_error *error);
void bare_gpu_fini(struct bare_gpu *bare);

/* The GPUs of this build, for import_bus(). */
extern const struct import_bus_chips bare_gpu_chips;

#endif
