/* SPDX-License-Identifier: MIT */
/* The public interface to simulations: see emu/gfe.h. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/sim/gfe.h"
#include "emu/sim/gpu_file.h"
#include "emu/base/output.h"

struct gfe_simulation {
    struct gpu_file *gpu_file; /* NULL: a built-in GPU */
    struct replay_input *input;
    struct any_simulation simulation;
    struct gfe_error error;
};

struct gfe_snapshot {
    struct simulation_snapshot *inner;
};

static void gfe_message(const struct gfe_error *error, char *message, size_t message_bytes)
{
    if (message_bytes > 0)
        (void)snprintf(message, message_bytes, "%s", error->text);
}

/* Members beyond the caller's size are 0. */
static struct simulation_options gfe_options_read(const struct gfe_options *options)
{
    struct gfe_options known = {0};

    if (options)
        memcpy(&known, options, options->size < sizeof known ? options->size : sizeof known);
    return (struct simulation_options){
        .gpu = known.gpu,
        .seed = known.seed,
        .open_loop = known.open_loop != 0,
        .batch_limit = known.batch_limit,
        .max_events = known.max_events,
        .max_time_ps = known.max_time_ps,
        .max_memory_bytes = known.max_memory_bytes,
    };
}

/* Reads the GPU's file, if the options name one. */
static bool gfe_gpu_take(struct gfe_simulation *simulation, struct simulation_options *options,
                         struct gfe_error *error)
{
    const struct gpu *gpu;

    if (!options->gpu || !gpu_file_is(options->gpu))
        return true;
    simulation->gpu_file = gpu_file_load(options->gpu, error);
    if (!simulation->gpu_file)
        return false;
    gpu = gpu_file_gpu(simulation->gpu_file);
    options->gpu = gpu->name;
    options->described = gpu->description ? gpu : NULL;
    return true;
}

struct gfe_simulation *gfe_simulation_open(const char *trace_path,
                                           const struct gfe_options *options, char *message,
                                           size_t message_bytes)
{
    struct simulation_options inner = gfe_options_read(options);
    struct gfe_simulation *simulation = calloc(1, sizeof *simulation);
    struct any_program program = {0};
    struct gfe_error error = {0};

    if (!simulation) {
        error_set(&error, ERROR_SYSTEM, "no memory for a simulation");
        gfe_message(&error, message, message_bytes);
        return NULL;
    }
    simulation->input = replay_load(trace_path, &error);
    program.input = simulation->input;
    if (simulation->input && gfe_gpu_take(simulation, &inner, &error) &&
        any_simulation_new(&program, &inner, &simulation->simulation, &error))
        return simulation;
    gfe_message(&error, message, message_bytes);
    gfe_simulation_close(simulation);
    return NULL;
}

void gfe_simulation_close(struct gfe_simulation *simulation)
{
    if (!simulation)
        return;
    any_simulation_free(&simulation->simulation);
    gpu_file_free(simulation->gpu_file);
    replay_input_free(simulation->input);
    free(simulation);
}

/* ---- running --------------------------------------------------------------------------------- */

static struct machine *gfe_machine(const struct gfe_simulation *simulation)
{
    return simulation->simulation.machine;
}

int gfe_simulation_run(struct gfe_simulation *simulation, uint64_t until_ps)
{
    simulation->error = (struct gfe_error){0};
    if (!any_simulation_run(&simulation->simulation, until_ps, &simulation->error))
        return -1;
    return any_simulation_ended(&simulation->simulation) ? 0 : 1;
}

int gfe_simulation_step(struct gfe_simulation *simulation)
{
    (void)machine_step(gfe_machine(simulation));
    /* Nothing lies before time 0: only the end and failures are looked at. */
    return gfe_simulation_run(simulation, 0);
}

uint64_t gfe_simulation_time_ps(const struct gfe_simulation *simulation)
{
    return machine_now(gfe_machine(simulation));
}

const char *gfe_simulation_message(const struct gfe_simulation *simulation)
{
    return simulation->error.text;
}

void gfe_simulation_fences(const struct gfe_simulation *simulation, uint32_t *count,
                           uint32_t *reached_count)
{
    const struct replay_state *state = simulation->simulation.replay->state;

    *count = state->fences_checked;
    *reached_count = state->fences_reached;
}

