/* SPDX-License-Identifier: MIT */
/* Reads a log: its operations, grids, copies, blocks, waits and who held which channel. */
#include <config.h>

#include "emu/analysis/story/explain_story.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

/* ---- growing ----------------------------------------------------------------------------------
 */

bool story_no_memory(const struct story_build *build)
{
    return error_set_errno(build->error, ENOMEM, "%s", event_log_name(build->story->log));
}

bool story_room(const struct story_build *build, void *array, uint32_t count, uint32_t *capacity,
                size_t element_bytes, uint32_t limit)
{
    void *old, *grown;
    uint32_t wanted = *capacity ? 2 * *capacity : 16;

    if (count < *capacity)
        return true;
    if (count >= limit)
        return error_set(build->error, ERROR_LIMIT,
                         "%s: more of one kind than the %" PRIu32 " of which a story can be told",
                         event_log_name(build->story->log), limit);
    if (wanted > limit)
        wanted = limit;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * element_bytes);
    if (!grown)
        return story_no_memory(build);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

static bool absurd(const struct story_build *build, const char *what, uint64_t id)
{
    return error_set(build->error, ERROR_INPUT, "%s: event %" PRIu64 ": %s %" PRIu64,
                     event_log_name(build->story->log), build->event_number, what, id);
}

/* Puts a new element into a map; false: the number was given before, or no memory. */
static bool number_new(const struct story_build *build, struct id_map *map, uint64_t id,
                       uint32_t index)
{
    if (id_map_find(map, id) != ID_MAP_NONE)
        return absurd(build, "this number was given before:", id);
    return id_map_add(map, id, index) || story_no_memory(build);
}

/* Index of the channel, new if need be; STORY_NONE when the error is set. */
static uint32_t channel_at(const struct story_build *build, uint64_t id)
{
    struct story *story = build->story;
    const uint32_t found = id_map_find(&story->channel_by_id, id);

    if (found != ID_MAP_NONE)
        return found;
    if (!story_room(build, &story->channels, story->channel_count, &story->channel_capacity,
                    sizeof *story->channels, STORY_STREAMS_MAX) ||
        !number_new(build, &story->channel_by_id, id, story->channel_count))
        return STORY_NONE;
    story->channels[story->channel_count] =
        (struct story_channel){STORY_NONE, STORY_NONE, STORY_NONE, false};
    return story->channel_count++;
}

/* Returns the index of the stream, which is made if the log has not named it before. */
uint32_t story_stream_at(const struct story_build *build, uint64_t id)
{
    struct story *story = build->story;
    const uint32_t found = id_map_find(&story->stream_by_id, id);

    if (found != ID_MAP_NONE)
        return found;
    if (!story_room(build, &story->streams, story->stream_count, &story->stream_capacity,
                    sizeof *story->streams, STORY_STREAMS_MAX) ||
        !number_new(build, &story->stream_by_id, id, story->stream_count))
        return STORY_NONE;
    story->streams[story->stream_count] =
        (struct story_stream){.stream_id = id, .first = STORY_NONE, .last = STORY_NONE};
    return story->stream_count++;
}

/* ---- the runtime ------------------------------------------------------------------------------
 */

bool story_client(const struct story *story, uint32_t stream)
{
    const uint32_t process = story->streams[stream].process;

    return process < STORY_CLIENTS_MAX && story->clients[process] != 0;
}

static bool take_stream(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_stream_at(build, record->stream.id);

    if (index == STORY_NONE)
        return false;
    build->story->streams[index].process = build->story->streams[index].context =
        (uint32_t)record->stream.process;
    if (story_client(build->story, index))
        build->story->streams[index].context = build->story->clients[record->stream.process] - 1;
    build->story->streams[index].kind = (uint32_t)record->stream.kind;
    build->story->streams[index].priority = (uint32_t)record->stream.priority;
    return true;
}

/* Before its streams. */
static bool take_client(struct story_build *build, const struct model_record *record)
{
    if (record->client.process < STORY_CLIENTS_MAX)
        build->story->clients[record->client.process] = 1 + (uint32_t)record->client.context;
    return true;
}

bool story_take_operation(struct story_build *build, const struct model_stream_operation *operation)
{
    return story_take_operation_named(build, operation, NULL);
}

