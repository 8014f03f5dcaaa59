/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "emu/sim/hip_simulation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text.h"
#include "emu/base/text_stream.h"
#include "devices/amd/amd_inject.h"
#include "emu/sim/hip_program.h"
#include "emu/base/digest.h"
#include "emu/log/event_line.h"
#include "emu/sim/gfe.h"
#include "emu/base/json_text.h"
#include "emu/base/input.h"
#include "emu/engine/passage.h"
#include "emu/sim/run_head.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "traces/config/examiner_text.h"

/* ---- making ---------------------------------------------------------------------------------- */

bool hip_simulation_is(const char *path)
{
    struct gfe_error error = {0};
    size_t bytes;
    char *text = input_load(path, input_fixed(HIP_TEXT_BYTES_MAX), &bytes, &error);
    const bool is = text && hip_config_is(text, bytes);

    free(text);
    return is;
}

bool hip_simulation_hash(const char *path, char hash[65], struct gfe_error *error)
{
    struct digest digest;
    size_t bytes;
    char *text = input_load(path, input_fixed(HIP_TEXT_BYTES_MAX), &bytes, error);

    if (!text)
        return false;
    digest_start(&digest);
    digest_add(&digest, text, bytes);
    digest_end_hex(&digest, hash);
    free(text);
    return true;
}

static bool hip_simulation_load(struct hip_simulation *simulation, const char *path,
                                struct gfe_error *error)
{
    struct digest digest;
    size_t bytes;
    char *text = input_load(path, input_fixed(HIP_TEXT_BYTES_MAX), &bytes, error);

    if (!text)
        return false;
    simulation->name = input_name(path);
    simulation->config = hip_config_parse(text, bytes, simulation->name, error);
    digest_start(&digest);
    digest_add(&digest, text, bytes);
    digest_end_hex(&digest, simulation->hash);
    free(text);
    return simulation->config != NULL;
}

/* How long blocks work.  Of matrix_multiply that is measured; of other plugins without a cost it is
 * ASSUMED to be the same. */
static void hip_simulation_costs(struct hip_simulation *simulation,
                                 const struct scenario_cost *costs, uint32_t cost_count)
{
    const struct hip_config *config = simulation->config;

    for (uint32_t i = 0; i < config->plugin_count; i++) {
        const char *name = config->plugins[i].name;

        for (uint32_t c = 0; c < cost_count; c++)
            if (strcmp(costs[c].benchmark, name) == 0)
                simulation->threads.block_ps[i] = costs[c].block_ps;
        simulation->assumed[i] =
            simulation->threads.block_ps[i] == 0 && strcmp(name, "matrix_multiply") != 0;
    }
}

/* Says where the durations come from, and of which plugins they are ASSUMED. */
static void hip_simulation_durations(struct hip_simulation *simulation)
{
    const struct hip_config *config = simulation->config;
    char *text = simulation->durations;
    const size_t room = sizeof simulation->durations;
    size_t used = (size_t)snprintf(text, room, "blocks: hip.thread_work_ps, or as --cost says");
    bool any = false;

    for (uint32_t i = 0; i < config->plugin_count; i++) {
        bool told = !simulation->assumed[i];

        for (uint32_t other = 0; other < i && !told; other++)
            told = strcmp(config->plugins[other].name, config->plugins[i].name) == 0;
        if (told || used + strlen(config->plugins[i].name) + 16 > room)
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s%s", any ? ", " : "; ASSUMED of ",
                                 config->plugins[i].name);
        any = true;
    }
}

/* What the costs were, for the log's head. */
static bool hip_simulation_note(struct hip_simulation *simulation, const char *path,
                                const struct scenario_cost *costs, uint32_t cost_count,
                                struct gfe_error *error)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    for (uint32_t i = 0; file && i < cost_count; i++)
        fprintf(file, "%s=%" PRIu64 "\n", costs[i].benchmark, costs[i].block_ps);
    simulation->costs = text_stream_close(&stream, file);
    simulation->path = strdup(path);
    return (simulation->costs && simulation->path) ||
           error_set(error, ERROR_SYSTEM, "no memory for a simulation");
}

/* Behind all other units, if asked for. */
static bool hip_simulation_inject(struct hip_simulation *simulation,
                                  const struct simulation_options *options, struct gfe_error *error)
{
    return !options->injects || inject_new(simulation->machine, &amd_inject_sites) ||
           error_set(error, ERROR_SYSTEM, "no memory for injected faults");
}

