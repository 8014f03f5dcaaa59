/* SPDX-License-Identifier: MIT */
/*
 * The pending events of a queue, for deciding whether two machines will continue alike.
 *
 * The place of an event in the tree, and its sequence number, depend on the past of the machine.
 * The order in which the events come does not.
 */
#ifndef GFE_EMU_ENGINE_EVENT_QUEUE_LIST_H
#define GFE_EMU_ENGINE_EVENT_QUEUE_LIST_H

#include "emu/engine/event_queue.h"

struct event_queue_pending {
    gfe_ps time_ps;
    uint64_t order; /* at equal times the lower comes first */
    uint64_t argument;
    uint32_t kind;
    uint32_t unit;
    uint32_t timer; /* 1 + the timer's number; 0 means that the event is no timer's */
};

/* Lists the events in the order in which they will come.  Call it between two events of the
 * machine.  Returns the number of pending events.  If that exceeds `capacity`, the list is
 * incomplete and not sorted. */
uint32_t event_queue_list(const struct event_queue *queue, struct event_queue_pending *events,
                          uint32_t capacity);
/* Returns true if the two lists of events will come alike. */
bool event_queue_list_same(const struct event_queue_pending *a, const struct event_queue_pending *b,
                           uint32_t count);
/* Finds the queue's bytes in its arena: offsets of the first byte, and of the byte after the last.
 */
void event_queue_extent(const struct event_queue *queue, const struct arena *arena, size_t *from,
                        size_t *to);

#endif
