/* SPDX-License-Identifier: MIT */
/*
 * Response times of operations, over one run or over many with other seeds or alternatives.  Of a
 * scenario: from the call or, in a task with a period, from the release of the job, to the
 * operation's completion.  Of a configuration of HIP programs: of each plugin's launches.
 */
#ifndef GFE_DEVICES_RESPONSES_H
#define GFE_DEVICES_RESPONSES_H

#include <stdio.h>

#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "firmware-models/cuda/cuda.h"

/* Of a call, over all runs so far. */
struct response {
    char *name;     /* owned; NULL: it is no operation */
    char *task;     /* whose it is; owned */
    uint64_t count; /* completions */
    uint32_t best_run, worst_run;
    uint64_t worst_iteration;
    gfe_ps best_ps, worst_ps, first_ps, last_ps; /* first, last: of the last run's first and last */
    gfe_ps sum_ps;
    gfe_ps *worst_of_run; /* owned; by run; 0 where it did not complete */
};

struct responses {
    char *name;                      /* of what is run; owned */
    const struct scenario *scenario; /* borrowed; NULL: none */
    const struct nv_chip *model;     /* likewise */
    uint32_t run_count, run_capacity, call_count;
    uint64_t *seeds;        /* owned; by run */
    char **labels;          /* likewise, with their texts */
    struct response *calls; /* owned; of a scenario the program's calls */
};

/* For so many runs at most.  False with a message: memory is short. */
bool responses_init(struct responses *responses, const struct scenario *scenario,
                    const struct nv_chip *model, uint32_t runs, struct gfe_error *error);
/* For any number of runs of something else, with so many operations, to be named by
 * responses_name(). */
bool responses_init_named(struct responses *responses, const char *name, uint32_t operations,
                          struct gfe_error *error);
bool responses_name(struct responses *responses, uint32_t operation, const char *name,
                    const char *task, struct gfe_error *error);
void responses_fini(struct responses *responses);
/* Another run, made with that seed and, unless that is "", with these alternatives ("id=name ..."),
 * and what one operation's response times were in it.  False with a message: memory is short. */
bool responses_begin(struct responses *responses, uint64_t seed, const char *label,
                     struct gfe_error *error);
void responses_put(struct responses *responses, uint32_t operation,
                   const struct cuda_response *response);
/* Takes those of a scenario's run that has ended: responses_begin(), and responses_put() of all. */
bool responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed,
                   const char *label, struct gfe_error *error);
/* A table of calls with their times: of one run with the iteration, of many with the seed that
 * makes the worst, and how the worst of each run are distributed.  Of a task set the utilisation,
 * too. */
void responses_print(const struct responses *responses, FILE *file);
/* The same as JSON; the caller frees it.  NULL: memory is short. */
char *responses_json(const struct responses *responses);

#endif
