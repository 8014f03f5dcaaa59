/* SPDX-License-Identifier: MIT */
/*
 * Stories of dispatches on AMD GPUs: the way of their blocks over shader engines (SE) to CUs, and
 * what was in the way.
 *
 * An ACE puts the blocks of a dispatch one after another into a slot of a workload manager.  The
 * slot is the ACE's in the shader engine whose turn it is (A.D2).  A block stays in the slot until
 * a CU has room for it (A.D5).  So the story of a dispatch is that of its stages.
 *
 * Until the block that ends last is staged, the next block waits for one of these reasons:
 *
 *   - Another dispatch is at the head of its queue, or another queue of its ACE has its turn: A.D1.
 *   - The slot is taken, and another shader engine that the dispatch may use has an empty slot.
 *     The reason is the strict order, A.D2.
 *   - The slot is taken, and so are all others.  The reason is what keeps them taken, `via`:
 *       - the block in the slot finds no room (A.D5, or A.R1 where only the bound on waves is in
 *         the way);
 *       - the workload manager serves others or is not done with the last block (A.D3);
 *       - others cut ahead (A.D4): from the first time that a block of another slot is placed on a
 *         CU that the block in the slot might have had.
 *
 * Then that block itself waits in its slot, for the same reasons, and runs.
 *
 * A queue may have to leave its slot in the middle of its dispatches (A.H2).  A dispatch has a
 * visit for each time that its queue was in a slot.  This happens at the end of a visit:
 *
 *   - nothing more is staged for the grace period (AMD.GRACE);
 *   - the dispatch's waves stop and are saved;
 *   - the dispatch waits until its queue is in a slot again;
 *   - its waves are restored (AMD.CWSR);
 *   - all goes on as above, perhaps with another ACE.
 *
 * The log has all of it: where blocks are staged, start, stop and go on, the ACEs' turns, the masks
 * of dispatches, and when waves are saved and restored.  Of the waits in the log, only the rule of
 * the wait before a block's start is used.
 *
 * Memory is 72 bytes for each block and 112 for each visit, beside those of every story.
 */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_DISPATCH_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_DISPATCH_H

#include "emu/analysis/model/model.h"
#include "emu/analysis/story/explain_story.h"

enum {
    STORY_QUEUES_MAX = 32, /* queues of an ACE */
    STORY_CU_BITS = 16,    /* CUs of a shader engine in a mask */
    STORY_HOLDERS = 4,     /* dispatches on a CU that are kept account of */
};

/* A block in a slot. */
struct story_stage {
    gfe_ps staged_ps, start_ps; /* start_ps GFE_PS_NEVER: it is not placed */
    gfe_ps stop_ps; /* when it stopped where it was placed; GFE_PS_NEVER: it ended there, or the log
                       did */
    gfe_ps free_ps; /* from then on another shader engine had an empty slot */
    gfe_ps cut_ps;  /* when the first block cut ahead; GFE_PS_NEVER: none did */
    uint32_t work, block;       /* indexes; block: its number in the grid until it is placed */
    uint32_t after;             /* the next stage in the same slot; STORY_NONE */
    uint32_t cut_by, cut_count; /* cut_by: index of works; cut_count: how many blocks cut ahead */
    uint32_t holder; /* the work that has most of the CUs when it is staged; STORY_NONE */
    uint32_t next;   /* the next of the same dispatch */
    uint16_t rule;   /* the rule why it waited in its slot */
    uint16_t cu;     /* where it was placed */
    uint8_t engine, ace;
    bool taken_back; /* it was not placed; start_ps is when it was taken out of its slot */
};

/* A visit: the time of a dispatch while its queue is in a slot. */
struct story_visit {
    gfe_ps begin_ps;            /* from then on its blocks may be staged */
    gfe_ps hold_ps, held_to_ps; /* nothing is staged in between, because the queue is to leave */
    gfe_ps stop_ps;     /* when its waves stop; GFE_PS_NEVER: it stays to its end, or the log's */
    gfe_ps saved_ps;    /* when the waves are saved */
    gfe_ps load_ps;     /* when its queue is in a slot again; GFE_PS_NEVER: it is not */
    gfe_ps staged_ps;   /* when its last block was staged; 0: none was */
    uint32_t away_rule; /* the rule why its queue was not back sooner; RULE_NONE */
    uint32_t work, ace, queue, turn; /* turn: the ACE's last turn before; STORY_NONE */
    uint32_t before; /* the visit of the dispatch ahead of it in its queue; STORY_NONE */
    uint32_t next;   /* the next of the same dispatch */
    uint32_t slots[STORY_ENGINES_MAX]; /* stages that were last in the ACE's slots before */
};

struct story_dispatch {
    uint64_t masks[2];          /* as in AMD_DISPATCH */
    uint32_t waves, ace, queue; /* waves: of a block; ace, queue: where it is now, while loading */
    uint32_t first_stage, last_stage, first_visit, last_visit;
    uint32_t ring; /* index of queues, while loading; STORY_NONE: no packet asked for it */
};

/* The event that an ACE turns to a queue. */
struct story_turn {
    gfe_ps time_ps;
    uint32_t queue, work, next; /* next: the next of the same ACE */
};

