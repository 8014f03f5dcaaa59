/* SPDX-License-Identifier: MIT */
/*
 * A figure of a chip for the reader.  `gfe gpus NAME` prints these beside the figures that the
 * model computes with, each with its basis and source.  Chips of all vendors list them.
 */
#ifndef GFE_DEVICES_CORE_CHIP_FIGURE_H
#define GFE_DEVICES_CORE_CHIP_FIGURE_H

#include "emu/log/rule.h"

enum { CHIP_FIGURES_MAX = 96 }; /* of a chip, including the row that ends the list */

struct chip_figure {
    const char *name, *value;
    enum basis basis;
    const char *source;
};

#endif
