/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "emu/sim/run_head.h"
#include "emu/sim/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_inspect.h"
#include "emu/sim/scenario.h"
#include "emu/base/args.h"
#include "emu/base/digest.h"
#include "emu/sim/gfe.h"
#include "emu/base/json_text.h"
#include "emu/engine/passage.h"
#include "firmware-models/bare/bare.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* Sets what the file of a GPU sets, if the machine has it: a file may speak of models of drivers
 * that this run has no use for.  All was checked when the file was read. */
static void simulation_set_described(struct machine *machine, const struct gpu *gpu)
{
    uint64_t value;

    for (uint32_t i = 0; i < gpu->parameter_count; i++)
        if (args_parse_number(gpu->parameters[i].value, &value))
            (void)machine_set_parameter(machine, gpu->parameters[i].id, value);
    for (uint32_t i = 0; i < gpu->choice_count; i++)
        (void)machine_set_choice(machine, gpu->choices[i].id, gpu->choices[i].value);
}

bool simulation_set(struct machine *machine, const struct simulation_options *options,
                    struct gfe_error *error)
{
    if (options->described)
        simulation_set_described(machine, options->described);
    for (uint32_t i = 0; i < options->parameter_count; i++) {
        const struct simulation_setting *setting = &options->parameters[i];
        const struct parameter *row = machine_parameter_row(machine, setting->id);
        uint64_t value;

        if (!args_parse_number(setting->value, &value))
            return error_set(error, ERROR_USAGE, "parameter %s: '%s' is not a number", setting->id,
                             setting->value);
        if (row && value > parameter_highest(row))
            return error_set(error, ERROR_USAGE, "parameter %s is at most %" PRIu64 " %s",
                             setting->id, parameter_highest(row), row->unit);
        if (!machine_set_parameter(machine, setting->id, value))
            return error_set(error, ERROR_USAGE,
                             "no parameter is called '%s'; gfe rules lists them", setting->id);
    }
    for (uint32_t i = 0; i < options->choice_count; i++) {
        const struct simulation_setting *setting = &options->choices[i];

        if (!machine_set_choice(machine, setting->id, setting->value))
            return error_set(error, ERROR_USAGE,
                             "no choice point '%s' with an alternative '%s'; gfe rules lists them",
                             setting->id, setting->value);
    }
    return true;
}

/* The last unit of all; without pokes there is none. */
static bool simulation_poke(struct simulation *simulation, const struct simulation_options *options,
                            struct gfe_error *error)
{
    simulation->poke_texts = options->pokes;
    simulation->poke_count = options->poke_count;
    if (options->poke_count == 0)
        return true;
    simulation->pokes = pokes_new(simulation->machine, nv_poke_verbs, nv_poke_verb_count,
                                  options->pokes, options->poke_count, error);
    return simulation->pokes != NULL;
}

/* Behind the pokes, if asked for. */
static bool simulation_inject(struct simulation *simulation,
                              const struct simulation_options *options, struct gfe_error *error)
{
    if (!options->injects)
        return true;
    simulation->inject = inject_new(simulation->machine, &nv_inject_sites);
    return simulation->inject || error_set(error, ERROR_SYSTEM, "no memory for injected faults");
}

/* At layer BUS the recording itself is all that drives the GPU. */
static bool simulation_has_driver(const struct replay_input *input)
{
    return input->layer != TRACE_LAYER_BUS;
}

/* The choice is looked at before the others, as a unit hangs on it. */
static bool simulation_recovers(const struct simulation_options *options)
{
    const struct gpu none = {0}, *gpu = options->described ? options->described : &none;
    bool on = false;

    for (uint32_t i = 0; i < gpu->choice_count; i++)
        if (strcmp(gpu->choices[i].id, "rm.recovery") == 0)
            on = strcmp(gpu->choices[i].value, "on") == 0;
    for (uint32_t i = 0; i < options->choice_count; i++)
        if (strcmp(options->choices[i].id, "rm.recovery") == 0)
            on = strcmp(options->choices[i].value, "on") == 0;
    return on;
}

