/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool streams_init(struct streams *streams, const struct event_log_reader *log,
                  struct gfe_error *error)
{
    *streams = (struct streams){0};
    if (!program_init(&streams->program, log, error))
        return false;
    streams->nths = calloc((size_t)streams->program.call_count + 1, sizeof streams->nths[0]);
    if (!streams->nths)
        error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    if (streams->nths)
        return true;
    streams_fini(streams);
    return false;
}

void streams_fini(struct streams *streams)
{
    program_fini(&streams->program);
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

/* Returns the array with room for one more element, or NULL without memory. */
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

static bool take_stream(struct streams *streams, const struct model_stream *stream)
{
    struct streams_stream *list =
        room(streams->list, streams->stream_count, &streams->stream_capacity, sizeof *list);

    if (!list)
        return false;
    streams->list = list;
    list[streams->stream_count] = (struct streams_stream){.id = stream->id,
                                                          .process = stream->process,
                                                          .kind = stream->kind,
                                                          .priority = stream->priority};
    return map_once(&streams->by_stream, stream->id, streams->stream_count++);
}

static bool take_operation(struct streams *streams, gfe_ps now_ps,
                           const struct model_stream_operation *called)
{
    const struct program_call *call = program_call(&streams->program, called->call);
    const uint32_t number = call ? (uint32_t)called->call : PROGRAM_NONE;
    struct streams_operation *operations = room(streams->operations, streams->operation_count,
                                                &streams->operation_capacity, sizeof *operations);

    if (!operations)
        return false;
    streams->operations = operations;
    operations[streams->operation_count] = (struct streams_operation){
        .id = called->id,
        .stream_id = called->stream_id,
        .iteration = called->iteration,
        .called_ps = now_ps,
        .submitted_ps = GFE_PS_NEVER,
        .completed_ps = GFE_PS_NEVER,
        .task =
            program_task(&streams->program, called->task) ? (uint32_t)called->task : PROGRAM_NONE,
        .call = number,
        .nth = call ? ++streams->nths[call->first_same] : 1,
        .hardware = STREAMS_NOTHING,
    };
    return map_once(&streams->by_id, called->id, streams->operation_count++);
}

/* Channels have 22 bits, and no run has so many entries; those of a damaged log may meet. */
static uint64_t entry_key(uint64_t channel_id, uint64_t gp_sequence)
{
    return channel_id << 40 ^ gp_sequence;
}

static bool take_submit(struct streams *streams, gfe_ps now_ps,
                        const struct model_stream_operation_submit *submit)
{
    struct streams_operation *operation = found(streams, &streams->by_id, submit->id);

    if (!operation)
        return true;
    operation->submitted_ps = now_ps;
    operation->channel_id = submit->channel_id;
    operation->gp_sequence = submit->gp_sequence;
    return map_once(&streams->by_entry, entry_key(submit->channel_id, submit->gp_sequence),
                    (uint32_t)(operation - streams->operations));
}

/* Notes that the operation has become that work of the hardware.  Does nothing if `operation` is
 * NULL. */
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

/* A grid or copy is the operation whose entry it comes from. */
static bool take_queued(struct streams *streams, enum streams_hardware hardware, uint64_t id,
                        uint64_t entry)
{
    return become(streams, found(streams, &streams->by_entry, entry), hardware, id);
}

/* ---- HIP ------------------------------------------------------------------------------------- */

enum { HIP_SUBMIT_KERNEL = 2 }; /* AQL's type of a dispatch */

static bool take_hip_queue(struct streams *streams, const struct model_hip_queue *queue)
{
    return take_stream(streams,
                       &(struct model_stream){.id = queue->stream, .process = queue->process});
}

static bool take_hip_launch(struct streams *streams, gfe_ps now_ps,
                            const struct model_hip_launch *launch)
{
    const struct model_stream_operation operation = {
        .id = hip_calls_number(launch->plugin, launch->iteration),
        .stream_id = launch->plugin,
        .task = launch->plugin,
        .call = launch->plugin,
        .iteration = launch->iteration};

    hip_calls_launch(&streams->hip, launch->plugin, launch->iteration);
    return operation.id == HIP_CALLS_NONE || take_operation(streams, now_ps, &operation);
}

static bool take_hip_submit(struct streams *streams, gfe_ps now_ps,
                            const struct model_hip_submit *submit)
{
    struct streams_operation *operation;

    if (submit->code != HIP_SUBMIT_KERNEL)
        return true;
    operation = found(
        streams, &streams->by_id,
        hip_calls_submit(&streams->hip, submit->stream, submit->queue_id, submit->packet_index));
    if (operation)
        operation->submitted_ps = now_ps;
    return true;
}

static bool take_hip_return(struct streams *streams, gfe_ps now_ps,
                            const struct model_hip_launch *launch)
{
    struct streams_operation *operation =
        found(streams, &streams->by_id, hip_calls_number(launch->plugin, launch->iteration));

    hip_calls_return(&streams->hip, launch->plugin);
    if (operation)
        operation->completed_ps = now_ps;
    return true;
}

static bool take_amd_launch(struct streams *streams, const struct model_packet *packet)
{
    return become(streams,
                  found(streams, &streams->by_id,
                        hip_calls_grid(&streams->hip, packet->queue_id, packet->index)),
                  STREAMS_GRID, packet->grid_id);
}

static void take_completed(struct streams *streams, gfe_ps now_ps, uint64_t id)
{
    struct streams_operation *operation = found(streams, &streams->by_id, id);

    if (operation)
        operation->completed_ps = now_ps;
}

/* clang-format off */
bool streams_take_record(struct streams *streams, const struct model_record *record)
{
    const gfe_ps now_ps = record->now_ps;

    switch (record->type) {
    case MODEL_STREAM: return take_stream(streams, &record->stream);
    case MODEL_STREAM_CALLED: return take_operation(streams, now_ps, &record->stream_operation);
    case MODEL_STREAM_SUBMITTED:
        return take_submit(streams, now_ps, &record->stream_operation_submit);
    case MODEL_STREAM_COMPLETED:
        take_completed(streams, now_ps, record->stream_operation.id);
        break;
    case MODEL_GRID_HANDED:
        return take_queued(streams, STREAMS_GRID, record->grid.id,
                           entry_key(record->grid.channel_id, record->grid.gp_sequence));
    case MODEL_COPY_HANDED:
        return take_queued(streams, STREAMS_COPY, record->copy.id,
                           entry_key(record->copy.channel_id, record->copy.gp_sequence));
    case MODEL_HIP_STREAM: return take_hip_queue(streams, &record->hip_queue);
    case MODEL_HIP_CALLED: return take_hip_launch(streams, now_ps, &record->hip_launch);
    case MODEL_HIP_PACKET: return take_hip_submit(streams, now_ps, &record->hip_submit);
    case MODEL_HIP_DONE: return take_hip_return(streams, now_ps, &record->hip_launch);
    case MODEL_PACKET_LAUNCHED: return take_amd_launch(streams, &record->packet);
    /* passed over */
    case MODEL_QUEUE_LOST:
    case MODEL_COST: case MODEL_WORK_BEGUN: case MODEL_STARTED: case MODEL_DISPATCHED:
    case MODEL_SUSPENDED: case MODEL_RESUMED: case MODEL_ENDED: case MODEL_DROPPED:
    case MODEL_COPY_REFUSED: case MODEL_COPY_LOST: case MODEL_SLOT_MAPPED: case MODEL_SLOT_PREEMPTED:
    case MODEL_QUEUE_LOADED: case MODEL_QUEUE_LEFT: case MODEL_QUEUE_SAVED:
    case MODEL_QUEUE_SAVE_REFUSED: case MODEL_QUEUE_RESTORED: case MODEL_QUEUE_RANG:
    case MODEL_PACKET_BEGUN: case MODEL_PACKET_ENDED: case MODEL_QUEUE_SIGNALLED:
    case MODEL_QUEUE_WROTE: case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_DISPATCH_BEGUN:
    case MODEL_ACE_TURN: case MODEL_QUEUE_MADE: case MODEL_CLIENT: case MODEL_STREAM_HELD:
    case MODEL_STREAM_FREED: case MODEL_TASK: case MODEL_TASK_CALLED: case MODEL_TASK_ITERATED:
    MODEL_PROGRAM_RECORDS(MODEL_CASE) MODEL_WAIT_RECORDS(MODEL_CASE)
    MODEL_BLOCK_RECORDS(MODEL_CASE) MODEL_CHANNEL_RECORDS(MODEL_CASE)
    MODEL_METHOD_RECORDS(MODEL_CASE) MODEL_SDMA_RECORDS(MODEL_CASE)
    MODEL_OTHER_RECORDS(MODEL_CASE)
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

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
