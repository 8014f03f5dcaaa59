/* SPDX-License-Identifier: MIT */
/* The life of a dispatch of AMD's, from its queue to its last block's CU. */
#include <config.h>

#include "emu/analysis/story/explain_story_dispatch.h"

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

/* What is known while a life is made: where its queue is, whose turn it is at the ACE, and what is
 * in its slots. */
struct path {
    const struct story *story;
    struct story_life *life;
    const struct story_dispatch *dispatch;
    const struct story_visit *visit;
    uint32_t turn, engine;                /* engine: of the block that was staged last */
    uint32_t in_slots[STORY_ENGINES_MAX]; /* stages; STORY_NONE: none yet */
};

/* Returns the last stage in the slot up to the present time of the life, or NULL before the first.
 */
static const struct story_stage *occupant(struct path *path, uint32_t engine)
{
    const struct story_stage *stages = path->story->stages;
    const uint32_t first = path->story->first_stages[path->visit->ace][engine];
    uint32_t *at = &path->in_slots[engine];

    if (*at == STORY_NONE && first != 0 && stages[first - 1].staged_ps <= path->life->at_ps)
        *at = first - 1;
    while (*at != STORY_NONE && stages[*at].after != STORY_NONE &&
           stages[stages[*at].after].staged_ps <= path->life->at_ps)
        *at = stages[*at].after;
    return *at == STORY_NONE ? NULL : &stages[*at];
}

/* Returns the block that keeps the next one from the slot of that shader engine: the block in the
 * slot.  If blocks are placed one by one (amd.baton), it is the ACE's last block, wherever it is.
 * Returns NULL if there is none. */
static const struct story_stage *in_way_of(struct path *path, uint32_t engine)
{
    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
        const struct story_stage *held = occupant(path, (engine + i) % STORY_ENGINES_MAX);

        if (held && held->start_ps > path->life->at_ps)
            return held;
    }
    return NULL;
}

/* The next block waits for its slot until it is staged. */
static void for_slot(struct path *path, gfe_ps to_ps, uint32_t engine, gfe_ps free_ps)
{
    struct story_life *life = path->life;
    gfe_ps before_ps;

    do {
        const struct story_stage *held = in_way_of(path, engine);

        before_ps = life->at_ps;
        if (held)
            in_slot(path->story, life, to_ps < held->start_ps ? to_ps : held->start_ps, held,
                    free_ps);
    } while (life->at_ps > before_ps && life->at_ps < to_ps);
    story_life_add(
        life, &(struct story_piece){.end_ps = to_ps, .what = STORY_PLACE, .engine = STORY_NONE});
}

/* ---- visits -----------------------------------------------------------------------------------
 */

/* From where its queue is in that slot, up to where dispatches in front of it are staged. */
static void visit_enter(struct path *path, uint32_t index)
{
    const struct story *story = path->story;
    const struct story_visit *visit = &story->visits[index];
    const struct story_visit *before =
        visit->before == STORY_NONE ? NULL : &story->visits[visit->before];

    path->visit = visit;
    path->turn = visit->turn;
    memcpy(path->in_slots, visit->slots, sizeof path->in_slots);
    if (before)
        way_add(path->life,
                &(struct way){.to_ps = before->staged_ps < visit->stop_ps ? before->staged_ps
                                                                          : visit->stop_ps,
                              .rule = story_role_rule(story, STORY_ROLE_ACE),
                              .engine = STORY_NONE,
                              .by = before->work});
}

/* Its waves have stopped: until its queue is in a slot again, and they may go on. */
static void visit_leave(struct path *path)
{
    const struct story_visit *visit = path->visit;
    const uint32_t rule = visit->away_rule != RULE_NONE
                              ? visit->away_rule
                              : story_role_rule(path->story, STORY_ROLE_QUEUE);

    story_life_add(
        path->life,
        &(struct story_piece){.end_ps = visit->saved_ps, .what = STORY_SAVE, .engine = STORY_NONE});
    way_add(path->life,
            &(struct way){
                .to_ps = visit->load_ps, .rule = rule, .engine = STORY_NONE, .by = STORY_NONE});
    if (visit->next == STORY_NONE)
        return;
    story_life_add(path->life,
                   &(struct story_piece){.end_ps = path->story->visits[visit->next].begin_ps,
                                         .what = STORY_RESTORE,
                                         .engine = STORY_NONE});
    visit_enter(path, visit->next);
}

/* Where the next block has to go, of which the log tells no more in this visit: in turn the first
 * shader engine whose slot stays taken as long as the dispatch is next, or it would be staged
 * there. */
static uint32_t engine_in_turn(struct path *path, gfe_ps to_ps)
{
    uint32_t engine = path->engine;

    for (uint32_t i = 0; i < 2 * STORY_ENGINES_MAX; i++) {
        const struct story_stage *held;

        engine = (engine + 1) % STORY_ENGINES_MAX;
        if (i < STORY_ENGINES_MAX && story_dispatch_cus(path->dispatch, engine) == 0)
            continue;
        held = occupant(path, engine);
        if (held && held->start_ps >= to_ps)
            return engine;
    }
    return engine;
}

