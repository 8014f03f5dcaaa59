/* SPDX-License-Identifier: MIT */
/*
 * Where blocks lie in a picture of an SM.  Blocks lie one above the other, each as high as its
 * number of threads, in the lowest gap that holds the block.
 *
 * An SM's threads are not a stack: blocks come and go, and the free threads lie in several gaps.  A
 * block that fits the SM but no single gap is therefore placed in pieces.  So the picture of an SM
 * is never higher than the SM's threads.  A block that does not fit at all lies on top; no
 * resource check of the GPU lets such a block start.
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
    uint32_t ceiling; /* threads of an SM */
    struct show_stack_entry *entries;
    uint32_t count, capacity;
    struct show_stack_piece *pieces; /* of the block placed last, from the lowest */
    uint32_t piece_count, piece_capacity;
};

/* Makes an empty stack.  The caller frees the stack's memory with show_stack_fini(). */
void show_stack_init(struct show_stack *stack, uint32_t ceiling);
void show_stack_fini(struct show_stack *stack);
/* Removes all blocks. */
void show_stack_clear(struct show_stack *stack);
/* Places a block of `height` > 0 threads, after removing the blocks that end by begin_ps.  Blocks
 * must come in the order of begin_ps.  Returns false if memory is short. */
bool show_stack_put(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height);

#endif