bool story_take_operation_named(struct story_build *build,
                                const struct model_stream_operation *operation, const char *name)
{
    struct story *story = build->story;
    const uint32_t index = story->operation_count,
                   stream = story_stream_at(build, operation->stream_id);

    if (stream == STORY_NONE ||
        !story_room(build, &story->operations, index, &story->operation_capacity,
                    sizeof *story->operations, STORY_OPERATIONS_MAX) ||
        !number_new(build, &story->operation_by_id, operation->id, index))
        return false;
    story->operations[index] = (struct story_operation){
        .operation_id = operation->id,
        .iteration = operation->iteration,
        .called_ps = build->now_ps,
        .submitted_ps = GFE_PS_NEVER,
        .completed_ps = GFE_PS_NEVER,
        .stream = stream,
        .task = operation->task < STORY_NONE ? (uint32_t)operation->task : STORY_NONE,
        .call = operation->call < STORY_NONE ? (uint32_t)operation->call : STORY_NONE,
        .channel = STORY_NONE,
        .work = STORY_NONE,
        .first_wait = STORY_NONE,
        .last_wait = STORY_NONE,
        .next = STORY_NONE,
        .previous = story->streams[stream].last,
        .before = STORY_NONE,
        .following = STORY_NONE,
        .call_rule = build->event->rule};
    story->operation_count++;
    if (story->streams[stream].last == STORY_NONE)
        story->streams[stream].first = index;
    else
        story->operations[story->streams[stream].last].next = index;
    story->streams[stream].last = index;
    return name ? story_name_own(build, index, name) : story_name_give(build, index);
}

static bool take_submit(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->operation_by_id, record->stream_operation_submit.id);
    const uint32_t channel = channel_at(build, record->stream_operation_submit.channel_id);

    if (channel == STORY_NONE)
        return false;
    if (index == ID_MAP_NONE || story->operations[index].submitted_ps != GFE_PS_NEVER)
        return true;
    story->operations[index].submitted_ps = build->now_ps;
    story->operations[index].submit_rule = build->event->rule;
    story->operations[index].channel = (uint32_t)record->stream_operation_submit.channel_id;
    story->operations[index].gp_sequence = record->stream_operation_submit.gp_sequence;
    return story_ahead_hand(build, &story->channels[channel], index);
}

static bool take_complete(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->operation_by_id, record->stream_operation.id);

    if (index == ID_MAP_NONE || story->operations[index].completed_ps != GFE_PS_NEVER)
        return true;
    story->operations[index].completed_ps = build->now_ps;
    story->operations[index].complete_rule = build->event->rule;
    story_ahead_serve(build, index);
    return true;
}

static bool take_hold(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t stream = story_stream_at(build, record->stream_channel.stream_id),
                   channel = channel_at(build, record->stream_channel.channel_id);

    if (stream == STORY_NONE || channel == STORY_NONE ||
        !story_room(build, &story->holds, story->hold_count, &story->hold_capacity,
                    sizeof *story->holds, STORY_OPERATIONS_MAX))
        return false;
    story->holds[story->hold_count] =
        (struct story_hold){.from_ps = build->now_ps,
                            .to_ps = GFE_PS_NEVER,
                            .stream = stream,
                            .channel = (uint32_t)record->stream_channel.channel_id,
                            .rule = build->event->rule};
    story->channels[channel].hold = story->hold_count++;
    return true;
}

static bool take_hold_end(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t channel = id_map_find(&story->channel_by_id, record->stream_channel.channel_id);

    if (channel == ID_MAP_NONE || story->channels[channel].hold == STORY_NONE)
        return true;
    story->holds[story->channels[channel].hold].to_ps = build->now_ps;
    story->channels[channel].is_pooled = true;
    story->channels[channel].hold = STORY_NONE;
    return true;
}

/* ---- waits ------------------------------------------------------------------------------------
 */

bool story_wait_add(const struct story_build *build, uint32_t *first, uint32_t *last,
                    const struct story_wait *wait)
{
    struct story *story = build->story;

    if (!story_room(build, &story->waits, story->wait_count, &story->wait_capacity,
                    sizeof *story->waits, STORY_WAITS_MAX))
        return false;
    story->waits[story->wait_count] = *wait;
    if (*last == STORY_NONE)
        *first = story->wait_count;
    else
        story->waits[*last].next = story->wait_count;
    *last = story->wait_count++;
    return true;
}

