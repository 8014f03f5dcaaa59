/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU alone (bare_gpu.h has NVIDIA's): wired with its driver's and firmware's models,
 * neither of which has begun.  For what only asks what the chip has.
 */
#ifndef GFE_DEVICES_BARE_NODE_H
#define GFE_DEVICES_BARE_NODE_H

#include "emu/sim/amd_node.h"

struct bare_node {
    struct machine *machine; /* sealed; its log is kept in memory */
    struct amd_node node;
};

/* Wires it into a machine of its own; it stays where it is.  False with a message; bare_node_fini()
 * is right in either case. */
bool bare_node_init(struct bare_node *bare, const struct amd_chip *chip, struct gfe_error *error);
void bare_node_fini(struct bare_node *bare);

#endif