/* The model that drives the GPU below the program. */
static enum simulation_driver simulation_driver(const struct simulation *simulation,
                                                const struct simulation_options *options)
{
    if (simulation->scenario)
        return SIMULATION_RM;
    if (simulation_is_bare(simulation->input, simulation->model))
        return SIMULATION_BARE;
    if (simulation_has_driver(simulation->input))
        return SIMULATION_NOUVEAU;
    return simulation_recovers(options) ? SIMULATION_RM : SIMULATION_NO_DRIVER;
}

/* The programs of a scenario. */
static bool simulation_wire_cuda(struct simulation *simulation, struct gfe_error *error)
{
    const struct nv_chip *model = simulation->model;

    simulation->cuda =
        cuda_new(simulation->machine, model, simulation->rm, model->costs(simulation->gpu),
                 &simulation->scenario->program, error);
    return simulation->cuda != NULL;
}

/* The recorded program. */
static bool simulation_wire_replay(struct simulation *simulation,
                                   const struct simulation_options *options,
                                   struct gfe_error *error)
{
    struct driver driver = {0};

    if (simulation->nouveau)
        driver = nouveau_driver(simulation->nouveau);
    if (simulation->bare)
        driver = bare_driver(simulation->bare);
    simulation->replay =
        replay_new(simulation->machine, simulation->input, driver, options->open_loop, error);
    if (!simulation->replay)
        return false;
    if (simulation->nouveau) {
        simulation->nouveau->client = replay_client(simulation->replay);
        simulation->nouveau->record = replay_call_record;
    }
    if (simulation->bare) {
        simulation->bare->client = replay_client(simulation->replay);
        simulation->bare->record = replay_call_record;
    }
    return true;
}

static bool simulation_wire(struct simulation *simulation, const struct simulation_options *options,
                            struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    if (simulation->scenario && !simulation_wire_cuda(simulation, error))
        return false;
    if (simulation->input && !simulation_wire_replay(simulation, options, error))
        return false;
    return simulation_poke(simulation, options, error) &&
           simulation_inject(simulation, options, error) &&
           simulation_set(machine, options, error) &&
           (!simulation->cuda || cuda_check_parameters(simulation->cuda, error)) &&
           (!simulation->nouveau || nouveau_check_parameters(simulation->nouveau, error)) &&
           (!simulation->bare || bare_check_parameters(simulation->bare, error)) &&
           machine_seal(machine, error);
}

static const char *simulation_driver_name(const struct simulation *simulation)
{
    if (simulation->scenario)
        return "cuda";
    return simulation->replay->driver.ops ? simulation->replay->driver.ops->name : "none";
}

/* Takes the machine with GPU and driver. */
static bool simulation_take_base(struct simulation *simulation,
                                 const struct simulation_options *options,
                                 const struct machine_config *config, struct gfe_error *error)
{
    struct simulation_base *base = simulation_base_take(
        options->pool, simulation->model, simulation_driver(simulation, options), config, error);

    if (!base)
        return false;
    simulation->base = base;
    simulation->machine = base->machine;
    simulation->gpu = base->gpu;
    simulation->nouveau = base->nouveau;
    simulation->bare = base->bare;
    simulation->rm = base->rm;
    return true;
}

/* Makes the machine of a simulation that knows its model and what is run; else frees it. */
static struct simulation *simulation_make(struct simulation *simulation,
                                          const struct simulation_options *options,
                                          struct gfe_error *error)
{
    const struct nv_chip *model = simulation->model;
    const struct machine_config config = {
        .gpu = model->name,
        .described = options->described,
        .vram_bytes = model->vram_bytes,
        .sysmem_bytes = model->sysmem_bytes,
        .seed = options->seed,
        .batch_limit = options->batch_limit,
        .max_events = options->max_events,
        .lost_event = options->lost_event,
        .max_time_ps = options->max_time_ps,
        .page_limit = options->max_memory_bytes / MEMORY_PAGE_BYTES +
                      (options->max_memory_bytes % MEMORY_PAGE_BYTES > 0),
        .log = options->log,
    };

