/* SPDX-License-Identifier: MIT */
/*
 * The way of compute work on an AMD GPU below the packets: from dispatches at the heads of queues,
 * through shader engines to CUs, for each of their blocks (workgroups).
 *
 * Described in Otterness and Anderson, "Exploring AMD GPU Scheduling Details by Experimenting With
 * 'Worst Practices'", 2022, sections 4.2 to 5.1; the rules are A.D1 to A.D5, A.M1, A.O1 and A.R1.
 *
 *   queue -> ACE (amd_ace.h): whose turn it is, and to which shader engine a block goes
 *   -> workload manager of the shader engine (amd_workload_manager.h): a slot for each ACE
 *   -> CU (amd_cu.h): room, and time.
 *
 * The layer above (HQDs and packets) hands over each dispatch when it is at the head of its queue's
 * packets and has nothing left to wait for.  Barriers belong to that layer.  A dispatch gives way
 * to the next one of its queue when a shader engine has taken its last block.
 *
 * The work of a block comes with the dispatch, as picoseconds of a whole CU.  Its jitter depends
 * only on the dispatch's seed, the block and the wave: the same blocks take the same work under
 * every policy.  Blocks that start on a CU where no wave of their dispatch has ended may take
 * longer (caches are cold).
 *
 * Queues are numbered from 0 in each ACE.  In the log CUs are numbered in one row, those of shader
 * engine 0 first.  A queue's dispatches can be stopped and continue later: amd_cwsr.h.  Not
 * modelled: priorities of queues and pipes, wave limits of pipes (SPI_WCL_PIPE_PERCENT), several
 * shader arrays in a shader engine, graphics.
 */
#ifndef GFE_DEVICES_AMD_AMD_DISPATCH_H
#define GFE_DEVICES_AMD_AMD_DISPATCH_H

#include "devices/amd/amd_cu.h"
#include "emu/engine/machine.h"

enum {
    AMD_CUS_MAX = AMD_SHADER_ENGINES_MAX * AMD_CUS_PER_ENGINE_MAX,
    AMD_GRIDS_MAX = 1024,        /* dispatches handed over and not complete */
    AMD_SAVED_BLOCKS_MAX = 8192, /* blocks of all queues that are stopped */
    AMD_PPM = 1000000,
};
/* Limit of a block's work: 11 days. */
#define AMD_WORK_MAX_PS UINT64_C(1000000000000000000)

GFE_STATE_BEGIN
/* Cost of a block. */
struct amd_cost {
    /* work of a block, in picoseconds of a CU; at most AMD_WORK_MAX_PS */
    uint64_t block_ps;
    uint64_t seed; /* seed of the jitter */
    /* a block's work differs from block_ps by at most this fraction, evenly spread */
    uint32_t block_jitter_ppm;
    /* a wave's work differs from its share of the block's by at most this, evenly spread */
    uint32_t wave_jitter_ppm;
    uint32_t cold_ppm; /* additional work of cold blocks */
    uint32_t reserved;
};

/* A dispatch, in two cache lines: there may be hundreds of them at a time. */
struct amd_grid {
    uint64_t grid_id; /* 0 means that the record is free */
    uint64_t block_count, next_block, done_count;
    gfe_ps queued_ps, started_ps, wait_from_ps;
    uint64_t block_ps; /* of its cost */
    struct amd_need need;
    uint16_t cu_masks[AMD_SHADER_ENGINES_MAX];
    /* 1 + grid: next in its queue; of a free record the next free one; 0 means none */
    uint32_t next;
    uint32_t first_saved; /* 1 + saved block, ordered by number: these are staged before others */
    uint32_t context;     /* number of the saved context that it belongs to; 0 means none */
    uint16_t wait_rule;   /* why a block has not gone to next_se; RULE_NONE if it could */
    uint8_t ace, queue;
    uint8_t next_se;    /* A.D2: shader engine of the next block */
    uint8_t dispatched; /* 1 if all its blocks have been staged once */
    uint8_t varies;     /* 1 if its blocks do not all cost the same: there is an amd_variation */
    uint8_t reserved[5];
};

/* What makes a dispatch's blocks cost more or less than block_ps.  All 0 means that nothing does.
 */
struct amd_variation {
    uint64_t jitter_seed, block_reciprocal, wave_reciprocal; /* these follow from the cost */
    uint32_t block_jitter_ppm, wave_jitter_ppm, cold_ppm, reserved;
    /* CUs on which one of its waves has ended, where that matters */
    uint64_t warm[AMD_CUS_MAX / 64];
    uint64_t unused; /* pads the record to a power of two */
};

/* A block that was stopped, or taken back before it began. */
struct amd_saved {
    uint64_t block_index;
    uint64_t work_ps[AMD_BLOCK_WAVES_MAX]; /* work that each of its waves has not done */
    gfe_ps stopped_ps;
    uint32_t waves; /* 0 means that it had not begun */
    uint32_t se;    /* shader engine where it was */
    uint32_t next;  /* 1 + record: of its dispatch, or next free one; 0 means none */
    uint32_t reserved;
};

