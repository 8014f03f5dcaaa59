/* SPDX-License-Identifier: MIT */
/*
 * The block dispatcher (NVIDIA: compute work distributor): takes grids in order and places their
 * blocks on SMs.
 *
 * Rules: only the grid at the head of the queue gets blocks (T.X1), it leaves the queue with its
 * last block (T.G3), and a block is placed only where all it needs is free (T.R1 to T.R3, T.REG,
 * T.SLOT). Each priority has a queue of its own (T.A1), which is served only while all higher ones
 * are empty, even if their heads do not fit (T.A2). Which of several SMs gets a block is choice
 * point core.block_to_sm.  How long a block runs is told with the launch (cost.h).
 *
 * Contexts (NVIDIA: TSGs): each address space has queues of its own (T.Q), and the SMs are one
 * context's at a time, or nobody's.  A context is suspended and resumed by whoever decides which
 * one is on (T.P1): at once, then its blocks stop where they are and later go on in the same slots
 * of the same SMs; or when its blocks have ended, as no new ones are placed.  Each context has a
 * time of its own that goes on only while it is on.  Ends of blocks are kept in it, so that a block
 * runs exactly as long as it would undisturbed, to the picosecond, however often it is stopped;
 * unless its program goes by the clock (COST_CLOCK), which goes on.  A
 * suspension costs the same however many blocks wait to be placed, and grows with those that run.
 * Blocks of suspended contexts are kept, core.saved_blocks of them at most: who has more is
 * suspended only when so many have ended that the rest can be kept (CORE.SAVED).  How long saving
 * and loading take is the engine's business.
 *
 * Clients of MPS are one context.  One that has a share (cost.h) gets blocks on so many SMs at
 * most, whichever they are; while it has them and no room there, the next kernel of another client
 * is served (CORE.CLIENT_SHARE).
 *
 * Not modelled: several contexts at a time, what blocks on one SM do to each other's speed.
 */
#ifndef GFE_DEVICES_CORE_DISPATCH_H
#define GFE_DEVICES_CORE_DISPATCH_H

#include "devices/core/cost.h"
#include "devices/core/exec_pool.h"
#include "emu/engine/machine.h"

enum {
    DISPATCH_GRIDS_MAX = 64,       /* of a context */
    DISPATCH_ALL_GRIDS_MAX = 2560, /* of all contexts together */
    DISPATCH_CONTEXTS_MAX = 2304,
    DISPATCH_SAVED_BLOCKS_MAX = 8192,
};

GFE_STATE_BEGIN
struct dispatch_grid {
    uint64_t grid_id; /* 0 = free */
    uint64_t block_count, next_block, done_count;
    gfe_ps queued_ps, started_ps, wait_from_ps;
    struct cost cost;
    uint64_t disabled_mask;
    struct exec_need need;
    uint32_t sms_per_bit;
    uint32_t priority; /* T.A1: which queue it is in */
    uint32_t channel_id;
    uint32_t wait_rule; /* why the head's next block was not placed; RULE_NONE = it was */
    uint32_t context;
    uint32_t next, previous; /* 1 + grid: of the same context, in the order of launches; 0 = none */
    uint32_t next_queued;    /* likewise, in the queue; of a free one the next free one */
    uint32_t first_block,
        last_block;         /* 1 + block: those that run or are suspended, by their ends */
    uint32_t running_count; /* of them */
    uint32_t client_id;     /* whose: an address space */
    uint32_t sm_limit;      /* of all of its client's; 0 = none */
    uint32_t reserved;
};

/* A block that has been placed, and has not ended. */
struct dispatch_block {
    uint64_t block_index;
    gfe_ps end_ps;           /* in its context's time; of COST_CLOCK in the machine's */
    uint32_t next, previous; /* 1 + block: of its grid; of a free one the next free one */
    uint32_t grid_index;
    uint16_t sm_index, slot;
};

enum dispatch_phase {
    DISPATCH_OFF,
    DISPATCH_ON,
    DISPATCH_LEAVING, /* it is to be suspended: nothing is placed, what runs goes on for now */
};

/* T.Q: grids with blocks that have not been placed. */
struct dispatch_queue {
    uint32_t first, last; /* 1 + grid */
};

