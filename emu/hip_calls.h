/* SPDX-License-Identifier: MIT */
/*
 * Launches of HIP threads (plugins of a hip_plugin_framework configuration), as a log tells them:
 * HIP_QUEUE says which queue of which ACE a plugin's stream has, HIP_LAUNCH that its thread
 * launches, AMD_DISPATCH that a grid has joined that queue, HIP_RETURN whose launch a grid was.
 *
 * A thread launches again only when it knows that its kernel is complete, so of each plugin at most
 * one launch waits for its grid, and among those of one queue the oldest gets the next grid.
 * Readers number a launch by plugin and iteration.  Logs are not trusted: what is beyond the bounds
 * is not kept.
 */
#ifndef GFE_EMU_HIP_CALLS_H
#define GFE_EMU_HIP_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { HIP_CALLS_PLUGINS_MAX = 64 };
#define HIP_CALLS_NONE UINT64_MAX

struct hip_calls {
    struct {
        uint64_t ace, queue, iteration, order; /* order: of its launch among all */
        bool has_queue, waits;
    } plugins[HIP_CALLS_PLUGINS_MAX];
    uint64_t launches;
};

/* The number of a launch, as of an operation; HIP_CALLS_NONE: it is beyond the bounds. */
static inline uint64_t hip_calls_number(uint64_t plugin, uint64_t iteration)
{
    return plugin < HIP_CALLS_PLUGINS_MAX && iteration <= UINT32_MAX ? plugin << 32 | iteration
                                                                     : HIP_CALLS_NONE;
}
void hip_calls_queue(struct hip_calls *calls, uint64_t plugin, uint64_t ace, uint64_t queue);
void hip_calls_launch(struct hip_calls *calls, uint64_t plugin, uint64_t iteration);
/* A grid joins the queue: the number of the launch that it is of, HIP_CALLS_NONE: of none. */
uint64_t hip_calls_grid(struct hip_calls *calls, uint64_t ace, uint64_t queue);
/* The plugin's kernel is complete; the number of its launch if no grid was found for it. */
uint64_t hip_calls_return(struct hip_calls *calls, uint64_t plugin, uint64_t iteration);

#endif