/* A place of a workload manager: a block of an ACE that waits for a CU. */
struct amd_slot {
    uint64_t block_index;
    gfe_ps staged_ps;
    uint32_t grid;      /* 1 + record; 0 means empty */
    uint32_t wait_rule; /* why no CU had room for it, if that was so */
    uint32_t saved;     /* 1 + record if it was stopped and continues; 0 if it is new */
    uint32_t reserved;
};

/* What a slot's blocks need: it determines when CUs are examined next.  It stays while the slot is
 * empty between two blocks of a dispatch. */
struct amd_want {
    uint64_t grid_id;
    uint32_t waves;
    /* a bit for each CU without room for one block, which is examined when it may have room */
    uint32_t full_cus;
    uint32_t room_cus; /* a bit for each CU with room for one block, until a block starts there */
    uint32_t reserved;
    /* for each CU, the time before which it has no room for a block, unless its contents change
     * other than by waves' ends; 0 means unknown */
    gfe_ps full_ps[AMD_CUS_PER_ENGINE_MAX];
};

struct amd_workload_manager {
    struct amd_slot slots[AMD_PIPES_MAX];
    struct amd_want wants[AMD_PIPES_MAX];
    gfe_ps placed_ps;      /* time at which it started the last block */
    uint32_t placed_waves; /* waves of that block: no other starts until they are dispatched */
    uint32_t slot_memory;  /* of policy amd.wlm_arbitration */
    uint32_t cu_memory;    /* of policy amd.block_to_cu */
    uint32_t timer_runs;
    uint32_t staged;  /* a bit for each slot that holds a block */
    uint32_t wanting; /* a bit for each slot that has a want */
};

struct amd_queue {
    uint32_t first, last; /* 1 + grid */
};

struct amd_ace {
    struct amd_queue queues[AMD_QUEUES_PER_PIPE_MAX];
    uint32_t busy_queues;  /* a bit for each queue that has a dispatch */
    uint32_t current;      /* the queue that has the turn */
    uint32_t staged_count; /* number of its blocks in slots */
    uint32_t slice_runs;   /* 1 if the end of the turn is scheduled */
    uint32_t held_queues;  /* a bit for each queue from which nothing more is staged */
    uint32_t reserved;
};

/* The members after `touched` begin at cache lines, as the arena's pieces do. */
struct amd_dispatch_state {
    uint32_t used_grids, free_grid; /* number of records ever used; 1 + a free one of them */
    uint32_t grid_count;
    uint32_t due_ses, due_aces; /* a bit for each one that may be able to do something now */
    uint32_t used_saved, free_saved, saved_count; /* the same for saved blocks */
    uint32_t wakes;                               /* 1 if AMD_EVENT_WAKE is scheduled */
    /* a bit for each shader engine with CUs whose next end must be looked up anew */
    uint32_t touched_ses;
    uint32_t touched[AMD_SHADER_ENGINES_MAX]; /* a bit for each such CU */
    gfe_ps due_ps[AMD_CUS_MAX]; /* when the others are examined next; no block ends earlier */
    struct amd_ace aces[AMD_PIPES_MAX];
    struct amd_workload_manager managers[AMD_SHADER_ENGINES_MAX];
    uint64_t unused[3];
    struct amd_cu cus[AMD_CUS_MAX]; /* se * AMD_CUS_PER_ENGINE_MAX + cu */
    struct amd_grid grids[AMD_GRIDS_MAX];
    struct amd_variation variations[AMD_GRIDS_MAX]; /* one for each grid */
    struct amd_saved saved[AMD_SAVED_BLOCKS_MAX];
};
GFE_STATE_END

_Static_assert(offsetof(struct amd_dispatch_state, cus) % ARENA_ALIGN_BYTES == 0 &&
                   sizeof(struct amd_cu) % ARENA_ALIGN_BYTES == 0 &&
                   sizeof(struct amd_grid) % ARENA_ALIGN_BYTES == 0,
               "records lie in as few lines of a cache as they can");

struct amd_dispatch_client {
    /* Reports that a dispatch is complete. */
    void (*done)(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id);
    void *client;
};

/* Resources of a launch's blocks, and the CUs that may get them. */
struct amd_kind {
    uint32_t block_threads, lds_bytes;
    uint32_t vgprs, sgprs; /* of each wave */
    /* By shader engine, as the kernel driver's registers have them (A.M1,
     * firmware-models/kfd/kfd_cu_mask.h).  Bits of CUs that do not exist are ignored. */
    uint32_t cu_masks[AMD_SHADER_ENGINES_MAX];
};

/* Why a dispatch could never end.  `AMD_LAUNCH_FITS` means that it can. */
enum amd_launch_fault { AMD_LAUNCH_FITS, AMD_LAUNCH_TOO_LARGE, AMD_LAUNCH_NO_CU };

