/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/event_queue_calls.h"

#include "emu/engine/event_queue_step.h"

bool event_queue_push(struct event_queue *queue, const struct event *event)
{
    return event_queue_push_here(queue, event);
}

bool event_queue_pop(struct event_queue *queue, struct event *event)
{
    const struct event_queue_first first = event_queue_first(queue);

    if (first.urgency.order == 0)
        return false;
    event_queue_take(queue, first, event);
    event->sequence =
        (~first.urgency.order >> ORDER_SEQUENCE_SHIFT & EVENT_QUEUE_SEQUENCES_MAX) - 1;
    return true;
}
