/* SPDX-License-Identifier: MIT */
/* What the model keeps of each record, and the records that come of it. */
#include <config.h>

#include "emu/analysis/model/model_private.h"

#include "emu/log/event_list.h"

/* Returns the queue that the grid's slot holds. */
static uint64_t grid_queue(const struct model *model, const struct model_grid *grid)
{
    const uint64_t slot = grid->channel_id;

    return model->is_amd && slot < MODEL_SLOTS && model->queue_in[slot] != 0
               ? model->queue_in[slot] - 1
               : MODEL_NONE;
}

static void slot_hold(struct model *model, uint64_t slot, uint64_t queue_plus_1)
{
    if (slot < MODEL_SLOTS)
        model->queue_in[slot] = queue_plus_1;
}

static bool hand(struct model *model, const struct model_record *record)
{
    return model->listener(model->context, record) && !model->lives.no_memory;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* A hand-over makes the operation live; it keeps the record. */
static bool take_handed(struct model *model, struct model_record *record)
{
    struct model_lives *lives = &model->lives;
    struct model_live *live;

    if (record->type == MODEL_GRID_HANDED)
        record->grid.queue_id = grid_queue(model, &record->grid);
    record->again = model_lives_find(lives, record->operation, record->value[0]) != NULL;
    live = model_lives_add(lives, record->operation, record->value[0], record->now_ps);
    record->live = live;
    if (!live)
        return hand(model, record);
    if (record->type == MODEL_GRID_HANDED) {
        live->grid = record->grid;
        live->channel_id = model_grid_channel(&record->grid);
        live->gp_sequence = record->grid.gp_sequence;
    } else if (record->type == MODEL_COPY_HANDED) {
        live->copy = record->copy;
        live->channel_id = record->copy.channel_id;
        live->engine_id = record->copy.engine_id;
        live->gp_sequence = record->copy.gp_sequence;
    } else {
        live->work = record->work;
        live->channel_id = record->work.channel_id;
        live->engine_id = record->work.engine_id;
        live->gp_sequence = record->work.gp_sequence;
        live->start_ps = live->piece_ps = record->now_ps; /* it is queued nowhere */
    }
    return hand(model, record);
}

static bool take_started(struct model *model, struct model_record *record, struct model_live *live)
{
    if (live) {
        record->again = live->start_ps != GFE_PS_NEVER;
        live->start_ps = live->piece_ps = record->now_ps;
    }
    if (record->operation == MODEL_COPY && record->event->unit < MODEL_UNITS)
        model->units[record->event->unit] =
            (struct model_unit){record->done.id + 1, record->done.engine_id};
    return hand(model, record);
}

/* Returns a record of the grid's block of that stay, which comes of another record. */
static struct model_record block_record(const struct model_record *from, enum model_type type,
                                        const struct model_block *block)
{
    return (struct model_record){.type = type,
                                 .operation = MODEL_NO_OPERATION,
                                 .now_ps = from->now_ps,
                                 .rule = from->rule,
                                 .event_number = from->event_number,
                                 .event = from->event,
                                 .live = from->live,
                                 .since_ps = from->now_ps,
                                 .sm_place = (uint16_t)block->slot,
                                 .block = *block};
}

/* The blocks of the grid leave their SMs; they come back if the grid is suspended. */
static bool blocks_leave(struct model *model, const struct model_record *record,
                         struct model_live *grid, bool come_back)
{
    struct model_lives *lives = &model->lives;

    for (uint32_t sm = 0; grid->on_count > 0 && sm < lives->sm_count; sm++)
        for (uint32_t place = 0; place < lives->sms[sm].place_count; place++) {
            struct model_stay *stay = &lives->sms[sm].stays[place];
            const struct model_block block = {stay->grid_id, stay->index, sm, place};
            struct model_record off;

            if (stay->since_ps == GFE_PS_NEVER || stay->grid_id != grid->id)
                continue;
            off = block_record(record, MODEL_BLOCK_OFF, &block);
            off.since_ps = stay->since_ps;
            stay->since_ps = GFE_PS_NEVER;
            grid->on_count--;
            if (come_back)
                model_lives_off(lives, grid, &block);
            if (!hand(model, &off))
                return false;
        }
    return true;
}

static bool take_suspended(struct model *model, struct model_record *record,
                           struct model_live *live)
{
    record->again = live && live->piece_ps == GFE_PS_NEVER;
    if (!hand(model, record))
        return false;
    if (!live)
        return true;
    live->piece_ps = GFE_PS_NEVER;
    return blocks_leave(model, record, live, true);
}

/* The blocks that left with the grid's context come back, each to its SM. */
static bool blocks_back(struct model *model, const struct model_record *record,
                        struct model_live *grid)
{
    struct model_lives *lives = &model->lives;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < lives->off_count; i++) {
        struct model_block block = lives->offs[i];
        const struct model_stay *stay = NULL;

        if (block.grid_id == grid->id)
            stay = model_lives_put(lives, &block, record->now_ps);
        if (!stay) {
            lives->offs[kept++] = block;
            continue;
        }
        grid->on_count++;
        grid->off_count--;
        block.slot = (uint64_t)(stay - lives->sms[block.sm].stays);
        const struct model_record back = block_record(record, MODEL_BLOCK_BACK, &block);
        if (!hand(model, &back))
            return false;
    }
    lives->off_count = kept;
    return true;
}

