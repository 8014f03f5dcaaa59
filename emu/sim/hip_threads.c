/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/hip_threads.h"

#include <assert.h>

#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_cu_mask.h"

enum { HIP_LAUNCH }; /* argument: plugin */
/* Registers of the waves of matrix_multiply. */
enum { HIP_VGPRS = 24, HIP_SGPRS = 32 };

/* ---- what kernels cost ----------------------------------------------------------------------- */

static struct amd_cost hip_threads_cost_of(const struct hip_threads *threads, uint32_t plugin)
{
    const struct machine *machine = threads->machine;
    const uint64_t thread_ps = machine_parameter(machine, PARAM_HIP_THREAD_WORK_PS);

    return (struct amd_cost){
        .block_ps = threads->block_ps[plugin]
                        ? threads->block_ps[plugin]
                        : thread_ps * threads->config->plugins[plugin].threads,
        .seed = random_splitmix64(machine->config.seed ^ (uint64_t)plugin << 56 ^
                                  (uint64_t)threads->state->threads[plugin].dispatched << 24),
        .block_jitter_ppm = (uint32_t)machine_parameter(machine, PARAM_HIP_BLOCK_JITTER_PPM),
        .wave_jitter_ppm = (uint32_t)machine_parameter(machine, PARAM_HIP_WAVE_JITTER_PPM),
        .cold_ppm = (uint32_t)machine_parameter(machine, PARAM_HIP_COLD_PPM)};
}

/* amd_mec_client.cost: whose kernel is it?  Each launch of it has a jitter of its own. */
static void hip_threads_cost(void *client, const struct amd_mec_kernel *kernel,
                             struct amd_cost *cost)
{
    struct hip_threads *threads = client;

    for (uint32_t i = 0; i < threads->config->plugin_count; i++) {
        struct hip_thread *thread = &threads->state->threads[i];

        if (thread->kernel_address == kernel->address && thread->space_id == kernel->space_id) {
            *cost = hip_threads_cost_of(threads, i);
            thread->dispatched++;
            return;
        }
    }
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void hip_threads_mask_of(const struct hip_threads *threads, uint32_t plugin,
                                uint32_t engines[AMD_SHADER_ENGINES_MAX])
{
    const struct hip_plugin *config = &threads->config->plugins[plugin];

    if (config->mask_bits == 0)
        kfd_cu_mask_all(engines);
    else
        (void)kfd_cu_mask_split(threads->node->gpu.mec.chip, config->mask, config->mask_bits,
                                engines);
}

uint32_t hip_threads_cus(const struct hip_threads *threads, uint32_t plugin)
{
    const struct amd_chip *chip = threads->node->gpu.mec.chip;
    uint32_t engines[AMD_SHADER_ENGINES_MAX], cus = 0;

    hip_threads_mask_of(threads, plugin, engines);
    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        cus += (uint32_t)__builtin_popcount(engines[i] & ((1u << chip->engine_cus[i]) - 1));
    return cus;
}

static bool hip_threads_check_one(struct hip_threads *threads, uint32_t plugin, const char *name,
                                  struct gfe_error *error)
{
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    struct amd_launch launch = {.block_count = config->blocks,
                                .kind.block_threads = config->threads,
                                .kind.vgprs = HIP_VGPRS,
                                .kind.sgprs = HIP_SGPRS,
                                .cost = hip_threads_cost_of(threads, plugin)};

