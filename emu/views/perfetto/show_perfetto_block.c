/* SPDX-License-Identifier: MIT */
/* Blocks on SMs: a track for each block that an SM can hold at a time. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SLOTS_FIRST = 32, SLOTS_MAX = 4096 };

/* Room for that slot.  False: the error is set. */
static bool slots_grow(struct show_perfetto *show, struct pf_sm *sm, uint64_t slot)
{
    uint32_t count = sm->slot_count ? sm->slot_count : SLOTS_FIRST;

    if (slot >= SLOTS_MAX)
        return show_perfetto_absurd(show, "no SM holds so many blocks: slot", slot);
    while (count <= slot)
        count *= 2;
    struct pf_slot *slots = realloc(sm->slots, count * sizeof *slots);
    if (!slots)
        return show_perfetto_no_memory(show);
    memset(slots + sm->slot_count, 0, (count - sm->slot_count) * sizeof *slots);
    sm->slots = slots;
    sm->slot_count = count;
    return true;
}

/* The slot that the log names or, if it says nothing of the kind, the first that is free. */
static struct pf_slot *slot_free(struct show_perfetto *show, struct pf_sm *sm, uint64_t slot)
{
    if (slot >= sm->slot_count && !slots_grow(show, sm, slot))
        return NULL;
    if (!sm->slots[slot].open)
        return &sm->slots[slot];
    for (slot = 0; slot < sm->slot_count; slot++)
        if (!sm->slots[slot].open)
            return &sm->slots[slot];
    return slots_grow(show, sm, slot) ? &sm->slots[slot] : NULL;
}

static struct pf_slot *slot_of_block(struct pf_sm *sm, const struct model_block *block)
{
    struct pf_slot *slot = block->slot < sm->slot_count ? &sm->slots[block->slot] : NULL;

    if (slot && slot->open && slot->grid_id == block->grid_id && slot->block_index == block->index)
        return slot;
    for (uint32_t i = 0; i < sm->slot_count; i++) {
        slot = &sm->slots[i];
        if (slot->open && slot->grid_id == block->grid_id && slot->block_index == block->index)
            return slot;
    }
    return NULL;
}

void show_perfetto_block_start(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_sm *sm = show_perfetto_find(show->sms, record->block.sm);

    if (!sm)
        sm = show_perfetto_at(show, &show->sms, record->block.sm, sizeof *sm);
    struct pf_slot *slot = sm ? slot_free(show, sm, record->block.slot) : NULL;
    if (!slot)
        return;
    if (show->last_grid_id != record->block.grid_id || show->last_grid_number == 0) {
        struct pf_operation *grid = show_perfetto_operation(show, PF_GRID, record->block.grid_id);
        if (!grid)
            return;
        (void)show_perfetto_operation_name(show, grid);
        show->last_grid_id = record->block.grid_id;
        show->last_grid_number = grid->number;
        show->last_grid_name = grid->name;
        show->last_grid_waves = grid->waves;
    }
    if (record->block.sm >= show->sm_end)
        show->sm_end = (uint32_t)record->block.sm + 1;
    slot->begin_ps = show->now_ps;
    slot->grid_id = record->block.grid_id;
    slot->block_index = record->block.index;
    slot->grid_number = show->last_grid_number;
    slot->name = show->last_grid_name;
    slot->waves = show->last_grid_waves;
    slot->open = true;
    show_perfetto_amd_waves(show, sm, (uint32_t)record->block.sm, slot->waves);
}

uint64_t show_perfetto_sm_track(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index)
{
    char name[GPU_WORDS_BYTES];

    if (sm->track)
        return sm->track;
    return show_perfetto_track(show, &sm->track,
                               &(struct pf_place){show_perfetto_sm_parent(show, sm_index),
                                                  (int32_t)(PF_RANK_SM + sm_index),
                                                  gpu_words_sm(&show->words, sm_index, name)});
}

static void slot_track(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index,
                       uint32_t slot)
{
    const uint64_t parent = show_perfetto_sm_track(show, sm, sm_index);
    char name[40];

    (void)snprintf(name, sizeof name, "slot %" PRIu32, slot);
    (void)show_perfetto_track(show, &sm->slots[slot].track,
                              &(struct pf_place){parent, (int32_t)slot + 1, name});
}

