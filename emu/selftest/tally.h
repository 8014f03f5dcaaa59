/* SPDX-License-Identifier: MIT */
/* What came of many worlds: by GPU and kind, and by invariant. */
#ifndef GFE_EMU_SELFTEST_TALLY_H
#define GFE_EMU_SELFTEST_TALLY_H

#include <stdio.h>

#include "emu/selftest/selftest.h"

enum { TALLY_ROWS_MAX = 64, TALLY_INVARIANTS_MAX = 16 };

struct tally {
    struct tally_row {
        char gpu[SELFTEST_GPU_BYTES];
        uint64_t worlds[WORLD_KINDS];
        uint64_t disturbed[WORLD_DISTURBANCES];
        uint64_t events;
    } rows[TALLY_ROWS_MAX]; /* by the GPU's name */
    uint32_t row_count;
    uint64_t tried, failed, refused, crashed;
    uint64_t broken[TALLY_INVARIANTS_MAX]; /* by invariants[] */
};

/* Counts a world. */
void tally_add(struct tally *tally, const struct selftest_verdict *verdict);
/* Prints the counts as text, or as tables in Markdown. */
void tally_print(const struct tally *tally, bool markdown, FILE *file);

#endif
