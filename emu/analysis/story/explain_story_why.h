/* SPDX-License-Identifier: MIT */
/* Why a piece of a story lasted: the blocker, what each SM lacked, and what the blocker itself
 * waited for in the meantime. */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_WHY_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_WHY_H

#include "emu/analysis/story/explain_story.h"

enum {
    STORY_DEPTH_MAX = 8,    /* how far a chain of blockers is followed */
    STORY_DETAILS_MAX = 64, /* waits of a story whose reasons are given */
    STORY_HOLDERS_MAX = 6,  /* holders that are named one by one */
};

enum story_resource {
    STORY_NOTHING, /* it would fit by the figures, but the SM is not for it (CORE.SM_MASK) */
    STORY_THREADS,
    STORY_BLOCK_SLOTS,
    STORY_WARPS,
    STORY_SHARED,
    STORY_REGISTERS,
    STORY_RESOURCES,
};

/* What a block lacked on an SM.  The figures are in the resource's unit, rounded as the GPU gives
 * them. */
struct story_lack {
    enum story_resource lacks;
    uint64_t used, limit, need;
    uint32_t holder_count; /* the number of blocks that held some of it */
    uint32_t holders[STORY_HOLDERS_MAX];
};

/* The reasons of a wait. */
struct story_why {
    struct story_subject blocker; /* its story explains more; operation STORY_NONE: none */
    uint32_t head;                /* T.X1, T.A2: the grid at the head; STORY_NONE */
    uint64_t unassigned;          /* blocks of `head` that were not assigned when the wait began */
    uint32_t lacking, freed;      /* T.R2 and so on: indexes of blocks; STORY_NONE */
    uint32_t channel, freed_stream; /* B.R2: it got this from that stream; STORY_NONE */
    uint32_t held_count, got_rule;  /* B.R2: channels held; rule by which it got one */
    uint32_t waiting_count;         /* B.R2: the number of streams that waited when it got one */
    gfe_ps got_ps;
};

#define STORY_WHY_NONE                                                                             \
    {                                                                                              \
        .blocker = {STORY_NONE, STORY_NONE}, .head = STORY_NONE, .lacking = STORY_NONE,            \
        .freed = STORY_NONE, .channel = STORY_NONE, .freed_stream = STORY_NONE                     \
    }

/* Finds the reasons of `piece`, a wait of the subject's life. */
void story_why(const struct story *story, struct story_subject subject,
               const struct story_piece *piece, struct story_why *why);

/* Finds what the grid's next block lacked on each of story->sm_count SMs at that time.  Returns
 * false if the GPU's figures are not known. */
bool story_lacks(const struct story *story, uint32_t work, gfe_ps time_ps,
                 struct story_lack lacks[STORY_SMS_MAX]);
const char *story_resource_name(enum story_resource resource);

/* What a life has most of between two times. */
struct story_most {
    struct story_piece piece; /* the longest piece of its kind, whole, as in the life */
    gfe_ps from_ps, to_ps;    /* the part of the piece between the two times */
    gfe_ps sum_ps;            /* the sum of all pieces of its kind between the two times */
    uint32_t count;
    bool is_root; /* the piece is no wait */
};
/* Finds what the life has most of.  That is the waits of the rule with the most time, if all waits
 * together are at least a twentieth of the time.  Otherwise it is service.  Returns false if the
 * life has nothing between the two times. */
bool story_most(const struct story_life *life, gfe_ps from_ps, gfe_ps to_ps,
                struct story_most *most);
/* Finds the longest wait that made a served operation late.  The wait lay before the service
 * `served`, and after `since_ps`.  Returns false if the operation was not late. */
bool story_late(const struct story_life *life, gfe_ps since_ps, const struct story_most *served,
                struct story_most *late);

#endif
