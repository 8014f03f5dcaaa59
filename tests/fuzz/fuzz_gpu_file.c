/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_gpu_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/json_text.h"
#include "emu/sim/any_simulation.h"
#include "emu/sim/gpu_file.h"
#include "emu/sim/occupancy.h"
#include "firmware-models/cuda/cuda.h"

enum { EVENTS_MAX = 3000, MEMORY_MAX = 64 << 20, TEXT_MAX = 1 << 16 };

static const char cuda_text[] =
    "{\"gfe_scenario\":1,\"name\":\"fuzz\",\"processes\":[{\"streams\":[{\"name\":\"a\"},"
    "{\"name\":\"b\"}],\"tasks\":[{\"calls\":[{\"copy\":{\"bytes\":70000,\"direction\":\"to "
    "device\"}},{\"launch\":{\"name\":\"k\",\"blocks\":300,\"threads\":64,\"registers\":16,\"work\":0.001}},"
    "{\"launch\":{\"name\":\"l\",\"blocks\":3,\"threads\":33,\"registers\":40,\"work\":0.0001},"
    "\"stream\":\"b\"}]}]},{\"streams\":[{\"name\":\"c\"}],\"tasks\":[{\"calls\":[{\"launch\":"
    "{\"name\":\"m\",\"blocks\":2,\"threads\":32,\"registers\":16,\"work\":0.001}}]}]}]}";
static const char hip_text[] =
    "{\"name\":\"fuzz\",\"use_processes\":true,\"max_iterations\":2,\"plugins\":[{\"filename\":"
    "\"matrix_multiply.so\",\"thread_count\":64,\"block_count\":70},{\"filename\":"
    "\"matrix_multiply.so\",\"thread_count\":256,\"block_count\":9}]}";

static void must(bool so)
{
    if (!so)
        abort();
}

static void program_run(const struct gpu *gpu, const struct any_program *program)
{
    const struct simulation_options options = {.gpu = gpu->name,
                                               .described = gpu->description ? gpu : NULL,
                                               .max_events = EVENTS_MAX,
                                               .max_time_ps = GFE_PS_PER_S,
                                               .max_memory_bytes = MEMORY_MAX};
    struct gfe_error error = {0};
    struct any_simulation simulation;

    if (any_simulation_new(program, &options, &simulation, &error))
        (void)any_simulation_run(&simulation, GFE_PS_NEVER, &error);
    else
        must(error.text[0] != 0);
    any_simulation_free(&simulation);
}

static void cuda_run(const struct gpu *gpu)
{
    const struct scenario_options options = {
        .priority_levels = cuda_priority_levels(gpu->nvidia),
        .model = gpu->nvidia,
        .shares = cuda_mps_has_shares(gpu->nvidia),
    };
    struct gfe_error error = {0};
    struct scenario *scenario =
        scenario_parse(cuda_text, sizeof cuda_text - 1, "text", &options, &error);

    must(scenario || error.text[0] != 0); /* the GPU may be too small for its blocks */
    if (scenario)
        program_run(gpu, &(struct any_program){.scenario = scenario});
    scenario_free(scenario);
}

static void hip_run(const struct gpu *gpu)
{
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    char path[40];

    must(file >= 0 && write(file, hip_text, sizeof hip_text - 1) == (ssize_t)sizeof hip_text - 1);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    program_run(gpu, &(struct any_program){.hip_path = path});
    (void)close(file);
}

/* What gfe writes of a GPU says the same when it is read. */
static void description_check(const struct gpu *gpu)
{
    json_t *json = gpu_file_describe(gpu), *again;
    char *text = json_text(json, JSON_COMPACT);
    struct gfe_error error = {0};
    struct gpu_file *file = gpu_file_parse(text, strlen(text), "again", &error);

    must(file != NULL);
    again = gpu_file_describe(gpu_file_gpu(file));
    must(json_equal(json, again));
    must((gpu->description == NULL) == (gpu_file_gpu(file)->description == NULL));
    gpu_file_free(file);
    json_decref(again);
    json_decref(json);
    free(text);
}

static void gpu_use(const struct gpu *gpu)
{
    const struct occupancy_question question = {
        .threads = 96, .registers = 40, .sgprs = 16, .shared_bytes = 5000};
    struct occupancy answer;
    struct gfe_error error = {0};
    struct gpu_bare bare;
    const bool wired = gpu->vendor->bare_open(gpu, &bare, &error);

    must(wired || error.text[0] != 0);
    gpu->vendor->bare_close(&bare);
    must(gpu->vendor->reg_variants(gpu) != 0);
    gpu->vendor->occupancy(gpu, &question, &answer);
}

int fuzz_gpu_file(const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct gpu_file *file;

    if (bytes > TEXT_MAX)
        return 0;
    file = gpu_file_parse((const char *)data, bytes, "text", &error);
    must((file != NULL) == (error.text[0] == 0));
    if (!file)
        return 0;
    description_check(gpu_file_gpu(file));
    gpu_use(gpu_file_gpu(file));
    if (gpu_file_gpu(file)->nvidia)
        cuda_run(gpu_file_gpu(file));
    else
        hip_run(gpu_file_gpu(file));
    gpu_file_free(file);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_gpu_file(data, bytes);
}
#endif
