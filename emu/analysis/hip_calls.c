/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/hip_calls.h"

void hip_calls_launch(struct hip_calls *calls, uint64_t plugin, uint64_t iteration)
{
    if (hip_calls_number(plugin, iteration) == HIP_CALLS_NONE)
        return;
    calls->plugins[plugin].iteration = iteration;
    calls->plugins[plugin].waits = true;
    calls->plugins[plugin].has_packet = false;
    calls->launches++;
}

uint64_t hip_calls_submit(struct hip_calls *calls, uint64_t plugin, uint64_t doorbell,
                          uint64_t packet)
{
    if (plugin >= HIP_CALLS_PLUGINS_MAX || !calls->plugins[plugin].waits)
        return HIP_CALLS_NONE;
    calls->plugins[plugin].doorbell = doorbell;
    calls->plugins[plugin].packet = packet;
    calls->plugins[plugin].has_packet = true;
    return hip_calls_number(plugin, calls->plugins[plugin].iteration);
}

uint64_t hip_calls_grid(struct hip_calls *calls, uint64_t doorbell, uint64_t packet)
{
    for (uint32_t i = 0; i < HIP_CALLS_PLUGINS_MAX; i++) {
        if (!calls->plugins[i].waits || !calls->plugins[i].has_packet ||
            calls->plugins[i].doorbell != doorbell || calls->plugins[i].packet != packet)
            continue;
        calls->plugins[i].waits = false;
        return hip_calls_number(i, calls->plugins[i].iteration);
    }
    return HIP_CALLS_NONE;
}

void hip_calls_return(struct hip_calls *calls, uint64_t plugin)
{
    if (plugin < HIP_CALLS_PLUGINS_MAX)
        calls->plugins[plugin].waits = false;
}
