/* SPDX-License-Identifier: MIT */
/*
 * Pushing and popping by a call: the machine does both inline (emu/engine/event_queue_step.h).
 */
#ifndef GFE_TESTS_EVENT_QUEUE_CALLS_H
#define GFE_TESTS_EVENT_QUEUE_CALLS_H

#include "emu/engine/event_queue.h"

/* False when the queue is full, or the unit has had EVENT_QUEUE_SEQUENCES_MAX events: the run must
 * stop, no event is ever dropped.  event->sequence is not looked at.  The time must not lie before
 * the event being handled (asserted: units never look back). */
bool event_queue_push(struct event_queue *queue, const struct event *event);
/* Takes the earliest event and moves `now` to its time; false when there is none. */
bool event_queue_pop(struct event_queue *queue, struct event *event);

#endif
