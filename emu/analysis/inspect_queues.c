/* SPDX-License-Identifier: MIT */
/* Where everything is after an event: taken from the events. */
#include <config.h>

#include "emu/analysis/inspect_queues.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/inspect_queues_private.h"

enum {
    ROW_STREAM,
    ROW_OPERATION,
    ROW_CHANNEL,
    ROW_CHANNEL_FREE,
    ROW_GRID_QUEUE,
    ROW_GRID_COST,
    ROW_GRID_DISPATCHED,
    ROW_GRID_END,
    ROW_GRID_DROP,
    ROW_GRID_SUSPEND,
    ROW_GRID_RESUME,
    ROW_BLOCK_START,
    ROW_BLOCK_GO_ON,
    ROW_BLOCK_END,
    ROW_BLOCK_STOP,
    ROW_COPY_QUEUE,
    ROW_COPY_START,
    ROW_COPY_END,
    ROW_COPY_DROP,
    ROW_COPY_SUSPEND,
    ROW_COPY_RESUME,
    ROW_CLIENT,
    ROW_AMD, /* enum queues_amd_row */
    ROW_WAIT =
        ROW_AMD +
        QUEUES_AMD_ROWS, /* after the time that is looked at: waits are logged when they end */
    ROW_WAIT_OPEN,
    ROWS
};

/* clang-format off */
static const struct event_fields_row rows[ROWS] = {
    [ROW_STREAM] = {"CUDA_STREAM", {"stream_id", "process_id", "kind", "priority"}},
    [ROW_OPERATION] = {"CUDA_OPERATION", {"stream_id"}},
    [ROW_CHANNEL] = {"CUDA_CHANNEL", {"stream_id", "channel_id"}},
    [ROW_CHANNEL_FREE] = {"CUDA_CHANNEL_FREE", {"stream_id"}},
    [ROW_GRID_QUEUE] = {"GRID_QUEUE", {"grid_id", "channel_id", "block_count"}},
    [ROW_GRID_COST] = {"GRID_COST", {"grid_id", "priority"}},
    [ROW_GRID_DISPATCHED] = {"GRID_DISPATCHED", {"grid_id"}},
    [ROW_GRID_END] = {"GRID_END", {"grid_id"}},
    [ROW_GRID_DROP] = {"GRID_DROP", {"grid_id"}},
    [ROW_GRID_SUSPEND] = {"GRID_SUSPEND", {"grid_id"}},
    [ROW_GRID_RESUME] = {"GRID_RESUME", {"grid_id"}},
    [ROW_BLOCK_START] = {"BLOCK_START", {"grid_id", "block_index", "sm_index"}},
    [ROW_BLOCK_GO_ON] = {"AMD_BLOCK_GO_ON", {"grid_id", "block_index", "sm_index"}},
    [ROW_BLOCK_END] = {"BLOCK_END", {"grid_id", "block_index", "sm_index"}},
    [ROW_BLOCK_STOP] = {"AMD_BLOCK_STOP", {"grid_id", "block_index", "sm_index"}},
    [ROW_COPY_QUEUE] = {"COPY_QUEUE", {"copy_id", "channel_id", "engine_id"}},
    [ROW_COPY_START] = {"COPY_START", {"copy_id"}},
    [ROW_COPY_END] = {"COPY_END", {"copy_id"}},
    [ROW_COPY_DROP] = {"COPY_DROP", {"copy_id"}},
    [ROW_COPY_SUSPEND] = {"COPY_SUSPEND", {"copy_id"}},
    [ROW_COPY_RESUME] = {"COPY_RESUME", {"copy_id"}},
    [ROW_CLIENT] = {"CUDA_CLIENT", {"process_id"}},
    [ROW_AMD + QUEUES_AMD_LOAD] = {"AMD_QUEUE_LOAD", {"slot_id", "doorbell_index", "read_index",
                                                      "is_aql"}},
    [ROW_AMD + QUEUES_AMD_LEAVE] = {"AMD_QUEUE_LEAVE", {"slot_id", "doorbell_index"}},
    [ROW_AMD + QUEUES_AMD_RING] = {"AMD_DOORBELL", {"doorbell_index", "write_index"}},
    [ROW_AMD + QUEUES_AMD_SUBMIT] = {"HIP_SUBMIT", {"doorbell_index", "packet_index"}},
    [ROW_AMD + QUEUES_AMD_PACKET] = {"AMD_PACKET", {"doorbell_index", "packet_index", "is_aql"}},
    [ROW_AMD + QUEUES_AMD_STREAM] = {"HIP_QUEUE", {"doorbell_index", "stream_index"}},
    [ROW_WAIT] = {"WAIT", {"begin_ps", "subject_kind", "subject_id"}},
    [ROW_WAIT_OPEN] = {"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id"}},
};
/* clang-format on */

