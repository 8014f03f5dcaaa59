/* SPDX-License-Identifier: MIT */
/* Events of AMD's packet processors: when a dispatch's packet was rung for, what its queue waited
 * for until it was launched, and, of programs of which nothing else is told, its operation. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

uint32_t story_queue_at(const struct story_build *build, uint64_t doorbell)
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
                                                             .ended = STORY_NONE,
                                                             .engine = STORY_NONE,
                                                             .grace_ps = GFE_PS_NEVER,
                                                             .left_ps = GFE_PS_NEVER};
    return story->queue_count++;
}

gfe_ps story_rung_at(struct story_queue *queue, uint64_t packet, gfe_ps now_ps)
{
    while (queue->first_ring < queue->ring_count &&
           queue->rings[queue->first_ring].write_index <= packet)
        queue->first_ring++;
    return queue->first_ring < queue->ring_count ? queue->rings[queue->first_ring].time_ps : now_ps;
}

bool story_take_ring(struct story_build *build, const struct model_ring *ring)
{
    const uint32_t index = story_queue_at(build, ring->queue_id);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &build->story->queues[index];
    if (!story_room(build, &queue->rings, queue->ring_count, &queue->ring_capacity,
                    sizeof *queue->rings, STORY_OPERATIONS_MAX))
        return false;
    queue->rings[queue->ring_count++] = (struct story_ring){build->now_ps, ring->write_index};
    return true;
}

/* ---- waits ------------------------------------------------------------------------------------
 */

/* Work whose completion the signal's last change told just now; STORY_NONE. */
static uint32_t signalled_by(const struct story_build *build, uint64_t address)
{
    const struct story *story = build->story;
    const uint32_t index = id_map_find(&story->signal_by_address, address);

    return index == ID_MAP_NONE || story->signals[index].time_ps != build->now_ps
               ? STORY_NONE
               : story->signals[index].work;
}

/* Because of whom a queue has waited: whose end lets it go on. */
static uint32_t who_was(const struct story_build *build, const struct story_queue *queue,
                        const struct story_wait *wait)
{
    const struct story *story = build->story;
    const char *label = story_rule(story, wait->rule);

    if (wait->by_kind == SUBJECT_SEMAPHORE && queue->engine == STORY_NONE)
        return signalled_by(build, wait->by_id);
    if (wait->by_kind == SUBJECT_SEMAPHORE) /* SDMA polls the value itself, in two halves */
        return signalled_by(build, (wait->by_id & ~UINT64_C(7)) - STORY_SIGNAL_VALUE);
    if (strcmp(label, "A.Q3") == 0) /* it may leave its slot before that one is complete */
        return queue->work != STORY_NONE && story->works[queue->work].end_ps == GFE_PS_NEVER
                   ? queue->work
                   : queue->ended;
    if (strcmp(label, "AMD.SDMA_ENGINE") == 0 && queue->engine != STORY_NONE &&
        story->sdma_ended[queue->engine] != 0 &&
        story->works[story->sdma_ended[queue->engine] - 1].end_ps > wait->begin_ps)
        return story->sdma_ended[queue->engine] - 1;
    return STORY_NONE;
}

static void work_set(const struct story *story, struct story_wait *wait, uint32_t work)
{
    if (work == STORY_NONE)
        return;
    wait->by_kind = story->works[work].is_copy ? SUBJECT_COPY : SUBJECT_GRID;
    wait->by_id = story->works[work].id;
}

bool story_queue_wait(const struct story_build *build, uint64_t doorbell,
                      const struct story_wait *wait)
{
    const uint32_t index = story_queue_at(build, doorbell);
    struct story_wait who = *wait;
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &build->story->queues[index];
    if (story_role(build->story, wait->rule) == STORY_ROLE_GRACE)
        queue->grace_ps = wait->begin_ps;
    if (wait->by_kind == SUBJECT_SEMAPHORE)
        who.signal = wait->by_id;
    work_set(build->story, &who, who_was(build, queue, wait));
    /* What was told of before is a part of it: the grace period of a queue that waits. */
    if (queue->last_wait != STORY_NONE &&
        build->story->waits[queue->last_wait].begin_ps >= who.begin_ps) {
        build->story->waits[queue->last_wait] = who;
        return true;
    }
    return story_wait_add(build, &queue->first_wait, &queue->last_wait, &who);
}