    if (hip_threads_cus(threads, plugin) == 0)
        return error_set(error, ERROR_INPUT,
                         "%s: plugins[%u].compute_unit_mask: it enables no CU that %s has", name,
                         plugin, threads->node->gpu.mec.chip->title);
    if (config->blocks * config->threads > UINT32_MAX)
        return error_set(error, ERROR_INPUT,
                         "%s: plugins[%u].block_count: its blocks have more than %u threads, which "
                         "HIP refuses",
                         name, plugin, UINT32_MAX);
    if (launch.cost.block_ps > AMD_WORK_MAX_PS || launch.cost.block_jitter_ppm > AMD_PPM ||
        launch.cost.wave_jitter_ppm > AMD_PPM)
        return error_set(error, ERROR_USAGE, "the work of a block, or its jitter, is too much");
    hip_threads_mask_of(threads, plugin, launch.kind.cu_masks);
    return amd_dispatch_fault(&threads->node->gpu.dispatch, &launch) == AMD_LAUNCH_FITS ||
           error_set(error, ERROR_INPUT, "%s: plugins[%u]: its blocks fit on no CU", name, plugin);
}

bool hip_threads_check(struct hip_threads *threads, const char *name, struct gfe_error *error)
{
    for (uint32_t i = 0; i < threads->config->plugin_count; i++)
        if (!hip_threads_check_one(threads, i, name, error))
            return false;
    return true;
}

/* ---- iterations ------------------------------------------------------------------------------ */

static bool hip_threads_has_limit(const struct hip_plugin *plugin)
{
    return plugin->iterations != 0 || plugin->time_ps != 0;
}

/* Is the thread's next iteration one too many? */
static bool hip_threads_at_end(const struct hip_threads *threads, uint32_t plugin)
{
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    const struct hip_thread *thread = &threads->state->threads[plugin];

    if (!hip_threads_has_limit(config))
        return threads->state->going == 0;
    return (config->iterations != 0 && thread->launched >= config->iterations) ||
           (config->time_ps != 0 &&
            machine_now(threads->machine) >=
                clock_add(clock_add(threads->state->begin_ps, config->release_ps),
                          config->time_ps));
}

static uint32_t hip_threads_doorbell(const struct hip_threads *threads, uint32_t plugin)
{
    return hip_runtime_queue_of(&threads->runtime, threads->state->threads[plugin].stream)
        ->doorbell_index;
}

static void hip_threads_launch(struct hip_threads *threads, uint32_t plugin)
{
    const struct hip_plugin *config = &threads->config->plugins[plugin];
    struct hip_thread *thread = &threads->state->threads[plugin];
    const struct hip_dispatch dispatch = {.kernel_address = thread->kernel_address,
                                          .block_threads = config->threads,
                                          .block_count = (uint32_t)config->blocks};

    thread->launch_ps = machine_now(threads->machine);
    MACHINE_LOG(threads->machine, threads->unit, EVENT_HIP_LAUNCH, RULE_NONE, plugin,
                thread->launched, hip_threads_doorbell(threads, plugin));
    thread->launched++;
    hip_runtime_launch(&threads->runtime, thread->stream, &dispatch);
}

static void hip_threads_stop(struct hip_threads *threads, uint32_t plugin)
{
    threads->state->threads[plugin].stopped = 1;
    threads->state->going -= hip_threads_has_limit(&threads->config->plugins[plugin]);
}

/* Begins the iteration of all threads once none is on its way to the barrier.  A thread without a
 * limit ends there when the others have. */
static void hip_threads_meet(struct hip_threads *threads)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < threads->config->plugin_count; i++)
        left += !threads->state->threads[i].stopped;
    if (threads->state->waiting < left)
        return;
    threads->state->waiting = 0;
    for (uint32_t i = 0; i < threads->config->plugin_count; i++)
        if (threads->state->threads[i].waits) {
            threads->state->threads[i].waits = 0;
            if (threads->state->going == 0)
                hip_threads_stop(threads, i);
            else
                hip_threads_launch(threads, i);
        }
}

/* The thread comes to its next iteration. */
static void hip_threads_event(void *unit, const struct event *event)
{
    struct hip_threads *threads = unit;
    const uint32_t plugin = (uint32_t)event->argument;
    struct hip_thread *thread = &threads->state->threads[plugin];

    if (hip_threads_at_end(threads, plugin)) {
        hip_threads_stop(threads, plugin);
    } else if (!threads->config->meets) {
        hip_threads_launch(threads, plugin);
        return;
    } else {
        thread->waits = 1;
        threads->state->waiting++;
    }
    if (threads->config->meets)
        hip_threads_meet(threads);
}

/* Each thread has one stream, of its own number. */
static void hip_threads_launched(void *client, uint32_t stream, uint64_t packet)
{
    struct hip_threads *threads = client;

    threads->state->threads[stream].packet = packet;
    hip_runtime_synchronize(&threads->runtime, stream);
}