const struct inspect_view inspect_queues_view = {
    "queues", NULL,         "streams' queues, those of kernels and copies, blocks on SMs",
    NULL,     queues_print, false};

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

/* ---- events ---------------------------------------------------------------------------------- */

static bool take_stream(struct queues *queues, uint32_t row, const uint64_t *values)
{
    struct queues_stream *stream = stream_of(queues, values[0]);

    if (!stream)
        return false;
    if (row == ROW_STREAM) {
        stream->process = values[1];
        stream->kind = values[2];
        stream->priority = values[3];
    } else if (row == ROW_CHANNEL) {
        stream->channel_id = values[1];
    } else if (row == ROW_CHANNEL_FREE) {
        stream->channel_id = QUEUES_NONE;
    }
    return true;
}

static bool take_grid_queue(struct queues *queues, const uint64_t *values)
{
    struct queues_grid *grid = queues_find_or_add(&queues->grid_list, sizeof *grid, values[0]);

    if (!grid)
        return false;
    *grid = (struct queues_grid){
        .id = values[0],
        .channel_id = queues->words.is_amd ? queues_amd_in(queues, values[1]) : values[1],
        .block_count = values[2]};
    return true;
}

static void take_grid(struct queues_grid *grid, uint32_t row, const uint64_t *values)
{
    if (row == ROW_GRID_COST) {
        grid->priority = values[1];
        grid->has_priority = true;
    } else if (row == ROW_GRID_DISPATCHED) {
        grid->state = QUEUES_DISPATCHED;
    } else if (row == ROW_GRID_END || row == ROW_GRID_DROP) {
        grid->state = QUEUES_GONE;
    } else {
        grid->suspended = row == ROW_GRID_SUSPEND;
    }
}

static bool block_starts(struct queues *queues, const uint64_t *values, bool is_new)
{
    struct queues_grid *grid = grid_of(queues, values[0]);
    struct queues_sm *sm = queues_find_or_add(&queues->sm_list, sizeof *sm, values[2]);

    if (!sm)
        return false;
    sm->id = values[2];
    if (grid && is_new) {
        grid->assigned++;
        grid->state = grid->state == QUEUES_QUEUED ? QUEUES_STARTED : grid->state;
    }
    if (sm->block_count == QUEUES_BLOCKS_MAX)
        return true; /* no SM has so many: a damaged log */
    if (sm->block_count == sm->block_capacity) {
        const uint32_t capacity = sm->block_capacity ? 2 * sm->block_capacity : 16;
        struct queues_block *blocks = realloc(sm->blocks, capacity * sizeof *blocks);

        if (!blocks)
            return false;
        sm->blocks = blocks;
        sm->block_capacity = capacity;
    }
    sm->blocks[sm->block_count++] = (struct queues_block){values[0], values[1]};
    return true;
}

static void block_ends(struct queues *queues, const uint64_t *values)
{
    struct queues_sm *sm = find(&queues->sm_list, sizeof *sm, values[2]);

    for (uint32_t i = 0; sm && i < sm->block_count; i++)
        if (sm->blocks[i].grid_id == values[0] && sm->blocks[i].index == values[1]) {
            sm->blocks[i] = sm->blocks[--sm->block_count];
            return;
        }
}

static bool take_copy_queue(struct queues *queues, const uint64_t *values)
{
    struct queues_copy *copy = queues_find_or_add(&queues->copy_list, sizeof *copy, values[0]);
    uint64_t *engine =
        copy ? queues_find_or_add(&queues->engine_list, sizeof *engine, values[2]) : NULL;

    if (!engine)
        return false;
    *engine = values[2];
    *copy = (struct queues_copy){.id = values[0], .channel_id = values[1], .engine = values[2]};
    return true;
}

static void take_copy(struct queues_copy *copy, uint32_t row)
{
    if (row == ROW_COPY_START)
        copy->state = QUEUES_STARTED;
    else if (row == ROW_COPY_END || row == ROW_COPY_DROP)
        copy->state = QUEUES_GONE;
    else
        copy->suspended = row == ROW_COPY_SUSPEND;
}

