/* SPDX-License-Identifier: MIT */
/*
 * The way of compute work on an AMD GPU below the packets: dispatches at the heads of queues, their
 * blocks (workgroups) to shader engines, from there to CUs, and their ends.
 *
 * Described in Otterness and Anderson, "Exploring AMD GPU Scheduling Details by Experimenting With
 * 'Worst Practices'", 2022, sections 4.2 to 5.1; the rules are A.D1 to A.D5, A.M1, A.O1 and A.R1.
 *   queue -> ACE (amd_ace.h): whose turn it is, and to which shader engine a block goes
 *   -> workload manager of the shader engine (amd_workload_manager.h): a slot for each ACE
 *   -> CU (amd_cu.h): room, and time.
 *
 * The layer above (HQDs and packets) hands over each dispatch when it is at the head of its queue's
 * packets and nothing that it must wait for is left: barriers are that layer's.  A dispatch gives
 * way to the next one of its queue when its last block has been taken by a shader engine.
 *
 * How long a block works comes with the dispatch, as picoseconds of a whole CU, with a jitter that
 * depends on the dispatch's seed, the block and the wave only: the same blocks take the same work
 * under every policy.  Blocks that start on a CU where no wave of their dispatch has ended may take
 * longer (caches are cold).
 *
 * Queues are numbered from 0 in each ACE; in the log CUs are numbered through, those of shader
 * engine 0 first.  A queue's dispatches can be stopped and go on later: amd_cwsr.h.  Not modelled:
 * priorities of queues and pipes, wave limits of pipes (SPI_WCL_PIPE_PERCENT), several shader
 * arrays in a shader engine, graphics.
 */
#ifndef GFE_DEVICES_AMD_AMD_DISPATCH_H
#define GFE_DEVICES_AMD_AMD_DISPATCH_H

#include "devices/amd/amd_cu.h"
#include "emu/engine/machine.h"

enum {
    AMD_CUS_MAX = AMD_SHADER_ENGINES_MAX * AMD_CUS_PER_ENGINE_MAX,
    AMD_GRIDS_MAX = 1024,        /* handed over and not complete */
    AMD_SAVED_BLOCKS_MAX = 8192, /* that have been stopped and not gone on, of all queues */
    AMD_PPM = 1000000,
};
/* The most that a block may be said to work: 11 days. */
#define AMD_WORK_MAX_PS UINT64_C(1000000000000000000)

GFE_STATE_BEGIN
/* What a block costs. */
struct amd_cost {
    uint64_t block_ps;         /* work of a block, picoseconds of a CU; at most AMD_WORK_MAX_PS */
    uint64_t seed;             /* of the jitter */
    uint32_t block_jitter_ppm; /* a block's work lies within so much of block_ps, evenly spread */
    uint32_t wave_jitter_ppm;  /* and that of each wave within so much of its share */
    uint32_t cold_ppm;         /* what cold blocks take more */
    uint32_t reserved;
};

/* A dispatch, in two lines of a cache: there may be hundreds of them at a time. */
struct amd_grid {
    uint64_t grid_id; /* 0 = free */
    uint64_t block_count, next_block, done_count;
    gfe_ps queued_ps, started_ps, wait_from_ps;
    uint64_t block_ps; /* of its cost */
    struct amd_need need;
    uint16_t cu_masks[AMD_SHADER_ENGINES_MAX];
    uint32_t next;        /* 1 + grid: in its queue; of a free one the next free one; 0 = none */
    uint32_t first_saved; /* 1 + saved block, by their numbers: they are staged before others */
    uint32_t context;     /* number of the saved context that it is in; 0: of none */
    uint16_t wait_rule;   /* why a block has not gone to next_se; RULE_NONE: it could */
    uint8_t ace, queue;
    uint8_t next_se;    /* A.D2: where the next block goes */
    uint8_t dispatched; /* all its blocks have been staged once */
    uint8_t varies;     /* its blocks do not all cost the same: there is an amd_variation */
    uint8_t reserved[5];
};

/* What makes a dispatch's blocks cost more or less than block_ps; all of it 0: nothing does. */
struct amd_variation {
    uint64_t jitter_seed, block_reciprocal, wave_reciprocal; /* what follows from the cost: */
    uint32_t block_jitter_ppm, wave_jitter_ppm, cold_ppm, reserved;
    uint64_t warm[AMD_CUS_MAX / 64]; /* CUs on which a wave of it has ended, where that matters */
    uint64_t unused;                 /* up to a power of two */
};

/* A block that was stopped, or taken back before it began. */
struct amd_saved {
    uint64_t block_index;
    uint64_t work_ps[AMD_BLOCK_WAVES_MAX]; /* that each of its waves has not done */
    gfe_ps stopped_ps;
    uint32_t waves; /* 0: it had not begun */
    uint32_t se;    /* where it was */
    uint32_t next;  /* 1 + record: of its dispatch, or free; 0 = none */
    uint32_t reserved;
};

