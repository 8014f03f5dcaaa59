/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bench/control_heap.h"

void control_heap_push(struct control_heap *heap, struct control_entry entry)
{
    uint32_t at = heap->count++;

    while (at > 0 && entry.time < heap->entries[(at - 1) / 2].time) {
        heap->entries[at] = heap->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->entries[at] = entry;
}

struct control_entry control_heap_pop(struct control_heap *heap)
{
    const struct control_entry first = heap->entries[0];
    const struct control_entry last = heap->entries[--heap->count];
    uint32_t at = 0, child;

    while ((child = 2 * at + 1) < heap->count) {
        if (child + 1 < heap->count && heap->entries[child + 1].time < heap->entries[child].time)
            child++;
        if (last.time <= heap->entries[child].time)
            break;
        heap->entries[at] = heap->entries[child];
        at = child;
    }
    heap->entries[at] = last;
    return first;
}
