/* SPDX-License-Identifier: MIT */
/* Events of AMD's packet processors: when a dispatch's packet was rung for, what its queue waited
 * for until it was launched, and, of programs of which nothing else is told, its operation. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/event_list.h"
#include "emu/explain_story_build.h"
#include "emu/explain_story_dispatch.h"

/* The queue of a doorbell, new if need be; STORY_NONE when the error is set. */
static uint32_t queue_at(const struct story_build *build, uint64_t doorbell)
{
    struct story *story = build->story;
    const uint32_t found = id_map_find(&story->queue_by_doorbell, doorbell);

    if (found != ID_MAP_NONE)
        return found;
    if (!story_room(build, &story->queues, story->queue_count, &story->queue_capacity,
                    sizeof *story->queues, STORY_STREAMS_MAX))
        return STORY_NONE;
    if (!id_map_add(&story->queue_by_doorbell, doorbell, story->queue_count)) {
        (void)story_no_memory(build);
        return STORY_NONE;
    }
    story->queues[story->queue_count] = (struct story_queue){.first_wait = STORY_NONE,
                                                             .last_wait = STORY_NONE,
                                                             .work = STORY_NONE,
                                                             .slot = STORY_NONE,
                                                             .grace_ps = GFE_PS_NEVER,
                                                             .left_ps = GFE_PS_NEVER};
    return story->queue_count++;
}

/* When the packet's doorbell was rung; now, if the log does not tell. */
static gfe_ps rung_at(struct story_queue *queue, uint64_t packet, gfe_ps now_ps)
{
    while (queue->first_ring < queue->ring_count &&
           queue->rings[queue->first_ring].write_index <= packet)
        queue->first_ring++;
    return queue->first_ring < queue->ring_count ? queue->rings[queue->first_ring].time_ps : now_ps;
}

bool story_take_doorbell(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = queue_at(build, values[0]);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &build->story->queues[index];
    if (!story_room(build, &queue->rings, queue->ring_count, &queue->ring_capacity,
                    sizeof *queue->rings, STORY_OPERATIONS_MAX))
        return false;
    queue->rings[queue->ring_count++] = (struct story_ring){build->now_ps, values[1]};
    return true;
}

/* ---- waits ------------------------------------------------------------------------------------
 */

bool story_queue_wait(const struct story_build *build, uint64_t doorbell,
                      const struct story_wait *wait)
{
    const uint32_t index = queue_at(build, doorbell);

    if (index == STORY_NONE)
        return false;
    if (story_role(build->story, wait->rule) == STORY_ROLE_GRACE)
        build->story->queues[index].grace_ps = wait->begin_ps;
    return story_wait_add(build, &build->story->queues[index].first_wait,
                          &build->story->queues[index].last_wait, wait);
}

/* Of a slot, by pipe and number; NULL: there is none. */
static uint32_t *rule_of(uint32_t rules[STORY_PIPES * STORY_PIPE_SLOTS], const uint64_t *values)
{
    return values[0] < STORY_PIPES && values[1] < STORY_PIPE_SLOTS
               ? &rules[values[0] * STORY_PIPE_SLOTS + values[1]]
               : NULL;
}

bool story_take_hws_map(struct story_build *build, const uint64_t *values)
{
    uint32_t *rule = rule_of(build->story->map_rules, values);

    if (rule)
        *rule = build->event->rule;
    return true;
}

bool story_take_hws_preempt(struct story_build *build, const uint64_t *values)
{
    uint32_t *rule = rule_of(build->story->leave_rules, values);

    if (rule)
        *rule = build->event->rule;
    return true;
}

bool story_take_queue_leave(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = queue_at(build, values[0]);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &build->story->queues[index];
    queue->left_ps = build->now_ps;
    queue->left_rule =
        values[1] < STORY_PIPES * STORY_PIPE_SLOTS ? build->story->leave_rules[values[1]] : RULE_NONE;
    queue->slot = STORY_NONE;
    story_visit_leave(build->story, queue, values[1]);
    return true;
}

bool story_take_queue_save(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = queue_at(build, values[0]);

    if (index == STORY_NONE)
        return false;
    story_visit_stop(build, &build->story->queues[index], clock_add(build->now_ps, values[1]));
    build->story->queues[index].grace_ps = GFE_PS_NEVER;
    return true;
}

