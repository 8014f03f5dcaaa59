/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/cuda_run.h"
#include "tests/event_member.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware-models/cuda/cuda.h"
#include "tests/golden_log.h"

enum { FILES_MAX = 8, PATH_BYTES = 512 };

/* ---- running --------------------------------------------------------------------------------- */

static void path_of(const char *file, char path[PATH_BYTES])
{
    const char *folder = getenv("top_srcdir");
    int fd;

    if (file[0] != '{') {
        (void)snprintf(path, PATH_BYTES, "%s/scenarios/%s.json", folder ? folder : ".", file);
        return;
    }
    (void)snprintf(path, PATH_BYTES, "/tmp/gfe-scenario-XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, file, strlen(file)), (ssize_t)strlen(file));
    ck_assert_int_eq(close(fd), 0);
}

static bool is_default_stream(const char *setting)
{
    return strcmp(setting, "default-stream") == 0;
}

static enum scenario_default_stream default_stream(const char *const *settings)
{
    for (; settings && *settings; settings += 2)
        if (is_default_stream(settings[0]))
            return strcmp(settings[1], "legacy") == 0 ? SCENARIO_LEGACY : SCENARIO_PER_THREAD;
    return SCENARIO_LEGACY;
}

static bool is_mps(const char *const *settings)
{
    for (; settings && *settings; settings += 2)
        if (strcmp(settings[0], "cuda.mps") == 0)
            return true;
    return false;
}

static void load(struct cuda_run *run, const char *gpu, const char *const *files,
                 const char *const *settings)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const struct scenario_cost cost = {"mandelbrot", 5 * 1000 * GFE_PS_PER_US};
    const struct scenario_options options = {
        .costs = &cost,
        .cost_count = 1,
        .priority_levels = cuda_priority_levels(model),
        .model = model,
        .default_stream = default_stream(settings),
        .mps = is_mps(settings),
        .shares = cuda_mps_has_shares(model),
    };
    struct gfe_error error = {0};
    char paths[FILES_MAX][PATH_BYTES];
    const char *list[FILES_MAX];
    uint32_t count = 0;

    for (; files[count]; count++) {
        ck_assert_uint_lt(count, FILES_MAX);
        path_of(files[count], paths[count]);
        list[count] = paths[count];
    }
    run->scenario = scenario_load(list, count, &options, &error);
    for (uint32_t i = 0; i < count; i++)
        if (files[i][0] == '{')
            ck_assert_int_eq(unlink(paths[i]), 0);
    ck_assert_msg(run->scenario != NULL, "%s", error.text);
}

static void simulate(struct cuda_run *run, const char *gpu, uint64_t seed,
                     const char *const *settings)
{
    struct simulation_setting parameters[CUDA_RUN_SETTINGS], choices[CUDA_RUN_SETTINGS];
    struct simulation_options options = {
        .gpu = gpu, .seed = seed, .parameters = parameters, .choices = choices};
    struct gfe_error error = {0};

    for (uint32_t i = 0; settings && settings[i]; i += 2) {
        const struct simulation_setting setting = {settings[i], settings[i + 1]};

        if (is_default_stream(setting.id))
            continue;
        if (strcmp(setting.id, "poke") == 0) {
            ck_assert_uint_lt(options.poke_count, CUDA_RUN_POKES);
            run->pokes[options.poke_count++] = setting.value;
            options.pokes = run->pokes;
        } else if (setting.value[0] >= '0' && setting.value[0] <= '9') {
            parameters[options.parameter_count++] = setting;
        } else {
            choices[options.choice_count++] = setting;
        }
    }
    run->simulation = simulation_new_scenario(run->scenario, &options, &error);
    ck_assert_msg(run->simulation != NULL, "%s", error.text);
    ck_assert_msg(simulation_run(run->simulation, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert(simulation_ended(run->simulation));
    run->events = check_machine_decode(run->simulation->machine, &run->event_count);
}

void cuda_run_begin(struct cuda_run *run, const char *gpu, uint64_t seed, const char *const *files,
                    const char *const *settings)
{
    *run = (struct cuda_run){0};
    load(run, gpu, files, settings);
    run->loaded = run->scenario;
    simulate(run, gpu, seed, settings);
}

void cuda_run_begin_program(struct cuda_run *run, const char *gpu, struct scenario *scenario,
                            const char *const *settings)
{
    *run = (struct cuda_run){.scenario = scenario};
    simulate(run, gpu, 0, settings);
}

void cuda_run_end(struct cuda_run *run)
{
    free(run->events);
    simulation_free(run->simulation);
    scenario_free(run->loaded);
}

void cuda_run_golden(const struct cuda_run *run, const char *name)
{
    golden_log_check_events(run->events, run->event_count, name);
}

/* ---- reading --------------------------------------------------------------------------------- */

gfe_ps cuda_run_waited(const struct cuda_run *run, uint32_t subject_kind, uint64_t id,
                       uint32_t rule)
{
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];

        if (event->kind == EVENT_WAIT && event_wait_of(event).subject_kind == subject_kind &&
            event_wait_of(event).subject_id == id && (rule == RULE_NONE || event->rule == rule))
            sum += event->time_ps - event_wait_of(event).begin_ps;
    }
    return sum;
}

