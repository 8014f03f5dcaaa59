/* SPDX-License-Identifier: MIT */
/*
 * gfe check of AMD's dispatches and queue slots.  A log of an AMD GPU gets this part of a check in
 * place of that of queues, SMs and time-slice groups.  check.h lists the rules.
 *
 * The check keeps account of:
 *
 *   - the queues of each ACE and whose turn it is (A.D1);
 *   - the place where each dispatch's next block has to go (A.O1, A.D2);
 *   - the slots of the workload managers (A.D3);
 *   - what CUs hold (A.D5, A.M1);
 *   - the blocks that have been passed over (A.D4);
 *   - which queue is in which hardware slot, and which process has which VMID (A.H1);
 *   - how far each ring is (A.Q1);
 *   - which part of a ring is not complete (A.Q3);
 *   - what barriers wait for (AMD.DEPENDS).
 *
 * A log does not have the ends of single waves.  So only two bounds of what a CU holds are known,
 * for each block that has not ended.  At least, the CU holds the block's LDS and one wave.  At
 * most, it holds the LDS and all the waves.  The least must never be more than the CU has.  Where
 * the most leaves room, a block does fit.
 */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_DISPATCH_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_DISPATCH_H

#include "emu/analysis/check/check_private.h"

enum {
    DISPATCH_ACES = 8,
    DISPATCH_QUEUES = 32, /* queues of an ACE */
    DISPATCH_ENGINES = CHECK_ENGINES_OF_CUS,
    DISPATCH_CU_BITS = 16, /* CUs of a shader engine in a mask */
    DISPATCH_CU_BLOCKS = 64,
    DISPATCH_HQDS = 64, /* slots of micro engines */
    DISPATCH_UNSTAGED = 32,
    DISPATCH_VMIDS = 16,
    SDMA_ENGINES = 16,
    SDMA_PLACES = 8, /* places of an engine */
};

struct dispatch_grid {
    uint64_t grid_id, block_count, next_block, ended;
    uint64_t masks[2];
    uint32_t threads, waves, vgprs, sgprs, lds_bytes;
    uint32_t ace, queue, next_in_queue;
    uint32_t last_engine;  /* CHECK_NONE: no block has been staged */
    uint32_t next_of_ring; /* CHECK_NONE: it is the last that was launched from its ring */
    uint64_t to_stage; /* blocks that still have to go through a slot; saved blocks count again */
    bool known, over, stopped;
    struct check_event queued;
};

struct dispatch_slot {
    uint32_t grid; /* CHECK_NONE: the slot is empty */
    uint64_t block;
    uint32_t passed; /* a bit for each ACE that was served first although this block did fit */
    struct check_event staged;
};

struct dispatch_cu {
    struct {
        uint32_t grid; /* CHECK_NONE: the entry is free */
        uint64_t block;
    } blocks[DISPATCH_CU_BLOCKS];
    uint32_t block_count;
    uint64_t waves, vgprs, sgprs, lds_bytes; /* upper bounds; LDS is exact */
    uint64_t least_vgprs;                    /* lower bound: one wave of each block */
};

struct dispatch_ring {
    uint64_t doorbell, next, written;
    uint32_t hqd;                   /* CHECK_NONE: the queue is in no slot */
    uint32_t first_grid, last_grid; /* launched from the ring; CHECK_NONE: none */
    uint32_t open;                  /* dispatches whose packets are not complete */
    gfe_ps saved_ps;                /* when its waves are saved; from then on the queue may leave */
    uint32_t signals, met;          /* of the barrier packet that is taken up; met: zero ones */
    bool is_aql, rung, started;
    bool in_barrier;               /* a barrier packet has been taken up and is not complete */
    struct check_event rang, last; /* last: the packet that was taken up last */
};

/* A queue of SDMA.  CHECK_NONE as `engine` means that the queue is on no engine. */
struct sdma_queue {
    uint64_t doorbell, read; /* read: bytes of its ring that have been read */
    uint32_t engine, slot;
    bool left; /* the queue has been on an engine, and has left it */
};

struct sdma_engine {
    uint64_t copy_id, doorbell, byte_count, traffic_bytes, least_ppm;
    struct check_event start;
    bool busy;
};

struct check_dma {
    struct sdma_queue *queues; /* owned */
    uint32_t queue_count, queue_capacity;
    struct id_map queue_ids; /* by doorbell */
    struct sdma_engine engines[SDMA_ENGINES];
    uint64_t engine_rate; /* bytes per second; 0: the rate is not known */
};

/* A queue in the firmware's list.  mapped_at counts the slots that were given: the queue got its
 * slot as the n-th.  left_at keeps that count after the queue has left.  0 means that there is no
 * such count. */
struct rotation_queue {
    uint64_t queue_id, mapped_at, left_at;
    bool leaves;
};

struct check_rotation {
    struct rotation_queue *queues; /* owned */
    uint32_t queue_count, queue_capacity;
    struct id_map queue_ids;
    uint64_t map_count;
    gfe_ps quantum_end_ps; /* GFE_PS_NEVER: no quantum has begun */
    struct check_event began;
    uint32_t leaving;
    bool in_order; /* hws.swap=list */
    bool chained, changing;
};

