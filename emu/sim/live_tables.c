/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/live_tables.h"

/* The name in a log.  No header that makes errno a macro may be included above. */
#define errno_code errno
static const struct event_kind_row live_events[] = {LIVE_EVENTS(EVENT_ROW)};
#undef errno_code

const struct table_set live_tables = {
    .name = "live",
    .base = TABLE_LIVE,
    .events = live_events,
    .event_count = sizeof live_events / sizeof live_events[0],
};
