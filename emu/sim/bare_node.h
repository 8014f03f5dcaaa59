/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU alone (bare_gpu.h has NVIDIA's): wired with the models of its driver and firmware,
 * which are not started.  It serves callers that only need the chip's properties.
 */
#ifndef GFE_EMU_SIM_BARE_NODE_H
#define GFE_EMU_SIM_BARE_NODE_H

#include "emu/sim/amd_node.h"

struct bare_node {
    struct machine *machine; /* sealed; its log is kept in memory */
    struct amd_node node;
};

/* Wires the GPU into a machine of its own.  The caller must not move `bare`.  Returns false with a
 * message on error.  Call bare_node_fini() in either case. */
bool bare_node_init(struct bare_node *bare, const struct amd_chip *chip, struct gfe_error *error);
void bare_node_fini(struct bare_node *bare);

#endif
