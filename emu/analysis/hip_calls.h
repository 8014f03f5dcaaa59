/* SPDX-License-Identifier: MIT */
/*
 * Launches of HIP threads (plugins of a hip_plugin_framework configuration), as a log tells them:
 * HIP_LAUNCH says that a plugin's thread launches, HIP_SUBMIT in which queue its packet stands,
 * and where, AMD_LAUNCH which grid became of that packet, HIP_RETURN that the thread knows
 * of its end.  Each plugin has the stream of its number.
 *
 * A thread launches again only when it knows that its kernel is complete, so of each plugin at most
 * one launch waits for its grid.  Readers number a launch by plugin and iteration.  Logs are not
 * trusted: what is beyond the bounds is not kept.
 */
#ifndef GFE_EMU_ANALYSIS_HIP_CALLS_H
#define GFE_EMU_ANALYSIS_HIP_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { HIP_CALLS_PLUGINS_MAX = 128 };
#define HIP_CALLS_NONE UINT64_MAX

struct hip_calls {
    struct {
        uint64_t iteration, doorbell, packet;
        bool waits, has_packet; /* for its grid; which it will be of */
    } plugins[HIP_CALLS_PLUGINS_MAX];
    uint64_t launches;
};

/* The number of a launch, as of an operation; HIP_CALLS_NONE: it is beyond the bounds. */
static inline uint64_t hip_calls_number(uint64_t plugin, uint64_t iteration)
{
    return plugin < HIP_CALLS_PLUGINS_MAX && iteration <= UINT32_MAX ? plugin << 32 | iteration
                                                                     : HIP_CALLS_NONE;
}
void hip_calls_launch(struct hip_calls *calls, uint64_t plugin, uint64_t iteration);
/* The launch's packet stands in a queue; its number, HIP_CALLS_NONE: no launch waits. */
uint64_t hip_calls_submit(struct hip_calls *calls, uint64_t plugin, uint64_t doorbell,
                          uint64_t packet);
/* A grid becomes of the packet: the number of the launch that it is of, HIP_CALLS_NONE: of none. */
uint64_t hip_calls_grid(struct hip_calls *calls, uint64_t doorbell, uint64_t packet);
/* The plugin's kernel is complete. */
void hip_calls_return(struct hip_calls *calls, uint64_t plugin);

#endif
