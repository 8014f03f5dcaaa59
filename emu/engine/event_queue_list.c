/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/event_queue_list.h"

#include <assert.h>
#include <stdlib.h>

#include "emu/engine/event_queue_step.h"

static int list_order(const void *a, const void *b)
{
    const struct event_queue_pending *x = a, *y = b;

    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* From complements, as the queue has them. */
static struct event_queue_pending list_entry(uint64_t time, uint64_t order, uint32_t kind,
                                             uint64_t argument)
{
    struct event_queue_pending entry = {
        .time_ps = ~time, .order = ~order, .argument = argument, .kind = kind};

    entry.unit = ORDER_UNIT(entry.order);
    if ((entry.order >> ORDER_SEQUENCE_SHIFT & EVENT_QUEUE_SEQUENCES_MAX) == 0)
        entry.timer = 1 + ORDER_PLACE(entry.order);
    return entry;
}

uint32_t event_queue_list(const struct event_queue *queue, struct event_queue_pending *events,
                          uint32_t capacity)
{
    const struct event_queue_state *state = queue->state;
    uint32_t count = 0;

    assert(state->taken_place == 0);
    for (uint32_t i = 0; i < EVENT_QUEUE_HELD; i++)
        if (state->held[i].order != 0 && count++ < capacity)
            events[count - 1] = list_entry(state->held[i].time, state->held[i].order,
                                           state->held[i].kind, state->held[i].argument);
    for (uint32_t place = 0; place < state->used_places; place++) {
        const uint32_t node = state->leaf_count + place;

        if (queue->order_urgency[node] != 0 && count++ < capacity)
            events[count - 1] =
                list_entry(queue->time_urgency[node], queue->order_urgency[node],
                           queue->places[place].kind, queue->places[place].argument);
    }
    if (count <= capacity)
        qsort(events, count, sizeof *events, list_order);
    return count;
}

bool event_queue_list_same(const struct event_queue_pending *a, const struct event_queue_pending *b,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].time_ps != b[i].time_ps || a[i].unit != b[i].unit || a[i].kind != b[i].kind ||
            a[i].argument != b[i].argument || a[i].timer != b[i].timer)
            return false;
    return true;
}

void event_queue_extent(const struct event_queue *queue, const struct arena *arena, size_t *from,
                        size_t *to)
{
    *from = (size_t)((const uint8_t *)queue->state - arena->base);
    *to =
        (size_t)((const uint8_t *)(queue->next_sequence + queue->state->unit_count) - arena->base);
}
