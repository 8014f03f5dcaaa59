/* SPDX-License-Identifier: MIT */
/*
 * Response times of the operations of a scenario, over one run or over many with other seeds: from
 * the call or, in a task with a period, from the release of the job, to the operation's completion.
 */
#ifndef GFE_DEVICES_RESPONSES_H
#define GFE_DEVICES_RESPONSES_H

#include <stdio.h>

#include "devices/scenario.h"
#include "devices/simulation.h"

/* Of a call, over all runs so far. */
struct response {
    uint64_t count; /* completions */
    uint32_t best_run, worst_run;
    uint64_t worst_iteration;
    gfe_ps best_ps, worst_ps, first_ps, last_ps; /* first, last: of the last run's first and last */
    gfe_ps sum_ps;
    gfe_ps *worst_of_run; /* owned; by run; 0 where it did not complete */
};

struct responses {
    const struct scenario *scenario; /* borrowed */
    const struct gpu_model *model;
    uint32_t run_count, run_capacity;
    uint64_t *seeds;        /* owned; by run */
    char **labels;          /* likewise, with their texts */
    struct response *calls; /* owned; of the program's calls */
};

/* For so many runs at most.  False with a message: memory is short. */
bool responses_init(struct responses *responses, const struct scenario *scenario,
                    const struct gpu_model *model, uint32_t runs, struct gfe_error *error);
void responses_fini(struct responses *responses);
/* Takes those of a run that has ended, which was made with that seed and, unless that is "", with
 * these alternatives ("id=name ...").  False with a message: memory is short. */
bool responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed,
                   const char *label, struct gfe_error *error);
/* A table of calls with their times: of one run with the iteration, of many with the seed that
 * makes the worst, and how the worst of each run are distributed.  Of a task set the utilisation,
 * too. */
void responses_print(const struct responses *responses, FILE *file);
/* The same as JSON; the caller frees it.  NULL: memory is short. */
char *responses_json(const struct responses *responses);

#endif
