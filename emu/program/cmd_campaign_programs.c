/* SPDX-License-Identifier: MIT */
/* gfe campaign: the programs of a plan, and their runs without faults. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/sim/gpus.h"
#include "emu/sim/hip_simulation.h"
#include "emu/program/cmd_campaign.h"
#include "emu/base/digest.h"
#include "firmware-models/cuda/cuda.h"

static bool load_scenario(struct campaign_programs *programs, uint32_t index,
                          struct any_program *program, struct gfe_error *error)
{
    const char *path = programs->plan->programs[index];
    const char *gpu = programs->options.gpu ? programs->options.gpu : gpu_nvidia.default_gpu;
    const struct nv_chip *model = nv_chip_by_name(gpu);
    struct scenario_options options;

    if (!model)
        return gpu_missing(gpu, NULL, error);
    options = (struct scenario_options){
        .priority_levels = cuda_priority_levels(model),
        .model = model,
        .shares = cuda_mps_has_shares(model),
        .costs = programs->costs,
        .cost_count = programs->plan->cost_count,
    };
    programs->options.gpu = gpu;
    program->scenario = programs->scenarios[index] = scenario_load(&path, 1, &options, error);
    return program->scenario != NULL;
}

static bool load(struct campaign_programs *programs, uint32_t index, const struct limits *limits,
                 struct any_program *program, struct gfe_error *error)
{
    const char *path = programs->plan->programs[index];
    bool is_scenario;

    if (!scenario_is_one(path, &is_scenario, error))
        return false;
    if (is_scenario && hip_simulation_is(path)) {
        if (!programs->options.gpu)
            programs->options.gpu = gpu_amd.default_gpu;
        program->hip_path = path;
        program->costs = programs->costs;
        program->cost_count = programs->plan->cost_count;
        return true;
    }
    if (is_scenario)
        return load_scenario(programs, index, program, error);
    program->input = programs->inputs[index] =
        replay_load_within(path, limits->expansion_bytes, error);
    return program->input != NULL;
}

static uint64_t owner_of(const struct campaign_plan *plan, const char *gpu)
{
    const struct gpu_vendor *vendor;

    if (plan->owner == UINT64_MAX)
        return UINT64_MAX;
    vendor = gpu_vendor_of(gpu);
    return outcome_owner((vendor ? vendor : &gpu_nvidia)->sites->holder, plan->owner);
}

/* Does the program do anything?  The run of an empty one ends where it begins. */
static bool happens(const struct campaign_run *run)
{
    for (uint32_t site = 0; site < INJECT_SITES_MAX; site++)
        if (run->passages[site].count > 0)
            return true;
    return run->event_count > 0 && run->end_ps > 0;
}

static bool golden(struct campaign_programs *programs, uint32_t index, const struct limits *limits,
                   struct gfe_error *error)
{
    struct campaign_run *run = programs->runs[index] = calloc(1, sizeof *run);
    struct any_program program = {0};

    if (!run)
        return error_set(error, ERROR_SYSTEM, "no memory for a campaign");
    if (!load(programs, index, limits, &program, error) ||
        !campaign_run_init(run, &program, &programs->options, programs->plan->late_ps,
                           owner_of(programs->plan, programs->options.gpu), error))
        return false;
    run->prunes = programs->plan->prune;
    run->golden.isolation = &programs->plan->isolation;
    if (any_simulation_work_left(&run->simulation)) {
        programs->work_left = true;
        return error_set(
            error, ERROR_INPUT,
            "%s: its run without faults ends with work left: %u %s for ever (gfe run "
            "says what); nothing can be told from it with faults",
            programs->plan->programs[index], run->simulation.machine->state->open_count,
            run->simulation.machine->state->open_count == 1 ? "thing waits" : "things wait");
    }
    return happens(run) ||
           error_set(error, ERROR_INPUT, "%s: nothing happens in it that a fault could meet",
                     programs->plan->programs[index]);
}

static void settings(struct simulation_setting *to, const struct campaign_setting *from,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct simulation_setting){from[i].id, from[i].value};
}

void campaign_costs(const struct campaign_plan *plan,
                    struct scenario_cost costs[SCENARIO_COSTS_MAX])
{
    _Static_assert((int)CAMPAIGN_SETTINGS_MAX <= (int)SCENARIO_COSTS_MAX, "room for all");
    for (uint32_t i = 0; i < plan->cost_count; i++)
        costs[i] = (struct scenario_cost){plan->costs[i].name, plan->costs[i].block_ps};
}

/* Equal for equal plans on equal programs. */
static void hash(struct campaign_programs *programs)
{
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, programs->plan->canonical, strlen(programs->plan->canonical));
    for (uint32_t i = 0; i < programs->plan->program_count; i++) {
        const char *program = programs->runs[i]->simulation.hash;

        digest_add(&digest, "\n", 1);
        digest_add(&digest, program, strlen(program));
    }
    digest_end_hex(&digest, programs->hash);
}

bool campaign_programs_init(struct campaign_programs *programs, struct campaign_plan *plan,
                            const struct limits *limits, struct gfe_error *error)
{
    *programs = (struct campaign_programs){.plan = plan};
    settings(programs->parameters, plan->parameters, plan->parameter_count);
    settings(programs->policies, plan->policies, plan->policy_count);
    campaign_costs(plan, programs->costs);
    programs->options = (struct simulation_options){
        .gpu = plan->gpu,
        .seed = plan->seed,
        .open_loop = plan->open_loop,
        .max_events = limits->events,
        .max_time_ps = limits->time_ps,
        .max_memory_bytes = limits->memory_bytes,
        .parameters = programs->parameters,
        .parameter_count = plan->parameter_count,
        .choices = programs->policies,
        .choice_count = plan->policy_count,
    };
    for (uint32_t i = 0; i < plan->program_count; i++)
        if (!golden(programs, i, limits, error))
            return false;
    hash(programs);
    return campaign_space_init(&programs->space, plan, programs->runs, programs->hash, error);
}

void campaign_programs_fini(struct campaign_programs *programs)
{
    campaign_space_fini(&programs->space);
    for (uint32_t i = 0; i < CAMPAIGN_PROGRAMS_MAX; i++) {
        if (programs->runs[i])
            campaign_run_fini(programs->runs[i]);
        free(programs->runs[i]);
        scenario_free(programs->scenarios[i]);
        replay_input_free(programs->inputs[i]);
    }
    campaign_plan_free(programs->plan);
    *programs = (struct campaign_programs){0};
}
