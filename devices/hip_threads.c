/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/hip_threads.h"

#include <assert.h>
#include <stdlib.h>

#include "devices/hip_tables.h"
#include "firmware-models/kfd_cu_mask.h"

enum { HIP_LAUNCH, HIP_ARRIVE };

static void hip_event(void *unit, const struct event *event);
static void hip_start(void *unit);
static const struct unit_ops hip_ops = {.event = hip_event, .start = hip_start};

/* ---- wiring --------------------------------------------------------------------------------- */

static void hip_done(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id);

bool hip_threads_wire(struct hip_threads *threads, struct machine *machine,
                      struct amd_dispatch *dispatch, const struct hip_config *config,
                      struct gfe_error *error)
{
    threads->machine = machine;
    threads->dispatch = dispatch;
    threads->config = config;
    threads->unit = machine_add_unit(machine, "hip", &hip_ops, threads);
    threads->state = machine_alloc(machine, sizeof *threads->state);
    dispatch->client = (struct amd_dispatch_client){.done = hip_done, .client = threads};
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        threads->samples[i] = malloc(HIP_SAMPLES_MAX * sizeof threads->samples[i][0]);
        if (!threads->samples[i])
            return error_set(error, ERROR_SYSTEM, "no memory");
    }
    return true;
}

void hip_threads_fini(struct hip_threads *threads)
{
    for (uint32_t i = 0; i < HIP_PLUGINS_MAX; i++)
        free(threads->samples[i]);
}

/* ---- queues --------------------------------------------------------------------------------- */

static struct amd_launch hip_launch_of(const struct hip_threads *threads, uint32_t plugin)
{
    const struct machine *machine = threads->machine;
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    const struct hip_thread *thread = &threads->state->threads[plugin];
    struct amd_launch launch = {
        .ace = thread->ace,
        .queue = thread->queue,
        .block_count = config->blocks,
        .block_threads = config->threads,
        .vgprs = 24,
        .sgprs = 32,
        .packet_sequence = thread->launched,
        .cost = {.block_ps =
                     threads->block_ps[plugin]
                         ? threads->block_ps[plugin]
                         : machine_parameter(machine, PARAM_HIP_THREAD_WORK_PS) * config->threads,
                 .seed = random_splitmix64(machine->config.seed ^ (uint64_t)plugin << 56 ^
                                           (uint64_t)thread->launched << 24),
                 .block_jitter_ppm =
                     (uint32_t)machine_parameter(machine, PARAM_HIP_BLOCK_JITTER_PPM),
                 .wave_jitter_ppm = (uint32_t)machine_parameter(machine, PARAM_HIP_WAVE_JITTER_PPM),
                 .cold_ppm = (uint32_t)machine_parameter(machine, PARAM_HIP_COLD_PPM)}};

    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++)
        launch.cu_masks[i] = thread->cu_masks[i];
    return launch;
}

/* HSA queues that there are so far. */
struct hip_queues {
    uint32_t count;
    uint32_t shared_count;            /* streams without a mask */
    uint32_t shared[HIP_PLUGINS_MAX]; /* the pool, in the order of its making */
};

/* A.Q2.  ASSUMED: once the pool is full, streams get its queues in turn. */
static uint32_t hip_queue_of(const struct hip_threads *threads, const struct hip_plugin *plugin,
                             struct hip_queues *queues)
{
    const uint64_t pool = machine_parameter(threads->machine, PARAM_HIP_QUEUES);
    uint32_t *place = &queues->shared[queues->shared_count];

    if (plugin->mask_bits != 0)
        return queues->count++;
    *place = pool != 0 && queues->shared_count >= pool ? queues->shared[queues->shared_count - pool]
                                                       : queues->count++;
    queues->shared_count++;
    return *place;
}

/* A.H1: one pipe after the other; A.M1. */
static bool hip_give_queue(struct hip_threads *threads, uint32_t plugin, const char *name,
                           struct hip_queues *queues, struct gfe_error *error)
{
    const struct amd_chip *chip = threads->dispatch->chip;
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    struct hip_thread *thread = &threads->state->threads[plugin];
    const uint32_t queue = hip_queue_of(threads, config, queues);

    thread->ace = queue % chip->pipes_per_mec;
    thread->queue = chip->kernel_queues_per_pipe + queue / chip->pipes_per_mec;
    assert(thread->queue < chip->queues_per_pipe); /* HIP_PLUGINS_MAX */
    if (config->mask_bits == 0)
        kfd_cu_mask_all(thread->cu_masks);
    else if (kfd_cu_mask_split(chip, config->mask, config->mask_bits, thread->cu_masks) == 0)
        return error_set(error, ERROR_INPUT,
                         "%s: plugins[%u].compute_unit_mask: it enables no CU that %s has", name,
                         plugin, chip->title);
    return true;
}

bool hip_threads_begin(struct hip_threads *threads, const char *name, struct gfe_error *error)
{
    const struct hip_config *config = threads->config;
    struct hip_queues queues = {0};

    for (uint32_t i = 0; i < config->plugin_count; i++) {
        struct amd_launch launch;

        if (!hip_give_queue(threads, i, name, &queues, error))
            return false;
        launch = hip_launch_of(threads, i);
        if (launch.cost.block_ps > AMD_WORK_MAX_PS || launch.cost.block_jitter_ppm > AMD_PPM ||
            launch.cost.wave_jitter_ppm > AMD_PPM)
            return error_set(error, ERROR_USAGE, "the work of a block, or its jitter, is too much");
        if (amd_dispatch_fault(threads->dispatch, &launch) != AMD_LAUNCH_FITS)
            return error_set(error, ERROR_INPUT, "%s: plugins[%u]: its blocks fit on no CU", name,
                             i);
        threads->state->going += config->plugins[i].iterations || config->plugins[i].time_ps;
    }
    return true;
}