    if (!simulation_take_base(simulation, options, &config, error) ||
        !simulation_wire(simulation, options, error)) {
        simulation_free(simulation);
        return NULL;
    }
    if (simulation->scenario && simulation->scenario->assumed[0])
        (void)snprintf(simulation->durations, sizeof simulation->durations,
                       "blocks: as the scenario says, but ASSUMED (core.block_*_cycles) of %s: "
                       "--cost or --cost-from says better; copies: rates of engine, link, memory",
                       simulation->scenario->assumed);
    simulation->machine->duration_sources =
        simulation->durations[0] ? simulation->durations
        : simulation->scenario
            ? "blocks: as the scenario says; copies: rates of engine, link, memory"
            : "blocks: default cost (core.block_*_cycles); draws: default cost (nv.draw_ps); "
              "copies: rates of engine, link, memory";
    return simulation;
}

struct simulation *simulation_new(const struct replay_input *input,
                                  const struct simulation_options *options, struct gfe_error *error)
{
    const struct nv_chip *model;
    struct simulation *simulation;

    if (input->layer == TRACE_LAYER_RING) { /* emu/sim/kfd_simulation.h */
        error_set(error, ERROR_INPUT,
                  "%s: a recording of user-mode queues, which no NVIDIA GPU has", input->path);
        return NULL;
    }
    model = simulation_model(input, options->gpu, options->described, error);
    simulation = model ? calloc(1, sizeof *simulation) : NULL;
    if (!simulation) {
        error_set(error, ERROR_SYSTEM, "no memory for a simulation");
        return NULL;
    }
    simulation->model = model;
    simulation->input = input;
    simulation->name = input->path;
    return simulation_make(simulation, options, error);
}

struct simulation *simulation_new_scenario(const struct scenario *scenario,
                                           const struct simulation_options *options,
                                           struct gfe_error *error)
{
    const struct nv_chip *model = gpu_find_nvidia(options->gpu, options->described);
    struct simulation *simulation = model ? calloc(1, sizeof *simulation) : NULL;

    if (!model) {
        (void)gpu_missing(options->gpu, options->described, error);
        return NULL;
    }
    if (!simulation) {
        error_set(error, ERROR_SYSTEM, "no memory for a simulation");
        return NULL;
    }
    simulation->model = model;
    simulation->scenario = scenario;
    simulation->name = scenario->program.name;
    return simulation_make(simulation, options, error);
}

bool simulation_run(struct simulation *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    if (machine_run(machine, until_ps) && !simulation_ended(simulation) &&
        event_queue_next_ps(&machine->queue) == GFE_PS_NEVER) {
        machine->state->ended = 1;
        machine_finish(machine);
        if (simulation->replay)
            replay_end(simulation->replay);
    }
    if (!machine_failed(machine))
        return true;
    return error_set(error, machine->error.kind, "%s: %s", simulation->name, machine->error.text);
}

bool simulation_ended(const struct simulation *simulation)
{
    return simulation->machine->state->ended;
}

/* The process of each thread, numbered as they occur (the recording's own numbers differ from run
 * to run); NULL when there is only one. */
static const char *processes_print(const struct replay_input *input, char *to, size_t bytes)
{
    uint32_t ids[REPLAY_THREADS_MAX], count = 0;
    size_t at = 0;

    if (!input)
        return NULL;
    for (uint32_t i = 0; i < input->thread_count && at < bytes; i++) {
        uint32_t process = 0;
        while (process < count && ids[process] != input->threads[i].process_id)
            process++;
        if (process == count)
            ids[count++] = input->threads[i].process_id;
        at += (size_t)snprintf(to + at, bytes - at, i ? " %" PRIu32 : "%" PRIu32, process);
    }
    return count > 1 ? to : NULL;
}

bool simulation_note_trace(struct event_log *log, const char *path, struct gfe_error *error)
{
    json_t *host = json_pack("{ss}", "trace", path);
    char *text = json_text(host, JSON_COMPACT);
    bool done = true;

    if (host && strcmp(path, "standard input") != 0)
        done = text ? event_log_host_write(log, text, error)
                    : error_set(error, ERROR_SYSTEM, "no memory for the log's head");
    free(text);
    json_decref(host);
    return done;
}

