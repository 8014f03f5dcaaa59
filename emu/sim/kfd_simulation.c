/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "emu/sim/kfd_simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "emu/sim/gfe.h"
#include "emu/engine/passage.h"
#include "emu/sim/run_head.h"

bool kfd_simulation_is(const struct replay_input *input)
{
    return input->layer == TRACE_LAYER_RING;
}

/* ---- making -----------------------------------------------------------------------------------
 */

/* Programs of a recording are compiled for its GPU's ISA, which one that a file describes may have.
 */
static bool kfd_simulation_isa_fits(const struct replay_input *input, const struct amd_chip *chip)
{
    const struct amd_chip *recorded = gpu_find_amd(input->gpu, NULL);

    return recorded && strcmp(recorded->isa, chip->isa) == 0;
}

static const struct amd_chip *kfd_simulation_chip(const struct replay_input *input,
                                                  const char *name, const struct gpu *described,
                                                  struct gfe_error *error)
{
    const struct amd_chip *chip = gpu_find_amd(name ? name : input->gpu, described);

    if (strncmp(input->driver, "kfd", strlen("kfd")) != 0)
        error_set(error, ERROR_INPUT, "%s: recorded from driver '%s', whose queues have no model",
                  input->path, input->driver);
    else if (!chip && (described || gpu_vendor_of(name)))
        error_set(error, ERROR_INPUT, "%s: recorded for %s, whose programs %s cannot run",
                  input->path, input->gpu, name);
    else if (!chip && name)
        (void)gpu_missing(name, NULL, error);
    else if (!chip)
        error_set(error, ERROR_INPUT, "%s: there is no model of its GPU, '%s', yet", input->path,
                  input->gpu);
    else if (described ? !kfd_simulation_isa_fits(input, chip)
                       : strcmp(chip->name, input->gpu) != 0)
        error_set(error, ERROR_INPUT, "%s: recorded for %s, whose programs %s cannot run",
                  input->path, input->gpu, chip->name);
    else
        return chip;
    return NULL;
}

static bool kfd_simulation_wire(struct kfd_simulation *simulation,
                                const struct simulation_options *options, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    simulation->runtime = kfd_replay_new(simulation->node);
    if (!simulation->runtime)
        return error_set(error, ERROR_SYSTEM, "no memory for a simulation");
    simulation->replay =
        replay_new(machine, simulation->input, kfd_replay_driver(simulation->runtime),
                   options->open_loop, error);
    if (!simulation->replay)
        return false;
    simulation->runtime->client = replay_client(simulation->replay);
    simulation->runtime->record = replay_call_record;
    machine->duration_sources = "blocks: amd.block_ps; copies: figures of the GPU";
    if (options->injects)
        simulation->inject = inject_new(machine, &amd_inject_sites);
    if (options->injects && !simulation->inject)
        return error_set(error, ERROR_SYSTEM, "no memory for injected faults");
    return simulation_set(machine, options, error) && machine_seal(machine, error);
}

/* Takes the machine with the GPU, its driver and its firmware. */
static bool kfd_simulation_take_base(struct kfd_simulation *simulation,
                                     const struct simulation_options *options,
                                     const struct machine_config *config, struct gfe_error *error)
{
    struct simulation_base *base =
        simulation_base_take_kfd(options->pool, simulation->chip, config, error);

    if (!base)
        return false;
    simulation->base = base;
    simulation->machine = base->machine;
    simulation->node = base->node;
    return true;
}

struct kfd_simulation *kfd_simulation_new(const struct replay_input *input,
                                          const struct simulation_options *options,
                                          struct gfe_error *error)
{
    const struct amd_chip *chip =
        kfd_simulation_chip(input, options->gpu, options->described, error);
    struct kfd_simulation *simulation = chip ? calloc(1, sizeof *simulation) : NULL;
    struct machine_config config = {
        .seed = options->seed,
        .batch_limit = options->batch_limit,
        .max_events = options->max_events,
        .lost_event = options->lost_event,
        .max_time_ps = options->max_time_ps,
        .page_limit = options->max_memory_bytes / MEMORY_PAGE_BYTES +
                      (options->max_memory_bytes % MEMORY_PAGE_BYTES > 0),
        .log = options->log,
    };

