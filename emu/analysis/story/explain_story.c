/* SPDX-License-Identifier: MIT */
/* Reads a log: its operations, grids, copies, blocks, waits and who held which channel. */
#include <config.h>

#include "emu/analysis/story/explain_story.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_fields.h"
#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

struct take_row {
    struct event_fields_row fields;
    bool (*take)(struct story_build *build, const uint64_t *values);
};

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
    story->channels[story->channel_count] = (struct story_channel){STORY_NONE, STORY_NONE};
    return story->channel_count++;
}

/* Likewise a stream, of which the log need not have told. */
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

static bool take_stream(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = story_stream_at(build, values[0]);

    if (index == STORY_NONE)
        return false;
    build->story->streams[index].process = build->story->streams[index].context =
        (uint32_t)values[1];
    if (story_client(build->story, index))
        build->story->streams[index].context = build->story->clients[values[1]] - 1;
    build->story->streams[index].kind = (uint32_t)values[2];
    build->story->streams[index].priority = (uint32_t)values[3];
    return true;
}

/* Before its streams. */
static bool take_client(struct story_build *build, const uint64_t *values)
{
    if (values[0] < STORY_CLIENTS_MAX)
        build->story->clients[values[0]] = 1 + (uint32_t)values[1];
    return true;
}

bool story_take_operation(struct story_build *build, const uint64_t *values)
{
    return story_take_operation_named(build, values, NULL);
}

bool story_take_operation_named(struct story_build *build, const uint64_t *values, const char *name)
{
    struct story *story = build->story;
    const uint32_t index = story->operation_count, stream = story_stream_at(build, values[1]);

    if (stream == STORY_NONE ||
        !story_room(build, &story->operations, index, &story->operation_capacity,
                    sizeof *story->operations, STORY_OPERATIONS_MAX) ||
        !number_new(build, &story->operation_by_id, values[0], index))
        return false;
    story->operations[index] =
        (struct story_operation){.operation_id = values[0],
                                 .iteration = values[4],
                                 .called_ps = build->now_ps,
                                 .submitted_ps = GFE_PS_NEVER,
                                 .completed_ps = GFE_PS_NEVER,
                                 .stream = stream,
                                 .task = values[2] < STORY_NONE ? (uint32_t)values[2] : STORY_NONE,
                                 .call = values[3] < STORY_NONE ? (uint32_t)values[3] : STORY_NONE,
                                 .channel = STORY_NONE,
                                 .work = STORY_NONE,
                                 .first_wait = STORY_NONE,
                                 .last_wait = STORY_NONE,
                                 .next = STORY_NONE,
                                 .call_rule = build->event->rule};
    story->operation_count++;
    if (story->streams[stream].last == STORY_NONE)
        story->streams[stream].first = index;
    else
        story->operations[story->streams[stream].last].next = index;
    story->streams[stream].last = index;
    return name ? story_name_own(build, index, name) : story_name_give(build, index);
}

static bool take_submit(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->operation_by_id, values[0]);
    const uint32_t channel = channel_at(build, values[1]);

    if (channel == STORY_NONE)
        return false;
    if (index == ID_MAP_NONE || story->operations[index].submitted_ps != GFE_PS_NEVER)
        return true;
    story->operations[index].submitted_ps = build->now_ps;
    story->operations[index].submit_rule = build->event->rule;
    story->operations[index].channel = (uint32_t)values[1];
    story->operations[index].gp_sequence = values[2];
    story->channels[channel].operation = index;
    return true;
}

static bool take_complete(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->operation_by_id, values[0]);

    if (index == ID_MAP_NONE || story->operations[index].completed_ps != GFE_PS_NEVER)
        return true;
    story->operations[index].completed_ps = build->now_ps;
    story->operations[index].complete_rule = build->event->rule;
    return true;
}

static bool take_hold(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t stream = story_stream_at(build, values[0]),
                   channel = channel_at(build, values[1]);

    if (stream == STORY_NONE || channel == STORY_NONE ||
        !story_room(build, &story->holds, story->hold_count, &story->hold_capacity,
                    sizeof *story->holds, STORY_OPERATIONS_MAX))
        return false;
    story->holds[story->hold_count] = (struct story_hold){.from_ps = build->now_ps,
                                                          .to_ps = GFE_PS_NEVER,
                                                          .stream = stream,
                                                          .channel = (uint32_t)values[1],
                                                          .rule = build->event->rule};
    story->channels[channel].hold = story->hold_count++;
    return true;
}