/* Returns the rule of a slot, by pipe and number, or NULL if there is no such slot. */
static uint32_t *rule_of(uint32_t rules[STORY_PIPES * STORY_PIPE_SLOTS],
                         const struct model_slot *slot)
{
    return slot->pipe < STORY_PIPES && slot->index < STORY_PIPE_SLOTS
               ? &rules[slot->pipe * STORY_PIPE_SLOTS + slot->index]
               : NULL;
}

bool story_take_hws_map(struct story_build *build, const struct model_record *record)
{
    uint32_t *rule = rule_of(build->story->map_rules, &record->slot);

    if (rule)
        *rule = build->event->rule;
    return true;
}

bool story_take_hws_preempt(struct story_build *build, const struct model_record *record)
{
    uint32_t *rule = rule_of(build->story->leave_rules, &record->slot);

    if (rule)
        *rule = build->event->rule;
    return true;
}

bool story_take_queue_leave(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->queue.queue_id);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &build->story->queues[index];
    queue->left_ps = build->now_ps;
    queue->left_rule = record->queue.slot_id < STORY_PIPES * STORY_PIPE_SLOTS
                           ? build->story->leave_rules[record->queue.slot_id]
                           : RULE_NONE;
    queue->slot = STORY_NONE;
    story_visit_leave(build->story, queue, record->queue.slot_id);
    return true;
}

bool story_take_queue_save(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->queue.queue_id);

    if (index == STORY_NONE)
        return false;
    story_visit_stop(build, &build->story->queues[index],
                     clock_add(build->now_ps, record->queue.duration_ps));
    build->story->queues[index].grace_ps = GFE_PS_NEVER;
    return true;
}

bool story_take_save_refused(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->queue.queue_id);

    if (index == STORY_NONE)
        return false;
    story_visit_refused(build, &build->story->queues[index]);
    build->story->queues[index].grace_ps = GFE_PS_NEVER;
    return true;
}

bool story_take_queue_restore(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->queue.queue_id);

    if (index == STORY_NONE)
        return false;
    story_visit_restore(build, &build->story->queues[index],
                        clock_add(build->now_ps, record->queue.duration_ps));
    return true;
}

/* Returns the rule of a queue's wait for a slot.  If the queue gets the slot as soon as it is on a
 * list, it has waited for that list since it left one. */
static uint32_t map_rule(const struct story *story, const struct story_queue *queue, uint32_t rule)
{
    return queue->left_rule != RULE_NONE && strcmp(story_rule(story, rule), "A.H1") == 0
               ? queue->left_rule
               : rule;
}

