/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_list.h"

static const struct event_kind_row emu_events[] = {EMU_EVENTS(EVENT_ROW)};
static const struct rule emu_rules[] = {EMU_RULES(RULE_ROW)};

const struct table_set emu_tables = {
    .name = "emu",
    .base = TABLE_EMU,
    .rules = emu_rules,
    .rule_count = sizeof emu_rules / sizeof emu_rules[0],
    .events = emu_events,
    .event_count = sizeof emu_events / sizeof emu_events[0],
};
