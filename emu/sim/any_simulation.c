/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/any_simulation.h"

#include <string.h>

#include "emu/sim/gpus.h"
#include "emu/sim/hip_simulation.h"
#include "emu/sim/kfd_simulation.h"

/* ---- NVIDIA ---------------------------------------------------------------------------------- */

static bool nvidia_run(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return simulation_run(simulation, until_ps, error);
}

static bool nvidia_log_head(void *simulation, const char *hash, struct gfe_error *error)
{
    return simulation_log_head(simulation, hash, error);
}

static bool nvidia_log_end(void *simulation, struct gfe_error *error)
{
    return simulation_log_end(simulation, error);
}

static void nvidia_identity(const void *simulation, const char *hash,
                            struct snapshot_identity *identity)
{
    simulation_identity(simulation, hash, identity);
}

static void nvidia_subject(void *simulation, struct inspect_subject *subject)
{
    const struct simulation *nvidia = simulation;

    subject->model = nvidia->model;
}

static void nvidia_free(void *simulation)
{
    simulation_free(simulation);
}

static void nvidia_forget_pokes(void *simulation)
{
    struct simulation *nvidia = simulation;

    nvidia->poke_texts = NULL;
    nvidia->poke_count = 0;
}

static bool nvidia_made(struct simulation *made, const struct any_simulation_ops *ops,
                        const char *hash, struct any_simulation *simulation)
{
    if (made)
        *simulation =
            (struct any_simulation){made->machine, ops, made, hash, made->name, made->replay};
    return made != NULL;
}

static bool nvidia_make(const struct any_program *program, const struct simulation_options *options,
                        struct any_simulation *simulation, struct gfe_error *error);
static bool scenario_make(const struct any_program *program,
                          const struct simulation_options *options,
                          struct any_simulation *simulation, struct gfe_error *error);

static const struct any_simulation_ops nvidia_ops = {
    .vendor = &gpu_nvidia,
    .has_pokes = true,
    .make = nvidia_make,
    .run = nvidia_run,
    .log_head = nvidia_log_head,
    .log_end = nvidia_log_end,
    .identity = nvidia_identity,
    .subject = nvidia_subject,
    .forget_pokes = nvidia_forget_pokes,
    .free = nvidia_free,
};

static const struct any_simulation_ops scenario_ops = {
    .vendor = &gpu_nvidia,
    .driver_model = "cuda",
    .has_pokes = true,
    .has_scenario = true,
    .make = scenario_make,
    .run = nvidia_run,
    .log_head = nvidia_log_head,
    .log_end = nvidia_log_end,
    .identity = nvidia_identity,
    .subject = nvidia_subject,
    .forget_pokes = nvidia_forget_pokes,
    .free = nvidia_free,
};

static bool nvidia_make(const struct any_program *program, const struct simulation_options *options,
                        struct any_simulation *simulation, struct gfe_error *error)
{
    return nvidia_made(simulation_new(program->input, options, error), &nvidia_ops,
                       program->input->hash, simulation);
}

static bool scenario_make(const struct any_program *program,
                          const struct simulation_options *options,
                          struct any_simulation *simulation, struct gfe_error *error)
{
    return nvidia_made(simulation_new_scenario(program->scenario, options, error), &scenario_ops,
                       program->scenario->hash, simulation);
}

/* ---- recordings of AMD's queues -------------------------------------------------------------- */

static bool any_kfd_run(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return kfd_simulation_run_until(simulation, until_ps, error);
}

static bool any_kfd_log_head(void *simulation, const char *hash, struct gfe_error *error)
{
    (void)hash;
    return kfd_simulation_log_head(simulation, error);
}

static bool any_kfd_log_end(void *simulation, struct gfe_error *error)
{
    return kfd_simulation_log_end(simulation, error);
}

static void any_kfd_identity(const void *simulation, const char *hash,
                             struct snapshot_identity *identity)
{
    (void)hash;
    kfd_simulation_identity(simulation, identity);
}

static void any_kfd_subject(void *simulation, struct inspect_subject *subject)
{
    struct kfd_simulation *kfd = simulation;

    if (kfd->runtime->state->gpu_id != 0)
        kfd->node->gpu_id = kfd->runtime->state->gpu_id;
    subject->node = kfd->node;
}

static void any_kfd_free(void *simulation)
{
    kfd_simulation_free(simulation);
}

static bool any_kfd_make(const struct any_program *program,
                         const struct simulation_options *options,
                         struct any_simulation *simulation, struct gfe_error *error);

static const struct any_simulation_ops kfd_ops = {
    .vendor = &gpu_amd,
    .driver_model = "kfd",
    .make = any_kfd_make,
    .run = any_kfd_run,
    .log_head = any_kfd_log_head,
    .log_end = any_kfd_log_end,
    .identity = any_kfd_identity,
    .subject = any_kfd_subject,
    .free = any_kfd_free,
};

static bool any_kfd_make(const struct any_program *program,
                         const struct simulation_options *options,
                         struct any_simulation *simulation, struct gfe_error *error)
{
    struct kfd_simulation *made = kfd_simulation_new(program->input, options, error);

    if (made)
        *simulation = (struct any_simulation){made->machine,     &kfd_ops,          made,
                                              made->input->hash, made->input->path, made->replay};
    return made != NULL;
}

/* ---- configurations for AMD's GPUs ----------------------------------------------------------- */

static bool any_hip_run(void *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return hip_simulation_run_until(simulation, until_ps, error);
}

static bool any_hip_log_head(void *simulation, const char *hash, struct gfe_error *error)
{
    (void)hash;
    return hip_simulation_log_head(simulation, error);
}

static bool any_hip_log_end(void *simulation, struct gfe_error *error)
{
    return hip_simulation_log_end(simulation, error);
}

