/* SPDX-License-Identifier: MIT */
/* The run of an experiment, and what its log says of each operation. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/analysis/model/model.h"
#include "emu/analysis/streams.h"
#include "emu/fit/experiment.h"
#include "emu/fit/figures.h"
#include "emu/sim/gpus.h"
#include "emu/sim/scenario.h"
#include "firmware-models/cuda/cuda.h"

static const char call_ps[] = "100000"; /* FIT_CALL_NS */

enum { SETTINGS_MAX = 128, NUMBER_BYTES = 16 };

static const char log_name[] = "the log of an emulated experiment";

/* Who reads the log. */
struct watcher {
    struct fit_experiment *experiment;
    struct model model;
    struct streams streams;
    struct fit_operation *
        *operation_of; /* owned; for each call of the program its operation, or NULL */
    struct fit_operation **recorded; /* owned; by call: the copy beside an event */
    double begun_ns[FIT_PARTS_MAX];  /* of FIT_LATENCY and FIT_REPEAT: the call that has not been
                                        waited for */
    uint32_t open_call;              /* which records the event behind the gate; UINT32_MAX: none */
    double opened_ns;                /* when it was recorded last */
    struct watched_block {
        double on_ns, off_ns;   /* since then it runs, or stands; FIT_NEVER: it does not */
        bool went_on;           /* it has stood before */
    } * watched[FIT_PARTS_MAX]; /* owned; of FIT_SHARE */
};

