/* SPDX-License-Identifier: MIT */
/*
 * What programs cost: how long a block of a kernel runs.
 *
 * No shader is executed here.  Who knows what a program does (a driver model that launches spinning
 * kernels, a user's figures) says so, by the address of its first instruction, which is what a
 * launch names it by.  A program that nobody has spoken of takes the default (core.block_*_cycles).
 *
 * Two kinds of time: a program that does a number of steps (counter_spin of the examiner) takes so
 * many cycles of its SM and stands still while its context is off the SMs; one that looks at the
 * clock (timer_spin) ends by the clock, whether or not it was on the SMs meanwhile.
 *
 * Priorities of channels stand here, too: the front end takes them from nobody else (ASSUMED: no
 * published method, descriptor or register carries the priority of a CUDA stream, so it is a
 * property of the channel that whoever has it sets).  So do the shares of SMs of clients of MPS, by
 * their address spaces, and for the same reason.
 */
#ifndef GFE_DEVICES_CORE_COST_H
#define GFE_DEVICES_CORE_COST_H

#include "emu/engine/machine.h"

enum {
    COST_ROWS_MAX = 4096,
    COST_HASH = 2 * COST_ROWS_MAX, /* a power of two */
    COST_CHANNELS_MAX = 4096,      /* of a runlist */
    COST_RUNLISTS_MAX = 32,
    COST_PRIORITIES = 8, /* levels of T.A1, 0 = the lowest */
    COST_SHARES_MAX = 64,
};

enum cost_kind {
    COST_DEFAULT, /* by the block's warps */
    COST_CYCLES,  /* of the SM, while it has one */
    COST_CLOCK,   /* picoseconds by the clock from its start */
};

GFE_STATE_BEGIN
struct cost {
    uint64_t amount; /* cycles, or picoseconds; of DEFAULT: 0 */
    uint32_t kind;   /* enum cost_kind */
    /* 1: the program counts its blocks as they start, in a word that it gets in constant buffer 0,
     * of which only what it holds after the first and the last of them is written here. */
    uint32_t counts_starts;
};

struct cost_row {
    uint64_t program; /* virtual address */
    uint32_t space_id;
    uint32_t used;
    struct cost cost;
};

struct cost_share {
    uint32_t space_id, sm_count;
};

struct cost_state {
    uint32_t row_count, share_count;
    struct cost_share shares[COST_SHARES_MAX];
    struct cost_row rows[COST_HASH];
    uint8_t priorities[COST_RUNLISTS_MAX][COST_CHANNELS_MAX]; /* as a channel's id has both */
};
GFE_STATE_END

struct cost_table {
    struct cost_state *state; /* in the arena */
};

/* Empty; takes its room in the machine, which is being wired. */
void cost_wire(struct cost_table *table, struct machine *machine);
/* What the program at that address of that space costs from now on.  False: the table is full. */
bool cost_set(struct cost_table *table, uint32_t space_id, uint64_t program,
              const struct cost *cost);
/* The default for a program that is not in the table. */
struct cost cost_find(const struct cost_table *table, uint32_t space_id, uint64_t program);
/* T.A1: kernels that the channel launches from now on are of that level, below COST_PRIORITIES. */
void cost_set_priority(struct cost_table *table, uint32_t channel_id, uint32_t level);
/* Kernels of that space have blocks on so many SMs at most, 1 or more.  False: the table is full.
 */
bool cost_set_share(struct cost_table *table, uint32_t space_id, uint32_t sm_count);
/* 0: all. */
uint32_t cost_share(const struct cost_table *table, uint32_t space_id);
/* 0 for channels of which nothing was said. */
uint32_t cost_priority(const struct cost_table *table, uint32_t channel_id);

#endif
