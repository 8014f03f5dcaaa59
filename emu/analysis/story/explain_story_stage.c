/* SPDX-License-Identifier: MIT */
/* Events of AMD's dispatches: what is in which slot, since when, and what was in its way. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

/* Returns the parts that loading needs, which are made for the first dispatch.  Returns NULL
 * without memory. */
static struct story_dispatch_load *load_of(const struct story_build *build)
{
    struct story *story = build->story;

    if (story->load)
        return story->load;
    story->load = malloc(sizeof *story->load);
    if (!story->load) {
        (void)story_no_memory(build);
        return NULL;
    }
    memset(story->load, 0xff, sizeof *story->load); /* STORY_NONE */
    memset(story->load->cus, 0, sizeof story->load->cus);
    story->load->wait_ps = GFE_PS_NEVER;
    story->load->cut_rule = RULE_NONE;
    for (uint32_t i = 1; i < TABLE_END; i++) {
        const struct event_log_rule *rule = event_log_rule(story->log, i);

        if (rule && strcmp(rule->label, "A.D4") == 0)
            story->load->cut_rule = i;
    }
    return story->load;
}

uint32_t story_dispatch_cus(const struct story_dispatch *dispatch, uint32_t engine)
{
    return engine < STORY_ENGINES_MAX
               ? (uint32_t)(dispatch->masks[engine / 4] >> engine % 4 * STORY_CU_BITS) & 0xffff
               : 0;
}

bool story_take_dispatch(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t work = id_map_find(&story->grid_by_id, record->dispatch.grid_id);
    struct story_dispatch_load *load = load_of(build);

    if (!load)
        return false;
    if (work == ID_MAP_NONE || story->works[work].dispatch != STORY_NONE ||
        record->dispatch.ace >= STORY_ACES_MAX || record->dispatch.queue >= STORY_QUEUES_MAX)
        return true;
    if (!story_room(build, &story->dispatches, story->dispatch_count, &story->dispatch_capacity,
                    sizeof *story->dispatches, STORY_OPERATIONS_MAX))
        return false;
    story->dispatches[story->dispatch_count] = (struct story_dispatch){
        .masks = {record->dispatch.cu_mask_lo, record->dispatch.cu_mask_hi},
        .waves = record->dispatch.wave_count < 1024 ? (uint32_t)record->dispatch.wave_count : 1024,
        .ace = (uint32_t)record->dispatch.ace,
        .queue = (uint32_t)record->dispatch.queue,
        .first_stage = STORY_NONE,
        .last_stage = STORY_NONE,
        .first_visit = STORY_NONE,
        .last_visit = STORY_NONE,
        .ring = STORY_NONE};
    story->works[work].dispatch = story->dispatch_count++;
    return story_visit_first(build, work);
}

bool story_take_ace_turn(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    struct story_dispatch_load *load = load_of(build);
    const uint32_t index = story->turn_count;

    if (!load)
        return false;
    if (record->turn.ace >= STORY_ACES_MAX || record->turn.queue >= STORY_QUEUES_MAX)
        return true;
    if (!story_room(build, &story->turns, index, &story->turn_capacity, sizeof *story->turns,
                    STORY_WAITS_MAX))
        return false;
    story->turns[index] =
        (struct story_turn){.time_ps = build->now_ps,
                            .queue = (uint32_t)record->turn.queue,
                            .work = id_map_find(&story->grid_by_id, record->turn.grid_id),
                            .next = STORY_NONE};
    if (load->last_turn[record->turn.ace] != STORY_NONE)
        story->turns[load->last_turn[record->turn.ace]].next = index;
    else
        story->first_turns[record->turn.ace] = index + 1;
    load->last_turn[record->turn.ace] = index;
    story->turn_count++;
    return true;
}

/* ---- CUs --------------------------------------------------------------------------------------
 */

/* May the dispatch have that CU, which is one of the shader engine? */
static bool may_have(const struct story *story, const struct story_dispatch *dispatch,
                     uint32_t engine, uint32_t cu)
{
    uint32_t first = 0;

    if (!story->limits || story->limits->engine_count == 0)
        return true;
    for (uint32_t i = 0; i < engine && i < STORY_ENGINES_MAX; i++)
        first += story->limits->engine_cus[i];
    return cu >= first && cu - first < STORY_CU_BITS &&
           (story_dispatch_cus(dispatch, engine) >> (cu - first) & 1);
}

