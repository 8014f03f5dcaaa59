/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/hip_calls.h"

void hip_calls_queue(struct hip_calls *calls, uint64_t plugin, uint64_t ace, uint64_t queue)
{
    if (plugin >= HIP_CALLS_PLUGINS_MAX)
        return;
    calls->plugins[plugin].ace = ace;
    calls->plugins[plugin].queue = queue;
    calls->plugins[plugin].has_queue = true;
}

void hip_calls_launch(struct hip_calls *calls, uint64_t plugin, uint64_t iteration)
{
    if (hip_calls_number(plugin, iteration) == HIP_CALLS_NONE)
        return;
    calls->plugins[plugin].iteration = iteration;
    calls->plugins[plugin].order = calls->launches++;
    calls->plugins[plugin].waits = true;
}

uint64_t hip_calls_grid(struct hip_calls *calls, uint64_t ace, uint64_t queue)
{
    uint32_t best = HIP_CALLS_PLUGINS_MAX;

    for (uint32_t i = 0; i < HIP_CALLS_PLUGINS_MAX; i++)
        if (calls->plugins[i].waits && calls->plugins[i].has_queue &&
            calls->plugins[i].ace == ace && calls->plugins[i].queue == queue &&
            (best == HIP_CALLS_PLUGINS_MAX || calls->plugins[i].order < calls->plugins[best].order))
            best = i;
    if (best == HIP_CALLS_PLUGINS_MAX)
        return HIP_CALLS_NONE;
    calls->plugins[best].waits = false;
    return hip_calls_number(best, calls->plugins[best].iteration);
}

uint64_t hip_calls_return(struct hip_calls *calls, uint64_t plugin, uint64_t iteration)
{
    if (plugin >= HIP_CALLS_PLUGINS_MAX || !calls->plugins[plugin].waits ||
        calls->plugins[plugin].iteration != iteration)
        return HIP_CALLS_NONE;
    calls->plugins[plugin].waits = false;
    return hip_calls_number(plugin, iteration);
}
