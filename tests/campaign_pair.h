/* SPDX-License-Identifier: MIT */
/*
 * A program whose experiments are run twice: from a snapshot, as a campaign runs them, and from the
 * start to the end (emu/faults/inject_run.h).  Tests check that both have the same result.
 */
#ifndef GFE_TESTS_CAMPAIGN_PAIR_H
#define GFE_TESTS_CAMPAIGN_PAIR_H

#include "emu/faults/campaign_space.h"
#include "emu/faults/inject_run.h"

struct campaign_pair {
    struct replay_input *input;
    struct campaign_run run;
    struct campaign_run *runs[1];
    struct inject_run whole;
    struct campaign_plan *plan;
    struct campaign_space space;
};

/* Prepares the experiments of a recording in tests/golden, with a plan for it. */
void campaign_pair_init(struct campaign_pair *pair, const char *file, const char *plan);
void campaign_pair_fini(struct campaign_pair *pair);
/* Runs the experiment of one or several faults, given as text, both ways.  All results that are
 * kept of the two runs must be equal. */
void campaign_pair_make(struct campaign_pair *pair, const char *fault,
                        struct campaign_result *result);

#endif
