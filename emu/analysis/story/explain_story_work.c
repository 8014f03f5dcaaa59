/* SPDX-License-Identifier: MIT */
/* Events of grids, blocks and copies. */
#include <config.h>

#include <stdlib.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/analysis/story/explain_story_dispatch.h"

static uint32_t number32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* A new grid or copy, the first of its channel's operation if the entry is that one's; STORY_NONE
 * when the error is set. */
static uint32_t work_new(const struct story_build *build, uint64_t id, uint64_t channel_id,
                         uint64_t gp_sequence, bool is_copy)
{
    struct story *story = build->story;
    struct id_map *map = is_copy ? &story->copy_by_id : &story->grid_by_id;
    const uint32_t index = story->work_count;
    uint32_t operation = story_ahead_find(story, channel_id, gp_sequence);

    if (id_map_find(map, id) != ID_MAP_NONE) {
        (void)error_set(build->error, ERROR_INPUT,
                        "%s: event %llu: this number was given before: %llu",
                        event_log_name(story->log), (unsigned long long)build->event_number,
                        (unsigned long long)id);
        return STORY_NONE;
    }
    if (!story_room(build, &story->works, index, &story->work_capacity, sizeof *story->works,
                    STORY_OPERATIONS_MAX))
        return STORY_NONE;
    if (!id_map_add(map, id, index)) {
        (void)story_no_memory(build);
        return STORY_NONE;
    }
    if (operation != STORY_NONE && story->operations[operation].work != STORY_NONE)
        operation = STORY_NONE;
    if (operation != STORY_NONE) {
        story->operations[operation].work = index;
        story_ahead_serve(build, operation);
    }
    story->works[index] = (struct story_work){.id = id,
                                              .queued_ps = build->now_ps,
                                              .started_ps = GFE_PS_NEVER,
                                              .dispatched_ps = GFE_PS_NEVER,
                                              .end_ps = GFE_PS_NEVER,
                                              .operation = operation,
                                              .channel = number32(channel_id),
                                              .first_wait = STORY_NONE,
                                              .last_wait = STORY_NONE,
                                              .first_stop = STORY_NONE,
                                              .last_stop = STORY_NONE,
                                              .last_ended = STORY_NONE,
                                              .dispatch = STORY_NONE,
                                              .rung_ps = GFE_PS_NEVER,
                                              .first_front = STORY_NONE,
                                              .before_in_queue = STORY_NONE,
                                              .is_copy = is_copy};
    story->work_count++;
    return index;
}

/* Returns the work of that number, or NULL if there is none. */
static struct story_work *work_of(const struct story_build *build, const struct id_map *map,
                                  uint64_t id)
{
    const uint32_t index = id_map_find(map, id);

    return index == ID_MAP_NONE ? NULL : &build->story->works[index];
}

static struct story_work *grid_of(const struct story_build *build, uint64_t id)
{
    return work_of(build, &build->story->grid_by_id, id);
}

static struct story_work *copy_of(const struct story_build *build, uint64_t id)
{
    return work_of(build, &build->story->copy_by_id, id);
}

static void time_set(const struct story_build *build, gfe_ps *time_ps)
{
    if (*time_ps == GFE_PS_NEVER)
        *time_ps = build->now_ps;
}

static bool work_stop(const struct story_build *build, struct story_work *work)
{
    return !work || story_stop(build, work);
}

static bool work_go_on(const struct story_build *build, const struct story_work *work,
                       uint64_t by_channel_id)
{
    struct story_wait *stop;

    if (!work || work->last_stop == STORY_NONE)
        return true;
    stop = &build->story->waits[work->last_stop];
    if (stop->end_ps != GFE_PS_NEVER)
        return true;
    stop->end_ps = build->now_ps;
    if (by_channel_id < EVENT_CHANNEL_IDS) {
        stop->by_kind = SUBJECT_CHANNEL;
        stop->by_id = by_channel_id;
    }
    return true;
}

/* ---- grids ------------------------------------------------------------------------------------
 */

bool story_take_grid_queue(struct story_build *build, const struct model_record *record)
{
    const uint32_t index =
        work_new(build, record->grid.id, record->grid.channel_id, record->grid.gp_sequence, false);
    struct story_work *work;

    if (index == STORY_NONE)
        return false;
    work = &build->story->works[index];
    work->block_count = record->grid.block_count;
    work->block_threads = number32(record->grid.block_threads);
    work->shared_bytes = number32(record->grid.shared_bytes);
    work->registers = number32(record->grid.registers);
    return true;
}

bool story_take_grid_cost(struct story_build *build, const struct model_record *record)
{
    struct story_work *work = grid_of(build, record->cost.id);

    if (work)
        work->priority = number32(record->cost.priority);
    return true;
}

bool story_take_grid_dispatched(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    struct story_work *work = grid_of(build, record->done.id);

    if (!work || work->dispatched_ps != GFE_PS_NEVER)
        return true;
    work->dispatched_ps = build->now_ps;
    if (!story_room(build, &story->dispatched, story->dispatched_count, &story->dispatched_capacity,
                    sizeof *story->dispatched, STORY_OPERATIONS_MAX))
        return false;
    story->dispatched[story->dispatched_count++] = (uint32_t)(work - story->works);
    return true;
}

