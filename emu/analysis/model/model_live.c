/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/model/model_live.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_FIRST = 64, PLACES_FIRST = 32, OFFS_FIRST = 16 };

void model_lives_fini(struct model_lives *lives)
{
    for (uint32_t i = 0; i < lives->sm_count; i++)
        free(lives->sms[i].stays);
    free(lives->sms);
    free(lives->lives);
    free(lives->free_slots);
    free(lives->table);
    free(lives->offs);
    *lives = (struct model_lives){0};
}

/* ---- operations ------------------------------------------------------------------------------ */

/* The table holds 1 + slot.  What is removed leaves no gap: the entries after it that are found
 * through its place move up (Knuth, The Art of Computer Programming 6.4, algorithm R). */
static uint32_t home_of(const struct model_lives *lives, uint32_t operation, uint64_t id)
{
    const uint64_t mixed = (id * 4 + operation) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(mixed >> 32) & (lives->table_capacity - 1);
}

/* Returns the place of the operation in the table, or the free one where its search ends. */
static uint32_t *entry_of(const struct model_lives *lives, uint32_t operation, uint64_t id)
{
    uint32_t at = home_of(lives, operation, id);

    for (; lives->table[at] != 0; at = (at + 1) & (lives->table_capacity - 1)) {
        const struct model_live *live = &lives->lives[lives->table[at] - 1];

        if (live->id == id && live->operation == operation)
            break;
    }
    return &lives->table[at];
}

struct model_live *model_lives_search(struct model_lives *lives, enum model_operation operation,
                                      uint64_t id)
{
    uint32_t slot;

    if (lives->table_capacity == 0)
        return NULL;
    slot = *entry_of(lives, operation, id);
    if (slot == 0)
        return NULL;
    if (operation == MODEL_GRID)
        lives->last_grid = &lives->lives[slot - 1];
    return &lives->lives[slot - 1];
}

/* Doubles an array of `capacity` elements.  Returns false and sets no_memory when memory is short.
 * `array` is the address of the array's pointer. */
static bool double_array(struct model_lives *lives, void *array, uint32_t capacity, uint32_t first,
                         size_t bytes)
{
    void *old, *grown;

    memcpy(&old, array, sizeof old);
    grown = realloc(old, (capacity ? 2 * (size_t)capacity : first) * bytes);
    if (!grown) {
        lives->no_memory = true;
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    return true;
}

/* The table has four entries for each slot, so that searches stay short. */
static bool grow(struct model_lives *lives)
{
    const uint32_t old = lives->live_capacity, capacity = old ? 2 * old : TABLE_FIRST;
    uint32_t *table;

    lives->last_grid = NULL;
    if (!double_array(lives, &lives->lives, old, TABLE_FIRST, sizeof *lives->lives) ||
        !double_array(lives, &lives->free_slots, old, TABLE_FIRST, sizeof *lives->free_slots))
        return false;
    table = calloc(4 * (size_t)capacity, sizeof *table);
    if (!table) {
        lives->no_memory = true;
        return false;
    }
    free(lives->table);
    lives->table = table;
    lives->table_capacity = 4 * capacity;
    lives->live_capacity = capacity;
    for (uint32_t i = 0; i < lives->live_end; i++)
        if (lives->lives[i].operation != MODEL_NO_OPERATION)
            *entry_of(lives, lives->lives[i].operation, lives->lives[i].id) = i + 1;
    return true;
}

/* Returns a free slot, or UINT32_MAX. */
static uint32_t slot_take(struct model_lives *lives)
{
    if (lives->free_count > 0)
        return lives->free_slots[--lives->free_count];
    if (lives->live_end == MODEL_LIVE_MAX ||
        (lives->live_end == lives->live_capacity && !grow(lives)))
        return UINT32_MAX;
    return lives->live_end++;
}

struct model_live *model_lives_add(struct model_lives *lives, enum model_operation operation,
                                   uint64_t id, gfe_ps now_ps)
{
    struct model_live *old = model_lives_find(lives, operation, id);
    uint32_t slot;

    if (old)
        model_lives_remove(lives, old);
    slot = slot_take(lives);
    if (slot == UINT32_MAX)
        return NULL;
    lives->lives[slot] = (struct model_live){.id = id,
                                             .number = ++lives->numbers[operation],
                                             .handed_ps = now_ps,
                                             .start_ps = GFE_PS_NEVER,
                                             .piece_ps = GFE_PS_NEVER,
                                             .dispatched_ps = GFE_PS_NEVER,
                                             .slot = slot,
                                             .operation = (uint8_t)operation};
    *entry_of(lives, operation, id) = slot + 1;
    return &lives->lives[slot];
}

static void offs_forget(struct model_lives *lives, uint64_t grid_id)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < lives->off_count; i++)
        if (lives->offs[i].grid_id != grid_id)
            lives->offs[kept++] = lives->offs[i];
    lives->off_count = kept;
}