/* A place of a workload manager: a block of an ACE that waits for a CU. */
struct amd_slot {
    uint64_t block_index;
    gfe_ps staged_ps;
    uint32_t grid;      /* 1 + record; 0 = empty */
    uint32_t wait_rule; /* why no CU had room for it, if that was so */
    uint32_t saved;     /* 1 + record: it has been stopped, and goes on; 0: it is new */
    uint32_t reserved;
};

/* What a slot's blocks want: it decides when CUs are looked at next.  It stays while the slot is
 * empty between two blocks of a dispatch. */
struct amd_want {
    uint64_t grid_id;
    uint32_t waves;
    uint32_t full_cus; /* bit per CU that had no room for one, and is looked at when it may have */
    uint32_t room_cus; /* bit per CU that had room for one, and has it until a block starts there */
    uint32_t reserved;
    /* Of each CU: before that it has no room for one, unless what it holds changes other than by
     * waves' ends; 0: nothing is known. */
    gfe_ps full_ps[AMD_CUS_PER_ENGINE_MAX];
};

struct amd_workload_manager {
    struct amd_slot slots[AMD_PIPES_MAX];
    struct amd_want wants[AMD_PIPES_MAX];
    gfe_ps placed_ps;      /* when it has started the last block, */
    uint32_t placed_waves; /* and how many waves it has: until they are dispatched it starts none */
    uint32_t slot_memory;  /* of policy amd.wlm_arbitration */
    uint32_t cu_memory;    /* of policy amd.block_to_cu */
    uint32_t timer_runs;
    uint32_t staged;  /* bit per slot that holds a block */
    uint32_t wanting; /* bit per slot of which there is a want */
};

struct amd_queue {
    uint32_t first, last; /* 1 + grid */
};

struct amd_ace {
    struct amd_queue queues[AMD_QUEUES_PER_PIPE_MAX];
    uint32_t busy_queues;  /* bit per queue that has a dispatch */
    uint32_t current;      /* the queue whose turn it is */
    uint32_t staged_count; /* its blocks in slots */
    uint32_t slice_runs;   /* 1: the end of the turn is due */
    uint32_t held_queues;  /* bit per queue of which nothing more is staged */
    uint32_t reserved;
};

/* What lies behind `touched` begins at lines of a cache, as the arena's pieces do. */
struct amd_dispatch_state {
    uint32_t used_grids, free_grid; /* records ever used; 1 + a free one of them */
    uint32_t grid_count;
    uint32_t due_ses, due_aces; /* bit per one that may be able to do something now */
    uint32_t used_saved, free_saved, saved_count; /* as those of grids */
    uint32_t wakes;                               /* 1: AMD_EVENT_WAKE is on its way */
    uint32_t touched_ses; /* bit per shader engine with CUs whose next end must be looked up anew */
    uint32_t touched[AMD_SHADER_ENGINES_MAX]; /* bit per such CU */
    gfe_ps due_ps[AMD_CUS_MAX]; /* when the others are looked at next; no block ends before */
    struct amd_ace aces[AMD_PIPES_MAX];
    struct amd_workload_manager managers[AMD_SHADER_ENGINES_MAX];
    uint64_t unused[3];
    struct amd_cu cus[AMD_CUS_MAX]; /* se * AMD_CUS_PER_ENGINE_MAX + cu */
    struct amd_grid grids[AMD_GRIDS_MAX];
    struct amd_variation variations[AMD_GRIDS_MAX]; /* of each of them */
    struct amd_saved saved[AMD_SAVED_BLOCKS_MAX];
};
GFE_STATE_END

_Static_assert(offsetof(struct amd_dispatch_state, cus) % ARENA_ALIGN_BYTES == 0 &&
                   sizeof(struct amd_cu) % ARENA_ALIGN_BYTES == 0 &&
                   sizeof(struct amd_grid) % ARENA_ALIGN_BYTES == 0,
               "records lie in as few lines of a cache as they can");

struct amd_dispatch_client {
    /* A dispatch is complete. */
    void (*done)(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id);
    void *client;
};

/* What a launch's blocks take, and the CUs that may get them. */
struct amd_kind {
    uint32_t block_threads, lds_bytes;
    uint32_t vgprs, sgprs; /* of a wave */
    /* By shader engine, as the kernel driver's registers have them (A.M1,
     * firmware-models/kfd/kfd_cu_mask.h); bits of CUs that are not there are ignored. */
    uint32_t cu_masks[AMD_SHADER_ENGINES_MAX];
};

/* Why a dispatch could never end; AMD_LAUNCH_FITS: it can. */
enum amd_launch_fault { AMD_LAUNCH_FITS, AMD_LAUNCH_TOO_LARGE, AMD_LAUNCH_NO_CU };

