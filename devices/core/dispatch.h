/* SPDX-License-Identifier: MIT */
/*
 * The block dispatcher (NVIDIA: compute work distributor): takes grids in order and places their
 * blocks on SMs.
 *
 * Rules: only the grid at the head of the queue gets blocks (T.X1).  It leaves the queue with its
 * last block (T.G3).  A block is placed only where all it needs is free (T.R1 to T.R3, T.REG,
 * T.SLOT), and no
 * more grids of a context than the chip can keep resident have blocks (CORE.GRIDS).  Each priority
 * has a queue of its own (T.A1), which is served only while all higher ones are empty, even if
 * their heads do not fit (T.A2).  Choice point core.block_to_sm selects the SM for a block.  The
 * running time of a block comes with the launch (cost.h).
 *
 * From Volta on an SM shares one memory out to L1 and shared memory.  A launch may say which split
 * it needs and chooses (exec_need_split()); an SM keeps its split until it is empty
 * (CORE.SM_SPLIT).
 *
 * Contexts (NVIDIA: TSGs): each address space has queues of its own (T.Q).  At any time the SMs
 * belong to one context or to none.  The engine that owns the contexts suspends and resumes them
 * (T.P1).  A suspension at once stops the blocks; later they continue in the same slots of the same
 * SMs.  The other kind of suspension places no new blocks and waits until the running ones have
 * ended.
 *
 * Each context has a time of its own, which advances only while the context is on.  Ends of blocks
 * are kept in that time.  So a block runs exactly as long as it would undisturbed, to the
 * picosecond, however often it is stopped.  The exception are programs that go by the clock
 * (COST_CLOCK), which continues.
 *
 * The cost of a suspension does not depend on the blocks that wait to be placed; it grows with the
 * blocks that run.  Blocks of suspended contexts are kept, at most core.saved_blocks of them.  A
 * context with more blocks is suspended only when enough have ended that the rest can be kept
 * (CORE.SAVED).  The engine decides how long saving and loading take.
 *
 * Clients of MPS are one context.  A client with a share (cost.h) gets blocks on at most that many
 * SMs, whichever they are.  While it holds them and has no room there, the next kernel of another
 * client is served (CORE.CLIENT_SHARE).
 *
 * Not modelled: several contexts at a time, the effect of blocks on one SM on each other's speed.
 */
#ifndef GFE_DEVICES_CORE_DISPATCH_H
#define GFE_DEVICES_CORE_DISPATCH_H

#include "devices/core/cost.h"
#include "devices/core/dispatch_turns.h"
#include "devices/core/exec_pool.h"
#include "emu/base/mask128.h"
#include "emu/engine/machine.h"

enum {
    /* Grids in the dispatcher, of one context and of all together (ASSUMED: how many may wait
     * beside the resident ones is not published). */
    DISPATCH_GRIDS_MAX = 256,
    DISPATCH_ALL_GRIDS_MAX = 4096,
    DISPATCH_CONTEXTS_MAX = 2304,
    DISPATCH_SAVED_BLOCKS_MAX = 8192,
};

GFE_STATE_BEGIN
struct dispatch_grid {
    uint64_t grid_id; /* 0 means that the record is free */
    uint64_t block_count, next_block, done_count;
    gfe_ps queued_ps, started_ps, wait_from_ps;
    struct cost cost;
    struct mask128 disabled_mask;
    struct exec_need need;
    uint32_t sms_per_bit;
    uint32_t priority; /* T.A1: determines its queue */
    uint32_t channel_id;
    uint32_t wait_rule; /* why the head's next block was not placed; RULE_NONE if it was */
    uint32_t context;
    /* 1 + grid: of the same context, in the order of launches; 0 means none */
    uint32_t next, previous;
    uint32_t next_queued; /* 1 + grid: next in the queue; of a free record, the next free one */
    uint32_t first_block,
        last_block;         /* 1 + block: the running or suspended blocks, ordered by their ends */
    uint32_t running_count; /* number of these blocks */
    uint32_t client_id;     /* client that launched it: an address space */
    uint32_t sm_limit;      /* of all grids of its client; 0 means no limit */
    uint32_t is_passed;     /* 1: its mask may leave it no place (CORE.MASK_PASSED) */
    uint32_t cluster;       /* blocks that start together; 0: no clusters */
    uint32_t reserved;
    uint64_t split_grid_id; /* whose blocks keep the split that it waits for; 0 for another wait */
};

