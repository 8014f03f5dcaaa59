/* SPDX-License-Identifier: MIT */
/*
 * A control for the event queue: a binary heap as in the textbooks.  It orders by time alone, holds
 * a time and a payload, and checks nothing.  So it does less than the event queue must do.
 */
#ifndef GFE_BENCH_CONTROL_HEAP_H
#define GFE_BENCH_CONTROL_HEAP_H

#include <stdint.h>

struct control_entry {
    uint64_t time;
    uint64_t payload;
};

struct control_heap {
    struct control_entry *entries; /* the caller's array, which must be large enough */
    uint32_t count;
};

void control_heap_push(struct control_heap *heap, struct control_entry entry);
/* Removes and returns the earliest entry.  The heap must not be empty. */
struct control_entry control_heap_pop(struct control_heap *heap);

#endif