/* A start or an end; both have the same members. */
static void block_take(const struct log_event *event, struct cuda_run_operation *operation)
{
    const struct event_block_start of = event_block_start_from(event->argument);
    struct cuda_run_block *block = &operation->blocks[of.block_index];

    ck_assert_uint_lt(of.block_index, CUDA_RUN_BLOCKS);
    if (event->kind == EVENT_BLOCK_START) {
        block->start_ps = event->time_ps;
        block->sm = (uint32_t)of.sm_index;
        operation->block_count++;
    } else {
        block->end_ps = event->time_ps;
    }
}

static void hardware_take(const struct log_event *event, struct cuda_run_operation *operation)
{
    if (event_first(event) != operation->hardware_id)
        return;
    switch (event->kind) {
    case EVENT_GRID_START:
    case EVENT_COPY_START:
        operation->started_ps = event->time_ps;
        break;
    case EVENT_GRID_DISPATCHED:
        operation->dispatched_ps = event->time_ps;
        break;
    case EVENT_GRID_END:
    case EVENT_COPY_END:
        operation->ended_ps = event->time_ps;
        break;
    case EVENT_BLOCK_START:
    case EVENT_BLOCK_END:
        block_take(event, operation);
        break;
    default:
        break;
    }
}

/* Takes the grid or copy that an event queues for the operation if the commands submitted last made
 * it. */
static void queued_take(const struct log_event *event, const struct log_event *submitted,
                        struct cuda_run_operation *operation, bool kernel)
{
    const struct event_cuda_submit submit = event_cuda_submit_of(submitted);
    uint64_t id, channel_id, gp_sequence;

    if (kernel) {
        const struct event_grid_queue queue = event_grid_queue_of(event);

        id = queue.grid_id, channel_id = queue.channel_id, gp_sequence = queue.gp_sequence;
    } else {
        const struct event_copy_queue queue = event_copy_queue_of(event);

        id = queue.copy_id, channel_id = queue.channel_id, gp_sequence = queue.gp_sequence;
    }
    if (channel_id != submit.channel_id || gp_sequence != submit.gp_sequence)
        return;
    operation->hardware_id = id;
    operation->queued_ps = event->time_ps;
}

/* What the GPU made of an operation: the first grid or copy of its channel and GP entry. */
static void follow(const struct cuda_run *run, struct cuda_run_operation *operation, bool kernel)
{
    const struct log_event *submit = NULL;

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];

        if (event->kind == EVENT_CUDA_SUBMIT &&
            event_cuda_submit_of(event).operation_id == operation->operation_id) {
            submit = event;
            kernel = event_cuda_submit_of(event).descriptor_address != 0; /* copies may be one */
            operation->submitted_ps = event->time_ps;
        }
        if (event->kind == EVENT_CUDA_COMPLETE &&
            event_cuda_complete_of(event).operation_id == operation->operation_id)
            operation->completed_ps = event->time_ps;
        if (submit && operation->hardware_id == 0 &&
            event->kind == (kernel ? EVENT_GRID_QUEUE : EVENT_COPY_QUEUE))
            queued_take(event, submit, operation, kernel);
        if (operation->hardware_id != 0)
            hardware_take(event, operation);
    }
    ck_assert_uint_ne(operation->hardware_id, 0);
    ck_assert_uint_ne(operation->completed_ps, 0);
}

void cuda_run_kernel(const struct cuda_run *run, const char *name, uint32_t n,
                     struct cuda_run_operation *operation)
{
    const struct cuda_program *program = &run->scenario->program;

    *operation = (struct cuda_run_operation){0};
    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];
        const struct cuda_call *call;

        if (event->kind != EVENT_CUDA_OPERATION)
            continue;
        call = &program->calls[event_cuda_operation_of(event).call_id];
        if (call->kind != CUDA_LAUNCH || strcmp(program->kernels[call->kernel].name, name) != 0 ||
            n-- != 0)
            continue;
        operation->operation_id = event_cuda_operation_of(event).operation_id;
        operation->called_ps = event->time_ps;
        follow(run, operation, true);
        return;
    }
    ck_abort_msg("no such launch of %s", name);
}

void cuda_run_copy(const struct cuda_run *run, const char *task, uint32_t n,
                   struct cuda_run_operation *operation)
{
    const struct cuda_program *program = &run->scenario->program;

    *operation = (struct cuda_run_operation){0};
    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];

        if (event->kind != EVENT_CUDA_OPERATION ||
            program->calls[event_cuda_operation_of(event).call_id].kind == CUDA_LAUNCH ||
            strcmp(program->tasks[event_cuda_operation_of(event).task_id].name, task) != 0 ||
            n-- != 0)
            continue;
        operation->operation_id = event_cuda_operation_of(event).operation_id;
        operation->called_ps = event->time_ps;
        follow(run, operation, false);
        return;
    }
    ck_abort_msg("no such copy of %s", task);
}
