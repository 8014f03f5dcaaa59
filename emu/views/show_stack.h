/* SPDX-License-Identifier: MIT */
/*
 * Where blocks lie in a picture of an SM.  Blocks lie one above the other, each as high as its
 * number of threads, in the lowest gap that holds the block.
 *
 * An SM's threads are not a stack: blocks come and go, and the free threads lie in several gaps.  A
 * block that fits the SM but no single gap is therefore placed in pieces.  So the picture of an SM
 * is never higher than the SM's threads.
 *
 * The waves of a block on an AMD GPU give back their room one by one, so a block can start before
 * all waves of the others have ended (A.D5).  A log has no event for the end of a wave.  The block
 * then takes the room of the blocks that have been there longest, of each all but one wave.
 *
 * A block that does not fit in any of these ways lies on top; no resource check of the GPU lets
 * such a block start.
 */
#ifndef GFE_EMU_VIEWS_SHOW_STACK_H
#define GFE_EMU_VIEWS_SHOW_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"

struct show_stack_piece {
    uint32_t bottom, height; /* threads */
};

struct show_stack {
    uint32_t ceiling;      /* threads of an SM */
    uint32_t wave_threads; /* 0: a block keeps all of its room until its end */
    struct show_stack_entry *entries;
    uint32_t count, capacity;
    struct show_stack_piece *pieces; /* of the block placed last, from the lowest */
    uint32_t piece_count, piece_capacity;
};

/* Makes an empty stack.  The caller frees the stack's memory with show_stack_fini(). */
void show_stack_init(struct show_stack *stack, uint32_t ceiling, uint32_t wave_threads);
void show_stack_fini(struct show_stack *stack);
/* Removes all blocks. */
void show_stack_clear(struct show_stack *stack);
/* Places a block of `height` > 0 threads, after removing the blocks that end by begin_ps.  Blocks
 * must come in the order of begin_ps.  Returns false if memory is short. */
bool show_stack_put(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height);
/* Like show_stack_put(), but the block lies at `bottom` if its whole height is free there. */
bool show_stack_put_at(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height,
                       uint32_t bottom);

#endif
