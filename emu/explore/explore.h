/* SPDX-License-Identifier: MIT */
/*
 * Makes many runs of one scenario, and collects the response times of all.  The runs have other
 * seeds, or every alternative of the choice points that a scenario meets (those of the dispatcher
 * and of the runtime).
 */
#ifndef GFE_EMU_EXPLORE_EXPLORE_H
#define GFE_EMU_EXPLORE_EXPLORE_H

#include "emu/explore/responses.h"

enum { EXPLORE_RUNS_MAX = 1000000 };

struct explore {
    const struct scenario *scenario;   /* borrowed */
    struct simulation_options options; /* of each run; its seed is the first */
    uint32_t seeds;                    /* number of runs; 0: all alternatives instead */
};

/* Returns how many runs there will be.  Choice points that the options set are not varied. */
uint32_t explore_runs(const struct explore *explore);
/* Makes the runs, and takes their response times.  Returns false with a message if a run failed. */
bool explore_make(const struct explore *explore, struct responses *responses,
                  struct gfe_error *error);

#endif