/* It waits for that slot, and the log does not tell of its staging. */
static void for_some_slot(struct path *path, gfe_ps to_ps)
{
    const uint32_t engine = engine_in_turn(path, to_ps);
    gfe_ps free_ps = GFE_PS_NEVER;

    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
        const struct story_stage *held = occupant(path, i);
        const gfe_ps left_ps = held ? held->start_ps : 0;

        if (i != engine && story_dispatch_cus(path->dispatch, i) != 0 && left_ps < free_ps)
            free_ps = left_ps;
    }
    for_slot(path, to_ps, engine, free_ps);
}

/* ---- stages -----------------------------------------------------------------------------------
 */

/* Adds turns of the ACE's other queues, then the wait for the slot.  `stage` is NULL for a block
 * that is not staged in this visit. */
static void for_turn(struct path *path, const struct story_stage *stage, gfe_ps to_ps)
{
    const struct story *story = path->story;
    struct story_life *life = path->life;
    const uint32_t rule = story_role_rule(story, STORY_ROLE_ACE);

    while (life->at_ps < to_ps && !life->failed) {
        const struct story_turn *now = path->turn == STORY_NONE ? NULL : &story->turns[path->turn];
        const uint32_t next = now ? now->next : story->first_turns[path->visit->ace] - 1;
        const gfe_ps next_ps = next == STORY_NONE ? GFE_PS_NEVER : story->turns[next].time_ps;
        const gfe_ps end_ps = next_ps < to_ps ? next_ps : to_ps;
        const gfe_ps before_ps = life->at_ps;

        if (next_ps <= life->at_ps) {
            path->turn = next;
            continue;
        }
        if (now && now->queue != path->visit->queue && now->work != ID_MAP_NONE)
            way_add(life,
                    &(struct way){
                        .to_ps = end_ps, .rule = rule, .engine = STORY_NONE, .by = now->work});
        else if (stage)
            for_slot(path, end_ps, stage->engine, stage->free_ps);
        else
            for_some_slot(path, end_ps);
        if (life->at_ps == before_ps)
            return; /* the life is over */
    }
}

/* Adds the pieces up to the staging of one block, visit by visit.  `stage` is NULL if the log ends
 * before. */
static void until_staged(struct path *path, const struct story_stage *stage, gfe_ps to_ps)
{
    struct story_life *life = path->life;

    while (life->at_ps < to_ps && !life->failed) {
        const struct story_visit *visit = path->visit;
        const gfe_ps before_ps = life->at_ps;

        for_turn(path, visit->stop_ps < to_ps ? NULL : stage,
                 to_ps < visit->hold_ps ? to_ps : visit->hold_ps);
        if (life->at_ps >= visit->hold_ps && life->at_ps < visit->held_to_ps)
            way_add(life,
                    &(struct way){.to_ps = to_ps < visit->held_to_ps ? to_ps : visit->held_to_ps,
                                  .rule = story_role_rule(path->story, STORY_ROLE_GRACE),
                                  .engine = STORY_NONE,
                                  .by = STORY_NONE});
        if (visit->stop_ps == GFE_PS_NEVER)
            for_turn(path, stage, to_ps);
        else if (life->at_ps >= visit->stop_ps)
            visit_leave(path);
        if (life->at_ps == before_ps && path->visit == visit)
            return; /* the life is over */
    }
}

/* Is the stage that block's?  What was taken back has not started there. */
static bool is_of(const struct story *story, const struct story_stage *stage, uint32_t block)
{
    if (block == STORY_NONE || stage->start_ps == GFE_PS_NEVER)
        return false;
    return stage->taken_back ? stage->block == story->blocks[block].index : stage->block == block;
}

void story_dispatch_life(const struct story *story, struct story_life *life, uint32_t work,
                         uint32_t block)
{
    const struct story_dispatch *dispatch = story_dispatch_of(story, work);
    struct path path = {
        .story = story, .life = life, .dispatch = dispatch, .engine = STORY_ENGINES_MAX - 1};
    bool stopped = false;

    visit_enter(&path, dispatch->first_visit);
    for (uint32_t i = dispatch->first_stage; i != STORY_NONE; i = story->stages[i].next) {
        const struct story_stage *stage = &story->stages[i];

        until_staged(&path, stage, stage->staged_ps);
        path.engine = stage->engine;
        if (!is_of(story, stage, block))
            continue;
        in_slot(story, life, stage->start_ps, stage, GFE_PS_NEVER);
        if (stage->taken_back)
            continue;
        stopped = stage->stop_ps != GFE_PS_NEVER;
        story_life_add(life, &(struct story_piece){.end_ps = stopped ? stage->stop_ps
                                                                     : story->blocks[block].end_ps,
                                                   .what = STORY_RUN,
                                                   .by = STORY_BY_CU,
                                                   .by_id = stage->cu,
                                                   .engine = STORY_NONE});
        if (!stopped)
            return;
    }
    if (story->works[work].end_ps == GFE_PS_NEVER &&
        (stopped || story->works[work].dispatched_ps == GFE_PS_NEVER))
        until_staged(&path, NULL, GFE_PS_NEVER - 1);
}
