/* SPDX-License-Identifier: MIT */
/*
 * Which alternative of choice point amd.baton the times of an isolated kernel's blocks obey.  The
 * method, and why it is this one: docs/block-order.md.
 *
 * The counters that blocks read are those of groups of CUs, and stand far apart.  The first two
 * rounds of blocks, on empty CUs, give the offset of each.  A later block may have been on any CU
 * of its shader engine; so its start has one candidate for each clock there.  F(w) is the fewest
 * blocks that have to be left out so that all others may have started no earlier than any block
 * that is w or more before them.  A replay of the same blocks under each alternative says what F
 * should be.
 */
#ifndef GFE_EMU_EXPLORE_BLOCK_ORDER_H
#define GFE_EMU_EXPLORE_BLOCK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "traces/config/hip_result.h"

enum {
    BLOCK_ORDER_ENGINES_MAX = 8,
    BLOCK_ORDER_CUS_MAX = 16,
    BLOCK_ORDER_BLOCKS_MAX = 8192,
    BLOCK_ORDER_WINDOWS = 5,        /* see block_order_windows */
    BLOCK_ORDER_ERRORS = 3,         /* eps, twice and four times eps */
    BLOCK_ORDER_NEAR_CYCLES = 3000, /* CUs whose offsets are nearer than this have one clock */
    BLOCK_ORDER_LEAST_ERROR = 1000, /* cycles */
    BLOCK_ORDER_NEAR_PPM = 10000,   /* of the blocks: figures as near as this agree */
};

/* The GPU as far as the order of blocks depends on it. */
struct block_order_shape {
    uint32_t engines, cus; /* CUs of each shader engine */
    uint32_t places;       /* whole blocks that a CU holds; 2 or more */
    uint32_t ramp_cycles;  /* between two blocks that a workload manager places */
};

/* The clocks of a shader engine. */
struct block_order_clocks {
    uint32_t count;
    int64_t offsets[BLOCK_ORDER_CUS_MAX]; /* cycles, when the kernel begins */
    uint32_t cus[BLOCK_ORDER_CUS_MAX];    /* that read it */
    uint32_t of_cu[BLOCK_ORDER_CUS_MAX];  /* the clock of each CU */
};

struct block_order {
    struct block_order_shape shape;
    uint32_t block_count;
    const struct hip_result_block *blocks; /* borrowed */
    struct block_order_clocks clocks[BLOCK_ORDER_ENGINES_MAX];
    int64_t error_cycles; /* eps */
};

/* Takes the times of a kernel's blocks, and finds the clocks.  Returns false with a message if
 * there are too few blocks for it.  result->blocks must outlive `order`. */
bool block_order_init(struct block_order *order, const struct block_order_shape *shape,
                      const struct hip_result *result, const char *name, struct gfe_error *error);

/* ---- counting -------------------------------------------------------------------------------- */

/* The values of w for which F(w) is counted: 1, 2, 3, the number of shader engines, twice that. */
void block_order_windows(const struct block_order *order, uint32_t windows[BLOCK_ORDER_WINDOWS]);

/* Counts F for each of the windows.  `starts` are recorded starts of all blocks, in cycles of their
 * CUs' clocks.  Returns false if memory is short. */
bool block_order_count(const struct block_order *order, const int64_t *starts, int64_t error_cycles,
                       uint32_t counts[BLOCK_ORDER_WINDOWS]);

/* Counts F(window) in the same way, once. */
bool block_order_fewest(const struct block_order *order, const int64_t *starts,
                        int64_t error_cycles, uint32_t window, uint32_t *count);

/* ---- replays --------------------------------------------------------------------------------- */

/* How late starts are recorded: an exponential law, drawn for each block. */
struct block_order_late {
    uint32_t mean_cycles;
    uint64_t seed;
};

/* Replays the blocks, each for the time that it took, under the rule that block n starts no
 * earlier than any block up to n - window.  Writes the starts as the clocks of their CUs record
 * them.  Returns the cycles from the first start to the last end. */
int64_t block_order_replay(const struct block_order *order, uint32_t window,
                           const struct block_order_late *late, int64_t *starts);

/* ---- the verdict ----------------------------------------------------------------------------- */

enum block_order_verdict {
    BLOCK_ORDER_STAGED,
    BLOCK_ORDER_PLACED,
    BLOCK_ORDER_NEITHER,
    BLOCK_ORDER_BOTH,
};
enum { BLOCK_ORDER_ALTERNATIVES = 2 }; /* staged, placed: the first two verdicts */

/* F for each error bound and window. */
struct block_order_counts {
    uint32_t rows[BLOCK_ORDER_ERRORS][BLOCK_ORDER_WINDOWS];
};

/* What an alternative predicts. */
struct block_order_prediction {
    uint32_t
        late_cycles; /* mean lateness of starts, with which F(1) is nearest to the measured one */
    struct block_order_counts counts;
    int64_t cycles; /* from the first start to the last end */
    bool fits;      /* with that lateness all figures are near to the measured ones */
};

struct block_order_report {
    uint32_t windows[BLOCK_ORDER_WINDOWS];
    int64_t error_cycles[BLOCK_ORDER_ERRORS];
    struct block_order_counts measured;
    struct block_order_prediction predictions[BLOCK_ORDER_ALTERNATIVES];
    enum block_order_verdict verdict;
};

/* Counts, replays and judges.  Returns false with a message if memory is short. */
bool block_order_judge(const struct block_order *order, struct block_order_report *report,
                       struct gfe_error *error);

#endif