static double ns_of(gfe_ps time_ps)
{
    return (double)time_ps / 1e3;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The operation, and which of its calls it was, from 0; NULL: it is none of the experiments. */
static struct fit_operation *operation_of(const struct watcher *watcher,
                                          const struct streams_operation *called, uint64_t *nth)
{
    struct fit_operation *operation;

    if (!called || called->call >= watcher->streams.program.call_count)
        return NULL;
    operation = watcher->operation_of[called->call];
    *nth = called->iteration;
    return operation && *nth < operation->times ? operation : NULL;
}

/* The part that the task is of. */
static struct fit_part *part_of(const struct watcher *watcher, uint64_t task)
{
    return task < watcher->experiment->part_count ? &watcher->experiment->parts[task] : NULL;
}

static void span_begins(struct fit_span *span, double now_ns)
{
    if (span->begin_ns == FIT_NEVER)
        span->begin_ns = now_ns;
}

static bool watched_change(struct watcher *watcher, uint32_t part, enum model_type type,
                           uint64_t index, double now_ns)
{
    struct fit_operation *operation = &watcher->experiment->parts[part].operations[0];
    struct watched_block *block = NULL;

    for (uint32_t i = 0; i < operation->watched_count; i++)
        if (operation->watched[i] == index)
            block = &watcher->watched[part][i];
    if (!block)
        return true;
    if (type == MODEL_BLOCK_OFF && block->on_ns != FIT_NEVER) {
        if (block->went_on && !fit_series_add(&operation->emulated.runs, now_ns - block->on_ns))
            return false;
        block->off_ns = now_ns;
        block->on_ns = FIT_NEVER;
    } else if (type == MODEL_BLOCK_BACK && block->off_ns != FIT_NEVER) {
        if (!fit_series_add(&operation->emulated.stands, now_ns - block->off_ns))
            return false;
        block->went_on = true;
        block->on_ns = now_ns;
        block->off_ns = FIT_NEVER;
    } else if (type == MODEL_BLOCK_BEGUN) {
        block->on_ns = now_ns;
    } else if (type == MODEL_BLOCK_DONE) {
        block->on_ns = FIT_NEVER;
    }
    return true;
}

static bool take_block(struct watcher *watcher, const struct model_record *record)
{
    const struct model_block *block = &record->block;
    const double now_ns = ns_of(record->now_ps);
    const struct streams_operation *called =
        streams_of_hardware(&watcher->streams, STREAMS_GRID, block->grid_id);
    uint64_t nth;
    struct fit_operation *operation = operation_of(watcher, called, &nth);
    const struct fit_part *part;
    struct fit_seen *seen;

    if (!operation || operation->is_copy || operation->has_events)
        return true;
    seen = &operation->emulated;
    if (record->type == MODEL_BLOCK_BEGUN)
        span_begins(&seen->spans[nth], now_ns);
    else if (record->type == MODEL_BLOCK_DONE)
        seen->spans[nth].end_ns = now_ns;
    if (seen->blocks && block->index < operation->block_count) {
        struct fit_block *kept = &seen->blocks[block->index];

        if (record->type == MODEL_BLOCK_BEGUN)
            *kept = (struct fit_block){now_ns, FIT_NEVER, (uint32_t)block->sm};
        else if (record->type == MODEL_BLOCK_DONE)
            kept->end_ns = now_ns;
    }
    part = part_of(watcher, called->task);
    return !part || part->form != FIT_SHARE ||
           watched_change(watcher, called->task, record->type, block->index, now_ns);
}

/* An event has been recorded: the one behind the gate, or one beside an operation, of which the
 * first is in front of it. */
static void take_event(struct watcher *watcher, const struct model_record *record)
{
    const struct streams_operation *event =
        streams_of_id(&watcher->streams, record->stream_operation.id);
    const double now_ns = ns_of(record->now_ps) - watcher->opened_ns;
    struct fit_operation *operation;

    if (!event || event->call >= watcher->streams.program.call_count)
        return;
    if (event->call == watcher->open_call)
        watcher->opened_ns = ns_of(record->now_ps);
    operation = watcher->recorded[event->call];
    if (!operation || event->iteration >= operation->times)
        return;
    span_begins(&operation->emulated.spans[event->iteration], now_ns);
    operation->emulated.spans[event->iteration].end_ns = now_ns;
}

/* A copy starts or ends, be it a copy engine's or a kernel's. */
static void take_copy(struct watcher *watcher, const struct model_record *record)
{
    const enum streams_hardware hardware =
        record->operation == MODEL_COPY ? STREAMS_COPY : STREAMS_GRID;
    uint64_t nth;
    struct fit_operation *operation = operation_of(
        watcher, streams_of_hardware(&watcher->streams, hardware, record->done.id), &nth);

    if (!operation || !operation->is_copy || operation->has_events)
        return;
    if (record->type == MODEL_STARTED)
        span_begins(&operation->emulated.spans[nth], ns_of(record->now_ps));
    else
        operation->emulated.spans[nth].end_ns = ns_of(record->now_ps);
}

/* A call of a process that waits after each returns. */
static bool take_call(struct watcher *watcher, const struct model_record *record)
{
    const struct model_task *task = &record->task;
    struct fit_part *part = part_of(watcher, task->task);
    struct fit_operation *operation;

    if (!part || (part->form != FIT_LATENCY && part->form != FIT_REPEAT) ||
        task->call >= watcher->streams.program.call_count)
        return true;
    operation = &part->operations[0];
    if (watcher->operation_of[task->call] || watcher->recorded[task->call]) {
        if (watcher->begun_ns[task->task] == FIT_NEVER)
            watcher->begun_ns[task->task] = ns_of(task->begin_ps);
        return true;
    }
    if (watcher->begun_ns[task->task] == FIT_NEVER)
        return true; /* the sleep behind the wait */
    if (!fit_series_add(&operation->emulated.took,
                        ns_of(record->now_ps) - watcher->begun_ns[task->task]))
        return false;
    watcher->begun_ns[task->task] = FIT_NEVER;
    return true;
}

static bool take_record(void *context, const struct model_record *record)
{
    struct watcher *watcher = context;

    if (!streams_take(&watcher->streams, record))
        return false;
    switch ((int)record->type) {
    case MODEL_BLOCK_BEGUN:
    case MODEL_BLOCK_DONE:
    case MODEL_BLOCK_OFF:
    case MODEL_BLOCK_BACK:
        return take_block(watcher, record);
    case MODEL_STARTED:
    case MODEL_ENDED:
        take_copy(watcher, record);
        return true;
    case MODEL_STREAM_COMPLETED:
        take_event(watcher, record);
        return true;
    case MODEL_TASK_CALLED:
        return take_call(watcher, record);
    default:
        return true;
    }
}

/* ---- what is seen ---------------------------------------------------------------------------- */

static bool seen_init(struct fit_operation *operation)
{
    struct fit_seen *seen = &operation->emulated;

    fit_seen_free(seen);
    seen->spans = malloc(operation->times * sizeof seen->spans[0]);
    if (operation->blocks_seen)
        seen->blocks = malloc(operation->block_count * sizeof seen->blocks[0]);
    if (!seen->spans || (operation->blocks_seen && !seen->blocks))
        return false;
    for (uint32_t i = 0; i < operation->times; i++)
        seen->spans[i] = (struct fit_span){FIT_NEVER, FIT_NEVER};
    for (uint32_t i = 0; operation->blocks_seen && i < operation->block_count; i++)
        seen->blocks[i] = (struct fit_block){FIT_NEVER, FIT_NEVER, UINT32_MAX};
    return true;
}

/* True if the call makes a kernel, a copy or a memset. */
static bool is_operation(const struct program_call *call)
{
    return call->kind == PROGRAM_KERNEL || call->kind == PROGRAM_COPY ||
           strcmp(call->kind_name, "memset") == 0;
}

/* The operation with events of that number. */
static struct fit_operation *with_events(struct fit_part *part, uint32_t number)
{
    for (uint32_t i = 0; i < part->operation_count; i++)
        if (part->operations[i].has_events && number-- == 0)
            return &part->operations[i];
    return NULL;
}

/* Which operation of a part each call of its process makes. */
static void part_map(struct watcher *watcher, struct fit_part *part,
                     const struct program_task *task)
{
    const uint32_t before = fit_experiment_prelude(watcher->experiment);
    const bool has_gate = fit_part_races(part) && before > 0;
    uint32_t count = 0, events = 0;

    for (uint32_t i = 0; i < task->call_count; i++) {
        const uint32_t number = task->first_call + i;
        const struct program_call *call = &watcher->streams.program.calls[number];

        if (strcmp(call->kind_name, "event record") == 0) {
            if (has_gate && events == 0)
                watcher->open_call = number;
            else
                watcher->recorded[number] = with_events(part, (events - has_gate) / 2);
            events++;
        }
        if (!is_operation(call))
            continue;
        if (count >= before && count - before < part->operation_count)
            watcher->operation_of[number] = &part->operations[count - before];
        count++;
    }
}

/* Which operation each call of the program makes. */
static bool calls_map(struct watcher *watcher)
{
    const struct program *program = &watcher->streams.program;

    watcher->operation_of = calloc(program->call_count + 1, sizeof(struct fit_operation *));
    watcher->recorded = calloc(program->call_count + 1, sizeof(struct fit_operation *));
    if (!watcher->operation_of || !watcher->recorded)
        return false;
    for (uint32_t task = 0; task < program->task_count; task++)
        if (part_of(watcher, task))
            part_map(watcher, part_of(watcher, task), &program->tasks[task]);
    return true;
}

static bool experiment_prepare(struct fit_experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->part_count; i++)
        for (uint32_t k = 0; k < experiment->parts[i].operation_count; k++)
            if (!seen_init(&experiment->parts[i].operations[k]))
                return false;
    return true;
}

