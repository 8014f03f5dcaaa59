/* SPDX-License-Identifier: MIT */
/* Events of HIP threads: the launches of a plugin are the operations of a stream of its own. */
#include <config.h>

#include "emu/event_list.h"
#include "emu/explain_story_build.h"

bool story_take_hip_queue(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = story_stream_at(build, values[0]);
    struct story_stream *stream;

    if (index == STORY_NONE)
        return false;
    hip_calls_queue(&build->story->hip, values[0], values[2], values[3]);
    stream = &build->story->streams[index];
    stream->is_hip = true;
    stream->hsa_queue = (uint32_t)values[1];
    stream->ace = (uint32_t)values[2];
    stream->queue = (uint32_t)values[3];
    stream->has_mask = values[4] != 0;
    return true;
}

bool story_take_hip_launch(struct story_build *build, const uint64_t *values)
{
    const uint64_t number = hip_calls_number(values[0], values[1]);
    const uint64_t operation[] = {number, values[0], values[0], values[0], values[1]};

    hip_calls_launch(&build->story->hip, values[0], values[1]);
    return number == HIP_CALLS_NONE || story_take_operation(build, operation);
}

/* The grid is that operation's. */
static void join(const struct story_build *build, uint32_t operation, uint32_t work)
{
    struct story *story = build->story;

    if (operation == ID_MAP_NONE || work == ID_MAP_NONE ||
        story->operations[operation].work != STORY_NONE ||
        story->works[work].operation != STORY_NONE)
        return;
    story->operations[operation].work = work;
    story->operations[operation].submitted_ps = story->works[work].rung_ps != GFE_PS_NEVER
                                                    ? story->works[work].rung_ps
                                                    : story->works[work].queued_ps;
    story->works[work].operation = operation;
}

bool story_hip_grid(const struct story_build *build, uint32_t work, uint64_t ace, uint64_t queue)
{
    const uint64_t number = hip_calls_grid(&build->story->hip, ace, queue);

    if (number != HIP_CALLS_NONE)
        join(build, id_map_find(&build->story->operation_by_id, number), work);
    return true;
}

bool story_take_hip_return(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint64_t number = hip_calls_number(values[0], values[1]);
    const uint32_t operation = id_map_find(&story->operation_by_id, number);

    (void)hip_calls_return(&story->hip, values[0], values[1]);
    if (operation == ID_MAP_NONE || story->operations[operation].completed_ps != GFE_PS_NEVER)
        return true;
    story->operations[operation].completed_ps = build->now_ps;
    join(build, operation, id_map_find(&story->grid_by_id, values[2]));
    return true;
}