static void hip_threads_synchronized(void *client, uint32_t plugin, bool slept)
{
    struct hip_threads *threads = client;
    struct machine *machine = threads->machine;
    struct hip_thread *thread = &threads->state->threads[plugin];
    const gfe_ps response_ps = machine_now(machine) - thread->launch_ps;

    if (thread->completed < HIP_SAMPLES_MAX)
        threads->samples[plugin][thread->completed] = response_ps;
    MACHINE_LOG(machine, threads->unit, EVENT_HIP_RETURN, RULE_NONE, plugin, thread->completed,
                hip_threads_doorbell(threads, plugin), thread->packet, response_ps, slept);
    thread->completed++;
    thread->missed += threads->config->plugins[plugin].deadline_ps > 0 &&
                      response_ps > threads->config->plugins[plugin].deadline_ps;
    machine_schedule(machine, threads->unit,
                     clock_add(machine_now(machine), machine_parameter(machine, PARAM_HIP_GAP_PS)),
                     HIP_LAUNCH, plugin);
}

/* ---- the beginning --------------------------------------------------------------------------- */

static void hip_threads_ready(void *client)
{
    struct hip_threads *threads = client;
    const gfe_ps now = machine_now(threads->machine);

    threads->state->begin_ps = now;
    for (uint32_t i = 0; i < threads->config->plugin_count; i++)
        machine_schedule(threads->machine, threads->unit,
                         clock_add(now, threads->config->plugins[i].release_ps), HIP_LAUNCH, i);
}

static void hip_threads_refused(void *client, uint32_t stream, const char *answer)
{
    const struct hip_threads *threads = client;

    machine_fail(threads->machine, ERROR_INPUT,
                 "plugins[%u]: its stream cannot be made: the kernel driver answers %s for a queue",
                 stream, answer);
}

static void hip_threads_start(void *unit)
{
    static const struct hip_kernel kernel = {.vgprs = HIP_VGPRS, .sgprs = HIP_SGPRS};
    struct hip_threads *threads = unit;
    const struct hip_config *config = threads->config;
    uint32_t process = HIP_NONE;

    amd_node_start(threads->node);
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        const struct hip_plugin *plugin = &config->plugins[i];
        const struct hip_stream_options options = {
            .priority = plugin->priority, .mask_bits = plugin->mask_bits, .mask = plugin->mask};
        struct hip_thread *thread = &threads->state->threads[i];

        if (i == 0 || config->use_processes)
            process = hip_runtime_process(&threads->runtime);
        if (process == HIP_NONE)
            return;
        thread->space_id = hip_runtime_space(&threads->runtime, process);
        thread->kernel_address = hip_runtime_kernel(&threads->runtime, process, &kernel);
        thread->stream = hip_runtime_stream(&threads->runtime, process, &options);
        assert(thread->stream == i);
        threads->state->going += hip_threads_has_limit(plugin);
    }
    hip_runtime_start(&threads->runtime);
}

/* The thread that those at the barrier wait for. */
static struct machine_wait hip_threads_barrier_wait(const struct hip_threads *threads, uint32_t i)
{
    const struct hip_thread *thread = &threads->state->threads[i];
    struct machine_wait wait = {thread->launch_ps, SUBJECT_THREAD, i, SUBJECT_NONE, 0};

    for (uint32_t k = 0; k < threads->config->plugin_count; k++)
        if (!threads->state->threads[k].stopped && !threads->state->threads[k].waits) {
            wait.blocker_kind = SUBJECT_THREAD;
            wait.blocker_id = k;
            break;
        }
    return wait;
}

/* Threads that have not come to their end, between two calls of the runtime.  (The runtime reports
 * those in a call.) */
static void hip_threads_finish(void *unit)
{
    const struct hip_threads *threads = unit;

    for (uint32_t i = 0; i < threads->config->plugin_count; i++) {
        const struct hip_thread *thread = &threads->state->threads[i];
        const struct machine_wait wait = hip_threads_barrier_wait(threads, i);

        if (thread->stopped || hip_runtime_has(&threads->runtime, i))
            continue;
        if (thread->waits && wait.blocker_kind == SUBJECT_THREAD)
            machine_log_open(threads->machine, threads->unit, RULE_GFE_PROGRAM, &wait);
        else
            machine_log_lost(threads->machine, threads->unit, &wait);
    }
}

/* ---- wiring ---------------------------------------------------------------------------------- */

static void hip_threads_ring(void *client, uint32_t doorbell_index, uint64_t value)
{
    struct hip_threads *threads = client;

    amd_node_doorbell(threads->node, doorbell_index, value);
}

