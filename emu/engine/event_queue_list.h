/* SPDX-License-Identifier: MIT */
/*
 * What is pending in a queue of events, for who asks whether two machines will go on alike.  Where
 * in the tree an event has its place, and which sequence number it has, depends on what has been
 * before; in which order they come does not.
 */
#ifndef GFE_EMU_EVENT_QUEUE_LIST_H
#define GFE_EMU_EVENT_QUEUE_LIST_H

#include "emu/engine/event_queue.h"

struct event_queue_pending {
    gfe_ps time_ps;
    uint64_t order; /* at equal times: the lower first */
    uint64_t argument;
    uint32_t kind;
    uint32_t unit;
    uint32_t timer; /* 1 + its number; 0 = no timer */
};

/* The events in the order in which they will come, between two events of the machine.  Returns how
 * many there are; only the first `capacity` of the tree's places are written. */
uint32_t event_queue_list(const struct event_queue *queue, struct event_queue_pending *events,
                          uint32_t capacity);
/* Will they come alike? */
bool event_queue_list_same(const struct event_queue_pending *a, const struct event_queue_pending *b,
                           uint32_t count);
/* Where the queue lies in its arena: offsets of its first byte and behind its last. */
void event_queue_extent(const struct event_queue *queue, const struct arena *arena, size_t *from,
                        size_t *to);

#endif
