/* SPDX-License-Identifier: MIT */
/*
 * Launches of HIP threads, found in the events of a log.  A HIP thread is a plugin of a
 * hip_plugin_framework configuration.  Each plugin has the stream of its number.
 *
 * The life of a launch in the log:
 *
 *   - HIP_LAUNCH: the thread of a plugin launches a kernel;
 *   - HIP_SUBMIT: the queue, and the place in it, where the packet of the launch stands;
 *   - AMD_LAUNCH: the grid that the GPU made of that packet;
 *   - HIP_RETURN: the thread knows that the kernel has ended.
 *
 * A thread launches again only when it knows that its kernel is complete.  So at most one launch of
 * each plugin waits for its grid.  Readers number a launch by plugin and iteration.  Logs are not
 * trusted: launches beyond the bounds are not kept.
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
        bool waits, has_packet; /* it waits for its grid; its packet is known */
    } plugins[HIP_CALLS_PLUGINS_MAX];
    uint64_t launches;
};

/* Returns the number of a launch, which readers use as the id of its operation.  Returns
 * HIP_CALLS_NONE if the plugin or the iteration is beyond the bounds. */
static inline uint64_t hip_calls_number(uint64_t plugin, uint64_t iteration)
{
    return plugin < HIP_CALLS_PLUGINS_MAX && iteration <= UINT32_MAX ? plugin << 32 | iteration
                                                                     : HIP_CALLS_NONE;
}
/* Notes that the plugin's thread launches a kernel.  A launch beyond the bounds is ignored. */
void hip_calls_launch(struct hip_calls *calls, uint64_t plugin, uint64_t iteration);
/* Notes that the packet of the plugin's launch stands in a queue.  Returns the launch's number, or
 * HIP_CALLS_NONE if no launch of the plugin waits. */
uint64_t hip_calls_submit(struct hip_calls *calls, uint64_t plugin, uint64_t doorbell,
                          uint64_t packet);
/* Notes that the GPU makes a grid of the packet.  Returns the number of the launch that the packet
 * belongs to, or HIP_CALLS_NONE if it belongs to none. */
uint64_t hip_calls_grid(struct hip_calls *calls, uint64_t doorbell, uint64_t packet);
/* Notes that the plugin's kernel is complete. */
void hip_calls_return(struct hip_calls *calls, uint64_t plugin);

#endif
