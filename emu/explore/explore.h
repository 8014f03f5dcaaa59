/* SPDX-License-Identifier: MIT */
/*
 * Many runs of one scenario, and the response times of all: with other seeds, or with every
 * alternative of the choice points that a scenario meets (those of the dispatcher and of the
 * runtime).
 */
#ifndef GFE_DEVICES_EXPLORE_H
#define GFE_DEVICES_EXPLORE_H

#include "emu/explore/responses.h"

enum { EXPLORE_RUNS_MAX = 1000000 };

struct explore {
    const struct scenario *scenario;   /* borrowed */
    struct simulation_options options; /* of each run; its seed is the first */
    uint32_t seeds;                    /* so many runs; 0: all alternatives instead */
};

/* How many runs there will be: choice points that the options set are not walked. */
uint32_t explore_runs(const struct explore *explore);
/* Makes them, and takes their response times.  False with a message: a run failed. */
bool explore_make(const struct explore *explore, struct responses *responses,
                  struct gfe_error *error);

#endif
