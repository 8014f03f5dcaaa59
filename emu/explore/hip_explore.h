/* SPDX-License-Identifier: MIT */
/*
 * Makes many runs of one configuration of HIP programs on an AMD GPU, and collects the response
 * times of all.  The runs have other seeds, or every combination of decisions at the choice points
 * of dispatcher and firmware (amd.*, hws.*).  A run reports the choice points that it met, in order
 * (machine_meet_choice()).  Its course up to one of them depends only on those before.  So the
 * decisions form a tree, and the runs are its leaves.  A choice point that no run met, such as
 * amd.restore if no block was saved, costs no run.
 *
 * kfd.sched_policy is not varied, because it is a setting of the kernel's module that a user can
 * look up.
 */
#ifndef GFE_EMU_EXPLORE_HIP_EXPLORE_H
#define GFE_EMU_EXPLORE_HIP_EXPLORE_H

#include "emu/explore/explore.h"

struct hip_explore {
    const char *path;                  /* of the configuration */
    const struct scenario_cost *costs; /* emu/sim/hip_simulation.h */
    uint32_t cost_count;
    struct simulation_options options; /* of each run; its seed is the first */
    uint32_t seeds;                    /* number of runs; 0: all combinations instead */
};

/* Makes the runs, and takes the response times of each plugin.  Choice points that the options set
 * are not varied.  Returns false with a message if a run failed, or if there are more than
 * EXPLORE_RUNS_MAX.  The caller ends *responses with responses_fini() in any case. */
bool hip_explore_make(const struct hip_explore *explore, struct responses *responses,
                      struct gfe_error *error);

#endif
