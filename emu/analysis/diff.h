/* SPDX-License-Identifier: MIT */
/*
 * Two runs of the same programs (another GPU, seed, policy, parameter, driver model): which
 * decision is the first that differs, by which rule it was made, and what became of the operations.
 *
 * Operations are aligned by task, call and iteration, so both logs have to be of one scenario.
 * Times are not compared for this, but the order of decisions of a kind: who gets a channel, which
 * operation joins a queue of the GPU, which block starts and on which SM.  Of the kinds the one
 * that differs first in time counts.
 */
#ifndef GFE_EMU_ANALYSIS_DIFF_H
#define GFE_EMU_ANALYSIS_DIFF_H

#include "emu/analysis/story/explain_story.h"

enum diff_kind {
    DIFF_NOTHING, /* all decisions are the same */
    DIFF_CHANNEL, /* which stream gets a channel (B.R2, B.C2) */
    DIFF_QUEUE,   /* which operation joins a queue of the GPU (T.G2, T.C1) */
    DIFF_START,   /* which block starts */
    DIFF_PLACE,   /* on which SM it does */
    DIFF_KINDS,
};

enum { DIFF_SAYS_BYTES = 2 * STORY_NAME_BYTES };

struct diff_side {
    gfe_ps time_ps; /* GFE_PS_NEVER: there is none in this run */
    char says[DIFF_SAYS_BYTES];
};

struct diff_decision {
    enum diff_kind kind;
    const char *rule; /* label or choice point; "-" = none is named */
    struct diff_side side[2];
};

/* An operation of both runs that takes another time in them. */
struct diff_row {
    uint32_t operation[2]; /* of each story */
    gfe_ps took_ps[2];     /* GFE_PS_NEVER: it does not complete */
};

struct diff {
    const struct story *story[2]; /* borrowed */
    struct diff_decision decision;
    struct diff_row *rows; /* owned; in the order of the first run's calls */
    uint32_t row_count;
    uint32_t same_count;    /* operations that take the same time, to the picosecond */
    uint32_t only_count[2]; /* that the other run does not have */
};

/* Compares; the stories must live as long.  False with a message: memory is short, or they are not
 * of the same programs. */
bool diff_make(struct diff *diff, const struct story *a, const struct story *b,
               struct gfe_error *error);
void diff_fini(struct diff *diff);

#endif
