/* SPDX-License-Identifier: MIT */
/*
 * Response times of operations, over one run or over many with other seeds or alternatives.  In a
 * scenario they count from the call or, in a task with a period, from the release of the job, to
 * the operation's completion.  In a configuration of HIP programs they are those of each plugin's
 * launches.
 */
#ifndef GFE_EMU_EXPLORE_RESPONSES_H
#define GFE_EMU_EXPLORE_RESPONSES_H

#include <stdio.h>

#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "firmware-models/cuda/cuda.h"

/* The response times of a call, over all runs so far. */
struct response {
    char *name;     /* owned; NULL: it is no operation */
    char *task;     /* the task that makes it; owned */
    uint64_t count; /* completions */
    uint32_t best_run, worst_run;
    uint64_t worst_iteration;
    gfe_ps best_ps, worst_ps, first_ps, last_ps; /* first, last: of the last run's first and last */
    gfe_ps sum_ps;
    gfe_ps *worst_of_run; /* owned; by run; 0 if it did not complete */
};

struct responses {
    char *name;                      /* of the program; owned */
    const struct scenario *scenario; /* borrowed; NULL: none */
    const struct nv_chip *model;     /* borrowed; NULL: none */
    uint32_t run_count, run_capacity, call_count;
    uint64_t *seeds;        /* owned; by run */
    char **labels;          /* owned, with their texts; by run */
    gfe_ps *sorted;         /* owned; room for a time of each run, in which they are sorted */
    struct response *calls; /* owned; of a scenario the program's calls */
};

/* Prepares for at most `runs` runs of a scenario.  Returns false with a message if memory is short.
 */
bool responses_init(struct responses *responses, const struct scenario *scenario,
                    const struct nv_chip *model, uint32_t runs, struct gfe_error *error);
/* Prepares for any number of runs of another program with that number of operations, which
 * responses_name() names. */
bool responses_init_named(struct responses *responses, const char *name, uint32_t operations,
                          struct gfe_error *error);
bool responses_name(struct responses *responses, uint32_t operation, const char *name,
                    const char *task, struct gfe_error *error);
void responses_fini(struct responses *responses);
/* Begins another run, made with that seed and, unless `label` is "", with these alternatives
 * ("id=name ...").  Returns false with a message if memory is short.  responses_put() adds one
 * operation's response times in that run. */
bool responses_begin(struct responses *responses, uint64_t seed, const char *label,
                     struct gfe_error *error);
void responses_put(struct responses *responses, uint32_t operation,
                   const struct cuda_response *response);
/* Adds a scenario's run that has ended: calls responses_begin(), and responses_put() for all calls.
 */
bool responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed,
                   const char *label, struct gfe_error *error);
/* Prints a table of calls with their times.  For one run it has the worst iteration.  For many it
 * has the seed of the worst run, and the distribution of the worst times of the runs.  For a task
 * set it has the utilisation, too. */
void responses_print(const struct responses *responses, FILE *file);
/* Returns the same as JSON, which the caller frees.  Returns NULL if memory is short. */
char *responses_json(const struct responses *responses);

#endif
