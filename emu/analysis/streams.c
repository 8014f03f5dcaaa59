/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ROW_STREAM,
    ROW_OPERATION,
    ROW_SUBMIT,
    ROW_COMPLETE,
    ROW_GRID,
    ROW_COPY,
    ROW_HIP_QUEUE,
    ROW_HIP_LAUNCH,
    ROW_HIP_SUBMIT,
    ROW_HIP_RETURN,
    ROW_AMD_LAUNCH,
    ROWS
};

static const struct event_fields_row rows[ROWS] = {
    [ROW_STREAM] = {"CUDA_STREAM", {"stream_id", "process_id", "kind", "priority"}},
    [ROW_OPERATION] = {"CUDA_OPERATION",
                       {"operation_id", "stream_id", "task_id", "call_id", "iteration"}},
    [ROW_SUBMIT] = {"CUDA_SUBMIT", {"operation_id", "channel_id", "gp_sequence"}},
    [ROW_COMPLETE] = {"CUDA_COMPLETE", {"operation_id"}},
    [ROW_GRID] = {"GRID_QUEUE", {"grid_id", "channel_id", "gp_sequence"}},
    [ROW_COPY] = {"COPY_QUEUE", {"copy_id", "channel_id", "gp_sequence"}},
    [ROW_HIP_QUEUE] = {"HIP_QUEUE", {"stream_index", "process_index"}},
    [ROW_HIP_LAUNCH] = {"HIP_LAUNCH", {"plugin_index", "iteration_index"}},
    [ROW_HIP_SUBMIT] = {"HIP_SUBMIT", {"stream_index", "doorbell_index", "packet_index", "code"}},
    [ROW_HIP_RETURN] = {"HIP_RETURN", {"plugin_index", "iteration_index"}},
    [ROW_AMD_LAUNCH] = {"AMD_LAUNCH", {"doorbell_index", "packet_index", "grid_id"}},
};

bool streams_init(struct streams *streams, const struct event_log_reader *log,
                  struct gfe_error *error)
{
    *streams = (struct streams){0};
    if (!program_init(&streams->program, log, error))
        return false;
    streams->nths = calloc((size_t)streams->program.call_count + 1, sizeof streams->nths[0]);
    if (!streams->nths)
        error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    if (streams->nths && event_fields_bind(&streams->fields, log, rows, ROWS, error))
        return true;
    streams_fini(streams);
    return false;
}

void streams_fini(struct streams *streams)
{
    program_fini(&streams->program);
    event_fields_fini(&streams->fields);
    free(streams->operations);
    free(streams->nths);
    free(streams->list);
    id_map_fini(&streams->by_stream);
    id_map_fini(&streams->by_id);
    id_map_fini(&streams->by_entry);
    for (uint32_t i = 0; i < STREAMS_HARDWARE_KINDS; i++)
        id_map_fini(&streams->by_hardware[i]);
    *streams = (struct streams){0};
}

static struct streams_operation *found(const struct streams *streams, const struct id_map *map,
                                       uint64_t id)
{
    const uint32_t index = id_map_find(map, id);

    return index == ID_MAP_NONE ? NULL : &streams->operations[index];
}

/* A number that was given before keeps its first meaning. */
static bool map_once(struct id_map *map, uint64_t id, uint32_t index)
{
    return id_map_find(map, id) != ID_MAP_NONE || id_map_add(map, id, index);
}

/* The array with room for one more; NULL: no memory. */
static void *room(void *array, uint32_t count, uint32_t *capacity, size_t bytes)
{
    const uint32_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown;

    if (count < *capacity)
        return array;
    grown = wanted > *capacity ? realloc(array, wanted * bytes) : NULL;
    if (grown)
        *capacity = wanted;
    return grown;
}

static bool take_stream(struct streams *streams, const uint64_t *values)
{
    struct streams_stream *list =
        room(streams->list, streams->stream_count, &streams->stream_capacity, sizeof *list);

    if (!list)
        return false;
    streams->list = list;
    list[streams->stream_count] = (struct streams_stream){
        .id = values[0], .process = values[1], .kind = values[2], .priority = values[3]};
    return map_once(&streams->by_stream, values[0], streams->stream_count++);
}

static bool take_operation(struct streams *streams, gfe_ps now_ps, const uint64_t *values)
{
    const struct program_call *call = program_call(&streams->program, values[3]);
    const uint32_t number = call ? (uint32_t)values[3] : PROGRAM_NONE;
    struct streams_operation *operations = room(streams->operations, streams->operation_count,
                                                &streams->operation_capacity, sizeof *operations);

    if (!operations)
        return false;
    streams->operations = operations;
    operations[streams->operation_count] = (struct streams_operation){
        .id = values[0],
        .stream_id = values[1],
        .iteration = values[4],
        .called_ps = now_ps,
        .submitted_ps = GFE_PS_NEVER,
        .completed_ps = GFE_PS_NEVER,
        .task = program_task(&streams->program, values[2]) ? (uint32_t)values[2] : PROGRAM_NONE,
        .call = number,
        .nth = call ? ++streams->nths[call->first_same] : 1,
        .hardware = STREAMS_NOTHING,
    };
    return map_once(&streams->by_id, values[0], streams->operation_count++);
}

/* Channels have 22 bits, and no run has so many entries; those of a damaged log may meet. */
static uint64_t entry_key(uint64_t channel_id, uint64_t gp_sequence)
{
    return channel_id << 40 ^ gp_sequence;
}

