/* SPDX-License-Identifier: MIT */
/* The parts of gfe campaign.  Private to cmd_campaign*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_CAMPAIGN_H
#define GFE_EMU_PROGRAM_CMD_CAMPAIGN_H

#include "emu/faults/campaign_space.h"
#include "emu/faults/campaign_db.h"
#include "emu/faults/campaign_plan.h"
#include "emu/base/limits.h"

struct campaign_request {
    const char *const *operands; /* after the action */
    uint32_t operand_count;
    const char *db, *output, *as;
    struct campaign_sizes sizes;
    uint32_t workers, shard, shards;
    bool progress;
    struct limits limits;
};

/* A plan with its programs, golden runs and space: cmd_campaign_programs.c. */
struct campaign_programs {
    struct campaign_plan *plan;
    struct campaign_run *runs[CAMPAIGN_PROGRAMS_MAX];
    struct replay_input *inputs[CAMPAIGN_PROGRAMS_MAX];
    struct scenario *scenarios[CAMPAIGN_PROGRAMS_MAX];
    struct simulation_options options;
    struct simulation_setting parameters[CAMPAIGN_SETTINGS_MAX], policies[CAMPAIGN_SETTINGS_MAX];
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    struct campaign_space space;
    char hash[65];  /* of the plan and its programs */
    bool work_left; /* a program's run without faults ended, and something waits for ever */
};
/* Writes a plan's costs as programs take them; the names are the plan's. */
void campaign_costs(const struct campaign_plan *plan,
                    struct scenario_cost costs[SCENARIO_COSTS_MAX]);
/* Loads the programs and makes their golden runs.  Returns false with a message on error.  Call
 * campaign_programs_fini() in any case. */
bool campaign_programs_init(struct campaign_programs *programs, struct campaign_plan *plan,
                            const struct limits *limits, struct gfe_error *error);
void campaign_programs_fini(struct campaign_programs *programs);

/* *work_left is set to true if it failed because a run without faults left work that waits for
 * ever. */
bool campaign_do_run(const struct campaign_request *request, bool *work_left,
                     struct gfe_error *error);
/* Merges results.  *whole is true if no experiment is missing. */
bool campaign_do_merge(const struct campaign_request *request, bool *whole,
                       struct gfe_error *error);

#endif
