/* SPDX-License-Identifier: MIT */
/* Events of HIP threads: the launches of a plugin are the operations of a stream of its own. */
#include <config.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"

enum { HIP_SUBMIT_KERNEL = 2 }; /* AQL's type of a dispatch */

bool story_take_hip_queue(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_stream_at(build, record->hip_queue.stream);
    struct story_stream *stream;

    if (index == STORY_NONE)
        return false;
    stream = &build->story->streams[index];
    stream->is_hip = true;
    stream->hsa_queue = (uint32_t)record->hip_queue.hsa_queue;
    stream->process = (uint32_t)record->hip_queue.process;
    stream->has_mask = record->hip_queue.has_mask != 0;
    return true;
}

bool story_take_hip_launch(struct story_build *build, const struct model_record *record)
{
    const uint64_t number =
        hip_calls_number(record->hip_launch.plugin, record->hip_launch.iteration);
    const struct model_stream_operation operation = {.id = number,
                                                     .stream_id = record->hip_launch.plugin,
                                                     .task = record->hip_launch.plugin,
                                                     .call = record->hip_launch.plugin,
                                                     .iteration = record->hip_launch.iteration};

    hip_calls_launch(&build->story->hip, record->hip_launch.plugin, record->hip_launch.iteration);
    return number == HIP_CALLS_NONE || story_take_operation(build, &operation);
}

bool story_take_hip_submit(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    uint32_t operation;

    if (record->hip_submit.code != HIP_SUBMIT_KERNEL)
        return true;
    operation =
        id_map_find(&story->operation_by_id,
                    hip_calls_submit(&story->hip, record->hip_submit.stream,
                                     record->hip_submit.queue_id, record->hip_submit.packet_index));
    if (operation != ID_MAP_NONE)
        story->operations[operation].submitted_ps = build->now_ps;
    return true;
}

void story_hip_grid(const struct story_build *build, uint32_t work, uint64_t doorbell,
                    uint64_t packet)
{
    struct story *story = build->story;
    const uint32_t operation =
        id_map_find(&story->operation_by_id, hip_calls_grid(&story->hip, doorbell, packet));

    if (operation == ID_MAP_NONE || story->operations[operation].work != STORY_NONE ||
        story->works[work].operation != STORY_NONE)
        return;
    /* A doorbell that finds its queue in no slot is not logged; HIP_SUBMIT always is. */
    if (story->operations[operation].submitted_ps != GFE_PS_NEVER)
        story->works[work].rung_ps = story->operations[operation].submitted_ps;
    story->operations[operation].work = work;
    story->works[work].operation = operation;
}

bool story_take_hip_return(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t operation =
        id_map_find(&story->operation_by_id,
                    hip_calls_number(record->hip_launch.plugin, record->hip_launch.iteration));

    hip_calls_return(&story->hip, record->hip_launch.plugin);
    if (operation != ID_MAP_NONE && story->operations[operation].completed_ps == GFE_PS_NEVER)
        story->operations[operation].completed_ps = build->now_ps;
    return true;
}
