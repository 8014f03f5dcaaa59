/* SPDX-License-Identifier: MIT */
/* The life of a dispatch of AMD's, from its queue to its last block's CU. */
#include <config.h>

#include "emu/explain_story_dispatch.h"

#include <string.h>

/* What is in the way until some time. */
struct way {
    gfe_ps to_ps;
    uint32_t rule, via, engine, by; /* by: work; STORY_NONE */
};

static void way_add(struct story_life *life, const struct way *way)
{
    const struct story_piece piece = {.end_ps = way->to_ps,
                                      .what = STORY_WAIT,
                                      .rule = way->rule,
                                      .via = way->via,
                                      .engine = way->engine,
                                      .by = way->by == STORY_NONE ? STORY_BY_NOBODY : STORY_BY_WORK,
                                      .by_id = way->by == STORY_NONE ? 0 : way->by};

    story_life_add(life, &piece);
}

/* Why a block stays in its slot, from where the life is up to its placing at most. */
static void in_slot(const struct story *story, struct story_life *life, gfe_ps to_ps,
                    const struct story_stage *stage, gfe_ps free_ps)
{
    const uint32_t cut_rule = story_role_rule(story, STORY_ROLE_CUT),
                   order = story_role_rule(story, STORY_ROLE_ENGINE);

    while (life->at_ps < to_ps && !life->failed) {
        const bool cut = stage->cut_ps <= life->at_ps, ordered = free_ps <= life->at_ps;
        struct way way = {.to_ps = to_ps, .engine = stage->engine};
        const gfe_ps before_ps = life->at_ps;

        if (!cut && stage->cut_ps < way.to_ps)
            way.to_ps = stage->cut_ps;
        if (!ordered && free_ps < way.to_ps)
            way.to_ps = free_ps;
        way.via = cut ? cut_rule : stage->rule;
        way.by = cut ? stage->cut_by : stage->holder;
        way.rule = ordered ? order : way.via;
        if (!ordered)
            way.via = RULE_NONE;
        if (way.rule == RULE_NONE && way.via == RULE_NONE)
            story_life_add(life, &(struct story_piece){.end_ps = way.to_ps,
                                                       .what = STORY_UNATTRIBUTED,
                                                       .engine = STORY_NONE});
        else
            way_add(life, &way);
        if (life->at_ps == before_ps)
            return; /* the life is over */
    }
}

/* What is known while a life is made: whose turn it is at the ACE, and who is in its slots. */
struct path {
    const struct story *story;
    struct story_life *life;
    const struct story_dispatch *dispatch;
    uint32_t turn;
    uint32_t in_slots[STORY_ENGINES_MAX]; /* stages; STORY_NONE: not looked up yet */
};

/* Who was put last into the slot by the time at which the life is; `last`: a later one, or it. */
static const struct story_stage *occupant(struct path *path, uint32_t engine, uint32_t last)
{
    const struct story_stage *stages = path->story->stages;
    uint32_t *at = &path->in_slots[engine];

    if (*at == STORY_NONE)
        for (*at = last; *at != STORY_NONE && stages[*at].staged_ps > path->life->at_ps;)
            *at = stages[*at].before;
    while (*at != STORY_NONE && stages[*at].after != STORY_NONE &&
           stages[stages[*at].after].staged_ps <= path->life->at_ps)
        *at = stages[*at].after;
    return *at == STORY_NONE ? NULL : &stages[*at];
}

/* The next block waits for its slot until it is staged. */
static void for_slot(struct path *path, gfe_ps to_ps, const struct story_stage *stage)
{
    struct story_life *life = path->life;
    gfe_ps before_ps;

    do {
        const struct story_stage *held = occupant(path, stage->engine, stage->before);

        before_ps = life->at_ps;
        if ((!held || held->start_ps <= life->at_ps) && stage->in_way != STORY_NONE)
            held = &path->story->stages[stage->in_way];
        if (held && held->start_ps > life->at_ps)
            in_slot(path->story, life, to_ps < held->start_ps ? to_ps : held->start_ps, held,
                    stage->free_ps);
    } while (life->at_ps > before_ps && life->at_ps < to_ps);
    story_life_add(
        life, &(struct story_piece){.end_ps = to_ps, .what = STORY_PLACE, .engine = STORY_NONE});
}