static bool take_hold_end(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t channel = id_map_find(&story->channel_by_id, values[1]);

    if (channel == ID_MAP_NONE || story->channels[channel].hold == STORY_NONE)
        return true;
    story->holds[story->channels[channel].hold].to_ps = build->now_ps;
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

static bool take_wait(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const struct story_wait wait = {.begin_ps = values[0],
                                    .end_ps = build->now_ps,
                                    .by_id = values[4],
                                    .rule = build->event->rule,
                                    .next = STORY_NONE,
                                    .by_kind = (uint32_t)values[3],
                                    .subject_kind = (uint32_t)values[1]};
    uint32_t index = ID_MAP_NONE;

    if (values[0] >= build->now_ps)
        return true;
    if (values[1] == SUBJECT_GRID || values[1] == SUBJECT_COPY) {
        index = id_map_find(values[1] == SUBJECT_GRID ? &story->grid_by_id : &story->copy_by_id,
                            values[2]);
        return index == ID_MAP_NONE || story_stage_wait(build, index, values[0]) ||
               story_wait_add(build, &story->works[index].first_wait,
                              &story->works[index].last_wait, &wait);
    }
    if (values[1] == SUBJECT_QUEUE)
        return story_queue_wait(build, values[2], &wait);
    if (values[1] == SUBJECT_OPERATION)
        index = id_map_find(&story->operation_by_id, values[2]);
    if (values[1] == SUBJECT_CHANNEL) {
        const uint32_t channel = id_map_find(&story->channel_by_id, values[2]);

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
static const struct take_row take_rows[] = {
    {{"WAIT", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}}, take_wait},
    {{"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}},
     take_wait},
    {{"CUDA_CLIENT", {"process_id", "context_id"}}, take_client},
    {{"CUDA_STREAM", {"stream_id", "process_id", "kind", "priority"}}, take_stream},
    {{"CUDA_OPERATION", {"operation_id", "stream_id", "task_id", "call_id", "iteration"}},
     story_take_operation},
    {{"CUDA_CHANNEL", {"stream_id", "channel_id"}}, take_hold},
    {{"CUDA_CHANNEL_FREE", {"stream_id", "channel_id"}}, take_hold_end},
    {{"CUDA_SUBMIT", {"operation_id", "channel_id", "gp_sequence"}}, take_submit},
    {{"CUDA_COMPLETE", {"operation_id"}}, take_complete},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_count", "block_threads", "shared_bytes",
                     "registers", "gp_sequence"}}, story_take_grid_queue},
    {{"GRID_COST", {"grid_id", "priority"}}, story_take_grid_cost},
    {{"GRID_DISPATCHED", {"grid_id"}}, story_take_grid_dispatched},
    {{"GRID_END", {"grid_id"}}, story_take_grid_end},
    {{"GRID_DROP", {"grid_id"}}, story_take_grid_drop},
    {{"GRID_SUSPEND", {"grid_id"}}, story_take_grid_suspend},
    {{"GRID_RESUME", {"grid_id", "by_channel_id"}}, story_take_grid_resume},
    {{"BLOCK_START", {"grid_id", "block_index", "sm_index"}}, story_take_block_start},
    {{"BLOCK_END", {"grid_id", "block_index"}}, story_take_block_end},
    {{"COPY_QUEUE", {"copy_id", "channel_id", "byte_count", "gp_sequence"}}, story_take_copy_queue},
    {{"COPY_START", {"copy_id"}}, story_take_copy_start},
    {{"COPY_END", {"copy_id"}}, story_take_copy_end},
    {{"COPY_DROP", {"copy_id"}}, story_take_copy_drop},
    {{"COPY_SUSPEND", {"copy_id"}}, story_take_copy_suspend},
    {{"COPY_RESUME", {"copy_id"}}, story_take_copy_resume},
    {{"HIP_QUEUE", {"stream_index", "hsa_queue_index", "process_index", "has_mask"}},
     story_take_hip_queue},
    {{"HIP_LAUNCH", {"plugin_index", "iteration_index"}}, story_take_hip_launch},
    {{"HIP_SUBMIT", {"stream_index", "doorbell_index", "packet_index", "code"}},
     story_take_hip_submit},
    {{"HIP_RETURN", {"plugin_index", "iteration_index"}}, story_take_hip_return},
    {{"AMD_DISPATCH", {"grid_id", "ace_index", "queue_index", "wave_count", "cu_mask_lo",
                       "cu_mask_hi"}}, story_take_dispatch},
    {{"AMD_ACE_TURN", {"ace_index", "queue_index", "grid_id"}}, story_take_ace_turn},
    {{"AMD_DOORBELL", {"doorbell_index", "write_index"}}, story_take_doorbell},
    {{"AMD_QUEUE_LOAD", {"doorbell_index", "slot_id", "read_index"}}, story_take_queue_load},
    {{"AMD_QUEUE_LEAVE", {"doorbell_index", "slot_id"}}, story_take_queue_leave},
    {{"AMD_QUEUE_SAVE", {"doorbell_index", "duration_ps"}}, story_take_queue_save},
    {{"AMD_SAVE_REFUSED", {"doorbell_index"}}, story_take_save_refused},
    {{"AMD_QUEUE_RESTORE", {"doorbell_index", "duration_ps"}}, story_take_queue_restore},
    {{"AMD_LAUNCH", {"doorbell_index", "packet_index", "grid_id"}}, story_take_amd_launch},
    {{"AMD_PACKET_END", {"doorbell_index", "packet_index"}}, story_take_packet_end},
    {{"AMD_SIGNAL", {"doorbell_index", "packet_index", "signal_address"}}, story_take_signal},
    {{"HWS_SDMA_MAP", {"engine_index", "slot_index"}}, story_take_sdma_map},
    {{"AMD_SDMA_LOAD", {"doorbell_index", "engine_index", "queue_index", "write_index"}},
     story_take_sdma_load},
    {{"AMD_SDMA_LEAVE", {"doorbell_index"}}, story_take_sdma_leave},
    {{"AMD_SDMA_DOORBELL", {"doorbell_index", "write_index"}}, story_take_doorbell},
    {{"AMD_SDMA_WRITE", {"doorbell_index", "address"}}, story_take_sdma_write},
    {{"HWS_MAP", {"pipe_index", "slot_index"}}, story_take_hws_map},
    {{"HWS_PREEMPT", {"pipe_index", "slot_index"}}, story_take_hws_preempt},
    {{"AMD_BLOCK_STAGE", {"grid_id", "block_index", "se_index", "ace_index"}}, story_take_stage},
    {{"AMD_BLOCK_UNSTAGE", {"grid_id", "block_index", "se_index"}}, story_take_unstage},
    {{"AMD_BLOCK_STOP", {"grid_id", "block_index"}}, story_take_block_stop},
    {{"AMD_BLOCK_GO_ON", {"grid_id", "block_index", "sm_index"}}, story_take_block_go_on},
};
/* clang-format on */