void model_lives_remove(struct model_lives *lives, struct model_live *live)
{
    const uint32_t mask = lives->table_capacity - 1;
    uint32_t hole = (uint32_t)(entry_of(lives, live->operation, live->id) - lives->table);

    for (uint32_t at = (hole + 1) & mask; lives->table[at] != 0; at = (at + 1) & mask) {
        const struct model_live *other = &lives->lives[lives->table[at] - 1];
        const uint32_t home = home_of(lives, other->operation, other->id);

        if (((at - home) & mask) < ((at - hole) & mask))
            continue; /* found from its home without passing the hole */
        lives->table[hole] = lives->table[at];
        hole = at;
    }
    lives->table[hole] = 0;
    if (live->off_count > 0)
        offs_forget(lives, live->id);
    if (lives->last_grid == live)
        lives->last_grid = NULL;
    live->operation = MODEL_NO_OPERATION;
    lives->free_slots[lives->free_count++] = live->slot;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool sms_grow(struct model_lives *lives, uint64_t sm)
{
    uint32_t count = lives->sm_count ? lives->sm_count : PLACES_FIRST;
    struct model_sm *sms;

    while (count <= sm)
        count *= 2;
    sms = realloc(lives->sms, count * sizeof *sms);
    if (!sms) {
        lives->no_memory = true;
        return false;
    }
    memset(sms + lives->sm_count, 0, (count - lives->sm_count) * sizeof *sms);
    lives->sms = sms;
    lives->sm_count = count;
    return true;
}

static bool places_grow(struct model_lives *lives, struct model_sm *sm, uint64_t place)
{
    uint32_t count = sm->place_count ? sm->place_count : PLACES_FIRST;
    struct model_stay *stays;

    while (count <= place)
        count *= 2;
    stays = realloc(sm->stays, count * sizeof *stays);
    if (!stays) {
        lives->no_memory = true;
        return false;
    }
    for (uint32_t i = sm->place_count; i < count; i++)
        stays[i].since_ps = GFE_PS_NEVER;
    sm->stays = stays;
    sm->place_count = count;
    return true;
}

/* Returns the place that the log names or, if that is taken, the first that is free. */
static struct model_stay *place_free(struct model_lives *lives, struct model_sm *sm, uint64_t place)
{
    if (place < MODEL_SLOTS_NAMED && place >= sm->place_count && !places_grow(lives, sm, place))
        return NULL;
    if (place < sm->place_count && sm->stays[place].since_ps == GFE_PS_NEVER)
        return &sm->stays[place];
    for (place = 0; place < sm->place_count; place++)
        if (sm->stays[place].since_ps == GFE_PS_NEVER)
            return &sm->stays[place];
    return place < MODEL_PLACES_MAX && places_grow(lives, sm, place) ? &sm->stays[place] : NULL;
}

struct model_stay *model_lives_place(struct model_lives *lives, const struct model_block *block)
{
    if (block->sm >= lives->sm_count && (block->sm >= MODEL_SM_IDS || !sms_grow(lives, block->sm)))
        return NULL;
    return place_free(lives, &lives->sms[block->sm], block->slot);
}

struct model_stay *model_lives_elsewhere(const struct model_lives *lives,
                                         const struct model_block *block)
{
    const struct model_sm *sm = block->sm < lives->sm_count ? &lives->sms[block->sm] : NULL;

    for (uint32_t i = 0; sm && i < sm->place_count; i++)
        if (model_stay_is_of(&sm->stays[i], block))
            return &sm->stays[i];
    return NULL;
}

void model_lives_off(struct model_lives *lives, struct model_live *grid,
                     const struct model_block *block)
{
    if (lives->off_count == lives->off_capacity) {
        if (!double_array(lives, &lives->offs, lives->off_capacity, OFFS_FIRST,
                          sizeof *lives->offs))
            return;
        lives->off_capacity = lives->off_capacity ? 2 * lives->off_capacity : OFFS_FIRST;
    }
    lives->offs[lives->off_count++] = *block;
    grid->off_count++;
}