static bool work_drop(const struct story_build *build, struct story_work *work)
{
    if (work && work->end_ps == GFE_PS_NEVER) {
        story_visit_end(build->story, (uint32_t)(work - build->story->works));
        work->end_ps = build->now_ps;
        work->dropped = true;
    }
    return true;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* The block that has just ended on the SM. */
static uint32_t block_freed(const struct story_build *build, uint64_t sm)
{
    const struct story *story = build->story;
    const uint32_t last = sm < STORY_SMS_MAX ? story->last_ended[sm] : STORY_NONE;

    return last != STORY_NONE && story->blocks[last].end_ps == build->now_ps ? last : STORY_NONE;
}

bool story_take_block_start(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t grid = id_map_find(&story->grid_by_id, record->block.grid_id),
                   index = story->block_count;
    const uint64_t key = (uint64_t)grid << 32 ^ record->block.index;

    if (grid == ID_MAP_NONE || record->block.index > UINT32_MAX ||
        id_map_find(&story->block_by_id, key) != ID_MAP_NONE)
        return true;
    if (!story_room(build, &story->blocks, index, &story->block_capacity, sizeof *story->blocks,
                    STORY_BLOCKS_MAX))
        return false;
    if (!id_map_add(&story->block_by_id, key, index))
        return story_no_memory(build);
    story->blocks[index] = (struct story_block){.start_ps = build->now_ps,
                                                .end_ps = GFE_PS_NEVER,
                                                .work = grid,
                                                .index = (uint32_t)record->block.index,
                                                .sm = number32(record->block.sm),
                                                .order = story->works[grid].started++,
                                                .freed = block_freed(build, record->block.sm),
                                                .stage = STORY_NONE};
    if (record->block.sm < STORY_SMS_MAX && record->block.sm >= story->sm_count)
        story->sm_count = (uint32_t)record->block.sm + 1;
    time_set(build, &story->works[grid].started_ps);
    story_stage_start(build, story->block_count++);
    return true;
}

bool story_take_block_end(struct story_build *build, const struct model_record *record)
{
    struct story *story = build->story;
    const uint32_t grid = id_map_find(&story->grid_by_id, record->block.grid_id);
    const uint32_t index =
        grid == ID_MAP_NONE || record->block.index > UINT32_MAX
            ? ID_MAP_NONE
            : id_map_find(&story->block_by_id, (uint64_t)grid << 32 ^ record->block.index);

    if (index == ID_MAP_NONE || story->blocks[index].end_ps != GFE_PS_NEVER)
        return true;
    story->blocks[index].end_ps = build->now_ps;
    story->works[grid].last_ended = index;
    story_stage_end(build, index);
    if (story->blocks[index].sm < STORY_SMS_MAX)
        story->last_ended[story->blocks[index].sm] = index;
    return true;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

bool story_take_copy_queue(struct story_build *build, const struct model_record *record)
{
    const uint32_t index =
        work_new(build, record->copy.id, record->copy.channel_id, record->copy.gp_sequence, true);

    if (index == STORY_NONE)
        return false;
    build->story->works[index].byte_count = record->copy.byte_count;
    return story_sdma_copy(build, index, record->copy.channel_id, record->copy.gp_sequence);
}

bool story_take_copy_start(struct story_build *build, const struct model_record *record)
{
    struct story_work *work = copy_of(build, record->done.id);

    if (work)
        time_set(build, &work->started_ps);
    return true;
}

/* ---- grids and copies -------------------------------------------------------------------------
 */

/* NULL for work that no story tells of. */
static struct story_work *done_of(const struct story_build *build,
                                  const struct model_record *record)
{
    switch (record->operation) {
    case MODEL_GRID:
        return grid_of(build, record->done.id);
    case MODEL_COPY:
        return copy_of(build, record->done.id);
    case MODEL_WORK:
    case MODEL_NO_OPERATION:
        break;
    }
    return NULL;
}

bool story_take_ended(struct story_build *build, const struct model_record *record)
{
    struct story_work *work = done_of(build, record);
    const uint32_t index = work ? (uint32_t)(work - build->story->works) : STORY_NONE;

    if (!work)
        return true;
    if (record->operation == MODEL_GRID && work->end_ps == GFE_PS_NEVER)
        story_visit_end(build->story, index);
    time_set(build, &work->end_ps);
    if (record->operation == MODEL_COPY)
        story_sdma_copy_end(build, index);
    return true;
}

bool story_take_dropped(struct story_build *build, const struct model_record *record)
{
    return work_drop(build, done_of(build, record));
}

bool story_take_suspended(struct story_build *build, const struct model_record *record)
{
    return work_stop(build, done_of(build, record));
}

/* Lets a stopped work go on.  For a copy the log does not say what was on in the meantime. */
bool story_take_resumed(struct story_build *build, const struct model_record *record)
{
    const uint64_t by = record->operation == MODEL_GRID ? record->done.by_channel_id : UINT64_MAX;

    return work_go_on(build, done_of(build, record), by);
}

/* ---- finishing --------------------------------------------------------------------------------
 */

bool story_works_finish(const struct story_build *build)
{
    struct story *story = build->story;
    uint32_t at = 0;

    story->block_order = malloc((story->block_count + (size_t)1) * sizeof *story->block_order);
    if (!story->block_order)
        return story_no_memory(build);
    for (uint32_t i = 0; i < story->work_count; i++) {
        story->works[i].first_block = at;
        at += story->works[i].started;
    }
    for (uint32_t i = 0; i < story->block_count; i++) {
        const struct story_block *block = &story->blocks[i];

        story->block_order[story->works[block->work].first_block + block->order] = i;
    }
    return true;
}