/* Adds a block's waves to a CU, or takes them away. */
static void cu_count(struct story *story, const struct story_block *block, bool takes)
{
    const struct story_dispatch *dispatch = story_dispatch_of(story, block->work);
    uint32_t free_at = STORY_HOLDERS;

    if (!dispatch || block->sm >= STORY_SMS_MAX)
        return;
    for (uint32_t i = 0; i < STORY_HOLDERS; i++) {
        uint32_t *waves = &story->load->cus[block->sm].waves[i];

        if (*waves == 0) {
            free_at = i;
            continue;
        }
        if (story->load->cus[block->sm].work[i] != block->work)
            continue;
        if (takes)
            *waves += dispatch->waves;
        else
            *waves -= *waves < dispatch->waves ? *waves : dispatch->waves;
        return;
    }
    if (!takes || free_at == STORY_HOLDERS)
        return;
    story->load->cus[block->sm].work[free_at] = block->work;
    story->load->cus[block->sm].waves[free_at] = dispatch->waves;
}

/* Returns the dispatch with most waves on the CUs that this one may have of the shader engine. */
static uint32_t holder_of(const struct story *story, const struct story_dispatch *dispatch,
                          uint32_t engine)
{
    const struct story_dispatch_load *load = story->load;
    uint32_t works[STORY_SMS_MAX], best = STORY_NONE, count = 0;
    uint64_t waves[STORY_SMS_MAX], most = 0;

    for (uint32_t cu = 0; cu < story->sm_count && cu < STORY_SMS_MAX; cu++) {
        if (load->cus[cu].engine != engine + 1 || !may_have(story, dispatch, engine, cu))
            continue;
        for (uint32_t i = 0; i < STORY_HOLDERS; i++) {
            uint32_t at = 0;

            if (load->cus[cu].waves[i] == 0)
                continue;
            while (at < count && works[at] != load->cus[cu].work[i])
                at++;
            if (at == STORY_SMS_MAX)
                continue;
            if (at == count) {
                works[count] = load->cus[cu].work[i];
                waves[count++] = 0;
            }
            waves[at] += load->cus[cu].waves[i];
            if (waves[at] > most) {
                most = waves[at];
                best = works[at];
            }
        }
    }
    return best;
}

/* ---- slots ------------------------------------------------------------------------------------
 */

/* Since when one of the ACE's slots in another shader engine that the dispatch may use is empty. */
static gfe_ps free_since(const struct story *story, const struct story_dispatch *dispatch,
                         uint32_t engine)
{
    gfe_ps since_ps = GFE_PS_NEVER;

    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
        const uint32_t stage = story->load->slots[dispatch->ace][i];
        gfe_ps free_ps;

        if (i == engine || story_dispatch_cus(dispatch, i) == 0)
            continue;
        free_ps = stage == STORY_NONE ? 0 : story->stages[stage].start_ps;
        if (free_ps < since_ps)
            since_ps = free_ps;
    }
    return since_ps;
}

static void stage_join(struct story *story, struct story_dispatch *dispatch, uint32_t index)
{
    const uint32_t engine = story->stages[index].engine;

    if (dispatch->last_stage == STORY_NONE)
        dispatch->first_stage = index;
    else
        story->stages[dispatch->last_stage].next = index;
    dispatch->last_stage = index;
    if (story->load->slots[dispatch->ace][engine] != STORY_NONE)
        story->stages[story->load->slots[dispatch->ace][engine]].after = index;
    else
        story->first_stages[dispatch->ace][engine] = 1 + index;
    story->load->slots[dispatch->ace][engine] = index;
}

bool story_take_stage(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t work = id_map_find(&story->grid_by_id, record->staged.grid_id),
                   index = story->stage_count;
    const uint32_t number = work == ID_MAP_NONE ? STORY_NONE : story->works[work].dispatch;
    struct story_dispatch *dispatch;

    if (number == STORY_NONE || record->staged.index > UINT32_MAX ||
        record->staged.engine >= STORY_ENGINES_MAX ||
        record->staged.ace != story->dispatches[number].ace)
        return true;
    if (!story_room(build, &story->stages, index, &story->stage_capacity, sizeof *story->stages,
                    STORY_BLOCKS_MAX))
        return false;
    dispatch = &story->dispatches[number];
    story->stages[index] = (struct story_stage){
        .staged_ps = build->now_ps,
        .start_ps = GFE_PS_NEVER,
        .stop_ps = GFE_PS_NEVER,
        .free_ps = free_since(story, dispatch, (uint32_t)record->staged.engine),
        .cut_ps = GFE_PS_NEVER,
        .work = work,
        .block = (uint32_t)record->staged.index,
        .after = STORY_NONE,
        .cut_by = STORY_NONE,
        .holder = holder_of(story, dispatch, (uint32_t)record->staged.engine),
        .next = STORY_NONE,
        .engine = (uint8_t)record->staged.engine,
        .ace = (uint8_t)dispatch->ace};
    story->stage_count++;
    stage_join(story, dispatch, index);
    story_visit_staged(build, dispatch);
    return true;
}

void story_stage_slots(const struct story *story, uint32_t ace, uint32_t slots[STORY_ENGINES_MAX])
{
    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++)
        slots[i] = ace < STORY_ACES_MAX ? story->load->slots[ace][i] : STORY_NONE;
}