/* A wait, as far as an operation that resumes says of one. */
static bool wait_suspended(struct model *model, const struct model_record *resumed)
{
    static const uint8_t subjects[] = {[MODEL_GRID] = SUBJECT_GRID, [MODEL_WORK] = SUBJECT_WORK};
    const bool by_channel = resumed->done.by_channel_id < EVENT_CHANNEL_IDS;
    const struct model_record record = {
        .type = MODEL_WAIT_SUSPENDED,
        .operation = resumed->operation,
        .now_ps = resumed->now_ps,
        .rule = resumed->rule,
        .event_number = resumed->event_number,
        .event = resumed->event,
        .live = resumed->live,
        .wait = {.begin_ps = resumed->done.from_ps,
                 .subject_kind = subjects[resumed->operation],
                 .subject_id = resumed->done.id,
                 .blocker_kind = by_channel ? SUBJECT_CHANNEL : SUBJECT_NONE,
                 .blocker_id = by_channel ? resumed->done.by_channel_id : 0}};

    return hand(model, &record);
}

static bool take_resumed(struct model *model, struct model_record *record, struct model_live *live)
{
    record->again = live && (live->start_ps == GFE_PS_NEVER || live->piece_ps != GFE_PS_NEVER);
    if (live && !record->again)
        live->piece_ps = record->now_ps;
    return hand(model, record) &&
           (!live || live->off_count == 0 || blocks_back(model, record, live)) &&
           (record->operation == MODEL_COPY || wait_suspended(model, record));
}

/* It ends; blocks that a damaged log leaves on SMs leave with it. */
static bool take_ended(struct model *model, struct model_record *record, struct model_live *live)
{
    const uint32_t unit = record->event->unit;

    if (record->operation == MODEL_COPY && unit < MODEL_UNITS &&
        model->units[unit].copy_plus_1 == record->done.id + 1)
        model->units[unit].copy_plus_1 = 0;
    if (!hand(model, record))
        return false;
    if (!live)
        return true;
    if (live->on_count > 0 && !blocks_leave(model, record, live, false))
        return false;
    model_lives_remove(&model->lives, live);
    return true;
}

/* A fault ends the copy that runs in the unit that says so, and the log has no event for that. */
static bool take_fault(struct model *model, struct model_record *fault)
{
    const uint32_t unit = fault->event->unit;
    struct model_record record = *fault;

    if (unit >= MODEL_UNITS || model->units[unit].copy_plus_1 == 0)
        return hand(model, fault);
    record.type = MODEL_COPY_LOST;
    record.operation = MODEL_COPY;
    record.done = (struct model_done){.id = model->units[unit].copy_plus_1 - 1,
                                      .engine_id = model->units[unit].engine_id};
    struct model_live *live = model_lives_find(&model->lives, MODEL_COPY, record.done.id);

    record.live = live;
    return take_ended(model, &record, live) && hand(model, fault);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Hands on a block's record, with all that model.c clears before another record: its grid, its
 * place and the time since when it is there.  `named` is the place that the log names. */
static inline bool hand_block(struct model *model, struct model_record *record,
                              struct model_live *grid, const struct model_stay *stay,
                              const struct model_stay *named, gfe_ps since_ps)
{
    record->live = grid;
    record->since_ps = stay ? since_ps : GFE_PS_NEVER;
    record->sm_place =
        stay ? (uint16_t)model_lives_number(&model->lives, &record->block, stay, named)
             : MODEL_NO_PLACE;
    model->has_block = true;
    return hand(model, record);
}

bool model_fold_block_comes(struct model *model, struct model_record *record)
{
    struct model_live *grid = model_lives_find(&model->lives, MODEL_GRID, record->block.grid_id);
    const struct model_stay *named = model_lives_named(&model->lives, &record->block);
    struct model_stay *stay = model_lives_put(&model->lives, &record->block, record->now_ps);

    if (grid) {
        grid->begun_count += record->type == MODEL_BLOCK_BEGUN;
        grid->on_count += stay != NULL;
    }
    return hand_block(model, record, grid, stay, named, record->now_ps);
}

bool model_fold_block_leaves(struct model *model, struct model_record *record)
{
    struct model_live *grid = model_lives_find(&model->lives, MODEL_GRID, record->block.grid_id);
    const struct model_stay *named = model_lives_named(&model->lives, &record->block);
    struct model_stay *stay = model_lives_stay(&model->lives, &record->block);
    gfe_ps since_ps;

    if (!stay)
        return hand_block(model, record, grid, NULL, named, 0);
    since_ps = stay->since_ps;
    stay->since_ps = GFE_PS_NEVER;
    if (grid && grid->on_count > 0)
        grid->on_count--;
    return hand_block(model, record, grid, stay, named, since_ps);
}

/* ---- all others ------------------------------------------------------------------------------ */

bool model_fold(struct model *model, struct model_record *record)
{
    struct model_live *live;

    switch (record->type) {
    case MODEL_GRID_HANDED:
    case MODEL_COPY_HANDED:
    case MODEL_WORK_BEGUN:
        return take_handed(model, record);
    case MODEL_MMU_FAULT:
        return take_fault(model, record);
    case MODEL_QUEUE_LOADED:
        slot_hold(model, record->queue.slot_id, record->queue.queue_id + 1);
        return hand(model, record);
    case MODEL_QUEUE_LEFT:
        slot_hold(model, record->queue.slot_id, 0);
        return hand(model, record);
    default:
        break;
    }
    live = model_lives_find(&model->lives, record->operation, record->done.id);
    record->live = live;
    switch (record->type) {
    case MODEL_STARTED:
        return take_started(model, record, live);
    case MODEL_SUSPENDED:
        return take_suspended(model, record, live);
    case MODEL_RESUMED:
        return take_resumed(model, record, live);
    case MODEL_ENDED:
    case MODEL_DROPPED:
    case MODEL_COPY_REFUSED:
        return take_ended(model, record, live);
    case MODEL_DISPATCHED:
        if (live)
            live->dispatched_ps = record->now_ps;
        return hand(model, record);
    default:
        return hand(model, record);
    }
}
