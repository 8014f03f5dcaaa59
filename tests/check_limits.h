/* SPDX-License-Identifier: MIT */
/* A GPU for gfe check: two SMs of 2,048 threads, 64 KiB and 32 blocks, as on a TX2. */
#ifndef TESTS_CHECK_LIMITS_H
#define TESTS_CHECK_LIMITS_H

#include "emu/analysis/check/check.h"

static const struct check_limits check_limits_tx2 = {
    .sm_count = 2,
    .threads_per_sm = 2048,
    .warps_per_sm = 64,
    .blocks_per_sm = 32,
    .registers_per_sm = 65536,
    .registers_per_block = 32768,
    .registers_per_thread = 255,
    .shared_bytes_per_sm = 65536,
    .shared_bytes_per_block = 49152,
    .threads_per_block = 1024,
    .threads_per_warp = 32,
    .register_unit = 256,
    .partitions = 4,
    .shared_unit_bytes = 256,
    .grids = 16,
};

#endif
