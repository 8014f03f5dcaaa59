/* SPDX-License-Identifier: MIT */
/*
 * Where blocks lie in a picture of an SM: one above the other, each as high as its threads, in the
 * lowest gap that holds it.
 *
 * An SM's threads are not a stack: blocks come and go, and what is free lies in several gaps.  So a
 * block that fits the SM but no gap is put down in pieces, and the picture of an SM is never higher
 * than its threads.  What does not fit at all, which no gate lets through, lies on top.
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
    struct show_stack_piece *pieces; /* of the block put down last, from the lowest */
    uint32_t piece_count, piece_capacity;
};

/* Nothing lies there; its memory is freed with show_stack_fini(). */
void show_stack_init(struct show_stack *stack, uint32_t ceiling);
void show_stack_fini(struct show_stack *stack);
/* Takes all blocks away. */
void show_stack_clear(struct show_stack *stack);
/* Puts a block of `height` > 0 threads down; those that end by begin_ps are gone then.  Blocks come
 * in order of their beginnings.  False: no memory. */
bool show_stack_put(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height);

#endif