struct dispatch_context {
    gfe_ps ran_ps;                  /* its own time up to since_ps */
    gfe_ps since_ps;                /* on since then */
    gfe_ps asked_ps;                /* when its suspension was asked for */
    gfe_ps left_ps;                 /* when it was suspended */
    uint32_t phase;                 /* enum dispatch_phase */
    uint32_t how;                   /* enum dispatch_how */
    uint32_t first_grid, last_grid; /* 1 + grid */
    struct dispatch_queue queues[COST_PRIORITIES];
    uint32_t grid_count, block_count;      /* blocks: that run or are suspended */
    uint32_t channel_id;                   /* that it was resumed for */
    uint32_t turn;                         /* the dispatcher's, when it was suspended */
    uint32_t limited_count, reserved;      /* grids of clients with a share */
    uint64_t register_count, shared_bytes; /* of its blocks */
};

struct dispatch_state {
    uint32_t current;      /* the context that is on or leaving; DISPATCH_CONTEXTS_MAX = none */
    uint32_t turn;         /* counts suspensions */
    uint32_t last_channel; /* of the context that was suspended last */
    uint32_t policy_memory;
    uint32_t grid_count;
    uint32_t reserved;
    uint32_t used_grids, free_grid;   /* records ever used; 1 + a free one of them */
    uint32_t used_blocks, free_block; /* likewise */
    uint32_t saved_blocks;            /* of contexts that are off */
    uint32_t place_pending;           /* a placement is due */
    gfe_ps armed_ps; /* when the end of a block is due; GFE_PS_NEVER = no timer runs */
    struct exec_sm sms[EXEC_SMS_MAX];
    struct dispatch_grid grids[DISPATCH_ALL_GRIDS_MAX];
    struct dispatch_context contexts[DISPATCH_CONTEXTS_MAX];
};
GFE_STATE_END

struct dispatch_client {
    /* A grid is complete.  Its context may be off: of a grid without blocks. */
    void (*grid_done)(void *client, uint32_t context, uint64_t grid_id);
    /* A suspension that was not complete at once is so now.  May be NULL. */
    void (*suspended)(void *client, uint32_t context);
    /* So many blocks of a grid that counts them have started: one, and all.  May be NULL. */
    void (*started)(void *client, uint32_t context, uint64_t grid_id, uint64_t block_count);
    void *client;
    uint32_t sm_site; /* where faults of a whole SM are injected */
};

struct dispatch {
    struct machine *machine;
    const struct exec_limits *limits;
    struct clock_domain clock; /* of the SMs */
    struct dispatch_client client;
    uint32_t sm_count;
    uint32_t unit;
    uint32_t end_timer, place_timer;
    struct cost_table costs; /* of whoever launches, to look up what a launch costs */
    struct dispatch_state *state;
    struct dispatch_block *blocks; /* in the arena: all that the SMs hold, and all that are saved */
};

/* What is launched. */
struct dispatch_launch {
    uint32_t context;
    uint32_t channel_id;
    uint64_t block_count;
    struct exec_need need;                           /* from exec_need_make() */
    uint32_t block_threads, shared_bytes, registers; /* as the program asked, for the log */
    uint64_t gp_sequence, descriptor_address;        /* likewise */
    struct cost cost;
    uint32_t priority; /* below COST_PRIORITIES */
    /* SMs that get none of its blocks: those of bit n are n * sms_per_bit and on (NVIDIA: a TPC).
     */
    uint64_t disabled_mask;
    uint32_t sms_per_bit; /* 0 where nothing is disabled */
    uint32_t client_id;   /* whose: an address space of the context's */
    uint32_t sm_limit;    /* SMs that blocks of this client may be on; 0: all */
};

/* Adds the dispatcher, with its SMs, as a unit; sm_hz is the clock of core.*_cycles.  Context 0 is
 * on. */
void dispatch_wire(struct dispatch *dispatch, struct machine *machine,
                   const struct exec_limits *limits, uint32_t sm_count, uint64_t sm_hz);
/* True when the context can have `more` further grids: else the caller has to wait for a
 * grid_done(). */
bool dispatch_has_room(const struct dispatch *dispatch, uint32_t context, uint32_t more);
/* Queues a grid now, also for a context that is off; returns its id.  block_count may be 0: it is
 * complete at once.  There must be room (asserted). */
uint64_t dispatch_launch(struct dispatch *dispatch, const struct dispatch_launch *launch);
/* Default time of a block of so many warps, SM cycles. */
uint64_t dispatch_block_cycles(const struct machine *machine, uint32_t warps);

/* ---- dispatch_context.c ---------------------------------------------------------------------- */