/* What follows from a launch's kind. */
struct amd_fit {
    struct amd_kind kind; /* 0 threads: of none */
    struct amd_need need;
    uint16_t cu_masks[AMD_SHADER_ENGINES_MAX]; /* of CUs that are there */
    uint64_t masks_logged[2];                  /* the same */
    bool is_masked;                            /* these are not all CUs */
    enum amd_launch_fault fault;
};

struct amd_dispatch {
    struct machine *machine;
    const struct amd_chip *chip;
    struct amd_cu_limits limits;
    bool is_bound; /* the run's bound on waves is less than what SIMDs have */
    struct clock_domain clock;
    gfe_ps cycle_ps; /* a cycle of it, rounded up */
    struct amd_dispatch_client client;
    uint32_t first_cu[AMD_SHADER_ENGINES_MAX];   /* number of each shader engine's first CU */
    uint32_t engine_cus[AMD_SHADER_ENGINES_MAX]; /* bit per CU that the engine has */
    uint32_t unit;
    uint32_t cu_timers, se_timers, ace_timers; /* the first of each: one for each unit */
    struct amd_fit fit; /* of the launch before; not state, for it follows from what it is of */
    bool says_launched; /* the client calls amd_dispatch_launched() */
    bool launched;      /* something was; false between events */
    struct amd_dispatch_state *state;
};

/* What is handed over. */
struct amd_launch {
    uint32_t ace, queue;
    uint64_t block_count; /* may be 0: it is complete at once */
    struct amd_kind kind;
    uint64_t packet_sequence, packet_address; /* for the log */
    struct amd_cost cost;
};

/* Adds it as a unit.  The chip lives as long. */
void amd_dispatch_wire(struct amd_dispatch *dispatch, struct machine *machine,
                       const struct amd_chip *chip);
bool amd_dispatch_has_room(const struct amd_dispatch *dispatch);
/* Why the dispatch could never end, with the parameters as they are; AMD_LAUNCH_FITS: it can. */
enum amd_launch_fault amd_dispatch_fault(struct amd_dispatch *dispatch,
                                         const struct amd_launch *launch);
/* Queues a dispatch now; returns its id.  There is room, and it has no fault (asserted):
 * amd_dispatch_fault() was asked of its kind last, and what it found is used. */
uint64_t amd_dispatch_launch(struct amd_dispatch *dispatch, const struct amd_launch *launch);
/* Ends an event in which a client may have launched something, if it has set says_launched: what
 * can be done now is done at once, if nothing else is due at this time, and needs no event of its
 * own. */
void amd_dispatch_launched(struct amd_dispatch *dispatch);

/* ---- between the parts of the dispatcher ----------------------------------------------------- */

enum amd_dispatch_event {
    AMD_EVENT_CU,
    AMD_EVENT_SE,
    AMD_EVENT_ACE,
    AMD_EVENT_LAUNCH,
    AMD_EVENT_EMPTY,
    AMD_EVENT_WAKE /* something was stopped, or goes on */
};

static inline struct amd_grid *amd_dispatch_grid(const struct amd_dispatch *dispatch, uint32_t link)
{
    return &dispatch->state->grids[link - 1];
}
static inline struct amd_cu *amd_dispatch_cu(const struct amd_dispatch *dispatch, uint32_t se,
                                             uint32_t cu)
{
    return &dispatch->state->cus[se * AMD_CUS_PER_ENGINE_MAX + cu];
}
/* Lets a CU run until now, and logs the blocks that have ended. Often it has been: no call then. */
void amd_dispatch_run_cu(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
static inline void amd_dispatch_advance(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    if (amd_dispatch_cu(dispatch, se, cu)->since_ps != machine_now(dispatch->machine))
        amd_dispatch_run_cu(dispatch, se, cu);
}
/* When the CU is looked at next must be found out anew. */
static inline void amd_dispatch_touch(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu)
{
    dispatch->state->touched_ses |= 1u << se;
    dispatch->state->touched[se] |= 1u << cu;
}
/* Is it of interest to a shader engine's workload manager what becomes of its CUs?  Blocks that
 * meet nobody pass without leaving anything there. */
static inline bool amd_dispatch_is_waited(const struct amd_dispatch *dispatch, uint32_t se)
{
    const struct amd_workload_manager *manager = &dispatch->state->managers[se];

    return (manager->wanting | manager->staged) != 0;
}
/* The dispatch's record is free again. */
void amd_dispatch_free(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Starts the block of a slot on a CU, which has room for it. */
void amd_dispatch_start(struct amd_dispatch *dispatch, const struct amd_slot *slot, uint32_t se,
                        uint32_t cu, uint32_t rule);

#endif