bool story_take_save_refused(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = queue_at(build, values[0]);

    if (index == STORY_NONE)
        return false;
    story_visit_refused(build, &build->story->queues[index]);
    build->story->queues[index].grace_ps = GFE_PS_NEVER;
    return true;
}

bool story_take_queue_restore(struct story_build *build, const uint64_t *values)
{
    const uint32_t index = queue_at(build, values[0]);

    if (index == STORY_NONE)
        return false;
    story_visit_restore(build, &build->story->queues[index], clock_add(build->now_ps, values[1]));
    return true;
}

/* Who gets a slot as soon as it is on a list has waited for that list, if it has left one. */
static uint32_t map_rule(const struct story *story, const struct story_queue *queue, uint32_t rule)
{
    return queue->left_rule != RULE_NONE && strcmp(story_rule(story, rule), "A.H1") == 0
               ? queue->left_rule
               : rule;
}

/* A queue gets a slot: it has waited for it since it left one, or since it was rung for. */
bool story_take_queue_load(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t index = queue_at(build, values[0]);
    struct story_wait wait = {
        .end_ps = build->now_ps, .next = STORY_NONE, .subject_kind = SUBJECT_QUEUE};
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &story->queues[index];
    wait.begin_ps =
        queue->left_ps != GFE_PS_NEVER ? queue->left_ps : rung_at(queue, values[2], build->now_ps);
    queue->left_ps = GFE_PS_NEVER;
    if (values[1] < STORY_PIPES * STORY_PIPE_SLOTS) {
        wait.rule = map_rule(story, queue, story->map_rules[values[1]]);
        queue->slot = (uint32_t)values[1];
    }
    if (!story_visit_load(build, index, values[1], wait.rule))
        return false;
    return wait.begin_ps >= build->now_ps || wait.rule == RULE_NONE ||
           story_wait_add(build, &queue->first_wait, &queue->last_wait, &wait);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* Of a program of which only packets are told. */
static bool operation_new(struct story_build *build, uint64_t doorbell, uint32_t work)
{
    struct story *story = build->story;
    const uint32_t index = story->operation_count;
    const uint64_t values[] = {story->works[work].id, doorbell, STORY_NONE, STORY_NONE, 0};
    char name[STORY_NAME_BYTES];

    (void)snprintf(name, sizeof name, "Q%" PRIu64 "/kernel", doorbell);
    if (id_map_find(&story->operation_by_id, values[0]) != ID_MAP_NONE)
        return true;
    if (!story_take_operation_named(build, values, name))
        return false;
    story->operations[index].kind = STORY_KERNEL;
    story->operations[index].called_ps = story->works[work].rung_ps;
    story->operations[index].submitted_ps = story->works[work].rung_ps;
    story->operations[index].work = work;
    story->works[work].operation = index;
    story->streams[story->operations[index].stream].is_queue = true;
    return true;
}

bool story_take_amd_launch(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t work = id_map_find(&story->grid_by_id, values[2]);
    const uint32_t index = queue_at(build, values[0]);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    if (work == ID_MAP_NONE)
        return true;
    queue = &story->queues[index];
    story->works[work].rung_ps = rung_at(queue, values[1], build->now_ps);
    story->works[work].packet = values[1];
    story->works[work].first_front = queue->first_wait;
    queue->first_wait = queue->last_wait = STORY_NONE;
    story->works[work].before_in_queue = queue->work;
    queue->work = work;
    story_visit_launch(story, work, index);
    story_hip_grid(build, work, values[0], values[1]);
    if (story->works[work].operation != STORY_NONE)
        return true;
    return story->hip.launches > 0 || operation_new(build, values[0], work);
}

bool story_take_packet_end(struct story_build *build, const uint64_t *values)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->queue_by_doorbell, values[0]);
    uint32_t work = index == ID_MAP_NONE ? STORY_NONE : story->queues[index].work;

    if (story->hip.launches > 0)
        return true;
    for (uint32_t i = 0; i < STORY_CROWD_MAX && work != STORY_NONE; i++) {
        const uint32_t operation = story->works[work].operation;

        if (story->works[work].packet == values[1] && operation != STORY_NONE &&
            story->operations[operation].completed_ps == GFE_PS_NEVER) {
            story->operations[operation].completed_ps = build->now_ps;
            break;
        }
        work = story->works[work].before_in_queue;
    }
    return true;
}