int gfe_simulation_write_log(struct gfe_simulation *simulation, const char *path)
{
    struct chunk_writer *writer = NULL;
    struct output output = {0};
    bool done;

    simulation->error = (struct gfe_error){0};
    if (output_open(&output, path, &simulation->error))
        writer = chunk_writer_new(output.fd, path, &simulation->error);
    done = writer &&
           any_simulation_log_write(&simulation->simulation, writer, &simulation->error) &&
           output_commit(&output, &simulation->error);
    chunk_writer_free(writer);
    output_abort(&output);
    return done ? 0 : -1;
}

/* ---- looking into it ------------------------------------------------------------------------- */

uint32_t gfe_simulation_read_register(struct gfe_simulation *simulation, uint32_t offset)
{
    return machine_read32(gfe_machine(simulation), offset & ~UINT32_C(3));
}

void gfe_simulation_write_register(struct gfe_simulation *simulation, uint32_t offset,
                                   uint32_t value)
{
    machine_write32(gfe_machine(simulation), offset & ~UINT32_C(3), value);
}

static enum memory_aperture gfe_memory_aperture(enum gfe_aperture aperture)
{
    return aperture == GFE_SYSTEM_MEMORY ? MEMORY_SYSMEM : MEMORY_VRAM;
}

int gfe_simulation_read_memory(struct gfe_simulation *simulation, enum gfe_aperture aperture,
                               uint64_t address, void *data, size_t bytes)
{
    return machine_read(gfe_machine(simulation), gfe_memory_aperture(aperture), address, data,
                        bytes)
               ? 0
               : -1;
}

int gfe_simulation_write_memory(struct gfe_simulation *simulation, enum gfe_aperture aperture,
                                uint64_t address, const void *data, size_t bytes)
{
    return machine_write(gfe_machine(simulation), gfe_memory_aperture(aperture), address, data,
                         bytes)
               ? 0
               : -1;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

struct gfe_snapshot *gfe_simulation_take(struct gfe_simulation *simulation)
{
    struct gfe_snapshot *snapshot = calloc(1, sizeof *snapshot);

    simulation->error = (struct gfe_error){0};
    if (!snapshot) {
        error_set(&simulation->error, ERROR_SYSTEM, "no memory for a snapshot");
        return NULL;
    }
    snapshot->inner = any_simulation_take(&simulation->simulation, &simulation->error);
    if (snapshot->inner)
        return snapshot;
    free(snapshot);
    return NULL;
}

int gfe_simulation_restore(struct gfe_simulation *simulation, const struct gfe_snapshot *snapshot)
{
    simulation->error = (struct gfe_error){0};
    return any_simulation_restore(&simulation->simulation, snapshot->inner, "the snapshot",
                                  &simulation->error)
               ? 0
               : -1;
}

int gfe_snapshot_save(const struct gfe_snapshot *snapshot, const char *path, char *message,
                      size_t message_bytes)
{
    struct gfe_error error = {0};

    if (simulation_snapshot_save(snapshot->inner, path, &error))
        return 0;
    gfe_message(&error, message, message_bytes);
    return -1;
}

struct gfe_snapshot *gfe_snapshot_load(const char *path, char *message, size_t message_bytes)
{
    struct gfe_snapshot *snapshot = calloc(1, sizeof *snapshot);
    struct gfe_error error = {0};

    if (snapshot)
        snapshot->inner = simulation_snapshot_load(path, &error);
    else
        error_set(&error, ERROR_SYSTEM, "no memory for a snapshot");
    if (snapshot && snapshot->inner)
        return snapshot;
    free(snapshot);
    gfe_message(&error, message, message_bytes);
    return NULL;
}

uint64_t gfe_snapshot_time_ps(const struct gfe_snapshot *snapshot)
{
    return snapshot->inner->machine->now_ps;
}

void gfe_snapshot_free(struct gfe_snapshot *snapshot)
{
    if (!snapshot)
        return;
    simulation_snapshot_free(snapshot->inner);
    free(snapshot);
}

void gfe_simulation_hash(struct gfe_simulation *simulation, char hex[65])
{
    hex[0] = '\0';
    (void)machine_hash(gfe_machine(simulation), hex);
}
