/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/hws/hws_policy.h"

#include "firmware-models/kfd/kfd_tables.h"

static bool hws_policy_waits(const struct hws_policy_queue *queue)
{
    return !queue->mapped && !queue->fixed;
}

bool hws_policy_looks_at_work(const struct hws_policy_view *view)
{
    return view->swap == HWS_SWAP_IDLE || view->swap == HWS_SWAP_READY;
}

/* Queues that wait and for which others may have to leave. */
static uint32_t hws_policy_wanted(const struct hws_policy_view *view)
{
    const bool any = !hws_policy_looks_at_work(view);
    uint32_t wanted = 0;

    for (uint32_t i = 0; i < view->queue_count; i++)
        wanted += hws_policy_waits(&view->queues[i]) && (any || view->queues[i].busy);
    return wanted;
}

static bool hws_policy_may_leave(const struct hws_policy_view *view, uint32_t i)
{
    const struct hws_policy_queue *queue = &view->queues[i];

    return queue->mapped && !queue->fixed && !(view->swap == HWS_SWAP_IDLE && queue->busy);
}

/* Does a leave before b? */
static bool hws_policy_before(const struct hws_policy_view *view, uint32_t a, uint32_t b)
{
    const struct hws_policy_queue *first = &view->queues[a], *second = &view->queues[b];

    if (view->swap == HWS_SWAP_READY && first->busy != second->busy)
        return second->busy;
    if (view->swap == HWS_SWAP_PRIORITY && first->priority != second->priority)
        return first->priority < second->priority;
    return first->since != second->since ? first->since < second->since : a < b;
}

/* The priority of the n-th of those that wait, highest first; false: they are fewer. */
static bool hws_policy_waiting_priority(const struct hws_policy_view *view, uint32_t n,
                                        uint32_t *priority)
{
    for (uint32_t i = 0; i < view->queue_count; i++) {
        uint32_t higher = 0, equal = 0;

        if (!hws_policy_waits(&view->queues[i]))
            continue;
        for (uint32_t k = 0; k < view->queue_count; k++)
            if (hws_policy_waits(&view->queues[k])) {
                higher += view->queues[k].priority > view->queues[i].priority;
                equal += view->queues[k].priority == view->queues[i].priority;
            }
        *priority = view->queues[i].priority;
        if (higher <= n && n < higher + equal)
            return true;
    }
    return false;
}

/* Those that may leave, in order; returns how many there are room for. */
static uint32_t hws_policy_sort(const struct hws_policy_view *view, uint32_t *victims,
                                uint32_t room)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->queue_count && count < room; i++) {
        uint32_t at = count;

        if (!hws_policy_may_leave(view, i))
            continue;
        for (; at > 0 && hws_policy_before(view, i, victims[at - 1]); at--)
            victims[at] = victims[at - 1];
        victims[at] = i;
        count++;
    }
    return count;
}

uint32_t hws_policy_victims(const struct hws_policy_view *view, uint32_t *victims, uint32_t room)
{
    const uint32_t wanted = hws_policy_wanted(view);
    const uint32_t count = hws_policy_sort(view, victims, room);
    uint32_t priority, taken = 0;

    if (wanted == 0)
        return 0;
    if (view->swap == HWS_SWAP_LIST || (view->process_waits && view->swap != HWS_SWAP_PRIORITY))
        return count;
    if (view->swap != HWS_SWAP_PRIORITY)
        return count < wanted ? count : wanted;
    while (taken < count && hws_policy_waiting_priority(view, taken, &priority) &&
           priority >= view->queues[victims[taken]].priority)
        taken++;
    return view->process_waits && taken > 0 ? count : taken;
}

uint32_t hws_policy_next(const struct hws_policy_view *view)
{
    const bool busy_first = hws_policy_looks_at_work(view);
    uint32_t best = HWS_POLICY_NONE;

    for (uint32_t n = 0; n < view->queue_count; n++) {
        const uint32_t i = (view->next + n) % view->queue_count;
        const struct hws_policy_queue *queue = &view->queues[i];

        if (!hws_policy_waits(queue))
            continue;
        if (best == HWS_POLICY_NONE || (busy_first && queue->busy && !view->queues[best].busy) ||
            (view->swap == HWS_SWAP_PRIORITY && queue->priority > view->queues[best].priority))
            best = i;
    }
    return best;
}