static bool take_wait(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const struct story_wait wait = {.begin_ps = record->wait.begin_ps,
                                    .end_ps = build->now_ps,
                                    .by_id = record->wait.blocker_id,
                                    .rule = build->event->rule,
                                    .next = STORY_NONE,
                                    .by_kind = (uint32_t)record->wait.blocker_kind,
                                    .subject_kind = (uint32_t)record->wait.subject_kind};
    uint32_t index = ID_MAP_NONE;

    if (record->wait.begin_ps >= build->now_ps)
        return true;
    if (record->wait.subject_kind == SUBJECT_GRID || record->wait.subject_kind == SUBJECT_COPY) {
        index = id_map_find(record->wait.subject_kind == SUBJECT_GRID ? &story->grid_by_id
                                                                      : &story->copy_by_id,
                            record->wait.subject_id);
        return index == ID_MAP_NONE || story_stage_wait(build, index, record->wait.begin_ps) ||
               story_wait_add(build, &story->works[index].first_wait,
                              &story->works[index].last_wait, &wait);
    }
    if (record->wait.subject_kind == SUBJECT_QUEUE)
        return story_queue_wait(build, record->wait.subject_id, &wait);
    if (record->wait.subject_kind == SUBJECT_OPERATION)
        index = id_map_find(&story->operation_by_id, record->wait.subject_id);
    if (record->wait.subject_kind == SUBJECT_CHANNEL) {
        const uint32_t channel = id_map_find(&story->channel_by_id, record->wait.subject_id);

        if (channel != ID_MAP_NONE && story->channels[channel].operation != STORY_NONE)
            index = story->channels[channel].operation;
    }
    return index == ID_MAP_NONE || story_wait_add(build, &story->operations[index].first_wait,
                                                  &story->operations[index].last_wait, &wait);
}

