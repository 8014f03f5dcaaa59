/* SPDX-License-Identifier: MIT */
/* Events of AMD's SDMA engines: a copy of a queue of one is an operation, from its doorbell on. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"

static uint32_t *rule_at(struct story *story, uint64_t engine, uint64_t slot)
{
    return engine < STORY_SDMA_ENGINES && slot < STORY_PIPE_SLOTS
               ? &story->sdma_rules[engine * STORY_PIPE_SLOTS + slot]
               : NULL;
}

bool story_take_sdma_map(struct story_build *build, const struct model_record *record)
{
    uint32_t *rule = rule_at(build->story, record->sdma.engine, record->sdma.slot);

    if (rule)
        *rule = build->event->rule;
    return true;
}

bool story_take_sdma_load(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = story_queue_at(build, record->sdma.queue_id);
    const uint32_t *rule = rule_at(story, record->sdma.engine, record->sdma.slot);
    const struct model_ring ring = {record->sdma.queue_id, record->sdma.write_index};
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &story->queues[index];
    queue->engine =
        record->sdma.engine < STORY_SDMA_ENGINES ? (uint32_t)record->sdma.engine : STORY_NONE;
    if (rule && *rule != RULE_NONE && queue->left_ps < build->now_ps &&
        !story_wait_add(build, &queue->first_wait, &queue->last_wait,
                        &(struct story_wait){.begin_ps = queue->left_ps,
                                             .end_ps = build->now_ps,
                                             .rule = *rule,
                                             .next = STORY_NONE,
                                             .subject_kind = SUBJECT_QUEUE}))
        return false;
    story->queues[index].left_ps = GFE_PS_NEVER;
    /* Doorbells that found it on no engine are not in the log. */
    return queue->ring_count > 0 &&
                   queue->rings[queue->ring_count - 1].write_index >= record->sdma.write_index
               ? true
               : story_take_ring(build, &ring);
}

bool story_take_sdma_leave(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->sdma.queue_id);

    if (index == STORY_NONE)
        return false;
    build->story->queues[index].left_ps = build->now_ps;
    return true;
}

bool story_take_sdma_write(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->written.queue_id);

    return index != STORY_NONE &&
           (record->written.address < STORY_SIGNAL_VALUE ||
            story_signal_set(build, record->written.address - STORY_SIGNAL_VALUE,
                             build->story->queues[index].ended));
}

bool story_sdma_copy(struct story_build *build, uint32_t work, uint64_t doorbell, uint64_t read)
{
    struct story *story = build->story;
    const uint32_t found = id_map_find(&story->queue_by_doorbell, doorbell);
    const uint32_t index = story->operation_count;
    const struct model_stream_operation operation = {
        .id = story->works[work].id, .stream_id = doorbell, .task = STORY_NONE, .call = STORY_NONE};
    struct story_queue *queue = found == ID_MAP_NONE ? NULL : &story->queues[found];
    char name[STORY_NAME_BYTES];

    if (!queue || queue->engine == STORY_NONE ||
        id_map_find(&story->operation_by_id, operation.id) != ID_MAP_NONE)
        return true;
    (void)snprintf(name, sizeof name, "Q%" PRIu64 "/copy", doorbell);
    if (!story_take_operation_named(build, &operation, name))
        return false;
    story->works[work].rung_ps = story_rung_at(queue, read, build->now_ps);
    story->works[work].first_front = queue->first_wait;
    story->works[work].before_in_queue = queue->work;
    queue->first_wait = queue->last_wait = STORY_NONE;
    queue->work = work;
    story->operations[index].kind = STORY_COPY;
    story->operations[index].called_ps = story->works[work].rung_ps;
    story->operations[index].submitted_ps = story->works[work].rung_ps;
    story->operations[index].work = work;
    story->works[work].operation = index;
    story->streams[story->operations[index].stream].is_queue = true;
    story->streams[story->operations[index].stream].hsa_queue = queue->engine;
    story->streams[story->operations[index].stream].is_sdma = true;
    return true;
}

void story_sdma_copy_end(const struct story_build *build, uint32_t work)
{
    struct story *story = build->story;
    const uint32_t operation = story->works[work].operation;
    const uint32_t stream =
        operation == STORY_NONE ? STORY_NONE : story->operations[operation].stream;
    uint32_t queue;

    if (stream == STORY_NONE || !story->streams[stream].is_sdma ||
        story->operations[operation].completed_ps != GFE_PS_NEVER)
        return;
    story->operations[operation].completed_ps = build->now_ps;
    queue = id_map_find(&story->queue_by_doorbell, story->streams[stream].stream_id);
    story->queues[queue].ended = work;
    story->sdma_ended[story->queues[queue].engine] = 1 + work;
}
