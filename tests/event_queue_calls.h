/* SPDX-License-Identifier: MIT */
/*
 * Pushes and pops by function calls; the machine does both inline (emu/engine/event_queue_step.h).
 */
#ifndef GFE_TESTS_EVENT_QUEUE_CALLS_H
#define GFE_TESTS_EVENT_QUEUE_CALLS_H

#include "emu/engine/event_queue.h"

/* Pushes an event; event->sequence is ignored.  Returns false if the queue is full, or if the unit
 * has had EVENT_QUEUE_SEQUENCES_MAX events.  Then the run must stop, because no event is ever
 * dropped.  The event must not be earlier than the current event (asserted). */
bool event_queue_push(struct event_queue *queue, const struct event *event);
/* Takes the earliest event and sets `now` to its time.  Returns false if the queue is empty. */
bool event_queue_pop(struct event_queue *queue, struct event *event);

#endif
