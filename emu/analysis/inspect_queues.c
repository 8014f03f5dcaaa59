/* SPDX-License-Identifier: MIT */
/* Where everything is after an event: taken from the model's records. */
#include <config.h>

#include "emu/analysis/inspect_queues.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/inspect_queues_private.h"

const struct inspect_view inspect_queues_view = {
    "queues",   NULL,         "streams' queues, those of kernels and copies, blocks on SMs",
    NULL,       queues_print, false,
    INSPECT_ALL};

/* ---- lists ----------------------------------------------------------------------------------- */

const void *queues_find(const struct queues_list *list, size_t bytes, uint64_t id)
{
    const uint32_t index = id_map_find(&list->map, id);

    return index == ID_MAP_NONE ? NULL : (const char *)list->at + index * bytes;
}

static void *find(struct queues_list *list, size_t bytes, uint64_t id)
{
    const uint32_t index = id_map_find(&list->map, id);

    return index == ID_MAP_NONE ? NULL : (char *)list->at + index * bytes;
}

/* The thing of that number, made of zeroes when it is new; NULL: no memory. */
void *queues_find_or_add(struct queues_list *list, size_t bytes, uint64_t id)
{
    void *there = find(list, bytes, id);

    if (there)
        return there;
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
        void *grown = capacity > list->capacity ? realloc(list->at, capacity * bytes) : NULL;

        if (!grown)
            return NULL;
        list->at = grown;
        list->capacity = capacity;
    }
    if (!id_map_add(&list->map, id, list->count))
        return NULL;
    there = (char *)list->at + list->count++ * bytes;
    memset(there, 0, bytes);
    return there;
}

static struct queues_grid *grid_of(struct queues *queues, uint64_t id)
{
    return find(&queues->grid_list, sizeof(struct queues_grid), id);
}

static struct queues_copy *copy_of(struct queues *queues, uint64_t id)
{
    return find(&queues->copy_list, sizeof(struct queues_copy), id);
}

static struct queues_stream *stream_of(struct queues *queues, uint64_t id)
{
    const uint32_t count = queues->stream_list.count;
    struct queues_stream *stream = queues_find_or_add(&queues->stream_list, sizeof *stream, id);

    if (stream && queues->stream_list.count > count) {
        stream->id = id;
        stream->channel_id = QUEUES_NONE;
    }
    return stream;
}