/* Up to the staging of one block: turns of the ACE's other queues, then the slot. */
static void until_staged(struct path *path, const struct story_stage *stage, gfe_ps to_ps)
{
    const struct story *story = path->story;
    struct story_life *life = path->life;
    const uint32_t rule = story_role_rule(story, STORY_ROLE_ACE);

    while (life->at_ps < to_ps && !life->failed) {
        const struct story_turn *now = path->turn == STORY_NONE ? NULL : &story->turns[path->turn];
        const uint32_t next = now ? now->next : story->first_turns[path->dispatch->ace] - 1;
        const gfe_ps next_ps = next == STORY_NONE ? GFE_PS_NEVER : story->turns[next].time_ps;
        const gfe_ps end_ps = next_ps < to_ps ? next_ps : to_ps;
        const gfe_ps before_ps = life->at_ps;

        if (next_ps <= life->at_ps) {
            path->turn = next;
            continue;
        }
        if (now && now->queue != path->dispatch->queue && now->work != ID_MAP_NONE)
            way_add(life,
                    &(struct way){
                        .to_ps = end_ps, .rule = rule, .engine = STORY_NONE, .by = now->work});
        else
            for_slot(path, end_ps, stage);
        if (life->at_ps == before_ps)
            return; /* the life is over */
    }
}

/* Dispatches in front of it in its queue are not all staged. */
static void until_head(const struct path *path)
{
    const uint32_t first = path->dispatch->before;

    if (first != STORY_NONE)
        way_add(path->life, &(struct way){.to_ps = path->story->works[first].dispatched_ps,
                                          .rule = story_role_rule(path->story, STORY_ROLE_ACE),
                                          .engine = STORY_NONE,
                                          .by = first});
}

/* The log ends while the dispatch's next block is in no slot: it waits for that of the shader
 * engine behind its last one's. */
static void unstaged(struct path *path)
{
    const struct story *story = path->story;
    const struct story_dispatch *dispatch = path->dispatch;
    struct story_stage next = {.free_ps = GFE_PS_NEVER, .in_way = STORY_NONE, .before = STORY_NONE};
    uint32_t engine = dispatch->last_stage == STORY_NONE
                          ? STORY_ENGINES_MAX - 1
                          : story->stages[dispatch->last_stage].engine;

    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
        engine = (engine + 1) % STORY_ENGINES_MAX;
        if (story_dispatch_cus(dispatch, engine) != 0)
            break;
    }
    next.engine = (uint8_t)engine;
    for (uint32_t i = dispatch->first_stage; i != STORY_NONE; i = story->stages[i].next) {
        if (story->stages[i].engine == engine)
            next.before = i;
        else if (story->stages[i].start_ps != GFE_PS_NEVER)
            next.free_ps = story->stages[i].start_ps;
    }
    until_staged(path, &next, GFE_PS_NEVER - 1);
}

void story_dispatch_life(const struct story *story, struct story_life *life, uint32_t work,
                         uint32_t block)
{
    const struct story_dispatch *dispatch = story_dispatch_of(story, work);
    struct path path = {.story = story, .life = life, .dispatch = dispatch, .turn = dispatch->turn};

    memset(path.in_slots, 0xff, sizeof path.in_slots);
    until_head(&path);
    for (uint32_t i = dispatch->first_stage; i != STORY_NONE; i = story->stages[i].next) {
        const struct story_stage *stage = &story->stages[i];

        until_staged(&path, stage, stage->staged_ps);
        if (block == STORY_NONE || stage->block != block || stage->start_ps == GFE_PS_NEVER)
            continue;
        in_slot(story, life, stage->start_ps, stage, GFE_PS_NEVER);
        return;
    }
    if (story->works[work].end_ps == GFE_PS_NEVER &&
        story->works[work].dispatched_ps == GFE_PS_NEVER)
        unstaged(&path);
}
