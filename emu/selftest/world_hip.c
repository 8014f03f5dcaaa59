/* SPDX-License-Identifier: MIT */
/* Random configurations of hip_plugin_framework, on an AMD GPU. */
#include <config.h>

#include "devices/amd/amd_chip.h"
#include "emu/selftest/world_make.h"

enum { MASK_BITS_MAX = 64 };

static const char *const prefixes[] = {"amd.", "hws.", "kfd.", "amdgpu.", NULL};

static const struct maker_parameter parameters[] = {
    {"hip.max_hw_queues", 0, 6, 1},
    {"hip.utility_queues", 0, 1, 1},
    {"hip.active_wait_ps", 0, 3, 100000000},
    {"hip.block_jitter_ppm", 0, 5, 100000},
    {"hip.thread_work_ps", 1, 200, 1000},
    {"kfd.num_kcq", 1, 12, 1},
    {"kfd.hws_max_conc_proc", 1, 8, 1},
    {"kfd.cwsr_enable", 0, 1, 1},
    {"hws.quantum_ps", 1, 20, 50000000},
    {"amd.ace_slice_ps", 1, 20, 50000000},
    {"amd.cu_waves", 16, 40, 1},
    {"amd.save_ps", 0, 20, 1000000},
};

/* At least one bit is set. */
static json_t *mask(struct maker *maker)
{
    char bits[MASK_BITS_MAX + 1];
    const uint32_t count = maker_between(maker, 1, MASK_BITS_MAX);

    for (uint32_t i = 0; i < count; i++)
        bits[i] = maker_chance(maker, 50) ? '1' : '0';
    bits[maker_between(maker, 0, count - 1)] = '1';
    bits[count] = '\0';
    return maker_text(maker, "%s", bits);
}

static json_t *plugin(struct maker *maker, uint32_t number, bool use_processes, bool meets)
{
    static const char *const names[] = {"matrix_multiply.so", "vector_add.so"};
    json_t *plugin = maker_object(maker);

    maker_set(maker, plugin, "filename",
              maker_text(maker, "%s", names[maker_between(maker, 0, 1)]));
    maker_set(maker, plugin, "label", maker_text(maker, "P%u", number));
    maker_set(maker, plugin, "thread_count", maker_number(maker, maker_small(maker, 1024)));
    maker_set(maker, plugin, "block_count", maker_number(maker, maker_small(maker, 60)));
    if (!meets)
        maker_set(maker, plugin, "max_iterations", maker_number(maker, maker_between(maker, 1, 4)));
    if (maker_chance(maker, 30))
        maker_set(maker, plugin, "compute_unit_mask", mask(maker));
    else if (maker_chance(maker, 20))
        maker_set(maker, plugin, "stream_priority",
                  json_integer((json_int_t)maker_between(maker, 0, 2) - 1));
    if (maker_chance(maker, 30))
        maker_set(maker, plugin, "release_time",
                  maker_seconds(maker, 1000 * maker_small(maker, 2000)));
    if (use_processes && maker_chance(maker, 20))
        maker_set(maker, plugin, "job_deadline",
                  maker_seconds(maker, 1000 * maker_small(maker, 2000)));
    return plugin;
}

void world_make_hip(struct maker *maker, json_t *world)
{
    json_t *program = maker_object(maker), *plugins = maker_array(maker);
    const bool use_processes = maker_chance(maker, 40), meets = maker_chance(maker, 20);
    const uint32_t count =
        maker_chance(maker, 85) ? maker_small(maker, 6) : maker_between(maker, 8, 16);

    maker_set(maker, program, "name", maker_text(maker, "world"));
    if (use_processes)
        maker_set(maker, program, "use_processes", json_true());
    if (meets) {
        maker_set(maker, program, "sync_every_iteration", json_true());
        maker_set(maker, program, "max_iterations",
                  maker_number(maker, maker_between(maker, 1, 4)));
    }
    for (uint32_t i = 0; i < count; i++)
        maker_add(maker, plugins, plugin(maker, i, use_processes, meets));
    maker_set(maker, program, "plugins", plugins);
    maker_set(
        maker, world, "gpu",
        maker_text(maker, "%s", amd_chips[maker_between(maker, 0, amd_chip_count - 1)]->name));
    maker_settings(maker, world, prefixes, parameters, sizeof parameters / sizeof parameters[0]);
    maker_set(maker, world, "program", program);
}