/* False: no memory. */
static bool take_event(struct queues *queues, const struct log_event *event)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    const uint32_t row = event_fields_take(&queues->fields, event, values);
    struct queues_grid *grid;
    struct queues_copy *copy;

    queues->last_ps = event->time_ps;
    if (!streams_take(&queues->streams, event))
        return false;
    queues->mps |= row == ROW_CLIENT;
    if (row <= ROW_CHANNEL_FREE)
        return take_stream(queues, row, values);
    if (row == ROW_GRID_QUEUE)
        return take_grid_queue(queues, values);
    if (row == ROW_BLOCK_START || row == ROW_BLOCK_GO_ON)
        return block_starts(queues, values, row == ROW_BLOCK_START);
    if (row == ROW_COPY_QUEUE)
        return take_copy_queue(queues, values);
    if (row >= ROW_AMD && row < ROW_WAIT)
        return queues_amd_take(queues, (enum queues_amd_row)(row - ROW_AMD), values);
    if (row == ROW_BLOCK_END || row == ROW_BLOCK_STOP) {
        block_ends(queues, values);
    } else if (row < ROW_BLOCK_START) {
        grid = grid_of(queues, values[0]);
        if (grid)
            take_grid(grid, row, values);
    } else if (row < ROW_CLIENT) {
        copy = copy_of(queues, values[0]);
        if (copy)
            take_copy(copy, row);
    }
    return true;
}

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

/* The rest of the log, from the event on that comes next, says by which rule they waited. */
static bool read_waits(struct queues *queues, struct event_log_reader *log, gfe_ps now_ps,
                       struct log_event *event, struct gfe_error *error)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    enum event_log_result result;

    queues->rules = calloc((size_t)queues->streams.operation_count + 1, sizeof queues->rules[0]);
    if (!queues->rules)
        return error_set(error, ERROR_SYSTEM, "no memory for the view");
    do {
        const uint32_t row = event_fields_take(&queues->fields, event, values);

        if ((row == ROW_WAIT || row == ROW_WAIT_OPEN) && values[0] <= now_ps)
            take_wait(queues, event->rule, values[1], values[2]);
        result = event_log_read(log, event, error);
    } while (result == EVENT_LOG_GOT);
    return result == EVENT_LOG_AT_END;
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

/* Reads the log to the time or event, and what is left of it for the waits. */
static bool read_all(struct queues *queues, struct event_log_reader *log, gfe_ps at_ps,
                     uint64_t event_count, struct gfe_error *error)
{
    enum event_log_result result;
    struct log_event event;
    uint64_t count = 0;

    while ((result = event_log_read(log, &event, error)) == EVENT_LOG_GOT && count < event_count &&
           event.time_ps <= at_ps) {
        if (!take_event(queues, &event))
            return error_set(error, ERROR_SYSTEM, "no memory for the view");
        count++;
    }
    if (result == EVENT_LOG_FAILED)
        return false;
    if (event_count != UINT64_MAX && count < event_count)
        return error_set(error, ERROR_INPUT, "%s: it has %" PRIu64 " events, not %" PRIu64,
                         event_log_name(log), count, event_count);
    if (result == EVENT_LOG_AT_END)
        event = (struct log_event){.kind = UINT16_MAX};
    return read_waits(queues, log, at_ps == GFE_PS_NEVER ? queues->last_ps : at_ps, &event, error);
}

static void queues_fini(struct queues *queues)
{
    struct queues_list *const lists[] = {&queues->stream_list, &queues->grid_list,
                                         &queues->copy_list,   &queues->engine_list,
                                         &queues->sm_list,     &queues->queue_list};
    struct queues_sm *sms = queues->sm_list.at;

    for (uint32_t i = 0; i < queues->sm_list.count; i++)
        free(sms[i].blocks);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        free(lists[i]->at);
        id_map_fini(&lists[i]->map);
    }
    free(queues->rules);
    streams_fini(&queues->streams);
    event_fields_fini(&queues->fields);
}

json_t *inspect_queues(struct event_log_reader *log, gfe_ps at_ps, uint64_t event_count,
                       struct gfe_error *error)
{
    struct queues queues = {.log = log};
    json_t *json = NULL;

    if (!streams_init(&queues.streams, log, error))
        return NULL;
    gpu_words_init(&queues.words, log);
    if (event_fields_bind(&queues.fields, log, rows, ROWS, error) &&
        read_all(&queues, log, at_ps, event_count, error)) {
        tasks_take(&queues);
        json = queues_json(&queues, at_ps);
        if (!json)
            error_set(error, ERROR_SYSTEM, "no memory for the view");
    }
    queues_fini(&queues);
    return json;
}