static bool watcher_prepare(struct watcher *watcher)
{
    const struct fit_experiment *first = watcher->experiment;

    if (!experiment_prepare(watcher->experiment))
        return false;
    for (uint32_t i = 0; i < first->part_count; i++) {
        const uint32_t count = first->parts[i].operations[0].watched_count;

        watcher->begun_ns[i] = FIT_NEVER;
        watcher->watched[i] = calloc(count + 1, sizeof *watcher->watched[i]);
        if (!watcher->watched[i])
            return false;
        for (uint32_t k = 0; k < count; k++)
            watcher->watched[i][k] = (struct watched_block){FIT_NEVER, FIT_NEVER, false};
    }
    return calls_map(watcher);
}

static bool read_log(struct fit_experiment *experiment, struct event_log_reader *log,
                     struct gfe_error *error)
{
    struct watcher watcher = {.experiment = experiment, .open_call = UINT32_MAX};
    bool good;

    if (!streams_init(&watcher.streams, log, error))
        return false;
    good = model_init(&watcher.model, log, take_record, &watcher, error);
    if (good) {
        good = watcher_prepare(&watcher) && model_read(&watcher.model, log, error);
        if (!good)
            error_set_errno(error, ENOMEM, "%s", log_name);
        model_fini(&watcher.model);
    }
    for (uint32_t i = 0; i < FIT_PARTS_MAX; i++)
        free(watcher.watched[i]);
    free(watcher.operation_of);
    free(watcher.recorded);
    streams_fini(&watcher.streams);
    return good;
}

