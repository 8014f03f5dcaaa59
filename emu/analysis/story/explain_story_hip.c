/* SPDX-License-Identifier: MIT */
/* Events of HIP threads: the launches of a plugin are the operations of a stream of its own. */
#include <config.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"

enum { HIP_SUBMIT_KERNEL = 2 }; /* AQL's type of a dispatch */

bool story_take_hip_queue(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = story_stream_at(build, values[0]);
    struct story_stream *stream;

    if (index == STORY_NONE)
        return false;
    stream = &build->story->streams[index];
    stream->is_hip = true;
    stream->hsa_queue = (uint32_t)values[1];
    stream->process = (uint32_t)values[2];
    stream->has_mask = values[3] != 0;
    return true;
}

bool story_take_hip_launch(struct story_build *build, const uint64_t *values)
{
    const uint64_t number = hip_calls_number(values[0], values[1]);
    const uint64_t operation[] = {number, values[0], values[0], values[0], values[1]};

    hip_calls_launch(&build->story->hip, values[0], values[1]);
    return number == HIP_CALLS_NONE || story_take_operation(build, operation);
}

bool story_take_hip_submit(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    uint32_t operation;

    if (values[3] != HIP_SUBMIT_KERNEL)
        return true;
    operation = id_map_find(&story->operation_by_id,
                            hip_calls_submit(&story->hip, values[0], values[1], values[2]));
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

bool story_take_hip_return(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t operation =
        id_map_find(&story->operation_by_id, hip_calls_number(values[0], values[1]));

    hip_calls_return(&story->hip, values[0]);
    if (operation != ID_MAP_NONE && story->operations[operation].completed_ps == GFE_PS_NEVER)
        story->operations[operation].completed_ps = build->now_ps;
    return true;
}
