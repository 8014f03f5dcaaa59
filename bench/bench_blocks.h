/* SPDX-License-Identifier: MIT */
/* A log of blocks on SMs: the most to draw that a log can have for its size.  Waves of blocks fill
 * all slots of all SMs and end in the order of their starts. */
#ifndef BENCH_BENCH_BLOCKS_H
#define BENCH_BENCH_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

struct bench_blocks {
    uint32_t sms, slots;
    uint32_t waves;      /* each fills all slots once */
    uint32_t grid_waves; /* of one grid */
};

/* Writes a new file. */
bool bench_blocks_write(const char *path, const struct bench_blocks *shape,
                        struct gfe_error *error);

#endif
