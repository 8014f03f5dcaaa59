/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_amd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check_machine.h"
#include "tests/event_member.h"

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "check_amd: %s\n", what);
    abort();
}

static void check_amd_done(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id)
{
    struct check_amd *check = client;

    (void)ace;
    (void)queue;
    must(check->ended_count < CHECK_AMD_ENDS_MAX, "too many dispatches");
    check->ended[check->ended_count] = grid_id;
    check->ended_ps[check->ended_count++] = machine_now(check->machine);
}

static void check_amd_nobody(void *unit, const struct event *event)
{
    (void)unit;
    (void)event;
}

static const struct unit_ops check_amd_nobody_ops = {.event = check_amd_nobody};

static void check_amd_set(struct machine *machine, const char *setting)
{
    char name[64];
    const char *value = strchr(setting, '=') + 1;

    (void)snprintf(name, sizeof name, "%.*s", (int)(value - 1 - setting), setting);
    must(machine_set_choice(machine, name, value) ||
             machine_set_parameter(machine, name, strtoull(value, NULL, 0)),
         setting);
}

void check_amd_begin(struct check_amd *check, const char *chip, const char *const *settings)
{
    const struct machine_config config = {.gpu = chip,
                                          .vram_bytes = 1 << 20,
                                          .sysmem_bytes = 1 << 20,
                                          .event_capacity = 512,
                                          .range_capacity = 64,
                                          .seed = 1};
    struct gfe_error error = {0};

    *check = (struct check_amd){.machine = machine_new(&config, &error)};
    must(check->machine, "no machine");
    machine_add_tables(check->machine, &core_tables);
    machine_add_tables(check->machine, &amd_tables);
    amd_dispatch_wire(&check->dispatch, check->machine, amd_chip_by_name(chip));
    check->nobody = machine_add_unit(check->machine, "nobody", &check_amd_nobody_ops, check);
    check->dispatch.client = (struct amd_dispatch_client){.done = check_amd_done, .client = check};
    for (; settings && *settings; settings++)
        check_amd_set(check->machine, *settings);
    must(machine_seal(check->machine, &error), "it cannot be sealed");
}

void check_amd_end(struct check_amd *check)
{
    free(check->events);
    machine_free(check->machine);
    *check = (struct check_amd){0};
}

struct amd_launch check_amd_launch(const struct check_amd *check, uint32_t ace, uint32_t queue,
                                   uint64_t block_count, uint32_t block_threads, uint64_t block_ps)
{
    struct amd_launch launch = {.ace = ace,
                                .queue = queue,
                                .block_count = block_count,
                                .kind.block_threads = block_threads,
                                .kind.vgprs = 24,
                                .kind.sgprs = 32,
                                .cost = {.block_ps = block_ps}};

    for (uint32_t i = 0; i < check->dispatch.chip->shader_engine_count; i++)
        launch.kind.cu_masks[i] = UINT32_MAX;
    return launch;
}

void check_amd_mask(struct amd_launch *launch, const uint32_t cus[4])
{
    for (uint32_t i = 0; i < 4; i++)
        launch->kind.cu_masks[i] = (1u << cus[i]) - 1;
}

uint64_t check_amd_submit(struct check_amd *check, const struct amd_launch *launch)
{
    must(amd_dispatch_fault(&check->dispatch, launch) == AMD_LAUNCH_FITS, "it can never end");
    return amd_dispatch_launch(&check->dispatch, launch);
}

void check_amd_run(struct check_amd *check)
{
    while (machine_step(check->machine))
        continue;
    must(!machine_failed(check->machine), check->machine->error.text);
    free(check->events);
    check->events = check_machine_decode(check->machine, &check->event_count);
}

gfe_ps check_amd_end_ps(const struct check_amd *check, uint64_t grid_id)
{
    for (uint32_t i = 0; i < check->ended_count; i++)
        if (check->ended[i] == grid_id)
            return check->ended_ps[i];
    must(false, "it has not ended");
    return 0;
}

const struct log_event *check_amd_event(const struct check_amd *check, uint32_t kind,
                                        uint64_t grid_id, uint32_t n)
{
    for (uint32_t i = 0; i < check->event_count; i++)
        if (check->events[i].kind == kind && event_first(&check->events[i]) == grid_id && n-- == 0)
            return &check->events[i];
    return NULL;
}

uint32_t check_amd_count_rule(const struct check_amd *check, uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < check->event_count; i++)
        count += check->events[i].kind == kind && check->events[i].rule == rule;
    return count;
}

struct amd_launch check_amd_matrix_multiply(const struct check_amd *check, uint32_t ace,
                                            uint32_t block_threads, uint64_t seed)
{
    struct amd_launch launch =
        check_amd_launch(check, ace, 0, (1024 * 1024) / block_threads, block_threads,
                         UINT64_C(169000000) * block_threads / 1024);

    launch.cost.block_jitter_ppm = 110000;
    launch.cost.wave_jitter_ppm = 55000;
    launch.cost.cold_ppm = 220000;
    launch.cost.seed = seed;
    return launch;
}