/* A queue gets a slot: it has waited for it since it left one, or since it was rung for. */
bool story_take_queue_load(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = story_queue_at(build, record->queue.queue_id);
    struct story_wait wait = {
        .end_ps = build->now_ps, .next = STORY_NONE, .subject_kind = SUBJECT_QUEUE};
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    queue = &story->queues[index];
    wait.begin_ps = queue->left_ps != GFE_PS_NEVER
                        ? queue->left_ps
                        : story_rung_at(queue, record->queue.read_index, build->now_ps);
    queue->left_ps = GFE_PS_NEVER;
    if (record->queue.slot_id < STORY_PIPES * STORY_PIPE_SLOTS) {
        wait.rule = map_rule(story, queue, story->map_rules[record->queue.slot_id]);
        queue->slot = (uint32_t)record->queue.slot_id;
    }
    if (!story_visit_load(build, index, record->queue.slot_id, wait.rule))
        return false;
    return wait.begin_ps >= build->now_ps || wait.rule == RULE_NONE ||
           story_wait_add(build, &queue->first_wait, &queue->last_wait, &wait);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* Adds an operation of a program whose log has packets but no calls. */
static bool operation_new(struct story_build *build, uint64_t doorbell, uint32_t work)
{
    struct story *story = build->story;
    const uint32_t index = story->operation_count;
    const struct model_stream_operation operation = {
        .id = story->works[work].id, .stream_id = doorbell, .task = STORY_NONE, .call = STORY_NONE};
    char name[STORY_NAME_BYTES];

    (void)snprintf(name, sizeof name, "Q%" PRIu64 "/kernel", doorbell);
    if (id_map_find(&story->operation_by_id, operation.id) != ID_MAP_NONE)
        return true;
    if (!story_take_operation_named(build, &operation, name))
        return false;
    story->operations[index].kind = STORY_KERNEL;
    story->operations[index].called_ps = story->works[work].rung_ps;
    story->operations[index].submitted_ps = story->works[work].rung_ps;
    story->operations[index].work = work;
    story->works[work].operation = index;
    story->streams[story->operations[index].stream].is_queue = true;
    return true;
}

bool story_take_amd_launch(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t work = id_map_find(&story->grid_by_id, record->packet.grid_id);
    const uint32_t index = story_queue_at(build, record->packet.queue_id);
    struct story_queue *queue;

    if (index == STORY_NONE)
        return false;
    if (work == ID_MAP_NONE)
        return true;
    queue = &story->queues[index];
    story->works[work].rung_ps = story_rung_at(queue, record->packet.index, build->now_ps);
    story->works[work].packet = record->packet.index;
    story->works[work].first_front = queue->first_wait;
    queue->first_wait = queue->last_wait = STORY_NONE;
    story->works[work].before_in_queue = queue->work;
    queue->work = work;
    story_visit_launch(story, work, index);
    story_hip_grid(build, work, record->packet.queue_id, record->packet.index);
    if (story->works[work].operation != STORY_NONE)
        return true;
    return story->hip.launches > 0 || operation_new(build, record->packet.queue_id, work);
}

/* The work that the queue's packet asked for, among the last ones; STORY_NONE. */
static uint32_t work_of_packet(const struct story *story, const struct story_queue *queue,
                               uint64_t packet)
{
    uint32_t work = queue->work;

    for (uint32_t i = 0; i < STORY_CROWD_MAX && work != STORY_NONE; i++) {
        if (story->works[work].packet == packet)
            return work;
        work = story->works[work].before_in_queue;
    }
    return STORY_NONE;
}

bool story_take_packet_end(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = id_map_find(&story->queue_by_doorbell, record->packet.queue_id);
    struct story_queue *queue = index == ID_MAP_NONE ? NULL : &story->queues[index];
    const uint32_t work = queue ? work_of_packet(story, queue, record->packet.index) : STORY_NONE;
    const uint32_t operation = work == STORY_NONE ? STORY_NONE : story->works[work].operation;

    if (work == STORY_NONE)
        return true;
    queue->ended = work;
    if (story->hip.launches == 0 && operation != STORY_NONE &&
        story->operations[operation].completed_ps == GFE_PS_NEVER)
        story->operations[operation].completed_ps = build->now_ps;
    return true;
}

bool story_signal_set(const struct story_build *build, uint64_t address, uint32_t work)
{
    struct story *story = build->story;
    uint32_t index = id_map_find(&story->signal_by_address, address);

    if (index == ID_MAP_NONE) {
        index = story->signal_count;
        if (!story_room(build, &story->signals, index, &story->signal_capacity,
                        sizeof *story->signals, STORY_WAITS_MAX))
            return false;
        if (!id_map_add(&story->signal_by_address, address, index))
            return story_no_memory(build);
        story->signal_count++;
    }
    story->signals[index] = (struct story_signal){build->now_ps, work};
    return true;
}

/* Notes which work set a signal.  A packet that comes after the queue's last work announces that
 * work. */
bool story_take_signal(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = story_queue_at(build, record->written.queue_id);
    uint32_t work;

    if (index == STORY_NONE)
        return false;
    work = work_of_packet(build->story, &build->story->queues[index], record->written.packet_index);
    return story_signal_set(build, record->written.address,
                            work != STORY_NONE ? work : build->story->queues[index].ended);
}