static bool hip_simulation_wire(struct hip_simulation *simulation, const struct amd_chip *chip,
                                const struct simulation_options *options, struct gfe_error *error)
{
    const struct machine_config config = {.gpu = chip->name,
                                          .described = options->described,
                                          .vram_bytes = chip->vram_bytes,
                                          .sysmem_bytes = chip->sysmem_bytes,
                                          .seed = options->seed,
                                          .max_events = options->max_events,
                                          .lost_event = options->lost_event,
                                          .max_time_ps = options->max_time_ps,
                                          .page_limit =
                                              options->max_memory_bytes / MEMORY_PAGE_BYTES +
                                              (options->max_memory_bytes % MEMORY_PAGE_BYTES > 0),
                                          .log = options->log};

    simulation->machine = machine_new(&config, error);
    if (!simulation->machine)
        return false;
    machine_add_tables(simulation->machine, &hip_tables);
    simulation->machine->duration_sources = simulation->durations;
    if (!amd_node_wire(&simulation->node, simulation->machine, chip))
        return error_set(error, ERROR_SYSTEM, "no memory for a simulation");
    hip_threads_wire(&simulation->threads, &simulation->node, simulation->config);
    return hip_simulation_inject(simulation, options, error) &&
           simulation_set(simulation->machine, options, error) &&
           machine_seal(simulation->machine, error) &&
           hip_threads_check(&simulation->threads, simulation->name, error);
}

struct hip_simulation *hip_simulation_new(const char *path,
                                          const struct simulation_options *options,
                                          const struct scenario_cost *costs, uint32_t cost_count,
                                          struct gfe_error *error)
{
    const struct amd_chip *chip = gpu_find_amd(options->gpu, options->described);
    struct hip_simulation *simulation = chip ? calloc(1, sizeof *simulation) : NULL;

    if (!chip) {
        (void)error_set(error, ERROR_USAGE,
                        "%s is for AMD GPUs, and '%s' is none; gfe gpus lists them", path,
                        options->gpu);
        return NULL;
    }
    if (!simulation) {
        (void)error_set(error, ERROR_SYSTEM, "no memory for a simulation");
        return NULL;
    }
    if (!hip_simulation_load(simulation, path, error)) {
        hip_simulation_free(simulation);
        return NULL;
    }
    hip_simulation_costs(simulation, costs, cost_count);
    hip_simulation_durations(simulation);
    if (hip_simulation_note(simulation, path, costs, cost_count, error) &&
        hip_simulation_wire(simulation, chip, options, error))
        return simulation;
    hip_simulation_free(simulation);
    return NULL;
}

void hip_simulation_free(struct hip_simulation *simulation)
{
    if (!simulation)
        return;
    amd_node_unwire(&simulation->node);
    inject_free(simulation->machine ? simulation->machine->inject : NULL);
    machine_free(simulation->machine);
    hip_config_free(simulation->config);
    free(simulation->path);
    free(simulation->costs);
    free(simulation);
}

void hip_simulation_identity(const struct hip_simulation *simulation,
                             struct snapshot_identity *identity)
{
    struct digest digest;
    char seed[24], costs[DIGEST_HEX_BYTES];

    (void)snprintf(seed, sizeof seed, "%" PRIu64, simulation->machine->config.seed);
    *identity = (struct snapshot_identity){0};
    snapshot_identity_add(identity, "version", gfe_version());
    snapshot_identity_add(identity, "trace", simulation->hash);
    snapshot_identity_add(identity, "gpu", simulation->machine->config.gpu);
    gpu_identity_add(identity, simulation->machine->config.described);
    snapshot_identity_add(identity, "driver model", "hip");
    snapshot_identity_add(identity, "seed", seed);
    if (simulation->costs[0] != '\0') {
        digest_start(&digest);
        digest_add(&digest, simulation->costs, strlen(simulation->costs));
        digest_end_hex(&digest, costs);
        snapshot_identity_add(identity, "costs", costs);
    }
    snapshot_identity_add_layout(identity, simulation->machine);
}

/* ---- running --------------------------------------------------------------------------------- */

bool hip_simulation_log_head(struct hip_simulation *simulation, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    char engines[AMD_CHIP_ENGINES_BYTES], *program = hip_program_json(simulation->config);
    const struct run_head head = {
        .driver_model = "hip",
        .engine_cus = amd_chip_engines(simulation->node.gpu.mec.chip, engines),
        .trace_hash = simulation->hash,
        .costs = simulation->costs[0] ? simulation->costs : NULL,
        .program_json = program,
    };
    bool done;

    if (!program)
        return error_set(error, ERROR_SYSTEM, "no memory for the log's head");
    done = run_head_write(machine, &head, error);
    free(program);
    return done && simulation_note_trace(&machine->log, simulation->path, error);
}

