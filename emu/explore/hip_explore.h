/* SPDX-License-Identifier: MIT */
/*
 * Many runs of one configuration of HIP programs on an AMD GPU, and the response times of all: with
 * other seeds, or with every way in which the choice points of dispatcher and firmware can be
 * decided (amd.*, hws.*).  A run says which of them it met, and in which order
 * (machine_meet_choice()): what it did up to one of them depends on those before alone.  So the
 * decisions are a tree, and the runs are its leaves: a choice point that nothing depended on, such
 * as amd.restore where no block was saved, costs none.
 *
 * kfd.sched_policy is not walked: it is a setting of the kernel's module, which one can look up.
 */
#ifndef GFE_DEVICES_HIP_EXPLORE_H
#define GFE_DEVICES_HIP_EXPLORE_H

#include "emu/explore/explore.h"

struct hip_explore {
    const char *path;                  /* of the configuration */
    const struct scenario_cost *costs; /* emu/sim/hip_simulation.h */
    uint32_t cost_count;
    struct simulation_options options; /* of each run; its seed is the first */
    uint32_t seeds;                    /* so many runs; 0: all ways of deciding instead */
};

/* Makes the runs, and takes the response times of each plugin; choice points that the options set
 * are not walked.  False with a message: a run failed, or there are more than EXPLORE_RUNS_MAX. The
 * caller ends *responses with responses_fini() in any case. */
bool hip_explore_make(const struct hip_explore *explore, struct responses *responses,
                      struct gfe_error *error);

#endif