static void slot_end(struct show_perfetto *show, struct pf_sm *sm, struct pf_slot *slot,
                     uint32_t sm_index, bool unfinished)
{
    slot->open = false;
    if (!unfinished)
        show_perfetto_amd_waves(show, sm, sm_index, -(int64_t)slot->waves);
    if (!show_perfetto_within(show, slot->begin_ps, show->now_ps))
        return;
    if (slot->track == 0)
        slot_track(show, sm, sm_index, (uint32_t)(slot - sm->slots));
    const uint64_t name =
        show_perfetto_operation_named(show, &slot->name, PF_GRID, slot->grid_id, slot->grid_number);
    struct perfetto_event event =
        show_perfetto_begin(show, slot->track, name, CATEGORY_BLOCK, slot->begin_ps);
    perfetto_note(&event, NOTE_GRID, slot->grid_id);
    perfetto_note(&event, NOTE_BLOCK, slot->block_index);
    if (slot->waves > 0)
        perfetto_note(&event, NOTE_WAVES, slot->waves);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, slot->track, slot->begin_ps, show->now_ps);
}

/* One that is not there began before the log. */
void show_perfetto_block_end(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_sm *sm = show_perfetto_find(show->sms, record->block.sm);
    struct pf_slot *slot = sm ? slot_of_block(sm, &record->block) : NULL;

    if (slot)
        slot_end(show, sm, slot, (uint32_t)record->block.sm, false);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static bool stopped_add(struct show_perfetto *show, uint32_t sm_index, uint32_t slot_index,
                        const struct pf_slot *slot)
{
    if (show->stopped_count == show->stopped_capacity) {
        const uint32_t wanted = show->stopped_capacity ? 2 * show->stopped_capacity : 16;
        struct pf_stopped *moved = realloc(show->stopped, wanted * sizeof *moved);
        if (!moved)
            return show_perfetto_no_memory(show);
        show->stopped = moved;
        show->stopped_capacity = wanted;
    }
    show->stopped[show->stopped_count++] = (struct pf_stopped){sm_index, slot_index, *slot};
    return true;
}

/* The grid's blocks leave their slots, in which others may run meanwhile. */
void show_perfetto_blocks_suspend(struct show_perfetto *show, uint64_t grid_id)
{
    for (uint32_t id = 0; id < show->sm_end; id++) {
        struct pf_sm *sm = show_perfetto_find(show->sms, id);
        for (uint32_t i = 0; sm && i < sm->slot_count; i++) {
            struct pf_slot *slot = &sm->slots[i];
            if (!slot->open || slot->grid_id != grid_id)
                continue;
            slot_end(show, sm, slot, id, false);
            if (!stopped_add(show, id, i, slot))
                return;
        }
    }
}

void show_perfetto_blocks_resume(struct show_perfetto *show, uint64_t grid_id)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < show->stopped_count; i++) {
        const struct pf_stopped stopped = show->stopped[i];
        struct pf_sm *sm = show_perfetto_find(show->sms, stopped.sm_index);
        struct pf_slot *slot =
            stopped.slot.grid_id == grid_id ? slot_free(show, sm, stopped.slot_index) : NULL;

        if (!slot) {
            show->stopped[kept++] = stopped;
            continue;
        }
        slot->grid_id = grid_id;
        slot->block_index = stopped.slot.block_index;
        slot->grid_number = stopped.slot.grid_number;
        slot->name = stopped.slot.name;
        slot->begin_ps = show->now_ps;
        slot->open = true;
    }
    show->stopped_count = kept;
}

void show_perfetto_blocks_finish(struct show_perfetto *show)
{
    for (uint32_t id = 0; id < PF_IDS; id++) {
        struct pf_sm *sm = show_perfetto_find(show->sms, id);
        for (uint32_t i = 0; sm && i < sm->slot_count; i++)
            if (sm->slots[i].open)
                slot_end(show, sm, &sm->slots[i], id, true);
    }
}
