/* SPDX-License-Identifier: MIT */
/*
 * A figure of a chip for the reader: `gfe gpus NAME` prints the figures of a chip, of either
 * vendor, each with its basis and source.
 */
#ifndef GFE_DEVICES_CORE_GPU_FIGURE_H
#define GFE_DEVICES_CORE_GPU_FIGURE_H

#include "emu/log/rule.h"

enum { GPU_FIGURES_MAX = 48 };

struct gpu_figure {
    const char *name, *value;
    enum basis basis;
    const char *source;
};

#endif
