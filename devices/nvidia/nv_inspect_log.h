/* SPDX-License-Identifier: MIT */
/* Views made of an event log alone, where there is no trace to run again: channels, tsgs, runlistN
 * and pbdmaN as far as events tell what became of them. */
#ifndef GFE_DEVICES_NVIDIA_NV_INSPECT_LOG_H
#define GFE_DEVICES_NVIDIA_NV_INSPECT_LOG_H

#include "emu/log/event_log.h"
#include "emu/engine/inspect.h"

/* How such a view is printed; NULL: events do not tell it. */
const struct inspect_view *nv_inspect_log_view(const struct inspect_view *view);
/* Reads events up to a time (its own included) or the N-th, from 1.  NULL with a message. */
json_t *nv_inspect_log_build(struct event_log_reader *log, const struct inspect_view *view,
                             uint32_t number, gfe_ps at_ps, uint64_t event_count,
                             struct gfe_error *error);

#endif
