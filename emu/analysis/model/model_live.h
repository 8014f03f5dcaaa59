/* SPDX-License-Identifier: MIT */
/*
 * What a log has begun and not ended: operations, and blocks (workgroups) on SMs.
 *
 * The model of a log (model.h) keeps this state while it folds.  It holds only what is open at a
 * time, so its size follows the width of the machine and not the length of the log.
 *
 *   - An operation is live from its hand-over to its end.  It keeps the record of its hand-over.
 *   - A block has a place on its SM while it runs there: the slot that the log names or, if another
 *     block has that slot or the number is too high for a slot, the first that is free.
 *   - The blocks of a suspended grid leave their places and come back to the same SM.
 *
 * Limits: MODEL_LIVE_MAX operations, MODEL_SM_IDS SMs and MODEL_PLACES_MAX places on each.  What a
 * damaged log has beyond them is not followed: it has no live operation or no place.
 */
#ifndef GFE_EMU_ANALYSIS_MODEL_MODEL_LIVE_H
#define GFE_EMU_ANALYSIS_MODEL_MODEL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/analysis/model/model_members.h"
#include "emu/base/clock.h"

enum {
    MODEL_LIVE_MAX = 1 << 20,
    MODEL_SM_IDS = 16384,
    MODEL_PLACES_MAX = 4096,
    MODEL_SLOTS_NAMED = 256, /* slots that the log may name: more than any SM or CU has */
    MODEL_NO_PLACE = UINT16_MAX,
};

/* An operation that the log has handed over and not ended. */
struct model_live {
    uint64_t id;
    uint64_t number;      /* among the operations of its kind, from 1: K1, C1, D1 */
    uint64_t channel_id;  /* AMD: the queue, or the slot's number if the log does not say */
    uint64_t engine_id;   /* grids: 0 */
    uint64_t gp_sequence; /* of the GP entry that it comes from */
    gfe_ps handed_ps;
    gfe_ps start_ps;      /* GFE_PS_NEVER before it starts */
    gfe_ps piece_ps;      /* on its engine since then; GFE_PS_NEVER while it is not */
    gfe_ps dispatched_ps; /* of a grid: its last block starts; GFE_PS_NEVER before that */
    union {               /* its hand-over, by `operation` */
        struct model_grid grid;
        struct model_copy copy;
        struct model_work work;
    };
    uint32_t slot;        /* in the table of live operations, the same while it lives */
    uint32_t begun_count; /* of a grid: its blocks that have started */
    uint32_t on_count;    /* of a grid: its blocks on SMs */
    uint32_t off_count;   /* of a grid: its blocks that are off their SMs with its context */
    uint8_t operation;    /* enum model_operation; MODEL_NO_OPERATION: this slot is free */
};

/* A place on an SM, and the stay of the block that is in it. */
struct model_stay {
    uint64_t grid_id, index;
    gfe_ps since_ps; /* on the SM since then; GFE_PS_NEVER: the place is free */
};

struct model_sm {
    struct model_stay *stays; /* by place */
    uint32_t place_count;
};

struct model_lives {
    struct model_live *lives;
    uint32_t live_end, live_capacity; /* slots that were ever used; slots there is room for */
    uint32_t free_count;
    uint32_t *free_slots;
    uint32_t *table; /* from (operation, id) to 1 + slot: open addressing */
    uint32_t table_capacity;
    struct model_live *last_grid; /* the live grid that was searched last, or NULL */
    uint64_t numbers[4];
    struct model_sm *sms;
    uint32_t sm_count;
    struct model_block *offs; /* blocks of suspended grids; `slot` is the place that it had */
    uint32_t off_count, off_capacity;
    bool no_memory; /* an array could not grow; model_take() fails then */
};

void model_lives_fini(struct model_lives *lives);

/* The same as model_lives_find(), without a look at the grid that was searched last. */
struct model_live *model_lives_search(struct model_lives *lives, enum model_operation operation,
                                      uint64_t id);
/* Returns the live operation, or NULL.  The pointer is valid until the next operation is added. */
static inline struct model_live *model_lives_find(struct model_lives *lives,
                                                  enum model_operation operation, uint64_t id)
{
    /* Blocks come in runs of one grid. */
    if (operation == MODEL_GRID && lives->last_grid && lives->last_grid->id == id)
        return lives->last_grid;
    return model_lives_search(lives, operation, id);
}
/* Makes an operation live, and forgets an older one of that number.  Returns NULL when there are
 * too many, or when memory is short. */
struct model_live *model_lives_add(struct model_lives *lives, enum model_operation operation,
                                   uint64_t id, gfe_ps now_ps);
/* Forgets an operation, and the blocks that are off their SMs with it. */
void model_lives_remove(struct model_lives *lives, struct model_live *live);

/* Returns the place that the log names for the block, or NULL if there is none yet. */
static inline struct model_stay *model_lives_named(const struct model_lives *lives,
                                                   const struct model_block *block)
{
    return block->sm < lives->sm_count && block->slot < lives->sms[block->sm].place_count
               ? &lives->sms[block->sm].stays[block->slot]
               : NULL;
}
static inline bool model_stay_is_of(const struct model_stay *stay, const struct model_block *block)
{
    return stay->since_ps != GFE_PS_NEVER && stay->grid_id == block->grid_id &&
           stay->index == block->index;
}
/* Returns the number of a place on the block's SM.  `named` is what model_lives_named() said. */
static inline uint64_t model_lives_number(const struct model_lives *lives,
                                          const struct model_block *block,
                                          const struct model_stay *stay,
                                          const struct model_stay *named)
{
    return stay == named ? block->slot : (uint64_t)(stay - lives->sms[block->sm].stays);
}
/* Returns a free place on the block's SM: the one that the log names, or the first.  Returns NULL
 * if it has none. */
struct model_stay *model_lives_place(struct model_lives *lives, const struct model_block *block);
/* The same as model_lives_stay(), which looks at the place that the log names first. */
struct model_stay *model_lives_elsewhere(const struct model_lives *lives,
                                         const struct model_block *block);
/* Gives the block a place on its SM.  Returns its stay, or NULL if it has no place. */
static inline struct model_stay *model_lives_put(struct model_lives *lives,
                                                 const struct model_block *block, gfe_ps now_ps)
{
    struct model_stay *stay = model_lives_named(lives, block);

    if (!stay || stay->since_ps != GFE_PS_NEVER)
        stay = model_lives_place(lives, block);
    if (stay)
        *stay = (struct model_stay){block->grid_id, block->index, now_ps};
    return stay;
}
/* Returns the block's stay on its SM, or NULL. */
static inline struct model_stay *model_lives_stay(const struct model_lives *lives,
                                                  const struct model_block *block)
{
    struct model_stay *stay = model_lives_named(lives, block);

    return stay && model_stay_is_of(stay, block) ? stay : model_lives_elsewhere(lives, block);
}
/* Takes a block of a suspended grid off its SM, until the grid resumes or is forgotten. */
void model_lives_off(struct model_lives *lives, struct model_live *grid,
                     const struct model_block *block);

#endif