/* The block has got a CU that one of another slot, which is there longer, might have had. */
static void cut_ahead(const struct story_build *build, const struct story_stage *placed,
                      uint32_t cu)
{
    struct story *story = build->story;

    for (uint32_t ace = 0; ace < STORY_ACES_MAX; ace++) {
        const uint32_t index = story->load->slots[ace][placed->engine];
        struct story_stage *stage = index == STORY_NONE ? NULL : &story->stages[index];

        if (!stage || ace == placed->ace || stage->start_ps != GFE_PS_NEVER ||
            stage->staged_ps >= placed->staged_ps ||
            !may_have(story, story_dispatch_of(story, stage->work), stage->engine, cu))
            continue;
        stage->cut_count++;
        if (stage->cut_ps != GFE_PS_NEVER)
            continue;
        stage->cut_ps = build->now_ps;
        stage->cut_by = placed->work;
    }
}

/* Returns the stage of a block in its slot, or NULL if the block is in no slot. */
static struct story_stage *in_slot_of(const struct story *story, uint32_t work, uint64_t block)
{
    const struct story_dispatch *dispatch = story_dispatch_of(story, work);

    for (uint32_t i = 0; dispatch && i < STORY_ENGINES_MAX; i++) {
        const uint32_t at = story->load->slots[dispatch->ace][i];

        if (at != STORY_NONE && story->stages[at].work == work &&
            story->stages[at].block == block && story->stages[at].start_ps == GFE_PS_NEVER)
            return &story->stages[at];
    }
    return NULL;
}

/* It leaves its slot: why it was there as long as it was. */
static void stage_leave(const struct story_build *build, struct story_stage *stage)
{
    const struct story *story = build->story;

    stage->start_ps = build->now_ps;
    if (story->load->wait_ps == stage->staged_ps &&
        story->load->wait_grid == story->works[stage->work].id)
        stage->rule = (uint16_t)story->load->wait_rule;
}

bool story_take_unstage(struct story_build *build, const struct model_record *record)
{
    const uint32_t work = id_map_find(&build->story->grid_by_id, record->staged.grid_id);
    struct story_stage *stage =
        work == ID_MAP_NONE ? NULL : in_slot_of(build->story, work, record->staged.index);

    if (!stage)
        return true;
    stage->taken_back = true;
    stage_leave(build, stage);
    return true;
}

/* The block of these numbers, that has started; STORY_NONE. */
static uint32_t started_block(const struct story *story, const struct model_block *block)
{
    const uint32_t work = id_map_find(&story->grid_by_id, block->grid_id);
    const uint32_t index =
        work == ID_MAP_NONE || block->index > UINT32_MAX || !story->load
            ? ID_MAP_NONE
            : id_map_find(&story->block_by_id, (uint64_t)work << 32 ^ block->index);

    return index == ID_MAP_NONE || !story_dispatch_of(story, work) ? STORY_NONE : index;
}

bool story_take_block_stop(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t index = started_block(story, &record->block);
    struct story_block *block = index == STORY_NONE ? NULL : &story->blocks[index];

    if (!block || block->stage == STORY_NONE)
        return true;
    story->stages[block->stage].stop_ps = build->now_ps;
    block->stage = STORY_NONE;
    cu_count(story, block, false);
    return true;
}

bool story_take_block_go_on(struct story_build *build, const struct model_record *record)
{
    const uint32_t index = started_block(build->story, &record->block);

    if (index == STORY_NONE)
        return true;
    build->story->blocks[index].sm =
        record->block.sm < UINT32_MAX ? (uint32_t)record->block.sm : UINT32_MAX;
    story_stage_start(build, index);
    return true;
}

void story_stage_start(struct story_build *build, uint32_t index)
{
    struct story *story = build->story;
    struct story_block *block = &story->blocks[index];
    struct story_stage *stage = in_slot_of(story, block->work, block->index);

    if (!stage)
        return;
    stage_leave(build, stage);
    stage->block = index;
    stage->cu = (uint16_t)(block->sm < STORY_SMS_MAX ? block->sm : STORY_SMS_MAX);
    block->stage = (uint32_t)(stage - story->stages);
    if (block->sm < STORY_SMS_MAX)
        story->load->cus[block->sm].engine = (uint8_t)(stage->engine + 1);
    if (build->event->rule == story->load->cut_rule)
        cut_ahead(build, stage, block->sm);
    cu_count(story, block, true);
}

void story_stage_end(struct story_build *build, uint32_t block)
{
    if (build->story->load)
        cu_count(build->story, &build->story->blocks[block], false);
}

bool story_stage_wait(struct story_build *build, uint32_t work, gfe_ps begin_ps)
{
    struct story *story = build->story;

    if (!story_dispatch_of(story, work))
        return false;
    story->load->wait_grid = story->works[work].id;
    story->load->wait_ps = begin_ps;
    story->load->wait_rule = build->event->rule;
    return true;
}