enum dispatch_how {
    DISPATCH_AT_ONCE,       /* blocks stop */
    DISPATCH_AT_BLOCK_ENDS, /* blocks run to their ends */
};

/* Takes the SMs from the context, which is on (asserted).  True: done; else client.suspended()
 * comes when it is. */
bool dispatch_suspend(struct dispatch *dispatch, uint32_t context, enum dispatch_how how);
/* Gives the SMs, which nobody has (asserted), to the context: its blocks go on.  channel_id: on
 * whose behalf, for the log. */
void dispatch_resume(struct dispatch *dispatch, uint32_t context, uint32_t channel_id);
/* The context, which is on, is so on behalf of another channel. */
void dispatch_set_channel(struct dispatch *dispatch, uint32_t context, uint32_t channel_id);
/* The context loses all its grids, wherever it is: none of them ends.  It is off then. */
void dispatch_drop(struct dispatch *dispatch, uint32_t context);
/* Bytes of registers and shared memory that its blocks hold: what a suspension saves. */
uint64_t dispatch_state_bytes(const struct dispatch *dispatch, uint32_t context);

/* ---- between the parts of the dispatcher ----------------------------------------------------- */

enum dispatch_event { DISPATCH_PLACE, DISPATCH_BLOCK_END, DISPATCH_EMPTY_GRID };
/* Bits of an event's argument with the record of its grid; above them, the grid's id. */
enum { DISPATCH_GRID_BITS = 12 };
_Static_assert(DISPATCH_ALL_GRIDS_MAX <= 1 << DISPATCH_GRID_BITS, "each record has a number");

static inline struct dispatch_grid *dispatch_grid(const struct dispatch *dispatch, uint32_t link)
{
    return &dispatch->state->grids[link - 1];
}
/* The context that is on or leaving, NULL = none. */
static inline struct dispatch_context *dispatch_current(const struct dispatch *dispatch)
{
    struct dispatch_state *state = dispatch->state;

    return state->current < DISPATCH_CONTEXTS_MAX ? &state->contexts[state->current] : NULL;
}
/* The grid whose blocks are placed: the head of the highest queue that is not empty (T.A2); NULL:
 * all are. */
static inline struct dispatch_grid *dispatch_head(const struct dispatch *dispatch,
                                                  const struct dispatch_context *context)
{
    for (uint32_t level = context->first_grid ? COST_PRIORITIES : 0; level-- > 0;)
        if (context->queues[level].first != 0)
            return dispatch_grid(dispatch, context->queues[level].first);
    return NULL;
}
/* dispatch_decide.c: where the grid's next block goes: an SM, or POLICY_NONE and the rule in the
 * way.
 */
uint32_t dispatch_decide(struct dispatch *dispatch, const struct dispatch_grid *grid,
                         uint32_t *rule);
/* On which SMs blocks of the grid's client are; how many. */
uint32_t dispatch_share_held(const struct dispatch *dispatch, const struct dispatch_grid *grid,
                             bool held[EXEC_SMS_MAX]);
/* Who is served instead of a grid whose client has its share: the next one behind it, by priority
 * and launch, of a client that none in front of it is of.  NULL: nobody. */
struct dispatch_grid *dispatch_share_next(const struct dispatch *dispatch,
                                          const struct dispatch_context *context,
                                          const struct dispatch_grid *passed);
/* Those behind it that wait for nothing yet wait for it from now on (T.X1, T.A2). */
void dispatch_share_hold(const struct dispatch *dispatch, const struct dispatch_context *context,
                         const struct dispatch_grid *blocked);
/* A grid's record is nobody's; its first block's likewise, which gives back what it has if it runs.
 */
void dispatch_free_grid(struct dispatch *dispatch, struct dispatch_grid *grid);
void dispatch_free_block(struct dispatch *dispatch, struct dispatch_grid *grid, bool runs);
/* Ends the wait of a grid for its next block, if there is one. */
void dispatch_log_wait(struct dispatch *dispatch, struct dispatch_grid *grid);
/* Sets the timer to the next end of a block of the context that is on, or stops it. */
void dispatch_arm(struct dispatch *dispatch);
/* The next block is placed then, unless one is due before. */
void dispatch_schedule_place(struct dispatch *dispatch, gfe_ps at_ps);
/* None is. */
void dispatch_stop_place(struct dispatch *dispatch);
/* A block of a context that leaves has ended. */
void dispatch_leave_further(struct dispatch *dispatch);

#endif
