/* SPDX-License-Identifier: MIT */
/* Views made from an event log alone, without a trace to run again: channels, tsgs, runlistN and
 * pbdmaN, as far as events have their state. */
#ifndef GFE_DEVICES_NVIDIA_NV_INSPECT_LOG_H
#define GFE_DEVICES_NVIDIA_NV_INSPECT_LOG_H

#include "emu/log/event_log.h"
#include "emu/engine/inspect.h"

/* Returns the view for printing, or NULL if events do not have its data. */
const struct inspect_view *nv_inspect_log_view(const struct inspect_view *view);
/* Builds a view of the state after the events up to a time (inclusive), or up to the N-th event,
 * counted from 1.  Returns NULL with a message. */
json_t *nv_inspect_log_build(struct event_log_reader *log, const struct inspect_view *view,
                             uint32_t number, gfe_ps at_ps, uint64_t event_count,
                             struct gfe_error *error);

#endif