bool hip_simulation_run_until(struct hip_simulation *simulation, gfe_ps until_ps,
                              struct gfe_error *error)
{
    struct machine *machine = simulation->machine;

    if (machine_run(machine, until_ps) && !machine->state->ended &&
        event_queue_next_ps(&machine->queue) == GFE_PS_NEVER) {
        machine->state->ended = 1;
        machine_finish(machine);
    }
    return !machine_failed(machine) ||
           error_set(error, machine->error.kind, "%s: %s", simulation->name, machine->error.text);
}

bool hip_simulation_log_end(struct hip_simulation *simulation, struct gfe_error *error)
{
    char end[64];

    (void)snprintf(end, sizeof end, "{\"simulated_ps\":%" PRIu64 "}",
                   machine_now(simulation->machine));
    return event_log_finish(&simulation->machine->log, end, error);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Milliseconds with six digits behind the point. */
static void hip_simulation_print_ms(FILE *file, gfe_ps ps)
{
    fprintf(file, " %5" PRIu64 ".%06" PRIu64, ps / 1000000000, ps / 1000 % 1000000);
}

/* Returns the line that the kernel driver has printed, or NULL if it has printed none.  The log has
 * the line too, but is not always written. */
static const char *hip_simulation_kernel_line(const struct hip_simulation *simulation)
{
    const char *kind = kfd_tables.events[EVENT_KFD_OVERSUBSCRIBED - kfd_tables.base].name;
    const struct event_line_row *row = gfe_event_lines;

    if (!simulation->node.kfd->state->warned)
        return NULL;
    while (row->kind && strcmp(row->kind, kind) != 0)
        row++;
    return row->text;
}

/* As the kernel's log has it: seconds, microseconds. */
static void hip_simulation_print_kernel(const struct hip_simulation *simulation, FILE *file)
{
    const uint64_t us = simulation->node.kfd->state->warned_ps / GFE_PS_PER_US;

    if (hip_simulation_kernel_line(simulation))
        fprintf(file, "kernel log\n  [%5" PRIu64 ".%06" PRIu64 "] %s\n", us / 1000000, us % 1000000,
                hip_simulation_kernel_line(simulation));
}

static void hip_simulation_print_text(struct hip_simulation *simulation, FILE *file)
{
    const struct hip_config *config = simulation->config;

    fprintf(file, "%s on %s: response times, ms\n", config->name,
            simulation->node.gpu.mec.chip->title);
    fputs("plugin ace  CUs     count        least          p05       median          p95"
          "         most         mean  label\n",
          file);
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        const uint32_t slot = hip_threads_slot(&simulation->threads, i);
        const struct hip_responses responses = hip_threads_responses(&simulation->threads, i);
        const gfe_ps times[] = {responses.least_ps, responses.p05_ps,  responses.median_ps,
                                responses.p95_ps,   responses.most_ps, responses.mean_ps};

        fprintf(file, "%6u ", i);
        if (slot != AMD_NO_SLOT)
            fprintf(file, "%3u", slot / AMD_QUEUES_PER_PIPE_MAX % AMD_PIPES_MAX);
        else
            fputs("  -", file);
        fprintf(file, " %4u %9u", hip_threads_cus(&simulation->threads, i), responses.count);
        for (uint32_t t = 0; t < sizeof times / sizeof times[0]; t++)
            hip_simulation_print_ms(file, times[t]);
        fprintf(file, "  %s\n", config->plugins[i].label);
    }
}

static void hip_simulation_print_assumed(const struct hip_simulation *simulation, FILE *file)
{
    for (uint32_t i = 0; i < simulation->config->plugin_count; i++) {
        const char *name = simulation->config->plugins[i].name;

        if (simulation->assumed[i])
            fprintf(
                file,
                "plugin %u: how long a block of %s works is ASSUMED, as matrix_multiply "
                "(hip.thread_work_ps a thread); --cost %s=TIME or --cost-from FILE says better\n",
                i, name, name);
    }
}

