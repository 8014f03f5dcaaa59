/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_capability.h"

#include <stddef.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"

/* CUDA C++ Programming Guide and NVIDIA's list of GPUs that CUDA runs on. */
static const struct {
    uint8_t major, minor;
    const char *chip;
} capabilities[] = {
    {3, 0, "GK104"}, {5, 2, "GM204"}, {6, 1, "GP102"}, {6, 1, "GP106"}, {6, 1, "GP107"},
    {6, 2, "GP10B"}, {7, 0, "GV100"}, {7, 2, "GV11B"}, {7, 5, "TU102"}, {7, 5, "TU106"},
    {8, 0, "GA100"}, {8, 7, "GA10B"}, {8, 9, "AD102"}, {9, 0, "GH100"},
};

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

const struct nv_chip *nv_capability_chip(uint32_t major, uint32_t minor, uint32_t sm_count)
{
    const struct nv_chip *best = NULL;

    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        if (capabilities[i].major != major || capabilities[i].minor != minor)
            continue;
        for (uint32_t n = 0; n < nv_chip_count; n++)
            if (strcmp(nv_chips[n]->chip, capabilities[i].chip) == 0 && !nv_chips[n]->sm.one_pool &&
                (!best ||
                 distance(nv_chips[n]->sm_count, sm_count) < distance(best->sm_count, sm_count)))
                best = nv_chips[n];
    }
    return best;
}