bool story_stop(const struct story_build *build, struct story_work *work)
{
    const struct story_wait stop = {.begin_ps = build->now_ps,
                                    .end_ps = GFE_PS_NEVER,
                                    .rule = build->event->rule,
                                    .next = STORY_NONE,
                                    .subject_kind = SUBJECT_GRID};

    return story_wait_add(build, &work->first_stop, &work->last_stop, &stop);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* clang-format off */
static bool record_take(struct story_build *build, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_WAITED: return take_wait(build, record);
    case MODEL_WAIT_UNENDED: return take_wait(build, record);
    case MODEL_GRID_HANDED: return story_take_grid_queue(build, record);
    case MODEL_COST: return story_take_grid_cost(build, record);
    case MODEL_COPY_HANDED: return story_take_copy_queue(build, record);
    case MODEL_STARTED: return record->operation != MODEL_COPY || story_take_copy_start(build, record);
    case MODEL_DISPATCHED: return story_take_grid_dispatched(build, record);
    case MODEL_SUSPENDED: return story_take_suspended(build, record);
    case MODEL_RESUMED: return story_take_resumed(build, record);
    case MODEL_ENDED: return story_take_ended(build, record);
    case MODEL_DROPPED: return story_take_dropped(build, record);
    case MODEL_COPY_REFUSED: return story_take_dropped(build, record);
    case MODEL_COPY_LOST: return story_take_dropped(build, record);
    case MODEL_BLOCK_BEGUN: return story_take_block_start(build, record);
    case MODEL_BLOCK_DONE: return story_take_block_end(build, record);
    case MODEL_BLOCK_STOPPED: return story_take_block_stop(build, record);
    case MODEL_BLOCK_WENT_ON: return story_take_block_go_on(build, record);
    case MODEL_BLOCK_STAGED: return story_take_stage(build, record);
    case MODEL_BLOCK_UNSTAGED: return story_take_unstage(build, record);
    case MODEL_SLOT_MAPPED: return story_take_hws_map(build, record);
    case MODEL_SLOT_PREEMPTED: return story_take_hws_preempt(build, record);
    case MODEL_QUEUE_LOADED: return story_take_queue_load(build, record);
    case MODEL_QUEUE_LEFT: return story_take_queue_leave(build, record);
    case MODEL_QUEUE_SAVED: return story_take_queue_save(build, record);
    case MODEL_QUEUE_SAVE_REFUSED: return story_take_save_refused(build, record);
    case MODEL_QUEUE_RESTORED: return story_take_queue_restore(build, record);
    case MODEL_QUEUE_RANG: return story_take_ring(build, &record->ring);
    case MODEL_PACKET_ENDED: return story_take_packet_end(build, record);
    case MODEL_PACKET_LAUNCHED: return story_take_amd_launch(build, record);
    case MODEL_QUEUE_SIGNALLED: return story_take_signal(build, record);
    case MODEL_DISPATCH_BEGUN: return story_take_dispatch(build, record);
    case MODEL_ACE_TURN: return story_take_ace_turn(build, record);
    case MODEL_SDMA_MAPPED: return story_take_sdma_map(build, record);
    case MODEL_SDMA_LOADED: return story_take_sdma_load(build, record);
    case MODEL_SDMA_LEFT: return story_take_sdma_leave(build, record);
    case MODEL_SDMA_RANG: return story_take_ring(build, &record->ring);
    case MODEL_SDMA_WROTE: return story_take_sdma_write(build, record);
    case MODEL_CLIENT: return take_client(build, record);
    case MODEL_STREAM: return take_stream(build, record);
    case MODEL_STREAM_CALLED: return story_take_operation(build, &record->stream_operation);
    case MODEL_STREAM_HELD: return take_hold(build, record);
    case MODEL_STREAM_FREED: return take_hold_end(build, record);
    case MODEL_STREAM_SUBMITTED: return take_submit(build, record);
    case MODEL_STREAM_COMPLETED: return take_complete(build, record);
    case MODEL_HIP_STREAM: return story_take_hip_queue(build, record);
    case MODEL_HIP_CALLED: return story_take_hip_launch(build, record);
    case MODEL_HIP_PACKET: return story_take_hip_submit(build, record);
    case MODEL_HIP_DONE: return story_take_hip_return(build, record);
    /* passed over */
    case MODEL_QUEUE_LOST:
    case MODEL_RUN_CUT: case MODEL_WAIT_HOLDS: case MODEL_WAIT_SUSPENDED: case MODEL_WORK_BEGUN: case MODEL_BLOCK_OFF: case MODEL_BLOCK_BACK:
    case MODEL_PACKET_BEGUN: case MODEL_QUEUE_WROTE: case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_QUEUE_MADE:
    case MODEL_SDMA_PACKET: case MODEL_SDMA_FAULTED: case MODEL_SDMA_MADE: case MODEL_TASK:
    case MODEL_TASK_CALLED: case MODEL_TASK_ITERATED: MODEL_PROGRAM_RECORDS(MODEL_CASE)
    MODEL_CHANNEL_RECORDS(MODEL_CASE) MODEL_METHOD_RECORDS(MODEL_CASE)
    MODEL_OTHER_RECORDS(MODEL_CASE)
        return true;
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

/* The listener of the model. */
static bool listen(void *context, const struct model_record *record)
{
    struct story_build *build = context;

    build->event = record->event;
    build->event_number = record->event_number;
    build->now_ps = record->now_ps;
    return record_take(build, record);
}

static bool events_read(struct story_build *build, struct event_log_reader *log)
{
    struct model model;
    bool good = model_init(&model, log, listen, build, build->error);

    if (good) {
        model_skip_blocks(&model);
        good = model_read(&model, log, build->error);
    }

    build->event = NULL;
    build->event_number = model.event_count;
    build->story->end_ps = build->now_ps;
    model_fini(&model);
    return good;
}

bool story_load(struct story *story, struct event_log_reader *log,
                const struct check_limits *limits, struct gfe_error *error)
{
    struct gfe_error own = {0};
    struct story_build build = {.story = story, .error = &own};
    bool good;

    *story = (struct story){.log = log, .limits = limits};
    story_roles_find(story);
    memset(story->last_ended, 0xff, sizeof story->last_ended);
    story->sm_count = limits && limits->sm_count <= STORY_SMS_MAX ? limits->sm_count : 0;
    good = story_program_load(&build) && events_read(&build, log) && story_works_finish(&build);
    free(story->load);
    story->load = NULL;
    if (good)
        return true;
    story_fini(story);
    return error_set(error, own.kind, "%s", own.text);
}

void story_fini(struct story *story)
{
    struct id_map *const maps[] = {&story->operation_by_id,   &story->operation_by_entry,
                                   &story->grid_by_id,        &story->copy_by_id,
                                   &story->block_by_id,       &story->stream_by_id,
                                   &story->channel_by_id,     &story->name_by_text,
                                   &story->queue_by_doorbell, &story->signal_by_address};

    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        id_map_fini(maps[i]);
    for (uint32_t i = 0; i < story->name_count; i++)
        free(story->names[i].text);
    free(story->operations);
    free(story->works);
    free(story->blocks);
    free(story->waits);
    free(story->streams);
    free(story->holds);
    free(story->names);
    free(story->channels);
    for (uint32_t i = 0; i < story->queue_count; i++)
        free(story->queues[i].rings);
    free(story->queues);
    free(story->signals);
    free(story->dispatches);
    free(story->stages);
    free(story->turns);
    free(story->visits);
    free(story->dispatched);
    free(story->block_order);
    free(story->call_names);
    program_fini(&story->program);
    json_decref(story->head);
    *story = (struct story){0};
}