/* Deadlines only count here; what the tool's kernel module does with them is not modelled. */
static void hip_simulation_print_deadlines(const struct hip_simulation *simulation, FILE *file)
{
    bool any = false;

    for (uint32_t i = 0; i < simulation->config->plugin_count; i++) {
        const struct hip_thread *thread = &simulation->threads.state->threads[i];
        char text[48];

        if (simulation->config->plugins[i].deadline_ps == 0)
            continue;
        fprintf(file, "plugin %u: %u of %u iterations missed their deadline of %s\n", i,
                thread->missed, thread->completed,
                text_time(text, sizeof text, simulation->config->plugins[i].deadline_ps));
        any = true;
    }
    if (any)
        fputs("job_deadline: the kernel module that orders the GPU's work by deadlines "
              "(gpu_locking_module) is not modelled\n",
              file);
}

/* Where its queue is now; in no slot: null. */
static json_t *hip_simulation_json_slot(uint32_t slot, uint32_t number)
{
    return slot == AMD_NO_SLOT ? json_null() : json_integer(number);
}

static json_t *hip_simulation_json_plugin(struct hip_simulation *simulation, uint32_t i)
{
    const struct hip_plugin *plugin = &simulation->config->plugins[i];
    const uint32_t slot = hip_threads_slot(&simulation->threads, i);
    const struct hip_responses r = hip_threads_responses(&simulation->threads, i);

    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "name", plugin->name,
        "label", plugin->label, "ace_index",
        hip_simulation_json_slot(slot, slot / AMD_QUEUES_PER_PIPE_MAX % AMD_PIPES_MAX),
        "queue_index", hip_simulation_json_slot(slot, slot % AMD_QUEUES_PER_PIPE_MAX), "cu_count",
        (json_int_t)hip_threads_cus(&simulation->threads, i), "count", (json_int_t)r.count,
        "least_ps", (json_int_t)r.least_ps, "p05_ps", (json_int_t)r.p05_ps, "median_ps",
        (json_int_t)r.median_ps, "p95_ps", (json_int_t)r.p95_ps, "most_ps", (json_int_t)r.most_ps,
        "mean_ps", (json_int_t)r.mean_ps);
    if (json && plugin->deadline_ps > 0 &&
        (json_object_set_new(json, "deadline_ps", json_integer((json_int_t)plugin->deadline_ps)) ||
         json_object_set_new(json, "missed_count",
                             json_integer(simulation->threads.state->threads[i].missed)))) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool hip_simulation_print_json(struct hip_simulation *simulation, FILE *file)
{
    json_t *plugins = json_array();
    json_t *root = json_pack("{s:s, s:s, s:I, s:O}", "name", simulation->config->name, "gpu",
                             simulation->machine->config.gpu, "simulated_ps",
                             (json_int_t)machine_now(simulation->machine), "plugins", plugins);
    bool good = plugins && root;

    for (uint32_t i = 0; i < simulation->config->plugin_count && good; i++)
        good = json_array_append_new(plugins, hip_simulation_json_plugin(simulation, i)) == 0;
    if (good && hip_simulation_kernel_line(simulation))
        good = json_object_set_new(root, "kernel_log",
                                   json_pack("[{s:I, s:s}]", "time_ps",
                                             (json_int_t)simulation->node.kfd->state->warned_ps,
                                             "text", hip_simulation_kernel_line(simulation))) == 0;
    if (good && simulation->work_left)
        good = json_object_set_new(root, "open_waits",
                                   json_integer((json_int_t)simulation->open_count)) == 0 &&
               json_object_set(root, "work_left", simulation->work_left) == 0;
    good = good && json_text_print(file, root);
    json_decref(root);
    json_decref(plugins);
    return good;
}

void hip_simulation_print_times(const struct hip_simulation *simulation, FILE *file)
{
    fputs("plugin,iteration,response_ps\n", file);
    for (uint32_t i = 0; i < simulation->config->plugin_count; i++) {
        uint32_t count;
        const gfe_ps *times = hip_threads_times(&simulation->threads, i, &count);

        for (uint32_t n = 0; n < count; n++)
            fprintf(file, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 "\n", i, n, times[n]);
    }
}

bool hip_simulation_print(struct hip_simulation *simulation, FILE *file, bool json,
                          struct gfe_error *error)
{
    if (!json) {
        hip_simulation_print_text(simulation, file);
        hip_simulation_print_assumed(simulation, file);
        hip_simulation_print_deadlines(simulation, file);
        hip_simulation_print_kernel(simulation, file);
    } else if (!hip_simulation_print_json(simulation, file)) {
        return error_set(error, ERROR_SYSTEM, "no memory");
    }
    return true;
}