/* ---- the run --------------------------------------------------------------------------------- */

static struct scenario *scenario_of(const struct fit_experiment *experiment,
                                    const struct nv_chip *model, struct gfe_error *error)
{
    const struct scenario_options options = {.priority_levels = cuda_priority_levels(model),
                                             .model = model,
                                             .shares = cuda_mps_has_shares(model)};
    char *text = fit_experiment_scenario(experiment, model);
    struct scenario *scenario = NULL;

    if (text)
        scenario = scenario_parse(text, strlen(text), "the experiment", &options, error);
    else
        error_set_errno(error, ENOMEM, "the experiment");
    free(text);
    return scenario;
}

static bool simulate(struct simulation *simulation, const struct scenario *scenario,
                     struct chunk_writer *writer, struct gfe_error *error)
{
    return simulation_log_head(simulation, scenario->hash, error) &&
           simulation_run(simulation, GFE_PS_NEVER, error) &&
           simulation_log_end(simulation, error) && chunk_writer_finish(writer, error);
}

/* Runs the scenario, and writes its log to the descriptor. */
static bool run_to(int fd, const struct fit_experiment *experiment,
                   const struct fit_machine *machine, struct fit_begin begin,
                   const struct scenario *scenario, struct gfe_error *error)
{
    struct simulation_setting parameters[SETTINGS_MAX];
    char connections[NUMBER_BYTES], group[NUMBER_BYTES], singletons[NUMBER_BYTES];
    uint32_t count = 0;
    struct simulation_options options = {.gpu = machine->model->name,
                                         .described = machine->described,
                                         .seed = machine->seed,
                                         .max_events = FIT_EVENTS_MAX,
                                         .choices = machine->choices,
                                         .choice_count = machine->choice_count,
                                         .parameters = parameters};
    struct chunk_writer *writer = chunk_writer_new(fd, log_name, error);
    struct simulation *simulation = NULL;
    bool good = false;

    (void)snprintf(connections, sizeof connections, "%u", experiment->connections);
    if (fit_experiment_is_timed(experiment))
        parameters[count++] = (struct simulation_setting){"cuda.call_ps", call_ps};
    if (experiment->connections > 0)
        parameters[count++] = (struct simulation_setting){"cuda.channels", connections};
    (void)snprintf(group, sizeof group, "%u", begin.group);
    (void)snprintf(singletons, sizeof singletons, "%u", begin.singletons);
    parameters[count++] = (struct simulation_setting){"core.turns_group", group};
    parameters[count++] = (struct simulation_setting){"core.turns_singletons", singletons};
    for (uint32_t i = 0; i < machine->parameter_count && count < SETTINGS_MAX; i++)
        parameters[count++] = machine->parameters[i];
    options.parameter_count = count;
    options.log = writer;
    if (writer)
        simulation = simulation_new_scenario(scenario, &options, error);
    if (simulation)
        good = simulate(simulation, scenario, writer, error);
    simulation_free(simulation);
    chunk_writer_free(writer);
    return good;
}

