/* SPDX-License-Identifier: MIT */
/* Where the queue of a dispatch is, while loading: in which slot, and when its waves were stopped,
 * saved and restored. */
#include <config.h>

#include <string.h>

#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

enum { LIVE_MAX = 1024 /* dispatches of a queue that are looked for */ };

/* A new visit, the last of the dispatch; STORY_NONE when the error is set. */
static uint32_t visit_new(const struct story_build *build, uint32_t work, gfe_ps begin_ps)
{
    struct story *story = build->story;
    struct story_dispatch *dispatch = &story->dispatches[story->works[work].dispatch];
    const uint32_t index = story->visit_count;
    uint32_t *last = &story->load->last_of_queue[dispatch->ace][dispatch->queue];

    if (!story_room(build, &story->visits, index, &story->visit_capacity, sizeof *story->visits,
                    STORY_BLOCKS_MAX))
        return STORY_NONE;
    story->visits[index] = (struct story_visit){.begin_ps = begin_ps,
                                                .hold_ps = GFE_PS_NEVER,
                                                .held_to_ps = GFE_PS_NEVER,
                                                .stop_ps = GFE_PS_NEVER,
                                                .saved_ps = GFE_PS_NEVER,
                                                .load_ps = GFE_PS_NEVER,
                                                .away_rule = RULE_NONE,
                                                .work = work,
                                                .ace = dispatch->ace,
                                                .queue = dispatch->queue,
                                                .turn = story->load->last_turn[dispatch->ace],
                                                .before = *last,
                                                .next = STORY_NONE};
    story_stage_slots(story, dispatch->ace, story->visits[index].slots);
    if (dispatch->last_visit == STORY_NONE)
        dispatch->first_visit = index;
    else
        story->visits[dispatch->last_visit].next = index;
    dispatch->last_visit = index;
    *last = index;
    return story->visit_count++;
}

bool story_visit_first(const struct story_build *build, uint32_t work)
{
    return visit_new(build, work, build->now_ps) != STORY_NONE;
}

void story_visit_launch(const struct story *story, uint32_t work, uint32_t queue)
{
    struct story_dispatch *dispatch = story->works[work].dispatch == STORY_NONE
                                          ? NULL
                                          : &story->dispatches[story->works[work].dispatch];

    if (!dispatch || dispatch->ring != STORY_NONE)
        return;
    dispatch->ring = queue;
    story->queues[queue].live++;
}

void story_visit_end(const struct story *story, uint32_t work)
{
    const struct story_dispatch *dispatch = story_dispatch_of(story, work);

    if (dispatch && dispatch->ring != STORY_NONE && story->queues[dispatch->ring].live > 0)
        story->queues[dispatch->ring].live--;
}

void story_visit_staged(const struct story_build *build, const struct story_dispatch *dispatch)
{
    if (dispatch->last_visit != STORY_NONE)
        build->story->visits[dispatch->last_visit].staged_ps = build->now_ps;
}

/* The dispatches of a queue that are not over, the last one first; returns how many. */
static uint32_t live_of(const struct story *story, const struct story_queue *queue,
                        uint32_t works[LIVE_MAX])
{
    uint32_t count = 0, work = queue->work;

    for (uint32_t i = 0; i < LIVE_MAX && work != STORY_NONE && count < queue->live; i++) {
        if (story->works[work].end_ps == GFE_PS_NEVER &&
            story->works[work].dispatch != STORY_NONE &&
            story_dispatch_of(story, work)->last_visit != STORY_NONE)
            works[count++] = work;
        work = story->works[work].before_in_queue;
    }
    return count;
}

static struct story_visit *last_visit(const struct story *story, uint32_t work)
{
    return &story->visits[story_dispatch_of(story, work)->last_visit];
}

void story_visit_stop(const struct story_build *build, const struct story_queue *queue,
                      gfe_ps saved_ps)
{
    uint32_t works[LIVE_MAX];
    const uint32_t count = live_of(build->story, queue, works);

    for (uint32_t i = 0; i < count; i++) {
        struct story_visit *visit = last_visit(build->story, works[i]);

        if (visit->stop_ps != GFE_PS_NEVER)
            continue;
        visit->hold_ps = queue->grace_ps < visit->begin_ps ? visit->begin_ps : queue->grace_ps;
        visit->held_to_ps = visit->stop_ps = build->now_ps;
        visit->saved_ps = saved_ps;
    }
}

void story_visit_refused(const struct story_build *build, const struct story_queue *queue)
{
    uint32_t works[LIVE_MAX];
    const uint32_t count = live_of(build->story, queue, works);

    for (uint32_t i = 0; i < count; i++) {
        struct story_visit *visit = last_visit(build->story, works[i]);

        if (visit->stop_ps != GFE_PS_NEVER || queue->grace_ps == GFE_PS_NEVER)
            continue;
        visit->hold_ps = queue->grace_ps < visit->begin_ps ? visit->begin_ps : queue->grace_ps;
        visit->held_to_ps = build->now_ps;
    }
}

/* ACE and queue of a slot; false: it is none of the first micro engine's. */
static bool place_of(uint64_t slot, uint32_t *ace, uint32_t *queue)
{
    *ace = (uint32_t)(slot / STORY_PIPE_SLOTS);
    *queue = (uint32_t)(slot % STORY_PIPE_SLOTS);
    return slot < (uint64_t)STORY_ACES_MAX * STORY_PIPE_SLOTS;
}

void story_visit_leave(const struct story *story, const struct story_queue *left, uint64_t slot)
{
    uint32_t works[LIVE_MAX], ace, queue;
    const uint32_t count = live_of(story, left, works);

    for (uint32_t i = 0; i < count; i++)
        last_visit(story, works[i])->away_rule = left->left_rule;
    if (story->load && place_of(slot, &ace, &queue))
        story->load->last_of_queue[ace][queue] = STORY_NONE;
}

bool story_visit_load(const struct story_build *build, uint32_t queue, uint64_t slot,
                      uint32_t away_rule)
{
    struct story *story = build->story;
    uint32_t works[LIVE_MAX], ace, number;
    const uint32_t count = live_of(story, &story->queues[queue], works);

    if (count == 0 || !place_of(slot, &ace, &number))
        return true;
    for (uint32_t i = count; i-- > 0;) {
        struct story_visit *visit = last_visit(story, works[i]);
        struct story_dispatch *dispatch = &story->dispatches[story->works[works[i]].dispatch];

        if (visit->stop_ps == GFE_PS_NEVER)
            continue;
        visit->load_ps = build->now_ps;
        visit->away_rule = away_rule;
        dispatch->ace = ace;
        dispatch->queue = number;
        if (visit_new(build, works[i], build->now_ps) == STORY_NONE)
            return false;
    }
    return true;
}

void story_visit_restore(const struct story_build *build, const struct story_queue *queue,
                         gfe_ps back_ps)
{
    uint32_t works[LIVE_MAX];
    const uint32_t count = live_of(build->story, queue, works);

    for (uint32_t i = 0; i < count; i++)
        if (last_visit(build->story, works[i])->begin_ps == build->now_ps)
            last_visit(build->story, works[i])->begin_ps = back_ps;
}
