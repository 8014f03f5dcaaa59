/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/event_queue.h"

#include <assert.h>

static bool event_before(const struct event *a, const struct event *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps;
    if (a->unit != b->unit)
        return a->unit < b->unit;
    return a->sequence < b->sequence;
}

void event_queue_init(struct event_queue *queue, struct arena *arena, uint32_t capacity,
                      uint32_t unit_count)
{
    queue->state = arena_alloc(arena, sizeof *queue->state);
    queue->heap = arena_alloc(arena, (size_t)capacity * sizeof *queue->heap);
    queue->next_sequence = arena_alloc(arena, (size_t)unit_count * sizeof *queue->next_sequence);
    queue->state->capacity = capacity;
    queue->state->unit_count = unit_count;
}

static void event_queue_sift_up(struct event_queue *queue, uint32_t index)
{
    const struct event event = queue->heap[index];

    while (index > 0 && event_before(&event, &queue->heap[(index - 1) / 2])) {
        queue->heap[index] = queue->heap[(index - 1) / 2];
        index = (index - 1) / 2;
    }
    queue->heap[index] = event;
}

static void event_queue_sift_down(struct event_queue *queue, uint32_t index)
{
    const struct event event = queue->heap[index];
    const uint32_t count = queue->state->count;

    for (;;) {
        uint32_t child = 2 * index + 1;

        if (child >= count)
            break;
        if (child + 1 < count && event_before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (!event_before(&queue->heap[child], &event))
            break;
        queue->heap[index] = queue->heap[child];
        index = child;
    }
    queue->heap[index] = event;
}

bool event_queue_push(struct event_queue *queue, struct event event)
{
    struct event_queue_state *state = queue->state;

    assert(event.unit < state->unit_count);
    assert(event.time_ps >= state->now_ps);
    if (state->count == state->capacity)
        return false;
    event.sequence = queue->next_sequence[event.unit]++;
    queue->heap[state->count] = event;
    state->count++;
    if (state->count > state->peak_count)
        state->peak_count = state->count;
    event_queue_sift_up(queue, state->count - 1);
    return true;
}

bool event_queue_pop(struct event_queue *queue, struct event *event)
{
    struct event_queue_state *state = queue->state;

    if (state->count == 0)
        return false;
    *event = queue->heap[0];
    state->count--;
    state->popped_count++;
    state->now_ps = event->time_ps;
    queue->heap[0] = queue->heap[state->count];
    /* A freed place keeps no old bytes: equal states must have equal hashes. */
    queue->heap[state->count] = (struct event){0};
    if (state->count > 1)
        event_queue_sift_down(queue, 0);
    return true;
}

bool event_queue_cancel(struct event_queue *queue, uint32_t unit, uint32_t kind)
{
    struct event_queue_state *state = queue->state;
    uint32_t at = 0;

    while (at < state->count && (queue->heap[at].unit != unit || queue->heap[at].kind != kind))
        at++;
    if (at == state->count)
        return false;
    state->count--;
    queue->heap[at] = queue->heap[state->count];
    queue->heap[state->count] = (struct event){0};
    if (at < state->count) {
        event_queue_sift_down(queue, at);
        event_queue_sift_up(queue, at);
    }
    return true;
}

gfe_ps event_queue_next_ps(const struct event_queue *queue)
{
    return queue->state->count ? queue->heap[0].time_ps : GFE_PS_NEVER;
}

gfe_ps event_queue_now_ps(const struct event_queue *queue)
{
    return queue->state->now_ps;
}