/* ---- iterations ----------------------------------------------------------------------------- */

static bool hip_has_limit(const struct hip_plugin *plugin)
{
    return plugin->iterations != 0 || plugin->time_ps != 0;
}

/* Is the thread's next iteration one too many? */
static bool hip_at_end(const struct hip_threads *threads, uint32_t plugin)
{
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    const struct hip_thread *thread = &threads->state->threads[plugin];

    if (!hip_has_limit(config))
        return threads->state->going == 0;
    return (config->iterations != 0 && thread->launched >= config->iterations) ||
           (config->time_ps != 0 &&
            machine_now(threads->machine) >= config->release_ps + config->time_ps);
}

static void hip_launch(struct hip_threads *threads, uint32_t plugin)
{
    struct machine *machine = threads->machine;
    struct hip_thread *thread = &threads->state->threads[plugin];

    if (hip_at_end(threads, plugin)) {
        thread->stopped = 1;
        threads->state->going -= hip_has_limit(&threads->config->plugins[plugin]);
        return;
    }
    thread->launch_ps = machine_now(machine);
    MACHINE_LOG(machine, threads->unit, EVENT_HIP_LAUNCH, RULE_NONE, plugin, thread->launched);
    machine_schedule(
        machine, threads->unit,
        clock_add(machine_now(machine), machine_parameter(machine, PARAM_HIP_LAUNCH_PS)),
        HIP_ARRIVE, plugin);
}

static void hip_arrive(struct hip_threads *threads, uint32_t plugin)
{
    struct hip_thread *thread = &threads->state->threads[plugin];
    const struct amd_launch launch = hip_launch_of(threads, plugin);

    thread->launched++;
    thread->grid_id = amd_dispatch_launch(threads->dispatch, &launch);
}

static void hip_done(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id)
{
    struct hip_threads *threads = client;
    struct machine *machine = threads->machine;
    struct hip_thread *thread = threads->state->threads;
    uint32_t plugin = 0;
    gfe_ps response_ps;

    (void)ace;
    (void)queue;
    while (plugin < threads->config->plugin_count && thread[plugin].grid_id != grid_id)
        plugin++;
    assert(plugin < threads->config->plugin_count);
    thread += plugin;
    thread->grid_id = 0;
    response_ps = machine_now(machine) - thread->launch_ps;
    if (thread->completed < HIP_SAMPLES_MAX)
        threads->samples[plugin][thread->completed] = response_ps;
    MACHINE_LOG(machine, threads->unit, EVENT_HIP_RETURN, RULE_NONE, plugin, thread->completed,
                grid_id, response_ps);
    thread->completed++;
    machine_schedule(machine, threads->unit,
                     clock_add(machine_now(machine), machine_parameter(machine, PARAM_HIP_GAP_PS)),
                     HIP_LAUNCH, plugin);
}

static void hip_event(void *unit, const struct event *event)
{
    if (event->kind == HIP_LAUNCH)
        hip_launch(unit, (uint32_t)event->argument);
    else
        hip_arrive(unit, (uint32_t)event->argument);
}

static void hip_start(void *unit)
{
    struct hip_threads *threads = unit;
    const struct amd_chip *chip = threads->dispatch->chip;

    for (uint32_t i = 0; i < threads->config->plugin_count; i++) {
        const struct hip_thread *thread = &threads->state->threads[i];

        MACHINE_LOG(threads->machine, threads->unit, EVENT_HIP_QUEUE, RULE_A_Q2, i,
                    (thread->queue - chip->kernel_queues_per_pipe) * chip->pipes_per_mec +
                        thread->ace,
                    thread->ace, thread->queue, threads->config->plugins[i].mask_bits != 0);
        machine_schedule(threads->machine, threads->unit, threads->config->plugins[i].release_ps,
                         HIP_LAUNCH, i);
    }
}

/* ---- results -------------------------------------------------------------------------------- */

uint32_t hip_threads_cus(const struct hip_threads *threads, uint32_t plugin)
{
    const struct amd_chip *chip = threads->dispatch->chip;
    uint32_t cus = 0;

    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        cus += (uint32_t)__builtin_popcount(threads->state->threads[plugin].cu_masks[i] &
                                            ((1u << chip->engine_cus[i]) - 1));
    return cus;
}

static int hip_compare(const void *a, const void *b)
{
    const gfe_ps one = *(const gfe_ps *)a, other = *(const gfe_ps *)b;

    return (one > other) - (one < other);
}

struct hip_responses hip_threads_responses(struct hip_threads *threads, uint32_t plugin)
{
    const uint32_t completed = threads->state->threads[plugin].completed;
    const uint32_t count = completed < HIP_SAMPLES_MAX ? completed : HIP_SAMPLES_MAX;
    gfe_ps *samples = threads->samples[plugin];
    gfe_ps mean = 0, rest = 0;

    if (count == 0)
        return (struct hip_responses){0};
    qsort(samples, count, sizeof samples[0], hip_compare);
    for (uint32_t i = 0; i < count; i++) {
        mean += samples[i] / count;
        rest += samples[i] % count;
    }
    return (struct hip_responses){.count = completed,
                                  .least_ps = samples[0],
                                  .p05_ps = samples[(uint64_t)count * 5 / 100],
                                  .median_ps = samples[count / 2],
                                  .p95_ps = samples[(uint64_t)count * 95 / 100],
                                  .most_ps = samples[count - 1],
                                  .mean_ps = mean + rest / count};
}
