/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_scenario.h"

#include <stdlib.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/fuzz/fuzz_pool.h"

enum { EVENTS_MAX = 4000, MEMORY_MAX = 64 << 20, TEXT_MAX = 1 << 16 };

static void must(bool so)
{
    if (!so)
        abort();
}

static void responses_check(const struct simulation *simulation, const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->program.call_count; i++) {
        const struct cuda_response *response = &simulation->cuda->responses[i];

        must(response->best_ps <= response->worst_ps);
        must(response->count > 0 || response->sum_ps == 0);
    }
}

static void scenario_run(const struct scenario *scenario, const char *gpu)
{
    const struct simulation_options options = {.gpu = gpu,
                                               .max_events = EVENTS_MAX,
                                               .max_time_ps = GFE_PS_PER_S,
                                               .max_memory_bytes = MEMORY_MAX,
                                               .pool = fuzz_pool()};
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new_scenario(scenario, &options, &error);

    must(simulation || error.text[0]);
    if (simulation && simulation_run(simulation, GFE_PS_NEVER, &error))
        must(simulation_ended(simulation));
    else
        must(error.text[0] != 0);
    if (simulation)
        responses_check(simulation, scenario);
    simulation_free(simulation);
}

int fuzz_scenario(const uint8_t *data, size_t bytes)
{
    static const char *const gpus[] = {"tx2", "gtx1060", "xavier", "yang17"};
    const char *gpu = gpus[bytes > 0 ? data[0] % 4 : 0];
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const struct scenario_cost cost = {"mandelbrot", GFE_PS_PER_US};
    const struct scenario_options options = {
        .costs = &cost,
        .cost_count = 1,
        .priority_levels = cuda_priority_levels(model),
        .model = model,
    };
    struct gfe_error error = {0};
    struct scenario *scenario;

    if (bytes > TEXT_MAX)
        return 0;
    scenario = scenario_parse((const char *)data, bytes, "text", &options, &error);
    must((scenario != NULL) == (error.text[0] == 0));
    if (scenario)
        scenario_run(scenario, gpu);
    scenario_free(scenario);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_scenario(data, bytes);
}
#endif