/* A block that has been placed and has not ended. */
struct dispatch_block {
    uint64_t block_index;
    gfe_ps end_ps;           /* in its context's time; for COST_CLOCK in the machine's time */
    uint32_t next, previous; /* 1 + block: of its grid; of a free record, the next free one */
    uint32_t grid_index;
    struct exec_place place; /* with the SM */
};

enum dispatch_phase {
    DISPATCH_OFF,
    DISPATCH_ON,
    DISPATCH_LEAVING, /* to be suspended: no block is placed, running blocks continue for now */
};

/* T.Q: grids with blocks that have not been placed. */
struct dispatch_queue {
    uint32_t first, last; /* 1 + grid */
};

struct dispatch_context {
    gfe_ps ran_ps;                  /* its own time at since_ps */
    gfe_ps since_ps;                /* time since when it is on */
    gfe_ps asked_ps;                /* when its suspension was asked for */
    gfe_ps left_ps;                 /* when it was suspended */
    uint32_t phase;                 /* enum dispatch_phase */
    uint32_t how;                   /* enum dispatch_how */
    uint32_t first_grid, last_grid; /* 1 + grid */
    struct dispatch_queue queues[COST_PRIORITIES];
    uint32_t grid_count, block_count;      /* block_count: blocks that run or are suspended */
    uint32_t resident_count;               /* grids that have started and not ended (CORE.GRIDS) */
    uint32_t channel_id;                   /* channel for which it was resumed */
    uint32_t turn;                         /* the dispatcher's turn when it was suspended */
    uint32_t limited_count;                /* grids that others may pass */
    uint64_t register_count, shared_bytes; /* of its blocks */
};

struct dispatch_state {
    uint32_t current;      /* the context that is on or leaving; DISPATCH_CONTEXTS_MAX means none */
    uint32_t turn;         /* counts suspensions */
    uint32_t last_channel; /* of the context that was suspended last */
    uint32_t policy_memory;
    uint32_t grid_count;
    uint32_t reserved;
    uint32_t used_grids, free_grid;   /* records ever used; 1 + a free one of them */
    uint32_t used_blocks, free_block; /* the same for blocks */
    uint32_t saved_blocks;            /* blocks of contexts that are off */
    uint32_t place_pending;           /* 1 if a placement is due */
    gfe_ps armed_ps; /* time of the next end of a block; GFE_PS_NEVER if no timer runs */
    struct dispatch_turns turns; /* of core.block_to_sm=turns */
    struct exec_sm sms[EXEC_SMS_MAX];
    struct dispatch_grid grids[DISPATCH_ALL_GRIDS_MAX];
    struct dispatch_context contexts[DISPATCH_CONTEXTS_MAX];
};
GFE_STATE_END

struct dispatch_client {
    /* Reports that a grid is complete.  The context may be off if the grid has no blocks. */
    void (*grid_done)(void *client, uint32_t context, uint64_t grid_id);
    /* Reports that a suspension has completed that did not complete at once.  May be NULL. */
    void (*suspended)(void *client, uint32_t context);
    /* Reports started blocks of a grid that counts them: called with 1, and with all.  May be NULL.
     */
    void (*started)(void *client, uint32_t context, uint64_t grid_id, uint64_t block_count);
    /* Returns the rule by which a context with grids is off although nothing is left to happen, and
     * sets who is in the way; RULE_GFE_LOST for none.  May be NULL. */
    uint32_t (*why_off)(void *client, uint32_t context, struct machine_wait *wait);
    void *client;
    uint32_t sm_site; /* site at which faults of a whole SM are injected */
};

struct dispatch {
    struct machine *machine;
    const struct exec_limits *limits;
    struct clock_domain clock; /* of the SMs */
    struct dispatch_client client;
    struct dispatch_groups groups; /* one of all SMs, unless the chip's are set after the wiring */
    uint32_t sm_count;
    uint32_t unit;
    uint32_t end_timer, place_timer;
    struct cost_table costs; /* costs of launches, for the unit that launches */
    struct dispatch_state *state;
    /* in the arena: all blocks that the SMs hold, and all that are saved */
    struct dispatch_block *blocks;
};

