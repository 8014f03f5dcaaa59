/* SPDX-License-Identifier: MIT */
/*
 * The block dispatcher (NVIDIA: compute work distributor): takes grids in order and places their
 * blocks on SMs.
 *
 * Rules: only the grid at the head of the queue gets blocks (T.X1), it leaves the queue with its last
 * block (T.G3), and a block is placed only where all it needs is free (T.R1 to T.R3, T.REG, T.SLOT).
 * Which of several SMs gets a block is choice point core.block_to_sm.  How long a block runs is the
 * default cost (core.block_*_cycles).  Not modelled: priorities, preemption inside blocks, what
 * blocks on one SM do to each other's speed.
 */
#ifndef GFE_DEVICES_CORE_DISPATCH_H
#define GFE_DEVICES_CORE_DISPATCH_H

#include "devices/core/exec_pool.h"
#include "emu/machine.h"

enum { DISPATCH_GRIDS_MAX = 64 };

GFE_STATE_BEGIN
struct dispatch_grid {
    uint64_t grid_id; /* 0 = free */
    uint64_t block_count, next_block, done_count;
    gfe_ps queued_ps, started_ps, wait_from_ps;
    uint64_t block_cycles;
    struct exec_need need;
    uint32_t channel_id;
    uint32_t wait_rule; /* why the head's next block was not placed; RULE_NONE = it was */
    uint64_t head_ps;   /* when it came to the head of the queue */
};

struct dispatch_running {
    uint64_t block_index;
    uint32_t grid_index;
    uint32_t reserved;
};

struct dispatch_state {
    uint32_t queue[DISPATCH_GRIDS_MAX]; /* indices of grids, head first */
    uint32_t queue_count;
    uint32_t grid_count;
    uint32_t place_pending; /* a placement is scheduled */
    uint32_t policy_memory;
    struct dispatch_grid grids[DISPATCH_GRIDS_MAX];
    struct exec_sm sms[EXEC_SMS_MAX];
    struct dispatch_running running[EXEC_SMS_MAX][EXEC_SLOTS_MAX];
};
GFE_STATE_END

/* Who wants to know that a grid is complete. */
struct dispatch_client {
    void (*grid_done)(void *client, uint64_t grid_id);
    void *client;
};

struct dispatch {
    struct machine *machine;
    const struct exec_limits *limits;
    struct clock_domain clock; /* of the SMs */
    struct dispatch_client client;
    uint32_t sm_count;
    uint32_t unit;
    struct dispatch_state *state;
};

/* What is launched. */
struct dispatch_launch {
    uint32_t channel_id;
    uint64_t block_count;
    struct exec_need need; /* from exec_need_make() */
    uint32_t block_threads, shared_bytes, registers; /* as the program asked, for the log */
    uint64_t gp_sequence, descriptor_address;        /* likewise */
};

/* Adds the dispatcher, with its SMs, as a unit; sm_hz is the clock of core.*_cycles. */
void dispatch_wire(struct dispatch *dispatch, struct machine *machine,
                   const struct exec_limits *limits, uint32_t sm_count, uint64_t sm_hz);
/* True when no further grid can be queued: the caller has to wait for a grid_done(). */
bool dispatch_full(const struct dispatch *dispatch);
/* Queues a grid now; returns its id.  block_count may be 0: it is complete at once. */
uint64_t dispatch_launch(struct dispatch *dispatch, const struct dispatch_launch *launch);
/* Default time of a block of so many warps, SM cycles. */
uint64_t dispatch_block_cycles(const struct machine *machine, uint32_t warps);

#endif
