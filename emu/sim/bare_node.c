/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/bare_node.h"

bool bare_node_init(struct bare_node *bare, const struct amd_chip *chip, struct gfe_error *error)
{
    const struct machine_config config = {
        .gpu = chip->name,
        .vram_bytes = chip->vram_bytes,
        .sysmem_bytes = chip->sysmem_bytes,
    };

    *bare = (struct bare_node){.machine = machine_new(&config, error)};
    if (!bare->machine)
        return false;
    return (amd_node_wire(&bare->node, bare->machine, chip) ||
            error_set(error, ERROR_SYSTEM, "no memory for a GPU")) &&
           machine_seal(bare->machine, error);
}

void bare_node_fini(struct bare_node *bare)
{
    if (bare->node.machine)
        amd_node_unwire(&bare->node);
    machine_free(bare->machine);
    *bare = (struct bare_node){0};
}
