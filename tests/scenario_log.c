/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/scenario_log.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "firmware-models/cuda/cuda.h"

enum { PATH_BYTES = 512, SETTINGS_MAX = 8 };

static struct scenario *load(const char *gpu, const char *name)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const struct scenario_cost cost = {"mandelbrot", 5 * 1000 * GFE_PS_PER_US};
    const struct scenario_options options = {
        .costs = &cost,
        .cost_count = 1,
        .priority_levels = cuda_priority_levels(model),
        .model = model,
    };
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct scenario *scenario;
    char path[PATH_BYTES];
    const char *paths[] = {path};

    (void)snprintf(path, sizeof path, "%s/scenarios/%s.json", folder ? folder : ".", name);
    scenario = scenario_load(paths, 1, &options, &error);
    ck_assert_msg(scenario != NULL, "%s", error.text);
    return scenario;
}

struct memory_file scenario_log_run(const char *gpu, const char *name, const char *const *settings)
{
    struct scenario *scenario = load(gpu, name);
    struct memory_file file = memory_file_new("", 0);
    struct simulation_setting parameters[SETTINGS_MAX];
    struct gfe_error error = {0};
    struct simulation_options options = {
        .gpu = gpu, .log = chunk_writer_new(file.fd, "log", &error), .parameters = parameters};
    struct simulation *simulation;

    for (uint32_t i = 0; settings && settings[i]; i += 2)
        parameters[options.parameter_count++] =
            (struct simulation_setting){settings[i], settings[i + 1]};
    simulation = simulation_new_scenario(scenario, &options, &error);
    ck_assert_msg(simulation && simulation_log_head(simulation, scenario->hash, &error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &error) &&
                      simulation_ended(simulation) && simulation_log_end(simulation, &error) &&
                      chunk_writer_finish(options.log, &error),
                  "%s", error.text);
    chunk_writer_free(options.log);
    simulation_free(simulation);
    scenario_free(scenario);
    return file;
}