struct check_dispatch {
    struct dispatch_grid *grids;
    struct dispatch_ring *rings;
    uint32_t grid_count, grid_capacity, ring_count, ring_capacity;
    struct id_map grid_ids, ring_ids;
    uint64_t wave_limit; /* waves of a CU */
    bool round_robin;    /* amd.wlm_arbitration */
    uint32_t first_cus[DISPATCH_ENGINES + 1];
    struct {
        uint32_t first[DISPATCH_QUEUES], last[DISPATCH_QUEUES]; /* grids that are not all staged */
        uint32_t current;
        /* Up to that time nothing of the queue has to be staged.  The queue has been told to leave
         * its slot, or its saved waves are not back yet. */
        gfe_ps held_until_ps[DISPATCH_QUEUES];
    } aces[DISPATCH_ACES];
    struct dispatch_slot slots[DISPATCH_ACES][DISPATCH_ENGINES];
    struct dispatch_cu cus[CHECK_SMS_MAX];
    uint32_t hqds[DISPATCH_HQDS]; /* rings; CHECK_NONE: empty */
    struct check_event loaded[DISPATCH_HQDS];
    struct {
        uint64_t pasid, queues;
    } vmids[DISPATCH_VMIDS];
    struct check_dma sdma;
    struct check_rotation rotation;
};

/* Allocates the part for AMD.  `limits->engine_count` must not be 0.  Returns false when memory is
 * short. */
bool check_dispatch_init(struct check *check);
void check_dispatch_fini(struct check *check);
extern const struct event_fields_row check_dispatch_rows[];
extern void (*const check_dispatch_takers[])(struct check *check, const uint64_t *values);
extern const uint32_t check_dispatch_row_count;

/* Returns the dispatch of that number.  Returns NULL, and notes a violation, if there was no such
 * dispatch or it is over. */
struct dispatch_grid *check_dispatch_grid(struct check *check, uint64_t grid_id, const char *what);
/* Takes a dispatch whose blocks are all staged from the head of its queue; the next dispatch
 * becomes the head. */
void check_dispatch_pop(struct check *check, struct dispatch_grid *grid);
/* Appends a dispatch to its queue as the last one. */
void check_dispatch_append(struct check *check, struct dispatch_grid *grid);
/* Returns the CUs of a shader engine that the dispatch may use, a bit for each. */
static inline uint32_t check_dispatch_mask(const struct dispatch_grid *grid, uint32_t engine)
{
    return engine < DISPATCH_ENGINES
               ? (uint32_t)(grid->masks[engine / 4] >> engine % 4 * DISPATCH_CU_BITS) & 0xffff
               : 0;
}
/* Returns `value`, rounded up to a multiple of `unit`; 0 as `unit` means no rounding. */
static inline uint64_t check_dispatch_round(uint64_t value, uint32_t unit)
{
    return unit ? (value + unit - 1) / unit * unit : value;
}

/* ---- check_dispatch_cu.c: blocks on CUs -------------------------------------------------------
 */

void check_cu_start(struct check *check, const uint64_t *values);
void check_cu_end(struct check *check, const uint64_t *values);
void check_cu_stop(struct check *check, const uint64_t *values);
void check_cu_go_on(struct check *check, const uint64_t *values);

/* ---- check_dispatch_queue.c: hardware slots, VMIDs, rings ------------------------------------ */

void check_hqd_load(struct check *check, const uint64_t *values);
void check_hqd_leave(struct check *check, const uint64_t *values);
void check_hqd_doorbell(struct check *check, const uint64_t *values);
void check_hqd_launch(struct check *check, const uint64_t *values);
void check_hqd_preempt(struct check *check, const uint64_t *values);
void check_hqd_refused(struct check *check, const uint64_t *values);
void check_hqd_save(struct check *check, const uint64_t *values);
void check_hqd_restore(struct check *check, const uint64_t *values);
void check_hqd_packet(struct check *check, const uint64_t *values);
void check_hqd_depends(struct check *check, const uint64_t *values);
void check_hqd_packet_end(struct check *check, const uint64_t *values);
void check_hqd_new(struct check *check, const uint64_t *values);
void check_hqd_map(struct check *check, const uint64_t *values);
void check_hqd_unmap(struct check *check, const uint64_t *values);

/* ---- check_dma.c ----------------------------------------------------------------------------- */

void check_dma_init(struct check *check);
void check_dma_fini(struct check *check);
void check_dma_new(struct check *check, uint64_t doorbell);
void check_dma_load(struct check *check, const uint64_t *values);
void check_dma_leave(struct check *check, const uint64_t *values);
void check_dma_packet(struct check *check, const uint64_t *values);
void check_dma_write(struct check *check, const uint64_t *values);
void check_dma_copy(struct check *check, const uint64_t *values);
void check_dma_copy_start(struct check *check, const uint64_t *values);
void check_dma_copy_speed(struct check *check, const uint64_t *values);
void check_dma_copy_end(struct check *check, const uint64_t *values);
void check_dma_copy_drop(struct check *check, const uint64_t *values);

/* ---- check_rotation.c ------------------------------------------------------------------------ */

void check_rotation_fini(struct check *check);
void check_rotation_list(struct check *check, const uint64_t *values);
void check_rotation_change(struct check *check, const uint64_t *values);
void check_rotation_reset(struct check *check, const uint64_t *values);
void check_rotation_quantum(struct check *check, const uint64_t *values);
void check_rotation_preempt(struct check *check, uint64_t queue_id);
void check_rotation_left(struct check *check, uint64_t queue_id);
void check_rotation_refused(struct check *check, const uint64_t *values);
void check_rotation_map(struct check *check, uint64_t queue_id);
void check_rotation_forget(struct check *check, const uint64_t *values);
/* Notes a violation when a quantum is over by now and no queue has been told to leave.  `what`
 * names the event that happens now. */
void check_rotation_time(struct check *check, const char *what);

#endif