/* What is needed only while loading. */
struct story_dispatch_load {
    uint32_t slots[STORY_ACES_MAX][STORY_ENGINES_MAX]; /* the stage that was last in each slot */
    uint32_t last_turn[STORY_ACES_MAX];
    uint32_t last_of_queue[STORY_ACES_MAX][STORY_QUEUES_MAX]; /* visits */
    struct {
        uint32_t work[STORY_HOLDERS], waves[STORY_HOLDERS];
        uint8_t engine; /* 1 + its shader engine; 0: it is not known */
    } cus[STORY_SMS_MAX];
    uint64_t wait_grid; /* grid of the last WAIT of a grid */
    gfe_ps wait_ps;
    uint32_t wait_rule;
    uint32_t cut_rule; /* A.D4 */
};

/* Returns the CUs of a shader engine that the dispatch may use, a bit for each. */
uint32_t story_dispatch_cus(const struct story_dispatch *dispatch, uint32_t engine);
/* Returns the dispatch of a grid, or NULL if the grid is not a dispatch of AMD's. */
static inline const struct story_dispatch *story_dispatch_of(const struct story *story,
                                                             uint32_t work)
{
    return story->works[work].dispatch == STORY_NONE
               ? NULL
               : &story->dispatches[story->works[work].dispatch];
}

/* ---- explain_story_stage.c: loading -----------------------------------------------------------
 */

struct story_build;
bool story_take_dispatch(struct story_build *build, const struct model_record *record);
bool story_take_ace_turn(struct story_build *build, const struct model_record *record);
bool story_take_stage(struct story_build *build, const struct model_record *record);
bool story_take_unstage(struct story_build *build, const struct model_record *record);
bool story_take_block_stop(struct story_build *build, const struct model_record *record);
bool story_take_block_go_on(struct story_build *build, const struct model_record *record);
/* Note that a block has started or ended, on a GPU of any vendor. */
void story_stage_start(struct story_build *build, uint32_t block);
void story_stage_end(struct story_build *build, uint32_t block);
/* Sets `slots` to the stages that are last in the slots of an ACE, while loading. */
void story_stage_slots(const struct story *story, uint32_t ace, uint32_t slots[STORY_ENGINES_MAX]);
/* Notes that a wait of a grid ends.  Returns true if the grid is a dispatch, whose stages explain
 * the wait. */
bool story_stage_wait(struct story_build *build, uint32_t work, gfe_ps begin_ps);

/* ---- explain_story_visit.c: loading, where a dispatch's queue is ------------------------------
 */

/* Notes that a dispatch joins its queue.  Returns false when the error is set. */
bool story_visit_first(const struct story_build *build, uint32_t work);
/* Notes that a packet of that queue (index of queues) has asked for the dispatch. */
void story_visit_launch(const struct story *story, uint32_t work, uint32_t queue);
void story_visit_end(const struct story *story, uint32_t work);
/* Notes that a block of the dispatch is staged. */
void story_visit_staged(const struct story_build *build, const struct story_dispatch *dispatch);
/* Notes that the queue's waves stop now, and are saved at `saved_ps`. */
void story_visit_stop(const struct story_build *build, const struct story_queue *queue,
                      gfe_ps saved_ps);
/* Notes that the queue's waves do not stop.  Nothing was staged from the start of the grace period
 * until now. */
void story_visit_refused(const struct story_build *build, const struct story_queue *queue);
/* Notes that the queue has left the slot, which is empty. */
void story_visit_leave(const struct story *story, const struct story_queue *left, uint64_t slot);
/* Notes that the queue is in that slot now.  `away_rule` is the rule why it was not back sooner.
 * Returns false when the error is set. */
bool story_visit_load(const struct story_build *build, uint32_t queue, uint64_t slot,
                      uint32_t away_rule);
void story_visit_restore(const struct story_build *build, const struct story_queue *queue,
                         gfe_ps back_ps);

/* ---- explain_story_dispatch.c: lives ----------------------------------------------------------
 */

/* Adds pieces from the end of the life's last piece up to the start of the block.  STORY_NONE as
 * `block` means up to the end of the dispatch. */
void story_dispatch_life(const struct story *story, struct story_life *life, uint32_t work,
                         uint32_t block);

/* ---- explain_story_reason.c: why, in sum -------------------------------------------------------
 */

enum { STORY_REASONS_MAX = 256 };
/* The sum of the pieces of lives that have the same reason. */
struct story_reason {
    enum story_what what;
    uint32_t rule, via, engine; /* of a wait; engine STORY_NONE: none in particular */
    uint32_t by;                /* name of the operation that was in the way; STORY_NONE */
    uint32_t others;            /* the number of blockers, each for a short while; 0: `by` alone */
    gfe_ps ps, longest_ps;
    uint64_t count;
};
struct story_reasons {
    /* Longest first.  Where there are too many reasons, the blocker is left out. */
    struct story_reason reasons[STORY_REASONS_MAX];
    uint32_t count, operation_count, first_operation;
    gfe_ps total_ps, least_ps, most_ps;
    uint64_t slots;      /* a bit for each slot of an ACE that its queue was in */
    uint64_t saves;      /* how often its waves were saved */
    uint64_t byte_count; /* bytes of copies */
    uint64_t engine_cuts[STORY_ENGINES_MAX];   /* blocks of others that cut ahead */
    uint64_t engine_blocks[STORY_ENGINES_MAX]; /* blocks that went there */
};
/* Adds up the reasons of all operations of that name.  Returns false when memory is short. */
bool story_reasons_of(const struct story *story, uint32_t name, struct story_reasons *reasons);
/* Gathers the reasons for people: blockers that were in the way for a short while only become one
 * of many. */
void story_reasons_gather(struct story_reasons *reasons);

#endif
