/* SPDX-License-Identifier: MIT */
/* Writes a log of blocks on SMs, which gives the most to draw for a log's size.  Waves of blocks
 * fill all slots of all SMs and end in the order of their starts. */
#ifndef BENCH_BENCH_BLOCKS_H
#define BENCH_BENCH_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

struct bench_blocks {
    uint32_t sms, slots;
    uint32_t waves;      /* each wave fills all slots once */
    uint32_t grid_waves; /* waves of one grid */
};

/* Writes the log to a new file.  Returns false with `error` set on failure. */
bool bench_blocks_write(const char *path, const struct bench_blocks *shape,
                        struct gfe_error *error);

#endif