static bool take_submit(struct streams *streams, gfe_ps now_ps, const uint64_t *values)
{
    struct streams_operation *operation = found(streams, &streams->by_id, values[0]);

    if (!operation)
        return true;
    operation->submitted_ps = now_ps;
    operation->channel_id = values[1];
    operation->gp_sequence = values[2];
    return map_once(&streams->by_entry, entry_key(values[1], values[2]),
                    (uint32_t)(operation - streams->operations));
}

/* NULL: of no operation. */
static bool become(struct streams *streams, struct streams_operation *operation,
                   enum streams_hardware hardware, uint64_t id)
{
    if (!operation || operation->hardware != STREAMS_NOTHING)
        return true;
    operation->hardware = hardware;
    operation->hardware_id = id;
    return map_once(&streams->by_hardware[hardware], id,
                    (uint32_t)(operation - streams->operations));
}

static bool take_queue(struct streams *streams, enum streams_hardware hardware,
                       const uint64_t *values)
{
    return become(streams, found(streams, &streams->by_entry, entry_key(values[1], values[2])),
                  hardware, values[0]);
}

/* ---- HIP ------------------------------------------------------------------------------------- */

enum { HIP_SUBMIT_KERNEL = 2 }; /* AQL's type of a dispatch */

static bool take_hip_queue(struct streams *streams, const uint64_t *values)
{
    const uint64_t stream[] = {values[0], values[1], 0, 0};

    return take_stream(streams, stream);
}

static bool take_hip_launch(struct streams *streams, gfe_ps now_ps, const uint64_t *values)
{
    const uint64_t operation[] = {hip_calls_number(values[0], values[1]), values[0], values[0],
                                  values[0], values[1]};

    hip_calls_launch(&streams->hip, values[0], values[1]);
    return operation[0] == HIP_CALLS_NONE || take_operation(streams, now_ps, operation);
}

static bool take_hip_submit(struct streams *streams, gfe_ps now_ps, const uint64_t *values)
{
    struct streams_operation *operation;

    if (values[3] != HIP_SUBMIT_KERNEL)
        return true;
    operation = found(streams, &streams->by_id,
                      hip_calls_submit(&streams->hip, values[0], values[1], values[2]));
    if (operation)
        operation->submitted_ps = now_ps;
    return true;
}

static bool take_hip_return(struct streams *streams, gfe_ps now_ps, const uint64_t *values)
{
    struct streams_operation *operation =
        found(streams, &streams->by_id, hip_calls_number(values[0], values[1]));

    hip_calls_return(&streams->hip, values[0]);
    if (operation)
        operation->completed_ps = now_ps;
    return true;
}

static bool take_amd_launch(struct streams *streams, const uint64_t *values)
{
    return become(
        streams,
        found(streams, &streams->by_id, hip_calls_grid(&streams->hip, values[0], values[1])),
        STREAMS_GRID, values[2]);
}

bool streams_take(struct streams *streams, const struct log_event *event)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    const uint32_t row = event_fields_take(&streams->fields, event, values);
    struct streams_operation *operation;

    switch (row) {
    case ROW_STREAM:
        return take_stream(streams, values);
    case ROW_OPERATION:
        return take_operation(streams, event->time_ps, values);
    case ROW_SUBMIT:
        return take_submit(streams, event->time_ps, values);
    case ROW_COMPLETE:
        operation = found(streams, &streams->by_id, values[0]);
        if (operation)
            operation->completed_ps = event->time_ps;
        return true;
    case ROW_GRID:
    case ROW_COPY:
        return take_queue(streams, row == ROW_GRID ? STREAMS_GRID : STREAMS_COPY, values);
    case ROW_HIP_QUEUE:
        return take_hip_queue(streams, values);
    case ROW_HIP_LAUNCH:
        return take_hip_launch(streams, event->time_ps, values);
    case ROW_HIP_SUBMIT:
        return take_hip_submit(streams, event->time_ps, values);
    case ROW_HIP_RETURN:
        return take_hip_return(streams, event->time_ps, values);
    case ROW_AMD_LAUNCH:
        return take_amd_launch(streams, values);
    default:
        return true;
    }
}

const struct streams_operation *streams_of_id(const struct streams *streams, uint64_t id)
{
    return found(streams, &streams->by_id, id);
}

const struct streams_operation *streams_of_hardware(const struct streams *streams,
                                                    enum streams_hardware hardware, uint64_t id)
{
    return found(streams, &streams->by_hardware[hardware], id);
}

uint32_t streams_index(const struct streams *streams, uint64_t stream_id)
{
    return id_map_find(&streams->by_stream, stream_id);
}

const char *streams_word(uint64_t kind)
{
    return kind == 2 ? "NULL stream" : kind == 3 ? "default stream" : "stream";
}

char *streams_name(const struct streams *streams, const struct streams_operation *operation,
                   char to[STREAMS_NAME_BYTES])
{
    const struct program_call *call =
        operation ? program_call(&streams->program, operation->call) : NULL;

    to[0] = 0;
    if (call && operation->nth > 1)
        (void)snprintf(to, STREAMS_NAME_BYTES, "%s#%" PRIu32, call->label, operation->nth);
    else if (call)
        (void)snprintf(to, STREAMS_NAME_BYTES, "%s", call->label);
    else if (operation)
        (void)snprintf(to, STREAMS_NAME_BYTES, "operation %" PRIu64, operation->id);
    return to;
}