char *queues_name(const struct queues *queues, enum streams_hardware hardware, uint64_t id,
                  char to[QUEUES_NAME_BYTES])
{
    const struct streams_operation *operation = streams_of_hardware(&queues->streams, hardware, id);

    if (operation)
        return streams_name(&queues->streams, operation, to);
    (void)snprintf(to, QUEUES_NAME_BYTES, "%s %" PRIu64,
                   hardware == STREAMS_GRID ? queues->words.grid : "copy", id);
    return to;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool take_stream(struct queues *queues, const struct model_stream *record)
{
    struct queues_stream *stream = stream_of(queues, record->id);

    if (!stream)
        return false;
    stream->process = record->process;
    stream->kind = record->kind;
    stream->priority = record->priority;
    return true;
}

/* `channel_id` QUEUES_NONE: it gives the channel back. */
static bool stream_holds(struct queues *queues, uint64_t stream_id, uint64_t channel_id)
{
    struct queues_stream *stream = stream_of(queues, stream_id);

    if (!stream)
        return false;
    stream->channel_id = channel_id;
    return true;
}

static bool take_grid_queue(struct queues *queues, const struct model_grid *record)
{
    struct queues_grid *grid = queues_find_or_add(&queues->grid_list, sizeof *grid, record->id);

    if (!grid)
        return false;
    *grid = (struct queues_grid){.id = record->id,
                                 .channel_id = model_grid_channel(record),
                                 .block_count = record->block_count};
    return true;
}

static void take_cost(struct queues *queues, const struct model_cost *cost)
{
    struct queues_grid *grid = grid_of(queues, cost->id);

    if (!grid)
        return;
    grid->priority = cost->priority;
    grid->has_priority = true;
}

static bool take_copy_queue(struct queues *queues, const struct model_copy *record)
{
    struct queues_copy *copy = queues_find_or_add(&queues->copy_list, sizeof *copy, record->id);
    uint64_t *engine =
        copy ? queues_find_or_add(&queues->engine_list, sizeof *engine, record->engine_id) : NULL;

    if (!engine)
        return false;
    *engine = record->engine_id;
    *copy = (struct queues_copy){
        .id = record->id, .channel_id = record->channel_id, .engine = record->engine_id};
    return true;
}

/* Returns false when memory is short. */
/* clang-format off */
static bool take_state(struct queues *queues, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_CLIENT: queues->mps = true; break;
    case MODEL_STREAM: return take_stream(queues, &record->stream);
    case MODEL_STREAM_CALLED: return stream_of(queues, record->stream_operation.stream_id) != NULL;
    case MODEL_STREAM_HELD:
        return stream_holds(queues, record->stream_channel.stream_id,
                            record->stream_channel.channel_id);
    case MODEL_STREAM_FREED:
        return stream_holds(queues, record->stream_channel.stream_id, QUEUES_NONE);
    case MODEL_GRID_HANDED: return take_grid_queue(queues, &record->grid);
    case MODEL_COST: take_cost(queues, &record->cost); break;
    case MODEL_COPY_HANDED: return take_copy_queue(queues, &record->copy);
    case MODEL_QUEUE_LOADED: return queues_amd_loaded(queues, &record->queue);
    case MODEL_QUEUE_LEFT: return queues_amd_left(queues, &record->queue);
    case MODEL_QUEUE_RANG: return queues_amd_rang(queues, &record->ring);
    case MODEL_PACKET_BEGUN: return queues_amd_packet(queues, &record->packet);
    case MODEL_HIP_STREAM: return queues_amd_stream(queues, &record->hip_queue);
    case MODEL_HIP_PACKET: return queues_amd_submitted(queues, &record->hip_submit);
    /* passed over; the model keeps operations and blocks; waits are looked at afterwards */
    case MODEL_QUEUE_LOST:
    case MODEL_WORK_BEGUN: case MODEL_STARTED: case MODEL_DISPATCHED: case MODEL_SUSPENDED:
    case MODEL_RESUMED: case MODEL_ENDED: case MODEL_DROPPED: case MODEL_COPY_REFUSED:
    case MODEL_COPY_LOST: case MODEL_SLOT_MAPPED: case MODEL_SLOT_PREEMPTED:
    case MODEL_QUEUE_SAVED: case MODEL_QUEUE_SAVE_REFUSED: case MODEL_QUEUE_RESTORED:
    case MODEL_PACKET_ENDED: case MODEL_PACKET_LAUNCHED: case MODEL_QUEUE_SIGNALLED:
    case MODEL_QUEUE_WROTE: case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_DISPATCH_BEGUN:
    case MODEL_ACE_TURN: case MODEL_QUEUE_MADE: case MODEL_STREAM_SUBMITTED:
    case MODEL_STREAM_COMPLETED: case MODEL_TASK: case MODEL_TASK_CALLED: case MODEL_TASK_ITERATED:
    case MODEL_HIP_CALLED: case MODEL_HIP_DONE: MODEL_PROGRAM_RECORDS(MODEL_CASE)
    MODEL_WAIT_RECORDS(MODEL_CASE) MODEL_BLOCK_RECORDS(MODEL_CASE) MODEL_CHANNEL_RECORDS(MODEL_CASE)
    MODEL_METHOD_RECORDS(MODEL_CASE) MODEL_SDMA_RECORDS(MODEL_CASE)
    MODEL_OTHER_RECORDS(MODEL_CASE)
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

/* ---- why things wait ------------------------------------------------------------------------- */

/* A wait that had begun by then and ends now. */
static void take_wait(struct queues *queues, uint32_t rule, uint64_t kind, uint64_t id)
{
    const struct streams_operation *operation;
    struct queues_queue *queue;
    struct queues_grid *grid;
    struct queues_copy *copy;

    if (kind == SUBJECT_QUEUE) {
        queue = find(&queues->queue_list, sizeof *queue, id);
        if (queue)
            queue->rule = rule;
    } else if (kind == SUBJECT_OPERATION) {
        operation = streams_of_id(&queues->streams, id);
        if (operation)
            queues->rules[operation - queues->streams.operations] = rule;
    } else if (kind == SUBJECT_GRID) {
        grid = grid_of(queues, id);
        if (grid)
            grid->rule = rule;
    } else if (kind == SUBJECT_COPY) {
        copy = copy_of(queues, id);
        if (copy)
            copy->rule = rule;
    }
}

/* The listener of the model. */
static bool take_record(void *context, const struct model_record *record)
{
    struct queues *queues = context;

    if (queues->is_after) {
        if ((record->type == MODEL_WAITED || record->type == MODEL_WAIT_UNENDED) &&
            record->wait.begin_ps <= queues->at_ps)
            take_wait(queues, record->rule, record->wait.subject_kind, record->wait.subject_id);
        return true;
    }
    queues->last_ps = record->now_ps;
    return streams_take(&queues->streams, record) && take_state(queues, record);
}

/* The rest of the log, from the event on that comes next, says by which rule they waited. */
static bool read_waits(struct queues *queues, struct event_log_reader *log,
                       const struct log_event *event, struct gfe_error *error)
{
    queues->is_after = true;
    queues->rules = calloc((size_t)queues->streams.operation_count + 1, sizeof queues->rules[0]);
    if (!queues->rules)
        return error_set(error, ERROR_SYSTEM, "no memory for the view");
    return (!event || model_take(&queues->model, event)) && model_read(&queues->model, log, error);
}

const char *queues_rule(const struct queues *queues, uint32_t rule)
{
    const struct event_log_rule *row = rule == RULE_NONE ? NULL : event_log_rule(queues->log, rule);

    return row ? row->label : NULL;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Who puts kernels and copies into which stream. */
static void tasks_take(struct queues *queues)
{
    const struct program *program = &queues->streams.program;

    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct program_call *call = &program->calls[i];
        struct queues_stream *stream = find(&queues->stream_list, sizeof *stream, call->stream);
        bool known = !stream || call->task == PROGRAM_NONE ||
                     (call->kind == PROGRAM_OTHER && strcmp(call->kind_name, "memset") != 0);

        for (uint32_t t = 0; !known && t < stream->task_count; t++)
            known = stream->tasks[t] == call->task;
        if (!known && stream->task_count < QUEUES_TASKS_MAX)
            stream->tasks[stream->task_count++] = call->task;
    }
}

/* ---- the state at that time ------------------------------------------------------------------ */

static enum queues_state state_of(const struct model_live *live)
{
    if (!live)
        return QUEUES_GONE;
    if (live->dispatched_ps != GFE_PS_NEVER)
        return QUEUES_DISPATCHED;
    /* A grid starts with its first block. */
    if (live->operation == MODEL_GRID ? live->begun_count > 0 : live->start_ps != GFE_PS_NEVER)
        return QUEUES_STARTED;
    return QUEUES_QUEUED;
}

static bool is_suspended(const struct model_live *live)
{
    return live && live->start_ps != GFE_PS_NEVER && live->piece_ps == GFE_PS_NEVER;
}

/* Notes what the model keeps, which goes on with the rest of the log.  Returns false when memory is
 * short. */
static bool state_note(struct queues *queues)
{
    struct queues_grid *grids = queues->grid_list.at;
    struct queues_copy *copies = queues->copy_list.at;

    for (uint32_t i = 0; i < queues->grid_list.count; i++) {
        const struct model_live *live = model_live(&queues->model, MODEL_GRID, grids[i].id);

        grids[i].state = state_of(live);
        grids[i].suspended = is_suspended(live);
        grids[i].assigned = live ? live->begun_count : grids[i].block_count;
    }
    for (uint32_t i = 0; i < queues->copy_list.count; i++) {
        const struct model_live *live = model_live(&queues->model, MODEL_COPY, copies[i].id);

        copies[i].state = state_of(live);
        copies[i].suspended = is_suspended(live);
    }
    queues->sms = queues_sms_json(queues);
    return queues->sms != NULL;
}

/* Reads the log to the time or event, and what is left of it for the waits. */
static bool read_all(struct queues *queues, struct event_log_reader *log, gfe_ps at_ps,
                     uint64_t event_count, struct gfe_error *error)
{
    enum event_log_result result;
    struct log_event event;
    uint64_t count = 0;

    while ((result = event_log_read(log, &event, error)) == EVENT_LOG_GOT && count < event_count &&
           event.time_ps <= at_ps) {
        if (!model_take(&queues->model, &event))
            return error_set(error, ERROR_SYSTEM, "no memory for the view");
        count++;
    }
    if (result == EVENT_LOG_FAILED)
        return false;
    if (event_count != UINT64_MAX && count < event_count)
        return error_set(error, ERROR_INPUT, "%s: it has %" PRIu64 " events, not %" PRIu64,
                         event_log_name(log), count, event_count);
    queues->at_ps = at_ps == GFE_PS_NEVER ? queues->last_ps : at_ps;
    if (!state_note(queues))
        return error_set(error, ERROR_SYSTEM, "no memory for the view");
    return read_waits(queues, log, result == EVENT_LOG_AT_END ? NULL : &event, error);
}

static void queues_fini(struct queues *queues)
{
    struct queues_list *const lists[] = {&queues->stream_list, &queues->grid_list,
                                         &queues->copy_list, &queues->engine_list,
                                         &queues->queue_list};

    json_decref(queues->sms);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        free(lists[i]->at);
        id_map_fini(&lists[i]->map);
    }
    free(queues->rules);
    streams_fini(&queues->streams);
    model_fini(&queues->model);
}

json_t *inspect_queues(struct event_log_reader *log, gfe_ps at_ps, uint64_t event_count,
                       struct gfe_error *error)
{
    struct queues queues = {.log = log};
    json_t *json = NULL;

    if (!streams_init(&queues.streams, log, error))
        return NULL;
    gpu_words_init(&queues.words, log);
    if (model_init(&queues.model, log, take_record, &queues, error) &&
        read_all(&queues, log, at_ps, event_count, error)) {
        tasks_take(&queues);
        json = queues_json(&queues, at_ps);
        if (!json)
            error_set(error, ERROR_SYSTEM, "no memory for the view");
    }
    queues_fini(&queues);
    return json;
}
