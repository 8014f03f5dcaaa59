/* SPDX-License-Identifier: MIT */
/*
 * Costs of programs: how long a block of a kernel runs.
 *
 * No shader is executed here.  Code that knows a program sets its cost: a driver model that
 * launches spinning kernels, or a user's figures.  The key is the address of the program's first
 * instruction, by which a launch names it.  A program without a cost takes the default
 * (core.block_*_cycles).
 *
 * There are two kinds of time.  A program that does a number of steps (counter_spin of the
 * examiner) takes a number of cycles of its SM, and stands still while its context is off the SMs.
 * A program that reads the clock (timer_spin) ends by the clock, whether or not it was on the SMs
 * meanwhile.
 *
 * Priorities of channels stand here, too.  Hopper's descriptors carry the priority of a CUDA stream
 * (nv_qmd_level_of()).  ASSUMED for other chips, of which no method, descriptor or register that
 * carries it is known: it is a property of the channel, and the driver model that owns the channel
 * sets it.  The shares of SMs of
 * clients of MPS stand here for the same reason, by their address spaces.
 *
 * Not modelled: times that depend on a program's data or on other loads of the memory.
 */
#ifndef GFE_DEVICES_CORE_COST_H
#define GFE_DEVICES_CORE_COST_H

#include "emu/engine/machine.h"

enum {
    COST_ROWS_MAX = 4096,
    COST_HASH = 2 * COST_ROWS_MAX, /* a power of two */
    COST_CHANNELS_MAX = 4096,      /* channels of a runlist */
    COST_RUNLISTS_MAX = 32,
    COST_PRIORITIES = 8, /* levels of T.A1; 0 is the lowest */
    COST_SHARES_MAX = 64,
};

enum cost_kind {
    COST_DEFAULT, /* depends on the block's warps */
    COST_CYCLES,  /* cycles of the SM, while the block has one */
    COST_CLOCK,   /* picoseconds by the clock, from the block's start */
};

GFE_STATE_BEGIN
struct cost {
    uint64_t amount; /* cycles, or picoseconds; 0 for COST_DEFAULT */
    uint32_t kind;   /* enum cost_kind */
    /* 1 if the program counts its blocks as they start, in the first word of its constant buffer 0.
     * Only the counts after the first and the last block are written here. */
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
    /* by runlist and number, as a channel's id has both */
    uint8_t priorities[COST_RUNLISTS_MAX][COST_CHANNELS_MAX];
};
GFE_STATE_END

struct cost_table {
    struct cost_state *state; /* in the arena */
};

/* Creates an empty table in the arena of a machine that is being wired. */
void cost_wire(struct cost_table *table, struct machine *machine);
/* Sets the cost of the program at that address of that space.  Returns false if the table is full.
 */
bool cost_set(struct cost_table *table, uint32_t space_id, uint64_t program,
              const struct cost *cost);
/* Returns the cost of a program, or the default if it is not in the table. */
struct cost cost_find(const struct cost_table *table, uint32_t space_id, uint64_t program);
/* Sets the level of kernels that the channel launches from now on (T.A1), below COST_PRIORITIES. */
void cost_set_priority(struct cost_table *table, uint32_t channel_id, uint32_t level);
/* Limits the number of SMs with blocks of kernels of that space, 1 or more.  Returns false if the
 * table is full. */
bool cost_set_share(struct cost_table *table, uint32_t space_id, uint32_t sm_count);
/* Returns the number of SMs for kernels of that space; 0 means all. */
uint32_t cost_share(const struct cost_table *table, uint32_t space_id);
/* Returns the level of a channel; 0 if none was set. */
uint32_t cost_priority(const struct cost_table *table, uint32_t channel_id);

#endif
