/* SPDX-License-Identifier: MIT */
/*
 * An account of the work of a run: what of each grid, copy and draw its log says, and the first
 * thing in it that cannot be.
 */
#ifndef GFE_EMU_SELFTEST_ACCOUNT_H
#define GFE_EMU_SELFTEST_ACCOUNT_H

#include "emu/selftest/invariant.h"

enum account_kind { ACCOUNT_NOTHING, ACCOUNT_GRID, ACCOUNT_COPY, ACCOUNT_DRAW };

struct account_work {
    enum account_kind kind;
    bool ended, dropped;
    uint64_t bytes;                         /* of a copy */
    uint32_t blocks, threads, shared_bytes; /* of a grid */
    uint32_t first_block, blocks_started, blocks_ended;
    uint64_t block_ps, block_cycles; /* of a grid: what a block costs, if the log says it */
    gfe_ps stopped_ps;               /* since then it is suspended; GFE_PS_NEVER: it is not */
};

struct account_block {
    bool started, ended;
    uint32_t stops;                   /* how often it was stopped while it ran */
    gfe_ps start_ps, end_ps, rest_ps; /* rest_ps: how long it stood still */
    uint32_t sm;
};

struct account {
    struct account_work *works; /* by operation id; no work has an id of `count` or more */
    struct account_block *blocks;
    uint64_t count, block_count;
    char says[INVARIANT_SAYS_BYTES]; /* what cannot be; "" if there is nothing */
    bool no_memory;
};

/* Reads the events of a run.  The caller releases the account with account_fini(). */
void account_make(struct account *account, const struct world_run *run);
void account_fini(struct account *account);
/* Returns true if the hardware has refused something of the run, and has said so: an engine a
 * method or a copy, or Host a channel or a list.  What was to come of it is then not done, nor
 * named again.
 */
bool account_has_refusal(const struct world_run *run);

#endif