/* A launch. */
struct dispatch_launch {
    uint32_t context;
    uint32_t channel_id;
    uint64_t block_count;
    struct exec_need need;                           /* from exec_need_make() */
    uint32_t block_threads, shared_bytes, registers; /* as the program requested, for the log */
    uint64_t gp_sequence, descriptor_address;        /* for the log */
    struct cost cost;
    uint32_t priority; /* below COST_PRIORITIES */
    /* SMs that get none of its blocks: bit n disables sms_per_bit SMs from n * sms_per_bit up
     * (NVIDIA: a TPC). */
    struct mask128 disabled_mask;
    uint32_t sms_per_bit; /* 0 if nothing is disabled */
    uint32_t client_id;   /* client that launches: an address space of the context */
    uint32_t sm_limit;    /* number of SMs that blocks of this client may be on; 0 means all */
    /* Blocks that start together (CORE.CLUSTER), DISPATCH_CLUSTER_MAX at most, of which the grid
     * has a whole number of times as many; 0: no clusters. */
    uint32_t cluster;
};

/* Adds the dispatcher, with its SMs, as a unit. sm_hz is the clock of core.*_cycles.  Context 0 is
 * on. */
void dispatch_wire(struct dispatch *dispatch, struct machine *machine,
                   const struct exec_limits *limits, uint32_t sm_count, uint64_t sm_hz);
/* Returns true if the context can have `more` further grids.  If not, the caller has to wait for a
 * grid_done(). */
bool dispatch_has_room(const struct dispatch *dispatch, uint32_t context, uint32_t more);
/* Queues a grid now, also for a context that is off, and returns its id. block_count may be 0; the
 * grid is then complete at once.  There must be room (asserted). */
uint64_t dispatch_launch(struct dispatch *dispatch, const struct dispatch_launch *launch);
/* Returns the default time of a block of that many warps, in SM cycles. */
uint64_t dispatch_block_cycles(const struct machine *machine, uint32_t warps);

/* ---- dispatch_context.c ---------------------------------------------------------------------- */

enum dispatch_how {
    DISPATCH_AT_ONCE,       /* running blocks stop */
    DISPATCH_AT_BLOCK_ENDS, /* blocks run to their ends */
};

/* Takes the SMs from the context, which is on (asserted).  Returns true if that is done; if not,
 * client.suspended() reports it later. */
bool dispatch_suspend(struct dispatch *dispatch, uint32_t context, enum dispatch_how how);
/* Gives the SMs, which belong to no context (asserted), to this context; its blocks continue.
 * channel_id is the channel for which this is done, for the log. */
void dispatch_resume(struct dispatch *dispatch, uint32_t context, uint32_t channel_id);
/* Changes the channel for which the context is on. */
void dispatch_set_channel(struct dispatch *dispatch, uint32_t context, uint32_t channel_id);
/* Drops all grids of the context, wherever it is; none of them ends.  The context is off
 * afterwards. */
void dispatch_drop(struct dispatch *dispatch, uint32_t context);
/* Returns true if the context has blocks, or a grid that can start (dispatch_can_start()) and is
 * behind none that cannot. */
bool dispatch_goes_on(const struct dispatch *dispatch, uint32_t context);
/* Returns the bytes of registers and shared memory that its blocks hold, which a suspension saves.
 */
uint64_t dispatch_state_bytes(const struct dispatch *dispatch, uint32_t context);
/* Returns the time (ps) in which the warps of the context's running blocks save or load their own
 * shared memory.  Each KiB of a block takes together_ps, and alone_ps divided by the number of the
 * block's warps.  Blocks do so side by side: the slowest one counts. */
gfe_ps dispatch_warps_move_ps(const struct dispatch *dispatch, uint32_t context,
                              uint64_t together_ps, uint64_t alone_ps);

/* ---- between the parts of the dispatcher ----------------------------------------------------- */

enum dispatch_event { DISPATCH_PLACE, DISPATCH_BLOCK_END, DISPATCH_EMPTY_GRID };
/* Bits of an event's argument with the record of its grid; the grid's id lies above them. */
enum { DISPATCH_GRID_BITS = 12 };
_Static_assert(DISPATCH_ALL_GRIDS_MAX <= 1 << DISPATCH_GRID_BITS, "each record has a number");

