/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_program.h"

#include "devices/nvidia/nv_chip.h"
#include "emu/sim/gpus.h"
#include "firmware-models/cuda/cuda.h"

static bool load_scenario(struct cmd_program *program, const char *const *paths,
                          uint32_t path_count, struct simulation_options *options,
                          const struct scenario_cost *costs, uint32_t cost_count,
                          struct gfe_error *error)
{
    const struct nv_chip *model;
    struct scenario_options limits;

    if (!options->gpu)
        options->gpu = gpu_nvidia.default_gpu;
    model = gpu_find_nvidia(options->gpu, options->described);
    if (!model)
        return gpu_missing(options->gpu, options->described, error);
    limits = (struct scenario_options){
        .priority_levels = cuda_priority_levels(model),
        .model = model,
        .shares = cuda_mps_has_shares(model),
        .costs = costs,
        .cost_count = cost_count,
    };
    program->scenario = scenario_load(paths, path_count, &limits, error);
    program->program.scenario = program->scenario;
    return program->scenario != NULL;
}

bool cmd_program_load(struct cmd_program *program, const char *const *paths, uint32_t path_count,
                      struct simulation_options *options, const struct scenario_cost *costs,
                      uint32_t cost_count, uint64_t expansion_bytes, struct gfe_error *error)
{
    const struct gpu_vendor *vendor;
    bool is_scenario;

    *program = (struct cmd_program){0};
    if (!scenario_is_one(paths[0], &is_scenario, error))
        return false;
    if (!is_scenario) {
        program->input = replay_load_within(paths[0], expansion_bytes, error);
        program->program.input = program->input;
        return program->input != NULL;
    }
    vendor = any_simulation_file_vendor(options->gpu, options->described, paths[0]);
    if (!vendor->runs_configurations)
        return load_scenario(program, paths, path_count, options, costs, cost_count, error);
    if (path_count > 1)
        return error_set(error, ERROR_USAGE, "%s: of such configurations one is run", paths[0]);
    if (!options->gpu)
        options->gpu = vendor->default_gpu;
    program->program =
        (struct any_program){.hip_path = paths[0], .costs = costs, .cost_count = cost_count};
    return true;
}

void cmd_program_fini(struct cmd_program *program)
{
    replay_input_free(program->input);
    scenario_free(program->scenario);
    *program = (struct cmd_program){0};
}
