/* SPDX-License-Identifier: MIT */
/*
 * Compares two runs of the same programs (another GPU, seed, policy, parameter or driver model).
 * The comparison finds the first decision that differs, the rule by which it was made, and what
 * became of the operations.
 *
 * Operations are aligned by task, call and iteration, so both logs have to be of one scenario.
 * Decisions of one kind are compared by their order, not by their times.  The kinds are which
 * stream gets a channel, which operation joins a queue of the GPU, which block starts, and on which
 * SM.  The kind that differs first in time counts.
 */
#ifndef GFE_EMU_ANALYSIS_DIFF_H
#define GFE_EMU_ANALYSIS_DIFF_H

#include "emu/analysis/story/explain_story.h"

enum diff_kind {
    DIFF_NOTHING, /* all decisions are the same */
    DIFF_CHANNEL, /* which stream gets a channel (B.R2, B.C2) */
    DIFF_QUEUE,   /* which operation joins a queue of the GPU (T.G2, T.C1) */
    DIFF_START,   /* which block starts */
    DIFF_PLACE,   /* on which SM a block starts */
    DIFF_KINDS,
};

enum { DIFF_SAYS_BYTES = 2 * STORY_NAME_BYTES };

struct diff_side {
    gfe_ps time_ps; /* GFE_PS_NEVER: this run has no such decision */
    char says[DIFF_SAYS_BYTES];
};

struct diff_decision {
    enum diff_kind kind;
    const char *rule; /* a label or a choice point; "-": the log names none */
    struct diff_side side[2];
};

/* An operation of both runs that takes a different time in each. */
struct diff_row {
    uint32_t operation[2]; /* its index in each story */
    gfe_ps took_ps[2];     /* GFE_PS_NEVER: the operation does not complete */
};

struct diff {
    const struct story *story[2]; /* borrowed */
    struct diff_decision decision;
    struct diff_row *rows; /* owned; in the order of the calls of the first run */
    uint32_t row_count;
    uint32_t same_count;    /* operations that take the same time in both, to the picosecond */
    uint32_t only_count[2]; /* operations that the other run does not have */
};

/* Compares two stories, which are borrowed and must outlive `diff`.  The caller releases `diff`
 * with diff_fini().  Returns false with a message if memory is short or the stories are not of the
 * same programs. */
bool diff_make(struct diff *diff, const struct story *a, const struct story *b,
               struct gfe_error *error);
void diff_fini(struct diff *diff);

#endif
