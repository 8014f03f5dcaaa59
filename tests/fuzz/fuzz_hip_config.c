/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_hip_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/sim/hip_simulation.h"
#include "tests/simulation_calls.h"

enum { EVENTS_MAX = 4000, MEMORY_MAX = 64 << 20, TEXT_MAX = 1 << 16 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* What the parser hands over is within its bounds. */
static void config_check(const struct hip_config *config)
{
    must(config->plugin_count >= 1 && config->plugin_count <= HIP_PLUGINS_MAX);
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        const struct hip_plugin *plugin = &config->plugins[i];

        must(plugin->name && plugin->label && plugin->threads >= 1);
        must(plugin->threads <= HIP_THREADS_MAX && plugin->blocks >= 1);
        must(plugin->iterations <= HIP_ITERATIONS_MAX && plugin->mask_bits <= HIP_MASK_BITS_MAX);
    }
}

static void config_run(const char *path, const char *gpu)
{
    const struct simulation_options options = {.gpu = gpu,
                                               .max_events = EVENTS_MAX,
                                               .max_time_ps = GFE_PS_PER_S,
                                               .max_memory_bytes = MEMORY_MAX};
    const struct scenario_cost cost = {"other", GFE_PS_PER_US};
    struct gfe_error error = {0};
    struct hip_simulation *simulation = hip_simulation_new(path, &options, &cost, 1, &error);
    FILE *file = fopen("/dev/null", "we");

    must(file != NULL);
    must((simulation != NULL) == (error.text[0] == 0));
    if (simulation && hip_simulation_run(simulation, &error))
        must(hip_simulation_print(simulation, file, false, &error) &&
             hip_simulation_print(simulation, file, true, &error));
    else
        must(error.text[0] != 0);
    must(!strchr(error.text, '\n'));
    hip_simulation_free(simulation);
    must(fclose(file) == 0);
}

int fuzz_hip_config(const uint8_t *data, size_t bytes)
{
    static const char *const gpus[] = {"radeon-vii", "mi50", "mi100", "mi210"};
    struct gfe_error error = {0};
    struct hip_config *config;
    char path[40];
    int fd;

    if (bytes > TEXT_MAX)
        return 0;
    (void)hip_config_is((const char *)data, bytes);
    config = hip_config_parse((const char *)data, bytes, "text", &error);
    must((config != NULL) == (error.text[0] == 0));
    must(!strchr(error.text, '\n'));
    if (!config)
        return 0;
    config_check(config);
    hip_config_free(config);
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    must(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    config_run(path, gpus[data[bytes - 1] % 4]);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_hip_config(data, bytes);
}
#endif