/* Results derived from a launch's kind. */
struct amd_fit {
    struct amd_kind kind; /* 0 threads means that there is no result */
    struct amd_need need;
    uint16_t cu_masks[AMD_SHADER_ENGINES_MAX]; /* of existing CUs */
    uint64_t masks_logged[2];                  /* the same, for the log */
    bool is_masked;                            /* true if the masks exclude some CUs */
    enum amd_launch_fault fault;
};

struct amd_dispatch {
    struct machine *machine;
    const struct amd_chip *chip;
    struct amd_cu_limits limits;
    bool is_bound; /* true if the run's limit on waves is less than what SIMDs have */
    struct clock_domain clock;
    gfe_ps cycle_ps; /* one cycle of the clock, rounded up */
    struct amd_dispatch_client client;
    uint32_t first_cu[AMD_SHADER_ENGINES_MAX];   /* number of each shader engine's first CU */
    uint32_t engine_cus[AMD_SHADER_ENGINES_MAX]; /* a bit for each CU that the engine has */
    uint32_t unit;
    /* the first timer of each kind: there is one for each unit */
    uint32_t cu_timers, se_timers, ace_timers;
    struct amd_fit fit; /* result for the last kind. Not state: it follows from the kind */
    bool says_launched; /* true if the client calls amd_dispatch_launched() */
    bool launched;      /* true after a launch; false between events */
    struct amd_dispatch_state *state;
};

/* A launch. */
struct amd_launch {
    uint32_t ace, queue;
    uint64_t block_count; /* may be 0: the dispatch is then complete at once */
    struct amd_kind kind;
    uint64_t packet_sequence, packet_address; /* for the log */
    struct amd_cost cost;
};

/* Adds the dispatcher as a unit.  The chip must live as long. */
void amd_dispatch_wire(struct amd_dispatch *dispatch, struct machine *machine,
                       const struct amd_chip *chip);
/* Returns true if another dispatch can be launched. */
bool amd_dispatch_has_room(const struct amd_dispatch *dispatch);
/* Returns the reason why the dispatch could never end, with the current parameters.  Returns
 * `AMD_LAUNCH_FITS` if it can end. */
enum amd_launch_fault amd_dispatch_fault(struct amd_dispatch *dispatch,
                                         const struct amd_launch *launch);
/* Queues a dispatch now and returns its id.  There must be room, and no fault (asserted).
 * amd_dispatch_fault() must have been called last for this kind, because its result is used. */
uint64_t amd_dispatch_launch(struct amd_dispatch *dispatch, const struct amd_launch *launch);
/* Ends an event in which a client that has set says_launched may have launched something.  Work
 * that can be done now is done at once, without an event of its own, if nothing else is due at this
 * time. */
void amd_dispatch_launched(struct amd_dispatch *dispatch);

/* ---- between the parts of the dispatcher ----------------------------------------------------- */

enum amd_dispatch_event {
    AMD_EVENT_CU,
    AMD_EVENT_SE,
    AMD_EVENT_ACE,
    AMD_EVENT_LAUNCH,
    AMD_EVENT_EMPTY,
    AMD_EVENT_WAKE /* something was stopped, or continues */
};

/* Return the grid of a link, which is 1 + its record; and a CU. */
static inline struct amd_grid *amd_dispatch_grid(const struct amd_dispatch *dispatch, uint32_t link)
{
    return &dispatch->state->grids[link - 1];
}
static inline struct amd_cu *amd_dispatch_cu(const struct amd_dispatch *dispatch, uint32_t se,
                                             uint32_t cu)
{
    return &dispatch->state->cus[se * AMD_CUS_PER_ENGINE_MAX + cu];
}
/* Runs a CU until now, and logs the blocks that have ended. amd_dispatch_advance() skips the call
 * if the CU is at that time already. */
void amd_dispatch_run_cu(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Runs a CU until now, unless it is there already. */
static inline void amd_dispatch_advance(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    if (amd_dispatch_cu(dispatch, se, cu)->since_ps != machine_now(dispatch->machine))
        amd_dispatch_run_cu(dispatch, se, cu);
}
/* Marks the next time at which the CU is examined as outdated. */
static inline void amd_dispatch_touch(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    dispatch->state->touched_ses |= 1u << se;
    dispatch->state->touched[se] |= 1u << cu;
}
/* Returns true if a shader engine's workload manager depends on changes of its CUs.  A block that
 * meets no other block leaves no trace there. */
static inline bool amd_dispatch_is_waited(const struct amd_dispatch *dispatch, uint32_t se)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];

    return (manager->wanting | manager->staged) != 0;
}
/* Frees the dispatch's record. */
void amd_dispatch_free(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Starts the block of a slot on a CU, which has room for it. */
void amd_dispatch_start(struct amd_dispatch *dispatch, const struct amd_slot *slot, uint32_t se,
                        uint32_t cu, uint32_t rule);

#endif