    if (!simulation) {
        if (chip)
            error_set(error, ERROR_SYSTEM, "no memory for a simulation");
        return NULL;
    }
    simulation->input = input;
    simulation->chip = chip;
    config.gpu = chip->name;
    config.described = options->described;
    config.vram_bytes = chip->vram_bytes;
    config.sysmem_bytes = chip->sysmem_bytes;
    if (kfd_simulation_take_base(simulation, options, &config, error) &&
        kfd_simulation_wire(simulation, options, error))
        return simulation;
    kfd_simulation_free(simulation);
    return NULL;
}

void kfd_simulation_free(struct kfd_simulation *simulation)
{
    if (!simulation)
        return;
    simulation_base_give(simulation->base);
    replay_free(simulation->replay);
    kfd_replay_free(simulation->runtime);
    inject_free(simulation->inject);
    free(simulation);
}

static const char *kfd_simulation_loop(const struct kfd_simulation *simulation)
{
    return simulation->replay->open_loop ? "open" : "closed";
}

void kfd_simulation_identity(const struct kfd_simulation *simulation,
                             struct snapshot_identity *identity)
{
    char seed[24];

    (void)snprintf(seed, sizeof seed, "%" PRIu64, simulation->machine->config.seed);
    *identity = (struct snapshot_identity){0};
    snapshot_identity_add(identity, "version", gfe_version());
    snapshot_identity_add(identity, "trace", simulation->input->hash);
    snapshot_identity_add(identity, "gpu", simulation->chip->name);
    gpu_identity_add(identity, simulation->machine->config.described);
    snapshot_identity_add(identity, "driver model", "kfd");
    snapshot_identity_add(identity, "seed", seed);
    snapshot_identity_add(identity, "loop", kfd_simulation_loop(simulation));
    snapshot_identity_add_layout(identity, simulation->machine);
}

/* ---- running ----------------------------------------------------------------------------------
 */

bool kfd_simulation_log_head(struct kfd_simulation *simulation, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    const bool stand_in = simulation->input->meta.completions == TRACE_COMPLETIONS_STAND_IN;
    char engines[AMD_CHIP_ENGINES_BYTES];
    const struct run_head head = {
        .driver_model = "kfd",
        .engine_cus = amd_chip_engines(simulation->chip, engines),
        .trace_hash = simulation->input->hash,
        .loop = kfd_simulation_loop(simulation),
        .completions = stand_in ? "stand-in" : "hardware",
    };

    return run_head_write(machine, &head, error) &&
           simulation_note_trace(&machine->log, simulation->input->path, error);
}

bool kfd_simulation_run_until(struct kfd_simulation *simulation, gfe_ps until_ps,
                              struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    if (machine_run(machine, until_ps) && !machine->state->ended &&
        event_queue_next_ps(&machine->queue) == GFE_PS_NEVER) {
        machine->state->ended = 1;
        machine_finish(machine);
        replay_end(simulation->replay);
    }
    return !machine_failed(machine) || error_set(error, machine->error.kind, "%s: %s",
                                                 simulation->input->path, machine->error.text);
}

bool kfd_simulation_log_end(struct kfd_simulation *simulation, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    const struct replay_state *state = simulation->replay->state;
    char end[128];

    (void)snprintf(end, sizeof end,
                   "{\"simulated_ps\":%" PRIu64 ",\"fences\":%u,\"fences_reached\":%u}",
                   machine_now(machine), state->fences_checked, state->fences_reached);
    return event_log_finish(&machine->log, end, error);
}

bool kfd_simulation_run(struct kfd_simulation *simulation, struct gfe_error *error)
{
    return kfd_simulation_log_head(simulation, error) &&
           kfd_simulation_run_until(simulation, GFE_PS_NEVER, error) &&
           kfd_simulation_log_end(simulation, error);
}