enum { TAKE_ROWS = sizeof take_rows / sizeof take_rows[0] };

static bool events_read(struct story_build *build, struct event_log_reader *log,
                        const struct event_fields *fields)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    struct log_event event;
    enum event_log_result result;

    build->event = &event;
    while ((result = event_log_read(log, &event, build->error)) == EVENT_LOG_GOT) {
        const uint32_t row = event_fields_take(fields, &event, values);

        build->now_ps = event.time_ps;
        if (row != EVENT_FIELDS_NONE && !take_rows[row].take(build, values))
            return false;
        build->event_number++;
    }
    build->event = NULL;
    build->story->end_ps = build->now_ps;
    return result == EVENT_LOG_AT_END;
}

bool story_load(struct story *story, struct event_log_reader *log,
                const struct check_limits *limits, struct gfe_error *error)
{
    struct gfe_error own = {0};
    struct story_build build = {.story = story, .error = &own};
    struct event_fields_row rows[TAKE_ROWS];
    struct event_fields fields = {0};
    bool good;

    *story = (struct story){.log = log, .limits = limits};
    story_roles_find(story);
    memset(story->last_ended, 0xff, sizeof story->last_ended);
    story->sm_count = limits && limits->sm_count <= STORY_SMS_MAX ? limits->sm_count : 0;
    for (uint32_t i = 0; i < TAKE_ROWS; i++)
        rows[i] = take_rows[i].fields;
    good = story_program_load(&build) && event_fields_bind(&fields, log, rows, TAKE_ROWS, &own) &&
           events_read(&build, log, &fields) && story_works_finish(&build);
    event_fields_fini(&fields);
    free(story->load);
    story->load = NULL;
    if (good)
        return true;
    story_fini(story);
    return error_set(error, own.kind, "%s", own.text);
}

void story_fini(struct story *story)
{
    struct id_map *const maps[] = {
        &story->operation_by_id, &story->grid_by_id,        &story->copy_by_id,
        &story->block_by_id,     &story->stream_by_id,      &story->channel_by_id,
        &story->name_by_text,    &story->queue_by_doorbell, &story->signal_by_address};

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