/* Puts the name of the experiment in front of a message. */
static bool failed(const struct fit_experiment *experiment, const struct gfe_error *cause,
                   struct gfe_error *error)
{
    return error_set(error, cause->kind ? cause->kind : ERROR_SYSTEM, "%s:%u: %s: %s",
                     experiment->path, experiment->line, experiment->name, cause->text);
}

bool fit_experiment_run(struct fit_experiment *experiment, const struct fit_machine *machine,
                        struct fit_begin begin, struct gfe_error *error)
{
    struct gfe_error cause = {0};
    struct scenario *scenario = scenario_of(experiment, machine->model, &cause);
    struct event_log_reader *log = NULL;
    const int fd = scenario ? memfd_create("log", MFD_CLOEXEC) : -1;
    bool good = scenario && (fd >= 0 || error_set_errno(&cause, errno, "%s", log_name));

    good = good && run_to(fd, experiment, machine, begin, scenario, &cause);
    if (good && lseek(fd, 0, SEEK_SET) != 0)
        good = error_set_errno(&cause, errno, "%s", log_name);
    if (good)
        log = event_log_open_fd(fd, log_name, &cause);
    else if (fd >= 0)
        (void)close(fd);
    good = log && read_log(experiment, log, &cause);
    event_log_close(log);
    scenario_free(scenario);
    return good || failed(experiment, &cause, error);
}

/* ---- how it begins --------------------------------------------------------------------------- */

uint32_t fit_begin_count(const struct nv_chip *model)
{
    return model->vgpc_count > 0 ? 2 * model->vgpc_count : 1;
}

struct fit_begin fit_begin_of(uint32_t number)
{
    return (struct fit_begin){number / 2, number % 2};
}

bool fit_experiment_make(struct fit_experiment *experiment, const struct fit_machine *machine,
                         struct gfe_error *error)
{
    const uint32_t count = fit_begin_count(machine->model);
    uint64_t first, alike, most = 0;
    uint32_t best = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!fit_experiment_run(experiment, machine, fit_begin_of(i), error))
            return false;
        fit_first_blocks(experiment, &first, &alike);
        if (alike == first)
            return true;
        if (alike > most) {
            most = alike;
            best = i;
        }
    }
    return best == count - 1 || fit_experiment_run(experiment, machine, fit_begin_of(best), error);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* A program of one call, on which a machine can be wired. */
static const char any_program[] =
    "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[{\"name\":\"s\"}],\"tasks\":[{\"calls\":["
    "{\"sleep\":0}]}]}]}";

/* The number of the parameter of that row among those of all tables. */
static uint32_t parameter_number(const struct parameter *row)
{
    for (uint32_t i = 0; i < gfe_table_set_count; i++) {
        const struct table_set *set = gfe_table_sets[i];

        if (row >= set->parameters && row < set->parameters + set->parameter_count)
            return set->base + (uint32_t)(row - set->parameters);
    }
    return UINT32_MAX;
}

bool fit_parameter_value(const struct fit_machine *machine, const char *id, uint64_t *value,
                         struct gfe_error *error)
{
    const struct scenario_options how = {.priority_levels = 1, .model = machine->model};
    const struct simulation_options options = {.gpu = machine->model->name,
                                               .described = machine->described,
                                               .choices = machine->choices,
                                               .choice_count = machine->choice_count,
                                               .parameters = machine->parameters,
                                               .parameter_count = machine->parameter_count};
    struct scenario *scenario =
        scenario_parse(any_program, sizeof any_program - 1, "any program", &how, error);
    struct simulation *simulation =
        scenario ? simulation_new_scenario(scenario, &options, error) : NULL;
    const struct parameter *row =
        simulation ? machine_parameter_row(simulation->machine, id) : NULL;
    const uint32_t number = row ? parameter_number(row) : UINT32_MAX;

    if (number != UINT32_MAX)
        *value = machine_parameter(simulation->machine, number);
    else if (simulation)
        error_set(error, ERROR_USAGE,
                  "no parameter of this GPU is called '%s'; gfe rules lists them", id);
    simulation_free(simulation);
    scenario_free(scenario);
    return number != UINT32_MAX;
}