static void hip_threads_called(void *client, enum kfd_result result)
{
    struct hip_threads *threads = client;

    hip_runtime_called(&threads->runtime, result);
}

static void hip_threads_lock_free(void *client)
{
    struct hip_threads *threads = client;

    hip_runtime_lock_free(&threads->runtime);
}

static void hip_threads_interrupt(void *client, uint32_t space_id, uint32_t context_id)
{
    struct hip_threads *threads = client;

    hip_runtime_interrupt(&threads->runtime, space_id, context_id);
}

void hip_threads_wire(struct hip_threads *threads, struct amd_node *node,
                      const struct hip_config *config)
{
    static const struct hip_runtime_ops runtime_ops = {.ring = hip_threads_ring,
                                                       .ready = hip_threads_ready,
                                                       .refused = hip_threads_refused,
                                                       .launched = hip_threads_launched,
                                                       .synchronized = hip_threads_synchronized};
    static const struct unit_ops ops = {
        .event = hip_threads_event, .start = hip_threads_start, .finish = hip_threads_finish};
    struct machine *machine = node->machine;

    threads->machine = machine;
    threads->node = node;
    threads->config = config;
    hip_runtime_wire(&threads->runtime, machine, node->kfd,
                     machine->config.sysmem_bytes - AMD_NODE_DRIVER_BYTES, &runtime_ops, threads);
    threads->unit = machine_add_unit(machine, "host", &ops, threads);
    threads->state = machine_alloc(machine, sizeof *threads->state);
    node->done = hip_threads_called;
    node->lock_free = hip_threads_lock_free;
    node->interrupt = hip_threads_interrupt;
    node->client = threads;
    node->cost = hip_threads_cost;
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        const uint32_t most = config->plugins[i].iterations;

        threads->samples[i] =
            machine_alloc(machine, (most && most < HIP_SAMPLES_MAX ? most : HIP_SAMPLES_MAX) *
                                       sizeof threads->samples[i][0]);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

uint32_t hip_threads_slot(const struct hip_threads *threads, uint32_t plugin)
{
    return amd_mec_slot_of(&threads->node->gpu.mec, hip_threads_doorbell(threads, plugin));
}

/* The n-th least of the samples, n counting from 0: looked for between two bounds, so that they
 * stay in the order in which they came. */
static gfe_ps hip_threads_nth(const gfe_ps *samples, uint32_t count, uint32_t n, gfe_ps least_ps,
                              gfe_ps most_ps)
{
    while (least_ps < most_ps) {
        const gfe_ps middle_ps = least_ps + (most_ps - least_ps) / 2;
        uint32_t at_most = 0;

        for (uint32_t i = 0; i < count; i++)
            at_most += samples[i] <= middle_ps;
        if (at_most > n)
            most_ps = middle_ps;
        else
            least_ps = middle_ps + 1;
    }
    return least_ps;
}

const gfe_ps *hip_threads_times(const struct hip_threads *threads, uint32_t plugin, uint32_t *count)
{
    const uint32_t completed = threads->state->threads[plugin].completed;

    *count = completed < HIP_SAMPLES_MAX ? completed : HIP_SAMPLES_MAX;
    return threads->samples[plugin];
}

struct hip_responses hip_threads_responses(const struct hip_threads *threads, uint32_t plugin)
{
    uint32_t count;
    const gfe_ps *samples = hip_threads_times(threads, plugin, &count);
    gfe_ps mean = 0, rest = 0, least = GFE_PS_NEVER, most = 0;

    if (count == 0)
        return (struct hip_responses){0};
    for (uint32_t i = 0; i < count; i++) {
        mean += samples[i] / count;
        rest += samples[i] % count;
        least = samples[i] < least ? samples[i] : least;
        most = samples[i] > most ? samples[i] : most;
    }
    return (struct hip_responses){
        .count = threads->state->threads[plugin].completed,
        .least_ps = least,
        .p05_ps =
            hip_threads_nth(samples, count, (uint32_t)((uint64_t)count * 5 / 100), least, most),
        .median_ps = hip_threads_nth(samples, count, count / 2, least, most),
        .p95_ps =
            hip_threads_nth(samples, count, (uint32_t)((uint64_t)count * 95 / 100), least, most),
        .most_ps = most,
        .mean_ps = mean + rest / count};
}