/* Returns the grid of a link, which is 1 + its record. */
static inline struct dispatch_grid *dispatch_grid(const struct dispatch *dispatch, uint32_t link)
{
    return &dispatch->state->grids[link - 1];
}
/* Returns the context that is on or leaving, or NULL if there is none. */
static inline struct dispatch_context *dispatch_current(const struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;

    return state->current < DISPATCH_CONTEXTS_MAX ? &state->contexts[state->current] : NULL;
}
/* Returns the grid whose blocks are placed: the head of the highest queue that is not empty (T.A2).
 * Returns NULL if all are empty. */
static inline struct dispatch_grid *dispatch_head(const struct dispatch *dispatch,
                                                  const struct dispatch_context *context)
{
    for (uint32_t level = context->first_grid ? COST_PRIORITIES : 0; level-- > 0;)
        if (context->queues[level].first != 0)
            return dispatch_grid(dispatch, context->queues[level].first);
    return NULL;
}
/* Writes the SMs for the grid's next cluster, or the SM for its next block.  Returns false if there
 * is no place; *rule is then the rule in the way.  Defined in dispatch_decide.c. */
bool dispatch_decide(struct dispatch *dispatch, const struct dispatch_grid *grid,
                     uint32_t to[DISPATCH_CLUSTER_MAX], uint32_t *rule);
/* Returns true if the grid's blocks have a place while nothing else is on the SMs.  Those of a grid
 * have none if its mask disables all SMs, or its clusters are larger than each group of those that
 * its mask leaves, or than its client's share. */
bool dispatch_can_start(const struct dispatch *dispatch, const struct dispatch_grid *grid);
/* Returns the first grid with a block on an SM whose split alone keeps `waits` from starting there
 * (CORE.SM_SPLIT), or 0. */
uint64_t dispatch_split_holder(const struct dispatch *dispatch, const struct dispatch_grid *waits);
/* Finds the SMs with blocks of the grid's client, and returns their number. */
uint32_t dispatch_share_held(const struct dispatch *dispatch, const struct dispatch_grid *grid,
                             bool held[EXEC_SMS_MAX]);
/* Returns true if grids behind this one may be served when its next block has no place by that
 * rule. */
bool dispatch_is_passed(const struct dispatch_grid *grid, uint32_t rule);
/* Returns the grid to serve instead of `passed`, whose client has its share or whose mask leaves it
 * no place.  That is the next grid after it, by priority and launch, with no earlier grid of its
 * client or with its mask.  Returns NULL if there is none. */
struct dispatch_grid *dispatch_share_next(const struct dispatch *dispatch,
                                          const struct dispatch_context *context,
                                          const struct dispatch_grid *passed);
/* Starts a wait for `blocked` (T.X1, T.A2) in each later grid that does not wait yet. */
void dispatch_share_hold(const struct dispatch *dispatch, const struct dispatch_context *context,
                         const struct dispatch_grid *blocked);
/* Reports each grid that has not ended when nothing is left to happen.  Defined in dispatch_open.c.
 */
void dispatch_log_open_waits(const struct dispatch *dispatch);
/* Free a grid's record, and the record of its first block.  `runs` means that the block gives back
 * its resources. */
void dispatch_free_grid(struct dispatch *dispatch, struct dispatch_grid *grid);
void dispatch_free_block(struct dispatch *dispatch, struct dispatch_grid *grid, bool runs);
/* Ends the wait of a grid for its next block, if it waits, and logs it. */
void dispatch_log_wait(struct dispatch *dispatch, struct dispatch_grid *grid);
/* Sets the timer to the next end of a block of the context that is on, or stops it. */
void dispatch_arm(struct dispatch *dispatch);
/* Schedules the placement of the next block, unless one is due earlier. */
void dispatch_schedule_place(struct dispatch *dispatch, gfe_ps at_ps);
/* Cancels the placement. */
void dispatch_stop_place(struct dispatch *dispatch);
/* Completes the suspension of the leaving context if it can leave now.  Called after one of its
 * blocks has ended. */
void dispatch_leave_further(struct dispatch *dispatch);

#endif
