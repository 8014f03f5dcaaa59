/* SPDX-License-Identifier: MIT */
/*
 * Stories of dispatches on AMD GPUs: the way of their blocks over shader engines (SE) to CUs, and
 * what was in the way.
 *
 * An ACE puts the blocks of a dispatch one after another into its slot of the workload manager of
 * the shader engine whose turn it is (A.D2), and a block stays there until a CU has room for it
 * (A.D5).  So the story of a dispatch is that of its stages.  Until the block that ends last is
 * staged, the next block waits, for one of these:
 *   - another dispatch is at the head of its queue, or another queue of its ACE has its turn: A.D1;
 *   - the slot is taken.  If another shader engine that the dispatch may use has an empty slot,
 *     that is because of the strict order, A.D2; if all are taken, because of what keeps them so;
 *   - what keeps a slot taken, `via`: its block finds no room (A.D5, or A.R1 where only the bound
 *     on waves is in the way), the workload manager serves others or is not done with the last
 *     block (A.D3), or, from the first time that a block of another slot is placed on a CU that it
 *     might have had, others cut ahead (A.D4).
 * Then that block itself waits in its slot, for the same reasons, and runs.
 *
 * All of it is told by AMD_BLOCK_STAGE, BLOCK_START and AMD_ACE_TURN, with the masks of
 * AMD_DISPATCH; of WAITs only the rule of the one in front of a BLOCK_START is taken.
 *
 * Memory is 72 bytes for each block beside those of every story.
 */
#ifndef GFE_EMU_EXPLAIN_STORY_DISPATCH_H
#define GFE_EMU_EXPLAIN_STORY_DISPATCH_H

#include "emu/explain_story.h"

enum {
    STORY_ENGINES_MAX = 8, /* shader engines */
    STORY_QUEUES_MAX = 32, /* of an ACE */
    STORY_CU_BITS = 16,    /* of a shader engine in a mask */
    STORY_HOLDERS = 4,     /* dispatches on a CU that are kept account of */
};

/* A block in a slot. */
struct story_stage {
    gfe_ps staged_ps, start_ps; /* start_ps GFE_PS_NEVER: it is not placed */
    gfe_ps free_ps;             /* from then on another shader engine had an empty slot */
    gfe_ps cut_ps;              /* the first that cut ahead; GFE_PS_NEVER: none did */
    uint32_t work, block;       /* indexes; block: its number in the grid until it is placed */
    uint32_t in_way;            /* stage that had to be placed before; STORY_NONE */
    uint32_t before, after;     /* stages in the same slot; STORY_NONE */
    uint32_t cut_by, cut_count; /* work; how many blocks cut ahead */
    uint32_t holder;            /* work that has most of the CUs when it is staged; STORY_NONE */
    uint32_t next;              /* of the same dispatch */
    uint16_t rule;              /* why it waited in its slot */
    uint8_t engine, ace;
};

struct story_dispatch {
    uint64_t masks[2];          /* as in AMD_DISPATCH */
    uint32_t waves, ace, queue; /* waves: of a block */
    uint32_t first_stage, last_stage;
    uint32_t before; /* work in front of it in its queue; STORY_NONE */
    uint32_t turn;   /* the ACE's last when it joined; STORY_NONE */
};

/* An ACE turns to a queue. */
struct story_turn {
    gfe_ps time_ps;
    uint32_t queue, work, next; /* next: of the same ACE */
};

/* While loading. */
struct story_dispatch_load {
    uint32_t slots[STORY_ACES_MAX][STORY_ENGINES_MAX]; /* the stage that was last in each */
    uint32_t last_of_ace[STORY_ACES_MAX], last_turn[STORY_ACES_MAX];
    uint32_t last_of_queue[STORY_ACES_MAX][STORY_QUEUES_MAX]; /* works */
    struct {
        uint32_t work[STORY_HOLDERS], waves[STORY_HOLDERS];
        uint8_t engine; /* 1 + its shader engine; 0: not known */
    } cus[STORY_SMS_MAX];
    uint64_t wait_grid; /* of the last WAIT of a grid */
    gfe_ps wait_ps;
    uint32_t wait_rule;
    uint32_t cut_rule; /* A.D4 */
};

/* CUs that the dispatch may have, of a shader engine. */
uint32_t story_dispatch_cus(const struct story_dispatch *dispatch, uint32_t engine);
/* The grid's, NULL: it is none of AMD's. */
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
bool story_take_dispatch(struct story_build *build, const uint64_t *values);
bool story_take_ace_turn(struct story_build *build, const uint64_t *values);
bool story_take_stage(struct story_build *build, const uint64_t *values);
/* A block has started or ended, of any GPU's. */
void story_stage_start(struct story_build *build, uint32_t block);
void story_stage_end(struct story_build *build, uint32_t block);
/* A wait of a grid ends.  True: it is of a dispatch, whose stages tell of it. */
bool story_stage_wait(struct story_build *build, uint32_t work, gfe_ps begin_ps);

/* ---- explain_story_dispatch.c: lives ----------------------------------------------------------
 */

/* From where the life is up to the start of the block; STORY_NONE: to the end of the dispatch. */
void story_dispatch_life(const struct story *story, struct story_life *life, uint32_t work,
                         uint32_t block);

/* ---- explain_story_reason.c: why, in sum -------------------------------------------------------
 */

enum { STORY_REASONS_MAX = 48 };
/* Pieces of lives that have the same reason. */
struct story_reason {
    enum story_what what;
    uint32_t rule, via, engine; /* of a wait; engine STORY_NONE: of none in particular */
    uint32_t by;                /* name of the operation that was in the way; STORY_NONE */
    gfe_ps ps, longest_ps;
    uint64_t count;
};
struct story_reasons {
    struct story_reason reasons[STORY_REASONS_MAX]; /* longest first; the last takes the rest */
    uint32_t count, operation_count, first_operation;
    gfe_ps total_ps, least_ps, most_ps;
    uint64_t engine_cuts[STORY_ENGINES_MAX];   /* blocks of others that cut ahead */
    uint64_t engine_blocks[STORY_ENGINES_MAX]; /* blocks that went there */
};
/* All operations of that name.  False: no memory. */
bool story_reasons_of(const struct story *story, uint32_t name, struct story_reasons *reasons);

#endif