static const char *simulation_loop(const struct simulation *simulation)
{
    return simulation->replay && simulation->replay->open_loop ? "open" : "closed";
}

bool simulation_log_head(struct simulation *simulation, const char *trace_hash,
                         struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    const struct nv_chip *model = simulation->model;
    const struct scenario *scenario = simulation->scenario;
    const bool stand_in =
        simulation->input && simulation->input->meta.completions == TRACE_COMPLETIONS_STAND_IN;
    const char *engines[NV_CHIP_ENGINES_MAX] = {NULL};
    char processes[4 * REPLAY_THREADS_MAX + 1];
    const struct run_head head = {
        .driver_model = simulation_driver_name(simulation),
        .trace_hash = trace_hash,
        .loop = simulation_loop(simulation),
        .completions = stand_in ? "stand-in" : "hardware",
        .processes = processes_print(simulation->input, processes, sizeof processes),
        .engines = engines,
        .engine_count = model->engine_count,
        .assumed = simulation->bare ? bare_assumed(simulation->bare) : NULL,
        .pokes = simulation->poke_texts,
        .poke_count = simulation->poke_count,
        .program_json = scenario ? scenario->json : NULL,
        .costs = scenario ? scenario->costs : NULL,
        .default_stream =
            scenario && scenario->default_stream == SCENARIO_PER_THREAD ? "per-thread" : NULL,
    };
    const char *note = scenario ? scenario->paths : simulation->name;

    for (uint32_t i = 0; i < model->engine_count; i++)
        if (model->engines[i].engine_id < model->engine_count)
            engines[model->engines[i].engine_id] = model->engines[i].name;
    return run_head_write(machine, &head, error) &&
           (!note || simulation_note_trace(&machine->log, note, error));
}

bool simulation_log_end(struct simulation *simulation, struct gfe_error *error)
{
    const struct replay_state *state = simulation->replay ? simulation->replay->state : NULL;
    char json[256];

    (void)snprintf(json, sizeof json,
                   "{\"simulated_ps\":%" PRIu64 ",\"fences\":%u,\"fences_reached\":%u}",
                   machine_now(simulation->machine), state ? state->fences_checked : 0,
                   state ? state->fences_reached : 0);
    return event_log_finish(&simulation->machine->log, json, error);
}

/* "pokes": SHA-256 of their texts. */
static void simulation_identity_pokes(const struct simulation *simulation,
                                      struct snapshot_identity *identity)
{
    struct digest digest;
    char hex[DIGEST_HEX_BYTES];

    digest_start(&digest);
    for (uint32_t i = 0; i < simulation->poke_count; i++)
        digest_add(&digest, (const uint8_t *)simulation->poke_texts[i],
                   strlen(simulation->poke_texts[i]) + 1);
    digest_end_hex(&digest, hex);
    snapshot_identity_add(identity, "pokes", hex);
}

void simulation_identity(const struct simulation *simulation, const char *trace_hash,
                         struct snapshot_identity *identity)
{
    char seed[24];

    (void)snprintf(seed, sizeof seed, "%" PRIu64, simulation->machine->config.seed);
    *identity = (struct snapshot_identity){0};
    snapshot_identity_add(identity, "version", gfe_version());
    snapshot_identity_add(identity, "trace", trace_hash);
    snapshot_identity_add(identity, "gpu", simulation->model->name);
    gpu_identity_add(identity, simulation->machine->config.described);
    snapshot_identity_add(identity, "driver model", simulation_driver_name(simulation));
    snapshot_identity_add(identity, "seed", seed);
    snapshot_identity_add(identity, "loop", simulation_loop(simulation));
    if (simulation->poke_count > 0)
        simulation_identity_pokes(simulation, identity);
    snapshot_identity_add_layout(identity, simulation->machine);
}

void simulation_free(struct simulation *simulation)
{
    if (!simulation)
        return;
    simulation_base_give(simulation->base);
    cuda_free(simulation->cuda);
    replay_free(simulation->replay);
    pokes_free(simulation->pokes);
    inject_free(simulation->inject);
    free(simulation);
}
