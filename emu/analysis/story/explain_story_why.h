/* SPDX-License-Identifier: MIT */
/* Why a piece of a story lasted: who was in the way, what each SM lacked, and what that one itself
 * waited for in the meantime. */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_WHY_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_WHY_H

#include "emu/analysis/story/explain_story.h"

enum {
    STORY_DEPTH_MAX = 8,    /* a chain of blockers is followed so far */
    STORY_DETAILS_MAX = 64, /* waits of a story of which it is told why */
    STORY_HOLDERS_MAX = 6,  /* are named one by one */
};

enum story_resource {
    STORY_NOTHING, /* it would fit by the figures: the SM is not for it (CORE.SM_MASK) */
    STORY_THREADS,
    STORY_BLOCK_SLOTS,
    STORY_WARPS,
    STORY_SHARED,
    STORY_REGISTERS,
    STORY_RESOURCES,
};

/* What a block lacked on an SM; figures in the resource's unit, rounded as the GPU gives them. */
struct story_lack {
    enum story_resource lacks;
    uint64_t used, limit, need;
    uint32_t holder_count; /* blocks that held some of it */
    uint32_t holders[STORY_HOLDERS_MAX];
};

/* Of a wait. */
struct story_why {
    struct story_subject blocker;   /* whose story tells more; operation STORY_NONE: nobody's */
    uint32_t head;                  /* T.X1, T.A2: the grid; STORY_NONE */
    uint64_t unassigned;            /* its blocks, when the wait began */
    uint32_t lacking, freed;        /* T.R2 and so on: blocks; STORY_NONE */
    uint32_t channel, freed_stream; /* B.R2: that it got, from whom; STORY_NONE */
    uint32_t held_count, got_rule;  /* B.R2: channels held; rule by which it got one */
    uint32_t waiting_count;         /* B.R2: streams that wait, when it got it */
    gfe_ps got_ps;
};

#define STORY_WHY_NONE                                                                             \
    {                                                                                              \
        .blocker = {STORY_NONE, STORY_NONE}, .head = STORY_NONE, .lacking = STORY_NONE,            \
        .freed = STORY_NONE, .channel = STORY_NONE, .freed_stream = STORY_NONE                     \
    }

/* `piece`: a wait of the subject's life. */
void story_why(const struct story *story, struct story_subject subject,
               const struct story_piece *piece, struct story_why *why);

/* What the grid's next block lacked on each of story->sm_count SMs at that time.  False: the GPU's
 * figures are not known. */
bool story_lacks(const struct story *story, uint32_t work, gfe_ps time_ps,
                 struct story_lack lacks[STORY_SMS_MAX]);
const char *story_resource_name(enum story_resource resource);

/* What the life has most of between two times. */
struct story_most {
    struct story_piece piece; /* the longest of its kind, whole, as in the life */
    gfe_ps from_ps, to_ps;    /* the part of it in between */
    gfe_ps sum_ps;            /* of all of its kind in between */
    uint32_t count;
    bool is_root; /* it is no wait */
};
/* Waits, of the rule with the most time, if they are a twentieth of the time together, else
 * service. False: the life has nothing there. */
bool story_most(const struct story_life *life, gfe_ps from_ps, gfe_ps to_ps,
                struct story_most *most);
/* Of one that was served all that time: the longest wait that made it late, which lay in front,
 * since `since_ps`.  False: it was not late. */
bool story_late(const struct story_life *life, gfe_ps since_ps, const struct story_most *served,
                struct story_most *late);

#endif
