/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/live_tables.h"

static const struct event_kind_row live_events[] = {LIVE_EVENTS(EVENT_ROW)};

const struct table_set live_tables = {
    .name = "live",
    .base = TABLE_LIVE,
    .events = live_events,
    .event_count = sizeof live_events / sizeof live_events[0],
};