static void any_hip_identity(const void *simulation, const char *hash,
                             struct snapshot_identity *identity)
{
    (void)hash;
    hip_simulation_identity(simulation, identity);
}

static void any_hip_subject(void *simulation, struct inspect_subject *subject)
{
    struct hip_simulation *hip = simulation;

    subject->node = &hip->node;
}

static void any_hip_free(void *simulation)
{
    hip_simulation_free(simulation);
}

static bool any_hip_make(const struct any_program *program,
                         const struct simulation_options *options,
                         struct any_simulation *simulation, struct gfe_error *error);

static const struct any_simulation_ops hip_ops = {
    .vendor = &gpu_amd,
    .driver_model = "hip",
    .make = any_hip_make,
    .file_hash = hip_simulation_hash,
    .run = any_hip_run,
    .log_head = any_hip_log_head,
    .log_end = any_hip_log_end,
    .identity = any_hip_identity,
    .subject = any_hip_subject,
    .free = any_hip_free,
};

static bool any_hip_make(const struct any_program *program,
                         const struct simulation_options *options,
                         struct any_simulation *simulation, struct gfe_error *error)
{
    struct hip_simulation *made =
        hip_simulation_new(program->hip_path, options, program->costs, program->cost_count, error);

    if (made)
        *simulation =
            (struct any_simulation){made->machine, &hip_ops, made, made->hash, made->name, NULL};
    return made != NULL;
}

/* ---- any of them ----------------------------------------------------------------------------- */

const struct any_simulation_ops *any_simulation_of_program(const struct any_program *program)
{
    if (program->hip_path)
        return &hip_ops;
    if (program->scenario)
        return &scenario_ops;
    return kfd_simulation_is(program->input) ? &kfd_ops : &nvidia_ops;
}

const struct any_simulation_ops *any_simulation_of_log(const char *driver_model)
{
    static const struct any_simulation_ops *const named[] = {&scenario_ops, &kfd_ops, &hip_ops};

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(named[i]->driver_model, driver_model) == 0)
            return named[i];
    return &nvidia_ops;
}

const struct gpu_vendor *any_simulation_file_vendor(const char *gpu, const struct gpu *described,
                                                    const char *path)
{
    const struct gpu_vendor *vendor = described ? described->vendor : gpu_vendor_of(gpu);

    if (vendor && vendor->runs_configurations)
        return vendor;
    return hip_simulation_is(path) ? hip_ops.vendor : scenario_ops.vendor;
}

bool any_simulation_new(const struct any_program *program, const struct simulation_options *options,
                        struct any_simulation *simulation, struct gfe_error *error)
{
    *simulation = (struct any_simulation){0};
    return any_simulation_of_program(program)->make(program, options, simulation, error);
}

void any_simulation_forget_pokes(struct any_simulation *simulation)
{
    if (simulation->ops->forget_pokes)
        simulation->ops->forget_pokes(simulation->simulation);
}

void any_simulation_free(struct any_simulation *simulation)
{
    if (simulation->ops)
        simulation->ops->free(simulation->simulation);
    *simulation = (struct any_simulation){0};
}

bool any_simulation_run(struct any_simulation *simulation, gfe_ps until_ps, struct gfe_error *error)
{
    return simulation->ops->run(simulation->simulation, until_ps, error);
}

bool any_simulation_run_logged(struct any_simulation *simulation, struct gfe_error *error)
{
    return simulation->ops->log_head(simulation->simulation, simulation->hash, error) &&
           any_simulation_run(simulation, GFE_PS_NEVER, error) &&
           simulation->ops->log_end(simulation->simulation, error);
}

bool any_simulation_run_watched(struct any_simulation *simulation,
                                const struct any_simulation_watch *watch, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    gfe_ps slice_ps = GFE_PS_PER_US;

    if (!simulation->ops->log_head(simulation->simulation, simulation->hash, error))
        return false;
    while (!machine->state->ended) {
        const gfe_ps next_ps = machine_next_ps(machine);

        if (!any_simulation_run(simulation,
                                next_ps == GFE_PS_NEVER ? next_ps : clock_add(next_ps, slice_ps),
                                error))
            return false;
        if (!machine->state->ended && !watch->look(watch->context, &slice_ps)) {
            machine->state->ended = 1;
            machine_finish(machine);
        }
    }
    return simulation->ops->log_end(simulation->simulation, error);
}

struct inspect_subject any_simulation_subject(const struct any_simulation *simulation)
{
    struct inspect_subject subject = {.machine = simulation->machine};

    simulation->ops->subject(simulation->simulation, &subject);
    return subject;
}

bool any_simulation_ended(const struct any_simulation *simulation)
{
    return simulation->machine->state->ended;
}

bool any_simulation_work_left(const struct any_simulation *simulation)
{
    const struct machine *machine = simulation->machine;

    return machine->state->ended && machine->state->open_count > 0 &&
           machine_next_ps(machine) == GFE_PS_NEVER;
}

/* It goes through a writer for once. */
bool any_simulation_log_write(struct any_simulation *simulation, struct chunk_writer *writer,
                              struct gfe_error *error)
{
    struct event_log *log = &simulation->machine->log;
    const uint64_t bytes_from = log->bytes_from;
    const uint32_t chunk_end_count = log->chunk_end_count;
    bool done;

    log->writer = writer;
    done = simulation->ops->log_head(simulation->simulation, simulation->hash, error) &&
           simulation->ops->log_end(simulation->simulation, error) &&
           chunk_writer_finish(writer, error);
    log->writer = NULL;
    log->bytes_from = bytes_from;
    log->chunk_end_count = chunk_end_count;
    return done;
}
